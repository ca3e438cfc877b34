/* Verdicts on classes.  Search asks the same questions again and again -- may this class give away a row of that kind?
 * -- so answers are remembered by the sum of the kinds' hashes, which is the same for equal counts whatever the rows.
 * Two different classes with the same 63 bits would share an answer; so a trial's classes are judged once more, without
 * memory, before anybody uses them. */
#include "method/peel/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "table/histogram.h"

covey_status covey_i_peel_judge_new(covey_peel *p, covey_error *err)
{
    COVEY_TRY(covey_i_tally_new(&p->tally, &p->t->problem->promises, &p->arena, err));
    p->tally.has_ranges = false; /* they are judged before, without counting */
    p->memo = covey_arena_array_zero(&p->arena, uint64_t, (size_t)1 << COVEY_PEEL_MEMO_BITS);
    return p->memo ? COVEY_OK : covey_i_no_memory(err);
}

void covey_i_peel_tally_kind(const covey_peel_table *t, covey_tally *tally, uint32_t kind, int64_t n)
{
    const uint32_t *value = t->value + kind * t->n_used;

    tally->size += n;
    for (size_t v = 0; v < t->n_used; v++)
        if (n >= 0)
            covey_i_histogram_add(&tally->counts[t->used[v]], value[v], n);
        else
            covey_i_histogram_remove(&tally->counts[t->used[v]], value[v], -n);
}

void covey_i_peel_tally_lot(const covey_peel_table *t, covey_tally *tally, uint32_t lot, int64_t n)
{
    const uint32_t *codes = covey_i_peel_codes(t, lot);

    covey_i_peel_tally_kind(t, tally, t->kind[lot], n);
    for (size_t a = 0; tally->has_ranges && a < t->n_axes; a++) { /* which only go wider */
        tally->low[a] = codes[a] < tally->low[a] ? codes[a] : tally->low[a];
        tally->high[a] = codes[a] > tally->high[a] ? codes[a] : tally->high[a];
    }
}

bool covey_i_peel_admits_tally(const covey_peel_table *t, const covey_tally *tally)
{
    return tally->size >= t->min_size && covey_i_promises_admit(&t->problem->promises, tally);
}

/* Adds a class but for one row of a lot to p->tally. */
static void tally_class(covey_peel *p, uint32_t c, uint32_t minus)
{
    const covey_peel_table *t = p->t;

    p->work += t->judge_work + (p->count ? t->n_kinds : p->class[c].n);
    if (p->count) {
        const uint32_t *count = p->count + (size_t)c * t->n_kinds;

        for (uint32_t k = 0; k < t->n_kinds; k++)
            if (count[k] > 0)
                covey_i_peel_tally_kind(t, &p->tally, k, count[k]);
        if (minus != COVEY_PEEL_NONE)
            covey_i_peel_tally_kind(t, &p->tally, t->kind[minus], -1);
        return;
    }
    for (uint32_t lot = p->class[c].first; lot != COVEY_PEEL_NONE; lot = p->next[lot]) {
        const uint32_t n = covey_i_peel_size(t, lot) - (lot == minus);

        if (n > 0)
            covey_i_peel_tally_lot(t, &p->tally, lot, n);
    }
}

/* The remembered verdict on a hash: 0 no, 1 yes, -1 none.  *slot receives its place. */
static int recall(covey_peel *p, uint64_t **slot, uint64_t hash)
{
    hash *= 0x9E3779B97F4A7C15u;
    *slot = p->memo + (hash >> (64 - COVEY_PEEL_MEMO_BITS));
    if (p->forgets)
        return -1;
    return (**slot | 1) == (hash | 1) ? (int)(**slot & 1) : -1;
}

static bool remember(uint64_t *slot, uint64_t hash, bool verdict)
{
    hash *= 0x9E3779B97F4A7C15u;
    *slot = (hash & ~(uint64_t)1) | verdict;
    return verdict;
}

/* Do the class's ranges hold without a row of lot minus and with one of lot plus? */
static bool ranges_hold(const covey_peel *p, uint32_t c, uint32_t minus, uint32_t plus)
{
    const covey_peel_table *t = p->t;
    const bool is_left = p->class[c].n > (minus != COVEY_PEEL_NONE);
    const uint32_t *codes = plus == COVEY_PEEL_NONE ? NULL : covey_i_peel_codes(t, plus), *low, *high;

    if (t->n_judged == 0)
        return true;
    low = !is_left ? codes : minus == COVEY_PEEL_NONE ? covey_i_peel_box(p, c) : covey_i_peel_box_without(p, minus);
    high = is_left ? low + t->width : codes;
    for (size_t i = 0; i < t->n_judged; i++) {
        const size_t a = t->judged[i].axis;
        const uint32_t from = codes && codes[a] < low[a] ? codes[a] : low[a],
                       to = codes && codes[a] > high[a] ? codes[a] : high[a];

        if (to < t->judged[i].reach[from])
            return false;
    }
    return true;
}

