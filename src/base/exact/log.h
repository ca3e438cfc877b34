/* Logarithms and exponentials of rationals with known rounding: integers only, so that every machine gives the same
 * verdict. Lower bounds come from series of positive terms whose every step is rounded down. */
#ifndef COVEY_BASE_EXACT_LOG_H
#define COVEY_BASE_EXACT_LOG_H

#include "base/exact/fraction.h"

/* Lower bound of ln(num/den) * 2^64, less than 2 below the truth; 2^62 > num >= den > 0.  0 for num = den. */
covey_u128 covey_i_log_floor(uint64_t num, uint64_t den);

/* Lower bound of e^x * 2^90 with a relative error below 2^-86; 0 <= x <= 23. */
covey_u128 covey_i_log_exp_floor(covey_ratio x);

/* The sum of weight * ln(number) over many terms, enclosed ever more tightly. */
enum { COVEY_LOG_SUM_LIMBS = 64 };

typedef struct covey_log_sum {
    int n;          /* 64-bit limbs after the point, at most COVEY_LOG_SUM_LIMBS */
    int64_t twos;   /* how often ln 2 is in the sum; the rest of each logarithm is in the two bounds */
    uint64_t slack; /* either bound is less than this many units of its last place below the truth */
    uint64_t positive[COVEY_LOG_SUM_LIMBS + 1],
        negative[COVEY_LOG_SUM_LIMBS + 1]; /* lower bounds; [n] is the whole part */
} covey_log_sum;

void covey_i_log_sum_init(covey_log_sum *sum, int n);
/* 0 < number < 2^62; the weights' absolute values must sum to less than 2^36. */
void covey_i_log_sum_add(covey_log_sum *sum, int64_t weight, uint64_t number);
/* -1 or 1 if the sum is proven to be negative or positive, 0 if n limbs cannot tell.  Call once, after the last term.
 */
int covey_i_log_sum_sign(covey_log_sum *sum);

/* The sum of weight * ln(number) over terms that are asked for again and again, against t times a whole number in nats
 * or bits. */
typedef struct covey_log_term {
    covey_u128 number; /* 1 .. 2^127 - 1; 1 adds nothing */
    covey_u128 weight; /* below 2^66 */
    bool is_negative;  /* -weight */
} covey_log_term;

typedef struct covey_log_form {
    covey_log_term (*term)(const void *context, uint64_t index);
    const void *context;
    uint64_t n_terms; /* below 2^34 */
    covey_u128 whole; /* below 2^66 */
    covey_ratio t;    /* >= 0 */
    bool natural;     /* t is in nats, else in bits */
} covey_log_form;

/**
 * Is the sum at most t * whole (natural), or t * whole * ln 2?
 *
 * Bounds of growing precision decide.  Where they cannot, the two may be equal, which is proven by comparing the
 * exponents of what the numbers are made of.  What 1,024 bits cannot tell apart and those cannot prove equal (more than
 * some hundred different primes, products of two large ones) counts as more.
 */
bool covey_i_log_form_is_within(const covey_log_form *form);

#endif
