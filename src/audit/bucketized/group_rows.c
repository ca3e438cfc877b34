/* Can each group of a bucketized release be a set of original rows?
 *
 * A group says which contents it has (quasi-identifiers and insensitive values) and which sensitive values, but not
 * which belong together; the original does.  Let N(x, s) be its rows with content x and value s.  A release is an image
 * of it if numbers y(j, x, s) exist, rows of group j with x and s, that agree with the groups' two tables and add up to
 * N(x, s) over all groups.  Whether they do is the three-dimensional transportation problem, which is NP-hard
 * [IrvingJerrum94]; two necessary conditions are not, and where the contents of a group occur once each in the
 * original, they say exactly whether it is a set of its rows:
 *
 *   - all groups together can take all rows: the sum over j of the most that y(j, x, s) can be is at least N(x, s);
 *   - each group alone, between the bounds that the others leave it, is solvable: a transportation problem.
 *
 * Suppressed rows are one more group: what its contents and values are follows by subtraction. */
#include "audit/bucketized/group_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "audit/bucketized/transport.h"
#include "base/error.h"

/* One content of a group, or one value of it. */
struct share {
    uint32_t id;
    int64_t n; /* rows */
};

/* Rows of the original with one content and one value. */
struct pair {
    uint32_t value;
    int64_t n;
    int64_t room; /* the most that all groups together can take */
};

struct grouping {
    const covey_group_rows *in;
    covey_problems *problems;
    uint32_t n_contents;
    uint32_t *first; /* [n_contents + 1] into pair */
    struct pair *pair;
    uint32_t n_groups;     /* with that of the suppressed rows, if there are any */
    struct share *content; /* [most rows of a group] of the group at hand */
    struct share *value;
    uint32_t n_content, n_value;
    covey_transport flow; /* of the group at hand */
    size_t capacity;      /* edges that have room */
    uint32_t *pair_of_edge;
    covey_arena arena, scratch;
};

/* --- the original --- */

static covey_status make_pairs(struct grouping *g, covey_error *err)
{
    const covey_group_rows *in = g->in;
    covey_key_side *from = in->from;
    const uint64_t n_values = in->n_values;
    uint32_t n = 0;

    g->n_contents = in->n_contents;
    g->first = covey_arena_array_zero(&g->arena, uint32_t, (size_t)g->n_contents + 1);
    g->pair = covey_arena_array(&g->arena, struct pair, from->n_rows);
    if (!g->first || !g->pair)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < from->n_rows; row++)
        from->key[row] = from->key[row] * n_values + in->value_of_row[row];
    covey_i_content_sort(from);
    for (uint32_t i = 0; i < from->n_rows; i++) {
        const uint64_t key = from->key[from->row[i]];

        if (i == 0 || from->key[from->row[i - 1]] != key) {
            g->pair[n++] = (struct pair){(uint32_t)(key % n_values), 0, 0};
            g->first[key / n_values + 1]++;
        }
        g->pair[n - 1].n++;
    }
    for (uint32_t x = 0; x < g->n_contents; x++)
        g->first[x + 1] += g->first[x];
    for (uint32_t row = 0; row < from->n_rows; row++) /* as they were */
        from->key[row] /= n_values;
    return COVEY_OK;
}

/* --- the group at hand --- */

