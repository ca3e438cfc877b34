/* Rewriting queries to SQL over exported tables (docs/export.md): what forms share. */
#ifndef COVEY_QUERY_REWRITE_REWRITE_H
#define COVEY_QUERY_REWRITE_REWRITE_H

#include "base/text.h"
#include "query/query_impl.h"

typedef struct covey_rewriting {
    const covey_query_release *release;
    const covey_bound_query *query;
    covey_sql_dialect dialect;
    covey_arena *arena;
    covey_text sql;
    bool uses_ranges; /* columns of table classes, alias c, stand in it */
    const char
        *stands_as; /* what the column of the next tests is called in t; NULL: its own name.  No column of a subquery is
                     * given the name of one of the release: SQLite does not let it be called "true" or "false" */
} covey_rewriting;

/* Appends "name" or 'text' as SQL writes them. */
void covey_i_rewrite_name(covey_text *sql, const char *name);
void covey_i_rewrite_text(covey_text *sql, const char *text);

/**
 * Appends a condition on one row of the exported rows, alias t: can the query's condition be true (want) or false (not
 * want) there?
 *
 * It is the answer of covey_i_condition_outcome, in which a category's cells stand by name and a number's range by its
 * ends.  It is never true by mistake where it is NULL.
 *
 * @return COVEY_EINVAL for conditions that would make too long an SQL, or that the engine itself answers by rules that
 * SQL has not
 */
covey_status covey_i_rewrite_outcome(covey_rewriting *r, bool want, covey_error *err);

/**
 * Appends, behind a text, what the condition asks of a row's other cells where the value of one attribute passes its
 * tests (passing), or fails them.
 *
 * @param never  receives whether no row can satisfy that: then nothing is appended
 * @return COVEY_EINVAL also if the attribute's tests do not stand together
 */
covey_status covey_i_rewrite_given(bool *never, covey_rewriting *r, const char *before, uint32_t attribute,
                                   bool passing, covey_error *err);

/* Appends those tests: can a value of the cell, alias t, pass them? */
covey_status covey_i_rewrite_part(covey_rewriting *r, uint32_t attribute, covey_error *err);

/* Forms whose cells are exact: appends what the condition asks of a row's other cells where the value of one attribute
 * is of an atom. */
covey_status covey_i_rewrite_at(covey_rewriting *r, uint32_t attribute, uint32_t atom, covey_error *err);

/* ... appends a part of the condition, or where it fails (not want). */
covey_status covey_i_rewrite_node(covey_rewriting *r, const covey_condition_node *node, bool want, covey_error *err);

/* Is a column published as single numbers, which the export keeps in a column of numbers, and SQL can compare? */
bool covey_i_rewrite_is_by_number(const covey_query_column *column);

/* Appends, for an attribute of such a column: is the number, alias t, of an atom?  Numbers that no row shows count,
 * too. */
covey_status covey_i_rewrite_atom(covey_rewriting *r, uint32_t attribute, uint32_t atom, covey_error *err);

/* Appends the number that a column holds, as a whole number of its last digit: exact in both databases.  name: of the
 * exported column; NULL: the same. */
covey_status covey_i_rewrite_number(covey_rewriting *r, uint32_t column, const char *prefix, const char *name,
                                    covey_error *err);

/* Appends a bound of COUNT(DISTINCT ...) over a table held of classes: units, largest and persons as in units.csv, size
 * rows, of which sure are surely selected, and either may be (query/class_units.h). */
void covey_i_rewrite_units(covey_rewriting *r, const covey_bound_aggregate *a, bool upper, int64_t n_suppressed);

/* "sum_lower", or "sum_lower_2" for the second SUM of a query; name: [32]. */
void covey_i_rewrite_label(char name[32], const covey_rewriting *r, size_t aggregate, const char *end);

/* Others need no sums, which may be too large for a database. */
static inline bool covey_i_rewrite_adds_up(const covey_bound_aggregate *a)
{
    return a->function == COVEY_SQL_SUM || a->function == COVEY_SQL_AVG;
}

/* 1 with as many zeros as the column has digits behind the point, as it divides a sum: "" for none. */
void covey_i_rewrite_unit(char out[32], int scale);

#endif
