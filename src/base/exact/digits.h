/* Decimal digits, many times faster than printf makes them. */
#ifndef COVEY_BASE_EXACT_DIGITS_H
#define COVEY_BASE_EXACT_DIGITS_H

#include <stdint.h>
#include <string.h>

#include "base/exact/fraction.h" /* covey_u128 */

enum { COVEY_DIGITS = 44 }; /* those of any 128 bits with a point, a sign and a comma */

/* Writes the digits so that they end at end, two at a time; returns where they begin. */
static inline char *covey_i_digits(char *end, uint64_t number)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142"
                                "434445464748495051525354555657585960"
                                "616263646566676869707172737475767778798081828384858687888990919293949596979899";

    for (; number >= 100; number /= 100)
        memcpy(end -= 2, pairs + 2 * (number % 100), 2);
    if (number >= 10)
        memcpy(end -= 2, pairs + 2 * number, 2);
    else
        *--end = (char)('0' + number);
    return end;
}

/* The same of number / 10^scale with its sign and all digits behind the point; at most COVEY_DIGITS - 1 for 128 bits.
 */
static inline char *covey_i_decimal_digits(char *end, covey_i128 number, int scale)
{
    covey_u128 left = number < 0 ? -(covey_u128)number : (covey_u128)number;

    if (scale == 0 && left <= UINT64_MAX) {
        end = covey_i_digits(end, (uint64_t)left);
    } else {
        for (int digits = 0; left > 0 || digits <= scale; digits++) {
            if (digits == scale && scale > 0)
                *--end = '.';
            if (left <= UINT64_MAX) { /* 64-bit division is many times faster */
                uint64_t low = (uint64_t)left;

                *--end = (char)('0' + low % 10);
                left = low / 10;
            } else {
                *--end = (char)('0' + (int)(left % 10));
                left /= 10;
            }
        }
    }
    if (number < 0)
        *--end = '-';
    return end;
}

#endif
