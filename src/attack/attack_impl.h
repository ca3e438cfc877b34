/* What an attack is made of, and what it is given: a release as its reader sees it, with the table it was made from. */
#ifndef COVEY_ATTACK_ATTACK_IMPL_H
#define COVEY_ATTACK_ATTACK_IMPL_H

#include <covey/attack.h>

#include "reader/bind.h"
#include "reader/original.h"
#include "reader/points/points.h"

/* Published forms, as a set. */
enum {
    COVEY_ATTACKED_GENERALIZED = 1u << 0, /* classes with ranges, sensitive values row by row */
    COVEY_ATTACKED_BUCKETIZED = 1u << 1,  /* groups with exact quasi-identifiers, sensitive values counted */
    COVEY_ATTACKED_PERTURBED = 1u << 2,   /* exact quasi-identifiers, sensitive values at random */
    COVEY_ATTACKED_TRANSFORMED =
        1u << 3, /* exact quasi-identifiers, sensitive values hidden in intervals that fit a target */
    COVEY_ATTACKED_SLICED = 1u << 4 /* exact values, columns shuffled against each other inside buckets */
};
enum {
    COVEY_ATTACKED_FORMS = 5,
    /* Those that say of every row what chance each value has, without which row shows which: see covey_attack_target.
     */
    COVEY_ATTACKED_WITH_CLASSES =
        COVEY_ATTACKED_GENERALIZED | COVEY_ATTACKED_BUCKETIZED | COVEY_ATTACKED_TRANSFORMED | COVEY_ATTACKED_SLICED
};

/* What an attack says where rows are persons', who may have several. */
typedef enum covey_attack_over {
    COVEY_ATTACK_OVER_ROWS,    /* of rows alone */
    COVEY_ATTACK_OVER_BOTH,    /* also of persons, where the publisher's list says whose rows they are */
    COVEY_ATTACK_OVER_PERSONS, /* of persons */
    COVEY_ATTACK_OVER_UNITS    /* of households, where there are any, else of persons */
} covey_attack_over;

/* Why attacks on a class's values are not for perturbed releases. */
#define COVEY_ATTACK_NO_CLASSES                                                                                        \
    "a perturbed release has no classes; what a row's published value says about it is the attack corruption"

/* What an attack needs beside a release, as a set. */
enum {
    COVEY_ATTACK_NEEDS_ORIGINAL = 1u << 0,
    COVEY_ATTACK_NEEDS_WITH = 1u << 1,
    COVEY_ATTACK_NEEDS_POPULATION = 1u << 2,
    COVEY_ATTACK_NEEDS_PROGRAM = 1u << 3
};
enum { COVEY_ATTACK_NEEDS = 4 };

/* Rows of one value in a class. */
typedef struct covey_class_value {
    uint32_t value;
    int64_t n;
} covey_class_value;

/* The most that the release's promises allow: which share of a class, or which posterior, a value may have. */
typedef struct covey_attack_caps {
    size_t n;
    const covey_bound_promise **promise; /* those that bound single values */
    double *share;                       /* [n_values] in [0, 1]; 1: no bound */
} covey_attack_caps;

/* How a perturbed release came about. */
typedef struct covey_attack_channel {
    uint32_t n;      /* values that occur */
    uint32_t *value; /* [n] codes of the view, ascending */
    uint32_t *index; /* [n_values] place in value; UINT32_MAX: does not occur */
    double *alpha;   /* [n] chance that a value was kept; otherwise it is any of the n */
} covey_attack_channel;

/* A sensitive attribute of a release. */
typedef struct covey_attack_target {
    const covey_opened_view *view;
    uint32_t n_values;
    bool has_prior; /* false: nothing is known of the whole table; prior is not to be used */
    const int64_t
        *prior;     /* [n_values] rows of the whole table, or of the published ones if that is all that is known */
    int64_t n_rows; /* their sum */
    uint32_t most_frequent; /* the first such value */
    /* What is known of a row's value by who knows which class it is in.  Classes are, by form: classes; groups; the
     * targets that groups have; the sets of pieces of a bucket that agree beside the sensitive value. */
    uint32_t n_classes;  /* with that of the suppressed rows, if their values follow from the prior */
    bool has_suppressed; /* the last class is that of the suppressed rows */
    uint32_t *
        number; /* [n_classes] of the published class, bucket or target, from 1; that of the suppressed rows has none */
    uint32_t *start;          /* [n_classes + 1] into entry */
    covey_class_value *entry; /* by class, then by value; n > 0; n/size: the chance of the value */
    int64_t *size;            /* [n_classes] > 0 */
    int64_t *rows;            /* [n_classes] published rows; size, but for targets */
    const uint32_t *made_up;  /* [n_classes] of these nobody's, which is published; NULL: none are */
    bool is_rounded; /* chances of targets are no fractions that could be computed with; the promises bound nothing then
                      */
    covey_attack_caps caps;
    covey_attack_channel channel; /* perturbed: n > 0 */
    uint32_t *value_of_row;       /* [rows of the original]; NULL without one */
    uint32_t *class_of_row;       /* [rows of the original] from 0; UINT32_MAX: not known; made when first asked for */
    int64_t n_linked;             /* rows whose class is known */
    /* The same over persons, each counted once for every value that one of its rows has: n and size, prior and n_rows
     * are persons, so that shares of a class may sum to more than 1.  NULL: nobody says whose rows they are.  See
     * persons.h. */
    const struct covey_attack_target *persons;
    const struct covey_attack_having *having; /* over persons: who has what */
} covey_attack_target;

