/* covey anonymize: the main job, from a table to a verified release. */
#include "args.h"
#include "print.h"

#include <covey/model.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command/release_report.h"
#include "policy_options.h"
#include "progress.h"
#include "spare.h"

static json_t *json_minimal(const covey_anonymize_report *report)
{
    json_t *nodes = json_array();

    for (size_t i = 0; i < report->n_minimal; i++) {
        json_t *node = json_object();

        for (size_t a = 0; a < report->n_levels; a++)
            json_object_set_new(node, report->level[a].attribute,
                                json_integer(report->minimal[i * report->n_levels + a]));
        json_array_append_new(nodes, node);
    }
    return nodes;
}

static json_t *json_objective(const covey_anonymize_report *report)
{
    json_t *object, *levels, *bound;

    if (!report->objective_name[0])
        return json_null();
    bound = report->has_bound ? cli_json_real(report->objective_bound) : json_null();
    object = json_pack("{s:s, s:o, s:o, s:b}", "name", report->objective_name, "value",
                       cli_json_real(report->objective_value), "lower_bound",
                       report->objective_is_maximised ? json_null() : bound, "optimal", report->optimal);
    if (report->has_fakes && object)
        json_object_set_new(object, "fakes", json_integer(report->fakes));
    if (report->objective_is_maximised)
        json_object_set_new(object, "upper_bound", bound);
    if (report->n_levels > 0) {
        levels = json_object();
        for (size_t i = 0; i < report->n_levels; i++)
            json_object_set_new(levels, report->level[i].attribute, json_integer(report->level[i].level));
        json_object_set_new(object, "levels", levels);
        if (report->minimal)
            json_object_set_new(object, "minimal", json_minimal(report));
    }
    return object;
}

/* What all releases lose at least, where that was asked. */
static json_t *json_lower_bound(const covey_bounded_loss *bounded, double ail)
{
    return json_pack("{s:o, s:o, s:b, s:o, s:o}", "ail", cli_json_real(bounded->bound), "ratio",
                     cli_json_real(bounded->bound > 0 ? ail / bounded->bound : NAN), "complete", bounded->is_complete,
                     "seconds", cli_json_real(bounded->seconds), "reason",
                     cli_json_text_or_null(bounded->reason ? bounded->reason : ""));
}

static json_t *json_seconds(const covey_anonymize_report *report)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "read", cli_json_real(report->seconds_read), "anonymize",
                     cli_json_real(report->seconds_anonymize), "write", cli_json_real(report->seconds_write), "hash",
                     cli_json_real(report->seconds_hash), "verify", cli_json_real(report->seconds_verify), "total",
                     cli_json_real(report->seconds_total));
}

static json_t *json_candidates(const covey_candidates *candidates)
{
    json_t *list = json_array();

    for (size_t i = 0; i < candidates->n; i++) {
        const covey_candidate *c = &candidates->list[i];

        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o}", "method", c->method, "outcome", c->outcome, "ail",
                                              cli_json_real(c->ail), "seconds", cli_json_real(c->seconds)));
    }
    return list;
}

static json_t *json_report(const covey_anonymize_report *report, const char *target)
{
    json_t *object = json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "rows", (json_int_t)report->n_rows,
        "published_rows", (json_int_t)report->n_published, "suppressed_rows", (json_int_t)report->n_suppressed,
        "dropped_rows", (json_int_t)report->n_dropped, "classes", (json_int_t)report->n_classes, "form", report->form,
        "method", report->method, "promises", cli_json_promises(report->verdict), "objective", json_objective(report),
        "utility", cli_json_utility(&report->figures, report->verdict), "seconds", json_seconds(report), "note",
        cli_json_text_or_null(report->note), "release", cli_json_text(target), "candidates",
        json_candidates(&report->candidates));

    if (report->n_units > 0)
        json_object_set_new(object, "units", json_integer(report->n_units));
    if (strcmp(report->method, "m-invariance") == 0)
        json_object_set_new(object, "counterfeits", json_integer(report->n_counterfeits));
    if (report->bounded.is_wanted)
        json_object_set_new(object, "lower_bound", json_lower_bound(&report->bounded, report->figures.ail));
    return object;
}

