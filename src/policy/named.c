/* Models and methods with their parameters, and how whatever a policy names with parameters is read at all. */
#include "policy/named.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "method/auto.h"
#include "method/method_impl.h"
#include "model/model_impl.h"
#include "policy/blame.h"

void covey_i_named_describe(covey_named *c, const char *kind, const char *name, const covey_param *params, size_t n,
                            size_t size, const char *const *other_keys)
{
    *c = (covey_named){.params = params, .n_params = n, .params_size = size, .other_keys = other_keys};
    snprintf(c->owner, sizeof c->owner, "%s %s", kind, name);
}

static void describe_method(covey_named *c, const covey_method *method)
{
    static const char *const method_keys[] = {"name", NULL};

    if (method)
        covey_i_named_describe(c, "method", method->name, method->params, method->n_params, method->params_size,
                               method_keys);
    else
        covey_i_named_describe(c, "method", "auto", covey_i_auto_params, COVEY_AUTO_N_PARAMS, sizeof(covey_auto_params),
                               method_keys);
}

static int find_param(const covey_named *c, const char *name)
{
    for (size_t i = 0; i < c->n_params; i++)
        if (strcmp(c->params[i].name, name) == 0)
            return (int)i;
    return -1;
}

static bool is_other_key(const covey_named *c, const char *name)
{
    for (size_t i = 0; c->other_keys[i]; i++)
        if (strcmp(c->other_keys[i], name) == 0)
            return true;
    return false;
}

/* A parameter that the choice does not have; the keys beside parameters may be meant, too. */
static covey_status unknown_param(const covey_policy_reader *r, const covey_named *c, const covey_yaml *key,
                                  const char *name)
{
    enum { MOST = 40 };
    const char *names[MOST];
    char what[160];
    size_t n = 0;

    for (size_t i = 0; i < c->n_params && n < MOST; i++)
        names[n++] = c->params[i].name;
    for (size_t i = 0; c->other_keys[i] && n < MOST; i++)
        names[n++] = c->other_keys[i];
    snprintf(what, sizeof what, "parameter of %s:", c->owner);
    return covey_i_policy_unknown(r, key, COVEY_EINVAL, what, name, names, n, n ? NULL : "it takes none");
}

/* A copy in which the values of keys `file` are found from where the policy stands; NULL: no memory. */
static const covey_yaml *resolve_files(const covey_policy_reader *r, const covey_yaml *node)
{
    covey_arena *arena = &r->policy->own->arena;
    covey_yaml *copy = covey_arena_array(arena, covey_yaml, 1);
    const covey_yaml **item = covey_arena_array(arena, const covey_yaml *, node->n);

    if (!copy || !item)
        return NULL;
    *copy = *node;
    copy->item = item;
    for (size_t i = 0; i < node->n; i++) {
        const bool is_file = node->kind == COVEY_YAML_MAP && strcmp(node->key[i]->text, "file") == 0 &&
                             node->item[i]->kind == COVEY_YAML_SCALAR;

        if (is_file) {
            covey_yaml *path = covey_arena_array(arena, covey_yaml, 1);

            if (!path)
                return NULL;
            *path = *node->item[i];
            path->text = covey_i_policy_resolve(r->policy, r->file, path->text);
            item[i] = path->text ? path : NULL;
        } else {
            item[i] = node->item[i]->kind == COVEY_YAML_SCALAR ? node->item[i] : resolve_files(r, node->item[i]);
        }
        if (!item[i])
            return NULL;
    }
    return copy;
}

/* The value as text: a scalar is its text, anything else is YAML and only for parameters that are trees. */
static covey_status param_text(const covey_policy_reader *r, const char **out, const covey_named *c,
                               const covey_param *param, const covey_yaml *node)
{
    covey_text text = COVEY_TEXT_INIT;
    char what[128];
    bool fits;

    snprintf(what, sizeof what, "%s: %s", c->owner, param->name);
    if (covey_i_yaml_is_nothing(node))
        return covey_i_policy_expected(r, node, what, "given a value");
    if (node->kind == COVEY_YAML_SCALAR) {
        *out = node->text;
        return COVEY_OK;
    }
    if (param->type != COVEY_PARAM_TREE)
        return covey_i_policy_expected(r, node, what, "a single value");
    if (!(node = resolve_files(r, node)))
        return covey_i_no_memory(r->err);
    fits = covey_i_yaml_print(&text, node);
    *out = covey_i_text_keep(&text, &r->policy->own->arena);
    if (!fits && *out)
        return covey_i_policy_complain(r, node, COVEY_EINVAL, "%s is longer than 64 KiB", what);
    return *out ? COVEY_OK : covey_i_no_memory(r->err);
}

