/* Tables larger than memory: a release made part by part.
 *
 * The plan reads the table once and says how rows are dealt to parts; each part is anonymized alone, against the prior
 * of the whole; the merge joins the parts into one release and verifies it.  covey_anonymize_in_parts does all of it;
 * the three steps alone are for who distributes the parts.  See docs/design/out-of-core.md, and docs/parts.md for the
 * files. */
#ifndef COVEY_PARTS_H
#define COVEY_PARTS_H

#include <covey/job.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct covey_parts_options {
    bool force;            /* replace an existing target, if it is of the same kind and holds nothing else */
    int64_t memory_limit;  /* bytes that the work may take, at least COVEY_PARTS_LEAST_MEMORY; 0: 1 GiB */
    int64_t rows_per_part; /* as many rows are planned for a part at most; 0: what the memory limit allows */
    int64_t n_files;       /* of covey_anonymize_in_parts and covey_merge_parts: as in covey_anonymize_options */
} covey_parts_options;

#define COVEY_PARTS_LEAST_MEMORY ((int64_t)32 << 20)

/**
 * Reads a size as users write it: MiB, or with a unit ("200M", "2G", "512KiB"; 1024 each).
 *
 * @param out   receives bytes, at least 0
 * @param what  what it is the size of, for the message: "--memory-limit"
 * @return COVEY_OK; COVEY_EINVAL for what is no size, or one of more than 2^62 bytes; COVEY_ENOMEM
 */
COVEY_API covey_status covey_parts_read_size(int64_t *out, const char *text, const char *what, covey_error *err);

/**
 * The main job within a memory limit: plans, deals the rows to files beside the target, anonymizes part after part,
 * merges, verifies.
 *
 * Policies that cannot be kept in parts are COVEY_EINVAL with the reason: a method or model that looks at all rows at
 * once, a database as input.  The classes depend on the table, the policy and the options, not on threads or the order
 * of rows.
 *
 * The limit is for the verification at the end, too; what it cannot cover is in docs/design/out-of-core.md.
 *
 * @return as covey_anonymize; COVEY_EINVAL also for a limit that the table's dictionaries alone would break
 */
COVEY_API covey_status covey_anonymize_in_parts(covey_anonymize_report *report, const covey_policy *policy,
                                                const char *target, const covey_parts_options *options,
                                                const covey_run *run, covey_error *err);

/* --- the same steps alone, for who distributes the parts --- */

typedef struct covey_plan_report {
    int64_t n_rows, n_dropped; /* that take part; that the policy drops */
    int64_t rows_per_part, n_parts;
} covey_plan_report;

/**
 * Plans a table and writes the recipe: a file from which parts are made and merged, readable by its owner only, for it
 * holds the table's values.
 *
 * @param report  receives what was planned; it points to nothing
 * @return as covey_anonymize_in_parts; COVEY_EEXIST for a file that is there, unless it is a recipe and
 *   options->force is set
 */
COVEY_API covey_status covey_plan_table(covey_plan_report *report, const covey_policy *policy, const char *recipe,
                                        const covey_parts_options *options, const covey_run *run, covey_error *err);

typedef struct covey_part_report {
    int64_t first, last, n_parts; /* from 1 */
    int64_t n_rows;
} covey_part_report;

/**
 * Anonymizes parts first .. last (from 1) together and writes them into one file.  The result depends on the recipe and
 * the rows alone.
 *
 * @param data  a table with the columns of the planned one, which holds all rows of these parts (rows of others are
 * passed over); NULL: the planned one
 * @param report  receives what was made; it points to nothing
 * @param target  a file, which appears complete or not at all; not compressed
 * @return COVEY_OK; COVEY_EINFEASIBLE if the rows cannot keep the promises alone: the message names the parts to make
 *   together; COVEY_EINVAL, COVEY_EPARSE for a recipe that was changed, a table that was not planned, a part that
 *   there is not; COVEY_ENOTFOUND, COVEY_EIO for the files; COVEY_EEXIST for a target that is there, unless it is a
 *   part and options->force is set; COVEY_ECANCELLED; COVEY_ENOMEM
 */
COVEY_API covey_status covey_part_anonymize(covey_part_report *report, const char *recipe, int64_t first, int64_t last,
                                            const char *data, const char *target, const covey_parts_options *options,
                                            const covey_run *run, covey_error *err);

/**
 * Joins files of parts, in any order, into a release and verifies it, the latter within options->memory_limit.
 *
 * @param report  as for covey_anonymize
 * @param parts   [n] files that covey_part_anonymize made of this recipe, which together are all parts
 * @return as covey_anonymize; COVEY_EINVAL, COVEY_EPARSE for parts of another plan, changed, missing or repeated
 *   ones, and none at all
 */
COVEY_API covey_status covey_merge_parts(covey_anonymize_report *report, const char *recipe, const char *const *parts,
                                         size_t n, const char *target, const covey_parts_options *options,
                                         const covey_run *run, covey_error *err);

