/* Sorting groups by their contents.  Groups are sorted by the contents of their first two rows, which leaves few that
 * are equal so far: only these are compared further, row by row. */
#include "release/bucketized/group_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/sort/keys.h"
#include "table/table_impl.h"

enum { TIE_STREAM = 0x67726f75 /* "grou" */ };

struct ordering {
    const covey_members *m;
    int width;                /* of codes */
    uint32_t *by_order;       /* [n_groups] */
    uint32_t *first, *second; /* [n_groups] contents of the first rows; of the second ones from 1, 0: there is none */
    uint64_t *tie;            /* [n_groups] by values: random */
};

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static uint32_t size_of(const covey_members *m, uint32_t group)
{
    return m->start[group + 1] - m->start[group];
}

/* Value by value and count by count: values are sorted, and as many in both. */
static int compare_codes(const struct ordering *o, uint32_t x, uint32_t y)
{
    const uint32_t end_x = o->m->start[x + 1], end_y = o->m->start[y + 1];

    for (uint32_t i = o->m->start[x], j = o->m->start[y]; i < end_x && j < end_y;) {
        const uint32_t a = covey_i_members_code(o->m, o->width, i), b = covey_i_members_code(o->m, o->width, j),
                       from_i = i, from_j = j;

        while (i < end_x && covey_i_members_code(o->m, o->width, i) == a)
            i++;
        while (j < end_y && covey_i_members_code(o->m, o->width, j) == b)
            j++;
        if (a != b)
            return compare_numbers(a, b);
        if (i - from_i != j - from_j)
            return compare_numbers(i - from_i, j - from_j);
    }
    return compare_numbers(o->m->n_lines[x], o->m->n_lines[y]);
}

/* Row by row, then line by line; what ends first comes first. */
static int compare_content(const void *a, const void *b, void *context)
{
    const struct ordering *o = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b, size_x = size_of(o->m, x),
                   size_y = size_of(o->m, y);
    int order = 0;

    for (uint32_t i = 0; i < size_x && i < size_y && !order; i++)
        order = compare_numbers(covey_i_members_content(o->m, o->m->start[x] + i),
                                covey_i_members_content(o->m, o->m->start[y] + i));
    if (!order)
        order = compare_numbers(size_x, size_y);
    return order ? order : compare_codes(o, x, y);
}

/* By smallest and largest value, by size, at random. */
static int compare_values(const void *a, const void *b, void *context)
{
    const struct ordering *o = context;
    const covey_members *m = o->m;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order =
        compare_numbers(covey_i_members_code(m, o->width, m->start[x]), covey_i_members_code(m, o->width, m->start[y]));

    if (!order)
        order = compare_numbers(covey_i_members_code(m, o->width, m->start[x + 1] - 1),
                                covey_i_members_code(m, o->width, m->start[y + 1] - 1));
    if (!order)
        order = compare_numbers(size_of(m, x), size_of(m, y));
    return order ? order : compare_numbers(o->tie[x], o->tie[y]);
}

static covey_status sort_by_content(struct ordering *o, const covey_run *run, covey_error *err)
{
    const covey_members *m = o->m;
    const uint32_t n = m->n_groups, n_values = (uint32_t)m->n_contents + 1;
    uint32_t begin = 0;

    for (uint32_t g = 0; g < n; g++) {
        o->first[g] = covey_i_members_content(m, m->start[g]);
        o->second[g] = size_of(m, g) > 1 ? covey_i_members_content(m, m->start[g] + 1) + 1 : 0;
    }
    COVEY_TRY(covey_i_keys_sort_rows(o->by_order, NULL, n,
                                     (const covey_sort_key[]){{.codes = o->first, .width = 4, .n_values = n_values},
                                                              {.codes = o->second, .width = 4, .n_values = n_values}},
                                     2, run, err));
    for (uint32_t i = 1; i <= n; i++)
        if (i == n || o->first[o->by_order[i]] != o->first[o->by_order[begin]] ||
            o->second[o->by_order[i]] != o->second[o->by_order[begin]]) {
            if (i - begin > 1)
                qsort_r(o->by_order + begin, i - begin, sizeof *o->by_order, compare_content, o);
            begin = i;
        }
    return COVEY_OK;
}

/* The random ties are drawn in the order of the content, so that a seed gives the same for any order of the input's
 * rows. */
static covey_status draw_ties(struct ordering *o, const covey_run *run, covey_error *err)
{
    unsigned char key[32];
    covey_rng rng;

    COVEY_TRY(covey_i_rng_key(key, run, err));
    covey_i_rng_init(&rng, key, TIE_STREAM);
    for (uint32_t i = 0; i < o->m->n_groups; i++)
        o->tie[o->by_order[i]] = covey_i_rng_word(&rng);
    covey_i_rng_wipe(&rng);
    explicit_bzero(key, sizeof key);
    return COVEY_OK;
}

static covey_status sort_by_values(struct ordering *o, covey_group_order order, const covey_run *run, covey_error *err)
{
    const uint32_t n = o->m->n_groups;

    if (!(o->tie = covey_i_array(n, sizeof *o->tie)))
        return covey_i_no_memory(err);
    if (order == COVEY_GROUPS_BY_VALUES)
        COVEY_TRY(draw_ties(o, run, err));
    else
        for (uint32_t g = 0; g < n; g++)
            o->tie[g] = g;
    qsort_r(o->by_order, n, sizeof *o->by_order, compare_values, o);
    return COVEY_OK;
}

covey_status covey_i_groups_order(uint32_t *by_order, const covey_members *members, const covey_column *sensitive,
                                  covey_group_order order, const covey_run *run, covey_error *err)
{
    struct ordering o = {.m = members,
                         .width = sensitive->width,
                         .by_order = by_order,
                         .first = covey_i_array_full(members->n_groups, sizeof *o.first),
                         .second = covey_i_array_full(members->n_groups, sizeof *o.second)};
    covey_status status = o.first && o.second ? sort_by_content(&o, run, err) : covey_i_no_memory(err);

    if (status == COVEY_OK && order != COVEY_GROUPS_BY_CONTENT)
        status = sort_by_values(&o, order, run, err);
    covey_i_free(o.first);
    covey_i_free(o.second);
    covey_i_free(o.tie);
    return status;
}
