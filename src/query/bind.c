/* Binds a query to a release: which columns its names mean, and whether the release can answer it. */
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/text.h"
#include "query/query_impl.h"
#include "reader/units.h"

/* --- aggregates --- */

/* COUNT(DISTINCT entity), or household: what the policy calls by that role, and no column of the release. */
static covey_status bind_units(covey_bound_aggregate *out, const covey_query_release *release, bool is_piece,
                               const covey_sql_query *sql, const covey_sql_aggregate *a, covey_error *err)
{
    const covey_opened_units *units = release->opened->units;
    const covey_stated *stated = release->stated;
    const bool is_entity = !a->column.is_quoted && strcasecmp(a->column.text, "entity") == 0,
               is_household = !a->column.is_quoted && strcasecmp(a->column.text, "household") == 0;

    if (!is_entity && !is_household)
        return covey_i_sql_complain(err, sql->text, a->column.at,
                                    "COUNT(DISTINCT ...) counts persons, who have several rows each, and no values: "
                                    "write COUNT(DISTINCT entity), whatever their column was called%s",
                                    stated->has_households ? ", or COUNT(DISTINCT household)" : "");
    if (is_entity && stated->has_counterfeits) { /* m-invariance: each row is another person's, or made up */
        out->function = COVEY_SQL_COUNT;
        out->text = "COUNT(DISTINCT entity)";
        return COVEY_OK;
    }
    if (!stated->has_units)
        return covey_i_sql_complain(
            err, sql->text, a->at,
            "the release does not say which rows may be one person's, so that persons cannot be counted: COUNT(*) "
            "counts rows; a policy in which a column has the role entity makes a release that counts both");
    if (is_household && !stated->has_households)
        return covey_i_sql_complain(err, sql->text, a->column.at,
                                    "the release has no households: write COUNT(DISTINCT entity)");
    if (is_piece)
        return covey_fail(err, COVEY_EINVAL,
                          "query: units are counted in a release as a whole, and not file by file: ask for "
                          "COUNT(DISTINCT entity) with covey query");
    COVEY_TRY(covey_i_opened_units_check(release->opened, err));
    out->text = is_entity ? "COUNT(DISTINCT entity)" : "COUNT(DISTINCT household)";
    out->n_units = is_entity ? units->n_persons : units->n_units;
    if (covey_i_opened_units_are_rows(release->opened, out->n_units)) { /* whose error is derived */
        out->function = COVEY_SQL_COUNT;
        out->n_units = NULL;
    }
    return COVEY_OK;
}

static covey_status find_number(uint32_t *out, const covey_query_release *release, const covey_sql_query *sql,
                                const covey_sql_name *called, covey_sql_function function, covey_error *err)
{
    const char *name = covey_i_sql_function_name(function);
    const covey_query_column *column;

    COVEY_TRY(covey_i_query_find(out, sql, called, release->column, release->n_columns, err));
    column = &release->column[*out];
    if (column->role == COVEY_ROLE_QUASI && !release->form->quasi_is_exact)
        return covey_i_sql_complain(
            err, sql->text, called->at,
            "\"%.100s\" is a quasi-identifier, of which only ranges and labels are published: %s "
            "takes a sensitive or insensitive column",
            column->name, name);
    if (!column->is_number)
        return covey_i_sql_complain(err, sql->text, called->at,
                                    "%s takes a number, and the column \"%.100s\" holds texts", name, column->name);
    if (column->type == COVEY_TYPE_DATE && (function == COVEY_SQL_SUM || function == COVEY_SQL_AVG))
        return covey_i_sql_complain(err, sql->text, called->at,
                                    "%s takes a number, and the column \"%.100s\" holds dates", name, column->name);
    return COVEY_OK;
}

static bool is_weight(const covey_query_release *release, uint32_t column)
{
    return release->column[column].opened->stated->is_weight;
}

/* "AVG(salary)", "SUM(weight * income) / SUM(weight)" */
static covey_status write_aggregate(covey_bound_aggregate *out, const covey_query_release *release, covey_arena *arena,
                                    covey_error *err)
{
    const char *column = release->column[out->column].name, *function = covey_i_sql_function_name(out->function);
    covey_text text = COVEY_TEXT_INIT;

    if (out->weight) {
        const char *weight = release->column[out->weight_column].name;

        covey_i_text_add_format(&text, "SUM(%s * %s)", weight, column);
        if (out->function == COVEY_SQL_AVG)
            covey_i_text_add_format(&text, " / SUM(%s)", weight);
    } else {
        covey_i_text_add_format(&text, "%s(%s)", function, column);
    }
    out->text = covey_i_text_keep(&text, arena);
    return out->text ? COVEY_OK : covey_i_no_memory(err);
}

