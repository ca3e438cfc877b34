/* A release folder as a reader sees it: the published tables with every cell understood.  Everything here is parsed
 * from the files, by code that shares nothing with the code that wrote them. */
#ifndef COVEY_READER_OPENED_H
#define COVEY_READER_OPENED_H

#include <covey/table.h>

#include "base/codes.h"
#include "base/sort/find.h"
#include "io/csv/sorted.h"
#include "io/csv/stream.h"
#include "reader/problems.h"
#include "reader/stated/stated.h"

typedef enum covey_cell_kind {
    COVEY_CELL_WRONG = 0, /* cannot be understood; fault says why */
    COVEY_CELL_VALUES,    /* low .. high */
    COVEY_CELL_MISSING,   /* RANGE: missing cells only */
    COVEY_CELL_ANY,       /* RANGE: numbers and missing cells; SET: any value */
    COVEY_CELL_NAME       /* LABEL of a hierarchy that is not complete: what it covers takes the original */
} covey_cell_kind;

/* What one distinct cell of a published quasi-identifier means. */
typedef struct covey_cell {
    covey_cell_kind kind;
    int64_t low,
        high; /* RANGE: numbers at the column's scale; LABEL: leaves; SET: codes of the least and greatest element */
    uint32_t n_elements;
    const uint32_t *element; /* SET: codes, ascending */
    const char *fault;       /* static; NULL if the cell is fine */
} covey_cell;

/* One CSV file of a release, whose first column numbers the class (group, bucket) of each line, if the form has such.
 */
typedef struct covey_opened_table {
    const char *file;   /* "table.csv" */
    const char *number; /* what its first column is called: "class"; NULL: lines are not numbered */
    covey_table *table; /* NULL: it is not there, or cannot be opened */
    size_t n_expected;
    const char **expected;
    struct covey_opened_column **bound; /* the other columns; bound NULL: of the form's own */
    bool usable;                        /* its header and its first column can be understood */
    uint32_t n_rows, n_classes;
    const uint32_t *class_start; /* [n_classes + 1] first line of each class */
    covey_csv_numbers numbers;   /* as the reader found them; start NULL: the first column is text like others */
} covey_opened_table;

/* The sets of rows that promises are about, each with the entries that say which sensitive values it has. */
typedef struct covey_opened_groups {
    uint32_t n;
    const uint32_t
        *start; /* [n + 1] first entry of each group; entries are lines of the tables with the sensitive columns */
    const int64_t *count; /* [start[n]] rows that an entry stands for, > 0; NULL: one each */
} covey_opened_groups;

typedef struct covey_opened_column {
    const covey_stated_column *stated;
    const covey_opened_table *table; /* where it stands */
    const covey_column *text;        /* as published: distinct cells in byte order, a code per line of its table */
    int scale;                       /* numbers: digits after the point */
    int least_scale;                 /* at least as many: other windows of the table have them */
    int64_t domain_low, domain_high; /* RANGE */
    int64_t n_suppressed;  /* rows of the original whose values the manifest does not tell of; with an original only */
    covey_hierarchy *tree; /* the published hierarchy; NULL: none, or it cannot be read */
    covey_hierarchy
        *rebuilt; /* one built from the data, built again from the original; NULL: there is none, or no original */
    const covey_hierarchy
        *like; /* instead of building it from a population: as the original has it; borrowed; NULL: build it */
    size_t n_elements;
    const char *const *element; /* SET: values in the attribute's order */
    covey_cell *cell;           /* [text->n_values] generalized quasi-identifiers */
    int64_t *number;            /* [text->n_values] numbers that are published as they are; missing: INT64_MIN */
    const char **fault; /* [text->n_values] columns published as they are: why a cell is wrong, NULL: it is fine; NULL:
                           all are */
    uint32_t *rank; /* [text->n_values] place of the cell in the column's order; equal for cells that compare equal */
    const int64_t *count; /* [text->n_values] rows with each; NULL: rows are counted where that is asked */
    uint32_t *class_cell; /* [n_classes] generalized quasi-identifiers: code of the class's cell; NULL: cells differ
                             inside classes */
    bool usable;          /* every cell of every row can be understood */
    covey_arena arena;    /* owns the arrays above */
} covey_opened_column;

