/* A column of another table in a release's terms: its values typed as the manifest states, its hierarchy as published
 * or built again. */
#include "reader/original.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "hierarchy/hierarchy_impl.h"
#include "release/manifest/hierarchy_json.h"
#include "table/recoding/recoding.h"
#include "table/table_impl.h"

/* The rows whose text is an integer: published ones of a column that is said to be one. */
static covey_status pick_integers(covey_column **out, const covey_column *raw, const char *path, covey_error *err)
{
    int64_t *row = covey_i_array((size_t)raw->n_rows, sizeof *row), n = 0;
    covey_column *picked = NULL;
    covey_status status;

    if (!row)
        return covey_i_no_memory(err);
    for (int64_t i = 0; i < raw->n_rows; i++)
        if (!strchr(covey_column_label(raw, covey_i_code(raw, i)), '.'))
            row[n++] = i;
    if ((status = covey_i_column_pick(&picked, raw, row, n, err)) == COVEY_OK)
        status = covey_i_typing_column_type(out, picked, COVEY_TYPE_INTEGER, NULL, 0, path, err);
    covey_i_column_free(picked);
    covey_i_free(row);
    return status;
}

/* A hierarchy that was built from the data is built again; but the nodes of a balanced one depend on which values
 * occur, so that those of other people say nothing about it.  Steps and cut points are called after the type of what is
 * published: of integers, whatever fractions were suppressed. */
static covey_status rebuild_tree(const covey_hierarchy **out, covey_opened_column *column, const covey_column *typed,
                                 const covey_column *raw, const char *path, covey_arena *arena, covey_error *err)
{
    covey_hierarchy_spec spec;
    covey_column *integers = NULL;
    covey_status status = COVEY_OK;

    if (!column->stated->hierarchy_spec)
        return covey_fail(err, COVEY_EINVAL, "manifest.json does not say how its hierarchy is built");
    COVEY_TRY(covey_i_hierarchy_spec_read(&spec, column->stated->hierarchy_spec, arena, err));
    if (spec.kind != COVEY_HIERARCHY_BALANCED)
        column->like = NULL;
    if ((*out = column->like))
        return COVEY_OK;
    covey_hierarchy_free(column->rebuilt);
    column->rebuilt = NULL;
    if (typed->type != column->stated->type &&
        (spec.kind == COVEY_HIERARCHY_INTERVAL || spec.kind == COVEY_HIERARCHY_CUTS))
        status = pick_integers(&integers, raw, path, err);
    if (status == COVEY_OK)
        status = covey_hierarchy_build(&column->rebuilt, &spec, integers ? integers : typed, NULL, err);
    covey_i_column_free(integers);
    *out = column->rebuilt;
    return status;
}

/* Values without a leaf, which then only suppressed rows can have, get a code behind all leaves, which no cell covers:
 * leaf_of_code says which. */
static covey_status align_beside_others(covey_column **out, const covey_column *typed, const covey_hierarchy *tree,
                                        const uint32_t *leaf_of_code, covey_error *err)
{
    const uint32_t n = covey_hierarchy_n_leaves(tree);
    covey_label *label = covey_i_array((size_t)n + 1, sizeof *label);
    uint32_t *map = covey_i_array(typed->n_values, sizeof *map);
    covey_status status = COVEY_ENOMEM;

    if (!label || !map) {
        covey_fail(err, status, "no memory for the original's column \"%s\"", typed->name);
        goto done;
    }
    for (uint32_t v = 0; v < typed->n_values; v++)
        map[v] = leaf_of_code[v] == COVEY_NO_NODE ? n : leaf_of_code[v];
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        const char *text = covey_hierarchy_label(tree, covey_hierarchy_leaf_node(tree, leaf));

        label[leaf] = (covey_label){text, strlen(text)};
    }
    label[n] = (covey_label){"null", 4};
    status = covey_i_column_recode(out, typed, COVEY_TYPE_TEXT, map, n + 1, false, 0, label, NULL, err);
done:
    covey_i_free(label);
    covey_i_free(map);
    return status;
}

/* A hierarchy that does not depend on the data has a leaf for missing cells only if published rows miss some, and steps
 * need not reach to numbers that only suppressed rows have. */