/* Do the ranges of some lots hold? */
static bool ranges_of_lots_hold(const covey_peel_table *t, const uint32_t *lots, uint32_t n)
{
    for (size_t i = 0; i < t->n_judged; i++) {
        const size_t a = t->judged[i].axis;
        uint32_t low = UINT32_MAX, high = 0;

        for (uint32_t j = 0; j < n; j++) {
            const uint32_t code = covey_i_peel_codes(t, lots[j])[a];

            low = code < low ? code : low;
            high = code > high ? code : high;
        }
        if (high < t->judged[i].reach[low])
            return false;
    }
    return true;
}

bool covey_i_peel_admits(covey_peel *p, uint32_t c, uint32_t minus, uint32_t plus)
{
    const covey_peel_table *t = p->t;
    const int64_t size = (int64_t)p->class[c].n - (minus != COVEY_PEEL_NONE) + (plus != COVEY_PEEL_NONE);
    uint64_t hash = p->class[c].kinds_hash, *slot;
    int verdict;

    if (size < t->min_size || !ranges_hold(p, c, minus, plus))
        return false;
    if (t->size_only)
        return true;
    if (minus != COVEY_PEEL_NONE)
        hash -= t->kind_hash[t->kind[minus]];
    if (plus != COVEY_PEEL_NONE)
        hash += t->kind_hash[t->kind[plus]];
    if ((verdict = recall(p, &slot, hash)) >= 0)
        return verdict;
    covey_i_tally_clear(&p->tally);
    tally_class(p, c, minus);
    if (plus != COVEY_PEEL_NONE)
        covey_i_peel_tally_lot(t, &p->tally, plus, 1);
    return remember(slot, hash, covey_i_peel_admits_tally(t, &p->tally));
}

bool covey_i_peel_can_lose(covey_peel *p, uint32_t lot)
{
    const uint32_t c = p->class_of[lot];

    return p->class[c].n == 1 || covey_i_peel_admits(p, c, lot, COVEY_PEEL_NONE);
}

bool covey_i_peel_admits_lots(covey_peel *p, const uint32_t *lots, uint32_t n)
{
    const covey_peel_table *t = p->t;
    uint64_t hash = 0, *slot;
    int64_t n_rows = 0;
    int verdict;

    for (uint32_t i = 0; i < n; i++)
        n_rows += covey_i_peel_size(t, lots[i]);
    if (n_rows < t->min_size || !ranges_of_lots_hold(t, lots, n))
        return false;
    if (t->size_only)
        return true;
    for (uint32_t i = 0; i < n; i++)
        hash += t->kind_hash[t->kind[lots[i]]] * covey_i_peel_size(t, lots[i]);
    if ((verdict = recall(p, &slot, hash)) >= 0)
        return verdict;
    covey_i_tally_clear(&p->tally);
    p->work += t->judge_work + n_rows;
    for (uint32_t i = 0; i < n; i++)
        covey_i_peel_tally_lot(t, &p->tally, lots[i], covey_i_peel_size(t, lots[i]));
    return remember(slot, hash, covey_i_peel_admits_tally(t, &p->tally));
}

bool covey_i_peel_all_admitted(covey_peel *p)
{
    for (uint32_t c = 0; c < p->n_classes; c++) {
        if (p->class[c].n == 0)
            continue;
        covey_i_tally_clear(&p->tally);
        tally_class(p, c, COVEY_PEEL_NONE);
        if (!covey_i_peel_admits_tally(p->t, &p->tally) || !ranges_hold(p, c, COVEY_PEEL_NONE, COVEY_PEEL_NONE))
            return false;
    }
    return true;
}

struct frequent {
    uint32_t kind, n;
};

static int compare_frequent(const void *a, const void *b)
{
    const struct frequent *x = a, *y = b;

    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

covey_status covey_i_peel_find_least_kinds(covey_peel_table *t, covey_arena *arena, covey_error *err)
{
    struct frequent *frequent = covey_arena_array_zero(arena, struct frequent, t->n_kinds);
    covey_tally tally;

    t->least_kinds = 1;
    if (t->size_only || t->n_used == 0)
        return COVEY_OK;
    if (!frequent)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_tally_new(&tally, &t->problem->promises, arena, err));
    tally.has_ranges = false;
    for (uint32_t k = 0; k < t->n_kinds; k++)
        frequent[k].kind = k;
    for (uint32_t lot = 0; lot < t->n_lots; lot++)
        frequent[t->kind[lot]].n += covey_i_peel_size(t, lot);
    qsort(frequent, t->n_kinds, sizeof *frequent, compare_frequent);
    for (uint32_t n = 1; n <= t->n_kinds && n <= COVEY_PEEL_MOST_COUNTS && frequent[n - 1].n > 0; n++) {
        covey_i_tally_clear(&tally);
        for (uint32_t k = 0; k < n; k++)
            covey_i_peel_tally_kind(t, &tally, frequent[k].kind, (t->min_size + n - 1) / n);
        if (covey_i_peel_admits_tally(t, &tally)) {
            t->least_kinds = n;
            break;
        }
    }
    return COVEY_OK;
}
