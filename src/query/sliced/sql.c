/* Queries over the form "sliced" as SQL over its exported tables, where columns share nothing and cells are values.
 *
 * h has the buckets: if n_i of the m pieces of column i pass its part of the condition, between max(0, sum of n_i -
 * (columns - 1) m) and min n_i rows do, and m times the product of n_i / m are expected.  z1, z2, ... have the pieces
 * that pass of an aggregated column, by rank from either end of their bucket, with the least and the most of them that
 * are selected: the pools of query/value_pools.h.  AVG takes what must be and a prefix of what may be, and
 * COUNT(DISTINCT entity) the rows that must be and that may be, as over generalized releases. */
#include "query/sliced/sql.h"

#include <inttypes.h>

#include "base/error.h"
#include "query/rows.h"
#include "query/sliced/slices.h"

enum { MOST_ASKED = 63 }; /* SQLite joins 64 tables */

struct writing {
    covey_rewriting *r;
    const covey_query_slices *s;
    covey_slice_parts parts;
    covey_slice_fall fall;
    int64_t n_unknown; /* suppressed rows that may be selected */
    bool *is_asked;    /* [n_slices] does the condition speak of it? */
    uint32_t n_asked;
    bool counts_units;                    /* COUNT(DISTINCT entity) is asked for */
    const covey_bound_aggregate **number; /* [n_numbers] one for each column, or product with a weight */
    size_t n_numbers;
};

/* ---- what is rewritten ---- */

static covey_status check(const struct writing *w, covey_error *err)
{
    const covey_query_release *release = w->r->release;

    for (uint32_t e = 0; e + 1 < w->s->n_slices; e++)
        if (!w->s->edge[e].is_empty)
            return covey_fail(err, COVEY_EINVAL,
                              "query: columns of this release overlap, and bounds that take account of it are not "
                              "rewritten; ask covey query without --sql");
    for (size_t i = 0; i < release->n_columns; i++)
        if (covey_i_slice_is_generalized(&release->column[i]))
            return covey_fail(err, COVEY_EINVAL,
                              "query: \"%s\" is generalized in this sliced release, and bounds that take account of it "
                              "are not rewritten; ask covey query without --sql",
                              release->column[i].name);
    if (w->n_asked > MOST_ASKED)
        return covey_fail(err, COVEY_EINVAL,
                          "query: the condition asks %u of the release's columns, and at most %d are rewritten, as "
                          "SQLite joins no more; ask covey query without --sql",
                          w->n_asked, MOST_ASKED);
    if (w->fall == COVEY_FALLS_MIXED || (w->fall == COVEY_FALLS_ANY && w->n_numbers > 0))
        return covey_fail(err, COVEY_EINVAL,
                          "query: over sliced releases a condition is rewritten whose parts each speak of one "
                          "column-N.csv and are joined by AND, or, for COUNT alone, by OR; ask covey query without "
                          "--sql");
    return COVEY_OK;
}

static bool are_of_same_numbers(const covey_bound_aggregate *a, const covey_bound_aggregate *b)
{
    return a->column == b->column && !a->weight == !b->weight && (!a->weight || a->weight_column == b->weight_column);
}

static covey_status begin(struct writing *w, covey_error *err)
{
    const covey_bound_query *query = w->r->query;

    w->is_asked = covey_arena_array_zero(w->r->arena, bool, w->s->n_slices);
    w->number = covey_arena_array(w->r->arena, const covey_bound_aggregate *, query->n_aggregates);
    if (!w->is_asked || !w->number)
        return covey_i_no_memory(err);
    w->fall = covey_i_slice_parts_find(&w->parts, w->s, &query->condition);
    for (size_t i = 0; i < w->parts.n; i++) {
        w->n_asked += !w->is_asked[w->parts.slice[i]];
        w->is_asked[w->parts.slice[i]] = true;
    }
    for (size_t i = 0; i < query->n_aggregates; i++) {
        size_t n = 0;

        w->counts_units |= query->aggregate[i].n_units != NULL;
        if (query->aggregate[i].function == COVEY_SQL_COUNT || query->aggregate[i].n_units)
            continue;
        while (n < w->n_numbers && !are_of_same_numbers(w->number[n], &query->aggregate[i]))
            n++;
        if (n == w->n_numbers)
            w->number[w->n_numbers++] = &query->aggregate[i];
    }
    return covey_i_query_suppressed(&w->n_unknown, w->r->release, query, w->r->arena, err);
}

/* ---- buckets ---- */

