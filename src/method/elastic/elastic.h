/* What the files of the elastic method share.
 *
 *   elastic.c the method
 *   pieces.c  its parts, for the engine that bisects
 *   cut.c     which cut a part gets: attributes, thresholds, scores
 *   pass.c    which records go left, and what ranges both sides have
 *   split.c   making the cut that was chosen
 *   profile.c a part's rows by code and sensitive value
 *   limits.c  how many may go
 *   plan.c    how many rows of each sensitive value go left, and where that separates them
 *   close.c   the same for t-closeness
 *   bounds.c  the promises' bounds on counts, remembered by size
 *
 * Source: docs/design/elastic.md. */
#ifndef COVEY_METHOD_ELASTIC_ELASTIC_H
#define COVEY_METHOD_ELASTIC_ELASTIC_H

#include "method/method_impl.h"
#include "method/rows/records.h"

enum {
    COVEY_ELASTIC_MOST_PLANS = 40, /* candidates for one attribute: all boundaries of few values, or quantiles */
    COVEY_ELASTIC_FEW_CODES = 12,
    COVEY_ELASTIC_CHIP = 25, /* a side of less than one row in so many is a chip */
    COVEY_ELASTIC_MOST_CELLS = 1 << 20
};

/* What all workers share and nobody changes, but for the records, of which every part has its own piece. */
typedef struct covey_elastic {
    const covey_problem *problem;
    int view;            /* the sensitive attribute whose counts steer the cuts, -1: there is none */
    uint32_t n_values;   /* its values, 1 if there is none */
    bool bounded;        /* do promises bound its counts? */
    bool has_needs;      /* also from below? */
    bool bounds_suffice; /* sides that keep them, and min_size, keep every promise */
    bool all_axes;       /* dims: score */
    bool comes_close; /* t-closeness by an earth mover's distance is promised of the steering attribute, and nothing of
                         others or of ranges */
    bool stays_natural; /* publish-boxes: cut: no rows are moved, so that every class lies in the region that was cut */
    uint32_t n_cuts;
    int64_t min_size;
    uint64_t most_cells; /* of a profile: COVEY_ELASTIC_MOST_CELLS, 0 in tests that want none */
    double *weight;      /* [n_axes] of a unit of loss */
    uint32_t n_rows;
    const uint32_t *rows;  /* [n_rows] in their order; NULL where records are rows */
    covey_records records; /* [n_axes] axes, then [n_axes] the steering attribute, then all views */
} covey_elastic;

/* A part of some records.  Ranges lie beside it: [n_axes] smallest, then [n_axes] largest code, both attained. */
typedef struct covey_elastic_part {
    uint32_t start, n; /* records */
    int side;
    uint32_t size; /* rows */
    uint32_t room; /* for records from start on, while all threads cut together */
} covey_elastic_part;

/* Bounds on the rows of each of a profile's values in a class of one size. */
typedef struct covey_elastic_bounds {
    const uint32_t *cap;
    const uint32_t *need; /* NULL: nothing is needed */
    uint32_t n_needed;    /* values of the attribute, in the profile or not, of which a row is needed */
} covey_elastic_bounds;

/* Memory that grows and is used again. */
typedef struct covey_elastic_buffer {
    void *bytes;
    size_t capacity;
} covey_elastic_buffer;

typedef struct covey_elastic_entry {
    uint32_t value; /* index into the profile's values */
    uint32_t rows;
} covey_elastic_entry;

/* A part's rows by code of one axis and by sensitive value.  Values are numbered densely: all values of the attribute
 * where there is a cell for each of them (cell), otherwise the ones that occur. */
typedef struct covey_elastic_profile {
    size_t n_codes;        /* codes that occur, ascending */
    const uint32_t *code;  /* [n_codes] */
    const uint32_t *rows;  /* [n_codes] */
    size_t n_values;       /* a multiple of 4 if there are cells: the last ones may mean nothing */
    const uint32_t *value; /* [n_values] the attribute's codes; NULL: they are the numbers */
    const uint32_t *total; /* [n_values] rows */
    const uint32_t *cell;  /* [high - low + 1][n_values] rows, or NULL */
    uint32_t low;          /* code of the first row of cells */
    const uint32_t *first; /* [n_codes + 1] without cells: a code's entries, by value */
    const covey_elastic_entry *entry;
} covey_elastic_profile;

