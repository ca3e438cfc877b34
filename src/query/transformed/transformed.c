/* Queries over the form "transformed".  Which rows of a group are hit is known; of their values, that they lie in
 * different entries of the group.
 *
 * With the lower ends l_1 <= ... <= l_L of a group's entries, the upper ends h_1 <= ... <= h_L, and c of its rows hit:
 * SUM lies between the c least lower and the c greatest upper ends, added over groups; AVG is that by COUNT, which is
 * exact; MIN lies between min l_1 and min h_(L-c+1), MAX between max l_c and max h_L.  All are attained: any c entries
 * may be those of the hit rows, with any values in them, whichever others were made up. A group's rows look like its
 * target, so that E[SUM] is the sum of c times the target's mean, exactly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/compare.h"
#include "query/transformed/targets.h"

struct asking {
    const covey_query_release *release;
    const covey_query_targets *state;
    const covey_bound_query *query;
    const covey_run *run;
    covey_row_scan scan;
    covey_query_figures *figures;    /* [n_aggregates] */
    covey_target_counting *counting; /* where the condition speaks of the sensitive column */
    covey_arena *arena;
};

/* --- loading --- */

static covey_status list_ends(covey_query_targets *s, covey_arena *arena, covey_error *err)
{
    const size_t n = s->start[s->rows.n_groups];

    s->low = covey_arena_array(arena, int64_t, n);
    s->high = covey_arena_array(arena, int64_t, n);
    s->low_sum = covey_arena_array(arena, covey_i128, n);
    s->high_sum = covey_arena_array(arena, covey_i128, n);
    if (!s->low || !s->high || !s->low_sum || !s->high_sum)
        return covey_i_no_memory(err);
    for (uint32_t g = 0; g < s->rows.n_groups; g++) {
        size_t at = s->start[g];

        for (uint32_t e = s->t->entries->class_start[g]; e < s->t->entries->class_start[g + 1]; e++)
            for (int64_t i = 0; i < s->t->count[e]; i++) {
                s->low[at] = s->t->low[s->t->line_of_entry[e]];
                s->high[at++] = s->t->high[s->t->line_of_entry[e]];
            }
        qsort(s->low + s->start[g], at - s->start[g], sizeof *s->low, covey_i_compare_i64);
        qsort(s->high + s->start[g], at - s->start[g], sizeof *s->high, covey_i_compare_i64_down);
        for (size_t i = s->start[g]; i < at; i++) {
            s->low_sum[i] = s->low[i] + (i > s->start[g] ? s->low_sum[i - 1] : 0);
            s->high_sum[i] = s->high[i] + (i > s->start[g] ? s->high_sum[i - 1] : 0);
        }
    }
    return COVEY_OK;
}

/* Means of the targets, in the column's unit. */
static covey_status find_means(covey_query_targets *s, covey_arena *arena, covey_error *err)
{
    const covey_opened_table *targets = s->t->targets;
    long double *probability = covey_arena_array(arena, long double, targets->n_rows);

    s->mean = covey_arena_array_zero(arena, double, targets->n_classes);
    s->below = covey_arena_array(arena, long double, (size_t)targets->n_rows + targets->n_classes);
    s->leaf_value = covey_arena_array(arena, int64_t, targets->n_rows);
    if (!probability || !s->mean || !s->below || !s->leaf_value)
        return covey_i_no_memory(err);
    for (uint32_t target = 0; target < targets->n_classes; target++) {
        long double mean = 0, *below = s->below + targets->class_start[target] + target;
        int64_t *leaf_value = s->leaf_value + targets->class_start[target];

        *below = 0;
        for (uint32_t i = targets->class_start[target]; i < targets->class_start[target + 1]; i++) {
            const covey_target_line *line = &s->t->line[i];

            probability[i] =
                line->parent == i ? 1 : probability[line->parent] * line->weight / s->t->line[line->parent].sum;
            if (line->end == i + 1) {
                mean += probability[i] * s->t->low[i];
                *leaf_value++ = s->t->low[i];
                below[1] = below[0] + probability[i];
                below++;
            }
        }
        s->mean[target] = (double)(mean / covey_i_query_unit(s->t->scale));
    }
    return COVEY_OK;
}

