/* How queries are answered; see docs/adding-a-query-form.md.
 *
 * A published form is a const struct in a file of its own and a line in form_list.h.  It loads what it needs from an
 * opened release, and answers queries whose names are columns and whose condition is understood. */
#ifndef COVEY_QUERY_QUERY_IMPL_H
#define COVEY_QUERY_QUERY_IMPL_H

#include <covey/query.h>

#include "base/exact/fraction.h"
#include "query/language/condition.h"

/* A bound: num / (den * 10^scale of the column). */
typedef struct covey_query_exact {
    bool exists;
    covey_i128 num;
    int64_t den; /* > 0 */
} covey_query_exact;

/* What a form says about one aggregate. */
typedef struct covey_query_figures {
    covey_query_exact lower, upper;
    double estimate, standard_error; /* NaN: there is none; in units of the column, not scaled */
    covey_query_interval interval;   /* of the estimate; most forms have none */
} covey_query_figures;

typedef struct covey_bound_aggregate {
    covey_sql_function function; /* COUNT also where as many units are counted as rows, which */
    covey_sql_function asked;    /* was called COUNT(DISTINCT) */
    uint32_t column;             /* not for those that count */
    const char *text;            /* "AVG(salary)" */
    int scale; /* of the column (SUM of a weighted one: and of the weight); where rows or units are counted: 0 */
    bool is_date;
    bool is_weight; /* the column is the sampling weight: greater than 0, whatever it is */
    /* SUM, AVG: a row counts as often as its weight says, in units of the weight's last digit.  NULL: once */
    const int64_t *weight; /* [cells of weight_text] > 0 */
    const covey_column *weight_text;
    uint32_t weight_column;
    const int64_t *n_units; /* COUNT(DISTINCT ...): [classes] how many of what is counted each class has */
} covey_bound_aggregate;

/* See exchange.h. */
typedef struct covey_query_exchange covey_query_exchange;

typedef struct covey_bound_query {
    const covey_sql_query *sql;
    size_t n_aggregates;
    covey_bound_aggregate *aggregate;
    covey_condition condition;
    size_t n_keys;
    uint32_t *key;                  /* columns of GROUP BY */
    bool shrink;                    /* see covey_query_options; only where the form can_shrink */
    covey_query_exchange *exchange; /* the release is a piece, or the cells of all pieces; else NULL */
} covey_bound_query;

/* Where a form puts its answers. */
typedef struct covey_query_sink covey_query_sink;

/* Adds the answers of one group: value [n_keys] (NULL without GROUP BY), figures [n_aggregates]. */
covey_status covey_i_query_emit(covey_query_sink *sink, const covey_query_value *value, int64_t hits_lower,
                                int64_t hits_upper, const covey_query_figures *figures, covey_error *err);

/* How often a row counts. */
static inline int64_t covey_i_query_row_weight(const covey_bound_aggregate *aggregate, uint32_t row)
{
    return aggregate->weight ? aggregate->weight[covey_i_code_at(aggregate->weight_text, row)] : 1;
}

/* Is it a sum of weights, or one in which rows count by them? */
static inline bool covey_i_query_is_weighted(const covey_bound_aggregate *aggregate)
{
    return aggregate->weight || (aggregate->is_weight && aggregate->function == COVEY_SQL_SUM);
}

struct covey_rewriting;

