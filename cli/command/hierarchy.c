/* covey hierarchy: makes and checks hierarchy files. */
#include "args.h"
#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "spare.h"

/* --- what a hierarchy is like --- */

/* Labels of one level: how many, and the first (not the root's, if there is another). */
typedef struct level_facts {
    uint32_t n_labels;
    const char *first;
} level_facts;

static level_facts facts_of(const covey_hierarchy *h, int level)
{
    level_facts facts = {0, covey_hierarchy_label(h, 0)};
    uint32_t before = UINT32_MAX;
    bool root_counted = false;

    for (uint32_t leaf = 0; leaf < covey_hierarchy_n_leaves(h); leaf++) {
        const uint32_t node = covey_hierarchy_ancestor(h, leaf, level);

        /* leaves with the same ancestor stand together, but those that go straight to the root may stand anywhere */
        if (node != 0 && facts.n_labels == root_counted)
            facts.first = covey_hierarchy_label(h, node);
        facts.n_labels += node == 0 ? !root_counted : node != before;
        root_counted |= node == 0;
        before = node;
    }
    return facts;
}

static json_t *json_levels(const covey_hierarchy *h)
{
    json_t *levels = json_array();

    for (int level = 0; level < covey_hierarchy_n_levels(h); level++) {
        const level_facts facts = facts_of(h, level);

        json_array_append_new(levels, json_pack("{s:i, s:I, s:o}", "level", level, "labels", (json_int_t)facts.n_labels,
                                                "first", cli_json_text(facts.first)));
    }
    return levels;
}

static json_t *json_hierarchy(const covey_hierarchy *h, const char *path, const char *note)
{
    return json_pack("{s:o, s:I, s:I, s:i, s:o, s:o, s:o}", "file", cli_json_text(path), "values",
                     (json_int_t)covey_hierarchy_n_leaves(h), "nodes", (json_int_t)covey_hierarchy_n_nodes(h), "height",
                     covey_hierarchy_n_levels(h) - 1, "root", cli_json_text(covey_hierarchy_label(h, 0)), "levels",
                     json_levels(h), "note", cli_json_text_or_null(note));
}

static covey_status print_levels(const covey_hierarchy *h, covey_error *err)
{
    cli_table *table = cli_table_new("lrll");
    char count[CLI_COUNT_SIZE];

    for (int level = 0; level < covey_hierarchy_n_levels(h); level++) {
        const level_facts facts = facts_of(h, level);

        cli_table_add(table, "level %d", level);
        cli_table_add(table, "%s", cli_count(count, facts.n_labels));
        cli_table_add(table, "label%s", facts.n_labels == 1 ? "" : "s");
        cli_table_add(table, "%s%s", facts.first, facts.n_labels == 1 ? "" : ", ...");
    }
    return cli_table_print(table, 2, err);
}

static covey_status print_hierarchy(const cli_call *call, const covey_hierarchy *h, const char *path, const char *note,
                                    covey_error *err)
{
    char count[CLI_COUNT_SIZE];
    const uint32_t n = covey_hierarchy_n_leaves(h);

    if (*note && call->run.warn)
        call->run.warn(call->run.context, note);
    if (call->json)
        return cli_print_json(json_hierarchy(h, path, note), err);
    if (call->quiet)
        return COVEY_OK;
    printf("%s: %s value%s, height %d\n", cli_shown(path), cli_count(count, n), n == 1 ? "" : "s",
           covey_hierarchy_n_levels(h) - 1);
    return print_levels(h, err);
}

/* --- what both commands read: options of the same name as those of policies, understood by the same code --- */

/* A key of an attribute, as NAME=VALUE. */
static covey_status set_attribute_key(covey_policy *policy, const char *key, const char *attribute, const char *value,
                                      covey_error *err)
{
    const size_t size = strlen(attribute) + strlen(value) + 2;
    char *pair = malloc(size);
    covey_status status;

    if (!pair)
        return covey_fail(err, COVEY_ENOMEM, "no memory for --%s", key);
    snprintf(pair, size, "%s=%s", attribute, value);
    status = covey_policy_set(policy, key, pair, err);
    free(pair);
    return status;
}

