/* The inside of the index, for those who walk through it: peel_index.c and peel_move.c. */
#ifndef COVEY_PEEL_INDEX_H
#define COVEY_PEEL_INDEX_H

#include "method/peel_impl.h"

/* An axis of a group. */
struct covey_peel_edge {
    uint32_t low, high; /* everything under the label */
    int64_t loss;       /* of low .. high */
    int64_t inner;      /* the least loss of a class */
};

struct covey_peel_group {
    uint32_t begin, end;
    uint32_t least;     /* rows of the smallest class */
};

struct covey_peel_index {
    size_t n_near, n_middle;   /* axes of the stages, as in the table */
    const uint32_t *near_axis, *middle_axis;
    uint32_t n_outer, n_inner, n_classes;
    struct covey_peel_group *outer;       /* into inner */
    struct covey_peel_group *inner;       /* into class */
    struct covey_peel_edge *outer_edge;   /* [n_outer][n_near] */
    struct covey_peel_edge *inner_edge;   /* [n_inner][n_middle] */
    uint32_t *class;
    uint32_t *signature;       /* [classes][2 * (n_near + n_middle)] */
    uint32_t capacity;
};

/* Lower bound of what it costs all classes of a group and n rows of these ranges, on some axes, to come together: the classes lose
 * more, the rows lose as much as the class then does (times n; 0: do not count them). */
static inline int64_t covey_i_peel_bound(const covey_peel *p, const struct covey_peel_edge *edge, const uint32_t *axis, size_t n_axes,
                                         uint32_t least, const uint32_t *low, const uint32_t *high, int64_t n)
{
    int64_t sum = 0;

    for (size_t q = 0; q < n_axes; q++) {
        const uint32_t a = axis[q];
        const uint32_t l = low[a] < edge[q].low ? low[a] : edge[q].low, h = high[a] > edge[q].high ? high[a] : edge[q].high;
        const int64_t more = covey_i_peel_loss(&p->t->axis[a], l, h) - edge[q].loss;

        sum += least * more + n * (more + edge[q].inner);
    }
    return sum;
}

#endif
