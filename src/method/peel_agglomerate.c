/* The other start: what peeling left grows from single cells to classes.  In every round each cluster that is no class yet has a wish --
 * to be merged with what is nearest, or to be filled up from a class that can spare rows -- and the cheapest wishes are granted. */
#include "method/peel_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { MOST_ROUNDS = 200 };
static const double GRANTED = 0.3; /* of the wishes in a round */

struct wish {
    double score;
    uint32_t cluster;
    uint32_t class; /* to be merged with, or */
    uint32_t donor; /* the row to get first; COVEY_PEEL_NONE: merge */
};

struct clusters {
    covey_peel *p;
    uint32_t first;       /* classes before it were there already */
    uint8_t *is_class;    /* [n_classes] */
    uint8_t *is_touched;  /* [n_classes] in this round */
    struct wish *wish;
};

static bool holds(covey_peel *p, uint32_t c)
{
    return covey_i_peel_admits(p, c, COVEY_PEEL_NONE, COVEY_PEEL_NONE);
}

/* A cluster for every cell that has rows in no class. */
static covey_status make_clusters(covey_peel *p, covey_error *err)
{
    uint32_t c = COVEY_PEEL_NONE, last = COVEY_PEEL_NONE;

    for (uint32_t r = 0; r < p->t->n_rows; r++) {
        if (p->class_of[r] != COVEY_PEEL_NONE)
            continue;
        if (p->t->cell[r] != last && (c = covey_i_peel_class_new(p)) == COVEY_PEEL_NONE)
            return covey_fail(err, COVEY_ENOMEM, "%u classes", p->n_classes);
        last = p->t->cell[r];
        covey_i_peel_add(p, c, r);
    }
    return COVEY_OK;
}

/* What cluster c wishes; false: nothing is possible. */
static bool make_wish(struct wish *wish, struct clusters *k, uint32_t c)
{
    covey_peel *p = k->p;
    const int64_t n = p->class[c].n, own = covey_i_peel_cost(p, c), least = p->t->min_size;
    const uint32_t *low = covey_i_peel_box(p, c), *high = low + p->t->n_axes;
    covey_peel_near near = {COVEY_PEEL_FAR, COVEY_PEEL_NONE};
    int64_t size, cost;

    covey_i_peel_near_classes(p, &near, c, 1, UINT32_MAX, k->is_class);
    *wish = (struct wish){0, c, near.class, COVEY_PEEL_NONE};
    size = n + (near.class == COVEY_PEEL_NONE ? 0 : p->class[near.class].n);
    if (n < least) {
        wish->donor = covey_i_peel_best_donor(p, &cost, low, high, least - 1, c, near.cost + own, NULL, NULL);
        if (wish->donor != COVEY_PEEL_NONE) {
            near.cost = cost - own;
            size = least;
        }
    }
    wish->score = (double)near.cost / (double)(size < least ? size : least);
    return near.class != COVEY_PEEL_NONE || wish->donor != COVEY_PEEL_NONE;
}

static int compare_wishes(const void *a, const void *b)
{
    const struct wish *x = a, *y = b;

    if (x->score < y->score || x->score > y->score)
        return x->score < y->score ? -1 : 1;
    return x->cluster < y->cluster ? -1 : x->cluster > y->cluster;
}

/* Rows of the donor's cell and class, until the cluster is a class. */
static bool fill_up(struct clusters *k, const struct wish *wish)
{
    covey_peel *p = k->p;
    const uint32_t from = p->class_of[wish->donor], cell = p->t->cell[wish->donor];
    uint32_t row = wish->donor;
    bool any = false;

    if (from == COVEY_PEEL_NONE || from == wish->cluster)
        return false;
    while (row > 0 && p->t->cell[row - 1] == cell)
        row--;
    for (; row < p->t->n_rows && p->t->cell[row] == cell && !holds(p, wish->cluster); row++)
        if (p->class_of[row] == from && covey_i_peel_can_lose(p, row)) {
            covey_i_peel_move(p, row, wish->cluster);
            any = true;
        }
    k->is_class[wish->cluster] = holds(p, wish->cluster);
    return any;
}

static bool grant(struct clusters *k, const struct wish *wish)
{
    covey_peel *p = k->p;

    if (k->is_touched[wish->cluster] || p->class[wish->cluster].n == 0)
        return false;
    if (wish->donor != COVEY_PEEL_NONE) {
        if (!fill_up(k, wish))
            return false;
    } else {
        if (k->is_touched[wish->class] || p->class[wish->class].n == 0)
            return false;
        covey_i_peel_merge(p, wish->cluster, wish->class);
        k->is_touched[wish->class] = true;
        if (!k->is_class[wish->class])
            k->is_class[wish->class] = holds(p, wish->class);
    }
    k->is_touched[wish->cluster] = true;
    return true;
}

/* Returns how many wishes were granted. */
static covey_status play_round(size_t *n_granted, struct clusters *k, covey_error *err)
{
    covey_peel *p = k->p;
    size_t n = 0, most;

    *n_granted = 0;
    COVEY_TRY(covey_i_peel_index_build(p, err));
    COVEY_TRY(covey_i_peel_donors_build(p, err));
    for (uint32_t c = k->first; c < p->n_classes; c++)
        if (!k->is_class[c] && p->class[c].n > 0)
            n += make_wish(&k->wish[n], k, c);
    qsort(k->wish, n, sizeof *k->wish, compare_wishes);
    memset(k->is_touched, 0, p->n_classes);
    most = (size_t)((double)n * GRANTED) + 1;
    for (size_t i = 0; i < n && *n_granted < most; i++)
        *n_granted += grant(k, &k->wish[i]);
    return COVEY_OK;
}

/* Those that could not become a class are rows without one again. */
static void give_up(struct clusters *k)
{
    covey_peel *p = k->p;

    for (uint32_t c = k->first; c < p->n_classes; c++)
        while (p->class[c].n > 0 && !k->is_class[c])
            covey_i_peel_remove(p, p->class[c].first);
    covey_i_peel_drop_empty(p);
}

covey_status covey_i_peel_agglomerate(covey_peel *p, covey_error *err)
{
    struct clusters k = {.p = p, .first = p->n_classes};
    covey_status status = make_clusters(p, err);
    size_t n_granted = 1;

    if (status != COVEY_OK)
        return status;
    k.is_class = covey_i_array_zero(p->n_classes, 1);
    k.is_touched = covey_i_array_zero(p->n_classes, 1);
    k.wish = covey_i_array_zero(p->n_classes, sizeof *k.wish);
    if (!k.is_class || !k.is_touched || !k.wish)
        status = covey_fail(err, COVEY_ENOMEM, "%u clusters", p->n_classes);
    for (uint32_t c = 0; status == COVEY_OK && c < p->n_classes; c++)
        k.is_class[c] = c < k.first || holds(p, c);
    for (int round = 0; status == COVEY_OK && round < MOST_ROUNDS && n_granted > 0 && p->work <= p->work_limit; round++)
        status = play_round(&n_granted, &k, err);
    if (status == COVEY_OK)
        give_up(&k);
    covey_i_free(k.is_class);
    covey_i_free(k.is_touched);
    covey_i_free(k.wish);
    return status;
}
