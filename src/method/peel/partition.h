/* A partition of lots in the making.
 *
 *   class.c     classes with ranges, border counts and losses, kept up to date row by row
 *   without.c   the ranges of a class without one of its rows
 *   judge.c     does a class keep the promises, also if rows came or went?
 *   lots.c      a lot is split */
#ifndef COVEY_METHOD_PEEL_PARTITION_H
#define COVEY_METHOD_PEEL_PARTITION_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "method/peel/table.h"

typedef struct covey_peel_class {
    uint32_t first, n;   /* its first lot, linked by next; rows */
    int64_t loss;        /* of a row, all axes together */
    uint64_t rows_hash;  /* xor over the lots */
    uint64_t kinds_hash; /* sum over the rows */
    bool has_inner;      /* is it known what its ranges would be without the row at an end? */
} covey_peel_class;

struct covey_peel_trie;
struct covey_peel_donors;
struct covey_peel_pools;
struct covey_peel_journal;

/* What all trials are told by, and tell, their caller. */
typedef struct covey_peel_watch {
    const covey_run *run;
    pthread_t caller; /* only its thread reports progress */
    _Atomic bool is_cancelled;
    _Atomic bool has_enough; /* searches end where they are: every step of theirs leaves a partition that holds */
} covey_peel_watch;

/* A trial: a partition in the making, with all its scratch.  One thread's. */
typedef struct covey_peel {
    const covey_peel_table *t;
    covey_peel_table *splits; /* the same, if its lots may be split; NULL: they are single rows */
    covey_peel_watch *watch;  /* NULL: nobody watches */
    covey_arena arena;
    covey_peel_class *class; /* [n_classes] empty ones allowed */
    uint32_t n_classes, capacity;
    uint32_t *box;      /* [n_classes][4 * width] low, high, rows at low, rows at high */
    uint32_t *inner;    /* [n_classes][2 * width] the codes next to low and high, where a single row is at an end */
    uint32_t *count;    /* [n_classes][n_kinds] rows per kind, or NULL: too many kinds */
    uint32_t *class_of; /* [n_lots] or COVEY_PEEL_NONE */
    uint32_t *next, *before; /* [n_lots] the other lots of its class */
    covey_tally tally;       /* scratch of judging */
    uint64_t *memo;          /* verdicts by hash */
    bool forgets;            /* no verdict is remembered */
    uint32_t *ends, *axes;   /* [2 * width], [n_axes] scratch of what a class is like without a row */
    uint32_t *hull;          /* [2 * width] scratch of the innermost loops */
    uint32_t *joined; /* [n_lots] by the first lot alike: the class it was last found to join best, or what has its
                         number now */
    int64_t near_guess[COVEY_PEEL_MOST_NEAR +
                       1];    /* by k: what the k-th nearest class mostly costs at most, 0: not known yet */
    int64_t work, work_limit; /* groups, classes and rows looked at: stands for time, but is the same everywhere */
    uint32_t n_skipped;       /* nodes, for want of time */
    uint32_t n_moved;         /* rows, since the index was built */
    int64_t tau;              /* a move may cost up to this much */
    uint32_t focus, n_focus;  /* search looks after so many rows from this one on -- the first follows the last -- and
                                 whom they concern */
    const int64_t *price; /* [n_rows] what each cost in a world without rare values (serve.c); NULL: not known yet */
    struct covey_peel_trie *index;
    struct covey_peel_donors *donors;
    struct covey_peel_pools *pools;
    struct covey_peel_journal *journal; /* of what changes, NULL: nobody wants to know */
    struct covey_peel_journal *kept_journal;
} covey_peel;

static inline uint32_t *covey_i_peel_box(const covey_peel *p, uint32_t c)
{
    return p->box + (size_t)c * 4 * p->t->width;
}

static inline uint32_t *covey_i_peel_inner(const covey_peel *p, uint32_t c)
{
    return p->inner + (size_t)c * 2 * p->t->width;
}

static inline uint64_t covey_i_peel_row_hash(uint32_t row)
{
    return covey_i_mix((uint64_t)row + 1, 0x9E3779B97F4A7C15u);
}

