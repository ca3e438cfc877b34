/* The largest distance that a class can have, given how many rows it has of each bucket.  It is exact: the distance is
 * convex in the class's shares, so its largest value is where every bucket's rows all bear one value, and the buckets
 * do not meddle with each other. Source: [derived], docs/design/sabre.md. */
#include "method/sabre/sabre.h"

#include "base/error.h"

static covey_i128 magnitude(covey_i128 x)
{
    return x < 0 ? -x : x;
}

covey_status covey_i_sabre_worst_new(covey_sabre_worst *w, const covey_sabre_ground *ground, const uint32_t *first,
                                     const uint32_t *node, size_t n_buckets, covey_arena *arena, covey_error *err)
{
    const bool is_tree = ground->closeness.ground == COVEY_GROUND_TREE,
               is_equal = ground->closeness.ground == COVEY_GROUND_EQUAL;

    *w = (covey_sabre_worst){.ground = ground, .n_buckets = n_buckets, .first = first, .node = node};
    if (is_equal)
        w->least = covey_arena_array(arena, int64_t, n_buckets);
    if (is_tree) {
        w->surplus = covey_arena_array_zero(arena, covey_i128, ground->n_nodes);
        w->deficit = covey_arena_array_zero(arena, covey_i128, ground->n_nodes);
        w->path = covey_arena_array(arena, covey_i128, ground->n_nodes);
    }
    if ((is_equal && !w->least) || (is_tree && (!w->surplus || !w->deficit || !w->path)))
        return covey_i_no_memory(err);
    for (size_t j = 0; is_equal && j < n_buckets; j++) {
        w->least[j] = ground->rows[first[j]];
        for (uint32_t i = first[j]; i < first[j + 1]; i++)
            w->least[j] = ground->rows[i] < w->least[j] ? ground->rows[i] : w->least[j];
    }
    return COVEY_OK;
}

/* Twice the distance, times size * table: a bucket's rows all bear its rarest value. */
static covey_i128 worst_equal(const covey_sabre_worst *w, const uint32_t *rows, int64_t size)
{
    const covey_sabre_ground *g = w->ground;
    covey_i128 sum = 0;

    for (size_t j = 0; j < w->n_buckets; j++) {
        const covey_i128 share = g->below[w->first[j + 1]] - g->below[w->first[j]];

        sum += magnitude((covey_i128)rows[j] * g->closeness.prior->total - (covey_i128)w->least[j] * size) +
               (share - w->least[j]) * size;
    }
    return sum;
}

/* Times size * table * den.  Between buckets the difference of the cumulative shares is what it is; inside one it
 * depends on where the bucket's rows are, and is largest if they are all at one end. */
static covey_i128 worst_line(const covey_sabre_worst *w, const uint32_t *rows, int64_t size)
{
    const covey_sabre_ground *g = w->ground;
    covey_i128 sum = 0, before = 0; /* the class's cumulative share less the table's, before the bucket */

    for (size_t j = 0; j < w->n_buckets; j++) {
        const uint32_t end = w->first[j + 1];
        const covey_i128 own = (covey_i128)rows[j] * g->closeness.prior->total;
        covey_i128 at_low = 0, at_high = 0, table = 0;

        for (uint32_t i = w->first[j]; i + 1 < end; i++) {
            const covey_i128 step = g->position[i + 1] - g->position[i];

            table += (covey_i128)g->rows[i] * size;
            at_low += magnitude(before + own - table) * step;
            at_high += magnitude(before - table) * step;
        }
        sum += at_low > at_high ? at_low : at_high;
        before += own - table - (covey_i128)g->rows[end - 1] * size;
        if (end < g->n)
            sum += magnitude(before) * (covey_i128)(g->position[end] - g->position[end - 1]);
    }
    return sum;
}

/* Inside bucket v, if all its rows bear the value of the worst leaf: at each ancestor of the leaf up to v, rows of the
 * table that are below its other children must come up for what the leaf has too much. */
static covey_i128 worst_below(const covey_sabre_worst *w, uint32_t v, covey_i128 own, int64_t size)
{
    const covey_sabre_ground *g = w->ground;
    const uint32_t end = covey_i_sabre_node_end(g, v);
    covey_i128 worst = 0;

    w->path[v] = 0;
    for (uint32_t c = v + 1; c < end; c++) {
        const uint32_t parent = g->node[c].parent;
        const covey_i128 mine = (covey_i128)g->node_rows[c] * size;
        const covey_i128 others = (covey_i128)g->node_rows[parent] * size - mine;
        const covey_i128 surplus = own > mine ? own - mine : 0;

        w->path[c] = w->path[parent] + (surplus < others ? surplus : others) * g->node[parent].height;
        if (g->node[c].n_children == 0 && g->node_rows[c] > 0 && w->path[c] > worst)
            worst = w->path[c];
    }
    return worst;
}

static void rise(const covey_sabre_worst *w, uint32_t v, covey_i128 surplus)
{
    const uint32_t parent = w->ground->node[v].parent;

    if (v == 0)
        return;
    if (surplus > 0)
        w->surplus[parent] += surplus;
    else
        w->deficit[parent] -= surplus;
}

/* Times size * table * den. */
static covey_i128 worst_tree(const covey_sabre_worst *w, const uint32_t *rows, int64_t size)
{
    const covey_sabre_ground *g = w->ground;
    covey_i128 sum = 0;
    size_t j = w->n_buckets;

    for (uint32_t v = g->n_nodes; v-- > 0;) { /* pre-order backwards; the buckets come by, too */
        const covey_i128 up = w->surplus[v] - w->deficit[v];

        if (j > 0 && w->node[j - 1] == v) {
            const covey_i128 own = (covey_i128)rows[--j] * g->closeness.prior->total;

            sum += worst_below(w, v, own, size);
            rise(w, v, own - (covey_i128)g->node_rows[v] * size);
        } else if (w->surplus[v] > 0 || w->deficit[v] > 0) {
            sum += (w->surplus[v] < w->deficit[v] ? w->surplus[v] : w->deficit[v]) * g->node[v].height;
            rise(w, v, up);
        }
        w->surplus[v] = w->deficit[v] = 0;
    }
    return sum;
}

covey_fraction covey_i_sabre_worst_distance(covey_sabre_worst *w, const uint32_t *rows, int64_t size)
{
    const covey_closeness *c = &w->ground->closeness;
    const covey_i128 whole = (covey_i128)c->prior->total * size * (covey_i128)c->den;

    if (c->ground == COVEY_GROUND_EQUAL)
        return (covey_fraction){worst_equal(w, rows, size), 2 * whole};
    return (covey_fraction){c->ground == COVEY_GROUND_LINE ? worst_line(w, rows, size) : worst_tree(w, rows, size),
                            whole};
}
