/* covey inspect: what the columns of a table are like, and a policy to start from. */
#include "args.h"
#include "print.h"

#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "spare.h"

/* A copy of what the file says of a column, with the label first. */
static void add_facts(json_t *column, const json_t *facts)
{
    static const char *const keys[][2] = {{"label", "label"},
                                          {"value_labels", "value_labels"},
                                          {"missing", "missing_values"},
                                          {"format", "format"},
                                          {"measure", "measure"}};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_object_get(facts, keys[i][0]))
            json_object_set(column, keys[i][1], json_object_get(facts, keys[i][0]));
}

static json_t *json_mark(char mark)
{
    return cli_json_text_or_null(mark ? (const char[]){mark, '\0'} : NULL);
}

static json_t *json_column(const covey_inspected_column *c)
{
    return json_pack(
        "{s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:b, s:b, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}",
        "name", cli_json_text(c->name), "type", covey_type_name(c->type), "distinct", (json_int_t)c->n_distinct,
        "missing", (json_int_t)c->n_missing, "unique_rows", (json_int_t)c->n_unique, "formulas",
        (json_int_t)c->n_formulas, "blanks", (json_int_t)c->n_blanks, "named_by_value", (int)c->is_named_by_value,
        "repeated_key", (int)c->is_repeated_key, "uniqueness", cli_json_real(c->uniqueness), "role",
        covey_role_name(c->role), "reason", c->reason, "hierarchy", cli_json_text_or_null(c->hierarchy), "alternative",
        cli_json_text_or_null(c->alternative), "decimal", json_mark(c->recoding.decimal), "other_decimal",
        json_mark(c->other_decimal), "date_format", cli_json_text_or_null(c->recoding.date_format), "other_date_format",
        cli_json_text_or_null(c->other_date_format), "hierarchy_file", cli_json_text_or_null(c->hierarchy_file),
        "suspect", cli_json_text_or_null(c->suspect), "has_long_numbers", c->long_number != NULL);
}

static double share_alone(const covey_inspection *in, const covey_inspected_set *set)
{
    return in->n_rows > 0 ? (double)set->n_unique / (double)in->n_rows : 0;
}

static json_t *json_sets(const covey_inspection *in)
{
    json_t *sets = json_array();

    for (size_t i = 0; i < in->n_sets; i++) {
        json_t *columns = json_array();

        for (size_t c = 0; c < in->set[i].n; c++)
            json_array_append_new(columns, cli_json_text(in->column[in->set[i].column[c]].name));
        json_array_append_new(sets, json_pack("{s:o, s:I, s:o}", "columns", columns, "unique_rows",
                                              (json_int_t)in->set[i].n_unique, "uniqueness",
                                              cli_json_real(share_alone(in, &in->set[i]))));
    }
    return sets;
}

static void add_values(json_t *object, const covey_inspected_column *c)
{
    json_t *commonest = json_array();

    for (size_t i = 0; i < c->n_commonest; i++)
        json_array_append_new(commonest, json_pack("{s:o, s:I}", "value", cli_json_text(c->commonest[i].text), "rows",
                                                   (json_int_t)c->commonest[i].n_rows));
    json_object_set_new(object, "smallest", cli_json_text_or_null(c->smallest));
    json_object_set_new(object, "largest", cli_json_text_or_null(c->largest));
    json_object_set_new(object, "commonest", commonest);
}

