/* Plans the cuts of one very large class.
 *
 * One by one, each cut would take half of a class's rows out of one list and put them into another.  Here its items lie
 * in an array, each part of them in one piece, and a cut parts it in place; parts that are large are cut once each by
 * any thread, the others by one thread to the end.  The classes get the numbers that cuts one after another would give
 * them, and only then their rows. */
#include "method/peel/planned_cuts.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

enum {
    PIECE = 1 << 12, /* items that a thread cuts to the end */
    SHARES = 32,     /* of all pieces, one after the other to a thread */
    DEEPEST = 33     /* parts that are open at a time, as the smaller half is always cut first */
};

typedef struct covey_peel_planned_part {
    uint32_t start, n, n_rows; /* items; rows of all */
    uint32_t left, right;      /* parts; 0: it is not cut */
} part;

/* --- one part --- */

static void find_box(uint32_t *box, const covey_peel_table *t, const uint32_t *item, uint32_t n)
{
    const size_t d = t->width;

    memcpy(box, covey_i_peel_codes(t, item[0]), d * sizeof *box);
    memcpy(box + d, box, d * sizeof *box);
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t *codes = covey_i_peel_codes(t, item[i]);

        for (size_t a = 0; a < d; a++) {
            box[a] = codes[a] < box[a] ? codes[a] : box[a];
            box[d + a] = codes[a] > box[d + a] ? codes[a] : box[d + a];
        }
    }
}

/* Items keep their order on both sides. */
static void part_items(covey_peel_planned_cuts *planned, covey_peel_cutter *k, uint32_t at,
                       const covey_peel_cut_place *place)
{
    const covey_peel_table *t = planned->p->t;
    const uint32_t first = atomic_fetch_add(&planned->n_parts, 2);
    part *whole = &planned->part[at], *left = &planned->part[first], *right = &planned->part[first + 1];
    uint32_t n = 0, n_right = 0, n_rows = 0;

    for (uint32_t i = 0; i < k->n; i++) {
        const uint32_t item = k->lots[i];

        if (covey_i_peel_codes(t, item)[place->axis] > place->threshold) {
            k->half[n_right++] = item;
        } else {
            k->lots[n++] = item;
            n_rows += planned->size[item];
        }
    }
    memcpy(k->lots + n, k->half, n_right * sizeof *k->half);
    *left = (part){.start = whole->start, .n = n, .n_rows = n_rows};
    *right = (part){.start = whole->start + n, .n = n_right, .n_rows = whole->n_rows - n_rows};
    whole->left = first;
    whole->right = first + 1;
}

/* Cuts a part once, if that pays.  box: [2 * width] scratch. */
static covey_status cut_part(covey_peel_planned_cuts *planned, covey_peel_cutter *k, uint32_t *box, uint32_t at,
                             covey_error *err)
{
    const covey_peel_table *t = planned->p->t;
    const part *whole = &planned->part[at];
    covey_peel_cut_place best = {0};
    int64_t cost;

    if (whole->n_rows < 2 * t->min_size)
        return COVEY_OK;
    k->lots = planned->item + whole->start;
    k->n = whole->n;
    k->n_rows = whole->n_rows;
    k->box = box;
    find_box(box, t, k->lots, k->n);
    best.cost = cost = k->n_rows * covey_i_peel_box_loss(t, box, box + t->width);
    if (cost == 0)
        return COVEY_OK;
    COVEY_TRY(covey_i_peel_find_cut(&best, k, err));
    if (best.cost < cost)
        part_items(planned, k, at, &best);
    return COVEY_OK;
}

/* --- all parts --- */

struct pieces {
    covey_peel_planned_cuts *planned;
    uint32_t *large; /* [n_large] parts that are cut once each, */
    size_t n_large;
    uint32_t *piece; /* [n_pieces] and by one thread to the end */
    size_t n_pieces;
};

static covey_status new_cutter(covey_peel_cutter *k, uint32_t **box, const covey_peel_planned_cuts *planned,
                               uint32_t most, covey_error *err)
{
    covey_status status = covey_i_peel_cutter_new(k, planned->p, most, err);

    k->is_shared = true;
    k->size = planned->size;
    *box = covey_i_array(planned->p->t->width, 2 * sizeof **box);
    return status == COVEY_OK && !*box ? covey_i_no_memory(err) : status;
}

