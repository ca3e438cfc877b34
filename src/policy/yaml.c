/* The policy file: its top level and the keys of `input`. */
#include "policy/policy_impl.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exact/fraction.h"
#include "base/file/source.h"

static covey_status read_path(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    covey_policy *policy = object;
    const char *path;

    COVEY_TRY(covey_i_policy_text(r, &path, node, "path"));
    policy->own->input_place = covey_i_policy_place(r, node);
    policy->input_path = NULL;
    policy->input_source = covey_i_policy_resolve_source(policy, r->file, path);
    if (policy->input_source)
        policy->input_path = covey_i_source_shown(policy->input_source, &policy->own->arena);
    return policy->input_path ? COVEY_OK : covey_i_no_memory(r->err);
}

static covey_status read_delimiter(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const struct {
        const char *name;
        char delimiter;
    } names[] = {{"tab", '\t'}, {"\\t", '\t'}, {"comma", ','}, {"semicolon", ';'}, {"pipe", '|'}};
    covey_policy *policy = object;
    const char *text = node->text;

    for (size_t i = 0; i < sizeof names / sizeof *names && node->kind == COVEY_YAML_SCALAR; i++)
        if (strcmp(names[i].name, text) == 0) {
            policy->delimiter = names[i].delimiter;
            return COVEY_OK;
        }
    if (node->kind != COVEY_YAML_SCALAR || strlen(text) != 1 || strchr("\"\r\n", text[0]) ||
        (unsigned char)text[0] >= 0x80)
        return covey_i_policy_expected(r, node, "delimiter",
                                       "one ASCII character other than a quote (or tab, comma, semicolon, pipe)");
    policy->delimiter = text[0];
    return COVEY_OK;
}

static covey_status read_null(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    covey_policy *policy = object;

    return covey_i_policy_texts(r, &policy->null, &policy->n_null, node, "null");
}

static covey_status read_missing(const covey_policy_reader *r, covey_missing *out, const covey_yaml *node,
                                 const char *what)
{
    static const char *const choices[] = {"error", "drop", "value", NULL};
    static const covey_missing values[] = {COVEY_MISSING_ERROR, COVEY_MISSING_DROP, COVEY_MISSING_VALUE};
    int choice;

    COVEY_TRY(covey_i_policy_choice(r, &choice, node, what, choices));
    *out = values[choice];
    return COVEY_OK;
}

static covey_status read_missing_sensitive(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return read_missing(r, &((covey_policy *)object)->missing_sensitive, node, "missing-sensitive");
}

static covey_status read_missing_quasi(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return read_missing(r, &((covey_policy *)object)->missing_quasi, node, "missing-quasi");
}

static covey_status read_trim(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return covey_i_policy_bool(r, &((covey_policy *)object)->trim, node, "trim");
}

static covey_status read_decimal(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return covey_i_policy_decimal(r, &((covey_policy *)object)->recoding.decimal, node);
}

static covey_status read_date_format(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return covey_i_policy_date_format(r, &((covey_policy *)object)->recoding.date_format, node);
}

static covey_status read_header(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    bool header;

    COVEY_TRY(covey_i_policy_bool(r, &header, node, "header"));
    ((covey_policy *)object)->no_header = !header;
    return COVEY_OK;
}

static covey_status read_names(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    covey_policy *policy = object;

    COVEY_TRY(covey_i_policy_texts(r, &policy->names, &policy->n_names, node, "names"));
    for (size_t i = 0; i < policy->n_names; i++)
        if (policy->names[i][0] == '\0')
            return covey_i_policy_complain(r, node, COVEY_EINVAL, "names has an empty one: every column needs a name");
    return COVEY_OK;
}

const covey_policy_key covey_i_policy_input_keys[] = {
    {"path", read_path},
    {"delimiter", read_delimiter},
    {"null", read_null},
    {"missing-sensitive", read_missing_sensitive},
    {"missing-quasi", read_missing_quasi},
    {"trim", read_trim},
    {"decimal", read_decimal},
    {"date-format", read_date_format},
    {"header", read_header},
    {"names", read_names},
};
const size_t covey_i_policy_n_input_keys = sizeof covey_i_policy_input_keys / sizeof *covey_i_policy_input_keys;

static covey_status read_version(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    if (node->kind != COVEY_YAML_SCALAR || strcmp(node->text, "1") != 0)
        return covey_i_policy_expected(r, node, "version", "1, the only one that this covey reads");
    return COVEY_OK;
}

static covey_status read_input(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return covey_i_policy_map(r, object, node, "input", covey_i_policy_input_keys, covey_i_policy_n_input_keys);
}

/* A list of things, each read by `read`. */
static covey_status read_list(const covey_policy_reader *r, const covey_yaml *node, const char *what,
                              const char *expected,
                              covey_status (*read)(const covey_policy_reader *r, const covey_yaml *item))
{
    if (node->kind != COVEY_YAML_LIST)
        return covey_i_policy_expected(r, node, what, expected);
    for (size_t i = 0; i < node->n; i++)
        COVEY_TRY(read(r, node->item[i]));
    return COVEY_OK;
}

static covey_status read_attributes(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return read_list(r, node, "attributes", "a list such as [{name: age, role: quasi-identifier}]",
                     covey_i_policy_read_attribute);
}

static covey_status read_others(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const char *const choices[] = {"drop", "insensitive", NULL};
    covey_policy *policy = object;
    int choice;

    COVEY_TRY(covey_i_policy_choice(r, &choice, node, "others", choices));
    policy->others = choice == 0 ? COVEY_ROLE_IDENTIFIER : COVEY_ROLE_INSENSITIVE;
    return COVEY_OK;
}

