/* The steps of m-invariance: what new rows are for, buckets of rows with one signature, and cutting these into classes.
 */
#ifndef COVEY_METHOD_M_INVARIANCE_M_INVARIANCE_H
#define COVEY_METHOD_M_INVARIANCE_M_INVARIANCE_H

#include "base/rng.h"
#include "method/method_impl.h"

/* --- quota.c --- */

/* What becomes of the new rows of each value.  [n_values] each. */
typedef struct covey_quota {
    uint32_t n_values;
    int64_t *n;      /* given: new rows */
    int64_t *wanted; /* given: rows that balancing the buckets asks for */
    int64_t *drop;   /* found: are suppressed */
    int64_t *take;   /* found: balance buckets; the others get signatures of their own */
} covey_quota;

/**
 * Suppresses as few rows as possible, and then takes as many as possible for the buckets, so that the values of those
 * that are left are m-eligible: none has more than 1/m of them.
 *
 * @return how many rows are suppressed; none can be too many
 */
int64_t covey_i_quota_find(covey_quota *quota, int64_t m);

/* --- buckets.c --- */

/* Rows by signature and value: a slot for each value of a bucket's signature. */
typedef struct covey_buckets {
    uint32_t n, capacity;
    uint32_t *start; /* [n + 1] first slot of each bucket */
    uint32_t slot_capacity;
    uint32_t *value, *count, *head; /* [start[n]] slots; head: a row of it, UINT32_MAX: none */
    uint32_t *next;                 /* [rows of the table] the row behind one in its slot */
    covey_arena *arena;
} covey_buckets;

covey_status covey_i_buckets_init(covey_buckets *b, uint32_t n_rows, covey_arena *arena, covey_error *err);
/* One with these n values, ascending. */
covey_status covey_i_buckets_add(uint32_t *out, covey_buckets *b, const uint32_t *value, uint32_t n, covey_error *err);
/* The bucket with these values; b->n if there is none. */
uint32_t covey_i_buckets_find(const covey_buckets *b, const uint32_t *value, uint32_t n);
/* The bucket's slot for a value; UINT32_MAX if its signature lacks it. */
uint32_t covey_i_buckets_slot(const covey_buckets *b, uint32_t bucket, uint32_t value);
void covey_i_buckets_put(covey_buckets *b, uint32_t slot, uint32_t row);
/* Rows of the value that has most: as many classes come of the bucket. */
uint32_t covey_i_buckets_height(const covey_buckets *b, uint32_t bucket);

/* --- assign.c --- */

/* New rows of each value, which leave from the end. */
typedef struct covey_stock {
    uint32_t n_values;
    uint32_t *start, *left; /* [n_values + 1], [n_values] */
    uint32_t *row;
} covey_stock;

static inline uint32_t covey_i_stock_take(covey_stock *stock, uint32_t value)
{
    return stock->row[stock->start[value] + --stock->left[value]];
}

/* Puts all rows of the stock, whose values are m-eligible, into buckets, so that each gets as many rows of every value
 * of its signature.  [XiaoTao07] section 5.3 */
covey_status covey_i_m_assign(covey_buckets *b, covey_stock *stock, int64_t m, covey_error *err);

/* --- cut.c --- */

/* Rows that are made up, of all buckets.  [n] each. */
typedef struct covey_counterfeits {
    uint32_t n;
    uint32_t *like;  /* a row of its class */
    uint32_t *value; /* its sensitive value */
    uint32_t *class;
} covey_counterfeits;

/* Cuts every bucket into classes with one row for each value of its signature, made up where rows are too few.
 * class_of_row: [rows of the table] receives the classes of the buckets' rows. */
covey_status covey_i_m_cut(uint32_t *class_of_row, uint32_t *n_classes, covey_counterfeits *made,
                           const covey_buckets *b, const covey_problem *problem, covey_arena *arena,
                           const covey_run *run, covey_error *err);

#endif
