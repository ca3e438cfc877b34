/* labels.c: the labels that a node gives to cells, as keys. */
#ifndef COVEY_METHOD_PEEL_LABELS_H
#define COVEY_METHOD_PEEL_LABELS_H

#include "method/peel/table.h"

/* Axes whose codes are looked up together: a cell's combination of their codes is one number. */
typedef struct covey_peel_bundle {
    size_t first, n;  /* axes */
    uint32_t n_codes; /* product of theirs */
    uint8_t *level;   /* [n] that key[] is about */
    uint64_t *key;    /* [n_codes] */
} covey_peel_bundle;

typedef struct covey_peel_labels {
    const covey_peel_table *t;
    size_t n;
    covey_peel_bundle *bundle;
    const uint32_t *code; /* [n_cells * n] */
} covey_peel_labels;

/* Before any node is set, keys mean nothing. */
covey_status covey_i_peel_labels_new(covey_peel_labels *out, const covey_peel_table *t, covey_arena *arena,
                                     covey_error *err);
/* level: [t->n_axes] of the node that keys are about from now on. */
void covey_i_peel_labels_set(covey_peel_labels *labels, const uint8_t *level);

/* The labels of a cell as one number, all of whose bits are as good as random.  Two combinations share one with a
 * chance of 2^-64, and then two groups are one, which costs some loss at most. */
static inline uint64_t covey_i_peel_labels_key(const covey_peel_labels *labels, uint32_t cell)
{
    const uint32_t *code = labels->code + (size_t)cell * labels->n;
    uint64_t key = 0;

    for (size_t b = 0; b < labels->n; b++)
        key += labels->bundle[b].key[code[b]];
    return key;
}

#endif
