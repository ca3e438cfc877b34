/* Groups inside closed buckets: the rows of a set are parted as Anatomy does, into groups of rows with different sensitive values, and then mixed.
 *
 * Anatomy takes the most frequent values first.  That keeps as many rows as can be kept, but the rows of a frequent value then meet those of other
 * frequent ones, and rare values each other, which says more of a group's members than the bucket does: what is learned of a value is
 * blended with the wrong rows.  So two rows of two groups change places, again and again, wherever all values of both stay different: in the long
 * run every such arrangement is as likely as any other, and no group's size changes.
 * Source: slicing.md, section 5.4; [XiaoTao06] for the groups; docs/design/slicing.md for what mixing is worth. */
#include "method/slicing_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "table/table_impl.h"

enum { ANATOMY_STREAM = 0x736c6963 };

/* Tries to exchange per row; more change nothing that can be measured. */
enum { EXCHANGES = 4 };

covey_status covey_i_slicing_groups_start(covey_slicing_groups *out, covey_slicing *s, uint32_t most, uint32_t *bucket_of_row, const covey_run *run,
                                          covey_error *err)
{
    unsigned char key[32];

    *out = (covey_slicing_groups){
        .s = s, .l = (uint32_t)(s->l.num / s->l.den + (s->l.num % s->l.den != 0)), .bucket_of_row = bucket_of_row,
        .group = covey_arena_array(s->arena, uint32_t, s->problem->n_rows), .member = covey_arena_array(s->arena, uint32_t, most),
        .begin = covey_arena_array(s->arena, uint32_t, (size_t)most + 1), .group_at = covey_arena_array(s->arena, uint32_t, most),
    };
    if (!out->group || !out->member || !out->begin || !out->group_at)
        return covey_fail(err, COVEY_ENOMEM, "groups of slicing");
    COVEY_TRY(covey_i_anatomy_start(&out->anatomy, s->problem->field[s->sensitive].column, out->l, out->group, most, s->arena, err));
    COVEY_TRY(covey_i_rng_key(key, run, err));
    covey_i_rng_init(&out->rng, key, ANATOMY_STREAM);
    explicit_bzero(key, sizeof key);
    return COVEY_OK;
}

/* --- mixing --- */

/* Fills member, begin and group_at. */
static void list_members(covey_slicing_groups *p, const uint32_t *row, uint32_t n)
{
    const uint32_t n_groups = p->anatomy.n_groups;

    memset(p->begin, 0, ((size_t)n_groups + 1) * sizeof *p->begin);
    for (uint32_t i = 0; i < n; i++)
        p->begin[p->group[row[i]]]++;
    for (uint32_t g = 0, end = 0; g < n_groups; g++) {
        end += p->begin[g];
        p->begin[g] = end;
    }
    p->begin[n_groups] = n;
    for (uint32_t i = n; i-- > 0;) {
        const uint32_t g = p->group[row[i]], at = --p->begin[g];

        p->member[at] = row[i];
        p->group_at[at] = g;
    }
}

static bool has_value(const covey_slicing_groups *p, uint32_t group, uint32_t pair)
{
    for (uint32_t i = p->begin[group]; i < p->begin[group + 1]; i++)
        if (p->s->pair[p->member[i]] == pair)
            return true;
    return false;
}

/* Every try is undone as likely as done, so that no arrangement is preferred. */
static void exchange(covey_slicing_groups *p, uint32_t x, uint32_t y)
{
    const uint32_t a = p->member[x], b = p->member[y];

    if (p->group_at[x] == p->group_at[y] || p->s->pair[a] == p->s->pair[b] || has_value(p, p->group_at[x], p->s->pair[b]) ||
        has_value(p, p->group_at[y], p->s->pair[a]))
        return;
    p->member[x] = b;
    p->member[y] = a;
    p->group[a] = p->group_at[y];
    p->group[b] = p->group_at[x];
}

/* The rows are of one set, so that pairs are sensitive values. */
static void mix(covey_slicing_groups *p, const uint32_t *row, uint32_t n)
{
    list_members(p, row, n);
    for (uint64_t i = 0; p->anatomy.n_groups > 1 && i < (uint64_t)n * EXCHANGES; i++) {
        const uint32_t x = (uint32_t)covey_i_rng_below(&p->rng, n), y = (uint32_t)covey_i_rng_below(&p->rng, n);

        exchange(p, x, y);
    }
}

/* --- parting --- */

static int compare_sets(const void *a, const void *b, void *context)
{
    const covey_slicing *s = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (s->set[x] > s->set[y]) - (s->set[x] < s->set[y]);
}

/* Is no value more frequent than one in l?  Counts pairs; the rows are of one set. */
static bool is_eligible(covey_slicing_test *test, const uint32_t *row, uint32_t n, uint32_t l)
{
    const covey_slicing *s = test->slicing;
    bool ok = true;

    for (uint32_t i = 0; i < n; i++)
        test->pair_count[s->pair[row[i]]]++;
    for (uint32_t i = 0; i < n && ok; i++)
        ok = (uint64_t)test->pair_count[s->pair[row[i]]] * l <= n;
    for (uint32_t i = 0; i < n; i++)
        test->pair_count[s->pair[row[i]]] = 0;
    return ok;
}

static void part_set(covey_slicing_groups *p, const uint32_t *row, uint32_t n)
{
    p->anatomy.n_groups = 0;
    covey_i_anatomy_group(&p->anatomy, row, n, &p->rng);
    mix(p, row, n);
    for (uint32_t i = 0; i < n; i++)
        p->bucket_of_row[row[i]] = p->n_buckets + p->group[row[i]];
    p->n_buckets += p->anatomy.n_groups;
}

void covey_i_slicing_part(covey_slicing_groups *p, covey_slicing_test *test, uint32_t *row, uint32_t n)
{
    uint32_t rest = UINT32_MAX;

    qsort_r(row, n, sizeof *row, compare_sets, p->s);
    for (uint32_t i = 0, first = 0; i < n; i++) {
        const uint32_t n_set = i + 1 - first;

        if (i + 1 < n && p->s->set[row[i + 1]] == p->s->set[row[first]])
            continue;
        if (n_set >= p->l && is_eligible(test, row + first, n_set, p->l))
            part_set(p, row + first, n_set);
        else {
            if (rest == UINT32_MAX)
                rest = p->n_buckets++;
            for (uint32_t j = first; j <= i; j++)
                p->bucket_of_row[row[j]] = rest;
        }
        first = i + 1;
    }
}
