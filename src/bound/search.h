/* What the steps of a bound share; inside the folder only.
 *
 * Losses are integers: multiples of 2^-40 of the whole, each rounded down.  A box is a block of codes on each axis and
 * a window of numbers on one of them; a class lies in a box that loses no more than the class does. */
#ifndef COVEY_BOUND_SEARCH_H
#define COVEY_BOUND_SEARCH_H

#include "bound/bound.h"

#include "base/arena.h"

#define COVEY_BOUND_ONE ((int64_t)1 << 40)

enum {
    COVEY_BOUND_NO_BLOCK = UINT32_MAX, /* a level says nothing of this code that a lower one does not */
    COVEY_BOUND_UNIT = 1 << 20         /* a row, where parts of rows are counted */
};

/* A partition of an axis' codes into blocks. */
typedef struct covey_bound_level {
    int64_t least;   /* loss of all blocks at least */
    uint32_t *block; /* [n_values] */
    int64_t *loss;   /* [n_values] of the code's block */
} covey_bound_level;

/* Each two codes lie together in a block, of some level, that loses no more than they do. */
typedef struct covey_bound_axis {
    size_t n_levels;
    covey_bound_level *level; /* by least loss */
} covey_bound_axis;

/* What the promises say of a class, or less. */
typedef struct covey_bound_needs {
    int64_t rows;      /* it has so many rows */
    int64_t distinct;  /* and so many different values of the view */
    int view;          /* whose values are looked at; -1: none */
    uint32_t n_values; /* of the view; 1 without */
    int64_t *need;     /* [n_values] rows of a class with this value */
    int64_t *most;     /* [n_values] units of a value in `rows` rows of a class, which may be taken in parts */
    bool keeps_prior;  /* suppressed rows keep the promises as one class, too */
    bool has_shares;   /* some most is smaller than all */
} covey_bound_needs;

typedef struct covey_bound {
    const covey_problem *problem;
    const covey_run *run;
    double deadline;
    covey_arena arena;
    covey_bound_needs needs;
    covey_bound_axis *axis; /* [n_axes] one level without blocks for the window's */
    int window;             /* axis whose numbers are searched by windows; -1: none */
    int64_t *place;         /* [n_values of the window's axis] its numbers as losses from the smallest one */
    bool window_has_null;   /* code 0 of it is the missing value */
    int64_t window_loss;    /* of missing values beside others */
    /* Items: rows with equal codes and an equal value of the view, in the order of the window's codes. */
    uint32_t n;
    uint32_t **code;  /* [n_axes][n] */
    uint32_t *value;  /* [n] 0 without a view */
    uint32_t *n_rows; /* [n] */
    /* The groups of a box, from covey_i_bound_groups: */
    uint64_t *key;      /* [n] */
    uint32_t *slot;     /* [n_slots] of the hash table */
    uint64_t *slot_key; /* [n_slots] */
    size_t n_slots;     /* a power of two */
    uint32_t *group_of; /* [n] */
    uint32_t n_groups;  /* those with an item above the least loss */
    uint32_t *start;    /* [n_groups + 1] */
    uint32_t *member;   /* [start[n_groups]] items, each group's in their order */
} covey_bound;

/* Levels of all axes, and the window's places.  levels.c */
covey_status covey_i_bound_levels(covey_bound *b, covey_error *err);
/* What promises ask of classes.  needs.c */
covey_status covey_i_bound_needs_find(covey_bound *b, covey_error *err);

/* --- all combinations of levels by least loss: combinations.c --- */

typedef struct covey_bound_combinations {
    size_t n_axes, n; /* waiting ones, as a heap */
    const covey_bound_axis *axis;
    int64_t *least;        /* [room_made] */
    uint32_t *at;          /* [room_made] where its levels stand */
    unsigned char *levels; /* [n_made * n_axes] */
    size_t n_made, room_made;
} covey_bound_combinations;

covey_status covey_i_bound_combinations_begin(covey_bound_combinations *c, const covey_bound *b, covey_error *err);
/* The next one's levels and least loss; *level NULL: there is none.  *least without one: INT64_MAX, or what those that
 * could not be listed lose at least. */
covey_status covey_i_bound_combinations_next(const unsigned char **level, int64_t *least, covey_bound_combinations *c,
                                             covey_error *err);
void covey_i_bound_combinations_end(covey_bound_combinations *c);

