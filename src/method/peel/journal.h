/* What a shake remembers, so that it can be undone: which rows were moved, and what the classes were before. */
#ifndef COVEY_METHOD_PEEL_JOURNAL_H
#define COVEY_METHOD_PEEL_JOURNAL_H

#include <stdint.h>

/* A class that a shake has changed. */
struct covey_peel_touched {
    uint32_t class;
    int64_t cost; /* before */
    uint64_t rows_hash;
};

/* What was where before a shake. */
struct covey_peel_journal {
    uint32_t stamp;
    uint32_t *row_stamp;                /* [n_rows] */
    uint32_t *row, *home, n_rows;       /* [n_rows] those that were moved, and the class they were in */
    uint32_t *class_stamp;              /* [capacity] */
    struct covey_peel_touched *touched; /* [capacity] */
    uint32_t n_touched, capacity;
    uint32_t *shaken; /* [n_rows] rows to draw from */
    int64_t *lost;    /* [n_rows] what they and those before them lose */
};

#endif
