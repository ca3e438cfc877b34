/* Counters of merged units: begun, written as bytes, and added from bytes again. */
#include "parts/merge/merged.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "release/manifest/manifest.h"
#include "table/histogram.h"

static const char MAGIC[16] = "covey sums 1\n";

covey_status covey_i_merged_new(covey_merged *out, const covey_problem *problem, covey_arena *arena, covey_error *err)
{
    const covey_promises *promises = &problem->promises;
    covey_release_sums *sums = &out->sums;

    *out = (covey_merged){.achieved = covey_arena_array_zero(arena, covey_figure, promises->n),
                          .published = covey_arena_array_zero(arena, covey_histogram, promises->n_views)};
    *sums = (covey_release_sums){.loss = covey_arena_array_zero(arena, covey_i128, problem->n_axes),
                                 .smallest = UINT32_MAX,
                                 .shown = covey_arena_array_zero(arena, bool *, problem->n_fields),
                                 .label = covey_arena_array_zero(arena, bool *, problem->n_fields)};
    if (!out->achieved || !out->published || !sums->loss || !sums->shown || !sums->label)
        return covey_i_no_memory(err);
    for (size_t v = 0; v < promises->n_views; v++)
        COVEY_TRY(covey_i_histogram_new(&out->published[v], promises->view[v].prior->n_values, arena, err));
    for (size_t f = 0; f < problem->n_fields; f++) {
        const covey_field *field = &problem->field[f];

        if (covey_i_manifest_field_lists_values(field) &&
            !(sums->shown[f] = covey_arena_array_zero(arena, bool, field->column->n_values)))
            return covey_i_no_memory(err);
        if (field->tree && !covey_i_release_field_publishes_all_labels(field) &&
            !(sums->label[f] = covey_arena_array_zero(arena, bool, covey_hierarchy_n_nodes(field->tree))))
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}

/* --- bytes --- */

/* Everything of a fixed size. */
struct head {
    char magic[sizeof MAGIC];
    uint64_t figure_size, n_promises, n_views, n_axes, n_fields;
    int64_t n_published, n_classes;
    uint64_t kind, goal, is_seeded, any, smallest, facts_size;
    double ncp, squares;
    covey_i128 sum_error, max_error;
    char note[512];
};

static void put(covey_text *out, const void *bytes, size_t size)
{
    covey_i_text_add(out, bytes, size);
}

covey_status covey_i_merged_write(covey_text *out, const covey_merged *m, const covey_problem *problem,
                                  covey_error *err)
{
    const covey_promises *promises = &problem->promises;
    struct head head;

    memset(&head, 0, sizeof head);
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    head.figure_size = sizeof *m->achieved;
    head.n_promises = promises->n;
    head.n_views = promises->n_views;
    head.n_axes = problem->n_axes;
    head.n_fields = problem->n_fields;
    head.n_published = m->n_published;
    head.n_classes = m->n_classes;
    head.kind = m->kind;
    head.goal = m->goal;
    head.is_seeded = m->is_seeded;
    head.any = m->any;
    head.smallest = m->sums.smallest;
    head.facts_size = m->facts ? strlen(m->facts) + 1 : 0;
    head.ncp = m->sums.ncp;
    head.squares = m->sums.squares;
    head.sum_error = m->sum_error;
    head.max_error = m->max_error;
    memcpy(head.note, m->note, sizeof head.note);
    put(out, &head, sizeof head);
    put(out, m->achieved, promises->n * sizeof *m->achieved);
    put(out, m->sums.loss, problem->n_axes * sizeof *m->sums.loss);
    for (size_t v = 0; v < promises->n_views; v++)
        put(out, m->published[v].count, m->published[v].n_values * sizeof *m->published[v].count);
    for (size_t f = 0; f < problem->n_fields; f++) {
        if (m->sums.shown[f])
            put(out, m->sums.shown[f], problem->field[f].column->n_values);
        if (m->sums.label[f])
            put(out, m->sums.label[f], covey_hierarchy_n_nodes(problem->field[f].tree));
    }
    if (m->facts)
        put(out, m->facts, head.facts_size);
    return out->broken ? covey_i_no_memory(err) : COVEY_OK;
}

struct taking {
    const char *at, *end;
    bool is_short;
};

/* size bytes to `to`; zeros if there are no more. */
static void take(void *to, struct taking *t, size_t size)
{
    t->is_short |= (size_t)(t->end - t->at) < size;
    if (t->is_short) {
        memset(to, 0, size);
        return;
    }
    memcpy(to, t->at, size);
    t->at += size;
}

static void take_marks(bool *mark, struct taking *t, size_t n)
{
    for (size_t i = 0; mark && i < n; i++) {
        unsigned char one;

        take(&one, t, 1);
        mark[i] |= one != 0;
    }
}

static void add_figures(covey_merged *into, struct taking *t, const covey_promises *promises)
{
    for (size_t p = 0; p < promises->n; p++) {
        covey_figure figure;

        take(&figure, t, sizeof figure);
        if (t->is_short)
            return;
        if (into->any)
            covey_i_figure_combine(promises->promise[p].model, &into->achieved[p], &figure);
        else
            into->achieved[p] = figure;
    }
}

static void add_numbers(covey_merged *into, const struct head *head)
{
    into->kind = (covey_part_kind)head->kind;
    into->goal = (covey_part_goal)head->goal;
    into->is_seeded |= head->is_seeded != 0;
    into->n_published += head->n_published;
    into->n_classes += head->n_classes;
    into->sums.ncp += head->ncp;
    into->sums.squares += head->squares;
    into->sums.smallest = head->smallest < into->sums.smallest ? (uint32_t)head->smallest : into->sums.smallest;
    into->sum_error += head->sum_error;
    into->max_error = head->max_error > into->max_error ? head->max_error : into->max_error;
    memcpy(into->note, head->note, sizeof into->note);
    into->note[sizeof into->note - 1] = '\0';
}

static void add_lists(covey_merged *into, struct taking *t, const covey_problem *problem)
{
    for (size_t a = 0; a < problem->n_axes; a++) {
        covey_i128 loss;

        take(&loss, t, sizeof loss);
        into->sums.loss[a] += loss;
    }
    for (size_t v = 0; v < problem->promises.n_views; v++)
        for (uint32_t i = 0; i < into->published[v].n_values; i++) {
            int64_t n;

            take(&n, t, sizeof n);
            if (n > 0)
                covey_i_histogram_add(&into->published[v], i, n);
        }
    for (size_t f = 0; f < problem->n_fields; f++) {
        take_marks(into->sums.shown[f], t, problem->field[f].column->n_values);
        if (into->sums.label[f])
            take_marks(into->sums.label[f], t, covey_hierarchy_n_nodes(problem->field[f].tree));
    }
}

covey_status covey_i_merged_add(covey_merged *into, const char *bytes, size_t size, const covey_problem *problem,
                                covey_error *err)
{
    const covey_promises *promises = &problem->promises;
    struct taking t = {.at = bytes, .end = bytes + size};
    struct head head;

    take(&head, &t, sizeof head);
    if (t.is_short || memcmp(head.magic, MAGIC, sizeof MAGIC) != 0 || head.figure_size != sizeof(covey_figure) ||
        head.n_promises != promises->n || head.n_views != promises->n_views || head.n_axes != problem->n_axes ||
        head.n_fields != problem->n_fields || head.kind >= COVEY_PART_KINDS || head.goal >= COVEY_PART_GOALS)
        return covey_fail(err, COVEY_EINVAL, "these are no sums of this recipe, by the same build of covey");
    if (!head.any)
        return COVEY_OK;
    if (into->any && (into->kind != head.kind || into->goal != head.goal))
        return covey_fail(err, COVEY_EINVAL, "a range was made with other parameters");
    add_figures(into, &t, promises);
    add_numbers(into, &head);
    add_lists(into, &t, problem);
    if (!into->facts && head.facts_size > 0 && head.facts_size <= (size_t)(t.end - t.at)) {
        if (!(into->facts = covey_i_malloc(head.facts_size)))
            return covey_i_no_memory(err);
        take(into->facts, &t, head.facts_size);
        into->facts[head.facts_size - 1] = '\0';
    }
    into->any = true;
    return t.is_short ? covey_fail(err, COVEY_EINVAL, "the sums of a range are cut off") : COVEY_OK;
}
