/* What the files of peel share.
 *
 *   peel.c              the method: parameters, trials on several threads, the release
 *   table.c        what promises and axes are like; losses as integers
 *   lots.c         rows as lots: cells, kinds; and from lots back to rows
 *   count.c        the same without sorting rows, where there are few different keys
 *   ladder.c       the levels of every attribute, and nodes in order of loss
 *   ladders.c      ladders as a policy gives them
 *   class.c        classes with ranges, border counts and losses, kept up to date row by row
 *   judge.c        does a class keep the promises, also if rows came or went?
 *   take.c         node after node: rows are grouped, groups are taken
 *   trim.c         the largest part of a group that keeps the promises
 *   serve.c        classes around rows of rare values, where values are capped
 *   rest.c         rows that nobody took; rows that are better suppressed
 *   cut.c          classes are cut in two
 *   method/peel/search/trie.c         ranges of codes as a tree
 *   method/peel/search/index.c        which classes are near a row or a class
 *   method/peel/search/move.c         the best move of a row
 *   method/peel/search/search.c       rows move and are exchanged, classes dissolve
 *   method/peel/search/donor.c        rows that a class can spare
 *   method/peel/search/explode.c      a class falls apart in two (method/peel/search/pool.h;
 * method/peel/search/boxes.c: where its rows lie, method/peel/search/part.c: what becomes of a part)
 *   method/peel/search/open.c         boxes become classes
 *   method/peel/search/shake.c        a class is spoilt, its surroundings are searched, and taken back if that does not
 * pay method/peel/search/cross.c        the best of two partitions trial.c        a start; passes of search
 *   method/peel/search/rounds.c       search on two sides at once
 *
 * Source: docs/design/peel.md. */
#ifndef COVEY_METHOD_PEEL_PEEL_H
#define COVEY_METHOD_PEEL_PEEL_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "method/method_impl.h"

