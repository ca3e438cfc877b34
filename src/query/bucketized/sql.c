/* Queries over the form "bucketized" as SQL over its exported tables.
 *
 * hit has the selected rows; h counts them per group, and per key of GROUP BY; the help table says what so many hits of
 * a group mean for the sensitive number.  Columns of quasi.csv are summed up as they are.  Where the tests of the
 * sensitive column stand together, a hit is a row that a value that passes them makes true, and it is sure if one that
 * fails makes it true, too.  Of c hits that are not sure, in a group with n values, m of which must pass and p of which
 * can, max(0, c - (n - m)) to min(c, p) are selected, and c times the share of passing values are expected. */
#include "query/bucketized/sql.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "query/bucketized/groups.h"

#define MOST_OF_A_DOUBLE INT64_C(1000000000000000) /* as many digits as it holds for sure */

struct writing {
    covey_rewriting *r;
    uint32_t sensitive; /* column */
    int linked;         /* the condition's attribute that is the sensitive column; -1: none */
    int64_t n_unknown;  /* suppressed rows that may be selected */
    const covey_rewrite_values *values;
    bool counts_units;
    bool uses_help;
    bool makes_help; /* of dates there is no help table */
    bool has_sure;
    const covey_bound_aggregate *weighted; /* one that is; there is one weight.  NULL: none is */
    bool pairs;                            /* a sum of sensitive values is weighted */
};

static bool is_known(const struct writing *w, size_t i)
{
    const covey_bound_aggregate *a = &w->r->query->aggregate[i];

    return !covey_i_sql_counts(a->function) && a->column != w->sensitive;
}

static void inspect(struct writing *w)
{
    const covey_bound_query *query = w->r->query;

    w->linked = -1;
    for (uint32_t i = 0; i < query->condition.n_attributes; i++)
        if (query->condition.attribute[i].index == w->sensitive)
            w->linked = (int)i;
    for (size_t i = 0; i < query->n_aggregates; i++) {
        const covey_bound_aggregate *a = &query->aggregate[i];
        const bool is_sensitive = !covey_i_sql_counts(a->function) && a->column == w->sensitive;

        w->counts_units |= a->n_units != NULL;
        w->uses_help |= is_sensitive;
        w->weighted = a->weight ? a : w->weighted;
        w->pairs |= is_sensitive && a->weight;
    }
    w->makes_help = w->uses_help && w->r->release->column[w->sensitive].type == COVEY_TYPE_DATE;
}

/* k1, k2, ... of GROUP BY, each with what stands before it and a comma behind it. */
static void add_keys(const struct writing *w)
{
    for (size_t k = 0; k < w->r->query->n_keys; k++)
        covey_i_text_add_format(&w->r->sql, "k%zu, ", k + 1);
}

/* Which hits are sure. */
static covey_status write_sure(struct writing *w, covey_error *err)
{
    bool never;

    COVEY_TRY(covey_i_rewrite_given(&never, w->r, ", CASE WHEN ", (uint32_t)w->linked, false, err));
    covey_i_text_add_string(&w->r->sql, never ? "" : " THEN 1 ELSE 0 END AS sure");
    w->has_sure = !never;
    return COVEY_OK;
}

