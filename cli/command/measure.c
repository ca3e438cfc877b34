/* covey measure: how much of a table is left in its release. */
#include "args.h"
#include "print.h"

#include <math.h>
#include <string.h>

#include "progress.h"

/* Whole numbers look like some. */
static json_t *json_figure(double value)
{
    return isfinite(value) && fabs(value) < 1e15 && value == floor(value) ? json_integer((json_int_t)value)
                                                                          : cli_json_real(value);
}

static double figure_of(const covey_measurement *m, const char *metric)
{
    for (size_t i = 0; i < m->n_figures; i++)
        if (strcmp(covey_metric_name(m->figure[i].metric), metric) == 0)
            return m->figure[i].value;
    return NAN;
}

/* How many times as much is lost as all releases lose at least; NaN: not known. */
static double ratio_of(const covey_measurement *m)
{
    const double bound = figure_of(m, "lower_bound");

    return bound > 0 ? figure_of(m, "ail") / bound : NAN;
}

static json_t *json_attributes(const covey_measurement *m)
{
    json_t *list = json_array();

    for (size_t i = 0; i < m->n_attributes; i++)
        json_array_append_new(list,
                              json_pack("{s:o, s:o, s:o, s:o}", "name", cli_json_text(m->attribute[i].name), "weight",
                                        cli_json_real(m->attribute[i].weight), "ail",
                                        cli_json_real(m->attribute[i].ail), "ncp", cli_json_real(m->attribute[i].ncp)));
    return list;
}

static const char *const kinds[] = {
    [COVEY_WORKLOAD_COUNT] = "count", [COVEY_WORKLOAD_RANGES] = "ranges", [COVEY_WORKLOAD_ARBITRARY] = "arbitrary"};

static json_t *json_workload(const covey_measured_workload *w)
{
    return json_pack(
        "{s:I, s:s, s:i, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "queries", (json_int_t)w->n_queries, "kind",
        kinds[w->kind], "attributes", w->n_attributes, "selectivity", cli_json_real(w->selectivity), "counted",
        (json_int_t)w->n_counted, "median_relative_error", cli_json_real(w->median_relative_error),
        "mean_relative_error", cli_json_real(w->mean_relative_error), "median_relative_width",
        cli_json_real(w->median_relative_width), "mean_relative_width", cli_json_real(w->mean_relative_width),
        "within_bounds", cli_json_real(w->within_bounds), "within_interval", cli_json_real(w->within_interval),
        "baseline_median_relative_error", cli_json_real(w->baseline_median_error));
}

static json_t *json_measurement(const covey_measurement *m)
{
    json_t *object = json_object(), *reasons = json_object();

    for (size_t i = 0; i < m->n_figures; i++)
        json_object_set_new(object, covey_metric_name(m->figure[i].metric), json_figure(m->figure[i].value));
    if (json_object_get(object, "lower_bound"))
        json_object_set_new(object, "ratio", cli_json_real(ratio_of(m)));
    for (size_t i = 0; i < m->n_figures; i++)
        if (m->figure[i].reason)
            json_object_set_new(reasons, covey_metric_name(m->figure[i].metric), json_string(m->figure[i].reason));
    if (json_object_size(reasons) > 0)
        json_object_set(object, "reasons", reasons);
    json_decref(reasons);
    json_object_set_new(object, "attributes", json_attributes(m));
    if (m->workload.n_queries > 0)
        json_object_set_new(object, "workload", json_workload(&m->workload));
    json_object_set_new(object, "rows", json_integer((json_int_t)m->n_rows));
    json_object_set_new(object, "published_rows", json_integer((json_int_t)m->n_published));
    json_object_set_new(object, "suppressed_rows", json_integer((json_int_t)m->n_suppressed));
    json_object_set_new(object, "classes", json_integer((json_int_t)m->n_classes));
    if (m->n_units > 0)
        json_object_set_new(object, "units", json_integer((json_int_t)m->n_units));
    if (m->n_persons > m->n_units)
        json_object_set_new(object, "persons", json_integer((json_int_t)m->n_persons));
    return object;
}

static void add_share(cli_table *table, double value)
{
    if (isfinite(value))
        cli_table_add(table, "%.4g", value);
    else
        cli_table_add(table, "-");
}

