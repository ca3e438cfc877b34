/* Attributes that join a second found column, where they tell much of what stands there: the pairs that tell most of
 * each other first, as long as the columns form a tree.  Columns of sensitive attributes take no part: what
 * stands there is for the promise to decide.
 *
 * Source: [OverlappingSlicing] ("an attribute may stand in more than one column"); the measure is columns.c's. */
#include "method/slicing/slicing.h"

#include <string.h>

#include "base/error.h"

/* An attribute and a column that it could join. */
struct joining {
    size_t field, other; /* column */
    double told;         /* phi^2 with the attribute of the other column that it tells most of */
};

static double most_told(const double *distance, size_t n, size_t field, const covey_slice *column)
{
    double most = 0;

    for (size_t i = 0; i < column->n_fields; i++) {
        const double told = 1 - distance[field * n + column->field[i]];

        most = told > most ? told : most;
    }
    return most;
}

/* Each attribute that is not sensitive with the other column that it tells most of; ties to the first.  Returns how
 * many reach the least share. */
static size_t list_joinings(struct joining *joining, const covey_slicing *s, const double *distance, double least)
{
    const size_t n_columns = s->n_slices - 1 - s->n_others; /* the last ones are the sensitive attributes' */
    size_t n = 0;

    for (size_t own = 0; own < n_columns; own++)
        for (size_t i = 0; i < s->slice[own].n_fields; i++) {
            struct joining best = {.field = s->slice[own].field[i]};

            for (size_t other = 0; other < n_columns; other++) {
                const double told =
                    other == own ? 0 : most_told(distance, s->problem->n_fields, best.field, &s->slice[other]);

                if (told > best.told) {
                    best.other = other;
                    best.told = told;
                }
            }
            if (best.told > 0 && best.told >= least)
                joining[n++] = best;
        }
    return n;
}

/* The one that tells most; ties to the first. */
static struct joining take_best(struct joining *joining, size_t *n)
{
    struct joining best;
    size_t at = 0;

    for (size_t i = 1; i < *n; i++)
        if (joining[i].told > joining[at].told)
            at = i;
    best = joining[at];
    memmove(joining + at, joining + at + 1, (*n - at - 1) * sizeof *joining);
    --*n;
    return best;
}

/* A column that stands in another as a whole would tell nothing more. */
static bool one_is_within_another(const covey_slicing *s)
{
    for (size_t i = 0; i < s->n_slices; i++)
        for (size_t j = 0; j < s->n_slices; j++)
            if (i != j && covey_i_slicing_shared(&s->slice[i], &s->slice[j]) == s->slice[i].n_fields)
                return true;
    return false;
}

/* Puts the attribute behind the column's others, if the columns may then stand as they are. */
static covey_status try_joining(covey_slicing *s, const struct joining *joining, covey_error *err)
{
    covey_slice *column = &s->slice[joining->other];
    const covey_slice before = *column;
    size_t *field = covey_arena_array(s->arena, size_t, before.n_fields + 1);
    bool is_tree;

    if (covey_i_slicing_has(column, joining->field))
        return COVEY_OK;
    if (!field)
        return covey_i_no_memory(err);
    memcpy(field, before.field, before.n_fields * sizeof *field);
    field[before.n_fields] = joining->field;
    *column = (covey_slice){before.n_fields + 1, field};
    COVEY_TRY(covey_i_slicing_is_tree(&is_tree, s, err));
    if (!is_tree || one_is_within_another(s))
        *column = before;
    else
        s->n_joined++;
    return COVEY_OK;
}

covey_status covey_i_slicing_overlap_columns(covey_slicing *s, const double *distance, covey_error *err)
{
    struct joining *joining = covey_arena_array(s->arena, struct joining, s->problem->n_fields);
    size_t n;

    if (!joining)
        return covey_i_no_memory(err);
    n = list_joinings(joining, s, distance, covey_ratio_value(s->params->overlap));
    while (n > 0) {
        const struct joining best = take_best(joining, &n);

        COVEY_TRY(try_joining(s, &best, err));
    }
    return COVEY_OK;
}
