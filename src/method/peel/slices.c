/* A class whose items differ on one axis only, whose ranges promises judge, is cut into the slices that lose least
 * together: of all ways to cut it, not of halves at a time.  A slice that could be cut again is no better than its
 * parts, so that few end at each code. */
#include "method/peel/cutter.h"

#include "base/alloc.h"
#include "base/error.h"

enum { MOST_TRIED = 1 << 24 }; /* slices; where there are more, the class is halved first */

struct slicer {
    const covey_peel_axis *axis;
    const uint32_t *reach;
    int64_t min_size, closed_loss, n_tried;
    uint32_t n, *code; /* [n] the codes that occur, ascending */
    int64_t *before;   /* [n + 1] rows with lower ones */
    uint32_t *first;   /* [n] the slices worth a look that end at each begin from here ... */
    uint32_t *end;     /* [n] ... to before here; the one that begins last is the shortest */
    int64_t *cost;     /* [n + 1] of the best slices of all codes before each; COVEY_PEEL_FAR: there are none */
    uint32_t *from;    /* [n + 1] where the last of these begins */
};

static bool slice_holds(const struct slicer *s, uint32_t from, uint32_t to)
{
    return s->before[to + 1] - s->before[from] >= s->min_size && s->code[to] >= s->reach[s->code[from]];
}

static void find_beginnings(struct slicer *s)
{
    uint32_t end = 0;

    for (uint32_t to = 0; to < s->n; to++) {
        while (end <= to && slice_holds(s, end, to))
            end++;
        s->end[to] = end;
        s->first[to] = end > 1 ? s->end[end - 2] : 0;
        s->n_tried += end - s->first[to];
    }
}

static void find_slices(struct slicer *s)
{
    s->cost[0] = 0;
    for (uint32_t to = 0; to < s->n; to++) {
        s->cost[to + 1] = COVEY_PEEL_FAR;
        for (uint32_t from = s->end[to]; from-- > s->first[to];) {
            const int64_t n = s->before[to + 1] - s->before[from],
                          loss = s->closed_loss + covey_i_peel_loss(s->axis, s->code[from], s->code[to]);

            if (s->cost[from] + n * loss < s->cost[to + 1]) {
                s->cost[to + 1] = s->cost[from] + n * loss;
                s->from[to + 1] = from;
            }
        }
    }
}

/* The cut between the slices in the middle: those of both halves are the same again. */
static void cut_in_the_middle(covey_peel_cut_place *best, const covey_peel_cutter *k, const struct slicer *s)
{
    uint32_t n = 0, at;

    for (at = s->n; at > 0; at = s->from[at])
        n++;
    for (at = s->n; n > 1; n -= 2)
        at = s->from[at];
    if (at > 0 && at < s->n && s->cost[s->n] < best->cost)
        *best = (covey_peel_cut_place){s->cost[s->n], s->cost[s->n], k->open[0], s->code[at - 1]};
}

static const covey_peel_judged *judged_axis(const covey_peel_cutter *k)
{
    const covey_peel_table *t = k->p->t;

    for (size_t i = 0; i < t->n_judged && k->n_open == 1 && t->size_only; i++)
        if (t->judged[i].axis == k->open[0])
            return &t->judged[i];
    return NULL;
}

covey_status covey_i_peel_slice(bool *is_sliced, covey_peel_cut_place *best, covey_peel_cutter *k, covey_error *err)
{
    const covey_peel_judged *judged = judged_axis(k);
    struct slicer s = {.min_size = k->p->t->min_size, .closed_loss = k->closed_loss};
    covey_arena arena = COVEY_ARENA_INIT;

    *is_sliced = false;
    if (!judged)
        return COVEY_OK;
    covey_i_peel_order_by(k, 0);
    s.axis = &k->p->t->axis[judged->axis];
    s.reach = judged->reach;
    s.n = k->n_runs;
    s.code = covey_arena_array(&arena, uint32_t, s.n);
    s.before = covey_arena_array(&arena, int64_t, s.n + 1);
    s.first = covey_arena_array(&arena, uint32_t, s.n);
    s.end = covey_arena_array(&arena, uint32_t, s.n);
    s.cost = covey_arena_array(&arena, int64_t, s.n + 1);
    s.from = covey_arena_array(&arena, uint32_t, s.n + 1);
    if (!s.code || !s.before || !s.first || !s.end || !s.cost || !s.from) {
        covey_arena_free(&arena);
        return covey_i_no_memory(err);
    }
    s.before[0] = 0;
    for (uint32_t run = 0; run < s.n; run++) {
        s.code[run] = covey_i_peel_codes(k->p->t, k->lots[k->order[k->begin[run]]])[judged->axis];
        s.before[run + 1] = s.before[run];
        for (uint32_t i = k->begin[run]; i < k->begin[run + 1]; i++)
            s.before[run + 1] += covey_i_peel_item_size(k, k->order[i]);
    }
    find_beginnings(&s);
    if (s.n_tried <= MOST_TRIED) {
        find_slices(&s);
        cut_in_the_middle(best, k, &s);
        *is_sliced = true;
    }
    covey_arena_free(&arena);
    return COVEY_OK;
}
