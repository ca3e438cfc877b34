/* The most rows of a sensitive value that a class may hold under beta-likeness, exact. */
#ifndef COVEY_BASE_EXACT_CAP_H
#define COVEY_BASE_EXACT_CAP_H

#include "base/exact/fraction.h"

/* A bound on the share of one value in a class: the smaller of an exact rational and, for the enhanced model, a
 * logarithm. */
typedef struct covey_cap {
    covey_u128 num, den; /* linear part (1 + beta) p in lowest terms, both < 2^96 */
    uint64_t log_share;  /* floor(p (1 - ln p) * 2^62) or a little less; UINT64_MAX: no such part */
} covey_cap;

/* Shares (1 + beta) p and p (1 + min(beta, -ln p)) with p = count/total; 0 <= count <= total, 0 < total < 2^32, beta >
 * 0. Source: [CaoKarras12] Definitions 2 and 3. */
covey_cap covey_i_cap_basic(int64_t count, int64_t total, covey_ratio beta);
covey_cap covey_i_cap_enhanced(int64_t count, int64_t total, covey_ratio beta);

/* The most rows in a class of `size` rows, 0 <= size < 2^32. */
int64_t covey_i_cap_rows(const covey_cap *cap, int64_t size);
/* The smallest class that may hold one row of the value; INT64_MAX if none may. */
int64_t covey_i_cap_least_size(const covey_cap *cap);

/* rows <= covey_i_cap_rows(cap, size), without a division. */
static inline bool covey_i_cap_holds(const covey_cap *cap, int64_t rows, int64_t size)
{
    /* Definition 3 says <=: a class exactly at its bound is admitted. */
    return (covey_u128)rows * cap->den <= (covey_u128)size * cap->num &&
           (cap->log_share == UINT64_MAX || (covey_u128)rows << 62 <= (covey_u128)cap->log_share * (uint64_t)size);
}

/* The fewest rows of a value: the larger of two bounds on its share in a class. */
typedef struct covey_need {
    covey_u128 num, den; /* in lowest terms, both < 2^96 */
    uint64_t log_share;  /* p / (1 - ln p) * 2^62 or a little more; 0: no such part */
} covey_need;

/* Shares q with p/q - 1 <= beta, with p/q - 1 <= min(beta, -ln p), and with (p - q)/p <= loss < 1; p = count/total as
 * above. A value that occurs in the table must occur in the class. */
covey_need covey_i_need_basic(int64_t count, int64_t total, covey_ratio beta);
covey_need covey_i_need_enhanced(int64_t count, int64_t total, covey_ratio beta);
covey_need covey_i_need_loss(int64_t count, int64_t total, covey_ratio loss);

/* The fewest rows in a class of `size` rows, 0 <= size < 2^32. */
int64_t covey_i_need_rows(const covey_need *need, int64_t size);

/* rows >= covey_i_need_rows(need, size), without a division. */
static inline bool covey_i_need_holds(const covey_need *need, int64_t rows, int64_t size)
{
    return (covey_u128)rows * need->den >= (covey_u128)size * need->num &&
           (covey_u128)rows << 62 >= (covey_u128)need->log_share * (uint64_t)size;
}

#endif
