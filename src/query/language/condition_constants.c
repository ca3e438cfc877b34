/* The constants that a condition compares the values of an attribute with, in order, and where values stand among them.
 */
#include "query/language/condition_atoms.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static __int128 power_of_ten(int exponent)
{
    __int128 power = 1;

    while (exponent-- > 0)
        power *= 10;
    return power;
}

static int compare_constants(const void *x, const void *y)
{
    const covey_constant *a = x, *b = y;

    if (a->text)
        return strcmp(a->text, b->text);
    return (a->number > b->number) - (a->number < b->number);
}

static uint32_t place_of(const covey_condition_attribute *a, const covey_constant *wanted)
{
    const covey_constant *found = bsearch(wanted, a->constant, a->n_constants, sizeof *wanted, compare_constants);

    return (uint32_t)(found - a->constant);
}

/* Turns the ends of ranges into positions. */
static void place_tests(covey_condition_node *node, const covey_condition_attribute *a, const covey_constant *collected)
{
    for (covey_condition_node *child = node->child; child; child = child->next)
        place_tests(child, a, collected);
    if (node->kind != COVEY_NODE_TEST || node->test != COVEY_TEST_RANGE)
        return;
    node->low = node->low_constant < 0 ? 0 : 2 * place_of(a, &collected[node->low_constant]) + (node->low_open ? 2 : 1);
    node->high = node->high_constant < 0 ? 2 * a->n_constants
                                         : 2 * place_of(a, &collected[node->high_constant]) + (node->high_open ? 0 : 1);
}

static covey_status sort_constants(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    covey_constant *collected = covey_arena_array(arena, covey_constant, a->n_constants);
    uint32_t n = 0;

    if (!collected)
        return covey_i_no_memory(err);
    if (a->n_constants > 0) {
        memcpy(collected, a->constant, a->n_constants * sizeof *collected);
        qsort(a->constant, a->n_constants, sizeof *a->constant, compare_constants);
    }
    for (uint32_t i = 0; i < a->n_constants; i++)
        if (n == 0 || compare_constants(&a->constant[n - 1], &a->constant[i]) != 0)
            a->constant[n++] = a->constant[i];
    a->n_constants = n;
    for (int p = 0; p < a->n_parts; p++)
        place_tests(a->part[p], a, collected);
    return COVEY_OK;
}

/* Numbers of the column are compared with constants as 64-bit numbers: number above constant i is number >= above[i],
 * and equal to it is number + 1 = above[i] where the constant is one of the column's numbers. */
static covey_status fill_above(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    const __int128 unit = power_of_ten(a->scale - a->column->scale);

    a->above = covey_arena_array(arena, int64_t, a->n_constants);
    a->on_grid = covey_arena_array(arena, bool, a->n_constants);
    if (!a->above || !a->on_grid)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < a->n_constants; i++) {
        __int128 number = a->constant[i].number, above = number / unit - (number % unit < 0) + 1;

        a->above[i] = above > INT64_MAX ? INT64_MAX : above < INT64_MIN ? INT64_MIN : (int64_t)above;
        a->on_grid[i] = number % unit == 0;
    }
    return COVEY_OK;
}

covey_status covey_i_condition_order_constants(covey_condition_attribute *a, covey_arena *arena, covey_error *err)
{
    COVEY_TRY(sort_constants(a, arena, err));
    return fill_above(a, arena, err);
}

int64_t covey_i_condition_count_numbers(const covey_condition_attribute *a, uint32_t position, int64_t low,
                                        int64_t high)
{
    const __int128 unit = power_of_ten(a->scale - a->column->scale);
    __int128 first = low, last = high, end;

    if (position % 2) {
        end = a->constant[position / 2].number;
        return end % unit == 0 && end / unit >= low && end / unit <= high;
    }
    if (position > 0) { /* the first above the constant before */
        end = a->constant[position / 2 - 1].number;
        end = end / unit - (end % unit < 0) + 1;
        first = end > first ? end : first;
    }
    if (position < 2 * a->n_constants) { /* the last below the constant behind */
        end = a->constant[position / 2].number;
        end = end / unit + (end % unit > 0) - 1;
        last = end < last ? end : last;
    }
    return first > last ? 0 : last - first >= INT64_MAX ? INT64_MAX : (int64_t)(last - first + 1);
}

/* The sign of constant - number * 10^-scale; none of both has more than 18 digits behind the point. */
static int compare_with(const covey_condition_attribute *a, uint32_t constant, int64_t number, int scale)
{
    const __int128 x = a->constant[constant].number * power_of_ten(scale > a->scale ? scale - a->scale : 0);
    const __int128 y = number * power_of_ten(a->scale > scale ? a->scale - scale : 0);

    return (x > y) - (x < y);
}

bool covey_i_condition_reaches(const covey_condition_attribute *a, uint32_t position, const covey_number_label *label)
{
    const bool is_single = position % 2;
    const uint32_t behind = position / 2;

    if (label->has_low && behind < a->n_constants &&
        compare_with(a, behind, label->low, label->scale) < is_single + (is_single ? -1 : 1))
        return false;
    if (!label->has_high || (!is_single && behind == 0))
        return true;
    return compare_with(a, is_single ? behind : behind - 1, label->high, label->scale) <
           (is_single && !label->high_open);
}

uint32_t covey_i_condition_place_of_text(const covey_condition_attribute *a, const char *text, uint32_t hint)
{
    uint32_t low = 0, high = a->n_constants;

    if (hint % 2 == 0 && (hint == 0 || strcmp(a->constant[hint / 2 - 1].text, text) < 0) &&
        (hint / 2 == a->n_constants || strcmp(text, a->constant[hint / 2].text) < 0))
        return hint;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (strcmp(a->constant[middle].text, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return 2 * low + (low < a->n_constants && strcmp(a->constant[low].text, text) == 0);
}
