/* Local recoding.  Every class of more than twice the fewest rows is clustered: from the row farthest from the last
 * seed on, always with the row that loses least, until the promises are kept; who is left joins the cluster that loses
 * least by it.  At last single cells are undone: a row goes to a class that publishes the same but for one cell, which
 * is the row's own value.  Nothing is done by which more is lost. See docs/design/mondrian.md. */
#include "method/mondrian/local.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/run.h"
#include "base/sort/compare.h"
#include "base/threads.h"
#include "method/mondrian/local_box.h"
#include "table/table_impl.h"

enum { TASK_ROWS = 8192 };
#define NONE UINT32_MAX

/* The classes as ranges of rows. */
struct local {
    covey_box_space space;
    uint32_t n_classes, *start; /* [n_classes + 1] */
    uint32_t *row;              /* [n] class by class, by content */
    uint32_t *part;             /* [n] of a class, numbered from 0 */
    uint32_t *n_parts;          /* [n_classes] */
    size_t n_tasks;
    uint32_t *task; /* [n_tasks + 1] classes of each */
    uint32_t fewest;
    covey_run_poll poll; /* rows */
};

/* --- one class --- */

struct cluster {
    uint32_t n, first, last; /* rows, linked by `next` */
    double cost;             /* what a row of it loses */
};

struct worker {
    const struct local *local;
    uint32_t n, *code; /* [n * n_axes] row-major */
    const uint32_t *row;
    uint32_t *left, n_left;     /* places of rows without a cluster, ascending */
    uint32_t *next;             /* [n] */
    uint32_t *ends, n_clusters; /* [n * 2 * n_axes] lowest, then highest codes of each cluster */
    struct cluster *cluster;    /* [n] */
    covey_tally tally;
    covey_arena arena;
};

static const uint32_t *codes_of(const struct worker *w, uint32_t i)
{
    return w->code + (size_t)i * w->local->space.problem->n_axes;
}

static uint32_t *ends_of(const struct worker *w, uint32_t cluster)
{
    return w->ends + (size_t)cluster * 2 * w->local->space.problem->n_axes;
}

/* The place in left[] that costs most (least) from the ranges; ties to the earlier row. */
static uint32_t find_left(const struct worker *w, const uint32_t *ends, bool farthest)
{
    uint32_t best = 0;
    double best_cost = 0;

    for (uint32_t i = 0; i < w->n_left; i++) {
        const double cost = covey_i_box_cost(&w->local->space, ends, codes_of(w, w->left[i]));

        if (i == 0 || (farthest ? cost > best_cost : cost < best_cost)) {
            best = i;
            best_cost = cost;
        }
    }
    return best;
}

static void take(struct worker *w, uint32_t cluster, uint32_t at)
{
    struct cluster *c = &w->cluster[cluster];
    const uint32_t i = w->left[at];

    memmove(w->left + at, w->left + at + 1, (--w->n_left - at) * sizeof *w->left);
    if (c->n++ == 0) {
        c->first = i;
        covey_i_box_set(&w->local->space, ends_of(w, cluster), codes_of(w, i));
    } else {
        w->next[c->last] = i;
        covey_i_box_widen(&w->local->space, ends_of(w, cluster), codes_of(w, i));
    }
    c->last = i;
    w->next[i] = NONE;
    covey_i_tally_add(&w->tally, &w->local->space.problem->promises, w->row[i]);
}

/* Makes clusters while there are rows for one; the rows of one that cannot be completed are left over. */
static void make_clusters(struct worker *w)
{
    const covey_promises *promises = &w->local->space.problem->promises;
    uint32_t *seed = ends_of(w, w->n); /* behind the last cluster's */

    covey_i_box_set(&w->local->space, seed, codes_of(w, 0));
    while (w->n_left >= w->local->fewest && w->n_left > 0) {
        struct cluster *c = &w->cluster[w->n_clusters];

        *c = (struct cluster){0};
        covey_i_tally_clear(&w->tally);
        take(w, w->n_clusters, find_left(w, seed, true));
        covey_i_box_set(&w->local->space, seed, codes_of(w, c->first));
        while (!covey_i_promises_admit(promises, &w->tally) && w->n_left > 0)
            take(w, w->n_clusters, find_left(w, ends_of(w, w->n_clusters), false));
        if (!covey_i_promises_admit(promises, &w->tally)) {
            for (uint32_t i = c->first; i != NONE; i = w->next[i])
                w->left[w->n_left++] = i;
            qsort(w->left, w->n_left, sizeof *w->left, covey_i_compare_u32);
            return;
        }
        w->n_clusters++;
    }
}

