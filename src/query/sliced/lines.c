/* Which lines of the columns of a sliced release satisfy what a condition asks of them.
 *
 * A part of the condition that speaks of attributes of one column only is known line by line, as far as the line's
 * cells tell their values: the atoms of generalized cells are tried in all combinations.  A condition that is such
 * parts joined by AND is one set of lines per column; joined by OR, it fails for rows whose pieces fail everywhere. */
#include <string.h>

#include "base/error.h"
#include "query/sliced/slices.h"

static uint32_t place_in(const covey_opened_slice *slice, size_t attribute)
{
    for (uint32_t i = 0; i < slice->n; i++)
        if (slice->attribute[i] == attribute)
            return i;
    return UINT32_MAX;
}

uint32_t covey_i_slice_of_both(const covey_query_slices *s, uint32_t attribute, uint32_t other)
{
    uint32_t slice = s->n_slices;

    while (slice-- > 0)
        if (place_in(s->slice[slice].opened, attribute) != UINT32_MAX &&
            place_in(s->slice[slice].opened, other) != UINT32_MAX)
            break;
    return slice;
}

/* Which column has the attribute? The last of them. */
static uint32_t slice_of(const covey_query_slices *s, uint32_t attribute)
{
    return covey_i_slice_of_both(s, attribute, attribute);
}

uint32_t covey_i_slice_of_aggregate(const covey_query_slices *s, const covey_bound_aggregate *aggregate)
{
    return covey_i_slice_of_both(s, aggregate->column,
                                 aggregate->weight ? aggregate->weight_column : aggregate->column);
}

covey_status covey_i_slice_lines_new(covey_slice_lines *out, const covey_query_slices *s, covey_arena *arena,
                                     covey_error *err)
{
    *out = (covey_slice_lines){covey_arena_array_zero(arena, uint8_t *, s->n_slices),
                               covey_arena_array_zero(arena, uint8_t *, s->n_slices),
                               covey_arena_array_zero(arena, double *, s->n_slices)};
    return out->passes && out->sure && out->share ? COVEY_OK : covey_i_no_memory(err);
}

/* All lines, before the first that is taken away. */
static covey_status make_set(covey_slice_lines *lines, const covey_query_slices *s, uint32_t slice, covey_arena *arena,
                             covey_error *err)
{
    if (lines->passes[slice])
        return COVEY_OK;
    if (!(lines->passes[slice] = covey_arena_array(arena, uint8_t, s->n_rows)))
        return covey_i_no_memory(err);
    memset(lines->passes[slice], 1, s->n_rows);
    return COVEY_OK;
}

/* --- how it falls --- */

struct finding {
    const covey_query_slices *s;
    const covey_condition *condition;
    covey_slice_parts *parts;
    covey_node_kind kind; /* what joins them */
    bool fits;
};

static bool is_within(const covey_condition_node *node, const covey_condition *condition,
                      const covey_opened_slice *slice)
{
    if (node->part >= 0)
        return place_in(slice, condition->attribute[node->attribute].index) != UINT32_MAX;
    for (const covey_condition_node *child = node->child; child; child = child->next)
        if (!is_within(child, condition, slice))
            return false;
    return true;
}

static void find_parts(struct finding *f, const covey_condition_node *node)
{
    for (uint32_t i = 0; i < f->s->n_slices; i++)
        if (is_within(node, f->condition, f->s->slice[i].opened)) {
            if ((f->fits = f->fits && f->parts->n < COVEY_SLICE_PARTS)) {
                f->parts->slice[f->parts->n] = i;
                f->parts->part[f->parts->n++] = node;
            }
            return;
        }
    f->fits &= node->part < 0 && node->kind == f->kind;
    for (const covey_condition_node *child = node->child; child && f->fits; child = child->next)
        find_parts(f, child);
}

covey_slice_fall covey_i_slice_parts_find(covey_slice_parts *out, const covey_query_slices *s,
                                          const covey_condition *condition)
{
    struct finding f = {.s = s, .condition = condition, .parts = out, .kind = COVEY_NODE_AND, .fits = true};

    *out = (covey_slice_parts){0};
    if (!condition->root)
        return COVEY_FALLS_ALL;
    find_parts(&f, condition->root);
    if (f.fits)
        return COVEY_FALLS_ALL;
    *out = (covey_slice_parts){0};
    f.kind = COVEY_NODE_OR;
    f.fits = true;
    find_parts(&f, condition->root);
    return f.fits ? COVEY_FALLS_ANY : COVEY_FALLS_MIXED;
}

static bool speaks_of(const covey_condition_node *node, int attribute)
{
    if (node->part >= 0)
        return node->attribute == attribute;
    for (const covey_condition_node *child = node->child; child; child = child->next)
        if (speaks_of(child, attribute))
            return true;
    return false;
}

/* Copies of a generalized cell stand for one value, so that columns do not pass apart from each other if two are asked
 * for it. */
