/* The command line by table, on top of getopt_long. */
#include "args.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "policy_options.h"

static const cli_option common_options[] = {
    {.name = "json", .help = "print one JSON object instead of text", .heading = "Common options"},
    {.name = "quiet",
     .letter = 'q',
     .help = "no progress and no warnings on stderr, and no summary of what was written"},
    {.name = "threads",
     .argument = "N",
     .help = "use N threads; the results do not depend on it (default: one per processor)"},
    {.name = "seed",
     .argument = "N",
     .help = "make what is random repeatable, for tests and experiments: a known seed undoes a shuffle"},
    {.name = "help", .letter = 'h', .help = "show this help"},
};
enum { N_COMMON = sizeof common_options / sizeof *common_options };

static bool is_named(const cli_option *options, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(options[i].name, name) == 0)
            return true;
    return false;
}

cli_option *cli_options_of(const cli_command *command, size_t *n_out)
{
    size_t n_policy = command->takes_policy ? cli_policy_options(NULL) : 0; /* at most: methods share parameters */
    cli_option *all = calloc(command->n_options + n_policy + N_COMMON, sizeof *all);
    cli_option *policy = calloc(n_policy + 1, sizeof *policy);
    size_t n = 0;

    if (!all || !policy) {
        free(policy);
        free(all);
        return NULL;
    }
    for (size_t i = 0; i < command->n_options; i++)
        all[n++] = command->options[i];
    if (n_policy > 0)
        n_policy = cli_policy_options(policy);
    /* A command's own option and the common ones win over a policy's key of the same name. */
    for (size_t i = 0; i < n_policy; i++)
        if (!is_named(all, n, policy[i].name) && !is_named(common_options, N_COMMON, policy[i].name))
            all[n++] = policy[i];
    memcpy(all + n, common_options, sizeof common_options);
    free(policy);
    *n_out = n + N_COMMON;
    return all;
}

/* The first model with a parameter of that name; NULL: none has. */
static const char *model_with(const char *parameter)
{
    for (size_t m = 0; m < covey_model_count(); m++) {
        size_t n;
        const covey_param *params = covey_model_params(covey_model_at(m), &n);

        for (size_t i = 0; i < n; i++)
            if (strcmp(params[i].name, parameter) == 0)
                return covey_model_name(covey_model_at(m));
    }
    return NULL;
}

static covey_status unknown_option(const cli_command *command, const cli_option *options, size_t n, const char *word,
                                   covey_error *err)
{
    const size_t size = strcspn(word, "=");
    char *name = strndup(word, size);
    const char **names = calloc(n, sizeof *names), *near = NULL;
    covey_status status;

    for (size_t i = 0; names && i < n; i++)
        names[i] = options[i].name;
    if (name && names)
        near = covey_nearest_name(name, names, n);
    if (name && command->takes_policy && model_with(name))
        status = covey_fail(err, COVEY_EINVAL, "--%s is no option, but a parameter of a promise: --model %s:%s=...",
                            name, model_with(name), name);
    else if (near)
        status = covey_fail(err, COVEY_EINVAL, "%s has no option --%s; did you mean --%s?", command->name, name, near);
    else
        status = covey_fail(err, COVEY_EINVAL, "%s has no option --%s; `covey %s --help` lists them", command->name,
                            name ? name : "?", command->name);
    free(names);
    free(name);
    return status;
}

/* The tables that getopt wants.  An option's value is its place in ours. */
struct getopt_tables {
    struct option *longs; /* [n + 1] */
    char *shorts;         /* ":" and up to two characters for each */
};

enum { FIRST_LONG = 256 };

