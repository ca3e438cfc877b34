/* Tables: columnar, dictionary-coded, immutable once built.
 *
 * A column holds one code per row and a dictionary from codes to values.  Codes follow the attribute's order (numbers
 * and dates by value, categories by the leaves of their hierarchy in pre-order, otherwise by a given order or by
 * bytes), so that every quasi-identifier is an integer axis and a range of codes is a published value.  A missing cell
 * is a value of its own: code 0, label "null". */
#ifndef COVEY_TABLE_H
#define COVEY_TABLE_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum covey_type {
    COVEY_TYPE_GUESS = 0, /* left to the data; unlike a declared type, a guess never fails */
    COVEY_TYPE_TEXT,
    COVEY_TYPE_INTEGER,
    COVEY_TYPE_DECIMAL,
    COVEY_TYPE_DATE
} covey_type;

/* "guess", "text", "integer", "decimal", "date", "unknown" for no type; static. */
COVEY_API const char *covey_type_name(covey_type type);

typedef enum covey_role {
    COVEY_ROLE_UNSET = 0,
    COVEY_ROLE_IDENTIFIER, /* dropped */
    COVEY_ROLE_QUASI,
    COVEY_ROLE_SENSITIVE,
    COVEY_ROLE_INSENSITIVE, /* published as it is */
    COVEY_ROLE_ENTITY,      /* which rows belong to one household, firm or person; dropped */
    COVEY_ROLE_WEIGHT       /* sampling weight; dropped, unless its policy publishes it as it is */
} covey_role;

/* As policies write it: "identifier", "quasi-identifier", "sensitive", "insensitive", "entity", "weight"; "unset";
 * "unknown" for no role; static. */
COVEY_API const char *covey_role_name(covey_role role);
/* Is a column of that role in no release?  false for COVEY_ROLE_UNSET and for no role. */
COVEY_API bool covey_role_is_dropped(covey_role role);

/* What is done to the values of a column before anything else: how they are written, where covey would write them
 * otherwise, and how they are made coarser, in this order.  All zero: nothing. */
typedef struct covey_recoding {
    char decimal;            /* in front of the decimal places: ',' or '.'; 0: a point, and nothing between thousands */
    const char *date_format; /* "D.M.YYYY"; NULL: YYYY-MM-DD */
    const char *age_at;      /* a day: dates of birth become whole years of age on it; NULL: they do not */
    const char *bottom, *top; /* numbers below become the bottom, those above the top; NULL: there is none */
    const char *round;        /* numbers become the nearest multiple, halves away from 0; NULL: they do not */
    int64_t first;            /* of a text so many characters stay; 0: all */
    int64_t rare;             /* values of fewer rows become "other"; 0: none */
} covey_recoding;

/* One column.  Transparent, because inner loops index it; never write through it.  Reference-counted: a release shares
 * the columns that it did not change. */
typedef struct covey_column {
    char *name;
    covey_type type; /* never COVEY_TYPE_GUESS */
    int64_t n_rows;
    uint32_t n_values;     /* size of the dictionary; values that do not occur are allowed (unused leaves) */
    int width;             /* bytes per code: 1, 2 or 4, the narrowest that holds n_values */
    const void *codes;     /* [n_rows] of uint8_t, uint16_t or uint32_t */
    bool has_null;         /* code 0 is the missing value */
    bool is_typed;         /* its source has numbers or days, not texts of somebody's: they are written as covey does */
    int scale;             /* decimals: digits after the point; 0 otherwise */
    const int64_t *number; /* [n_values] value * 10^scale, days since 1970-01-01 for dates; NULL for text; null: 0 */
    const char *text;      /* dictionary bytes, all values one after another, each with a final NUL; NULL: values
                              have no labels (covey_csv_options, tell_apart) */
    const uint64_t *text_start; /* [n_values + 1] offsets into text */
    struct covey_lines
        *lines; /* where rows stand in their file, if not at line row + 2; see covey_column_line; usually NULL */
    int references;
} covey_column;

/* The code of a row, 0 .. n_values - 1; UINT32_MAX for a row that there is not. */
COVEY_API uint32_t covey_column_code(const covey_column *column, int64_t row);
/* The value as published, NUL-terminated ("null" for the missing value), borrowed while the column lives; NULL for a
 * code that there is not, and where values have no labels. */
COVEY_API const char *covey_column_label(const covey_column *column, uint32_t code);
/* Bytes of the label without the NUL; 0 for a code that there is not, and for the empty label. */
COVEY_API size_t covey_column_label_size(const covey_column *column, uint32_t code);
/* Is it an integer, decimal or date?  Then column->number has the values. */
COVEY_API bool covey_column_is_number(const covey_column *column);
/* The line of the input file, the first is 1, at which a row begins; of a database the row's number; row + 2 for a
 * table from elsewhere.  0 for a row that there is not.  O(log n) in the rows that take several lines. */
COVEY_API int64_t covey_column_line(const covey_column *column, int64_t row);

/* Columns of the same length with different names.  Made by covey_table_read and covey_csv_read (covey/io.h). */
typedef struct covey_table covey_table;

/* Gives a table back; NULL allowed.  What was borrowed from it ends. */
COVEY_API void covey_table_free(covey_table *table);
/* Rows of each column; 0 for a table that has a header only. */
COVEY_API int64_t covey_table_n_rows(const covey_table *table);
/* Columns of the table. */
COVEY_API size_t covey_table_n_columns(const covey_table *table);
/* A column, in the order of the input, borrowed while the table lives; NULL behind the last. */
COVEY_API const covey_column *covey_table_column(const covey_table *table, size_t index);
/* Index of the column of that name, -1 if there is none; case counts.  O(n_columns). */
COVEY_API int covey_table_find(const covey_table *table, const char *name);

/* How often the values of a column occur: of all of them, or of a sample of them. */
typedef struct covey_repeats {
    int64_t n_values;   /* different ones, missing cells left aside */
    int64_t n_rows;     /* that have one of them */
    int64_t n_repeated; /* of these rows, whose value another row has, too */
} covey_repeats;

/* Counts per value of one attribute.  n_values > 0.  present lists every value with a positive count (and may list
 * values whose count went back to 0), so that a small class costs what it holds and not what the domain holds. */
typedef struct covey_histogram {
    uint32_t n_values;
    int64_t total;
    uint32_t n_distinct; /* values with a positive count */
    int64_t *count;      /* [n_values] */
    uint32_t *present;   /* [n_present] values, no duplicates, any order */
    uint32_t n_present;
    uint8_t *listed; /* [n_values] is the value in present? */
} covey_histogram;

#ifdef __cplusplus
}
#endif
#endif
