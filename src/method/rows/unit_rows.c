/* Units by their rows: sorted by how many these are, and what they hold. */
#include "method/rows/unit_rows.h"

#include "base/error.h"
#include "base/sort/sort.h"
#include "table/table_impl.h"

struct listing {
    covey_unit_rows *u;
    const covey_problem *problem;
    const covey_unit_set *units;
    const uint32_t *set; /* NULL: none */
    uint32_t *content;   /* [n_rows] of each row: equal ones have the same number */
    uint32_t *key, *scratch;
};

static bool are_alike(const covey_problem *problem, uint32_t a, uint32_t b)
{
    for (size_t f = 0; f < problem->n_fields; f++)
        if (covey_i_code(problem->field[f].column, a) != covey_i_code(problem->field[f].column, b))
            return false;
    return true;
}

/* Rows of each unit, as they come in sorted. */
static covey_status list_rows(struct listing *x, uint32_t *sorted, covey_arena *arena, const covey_run *run,
                              covey_error *err)
{
    covey_unit_rows *u = x->u;
    const uint32_t *of_row = x->units->of_row, n_rows = x->problem->n_rows;
    uint32_t *next = covey_arena_array(arena, uint32_t, u->n);

    if (!next)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_problem_sort_rows(sorted, x->problem, run, err));
    for (uint32_t i = 0; i < n_rows; i++) {
        const uint32_t row = sorted[i];

        x->content[row] = i > 0 && are_alike(x->problem, sorted[i - 1], row) ? x->content[sorted[i - 1]] : i;
    }
    if (x->set)
        covey_i_sort_rows_u32(sorted, x->scratch, n_rows, x->set);
    for (uint32_t row = 0; row < n_rows; row++)
        u->start[of_row[row] + 1]++;
    for (uint32_t unit = 0; unit < u->n; unit++) {
        next[unit] = u->start[unit];
        u->start[unit + 1] += u->start[unit];
    }
    for (uint32_t i = 0; i < n_rows; i++)
        u->row[next[of_row[sorted[i]]]++] = sorted[i];
    return COVEY_OK;
}

/* Sorts units of as many rows by a number of these, the first row's first. */
static void sort_by(struct listing *x, uint32_t *order, uint32_t n, uint32_t size, const uint32_t *number)
{
    for (uint32_t place = size; place-- > 0;) {
        for (uint32_t i = 0; i < n; i++)
            x->key[order[i]] = number[x->u->row[x->u->start[order[i]] + place]];
        covey_i_sort_rows_u32(order, x->scratch, n, x->key);
    }
}

static bool are_of_one_kind(const struct listing *x, uint32_t a, uint32_t b)
{
    const covey_unit_rows *u = x->u;
    const uint32_t n = covey_i_unit_rows_of(u, a);

    if (covey_i_unit_rows_of(u, b) != n)
        return false;
    for (uint32_t i = 0; x->set && i < n; i++)
        if (x->set[u->row[u->start[a] + i]] != x->set[u->row[u->start[b] + i]])
            return false;
    return true;
}

static void sort_units(struct listing *x)
{
    covey_unit_rows *u = x->u;

    for (uint32_t unit = 0; unit < u->n; unit++) {
        u->order[unit] = unit;
        x->key[unit] = covey_i_unit_rows_of(u, unit);
    }
    covey_i_sort_rows_u32(u->order, x->scratch, u->n, x->key);
    for (uint32_t begin = 0, end; begin < u->n; begin = end) {
        const uint32_t size = covey_i_unit_rows_of(u, u->order[begin]);

        for (end = begin + 1; end < u->n && covey_i_unit_rows_of(u, u->order[end]) == size;)
            end++;
        if (end - begin < 2)
            continue;
        sort_by(x, u->order + begin, end - begin, size, x->content);
        if (x->set)
            sort_by(x, u->order + begin, end - begin, size, x->set);
    }
    for (uint32_t i = 0; i < u->n; i++)
        if (i == 0 || !are_of_one_kind(x, u->order[i - 1], u->order[i]))
            u->first[u->n_kinds++] = i;
    u->first[u->n_kinds] = u->n;
}

static covey_status list_units(covey_unit_rows *out, const covey_unit_set *units, const covey_problem *problem,
                               const uint32_t *set, covey_arena *arena, const covey_run *run, covey_error *err)
{
    const uint32_t n_rows = problem->n_rows, n = units->n;
    struct listing x = {.u = out, .problem = problem, .units = units, .set = set};
    uint32_t *sorted;
    covey_arena_mark mark;

    *out = (covey_unit_rows){.n = n,
                             .start = covey_arena_array_zero(arena, uint32_t, (size_t)n + 1),
                             .row = covey_arena_array(arena, uint32_t, n_rows),
                             .order = covey_arena_array(arena, uint32_t, n),
                             .first = covey_arena_array(arena, uint32_t, (size_t)n + 1)};
    mark = covey_arena_save(arena);
    sorted = covey_arena_array(arena, uint32_t, n_rows);
    x.content = covey_arena_array(arena, uint32_t, n_rows);
    x.key = covey_arena_array(arena, uint32_t, n);
    x.scratch = covey_arena_array(arena, uint32_t, n_rows); /* no more units than rows */
    if (!out->start || !out->row || !out->order || !out->first || !sorted || !x.content || !x.key || !x.scratch)
        return covey_i_no_memory(err);
    COVEY_TRY(list_rows(&x, sorted, arena, run, err));
    sort_units(&x);
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

/* The kind of the person whose row it is: of a household as many rows are a kind's as of another one if both have as
 * many persons of each. */
static covey_status number_persons(uint32_t *kind, const covey_problem *problem, const uint32_t *set,
                                   covey_arena *arena, const covey_run *run, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    covey_unit_rows persons;

    COVEY_TRY(list_units(&persons, &problem->units->person, problem, set, arena, run, err));
    for (uint32_t k = 0; k < persons.n_kinds; k++)
        for (uint32_t i = persons.first[k]; i < persons.first[k + 1]; i++)
            for (uint32_t at = persons.start[persons.order[i]]; at < persons.start[persons.order[i] + 1]; at++)
                kind[persons.row[at]] = k;
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

covey_status covey_i_unit_rows_new(covey_unit_rows *out, const covey_problem *problem, const uint32_t *set,
                                   covey_arena *arena, const covey_run *run, covey_error *err)
{
    uint32_t *kind;

    if (!problem->units->within)
        return list_units(out, &problem->units->whole, problem, set, arena, run, err);
    if (!(kind = covey_arena_array(arena, uint32_t, problem->n_rows)))
        return covey_i_no_memory(err);
    COVEY_TRY(number_persons(kind, problem, set, arena, run, err));
    return list_units(out, &problem->units->whole, problem, kind, arena, run, err);
}

uint32_t covey_i_unit_rows_several(const covey_unit_rows *u, const covey_column *column)
{
    uint32_t n = 0;

    for (uint32_t unit = 0; unit < u->n; unit++)
        for (uint32_t i = u->start[unit] + 1; i < u->start[unit + 1]; i++)
            if (covey_i_code(column, u->row[i]) != covey_i_code(column, u->row[i - 1])) {
                n++;
                break;
            }
    return n;
}
