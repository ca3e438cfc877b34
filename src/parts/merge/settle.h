/* Releases made in parts as if suppressed rows had never been in the table: dictionaries, hierarchies, domains, types
 * and digits of what all parts together publish.  See release/settled.h. */
#ifndef COVEY_PARTS_MERGE_SETTLE_H
#define COVEY_PARTS_MERGE_SETTLE_H

#include "parts/part/file.h"
#include "release/settled.h"

/* Settles the plan's problem by the rows of n parts, which are read for it; it gets the whole table's number of rows.
 * arena: of what it refers to.  Clear it afterwards, also when this fails. */
covey_status covey_i_parts_settle(covey_settled *out, const covey_plan *plan, const char *const *path, size_t n,
                                  covey_arena *arena, covey_error *err);

/* The same of rows that are elsewhere.  mark: for each field of the problem, and each of its values, whether a
 * published row has it. */
covey_status covey_i_parts_settle_marked(covey_settled *out, const covey_plan *plan, const bool *mark,
                                         covey_arena *arena, covey_error *err);
/* All values of all fields. */
size_t covey_i_parts_n_marks(const covey_plan *plan);
/* Marks the values of a part's rows. */
covey_status covey_i_parts_mark(bool *mark, const covey_plan *plan, const char *path, covey_error *err);

/* Is a hierarchy another one without the values of suppressed rows: does it lack leaves, a missing one too, or call its
 * labels otherwise?  Parts are in the order that the whole table's gives, which need not be that of what is published
 * then. */
bool covey_i_parts_has_new_order(const covey_settled *settled);

/* A problem of published rows, as covey_i_part_problem makes it: they get the codes of what is settled, in their
 * place. */
covey_status covey_i_part_problem_settle(covey_problem *problem, const covey_settled *settled, covey_arena *arena,
                                         covey_error *err);

#endif
