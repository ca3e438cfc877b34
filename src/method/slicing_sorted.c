/* The table with its rows in the order of their content.  Slicing looks at the rows of a bucket again and again, and in that order they stand
 * near each other, while in the table as it came they lie anywhere, where no cache holds them. */
#include "method/slicing_impl.h"

#include <string.h>

#include "base/alloc.h"
#include "base/threads.h"

enum { CHUNK = 1 << 16 };

struct copying {
    const covey_slicing *s;
    size_t n_chunks;
};

#define DEFINE_PICK(name, type)                                                                                                            \
    static void name(type *to, const type *from, const uint32_t *row, uint32_t n)                                                          \
    {                                                                                                                                      \
        for (uint32_t i = 0; i < n; i++)                                                                                                   \
            to[i] = from[row[i]];                                                                                                          \
    }

DEFINE_PICK(pick_u8, uint8_t)
DEFINE_PICK(pick_u16, uint16_t)
DEFINE_PICK(pick_u32, uint32_t)

/* Copies a part of a field's codes. */
static covey_status copy_chunk(void *context, size_t task, covey_error *err)
{
    const struct copying *c = context;
    const covey_slicing *s = c->s;
    const size_t f = task / c->n_chunks;
    const uint32_t begin = (uint32_t)(task % c->n_chunks * CHUNK), n = s->n - begin < CHUNK ? s->n - begin : CHUNK;
    const covey_column *from = s->given->field[f].column;
    char *to = (char *)s->sorted_codes[f] + (size_t)begin * (size_t)from->width;

    if (from->width == 1)
        pick_u8((uint8_t *)to, from->codes, s->order + begin, n);
    else if (from->width == 2)
        pick_u16((uint16_t *)to, from->codes, s->order + begin, n);
    else
        pick_u32((uint32_t *)to, from->codes, s->order + begin, n);
    return COVEY_OK;
}

covey_status covey_i_slicing_sort_table(covey_slicing *s, const covey_run *run, covey_error *err)
{
    const covey_problem *problem = s->problem;
    covey_field *field = covey_arena_array(s->arena, covey_field, problem->n_fields);
    covey_column *column = covey_arena_array(s->arena, covey_column, problem->n_fields);
    struct copying c = {s, ((size_t)s->n + CHUNK - 1) / CHUNK};
    uint32_t *row = covey_i_array_full(s->n, sizeof *row);

    s->order = s->row;
    s->row = row;
    s->given = problem;
    s->sorted_codes = covey_arena_array_zero(s->arena, void *, problem->n_fields);
    if (!field || !column || !row || !s->sorted_codes)
        return covey_fail(err, COVEY_ENOMEM, "%u rows in order", s->n);
    for (uint32_t i = 0; i < s->n; i++)
        row[i] = i;
    for (size_t f = 0; f < problem->n_fields; f++) {
        column[f] = *problem->field[f].column;
        if (!(s->sorted_codes[f] = covey_i_array_full(s->n, (size_t)column[f].width)))
            return covey_fail(err, COVEY_ENOMEM, "%u rows in order", s->n);
        column[f].codes = s->sorted_codes[f];
        field[f] = problem->field[f];
        field[f].column = &column[f];
    }
    s->own = *problem;
    s->own.field = field;
    s->problem = &s->own;
    return covey_i_parallel(covey_run_threads(run), problem->n_fields * c.n_chunks, copy_chunk, &c, err);
}

void covey_i_slicing_clear_rows(covey_slicing *s)
{
    for (size_t f = 0; s->given && s->sorted_codes && f < s->given->n_fields; f++)
        covey_i_free(s->sorted_codes[f]);
    s->sorted_codes = NULL;
    covey_i_free(s->order);
    covey_i_free(s->row);
    s->order = s->row = NULL;
}
