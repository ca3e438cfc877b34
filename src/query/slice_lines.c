/* Which lines of the columns of a sliced release satisfy what a condition asks of them.  See query_slices.h.
 *
 * A part of the condition that speaks of attributes of one column only is known line by line.  A condition that is such parts joined by AND is
 * one set of lines per column; joined by OR, it fails for rows whose pieces fail everywhere. */
#include <string.h>

#include "query/query_slices.h"

enum { MOST_PARTS = 64 };

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory for the lines of a query");
}

static uint32_t place_in(const covey_opened_slice *slice, size_t attribute)
{
    for (uint32_t i = 0; i < slice->n; i++)
        if (slice->attribute[i] == attribute)
            return i;
    return UINT32_MAX;
}

uint32_t covey_i_slice_of(const covey_query_slices *s, uint32_t attribute)
{
    uint32_t slice = s->n_slices;

    while (slice-- > 0)
        if (place_in(s->slice[slice].opened, attribute) != UINT32_MAX)
            break;
    return slice;
}

static covey_status lines_new(covey_slice_lines *out, const covey_query_slices *s, covey_arena *arena, covey_error *err)
{
    return (out->passes = covey_arena_array_zero(arena, uint8_t *, s->n_slices)) ? COVEY_OK : no_memory(err);
}

/* All lines, before the first that is taken away. */
static covey_status make_set(covey_slice_lines *lines, const covey_query_slices *s, uint32_t slice, covey_arena *arena, covey_error *err)
{
    if (lines->passes[slice])
        return COVEY_OK;
    if (!(lines->passes[slice] = covey_arena_array(arena, uint8_t, s->n_rows)))
        return no_memory(err);
    memset(lines->passes[slice], 1, s->n_rows);
    return COVEY_OK;
}

/* --- how it falls --- */

/* The part of a condition that falls on one column. */
struct falling {
    const covey_query_slices *s;
    const covey_condition *condition;
    covey_node_kind kind;             /* what joins the parts */
    size_t n;
    const covey_condition_node *part[MOST_PARTS];
    uint32_t slice[MOST_PARTS];
    bool fits;
};

static bool is_within(const covey_condition_node *node, const covey_condition *condition, const covey_opened_slice *slice)
{
    if (node->part >= 0)
        return place_in(slice, condition->attribute[node->attribute].index) != UINT32_MAX;
    for (const covey_condition_node *child = node->child; child; child = child->next)
        if (!is_within(child, condition, slice))
            return false;
    return true;
}

static void find_parts(struct falling *f, const covey_condition_node *node)
{
    for (uint32_t i = 0; i < f->s->n_slices; i++)
        if (is_within(node, f->condition, f->s->slice[i].opened)) {
            if ((f->fits = f->fits && f->n < MOST_PARTS)) {
                f->slice[f->n] = i;
                f->part[f->n++] = node;
            }
            return;
        }
    f->fits &= node->part < 0 && node->kind == f->kind;
    for (const covey_condition_node *child = node->child; child && f->fits; child = child->next)
        find_parts(f, child);
}

/* --- lines --- */

/* Lines of a column are of so many kinds by the atoms of the condition's attributes that stand in it. */
struct kinds {
    uint32_t n, n_attributes, *attribute, *place; /* of the condition; in the slice */
    uint32_t *stride, **atom;                     /* per code of the release's column */
};

static covey_status find_kinds(struct kinds *k, const covey_query_slices *s, uint32_t slice, const covey_condition *condition, covey_arena *arena,
                               covey_error *err)
{
    uint64_t n = 1;

    *k = (struct kinds){.attribute = covey_arena_array(arena, uint32_t, condition->n_attributes), .place = covey_arena_array(arena, uint32_t, condition->n_attributes),
                        .stride = covey_arena_array(arena, uint32_t, condition->n_attributes), .atom = covey_arena_array(arena, uint32_t *, condition->n_attributes)};
    if (!k->attribute || !k->place || !k->stride || !k->atom)
        return no_memory(err);
    for (uint32_t i = 0; i < condition->n_attributes; i++) {
        const covey_condition_attribute *a = &condition->attribute[i];
        uint32_t place = place_in(s->slice[slice].opened, a->index), *atom;

        if (place == UINT32_MAX)
            continue;
        if (!(atom = covey_arena_array(arena, uint32_t, a->column->text->n_values)))
            return no_memory(err);
        for (uint32_t code = 0; code < a->column->text->n_values; code++)
            atom[code] = a->share[a->start[code]].atom;
        k->attribute[k->n_attributes] = i;
        k->place[k->n_attributes] = place;
        k->atom[k->n_attributes] = atom;
        k->stride[k->n_attributes++] = (uint32_t)n;
        if ((n *= a->n_atoms) > COVEY_CONDITION_MOST_TRUTH)
            return covey_fail(err, COVEY_EINVAL, "query: the condition tells more than %d kinds of pieces apart; ask a simpler one", COVEY_CONDITION_MOST_TRUTH);
    }
    k->n = (uint32_t)n;
    return COVEY_OK;
}