static covey_status read_policy(covey_policy **out, const cli_call *call, const char *input, const char *attribute,
                                covey_error *err)
{
    static const char *const input_keys[] = {"delimiter", "null", "trim"}, *const attribute_keys[] = {"type", "order"};
    covey_status status = covey_policy_new(out, err);

    if (status == COVEY_OK && input)
        status = covey_policy_set(*out, "input", input, err);
    for (size_t i = 0; status == COVEY_OK && i < sizeof input_keys / sizeof *input_keys; i++)
        if (cli_is_given(call, input_keys[i]))
            status = covey_policy_set(*out, input_keys[i], cli_value(call, input_keys[i]), err);
    for (size_t i = 0; status == COVEY_OK && i < sizeof attribute_keys / sizeof *attribute_keys; i++)
        if (cli_is_given(call, attribute_keys[i]))
            status = set_attribute_key(*out, attribute_keys[i], attribute, cli_value(call, attribute_keys[i]), err);
    return status;
}

#define DATA_OPTIONS                                                                                                   \
    {.name = "type",                                                                                                   \
     .argument = "text|integer|decimal|date",                                                                          \
     .help = "type of the column; guessed if not given",                                                               \
     .heading = "Data"},                                                                                               \
        {.name = "order",                                                                                              \
         .argument = "[A, B, ...]",                                                                                    \
         .help = "order of the values of a text column; by bytes if not given"},                                       \
        {.name = "delimiter",                                                                                          \
         .argument = "CHARACTER",                                                                                      \
         .help = "between the cells of a line of the data, or tab; guessed if not given"},                             \
        {.name = "null",                                                                                               \
         .argument = "TEXT,...",                                                                                       \
         .help = "cells of the data that mean \"missing\"; empty cells if not given"},                                 \
    {                                                                                                                  \
        .name = "trim", .argument = "true|false", .is_switch = true,                                                   \
        .help = "take blanks off both ends of every cell of the data"                                                  \
    }

/* --- covey hierarchy build --- */

static covey_status run_build(bool *yes, const cli_call *call, covey_error *err)
{
    const char *input = call->operand[0], *attribute = call->operand[1], *target = cli_value(call, "output");
    covey_policy *policy = NULL;
    covey_hierarchy *h = NULL;
    char note[256] = "";
    covey_status status;

    (void)yes;
    if (!target || !target[0])
        return covey_fail(err, COVEY_EINVAL, "hierarchy build needs -o FILE: the file to write");
    COVEY_TRY(cli_spare_input(target, input, err));
    if ((status = read_policy(&policy, call, input, attribute, err)) == COVEY_OK)
        status = set_attribute_key(policy, "hierarchy", attribute, call->operand[2], err);
    if (status == COVEY_OK)
        status = covey_build_hierarchy(&h, policy, attribute, NULL, note, &call->run, err);
    cli_progress_end();
    if (status == COVEY_OK)
        status = covey_hierarchy_save(h, target, cli_is_given(call, "force"), err);
    if (status == COVEY_OK)
        status = print_hierarchy(call, h, target, note, err);
    covey_hierarchy_free(h);
    covey_policy_free(policy);
    return status;
}

static const cli_option build_options[] = {
    {.name = "output",
     .letter = 'o',
     .is_target = true,
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "the file to write; required, and - does not mean standard output"},
    {.name = "force", .letter = 'f', .help = "replace a hierarchy that is there already"},
    DATA_OPTIONS,
};

