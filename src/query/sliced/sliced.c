/* Queries over the form "sliced": in a bucket every piece of a column belongs to a row, but which piece of another
 * column goes with it is not known, except that copies of an attribute agree.
 *
 * Conditions that are joined by AND, or by OR, of parts that each fall on one column are counted along the tree of
 * columns: count.c.  Any other condition is a set of combinations of kinds of cells, one conjunction each: they exclude
 * each other, so that COUNT adds up.
 *
 * Generalized cells (column-k) hold several values, each row any one of them whatever the other rows have: a piece then
 * satisfies its part of a condition for sure, perhaps, or never.  So least and most are those of the same tree with the
 * sure lines, and with all that can be.
 *
 * Source: [LiLiZhangMolloy12] section 4; docs/design/slicing.md. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "query/class_units.h"
#include "query/sliced/slices.h"
#include "query/sliced/sql.h"
#include "reader/units.h"

enum { MOST_COMBINATIONS = 1024 };

/* --- loading --- */

static covey_status load(covey_query_release *release, const covey_run *run, covey_error *err)
{
    covey_query_slices *s = covey_arena_array_zero(&release->arena, covey_query_slices, 1);

    (void)run;
    if (!s)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_slices_tree(s, release->opened, &release->arena, err));
    COVEY_TRY(covey_i_query_all_numbers(&s->numbers, release, err));
    release->state = s;
    return COVEY_OK;
}

/* --- what a condition tells of cells --- */

static bool are_alike(covey_atom_list a, covey_atom_list b)
{
    if (a.n != b.n)
        return false;
    for (uint32_t i = 0; i < a.n; i++)
        if (a.share[i].atom != b.share[i].atom ||
            (a.share[i].share != b.share[i].share && !(isnan(a.share[i].share) && isnan(b.share[i].share))))
            return false;
    return true;
}

/* Most cells have one atom: its kind is remembered. */
static covey_status find_kinds(covey_slice_kinds *k, const covey_condition_attribute *a, covey_arena *arena,
                               covey_error *err)
{
    const uint32_t n_codes = a->column->text->n_values;
    uint32_t *of_atom = covey_arena_array_zero(arena, uint32_t, a->n_atoms);

    *k = (covey_slice_kinds){.of_code = covey_arena_array(arena, uint32_t, n_codes),
                             .atoms = covey_arena_array(arena, covey_atom_list, n_codes)};
    if (!of_atom || !k->of_code || !k->atoms)
        return covey_i_no_memory(err);
    for (uint32_t code = 0; code < n_codes; code++) {
        const covey_atom_list list = covey_i_condition_list(a, code);
        uint32_t kind = list.n == 1 ? of_atom[list.share->atom] : 0; /* from 1 */

        for (uint32_t i = 0; i < k->n && kind == 0 && list.n != 1; i++)
            kind = are_alike(k->atoms[i], list) ? i + 1 : 0;
        if (kind == 0) {
            k->atoms[k->n++] = list;
            k->n_atoms += list.n;
            kind = k->n;
        }
        if (list.n == 1)
            of_atom[list.share->atom] = kind;
        k->of_code[code] = kind - 1;
    }
    return COVEY_OK;
}

/* Kinds of each attribute of the condition: [n_attributes]. */
static covey_status list_kinds(const covey_slice_kinds **out, const covey_condition *condition, covey_arena *arena,
                               covey_error *err)
{
    covey_slice_kinds *kinds = covey_arena_array(arena, covey_slice_kinds, condition->n_attributes);

    if (!kinds)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < condition->n_attributes; i++)
        COVEY_TRY(find_kinds(&kinds[i], &condition->attribute[i], arena, err));
    *out = kinds;
    return COVEY_OK;
}

/* --- one answer --- */

struct asking {
    const covey_query_release *release;
    const covey_query_slices *s;
    const covey_bound_query *query;
    const covey_slice_kinds *kinds; /* [attributes of the condition] */
    const uint32_t *key;            /* [n_keys] codes; NULL: no GROUP BY */
    int64_t n_unknown;              /* suppressed rows that may be selected */
    bool counts_units;              /* COUNT(DISTINCT entity) is asked for */
    covey_query_figures units[2];   /* the answers, of households and of persons; filled with the count */
    covey_query_figures *figures;   /* [n_aggregates] */
    covey_arena *arena;
};

