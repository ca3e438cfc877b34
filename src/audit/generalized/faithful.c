/* Matching published rows with those of the original.
 *
 * Rows can only stand for rows with the same sensitive and insensitive values, so the question falls apart into one
 * assignment for each combination of these; most are small. */
#include "audit/generalized/faithful.h"

#include <inttypes.h>
#include <string.h>

#include "audit/content_keys.h"
#include "base/error.h"
#include "base/run.h"
#include "base/sort/sort.h"
#include "base/threads.h"
#include "reader/points/assign.h"

/* A combination that is published: rows row[begin .. end-1] of each side. */
struct group {
    uint32_t published_begin, published_end, original_begin, original_end;
};

struct checking {
    const covey_opened *opened;
    const covey_original *original;
    covey_key_side published, from; /* by sensitive and insensitive values; from: the original */
    uint32_t n_groups;
    struct group *group;
    uint32_t *task_begin;     /* [n_tasks + 1] first group of each task */
    covey_problems *problems; /* [n_tasks] */
    covey_run_poll poll;      /* published rows */
    covey_arena arena;
};

/* --- combinations --- */

static covey_status make_keys(struct checking *k, covey_error *err)
{
    uint32_t *column = covey_arena_array(&k->arena, uint32_t, k->opened->n_columns);
    size_t n = 0;

    if (!column)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < k->opened->n_columns; i++)
        if (k->opened->column[i].stated->role != COVEY_ROLE_QUASI)
            column[n++] = (uint32_t)i;
    return covey_i_content_keys(&k->published, &k->from, k->opened, k->original, column, n, &k->arena, err);
}

/* Original rows of a combination stand together by their quasi-identifiers, published ones by class (the order of the
 * table). */
static covey_status sort_side(void *context, size_t task, covey_error *err)
{
    struct checking *k = context;
    covey_key_side *side = task == 0 ? &k->from : &k->published;

    for (uint32_t i = 0; i < side->n_rows; i++)
        side->row[i] = i;
    for (size_t q = k->opened->n_quasi; task == 0 && q-- > 0;) {
        const covey_column *column = k->original->column[k->opened->quasi[q]].column;

        covey_i_sort_rows_codes(side->row, side->scratch, side->n_rows, column->codes, column->width);
    }
    covey_i_content_sort(side);
    return COVEY_OK;
}

