/* The rows of a part on disk, or in memory: one behind another (covey_i_plan_row_size). */
#ifndef COVEY_PARTS_DEAL_ROWS_H
#define COVEY_PARTS_DEAL_ROWS_H

#include "parts/deal/deal.h"

/* Rows as columns, which share the plan's dictionaries. */
typedef struct covey_part_rows {
    uint32_t n, capacity;
    size_t n_columns;
    void **code; /* [n_columns][capacity] */
} covey_part_rows;

covey_status covey_i_part_rows_new(covey_part_rows *out, const covey_plan *plan, uint32_t capacity, covey_error *err);
/* Appends n rows, which makes room where it is needed; COVEY_EPARSE for a code that no value has. */
covey_status covey_i_part_rows_add(covey_part_rows *rows, const covey_plan *plan, const unsigned char *bytes,
                                   uint32_t n, const covey_run *run, covey_error *err);
void covey_i_part_rows_clear(covey_part_rows *rows);

/**
 * The plan's problem with these rows instead of the table's: priors and domains are still those of the whole.
 *
 * @param out  its columns and lists live in the arena; codes are the rows'
 */
covey_status covey_i_part_problem(covey_problem *out, const covey_plan *plan, const covey_part_rows *rows,
                                  covey_arena *arena, covey_error *err);

/* A file for each part, below a folder, that rows are dealt to. */
typedef struct covey_part_files covey_part_files;

covey_status covey_i_part_files_open(covey_part_files **out, const covey_plan *plan, const char *folder,
                                     size_t most_bytes, covey_error *err);
covey_status covey_i_part_files_sink(void *context, uint32_t part, const unsigned char *rows, uint32_t n,
                                     covey_error *err); /* a covey_deal_sink */
covey_status covey_i_part_files_end(covey_part_files *files, covey_error *err);
/* Appends the rows of a part; call after the end. */
covey_status covey_i_part_files_read(covey_part_rows *rows, const covey_part_files *files, uint32_t part,
                                     const covey_run *run, covey_error *err);
void covey_i_part_files_remove(covey_part_files *files, uint32_t part); /* one file */
void covey_i_part_files_free(covey_part_files *files);                  /* NULL allowed; the files stay */

#endif
