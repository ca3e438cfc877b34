/* Largest matchings of row types and value kinds. */
#include "query/matching.h"

#include <string.h>

#include "base/error.h"

#define NONE UINT32_MAX
static const size_t MOST_FLOW = (size_t)1 << 22; /* pairs of a type and a kind: 32 MiB */

covey_status covey_i_matching_make(covey_matching *out, uint32_t most_kinds, covey_arena *arena, covey_error *err)
{
    const uint32_t most = COVEY_MATCHING_MOST_TYPES;

    *out = (covey_matching){.accepts = covey_arena_array(arena, uint64_t, most),
                            .n_rows = covey_arena_array(arena, int64_t, most),
                            .holds = covey_arena_array(arena, uint64_t, most_kinds),
                            .n_values = covey_arena_array(arena, int64_t, most_kinds),
                            .supply = covey_arena_array(arena, int64_t, most),
                            .room = covey_arena_array(arena, int64_t, most_kinds),
                            .queue = covey_arena_array(arena, uint32_t, (size_t)most + most_kinds),
                            .came_from = covey_arena_array(arena, uint32_t, (size_t)most + most_kinds),
                            .arena = arena};
    if (!out->accepts || !out->n_rows || !out->holds || !out->n_values || !out->supply || !out->room || !out->queue ||
        !out->came_from)
        return covey_i_no_memory(err);
    return COVEY_OK;
}

uint32_t covey_i_matching_type(covey_matching *m, uint64_t accepts)
{
    for (uint32_t t = m->n_types; t-- > 0;)
        if (m->accepts[t] == accepts)
            return t;
    if (m->n_types == COVEY_MATCHING_MOST_TYPES)
        return COVEY_MATCHING_MOST_TYPES;
    m->accepts[m->n_types] = accepts;
    m->n_rows[m->n_types] = 0;
    return m->n_types++;
}

/* One more path from rows that have no value to values that have no row: breadth first, types are nodes 0 .. n_types-1,
 * kinds lie behind. */
static bool find_path(covey_matching *m, uint32_t *last, uint64_t flip)
{
    uint32_t head = 0, tail = 0, n = m->n_types;

    for (uint32_t i = 0; i < n + m->n_kinds; i++)
        m->came_from[i] = NONE;
    for (uint32_t t = 0; t < n; t++)
        if (m->supply[t] > 0) {
            m->came_from[t] = t;
            m->queue[tail++] = t;
        }
    while (head < tail) {
        uint32_t node = m->queue[head++];

        if (node >= n && m->room[node - n] > 0) {
            *last = node;
            return true;
        }
        for (uint32_t i = 0; i < (node < n ? m->n_kinds : n); i++) {
            uint32_t to = node < n ? n + i : i;
            bool open = node < n ? ((m->accepts[node] ^ flip) & m->holds[i]) != 0
                                 : m->flow[(size_t)i * m->n_kinds + (node - n)] > 0;

            if (open && m->came_from[to] == NONE) {
                m->came_from[to] = node;
                m->queue[tail++] = to;
            }
        }
    }
    return false;
}

static int64_t push(covey_matching *m, uint32_t last)
{
    uint32_t n = m->n_types, node;
    int64_t most = m->room[last - n];

    for (node = last; m->came_from[node] != node; node = m->came_from[node])
        if (node < n) { /* back over an edge: from this type's flow to the kind before */
            int64_t flow = m->flow[(size_t)node * m->n_kinds + (m->came_from[node] - n)];

            most = flow < most ? flow : most;
        }
    most = m->supply[node] < most ? m->supply[node] : most;
    m->supply[node] -= most;
    m->room[last - n] -= most;
    for (node = last; m->came_from[node] != node; node = m->came_from[node]) {
        uint32_t before = m->came_from[node];

        if (node < n)
            m->flow[(size_t)node * m->n_kinds + (before - n)] -= most;
        else
            m->flow[(size_t)before * m->n_kinds + (node - n)] += most;
    }
    return most;
}

static int64_t match_one_type(const covey_matching *m, uint64_t flip)
{
    int64_t fitting = 0;

    for (uint32_t i = 0; i < m->n_kinds; i++)
        fitting += (m->accepts[0] ^ flip) & m->holds[i] ? m->n_values[i] : 0;
    return fitting < m->n_rows[0] ? fitting : m->n_rows[0];
}

covey_status covey_i_matching_largest(int64_t *out, covey_matching *m, uint64_t flip, covey_error *err)
{
    const size_t n_flow = (size_t)m->n_types * m->n_kinds;
    uint32_t last;

    *out = 0;
    if (n_flow == 0)
        return COVEY_OK;
    if (m->n_types == 1) {
        *out = match_one_type(m, flip);
        return COVEY_OK;
    }
    if (n_flow > MOST_FLOW)
        return covey_fail(
            err, COVEY_EINVAL,
            "query: the condition links rows and sensitive values of one group in too many ways; ask a simpler one");
    if (n_flow > m->n_flow) {
        m->n_flow = 2 * n_flow < MOST_FLOW ? 2 * n_flow : MOST_FLOW;
        if (!(m->flow = covey_arena_array(m->arena, int64_t, m->n_flow)))
            return covey_i_no_memory(err);
    }
    memcpy(m->supply, m->n_rows, m->n_types * sizeof *m->supply);
    memcpy(m->room, m->n_values, m->n_kinds * sizeof *m->room);
    memset(m->flow, 0, n_flow * sizeof *m->flow);
    while (find_path(m, &last, flip))
        *out += push(m, last);
    return COVEY_OK;
}
