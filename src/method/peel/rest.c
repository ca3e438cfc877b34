/* The rows that nobody took, and those that had better not been taken. */
#include "method/peel/cover.h"
#include "method/peel/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

static bool class_holds(covey_peel *p, uint32_t c)
{
    return covey_i_peel_admits(p, c, COVEY_PEEL_NONE, COVEY_PEEL_NONE);
}

/* Every row of a class is to be a lot. */
static covey_status single_out(covey_peel *p, uint32_t c, covey_error *err)
{
    for (uint32_t lot = p->class[c].first; p->splits && lot != COVEY_PEEL_NONE; lot = p->next[lot])
        while (p->t->size[lot] > 1) {
            uint32_t row;

            COVEY_TRY(covey_i_peel_split(&row, p, lot, 1, err));
        }
    return COVEY_OK;
}

/* Each of the rows joins the class where it costs least; those that no class admits stay. */
static covey_status absorb(covey_peel *p, uint32_t rest, covey_error *err)
{
    const uint32_t n = p->class[rest].n;
    uint32_t *rows = covey_i_array(n, sizeof *rows);
    covey_status status;

    if (!rows)
        return covey_i_no_memory(err);
    if ((status = single_out(p, rest, err)) == COVEY_OK && (status = covey_i_peel_index_build(p, err)) == COVEY_OK)
        covey_i_peel_lots_of(rows, p, rest);
    for (uint32_t i = 0; i < n && status == COVEY_OK; i++) {
        int64_t increase;
        const uint32_t c = covey_i_peel_target(p, &increase, rows[i], rest, COVEY_PEEL_FAR);

        if (c != COVEY_PEEL_NONE)
            covey_i_peel_move(p, rows[i], c);
    }
    covey_i_free(rows);
    return status;
}

covey_status covey_i_peel_place_rest(covey_peel *p, covey_error *err)
{
    const uint32_t rest = covey_i_peel_class_new(p);

    if (rest == COVEY_PEEL_NONE)
        return covey_i_no_memory(err);
    for (uint32_t lot = 0; lot < p->t->n_lots; lot++)
        if (p->class_of[lot] == COVEY_PEEL_NONE)
            covey_i_peel_add(p, rest, lot);
    for (uint32_t c = 0; c < rest && p->t->has_ranges; c++) /* what was trimmed, or served, may be too narrow */
        if (p->class[c].n > 0 && !class_holds(p, c))
            covey_i_peel_merge(p, c, rest);
    if (p->class[rest].n > 0 && !class_holds(p, rest) && rest > 0)
        COVEY_TRY(absorb(p, rest, err));
    /* The classes that were taken last are the loosest; together with all of them the rest is the whole table, which is
     * admitted. */
    for (uint32_t c = rest; p->class[rest].n > 0 && !class_holds(p, rest) && c-- > 0;)
        covey_i_peel_merge(p, c, rest);
    covey_i_peel_drop_empty(p);
    return COVEY_OK;
}

struct dear {
    int64_t relief;
    uint32_t lot, row; /* row: the first of the lot, whose rows are all as dear */
};

static int compare_dear(const void *a, const void *b)
{
    const struct dear *x = a, *y = b;

    if (x->relief != y->relief)
        return x->relief > y->relief ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

int64_t covey_i_peel_relief(const covey_peel *p, uint32_t lot)
{
    const uint32_t c = p->class_of[lot];

    return covey_i_peel_cost(p, c) - (int64_t)(p->class[c].n - 1) * covey_i_peel_loss_without(p, lot);
}

static bool is_dear(covey_peel *p, uint32_t lot, int64_t whole)
{
    return covey_i_peel_relief(p, lot) > whole && covey_i_peel_can_lose(p, lot);
}

/* Takes out rows of a lot as long as they are dear. */
static covey_status suppress_lot(covey_peel *p, uint32_t lot, int64_t whole, int64_t *most, covey_error *err)
{
    for (uint32_t n = covey_i_peel_size(p->t, lot); n > 0 && *most > 0 && is_dear(p, lot, whole); n--, --*most) {
        uint32_t row = lot;

        if (n > 1)
            COVEY_TRY(covey_i_peel_split(&row, p, lot, 1, err));
        covey_i_peel_remove(p, row);
    }
    return COVEY_OK;
}

covey_status covey_i_peel_suppress(covey_peel *p, int64_t most, covey_error *err)
{
    const covey_peel_table *t = p->t;
    struct dear *dear = covey_i_array(t->n_lots, sizeof *dear);
    covey_status status = COVEY_OK;
    int64_t whole = 0;
    uint32_t n = 0;

    if (!dear)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < t->n_axes; a++)
        whole += t->axis[a].unit;
    for (uint32_t lot = 0; lot < t->n_lots; lot++)
        if (is_dear(p, lot, whole))
            dear[n++] = (struct dear){covey_i_peel_relief(p, lot), lot, covey_i_peel_first(t, lot)};
    qsort(dear, n, sizeof *dear, compare_dear);
    for (uint32_t i = 0; i < n && most > 0 && status == COVEY_OK; i++)
        status = suppress_lot(p, dear[i].lot, whole, &most, err);
    covey_i_free(dear);
    return status;
}
