/* Writes a policy as YAML: reading it gives the same policy. */
#include "policy/policy_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file/newfile.h"
#include "method/method_impl.h"
#include "model/model_impl.h"
#include "policy/preset/preset_impl.h"

static void add_scalar(covey_text *out, const char *key, const char *text)
{
    covey_i_text_add_string(out, key);
    covey_i_text_add_string(out, ": ");
    covey_i_yaml_print_scalar(out, text);
}

static void add_list(covey_text *out, const char *const *texts, size_t n)
{
    covey_i_text_add_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            covey_i_text_add_string(out, ", ");
        covey_i_yaml_print_scalar(out, texts[i]);
    }
    covey_i_text_add_char(out, ']');
}

static void add_path(covey_text *out, const char *key, const char *path, const char *folder)
{
    covey_text relative = COVEY_TEXT_INIT;

    covey_i_policy_relative(&relative, path, folder);
    if (relative.broken)
        out->broken = true;
    else
        add_scalar(out, key, relative.bytes);
    covey_i_text_free(&relative);
}

/* As a decimal where it is one, else as a fraction. */
static void add_ratio(covey_text *out, covey_ratio value)
{
    int64_t den = value.den, scale = 1;
    int n_digits = 0;
    char digits[32];
    size_t n;

    while (scale % den != 0 && n_digits < 18) {
        scale *= 10;
        n_digits++;
    }
    if (scale % den != 0 || value.num > INT64_MAX / (scale / den) || value.num < 0) {
        covey_i_text_add_format(out, "%lld/%lld", (long long)value.num, (long long)den);
        return;
    }
    n = (size_t)snprintf(digits, sizeof digits, "%0*lld", n_digits + 1, (long long)(value.num * (scale / den)));
    covey_i_text_add(out, digits, n - (size_t)n_digits);
    if (n_digits)
        covey_i_text_add_format(out, ".%s", digits + n - (size_t)n_digits);
}

static void add_hierarchy(covey_text *out, const covey_hierarchy_spec *h, const char *folder)
{
    switch (h->kind) {
    case COVEY_HIERARCHY_FILE:
        if (h->path)
            add_path(out, "file", h->path, folder);
        else
            covey_i_policy_print_lines(out, h);
        if (h->path && h->delimiter)
            covey_i_text_add_format(out, ", delimiter: \"%c\"", h->delimiter);
        if (h->missing_leaf_root)
            covey_i_text_add_string(out, ", missing-leaf: root");
        break;
    case COVEY_HIERARCHY_BALANCED:
        covey_i_text_add_format(out, "balanced: %lld", (long long)h->n);
        break;
    case COVEY_HIERARCHY_MASK:
        covey_i_text_add_format(out, "mask: %lld", (long long)h->n);
        break;
    case COVEY_HIERARCHY_INTERVAL:
        add_scalar(out, "interval: {from", h->from);
        add_scalar(out, ", to", h->to);
        covey_i_text_add_string(out, ", widths: ");
        add_list(out, h->widths, h->n_widths);
        covey_i_text_add_string(out, h->clamp ? ", clamp: true}" : "}");
        break;
    case COVEY_HIERARCHY_CUTS:
        covey_i_text_add_string(out, "cuts: [");
        for (size_t i = 0; i < h->n_levels; i++) {
            covey_i_text_add_string(out, i ? ", " : "");
            add_list(out, h->cuts[i], h->n_cuts[i]);
        }
        covey_i_text_add_char(out, ']');
        break;
    case COVEY_HIERARCHY_DATE:
        covey_i_text_add_string(out, "date: ");
        add_list(out, h->units, h->n_units);
        break;
    case COVEY_HIERARCHY_NONE: /* the caller leaves these out: nobody writes them, or a preset brings them */
    case COVEY_HIERARCHY_SUPPRESSION:
    case COVEY_HIERARCHY_ZIP3:
    case COVEY_HIERARCHY_TOP:
        break;
    }
}

static void add_recode(covey_text *out, const covey_recoding *r)
{
    const struct {
        const char *key, *text;
        int64_t number;
    } keys[] = {{"age-at", r->age_at, 0}, {"bottom", r->bottom, 0},  {"top", r->top, 0},
                {"round", r->round, 0},   {"first", NULL, r->first}, {"rare", NULL, r->rare}};
    size_t n = 0;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!keys[i].text && !keys[i].number)
            continue;
        covey_i_text_add_format(out, "%s%s: ", n++ ? ", " : ", recode: {", keys[i].key);
        if (keys[i].text)
            covey_i_yaml_print_scalar(out, keys[i].text);
        else
            covey_i_text_add_format(out, "%lld", (long long)keys[i].number);
    }
    covey_i_text_add_string(out, n ? "}" : "");
}