enum {
    COVEY_PEEL_UNIT = 1 << 20,    /* a row's loss on an axis of average weight that is lost wholly */
    COVEY_PEEL_MOST_LOSSES = 512, /* codes of an axis whose losses are tabulated */
    COVEY_PEEL_MOST_COUNTS = 64,  /* kinds that every class counts */
    COVEY_PEEL_MEMO_BITS = 15,
    COVEY_PEEL_MOST_DISSOLVED = 64, /* rows of a class that may fall apart */
    COVEY_PEEL_MOST_LEVELS = 12,    /* axes of the index */
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
    size_t n_axes;
    covey_peel_axis *axis; /* [n_axes] */
    uint32_t n_rows;
    uint32_t *row;            /* [n_rows] where they stand in the table; NULL: they were counted only */
    covey_peel_count count;   /* if they were */
    uint32_t n_lots, n_whole; /* n_whole: before any was split */
    uint32_t lots_capacity;
    uint32_t *cell, *kind;  /* [n_lots] */
    uint32_t *alike;        /* [n_lots] the first lot of the same cell and kind */
    uint32_t *first, *size; /* [n_lots] their rows; NULL: every row is a lot */
    uint32_t n_cells, n_kinds;
    const uint32_t *codes; /* [n_cells * n_axes] */
    size_t n_used;
    const uint32_t *used;      /* views that a promise looks at */
    const uint32_t *value;     /* [n_kinds * n_used] */
    const uint64_t *kind_hash; /* [n_kinds] */
    int64_t min_size;
    bool size_only;            /* a class keeps the promises as soon as it has min_size rows */
    bool has_ranges;           /* a promise judges ranges */
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

typedef struct covey_peel_class {
    uint32_t first, n;   /* its first lot, linked by next; rows */
    int64_t loss;        /* of a row, all axes together */
    uint64_t rows_hash;  /* xor over the lots */
    uint64_t kinds_hash; /* sum over the rows */
} covey_peel_class;

struct covey_peel_trie;
struct covey_peel_donors;
struct covey_peel_pools;
struct covey_peel_journal;

/* What all trials are told by, and tell, their caller. */
typedef struct covey_peel_watch {
    const covey_run *run;
    pthread_t caller; /* only its thread reports progress */
    _Atomic bool is_cancelled;
    _Atomic bool has_enough; /* searches end where they are: every step of theirs leaves a partition that holds */
} covey_peel_watch;

/* A trial: a partition in the making, with all its scratch.  One thread's. */
typedef struct covey_peel {
    const covey_peel_table *t;
    covey_peel_table *splits; /* the same, if its lots may be split; NULL: they are single rows */
    covey_peel_watch *watch;  /* NULL: nobody watches */
    covey_arena arena;
    covey_peel_class *class; /* [n_classes] empty ones allowed */
    uint32_t n_classes, capacity;
    uint32_t *box;           /* [n_classes][4 * n_axes] low, high, rows at low, rows at high */
    uint32_t *count;         /* [n_classes][n_kinds] rows per kind, or NULL: too many kinds */
    uint32_t *class_of;      /* [n_lots] or COVEY_PEEL_NONE */
    uint32_t *next, *before; /* [n_lots] the other lots of its class */
    covey_tally tally;       /* scratch of judging */
    uint64_t *memo;          /* verdicts by hash */
    bool forgets;            /* no verdict is remembered */
    uint32_t *hull;          /* [2 * n_axes] scratch of the innermost loops */
    uint32_t *joined; /* [n_lots] by the first lot alike: the class it was last found to join best, or what has its
                         number now */
    int64_t near_guess[COVEY_PEEL_MOST_NEAR +
                       1];    /* by k: what the k-th nearest class mostly costs at most, 0: not known yet */
    int64_t work, work_limit; /* groups, classes and rows looked at: stands for time, but is the same everywhere */
    uint32_t n_skipped;       /* nodes, for want of time */
    uint32_t n_moved;         /* rows, since the index was built */
    int64_t tau;              /* a move may cost up to this much */
    uint32_t focus, n_focus;  /* search looks after so many rows from this one on -- the first follows the last -- and
                                 whom they concern */
    struct covey_peel_trie *index;
    struct covey_peel_donors *donors;
    struct covey_peel_pools *pools;
    struct covey_peel_journal *journal; /* of what changes, NULL: nobody wants to know */
    struct covey_peel_journal *kept_journal;
} covey_peel;

/* How a trial goes. */
typedef struct covey_peel_plan {
    double until;       /* < 0: no limit */
    uint32_t rare_size; /* values that need classes of so many rows are served first */
    double price_share;
    double tau;                /* of a unit: moves may cost so much at first */
    int n_warm;                /* passes until they may not */
    int n_rounds;              /* of shaking */
    uint32_t shakes_per_class; /* in a round */
    int n_near;                /* of exploding, -1: none */
    bool opens;                /* boxes */
    bool is_whole;             /* passes are not made by halves */
    int64_t work_limit;        /* of a side's search */
} covey_peel_plan;

static inline const uint32_t *covey_i_peel_codes(const covey_peel_table *t, uint32_t lot)
{
    return t->codes + (size_t)t->cell[lot] * t->n_axes;
}

static inline uint32_t covey_i_peel_size(const covey_peel_table *t, uint32_t lot)
{
    return t->size ? t->size[lot] : 1;
}

static inline uint32_t covey_i_peel_first(const covey_peel_table *t, uint32_t lot)
{
    return t->first ? t->first[lot] : lot;
}

static inline uint32_t *covey_i_peel_box(const covey_peel *p, uint32_t c)
{
    return p->box + (size_t)c * 4 * p->t->n_axes;
}

static inline uint64_t covey_i_peel_row_hash(uint32_t row)
{
    return covey_i_mix((uint64_t)row + 1, 0x9E3779B97F4A7C15u);
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

/* Loss of a class with one more row of these codes. */
static inline int64_t covey_i_peel_class_loss_with(const covey_peel *p, uint32_t c, const uint32_t *codes)
{
    const covey_peel_table *t = p->t;
    const uint32_t *low = covey_i_peel_box(p, c), *high = low + t->n_axes;
    int64_t sum = 0;

    for (size_t a = 0; a < t->n_axes; a++)
        sum += covey_i_peel_loss_with(&t->axis[a], low[a], high[a], codes[a]);
    return sum;
}

static inline bool covey_i_peel_is_focused(const covey_peel *p, uint32_t row)
{
    return (row < p->focus ? row + p->t->n_rows : row) - p->focus < p->n_focus;
}

/* Is a class one of those that search looks after? */
static inline bool covey_i_peel_in_focus(const covey_peel *p, uint32_t c)
{
    return p->class[c].n > 0 && covey_i_peel_is_focused(p, p->class[c].first);
}

/* What a class costs all its rows together. */
static inline int64_t covey_i_peel_cost(const covey_peel *p, uint32_t c)
{
    return p->class[c].n * p->class[c].loss;
}

/* table.c */
/* Everything but ladders and nodes.  min_size: the method's own wish; single: every row is to be a lot, as search wants
 * it. covey_i_peel_table_clear gives back what the arena does not own, also if this fails. */
covey_status covey_i_peel_table_new(covey_peel_table *t, const covey_problem *problem, int64_t min_size, bool single,
                                    covey_arena *arena, const covey_run *run, covey_error *err);
void covey_i_peel_table_clear(covey_peel_table *t);
/* The codes that are published together with low .. high: all under the same label. */
void covey_i_peel_span(uint32_t span[2], const covey_peel_axis *axis, uint32_t low, uint32_t high);

/* lots.c */
/* Cells, kinds and lots, after t->used. */
covey_status covey_i_peel_lots_new(covey_peel_table *t, bool single, covey_arena *arena, const covey_run *run,
                                   covey_error *err);
/* Room for n lots, still to be filled. */
covey_status covey_i_peel_lots_reserve(covey_peel_table *t, uint32_t n, bool single, covey_error *err);
/* Kinds where promises look at one view at most: its values, or all rows the same. */
covey_status covey_i_peel_kinds_new(covey_peel_table *t, covey_arena *arena, covey_error *err);
void covey_i_peel_lots_clear(covey_peel_table *t);
/* The first n rows of a lot become one of their own, in the same class.  *out receives its number.  Moves t's and p's
 * arrays. */
covey_status covey_i_peel_split(uint32_t *out, covey_peel *p, uint32_t lot, uint32_t n, covey_error *err);
/* Sorts rows of the table as a covey_peel_table numbers them; without by_content only by cell and kind, stably. */
covey_status covey_i_peel_sort_rows(uint32_t *rows, uint32_t n, const covey_peel_table *t, bool by_content,
                                    const covey_run *run, covey_error *err);
/* From classes of lots to classes of the table's rows: *out receives [problem->n_rows] of covey_i_malloc. */
covey_status covey_i_peel_class_of_rows(uint32_t **out, covey_peel_table *t, const uint32_t *class_of,
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
/* ladders.c: a policy's rungs of one axis: widths in units of the column's scaled numbers, or levels of the tree;
 * ascending. *n = 0: it has none. */
typedef struct covey_peel_wish {
    size_t n;
    int64_t *rung; /* [n] */
} covey_peel_wish;
covey_status covey_i_peel_wishes_read(covey_peel_wish *wish, const covey_problem *problem, const char *text,
                                      covey_arena *arena, covey_error *err);

/* class.c */
covey_status covey_i_peel_new(covey_peel *p, covey_peel_table *t, covey_error *err);
void covey_i_peel_clear(covey_peel *p);         /* all zeros allowed */
void covey_i_peel_reset(covey_peel *p);         /* no lot is in a class */
uint32_t covey_i_peel_class_new(covey_peel *p); /* empty; COVEY_PEEL_NONE: no memory.  Moves p->class and p->box */
void covey_i_peel_add(covey_peel *p, uint32_t c, uint32_t lot);
void covey_i_peel_remove(covey_peel *p, uint32_t lot); /* from its class */
void covey_i_peel_move(covey_peel *p, uint32_t lot, uint32_t c);
void covey_i_peel_merge(covey_peel *p, uint32_t from, uint32_t into);
int64_t covey_i_peel_loss_without(const covey_peel *p, uint32_t lot); /* of the lot's class, if a row of it left */
/* Range of a class on an axis without a row of a lot (COVEY_PEEL_NONE: with all rows). */
void covey_i_peel_range_without(uint32_t *low, uint32_t *high, const covey_peel *p, uint32_t c, size_t axis,
                                uint32_t lot);
uint32_t covey_i_peel_lots_of(uint32_t *lots, const covey_peel *p,
                              uint32_t c);       /* by their rows, ascending; returns how many */
void covey_i_peel_drop_empty(covey_peel *p);     /* renumbers the classes */
int64_t covey_i_peel_total(const covey_peel *p); /* what all classes cost, rows without a class as if wholly lost */

/* judge.c */
covey_status covey_i_peel_judge_new(covey_peel *p, covey_error *err);
void covey_i_peel_tally_kind(const covey_peel_table *t, covey_tally *tally, uint32_t kind,
                             int64_t n); /* n < 0: removes; no ranges */
void covey_i_peel_tally_lot(const covey_peel_table *t, covey_tally *tally, uint32_t lot,
                            int64_t n); /* n rows of it, with ranges where promises judge them */
bool covey_i_peel_admits_tally(const covey_peel_table *t, const covey_tally *tally);
/* Does the class keep the promises without a row of lot minus and with one of lot plus (COVEY_PEEL_NONE: nobody)? */
bool covey_i_peel_admits(covey_peel *p, uint32_t c, uint32_t minus, uint32_t plus);
bool covey_i_peel_can_lose(covey_peel *p, uint32_t lot); /* its class a row of it; a class that vanishes is fine */
bool covey_i_peel_admits_lots(covey_peel *p, const uint32_t *lots, uint32_t n);
bool covey_i_peel_all_admitted(covey_peel *p); /* every class, without what is remembered */
/* Fills t->least_kinds: of the most frequent kinds, in equal counts, the fewest that make a class; 1 if that is not how
 * it goes. */
covey_status covey_i_peel_find_least_kinds(covey_peel_table *t, covey_arena *arena, covey_error *err);

/* trim.c */
typedef struct covey_peel_trimmer {
    const covey_peel_table *t;
    covey_tally tally;
    int64_t *cap, *need;          /* [n_values] of the view that is trimmed */
    int64_t *have, *keep, *left;  /* [n_values] of the group, of its part, scratch */
    double *share;                /* [n_values] of the part, if it were like the whole table */
    int64_t least_part;           /* rows: no smaller part can be like the whole table */
    uint32_t n_present, *present; /* values that occur in the group */
} covey_peel_trimmer;
covey_status covey_i_peel_trimmer_new(covey_peel_trimmer *trimmer, const covey_peel_table *t, covey_arena *arena,
                                      covey_error *err);
/* How many rows of each kind to take of a group, if it breaks a promise: take[kind] is its count before, the trimmed
 * count after. kinds: those that it may have.  Returns the rows that are left, 0: no part was found that keeps the
 * promises.  trimmer->tally is then what is taken, without ranges. */
int64_t covey_i_peel_trim(covey_peel_trimmer *trimmer, int64_t *take, const uint32_t *kinds, uint32_t n_kinds);

/* take.c */
typedef struct covey_peel_take {
    int64_t until;     /* the last node's loss */
    bool any_rest;     /* do not ask that what remains keeps the promises together */
    const bool *leave; /* [n_kinds] kinds that are not touched, NULL: none */
} covey_peel_take;
/* Takes classes from the lots that are in none. */
covey_status covey_i_peel_take(covey_peel *p, const covey_peel_take *take, covey_error *err);

/* serve.c: classes around the rows of rare values, and the order in which rows would like to be taken along. */
covey_status covey_i_peel_serve(covey_peel *p, const covey_peel_plan *plan, covey_error *err);

/* rest.c */
covey_status covey_i_peel_place_rest(covey_peel *p,
                                     covey_error *err); /* every row is in a class that keeps the promises */
/* Takes out at most so many rows that cost their class, and themselves, more than a suppressed row does. */
covey_status covey_i_peel_suppress(covey_peel *p, int64_t most, covey_error *err);
int64_t covey_i_peel_relief(const covey_peel *p,
                            uint32_t lot); /* what a class costs less if a row of a lot leaves it */

/* cut.c */
covey_status covey_i_peel_cut(covey_peel *p, covey_error *err);

/* method/peel/search/index.c */
typedef struct covey_peel_near {
    int64_t cost;
    uint32_t class;
} covey_peel_near;
covey_status covey_i_peel_index_build(covey_peel *p, covey_error *err);
covey_status covey_i_peel_index_refresh(covey_peel *p, uint32_t n_moved,
                                        covey_error *err); /* rebuilds it if many rows have moved */
/* The class that a row joins at the least increase of cost, below bound; never except.  COVEY_PEEL_NONE: there is none.
 */
uint32_t covey_i_peel_target(covey_peel *p, int64_t *increase, uint32_t row, uint32_t except, int64_t bound);
/* The k classes that are merged with c at the least increase, of at most `most` rows together.  k <=
 * COVEY_PEEL_MOST_NEAR. Returns how many there are. */
uint32_t covey_i_peel_near_classes(covey_peel *p, covey_peel_near *near, uint32_t c, uint32_t k, uint32_t most);
/* method/peel/search/move.c: the best move of a row, and with exchange also the best exchange for a row of another
 * class.  *class and *other receive where to and for whom (COVEY_PEEL_NONE: for nobody); returns the gain; *class =
 * COVEY_PEEL_NONE: nothing gains more than least. */
int64_t covey_i_peel_best_move(covey_peel *p, uint32_t *class, uint32_t *other, uint32_t row, bool exchange,
                               int64_t least);

/* method/peel/search/search.c: passes over all rows or classes; each adds what it gained. */
covey_status covey_i_peel_pass_move(covey_peel *p, bool exchange, int64_t *gain, covey_error *err);
/* Its rows go where they cost least, one after the other; back again unless that costs less than have.  Returns the
 * gain. */
int64_t covey_i_peel_dissolve(covey_peel *p, uint32_t c, int64_t have);
covey_status covey_i_peel_pass_dissolve(covey_peel *p, int64_t *gain, covey_error *err);

/* method/peel/search/shake.c */
void covey_i_peel_note(covey_peel *p, uint32_t c, uint32_t row); /* in the journal: row leaves or joins class c now */
/* Shakes classes drawn by salt, so many for each, as long as there is work left.  n_near: of exploding, -1: none. */
covey_status covey_i_peel_shake(covey_peel *p, uint64_t salt, uint32_t shakes_per_class, int n_near, covey_error *err);

/* method/peel/search/cross.c: a partition without its ranges */
typedef struct covey_peel_saved {
    uint32_t n_classes;
    uint32_t *class_of; /* [n_rows] */
    uint32_t *n;        /* [n_classes] rows */
    int64_t *loss;      /* [n_classes] of a row */
} covey_peel_saved;
covey_status covey_i_peel_save(covey_peel_saved *saved, const covey_peel *p, covey_arena *arena, covey_error *err);
covey_status covey_i_peel_restore(covey_peel *p, const covey_peel_saved *saved, covey_error *err);
/* Keeps the better of what p and another partition have, place by place. */
covey_status covey_i_peel_cross(covey_peel *p, const covey_peel_saved *old, covey_error *err);

/* method/peel/search/open.c: boxes become classes */
covey_status covey_i_peel_pass_open(covey_peel *p, int64_t *gain, covey_error *err);

/* method/peel/search/donor.c: rows that their classes can spare, one per class, cell and kind */
covey_status covey_i_peel_donors_build(covey_peel *p, covey_error *err);
/* The donor for a set with these ranges, size rows: (size + 1) times the loss with it less what its class gains; below
 * bound.  usable: judges kinds, NULL: all are. */
uint32_t covey_i_peel_best_donor(covey_peel *p, int64_t *cost, const uint32_t *low, const uint32_t *high, int64_t size,
                                 uint32_t except, int64_t bound, bool (*usable)(const void *context, uint32_t kind),
                                 const void *context);

/* method/peel/search/explode.c: n_near: pools of a class and each of so many near ones, beside the class alone */
covey_status covey_i_peel_pass_explode(covey_peel *p, uint32_t n_near, int64_t *gain, covey_error *err);
covey_status covey_i_peel_pools_build(covey_peel *p, covey_error *err); /* donors, and what exploding remembers */
int64_t covey_i_peel_explode(covey_peel *p, uint32_t c, uint32_t n_near,
                             bool *no_memory);            /* one class; returns the gain */
bool covey_i_peel_is_tried(covey_peel *p, uint64_t hash); /* a pool, by its rows; it is from now on */
void covey_i_peel_forget_pools(covey_peel *p);            /* that were tried in vain */

/* trial.c */
/* Reports done of to_do steps; COVEY_ECANCELLED if somebody cancelled. */
covey_status covey_i_peel_report(covey_peel *p, int64_t done, int64_t to_do, covey_error *err);
covey_status covey_i_peel_begin(covey_peel *p, const covey_peel_plan *plan,
                                covey_error *err); /* a partition to start from */
bool covey_i_peel_is_enough(const covey_peel *p);  /* does the caller want what there is? */
covey_status covey_i_peel_passes(covey_peel *p, const covey_peel_plan *plan, int64_t work_limit, covey_error *err);

/* method/peel/search/rounds.c: improves p[0]; p[1] is scratch */
covey_status covey_i_peel_search(covey_peel *p, const covey_peel_plan *plan, int n_threads, covey_error *err);

#endif
