/* Where cells end: all delimiters and line feeds of a stretch of CSV that are not within quotes, found many bytes at a
 * time. */
#ifndef COVEY_IO_CSV_MARKS_H
#define COVEY_IO_CSV_MARKS_H

#include <covey/base.h>

/* Offsets behind the stretch's first byte, ascending. */
typedef struct covey_csv_marks {
    uint32_t *end;       /* [capacity + 1] cell i lies behind end[i], up to end[i + 1], a delimiter or a line feed;
                            end[0] is the place before the first byte: UINT32_MAX, so that end[0] + 1 is 0 */
    uint32_t *line_feed; /* [capacity] the line feeds among the ends */
    size_t capacity;
    size_t n_ends, n_line_feeds;
    bool simple; /* quotes only around whole cells, none of which holds a quote or a line feed */
} covey_csv_marks;

/* Are there instructions for it on this machine?  If not, covey_i_csv_marks_find finds nothing. */
extern const bool covey_i_csv_has_marks;

bool covey_i_csv_marks_new(covey_csv_marks *marks, size_t least); /* room for that many ends; false without memory */
void covey_i_csv_marks_free(covey_csv_marks *marks);              /* may be all zeros */

/* Finds the marks from the beginning of a record on, until at least `wanted` (at most what marks_new was told) are
 * found, end is reached, or offsets would become too large for a number of lines that a batch has. */
void covey_i_csv_marks_find(covey_csv_marks *marks, const char *start, const char *end, char delimiter, bool has_quotes,
                            size_t wanted);

#endif