static covey_status find_groups(struct checking *k, covey_error *err)
{
    const covey_key_side *p = &k->published, *f = &k->from;
    uint32_t j = 0;

    if (!(k->group = covey_arena_array(&k->arena, struct group, p->n_rows)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < p->n_rows;) {
        uint64_t key = p->key[p->row[i]];
        struct group *group = &k->group[k->n_groups++];

        group->published_begin = i;
        while (i < p->n_rows && p->key[p->row[i]] == key)
            i++;
        group->published_end = i;
        while (j < f->n_rows && f->key[f->row[j]] < key)
            j++;
        group->original_begin = j;
        while (j < f->n_rows && f->key[f->row[j]] == key)
            j++;
        group->original_end = j;
    }
    return COVEY_OK;
}

/* --- one combination --- */

static bool same_point(const struct checking *k, uint32_t a, uint32_t b)
{
    for (size_t q = 0; q < k->opened->n_quasi; q++) {
        const covey_column *column = k->original->column[k->opened->quasi[q]].column;

        if (covey_i_code_at(column, a) != covey_i_code_at(column, b))
            return false;
    }
    return true;
}

static covey_status make_points(covey_assignment *a, const struct checking *k, const struct group *group,
                                covey_arena *arena, covey_error *err)
{
    uint32_t n_rows = group->original_end - group->original_begin, *coordinate;

    a->supply = covey_arena_array(arena, uint32_t, n_rows);
    coordinate = covey_arena_array(arena, uint32_t, n_rows * a->n_dims);
    if (!a->supply || !coordinate)
        return covey_i_no_memory(err);
    for (uint32_t i = group->original_begin; i < group->original_end; i++) {
        uint32_t row = k->from.row[i];

        if (i > group->original_begin && same_point(k, k->from.row[i - 1], row)) {
            a->supply[a->n_points - 1]++;
            continue;
        }
        for (size_t q = 0; q < a->n_dims; q++)
            coordinate[a->n_points * a->n_dims + q] =
                covey_i_code_at(k->original->column[k->opened->quasi[q]].column, row);
        a->supply[a->n_points++] = 1;
    }
    a->coordinate = coordinate;
    return COVEY_OK;
}

/* class_of[entry]: published number, from 1. */
static covey_status make_entries(covey_assignment *a, uint32_t **class_of, const struct checking *k,
                                 const struct group *group, covey_arena *arena, covey_error *err)
{
    uint32_t n_rows = group->published_end - group->published_begin;

    a->need = covey_arena_array(arena, uint32_t, n_rows);
    a->box = covey_arena_array(arena, const covey_cover *, n_rows * a->n_dims);
    *class_of = covey_arena_array(arena, uint32_t, n_rows);
    if (!a->need || !a->box || !*class_of)
        return covey_i_no_memory(err);
    for (uint32_t i = group->published_begin; i < group->published_end; i++) {
        uint32_t class = covey_i_class_of_row(k->opened, k->published.row[i]);

        if (a->n_entries > 0 && (*class_of)[a->n_entries - 1] == class) {
            a->need[a->n_entries - 1]++;
            continue;
        }
        for (size_t q = 0; q < a->n_dims; q++) {
            const covey_opened_column *column = &k->opened->column[k->opened->quasi[q]];

            a->box[a->n_entries * a->n_dims + q] =
                &k->original->column[k->opened->quasi[q]].cover[column->class_cell[class - 1]];
        }
        (*class_of)[a->n_entries] = class;
        a->need[a->n_entries++] = 1;
    }
    return COVEY_OK;
}

/* The column whose cell no original row of the combination fits, if it is one column's fault. */
static const char *find_culprit(const covey_assignment *a, const struct checking *k, uint32_t entry)
{
    for (size_t q = 0; q < a->n_dims; q++) {
        bool fits = false;

        for (uint32_t p = 0; p < a->n_points && !fits; p++)
            fits = covey_i_cover_holds(a->box[entry * a->n_dims + q], a->coordinate[p * a->n_dims + q]);
        if (!fits)
            return k->opened->column[k->opened->quasi[q]].stated->name;
    }
    return NULL;
}

static void report(covey_problems *problems, const covey_assignment *a, const struct checking *k,
                   const uint32_t *class_of)
{
    for (uint32_t e = 0; e < a->n_entries; e++) {
        const char *culprit;

        if (a->need[e] == 0)
            continue;
        culprit = a->n_points && problems->n < COVEY_MOST_PROBLEMS ? find_culprit(a, k, e) : NULL;
        if (a->n_points == 0)
            covey_i_problem(problems,
                            "class %" PRIu32 ": %" PRIu32
                            " of its rows show sensitive and insensitive values that no row of the original has",
                            class_of[e], a->need[e]);
        else if (culprit)
            covey_i_problem(problems,
                            "class %" PRIu32 ", column \"%s\": the cell fits no row of the original that %" PRIu32
                            " of the class's rows could be",
                            class_of[e], culprit, a->need[e]);
        else
            covey_i_problem(problems,
                            "class %" PRIu32 ": for %" PRIu32 " of its rows there is no row of the original left",
                            class_of[e], a->need[e]);
    }
}

static covey_status check_group(covey_problems *problems, const struct checking *k, const struct group *group,
                                covey_arena *arena, covey_error *err)
{
    covey_arena_mark mark = covey_arena_save(arena);
    covey_assignment assignment = {.n_dims = k->opened->n_quasi};
    uint32_t *class_of = NULL;

    COVEY_TRY(make_points(&assignment, k, group, arena, err));
    COVEY_TRY(make_entries(&assignment, &class_of, k, group, arena, err));
    COVEY_TRY(covey_i_assign(&assignment, arena, err));
    report(problems, &assignment, k, class_of);
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

static covey_status check_groups(void *context, size_t task, covey_error *err)
{
    struct checking *k = context;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;

    for (uint32_t g = k->task_begin[task]; g < k->task_begin[task + 1] && status == COVEY_OK; g++) {
        const struct group *group = &k->group[g];

        if ((status = covey_i_run_poll_add(&k->poll, group->published_end - group->published_begin, err)) == COVEY_OK)
            status = check_group(&k->problems[task], k, group, &arena, err);
    }
    covey_arena_free(&arena);
    return status;
}

/* --- all of them --- */

enum { N_TASKS = 64 };

/* Groups of about as many rows per task. */
static covey_status cut_into_tasks(struct checking *k, covey_error *err)
{
    uint32_t g = 0;

    k->task_begin = covey_arena_array(&k->arena, uint32_t, N_TASKS + 1);
    k->problems = covey_arena_array_zero(&k->arena, covey_problems, N_TASKS);
    if (!k->task_begin || !k->problems)
        return covey_i_no_memory(err);
    for (uint32_t task = 0; task < N_TASKS; task++) {
        uint64_t until = (uint64_t)k->published.n_rows * (task + 1) / N_TASKS;

        k->task_begin[task] = g;
        while (g < k->n_groups && k->group[g].published_end <= until)
            g++;
    }
    k->task_begin[N_TASKS] = k->n_groups;
    return COVEY_OK;
}

static covey_status check_all(struct checking *k, const covey_run *run, covey_error *err)
{
    int n_threads = covey_run_threads(run);

    covey_i_run_poll_begin(&k->poll, run, "compare with the original", k->opened->n_rows);
    COVEY_TRY(make_keys(k, err));
    COVEY_TRY(covey_i_parallel(n_threads, 2, sort_side, k, err));
    COVEY_TRY(find_groups(k, err));
    COVEY_TRY(cut_into_tasks(k, err));
    return covey_i_parallel(n_threads, N_TASKS, check_groups, k, err);
}

covey_status covey_i_faithful_check(covey_problems *problems, const covey_opened *opened,
                                    const covey_original *original, const covey_run *run, covey_error *err)
{
    struct checking k = {.opened = opened, .original = original};
    covey_status status = check_all(&k, run, err);

    for (int task = 0; k.problems && task < N_TASKS; task++)
        covey_i_problems_move(problems, &k.problems[task]);
    covey_arena_free(&k.arena);
    return status;
}
