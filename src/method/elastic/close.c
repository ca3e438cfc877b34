/* Elastic cuts for t-closeness: an earth mover's distance does not follow from bounds on single values, so a cut that
 * breaks it is repaired.
 *
 * Rows near the cut change sides, value by value towards the shares that the whole part has: there both sides are as
 * far from the table as the part is.  First the narrowest strip around the cut is found from which enough rows can be
 * taken (a side's range grows by what it takes from the other), then as few of them as are enough.  Whether it is
 * enough is for the promises to say.  How wide the strip may get need not be limited: what it costs is in the loss of
 * both sides, by which cuts are chosen. Source: [derived], docs/design/elastic.md. */
#include "method/elastic/elastic.h"

#include <string.h>

#include "table/histogram.h"

enum { STEPS = 64 }; /* from no move to all */

/* Counts of both sides with these numbers of rows on the left. */
static void fill_tallies(covey_elastic_worker *w, const uint32_t *left)
{
    const covey_elastic_profile *p = &w->profile;
    const int view = w->elastic->view;

    covey_i_tally_clear(&w->left);
    covey_i_tally_clear(&w->right);
    for (size_t i = 0; i < p->n_values; i++) {
        const uint32_t value = p->value ? p->value[i] : (uint32_t)i, n_right = p->total[i] - left[i];

        if (left[i] > 0)
            covey_i_histogram_add(&w->left.counts[view], value, left[i]);
        if (n_right > 0)
            covey_i_histogram_add(&w->right.counts[view], value, n_right);
    }
    w->left.size = w->left.counts[view].total;
    w->right.size = w->right.counts[view].total;
}

static bool is_admitted(covey_elastic_worker *w, const uint32_t *left)
{
    const covey_promises *promises = &w->elastic->problem->promises;

    fill_tallies(w, left);
    return w->left.size >= w->elastic->min_size && w->right.size >= w->elastic->min_size &&
           covey_i_promises_admit(promises, &w->left) && covey_i_promises_admit(promises, &w->right);
}

/* sum[v] += rows of value v at the code with that index. */
static void add_code(uint32_t *sum, const covey_elastic_profile *p, size_t c)
{
    if (p->cell) {
        const uint32_t *cell = p->cell + (size_t)(p->code[c] - p->low) * p->n_values;

        for (size_t v = 0; v < p->n_values; v++)
            sum[v] += cell[v];
    } else {
        for (uint32_t i = p->first[c]; i < p->first[c + 1]; i++)
            sum[p->entry[i].value] += p->entry[i].rows;
    }
}

/* Where each value's number would best be, with rows of `width` codes on each side of the cut: its share of the part,
 * as nearly as they allow. */
static void find_targets(uint32_t *target, covey_elastic_worker *w, const covey_elastic_plan *plan,
                         const uint32_t *start, uint32_t n_rows, size_t width)
{
    const covey_elastic_profile *p = &w->profile;
    uint32_t *on_left = w->low, *on_right = w->high;

    memset(on_left, 0, p->n_values * sizeof *on_left);
    memset(on_right, 0, p->n_values * sizeof *on_right);
    for (size_t i = 0; i < width; i++) {
        if (i <= plan->boundary)
            add_code(on_left, p, plan->boundary - i);
        if (plan->boundary + 1 + i < p->n_codes)
            add_code(on_right, p, plan->boundary + 1 + i);
    }
    for (size_t v = 0; v < p->n_values; v++) {
        const uint32_t share = (uint32_t)(((uint64_t)p->total[v] * plan->n_left + n_rows / 2) / n_rows);
        const uint32_t least = start[v] > on_left[v] ? start[v] - on_left[v] : 0;
        const uint32_t most = p->total[v] - start[v] > on_right[v] ? start[v] + on_right[v] : p->total[v];

        target[v] = share < least ? least : share > most ? most : share;
    }
}

/* left = start + step/STEPS of the way to the target. */
static void go(uint32_t *left, const uint32_t *start, const uint32_t *target, size_t n_values, uint32_t step)
{
    for (size_t v = 0; v < n_values; v++)
        left[v] = target[v] > start[v] ? start[v] + (uint32_t)((uint64_t)(target[v] - start[v]) * step / STEPS)
                                       : start[v] - (uint32_t)((uint64_t)(start[v] - target[v]) * step / STEPS);
}

bool covey_i_elastic_bring_close(covey_elastic_plan *plan, covey_elastic_worker *w, uint32_t n_rows)
{
    const covey_elastic_profile *p = &w->profile;
    uint32_t *start = w->sum, *target = w->target;
    const size_t on_left = plan->boundary + 1, on_right = p->n_codes - on_left;
    size_t narrow = 0, wide = on_left > on_right ? on_left : on_right;
    uint32_t few = 0, many = STEPS;

    if (is_admitted(w, plan->left))
        return true;
    if (w->elastic->stays_natural || !w->may_move)
        return false;
    memcpy(start, plan->left, p->n_values * sizeof *start);
    find_targets(target, w, plan, start, n_rows, wide);
    if (!is_admitted(w, target))
        return false;
    while (wide - narrow > 1) { /* not enough, enough */
        const size_t middle = narrow + (wide - narrow) / 2;

        find_targets(target, w, plan, start, n_rows, middle);
        if (is_admitted(w, target))
            wide = middle;
        else
            narrow = middle;
    }
    find_targets(target, w, plan, start, n_rows, wide);
    while (many - few > 1) {
        const uint32_t middle = few + (many - few) / 2;

        go(plan->left, start, target, p->n_values, middle);
        if (is_admitted(w, plan->left))
            many = middle;
        else
            few = middle;
    }
    go(plan->left, start, target, p->n_values, many);
    plan->natural = false;
    plan->n_left = 0;
    for (size_t v = 0; v < p->n_values; v++)
        plan->n_left += plan->left[v];
    return true;
}
