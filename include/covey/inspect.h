/* Inspect: what the columns of a table are like, which role each probably has, and a policy to start from.
 *
 * A first look that shows counts and never a cell, so that its output may be passed on.  What it suggests comes from
 * names and counts alone: a person has to decide. */
#ifndef COVEY_INSPECT_H
#define COVEY_INSPECT_H

#include <covey/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A value and how many rows have it. */
typedef struct covey_inspected_value {
    const char *text;
    int64_t n_rows;
} covey_inspected_value;

enum { COVEY_INSPECT_COMMONEST = 3 };

typedef struct covey_inspected_column {
    const char *name;
    covey_type type;    /* as the data is; text for codes that only look like numbers (ZIP codes) */
    int64_t n_distinct; /* different values, missing cells left aside */
    int64_t n_missing;  /* rows */
    int64_t n_unique;   /* rows whose value no other row has */
    int64_t
        n_formulas; /* rows whose text a spreadsheet would run: it begins with = + - @, a tab or CR, and is no number */
    int64_t n_blanks;       /* rows whose value begins or ends with a blank */
    bool is_named_by_value; /* its name is one of its values, as where the first line is a row */
    bool is_repeated_key;   /* its values may be keys of persons, households or firms that have several rows each */
    double uniqueness;      /* n_distinct / rows with a value, 0 without any */
    covey_role role;        /* suggested */
    const char *reason;     /* for the role, half a sentence */
    const char *hierarchy;  /* suggested, as a policy writes it ("{mask: 5}"); NULL: none is needed or can be guessed */
    const char
        *alternative; /* a hierarchy that would publish a number in fixed classes instead of ranges; NULL: none */
    covey_recoding
        recoding; /* how its numbers or dates are written, if not as covey writes them; type is what they are */
    const char *other_date_format; /* fits all values as well as recoding.date_format: the day may be the month; NULL:
                                    * there is none */
    char other_decimal;            /* '.': fits all values as well as recoding.decimal; 0: it does not */
    const char *hierarchy_file;    /* that lies beside the table for this column, as seen from here; NULL: none */
    const char *suspect; /* a value that may mean "missing": the only text among numbers, or 9999 far above all others;
                            or codes of surveys with commas between them ("-9,-1"), where nothing else lies below 0;
                            letters, digits, commas and signs only; NULL: none */
    /* Values of the table, which are as confidential as it is. */
    const char
        *long_number; /* has more digits than numbers may have (18), which is why the column is text; NULL: none */
    const char *smallest, *largest; /* in the column's order; NULL: it has no values */
    size_t n_commonest;
    covey_inspected_value commonest[COVEY_INSPECT_COMMONEST]; /* the commonest first */
} covey_inspected_column;

enum { COVEY_INSPECT_MOST_TOGETHER = 3 };

/* Columns that single people out together. */
typedef struct covey_inspected_set {
    size_t n;
    const size_t *column; /* [n] indices, ascending; n <= COVEY_INSPECT_MOST_TOGETHER, if nothing else was asked for */
    int64_t n_unique;     /* rows that no other row is equal to in these columns */
} covey_inspected_set;

typedef struct covey_inspection {
    const char *path;
    char delimiter; /* as given, 0: guessed */
    bool trim;
    bool no_header; /* as given */
    size_t n_names;
    const char *const *names;
    size_t n_null;
    const char *const
        *null; /* texts that were taken for missing cells: those given, or "" and those of a known list that occur */
    bool null_guessed;
    int64_t n_rows;
    size_t n_columns;
    const covey_inspected_column *column; /* in the order of the file */
    size_t n_quasi; /* columns that are suggested as quasi-identifiers; the rest is about all of them together */
    int64_t n_combinations; /* different rows */
    int64_t n_unique_rows;  /* rows that no other row is equal to: who knows them finds their person */
    const char *codebook;   /* what the file says of its columns beside their values (docs/manifest.md), as JSON with
                               the labels of all values; NULL: nothing */
    size_t n_set_columns;   /* columns of which sets were looked at: no identifiers, those with most values */
    size_t n_sets;
    const covey_inspected_set *set; /* small sets that single out most, or every set if that was asked for, of one
                                     * column first; of a size the worst first */
    void *own;                      /* memory */
} covey_inspection;

typedef struct covey_inspect_options {
    char delimiter;          /* 0: guessed */
    const char *const *null; /* texts that mean "missing"; NULL: guessed */
    size_t n_null;
    bool trim;
    bool no_header; /* the first line is data */
    size_t n_names;
    const char *const *names; /* as of covey_csv_options; they outlive the inspection */
    size_t together;          /* list every set of up to so many columns; 0: search for those that single out most */
    const char *const *among; /* of these columns; NULL: of all */
    size_t n_among;
    int64_t memory_limit; /* as of covey_csv_options; 0: half of the memory that is free */
} covey_inspect_options;

/**
 * Looks at every column of a CSV file.
 *
 * @param out      receives the inspection; give it back with covey_inspection_free, which ends all that it points to
 * @param options  NULL: the defaults
 * @return what covey_csv_read returns; COVEY_EINVAL for a name that is no column's, and for more than a million sets.
 * A header without rows is a table whose columns have names only.
 *
 * Reads the file once; time for sorting the rows by the quasi-identifiers, one pass each.
 */
COVEY_API covey_status covey_inspect(covey_inspection **out, const char *path, const covey_inspect_options *options,
                                     const covey_run *run, covey_error *err);
/* Gives an inspection back, with all that it points to; NULL allowed. */
COVEY_API void covey_inspection_free(covey_inspection *inspection);

/**
 * Writes a policy to start from, with a comment for every choice.
 *
 * @param force  replace a policy that covey wrote there; any other file stays
 * @return COVEY_OK; COVEY_EEXIST for a file that is there, unless it is such a policy and force is set; COVEY_EIO;
 *   COVEY_ENOMEM
 */
COVEY_API covey_status covey_inspection_write_policy(const covey_inspection *inspection, const char *path, bool force,
                                                     covey_error *err);

#ifdef __cplusplus
}
#endif
#endif
