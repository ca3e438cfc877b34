/* Reads perturbation.csv and matrix.csv. */
#include "reader/perturbed/perturbed.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { VALUE, PRIOR, CAP, GAMMA, ALPHA };

static bool read_number(double *out, const char *text)
{
    char *end;

    if (strcmp(text, "inf") == 0) {
        *out = INFINITY;
        return true;
    }
    if (*text == '\0' || strspn(text, "0123456789.e+-") != strlen(text))
        return false;
    *out = strtod(text, &end);
    return *end == '\0' && isfinite(*out);
}

/* Values that are never kept do not exist in what covey publishes, but can be judged and, if it is one only, computed
 * with. */
static bool is_possible(int column, double number)
{
    switch (column) {
    case GAMMA:
        return number > 0;
    case ALPHA:
        return number >= 0 && number <= 1 && ldexp(number, 64) == floor(ldexp(number, 64));
    default:
        return number > 0 && number <= 1;
    }
}

/* Are all numbers of perturbation.csv what they can be?  alpha is a multiple of 2^-64 in [0, 1], prior and cap lie in
 * (0, 1]. */
static covey_status read_numbers(bool *usable, covey_perturbed_lines *p, covey_opened *o, covey_problems *problems,
                                 covey_error *err)
{
    static const char *const name[] = {"value", "prior", "cap", "gamma", "alpha"};
    const double **out[] = {NULL, &p->prior, &p->cap, &p->gamma, &p->alpha};

    *usable = true;
    for (int c = PRIOR; c <= ALPHA; c++) {
        const covey_column *text = covey_i_opened_text(p->table, (size_t)c);
        double *number = covey_arena_array(&o->arena, double, p->n);

        if (!(*out[c] = number))
            return covey_i_no_memory(err);
        for (uint32_t i = 0; i < p->n; i++) {
            if (read_number(&number[i], covey_column_label(text, covey_i_code_at(text, i))) &&
                is_possible(c, number[i]))
                continue;
            covey_i_problem(problems, "%s:%" PRIu32 ": column \"%s\": the cell is not %s", COVEY_PERTURBED_VALUES,
                            i + 2, name[c],
                            c == ALPHA   ? "a multiple of 2^-64 from 0 to 1"
                            : c == GAMMA ? "a number above 0"
                                         : "a number above 0, at most 1");
            *usable = false;
        }
    }
    return COVEY_OK;
}

/* Opens a file and compares its header; *out NULL: it cannot be used, which has been reported. */
static covey_status open_lines(const covey_opened_table **out, covey_opened *o, const char *name,
                               const char *const *column, size_t n_columns, const bool *present,
                               covey_problems *problems, const covey_run *run, covey_error *err)
{
    covey_opened_table *table;

    *out = NULL;
    COVEY_TRY(covey_i_opened_table(&table, o, name, NULL, present, problems, run, err));
    if (!table)
        return COVEY_OK;
    for (size_t i = 0; i < n_columns; i++)
        covey_i_opened_expect(table, column[i], NULL);
    if (!covey_i_opened_has_header(table, problems))
        return COVEY_OK;
    if (covey_table_n_rows(table->table) >= UINT32_MAX)
        return covey_fail(err, COVEY_EPARSE, "%s has more rows than this version of covey can verify", name);
    table->n_rows = (uint32_t)covey_table_n_rows(table->table);
    *out = table;
    return COVEY_OK;
}

/* A file that need not be there.  Its lines are the audit's to judge. */
static covey_status read_matrix(bool *usable, covey_perturbed_lines *p, covey_opened *o, const bool *present,
                                covey_problems *problems, const covey_run *run, covey_error *err)
{
    static const char *const column[] = {"published", "original", "probability", "inverse"};

    if (covey_i_stated_file(o->stated, COVEY_PERTURBED_MATRIX) < 0)
        return COVEY_OK;
    COVEY_TRY(open_lines(&p->matrix, o, COVEY_PERTURBED_MATRIX, column, sizeof column / sizeof *column, present,
                         problems, run, err));
    *usable = p->matrix != NULL;
    if (p->matrix)
        covey_i_opened_compare_lines(o, p->matrix, problems);
    return COVEY_OK;
}

covey_status covey_i_perturbed_read_values(bool *usable, covey_opened *o, const bool *present, covey_problems *problems,
                                           const covey_run *run, covey_error *err)
{
    static const char *const column[] = {"value", "prior", "cap", "gamma", "alpha"};
    covey_perturbed_lines *p = covey_arena_array_zero(&o->arena, covey_perturbed_lines, 1);

    *usable = false;
    if (!(o->form_data = p))
        return covey_i_no_memory(err);
    COVEY_TRY(open_lines(&p->table, o, COVEY_PERTURBED_VALUES, column, sizeof column / sizeof *column, present,
                         problems, run, err));
    if (!p->table)
        return COVEY_OK;
    p->n = p->table->n_rows;
    p->value = covey_i_opened_text(p->table, VALUE);
    covey_i_opened_compare_lines(o, p->table, problems);
    COVEY_TRY(read_numbers(usable, p, o, problems, err));
    return *usable ? read_matrix(usable, p, o, present, problems, run, err) : COVEY_OK;
}