static covey_status read_own_promise(const covey_policy_reader *r, const covey_yaml *node)
{
    return covey_i_policy_read_promise(r, node, NULL);
}

static covey_status read_privacy(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return read_list(r, node, "privacy", "a list such as [{model: k-anonymity, k: 5}]", read_own_promise);
}

static covey_status read_presets(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return read_list(r, node, "presets", "a list such as [cms11]", covey_i_policy_read_preset);
}

static covey_status read_method(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return covey_i_policy_read_method(r, node);
}

/* A number, or as many in a hundred: 5%. */
static covey_status read_share(const covey_policy_reader *r, covey_ratio *out, const covey_yaml *node)
{
    const size_t size = node->kind == COVEY_YAML_SCALAR ? strlen(node->text) : 0;
    covey_fraction share;
    char *number;

    if (size < 2 || node->text[size - 1] != '%')
        return covey_i_policy_ratio(r, out, node, "the suppression limit");
    if (!(number = covey_arena_strndup(&r->policy->own->arena, node->text, size - 1)))
        return covey_i_no_memory(r->err);
    if (covey_ratio_parse(out, number, NULL) != COVEY_OK || out->den > INT64_MAX / 100)
        return covey_i_policy_expected(r, node, "the suppression limit", "a share of the rows such as 0.01 or 1%");
    share = covey_i_fraction(out->num, (covey_i128)out->den * 100);
    *out = (covey_ratio){(int64_t)share.num, (int64_t)share.den};
    return COVEY_OK;
}

static covey_status read_limit(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    covey_policy *policy = object;
    covey_ratio limit;

    COVEY_TRY(read_share(r, &limit, node));
    if (limit.num < 0 || limit.num > limit.den)
        return covey_i_policy_expected(r, node, "the suppression limit", "a share of the rows, from 0 to 1");
    policy->suppression_limit = limit;
    return COVEY_OK;
}

/* What other tools call local suppression: docs/design/suppressed-rows.md says why there is nothing to be had by it. */
static covey_status read_cells(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    bool is_wanted;

    (void)object;
    COVEY_TRY(covey_i_policy_bool(r, &is_wanted, node, "suppression: cells"));
    if (!is_wanted)
        return COVEY_OK;
    return covey_i_policy_complain(
        r, node, COVEY_EINVAL,
        "single cells are not suppressed: rows of a class are published alike, with cells as narrow as they allow, "
        "which never lose more than a * in their place; leave out `cells`, and take a method that recodes locally, "
        "such "
        "as peel");
}

static covey_status read_suppression(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const covey_policy_key keys[] = {{"limit", read_limit}, {"cells", read_cells}};

    if (node->kind == COVEY_YAML_SCALAR)
        return read_limit(r, object, node);
    return covey_i_policy_map(r, object, node, "suppression", keys, sizeof keys / sizeof *keys);
}

const covey_policy_key covey_i_policy_keys[] = {
    {"version", read_version},
    {"input", read_input},
    {"attributes", read_attributes},
    {"others", read_others},
    {"privacy", read_privacy},
    {"presets", read_presets},
    {"method", read_method},
    {"suppression", read_suppression},
    {"groups", covey_i_policy_read_groups},
};
const size_t covey_i_policy_n_keys = sizeof covey_i_policy_keys / sizeof *covey_i_policy_keys;

/* Policy and what it owns in one piece. */
struct box {
    covey_policy policy;
    struct covey_policy_own own;
};

covey_status covey_policy_new(covey_policy **out, covey_error *err)
{
    static const char *const empty[] = {""};
    struct box *box = covey_i_array_zero(1, sizeof *box);

    if (!box)
        return covey_i_no_memory(err);
    box->policy.own = &box->own;
    box->policy.null = empty;
    box->policy.n_null = 1;
    box->policy.suppression_limit = (covey_ratio){0, 1};
    *out = &box->policy;
    return COVEY_OK;
}

void covey_policy_free(covey_policy *policy)
{
    if (!policy)
        return;
    covey_arena_free(&policy->own->arena);
    covey_i_free(policy);
}

static covey_status read_root(covey_policy *policy, const covey_yaml *root, covey_error *err)
{
    const covey_policy_reader r = {policy, policy->path, NULL, err};

    if (!root)
        return covey_i_policy_complain(&r, NULL, COVEY_EINVAL, "is empty: a policy begins with `version: 1`");
    if (root->kind == COVEY_YAML_MAP && !covey_i_yaml_get(root, "version"))
        return covey_i_policy_complain(&r, root, COVEY_EINVAL, "the policy has no version: add the line `version: 1`");
    return covey_i_policy_map(&r, policy, root, "a policy", covey_i_policy_keys, covey_i_policy_n_keys);
}

/* A policy from a file, or from text if that is given. */
static covey_status read(covey_policy **out, const char *text, size_t size, const char *path, covey_error *err)
{
    covey_policy *policy = NULL;
    const covey_yaml *root = NULL;
    covey_status status;

    COVEY_TRY(covey_policy_new(&policy, err));
    if (!(policy->path = covey_arena_strdup(&policy->own->arena, path)))
        status = covey_i_no_memory(err);
    else if (text)
        status = covey_i_yaml_parse(&root, text, size, path, &policy->own->arena, err);
    else
        status = covey_i_yaml_read(&root, path, &policy->own->arena, err);
    if (status == COVEY_OK)
        status = read_root(policy, root, err);
    if (status == COVEY_OK)
        *out = policy;
    else
        covey_policy_free(policy);
    return status;
}

covey_status covey_policy_read(covey_policy **out, const char *path, covey_error *err)
{
    return read(out, NULL, 0, path, err);
}

covey_status covey_policy_parse(covey_policy **out, const char *text, size_t size, const char *path, covey_error *err)
{
    return read(out, text, size, path, err);
}
