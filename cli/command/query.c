/* covey query: aggregates over a release, with bounds and estimates. */
#include "args.h"
#include "print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"

/* --- for programs: bounds are decimals with all their digits, which no double of a JSON library has --- */

static bool put_json(json_t *value)
{
    return cli_put_json(value, 0);
}

static void put_bound(const char *key, const covey_query_bound *bound, bool is_text)
{
    printf("\"%s\": ", key);
    printf(is_text && bound->exists ? "\"%s\"" : "%s", bound->exists ? bound->text : "null");
}

static bool put_interval(const covey_query_interval *interval)
{
    fputs(", \"interval\": ", stdout);
    return put_json(json_pack("{s:f, s:o, s:o, s:o, s:o, s:b}", "confidence", 0.95, "lower",
                              cli_json_real(interval->low), "upper", cli_json_real(interval->high), "clipped_lower",
                              cli_json_real(interval->clipped_low), "clipped_upper",
                              cli_json_real(interval->clipped_high), "few_rows", interval->is_of_few));
}

static bool put_answer(const covey_query_answer *answer)
{
    fputs("{\"aggregate\": ", stdout);
    if (!put_json(cli_json_text(answer->aggregate)))
        return false;
    fputs(", ", stdout);
    put_bound("lower", &answer->lower, answer->is_date);
    fputs(", ", stdout);
    put_bound("upper", &answer->upper, answer->is_date);
    fputs(", \"estimate\": ", stdout);
    if (!put_json(cli_json_real(answer->estimate)))
        return false;
    fputs(", \"standard_error\": ", stdout);
    if (!put_json(cli_json_real(answer->standard_error)))
        return false;
    if (answer->has_midpoint) {
        fputs(", \"midpoint\": ", stdout);
        if (!put_json(cli_json_real(answer->midpoint)))
            return false;
    }
    if (answer->interval.exists && !put_interval(&answer->interval))
        return false;
    putchar('}');
    return true;
}

static bool put_answers(const covey_query_result *result, const covey_query_group *group, const char *indent)
{
    fputs("\"answers\": [", stdout);
    for (size_t i = 0; i < result->n_answers; i++) {
        printf("%s\n%s  ", i ? "," : "", indent);
        if (!put_answer(&group->answer[i]))
            return false;
    }
    printf("\n%s],\n%s\"hits\": {\"lower\": %" PRId64 ", \"upper\": %" PRId64 "}", indent, indent, group->hits_lower,
           group->hits_upper);
    return true;
}

static bool put_key(const covey_query_result *result, const covey_query_group *group)
{
    fputs("\"key\": {", stdout);
    for (size_t k = 0; k < result->n_keys; k++) {
        if (k > 0)
            fputs(", ", stdout);
        if (!put_json(cli_json_text(result->key_name[k])))
            return false;
        fputs(": ", stdout);
        if (!group->key[k])
            fputs("null", stdout);
        else if (result->key_is_number[k])
            fputs(group->key[k], stdout);
        else if (!put_json(cli_json_text(group->key[k])))
            return false;
    }
    putchar('}');
    return true;
}

static bool put_notes(const covey_query_result *result)
{
    for (size_t i = 0; i < result->n_notes; i++) {
        fputs(i ? ", " : ",\n  \"notes\": [", stdout);
        if (!put_json(cli_json_text(result->note[i])))
            return false;
    }
    fputs(result->n_notes ? "]" : "", stdout);
    return true;
}

static bool put_groups(const covey_query_result *result)
{
    fputs("{\n  \"groups\": [", stdout);
    for (size_t g = 0; g < result->n_groups; g++) {
        printf("%s\n    {\n      ", g ? "," : "");
        if (!put_key(result, &result->group[g]))
            return false;
        fputs(",\n      ", stdout);
        if (!put_answers(result, &result->group[g], "      "))
            return false;
        fputs("\n    }", stdout);
    }
    fputs(result->n_groups ? "\n  ]" : "]", stdout);
    if (!put_notes(result))
        return false;
    puts("\n}");
    return true;
}

static covey_status print_json(const covey_query_result *result, covey_error *err)
{
    bool done;

    cli_progress_end();
    if (result->is_grouped) {
        done = put_groups(result);
    } else {
        fputs("{\n  ", stdout);
        done = put_answers(result, &result->group[0], "  ") && put_notes(result);
        puts("\n}");
    }
    return done ? COVEY_OK : covey_fail(err, COVEY_ENOMEM, "no memory for the result as JSON");
}

/* --- for people --- */

static void add_figure(cli_table *table, double value)
{
    if (isfinite(value))
        cli_table_add(table, "%.10g", value);
    else
        cli_table_add(table, "-");
}

