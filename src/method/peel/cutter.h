/* Where a class is cut in two: scratch of one thread, and the search for the place. */
#ifndef COVEY_METHOD_PEEL_CUTTER_H
#define COVEY_METHOD_PEEL_CUTTER_H

#include "method/peel/peel.h"

/* What is cut, as items.  Where every row is a lot and promises look at nothing but sizes, an item is all its rows that
 * are alike, by the first such row of the table; elsewhere it is a lot. */
typedef struct covey_peel_cutter {
    covey_peel *p;
    bool is_shared;      /* other threads cut at the same time: p is only read */
    uint32_t *lots;      /* [n] the items of what is cut, ascending */
    uint32_t *size;      /* [n_rows of the table] by item: its rows; NULL: items are lots */
    const uint32_t *box; /* [2 * width] */
    uint32_t n, n_rows;
    int64_t work; /* what p->work counts */

    uint32_t *open; /* [n_open] axes on which items differ */
    size_t n_open;
    int64_t closed_loss; /* of a row, on the others */
    int64_t whole;       /* what is cut costs */
    void *codes;         /* [n * stride] of items on open axes, from the box on, `width` bytes each */
    size_t stride;
    int width;
    void *hull;      /* [2 * stride] of what lies before or behind a boundary */
    uint32_t *order; /* [n] items by code on one axis: of one code */
    uint32_t *begin; /* [n_runs + 1] is each run from begin on, */
    int64_t *behind; /* [n_runs] whose rows and all behind lose so much each, */
    int64_t *spare;  /* [n_runs] and so much of it is spare */
    uint32_t n_runs;
    uint32_t *count; /* scratch of who sorts */
    uint64_t *keys, *scratch;
    uint32_t *half;   /* [n] one half, to be judged */
    int64_t n_judged; /* rows of all halves */
    int64_t n_seen;   /* items sorted and judged since the caller was asked last */
} covey_peel_cutter;

typedef struct covey_peel_cut_place {
    int64_t cost, rank; /* rank: with what is spare, twice */
    size_t axis;
    uint32_t threshold; /* codes up to it go left */
} covey_peel_cut_place;

/* items.c */
/* Scratch for `most` items.  COVEY_ENOMEM; to be cleared whatever the result. */
covey_status covey_i_peel_cutter_new(covey_peel_cutter *k, covey_peel *p, uint32_t most, covey_error *err);
void covey_i_peel_cutter_clear(covey_peel_cutter *k);
void covey_i_peel_sort_items(uint32_t *item, uint32_t n);                /* ascending */
uint32_t covey_i_peel_item_size(const covey_peel_cutter *k, uint32_t i); /* rows of the i-th */
void covey_i_peel_open_axes(covey_peel_cutter *k);                       /* those on which items differ, in the box */
void covey_i_peel_order_by(covey_peel_cutter *k, size_t x);              /* the x-th open axis: by code, then by item */

/* slices.c: where items differ on one axis, whose ranges promises judge, and these ask for nothing but rows beside: a
 * cut of the best slices of all, if they cost less than *best. */
covey_status covey_i_peel_slice(bool *is_sliced, covey_peel_cut_place *best, covey_peel_cutter *k, covey_error *err);

/* cutter.c */
/* The best cut on any axis, if it costs less than *best.  Asks the caller now and then: COVEY_ECANCELLED. */
covey_status covey_i_peel_find_cut(covey_peel_cut_place *best, covey_peel_cutter *k, covey_error *err);

#endif
