/* Columns without what suppressed rows alone hold. */
#include "release/settled.h"

#include <string.h>

#include "base/error.h"
#include "hierarchy/hierarchy_impl.h"
#include "table/table_impl.h"

/* Digits behind the point that a number needs: 2 of 12.500 with three. */
static int digits_needed(int64_t number, int scale)
{
    while (scale > 0 && number % 10 == 0) {
        number /= 10;
        scale--;
    }
    return scale;
}

/* Digits behind the point that the values need, and the domain if the policy gives one. */
static int scale_of(const covey_column *column, const bool *keep, const covey_axis *axis)
{
    int scale = 0;

    for (uint32_t v = column->has_null ? 1 : 0; v < column->n_values; v++) {
        const int digits = keep[v] ? digits_needed(column->number[v], column->scale) : 0;

        scale = digits > scale ? digits : scale;
    }
    for (int end = 0; axis && axis->is_declared && end < 2; end++) {
        const int digits = digits_needed(end ? axis->domain_high : axis->domain_low, column->scale);

        scale = digits > scale ? digits : scale;
    }
    return scale;
}

/* One spelling for all numbers that are equal: which of several the rows have (1, 1.0) suppressed rows may have
 * chosen.  Values of a hierarchy are spelled as its leaves. */
static covey_status spell(covey_label *label, const covey_field *field, uint32_t v, covey_arena *arena,
                          covey_error *err)
{
    const covey_column *column = field->column;
    const bool is_number = column->type == COVEY_TYPE_INTEGER || column->type == COVEY_TYPE_DECIMAL;
    const int scale = is_number ? digits_needed(column->number[v], column->scale) : 0;
    char text[32];
    size_t size;
    int64_t unit = 1;

    *label = (covey_label){covey_column_label(column, v), covey_column_label_size(column, v)};
    if (!is_number || field->tree || (column->has_null && v == 0))
        return COVEY_OK;
    for (int digit = scale; digit < column->scale; digit++)
        unit *= 10;
    size = covey_i_typing_format_number(text, sizeof text, column->type, column->number[v] / unit, scale);
    if (size == label->size && memcmp(text, label->text, size) == 0)
        return COVEY_OK;
    *label = (covey_label){covey_arena_strndup(arena, text, size), size};
    return label->text ? COVEY_OK : covey_i_no_memory(err);
}

/* What a column is without the values that nobody else has. */
struct restriction {
    covey_type type;
    bool has_null;
    int scale;
    uint32_t n; /* values */
    covey_label *label;
    int64_t *number;
    bool is_same; /* as the column is already */
};

/* map: [values] zeros, receives the new codes; NULL: codes stay, and with them the values that are not kept. */
static covey_status restrict_values(struct restriction *r, uint32_t *map, const covey_field *field,
                                    const covey_axis *axis, const bool *keep, covey_arena *arena, covey_error *err)
{
    const covey_column *column = field->column;
    const bool is_decimal = column->type == COVEY_TYPE_DECIMAL;
    int64_t unit = 1;

    *r = (struct restriction){.type = column->type,
                              .has_null = column->has_null && keep[0],
                              .scale = is_decimal ? scale_of(column, keep, axis) : column->scale,
                              .label = covey_arena_array(arena, covey_label, column->n_values),
                              .number = covey_arena_array_zero(arena, int64_t, column->n_values)};
    if (!r->label || !r->number)
        return covey_i_no_memory(err);
    if (is_decimal && r->scale == 0 && field->type_is_guessed)
        r->type = COVEY_TYPE_INTEGER;
    r->is_same = r->type == column->type && r->has_null == column->has_null && r->scale == column->scale;
    for (int digit = r->scale; digit < column->scale; digit++)
        unit *= 10;
    for (uint32_t v = 0; v < column->n_values; v++)
        if (!map || keep[v]) {
            COVEY_TRY(spell(&r->label[r->n], field, v, arena, err));
            r->is_same &= r->label[r->n].text == covey_column_label(column, v);
            r->number[r->n] = column->number ? column->number[v] / unit : 0;
            if (map)
                map[v] = r->n;
            r->n++;
        }
    r->is_same &= r->n == column->n_values;
    return COVEY_OK;
}

static covey_status make_column(covey_column **out, const struct restriction *r, const uint32_t *map,
                                const covey_column *column, covey_error *err)
{
    return covey_i_column_recode(out, column, r->type, map, r->n, r->has_null, r->scale, r->label,
                                 column->number ? r->number : NULL, err);
}

/* Steps and cut points are called after the type, and steps list all integers where no value is beside them: both may
 * be due to a suppressed row. map goes to the new hierarchy's leaves. */
