/* Weighted sums of sensitive values, which lie in different entries of their group: the largest weight meets the least
 * of the least lower ends, or the greatest of the greatest upper ones. */
#include <math.h>

#include "query/transformed/targets.h"
#include "query/weighted_rows.h"

covey_status covey_i_target_weighted(covey_query_figures *out, const covey_bound_aggregate *aggregate,
                                     const covey_query_targets *s, const covey_query_hits *hits,
                                     const covey_row_scan *scan, const covey_query_rows *rows, int column_scale,
                                     covey_arena *arena, covey_error *err)
{
    const bool is_mean = aggregate->function == COVEY_SQL_AVG;
    covey_i128 lower = 0, upper = 0, weights = 0, factor = 1;
    covey_weighted_rows found;
    double estimate = 0;
    size_t at = 0;

    *out = (covey_query_figures){{false, 0, 1}, {false, 0, 1}, NAN, NAN, {0}};
    COVEY_TRY(covey_i_weighted_rows_find(&found, aggregate, scan, rows, arena, err));
    for (int i = s->t->scale; i < column_scale; i++)
        factor *= 10;
    for (uint32_t i = 0; i < hits->n; at += (size_t)hits->hit[i++].n) { /* both go by group */
        const uint32_t g = hits->hit[i].group;
        const size_t n = (size_t)hits->hit[i].n;
        covey_weighted_moments of;

        covey_i_weighted_rows_sort(&of, found.weight + at, n);
        lower += covey_i_weighted_rows_pair(found.weight + at, s->low + s->start[g], n) * factor;
        upper += covey_i_weighted_rows_pair(found.weight + at, s->high + s->start[g], n) * factor;
        weights += of.sum;
        estimate += (double)of.sum * s->mean[s->t->target_of_group[g]];
    }
    if (weights == 0)
        return COVEY_OK;
    out->lower = (covey_query_exact){true, lower, is_mean ? (int64_t)weights : 1};
    out->upper = (covey_query_exact){true, upper, is_mean ? (int64_t)weights : 1};
    out->estimate = estimate / (is_mean ? (double)weights : covey_i_query_unit(aggregate->scale - column_scale));
    return COVEY_OK;
}
