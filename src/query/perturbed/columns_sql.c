/* The columns that the SQL of a perturbed release answers with: bounds, estimates and their errors, from the sums z. */
#include <inttypes.h>
#include <stdio.h>

#include "query/perturbed/writing.h"

/* The n-th value from an end and sums of as many look at all rows with a number, at least: z.n without those that may
 * be missing. */
static void rows_with_number(char out[128], const covey_perturbed_writing *w)
{
    if (w->p->n_missing > 0)
        snprintf(out, 128, "CASE WHEN z.n > %" PRId64 " THEN z.n - %" PRId64 " ELSE 1 END", w->p->n_missing,
                 w->p->n_missing);
    else
        snprintf(out, 128, "z.n");
}

/* The sum of so many least (greatest) values; missing ones count 0 where they may be among them. */
static void add_extreme_sum(const covey_perturbed_writing *w, const char *n, bool upper, bool with_missing)
{
    char before[128];

    snprintf(before, sizeof before, "%s", upper ? "b.above" : "b.below");
    if (with_missing && w->p->n_missing > 0)
        snprintf(before, sizeof before, "(%s + CASE WHEN b.x %s 0 THEN %" PRId64 " ELSE 0 END)",
                 upper ? "b.above" : "b.below", upper ? "<=" : ">=", w->p->n_missing);
    covey_i_text_add_format(
        &w->r->sql,
        "(SELECT SUM(b.x * CASE WHEN %s <= %s THEN 0 WHEN %s - %s < b.n THEN %s - %s ELSE b.n END) FROM number b)", n,
        before, n, before, n, before);
}

static void bound_sensitive(const covey_perturbed_writing *w, const covey_bound_aggregate *a, bool upper)
{
    covey_text *sql = &w->r->sql;
    char n[128];

    rows_with_number(n, w);
    covey_i_text_add_string(sql, "CASE WHEN z.n > 0 THEN ");
    if (a->function == COVEY_SQL_SUM) {
        add_extreme_sum(w, "z.n", upper, true);
    } else if (a->function == COVEY_SQL_AVG) {
        add_extreme_sum(w, n, upper, false);
        covey_i_text_add_format(sql, " * 1.0 / %s%s%s", w->p->n_missing > 0 ? "(" : "", n,
                                w->p->n_missing > 0 ? ")" : "");
    } else if ((a->function == COVEY_SQL_MIN) == upper) {
        covey_i_text_add_format(sql, "(SELECT %s(CASE WHEN b.%s < %s THEN b.x END) FROM number b)",
                                upper ? "MIN" : "MAX", upper ? "above" : "below", n);
    } else {
        covey_i_text_add_format(sql, "(SELECT %s(b.x) FROM number b)", upper ? "MAX" : "MIN");
    }
    covey_i_text_add_string(sql, " END");
}

static void bound_weighted(const covey_perturbed_writing *w, const covey_bound_aggregate *a, bool upper)
{
    if (!w->uses_means[true]) { /* no value is a number */
        covey_i_text_add_string(&w->r->sql, "NULL");
        return;
    }
    covey_i_text_add_format(&w->r->sql, "(SELECT b.total FROM paired b WHERE b.side = '%s'%s)",
                            upper ? "upper" : "lower", w->r->query->n_keys > 0 ? " AND b.g = z.g" : "");
    if (a->function == COVEY_SQL_AVG)
        covey_i_text_add_string(&w->r->sql, " * 1.0 / z.q");
}

static void add_known(const covey_perturbed_writing *w, size_t i)
{
    const covey_bound_aggregate *a = &w->r->query->aggregate[i];

    if (a->function == COVEY_SQL_SUM)
        covey_i_text_add_format(&w->r->sql, "z.s%zu", i + 1);
    else if (a->function == COVEY_SQL_AVG)
        covey_i_text_add_format(&w->r->sql, "z.s%zu * 1.0 / NULLIF(z.n%zu, 0)", i + 1, i + 1);
    else
        covey_i_text_add_format(&w->r->sql, a->function == COVEY_SQL_MIN ? "z.lo%zu" : "z.hi%zu", i + 1);
}

static void write_bound(const covey_perturbed_writing *w, size_t i, bool upper)
{
    const covey_bound_aggregate *a = &w->r->query->aggregate[i];
    char unit[32];

    if (a->function == COVEY_SQL_COUNT)
        covey_i_text_add_string(&w->r->sql, w->linked >= 0 && !upper ? "z.sure" : "z.n");
    else if (covey_i_perturbed_is_known(w, a))
        add_known(w, i);
    else if (a->weight)
        bound_weighted(w, a, upper);
    else
        bound_sensitive(w, a, upper);
    covey_i_rewrite_unit(unit, a->is_date ? 0 : a->scale);
    if (*unit)
        covey_i_text_add_format(&w->r->sql, " / %s.0", unit);
}

