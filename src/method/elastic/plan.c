/* Elastic cuts: a cut that would break a bound is saved by moving the rows nearest to it.
 *
 * A cut behind a code asks for the rows of each sensitive value up to that code.  The bounds say how few and how many
 * rows of the value may go left so that both parts keep them; within these the numbers are changed, row by row away
 * from the cut, until the left part has the size it should have.  Where no numbers fit, the cut is impossible.
 *
 * Nearest means: by the code's distance, then by the value's code; which of several rows with the same code and value
 * is moved is decided by their order, which stands for the other attributes (covey_i_start). */
#include "method/elastic/elastic.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"

static covey_status plan_memory(covey_elastic_plan *plan, covey_elastic_worker *w, covey_error *err)
{
    const size_t n = (size_t)w->elastic->n_values + 3;

    if (plan->left)
        return COVEY_OK;
    plan->below = covey_arena_array(&w->arena, uint32_t, n);
    plan->partial = covey_arena_array(&w->arena, uint32_t, n);
    plan->rest = covey_arena_array(&w->arena, uint32_t, n);
    plan->partial_value = covey_arena_array(&w->arena, uint32_t, n);
    plan->left = covey_arena_array(&w->arena, uint32_t, n);
    if (plan->below && plan->partial && plan->rest && plan->partial_value && plan->left)
        return COVEY_OK;
    plan->left = NULL;
    return covey_i_no_memory(err);
}

/* sum[v] += rows of value v at the code with that index. */
static void add_code(uint32_t *restrict sum, const covey_elastic_profile *p, size_t code_index)
{
    if (p->cell) {
        const uint32_t *cell = p->cell + (size_t)(p->code[code_index] - p->low) * p->n_values;

        for (size_t v = 0; v < p->n_values; v++)
            sum[v] += cell[v];
    } else {
        for (uint32_t i = p->first[code_index]; i < p->first[code_index + 1]; i++)
            sum[p->entry[i].value] += p->entry[i].rows;
    }
}

/* Takes up to `missing` more rows of one value to the left: all it has up to this code, within the limit. */
static uint32_t take(uint32_t *left, uint32_t up_to_here, uint32_t high, uint32_t missing)
{
    const uint32_t reach = up_to_here < high ? up_to_here : high;
    uint32_t more = reach > *left ? reach - *left : 0;

    more = more < missing ? more : missing;
    *left += more;
    return more;
}

/* Gives up to `surplus` rows of one value to the right: all it has from this code on, within the limit. */
static uint32_t give(uint32_t *left, uint32_t before_here, uint32_t low, uint32_t surplus)
{
    const uint32_t reach = before_here > low ? before_here : low;
    uint32_t less = *left > reach ? *left - reach : 0;

    less = less < surplus ? less : surplus;
    *left -= less;
    return less;
}

/* Moves rows from the right of the cut to the left, code by code away from it. */
static void fill_up(covey_elastic_plan *plan, covey_elastic_worker *w, uint32_t missing)
{
    const covey_elastic_profile *p = &w->profile;

    for (size_t c = plan->boundary + 1; missing > 0; c++) {
        assert(c < p->n_codes);
        add_code(w->sum, p, c);
        if (p->cell)
            for (size_t v = 0; v < p->n_values && missing > 0; v++)
                missing -= take(&plan->left[v], w->sum[v], w->high[v], missing);
        else
            for (uint32_t i = p->first[c]; i < p->first[c + 1] && missing > 0; i++)
                missing -= take(&plan->left[p->entry[i].value], w->sum[p->entry[i].value], w->high[p->entry[i].value],
                                missing);
    }
}

static void subtract_code(uint32_t *restrict sum, const covey_elastic_profile *p, size_t code_index)
{
    if (p->cell) {
        const uint32_t *cell = p->cell + (size_t)(p->code[code_index] - p->low) * p->n_values;

        for (size_t v = 0; v < p->n_values; v++)
            sum[v] -= cell[v];
    } else {
        for (uint32_t i = p->first[code_index]; i < p->first[code_index + 1]; i++)
            sum[p->entry[i].value] -= p->entry[i].rows;
    }
}

/* Moves rows from the left of the cut to the right. */
static void thin_out(covey_elastic_plan *plan, covey_elastic_worker *w, uint32_t surplus)
{
    const covey_elastic_profile *p = &w->profile;

    for (size_t c = plan->boundary + 1; surplus > 0; c--) {
        assert(c > 0);
        subtract_code(w->sum, p, c - 1);
        if (p->cell)
            for (size_t v = 0; v < p->n_values && surplus > 0; v++)
                surplus -= give(&plan->left[v], w->sum[v], w->low[v], surplus);
        else
            for (uint32_t i = p->first[c - 1]; i < p->first[c] && surplus > 0; i++)
                surplus -=
                    give(&plan->left[p->entry[i].value], w->sum[p->entry[i].value], w->low[p->entry[i].value], surplus);
    }
}

