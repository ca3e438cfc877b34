/* Queries over the form "generalized" as SQL over its exported tables.
 *
 * hit has the possibly selected rows, maybe 1 where one need not be; held counts them class by class for units; w1, w2,
 * ... count them by value of an aggregated column, with the suppressed rows of known value.  From these come COUNT,
 * SUM, MIN and MAX as in query/selected.c. AVG is a fractional programme, whose optimum lies at a prefix of the
 * possibly selected values in ascending (descending) order; so it is the least (greatest) quotient over all prefixes,
 * which sums over a window list. */
#include "query/generalized/sql.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "query/generalized/class_scan.h"
#include "reader/units.h"
#include "table/table_impl.h"

struct writing {
    covey_rewriting *r;
    int64_t n_suppressed;
    size_t *number;                   /* [n_aggregates] the w of an aggregate, from 1; 0: it counts */
    const covey_bound_aggregate **of; /* [n_numbers] one of which each is */
    size_t n_numbers;
    bool has_units; /* some are counted */
};

static const covey_query_column *column_of(const struct writing *w, size_t number)
{
    return &w->r->release->column[w->of[number - 1]->column];
}

static bool is_alike(const covey_bound_aggregate *a, const covey_bound_aggregate *b)
{
    return a->column == b->column && !a->weight == !b->weight && a->weight_column == b->weight_column;
}

/* Each aggregated column once, and once more weighted. */
static covey_status number_columns(struct writing *w, covey_error *err)
{
    const covey_bound_query *query = w->r->query;

    w->number = covey_arena_array_zero(w->r->arena, size_t, query->n_aggregates);
    w->of = covey_arena_array_zero(w->r->arena, const covey_bound_aggregate *, query->n_aggregates);
    if (!w->number || !w->of)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < query->n_aggregates; i++) {
        size_t n = 0;

        if (covey_i_sql_counts(query->aggregate[i].function))
            continue;
        while (n < w->n_numbers && !is_alike(w->of[n], &query->aggregate[i]))
            n++;
        if (n == w->n_numbers)
            w->of[w->n_numbers++] = &query->aggregate[i];
        w->number[i] = n + 1;
    }
    return COVEY_OK;
}

static covey_status write_rows(struct writing *w, const char *where, covey_error *err)
{
    covey_rewriting *r = w->r;

    covey_i_text_add_string(&r->sql, "WITH hit AS (\n  SELECT CASE WHEN ");
    COVEY_TRY(covey_i_rewrite_outcome(r, false, err));
    covey_i_text_add_string(&r->sql, " THEN 1 ELSE 0 END AS maybe");
    if (w->has_units)
        covey_i_text_add_string(&r->sql, ", t.\"class\" AS k");
    for (size_t n = 1; n <= w->n_numbers; n++) {
        covey_i_text_add_string(&r->sql, ", ");
        COVEY_TRY(covey_i_rewrite_number(r, w->of[n - 1]->column, "t.", NULL, err));
        covey_i_text_add_format(&r->sql, " AS v%zu", n);
        if (!w->of[n - 1]->weight)
            continue;
        covey_i_text_add_string(&r->sql, ", ");
        COVEY_TRY(covey_i_rewrite_number(r, w->of[n - 1]->weight_column, "t.", NULL, err));
        covey_i_text_add_format(&r->sql, " AS g%zu", n);
    }
    covey_i_text_add_format(&r->sql, "\n  FROM \"table\" t%s\n  WHERE %s\n)",
                            r->uses_ranges ? " JOIN classes c ON c.\"class\" = t.\"class\"" : "", where);
    return COVEY_OK;
}

/* The rows that may be selected. */
static covey_status write_hit(struct writing *w, covey_error *err)
{
    covey_rewriting *r = w->r;
    covey_text where = COVEY_TEXT_INIT, sql = r->sql;
    covey_status status;

    r->sql = where;
    status = covey_i_rewrite_outcome(r, true, err);
    where = r->sql;
    r->sql = sql;
    if (status == COVEY_OK)
        status = write_rows(w, where.bytes, err);
    covey_i_text_free(&where);
    return status;
}
static void add_value(covey_rewriting *r, const covey_query_column *column, int64_t number)
{
    char text[64];

    if (column->type != COVEY_TYPE_DATE) {
        covey_i_text_add_format(&r->sql, "%" PRId64, number);
        return;
    }
    covey_i_typing_format_number(text, sizeof text, COVEY_TYPE_DATE, number, 0);
    covey_i_text_add_string(&r->sql, r->dialect == COVEY_DIALECT_POSTGRESQL ? "DATE " : "");
    covey_i_rewrite_text(&r->sql, text);
}

