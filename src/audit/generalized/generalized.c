/* The form "generalized": table.csv, whose rows stand class by class; a class's quasi-identifiers are ranges, labels or
 * sets. */
#include "audit/form.h"
#include "reader/contents.h"
#include "audit/generalized/faithful.h"
#include "audit/generalized/windows.h"

#include <string.h>

static const char TABLE[] = "table.csv";

static bool has_table(const char *name)
{
    return strcmp(name, TABLE) == 0;
}

static void expect_columns(covey_opened_table *table, covey_opened *o)
{
    for (size_t i = 0; i < o->n_columns; i++)
        covey_i_opened_expect(table, o->column[i].stated->name, &o->column[i]);
}

static covey_status open_table(covey_opened *o, const bool *present, covey_problems *problems, const covey_run *run,
                               covey_error *err)
{
    covey_opened_table *table;

    COVEY_TRY(covey_i_opened_table(&table, o, TABLE, "class", present, problems, run, err));
    if (!table)
        return COVEY_OK;
    expect_columns(table, o);
    if (!covey_i_opened_has_header(table, problems))
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_classes(table, o, problems, err));
    o->usable = table->usable;
    o->n_rows = table->n_rows;
    o->n_classes = table->n_classes;
    o->class_start = table->class_start;
    o->groups = (covey_audit_groups){.n = o->n_classes, .start = o->class_start};
    covey_i_opened_compare_counts(o, table, problems);
    covey_i_opened_find_unused(o, problems);
    return o->usable ? covey_i_opened_columns(o, present, problems, run, err) : COVEY_OK;
}

static covey_status check(covey_audit *audit, covey_error *err)
{
    covey_original *original;
    covey_status status = COVEY_OK;

    COVEY_TRY(covey_i_audit_progress(audit->run, "judge the classes", err));
    COVEY_TRY(covey_i_order_check(&audit->problems, audit->opened, audit->run, err));
    COVEY_TRY(covey_i_audit_judge(audit, err));
    COVEY_TRY(covey_i_audit_original(&original, audit, err));
    if (original)
        status = covey_i_faithful_check(&audit->of_original, audit->opened, original, audit->run, err);
    covey_i_original_free(original);
    if (status == COVEY_OK && covey_i_opened_all_usable(audit->opened))
        status = covey_i_audit_figures(audit, err);
    return status;
}

/* Codes of a byte mostly, twice while columns are made; and texts with their places in dictionaries, of which a class
 * has one in each column at most, as have the sensitive values. */
static double bytes_at_once(const covey_stated *stated)
{
    const double a_row = 2, a_text = 128, at_least = 1 << 20;

    return at_least +
           (double)stated->n_columns * (a_row * (double)stated->n_published + a_text * (double)stated->n_classes);
}

/* What is about all rows at once takes the whole table: the original, and combinations of sensitive values. */
static bool is_windowed(const covey_audit *audit)
{
    return !audit->original && !covey_i_audit_wants_joint(audit->stated) && audit->stated->joint.n_attributes == 0;
}

static covey_status check_in_windows(bool *done, covey_audit *audit, size_t window, covey_error *err)
{
    covey_csv_stream *stream = NULL;
    covey_opened_table *table;
    covey_problems problems = COVEY_PROBLEMS_INIT; /* of a table that is not there: reported when it is read at once */
    covey_status status = COVEY_OK;

    *done = false;
    if (!is_windowed(audit))
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_new(&audit->opened, audit->folder, audit->stated, err));
    status = covey_i_opened_stream(&table, &stream, audit->opened, TABLE, "class", audit->present, window, &problems,
                                   audit->run, err);
    covey_i_problems_clear(&problems);
    COVEY_TRY(status);
    if (table && !covey_i_csv_stream_is_at_end(stream)) {
        *done = true;
        expect_columns(table, audit->opened);
        status = covey_i_windows_check(audit, table, stream, err);
    } else {
        covey_i_opened_free(audit->opened);
        audit->opened = NULL;
    }
    covey_i_csv_stream_close(stream);
    return status;
}

const covey_audit_form covey_audit_form_generalized = {
    .name = "generalized",
    .word = "class",
    .has_table = has_table,
    .open = open_table,
    .check = check,
    .check_in_windows = check_in_windows,
    .bytes_at_once = bytes_at_once,
};
