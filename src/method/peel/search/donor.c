/* Donors: rows that their classes can spare, in a trie by their codes, with the most that a class below a twig would
 * gain by giving its row away. */
#include "method/peel/cover.h"
#include "method/peel/search/search.h"
#include "method/peel/search/trie.h"

#include <string.h>

#include "base/error.h"

struct covey_peel_donors {
    covey_peel_trie trie;
    int64_t *relief; /* [n_rows] when the list was made */
};

/* One of the rows that are alike and in the same class is enough. */
static void list_donors(covey_peel *p)
{
    const covey_peel_table *t = p->t;
    covey_peel_trie *x = &p->donors->trie;

    for (uint32_t r = 0; r < t->n_rows; r++) {
        const uint32_t c = p->class_of[r], *codes = covey_i_peel_codes(t, r);
        uint32_t *signature = covey_i_peel_trie_signature(x, r);

        if (c == COVEY_PEEL_NONE || p->class[c].n <= t->min_size ||
            (r > 0 && p->class_of[r - 1] == c && t->alike[r] == t->alike[r - 1]) || !covey_i_peel_can_lose(p, r))
            continue;
        x->entry[x->n_entries++] = r;
        p->donors->relief[r] = covey_i_peel_relief(p, r);
        for (size_t i = 0; i < x->n_levels; i++) {
            const covey_peel_axis *axis = &t->axis[t->index_axis[i]];
            const uint32_t code = codes[t->index_axis[i]];

            signature[2 * i] = axis->bin ? axis->bin[2 * (size_t)code] : code;
            signature[2 * i + 1] = axis->bin ? axis->bin[2 * (size_t)code + 1] : code;
        }
    }
}

static void fill_bounds(covey_peel_trie *x, const int64_t *relief)
{
    for (size_t level = x->n_levels; level-- > 0;)
        for (uint32_t i = 0; i < x->tier[level].n_twigs; i++) {
            covey_peel_twig *twig = &x->tier[level].twig[i];

            twig->relief = 0;
            for (uint32_t j = twig->begin; j < twig[1].begin; j++) {
                const int64_t own = level + 1 == x->n_levels ? relief[x->entry[j]] : x->tier[level + 1].twig[j].relief;

                twig->relief = own > twig->relief ? own : twig->relief;
            }
        }
}

covey_status covey_i_peel_donors_build(covey_peel *p, covey_error *err)
{
    struct covey_peel_donors *d = p->donors;

    if (!d) {
        d = covey_arena_array_zero(&p->arena, struct covey_peel_donors, 1);
        if (!d || !(d->relief = covey_arena_array(&p->arena, int64_t, p->t->n_rows)))
            return covey_i_no_memory(err);
        p->donors = d;
    }
    COVEY_TRY(covey_i_peel_trie_reserve(&d->trie, p, p->t->n_rows, err));
    list_donors(p);
    COVEY_TRY(covey_i_peel_trie_build(&d->trie, p, err));
    fill_bounds(&d->trie, d->relief);
    return COVEY_OK;
}

/* Who looks for a donor. */
struct seeker {
    covey_peel *p;
    const uint32_t *low, *high;
    int64_t size;
    uint32_t except;
    bool (*usable)(const void *context, uint32_t kind);
    const void *context;
    int64_t bound;
    uint32_t found;
};

/* Loss on an axis of the seeker's ranges and any code of a range, at least. */
static int64_t loss_with_range(const covey_peel_range *range, const covey_peel_axis *axis, uint32_t low, uint32_t high)
{
    return covey_i_peel_loss_with(axis, low, high,
                                  range->low > high   ? range->low
                                  : range->high < low ? range->high
                                                      : low);
}

/* on_index: the least that the seeker and rows with this one's twigs lose on all axes, if they are no wider on those
 * that are not in the index. */
static void try_donor(struct seeker *s, uint32_t row, int64_t on_index)
{
    covey_peel *p = s->p;
    const covey_peel_table *t = p->t;
    const uint32_t c = p->class_of[row], *codes = covey_i_peel_codes(t, row);
    int64_t cost = on_index;

    if (c == COVEY_PEEL_NONE || c == s->except)
        return;
    for (size_t i = t->n_index; i < t->n_axes; i++) {
        const uint32_t a = t->index_axis[i];

        cost += covey_i_peel_loss_with(&t->axis[a], s->low[a], s->high[a], codes[a]) -
                covey_i_peel_loss(&t->axis[a], s->low[a], s->high[a]);
    }
    if (cost * (s->size + 1) - p->donors->relief[row] >= s->bound)
        return;
    cost = covey_i_peel_hull_of(t, s->low, s->high, codes, codes) * (s->size + 1);
    if (cost - p->donors->relief[row] >= s->bound || !covey_i_peel_can_lose(p, row) ||
        (s->usable && !s->usable(s->context, t->kind[row])))
        return;
    cost -= covey_i_peel_relief(p, row); /* as it is now */
    if (cost < s->bound) {
        s->bound = cost;
        s->found = row;
    }
}

/* Twigs begin .. end - 1 of a level; sum: the loss on all axes, with the twigs above. */
static void seek(struct seeker *s, size_t level, uint32_t begin, uint32_t end, int64_t sum)
{
    covey_peel *p = s->p;
    const covey_peel_trie *x = &p->donors->trie;
    const covey_peel_axis *axis;
    uint32_t low, high;

    p->work += end - begin;
    if (level == x->n_levels) {
        for (uint32_t i = begin; i < end; i++)
            try_donor(s, x->entry[i], sum);
        return;
    }
    axis = &p->t->axis[p->t->index_axis[level]];
    low = s->low[p->t->index_axis[level]];
    high = s->high[p->t->index_axis[level]];
    sum -= covey_i_peel_loss(axis, low, high);
    for (uint32_t i = begin; i < end; i++) {
        const covey_peel_twig *twig = &x->tier[level].twig[i];
        const int64_t with = sum + loss_with_range(&x->tier[level].range[twig->range], axis, low, high);

        if (with * (s->size + 1) - twig->relief < s->bound)
            seek(s, level + 1, twig->begin, twig[1].begin, with);
    }
}

uint32_t covey_i_peel_best_donor(covey_peel *p, int64_t *cost, const uint32_t *low, const uint32_t *high, int64_t size,
                                 uint32_t except, int64_t bound, bool (*usable)(const void *context, uint32_t kind),
                                 const void *context)
{
    const covey_peel_trie *x = &p->donors->trie;
    struct seeker s = {p, low, high, size, except, usable, context, bound, COVEY_PEEL_NONE};

    seek(&s, 0, 0, x->n_levels > 0 ? x->tier[0].n_twigs : x->n_entries, covey_i_peel_box_loss(p->t, low, high));
    *cost = s.bound;
    return s.found;
}