static covey_status keep_key(covey_slice_lines *lines, const struct asking *a, covey_error *err)
{
    for (size_t k = 0; k < a->query->n_keys; k++)
        COVEY_TRY(covey_i_slice_lines_keep(lines, a->s, a->query->key[k], a->release->column[a->query->key[k]].opened,
                                           a->key[k], a->arena, err));
    return COVEY_OK;
}

static int64_t sum(const int64_t *of_bucket, const covey_query_slices *s)
{
    int64_t n = 0;

    for (uint32_t b = 0; b < s->n_buckets; b++)
        n += of_bucket[b];
    return n;
}

static covey_status new_bounds(int64_t **lower, int64_t **upper, const struct asking *a, covey_error *err)
{
    *lower = covey_arena_array_zero(a->arena, int64_t, a->s->n_buckets);
    *upper = covey_arena_array_zero(a->arena, int64_t, a->s->n_buckets);
    return *lower && *upper ? COVEY_OK : covey_i_no_memory(err);
}

/* COUNT(DISTINCT ...), of buckets of which so many rows are selected: of any column that has pieces in it, as many
 * units can be those of selected rows.  n_units: [n_buckets] */
static covey_query_figures count_units_of(const struct asking *a, const int64_t *n_units, const int64_t *least,
                                          const int64_t *most, const double *expected)
{
    covey_selected_units selected = {0};
    covey_query_figures figures;

    for (uint32_t b = 0; b < a->s->n_buckets; b++) {
        const double sure = (double)least[b], any = (double)most[b];
        const covey_class_of_units bucket = {.n_rows = a->s->bucket_start[b + 1] - a->s->bucket_start[b],
                                             .n_units = n_units[b],
                                             .largest = a->release->opened->units->largest[b],
                                             .n_sure = least[b],
                                             .n_maybe = most[b] - least[b],
                                             .expected = fmax(sure, fmin(any, expected[b]))};

        covey_i_selected_units_add(&selected, &bucket);
        if (isnan(expected[b]))
            selected.expected = NAN;
    }
    figures = (covey_query_figures){{true, selected.lower, 1}, {true, selected.upper, 1}, selected.expected, NAN, {0}};
    covey_i_query_open_bounds(&figures, COVEY_SQL_COUNT, 0, a->n_unknown);
    return figures;
}

static void count_units(struct asking *a, const int64_t *least, const int64_t *most, const double *expected)
{
    const covey_opened_units *units = a->release->opened->units;

    a->units[0] = count_units_of(a, units->n_units, least, most, expected);
    a->units[1] = count_units_of(a, units->n_persons, least, most, expected);
}

/* The same of lines that pass in all columns, or, ANY, of the others. */
static covey_status count_units_of_lines(struct asking *a, const covey_slice_lines *lines, covey_slice_fall fall,
                                         uint32_t root, const covey_slice_cell *cell, covey_error *err)
{
    double *expected = covey_arena_array_zero(a->arena, double, a->s->n_buckets);
    int64_t *lower, *upper;

    if (!expected)
        return covey_i_no_memory(err);
    COVEY_TRY(new_bounds(&lower, &upper, a, err));
    COVEY_TRY(covey_i_slice_buckets(lower, upper, a->s, lines, root, cell, a->arena, err));
    for (uint32_t i = 0; i < a->s->slice[root].n_cells; i++)
        expected[a->s->slice[root].cell_bucket[i]] += cell[i].expected;
    for (uint32_t b = 0; b < a->s->n_buckets && fall == COVEY_FALLS_ANY; b++) {
        const int64_t n = a->s->bucket_start[b + 1] - a->s->bucket_start[b], least = n - upper[b];

        upper[b] = n - lower[b];
        lower[b] = least;
        expected[b] = (double)n - expected[b];
    }
    count_units(a, lower, upper, expected);
    return COVEY_OK;
}