static bool admits_with(struct worker *w, const struct cluster *c, uint32_t one)
{
    const covey_promises *promises = &w->local->space.problem->promises;

    covey_i_tally_clear(&w->tally);
    for (uint32_t i = c->first; i != NONE; i = w->next[i])
        covey_i_tally_add(&w->tally, promises, w->row[i]);
    covey_i_tally_add(&w->tally, promises, w->row[one]);
    return covey_i_promises_admit(promises, &w->tally);
}

/* The first of what is left joins the cluster that loses least by it and keeps the promises with it. */
static bool place_left(struct worker *w, bool *tried)
{
    const uint32_t i = w->left[0];

    memset(tried, 0, w->n_clusters * sizeof *tried);
    for (;;) {
        uint32_t best = NONE;
        double best_more = 0;

        for (uint32_t c = 0; c < w->n_clusters; c++) {
            const double n = w->cluster[c].n,
                         more = tried[c] ? 0
                                         : (n + 1) * covey_i_box_cost(&w->local->space, ends_of(w, c), codes_of(w, i)) -
                                               n * w->cluster[c].cost;

            if (!tried[c] && (best == NONE || more < best_more)) {
                best = c;
                best_more = more;
            }
        }
        if (best == NONE)
            return false;
        if (admits_with(w, &w->cluster[best], i)) {
            take(w, best, 0);
            w->cluster[best].cost = covey_i_box_cost(&w->local->space, ends_of(w, best), codes_of(w, i));
            return true;
        }
        tried[best] = true;
    }
}

static covey_status read_rows(struct worker *w, const uint32_t *row, uint32_t n, covey_error *err)
{
    const covey_problem *problem = w->local->space.problem;
    const size_t d = problem->n_axes;

    w->n = w->n_left = n;
    w->n_clusters = 0;
    w->row = row;
    w->code = covey_arena_array(&w->arena, uint32_t, n * d);
    w->left = covey_arena_array(&w->arena, uint32_t, n);
    w->next = covey_arena_array(&w->arena, uint32_t, n);
    w->cluster = covey_arena_array(&w->arena, struct cluster, n);
    w->ends = covey_arena_array(&w->arena, uint32_t, ((size_t)n + 1) * 2 * d);
    if (!w->code || !w->left || !w->next || !w->cluster || !w->ends)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        w->left[i] = i;
        for (size_t a = 0; a < d; a++)
            w->code[i * d + a] = covey_i_code(problem->axis[a].column, row[i]);
    }
    return COVEY_OK;
}

/* Numbers the parts of n rows from *n_parts on: clusters, or one part where they do not lose less. */
static covey_status part_rows(uint32_t *part, uint32_t *n_parts, struct worker *w, const uint32_t *row, uint32_t n,
                              covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(&w->arena);
    double before, after = 0;
    bool *tried;

    COVEY_TRY(read_rows(w, row, n, err));
    if (!(tried = covey_arena_array(&w->arena, bool, n)))
        return covey_i_no_memory(err);
    covey_i_box_set(&w->local->space, ends_of(w, n), codes_of(w, 0));
    for (uint32_t i = 1; i < n; i++)
        covey_i_box_widen(&w->local->space, ends_of(w, n), codes_of(w, i));
    before = n * covey_i_box_cost(&w->local->space, ends_of(w, n), codes_of(w, 0));
    make_clusters(w);
    for (uint32_t c = 0; c < w->n_clusters; c++)
        w->cluster[c].cost = covey_i_box_cost(&w->local->space, ends_of(w, c), codes_of(w, w->cluster[c].first));
    while (w->n_left > 0 && place_left(w, tried))
        ;
    for (uint32_t c = 0; c < w->n_clusters; c++)
        after += w->cluster[c].n * w->cluster[c].cost;
    if (w->n_left > 0 || !(after < before)) {
        for (uint32_t i = 0; i < n; i++)
            part[i] = *n_parts;
        ++*n_parts;
    } else {
        for (uint32_t c = 0; c < w->n_clusters; c++)
            for (uint32_t i = w->cluster[c].first; i != NONE; i = w->next[i])
                part[i] = *n_parts + c;
        *n_parts += w->n_clusters;
    }
    covey_arena_rewind(&w->arena, mark);
    return COVEY_OK;
}

static bool run_admits(struct worker *w, const uint32_t *row, uint32_t n)
{
    const covey_promises *promises = &w->local->space.problem->promises;

    covey_i_tally_clear(&w->tally);
    for (uint32_t i = 0; i < n; i++)
        covey_i_tally_add(&w->tally, promises, row[i]);
    return covey_i_promises_admit(promises, &w->tally);
}

