/* Perturbation: each row keeps its sensitive value with a probability that depends on the value, else gets one of all
 * values at random. What one row shows then says little about it; what many show is known well, because the
 * probabilities are published.
 *
 * Source: [CaoKarras12] section 5. */
#include "method/perturbation/perturbation.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/threads.h"
#include "method/method_impl.h"
#include "release/matrix_table.h"
#include "release/perturbed.h"
#include "table/table_impl.h"

struct perturbation_params {
    bool matrix;
};

enum { ROWS_PER_STREAM = 1 << 16, FIRST_STREAM = 0x70657274 }; /* "pert" */

static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    const covey_promise *promise = &promises->promise[0];

    for (size_t i = 0; i < promises->n; i++)
        if (!promises->promise[i].model->admits_share)
            return covey_fail(
                err, COVEY_EINVAL,
                "perturbation publishes quasi-identifiers as they are and bounds what a row's sensitive value "
                "becomes known to be: it keeps basic and enhanced beta-likeness, not %s",
                promises->promise[i].model->name);
    if (promises->n != 1 || promises->n_views != 1 || promise->joint)
        return covey_fail(err, COVEY_EINVAL,
                          "perturbation keeps one promise of beta-likeness of one sensitive attribute");
    if (promise->model->largest_share(promise->state, 0) != promise->model->largest_share(promise->state, 0))
        return covey_fail(err, COVEY_EINVAL, "perturbation keeps beta-likeness without two-sided, groups or proximity");
    return COVEY_OK;
}

/* --- probabilities --- */

struct posterior {
    const covey_promise *promise;
    const uint32_t *value;
};

static bool may_have(const void *context, uint32_t i, covey_u128 num, covey_u128 den)
{
    const struct posterior *p = context;

    return p->promise->model->admits_share(p->promise->state, p->value[i], num, den);
}

static covey_status plan_release(covey_release **out, covey_perturbation_plan *plan, const covey_problem *problem,
                                 bool has_matrix, covey_arena *arena, covey_error *err)
{
    const covey_promise *promise = &problem->promises.promise[0];
    const covey_view *view = &problem->promises.view[promise->view];
    int64_t *count = covey_arena_array(arena, int64_t, view->column->n_values);
    struct posterior posterior = {promise, NULL};
    covey_perturbed *data;
    size_t field = 0;
    uint32_t n = 0;

    if (!count)
        return covey_i_no_memory(err);
    while (problem->field[field].column != view->column)
        field++;
    for (uint32_t v = 0; v < view->column->n_values; v++)
        n += view->prior->count[v] > 0;
    if (has_matrix && n > COVEY_MATRIX_MOST)
        return covey_fail(
            err, COVEY_EINVAL,
            "perturbation: matrix: the sensitive attribute has %u values, and the pairs of more than %d are "
            "not written; perturbation.csv has all that they follow from",
            n, COVEY_MATRIX_MOST);
    COVEY_TRY(covey_i_perturbed_new(out, problem, field, n, err));
    data = (*out)->form_data;
    data->has_matrix = has_matrix;
    n = 0;
    for (uint32_t v = 0; v < view->column->n_values; v++)
        if (view->prior->count[v] > 0) {
            data->value[n] = v;
            data->cap[n] = promise->model->largest_share(promise->state, v);
            count[n++] = view->prior->count[v];
        }
    *plan = (covey_perturbation_plan){.n = n,
                                      .count = count,
                                      .total = view->prior->total,
                                      .cap = data->cap,
                                      .gamma = data->gamma,
                                      .alpha = data->alpha};
    posterior.value = data->value;
    COVEY_TRY(covey_i_perturbation_plan(plan, may_have, &posterior, err));
    data->gain = plan->gain;
    if (has_matrix && !isfinite(covey_i_matrix_chances(data->alpha, n).s))
        return covey_fail(err, COVEY_EINVAL,
                          "perturbation: matrix: with this bound some value is never kept, so that the matrix has no "
                          "inverse: leave it out, or allow more");
    return COVEY_OK;
}

/* --- rows ---
 *
 * A row keeps its value if a random number of 64 bits is below alpha * 2^64, else it gets one of n values.  Nearly
 * always 16 bits of that number say which of the two, and 16 bits more which value; only where they do not are the
 * other bits drawn, so that every probability is what it would be with all of them at once, and half as many words
 * suffice for twice as many rows. */

enum { SHORT = COVEY_RNG_SHORT, BLOCK = 1024 /* rows */ };