/* Where no bucket's bounds are closer than those of its cells, their sums are enough. */
static covey_status sum_bounds(int64_t *least, int64_t *most, const struct asking *a, const covey_slice_lines *lines,
                               uint32_t root, const covey_slice_cell *cell, covey_error *err)
{
    int64_t *lower, *upper;

    if (!a->s->is_common) {
        COVEY_TRY(new_bounds(&lower, &upper, a, err));
        COVEY_TRY(covey_i_slice_buckets(lower, upper, a->s, lines, root, cell, a->arena, err));
        *least = sum(lower, a->s);
        *most = sum(upper, a->s);
        return COVEY_OK;
    }
    *least = *most = 0;
    for (uint32_t i = 0; i < a->s->slice[root].n_cells; i++) {
        *least += cell[i].lower;
        *most += cell[i].upper;
    }
    return COVEY_OK;
}

/* COUNT of rows whose pieces pass in all columns, or, ANY, of the others. */
static covey_status count_lines(covey_query_figures *out, const struct asking *a, const covey_slice_lines *lines,
                                covey_slice_fall fall, uint32_t root, const covey_slice_cell *cell, covey_error *err)
{
    int64_t least, most;
    double expected = 0, variance = 0;

    COVEY_TRY(sum_bounds(&least, &most, a, lines, root, cell, err));
    for (uint32_t i = 0; i < a->s->slice[root].n_cells; i++) {
        expected += cell[i].expected;
        variance += cell[i].pairs + cell[i].expected - cell[i].expected * cell[i].expected;
    }
    *out = (covey_query_figures){{true, least, 1},
                                 {true, most, 1},
                                 expected,
                                 a->s->is_common && !isnan(expected) ? sqrt(fmax(variance, 0)) : NAN,
                                 {0}};
    if (fall == COVEY_FALLS_ANY) {
        const covey_i128 n = a->s->n_rows, low = n - out->upper.num;

        out->upper.num = n - out->lower.num;
        out->lower.num = low;
        out->estimate = (double)n - expected;
    }
    return COVEY_OK;
}

/* --- conditions that link columns in other ways --- */

enum { NEVER = 0, SURE, MAYBE };

struct mixed {
    int64_t *lower[3], *upper[3]; /* [n_buckets] of combinations that make the condition false, true, or either */
    double *of_bucket;            /* [n_buckets] expected */
    double expected;
};

static covey_status add_combination(struct mixed *m, const struct asking *a, const uint32_t *kind,
                                    covey_atom_list *list, uint32_t root, covey_error *err)
{
    const covey_condition *condition = &a->query->condition;
    covey_outcome outcome;
    covey_slice_lines lines;
    covey_slice_cell *cell;
    int64_t *lower, *upper;
    int verdict;

    for (uint32_t i = 0; i < condition->n_attributes; i++)
        list[i] = a->kinds[i].atoms[kind[i]];
    covey_i_condition_outcome(&outcome, condition, list);
    verdict = outcome.can_be_true == outcome.can_be_false ? MAYBE : outcome.can_be_true ? SURE : NEVER;
    COVEY_TRY(covey_i_slice_lines_of_kinds(&lines, a->s, condition, a->kinds, kind, a->arena, err));
    COVEY_TRY(keep_key(&lines, a, err));
    COVEY_TRY(covey_i_slice_cells(&cell, a->s, &lines, root, a->arena, err));
    COVEY_TRY(new_bounds(&lower, &upper, a, err));
    COVEY_TRY(covey_i_slice_buckets(lower, upper, a->s, &lines, root, cell, a->arena, err));
    for (uint32_t b = 0; b < a->s->n_buckets; b++) {
        m->lower[verdict][b] += lower[b];
        m->upper[verdict][b] += upper[b];
    }
    for (uint32_t i = 0; i < a->s->slice[root].n_cells && verdict != NEVER; i++) {
        const double expected = cell[i].expected > 0 ? outcome.p * cell[i].expected : 0;

        m->expected += expected;
        m->of_bucket[a->s->slice[root].cell_bucket[i]] += expected;
    }
    return COVEY_OK;
}

