/* (k,e)-permutation: rows are partitioned by their sensitive numbers so that every group holds enough different ones,
 * far enough apart; quasi-identifiers stay exact, and which number of its group belongs to a row is not published.
 *
 * The partition is one of numbers.  Which of several rows with the same number go to which group is drawn at random: a
 * rule would tell something of their numbers to who knows the rule. Source: [Zhang07]; decisions and proofs in
 * docs/design/ke-permutation.md. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/plural.h"
#include "base/run.h"
#include "method/ke/rows.h"
#include "method/method_impl.h"
#include "model/nearest.h"
#include "table/table_impl.h"

enum { FIRST_STREAM = 0x6b652d70 }; /* "ke-p"; each fixed group has a stream of its own */

typedef enum criterion { MIN_SUM, MIN_MAX, MIN_MAX_TOUCH, MIN_MAX_STRICT, SCAN } criterion;

struct ke_params {
    int criterion;
    bool refine;
};

/* Rows that may be mixed with each other: a fixed group, or all. */
struct part {
    uint32_t begin, end; /* into rows */
    uint32_t n_distinct;
    bool is_left_out;
};

struct permuting {
    const covey_problem *problem;
    const struct ke_params *params;
    const covey_run *run;
    const covey_column *sensitive;
    covey_spread spread;    /* what is promised */
    covey_i128 unit;        /* numbers are multiples of 1/unit */
    covey_ke_bounds bounds; /* the promise in units */
    covey_ke_rows rows;
    uint32_t n_parts;
    struct part *part;         /* [n_parts] */
    covey_i128 sum, least_sum; /* of ranges; proven: nothing is less */
    int64_t max, least_max;

    unsigned char key[32];
    covey_arena arena;
};

static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    const covey_view *view;
    const covey_column *column;

    for (size_t i = 0; i < promises->n; i++)
        if (!promises->promise[i].model->spread)
            return covey_fail(err, COVEY_EINVAL, "ke-permutation keeps ke-anonymity alone, not %s",
                              promises->promise[i].model->name);
    if (promises->n != 1)
        return covey_fail(err, COVEY_EINVAL, "ke-permutation keeps a single promise of ke-anonymity, not %zu",
                          promises->n);
    view = &promises->view[promises->promise[0].view];
    column = view->column;
    if (column->type != COVEY_TYPE_INTEGER && column->type != COVEY_TYPE_DECIMAL)
        return covey_fail(
            err, COVEY_EINVAL,
            "ke-permutation needs a sensitive number, but column \"%s\" is %s: its ranges are sums of differences",
            column->name, covey_type_name(column->type));
    if (column->has_null && view->prior->count[0] > 0)
        return covey_fail(err, COVEY_EINVAL,
                          "ke-permutation: a missing \"%s\" is no number, and a group could not hide it; say "
                          "missing-sensitive: drop",
                          column->name);
    return COVEY_OK;
}

/* --- the numbers --- */

static int64_t number_of(const struct permuting *p, uint32_t row)
{
    return p->sensitive->number[covey_i_code(p->sensitive, row)];
}

static covey_status find_column(struct permuting *p, covey_error *err)
{
    size_t field;

    COVEY_TRY(covey_i_bucketized_field(&field, p->problem, err));
    p->sensitive = p->problem->field[field].column;
    return COVEY_OK;
}

/* The promise in units of the column's last digit, rounded up: ranges are whole. */
static void find_bounds(struct permuting *p)
{
    covey_i128 least;

    p->problem->promises.promise[0].model->spread(&p->spread, p->problem->promises.promise[0].state);
    p->unit = 1;
    for (int i = 0; i < p->sensitive->scale; i++)
        p->unit *= 10;
    least = (p->spread.min_range.num * p->unit + p->spread.min_range.den - 1) / p->spread.min_range.den;
    p->bounds = (covey_ke_bounds){p->spread.min_distinct, least > INT64_MAX ? INT64_MAX : (int64_t)least};
}

static covey_status find_parts(struct permuting *p, covey_error *err)
{
    const covey_problem *problem = p->problem;
    const uint32_t *rows = p->rows.row;
    struct part *part = NULL;

    if (!(p->part = covey_arena_array_zero(&p->arena, struct part, problem->group_of_row ? problem->n_groups : 1)))
        return covey_i_no_memory(err);
    if (!rows) { /* lists: all are one part */
        p->n_parts = 1;
        p->part[0] = (struct part){.end = problem->n_rows, .n_distinct = p->rows.counts.n_distinct};
        return COVEY_OK;
    }
    for (uint32_t i = 0; i < problem->n_rows; i++) {
        const bool is_new =
            i == 0 || (problem->group_of_row && problem->group_of_row[rows[i]] != problem->group_of_row[rows[i - 1]]);

        if (is_new) {
            part = &p->part[p->n_parts++];
            part->begin = i;
        }
        part->n_distinct += is_new || covey_i_code(p->sensitive, rows[i]) != covey_i_code(p->sensitive, rows[i - 1]);
        part->end = i + 1;
    }
    return COVEY_OK;
}