/* A cut that keeps the bounds.  Rows with code < below[v] go left, and the first rest[v] rows of code partial[v]. */
typedef struct covey_elastic_plan {
    size_t boundary;                 /* codes up to profile->code[boundary] are left of it */
    uint32_t threshold;              /* that code */
    uint32_t n_left;                 /* rows */
    uint32_t left_most, right_least; /* the largest code that rows are fetched from, or threshold; the smallest that
                                        they are sent from, or the next one */
    bool natural;                    /* rows with code <= threshold go left, none is moved */
    uint32_t n_partial;
    uint32_t *left;          /* [profile->n_values] rows that go left */
    uint32_t *below;         /* by the attribute's codes */
    uint32_t *partial;       /* by the attribute's codes; UINT32_MAX: no code is divided */
    uint32_t *rest;          /* by the attribute's codes */
    uint32_t *partial_value; /* [n_partial] codes of the attribute that have a divided code */
} covey_elastic_plan;

/* An attribute of the part that is being cut. */
typedef struct covey_elastic_extent {
    size_t axis;
    double width; /* relative to the whole domain */
} covey_elastic_extent;

/* Several plans for a part along one axis. */
typedef struct covey_elastic_pass {
    struct covey_elastic_worker *worker;
    const covey_elastic_part *part;
    size_t axis;
    covey_elastic_plan *plan; /* [n_plans] */
    size_t n_plans;
    const uint32_t *ranges;     /* [2 * n_axes] of the part */
    covey_record_ranges *range; /* [n_plans][n_axes] of both sides */
    uint32_t *seen;             /* [n_plans][n_values] rows of a value's divided code that came before */
} covey_elastic_pass;

typedef struct covey_elastic_worker {
    const covey_elastic *elastic;
    const covey_records *records; /* those of elastic, or its own */
    covey_records own;
    covey_arena arena;
    int n_threads; /* for one cut */
    covey_elastic_profile profile;
    covey_elastic_buffer cell, code, rows, value, total, first, entry, key; /* of profile */
    uint32_t *number_of; /* [n_values] a value's number in the profile, UINT32_MAX: none */
    covey_elastic_plan plan[COVEY_ELASTIC_MOST_PLANS + 1]; /* the last one keeps the best plan of all axes */
    uint32_t *low, *high, *sum, *natural, *target;         /* [n_values + 3] scratch of planning */
    uint32_t scarce;                                       /* a value that made a cut impossible */
    covey_elastic_extent *extent;                          /* [n_axes] */
    covey_elastic_buffer range, seen;                      /* of passes */
    covey_elastic_pass chosen; /* the cut that was found; what is decided of the part's records: */
    size_t n_chunks;
    covey_elastic_buffer counts, goes_left, divided;
    struct covey_elastic_slot *slot; /* bounds by size */
    uint32_t n_slots;
    int64_t *cap, *need;                /* [n_values] as the promises give them */
    uint32_t *listed_cap, *listed_need; /* [n_values] of the values that a profile lists */
    covey_tally left, right;
    bool may_move;   /* repair cuts that go too far from the table */
    size_t cut_axis; /* of the last cut: codes up to cut_threshold are left of it, if it is natural */
    uint32_t cut_threshold;
} covey_elastic_worker;

covey_status covey_i_elastic_worker_new(covey_elastic_worker *worker, const covey_elastic *elastic, covey_error *err);
void covey_i_elastic_worker_clear(covey_elastic_worker *worker); /* all zeros allowed */

/* Room for n things of that size; what was in it is lost. */
covey_status covey_i_elastic_reserve(covey_elastic_buffer *buffer, size_t n, size_t size, covey_error *err);

/* bounds.c */
covey_status covey_i_elastic_bounds_init(covey_elastic_worker *worker, covey_error *err);
/* Of worker->profile's values; valid until the next call. */
covey_status covey_i_elastic_bounds_of(covey_elastic_bounds *out, covey_elastic_worker *worker, uint32_t size,
                                       covey_error *err);

/* profile.c: fills worker->profile; low and high are the part's range on the axis. */
covey_status covey_i_elastic_profile_part(covey_elastic_worker *worker, const covey_elastic_part *part, size_t axis,
                                          uint32_t low, uint32_t high, covey_error *err);

/* limits.c: fills worker->low and worker->high with the least and the most rows of each of the profile's values that
 * may go left.  False: no number fits some value (or *status is not COVEY_OK). */
bool covey_i_elastic_find_limits(covey_elastic_worker *worker, uint32_t n_left, uint32_t n_right, covey_status *status,
                                 covey_error *err);
/* Is there no size for which the values' numbers fit?  Then the part of the profile cannot be cut along any axis. False
 * where that takes too long to say. */
