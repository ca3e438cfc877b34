/* How many new rows of each value balance buckets of those who have been published before.  The more do, the fewer rows
 * have to be made up; but none of the values of the others may have more than 1/m of them, or they could not be put
 * into classes of different values ([XiaoTao07] section 5.2).
 *
 * Let R rows be left, with at most q = floor(R/m) of a value.  Then each value v has to give n_v - q rows at least, and
 * wanted_v at most.  What is possible: sum of min(n_v, q) >= R, which is concave in q, so that the q with
 * sum of min(n_v, q) >= mq are all those up to a largest one. */
#include "method/m_invariance/m_invariance.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Rows that can be left where no value has more than q. */
static int64_t rows_up_to(const covey_quota *quota, int64_t q)
{
    int64_t n = 0;

    for (uint32_t v = 0; v < quota->n_values; v++)
        n += least(quota->n[v] - quota->drop[v], q);
    return n;
}

static int64_t largest_q(const covey_quota *quota, int64_t m)
{
    int64_t low = 0, high = 0; /* low does */

    for (uint32_t v = 0; v < quota->n_values; v++)
        high = most(high, quota->n[v]);
    while (low < high) {
        const int64_t middle = low + (high - low + 1) / 2;

        if (rows_up_to(quota, middle) / m >= middle)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The fewest rows that are left; *n_given: all others that are not dropped. */
static int64_t rows_left(int64_t *n_given, const covey_quota *quota, int64_t m)
{
    int64_t n = 0, wanted = 0, excess = 0, left;

    for (uint32_t v = 0; v < quota->n_values; v++) {
        const int64_t n_v = quota->n[v] - quota->drop[v], taken = least(n_v, quota->wanted[v]);

        n += n_v;
        wanted += taken;
        excess = most(excess, n_v - taken);
    }
    left = most(n - wanted, m * excess);
    if (rows_up_to(quota, left / m) < left)
        left = m * (left / m + 1);
    *n_given = n - left;
    return left;
}

int64_t covey_i_quota_find(covey_quota *quota, int64_t m)
{
    int64_t n_dropped = 0, n_given, q, excess;

    for (uint32_t v = 0; v < quota->n_values; v++)
        quota->drop[v] = 0;
    q = largest_q(quota, m);
    for (uint32_t v = 0; v < quota->n_values; v++) {
        quota->drop[v] = most(0, quota->n[v] - quota->wanted[v] - q);
        n_dropped += quota->drop[v];
    }
    q = rows_left(&n_given, quota, m) / m;
    excess = -n_given;
    for (uint32_t v = 0; v < quota->n_values; v++)
        excess += quota->take[v] = least(quota->n[v] - quota->drop[v], quota->wanted[v]);
    for (uint32_t v = 0; v < quota->n_values; v++) {
        const int64_t needed = most(0, quota->n[v] - quota->drop[v] - q),
                      spared = least(excess, quota->take[v] - needed);

        quota->take[v] -= spared;
        excess -= spared;
    }
    return n_dropped;
}
