/* Column generalization: values of attributes are put together until every piece of every column stands for column-k
 * rows at least.
 *
 * An attribute has one set of groups for all its values, in every column that it stands in (single-dimensional global
 * recoding): then a value has one cell, columns that overlap still agree on it, and slicing goes on as if the table had
 * held cells from the start -- no later step has to know.  Groups come in levels: with a hierarchy those of its file,
 * else neighbours are joined until they are 1, 2, 4, ... times column-k rows. As long as pieces of a column are too
 * rare, the level is raised of the attribute with the most groups, as in Datafly; of those with as many, of the one
 * that leaves the fewest rows in such pieces.  Rows in pieces that are too rare go where the policy allows so many to
 * be suppressed.
 *
 * Source: [LiLiZhangMolloy12] section 4.2; docs/design/slicing.md, "Column generalization". */
#include "method/slicing/slicing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "table/table_impl.h"

/* The groups of an attribute; codes that no published row has belong to the group that they lie in. */
typedef struct grouping {
    uint32_t level, n_groups, *group; /* [axis->n_values] ascending */
    bool is_last;                     /* one group is left, or there is no further level */
} grouping;

struct covey_slicing_recoding {
    covey_slicing *s;
    const covey_problem *given; /* with values as they are */
    bool drops_early;
    uint32_t k, **count; /* [n_axes][n_values] published rows */
    grouping *now;       /* [n_axes] */
    uint32_t *piece;     /* [rows of the table] scratch */
};

static covey_status count_values(covey_slicing_recoding *r, covey_error *err)
{
    const covey_problem *problem = r->s->problem;

    for (size_t a = 0; a < problem->n_axes; a++) {
        const covey_axis *axis = &problem->axis[a];

        if (!(r->count[a] = covey_arena_array_zero(r->s->arena, uint32_t, axis->n_values)))
            return covey_i_no_memory(err);
        for (uint32_t i = 0; i < r->s->n; i++)
            r->count[a][covey_i_code(axis->column, r->s->content[i])]++;
    }
    return COVEY_OK;
}

/* --- levels --- */

static void join_all(grouping *g, uint32_t n_values)
{
    memset(g->group, 0, n_values * sizeof *g->group);
    g->n_groups = n_values > 0;
    g->is_last = true;
}

/* Leaves under one node of that level of the file. */
static void join_leaves(grouping *g, const covey_axis *axis)
{
    uint32_t before = UINT32_MAX;

    g->n_groups = 0;
    for (uint32_t v = 0; v < axis->n_values; v++) {
        const uint32_t node = covey_hierarchy_ancestor(axis->tree, v, (int)g->level);

        g->n_groups += v == 0 || node != before;
        g->group[v] = g->n_groups - 1;
        before = node;
    }
    g->is_last = g->n_groups <= 1;
}

/* A set of more elements than a cell lists would be published as *, which stands for all values: then it has to be all.
 */
static bool has_long_set(const grouping *g, const covey_axis *axis, const uint32_t *count)
{
    for (uint32_t v = 0, n = 0; v < axis->n_values; v++) {
        n = v > 0 && g->group[v] == g->group[v - 1] ? n : 0;
        n += count[v] > 0;
        if (n > COVEY_AXIS_MOST_ELEMENTS)
            return true;
    }
    return false;
}

/* Joins groups with the next ones until they have so many rows; what is left belongs to the last one.  The missing
 * value beside numbers stays alone until the last level, because a cell with both would stand for everything. */
static void join_neighbours(grouping *g, const covey_axis *axis, const uint32_t *count, uint64_t least)
{
    const uint32_t first = axis->kind == COVEY_AXIS_RANGE && axis->column->has_null ? 1 : 0;
    uint64_t n_rows = 0, rest = 0;
    uint32_t n_groups = first;

    for (uint32_t v = first; v < axis->n_values; v++)
        rest += count[v];
    for (uint32_t v = first, end; v < axis->n_values; v = end) {
        const uint32_t old = g->group[v];

        for (end = v; end < axis->n_values && g->group[end] == old; end++) {
            n_rows += count[end];
            rest -= count[end];
        }
        for (uint32_t i = v; i < end; i++)
            g->group[i] = n_groups;
        if (n_rows >= least && rest >= least) {
            n_groups++;
            n_rows = 0;
        }
    }
    g->n_groups = n_groups + (first < axis->n_values);
    if (axis->kind == COVEY_AXIS_FLAT && has_long_set(g, axis, count))
        join_all(g, axis->n_values);
}

