/* What the SQL of a perturbed release knows of the values of the sensitive column: functions over them, their weights,
 * and the numbers of the prior. */
#include <inttypes.h>

#include "query/perturbed/writing.h"

static uint32_t atom_of(const covey_perturbed_writing *w, uint32_t value)
{
    const covey_condition_attribute *a = &w->r->query->condition.attribute[w->linked];

    return a->share[a->start[w->p->cell[value]]].atom;
}

/* Texts of an atom by name. */
static void list_values(const covey_perturbed_writing *w, uint32_t atom)
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
    covey_i_text_add_string(&w->r->sql, any       ? null_is ? ") OR p.value IS NULL" : ")"
                                        : null_is ? "p.value IS NULL"
                                                  : "1 = 0");
}

static covey_status write_atoms(const covey_perturbed_writing *w, covey_error *err)
{
    const covey_query_column *column = &w->r->release->column[w->p->sensitive];
    const bool by_number = covey_i_rewrite_is_by_number(column);
    const uint32_t n = w->r->query->condition.attribute[w->linked].n_atoms;
    covey_text *sql = &w->r->sql;

    covey_i_text_add_string(sql, n > 1 ? ",\n    CASE" : ",\n    1");
    w->r->stands_as = by_number ? "value" : NULL;
    for (uint32_t atom = 0; atom + 1 < n; atom++) {
        covey_i_text_add_string(sql, " WHEN ");
        if (by_number)
            COVEY_TRY(covey_i_rewrite_atom(w->r, (uint32_t)w->linked, atom, err));
        else
            list_values(w, atom);
        covey_i_text_add_format(sql, " THEN %" PRIu32, atom + 1);
    }
    w->r->stands_as = NULL;
    if (n > 1)
        covey_i_text_add_format(sql, " ELSE %" PRIu32 " END", n);
    covey_i_text_add_string(sql, " AS atom\n  FROM perturbation p");
    if (by_number)
        covey_i_text_add_string(
            sql, w->has_missing ? " JOIN perturbation t ON t.value = p.value OR t.value IS NULL AND p.value IS NULL"
                                : " JOIN perturbation t ON t.value = p.value");
    return COVEY_OK;
}

/* chance: Y. */
static void begin_values(const covey_perturbed_writing *w)
{
    covey_i_text_add_format(&w->r->sql,
                            ", v AS (\n  SELECT p.value, CAST(p.alpha AS DOUBLE PRECISION) AS alpha, (1 - CAST(p.alpha "
                            "AS DOUBLE PRECISION)) / %" PRIu32 ".0 AS chance",
                            w->p->n_values);
}

covey_status covey_i_perturbed_write_functions_of_kinds(const covey_perturbed_writing *w, covey_error *err)
{
    begin_values(w);
    COVEY_TRY(write_atoms(w, err));
    covey_i_text_add_string(
        &w->r->sql,
        "\n), asked AS (\n"
        "  SELECT k.kind AS f, v.value, v.alpha, v.chance, CAST(SUBSTR(k.kind, v.atom, 1) AS DOUBLE PRECISION) AS a\n"
        "  FROM (SELECT DISTINCT kind FROM h) k CROSS JOIN v\n)");
    return COVEY_OK;
}

void covey_i_perturbed_write_functions_of_numbers(const covey_perturbed_writing *w)
{
    begin_values(w);
    covey_i_text_add_format(&w->r->sql, ", CAST(p.value AS DOUBLE PRECISION) - (%.17g) AS x\n", w->origin);
    covey_i_text_add_string(
        &w->r->sql, "  FROM perturbation p\n), asked AS (\n"
                    "  SELECT k.f, v.value, v.alpha, v.chance, COALESCE(CASE k.f WHEN 'x' THEN v.x WHEN 'square' THEN "
                    "v.x * v.x ELSE v.x - v.x + 1 END, 0) AS a\n"
                    "  FROM (SELECT 'x' AS f UNION ALL SELECT 'square' UNION ALL SELECT 'one') k CROSS JOIN v\n)");
}

