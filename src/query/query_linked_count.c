/* How many rows satisfy a condition that speaks of the sensitive column, where rows and values of a group are linked in an unknown way.
 *
 * Rows of a group fall into types by the set of values that would make the condition true for them.  Over all links of rows and values the
 * largest count is a largest matching of rows and values that fit; the least is what is left after a largest matching of rows and values that do
 * not fit.  Groups are independent, so their bounds add up, and both are attained.  For one type of a rows and b fitting values in a group of
 * g that is [max(0, a + b - g), min(a, b)]: [anatomy.md section 8].
 *
 * Under random links the expected count is the sum of n_t b_t / g.  For two rows of types t and u (t = u allowed) both fit with probability
 * (b_t b_u - b_tu) / (g (g - 1)), b_tu the values that fit both, which gives the variance; for one type it is the hypergeometric
 * a b (g - a)(g - b) / (g^2 (g - 1)). */
#include "query/query_buckets.h"

#include <math.h>
#include <string.h>

enum { MOST_TYPES = 4096 };
static const uint32_t NONE = UINT32_MAX;

/* The group that is being looked at. */
struct group {
    uint32_t n_types, n_atoms;
    uint64_t *accepts;    /* [MOST_TYPES] which atoms fit; neither none nor all */
    int64_t *n_rows;      /* [MOST_TYPES] */
    int64_t *n_values;    /* [n_atoms] values of each atom */
    int64_t n_full, size; /* rows that every value fits; all rows */
    int64_t *supply, *room, *flow; /* [MOST_TYPES], [n_atoms], [MOST_TYPES * n_atoms] */
    uint32_t *queue, *came_from;   /* [MOST_TYPES + n_atoms] */
    size_t n_room;        /* types that flow has room for */
};

struct adding {
    const covey_query_buckets *buckets;
    const covey_row_scan *scan;
    const covey_condition_attribute *sensitive;
    struct group group;
    uint64_t all;         /* every atom */
    int64_t lower, upper;
    double expected, variance;
    covey_arena *arena;
};

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory for the rows of a query");
}

/* --- matching --- */

/* One more path from rows that have no value to values that have no row: breadth first, types are nodes 0 .. n_types-1, atoms lie behind. */
static bool find_path(struct group *g, uint32_t *last, uint64_t flip)
{
    uint32_t head = 0, tail = 0, n = g->n_types;

    for (uint32_t i = 0; i < n + g->n_atoms; i++)
        g->came_from[i] = NONE;
    for (uint32_t t = 0; t < n; t++)
        if (g->supply[t] > 0) {
            g->came_from[t] = t;
            g->queue[tail++] = t;
        }
    while (head < tail) {
        uint32_t node = g->queue[head++];

        if (node >= n && g->room[node - n] > 0) {
            *last = node;
            return true;
        }
        for (uint32_t i = 0; i < (node < n ? g->n_atoms : n); i++) {
            uint32_t to = node < n ? n + i : i;
            bool open = node < n ? (g->accepts[node] ^ flip) >> i & 1 : g->flow[(size_t)i * g->n_atoms + (node - n)] > 0;

            if (open && g->came_from[to] == NONE) {
                g->came_from[to] = node;
                g->queue[tail++] = to;
            }
        }
    }
    return false;
}

static int64_t push(struct group *g, uint32_t last)
{
    uint32_t n = g->n_types, node;
    int64_t most = g->room[last - n];

    for (node = last; g->came_from[node] != node; node = g->came_from[node])
        if (node < n) { /* back over an edge: from this type's flow to the atom before */
            int64_t flow = g->flow[(size_t)node * g->n_atoms + (g->came_from[node] - n)];

            most = flow < most ? flow : most;
        }
    most = g->supply[node] < most ? g->supply[node] : most;
    g->supply[node] -= most;
    g->room[last - n] -= most;
    for (node = last; g->came_from[node] != node; node = g->came_from[node]) {
        uint32_t before = g->came_from[node];

        if (node < n)
            g->flow[(size_t)node * g->n_atoms + (before - n)] -= most;
        else
            g->flow[(size_t)before * g->n_atoms + (node - n)] += most;
    }
    return most;
}

/* Most rows that can have a value that fits (flip 0) or that does not (flip: all atoms). */
static int64_t largest_matching(struct group *g, uint64_t flip)
{
    int64_t total = 0;
    uint32_t last;

    if (g->n_types == 1) {
        int64_t fitting = 0;

        for (uint32_t j = 0; j < g->n_atoms; j++)
            fitting += (g->accepts[0] ^ flip) >> j & 1 ? g->n_values[j] : 0;
        return fitting < g->n_rows[0] ? fitting : g->n_rows[0];
    }
    memcpy(g->supply, g->n_rows, g->n_types * sizeof *g->supply);
    memcpy(g->room, g->n_values, g->n_atoms * sizeof *g->room);
    memset(g->flow, 0, (size_t)g->n_types * g->n_atoms * sizeof *g->flow);
    while (find_path(g, &last, flip))
        total += push(g, last);
    return total;
}

/* --- estimates --- */

static double count_values(const struct group *g, uint64_t accepts)
{
    int64_t n = 0;

    for (uint32_t j = 0; j < g->n_atoms; j++)
        n += accepts >> j & 1 ? g->n_values[j] : 0;
    return (double)n;
}

