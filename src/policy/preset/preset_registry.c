/* The presets that are built in. */
#include "policy/preset/preset_impl.h"

#include "base/registry.h"

#define COVEY_PRESET(name) extern const covey_preset covey_preset_##name;
#include "policy/preset/preset_list.h"
#undef COVEY_PRESET

static const covey_preset *const presets[] = {
#define COVEY_PRESET(name) &covey_preset_##name,
#include "policy/preset/preset_list.h"
#undef COVEY_PRESET
};

COVEY_REGISTRY(covey_preset, covey_preset, presets)

const char *covey_preset_name(const covey_preset *preset)
{
    return preset->name;
}

const char *covey_preset_summary(const covey_preset *preset)
{
    return preset->summary;
}

const char *covey_preset_source(const covey_preset *preset)
{
    return preset->source;
}

const covey_param *covey_preset_params(const covey_preset *preset, size_t *n)
{
    *n = preset->n_params;
    return preset->params;
}