/* The next level with fewer groups; g has an array of its own. */
static void raise_level(grouping *g, const covey_slicing_recoding *r, size_t a)
{
    const covey_axis *axis = &r->s->problem->axis[a];
    const uint32_t before = g->n_groups, alone = axis->kind == COVEY_AXIS_RANGE && axis->column->has_null ? 2 : 1;

    while (g->n_groups >= before && !g->is_last) {
        g->level++;
        if (axis->kind == COVEY_AXIS_TREE)
            join_leaves(g, axis);
        else if (before <= alone || g->level > 31)
            join_all(g, axis->n_values);
        else
            join_neighbours(g, axis, r->count[a], (uint64_t)r->k << (g->level - 1));
    }
    g->is_last = g->is_last || g->n_groups <= 1;
}

/* --- rare pieces --- */

static covey_status add_field(uint32_t *n_pieces, const covey_slicing_recoding *r, size_t f, const grouping *trial,
                              size_t trial_axis, covey_error *err)
{
    const covey_field *field = &r->given->field[f];
    const grouping *g = field->axis < 0                              ? NULL
                        : trial && (size_t)field->axis == trial_axis ? trial
                                                                     : &r->now[field->axis];

    return covey_i_slicing_refine_by(r->piece, n_pieces, field->column, g ? g->group : NULL, r->s, err);
}

/* Fills piece. */
static covey_status number_pieces(uint32_t *n_pieces, const covey_slicing_recoding *r, size_t slice,
                                  const grouping *trial, size_t trial_axis, covey_error *err)
{
    const covey_slicing *s = r->s;

    *n_pieces = 1;
    memset(r->piece, 0, s->problem->n_rows * sizeof *r->piece);
    for (size_t i = 0; i < s->slice[slice].n_fields; i++)
        COVEY_TRY(add_field(n_pieces, r, s->slice[slice].field[i], trial, trial_axis, err));
    return COVEY_OK;
}

