/* Cutting classes of units: in which order, on how many threads, and where promises are asked for.  Where a span is cut
 * is in cutter.c. */
#include <string.h>

#include "base/error.h"
#include "base/run.h"
#include "base/threads.h"
#include "method/units/cutter.h"

enum {
    MANY = 256,      /* hulls that are cut without asking, and asked of what came of it */
    PIECE = 1 << 14, /* hulls that a thread cuts by itself, */
    ASKED = 1 << 12, /* and where promises are asked for */
    SHARES = 64,     /* of all pieces, one after the other to a thread */
    DEEPEST = 32     /* spans that are open at a time, as the smaller half is always cut first */
};

/* A class, or a half of what was cut without asking. */
struct branch {
    covey_span span;
    size_t halves; /* its halves are the branches with this number and the next one; 0: it was not cut */
    bool is_class, is_kept;
};

struct cuts {
    covey_unit_cutting c;
    covey_run_poll poll;
    uint8_t *is_first; /* [n_hulls] of a class, by places of items */
    covey_span *piece; /* [n_hulls] each cut by one thread */
    size_t n_pieces;
    covey_span *large; /* [n_hulls / ASKED + 1] cut once each, */
    uint32_t *n_left;  /* and what came of it */
    size_t n_large;
    struct branch *branch; /* where promises are asked for */
    size_t n_branches, most_branches;
};

covey_status covey_i_unit_cutting_new(covey_unit_cutting *c, covey_unit_classes *p, covey_error *err)
{
    covey_units_run *r = p->r;
    const covey_promises *promises = &r->problem->promises;
    uint32_t most = 1, *n_units;

    *c = (covey_unit_cutting){.p = p,
                              .items = p->items,
                              .r = r,
                              .d = r->problem->n_axes,
                              .least_rows = covey_i_promises_min_size(promises),
                              .share_k = covey_i_units_largest_k(promises)};
    for (size_t i = 0; i < promises->n; i++) {
        const covey_promise *promise = &promises->promise[i];
        const int64_t k = covey_i_units_least_rows(promise);

        if (promise->units != COVEY_UNITS_ROWS && k > c->least_units && k > c->share_k)
            c->least_units = k;
    }
    c->share_k = c->share_k < UINT32_MAX ? c->share_k : UINT32_MAX; /* so that products with rows are 64-bit numbers */
    c->weight = covey_arena_array(&r->arena, double, c->d);
    if (!c->weight)
        return covey_i_no_memory(err);
    if (c->least_units > 0 && c->items.of_unit) { /* else they are counted once there are items */
        if (!(c->n_units = n_units = covey_arena_array_zero(&r->arena, uint32_t, c->items.n)))
            return covey_i_no_memory(err);
        for (uint32_t u = 0; u < r->n_units; u++)
            n_units[c->items.of_unit[u]]++;
    }
    for (size_t a = 0; a < c->d; a++) {
        const covey_axis *axis = &r->problem->axis[a];

        most = axis->n_values > most ? axis->n_values : most;
        c->weight[a] = covey_ratio_value(axis->weight) / (double)axis->loss_den;
    }
    c->n_places = most < 1 << COVEY_END_BITS ? most : 1 << COVEY_END_BITS;
    return COVEY_OK;
}

/* --- one thread --- */

covey_status covey_i_unit_cutter_cut_all(uint8_t *is_first, covey_run_poll *poll, covey_unit_cutter *w, covey_span span,
                                         covey_error *err)
{
    struct {
        covey_span span;
        covey_unit_sizes sizes;
    } open[DEEPEST + 1];
    int n_open = 0;

    open[n_open].span = span;
    open[n_open++].sizes = covey_i_unit_cutter_add_up(w, span);
    while (n_open > 0) {
        uint32_t n_left;

        span = open[--n_open].span;
        COVEY_TRY(covey_i_unit_cutter_cut(&n_left, w, span, &open[n_open].sizes, err));
        if (n_left == 0) {
            is_first[span.start] = 1;
            COVEY_TRY(covey_i_run_poll_add(poll, span.n, err));
            continue;
        }
        for (int i = 0; i < 2; i++) { /* the larger half waits */
            const bool left = (i == 0) == (2 * (uint64_t)n_left >= span.n);

            open[n_open].span =
                left ? (covey_span){span.start, n_left} : (covey_span){span.start + n_left, span.n - n_left};
            open[n_open++].sizes = w->side[!left];
        }
    }
    return COVEY_OK;
}

