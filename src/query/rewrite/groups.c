/* Rewrites whole queries: one SELECT, or with GROUP BY over generalized cells or slices one per group. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "query/rewrite/rewrite.h"

enum { MOST_GROUPS = 500 }; /* that SQLite takes in one UNION ALL */

/* SQLite adds up whole numbers of 63 bits, and fails beyond. */
static bool sum_fits(const covey_rewriting *r, const covey_bound_aggregate *a)
{
    const covey_query_column *column = &r->release->column[a->column];
    const int64_t n_rows = r->release->stated->n_published;
    covey_i128 largest = 0, weights = 0;
    int64_t heaviest = 0;

    for (uint32_t cell = 0; cell < column->n_cells; cell++) {
        int64_t number;

        if (covey_i_query_cell_number(&number, column, cell) && (covey_i128)imaxabs(number) > largest)
            largest = imaxabs(number);
    }
    if (!a->weight)
        weights = r->release->stated->n_rows;
    for (int64_t row = 0; a->weight && row < a->weight_text->n_rows; row++) {
        const int64_t weight = covey_i_query_row_weight(a, (uint32_t)row);

        weights += weight;
        heaviest = weight > heaviest ? weight : heaviest;
    }
    if (a->weight && a->weight_text->n_rows < n_rows) /* equal rows were joined: how often which is the form's affair */
        weights += (n_rows - a->weight_text->n_rows) * (covey_i128)heaviest;
    return largest == 0 || weights <= INT64_MAX / largest;
}

static covey_status check_sums(const covey_rewriting *r, const covey_bound_query *query, covey_error *err)
{
    for (size_t i = 0; i < query->n_aggregates; i++) {
        const covey_bound_aggregate *a = &query->aggregate[i];

        if (covey_i_rewrite_adds_up(a) && r->dialect == COVEY_DIALECT_SQLITE && !sum_fits(r, a))
            return covey_fail(err, COVEY_EINVAL,
                              "query: SQLite cannot hold %s; rewrite it for PostgreSQL (--sql=postgresql)", a->text);
    }
    return COVEY_OK;
}

static covey_status rewrite_one(covey_rewriting *r, const covey_sql_query *parsed, covey_error *err)
{
    covey_bound_query query;

    COVEY_TRY(covey_i_query_bind(&query, r->release, parsed, NULL, r->arena, r->arena, err));
    COVEY_TRY(check_sums(r, &query, err));
    r->query = &query;
    r->uses_ranges = false;
    return r->release->form->rewrite(r, err);
}

/* ---- groups ---- */

/* column = value, or column IS NULL. */
static covey_status key_condition(covey_sql_condition **out, const covey_query_result *result,
                                  const covey_query_group *group, size_t k, covey_arena *arena, covey_error *err)
{
    covey_sql_condition *c = covey_arena_array_zero(arena, covey_sql_condition, 1);

    if (!c)
        return covey_i_no_memory(err);
    c->kind = group->key[k] ? COVEY_SQL_COMPARE : COVEY_SQL_IS_NULL;
    c->column = (covey_sql_name){.text = result->key_name[k], .is_quoted = true};
    c->op = COVEY_SQL_EQ;
    if (group->key[k] && !(c->value = covey_arena_array_zero(arena, covey_sql_value, 1)))
        return covey_i_no_memory(err);
    if (group->key[k])
        *c->value = (covey_sql_value){.text = group->key[k], .is_text = !result->key_is_number[k], .is_key = true};
    *out = c;
    return COVEY_OK;
}

/* The query of one group: its keys are conditions. */
static covey_status group_query(covey_sql_query *out, const covey_sql_query *parsed, const covey_query_result *result,
                                const covey_query_group *group, covey_arena *arena, covey_error *err)
{
    covey_sql_condition *all = covey_arena_array_zero(arena, covey_sql_condition, 1), **end;

    if (!all)
        return covey_i_no_memory(err);
    all->kind = COVEY_SQL_AND;
    end = &all->child;
    for (size_t k = 0; k < result->n_keys; k++) {
        COVEY_TRY(key_condition(end, result, group, k, arena, err));
        end = &(*end)->next;
    }
    if (parsed->where) {
        if (!(*end = covey_arena_array(arena, covey_sql_condition, 1)))
            return covey_i_no_memory(err);
        **end = *parsed->where;
        (*end)->next = NULL;
    }
    *out = *parsed;
    out->where = all->child->next ? all : all->child;
    out->group_by = NULL;
    out->selected = NULL;
    return COVEY_OK;
}

