/* Queries over the form "transformed" as SQL over its exported tables: hits per group, and what the help table says of
 * them, as for bucketized releases.
 *
 * A condition on the sensitive column is asked of the leaves in target.csv.  Numbers ascend there, so that running sums
 * over the leaves tell of every node how many of its leaves pass, by its ends; of categories, whose order SQL does not
 * know, the nodes whose values can pass, and those whose can fail, are listed by their ends.  Chances and means come
 * from target.csv, too. */
#include <inttypes.h>

#include "base/error.h"
#include "query/bucketized/sql.h"
#include "query/transformed/targets.h"

enum { MOST_NODES = 5000 };                        /* that are listed */
#define MOST_OF_A_DOUBLE INT64_C(1000000000000000) /* as many digits as it holds for sure */

static const covey_query_targets *state_of(const covey_rewriting *r)
{
    return r->release->state;
}

static bool is_one_target(const covey_rewriting *r)
{
    return state_of(r)->t->groups == NULL;
}

/* Values that SQLite keeps as texts have no order. */
static covey_status check_digits(const covey_rewriting *r, covey_error *err)
{
    const covey_opened_transformed *t = state_of(r)->t;

    for (uint32_t i = 0; r->dialect == COVEY_DIALECT_SQLITE && t->low &&
                         t->sensitive->stated->type == COVEY_TYPE_DECIMAL && i < t->targets->n_rows;
         i++)
        if (t->low[i] <= -MOST_OF_A_DOUBLE || t->low[i] >= MOST_OF_A_DOUBLE)
            return covey_fail(
                err, COVEY_EINVAL,
                "query: SQLite cannot hold the numbers of \"%s\" exactly; rewrite it for PostgreSQL (--sql=postgresql)",
                r->release->column[state_of(r)->rows.sensitive].name);
    return COVEY_OK;
}

/* ---- numbers ---- */

static covey_status write_leaves(covey_rewriting *r, uint32_t linked, covey_error *err)
{
    COVEY_TRY(check_digits(r, err));
    covey_i_text_add_string(&r->sql, ", passing AS (\n  SELECT t.target, t.value, t.probability, CASE WHEN ");
    r->stands_as = "value";
    COVEY_TRY(covey_i_rewrite_part(r, linked, err));
    r->stands_as = NULL;
    covey_i_text_add_string(&r->sql,
                            " THEN 1 ELSE 0 END AS passes\n  FROM (SELECT target, low AS value, probability FROM "
                            "target WHERE low = high) t\n"
                            "), leaf AS (\n"
                            "  SELECT target, value, probability, passes, SUM(passes) OVER (PARTITION BY target ORDER "
                            "BY value) AS passed,\n"
                            "    COUNT(*) OVER (PARTITION BY target ORDER BY value) AS place FROM passing\n"
                            "), node AS (\n"
                            "  SELECT n.target, n.low, n.high, z.passed - a.passed + a.passes > 0 AS can_pass,\n"
                            "    z.passed - a.passed + a.passes <= z.place - a.place AS can_fail\n"
                            "  FROM target n JOIN leaf a ON a.target = n.target AND a.value = n.low\n"
                            "    JOIN leaf z ON z.target = n.target AND z.value = n.high\n)");
    return COVEY_OK;
}

/* ---- categories ---- */

/* Appends (target, low, high) IN (...): the nodes with values of these atoms. */
static covey_status list_nodes(covey_rewriting *r, const uint64_t *atoms, uint64_t wanted, covey_error *err)
{
    const covey_opened_transformed *t = state_of(r)->t;
    uint32_t n = 0;

    for (uint32_t target = 0; target < t->targets->n_classes; target++)
        for (uint32_t i = t->targets->class_start[target]; i < t->targets->class_start[target + 1]; i++) {
            if (!(atoms[i] & wanted))
                continue;
            if (++n > MOST_NODES)
                return covey_fail(
                    err, COVEY_EINVAL,
                    "query: the targets have more than %d nodes to be listed in SQL; ask covey query without --sql",
                    MOST_NODES);
            covey_i_text_add_format(&r->sql,
                                    n > 1 ? ", (%" PRIu32 ", " : "(n.target, n.low, n.high) IN (VALUES (%" PRIu32 ", ",
                                    target + 1);
            for (size_t end = 0; end < 2; end++) {
                const covey_column *text = covey_i_opened_text(t->targets, end);

                covey_i_rewrite_text(&r->sql, covey_column_label(text, covey_i_code_at(text, i)));
                covey_i_text_add_string(&r->sql, end ? ")" : ", ");
            }
        }
    covey_i_text_add_string(&r->sql, n > 0 ? ")" : "1 = 0");
    return COVEY_OK;
}

