/* Labels that say which numbers they stand for: those of built hierarchies (ranges, runs, ends, months and years) and
 * of published ranges. */
#ifndef COVEY_QUERY_LABEL_H
#define COVEY_QUERY_LABEL_H

#include <covey/table.h>

/* The numbers from low to high, both at the scale. */
typedef struct covey_number_label {
    bool has_low, has_high; /* false: no end on this side */
    bool high_open;         /* high itself is not among them */
    int64_t low, high;
    int scale;
} covey_number_label;

/* Reads "17", "[20, 39]", "[0,4)", "20-39", "19..40", "<0", ">=100", "90+", "2001", "2001-02", "2001-Q1", "2000s";
 * false if it is none of these, or low is above high. */
bool covey_i_query_label(covey_number_label *out, covey_type type, const char *text);

#endif
