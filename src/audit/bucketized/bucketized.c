/* How the form "bucketized" is checked: at once, or in windows of whole groups. */
#include "audit/bucketized/bucketized.h"
#include "audit/whole/whole.h"
#include "base/run.h"

static covey_status check_help(covey_problems *problems, const covey_opened *opened,
                               const covey_opened_bucketized *bucketized, covey_error *err)
{
    covey_bucketized_values v = {.bucketized = bucketized};
    covey_arena arena = COVEY_ARENA_INIT;
    bool fine = false;
    int scale = 0;
    covey_status status;

    if (!bucketized->help)
        return COVEY_OK;
    if ((status = covey_i_bucketized_numbers(&v.number, &scale, &fine, bucketized, &arena, err)) == COVEY_OK && !fine)
        covey_i_problem(problems, "there is a help.csv, but not every published sensitive value is a number");
    else if (status == COVEY_OK)
        status = covey_i_help_check(problems, opened, bucketized->help, scale,
                                    covey_i_bucketized_largest_group(bucketized), covey_i_bucketized_list, &v, err);
    covey_arena_free(&arena);
    return status;
}

static covey_status check(covey_audit *audit, covey_error *err)
{
    const covey_opened *opened = audit->opened;
    const covey_opened_bucketized *bucketized = opened->form_data;
    covey_original *original;
    covey_status status = COVEY_OK;

    COVEY_TRY(covey_i_run_goes_on(audit->run, "judge the groups", 0, 0, err));
    if (covey_i_opened_all_usable(opened)) {
        COVEY_TRY(covey_i_bucketized_check_order(&audit->problems, opened, bucketized, audit->run, err));
        COVEY_TRY(check_help(&audit->problems, opened, bucketized, err));
        COVEY_TRY(covey_i_bucketized_check_objective(&audit->problems, opened, bucketized, err));
    }
    COVEY_TRY(covey_i_audit_judge(audit, err));
    COVEY_TRY(covey_i_bucketized_check_units(audit, err));
    COVEY_TRY(covey_i_audit_links_open(audit, err));
    COVEY_TRY(covey_i_audit_original(&original, audit, err));
    if (original)
        status = covey_i_bucketized_check_faithful(&audit->of_original, opened, bucketized, original, err);
    if (original && status == COVEY_OK && audit->entity)
        status = audit->links ? covey_i_audit_links(audit, original, covey_i_bucketized_check_links, err)
                              : covey_i_audit_whole(audit, original, covey_i_bucketized_ask,
                                                    covey_i_bucketized_check_links, err);
    covey_i_original_free(original);
    if (status == COVEY_OK && covey_i_opened_all_usable(opened))
        status = covey_i_audit_figures(audit, err);
    return status;
}

const covey_audit_form covey_audit_form_bucketized = {
    .form = &covey_reader_form_bucketized,
    .check = check,
    .windows = &covey_i_bucketized_windows,
};
