/* covey attack: what an adversary gains from a release. */
#include "args.h"
#include "print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "original.h"
#include "policy_options.h"
#include "progress.h"

/* --- for programs --- */

static json_t *json_value(const covey_attack_value *value)
{
    switch (value->kind) {
    case COVEY_ATTACK_INTEGER:
        return json_integer((json_int_t)value->integer);
    case COVEY_ATTACK_YES_NO:
        return json_boolean(value->integer != 0);
    case COVEY_ATTACK_TEXT:
        return cli_json_text(value->text);
    case COVEY_ATTACK_NUMBER:
        break;
    }
    return cli_json_real(value->number);
}

static json_t *json_table(const covey_attack_table *table)
{
    json_t *list = json_array();

    for (size_t row = 0; row < table->n_rows; row++) {
        json_t *object = json_object();

        for (size_t c = 0; c < table->n_columns; c++)
            json_object_set_new(object, table->column[c], json_value(&table->value[row * table->n_columns + c]));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *json_interval(const covey_attack_result *r)
{
    return isnan(r->interval_low)
               ? json_null()
               : json_pack("[o, o]", cli_json_real(r->interval_low), cli_json_real(r->interval_high));
}

static json_t *json_result(const covey_attack_result *r)
{
    json_t *object = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:b, s:o, s:o}", "name", covey_attack_name(r->attack),
        "attribute", cli_json_text_or_null(r->attribute), "level", r->applies ? json_string(r->level) : json_null(),
        "over", r->applies ? json_string(r->over) : json_null(), "figure", cli_json_real(r->figure), "figure_exact",
        cli_json_text_or_null(r->figure_text), "prior", cli_json_real(r->prior), "ceiling", cli_json_real(r->ceiling),
        "bound", cli_json_real(r->bound), "interval", json_interval(r), "verdict",
        covey_attack_verdict_name(r->verdict), "applies", r->applies, "reason", cli_json_text_or_null(r->why_not),
        "words", cli_json_text_or_null(r->words));

    for (size_t i = 0; i < r->n_details; i++)
        json_object_set_new(object, r->detail[i].name, json_value(&r->detail[i].value));
    for (size_t i = 0; i < r->n_tables; i++)
        json_object_set_new(object, r->table[i].name, json_table(&r->table[i]));
    return object;
}

static json_t *json_report(const covey_attack_report *report)
{
    json_t *list = json_array();

    for (size_t i = 0; i < report->n_results; i++)
        json_array_append_new(list, json_result(&report->result[i]));
    return json_pack("{s:o, s:o, s:s, s:I, s:I, s:I, s:I}", "attacks", list, "released_before",
                     report->n_before >= 0 ? json_integer((json_int_t)report->n_before) : json_null(), "form",
                     report->form, "rows", (json_int_t)report->n_rows, "published_rows",
                     (json_int_t)report->n_published, "suppressed_rows", (json_int_t)report->n_suppressed, "classes",
                     (json_int_t)report->n_classes);
}

/* --- for people --- */

static void add_number(cli_table *table, double value)
{
    if (isnan(value))
        cli_table_add(table, "-");
    else
        cli_table_add(table, "%.4g", value);
}

static void add_value(cli_table *table, const covey_attack_value *value)
{
    char count[CLI_COUNT_SIZE];

    switch (value->kind) {
    case COVEY_ATTACK_NUMBER:
        add_number(table, value->number);
        break;
    case COVEY_ATTACK_INTEGER:
        cli_table_add(table, "%s", cli_count(count, value->integer));
        break;
    case COVEY_ATTACK_TEXT:
        cli_table_add(table, "%s", value->text);
        break;
    case COVEY_ATTACK_YES_NO:
        cli_table_add(table, "%s", value->integer ? "yes" : "no");
        break;
    }
}

static bool has_attributes(const covey_attack_report *report)
{
    const char *first = "";

    for (size_t i = 0; i < report->n_results; i++) {
        if (first[0] && report->result[i].attribute[0] && strcmp(first, report->result[i].attribute) != 0)
            return true;
        first = report->result[i].attribute[0] ? report->result[i].attribute : first;
    }
    return false;
}