/* Rows in pieces of a column that are too rare; with the trial in the place of an axis' groups. */
static covey_status count_rare(uint32_t *n_rare, const covey_slicing_recoding *r, size_t slice, const grouping *trial,
                               size_t trial_axis, covey_error *err)
{
    const covey_slicing *s = r->s;
    const covey_arena_mark mark = covey_arena_save(s->arena);
    uint32_t n_pieces, *n_rows;

    COVEY_TRY(number_pieces(&n_pieces, r, slice, trial, trial_axis, err));
    if (!(n_rows = covey_arena_array_zero(s->arena, uint32_t, n_pieces)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n; i++)
        n_rows[r->piece[s->content[i]]]++;
    *n_rare = 0;
    for (uint32_t p = 0; p < n_pieces; p++)
        *n_rare += n_rows[p] < r->k ? n_rows[p] : 0;
    covey_arena_rewind(s->arena, mark);
    return COVEY_OK;
}

/* Takes away the rows of a column's pieces that are too rare. */
static covey_status drop_pieces(covey_slicing_recoding *r, size_t slice, covey_error *err)
{
    covey_slicing *s = r->s;
    const covey_arena_mark mark = covey_arena_save(s->arena);
    uint32_t n_pieces, *n_rows, n = 0;

    COVEY_TRY(number_pieces(&n_pieces, r, slice, NULL, 0, err));
    if (!(n_rows = covey_arena_array_zero(s->arena, uint32_t, n_pieces)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n; i++)
        n_rows[r->piece[s->content[i]]]++;
    for (uint32_t i = 0; i < s->n; i++)
        if (n_rows[r->piece[s->content[i]]] >= r->k)
            s->content[n++] = s->content[i];
    s->n = s->n_contents = n;
    covey_arena_rewind(s->arena, mark);
    return COVEY_OK;
}

static bool may_drop(const covey_slicing_recoding *r, uint32_t n_rare)
{
    return n_rare <= covey_i_slicing_may_drop(r->s) && n_rare < r->s->n;
}

static covey_status infeasible(const covey_slicing_recoding *r, size_t slice, uint32_t n_rare, covey_error *err)
{
    const bool sensitive = slice + 1 == r->s->n_slices;
    char instead[64] = "";

    if (n_rare < r->s->n)
        snprintf(instead, sizeof instead, ", or allow more rows to be suppressed (now %" PRId64 ")",
                 r->s->problem->max_suppressed);
    return covey_fail(err, COVEY_EINFEASIBLE,
                      "method slicing: column-k = %" PRIu32 " cannot be kept: %" PRIu32 " of %" PRIu32
                      " rows have pieces in column %zu that are rarer however far its "
                      "quasi-identifiers are generalized%s; ask for a smaller column-k%s%s",
                      r->k, n_rare, r->s->n, covey_i_slicing_column_number(r->s, slice),
                      sensitive ? " (sensitive values are never generalized)" : "",
                      sensitive ? "" : ", or declare attributes of that column quasi-identifiers", instead);
}

/* Raises the level of the attribute of a column that has the most groups; of such, that leaves the fewest rows in rare
 * pieces; of such, the first. *found false: none has a further level. */
static covey_status raise_best(bool *found, covey_slicing_recoding *r, size_t slice, covey_error *err)
{
    const covey_problem *problem = r->s->problem;
    uint32_t fewest = UINT32_MAX;
    size_t best = 0;
    grouping chosen = {0};

    *found = false;
    for (size_t i = 0; i < r->s->slice[slice].n_fields; i++) {
        const int a = problem->field[r->s->slice[slice].field[i]].axis;
        grouping trial;
        uint32_t n_rare = 0;

        if (a < 0 || r->now[a].is_last || (*found && r->now[a].n_groups < r->now[best].n_groups))
            continue;
        trial = r->now[a];
        if (!(trial.group = covey_arena_array(r->s->arena, uint32_t, problem->axis[a].n_values)))
            return covey_i_no_memory(err);
        memcpy(trial.group, r->now[a].group, problem->axis[a].n_values * sizeof *trial.group);
        raise_level(&trial, r, (size_t)a);
        COVEY_TRY(count_rare(&n_rare, r, slice, &trial, (size_t)a, err));
        if (*found && r->now[a].n_groups == r->now[best].n_groups && n_rare >= fewest)
            continue;
        *found = true;
        fewest = n_rare;
        best = (size_t)a;
        chosen = trial;
    }
    if (*found)
        r->now[best] = chosen;
    return COVEY_OK;
}

static covey_status find_groups(covey_slicing_recoding *r, covey_error *err)
{
    for (size_t slice = 0; slice < r->s->n_slices;) {
        uint32_t n_rare = 0;
        bool found;

        COVEY_TRY(count_rare(&n_rare, r, slice, NULL, 0, err));
        if (n_rare == 0) {
            slice++;
            continue;
        }
        found = false;
        if (!r->drops_early || !may_drop(r, n_rare))
            COVEY_TRY(raise_best(&found, r, slice, err));
        if (found)
            continue;
        if (!may_drop(r, n_rare))
            return infeasible(r, slice, n_rare, err);
        COVEY_TRY(drop_pieces(r, slice, err));
        COVEY_TRY(count_values(r, err));
        slice = 0; /* pieces of columns before may have become rare */
    }
    return COVEY_OK;
}

/* --- cells --- */

static void find_ends(covey_recoded *out, const grouping *g, const uint32_t *count, uint32_t n_values)
{
    for (uint32_t i = 0; i < g->n_groups; i++) {
        out->low[i] = 1;
        out->high[i] = 0;
    }
    memset(out->n_rows, 0, g->n_groups * sizeof *out->n_rows);
    for (uint32_t v = 0; v < n_values; v++) {
        const uint32_t i = g->group[v];

        out->n_rows[i] += count[v];
        out->group_of_code[v] = count[v] > 0 ? i : UINT32_MAX;
        if (count[v] == 0)
            continue;
        out->low[i] = out->low[i] > out->high[i] ? v : out->low[i];
        out->high[i] = v;
    }
}

/* Labels of a hierarchy that is made from the data have no other order than that of their bytes, because nobody is told
 * its leaves. */
static int compare_labels(const void *x, const void *y, void *context)
{
    const covey_label *a = &((const covey_label *)context)[*(const uint32_t *)x],
                      *b = &((const covey_label *)context)[*(const uint32_t *)y];
    const int order = memcmp(a->text, b->text, a->size < b->size ? a->size : b->size);

    return order ? order : (a->size > b->size) - (a->size < b->size);
}

/* Numbers groups by their labels; map: of values to groups. */
static covey_status sort_groups(covey_recoded *out, covey_label *label, uint32_t *map, uint32_t n_groups,
                                uint32_t n_values, covey_arena *arena, covey_error *err)
{
    uint32_t *sorted = covey_arena_array(arena, uint32_t, n_groups),
             *place = covey_arena_array(arena, uint32_t, n_groups);
    uint32_t *low = covey_arena_array(arena, uint32_t, n_groups), *high = covey_arena_array(arena, uint32_t, n_groups);
    uint32_t *n_rows = covey_arena_array(arena, uint32_t, n_groups);
    covey_label *given = covey_arena_array(arena, covey_label, n_groups);

    if (!sorted || !place || !low || !high || !n_rows || !given)
        return covey_i_no_memory(err);
    memcpy(n_rows, out->n_rows, n_groups * sizeof *n_rows);
    memcpy(low, out->low, n_groups * sizeof *low);
    memcpy(high, out->high, n_groups * sizeof *high);
    memcpy(given, label, n_groups * sizeof *given);
    for (uint32_t i = 0; i < n_groups; i++)
        sorted[i] = i;
    qsort_r(sorted, n_groups, sizeof *sorted, compare_labels, given);
    for (uint32_t i = 0; i < n_groups; i++) {
        label[i] = given[sorted[i]];
        out->low[i] = low[sorted[i]];
        out->high[i] = high[sorted[i]];
        out->n_rows[i] = n_rows[sorted[i]];
        place[sorted[i]] = i;
    }
    for (uint32_t v = 0; v < n_values; v++) {
        map[v] = place[map[v]];
        out->group_of_code[v] = out->group_of_code[v] == UINT32_MAX ? UINT32_MAX : map[v];
    }
    return COVEY_OK;
}

/* The cells of all groups as the labels of a column; groups without published rows have none. */
static covey_status make_column(covey_recoded *out, const grouping *g, const covey_axis *axis, covey_arena *arena,
                                covey_error *err)
{
    covey_label *label = covey_arena_array_zero(arena, covey_label, g->n_groups);
    uint32_t *present = covey_arena_array(arena, uint32_t, axis->n_values),
             *map = covey_arena_array(arena, uint32_t, axis->n_values);
    size_t *start = covey_arena_array(arena, size_t, (size_t)g->n_groups + 1);
    covey_text text = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;

    if (!label || !present || !map || !start)
        return covey_i_no_memory(err);
    memcpy(map, g->group, axis->n_values * sizeof *map);
    for (uint32_t i = 0; i < g->n_groups; i++) {
        size_t n = 0;

        start[i] = text.size;
        for (uint32_t v = out->low[i]; v <= out->high[i]; v++)
            if (out->group_of_code[v] == i)
                present[n++] = v;
        if (n > 0)
            covey_i_axis_print(&text, axis, out->low[i], out->high[i], present, n);
    }
    start[g->n_groups] = text.size;
    for (uint32_t i = 0; i < g->n_groups && !text.broken; i++)
        label[i] = (covey_label){text.size ? text.bytes + start[i] : "", start[i + 1] - start[i]};
    if (text.broken)
        status = covey_i_no_memory(err);
    else if (axis->kind == COVEY_AXIS_TREE && covey_hierarchy_is_from_data(axis->tree))
        status = sort_groups(out, label, map, g->n_groups, axis->n_values, arena, err);
    if (status == COVEY_OK)
        status = covey_i_column_recode(&out->column, axis->column, COVEY_TYPE_TEXT, map, g->n_groups, false, 0, label,
                                       NULL, err);
    covey_i_text_free(&text);
    return status;
}

/* Attributes whose groups are more than their values. */
static covey_status make_recoded(covey_slicing_recoding *r, covey_error *err)
{
    covey_slicing *s = r->s;

    for (size_t a = 0; a < s->problem->n_axes; a++) {
        const covey_axis *axis = &s->problem->axis[a];
        const grouping *g = &r->now[a];
        covey_recoded *out = &s->recoded[a];

        if (g->level == 0)
            continue;
        out->low = covey_i_array(g->n_groups, sizeof *out->low);
        out->high = covey_i_array(g->n_groups, sizeof *out->high);
        out->group_of_code = covey_i_array(axis->n_values, sizeof *out->group_of_code);
        out->n_rows = covey_i_array(g->n_groups, sizeof *out->n_rows);
        if (!out->low || !out->high || !out->group_of_code || !out->n_rows)
            return covey_i_no_memory(err);
        find_ends(out, g, r->count[a], axis->n_values);
        COVEY_TRY(make_column(out, g, axis, s->arena, err));
    }
    return COVEY_OK;
}

/* The problem with cells in the place of values. */
static covey_status replace_columns(covey_slicing *s, covey_error *err)
{
    const covey_problem *problem = s->problem;
    covey_field *field = covey_arena_array(s->arena, covey_field, problem->n_fields);

    if (!field)
        return covey_i_no_memory(err);
    memcpy(field, problem->field, problem->n_fields * sizeof *field);
    for (size_t f = 0; f < problem->n_fields; f++)
        if (field[f].axis >= 0 && s->recoded[field[f].axis].column)
            field[f].column = s->recoded[field[f].axis].column;
    s->own = *problem;
    s->own.field = field;
    s->problem = &s->own;
    return COVEY_OK;
}

static covey_status start(covey_slicing_recoding *r, covey_error *err)
{
    const covey_problem *problem = r->given;

    r->count = covey_arena_array_zero(r->s->arena, uint32_t *, problem->n_axes);
    r->now = covey_arena_array_zero(r->s->arena, grouping, problem->n_axes);
    r->piece = covey_arena_array(r->s->arena, uint32_t, problem->n_rows);
    if (!r->count || !r->now || !r->piece)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++) {
        grouping *g = &r->now[a];

        g->n_groups = problem->axis[a].n_values;
        g->is_last = g->n_groups <= 1;
        if (!(g->group = covey_arena_array(r->s->arena, uint32_t, problem->axis[a].n_values)))
            return covey_i_no_memory(err);
        for (uint32_t v = 0; v < g->n_groups; v++)
            g->group[v] = v;
    }
    return count_values(r, err);
}

uint32_t covey_i_slicing_column_k(const covey_slicing *s)
{
    return s->params->column_k > UINT32_MAX ? UINT32_MAX : (uint32_t)s->params->column_k;
}

void covey_i_slicing_put_rows(covey_slicing *s, const uint32_t *row, uint32_t n)
{
    memcpy(s->content, row, n * sizeof *row);
    s->n = s->n_contents = n;
    s->problem = s->whole ? s->whole : s->problem;
}

covey_status covey_i_slicing_largest_k(uint32_t *out, covey_slicing_recoding *r, const uint32_t *row, uint32_t n,
                                       covey_error *err)
{
    const covey_problem *problem = r->given;
    uint32_t least = 1, above = r->k;

    for (size_t a = 0; a < problem->n_axes; a++)
        join_all(&r->now[a], problem->axis[a].n_values);
    while (above - least > 1) {
        covey_status status;

        r->k = least + (above - least) / 2;
        covey_i_slicing_put_rows(r->s, row, n);
        if ((status = covey_i_slicing_drop_rare(r, NULL)) == COVEY_OK)
            least = r->k;
        else if (status == COVEY_EINFEASIBLE)
            above = r->k;
        else
            return covey_i_no_memory(err);
    }
    *out = least;
    return COVEY_OK;
}

covey_status covey_i_slicing_recode(covey_slicing_recoding **out, covey_slicing *s, uint32_t k, bool drops_early,
                                    covey_error *err)
{
    covey_slicing_recoding *r = covey_arena_array_zero(s->arena, covey_slicing_recoding, 1);

    if (!r)
        return covey_i_no_memory(err);
    s->problem = s->whole = s->whole ? s->whole : s->problem;
    *r = (covey_slicing_recoding){.s = s, .given = s->whole, .drops_early = drops_early, .k = k};
    *out = r;
    COVEY_TRY(start(r, err));
    return find_groups(r, err);
}

covey_status covey_i_slicing_make_cells(covey_slicing_recoding *r, covey_error *err)
{
    covey_slicing *s = r->s;

    covey_i_recoded_free(s->recoded, s->whole->n_axes);
    s->problem = s->whole;
    s->recoded = covey_i_array_zero(s->whole->n_axes, sizeof *s->recoded);
    if (!s->recoded)
        return covey_i_no_memory(err);
    COVEY_TRY(count_values(r, err));
    COVEY_TRY(make_recoded(r, err));
    return replace_columns(s, err);
}

covey_status covey_i_slicing_drop_rare(covey_slicing_recoding *r, covey_error *err)
{
    for (size_t slice = 0; slice < r->s->n_slices;) {
        uint32_t n_rare = 0;

        COVEY_TRY(count_rare(&n_rare, r, slice, NULL, 0, err));
        if (n_rare == 0) {
            slice++;
            continue;
        }
        if (!may_drop(r, n_rare))
            return infeasible(r, slice, n_rare, err);
        COVEY_TRY(drop_pieces(r, slice, err));
        slice = 0;
    }
    return COVEY_OK;
}