covey_status covey_i_named_set_param(const covey_policy_reader *r, void *values, const covey_named *c, const char *name,
                                     const char *text, const covey_yaml *node)
{
    covey_error inner;

    if (covey_param_set(values, c->params, c->n_params, c->owner, name, text, &inner) != COVEY_OK)
        return covey_i_policy_complain(r, node, inner.status, "%s", inner.message);
    return COVEY_OK;
}

static covey_status new_values(void **values, const covey_named *c, covey_policy *policy, covey_error *err)
{
    if (!(*values = covey_arena_alloc_zero(&policy->own->arena, 1, c->params_size)))
        return covey_i_no_memory(err);
    return covey_param_defaults(*values, c->params, c->n_params, err);
}

static covey_status missing_param(const covey_policy_reader *r, const covey_named *c, const covey_param *param,
                                  const covey_yaml *node)
{
    return covey_i_policy_complain(r, node, COVEY_EINVAL, "%s needs %s: %s", c->owner, param->name,
                                   param->help ? param->help : "a value");
}

/* What is said of a parameter. */
struct said {
    const char *text; /* NULL: nothing */
    covey_wish_place place;
};

/* What is said by parameter -> names and texts in the parameters' order, defaults included: the same choice always
 * reads the same. */
static covey_status list_params(covey_chosen *out, const covey_named *c, const struct said *said, covey_wish_place own,
                                covey_policy *policy, covey_error *err)
{
    const char **name = covey_arena_array_zero(&policy->own->arena, const char *, c->n_params + 1);
    const char **text = covey_arena_array_zero(&policy->own->arena, const char *, c->n_params + 1);
    covey_wish_place *place = covey_arena_array_zero(&policy->own->arena, covey_wish_place, c->n_params + 1);
    size_t n = 0;

    if (!name || !text || !place)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < c->n_params; i++) {
        if (!said[i].text && !c->params[i].fallback)
            continue;
        name[n] = c->params[i].name;
        place[n] = said[i].text ? said[i].place : own;
        text[n++] = said[i].text ? said[i].text : c->params[i].fallback;
    }
    *out = (covey_chosen){name, text, place, n};
    return COVEY_OK;
}

covey_status covey_i_named_read_params(const covey_policy_reader *r, covey_chosen *out, void **values,
                                       const covey_named *c, const covey_yaml *node)
{
    struct said *said = covey_arena_array_zero(&r->policy->own->arena, struct said, c->n_params + 1);
    void *tried;

    if (!said)
        return covey_i_no_memory(r->err);
    COVEY_TRY(new_values(&tried, c, r->policy, r->err));
    for (size_t i = 0; i < node->n; i++) {
        int found = find_param(c, node->key[i]->text);

        if (found < 0 && is_other_key(c, node->key[i]->text))
            continue;
        if (found < 0)
            return unknown_param(r, c, node->key[i], node->key[i]->text);
        COVEY_TRY(param_text(r, &said[found].text, c, &c->params[found], node->item[i]));
        COVEY_TRY(covey_i_named_set_param(r, tried, c, c->params[found].name, said[found].text, node->item[i]));
        said[found].place = covey_i_policy_place(r, node->item[i]->line > 0 ? node->item[i] : node);
    }
    for (size_t i = 0; i < c->n_params && values; i++)
        if (c->params[i].required && !said[i].text)
            return missing_param(r, c, &c->params[i], node);
    if (values)
        *values = tried;
    return list_params(out, c, said, covey_i_policy_place(r, node), r->policy, r->err);
}

