/* The form "generalized": table.csv, whose rows stand class by class; a class's quasi-identifiers are ranges, labels or
 * sets. */
#include "reader/generalized/generalized.h"

#include <string.h>

#include "reader/generalized/counterfeits.h"
#include "reader/units.h"

static bool has_table(const char *name)
{
    return strcmp(name, COVEY_GENERALIZED_TABLE) == 0 || strcmp(name, COVEY_UNITS_TABLE) == 0 ||
           strcmp(name, COVEY_COUNTERFEITS_TABLE) == 0;
}

void covey_i_generalized_expect(covey_opened_table *table, covey_opened *o)
{
    for (size_t i = 0; i < o->n_columns; i++)
        covey_i_opened_expect(table, o->column[i].stated->name, &o->column[i]);
}

static covey_status open_table(covey_opened *o, const bool *present, covey_problems *problems, const covey_run *run,
                               covey_error *err)
{
    covey_opened_table *table;

    COVEY_TRY(covey_i_opened_table(&table, o, COVEY_GENERALIZED_TABLE, "class", present, problems, run, err));
    if (!table)
        return COVEY_OK;
    covey_i_generalized_expect(table, o);
    if (!covey_i_opened_has_header(table, problems))
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_classes(table, o, problems, err));
    o->usable = table->usable;
    o->n_rows = table->n_rows;
    o->n_classes = table->n_classes;
    o->class_start = table->class_start;
    o->groups = (covey_opened_groups){.n = o->n_classes, .start = o->class_start};
    covey_i_opened_compare_counts(o, table, problems);
    COVEY_TRY(covey_i_opened_units_read(o, present, problems, run, err));
    COVEY_TRY(covey_i_counterfeits_read(o, present, problems, run, err));
    covey_i_opened_find_unused(o, problems);
    return o->usable ? covey_i_opened_columns(o, present, problems, run, err) : COVEY_OK;
}

const covey_reader_form covey_reader_form_generalized = {
    .name = "generalized",
    .word = "class",
    .has_table = has_table,
    .open = open_table,
};
