/* Promises over units, proven from the original and the publisher's list of the class of each of its rows. */
#ifndef COVEY_AUDIT_LINKS_LINKS_H
#define COVEY_AUDIT_LINKS_LINKS_H

#include "audit/steps.h"

struct covey_link_proof;

/* Reads what stands beside the list, path.json: sets audit->entity and its kin.  What is wrong with it goes to
 * audit->of_original, and then there is no entity.  Nothing without a list. */
covey_status covey_i_audit_links_open(covey_audit *audit, covey_error *err);

/* What a form asks of the rows that the list puts into a class; see proof.h. */
typedef covey_status covey_links_check(struct covey_link_proof *p, covey_error *err);

/**
 * Is the list one of this release, are the rows that it puts into a class those of the class, is every unit whole, are
 * the stated numbers of units true, and does every class keep every promise over units?  What is wrong goes to
 * audit->of_original.
 *
 * @param original  read with the columns of the entity as further ones
 * @return COVEY_OK; COVEY_ENOTFOUND, COVEY_EIO, COVEY_EPARSE for the list; COVEY_ENOMEM
 */
covey_status covey_i_audit_links(covey_audit *audit, const covey_original *original, covey_links_check *check,
                                 covey_error *err);

#endif
