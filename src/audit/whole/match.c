/* Units of one row each: how many of a type go to what a class needs of their kind is a flow, and a whole one is found
 * wherever there is one.  Source: [Dinic70]. */
#include <string.h>

#include "audit/whole/equations.h"
#include "base/error.h"

enum { NOWHERE = UINT32_MAX };

struct matching {
    covey_whole_equations *e;
    uint32_t n_arcs, n_nodes;             /* nodes: the equations of the part */
    uint32_t *arc;                        /* [n_arcs] unknown */
    uint32_t *from, *to;                  /* [n_arcs] node of the type, node of the need */
    int64_t *flow;                        /* [n_arcs] */
    int64_t *rest;                        /* [n_nodes] of the sum */
    bool *is_type;                        /* [n_nodes] */
    uint32_t *first, *out;                /* [n_nodes + 1] arcs at each node */
    uint32_t *level, *next, *queue, *way; /* [n_nodes] */
};

static int64_t room_of(const struct matching *m, uint32_t arc)
{
    return (int64_t)m->e->high[m->arc[arc]] - m->e->low[m->arc[arc]];
}

/* Open unknowns are all of units of one row: they stand between the first of their equations and the last. */
static covey_status make_arcs(struct matching *m, const uint32_t *equation, uint32_t n, covey_arena *arena,
                              covey_error *err)
{
    covey_whole_equations *e = m->e;
    uint32_t *node_of = e->scratch, n_arcs = 0;

    for (uint32_t i = 0; i < n; i++)
        n_arcs += e->first_use[equation[i] + 1] - e->first_use[equation[i]];
    m->n_nodes = n;
    m->arc = covey_arena_array(arena, uint32_t, n_arcs);
    m->from = covey_arena_array(arena, uint32_t, n_arcs);
    m->to = covey_arena_array(arena, uint32_t, n_arcs);
    m->flow = covey_arena_array_zero(arena, int64_t, n_arcs);
    m->rest = covey_arena_array(arena, int64_t, n);
    m->is_type = covey_arena_array_zero(arena, bool, n);
    m->first = covey_arena_array_zero(arena, uint32_t, (size_t)n + 1);
    m->out = covey_arena_array(arena, uint32_t, 2 * (size_t)n_arcs);
    m->level = covey_arena_array(arena, uint32_t, n);
    m->next = covey_arena_array(arena, uint32_t, n);
    m->queue = covey_arena_array(arena, uint32_t, n);
    m->way = covey_arena_array(arena, uint32_t, n);
    if (!m->arc || !m->from || !m->to || !m->flow || !m->rest || !m->is_type || !m->first || !m->out || !m->level ||
        !m->next || !m->queue || !m->way)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        node_of[equation[i]] = i;
        m->rest[i] = e->sum[equation[i]] - e->least[equation[i]];
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = e->first_use[equation[i]]; j < e->first_use[equation[i] + 1]; j++) {
            const uint32_t x = e->use[j].other;

            if (!covey_i_whole_is_open(e, x) || e->term[e->first_term[x]].other != equation[i])
                continue;
            m->arc[m->n_arcs] = x;
            m->from[m->n_arcs] = i;
            m->to[m->n_arcs++] = node_of[e->term[e->first_term[x + 1] - 1].other];
            m->is_type[i] = true;
        }
    return COVEY_OK;
}

static void sort_arcs(struct matching *m)
{
    for (uint32_t i = 0; i < m->n_arcs; i++) {
        m->first[m->from[i] + 1]++;
        m->first[m->to[i] + 1]++;
    }
    for (uint32_t i = 0; i < m->n_nodes; i++) {
        m->first[i + 1] += m->first[i];
        m->next[i] = m->first[i];
    }
    for (uint32_t i = 0; i < m->n_arcs; i++) {
        m->out[m->next[m->from[i]]++] = i;
        m->out[m->next[m->to[i]]++] = i;
    }
}

/* The other end, if a unit more can go along: to the need, or back from it. */
static uint32_t go(const struct matching *m, uint32_t node, uint32_t arc)
{
    if (m->is_type[node])
        return m->flow[arc] < room_of(m, arc) ? m->to[arc] : NOWHERE;
    return m->flow[arc] > 0 ? m->from[arc] : NOWHERE;
}

