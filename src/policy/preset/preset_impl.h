/* What a preset is made of: rules that publishers must follow, as promises and treatments.  What its name claims of a
 * release, such as the k that it promises, stands in src/model/preset_claims.c, because releases are held to it, too.
 */
#ifndef COVEY_POLICY_PRESET_PRESET_IMPL_H
#define COVEY_POLICY_PRESET_PRESET_IMPL_H

#include <covey/policy.h>

/* Where a preset is applied. */
typedef struct covey_preset_target {
    covey_policy *policy;
    const covey_preset *preset;
    const void *params;   /* its parameter struct */
    int64_t line, column; /* of the policy file, 0 from a flag */
} covey_preset_target;

struct covey_preset {
    const char *name;
    const char *summary; /* one line */
    const char *source;
    const covey_param *params;
    size_t n_params, params_size;
    const char *path_param; /* the parameter that is a file, NULL if none is */
    /* Treats attributes; the policy's roles are known.  NULL: nothing to treat. */
    covey_status (*treat)(const covey_preset_target *target, covey_error *err);
};

/* Fails at the place where the policy names the preset, the message beginning with its name. */
covey_status covey_i_preset_complain(const covey_preset_target *target, covey_error *err, const char *fmt, ...)
    COVEY_PRINTF(3, 4);
/* Applies all presets of a policy. */
covey_status covey_i_presets_apply(covey_policy *policy, covey_error *err);

#endif
