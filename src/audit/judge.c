/* Judging every published class, and comparing with what the manifest says. */
#include "audit/judge.h"

#include <inttypes.h>
#include <string.h>

#include "base/codes.h"
#include "base/error.h"
#include "base/threads.h"
#include "reader/form_impl.h"

/* Classes are judged in pieces of about as many entries, each with histograms and problems of its own. */
struct piece {
    uint32_t begin, end;  /* classes */
    covey_judged *judged; /* [n_promises] figure, worst_class, any, broken of this piece */
    covey_problems problems;
};

enum { PIECES_PER_THREAD = 4 };

/* The groups in memory. */
struct judging {
    const covey_judging *j;
    struct piece *piece;
};

/* Two figures of one model; the worst class is the first that makes the figure worse. */
static bool differ(const covey_figure *a, const covey_figure *b)
{
    if (a->infinite || b->infinite)
        return a->infinite != b->infinite;
    switch (a->kind) {
    case COVEY_FIGURE_INTEGER:
        return a->integer != b->integer;
    case COVEY_FIGURE_KE:
        return a->integer != b->integer || a->fraction.num != b->fraction.num || a->fraction.den != b->fraction.den;
    case COVEY_FIGURE_FRACTION:
        return a->fraction.num != b->fraction.num || a->fraction.den != b->fraction.den;
    case COVEY_FIGURE_REAL:
        break;
    }
    return a->real < b->real || a->real > b->real;
}

/* worst: [2] the classes of the figure, as in judged.  k and e become worse on their own: where one does the class of
 * the other stays, or the worst class would depend on how the classes were cut into pieces. */
static void keep_worse(covey_judged *into, const covey_model *model, const covey_figure *figure, const uint32_t *worst)
{
    const covey_figure before = into->figure;
    const bool is_first = !into->any, has_both = figure->kind == COVEY_FIGURE_KE;

    if (is_first) {
        into->figure = *figure;
        into->any = true;
    } else {
        covey_i_figure_combine(model, &into->figure, figure);
        if (!differ(&before, &into->figure))
            return;
    }
    if (is_first || !has_both || before.integer != into->figure.integer)
        into->worst[0] = worst[0];
    if (is_first || !has_both || covey_i_fraction_compare(before.fraction, into->figure.fraction) != 0)
        into->worst[1] = worst[1];
    into->worst_class = into->worst[0] > into->worst[1] ? into->worst[0] : into->worst[1];
    if (model->judge)
        covey_i_figure_reduce(&into->figure);
}

/* Rows of a group. */
static int64_t size_of(const covey_opened_groups *groups, uint32_t g)
{
    int64_t size = 0;

    if (!groups->count)
        return (int64_t)groups->start[g + 1] - groups->start[g];
    for (uint32_t e = groups->start[g]; e < groups->start[g + 1]; e++)
        size += groups->count[e];
    return size;
}

static void judge_class(struct piece *piece, const covey_judging *j, const covey_histogram *counts, uint32_t c)
{
    const uint32_t number = j->opened->first_class + c + 1;
    int64_t size = size_of(&j->opened->groups, c);
    size_t n_quasi = j->codes->n;

    for (size_t p = 0; p < j->n_promises; p++) {
        const covey_judged *bound = &j->judged[p];
        covey_group group = {.size = size};
        covey_figure figure;
        char text[96];
        bool admitted;

        if (!bound->promise.checkable)
            continue;
        group.counts = bound->promise.view ? &counts[bound->promise.view - j->views->view] : NULL;
        group.low = n_quasi ? j->codes->low + c * n_quasi : NULL;
        group.high = n_quasi ? j->codes->high + c * n_quasi : NULL;
        admitted = covey_i_model_judge(&figure, bound->promise.model, bound->promise.state, &group);
        keep_worse(&piece->judged[p], bound->promise.model, &figure, (const uint32_t[]){number, number});
        if (admitted)
            continue;
        piece->judged[p].broken = true;
        if (bound->promise.model->judge)
            covey_i_figure_reduce(&figure);
        covey_i_figure_text(text, sizeof text, &figure);
        covey_i_problem(&piece->problems, "%s %" PRIu32 " breaks %s%s%s: it reaches only %s",
                        j->opened->stated->published_as->word, number, bound->promise.model->name,
                        bound->promise.view ? " of " : "", bound->promise.view ? bound->promise.view->name : "", text);
    }
}

