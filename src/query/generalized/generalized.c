/* Queries over the form "generalized": rows of a class show the same ranges, labels or sets, sensitive and insensitive
 * values are exact.
 *
 * The condition over the class's box says whether its rows are surely, possibly or not selected, and with which
 * probability where values are spread evenly over the box. Rows of a class are
 * independent of each other, and any of them may be one unit's (class_units.h).  Suppressed rows are possibly selected;
 * where the release has a prior, their sensitive values are what it has more than the table. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "query/exchange.h"
#include "query/generalized/class_scan.h"
#include "query/generalized/row_keys.h"
#include "query/generalized/sql.h"
#include "reader/generalized/counterfeits.h"

/* --- loading --- */

static covey_status subtract_prior(covey_query_release *release, covey_query_column *column, covey_error *err)
{
    const covey_stated *stated = release->stated;
    int prior = covey_i_stated_prior(stated, column->name);
    int64_t n = 0;

    if (prior < 0 || stated->n_suppressed == 0 || column->role != COVEY_ROLE_SENSITIVE)
        return COVEY_OK;
    COVEY_TRY(covey_i_query_column_subtract(column, &stated->prior[prior], &release->arena, err));
    for (uint32_t i = 0; i < column->n_cells; i++)
        n += column->n_suppressed[i];
    if (n != stated->n_suppressed)
        return covey_fail(
            err, COVEY_EPARSE,
            "the prior of \"%s\" does not make the number of suppressed rows in manifest.json (covey verify says more)",
            column->name);
    return COVEY_OK;
}

/* A class all of whose rows are selected is added as a whole. */
static covey_status add_up_classes(covey_generalized *g, const covey_query_release *release, size_t index,
                                   covey_arena *arena, covey_error *err)
{
    const covey_opened *opened = release->opened;
    const covey_query_numbers *numbers = &g->numbers[index];
    covey_sure_values *values = covey_arena_array_zero(arena, covey_sure_values, opened->n_classes);

    if (!values)
        return covey_i_no_memory(err);
    for (uint32_t class = 0; class < opened->n_classes; class ++)
        for (uint32_t row = opened->class_start[class]; row < opened->class_start[class + 1]; row++) {
            uint32_t slot = numbers->slot_of_cell[covey_i_code_at(release->column[index].text, row)];

            if (slot != UINT32_MAX)
                covey_i_sure_add(&values[class], numbers, slot);
        }
    g->class_values[index] = values;
    return COVEY_OK;
}