static int compare_shares(const void *a, const void *b)
{
    const struct share *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

/* Sorts and joins equal ones. */
static uint32_t join(struct share *share, uint32_t n)
{
    uint32_t kept = 0;

    qsort(share, n, sizeof *share, compare_shares);
    for (uint32_t i = 0; i < n; i++)
        if (kept > 0 && share[kept - 1].id == share[i].id)
            share[kept - 1].n += share[i].n;
        else
            share[kept++] = share[i];
    return kept;
}

/* What no group has is what was suppressed. */
static void collect_rest(struct grouping *g)
{
    const covey_group_rows *in = g->in;

    g->n_content = g->n_value = 0;
    for (uint32_t x = 0; x < g->n_contents; x++)
        if (in->content_left[x] > 0)
            g->content[g->n_content++] = (struct share){x, in->content_left[x]};
    for (uint32_t v = 0; v < in->n_values; v++)
        if (in->value_left[v] > 0)
            g->value[g->n_value++] = (struct share){v, in->value_left[v]};
}

static void collect_group(struct grouping *g, uint32_t j)
{
    const covey_group_rows *in = g->in;
    const covey_opened_groups *groups = &in->opened->groups;

    if (j == in->opened->n_classes) {
        collect_rest(g);
        return;
    }
    g->n_content = g->n_value = 0;
    for (uint32_t row = in->opened->class_start[j]; row < in->opened->class_start[j + 1]; row++)
        g->content[g->n_content++] = (struct share){(uint32_t)in->published->key[row], 1};
    for (uint32_t e = groups->start[j]; e < groups->start[j + 1]; e++)
        g->value[g->n_value++] = (struct share){in->value_of_entry[e], covey_i_rows_of_entry(groups, e)};
    g->n_content = join(g->content, g->n_content);
    g->n_value = join(g->value, g->n_value);
}

static uint32_t find_share(const struct share *share, uint32_t n, uint32_t id)
{
    uint32_t low = 0, high = n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (share[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && share[low].id == id ? low : UINT32_MAX;
}

static uint32_t find_pair(const struct grouping *g, uint32_t x, uint32_t value)
{
    uint32_t low = g->first[x], high = g->first[x + 1];

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (g->pair[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->first[x + 1] && g->pair[low].value == value ? low : UINT32_MAX;
}

static covey_status add_edge(struct grouping *g, uint32_t from, uint32_t to, uint32_t pair, covey_error *err)
{
    covey_transport *flow = &g->flow;
    int64_t most = g->content[from].n < g->value[to].n ? g->content[from].n : g->value[to].n;

    if (flow->n_edges == g->capacity) {
        const size_t capacity = g->capacity ? g->capacity * 2 : 256;
        covey_transport_edge *edge = covey_arena_array(&g->arena, covey_transport_edge, capacity);
        uint32_t *pair_of_edge = covey_arena_array(&g->arena, uint32_t, capacity);

        if (!edge || !pair_of_edge)
            return covey_i_no_memory(err);
        if (flow->n_edges > 0) {
            memcpy(edge, flow->edge, flow->n_edges * sizeof *edge);
            memcpy(pair_of_edge, g->pair_of_edge, flow->n_edges * sizeof *pair_of_edge);
        }
        flow->edge = edge;
        g->pair_of_edge = pair_of_edge;
        g->capacity = capacity;
    }
    most = most < g->pair[pair].n ? most : g->pair[pair].n;
    g->pair_of_edge[flow->n_edges] = pair;
    flow->edge[flow->n_edges++] = (covey_transport_edge){from, to, 0, most, 0};
    return COVEY_OK;
}

/* An edge for every content and value of the group that the original has together; the shorter of two lists is looked
 * up in the longer. */
static covey_status make_edges(struct grouping *g, covey_error *err)
{
    g->flow.n_edges = 0;
    for (uint32_t c = 0; c < g->n_content; c++) {
        const uint32_t x = g->content[c].id, n_pairs = g->first[x + 1] - g->first[x];

        for (uint32_t i = 0; n_pairs <= g->n_value && i < n_pairs; i++) {
            const uint32_t to = find_share(g->value, g->n_value, g->pair[g->first[x] + i].value);

            if (to != UINT32_MAX)
                COVEY_TRY(add_edge(g, c, to, g->first[x] + i, err));
        }
        for (uint32_t to = 0; n_pairs > g->n_value && to < g->n_value; to++) {
            const uint32_t pair = find_pair(g, x, g->value[to].id);

            if (pair != UINT32_MAX)
                COVEY_TRY(add_edge(g, c, to, pair, err));
        }
    }
    return COVEY_OK;
}

/* --- the two conditions --- */

static covey_status find_room(struct grouping *g, covey_error *err)
{
    for (uint32_t j = 0; j < g->n_groups; j++) {
        collect_group(g, j);
        COVEY_TRY(make_edges(g, err));
        for (size_t e = 0; e < g->flow.n_edges; e++)
            g->pair[g->pair_of_edge[e]].room += g->flow.edge[e].high;
    }
    return COVEY_OK;
}

static bool all_rows_have_room(struct grouping *g)
{
    for (uint32_t p = 0; p < g->first[g->n_contents]; p++)
        if (g->pair[p].room < g->pair[p].n) {
            covey_i_problem(
                g->problems,
                "a row of the original fits into no group: no group has as many of its content and its value together");
            return false;
        }
    return true;
}

/* What the other groups cannot take is this one's. */
static void set_bounds(struct grouping *g)
{
    for (size_t e = 0; e < g->flow.n_edges; e++) {
        covey_transport_edge *edge = &g->flow.edge[e];
        const struct pair *pair = &g->pair[g->pair_of_edge[e]];
        const int64_t others = pair->room - edge->high;

        edge->low = pair->n > others ? pair->n - others : 0;
    }
}

static covey_status check_group(struct grouping *g, uint32_t j, covey_error *err)
{
    covey_arena_mark mark = covey_arena_save(&g->scratch);
    bool possible = false;

    collect_group(g, j);
    COVEY_TRY(make_edges(g, err));
    set_bounds(g);
    g->flow.n_sources = g->n_content;
    g->flow.n_sinks = g->n_value;
    g->flow.supply = covey_arena_array(&g->scratch, int64_t, g->n_content);
    g->flow.demand = covey_arena_array(&g->scratch, int64_t, g->n_value);
    if (!g->flow.supply || !g->flow.demand)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < g->n_content; i++)
        g->flow.supply[i] = g->content[i].n;
    for (uint32_t i = 0; i < g->n_value; i++)
        g->flow.demand[i] = g->value[i].n;
    COVEY_TRY(covey_i_transport(&possible, &g->flow, &g->scratch, err));
    if (!possible && j < g->in->opened->n_classes)
        covey_i_problem(g->problems,
                        "group %" PRIu32
                        ": no rows of the original have both what quasi.csv and what sensitive.csv say of it",
                        j + 1);
    else if (!possible)
        covey_i_problem(g->problems,
                        "the groups leave contents and values that no suppressed rows of the original have");
    covey_arena_rewind(&g->scratch, mark);
    return COVEY_OK;
}

static covey_status check_all(struct grouping *g, covey_error *err)
{
    const covey_opened *opened = g->in->opened;
    const bool has_rest = g->in->from->n_rows > opened->n_rows;
    uint32_t largest = has_rest ? g->in->from->n_rows : 0;

    g->n_groups = opened->n_classes + has_rest;
    for (uint32_t j = 0; j < opened->n_classes; j++)
        if (opened->class_start[j + 1] - opened->class_start[j] > largest)
            largest = opened->class_start[j + 1] - opened->class_start[j];
    g->content = covey_arena_array(&g->arena, struct share, largest);
    g->value = covey_arena_array(&g->arena, struct share, largest);
    if (!g->content || !g->value)
        return covey_i_no_memory(err);
    COVEY_TRY(make_pairs(g, err));
    COVEY_TRY(find_room(g, err));
    if (!all_rows_have_room(g))
        return COVEY_OK;
    for (uint32_t j = 0; j < g->n_groups; j++)
        COVEY_TRY(check_group(g, j, err));
    return COVEY_OK;
}

covey_status covey_i_group_rows_check(covey_problems *problems, const covey_group_rows *in, covey_error *err)
{
    struct grouping g = {.in = in, .problems = problems};
    const covey_status status = check_all(&g, err);

    covey_arena_free(&g.arena);
    covey_arena_free(&g.scratch);
    return status;
}
