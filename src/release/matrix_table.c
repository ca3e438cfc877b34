/* The chances of perturbation for every pair of values, and matrix.csv. */
#include "release/matrix_table.h"

#include <math.h>

#include "base/csv_cell.h"
#include "base/error.h"
#include "release/sheet/sheet.h"
#include "table/table_impl.h"

covey_chances covey_i_matrix_chances(const double *alpha, uint32_t n)
{
    covey_chances out = {.n = n, .alpha = alpha};

    for (uint32_t i = 0; i < n; i++)
        out.s += (1 - alpha[i]) / n / alpha[i];
    return out;
}

double covey_i_matrix_chance(const covey_chances *c, uint32_t shown, uint32_t original)
{
    return (1 - c->alpha[original]) / c->n + (shown == original ? c->alpha[original] : 0);
}

double covey_i_matrix_inverse(const covey_chances *c, uint32_t shown, uint32_t original)
{
    if (!isfinite(c->s))
        return NAN;
    return (shown == original) / c->alpha[original] -
           (1 - c->alpha[shown]) / c->n / (c->alpha[original] * c->alpha[shown] * (1 + c->s));
}

struct matrix {
    const covey_chances *chances;
    const uint32_t *value;
    const covey_column *column;
};

static void add_value(covey_text *out, const struct matrix *m, uint32_t i)
{
    const uint32_t code = m->value[i];

    if (code == 0 && m->column->has_null)
        covey_i_text_add_string(out, "\"\"");
    else
        covey_i_csv_add_cell(out, covey_column_label(m->column, code), covey_column_label_size(m->column, code), ',');
}

static covey_status add_lines(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const struct matrix *m = context;

    for (uint32_t line = begin; line < end && !out->broken; line++) {
        const uint32_t shown = line / m->chances->n, original = line % m->chances->n;

        add_value(out, m, shown);
        covey_i_text_add_char(out, ',');
        add_value(out, m, original);
        covey_i_text_add_format(out, ",%.17g,%.17g\n", covey_i_matrix_chance(m->chances, shown, original),
                                covey_i_matrix_inverse(m->chances, shown, original));
    }
    return out->broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_i_matrix_table_write(const covey_chances *chances, const uint32_t *value, const covey_column *column,
                                        const char *folder, covey_files *files, const covey_run *run, covey_error *err)
{
    const struct matrix m = {chances, value, column};
    const covey_sheet sheet = {.name = COVEY_MATRIX_TABLE,
                               .header = "published,original,probability,inverse\n",
                               .n_groups = chances->n * chances->n,
                               .lines = add_lines,
                               .context = &m};

    return covey_i_sheet_write(&sheet, folder, files, run, err);
}