static void print_counts(const covey_anonymize_report *report)
{
    char rows[CLI_COUNT_SIZE], published[CLI_COUNT_SIZE], suppressed[CLI_COUNT_SIZE], dropped[CLI_COUNT_SIZE],
        units[CLI_COUNT_SIZE + 16];

    printf("%s row%s: %s published in %s by %s, %s suppressed", cli_count(rows, report->n_rows),
           report->n_rows == 1 ? "" : "s", cli_count(published, report->n_published),
           cli_units(units, report->form, report->n_classes), report->method,
           cli_count(suppressed, report->n_suppressed));
    if (report->n_units > 0) /* persons, households or firms */
        printf(", of %s unit%s", cli_count(rows, report->n_units), report->n_units == 1 ? "" : "s");
    if (report->n_counterfeits > 0)
        printf(", %s of the published made up", cli_count(rows, report->n_counterfeits));
    if (report->n_dropped > 0)
        printf(", %s dropped for missing values", cli_count(dropped, report->n_dropped));
    putchar('\n');
}

static void add_real(cli_table *table, const char *name, double value, const char *what)
{
    if (!isfinite(value))
        return;
    cli_table_add(table, "%s", name);
    cli_table_add(table, "%.4g", value);
    cli_table_add(table, "%s", what);
}

/* How far from the best the release is at most. */
static void add_lower_bound(cli_table *table, const covey_bounded_loss *bounded, double ail)
{
    if (!bounded->is_wanted)
        return;
    cli_table_add(table, "least possible loss");
    if (bounded->reason) {
        cli_table_add(table, "-");
        cli_table_add(table, "no bound is known: %s", bounded->reason);
        return;
    }
    cli_table_add(table, "%.4g", bounded->bound);
    if (bounded->bound > 0)
        cli_table_add(table, "proven: this release loses at most %.3f times as much as the best%s",
                      ail / bounded->bound, bounded->is_complete ? "" : "; more time may show it to be nearer");
    else
        cli_table_add(table, "nothing more is proven%s", bounded->is_complete ? "" : " in that time");
}

/* What a search minimised, if it proved something about it. */
static void add_objective(cli_table *table, const covey_anonymize_report *report)
{
    const double value = report->objective_value, bound = report->objective_bound;
    const double ratio = report->objective_is_maximised ? bound / value : value / bound;

    if (!report->objective_name[0] || (!report->optimal && !report->has_bound))
        return;
    cli_table_add(table, "%s", report->objective_name);
    cli_table_add(table, "%.10g", value);
    if (report->optimal)
        cli_table_add(table, "proven optimal");
    else if (isfinite(ratio) && ratio > 0)
        cli_table_add(table, "within %.3f of the optimum: %s than %.10g is impossible", ratio,
                      report->objective_is_maximised ? "more" : "less", bound);
    else
        cli_table_add(table, "%s than %.10g is impossible", report->objective_is_maximised ? "more" : "less", bound);
}

static covey_status print_figures(const covey_anonymize_report *report, covey_error *err)
{
    const covey_release_figures *figures = &report->figures;
    cli_table *table = cli_table_new("lll");
    char size[CLI_COUNT_SIZE];

    add_real(table, "information loss", figures->ail, "AIL: 0 is the original, 1 says nothing");
    add_lower_bound(table, &report->bounded, figures->ail);
    if (report->n_units > 0 && !isnan(figures->largest_risk)) {
        cli_table_add(table, "re-identification risk of a unit");
        cli_table_add(table, "%.3g%%", 100 * report->verdict->largest_unit_share);
        cli_table_add(table, "at most: the share of a class's rows that one may have; %.3g%% on average",
                      100 * (double)report->n_classes / (double)report->n_units);
    } else if (figures->smallest_class > 0 && !isnan(figures->largest_risk)) {
        cli_table_add(table, "re-identification risk of a row");
        cli_table_add(table, "%.3g%%", 100 * figures->largest_risk);
        cli_table_add(table, "at most: the smallest class has %s row%s; %.3g%% on average",
                      cli_count(size, figures->smallest_class), figures->smallest_class == 1 ? "" : "s",
                      100 * figures->mean_risk);
    }
    add_objective(table, report);
    return cli_table_print(table, 2, err);
}