/* --- groups: groups.c --- */

/* Items in the same block of each axis, if one of them has more than least of what; what: [n]. */
void covey_i_bound_groups(covey_bound *b, const unsigned char *level, int64_t least, const int64_t *what);
/* The least loss of a group's block. */
int64_t covey_i_bound_group_loss(const covey_bound *b, const unsigned char *level, uint32_t group);

/* What numbers from one place to another lose. */
static inline int64_t covey_i_bound_span(int64_t low, int64_t high)
{
    return high - low > 2 ? high - low - 2 : 0; /* both were rounded down, twice */
}

static inline int64_t covey_i_bound_largest(const int64_t *value, uint32_t n)
{
    int64_t most = INT64_MIN;

    for (uint32_t i = 0; i < n; i++)
        most = value[i] > most ? value[i] : most;
    return most;
}

/* --- the cheapest box of each item alone: nearest.c --- */

/* loss: [n] receives it, COVEY_BOUND_ONE where there is none. */
covey_status covey_i_bound_nearest(int64_t *loss, bool *is_complete, covey_bound *b, covey_error *err);

/* --- prices: prices.c --- */

/* The sum of what items pay, in units of COVEY_BOUND_ONE for each row, less what the dearest pay beyond what it costs
 * to suppress them: a bound, as long as no class pays more than its rows lose. */
covey_status covey_i_bound_sum(covey_i128 *sum, covey_bound *b, const int64_t *price, covey_error *err);
/* Such prices from what each item loses at least: rows that lose much are few where their value is rare, but their
 * classes are not, and all rows of a class lose the same. */
covey_status covey_i_bound_share_out(int64_t *price, covey_bound *b, const int64_t *loss, covey_error *err);

/* Prices as high as they may be, at least floor unless time is over: raise.c.  nearest: what items lose at least. */
covey_status covey_i_bound_raise(int64_t *price, bool *is_complete, covey_bound *b, const int64_t *nearest,
                                 const int64_t *floor, covey_error *err);

/* --- boxes that decide what rows of rare values pay: balance.c --- */

/* Rows in a box that loses so much: of a class of `size` units, one row has the value, the others pay what their prices
 * are, and that row the rest of what the class loses. */
typedef struct covey_bound_cut {
    int64_t loss, size;
    uint32_t value;
    uint32_t n_users;     /* items of the value whose price it decided when it was found */
    uint32_t n_others, n; /* the former come first */
    uint32_t *item;       /* [n]; NULL: it decided nothing in the end */
} covey_bound_cut;

enum { COVEY_BOUND_MOST_CUT_ITEMS = 1 << 24 }; /* more cuts than those are not kept */

typedef struct covey_bound_cuts {
    size_t n, room;
    size_t n_items; /* of all cuts */
    covey_bound_cut *cut;
} covey_bound_cuts;

/* Takes the cut's items over. */
covey_status covey_i_bound_cuts_add(covey_bound_cuts *cuts, covey_bound_cut *cut, covey_error *err);
void covey_i_bound_cuts_drop(covey_bound_cuts *cuts, size_t at);
void covey_i_bound_cuts_free(covey_bound_cuts *cuts);
/* Changes prices so that those of rare values, in the order of value[0 .. n - 1], rise by more, as far as the cuts
 * know. price: as found with the cuts; receives those of other values, none of them higher, and of the rare ones the
 * most that the cuts allow.  part: of the mean price, how far prices go in a step at first. */
covey_status covey_i_bound_balance(int64_t *price, covey_bound_cuts *cuts, covey_bound *b, int part,
                                   const uint32_t *value, size_t n, covey_error *err);

/* --- values with few rows in any class: rare.c --- */

/* value: [n_values] receives the rare ones, the largest share first; how many they are. */
size_t covey_i_bound_list_rare(uint32_t *value, const covey_bound *b);
/* What rows of rare values may pay beside the others, in the order of value[0 .. n - 1].  price: others', all of which
 * is possible without those.  most: [n] what the rare ones pay at most; NULL: no limit.  cuts: receives boxes that
 * decide. */
covey_status covey_i_bound_price_rare(int64_t *price, bool *is_complete, covey_bound_cuts *cuts, covey_bound *b,
                                      const int64_t *nearest, const int64_t *most, const uint32_t *value, size_t n,
                                      covey_error *err);

#endif