static void next_kind(uint32_t *atom, const struct kinds *k, const covey_condition *condition)
{
    for (uint32_t i = 0; i < k->n_attributes && ++atom[k->attribute[i]] == condition->attribute[k->attribute[i]].n_atoms; i++)
        atom[k->attribute[i]] = 0;
}

static void mark_lines(uint8_t *passes, const covey_query_slices *s, uint32_t slice, const struct kinds *k, const uint8_t *truth)
{
    const covey_opened_slice *opened = s->slice[slice].opened;

    for (uint32_t line = 0; line < s->n_rows; line++) {
        uint32_t kind = 0;

        if (!passes[line])
            continue;
        for (uint32_t i = 0; i < k->n_attributes; i++)
            kind += k->atom[i][covey_i_slice_code(opened, k->place[i], line)] * k->stride[i];
        passes[line] = truth[kind];
    }
}

/* All parts of one column at once. */
static covey_status add_parts(covey_slice_lines *out, const struct falling *f, uint32_t slice, covey_arena *arena, covey_error *err)
{
    const covey_condition *condition = f->condition;
    uint32_t *atom = covey_arena_array_zero(arena, uint32_t, condition->n_attributes);
    uint8_t *truth;
    struct kinds k;

    COVEY_TRY(make_set(out, f->s, slice, arena, err));
    COVEY_TRY(find_kinds(&k, f->s, slice, condition, arena, err));
    if (!atom || !(truth = covey_arena_array(arena, uint8_t, k.n)))
        return no_memory(err);
    for (uint32_t kind = 0; kind < k.n; kind++) {
        truth[kind] = 1;
        for (size_t i = 0; i < f->n && truth[kind]; i++)
            if (f->slice[i] == slice)
                truth[kind] = covey_i_condition_node_holds(f->part[i], condition, atom) == (f->kind == COVEY_NODE_AND);
        next_kind(atom, &k, condition);
    }
    mark_lines(out->passes[slice], f->s, slice, &k, truth);
    return COVEY_OK;
}

covey_status covey_i_slice_lines(covey_slice_fall *fall, covey_slice_lines *out, const covey_query_slices *s, const covey_condition *condition,
                                 covey_arena *arena, covey_error *err)
{
    struct falling f = {.s = s, .condition = condition, .kind = COVEY_NODE_AND, .fits = true};

    *fall = COVEY_FALLS_ALL;
    COVEY_TRY(lines_new(out, s, arena, err));
    if (!condition->root)
        return COVEY_OK;
    find_parts(&f, condition->root);
    if (!f.fits) {
        f = (struct falling){.s = s, .condition = condition, .kind = COVEY_NODE_OR, .fits = true};
        *fall = COVEY_FALLS_ANY;
        find_parts(&f, condition->root);
    }
    if (!f.fits) {
        *fall = COVEY_FALLS_MIXED;
        return COVEY_OK;
    }
    for (uint32_t slice = 0; slice < s->n_slices; slice++)
        for (size_t i = 0; i < f.n; i++)
            if (f.slice[i] == slice) {
                COVEY_TRY(add_parts(out, &f, slice, arena, err));
                break;
            }
    return COVEY_OK;
}

covey_status covey_i_slice_lines_of_atoms(covey_slice_lines *out, const covey_query_slices *s, const covey_condition *condition,
                                          const uint32_t *atom, covey_arena *arena, covey_error *err)
{
    COVEY_TRY(lines_new(out, s, arena, err));
    for (uint32_t slice = 0; slice < s->n_slices; slice++) {
        uint32_t wanted = 0;
        uint8_t *truth;
        struct kinds k;

        COVEY_TRY(find_kinds(&k, s, slice, condition, arena, err));
        if (k.n_attributes == 0)
            continue;
        if (!(truth = covey_arena_array_zero(arena, uint8_t, k.n)))
            return no_memory(err);
        for (uint32_t i = 0; i < k.n_attributes; i++)
            wanted += atom[k.attribute[i]] * k.stride[i];
        truth[wanted] = 1;
        COVEY_TRY(make_set(out, s, slice, arena, err));
        mark_lines(out->passes[slice], s, slice, &k, truth);
    }
    return COVEY_OK;
}

covey_status covey_i_slice_lines_keep(covey_slice_lines *lines, const covey_query_slices *s, uint32_t attribute, uint32_t code, covey_arena *arena,
                                      covey_error *err)
{
    const uint32_t slice = covey_i_slice_of(s, attribute), place = place_in(s->slice[slice].opened, attribute);

    COVEY_TRY(make_set(lines, s, slice, arena, err));
    for (uint32_t line = 0; line < s->n_rows; line++)
        lines->passes[slice][line] &= covey_i_slice_code(s->slice[slice].opened, place, line) == code;
    return COVEY_OK;
}
