/* Judging all classes once more, for the figures of a release. */
#include "release/figures.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

/* Classes are judged in pieces, each with a tally of its own; figures of pieces are combined in order, and the worse of
 * two figures does not depend on the order anyway. */
struct judging {
    const covey_release *release;
    const covey_problem *problem;
    size_t n_pieces;
    covey_figure *figure; /* [n_pieces * n_promises] */
    bool *any;            /* [n_pieces] */
};

static covey_status judge_class(covey_figure *figure, bool first, const struct judging *judging,
                                const covey_tally *tally, uint32_t class_index, covey_error *err)
{
    const covey_promises *promises = &judging->problem->promises;
    int broken = covey_i_promises_broken(promises, tally);

    if (broken >= 0)
        return covey_fail(err, COVEY_EINTERNAL,
                          "class %u breaks %s: this is a bug of the method, nothing was published", class_index + 1,
                          (size_t)broken < promises->n ? promises->promise[broken].model->name : "min-size");
    for (size_t p = 0; p < promises->n; p++) {
        const covey_promise *promise = &promises->promise[p];
        const covey_group group = covey_i_promise_group(promises, promise, tally);
        covey_figure one;

        promise->model->figure(&one, promise->state, &group);
        if (first)
            figure[p] = one;
        else
            covey_i_figure_combine(promise->model, &figure[p], &one);
    }
    return COVEY_OK;
}

static covey_status judge_piece(void *context, size_t piece, covey_error *err)
{
    struct judging *judging = context;
    const covey_promises *promises = &judging->problem->promises;
    uint32_t n = judging->release->n_classes;
    uint32_t begin = (uint32_t)((uint64_t)n * piece / judging->n_pieces),
             end = (uint32_t)((uint64_t)n * (piece + 1) / judging->n_pieces);
    covey_arena arena = COVEY_ARENA_INIT;
    covey_tally tally;
    covey_status status;

    if ((status = covey_i_tally_new(&tally, promises, &arena, err)) != COVEY_OK)
        goto done;
    for (uint32_t c = begin; c < end && status == COVEY_OK; c++) {
        covey_i_release_tally(&tally, judging->release, judging->problem, c);
        status = judge_class(judging->figure + piece * promises->n, c == begin, judging, &tally, c, err);
    }
    judging->any[piece] = begin < end;
done:
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_release_achieved(covey_figure *figure, const covey_release *release, const covey_problem *problem,
                                      const covey_run *run, covey_error *err)
{
    const covey_promises *promises = &problem->promises;
    struct judging judging = {release, problem, 16, NULL, NULL};
    covey_status status;
    bool first = true;

    if (release->form->achieved)
        return release->form->achieved(figure, release, problem, run, err);
    judging.figure = covey_i_array_zero(judging.n_pieces * promises->n, sizeof *judging.figure);
    judging.any = covey_i_array_zero(judging.n_pieces, sizeof *judging.any);
    if (!judging.figure || !judging.any) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = covey_i_parallel(covey_run_threads(run), judging.n_pieces, judge_piece, &judging, err)) != COVEY_OK)
        goto done;
    for (size_t piece = 0; piece < judging.n_pieces; piece++) {
        if (!judging.any[piece])
            continue;
        for (size_t p = 0; p < promises->n; p++)
            if (first)
                figure[p] = judging.figure[piece * promises->n + p];
            else
                covey_i_figure_combine(promises->promise[p].model, &figure[p],
                                       &judging.figure[piece * promises->n + p]);
        first = false;
    }
done:
    covey_i_free(judging.figure);
    covey_i_free(judging.any);
    return status;
}

/* Normalized certainty penalty of a range of codes in [0, 1]. */
static double ncp_of(const covey_axis *axis, uint32_t low, uint32_t high)
{
    if (axis->kind == COVEY_AXIS_TREE) {
        uint32_t all = covey_hierarchy_n_leaves(axis->tree);
        uint32_t n = covey_hierarchy_nodes(axis->tree)[covey_hierarchy_lca(axis->tree, low, high)].n_leaves;

        return all > 1 ? (double)(n - 1) / (double)(all - 1) : 0;
    }
    return (double)covey_i_axis_loss(axis, low, high) / (double)axis->loss_den;
}