/* All combinations that make it true, and what is left by all that do not. */
static covey_status count_mixed(covey_query_figures *out, struct asking *a, uint32_t root, covey_error *err)
{
    const covey_condition *condition = &a->query->condition;
    uint32_t *kind = covey_arena_array_zero(a->arena, uint32_t, condition->n_attributes);
    covey_atom_list *list = covey_arena_array(a->arena, covey_atom_list, condition->n_attributes);
    covey_slice_lines keys;
    covey_slice_cell *cell;
    struct mixed m = {.of_bucket = covey_arena_array_zero(a->arena, double, a->s->n_buckets)};
    int64_t *least, *most; /* rows of the key */
    uint64_t n = 1;

    for (uint32_t i = 0; i < condition->n_attributes; i++)
        if ((n *= a->kinds[i].n) > MOST_COMBINATIONS)
            return covey_fail(err, COVEY_EINVAL,
                              "query: the condition links attributes that are published apart, and tells more than %d "
                              "kinds of rows apart by "
                              "them; ask a simpler one, or parts joined by AND that each speak of one column-N.csv",
                              MOST_COMBINATIONS);
    if (!kind || !list || !m.of_bucket)
        return covey_i_no_memory(err);
    for (int verdict = NEVER; verdict <= MAYBE; verdict++)
        COVEY_TRY(new_bounds(&m.lower[verdict], &m.upper[verdict], a, err));
    COVEY_TRY(new_bounds(&least, &most, a, err));
    COVEY_TRY(covey_i_slice_lines_new(&keys, a->s, a->arena, err));
    COVEY_TRY(keep_key(&keys, a, err));
    COVEY_TRY(covey_i_slice_cells(&cell, a->s, &keys, root, a->arena, err));
    COVEY_TRY(covey_i_slice_buckets(least, most, a->s, &keys, root, cell, a->arena, err));
    for (uint64_t k = 0; k < n; k++) {
        covey_arena_mark mark = covey_arena_save(a->arena);

        COVEY_TRY(add_combination(&m, a, kind, list, root, err));
        covey_arena_rewind(a->arena, mark);
        for (uint32_t i = 0; i < condition->n_attributes && ++kind[i] == a->kinds[i].n; i++)
            kind[i] = 0;
    }
    for (uint32_t b = 0; b < a->s->n_buckets; b++) {
        const int64_t rest_least = least[b] - m.upper[NEVER][b] - m.upper[MAYBE][b],
                      rest_most = most[b] - m.lower[NEVER][b];
        const int64_t own_most = m.upper[SURE][b] + m.upper[MAYBE][b];

        least[b] = m.lower[SURE][b] > rest_least ? m.lower[SURE][b] : rest_least;
        most[b] = own_most < rest_most ? own_most : rest_most;
    }
    *out = (covey_query_figures){{true, sum(least, a->s), 1}, {true, sum(most, a->s), 1}, m.expected, NAN, {0}};
    if (a->counts_units)
        count_units(a, least, most, m.of_bucket);
    return COVEY_OK;
}

/* --- aggregates --- */

/* cell: of the column at the root of counts. */
static covey_status find_values(covey_query_figures *out, const struct asking *a,
                                const covey_bound_aggregate *aggregate, const covey_slice_lines *lines,
                                covey_slice_fall fall, uint32_t root_of_counts, covey_slice_cell *cell,
                                covey_error *err)
{
    const uint32_t root = covey_i_slice_of_aggregate(a->s, aggregate);
    int64_t n_sure;

    if (fall == COVEY_FALLS_MIXED)
        return covey_fail(err, COVEY_EINVAL,
                          "query: the condition links attributes that are published apart in a way that only COUNT is "
                          "answered for, not %s: "
                          "join parts by AND, or by OR, that each speak of one column-N.csv",
                          aggregate->text);
    if (root != root_of_counts)
        COVEY_TRY(covey_i_slice_cells(&cell, a->s, lines, root, a->arena, err));
    COVEY_TRY(covey_i_slice_values(out, &n_sure, aggregate, a->s, lines, fall, root, cell, a->arena, err));
    if (aggregate->weight)
        covey_i_query_open_weighted(out, aggregate, &a->release->column[aggregate->column], a->n_unknown);
    else
        covey_i_query_open_aggregate(out, aggregate, n_sure, a->n_unknown);
    return COVEY_OK;
}

