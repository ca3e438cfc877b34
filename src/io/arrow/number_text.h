/* Values of Arrow columns as texts: what a CSV file would have.  Once per different value, never once per row. */
#ifndef COVEY_IO_ARROW_NUMBER_TEXT_H
#define COVEY_IO_ARROW_NUMBER_TEXT_H

#include "io/arrow/field.h"

enum { COVEY_ARROW_TEXT_SIZE = 256 };

/* How the timestamps of a column are written: the same for all. */
typedef struct covey_arrow_clock {
    bool dates_only;
    int digits; /* of a second that are written */
} covey_arrow_clock;

/* What column of timestamps needs, by all of its values: widens *clock. */
void covey_i_arrow_clock_widen(covey_arrow_clock *clock, const covey_arrow_field *field, int64_t value);

/* Writes a value of at most 8 bytes (a double's or float's bits, the scaled integer of a decimal, days, ...); bytes
 * written. */
size_t covey_i_arrow_number_text(char out[COVEY_ARROW_TEXT_SIZE], const covey_arrow_field *field,
                                 const covey_arrow_clock *clock, int64_t value);
/* The same for a decimal of n little-endian 64-bit words in two's complement, n <= 4. */
size_t covey_i_arrow_decimal_text(char out[COVEY_ARROW_TEXT_SIZE], const uint64_t *words, int n, int scale);

#endif
