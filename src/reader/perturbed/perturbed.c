/* The form "perturbed": table.csv holds every row, its sensitive value kept or replaced at random; perturbation.csv
 * says how likely each value was kept, and matrix.csv, where it is wanted, how likely each shows for each. */
#include "reader/perturbed/perturbed.h"

#include <string.h>

#include "base/error.h"

static bool has_table(const char *name)
{
    return strcmp(name, COVEY_PERTURBED_ROWS) == 0 || strcmp(name, COVEY_PERTURBED_VALUES) == 0 ||
           strcmp(name, COVEY_PERTURBED_MATRIX) == 0;
}

void covey_i_perturbed_expect(covey_opened_table *rows, covey_opened *o)
{
    for (size_t i = 0; i < o->n_columns; i++)
        covey_i_opened_expect(rows, o->column[i].stated->name, &o->column[i]);
}

void covey_i_perturbed_compare_counts(covey_problems *problems, const covey_opened *o, const covey_opened_table *rows)
{
    covey_i_opened_compare_counts(o, rows, problems);
    if (o->stated->n_suppressed > 0 && !o->stated->is_piece)
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
        (covey_opened_groups){.n = 1, .start = start}; /* promises are about single rows; the views count them all */
    covey_i_perturbed_compare_counts(problems, o, table);
    o->usable = usable;
    return usable ? covey_i_opened_columns(o, present, problems, run, err) : COVEY_OK;
}

const covey_reader_form covey_reader_form_perturbed = {
    .name = "perturbed",
    .word = "row",
    .is_exact = true,
    .is_random = true,
    .has_table = has_table,
    .open = open_tables,
};
