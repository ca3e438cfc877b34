/* Counting pieces of buckets in hash tables. */
#include "audit/sliced/tables.h"

#include <string.h>

#include "base/error.h"
#include "base/sort/find.h"
#include "base/sort/sort.h"

uint32_t covey_i_slice_refine(uint32_t *number, const uint32_t *code, uint32_t n_lines, uint32_t *scratch)
{
    uint32_t *row = scratch, *other = scratch + n_lines, *old = scratch + 2 * (size_t)n_lines, n = 0;

    for (uint32_t i = 0; i < n_lines; i++)
        row[i] = i;
    memcpy(old, number, n_lines * sizeof *old);
    covey_i_sort_rows_u32(row, other, n_lines, code);
    covey_i_sort_rows_u32(row, other, n_lines, old);
    for (uint32_t i = 0; i < n_lines; i++) {
        n += i > 0 && (old[row[i]] != old[row[i - 1]] || code[row[i]] != code[row[i - 1]]);
        number[row[i]] = n;
    }
    return n_lines ? n + 1 : 0;
}

covey_status covey_i_slice_table_count(covey_slice_table *t, const covey_opened *o, covey_arena *arena,
                                       covey_error *err)
{
    uint32_t *sorted = covey_arena_array(arena, uint32_t, o->n_rows),
             *other = covey_arena_array(arena, uint32_t, o->n_rows), n = 0;

    t->start = covey_arena_array(arena, uint32_t, (size_t)o->n_classes + 1);
    t->number = covey_arena_array(arena, uint32_t, o->n_rows);
    t->count = covey_arena_array(arena, uint32_t, o->n_rows);
    if (!sorted || !other || !t->start || !t->number || !t->count)
        return covey_i_no_memory(err);
    for (uint32_t b = 0; b < o->n_classes; b++) {
        const uint32_t first = o->class_start[b], size = o->class_start[b + 1] - first;

        t->start[b] = n;
        for (uint32_t i = 0; i < size; i++)
            sorted[i] = first + i;
        covey_i_sort_rows_u32(sorted, other, size, t->of_line);
        for (uint32_t i = 0; i < size; i++) {
            if (i == 0 || t->of_line[sorted[i]] != t->of_line[sorted[i - 1]]) {
                t->number[n] = t->of_line[sorted[i]];
                t->count[n++] = 0;
            }
            t->count[n - 1]++;
        }
    }
    t->start[o->n_classes] = n;
    return COVEY_OK;
}

uint32_t covey_i_slice_table_at(const covey_slice_table *t, uint32_t bucket, uint32_t number)
{
    const uint32_t end = t->start[bucket + 1], at = covey_i_find_from(t->number, t->start[bucket], end, number);

    return at < end && t->number[at] == number ? t->count[at] : 0;
}

static bool stands_in(const covey_opened_slice *slice, size_t attribute)
{
    for (size_t i = 0; i < slice->n; i++)
        if (slice->attribute[i] == attribute)
            return true;
    return false;
}

covey_status covey_i_slice_table_number(covey_slice_table *t, const covey_opened *o, const covey_opened_slice *slice,
                                        covey_arena *arena, covey_error *err)
{
    const uint32_t n_rows = o->n_rows;
    uint32_t *code = covey_arena_array(arena, uint32_t, n_rows),
             *scratch = covey_arena_array(arena, uint32_t, 3 * (size_t)n_rows);

    t->of_line = covey_arena_array_zero(arena, uint32_t, n_rows);
    t->n = 1;
    if (!code || !scratch || !t->of_line)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < slice->n; a++) {
        if (o->column[slice->attribute[a]].stated->role == COVEY_ROLE_SENSITIVE)
            continue;
        for (uint32_t line = 0; line < n_rows; line++)
            code[line] = covey_i_slice_code(slice, a, line);
        t->n = covey_i_slice_refine(t->of_line, code, n_rows, scratch);
    }
    return COVEY_OK;
}

size_t covey_i_slices_shared(const covey_opened_slice *a, const covey_opened_slice *b)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n; i++)
        n += stands_in(b, a->attribute[i]);
    return n;
}

covey_status covey_i_slice_table_share(covey_slice_table *out, uint32_t **of_piece, uint32_t **of_other,
                                       const covey_opened *o, const covey_opened_slice *own,
                                       const covey_opened_slice *other, const covey_slice_table *pieces,
                                       const covey_slice_table *other_pieces, covey_arena *arena, covey_error *err)
{
    const uint32_t n_rows = o->n_rows;
    uint32_t *number = covey_arena_array_zero(arena, uint32_t, 2 * (size_t)n_rows),
             *code = covey_arena_array(arena, uint32_t, 2 * (size_t)n_rows);
    uint32_t *scratch = covey_arena_array(arena, uint32_t, 6 * (size_t)n_rows);

    *of_piece = covey_arena_array(arena, uint32_t, pieces->n);
    *of_other = covey_arena_array(arena, uint32_t, other_pieces->n);
    if (!number || !code || !scratch || !*of_piece || !*of_other)
        return covey_i_no_memory(err);
    out->n = 1;
    for (size_t a = 0; a < own->n; a++)
        for (size_t b = 0; b < other->n; b++) {
            if (own->attribute[a] != other->attribute[b] ||
                o->column[own->attribute[a]].stated->role == COVEY_ROLE_SENSITIVE)
                continue;
            for (uint32_t line = 0; line < n_rows; line++) { /* lines of both, one behind the other */
                code[line] = covey_i_slice_code(own, a, line);
                code[n_rows + line] = covey_i_slice_code(other, b, line);
            }
            out->n = covey_i_slice_refine(number, code, 2 * n_rows, scratch);
        }
    out->of_line = number;
    for (uint32_t line = 0; line < n_rows; line++) {
        (*of_piece)[pieces->of_line[line]] = number[line];
        (*of_other)[other_pieces->of_line[line]] = number[n_rows + line];
    }
    return covey_i_slice_table_count(out, o, arena, err);
}