/* The answers for all rows, or for those of a key; nothing where none can be. */
static covey_status answer_key(covey_query_sink *sink, struct asking *a, const covey_query_value *value,
                               covey_error *err)
{
    const uint32_t root = a->s->n_slices - 1;
    covey_query_figures count;
    covey_slice_lines lines;
    covey_slice_fall fall;
    covey_slice_cell *cell = NULL;

    COVEY_TRY(covey_i_slice_lines(&fall, &lines, a->s, &a->query->condition, a->kinds, a->arena, err));
    if (a->key && fall == COVEY_FALLS_ANY) /* a key is one more AND */
        fall = COVEY_FALLS_MIXED;
    if (fall == COVEY_FALLS_MIXED) {
        COVEY_TRY(count_mixed(&count, a, root, err));
    } else {
        COVEY_TRY(keep_key(&lines, a, err));
        COVEY_TRY(covey_i_slice_cells(&cell, a->s, &lines, root, a->arena, err));
        COVEY_TRY(count_lines(&count, a, &lines, fall, root, cell, err));
        if (a->counts_units)
            COVEY_TRY(count_units_of_lines(a, &lines, fall, root, cell, err));
    }
    if (a->key && count.upper.num == 0)
        return COVEY_OK;
    covey_i_query_open_bounds(&count, COVEY_SQL_COUNT, 0, a->n_unknown);
    for (size_t i = 0; i < a->query->n_aggregates; i++) {
        const covey_bound_aggregate *aggregate = &a->query->aggregate[i];

        if (aggregate->n_units)
            a->figures[i] = a->units[aggregate->n_units != a->release->opened->units->n_units];
        else if (aggregate->function == COVEY_SQL_COUNT)
            a->figures[i] = count;
        else
            COVEY_TRY(find_values(&a->figures[i], a, aggregate, &lines, fall, root, cell, err));
    }
    return covey_i_query_emit(sink, value, (int64_t)count.lower.num, (int64_t)count.upper.num, a->figures, err);
}

/* --- GROUP BY --- */

/* Codes in the order of their values, one of each value: 1 and 1.0 are the same number. */
static covey_status order_codes(uint32_t **out, uint32_t *n_out, const covey_query_column *column, covey_arena *arena,
                                covey_error *err)
{
    const uint32_t n = column->text->n_values;
    uint32_t *code = covey_arena_array(arena, uint32_t, n), *scratch = covey_arena_array(arena, uint32_t, n);

    if (!code || !scratch)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        code[i] = i;
    if (column->opened->rank)
        covey_i_sort_rows_u32(code, scratch, n, column->opened->rank);
    *n_out = 0;
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || covey_i_opened_rank(column->opened, code[i]) != covey_i_opened_rank(column->opened, code[i - 1]))
            code[(*n_out)++] = code[i];
    *out = code;
    return COVEY_OK;
}