/* What `method: auto` tried. */
static covey_status print_candidates(const covey_candidates *candidates, covey_error *err)
{
    cli_table *table = cli_table_new("llll");

    if (candidates->n > 0)
        fputs("\nMethods that were tried:\n", stdout);
    for (size_t i = 0; i < candidates->n; i++) {
        const covey_candidate *c = &candidates->list[i];

        cli_table_add(table, "%s", c->method);
        if (isnan(c->ail))
            cli_table_add(table, "-");
        else
            cli_table_add(table, "%.4g", c->ail);
        cli_table_add(table, "%.2f s", c->seconds);
        cli_table_add(table, "%s", c->outcome);
    }
    return cli_table_print(table, 2, err);
}

static void print_option(const char *option, const char *path)
{
    if (!path)
        return;
    printf(" %s ", option);
    cli_print_path(path);
}

/* Can the table be read again by that name, by another program?  Databases can, and pipes cannot: nor can what is only
 * called so in this program, such as its standard input, be it a file. */
static bool is_read_again(const char *path)
{
    static const char *const here[] = {"/dev/stdin", "/dev/fd/", "/proc/self/fd/"};
    struct stat facts;

    for (size_t i = 0; i < sizeof here / sizeof *here; i++)
        if (strncmp(path, here[i], strlen(here[i])) == 0)
            return false;
    return stat(path, &facts) != 0 || S_ISREG(facts.st_mode);
}

/* What proves most of the release.  Over persons that is the list of classes or the ledger; without either it is looked
 * whether whole persons can make these classes. */
static void print_next(const covey_anonymize_report *report, const char *target, const cli_made_from *from)
{
    const bool is_there = is_read_again(from->original);

    fputs("\nTo go on:\n  covey verify ", stdout);
    cli_print_path(target);
    print_option("--original", is_there ? from->original : "TABLE");
    print_option("--links", from->links);
    print_option("--ledger", from->ledger);
    for (size_t i = 0; i < from->n_previous; i++)
        print_option("--previous", from->previous[i]);
    if (report->n_units > 0 && !from->links && strcmp(report->form, "sliced") != 0) { /* there links alone prove it */
        print_option("--entity", from->entity);
        print_option("--within", from->within);
    }
    putchar('\n');
    if (!is_there)
        printf("with the table as a file in the place of TABLE: it came from %s, which cannot be read again.\n",
               cli_shown(from->original));
}

static covey_status print_report(const covey_anonymize_report *report, const char *target, const cli_made_from *from,
                                 covey_error *err)
{
    print_counts(report);
    putchar('\n');
    COVEY_TRY(cli_print_promises(report->verdict, err));
    putchar('\n');
    COVEY_TRY(print_figures(report, err));
    COVEY_TRY(print_candidates(&report->candidates, err));
    if (report->note[0])
        cli_print_folded(stdout, 8, printf("\n  note: ") - 1, report->note);
    printf("\nRelease %s, verified from its files, in %.2f s (read %.2f, anonymize %.2f, write %.2f, verify %.2f).\n",
           cli_shown(target), report->seconds_total, report->seconds_read, report->seconds_anonymize,
           report->seconds_write + report->seconds_hash, report->seconds_verify);
    if (from->original)
        print_next(report, target, from);
    return COVEY_OK;
}

covey_status cli_print_release(const covey_anonymize_report *report, const char *target, const cli_made_from *from,
                               bool json, covey_error *err)
{
    return json ? cli_print_json(json_report(report, target), err) : print_report(report, target, from, err);
}

static void add_to_trace(void *context, const covey_improvement *now)
{
    covey_trace_add(context, now);
}

/* Is the memory limit a parameter of the policy's method, which searches within it, and not the job's? */
static bool method_has_limit(const covey_policy *policy)
{
    size_t n = 0;
    const covey_param *params = policy->method.method ? covey_method_params(policy->method.method, &n) : NULL;

    for (size_t i = 0; i < n; i++)
        if (strcmp(params[i].name, "memory-limit") == 0)
            return true;
    return false;
}

