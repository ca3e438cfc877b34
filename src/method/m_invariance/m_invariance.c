/* m-invariance: classes of different sensitive values in which a person has the same values release after release.
 *
 * Source: [XiaoTao07] section 5.  Rows whose units have been published before stand in buckets by their signature
 * (division).  New rows fill up buckets whose values have become fewer, as far as those that are left can be put into
 * classes of their own; rows are made up for the rest (balancing).  The others get signatures of their own
 * (assignment).  Every bucket is cut into classes with one row for each value of its signature (split).
 *
 * Which new rows serve what is drawn at random.  docs/design/m-invariance.md says what is kept, and why. */
#include "method/m_invariance/m_invariance.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/plural.h"
#include "problem/history.h"
#include "release/made_up.h"
#include "table/table_impl.h"

enum { FIRST_STREAM = 0x6d696e76 }; /* "minv"; each value has a stream of its own */

struct making {
    const covey_problem *problem;
    const covey_run *run;
    const covey_column *sensitive;
    int64_t m;
    covey_buckets buckets;
    covey_stock stock;
    covey_quota quota;
    covey_arena arena;
};

/* --- what can be kept --- */

static bool is_invariance(const covey_promise *promise)
{
    return promise->model->traits & COVEY_MODEL_INVARIANT;
}

/* So many rows of different values keep the promise; 0: no number of them does for sure. */
static int64_t different_rows(const covey_promise *promise)
{
    const covey_model *model = promise->model;

    if (is_invariance(promise) || (!(model->traits & COVEY_MODEL_SENSITIVE) && (model->traits & COVEY_MODEL_CAPS)))
        return model->min_size ? model->min_size(promise->state) : 1;
    return model->different_rows ? model->different_rows(promise->state) : 0;
}

static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    const covey_class_params *p = params;
    bool is_asked = false;

    if (p->publish_boxes == 1)
        return covey_fail(err, COVEY_EINVAL, "m-invariance cuts no regions: publish-boxes must be tight");
    for (size_t i = 0; i < promises->n; i++) {
        is_asked |= is_invariance(&promises->promise[i]);
        if (different_rows(&promises->promise[i]) == 0)
            return covey_fail(err, COVEY_EINVAL,
                              "m-invariance keeps k-anonymity, probabilistic and distinct l-diversity beside the model "
                              "of its name, not %s",
                              promises->promise[i].model->name);
    }
    return is_asked ? COVEY_OK : covey_fail(err, COVEY_EINVAL, "it serves the model m-invariance");
}

static int64_t largest_need(const covey_promises *promises)
{
    int64_t m = 1;

    for (size_t i = 0; i < promises->n; i++) {
        const int64_t own = different_rows(&promises->promise[i]);

        m = own > m ? own : m;
    }
    return m;
}

/* The promises that need more than m rows would have to be changed to. */
static covey_status name_nearest(const struct making *s, int64_t m, covey_error *err)
{
    const covey_promises *promises = &s->problem->promises;
    covey_changes changes = {.is_lost = false};

    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        covey_nearest nearest = {.n = 0};

        if (different_rows(promise) <= m)
            continue;
        covey_i_nearest_change(&nearest, promise->model->threshold, "%" PRId64, m);
        covey_i_changes_promise(&changes, promise, &nearest);
    }
    covey_i_changes_give(err, &changes);
    return COVEY_EINFEASIBLE;
}

/* --- division --- */

static covey_status divide(uint32_t *n_new, struct making *s, const uint32_t *rows, covey_error *err)
{
    const covey_history *history = s->problem->history;
    uint32_t n = 0, bucket;

    COVEY_TRY(covey_i_buckets_init(&s->buckets, s->problem->n_rows, &s->arena, err));
    for (uint32_t i = 0; history && i < history->n; i++)
        COVEY_TRY(covey_i_buckets_add(&bucket, &s->buckets, history->value + history->start[i],
                                      history->start[i + 1] - history->start[i], err));
    for (uint32_t i = 0; i < s->problem->n_rows; i++) {
        const uint32_t value = covey_i_code(s->sensitive, rows[i]);
        uint32_t slot;

        if (!history || history->of_row[rows[i]] == COVEY_NO_SIGNATURE) {
            s->quota.n[value]++;
            n++;
            continue;
        }
        slot = covey_i_buckets_slot(&s->buckets, history->of_row[rows[i]], value);
        if (slot == UINT32_MAX)
            return covey_fail(err, COVEY_EINVAL, "a row's value is not in the signature of its unit");
        covey_i_buckets_put(&s->buckets, slot, rows[i]);
    }
    *n_new = n;
    return COVEY_OK;
}

