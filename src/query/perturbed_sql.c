/* Queries over the form "perturbed" as SQL over its exported tables: the inverse of the randomization, in closed form, from table perturbation.
 *
 * A row that shows j counts with the weight w_j = (a_j - Y_j W) / alpha_j, where a says what its true value would add (randomization.h).  asked lists every
 * function a over the values, whole has its W, and weight its weights.  Rows are counted in h by what they show, so that weights are summed up over few lines:
 *
 * - Of a condition on the sensitive column, a is 0 or 1 by the atom of the value.  Rows fall into kinds by the atoms that make them true with their
 *   other cells: a text of 0 and 1, one digit per atom.  A kind is a function.
 * - For SUM and AVG the functions are the number, its square, and whether there is one.  Numbers are taken from one in their middle, or large
 *   ones that differ little would leave no digits for the error of AVG.
 *
 * Bounds of SUM, AVG, MIN and MAX take values of the prior from its ends, which a running sum over table number tells.
 *
 * Source: beta-likeness.md section 5 points 8 and 9; perturbed_sums.c does the same. */
#include "query/perturbed_sql.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "query/query_perturbed.h"

struct writing {
    covey_rewriting *r;
    const covey_query_perturbed *p;
    int linked;            /* the condition's attribute that is the sensitive column; -1: none */
    bool has_missing;      /* a sensitive value may be missing */
    double origin;         /* numbers are taken from here */
    bool uses_bounds;      /* SUM, AVG, MIN or MAX of the sensitive column */
    bool uses_weights;     /* ... SUM or AVG, of which there are estimates if any value is a number */
};

static bool is_known(const struct writing *w, const covey_bound_aggregate *a)
{
    return a->function != COVEY_SQL_COUNT && a->column != w->p->sensitive;
}

static bool is_mean(const covey_bound_aggregate *a)
{
    return a->function == COVEY_SQL_SUM || a->function == COVEY_SQL_AVG;
}

static void inspect(struct writing *w)
{
    const covey_bound_query *query = w->r->query;
    const covey_query_numbers *numbers = &w->p->numbers[w->p->sensitive];

    w->linked = -1;
    if (numbers->n > 0)
        w->origin = (double)numbers->number[numbers->n / 2] / covey_i_query_unit(w->r->release->column[w->p->sensitive].scale);
    for (uint32_t i = 0; i < query->condition.n_attributes; i++)
        if (query->condition.attribute[i].index == w->p->sensitive)
            w->linked = (int)i;
    for (size_t i = 0; i < query->n_aggregates; i++) {
        const covey_bound_aggregate *a = &query->aggregate[i];

        w->uses_bounds |= a->function != COVEY_SQL_COUNT && !is_known(w, a);
        w->uses_weights |= is_mean(a) && !is_known(w, a) && numbers->n > 0;
    }
    for (uint32_t j = 0; j < w->p->n_values; j++)
        w->has_missing |= covey_i_query_cell_is_null(&w->r->release->column[w->p->sensitive].cell[w->p->cell[j]]);
}

/* k1, k2, ... of GROUP BY, each with what stands before it and a comma behind it. */
static void add_keys(const struct writing *w, const char *prefix)
{
    for (size_t k = 0; k < w->r->query->n_keys; k++)
        covey_i_text_add_format(&w->r->sql, "%sk%zu, ", prefix, k + 1);
}

/* GROUP BY k1, k2, ...; nothing without keys. */
static void add_grouping(const struct writing *w, const char *prefix)
{
    for (size_t k = 0; k < w->r->query->n_keys; k++)
        covey_i_text_add_format(&w->r->sql, "%s%sk%zu", k ? ", " : "\n  GROUP BY ", prefix, k + 1);
}

/* Is what was shown the value of a line?  A missing value is one, too. */
static void add_match(const struct writing *w, const char *shown, const char *value)
{
    covey_i_text_add_format(&w->r->sql, w->has_missing ? "(%s = %s OR %s IS NULL AND %s IS NULL)" : "%s = %s", shown, value, shown, value);
}

/* ---- rows ---- */