struct randomizing {
    const covey_perturbed *data;
    const covey_column *column;
    const uint32_t *row; /* [n_rows] by content, so that what a seed gives a row does not depend on where it stood;
                            NULL: as they stand */
    uint32_t n_rows;
    const uint32_t *place;     /* [column->n_values] of a code in the domain */
    uint64_t *threshold;       /* [n_values] alpha * 2^64; 0 where alpha is 1 */
    uint32_t *short_threshold; /* [n_values] its first bits; 2^SHORT where alpha is 1 */
    uint32_t unfair;           /* of n_values, see base/rng.h */
    unsigned char key[32];
};

/* The place that a row's value gets.  drawn: 2 * SHORT random bits; rng: for more. */
static inline uint32_t randomize_value(const struct randomizing *r, uint32_t place, uint32_t drawn, covey_rng *rng)
{
    const uint32_t first = drawn >> SHORT;
    bool kept = first < r->short_threshold[place];

    if (first == r->short_threshold[place])
        kept = covey_i_rng_word(rng) >> SHORT < (r->threshold[place] & UINT64_MAX >> SHORT);
    return kept ? place
                : covey_i_rng_below_short(rng, drawn & (((uint32_t)1 << SHORT) - 1), r->data->n_values, r->unfair);
}

static void get_codes(uint32_t *code, const struct randomizing *r, uint32_t first, uint32_t n)
{
    if (!r->row)
        covey_i_column_unpack(code, r->column, first, (int64_t)first + n);
    for (uint32_t i = 0; r->row && i < n; i++)
        code[i] = covey_i_code(r->column, r->row[first + i]);
}

static void put_codes(const struct randomizing *r, const uint32_t *code, uint32_t first, uint32_t n)
{
    const int width = r->column->width;
    void *codes = r->data->codes;

    if (!r->row)
        covey_i_codes_pack(covey_i_codes_from(codes, width, first), width, code, n);
    for (uint32_t i = 0; r->row && i < n; i++)
        covey_i_codes_put(codes, width, r->row[first + i], code[i]);
}

static covey_status randomize(void *context, size_t task, covey_error *err)
{
    const struct randomizing *r = context;
    const uint32_t first = (uint32_t)task * ROWS_PER_STREAM;
    const uint32_t end = r->n_rows - first < ROWS_PER_STREAM ? r->n_rows : first + ROWS_PER_STREAM;
    uint64_t drawn[BLOCK / 2];
    uint32_t code[BLOCK];
    covey_rng rng;

    covey_i_rng_init(&rng, r->key, FIRST_STREAM + ((uint64_t)task << 32));
    for (uint32_t start = first; start < end; start += BLOCK) {
        const uint32_t n = end - start < BLOCK ? end - start : BLOCK;

        get_codes(code, r, start, n);
        covey_i_rng_words(&rng, drawn, (n + 1) / 2);
        for (uint32_t i = 0; i < n; i++)
            code[i] =
                r->data
                    ->value[randomize_value(r, r->place[code[i]], (uint32_t)(drawn[i / 2] >> (i % 2 ? 32 : 0)), &rng)];
        put_codes(r, code, start, n);
    }
    covey_i_rng_wipe(&rng);
    explicit_bzero(drawn, sizeof drawn);
    return COVEY_OK;
}

static covey_status randomize_rows(const covey_perturbed *data, const covey_problem *problem, covey_arena *arena,
                                   const covey_run *run, covey_error *err)
{
    const covey_column *column = problem->field[data->field].column;
    const bool is_seeded = run && (run->has_seed || run->secret);
    uint32_t *row = is_seeded ? covey_arena_array(arena, uint32_t, problem->n_rows) : NULL,
             *place = covey_arena_array_zero(arena, uint32_t, column->n_values);
    struct randomizing r = {.data = data,
                            .column = column,
                            .row = row,
                            .n_rows = problem->n_rows,
                            .place = place,
                            .unfair = covey_i_rng_unfair(data->n_values),
                            .threshold = covey_arena_array(arena, uint64_t, data->n_values),
                            .short_threshold = covey_arena_array(arena, uint32_t, data->n_values)};
    covey_status status;

    if ((is_seeded && !row) || !place || !r.threshold || !r.short_threshold)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < data->n_values; i++) {
        const bool always = data->alpha[i] >= 1;

        place[data->value[i]] = i;
        r.threshold[i] = always ? 0 : (uint64_t)(data->alpha[i] * 0x1p64);
        r.short_threshold[i] = always ? (uint32_t)1 << SHORT : (uint32_t)(r.threshold[i] >> (64 - SHORT));
    }
    if (is_seeded) /* with a key of the kernel's all draws are alike, whatever the order */
        COVEY_TRY(covey_i_problem_sort_rows(row, problem, run, err));
    COVEY_TRY(covey_i_rng_key(r.key, run, err));
    status = covey_i_parallel(covey_run_threads(run), ((size_t)problem->n_rows + ROWS_PER_STREAM - 1) / ROWS_PER_STREAM,
                              randomize, &r, err);
    explicit_bzero(r.key, sizeof r.key);
    return status;
}