/* --- the same steps for an engine that distributes work (Apache Spark): it counts, deals and sorts, covey does the
 * rest
 *
 * The engine counts the values of each column and plans (covey_plan_counted).  Wherever there are rows it deals them
 * (covey_recipe_deal), brings those of a part together and has the part made (covey_recipe_make).  Parts are cut at
 * keys (covey_recipe_cut), the pieces between two keys are brought together and joined (covey_recipe_join), which gives
 * files of the release's tables, and counters.  The counters of all give the rest of the release (covey_recipe_finish).
 * docs/design/spark.md says why that is right. --- */

/**
 * Can this policy be kept part by part?
 *
 * @return COVEY_OK; COVEY_EINVAL with the reason, and the methods that can; COVEY_ENOMEM
 */
COVEY_API covey_status covey_plan_check(const covey_policy *policy, covey_error *err);

/**
 * Which columns of a table a policy publishes.
 *
 * @param kept  [n] receives it
 * @param name  [n] all columns, in their order
 * @return COVEY_EINVAL for a policy that names a column which is not there, or does not say what becomes of one
 */
COVEY_API covey_status covey_plan_columns(bool *kept, const covey_policy *policy, const char *const *name, size_t n,
                                          covey_error *err);

/* A table by its counts. */
typedef struct covey_counted {
    size_t n_columns;
    const char *const *name;   /* [n_columns] all columns, in their order */
    const char *const *values; /* [n_columns] of those that are published: a table (covey_table_read) of two columns,
                                  values and how many rows have each; others NULL */
    const char *sample; /* a table of rows to find parts by: the quasi-identifiers, and how many rows have them as the
                           last column.  The recipe depends on it: it must not depend on the order of rows. */
    int64_t n_rows, n_dropped; /* that are counted; that the policy drops */
} covey_counted;

/**
 * Plans a table by its counts and writes the recipe, as covey_plan_table does.
 *
 * @param report  receives what was planned; it points to nothing
 * @param policy  its input is a name for messages; nothing is read from it
 * @return as covey_plan_table; COVEY_EINVAL for counts that do not add up to the rows
 */
COVEY_API covey_status covey_plan_counted(covey_plan_report *report, const covey_policy *policy, const char *recipe,
                                          const covey_counted *counted, const covey_parts_options *options,
                                          const covey_run *run, covey_error *err);

/* A recipe that was read. */
typedef struct covey_recipe covey_recipe;

/* Reads a recipe; give it back with covey_recipe_close.  COVEY_ENOTFOUND, COVEY_EPARSE and COVEY_EINVAL as
 * covey_part_anonymize. */
COVEY_API covey_status covey_recipe_open(covey_recipe **out, const char *path, const covey_run *run, covey_error *err);
/* Gives a recipe back; NULL allowed. */
COVEY_API void covey_recipe_close(covey_recipe *recipe);
/* How many parts are planned, and how many rows a part has about. */
COVEY_API covey_plan_report covey_recipe_report(const covey_recipe *recipe);
/* Bytes of a row that was dealt. */
COVEY_API size_t covey_recipe_row_size(const covey_recipe *recipe);
/* Columns of a row that was dealt. */
COVEY_API size_t covey_recipe_n_columns(const covey_recipe *recipe);

/* Takes n rows of a part (from 1), covey_recipe_row_size bytes each, which are valid during the call. */
typedef covey_status (*covey_recipe_sink)(void *context, int64_t part, const unsigned char *rows, size_t n,
                                          covey_error *err);

/**
 * Deals the rows of a table to parts, on the calling thread.
 *
 * @param source  as for covey_table_read, with the columns of the planned table, in their order
 * @param n_rows  receives how many rows were dealt; rows that the policy drops are passed over
 * @return what the table's reader and the sink return; COVEY_EINVAL for a value that was not counted
 */
COVEY_API covey_status covey_recipe_deal(int64_t *n_rows, const covey_recipe *recipe, const char *source,
                                         covey_recipe_sink sink, void *context, const covey_run *run, covey_error *err);

/**
 * Adds rows that were dealt to a sum for each column.  The sums of all rows are those of the values that were counted,
 * wherever and in whatever order they were dealt; other values have others, but for one case in 2^64.
 *
 * @param sum  [covey_recipe_n_columns] zeros at first; sums are added up modulo 2^64
 */
COVEY_API void covey_recipe_sum(uint64_t *sum, const covey_recipe *recipe, const unsigned char *rows, size_t n);
/* The first column in which not the values were dealt that were counted, by the sums of all rows; NULL: there is none.
 * The name is the recipe's. */
COVEY_API const char *covey_recipe_changed(const covey_recipe *recipe, const uint64_t *sum);

