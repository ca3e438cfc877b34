/* covey measure: how much of a table is left in its release. */
#include "args.h"
#include "print.h"

#include <math.h>

#include "progress.h"

/* Whole numbers look like some. */
static json_t *json_figure(double value)
{
    return isfinite(value) && fabs(value) < 1e15 && value == floor(value) ? json_integer((json_int_t)value) : cli_json_real(value);
}

static json_t *json_attributes(const covey_measurement *m)
{
    json_t *list = json_array();

    for (size_t i = 0; i < m->n_attributes; i++)
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "name", cli_json_text(m->attribute[i].name), "weight",
                                              cli_json_real(m->attribute[i].weight), "ail", cli_json_real(m->attribute[i].ail), "ncp",
                                              cli_json_real(m->attribute[i].ncp)));
    return list;
}

static json_t *json_measurement(const covey_measurement *m)
{
    json_t *object = json_object();

    for (size_t i = 0; i < m->n_figures; i++)
        json_object_set_new(object, covey_metric_name(m->figure[i].metric), json_figure(m->figure[i].value));
    json_object_set_new(object, "attributes", json_attributes(m));
    json_object_set_new(object, "rows", json_integer((json_int_t)m->n_rows));
    json_object_set_new(object, "published_rows", json_integer((json_int_t)m->n_published));
    json_object_set_new(object, "suppressed_rows", json_integer((json_int_t)m->n_suppressed));
    json_object_set_new(object, "classes", json_integer((json_int_t)m->n_classes));
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

static covey_status print_measurement(const covey_measurement *m, const char *release, bool has_original, covey_error *err)
{
    char published[CLI_COUNT_SIZE], suppressed[CLI_COUNT_SIZE], units[CLI_COUNT_SIZE + 16];
    bool any_missing = false;

    printf("%s: %s row%s in %s, %s suppressed\n\n", release, cli_count(published, m->n_published), m->n_published == 1 ? "" : "s",
           cli_units(units, m->form, m->n_classes), cli_count(suppressed, m->n_suppressed));
    COVEY_TRY(print_figures(m, &any_missing, err));
    putchar('\n');
    COVEY_TRY(print_attributes(m, err));
    if (any_missing && !has_original)
        puts("\nWhat is missing takes the original: --original DATA.");
    return COVEY_OK;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    const covey_measure_options options = {.original = cli_value(call, "original")};
    covey_measurement *measurement = NULL;
    covey_status status = covey_measure(&measurement, call->operand[0], &options, &call->run, err);

    (void)yes;
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
    {.name = "original", .argument = "DATA", .words = CLI_FILE,
     .help = "the table that the release was made from: the divergence is measured against it, and it completes hierarchies that were built "
             "from the data"},
};

const cli_command cli_command_measure = {
    .name = "measure",
    .summary = "measures how much of a table is left in its release",
    .operands = "RELEASE",
    .min_operands = 1, .max_operands = 1,
    .words = CLI_FOLDER,
    .description = "Reads a release folder and prints how much information it has lost, for all of it and for each quasi-identifier: information "
                   "loss, discernibility, class sizes, re-identification risk and, with the original, the divergence of what the release "
                   "suggests from the truth.\n\n"
                   "  covey measure release --original people.csv\n\n"
                   "The figures come from the published cells, not from manifest.json. Whether the release keeps its promises is for `covey "
                   "verify` to say.",
    CLI_OPTIONS(options),
    .run = run,
};