/* FROM column-N, and the condition's parts that fall on it. */
static covey_status write_pieces(struct writing *w, uint32_t slice, covey_error *err)
{
    covey_text *sql = &w->r->sql;
    const char *before = " WHERE ";

    covey_i_text_add_format(sql, " FROM \"column-%" PRIu32 "\" t", slice + 1);
    for (size_t i = 0; i < w->parts.n; i++) {
        if (w->parts.slice[i] != slice)
            continue;
        covey_i_text_add_string(sql, before);
        COVEY_TRY(covey_i_rewrite_node(w->r, w->parts.part[i], w->fall == COVEY_FALLS_ALL, err));
        before = " AND ";
    }
    return COVEY_OK;
}

/* Something of every column that is asked, with what stands between. */
static void add_asked(const struct writing *w, const char *between, const char *before, const char *behind)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < w->s->n_slices; i++)
        if (w->is_asked[i])
            covey_i_text_add_format(&w->r->sql, "%s%sp%" PRIu32 "%s", n++ ? between : "", before, i + 1, behind);
}

/* The first that is not above those behind it, or the last. */
static void add_least(const struct writing *w)
{
    covey_text *sql = &w->r->sql;
    uint32_t left = w->n_asked;

    covey_i_text_add_string(sql, "CASE");
    for (uint32_t i = 0; i < w->s->n_slices; i++) {
        if (!w->is_asked[i])
            continue;
        if (--left == 0)
            covey_i_text_add_format(sql, " ELSE p%" PRIu32 ".hits END", i + 1);
        for (uint32_t k = i + 1, n = 0; k < w->s->n_slices; k++)
            if (w->is_asked[k])
                covey_i_text_add_format(sql, "%sp%" PRIu32 ".hits <= p%" PRIu32 ".hits", n++ ? " AND " : " WHEN ",
                                        i + 1, k + 1);
        if (left > 0)
            covey_i_text_add_format(sql, " THEN p%" PRIu32 ".hits", i + 1);
    }
}

static void write_bounds_of_buckets(const struct writing *w)
{
    covey_text *sql = &w->r->sql;

    if (w->n_asked < 2) {
        for (int i = 0; i < 2; i++) {
            if (w->n_asked == 0)
                covey_i_text_add_string(sql, "n.m");
            add_asked(w, "", "", ".hits");
            covey_i_text_add_string(sql, i ? " AS most, " : " AS least, ");
        }
        return;
    }
    covey_i_text_add_string(sql, "CASE WHEN ");
    add_asked(w, " + ", "", ".hits");
    covey_i_text_add_format(sql, " > %" PRIu32 " * n.m THEN ", w->n_asked - 1);
    add_asked(w, " + ", "", ".hits");
    covey_i_text_add_format(sql, " - %" PRIu32 " * n.m ELSE 0 END AS least,\n    ", w->n_asked - 1);
    add_least(w);
    covey_i_text_add_string(sql, " AS most,\n    ");
}

static covey_status write_buckets(struct writing *w, covey_error *err)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_string(sql, "WITH n AS (\n  SELECT t.\"bucket\" AS b, COUNT(*) AS m FROM \"column-1\" t "
                                 "GROUP BY t.\"bucket\"\n)");
    for (uint32_t i = 0; i < w->s->n_slices; i++) {
        if (!w->is_asked[i])
            continue;
        covey_i_text_add_format(sql, ", p%" PRIu32 " AS (\n  SELECT t.\"bucket\" AS b, COUNT(*) AS hits", i + 1);
        COVEY_TRY(write_pieces(w, i, err));
        covey_i_text_add_string(sql, " GROUP BY t.\"bucket\"\n)");
    }
    covey_i_text_add_string(sql, ", h AS (\n  SELECT n.b AS b, ");
    write_bounds_of_buckets(w);
    covey_i_text_add_string(sql, "1.0 * n.m");
    add_asked(w, "", " * ", ".hits / n.m");
    covey_i_text_add_string(sql, " AS expected\n  FROM n");
    for (uint32_t i = 0; i < w->s->n_slices; i++)
        if (w->is_asked[i])
            covey_i_text_add_format(sql, " JOIN p%" PRIu32 " ON p%" PRIu32 ".b = n.b", i + 1, i + 1);
    covey_i_text_add_string(sql, "\n)");
    return COVEY_OK;
}

/* held: of each bucket the rows that are selected surely, and all that may be.  ANY: h has those that are not. */
static void write_held(const struct writing *w)
{
    covey_i_text_add_format(&w->r->sql,
                            ", held AS (\n  SELECT u.*, n.m AS size, %s AS sure, %s AS either\n"
                            "  FROM n %sJOIN h ON h.b = n.b JOIN units u ON u.\"bucket\" = n.b\n)",
                            w->fall == COVEY_FALLS_ANY ? "n.m - COALESCE(h.most, 0)" : "h.least",
                            w->fall == COVEY_FALLS_ANY ? "n.m - COALESCE(h.least, 0)" : "h.most",
                            w->fall == COVEY_FALLS_ANY ? "LEFT " : "");
}

