/* Counting rows of a sliced release whose pieces pass in all columns, along the tree of columns.
 *
 * From the leaves to the root every column tells its neighbour, per group, how many of the group's rows have pieces
 * that pass here and further out: expected, at least, at most.  A cell's n lines that can pass, m for sure and w
 * expected, then belong to
 *
 *     expected   w * product of (expected of the group / its size) over neighbours further out
 *     at least   m - sum of (size of the group - its least), not below 0
 *     at most    the smallest of n and the groups' most
 *
 * such rows.  Where all neighbours share the same attributes, groups are independent: then bounds are attained, and the
 * number of ordered pairs of such rows has the product formula, too, which gives the variance. */
#include <string.h>

#include "base/error.h"
#include "query/sliced/slices.h"

/* What is known of a group. */
struct told {
    uint32_t lower, upper;
    double expected, pairs;
};

struct counting {
    const covey_query_slices *s;
    const covey_slice_lines *lines;
    uint32_t *order, *parent_edge; /* [n_slices] from the root outwards; the edge towards the root */
    bool *is_free;                 /* [n_slices] nothing is asked of it nor of what lies further out */
    struct told **told;            /* [n_edges] by the outer column */
    covey_arena *arena;
};

static void order_slices(struct counting *c, uint32_t root)
{
    const covey_query_slices *s = c->s;
    uint32_t n = 0;

    c->order[n++] = root;
    c->parent_edge[root] = COVEY_NO_EDGE;
    for (uint32_t i = 0; i < n; i++) {
        const covey_slice_node *node = &s->slice[c->order[i]];

        for (uint32_t e = 0; e < node->n_edges; e++) {
            const covey_slice_edge *edge = &s->edge[node->edge[e]];
            uint32_t other = edge->slice[edge->slice[0] == c->order[i]];

            if (node->edge[e] == c->parent_edge[c->order[i]])
                continue;
            c->parent_edge[other] = node->edge[e];
            c->order[n++] = other;
        }
    }
    for (uint32_t i = n; i-- > 0;) {
        const uint32_t slice = c->order[i];

        c->is_free[slice] = c->is_free[slice] && !c->lines->passes[slice];
        if (!c->is_free[slice] && i > 0) {
            const covey_slice_edge *edge = &s->edge[c->parent_edge[slice]];

            c->is_free[edge->slice[edge->slice[0] == slice]] = false;
        }
    }
}

static void count_lines(covey_slice_cell *cell, const covey_query_slices *s, const covey_slice_node *node,
                        const covey_slice_lines *lines, uint32_t slice)
{
    const uint8_t *passes = lines->passes[slice], *sure = lines->sure[slice] ? lines->sure[slice] : passes;
    const double *share = lines->share[slice];

    for (uint32_t i = 0; i < node->n_cells; i++) {
        const uint32_t n = passes ? 0 : node->cell_size[i];

        cell[i] = (covey_slice_cell){.n = n, .n_sure = n};
    }
    for (uint32_t line = 0; line < s->n_rows && passes; line++) {
        cell[node->cell_of_line[line]].n += passes[line];
        cell[node->cell_of_line[line]].n_sure += sure[line];
    }
    for (uint32_t i = 0; i < node->n_cells && !share; i++)
        cell[i].weight = cell[i].squares = cell[i].n;
    for (uint32_t line = 0; line < s->n_rows && share; line++) {
        cell[node->cell_of_line[line]].weight += share[line];
        cell[node->cell_of_line[line]].squares += share[line] * share[line];
    }
}

static void settle_cell(covey_slice_cell *cell, const struct counting *c, uint32_t slice, uint32_t index)
{
    const covey_slice_node *node = &c->s->slice[slice];
    int64_t lower = cell->n_sure;

    cell->upper = cell->n;
    cell->rest = 1;
    cell->pairs = cell->weight * cell->weight - cell->squares; /* ordered pairs of lines that pass */
    for (uint32_t e = 0; e < node->n_edges; e++) {
        const covey_slice_edge *edge = &c->s->edge[node->edge[e]];
        uint32_t group = node->cell_group[e][index];
        const struct told *told;
        double size = edge->size[group];

        if (node->edge[e] == c->parent_edge[slice] || !c->told[node->edge[e]])
            continue;
        told = &c->told[node->edge[e]][group];
        lower += (int64_t)told->lower - edge->size[group];
        cell->upper = told->upper < cell->upper ? told->upper : cell->upper;
        cell->rest *= told->expected / size;
        cell->pairs *= size > 1 ? told->pairs / (size * (size - 1)) : 0;
    }
    cell->lower = lower < 0 ? 0 : (uint32_t)lower;
    cell->expected = cell->weight * cell->rest;
}

