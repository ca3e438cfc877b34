/* covey methods: the anonymization methods that are built in. */
#include "args.h"
#include "print.h"

#include <stdlib.h>

static covey_status unknown_method(const char *name, covey_error *err)
{
    const size_t n = covey_method_count();
    const char **names = calloc(n + 1, sizeof *names), *near = NULL;

    for (size_t i = 0; names && i < n; i++)
        names[i] = covey_method_name(covey_method_at(i));
    if (names)
        near = covey_nearest_name(name, names, n);
    free(names);
    if (near)
        return covey_fail(err, COVEY_ENOTFOUND, "there is no method \"%s\"; did you mean \"%s\"?", name, near);
    return covey_fail(err, COVEY_ENOTFOUND, "there is no method \"%s\"; `covey methods` lists them", name);
}

static json_t *json_method(const covey_method *method)
{
    size_t n;
    const covey_param *params = covey_method_params(method, &n);

    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:o, s:s}", "name", covey_method_name(method), "summary",
                     covey_method_summary(method), "form", covey_method_form(method), "keeps",
                     covey_method_keeps(method), "uses_groups", covey_method_uses_groups(method), "in_parts",
                     covey_method_in_parts(method), "parameters", cli_json_params(params, n), "source",
                     covey_method_source(method));
}

static void print_method(const covey_method *method)
{
    size_t n;
    const covey_param *params = covey_method_params(method, &n);

    printf("%s\n    ", covey_method_name(method));
    cli_print_folded(stdout, 4, 4, covey_method_summary(method));
    cli_print_params(params, n, 4);
    cli_print_folded(stdout, 8, printf("    keeps: "), covey_method_keeps(method));
    cli_print_folded(stdout, 8, printf("    publishes: "), covey_method_form(method));
    if (covey_method_uses_groups(method))
        cli_print_folded(stdout, 8, printf("    groups: "), "rows are mixed within the policy's fixed groups only");
    if (covey_method_in_parts(method))
        cli_print_folded(stdout, 8, printf("    part by part: "), "with --memory-limit, or covey plan, part and merge");
    cli_print_folded(stdout, 8, printf("    source: "), covey_method_source(method));
}

static bool is_asked_for(const cli_call *call, const covey_method *method)
{
    for (size_t i = 0; i < call->n_operands; i++)
        if (covey_method_find(call->operand[i]) == method)
            return true;
    return call->n_operands == 0;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    json_t *list = NULL;

    (void)yes;
    for (size_t i = 0; i < call->n_operands; i++)
        if (!covey_method_find(call->operand[i]))
            return unknown_method(call->operand[i], err);
    if (call->json)
        list = json_array();
    for (size_t i = 0; i < covey_method_count(); i++) {
        const covey_method *method = covey_method_at(i);

        if (!is_asked_for(call, method))
            continue;
        if (call->json)
            json_array_append_new(list, json_method(method));
        else
            print_method(method);
    }
    return call->json ? cli_print_json(json_pack("{s:o}", "methods", list), err) : COVEY_OK;
}

const cli_command cli_command_methods = {
    .name = "methods",
    .summary = "lists the methods that anonymize",
    .operands = "[METHOD...]",
    .max_operands = SIZE_MAX,
    .words = CLI_METHOD,
    .description = "Lists the methods that are built in, or the named ones: how each works, which promises it can "
                   "keep, its parameters "
                   "with their bounds and defaults, the form it publishes, and where it is described. In a policy, or "
                   "as options:\n\n"
                   "  covey anonymize DATA --method mondrian --cut relaxed ...",
    .run = run,
};
