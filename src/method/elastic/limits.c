/* How few and how many rows of each sensitive value may go left: what the bounds of both sides' sizes say.  That
 * depends on how many rows of each value the part has and how many go left in all, not on the axis.  Most parts that
 * cannot be cut have some value of which each size allows too little, so the value that made the last cut impossible is
 * asked first, and a part where no size is possible is not looked at along other axes. */
#include "method/elastic/elastic.h"

enum { MOST_ROWS = 1 << 10 }; /* of a part whose sizes are tried one by one */

/* The least and the most rows of each value that may go left, from the bounds of both sizes.  False: no number fits
 * some value. */
static bool find_limits(uint32_t *restrict low, uint32_t *restrict high, covey_elastic_worker *w, uint32_t n_left,
                        uint32_t n_right, covey_status *status, covey_error *err)
{
    const covey_elastic_profile *p = &w->profile;
    covey_elastic_bounds bounds;
    uint32_t n_needed = 0, impossible = 0;

    if ((*status = covey_i_elastic_bounds_of(&bounds, w, n_right, err)) != COVEY_OK)
        return false;
    for (size_t v = 0; v < p->n_values; v++) {
        const uint32_t total = p->total[v], cap = bounds.cap[v];

        low[v] = total > cap ? total - cap : 0;
        high[v] = total;
    }
    for (size_t v = 0; bounds.need && v < p->n_values; v++) {
        const uint32_t total = p->total[v], need = bounds.need[v];

        n_needed += need > 0;
        impossible |= total < need;
        high[v] = total - need;
    }
    if (impossible || n_needed < bounds.n_needed)
        return false;
    if ((*status = covey_i_elastic_bounds_of(&bounds, w, n_left, err)) != COVEY_OK)
        return false;
    for (size_t v = 0; v < p->n_values; v++) {
        const uint32_t cap = bounds.cap[v];

        high[v] = high[v] < cap ? high[v] : cap;
    }
    n_needed = 0;
    for (size_t v = 0; bounds.need && v < p->n_values; v++) {
        const uint32_t need = bounds.need[v];

        n_needed += need > 0;
        low[v] = low[v] > need ? low[v] : need;
    }
    if (n_needed < bounds.n_needed)
        return false;
    for (size_t v = 0; v < p->n_values; v++)
        impossible |= low[v] > high[v];
    return !impossible;
}

/* Does one value alone make a cut into such sides impossible?  The one that did so before is asked. */
static bool is_excluded(covey_elastic_worker *w, uint32_t n_left, uint32_t n_right, covey_status *status,
                        covey_error *err)
{
    const covey_elastic_profile *p = &w->profile;
    covey_elastic_bounds bounds;
    uint64_t cap;

    if (p->value)
        return false;
    if ((*status = covey_i_elastic_bounds_of(&bounds, w, n_left, err)) != COVEY_OK)
        return true;
    cap = bounds.cap[w->scarce];
    if ((*status = covey_i_elastic_bounds_of(&bounds, w, n_right, err)) != COVEY_OK)
        return true;
    return p->total[w->scarce] > cap + bounds.cap[w->scarce];
}

bool covey_i_elastic_find_limits(covey_elastic_worker *w, uint32_t n_left, uint32_t n_right, covey_status *status,
                                 covey_error *err)
{
    const covey_elastic_profile *p = &w->profile;

    if (is_excluded(w, n_left, n_right, status, err))
        return false;
    if (find_limits(w->low, w->high, w, n_left, n_right, status, err))
        return true;
    for (size_t v = 0; !p->value && *status == COVEY_OK && v < p->n_values; v++)
        if (w->low[v] > w->high[v])
            w->scarce = (uint32_t)v;
    return false;
}

covey_status covey_i_elastic_is_hopeless(bool *is_hopeless, covey_elastic_worker *w, uint32_t n_rows, covey_error *err)
{
    const covey_elastic *e = w->elastic;
    const uint32_t least = e->min_size < 1 ? 1 : (uint32_t)e->min_size;
    covey_status status = COVEY_OK;

    *is_hopeless = false;
    if (!e->bounded || w->profile.value || n_rows > MOST_ROWS)
        return COVEY_OK;
    for (uint32_t n = least; n <= n_rows / 2; n++) {
        uint32_t sum_low = 0, sum_high = 0;

        if (!covey_i_elastic_find_limits(w, n, n_rows - n, &status, err)) {
            COVEY_TRY(status);
            continue;
        }
        for (size_t v = 0; v < w->profile.n_values; v++) {
            sum_low += w->low[v];
            sum_high += w->high[v];
        }
        if (sum_low <= n && n <= sum_high)
            return COVEY_OK;
    }
    *is_hopeless = true;
    return COVEY_OK;
}