static covey_status write_hit(struct writing *w, covey_error *err)
{
    covey_rewriting *r = w->r;
    bool never = false;

    covey_i_text_add_string(&r->sql, "WITH hit AS (\n  SELECT ");
    for (size_t k = 0; k < r->query->n_keys; k++) {
        covey_i_text_add_string(&r->sql, "t.");
        covey_i_rewrite_name(&r->sql, r->release->column[r->query->key[k]].name);
        covey_i_text_add_format(&r->sql, " AS k%zu, ", k + 1);
    }
    covey_i_text_add_string(&r->sql, "t.\"group\" AS g");
    for (size_t i = 0; i < r->query->n_aggregates; i++)
        if (is_known(w, i)) {
            covey_i_text_add_string(&r->sql, ", ");
            COVEY_TRY(covey_i_rewrite_number(r, r->query->aggregate[i].column, "t.", NULL, err));
            covey_i_text_add_format(&r->sql, " AS v%zu", i + 1);
        }
    if (w->weighted) {
        covey_i_text_add_string(&r->sql, ", ");
        COVEY_TRY(covey_i_rewrite_number(r, w->weighted->weight_column, "t.", NULL, err));
        covey_i_text_add_string(&r->sql, " AS q");
    }
    if (w->linked >= 0)
        COVEY_TRY(write_sure(w, err));
    covey_i_text_add_string(&r->sql, "\n  FROM quasi t\n  WHERE ");
    if (w->linked < 0)
        COVEY_TRY(covey_i_rewrite_outcome(r, true, err));
    else
        COVEY_TRY(covey_i_rewrite_given(&never, r, "", (uint32_t)w->linked, true, err));
    covey_i_text_add_string(&r->sql, never ? "1 = 0\n)" : "\n)");
    return COVEY_OK;
}

/* ranked: hits of a group by their weights; least and most: its values from either end, each with how many there are up
 * to it, so that the i-th largest weight meets the i-th of them. */
static covey_status write_pairs(struct writing *w, covey_error *err)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_string(sql, ", ranked AS (\n  SELECT hit.*, ROW_NUMBER() OVER (PARTITION BY ");
    add_keys(w);
    covey_i_text_add_string(sql, "g ORDER BY q DESC) AS r FROM hit\n)");
    for (int end = 0; end < 2; end++) {
        covey_i_text_add_format(sql,
                                ", %s AS (\n  SELECT g, v, n, SUM(n) OVER (PARTITION BY g ORDER BY v%s ROWS UNBOUNDED "
                                "PRECEDING) AS upto\n  FROM (SELECT t.\"group\" AS g, t.count AS n, ",
                                end ? "most" : "least", end ? " DESC" : "");
        COVEY_TRY(covey_i_rewrite_number(w->r, w->sensitive, "t.", w->values->ends[end], err));
        covey_i_text_add_string(sql, " AS v FROM sensitive t) e\n)");
    }
    return COVEY_OK;
}

static void write_counts(struct writing *w)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_string(sql, ", h AS (\n  SELECT ");
    add_keys(w);
    covey_i_text_add_string(sql, "g, COUNT(*) AS hits");
    covey_i_text_add_string(sql, w->has_sure ? ", SUM(sure) AS sure" : "");
    for (size_t i = 0; i < w->r->query->n_aggregates; i++)
        if (is_known(w, i)) {
            covey_i_text_add_format(sql, ", MIN(v%zu) AS lo%zu, MAX(v%zu) AS hi%zu", i + 1, i + 1, i + 1, i + 1);
            if (w->r->query->aggregate[i].weight)
                covey_i_text_add_format(sql, ", SUM(q * CAST(v%zu AS NUMERIC)) AS s%zu, SUM(q) AS n%zu", i + 1, i + 1,
                                        i + 1);
            else if (covey_i_rewrite_adds_up(&w->r->query->aggregate[i]))
                covey_i_text_add_format(sql, ", SUM(v%zu) AS s%zu, COUNT(v%zu) AS n%zu", i + 1, i + 1, i + 1, i + 1);
        }
    if (w->pairs) {
        covey_i_text_add_string(sql, ", SUM(q) AS q, SUM(q * CAST(least_v AS NUMERIC)) AS q_least,\n"
                                     "    SUM(q * CAST(most_v AS NUMERIC)) AS q_most\n  FROM (\n"
                                     "    SELECT x.*, l.v AS least_v, m.v AS most_v FROM ranked x\n"
                                     "    JOIN least l ON l.g = x.g AND x.r <= l.upto AND x.r > l.upto - l.n\n"
                                     "    JOIN most m ON m.g = x.g AND x.r <= m.upto AND x.r > m.upto - m.n\n  ) hit");
    } else {
        covey_i_text_add_string(sql, " FROM hit");
    }
    covey_i_text_add_string(sql, " GROUP BY ");
    add_keys(w);
    covey_i_text_add_string(sql, "g\n)");
}

