/* Local recoding: classes that were cut become smaller groups of near rows, which may overlap in space. */
#ifndef COVEY_METHOD_MONDRIAN_LOCAL_H
#define COVEY_METHOD_MONDRIAN_LOCAL_H

#include "method/method_impl.h"

/**
 * Parts classes into smaller ones and moves rows between them as long as both keep every promise and less information
 * is lost.
 *
 * @param class_of_row  [rows of the table] in and out; of rows[0 .. n-1] only
 * @param n_classes     in and out; numbers may be left without rows
 * @param loss          receives what the classes lose, summed over rows: never more than before
 * @param rows          [n] by content; every class keeps every promise
 * The result depends on the rows' content and their classes, not on the number of threads.
 */
covey_status covey_i_local(uint32_t *class_of_row, uint32_t *n_classes, double *loss, const uint32_t *rows, uint32_t n,
                           const covey_problem *problem, const covey_run *run, covey_error *err);

/* Classes of more rows are not looked through row by row for each of their rows. */
enum { COVEY_LOCAL_MOST_ROWS = 2000 };

struct covey_box_space;

/**
 * The second half of it: single cells are undone as long as that pays.
 *
 * @param class_of_row  as above, numbered from 0 to n_classes - 1
 * @param loss          receives what the classes lose, summed over rows
 */
covey_status covey_i_local_undo_cells(uint32_t *class_of_row, double *loss, const struct covey_box_space *space,
                                      uint32_t n_classes, const uint32_t *rows, uint32_t n, covey_arena *arena,
                                      covey_error *err);

#endif