static covey_status print_figures(const covey_measurement *m, bool *any_missing, covey_error *err)
{
    cli_table *table = cli_table_new("lrl");
    char count[CLI_COUNT_SIZE];

    for (size_t i = 0; i < m->n_figures; i++) {
        double value = m->figure[i].value;

        cli_table_add(table, "%s", covey_metric_name(m->figure[i].metric));
        if (isfinite(value) && value == floor(value) && fabs(value) < 1e15)
            cli_table_add(table, "%s", cli_count(count, (int64_t)value));
        else
            add_share(table, value);
        cli_table_add(table, "%s", covey_metric_summary(m->figure[i].metric));
        *any_missing |= !isfinite(value);
    }
    if (isfinite(ratio_of(m))) {
        cli_table_add(table, "ratio");
        cli_table_add(table, "%.3f", ratio_of(m));
        cli_table_add(table, "ail by lower_bound: the best of these loses at most so many times less");
    }
    return cli_table_print(table, 2, err);
}

static covey_status print_attributes(const covey_measurement *m, covey_error *err)
{
    cli_table *table = cli_table_new("lrrr");

    cli_table_add(table, "attribute");
    cli_table_add(table, "weight");
    cli_table_add(table, "ail");
    cli_table_add(table, "ncp");
    for (size_t i = 0; i < m->n_attributes; i++) {
        cli_table_add(table, "%s", m->attribute[i].name);
        cli_table_add(table, "%.4g", m->attribute[i].weight);
        add_share(table, m->attribute[i].ail);
        add_share(table, m->attribute[i].ncp);
    }
    return cli_table_print(table, 2, err);
}

static void add_percent(cli_table *table, const char *what, double value, const char *summary)
{
    if (!isfinite(value))
        return;
    cli_table_add(table, "%s", what);
    cli_table_add(table, "%.4g %%", 100 * value);
    cli_table_add(table, "%s", summary);
}

static covey_status print_workload(const covey_measured_workload *w, covey_error *err)
{
    cli_table *table = cli_table_new("lrl");
    char queries[CLI_COUNT_SIZE], counted[CLI_COUNT_SIZE];

    printf("\n%s queries (%s) over %d quasi-identifier%s, selectivity %g; %s with an answer other than 0\n",
           cli_count(queries, w->n_queries), kinds[w->kind], w->n_attributes, w->n_attributes == 1 ? "" : "s",
           w->selectivity, cli_count(counted, w->n_counted));
    add_percent(table, "median error", w->median_relative_error, "of the estimate, relative to the truth");
    add_percent(table, "mean error", w->mean_relative_error, "of the same");
    add_percent(table, "median width", w->median_relative_width, "of the bounds, relative to the truth");
    add_percent(table, "mean width", w->mean_relative_width, "of the same");
    add_percent(table, "within bounds", w->within_bounds, "of the true answers");
    add_percent(table, "within interval", w->within_interval, "of the true answers; 95 % are meant to be");
    add_percent(table, "baseline", w->baseline_median_error,
                "median error of taking the sensitive attribute to be independent of all others");
    return cli_table_print(table, 2, err);
}

static covey_status print_measurement(const covey_measurement *m, const char *release, bool has_original,
                                      covey_error *err)
{
    char published[CLI_COUNT_SIZE], suppressed[CLI_COUNT_SIZE], units[CLI_COUNT_SIZE + 16];
    bool any_missing = false;

    printf("%s: %s row%s in %s, %s suppressed", cli_shown(release), cli_count(published, m->n_published),
           m->n_published == 1 ? "" : "s", cli_units(units, m->form, m->n_classes),
           cli_count(suppressed, m->n_suppressed));
    if (m->n_units > 0)
        printf(", of %s unit%s", cli_count(published, m->n_units), m->n_units == 1 ? "" : "s");
    if (m->n_persons > m->n_units)
        printf(" with %s persons", cli_count(published, m->n_persons));
    puts("\n");
    COVEY_TRY(print_figures(m, &any_missing, err));
    putchar('\n');
    COVEY_TRY(print_attributes(m, err));
    if (m->workload.n_queries > 0)
        COVEY_TRY(print_workload(&m->workload, err));
    for (size_t i = 0; i < m->n_figures && has_original; i++)
        if (m->figure[i].reason)
            printf("\nThere is no %s: %s.\n", covey_metric_name(m->figure[i].metric), cli_shown(m->figure[i].reason));
    if (any_missing && !has_original)
        puts("\nWhat is missing takes the original: --original DATA.");
    return COVEY_OK;
}

