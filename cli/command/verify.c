/* covey verify: re-proves a release from its files alone. */
#include "args.h"
#include "print.h"

#include <stdlib.h>

#include "original.h"
#include "progress.h"

static json_t *json_problems(const covey_verdict *verdict)
{
    json_t *list = json_array();

    for (size_t i = 0; i < verdict->n_problems; i++)
        json_array_append_new(list, cli_json_text(verdict->problem[i]));
    return list;
}

/* What is known of units, where rows have them. */
static json_t *json_units(const covey_verdict *verdict)
{
    json_t *object =
        json_pack("{s:I, s:b}", "published", (json_int_t)verdict->n_units, "proven", verdict->units_proven == 1);

    if (verdict->units_fit != COVEY_FIT_UNASKED)
        json_object_set_new(object, "fit", json_string(covey_units_fit_name(verdict->units_fit)));
    return object;
}

static json_t *json_verdict(const covey_verdict *verdict)
{
    json_t *object = json_pack(
        "{s:b, s:o, s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:o}", "holds", verdict->holds, "promises",
        cli_json_promises(verdict), "faithful", verdict->faithful < 0 ? json_null() : json_boolean(verdict->faithful),
        "problems", json_problems(verdict), "form", verdict->form, "rows", (json_int_t)verdict->n_rows,
        "published_rows", (json_int_t)verdict->n_published, "suppressed_rows", (json_int_t)verdict->n_suppressed,
        "classes", (json_int_t)verdict->n_classes, "utility", cli_json_utility(&verdict->figures, verdict));

    if (verdict->units_proven >= 0)
        json_object_set_new(object, "units", json_units(verdict));
    if (verdict->invariance_proven >= 0) {
        json_object_set_new(object, "counterfeits", json_integer(verdict->n_counterfeits));
        json_object_set_new(object, "invariance", json_pack("{s:b}", "proven", verdict->invariance_proven == 1));
    }
    return object;
}

/* A transformed release tells nothing of the whole table, so what its targets are compared with is not in its files. */
static const covey_promise_verdict *find_unproven(const covey_verdict *verdict)
{
    for (size_t i = 0; i < verdict->n_promises && verdict->faithful < 0 && strcmp(verdict->form, "transformed") == 0;
         i++)
        if (!*verdict->promise[i].achieved)
            return &verdict->promise[i];
    return NULL;
}

/* What was found of units that no list proves; with links they would be, but for what is promised jointly. */
static const char *words_of_fit(const covey_verdict *verdict, bool has_links)
{
    static const char *const words[] = {
        [COVEY_FIT_UNASKED] = "the files do not contradict it; --original DATA --links FILE proves it, and --original "
                              "DATA --entity COLUMN looks whether whole units can make these classes at all.",
        [COVEY_FIT_UNDECIDED] = "whether whole units of the original can make these classes was looked for, and NOT "
                                "decided, as there are too many ways; --links FILE proves it.",
        [COVEY_FIT_WHOLE] = "whole units of the original can make these classes, but in the way that was found not "
                            "every promise over units could be proven, and others were not looked for; --links FILE "
                            "proves the publisher's.",
        [COVEY_FIT_KEPT] = "whole units of the original can make these classes, and the way that was found keeps every "
                           "promise over units. It need not be the publisher's, which --links FILE proves.",
        [COVEY_FIT_ONLY] = "whole units of the original can make these classes in one way alone, but not every promise "
                           "over units can be proven.",
    };

    if (!has_links && strcmp(verdict->form, "sliced") == 0) /* where it is not looked for */
        return "the files do not contradict it; --original DATA --links FILE proves it.";
    return has_links ? "the links fit, but a promise on several attributes jointly cannot be proven over units."
                     : words[verdict->units_fit];
}

static covey_status print_verdict(const covey_verdict *verdict, const char *release, bool has_links, covey_error *err)
{
    char published[CLI_COUNT_SIZE], suppressed[CLI_COUNT_SIZE], units[CLI_COUNT_SIZE + 16];
    const covey_promise_verdict *unproven = find_unproven(verdict);

    printf("%s: %s row%s in %s, %s suppressed\n\n", cli_shown(release), cli_count(published, verdict->n_published),
           verdict->n_published == 1 ? "" : "s", cli_units(units, verdict->form, verdict->n_classes),
           cli_count(suppressed, verdict->n_suppressed));
    COVEY_TRY(cli_print_promises(verdict, err));
    if (verdict->n_problems > 0)
        puts("\nProblems:");
    for (size_t i = 0; i < verdict->n_problems; i++)
        cli_print_folded(stdout, 4, printf("  - "), verdict->problem[i]);
    putchar('\n');
    if (verdict->faithful >= 0)
        puts(verdict->faithful
                 ? verdict->n_counterfeits > 0
                       ? "Every published row is one of the original's, one to one, or one that is made up."
                       : covey_form_faithful(verdict->form)
                 : "This release is NOT a faithful image of the original.");
    if (verdict->holds && unproven)
        printf("The release holds as far as its files can tell. %s compares its targets with the whole table: that is "
               "checked with --original DATA.\n",
               cli_shown(unproven->model));
    else if (verdict->holds && verdict->invariance_proven >= 0)
        puts(verdict->invariance_proven == 1
                 ? "The releases hold: that everybody stands in classes of the same values in all of them was proven "
                   "from "
                   "their files and the ledger."
                 : "The release holds by itself: that was proven again from its files. That everybody has the same "
                   "values in the other releases is proven with --ledger FILE and --previous for each of them.");
    else if (verdict->holds && verdict->units_proven == 0)
        printf(
            "The release holds over rows: that was proven again from its files. Over its %s units it is as stated by "
            "the publisher: %s%s\n",
            cli_count(units, verdict->n_units), words_of_fit(verdict, has_links),
            has_links ? "" : " The list of links is what covey anonymize --links FILE writes.");
    else if (verdict->holds && verdict->units_proven == 1)
        printf("The release holds over rows and over units: every promise was proven again from its files, the "
               "original and %s.\n",
               verdict->units_fit == COVEY_FIT_ONLY ? "its units, which can make these classes in one way alone"
                                                    : "the links");
    else
        puts(verdict->holds ? "The release holds: every promise was proven again from its files."
                            : "The release does NOT hold: do not rely on it, and do not publish it.");
    return COVEY_OK;
}