static void add_bound(cli_table *table, const covey_query_bound *bound)
{
    cli_table_add(table, "%s", bound->exists ? bound->text : "-");
}

/* Is there an estimate of what the bounds leave open, and nothing known of how far it may be off? */
static bool is_model_alone(const covey_query_result *result)
{
    for (size_t g = 0; g < result->n_groups; g++)
        for (size_t i = 0; i < result->n_answers; i++) {
            const covey_query_answer *a = &result->group[g].answer[i];

            if (isfinite(a->estimate) && !a->interval.exists &&
                !(a->lower.exists && a->upper.exists && strcmp(a->lower.text, a->upper.text) == 0))
                return true;
        }
    return false;
}

/* What columns a table has beside those that all have. */
struct extras {
    bool midpoint, interval;
};

static struct extras find_extras(const covey_query_result *result, const covey_query_group *group)
{
    struct extras extras = {false, false};

    for (size_t i = 0; i < result->n_answers; i++) {
        extras.midpoint |= isfinite(group->answer[i].midpoint);
        extras.interval |= group->answer[i].interval.exists;
    }
    return extras;
}

static void add_interval(cli_table *table, const covey_query_interval *interval)
{
    add_figure(table, interval->exists ? interval->clipped_low : NAN);
    add_figure(table, interval->exists ? interval->clipped_high : NAN);
}

static void add_answer(cli_table *table, const covey_query_answer *answer, struct extras extras)
{
    cli_table_add(table, "%s", answer->aggregate);
    add_bound(table, &answer->lower);
    add_bound(table, &answer->upper);
    add_figure(table, answer->estimate);
    if (extras.interval)
        add_figure(table, answer->standard_error);
    if (extras.midpoint)
        add_figure(table, answer->midpoint);
    if (extras.interval)
        add_interval(table, &answer->interval);
}

static void add_header(cli_table *table, struct extras extras)
{
    cli_table_add(table, "aggregate");
    cli_table_add(table, "lower");
    cli_table_add(table, "upper");
    cli_table_add(table, "estimate");
    if (extras.interval)
        cli_table_add(table, "std.error");
    if (extras.midpoint)
        cli_table_add(table, "midpoint");
    if (extras.interval) {
        cli_table_add(table, "95 %% from");
        cli_table_add(table, "to");
    }
}

static void print_hits(const covey_query_group *group)
{
    char lower[CLI_COUNT_SIZE], upper[CLI_COUNT_SIZE];

    if (group->hits_lower == group->hits_upper)
        printf("%s row%s selected\n", cli_count(lower, group->hits_lower), group->hits_lower == 1 ? "" : "s");
    else
        printf("between %s and %s rows selected\n", cli_count(lower, group->hits_lower),
               cli_count(upper, group->hits_upper));
}

static covey_status print_group(const covey_query_result *result, const covey_query_group *group, covey_error *err)
{
    static const char *const layout[2][2] = {{"lrrr", "lrrrrrr"}, {"lrrrr", "lrrrrrrr"}};
    const struct extras extras = find_extras(result, group);
    cli_table *table = cli_table_new(layout[extras.midpoint][extras.interval]);
    bool is_of_few = false;
    covey_status status;

    for (size_t k = 0; k < result->n_keys; k++)
        printf("%s%s = %s", k ? ", " : "", cli_shown(result->key_name[k]),
               group->key[k] ? cli_shown(group->key[k]) : "null");
    if (result->n_keys > 0)
        fputs(": ", stdout);
    print_hits(group);
    add_header(table, extras);
    for (size_t i = 0; i < result->n_answers; i++) {
        add_answer(table, &group->answer[i], extras);
        is_of_few |= group->answer[i].interval.is_of_few;
    }
    status = cli_table_print(table, 2, err);
    if (status == COVEY_OK && is_of_few)
        puts("  These are less than 30 rows: the interval may be a bad guess.");
    return status;
}

static covey_status print_result(const covey_query_result *result, covey_error *err)
{
    cli_progress_end();
    for (size_t g = 0; g < result->n_groups; g++) {
        if (g > 0)
            putchar('\n');
        COVEY_TRY(print_group(result, &result->group[g], err));
    }
    if (result->n_groups == 0)
        puts("no group has a row");
    if (is_model_alone(result))
        puts("\nThe truth lies between the bounds. The estimate is what would be expected if what is published were "
             "all\n"
             "there is to know; nothing says how far it is off.");
    for (size_t i = 0; i < result->n_notes; i++)
        printf("%s%s%s\n", i ? "" : "\n", cli_shown(result->note[i]),
               result->note[i][strlen(result->note[i]) - 1] == '?' ? "" : ".");
    return COVEY_OK;
}

