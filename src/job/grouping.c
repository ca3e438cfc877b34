/* Fixed groups of rows, from what the policy says of attributes.  Groups by attributes: every attribute divides its
 * values into parts (each value, a level of the hierarchy, quantiles), rows with the same parts are a group.  Groups by
 * a method: the classes it makes with k-anonymity alone. */
#include "job/grouping.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort/keys.h"
#include "base/sort/sort.h"
#include "job/choice.h"
#include "policy/blame.h"
#include "table/histogram.h"

/* One call. */
struct grouping {
    covey_prepared *p;
    const covey_policy *policy;
    const covey_run *run;
};

static covey_status complain(const struct grouping *g, const covey_wish_grouping *by, covey_error *err,
                             const char *what)
{
    return covey_fail_at(err, COVEY_EINVAL, by->line ? g->policy->path : NULL, by->line, by->attribute, by->column,
                         "%s%s", by->line ? "" : "--groups: ", what);
}

static covey_status divide_by_level(uint32_t *part_of_code, const struct grouping *g, const covey_wish_grouping *by,
                                    const covey_field *field, covey_error *err)
{
    char message[256];

    if (!field->tree || by->level >= covey_hierarchy_n_levels(field->tree)) {
        snprintf(message, sizeof message, "groups by level %d of \"%.100s\", whose hierarchy has levels 0 to %d",
                 by->level, by->attribute, field->tree ? covey_hierarchy_n_levels(field->tree) - 1 : 0);
        return complain(g, by, err, message);
    }
    for (uint32_t v = 0; v < field->column->n_values; v++)
        part_of_code[v] = covey_hierarchy_ancestor(field->tree, v, by->level);
    return COVEY_OK;
}

/* Codes by their numbers: those of leaves stand in the order of their tree. */
static covey_status order_by_number(uint32_t **out, const covey_column *column, uint32_t first, covey_arena *arena,
                                    covey_error *err)
{
    const uint32_t n = column->n_values - first;
    uint32_t *code = covey_arena_array(arena, uint32_t, n), *scratch = covey_arena_array(arena, uint32_t, n);
    uint64_t *key = covey_arena_array(arena, uint64_t, column->n_values);

    if (!code || !scratch || !key)
        return covey_i_no_memory(err);
    for (uint32_t v = first; v < column->n_values; v++) {
        code[v - first] = v;
        key[v] = (uint64_t)column->number[v] ^ (UINT64_C(1) << 63);
    }
    covey_i_sort_rows_u64(code, scratch, n, key);
    *out = code;
    return COVEY_OK;
}

/* Value v goes to part floor(q * less / n): less rows have smaller values, n rows have one at all.  Missing cells are a
 * part of their own. */
static covey_status divide_by_quantiles(uint32_t *part_of_code, const struct grouping *g, const covey_wish_grouping *by,
                                        const covey_column *column, covey_error *err)
{
    const uint32_t first = column->has_null ? 1 : 0;
    const covey_arena_mark mark = covey_arena_save(&g->p->arena);
    const int64_t n_rows = g->p->problem.n_rows, q = by->quantiles < n_rows ? by->quantiles : n_rows;
    int64_t n = 0, less = 0;
    covey_histogram counts;
    char message[256];
    uint32_t *code = NULL;

    if (!covey_column_is_number(column)) {
        snprintf(message, sizeof message, "groups by quantiles of \"%.100s\" need a number or a date, but it is %s",
                 by->attribute, covey_type_name(column->type));
        return complain(g, by, err, message);
    }
    COVEY_TRY(covey_i_histogram_of(&counts, column, &g->p->arena, err));
    COVEY_TRY(order_by_number(&code, column, first, &g->p->arena, err));
    for (uint32_t v = first; v < column->n_values; v++)
        n += counts.count[v];
    part_of_code[0] = 0;
    for (uint32_t i = 0; i < column->n_values - first; i++) {
        part_of_code[code[i]] = first + (n > 0 ? (uint32_t)(less * q / n) : 0);
        less += counts.count[code[i]];
    }
    covey_arena_rewind(&g->p->arena, mark);
    return COVEY_OK;
}

/* Which part of its attribute every value belongs to; parts ascend in no particular way, but depend on nothing else. */
static covey_status divide(covey_group_key *key, const struct grouping *g, const covey_wish_grouping *by,
                           covey_error *err)
{
    const covey_field *field = covey_i_problem_field(&g->p->problem, by->attribute);
    uint32_t *part_of_code;

    if (!field)
        return complain(g, by, err, "groups by a column that the table lacks or that is dropped");
    if (field->role == COVEY_ROLE_SENSITIVE)
        return complain(g, by, err, "groups by a sensitive attribute would show its values");
    if (!(part_of_code = covey_arena_array(&g->p->arena, uint32_t, field->column->n_values)))
        return covey_i_no_memory(err);
    *key = (covey_group_key){field->column, by->level >= 0 ? field->tree : NULL, part_of_code};
    if (by->level >= 0)
        return divide_by_level(part_of_code, g, by, field, err);
    if (by->quantiles > 0)
        return divide_by_quantiles(part_of_code, g, by, field->column, err);
    for (uint32_t v = 0; v < field->column->n_values; v++)
        part_of_code[v] = v;
    return COVEY_OK;
}

static uint32_t largest_part(const covey_group_key *key)
{
    uint32_t largest = 0;

    for (uint32_t v = 0; v < key->column->n_values; v++)
        largest = key->part_of_code[v] > largest ? key->part_of_code[v] : largest;
    return largest;
}