static json_t *json_inspection(const covey_inspection *in, const json_t *codebook, const char *policy, bool has_values)
{
    json_t *columns = json_array(), *null = json_array();

    for (size_t i = 0; i < in->n_columns; i++) {
        json_array_append_new(columns, json_column(&in->column[i]));
        add_facts(json_array_get(columns, i), json_object_get(codebook, in->column[i].name));
        if (has_values)
            add_values(json_array_get(columns, i), &in->column[i]);
    }
    for (size_t i = 0; i < in->n_null; i++)
        json_array_append_new(null, cli_json_text(in->null[i]));
    return json_pack("{s:I, s:o, s:{s:I, s:I, s:I, s:o}, s:o, s:o, s:o}", "rows", (json_int_t)in->n_rows, "columns",
                     columns, "quasi_identifiers", "columns", (json_int_t)in->n_quasi, "combinations",
                     (json_int_t)in->n_combinations, "unique_rows", (json_int_t)in->n_unique_rows, "uniqueness",
                     in->n_rows > 0 ? cli_json_real((double)in->n_unique_rows / (double)in->n_rows) : json_null(),
                     "single_out", json_sets(in), "null", null, "policy", cli_json_text_or_null(policy));
}

static const char *label_of(const json_t *codebook, const char *name)
{
    const char *label = json_string_value(json_object_get(json_object_get(codebook, name), "label"));

    return label ? label : "";
}

static void add_column(cli_table *table, const covey_inspected_column *c, const json_t *codebook)
{
    char distinct[CLI_COUNT_SIZE], missing[CLI_COUNT_SIZE];

    cli_table_add(table, "%s", c->name);
    if (codebook)
        cli_table_add(table, "%s", label_of(codebook, c->name));
    cli_table_add(table, "%s", covey_type_name(c->type));
    cli_table_add(table, "%s", cli_count(distinct, c->n_distinct));
    cli_table_add(table, "%s", cli_count(missing, c->n_missing));
    cli_table_add(table, "%.1f%%", 100 * c->uniqueness);
    cli_table_add(table, "%s", covey_role_name(c->role));
    cli_table_add(table, "%s", c->reason);
}

static covey_status print_columns(const covey_inspection *in, const json_t *codebook, covey_error *err)
{
    static const char *const heads[] = {"column", "label", "type", "distinct", "missing", "unique", "role", "why"};
    cli_table *table = cli_table_new(codebook ? "lllrrrll" : "llrrrll");

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (codebook || i != 1)
            cli_table_add(table, "%s", heads[i]);
    for (size_t i = 0; i < in->n_columns; i++)
        add_column(table, &in->column[i], codebook);
    return cli_table_print(table, 0, err);
}

/* The labels of a column's values, unless they are too many for somebody to read: then they are hardly a list of codes.
 */
static void print_labels(const covey_inspection *in, const json_t *codebook)
{
    enum { MOST = 20 };
    bool any = false;

    for (size_t i = 0; i < in->n_columns; i++) {
        const char *name = in->column[i].name, *value, *mark = ":";
        json_t *labels = json_object_get(json_object_get(codebook, name), "value_labels"), *label;
        const size_t n = json_object_size(labels);

        if (n == 0)
            continue;
        printf("%s  %s", any ? "" : "\nLabels of values:\n", cli_shown(name));
        any = true;
        if (n > MOST) {
            printf(": %zu values\n", n);
            continue;
        }
        json_object_foreach(labels, value, label)
        {
            printf("%s %s", mark, cli_shown(value));
            printf(" %s", cli_shown(json_is_string(label) ? json_string_value(label) : ""));
            mark = ",";
        }
        puts("");
    }
}

enum { MANY_QUASI = 12 };

static void print_combinations(const covey_inspection *in)
{
    char unique[CLI_COUNT_SIZE], rows[CLI_COUNT_SIZE];

    if (in->n_quasi == 0 || in->n_rows == 0)
        return;
    printf("\nTogether the %zu quasi-identifier%s single%s out %s of %s rows (%.1f%%): no other row has the same "
           "values.\n",
           in->n_quasi, in->n_quasi == 1 ? "" : "s", in->n_quasi == 1 ? "s" : "", cli_count(unique, in->n_unique_rows),
           cli_count(rows, in->n_rows), 100.0 * (double)in->n_unique_rows / (double)in->n_rows);
    if (in->n_quasi > MANY_QUASI)
        puts("So many leave little detail. Which of them can others really know? What nobody needs is better dropped.");
}