static bool make_tables(struct getopt_tables *out, const cli_option *options, size_t n)
{
    char *s;

    out->longs = calloc(n + 1, sizeof *out->longs);
    s = out->shorts = calloc(2 * n + 2, 1);
    if (!out->longs || !out->shorts)
        return false;
    *s++ = ':';
    for (size_t i = 0; i < n; i++) {
        const int has = !options[i].argument   ? no_argument
                        : options[i].is_switch ? optional_argument
                                               : required_argument;

        out->longs[i] = (struct option){options[i].name, has, NULL, FIRST_LONG + (int)i};
        if (options[i].letter) {
            *s++ = options[i].letter;
            if (options[i].argument)
                *s++ = ':';
        }
    }
    return true;
}

/* Is it what a switch may be followed by: true or false, or one of its other words? */
static bool is_word_of(const cli_option *option, const char *word)
{
    for (size_t i = 0; word && option->choices && option->choices[i]; i++)
        if (strcmp(option->choices[i], word) == 0)
            return true;
    return word && (!strcmp(word, "true") || !strcmp(word, "false") || !strcmp(word, "yes") || !strcmp(word, "no"));
}

/* The option whose name stands behind a single hyphen, in the word that getopt is in or has just passed. */
static const cli_option *meant_long(const cli_option *options, size_t n, char **argv)
{
    for (int at = optind - 1; at <= optind && argv[at]; at++)
        for (size_t i = 0; argv[at][0] == '-' && i < n; i++)
            if (strncmp(argv[at] + 1, options[i].name, strlen(options[i].name)) == 0 &&
                (!argv[at][1 + strlen(options[i].name)] || argv[at][1 + strlen(options[i].name)] == '='))
                return &options[i];
    return NULL;
}

/* getopt's ':' and '?': what was wrong with the word that it has just passed. */
static covey_status complain(const cli_command *command, const cli_option *options, size_t n, int answer, char **argv,
                             covey_error *err)
{
    const char *word = argv[optind - 1];
    const cli_option *option = NULL;

    if (optopt >= FIRST_LONG)
        option = &options[optopt - FIRST_LONG];
    for (size_t i = 0; i < n && !option && optopt > 0; i++)
        if (options[i].letter == optopt)
            option = &options[i];
    if (option && answer == ':')
        return covey_fail(err, COVEY_EINVAL, "option --%s needs a value: --%s %s", option->name, option->name,
                          option->argument);
    if (option)
        return covey_fail(err, COVEY_EINVAL, "option --%s takes no value", option->name);
    if (optopt > 0 && (option = meant_long(options, n, argv)))
        return covey_fail(err, COVEY_EINVAL, "-%s: options of several letters begin with two hyphens: --%s",
                          option->name, option->name);
    if (optopt > 0)
        return covey_fail(err, COVEY_EINVAL, "%s has no option -%c; `covey %s --help` lists them", command->name,
                          optopt, command->name);
    return unknown_option(command, options, n, word + 2, err);
}

/* getopt takes the beginning of a name for the name.  Every new method parameter would change what such a beginning
 * means, so that only whole names are taken here. */
static bool was_abbreviated(const cli_option *option, char **argv)
{
    const char *word = optarg && optarg == argv[optind - 1] ? argv[optind - 2] : argv[optind - 1];

    return strncmp(word, "--", 2) != 0 || strcspn(word + 2, "=") != strlen(option->name);
}

static const char *abbreviation(char **argv)
{
    return (optarg && optarg == argv[optind - 1] ? argv[optind - 2] : argv[optind - 1]) + 2;
}