static covey_status align_published(covey_column **out, const covey_opened_column *column, const covey_column *typed,
                                    const covey_hierarchy *tree, covey_error *err)
{
    const bool is_number = column->stated->type == COVEY_TYPE_INTEGER || column->stated->type == COVEY_TYPE_DECIMAL;
    uint32_t *leaf_of_code = covey_i_array(typed->n_values, sizeof *leaf_of_code);
    bool any = false;
    covey_status status;

    if (!leaf_of_code)
        return covey_i_no_memory(err);
    if ((status = covey_i_hierarchy_find_leaves(leaf_of_code, typed, tree, err)) == COVEY_OK) {
        for (uint32_t v = 0; v < typed->n_values; v++)
            any |= leaf_of_code[v] == COVEY_NO_NODE && (is_number || (v == 0 && typed->has_null));
        status = any ? align_beside_others(out, typed, tree, leaf_of_code, err)
                     : covey_i_hierarchy_align(out, typed, tree, err);
    }
    covey_i_free(leaf_of_code);
    return status;
}

/* Codes become leaves of the column's hierarchy, if it has one. */
static covey_status align_column(covey_column **column_in_out, covey_opened_column *column, const covey_column *raw,
                                 const char *path, covey_arena *arena, covey_error *err)
{
    const covey_hierarchy *tree = column->tree;
    covey_column *aligned = NULL;

    if (!column->stated->hierarchy)
        return COVEY_OK;
    if (!column->stated->hierarchy_complete)
        COVEY_TRY(rebuild_tree(&tree, column, *column_in_out, raw, path, arena, err));
    else if (!tree)
        return covey_fail(err, COVEY_EINVAL, "its hierarchy cannot be read");
    if (column->n_suppressed > 0 &&
        (column->stated->hierarchy_complete || (*column_in_out)->type != column->stated->type))
        COVEY_TRY(align_published(&aligned, column, *column_in_out, tree, err));
    else
        COVEY_TRY(covey_i_hierarchy_align(&aligned, *column_in_out, tree, err));
    covey_i_column_free(*column_in_out);
    *column_in_out = aligned;
    return COVEY_OK;
}

/* A declared domain may need more places behind the point than the values: they get those of the release, where they
 * have room for them. */
static covey_status take_scale(covey_column **typed, const covey_opened_column *column, covey_error *err)
{
    covey_column *rescaled = NULL;
    uint32_t misfit;

    if (column->stated->hierarchy || (*typed)->type != COVEY_TYPE_DECIMAL || (*typed)->scale >= column->scale)
        return COVEY_OK;
    COVEY_TRY(covey_i_column_rescale(&rescaled, &misfit, *typed, column->scale, err));
    if (rescaled) {
        covey_i_column_free(*typed);
        *typed = rescaled;
    }
    return COVEY_OK;
}

/* Values that are published as they are, insensitive ones, are texts.  Where all of them are numbers they are compared
 * as such: programs that the table went through may write 10.50 as 10.5, and 100 beside it as 100.0. */
static covey_status read_numbers(covey_column **typed, const covey_opened_column *column, const char *path,
                                 covey_error *err)
{
    covey_column *numbers = NULL;

    if (column->stated->role != COVEY_ROLE_INSENSITIVE || column->stated->type != COVEY_TYPE_TEXT)
        return COVEY_OK;
    COVEY_TRY(covey_i_typing_column_type(&numbers, *typed, COVEY_TYPE_GUESS, NULL, 0, path, err));
    if (numbers->type == COVEY_TYPE_INTEGER || numbers->type == COVEY_TYPE_DECIMAL) {
        covey_column *texts = *typed;

        *typed = numbers;
        numbers = texts;
    }
    covey_i_column_free(numbers);
    return COVEY_OK;
}

/* The manifest gives the type of what is published.  Numbers whose hierarchy has other labels ("90+") are published as
 * text; so where a text does not fit its hierarchy, the values' own type is tried. */