/* Signatures are for ever: those of earlier releases bound what later ones can promise. */
static covey_status check_signatures(const struct making *s, covey_error *err)
{
    const covey_buckets *b = &s->buckets;
    int64_t least = INT64_MAX;

    for (uint32_t i = 0; i < b->n; i++)
        if (b->start[i + 1] - b->start[i] < least)
            least = b->start[i + 1] - b->start[i];
    if (least >= s->m)
        return COVEY_OK;
    covey_fail(err, COVEY_EINFEASIBLE,
               "no release can keep classes of %" PRId64
               " different values: units of this table were published in classes of %" PRId64
               ", and have to stay in such: m can be %" PRId64 " at most",
               s->m, least, least);
    return name_nearest(s, least, err);
}

/* Rows by value, each value's in a random order. */
static covey_status fill_stock(struct making *s, const uint32_t *rows, uint32_t n_new, covey_error *err)
{
    const covey_history *history = s->problem->history;
    const uint32_t n_values = s->sensitive->n_values;
    covey_stock *stock = &s->stock;
    unsigned char key[32];

    *stock = (covey_stock){n_values, covey_arena_array(&s->arena, uint32_t, (size_t)n_values + 1),
                           covey_arena_array_zero(&s->arena, uint32_t, n_values),
                           covey_arena_array(&s->arena, uint32_t, n_new)};
    if (!stock->start || !stock->left || !stock->row)
        return covey_i_no_memory(err);
    stock->start[0] = 0;
    for (uint32_t v = 0; v < n_values; v++)
        stock->start[v + 1] = stock->start[v] + (uint32_t)s->quota.n[v];
    for (uint32_t i = 0; i < s->problem->n_rows; i++) {
        const uint32_t value = covey_i_code(s->sensitive, rows[i]);

        if (!history || history->of_row[rows[i]] == COVEY_NO_SIGNATURE)
            stock->row[stock->start[value] + stock->left[value]++] = rows[i];
    }
    COVEY_TRY(covey_i_rng_key(key, s->run, err));
    for (uint32_t v = 0; v < n_values; v++) {
        uint32_t *row = stock->row + stock->start[v];
        covey_rng rng;

        covey_i_rng_init(&rng, key, FIRST_STREAM + (uint64_t)v);
        for (uint32_t i = stock->left[v]; i > 1; i--) {
            const uint32_t j = (uint32_t)covey_i_rng_below(&rng, i), other = row[j];

            row[j] = row[i - 1];
            row[i - 1] = other;
        }
        covey_i_rng_wipe(&rng);
    }
    explicit_bzero(key, sizeof key);
    return COVEY_OK;
}

/* --- balancing --- */

static uint32_t missing_rows(const covey_buckets *b, uint32_t bucket, uint32_t slot)
{
    return covey_i_buckets_height(b, bucket) - b->count[slot];
}

/* The largest m with which no more rows would have to be suppressed than may be; 0: none. */
static int64_t feasible_m(covey_quota *quota, int64_t m, int64_t max_suppressed)
{
    while (m > 0 && covey_i_quota_find(quota, m) > max_suppressed)
        m--;
    return m;
}

static covey_status find_quota(struct making *s, covey_error *err)
{
    covey_buckets *b = &s->buckets;
    const int64_t most = s->problem->max_suppressed;
    int64_t n_dropped, m;

    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t slot = b->start[i]; slot < b->start[i + 1]; slot++)
            s->quota.wanted[b->value[slot]] += missing_rows(b, i, slot);
    if ((n_dropped = covey_i_quota_find(&s->quota, s->m)) <= most)
        return COVEY_OK;
    m = feasible_m(&s->quota, s->m - 1, most);
    covey_fail(err, COVEY_EINFEASIBLE,
               "m-invariance cannot put new rows into classes of %" PRId64
               " different values of column \"%s\": some values are too frequent among them, so that m can be %" PRId64
               " at most; for m = %" PRId64 ", %" PRId64
               " row%s would have to be suppressed (suppression limit, now at "
               "most %" PRId64 " row%s)",
               s->m, s->sensitive->name, m, s->m, n_dropped, covey_i_plural(n_dropped), most, covey_i_plural(most));
    return name_nearest(s, m, err);
}

/* Suppressed rows leave the stock first; then buckets are filled up, one after another. */
static void balance(struct making *s)
{
    covey_buckets *b = &s->buckets;

    for (uint32_t v = 0; v < s->quota.n_values; v++)
        s->stock.left[v] -= (uint32_t)s->quota.drop[v];
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t slot = b->start[i]; slot < b->start[i + 1]; slot++) {
            const uint32_t value = b->value[slot];

            for (uint32_t n = missing_rows(b, i, slot); n > 0 && s->quota.take[value] > 0; n--) {
                covey_i_buckets_put(b, slot, covey_i_stock_take(&s->stock, value));
                s->quota.take[value]--;
            }
        }
}

