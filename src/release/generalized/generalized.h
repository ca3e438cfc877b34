/* Writing table.csv of a generalized release: whole, or batch by batch of a table that memory does not hold. */
#ifndef COVEY_RELEASE_GENERALIZED_GENERALIZED_H
#define COVEY_RELEASE_GENERALIZED_GENERALIZED_H

#include "release/release_impl.h"

typedef struct covey_table_writer covey_table_writer;

/* Begins table.csv in a folder.  problem: its fields' dictionaries are those of every batch.  n_before: classes that
 * are published in other files before it.  files: where the table is listed in the end, and whether it is hashed. */
covey_status covey_i_table_writer_open(covey_table_writer **out, const covey_problem *problem, uint32_t n_before,
                                       const char *folder, covey_files *files, covey_error *err);

/* Appends a batch of classes, which come behind those of all batches before in canonical order.  Classes are numbered
 * on. */
covey_status covey_i_table_writer_add(covey_table_writer *w, const covey_release *release, const covey_problem *problem,
                                      const covey_run *run, covey_error *err);

/* Ends the file and lists it; the writer is gone afterwards, whatever the result. */
covey_status covey_i_table_writer_close(covey_table_writer *w, covey_error *err);
void covey_i_table_writer_abort(covey_table_writer *w); /* NULL allowed */

#endif