static covey_status wrap_like(covey_release **out, const covey_perturbed *like, const covey_problem *problem,
                              covey_error *err)
{
    const size_t size = like->n_values * sizeof(double);
    covey_perturbed *data;

    COVEY_TRY(covey_i_perturbed_new(out, problem, like->field, like->n_values, err));
    data = (*out)->form_data;
    memcpy(data->value, like->value, like->n_values * sizeof *data->value);
    memcpy(data->cap, like->cap, size);
    memcpy(data->gamma, like->gamma, size);
    memcpy(data->alpha, like->alpha, size);
    data->gain = like->gain;
    data->has_matrix = like->has_matrix;
    return COVEY_OK;
}

static void describe(char *out, size_t size, const covey_perturbation_plan *plan)
{
    static const char *const status[] = {
        "", "; amplifications were cut, because the published formula gives negative probabilities here",
        "; the attribute has a single value: nothing is changed, and nothing was to hide"};
    double kept = 0;

    for (uint32_t i = 0; i < plan->n; i++)
        kept += plan->alpha[i] * (double)plan->count[i] / (double)plan->total;
    snprintf(out, size,
             "%.1f %% of the rows keep their sensitive value for sure, the others get one of %u values at random%s",
             100 * kept, plan->n, status[plan->status]);
}

covey_status covey_i_perturbation_wrap(covey_release **out, const covey_release *like, const covey_problem *problem,
                                       const void *params, const covey_run *run, covey_error *err)
{
    const struct perturbation_params *p = params;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_release *release = NULL;
    covey_perturbation_plan plan;
    covey_status status;

    if (like)
        status = wrap_like(&release, like->form_data, problem, err);
    else if ((status = plan_release(&release, &plan, problem, p->matrix, &arena, err)) == COVEY_OK)
        describe(release->note, sizeof release->note, &plan);
    if (status == COVEY_OK) {
        const covey_perturbed *data = release->form_data;
        const covey_column *column = problem->field[data->field].column;

        if (problem->n_rows > 0)
            memcpy(data->codes, column->codes, (size_t)problem->n_rows * (size_t)column->width);
        status = covey_i_perturbed_finish(release, problem, run, err);
    }
    if (status == COVEY_OK)
        *out = release;
    else
        covey_release_free(release);
    covey_arena_free(&arena);
    return status;
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    const struct perturbation_params *p = params;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_release *release = NULL;
    covey_perturbation_plan plan;
    covey_status status;

    if (problem->n_rows == 0)
        return covey_fail(err, COVEY_EINFEASIBLE, "perturbation: the table has no rows");
    if ((status = plan_release(&release, &plan, problem, p->matrix, &arena, err)) == COVEY_OK &&
        (status = randomize_rows(release->form_data, problem, &arena, run, err)) == COVEY_OK &&
        (status = covey_i_perturbed_finish(release, problem, run, err)) == COVEY_OK) {
        describe(release->note, sizeof release->note, &plan);
        *out = release;
        release = NULL;
    }
    covey_release_free(release);
    covey_arena_free(&arena);
    return status;
}

static const covey_param param_list[] = {
    {.name = "matrix",
     .type = COVEY_PARAM_BOOL,
     .offset = offsetof(struct perturbation_params, matrix),
     .help =
         "publish, as matrix.csv, how likely each value shows where each is the true one, and the inverse of that; up "
         "to 1,000 values; default: do not"},
};

const covey_method covey_method_perturbation = {
    .name = "perturbation",
    .summary = "keeps or replaces each sensitive value at random; quasi-identifiers stay, counts can be estimated",
    .keeps = "basic or enhanced beta-likeness of one attribute, as a bound on what a row's value becomes known to be",
    .source = "CaoKarras12, section 5",
    .form = "perturbed",
    .in_parts = true,
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct perturbation_params),
    .accepts = accepts,
    .run = run,
};
