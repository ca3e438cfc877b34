/* Queries over the form "perturbed" as SQL over its exported tables: the inverse of the randomization, in closed form,
 * from table perturbation.
 *
 * A row that shows j counts with the weight w_j = (a_j - Y_j W) / alpha_j, where a says what its true value would add
 * (randomization.h).  asked lists every function a over the values, whole has its W, and weight its weights.  Rows are
 * counted in h by what they show, so that weights are summed up over few lines:
 *
 * - Of a condition on the sensitive column, a is 0 or 1 by the atom of the value.  Rows fall into kinds by the atoms
 * that make them true with their other cells: a text of 0 and 1, one digit per atom.  A kind is a function.
 * - For SUM and AVG the functions are the number, its square, and whether there is one.  Numbers are taken from one in
 * their middle, or large ones that differ little would leave no digits for the error of AVG.
 *
 * Bounds of SUM, AVG, MIN and MAX take values of the prior from its ends, which a running sum over table number tells.
 *
 * Where rows count by their sampling weights q, h adds these up beside the rows, and their squares, which errors take.
 * For bounds the largest of them meet the prior's values from either end, in table paired.
 *
 * sums.c and weighted.c do the same. */
#include "query/perturbed/writing.h"

#include "base/error.h"

static void inspect(covey_perturbed_writing *w)
{
    const covey_bound_query *query = w->r->query;
    const covey_query_numbers *numbers = &w->p->numbers[w->p->sensitive];

    w->linked = -1;
    if (numbers->n > 0)
        w->origin =
            (double)numbers->number[numbers->n / 2] / covey_i_query_unit(w->r->release->column[w->p->sensitive].scale);
    for (uint32_t i = 0; i < query->condition.n_attributes; i++)
        if (query->condition.attribute[i].index == w->p->sensitive)
            w->linked = (int)i;
    for (size_t i = 0; i < query->n_aggregates; i++) {
        const covey_bound_aggregate *a = &query->aggregate[i];

        w->uses_bounds |= a->function != COVEY_SQL_COUNT && !covey_i_perturbed_is_known(w, a);
        w->uses_means[a->weight != NULL] |=
            covey_i_rewrite_adds_up(a) && !covey_i_perturbed_is_known(w, a) && numbers->n > 0;
        w->weighted = a->weight ? a : w->weighted;
    }
    for (uint32_t j = 0; j < w->p->n_values; j++)
        w->has_missing |= covey_i_query_cell_is_null(&w->r->release->column[w->p->sensitive].cell[w->p->cell[j]]);
}

/* Are groups numbered, so that paired is joined by what is never missing? */
static bool has_numbers(const covey_perturbed_writing *w)
{
    return w->uses_means[true] && w->r->query->n_keys > 0;
}

/* k1, k2, ... of GROUP BY, each with what stands before it and a comma behind it. */
static void add_keys(const covey_perturbed_writing *w, const char *prefix)
{
    for (size_t k = 0; k < w->r->query->n_keys; k++)
        covey_i_text_add_format(&w->r->sql, "%sk%zu, ", prefix, k + 1);
    if (has_numbers(w))
        covey_i_text_add_format(&w->r->sql, "%sg, ", prefix);
}

/* GROUP BY h.k1, h.k2, ...; nothing without keys. */
static void add_grouping(const covey_perturbed_writing *w)
{
    for (size_t k = 0; k < w->r->query->n_keys; k++)
        covey_i_text_add_format(&w->r->sql, "%sh.k%zu", k ? ", " : "\n  GROUP BY ", k + 1);
    if (has_numbers(w))
        covey_i_text_add_string(&w->r->sql, ", h.g");
}

/* Is what was shown the value of a line?  A missing value is one, too. */
static void add_match(const covey_perturbed_writing *w, const char *value)
{
    if (w->has_missing)
        covey_i_text_add_format(&w->r->sql, "(h.shown = %s OR h.shown IS NULL AND %s IS NULL)", value, value);
    else
        covey_i_text_add_format(&w->r->sql, "h.shown = %s", value);
}

