/* The different pieces of a sliced release's columns, numbered together with those of the original's rows, and the
 * buckets that hold them. */
#include "query/sliced/membership.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/sort/find.h"

enum { FEW = 32 }; /* a piece in more than one of so many buckets gets bits */

/* Scratch for numbering: lines of the release first, then rows of the original. */
struct numbering {
    size_t n, n_slots;
    uint32_t *number; /* [n] */
    uint32_t *slot;   /* [n_slots] number + 1; 0: free */
    uint64_t *word;   /* [n] by number: number before, code */
};

static covey_status new_numbering(struct numbering *w, size_t n, covey_arena *arena, covey_error *err)
{
    *w = (struct numbering){.n = n,
                            .n_slots = 64,
                            .number = covey_arena_array(arena, uint32_t, n),
                            .word = covey_arena_array(arena, uint64_t, n)};
    while (w->n_slots < 2 * n)
        w->n_slots *= 2;
    w->slot = covey_arena_array(arena, uint32_t, w->n_slots);
    return w->number && w->slot && w->word ? COVEY_OK : covey_i_no_memory(err);
}

static void begin(struct numbering *w)
{
    memset(w->slot, 0, w->n_slots * sizeof *w->slot);
}

/* The number of "number so far, code"; a new one is *n. */
static uint32_t number_of(struct numbering *w, uint32_t *n, uint32_t number, uint32_t code)
{
    const uint64_t own = (uint64_t)number << 32 | code;
    size_t at = covey_i_mix(own, 2) & (w->n_slots - 1);

    while (w->slot[at] != 0 && w->word[w->slot[at] - 1] != own)
        at = (at + 1) & (w->n_slots - 1);
    if (w->slot[at] == 0) {
        w->word[*n] = own;
        w->slot[at] = ++*n;
    }
    return w->slot[at] - 1;
}

/* The original's code of a line's value; UINT32_MAX: it has none such. */
static uint32_t value_of(const covey_opened_slice *slice, const covey_original_column *column, size_t a, uint32_t line)
{
    const uint32_t cell = covey_i_slice_code(slice, a, line);

    return cell == UINT32_MAX ? cell : column->value_of_cell[cell];
}

/* Numbers lines and rows by their values on the slice; those of lines come first. */
static void number_pieces(uint32_t *n_of_lines, struct numbering *w, const covey_opened_slice *slice, uint32_t n_lines,
                          const covey_original *original)
{
    memset(w->number, 0, w->n * sizeof *w->number);
    for (size_t a = 0; a < slice->n; a++) {
        const covey_original_column *column = &original->column[slice->attribute[a]];
        uint32_t n = 0;

        begin(w);
        for (uint32_t line = 0; line < n_lines; line++)
            w->number[line] = number_of(w, &n, w->number[line], value_of(slice, column, a, line));
        *n_of_lines = n;
        for (uint32_t row = 0; row < original->n_rows; row++)
            w->number[n_lines + row] = number_of(w, &n, w->number[n_lines + row], covey_i_code_at(column->column, row));
    }
}

/* Which buckets hold each piece, in ascending order. */
static covey_status find_buckets(covey_slice_piece_list *list, const covey_query_slices *s, uint32_t n_words,
                                 covey_arena *arena, covey_error *err)
{
    uint32_t *last = covey_arena_array(arena, uint32_t, list->n), *at = covey_arena_array(arena, uint32_t, list->n);

    list->start = covey_arena_array_zero(arena, uint32_t, (size_t)list->n + 1);
    list->bits = covey_arena_array_zero(arena, uint64_t *, list->n);
    if (!last || !at || !list->start || !list->bits)
        return covey_i_no_memory(err);
    for (int fills = 0; fills < 2; fills++) { /* count first */
        memset(last, 0xff, list->n * sizeof *last);
        for (uint32_t b = 0; b < s->n_buckets; b++)
            for (uint32_t line = s->bucket_start[b]; line < s->bucket_start[b + 1]; line++) {
                const uint32_t piece = list->of_line[line];

                if (last[piece] == b)
                    continue;
                last[piece] = b;
                if (fills)
                    list->bucket[at[piece]++] = b;
                else
                    list->start[piece + 1]++;
            }
        if (fills)
            break;
        for (uint32_t p = 0; p < list->n; p++) {
            at[p] = list->start[p];
            list->start[p + 1] += list->start[p];
        }
        if (!(list->bucket = covey_arena_array(arena, uint32_t, list->start[list->n])))
            return covey_i_no_memory(err);
    }
    for (uint32_t p = 0; p < list->n; p++) {
        if ((uint64_t)(list->start[p + 1] - list->start[p]) * FEW < s->n_buckets)
            continue;
        if (!(list->bits[p] = covey_arena_array_zero(arena, uint64_t, n_words)))
            return covey_i_no_memory(err);
        for (uint32_t i = list->start[p]; i < list->start[p + 1]; i++)
            list->bits[p][list->bucket[i] / 64] |= (uint64_t)1 << list->bucket[i] % 64;
    }
    return COVEY_OK;
}

