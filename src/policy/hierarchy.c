/* Hierarchies as a policy writes them: {file: F}, {balanced: n}, {interval: ...}, {cuts: ...}, {mask: n}, {date: ...},
 * {lines: ...}. */
#include "policy/policy_impl.h"

#include <string.h>

#include "base/error.h"
#include "base/exact/fraction.h"
#include "table/table_impl.h"

/* A number such as -2.5, kept as its text. */
static covey_status read_decimal(const covey_policy_reader *r, const char **text, covey_ratio *value,
                                 const covey_yaml *node, const char *what)
{
    int64_t scaled;
    int scale;

    if (node->kind != COVEY_YAML_SCALAR ||
        !covey_i_typing_parse_decimal(&scaled, &scale, node->text, strlen(node->text)) ||
        covey_ratio_parse(value, node->text, NULL) != COVEY_OK)
        return covey_i_policy_expected_number(r, node, what, "a decimal number");
    *text = node->text;
    return COVEY_OK;
}

static covey_status read_file(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    covey_hierarchy_spec *spec = object;
    const char *path;

    COVEY_TRY(covey_i_policy_text(r, &path, node, "file"));
    spec->kind = COVEY_HIERARCHY_FILE;
    spec->path = covey_i_policy_resolve(r->policy, r->file, path);
    return spec->path ? COVEY_OK : covey_i_no_memory(r->err);
}

static covey_status read_file_delimiter(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    if (node->kind != COVEY_YAML_SCALAR || (strcmp(node->text, ";") != 0 && strcmp(node->text, ",") != 0))
        return covey_i_policy_expected(r, node, "delimiter", "\";\" or \",\"");
    ((covey_hierarchy_spec *)object)->delimiter = node->text[0];
    return COVEY_OK;
}

static covey_status read_missing_leaf(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const char *const choices[] = {"error", "root", NULL};
    int choice;

    COVEY_TRY(covey_i_policy_choice(r, &choice, node, "missing-leaf", choices));
    ((covey_hierarchy_spec *)object)->missing_leaf_root = choice == 1;
    return COVEY_OK;
}

static covey_status read_balanced(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    covey_hierarchy_spec *spec = object;

    spec->kind = COVEY_HIERARCHY_BALANCED;
    return covey_i_policy_integer(r, &spec->n, node, "balanced", 2);
}

static covey_status read_mask(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    covey_hierarchy_spec *spec = object;

    spec->kind = COVEY_HIERARCHY_MASK;
    return covey_i_policy_integer(r, &spec->n, node, "mask", 1);
}

static covey_status read_from(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    covey_ratio value;

    return read_decimal(r, &((covey_hierarchy_spec *)object)->from, &value, node, "from");
}

static covey_status read_to(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    covey_ratio value;

    return read_decimal(r, &((covey_hierarchy_spec *)object)->to, &value, node, "to");
}

/* Is a a whole multiple of b > 0? */
static bool is_multiple(covey_ratio a, covey_ratio b)
{
    return (covey_i128)a.num * b.den % ((covey_i128)a.den * b.num) == 0;
}

static covey_status read_widths(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    covey_hierarchy_spec *spec = object;
    const covey_yaml *single[1] = {node};
    const covey_yaml *const *item = node->kind == COVEY_YAML_LIST ? node->item : single;
    size_t n = node->kind == COVEY_YAML_LIST ? node->n : 1;
    const char **widths;
    covey_ratio before = {0, 1}, width;

    if (n == 0 || n > COVEY_POLICY_MAX_LIST)
        return covey_i_policy_expected(r, node, "widths", "a list of numbers such as [5, 10, 20]");
    if (!(widths = covey_arena_array(&r->policy->own->arena, const char *, n)))
        return covey_i_no_memory(r->err);
    for (size_t i = 0; i < n; i++, before = width) {
        COVEY_TRY(read_decimal(r, &widths[i], &width, item[i], "a width"));
        if (width.num <= 0)
            return covey_i_policy_expected(r, item[i], "a width", "greater than 0");
        if (i > 0 && (covey_ratio_compare(width, before) <= 0 || !is_multiple(width, before)))
            return covey_i_policy_complain(
                r, item[i], COVEY_EINVAL, "the width %s must be a multiple of the one before, %s, so that classes nest",
                widths[i], widths[i - 1]);
    }
    spec->widths = widths;
    spec->n_widths = n;
    return COVEY_OK;
}