static covey_status read_options(cli_call *call, bool *help_out, cli_given *given, const struct getopt_tables *tables,
                                 const cli_option *options, size_t n, int argc, char **argv, covey_error *err)
{
    int answer;

    opterr = 0;
    optind = 0; /* glibc: start again, with permutation */
    while ((answer = getopt_long(argc, argv, tables->shorts, tables->longs, NULL)) != -1) {
        const cli_option *option = NULL;
        const char *value = optarg;

        if (answer == ':' || answer == '?')
            return complain(call->command, options, n, answer, argv, err);
        if (answer >= FIRST_LONG) {
            option = &options[answer - FIRST_LONG];
            if (was_abbreviated(option, argv))
                return unknown_option(call->command, options, n, abbreviation(argv), err);
        }
        for (size_t i = 0; !option && i < n; i++)
            if (options[i].letter == answer)
                option = &options[i];
        if (option->is_switch && !value)
            value = optind < argc && is_word_of(option, argv[optind]) ? argv[optind++] : "true";
        if (option->is_target && value && strcmp(value, "-") == 0)
            return covey_fail(err, COVEY_EINVAL,
                              "--%s -: - does not mean standard output; give a name, such as ./- for a file called -",
                              option->name);
        given[call->n_given++] = (cli_given){option->name, option->argument ? value : NULL};
        if (strcmp(option->name, "help") == 0) {
            *help_out = true;
            return COVEY_OK;
        }
    }
    return COVEY_OK;
}

static covey_status check_operands(const cli_call *call, covey_error *err)
{
    const cli_command *command = call->command;

    if (call->n_operands < command->min_operands)
        return covey_fail(err, COVEY_EINVAL, "%s needs %s; `covey %s --help` shows how", command->name,
                          command->operands, command->name);
    if (call->n_operands <= command->max_operands)
        return COVEY_OK;
    if (command->max_operands == 0)
        return covey_fail(err, COVEY_EINVAL, "%s takes options only, not \"%s\"", command->name, call->operand[0]);
    return covey_fail(err, COVEY_EINVAL, "%s takes %s only, not \"%s\" as well%s", command->name, command->operands,
                      call->operand[command->max_operands],
                      command->takes_policy ? "; an option's value is one word: --quasi a,b, --model k-anonymity:k=5"
                                            : "");
}

/* Digits alone: a sign, a blank or a point is none. */
static bool is_digits(const char *text)
{
    return text[0] && text[strspn(text, "0123456789")] == '\0';
}

/* All 64 bits; *out stays if none is given. */
static covey_status read_seed(uint64_t *out, const char *text, covey_error *err)
{
    unsigned long long value;

    if (!text)
        return COVEY_OK;
    if (text[0] == '-' && is_digits(text + 1))
        return covey_fail(err, COVEY_EINVAL, "--seed must be at least 0, not %s", text);
    if (!is_digits(text))
        return covey_fail(err, COVEY_EINVAL, "--seed must be a whole number, not \"%s\"", text);
    errno = 0;
    value = strtoull(text, NULL, 10);
    if (errno == ERANGE)
        return covey_fail(err, COVEY_EINVAL, "--seed must be at most %" PRIu64 ", not %s", UINT64_MAX, text);
    *out = value;
    return COVEY_OK;
}

static covey_status read_common(cli_call *call, covey_error *err)
{
    int64_t threads = 0;

    call->json = cli_is_given(call, "json");
    call->quiet = cli_is_given(call, "quiet");
    COVEY_TRY(cli_integer(&threads, call, "threads", 1, 4096, err));
    COVEY_TRY(read_seed(&call->run.seed, cli_value(call, "seed"), err));
    call->run.n_threads = (int)threads;
    call->run.has_seed = cli_is_given(call, "seed");
    return COVEY_OK;
}

covey_status cli_parse(cli_call *call, bool *help_out, const cli_command *command, int argc, char **argv,
                       covey_error *err)
{
    size_t n = 0;
    cli_option *options = cli_options_of(command, &n);
    cli_given *given = calloc((size_t)argc + 1, sizeof *given);
    struct getopt_tables tables = {NULL, NULL};
    covey_status status = COVEY_OK;

    *call = (cli_call){.command = command, .run = COVEY_RUN_INIT, .given = given};
    *help_out = false;
    if (!options || !given || !make_tables(&tables, options, n))
        status = covey_fail(err, COVEY_ENOMEM, "no memory for the command line");
    if (status == COVEY_OK)
        status = read_options(call, help_out, given, &tables, options, n, argc, argv, err);
    if (status == COVEY_OK && !*help_out) {
        call->operand = argv + optind;
        call->n_operands = (size_t)(argc - optind);
        status = check_operands(call, err);
    }
    if (status == COVEY_OK && !*help_out)
        status = read_common(call, err);
    free(tables.longs);
    free(tables.shorts);
    /* The names in given are those of the tables, not of this array: it can go. */
    free(options);
    return status;
}

