/* The presets that are built in. */
#include "policy/preset/preset_impl.h"

#include <string.h>

#define COVEY_PRESET(name) extern const covey_preset covey_preset_##name;
#include "policy/preset/preset_list.h"
#undef COVEY_PRESET

static const covey_preset *const presets[] = {
#define COVEY_PRESET(name) &covey_preset_##name,
#include "policy/preset/preset_list.h"
#undef COVEY_PRESET
};

size_t covey_preset_count(void)
{
    return sizeof presets / sizeof *presets;
}

const covey_preset *covey_preset_at(size_t index)
{
    return index < covey_preset_count() ? presets[index] : NULL;
}

const covey_preset *covey_preset_find(const char *name)
{
    for (size_t i = 0; i < covey_preset_count(); i++)
        if (strcmp(presets[i]->name, name) == 0)
            return presets[i];
    return NULL;
}

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