/* --- is it possible at all? --- */

static int64_t range_of(const struct permuting *p, const struct part *part)
{
    return number_of(p, covey_i_ke_rows_at(&p->rows, part->end - 1)) -
           number_of(p, covey_i_ke_rows_at(&p->rows, part->begin));
}

/* Who has too little, for a message: the table or a fixed group. */
static void describe(char *out, size_t size, const struct permuting *p, uint32_t part)
{
    char group[200];

    if (!p->problem->group_of_row) {
        snprintf(out, size, "the table");
        return;
    }
    covey_i_problem_group_text(group, sizeof group, p->problem, covey_i_ke_rows_at(&p->rows, p->part[part].begin));
    snprintf(out, size, "the group %s", group);
}

/* What all parts can keep, with none left out. */
static covey_status name_nearest(const struct permuting *p, covey_error *err)
{
    const covey_promises *promises = &p->problem->promises;
    uint32_t k = p->part[0].n_distinct;
    covey_i128 range = range_of(p, &p->part[0]);
    covey_changes changes = {.is_lost = false};
    char e[96];

    for (uint32_t i = 1; i < p->n_parts; i++) {
        k = p->part[i].n_distinct < k ? p->part[i].n_distinct : k;
        range = range_of(p, &p->part[i]) < range ? range_of(p, &p->part[i]) : range;
    }
    covey_i_fraction_text(e, sizeof e, covey_i_fraction(range, p->unit));
    for (size_t i = 0; i < promises->n; i++) {
        covey_nearest nearest = {.n = 0};
        covey_spread own;

        promises->promise[i].model->spread(&own, promises->promise[i].state);
        if (own.min_distinct > k)
            covey_i_nearest_change(&nearest, "k", "%" PRIu32, k);
        if (covey_i_fraction_compare((covey_fraction){range, p->unit}, own.min_range) < 0)
            covey_i_nearest_change(&nearest, "e", "%s", e);
        if (nearest.n > 0)
            covey_i_changes_promise(&changes, &promises->promise[i], &nearest);
    }
    covey_i_changes_give(err, &changes);
    return COVEY_EINFEASIBLE;
}

/* Names the part that stands in the way, and what all parts could keep: numbers are counted before they are measured.
 */
static covey_status infeasible(const struct permuting *p, bool by_count, covey_error *err)
{
    char who[256], suppression[128] = "", most[96];
    int64_t n_rows = 0;
    uint32_t worst = 0;

    for (uint32_t i = 0; i < p->n_parts; i++) {
        n_rows += p->part[i].is_left_out ? p->part[i].end - p->part[i].begin : 0;
        if (by_count ? p->part[i].n_distinct < p->part[worst].n_distinct
                     : range_of(p, &p->part[i]) < range_of(p, &p->part[worst]))
            worst = i;
    }
    if (p->problem->group_of_row && n_rows < p->problem->n_rows)
        snprintf(suppression, sizeof suppression,
                 "; or make larger groups, or let %" PRId64 " row%s be suppressed (now at most %" PRId64 ")", n_rows,
                 covey_i_plural(n_rows), p->problem->max_suppressed);
    else if (p->problem->group_of_row)
        snprintf(suppression, sizeof suppression, "; or make larger groups");
    describe(who, sizeof who, p, worst);
    if (by_count) {
        covey_fail(err, COVEY_EINFEASIBLE,
                   "no release can keep ke-anonymity (infeasible-k): %s has only %u different value%s of \"%s\": k can "
                   "be %u at "
                   "most%s",
                   who, p->part[worst].n_distinct, covey_i_plural(p->part[worst].n_distinct), p->sensitive->name,
                   p->part[worst].n_distinct, suppression);
    } else {
        covey_i_fraction_text(most, sizeof most, covey_i_fraction(range_of(p, &p->part[worst]), p->unit));
        covey_fail(
            err, COVEY_EINFEASIBLE,
            "no release can keep ke-anonymity (infeasible-e): the values of \"%s\" in %s span only %s: e can be %s at "
            "most%s",
            p->sensitive->name, who, most, most, suppression);
    }
    return name_nearest(p, err);
}

/* Leaves out fixed groups that cannot keep the promise, if that many rows may be suppressed: no choice of rows could
 * mend them. */
