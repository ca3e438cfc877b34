/* What the promises of a sliced release reach: by the sets of pieces that agree beside the sensitive values.
 *
 * What a model of sliced releases says about a set follows from how many pieces it has and how many of them have its
 * most frequent value.  Buckets are small, and few such pairs occur: each is judged once, where it comes first. */
#include "release/sliced/figures.h"

#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "release/sliced/sliced.h"
#include "table/histogram.h"

/* Does the sensitive attribute stand in more columns than the last? */
static bool holds_twice(const covey_sliced *data)
{
    const covey_slice *last = &data->slice[data->n_slices - 1];

    for (size_t s = 0; s + 1 < data->n_slices; s++)
        if (data->slice[s].field[data->slice[s].n_fields - 1] == last->field[last->n_fields - 1])
            return true;
    return false;
}

/* Buckets are judged in pieces, each with figures of its own; the worse of two figures does not depend on their order.
 */
enum { N_PARTS = 16, SMALL = 64 /* pieces */ };

/* Where a promise's sensitive attribute stands. */
struct place {
    size_t slice, field; /* of its slice */
    size_t n_beside;     /* fields in front of all sensitive ones */
    uint32_t n_values;   /* of the attribute */
};

struct judging {
    const covey_release *release;
    const covey_problem *problem;
    const struct place *place; /* [n_promises] */
    covey_figure *figure;      /* [N_PARTS * n_promises] */
    bool any[N_PARTS];
};

/* Pieces are numbers whose last digit is the sensitive value. */
static bool ends_in_value(const covey_sliced *data, const struct place *at)
{
    return !data->pieces[at->slice].row_of && at->n_beside + 1 == data->slice[at->slice].n_fields;
}

static uint32_t n_digits(const covey_sliced *data, const struct place *at)
{
    return data->pieces[at->slice].n_values[at->field];
}

/* Are the pieces in one set, and which code does the second one have then?  They agree beside the sensitive values,
 * their last digits. */
static bool find_in_set(uint32_t *code, const struct judging *j, const struct place *at, uint32_t first_of_set,
                        uint32_t piece)
{
    if (ends_in_value(j->release->form_data, at)) {
        *code = piece - first_of_set;
        return *code < n_digits(j->release->form_data, at);
    }
    for (size_t f = 0; f < at->n_beside; f++)
        if (covey_i_sliced_code(j->release, j->problem, at->slice, f, first_of_set) !=
            covey_i_sliced_code(j->release, j->problem, at->slice, f, piece))
            return false;
    *code = covey_i_sliced_code(j->release, j->problem, at->slice, at->field, piece);
    return true;
}

/* The least piece of a set, whether there is one or not; else any. */
static uint32_t set_of(const covey_sliced *data, const struct place *at, uint32_t piece)
{
    return ends_in_value(data, at) ? piece - piece % n_digits(data, at) : piece;
}

static void judge_set(covey_figure *figure, bool first, const covey_promise *promise, const covey_histogram *counts)
{
    const covey_group group = {counts->total, counts, NULL, NULL};
    covey_figure one;

    if (!promise->model->admits(
            promise->state,
            &group)) { /* other buckets make up for it, as the method has tested: the promise is reached */
        const covey_ratio l = promise->model->least_l(promise->state);

        one = covey_i_figure_fraction(l.num, l.den);
    } else {
        promise->model->figure(&one, promise->state, &group);
    }
    if (first)
        *figure = one;
    else
        covey_i_figure_combine(promise->model, figure, &one);
}

/* Was such a set judged before?  seen: [size] a bit for each largest count, less one. */
static bool has_seen(uint64_t seen[SMALL + 1], const covey_histogram *counts)
{
    int64_t largest = 0;
    uint64_t bit;

    if (counts->total > SMALL)
        return false;
    for (uint32_t i = 0; i < counts->n_present; i++)
        largest = counts->count[counts->present[i]] > largest ? counts->count[counts->present[i]] : largest;
    bit = (uint64_t)1 << (largest - 1);
    if (seen[counts->total] & bit)
        return true;
    seen[counts->total] |= bit;
    return false;
}

/* The sets that are judged for a promise: lines of a bucket whose pieces agree but for sensitive values, which are
 * sorted last. */
