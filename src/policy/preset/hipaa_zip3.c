/* The two parts of HIPAA's Safe Harbor that are a matter of coding: ages of 90 and more become one category, ZIP codes
 * keep three digits, and areas of three digits with at most 20,000 inhabitants become 000. Source: 45 CFR
 * 164.514(b)(2)(i)(B) and (C).  The rest of Safe Harbor is a matter of leaving columns out, and is said in a warning.
 */
#include "policy/preset/preset_impl.h"

#include <string.h>

#include "policy/policy_impl.h"
#include "table/column_words.h"

struct hipaa_params {
    const char *age, *zip, *small_areas;
};

static const covey_param hipaa_param_list[] = {
    {.name = "age",
     .type = COVEY_PARAM_TEXT,
     .offset = offsetof(struct hipaa_params, age),
     .help = "the attribute that is an age in years, or none; found by its name if not given"},
    {.name = "zip",
     .type = COVEY_PARAM_TEXT,
     .offset = offsetof(struct hipaa_params, zip),
     .help = "the attribute that is a ZIP code, or none; found by its name if not given"},
    {.name = "small-areas",
     .type = COVEY_PARAM_TEXT,
     .offset = offsetof(struct hipaa_params, small_areas),
     .help = "file with one three-digit area per line: those with 20,000 inhabitants or fewer by the current census"},
};

/* The attribute that a parameter names, or the one whose name fits; *out stays -1 for "none". */
static covey_status find(int *out, const covey_preset_target *target, const char *param, const char *given,
                         bool (*fits)(const char *name), covey_error *err)
{
    const covey_policy *policy = target->policy;

    *out = -1;
    if (given && strcmp(given, "none") == 0)
        return COVEY_OK;
    for (size_t i = 0; i < policy->n_attributes; i++) {
        if (given ? strcmp(policy->attribute[i].name, given) != 0 : !fits(policy->attribute[i].name))
            continue;
        if (*out >= 0)
            return covey_i_preset_complain(target, err,
                                           "both \"%.80s\" and \"%.80s\" look like %s: say which with `%s: NAME`",
                                           policy->attribute[*out].name, policy->attribute[i].name, param, param);
        *out = (int)i;
    }
    if (*out < 0 && given)
        return covey_i_preset_complain(target, err, "the policy has no attribute \"%.120s\"", given);
    if (*out < 0)
        return covey_i_preset_complain(
            target, err, "no attribute looks like %s: name it with `%s: NAME`, or say `%s: none`", param, param, param);
    return COVEY_OK;
}

/* Gives a quasi-identifier its hierarchy; identifiers are dropped anyway, other roles would be published as they are.
 */
static covey_status treat(const covey_preset_target *target, int index, const covey_hierarchy_spec *spec,
                          covey_error *err)
{
    covey_wish_attribute *attribute = index < 0 ? NULL : &target->policy->attribute[index];

    if (!attribute || covey_role_is_dropped(attribute->role))
        return COVEY_OK;
    if (attribute->role != COVEY_ROLE_QUASI)
        return covey_i_preset_complain(
            target, err, "attribute \"%.120s\" must be a quasi-identifier (or an identifier, which is dropped), not %s",
            attribute->name, covey_role_name(attribute->role));
    if (attribute->hierarchy.kind != COVEY_HIERARCHY_NONE)
        return covey_i_preset_complain(
            target, err, "attribute \"%.120s\" gets its hierarchy from the preset: take out its own", attribute->name);
    attribute->hierarchy = *spec;
    attribute->hierarchy_place =
        (covey_wish_place){.flag = target->line ? NULL : "preset", .line = target->line, .column = target->column};
    attribute->hierarchy_preset = target->preset->name;
    return COVEY_OK;
}

static covey_status treat_hipaa(const covey_preset_target *target, covey_error *err)
{
    static const char *const age_widths[] = {"5", "10", "30"};
    const struct hipaa_params *p = target->params;
    const covey_hierarchy_spec top = {.kind = COVEY_HIERARCHY_TOP, .n = 90, .widths = age_widths, .n_widths = 3};
    const covey_hierarchy_spec zip3 = {.kind = COVEY_HIERARCHY_ZIP3, .path = p->small_areas};
    int age, zip;

    COVEY_TRY(find(&age, target, "age", p->age, covey_i_column_is_age_name, err));
    COVEY_TRY(find(&zip, target, "zip", p->zip, covey_i_column_is_zip_name, err));
    if (zip >= 0 && target->policy->attribute[zip].role == COVEY_ROLE_QUASI && !p->small_areas)
        return covey_i_preset_complain(
            target, err,
            "small-areas is missing: name a file with one three-digit ZIP area per line, those where"
            " 20,000 people or fewer live by the current census (they are published as 000)");
    COVEY_TRY(treat(target, age, &top, err));
    COVEY_TRY(treat(target, zip, &zip3, err));
    return covey_i_policy_warn(
        target->policy, err,
        "hipaa-zip3 is two of the rules of Safe Harbor, not all: also leave out names, every other place smaller than "
        "a state,"
        " all parts of dates but the year (birth, admission, discharge, death), telephone and fax numbers, e-mail"
        " addresses, social security, record, plan, account and licence numbers, vehicles, devices, web and IP "
        "addresses,"
        " biometrics, photographs and any other unique code, and know of no way to identify anybody (45 CFR "
        "164.514(b)(2))");
}

const covey_preset covey_preset_hipaa_zip3 = {
    .name = "hipaa-zip3",
    .summary = "ages of 90 and more as 90+, ZIP codes as three digits, small areas as 000: two of the rules of HIPAA's "
               "Safe Harbor",
    .source = "45 CFR 164.514(b)(2)(i)(B) and (C)",
    .params = hipaa_param_list,
    .n_params = sizeof hipaa_param_list / sizeof *hipaa_param_list,
    .params_size = sizeof(struct hipaa_params),
    .path_param = "small-areas",
    .treat = treat_hipaa,
};