static covey_status judge_parts(struct permuting *p, covey_error *err)
{
    bool by_count = false;
    int64_t n_rows = 0;

    for (uint32_t i = 0; i < p->n_parts; i++) {
        struct part *part = &p->part[i];
        const bool lacks = part->n_distinct < p->bounds.min_distinct;

        part->is_left_out = lacks || range_of(p, part) < p->bounds.min_range;
        by_count = by_count || lacks;
        n_rows += part->is_left_out ? part->end - part->begin : 0;
    }
    return n_rows > p->problem->max_suppressed || n_rows == p->problem->n_rows ? infeasible(p, by_count, err)
                                                                               : COVEY_OK;
}

/* --- from a part to groups of numbers and back --- */

static covey_status scan(covey_ke_partition *out, const covey_ke_values *values, const struct permuting *p,
                         const struct part *part, covey_rng *rng, covey_arena *arena, covey_error *err)
{
    uint32_t *order = covey_arena_array(arena, uint32_t, part->end - part->begin), n = 0;

    if (!order)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < values->n; v++)
        for (uint32_t i = 0; i < values->copies[v]; i++)
            order[n++] = v;
    covey_i_ke_shuffle(order, n, rng);
    return covey_i_ke_scan(out, values, order, n, &p->bounds, arena, err);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool are_all_different(const covey_ke_values *values, const struct part *part)
{
    return values->n == part->end - part->begin;
}

/* The partition that the criterion wants, and what bounds are known. */
static covey_status partition(covey_ke_partition *out, struct permuting *p, const covey_ke_values *values,
                              const struct part *part, covey_rng *rng, covey_arena *arena, covey_error *err)
{
    const covey_ke_bounds *bounds = &p->bounds;
    covey_ke_partition best;
    covey_i128 sum;
    int64_t max;

    switch ((criterion)p->params->criterion) {
    case MIN_SUM:
    case SCAN:
        COVEY_TRY(covey_i_ke_min_sum(&best, values, bounds, arena, err));
        covey_i_ke_errors(&sum, &max, &best, values);
        p->least_sum += sum;
        if (p->params->criterion == SCAN)
            return scan(out, values, p, part, rng, arena, err);
        *out = best;
        return COVEY_OK;
    case MIN_MAX:
        COVEY_TRY(covey_i_ke_min_max(out, values, bounds, COVEY_KE_MOST_WORK, p->run, arena, err));
        covey_i_ke_errors(&sum, &max, out, values);
        p->least_max = larger(p->least_max, max);
        return COVEY_OK;
    case MIN_MAX_TOUCH:
    case MIN_MAX_STRICT:
        COVEY_TRY(covey_i_ke_min_max_blocks(out, values, bounds, false, arena, err));
        covey_i_ke_errors(&sum, &max, out, values);
        if (!(bounds->min_range == 0 &&
              are_all_different(values, part))) /* then blocks are best; else at most twice worse than the best */
            max = larger(max - max / 2, bounds->min_range);
        p->least_max = larger(p->least_max, max);
        return p->params->criterion == MIN_MAX_STRICT ? covey_i_ke_min_max_blocks(out, values, bounds, true, arena, err)
                                                      : COVEY_OK;
    }
    return covey_fail(err, COVEY_EINTERNAL, "ke-permutation: unknown criterion");
}

static covey_status permute_part(struct permuting *p, uint32_t index, covey_error *err)
{
    const struct part *part = &p->part[index];
    const covey_arena_mark mark = covey_arena_save(&p->arena);
    covey_ke_partition groups, refined;
    covey_ke_values values;
    uint32_t *first = NULL;
    covey_i128 sum;
    covey_rng rng;
    int64_t max;
    covey_status status;

    COVEY_TRY(
        covey_i_ke_rows_values(&values, &first, &p->rows, part->begin, part->end, part->n_distinct, &p->arena, err));
    covey_i_rng_init(&rng, p->key, FIRST_STREAM + (uint64_t)index);
    status = partition(&groups, p, &values, part, &rng, &p->arena, err);
    if (status == COVEY_OK && p->params->refine &&
        (status = covey_i_ke_refine(&refined, &groups, &values, &p->bounds, &p->arena, err)) == COVEY_OK)
        groups = refined;
    if (status == COVEY_OK) {
        covey_i_ke_errors(&sum, &max, &groups, &values);
        p->sum += sum;
        p->max = larger(p->max, max);
        status = covey_i_ke_rows_deal(&p->rows, &groups, &values, first, &rng, &p->arena, err);
    }
    covey_i_rng_wipe(&rng);
    covey_arena_rewind(&p->arena, mark);
    return status;
}

static covey_status report(const struct permuting *p, const char *phase, uint32_t done, covey_error *err)
{
    return covey_i_run_goes_on(p->run, phase, done, p->problem->n_rows, err);
}

