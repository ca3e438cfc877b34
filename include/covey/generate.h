/* Synthetic tables: for trying things out, for tests and for repeatable experiments. */
#ifndef COVEY_GENERATE_H
#define COVEY_GENERATE_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kind of table that can be made up.  A registry, see covey/base.h. */
typedef struct covey_generator covey_generator;

/* How many kinds there are. */
COVEY_API size_t covey_generator_count(void);
/* One of them; NULL behind the last. */
COVEY_API const covey_generator *covey_generator_at(size_t index);
/* The kind of that name; NULL if there is none. */
COVEY_API const covey_generator *covey_generator_find(const char *name);
/* "census": in the command line and for covey_generate. */
COVEY_API const char *covey_generator_name(const covey_generator *generator);
/* What its tables are like, one line. */
COVEY_API const char *covey_generator_summary(const covey_generator *generator);
/* Where it comes from: key and place in docs/references.md, or the document that describes it. */
COVEY_API const char *covey_generator_source(const covey_generator *generator);
/* What its tables depend on, beside rows and seed: [*n] parameters; NULL or anything if *n is 0. */
COVEY_API const covey_param *covey_generator_params(const covey_generator *generator, size_t *n);

/* The seed of a table whose maker does not care. */
enum { COVEY_GENERATE_SEED = 1 };

/**
 * Writes a synthetic table as CSV (with a header; compressed by the ending .gz or .zst), and beside it
 * hierarchies/COLUMN.csv for each of its columns that needs one.
 *
 * @param kind   name of a generator
 * @param n_rows 1 .. 10^12
 * @param seed   the table is a function of kind, n_rows and seed alone, on every machine
 * @param path   a device or pipe gets the table only
 * @param force  replace a table of the same kind, and hierarchies, that are there; a hierarchy that is the same already
 * is left alone anyway
 * @return COVEY_OK; COVEY_ENOTFOUND for an unknown kind (names the nearest); COVEY_EINVAL; COVEY_EEXIST; COVEY_EIO;
 * COVEY_ENOMEM; COVEY_ECANCELLED.  The table appears complete or not at all.
 *
 * Memory does not depend on n_rows.
 */
COVEY_API covey_status covey_generate(const char *kind, int64_t n_rows, uint64_t seed, const char *path, bool force,
                                      const covey_run *run, covey_error *err);

/* Values of a kind's parameters, as texts; those that are not given have their defaults. */
typedef struct covey_generate_options {
    bool force;
    const char *const *param_names;
    const char *const *param_texts;
    size_t n_params;
} covey_generate_options;

/* The same with parameters; options NULL: defaults.  COVEY_EINVAL also for a parameter that the kind does not have, or
 * a wrong value. */
COVEY_API covey_status covey_generate_with(const char *kind, int64_t n_rows, uint64_t seed, const char *path,
                                           const covey_generate_options *options, const covey_run *run,
                                           covey_error *err);

#ifdef __cplusplus
}
#endif
#endif
