/* The plan of a table in parts: what one pass over it finds, and how its rows are dealt (docs/design/out-of-core.md).
 */
#ifndef COVEY_PARTS_PLAN_PLAN_H
#define COVEY_PARTS_PLAN_PLAN_H

#include <covey/parts.h>

#include "base/file/infile.h"
#include "job/choice.h"
#include "job/preparing.h"

enum { COVEY_PLAN_MOST_PARTS = 512 };

typedef struct covey_plan {
    const covey_policy *policy;
    covey_prepared prepared; /* its columns have a row for each value of the table; row i: the code that value i has */
    size_t n_columns;
    covey_column *
        *value; /* [n_columns] texts as they were read, ascending by bytes, missing first; row i has code i; owned */
    int64_t **count; /* [n_columns][values] rows that have it */
    int64_t n_rows;  /* of the whole table, without dropped ones */
    int64_t rows_per_part;
    uint32_t n_parts;
    covey_u128
        *splitter; /* [n_parts - 1] ascending; part p (from 0) has the keys from splitter[p - 1] to below splitter[p] */
    size_t n_key_axes; /* that the curve runs through */
    int n_bits;
    uint16_t **place; /* [n_key_axes][codes] */
    covey_choice choice;
    unsigned char digest[32]; /* of its recipe; zeros: it has none */
    covey_arena arena;        /* owns the lists above */
} covey_plan;

/* What the pass keeps of rows to find splitters: different rows with the smallest hashes, and how often each stands in
 * the table. */
typedef struct covey_plan_sample {
    size_t n, n_axes;
    const int64_t *count;  /* [n] */
    const uint32_t *value; /* [n][n_axes] values of the quasi-identifiers: rows of their columns */
} covey_plan_sample;

typedef struct covey_spill covey_spill; /* spill.h */

/* So much of a text that is compressed or comes from a pipe may be in memory within this limit (0: the usual one); what
 * goes beyond is unpacked into a file of this path, which is there for a moment only. */
covey_infile_spill covey_i_plan_text(const char *path, int64_t memory_limit);

/* Reads the table once.  spill: receives its rows; NULL: not wanted.  text_path: for covey_i_plan_text. */
covey_status covey_i_plan_make(covey_plan *out, const covey_policy *policy, covey_spill *spill, const char *text_path,
                               int64_t memory_limit, int64_t rows_per_part, const covey_run *run, covey_error *err);
/* The steps before and behind the reading: may it be done, within which limit; and how rows are dealt to parts. */
covey_status covey_i_plan_check(const covey_policy *policy, int64_t *memory_limit, int64_t rows_per_part,
                                covey_error *err);
covey_status covey_i_plan_split(covey_plan *plan, const covey_plan_sample *sample, int64_t memory_limit,
                                int64_t rows_per_part, covey_error *err);
void covey_i_plan_clear(covey_plan *plan);

/* COVEY_EINVAL with the reason if the policy cannot be kept in parts. */
covey_status covey_i_plan_refuse(const covey_policy *policy, covey_error *err);

/* From values and counts to the rest, but for parts and splitters.  plan->value, count, n_rows are there; s->p is
 * &plan->prepared. */
covey_status covey_i_plan_complete(covey_plan *plan, covey_preparing *s, covey_error *err);

/* Rows that parts first .. last (from 0) may suppress: all parts' together are just the whole table's. */
int64_t covey_i_plan_budget(const covey_plan *plan, uint32_t first, uint32_t last);

/* The part of a key. */
uint32_t covey_i_plan_part(const covey_plan *plan, covey_u128 key);

/* Bytes of a row in the order of the columns, each code little-endian in as many bytes as its column has. */
size_t covey_i_plan_row_size(const covey_plan *plan);

/* A column that has a row for each of its values, in their order.  line [n]: where each stands first; NULL: not known
 */
covey_status covey_i_plan_value_column(covey_column **out, const char *name, const covey_label *label, uint32_t n,
                                       bool has_null, const int64_t *line, covey_error *err);

#endif
