/* Points that lie near each other, side by side. */
#include "reader/points/order.h"

#include "base/error.h"

covey_status covey_i_point_order_begin(covey_point_order *out, const uint32_t *coordinate, uint32_t n_points,
                                       size_t n_dims, covey_arena *arena, covey_error *err)
{
    covey_point_order order = {
        .n_dims = n_dims,
        .coordinate = coordinate,
        .point = covey_arena_array(arena, uint32_t, n_points),
        .extent = covey_arena_array(arena, uint32_t, n_dims),
    };
    uint32_t *high = covey_arena_array(arena, uint32_t, n_dims);

    if (!order.point || !order.extent || !high)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_points; i++)
        order.point[i] = i;
    covey_i_point_order_bounds(order.extent, high, &order, 0, n_points);
    for (size_t d = 0; d < n_dims; d++)
        order.extent[d] = high[d] > order.extent[d] ? high[d] - order.extent[d] : 1;
    *out = order;
    return COVEY_OK;
}

void covey_i_point_order_bounds(uint32_t *low, uint32_t *high, const covey_point_order *order, uint32_t begin,
                                uint32_t end)
{
    for (size_t d = 0; d < order->n_dims; d++) {
        low[d] = UINT32_MAX;
        high[d] = 0;
    }
    for (uint32_t i = begin; i < end; i++)
        for (size_t d = 0; d < order->n_dims; d++) {
            uint32_t c = covey_i_point_at(order, order->point[i], d);

            low[d] = c < low[d] ? c : low[d];
            high[d] = c > high[d] ? c : high[d];
        }
}

static size_t widest(const covey_point_order *order, const uint32_t *low, const uint32_t *high)
{
    size_t best = 0;

    for (size_t d = 1; d < order->n_dims; d++)
        if ((uint64_t)(high[d] - low[d]) * order->extent[best] > (uint64_t)(high[best] - low[best]) * order->extent[d])
            best = d;
    return best;
}

/* Hoare's selection: afterwards points before `middle` are not above it in this dimension, those behind not below. */
void covey_i_point_order_split(covey_point_order *order, const uint32_t *low_end, const uint32_t *high_end,
                               uint32_t begin, uint32_t end, uint32_t middle)
{
    const size_t dim = widest(order, low_end, high_end);
    int64_t low = begin, high = (int64_t)end - 1;

    if (order->n_dims == 0)
        return;
    while (low < high) {
        uint32_t pivot = covey_i_point_at(order, order->point[low + (high - low) / 2], dim);
        int64_t i = low - 1, j = high + 1;

        for (;;) {
            uint32_t swap;

            while (covey_i_point_at(order, order->point[++i], dim) < pivot)
                ;
            while (covey_i_point_at(order, order->point[--j], dim) > pivot)
                ;
            if (i >= j)
                break;
            swap = order->point[i];
            order->point[i] = order->point[j];
            order->point[j] = swap;
        }
        if ((int64_t)middle <= j)
            high = j;
        else
            low = j + 1;
    }
}