const cli_command cli_command_hierarchy_build = {
    .name = "hierarchy build",
    .summary = "makes a hierarchy for a column, as a file to edit",
    .operands = "DATA COLUMN HIERARCHY",
    .min_operands = 3,
    .max_operands = 3,
    .words = CLI_FILE,
    .description = "Builds a hierarchy over the values of a column and writes it as a file: one line per value, the "
                   "value first, then its "
                   "ancestors level by level, the root last. HIERARCHY is what a policy says:\n\n"
                   "  covey hierarchy build people.csv age \\\n"
                   "      '{interval: {from: 0, to: 100, widths: [5, 10, 20]}}' -o age.csv\n"
                   "  covey hierarchy build people.csv pay '{cuts: [[20, 40, 60], [40]]}' -o pay.csv\n"
                   "  covey hierarchy build people.csv zip '{mask: 3}' -o zip.csv\n"
                   "  covey hierarchy build people.csv born '{date: [month, year]}' -o born.csv\n"
                   "  covey hierarchy build people.csv city '{balanced: 2}' -o city.csv\n\n"
                   "A policy can say the same itself, without a file; a file is for changing it by hand. It lists "
                   "values of the data: a release "
                   "that uses it publishes it.",
    CLI_OPTIONS(build_options),
    .run = run_build,
};

/* --- covey hierarchy check --- */

static const char *const missing_leaf_choices[] = {"error", "root", NULL};

static covey_status read_spec(covey_hierarchy_spec *spec, const cli_call *call, covey_error *err)
{
    const char *delimiter = cli_value(call, "hierarchy-delimiter");
    int missing_leaf = 0;

    COVEY_TRY(cli_choice(&missing_leaf, call, "missing-leaf", missing_leaf_choices, err));
    if (delimiter && strlen(delimiter) != 1)
        return covey_fail(err, COVEY_EINVAL, "--hierarchy-delimiter wants one character, such as \";\", not \"%s\"",
                          delimiter);
    *spec = (covey_hierarchy_spec){.kind = COVEY_HIERARCHY_FILE,
                                   .path = call->operand[0],
                                   .missing_leaf_root = missing_leaf == 1,
                                   .delimiter = delimiter ? delimiter[0] : '\0'};
    return COVEY_OK;
}

static covey_status run_check(bool *yes, const cli_call *call, covey_error *err)
{
    const char *path = call->operand[0];
    const char *input = call->n_operands > 1 ? call->operand[1] : NULL,
               *attribute = call->n_operands > 2 ? call->operand[2] : NULL;
    covey_hierarchy_spec spec;
    covey_policy *policy = NULL;
    covey_hierarchy *h = NULL;
    char note[256] = "";
    covey_status status;

    (void)yes;
    if (input && !attribute)
        return covey_fail(err, COVEY_EINVAL, "hierarchy check needs the name of the column behind %s", input);
    if (!input && (cli_is_given(call, "type") || cli_is_given(call, "order")))
        return covey_fail(err, COVEY_EINVAL,
                          "--type and --order are for a column of data: hierarchy check FILE DATA COLUMN");
    COVEY_TRY(read_spec(&spec, call, err));
    if ((status = read_policy(&policy, call, input, attribute, err)) == COVEY_OK)
        status = covey_build_hierarchy(&h, policy, attribute ? attribute : "", &spec, note, &call->run, err);
    cli_progress_end();
    if (status == COVEY_OK)
        status = print_hierarchy(call, h, path, note, err);
    covey_hierarchy_free(h);
    covey_policy_free(policy);
    return status;
}

static const cli_option check_options[] = {
    {.name = "hierarchy-delimiter",
     .argument = "CHARACTER",
     .help = "between the levels; ; or , is detected if not given"},
    {.name = "missing-leaf",
     .argument = "error|root",
     .choices = missing_leaf_choices,
     .help = "what happens to values of the data that the file does not list: an error (the default), or they go under "
             "the root"},
    DATA_OPTIONS,
};

const cli_command cli_command_hierarchy_check = {
    .name = "hierarchy check",
    .summary = "checks a hierarchy file",
    .operands = "FILE [DATA COLUMN]",
    .min_operands = 1,
    .max_operands = 3,
    .words = CLI_FILE,
    .description = "Reads a hierarchy file and says what it holds, or which line is wrong: lines of different length, "
                   "a value that is listed "
                   "twice, levels that are not nested, a second root. With a table and a column, also that every value "
                   "of the data is listed.\n\n"
                   "  covey hierarchy check age.csv\n"
                   "  covey hierarchy check age.csv people.csv age",
    CLI_OPTIONS(check_options),
    .run = run_check,
};
