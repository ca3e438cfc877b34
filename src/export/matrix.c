/* A perturbed release's matrix of chances, and its inverse.
 *
 * A row keeps value j with alpha_j, else shows any of m values: PM[i][j] = Y_j + [i = j] alpha_j, Y_j = (1 -
 * alpha_j)/m, which is diag(alpha) + 1 Y^T.  By Sherman and Morrison its inverse is [i = j]/alpha_i - Y_j/(alpha_i
 * alpha_j (1 + s)), s = sum of Y_j/alpha_j. */
#include "export/matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/database/rows.h"

enum { PUBLISHED, ORIGINAL, PROBABILITY, INVERSE, N_COLUMNS, MOST_VALUES = 1000 };

struct matrix {
    const covey_export_column *value;
    size_t n;
    double *kept; /* [n] alpha */
    double s;     /* infinite: some value is never kept */
};

static const covey_export_column *find_column(const covey_export_table *table, const char *name)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcmp(table->column[c].name, name) == 0)
            return &table->column[c];
    return NULL;
}

static covey_status read_chances(struct matrix *m, const covey_export_table *table, covey_arena *arena,
                                 covey_error *err)
{
    const covey_export_column *alpha = find_column(table, "alpha");

    if (!(m->value = find_column(table, "value")) || !alpha)
        return covey_fail(err, COVEY_EPARSE, "perturbation.csv needs the columns value and alpha");
    m->n = (size_t)table->n_rows;
    if (!(m->kept = covey_arena_array(arena, double, m->n)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < m->n; i++) {
        size_t size;
        const char *cell = covey_i_sheet_cell(alpha, (int64_t)i, &size);
        char *end = NULL;

        m->kept[i] = cell ? strtod(cell, &end) : -1;
        if (!cell || size == 0 || *end || !(m->kept[i] >= 0 && m->kept[i] <= 1))
            return covey_fail(err, COVEY_EPARSE, "perturbation.csv: alpha of line %zu is no number from 0 to 1", i + 2);
        m->s += (1 - m->kept[i]) / (double)m->n / m->kept[i];
    }
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
    const double *kept = m->kept, n = (double)m->n;
    const bool is_same = shown == true_value;

    put_value(rows, PUBLISHED, m, shown);
    put_value(rows, ORIGINAL, m, true_value);
    put_number(rows, PROBABILITY, (1 - kept[true_value]) / n + (is_same ? kept[true_value] : 0));
    put_number(rows, INVERSE,
               isfinite(m->s)
                   ? is_same / kept[true_value] - (1 - kept[shown]) / n / (kept[true_value] * kept[shown] * (1 + m->s))
                   : NAN);
    return covey_i_rows_end_row(rows, err);
}

static covey_status write_matrix(covey_sheets *sheets, const struct matrix *m, const covey_run *run, covey_error *err)
{
    static const char *const nothing[] = {""}, *const key[] = {"original"}; /* no text means "missing" */
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
    struct matrix m = {.n = 0};

    if (strcmp(sheets->stated->form, "perturbed") != 0 || !table)
        return COVEY_OK;
    if (table->n_rows > MOST_VALUES) {
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