static void add_attribute(covey_text *out, const covey_policy *policy, size_t index, const char *folder)
{
    const covey_wish_attribute *a = &policy->attribute[index];

    add_scalar(out, "  - {name", a->name);
    covey_i_text_add_format(out, ", role: %s", covey_role_name(a->role));
    if (a->type != COVEY_TYPE_GUESS)
        covey_i_text_add_format(out, ", type: %s", covey_type_name(a->type));
    if (a->hierarchy.kind != COVEY_HIERARCHY_NONE && !a->hierarchy_preset) {
        covey_i_text_add_string(out, ", hierarchy: {");
        add_hierarchy(out, &a->hierarchy, folder);
        covey_i_text_add_char(out, '}');
    }
    if (a->has_weight) {
        covey_i_text_add_string(out, ", weight: ");
        add_ratio(out, a->weight);
    }
    if (a->has_domain) {
        covey_i_text_add_string(out, ", domain: ");
        add_list(out, (const char *const[]){a->domain_low, a->domain_high}, 2);
    }
    if (a->n_order) {
        covey_i_text_add_string(out, ", order: ");
        add_list(out, a->order, a->n_order);
    }
    if (a->may_be_unique)
        covey_i_text_add_string(out, ", unique: allowed");
    add_recode(out, &a->recoding);
    if (a->recoding.decimal)
        add_scalar(out, ", decimal", (const char[]){a->recoding.decimal, '\0'});
    if (a->recoding.date_format)
        add_scalar(out, ", date-format", a->recoding.date_format);
    if (a->publish_range || a->publish_value || policy->own->facts[index].publish_label)
        covey_i_text_add_format(out, ", publish: %s",
                                a->publish_range   ? "range"
                                : a->publish_value ? "value"
                                                   : "label");
    if (a->within)
        add_scalar(out, ", within", a->within);
    if (a->missing_is_own)
        covey_i_text_add_string(out, ", missing-entity: own");
    covey_i_text_add_string(out, "}\n");
}

/* Parameters behind a name; trees are YAML already. */
static void add_params(covey_text *out, const char *const *names, const char *const *texts, size_t n,
                       const covey_param *list, size_t n_list)
{
    for (size_t i = 0; i < n; i++) {
        bool is_tree = false;

        for (size_t j = 0; j < n_list; j++)
            is_tree = is_tree || (list[j].type == COVEY_PARAM_TREE && strcmp(list[j].name, names[i]) == 0);
        covey_i_text_add_format(out, ", %s: ", names[i]);
        if (is_tree && (texts[i][0] == '[' || texts[i][0] == '{'))
            covey_i_text_add_string(out, texts[i]);
        else
            covey_i_yaml_print_scalar(out, texts[i]);
    }
}

void covey_i_policy_print_promise(covey_text *out, const covey_wish_promise *p)
{
    covey_i_text_add_format(out, "{model: %s", p->model->name);
    if (p->attribute)
        add_scalar(out, ", attribute", p->attribute);
    if (p->joint)
        covey_i_text_add_string(out, ", joint: true");
    if (p->has_units)
        covey_i_text_add_format(out, ", units: %s", covey_over_units_name(p->units));
    add_params(out, p->param_names, p->param_texts, p->n_params, p->model->params, p->model->n_params);
    covey_i_text_add_char(out, '}');
}

static void add_preset(covey_text *out, const covey_chosen_preset *chosen, const char *folder)
{
    covey_i_text_add_format(out, "  - {name: %s", chosen->preset->name);
    for (size_t i = 0; i < chosen->params.n; i++) {
        covey_i_text_add_string(out, ", ");
        if (chosen->preset->path_param && strcmp(chosen->params.name[i], chosen->preset->path_param) == 0)
            add_path(out, chosen->params.name[i], chosen->params.text[i], folder);
        else
            add_scalar(out, chosen->params.name[i], chosen->params.text[i]);
    }
    covey_i_text_add_string(out, "}\n");
}

static void add_input(covey_text *out, const covey_policy *policy, const char *folder)
{
    static const char *const missing[] = {NULL, "error", "drop", "value"};

    covey_i_text_add_string(out, "input:\n");
    add_path(out, "  path", policy->input_path, folder);
    if (policy->delimiter)
        add_scalar(out, "\n  delimiter", policy->delimiter == '\t' ? "tab" : (const char[]){policy->delimiter, '\0'});
    if (policy->n_null != 1 || policy->null[0][0] != '\0') {
        covey_i_text_add_string(out, "\n  null: ");
        add_list(out, policy->null, policy->n_null);
    }
    if (policy->missing_sensitive)
        add_scalar(out, "\n  missing-sensitive", missing[policy->missing_sensitive]);
    if (policy->missing_quasi)
        add_scalar(out, "\n  missing-quasi", missing[policy->missing_quasi]);
    if (policy->trim)
        covey_i_text_add_string(out, "\n  trim: true");
    if (policy->recoding.decimal)
        add_scalar(out, "\n  decimal", (const char[]){policy->recoding.decimal, '\0'});
    if (policy->recoding.date_format)
        add_scalar(out, "\n  date-format", policy->recoding.date_format);
    if (policy->no_header)
        covey_i_text_add_string(out, "\n  header: false");
    if (policy->n_names) {
        covey_i_text_add_string(out, "\n  names: ");
        add_list(out, policy->names, policy->n_names);
    }
    covey_i_text_add_char(out, '\n');
}

