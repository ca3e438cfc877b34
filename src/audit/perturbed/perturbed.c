/* How the form "perturbed" is checked.  What the chance of being kept makes of a promise is in posteriors.c. */
#include "audit/perturbed/perturbed.h"

#include <inttypes.h>

#include "base/error.h"
#include "base/plural.h"
#include "base/run.h"
#include "base/sort/keys.h"
#include "table/column_key.h"
#include "table/table_impl.h"

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
        covey_i_problem(problems, "the original has %" PRIu32 " row%s, %s has %" PRIu32, original->n_rows,
                        covey_i_plural(original->n_rows), COVEY_PERTURBED_ROWS, o->n_rows);
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

static covey_status check(covey_audit *audit, covey_error *err)
{
    const covey_opened *opened = audit->opened;
    covey_original *original;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;

    COVEY_TRY(covey_i_run_goes_on(audit->run, "judge the probabilities", 0, 0, err));
    if (covey_i_opened_all_usable(opened))
        COVEY_TRY(covey_i_perturbed_check_order(&audit->problems, opened, audit->run, &audit->arena, err));
    COVEY_TRY(covey_i_audit_judge_by(audit, covey_i_perturbed_judge, NULL, err));
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
    .form = &covey_reader_form_perturbed,
    .check = check,
    .windows = &covey_i_perturbed_windows,
};
