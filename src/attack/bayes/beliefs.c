/* Learning beliefs from classes. */
#include "attack/bayes/beliefs.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/run.h"
#include "base/sort/sort.h"
#include "base/threads.h"

enum { MOST_ROUNDS = 30, SINKHORN_ROUNDS = 20, N_TASKS = 64 };

static uint32_t values_of(const covey_attack_target *t, uint32_t class)
{
    return t->start[class + 1] - t->start[class];
}

/* --- the sample --- */

/* Rows whose class is known, by class and point; first: [n_classes + 1] into them. */
static covey_status order_rows(covey_beliefs *b, uint32_t **first_out, covey_error *err)
{
    const covey_attack_target *t = b->target;
    const uint32_t n_rows = b->release->original->n_rows;
    uint32_t *scratch = covey_arena_array(b->arena, uint32_t, n_rows),
             *first = covey_arena_array_zero(b->arena, uint32_t, (size_t)t->n_classes + 1), n = 0;
    uint64_t *key = covey_arena_array(b->arena, uint64_t, n_rows);

    b->order = covey_arena_array(b->arena, uint32_t, n_rows);
    if (!scratch || !first || !key || !b->order)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n_rows; row++)
        if (t->class_of_row[row] != UINT32_MAX) {
            key[row] = (uint64_t)t->class_of_row[row] * b->points->n + b->points->point_of_row[row];
            first[t->class_of_row[row] + 1]++;
            b->order[n++] = row;
        }
    covey_i_sort_rows_u64(b->order, scratch, n, key);
    for (uint32_t c = 0; c < t->n_classes; c++)
        first[c + 1] += first[c];
    *first_out = first;
    return COVEY_OK;
}

/* Rows of one class, by point, and behind them those that are nobody's; their number. */
static uint32_t list_rows(covey_belief_rows *out, const covey_beliefs *b, uint32_t begin, uint32_t end,
                          uint32_t n_made_up)
{
    uint32_t n = 0;

    for (uint32_t i = begin; i < end; i++) {
        const uint32_t point = b->points->point_of_row[b->order[i]];

        if (n > 0 && out[n - 1].point == point)
            out[n - 1].n++;
        else
            out[n++] = (covey_belief_rows){point, 1, i};
    }
    if (n_made_up > 0)
        out[n++] = (covey_belief_rows){COVEY_BELIEF_NOBODY, n_made_up, end};
    return n;
}

static void add_class(covey_beliefs *b, uint32_t class, uint32_t begin, uint32_t n, size_t cell)
{
    const covey_attack_target *t = b->target;
    const int64_t own = covey_i_attack_own_rows(t, class);
    int64_t most = 0;

    b->class[b->n_classes++] = (covey_belief_class){class, begin, begin + n, cell};
    for (uint32_t e = t->start[class]; e < t->start[class + 1]; e++) {
        most = t->entry[e].n > most ? t->entry[e].n : most;
        b->total[t->entry[e].value] += (double)t->entry[e].n;
    }
    b->n_rows += own;
    b->base += own < t->size[class] ? (double)most * (double)own / (double)t->size[class] : (double)most;
}

/* Room for the classifier's weights, filled by covey_i_beliefs_take_logs. */
static covey_status make_weights(covey_beliefs *b, covey_error *err)
{
    const size_t n_dims = b->points->n_dims;

    if (!(b->weight = covey_arena_array(b->arena, double *, n_dims)))
        return covey_i_no_memory(err);
    for (size_t q = 0; q < n_dims; q++)
        if (!(b->weight[q] = covey_arena_array(
                  b->arena, double, (size_t)covey_i_attack_quasi(b->release, q)->n_values * b->target->n_values)))
            return covey_i_no_memory(err);
    return COVEY_OK;
}

covey_status covey_i_beliefs_start(covey_beliefs *out, covey_attacked *r, covey_attack_target *t, size_t most_cells,
                                   covey_arena *arena, covey_error *err)
{
    const uint32_t n_classes = t->n_classes - t->has_suppressed;
    covey_beliefs b = {.release = r, .target = t, .arena = arena, .hard_hits = -1};
    uint32_t *first = NULL, *class = covey_arena_array(arena, uint32_t, n_classes), n_rows = 0;
    size_t n_cells = 0;

    COVEY_TRY(covey_i_attack_points_of(&b.points, r, err));
    COVEY_TRY(order_rows(&b, &first, err));
    b.class = covey_arena_array(arena, covey_belief_class, n_classes);
    b.rows = covey_arena_array(arena, covey_belief_rows, (size_t)r->original->n_rows + n_classes);
    b.total = covey_arena_array_zero(arena, double, t->n_values);
    if (!class || !b.class || !b.rows || !b.total)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < n_classes; c++)
        class[c] = c;
    COVEY_TRY(covey_i_attack_shuffle(class, n_classes, r->run, err));
    for (uint32_t i = 0; i < n_classes; i++) {
        const uint32_t c = class[i];
        uint32_t n;

        if (first[c + 1] - first[c] != covey_i_attack_own_rows(t, c)) {
            b.n_unknown++;
            continue;
        }
        n = list_rows(b.rows + n_rows, &b, first[c], first[c + 1], t->made_up ? t->made_up[c] : 0);
        if (n_cells > 0 && n_cells + (size_t)n * values_of(t, c) > most_cells) {
            b.is_sample = true;
            break; /* going on to smaller classes would prefer these */
        }
        add_class(&b, c, n_rows, n, n_cells);
        n_cells += (size_t)n * values_of(t, c);
        n_rows += n;
    }
    if (!(b.cell = covey_arena_array(arena, double, n_cells)))
        return covey_i_no_memory(err);
    COVEY_TRY(make_weights(&b, err));
    *out = b;
    return COVEY_OK;
}