/* --- the release --- */

/* The rows that are made up stand behind those of the table. */
static covey_status add_counterfeits(covey_release **out, struct making *s, const uint32_t *class_of_row,
                                     uint32_t n_classes, const covey_counterfeits *made, covey_error *err)
{
    const covey_made_up_rows rows = {made->n, made->like, made->value, s->sensitive};
    const uint32_t n_own = s->problem->n_rows;
    uint32_t *class_of = covey_arena_array(&s->arena, uint32_t, (size_t)n_own + made->n);
    covey_made_up *made_up;
    covey_status status;

    if (!class_of)
        return covey_i_no_memory(err);
    memcpy(class_of, class_of_row, n_own * sizeof *class_of);
    memcpy(class_of + n_own, made->class, made->n * sizeof *class_of);
    COVEY_TRY(covey_i_made_up_new(&made_up, s->problem, &rows, err));
    if ((status = covey_i_release_of_classes(out, &made_up->problem, class_of, n_classes, s->run, err)) == COVEY_OK)
        (*out)->made_up = made_up;
    else
        covey_i_made_up_free(made_up);
    return status;
}

static covey_status make_release(covey_release **out, struct making *s, covey_error *err)
{
    const uint32_t n_rows = s->problem->n_rows;
    uint32_t *class_of_row = covey_arena_array(&s->arena, uint32_t, n_rows), n_classes;
    covey_counterfeits made = {0};

    if (!class_of_row)
        return covey_i_no_memory(err);
    memset(class_of_row, 0xff, n_rows * sizeof *class_of_row); /* suppressed */
    COVEY_TRY(covey_i_m_cut(class_of_row, &n_classes, &made, &s->buckets, s->problem, &s->arena, s->run, err));
    return made.n > 0 ? add_counterfeits(out, s, class_of_row, n_classes, &made, err)
                      : covey_i_release_of_classes(out, s->problem, class_of_row, n_classes, s->run, err);
}

static covey_status make(covey_release **out, struct making *s, covey_error *err)
{
    const uint32_t n_values = s->sensitive->n_values;
    uint32_t *rows = covey_arena_array(&s->arena, uint32_t, s->problem->n_rows), n_new = 0;
    int64_t *counts = covey_arena_array_zero(&s->arena, int64_t, 4 * (size_t)n_values);

    if (!rows || !counts)
        return covey_i_no_memory(err);
    s->quota = (covey_quota){n_values, counts, counts + n_values, counts + 2 * (size_t)n_values,
                             counts + 3 * (size_t)n_values};
    COVEY_TRY(covey_i_problem_sort_rows(rows, s->problem, s->run, err));
    COVEY_TRY(divide(&n_new, s, rows, err));
    COVEY_TRY(check_signatures(s, err));
    COVEY_TRY(find_quota(s, err));
    COVEY_TRY(fill_stock(s, rows, n_new, err));
    balance(s);
    COVEY_TRY(covey_i_m_assign(&s->buckets, &s->stock, s->m, err));
    return make_release(out, s, err);
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    const covey_class_params *p = params;
    struct making s = {.problem = problem, .run = run, .m = largest_need(&problem->promises)};
    covey_status status;

    s.m = p->min_size > s.m ? p->min_size : s.m;
    for (size_t i = 0; i < problem->promises.n; i++)
        if (is_invariance(&problem->promises.promise[i]))
            s.sensitive = problem->promises.view[problem->promises.promise[i].view].column;
    if (problem->n_rows == 0)
        return covey_fail(err, COVEY_EINFEASIBLE, "there is no row to publish");
    status = make(out, &s, err);
    covey_arena_free(&s.arena);
    return status;
}

static const covey_param param_list[] = {COVEY_CLASS_PARAMS};

const covey_method covey_method_m_invariance = {
    .name = "m-invariance",
    .summary = "classes of different values, the same for a person in every release; for tables that change",
    .keeps = "m-invariance, beside it k-anonymity, probabilistic and distinct l",
    .source = "XiaoTao07, section 5",
    .form = "generalized",
    .looks_at_all = "needs all rows of a signature",
    .keeps_units = COVEY_UNITS_AS_CLASSES,
    .suppresses = COVEY_SUPPRESSES_AT_NEED,
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(covey_class_params),
    .accepts = accepts,
    .run = run,
};