static covey_status cut_class(struct cuts *cuts, covey_unit_cutter *w, covey_span span, covey_error *err)
{
    return covey_i_unit_cutter_cut_all(cuts->is_first, &cuts->poll, w, span, err);
}

/* --- where sizes suffice: on all threads --- */

static covey_status cut_once(void *context, size_t task, covey_error *err)
{
    struct cuts *cuts = context;
    covey_unit_cutter w;
    covey_status status = covey_i_unit_cutter_new(&w, &cuts->c, err);

    if (status == COVEY_OK && (status = covey_i_run_poll_add(&cuts->poll, 0, err)) == COVEY_OK)
        status = covey_i_unit_cutter_cut(&cuts->n_left[task], &w, cuts->large[task], NULL, err);
    covey_arena_free(&w.arena);
    return status;
}

static covey_status cut_share(void *context, size_t share, covey_error *err)
{
    struct cuts *cuts = context;
    covey_unit_cutter w;
    covey_status status = covey_i_unit_cutter_new(&w, &cuts->c, err);

    for (size_t i = share; status == COVEY_OK && i < cuts->n_pieces; i += SHARES)
        status = cut_class(cuts, &w, cuts->piece[i], err);
    covey_arena_free(&w.arena);
    return status;
}

static void add_span(struct cuts *cuts, covey_span span)
{
    if (span.n > PIECE)
        cuts->large[cuts->n_large++] = span;
    else
        cuts->piece[cuts->n_pieces++] = span;
}

/* Spans that are listed already. */
static covey_status cut_all(struct cuts *cuts, covey_error *err)
{
    const int n_threads = covey_run_threads(cuts->c.r->run);
    covey_span *half = covey_arena_array(&cuts->c.p->r->arena, covey_span, 2 * ((size_t)cuts->c.items.n / PIECE + 1));

    if (!half)
        return covey_i_no_memory(err);
    while (cuts->n_large > 0) {
        size_t n = 0;

        COVEY_TRY(covey_i_parallel(n_threads, cuts->n_large, cut_once, cuts, err));
        for (size_t i = 0; i < cuts->n_large; i++) {
            const covey_span span = cuts->large[i];
            const uint32_t n_left = cuts->n_left[i];

            if (n_left == 0) {
                cuts->piece[cuts->n_pieces++] = span;
                continue;
            }
            half[n++] = (covey_span){span.start, n_left};
            half[n++] = (covey_span){span.start + n_left, span.n - n_left};
        }
        cuts->n_large = 0;
        for (size_t i = 0; i < n; i++)
            add_span(cuts, half[i]);
    }
    return covey_i_parallel(n_threads, SHARES, cut_share, cuts, err);
}

/* --- where promises are asked for --- */

/* Cuts many units before they are judged: where all that comes of it can be classes, so could whatever was cut.  Where
 * it cannot, the cut is undone, and what is a class is cut anew.  *is_kept: these units are in classes. */
static covey_status cut_and_ask(bool *is_kept, struct cuts *cuts, covey_unit_cutter *w, covey_span span,
                                covey_error *err)
{
    uint32_t n_left = 0;
    int broken;

    if (span.n > MANY) {
        w->asks = false;
        COVEY_TRY(covey_i_unit_cutter_cut(&n_left, w, span, NULL, err));
        w->asks = true;
    }
    if (n_left > 0) {
        COVEY_TRY(cut_and_ask(is_kept, cuts, w, (covey_span){span.start, n_left}, err));
        if (*is_kept)
            COVEY_TRY(cut_and_ask(is_kept, cuts, w, (covey_span){span.start + n_left, span.n - n_left}, err));
        if (*is_kept)
            return COVEY_OK;
        memset(cuts->is_first + span.start, 0, span.n);
    }
    COVEY_TRY(covey_i_unit_cutter_judge(&broken, w, span, err));
    *is_kept = broken < 0;
    return *is_kept ? cut_class(cuts, w, span, err) : COVEY_OK;
}