static covey_status answer_keys(covey_query_sink *sink, struct asking *a, covey_error *err)
{
    const size_t n_keys = a->query->n_keys;
    uint32_t **order = covey_arena_array(a->arena, uint32_t *, n_keys),
             *at = covey_arena_array_zero(a->arena, uint32_t, n_keys);
    uint32_t *n_values = covey_arena_array(a->arena, uint32_t, n_keys);
    uint32_t *key = covey_arena_array(a->arena, uint32_t, n_keys);
    covey_query_value *value = covey_arena_array_zero(a->arena, covey_query_value, n_keys);
    double n = 1;
    size_t k;

    if (!order || !at || !n_values || !key || !value)
        return covey_i_no_memory(err);
    for (k = 0; k < n_keys; k++) {
        COVEY_TRY(order_codes(&order[k], &n_values[k], &a->release->column[a->query->key[k]], a->arena, err));
        if ((n *= n_values[k]) > COVEY_QUERY_MOST_GROUPS)
            return covey_fail(err, COVEY_EINVAL, "query: GROUP BY makes more than %d groups; group by fewer columns",
                              COVEY_QUERY_MOST_GROUPS);
    }
    if (n < 1)
        return COVEY_OK;
    a->key = key;
    do {
        covey_arena_mark mark = covey_arena_save(a->arena);

        for (k = 0; k < n_keys; k++) {
            const covey_query_column *column = &a->release->column[a->query->key[k]];
            const covey_query_cell *cell = &column->cell[key[k] = order[k][at[k]]];

            value[k] = (covey_query_value){
                .is_null = covey_i_query_cell_is_null(cell), .item = cell->first, .number = cell->low};
        }
        COVEY_TRY(answer_key(sink, a, value, err));
        covey_arena_rewind(a->arena, mark);
        for (k = n_keys; k-- > 0 && ++at[k] == n_values[k];)
            at[k] = 0;
    } while (k != SIZE_MAX);
    return COVEY_OK;
}

/* Of generalized cells only conditions are asked. */
static covey_status check_columns(const covey_query_release *release, const covey_bound_query *query, covey_error *err)
{
    for (size_t i = 0; i < query->n_aggregates; i++) {
        const covey_bound_aggregate *aggregate = &query->aggregate[i];

        if (aggregate->function == COVEY_SQL_COUNT || aggregate->n_units)
            continue;
        if (covey_i_slice_is_generalized(&release->column[aggregate->column]))
            return covey_fail(
                err, COVEY_EINVAL,
                "query: \"%s\" is generalized in this release, so that there is no %s; it may stand in conditions",
                release->column[aggregate->column].name, aggregate->text);
        if (!covey_i_query_are_numbers(&release->column[aggregate->column]))
            return covey_fail(err, COVEY_EINVAL, "query: not every value of \"%s\" is a number, so that there is no %s",
                              release->column[aggregate->column].name, aggregate->text);
    }
    for (size_t k = 0; k < query->n_keys; k++)
        if (covey_i_slice_is_generalized(&release->column[query->key[k]]))
            return covey_fail(err, COVEY_EINVAL,
                              "query: \"%s\" is generalized in this release, so that there is no GROUP BY it; ask for "
                              "its values one by one: "
                              "WHERE %s = ...",
                              release->column[query->key[k]].name, release->column[query->key[k]].name);
    return COVEY_OK;
}

static covey_status answer(covey_query_sink *sink, const covey_query_release *release, const covey_bound_query *query,
                           const covey_run *run, covey_arena *arena, covey_error *err)
{
    struct asking a = {.release = release,
                       .s = release->state,
                       .query = query,
                       .arena = arena,
                       .figures = covey_arena_array(arena, covey_query_figures, query->n_aggregates)};

    (void)run;
    if (!a.figures)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < query->n_aggregates; i++)
        a.counts_units |= query->aggregate[i].n_units != NULL;
    COVEY_TRY(check_columns(release, query, err));
    COVEY_TRY(list_kinds(&a.kinds, &query->condition, arena, err));
    COVEY_TRY(covey_i_query_suppressed(&a.n_unknown, release, query, arena, err));
    return query->n_keys > 0 ? answer_keys(sink, &a, err) : answer_key(sink, &a, NULL, err);
}

/* A piece holds a row's values together. */
static bool knows_products(const covey_query_release *release, uint32_t weight, uint32_t column)
{
    return covey_i_slice_of_both(release->state, weight, column) != UINT32_MAX;
}

const covey_query_form covey_query_form_sliced = {
    .name = "sliced",
    .quasi_is_exact = true,
    .knows_products = knows_products,
    .rewrites_each_group = true,
    .load = load,
    .answer = answer,
    .rewrite = covey_i_sliced_rewrite,
};