/* A release under attack; everything is usable. */
typedef struct covey_attacked {
    const covey_attack_options *options;
    const covey_run *run;
    const char *folder;
    unsigned form; /* one of COVEY_ATTACKED_... */
    covey_stated *stated;
    covey_opened *opened;
    covey_original *original;      /* NULL: there is none */
    covey_opened *population_view; /* the release in terms of the population; NULL: there is none */
    covey_original *population;
    covey_opened_views views;
    covey_bound_promise *promise; /* [n_promises], bound to the views */
    bool *broken;                 /* [n_promises] what the audit says */
    size_t n_targets;
    covey_attack_target *target;          /* one per sensitive attribute */
    covey_points *points;                 /* of the original; made when first asked for */
    const uint32_t *published_point;      /* see published.h */
    struct covey_attacked *with;          /* NULL: there is none; of several each has the next one */
    struct covey_attack_persons *persons; /* see persons.h; NULL: whose rows they are is not known */
    size_t release_number;                /* in the ledger, where the original is compared by it */
    struct covey_ledger *ledger;          /* see releases.h; NULL: there is none, or nobody has asked for it yet */
    const uint32_t *class_of_row; /* [rows of the original] by the ledger or the links, from 0; UINT32_MAX: suppressed;
                                     NULL: there are neither */
    covey_problems problems;
    covey_arena arena;
} covey_attacked;

/* A result in the making.  What is added stays with the report; a failing allocation is remembered and reported at the
 * end. */
typedef struct covey_attack_maker {
    covey_attack_result result;
    covey_arena *memory;
    size_t max_details, max_tables;
    covey_attack_detail *detail;
    covey_attack_table *table;
    size_t max_values; /* of the table that is being filled */
    size_t n_cells;
    covey_attack_value *cell;
    bool broken;
    bool counts_persons; /* beside rows, without the publisher's list */
} covey_attack_maker;

struct covey_attack {
    const char *name;    /* in the command line and in JSON; never changes */
    const char *summary; /* one line for `covey attacks` */
    const char *figure;  /* what the figure is, a few words */
    const char *level;   /* what the adversary knows, unless the run says otherwise */
    const char *source;  /* key and place in docs/references.md */
    unsigned forms, needs;
    unsigned needs_of_sliced;   /* the same of a sliced release, where that is something else; 0: it is not */
    unsigned needs_with_ledger; /* the same where there is the ledger of m-invariant releases; 0: it is of no use */
    const char *not_for[COVEY_ATTACKED_FORMS]; /* why it does not apply to each of the forms, in their order; NULL where
                                                  it does */
    bool compares;  /* with the sensitive values of the whole table, which the original has to tell where the release
                       does not */
    bool of_joined; /* also looks at sliced releases whose sensitive attribute stands in several columns as what they
                       are */
    bool per_attribute; /* runs once per sensitive attribute; not at all where there is none */
    covey_attack_over over;

    /* Fills figures, details and tables of *out, whose prior, level and attribute are there already.  target: NULL
     * unless per_attribute. Scratch comes from the arena.  A run that finds that it does not apply calls
     * covey_i_attack_not. */
    covey_status (*run)(covey_attack_maker *out, covey_attacked *release, covey_attack_target *target,
                        covey_arena *arena, covey_error *err);
};

/* --- results, result.c --- */

