/* Between the files of the inspect module. */
#ifndef COVEY_INSPECT_INSPECT_IMPL_H
#define COVEY_INSPECT_INSPECT_IMPL_H

#include <covey/inspect.h>

#include "base/arena.h"

/* What a suggestion is made from. */
typedef struct covey_column_facts {
    const char *name;
    covey_type type;
    int64_t n_rows, n_missing, n_distinct;
    size_t code_length;        /* all values have this many characters, letters and digits only; 0 if not */
    bool is_repeated_key;      /* by name and counts */
    int64_t largest, smallest; /* integers; smallest > largest: no values */
} covey_column_facts;

/* Fills type, role, reason and hierarchy; the texts live in the arena or are static.  COVEY_ENOMEM. */
covey_status covey_i_inspect_suggest(covey_inspected_column *out, const covey_column_facts *facts, covey_arena *arena,
                                     covey_error *err);
/* Fills what values say: rows [n_values] counts them.  COVEY_ENOMEM. */
covey_status covey_i_inspect_values(covey_inspected_column *out, const covey_column *column, const int64_t *rows,
                                    covey_arena *arena, covey_error *err);

/* Finds a hierarchy that lies beside the table for a column: hierarchies/NAME.csv, or as ARX calls them
 * TABLE_hierarchy_NAME.csv, there or in the table's own folder.  values: the column's, of which it must list one.
 * COVEY_ENOMEM. */
covey_status covey_i_inspect_hierarchy_file(covey_inspected_column *column, const covey_column *values,
                                            const char *path, covey_arena *arena, covey_error *err);

/* Finds the small sets of columns that single out most rows: in->set; typed: [n_columns].  COVEY_ECANCELLED,
 * COVEY_ENOMEM. */
covey_status covey_i_inspect_combinations(covey_inspection *in, covey_column *const *typed, covey_arena *arena,
                                          const covey_run *run, covey_error *err);
/* Lists every set of up to `most` of the columns among [n], ascending, n > 0, in their place; of a size the worst
 * first. COVEY_EINVAL for more than a million; COVEY_ECANCELLED, COVEY_ENOMEM. */
covey_status covey_i_inspect_every_set(covey_inspection *in, covey_column *const *typed, const size_t *among, size_t n,
                                       size_t most, covey_arena *arena, const covey_run *run, covey_error *err);

#endif