/* Loss of a class with one more row of these codes. */
static inline int64_t covey_i_peel_class_loss_with(const covey_peel *p, uint32_t c, const uint32_t *codes)
{
    const uint32_t *low = covey_i_peel_box(p, c), *high = low + p->t->width;

    return covey_i_peel_hull_of(p->t, low, high, codes, codes);
}

static inline bool covey_i_peel_is_focused(const covey_peel *p, uint32_t row)
{
    return (row < p->focus ? row + p->t->n_rows : row) - p->focus < p->n_focus;
}

/* Is a class one of those that search looks after? */
static inline bool covey_i_peel_in_focus(const covey_peel *p, uint32_t c)
{
    return p->class[c].n > 0 && covey_i_peel_is_focused(p, p->class[c].first);
}

/* What a class costs all its rows together. */
static inline int64_t covey_i_peel_cost(const covey_peel *p, uint32_t c)
{
    return p->class[c].n * p->class[c].loss;
}

/* class.c */
covey_status covey_i_peel_new(covey_peel *p, covey_peel_table *t, covey_error *err);
void covey_i_peel_clear(covey_peel *p);         /* all zeros allowed */
void covey_i_peel_reset(covey_peel *p);         /* no lot is in a class */
uint32_t covey_i_peel_class_new(covey_peel *p); /* empty; COVEY_PEEL_NONE: no memory.  Moves p->class and p->box */
void covey_i_peel_add(covey_peel *p, uint32_t c, uint32_t lot);
void covey_i_peel_remove(covey_peel *p, uint32_t lot); /* from its class */
void covey_i_peel_empty(covey_peel *p, uint32_t c);    /* all its lots are in no class */
void covey_i_peel_move(covey_peel *p, uint32_t lot, uint32_t c);
void covey_i_peel_merge(covey_peel *p, uint32_t from, uint32_t into);
int64_t covey_i_peel_loss_without(const covey_peel *p, uint32_t lot); /* of the lot's class, if a row of it left */
uint32_t covey_i_peel_lots_of(uint32_t *lots, const covey_peel *p,
                              uint32_t c);        /* by their rows, ascending; returns how many */
void covey_i_peel_drop_empty(covey_peel *p);      /* renumbers the classes */
int64_t covey_i_peel_total(const covey_peel *p);  /* what all classes cost, rows without a class as if wholly lost */
int64_t covey_i_peel_change(const covey_peel *p); /* what the classes in the journal cost more than they did */

/* The first n rows of a lot become one of their own, in the same class.  *out receives its number.  Moves t's and p's
 * arrays. */
covey_status covey_i_peel_split(uint32_t *out, covey_peel *p, uint32_t lot, uint32_t n, covey_error *err);

/* without.c */
/* [2 * width] low, then high, of the lot's class without a row of it, until they are asked for again.  There is
 * another row. */
const uint32_t *covey_i_peel_box_without(const covey_peel *p, uint32_t lot);

/* judge.c */
covey_status covey_i_peel_judge_new(covey_peel *p, covey_error *err);
void covey_i_peel_tally_kind(const covey_peel_table *t, covey_tally *tally, uint32_t kind,
                             int64_t n); /* n < 0: removes; no ranges */
void covey_i_peel_tally_lot(const covey_peel_table *t, covey_tally *tally, uint32_t lot,
                            int64_t n); /* n rows of it, with ranges where promises judge them */
bool covey_i_peel_admits_tally(const covey_peel_table *t, const covey_tally *tally);
/* Does the class keep the promises without a row of lot minus and with one of lot plus (COVEY_PEEL_NONE: nobody)? */
bool covey_i_peel_admits(covey_peel *p, uint32_t c, uint32_t minus, uint32_t plus);
bool covey_i_peel_can_lose(covey_peel *p, uint32_t lot); /* its class a row of it; a class that vanishes is fine */
bool covey_i_peel_admits_lots(covey_peel *p, const uint32_t *lots, uint32_t n);
bool covey_i_peel_all_admitted(covey_peel *p); /* every class, without what is remembered */
/* Fills t->least_kinds: of the most frequent kinds, in equal counts, the fewest that make a class; 1 if that is not how
 * it goes. */
covey_status covey_i_peel_find_least_kinds(covey_peel_table *t, covey_arena *arena, covey_error *err);

#endif
