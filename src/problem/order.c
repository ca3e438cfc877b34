/* The order of rows by their content, and what problems have in common beside it. */
#include "problem/problem.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort/keys.h"
#include "table/column_key.h"

size_t covey_i_problem_content_keys(covey_sort_key *key, const covey_problem *problem)
{
    size_t n = 0;

    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role != COVEY_ROLE_QUASI)
            key[n++] = covey_i_column_key(problem->field[f].column);
    return n;
}

bool covey_i_problem_is_content(const covey_problem *problem, const covey_column *column)
{
    size_t n_own = 0, n_others = 0;

    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role != COVEY_ROLE_QUASI) {
            n_own += problem->field[f].column == column;
            n_others += problem->field[f].column != column;
        }
    return n_own > 0 && n_others == 0;
}

/* What rows are sorted by: axes, then contents; covey_i_malloc. */
static covey_status list_keys(covey_sort_key **out, size_t *n, const covey_problem *problem, covey_error *err)
{
    covey_sort_key *key = covey_i_array(problem->n_axes + problem->n_fields, sizeof *key);

    if (!key)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++)
        key[a] = covey_i_column_key(problem->axis[a].column);
    *n = problem->n_axes + covey_i_problem_content_keys(key + problem->n_axes, problem);
    *out = key;
    return COVEY_OK;
}

covey_status covey_i_problem_sort_rows(uint32_t *rows, const covey_problem *problem, const covey_run *run,
                                       covey_error *err)
{
    covey_sort_key *key;
    covey_status status;
    size_t n;

    COVEY_TRY(list_keys(&key, &n, problem, err));
    status = covey_i_keys_sort_rows(rows, NULL, problem->n_rows, key, n, run, err);
    covey_i_free(key);
    return status;
}

static covey_status sort_all(covey_sorted_rows *sorted, const covey_sort_key *key, size_t n, bool fit,
                             const covey_run *run, covey_error *err)
{
    sorted->rows = covey_i_array_full(sorted->n, sizeof *sorted->rows);
    sorted->packed = fit ? covey_i_array_full(sorted->n, sizeof *sorted->packed) : NULL;
    return !sorted->rows || (fit && !sorted->packed)
               ? covey_i_no_memory(err)
               : covey_i_keys_sort_rows(sorted->rows, sorted->packed, sorted->n, key, n, run, err);
}

static covey_status sort_packed(covey_sorted_rows *sorted, const covey_sort_key *key, size_t n, const covey_run *run,
                                covey_error *err)
{
    sorted->packed = covey_i_array_full(sorted->n, sizeof *sorted->packed);
    return sorted->packed ? covey_i_sort_packed_keys(sorted->packed, sorted->n, key, n, run, err)
                          : covey_i_no_memory(err);
}

static covey_status order(covey_sorted_rows *sorted, bool needs_rows, const covey_problem *problem,
                          const covey_run *run, covey_error *err)
{
    covey_sort_key *key;
    covey_status status;
    uint64_t n_values = 1;
    bool fit;
    size_t n;

    *sorted = (covey_sorted_rows){.n = problem->n_rows, .n_contents = 1};
    COVEY_TRY(list_keys(&key, &n, problem, err));
    for (size_t k = problem->n_axes; (fit = covey_i_keys_fit(key, n)) && k < n; k++)
        sorted->n_contents *= key[k].n_values;
    for (size_t k = 0; fit && k < n; k++)
        n_values *= key[k].n_values;
    status = fit && !needs_rows && n_values < UINT32_MAX ? sort_packed(sorted, key, n, run, err)
                                                         : sort_all(sorted, key, n, fit, run, err);
    covey_i_free(key);
    return status;
}

covey_status covey_i_problem_order(covey_sorted_rows *sorted, const covey_problem *problem, const covey_run *run,
                                   covey_error *err)
{
    return order(sorted, true, problem, run, err);
}

covey_status covey_i_problem_order_contents(covey_sorted_rows *sorted, const covey_problem *problem,
                                            const covey_run *run, covey_error *err)
{
    return order(sorted, false, problem, run, err);
}

bool covey_i_problem_digit(covey_digit *digit, const covey_problem *problem, const covey_column *column)
{
    uint64_t stride = 1;

    for (size_t f = problem->n_fields; f-- > 0;) {
        if (problem->field[f].role == COVEY_ROLE_QUASI)
            continue;
        *digit = (covey_digit){stride, problem->field[f].column->n_values};
        if (problem->field[f].column == column)
            return true;
        stride *= digit->n_values;
    }
    for (size_t a = problem->n_axes; a-- > 0;) {
        *digit = (covey_digit){stride, problem->axis[a].column->n_values};
        if (problem->axis[a].column == column)
            return true;
        stride *= digit->n_values;
    }
    return false;
}

void covey_i_sorted_rows_clear(covey_sorted_rows *sorted)
{
    covey_i_free(sorted->rows);
    covey_i_free(sorted->packed);
    *sorted = (covey_sorted_rows){0};
}

double covey_i_problem_ail(const covey_problem *problem, const covey_i128 *numerator, int64_t n_suppressed)
{
    long double sum = 0;

    if (problem->n_rows == 0)
        return 0;
    for (size_t a = 0; a < problem->n_axes; a++) {
        const covey_axis *axis = &problem->axis[a];
        covey_i128 total = numerator[a] + (covey_i128)n_suppressed * axis->loss_den;

        sum += (long double)total / (long double)axis->loss_den * axis->weight.num / axis->weight.den;
    }
    return (double)(sum / problem->n_rows);
}