covey_status covey_i_named_read_name(const covey_policy_reader *r, const covey_yaml **map, const covey_yaml **name,
                                     const covey_yaml *node, const char *kind, const char *key, const char *example)
{
    char what[64];

    snprintf(what, sizeof what, "a %s", kind);
    *name = node->kind == COVEY_YAML_SCALAR ? node : covey_i_yaml_get(node, key);
    if (node->kind == COVEY_YAML_LIST || covey_i_yaml_is_nothing(node))
        return covey_i_policy_expected(r, node, what, example);
    if (!*name)
        return covey_i_policy_complain(r, node, COVEY_EINVAL, "%s has no %s: write %s", what, key, example);
    if ((*name)->kind != COVEY_YAML_SCALAR || (*name)->text[0] == '\0')
        return covey_i_policy_expected(r, *name, what, example);
    *map = node;
    if (node->kind == COVEY_YAML_SCALAR && !(*map = covey_i_policy_pair(r->policy, key, node)))
        return covey_i_no_memory(r->err);
    return COVEY_OK;
}

static covey_status find_model(const covey_policy_reader *r, const covey_model **out, const covey_yaml *name)
{
    const char *names[COVEY_NAMED_MOST];
    size_t n = 0;

    if ((*out = covey_model_find(name->text)))
        return COVEY_OK;
    for (; n < covey_model_count() && n < COVEY_NAMED_MOST; n++)
        names[n] = covey_model_name(covey_model_at(n));
    return covey_i_policy_unknown(r, name, COVEY_ENOTFOUND, "model", name->text, names, n,
                                  strchr(name->text, '=') ? "write k-anonymity:k=5" : "`covey models` lists them");
}

static covey_status find_method(const covey_policy_reader *r, const covey_method **out, const covey_yaml *name)
{
    const char *names[COVEY_NAMED_MOST] = {"auto"};
    size_t n = 1;

    if ((*out = covey_method_find(name->text)))
        return COVEY_OK;
    for (; n <= covey_method_count() && n < COVEY_NAMED_MOST; n++)
        names[n] = covey_method_name(covey_method_at(n - 1));
    return covey_i_policy_unknown(r, name, COVEY_ENOTFOUND, "method", name->text, names, n,
                                  "`covey methods` lists them");
}

covey_status covey_i_policy_read_promise(const covey_policy_reader *r, const covey_yaml *node, const char *preset)
{
    static const char *const other_keys[] = {"model", "attribute", "joint", "units", NULL};
    static const char *const over_units[] = {"share", "count", "rows", NULL}; /* as covey_over_units */
    covey_policy *policy = r->policy;
    int units;
    covey_wish_promise promise = {.preset = preset}, *list;
    const covey_yaml *map, *name, *value, *over;
    covey_chosen params;
    covey_named c;

    COVEY_TRY(covey_i_named_read_name(r, &map, &name, node, "promise", "model", "{model: k-anonymity, k: 5}"));
    COVEY_TRY(find_model(r, &promise.model, name));
    covey_i_named_describe(&c, "model", promise.model->name, promise.model->params, promise.model->n_params,
                           promise.model->params_size, other_keys);
    COVEY_TRY(covey_i_named_read_params(r, &params, &promise.params, &c, map));
    if ((value = covey_i_yaml_get(map, "attribute")))
        COVEY_TRY(covey_i_policy_text(r, &promise.attribute, value, "attribute"));
    if ((value = covey_i_yaml_get(map, "joint")))
        COVEY_TRY(covey_i_policy_bool(r, &promise.joint, value, "joint"));
    if ((over = covey_i_yaml_get(map, "units"))) {
        COVEY_TRY(covey_i_policy_choice(r, &units, over, "units", over_units));
        promise.units = (covey_over_units)units;
        promise.has_units = true;
    }
    if (promise.joint && promise.attribute)
        return covey_i_policy_complain(r, value, COVEY_EINVAL,
                                       "a promise is about one attribute or about all jointly, not both");
    if (!(list = covey_i_policy_grow(policy, policy->promise, policy->n_promises, sizeof *list)))
        return covey_i_no_memory(r->err);
    promise.param_names = params.name;
    promise.param_texts = params.text;
    promise.param_places = params.place;
    promise.n_params = params.n;
    promise.line = r->file ? node->line : 0;
    promise.column = r->file ? node->column : 0;
    policy->promise = list;
    policy->promise[policy->n_promises++] = promise;
    if (!preset)
        policy->own->n_own_promises = policy->n_promises;
    return COVEY_OK;
}

