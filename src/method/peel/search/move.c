/* The best that can be done with one row: move it to another class, or exchange it for a row of another class. */
#include "method/peel/search/search.h"
#include "method/peel/search/trie.h"

#include <string.h>

enum { MOST_EXCHANGED = 64 }; /* rows of a class whose every row is tried: in a larger one a row hardly matters */

/* What is known about the row that goes. */
struct mover {
    covey_peel *p;
    uint32_t row, home;
    const uint32_t *codes;
    uint32_t *low, *high;  /* [width] of its class without it */
    int64_t relief;        /* what its class costs less without it, the row included */
    int64_t most_exchange; /* what an exchange can save at home, at most */
    bool can_leave, exchange;
    int64_t best;
    uint32_t class, other;
};

static void try_exchange(struct mover *m, uint32_t c, uint32_t other, int64_t loss_with)
{
    covey_peel *p = m->p;
    const covey_peel_table *t = p->t;
    const covey_peel_class *home = &p->class[m->home], *class = &p->class[c];
    const uint32_t *codes = covey_i_peel_codes(t, other);
    const int64_t more = class->n * (loss_with - class->loss);
    const int64_t gain_home = home->n * (home->loss - covey_i_peel_hull_of(t, m->low, m->high, codes, codes));
    int64_t loss = 0, gain;

    /* [derived] loss(C + r) <= loss(C - s + r) + loss(C) on every axis, as these two sets overlap; so this bounds the
     * gain. */
    if (gain_home - more + class->n * class->loss <= m->best && class->n > 1)
        return;
    if (class->n > 1) {
        const uint32_t *without = covey_i_peel_box_without(p, other);

        loss = covey_i_peel_hull_of(t, without, without + t->width, m->codes, m->codes);
    }
    gain = gain_home + class->n * (class->loss - loss);
    if (gain > m->best &&
        ((t->n_judged == 0 && (t->kind[m->row] == t->kind[other] || t->size_only)) ||
         (covey_i_peel_admits(p, m->home, m->row, other) && covey_i_peel_admits(p, c, other, m->row)))) {
        m->best = gain;
        m->class = c;
        m->other = other;
    }
}

static void try_class(struct mover *m, uint32_t c)
{
    covey_peel *p = m->p;
    const covey_peel_class *class = &p->class[c];
    const int64_t loss_with = covey_i_peel_class_loss_with(p, c, m->codes), more = class->n * (loss_with - class->loss);

    if (m->can_leave && m->relief - more - loss_with > m->best && covey_i_peel_admits(p, c, COVEY_PEEL_NONE, m->row)) {
        m->best = m->relief - more - loss_with;
        m->class = c;
        m->other = COVEY_PEEL_NONE;
    }
    if (!m->exchange || m->most_exchange - more <= m->best || class->n > MOST_EXCHANGED)
        return;
    for (uint32_t s = class->first; s != COVEY_PEEL_NONE; s = p->next[s])
        try_exchange(m, c, s, loss_with);
    p->work += class->n;
}

/* All classes that the index does not rule out: nothing gains more than bound. */
static void try_classes(struct mover *m, int64_t bound)
{
    covey_peel *p = m->p;
    const covey_peel_trie *x = p->index;
    const int64_t n = m->exchange ? 0 : 1; /* in an exchange the row need not make the class larger */
    covey_peel_walk walk;

    covey_i_peel_walk_begin(&walk, p, x, m->codes, m->codes, n);
    while (covey_i_peel_walk_next(&walk, bound - m->best)) {
        walk.work += walk.last - walk.first;
        for (uint32_t i = walk.first; i < walk.last; i++) {
            const uint32_t c = x->entry[i];
            const covey_peel_class *class = &p->class[c];

            if (c != m->home && class->n > 0 && (class->n + n) * walk.found + n * class->loss < bound - m->best &&
                (class->n + n) * (walk.found + covey_i_peel_more_off_index(p, c, m->codes, m->codes)) +
                        n * class->loss <
                    bound - m->best)
                try_class(m, c);
        }
    }
    p->work += walk.work;
}

int64_t covey_i_peel_best_move(covey_peel *p, uint32_t *class, uint32_t *other, uint32_t row, bool exchange,
                               int64_t least)
{
    const covey_peel_class *home = &p->class[p->class_of[row]];
    const size_t width = p->t->width;
    const uint32_t *without = home->n > 1 ? covey_i_peel_box_without(p, row) : NULL;
    const int64_t loss_without = without ? covey_i_peel_box_loss(p->t, without, without + width) : 0;
    struct mover m = {
        .p = p,
        .row = row,
        .home = p->class_of[row],
        .codes = covey_i_peel_codes(p->t, row),
        .low = p->hull,
        .high = p->hull + width,
        .relief = home->n * home->loss - (int64_t)(home->n - 1) * loss_without,
        .most_exchange = home->n * (home->loss - loss_without),
        .can_leave = covey_i_peel_can_lose(p, row),
        .exchange = exchange && home->n > 1,
        .best = least,
        .class = COVEY_PEEL_NONE,
    };

    *class = *other = COVEY_PEEL_NONE;
    if (!m.can_leave && (!m.exchange || loss_without == home->loss))
        return 0;
    if (m.exchange)
        memcpy(m.low, without, 2 * width * sizeof *m.low);
    try_classes(&m, m.can_leave && m.relief > m.most_exchange ? m.relief : m.most_exchange);
    *class = m.class;
    *other = m.other;
    return m.best;
}