/* Runs of entries with one value are counted at once: in most forms the values of a class stand together. */
static void count_runs(covey_histogram *h, const covey_opened_view *view, uint32_t begin, uint32_t end)
{
    COVEY_CODES_TYPED(view->text->width, {
        const covey_code *code = view->text->codes;

        for (uint32_t e = begin, next; e < end; e = next) {
            const covey_code own = code[e];

            for (next = e + 1; next < end && code[next] == own;)
                next++;
            covey_i_histogram_add(h, view->value_of_cell[own], next - e);
        }
    });
}

static void count_class(covey_histogram *h, const covey_opened_view *view, const covey_opened_groups *groups,
                        uint32_t c)
{
    const uint32_t begin = groups->start[c], end = groups->start[c + 1];

    if (view->joint || groups->count)
        for (uint32_t e = begin; e < end; e++)
            covey_i_histogram_add(h, covey_i_view_value(view, e), covey_i_rows_of_entry(groups, e));
    else
        count_runs(h, view, begin, end);
}

static covey_status judge_piece(void *context, size_t task, covey_error *err)
{
    struct judging *judging = context;
    const covey_judging *j = judging->j;
    struct piece *piece = &judging->piece[task];
    const covey_opened_groups *groups = &j->opened->groups;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_histogram *counts = covey_arena_array_zero(&arena, covey_histogram, j->views->n);
    covey_status status = counts ? COVEY_OK : covey_i_no_memory(err);

    for (size_t v = 0; v < j->views->n && status == COVEY_OK; v++)
        if (j->used[v])
            status = covey_i_histogram_new(&counts[v], j->views->view[v].dictionary->n_values, &arena, err);
    for (uint32_t c = piece->begin; c < piece->end && status == COVEY_OK; c++) {
        for (size_t v = 0; v < j->views->n; v++) {
            if (!j->used[v])
                continue;
            covey_i_histogram_clear(&counts[v]);
            count_class(&counts[v], &j->views->view[v], groups, c);
        }
        judge_class(piece, j, counts, c);
    }
    covey_arena_free(&arena);
    return status;
}