static covey_status load(covey_query_release *release, const covey_run *run, covey_error *err)
{
    const covey_opened *opened = release->opened;
    const covey_opened_transformed *t = opened->form_data;
    covey_query_targets *s = covey_arena_array_zero(&release->arena, covey_query_targets, 1);

    if (!s || !(s->start = covey_arena_array(&release->arena, size_t, (size_t)opened->n_classes + 1)))
        return covey_i_no_memory(err);
    s->t = t;
    s->rows.n_groups = opened->n_classes;
    s->rows.n_rows = opened->n_rows;
    s->rows.row_start = opened->class_start;
    s->rows.sensitive = (uint32_t)(t->sensitive - opened->column);
    s->start[0] = 0;
    for (uint32_t g = 0; g < opened->n_classes; g++) {
        s->start[g + 1] = s->start[g];
        for (uint32_t e = t->entries->class_start[g]; e < t->entries->class_start[g + 1]; e++)
            s->start[g + 1] += (size_t)t->count[e];
    }
    COVEY_TRY(covey_i_query_all_numbers(&s->rows.numbers, release, err));
    if (t->low) {
        COVEY_TRY(list_ends(s, &release->arena, err));
        COVEY_TRY(find_means(s, &release->arena, err));
    }
    release->state = s;
    return COVEY_OK;
}

/* --- sums and extremes --- */

static void bound_sum(covey_query_figures *out, const covey_query_targets *s, const covey_query_hits *hits,
                      covey_i128 factor)
{
    *out = (covey_query_figures){{true, 0, 1}, {true, 0, 1}, 0, NAN, {0}};
    for (uint32_t i = 0; i < hits->n; i++) {
        const uint32_t g = hits->hit[i].group;
        const size_t last = s->start[g] + (size_t)hits->hit[i].n - 1;

        out->lower.num += s->low_sum[last] * factor;
        out->upper.num += s->high_sum[last] * factor;
        out->estimate += (double)hits->hit[i].n * s->mean[s->t->target_of_group[g]];
    }
}

static void bound_extreme(covey_query_figures *out, const covey_query_targets *s, const covey_query_hits *hits,
                          bool is_min, covey_i128 factor)
{
    int64_t outer = 0, inner = 0;

    for (uint32_t i = 0; i < hits->n; i++) {
        const size_t first = s->start[hits->hit[i].group], last = first + (size_t)hits->hit[i].n - 1;
        const int64_t far = is_min ? s->low[first] : s->high[first], near = is_min ? s->high[last] : s->low[last];

        outer = i == 0 || (is_min ? far < outer : far > outer) ? far : outer;
        inner = i == 0 || (is_min ? near < inner : near > inner) ? near : inner;
    }
    out->lower = (covey_query_exact){true, (is_min ? outer : inner) * factor, 1};
    out->upper = (covey_query_exact){true, (is_min ? inner : outer) * factor, 1};
}

/* --- expected extremes --- */

/* The chance that all of a group's c hit rows have values from (is_min) or up to (not) a number: its entries are given
 * to rows at random, so it is the elementary symmetric polynomial e_c of the entries' chances over the number of
 * choices.  Entry by entry: of t entries, with r[i] = e_i / C(t, i), r[i] (t + 1) = r[i] (t + 1 - i) + r[i - 1] i p.
 * Distribution.md 4.7. */
struct extreme {
    const covey_query_targets *s;
    bool is_min;
    double *r;     /* [most hits + 1] */
    uint64_t work; /* steps so far */
};

#define MOST_WORK UINT64_C(300000000)

static double chance_of_entry(const struct extreme *x, uint32_t line, uint32_t target, uint32_t at)
{
    const covey_opened_transformed *t = x->s->t;
    const long double *below = x->s->below + t->targets->class_start[target] + target;
    const uint32_t first = t->line[line].first_leaf, end = first + t->line[line].n_leaves;
    const long double all = below[end] - below[first];

    if (x->is_min ? at <= first : at >= end)
        return 1;
    if ((x->is_min ? at >= end : at <= first) || !(all > 0))
        return 0;
    return (double)((x->is_min ? below[end] - below[at] : below[at] - below[first]) / all);
}