covey_status covey_i_elastic_is_hopeless(bool *is_hopeless, covey_elastic_worker *worker, uint32_t n_rows,
                                         covey_error *err);

/* plan.c: plans to cut worker->profile behind each of boundary[0 .. n-1] (ascending); fills worker->plan[0 ..
 * *n_plans-1] with those that the bounds allow.  n_rows: of the part. */
covey_status covey_i_elastic_plan_cuts(size_t *n_plans, covey_elastic_worker *worker, const size_t *boundary, size_t n,
                                       uint32_t n_rows, covey_error *err);

/* Both sides' ranges on the axis of worker->profile, which plan was made from. */
covey_record_ranges covey_i_elastic_plan_ranges(const covey_elastic_plan *plan, const covey_elastic_profile *profile);

/* close.c: changes plan->left, where it breaks a promise of the steering attribute, so that it does not; false: it
 * cannot. */
bool covey_i_elastic_bring_close(covey_elastic_plan *plan, covey_elastic_worker *worker, uint32_t n_rows);

/* Where the records of a block go. */
typedef struct covey_elastic_decision {
    uint8_t left[COVEY_RECORD_BLOCK],
        right[COVEY_RECORD_BLOCK]; /* 255: there; those that are divided go to both sides */
    uint32_t n_left;               /* with those that are divided */
    uint32_t n_divided;
    covey_record_divided divided[COVEY_RECORD_BLOCK];
} covey_elastic_decision;

/* pass.c: decides of the part's records at .. at+n-1; seen: [n_values] rows of divided codes before them, which is kept
 * up to date. */
void covey_i_elastic_decide(covey_elastic_decision *decision, const covey_elastic_pass *pass,
                            const covey_elastic_plan *plan, uint32_t at, uint32_t n, uint32_t *seen);
/* Adds the rows of divided codes among the records at .. end-1. */
void covey_i_elastic_count_divided(uint32_t *seen, const covey_elastic_pass *pass, const covey_elastic_plan *plan,
                                   uint32_t at, uint32_t end);
/* Ranges of both sides of each plan; valid until the worker's next pass. */
covey_status covey_i_elastic_pass_ranges(covey_elastic_pass *pass, covey_error *err);
/* Both sides' ranges of a plan: [n_axes]. */
const covey_record_ranges *covey_i_elastic_pass_range(const covey_elastic_pass *pass, size_t plan);
/* Adds the rows of the sensitive attributes that do not steer to worker->left and worker->right. */
void covey_i_elastic_pass_views(covey_elastic_pass *pass, size_t plan);

/**
 * Finds the cut that a part gets (cut.c).
 *
 * @param n_records  receives how many records the left and the right side will have, together a few more than the part
 * where runs are divided; unless *is_cut is false: then no cut is possible
 * @param ranges     [2 * n_axes] of the part
 * @param child_ranges  [2][2 * n_axes]
 */
covey_status covey_i_elastic_find_cut(bool *is_cut, uint32_t n_records[2], uint32_t *child_ranges,
                                      covey_elastic_worker *worker, const covey_elastic_part *part,
                                      const uint32_t *ranges, covey_error *err);
/* split.c: decides where all records of a part go; n_records: as above. */
covey_status covey_i_elastic_decide_all(uint32_t n_records[2], covey_elastic_worker *worker,
                                        const covey_elastic_part *part, size_t axis, covey_elastic_plan *plan,
                                        covey_error *err);
/* Makes the cut that was found; start: where the children's records go, on the other side. */
covey_status covey_i_elastic_make_cut(covey_elastic_part children[2], covey_elastic_worker *worker,
                                      const covey_elastic_part *part, const uint32_t start[2], covey_error *err);

/* What all records are cut to: a map from rows to classes, or, where records are runs, the classes' runs. */
typedef struct covey_elastic_classes {
    uint32_t n;
    uint32_t *class_of_row; /* NULL: runs */
    covey_span *class;      /* [n] of span */
    covey_span *span;       /* of the sorted rows */
    uint32_t *content;      /* of each span the code of the steering attribute */
    covey_regions ranges;   /* those of the rows; with publish-boxes: cut the regions that were cut */
} covey_elastic_classes;

/* pieces.c: cuts all records; ranges: [4 * n_axes] of them, and their region.  Clear the classes afterwards, also when
 * this fails. */
covey_status covey_i_elastic_cut_all(covey_elastic_classes *classes, const covey_elastic *elastic,
                                     const uint32_t *ranges, const covey_run *run, covey_error *err);
void covey_i_elastic_classes_clear(covey_elastic_classes *classes); /* all zeros allowed */

#endif
