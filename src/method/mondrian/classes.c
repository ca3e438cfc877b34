/* Mondrian's cuts for the engine that bisects, with the regions that they leave. */
#include "method/mondrian/cut.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "method/rows/bisect.h"

enum { MOST_PIECES = 64, SMALL_PIECE = 4096 };

/* What all threads share.  Beside a part stands its region: the lowest, then the highest code of each axis; then the
 * edges there. */
struct cutting {
    const covey_mondrian *m;
    uint32_t *cell;
    size_t n_axes; /* of regions; 0: none are wanted */
    covey_run_poll *poll;
};

struct worker {
    const struct cutting *c;
    covey_mondrian_worker *own;
};

static covey_status start(void *worker, const void *context, covey_arena *arena, covey_error *err)
{
    struct worker *w = worker;

    w->c = context;
    return covey_i_mondrian_worker_new(&w->own, w->c->m, arena, err);
}

/* The regions of both sides of a cut, from that of the whole. */
static void cut_region(uint32_t *left, uint32_t *right, size_t n_axes, const covey_mondrian_place *place,
                       const uint32_t *whole)
{
    memcpy(left, whole, 4 * n_axes * sizeof *left);
    memcpy(right, whole, 4 * n_axes * sizeof *right);
    left[n_axes + place->axis] = place->left_high;
    right[place->axis] = place->right_low;
    left[3 * n_axes + place->axis] = right[2 * n_axes + place->axis] = place->edge;
}

static covey_status cut(covey_bisected *out, covey_span half[2], uint32_t *half_notes, void *worker, int n_threads,
                        covey_span part, const uint32_t *notes, covey_error *err)
{
    const struct worker *w = worker;
    const struct cutting *c = w->c;
    const size_t d = c->n_axes;
    covey_mondrian_region region;
    covey_mondrian_place place;
    uint32_t n_left;

    if (d > 0)
        region = (covey_mondrian_region){notes, notes + d, notes + 2 * d, notes + 3 * d};
    COVEY_TRY(covey_i_run_poll_add(c->poll, part.n, err));
    COVEY_TRY(covey_i_mondrian_cut(&n_left, &place, w->own, c->cell + part.start, part.n, d > 0 ? &region : NULL, err));
    *out = n_left > 0 ? COVEY_BISECTED_CUT : COVEY_BISECTED_CLOSED;
    if (n_left == 0)
        return COVEY_OK;
    half[0] = (covey_span){part.start, n_left};
    half[1] = (covey_span){part.start + n_left, part.n - n_left};
    if (d > 0)
        cut_region(half_notes, half_notes + 4 * d, d, &place, notes);
    return COVEY_OK;
}

static covey_status close(void *result, void *worker, covey_span part, const uint32_t *notes, covey_error *err)
{
    covey_parts *classes = result;

    classes->n_notes = 4 * ((const struct worker *)worker)->c->n_axes;
    return covey_i_parts_add(classes, part, notes, err);
}

/* The whole of all axes. */
static void fill_region(uint32_t *region, const covey_problem *problem)
{
    const size_t d = problem->n_axes;

    for (size_t a = 0; a < d; a++) {
        region[a] = region[2 * d + a] = 0;
        region[d + a] = problem->axis[a].n_values - 1;
        region[3 * d + a] = UINT32_MAX;
    }
}

/* Piece by piece the classes, and their regions if they are wanted. */
static covey_status gather_classes(covey_mondrian_classes *out, const covey_bisection *bisection, size_t n_axes,
                                   covey_error *err)
{
    const covey_parts *piece = bisection->result;
    size_t n = 0;

    for (size_t p = 0; p < bisection->n; p++)
        n += piece[p].n;
    out->cells = covey_i_array(n, sizeof *out->cells);
    out->regions = (covey_regions){.low = covey_i_array(n * n_axes, sizeof *out->regions.low),
                                   .high = covey_i_array(n * n_axes, sizeof *out->regions.high)};
    if (!out->cells || !out->regions.low || !out->regions.high)
        return covey_i_no_memory(err);
    for (size_t p = 0; p < bisection->n; p++)
        for (size_t i = 0; i < piece[p].n; i++, out->n++) {
            out->cells[out->n] = piece[p].part[i];
            if (n_axes == 0)
                continue;
            memcpy(out->regions.low + out->n * n_axes, piece[p].notes + i * 4 * n_axes,
                   n_axes * sizeof *out->regions.low);
            memcpy(out->regions.high + out->n * n_axes, piece[p].notes + (i * 4 + 1) * n_axes,
                   n_axes * sizeof *out->regions.high);
        }
    return COVEY_OK;
}

covey_status covey_i_mondrian_cut_all(covey_mondrian_classes *classes, bool with_regions, const covey_mondrian *m,
                                      uint32_t *cell, const covey_run *run, covey_error *err)
{
    covey_run_poll poll;
    const struct cutting c = {m, cell, with_regions ? m->problem->n_axes : 0, &poll};
    const covey_bisector rule = {.worker_size = sizeof(struct worker),
                                 .result_size = sizeof(covey_parts),
                                 .n_notes = 4 * c.n_axes,
                                 .small = SMALL_PIECE,
                                 .most_open = MOST_PIECES,
                                 .start = start,
                                 .cut = cut,
                                 .close = close};
    covey_bisection bisection = {0};
    uint32_t *region = covey_i_array(rule.n_notes, sizeof *region);
    covey_status status;

    *classes = (covey_mondrian_classes){0};
    if (!region)
        return covey_i_no_memory(err);
    covey_i_run_poll_begin(&poll, run, "cut", 0);
    if (with_regions)
        fill_region(region, m->problem);
    if ((status = covey_i_bisect(&bisection, &rule, &c, (covey_span){0, m->cells.n}, region, run, err)) == COVEY_OK)
        status = gather_classes(classes, &bisection, c.n_axes, err);
    for (size_t p = 0; p < bisection.n; p++)
        covey_i_parts_clear((covey_parts *)bisection.result + p);
    covey_i_free(bisection.result);
    covey_i_free(region);
    if (status != COVEY_OK)
        covey_i_mondrian_classes_clear(classes);
    return status;
}

void covey_i_mondrian_classes_clear(covey_mondrian_classes *classes)
{
    covey_i_free(classes->cells);
    covey_i_free(classes->regions.low);
    covey_i_free(classes->regions.high);
    *classes = (covey_mondrian_classes){0};
}
