/* The rows of peel, and all that trials share and nobody changes.
 *
 *   table.c     what promises and axes are like; losses as integers
 *   lots.c      rows as lots: cells, kinds; and from lots back to rows
 *   count.c     the same without sorting rows, where there are few different keys
 *   lot_parts.c what lots are made of, either way
 *   ranges.c    which ranges keep the promises about ranges
 *   crowds.c    rows that search does not need
 *   ladder.c    the levels of every attribute, and nodes in order of loss
 *   ladders.c   ladders as a policy gives them */
#ifndef COVEY_METHOD_PEEL_TABLE_H
#define COVEY_METHOD_PEEL_TABLE_H

#include <string.h>

#include "method/method_impl.h"
#include "method/rows/row_cells.h"

enum {
    COVEY_PEEL_UNIT = 1 << 20,    /* a row's loss on an axis of average weight that is lost wholly */
    COVEY_PEEL_MOST_LOSSES = 512, /* codes of an axis whose losses are tabulated */
    COVEY_PEEL_MOST_COUNTS = 64,  /* kinds that every class counts */
    COVEY_PEEL_MEMO_BITS = 15,
    COVEY_PEEL_MOST_DISSOLVED = 64, /* rows of a class that may fall apart */
    COVEY_PEEL_MOST_LEVELS = 12,    /* axes of the index */
    COVEY_PEEL_LANES = 4,           /* axes that are looked at together */
    COVEY_PEEL_MOST_NEAR = 8        /* near classes that are asked for */
};
#define COVEY_PEEL_NONE UINT32_MAX
#define COVEY_PEEL_FAR ((int64_t)1 << 60) /* more than any cost */

/* An axis, its losses in COVEY_PEEL_UNITs: integers, so that sums depend on no order. */
typedef struct covey_peel_axis {
    const int32_t *loss; /* [n_codes * n_codes] by low and high code, NULL: too many codes */
    const uint16_t
        *span; /* [n_codes * n_codes][2] TREE with loss: first and last code under the label of low and high */
    const int32_t *place; /* [n_codes] RANGE without loss: 0 .. unit */
    const uint32_t
        *bin; /* [n_codes][2] first and last of the codes that the index takes for one; NULL: each for itself */
    const covey_axis *axis;
    uint32_t n_codes;
    int32_t unit; /* loss of everything */
} covey_peel_axis;

/* One level of an axis' ladder. */
typedef struct covey_peel_level {
    const uint32_t *label; /* [n_codes] */
    uint32_t n_labels;
    const uint32_t *range; /* [n_labels][2] smallest and largest code that occurs */
    int64_t loss;          /* mean over all rows */
} covey_peel_level;

typedef struct covey_peel_ladder {
    size_t n;
    covey_peel_level *level; /* [n] fine to coarse; the last one has a single label */
} covey_peel_ladder;

/* An axis whose ranges promises judge. */
typedef struct covey_peel_judged {
    size_t axis;
    const uint32_t
        *reach; /* [n_codes] by low code: the first high code of a range that holds; n_codes: there is none */
} covey_peel_judged;

typedef struct covey_peel_node {
    int64_t loss;
    uint32_t number; /* in lexicographic order */
} covey_peel_node;

/* Of a table whose rows were counted, not sorted (count.c). */
typedef struct covey_peel_count {
    uint32_t *key;    /* [problem->n_rows] of each row of the table */
    uint32_t *of_key; /* [n_keys] rows that have it */
    size_t n_keys;
} covey_peel_count;

/* The rows, and all that trials share and nobody changes.  A row is a number below n_rows, in an order that depends on
 * content only: by cell, by kind, then by what else is published.  A cell is a combination of quasi-identifiers, a kind
 * one of the sensitive values that promises look at.
 *
 * A lot is rows that stand behind one another and have the same cell and kind; a partition puts lots into classes.
 * Search needs lots of one row each, number i being row i: what it calls a row is such a lot.  To begin with, all rows
 * of a cell and kind can be one lot, so that work and memory go with their number instead of that of the rows; a trial
 * may split them then, as it is the only one. */
