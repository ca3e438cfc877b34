/* Different numbers that lie too far apart for an array of all: numbered as they come, then ranked. */
#ifndef COVEY_IO_FOUND_NUMBERS_H
#define COVEY_IO_FOUND_NUMBERS_H

#include <covey/base.h>

/* All zeros: none was found yet. */
typedef struct covey_found_numbers {
    uint64_t *slot; /* [n_slots], a power of 2; a number, above 1 + its own; 0: free */
    size_t n_slots;
    uint32_t n;
    uint32_t *rank; /* [n] after covey_i_found_numbers_rank: how many of the numbers are smaller */
} covey_found_numbers;

/* Puts what each number is called, from 0 in the order of their coming, in its place.  False: no memory. */
bool covey_i_found_numbers_take(covey_found_numbers *found, uint32_t *number, size_t n);
/* Nothing can be taken afterwards.  False: no memory. */
bool covey_i_found_numbers_rank(covey_found_numbers *found);
void covey_i_found_numbers_free(covey_found_numbers *found);

#endif