static covey_status read_clamp(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return covey_i_policy_bool(r, &((covey_hierarchy_spec *)object)->clamp, node, "clamp");
}

static covey_status read_interval(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const covey_policy_key keys[] = {
        {"from", read_from}, {"to", read_to}, {"widths", read_widths}, {"clamp", read_clamp}};
    covey_hierarchy_spec *spec = object;
    covey_ratio from, to;

    spec->kind = COVEY_HIERARCHY_INTERVAL;
    COVEY_TRY(covey_i_policy_map(r, spec, node, "interval", keys, sizeof keys / sizeof *keys));
    if (!spec->from || !spec->to || !spec->n_widths)
        return covey_i_policy_complain(
            r, node, COVEY_EINVAL,
            "interval needs from, to and widths, such as {from: 0, to: 100, widths: [5, 10, 20]}");
    COVEY_TRY(covey_ratio_parse(&from, spec->from, r->err));
    COVEY_TRY(covey_ratio_parse(&to, spec->to, r->err));
    if (covey_ratio_compare(from, to) >= 0)
        return covey_i_policy_complain(r, node, COVEY_EINVAL, "interval ends at %s, before or where it begins (%s)",
                                       spec->to, spec->from);
    return COVEY_OK;
}

/* Cut points are numbers or, as dates, YYYY-MM-DD: one axis for both, since a list holds one kind. */
static bool read_point(covey_ratio *value, bool *is_date, const char *text)
{
    int64_t number;
    int scale;

    *is_date = covey_i_typing_parse_date(&number, text, strlen(text));
    if (*is_date) {
        *value = (covey_ratio){number, 1};
        return true;
    }
    return covey_i_typing_parse_decimal(&number, &scale, text, strlen(text)) &&
           covey_ratio_parse(value, text, NULL) == COVEY_OK;
}

/* One level: ascending points, each of them one of the level before (coarse levels use fewer of the same cuts). */
static covey_status read_level(const covey_policy_reader *r, const char *const **out, size_t *n, const covey_yaml *node,
                               const char *const *finer, size_t n_finer, bool *is_date)
{
    covey_ratio before = {0, 1}, point, other;
    bool date, ignored;

    if (node->kind != COVEY_YAML_LIST || node->n == 0)
        return covey_i_policy_expected(r, node, "a level of cuts", "a list of numbers such as [20, 40, 60]");
    COVEY_TRY(covey_i_policy_texts(r, out, n, node, "a level of cuts"));
    for (size_t i = 0, f = 0; i < *n; i++, before = point) {
        if (!read_point(&point, &date, (*out)[i]) || (date != *is_date && (finer || i > 0)))
            return covey_i_policy_expected(r, node->item[i], "a cut",
                                           "a decimal number, or a date where all cuts are dates");
        *is_date = date;
        if (i > 0 && covey_ratio_compare(before, point) >= 0)
            return covey_i_policy_complain(r, node->item[i], COVEY_EINVAL, "cuts must ascend: %s stands behind %s",
                                           (*out)[i], (*out)[i - 1]);
        while (f < n_finer && read_point(&other, &ignored, finer[f]) && covey_ratio_compare(other, point) < 0)
            f++;
        if (finer && (f == n_finer || covey_ratio_compare(other, point) != 0))
            return covey_i_policy_complain(r, node->item[i], COVEY_EINVAL,
                                           "the cut %s is none of the level before: coarser levels leave cuts out",
                                           (*out)[i]);
    }
    return COVEY_OK;
}