static void write_row(const struct writing *w)
{
    covey_rewriting *r = w->r;

    covey_i_text_add_string(&r->sql, "WITH hit AS (\n  SELECT ");
    for (size_t k = 0; k < r->query->n_keys; k++) {
        covey_i_text_add_string(&r->sql, "t.");
        covey_i_rewrite_name(&r->sql, r->release->column[r->query->key[k]].name);
        covey_i_text_add_format(&r->sql, " AS k%zu, ", k + 1);
    }
    covey_i_text_add_string(&r->sql, "t.");
    covey_i_rewrite_name(&r->sql, r->release->column[w->p->sensitive].name);
    covey_i_text_add_string(&r->sql, " AS shown");
}

/* Which values of the sensitive column would make the row true: a digit per atom. */
static covey_status write_kinds(const struct writing *w, covey_error *err)
{
    covey_text *sql = &w->r->sql;

    write_row(w);
    for (uint32_t atom = 0; atom < w->r->query->condition.attribute[w->linked].n_atoms; atom++) {
        covey_i_text_add_string(sql, atom ? " || CASE WHEN " : ", CASE WHEN ");
        COVEY_TRY(covey_i_rewrite_at(w->r, (uint32_t)w->linked, atom, err));
        covey_i_text_add_string(sql, " THEN '1' ELSE '0' END");
    }
    covey_i_text_add_string(sql, " AS kind\n  FROM \"table\" t\n), h AS (\n  SELECT ");
    add_keys(w, "");
    covey_i_text_add_string(sql, "kind, shown, COUNT(*) AS n FROM hit GROUP BY ");
    add_keys(w, "");
    covey_i_text_add_string(sql, "kind, shown\n)");
    return COVEY_OK;
}

static covey_status write_hits(const struct writing *w, covey_error *err)
{
    covey_rewriting *r = w->r;

    write_row(w);
    for (size_t i = 0; i < r->query->n_aggregates; i++)
        if (is_known(w, &r->query->aggregate[i])) {
            covey_i_text_add_string(&r->sql, ", ");
            COVEY_TRY(covey_i_rewrite_number(r, r->query->aggregate[i].column, "t.", NULL, err));
            covey_i_text_add_format(&r->sql, " AS v%zu", i + 1);
        }
    covey_i_text_add_string(&r->sql, "\n  FROM \"table\" t\n  WHERE ");
    COVEY_TRY(covey_i_rewrite_outcome(r, true, err));
    covey_i_text_add_string(&r->sql, "\n), h AS (\n  SELECT ");
    add_keys(w, "");
    covey_i_text_add_string(&r->sql, "shown, COUNT(*) AS n");
    for (size_t i = 0; i < r->query->n_aggregates; i++)
        if (is_known(w, &r->query->aggregate[i])) {
            covey_i_text_add_format(&r->sql, ", MIN(v%zu) AS lo%zu, MAX(v%zu) AS hi%zu", i + 1, i + 1, i + 1, i + 1);
            if (!r->query->aggregate[i].is_date)
                covey_i_text_add_format(&r->sql, ", SUM(v%zu) AS s%zu, COUNT(v%zu) AS n%zu", i + 1, i + 1, i + 1, i + 1);
        }
    covey_i_text_add_string(&r->sql, " FROM hit GROUP BY ");
    add_keys(w, "");
    covey_i_text_add_string(&r->sql, "shown\n)");
    return COVEY_OK;
}

/* ---- values ---- */

static uint32_t atom_of(const struct writing *w, uint32_t value)
{
    const covey_condition_attribute *a = &w->r->query->condition.attribute[w->linked];

    return a->share[a->start[w->p->cell[value]]].atom;
}

/* Texts of an atom by name. */
static void list_values(const struct writing *w, uint32_t atom)
{
    const covey_perturbed_lines *lines = w->r->release->opened->form_data;
    bool any = false, null_is = false;

    for (uint32_t j = 0; j < w->p->n_values; j++) {
        if (atom_of(w, j) != atom)
            continue;
        if (covey_i_query_cell_is_null(&w->r->release->column[w->p->sensitive].cell[w->p->cell[j]])) {
            null_is = true;
            continue;
        }
        covey_i_text_add_string(&w->r->sql, any ? ", " : "p.value IN (");
        covey_i_rewrite_text(&w->r->sql, covey_column_label(lines->value, covey_i_code_at(lines->value, j)));
        any = true;
    }
    covey_i_text_add_string(&w->r->sql, any ? null_is ? ") OR p.value IS NULL" : ")" : null_is ? "p.value IS NULL" : "1 = 0");
}