typedef struct covey_peel_table {
    const covey_problem *problem;
    size_t n_axes, width;  /* width: filled up to whole lanes with axes of a single code, which lose nothing */
    covey_peel_axis *axis; /* [width] */
    uint32_t n_rows;
    uint32_t *row;            /* [n_rows] where they stand in the table; NULL: they were counted only */
    covey_peel_count count;   /* if they were */
    uint32_t n_apart, *apart; /* [n_apart] rows of the table that stand apart from these, cell by cell (crowds.c) */
    uint32_t *apart_start;    /* [n_cells + 1] into apart; NULL: there are none */
    uint32_t n_lots, n_whole; /* n_whole: before any was split */
    uint32_t lots_capacity;
    uint32_t *cell, *kind;  /* [n_lots] */
    uint32_t *alike;        /* [n_lots] the first lot of the same cell and kind */
    uint32_t *first, *size; /* [n_lots] their rows; NULL: every row is a lot */
    uint32_t n_cells, n_kinds;
    const uint32_t *codes; /* [n_cells * width] */
    size_t n_used;
    const uint32_t *used;      /* views that a promise looks at */
    const uint32_t *value;     /* [n_kinds * n_used] */
    const uint64_t *kind_hash; /* [n_kinds] */
    int64_t min_size;
    bool size_only;            /* a class keeps the promises as soon as it has min_size rows and its ranges hold */
    bool has_ranges;           /* a promise judges ranges, ... */
    covey_peel_judged *judged; /* ... [n_judged] of these axes */
    size_t n_judged;
    bool shows_rungs;          /* classes publish rungs of ladders (publish-boxes: cut) */
    bool has_prior;            /* a promise compares with the whole table */
    bool is_hereditary;        /* what fails has no part that holds */
    int bounded_view;          /* the first with bounds on counts, -1: none */
    bool is_bounded;           /* bounds say it all */
    uint32_t judge_work;       /* of a verdict on a class */
    uint32_t least_kinds;      /* different kinds that a class needs, as far as that can be told */
    covey_peel_ladder *ladder; /* [n_axes] */
    uint32_t n_nodes;
    covey_peel_node *node;      /* in order of loss */
    const uint8_t *level;       /* [n_nodes * n_axes] by node number */
    size_t n_index;             /* axes of the index */
    const uint32_t *index_axis; /* [n_axes] those first, the others behind */
} covey_peel_table;

/* Are two thirds of the rows crowds that stand apart?  Then little is lost, and most of what can be gained is gained
 * soon. */
static inline bool covey_i_peel_is_crowded(const covey_peel_table *t)
{
    return t->n_apart / 2 >= t->n_rows;
}

static inline const uint32_t *covey_i_peel_codes(const covey_peel_table *t, uint32_t lot)
{
    return t->codes + (size_t)t->cell[lot] * t->width;
}

static inline uint32_t covey_i_peel_size(const covey_peel_table *t, uint32_t lot)
{
    return t->size ? t->size[lot] : 1;
}

static inline uint32_t covey_i_peel_first(const covey_peel_table *t, uint32_t lot)
{
    return t->first ? t->first[lot] : lot;
}

/* Loss of an axis whose loss is not tabulated. */
int64_t covey_i_peel_long_loss(const covey_peel_axis *axis, uint32_t low, uint32_t high);

/* Loss of a class that attains low and high. */
static inline int64_t covey_i_peel_loss(const covey_peel_axis *axis, uint32_t low, uint32_t high)
{
    return axis->loss ? axis->loss[(size_t)low * axis->n_codes + high] : covey_i_peel_long_loss(axis, low, high);
}

static inline int64_t covey_i_peel_loss_with(const covey_peel_axis *axis, uint32_t low, uint32_t high, uint32_t code)
{
    return covey_i_peel_loss(axis, code < low ? code : low, code > high ? code : high);
}

/* Loss of low[] .. high[], all axes together. */
static inline int64_t covey_i_peel_box_loss(const covey_peel_table *t, const uint32_t *low, const uint32_t *high)
{
    int64_t sum = 0;

    for (size_t a = 0; a < t->n_axes; a++)
        sum += covey_i_peel_loss(&t->axis[a], low[a], high[a]);
    return sum;
}

/* Of so many axes: codes, which are below 2^31, or how many rows stand at an end. */
typedef int32_t covey_peel_lanes __attribute__((vector_size(COVEY_PEEL_LANES * sizeof(int32_t))));