/* Tells the column towards the root what is known of its groups. */
static covey_status tell(struct counting *c, uint32_t slice, const covey_slice_cell *cell, covey_error *err)
{
    const covey_slice_node *node = &c->s->slice[slice];
    const uint32_t edge = c->parent_edge[slice];
    struct told *told = covey_arena_array_zero(c->arena, struct told, c->s->edge[edge].n_groups);
    uint32_t e = 0;

    if (!told)
        return covey_i_no_memory(err);
    while (node->edge[e] != edge)
        e++;
    for (uint32_t i = 0; i < node->n_cells; i++) {
        struct told *group = &told[node->cell_group[e][i]];

        group->lower += cell[i].lower;
        group->upper += cell[i].upper;
        group->expected += cell[i].expected;
        group->pairs += cell[i].pairs;
    }
    c->told[edge] = told;
    return COVEY_OK;
}

covey_status covey_i_slice_cells(covey_slice_cell **out, const covey_query_slices *s, const covey_slice_lines *lines,
                                 uint32_t root, covey_arena *arena, covey_error *err)
{
    struct counting c = {.s = s,
                         .lines = lines,
                         .order = covey_arena_array(arena, uint32_t, s->n_slices),
                         .arena = arena,
                         .parent_edge = covey_arena_array(arena, uint32_t, s->n_slices),
                         .is_free = covey_arena_array(arena, bool, s->n_slices),
                         .told = covey_arena_array_zero(arena, struct told *, s->n_slices)};
    covey_slice_cell *cell; /* of one column after the other; the root's is the last */
    uint32_t most = 0;

    if (!c.order || !c.parent_edge || !c.is_free || !c.told)
        return covey_i_no_memory(err);
    memset(c.is_free, 1, s->n_slices * sizeof *c.is_free);
    order_slices(&c, root);
    for (uint32_t i = 0; i < s->n_slices; i++)
        if ((i == root || !c.is_free[i]) && s->slice[i].n_cells > most)
            most = s->slice[i].n_cells;
    if (!(cell = *out = covey_arena_array(arena, covey_slice_cell, most)))
        return covey_i_no_memory(err);
    for (uint32_t i = s->n_slices; i-- > 0;) {
        const uint32_t slice = c.order[i];
        const covey_slice_node *node = &s->slice[slice];

        if (c.is_free[slice] && slice != root)
            continue;
        count_lines(cell, s, node, lines, slice);
        for (uint32_t k = 0; k < node->n_cells; k++)
            settle_cell(&cell[k], &c, slice, k);
        if (slice != root)
            COVEY_TRY(tell(&c, slice, cell, err));
    }
    return COVEY_OK;
}

/* Whatever the columns share: of m rows, at least the sum of what passes in each less (columns - 1) m, at most the
 * least of it. */
static covey_status cut_to_columns(int64_t *lower, int64_t *upper, const covey_query_slices *s,
                                   const covey_slice_lines *lines, covey_arena *arena, covey_error *err)
{
    int64_t *missed =
        covey_arena_array_zero(arena, int64_t, s->n_buckets); /* lines that may not pass, over all columns */

    if (!missed)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n_slices; i++)
        for (uint32_t b = 0; b < s->n_buckets && lines->passes[i]; b++) {
            const uint8_t *sure = lines->sure[i] ? lines->sure[i] : lines->passes[i];
            int64_t n = 0, n_sure = 0, size = s->bucket_start[b + 1] - s->bucket_start[b];

            for (uint32_t line = s->bucket_start[b]; line < s->bucket_start[b + 1]; line++) {
                n += lines->passes[i][line];
                n_sure += sure[line];
            }
            missed[b] += size - n_sure;
            upper[b] = n < upper[b] ? n : upper[b];
        }
    for (uint32_t b = 0; b < s->n_buckets; b++) {
        int64_t least = (int64_t)(s->bucket_start[b + 1] - s->bucket_start[b]) - missed[b];

        lower[b] = least > lower[b] ? least : lower[b];
    }
    return COVEY_OK;
}

covey_status covey_i_slice_buckets(int64_t *lower, int64_t *upper, const covey_query_slices *s,
                                   const covey_slice_lines *lines, uint32_t root, const covey_slice_cell *cell,
                                   covey_arena *arena, covey_error *err)
{
    const covey_slice_node *node = &s->slice[root];

    memset(lower, 0, s->n_buckets * sizeof *lower);
    memset(upper, 0, s->n_buckets * sizeof *upper);
    for (uint32_t i = 0; i < node->n_cells; i++) {
        lower[node->cell_bucket[i]] += cell[i].lower;
        upper[node->cell_bucket[i]] += cell[i].upper;
    }
    return s->is_common ? COVEY_OK : cut_to_columns(lower, upper, s, lines, arena, err);
}
