/* A trie over ranges of codes: one level per axis, those with few codes first.  It holds the classes (peel_index.c) or the donors
 * (peel_donor.c); every twig bounds what lies below it, so that walks see little of it.
 *
 * It is built once per pass and goes stale inside: what is below is always judged by what it has become, so a stale twig can only hide
 * a candidate. */
#ifndef COVEY_PEEL_TRIE_H
#define COVEY_PEEL_TRIE_H

#include "method/peel_impl.h"

typedef struct covey_peel_twig {
    uint32_t low, high;  /* codes under the label that all below have; on binned axes their ends are in the same bins as theirs */
    uint32_t begin, end; /* twigs of the next level; on the last one entries */
    uint32_t least;      /* rows of the smallest class below */
    int64_t loss;        /* of low .. high */
    int64_t bound;       /* least loss of a class below; most relief of a donor */
} covey_peel_twig;

typedef struct covey_peel_trie {
    size_t n_levels;                        /* level i is axis t->index_axis[i] */
    uint32_t n_entries, capacity;
    uint32_t *entry;                        /* [n_entries] sorted */
    uint32_t *signature;                    /* [numbers of entries][2 * n_levels] low and high */
    uint32_t n_twigs[COVEY_PEEL_MOST_LEVELS], twig_capacity[COVEY_PEEL_MOST_LEVELS];
    covey_peel_twig *twig[COVEY_PEEL_MOST_LEVELS];
} covey_peel_trie;

/* Makes room for entries numbered below n.  What was in it is lost. */
covey_status covey_i_peel_trie_reserve(covey_peel_trie *trie, covey_peel *p, uint32_t n, covey_error *err);
static inline uint32_t *covey_i_peel_trie_signature(const covey_peel_trie *trie, uint32_t entry)
{
    return trie->signature + (size_t)entry * 2 * trie->n_levels;
}
/* Sorts the entries by their signatures and makes the twigs, with least and bound still to be filled in. */
covey_status covey_i_peel_trie_build(covey_peel_trie *trie, covey_peel *p, covey_error *err);

/* A walk to the twigs of the last level whose entries may cost less than a bound. */
typedef struct covey_peel_walk {
    const covey_peel *p;
    const covey_peel_trie *trie;
    const uint32_t *low, *high;  /* [n_axes] who looks for company, and */
    int64_t n;                   /* how many rows they are */
    size_t level;
    uint32_t at[COVEY_PEEL_MOST_LEVELS + 1], end[COVEY_PEEL_MOST_LEVELS + 1];
    int64_t sum[COVEY_PEEL_MOST_LEVELS + 1];
    uint32_t first, last;        /* the entries that were found: first .. last - 1 */
    int64_t found;               /* their sum */
    int64_t work;                /* twigs seen */
} covey_peel_walk;

static inline covey_peel_walk covey_i_peel_walk_new(const covey_peel *p, const covey_peel_trie *trie, const uint32_t *low,
                                                    const uint32_t *high, int64_t n)
{
    covey_peel_walk walk = {.p = p, .trie = trie, .low = low, .high = high, .n = n};

    walk.end[0] = trie->n_levels > 0 ? trie->n_twigs[0] : 1;
    return walk;
}

/* What low .. high and the twig's label lose together on the axis of a level. */
static inline int64_t covey_i_peel_twig_loss(const covey_peel_walk *walk, const covey_peel_twig *twig, size_t level)
{
    const uint32_t a = walk->p->t->index_axis[level];
    const uint32_t low = walk->low[a], high = walk->high[a];

    return covey_i_peel_loss(&walk->p->t->axis[a], low < twig->low ? low : twig->low, high > twig->high ? high : twig->high);
}

/* A table without axes: everything is one twig. */
static inline bool covey_i_peel_walk_bare(covey_peel_walk *walk)
{
    walk->first = 0;
    walk->last = walk->trie->n_entries;
    walk->found = 0;
    return walk->at[0]++ == 0;
}

/* Goes on to the next classes that may be joined at a cost below bound: a class of m rows and loss L that loses D more costs
 * m D + n (L + D).  walk->found is what they lose more, at least, on the axes of the trie. */
static inline bool covey_i_peel_walk_next(covey_peel_walk *walk, int64_t bound)
{
    const covey_peel_trie *trie = walk->trie;
    size_t level = walk->level;

    if (trie->n_levels == 0)
        return covey_i_peel_walk_bare(walk);
    for (;;) {
        const covey_peel_twig *twig;
        int64_t sum;

        if (walk->at[level] == walk->end[level]) {
            if (level-- == 0)
                return false;
            continue;
        }
        twig = &trie->twig[level][walk->at[level]++];
        sum = walk->sum[level] + covey_i_peel_twig_loss(walk, twig, level) - twig->loss;
        walk->work++;
        if ((twig->least + walk->n) * sum + walk->n * twig->bound >= bound)
            continue;
        if (level + 1 == trie->n_levels) {
            walk->level = level;
            walk->first = twig->begin;
            walk->last = twig->end;
            walk->found = sum;
            return true;
        }
        level++;
        walk->at[level] = twig->begin;
        walk->end[level] = twig->end;
        walk->sum[level] = sum;
    }
}

#endif
