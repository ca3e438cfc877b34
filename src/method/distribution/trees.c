/* The hierarchy of an item of `targets`: {balanced: 2}, {file: F}, {interval: ...}, {cuts: ...}, {mask: 5}, {date:
 * [month, year]} or {lines: ...}, over the values of the group's own rows.  Whether it suits the column is found out
 * when it is built; that its nodes are runs of neighbouring numbers, behind that. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "hierarchy/hierarchy_impl.h"
#include "method/distribution/distribution.h"
#include "table/table_impl.h"

static bool is_scalar(const covey_yaml *node)
{
    return node && node->kind == COVEY_YAML_SCALAR && *node->text;
}

static bool is_decimal(const covey_yaml *node)
{
    int64_t value;
    int scale;

    return is_scalar(node) && covey_i_typing_parse_decimal(&value, &scale, node->text, strlen(node->text));
}

static bool read_count(int64_t *out, const covey_yaml *node, int64_t least)
{
    covey_ratio value;

    if (!is_scalar(node) || covey_ratio_parse(&value, node->text, NULL) != COVEY_OK || value.den != 1 ||
        value.num < least)
        return false;
    *out = value.num;
    return true;
}

/* Texts of a list, or of a single one; *n = 0: it is neither. */
static covey_status read_texts(const char *const **out, size_t *n, const covey_yaml *node, covey_arena *arena,
                               covey_error *err)
{
    const covey_yaml *single[1] = {node};
    const covey_yaml *const *item = node->kind == COVEY_YAML_LIST ? node->item : single;
    const size_t n_items = node->kind == COVEY_YAML_LIST ? node->n : 1;
    const char **text = covey_arena_array(arena, const char *, n_items);

    if (!text)
        return covey_i_no_memory(err);
    *n = 0;
    for (size_t i = 0; i < n_items; i++) {
        if (!is_scalar(item[i])) {
            *n = 0;
            return COVEY_OK;
        }
        text[(*n)++] = item[i]->text;
    }
    *out = text;
    return COVEY_OK;
}

static covey_status read_interval(covey_hierarchy_spec *spec, const covey_yaml *node, covey_arena *arena,
                                  covey_error *err)
{
    const covey_yaml *from = covey_i_yaml_get(node, "from"), *to = covey_i_yaml_get(node, "to"),
                     *widths = covey_i_yaml_get(node, "widths");
    bool fits = node->kind == COVEY_YAML_MAP && node->n == 3 && is_decimal(from) && is_decimal(to) && widths &&
                widths->kind == COVEY_YAML_LIST;

    for (size_t i = 0; fits && i < widths->n; i++)
        fits = is_decimal(widths->item[i]);
    *spec = (covey_hierarchy_spec){.kind = COVEY_HIERARCHY_INTERVAL};
    if (fits)
        COVEY_TRY(read_texts(&spec->widths, &spec->n_widths, widths, arena, err));
    if (spec->n_widths == 0)
        return covey_fail(err, COVEY_EINVAL,
                          "targets: an interval is {from: 0, to: 100, widths: [5, 10]}, all of them numbers");
    spec->from = from->text;
    spec->to = to->text;
    return COVEY_OK;
}

static covey_status read_cuts(covey_hierarchy_spec *spec, const covey_yaml *node, covey_arena *arena, covey_error *err)
{
    const size_t n = node->kind == COVEY_YAML_LIST ? node->n : 0;
    const char *const **cuts = covey_arena_array(arena, const char *const *, n);
    size_t *n_cuts = covey_arena_array_zero(arena, size_t, n);
    bool fits = n > 0;

    if (!cuts || !n_cuts)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n && fits; i++) {
        if (node->item[i]->kind == COVEY_YAML_LIST)
            COVEY_TRY(read_texts(&cuts[i], &n_cuts[i], node->item[i], arena, err));
        fits = n_cuts[i] > 0;
    }
    if (!fits)
        return covey_fail(err, COVEY_EINVAL, "targets: cuts are a list of levels such as [[20, 40, 60, 80], [40, 80]]");
    *spec = (covey_hierarchy_spec){.kind = COVEY_HIERARCHY_CUTS, .cuts = cuts, .n_cuts = n_cuts, .n_levels = n};
    return COVEY_OK;
}

