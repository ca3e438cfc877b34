/* Points of a grid in an order in which those that lie near each other stand together: that of the leaves of a k-d
 * tree. Source: [Bentley75]. */
#ifndef COVEY_READER_POINTS_ORDER_H
#define COVEY_READER_POINTS_ORDER_H

#include "reader/original.h"

typedef struct covey_point_order {
    size_t n_dims;
    const uint32_t *coordinate; /* [points * n_dims] point-major, borrowed */
    uint32_t *point;            /* [points] their numbers, in this order */
    uint32_t *extent; /* [n_dims] width of all points, at least 1: dimensions are compared by the share of it */
} covey_point_order;

/* n_points > 0 points as they come; in the arena. */
covey_status covey_i_point_order_begin(covey_point_order *out, const uint32_t *coordinate, uint32_t n_points,
                                       size_t n_dims, covey_arena *arena, covey_error *err);

/* The smallest box around point[begin .. end-1]: low and high [n_dims]. */
void covey_i_point_order_bounds(uint32_t *low, uint32_t *high, const covey_point_order *order, uint32_t begin,
                                uint32_t end);

/* Puts point[begin .. end-1], whose box that is, into two parts at its widest dimension: the first ends before middle.
 */
void covey_i_point_order_split(covey_point_order *order, const uint32_t *low, const uint32_t *high, uint32_t begin,
                               uint32_t end, uint32_t middle);

static inline uint32_t covey_i_point_at(const covey_point_order *order, uint32_t point, size_t dim)
{
    return order->coordinate[(size_t)point * order->n_dims + dim];
}

#endif
