/* All combinations of one level an axis, those of the least loss first.  A combination comes from the one whose last
 * axis above its lowest level is one level lower, so each is made once, and after those that lose less. */
#include "bound/search.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

enum { MOST_COMBINATIONS = 1 << 22 }; /* in memory; what they lose bounds what all others do */

static bool grow(covey_bound_combinations *c)
{
    const size_t room = c->room_made ? c->room_made * 2 : 64;
    unsigned char *levels = covey_i_realloc(c->levels, room, c->n_axes ? c->n_axes : 1);
    int64_t *least;
    uint32_t *at;

    if (levels)
        c->levels = levels;
    least = levels ? covey_i_realloc(c->least, room, sizeof *least) : NULL;
    if (least)
        c->least = least;
    at = least ? covey_i_realloc(c->at, room, sizeof *at) : NULL;
    if (at)
        c->at = at;
    if (!at)
        return false;
    c->room_made = room;
    return true;
}

static int64_t loss_of(const covey_bound_combinations *c, const unsigned char *level)
{
    int64_t sum = 0;

    for (size_t a = 0; a < c->n_axes; a++)
        sum += c->axis[a].level[level[a]].least;
    return sum;
}

/* The last one made joins those that wait. */
static void push(covey_bound_combinations *c)
{
    const uint32_t at = (uint32_t)c->n_made - 1;
    const int64_t least = loss_of(c, c->levels + at * c->n_axes);
    size_t i = c->n++;

    for (; i > 0 && c->least[(i - 1) / 2] > least; i = (i - 1) / 2) {
        c->least[i] = c->least[(i - 1) / 2];
        c->at[i] = c->at[(i - 1) / 2];
    }
    c->least[i] = least;
    c->at[i] = at;
}

static uint32_t pop(covey_bound_combinations *c)
{
    const uint32_t first = c->at[0], last = c->at[--c->n];
    const int64_t least = c->least[c->n];
    size_t i = 0;

    for (size_t child; (child = 2 * i + 1) < c->n; i = child) {
        if (child + 1 < c->n && c->least[child + 1] < c->least[child])
            child++;
        if (c->least[child] >= least)
            break;
        c->least[i] = c->least[child];
        c->at[i] = c->at[child];
    }
    c->least[i] = least;
    c->at[i] = last;
    return first;
}

covey_status covey_i_bound_combinations_begin(covey_bound_combinations *c, const covey_bound *b, covey_error *err)
{
    *c = (covey_bound_combinations){.n_axes = b->problem->n_axes, .axis = b->axis};
    if (!grow(c))
        return covey_i_no_memory(err);
    memset(c->levels, 0, c->n_axes);
    c->n_made = 1;
    push(c);
    return COVEY_OK;
}

covey_status covey_i_bound_combinations_next(const unsigned char **level, int64_t *least, covey_bound_combinations *c,
                                             covey_error *err)
{
    size_t last = c->n_axes ? c->n_axes - 1 : 0;
    uint32_t at;

    *level = NULL;
    *least = c->n > 0 ? c->least[0] : INT64_MAX;
    if (c->n == 0 || c->n_made + c->n_axes > MOST_COMBINATIONS)
        return COVEY_OK;
    at = pop(c);
    while (last > 0 && c->levels[at * c->n_axes + last] == 0)
        last--;
    for (size_t a = last; a < c->n_axes; a++) {
        unsigned char *made;

        if ((size_t)c->levels[at * c->n_axes + a] + 1 >= c->axis[a].n_levels)
            continue;
        if (c->n_made == c->room_made && !grow(c))
            return covey_i_no_memory(err);
        made = c->levels + c->n_made++ * c->n_axes;
        memcpy(made, c->levels + at * c->n_axes, c->n_axes);
        made[a]++;
        push(c);
    }
    *level = c->levels + at * c->n_axes;
    return COVEY_OK;
}

void covey_i_bound_combinations_end(covey_bound_combinations *c)
{
    covey_i_free(c->least);
    covey_i_free(c->at);
    covey_i_free(c->levels);
    *c = (covey_bound_combinations){0};
}