/* The suppressed rows' values, which the prior tells. */
static void add_suppressed(struct writing *w, const covey_query_column *column)
{
    covey_rewriting *r = w->r;

    for (uint32_t cell = 0; w->n_suppressed > 0 && column->n_suppressed && cell < column->n_cells; cell++) {
        int64_t number;

        if (column->n_suppressed[cell] == 0 || !covey_i_query_cell_number(&number, column, cell))
            continue;
        covey_i_text_add_string(&r->sql, "\n    UNION ALL SELECT ");
        add_value(r, column, number);
        covey_i_text_add_format(&r->sql, ", 0, %" PRId64, column->n_suppressed[cell]);
    }
}

static bool has_average(const struct writing *w, size_t number)
{
    for (size_t i = 0; i < w->r->query->n_aggregates; i++)
        if (w->number[i] == number && w->r->query->aggregate[i].function == COVEY_SQL_AVG)
            return true;
    return false;
}

/* w: rows by value.  total: the surely selected ones.  up and down: the possibly selected ones from either end. */
static void write_number(struct writing *w, size_t n)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_format(sql,
                            ", w%zu AS (\n  SELECT v, SUM(sure) AS sure, SUM(maybe) AS maybe FROM (\n"
                            "    SELECT v%zu AS v, ",
                            n, n);
    if (w->of[n - 1]->weight)
        covey_i_text_add_format(sql, "(1 - maybe) * g%zu AS sure, maybe * g%zu AS maybe", n, n);
    else
        covey_i_text_add_string(sql, "1 - maybe AS sure, maybe");
    covey_i_text_add_format(sql, " FROM hit WHERE v%zu IS NOT NULL", n);
    if (!w->of[n - 1]->weight)
        add_suppressed(w, column_of(w, n));
    covey_i_text_add_string(sql, "\n  ) x GROUP BY v\n)");
    if (!has_average(w, n))
        return;
    covey_i_text_add_format(
        sql, ", total%zu AS (\n  SELECT SUM(CAST(v AS NUMERIC) * sure) AS s, SUM(sure) AS n FROM w%zu\n)", n, n);
    for (int side = 0; side < 2; side++)
        covey_i_text_add_format(sql,
                                ", %s%zu AS (\n  SELECT SUM(CAST(v AS NUMERIC) * maybe) OVER (ORDER BY v%s) AS s, "
                                "SUM(maybe) OVER (ORDER BY v%s) AS n FROM w%zu\n)",
                                side ? "down" : "up", n, side ? " DESC" : "", side ? " DESC" : "", n);
}

/* ---- bounds ---- */

static void bound_count(const struct writing *w, bool upper)
{
    covey_i_text_add_string(&w->r->sql,
                            upper ? "(SELECT COUNT(*) FROM hit)" : "(SELECT COUNT(*) FROM hit WHERE maybe = 0)");
    if (upper && w->n_suppressed > 0)
        covey_i_text_add_format(&w->r->sql, " + %" PRId64, w->n_suppressed);
}

/* held: of each class the rows that are selected surely, and all that may be (class_units.h). */
static void write_held(struct writing *w)
{
    covey_i_text_add_string(&w->r->sql,
                            ", held AS (\n  SELECT u.*, c.\"rows\" AS size, x.sure, x.either FROM (\n"
                            "    SELECT k, SUM(1 - maybe) AS sure, COUNT(*) AS either FROM hit GROUP BY k\n"
                            "  ) x JOIN units u ON u.\"class\" = x.k JOIN classes c ON c.\"class\" = x.k\n)");
}

/* Of suppressed rows whose weights nobody knows there may be none. */
static void bound_sum(const struct writing *w, size_t n, bool upper)
{
    const bool may_be_none = w->n_suppressed > 0 && covey_i_query_is_weighted(w->of[n - 1]);

    covey_i_text_add_format(
        &w->r->sql, "(SELECT %sSUM(CAST(v AS NUMERIC) * (sure + CASE WHEN v %s 0 THEN maybe ELSE 0 END))%s FROM w%zu)",
        may_be_none ? "COALESCE(" : "", upper ? ">" : "<", may_be_none ? ", 0)" : "", n);
}

/* Has the aggregate no bound because of suppressed rows?  Of their values nothing is known, or not their weights; but
 * MIN is not above a surely selected value, and MAX not below. */