static void free_cutter(covey_peel_cutter *k, uint32_t *box, covey_peel_planned_cuts *planned)
{
    atomic_fetch_add(&planned->work, k->work);
    covey_i_peel_cutter_clear(k);
    covey_i_free(box);
}

static covey_status cut_large(void *context, size_t task, covey_error *err)
{
    const struct pieces *x = context;
    const uint32_t at = x->large[task];
    covey_peel_cutter k;
    uint32_t *box;
    covey_status status = new_cutter(&k, &box, x->planned, x->planned->part[at].n, err);

    if (status == COVEY_OK)
        status = cut_part(x->planned, &k, box, at, err);
    free_cutter(&k, box, x->planned);
    return status;
}

static covey_status cut_to_the_end(covey_peel_planned_cuts *planned, covey_peel_cutter *k, uint32_t *box, uint32_t at,
                                   covey_error *err)
{
    uint32_t open[DEEPEST + 1];
    int n_open = 0;

    for (open[n_open++] = at; n_open > 0;) {
        const part *own = &planned->part[at = open[--n_open]];
        bool left_is_smaller;

        COVEY_TRY(cut_part(planned, k, box, at, err));
        if (own->left == 0)
            continue;
        left_is_smaller = planned->part[own->left].n < planned->part[own->right].n;
        open[n_open++] = left_is_smaller ? own->right : own->left;
        open[n_open++] = left_is_smaller ? own->left : own->right;
    }
    return COVEY_OK;
}

static covey_status cut_share(void *context, size_t share, covey_error *err)
{
    const struct pieces *x = context;
    covey_peel_cutter k;
    uint32_t *box;
    covey_status status = new_cutter(&k, &box, x->planned, PIECE, err);

    for (size_t i = share; status == COVEY_OK && i < x->n_pieces; i += SHARES)
        status = cut_to_the_end(x->planned, &k, box, x->piece[i], err);
    free_cutter(&k, box, x->planned);
    return status;
}

static void add_part(struct pieces *x, uint32_t at)
{
    if (x->planned->part[at].n > PIECE)
        x->large[x->n_large++] = at;
    else
        x->piece[x->n_pieces++] = at;
}

/* Round by round: what is large is cut once in each. */
static covey_status cut_all(struct pieces *x, uint32_t *before, covey_error *err)
{
    covey_peel_planned_cuts *planned = x->planned;
    const covey_peel_watch *watch = planned->p->watch;
    const int n_threads = covey_run_threads(watch ? watch->run : NULL);

    for (add_part(x, 0); x->n_large > 0;) {
        const size_t n = x->n_large;

        COVEY_TRY(covey_i_parallel(n_threads, n, cut_large, x, err));
        memcpy(before, x->large, n * sizeof *before);
        x->n_large = 0;
        for (size_t i = 0; i < n; i++)
            if (planned->part[before[i]].left > 0) {
                add_part(x, planned->part[before[i]].left);
                add_part(x, planned->part[before[i]].right);
            }
    }
    return covey_i_parallel(n_threads, SHARES, cut_share, x, err);
}

static covey_status plan_parts(covey_peel_planned_cuts *planned, covey_error *err)
{
    const size_t most_large = planned->n_items / PIECE + 1,
                 most_parts = planned->n_rows / (uint32_t)planned->p->t->min_size;
    struct pieces x = {.planned = planned,
                       .large = covey_i_array(most_large, sizeof *x.large),
                       .piece = covey_i_array(most_parts + 1, sizeof *x.piece)};
    uint32_t *before = covey_i_array(most_large, sizeof *before);
    const covey_status status = x.large && x.piece && before ? cut_all(&x, before, err) : covey_i_no_memory(err);

    covey_i_free(x.large);
    covey_i_free(x.piece);
    covey_i_free(before);
    return status;
}

/* --- the class --- */

static void list_rows(covey_peel_planned_cuts *planned)
{
    const covey_peel *p = planned->p;

    for (uint32_t row = p->class[planned->class].first; row != COVEY_PEEL_NONE; row = p->next[row]) {
        const uint32_t item = p->t->alike[row];

        planned->row[planned->n_rows++] = row;
        if (planned->size[item]++ == 0)
            planned->item[planned->n_items++] = item;
    }
    covey_i_peel_sort_items(planned->item, planned->n_items);
}