static covey_status judge_promise(covey_figure *figure, const struct judging *j, size_t promise, uint32_t begin,
                                  uint32_t end, covey_error *err)
{
    const covey_release *release = j->release;
    const covey_sliced *data = release->form_data;
    const struct place *at = &j->place[promise];
    covey_arena arena = COVEY_ARENA_INIT;
    covey_histogram counts;
    const covey_status status = covey_i_histogram_new(&counts, at->n_values, &arena, err);
    uint64_t seen[SMALL + 1] = {0};
    covey_figure worst; /* on this thread's own cache lines */
    bool any = false;

    for (uint32_t b = begin; b < end && status == COVEY_OK; b++)
        for (uint32_t i = release->class_start[b]; i < release->class_start[b + 1];) {
            const uint32_t set = set_of(data, at, covey_i_sliced_piece(data, at->slice, i));
            uint32_t code;

            covey_i_histogram_clear(&counts);
            for (; i < release->class_start[b + 1] &&
                   find_in_set(&code, j, at, set, covey_i_sliced_piece(data, at->slice, i));
                 i++)
                covey_i_histogram_add(&counts, code, 1);
            if (has_seen(seen, &counts))
                continue;
            judge_set(&worst, !any, &j->problem->promises.promise[promise], &counts);
            any = true;
        }
    if (any)
        *figure = worst;
    covey_arena_free(&arena);
    return status;
}

static covey_status judge_part(void *context, size_t part, covey_error *err)
{
    struct judging *j = context;
    const size_t n = j->problem->promises.n;
    const uint32_t begin = (uint32_t)((uint64_t)j->release->n_classes * part / N_PARTS),
                   end = (uint32_t)((uint64_t)j->release->n_classes * (part + 1) / N_PARTS);

    for (size_t p = 0; p < n; p++)
        COVEY_TRY(judge_promise(&j->figure[part * n + p], j, p, begin, end, err));
    j->any[part] = end > begin;
    return COVEY_OK;
}

static struct place place_of(const covey_sliced *data, const covey_problem *problem, const covey_promise *promise)
{
    const covey_column *column = problem->promises.view[promise->view].column;
    struct place at = {.n_values = column->n_values};

    for (size_t s = 0; s < data->n_slices; s++)
        for (size_t f = 0; f < data->slice[s].n_fields; f++)
            if (problem->field[data->slice[s].field[f]].column == column) {
                at.slice = s;
                at.field = f;
            }
    while (problem->field[data->slice[at.slice].field[at.n_beside]].role != COVEY_ROLE_SENSITIVE)
        at.n_beside++;
    return at;
}

covey_status covey_i_sliced_achieved(covey_figure *figure, const covey_release *release, const covey_problem *problem,
                                     const covey_run *run, covey_error *err)
{
    const covey_promises *promises = &problem->promises;
    struct judging j = {.release = release, .problem = problem};
    struct place *place;
    covey_status status;
    bool first = true;

    if (holds_twice(release->form_data)) { /* no single set tells; the method has tested that the promise is reached */
        for (size_t p = 0; p < promises->n; p++) {
            const covey_ratio l = promises->promise[p].model->least_l(promises->promise[p].state);

            figure[p] = covey_i_figure_fraction(l.num, l.den);
        }
        return COVEY_OK;
    }
    place = covey_i_array(promises->n, sizeof *place);
    j.figure = covey_i_array_zero(N_PARTS * promises->n, sizeof *j.figure);
    for (size_t p = 0; p < promises->n && place; p++)
        place[p] = place_of(release->form_data, problem, &promises->promise[p]);
    j.place = place;
    status = place && j.figure ? covey_i_parallel(covey_run_threads(run), N_PARTS, judge_part, &j, err)
                               : covey_i_no_memory(err);
    for (size_t part = 0; part < N_PARTS && status == COVEY_OK; part++) {
        for (size_t p = 0; p < promises->n && j.any[part]; p++)
            if (first)
                figure[p] = j.figure[part * promises->n + p];
            else
                covey_i_figure_combine(promises->promise[p].model, &figure[p], &j.figure[part * promises->n + p]);
        first = first && !j.any[part];
    }
    covey_i_free(j.figure);
    covey_i_free(place);
    return status;
}
