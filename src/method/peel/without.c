/* The ranges of a class without one of its rows.  That is asked for one row after the other, so the codes next to its
 * ends are found once for all of them. */
#include "method/peel/partition.h"

/* The codes next to the ends of a class, on axes where a single row stands at one. */
static void find_inner(const covey_peel *p, uint32_t c)
{
    const size_t width = p->t->width;
    const uint32_t *low = covey_i_peel_box(p, c), *high = low + width, *n_low = high + width, *n_high = n_low + width;
    uint32_t *next_low = covey_i_peel_inner(p, c), *next_high = next_low + width;
    size_t n_axes = 0;

    for (size_t a = 0; a < p->t->n_axes; a++) {
        if (low[a] == high[a] || (n_low[a] > 1 && n_high[a] > 1))
            continue;
        p->axes[n_axes++] = (uint32_t)a;
        next_low[a] = high[a];
        next_high[a] = low[a];
    }
    p->class[c].has_inner = true;
    if (n_axes == 0)
        return;
    for (uint32_t lot = p->class[c].first; lot != COVEY_PEEL_NONE; lot = p->next[lot]) {
        const uint32_t *codes = covey_i_peel_codes(p->t, lot);

        for (size_t i = 0; i < n_axes; i++) {
            const uint32_t a = p->axes[i], code = codes[a];

            next_low[a] = code > low[a] && code < next_low[a] ? code : next_low[a];
            next_high[a] = code < high[a] && code > next_high[a] ? code : next_high[a];
        }
    }
}

/* Where a row is the only one at an end of its class: all bits of a lane or none. */
static covey_peel_lanes alone_at(const uint32_t *end, const uint32_t *n_at_end, const uint32_t *codes)
{
    const covey_peel_lanes one = (covey_peel_lanes){0} + 1;

    return (covey_i_peel_load(codes) == covey_i_peel_load(end)) & (covey_i_peel_load(n_at_end) == one);
}

const uint32_t *covey_i_peel_box_without(const covey_peel *p, uint32_t lot)
{
    const size_t width = p->t->width;
    const uint32_t c = p->class_of[lot], *codes = covey_i_peel_codes(p->t, lot), *box = covey_i_peel_box(p, c);
    const uint32_t *inner = covey_i_peel_inner(p, c);
    covey_peel_lanes alone = {0};
    bool is_alone = false;

    for (size_t a = 0; a < width; a += COVEY_PEEL_LANES)
        alone |= alone_at(box + a, box + 2 * width + a, codes + a) |
                 alone_at(box + width + a, box + 3 * width + a, codes + a);
    for (int i = 0; i < COVEY_PEEL_LANES; i++)
        is_alone |= alone[i] != 0;
    if (!is_alone)
        return box;
    if (!p->class[c].has_inner)
        find_inner(p, c);
    for (size_t end = 0; end < 2 * width; end += width)
        for (size_t a = end; a < end + width; a += COVEY_PEEL_LANES)
            covey_i_peel_store(p->ends + a,
                               covey_i_peel_choose(alone_at(box + a, box + 2 * width + a, codes + a - end),
                                                   covey_i_peel_load(inner + a), covey_i_peel_load(box + a)));
    return p->ends;
}