covey_status covey_i_slice_pieces_make(covey_slice_pieces *out, const covey_query_slices *s,
                                       const covey_original *original, covey_arena *arena, covey_error *err)
{
    struct numbering w;

    *out = (covey_slice_pieces){.slices = s,
                                .list = covey_arena_array_zero(arena, covey_slice_piece_list, s->n_slices),
                                .n_words = s->n_buckets / 64 + 1};
    if (!out->list)
        return covey_i_no_memory(err);
    COVEY_TRY(new_numbering(&w, (size_t)s->n_rows + original->n_rows, arena, err));
    for (uint32_t i = 0; i < s->n_slices; i++) {
        covey_slice_piece_list *list = &out->list[i];

        number_pieces(&list->n, &w, s->slice[i].opened, s->n_rows, original);
        list->of_line = covey_arena_array(arena, uint32_t, s->n_rows);
        list->of_row = covey_arena_array(arena, uint32_t, original->n_rows);
        if (!list->of_line || !list->of_row)
            return covey_i_no_memory(err);
        memcpy(list->of_line, w.number, s->n_rows * sizeof *list->of_line);
        for (uint32_t row = 0; row < original->n_rows; row++)
            list->of_row[row] = w.number[s->n_rows + row] < list->n ? w.number[s->n_rows + row] : COVEY_NO_PIECE;
        COVEY_TRY(find_buckets(list, s, out->n_words, arena, err));
    }
    return COVEY_OK;
}

static bool holds(const covey_slice_piece_list *list, uint32_t piece, uint32_t bucket)
{
    const uint32_t end = list->start[piece + 1];
    uint32_t at;

    if (list->bits[piece])
        return list->bits[piece][bucket / 64] >> bucket % 64 & 1;
    at = covey_i_find_from(list->bucket, list->start[piece], end, bucket);
    return at < end && list->bucket[at] == bucket;
}

uint32_t covey_i_slice_pieces_match(const covey_slice_pieces *p, const uint32_t *piece)
{
    const uint32_t n_slices = p->slices->n_slices;
    uint32_t rarest = 0, n = 0;

    for (uint32_t i = 1; i < n_slices; i++)
        if (p->list[i].start[piece[i] + 1] - p->list[i].start[piece[i]] <
            p->list[rarest].start[piece[rarest] + 1] - p->list[rarest].start[piece[rarest]])
            rarest = i;
    if (p->list[rarest].bits[piece[rarest]]) { /* then all have them */
        for (uint32_t word = 0; word < p->n_words; word++) {
            uint64_t all = p->list[0].bits[piece[0]][word];

            for (uint32_t i = 1; i < n_slices; i++)
                all &= p->list[i].bits[piece[i]][word];
            n += (uint32_t)__builtin_popcountll(all);
        }
        return n;
    }
    for (uint32_t k = p->list[rarest].start[piece[rarest]]; k < p->list[rarest].start[piece[rarest] + 1]; k++) {
        bool all = true;

        for (uint32_t i = 0; i < n_slices && all; i++)
            all = i == rarest || holds(&p->list[i], piece[i], p->list[rarest].bucket[k]);
        n += all;
    }
    return n;
}
