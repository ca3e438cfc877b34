/* covey merge: the last step of a release made in parts. */
#include "args.h"

#include "command/release_report.h"
#include "progress.h"

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    covey_parts_options options = {.force = cli_is_given(call, "force")};
    const char *target = cli_value(call, "output");
    covey_anonymize_report report;
    covey_status status;

    (void)yes;
    if (!target || !target[0])
        return covey_fail(err, COVEY_EINVAL, "merge needs -o RELEASE: the folder that the release is written to");
    COVEY_TRY(cli_memory_limit(&options.memory_limit, call, err));
    COVEY_TRY(cli_integer(&options.n_files, call, "files", 1, COVEY_MOST_TABLE_FILES, err));
    status = covey_merge_parts(&report, call->operand[0], (const char *const *)call->operand + 1, call->n_operands - 1,
                               target, &options, &call->run, err);
    cli_progress_end();
    if (status != COVEY_OK)
        return status;
    if (call->json || !call->quiet)
        status = cli_print_release(&report, target, &(cli_made_from){0}, call->json, err);
    covey_anonymize_report_clear(&report);
    return status;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .is_target = true,
     .argument = "RELEASE",
     .words = CLI_FOLDER,
     .help = "the folder to write the release to; required"},
    {.name = "force", .letter = 'f', .help = "replace a release that is there already, and holds nothing else"},
    {.name = "files",
     .argument = "N",
     .help = "cut each table into N files, or fewer: table-00001.csv ..., classes in whole and in order"},
    {.name = "memory-limit",
     .argument = "SIZE",
     .help = "that the verification at the end may take: MiB, or with a unit (200M, 2G); default 1G"},
};

const cli_command cli_command_merge = {
    .name = "merge",
    .summary = "joins the parts of a planned table into a release",
    .operands = "RECIPE PART...",
    .min_operands = 2,
    .max_operands = 1000,
    .words = CLI_FILE,
    .description =
        "Joins the files of `covey part`, in any order, into one release, and checks it from the written files. If "
        "that check fails, nothing is left behind. Parts of another plan, and changed, missing or repeated parts, "
        "are refused.",
    CLI_OPTIONS(options),
    .run = run,
};
