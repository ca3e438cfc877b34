/* Plans from counted values.  These come as tables (covey_table_read), so that a text, a missing value and a number are
 * what they are when a table is read. */
#include "parts/plan/counted.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* --- columns --- */

/* Which columns are published; the names that there are are known afterwards. */
static covey_status find_kept(bool *kept, covey_preparing *s, const char *const *name, size_t n, covey_error *err)
{
    covey_csv_options options;

    if (!(s->found = covey_arena_array_zero(&s->p->arena, bool, s->policy->n_attributes + 1)))
        return covey_i_no_memory(err);
    covey_i_preparing_csv(&options, s);
    for (size_t c = 0; c < n; c++)
        kept[c] = options.keep(options.context, name[c]);
    return COVEY_OK;
}

/* Roles and wishes by a table of these columns. */
static covey_status find_roles(covey_preparing *s, covey_column *const *column, size_t n, covey_error *err)
{
    covey_prepared *p = s->p;
    covey_status status;

    COVEY_TRY(covey_i_table_new(&p->table, 0, n, err));
    for (size_t c = 0; c < n; c++)
        p->table->columns[c] = covey_i_column_share(column[c]);
    status = covey_i_preparing_columns(s, err);
    covey_table_free(p->table);
    p->table = NULL;
    return status;
}

static covey_status check_names(bool *kept, covey_preparing *s, const char *const *name, size_t n, covey_error *err)
{
    covey_column **column = covey_i_array_zero(n, sizeof *column);
    covey_status status = column ? find_kept(kept, s, name, n, err) : covey_i_no_memory(err);
    size_t n_kept = 0;

    for (size_t c = 0; status == COVEY_OK && c < n; c++)
        if (kept[c])
            status = covey_i_plan_value_column(&column[n_kept++], name[c], NULL, 0, false, NULL, err);
    if (status == COVEY_OK)
        status = find_roles(s, column, n_kept, err);
    for (size_t c = 0; column && c < n_kept; c++)
        covey_i_column_free(column[c]);
    covey_i_free(column);
    return status;
}

covey_status covey_plan_check(const covey_policy *policy, covey_error *err)
{
    return covey_i_plan_refuse(policy, err);
}

covey_status covey_plan_columns(bool *kept, const covey_policy *policy, const char *const *name, size_t n,
                                covey_error *err)
{
    covey_prepared prepared = {0};
    covey_preparing s = {.p = &prepared, .policy = policy};
    const covey_status status = check_names(kept, &s, name, n, err);

    covey_i_prepared_clear(&prepared);
    return status;
}

/* --- values --- */

static covey_status wrong_counts(const char *name, covey_error *err)
{
    return covey_fail_at(
        err, COVEY_EINVAL, NULL, 0, name, 0,
        "column \"%s\": its counts are not those of the rows: the data changed while they were counted", name);
}

/* A count of rows, which stands in a table's column. */
static bool read_count(int64_t *out, const covey_column *column, int64_t row)
{
    const char *text = covey_column_label(column, covey_i_code(column, row));
    char *end;

    errno = 0;
    *out = strtoll(text, &end, 10);
    return errno == 0 && end > text && !*end && *out >= 0;
}

static covey_status read_table(covey_table **out, const char *source, const covey_policy *policy, const covey_run *run,
                               covey_error *err)
{
    const covey_csv_options options = {.null = policy->null, .n_null = policy->n_null, .trim = policy->trim};

    return covey_table_read(out, source, &options, run, err);
}

static bool keep_last(void *n_before, const char *name)
{
    (void)name;
    return (*(size_t *)n_before)-- == 0;
}

/* The last column of a table.  Its counts are no values, and so none of them is a text that means missing. */
static covey_status read_counts(covey_table **out, const char *source, const covey_table *table, const covey_run *run,
                                covey_error *err)
{
    size_t n_before = covey_table_n_columns(table) - 1;
    const covey_csv_options options = {.keep = keep_last, .context = &n_before};

    return covey_table_read(out, source, &options, run, err);
}

/* Values that are the same text are one. */
static covey_status take_values(covey_plan *plan, size_t c, const char *name, const covey_table *table,
                                const covey_column *counts, covey_error *err)
{
    const covey_column *texts = covey_table_column(table, 0);
    covey_label *label = covey_i_array(texts->n_values, sizeof *label);
    covey_status status = COVEY_OK;
    int64_t sum = 0;

    plan->count[c] = covey_arena_array_zero(&plan->arena, int64_t, texts->n_values);
    if (!label || !plan->count[c]) {
        covey_i_free(label);
        return covey_i_no_memory(err);
    }
    for (uint32_t v = 0; v < texts->n_values; v++)
        label[v] = (covey_label){covey_column_label(texts, v), covey_column_label_size(texts, v)};
    for (int64_t row = 0; status == COVEY_OK && row < texts->n_rows; row++) {
        int64_t n = 0;

        if (!read_count(&n, counts, row) || n > plan->n_rows - sum)
            status = wrong_counts(name, err);
        plan->count[c][covey_i_code(texts, row)] += n;
        sum += n;
    }
    if (status == COVEY_OK && sum != plan->n_rows)
        status = wrong_counts(name, err);
    if (status == COVEY_OK)
        status = covey_i_plan_value_column(&plan->value[c], name, label, texts->n_values, texts->has_null, NULL, err);
    if (status == COVEY_OK)
        plan->value[c]->is_typed = texts->is_typed;
    covey_i_free(label);
    return status;
}