void cli_call_clear(cli_call *call)
{
    free((void *)call->given);
    *call = (cli_call){0};
}

const char *cli_value(const cli_call *call, const char *name)
{
    const char *value = NULL;

    for (size_t i = 0; i < call->n_given; i++)
        if (strcmp(call->given[i].name, name) == 0)
            value = call->given[i].value;
    return value;
}

bool cli_is_given(const cli_call *call, const char *name)
{
    for (size_t i = 0; i < call->n_given; i++)
        if (strcmp(call->given[i].name, name) == 0)
            return true;
    return false;
}

const char *cli_next_value(const cli_call *call, const char *name, size_t *from)
{
    while (*from < call->n_given) {
        const cli_given *given = &call->given[(*from)++];

        if (strcmp(given->name, name) == 0)
            return given->value;
    }
    return NULL;
}

covey_status cli_values(const char ***out, size_t *n, const cli_call *call, const char *name, covey_error *err)
{
    const char **values = malloc((call->n_given + 1) * sizeof *values), *value;
    size_t from = 0;

    *n = 0;
    if (!values)
        return covey_fail(err, COVEY_ENOMEM, "out of memory");
    while ((value = cli_next_value(call, name, &from)))
        values[(*n)++] = value;
    *out = values;
    return COVEY_OK;
}

covey_status cli_integer(int64_t *out, const cli_call *call, const char *name, int64_t min, int64_t max,
                         covey_error *err)
{
    const char *text = cli_value(call, name);
    long long value;

    if (!text)
        return COVEY_OK;
    if (!is_digits(text + (text[0] == '-' || text[0] == '+')))
        return covey_fail(err, COVEY_EINVAL, "--%s must be a whole number, not \"%s\"", name, text);
    value = strtoll(text, NULL, 10); /* what does not fit is the largest or the least of all, beyond any bound */
    if (value < min)
        return covey_fail(err, COVEY_EINVAL, "--%s must be at least %" PRId64 ", not %s", name, min, text);
    if (value > max)
        return covey_fail(err, COVEY_EINVAL, "--%s must be at most %" PRId64 ", not %s", name, max, text);
    *out = value;
    return COVEY_OK;
}

covey_status cli_memory_limit(int64_t *out, const cli_call *call, covey_error *err)
{
    const char *text = cli_value(call, "memory-limit");

    if (!text)
        return COVEY_OK;
    COVEY_TRY(covey_parts_read_size(out, text, "--memory-limit", err));
    if (*out < COVEY_PARTS_LEAST_MEMORY)
        return covey_fail(err, COVEY_EINVAL, "the memory limit must be at least %" PRId64 " MiB",
                          COVEY_PARTS_LEAST_MEMORY >> 20);
    return COVEY_OK;
}

covey_status cli_ratio(covey_ratio *out, const cli_call *call, const char *name, const char *min, const char *max,
                       covey_error *err)
{
    const char *text = cli_value(call, name);
    const covey_param param = {.name = name, .type = COVEY_PARAM_RATIO, .minimum = min, .maximum = max};

    return text ? covey_param_set(out, &param, 1, call->command->name, name, text, err) : COVEY_OK;
}

covey_status cli_choice(int *out, const cli_call *call, const char *name, const char *const *choices, covey_error *err)
{
    const char *text = cli_value(call, name);
    const covey_param param = {.name = name, .type = COVEY_PARAM_CHOICE, .choices = choices};

    return text ? covey_param_set(out, &param, 1, call->command->name, name, text, err) : COVEY_OK;
}
