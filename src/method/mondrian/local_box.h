/* Boxes of codes that local recoding widens: lowest codes of all axes, then highest ones. */
#ifndef COVEY_METHOD_MONDRIAN_LOCAL_BOX_H
#define COVEY_METHOD_MONDRIAN_LOCAL_BOX_H

#include <string.h>

#include "method/method_impl.h"

typedef struct covey_box_space {
    const covey_problem *problem;
    double *weight; /* [n_axes] of one unit of loss */
} covey_box_space;

/* What a row loses where the ranges are widened to a point. */
static inline double covey_i_box_cost(const covey_box_space *s, const uint32_t *ends, const uint32_t *code)
{
    const size_t d = s->problem->n_axes;
    double sum = 0;

    for (size_t a = 0; a < d; a++) {
        const uint32_t low = code[a] < ends[a] ? code[a] : ends[a],
                       high = code[a] > ends[d + a] ? code[a] : ends[d + a];

        sum += low == high ? 0 : s->weight[a] * (double)covey_i_axis_loss(&s->problem->axis[a], low, high);
    }
    return sum;
}

static inline void covey_i_box_widen(const covey_box_space *s, uint32_t *ends, const uint32_t *code)
{
    const size_t d = s->problem->n_axes;

    for (size_t a = 0; a < d; a++) {
        ends[a] = code[a] < ends[a] ? code[a] : ends[a];
        ends[d + a] = code[a] > ends[d + a] ? code[a] : ends[d + a];
    }
}

static inline void covey_i_box_set(const covey_box_space *s, uint32_t *ends, const uint32_t *code)
{
    memcpy(ends, code, s->problem->n_axes * sizeof *ends);
    memcpy(ends + s->problem->n_axes, code, s->problem->n_axes * sizeof *ends);
}

#endif