/* The policy, with the method's memory limit if that is meant. */
static covey_status build_policy(covey_policy **out, bool *in_parts, const cli_call *call, covey_error *err)
{
    const char *limit = cli_value(call, "memory-limit");
    covey_policy *policy = NULL;
    covey_status status;

    COVEY_TRY(cli_policy_build(&policy, call, call->operand[0], err));
    *in_parts = limit && !method_has_limit(policy);
    if (limit && !*in_parts && (status = covey_policy_set(policy, "memory-limit", limit, err)) == COVEY_OK)
        status = covey_policy_check(policy, err);
    else
        status = COVEY_OK;
    if (status == COVEY_OK)
        *out = policy;
    else
        covey_policy_free(policy);
    return status;
}

static covey_status run_in_parts(covey_anonymize_report *report, const covey_policy *policy, const char *target,
                                 const cli_call *call, covey_error *err)
{
    covey_parts_options options = {.force = cli_is_given(call, "force")};

    if (cli_value(call, "links"))
        return covey_fail(err, COVEY_EINVAL, "--links does not go with --memory-limit: parts have no units to prove");
    if (cli_value(call, "ledger") || cli_value(call, "previous"))
        return covey_fail(err, COVEY_EINVAL,
                          "--ledger does not go with --memory-limit: whom it knows may be in any part");
    if (cli_value(call, "lower-bound"))
        return covey_fail(err, COVEY_EINVAL,
                          "--lower-bound looks at the whole table: it does not go with --memory-limit");
    if (cli_value(call, "trace"))
        return covey_fail(err, COVEY_EINVAL,
                          "--trace follows a search over the whole table: it does not go with --memory-limit");
    COVEY_TRY(covey_parts_read_size(&options.memory_limit, cli_value(call, "memory-limit"), "--memory-limit", err));
    COVEY_TRY(cli_integer(&options.n_files, call, "files", 1, COVEY_MOST_TABLE_FILES, err));
    return covey_anonymize_in_parts(report, policy, target, &options, &call->run, err);
}

/* The main job; with a trace if one is wanted. */
static covey_status anonymize(covey_anonymize_report *report, const covey_policy *policy, const char *target,
                              const char *const *previous, size_t n_previous, const cli_call *call, covey_error *err)
{
    covey_anonymize_options options = {.force = cli_is_given(call, "force"),
                                       .links = cli_value(call, "links"),
                                       .ledger = cli_value(call, "ledger"),
                                       .previous = previous,
                                       .n_previous = n_previous};
    covey_ratio bound_time = {0, 1};
    covey_trace *trace = NULL;
    covey_run run = call->run;
    covey_status status;

    COVEY_TRY(cli_integer(&options.n_files, call, "files", 1, COVEY_MOST_TABLE_FILES, err));
    COVEY_TRY(cli_ratio(&bound_time, call, "lower-bound", "0.01", "86400", err));
    options.bound_time = covey_ratio_value(bound_time);
    if (!cli_value(call, "trace"))
        return covey_anonymize(report, policy, target, &options, &run, err);
    COVEY_TRY(cli_spare_input(cli_value(call, "trace"), call->operand[0], err));
    COVEY_TRY(cli_spare_input(cli_value(call, "trace"), policy->input_path, err));
    COVEY_TRY(covey_trace_begin(&trace, cli_value(call, "trace"), options.force, err));
    run.improved = add_to_trace;
    run.context = trace; /* the command's own callbacks need none */
    if ((status = covey_anonymize(report, policy, target, &options, &run, err)) != COVEY_OK) {
        covey_trace_discard(trace);
        return status;
    }
    if ((status = covey_trace_end(trace, err)) != COVEY_OK)
        covey_anonymize_report_clear(report);
    return status;
}

/* Is the release one of those that the ledger keeps?  One of another policy is only warned of people in it. */
static bool promises_invariance(const covey_policy *policy)
{
    const covey_model *model = covey_model_find("m-invariance");

    for (size_t i = 0; i < policy->n_promises; i++)
        if (policy->promise[i].model == model)
            return true;
    return false;
}