static void name_result(char *out, size_t size, const covey_attack_result *r, bool with_attribute)
{
    snprintf(out, size, with_attribute && r->attribute[0] ? "%s of %s" : "%s", covey_attack_name(r->attack),
             r->attribute);
}

static covey_status print_overview(const covey_attack_report *report, bool with_attribute, covey_error *err)
{
    static const char *const heads[] = {"attack", "level", "figure", "prior", "ceiling", "bound", "verdict"};
    cli_table *table = cli_table_new("llrrrrl");
    char name[256];

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        cli_table_add(table, "%s", heads[i]);
    for (size_t i = 0; i < report->n_results; i++) {
        const covey_attack_result *r = &report->result[i];

        if (!r->applies)
            continue;
        name_result(name, sizeof name, r, with_attribute);
        cli_table_add(table, "%s", name);
        cli_table_add(table, "%s", r->level);
        add_number(table, r->figure);
        add_number(table, r->prior);
        add_number(table, r->ceiling);
        add_number(table, r->bound);
        cli_table_add(table, "%s", covey_attack_verdict_name(r->verdict));
    }
    return cli_table_print(table, 2, err);
}

static covey_status print_details(const covey_attack_result *r, covey_error *err)
{
    cli_table *table = cli_table_new("lr");

    for (size_t i = 0; i < r->n_details; i++) {
        cli_table_add(table, "%s", r->detail[i].name);
        add_value(table, &r->detail[i].value);
    }
    if (!isnan(r->interval_low)) {
        cli_table_add(table, "interval");
        cli_table_add(table, "%.4g to %.4g", r->interval_low, r->interval_high);
    }
    return cli_table_print(table, 4, err);
}

static covey_status print_table(const covey_attack_table *t, covey_error *err)
{
    char align[32];
    cli_table *table;

    for (size_t c = 0; c < t->n_columns && c + 1 < sizeof align; c++) {
        align[c] = t->n_rows > 0 && t->value[c].kind == COVEY_ATTACK_TEXT ? 'l' : 'r';
        align[c + 1] = '\0';
    }
    printf("    %s\n", cli_shown(t->name));
    table = cli_table_new(align);
    for (size_t c = 0; c < t->n_columns; c++)
        cli_table_add(table, "%s", t->column[c]);
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
        add_value(table, &t->value[i]);
    return cli_table_print(table, 6, err);
}

/* What an attack found in words; with everything it found if it was asked for by name. */
static covey_status print_result(const covey_attack_result *r, bool with_attribute, bool all, covey_error *err)
{
    char name[256], words[2048];

    name_result(name, sizeof name, r, with_attribute);
    snprintf(words, sizeof words, "%s%s", r->applies ? "" : "does not apply: ", r->applies ? r->words : r->why_not);
    putchar('\n');
    cli_print_folded(stdout, 4, printf("  %s: ", cli_shown(name)), words);
    if (!r->applies || !all)
        return COVEY_OK;
    COVEY_TRY(print_details(r, err));
    for (size_t i = 0; i < r->n_tables; i++)
        COVEY_TRY(print_table(&r->table[i], err));
    return COVEY_OK;
}

static covey_status print_report(const covey_attack_report *report, const char *release, bool all, covey_error *err)
{
    const bool with_attribute = has_attributes(report);
    char published[CLI_COUNT_SIZE], suppressed[CLI_COUNT_SIZE], units[CLI_COUNT_SIZE + 16];

    printf("%s: %s row%s in %s, %s suppressed\n\n", cli_shown(release), cli_count(published, report->n_published),
           report->n_published == 1 ? "" : "s", cli_units(units, report->form, report->n_classes),
           cli_count(suppressed, report->n_suppressed));
    COVEY_TRY(print_overview(report, with_attribute, err));
    for (size_t i = 0; i < report->n_results; i++)
        COVEY_TRY(print_result(&report->result[i], with_attribute, all, err));
    return COVEY_OK;
}

/* --- the command --- */

