/* Counts of a histogram that several models ask for. */
#include "model/counts.h"

int64_t covey_i_counts_largest(const covey_histogram *h, uint32_t *value)
{
    int64_t largest = 0;
    uint32_t which = 0;

    for (uint32_t i = 0; i < h->n_present; i++) {
        const uint32_t v = h->present[i];

        if (h->count[v] > largest || (h->count[v] == largest && v < which)) {
            largest = h->count[v];
            which = v;
        }
    }
    if (value)
        *value = which;
    return largest;
}

/* How many counts exceed bound, and their sum. */
static int64_t above(int64_t *sum, const covey_histogram *h, int64_t bound)
{
    int64_t n = 0;

    *sum = 0;
    for (uint32_t i = 0; i < h->n_present; i++) {
        const int64_t count = h->count[h->present[i]];

        if (count > bound) {
            n++;
            *sum += count;
        }
    }
    return n;
}

int64_t covey_i_counts_tail(const covey_histogram *h, int64_t l)
{
    int64_t low = 0, high, sum, n;

    if (h->n_distinct < l)
        return 0;
    if (l == 1)
        return h->total;
    /* The smallest bound that fewer than l counts exceed is r_l: found without sorting, because sorting needs memory.
     */
    high = covey_i_counts_largest(h, NULL);
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;

        if (above(&sum, h, middle) < l)
            high = middle;
        else
            low = middle + 1;
    }
    n = above(&sum, h, high);
    return h->total - sum - (l - 1 - n) * high;
}

/* Heap sort: no memory, no bad case. */
static void sift(uint32_t *x, uint32_t root, uint32_t n)
{
    for (;;) {
        uint32_t child = 2 * root + 1, t;

        if (child >= n)
            return;
        if (child + 1 < n && x[child + 1] > x[child])
            child++;
        if (x[root] >= x[child])
            return;
        t = x[root], x[root] = x[child], x[child] = t;
        root = child;
    }
}

static void sort_values(uint32_t *x, uint32_t n)
{
    if (n <= 16) {
        for (uint32_t i = 1; i < n; i++) {
            const uint32_t value = x[i];
            uint32_t j = i;

            for (; j > 0 && x[j - 1] > value; j--)
                x[j] = x[j - 1];
            x[j] = value;
        }
        return;
    }
    for (uint32_t i = n / 2; i-- > 0;)
        sift(x, i, n);
    while (n > 1) {
        const uint32_t largest = x[0];

        n--;
        x[0] = x[n];
        x[n] = largest;
        sift(x, 0, n);
    }
}

void covey_i_ascending_init(covey_ascending *a, const covey_histogram *h)
{
    a->h = h;
    a->next = 0;
    a->scan = h->n_present > COVEY_ASCENDING_BUFFER || h->n_present >= h->n_values / 8;
    if (a->scan) {
        a->n = h->n_values;
        return;
    }
    a->n = 0;
    for (uint32_t i = 0; i < h->n_present; i++)
        if (h->count[h->present[i]] > 0)
            a->value[a->n++] = h->present[i];
    sort_values(a->value, a->n);
}