/* SUM(weight * s), or that by SUM(weight): one of the two columns is the weight. */
static covey_status bind_weight(covey_bound_aggregate *out, const covey_query_release *release,
                                const covey_sql_query *sql, const covey_sql_aggregate *a, covey_arena *arena,
                                covey_error *err)
{
    const covey_query_column *column, *weight;
    uint32_t first = out->column, second;

    COVEY_TRY(find_number(&second, release, sql, &a->factor, COVEY_SQL_SUM, err));
    out->weight_column = is_weight(release, first) ? first : second;
    out->column = is_weight(release, first) ? second : first;
    weight = &release->column[out->weight_column];
    column = &release->column[out->column];
    if (!is_weight(release, out->weight_column))
        return covey_i_sql_complain(err, sql->text, a->column.at,
                                    "one of the factors must be the sampling weight, and neither \"%.100s\" nor "
                                    "\"%.100s\" was published as one (role weight, publish: value)",
                                    weight->name, column->name);
    if (a->divisor.text) {
        uint32_t divisor;

        COVEY_TRY(covey_i_query_find(&divisor, sql, &a->divisor, release->column, release->n_columns, err));
        if (divisor != out->weight_column)
            return covey_i_sql_complain(err, sql->text, a->divisor.at,
                                        "a weighted mean is SUM(weight * s) / SUM(weight), of one weight: \"%.100s\"",
                                        weight->name);
    }
    COVEY_TRY(covey_i_query_weights(out, release, sql, a, arena, err));
    out->scale = column->scale + (out->function == COVEY_SQL_SUM ? weight->scale : 0);
    return COVEY_OK;
}

static covey_status bind_aggregate(covey_bound_aggregate *out, const covey_query_release *release, bool is_piece,
                                   const covey_sql_query *sql, const covey_sql_aggregate *a, covey_arena *result_arena,
                                   covey_arena *arena, covey_error *err)
{
    *out = (covey_bound_aggregate){.function = a->function, .asked = a->function, .text = "COUNT(*)"};
    if (a->function == COVEY_SQL_COUNT)
        return COVEY_OK;
    if (a->function == COVEY_SQL_COUNT_DISTINCT)
        return bind_units(out, release, is_piece, sql, a, err);
    COVEY_TRY(find_number(&out->column, release, sql, &a->column, a->function, err));
    out->is_date = release->column[out->column].type == COVEY_TYPE_DATE;
    out->scale = release->column[out->column].scale;
    if (a->factor.text)
        COVEY_TRY(bind_weight(out, release, sql, a, arena, err));
    out->is_weight = is_weight(release, out->column);
    return write_aggregate(out, release, result_arena, err);
}

/* A sum of values that are chosen by these values themselves has no bounds in most forms: such conditions are for
 * COUNT. */
static covey_status check_condition(const covey_bound_query *query, covey_error *err)
{
    const covey_bound_aggregate *aggregate = NULL;

    for (size_t i = 0; i < query->n_aggregates && !aggregate; i++)
        if (!covey_i_sql_counts(query->aggregate[i].function))
            aggregate = &query->aggregate[i];
    for (uint32_t i = 0; i < query->condition.n_attributes && aggregate; i++)
        if (query->condition.attribute[i].column->role == COVEY_ROLE_SENSITIVE)
            return covey_i_sql_complain(err, query->sql->text, query->condition.attribute[i].at,
                                        "a condition on the sensitive column \"%s\" goes with COUNT only, not with %s",
                                        query->condition.attribute[i].column->name, aggregate->text);
    return COVEY_OK;
}

/* --- keys --- */