static void add_keys(covey_rewriting *r, const covey_query_result *result, const covey_query_group *group)
{
    for (size_t k = 0; k < result->n_keys; k++) {
        if (!group->key[k])
            covey_i_text_add_string(&r->sql, "NULL");
        else if (result->key_is_number[k])
            covey_i_text_add_string(&r->sql, group->key[k]);
        else
            covey_i_rewrite_text(&r->sql, group->key[k]);
        covey_i_text_add_string(&r->sql, " AS ");
        covey_i_rewrite_name(&r->sql, result->key_name[k]);
        covey_i_text_add_string(&r->sql, ", ");
    }
}

/* The columns of an answer without a row. */
static covey_status rewrite_nothing(covey_rewriting *r, const covey_sql_query *parsed, const covey_query_result *result,
                                    covey_error *err)
{
    covey_sql_query all = *parsed;

    all.group_by = NULL;
    all.selected = NULL;
    covey_i_text_add_string(&r->sql, "SELECT ");
    for (size_t k = 0; k < result->n_keys; k++) {
        covey_i_text_add_string(&r->sql, "NULL AS ");
        covey_i_rewrite_name(&r->sql, result->key_name[k]);
        covey_i_text_add_string(&r->sql, ", ");
    }
    covey_i_text_add_string(&r->sql, "x.* FROM (\n");
    COVEY_TRY(rewrite_one(r, &all, err));
    covey_i_text_add_string(&r->sql, "\n) x WHERE 1 = 0");
    return COVEY_OK;
}

static covey_status rewrite_groups(covey_rewriting *r, const covey_sql_query *parsed, const covey_query_result *result,
                                   covey_error *err)
{
    if (result->n_groups > MOST_GROUPS)
        return covey_fail(
            err, COVEY_EINVAL,
            "query: GROUP BY makes %zu groups, and at most %d are rewritten; ask covey query without --sql",
            result->n_groups, MOST_GROUPS);
    if (result->n_groups == 0)
        return rewrite_nothing(r, parsed, result, err);
    for (size_t g = 0; g < result->n_groups; g++) {
        covey_sql_query one;

        COVEY_TRY(group_query(&one, parsed, result, &result->group[g], r->arena, err));
        covey_i_text_add_string(&r->sql, g ? "\nUNION ALL SELECT " : "SELECT ");
        add_keys(r, result, &result->group[g]);
        covey_i_text_add_string(&r->sql, "x.* FROM (\n");
        COVEY_TRY(rewrite_one(r, &one, err));
        covey_i_text_add_string(&r->sql, "\n) x");
    }
    return COVEY_OK;
}

static covey_status rewrite(covey_rewriting *r, const char *sql, covey_error *err)
{
    covey_sql_query *parsed;
    covey_query_result *result = NULL;
    covey_status status;

    if (!r->release->form->rewrite)
        return covey_fail(err, COVEY_EINVAL,
                          "query: queries over %s releases are not rewritten; ask covey query without --sql",
                          r->release->form->name);
    COVEY_TRY(
        covey_query_run(&result, r->release, sql, NULL, err)); /* what cannot be answered is not rewritten either */
    if ((status = covey_i_sql_parse(&parsed, sql, r->arena, err)) == COVEY_OK)
        status = result->is_grouped && r->release->form->rewrites_each_group ? rewrite_groups(r, parsed, result, err)
                                                                             : rewrite_one(r, parsed, err);
    covey_query_result_free(result);
    return status;
}

covey_status covey_query_sql(char **out, const covey_query_release *release, const char *sql, covey_sql_dialect dialect,
                             covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_rewriting r = {.release = release, .dialect = dialect, .arena = &arena, .sql = COVEY_TEXT_INIT};
    covey_status status = rewrite(&r, sql, err);

    covey_arena_free(&arena);
    if (status == COVEY_OK && r.sql.broken)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK)
        *out = r.sql.bytes;
    else
        covey_i_text_free(&r.sql);
    return status;
}

void covey_query_sql_free(char *sql)
{
    covey_i_free(sql);
}