static inline covey_peel_lanes covey_i_peel_load(const uint32_t *from)
{
    covey_peel_lanes lanes;

    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

static inline void covey_i_peel_store(uint32_t *to, covey_peel_lanes lanes)
{
    memcpy(to, &lanes, sizeof lanes);
}

/* mask: all bits of a lane or none */
static inline covey_peel_lanes covey_i_peel_choose(covey_peel_lanes mask, covey_peel_lanes one, covey_peel_lanes other)
{
    return (one & mask) | (other & ~mask);
}

/* Loss of low .. high on the axes from a on. */
static inline int64_t covey_i_peel_lanes_loss(const covey_peel_table *t, size_t a, covey_peel_lanes low,
                                              covey_peel_lanes high)
{
    int64_t sum = 0;

    for (int i = 0; i < COVEY_PEEL_LANES; i++)
        sum += covey_i_peel_loss(&t->axis[a + i], (uint32_t)low[i], (uint32_t)high[i]);
    return sum;
}

/* Loss of the box around low[] .. high[] and other_low[] .. other_high[], all [width]. */
static inline int64_t covey_i_peel_hull_of(const covey_peel_table *t, const uint32_t *low, const uint32_t *high,
                                           const uint32_t *other_low, const uint32_t *other_high)
{
    int64_t sum = 0;

    for (size_t a = 0; a < t->width; a += COVEY_PEEL_LANES) {
        const covey_peel_lanes l = covey_i_peel_load(low + a), ol = covey_i_peel_load(other_low + a),
                               h = covey_i_peel_load(high + a), oh = covey_i_peel_load(other_high + a);

        sum += covey_i_peel_lanes_loss(t, a, covey_i_peel_choose(ol < l, ol, l), covey_i_peel_choose(oh > h, oh, h));
    }
    return sum;
}

/* table.c */
/* Everything but ladders and nodes.  min_size: the method's own wish; single: every row is to be a lot, as search wants
 * it. covey_i_peel_table_clear gives back what the arena does not own, also if this fails. */
covey_status covey_i_peel_table_new(covey_peel_table *t, const covey_problem *problem, int64_t min_size, bool single,
                                    covey_arena *arena, const covey_run *run, covey_error *err);
void covey_i_peel_table_clear(covey_peel_table *t);
/* The codes that are published together with low .. high: all under the same label. */
void covey_i_peel_span(uint32_t span[2], const covey_peel_axis *axis, uint32_t low, uint32_t high);

/* ranges.c: t->judged, for ranges as promises are shown them now */
covey_status covey_i_peel_find_reach(covey_peel_table *t, covey_arena *arena, covey_error *err);

/* lots.c */
/* Cells, kinds and lots, after t->used. */
covey_status covey_i_peel_lots_new(covey_peel_table *t, bool single, covey_arena *arena, const covey_run *run,
                                   covey_error *err);
/* From classes of lots to classes of the table's rows: *out receives [problem->n_rows] of covey_i_malloc.  *n_classes
 * may grow. */
covey_status covey_i_peel_class_of_rows(uint32_t **out, uint32_t *n_classes, covey_peel_table *t,
                                        const uint32_t *class_of, const covey_run *run, covey_error *err);

/* crowds.c */
/* Before lots are made: takes rows out of t->row and of the cells that they make up. */
covey_status covey_i_peel_crowds_apart(covey_peel_table *t, covey_row_cells *cells, covey_error *err);
/* Their classes, after those of all others; *n_classes grows where a crowd is a class of its own.
 * class_of_row: [problem->n_rows], class_of: [n_lots] */
covey_status covey_i_peel_crowds_return(uint32_t *class_of_row, uint32_t *n_classes, const covey_peel_table *t,
                                        const uint32_t *class_of, covey_error *err);

/* lot_parts.c */
/* Room for n lots, still to be filled. */
covey_status covey_i_peel_lots_reserve(covey_peel_table *t, uint32_t n, bool single, covey_error *err);
/* Kinds where promises look at one view at most: its values, or all rows the same. */
covey_status covey_i_peel_kinds_new(covey_peel_table *t, covey_arena *arena, covey_error *err);
void covey_i_peel_lots_clear(covey_peel_table *t);
/* Sorts rows of the table as a covey_peel_table numbers them; without by_content only by cell and kind, stably. */
covey_status covey_i_peel_sort_rows(uint32_t *rows, uint32_t n, const covey_peel_table *t, bool by_content,
                                    const covey_run *run, covey_error *err);

/* count.c */
bool covey_i_peel_can_count(const covey_peel_table *t);
/* *suffices: false if rows must be suppressed, which depends on their order; t is then as it was. */
covey_status covey_i_peel_count_lots(bool *suffices, covey_peel_table *t, covey_arena *arena, const covey_run *run,
                                     covey_error *err);
/* The same as covey_i_peel_class_of_rows, where rows were counted. */
covey_status covey_i_peel_class_of_counted(uint32_t **out, covey_peel_table *t, const uint32_t *class_of,
                                           const covey_run *run, covey_error *err);

/* ladder.c: ladders and nodes; at most `most` nodes: ladders are shortened if there would be more.
 * wishes: a YAML mapping from attributes to rungs, NULL: none; note: [size] receives a remark, "" if there is none. */
covey_status covey_i_peel_ladders_new(covey_peel_table *t, const char *wishes, uint32_t most, char *note, size_t size,
                                      covey_arena *arena, covey_error *err);
/* Does every rung of the axes whose ranges promises judge keep together what the rung before it does? */
bool covey_i_peel_ladders_nest(const covey_peel_table *t);
/* ladders.c: a policy's rungs of one axis: widths in units of the column's scaled numbers, or levels of the tree;
 * ascending. *n = 0: it has none. */
typedef struct covey_peel_wish {
    size_t n;
    int64_t *rung; /* [n] */
} covey_peel_wish;
covey_status covey_i_peel_wishes_read(covey_peel_wish *wish, const covey_problem *problem, const char *text,
                                      covey_arena *arena, covey_error *err);

#endif