/* How many leaves of a target lie below the number; is_min false: up to it. */
static uint32_t leaves_below(const struct extreme *x, uint32_t target, int64_t number)
{
    const covey_opened_transformed *t = x->s->t;
    const int64_t *value = x->s->leaf_value + t->targets->class_start[target];
    uint32_t low = 0, high = t->line[t->targets->class_start[target]].n_leaves;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (x->is_min ? value[middle] < number : value[middle] <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double chance_of_group(struct extreme *x, const covey_query_hit *hit, int64_t number)
{
    const covey_opened_transformed *t = x->s->t;
    const uint32_t target = t->target_of_group[hit->group], at = leaves_below(x, target, number);
    const int64_t c = hit->n, all = (int64_t)(x->s->start[hit->group + 1] - x->s->start[hit->group]);
    int64_t seen = 0;
    double chance;

    for (uint32_t e = t->entries->class_start[hit->group]; e < t->entries->class_start[hit->group + 1]; e++)
        seen += chance_of_entry(x, t->line_of_entry[e], target, at) >= 1 ? t->count[e] : 0;
    for (int64_t i = 0; i <= c; i++)
        x->r[i] = i <= seen;
    for (uint32_t e = t->entries->class_start[hit->group]; e < t->entries->class_start[hit->group + 1]; e++) {
        const double p = chance_of_entry(x, t->line_of_entry[e], target, at);

        x->work++;
        for (int64_t k = 0; p > 0 && p < 1 && k < t->count[e] && x->work < MOST_WORK; k++) {
            seen++;
            x->work += (uint64_t)c;
            for (int64_t i = c < seen ? c : seen; i > 0; i--)
                x->r[i] = (x->r[i] * (double)(seen - i) + x->r[i - 1] * (double)i * p) / (double)seen;
        }
    }
    chance = seen < c ? 0 : x->r[c];
    for (int64_t i = 0; i < c && chance > 0; i++) /* entries without a chance */
        chance *= (double)(seen - i) / (double)(all - i);
    return chance;
}

/* Sums chances over the numbers, from the end that the extreme lies at; NaN: that would take too long. */
static covey_status expect_extreme(double *out, const covey_query_targets *s, const covey_query_hits *hits, bool is_min,
                                   covey_arena *arena, covey_error *err)
{
    const covey_opened_transformed *t = s->t;
    struct extreme x = {.s = s, .is_min = is_min};
    bool *used = covey_arena_array_zero(arena, bool, t->targets->n_classes);
    int64_t *number, most = 0;
    double sum, chance = 1;
    size_t n = 0, n_different = 1;

    number = covey_arena_array(arena, int64_t, t->targets->n_rows);
    for (uint32_t i = 0; i < hits->n; i++)
        most = hits->hit[i].n > most ? hits->hit[i].n : most;
    x.r = covey_arena_array(arena, double, (size_t)most + 1);
    if (!used || !number || !x.r)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < hits->n; i++) {
        const uint32_t target = t->target_of_group[hits->hit[i].group],
                       n_leaves = t->line[t->targets->class_start[target]].n_leaves;

        for (uint32_t leaf = 0; !used[target] && leaf < n_leaves; leaf++)
            number[n++] = s->leaf_value[t->targets->class_start[target] + leaf];
        used[target] = true;
    }
    qsort(number, n, sizeof *number, is_min ? covey_i_compare_i64 : covey_i_compare_i64_down);
    for (size_t i = 1; i < n; i++)
        if (number[i] != number[n_different - 1])
            number[n_different++] = number[i];
    sum = (double)number[0];
    for (size_t i = 1; i < n_different && chance > 1e-18; i++) {
        chance = 1;
        for (uint32_t h = 0; h < hits->n && chance > 0; h++)
            chance *= chance_of_group(&x, &hits->hit[h], number[i]);
        sum += (double)(number[i] - number[i - 1]) * chance; /* at most 18 digits each */
    }
    *out = x.work < MOST_WORK ? sum / covey_i_query_unit(t->scale) : NAN;
    return COVEY_OK;
}

static covey_status find_sensitive(covey_query_figures *out, const covey_query_targets *s,
                                   const covey_bound_aggregate *aggregate, const covey_query_hits *hits,
                                   covey_arena *arena, covey_error *err)
{
    covey_i128 factor = 1;

    *out = (covey_query_figures){{false, 0, 1}, {false, 0, 1}, NAN, NAN, {0}};
    for (int i = s->t->scale; i < aggregate->scale; i++)
        factor *= 10;
    if (hits->total == 0)
        return COVEY_OK;
    if (aggregate->function == COVEY_SQL_MIN || aggregate->function == COVEY_SQL_MAX) {
        bound_extreme(out, s, hits, aggregate->function == COVEY_SQL_MIN, factor);
        return aggregate->is_date
                   ? COVEY_OK
                   : expect_extreme(&out->estimate, s, hits, aggregate->function == COVEY_SQL_MIN, arena, err);
    }
    bound_sum(out, s, hits, factor);
    if (aggregate->function == COVEY_SQL_AVG) {
        out->lower.den = out->upper.den = hits->total;
        out->estimate /= (double)hits->total;
    }
    return COVEY_OK;
}

static covey_status find_figures(struct asking *a, const covey_query_rows *rows, const covey_query_hits *hits,
                                 covey_error *err)
{
    for (size_t i = 0; i < a->query->n_aggregates; i++) {
        const covey_bound_aggregate *aggregate = &a->query->aggregate[i];

        if (aggregate->function == COVEY_SQL_COUNT)
            a->figures[i] =
                (covey_query_figures){{true, hits->total, 1}, {true, hits->total, 1}, (double)hits->total, 0, {0}};
        else if (aggregate->weight && aggregate->column == a->state->rows.sensitive)
            COVEY_TRY(covey_i_target_weighted(&a->figures[i], aggregate, a->state, hits, &a->scan, rows,
                                              a->release->column[aggregate->column].scale, a->arena, err));
        else if (aggregate->column == a->state->rows.sensitive)
            COVEY_TRY(find_sensitive(&a->figures[i], a->state, aggregate, hits, a->arena, err));
        else
            COVEY_TRY(covey_i_rows_known_figures(&a->figures[i], aggregate, &a->state->rows.numbers[aggregate->column],
                                                 a->release->column[aggregate->column].text, &a->scan, rows, a->arena,
                                                 err));
    }
    return COVEY_OK;
}

/* --- one answer --- */

static covey_status answer_rows(covey_query_sink *sink, void *context, const covey_query_rows *rows,
                                const covey_query_value *key, covey_error *err)
{
    struct asking *a = context;
    covey_query_hits hits = {0};
    covey_query_figures count;

    if (a->scan.sensitive < 0) {
        COVEY_TRY(covey_i_query_hits(&hits, &a->state->rows, &a->scan, rows, a->run, a->arena, err));
        COVEY_TRY(find_figures(a, rows, &hits, err));
        return key && hits.total == 0 ? COVEY_OK
                                      : covey_i_query_emit(sink, key, hits.total, hits.total, a->figures, err);
    }
    COVEY_TRY(covey_i_target_count(&count, a->counting, rows, err));
    if (key && count.upper.num == 0)
        return COVEY_OK;
    for (size_t i = 0; i < a->query->n_aggregates; i++) /* all are COUNT */
        a->figures[i] = count;
    return covey_i_query_emit(sink, key, (int64_t)count.lower.num, (int64_t)count.upper.num, a->figures, err);
}

static covey_status answer(covey_query_sink *sink, const covey_query_release *release, const covey_bound_query *query,
                           const covey_run *run, covey_arena *arena, covey_error *err)
{
    struct asking a = {.release = release,
                       .state = release->state,
                       .query = query,
                       .run = run,
                       .arena = arena,
                       .figures = covey_arena_array(arena, covey_query_figures, query->n_aggregates)};
    const covey_query_rows all = {NULL, a.state->rows.n_rows};

    if (!a.figures)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < query->n_aggregates; i++) {
        const covey_bound_aggregate *aggregate = &query->aggregate[i];

        if (aggregate->function != COVEY_SQL_COUNT && !covey_i_query_are_numbers(&release->column[aggregate->column]))
            return covey_fail(err, COVEY_EINVAL, "query: not every value of \"%s\" is a number, so that there is no %s",
                              release->column[aggregate->column].name, aggregate->text);
    }
    COVEY_TRY(covey_i_row_scan_make(&a.scan, query, arena, err));
    if (a.scan.sensitive >= 0)
        COVEY_TRY(covey_i_target_counting_make(&a.counting, a.state, release, &a.scan, arena, err));
    if (query->n_keys > 0)
        return covey_i_query_by_keys(sink, release, query, &a.scan, a.state->rows.n_rows, answer_rows, &a, run, arena,
                                     err);
    return answer_rows(sink, &a, &all, NULL, err);
}

const covey_query_form covey_query_form_transformed = {
    .name = "transformed",
    .quasi_is_exact = true,
    .weighs = true,
    .weighs_sensitive = true,
    .gives_midpoint = true,
    .load = load,
    .answer = answer,
    .rewrite = covey_i_transformed_rewrite,
};