/* What the help table would say of the numbers of hits that there are: the greatest value that the least of so many may
 * be has as many at or above it, and the other way round. */
static void write_help(struct writing *w)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_string(
        sql, ", e AS (\n  SELECT g, low, high, SUM(n) OVER (PARTITION BY g ORDER BY low) AS below,\n"
             "    SUM(n) OVER (PARTITION BY g ORDER BY high DESC) AS above\n  FROM (SELECT t.\"group\" AS g");
    for (size_t end = 0; end < 2; end++) {
        const char *name = w->values->ends[end];

        covey_i_text_add_string(sql, ", t.");
        covey_i_rewrite_name(sql, name ? name : w->r->release->column[w->sensitive].name);
        covey_i_text_add_string(sql, end ? " AS high" : " AS low");
    }
    covey_i_text_add_string(
        sql, ", t.count AS n FROM sensitive t) v\n), help AS (\n  SELECT e.g AS \"group\", d.hits, MIN(e.low) AS "
             "min_lower,\n"
             "    MAX(CASE WHEN e.above >= d.hits THEN e.high END) AS min_upper,\n"
             "    MIN(CASE WHEN e.below >= d.hits THEN e.low END) AS max_lower, MAX(e.high) AS max_upper\n"
             "  FROM (SELECT DISTINCT g, hits FROM h) d JOIN e ON e.g = d.g GROUP BY e.g, d.hits\n)");
}

/* p: how many values of each group pass the tests of the sensitive column. */
static covey_status write_passing(covey_rewriting *r, uint32_t linked, covey_error *err)
{
    covey_i_text_add_string(&r->sql, ", passing AS (\n  SELECT t.\"group\" AS g, SUM(t.count) AS n, SUM(CASE WHEN ");
    COVEY_TRY(covey_i_rewrite_part(r, linked, err));
    covey_i_text_add_string(&r->sql, " THEN t.count ELSE 0 END) AS p FROM sensitive t GROUP BY t.\"group\"\n)"
                                     ", p AS (\n  SELECT g, n, p, p * 1.0 / n AS share FROM passing\n)");
    return COVEY_OK;
}

/* The mean of each group's values. */
static covey_status write_means(covey_rewriting *r, uint32_t sensitive, covey_error *err)
{
    char unit[32];

    covey_i_text_add_string(&r->sql, ", m AS (\n  SELECT t.\"group\" AS g, SUM(1.0 * t.count * ");
    COVEY_TRY(covey_i_rewrite_number(r, sensitive, "t.", NULL, err));
    covey_i_rewrite_unit(unit, r->release->column[sensitive].scale);
    covey_i_text_add_string(&r->sql, ") / SUM(t.count)");
    if (*unit)
        covey_i_text_add_format(&r->sql, " / %s.0", unit);
    covey_i_text_add_string(&r->sql, " AS mean FROM sensitive t GROUP BY t.\"group\"\n)");
    return COVEY_OK;
}

/* ---- bounds ---- */

/* A column of the help table as a whole number of the last digit, which both databases add up exactly. */
static void add_help(const struct writing *w, const char *function, const char *name, const char *unit)
{
    covey_i_text_add_format(&w->r->sql, *unit ? "%s(CAST(ROUND(help.%s * %s) AS BIGINT))" : "%s(help.%s)", function,
                            name, unit);
}

static void bound_weighted(const struct writing *w, const covey_bound_aggregate *a, bool upper)
{
    char unit[32];

    covey_i_text_add_format(&w->r->sql, "SUM(h.q_%s)", upper ? "most" : "least");
    if (a->function == COVEY_SQL_AVG)
        covey_i_text_add_string(&w->r->sql, " * 1.0 / NULLIF(SUM(h.q), 0)");
    covey_i_rewrite_unit(unit, a->scale);
    if (*unit)
        covey_i_text_add_format(&w->r->sql, " / %s.0", unit);
}

