/* matrix.csv, where there is one: a line for every pair of the values of perturbation.csv, with the chance that follows
 * from alpha in whole numbers, and an inverse that belongs to it. */
#include "audit/perturbed/perturbed.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table/table_impl.h"

enum { SHOWN, ORIGINAL, PROBABILITY, INVERSE };

struct matrix {
    const covey_perturbed_lines *p;
    long double spread; /* sum of (1 - alpha_j)/(n alpha_j) */
};

static const char *cell_of(const struct matrix *m, size_t column, uint32_t line)
{
    const covey_column *text = covey_i_opened_text(m->p->matrix, column);

    return covey_column_label(text, covey_i_code_at(text, line));
}

static bool is_value(const struct matrix *m, size_t column, uint32_t line, uint32_t i)
{
    return strcmp(cell_of(m, column, line), covey_column_label(m->p->value, covey_i_code_at(m->p->value, i))) == 0;
}

/* Is the cell the double next to that number, or one of its neighbours? */
static bool is_number(const struct matrix *m, size_t column, uint32_t line, long double number, long double error)
{
    const char *text = cell_of(m, column, line);
    char *end;
    const double read = strtod(text, &end);

    return *text != '\0' && *end == '\0' && fabsl(read - number) <= error;
}

/* (2^64 - kept_j + [i = j] n kept_j) / (n 2^64): alpha is a multiple of 2^-64. */
static long double chance(const struct matrix *m, uint32_t shown, uint32_t original)
{
    const covey_u128 one = (covey_u128)1 << 64;
    const double alpha = m->p->alpha[original];
    const covey_u128 kept = alpha < 1 ? (covey_u128)(uint64_t)(alpha * 0x1p64) : one;

    return (long double)(one - kept + (shown == original ? m->p->n * kept : 0)) / m->p->n / 0x1p64L;
}

/* The matrix is diag(alpha) + 1 Y^T: its inverse, by Sherman and Morrison, is a difference of two numbers, each of
 * which doubles may have rounded a few times, and the sum in it once for each value. */
static bool is_inverse(const struct matrix *m, uint32_t line, uint32_t shown, uint32_t original)
{
    const long double a = m->p->alpha[original], b = m->p->alpha[shown];
    const long double own = shown == original ? 1 / a : 0, taken = (1 - b) / m->p->n / (a * b * (1 + m->spread));

    return is_number(m, INVERSE, line, own - taken, (16 + m->p->n) * 0x1p-53L * (own + taken));
}

static bool is_right(const struct matrix *m, uint32_t line)
{
    const uint32_t shown = line / m->p->n, original = line % m->p->n;
    const long double expected = chance(m, shown, original);

    return is_value(m, SHOWN, line, shown) && is_value(m, ORIGINAL, line, original) &&
           is_number(m, PROBABILITY, line, expected, 0x1p-52L * expected) && is_inverse(m, line, shown, original);
}

void covey_i_perturbed_check_matrix(covey_problems *problems, const covey_perturbed_lines *p)
{
    struct matrix m = {.p = p};
    uint32_t n_wrong = 0;

    if (!p->matrix)
        return;
    if ((uint64_t)p->matrix->n_rows != (uint64_t)p->n * p->n) {
        covey_i_problem(problems, "%s has %" PRIu32 " lines, but %s %" PRIu32 " values, whose pairs it lists",
                        COVEY_PERTURBED_MATRIX, p->matrix->n_rows, COVEY_PERTURBED_VALUES, p->n);
        return;
    }
    for (uint32_t i = 0; i < p->n; i++)
        m.spread += (1 - (long double)p->alpha[i]) / p->n / p->alpha[i];
    for (uint32_t line = 0; line < p->matrix->n_rows; line++)
        n_wrong += !is_right(&m, line);
    if (n_wrong > 0)
        covey_i_problem(problems, "%s: %" PRIu32 " of %" PRIu32 " lines do not follow from %s", COVEY_PERTURBED_MATRIX,
                        n_wrong, p->matrix->n_rows, COVEY_PERTURBED_VALUES);
}
