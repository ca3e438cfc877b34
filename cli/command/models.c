/* covey models: the privacy models that are built in, and the presets made of them. */
#include "args.h"
#include "print.h"

#include <stdlib.h>
#include <string.h>

static covey_status unknown_name(const char *name, covey_error *err)
{
    const size_t n_models = covey_model_count(), n = n_models + covey_preset_count();
    const char **names = calloc(n + 1, sizeof *names), *near = NULL;

    for (size_t i = 0; names && i < n; i++)
        names[i] =
            i < n_models ? covey_model_name(covey_model_at(i)) : covey_preset_name(covey_preset_at(i - n_models));
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

    return json_pack("{s:s, s:s, s:o, s:s, s:s}", "name", covey_model_name(model), "summary",
                     covey_model_summary(model), "parameters", cli_json_params(params, n), "not_against",
                     covey_model_not_against(model), "source", covey_model_source(model));
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

static json_t *json_preset(const covey_preset *preset)
{
    size_t n;
    const covey_param *params = covey_preset_params(preset, &n);

    return json_pack("{s:s, s:s, s:o, s:s}", "name", covey_preset_name(preset), "summary", covey_preset_summary(preset),
                     "parameters", cli_json_params(params, n), "source", covey_preset_source(preset));
}

static void print_preset(const covey_preset *preset)
{
    size_t n;
    const covey_param *params = covey_preset_params(preset, &n);

    printf("%s (preset)\n    ", covey_preset_name(preset));
    cli_print_folded(stdout, 4, 4, covey_preset_summary(preset));
    cli_print_params(params, n, 4);
    cli_print_folded(stdout, 8, printf("    source: "), covey_preset_source(preset));
}

static bool is_asked_for(const cli_call *call, const char *name)
{
    for (size_t i = 0; i < call->n_operands; i++)
        if (strcmp(call->operand[i], name) == 0)
            return true;
    return call->n_operands == 0;
}

static covey_status print_json(const cli_call *call, covey_error *err)
{
    json_t *models = json_array(), *presets = json_array();

    for (size_t i = 0; i < covey_model_count(); i++)
        if (is_asked_for(call, covey_model_name(covey_model_at(i))))
            json_array_append_new(models, json_model(covey_model_at(i)));
    for (size_t i = 0; i < covey_preset_count(); i++)
        if (is_asked_for(call, covey_preset_name(covey_preset_at(i))))
            json_array_append_new(presets, json_preset(covey_preset_at(i)));
    return cli_print_json(json_pack("{s:o, s:o}", "models", models, "presets", presets), err);
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    (void)yes;
    for (size_t i = 0; i < call->n_operands; i++)
        if (!covey_model_find(call->operand[i]) && !covey_preset_find(call->operand[i]))
            return unknown_name(call->operand[i], err);
    if (call->json)
        return print_json(call, err);
    for (size_t i = 0; i < covey_model_count(); i++)
        if (is_asked_for(call, covey_model_name(covey_model_at(i))))
            print_model(covey_model_at(i));
    for (size_t i = 0; i < covey_preset_count(); i++)
        if (is_asked_for(call, covey_preset_name(covey_preset_at(i))))
            print_preset(covey_preset_at(i));
    return COVEY_OK;
}

const cli_command cli_command_models = {
    .name = "models",
    .summary = "lists the privacy models that can be promised, and the presets",
    .operands = "[MODEL...]",
    .max_operands = SIZE_MAX,
    .words = CLI_MODEL,
    .description =
        "Lists the privacy models that are built in, or the named ones: what each promises, its parameters with their "
        "bounds, "
        "what it does not protect from, and where it is defined. In a policy, or as an option:\n\n"
        "  covey anonymize DATA --model k-anonymity:k=5 ...\n\n"
        "Behind them come the presets: models and treatments by one name, from rules that publishers must follow:\n\n"
        "  covey anonymize DATA --preset cms11 ...",
    .run = run,
};