/* ---- rows ---- */

static void write_row(const covey_perturbed_writing *w)
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

/* The rows' sampling weights, and where groups are told apart by number, that. */
static covey_status write_weight(const covey_perturbed_writing *w, covey_error *err)
{
    covey_rewriting *r = w->r;

    covey_i_text_add_string(&r->sql, ", ");
    COVEY_TRY(covey_i_rewrite_number(r, w->weighted->weight_column, "t.", NULL, err));
    covey_i_text_add_string(&r->sql, " AS q");
    if (!w->uses_means[true])
        return COVEY_OK;
    covey_i_text_add_string(&r->sql, r->query->n_keys > 0 ? ", DENSE_RANK() OVER (ORDER BY " : ", 1");
    for (size_t k = 0; k < r->query->n_keys; k++) {
        covey_i_text_add_string(&r->sql, k ? ", t." : "t.");
        covey_i_rewrite_name(&r->sql, r->release->column[r->query->key[k]].name);
    }
    covey_i_text_add_string(&r->sql, r->query->n_keys > 0 ? ") AS g" : " AS g");
    return COVEY_OK;
}

/* What is known of the rows that show a value. */
static void count_known(const covey_perturbed_writing *w)
{
    const covey_bound_query *query = w->r->query;
    covey_text *sql = &w->r->sql;

    for (size_t i = 0; i < query->n_aggregates; i++) {
        if (!covey_i_perturbed_is_known(w, &query->aggregate[i]))
            continue;
        covey_i_text_add_format(sql, ", MIN(v%zu) AS lo%zu, MAX(v%zu) AS hi%zu", i + 1, i + 1, i + 1, i + 1);
        if (query->aggregate[i].weight)
            covey_i_text_add_format(sql,
                                    ", SUM(q * CAST(v%zu AS NUMERIC)) AS s%zu, SUM(CASE WHEN v%zu IS NOT NULL THEN q "
                                    "END) AS n%zu",
                                    i + 1, i + 1, i + 1, i + 1);
        else if (covey_i_rewrite_adds_up(&query->aggregate[i]))
            covey_i_text_add_format(sql, ", SUM(v%zu) AS s%zu, COUNT(v%zu) AS n%zu", i + 1, i + 1, i + 1, i + 1);
    }
}

/* Which values of the sensitive column would make the row true: a digit per atom. */
static covey_status write_kinds(const covey_perturbed_writing *w, covey_error *err)
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

static covey_status write_hits(const covey_perturbed_writing *w, covey_error *err)
{
    covey_rewriting *r = w->r;

    write_row(w);
    for (size_t i = 0; i < r->query->n_aggregates; i++)
        if (covey_i_perturbed_is_known(w, &r->query->aggregate[i])) {
            covey_i_text_add_string(&r->sql, ", ");
            COVEY_TRY(covey_i_rewrite_number(r, r->query->aggregate[i].column, "t.", NULL, err));
            covey_i_text_add_format(&r->sql, " AS v%zu", i + 1);
        }
    if (w->weighted)
        COVEY_TRY(write_weight(w, err));
    covey_i_text_add_string(&r->sql, "\n  FROM \"table\" t\n  WHERE ");
    COVEY_TRY(covey_i_rewrite_outcome(r, true, err));
    covey_i_text_add_string(&r->sql, "\n), h AS (\n  SELECT ");
    add_keys(w, "");
    covey_i_text_add_string(&r->sql, "shown, COUNT(*) AS n");
    count_known(w);
    if (w->uses_means[true])
        covey_i_text_add_string(&r->sql, ",\n    SUM(q) AS q, SUM(CAST(q AS DOUBLE PRECISION) * q) AS qq");
    covey_i_text_add_string(&r->sql, " FROM hit GROUP BY ");
    add_keys(w, "");
    covey_i_text_add_string(&r->sql, "shown\n)");
    return COVEY_OK;
}

