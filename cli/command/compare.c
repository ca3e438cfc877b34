/* covey compare: what every method that can keep a policy makes of the table. */
#include "args.h"
#include "print.h"

#include <math.h>
#include <stdlib.h>

#include "compare_methods.h"
#include "compare_varied.h"
#include "policy_options.h"
#include "progress.h"

enum { MOST_QUERIES = 100000 };

static const char *const objective_names[] = {"ail",     "query-error",    "width", "attack",
                                              "seconds", "discernibility", NULL};

/* --- for programs --- */

static json_t *json_comparison(const covey_comparison *c, const char *objective)
{
    json_t *object = json_pack("{s:s}", "objective", objective);

    cli_compare_json_rows(object, c);
    json_object_set_new(object, "queries", json_integer((json_int_t)c->n_queries));
    json_object_set_new(object, "methods", cli_compare_json_methods(c));
    return object;
}

/* --- for people --- */

static void add_header(cli_table *table)
{
    static const char *const titles[] = {"",       "method", "loss",           "ratio",      "query error", "width",
                                         "attack", "worst",  "discernibility", "class size", "seconds",     "remark"};

    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        cli_table_add(table, "%s", titles[i]);
}

static void add_remark(cli_table *table, const covey_compared_method *m)
{
    char rows[CLI_COUNT_SIZE], suppressed[CLI_COUNT_SIZE + 20] = "";

    if (m->n_suppressed > 0)
        snprintf(suppressed, sizeof suppressed, "; %s suppressed", cli_count(rows, m->n_suppressed));
    if (m->optimal)
        cli_table_add(table, "%s: proven best %s%s", m->form, m->objective, suppressed);
    else if (isfinite(m->gap))
        cli_table_add(table, "%s: %s at most %.3g%% off the best%s%s", m->form, m->objective, 100 * m->gap,
                      m->stopped ? ", time was over" : "", suppressed);
    else
        cli_table_add(table, "%s%s%s", m->form, m->stopped ? ": time was over" : "", suppressed);
}

static void add_method(cli_table *table, const covey_compared_method *m)
{
    char count[CLI_COUNT_SIZE];

    cli_table_add(table, m->pareto ? "*" : "");
    cli_table_add(table, "%s", m->method);
    cli_compare_add_figure(table, m->figures.ail, "");
    cli_compare_add_figure(table, cli_compare_ratio(m), "");
    cli_compare_add_figure(table, m->query_error, "%");
    cli_compare_add_figure(table, m->width, "");
    cli_compare_add_figure(table, m->attack, "%");
    cli_compare_add_figure(table, m->worst, "%");
    if (isfinite(m->figures.discernibility) && m->figures.discernibility < 1e15)
        cli_table_add(table, "%s", cli_count(count, (int64_t)m->figures.discernibility));
    else
        cli_compare_add_figure(table, m->figures.discernibility, "");
    cli_compare_add_figure(table, m->figures.average_class_size, "");
    if (isfinite(m->seconds))
        cli_table_add(table, "%.2f", m->seconds);
    else
        cli_table_add(table, "-");
    add_remark(table, m);
}

static void print_lower_bound(const covey_comparison *c)
{
    for (size_t i = 0; i < c->n_methods; i++)
        if (c->method[i].lower_bound > 0) { /* not NaN, and more than goes without saying */
            printf("\nNo generalized release that keeps the policy loses less than %.4g; ratio is the loss by that.\n",
                   c->method[i].lower_bound);
            return;
        }
}

static covey_status print_feasible(const covey_comparison *c, size_t n_feasible, covey_error *err)
{
    cli_table *table = cli_table_new("llrrrrrrrrrl");

    add_header(table);
    for (size_t i = 0; i < n_feasible; i++)
        add_method(table, &c->method[i]);
    COVEY_TRY(cli_table_print(table, 0, err));
    puts("\n* no other method is at least as good in loss, query error, width and attack, and better in one of them");
    print_lower_bound(c);
    cli_compare_print_guess(c);
    for (size_t i = 0; i < n_feasible; i++)
        if (c->method[i].reason[0])
            cli_print_folded(stdout, 2, printf("  %s: ", c->method[i].method), c->method[i].reason);
    return COVEY_OK;
}

static covey_status print_comparison(const covey_comparison *c, const char *objective, covey_error *err)
{
    char queries[CLI_COUNT_SIZE];
    size_t n_feasible = 0;

    while (n_feasible < c->n_methods && c->method[n_feasible].feasible)
        n_feasible++;
    cli_compare_print_rows(c);
    printf(", %s quer%s, ranked by %s: %zu of %zu methods keep the policy\n\n",
           cli_count(queries, (int64_t)c->n_queries), c->n_queries == 1 ? "y" : "ies", objective, n_feasible,
           c->n_methods);
    if (n_feasible > 0)
        COVEY_TRY(print_feasible(c, n_feasible, err));
    if (n_feasible < c->n_methods)
        printf("%sNot in the running:\n", n_feasible ? "\n" : "");
    for (size_t i = n_feasible; i < c->n_methods; i++)
        cli_print_folded(stdout, 4, printf("  %s: ", c->method[i].method), c->method[i].reason);
    return COVEY_OK;
}

