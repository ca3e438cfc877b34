/* covey models: the privacy models that are built in, and the presets made of them. */
#include "listing.h"
#include "print.h"

static json_t *json_model(size_t index)
{
    const covey_model *model = covey_model_at(index);
    size_t n;
    const covey_param *params = covey_model_params(model, &n);

    return json_pack("{s:s, s:s, s:o, s:s, s:s}", "name", covey_model_name(model), "summary",
                     covey_model_summary(model), "parameters", cli_json_params(params, n), "not_against",
                     covey_model_not_against(model), "source", covey_model_source(model));
}

static void print_model(size_t index)
{
    const covey_model *model = covey_model_at(index);
    size_t n;
    const covey_param *params = covey_model_params(model, &n);

    printf("%s\n    ", covey_model_name(model));
    cli_print_folded(stdout, 4, 4, covey_model_summary(model));
    cli_print_params(params, n);
    cli_print_folded(stdout, 8, printf("    beware: "), covey_model_not_against(model));
    cli_print_folded(stdout, 8, printf("    source: "), covey_model_source(model));
}

static json_t *json_preset(size_t index)
{
    const covey_preset *preset = covey_preset_at(index);
    size_t n;
    const covey_param *params = covey_preset_params(preset, &n);

    return json_pack("{s:s, s:s, s:o, s:s}", "name", covey_preset_name(preset), "summary", covey_preset_summary(preset),
                     "parameters", cli_json_params(params, n), "source", covey_preset_source(preset));
}

static void print_preset(size_t index)
{
    const covey_preset *preset = covey_preset_at(index);
    size_t n;
    const covey_param *params = covey_preset_params(preset, &n);

    printf("%s (preset)\n    ", covey_preset_name(preset));
    cli_print_folded(stdout, 4, 4, covey_preset_summary(preset));
    cli_print_params(params, n);
    cli_print_folded(stdout, 8, printf("    source: "), covey_preset_source(preset));
}

static const char *name_of_model(size_t index)
{
    return covey_model_name(covey_model_at(index));
}

static const char *name_of_preset(size_t index)
{
    return covey_preset_name(covey_preset_at(index));
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    static const cli_listing kinds[] = {
        {"model", "models", covey_model_count, name_of_model, json_model, print_model},
        {"preset", "presets", covey_preset_count, name_of_preset, json_preset, print_preset},
    };

    (void)yes;
    return cli_listing_print(kinds, sizeof kinds / sizeof *kinds, call, err);
}

const cli_command cli_command_models = {
    .name = "models",
    .summary = "lists the privacy models that can be promised, and the presets",
    .operands = "[MODEL...]",
    .max_operands = SIZE_MAX,
    .words = CLI_MODEL,
    .description =
        "Lists the privacy models that are built in, or the named ones: what each promises, its parameters with "
        "their bounds, what it does not protect against, and where it is defined. In a policy, or as an option:\n\n"
        "  covey anonymize DATA --model k-anonymity:k=5 ...\n\n"
        "Behind them come the presets: models and treatments by one name, from rules that publishers must follow:\n\n"
        "  covey anonymize DATA --preset cms11 ...",
    .run = run,
};