static covey_status bind_keys(covey_bound_query *query, const covey_query_release *release, covey_arena *arena,
                              covey_error *err)
{
    const covey_sql_query *sql = query->sql;
    uint32_t index;

    for (const covey_sql_name *name = sql->group_by; name; name = name->next)
        query->n_keys++;
    if (!(query->key = covey_arena_array(arena, uint32_t, query->n_keys)))
        return covey_i_no_memory(err);
    query->n_keys = 0;
    for (const covey_sql_name *name = sql->group_by; name; name = name->next) {
        COVEY_TRY(covey_i_query_find(&index, sql, name, release->column, release->n_columns, err));
        if (release->column[index].role == COVEY_ROLE_SENSITIVE)
            return covey_i_sql_complain(err, sql->text, name->at,
                                        "GROUP BY takes quasi-identifiers and insensitive columns, and \"%.100s\" is "
                                        "sensitive: ask for each of "
                                        "its values with WHERE",
                                        release->column[index].name);
        for (size_t k = 0; k < query->n_keys; k++)
            if (query->key[k] == index)
                return covey_i_sql_complain(err, sql->text, name->at, "GROUP BY names \"%.100s\" twice",
                                            release->column[index].name);
        query->key[query->n_keys++] = index;
    }
    for (const covey_sql_name *name = sql->selected; name; name = name->next) {
        bool found = false;

        COVEY_TRY(covey_i_query_find(&index, sql, name, release->column, release->n_columns, err));
        for (size_t k = 0; k < query->n_keys; k++)
            found |= query->key[k] == index;
        if (!found)
            return covey_i_sql_complain(
                err, sql->text, name->at,
                "the column \"%.100s\" is selected, but does not stand in GROUP BY: a release answers "
                "aggregates only",
                release->column[index].name);
    }
    return COVEY_OK;
}

/* --- the table --- */

/* "quasi" of "quasi.csv", which is what an export calls it; false: it is no table. */
static bool is_table(const covey_stated_file *file, const char *name)
{
    const size_t size = strlen(name);

    return strncasecmp(file->name, name, size) == 0 && strcmp(file->name + size, ".csv") == 0 &&
           !strchr(file->name, '/');
}

/* There is one table to ask, the release; but who names another one means something else.  The folder of a piece has a
 * name of its own. */
static covey_status check_table(const covey_query_release *release, const covey_sql_query *sql, bool is_piece,
                                covey_error *err)
{
    const covey_stated *stated = release->stated;
    const char *name = sql->from.text;
    covey_text known = COVEY_TEXT_INIT;
    covey_status status;

    if (!name || is_piece || strcasecmp(name, "release") == 0 || strcasecmp(name, release->name) == 0)
        return COVEY_OK;
    for (size_t i = 0; i < stated->n_files; i++)
        if (is_table(&stated->file[i], name))
            return COVEY_OK;
    for (size_t i = 0; i < stated->n_files; i++)
        if (!strchr(stated->file[i].name, '/'))
            covey_i_text_add_format(&known, ", %.*s", (int)strcspn(stated->file[i].name, "."), stated->file[i].name);
    status = known.broken
                 ? covey_i_no_memory(err)
                 : covey_i_sql_complain(err, sql->text, sql->from.at,
                                        "there is no table \"%.100s\": a query asks the release as a whole, so "
                                        "leave FROM out or write FROM release (its folder's name and those of "
                                        "its tables will do, too: %.100s%s)",
                                        name, release->name, known.size ? known.bytes : "");
    covey_i_text_free(&known);
    return status;
}

covey_status covey_i_query_bind(covey_bound_query *out, const covey_query_release *release,
                                const covey_sql_query *parsed, covey_query_exchange *exchange,
                                covey_arena *result_arena, covey_arena *arena, covey_error *err)
{
    *out = (covey_bound_query){.sql = parsed, .exchange = exchange};
    COVEY_TRY(check_table(release, parsed, exchange != NULL, err));
    for (const covey_sql_aggregate *a = parsed->aggregate; a; a = a->next)
        out->n_aggregates++;
    if (!(out->aggregate = covey_arena_array(arena, covey_bound_aggregate, out->n_aggregates)))
        return covey_i_no_memory(err);
    out->n_aggregates = 0;
    for (const covey_sql_aggregate *a = parsed->aggregate; a; a = a->next)
        COVEY_TRY(bind_aggregate(&out->aggregate[out->n_aggregates++], release, exchange != NULL, parsed, a,
                                 result_arena, arena, err));
    COVEY_TRY(bind_keys(out, release, arena, err));
    COVEY_TRY(covey_i_condition_make(&out->condition, parsed, release->column, release->n_columns, arena, err));
    return check_condition(out, err);
}
