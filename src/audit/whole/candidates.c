/* Classes that a unit may go to: the cells of the class hold all of its rows, and it needs as many of each kind. */
#include "audit/whole/question.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "reader/units.h"

/* Beyond these the question is given up: some seconds, and half a GiB. */
static const int64_t MOST_SEEN = INT64_C(1) << 30;
static const size_t MOST_PAIRS = (size_t)1 << 25;

struct pair {
    uint32_t unit, class;
};

struct finding {
    covey_whole_question *q;
    uint32_t *unit_of_row; /* [rows of the original] */
    uint32_t *n_seen;      /* [n_units] rows that the class's cells hold */
    uint32_t *touched, n_touched;
    uint32_t *need, *count; /* [n_kinds] of the class; scratch */
    int64_t left;           /* rows that may still be seen */
    struct pair *pair;
    size_t n, capacity;
    bool is_short; /* of memory */
};

static void add_pair(struct finding *f, uint32_t unit, uint32_t class)
{
    if (f->n == f->capacity) {
        const size_t more = f->capacity ? 2 * f->capacity : 1024;
        struct pair *grown = covey_i_realloc(f->pair, more, sizeof *f->pair);

        if (!grown) {
            f->is_short = true;
            return;
        }
        f->pair = grown;
        f->capacity = more;
    }
    f->pair[f->n++] = (struct pair){unit, class};
}

static void see(void *context, uint32_t point)
{
    struct finding *f = context;
    const covey_whole_question *q = f->q;

    f->left -= q->point_start[point + 1] - q->point_start[point];
    for (uint32_t i = q->point_start[point]; i < q->point_start[point + 1] && f->left >= 0; i++) {
        const uint32_t row = q->point_row[i], unit = f->unit_of_row[row];

        if (f->need[q->kind[row * q->n_each]] == 0)
            continue;
        if (f->n_seen[unit]++ == 0)
            f->touched[f->n_touched++] = unit;
    }
}

/* May a unit be one of the class, by what is stated of its units? */
static bool is_as_stated(const covey_whole_question *q, uint32_t class, uint32_t unit)
{
    const int64_t largest = q->proof->audit->opened->units->largest[class - 1],
                  size = q->unit_start[unit + 1] - q->unit_start[unit];
    const covey_whole_row *row = &q->row[q->unit_start[unit]];

    if (!q->are_alike)
        return size <= largest;
    for (int64_t i = 1; i < size; i++)
        if (row[i].kind[q->n_each - 1] != row->kind[q->n_each - 1])
            return false;
    return size == largest;
}

static void find_of_class(struct finding *f, uint32_t class)
{
    const covey_whole_question *q = f->q;

    for (uint32_t i = q->need_start[class]; i < q->need_start[class + 1]; i++)
        f->need[q->need[i].kind] = q->need[i].n_rows;
    f->n_touched = 0;
    if (class > 0)
        q->visit(q, class, see, f);
    for (uint32_t i = 0; i < (class > 0 ? f->n_touched : q->n_units); i++) {
        const uint32_t unit = class > 0 ? f->touched[i] : i, size = q->unit_start[unit + 1] - q->unit_start[unit];

        if ((class == 0 || (f->n_seen[unit] == size && is_as_stated(q, class, unit))) &&
            covey_i_whole_has_room(q, unit, f->need, f->count))
            add_pair(f, unit, class);
        f->n_seen[unit] = 0;
    }
    for (uint32_t i = q->need_start[class]; i < q->need_start[class + 1]; i++)
        f->need[q->need[i].kind] = 0;
}

static covey_status find_pairs(struct finding *f, covey_error *err)
{
    covey_whole_question *q = f->q;
    const uint32_t n_classes = q->proof->audit->opened->n_classes;

    for (uint32_t c = 0; c <= n_classes && !q->gave_up; c++) {
        if (c % 1024 == 0)
            COVEY_TRY(covey_i_run_goes_on(q->proof->audit->run, "look for whole units", c, n_classes, err));
        if (c == 0 && q->need_start[1] == 0)
            continue;
        find_of_class(f, c);
        if (f->is_short)
            return covey_i_no_memory(err);
        q->gave_up = f->left < 0 || f->n > MOST_PAIRS;
    }
    return COVEY_OK;
}

/* By unit, in the order of classes. */
static covey_status sort_pairs(struct finding *f, covey_error *err)
{
    covey_whole_question *q = f->q;
    uint32_t *at = covey_arena_array(q->arena, uint32_t, q->n_units);

    q->choice_start = covey_arena_array_zero(q->arena, uint32_t, (size_t)q->n_units + 1);
    q->choice = covey_arena_array(q->arena, uint32_t, f->n);
    if (!at || !q->choice_start || !q->choice)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < f->n; i++)
        q->choice_start[f->pair[i].unit + 1]++;
    for (uint32_t u = 0; u < q->n_units; u++) {
        at[u] = q->choice_start[u];
        q->choice_start[u + 1] += q->choice_start[u];
    }
    for (size_t i = 0; i < f->n; i++)
        q->choice[at[f->pair[i].unit]++] = f->pair[i].class;
    return COVEY_OK;
}

covey_status covey_i_whole_candidates(covey_whole_question *q, covey_error *err)
{
    const uint32_t n_rows = q->proof->original->n_rows;
    struct finding f = {
        .q = q,
        .unit_of_row = covey_arena_array(q->arena, uint32_t, n_rows),
        .n_seen = covey_arena_array_zero(q->arena, uint32_t, q->n_units),
        .touched = covey_arena_array(q->arena, uint32_t, q->n_units),
        .need = covey_arena_array_zero(q->arena, uint32_t, q->n_kinds),
        .count = covey_arena_array_zero(q->arena, uint32_t, q->n_kinds),
        .left = MOST_SEEN,
    };
    covey_status status;

    if (!f.unit_of_row || !f.n_seen || !f.touched || !f.need || !f.count)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_rows; i++)
        f.unit_of_row[q->row[i].row] = q->row[i].unit;
    status = find_pairs(&f, err);
    if (status == COVEY_OK && !q->gave_up)
        status = sort_pairs(&f, err);
    covey_i_free(f.pair);
    return status;
}