static covey_status prepare(covey_column **out, covey_opened_column *column, const covey_column *raw, const char *path,
                            covey_error *err)
{
    const covey_stated_column *stated = column->stated;
    covey_type types[2] = {stated->type, COVEY_TYPE_GUESS};
    covey_column *typed = NULL;
    covey_status status = COVEY_OK;

    if (stated->type == COVEY_TYPE_INTEGER &&
        column->n_suppressed > 0) /* of suppressed rows also the fractions are not told */
        types[1] = COVEY_TYPE_DECIMAL;
    for (int t = 0;
         t < (types[1] == COVEY_TYPE_DECIMAL || (stated->type == COVEY_TYPE_TEXT && stated->hierarchy) ? 2 : 1); t++) {
        covey_i_column_free(typed);
        typed = NULL;
        if ((status = covey_i_typing_column_type(&typed, raw, types[t], NULL, 0, path, err)) == COVEY_OK)
            status = take_scale(&typed, column, err);
        if (status == COVEY_OK)
            status = read_numbers(&typed, column, path, err);
        if (status == COVEY_OK)
            status = align_column(&typed, column, raw, path, &column->arena, err);
        if (!covey_i_original_is_misfit(status))
            break;
    }
    if (status == COVEY_OK)
        *out = typed;
    else
        covey_i_column_free(typed);
    return status;
}

/* --- what is true or false, as programs write it --- */

enum { N_WRITINGS = 3 };
static const char *const booleans[N_WRITINGS][2] = {{"false", "true"}, {"False", "True"}, {"FALSE", "TRUE"}};

/* Which of the two a text is in a writing; -1: neither. */
static int find_boolean(int writing, const char *text)
{
    return strcmp(text, booleans[writing][0]) == 0 ? 0 : strcmp(text, booleans[writing][1]) == 0 ? 1 : -1;
}

static bool is_written(const covey_column *raw, int writing)
{
    for (uint32_t v = raw->has_null; v < raw->n_values; v++)
        if (find_boolean(writing, covey_column_label(raw, v)) < 0)
            return false;
    return raw->n_values > raw->has_null;
}

/* Alone or in sets.  The labels of a published hierarchy are anybody's texts: it has the values itself. */
static bool is_shown(const covey_opened_column *column, int writing)
{
    const char *const *boolean = booleans[writing];
    const covey_hierarchy *tree = column->stated->hierarchy_complete ? column->tree : NULL;

    if (tree)
        return covey_hierarchy_find(tree, boolean[0]) != UINT32_MAX ||
               covey_hierarchy_find(tree, boolean[1]) != UINT32_MAX;
    for (uint32_t v = 0; v < column->text->n_values; v++)
        if (strstr(covey_column_label(column->text, v), boolean[0]) ||
            strstr(covey_column_label(column->text, v), boolean[1]))
            return true;
    return false;
}

/* The values in the release's writing: data frames have no texts of what a file calls True or TRUE, and give true.
 * *out stays as it is where nothing is to be done. */
static covey_status respell_booleans(covey_column **out, const covey_opened_column *column, const covey_column *raw,
                                     covey_error *err)
{
    const uint32_t map[] = {0, 1, 2};
    covey_label label[3] = {{"null", 4}};
    int from = 0, to = 0;

    while (from < N_WRITINGS && !is_written(raw, from))
        from++;
    while (to < N_WRITINGS && !is_shown(column, to))
        to++;
    if (column->stated->type != COVEY_TYPE_TEXT || from == N_WRITINGS || to == N_WRITINGS || is_shown(column, from))
        return COVEY_OK;
    for (uint32_t v = raw->has_null; v < raw->n_values; v++) {
        const char *text = booleans[to][find_boolean(from, covey_column_label(raw, v))];

        label[v] = (covey_label){text, strlen(text)};
    }
    return covey_i_column_recode(out, raw, COVEY_TYPE_TEXT, map, raw->n_values, raw->has_null, 0, label, NULL, err);
}

/* Numbers and dates as covey writes them, where the manifest says that the original writes them otherwise. */
covey_status covey_i_original_prepare(covey_column **out, covey_opened_column *column, const covey_column *raw,
                                      const char *path, covey_error *err)
{
    const covey_recoding *recoding = &column->stated->recoding;
    const covey_type type = recoding->decimal       ? COVEY_TYPE_DECIMAL
                            : recoding->date_format ? COVEY_TYPE_DATE
                                                    : COVEY_TYPE_GUESS;
    covey_column *written = NULL;
    covey_status status;

    if (covey_i_recoding_is_nothing(recoding))
        COVEY_TRY(respell_booleans(&written, column, raw, err));
    else
        COVEY_TRY(covey_i_recoding_apply(&written, NULL, raw, NULL, recoding, type, true, path, err));
    status = prepare(out, column, written ? written : raw, path, err);
    covey_i_column_free(written);
    return status;
}
