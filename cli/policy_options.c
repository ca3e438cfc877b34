/* Options that make a policy. */
#include "policy_options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static cli_option option_of(const covey_policy_flag *flag)
{
    const bool is_switch = strncmp(flag->value, "true|", strlen("true|")) == 0;
    const cli_words words = strcmp(flag->name, "input") == 0    ? CLI_FILE
                            : strcmp(flag->name, "model") == 0  ? CLI_MODEL
                            : strcmp(flag->name, "method") == 0 ? CLI_METHOD
                                                                : CLI_ANY;

    return (cli_option){
        .name = flag->name, .argument = flag->value, .is_switch = is_switch, .words = words, .help = flag->help};
}

static bool are_same(const char *const *a, const char *const *b)
{
    for (; *a && *b; a++, b++)
        if (strcmp(*a, *b) != 0)
            return false;
    return !*a && !*b;
}

/* May its word be left out, for true? */
static bool is_a_switch(const covey_param *param)
{
    const char *const *choice = param->type == COVEY_PARAM_CHOICE ? param->choices : NULL;

    while (choice && *choice && strcmp(*choice, "true") != 0)
        choice++;
    return param->type == COVEY_PARAM_BOOL || (choice && *choice);
}

/* One more method has a parameter of that name.  It stays a switch, whose word may be left out, as long as all other
 * words it may have are known: then the next word on the command line is one of them or something else. */
static void merge(cli_option *into, const covey_param *param)
{
    const bool is_switch = is_a_switch(param);
    const char *const *choices = param->type == COVEY_PARAM_CHOICE ? param->choices : NULL;

    if (strcmp(into->help, param->help) != 0)
        into->help = "differs between methods: see `covey methods NAME`";
    if (is_switch && (into->is_switch || into->choices)) {
        into->is_switch = true;
    } else if (choices && (into->choices ? are_same(into->choices, choices) : into->is_switch)) {
        into->choices = choices;
    } else {
        into->is_switch = false;
        into->choices = NULL;
    }
    into->argument = into->is_switch && !into->choices ? "true|false" : "VALUE";
}

/* The parameters of all methods, each name once. */
static size_t add_parameters(cli_option *out)
{
    size_t n = 0;

    for (size_t m = 0; m < covey_method_count(); m++) {
        size_t n_params;
        const covey_param *params = covey_method_params(covey_method_at(m), &n_params);

        for (size_t i = 0; i < n_params; i++) {
            const bool is_switch = is_a_switch(&params[i]);

            if (out) {
                size_t known = 0;

                while (known < n && strcmp(out[known].name, params[i].name) != 0)
                    known++;
                if (known < n) {
                    merge(&out[known], &params[i]);
                    continue;
                }
                out[n] =
                    (cli_option){.name = params[i].name,
                                 .argument = is_switch && !params[i].choices ? "true|false" : "VALUE",
                                 .is_switch = is_switch,
                                 .choices = params[i].choices,
                                 .help = params[i].help,
                                 .heading = n == 0 ? "Parameters of methods" : NULL,
                                 .instead = "They are options, too; `covey methods NAME` shows those of a method:\n\n"
                                            "  --method mondrian --cut relaxed --min-size 10\n"};
            }
            n++;
        }
    }
    return n;
}

size_t cli_policy_options(cli_option *out)
{
    const size_t n = covey_policy_flag_count();

    for (size_t i = 0; out && i < n; i++)
        out[i] = option_of(covey_policy_flag_at(i));
    if (out && n > 0)
        out[0].heading = "Policy (each wins over the policy file)";
    return n + add_parameters(out ? out + n : NULL);
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);

    return n >= m && strcmp(text + n - m, ending) == 0;
}

/* Does a line begin with one of a policy's top-level keys?  A table's header never has a colon behind its first name,
 * unless that is its name. */
static bool begins_with_key(const char *line)
{
    static const char *const keys[] = {"version",     "input",  "attributes", "privacy", "method",
                                       "suppression", "groups", "presets",    "others"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const size_t n = strlen(keys[i]);

        if (strncmp(line, keys[i], n) == 0 && line[n] == ':' &&
            (line[n + 1] == '\0' || isspace((unsigned char)line[n + 1])))
            return true;
    }
    return false;
}

/* A policy has the ending .yaml or .yml, or its first line that is neither empty nor a comment begins like one. */
static bool is_policy(const char *path)
{
    char line[512];
    bool found = false;
    struct stat facts;
    FILE *file;

    if (ends_with(path, ".yaml") || ends_with(path, ".yml"))
        return true;
    /* What is looked at in a pipe is gone. */
    file = stat(path, &facts) == 0 && S_ISREG(facts.st_mode) ? fopen(path, "re") : NULL;
    while (file && fgets(line, sizeof line, file)) {
        if (line[strspn(line, " \t\r\n")] == '\0' || line[0] == '#' || strncmp(line, "---", 3) == 0)
            continue;
        found = begins_with_key(line);
        break;
    }
    if (file)
        fclose(file);
    return found;
}

/* Is it a key of a policy or a parameter of a method, and not one of the command's own options? */
static bool is_policy_option(const cli_call *call, const cli_option *policy, size_t n, const char *name)
{
    for (size_t i = 0; i < call->command->n_options; i++)
        if (strcmp(call->command->options[i].name, name) == 0)
            return false;
    for (size_t i = 0; i < n; i++)
        if (strcmp(policy[i].name, name) == 0)
            return true;
    return false;
}

static covey_status apply(covey_policy *policy, const cli_call *call, covey_error *err)
{
    cli_option *options = calloc(cli_policy_options(NULL) + 1, sizeof *options);
    covey_status status = COVEY_OK;
    size_t n;

    if (!options)
        return covey_fail(err, COVEY_ENOMEM, "no memory for the policy's options");
    n = cli_policy_options(options);
    for (size_t i = 0; i < call->n_given && status == COVEY_OK; i++)
        if (is_policy_option(call, options, n, call->given[i].name))
            status = covey_policy_set(policy, call->given[i].name, call->given[i].value, err);
    free(options);
    return status;
}

covey_status cli_policy_build(covey_policy **out, const cli_call *call, const char *source, covey_error *err)
{
    covey_policy *policy = NULL;
    covey_status status;

    if (call->policy) {
        status = covey_policy_parse(&policy, call->policy, strlen(call->policy), source, err);
    } else if (is_policy(source)) {
        status = covey_policy_read(&policy, source, err);
    } else {
        status = covey_policy_new(&policy, err);
        if (status == COVEY_OK)
            status = covey_policy_set(policy, "input", source, err);
    }
    if (status == COVEY_OK)
        status = apply(policy, call, err);
    if (status == COVEY_OK)
        status = covey_policy_check(policy, err);
    if (status == COVEY_OK)
        *out = policy;
    else
        covey_policy_free(policy);
    return status;
}

const covey_wish_attribute *cli_policy_find(const covey_policy *policy, covey_role role)
{
    for (size_t i = 0; i < policy->n_attributes; i++)
        if (policy->attribute[i].role == role)
            return &policy->attribute[i];
    return NULL;
}
