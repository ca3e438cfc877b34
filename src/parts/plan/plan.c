/* Planning parts along the curve.  Rows are dealt by their place on a Hilbert curve through the quasi-identifiers, so
 * that each part is a region in which rows are near each other, and rows with equal quasi-identifiers are never parted.
 */
#include "parts/plan/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/source.h"
#include "base/sort/hilbert.h"
#include "method/draw/draw.h"
#include "parts/plan/gather.h"
#include "policy/blame.h"

enum { KEY_BITS = 128, PIECE_SHARE = 16, MOST_PIECE = 1 << 24, BYTES_PER_LINE = 32, DICTIONARY_SHARE = 4 };

/* What the program takes before it has a row, and per row of a part: measured, see docs/design/out-of-core.md. */
enum { BYTES_AT_REST = 20 << 20, BYTES_PER_ROW = 100, LEAST_ROWS = 1000 };

static const int64_t USUAL_MEMORY = (int64_t)1 << 30;

/* "a, b or c": the methods that can do parts. */
static void list_methods(char *out, size_t size)
{
    size_t n = 0, named = 0, used = 0;

    for (size_t i = 0; i < covey_method_count(); i++)
        n += covey_method_at(i)->in_parts;
    for (size_t i = 0; i < covey_method_count() && used < size; i++)
        if (covey_method_at(i)->in_parts) {
            used += (size_t)snprintf(out + used, size - used, "%s%s",
                                     named == 0       ? ""
                                     : named + 1 == n ? " or "
                                                      : ", ",
                                     covey_method_at(i)->name);
            named++;
        }
}

/* The regions of one part end with values that may be those of rows which another part suppresses. */
static covey_status refuse_regions(const covey_policy *policy, covey_error *err)
{
    const covey_method *method = policy->method.method;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_choice choice;
    bool has_regions;
    covey_status status;

    if (strcmp(method->form, "generalized") != 0 || policy->suppression_limit.num == 0)
        return COVEY_OK;
    status = covey_i_choice_make(&choice, method, &policy->method, &arena, err);
    has_regions = status == COVEY_OK && ((const covey_class_params *)choice.params)->publish_boxes != 0;
    covey_arena_free(&arena);
    if (!has_regions)
        return status;
    return covey_fail(
        err, COVEY_EINVAL,
        "publish-boxes: cut with suppression is not done in parts: a region could end with a value that only rows "
        "have which another part suppresses; use publish-boxes: tight, or a suppression limit of 0");
}

covey_status covey_i_plan_refuse(const covey_policy *policy, covey_error *err)
{
    const covey_method *method = policy->method.method;
    char others[256];

    if (covey_i_source_kind(policy->input_source) != COVEY_SOURCE_FILE)
        return covey_fail(err, COVEY_EINVAL, "only files are read in parts; write the table to a CSV file first");
    if (policy->groups.is_given)
        return covey_fail(
            err, COVEY_EINVAL,
            "a table with fixed groups (groups:) is not done in parts: a group would lie in several of them");
    COVEY_TRY(covey_i_preparing_refuse_units(policy, err));
    list_methods(others, sizeof others);
    if (!method)
        return covey_fail(err, COVEY_EINVAL,
                          "method auto compares releases of the whole table and is not done in parts; use %s", others);
    if (!method->in_parts)
        return covey_fail(err, COVEY_EINVAL, "method %s is not done in parts: it %s; use %s", method->name,
                          method->looks_at_all, others);
    for (size_t i = 0; i < policy->n_promises; i++)
        if (policy->promise[i].joint)
            return covey_fail_at(err, COVEY_EINVAL, policy->promise[i].line ? policy->path : NULL,
                                 policy->promise[i].line, NULL, policy->promise[i].column,
                                 "a promise on the combination of sensitive attributes (joint) is not done in parts");
    return refuse_regions(policy, err);
}

/* --- keys --- */

static covey_status make_places(covey_plan *plan, covey_error *err)
{
    const covey_problem *problem = &plan->prepared.problem;

    plan->n_bits = covey_i_draw_bits(problem);
    plan->n_key_axes = problem->n_axes < KEY_BITS ? problem->n_axes : KEY_BITS;
    if (!(plan->place = covey_arena_array_zero(&plan->arena, uint16_t *, plan->n_key_axes)))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < plan->n_key_axes; a++) {
        if (!(plan->place[a] = covey_arena_array(&plan->arena, uint16_t, problem->axis[a].n_values)))
            return covey_i_no_memory(err);
        covey_i_draw_coordinates(plan->place[a], &problem->axis[a], plan->n_bits);
    }
    return COVEY_OK;
}

struct weighed {
    covey_u128 key;
    int64_t count;
};

static int compare_keys(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;

    return x->key < y->key ? -1 : x->key > y->key;
}