/* ---- sums over groups ---- */

static void sum_kinds(const covey_perturbed_writing *w)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_string(sql, ", z AS (\n  SELECT ");
    add_keys(w, "h.");
    covey_i_text_add_string(sql,
                            "COALESCE(SUM(CASE WHEN w.lo = 1 THEN h.n ELSE 0 END), 0) AS sure,\n"
                            "    COALESCE(SUM(CASE WHEN w.hi = 1 THEN h.n ELSE 0 END), 0) AS n,\n"
                            "    COALESCE(SUM(CASE WHEN w.lo < w.hi THEN h.n * w.w END), 0) AS total,\n"
                            "    COALESCE(SUM(CASE WHEN w.lo < w.hi THEN h.n * (w.w * w.w - w.w) END), 0) AS spread\n"
                            "  FROM h JOIN weight w ON w.f = h.kind AND ");
    add_match(w, "w.value");
    add_grouping(w);
    covey_i_text_add_string(sql, w->r->query->n_keys > 0 ? "\n  HAVING SUM(w.hi) > 0\n)" : "\n)");
}

/* The three weights of a value side by side. */
static void write_worth(const covey_perturbed_writing *w)
{
    covey_i_text_add_string(
        &w->r->sql,
        ", worth AS (\n"
        "  SELECT value, MAX(CASE WHEN f = 'x' THEN w END) AS x, MAX(CASE WHEN f = 'square' THEN w END) AS square,\n"
        "    MAX(CASE WHEN f = 'one' THEN w END) AS one FROM weight GROUP BY value\n)");
}

/* Sums over rows by what they show: of so many each, and for errors of their squares. */
static void write_sums(const covey_perturbed_writing *w, const char *prefix, const char *each, const char *square)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_format(sql, ",\n    SUM(h.%s * e.x) AS %saway, SUM(h.%s * (e.x * e.x - e.square)) AS %sspread_x",
                            each, prefix, square, prefix);
    if (w->has_missing)
        covey_i_text_add_format(sql,
                                ", SUM(h.%s * e.one) AS %sthere,\n"
                                "    SUM(h.%s * (e.x * e.one - e.x)) AS %smixed, SUM(h.%s * (e.one * e.one - e.one)) "
                                "AS %sspread_there",
                                each, prefix, square, prefix, square, prefix);
    else
        covey_i_text_add_format(sql, ", CAST(SUM(h.%s) AS DOUBLE PRECISION) AS %sthere", each, prefix);
}

/* SUM adds x and the origin where there is a number, AVG, which is linearized, x less the average: so the variance of
 * both is made of three sums, of x with itself, of x with the count, and of the count with itself.  The last two are 0
 * where no value is missing. */
static void write_spread(const covey_perturbed_writing *w, const char *p)
{
    covey_text *sql = &w->r->sql;
    const double o = w->origin;

    covey_i_text_add_format(sql, ", y.%saway + (%.17g) * y.%sthere AS %stotal, (%.17g) + y.%smean AS %saverage,\n    ",
                            p, o, p, p, o, p, p);
    if (w->has_missing) /* from the left, where doubles stand: two whole numbers might overflow */
        covey_i_text_add_format(
            sql,
            "y.%sspread_x + y.%smixed * 2 * (%.17g) + y.%sspread_there * (%.17g) * (%.17g) AS %sspread,\n"
            "    (y.%sspread_x - 2 * y.%smean * y.%smixed + y.%smean * y.%smean * y.%sspread_there)",
            p, p, o, p, o, o, p, p, p, p, p, p, p);
    else
        covey_i_text_add_format(sql, "y.%sspread_x AS %sspread, y.%sspread_x", p, p, p);
    covey_i_text_add_format(sql, " / (y.%scounted * y.%scounted) AS %sspread_of_average", p, p, p);
}