static void bound_sensitive(const struct writing *w, const covey_bound_aggregate *a, const char *end)
{
    static const char *const names[] = {
        [COVEY_SQL_SUM] = "sum", [COVEY_SQL_AVG] = "sum", [COVEY_SQL_MIN] = "min", [COVEY_SQL_MAX] = "max"};
    const bool adds = covey_i_rewrite_adds_up(a);
    char name[32], unit[32];

    if (a->weight) {
        bound_weighted(w, a, strcmp(end, "upper") == 0);
        return;
    }
    snprintf(name, sizeof name, "%s_%s", names[a->function], end);
    covey_i_rewrite_unit(unit, a->is_date ? 0 : a->scale);
    add_help(w, adds ? "SUM" : a->function == COVEY_SQL_MIN ? "MIN" : "MAX", name, unit);
    if (*unit)
        covey_i_text_add_format(&w->r->sql, " / %s.0", unit);
    if (a->function == COVEY_SQL_AVG)
        covey_i_text_add_string(&w->r->sql, " * 1.0 / SUM(h.hits)");
}

/* from_zero: nothing published need be selected. */
static void bound_known(const struct writing *w, size_t i, bool from_zero)
{
    const covey_bound_aggregate *a = &w->r->query->aggregate[i];
    char unit[32];

    if (a->function == COVEY_SQL_SUM && from_zero)
        covey_i_text_add_format(&w->r->sql, "COALESCE(SUM(h.s%zu), 0)", i + 1);
    else if (a->function == COVEY_SQL_SUM)
        covey_i_text_add_format(&w->r->sql, "SUM(h.s%zu)", i + 1);
    else if (a->function == COVEY_SQL_AVG)
        covey_i_text_add_format(&w->r->sql, "SUM(h.s%zu) * 1.0 / NULLIF(SUM(h.n%zu), 0)", i + 1, i + 1);
    else
        covey_i_text_add_format(&w->r->sql, a->function == COVEY_SQL_MIN ? "MIN(h.lo%zu)" : "MAX(h.hi%zu)", i + 1);
    covey_i_rewrite_unit(unit, a->is_date ? 0 : a->scale);
    if (*unit)
        covey_i_text_add_format(&w->r->sql, " / %s.0", unit);
}

/* bare: without the suppressed rows, which make no group. */
static void bound_count(const struct writing *w, bool upper, bool bare)
{
    covey_text *sql = &w->r->sql;
    const char *open = w->has_sure ? "h.hits - h.sure" : "h.hits", *must = w->values->can_fail;

    covey_i_text_add_string(sql, "COALESCE(SUM(");
    covey_i_text_add_string(sql, w->linked >= 0 && w->has_sure ? "h.sure + " : "");
    if (w->linked < 0)
        covey_i_text_add_string(sql, "h.hits");
    else if (upper)
        covey_i_text_add_format(sql, "CASE WHEN %s < p.p THEN %s ELSE p.p END", open, open);
    else
        covey_i_text_add_format(sql, "CASE WHEN %s > %s THEN %s - %s ELSE 0 END", open, must, open, must);
    covey_i_text_add_string(sql, "), 0)");
    if (upper && w->n_unknown > 0 && !bare)
        covey_i_text_add_format(&w->r->sql, " + %" PRId64, w->n_unknown);
}

/* All units of a group have as many rows. */
static void bound_units(const struct writing *w, bool upper)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_string(sql, upper ? "COALESCE(SUM(CASE WHEN h.hits < u.units THEN h.hits ELSE u.units END), 0)"
                                       : "COALESCE(SUM((h.hits + u.largest - 1) / u.largest), 0)");
    if (upper && w->n_unknown > 0)
        covey_i_text_add_format(sql, " + %" PRId64, w->n_unknown);
}

/* Suppressed rows of unknown value: MIN is still not above a selected one, and MAX not below. */
static bool is_open(const struct writing *w, const covey_bound_aggregate *a, bool upper)
{
    const bool inner = (a->function == COVEY_SQL_MIN && upper) || (a->function == COVEY_SQL_MAX && !upper) ||
                       (a->function == COVEY_SQL_SUM && a->is_weight && !upper);

    return w->n_unknown > 0 && !inner;
}

