/* Sensitive values on a line: the ordered and the numeric distance, and what smoothing needs. */
#ifndef COVEY_MODEL_LINE_H
#define COVEY_MODEL_LINE_H

#include "model/counts.h"
#include "model/model_impl.h"

/* The values that occur in the table, in their order.  Points 0 .. n-1. */
typedef struct covey_line {
    const covey_histogram *prior;
    uint32_t n;
    uint32_t *value; /* [n] code of a point */
    uint32_t *point; /* [prior->n_values] point of a code, UINT32_MAX if it does not occur */
    bool point_follows_code;
    uint64_t *position; /* [n] ascending from 0: ranks, or numbers less the smallest */
    int64_t *below;     /* [n] rows of the table at points 0 .. i */
    covey_i128 *area;   /* [n] sum of below[j] * (position[j+1] - position[j]) over j < i */
    int64_t most_small; /* rows of a class whose distance is summed up in 64 bits */
} covey_line;

/* Who wants a line, for messages. */
typedef struct covey_line_wish {
    const char *model, *what, *instead; /* "t-closeness", "distance ordered", "choose distance equal" */
    bool by_number; /* positions are the numbers of the column; else ranks (numbers by value, texts by their declared
                       order) */
} covey_line_wish;

/* COVEY_EINVAL if the attribute has no such order, or has missing values, which have no place in any. */
covey_status covey_i_line_new(covey_line **out, const covey_model_input *input, const covey_line_wish *wish,
                              covey_arena *arena, covey_error *err);

/* Steps through the points of a class in their order; its values must occur in the table. */
typedef struct covey_line_walk {
    const covey_line *line;
    const covey_histogram *group;
    covey_ascending values; /* if points follow codes */
    uint32_t point;
} covey_line_walk;

void covey_i_line_walk_init(covey_line_walk *walk, const covey_line *line, const covey_histogram *group);
bool covey_i_line_walk_next(covey_line_walk *walk, uint32_t *value);

/* By the points of their values. */
void covey_i_line_sort_shares(covey_share *share, size_t n, const covey_line *line);

/* Earth mover's distance along the line times n_table * n_class * (last position, 1 if that is 0); -1 if a value does
 * not occur. */
covey_i128 covey_i_line_distance(const covey_line *line, const covey_histogram *group);
/* A distance's `ground`: where the values lie. */
void covey_i_line_ground(covey_closeness *out, const void *line);

#endif