static covey_status permute_parts(struct permuting *p, covey_error *err)
{
    COVEY_TRY(covey_i_rng_key(p->key, p->run, err));
    for (uint32_t i = 0; i < p->n_parts; i++) {
        COVEY_TRY(report(p, "partition", p->part[i].begin, err));
        if (!p->part[i].is_left_out)
            COVEY_TRY(permute_part(p, i, err));
    }
    return COVEY_OK;
}

/* --- what was reached --- */

static double in_units(const struct permuting *p, covey_i128 value)
{
    return covey_i_fraction_value(covey_i_fraction(value, p->unit));
}

/* Those of which there are rows: how many were left out would tell what suppressed rows hold. */
static uint32_t count_parts(const struct permuting *p)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->n_parts; i++)
        n += !p->part[i].is_left_out;
    return n;
}

/* How it was found: fixed groups, and what refine gave up. */
static void write_note(char *out, size_t size, const struct permuting *p)
{
    const covey_problem *problem = p->problem;
    size_t used = 0;
    char least[96];

    if (problem->group_of_row)
        used += (size_t)snprintf(out, size, "inside %u fixed groups", count_parts(p));
    for (size_t i = 0; i < problem->n_group_keys && used < size; i++)
        used +=
            (size_t)snprintf(out + used, size - used, "%s%.60s", i ? ", " : " by ", problem->group_key[i].column->name);
    if (p->params->criterion == MIN_SUM && p->sum != p->least_sum && used < size) {
        covey_i_fraction_text(least, sizeof least, covey_i_fraction(p->least_sum, p->unit));
        snprintf(out + used, size - used,
                 "%srefine made more groups: the sum of ranges is no longer the least, which is %s", used ? "; " : "",
                 least);
    }
}

static void set_objective(covey_release *release, const struct permuting *p)
{
    covey_objective *objective = &release->objective;

    switch ((criterion)p->params->criterion) {
    case MIN_SUM:
    case SCAN:
        *objective = (covey_objective){.name = "sum-error",
                                       .value = in_units(p, p->sum),
                                       .has_bound = true,
                                       .bound = in_units(p, p->least_sum),
                                       .optimal = p->sum == p->least_sum};
        return;
    case MIN_MAX:
    case MIN_MAX_TOUCH:
    case MIN_MAX_STRICT:
        *objective = (covey_objective){.name = "max-error",
                                       .value = in_units(p, p->max),
                                       .has_bound = true,
                                       .bound = in_units(p, p->least_max),
                                       .optimal = p->max == p->least_max};
        return;
    }
}

static covey_status make_release(covey_release **out, struct permuting *p, covey_error *err)
{
    COVEY_TRY(find_column(p, err));
    find_bounds(p);
    p->rows.sensitive = p->sensitive;
    COVEY_TRY(covey_i_ke_rows_sort(&p->rows, &p->arena, err));
    COVEY_TRY(find_parts(p, err));
    COVEY_TRY(judge_parts(p, err));
    COVEY_TRY(permute_parts(p, err));
    COVEY_TRY(report(p, "groups", 0, err));
    COVEY_TRY(covey_i_ke_rows_release(out, &p->rows, err));
    set_objective(*out, p);
    write_note((*out)->note, sizeof(*out)->note, p);
    return COVEY_OK;
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    struct permuting p = {.problem = problem, .params = params, .run = run, .rows = {.problem = problem, .run = run}};
    const covey_status status = make_release(out, &p, err);

    explicit_bzero(p.key, sizeof p.key);
    covey_i_ke_rows_clear(&p.rows);
    covey_arena_free(&p.arena);
    return status;
}

static const char *const criterion_choices[] = {"min-sum", "min-max", "min-max-touch", "min-max-strict", "scan", NULL};
static const covey_param param_list[] = {
    {.name = "criterion",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct ke_params, criterion),
     .fallback = "min-sum",
     .choices = criterion_choices,
     .help = "least sum of the groups' ranges (min-sum) or least maximum: of all partitions (min-max), of runs of the "
             "sorted values that may divide "
             "equal ones (-touch) or not (-strict); scan: rows in random order, a baseline"},
    {.name = "refine",
     .type = COVEY_PARAM_BOOL,
     .offset = offsetof(struct ke_params, refine),
     .fallback = "false",
     .help = "split finished groups as long as the promise allows: narrow queries get tighter answers, the sum of "
             "ranges may grow"},
};

const covey_method covey_method_ke_permutation = {
    .name = "ke-permutation",
    .summary =
        "publishes quasi-identifiers and sensitive numbers exactly, linked by groups of different and distant numbers",
    .keeps = "ke-anonymity",
    .source = "Zhang07, partition criteria",
    .form = "bucketized",
    .in_parts = true,
    .uses_groups = true,
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct ke_params),
    .accepts = accepts,
    .run = run,
};