/* The value that is never kept, if there is one, has W from itself alone, and its weight from the others'. */
void covey_i_perturbed_write_weights(const covey_perturbed_writing *w)
{
    covey_i_text_add_string(
        &w->r->sql,
        ", whole AS (\n"
        "  SELECT s.*, COALESCE(s.alone, s.kept / (1 + s.spread)) AS w\n"
        "  FROM (SELECT f, MIN(a) AS lo, MAX(a) AS hi, SUM(CASE WHEN alpha = 0 THEN a / chance END) AS alone,\n"
        "      COALESCE(SUM(a / NULLIF(alpha, 0)), 0) AS kept, COALESCE(SUM(chance / NULLIF(alpha, 0)), 0) AS spread "
        "FROM asked GROUP BY f) s\n"
        "), weight AS (\n"
        "  SELECT a.f, a.value, s.lo, s.hi, COALESCE((a.a - a.chance * s.w) / NULLIF(a.alpha, 0), s.w * (1 + s.spread) "
        "- s.kept) AS w\n"
        "  FROM asked a JOIN whole s ON s.f = a.f\n)");
}

covey_status covey_i_perturbed_write_numbers(const covey_perturbed_writing *w, covey_error *err)
{
    int64_t total = 0;

    for (uint32_t j = 0; j < w->p->n_values; j++)
        total += w->p->prior[j];
    covey_i_text_add_string(&w->r->sql, ", number AS (\n"
                                        "  SELECT c.x, c.n, SUM(c.n) OVER (ORDER BY c.x) - c.n AS below, SUM(c.n) OVER "
                                        "(ORDER BY c.x DESC) - c.n AS above\n"
                                        "  FROM (SELECT ");
    COVEY_TRY(covey_i_rewrite_number(w->r, w->p->sensitive, "p.", "value", err));
    covey_i_text_add_format(&w->r->sql,
                            " AS x, CAST(ROUND(CAST(p.prior AS DOUBLE PRECISION) * %" PRId64 ") AS BIGINT) AS n\n"
                            "    FROM perturbation p WHERE p.value IS NOT NULL) c\n)",
                            total);
    return COVEY_OK;
}

void covey_i_perturbed_write_pairs(const covey_perturbed_writing *w)
{
    covey_text *sql = &w->r->sql;

    covey_i_text_add_string(sql, ", place AS (\n");
    for (int upper = 0; upper < 2; upper++) {
        covey_i_text_add_format(sql, "%s  SELECT '%s' AS side, x, SUM(n) OVER (ORDER BY x%s) AS upto FROM ",
                                upper ? "\n  UNION ALL\n" : "", upper ? "upper" : "lower", upper ? " DESC" : "");
        if (w->p->n_missing > 0)
            covey_i_text_add_format(sql, "(SELECT x, n FROM number UNION ALL SELECT 0, %" PRId64 ") b",
                                    w->p->n_missing);
        else
            covey_i_text_add_string(sql, "number");
    }
    covey_i_text_add_string(
        sql, "\n), ranked AS (\n"
             "  SELECT g, ROW_NUMBER() OVER (PARTITION BY g ORDER BY q DESC) AS r,\n"
             "    SUM(q) OVER (PARTITION BY g ORDER BY q DESC ROWS UNBOUNDED PRECEDING) AS q FROM hit\n"
             "), paired AS (\n"
             "  SELECT g, side, SUM(x * q) AS total FROM (\n"
             "    SELECT c.g, p.side, p.x, c.q - COALESCE(LAG(c.q) OVER (PARTITION BY p.side, c.g ORDER BY p.upto), 0) "
             "AS q\n"
             "    FROM place p CROSS JOIN (SELECT g, COUNT(*) AS n FROM hit GROUP BY g) m\n"
             "      JOIN ranked c ON c.g = m.g AND c.r = CASE WHEN p.upto < m.n THEN p.upto ELSE m.n END\n"
             "  ) d GROUP BY g, side\n)");
}
