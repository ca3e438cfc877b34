/* covey models: the privacy models that are built in. */
#include "args.h"
#include "print.h"

#include <stdlib.h>

static covey_status unknown_model(const char *name, covey_error *err)
{
    const size_t n = covey_model_count();
    const char **names = calloc(n + 1, sizeof *names), *near = NULL;

    for (size_t i = 0; names && i < n; i++)
        names[i] = covey_model_name(covey_model_at(i));
    if (names)
        near = covey_nearest_name(name, names, n);
    free(names);
    if (near)
        return covey_fail(err, COVEY_ENOTFOUND, "there is no model \"%s\"; did you mean \"%s\"?", name, near);
    return covey_fail(err, COVEY_ENOTFOUND, "there is no model \"%s\"; `covey models` lists them", name);
}

static json_t *json_model(const covey_model *model)
{
    size_t n;
    const covey_param *params = covey_model_params(model, &n);

    return json_pack("{s:s, s:s, s:o, s:s, s:s}", "name", covey_model_name(model), "summary", covey_model_summary(model), "parameters",
                     cli_json_params(params, n), "not_against", covey_model_not_against(model), "source", covey_model_source(model));
}

static void print_model(const covey_model *model)
{
    size_t n;
    const covey_param *params = covey_model_params(model, &n);

    printf("%s\n    ", covey_model_name(model));
    cli_print_folded(stdout, 4, 4, covey_model_summary(model));
    cli_print_params(params, n, 4);
    cli_print_folded(stdout, 8, printf("    beware: "), covey_model_not_against(model));
    cli_print_folded(stdout, 8, printf("    source: "), covey_model_source(model));
}

static bool is_asked_for(const cli_call *call, const covey_model *model)
{
    for (size_t i = 0; i < call->n_operands; i++)
        if (covey_model_find(call->operand[i]) == model)
            return true;
    return call->n_operands == 0;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    json_t *list = NULL;

    (void)yes;
    for (size_t i = 0; i < call->n_operands; i++)
        if (!covey_model_find(call->operand[i]))
            return unknown_model(call->operand[i], err);
    if (call->json)
        list = json_array();
    for (size_t i = 0; i < covey_model_count(); i++) {
        const covey_model *model = covey_model_at(i);

        if (!is_asked_for(call, model))
            continue;
        if (call->json)
            json_array_append_new(list, json_model(model));
        else
            print_model(model);
    }
    return call->json ? cli_print_json(json_pack("{s:o}", "models", list), err) : COVEY_OK;
}

const cli_command cli_command_models = {
    .name = "models",
    .summary = "lists the privacy models that can be promised",
    .operands = "[MODEL...]",
    .max_operands = SIZE_MAX,
    .words = CLI_MODEL,
    .description = "Lists the privacy models that are built in, or the named ones: what each promises, its parameters with their bounds, "
                   "what it does not protect from, and where it is defined. In a policy, or as an option:\n\n"
                   "  covey anonymize DATA --model k-anonymity:k=5 ...",
    .run = run,
};
