/* covey reproduce: published experiments, run again. */
#include "args.h"
#include "print.h"

#include <stdlib.h>
#include <string.h>

#include "progress.h"

static const char *const state_name[] = {"holds", "differs", "missing"};

static covey_status list_experiments(const cli_call *call, covey_error *err)
{
    cli_table *table = call->json ? NULL : cli_table_new("ll");
    json_t *list = json_array();

    for (size_t i = 0; i < covey_experiment_count(); i++) {
        const covey_experiment *e = covey_experiment_at(i);

        cli_table_add(table, "%s", covey_experiment_name(e));
        cli_table_add(table, "%s", covey_experiment_title(e));
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "name", covey_experiment_name(e), "title",
                                              covey_experiment_title(e), "source", covey_experiment_source(e),
                                              "statement", covey_experiment_statement(e)));
    }
    if (call->json)
        return cli_print_json(json_pack("{s:o}", "experiments", list), err);
    json_decref(list);
    return cli_table_print(table, 0, err);
}

/* How the papers' figures stand, one by one; those that no experiment shows are also told to people. */
static json_t *list_figures(cli_table *table, bool *complete, const covey_reproduced *result, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < covey_paper_figure_count(); i++) {
        const covey_paper_figure *figure = covey_paper_figure_at(i);
        covey_reproduced_state state;
        json_t *experiments = json_array();
        const bool is_shown = covey_paper_figure_is_shown(&state, figure, result, n);

        for (size_t e = 0; e < n; e++)
            if (covey_experiment_shows(result[e].experiment, figure))
                json_array_append_new(experiments, json_string(covey_experiment_name(result[e].experiment)));
        if (!is_shown && !figure->is_drawing) {
            *complete = false;
            cli_table_add(table, "%s %s", figure->paper, figure->number);
            cli_table_add(table, "missing");
            cli_table_add(table, "no experiment shows it: %s", figure->shows);
        }
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:o}", "paper", figure->paper, "figure",
                                              figure->number, "shows", figure->shows, "state",
                                              figure->is_drawing ? "drawing" : state_name[state], "experiments",
                                              experiments));
    }
    return list;
}

/* complete: is there an experiment for every figure of the papers?  NULL: it is not asked. */
static covey_status print_results(const cli_call *call, bool *complete, const covey_reproduced *result, size_t n,
                                  covey_error *err)
{
    cli_table *table = call->json || call->quiet ? NULL : cli_table_new("lll");
    json_t *list = json_array(), *out = json_object();

    for (size_t i = 0; i < n; i++) {
        const bool differs = result[i].state == COVEY_REPRODUCED_DIFFERS;

        cli_table_add(table, "%s", covey_experiment_name(result[i].experiment));
        cli_table_add(table, "%s", state_name[result[i].state]);
        cli_table_add(table, "%s%s%s", result[i].finding, differs ? ". Why it differs: " : "",
                      differs ? result[i].why : "");
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:s*, s:s*, s:o}", "name", covey_experiment_name(result[i].experiment),
                            "state", state_name[result[i].state], "finding", result[i].finding, "because",
                            differs ? covey_difference_name(result[i].because) : NULL, "why",
                            differs ? result[i].why : NULL, "seconds", cli_json_real(result[i].seconds)));
    }
    json_object_set_new(out, "figures", list);
    if (complete)
        json_object_set_new(out, "papers", list_figures(table, complete, result, n));
    if (call->json)
        return cli_print_json(out, err);
    json_decref(out);
    return call->quiet ? COVEY_OK : cli_table_print(table, 0, err);
}

static covey_status fill_options(covey_reproduce_options *options, const cli_call *call, covey_error *err)
{
    const char *data = cli_value(call, "data");

    options->data = data ? data : getenv("COVEY_DATA");
    options->server = cli_value(call, "server") ? cli_value(call, "server") : getenv("COVEY_SERVER");
    options->force = cli_is_given(call, "force");
    options->resume = cli_is_given(call, "resume");
    if (cli_is_given(call, "seconds")) {
        covey_ratio seconds;

        COVEY_TRY(cli_ratio(&seconds, call, "seconds", "0.01", "1000000", err));
        options->seconds = covey_ratio_value(seconds);
    }
    return cli_integer(&options->rows, call, "rows", 1, INT64_C(1000000000), err);
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    const bool all = call->n_operands == 1 && strcmp(call->operand[0], "all") == 0;
    const size_t n = all ? covey_experiment_count() : call->n_operands;
    const char *target = cli_value(call, "output");
    covey_reproduce_options options = {0};
    covey_reproduced *result;
    const char **name;
    covey_status status;

    if (n == 0)
        return list_experiments(call, err);
    if (!target || !target[0])
        return covey_fail(err, COVEY_EINVAL, "reproduce needs -o DIR: the folder for tables and plots");
    COVEY_TRY(fill_options(&options, call, err));
    result = calloc(n, sizeof *result);
    name = calloc(n, sizeof *name);
    status = result && name ? COVEY_OK : covey_fail(err, COVEY_ENOMEM, "%zu experiments", n);
    for (size_t i = 0; status == COVEY_OK && i < n; i++)
        name[i] = all ? covey_experiment_name(covey_experiment_at(i)) : call->operand[i];
    if (status == COVEY_OK)
        status = covey_reproduce(result, name, n, target, &options, &call->run, err);
    cli_progress_end();
    if (status == COVEY_OK)
        status = print_results(call, all ? yes : NULL, result, n, err);
    for (size_t i = 0; status == COVEY_OK && i < n; i++)
        *yes = *yes && result[i].state != COVEY_REPRODUCED_MISSING;
    free(name);
    free(result);
    return status;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .is_target = true,
     .argument = "DIR",
     .words = CLI_FOLDER,
     .help = "the folder to write; required, unless no figure is named"},
    {.name = "data", .argument = "DIR", .words = CLI_FOLDER, .help = "where the real tables are; default $COVEY_DATA"},
    {.name = "server",
     .argument = "ADDRESS",
     .help = "postgresql://USER@HOST/DATABASE: measure in PostgreSQL, too, in a schema that is removed again; default "
             "$COVEY_SERVER"},
    {.name = "rows",
     .letter = 'n',
     .argument = "N",
     .help = "rows of generated tables, instead of what each experiment names"},
    {.name = "seconds",
     .argument = "S",
     .help = "time limit of each search that has one, instead of what each experiment names"},
    {.name = "force", .letter = 'f', .help = "replace a folder of experiments that is there already"},
    {.name = "resume",
     .help =
         "keep what such a folder has of these experiments by the same version, options and tables, and put each of "
         "the others there as soon as it is done: a run that was interrupted goes on"},
};

const cli_command cli_command_reproduce = {
    .name = "reproduce",
    .summary = "runs published experiments again",
    .operands = "[FIGURE...]",
    .max_operands = SIZE_MAX,
    .description = "Runs experiments from the literature on the methods' and queries' implementations here and writes, "
                   "for each, a table (CSV), a "
                   "plot (SVG) and, on index.html, what the paper says beside what came out. Without a name it lists "
                   "the experiments; \"all\" "
                   "runs all of them and lists every figure of the papers; one that no experiment shows is named. Real "
                   "tables are looked for below --data; a figure whose table is not there is named as missing, and the "
                   "exit code is 1.\n\n"
                   "  covey reproduce recoding-k -o figures --data /data/samples",
    CLI_OPTIONS(options),
    .run = run,
};
