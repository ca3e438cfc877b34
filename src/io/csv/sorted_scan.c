/* What the ways of scanning sorted files share. */
#include "io/csv/sorted_scan.h"

#include <string.h>

#include "base/alloc.h"

void covey_i_sorted_fill(void *codes, int width, int64_t from, int64_t to, uint32_t code)
{
    COVEY_CODES_TYPED(width, {
        for (int64_t i = from; i < to; i++)
            ((covey_code *)codes)[i] = (covey_code)code;
    });
}

void covey_i_sorted_carry(covey_sorted_number *number)
{
    uint32_t i = number->size;

    while (i > 0 && number->digits[i - 1] == '9')
        number->digits[--i] = '0';
    if (i > 0) {
        number->digits[i - 1]++;
    } else {
        memmove(number->digits + 1, number->digits, number->size++);
        number->digits[0] = '1';
    }
    number->word = covey_i_load_word(number->digits);
}

bool covey_i_sorted_more_numbers(covey_sorted_scan *x)
{
    const size_t capacity = x->capacity ? 2 * x->capacity : 1024;
    uint32_t *start = covey_i_realloc(x->number_start, capacity, sizeof *start);

    if (!start) {
        x->s->out_of_memory = true;
        return false;
    }
    x->number_start = start;
    x->capacity = capacity;
    return true;
}