/* --- the command --- */

static covey_status read_time(double *seconds, const cli_call *call, covey_error *err)
{
    covey_ratio time = {0, 1};

    COVEY_TRY(cli_ratio(&time, call, "method-time", "0.01", "86400", err));
    *seconds = covey_ratio_value(time);
    return COVEY_OK;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    covey_compare_options options = {.no_attacks = cli_is_given(call, "no-attacks")};
    int objective = COVEY_COMPARE_AIL;
    covey_comparison *comparison = NULL;
    covey_policy *policy = NULL;
    covey_status status;
    int64_t queries = 0;

    COVEY_TRY(cli_choice(&objective, call, "objective", objective_names, err));
    COVEY_TRY(cli_integer(&queries, call, "queries", 0, MOST_QUERIES, err));
    COVEY_TRY(read_time(&options.method_time, call, err));
    options.objective = (covey_compare_objective)objective;
    options.n_queries = cli_is_given(call, "queries") && queries == 0 ? -1 : queries;
    if (cli_is_given(call, "vary"))
        return cli_compare_varied(yes, call, &options, err);
    if (cli_is_given(call, "plot"))
        return covey_fail(err, COVEY_EINVAL,
                          "--plot draws what --vary goes through: add --vary, such as --vary k=3,5,10");
    COVEY_TRY(cli_policy_build(&policy, call, call->operand[0], err));
    status = covey_compare(&comparison, policy, &options, &call->run, err);
    covey_policy_free(policy);
    cli_progress_end();
    if (status != COVEY_OK)
        return status;
    *yes = comparison->n_methods > 0 && comparison->method[0].feasible;
    if (call->json)
        status = cli_print_json(json_comparison(comparison, objective_names[objective]), err);
    else
        status = print_comparison(comparison, objective_names[objective], err);
    covey_comparison_free(comparison);
    return status;
}

static const cli_option options[] = {
    {.name = "objective",
     .argument = "NAME",
     .choices = objective_names,
     .help = "what to rank by: ail (information loss; default), query-error, width, attack, seconds or discernibility"},
    {.name = "method-time", .argument = "SECONDS", .help = "for a method that can stop at any time (default 3)"},
    {.name = "queries", .argument = "N", .help = "counting queries for each release (default 200; 0: none)"},
    {.name = "no-attacks", .help = "do not attack the releases"},
    {.name = "vary",
     .argument = "KEY=VALUE,...",
     .help = "a parameter of promises (k=3,5,10, t-closeness.t=0.1,0.2), suppression=0,1%, or sets of "
             "quasi-identifiers, quasi=age+zip,age; may be repeated"},
    {.name = "plot",
     .argument = "FILE",
     .words = CLI_FILE,
     .is_target = true,
     .help = "with --vary: draw the objective, as SVG"},
    {.name = "force", .letter = 'f', .help = "replace a plot that is there already"},
};

const cli_command cli_command_compare = {
    .name = "compare",
    .summary = "shows what every method that can keep a policy makes of the table",
    .operands = "POLICY|DATA",
    .min_operands = 1,
    .max_operands = 1,
    .words = CLI_FILE,
    .description =
        "Runs every method on a policy's table. Prints what those that keep the promises lose and what an "
        "adversary gains, best first. Nothing is published: releases lie meanwhile in a folder that only you can "
        "read, below $TMPDIR or /tmp.\n\n"
        "  covey compare policy.yaml --objective query-error\n"
        "  covey compare policy.yaml --vary k=3,5,10,20 --plot loss.svg\n"
        "  covey compare policy.yaml --vary k=5,10 --vary quasi=age+zip+sex,age+zip\n\n"
        "loss is the average information loss of the quasi-identifiers (0: the original, 1: nothing left). ratio "
        "is the loss divided by what every generalized release is proven to lose. Forms that publish "
        "quasi-identifiers as they are lose nothing there: compare these by query error, the median relative "
        "error of estimates for counting queries. width is the median width of guaranteed bounds, as a multiple "
        "of the truth. attack is the share of rows whose sensitive value the best attack guesses rightly, worst "
        "its best chance with one row; without a sensitive attribute both are about finding a row.\n\n"
        "--vary compares one policy for each value; several --vary compare all combinations, at most 100. A set "
        "of quasi-identifiers names those that stay. The others are dropped, or published as they are under "
        "`others: insensitive`; loss and queries are about the set.\n\n"
        "Exit code 1 says that no method can keep the policy, or any of several policies.",
    CLI_OPTIONS(options),
    .takes_policy = true,
    .run = run,
};
