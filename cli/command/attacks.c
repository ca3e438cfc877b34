/* covey attacks: the attacks that are built in. */
#include "listing.h"
#include "print.h"

static json_t *json_attack(size_t index)
{
    const covey_attack *attack = covey_attack_at(index);

    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "name", covey_attack_name(attack), "summary",
                     covey_attack_summary(attack), "figure", covey_attack_figure(attack), "forms",
                     covey_attack_forms(attack), "needs", covey_attack_needs(attack), "source",
                     covey_attack_source(attack));
}

static void print_attack(size_t index)
{
    const covey_attack *attack = covey_attack_at(index);

    printf("%s\n    ", covey_attack_name(attack));
    cli_print_folded(stdout, 4, 4, covey_attack_summary(attack));
    cli_print_folded(stdout, 8, printf("    figure: "), covey_attack_figure(attack));
    cli_print_folded(stdout, 8, printf("    on: "), covey_attack_forms(attack));
    if (covey_attack_needs(attack)[0])
        cli_print_folded(stdout, 8, printf("    needs: "), covey_attack_needs(attack));
    cli_print_folded(stdout, 8, printf("    source: "), covey_attack_source(attack));
}

static const char *name_of_attack(size_t index)
{
    return covey_attack_name(covey_attack_at(index));
}

static covey_status run(bool *yes, const cli_call *call, covey_error *err)
{
    static const cli_listing kind = {"attack",       "attacks",   covey_attack_count,
                                     name_of_attack, json_attack, print_attack};

    (void)yes;
    return cli_listing_print(&kind, 1, call, err);
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
