/* covey attacks: the attacks that are built in. */
#include "args.h"
#include "print.h"

#include <stdlib.h>

static covey_status unknown_attack(const char *name, covey_error *err)
{
    const size_t n = covey_attack_count();
    const char **names = calloc(n + 1, sizeof *names), *near = NULL;

    for (size_t i = 0; names && i < n; i++)
        names[i] = covey_attack_name(covey_attack_at(i));
    if (names)
        near = covey_nearest_name(name, names, n);
    free(names);
    if (near)
        return covey_fail(err, COVEY_ENOTFOUND, "there is no attack \"%s\"; did you mean \"%s\"?", name, near);
    return covey_fail(err, COVEY_ENOTFOUND, "there is no attack \"%s\"; `covey attacks` lists them", name);
}

static json_t *json_attack(const covey_attack *attack)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "name", covey_attack_name(attack), "summary",
                     covey_attack_summary(attack), "figure", covey_attack_figure(attack), "forms",
                     covey_attack_forms(attack), "needs", covey_attack_needs(attack), "source",
                     covey_attack_source(attack));
}

static void print_attack(const covey_attack *attack)
{
    printf("%s\n    ", covey_attack_name(attack));
    cli_print_folded(stdout, 4, 4, covey_attack_summary(attack));
    cli_print_folded(stdout, 8, printf("    figure: "), covey_attack_figure(attack));
    cli_print_folded(stdout, 8, printf("    on: "), covey_attack_forms(attack));
    if (covey_attack_needs(attack)[0])
        cli_print_folded(stdout, 8, printf("    needs: "), covey_attack_needs(attack));
    cli_print_folded(stdout, 8, printf("    source: "), covey_attack_source(attack));
}

static bool is_asked_for(const cli_call *call, const covey_attack *attack)
{
    for (size_t i = 0; i < call->n_operands; i++)
        if (covey_attack_find(call->operand[i]) == attack)
            return true;
    return call->n_operands == 0;
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    json_t *list = NULL;

    (void)yes;
    for (size_t i = 0; i < call->n_operands; i++)
        if (!covey_attack_find(call->operand[i]))
            return unknown_attack(call->operand[i], err);
    if (call->json)
        list = json_array();
    for (size_t i = 0; i < covey_attack_count(); i++) {
        const covey_attack *attack = covey_attack_at(i);

        if (!is_asked_for(call, attack))
            continue;
        if (call->json)
            json_array_append_new(list, json_attack(attack));
        else
            print_attack(attack);
    }
    return call->json ? cli_print_json(json_pack("{s:o}", "attacks", list), err) : COVEY_OK;
}

const cli_command cli_command_attacks = {
    .name = "attacks",
    .summary = "lists the attacks that releases can be tried with",
    .operands = "[ATTACK...]",
    .max_operands = SIZE_MAX,
    .words = CLI_ATTACK,
    .description = "Lists the attacks that are built in, or the named ones: what each does, what its figure is, on "
                   "which forms of releases it is "
                   "tried and what it needs beside a release, and where it is described. They are run by\n\n"
                   "  covey attack RELEASE --original DATA --attack skewness",
    .run = run,
};