/* Names behind --attack, each alone or several with commas, and operands behind the release. */
static covey_status collect_names(const char ***out, size_t *n_out, char **memory, const cli_call *call,
                                  covey_error *err)
{
    size_t size = 1, n = 0, used = 0, from = 0;
    const char *value;

    while ((value = cli_next_value(call, "attack", &from)))
        size += strlen(value) + 1;
    for (size_t i = 1; i < call->n_operands; i++)
        size += strlen(call->operand[i]) + 1;
    *memory = calloc(size, 1);
    *out = calloc(size, sizeof **out);
    if (!*memory || !*out)
        return covey_fail(err, COVEY_ENOMEM, "no memory for the names of attacks");
    from = 0;
    for (size_t i = 1;;) {
        if (!(value = cli_next_value(call, "attack", &from)) &&
            !(value = i < call->n_operands ? call->operand[i++] : NULL))
            break;
        for (size_t length; *value; value += length + (value[length] == ',')) {
            length = strcspn(value, ",");
            if (length == 0)
                continue;
            (*out)[n++] = memcpy(*memory + used, value, length);
            used += length + 1;
        }
    }
    *n_out = n;
    if (n == 0 && cli_is_given(call, "attack"))
        return covey_fail(err, COVEY_EINVAL, "--attack names no attack; `covey attacks` lists them");
    return COVEY_OK;
}

/* The other release; of several the first, and those behind it. */
static covey_status read_with(covey_attack_options *o, const char ***memory, const cli_call *call, covey_error *err)
{
    size_t n;

    COVEY_TRY(cli_values(memory, &n, call, "with", err));
    if (n == 0)
        return COVEY_OK;
    o->with = (*memory)[0];
    o->also = *memory + 1;
    o->n_also = n - 1;
    return COVEY_OK;
}

static covey_status read_options(covey_attack_options *o, const cli_call *call, covey_error *err)
{
    o->population = cli_value(call, "population");
    o->ledger = cli_value(call, "ledger");
    o->links = cli_value(call, "links");
    o->with_links = cli_value(call, "with-links");
    o->with_original = cli_value(call, "with-original");
    o->releases_ledger = cli_value(call, "releases-ledger");
    if (call->n_operands > 1 && !cli_is_given(call, "attack"))
        return covey_fail(err, COVEY_EINVAL,
                          "attack takes one release; a second one is --with %s, and attacks are named by --attack",
                          call->operand[1]);
    COVEY_TRY(cli_integer(&o->k, call, "k", 1, UINT32_MAX, err));
    COVEY_TRY(cli_integer(&o->window, call, "window", 1, UINT32_MAX, err));
    return cli_ratio(&o->delta_max, call, "delta-max", "0", "1", err);
}

/* The policy is run again for minimality alone; where that was not asked for by name, the policy may be one that cannot
 * be run, or one of units, whose worlds it does not know. */
static covey_status make_program(covey_attack_program **out, const covey_attack_options *o, covey_policy *policy,
                                 covey_error *err)
{
    bool is_named = false;

    for (size_t i = 0; i < o->n_names; i++)
        is_named |= strcmp(o->name[i], "minimality") == 0;
    if (!policy || (o->n_names > 0 && !is_named))
        return COVEY_OK;
    if (is_named)
        COVEY_TRY(covey_policy_check(policy, err));
    else if (covey_policy_check(policy, NULL) != COVEY_OK || cli_policy_find(policy, COVEY_ROLE_ENTITY))
        return COVEY_OK;
    return covey_program_new(out, policy, err);
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    covey_attack_options options = {0};
    covey_attack_report *report = NULL;
    cli_original original = {0};
    covey_attack_program *program = NULL;
    const char **names = NULL, **with = NULL;
    char *memory = NULL;
    covey_status status;

    (void)yes;
    COVEY_TRY(read_options(&options, call, err));
    status = collect_names(&names, &options.n_names, &memory, call, err);
    options.name = names;
    if (status == COVEY_OK)
        status = read_with(&options, &with, call, err);
    if (status == COVEY_OK)
        status = cli_original_read(&original, call, err);
    options.original = original.source;
    if (cli_is_given(call, "entity") || !options.links) /* which says itself what a policy does */
        options.entity = original.entity;
    options.weight = original.weight;
    if (status == COVEY_OK)
        status = make_program(&program, &options, original.policy, err);
    options.program = program;
    if (status == COVEY_OK)
        status = covey_attack_release(&report, call->operand[0], &options, &call->run, err);
    cli_progress_end();
    if (status == COVEY_OK)
        status = call->json ? cli_print_json(json_report(report), err)
                            : print_report(report, call->operand[0], options.n_names > 0, err);
    covey_attack_report_free(report);
    covey_program_free(program);
    cli_original_clear(&original);
    free(names);
    free(with);
    free(memory);
    return status;
}