static void estimate_weighted(const struct writing *w, const covey_bound_aggregate *a)
{
    char unit[32];

    covey_i_text_add_string(&w->r->sql, a->function == COVEY_SQL_SUM ? "SUM(h.q * m.mean)"
                                                                     : "SUM(h.q * m.mean) / NULLIF(SUM(h.q), 0)");
    covey_i_rewrite_unit(unit, a->function == COVEY_SQL_SUM ? w->r->release->column[a->weight_column].scale : 0);
    if (*unit)
        covey_i_text_add_format(&w->r->sql, " / %s.0", unit);
}

/* Expected values; those of MIN and MAX have no short formula. */
static void write_estimates(const struct writing *w)
{
    covey_rewriting *r = w->r;

    for (size_t i = 0; i < r->query->n_aggregates; i++) {
        const covey_sql_function function = r->query->aggregate[i].function;
        char label[32];

        if (function == COVEY_SQL_MIN || function == COVEY_SQL_MAX || function == COVEY_SQL_COUNT_DISTINCT)
            continue;
        covey_i_text_add_string(&r->sql, ",\n  ");
        if (function == COVEY_SQL_COUNT && w->linked >= 0)
            covey_i_text_add_string(&r->sql, w->has_sure ? "COALESCE(SUM(h.sure + (h.hits - h.sure) * p.share), 0)"
                                                         : "COALESCE(SUM(h.hits * p.share), 0)");
        else if (function == COVEY_SQL_COUNT)
            bound_count(w, false, false);
        else if (is_known(w, i))
            bound_known(w, i, false);
        else if (r->query->aggregate[i].weight)
            estimate_weighted(w, &r->query->aggregate[i]);
        else
            covey_i_text_add_string(&r->sql, function == COVEY_SQL_SUM ? "SUM(h.hits * m.mean)"
                                                                       : "SUM(h.hits * m.mean) / SUM(h.hits)");
        covey_i_rewrite_label(label, r, i, "estimate");
        covey_i_text_add_format(&r->sql, " AS %s", label);
    }
}

static void write_bounds(struct writing *w)
{
    covey_rewriting *r = w->r;

    covey_i_text_add_string(&r->sql, "\nSELECT ");
    for (size_t k = 0; k < r->query->n_keys; k++) {
        covey_i_text_add_format(&r->sql, "h.k%zu AS ", k + 1);
        covey_i_rewrite_name(&r->sql, r->release->column[r->query->key[k]].name);
        covey_i_text_add_string(&r->sql, ",\n  ");
    }
    for (size_t i = 0; i < r->query->n_aggregates; i++)
        for (int upper = 0; upper < 2; upper++) {
            const covey_bound_aggregate *a = &r->query->aggregate[i];
            char label[32];

            covey_i_text_add_string(&r->sql, i + (size_t)upper ? ",\n  " : "");
            if (a->function == COVEY_SQL_COUNT)
                bound_count(w, upper, false);
            else if (a->n_units)
                bound_units(w, upper);
            else if (is_open(w, a, upper))
                covey_i_text_add_string(&r->sql, "NULL");
            else if (is_known(w, i))
                bound_known(w, i, a->is_weight && w->n_unknown > 0);
            else
                bound_sensitive(w, a, upper ? "upper" : "lower");
            covey_i_rewrite_label(label, r, i, upper ? "upper" : "lower");
            covey_i_text_add_format(&r->sql, " AS %s", label);
        }
    write_estimates(w);
}

