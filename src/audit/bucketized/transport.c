/* The transportation problem, by augmenting paths. */
#include "audit/bucketized/transport.h"

#include <string.h>

#include "base/error.h"

struct search {
    covey_transport *t;
    size_t *first;     /* [n_sources + 1] edges of each source */
    size_t *in_first;  /* [n_sinks + 1] into in_edge */
    size_t *in_edge;   /* [n_edges] edges into each sink */
    size_t *sink_by;   /* [n_sinks] edge by which it was reached */
    size_t *source_by; /* [n_sources] edge by which it was reached backwards; SIZE_MAX: where the search began */
    bool *sink_seen, *source_seen;
    uint32_t *queue; /* [n_sources] */
    uint32_t *found; /* [n_sinks] reached sinks that want more */
    uint32_t n_found;
};

static covey_status start(struct search *s, covey_transport *t, covey_arena *arena, covey_error *err)
{
    *s = (struct search){
        .t = t,
        .first = covey_arena_array_zero(arena, size_t, (size_t)t->n_sources + 1),
        .in_first = covey_arena_array_zero(arena, size_t, (size_t)t->n_sinks + 1),
        .in_edge = covey_arena_array(arena, size_t, t->n_edges),
        .sink_by = covey_arena_array(arena, size_t, t->n_sinks),
        .source_by = covey_arena_array(arena, size_t, t->n_sources),
        .sink_seen = covey_arena_array(arena, bool, t->n_sinks),
        .source_seen = covey_arena_array(arena, bool, t->n_sources),
        .queue = covey_arena_array(arena, uint32_t, t->n_sources),
        .found = covey_arena_array(arena, uint32_t, t->n_sinks),
    };
    if (!s->first || !s->in_first || !s->in_edge || !s->sink_by || !s->source_by || !s->sink_seen || !s->source_seen ||
        !s->queue || !s->found)
        return covey_i_no_memory(err);
    for (size_t e = 0; e < t->n_edges; e++) {
        s->first[t->edge[e].from + 1]++;
        s->in_first[t->edge[e].to + 1]++;
    }
    for (uint32_t i = 0; i < t->n_sources; i++)
        s->first[i + 1] += s->first[i];
    for (uint32_t i = 0; i < t->n_sinks; i++) {
        s->in_first[i + 1] += s->in_first[i];
        s->sink_by[i] = s->in_first[i]; /* where the next edge goes, for now */
    }
    for (size_t e = 0; e < t->n_edges; e++)
        s->in_edge[s->sink_by[t->edge[e].to]++] = e;
    return COVEY_OK;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void send(covey_transport *t, covey_transport_edge *edge, int64_t amount)
{
    edge->flow += amount;
    t->supply[edge->from] -= amount;
    t->demand[edge->to] -= amount;
}

/* What the edges must carry, then what fits without looking further. */
static bool send_greedily(covey_transport *t)
{
    bool fits = true;

    for (size_t e = 0; e < t->n_edges; e++) {
        t->edge[e].flow = 0;
        fits &= t->edge[e].low <= t->edge[e].high;
        send(t, &t->edge[e], t->edge[e].low);
    }
    for (uint32_t i = 0; i < t->n_sources; i++)
        fits &= t->supply[i] >= 0;
    for (uint32_t i = 0; i < t->n_sinks; i++)
        fits &= t->demand[i] >= 0;
    for (size_t e = 0; e < t->n_edges && fits; e++) {
        covey_transport_edge *edge = &t->edge[e];

        send(t, edge, least(edge->high - edge->flow, least(t->supply[edge->from], t->demand[edge->to])));
    }
    return fits;
}

/* One search from all sources that have something left. */
static void find_paths(struct search *s)
{
    covey_transport *t = s->t;
    uint32_t n_queue = 0;

    memset(s->sink_seen, 0, t->n_sinks * sizeof *s->sink_seen);
    memset(s->source_seen, 0, t->n_sources * sizeof *s->source_seen);
    s->n_found = 0;
    for (uint32_t i = 0; i < t->n_sources; i++)
        if (t->supply[i] > 0) {
            s->source_seen[i] = true;
            s->source_by[i] = SIZE_MAX;
            s->queue[n_queue++] = i;
        }
    for (uint32_t at = 0; at < n_queue; at++)
        for (size_t e = s->first[s->queue[at]]; e < s->first[s->queue[at] + 1]; e++) {
            const uint32_t sink = t->edge[e].to;

            if (s->sink_seen[sink] || t->edge[e].flow == t->edge[e].high)
                continue;
            s->sink_seen[sink] = true;
            s->sink_by[sink] = e;
            if (t->demand[sink] > 0)
                s->found[s->n_found++] = sink;
            for (size_t i = s->in_first[sink]; i < s->in_first[sink + 1]; i++) {
                const covey_transport_edge *back = &t->edge[s->in_edge[i]];

                if (s->source_seen[back->from] || back->flow == back->low)
                    continue;
                s->source_seen[back->from] = true;
                s->source_by[back->from] = s->in_edge[i];
                s->queue[n_queue++] = back->from;
            }
        }
}

/* Sends as much as fits along the path to a sink: nothing, if another path has used it up. */
static void send_along(struct search *s, uint32_t sink)
{
    covey_transport *t = s->t;
    int64_t amount = t->demand[sink];
    uint32_t source = 0;

    for (uint32_t at = sink;; at = t->edge[s->source_by[source]].to) {
        const covey_transport_edge *edge = &t->edge[s->sink_by[at]];

        source = edge->from;
        amount = least(amount, edge->high - edge->flow);
        if (s->source_by[source] == SIZE_MAX)
            break;
        amount = least(amount, t->edge[s->source_by[source]].flow - t->edge[s->source_by[source]].low);
    }
    amount = least(amount, t->supply[source]);
    if (amount == 0)
        return;
    for (uint32_t at = sink;; at = t->edge[s->source_by[source]].to) {
        source = t->edge[s->sink_by[at]].from;
        send(t, &t->edge[s->sink_by[at]], amount);
        if (s->source_by[source] == SIZE_MAX)
            return;
        send(t, &t->edge[s->source_by[source]], -amount);
    }
}

static int64_t left_over(const covey_transport *t)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < t->n_sources; i++)
        sum += t->supply[i];
    for (uint32_t i = 0; i < t->n_sinks; i++)
        sum += t->demand[i];
    return sum;
}

covey_status covey_i_transport(bool *possible, covey_transport *t, covey_arena *arena, covey_error *err)
{
    struct search s = {.t = t};

    *possible = false;
    if (!send_greedily(t))
        return COVEY_OK;
    if (left_over(t) > 0)
        COVEY_TRY(start(&s, t, arena, err));
    while (left_over(t) > 0) {
        find_paths(&s);
        if (s.n_found == 0)
            return COVEY_OK;
        for (uint32_t i = 0; i < s.n_found; i++)
            send_along(&s, s.found[i]);
    }
    *possible = true;
    return COVEY_OK;
}
