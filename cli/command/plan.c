/* covey plan: the first step of a release made in parts. */
#include "args.h"
#include "print.h"

#include <inttypes.h>

#include "policy_options.h"
#include "progress.h"
#include "spare.h"

static covey_status print_plan(const covey_plan_report *report, const char *recipe, bool json, covey_error *err)
{
    char rows[CLI_COUNT_SIZE], part[CLI_COUNT_SIZE];

    if (json)
        return cli_print_json(json_pack("{s:I, s:I, s:I, s:I, s:o}", "rows", (json_int_t)report->n_rows, "dropped_rows",
                                        (json_int_t)report->n_dropped, "parts", (json_int_t)report->n_parts,
                                        "rows_per_part", (json_int_t)report->rows_per_part, "recipe",
                                        cli_json_text(recipe)),
                              err);
    printf("%s rows in %" PRId64 " part%s of about %s rows at most: %s\n\nTo go on, for each part:\n  covey part ",
           cli_count(rows, report->n_rows), report->n_parts, report->n_parts == 1 ? "" : "s",
           cli_count(part, report->rows_per_part), cli_shown(recipe));
    cli_print_path(recipe);
    puts(" 1 -o part-1");
    return COVEY_OK;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    covey_parts_options options = {.force = cli_is_given(call, "force")};
    const char *recipe = cli_value(call, "output"), *limit = cli_value(call, "memory-limit");
    covey_plan_report report;
    covey_policy *policy = NULL;
    covey_status status;

    (void)yes;
    if (!recipe || !recipe[0])
        return covey_fail(err, COVEY_EINVAL, "plan needs -o RECIPE: the file that the plan is written to");
    if (limit)
        COVEY_TRY(covey_parts_read_size(&options.memory_limit, limit, "--memory-limit", err));
    COVEY_TRY(cli_integer(&options.rows_per_part, call, "rows-per-part", 1, UINT32_MAX, err));
    COVEY_TRY(cli_policy_build(&policy, call, call->operand[0], err));
    if ((status = cli_spare_input(recipe, call->operand[0], err)) == COVEY_OK &&
        (status = cli_spare_input(recipe, policy->input_path, err)) == COVEY_OK)
        status = covey_plan_table(&report, policy, recipe, &options, &call->run, err);
    cli_progress_end();
    covey_policy_free(policy);
    return status == COVEY_OK && (call->json || !call->quiet) ? print_plan(&report, recipe, call->json, err) : status;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .is_target = true,
     .argument = "RECIPE",
     .words = CLI_FILE,
     .help = "the file to write the plan to; required, and - does not mean standard output"},
    {.name = "force", .letter = 'f', .help = "replace a recipe that is there already"},
    {.name = "memory-limit",
     .argument = "SIZE",
     .help = "that each step may take: MiB, or with a unit (200M, 2G); default 1G"},
    {.name = "rows-per-part",
     .argument = "N",
     .help = "about as many rows of a part at most, instead of what the memory limit allows"},
};

const cli_command cli_command_plan = {
    .name = "plan",
    .summary = "plans how a table is anonymized part by part",
    .operands = "POLICY|DATA",
    .min_operands = 1,
    .max_operands = 1,
    .words = CLI_FILE,
    .description = "Reads a table once and writes a recipe: its values, the prior of the sensitive attribute, and how "
                   "rows are dealt to parts. "
                   "`covey part` makes each part, anywhere and in any order; `covey merge` joins them into a verified "
                   "release. `covey anonymize "
                   "--memory-limit` does all three.\n\n"
                   "A recipe and parts hold values of the table: keep them as safe as the table itself.",
    CLI_OPTIONS(options),
    .takes_policy = true,
    .run = run,
};