static const cli_option options[] = {
    {.name = "original",
     .argument = "DATA",
     .words = CLI_FILE,
     .help = "the table that the release was made from: what the adversary concludes is compared with it"},
    {.name = "policy",
     .argument = "POLICY",
     .words = CLI_FILE,
     .help = "the policy of the release: names the original, and the columns with the roles entity and weight; "
             "minimality runs it again"},
    {.name = "with",
     .argument = "RELEASE2",
     .words = CLI_FOLDER,
     .help =
         "another release of the same rows: what both tell together; with --releases-ledger the option once for each "
         "other release"},
    {.name = "attack",
     .argument = "NAME",
     .words = CLI_ATTACK,
     .help = "run this attack only, and print all that it found; may be given several times"},
    {.name = "population",
     .argument = "DATA",
     .words = CLI_FILE,
     .help = "a table of people with the quasi-identifiers, those of the release among them: what membership gives "
             "away, and journalists' risk"},
    {.name = "ledger",
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "a file that remembers what was released: warns where the same sensitive values were before, and adds "
             "this release"},
    {.name = "links",
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "the publisher's list of the class of each row (anonymize --links), with --original: persons are counted "
             "exactly, and not as their promises bound them"},
    {.name = "with-links",
     .argument = "FILE",
     .words = CLI_FILE,
     .help = "the list of the classes of the other release: composition looks at persons, whose classes in both are "
             "put together"},
    {.name = "with-original",
     .argument = "DATA",
     .words = CLI_FILE,
     .help = "the table of the other release, where it is another one with some of the same persons, with both lists"},
    {.name = "releases-ledger",
     .argument = "FILE",
     .words = CLI_FILE,
     .help =
         "the ledger of m-invariant releases (anonymize --ledger): with --original it says which row of the table "
         "stands in which class, which is needed where rows are made up; with --with it lets composition look at the "
         "people in both releases, without an original"},
    {.name = "entity",
     .argument = "COLUMN",
     .help = "the original's column that says which rows belong to one household, firm or person"},
    {.name = "weight",
     .argument = "COLUMN",
     .help = "the original's column of sampling weights: how many people a row stands for; one that the release "
             "publishes is taken in any case"},
    {.name = "k",
     .argument = "K",
     .help = "the smallest class that re-identification calls safe, by default the promised k"},
    {.name = "window",
     .argument = "N",
     .help = "how many neighbouring values similarity takes together, by default those promised, or 10"},
    {.name = "delta-max",
     .argument = "D",
     .help = "the largest chance of being in the release that membership calls safe"},
};

const cli_command cli_command_attack = {
    .name = "attack",
    .summary = "shows what an adversary gains from a release",
    .operands = "RELEASE",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .words = CLI_FOLDER,
    .description =
        "Does what an adversary would do with a release, and compares the outcome with the table that it was "
        "made from. Prints the figure of each attack, what the adversary would reach without the release (prior) "
        "and with the original (ceiling), and the bound that follows from the promises, if any. `covey attacks` "
        "lists the attacks.\n\n"
        "  covey attack release --original people.csv\n"
        "  covey attack may --original people.csv --with june --attack composition\n\n"
        "A figure above its bound \"exceeds\"; the exit code is 0 all the same. Where nothing is promised, "
        "figures are information. The level says what the adversary knows: A0 the table's shares; A1 a person's "
        "quasi-identifiers; A2 also that the person is in the table, and in which class; A3 also all "
        "quasi-identifiers of all rows; A4 also the program and its parameters.\n\n"
        "The results show sensitive values. They are not for publication.",
    CLI_OPTIONS(options),
    .run = run,
};