static covey_status write_atoms(const struct writing *w, covey_error *err)
{
    const covey_query_column *column = &w->r->release->column[w->p->sensitive];
    const bool by_number = covey_i_rewrite_is_by_number(column);
    const uint32_t n = w->r->query->condition.attribute[w->linked].n_atoms;
    covey_text *sql = &w->r->sql;

    covey_i_text_add_string(sql, n > 1 ? ",\n    CASE" : ",\n    1");
    for (uint32_t atom = 0; atom + 1 < n; atom++) {
        covey_i_text_add_string(sql, " WHEN ");
        if (by_number)
            COVEY_TRY(covey_i_rewrite_atom(w->r, (uint32_t)w->linked, atom, err));
        else
            list_values(w, atom);
        covey_i_text_add_format(sql, " THEN %" PRIu32, atom + 1);
    }
    if (n > 1)
        covey_i_text_add_format(sql, " ELSE %" PRIu32 " END", n);
    covey_i_text_add_string(sql, " AS atom\n  FROM perturbation p");
    if (by_number) { /* tests speak of the column by its own name, which may be that of another column of perturbation */
        covey_i_text_add_string(sql, " JOIN (SELECT value AS ");
        covey_i_rewrite_name(sql, column->name);
        covey_i_text_add_string(sql, " FROM perturbation) t ON t.");
        covey_i_rewrite_name(sql, column->name);
        covey_i_text_add_string(sql, " = p.value");
        if (w->has_missing) {
            covey_i_text_add_string(sql, " OR t.");
            covey_i_rewrite_name(sql, column->name);
            covey_i_text_add_string(sql, " IS NULL AND p.value IS NULL");
        }
    }
    return COVEY_OK;
}

/* chance: Y. */
static void begin_values(const struct writing *w)
{
    covey_i_text_add_format(&w->r->sql, ", v AS (\n  SELECT p.value, CAST(p.alpha AS DOUBLE PRECISION) AS alpha, (1 - CAST(p.alpha AS DOUBLE PRECISION)) / %" PRIu32
                                        ".0 AS chance", w->p->n_values);
}

static covey_status write_functions_of_kinds(const struct writing *w, covey_error *err)
{
    begin_values(w);
    COVEY_TRY(write_atoms(w, err));
    covey_i_text_add_string(&w->r->sql, "\n), asked AS (\n"
                                        "  SELECT k.kind AS f, v.value, v.alpha, v.chance, CAST(SUBSTR(k.kind, v.atom, 1) AS DOUBLE PRECISION) AS a\n"
                                        "  FROM (SELECT DISTINCT kind FROM h) k CROSS JOIN v\n)");
    return COVEY_OK;
}

static void write_functions_of_numbers(const struct writing *w)
{
    begin_values(w);
    covey_i_text_add_format(&w->r->sql, ", CAST(p.value AS DOUBLE PRECISION) - (%.17g) AS x\n", w->origin);
    covey_i_text_add_string(&w->r->sql, "  FROM perturbation p\n), asked AS (\n"
                                        "  SELECT k.f, v.value, v.alpha, v.chance, COALESCE(CASE k.f WHEN 'x' THEN v.x WHEN 'square' THEN v.x * v.x ELSE v.x - v.x + 1 END, 0) AS a\n"
                                        "  FROM (SELECT 'x' AS f UNION ALL SELECT 'square' UNION ALL SELECT 'one') k CROSS JOIN v\n)");
}

/* The value that is never kept, if there is one, has W from itself alone, and its weight from the others'. */
static void write_weights(const struct writing *w)
{
    covey_i_text_add_string(&w->r->sql, ", whole AS (\n"
                                        "  SELECT s.*, COALESCE(s.alone, s.kept / (1 + s.spread)) AS w\n"
                                        "  FROM (SELECT f, MIN(a) AS lo, MAX(a) AS hi, SUM(CASE WHEN alpha = 0 THEN a / chance END) AS alone,\n"
                                        "      COALESCE(SUM(a / NULLIF(alpha, 0)), 0) AS kept, COALESCE(SUM(chance / NULLIF(alpha, 0)), 0) AS spread FROM asked GROUP BY f) s\n"
                                        "), weight AS (\n"
                                        "  SELECT a.f, a.value, s.lo, s.hi, COALESCE((a.a - a.chance * s.w) / NULLIF(a.alpha, 0), s.w * (1 + s.spread) - s.kept) AS w\n"
                                        "  FROM asked a JOIN whole s ON s.f = a.f\n)");
}