void covey_i_attack_number(covey_attack_maker *out, const char *name, double value);
void covey_i_attack_integer(covey_attack_maker *out, const char *name, int64_t value);
void covey_i_attack_text(covey_attack_maker *out, const char *name, const char *value); /* copied */
void covey_i_attack_yes_no(covey_attack_maker *out, const char *name, bool value);
/* Begins a table; the cells that follow fill it row by row.  column is static, NULL-terminated. */
void covey_i_attack_table(covey_attack_maker *out, const char *name, const char *const *column);
void covey_i_attack_cell_number(covey_attack_maker *out, double value);
void covey_i_attack_cell_integer(covey_attack_maker *out, int64_t value);
void covey_i_attack_cell_text(covey_attack_maker *out, const char *value);
void covey_i_attack_end_table(covey_attack_maker *out);
void covey_i_attack_words(covey_attack_maker *out, const char *fmt, ...) COVEY_PRINTF(2, 3);
/* A factor in words, three digits or more: "2.38", "1025".  Returns out. */
enum { COVEY_ATTACK_FACTOR_SIZE = 32 };
const char *covey_i_attack_factor(char out[COVEY_ATTACK_FACTOR_SIZE], double factor);
/* The attack does not apply, because. */
void covey_i_attack_not(covey_attack_maker *out, const char *fmt, ...) COVEY_PRINTF(2, 3);
/* The figure as an exact fraction. */
void covey_i_attack_fraction(covey_attack_maker *out, covey_i128 num, covey_i128 den);
/* What is promised of the figure, and whether that is kept, judged exactly by the caller. */
void covey_i_attack_judge(covey_attack_maker *out, double bound, bool kept);
/* The figure as a share of n trials, with its interval. */
void covey_i_attack_share(covey_attack_maker *out, int64_t hits, int64_t n);

/* --- the release under attack --- */

/* Reads a release and what belongs to it, open.c.  with: false for the second of two, which has no second itself. */
covey_status covey_i_attacked_open(covey_attacked **out, const char *folder, const covey_attack_options *options,
                                   const covey_run *run, covey_error *err);
void covey_i_attacked_close(covey_attacked *release); /* NULL allowed */

/* Views, promises, classes and channels, target.c; step of covey_i_attacked_open. */
covey_status covey_i_attack_targets(covey_attacked *release, covey_error *err);
/* Stands in for a target where a release has no sensitive attribute: its classes, whose rows all have the same value.
 * With the original covey_i_attack_link finds the rows of each.  In the arena. */
covey_status covey_i_attack_plain_target(covey_attack_target *out, covey_attacked *release, covey_arena *arena,
                                         covey_error *err);
/* How often the original has each value of a view; in the release's arena. */
covey_status covey_i_attack_count_values(covey_histogram *out, covey_attacked *release, const covey_opened_view *view,
                                         covey_error *err);
/* Values of the original's rows, rows.c; step of covey_i_attacked_open.  COVEY_EINVAL: they are not those of the
 * release. */
covey_status covey_i_attack_row_values(covey_attacked *release, covey_error *err);

/* Rows of the original by their quasi-identifiers; made once. */
covey_status covey_i_attack_points_of(const covey_points **out, covey_attacked *release, covey_error *err);

/* Numbers in random order, by run->seed, or 1: who attacks a release twice sees the same. */
covey_status covey_i_attack_shuffle(uint32_t *number, uint32_t n, const covey_run *run, covey_error *err);

/* The target of an attribute; NULL: it is none. */
covey_attack_target *covey_i_attack_target_of(const covey_attacked *release, const char *name);

/* The value of the first target that each value of another is; UINT32_MAX: none.  [t->n_values] in the arena. */
covey_status covey_i_attack_values_in(uint32_t **out, const covey_attack_target *t, const covey_attack_target *first,
                                      covey_arena *arena, covey_error *err);
/* What the promises allow of a target's values; step of making one. */
covey_status covey_i_attack_find_caps(covey_attack_target *target, const covey_bound_promise *promise,
                                      covey_attacked *release, covey_error *err);
/* May the value have the share num/den?  Exact. */
bool covey_i_attack_admits(const covey_attack_caps *caps, uint32_t value, covey_u128 num, covey_u128 den);
/* Do all classes keep to the caps?  Exact. */
bool covey_i_attack_classes_admitted(const covey_attack_target *target);

static inline bool covey_i_attack_is_suppressed(const covey_attack_target *target, uint32_t class)
{
    return target->has_suppressed && class + 1 == target->n_classes;
}

/* Rows of a class that are somebody's.  Each row is as likely as the others to be a given person's, or nobody's. */
static inline int64_t covey_i_attack_own_rows(const covey_attack_target *target, uint32_t class)
{
    return target->rows[class] - (target->made_up ? target->made_up[class] : 0);
}

static inline double covey_i_attack_prior(const covey_attack_target *target, uint32_t value)
{
    return (double)target->prior[value] / (double)target->n_rows;
}

static inline const covey_column *covey_i_attack_quasi(const covey_attacked *release, size_t q)
{
    return release->original->column[release->opened->quasi[q]].column;
}

#endif