static void add_privacy(covey_text *out, const covey_policy *policy, const char *folder)
{
    if (policy->own->n_own_promises)
        covey_i_text_add_string(out, "privacy:\n");
    for (size_t i = 0; i < policy->own->n_own_promises; i++) {
        covey_i_text_add_string(out, "  - ");
        covey_i_policy_print_promise(out, &policy->promise[i]);
        covey_i_text_add_char(out, '\n');
    }
    if (policy->own->n_presets)
        covey_i_text_add_string(out, "presets:\n");
    for (size_t i = 0; i < policy->own->n_presets; i++)
        add_preset(out, &policy->own->preset[i], folder);
}

static void add_method(covey_text *out, const covey_wish_method *m)
{
    covey_i_text_add_format(out, "{name: %s", m->method ? m->method->name : "auto");
    if (m->method)
        add_params(out, m->param_names, m->param_texts, m->n_params, m->method->params, m->method->n_params);
    covey_i_text_add_char(out, '}');
}

static void add_groups(covey_text *out, const covey_wish_groups *groups)
{
    covey_i_text_add_string(out, "groups: {");
    if (groups->method.method) {
        covey_i_text_add_string(out, "method: ");
        add_method(out, &groups->method);
        covey_i_text_add_format(out, ", k: %lld}\n", (long long)groups->k);
        return;
    }
    covey_i_text_add_string(out, "by: [");
    for (size_t i = 0; i < groups->n; i++) {
        const covey_wish_grouping *by = &groups->by[i];

        covey_i_text_add_string(out, i ? ", " : "");
        add_scalar(out, "{attribute", by->attribute);
        if (by->level >= 0)
            covey_i_text_add_format(out, ", level: %d", by->level);
        if (by->quantiles > 0)
            covey_i_text_add_format(out, ", quantiles: %lld", (long long)by->quantiles);
        covey_i_text_add_char(out, '}');
    }
    covey_i_text_add_string(out, "]}\n");
}

static void add_policy(covey_text *out, const covey_policy *policy, const char *folder)
{
    covey_i_text_add_string(out, "version: 1\n");
    add_input(out, policy, folder);
    covey_i_text_add_string(out, "attributes:\n");
    for (size_t i = 0; i < policy->n_attributes; i++)
        add_attribute(out, policy, i, folder);
    if (policy->others)
        covey_i_text_add_format(out, "others: %s\n", policy->others == COVEY_ROLE_IDENTIFIER ? "drop" : "insensitive");
    add_privacy(out, policy, folder);
    covey_i_text_add_string(out, "method: ");
    add_method(out, &policy->method);
    covey_i_text_add_string(out, "\nsuppression: {limit: ");
    add_ratio(out, policy->suppression_limit);
    covey_i_text_add_string(out, "}\n");
    if (policy->groups.is_given)
        add_groups(out, &policy->groups);
}

/* By `covey inspect` and by programs. */
static const covey_beginning beginnings[] = {{"# A policy to start from, made by `covey inspect`", "\nversion: "},
                                             {"version: 1\n", "\nattributes:"}};

static const covey_product product = {.noun = "policy as covey writes them", COVEY_BEGINNINGS(beginnings)};

covey_status covey_i_policy_save(const covey_text *text, const char *path, bool force, covey_error *err)
{
    covey_newfile *file = NULL;

    if (text->broken)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_newfile_begin(&file, path, force ? &product : NULL, err));
    covey_i_outfile_write(covey_i_newfile_stream(file), text->bytes, text->size);
    return covey_i_newfile_commit(file, err);
}

covey_status covey_i_policy_print(covey_text *out, const covey_policy *policy, const char *folder, covey_error *err)
{
    if (!policy->is_checked)
        return covey_fail(err, COVEY_EINVAL, "only a policy that covey_policy_check has passed can be written");
    add_policy(out, policy, folder);
    return out->broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_policy_write(const covey_policy *policy, const char *path, covey_error *err)
{
    const char *slash = strrchr(path, '/');
    covey_text text = COVEY_TEXT_INIT, folder = COVEY_TEXT_INIT;
    covey_status status;

    if (!policy->is_checked)
        return covey_fail(err, COVEY_EINVAL, "only a policy that covey_policy_check has passed can be written");
    covey_i_text_add(&folder, path, slash ? (size_t)(slash - path) + 1 : 0);
    if (!folder.broken)
        add_policy(&text, policy, folder.bytes);
    text.broken = text.broken || folder.broken;
    status = covey_i_policy_save(&text, path, true, err);
    covey_i_text_free(&folder);
    covey_i_text_free(&text);
    return status;
}
