/* The attacks that are built in, in the order of attack_list.h. */
#include <covey/attack.h>

#include <string.h>

#include "attack/attack_impl.h"

#define COVEY_ATTACK(name) extern const covey_attack covey_attack_##name;
#include "attack/attack_list.h"
#undef COVEY_ATTACK

#define COVEY_ATTACK(name) &covey_attack_##name,
static const covey_attack *const attacks[] = {
#include "attack/attack_list.h"
};
#undef COVEY_ATTACK

enum { N_ATTACKS = sizeof attacks / sizeof *attacks };

size_t covey_attack_count(void)
{
    return N_ATTACKS;
}

const covey_attack *covey_attack_at(size_t index)
{
    return index < N_ATTACKS ? attacks[index] : NULL;
}

const covey_attack *covey_attack_find(const char *name)
{
    for (size_t i = 0; i < N_ATTACKS; i++)
        if (strcmp(attacks[i]->name, name) == 0)
            return attacks[i];
    return NULL;
}

const char *covey_attack_name(const covey_attack *attack)
{
    return attack->name;
}

const char *covey_attack_summary(const covey_attack *attack)
{
    return attack->summary;
}

const char *covey_attack_figure(const covey_attack *attack)
{
    return attack->figure;
}

const char *covey_attack_needs(const covey_attack *attack)
{
    static const char *const names[] = {"",       "--original",             "--with",              "--original, --with",
                                        "--population", "--original, --population", "--with, --population", "--original, --with, --population"};

    return names[attack->needs];
}

const char *covey_attack_forms(const covey_attack *attack)
{
    static const char *const names[] = {"",          "generalized",            "bucketized",            "generalized, bucketized",
                                        "perturbed", "generalized, perturbed", "bucketized, perturbed", "generalized, bucketized, perturbed"};

    return names[attack->forms];
}

const char *covey_attack_source(const covey_attack *attack)
{
    return attack->source;
}

const char *covey_attack_verdict_name(covey_attack_verdict verdict)
{
    static const char *const names[] = {[COVEY_ATTACK_SAFE] = "safe", [COVEY_ATTACK_EXCEEDS] = "exceeds", [COVEY_ATTACK_INFORMATION] = "information"};

    return names[verdict];
}
