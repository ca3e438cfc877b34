/* The enumeration tree of partitionings: its queue (queue.c) and the search that walks it (pet.c). */
#ifndef COVEY_METHOD_OPTIMAL_PET_H
#define COVEY_METHOD_OPTIMAL_PET_H

#include "method/optimal/optimal.h"

enum { COVEY_PET_NONE = UINT32_MAX };

/* A partitioning: its parent with one block cut. */
typedef struct covey_pet_node {
    covey_optimal_units lower, cost; /* bound for it and all below it; its own cost */
    uint64_t serial;
    uint32_t parent;     /* COVEY_PET_NONE: one block */
    uint32_t n_children; /* that are still needed */
    uint32_t block;      /* number of the cut block in pre-order */
    uint32_t cut;        /* axis << 16 | cell */
    uint32_t n_cuts;
    bool is_queued;
} covey_pet_node;

typedef struct covey_pet_queue {
    covey_optimal_priority priority;
    covey_pet_node *node;                   /* those in the queue and what they descend from */
    uint32_t n_nodes, capacity, most, free; /* free: list of unused nodes through parent */
    uint32_t n_used;
    uint32_t *heap, n_heap, heap_capacity;
    uint64_t n_made;
    covey_optimal_units dropped; /* least bound of what was dropped for want of memory */
    bool has_dropped;
} covey_pet_queue;

void covey_i_pet_queue_init(covey_pet_queue *q, covey_optimal_priority priority, size_t most_bytes);
void covey_i_pet_queue_clear(covey_pet_queue *q);
/* Adds a node; drops the worst tenth first if there is no room. */
covey_status covey_i_pet_push(covey_pet_queue *q, const covey_pet_node *node, covey_error *err);
/* The next node, which stays valid until it is released; false: none left. */
bool covey_i_pet_pop(uint32_t *out, covey_pet_queue *q);
/* A popped node is done with: it goes, and what only it descends from. */
void covey_i_pet_release(covey_pet_queue *q, uint32_t node);
/* Least bound of what is queued; COVEY_OPT_INFINITE if nothing is. */
covey_optimal_units covey_i_pet_least(const covey_pet_queue *q);

#endif
