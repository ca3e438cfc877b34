/* Rows whose cells are exact: which of them a condition selects, what is known of the selected ones, and GROUP BY over
 * them. */
#ifndef COVEY_QUERY_ROWS_H
#define COVEY_QUERY_ROWS_H

#include "query/query_impl.h"

/* --- which rows: row_scan.c --- */

/* How rows find the truth of the condition: the sum of an offset per cell. */
typedef struct covey_row_scan {
    const covey_condition *condition;
    uint32_t n_columns;
    const covey_column **text; /* [n_columns] columns of the condition that are not sensitive */
    uint32_t **offset;         /* [n_columns] per cell */
    uint32_t n_kinds;          /* size of the table below */
    uint64_t *accepts;         /* [n_kinds] which atoms of the sensitive column make it true; without one: 0 or 1 */
    const uint32_t *weight;    /* [rows] published rows that each row stands for; NULL: one */
    covey_query_exchange *exchange; /* of the query */
    int sensitive;                  /* which attribute of the condition is the sensitive column; -1: none */
} covey_row_scan;

covey_status covey_i_row_scan_make(covey_row_scan *out, const covey_bound_query *query, covey_arena *arena,
                                   covey_error *err);

/* Every atom of the sensitive column. */
static inline uint64_t covey_i_row_scan_all(const covey_row_scan *scan)
{
    const uint32_t n = scan->condition->attribute[scan->sensitive].n_atoms;

    return n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* accepts [n] of rows row[0 .. n-1], or first, first + 1, ... where row is NULL; n <= COVEY_SCAN_BLOCK. */
enum { COVEY_SCAN_BLOCK = 4096 };
void covey_i_row_scan(uint64_t *accepts, const covey_row_scan *scan, const uint32_t *row, uint32_t first, uint32_t n);

/* Rows to look at: row[0 .. n-1] ascending, or 0 .. n-1 where row is NULL. */
typedef struct covey_query_rows {
    const uint32_t *row;
    uint32_t n;
} covey_query_rows;

/* --- what is known of them: exact_rows.c --- */

/* Numbers of all columns that can be added up, else n = 0: [release->n_columns]. */
covey_status covey_i_query_all_numbers(covey_query_numbers **out, covey_query_release *release, covey_error *err);

/* SUM, AVG, MIN or MAX of a column whose values are known row by row, over the rows that the scan accepts. */
covey_status covey_i_rows_known_figures(covey_query_figures *out, const covey_bound_aggregate *aggregate,
                                        const covey_query_numbers *numbers, const covey_column *text,
                                        const covey_row_scan *scan, const covey_query_rows *rows, covey_arena *arena,
                                        covey_error *err);

/* Suppressed rows that may satisfy the query's condition: all, if any row can. */
covey_status covey_i_query_suppressed(int64_t *out, const covey_query_release *release, const covey_bound_query *query,
                                      covey_arena *arena, covey_error *err);

/* Answers for some rows; key: values of GROUP BY, NULL without. */
typedef covey_status (*covey_query_rows_answer)(covey_query_sink *sink, void *context, const covey_query_rows *rows,
                                                const covey_query_value *key, covey_error *err);

/* GROUP BY over exact columns: asks for the rows of each combination of keys, in the keys' order, of which the scan
 * accepts at least one. */
covey_status covey_i_query_by_keys(covey_query_sink *sink, const covey_query_release *release,
                                   const covey_bound_query *query, const covey_row_scan *scan, uint32_t n_rows,
                                   covey_query_rows_answer answer, void *context, const covey_run *run,
                                   covey_arena *arena, covey_error *err);

#endif
