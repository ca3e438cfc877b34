/* Post-split: classes are as large as the worst choice among the values of their buckets could make necessary.  The
 * rows a class really got often allow more: it is halved, the first half of each value's rows along the curve to one
 * side, as long as both halves keep every promise. Source: docs/design/burel.md. */
#include "method/draw/draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "base/sort/compare.h"
#include "base/sort/keys.h"
#include "base/threads.h"
#include "table/table_impl.h"

enum { TASKS = 32 };

struct splitting {
    const covey_problem *problem;
    uint32_t n;
    uint32_t *row; /* [n] along the curve */
    const uint32_t *class_of_row;
    uint32_t n_classes;
    int64_t min_size;
    uint32_t *class_at, *value_at; /* [n] by place on the curve */
    uint32_t *place;               /* [n] places class by class, in a class value by value, along the curve */
    uint8_t *is_first;             /* [n] does a class begin here? */
    uint32_t *start;               /* [n_classes + 1] into place */
    covey_run_poll *poll;          /* rows */
};

struct half_worker {
    const struct splitting *s;
    covey_tally left, right;
    uint32_t *moved; /* [largest class] scratch */
    uint32_t *odd;   /* [values] places of the middle rows of values with an odd number of rows */
};

/* The first place in the class of whose value none has been seen. */
static uint32_t run_end(const struct splitting *s, const uint32_t *place, uint32_t start, uint32_t n)
{
    uint32_t end = start + 1;

    while (end < n && s->value_at[place[end]] == s->value_at[place[start]])
        end++;
    return end;
}

/* Which middle rows go left: those up to this place. */
static uint32_t middle_of(struct half_worker *w, const uint32_t *place, uint32_t n)
{
    uint32_t n_odd = 0;

    for (uint32_t start = 0, end; start < n; start = end) {
        end = run_end(w->s, place, start, n);
        if ((end - start) % 2)
            w->odd[n_odd++] = place[start + (end - start) / 2];
    }
    if (n_odd < 2)
        return 0;
    qsort(w->odd, n_odd, sizeof *w->odd, covey_i_compare_u32);
    return w->odd[n_odd / 2 - 1] + 1;
}

/* Fills both tallies; reorders place[0 .. n-1] so that the left half comes first, value by value in each; returns its
 * size. */
static uint32_t halve(struct half_worker *w, uint32_t *place, uint32_t n)
{
    const struct splitting *s = w->s;
    const uint32_t middle = middle_of(w, place, n);
    uint32_t n_left = 0, n_right = 0;

    covey_i_tally_clear(&w->left);
    covey_i_tally_clear(&w->right);
    for (uint32_t start = 0, end; start < n; start = end) {
        uint32_t half;

        end = run_end(s, place, start, n);
        half = start + (end - start) / 2;
        if ((end - start) % 2 && place[half] < middle)
            half++;
        for (uint32_t i = start; i < end; i++) {
            const uint32_t row = s->row[place[i]];

            covey_i_tally_add(i < half ? &w->left : &w->right, &s->problem->promises, row);
            if (i < half)
                w->moved[n_left++] = place[i];
            else
                w->moved[n - ++n_right] = place[i];
        }
    }
    return n_left;
}

/* Takes the halves over from w->moved, where the right one stands backwards. */
static void keep_halves(struct half_worker *w, uint32_t *place, uint32_t n, uint32_t n_left)
{
    memcpy(place, w->moved, n_left * sizeof *place);
    for (uint32_t i = n_left; i < n; i++)
        place[i] = w->moved[n - 1 - (i - n_left)];
}

/* Depth is at most the number of bits of n. */
static void split_class(struct half_worker *w, uint32_t first, uint32_t n)
{
    const struct splitting *s = w->s;
    uint32_t n_left;

    if (n >= 2 && n >= 2 * s->min_size) {
        n_left = halve(w, s->place + first, n);
        if (n_left >= s->min_size && n - n_left >= s->min_size &&
            covey_i_promises_admit(&s->problem->promises, &w->left) &&
            covey_i_promises_admit(&s->problem->promises, &w->right)) {
            keep_halves(w, s->place + first, n, n_left);
            split_class(w, first, n_left);
            split_class(w, first + n_left, n - n_left);
            return;
        }
    }
    s->is_first[first] = 1;
}

