/* Writing large tables: lines are formatted group by group on all threads, and written and hashed one piece after
 * another.
 *
 * Everything that repeats is made once: the ready CSV text of every value of a column.  Lines are then put together by
 * copying. */
#ifndef COVEY_RELEASE_SHEET_SHEET_H
#define COVEY_RELEASE_SHEET_SHEET_H

#include <string.h>

#include "base/file/outfile.h"
#include "base/hash.h"
#include "base/text.h"
#include "release/release_impl.h"

enum {
    COVEY_SHEET_SLACK = 16
}; /* bytes that must be readable behind what is copied, and writable behind where it goes */

/* Ready cells of a column that is written as it is: ",value" per code. */
typedef struct covey_ready_cells {
    const covey_column *column;
    const void *codes; /* [n_rows] the column's, or others of its width in their place */
    covey_text bytes;
    size_t *start; /* [n_values + 1] */
    size_t longest;
} covey_ready_cells;

/* empty: how an empty cell is written */
covey_status covey_i_ready_cells_make(covey_ready_cells *cells, const covey_column *column, char delimiter,
                                      const char *empty, covey_error *err);
void covey_i_ready_cells_free(covey_ready_cells *cells);

/* Copies in fixed steps: both buffers have COVEY_SHEET_SLACK bytes behind what counts. */
static inline char *covey_i_sheet_copy(char *to, const char *from, size_t n)
{
    for (size_t i = 0; i < n; i += COVEY_SHEET_SLACK)
        memcpy(to + i, from + i, COVEY_SHEET_SLACK);
    return to + n;
}

static inline char *covey_i_sheet_copy_cell(char *to, const covey_ready_cells *cells, uint32_t code)
{
    return covey_i_sheet_copy(to, cells->bytes.bytes + cells->start[code], cells->start[code + 1] - cells->start[code]);
}

/**
 * Appends a line for each of rows[0 .. n-1]: the prefix, then their cells.
 *
 * @param to      has room for n times the prefix, the longest cell of each column and a line end, and COVEY_SHEET_SLACK
 * more
 * @param prefix  with COVEY_SHEET_SLACK readable bytes behind; NULL: none, and no comma before the first cell
 * @return the end of what was written
 */
char *covey_i_sheet_copy_rows(char *to, const covey_ready_cells *cells, size_t n_cells, const uint32_t *rows, size_t n,
                              const char *prefix, size_t n_prefix);

/* One file. */
typedef struct covey_sheet {
    const char *name;   /* "quasi.csv" */
    const char *header; /* with the line's end */
    uint32_t n_groups;
    const uint32_t *start; /* [n_groups + 1] first line of each group; pieces are whole groups of about as many lines;
                              NULL: every group is a line */
    uint32_t lines_per_piece; /* 0: as many as is usual */
    /* Appends the lines of groups begin .. end-1; called from several threads at once. */
    covey_status (*lines)(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err);
    const void *context;
    const char *phase; /* of progress, which the run is told and may cancel; NULL: it is not asked */
} covey_sheet;

/* Writes the file into the folder and lists it; one that is listed already gets these lines at its end. */
covey_status covey_i_sheet_write(const covey_sheet *sheet, const char *folder, covey_files *files, const covey_run *run,
                                 covey_error *err);

/* The SHA-256 of a file that is made while it is written: from memory, by the thread that made the lines, while others
 * make the next ones. */
typedef struct covey_sheet_hash {
    covey_sha256 sum;
    double seconds; /* of the time of writing: as large a share as hashing has of what threads did */
} covey_sheet_hash;

/* Appends its lines, without the header, to an open file, and to its hash; hash: NULL if it is not wanted.
 * COVEY_ECANCELLED; COVEY_ENOMEM; what lines returns. */
covey_status covey_i_sheet_append(const covey_sheet *sheet, covey_outfile *out, covey_sheet_hash *hash,
                                  const covey_run *run, covey_error *err);

/* A file's bytes are all in its hash: its size and hash are known. */
void covey_i_sheet_hash_end(covey_files *files, covey_file *file, covey_sheet_hash *hash);

/* Appends a name to a header: a comma unless it is the first, quotes where it needs them. */
void covey_i_sheet_add_name(covey_text *header, const char *name);

#endif