/* Numbers of the prior in order: how often each is there, and how many lie below and above it. */
static covey_status write_numbers(const struct writing *w, covey_error *err)
{
    int64_t total = 0;

    for (uint32_t j = 0; j < w->p->n_values; j++)
        total += w->p->prior[j];
    covey_i_text_add_string(&w->r->sql, ", number AS (\n"
                                        "  SELECT c.x, c.n, SUM(c.n) OVER (ORDER BY c.x) - c.n AS below, SUM(c.n) OVER (ORDER BY c.x DESC) - c.n AS above\n"
                                        "  FROM (SELECT ");
    COVEY_TRY(covey_i_rewrite_number(w->r, w->p->sensitive, "p.", "value", err));
    covey_i_text_add_format(&w->r->sql, " AS x, CAST(ROUND(CAST(p.prior AS DOUBLE PRECISION) * %" PRId64 ") AS BIGINT) AS n\n"
                                        "    FROM perturbation p WHERE p.value IS NOT NULL) c\n)", total);
    return COVEY_OK;
}

/* ---- sums over groups ---- */

static void sum_kinds(const struct writing *w)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_string(sql, ", z AS (\n  SELECT ");
    add_keys(w, "h.");
    covey_i_text_add_string(sql, "COALESCE(SUM(CASE WHEN w.lo = 1 THEN h.n ELSE 0 END), 0) AS sure,\n"
                                 "    COALESCE(SUM(CASE WHEN w.hi = 1 THEN h.n ELSE 0 END), 0) AS n,\n"
                                 "    COALESCE(SUM(CASE WHEN w.lo < w.hi THEN h.n * w.w END), 0) AS total,\n"
                                 "    COALESCE(SUM(CASE WHEN w.lo < w.hi THEN h.n * (w.w * w.w - w.w) END), 0) AS spread\n"
                                 "  FROM h JOIN weight w ON w.f = h.kind AND ");
    add_match(w, "h.shown", "w.value");
    add_grouping(w, "h.");
    covey_i_text_add_string(sql, w->r->query->n_keys > 0 ? "\n  HAVING SUM(w.hi) > 0\n)" : "\n)");
}

/* The three weights of a value side by side. */
static void write_worth(const struct writing *w)
{
    covey_i_text_add_string(&w->r->sql, ", worth AS (\n"
                                        "  SELECT value, MAX(CASE WHEN f = 'x' THEN w END) AS x, MAX(CASE WHEN f = 'square' THEN w END) AS square,\n"
                                        "    MAX(CASE WHEN f = 'one' THEN w END) AS one FROM weight GROUP BY value\n)");
}

/* SUM adds x and the origin where there is a number, AVG, which is linearized, x less the average: so the variance of both is made of three sums, of x with itself,
 * of x with the count, and of the count with itself.  The last two are 0 where no value is missing. */
static void write_spreads(const struct writing *w)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_format(sql, ", z AS (\n  SELECT y.*, y.away + (%.17g) * y.there AS total, (%.17g) + y.mean AS average,\n    ", w->origin, w->origin);
    if (w->has_missing) /* from the left, where doubles stand: two whole numbers might overflow */
        covey_i_text_add_format(sql, "y.spread_x + y.mixed * 2 * (%.17g) + y.spread_there * (%.17g) * (%.17g) AS spread,\n"
                                     "    (y.spread_x - 2 * y.mean * y.mixed + y.mean * y.mean * y.spread_there)", w->origin, w->origin, w->origin);
    else
        covey_i_text_add_string(sql, "y.spread_x AS spread, y.spread_x");
    covey_i_text_add_string(sql, " / (y.counted * y.counted) AS spread_of_average\n"
                                 "  FROM (SELECT y.*, y.away / y.counted AS mean FROM (SELECT y.*, CASE WHEN y.there > 0 THEN y.there END AS counted FROM y) y) y\n)");
}

