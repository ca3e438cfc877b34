/* The smallest sets of columns that single people out: which columns others must not know together.
 *
 * Sets of one and two columns are all counted, sets of three as extensions of the pairs that single out most; a set
 * that holds one that singles out nearly everybody says nothing new.  Of a large table fewer columns are looked at,
 * those with most values, so that it takes a moment. */
#include "inspect/inspect_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/run.h"
#include "inspect/alone.h"
#include "table/table_impl.h"

enum {
    MOST_COLUMNS = 20,
    LEAST_COLUMNS = 4,
    EXTENDED = 5,        /* pairs */
    SHOWN = 3,           /* sets of each size */
    NEARLY_ALL = 95,     /* percent of the rows */
    MOST_KEYS = 60000000 /* rows times sets */
};

struct set {
    size_t n, column[COVEY_INSPECT_MOST_TOGETHER];
    int64_t n_unique;
};

struct counting {
    covey_alone alone;
    const covey_run *run;
    int64_t n_done, n_sets;
};

/* Rows that no other row is equal to in the columns of the set. */
static covey_status count_set(struct set *set, struct counting *c, covey_error *err)
{
    COVEY_TRY(covey_i_run_goes_on(c->run, "single out", ++c->n_done, c->n_sets, err));
    return covey_i_alone_count(&set->n_unique, &c->alone, set->column, set->n, err);
}

static int by_unique(const void *a, const void *b)
{
    const struct set *x = a, *y = b;

    return covey_i_alone_compare(&(covey_inspected_set){x->n, x->column, x->n_unique},
                                 &(covey_inspected_set){y->n, y->column, y->n_unique});
}

static bool is_nearly_all(const struct counting *c, const struct set *set)
{
    return set->n_unique * 100 >= (int64_t)c->alone.n_rows * NEARLY_ALL;
}

static bool holds(const struct set *set, size_t column)
{
    for (size_t i = 0; i < set->n; i++)
        if (set->column[i] == column)
            return true;
    return false;
}

static bool is_listed(const struct set *list, size_t n, const struct set *set)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(list[i].column, set->column, set->n * sizeof *set->column) == 0)
            return true;
    return false;
}

static int by_number(const void *a, const void *b)
{
    const size_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* next [..]: the sets with one column more of before [n_before], none twice, sorted by what they single out. */
static covey_status extend(struct set *next, size_t *n_next, const struct set *before, size_t n_before,
                           const struct set *single, size_t n_columns, struct counting *c, covey_error *err)
{
    *n_next = 0;
    for (size_t i = 0; i < n_before; i++)
        for (size_t j = 0; j < n_columns && !is_nearly_all(c, &before[i]); j++) {
            struct set set = before[i];

            if (holds(&set, single[j].column[0]) || is_nearly_all(c, &single[j]))
                continue;
            set.column[set.n++] = single[j].column[0];
            qsort(set.column, set.n, sizeof *set.column, by_number);
            if (is_listed(next, *n_next, &set))
                continue;
            COVEY_TRY(count_set(&set, c, err));
            next[(*n_next)++] = set;
        }
    qsort(next, *n_next, sizeof *next, by_unique);
    return COVEY_OK;
}

static covey_status show(covey_inspection *in, covey_inspected_set *out, const struct set *set, size_t n,
                         covey_arena *arena, covey_error *err)
{
    for (size_t i = 0; i < n && i < SHOWN && set[i].n_unique > 0; i++) {
        size_t *column = covey_arena_array(arena, size_t, set[i].n);

        if (!column)
            return covey_i_no_memory(err);
        memcpy(column, set[i].column, set[i].n * sizeof *column);
        out[in->n_sets++] = (covey_inspected_set){set[i].n, column, set[i].n_unique};
    }
    return COVEY_OK;
}

/* Columns that may be known, those with most values first. */
static size_t list_columns(struct set *single, const covey_inspection *in)
{
    size_t n = 0;

    for (size_t c = 0; c < in->n_columns; c++)
        if (!covey_role_is_dropped(in->column[c].role) && in->column[c].n_distinct > 1)
            single[n++] = (struct set){.n = 1, .column = {c}, .n_unique = in->column[c].n_distinct};
    qsort(single, n, sizeof *single, by_unique);
    return n;
}

/* So many columns that all sets together are not too much work. */
static size_t limit_columns(size_t n, int64_t n_rows)
{
    n = n < MOST_COLUMNS ? n : MOST_COLUMNS;
    while (n > LEAST_COLUMNS && (int64_t)(n + n * (n - 1) / 2 + EXTENDED * n) * n_rows > MOST_KEYS)
        n--;
    return n;
}

static covey_status search(covey_inspection *in, struct set *single, size_t n, struct counting *c, covey_arena *arena,
                           covey_error *err)
{
    const size_t most = n * (n + 1) / 2 + EXTENDED * n;
    struct set *pair = covey_arena_array(arena, struct set, most), *triple = covey_arena_array(arena, struct set, most);
    covey_inspected_set *out = covey_arena_array(arena, covey_inspected_set, SHOWN * COVEY_INSPECT_MOST_TOGETHER);
    size_t n_pairs, n_triples;

    if (!pair || !triple || !out)
        return covey_i_no_memory(err);
    c->n_sets = (int64_t)most;
    for (size_t i = 0; i < n; i++)
        COVEY_TRY(count_set(&single[i], c, err));
    qsort(single, n, sizeof *single, by_unique);
    COVEY_TRY(extend(pair, &n_pairs, single, n, single, n, c, err));
    COVEY_TRY(extend(triple, &n_triples, pair, n_pairs < EXTENDED ? n_pairs : EXTENDED, single, n, c, err));
    in->set = out;
    in->n_set_columns = n;
    COVEY_TRY(show(in, out, single, n, arena, err));
    COVEY_TRY(show(in, out, pair, n_pairs, arena, err));
    return show(in, out, triple, n_triples, arena, err);
}

covey_status covey_i_inspect_combinations(covey_inspection *in, covey_column *const *typed, covey_arena *arena,
                                          const covey_run *run, covey_error *err)
{
    struct set *single = covey_arena_array(arena, struct set, in->n_columns);
    struct counting c = {.run = run};
    covey_status status;
    size_t n;

    if (!single)
        return covey_i_no_memory(err);
    n = limit_columns(list_columns(single, in), in->n_rows);
    if (n == 0 || in->n_rows <= 1)
        return COVEY_OK;
    if ((status = covey_i_alone_init(&c.alone, typed, (size_t)in->n_rows, err)) == COVEY_OK)
        status = search(in, single, n, &c, arena, err);
    covey_i_alone_clear(&c.alone);
    return status;
}
