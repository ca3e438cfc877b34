/* A perturbed release's matrix of chances, and its inverse, as a table: that of the release, or made from its alphas.
 */
#include "export/matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/database/rows.h"
#include "release/matrix_table.h"

enum { PUBLISHED, ORIGINAL, PROBABILITY, INVERSE, N_COLUMNS };

static const char *const key[] = {"original"}; /* of its index */

struct matrix {
    const covey_export_column *value;
    size_t n;
    covey_chances chances;
};

static covey_status read_chances(struct matrix *m, const covey_export_table *table, covey_arena *arena,
                                 covey_error *err)
{
    const covey_export_column *alpha = covey_i_sheet_column(table, "alpha");
    double *kept;

    if (!(m->value = covey_i_sheet_column(table, "value")) || !alpha)
        return covey_fail(err, COVEY_EPARSE, "perturbation.csv needs the columns value and alpha");
    m->n = (size_t)table->n_rows;
    if (!(kept = covey_arena_array(arena, double, m->n)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < m->n; i++) {
        size_t size;
        const char *cell = covey_i_sheet_cell(alpha, (int64_t)i, &size);
        char *end = NULL;

        kept[i] = cell ? strtod(cell, &end) : -1;
        if (!cell || size == 0 || *end || !(kept[i] >= 0 && kept[i] <= 1))
            return covey_fail(err, COVEY_EPARSE, "perturbation.csv: alpha of line %zu is no number from 0 to 1", i + 2);
    }
    m->chances = covey_i_matrix_chances(kept, (uint32_t)m->n);
    return COVEY_OK;
}

static void put_value(covey_rows *rows, size_t column, const struct matrix *m, size_t i)
{
    size_t size;
    const char *cell = covey_i_sheet_cell(m->value, (int64_t)i, &size);

    covey_i_rows_cell(rows, column, cell, cell ? size : 0);
}

static void put_number(covey_rows *rows, size_t column, double number)
{
    char text[40];
    const int size = snprintf(text, sizeof text, "%.17g", number);

    covey_i_rows_cell(rows, column, isfinite(number) ? text : NULL, isfinite(number) ? (size_t)size : 0);
}

static covey_status add_pair(covey_rows *rows, const struct matrix *m, size_t shown, size_t true_value,
                             covey_error *err)
{
    put_value(rows, PUBLISHED, m, shown);
    put_value(rows, ORIGINAL, m, true_value);
    put_number(rows, PROBABILITY, covey_i_matrix_chance(&m->chances, (uint32_t)shown, (uint32_t)true_value));
    put_number(rows, INVERSE, covey_i_matrix_inverse(&m->chances, (uint32_t)shown, (uint32_t)true_value));
    return covey_i_rows_end_row(rows, err);
}

static covey_status write_matrix(covey_sheets *sheets, const struct matrix *m, const covey_run *run, covey_error *err)
{
    static const char *const nothing[] = {""}; /* no text means "missing" */
    static const char *const names[N_COLUMNS] = {"published", "original", "probability", "inverse"};
    const covey_csv_options as_they_are = {.null = nothing};
    covey_export_table *added;
    covey_table *table = NULL;
    covey_rows *rows = NULL;
    covey_status status;

    COVEY_TRY(covey_i_rows_begin(&rows, "table matrix", names, N_COLUMNS, &as_they_are, run, err));
    status = COVEY_OK;
    for (size_t i = 0; status == COVEY_OK && i < m->n * m->n; i++)
        status = add_pair(rows, m, i / m->n, i % m->n, err);
    if (status == COVEY_OK && (status = covey_i_rows_finish(&table, rows, err)) == COVEY_OK &&
        (status = covey_i_sheets_add(&added, sheets, "matrix", table, true, err)) == COVEY_OK)
        status = covey_i_sheets_key(sheets, added, key, 1, err);
    covey_i_rows_free(rows);
    return status;
}

covey_status covey_i_matrix_add(covey_sheets *sheets, const covey_run *run, covey_error *err)
{
    const covey_export_table *table = covey_i_sheets_find(sheets, "perturbation");
    covey_export_table *own = covey_i_sheets_find(sheets, "matrix");
    struct matrix m = {.n = 0};

    if (strcmp(sheets->stated->form, "perturbed") != 0 || !table)
        return COVEY_OK;
    if (own)
        return covey_i_sheets_key(sheets, own, key, 1, err);
    if (table->n_rows > COVEY_MATRIX_MOST) {
        char text[200];

        snprintf(text, sizeof text,
                 "export: the table matrix is left out: %lld values have too many pairs; perturbation has all that it "
                 "is made of",
                 (long long)table->n_rows);
        if (run && run->warn)
            run->warn(run->context, text);
        return COVEY_OK;
    }
    COVEY_TRY(read_chances(&m, table, &sheets->arena, err));
    return write_matrix(sheets, &m, run, err);
}