/* Pieces of equal numbers of entries, as far as classes allow. */
static covey_status cut_into_pieces(struct judging *judging, size_t n, covey_arena *arena, covey_error *err)
{
    const covey_judging *j = judging->j;
    const covey_opened_groups *groups = &j->opened->groups;
    uint32_t c = j->opened->n_seen;

    if (!(judging->piece = covey_arena_array_zero(arena, struct piece, n)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        uint64_t end = (uint64_t)groups->start[groups->n] * (i + 1) / n;

        judging->piece[i].begin = c;
        while (c < groups->n && groups->start[c + 1] <= end)
            c++;
        judging->piece[i].end = c;
        /* one more, so that pieces do not share a cache line */
        if (!(judging->piece[i].judged = covey_arena_array_zero(arena, covey_judged, j->n_promises + 1)))
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}

static void collect(struct judging *judging, size_t n_pieces, covey_problems *problems)
{
    const covey_judging *j = judging->j;

    for (size_t i = 0; i < n_pieces; i++) {
        for (size_t p = 0; p < j->n_promises; p++) {
            const covey_judged *part = &judging->piece[i].judged[p];

            if (part->any)
                keep_worse(&j->judged[p], j->judged[p].promise.model, &part->figure, part->worst);
            j->judged[p].broken |= part->broken;
        }
        covey_i_problems_move(problems, &judging->piece[i].problems);
    }
}

/* --- rows that were suppressed --- */

/* Their sensitive values follow from a prior by subtraction. */
static covey_status find_suppressed(covey_histogram *out, const covey_opened_view *view, covey_arena *arena,
                                    covey_error *err)
{
    COVEY_TRY(covey_i_histogram_new(out, view->dictionary->n_values, arena, err));
    for (uint32_t v = 0; v < view->dictionary->n_values; v++)
        if (view->prior.count[v] > view->published.count[v])
            covey_i_histogram_add(out, v, view->prior.count[v] - view->published.count[v]);
    return COVEY_OK;
}

/* Where a prior is published, the suppressed rows taken as one class must keep every promise that can be judged. */
static covey_status judge_suppressed(const covey_judging *j, covey_problems *problems, covey_arena *arena,
                                     covey_error *err)
{
    covey_histogram *gone = covey_arena_array_zero(arena, covey_histogram, j->views->n);
    int64_t n_suppressed = j->opened->stated->n_suppressed;
    bool any = false;

    if (!gone)
        return covey_i_no_memory(err);
    for (size_t v = 0; v < j->views->n; v++)
        if (j->views->view[v].usable && j->views->view[v].has_prior) {
            COVEY_TRY(find_suppressed(&gone[v], &j->views->view[v], arena, err));
            any = true;
        }
    for (size_t p = 0; p < j->n_promises && any; p++) {
        covey_judged *judged = &j->judged[p];
        covey_group group = {.size = n_suppressed};

        if (!judged->promise.checkable || (judged->promise.view && !judged->promise.view->has_prior))
            continue;
        group.counts = judged->promise.view ? &gone[judged->promise.view - j->views->view] : NULL;
        if (group.counts &&
            group.counts->total != n_suppressed) /* rows that do not add up are a problem of their own */
            continue;
        if (judged->promise.model->admits(judged->promise.state, &group))
            continue;
        judged->broken = true;
        covey_i_problem(problems,
                        "the %" PRId64 " suppressed rows, whose sensitive values follow from the prior, break %s%s%s",
                        n_suppressed, judged->promise.model->name, judged->promise.view ? " of " : "",
                        judged->promise.view ? judged->promise.view->name : "");
    }
    return COVEY_OK;
}

/* --- all of it --- */

covey_status covey_i_judge_begin(covey_judging *j, covey_judged *out, const covey_opened *opened,
                                 const covey_opened_views *views, const covey_quasi_codes *codes,
                                 covey_problems *problems, covey_arena *arena, covey_error *err)
{
    *j = (covey_judging){.opened = opened,
                         .views = views,
                         .codes = codes,
                         .judged = out,
                         .n_promises = opened->stated->n_promises,
                         .used = covey_arena_array_zero(arena, bool, views->n)};
    if (!j->used)
        return covey_i_no_memory(err);
    for (size_t p = 0; p < j->n_promises; p++) {
        out[p] = (covey_judged){.promise.stated = &opened->stated->promise[p]};
        COVEY_TRY(covey_i_bind_promise(&out[p].promise, opened, views, codes, problems, arena, err));
        if (out[p].promise.checkable && out[p].promise.view)
            j->used[out[p].promise.view - views->view] = true;
    }
    return COVEY_OK;
}

covey_status covey_i_judge_groups(const covey_judging *j, covey_problems *problems, const covey_run *run,
                                  covey_error *err)
{
    struct judging judging = {.j = j};
    size_t n_pieces = (size_t)covey_run_threads(run) * PIECES_PER_THREAD;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = cut_into_pieces(&judging, n_pieces, &arena, err);

    if (status == COVEY_OK) {
        status = covey_i_parallel(covey_run_threads(run), n_pieces, judge_piece, &judging, err);
        collect(&judging, n_pieces, problems);
    }
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_judge_end(const covey_judging *j, covey_problems *problems, covey_arena *arena, covey_error *err)
{
    return j->opened->stated->n_suppressed > 0 && !j->opened->stated->is_piece
               ? judge_suppressed(j, problems, arena, err)
               : COVEY_OK;
}

covey_status covey_i_judge(covey_judged *out, const covey_opened *opened, const covey_opened_views *views,
                           const covey_quasi_codes *codes, covey_problems *problems, const covey_run *run,
                           covey_arena *arena, covey_error *err)
{
    covey_judging j;

    COVEY_TRY(covey_i_judge_begin(&j, out, opened, views, codes, problems, arena, err));
    if (opened->groups.n == 0)
        return COVEY_OK;
    COVEY_TRY(covey_i_judge_groups(&j, problems, run, err));
    return covey_i_judge_end(&j, problems, arena, err);
}
