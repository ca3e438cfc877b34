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
#include "method/slicing/recode.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "table/table_impl.h"

covey_status covey_i_slicing_count_values(covey_slicing_recoding *r, covey_error *err)
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

static void join_all(covey_slicing_grouping *g, uint32_t n_values)
{
    memset(g->group, 0, n_values * sizeof *g->group);
    g->n_groups = n_values > 0;
    g->is_last = true;
}

/* Leaves under one node of that level of the file. */
static void join_leaves(covey_slicing_grouping *g, const covey_axis *axis)
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
static bool has_long_set(const covey_slicing_grouping *g, const covey_axis *axis, const uint32_t *count)
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
static void join_neighbours(covey_slicing_grouping *g, const covey_axis *axis, const uint32_t *count, uint64_t least)
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
static void raise_level(covey_slicing_grouping *g, const covey_slicing_recoding *r, size_t a)
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

static covey_status add_field(uint32_t *n_pieces, const covey_slicing_recoding *r, size_t f,
                              const covey_slicing_grouping *trial, size_t trial_axis, covey_error *err)
{
    const covey_field *field = &r->given->field[f];
    const covey_slicing_grouping *g = field->axis < 0                              ? NULL
                                      : trial && (size_t)field->axis == trial_axis ? trial
                                                                                   : &r->now[field->axis];

    return covey_i_slicing_refine_by(r->piece, n_pieces, field->column, g ? g->group : NULL, r->s, err);
}

/* Fills piece. */
static covey_status number_pieces(uint32_t *n_pieces, const covey_slicing_recoding *r, size_t slice,
                                  const covey_slicing_grouping *trial, size_t trial_axis, covey_error *err)
{
    const covey_slicing *s = r->s;

    *n_pieces = 1;
    memset(r->piece, 0, s->problem->n_rows * sizeof *r->piece);
    for (size_t i = 0; i < s->slice[slice].n_fields; i++)
        COVEY_TRY(add_field(n_pieces, r, s->slice[slice].field[i], trial, trial_axis, err));
    return COVEY_OK;
}

/* Rows in pieces of a column that are too rare; with the trial in the place of an axis' groups. */
static covey_status count_rare(uint32_t *n_rare, const covey_slicing_recoding *r, size_t slice,
                               const covey_slicing_grouping *trial, size_t trial_axis, covey_error *err)
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
    covey_slicing_grouping chosen = {0};

    *found = false;
    for (size_t i = 0; i < r->s->slice[slice].n_fields; i++) {
        const int a = problem->field[r->s->slice[slice].field[i]].axis;
        covey_slicing_grouping trial;
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
        COVEY_TRY(covey_i_slicing_count_values(r, err));
        slice = 0; /* pieces of columns before may have become rare */
    }
    return COVEY_OK;
}

static covey_status start(covey_slicing_recoding *r, covey_error *err)
{
    const covey_problem *problem = r->given;

    r->count = covey_arena_array_zero(r->s->arena, uint32_t *, problem->n_axes);
    r->now = covey_arena_array_zero(r->s->arena, covey_slicing_grouping, problem->n_axes);
    r->piece = covey_arena_array(r->s->arena, uint32_t, problem->n_rows);
    if (!r->count || !r->now || !r->piece)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++) {
        covey_slicing_grouping *g = &r->now[a];

        g->n_groups = problem->axis[a].n_values;
        g->is_last = g->n_groups <= 1;
        if (!(g->group = covey_arena_array(r->s->arena, uint32_t, problem->axis[a].n_values)))
            return covey_i_no_memory(err);
        for (uint32_t v = 0; v < g->n_groups; v++)
            g->group[v] = v;
    }
    return covey_i_slicing_count_values(r, err);
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
