/* The attacks that are built in, in the order of attack_list.h. */
#include <covey/attack.h>

#include <pthread.h>
#include <stdio.h>

#include "attack/attack_impl.h"
#include "base/registry.h"

#define COVEY_ATTACK(name) extern const covey_attack covey_attack_##name;
#include "attack/attack_list.h"
#undef COVEY_ATTACK

#define COVEY_ATTACK(name) &covey_attack_##name,
static const covey_attack *const attacks[] = {
#include "attack/attack_list.h"
};
#undef COVEY_ATTACK

COVEY_REGISTRY(covey_attack, covey_attack, attacks)
COVEY_REGISTRY_TEXT(covey_attack, name)
COVEY_REGISTRY_TEXT(covey_attack, summary)
COVEY_REGISTRY_TEXT(covey_attack, figure)

/* Names of every set of forms and of what an attack needs, made once. */
static char forms[1u << COVEY_ATTACKED_FORMS][80], needs[1u << COVEY_ATTACK_NEEDS][80];
static pthread_once_t names_once = PTHREAD_ONCE_INIT;

static void list_sets(char (*out)[80], const char *const *name, unsigned n_names)
{
    for (unsigned set = 0; set < 1u << n_names; set++) {
        int n = 0;

        for (unsigned i = 0; i < n_names; i++)
            if (set & 1u << i)
                n += snprintf(out[set] + n, sizeof out[set] - (size_t)n, "%s%s", n > 0 ? ", " : "", name[i]);
    }
}

static void list_names(void)
{
    static const char *const form[COVEY_ATTACKED_FORMS] = {"generalized", "bucketized", "perturbed", "transformed",
                                                           "sliced"};
    static const char *const need[COVEY_ATTACK_NEEDS] = {"--original", "--with", "--population", "--policy"};

    list_sets(forms, form, COVEY_ATTACKED_FORMS);
    list_sets(needs, need, COVEY_ATTACK_NEEDS);
}

const char *covey_attack_needs(const covey_attack *attack)
{
    pthread_once(&names_once, list_names);
    if (attack->needs_of_sliced) /* one attack: membership */
        return "--population; of a sliced release: --original";
    return needs[attack->needs];
}

const char *covey_attack_forms(const covey_attack *attack)
{
    pthread_once(&names_once, list_names);
    return forms[attack->forms];
}

COVEY_REGISTRY_TEXT(covey_attack, source)

const char *covey_attack_verdict_name(covey_attack_verdict verdict)
{
    static const char *const names[] = {
        [COVEY_ATTACK_SAFE] = "safe", [COVEY_ATTACK_EXCEEDS] = "exceeds", [COVEY_ATTACK_INFORMATION] = "information"};

    return (size_t)verdict < sizeof names / sizeof *names ? names[verdict] : "unknown";
}