/* SQLite has SQRT only where it was built with it.  Newton's steps from above descend until rounding stops them. */
static void add_root(const covey_perturbed_writing *w, const char *x)
{
    if (w->r->dialect == COVEY_DIALECT_SQLITE)
        covey_i_text_add_format(&w->r->sql,
                                "CASE WHEN %s > 0 THEN (WITH RECURSIVE root(x) AS (SELECT %s / 2 + 0.5 UNION ALL "
                                "SELECT (x + %s / x) / 2 FROM root\n"
                                "    WHERE (x + %s / x) / 2 < x) SELECT MIN(x) FROM root) WHEN %s <= 0 THEN 0 END",
                                x, x, x, x, x);
    else
        covey_i_text_add_format(&w->r->sql, "CASE WHEN %s > 0 THEN SQRT(%s) WHEN %s <= 0 THEN 0 END", x, x, x);
}

/* A sum of whole numbers of the weight's last digit. */
static void divide_by_weight(const covey_perturbed_writing *w, const covey_bound_aggregate *a)
{
    char unit[32];

    covey_i_rewrite_unit(unit,
                         a->weight && a->function == COVEY_SQL_SUM ? w->r->release->column[a->weight_column].scale : 0);
    if (*unit)
        covey_i_text_add_format(&w->r->sql, " / %s.0", unit);
}

static void write_estimate(const covey_perturbed_writing *w, size_t i)
{
    const covey_bound_aggregate *a = &w->r->query->aggregate[i];
    covey_text *sql = &w->r->sql;

    if (a->function == COVEY_SQL_COUNT) {
        covey_i_text_add_string(sql, w->linked >= 0 ? "z.sure + z.total" : "z.n");
    } else if (covey_i_perturbed_is_known(w, a)) {
        write_bound(w, i, false);
    } else if (!w->uses_means[a->weight != NULL]) {
        covey_i_text_add_string(sql, "NULL");
    } else {
        covey_i_text_add_format(sql, "z.%s%s", covey_i_perturbed_prefix(a->weight),
                                a->function == COVEY_SQL_SUM ? "total" : "average");
        divide_by_weight(w, a);
    }
}

static void write_error(const covey_perturbed_writing *w, size_t i)
{
    const covey_bound_aggregate *a = &w->r->query->aggregate[i];
    covey_text *sql = &w->r->sql;

    if (a->function == COVEY_SQL_COUNT && w->linked >= 0) {
        add_root(w, "z.spread");
    } else if (a->function == COVEY_SQL_COUNT) {
        covey_i_text_add_string(sql, "0");
    } else if (covey_i_perturbed_is_known(w, a)) {
        covey_i_text_add_format(sql, "CASE WHEN z.n%zu > 0 THEN 0 END", i + 1);
    } else if (!w->uses_means[a->weight != NULL]) {
        covey_i_text_add_string(sql, "NULL");
    } else {
        char spread[64];

        snprintf(spread, sizeof spread, "z.%s%s", covey_i_perturbed_prefix(a->weight),
                 a->function == COVEY_SQL_SUM ? "spread" : "spread_of_average");
        add_root(w, spread);
        divide_by_weight(w, a);
    }
}

static void add_label(const covey_perturbed_writing *w, size_t i, const char *end)
{
    char label[32];

    covey_i_rewrite_label(label, w->r, i, end);
    covey_i_text_add_format(&w->r->sql, " AS %s", label);
}

void covey_i_perturbed_write_columns(const covey_perturbed_writing *w)
{
    const covey_bound_query *query = w->r->query;
    covey_text *sql = &w->r->sql;

    covey_i_text_add_string(sql, "\nSELECT ");
    for (size_t k = 0; k < query->n_keys; k++) {
        covey_i_text_add_format(sql, "z.k%zu AS ", k + 1);
        covey_i_rewrite_name(sql, w->r->release->column[query->key[k]].name);
        covey_i_text_add_string(sql, ",\n  ");
    }
    for (size_t i = 0; i < query->n_aggregates; i++)
        for (int upper = 0; upper < 2; upper++) {
            covey_i_text_add_string(sql, i + (size_t)upper ? ",\n  " : "");
            write_bound(w, i, upper);
            add_label(w, i, upper ? "upper" : "lower");
        }
    for (size_t i = 0; i < query->n_aggregates; i++) {
        if (query->aggregate[i].function != COVEY_SQL_COUNT && !covey_i_rewrite_adds_up(&query->aggregate[i]))
            continue;
        covey_i_text_add_string(sql, ",\n  ");
        write_estimate(w, i);
        add_label(w, i, "estimate");
        covey_i_text_add_string(sql, ",\n  ");
        write_error(w, i);
        add_label(w, i, "standard_error");
    }
    covey_i_text_add_string(sql, "\nFROM z");
}