static void write_spreads(const covey_perturbed_writing *w)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_string(sql, ", z AS (\n  SELECT y.*");
    for (int weighted = 0; weighted < 2; weighted++)
        if (w->uses_means[weighted])
            write_spread(w, covey_i_perturbed_prefix(weighted));
    covey_i_text_add_string(sql, "\n  FROM (SELECT y.*");
    for (int weighted = 0; weighted < 2; weighted++) {
        const char *p = covey_i_perturbed_prefix(weighted);

        if (w->uses_means[weighted])
            covey_i_text_add_format(sql, ", y.%saway / y.%scounted AS %smean", p, p, p);
    }
    covey_i_text_add_string(sql, " FROM (SELECT y.*");
    for (int weighted = 0; weighted < 2; weighted++) {
        const char *p = covey_i_perturbed_prefix(weighted);

        if (w->uses_means[weighted])
            covey_i_text_add_format(sql, ", CASE WHEN y.%sthere > 0 THEN y.%sthere END AS %scounted", p, p, p);
    }
    covey_i_text_add_string(sql, " FROM y) y) y\n)");
}

static void sum_hits(const covey_perturbed_writing *w)
{
    const covey_bound_query *query = w->r->query;
    const bool uses_weights = covey_i_perturbed_uses_weights(w);
    covey_text *sql = &w->r->sql;

    if (uses_weights)
        write_worth(w);
    covey_i_text_add_string(sql, uses_weights ? ", y AS (\n  SELECT " : ", z AS (\n  SELECT ");
    add_keys(w, "h.");
    covey_i_text_add_string(sql, "COALESCE(SUM(h.n), 0) AS n");
    for (size_t i = 0; i < query->n_aggregates; i++)
        if (covey_i_perturbed_is_known(w, &query->aggregate[i])) {
            covey_i_text_add_format(sql, ", MIN(h.lo%zu) AS lo%zu, MAX(h.hi%zu) AS hi%zu", i + 1, i + 1, i + 1, i + 1);
            if (covey_i_rewrite_adds_up(&query->aggregate[i]))
                covey_i_text_add_format(sql, ", SUM(h.s%zu) AS s%zu, SUM(h.n%zu) AS n%zu", i + 1, i + 1, i + 1, i + 1);
        }
    if (w->uses_means[false])
        write_sums(w, covey_i_perturbed_prefix(false), "n", "n");
    if (w->uses_means[true]) {
        covey_i_text_add_string(sql, ", SUM(h.q) AS q");
        write_sums(w, covey_i_perturbed_prefix(true), "q", "qq");
    }
    covey_i_text_add_string(sql, "\n  FROM h");
    if (uses_weights) {
        covey_i_text_add_string(sql, " JOIN worth e ON ");
        add_match(w, "e.value");
    }
    add_grouping(w);
    covey_i_text_add_string(sql, "\n)");
    if (uses_weights)
        write_spreads(w);
}

covey_status covey_i_perturbed_rewrite(covey_rewriting *r, covey_error *err)
{
    covey_perturbed_writing w = {.r = r, .p = r->release->state};

    inspect(&w);
    if (w.linked >= 0) {
        COVEY_TRY(write_kinds(&w, err));
        COVEY_TRY(covey_i_perturbed_write_functions_of_kinds(&w, err));
        covey_i_perturbed_write_weights(&w);
        sum_kinds(&w);
    } else {
        COVEY_TRY(write_hits(&w, err));
        if (w.uses_bounds)
            COVEY_TRY(covey_i_perturbed_write_numbers(&w, err));
        if (w.uses_means[true])
            covey_i_perturbed_write_pairs(&w);
        if (covey_i_perturbed_uses_weights(&w)) {
            covey_i_perturbed_write_functions_of_numbers(&w);
            covey_i_perturbed_write_weights(&w);
        }
        sum_hits(&w);
    }
    covey_i_perturbed_write_columns(&w);
    return r->sql.broken ? covey_i_no_memory(err) : COVEY_OK;
}
