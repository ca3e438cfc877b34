/* Cells of a numbered file that are looked up together.
 *
 * In some files, such as those of small groups or buckets, rows are hardly ever like the one before, and which of their cells differ is foreseen by nobody.
 * So all are looked up, in rows that go through the same instructions whatever they hold: neighbouring cells as one text with their delimiters, a span, as
 * long as these are short and of few kinds.  A text is taken apart when it comes for the first time.  See csv_spans.c. */
#ifndef COVEY_CSV_SPANS_H
#define COVEY_CSV_SPANS_H

#include "io/csv_sorted_scan.h"

struct covey_csv_span {
    size_t first, n;              /* columns */
    covey_dictionary joint;       /* n > 1: texts of all of them */
    covey_dictionary *dictionary; /* joint, or that of the only column */
    uint32_t *cell;               /* n > 1: [dictionary->n][n] the columns' codes */
    size_t capacity;              /* texts that cell has room for */
};

/* Looks at some of all rows: are they to be read by spans, and which?  Sets scanner->span_use; false without memory. */
bool covey_i_csv_spans_try(covey_csv_scanner *scanner);
void covey_i_csv_spans_free(covey_csv_scanner *scanner);

/* Reads a chunk's rows by spans: a span's codes stand where those of its first column would.  False: they are not for this way, or without memory;
 * span_use turns COVEY_SPANS_NONE if they are for the other way of reading sorted rows. */
bool covey_i_csv_spans_scan(covey_sorted_scan *x);

/* Where column c stands among the spans, and which of its span's columns it is. */
const covey_csv_span *covey_i_csv_span_of(size_t *k, const covey_csv_scanner *scanner, size_t c);

#endif