static covey_status find_keys(struct weighed *out, const covey_plan *plan, const covey_plan_sample *sample,
                              covey_error *err)
{
    const covey_problem *problem = &plan->prepared.problem;
    covey_u128 *key = covey_i_array(sample->n, sizeof *key);
    uint16_t **coordinate = covey_i_array_zero(plan->n_key_axes, sizeof *coordinate);
    covey_status status = COVEY_OK;

    for (size_t a = 0; coordinate && a < plan->n_key_axes; a++)
        if (!(coordinate[a] = covey_i_array(sample->n, sizeof **coordinate)))
            status = covey_i_no_memory(err);
    if (!key || !coordinate)
        status = covey_i_no_memory(err);
    for (size_t a = 0; status == COVEY_OK && a < plan->n_key_axes; a++)
        for (size_t i = 0; i < sample->n; i++) /* row v of an axis' column: the code of value v */
            coordinate[a][i] =
                plan->place[a][covey_i_code(problem->axis[a].column, sample->value[i * sample->n_axes + a])];
    if (status == COVEY_OK)
        covey_i_hilbert_keys(key, coordinate, plan->n_key_axes, plan->n_bits, sample->n);
    for (size_t i = 0; status == COVEY_OK && i < sample->n; i++)
        out[i] = (struct weighed){key[i], sample->count[i]};
    for (size_t a = 0; coordinate && a < plan->n_key_axes; a++)
        covey_i_free(coordinate[a]);
    covey_i_free(coordinate);
    covey_i_free(key);
    return status;
}

/* Part i ends where the sample's first i/n have passed, but never between equal keys. */
static void find_splitters(covey_plan *plan, const struct weighed *at, size_t n, uint32_t n_wanted)
{
    covey_i128 total = 0, passed = 0;
    uint32_t part = 1;

    for (size_t i = 0; i < n; i++)
        total += at[i].count;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && at[i].key != at[i - 1].key && passed * n_wanted >= total * part) {
            plan->splitter[plan->n_parts++ - 1] = at[i].key;
            while (passed * n_wanted >= total * part)
                part++;
        }
        passed += at[i].count;
    }
}

/* Deals the sample into as many parts as rows_per_part asks for. */
static covey_status split_sample(covey_plan *plan, const covey_plan_sample *sample, covey_error *err)
{
    const int64_t n_wanted = (plan->n_rows + plan->rows_per_part - 1) / plan->rows_per_part;
    struct weighed *at = covey_i_array(sample->n, sizeof *at);
    covey_status status;

    if (n_wanted > COVEY_PLAN_MOST_PARTS) {
        covey_i_free(at);
        return covey_fail(err, COVEY_EINVAL,
                          "%" PRId64 " rows in parts of %" PRId64 " make %" PRId64
                          " parts; the most is %d: allow more memory, or larger parts",
                          plan->n_rows, plan->rows_per_part, n_wanted, (int)COVEY_PLAN_MOST_PARTS);
    }
    plan->n_parts = 1;
    if (!at || !(plan->splitter = covey_arena_array(&plan->arena, covey_u128, (size_t)n_wanted))) {
        covey_i_free(at);
        return covey_i_no_memory(err);
    }
    if ((status = find_keys(at, plan, sample, err)) == COVEY_OK) {
        qsort(at, sample->n, sizeof *at, compare_keys);
        find_splitters(plan, at, sample->n, (uint32_t)n_wanted);
    }
    covey_i_free(at);
    return status;
}

/* --- the rest --- */

int64_t covey_i_plan_budget(const covey_plan *plan, uint32_t first, uint32_t last)
{
    const covey_i128 all = plan->prepared.problem.max_suppressed;

    return (int64_t)(all * ((covey_i128)last + 1) / plan->n_parts - all * first / plan->n_parts);
}

covey_status covey_i_plan_complete(covey_plan *plan, covey_preparing *s, covey_error *err)
{
    const covey_policy *policy = plan->policy;
    covey_prepared *p = &plan->prepared;
    covey_status status;

    s->count = plan->count;
    COVEY_TRY(covey_i_preparing_finish(s, plan->value, plan->n_rows, err));
    COVEY_TRY(covey_i_choice_make(&plan->choice, policy->method.method, &policy->method, &p->arena, err));
    if ((status = plan->choice.method->accepts(&p->problem.promises, plan->choice.params, err)) != COVEY_OK) {
        covey_i_error_put_in_front(err, "method %s cannot keep this policy: ", plan->choice.method->name);
        return covey_i_policy_blame_method(policy, &policy->method, status, err);
    }
    covey_i_choice_apply(&p->problem, &plan->choice);
    return make_places(plan, err);
}

/* Parts are as large as the method's work on one may be; but much smaller ones than a class has rows would lose a lot.
 */
static int64_t choose_rows_per_part(const covey_plan *plan, int64_t memory_limit)
{
    const int64_t fits = (memory_limit - BYTES_AT_REST) / BYTES_PER_ROW;
    const int64_t least = 100 * covey_i_promises_min_size(&plan->prepared.problem.promises);

    return fits > least && fits > LEAST_ROWS ? fits : least > LEAST_ROWS ? least : LEAST_ROWS;
}