static bool are_apart(const covey_slice_parts *parts, const covey_condition *condition, const covey_slice_kinds *kinds)
{
    for (uint32_t a = 0; a < condition->n_attributes; a++) {
        uint32_t slice = UINT32_MAX;

        for (size_t i = 0; i < parts->n && kinds[a].n_atoms > kinds[a].n; i++) {
            if (!speaks_of(parts->part[i], (int)a))
                continue;
            if (slice != UINT32_MAX && slice != parts->slice[i])
                return false;
            slice = parts->slice[i];
        }
    }
    return true;
}

/* --- lines --- */

/* Lines of a column are of so many kinds by the cells of the condition's attributes that stand in it. */
struct kinds {
    uint32_t n, n_attributes, *attribute, *place; /* of the condition; in the slice */
    uint32_t *stride;
    const covey_slice_kinds *of; /* by attribute of the condition */
    bool is_exact;               /* all cells have one atom */
};

static covey_status find_kinds(struct kinds *k, const covey_query_slices *s, uint32_t slice,
                               const covey_condition *condition, const covey_slice_kinds *kinds, covey_arena *arena,
                               covey_error *err)
{
    uint64_t n = 1, n_atoms = 1;

    *k = (struct kinds){.attribute = covey_arena_array(arena, uint32_t, condition->n_attributes),
                        .place = covey_arena_array(arena, uint32_t, condition->n_attributes),
                        .stride = covey_arena_array(arena, uint32_t, condition->n_attributes),
                        .of = kinds,
                        .is_exact = true};
    if (!k->attribute || !k->place || !k->stride)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < condition->n_attributes; i++) {
        const uint32_t place = place_in(s->slice[slice].opened, condition->attribute[i].index);

        if (place == UINT32_MAX)
            continue;
        k->attribute[k->n_attributes] = i;
        k->place[k->n_attributes] = place;
        k->stride[k->n_attributes++] = (uint32_t)n;
        k->is_exact = k->is_exact && kinds[i].n_atoms == kinds[i].n;
        n *= kinds[i].n;
        if ((n_atoms *= kinds[i].n_atoms) > COVEY_CONDITION_MOST_TRUTH)
            return covey_fail(err, COVEY_EINVAL,
                              "query: the condition tells more than %d kinds of pieces apart; ask a simpler one",
                              COVEY_CONDITION_MOST_TRUTH);
    }
    k->n = (uint32_t)n;
    return COVEY_OK;
}

/* What is known of a kind of pieces: passes, sure, share of one line. */
struct truth {
    uint8_t *passes, *sure;
    double *share;
};

static covey_status new_truth(struct truth *t, uint32_t n, covey_arena *arena, covey_error *err)
{
    *t = (struct truth){covey_arena_array_zero(arena, uint8_t, n), covey_arena_array_zero(arena, uint8_t, n),
                        covey_arena_array_zero(arena, double, n)};
    return t->passes && t->sure && t->share ? COVEY_OK : covey_i_no_memory(err);
}

/* Of a column of which nothing has been asked. */
static covey_status mark_lines(covey_slice_lines *out, const covey_query_slices *s, uint32_t slice,
                               const struct kinds *k, const struct truth *t, covey_arena *arena, covey_error *err)
{
    const covey_opened_slice *opened = s->slice[slice].opened;

    out->passes[slice] = covey_arena_array(arena, uint8_t, s->n_rows);
    if (!k->is_exact) {
        out->sure[slice] = covey_arena_array(arena, uint8_t, s->n_rows);
        out->share[slice] = covey_arena_array(arena, double, s->n_rows);
    }
    if (!out->passes[slice] || (!k->is_exact && (!out->sure[slice] || !out->share[slice])))
        return covey_i_no_memory(err);
    for (uint32_t line = 0; line < s->n_rows; line++) {
        uint32_t kind = 0;

        for (uint32_t i = 0; i < k->n_attributes; i++)
            kind += k->of[k->attribute[i]].of_code[covey_i_slice_code(opened, k->place[i], line)] * k->stride[i];
        out->passes[slice][line] = t->passes[kind];
        if (k->is_exact)
            continue;
        out->sure[slice][line] = t->sure[kind];
        out->share[slice][line] = t->share[kind];
    }
    return COVEY_OK;
}

/* All parts of a column at once, over the atoms of one kind of pieces. */
struct trying {
    const covey_slice_parts *parts;
    const covey_condition *condition;
    covey_slice_fall fall;
    const struct kinds *k;
    uint32_t slice;
    uint32_t *kind, *atom; /* by attribute of the condition */
    covey_outcome outcome;
};

static bool parts_hold(const struct trying *t)
{
    for (size_t i = 0; i < t->parts->n; i++)
        if (t->parts->slice[i] == t->slice &&
            covey_i_condition_node_holds(t->parts->part[i], t->condition, t->atom) != (t->fall == COVEY_FALLS_ALL))
            return false;
    return true;
}