static covey_status write_nodes(covey_rewriting *r, uint32_t linked, covey_error *err)
{
    const covey_condition_attribute *a = &r->query->condition.attribute[linked];
    const uint64_t *atoms = covey_i_target_atoms(state_of(r), r->release, a, r->arena);
    uint64_t passing = 0;

    if (!atoms)
        return covey_i_no_memory(err);
    for (uint32_t atom = 0; atom < a->n_atoms; atom++)
        passing |= (a->passes[atom] & 1) << atom;
    covey_i_text_add_string(&r->sql, ", node AS (\n  SELECT n.target, n.low, n.high, ");
    COVEY_TRY(list_nodes(r, atoms, passing, err));
    covey_i_text_add_string(&r->sql, " AS can_pass,\n    ");
    COVEY_TRY(list_nodes(r, atoms, ~passing, err));
    covey_i_text_add_string(&r->sql,
                            " AS can_fail\n  FROM target n\n), leaf AS (\n"
                            "  SELECT t.target, t.probability, CASE WHEN n.can_pass THEN 1 ELSE 0 END AS passes\n"
                            "  FROM target t JOIN node n ON n.target = t.target AND n.low = t.low AND n.high = t.high "
                            "WHERE t.low = t.high\n)");
    return COVEY_OK;
}

/* ---- groups ---- */

static covey_status write_passing(covey_rewriting *r, uint32_t linked, covey_error *err)
{
    const bool one = is_one_target(r);

    COVEY_TRY(state_of(r)->low ? write_leaves(r, linked, err) : write_nodes(r, linked, err));
    covey_i_text_add_string(
        &r->sql,
        ", chance AS (\n  SELECT target, SUM(passes * probability) AS share FROM leaf GROUP BY target\n), p AS (\n"
        "  SELECT e.\"group\" AS g, SUM(CASE WHEN n.can_pass THEN e.count ELSE 0 END) AS p,\n"
        "    SUM(CASE WHEN n.can_fail THEN e.count ELSE 0 END) AS f, MAX(c.share) AS share\n  FROM sensitive e ");
    covey_i_text_add_string(&r->sql,
                            one ? "JOIN node n ON "
                                : "JOIN groups k ON k.\"group\" = e.\"group\" JOIN node n ON n.target = k.target AND ");
    covey_i_text_add_string(
        &r->sql, "n.low = e.low AND n.high = e.high JOIN chance c ON c.target = n.target\n  GROUP BY e.\"group\"\n)");
    return COVEY_OK;
}

static covey_status write_means(covey_rewriting *r, uint32_t sensitive, covey_error *err)
{
    (void)sensitive;
    (void)err;
    covey_i_text_add_string(
        &r->sql, is_one_target(r) ? ", m AS (\n  SELECT h.g, t.mean FROM (SELECT DISTINCT g FROM h) h CROSS JOIN "
                                  : ", m AS (\n  SELECT k.\"group\" AS g, t.mean FROM groups k JOIN ");
    covey_i_text_add_string(
        &r->sql, "(SELECT target, SUM(probability * low) AS mean FROM target WHERE low = high GROUP BY target) t");
    covey_i_text_add_string(&r->sql, is_one_target(r) ? "\n)" : " ON t.target = k.target\n)");
    return COVEY_OK;
}

static const covey_rewrite_values target_values = {
    .write_passing = write_passing, .can_fail = "p.f", .ends = {"low", "high"}, .write_means = write_means};

covey_status covey_i_transformed_rewrite(covey_rewriting *r, covey_error *err)
{
    const covey_query_targets *s = state_of(r);

    for (uint32_t g = 0; s->low && g < s->rows.n_groups; g++) {
        covey_i128 sum = 0;

        for (size_t i = s->start[g]; i < s->start[g + 1]; i++)
            sum += (s->low[i] < 0 ? -(covey_i128)s->low[i] : s->low[i]) +
                   (s->high[i] < 0 ? -(covey_i128)s->high[i] : s->high[i]);
        COVEY_TRY(covey_i_bucketized_rewrite_sum_fits(r, s->rows.sensitive, sum, err));
    }
    return covey_i_bucketized_rewrite_by_help(r, s->rows.sensitive, &target_values, 0, err);
}