static covey_status read_workload(covey_measure_options *options, const cli_call *call, covey_error *err)
{
    static const char *const more[] = {"attributes", "selectivity", "ranges", "arbitrary", "shrink"};
    covey_ratio selectivity = {0, 1};
    int64_t n_attributes = 0;

    COVEY_TRY(cli_integer(&options->n_queries, call, "queries", 1, 100000000, err));
    COVEY_TRY(cli_integer(&n_attributes, call, "attributes", 1, 10000, err));
    options->n_attributes = (int)n_attributes;
    COVEY_TRY(cli_ratio(&selectivity, call, "selectivity", "0", "1", err));
    options->selectivity = covey_ratio_value(selectivity);
    if (cli_is_given(call, "selectivity") && !(options->selectivity > 0))
        return covey_fail(err, COVEY_EINVAL, "--selectivity must be above 0");
    for (size_t i = 0; i < sizeof more / sizeof *more && options->n_queries == 0; i++)
        if (cli_is_given(call, more[i]))
            return covey_fail(err, COVEY_EINVAL, "--%s is about the queries of a workload: how many? --queries N",
                              more[i]);
    if (options->n_queries > 0 && !options->original)
        return covey_fail(err, COVEY_EINVAL, "--queries compares with the truth: it takes --original DATA");
    if (cli_is_given(call, "ranges") && cli_is_given(call, "arbitrary"))
        return covey_fail(err, COVEY_EINVAL, "--ranges and --arbitrary: give one of them");
    options->kind = cli_is_given(call, "ranges")      ? COVEY_WORKLOAD_RANGES
                    : cli_is_given(call, "arbitrary") ? COVEY_WORKLOAD_ARBITRARY
                                                      : COVEY_WORKLOAD_COUNT;
    options->shrink = cli_is_given(call, "shrink");
    return COVEY_OK;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    covey_measure_options options = {.original = cli_value(call, "original")};
    covey_measurement *measurement = NULL;
    covey_status status;

    (void)yes;
    COVEY_TRY(read_workload(&options, call, err));
    status = covey_measure(&measurement, call->operand[0], &options, &call->run, err);
    cli_progress_end();
    if (status != COVEY_OK)
        return status;
    if (call->json)
        status = cli_print_json(json_measurement(measurement), err);
    else
        status = print_measurement(measurement, call->operand[0], options.original != NULL, err);
    covey_measurement_free(measurement);
    return status;
}

static const cli_option options[] = {
    {.name = "original",
     .argument = "DATA",
     .words = CLI_FILE,
     .help = "the table that the release was made from: the divergence is measured against it, and it completes "
             "hierarchies that were built "
             "from the data"},
    {.name = "queries",
     .argument = "N",
     .help = "also ask N random COUNT queries and compare with the original; drawn by --seed, 1 if not given"},
    {.name = "attributes", .argument = "L", .help = "quasi-identifiers in a query; 3 if not given"},
    {.name = "selectivity", .argument = "T", .help = "share of rows that a query is meant to select; 0.1 if not given"},
    {.name = "ranges",
     .help = "ask for averages of the sensitive number over random ranges of quasi-identifiers instead"},
    {.name = "arbitrary",
     .help = "ask for averages over values of quasi-identifiers that are picked one by one instead"},
    {.name = "shrink", .help = "perturbed releases: the queries ask with --shrink, see `covey query --help`"},
};

const cli_command cli_command_measure = {
    .name = "measure",
    .summary = "measures how much of a table is left in its release",
    .operands = "RELEASE",
    .min_operands = 1,
    .max_operands = 1,
    .words = CLI_FOLDER,
    .description =
        "Reads a release folder and prints how much information is lost, in all and for each quasi-identifier: "
        "information loss, discernibility, class sizes, re-identification risk and, with the original, how far "
        "what the release suggests is from the truth.\n\n"
        "  covey measure release --original people.csv\n"
        "  covey measure release --original in.csv --queries 1000 --selectivity 0.05\n\n"
        "The figures come from the published cells, not from manifest.json. `covey verify` says whether the release "
        "keeps its promises.",
    CLI_OPTIONS(options),
    .run = run,
};