static covey_status load(covey_query_release *release, const covey_run *run, covey_error *err)
{
    covey_generalized *g = covey_arena_array_zero(&release->arena, covey_generalized, 1);

    if (release->stated->has_counterfeits && !release->opened->counterfeits)
        return covey_i_error_names(covey_fail(err, COVEY_EPARSE,
                                              "%s is not in order, so that nothing follows (covey verify says more)",
                                              COVEY_COUNTERFEITS_TABLE),
                                   COVEY_COUNTERFEITS_TABLE, NULL, err);
    if (!g || !(g->numbers = covey_arena_array_zero(&release->arena, covey_query_numbers, release->n_columns)) ||
        !(g->class_values = covey_arena_array_zero(&release->arena, covey_sure_values *, release->n_columns)) ||
        !(g->counts = covey_arena_array_zero(&release->arena, covey_class_counts, release->n_columns)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < release->n_columns; i++) {
        covey_query_column *column = &release->column[i];

        COVEY_TRY(subtract_prior(release, column, err));
        if (column->role != COVEY_ROLE_QUASI)
            COVEY_TRY(covey_i_class_counts_make(&g->counts[i], release->opened, column->text, column->opened->rank,
                                                &release->arena, err));
        if (!column->is_number || column->role == COVEY_ROLE_QUASI || !covey_i_query_are_numbers(column))
            continue;
        COVEY_TRY(covey_i_query_numbers(&g->numbers[i], column, &release->arena, err));
        COVEY_TRY(add_up_classes(g, release, i, &release->arena, err));
    }
    release->state = g;
    return COVEY_OK;
}

/* --- suppressed rows --- */

/* Where conditions speak of sensitive attributes there is nothing but COUNT, so that all or no suppressed rows matter
 * here. */
static void add_suppressed(covey_class_scan *a, int64_t n)
{
    for (size_t i = 0; i < a->query->n_aggregates; i++) {
        const covey_query_column *column = &a->release->column[a->query->aggregate[i].column];
        covey_selected_values *v = &a->values[i];

        if (a->query->aggregate[i].weight) /* as often as nobody knows: open_weighted */
            continue;
        for (uint32_t cell = 0; n > 0 && v->numbers && column->n_suppressed && cell < column->n_cells; cell++)
            if (v->numbers->slot_of_cell[cell] != UINT32_MAX && column->n_suppressed[cell] > 0)
                covey_i_selected_maybe(v, v->numbers->slot_of_cell[cell])->n += column->n_suppressed[cell];
    }
}

static void find_figures(covey_query_figures *out, covey_class_scan *a)
{
    int64_t n_suppressed = covey_i_class_scan_suppressed(a);

    add_suppressed(a, n_suppressed);
    for (size_t i = 0; i < a->query->n_aggregates; i++) {
        const covey_bound_aggregate *aggregate = &a->query->aggregate[i];
        covey_selected_rows rows = a->rows;

        if (aggregate->n_units) {
            const covey_selected_units *units = &a->units[i];

            /* A suppressed row may be somebody's alone. */
            out[i] = (covey_query_figures){.lower = {true, units->lower, 1},
                                           .upper = {true, units->upper + n_suppressed, 1},
                                           .estimate = units->expected,
                                           .standard_error = NAN};
            continue;
        }
        if (aggregate->function == COVEY_SQL_COUNT) {
            rows.n_unknown = n_suppressed;
            covey_i_selected_count(&out[i], &rows);
            continue;
        }
        if (!covey_i_query_is_weighted(aggregate)) /* else only its sign is known of what they add */
            rows.n_unknown = a->release->column[aggregate->column].n_suppressed ? 0 : n_suppressed;
        covey_i_selected_figures(&out[i], aggregate->function, &rows, &a->values[i], aggregate->scale);
        if (covey_i_query_is_weighted(aggregate))
            covey_i_query_open_weighted(&out[i], aggregate, &a->release->column[aggregate->column], n_suppressed);
    }
    a->rows.n_unknown = n_suppressed;
}

/* --- one answer --- */

/* Of pieces: what was counted of the rows, see exchange.h. */
static covey_status exchange_counts(covey_class_scan *a, covey_error *err)
{
    covey_query_exchange *x = a->query->exchange;

    COVEY_TRY(covey_i_exchange_numbers(x, &a->rows.n_sure, 1, err));
    COVEY_TRY(covey_i_exchange_numbers(x, &a->rows.n_maybe, 1, err));
    COVEY_TRY(covey_i_exchange_double(x, &a->rows.expected, err));
    COVEY_TRY(covey_i_exchange_double(x, &a->rows.spread, err));
    for (size_t i = 0; i < a->query->n_aggregates; i++) {
        if (!a->values[i].numbers)
            continue;
        COVEY_TRY(covey_i_exchange_sure(x, &a->values[i].sure, err));
        COVEY_TRY(covey_i_exchange_maybe(x, &a->values[i], err));
    }
    return COVEY_OK;
}

static covey_status answer_group(covey_query_sink *sink, covey_class_scan *a, covey_query_figures *figures,
                                 covey_error *err)
{
    covey_i_class_scan_run(a);
    if (a->query->exchange)
        COVEY_TRY(exchange_counts(a, err));
    if (!covey_i_exchange_answers(a->query))
        return COVEY_OK;
    if (a->key && a->rows.n_sure + a->rows.n_maybe == 0)
        return COVEY_OK;
    find_figures(figures, a);
    return covey_i_query_emit(sink, a->key, a->rows.n_sure, a->rows.n_sure + a->rows.n_maybe + a->rows.n_unknown,
                              figures, err);
}

/* --- GROUP BY --- */

/* The keys' values that any class may have. */
struct keys {
    uint32_t *n; /* [n_keys] */
    covey_query_value **value;
    uint32_t *at; /* the combination */
    covey_query_value *current;
    covey_atom_share **room; /* [n_keys] for the atoms of open items */
    covey_row_keys of_rows;
    uint32_t *class, n_classes; /* that are open, whatever the first key is */
};

/* Is it known how many values the cell stands for?  Not if some are those that the release does not tell, like 123**.
 */
static bool is_countable(const covey_query_column *column, const covey_query_cell *cell)
{
    bool known = !cell->has_other;

    for (uint32_t i = 0; i < cell->n_items && known; i++)
        known = !column->item[cell->item ? cell->item[i] : cell->first + i].is_open;
    return known;
}

static void fill_key_share(double *share, const covey_query_column *column, const covey_query_value *value)
{
    for (uint32_t i = 0; i < column->n_cells; i++) {
        const covey_query_cell *cell = &column->cell[i];
        double size = covey_i_query_cell_size(cell);

        if (!covey_i_query_cell_holds(column, cell, value))
            share[i] = 0;
        else if (size == 1 && !cell->has_other)
            share[i] = -1;
        else
            share[i] = is_countable(column, cell) ? 1 / size : NAN;
    }
}

/* The values of a quasi-identifier that some class may have. */
static covey_status list_class_values(struct keys *keys, size_t k, covey_class_scan *a, covey_arena *arena,
                                      covey_error *err)
{
    const covey_query_column *column = &a->release->column[a->query->key[k]];
    bool *used = covey_arena_array_zero(arena, bool, column->n_cells);

    if (!used || !(a->key_share[k] = covey_arena_array(arena, double, column->n_cells)))
        return covey_i_no_memory(err);
    for (uint32_t class = 0; class < a->release->opened->n_classes; class ++)
        used[column->opened->class_cell[class]] = true;
    return covey_i_query_values(&keys->n[k], &keys->value[k], column, used, arena, err);
}

static covey_status list_keys(struct keys *keys, covey_class_scan *a, covey_arena *arena, covey_error *err)
{
    const covey_bound_query *query = a->query;
    double n = 1;

    keys->n = covey_arena_array(arena, uint32_t, query->n_keys);
    keys->value = covey_arena_array(arena, covey_query_value *, query->n_keys);
    keys->at = covey_arena_array_zero(arena, uint32_t, query->n_keys);
    keys->current = covey_arena_array_zero(arena, covey_query_value, query->n_keys);
    keys->n_classes = a->n_open;
    keys->class = covey_arena_array(arena, uint32_t, (size_t)a->n_open + 1);
    keys->room = covey_arena_array_zero(arena, covey_atom_share *, query->n_keys);
    a->key_share = covey_arena_array_zero(arena, double *, query->n_keys);
    if (!keys->n || !keys->value || !keys->at || !keys->current || !keys->class || !keys->room || !a->key_share)
        return covey_i_no_memory(err);
    memcpy(keys->class, a->open, a->n_open * sizeof *a->open);
    for (size_t k = 0; k < query->n_keys; k++) {
        const covey_query_column *column = &a->release->column[query->key[k]];
        const covey_opened *opened = a->release->opened;

        if (covey_i_key_is_of_rows(query, a->release, k))
            COVEY_TRY(covey_i_row_key_values(&keys->n[k], &keys->value[k], column, opened->n_rows, arena, err));
        else
            COVEY_TRY(list_class_values(keys, k, a, arena, err));
        n *= keys->n[k];
    }
    if (n > COVEY_QUERY_MOST_GROUPS)
        return covey_fail(err, COVEY_EINVAL,
                          "query: GROUP BY makes %.0f groups, and at most %d are answered; group by fewer columns", n,
                          COVEY_QUERY_MOST_GROUPS);
    if (n == 0)
        return COVEY_OK;
    COVEY_TRY(covey_i_row_keys_make(&keys->of_rows, a->release, query, keys->n, arena, err));
    for (size_t k = 0; k < query->n_keys; k++)
        for (uint32_t i = 0; i < query->condition.n_attributes; i++)
            if (query->condition.attribute[i].index == query->key[k] &&
                !(keys->room[k] = covey_arena_array(arena, covey_atom_share,
                                                    2 * (size_t)query->condition.attribute[i].n_constants + 1)))
                return covey_i_no_memory(err);
    return COVEY_OK;
}

/* Most classes have no row of the first key: they are left out for all others. */
static void open_classes(covey_class_scan *a, const struct keys *keys)
{
    const uint32_t *cell = a->release->column[a->query->key[0]].opened->class_cell;
    uint32_t n = 0;

    for (uint32_t i = 0; i < keys->n_classes; i++) {
        a->open[n] = keys->class[i];
        n += a->key_share[0][cell[keys->class[i]]] != 0;
    }
    a->n_open = n;
}

/* Keys before the first changed one stay as they are. */
static void enter_key(covey_class_scan *a, struct keys *keys, size_t first_changed)
{
    for (size_t k = first_changed; k < a->query->n_keys; k++) {
        keys->current[k] = keys->value[k][keys->at[k]];
        if (a->key_share[k])
            fill_key_share(a->key_share[k], &a->release->column[a->query->key[k]], &keys->current[k]);
        for (uint32_t i = 0; i < a->query->condition.n_attributes; i++)
            if (a->query->condition.attribute[i].index == a->query->key[k])
                a->key_list[i] =
                    covey_i_condition_value(&a->query->condition.attribute[i], &keys->current[k], keys->room[k]);
    }
    if (first_changed == 0 && a->key_share[0])
        open_classes(a, keys);
    a->key = keys->current;
    if (keys->of_rows.n_groups > 0) {
        const uint32_t group = covey_i_row_keys_group(&keys->of_rows, keys->at, a->query->n_keys);

        a->key_row = keys->of_rows.row + keys->of_rows.start[group];
        a->n_key_rows = keys->of_rows.start[group + 1] - keys->of_rows.start[group];
    }
}

static covey_status answer_groups(covey_query_sink *sink, covey_class_scan *a, covey_query_figures *figures,
                                  covey_arena *arena, covey_error *err)
{
    struct keys keys = {0};
    size_t k = 0;

    COVEY_TRY(list_keys(&keys, a, arena, err));
    for (size_t i = 0; i < a->query->n_keys; i++)
        if (keys.n[i] == 0)
            return COVEY_OK;
    do {
        enter_key(a, &keys, k);
        COVEY_TRY(answer_group(sink, a, figures, err));
        for (k = a->query->n_keys; k-- > 0 && ++keys.at[k] == keys.n[k];)
            keys.at[k] = 0;
    } while (k != SIZE_MAX);
    return COVEY_OK;
}

static covey_status answer(covey_query_sink *sink, const covey_query_release *release, const covey_bound_query *query,
                           const covey_run *run, covey_arena *arena, covey_error *err)
{
    covey_class_scan a = {.release = release, .g = release->state, .query = query};
    covey_query_figures *figures = covey_arena_array(arena, covey_query_figures, query->n_aggregates);

    if (!figures)
        return covey_i_no_memory(err);
    if (query->exchange && release->stated->has_counterfeits)
        return covey_fail(err, COVEY_EINVAL,
                          "query: a release with made-up rows is asked as a whole, and not file by file");
    COVEY_TRY(covey_i_class_scan_begin(&a, arena, err));
    return query->n_keys > 0 ? answer_groups(sink, &a, figures, arena, err) : answer_group(sink, &a, figures, err);
}

const covey_query_form covey_query_form_generalized = {
    .name = "generalized",
    .adds_up = true,
    .weighs = true,
    .weighs_sensitive = true,
    .rewrites_each_group = true,
    .load = load,
    .answer = answer,
    .rewrite = covey_i_generalized_rewrite,
};