static void sum_hits(const struct writing *w)
{
    const covey_bound_query *query = w->r->query;
    covey_text *sql = &w->r->sql;

    if (w->uses_weights)
        write_worth(w);
    covey_i_text_add_string(sql, w->uses_weights ? ", y AS (\n  SELECT " : ", z AS (\n  SELECT ");
    add_keys(w, "h.");
    covey_i_text_add_string(sql, "COALESCE(SUM(h.n), 0) AS n");
    for (size_t i = 0; i < query->n_aggregates; i++)
        if (is_known(w, &query->aggregate[i])) {
            covey_i_text_add_format(sql, ", MIN(h.lo%zu) AS lo%zu, MAX(h.hi%zu) AS hi%zu", i + 1, i + 1, i + 1, i + 1);
            if (!query->aggregate[i].is_date)
                covey_i_text_add_format(sql, ", SUM(h.s%zu) AS s%zu, SUM(h.n%zu) AS n%zu", i + 1, i + 1, i + 1, i + 1);
        }
    if (w->uses_weights) {
        covey_i_text_add_string(sql, ",\n    SUM(h.n * e.x) AS away, SUM(h.n * (e.x * e.x - e.square)) AS spread_x");
        covey_i_text_add_string(sql, w->has_missing ? ", SUM(h.n * e.one) AS there,\n"
                                                      "    SUM(h.n * (e.x * e.one - e.x)) AS mixed, SUM(h.n * (e.one * e.one - e.one)) AS spread_there"
                                                    : ", CAST(SUM(h.n) AS DOUBLE PRECISION) AS there");
    }
    covey_i_text_add_string(sql, "\n  FROM h");
    if (w->uses_weights) {
        covey_i_text_add_string(sql, " JOIN worth e ON ");
        add_match(w, "h.shown", "e.value");
    }
    add_grouping(w, "h.");
    covey_i_text_add_string(sql, "\n)");
    if (w->uses_weights)
        write_spreads(w);
}

/* ---- columns ---- */

/* The n-th value from an end and sums of as many look at all rows with a number, at least: z.n without those that may be missing. */
static void rows_with_number(char out[128], const struct writing *w)
{
    if (w->p->n_missing > 0)
        snprintf(out, 128, "CASE WHEN z.n > %" PRId64 " THEN z.n - %" PRId64 " ELSE 1 END", w->p->n_missing, w->p->n_missing);
    else
        snprintf(out, 128, "z.n");
}

/* The sum of so many least (greatest) values; missing ones count 0 where they may be among them. */
static void add_extreme_sum(const struct writing *w, const char *n, bool upper, bool with_missing)
{
    char before[128];

    snprintf(before, sizeof before, "%s", upper ? "b.above" : "b.below");
    if (with_missing && w->p->n_missing > 0)
        snprintf(before, sizeof before, "(%s + CASE WHEN b.x %s 0 THEN %" PRId64 " ELSE 0 END)", upper ? "b.above" : "b.below", upper ? "<=" : ">=", w->p->n_missing);
    covey_i_text_add_format(&w->r->sql, "(SELECT SUM(b.x * CASE WHEN %s <= %s THEN 0 WHEN %s - %s < b.n THEN %s - %s ELSE b.n END) FROM number b)", n, before, n,
                            before, n, before);
}

static void bound_sensitive(const struct writing *w, const covey_bound_aggregate *a, bool upper)
{
    covey_text *sql = &w->r->sql;
    char n[128];

    rows_with_number(n, w);
    covey_i_text_add_string(sql, "CASE WHEN z.n > 0 THEN ");
    if (a->function == COVEY_SQL_SUM) {
        add_extreme_sum(w, "z.n", upper, true);
    } else if (a->function == COVEY_SQL_AVG) {
        add_extreme_sum(w, n, upper, false);
        covey_i_text_add_format(sql, " * 1.0 / %s%s%s", w->p->n_missing > 0 ? "(" : "", n, w->p->n_missing > 0 ? ")" : "");
    } else if ((a->function == COVEY_SQL_MIN) == upper) {
        covey_i_text_add_format(sql, "(SELECT %s(CASE WHEN b.%s < %s THEN b.x END) FROM number b)", upper ? "MIN" : "MAX", upper ? "above" : "below", n);
    } else {
        covey_i_text_add_format(sql, "(SELECT %s(b.x) FROM number b)", upper ? "MAX" : "MIN");
    }
    covey_i_text_add_string(sql, " END");
}

static void add_known(const struct writing *w, size_t i)
{
    const covey_bound_aggregate *a = &w->r->query->aggregate[i];

    if (a->function == COVEY_SQL_SUM)
        covey_i_text_add_format(&w->r->sql, "z.s%zu", i + 1);
    else if (a->function == COVEY_SQL_AVG)
        covey_i_text_add_format(&w->r->sql, "z.s%zu * 1.0 / NULLIF(z.n%zu, 0)", i + 1, i + 1);
    else
        covey_i_text_add_format(&w->r->sql, a->function == COVEY_SQL_MIN ? "z.lo%zu" : "z.hi%zu", i + 1);
}

