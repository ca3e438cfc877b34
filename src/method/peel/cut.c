/* Classes are cut in two where that costs least, as long as both halves keep the promises: the only way in which a
 * class that has become large by merging becomes small again.
 *
 * Very large ones are cut by all threads, before the others; see planned_cuts.c. */
#include "method/peel/cover.h"
#include "method/peel/planned_cuts.h"

#include "base/alloc.h"
#include "base/error.h"

/* The items of a class. */
static void list_items(covey_peel_cutter *k, uint32_t c)
{
    const covey_peel *p = k->p;

    if (!k->size) {
        k->n = covey_i_peel_lots_of(k->lots, p, c);
        return;
    }
    k->n = 0;
    for (uint32_t row = p->class[c].first; row != COVEY_PEEL_NONE; row = p->next[row]) {
        const uint32_t item = p->t->alike[row];

        if (k->size[item]++ == 0)
            k->lots[k->n++] = item;
    }
    covey_i_peel_sort_items(k->lots, k->n);
}

static void forget_items(covey_peel_cutter *k)
{
    for (uint32_t i = 0; k->size && i < k->n; i++)
        k->size[k->lots[i]] = 0;
}

/* All of an item leaves class c. */
static void move_item(const covey_peel_cutter *k, uint32_t item, uint32_t c, uint32_t to)
{
    covey_peel *p = k->p;

    if (!k->size) {
        covey_i_peel_move(p, item, to);
        return;
    }
    for (uint32_t row = item; row < p->t->n_rows && p->t->alike[row] == item; row++)
        if (p->class_of[row] == c)
            covey_i_peel_move(p, row, to);
}

/* Cuts class c once: its right half becomes a new class.  *is_cut: was it possible? */
static covey_status cut_once(bool *is_cut, covey_peel_cutter *k, uint32_t c, covey_error *err)
{
    covey_peel *p = k->p;
    covey_peel_cut_place best = {.cost = covey_i_peel_cost(p, c)};
    const int64_t whole = best.cost;
    covey_status status;
    uint32_t right;

    *is_cut = false;
    if (whole == 0 || p->class[c].n < 2 * p->t->min_size || covey_i_peel_is_enough(p))
        return COVEY_OK;
    list_items(k, c);
    k->n_rows = p->class[c].n;
    k->box = covey_i_peel_box(p, c);
    status = covey_i_peel_find_cut(&best, k, err);
    p->work += k->work;
    k->work = 0;
    forget_items(k);
    if (status != COVEY_OK || best.cost >= whole)
        return status;
    if ((right = covey_i_peel_class_new(p)) == COVEY_PEEL_NONE)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < k->n; i++)
        if (covey_i_peel_codes(p->t, k->lots[i])[best.axis] > best.threshold)
            move_item(k, k->lots[i], c, right);
    *is_cut = true;
    return COVEY_OK;
}

/* Right halves come in their turn. */
static covey_status cut_classes(covey_peel_cutter *k, covey_peel_planned_cuts *planned, covey_error *err)
{
    covey_peel *p = k->p;

    for (uint32_t c = 0; c < p->n_classes; c++) {
        if (covey_i_peel_planned(planned, c)) {
            COVEY_TRY(covey_i_peel_planned_number(planned, c, err));
            continue;
        }
        for (bool again = true; again;)
            COVEY_TRY(cut_once(&again, k, c, err));
    }
    covey_i_peel_planned_fill(planned);
    return COVEY_OK;
}

covey_status covey_i_peel_cut(covey_peel *p, uint32_t least_planned, covey_error *err)
{
    const bool has_items = p->t->size_only && !p->t->size;
    covey_peel_planned_cuts planned = {.p = p};
    covey_peel_cutter k = {.p = p};
    uint32_t *size = has_items ? covey_i_array_zero(p->t->n_rows, sizeof *size) : NULL, most = 0;
    covey_status status = has_items && !size ? covey_i_no_memory(err) : COVEY_OK;

    if (status == COVEY_OK && has_items)
        status = covey_i_peel_plan_cuts(&planned, size, least_planned, err);
    for (uint32_t c = 0; c < p->n_classes; c++)
        if (!covey_i_peel_planned(&planned, c))
            most = p->class[c].n > most ? p->class[c].n : most;
    most = most < p->t->n_lots ? most : p->t->n_lots;
    if (status == COVEY_OK && (status = covey_i_peel_cutter_new(&k, p, most, err)) == COVEY_OK) {
        k.size = size;
        k.lots = covey_i_array(most, sizeof *k.lots);
        status = k.lots ? cut_classes(&k, &planned, err) : covey_i_no_memory(err);
        covey_i_free(k.lots);
    }
    covey_i_peel_cutter_clear(&k);
    covey_i_peel_planned_clear(&planned);
    covey_i_free(size);
    return status;
}
