/* How tables and columns are made; between modules. */
#ifndef COVEY_TABLE_TABLE_IMPL_H
#define COVEY_TABLE_TABLE_IMPL_H

#include <covey/table.h>

#include "base/codes.h"

struct covey_table {
    int64_t n_rows;
    size_t n_columns;
    covey_column **columns; /* [n_columns], one reference each */
    /* What its file says of the columns beside their values: text of a JSON object, of covey_i_malloc; NULL: nothing.
     * {"source": "sav", "file_label": "...", "columns": {"sex": {"label": "...", "value_labels": {"1": "male"},
     * "missing": [9, {"lo": 97, "hi": 99}], "format": "F1.0", "measure": "nominal"}}}, all but columns optional. */
    char *codebook;
    bool is_misguessed; /* the delimiter of its file was stated, and another would be guessed */
};

/* Where the rows of a table stand in their file: row r begins at line first_line + r + the sum of extra[i] over row[i]
 * < r. Shared by the columns of a table; one whose rows are lines 2, 3, ... needs none. */
typedef struct covey_lines {
    int references;
    int64_t first_line; /* line of row 0 */
    bool are_rows;      /* numbers of rows: the table is in no file of lines */
    size_t n;
    int64_t *row;   /* [n] ascending: rows whose record holds line breaks */
    int64_t *extra; /* [n] sums: line breaks inside records up to and including row[i] */
} covey_lines;

int64_t covey_i_lines_at(const covey_lines *lines, int64_t row); /* the line of a row, row + 2 without lines */
const char *covey_i_lines_word(const covey_column *column);      /* what covey_column_line counts: "line" or "row" */
void covey_i_lines_free(covey_lines *lines);                     /* one reference less; NULL allowed */

/* Columns that are used; every stage copes with as many, quasi-identifiers with hierarchies even, and a manifest lists
 * their files. */
enum { COVEY_TABLE_MOST_COLUMNS = 10000 };

/* COVEY_EINVAL if a source has more columns than a table may have, not counting those that are left out.  is_chosen:
 * they are what somebody chose to use; else it may be a table of a release, whose rows have the number of their class
 * besides. */
covey_status covey_i_table_check_width(const char *source, size_t n_columns, bool is_chosen, covey_error *err);

/* A table with n_columns unset columns, which covey_table_free lets be. */
covey_status covey_i_table_new(covey_table **out, int64_t n_rows, size_t n_columns, covey_error *err);

/* Bytes per code for a dictionary of that size: 1 up to 256 values, 2 up to 65,536, else 4. */
int covey_i_table_code_width(uint32_t n_values);

/* The code of a row, for inner loops (covey_column_code is a call). */
static inline uint32_t covey_i_code(const covey_column *column, int64_t row)
{
    return covey_i_codes_get(column->codes, column->width, (size_t)row);
}

/* One value of a dictionary that is being made. */
typedef struct covey_label {
    const char *text; /* not NUL-terminated */
    size_t size;
} covey_label;

/**
 * Makes a column with an owned dictionary.  labels [n_values] (NULL: the values of a text column have
 * none) and number [n_values] (NULL for text) are copied; name too. codes: taken over (freed with covey_i_free, on
 * failure too), of width covey_i_table_code_width(n_values), or NULL for a dictionary without rows.  text has 16
 * readable bytes behind the last value, so that writers may copy in fixed steps.
 */
covey_status covey_i_column_new(covey_column **out, const char *name, covey_type type, int64_t n_rows,
                                uint32_t n_values, bool has_null, int scale, const covey_label *labels,
                                const int64_t *number, void *codes, covey_error *err);

/* A new column whose codes are map[old code], map[code] < n_values for every code that occurs; labels as above; the old
 * one is not changed. */
covey_status covey_i_column_recode(covey_column **out, const covey_column *column, covey_type type, const uint32_t *map,
                                   uint32_t n_values, bool has_null, int scale, const covey_label *labels,
                                   const int64_t *number, covey_error *err);

/**
 * A column of numbers with more places behind the point, and the same codes and labels; integers become decimals.
 *
 * @param out     receives NULL where a value does not fit the digits that numbers may have
 * @param misfit  receives its code then
 * @param scale   not less than the column's
 */
covey_status covey_i_column_rescale(covey_column **out, uint32_t *misfit, const covey_column *column, int scale,
                                    covey_error *err);

/* What all of a column's numbers are multiples of: 10^n, n being the places behind the point that none of them needs.
 */
int64_t covey_i_column_unit(const covey_column *column);

/* A column with a row for each value of the other: row v has code v, and its line is none of the file's. */
covey_status covey_i_column_values(covey_column **out, const covey_column *column, covey_error *err);

/* Gives a column that was made from those of covey_i_column_values(of), and that nobody else has, the rows of `of`:
 * each gets the code that its value's row has.  Where `of` is nobody else's, too, it may lose its codes, which saves
 * memory: it is then good for freeing only. */
covey_status covey_i_column_spread(covey_column *values, covey_column *of, covey_error *err);