/* Which columns others must not know together. */
static covey_status print_sets(const covey_inspection *in, bool is_every, covey_error *err)
{
    cli_table *table;

    if (in->n_sets == 0)
        return COVEY_OK;
    printf("\n%s, by the rows that are like no other row in them%s:\n",
           is_every ? "Sets of columns" : "Small sets of columns that single people out",
           !is_every && in->n_set_columns < in->n_columns ? " (identifiers are not looked at)" : "");
    table = cli_table_new("lrr");
    cli_table_add(table, "columns");
    cli_table_add(table, "rows alone");
    cli_table_add(table, "share");
    for (size_t i = 0; i < in->n_sets; i++) {
        const covey_inspected_set *set = &in->set[i];
        char names[400] = "", count[CLI_COUNT_SIZE];
        size_t used = 0;

        for (size_t c = 0; c < set->n && used < sizeof names; c++)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%.120s", c ? ", " : "",
                                     in->column[set->column[c]].name);
        cli_table_add(table, "%s", names);
        cli_table_add(table, "%s", cli_count(count, set->n_unique));
        cli_table_add(table, "%.1f%%", 100.0 * share_alone(in, set));
    }
    return cli_table_print(table, 2, err);
}

static const char *brief(const char *text)
{
    enum { LONGEST = 40 };

    return !text ? "-" : strlen(text) > LONGEST ? "(a long text)" : text;
}

/* Values of the table, for those who asked for them. */
static covey_status print_values(const covey_inspection *in, covey_error *err)
{
    static const char *const heads[] = {"column", "smallest", "largest", "commonest"};
    cli_table *table = cli_table_new("llll");

    putchar('\n');
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        cli_table_add(table, "%s", heads[i]);
    for (size_t i = 0; i < in->n_columns; i++) {
        const covey_inspected_column *c = &in->column[i];
        char common[600] = "";
        size_t used = 0;

        for (size_t v = 0; v < c->n_commonest && used < sizeof common; v++)
            used += (size_t)snprintf(common + used, sizeof common - used, "%s%s (%.1f%%)", v ? ", " : "",
                                     brief(c->commonest[v].text),
                                     100.0 * (double)c->commonest[v].n_rows / (double)in->n_rows);
        cli_table_add(table, "%s", c->name);
        cli_table_add(table, "%s", brief(c->smallest));
        cli_table_add(table, "%s", brief(c->largest));
        cli_table_add(table, "%s", common);
    }
    return cli_table_print(table, 0, err);
}

/* What may mean "missing", and what lies beside the table. */
static void print_hints(const covey_inspection *in)
{
    size_t n_files = 0;

    for (size_t i = 0; i < in->n_columns; i++) {
        const char *suspect = in->column[i].suspect;
        bool is_first = suspect != NULL;

        for (size_t j = 0; j < i && is_first; j++)
            is_first = !in->column[j].suspect || strcmp(in->column[j].suspect, suspect) != 0;
        if (!is_first)
            continue;
        if (strchr(suspect, ','))
            printf(
                "\nDo %s mean that the value is missing? Then name them, too (--null=%s). They stand among numbers in",
                suspect, suspect);
        else
            printf(
                "\nDoes %s mean that the value is missing? Then name it, too (--null%s%s). It stands among numbers in",
                suspect, suspect[0] == '-' ? "=" : " ", suspect);
        for (size_t j = i, n = 0; j < in->n_columns; j++)
            if (in->column[j].suspect && strcmp(in->column[j].suspect, suspect) == 0)
                printf("%s %s", n++ ? "," : "", cli_shown(in->column[j].name));
        puts(".");
    }
    for (size_t i = 0; i < in->n_columns; i++)
        if (in->column[i].hierarchy_file)
            printf("%s %s", n_files++ ? "," : "\nHierarchies lie beside the table, and a policy names them, for",
                   cli_shown(in->column[i].name));
    if (n_files)
        puts(".");
}

