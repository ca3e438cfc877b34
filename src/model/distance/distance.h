/* Distances between the sensitive values of a class and those of the whole table, for t-closeness.  Each has a file of
 * its own. */
#ifndef COVEY_MODEL_DISTANCE_DISTANCE_H
#define COVEY_MODEL_DISTANCE_DISTANCE_H

#include "model/distance/divergence.h"
#include "model/model_impl.h"

typedef struct covey_distance_options {
    covey_ratio smooth; /* js-smoothed: bandwidth > 0 */
    bool natural;       /* kl, js: natural logarithms instead of binary ones */
} covey_distance_options;

typedef struct covey_distance {
    const char *name;

    /* Once per table.  *den: for exact distances the ground denominator, > 0.  COVEY_EINVAL: the attribute does not
     * have what the distance needs (an order, numbers, a tree). */
    covey_status (*prepare)(void **state, covey_u128 *den, const covey_model_input *input,
                            const covey_distance_options *options, covey_arena *arena, covey_error *err);

    /* The distance times n_table * n_class * den, an integer; -1 if the class holds a value that the table does not.
     * NULL: a real. */
    covey_i128 (*scaled)(const void *state, const covey_histogram *group);

    /* Says how far apart values are: ground and what belongs to it.  NULL: no earth mover's distance. */
    void (*ground)(covey_closeness *out, const void *state);

    /* The distance as a real number, possibly infinite; the same for any order of the class's rows.  NULL: exact. */
    covey_estimate (*real)(const void *state, const covey_histogram *group);

    /* Is the distance t at most?  Asked where the real number is too near to t to tell; where this cannot either, the
     * answer is no. */
    bool (*is_within)(const void *state, const covey_histogram *group, covey_ratio t);

    /* As real, of shares that no rows need have; may reorder them.  NULL: not known. */
    covey_estimate (*real_of_shares)(const void *state, covey_share *share, size_t n);
} covey_distance;

/* The state of kl and js, and what prepares it. */
typedef struct covey_divergence_state {
    const covey_histogram *prior;
    double unit; /* of the result in natural logarithms */
    bool natural;
} covey_divergence_state;

covey_status covey_i_divergence_prepare(void **state, covey_u128 *den, const covey_model_input *input,
                                        const covey_distance_options *options, covey_arena *arena, covey_error *err);

extern const covey_distance covey_distance_equal, covey_distance_ordered, covey_distance_numeric,
    covey_distance_hierarchical, covey_distance_kl, covey_distance_js, covey_distance_js_smoothed;

#endif
