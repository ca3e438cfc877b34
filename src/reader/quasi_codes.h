/* The published ranges of the quasi-identifiers as codes, for models that judge ranges. */
#ifndef COVEY_READER_QUASI_CODES_H
#define COVEY_READER_QUASI_CODES_H

#include "reader/opened.h"

typedef struct covey_quasi_codes {
    size_t n;
    covey_column **dictionary;        /* [n] values without rows; owned */
    uint32_t **cell_low, **cell_high; /* [n][text->n_values] of every distinct cell */
    uint32_t *low, *high;             /* [n_classes * n] class-major; NULL before covey_i_quasi_codes_of_classes */
} covey_quasi_codes;

/**
 * A number has a code for every end of a range, a label for every leaf, a set for every element.  Of a hierarchy built
 * from the data the leaves are not known: such an attribute is one text value.
 *
 * Needs usable columns.  Memory lives in the arena, but for dictionaries: covey_i_quasi_codes_clear.
 */
covey_status covey_i_quasi_codes_make(covey_quasi_codes *out, const covey_opened *opened, covey_arena *arena,
                                      covey_error *err);
/* The codes of the classes in memory, in an arena that outlives them; nothing if codes->n is 0. */
covey_status covey_i_quasi_codes_of_classes(covey_quasi_codes *codes, const covey_opened *opened, covey_arena *arena,
                                            covey_error *err);
void covey_i_quasi_codes_clear(covey_quasi_codes *codes);

#endif