static void print_null(const covey_inspection *in)
{
    if (!in->null_guessed || in->n_null < 2)
        return;
    fputs("Taken for missing cells, beside empty ones:", stdout);
    for (size_t i = 1; i < in->n_null; i++)
        printf("%s \"%s\"", i > 1 ? "," : "", cli_shown(in->null[i]));
    puts(" (--null says otherwise).");
}

/* How numbers and dates are written, where it is not as covey writes them. */
static void print_written(const covey_inspection *in)
{
    for (size_t i = 0; i < in->n_columns; i++) {
        const covey_inspected_column *c = &in->column[i];

        if (c->other_decimal)
            printf("\nColumn %s looks like numbers, but does a comma or a point stand before decimal places? A "
                   "policy says `decimal: \",\"` or `decimal: \".\"`.\n",
                   cli_shown(c->name));
        else if (c->recoding.decimal)
            printf("\nColumn %s has numbers with %s: a policy says `decimal: \"%c\"`.\n", cli_shown(c->name),
                   c->recoding.decimal == ',' ? "a decimal comma" : "marks between thousands", c->recoding.decimal);
        else if (c->other_date_format)
            printf(
                "\nColumn %s looks like dates, but which is the day and which the month? A policy says `date-format: "
                "%s` or `date-format: %s`.\n",
                cli_shown(c->name), c->recoding.date_format, c->other_date_format);
        else if (c->recoding.date_format)
            printf("\nColumn %s has dates: a policy says `date-format: %s`.\n", cli_shown(c->name),
                   c->recoding.date_format);
    }
}

/* Is the first line a row, and what are blanks around cells? */
static void print_cells(const covey_inspection *in)
{
    size_t n_named = 0, n_blanks = 0;

    for (size_t i = 0; i < in->n_columns; i++)
        n_named += in->column[i].is_named_by_value;
    if (!in->no_header && 2 * n_named > in->n_columns)
        puts("\nIs the first line a row of the table? Most of its cells occur again in their columns. If it is, say "
             "--header=false, and name the columns with --names.");
    for (size_t i = 0; !in->trim && i < in->n_columns; i++)
        if (in->column[i].n_blanks > 0)
            printf("%s %s",
                   n_blanks++ ? ","
                              : "\nCells begin or end with blanks, which tell values apart and make numbers texts, in",
                   cli_shown(in->column[i].name));
    if (n_blanks)
        puts(": --trim takes them off.");
}

/* Why columns are text that look like numbers. */
static void print_long_numbers(const covey_inspection *in)
{
    for (size_t i = 0; i < in->n_columns; i++)
        if (in->column[i].long_number)
            printf(
                "\nColumn %s is text: it holds numbers of more than 18 digits. Drop it if they are keys; round it if "
                "they are amounts.\n",
                cli_shown(in->column[i].name));
}

static void print_formulas(const covey_inspection *in)
{
    char count[CLI_COUNT_SIZE];

    for (size_t i = 0; i < in->n_columns; i++)
        if (in->column[i].n_formulas > 0)
            printf("\nBeware: %s row%s of column %s begin%s like a formula (= + - @), which a spreadsheet runs when it "
                   "opens the table or a release of it.\n",
                   cli_count(count, in->column[i].n_formulas), in->column[i].n_formulas == 1 ? "" : "s",
                   cli_shown(in->column[i].name), in->column[i].n_formulas == 1 ? "s" : "");
}

static void print_keys(const covey_inspection *in)
{
    char keys[CLI_COUNT_SIZE], rows[CLI_COUNT_SIZE];
    bool has_entity = false;

    for (size_t i = 0; i < in->n_columns; i++)
        has_entity |= in->column[i].role == COVEY_ROLE_ENTITY;
    for (size_t i = 0; i < in->n_columns; i++) /* where one is proposed, the others are households of its persons */
        if (in->column[i].is_repeated_key && (!has_entity || in->column[i].role == COVEY_ROLE_ENTITY))
            printf("\nBeware: column %s looks like the key of persons, households or firms with several rows each (%s "
                   "of them in %s rows). With the role entity promises hold over these, too; without it the rows of a "
                   "class "
                   "may all be one person's.\n",
                   cli_shown(in->column[i].name), cli_count(keys, in->column[i].n_distinct),
                   cli_count(rows, in->n_rows - in->column[i].n_missing));
}

