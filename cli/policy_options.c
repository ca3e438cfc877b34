/* See policy_options.h. */
#include "policy_options.h"

#include <ctype.h>
#include <string.h>

static const char *const others_choices[] = {"drop", "insensitive", NULL};
static const char *const missing_quasi_choices[] = {"value", "error", "drop", NULL};
static const char *const missing_sensitive_choices[] = {"error", "drop", "value", NULL};

/* The keys, in the order in which they are applied: an attribute has its role before it gets a hierarchy, and the method is
 * known before its parameters. */
static const cli_option policy_keys[] = {
    {.name = "input", .argument = "DATA", .words = CLI_FILE, .help = "read this table instead of the policy's",
     .heading = "Policy (each wins over the policy file)"},
    {.name = "delimiter", .argument = "CHAR", .help = "what separates cells (default: guessed)"},
    {.name = "null", .argument = "TEXT,...", .help = "texts that mean a missing value (default: the empty cell)"},
    {.name = "trim", .argument = "true|false", .is_switch = true, .help = "ignore blanks around cells"},
    {.name = "quasi", .argument = "NAME,...", .help = "quasi-identifiers: what an outsider may know, published generalized"},
    {.name = "sensitive", .argument = "NAME,...", .help = "sensitive attributes: what nobody may learn"},
    {.name = "insensitive", .argument = "NAME,...", .help = "attributes that are published as they are"},
    {.name = "identifier", .argument = "NAME,...", .help = "attributes that are dropped"},
    {.name = "others", .argument = "ROLE", .choices = others_choices,
     .help = "what happens to columns that are not named: drop or insensitive (default: an error)"},
    {.name = "attribute", .argument = "YAML", .help = "one attribute as in a policy file: '{name: age, role: quasi-identifier}'"},
    {.name = "type", .argument = "NAME=TYPE,...", .help = "text, integer, decimal or date (default: guessed)"},
    {.name = "hierarchy", .argument = "NAME=HIERARCHY",
     .help = "how an attribute is generalized: a file, or as in a policy file: 'zip={mask: 5}'"},
    {.name = "domain", .argument = "NAME=LOW..HIGH", .help = "the numeric domain that losses refer to (default: the data's)"},
    {.name = "order", .argument = "NAME=A,B,...", .help = "the order of a text attribute"},
    {.name = "publish", .argument = "NAME=range", .help = "publish a number with a hierarchy by ranges, not by labels"},
    {.name = "weight", .argument = "NAME=W,...", .help = "how much an attribute's loss counts (default: 1)"},
    {.name = "missing-quasi", .argument = "WHAT", .choices = missing_quasi_choices,
     .help = "missing quasi-identifiers: value, error or drop (default: value)"},
    {.name = "missing-sensitive", .argument = "WHAT", .choices = missing_sensitive_choices,
     .help = "missing sensitive values: error, drop or value (default: error)"},
    {.name = "preset", .argument = "NAME", .help = "add models and treatments by name; may be repeated"},
    {.name = "model", .argument = "MODEL:PARAM=VALUE,...", .words = CLI_MODEL,
     .help = "promise to keep, such as k-anonymity:k=5; may be repeated; `covey models` lists them"},
    {.name = "method", .argument = "METHOD", .words = CLI_METHOD, .help = "how to anonymize (default: auto); `covey methods` lists them"},
    {.name = "suppression", .argument = "SHARE", .help = "share of rows that may be suppressed, such as 0.01 (default: 0)"},
    {.name = "groups", .argument = "YAML", .help = "fixed grouping, such as '{by: [region]}'"},
};
enum { N_KEYS = sizeof policy_keys / sizeof *policy_keys };

/* The parameters of all methods, each name once.  A name that is true or false in one method and has other values in the next
 * always takes a value. */
static size_t add_parameters(cli_option *out)
{
    size_t n = 0;

    for (size_t m = 0; m < covey_method_count(); m++) {
        size_t n_params;
        const covey_param *params = covey_method_params(covey_method_at(m), &n_params);

        for (size_t i = 0; i < n_params; i++) {
            const bool is_switch = params[i].type == COVEY_PARAM_BOOL;

            if (out) {
                size_t known = 0;

                while (known < n && strcmp(out[known].name, params[i].name) != 0)
                    known++;
                if (known < n) {
                    out[known].is_switch = out[known].is_switch && is_switch;
                    out[known].choices = out[known].choices == params[i].choices ? out[known].choices : NULL;
                    continue;
                }
                out[n] = (cli_option){.name = params[i].name, .argument = is_switch ? "true|false" : "VALUE", .is_switch = is_switch,
                                      .choices = params[i].choices, .help = params[i].help,
                                      .heading = n == 0 ? "Parameters of methods (`covey methods` says which takes what)" : NULL};
            }
            n++;
        }
    }
    return n;
}

size_t cli_policy_options(cli_option *out)
{
    if (out)
        memcpy(out, policy_keys, sizeof policy_keys);
    return N_KEYS + add_parameters(out ? out + N_KEYS : NULL);
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);

    return n >= m && strcmp(text + n - m, ending) == 0;
}

/* Does a line begin with one of a policy's top-level keys?  A table's header never has a colon behind its first name, unless
 * that is its name. */
static bool begins_with_key(const char *line)
{
    static const char *const keys[] = {"version", "input", "attributes", "privacy", "method", "suppression", "groups", "presets", "others"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const size_t n = strlen(keys[i]);

        if (strncmp(line, keys[i], n) == 0 && line[n] == ':' && (line[n + 1] == '\0' || isspace((unsigned char)line[n + 1])))
            return true;
    }
    return false;
}

/* A policy has the ending .yaml or .yml, or its first line that is neither empty nor a comment begins like one. */
static bool is_policy(const char *path)
{
    char line[512];
    bool found = false;
    FILE *file;

    if (ends_with(path, ".yaml") || ends_with(path, ".yml"))
        return true;
    file = fopen(path, "re");
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

static covey_status apply(covey_policy *policy, const cli_call *call, const char *key, covey_error *err)
{
    const char *value;
    size_t from = 0;

    while ((value = cli_next_value(call, key, &from)))
        COVEY_TRY(covey_policy_set(policy, key, value, err));
    return COVEY_OK;
}

static covey_status apply_parameters(covey_policy *policy, const cli_call *call, covey_error *err)
{
    for (size_t i = 0; i < call->n_given; i++)
        for (size_t m = 0; m < covey_method_count(); m++) {
            size_t n_params, p = 0;
            const covey_param *params = covey_method_params(covey_method_at(m), &n_params);

            while (p < n_params && strcmp(params[p].name, call->given[i].name) != 0)
                p++;
            if (p == n_params)
                continue;
            COVEY_TRY(covey_policy_set(policy, call->given[i].name, call->given[i].value, err));
            break;
        }
    return COVEY_OK;
}

covey_status cli_policy_build(covey_policy **out, const cli_call *call, const char *source, covey_error *err)
{
    covey_policy *policy = NULL;
    covey_status status;

    if (is_policy(source)) {
        status = covey_policy_read(&policy, source, err);
    } else {
        status = covey_policy_new(&policy, err);
        if (status == COVEY_OK)
            status = covey_policy_set(policy, "input", source, err);
    }
    for (size_t i = 0; i < N_KEYS && status == COVEY_OK; i++)
        status = apply(policy, call, policy_keys[i].name, err);
    if (status == COVEY_OK)
        status = apply_parameters(policy, call, err);
    if (status == COVEY_OK)
        status = covey_policy_check(policy, err);
    if (status == COVEY_OK)
        *out = policy;
    else
        covey_policy_free(policy);
    return status;
}