static void write_bound(const struct writing *w, size_t i, bool upper)
{
    const covey_bound_aggregate *a = &w->r->query->aggregate[i];
    char unit[32];

    if (a->function == COVEY_SQL_COUNT)
        covey_i_text_add_string(&w->r->sql, w->linked >= 0 && !upper ? "z.sure" : "z.n");
    else if (is_known(w, a))
        add_known(w, i);
    else
        bound_sensitive(w, a, upper);
    covey_i_rewrite_unit(unit, a->is_date ? 0 : a->scale);
    if (*unit)
        covey_i_text_add_format(&w->r->sql, " / %s.0", unit);
}

/* SQLite has SQRT only where it was built with it.  Newton's steps from above descend until rounding stops them. */
static void add_root(const struct writing *w, const char *x)
{
    if (w->r->dialect == COVEY_DIALECT_SQLITE)
        covey_i_text_add_format(&w->r->sql, "CASE WHEN %s > 0 THEN (WITH RECURSIVE root(x) AS (SELECT %s / 2 + 0.5 UNION ALL SELECT (x + %s / x) / 2 FROM root\n"
                                            "    WHERE (x + %s / x) / 2 < x) SELECT MIN(x) FROM root) WHEN %s <= 0 THEN 0 END", x, x, x, x, x);
    else
        covey_i_text_add_format(&w->r->sql, "CASE WHEN %s > 0 THEN SQRT(%s) WHEN %s <= 0 THEN 0 END", x, x, x);
}

static void write_estimate(const struct writing *w, size_t i)
{
    const covey_bound_aggregate *a = &w->r->query->aggregate[i];
    covey_text *sql = &w->r->sql;

    if (a->function == COVEY_SQL_COUNT)
        covey_i_text_add_string(sql, w->linked >= 0 ? "z.sure + z.total" : "z.n");
    else if (is_known(w, a))
        write_bound(w, i, false);
    else if (!w->uses_weights)
        covey_i_text_add_string(sql, "NULL");
    else
        covey_i_text_add_string(sql, a->function == COVEY_SQL_SUM ? "z.total" : "z.average");
}

static void write_error(const struct writing *w, size_t i)
{
    const covey_bound_aggregate *a = &w->r->query->aggregate[i];
    covey_text *sql = &w->r->sql;

    if (a->function == COVEY_SQL_COUNT && w->linked >= 0) {
        add_root(w, "z.spread");
    } else if (a->function == COVEY_SQL_COUNT) {
        covey_i_text_add_string(sql, "0");
    } else if (is_known(w, a)) {
        covey_i_text_add_format(sql, "CASE WHEN z.n%zu > 0 THEN 0 END", i + 1);
    } else if (!w->uses_weights) {
        covey_i_text_add_string(sql, "NULL");
    } else if (a->function == COVEY_SQL_SUM) {
        add_root(w, "z.spread");
    } else {
        add_root(w, "z.spread_of_average");
    }
}

static void add_label(const struct writing *w, size_t i, const char *end)
{
    char label[32];

    covey_i_rewrite_label(label, w->r, i, end);
    covey_i_text_add_format(&w->r->sql, " AS %s", label);
}

/* As for the other forms: keys, bounds, then expected values, here each with its error. */
static void write_columns(const struct writing *w)
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
        if (query->aggregate[i].function != COVEY_SQL_COUNT && !is_mean(&query->aggregate[i]))
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

covey_status covey_i_perturbed_rewrite(covey_rewriting *r, covey_error *err)
{
    struct writing w = {.r = r, .p = r->release->state};

    inspect(&w);
    if (w.linked >= 0) {
        COVEY_TRY(write_kinds(&w, err));
        COVEY_TRY(write_functions_of_kinds(&w, err));
        write_weights(&w);
        sum_kinds(&w);
    } else {
        COVEY_TRY(write_hits(&w, err));
        if (w.uses_bounds)
            COVEY_TRY(write_numbers(&w, err));
        if (w.uses_weights) {
            write_functions_of_numbers(&w);
            write_weights(&w);
        }
        sum_hits(&w);
    }
    write_columns(&w);
    return r->sql.broken ? covey_fail(err, COVEY_ENOMEM, "no memory for a rewritten query") : COVEY_OK;
}