/* ---- numbers ---- */

static covey_status write_numbers(struct writing *w, size_t n, covey_error *err)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_format(sql, ", v%zu AS (\n  SELECT t.\"bucket\" AS b, ", n + 1);
    COVEY_TRY(covey_i_rewrite_number(w->r, w->number[n]->column, "t.", NULL, err));
    if (w->number[n]->weight) {
        covey_i_text_add_string(sql, " * ");
        COVEY_TRY(covey_i_rewrite_number(w->r, w->number[n]->weight_column, "t.", NULL, err));
    }
    covey_i_text_add_string(sql, " AS v");
    COVEY_TRY(write_pieces(w, covey_i_slice_of_aggregate(w->s, w->number[n]), err));
    covey_i_text_add_format(
        sql,
        "\n), z%zu AS (\n  SELECT x.v, h.expected / x.pieces AS share,\n"
        "    ROW_NUMBER() OVER (PARTITION BY x.b ORDER BY x.v) AS up,\n"
        "    ROW_NUMBER() OVER (PARTITION BY x.b ORDER BY x.v DESC) AS down,\n"
        "    CASE WHEN h.least > x.pieces - x.numbers THEN h.least - x.pieces + x.numbers ELSE 0 END AS least,\n"
        "    CASE WHEN h.most < x.numbers THEN h.most ELSE x.numbers END AS most\n"
        "  FROM (SELECT b, v, COUNT(*) OVER (PARTITION BY b) AS pieces, COUNT(v) OVER (PARTITION BY b) AS numbers\n"
        "    FROM v%zu) x JOIN h ON h.b = x.b WHERE x.v IS NOT NULL\n)",
        n + 1, n + 1);
    return COVEY_OK;
}

static size_t number_of(const struct writing *w, const covey_bound_aggregate *a)
{
    size_t n = 0;

    while (!are_of_same_numbers(w->number[n], a))
        n++;
    return n + 1;
}

static void bound_average(const struct writing *w, size_t n, bool upper)
{
    const char *rank = upper ? "down" : "up", *order = upper ? " DESC" : "";

    covey_i_text_add_format(
        &w->r->sql,
        "(SELECT %s(q) FROM (\n"
        "    SELECT (COALESCE(t.s, 0) + p.s) * 1.0 / (t.n + p.n) AS q\n"
        "    FROM (SELECT SUM(CAST(v AS NUMERIC)) AS s, COUNT(*) AS n FROM z%zu WHERE %s <= least) t,\n"
        "      (SELECT SUM(CAST(v AS NUMERIC)) OVER (ORDER BY v%s ROWS UNBOUNDED PRECEDING) AS s,\n"
        "        ROW_NUMBER() OVER (ORDER BY v%s) AS n FROM z%zu WHERE %s > least AND %s <= most) p\n"
        "    UNION ALL SELECT SUM(CAST(v AS NUMERIC)) * 1.0 / COUNT(*) FROM z%zu WHERE %s <= least "
        "HAVING COUNT(*) > 0\n  ) x)",
        upper ? "MAX" : "MIN", n, rank, order, order, n, rank, rank, n, rank);
}

/* The outer end: any piece that may be.  The inner one: the one that must be; without any, the last of the others. */
static void bound_extreme(const struct writing *w, size_t n, bool is_min, bool upper)
{
    const char *near = is_min ? "MIN" : "MAX", *far = is_min ? "MAX" : "MIN", *rank = is_min ? "down" : "up";

    if (upper != is_min)
        covey_i_text_add_format(&w->r->sql, "(SELECT %s(v) FROM z%zu)", near, n);
    else if (w->n_unknown > 0)
        covey_i_text_add_format(&w->r->sql, "(SELECT %s(CASE WHEN %s <= least THEN v END) FROM z%zu)", near, rank, n);
    else
        covey_i_text_add_format(&w->r->sql, "(SELECT COALESCE(%s(CASE WHEN %s <= least THEN v END), %s(v)) FROM z%zu)",
                                near, rank, far, n);
}

static void bound_count(const struct writing *w, bool upper)
{
    const bool is_any = w->fall == COVEY_FALLS_ANY;

    if (is_any)
        covey_i_text_add_format(&w->r->sql, "%" PRIu32 " - ", w->s->n_rows);
    covey_i_text_add_format(&w->r->sql, "(SELECT COALESCE(SUM(%s), 0) FROM h)", upper != is_any ? "most" : "least");
    if (upper && w->n_unknown > 0)
        covey_i_text_add_format(&w->r->sql, " + %" PRId64, w->n_unknown);
}