static covey_status read_date(covey_hierarchy_spec *spec, const covey_yaml *node, covey_arena *arena, covey_error *err)
{
    *spec = (covey_hierarchy_spec){.kind = COVEY_HIERARCHY_DATE};
    COVEY_TRY(read_texts(&spec->units, &spec->n_units, node, arena, err));
    return spec->n_units > 0 ? COVEY_OK
                             : covey_fail(err, COVEY_EINVAL, "targets: date is a list of units such as [month, year]");
}

/* What is wrong with lines whatever the values are. */
static covey_status check_lines(const covey_hierarchy_spec *spec, covey_error *err)
{
    covey_hierarchy *tree = NULL;
    covey_error error = {.status = COVEY_OK};
    const covey_status status = covey_hierarchy_build(&tree, spec, NULL, NULL, &error);

    covey_hierarchy_free(tree);
    if (status == COVEY_OK || status == COVEY_ENOMEM)
        return status == COVEY_OK ? COVEY_OK : covey_i_no_memory(err);
    return covey_fail(err, COVEY_EINVAL, "targets: line %" PRId64 " of the hierarchy: %s", error.row, error.message);
}

static covey_status read_lines(covey_hierarchy_spec *spec, const covey_yaml *node, covey_arena *arena, covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;
    const bool fits = !covey_i_hierarchy_lines(&text, node);
    covey_status status = COVEY_OK;

    *spec = (covey_hierarchy_spec){.kind = COVEY_HIERARCHY_FILE, .delimiter = COVEY_LINES_DELIMITER};
    if (!fits)
        status = covey_fail(err, COVEY_EINVAL,
                            "targets: lines are a list with one line per value, such as [[30, low, \"*\"], [70, high, "
                            "\"*\"]]");
    else if (text.broken || !(spec->text = covey_arena_strndup(arena, text.bytes, text.size)))
        status = covey_i_no_memory(err);
    covey_i_text_free(&text);
    return status == COVEY_OK ? check_lines(spec, err) : status;
}

covey_status covey_i_distribution_read_tree(covey_hierarchy_spec *out, const covey_yaml *node, covey_arena *arena,
                                            covey_error *err)
{
    const covey_yaml *value = node->kind == COVEY_YAML_MAP && node->n == 1 ? node->item[0] : NULL;
    const char *key = value ? node->key[0]->text : "";
    int64_t n;

    if (strcmp(key, "balanced") == 0 && read_count(&n, value, 2)) {
        *out = (covey_hierarchy_spec){.kind = COVEY_HIERARCHY_BALANCED, .n = n};
        return COVEY_OK;
    }
    if (strcmp(key, "mask") == 0 && read_count(&n, value, 1)) {
        *out = (covey_hierarchy_spec){.kind = COVEY_HIERARCHY_MASK, .n = n};
        return COVEY_OK;
    }
    if (strcmp(key, "file") == 0 && is_scalar(value)) {
        *out = (covey_hierarchy_spec){.kind = COVEY_HIERARCHY_FILE, .path = value->text};
        return COVEY_OK;
    }
    if (strcmp(key, "interval") == 0)
        return read_interval(out, value, arena, err);
    if (strcmp(key, "cuts") == 0)
        return read_cuts(out, value, arena, err);
    if (strcmp(key, "date") == 0)
        return read_date(out, value, arena, err);
    if (strcmp(key, "lines") == 0)
        return read_lines(out, value, arena, err);
    return covey_fail(
        err, COVEY_EINVAL,
        "targets: the hierarchy of a group is {balanced: 2}, of its own values, {interval: {from: 0, to: "
        "100, widths: [5, 10]}}, "
        "{cuts: [[20, 40], [40]]}, {mask: 5}, {date: [month, year]}, {file: F} or {lines: [[30, low, \"*\"]]}");
}