typedef struct covey_opened {
    const covey_stated *stated;
    const char *folder;
    size_t n_tables;
    covey_opened_table *table;   /* [stated->n_files] have room */
    bool usable;                 /* headers and classes of all tables can be understood */
    uint32_t n_rows, n_classes;  /* of the table with the quasi-identifiers */
    const uint32_t *class_start; /* [n_classes + 1] first row of each class in it */
    covey_opened_groups groups;  /* what promises are about */
    /* Of a table that is read in windows (windows.h) the classes in memory: */
    uint32_t first_class; /* how many are published before them */
    uint32_t
        n_seen; /* 1: the first is the last of the window before, there for its neighbour to be compared with; else 0 */
    size_t n_columns;
    covey_opened_column *column; /* as stated->column */
    size_t n_quasi;
    uint32_t *quasi;                        /* [n_quasi] which columns are quasi-identifiers */
    const struct covey_opened_units *units; /* units.h; NULL: none are stated, or not rightly */
    bool units_vary;                        /* of a sliced release: they may have several sensitive values each */
    const uint32_t *counterfeits; /* [n_classes] made-up rows (generalized/counterfeits.h); NULL: none are stated, or
                                     not rightly */
    bool without_derived;         /* tables that follow from the others are not read */
    void *form_data;              /* what the form knows beside this; in the arena */
    covey_arena arena;
} covey_opened;

/**
 * Reads the tables and the hierarchies.  What is wrong with them goes to problems; what can still be understood is
 * marked usable.
 *
 * @param present  [stated->n_files] which files may be opened
 * @return COVEY_OK; COVEY_EPARSE if a table is not a CSV table; COVEY_EIO, COVEY_ENOMEM
 */
covey_status covey_i_opened_read(covey_opened **out, const char *folder, const covey_stated *stated,
                                 const bool *present, covey_problems *problems, const covey_run *run, covey_error *err);
/* The same for who computes with the data: tables that follow from the others, which only the audit compares, are left
 * out. */
covey_status covey_i_opened_read_data(covey_opened **out, const char *folder, const covey_stated *stated,
                                      const bool *present, covey_problems *problems, const covey_run *run,
                                      covey_error *err);
void covey_i_opened_free(covey_opened *opened); /* NULL allowed */

/* One with columns of which nothing is known but what is stated, and without tables. */
covey_status covey_i_opened_new(covey_opened **out, const char *folder, const covey_stated *stated, covey_error *err);

/* Of forms that part the sensitive column from the others: which it is (NULL: not one, which has been reported), and
 * the others as quasi.csv has them, quasi-identifiers first. */
covey_status covey_i_opened_divide(const covey_opened_column **sensitive, const covey_opened_column ***content,
                                   size_t *n_content, covey_opened *opened, covey_problems *problems, covey_error *err);

/* Can every cell of every column be understood? */
bool covey_i_opened_all_usable(const covey_opened *opened);

/* --- steps of reading a form's tables, see opened_table.c and opened.c --- */

/* Reads one listed file.  number NULL: its lines have none.  *out NULL: it is not there, which has been reported.  file
 * and number live as long as opened. */
covey_status covey_i_opened_table(covey_opened_table **out, covey_opened *opened, const char *file, const char *number,
                                  const bool *present, covey_problems *problems, const covey_run *run,
                                  covey_error *err);
/* The same of a file that is read in pieces (covey_i_csv_stream_close); the table has no rows yet. */
covey_status covey_i_opened_stream(covey_opened_table **out, covey_csv_stream **stream, covey_opened *opened,
                                   const char *file, const char *number, const bool *present, size_t piece_size,
                                   covey_problems *problems, const covey_run *run, covey_error *err);
