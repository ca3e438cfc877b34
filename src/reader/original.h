/* The table that a release was made from, in terms of the release: a code for every value, and the codes that each
 * published cell covers.  For the comparison with the original and for measures that need it. */
#ifndef COVEY_READER_ORIGINAL_H
#define COVEY_READER_ORIGINAL_H

#include "base/sort/find.h"
#include "base/text.h"
#include "reader/opened.h"

/* Codes of original values that a published cell covers. */
typedef struct covey_cover {
    uint32_t low, high; /* low > high: none */
    uint32_t n_codes;
    const uint32_t *code; /* [n_codes] ascending: only these of low .. high; NULL: all of them */
} covey_cover;

typedef struct covey_original_column {
    covey_column
        *column; /* typed and ordered as the release's; codes are leaves where the column has a hierarchy; owned */
    covey_cover *cover; /* generalized quasi-identifiers: [text->n_values] */
    uint32_t *
        value_of_cell; /* what is published as it is: [text->n_values] code of a value; UINT32_MAX: it does not occur */
} covey_original_column;

typedef struct covey_original {
    bool usable;        /* false: why not has been reported */
    uint32_t n_rows;    /* without dropped ones */
    uint32_t n_outside; /* people of a population whose values no row of the release can have: not among n_rows */
    int64_t *row_of;    /* [n_rows] row of the table; NULL: all took part; owned */
    size_t n_columns;
    covey_original_column *column; /* as opened->column */
    size_t n_more;
    covey_column **more; /* columns that are not published, as they stand in the table: options->more; owned */
    bool *is_torn;       /* [n_more] rows with a value of it were dropped, and others with the same were not */
    covey_text left_out; /* names of the columns that were not read, "id, weight" */
    covey_arena arena;
} covey_original;

/* How a table is compared with a release. */
typedef struct covey_original_options {
    size_t n_more;
    const char *const *more; /* further columns to keep */
    size_t n_named;          /* so many of them, the first, by the user: that one is missing is no fault of the table */
    bool is_population;      /* a table of more people: any number of rows, of the quasi-identifiers alone */
} covey_original_options;

/**
 * Reads the original as the manifest says: texts that mean missing, rows with missing values that were dropped, types,
 * hierarchies. Hierarchies that were built from the data are built again (opened->column[].rebuilt), and the release's
 * labels understood in them.
 *
 * What does not fit goes to problems, which never show a value of the original.
 *
 * @return COVEY_OK; COVEY_ENOTFOUND, COVEY_EIO, COVEY_EPARSE for the file; COVEY_ENOMEM
 */
covey_status covey_i_original_read(covey_original **out, covey_opened *opened, const char *path,
                                   covey_problems *problems, const covey_run *run, covey_error *err);
/* The same with options; further columns that are missing go to problems, too.  Of a population only quasi-identifiers
 * have a column. */
covey_status covey_i_original_read_with(covey_original **out, covey_opened *opened, const char *path,
                                        const covey_original_options *options, covey_problems *problems,
                                        const covey_run *run, covey_error *err);
/**
 * Puts, in columns whose values are published in groups that do not overlap (forms that may_recode), the cells in the
 * place of the values: codes become those of the published cells, one more for what none covers, value_of_cell the
 * identity.  Whoever has a value knows its cell.
 */
covey_status covey_i_original_as_cells(covey_original *original, const covey_opened *opened, covey_error *err);
void covey_i_original_free(covey_original *original); /* NULL allowed */

/* Do values not fit their column, rather than something else being wrong? */
static inline bool covey_i_original_is_misfit(covey_status status)
{
    return status == COVEY_EINVAL || status == COVEY_EPARSE;
}

/* Makes of a raw column what the release's is, original.c: typed, and aligned with its hierarchy, which is built again
 * where it comes from the data. COVEY_EINVAL, COVEY_EPARSE: it has values that do not fit. */
covey_status covey_i_original_prepare(covey_column **out, covey_opened_column *column, const covey_column *raw,
                                      const char *path, covey_error *err);

/**
 * Whom of a population the release cannot hold, population.c: a value that does not fit the type of the column, that
 * its hierarchy does not list, or that lies outside the domain which the release states.
 *
 * @param outside  [rows of the table] set to true for each
 * @param raw      [n_columns] NULL: not looked at
 */
covey_status covey_i_population_outside(bool *outside, covey_opened *opened, const covey_column *const *raw,
                                        const char *path, const covey_run *run, covey_error *err);

static inline bool covey_i_cover_holds(const covey_cover *cover, uint32_t code)
{
    uint32_t at;

    if (code < cover->low || code > cover->high)
        return false;
    if (!cover->code)
        return true;
    at = covey_i_find_from(cover->code, 0, cover->n_codes, code);
    return at < cover->n_codes && cover->code[at] == code;
}

#endif
