/* A part in pieces, and what is known of a part without reading its rows. */
#ifndef COVEY_PARTS_PART_CUT_H
#define COVEY_PARTS_PART_CUT_H

#include "parts/part/file.h"

/* Keys as text: 8 hexadecimal digits for each number, so that texts are ordered as keys are. */
enum { COVEY_KEY_DIGITS = 8 };

/* Cuts a part into pieces, as covey_recipe_cut says. */
covey_status covey_i_part_cut(const covey_plan *plan, const char *path, const char *const *splitter, size_t n,
                              const int *file, covey_error *err);

/* What covey_recipe_look gives; free() it. */
covey_status covey_i_part_look(char **out, const covey_plan *plan, const char *path, size_t n_keys, covey_error *err);

#endif