covey_status covey_i_policy_read_method(const covey_policy_reader *r, const covey_yaml *node)
{
    covey_wish_method wish = {0};
    covey_chosen params = {0};
    const covey_yaml *map, *name;
    covey_named c;

    COVEY_TRY(covey_i_named_read_name(r, &map, &name, node, "method", "name", "{name: mondrian}"));
    if (strcmp(name->text, "auto") != 0)
        COVEY_TRY(find_method(r, &wish.method, name));
    describe_method(&c, wish.method);
    COVEY_TRY(covey_i_named_read_params(r, &params, NULL, &c, map));
    wish.line = r->file ? node->line : 0;
    wish.column = r->file ? node->column : 0;
    r->policy->method = wish;
    r->policy->own->method = params;
    return COVEY_OK;
}

covey_status covey_i_policy_read_whole_method(const covey_policy_reader *r, covey_wish_method *out,
                                              const covey_yaml *node)
{
    covey_wish_method wish = {.line = r->file ? node->line : 0, .column = r->file ? node->column : 0};
    const covey_yaml *map, *name;
    covey_chosen params;
    covey_named c;
    void *values;

    COVEY_TRY(covey_i_named_read_name(r, &map, &name, node, "method", "name", "{name: mondrian}"));
    if (strcmp(name->text, "auto") == 0)
        return covey_i_policy_complain(r, name, COVEY_EINVAL, "a method by name is needed here, not auto");
    COVEY_TRY(find_method(r, &wish.method, name));
    describe_method(&c, wish.method);
    COVEY_TRY(covey_i_named_read_params(r, &params, &values, &c, map));
    wish.param_names = params.name;
    wish.param_texts = params.text;
    wish.param_places = params.place;
    wish.n_params = params.n;
    *out = wish;
    return COVEY_OK;
}

/* A parameter for a method that is left to covey. */
static covey_status refuse_for_auto(const char *name, covey_error *err)
{
    char takers[300] = "";
    size_t used = 0;

    for (size_t i = 0; i < covey_method_count() && used < sizeof takers; i++) {
        const covey_method *m = covey_method_at(i);

        for (size_t j = 0; j < m->n_params; j++)
            if (strcmp(m->params[j].name, name) == 0)
                used += (size_t)snprintf(takers + used, sizeof takers - used, "%s%s", used ? ", " : "", m->name);
    }
    return covey_fail(err, COVEY_EINVAL, "--%s needs a method by name: add --method with one of %s", name, takers);
}

covey_status covey_i_policy_complete_method(covey_policy *policy, covey_error *err)
{
    const struct covey_policy_own *own = policy->own;
    covey_wish_method *wish = &policy->method;
    const covey_yaml place = {.line = wish->line, .column = wish->column};
    covey_policy_reader r = {policy, wish->line ? policy->path : NULL, NULL, err};
    covey_chosen params;
    struct said *said;
    covey_named c;
    void *values;

    describe_method(&c, wish->method);
    if (!(said = covey_arena_array_zero(&policy->own->arena, struct said, c.n_params + 1)))
        return covey_i_no_memory(err);
    COVEY_TRY(new_values(&values, &c, policy, err));
    for (size_t i = 0; i < own->method.n; i++)
        said[find_param(&c, own->method.name[i])] = (struct said){own->method.text[i], own->method.place[i]};
    for (size_t i = 0; i < own->n_pending; i++) {
        const covey_policy_reader flag = {policy, NULL, own->pending[i].name, err};
        int found = find_param(&c, own->pending[i].name);

        if (found < 0 && !wish->method)
            return refuse_for_auto(own->pending[i].name, err);
        if (found < 0)
            return unknown_param(&flag, &c, &place, own->pending[i].name);
        COVEY_TRY(covey_i_named_set_param(&flag, values, &c, own->pending[i].name, own->pending[i].text, &place));
        said[found] = (struct said){own->pending[i].text, covey_i_policy_place(&flag, &place)};
    }
    for (size_t i = 0; i < c.n_params; i++)
        if (c.params[i].required && !said[i].text)
            return missing_param(&r, &c, &c.params[i], &place);
    COVEY_TRY(list_params(&params, &c, said, covey_i_policy_method_place(wish), policy, err));
    wish->param_names = params.name;
    wish->param_texts = params.text;
    wish->param_places = params.place;
    wish->n_params = params.n;
    return COVEY_OK;
}
