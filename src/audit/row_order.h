/* Is what shall be sorted by its content sorted?  Shared by the forms, which say by what, and what is wrong. */
#ifndef COVEY_AUDIT_ROW_ORDER_H
#define COVEY_AUDIT_ROW_ORDER_H

#include "reader/opened.h"

/* By which columns rows are sorted. */
typedef struct covey_row_order {
    size_t n;
    const covey_opened_column *const *column; /* [n] the first decides */
} covey_row_order;

/* Quick for yes; who hears no looks for the row itself.  Does each row begin .. end-1 but the first of a class come
 * behind the one before it, or equal it?  start: [n_classes + 1] of a table that has those rows. */
bool covey_i_rows_ascend(const covey_row_order *order, const uint32_t *start, uint32_t n_classes, uint32_t begin,
                         uint32_t end);

/* Says what is wrong with classes begin .. end-1, each with the one before it; on several threads at once. */
typedef void (*covey_order_check)(covey_problems *problems, const void *context, uint32_t begin, uint32_t end);

/* Checks all classes, in pieces of about as many rows, on all threads; problems come in the order of the classes. */
covey_status covey_i_order_in_pieces(covey_problems *problems, const uint32_t *start, uint32_t n_classes,
                                     covey_order_check check, const void *context, const covey_run *run,
                                     covey_error *err);

#endif
