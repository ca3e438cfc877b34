/* Exact fractions of 128-bit integers: figures and verdicts.  Comparison never overflows; the arithmetic says so when
 * it would. */
#ifndef COVEY_BASE_EXACT_FRACTION_H
#define COVEY_BASE_EXACT_FRACTION_H

#include <covey/base.h>

typedef __int128 covey_i128;
typedef unsigned __int128 covey_u128;

typedef struct covey_fraction {
    covey_i128 num, den; /* den > 0, lowest terms */
} covey_fraction;

/* num/den in lowest terms; den != 0. */
covey_fraction covey_i_fraction(covey_i128 num, covey_i128 den);
covey_fraction covey_i_fraction_of_ratio(covey_ratio r);
/* <0, 0, >0; exact for all values (by continued fractions). */
int covey_i_fraction_compare(covey_fraction a, covey_fraction b);
/* <0, 0, >0 as a * b < c * d, a * b = c * d, a * b > c * d; exact. */
int covey_i_fraction_compare_products(covey_u128 a, covey_u128 b, covey_u128 c, covey_u128 d);
double covey_i_fraction_value(covey_fraction f);
/* num / den, rounded; den > 0. */
long double covey_i_i128_quotient(covey_i128 num, covey_i128 den);
/* "79/20", "3"; size 96 always suffices.  Returns the bytes written. */
size_t covey_i_fraction_text(char *out, size_t size, covey_fraction f);
/* Reads "79/20" or "3" back. */
bool covey_i_fraction_parse(covey_fraction *out, const char *text);
size_t covey_i_i128_text(char *out, size_t size, covey_i128 value);

#endif
