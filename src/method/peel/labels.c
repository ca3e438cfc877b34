/* Nodes are many, and at each the labels of all cells that are left are looked up.  Axes with few codes are looked up
 * together: nine attributes of Adult are four. */
#include "method/peel/labels.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"

enum {
    MOST_CODES = 4096, /* of a bundle of several axes: its keys are made anew wherever one of their levels changes */
    NO_LEVEL = UINT8_MAX
};

/* Axes in their order, as many together as there is room for. */
static size_t make_bundles(covey_peel_bundle *bundle, const covey_peel_table *t)
{
    const uint64_t most = t->n_cells < MOST_CODES ? t->n_cells : MOST_CODES;
    size_t n = 0;

    for (size_t a = 0; a < t->n_axes; a++) {
        const uint32_t n_codes = t->axis[a].n_codes;

        if (n > 0 && (uint64_t)bundle[n - 1].n_codes * n_codes <= most) {
            bundle[n - 1].n++;
            bundle[n - 1].n_codes *= n_codes;
        } else {
            bundle[n++] = (covey_peel_bundle){a, 1, n_codes, NULL, NULL};
        }
    }
    return n;
}

static uint32_t code_of(const covey_peel_bundle *bundle, const covey_peel_table *t, uint32_t cell)
{
    const uint32_t *codes = t->codes + (size_t)cell * t->width + bundle->first;
    uint32_t code = 0;

    for (size_t a = 0; a < bundle->n; a++)
        code = code * t->axis[bundle->first + a].n_codes + codes[a];
    return code;
}

covey_status covey_i_peel_labels_new(covey_peel_labels *out, const covey_peel_table *t, covey_arena *arena,
                                     covey_error *err)
{
    covey_peel_bundle *bundle = covey_arena_array(arena, covey_peel_bundle, t->n_axes);
    uint32_t *code;

    if (!bundle)
        return covey_i_no_memory(err);
    *out = (covey_peel_labels){t, make_bundles(bundle, t), bundle, NULL};
    for (size_t b = 0; b < out->n; b++) {
        bundle[b].level = covey_arena_array(arena, uint8_t, bundle[b].n);
        bundle[b].key = covey_arena_array(arena, uint64_t, bundle[b].n_codes);
        if (!bundle[b].level || !bundle[b].key)
            return covey_i_no_memory(err);
        memset(bundle[b].level, NO_LEVEL, bundle[b].n);
    }
    if (!(out->code = code = covey_arena_array(arena, uint32_t, (size_t)t->n_cells * out->n)))
        return covey_i_no_memory(err);
    for (uint32_t cell = 0; cell < t->n_cells; cell++)
        for (size_t b = 0; b < out->n; b++)
            *code++ = code_of(&bundle[b], t, cell);
    return COVEY_OK;
}

/* Sums over the bundle's axes, grown axis by axis from the back, so that nothing is read after it was written. */
static void make_keys(covey_peel_bundle *bundle, const covey_peel_table *t)
{
    uint32_t n = 1;

    bundle->key[0] = 0;
    for (size_t i = 0; i < bundle->n; i++) {
        const size_t a = bundle->first + i;
        const uint32_t *label = t->ladder[a].level[bundle->level[i]].label;

        for (uint32_t before = n; before-- > 0;) {
            const uint64_t sum = bundle->key[before];

            for (uint32_t code = t->axis[a].n_codes; code-- > 0;)
                bundle->key[(size_t)before * t->axis[a].n_codes + code] = sum + covey_i_mix(a + 1, label[code]);
        }
        n *= t->axis[a].n_codes;
    }
}

void covey_i_peel_labels_set(covey_peel_labels *labels, const uint8_t *level)
{
    for (size_t b = 0; b < labels->n; b++) {
        covey_peel_bundle *bundle = &labels->bundle[b];

        if (memcmp(bundle->level, level + bundle->first, bundle->n) == 0)
            continue;
        memcpy(bundle->level, level + bundle->first, bundle->n);
        make_keys(bundle, labels->t);
    }
}
