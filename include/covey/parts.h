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

#ifdef __cplusplus
}
#endif
#endif
