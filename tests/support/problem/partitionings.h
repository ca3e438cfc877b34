/* How many hierarchical partitionings a grid has.  Source: docs/design/optimal-partition.md. */
#ifndef COVEY_TESTS_PARTITIONINGS_H
#define COVEY_TESTS_PARTITIONINGS_H

#include <stddef.h>
#include <stdint.h>

/* By inclusion and exclusion over the sets of full cuts; 0 if it exceeds 64 bits or memory ends. */
uint64_t count_partitionings(const uint32_t *cells, size_t d);
/* The same by making each one once; slow. */
uint64_t enumerate_partitionings(const uint32_t *cells, size_t d);

#endif