static covey_status build_again(covey_settled_field *out, const covey_field *field, const bool *keep, covey_error *err)
{
    covey_column *aligned = NULL;

    COVEY_TRY(covey_hierarchy_build(&out->tree, field->tree_how, out->column, NULL, err));
    COVEY_TRY(covey_i_hierarchy_align(&aligned, out->column, out->tree, err));
    for (uint32_t v = field->column->has_null ? 1 : 0; v < field->column->n_values; v++)
        if (keep[v])
            out->map[v] =
                covey_hierarchy_nodes(out->tree)[covey_hierarchy_find(out->tree, covey_column_label(field->column, v))]
                    .leaf;
    covey_i_column_free(out->column);
    out->column = aligned;
    return COVEY_OK;
}

/* Ends and cut points with digits behind the point keep the column decimal, though no value that is left needs any. */
static covey_status stay_decimal(covey_settled_field *out, struct restriction *r, const covey_field *field,
                                 const bool *keep, covey_error *err)
{
    covey_hierarchy_free(out->tree);
    covey_i_column_free(out->column);
    *out = (covey_settled_field){.map = out->map};
    r->type = field->column->type;
    COVEY_TRY(make_column(&out->column, r, out->map, field->column, err));
    return build_again(out, field, keep, err);
}

static covey_status settle_tree(covey_settled_field *out, struct restriction *r, const covey_field *field,
                                const bool *keep, covey_error *err)
{
    const covey_hierarchy_kind kind = covey_hierarchy_get_kind(field->tree);

    if (field->tree_how && out->column->n_values > out->column->has_null &&
        (kind == COVEY_HIERARCHY_INTERVAL || kind == COVEY_HIERARCHY_CUTS)) {
        covey_status status = build_again(out, field, keep, err);

        if (status == COVEY_EINVAL && r->type != field->column->type)
            status = stay_decimal(out, r, field, keep, err);
        if (status != COVEY_EINVAL)
            return status;
        covey_hierarchy_free(out->tree);
        out->tree = NULL;
    }
    return covey_i_hierarchy_restrict(&out->tree, field->tree, keep, err);
}

covey_status covey_i_release_settle_field(covey_settled_field *out, const covey_field *field, const covey_axis *axis,
                                          bool *keep, covey_arena *arena, covey_error *err)
{
    const covey_column *column = field->column;
    struct restriction r;
    uint32_t n_kept = 0;

    *out = (covey_settled_field){0};
    if (field->tree && !covey_hierarchy_is_from_data(field->tree)) /* leaves that it has whatever the data hold */
        memset(keep + field->tree->has_added_null, true,
               (column->n_values - field->tree->has_added_null) * sizeof *keep);
    else if (field->tree && covey_hierarchy_get_kind(field->tree) == COVEY_HIERARCHY_FILE)
        covey_i_hierarchy_keep_namesakes(keep, field->tree);
    for (uint32_t v = 0; v < column->n_values; v++)
        n_kept += keep[v];
    if (n_kept == 0 || (n_kept == column->n_values && field->tree))
        return COVEY_OK;
    if (!(out->map = covey_arena_array_zero(arena, uint32_t, column->n_values)))
        return covey_i_no_memory(err);
    COVEY_TRY(restrict_values(&r, out->map, field, axis, keep, arena, err));
    if (r.is_same) {
        out->map = NULL;
        return COVEY_OK;
    }
    COVEY_TRY(make_column(&out->column, &r, out->map, column, err));
    if (field->tree)
        COVEY_TRY(settle_tree(out, &r, field, keep, err));
    for (uint32_t v = 0; v < column->n_values; v++)
        out->map[v] = keep[v] ? out->map[v] : UINT32_MAX;
    return COVEY_OK;
}

covey_status covey_i_release_settle_sensitive(covey_column **out, const covey_field *field, const bool *keep,
                                              covey_arena *arena, covey_error *err)
{
    const uint32_t n = field->column->n_values;
    uint32_t *same = covey_arena_array(arena, uint32_t, n);
    struct restriction r;

    if (!same)
        return covey_i_no_memory(err);
    COVEY_TRY(restrict_values(&r, NULL, field, NULL, keep, arena, err));
    for (uint32_t v = 0; v < n; v++)
        same[v] = v;
    return r.is_same ? COVEY_OK : make_column(out, &r, same, field->column, err);
}

void covey_i_settled_field_clear(covey_settled_field *settled)
{
    covey_i_column_free(settled->column);
    covey_hierarchy_free(settled->tree);
    *settled = (covey_settled_field){0};
}
