/* A trie over ranges of codes: one level per axis, those with few codes first.  It holds the classes (index.c) or the
 * donors (donor.c); every twig bounds what lies below it, so that walks see little of it.
 *
 * It is built once per pass and goes stale inside: what is below is always judged by what it has become, so a stale
 * twig can only hide a candidate. */
#ifndef COVEY_METHOD_PEEL_SEARCH_TRIE_H
#define COVEY_METHOD_PEEL_SEARCH_TRIE_H

#include "method/peel/partition.h"

/* Four to a cache line.  A walk sees dozens of them. */
typedef struct covey_peel_twig {
    uint32_t range; /* of all below */
    uint32_t begin; /* twigs of the next level; on the last one entries.  They end where the next twig's begin */
    union {
        struct {
            uint32_t least; /* rows of the smallest class below */
            int32_t loss;   /* least of a class below */
        };
        int64_t relief; /* most of a donor below */
    };
} covey_peel_twig;

/* Codes under a label; on binned axes the ends of bins. */
typedef struct covey_peel_range {
    uint32_t low, high;
    int64_t loss;
} covey_peel_range;

typedef struct covey_peel_tier {
    uint32_t n_twigs, twig_capacity;
    covey_peel_twig *twig; /* [n_twigs + 1] */
    uint32_t n_ranges;
    covey_peel_range *range; /* [n_ranges] each once, where an axis has few codes */
    uint32_t *number;        /* [n_codes * n_codes] scratch: a range's; NULL: it has many codes */
    size_t more_capacity;
    int32_t *more; /* [n_codes][n_ranges] what a range loses more with a code */
} covey_peel_tier;

typedef struct covey_peel_trie {
    size_t n_levels; /* level i is axis t->index_axis[i] */
    uint32_t n_entries, capacity;
    uint32_t *entry;     /* [n_entries] ascending before they are sorted */
    uint32_t *signature; /* [numbers of entries][2 * n_levels] low and high */
    uint32_t *scratch;   /* [capacity] */
    uint64_t *key;       /* [numbers of entries] a part of their signatures */
    covey_peel_tier tier[COVEY_PEEL_MOST_LEVELS];
} covey_peel_trie;

/* Makes room for entries numbered below n.  What was in it is lost. */
covey_status covey_i_peel_trie_reserve(covey_peel_trie *trie, covey_peel *p, uint32_t n, covey_error *err);
static inline uint32_t *covey_i_peel_trie_signature(const covey_peel_trie *trie, uint32_t entry)
{
    return trie->signature + (size_t)entry * 2 * trie->n_levels;
}
/* Sorts the entries by their signatures and makes the twigs, with their bounds still to be filled in. */
covey_status covey_i_peel_trie_build(covey_peel_trie *trie, covey_peel *p, covey_error *err);

/* An axis as a walk sees it. */
typedef struct covey_peel_sight {
    const int32_t *with_low, *with_high; /* what ranges lose more with the ends of who looks for company; NULL: not
                                            tabulated */
    const covey_peel_range *range;
    const covey_peel_axis *axis;
    uint32_t low, high; /* who looks for company */
} covey_peel_sight;

/* A walk to the twigs of the last level whose entries may cost less than a bound. */
typedef struct covey_peel_walk {
    const covey_peel_trie *trie;
    int64_t n; /* how many rows they are */
    size_t level;
    covey_peel_sight sight[COVEY_PEEL_MOST_LEVELS];
    const covey_peel_twig *at[COVEY_PEEL_MOST_LEVELS], *end[COVEY_PEEL_MOST_LEVELS];
    int64_t sum[COVEY_PEEL_MOST_LEVELS];
    uint32_t first, last; /* the entries that were found: first .. last - 1 */
    int64_t found;        /* their sum */
    int64_t work;         /* twigs seen */
} covey_peel_walk;

