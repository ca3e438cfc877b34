/* How the form "generalized" is checked: at once, or in windows of whole classes. */
#include "audit/generalized/faithful.h"
#include "audit/generalized/windows.h"
#include "base/run.h"
#include "reader/generalized/generalized.h"

static covey_status check(covey_audit *audit, covey_error *err)
{
    covey_original *original;
    covey_status status = COVEY_OK;

    COVEY_TRY(covey_i_run_goes_on(audit->run, "judge the classes", 0, 0, err));
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
    status = covey_i_opened_stream(&table, &stream, audit->opened, COVEY_GENERALIZED_TABLE, "class", audit->present,
                                   window, &problems, audit->run, err);
    covey_i_problems_clear(&problems);
    COVEY_TRY(status);
    if (table && !covey_i_csv_stream_is_at_end(stream)) {
        *done = true;
        covey_i_generalized_expect(table, audit->opened);
        status = covey_i_windows_check(audit, table, stream, err);
    } else {
        covey_i_opened_free(audit->opened);
        audit->opened = NULL;
    }
    covey_i_csv_stream_close(stream);
    return status;
}

const covey_audit_form covey_audit_form_generalized = {
    .form = &covey_reader_form_generalized,
    .check = check,
    .check_in_windows = check_in_windows,
    .bytes_at_once = bytes_at_once,
};
