/* Can given supplies be sent to given demands over edges of given capacities?  A transportation problem, solved
 * exactly. */
#ifndef COVEY_AUDIT_BUCKETIZED_TRANSPORT_H
#define COVEY_AUDIT_BUCKETIZED_TRANSPORT_H

#include <covey/base.h>

#include "base/arena.h"

typedef struct covey_transport_edge {
    uint32_t from, to; /* source, sink */
    int64_t low, high; /* what goes over it, 0 <= low <= high */
    int64_t flow;      /* out */
} covey_transport_edge;

typedef struct covey_transport {
    uint32_t n_sources, n_sinks;
    int64_t *supply; /* [n_sources] in; out: what could not be sent */
    int64_t *demand; /* [n_sinks] in; out: what was not met */
    size_t n_edges;
    covey_transport_edge *edge; /* [n_edges] those of a source stand together, sources ascending */
} covey_transport;

/**
 * Sends everything, if it can be sent.
 *
 * *possible: is there a flow within the edges' bounds that uses up all supplies and meets all demands?  Augmenting
 * paths, many in one breadth-first search ([AzadBulucPothen15]); scratch comes from the arena.
 */
covey_status covey_i_transport(bool *possible, covey_transport *t, covey_arena *arena, covey_error *err);

#endif