static covey_status print_inspection(const covey_inspection *in, const json_t *codebook, const char *policy,
                                     const cli_call *call, covey_error *err)
{
    const bool has_values = cli_is_given(call, "values");
    char rows[CLI_COUNT_SIZE];

    printf("%s: %s row%s, %zu column%s\n\n", cli_shown(in->path), cli_count(rows, in->n_rows),
           in->n_rows == 1 ? "" : "s", in->n_columns, in->n_columns == 1 ? "" : "s");
    COVEY_TRY(print_columns(in, codebook, err));
    if (has_values)
        COVEY_TRY(print_values(in, err));
    print_labels(in, codebook);
    print_combinations(in);
    COVEY_TRY(print_sets(in, cli_is_given(call, "together") || cli_is_given(call, "quasi"), err));
    print_null(in);
    print_cells(in);
    print_written(in);
    print_long_numbers(in);
    print_hints(in);
    print_formulas(in);
    print_keys(in);
    if (policy)
        printf("\nWrote %s. The roles come from names and counts alone: go through them before you use it.\n",
               cli_shown(policy));
    else
        puts("\nThe roles come from names and counts alone: you decide. --policy FILE writes a policy to start from.");
    return COVEY_OK;
}

/* Which sets of columns to list, where that is not left to the library. */
static covey_status read_sets(covey_inspect_options *options, const covey_policy *policy, const cli_call *call,
                              covey_error *err)
{
    enum { USUAL = 3 };
    int64_t most = USUAL;
    const char **names;

    if (!cli_is_given(call, "together") && !cli_is_given(call, "quasi"))
        return COVEY_OK;
    COVEY_TRY(cli_integer(&most, call, "together", 1, INT32_MAX, err));
    options->together = (size_t)most;
    if (!cli_is_given(call, "quasi"))
        return COVEY_OK;
    if (!(names = calloc(policy->n_attributes, sizeof *names)))
        return covey_fail(err, COVEY_ENOMEM, "no memory for the names of columns");
    for (size_t i = 0; i < policy->n_attributes; i++)
        names[i] = policy->attribute[i].name;
    options->among = names;
    options->n_among = policy->n_attributes;
    return COVEY_OK;
}