/* --- learning --- */

void covey_i_beliefs_take_logs(covey_beliefs *b, size_t q)
{
    const uint32_t n_codes = covey_i_attack_quasi(b->release, q)->n_values, n_values = b->target->n_values;

    for (uint32_t x = 0; x < n_codes; x++)
        for (uint32_t v = 0; v < n_values; v++) {
            double *weight = &b->weight[q][(size_t)x * n_values + v];

            *weight = log((*weight + 0.5) / (b->total[v] + 0.5 * n_codes));
        }
}

/* One quasi-identifier's weights from all beliefs. */
static covey_status learn_column(void *context, size_t q, covey_error *err)
{
    covey_beliefs *b = context;
    const covey_attack_target *t = b->target;
    const size_t n_dims = b->points->n_dims;
    double *weight = b->weight[q];

    memset(weight, 0, (size_t)covey_i_attack_quasi(b->release, q)->n_values * t->n_values * sizeof *weight);
    for (uint32_t i = 0; i < b->n_classes; i++) {
        const covey_belief_class *c = &b->class[i];
        const covey_class_value *entry = t->entry + t->start[c->class];
        const uint32_t n = values_of(t, c->class);
        const double *cell = b->cell + c->cell;

        for (uint32_t j = c->begin; j < c->end; j++, cell += n) {
            double *at;

            if (b->rows[j].point == COVEY_BELIEF_NOBODY)
                continue;
            at = weight + (size_t)b->points->coordinate[b->rows[j].point * n_dims + q] * t->n_values;

            for (uint32_t v = 0; v < n; v++)
                at[entry[v].value] += cell[v] * b->rows[j].n;
        }
    }
    covey_i_beliefs_take_logs(b, q);
    return COVEY_OK;
}

/* What rows that are somebody's are believed to have, all together: not all that is published where some are nobody's.
 */
static void total_beliefs(covey_beliefs *b)
{
    const covey_attack_target *t = b->target;

    memset(b->total, 0, t->n_values * sizeof *b->total);
    for (uint32_t i = 0; i < b->n_classes; i++) {
        const covey_belief_class *c = &b->class[i];
        const covey_class_value *entry = t->entry + t->start[c->class];
        const uint32_t n = values_of(t, c->class);
        const double *cell = b->cell + c->cell;

        for (uint32_t j = c->begin; j < c->end; j++, cell += n)
            for (uint32_t v = 0; v < n && b->rows[j].point != COVEY_BELIEF_NOBODY; v++)
                b->total[entry[v].value] += cell[v] * b->rows[j].n;
    }
}

/* Scores of one class's rows, the largest of a row 1: a row's own factor does not matter. */
static void score_class(const covey_beliefs *b, const covey_belief_class *c, double *cell)
{
    const covey_attack_target *t = b->target;
    const covey_class_value *entry = t->entry + t->start[c->class];
    const uint32_t n = values_of(t, c->class);
    const size_t n_dims = b->points->n_dims;

    for (uint32_t j = c->begin; j < c->end; j++, cell += n) {
        const uint32_t *x;
        double most = -INFINITY;

        if (b->rows[j].point == COVEY_BELIEF_NOBODY) { /* may have any */
            for (uint32_t v = 0; v < n; v++)
                cell[v] = 1;
            continue;
        }
        x = b->points->coordinate + b->rows[j].point * n_dims;
        for (uint32_t v = 0; v < n; v++)
            cell[v] = 0;
        for (size_t q = 0; q < n_dims; q++) {
            const double *weight = b->weight[q] + (size_t)x[q] * t->n_values;

            for (uint32_t v = 0; v < n; v++)
                cell[v] += weight[entry[v].value];
        }
        for (uint32_t v = 0; v < n; v++)
            most = fmax(most, cell[v]);
        for (uint32_t v = 0; v < n; v++)
            cell[v] = exp(fmax(cell[v] - most, -600));
    }
}