/* Instead of it, of a table that follows from the others: it has to be listed, but is not read. */
void covey_i_opened_leave_out(covey_opened *opened, const char *file, covey_problems *problems);
/* Says what the table's next column is called, and which column of the release it is (NULL: none). */
void covey_i_opened_expect(covey_opened_table *table, const char *name, covey_opened_column *column);
/* Does the header hold just the expected columns?  Then they are bound to it; else it has been reported. */
bool covey_i_opened_has_header(covey_opened_table *table, covey_problems *problems);
/* Understands the first column: fills n_rows, n_classes, class_start and usable. */
covey_status covey_i_opened_classes(covey_opened_table *table, covey_opened *opened, covey_problems *problems,
                                    covey_error *err);

/* Classes that are numbered 1, 2, ... in lines that stand together, line by line; all zeros before the first. */
typedef struct covey_class_numbers {
    uint32_t first, last; /* classes before these lines, and before the next ones */
    uint32_t n_lines;     /* before these lines */
    bool wrong_text,
        wrong_number; /* a cell is no number; or it is not the next one: nothing was understood from there on */
} covey_class_numbers;

/* Goes over the lines of table->table: fills class_start[1 .. ] unless it is NULL, of room for all distinct cells and
 * one.  What is wrong has been reported, cells that are no numbers to problems, numbers that are not the next one to
 * of_numbers. */
covey_status covey_i_opened_number_classes(covey_class_numbers *numbers, uint32_t *class_start,
                                           const covey_opened_table *table, covey_problems *problems,
                                           covey_problems *of_numbers, covey_error *err);
/* Binds them to the file's columns as they are now; step of covey_i_opened_has_header. */
void covey_i_opened_bind(covey_opened_table *table);
/* Which column of the file is it, among those that are the form's own?  By place among the expected ones. */
const covey_column *covey_i_opened_text(const covey_opened_table *table, size_t expected);
/* Compares the rows of a table with the list of files. */
void covey_i_opened_compare_lines(const covey_opened *opened, const covey_opened_table *table,
                                  covey_problems *problems);
/* The same, and the counts of rows and classes with what the manifest states of the whole release. */
void covey_i_opened_compare_counts(const covey_opened *opened, const covey_opened_table *rows,
                                   covey_problems *problems);
/* Reports listed files that are neither an opened table nor a column's hierarchy. */
void covey_i_opened_find_unused(const covey_opened *opened, covey_problems *problems);
/* Reads the hierarchies and understands the cells of all columns, which are bound to their tables. */
covey_status covey_i_opened_columns(covey_opened *opened, const bool *present, covey_problems *problems,
                                    const covey_run *run, covey_error *err);
/* Steps of it: the hierarchies; then, column by column, what cells mean, and what is wrong where they stand. */
covey_status covey_i_opened_trees(covey_opened *opened, const bool *present, covey_problems *problems,
                                  covey_error *err);
covey_status covey_i_opened_column_lines(covey_opened_column *column, const covey_opened *opened,
                                         covey_problems *problems, covey_error *err);

/* Rows that an entry stands for. */
static inline int64_t covey_i_rows_of_entry(const covey_opened_groups *groups, uint32_t entry)
{
    return groups->count ? groups->count[entry] : 1;
}

static inline uint32_t covey_i_code_at(const covey_column *column, int64_t row)
{
    return covey_i_codes_get(column->codes, column->width, (size_t)row);
}

static inline uint32_t covey_i_opened_rank(const covey_opened_column *column, uint32_t code)
{
    return column->rank ? column->rank[code] : code;
}

/* Of the cell in a line of the table. */
static inline uint32_t covey_i_opened_rank_at(const covey_opened_column *column, uint32_t line)
{
    return covey_i_opened_rank(column, covey_i_code_at(column->text, line));
}

/* Number of the published class that a line belongs to, from 1. */
static inline uint32_t covey_i_class_of_line(const uint32_t *class_start, uint32_t n_classes, uint32_t line)
{
    return covey_i_find_span(class_start, n_classes, line) + 1;
}

static inline uint32_t covey_i_class_of_row(const covey_opened *opened, uint32_t row)
{
    return covey_i_class_of_line(opened->class_start, opened->n_classes, row);
}

#endif
