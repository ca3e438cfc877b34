/* covey methods: the anonymization methods that are built in. */
#include "listing.h"
#include "print.h"

static json_t *json_method(size_t index)
{
    const covey_method *method = covey_method_at(index);
    size_t n;
    const covey_param *params = covey_method_params(method, &n);

    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:b, s:o, s:s}", "name", covey_method_name(method), "summary",
                     covey_method_summary(method), "form", covey_method_form(method), "keeps",
                     covey_method_keeps(method), "uses_groups", covey_method_uses_groups(method), "in_parts",
                     covey_method_in_parts(method), "keeps_units", covey_method_keeps_units(method), "parameters",
                     cli_json_params(params, n), "source", covey_method_source(method));
}

static void print_method(size_t index)
{
    const covey_method *method = covey_method_at(index);
    size_t n;
    const covey_param *params = covey_method_params(method, &n);

    printf("%s\n    ", covey_method_name(method));
    cli_print_folded(stdout, 4, 4, covey_method_summary(method));
    cli_print_params(params, n);
    cli_print_folded(stdout, 8, printf("    keeps: "), covey_method_keeps(method));
    cli_print_folded(stdout, 8, printf("    publishes: "), covey_method_form(method));
    if (covey_method_uses_groups(method))
        cli_print_folded(stdout, 8, printf("    groups: "), "rows are mixed within the policy's fixed groups only");
    if (covey_method_keeps_units(method))
        cli_print_folded(stdout, 8, printf("    persons: "), "rows of one stay together (role: entity)");
    if (covey_method_in_parts(method))
        cli_print_folded(stdout, 8, printf("    part by part: "), "with --memory-limit, or covey plan, part and merge");
    cli_print_folded(stdout, 8, printf("    source: "), covey_method_source(method));
}

static const char *name_of_method(size_t index)
{
    return covey_method_name(covey_method_at(index));
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    static const cli_listing kind = {"method",       "methods",   covey_method_count,
                                     name_of_method, json_method, print_method};

    (void)yes;
    return cli_listing_print(&kind, 1, call, err);
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
