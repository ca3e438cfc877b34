/* Rows by the values of some of their columns: those that no column tells apart are one point. */
#ifndef COVEY_READER_POINTS_POINTS_H
#define COVEY_READER_POINTS_POINTS_H

#include "base/arena.h"
#include "reader/opened.h"

typedef struct covey_points {
    size_t n_dims;
    uint32_t n;
    uint32_t *
        coordinate; /* [n * n_dims] codes of the columns, point-major; points stand in the order of their coordinates */
    uint32_t *n_rows;       /* [n] > 0 */
    uint32_t *start;        /* [n + 1] rows of each point in row[] */
    uint32_t *row;          /* [n rows of the columns] */
    uint32_t *point_of_row; /* [n rows of the columns] */
} covey_points;

/* The points of columns of the same n_rows rows; in the arena. */
covey_status covey_i_points_make(covey_points *out, const covey_column *const *column, size_t n_dims, uint32_t n_rows,
                                 covey_arena *arena, covey_error *err);

/* The point at coordinate[0 .. n_dims-1]; UINT32_MAX: none is there. */
uint32_t covey_i_points_find(const covey_points *points, const uint32_t *coordinate);

#endif