/* Pieces that are read at once; those of small parts, which somebody asked for, are small as well. */
static size_t piece_size(int64_t memory_limit, int64_t rows_per_part)
{
    const int64_t share = memory_limit / PIECE_SHARE;

    if (rows_per_part > 0 && rows_per_part < share / BYTES_PER_LINE)
        return (size_t)(rows_per_part * BYTES_PER_LINE);
    return (size_t)(share > MOST_PIECE ? MOST_PIECE : share);
}

covey_infile_spill covey_i_plan_text(const char *path, int64_t memory_limit)
{
    return (covey_infile_spill){
        .path = path, .most_bytes = (size_t)((memory_limit ? memory_limit : USUAL_MEMORY) / DICTIONARY_SHARE)};
}

/* All that its text says: values, how often each occurs, rows, the sample. */
static covey_status read_input(covey_gathered **out, covey_plan *plan, covey_preparing *s, covey_spill *spill,
                               const char *text_path, int64_t memory_limit, int64_t rows_per_part, covey_error *err)
{
    const covey_infile_spill text = covey_i_plan_text(text_path, memory_limit);
    covey_csv_stream *stream = NULL;
    covey_csv_options options;
    covey_status status;

    covey_i_preparing_csv(&options, s);
    COVEY_TRY(covey_i_csv_stream_open(&stream, s->policy->input_source, &options,
                                      piece_size(memory_limit, rows_per_part), &text, s->run, err));
    status = covey_i_gather(out, plan, s, stream, spill, (size_t)(memory_limit / DICTIONARY_SHARE), err);
    if (status == COVEY_OK)
        status = covey_i_csv_stream_unchanged(stream, err);
    covey_i_csv_stream_close(stream);
    return status;
}

covey_status covey_i_plan_split(covey_plan *plan, const covey_plan_sample *sample, int64_t memory_limit,
                                int64_t rows_per_part, covey_error *err)
{
    plan->rows_per_part = rows_per_part ? rows_per_part : choose_rows_per_part(plan, memory_limit);
    return split_sample(plan, sample, err);
}

static covey_status make(covey_plan *plan, covey_preparing *s, covey_spill *spill, const char *text_path,
                         int64_t memory_limit, int64_t rows_per_part, covey_error *err)
{
    covey_gathered *gathered = NULL;
    covey_plan_sample sample;
    covey_status status;

    if (!(s->found = covey_arena_array_zero(&plan->prepared.arena, bool, s->policy->n_attributes)))
        return covey_i_no_memory(err);
    status = read_input(&gathered, plan, s, spill, text_path, memory_limit, rows_per_part, err);
    if (status == COVEY_OK)
        status = covey_i_plan_complete(plan, s, err);
    if (status == COVEY_OK) {
        covey_i_gathered_sample(&sample, gathered);
        status = covey_i_plan_split(plan, &sample, memory_limit, rows_per_part, err);
    }
    covey_i_gathered_free(gathered);
    return status;
}

covey_status covey_i_plan_check(const covey_policy *policy, int64_t *memory_limit, int64_t rows_per_part,
                                covey_error *err)
{
    if (!policy->is_checked)
        return covey_fail(err, COVEY_EINVAL, "the policy has not been checked (covey_policy_check)");
    COVEY_TRY(covey_i_plan_refuse(policy, err));
    if (*memory_limit == 0)
        *memory_limit = USUAL_MEMORY;
    if (*memory_limit < COVEY_PARTS_LEAST_MEMORY)
        return covey_fail(err, COVEY_EINVAL, "the memory limit must be at least %" PRId64 " MiB",
                          COVEY_PARTS_LEAST_MEMORY >> 20);
    if (rows_per_part < 0)
        return covey_fail(err, COVEY_EINVAL, "a part needs at least one row, not %" PRId64, rows_per_part);
    return COVEY_OK;
}

covey_status covey_i_plan_make(covey_plan *out, const covey_policy *policy, covey_spill *spill, const char *text_path,
                               int64_t memory_limit, int64_t rows_per_part, const covey_run *run, covey_error *err)
{
    covey_preparing s = {.p = &out->prepared, .policy = policy, .run = run};
    covey_status status;

    *out = (covey_plan){.policy = policy};
    COVEY_TRY(covey_i_plan_check(policy, &memory_limit, rows_per_part, err));
    if ((status = make(out, &s, spill, text_path, memory_limit, rows_per_part, err)) != COVEY_OK)
        covey_i_plan_clear(out);
    return status;
}

void covey_i_plan_clear(covey_plan *plan)
{
    for (size_t c = 0; plan->value && c < plan->n_columns; c++)
        covey_i_column_free(plan->value[c]);
    covey_i_prepared_clear(&plan->prepared);
    covey_arena_free(&plan->arena);
    *plan = (covey_plan){0};
}
