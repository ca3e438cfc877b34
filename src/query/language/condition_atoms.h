/* How the atoms of a condition (condition.h) are found: condition_constants.c puts the constants of an attribute in
 * order, condition_atoms.c makes atoms of the values between them, and condition_cells.c finds out which of these each
 * cell holds. */
#ifndef COVEY_QUERY_LANGUAGE_CONDITION_ATOMS_H
#define COVEY_QUERY_LANGUAGE_CONDITION_ATOMS_H

#include "query/language/condition.h"

enum { COVEY_CONDITION_MOST_ATOMS = 4096 }; /* of an attribute */
#define COVEY_CONDITION_NONE UINT32_MAX
#define COVEY_CONDITION_UNNAMED (UINT32_MAX / 2) /* the first unnamed text, among items */

/* Sorts the constants of an attribute, each once, and turns the ends of ranges into positions among them. */
covey_status covey_i_condition_order_constants(covey_condition_attribute *a, covey_arena *arena, covey_error *err);
/* How many numbers of the column's scale lie within a position and low .. high. */
int64_t covey_i_condition_count_numbers(const covey_condition_attribute *a, uint32_t position, int64_t low,
                                        int64_t high);
/* Can a number of the label stand at the position? */
bool covey_i_condition_reaches(const covey_condition_attribute *a, uint32_t position, const covey_number_label *label);
/* The position of a text.  hint: where the text before stood; dictionaries are sorted, so that it is most often the
 * place. */
uint32_t covey_i_condition_place_of_text(const covey_condition_attribute *a, const char *text, uint32_t hint);

/* The position of a number of the column. */
static inline uint32_t covey_i_condition_place_of_number(const covey_condition_attribute *a, int64_t number)
{
    uint32_t low = 0, high = a->n_constants; /* how many constants are below */

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (a->above[middle] <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return 2 * low + (low < a->n_constants && a->on_grid[low] && a->above[low] == number + 1);
}

/* Fills start, share and any.  other: atoms of values without a name, which a row without cells may have. */
covey_status covey_i_condition_list_cells(covey_condition_attribute *a, const uint32_t *other, uint32_t n_other,
                                          covey_arena *arena, covey_error *err);

#endif