static covey_status read_values(covey_plan *plan, const covey_counted *counted, const bool *kept, const covey_run *run,
                                covey_error *err)
{
    plan->value = covey_arena_array_zero(&plan->arena, covey_column *, counted->n_columns);
    plan->count = covey_arena_array_zero(&plan->arena, int64_t *, counted->n_columns);
    if (!plan->value || !plan->count)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < counted->n_columns; i++) {
        covey_table *table = NULL, *counts = NULL;
        covey_status status;

        if (!kept[i])
            continue;
        COVEY_TRY(read_table(&table, counted->values[i], plan->policy, run, err));
        if (covey_table_n_columns(table) != 2)
            status = wrong_counts(counted->name[i], err);
        else if ((status = read_counts(&counts, counted->values[i], table, run, err)) == COVEY_OK)
            status = take_values(plan, plan->n_columns, counted->name[i], table, covey_table_column(counts, 0), err);
        plan->n_columns += status == COVEY_OK;
        covey_table_free(counts);
        covey_table_free(table);
        COVEY_TRY(status);
    }
    return COVEY_OK;
}

/* --- the sample --- */

/* The values of one axis in all rows of the sample. */
static covey_status find_sample_values(uint32_t *value, size_t step, const covey_plan *plan,
                                       const covey_column *planned, const covey_table *table, covey_error *err)
{
    const covey_column *own = NULL, *values = NULL;

    for (size_t c = 0; c < plan->n_columns; c++)
        if (plan->prepared.column[c] == planned)
            values = plan->value[c];
    for (size_t c = 0; values && c < covey_table_n_columns(table); c++)
        if (strcmp(covey_table_column(table, c)->name, values->name) == 0)
            own = covey_table_column(table, c);
    if (!own)
        return covey_fail(err, COVEY_EINVAL, "the sample does not have all quasi-identifiers");
    for (int64_t row = 0; row < own->n_rows; row++) {
        const uint32_t code = covey_i_code(own, row);
        const int64_t at = own->has_null && code == 0 ? (values->has_null ? 0 : -1)
                                                      : covey_i_column_find(values, covey_column_label(own, code),
                                                                            covey_column_label_size(own, code));

        if (at < 0)
            return wrong_counts(own->name, err);
        value[(size_t)row * step] = (uint32_t)at;
    }
    return COVEY_OK;
}

/* The last column holds the counts. */
static covey_status read_sample(covey_plan_sample *out, const covey_plan *plan, const covey_table *table,
                                const covey_column *counts, covey_arena *arena, covey_error *err)
{
    const covey_problem *problem = &plan->prepared.problem;
    const size_t n = (size_t)covey_table_n_rows(table), d = problem->n_axes;
    uint32_t *value = covey_arena_array(arena, uint32_t, n * d + 1);
    int64_t *count = covey_arena_array(arena, int64_t, n + 1);

    if (!value || !count)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < d; a++)
        COVEY_TRY(find_sample_values(value + a, d, plan, problem->axis[a].column, table, err));
    for (size_t i = 0; i < n; i++)
        if (!read_count(&count[i], counts, (int64_t)i))
            return covey_fail(err, COVEY_EINVAL, "the sample does not end with counts");
    *out = (covey_plan_sample){.n = n, .n_axes = d, .count = count, .value = value};
    return COVEY_OK;
}

static covey_status split(covey_plan *plan, const covey_counted *counted, int64_t memory_limit, int64_t rows_per_part,
                          const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_plan_sample sample;
    covey_table *table = NULL, *counts = NULL;
    covey_status status = read_table(&table, counted->sample, plan->policy, run, err);

    if (status == COVEY_OK && (status = read_counts(&counts, counted->sample, table, run, err)) == COVEY_OK &&
        (status = read_sample(&sample, plan, table, covey_table_column(counts, 0), &arena, err)) == COVEY_OK)
        status = covey_i_plan_split(plan, &sample, memory_limit, rows_per_part, err);
    covey_table_free(counts);
    covey_table_free(table);
    covey_arena_free(&arena);
    return status;
}

/* --- the plan --- */

static covey_status make(covey_plan *plan, covey_preparing *s, const covey_counted *counted, int64_t memory_limit,
                         int64_t rows_per_part, covey_error *err)
{
    bool *kept = covey_arena_array_zero(&plan->arena, bool, counted->n_columns);

    if (!kept)
        return covey_i_no_memory(err);
    if (counted->n_rows <= 0)
        return covey_fail(err, COVEY_EPARSE, "there is not a single row: nothing to publish");
    if (counted->n_rows >= UINT32_MAX)
        return covey_fail(err, COVEY_EINVAL, "the data have %" PRId64 " rows; the most is 4294967294; split the table",
                          counted->n_rows);
    plan->n_rows = counted->n_rows;
    COVEY_TRY(find_kept(kept, s, counted->name, counted->n_columns, err));
    COVEY_TRY(read_values(plan, counted, kept, s->run, err));
    COVEY_TRY(find_roles(s, plan->value, plan->n_columns, err));
    plan->prepared.n_dropped = counted->n_dropped;
    COVEY_TRY(covey_i_plan_complete(plan, s, err));
    return split(plan, counted, memory_limit, rows_per_part, s->run, err);
}

covey_status covey_i_counted_plan(covey_plan *out, const covey_policy *policy, const covey_counted *counted,
                                  int64_t memory_limit, int64_t rows_per_part, const covey_run *run, covey_error *err)
{
    covey_preparing s = {.p = &out->prepared, .policy = policy, .run = run};
    covey_status status;

    *out = (covey_plan){.policy = policy};
    COVEY_TRY(covey_i_plan_check(policy, &memory_limit, rows_per_part, err));
    if ((status = make(out, &s, counted, memory_limit, rows_per_part, err)) != COVEY_OK)
        covey_i_plan_clear(out);
    return status;
}