static covey_status split_some(void *context, size_t task, covey_error *err)
{
    const struct splitting *s = context;
    const covey_promises *promises = &s->problem->promises;
    const uint32_t begin = (uint32_t)((uint64_t)s->n_classes * task / TASKS),
                   end = (uint32_t)((uint64_t)s->n_classes * (task + 1) / TASKS);
    covey_arena arena = COVEY_ARENA_INIT;
    struct half_worker w = {.s = s};
    uint32_t largest = 0;
    covey_status status;

    for (uint32_t c = begin; c < end; c++)
        largest = s->start[c + 1] - s->start[c] > largest ? s->start[c + 1] - s->start[c] : largest;
    w.moved = covey_arena_array(&arena, uint32_t, largest);
    w.odd = covey_arena_array(&arena, uint32_t, largest);
    if (!w.moved || !w.odd)
        status = covey_i_no_memory(err);
    else if ((status = covey_i_tally_new(&w.left, promises, &arena, err)) == COVEY_OK)
        status = covey_i_tally_new(&w.right, promises, &arena, err);
    for (uint32_t c = begin; c < end && status == COVEY_OK; c++)
        if (s->start[c + 1] > s->start[c] &&
            (status = covey_i_run_poll_add(s->poll, s->start[c + 1] - s->start[c], err)) == COVEY_OK)
            split_class(&w, s->start[c], s->start[c + 1] - s->start[c]);
    covey_arena_free(&arena);
    return status;
}

/* Sorts the places by class and value, and finds where each class begins. */
static covey_status sort_places(struct splitting *s, const covey_column *sensitive, const covey_run *run,
                                covey_error *err)
{
    const uint32_t n = s->n;
    const covey_sort_key key[] = {
        {.codes = s->class_at, .width = sizeof *s->class_at, .n_values = s->n_classes},
        {.codes = s->value_at, .width = sizeof *s->value_at, .n_values = sensitive->n_values}};
    uint32_t sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        s->place[i] = i;
        s->class_at[i] = s->class_of_row[s->row[i]];
        s->value_at[i] = covey_i_code(sensitive, s->row[i]);
        s->start[s->class_at[i] + 1]++;
    }
    for (uint32_t c = 0; c <= s->n_classes; c++) {
        sum += s->start[c];
        s->start[c] = sum;
    }
    return covey_i_sort_rows_by_keys(s->place, n, key, 2, run, err);
}

covey_status covey_i_draw_split(uint32_t *class_of_row, uint32_t *n_classes, const covey_problem *problem,
                                const covey_draw_curve *curve, const covey_column *sensitive, int64_t min_size,
                                const covey_run *run, covey_error *err)
{
    const size_t n = curve->rows->n;
    covey_run_poll poll;
    struct splitting s = {.problem = problem,
                          .n = curve->rows->n,
                          .row = covey_i_array(n, sizeof *s.row),
                          .class_of_row = class_of_row,
                          .n_classes = *n_classes,
                          .min_size = min_size,
                          .class_at = covey_i_array(n, sizeof *s.class_at),
                          .value_at = covey_i_array(n, sizeof *s.value_at),
                          .place = covey_i_array(n, sizeof *s.place),
                          .is_first = covey_i_array_zero(n, sizeof *s.is_first),
                          .start = covey_i_array_zero((size_t)*n_classes + 1, sizeof *s.start)};
    covey_status status;

    if (!s.row || !s.class_at || !s.value_at || !s.place || !s.is_first || !s.start) {
        status = covey_i_no_memory(err);
        goto done;
    }
    covey_i_run_poll_begin(&poll, run, "split", curve->rows->n);
    s.poll = &poll;
    covey_i_draw_curve_rows(s.row, curve);
    if ((status = sort_places(&s, sensitive, run, err)) != COVEY_OK ||
        (status = covey_i_parallel(covey_run_threads(run), TASKS, split_some, &s, err)) != COVEY_OK)
        goto done;
    *n_classes = 0;
    for (size_t i = 0; i < n; i++) {
        *n_classes += s.is_first[i];
        class_of_row[s.row[s.place[i]]] = *n_classes - 1;
    }
done:
    covey_i_free(s.row);
    covey_i_free(s.class_at);
    covey_i_free(s.value_at);
    covey_i_free(s.place);
    covey_i_free(s.is_first);
    covey_i_free(s.start);
    return status;
}