/* One value's rows at one code, walking away from the cut to the right; *passed of the value's rows lie before it. */
static void reach_right(covey_elastic_plan *plan, uint32_t number, uint32_t value, uint32_t code, uint32_t rows,
                        uint32_t *passed)
{
    const uint32_t wanted = plan->left[number];

    if (*passed >= wanted)
        return;
    plan->below[value] = code + 1;
    plan->left_most = code > plan->left_most ? code : plan->left_most;
    if (rows > wanted - *passed) {
        plan->below[value] = code;
        plan->partial[value] = code;
        plan->rest[value] = wanted - *passed;
        plan->partial_value[plan->n_partial++] = value;
    }
    *passed += rows;
}

/* The same to the left; *passed rows lie before it or are its own. */
static void reach_left(covey_elastic_plan *plan, uint32_t number, uint32_t value, uint32_t code, uint32_t rows,
                       uint32_t *passed)
{
    const uint32_t wanted = plan->left[number];

    if (*passed <= wanted)
        return;
    plan->below[value] = code;
    plan->right_least = code < plan->right_least ? code : plan->right_least;
    if (rows > *passed - wanted) {
        plan->partial[value] = code;
        plan->rest[value] = rows - (*passed - wanted);
        plan->partial_value[plan->n_partial++] = value;
    }
    *passed -= rows;
}

static void separate_by_cells(covey_elastic_plan *plan, const covey_elastic_profile *p, uint32_t v, uint32_t natural)
{
    uint32_t passed = natural;

    for (size_t c = plan->boundary + 1; passed < plan->left[v]; c++)
        reach_right(plan, v, v, p->code[c], p->cell[(size_t)(p->code[c] - p->low) * p->n_values + v], &passed);
    passed = natural;
    for (size_t c = plan->boundary + 1; passed > plan->left[v]; c--)
        reach_left(plan, v, v, p->code[c - 1], p->cell[(size_t)(p->code[c - 1] - p->low) * p->n_values + v], &passed);
}

/* passed: [n_values] rows up to the cut, changed. */
static void separate_by_entries(covey_elastic_plan *plan, const covey_elastic_profile *p, uint32_t *passed)
{
    size_t n_right = 0, n_left = 0; /* values that still want rows from the right, from the left */

    for (size_t v = 0; v < p->n_values; v++) {
        n_right += passed[v] < plan->left[v];
        n_left += passed[v] > plan->left[v];
    }
    for (size_t c = plan->boundary + 1; n_right > 0; c++)
        for (uint32_t i = p->first[c]; i < p->first[c + 1]; i++) {
            const uint32_t v = p->entry[i].value;

            if (passed[v] < plan->left[v]) {
                reach_right(plan, v, p->value[v], p->code[c], p->entry[i].rows, &passed[v]);
                if (passed[v] >= plan->left[v]) {
                    passed[v] = plan->left[v];
                    n_right--;
                }
            }
        }
    for (size_t c = plan->boundary + 1; n_left > 0; c--)
        for (uint32_t i = p->first[c - 1]; i < p->first[c]; i++) {
            const uint32_t v = p->entry[i].value;

            if (passed[v] > plan->left[v]) {
                reach_left(plan, v, p->value[v], p->code[c - 1], p->entry[i].rows, &passed[v]);
                if (passed[v] <= plan->left[v]) {
                    passed[v] = plan->left[v];
                    n_left--;
                }
            }
        }
}

/* From numbers of rows to codes that separate them.  natural: [n_values] rows up to the cut, changed. */
static void separate(covey_elastic_plan *plan, const covey_elastic_profile *p, uint32_t *natural)
{
    for (size_t i = 0; i < p->n_values; i++) {
        const size_t v = p->value ? p->value[i] : i;

        plan->below[v] = plan->threshold + 1;
        plan->partial[v] = UINT32_MAX;
    }
    if (p->cell) {
        for (uint32_t v = 0; v < p->n_values; v++)
            if (natural[v] != plan->left[v])
                separate_by_cells(plan, p, v, natural[v]);
    } else {
        separate_by_entries(plan, p, natural);
    }
}