/* Rows beyond 2,000 are taken apart first, in the order of their content, if every run of them keeps the promises. */
static covey_status part_class(struct local *l, struct worker *w, uint32_t class, covey_error *err)
{
    const uint32_t first = l->start[class], n = l->start[class + 1] - first,
                   n_runs = n / COVEY_LOCAL_MOST_ROWS + (n % COVEY_LOCAL_MOST_ROWS > 0);
    bool runs = true;

    l->n_parts[class] = 1;
    memset(l->part + first, 0, n * sizeof *l->part);
    if (n <= 2 * (uint64_t)l->fewest)
        return COVEY_OK;
    for (uint32_t r = 0; n_runs > 1 && r < n_runs && runs; r++) {
        const uint32_t begin = (uint32_t)((uint64_t)n * r / n_runs), end = (uint32_t)((uint64_t)n * (r + 1) / n_runs);

        runs = run_admits(w, l->row + first + begin, end - begin);
    }
    if (!runs)
        return COVEY_OK;
    l->n_parts[class] = 0;
    for (uint32_t r = 0; r < n_runs; r++) {
        const uint32_t begin = (uint32_t)((uint64_t)n * r / n_runs), end = (uint32_t)((uint64_t)n * (r + 1) / n_runs);

        COVEY_TRY(covey_i_run_poll_add(&l->poll, end - begin, err));
        COVEY_TRY(part_rows(l->part + first + begin, &l->n_parts[class], w, l->row + first + begin, end - begin, err));
    }
    return COVEY_OK;
}

static covey_status run_task(void *context, size_t task, covey_error *err)
{
    struct local *l = context;
    struct worker w = {.local = l, .arena = COVEY_ARENA_INIT};
    covey_status status = covey_i_tally_new(&w.tally, &l->space.problem->promises, &w.arena, err);

    for (uint32_t c = l->task[task]; c < l->task[task + 1] && status == COVEY_OK; c++)
        status = part_class(l, &w, c, err);
    covey_arena_free(&w.arena);
    return status;
}

/* --- all of it --- */

/* Classes as ranges of rows in the order of content, and tasks of several classes. */
static covey_status gather(struct local *l, const uint32_t *class_of_row, const uint32_t *rows, uint32_t n,
                           covey_arena *arena, covey_error *err)
{
    uint32_t *at = covey_arena_array(arena, uint32_t, l->n_classes);

    l->start = covey_arena_array_zero(arena, uint32_t, (size_t)l->n_classes + 1);
    l->row = covey_arena_array(arena, uint32_t, n);
    l->part = covey_arena_array(arena, uint32_t, n);
    l->n_parts = covey_arena_array(arena, uint32_t, l->n_classes);
    l->task = covey_arena_array(arena, uint32_t, (size_t)l->n_classes + 1);
    l->space.weight = covey_arena_array(arena, double, l->space.problem->n_axes);
    if (!at || !l->start || !l->row || !l->part || !l->n_parts || !l->task || !l->space.weight)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        l->start[class_of_row[rows[i]] + 1]++;
    for (uint32_t c = 0; c < l->n_classes; c++) {
        at[c] = l->start[c];
        l->start[c + 1] += l->start[c];
        if (c == 0 || l->start[c] - l->start[l->task[l->n_tasks - 1]] >= TASK_ROWS)
            l->task[l->n_tasks++] = c;
    }
    l->task[l->n_tasks] = l->n_classes;
    for (uint32_t i = 0; i < n; i++)
        l->row[at[class_of_row[rows[i]]]++] = rows[i];
    for (size_t a = 0; a < l->space.problem->n_axes; a++)
        l->space.weight[a] =
            covey_ratio_value(l->space.problem->axis[a].weight) / (double)l->space.problem->axis[a].loss_den;
    return COVEY_OK;
}

covey_status covey_i_local(uint32_t *class_of_row, uint32_t *n_classes, double *loss, const uint32_t *rows, uint32_t n,
                           const covey_problem *problem, const covey_run *run, covey_error *err)
{
    const int64_t fewest = covey_i_promises_min_size(&problem->promises);
    struct local l = {.space.problem = problem, .n_classes = *n_classes, .fewest = fewest > n ? n : (uint32_t)fewest};
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;

    *loss = 0;
    if (n == 0)
        return COVEY_OK;
    covey_i_run_poll_begin(&l.poll, run, "refine", n);
    if ((status = gather(&l, class_of_row, rows, n, &arena, err)) == COVEY_OK &&
        (status = covey_i_parallel(covey_run_threads(run), l.n_tasks, run_task, &l, err)) == COVEY_OK) {
        *n_classes = 0;
        for (uint32_t c = 0; c < l.n_classes; c++) {
            for (uint32_t i = l.start[c]; i < l.start[c + 1]; i++)
                class_of_row[l.row[i]] = *n_classes + l.part[i];
            *n_classes += l.n_parts[c];
        }
        status = covey_i_local_undo_cells(class_of_row, loss, &l.space, *n_classes, rows, n, &arena, err);
    }
    covey_arena_free(&arena);
    return status;
}
