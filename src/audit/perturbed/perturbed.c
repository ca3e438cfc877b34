/* The form "perturbed": table.csv holds every row, its sensitive value kept or replaced at random; perturbation.csv
 * says how likely each value was kept.  What that makes of a promise is in posteriors.c. */
#include "audit/perturbed/check.h"

#include <inttypes.h>
#include <string.h>

#include "audit/generalized/faithful.h"
#include "audit/row_order.h"
#include "base/error.h"
#include "base/sort/keys.h"
#include "base/threads.h"
#include "table/column_key.h"
#include "table/table_impl.h"

static bool has_table(const char *name)
{
    return strcmp(name, COVEY_PERTURBED_ROWS) == 0 || strcmp(name, COVEY_PERTURBED_VALUES) == 0;
}

void covey_i_perturbed_expect(covey_opened_table *rows, covey_opened *o)
{
    for (size_t i = 0; i < o->n_columns; i++)
        covey_i_opened_expect(rows, o->column[i].stated->name, &o->column[i]);
}

void covey_i_perturbed_compare_counts(covey_problems *problems, const covey_opened *o, const covey_opened_table *rows)
{
    covey_i_opened_compare_counts(o, rows, problems);
    if (o->stated->n_suppressed > 0)
        covey_i_problem(problems, "manifest.json: a perturbed release suppresses no rows");
}

static covey_status open_tables(covey_opened *o, const bool *present, covey_problems *problems, const covey_run *run,
                                covey_error *err)
{
    covey_opened_table *table;
    uint32_t *start;
    bool usable;

    COVEY_TRY(covey_i_opened_table(&table, o, COVEY_PERTURBED_ROWS, NULL, present, problems, run, err));
    COVEY_TRY(covey_i_perturbed_read_values(&usable, o, present, problems, run, err));
    covey_i_opened_find_unused(o, problems);
    if (!table)
        return COVEY_OK;
    covey_i_perturbed_expect(table, o);
    if (!covey_i_opened_has_header(table, problems))
        return COVEY_OK;
    if (covey_table_n_rows(table->table) >= UINT32_MAX)
        return covey_fail(err, COVEY_EPARSE, "%s has more rows than this version of covey can verify",
                          COVEY_PERTURBED_ROWS);
    if (!(start = covey_arena_array_zero(&o->arena, uint32_t, 2)))
        return covey_i_no_memory(err);
    table->usable = true;
    table->n_rows = start[1] = (uint32_t)covey_table_n_rows(table->table);
    o->n_rows = table->n_rows;
    o->class_start = start;
    o->groups =
        (covey_audit_groups){.n = 1, .start = start}; /* promises are about single rows; the views count them all */
    covey_i_perturbed_compare_counts(problems, o, table);
    o->usable = usable;
    return usable ? covey_i_opened_columns(o, present, problems, run, err) : COVEY_OK;
}

/* --- rows --- */

static uint32_t rank_of(const covey_opened_column *column, uint32_t row)
{
    const uint32_t code = covey_i_code_at(column->text, row);

    return column->rank ? column->rank[code] : code;
}

/* The first row that comes before the one in front of it; there is one. */
static uint32_t find_descent(const covey_row_order *order, uint32_t n_rows)
{
    for (uint32_t row = 1; row < n_rows; row++)
        for (size_t i = 0; i < order->n; i++) {
            const uint32_t a = rank_of(order->column[i], row - 1), b = rank_of(order->column[i], row);

            if (a > b)
                return row;
            if (a < b)
                break;
        }
    return n_rows;
}

enum { PIECES = 8 };

struct ordering {
    const covey_opened *o;
    covey_row_order order;
    bool ascends[PIECES];
};

static covey_status look_at_piece(void *context, size_t task, covey_error *err)
{
    struct ordering *x = context;
    const uint64_t n = x->o->n_rows;

    (void)err;
    x->ascends[task] = covey_i_rows_ascend(&x->order, x->o->class_start, 1, (uint32_t)(n * task / PIECES),
                                           (uint32_t)(n * (task + 1) / PIECES));
    return COVEY_OK;
}

/* Quasi-identifiers first, then the other columns, each from left to right. */
static covey_status find_order(covey_row_order *order, const covey_opened *o, covey_arena *arena, covey_error *err)
{
    const covey_opened_column **column = covey_arena_array(arena, const covey_opened_column *, o->n_columns);

    if (!column)
        return covey_i_no_memory(err);
    *order = (covey_row_order){.column = column};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < o->n_columns; i++)
            if ((o->column[i].stated->role == COVEY_ROLE_QUASI) == (pass == 0))
                column[order->n++] = &o->column[i];
    return COVEY_OK;
}

covey_status covey_i_perturbed_ascends(bool *out, const covey_opened *o, const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    struct ordering x = {.o = o};
    covey_status status;

    *out = true;
    if ((status = find_order(&x.order, o, &arena, err)) == COVEY_OK)
        status = covey_i_parallel(covey_run_threads(run), PIECES, look_at_piece, &x, err);
    for (size_t i = 0; i < PIECES; i++)
        *out &= x.ascends[i];
    covey_arena_free(&arena);
    return status;
}

