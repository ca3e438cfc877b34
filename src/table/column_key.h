/* A column as a key to sort rows by. */
#ifndef COVEY_TABLE_COLUMN_KEY_H
#define COVEY_TABLE_COLUMN_KEY_H

#include <covey/table.h>

#include "base/sort/keys.h"

static inline covey_sort_key covey_i_column_key(const covey_column *column)
{
    return (covey_sort_key){.codes = column->codes, .width = column->width, .n_values = column->n_values};
}

#endif