/* How to read the table: the options of the same name that policies have, understood by the same code. */
static covey_status read_options(covey_policy **out, covey_inspect_options *options, const cli_call *call,
                                 covey_error *err)
{
    static const char *const names[] = {"delimiter", "null", "trim", "header", "names", "quasi"};
    covey_status status = covey_policy_new(out, err);

    for (size_t i = 0; i < call->n_given; i++)
        for (size_t j = 0; status == COVEY_OK && j < sizeof names / sizeof *names; j++)
            if (strcmp(call->given[i].name, names[j]) == 0)
                status = covey_policy_set(*out, names[j], call->given[i].value, err);
    if (status == COVEY_OK && (*out)->n_names && !(*out)->no_header)
        status = covey_fail(err, COVEY_EINVAL, "--names is for a table without a header: add --header false");
    if (status == COVEY_OK)
        status = read_sets(options, *out, call, err);
    if (status != COVEY_OK)
        return status;
    options->no_header = (*out)->no_header;
    options->names = (*out)->names;
    options->n_names = (*out)->n_names;
    options->delimiter = (*out)->delimiter;
    options->trim = (*out)->trim;
    if (cli_is_given(call, "null")) {
        options->null = (*out)->null;
        options->n_null = (*out)->n_null;
    }
    return COVEY_OK;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    const char *path = cli_value(call, "policy");
    covey_inspect_options options = {0};
    covey_inspection *inspection = NULL;
    covey_policy *policy = NULL;
    json_t *codebook = NULL;
    covey_status status = read_options(&policy, &options, call, err);

    (void)yes;
    if (status == COVEY_OK)
        status = cli_memory_limit(&options.memory_limit, call, err);
    if (status == COVEY_OK && path)
        status = cli_spare_input(path, call->operand[0], err);
    if (status == COVEY_OK)
        status = covey_inspect(&inspection, call->operand[0], &options, &call->run, err);
    cli_progress_end();
    if (status == COVEY_OK && path)
        status = covey_inspection_write_policy(inspection, path, cli_is_given(call, "force"), err);
    if (status == COVEY_OK && inspection->codebook)
        codebook = json_loads(inspection->codebook, 0, NULL);
    if (status == COVEY_OK && call->json)
        status = cli_print_json(
            json_inspection(inspection, json_object_get(codebook, "columns"), path, cli_is_given(call, "values")), err);
    else if (status == COVEY_OK && (!call->quiet || !path))
        status = print_inspection(inspection, json_object_get(codebook, "columns"), path, call, err);
    json_decref(codebook);
    free((void *)(uintptr_t)options.among);
    covey_inspection_free(inspection);
    covey_policy_free(policy);
    return status;
}

static const cli_option options[] = {
    {.name = "policy",
     .is_target = true,
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "write a policy to start from, with a comment for every choice"},
    {.name = "force", .letter = 'f', .help = "replace a policy that was written there before"},
    {.name = "delimiter", .argument = "CHARACTER", .help = "between the cells of a line, or tab; guessed if not given"},
    {.name = "null",
     .argument = "TEXT,...",
     .help = "cells that mean \"missing\"; if not given, empty cells and the likes of ? and NA"},
    {.name = "values",
     .help = "show the smallest, largest and commonest values, too: then the output is as confidential as the table"},
    {.name = "together",
     .argument = "N",
     .help = "count the rows that are alone for every set of up to N columns, 3 if only --quasi is given, instead of "
             "searching "
             "for small sets that single out most"},
    {.name = "quasi", .argument = "NAME,...", .help = "sets of these columns alone"},
    {.name = "header",
     .argument = "true|false",
     .is_switch = true,
     .help = "does the first line name the columns? true if not given"},
    {.name = "names",
     .argument = "NAME,...",
     .help = "of the columns of a table without a header; 1, 2, ... if not given"},
    {.name = "trim",
     .argument = "true|false",
     .is_switch = true,
     .help = "take blanks off both ends of cells, outside quotes"},
    {.name = "memory-limit",
     .argument = "SIZE",
     .help = "that a table may take: MiB, or with a unit (200M, 2G); a compressed one is refused whose text has more "
             "than a quarter of it; "
             "default half of what is free"},
};

const cli_command cli_command_inspect = {
    .name = "inspect",
    .summary = "looks at the columns of a table, and writes a policy to start from",
    .operands = "DATA",
    .min_operands = 1,
    .max_operands = 1,
    .words = CLI_FILE,
    .description =
        "Counts the different values and missing cells of every column and suggests a role for each. Says how "
        "many rows the suggested quasi-identifiers single out together, and which small sets of columns do. "
        "Shows counts and no cells, except what may mean \"missing\", so that the output can be passed on "
        "(--values shows more). Of a file with labels it shows these, too: they are the data themselves where a "
        "program made codes of texts.\n\n"
        "  covey inspect people.csv\n"
        "  covey inspect people.csv --policy people.yaml\n\n"
        "The suggestions come from names and counts. In doubt a column is called a quasi-identifier, because a "
        "column that is wrongly called insensitive cannot be taken back once it is published. Only you know what "
        "others know.",
    CLI_OPTIONS(options),
    .run = run,
};