static covey_status add_branch(struct cuts *cuts, covey_span span, bool is_class, covey_error *err)
{
    if (cuts->n_branches == cuts->most_branches) {
        const size_t most = 2 * cuts->most_branches + cuts->n_pieces;
        struct branch *more = covey_arena_array(&cuts->c.p->r->arena, struct branch, most);

        if (!more)
            return covey_i_no_memory(err);
        if (cuts->n_branches > 0)
            memcpy(more, cuts->branch, cuts->n_branches * sizeof *more);
        cuts->branch = more;
        cuts->most_branches = most;
    }
    cuts->branch[cuts->n_branches++] = (struct branch){.span = span, .is_class = is_class};
    return COVEY_OK;
}

/* Cuts classes of many hulls, and what comes of them, without asking. */
static covey_status branch_out(struct cuts *cuts, covey_error *err)
{
    for (size_t i = 0; i < cuts->n_pieces; i++)
        COVEY_TRY(add_branch(cuts, cuts->piece[i], true, err));
    for (size_t from = 0, to; from < cuts->n_branches; from = to) {
        to = cuts->n_branches;
        cuts->n_large = 0;
        for (size_t i = from; i < to; i++)
            if (cuts->branch[i].span.n > ASKED)
                cuts->large[cuts->n_large++] = cuts->branch[i].span;
        COVEY_TRY(covey_i_parallel(covey_run_threads(cuts->c.r->run), cuts->n_large, cut_once, cuts, err));
        for (size_t i = from, at = 0; i < to; i++) {
            const covey_span span = cuts->branch[i].span;
            const uint32_t n_left = span.n > ASKED ? cuts->n_left[at++] : 0;

            if (n_left == 0)
                continue;
            cuts->branch[i].halves = cuts->n_branches;
            COVEY_TRY(add_branch(cuts, (covey_span){span.start, n_left}, false, err));
            COVEY_TRY(add_branch(cuts, (covey_span){span.start + n_left, span.n - n_left}, false, err));
        }
    }
    return COVEY_OK;
}

/* A class of few can be one, as is known. */
static covey_status ask_share(void *context, size_t share, covey_error *err)
{
    struct cuts *cuts = context;
    covey_unit_cutter w;
    covey_status status = covey_i_unit_cutter_new(&w, &cuts->c, err);

    w.asks = true;
    for (size_t i = share; status == COVEY_OK && i < cuts->n_branches; i += SHARES) {
        struct branch *b = &cuts->branch[i];

        if (b->halves > 0)
            continue;
        status = b->is_class && b->span.n <= MANY ? cut_class(cuts, &w, b->span, err)
                                                  : cut_and_ask(&b->is_kept, cuts, &w, b->span, err);
    }
    covey_arena_free(&w.arena);
    return status;
}

/* Undoes cuts of which not all that came can be classes, the last ones first. */
static covey_status mend_branches(struct cuts *cuts, covey_error *err)
{
    covey_unit_cutter w;
    covey_status status = covey_i_unit_cutter_new(&w, &cuts->c, err);
    int broken;

    w.asks = true;
    for (size_t i = cuts->n_branches; status == COVEY_OK && i-- > 0;) {
        struct branch *b = &cuts->branch[i];

        if (b->halves == 0)
            continue;
        if ((b->is_kept = cuts->branch[b->halves].is_kept && cuts->branch[b->halves + 1].is_kept))
            continue;
        memset(cuts->is_first + b->span.start, 0, b->span.n);
        if ((status = covey_i_unit_cutter_judge(&broken, &w, b->span, err)) != COVEY_OK)
            break;
        if ((b->is_kept = broken < 0))
            status = cut_class(cuts, &w, b->span, err);
    }
    covey_arena_free(&w.arena);
    return status;
}