/* No part is smaller than the least size of a class. */
static covey_status start_plan(covey_peel_planned_cuts *planned, covey_error *err)
{
    const covey_peel *p = planned->p;
    const uint32_t n = p->class[planned->class].n;
    const size_t most_parts = 2 * (size_t)n / (size_t)p->t->min_size + 1;

    planned->n_before = p->n_classes;
    planned->row = covey_i_array(n, sizeof *planned->row);
    planned->item = covey_i_array(n, sizeof *planned->item);
    planned->part = covey_i_array(most_parts, sizeof *planned->part);
    if (!planned->row || !planned->item || !planned->part)
        return covey_i_no_memory(err);
    list_rows(planned);
    planned->part[0] = (part){.n = planned->n_items, .n_rows = n};
    planned->n_parts = 1;
    return COVEY_OK;
}

covey_status covey_i_peel_plan_cuts(covey_peel_planned_cuts *planned, uint32_t *size, uint32_t least_rows,
                                    covey_error *err)
{
    covey_peel *p = planned->p;
    size_t most_classes;
    covey_status status;

    for (uint32_t c = 1; c < p->n_classes; c++)
        if (p->class[c].n > p->class[planned->class].n)
            planned->class = c;
    if (p->journal || p->n_classes == 0 || p->class[planned->class].n < least_rows)
        return COVEY_OK;
    planned->size = size;
    if ((status = start_plan(planned, err)) == COVEY_OK)
        status = plan_parts(planned, err);
    for (uint32_t i = 0; i < planned->n_items; i++)
        size[planned->item[i]] = 0;
    p->work += planned->work;
    most_classes = (size_t)p->n_classes + p->t->n_rows / (size_t)p->t->min_size; /* none has fewer rows */
    if (status == COVEY_OK && !(planned->part_of = covey_i_array_zero(most_classes + 1, sizeof *planned->part_of)))
        status = covey_i_no_memory(err);
    return status;
}

void covey_i_peel_planned_clear(covey_peel_planned_cuts *planned)
{
    covey_i_free(planned->row);
    covey_i_free(planned->item);
    covey_i_free(planned->part);
    covey_i_free(planned->part_of);
}

bool covey_i_peel_planned(const covey_peel_planned_cuts *planned, uint32_t c)
{
    return planned->part_of && (c == planned->class || planned->part_of[c] > 0);
}

covey_status covey_i_peel_planned_number(covey_peel_planned_cuts *planned, uint32_t c, covey_error *err)
{
    for (const part *own = &planned->part[planned->part_of[c]]; own->left > 0; own = &planned->part[own->left]) {
        const uint32_t right = covey_i_peel_class_new(planned->p);

        if (right == COVEY_PEEL_NONE)
            return covey_i_no_memory(err);
        planned->part_of[right] = own->right;
        planned->part_of[c] = own->left;
    }
    return COVEY_OK;
}

/* Lists come out as if rows had been moved cut by cut: what stays keeps its order, what was moved last is first. */
void covey_i_peel_planned_fill(covey_peel_planned_cuts *planned)
{
    covey_peel *p = planned->p;
    const covey_peel_table *t = p->t;
    const uint32_t class = planned->class;

    if (!planned->part_of || planned->part_of[class] == 0) /* it is not cut */
        return;
    p->class[class] = (covey_peel_class){.first = COVEY_PEEL_NONE};
    for (uint32_t c = planned->n_before; c < p->n_classes; c++) {
        const part *own = &planned->part[planned->part_of[c]];
        const uint32_t end = planned->part_of[c] > 0 ? own->start + own->n : own->start;

        for (uint32_t i = own->start; i < end; i++) {
            const uint32_t item = planned->item[i];

            for (uint32_t row = item; row < t->n_rows && t->alike[row] == item; row++)
                if (p->class_of[row] == class)
                    covey_i_peel_add(p, c, row);
        }
    }
    for (uint32_t i = planned->n_rows; i-- > 0;)
        if (p->class_of[planned->row[i]] == class)
            covey_i_peel_add(p, class, planned->row[i]);
}