static void add_estimate(struct adding *a)
{
    const struct group *g = &a->group;
    double size = (double)g->size, expected = 0, variance = 0;

    for (uint32_t t = 0; t < g->n_types; t++) {
        double n = (double)g->n_rows[t], b = count_values(g, g->accepts[t]);

        expected += n * b / size;
        variance += n * b * (size - b) / (size * size);
        for (uint32_t u = 0; u < g->n_types && size > 1; u++) {
            double pairs = u == t ? n * (n - 1) : n * (double)g->n_rows[u], c = count_values(g, g->accepts[u]);
            double both = count_values(g, g->accepts[t] & g->accepts[u]);

            variance += pairs * ((b * c - both) / (size * (size - 1)) - b * c / (size * size));
        }
    }
    a->expected += expected + (double)g->n_full;
    a->variance += variance > 0 ? variance : 0;
}

/* --- groups --- */

static covey_status close_group(struct adding *a, uint32_t group, covey_error *err)
{
    struct group *g = &a->group;
    const covey_query_buckets *b = a->buckets;
    int64_t n_partial = 0;

    g->size = (int64_t)b->row_start[group + 1] - b->row_start[group];
    if (g->n_types > 0) {
        memset(g->n_values, 0, g->n_atoms * sizeof *g->n_values);
        for (uint32_t e = b->entry_start[group]; e < b->entry_start[group + 1]; e++)
            g->n_values[a->sensitive->share[a->sensitive->start[b->cell[e]]].atom] += b->count[e];
    }
    if (g->n_types > 1 && g->n_types > g->n_room) {
        g->n_room = 2 * g->n_types;
        if (!(g->flow = covey_arena_array(a->arena, int64_t, g->n_room * g->n_atoms)))
            return no_memory(err);
    }
    for (uint32_t t = 0; t < g->n_types; t++)
        n_partial += g->n_rows[t];
    a->lower += g->n_full + (n_partial > 0 ? n_partial - largest_matching(g, a->all) : 0);
    a->upper += g->n_full + (n_partial > 0 ? largest_matching(g, 0) : 0);
    add_estimate(a);
    g->n_types = 0;
    g->n_full = 0;
    return COVEY_OK;
}

static covey_status add_row(struct adding *a, uint64_t accepts, covey_error *err)
{
    struct group *g = &a->group;

    if (accepts == 0)
        return COVEY_OK;
    if (accepts == a->all) {
        g->n_full++;
        return COVEY_OK;
    }
    for (uint32_t t = g->n_types; t-- > 0;)
        if (g->accepts[t] == accepts) {
            g->n_rows[t]++;
            return COVEY_OK;
        }
    if (g->n_types == MOST_TYPES)
        return covey_fail(err, COVEY_EINVAL, "query: the condition links \"%s\" to other columns in more than %d ways within one group; ask a simpler one",
                          a->sensitive->column->name, MOST_TYPES);
    g->accepts[g->n_types] = accepts;
    g->n_rows[g->n_types++] = 1;
    return COVEY_OK;
}

static covey_status add_rows(struct adding *a, const covey_query_rows *rows, covey_error *err)
{
    uint64_t accepts[COVEY_SCAN_BLOCK];
    uint32_t group = 0;

    for (uint32_t at = 0; at < rows->n; at += COVEY_SCAN_BLOCK) {
        uint32_t n = rows->n - at < COVEY_SCAN_BLOCK ? rows->n - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, a->scan, rows->row ? rows->row + at : NULL, at, n);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t row = rows->row ? rows->row[at + i] : at + i;

            if (row >= a->buckets->row_start[group + 1]) {
                COVEY_TRY(close_group(a, group, err));
                while (row >= a->buckets->row_start[group + 1])
                    group++;
            }
            COVEY_TRY(add_row(a, accepts[i], err));
        }
    }
    return rows->n > 0 ? close_group(a, group, err) : COVEY_OK;
}

covey_status covey_i_linked_count(covey_query_figures *out, const covey_query_buckets *buckets, const covey_row_scan *scan,
                                  const covey_query_rows *rows, covey_arena *arena, covey_error *err)
{
    const covey_condition_attribute *sensitive = &scan->condition->attribute[scan->sensitive];
    struct adding a = {.buckets = buckets, .scan = scan, .sensitive = sensitive, .arena = arena};
    struct group *g = &a.group;

    g->n_atoms = sensitive->n_atoms;
    a.all = g->n_atoms == 64 ? UINT64_MAX : (UINT64_C(1) << g->n_atoms) - 1;
    g->accepts = covey_arena_array(arena, uint64_t, MOST_TYPES);
    g->n_rows = covey_arena_array(arena, int64_t, MOST_TYPES);
    g->n_values = covey_arena_array(arena, int64_t, g->n_atoms);
    g->supply = covey_arena_array(arena, int64_t, MOST_TYPES);
    g->room = covey_arena_array(arena, int64_t, g->n_atoms);
    g->queue = covey_arena_array(arena, uint32_t, MOST_TYPES + g->n_atoms);
    g->came_from = covey_arena_array(arena, uint32_t, MOST_TYPES + g->n_atoms);
    if (!g->accepts || !g->n_rows || !g->n_values || !g->supply || !g->room || !g->queue || !g->came_from)
        return no_memory(err);
    COVEY_TRY(add_rows(&a, rows, err));
    *out = (covey_query_figures){{true, a.lower, 1}, {true, a.upper, 1}, a.expected, sqrt(a.variance), {0}};
    return COVEY_OK;
}
