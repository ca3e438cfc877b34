/* Which lines of the columns of a sliced release satisfy what a condition asks of them.
 *
 * A part of the condition that speaks of attributes of one column only is known line by line, as far as the line's
 * cells tell their values: the atoms of generalized cells are tried in all combinations.  A condition that is such
 * parts joined by AND is one set of lines per column; joined by OR, it fails for rows whose pieces fail everywhere. */
#include <string.h>

#include "base/error.h"
#include "query/sliced/slices.h"

enum { MOST_PARTS = 64 };

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

/* The part of a condition that falls on one column. */
struct falling {
    const covey_query_slices *s;
    const covey_condition *condition;
    const covey_slice_kinds *kinds;
    covey_node_kind kind; /* what joins the parts */
    size_t n;
    const covey_condition_node *part[MOST_PARTS];
    uint32_t slice[MOST_PARTS];
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
static bool are_apart(const struct falling *f)
{
    for (uint32_t a = 0; a < f->condition->n_attributes; a++) {
        uint32_t slice = UINT32_MAX;

        for (size_t i = 0; i < f->n && f->kinds[a].n_atoms > f->kinds[a].n; i++) {
            if (!speaks_of(f->part[i], (int)a))
                continue;
            if (slice != UINT32_MAX && slice != f->slice[i])
                return false;
            slice = f->slice[i];
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
    const struct falling *f;
    const struct kinds *k;
    uint32_t slice;
    uint32_t *kind, *atom; /* by attribute of the condition */
    covey_outcome outcome;
};

static bool parts_hold(const struct trying *t)
{
    for (size_t i = 0; i < t->f->n; i++)
        if (t->f->slice[i] == t->slice &&
            covey_i_condition_node_holds(t->f->part[i], t->f->condition, t->atom) != (t->f->kind == COVEY_NODE_AND))
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

static covey_status add_parts(covey_slice_lines *out, const struct falling *f, uint32_t slice, covey_arena *arena,
                              covey_error *err)
{
    const uint32_t n_attributes = f->condition->n_attributes;
    struct kinds k;
    struct trying t = {.f = f,
                       .k = &k,
                       .slice = slice,
                       .kind = covey_arena_array_zero(arena, uint32_t, n_attributes),
                       .atom = covey_arena_array_zero(arena, uint32_t, n_attributes)};
    struct truth truth;

    if (!t.kind || !t.atom)
        return covey_i_no_memory(err);
    COVEY_TRY(find_kinds(&k, f->s, slice, f->condition, f->kinds, arena, err));
    COVEY_TRY(new_truth(&truth, k.n, arena, err));
    for (uint32_t kind = 0; kind < k.n; kind++) {
        t.outcome = (covey_outcome){false, false, 0};
        try_atoms(&t, 0, 1);
        truth.sure[kind] = t.outcome.can_be_true && !t.outcome.can_be_false;
        truth.passes[kind] = t.outcome.can_be_true || !t.outcome.can_be_false;
        truth.share[kind] = truth.sure[kind] ? 1 : truth.passes[kind] ? t.outcome.p : 0;
        next_kind(t.kind, &k);
    }
    return mark_lines(out, f->s, slice, &k, &truth, arena, err);
}

covey_status covey_i_slice_lines(covey_slice_fall *fall, covey_slice_lines *out, const covey_query_slices *s,
                                 const covey_condition *condition, const covey_slice_kinds *kinds, covey_arena *arena,
                                 covey_error *err)
{
    struct falling f = {.s = s, .condition = condition, .kinds = kinds, .kind = COVEY_NODE_AND, .fits = true};

    *fall = COVEY_FALLS_ALL;
    COVEY_TRY(covey_i_slice_lines_new(out, s, arena, err));
    if (!condition->root)
        return COVEY_OK;
    find_parts(&f, condition->root);
    if (!f.fits) {
        f = (struct falling){.s = s, .condition = condition, .kinds = kinds, .kind = COVEY_NODE_OR, .fits = true};
        *fall = COVEY_FALLS_ANY;
        find_parts(&f, condition->root);
    }
    if (!f.fits || !are_apart(&f)) {
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
                                      uint32_t code, covey_arena *arena, covey_error *err)
{
    const uint32_t slice = covey_i_slice_of(s, attribute), place = place_in(s->slice[slice].opened, attribute);

    COVEY_TRY(make_set(lines, s, slice, arena, err));
    for (uint32_t line = 0; line < s->n_rows; line++) {
        if (covey_i_slice_code(s->slice[slice].opened, place, line) == code)
            continue;
        lines->passes[slice][line] = 0;
        if (lines->sure[slice])
            lines->sure[slice][line] = 0;
        if (lines->share[slice])
            lines->share[slice][line] = 0;
    }
    return COVEY_OK;
}