static bool is_open(const struct writing *w, const covey_bound_aggregate *a, size_t n, bool upper)
{
    const covey_query_column *column = column_of(w, n);
    const bool is_sum = a->function == COVEY_SQL_SUM, is_average = a->function == COVEY_SQL_AVG;
    bool lowers, raises;

    if (w->n_suppressed == 0)
        return false;
    covey_i_query_suppressed_signs(&lowers, &raises, column, a->is_weight);
    if (covey_i_query_is_weighted(a))
        return !is_sum || (upper ? raises : lowers);
    return !column->n_suppressed && (is_sum || is_average || upper != (a->function == COVEY_SQL_MIN));
}

static void bound_average(const struct writing *w, size_t n, bool upper)
{
    const char *side = upper ? "down" : "up";

    covey_i_text_add_format(&w->r->sql,
                            "(SELECT %s(q) FROM (\n    SELECT (t.s + p.s) * 1.0 / (t.n + p.n) AS q FROM total%zu t, "
                            "%s%zu p WHERE t.n + p.n > 0\n"
                            "    UNION ALL SELECT s * 1.0 / n FROM total%zu WHERE n > 0\n  ) x)",
                            upper ? "MAX" : "MIN", n, side, n, n);
}

/* The outer end: any row.  The inner one: the surely selected rows alone; without any, the last of the others. */
static void bound_extreme(const struct writing *w, size_t n, bool is_min, bool upper, bool unknown)
{
    const char *near = is_min ? "MIN" : "MAX", *far = is_min ? "MAX" : "MIN";

    if (upper != is_min)
        covey_i_text_add_format(&w->r->sql, "(SELECT %s(v) FROM w%zu)", near, n);
    else if (unknown)
        covey_i_text_add_format(&w->r->sql, "(SELECT %s(CASE WHEN sure > 0 THEN v END) FROM w%zu)", near, n);
    else
        covey_i_text_add_format(&w->r->sql, "(SELECT COALESCE(%s(CASE WHEN sure > 0 THEN v END), %s(v)) FROM w%zu)",
                                near, far, n);
}

static void write_bound(const struct writing *w, size_t i, bool upper)
{
    const covey_bound_aggregate *a = &w->r->query->aggregate[i];
    const size_t n = w->number[i];
    const bool is_min = a->function == COVEY_SQL_MIN;
    const bool unknown = w->n_suppressed > 0 && n > 0 && !column_of(w, n)->n_suppressed;
    char unit[32];

    if (a->function == COVEY_SQL_COUNT) {
        bound_count(w, upper);
        return;
    }
    if (a->n_units) {
        covey_i_rewrite_units(w->r, a, upper, w->n_suppressed);
        return;
    }
    if (is_open(w, a, n, upper)) {
        covey_i_text_add_string(&w->r->sql, "NULL");
        return;
    }
    if (a->function == COVEY_SQL_SUM)
        bound_sum(w, n, upper);
    else if (a->function == COVEY_SQL_AVG)
        bound_average(w, n, upper);
    else
        bound_extreme(w, n, is_min, upper, unknown);
    covey_i_rewrite_unit(unit, a->is_date ? 0 : a->scale);
    if (*unit)
        covey_i_text_add_format(&w->r->sql, " / %s.0", unit);
}

covey_status covey_i_generalized_rewrite(covey_rewriting *r, covey_error *err)
{
    struct writing w = {.r = r};
    covey_class_scan scan = {.release = r->release, .g = r->release->state, .query = r->query};

    if (r->release->stated->n_counterfeits > 0)
        return covey_fail(err, COVEY_EINVAL,
                          "query: rows of this release are made up, and bounds that take account of them are not "
                          "rewritten as SQL; ask covey query without --sql");
    COVEY_TRY(covey_i_class_scan_begin(&scan, r->arena, err));
    w.n_suppressed = covey_i_class_scan_suppressed(&scan);
    w.has_units = scan.units != NULL;
    COVEY_TRY(number_columns(&w, err));
    COVEY_TRY(write_hit(&w, err));
    if (w.has_units)
        write_held(&w);
    for (size_t n = 1; n <= w.n_numbers; n++)
        write_number(&w, n);
    covey_i_text_add_string(&r->sql, "\nSELECT ");
    for (size_t i = 0; i < r->query->n_aggregates; i++)
        for (int upper = 0; upper < 2; upper++) {
            char label[32];

            covey_i_text_add_string(&r->sql, i + (size_t)upper ? ",\n  " : "");
            write_bound(&w, i, upper);
            covey_i_rewrite_label(label, r, i, upper ? "upper" : "lower");
            covey_i_text_add_format(&r->sql, " AS %s", label);
        }
    return r->sql.broken ? covey_i_no_memory(err) : COVEY_OK;
}
