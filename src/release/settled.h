/* What a release with suppressed rows refers to: the table as if these rows had never been in it.  Values that nobody
 * else has stand in no dictionary any more, hierarchies built from the data have no leaf for them, numeric domains that
 * the policy does not declare are the range of the rows that are published: so nothing that is written from it can tell
 * of them.  See docs/design/suppressed-rows.md. */
#ifndef COVEY_RELEASE_SETTLED_H
#define COVEY_RELEASE_SETTLED_H

#include "release/release_impl.h"

/* A column without the values that only suppressed rows have. */
typedef struct covey_settled_field {
    covey_column *column;  /* NULL: everything is as it was */
    covey_hierarchy *tree; /* NULL: it has none */
    uint32_t *map;         /* [values] from old codes to new ones; UINT32_MAX: no published row has it */
} covey_settled_field;

typedef struct covey_settled {
    covey_problem problem; /* as many rows as before; codes of suppressed rows mean nothing */
    size_t n;
    covey_settled_field *field; /* [n] */
    covey_arena arena;
} covey_settled;

/**
 * Settles a release: *release is replaced by one of settled->problem, with the same rows in the same classes.
 *
 * Where no row is suppressed both stay as they are.  Bounds that were proven against a wider domain are given up.
 *
 * @param release  of problem; afterwards of settled->problem; stays the caller's, to be freed before settled is cleared
 * @return COVEY_OK; COVEY_EINFEASIBLE if a class keeps a promise about ranges only with the values of suppressed rows;
 * COVEY_ENOMEM
 */
covey_status covey_i_release_settle(covey_settled *settled, covey_release **release, const covey_problem *problem,
                                    const covey_run *run, covey_error *err);
/* What a release on classes will lose once it is settled, which fails where that would; the release stays as it is.  Of
 * other forms: what it loses. */
covey_status covey_i_release_settled_loss(double *loss, covey_release *release, const covey_problem *problem,
                                          const covey_run *run, covey_error *err);
/* Settles a problem without a release, whose rows are elsewhere.  keep: [n_fields][values] those of published rows.
 * Clear it afterwards, also when this fails. */
covey_status covey_i_settle_problem(covey_settled *settled, const covey_problem *problem, bool *const *keep,
                                    covey_error *err);
/**
 * Settles one column; clear it afterwards, also when this fails.
 *
 * @param axis   of a quasi-identifier, else NULL
 * @param keep   [values] those of published rows; receives those that a hierarchy has whatever the data hold, too
 * @param arena  receives the map
 */
covey_status covey_i_release_settle_field(covey_settled_field *out, const covey_field *field, const covey_axis *axis,
                                          bool *keep, covey_arena *arena, covey_error *err);
/* A sensitive column whose whole counts are not published: it gets the type, digits and spelling that its published
 * values need, and says that values are missing only if one of them is.  Its codes stay, which models count by. *out:
 * as it is where that is how the column is already. */
covey_status covey_i_release_settle_sensitive(covey_column **out, const covey_field *field, const bool *keep,
                                              covey_arena *arena, covey_error *err);
/* What the rows of the classes lose by their own ranges, whatever regions are published, all attributes together:
 * optimal partitioning's cost ncp. */
double covey_i_release_tight_loss(const covey_release *release, const covey_problem *problem);
void covey_i_settled_field_clear(covey_settled_field *settled); /* one of zeros allowed */

void covey_i_settled_clear(covey_settled *settled); /* also one of zeros */

#endif