/* The code of a text in a column whose values are in byte order, but for the missing one; -1 if it is none of them. */
int64_t covey_i_column_find(const covey_column *column, const char *text, size_t size);

covey_column *covey_i_column_share(covey_column *column); /* one more reference */
void covey_i_column_free(covey_column *column);           /* one reference less; NULL allowed */

/* Copies codes lo .. hi-1 into 32-bit numbers; lo <= hi. */
static inline void covey_i_column_unpack(uint32_t *out, const covey_column *column, int64_t lo, int64_t hi)
{
    covey_i_codes_unpack(out, covey_i_codes_from(column->codes, column->width, (size_t)lo), column->width,
                         (size_t)(hi - lo));
}

/* A new column of the rows rows[0 .. n-1], which know their lines still.  Values that none of them has are not in its
 * dictionary. */
covey_status covey_i_column_pick(covey_column **out, const covey_column *column, const int64_t *rows, int64_t n,
                                 covey_error *err);

/**
 * Gives a raw text column its type and order (src/table/typing.c).
 *
 * GUESS: integer, decimal or date if every value that is not null is one in canonical writing (no leading zeros, no
 * plus sign), else text.  Numbers: codes by value, texts that mean the same number are joined; the label is the text if
 * all its cells agree, else the number with the column's scale.  Text: by order[0 .. n_order-1] if given, else by
 * bytes.
 *
 * Declared integer: optional minus, digits, optional point and zeros; decimal: any digits behind the point; at most 18
 * digits either way; date: a day of the calendar as YYYY-MM-DD.  A guess takes leading zeros for a text ("00345" is a
 * code, not a number).  A column whose values are all missing is text, and so are numbers that together need more than
 * 18 digits (covey_i_typing_check_digits).  Values that do not occur need not fit; they are left out then.  A text
 * without order is the raw column itself, with one more reference; with order all of order is in the dictionary.
 *
 * @return COVEY_EPARSE naming the column, the first row that does not fit (row = its line, found by a scan) and the
 * offending cell; COVEY_EINVAL for a value missing from order, for order given with a number, for a value twice in
 * order
 */
covey_status covey_i_typing_column_type(covey_column **out, const covey_column *raw, covey_type type,
                                        const char *const *order, size_t n_order, const char *file, covey_error *err);

/* COVEY_EPARSE naming both cells if the column would be numbers but for two of them: the places behind the point of one
 * and the digits in front of that of the other are more than 18.  Who takes such a column for text would order it by
 * bytes. */
covey_status covey_i_typing_check_digits(const covey_column *raw, const char *file, covey_error *err);

/* The type that all values of a raw text column's dictionary are of, whichever rows have them; as guessing takes it. */
covey_status covey_i_typing_of_values(covey_type *out, const covey_column *raw, covey_error *err);

/* The first row of a text column with a value that keeps it from being numbers, where most of its different values are
 * numbers (no codes with leading zeros); else -1.  n_texts: NULL, or receives how many different values do so; of
 * several it is the row of the first in the order of the column's values. */
int64_t covey_i_typing_stray_text(uint32_t *n_texts, const covey_column *column);

/* The first row of a text column whose values are numbers, but that some have more than 18 digits, with such a value;
 * else -1. */
int64_t covey_i_typing_long_number(const covey_column *column);

/* The first row of a text column with a number in another writing than covey's (4e5, +3, .5, blanks around), where all
 * of its values are numbers; else -1. */
int64_t covey_i_typing_odd_number(const covey_column *column);

/* A sampling weight (src/table/weight.c): false if text is no finite number greater than 0. */
bool covey_i_weight_read(double *out, const char *text);

/* Exact decimal: value * 10^scale; scale is the number of digits after the point.  False if text is not one (at most 18
 * digits). */
bool covey_i_typing_parse_decimal(int64_t *value, int *scale, const char *text, size_t size);
/* "00345" is a code, not a number, as far as a guess goes. */
bool covey_i_typing_has_leading_zeros(const char *text, size_t size);
/* Is it one but for its digits, which are more than 18? */
bool covey_i_typing_is_long_number(const char *text, size_t size);
/* number * 10^(to - from); false, with number as it was, if to < from or that has more than 18 digits.  All numbers of
 * a column pass here, with its scale, so that none of their differences leaves an int64_t. */
bool covey_i_typing_rescale_number(int64_t *number, int from, int to);
/* YYYY-MM-DD to days since 1970-01-01. */
bool covey_i_typing_parse_date(int64_t *days, const char *text, size_t size);
/* Reads text[0 .. size-1] as a number of that type, value * 10^scale, with the fewest places behind the point; false if
 * it is none. */
bool covey_i_typing_read_number(int64_t *number, int *scale, covey_type type, const char *text, size_t size);
/* Writes a number the way the column does; returns bytes written (without NUL). */
size_t covey_i_typing_format_number(char *out, size_t out_size, covey_type type, int64_t number, int scale);

#endif
