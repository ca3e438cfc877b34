/* An axis: a quasi-identifier as methods and releases see it.  Codes 0 .. n_values-1 in the attribute's order; a class
 * publishes what its smallest and largest code allow, and loses the information that [CaoKarras12] section 2 (eq. on
 * IL) says. */
#ifndef COVEY_PROBLEM_AXIS_H
#define COVEY_PROBLEM_AXIS_H

#include <covey/hierarchy.h>
#include <covey/table.h>

#include "base/arena.h"
#include "base/exact/fraction.h"
#include "base/text.h"

typedef enum covey_axis_kind {
    COVEY_AXIS_RANGE, /* number, published [low, high]; loss (max-min)/(U-L), 1 when null stands beside a number */
    COVEY_AXIS_TREE,  /* label of the lowest common ancestor; loss 0 for one leaf, else leaves(node)/leaves(root) */
    COVEY_AXIS_FLAT   /* category without hierarchy: {a, b}; loss 1 as soon as two values stand together */
} covey_axis_kind;

/* More values than this in one cell of a FLAT axis are published as *: a cell must stay readable, and says hardly less.
 */
enum { COVEY_AXIS_MOST_ELEMENTS = 64 };

typedef struct covey_axis {
    covey_axis_kind kind;
    const covey_column *column;      /* codes and dictionary */
    const covey_hierarchy *tree;     /* TREE: codes are its leaves */
    covey_ratio weight;              /* all axes' weights sum to 1 */
    int64_t domain_low, domain_high; /* RANGE: scaled numbers; the policy's domain or the data's */
    bool is_declared;                /* the policy's */
    int64_t loss_den;                /* > 0: losses are multiples of 1/loss_den */
    uint32_t n_values;               /* codes */
    int shown_level; /* TREE: labels are those of this level of the file where one node has several; 0: its lowest */
} covey_axis;

/* Fills kind-dependent facts (loss_den, domain if low > high). */
covey_status covey_i_axis_init(covey_axis *axis, covey_axis_kind kind, const covey_column *column,
                               const covey_hierarchy *tree, covey_error *err);

/* Loss of a class whose codes lie in low .. high and attain both: numerator over loss_den, exact. O(depth) for trees.
 */
int64_t covey_i_axis_loss(const covey_axis *axis, uint32_t low, uint32_t high);

/* Width of a set relative to the domain, as Mondrian has it: (max - min) / (U - L) for numbers, (last - first leaf) /
 * (leaves - 1) for categories; missing cells beside others count as the whole domain, so that they are cut off first.
 * Source: [LeFevre06]. */
covey_fraction covey_i_axis_extent(const covey_axis *axis, uint32_t low, uint32_t high);
/* The same as the numerator over a denominator that is the axis', not in lowest terms: for who compares many. */
void covey_i_axis_extent_terms(int64_t *num, int64_t *den, const covey_axis *axis, uint32_t low, uint32_t high);

/* What is published for the codes *low .. *high on axis number a of a list: a label stands for all its leaves.  A
 * covey_shown_range. */
void covey_i_axis_show_all(uint32_t *low, uint32_t *high, const void *axes, size_t a);

/* Appends the published cell.  present: FLAT needs the sorted codes that occur in the class; NULL otherwise. */
void covey_i_axis_print(covey_text *out, const covey_axis *axis, uint32_t low, uint32_t high, const uint32_t *present,
                        size_t n_present);

/* Is a node published as the set of its leaves, because its label would be read as something else? */
bool covey_i_axis_shows_leaves(const covey_axis *axis, uint32_t node);

#endif