static covey_status verify(covey_verdict **verdict, covey_verify_options *options, const cli_call *call,
                           covey_error *err)
{
    const char **previous;
    covey_status status;

    COVEY_TRY(cli_memory_limit(&options->memory_limit, call, err));
    if (options->memory_limit && options->original)
        return covey_fail(err, COVEY_EINVAL, "--original takes all rows at once: it does not go with --memory-limit");
    COVEY_TRY(cli_values(&previous, &options->n_previous, call, "previous", err));
    options->previous = previous;
    status = covey_verify(verdict, call->operand[0], options, &call->run, err);
    free(previous);
    cli_progress_end();
    return status;
}

/* Of buckets it is not looked for whether whole units can make them, so that a policy does not ask for it. */
static bool can_look_for_units(const covey_policy *policy)
{
    return !policy || !policy->method.method || strcmp(covey_method_form(policy->method.method), "sliced") != 0;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    covey_verify_options verify_options = {.links = cli_value(call, "links"), .ledger = cli_value(call, "ledger")};
    const bool is_named = cli_is_given(call, "entity") || cli_is_given(call, "within");
    covey_verdict *verdict = NULL;
    cli_original original;
    covey_status status;

    if ((status = cli_original_read(&original, call, err)) == COVEY_OK) {
        verify_options.original = original.source;
        if (is_named ||
            (!verify_options.links && !verify_options.ledger && /* these say themselves what a policy does */
             can_look_for_units(original.policy))) {
            verify_options.entity = original.entity;
            verify_options.within = original.within;
        }
        status = verify(&verdict, &verify_options, call, err);
    }
    cli_original_clear(&original);
    if (status != COVEY_OK)
        return status;
    *yes = verdict->holds;
    if (call->json)
        status = cli_print_json(json_verdict(verdict), err);
    else if (!call->quiet)
        status = print_verdict(verdict, call->operand[0], verify_options.links != NULL, err);
    covey_verdict_free(verdict);
    return status;
}

static const cli_option options[] = {
    {.name = "original",
     .argument = "DATA",
     .words = CLI_FILE,
     .help = "also compare with the table that the release was made from: every published row must be one of its rows, "
             "one to one"},
    {.name = "links",
     .argument = "FILE",
     .words = CLI_FILE,
     .help =
         "the list that anonymize --links wrote: with the original it proves the promises over persons and households"},
    {.name = "entity",
     .argument = "COLUMN",
     .help = "without links: the original's column that names persons; checks whether whole persons can form "
             "these classes at all; where there is one way alone, proves the promises over them"},
    {.name = "within",
     .argument = "COLUMN",
     .help = "with --entity: the column of what persons are part of, such as households"},
    {.name = "policy",
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "the policy that the release was made by: instead of --original, --entity and --within"},
    {.name = "ledger",
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "the private file that anonymize --ledger keeps: with --previous for all of its other releases it proves "
             "m-invariance over all of them"},
    {.name = "previous",
     .argument = "RELEASE",
     .words = CLI_FOLDER,
     .help = "another release of the ledger, earlier or later; the option once for each"},
    {.name = "memory-limit",
     .argument = "SIZE",
     .help = "MiB, or with a unit (200M, 2G); default 1G for generalized and perturbed tables, none for others: "
             "generalized, bucketized and perturbed tables that would take more are read in windows, others whole"},
};

const cli_command cli_command_verify = {
    .name = "verify",
    .summary = "proves the promises of a release again, from its files alone",
    .operands = "RELEASE",
    .min_operands = 1,
    .max_operands = 1,
    .words = CLI_FOLDER,
    .description =
        "Reads a release folder and trusts none of its figures. Hashes every file, reads every published cell, "
        "judges every class by every promised model, counts what was suppressed against the published prior, and "
        "compares all that with manifest.json. It shares no code with the methods that make releases.\n\n"
        "  covey verify release\n"
        "  covey verify release --original people.csv\n\n"
        "Releases of a table that changes (m-invariance) are proven together, from the ledger:\n\n"
        "  covey verify autumn --ledger ledger.csv --previous spring --previous summer\n\n"
        "Problems are listed with class and column, never with a sensitive value. Exit code 0 says that the release "
        "holds, 1 that it does not, 2 that it cannot be read at all.",
    CLI_OPTIONS(options),
    .run = run,
};