/* Bytes that somebody else owns. */
typedef struct covey_bytes {
    const unsigned char *bytes;
    size_t size;
} covey_bytes;

/**
 * Anonymizes the rows of parts first .. last (from 1) together and writes what covey_part_anonymize does.  The result
 * depends on the recipe, the rows in any order, and run's secret or seed alone.
 *
 * @param file  open for writing, stays open
 * @param rows  [n] what covey_recipe_deal gave of these parts
 * @return COVEY_EINFEASIBLE if the rows cannot keep the promises alone; COVEY_EPARSE for bytes that are no rows
 */
COVEY_API covey_status covey_recipe_make(const covey_recipe *recipe, int file, int64_t first, int64_t last,
                                         const covey_bytes *rows, size_t n, const covey_run *run, covey_error *err);

/**
 * What is in a part, as JSON: "first", "last", "rows", "published_rows", "units"; "keys": of units in steps of about
 * equally many rows, [key, rows up to the next]; "marks": hexadecimal digits of a byte for each value of each column
 * that says whether a published row has it.
 *
 * @param out     receives the text; give it back with covey_recipe_free
 * @param n_keys  as many keys at most
 * @return COVEY_EPARSE, COVEY_EINVAL for what is no part of this recipe
 */
COVEY_API covey_status covey_recipe_look(char **out, const covey_recipe *recipe, const char *part, size_t n_keys,
                                         covey_error *err);
/* Gives back bytes that a function of these has made; NULL allowed. */
COVEY_API void covey_recipe_free(void *bytes);

/**
 * Must the units of all parts be joined as one range, without splitters?  So where rows are suppressed, and a hierarchy
 * is another one without their values (one that is built from the data, or a leaf for missing cells): parts are not in
 * the order of what is published then.
 *
 * @param marks  [n] "or" of all parts' marks; NULL where no row is suppressed
 * @return COVEY_EINVAL for marks that are not those of this recipe; COVEY_ENOMEM
 */
COVEY_API covey_status covey_recipe_is_one_range(bool *out, const covey_recipe *recipe, const unsigned char *marks,
                                                 size_t n, covey_error *err);

/**
 * Cuts a part: units with keys below the first splitter go to the first file, and so on.
 *
 * @param splitter  [n] keys, ascending
 * @param file      [n + 1] open for writing, stay open; what has no unit is a part without rows
 */
COVEY_API covey_status covey_recipe_cut(const covey_recipe *recipe, const char *part, const char *const *splitter,
                                        size_t n, const int *file, covey_error *err);

/* What is joined, beside the recipe: the pieces between two splitters, and what is known of all parts. */
typedef struct covey_joining {
    const char *const *piece; /* [n_pieces] files */
    size_t n_pieces;
    const unsigned char *marks; /* [n_marks] "or" of all parts' marks; NULL where no row is suppressed */
    size_t n_marks;
    int64_t n_suppressed; /* rows of all parts together */
    int64_t first_class;  /* classes or groups that are published before */
} covey_joining;

/**
 * Joins the units between two splitters and writes their lines of the release's tables.
 *
 * @param sums       receives counters for covey_recipe_finish (covey_recipe_free), and n_classes how many classes or
 *                   groups there are
 * @param folder     an empty one, which receives table.csv, or what else the release's form has
 * @return COVEY_EPARSE, COVEY_EINVAL for pieces of another recipe, or that were changed; COVEY_EIO
 */
COVEY_API covey_status covey_recipe_join(char **sums, size_t *sums_size, int64_t *n_classes, const covey_recipe *recipe,
                                         const covey_joining *joining, const char *folder, const covey_run *run,
                                         covey_error *err);

/* A file of the release that is elsewhere. */
typedef struct covey_release_file {
    const char *name;
    int64_t n_rows, n_classes; /* of one of several files of a table */
    bool is_part;
    uint64_t size_bytes;
    unsigned char sha256[32];
} covey_release_file;

/* All ranges that were joined, in their order. */
typedef struct covey_joined {
    const covey_bytes *sums; /* [n_sums] */
    size_t n_sums;
    const unsigned char *marks;
    size_t n_marks;
    int64_t n_suppressed;
    const covey_release_file *file; /* [n_files] of all tables */
    size_t n_files;
} covey_joined;

/**
 * Checks that the ranges are the whole of what was planned, and writes what a release has beside its tables: manifest
 * and hierarchies.
 *
 * @param report  as for covey_anonymize, without a verdict: verifying is the caller's
 * @param folder  an empty one, readable by its owner only
 * @return COVEY_EINVAL for ranges that are not the whole; COVEY_EINFEASIBLE where nothing would be published
 */
COVEY_API covey_status covey_recipe_finish(covey_anonymize_report *report, const covey_recipe *recipe,
                                           const covey_joined *joined, const char *folder, const covey_run *run,
                                           covey_error *err);

#ifdef __cplusplus
}
#endif
#endif