/* Scales columns to the published counts and rows to 1, in turn. */
static void balance_class(const covey_beliefs *b, const covey_belief_class *c, double *cells, double *sum)
{
    const covey_attack_target *t = b->target;
    const covey_class_value *entry = t->entry + t->start[c->class];
    const uint32_t n = values_of(t, c->class);

    for (int round = 0; round < SINKHORN_ROUNDS; round++) {
        double *cell = cells;

        memset(sum, 0, n * sizeof *sum);
        for (uint32_t j = c->begin; j < c->end; j++, cell += n)
            for (uint32_t v = 0; v < n; v++)
                sum[v] += cell[v] * b->rows[j].n;
        for (uint32_t v = 0; v < n; v++)
            sum[v] = (double)entry[v].n / sum[v];
        cell = cells;
        for (uint32_t j = c->begin; j < c->end; j++, cell += n) {
            double row = 0;

            for (uint32_t v = 0; v < n; v++)
                row += cell[v] *= sum[v];
            for (uint32_t v = 0; v < n; v++)
                cell[v] /= row;
        }
    }
}

static covey_status update_classes(void *context, size_t task, covey_error *err)
{
    const covey_beliefs *b = context;
    const uint32_t end = (uint32_t)((uint64_t)b->n_classes * (task + 1) / N_TASKS);
    covey_arena scratch = COVEY_ARENA_INIT;
    double *sum = covey_arena_array(&scratch, double, b->target->n_values);

    if (!sum) {
        covey_arena_free(&scratch);
        return covey_i_no_memory(err);
    }
    for (uint32_t i = (uint32_t)((uint64_t)b->n_classes * task / N_TASKS); i < end; i++) {
        score_class(b, &b->class[i], b -> cell + b -> class[i].cell);
        balance_class(b, &b->class[i], b -> cell + b -> class[i].cell, sum);
    }
    covey_arena_free(&scratch);
    return COVEY_OK;
}

/* Beliefs whose exact values are equal differ by what they were rounded: the first one counts. */
static bool is_higher(double belief, double than)
{
    return belief > than * (1 + 1e-9);
}

static int64_t count_hits(const covey_beliefs *b)
{
    const covey_attack_target *t = b->target;
    int64_t hits = 0;

    for (uint32_t i = 0; i < b->n_classes; i++) {
        const covey_belief_class *c = &b->class[i];
        const covey_class_value *entry = t->entry + t->start[c->class];
        const uint32_t n = values_of(t, c->class);
        const double *cell = b->cell + c->cell;

        for (uint32_t j = c->begin; j < c->end; j++, cell += n) {
            uint32_t best = 0;

            if (b->rows[j].point == COVEY_BELIEF_NOBODY)
                continue;
            for (uint32_t v = 1; v < n; v++)
                if (is_higher(cell[v], cell[best]))
                    best = v;
            for (uint32_t k = b->rows[j].begin; k < b->rows[j].begin + b->rows[j].n; k++)
                hits += t->value_of_row[b->order[k]] == entry[best].value;
        }
    }
    return hits;
}

/* Every row of a class at first has its values as often as they are published. */
static void believe_shares(covey_beliefs *b)
{
    const covey_attack_target *t = b->target;

    for (uint32_t i = 0; i < b->n_classes; i++) {
        const covey_belief_class *c = &b->class[i];
        const uint32_t n = values_of(t, c->class);
        double *cell = b->cell + c->cell;

        for (uint32_t j = c->begin; j < c->end; j++, cell += n)
            for (uint32_t v = 0; v < n; v++)
                cell[v] = (double)t->entry[t->start[c->class] + v].n / (double)t->size[c->class];
    }
}

covey_status covey_i_beliefs_learn(covey_beliefs *b, covey_error *err)
{
    const covey_attack_target *t = b->target;
    const int n_threads = covey_run_threads(b->release->run);
    int64_t before;

    believe_shares(b);
    b->hits = count_hits(b);
    for (b->n_rounds = 0; b->n_rounds < MOST_ROUNDS;) {
        COVEY_TRY(covey_i_run_goes_on(b->release->run, "definetti", b->n_rounds, MOST_ROUNDS, err));
        if (t->made_up)
            total_beliefs(b);
        COVEY_TRY(covey_i_parallel(n_threads, b->points->n_dims, learn_column, b, err));
        COVEY_TRY(covey_i_run_goes_on(b->release->run, "definetti", b->n_rounds, MOST_ROUNDS, err));
        COVEY_TRY(covey_i_parallel(n_threads, N_TASKS, update_classes, b, err));
        before = b->hits;
        b->hits = count_hits(b);
        b->n_rounds++;
        if (b->n_rounds > 1 && fabs((double)(b->hits - before)) < 1e-4 * (double)b->n_rows)
            break;
    }
    return COVEY_OK;
}
