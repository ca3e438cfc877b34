/* Every set of up to so many of some columns, with the rows that are alone in them. */
#include "inspect/inspect_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/run.h"
#include "inspect/alone.h"

enum { MOST_SETS = 1000000 };

/* Sets of 1 .. most of n; more than MOST_SETS: how many more does not matter. */
static int64_t count_sets(size_t n, size_t most)
{
    __int128 of_size = 1, all = 0;

    for (size_t k = 1; k <= most && all <= MOST_SETS; k++) {
        of_size = of_size * (__int128)(n - k + 1) / (__int128)k;
        all += of_size;
    }
    return (int64_t)(all < MOST_SETS ? all : all > MOST_SETS ? MOST_SETS + 1 : MOST_SETS);
}

/* The next k of n indices in order; false behind the last. */
static bool next_of(size_t *index, size_t k, size_t n)
{
    size_t i = k;

    while (i > 0 && index[i - 1] == n - k + i - 1)
        i--;
    if (i == 0)
        return false;
    index[i - 1]++;
    for (; i < k; i++)
        index[i] = index[i - 1] + 1;
    return true;
}

static int by_unique(const void *a, const void *b)
{
    return covey_i_alone_compare(a, b);
}

struct listing {
    covey_inspection *inspection;
    covey_inspected_set *set; /* [n_sets] */
    covey_alone alone;
    const size_t *among; /* [n] columns, ascending */
    size_t n;
    int64_t n_sets;
    covey_arena *arena;
    const covey_run *run;
};

static covey_status add(struct listing *l, const size_t *index, size_t k, covey_error *err)
{
    covey_inspected_set *set = &l->set[l->inspection->n_sets];
    size_t *column = covey_arena_array(l->arena, size_t, k);

    if (!column)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < k; i++)
        column[i] = l->among[index[i]];
    *set = (covey_inspected_set){.n = k, .column = column};
    COVEY_TRY(covey_i_run_goes_on(l->run, "single out", (int64_t)l->inspection->n_sets, l->n_sets, err));
    l->inspection->n_sets++;
    return covey_i_alone_count(&set->n_unique, &l->alone, column, k, err);
}

/* Sets of k columns, those that single out most first. */
static covey_status add_size(struct listing *l, size_t *index, size_t k, covey_error *err)
{
    const size_t begin = l->inspection->n_sets;

    for (size_t i = 0; i < k; i++)
        index[i] = i;
    do
        COVEY_TRY(add(l, index, k, err));
    while (next_of(index, k, l->n));
    qsort(l->set + begin, l->inspection->n_sets - begin, sizeof *l->set, by_unique);
    return COVEY_OK;
}

covey_status covey_i_inspect_every_set(covey_inspection *in, covey_column *const *typed, const size_t *among, size_t n,
                                       size_t most, covey_arena *arena, const covey_run *run, covey_error *err)
{
    struct listing l = {.inspection = in, .among = among, .n = n, .arena = arena, .run = run};
    size_t *index;
    covey_status status;

    most = most < n ? most : n;
    if ((l.n_sets = count_sets(n, most)) > MOST_SETS)
        return covey_fail(err, COVEY_EINVAL,
                          "%zu columns have more than %d sets of up to %zu: name fewer, or ask for smaller sets", n,
                          (int)MOST_SETS, most);
    index = covey_arena_array(arena, size_t, most);
    l.set = covey_arena_array(arena, covey_inspected_set, (size_t)l.n_sets);
    if (!index || !l.set)
        return covey_i_no_memory(err);
    in->set = l.set;
    in->n_set_columns = n;
    status = covey_i_alone_init(&l.alone, typed, (size_t)in->n_rows, err);
    for (size_t k = 1; k <= most && status == COVEY_OK; k++)
        status = add_size(&l, index, k, err);
    covey_i_alone_clear(&l.alone);
    return status;
}