static covey_status read_cuts(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    covey_hierarchy_spec *spec = object;
    covey_arena *arena = &r->policy->own->arena;
    const char *const **cuts;
    size_t *n_cuts;
    bool is_date = false;

    spec->kind = COVEY_HIERARCHY_CUTS;
    if (node->kind != COVEY_YAML_LIST || node->n == 0 || node->n > 64)
        return covey_i_policy_expected(r, node, "cuts", "a list of levels such as [[20, 40, 60, 80], [40, 80]]");
    cuts = covey_arena_array_zero(arena, const char *const *, node->n);
    n_cuts = covey_arena_array_zero(arena, size_t, node->n);
    if (!cuts || !n_cuts)
        return covey_i_no_memory(r->err);
    for (size_t i = 0; i < node->n; i++)
        COVEY_TRY(read_level(r, &cuts[i], &n_cuts[i], node->item[i], i ? cuts[i - 1] : NULL, i ? n_cuts[i - 1] : 0,
                             &is_date));
    spec->cuts = cuts;
    spec->n_cuts = n_cuts;
    spec->n_levels = node->n;
    return COVEY_OK;
}

static covey_status read_date(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    static const char *const choices[] = {"day", "month", "quarter", "year", "decade", NULL};
    covey_hierarchy_spec *spec = object;
    const covey_yaml *single[1] = {node};
    const covey_yaml *const *item = node->kind == COVEY_YAML_LIST ? node->item : single;
    int before = -1, unit;

    spec->kind = COVEY_HIERARCHY_DATE;
    COVEY_TRY(covey_i_policy_texts(r, &spec->units, &spec->n_units, node, "date"));
    if (spec->n_units == 0)
        return covey_i_policy_expected(r, node, "date", "a list of units such as [month, year]");
    for (size_t i = 0; i < spec->n_units; i++, before = unit) {
        COVEY_TRY(covey_i_policy_choice(r, &unit, item[i], "unit", choices));
        if (unit <= before)
            return covey_i_policy_complain(r, item[i], COVEY_EINVAL,
                                           "units go from fine to coarse: %s cannot stand behind %s", choices[unit],
                                           choices[before]);
    }
    return COVEY_OK;
}

static covey_status read_lines(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    return covey_i_policy_read_lines(r, object, node);
}

static const covey_policy_key keys[] = {
    {"file", read_file},
    {"balanced", read_balanced},
    {"interval", read_interval},
    {"cuts", read_cuts},
    {"mask", read_mask},
    {"date", read_date},
    {"lines", read_lines},
    {"missing-leaf", read_missing_leaf},
    {"delimiter", read_file_delimiter},
};
enum { N_KINDS = 7, N_KEYS = sizeof keys / sizeof *keys };

covey_status covey_i_policy_read_hierarchy(const covey_policy_reader *r, void *object, const covey_yaml *node)
{
    const covey_attribute_target *target = object;
    covey_hierarchy_spec spec = COVEY_HIERARCHY_SPEC_INIT;
    size_t n_kinds = 0;

    if (node->kind == COVEY_YAML_SCALAR)
        return covey_i_policy_expected(r, node, "hierarchy",
                                       "a mapping such as {file: F.csv}, {balanced: 2} or {mask: 5}");
    COVEY_TRY(covey_i_policy_map(r, &spec, node, "a hierarchy", keys, N_KEYS));
    for (size_t i = 0; i < N_KINDS; i++)
        n_kinds += covey_i_yaml_get(node, keys[i].name) != NULL;
    if (n_kinds != 1)
        return covey_i_policy_complain(
            r, node, COVEY_EINVAL,
            "a hierarchy is exactly one of file, balanced, interval, cuts, mask, date, lines; here stand %zu", n_kinds);
    if (spec.kind != COVEY_HIERARCHY_FILE && covey_i_yaml_get(node, "missing-leaf"))
        return covey_i_policy_complain(r, node, COVEY_EINVAL, "missing-leaf belongs to a hierarchy of file or lines");
    if (!spec.path && covey_i_yaml_get(node, "delimiter"))
        return covey_i_policy_complain(r, node, COVEY_EINVAL, "delimiter belongs to a hierarchy from a file");
    target->attribute->hierarchy = spec;
    target->attribute->hierarchy_place = covey_i_policy_place(r, node);
    target->attribute->hierarchy_preset = NULL;
    return COVEY_OK;
}
