/* What cannot be known from a part of a table: how classes are numbered, how many digits numbers have, which values
 * columns have and how often.  Found in a first reading, piece by piece. */
#ifndef COVEY_AUDIT_SURVEY_H
#define COVEY_AUDIT_SURVEY_H

#include "audit/form_impl.h"
#include "io/dictionary.h"

/* What is found of a column. */
typedef struct covey_surveyed_column {
    bool is_whole;               /* all of its values are wanted */
    int scale;                   /* largest number of digits after the point */
    covey_dictionary dictionary; /* is_whole: in the order in which values appeared */
    int64_t *count;
    size_t capacity;    /* [dictionary.n] rows with each; then in the order of text */
    uint32_t *place;    /* [dictionary.n] each value's place in text */
    covey_column *text; /* distinct cells in byte order, without rows */
    bool is_mixed;      /* cells differ inside a class; only looked for where all columns are whole */
    uint32_t last;      /* code of the last row so far */
} covey_surveyed_column;

typedef struct covey_survey {
    size_t n_columns;
    covey_surveyed_column *column; /* of all tables */
    bool all;                      /* every column is whole, else the sensitive ones */
    bool has_header;               /* the expected one; of the last table, as the rest */
    covey_class_numbers numbers;
} covey_survey;

/* The rows that each line of table->table stands for; in the arena. */
typedef covey_status (*covey_survey_weights)(const int64_t **weight_out, const covey_opened_table *table,
                                             covey_arena *arena, covey_error *err);

/* A table that is read in pieces. */
typedef struct covey_streamed_table {
    covey_opened_table *table; /* NULL: there is none */
    covey_csv_stream *stream;
    covey_survey_weights weights; /* NULL: lines stand for a row each */
} covey_streamed_table;

/* Before the first table: nothing is known yet. */
covey_status covey_i_survey_start(covey_survey *out, const covey_opened *opened, bool all, covey_error *err);
/* Reads the whole stream, which is rewound then.  Fills n_rows, n_classes and usable of the table. */
covey_status covey_i_survey_read(covey_survey *survey, covey_audit *audit, const covey_streamed_table *table,
                                 covey_error *err);
/* Codes of a column's rows in the dictionary of the whole; COVEY_EIO for a value that the survey has not seen. */
covey_status covey_i_survey_recode(void *codes, const covey_surveyed_column *surveyed, const covey_column *column,
                                   covey_error *err);
void covey_i_survey_clear(covey_survey *survey);

/* Steps of it.  Adds the values of a column, and how many of its first n_rows rows -- of weight each; NULL: 1 -- have
 * each; *code_out: [values] of the column in the dictionary so far; in the arena.  Then: fills text and place, and
 * orders count. */
covey_status covey_i_survey_add(const uint32_t **code_out, covey_surveyed_column *s, const covey_column *text,
                                int64_t n_rows, const int64_t *weight, covey_arena *arena, covey_error *err);
covey_status covey_i_survey_finish_column(covey_surveyed_column *s, const char *name, covey_error *err);

#endif