/* low, high: [n_axes] who looks for company, and how many rows they are. */
static inline void covey_i_peel_walk_begin(covey_peel_walk *walk, const covey_peel *p, const covey_peel_trie *trie,
                                           const uint32_t *low, const uint32_t *high, int64_t n)
{
    walk->trie = trie;
    walk->n = n;
    walk->level = 0;
    walk->work = 0;
    walk->found = 0;
    walk->first = walk->last = 0;
    for (size_t i = 0; i < trie->n_levels; i++) {
        const uint32_t a = p->t->index_axis[i];
        const covey_peel_tier *tier = &trie->tier[i];

        walk->sight[i] =
            (covey_peel_sight){.range = tier->range, .axis = &p->t->axis[a], .low = low[a], .high = high[a]};
        if (tier->more) {
            walk->sight[i].with_low = tier->more + (size_t)low[a] * tier->n_ranges;
            walk->sight[i].with_high = tier->more + (size_t)high[a] * tier->n_ranges;
        }
    }
    if (trie->n_levels == 0)
        return;
    walk->at[0] = trie->tier[0].twig;
    walk->end[0] = trie->tier[0].twig + trie->tier[0].n_twigs;
    walk->sum[0] = 0;
}

/* What a range loses more with low .. high, at least: under a label with one end or the other is as much as with both,
 * except for ranges of numbers. */
static inline int64_t covey_i_peel_more_with(const covey_peel_sight *sight, uint32_t number)
{
    const covey_peel_range *range = &sight->range[number];

    if (sight->with_low)
        return sight->with_low[number] > sight->with_high[number] ? sight->with_low[number] : sight->with_high[number];
    return covey_i_peel_loss(sight->axis, sight->low < range->low ? sight->low : range->low,
                             sight->high > range->high ? sight->high : range->high) -
           range->loss;
}

/* A table without axes: everything is one twig. */
static inline bool covey_i_peel_walk_bare(covey_peel_walk *walk)
{
    const uint32_t n = walk->trie->n_entries;

    walk->last = n;
    return walk->level++ == 0 && n > 0;
}

/* Goes on to the next classes that may be joined at a cost below bound: a class of m rows and loss L that loses D more
 * costs m D + n (L + D).  walk->found is what they lose more, at least, on the axes of the trie. */
static inline bool covey_i_peel_walk_next(covey_peel_walk *walk, int64_t bound)
{
    const covey_peel_trie *trie = walk->trie;
    const size_t n_levels = trie->n_levels;
    const int64_t n = walk->n;
    size_t level = walk->level;

    if (n_levels == 0)
        return covey_i_peel_walk_bare(walk);
    for (;;) {
        const covey_peel_sight sight = walk->sight[level];
        const covey_peel_twig *twig = walk->at[level], *const begin = twig, *const end = walk->end[level];
        const int64_t above = walk->sum[level];
        int64_t sum = 0;

        for (; twig < end; twig++) {
            sum = above + covey_i_peel_more_with(&sight, twig->range);
            if ((twig->least + n) * sum + n * twig->loss < bound)
                break;
        }
        walk->work += twig - begin + (twig < end);
        if (twig == end) {
            if (level-- == 0)
                return false;
            continue;
        }
        walk->at[level] = twig + 1;
        if (level + 1 == n_levels) {
            walk->level = level;
            walk->first = twig->begin;
            walk->last = twig[1].begin;
            walk->found = sum;
            return true;
        }
        level++;
        walk->at[level] = trie->tier[level].twig + twig->begin;
        walk->end[level] = trie->tier[level].twig + twig[1].begin;
        walk->sum[level] = sum;
    }
}

/* What a class loses more, with low .. high, on the axes that are not in the index. */
static inline int64_t covey_i_peel_more_off_index(const covey_peel *p, uint32_t c, const uint32_t *low,
                                                  const uint32_t *high)
{
    const covey_peel_table *t = p->t;
    const uint32_t *own_low = covey_i_peel_box(p, c), *own_high = own_low + t->width;
    int64_t sum = 0;

    for (size_t i = t->n_index; i < t->n_axes; i++) {
        const uint32_t a = t->index_axis[i];
        const uint32_t l = low[a] < own_low[a] ? low[a] : own_low[a], h = high[a] > own_high[a] ? high[a] : own_high[a];

        sum += covey_i_peel_loss(&t->axis[a], l, h) - covey_i_peel_loss(&t->axis[a], own_low[a], own_high[a]);
    }
    return sum;
}

#endif
