/* DPpartition: the sensitive values, rarest first, are put into as few buckets as possible so that a class may draw
 * from each bucket in proportion to its size without knowing which of its values it gets: all of them could be the
 * rarest one. Source: [CaoKarras12] section 4.3 (DPpartition), Theorem 1, Lemma 2. */
#include "method/burel/burel.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

size_t covey_i_burel_partition(uint32_t *first, const int64_t *count, const int64_t *limit, size_t n_values,
                               int64_t scale, bool strict, uint32_t *scratch)
{
    uint32_t *n_runs = scratch, *start = scratch + n_values + 1; /* of the first e values; start of the last run */
    size_t n;

    n_runs[0] = 0;
    for (size_t e = 1; e <= n_values; e++) {
        int64_t sum = count[e - 1];

        n_runs[e] = n_runs[e - 1] + 1;
        start[e] = (uint32_t)e - 1;
        for (size_t b = e - 1; b > 0; b--) {
            sum += count[b - 1];
            /* Both get worse as b falls: the sum grows, and rarer values have smaller limits.  The paper's listing
             * compares with <, its Theorem 1 and Lemma 2 with <=. */
            if (strict ? sum * scale >= limit[b - 1] : sum * scale > limit[b - 1])
                break;
            if (n_runs[b - 1] + 1 < n_runs[e]) {
                n_runs[e] = n_runs[b - 1] + 1;
                start[e] = (uint32_t)b - 1;
            }
        }
    }
    n = n_runs[n_values];
    first[n] = (uint32_t)n_values;
    for (size_t j = n; j-- > 0;)
        first[j] = start[first[j + 1]];
    return n;
}

/* A value with what it is sorted by. */
struct ranked {
    int64_t cap, prior; /* rows of the whole table */
    uint32_t value;
};

/* By the cap first: a bucket's rarest value must be the one with the least cap.  Values with the same one, which is
 * rounded, are told by their rows in the whole table, which a smaller class's caps follow; those of a part need not be
 * so. */
static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->cap != y->cap)
        return x->cap < y->cap ? -1 : 1;
    if (x->prior != y->prior)
        return x->prior < y->prior ? -1 : 1;
    return x->value < y->value ? -1 : 1;
}

/* Multiples of f(p) n_rows to compare with.  To compare sum with (1 - slack) f n_rows, both sides are multiplied by
 * slack's denominator; strictly, also by as much as there is room for: then a product that is not above the rounded
 * bound is a tie, or as good as one. */
struct scaling {
    int64_t scale, size;
};

static struct scaling scaling_of(uint32_t n_rows, covey_ratio slack, bool strict)
{
    const int64_t room = UINT32_MAX / n_rows; /* bounds are defined for sizes below 2^32 */
    struct scaling s;

    if (slack.den > room) { /* too fine for exact arithmetic: the next coarser slack above */
        slack.num = (int64_t)(((covey_i128)slack.num * room + slack.den - 1) / slack.den);
        slack.den = room;
        if (slack.num >= slack.den)
            slack.num = slack.den - 1;
    }
    s = (struct scaling){slack.den, (slack.den - slack.num) * (int64_t)n_rows};
    if (strict) {
        const int64_t more = room / slack.den;

        s.scale *= more;
        s.size *= more;
    }
    return s;
}

covey_status covey_i_burel_buckets_new(covey_draw_buckets *buckets, const covey_promises *promises, int view,
                                       const int64_t *count, uint32_t n_rows, covey_ratio slack, bool strict,
                                       covey_arena *arena, covey_error *err)
{
    const uint32_t n_values = promises->view[view].column->n_values;
    const struct scaling scaling = scaling_of(n_rows, slack, strict);
    struct ranked *ranked = covey_arena_array(arena, struct ranked, n_values);
    int64_t *cap = covey_arena_array(arena, int64_t, n_values),
            *need = covey_arena_array_zero(arena, int64_t, n_values);
    int64_t *sorted_count = covey_arena_array(arena, int64_t, n_values),
            *limit = covey_arena_array(arena, int64_t, n_values);
    uint32_t *scratch = covey_arena_array(arena, uint32_t, 2 * ((size_t)n_values + 1));
    size_t n = 0;

    *buckets = (covey_draw_buckets){
        .first = covey_arena_array(arena, uint32_t, (size_t)n_values + 1),
        .value = covey_arena_array(arena, uint32_t, n_values),
        .bucket_of = covey_arena_array_zero(arena, uint32_t, n_values),
        .size = covey_arena_array_zero(arena, uint32_t, n_values),
    };
    if (!ranked || !cap || !need || !sorted_count || !limit || !scratch || !buckets->first || !buckets->value ||
        !buckets->bucket_of || !buckets->size)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < n_values; v++)
        cap[v] = scaling.size;
    covey_i_promises_bounds(promises, view, scaling.size, cap, need);
    for (uint32_t v = 0; v < n_values; v++)
        if (count[v] > 0)
            ranked[n++] = (struct ranked){cap[v], promises->view[view].prior->count[v], v};
    qsort(ranked, n, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < n; i++) {
        buckets->value[i] = ranked[i].value;
        sorted_count[i] = count[ranked[i].value];
        limit[i] = ranked[i].cap;
    }
    buckets->n = covey_i_burel_partition(buckets->first, sorted_count, limit, n, scaling.scale, strict, scratch);
    for (size_t j = 0; j < buckets->n; j++)
        for (uint32_t i = buckets->first[j]; i < buckets->first[j + 1]; i++) {
            buckets->bucket_of[buckets->value[i]] = (uint32_t)j;
            buckets->size[j] += (uint32_t)sorted_count[i];
        }
    return COVEY_OK;
}
