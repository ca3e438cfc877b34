/* The sensitive attributes as the promises see them, made from the published tables and the stated priors: a dictionary
 * of values, the value of every entry of every group (opened->groups), and how often each value occurs in the release
 * and, by the prior, in the input. */
#ifndef COVEY_READER_VIEWS_VIEWS_H
#define COVEY_READER_VIEWS_VIEWS_H

#include "reader/opened.h"
#include "table/histogram.h"

typedef struct covey_opened_view {
    const char *name;            /* attribute, or "a, b" */
    bool joint;                  /* all sensitive attributes together */
    bool usable;                 /* false: its problems have been reported */
    covey_column *dictionary;    /* values without rows; owned */
    const covey_hierarchy *tree; /* codes are its leaves; NULL: none */
    bool has_order;
    const covey_column *text;      /* not joint: the published column */
    const uint32_t *value_of_cell; /* not joint: [text->n_values]; UINT32_MAX: not in the dictionary */
    const int64_t *count;          /* the column's; NULL: entries are counted */
    const uint32_t *value_of_row;  /* joint: by entry */
    bool has_prior;
    covey_histogram prior; /* without a stated one: the published rows */
    covey_histogram published;
} covey_opened_view;

typedef struct covey_opened_views {
    size_t n;
    covey_opened_view *view; /* [n] one per sensitive column, in table order, then the joint one if there are several */
    size_t n_sensitive;
} covey_opened_views;

/**
 * Makes the views and checks the priors: at least the published counts, together as many as there are rows, joint and
 * single ones in agreement.
 *
 * @param out    memory lives in the arena, but for dictionaries: covey_i_views_clear
 * @param wants_joint  whether a promise is about the combination
 */
covey_status covey_i_views_make(covey_opened_views *out, const covey_opened *opened, bool wants_joint,
                                covey_problems *problems, covey_arena *arena, covey_error *err);
void covey_i_views_clear(covey_opened_views *views);

/* The dictionary of a single view; step of covey_i_views_make, see values.c.  Values that models name in their
 * parameters (texts) belong to it, too.  prior: NULL if there is none. */
covey_status covey_i_view_values(covey_opened_view *view, const covey_opened_column *column, const covey_stated *stated,
                                 const covey_stated_prior *prior, covey_problems *problems, covey_arena *arena,
                                 covey_error *err);
/* The combination of all sensitive attributes, whose views are single[0 .. n-1]; see joint.c. */
covey_status covey_i_view_join(covey_opened_view *view, const covey_opened_view *single, size_t n,
                               const covey_opened *opened, covey_problems *problems, covey_arena *arena,
                               covey_error *err);

static inline uint32_t covey_i_view_value(const covey_opened_view *view, uint32_t entry)
{
    return view->joint ? view->value_of_row[entry] : view->value_of_cell[covey_i_code_at(view->text, entry)];
}

#endif