/* Makes the release, after those that came before, and says so. */
static covey_status make(const covey_policy *policy, bool in_parts, const char *target, const cli_call *call,
                         covey_error *err)
{
    const covey_wish_attribute *entity = cli_policy_find(policy, COVEY_ROLE_ENTITY);
    char digits[2][12];
    cli_made_from from = {.original = policy->input_path,
                          .links = cli_value(call, "links"),
                          .ledger = promises_invariance(policy) ? cli_value(call, "ledger") : NULL,
                          .entity = entity ? covey_policy_unpublished(digits[0], policy, entity->name) : NULL,
                          .within = entity ? covey_policy_unpublished(digits[1], policy, entity->within) : NULL};
    covey_anonymize_report report;
    const char **previous;
    covey_status status;

    COVEY_TRY(cli_values(&previous, &from.n_previous, call, "previous", err));
    from.previous = previous;
    status = in_parts ? run_in_parts(&report, policy, target, call, err)
                      : anonymize(&report, policy, target, previous, from.n_previous, call, err);
    cli_progress_end();
    if (status == COVEY_OK) {
        from.n_previous = from.ledger ? from.n_previous : 0;
        if (call->json || !call->quiet)
            status = cli_print_release(&report, target, &from, call->json, err);
        covey_anonymize_report_clear(&report);
    }
    free(previous);
    return status;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    const char *target = cli_value(call, "output");
    covey_policy *policy = NULL;
    covey_status status;
    bool in_parts = false;

    (void)yes;
    if (!target || !target[0])
        return covey_fail(err, COVEY_EINVAL, "anonymize needs -o RELEASE: the folder that the release is written to");
    COVEY_TRY(build_policy(&policy, &in_parts, call, err));
    status = make(policy, in_parts, target, call, err);
    covey_policy_free(policy);
    return status;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .is_target = true,
     .argument = "RELEASE",
     .words = CLI_FOLDER,
     .help = "the folder to write the release to; required"},
    {.name = "force",
     .letter = 'f',
     .help = "replace a release and a trace that are there already, and hold nothing else"},
    {.name = "memory-limit",
     .argument = "SIZE",
     .help = "MiB, or with a unit (200M, 2G): tables larger than that are anonymized part by part, on disk; a method's "
             "own limit where it has one"},
    {.name = "files",
     .argument = "N",
     .help = "cut each table into N files, or fewer: table-00001.csv ..., classes in whole and in order"},
    {.name = "links",
     .argument = "FILE",
     .words = CLI_FILE,
     .help =
         "write the class of each row, for verify --original DATA --links FILE: it proves promises over persons, and "
         "must not be published"},
    {.name = "ledger",
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "private file of all releases, which m-invariance needs"},
    {.name = "previous",
     .argument = "RELEASE",
     .words = CLI_FOLDER,
     .help = "each release of the ledger, the option once for each"},
    {.name = "lower-bound",
     .argument = "SECONDS",
     .help =
         "look for a proof of how much every release loses at least, for so long at most, and say how near this one "
         "comes to it; printed for you, not published"},
    {.name = "trace",
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "write how a search went: a CSV line per improvement of best or bound, and a plot of both in FILE.svg"},
};

const cli_command cli_command_anonymize = {
    .name = "anonymize",
    .summary = "makes a release of a table that keeps the promises of a policy",
    .operands = "POLICY|DATA",
    .min_operands = 1,
    .max_operands = 1,
    .words = CLI_FILE,
    .description =
        "Reads a table, anonymizes it so that every promise of the policy holds, writes the release folder and "
        "checks it again from the written files. If that check fails, nothing is left behind.\n\n"
        "The operand is a policy file (YAML, .yaml or .yml), or a table (CSV, also compressed with gzip or "
        "Zstandard), with the policy as options:\n\n"
        "  covey anonymize policy.yaml -o release\n"
        "  covey anonymize people.csv --quasi age,zip --sensitive disease \\\n"
        "      --model k-anonymity:k=5 --model distinct-l-diversity:l=3 -o release\n\n"
        "With --memory-limit a table larger than memory is done part by part, on disk, beside the release, by "
        "the methods that can (covey methods says which).\n\n"
        "Exit code 1 says that no release can keep the policy; the message names the cause and what could be kept.",
    CLI_OPTIONS(options),
    .takes_policy = true,
    .run = run,
};
