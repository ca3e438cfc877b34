/* CSV one cell and one record at a time (RFC 4180): quoting for writers, and a careful parser for small files and for
 * exact error messages.  The fast reader of whole tables is src/io/csv/read.c; it obeys the same grammar. */
#ifndef COVEY_BASE_CSV_CELL_H
#define COVEY_BASE_CSV_CELL_H

#include <covey/base.h>

#include "base/text.h"

/* Must the cell be quoted?  It holds the delimiter, a quote, CR or LF, begins like a byte order mark, or is
 * a "sep=;", which in front of a table says its delimiter. */
bool covey_i_csv_needs_quotes(const char *bytes, size_t n, char delimiter);

/* COVEY_EINVAL for a quote, CR, LF or a byte that is not ASCII; 0, which means "guess", is allowed. */
covey_status covey_i_csv_check_delimiter(char delimiter, covey_error *err);

/* Appends a cell, quoted if it must be.  Writes no delimiter and no line end.  An empty cell that is a whole line must
 * be written as
 * "" by the caller: readers take a blank line at the end of a file for nothing. */
void covey_i_csv_add_cell(covey_text *out, const char *bytes, size_t n, char delimiter);

typedef struct covey_csv_parser {
    const char *cursor, *end; /* what is left; borrowed from the caller of _init */
    char delimiter;
    bool trim;                /* blanks around cells, outside quotes, are dropped */
    bool any_bytes;           /* NUL bytes and invalid UTF-8 are let through */
    const char *const *names; /* [n_names] names of the cells for messages, or NULL: cells are numbered */
    size_t n_names;
    int64_t line; /* line the next record begins at, the first is 1 */

    /* The record that _next has read. */
    int64_t record_line; /* line it begins at */
    size_t n_fields;     /* at least 1; a blank line is one empty field */
    covey_text bytes;    /* the fields without quoting, a NUL behind each */
    size_t *start;       /* [n_fields + 1] offsets into bytes; field i has start[i + 1] - start[i] - 1 bytes */
    size_t capacity;     /* of start */
    bool blank;          /* a line without any byte */
} covey_csv_parser;

/* Starts on bytes[0 .. size-1], which must stay; a UTF-8 byte order mark is skipped, then a line such as
 * "sep=;"; blank lines at the end are cut off.  Never fails. */
void covey_i_csv_parser_init(covey_csv_parser *parser, const char *bytes, size_t size, char delimiter);
void covey_i_csv_parser_clear(covey_csv_parser *parser); /* gives back memory; parser may be all zeros */

/**
 * Reads the next record.
 *
 * @param more  set to false at the end of the file, then there is no record
 * @param file  name for messages
 * @return COVEY_OK; COVEY_ENOMEM; COVEY_EPARSE with file, line and cell for a quote inside an unquoted cell, text
 * behind a closing quote, a quote that is never closed, a NUL byte, invalid UTF-8
 */
covey_status covey_i_csv_parser_next(bool *more, covey_csv_parser *parser, const char *file, covey_error *err);

/* The i-th field of the record, NUL-terminated, valid until the next call. */
static inline const char *covey_i_csv_field(const covey_csv_parser *parser, size_t i)
{
    return parser->bytes.bytes + parser->start[i];
}

static inline size_t covey_i_csv_field_size(const covey_csv_parser *parser, size_t i)
{
    return parser->start[i + 1] - parser->start[i] - 1;
}

/* bytes[0 .. result-1] without blank lines at the end. */
size_t covey_i_csv_size_without_blank_end(const char *bytes, size_t size);

/**
 * Guesses the delimiter from the first lines: the one of , ; TAB | that occurs outside quotes, and equally often in
 * each; among several the most frequent.  If none does, the most frequent of the first line; ',' if it has none of
 * them.
 */
char covey_i_csv_guess(const char *bytes, size_t size);

/* A cell for a message: at most 40 characters of it, then "..."; out holds COVEY_CSV_SHOWN bytes.  Bytes that are not
 * UTF-8 become '?'. */
enum { COVEY_CSV_SHOWN = 4 * 40 + 4 };
const char *covey_i_csv_shown(char *out, const char *bytes, size_t n);

#endif
