/* Bounds of 1/l on every value's share: preparing them, judging a class, and what can be asked of the model. */
#include "model/share_bounds.h"

#include <stdio.h>

#include "base/error.h"
#include "model/counts.h"
#include "model/nearest.h"

covey_status covey_i_shares_prepare(void **state, const covey_model_input *input, const void *params,
                                    covey_arena *arena, covey_error *err)
{
    covey_shares *s = covey_arena_array(arena, covey_shares, 1);

    if (!s)
        return covey_i_no_memory(err);
    *s = *(const covey_shares *)params;
    *state = s;
    return COVEY_OK;
}

bool covey_i_shares_admit(const void *state, const covey_group *group)
{
    const covey_shares *s = state;
    const int64_t largest = covey_i_counts_largest(group->counts, NULL);

    return (covey_i128)largest * s->l.num <= (covey_i128)group->size * s->l.den;
}

bool covey_i_shares_judge(covey_figure *out, const void *state, const covey_group *group)
{
    const covey_shares *s = state;
    const int64_t largest = covey_i_counts_largest(group->counts, NULL);

    *out = (covey_figure){.kind = COVEY_FIGURE_FRACTION, .fraction = {group->size, largest}};
    return (covey_i128)largest * s->l.num <= (covey_i128)group->size * s->l.den;
}

void covey_i_shares_figure(covey_figure *out, const void *state, const covey_group *group)
{
    *out = covey_i_figure_fraction(group->size, covey_i_counts_largest(group->counts, NULL));
}

/* Shares of the whole table are the least that all sets of rows can have. */
bool covey_i_shares_hopeless(covey_nearest *nearest, const void *state, const covey_group *whole)
{
    const covey_figure share = covey_i_figure_fraction(covey_i_counts_largest(whole->counts, NULL), whole->size);
    char most[128], l[128];
    covey_figure figure;

    if (covey_i_shares_admit(state, whole))
        return false;
    covey_i_shares_figure(&figure, state, whole);
    covey_i_figure_words(most, sizeof most, &share);
    covey_i_figure_words(l, sizeof l, &figure);
    snprintf(nearest->why, sizeof nearest->why,
             "in the whole table the most frequent value has a share of %s: l can be %s at most unless rows are "
             "suppressed",
             most, l);
    covey_i_figure_text(l, sizeof l, &figure);
    covey_i_nearest_change(nearest, "l", "%s", l);
    return true;
}