typedef struct covey_query_form {
    const char *name;    /* as in manifest.json */
    bool quasi_is_exact; /* quasi-identifiers are published as they are, and may be aggregated like insensitive columns
                          */
    bool gives_midpoint;
    bool can_shrink;          /* estimates may be brought towards the prior */
    bool adds_up;             /* what it counts of pieces is exchanged, see exchange.h */
    bool weighs;              /* SUM and AVG of columns that are known row by row may be weighted */
    bool weighs_sensitive;    /* also those of the sensitive one */
    bool rewrites_each_group; /* GROUP BY: a query for every group, which is named */
    /* Of forms that do not weigh: are a row's weight and value known together, so that their product can be added up
     * like a column?  NULL: no. */
    bool (*knows_products)(const struct covey_query_release *release, uint32_t weight, uint32_t column);
    /* Called once: makes release->state of release->opened, in release->arena.  Columns are understood already. */
    covey_status (*load)(covey_query_release *release, const covey_run *run, covey_error *err);
    /* Calls covey_i_query_emit once, or with GROUP BY once per group in the order of keys, at most
     * COVEY_QUERY_MOST_GROUPS times.  May be called by several threads; scratch comes from the arena. */
    covey_status (*answer)(covey_query_sink *sink, const covey_query_release *release, const covey_bound_query *query,
                           const covey_run *run, covey_arena *arena, covey_error *err);
    /* Appends the query's SQL over exported tables to r->sql, see rewrite.h; it has no GROUP BY where each group is
     * rewritten.  NULL: not built. */
    covey_status (*rewrite)(struct covey_rewriting *r, covey_error *err);
} covey_query_form;

enum { COVEY_QUERY_MOST_GROUPS = 10000 };

struct covey_query_release {
    const covey_query_form *form;
    const char *name; /* of its folder */
    covey_stated *stated;
    covey_opened *opened;
    size_t n_columns;
    covey_query_column *column; /* as opened->column */
    uint32_t n_own_rows;        /* of a piece, in the first n_own_classes; what follows is there for its cells alone */
    uint32_t n_own_classes;
    void *state;
    covey_arena arena;
};

/* Finds what the names and values of a parsed query mean; texts of aggregates go to result_arena.  exchange: NULL, or
 * the release is a piece. */
covey_status covey_i_query_bind(covey_bound_query *out, const covey_query_release *release, const covey_sql_query *sql,
                                covey_query_exchange *exchange, covey_arena *result_arena, covey_arena *arena,
                                covey_error *err);

const covey_query_form *covey_i_query_form_find(const char *name); /* NULL if there is none */
size_t covey_i_query_form_count(void);
const covey_query_form *covey_i_query_form_at(size_t index);

/**
 * Finds how often rows count: sets out->weight; the columns are set already.  weights.c.
 *
 * @return COVEY_EINVAL where the form does not weigh the column, values are missing under a quotient, or the numbers
 * are too large to be multiplied exactly; COVEY_EPARSE for weights that are none
 */
covey_status covey_i_query_weights(covey_bound_aggregate *out, const covey_query_release *release,
                                   const covey_sql_query *sql, const covey_sql_aggregate *a, covey_arena *arena,
                                   covey_error *err);

/* Writes a bound; is_upper: away from it is up. */
void covey_i_query_bound(covey_query_bound *out, const covey_query_exact *exact, int scale, bool is_date,
                         bool is_upper);

/* 10^scale as a double. */
double covey_i_query_unit(int scale);

/* --- values of cells --- */

/* The only number of a cell; false: it is missing.  Needs covey_i_query_are_numbers. */
bool covey_i_query_cell_number(int64_t *out, const covey_query_column *column, uint32_t cell);

/* Numbers of a column in ascending order, for sums over its cells. */
typedef struct covey_query_numbers {
    uint32_t n;
    int64_t *number;        /* [n] ascending, different */
    uint32_t *slot_of_cell; /* [n_cells] UINT32_MAX: missing */
} covey_query_numbers;

/* Is every cell a single number, or the missing value? */
bool covey_i_query_are_numbers(const covey_query_column *column);
/* Needs a column of which that is true. */
covey_status covey_i_query_numbers(covey_query_numbers *out, const covey_query_column *column, covey_arena *arena,
                                   covey_error *err);

/* How many values a cell stands for, and does it hold this one? */
double covey_i_query_cell_size(const covey_query_cell *cell);
bool covey_i_query_cell_holds(const covey_query_column *column, const covey_query_cell *cell,
                              const covey_query_value *value);

/**
 * All values that cells of a column stand for, ascending, missing first; used: [n_cells] which cells count.
 *
 * @return COVEY_EINVAL if there are more than COVEY_QUERY_MOST_GROUPS, or they cannot be listed
 */
