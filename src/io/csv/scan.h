/* The inner loop of the CSV reader: from the bytes of a chunk to dictionary codes, column by column.
 *
 * A chunk begins at a record and ends behind one.  The scanner accepts exactly what the careful parser of
 * base/csv_cell.h accepts, but it does not say what is wrong: a chunk it refuses is read again by that parser, which
 * does. */
#ifndef COVEY_IO_CSV_SCAN_H
#define COVEY_IO_CSV_SCAN_H

#include <covey/base.h>

#include "base/arena.h"
#include "base/text.h"
#include "io/csv/marks.h"
#include "io/dictionary.h"
#include "io/key_numbers.h"
#include "io/value_sample.h"

/* A piece of the file, and what became of it. */
typedef struct covey_csv_chunk {
    const char *start, *end; /* of the input; covey_i_load_word works up to end */
    int64_t first_line;      /* line of the file that start is on */
    int64_t n_line_ends;     /* LF bytes, also within quotes: no more records than that + 1 */
    bool has_quotes;
    bool plain;    /* ASCII without NUL */
    size_t worker; /* whose dictionaries the codes refer to */
    int64_t n_rows;
    covey_arena *room;              /* of the codes; NULL: each column's are an array of their own */
    void **codes;                   /* [n_columns] arrays [n_rows] of width bytes; NULL for columns that are not kept */
    uint8_t *width;                 /* [n_columns] */
    int64_t *long_row, *long_extra; /* [n_long] rows that hold line breaks, and how many */
    size_t n_long, long_capacity;
    uint32_t first_number, n_numbers,
        *number_start;   /* of a numbered file: [n_numbers] first row of each, see sorted.h */
    bool has_other_keys; /* than numbers, in a column of keys */
    bool wrong;          /* not well-formed, or not sorted as it is expected to be */
    bool bad_bytes;      /* NUL or no UTF-8 somewhere, perhaps in a column that is not kept */
} covey_csv_chunk;

/* What a worker takes from chunk to chunk. */
typedef struct covey_csv_scanner {
    size_t n_columns;
    char delimiter;
    bool trim;
    const bool *kept;             /* [n_columns] */
    covey_dictionary *dictionary; /* [n_columns] */
    covey_key_numbers *key;       /* [n_columns] of those in is_key, which have no dictionary; NULL: none is */
    const bool *is_key;           /* [n_columns] */
    covey_value_sample *sample;   /* [n_columns] of columns that are watched, all zeros for others; NULL: none is */
    uint32_t *batch;              /* [n_columns][batch_rows] codes on their way to the chunk */
    size_t batch_rows;            /* 0: batches have no room yet */
    covey_csv_marks marks;        /* of a batch */
    covey_arena codes;            /* room for those of its chunks */
    covey_text cell;              /* a cell with doubled quotes, undone */
    bool out_of_memory;
} covey_csv_scanner;

bool covey_i_csv_scanner_init(covey_csv_scanner *scanner, size_t n_columns, char delimiter, bool trim,
                              const bool *kept);
/* Takes columns for keys (io/key_numbers.h), whose codes are their numbers then; all of them are kept.  False without
 * memory. */
bool covey_i_csv_scanner_number(covey_csv_scanner *scanner, const bool *is_key);
/* Watches the columns marked in watched [n_columns]; none of them is kept.  False without memory. */
bool covey_i_csv_scanner_watch(covey_csv_scanner *scanner, const bool *watched);
void covey_i_csv_scanner_free(covey_csv_scanner *scanner); /* may be all zeros */

/* Reads a chunk; sets chunk->wrong or scanner->out_of_memory if it could not. */
void covey_i_csv_scan(covey_csv_chunk *chunk, covey_csv_scanner *scanner);
/* Gives column c wider codes if so many values need them; the first n_rows are kept.  False without memory. */
bool covey_i_csv_chunk_widen(covey_csv_chunk *chunk, size_t c, uint32_t n_values, int64_t n_rows);
/* Gives back those of column c, if they are an array of their own. */
void covey_i_csv_chunk_free_codes(covey_csv_chunk *chunk, size_t c);
void covey_i_csv_chunk_clear(covey_csv_chunk *chunk, size_t n_columns);

#endif