/* Suppressed rows of unknown value: MIN is still not above a selected one, and MAX not below. */
static bool is_open(const struct writing *w, const covey_bound_aggregate *a, bool upper)
{
    const bool inner = (a->function == COVEY_SQL_MIN && upper) || (a->function == COVEY_SQL_MAX && !upper) ||
                       (a->function == COVEY_SQL_SUM && a->is_weight && !upper);
    bool lowers, raises;

    if (w->n_unknown == 0 || !a->weight)
        return w->n_unknown > 0 && !inner;
    covey_i_query_suppressed_signs(&lowers, &raises, &w->r->release->column[a->column], false);
    return upper ? raises : lowers;
}

static void write_bound(const struct writing *w, const covey_bound_aggregate *a, bool upper)
{
    const bool from_zero = (a->is_weight || a->weight) && w->n_unknown > 0; /* suppressed rows may be all there is */
    covey_text *sql = &w->r->sql;
    char unit[32];
    size_t n;

    if (a->function == COVEY_SQL_COUNT) {
        bound_count(w, upper);
        return;
    }
    if (a->n_units) {
        covey_i_rewrite_units(w->r, a, upper, w->n_unknown);
        return;
    }
    if (is_open(w, a, upper)) {
        covey_i_text_add_string(sql, "NULL");
        return;
    }
    n = number_of(w, a);
    if (a->function == COVEY_SQL_SUM)
        covey_i_text_add_format(
            sql, "(SELECT %sSUM(CASE WHEN %s <= least OR (%s <= most AND v %s 0) THEN v ELSE 0 END)%s FROM z%zu)",
            from_zero ? "COALESCE(" : "", upper ? "down" : "up", upper ? "down" : "up", upper ? ">" : "<",
            from_zero ? ", 0)" : "", n);
    else if (a->function == COVEY_SQL_AVG)
        bound_average(w, n, upper);
    else
        bound_extreme(w, n, a->function == COVEY_SQL_MIN, upper);
    covey_i_rewrite_unit(unit, a->is_date ? 0 : a->scale);
    if (*unit)
        covey_i_text_add_format(sql, " / %s.0", unit);
}

/* Nothing is derived for MIN and MAX. */
static bool is_expected(const covey_bound_aggregate *a)
{
    return a->function == COVEY_SQL_COUNT || a->function == COVEY_SQL_SUM || a->function == COVEY_SQL_AVG;
}

static void write_estimate(const struct writing *w, const covey_bound_aggregate *a)
{
    covey_text *sql = &w->r->sql;
    char unit[32];

    if (a->function == COVEY_SQL_COUNT) {
        if (w->fall == COVEY_FALLS_ANY)
            covey_i_text_add_format(sql, "%" PRIu32 " - ", w->s->n_rows);
        covey_i_text_add_string(sql, "(SELECT COALESCE(SUM(expected), 0) FROM h)");
        return;
    }
    covey_i_text_add_format(sql, "(SELECT SUM(v * share)%s FROM z%zu)",
                            a->function == COVEY_SQL_AVG ? " / SUM(share)" : "", number_of(w, a));
    covey_i_rewrite_unit(unit, a->scale);
    if (*unit)
        covey_i_text_add_format(sql, " / %s.0", unit);
}

static void add_label(const struct writing *w, size_t i, const char *end)
{
    char label[32];

    covey_i_rewrite_label(label, w->r, i, end);
    covey_i_text_add_format(&w->r->sql, " AS %s", label);
}

covey_status covey_i_sliced_rewrite(covey_rewriting *r, covey_error *err)
{
    const covey_bound_query *query = r->query;
    struct writing w = {.r = r, .s = r->release->state};

    COVEY_TRY(begin(&w, err));
    COVEY_TRY(check(&w, err));
    COVEY_TRY(write_buckets(&w, err));
    if (w.counts_units)
        write_held(&w);
    for (size_t n = 0; n < w.n_numbers; n++)
        COVEY_TRY(write_numbers(&w, n, err));
    covey_i_text_add_string(&r->sql, "\nSELECT ");
    for (size_t i = 0; i < query->n_aggregates; i++)
        for (int upper = 0; upper < 2; upper++) {
            covey_i_text_add_string(&r->sql, i + (size_t)upper ? ",\n  " : "");
            write_bound(&w, &query->aggregate[i], upper);
            add_label(&w, i, upper ? "upper" : "lower");
        }
    for (size_t i = 0; i < query->n_aggregates; i++)
        if (is_expected(&query->aggregate[i])) {
            covey_i_text_add_string(&r->sql, ",\n  ");
            write_estimate(&w, &query->aggregate[i]);
            add_label(&w, i, "estimate");
        }
    return r->sql.broken ? covey_i_no_memory(err) : COVEY_OK;
}