covey_status covey_i_query_values(uint32_t *n, covey_query_value **out, const covey_query_column *column,
                                  const bool *used, covey_arena *arena, covey_error *err);

/* --- rows with known values, of which some are selected surely and some possibly --- */

/* Possibly selected rows that have one value. */
typedef struct covey_maybe_value {
    int64_t n;
    double expected, spread; /* sums of p, of p(1 - p) over them */
} covey_maybe_value;

/* Surely selected rows that have a value. */
typedef struct covey_sure_values {
    int64_t n;
    covey_i128 sum;
    uint32_t least, greatest; /* slots; n > 0 */
} covey_sure_values;

typedef struct covey_selected_values {
    const covey_query_numbers *numbers;
    covey_sure_values sure;
    covey_maybe_value *maybe; /* [numbers->n]; NULL: every row is selected surely or not at all */
    uint32_t n_slots;
    uint64_t *slot;    /* [n_slots] that have possibly selected rows: one group among many has few of the numbers */
    uint64_t *scratch; /* as large */
} covey_selected_values;

typedef struct covey_selected_rows {
    int64_t n_sure, n_maybe;
    double expected, spread; /* sums of p and of p(1 - p); NaN: not known */
    int64_t n_unknown;       /* possibly selected rows more, whose value of the aggregated column is not known */
} covey_selected_rows;

/* n rows with the same number. */
static inline void covey_i_sure_add_many(covey_sure_values *sure, const covey_query_numbers *numbers, uint32_t slot,
                                         int64_t n)
{
    sure->least = sure->n == 0 || slot < sure->least ? slot : sure->least;
    sure->greatest = sure->n == 0 || slot > sure->greatest ? slot : sure->greatest;
    sure->sum += (covey_i128)numbers->number[slot] * n;
    sure->n += n;
}

static inline void covey_i_sure_add(covey_sure_values *sure, const covey_query_numbers *numbers, uint32_t slot)
{
    covey_i_sure_add_many(sure, numbers, slot, 1);
}

/* What rows that are added, one at least, go to. */
static inline covey_maybe_value *covey_i_selected_maybe(covey_selected_values *v, uint32_t slot)
{
    if (v->maybe[slot].n == 0)
        v->slot[v->n_slots++] = slot;
    return &v->maybe[slot];
}

/* No row is selected; needs numbers. */
covey_status covey_i_selected_new(covey_selected_values *v, covey_arena *arena, covey_error *err);
void covey_i_selected_clear(covey_selected_values *v);
/* Slots ascend until more rows are added. */
void covey_i_selected_sort(covey_selected_values *v);

void covey_i_query_sure_join(covey_sure_values *into, const covey_sure_values *more);

/* Widens bounds by rows that are possibly selected, and of whose values nothing is known: MIN is still not above a
 * surely selected value, and MAX not below. */
void covey_i_query_open_bounds(covey_query_figures *out, covey_sql_function function, int64_t n_sure,
                               int64_t n_unknown);

/* The same of an aggregate: a sum of weights does not become less. */
void covey_i_query_open_aggregate(covey_query_figures *out, const covey_bound_aggregate *aggregate, int64_t n_sure,
                                  int64_t n_unknown);

/* Can suppressed rows, as far as the prior tells their values, make a sum of them less, or more?  is_positive: values
 * are greater than 0 also where it does not tell them. */
void covey_i_query_suppressed_signs(bool *lowers, bool *raises, const covey_query_column *column, bool is_positive);
/* n suppressed rows may be selected, whose weights nobody knows: a weighted sum that they cannot lower is at least that
 * without them. */
void covey_i_query_open_weighted(covey_query_figures *out, const covey_bound_aggregate *aggregate,
                                 const covey_query_column *column, int64_t n);

void covey_i_selected_count(covey_query_figures *out, const covey_selected_rows *rows);
void covey_i_selected_figures(covey_query_figures *out, covey_sql_function function, const covey_selected_rows *rows,
                              covey_selected_values *values, int scale);

#endif
