/* Is a release a faithful image of a table?  Every published row must be a row of the original, one to one: its values
 * in the classes' cells, and all that is published as it is equal. */
#ifndef COVEY_AUDIT_GENERALIZED_FAITHFUL_H
#define COVEY_AUDIT_GENERALIZED_FAITHFUL_H

#include "reader/original.h"

/* Needs usable columns and a usable original.  What does not fit goes to problems. */
covey_status covey_i_faithful_check(covey_problems *problems, const covey_opened *opened,
                                    const covey_original *original, const covey_run *run, covey_error *err);

/* Kinds of rows and boxes of classes, for whole units without the publisher's list; see whole.c. */
struct covey_whole_question;
covey_status covey_i_generalized_ask(struct covey_whole_question *q, covey_error *err);

#endif
