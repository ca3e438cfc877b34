/* The items of what is cut: their codes on the axes on which they differ, which lie together, as narrow as they can be,
 * so that many are compared at a time; and their order on each of these. */
#include "method/peel/cutter.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/sort/compare.h"
#include "base/sort/keys.h"
#include "base/sort/sort.h"

enum {
    LANES = 16, /* codes that are compared at a time */
    FEW = 24,   /* items that covey_i_sort_u64 sorts by insertion; many by digits */
    MANY = 512,
    SPARE_COUNTS = 64 /* more codes than items that are counted rather than sorted */
};

covey_status covey_i_peel_cutter_new(covey_peel_cutter *k, covey_peel *p, uint32_t most, covey_error *err)
{
    const size_t most_stride = (p->t->n_axes + LANES - 1) / LANES * LANES;

    *k = (covey_peel_cutter){.p = p};
    k->open = covey_i_array(p->t->n_axes, sizeof *k->open);
    k->codes = covey_i_array(most, most_stride * sizeof(uint32_t));
    k->hull = covey_i_array(2 * most_stride, sizeof(uint32_t));
    k->order = covey_i_array(most, sizeof *k->order);
    k->begin = covey_i_array((size_t)most + 1, sizeof *k->begin);
    k->behind = covey_i_array(most, sizeof *k->behind);
    k->spare = covey_i_array(most, sizeof *k->spare);
    k->count = covey_i_array((size_t)most + SPARE_COUNTS, sizeof *k->count);
    k->keys = covey_i_array(most, sizeof *k->keys);
    k->scratch = covey_i_array(most, sizeof *k->scratch);
    k->half = covey_i_array(most, sizeof *k->half);
    return k->open && k->codes && k->hull && k->order && k->begin && k->behind && k->spare && k->count && k->keys &&
                   k->scratch && k->half
               ? COVEY_OK
               : covey_i_no_memory(err);
}

void covey_i_peel_cutter_clear(covey_peel_cutter *k)
{
    covey_i_free(k->open);
    covey_i_free(k->codes);
    covey_i_free(k->hull);
    covey_i_free(k->order);
    covey_i_free(k->begin);
    covey_i_free(k->behind);
    covey_i_free(k->spare);
    covey_i_free(k->count);
    covey_i_free(k->keys);
    covey_i_free(k->scratch);
    covey_i_free(k->half);
}

void covey_i_peel_sort_items(uint32_t *item, uint32_t n)
{
    qsort(item, n, sizeof *item, covey_i_compare_u32);
}

uint32_t covey_i_peel_item_size(const covey_peel_cutter *k, uint32_t i)
{
    return k->size ? k->size[k->lots[i]] : covey_i_peel_size(k->p->t, k->lots[i]);
}

static uint32_t range_of(const covey_peel_cutter *k, size_t axis)
{
    return k->box[k->p->t->width + axis] - k->box[axis];
}

static void find_open_axes(covey_peel_cutter *k)
{
    const covey_peel_table *t = k->p->t;
    uint32_t widest = 0;

    k->n_open = 0;
    k->closed_loss = 0;
    for (size_t a = 0; a < t->n_axes; a++) {
        const uint32_t range = range_of(k, a);

        if (range == 0)
            k->closed_loss += covey_i_peel_loss(&t->axis[a], k->box[a], k->box[a]);
        else
            k->open[k->n_open++] = (uint32_t)a;
        widest = range > widest ? range : widest;
    }
    k->stride = (k->n_open + LANES - 1) / LANES * LANES;
    k->width = widest <= UINT8_MAX ? 1 : widest <= UINT16_MAX ? 2 : 4;
}

static void collect_codes(covey_peel_cutter *k)
{
    COVEY_CODES_TYPED(k->width, {
        covey_code *to = k->codes;

        for (uint32_t i = 0; i < k->n; i++, to += k->stride) {
            const uint32_t *codes = covey_i_peel_codes(k->p->t, k->lots[i]);

            for (size_t x = 0; x < k->n_open; x++)
                to[x] = (covey_code)(codes[k->open[x]] - k->box[k->open[x]]);
            for (size_t x = k->n_open; x < k->stride; x++)
                to[x] = 0;
        }
    });
}

void covey_i_peel_open_axes(covey_peel_cutter *k)
{
    find_open_axes(k);
    collect_codes(k);
}

static uint32_t code_of(const covey_peel_cutter *k, uint32_t i, size_t x)
{
    return covey_i_codes_get(k->codes, k->width, i * k->stride + x);
}

/* --- in the order of an axis --- */

static void order_by_counts(covey_peel_cutter *k, size_t x, uint32_t n_codes)
{
    uint32_t at = 0;

    memset(k->count, 0, n_codes * sizeof *k->count);
    for (uint32_t i = 0; i < k->n; i++)
        k->count[code_of(k, i, x)]++;
    k->n_runs = 0;
    for (uint32_t code = 0; code < n_codes; code++) {
        const uint32_t n = k->count[code];

        k->count[code] = at;
        if (n > 0)
            k->begin[k->n_runs++] = at;
        at += n;
    }
    for (uint32_t i = 0; i < k->n; i++)
        k->order[k->count[code_of(k, i, x)]++] = i;
}

static void order_by_keys(covey_peel_cutter *k, size_t x, uint32_t n_codes)
{
    for (uint32_t i = 0; i < k->n; i++)
        k->keys[i] = (uint64_t)code_of(k, i, x) << 32 | i;
    if (k->n <= FEW || k->n > MANY)
        covey_i_sort_u64(k->keys, k->scratch, k->n, 32 + covey_i_key_bits(n_codes));
    else
        qsort(k->keys, k->n, sizeof *k->keys, covey_i_compare_u64);
    k->n_runs = 0;
    for (uint32_t i = 0; i < k->n; i++) {
        if (i == 0 || k->keys[i] >> 32 != k->keys[i - 1] >> 32)
            k->begin[k->n_runs++] = i;
        k->order[i] = (uint32_t)k->keys[i];
    }
}

void covey_i_peel_order_by(covey_peel_cutter *k, size_t x)
{
    const uint32_t n_codes = range_of(k, k->open[x]) + 1;

    if (n_codes <= k->n + SPARE_COUNTS)
        order_by_counts(k, x, n_codes);
    else
        order_by_keys(k, x, n_codes);
    k->begin[k->n_runs] = k->n;
}
