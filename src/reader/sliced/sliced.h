/* A sliced release as its reader sees it. */
#ifndef COVEY_READER_SLICED_SLICED_H
#define COVEY_READER_SLICED_SLICED_H

#include "reader/form_impl.h"
#include "reader/views/views.h"

/* One column-N.csv. */
typedef struct covey_opened_slice {
    const covey_opened_table *table;
    size_t n;
    size_t *attribute;                  /* [n] index into opened->column */
    const covey_opened_column **column; /* [n] as it stands here; of an attribute in several slices each has its own */
    const uint32_t *
        *same; /* [n] code here -> code of opened->column[attribute]; UINT32_MAX: not there; NULL: the same */
} covey_opened_slice;

typedef struct covey_opened_slices {
    size_t n;
    covey_opened_slice *slice;
} covey_opened_slices;

/* An attribute's code in terms of opened->column. */
static inline uint32_t covey_i_slice_code(const covey_opened_slice *slice, size_t i, uint32_t line)
{
    const uint32_t code = covey_i_code_at(slice->column[i]->text, line);

    return slice->same[i] ? slice->same[i][code] : code;
}

/* Sensitive attributes, where they stand, stand at the end. */
static inline bool covey_i_slice_holds_sensitive(const covey_opened *opened, const covey_opened_slice *slice)
{
    return opened->column[slice->attribute[slice->n - 1]].stated->role == COVEY_ROLE_SENSITIVE;
}

/* Can pieces be joined in one way only?  Columns are removed one by one that share attributes with one other only
 * (ears). */
bool covey_i_slices_are_acyclic(const covey_opened_slices *slices, covey_arena *arena, bool *broken);

/* Does the sensitive attribute stand in more columns than the last? */
bool covey_i_slices_hold_twice(const covey_opened *opened, const covey_opened_slices *slices);

/* The last slice that holds a view's attribute; a joint view, or none: the last of all. */
size_t covey_i_slices_holding(const covey_opened_slices *slices, const covey_opened_view *view);

/* How many attributes of a slice stand in front of sensitive ones. */
size_t covey_i_slice_n_beside(const covey_opened *opened, const covey_opened_slice *slice);

/* Are there several sensitive attributes?  Then each stands in one column. */
bool covey_i_slices_have_several(const covey_opened *opened);

#endif
