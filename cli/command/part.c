/* covey part: the second step of a release made in parts. */
#include "args.h"
#include "print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "spare.h"

/* "7" or "7-9". */
static bool read_range(int64_t *first, int64_t *last, const char *text)
{
    const size_t n = strspn(text, "0123456789");

    if (n == 0 || n > 9)
        return false;
    *first = *last = strtoll(text, NULL, 10);
    if (text[n] == '\0')
        return true;
    if (text[n] != '-' || strspn(text + n + 1, "0123456789") != strlen(text + n + 1) || strlen(text + n + 1) < 1 ||
        strlen(text + n + 1) > 9)
        return false;
    *last = strtoll(text + n + 1, NULL, 10);
    return true;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    const covey_parts_options options = {.force = cli_is_given(call, "force")};
    const char *target = cli_value(call, "output");
    covey_part_report report;
    char rows[CLI_COUNT_SIZE];
    int64_t first, last;
    covey_status status;

    (void)yes;
    if (!target || !target[0])
        return covey_fail(err, COVEY_EINVAL, "part needs -o FILE: the file that the part is written to");
    if (!read_range(&first, &last, call->operand[1]))
        return covey_fail(err, COVEY_EINVAL,
                          "\"%s\" is no part: give its number, or several that are done together as 7-9",
                          call->operand[1]);
    for (size_t i = 0; i < call->n_operands; i += 2) /* the recipe, and the table if it stands elsewhere now */
        COVEY_TRY(cli_spare_input(target, call->operand[i], err));
    status = covey_part_anonymize(&report, call->operand[0], first, last,
                                  call->n_operands > 2 ? call->operand[2] : NULL, target, &options, &call->run, err);
    cli_progress_end();
    if (status != COVEY_OK)
        return status;
    if (call->json)
        return cli_print_json(json_pack("{s:I, s:I, s:I, s:I, s:o}", "first", (json_int_t)report.first, "last",
                                        (json_int_t)report.last, "parts", (json_int_t)report.n_parts, "rows",
                                        (json_int_t)report.n_rows, "part", cli_json_text(target)),
                              err);
    if (!call->quiet)
        printf("%s: part %s of %" PRId64 ", %s row%s\n", cli_shown(target), call->operand[1], report.n_parts,
               cli_count(rows, report.n_rows), report.n_rows == 1 ? "" : "s");
    return COVEY_OK;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .is_target = true,
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "the file to write the part to; required, and - does not mean standard output"},
    {.name = "force", .letter = 'f', .help = "replace a part that is there already"},
};

const cli_command cli_command_part = {
    .name = "part",
    .summary = "anonymizes one part of a planned table",
    .operands = "RECIPE NUMBER [DATA]",
    .min_operands = 2,
    .max_operands = 3,
    .words = CLI_FILE,
    .description =
        "Anonymizes the rows of one part against the prior of the whole table. They come from the table that was "
        "planned, or from DATA, which has the same columns and at least these rows. The result depends on the "
        "recipe and the rows alone: a part that was lost is simply made again.\n\n"
        "Exit code 1 says that the part cannot keep the policy alone; the message names the neighbour to do it with "
        "(as 7-8). The file holds values of the table: keep it as safe as the table itself.",
    CLI_OPTIONS(options),
    .run = run,
};
