/* Small helpers of the makers: labels of values and of ranges of numbers. */
#ifndef COVEY_HIERARCHY_VALUES_H
#define COVEY_HIERARCHY_VALUES_H

#include <string.h>

#include "hierarchy/hierarchy_impl.h"

/* Closes a label that is a constant. */
static inline void covey_i_path_label(covey_path *path, const char *label)
{
    covey_i_text_add_string(&path->text, label);
    covey_i_hierarchy_path_close(path);
}

/* Closes a label that is a value of the data. */
static inline void covey_i_path_value(covey_path *path, const covey_column *column, uint32_t code)
{
    covey_i_text_add(&path->text, covey_column_label(column, code), covey_column_label_size(column, code));
    covey_i_hierarchy_path_close(path);
}

/* Beside missing cells the text "null" means the same leaf. */
static inline bool covey_i_names_null(const covey_column *column, uint32_t code)
{
    return column->has_null && code > 0 && strcmp(covey_column_label(column, code), "null") == 0;
}

/* A scaled number without zeros behind its point; dates as YYYY-MM-DD. */
void covey_i_hierarchy_add_number(covey_text *out, covey_type type, int64_t number, int scale);

/* Closes the label of low <= x < high: "20-24" for integers ("-20..-11" where one is negative),
 * "2020-01-01..2020-12-31" for dates,
 * "[2.5,5)" for decimals; one integer alone is itself. */
void covey_i_hierarchy_path_range(covey_path *path, covey_type type, int64_t low, int64_t high, int scale);

/* Closes "<20" or ">=20". */
void covey_i_hierarchy_path_end(covey_path *path, const char *sign, covey_type type, int64_t number, int scale);

/* number * 10^(to - from); false, with number spoilt, if that is not an integer of at most 18 digits. */
bool covey_i_hierarchy_rescale(int64_t *number, int from, int to);

#endif
