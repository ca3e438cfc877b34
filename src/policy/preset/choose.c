/* The presets that a policy names, with their parameters. */
#include <string.h>

#include "base/error.h"
#include "policy/named.h"
#include "policy/preset/preset_impl.h"

static covey_status find_preset(const covey_policy_reader *r, const covey_preset **out, const covey_yaml *name)
{
    const char *names[COVEY_NAMED_MOST];
    size_t n = 0;

    if ((*out = covey_preset_find(name->text)))
        return COVEY_OK;
    for (; n < covey_preset_count() && n < COVEY_NAMED_MOST; n++)
        names[n] = covey_preset_name(covey_preset_at(n));
    return covey_i_policy_unknown(r, name, COVEY_ENOTFOUND, "preset", name->text, names, n, NULL);
}

/* A preset may name a file: it is resolved where it was written. */
static covey_status resolve_path(const covey_policy_reader *r, covey_chosen *params, const covey_preset *preset)
{
    for (size_t i = 0; i < params->n && preset->path_param; i++)
        if (strcmp(params->name[i], preset->path_param) == 0 &&
            !(params->text[i] = covey_i_policy_resolve(r->policy, r->file, params->text[i])))
            return covey_i_no_memory(r->err);
    return COVEY_OK;
}

/* Everything that was said of a preset but which file: that is nobody else's business. */
static covey_status list_given(covey_given_params *out, covey_policy *policy, const covey_chosen_preset *chosen,
                               covey_error *err)
{
    const char **name = covey_arena_array(&policy->own->arena, const char *, chosen->params.n);
    const char **text = covey_arena_array(&policy->own->arena, const char *, chosen->params.n);

    if (!name || !text)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < chosen->params.n; i++)
        if (!chosen->preset->path_param || strcmp(chosen->params.name[i], chosen->preset->path_param) != 0) {
            name[out->n] = chosen->params.name[i];
            text[out->n++] = chosen->params.text[i];
        }
    out->name = name;
    out->text = text;
    return COVEY_OK;
}

/* The names that the policy shows. */
static covey_status list_presets(covey_policy *policy, covey_error *err)
{
    const char **names = covey_arena_array_zero(&policy->own->arena, const char *, policy->own->n_presets);
    covey_given_params *given = covey_arena_array_zero(&policy->own->arena, covey_given_params, policy->own->n_presets);

    if (!names || !given)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < policy->own->n_presets; i++) {
        names[i] = policy->own->preset[i].preset->name;
        COVEY_TRY(list_given(&given[i], policy, &policy->own->preset[i], err));
    }
    policy->preset = names;
    policy->preset_params = given;
    policy->n_presets = policy->own->n_presets;
    return COVEY_OK;
}

covey_status covey_i_policy_read_preset(const covey_policy_reader *r, const covey_yaml *node)
{
    static const char *const other_keys[] = {"name", NULL};
    struct covey_policy_own *own = r->policy->own;
    covey_chosen_preset chosen = {0}, *list;
    const covey_yaml *map, *name;
    size_t place = 0;
    covey_named c;
    void *values;

    COVEY_TRY(covey_i_named_read_name(r, &map, &name, node, "preset", "name", "cms11 or {name: cms11}"));
    COVEY_TRY(find_preset(r, &chosen.preset, name));
    while (place < own->n_presets && own->preset[place].preset != chosen.preset)
        place++;
    if (place < own->n_presets && r->file)
        return covey_i_policy_complain(r, node, COVEY_EINVAL, "the preset %s is named twice", chosen.preset->name);
    covey_i_named_describe(&c, "preset", chosen.preset->name, chosen.preset->params, chosen.preset->n_params,
                           chosen.preset->params_size, other_keys);
    COVEY_TRY(covey_i_named_read_params(r, &chosen.params, &values, &c, map));
    COVEY_TRY(resolve_path(r, &chosen.params, chosen.preset));
    for (size_t i = 0; i < chosen.params.n; i++)
        COVEY_TRY(covey_i_named_set_param(r, values, &c, chosen.params.name[i], chosen.params.text[i], node));
    chosen.values = values;
    chosen.line = r->file ? node->line : 0;
    chosen.column = r->file ? node->column : 0;
    if (place == own->n_presets) {
        if (!(list = covey_i_policy_grow(r->policy, own->preset, own->n_presets, sizeof *list)))
            return covey_i_no_memory(r->err);
        own->preset = list;
        own->n_presets++;
    }
    own->preset[place] = chosen;
    return list_presets(r->policy, r->err);
}
