/* covey report: what a release promises and what it does not, on one page. */
#include "args.h"
#include "print.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "original.h"
#include "progress.h"
#include "spare.h"

static const char *const formats[] = {"html", "md", "json", NULL};

/* Without --format the ending of the file says it. */
static int format_of(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;

    return dot && strcmp(dot, ".md") == 0     ? COVEY_REPORT_MARKDOWN
           : dot && strcmp(dot, ".json") == 0 ? COVEY_REPORT_JSON
                                              : COVEY_REPORT_HTML;
}

/* As it is for programs, inert for terminals. */
static void print_text(const covey_report *report, covey_report_format format)
{
    if (format == COVEY_REPORT_JSON)
        cli_put_json_text(report->text, report->size);
    else if (isatty(STDOUT_FILENO))
        fputs(cli_shown_lines(report->text), stdout);
    else
        fwrite(report->text, 1, report->size, stdout);
}

/* What the report reads beside the release; the policy, which it needs no longer, stays with the original. */
static covey_status read_options(covey_report_options *out, cli_original *original, const cli_call *call,
                                 covey_error *err)
{
    *out = (covey_report_options){.links = cli_value(call, "links"),
                                  .releases_ledger = cli_value(call, "releases-ledger")};
    COVEY_TRY(cli_original_read(original, call, err));
    out->original = original->source;
    out->weight = original->weight;
    if (cli_is_given(call, "entity") || cli_is_given(call, "within") ||
        (!out->links && !out->releases_ledger)) { /* these say themselves what a policy does */
        out->entity = original->entity;
        out->within = original->within;
    }
    return COVEY_OK;
}

/* No file that is read is written. */
static covey_status spare(const char *target, const covey_report_options *options, const cli_call *call,
                          covey_error *err)
{
    const char *const read[] = {options->original, options->links, options->releases_ledger, cli_value(call, "policy")};

    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        COVEY_TRY(cli_spare_input(target, read[i], err));
    return cli_spare_release(target, call->operand[0], err);
}

/* The report on standard output. */
static covey_status print_report(bool *holds, const covey_report_options *options, const cli_call *call,
                                 covey_error *err)
{
    covey_report report;

    COVEY_TRY(covey_report_make(&report, call->operand[0], options, &call->run, err));
    cli_progress_end();
    *holds = report.holds;
    print_text(&report, options->format);
    covey_report_clear(&report);
    return COVEY_OK;
}

/* The report in its file, and then a line about that. */
static covey_status write_report(bool *holds, const char *target, const covey_report_options *options,
                                 const cli_call *call, covey_error *err)
{
    COVEY_TRY(
        covey_report_write(holds, target, cli_is_given(call, "force"), call->operand[0], options, &call->run, err));
    cli_progress_end();
    if (call->json)
        return cli_print_json(json_pack("{s:o, s:b, s:b}", "report", cli_json_text(target), "holds", *holds, "internal",
                                        options->original != NULL),
                              err);
    if (!call->quiet)
        printf("%s: %s%s\n", cli_shown(target),
               *holds ? "the release keeps its promises" : "the release does NOT keep its promises",
               options->original ? "; this report is internal, do not pass it on with the release" : "");
    return COVEY_OK;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    const char *target = cli_value(call, "output");
    int format = call->json && !target ? COVEY_REPORT_JSON : format_of(target);
    covey_report_options options;
    cli_original original = {0};
    covey_status status;

    if (target && !target[0])
        return covey_fail(err, COVEY_EINVAL, "report needs a name behind -o: the file that the report is written to");
    COVEY_TRY(cli_choice(&format, call, "format", formats, err));
    status = read_options(&options, &original, call, err);
    if (status == COVEY_OK && target)
        status = spare(target, &options, call, err);
    if (status == COVEY_OK) {
        options.format = (covey_report_format)format;
        status = target ? write_report(yes, target, &options, call, err) : print_report(yes, &options, call, err);
    }
    cli_original_clear(&original);
    return status;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .is_target = true,
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "the file to write the report to (default: standard output)"},
    {.name = "original",
     .argument = "DATA",
     .words = CLI_FILE,
     .help = "the table that the release was made from: the report shows more, and is marked as internal"},
    {.name = "links",
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "the list that anonymize --links wrote, with --original: the report says that promises over persons and "
             "households were proven, and attacks count these exactly"},
    {.name = "entity",
     .argument = "COLUMN",
     .help = "the original's column that names persons: without links the report says what is proven without; of a "
             "release by rows, how likely a person with several of them is found"},
    {.name = "within",
     .argument = "COLUMN",
     .help = "with --entity: the column of what persons are part of, such as households"},
    {.name = "weight",
     .argument = "COLUMN",
     .help = "the original's column of sampling weights: the risk among all people for whom the rows stand; one that "
             "the release publishes is taken in any case"},
    {.name = "policy",
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "the policy that the release was made by: instead of --original, --entity, --within and --weight"},
    {.name = "releases-ledger",
     .argument = "FILE",
     .words = CLI_FILE,
     .help =
         "the ledger of m-invariant releases (anonymize --ledger), with --original: where rows are made up, it says "
         "which rows of the table stand in which class"},
    {.name = "format",
     .argument = "NAME",
     .choices = formats,
     .help = "html, md for mails, json for programs (default: by the ending of FILE, else html)"},
    {.name = "force", .letter = 'f', .help = "replace a report that is there already"},
};

const cli_command cli_command_report = {
    .name = "report",
    .summary = "writes a page about a release for those who answer for it",
    .operands = "RELEASE",
    .min_operands = 1,
    .max_operands = 1,
    .words = CLI_FOLDER,
    .description =
        "Verifies, measures and attacks a release and writes one page about it, in plain words: what was "
        "promised and achieved, what happened to each column, how many rows stand together, sensitive values "
        "before and after, the risk of being found beside the usual thresholds, what known attacks find, what "
        "the release does not protect against, and how to repeat all that.\n\n"
        "  covey report release -o report.html\n"
        "  covey report release --original people.csv -o internal.html\n"
        "  covey report release --policy policy.yaml --links links.csv -o internal.html\n\n"
        "The page needs no network and no other file. Without the original it says nothing that the release does "
        "not contain. With it, the page is marked as internal (in print on every page), and also shows what "
        "attacks find that need the original, and how well random questions are answered. Of large releases some "
        "attacks use a sample; the page says so.\n\n"
        "Exit code 1 says that the release does not keep its promises; the report is written all the same.",
    CLI_OPTIONS(options),
    .run = run,
};