/* Are there rows of that code on the left, or on the right? */
static bool has_rows(const covey_elastic_plan *plan, const covey_elastic_profile *p, size_t code_index, bool is_left)
{
    const uint32_t code = p->code[code_index];
    const uint32_t *cell = p->cell ? p->cell + (size_t)(code - p->low) * p->n_values : NULL;
    const size_t begin = cell ? 0 : p->first[code_index], end = cell ? p->n_values : p->first[code_index + 1];

    if (plan->natural)
        return (code <= plan->threshold) == is_left;
    for (size_t i = begin; i < end; i++) {
        const uint32_t v = cell ? (uint32_t)i : p->value[p->entry[i].value];

        if ((!cell || cell[i] > 0) &&
            (is_left ? code < plan->below[v] || code == plan->partial[v] : code >= plan->below[v]))
            return true;
    }
    return false;
}

covey_record_ranges covey_i_elastic_plan_ranges(const covey_elastic_plan *plan, const covey_elastic_profile *p)
{
    size_t left_low = 0, left_high = plan->boundary, right_low = plan->boundary + 1, right_high = p->n_codes - 1;

    while (!has_rows(plan, p, left_low, true))
        left_low++;
    while (plan->left_most == plan->threshold && !has_rows(plan, p, left_high, true))
        left_high--;
    while (plan->right_least == p->code[plan->boundary + 1] && !has_rows(plan, p, right_low, false))
        right_low++;
    while (!has_rows(plan, p, right_high, false))
        right_high--;
    return (covey_record_ranges){p->code[left_low], left_high < plan->boundary ? p->code[left_high] : plan->left_most,
                                 right_low > plan->boundary + 1 ? p->code[right_low] : plan->right_least,
                                 p->code[right_high]};
}

/* Numbers of rows for the left part.  natural: [n_values] rows up to the cut.  False: none fit. */
static bool choose_numbers(covey_elastic_plan *plan, covey_elastic_worker *w, const uint32_t *restrict natural,
                           uint32_t n_rows, covey_status *status, covey_error *err)
{
    const covey_elastic_profile *p = &w->profile;
    const uint32_t *restrict low = w->low, *restrict high = w->high;
    uint32_t *restrict left = plan->left;
    uint32_t sum_low = 0, sum_high = 0, sum = 0, moved = 0;

    if (!covey_i_elastic_find_limits(w, plan->n_left, n_rows - plan->n_left, status, err))
        return false;
    for (size_t v = 0; v < p->n_values; v++) {
        uint32_t number = natural[v];

        number = number > low[v] ? number : low[v];
        number = number < high[v] ? number : high[v];
        left[v] = number;
        sum_low += low[v];
        sum_high += high[v];
        sum += number;
        moved |= number ^ natural[v];
    }
    if (sum_low > plan->n_left || sum_high < plan->n_left)
        return false;
    plan->natural = !moved;
    memcpy(w->sum, natural, p->n_values * sizeof *natural);
    if (sum < plan->n_left)
        fill_up(plan, w, plan->n_left - sum);
    else if (sum > plan->n_left)
        thin_out(plan, w, sum - plan->n_left);
    return true;
}

covey_status covey_i_elastic_plan_cuts(size_t *n_plans, covey_elastic_worker *w, const size_t *boundary, size_t n,
                                       uint32_t n_rows, covey_error *err)
{
    const covey_elastic_profile *p = &w->profile;
    uint32_t *natural = w->natural, n_left = 0;
    size_t code = 0, n_made = 0;

    memset(natural, 0, p->n_values * sizeof *natural);
    for (size_t i = 0; i < n; i++) {
        covey_elastic_plan *plan = &w->plan[n_made];
        covey_status status = COVEY_OK;

        for (; code <= boundary[i]; code++) {
            n_left += p->rows[code];
            add_code(natural, p, code);
        }
        if (n_left < w->elastic->min_size || n_rows - n_left < w->elastic->min_size)
            continue;
        COVEY_TRY(plan_memory(plan, w, err));
        plan->boundary = boundary[i];
        plan->threshold = plan->left_most = p->code[boundary[i]];
        plan->right_least = p->code[boundary[i] + 1];
        plan->n_left = n_left;
        plan->n_partial = 0;
        if (!w->elastic->bounded) {
            plan->natural = true;
            memcpy(plan->left, natural, p->n_values * sizeof *natural);
        } else if (!choose_numbers(plan, w, natural, n_rows, &status, err)) {
            COVEY_TRY(status);
            continue;
        }
        if ((!plan->natural && w->elastic->stays_natural) ||
            (w->elastic->comes_close && !covey_i_elastic_bring_close(plan, w, n_rows)))
            continue;
        if (!plan->natural) {
            memcpy(w->sum, natural, p->n_values * sizeof *natural);
            separate(plan, p, w->sum);
        }
        n_made++;
    }
    *n_plans = n_made;
    return COVEY_OK;
}