static bool find_levels(struct matching *m)
{
    uint32_t n = 0;
    bool found = false;

    for (uint32_t i = 0; i < m->n_nodes; i++) {
        m->level[i] = m->is_type[i] && m->rest[i] > 0 ? 0 : NOWHERE;
        m->next[i] = m->first[i];
        if (m->level[i] == 0)
            m->queue[n++] = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t node = m->queue[i];

        found |= !m->is_type[node] && m->rest[node] > 0;
        for (uint32_t j = m->first[node]; j < m->first[node + 1]; j++) {
            const uint32_t other = go(m, node, m->out[j]);

            if (other == NOWHERE || m->level[other] != NOWHERE)
                continue;
            m->level[other] = m->level[node] + 1;
            m->queue[n++] = other;
        }
    }
    return found;
}

static int64_t room_along(const struct matching *m, uint32_t node, uint32_t arc)
{
    return m->is_type[node] ? room_of(m, arc) - m->flow[arc] : m->flow[arc];
}

/* Along the way from root to a need that still lacks units. */
static void augment(struct matching *m, uint32_t root, uint32_t depth, uint32_t end)
{
    int64_t amount = m->rest[root] < m->rest[end] ? m->rest[root] : m->rest[end];

    for (uint32_t i = 0, node = root; i < depth; i++) {
        const int64_t room = room_along(m, node, m->way[i]);

        amount = room < amount ? room : amount;
        node = m->is_type[node] ? m->to[m->way[i]] : m->from[m->way[i]];
    }
    for (uint32_t i = 0, node = root; i < depth; i++) {
        const bool is_forward = m->is_type[node];

        m->flow[m->way[i]] += is_forward ? amount : -amount;
        node = is_forward ? m->to[m->way[i]] : m->from[m->way[i]];
    }
    m->rest[root] -= amount;
    m->rest[end] -= amount;
}

/* Uses up the ways from a type: in depth, and what led nowhere once is not tried again. */
static void satisfy(struct matching *m, uint32_t root)
{
    uint32_t depth = 0, node = root;

    while (m->rest[root] > 0) {
        uint32_t other = NOWHERE;

        if (!m->is_type[node] && m->rest[node] > 0) {
            augment(m, root, depth, node);
            depth = 0;
            node = root;
            continue;
        }
        for (; m->next[node] < m->first[node + 1]; m->next[node]++) {
            other = go(m, node, m->out[m->next[node]]);
            if (other != NOWHERE && m->level[other] == m->level[node] + 1)
                break;
            other = NOWHERE;
        }
        if (other != NOWHERE) {
            m->way[depth++] = m->out[m->next[node]];
            node = other;
        } else if (depth == 0) {
            return;
        } else {
            const uint32_t arc = m->way[--depth];

            node = m->is_type[node] ? m->to[arc] : m->from[arc];
            m->next[node]++;
        }
    }
}

static void deal(struct matching *m)
{
    while (find_levels(m)) {
        m->e->work -= m->n_arcs;
        for (uint32_t i = 0; i < m->n_nodes; i++)
            if (m->level[i] == 0)
                satisfy(m, i);
    }
}

covey_status covey_i_whole_match(bool *out, uint32_t *at_fault, covey_whole_equations *e, const uint32_t *equation,
                                 uint32_t n, covey_arena *arena, covey_error *err)
{
    struct matching m = {.e = e};

    COVEY_TRY(make_arcs(&m, equation, n, arena, err));
    sort_arcs(&m);
    deal(&m);
    for (uint32_t i = 0; i < m.n_arcs; i++) {
        const uint32_t value = e->low[m.arc[i]] + (uint32_t)m.flow[i];

        covey_i_whole_narrow(e, m.arc[i], value, value);
    }
    *at_fault = covey_i_whole_propagate(e);
    *out = *at_fault == UINT32_MAX;
    return e->is_short ? covey_i_no_memory(err) : COVEY_OK;
}