/* --- for databases --- */

static const char *const dialects[] = {
    [COVEY_DIALECT_SQLITE] = "sqlite", [COVEY_DIALECT_POSTGRESQL] = "postgresql", NULL};

static covey_status print_sql(const cli_call *call, const covey_query_release *release, covey_error *err)
{
    covey_status status;
    char *sql = NULL;
    int dialect = COVEY_DIALECT_SQLITE;

    if (cli_is_given(call, "shrink"))
        return covey_fail(err, COVEY_EINVAL,
                          "--shrink: SQL gives estimates without shrinking only: leave out --shrink or --sql");
    if (strcmp(cli_value(call, "sql"), "true") != 0) /* what it is without a word */
        COVEY_TRY(cli_choice(&dialect, call, "sql", dialects, err));
    COVEY_TRY(covey_query_sql(&sql, release, call->operand[1], (covey_sql_dialect)dialect, err));
    cli_progress_end();
    if (call->json)
        status = cli_print_json(json_pack("{s:s, s:o}", "dialect", dialects[dialect], "sql", cli_json_text(sql)), err);
    else
        status = printf("%s;\n", isatty(STDOUT_FILENO) ? cli_shown_lines(sql) : sql) < 0
                     ? covey_fail(err, COVEY_EIO, "standard output: cannot be written")
                     : COVEY_OK;
    covey_query_sql_free(sql);
    return status;
}

static covey_status answer(const cli_call *call, const covey_query_release *release, covey_error *err)
{
    const covey_query_options options = {.shrink = cli_is_given(call, "shrink")};
    covey_query_result *result = NULL;
    covey_status status;

    if (cli_is_given(call, "sql")) {
        status = print_sql(call, release, err);
        cli_progress_end();
        return status;
    }
    status = covey_query_run_with(&result, release, call->operand[1], &options, &call->run, err);
    cli_progress_end();
    if (status == COVEY_OK)
        status = call->json ? print_json(result, err) : print_result(result, err);
    covey_query_result_free(result);
    return status;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    covey_query_release *own = NULL, **release = call->release ? call->release : &own;
    covey_status status = *release ? COVEY_OK : covey_query_open(release, call->operand[0], &call->run, err);

    (void)yes;
    if (status == COVEY_OK)
        status = answer(call, *release, err);
    cli_progress_end();
    covey_query_close(own);
    return status;
}

static const cli_option options[] = {
    {.name = "shrink",
     .help = "perturbed releases: bring estimates towards what the whole table's counts suggest, which errs less for "
             "few rows but is biased"},
    {.name = "sql",
     .argument = "sqlite|postgresql",
     .is_switch = true,
     .choices = dialects,
     .help = "do not answer, but print the SQL that gives the same bounds over the tables of `covey export`; not "
             "over sliced releases whose columns overlap, nor with --shrink"},
};

const cli_command cli_command_query = {
    .name = "query",
    .summary = "answers aggregate queries over a release with guaranteed bounds",
    .operands = "RELEASE QUERY",
    .min_operands = 2,
    .max_operands = 2,
    .words = CLI_FOLDER,
    .description =
        "Answers SELECT COUNT(*), SUM, AVG, MIN and MAX of a sensitive or insensitive number, from the release "
        "alone. COUNT(DISTINCT entity) counts persons where the policy says whose rows they are. The bounds hold "
        "for every table that the release could have come from; the estimate is the expected value under the "
        "release's own model.\n\n"
        "  covey query release 'SELECT AVG(salary) WHERE age BETWEEN 30 AND 39'\n"
        "  covey query release \"SELECT COUNT(*) WHERE edu = 'Higher' OR NOT age < 50\"\n"
        "  covey query release 'SELECT COUNT(*), MAX(salary) GROUP BY region'\n"
        "  covey query release 'SELECT SUM(weight * salary) / SUM(weight)'\n"
        "  covey query release 'SELECT SUM(salary)' --sql | sqlite3 release.db\n\n"
        "A condition joins =, <>, <, <=, >, >=, BETWEEN, IN and IS NULL on published columns with AND, OR, NOT "
        "and parentheses. A label of a hierarchy stands for all its leaves. A condition on the sensitive column "
        "is for COUNT only. GROUP BY takes quasi-identifiers and insensitive columns. Write texts and dates in "
        "'...', names that hold blanks in \"...\".\n\n"
        "Over a perturbed release a condition on the sensitive column gets an estimate with its 95 % interval.\n\n"
        "What does not exist, like the sum of no rows, is shown as - and is null in JSON. Suppressed rows count as "
        "possibly selected. `covey verify` says whether the release is as it was published.",
    CLI_OPTIONS(options),
    .run = run,
};
