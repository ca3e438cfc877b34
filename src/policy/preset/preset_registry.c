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
COVEY_REGISTRY_TEXT(covey_preset, name)
COVEY_REGISTRY_TEXT(covey_preset, summary)
COVEY_REGISTRY_TEXT(covey_preset, source)
COVEY_REGISTRY_PARAMS(covey_preset)