static covey_status cut_asking(struct cuts *cuts, covey_error *err)
{
    COVEY_TRY(branch_out(cuts, err));
    COVEY_TRY(covey_i_parallel(covey_run_threads(cuts->c.r->run), cuts->n_branches < SHARES ? cuts->n_branches : SHARES,
                               ask_share, cuts, err));
    return mend_branches(cuts, err);
}

/* --- all classes --- */

static void number_classes(uint32_t *class_of_hull, uint32_t *n_classes, const struct cuts *cuts, uint32_t n_items)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_items; i++) {
        n += cuts->is_first[i];
        class_of_hull[covey_i_unit_item_at(&cuts->c.items, i)->hull] = n - 1;
    }
    *n_classes = n;
}

/* What classes lose, summed over rows.  Sums of whole numbers, so that nothing depends on an order. */
static covey_status add_losses(double *loss, const struct cuts *cuts, uint32_t n_items, covey_error *err)
{
    const covey_unit_cutting *c = &cuts->c;
    covey_i128 *sum = covey_arena_array_zero(&c->p->r->arena, covey_i128, c->d);
    covey_unit_end *box = covey_arena_array(&c->p->r->arena, covey_unit_end, 2 * c->d);

    if (!sum || !box)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_items;) {
        int64_t n_rows = 0;

        covey_i_unit_box_clear(box, c->d);
        do {
            n_rows += covey_i_unit_item_at(&c->items, i)->n_rows;
            covey_i_unit_box_add(box, covey_i_unit_item_at(&c->items, i), c->d);
        } while (++i < n_items && !cuts->is_first[i]);
        for (size_t a = 0; a < c->d; a++)
            sum[a] += (covey_i128)n_rows * covey_i_unit_box_loss(&c->items, box, a);
    }
    *loss = 0;
    for (size_t a = 0; a < c->d; a++)
        *loss += c->weight[a] * (double)sum[a];
    return COVEY_OK;
}

covey_status covey_i_unit_classes_cut(uint32_t *class_of_hull, uint32_t *n_classes, double *loss, covey_unit_classes *p,
                                      covey_error *err)
{
    covey_units_run *r = p->r;
    const uint32_t n_hulls = p->items.n;
    struct cuts cuts = {0};
    uint32_t n_items = 0;

    COVEY_TRY(covey_i_unit_cutting_new(&cuts.c, p, err));
    cuts.is_first = covey_arena_array_zero(&r->arena, uint8_t, n_hulls);
    cuts.piece = covey_arena_array(&r->arena, covey_span, n_hulls);
    cuts.large = covey_arena_array(&r->arena, covey_span, (size_t)n_hulls / ASKED + 1);
    cuts.n_left = covey_arena_array(&r->arena, uint32_t, (size_t)n_hulls / ASKED + 1);
    if (!cuts.is_first || !cuts.piece || !cuts.large || !cuts.n_left)
        return covey_i_no_memory(err);
    for (uint32_t k = p->first; k != COVEY_NO_CLASS; k = p->class[k].following) {
        const covey_span span = {n_items, p->class[k].n_hulls};

        for (uint32_t h = p->class[k].first; h != COVEY_NO_CLASS; h = p->next[h])
            class_of_hull[n_items++] = h; /* for now: by places */
        if (r->sizes_suffice)
            add_span(&cuts, span);
        else
            cuts.piece[cuts.n_pieces++] = span;
    }
    covey_i_unit_items_arrange(&cuts.c.items, class_of_hull, n_items);
    covey_i_run_poll_begin(&cuts.poll, r->run, "cut units", n_items);
    COVEY_TRY(r->sizes_suffice ? cut_all(&cuts, err) : cut_asking(&cuts, err));
    memset(class_of_hull, 0xff, n_hulls * sizeof *class_of_hull);
    number_classes(class_of_hull, n_classes, &cuts, n_items);
    return loss ? add_losses(loss, &cuts, n_items, err) : COVEY_OK;
}
