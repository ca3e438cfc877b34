/* What the ways of scanning sorted files share; see sorted_scan.h. */
#include "io/csv/sorted_scan.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"

static void fill(void *codes, int width, int64_t from, int64_t to, uint32_t code)
{
    const size_t n = (size_t)(to - from);

    COVEY_CODES_TYPED(width, {
        covey_code *restrict at = (covey_code *)codes + from;

        if (n <= COVEY_SORTED_SLACK)
            for (size_t i = 0; i < COVEY_SORTED_SLACK; i++)
                at[i] = (covey_code)code;
        else
            for (size_t i = 0; i < n; i++)
                at[i] = (covey_code)code;
    });
}

/* From the number of a row to the next one. */
static void count_up(covey_sorted_number *number)
{
    uint32_t i = number->size;

    number->value++;
    while (i > 0 && number->digits[i - 1] == '9')
        number->digits[--i] = '0';
    if (i > 0) {
        number->digits[i - 1]++;
    } else {
        memmove(number->digits + 1, number->digits, number->size++);
        number->digits[0] = '1';
    }
}

void covey_i_sorted_write(covey_sorted_scan *x, size_t c)
{
    const covey_csv_chunk *chunk = x->chunk;

    if (x->row > x->since[c])
        fill(chunk->codes[c], chunk->width[c], x->since[c], x->row, x->code[c]);
    x->since[c] = x->row;
}

bool covey_i_sorted_begin_number(covey_sorted_scan *x)
{
    if (x->n_numbers == x->capacity) {
        const size_t capacity = x->capacity ? 2 * x->capacity : 1024;
        uint32_t *start = covey_i_realloc(x->number_start, capacity, sizeof *start);

        if (!start) {
            x->s->out_of_memory = true;
            return false;
        }
        x->number_start = start;
        x->capacity = capacity;
    }
    x->number_start[x->n_numbers++] = (uint32_t)x->row;
    count_up(&x->next);
    return true;
}
