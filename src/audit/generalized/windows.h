/* Tables that are verified without being in memory: one of classes, whose lines stand together.
 *
 * It is read twice.  The survey finds what cannot be known from a part: how classes are numbered, how many digits
 * numbers have, which values the sensitive columns have and how often.  Then come windows of whole classes, each
 * understood and judged by the code that does it for whole tables, with the last class of the window before in front,
 * so that neighbours can be compared.  What is wrong is kept apart by the question that found it: in the end the
 * verdict is that of the table read at once. */
#ifndef COVEY_AUDIT_GENERALIZED_WINDOWS_H
#define COVEY_AUDIT_GENERALIZED_WINDOWS_H

#include "audit/steps.h"
#include "io/dictionary.h"

/* What a survey finds out about a column. */
typedef struct covey_surveyed_column {
    bool is_here;                /* it stands in the table */
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
    covey_surveyed_column *column;
    bool has_header; /* the expected one */
    covey_class_numbers numbers;
} covey_survey;

/* The rows that each line of table->table stands for; in the arena. */
typedef covey_status (*covey_survey_weights)(const int64_t **weight_out, const covey_opened_table *table,
                                             covey_arena *arena, covey_error *err);

/* Reads the whole stream, which is rewound then.  all: every column is whole, else the sensitive ones; weights NULL:
 * lines stand for a row each.  Fills n_rows, n_classes and usable of the table. */
covey_status covey_i_survey_make(covey_survey *out, covey_opened *opened, covey_opened_table *table,
                                 covey_csv_stream *stream, bool all, covey_survey_weights weights,
                                 covey_problems *problems, const covey_run *run, covey_error *err);
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
void covey_i_survey_clear_column(covey_surveyed_column *s);

/* Is the order of classes and rows the one that docs/manifest.md asks for?  Needs usable columns. */
covey_status covey_i_order_check(covey_problems *problems, const covey_opened *opened, const covey_run *run,
                                 covey_error *err);

/* Checks a form whose tables are this one, of which the expected columns are known. */
covey_status covey_i_windows_check(covey_audit *audit, covey_opened_table *table, covey_csv_stream *stream,
                                   covey_error *err);

#endif
