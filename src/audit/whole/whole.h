/* Without the publisher's list: can whole units of the original make the classes of a release at all?
 *
 * The files say of each class what its rows show, and how many units they are.  Which unit goes where is a question of
 * exact sums: fixed by what follows from these alone, by flow where each unit has one row, by a search of limited
 * length elsewhere -- with units of several rows it is as hard as packing bins exactly, so that it may stay undecided.
 * docs/design/units.md. */
#ifndef COVEY_AUDIT_WHOLE_WHOLE_H
#define COVEY_AUDIT_WHOLE_WHOLE_H

#include "audit/links/links.h"

struct covey_whole_question;

/* What a form has to say: kinds of rows, what classes need of each, and where rows may stand; see question.h. */
typedef covey_status covey_whole_ask(struct covey_whole_question *question, covey_error *err);

/* Takes the columns that name units from the options.  COVEY_EINVAL: rows of the release have no units, or other ones.
 */
covey_status covey_i_audit_whole_open(covey_audit *audit, const covey_verify_options *options, covey_error *err);

/**
 * Looks for a way to put whole units into the classes, and judges the first that is found over units.  Sets
 * audit->units_fit; that there is no way, or that the only one breaks a promise, goes to audit->of_original.
 *
 * @param original  read with the columns of the entity as further ones
 * @param check     what is asked of rows that a list puts into a class: the way that was found is checked as one
 */
covey_status covey_i_audit_whole(covey_audit *audit, const covey_original *original, covey_whole_ask *ask,
                                 covey_links_check *check, covey_error *err);

#endif