/* The same of an attribute whose values are published in groups. */
static covey_i128 recoded_loss(const covey_recoded *recoded, const covey_axis *axis, double *ncp)
{
    covey_i128 sum = 0;

    *ncp = 0;
    for (uint32_t group = 0; group < recoded->column->n_values; group++)
        if (recoded->n_rows[group] > 0) {
            sum +=
                (covey_i128)recoded->n_rows[group] * covey_i_axis_loss(axis, recoded->low[group], recoded->high[group]);
            *ncp += recoded->n_rows[group] * ncp_of(axis, recoded->low[group], recoded->high[group]);
        }
    return sum;
}

/* Losses of the published rows on one axis. */
static covey_i128 axis_loss(const covey_release *release, const covey_problem *problem, size_t index)
{
    const size_t d = problem->n_axes;
    covey_i128 sum = 0;
    double ncp;

    if (release->recoded && release->recoded[index].column)
        return recoded_loss(&release->recoded[index], &problem->axis[index], &ncp);

    for (uint32_t c = 0; release->low && c < release->n_classes; c++)
        sum += (covey_i128)covey_i_axis_loss(&problem->axis[index], release->low[c * d + index],
                                             release->high[c * d + index]) *
               (release->class_start[c + 1] - release->class_start[c]);
    return sum;
}

/* Sizes of the classes, and ncp. */
static void add_sizes(covey_release_sums *sums, const covey_release *release, const covey_problem *problem)
{
    const size_t d = problem->n_axes;

    for (uint32_t c = 0; c < release->n_classes; c++) {
        const uint32_t size = release->class_start[c + 1] - release->class_start[c];

        sums->squares += (double)size * size;
        sums->smallest = size < sums->smallest ? size : sums->smallest;
        for (size_t a = 0; release->low && a < d; a++)
            sums->ncp += size * ncp_of(&problem->axis[a], release->low[c * d + a], release->high[c * d + a]);
    }
    for (size_t a = 0; release->recoded && a < d; a++) {
        double ncp = 0;

        if (release->recoded[a].column)
            recoded_loss(&release->recoded[a], &problem->axis[a], &ncp);
        sums->ncp += ncp;
    }
}

void covey_i_release_add_sums(covey_release_sums *sums, const covey_release *release, const covey_problem *problem)
{
    for (size_t a = 0; a < problem->n_axes; a++)
        sums->loss[a] += axis_loss(release, problem, a);
    add_sizes(sums, release, problem);
}

double covey_i_release_axis_ail(const covey_release *release, const covey_problem *problem, size_t index)
{
    const covey_axis *axis = &problem->axis[index];
    covey_i128 sum = (covey_i128)(release->n_rows - release->n_published) * axis->loss_den;

    if (release->form->axis_ail)
        return release->form->axis_ail(release, problem, index);
    sum += release->sums ? release->sums->loss[index] : axis_loss(release, problem, index);
    return release->n_rows ? (double)((long double)sum / (long double)axis->loss_den / (long double)release->n_rows)
                           : 0;
}

void covey_i_release_utility(covey_utility_figures *out, const covey_release *release, const covey_problem *problem)
{
    const uint32_t n_suppressed = release->n_rows - release->n_published;
    const size_t d = problem->n_axes;
    covey_release_sums sums = {.smallest = UINT32_MAX};

    if (release->form->utility) {
        release->form->utility(out, release, problem);
        return;
    }
    if (release->sums)
        sums = *release->sums;
    else
        add_sizes(&sums, release, problem);
    out->smallest_class = release->n_classes ? sums.smallest : 0;
    out->ail = release->low || release->recoded || release->sums || d == 0 ? release->ail
                                                                           : (double)n_suppressed / release->n_rows;
    out->ncp = d && release->n_rows
                   ? (sums.ncp + (double)n_suppressed * (double)d) / ((double)release->n_rows * (double)d)
                   : 0;
    out->discernibility = sums.squares + (double)release->n_rows * n_suppressed;
    out->average_class_size = release->n_classes ? (double)release->n_published / release->n_classes : 0;
    out->largest_risk = out->mean_risk =
        NAN; /* who knows exact quasi-identifiers finds the row, whatever the groups are */
    if (release->form->is_exact)
        return;
    out->largest_risk = release->n_classes ? 1.0 / sums.smallest : 0;
    out->mean_risk = release->n_published ? (double)release->n_classes / release->n_published : 0;
}