/* Rows with equal parts get one number; numbers go by the parts. */
static covey_status number_rows(uint32_t *group_of_row, const struct grouping *g, const covey_group_key *key,
                                size_t n_keys, covey_error *err)
{
    covey_problem *problem = &g->p->problem;
    const uint32_t n = problem->n_rows;
    covey_sort_key *sort = covey_i_array_zero(n_keys, sizeof *sort);
    uint32_t *parts = covey_i_array(n_keys * n, sizeof *parts), *rows = covey_i_array(n, sizeof *rows), group = 0;
    covey_status status;

    if (!sort || !parts || !rows) {
        status = covey_i_no_memory(err);
        goto done;
    }
    for (size_t i = 0; i < n_keys; i++) {
        uint32_t *part = parts + i * n;

        for (uint32_t row = 0; row < n; row++)
            part[row] = key[i].part_of_code[covey_i_code(key[i].column, row)];
        sort[i] = (covey_sort_key){.codes = part, .width = 4, .n_values = largest_part(&key[i]) + 1};
    }
    for (uint32_t i = 0; i < n; i++)
        rows[i] = i;
    if ((status = covey_i_sort_rows_by_keys(rows, n, sort, n_keys, g->run, err)) != COVEY_OK)
        goto done;
    for (uint32_t i = 0; i < n; i++) {
        bool is_new = false;

        for (size_t j = 0; i > 0 && j < n_keys; j++)
            is_new = is_new || parts[j * n + rows[i]] != parts[j * n + rows[i - 1]];
        group += is_new;
        group_of_row[rows[i]] = group;
    }
    problem->n_groups = group + 1;
done:
    covey_i_free(sort);
    covey_i_free(parts);
    covey_i_free(rows);
    return status;
}

static covey_status group_by(uint32_t *group_of_row, const struct grouping *g, covey_error *err)
{
    const covey_wish_groups *groups = &g->policy->groups;
    covey_group_key *key = covey_arena_array(&g->p->arena, covey_group_key, groups->n);

    if (!key)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < groups->n; i++)
        COVEY_TRY(divide(&key[i], g, &groups->by[i], err));
    g->p->problem.group_key = key;
    g->p->problem.n_group_keys = groups->n;
    return number_rows(group_of_row, g, key, groups->n, err);
}

/* The same table with k-anonymity as its only promise. */
static covey_status make_problem(covey_problem *out, const struct grouping *g, covey_error *err)
{
    const covey_model *model = covey_model_find("k-anonymity");
    covey_promise *promise = covey_arena_array_zero(&g->p->arena, covey_promise, 1);
    void *params = covey_arena_alloc_zero(&g->p->arena, 1, model->params_size);
    char k[32];

    if (!promise || !params)
        return covey_i_no_memory(err);
    snprintf(k, sizeof k, "%lld", (long long)g->policy->groups.k);
    COVEY_TRY(covey_param_set(params, model->params, model->n_params, "groups", "k", k, err));
    *promise = (covey_promise){.model = model, .params = params, .view = -1};
    *out = g->p->problem;
    out->max_suppressed = 0;
    out->promises.n = 1;
    out->promises.promise = promise;
    out->promises.n_views = 0;
    out->promises.view = NULL;
    out->promises.min_size = 1;
    return covey_i_promises_prepare(&out->promises, &g->p->arena, err);
}

/* A method that makes no groups: what is wrong with a parameter is told at its place, all else at the method's. */
static covey_status blame_method(const struct grouping *g, covey_status status, covey_error *err)
{
    const covey_wish_method *wish = &g->policy->groups.method;

    covey_i_error_put_in_front(err, "%sgroups: ", wish->line > 0 ? "" : "--");
    if (wish->line > 0) {
        covey_i_policy_blame_method(g->policy, wish, status, err);
        covey_i_error_place(err, g->policy->path, wish->line, wish->column);
    }
    return status;
}

static covey_status group_by_method(uint32_t *group_of_row, const struct grouping *g, covey_error *err)
{
    const covey_wish_method *wish = &g->policy->groups.method;
    covey_release *release = NULL;
    covey_problem problem;
    covey_status status;

    COVEY_TRY(make_problem(&problem, g, err));
    status = covey_i_job_run_wish(&release, &problem, wish, &g->p->arena, g->run, err);
    if (status != COVEY_OK && err && !*err->file)
        return blame_method(g, status, err);
    COVEY_TRY(status);
    for (uint32_t c = 0; c < release->n_classes; c++)
        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++)
            group_of_row[release->row_order[i]] = c;
    g->p->problem.n_groups = release->n_classes;
    covey_release_free(release);
    return COVEY_OK;
}

covey_status covey_i_group_rows(covey_prepared *prepared, const covey_policy *policy, const covey_run *run,
                                covey_error *err)
{
    const struct grouping g = {prepared, policy, run};
    uint32_t *group_of_row;

    if (!policy->groups.is_given)
        return COVEY_OK;
    if (!(group_of_row = covey_arena_array(&prepared->arena, uint32_t, prepared->problem.n_rows)))
        return covey_i_no_memory(err);
    if (policy->groups.method.method)
        COVEY_TRY(group_by_method(group_of_row, &g, err));
    else
        COVEY_TRY(group_by(group_of_row, &g, err));
    prepared->problem.group_of_row = group_of_row;
    return COVEY_OK;
}