static covey_status check_order(covey_problems *problems, const covey_opened *o, const covey_run *run,
                                covey_arena *arena, covey_error *err)
{
    covey_row_order order = {0};
    bool ascends;

    COVEY_TRY(covey_i_perturbed_ascends(&ascends, o, run, err));
    if (ascends)
        return COVEY_OK;
    COVEY_TRY(find_order(&order, o, arena, err));
    covey_i_problem(
        problems, "%s:%" PRIu32 ": the row stands behind one that comes after it: rows must be sorted by their content",
        COVEY_PERTURBED_ROWS, find_descent(&order, o->n_rows) + 2);
    return COVEY_OK;
}

/* The codes of one column of the release in the original's terms; false: a cell is not one of its values. */
static bool translate(uint32_t *out, const covey_opened *o, const covey_original *original, size_t column)
{
    const uint32_t *value = original->column[column].value_of_cell;

    for (uint32_t row = 0; row < o->n_rows; row++)
        if ((out[row] = value[covey_i_code_at(o->column[column].text, row)]) == UINT32_MAX)
            return false;
    return true;
}

/* All that is published as it is must be the original's rows, each as often. */
static covey_status check_rows(covey_problems *problems, const covey_opened *o, const covey_original *original,
                               const covey_run *run, covey_arena *arena, covey_error *err)
{
    covey_sort_key *published = covey_arena_array(arena, covey_sort_key, o->n_columns),
                   *given = covey_arena_array(arena, covey_sort_key, o->n_columns);
    uint32_t *a = covey_arena_array(arena, uint32_t, o->n_rows), *b = covey_arena_array(arena, uint32_t, o->n_rows),
             n_wrong = 0;
    size_t n = 0;

    if (!published || !given || !a || !b)
        return covey_i_no_memory(err);
    if (original->n_rows != o->n_rows) {
        covey_i_problem(problems, "the original has %" PRIu32 " rows, %s has %" PRIu32, original->n_rows,
                        COVEY_PERTURBED_ROWS, o->n_rows);
        return COVEY_OK;
    }
    for (size_t i = 0; i < o->n_columns; i++) {
        const covey_column *column = original->column[i].column;
        uint32_t *code;

        if (o->column[i].stated->role == COVEY_ROLE_SENSITIVE)
            continue;
        if (!(code = covey_arena_array(arena, uint32_t, o->n_rows)))
            return covey_i_no_memory(err);
        if (!translate(code, o, original, i)) {
            covey_i_problem(problems, "column \"%s\": a cell is no value of the original", column->name);
            return COVEY_OK;
        }
        published[n] = (covey_sort_key){.codes = code, .width = sizeof *code, .n_values = column->n_values};
        given[n++] = covey_i_column_key(column);
    }
    for (uint32_t row = 0; row < o->n_rows; row++)
        a[row] = b[row] = row;
    COVEY_TRY(covey_i_sort_rows_by_keys(a, o->n_rows, published, n, run, err));
    COVEY_TRY(covey_i_sort_rows_by_keys(b, o->n_rows, given, n, run, err));
    for (uint32_t i = 0; i < o->n_rows; i++) {
        bool same = true;

        for (size_t k = 0, c = 0; c < o->n_columns && same; c++)
            if (o->column[c].stated->role != COVEY_ROLE_SENSITIVE) {
                same =
                    ((const uint32_t *)published[k].codes)[a[i]] == covey_i_code_at(original->column[c].column, b[i]);
                k++;
            }
        n_wrong += !same;
    }
    if (n_wrong > 0)
        covey_i_problem(problems, "%s: its rows, without the sensitive column, are not the rows of the original",
                        COVEY_PERTURBED_ROWS);
    return COVEY_OK;
}

/* --- all of it --- */

static covey_status check(covey_audit *audit, covey_error *err)
{
    const covey_opened *opened = audit->opened;
    covey_original *original;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;

    COVEY_TRY(covey_i_audit_progress(audit->run, "judge the probabilities", err));
    if (covey_i_opened_all_usable(opened))
        COVEY_TRY(check_order(&audit->problems, opened, audit->run, &audit->arena, err));
    COVEY_TRY(covey_i_audit_judge_by(audit, covey_i_perturbed_judge, err));
    COVEY_TRY(covey_i_audit_original(&original, audit, err));
    if (original)
        status = check_rows(&audit->of_original, opened, original, audit->run, &arena, err);
    covey_i_original_free(original);
    covey_arena_free(&arena);
    if (status == COVEY_OK && covey_i_opened_all_usable(opened))
        status =
            covey_i_audit_figures(audit, err); /* nothing of a quasi-identifier is lost, and there are no classes */
    return status;
}

const covey_audit_form covey_audit_form_perturbed = {
    .name = "perturbed",
    .word = "row",
    .is_exact = true,
    .is_random = true,
    .has_table = has_table,
    .open = open_tables,
    .check = check,
    .check_in_windows = covey_i_perturbed_accept,
};