static void write_from(struct writing *w)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_string(sql, "\nFROM h");
    if (w->uses_help)
        covey_i_text_add_string(sql, " JOIN help ON help.\"group\" = h.g AND help.hits = h.hits");
    if (w->uses_help && !w->makes_help)
        covey_i_text_add_string(sql, " JOIN m ON m.g = h.g");
    if (w->linked >= 0)
        covey_i_text_add_string(sql, " JOIN p ON p.g = h.g");
    if (w->counts_units)
        covey_i_text_add_string(sql, " JOIN units u ON u.\"group\" = h.g");
    for (size_t k = 0; k < w->r->query->n_keys; k++)
        covey_i_text_add_format(sql, "%sh.k%zu", k ? ", " : "\nGROUP BY ", k + 1);
    if (w->linked >= 0 && w->r->query->n_keys > 0) {
        covey_i_text_add_string(sql, "\nHAVING ");
        bound_count(w, true, true);
        covey_i_text_add_string(sql, " > 0");
    }
}

covey_status covey_i_bucketized_rewrite_sum_fits(const covey_rewriting *r, uint32_t sensitive, covey_i128 sum,
                                                 covey_error *err)
{
    const covey_query_column *column = &r->release->column[sensitive];
    bool uses_help = false;

    for (size_t i = 0; i < r->query->n_aggregates; i++)
        uses_help |= !covey_i_sql_counts(r->query->aggregate[i].function) && r->query->aggregate[i].column == sensitive;
    if (uses_help && r->dialect == COVEY_DIALECT_SQLITE && column->scale > 0 && sum >= MOST_OF_A_DOUBLE)
        return covey_fail(
            err, COVEY_EINVAL,
            "query: SQLite cannot hold the sums of \"%s\" exactly; rewrite it for PostgreSQL (--sql=postgresql)",
            column->name);
    return COVEY_OK;
}

covey_status covey_i_bucketized_rewrite_by_help(covey_rewriting *r, uint32_t sensitive,
                                                const covey_rewrite_values *values, int64_t n_unknown, covey_error *err)
{
    struct writing w = {.r = r, .sensitive = sensitive, .n_unknown = n_unknown, .values = values};

    inspect(&w);
    if (w.counts_units && w.linked >= 0)
        return covey_fail(err, COVEY_EINVAL,
                          "query: COUNT(DISTINCT entity) is not rewritten where the condition speaks of \"%s\"; ask "
                          "covey query without --sql",
                          r->release->column[sensitive].name);
    COVEY_TRY(write_hit(&w, err));
    if (w.pairs)
        COVEY_TRY(write_pairs(&w, err));
    write_counts(&w);
    if (w.linked >= 0)
        COVEY_TRY(values->write_passing(r, (uint32_t)w.linked, err));
    if (w.makes_help)
        write_help(&w);
    else if (w.uses_help)
        COVEY_TRY(values->write_means(r, sensitive, err));
    write_bounds(&w);
    write_from(&w);
    return COVEY_OK;
}

static const covey_rewrite_values bucket_values = {
    .write_passing = write_passing, .can_fail = "(p.n - p.p)", .write_means = write_means};

covey_status covey_i_bucketized_rewrite(covey_rewriting *r, covey_error *err)
{
    const covey_query_groups *b = r->release->state;
    int64_t n_unknown;

    for (uint32_t g = 0; g < b->n_groups && b->slot; g++) {
        covey_i128 sum = 0;

        for (uint32_t e = b->entry_start[g]; e < b->entry_start[g + 1]; e++)
            sum += (b->number[e] < 0 ? -(covey_i128)b->number[e] : b->number[e]) * b->count[e];
        COVEY_TRY(covey_i_bucketized_rewrite_sum_fits(r, b->sensitive, sum, err));
    }
    for (size_t i = 0; i < r->query->n_aggregates && b->has_missing; i++)
        if (!covey_i_sql_counts(r->query->aggregate[i].function) && r->query->aggregate[i].column == b->sensitive)
            return covey_fail(
                err, COVEY_EINVAL,
                "query: %s is not rewritten, because \"%s\" has missing values; ask covey query without --sql",
                r->query->aggregate[i].text, r->release->column[b->sensitive].name);
    COVEY_TRY(covey_i_query_suppressed(&n_unknown, r->release, r->query, r->arena, err));
    return covey_i_bucketized_rewrite_by_help(r, b->sensitive, &bucket_values, n_unknown, err);
}