static void try_atoms(struct trying *t, uint32_t i, double share)
{
    covey_atom_list list;
    uint32_t attribute;

    if (i == t->k->n_attributes) {
        const bool holds = parts_hold(t);

        t->outcome.can_be_true |= holds;
        t->outcome.can_be_false |= !holds;
        t->outcome.p += holds ? share : 0;
        return;
    }
    attribute = t->k->attribute[i];
    list = t->k->of[attribute].atoms[t->kind[attribute]];
    for (uint32_t j = 0; j < list.n; j++) {
        t->atom[attribute] = list.share[j].atom;
        try_atoms(t, i + 1, share * list.share[j].share);
    }
}

static void next_kind(uint32_t *kind, const struct kinds *k)
{
    for (uint32_t i = 0; i < k->n_attributes && ++kind[k->attribute[i]] == k->of[k->attribute[i]].n; i++)
        kind[k->attribute[i]] = 0;
}

static covey_status add_parts(covey_slice_lines *out, struct trying t, const covey_query_slices *s, uint32_t slice,
                              const covey_slice_kinds *kinds, covey_arena *arena, covey_error *err)
{
    const uint32_t n_attributes = t.condition->n_attributes;
    struct kinds k;
    struct truth truth;

    t.k = &k;
    t.slice = slice;
    t.kind = covey_arena_array_zero(arena, uint32_t, n_attributes);
    t.atom = covey_arena_array_zero(arena, uint32_t, n_attributes);
    if (!t.kind || !t.atom)
        return covey_i_no_memory(err);
    COVEY_TRY(find_kinds(&k, s, slice, t.condition, kinds, arena, err));
    COVEY_TRY(new_truth(&truth, k.n, arena, err));
    for (uint32_t kind = 0; kind < k.n; kind++) {
        t.outcome = (covey_outcome){false, false, 0};
        try_atoms(&t, 0, 1);
        truth.sure[kind] = t.outcome.can_be_true && !t.outcome.can_be_false;
        truth.passes[kind] = t.outcome.can_be_true || !t.outcome.can_be_false;
        truth.share[kind] = truth.sure[kind] ? 1 : truth.passes[kind] ? t.outcome.p : 0;
        next_kind(t.kind, &k);
    }
    return mark_lines(out, s, slice, &k, &truth, arena, err);
}

covey_status covey_i_slice_lines(covey_slice_fall *fall, covey_slice_lines *out, const covey_query_slices *s,
                                 const covey_condition *condition, const covey_slice_kinds *kinds, covey_arena *arena,
                                 covey_error *err)
{
    covey_slice_parts parts;

    COVEY_TRY(covey_i_slice_lines_new(out, s, arena, err));
    *fall = covey_i_slice_parts_find(&parts, s, condition);
    if (*fall != COVEY_FALLS_MIXED && !are_apart(&parts, condition, kinds))
        *fall = COVEY_FALLS_MIXED;
    if (*fall == COVEY_FALLS_MIXED)
        return COVEY_OK;
    for (uint32_t slice = 0; slice < s->n_slices; slice++)
        for (size_t i = 0; i < parts.n; i++)
            if (parts.slice[i] == slice) {
                const struct trying t = {.parts = &parts, .condition = condition, .fall = *fall};

                COVEY_TRY(add_parts(out, t, s, slice, kinds, arena, err));
                break;
            }
    return COVEY_OK;
}

covey_status covey_i_slice_lines_of_kinds(covey_slice_lines *out, const covey_query_slices *s,
                                          const covey_condition *condition, const covey_slice_kinds *kinds,
                                          const uint32_t *kind, covey_arena *arena, covey_error *err)
{
    COVEY_TRY(covey_i_slice_lines_new(out, s, arena, err));
    for (uint32_t slice = 0; slice < s->n_slices; slice++) {
        uint32_t wanted = 0;
        struct truth truth;
        struct kinds k;

        COVEY_TRY(find_kinds(&k, s, slice, condition, kinds, arena, err));
        if (k.n_attributes == 0)
            continue;
        k.is_exact = true; /* cells are of a kind, or not */
        COVEY_TRY(new_truth(&truth, k.n, arena, err));
        for (uint32_t i = 0; i < k.n_attributes; i++)
            wanted += kind[k.attribute[i]] * k.stride[i];
        truth.passes[wanted] = 1;
        COVEY_TRY(mark_lines(out, s, slice, &k, &truth, arena, err));
    }
    return COVEY_OK;
}

covey_status covey_i_slice_lines_keep(covey_slice_lines *lines, const covey_query_slices *s, uint32_t attribute,
                                      const covey_opened_column *column, uint32_t code, covey_arena *arena,
                                      covey_error *err)
{
    const uint32_t slice = slice_of(s, attribute), place = place_in(s->slice[slice].opened, attribute);
    const uint32_t rank = covey_i_opened_rank(column, code);

    COVEY_TRY(make_set(lines, s, slice, arena, err));
    for (uint32_t line = 0; line < s->n_rows; line++) {
        if (covey_i_opened_rank(column, covey_i_slice_code(s->slice[slice].opened, place, line)) == rank)
            continue;
        lines->passes[slice][line] = 0;
        if (lines->sure[slice])
            lines->sure[slice][line] = 0;
        if (lines->share[slice])
            lines->share[slice][line] = 0;
    }
    return COVEY_OK;
}
