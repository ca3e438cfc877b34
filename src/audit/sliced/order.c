/* The order of pieces and buckets says nothing but what they hold; and copies of an attribute agree. */
#include "audit/row_order.h"
#include "base/error.h"
#include "audit/sliced/sliced.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/codes.h"

static uint32_t rank_of(const covey_opened_slice *slice, const covey_opened *o, size_t a, uint32_t line)
{
    const uint32_t code = covey_i_slice_code(slice, a, line);
    const covey_opened_column *column = &o->column[slice->attribute[a]];

    return code == UINT32_MAX || !column->rank ? code : column->rank[code];
}

static int compare_pieces(const covey_opened_slice *slice, const covey_opened *o, uint32_t x, uint32_t y)
{
    for (size_t a = 0; a < slice->n; a++) {
        const uint32_t p = rank_of(slice, o, a, x), q = rank_of(slice, o, a, y);

        if (p != q)
            return p < q ? -1 : 1;
    }
    return 0;
}

/* Column by column, piece by piece; a bucket that begins like another and ends first comes first. */
static int compare_buckets(const covey_opened_slices *s, const covey_opened *o, uint32_t b, uint32_t c)
{
    const uint32_t size_b = o->class_start[b + 1] - o->class_start[b],
                   size_c = o->class_start[c + 1] - o->class_start[c];

    for (size_t i = 0; i < s->n; i++) {
        for (uint32_t k = 0; k < size_b && k < size_c; k++) {
            const int order = compare_pieces(&s->slice[i], o, o->class_start[b] + k, o->class_start[c] + k);

            if (order)
                return order;
        }
        if (size_b != size_c)
            return size_b < size_c ? -1 : 1;
    }
    return 0;
}

/* One column: its pieces inside buckets. */
struct checking {
    const covey_opened *o;
    const covey_opened_slices *s;
    const covey_opened_slice *slice;
    atomic_bool *in_doubt; /* is there a piece or a bucket that may stand where it must not? */
};

/* By the columns as they stand there; a copy is ordered as the attribute's own column, of which rows_ascend knows
 * nothing. */
static bool ascend_quickly(const struct checking *x, uint32_t begin, uint32_t end)
{
    const covey_row_order order = {x->slice->n, x->slice->column};

    for (size_t a = 0; a < x->slice->n; a++)
        if (x->slice->same[a])
            return false;
    return covey_i_rows_ascend(&order, x->o->class_start, x->o->n_classes, x->o->class_start[begin],
                               x->o->class_start[end]);
}

static void check_pieces(covey_problems *problems, const void *context, uint32_t begin, uint32_t end)
{
    const struct checking *x = context;
    const covey_opened *o = x->o;

    if (ascend_quickly(x, begin, end))
        return;
    for (uint32_t b = begin; b < end; b++)
        for (uint32_t line = o->class_start[b] + 1; line < o->class_start[b + 1]; line++)
            if (compare_pieces(x->slice, o, line - 1, line) > 0) {
                covey_i_problem(problems, "%s, bucket %" PRIu32 ": its pieces are not sorted by their content",
                                x->slice->table->file, b + 1);
                break;
            }
}

/* --- buckets --- */

enum { LINES = 2048 };

/* Buckets whose lines are few enough, with the pieces of one column as numbers, which are made column by column, many
 * lines at once. */
struct block {
    uint32_t first, n; /* buckets */
    uint32_t piece[LINES];
    bool differs[LINES + 1]; /* [n] does the bucket come behind the one before it? */
};

/* factor: 0: it is the first column. */
static void add_ranks(uint32_t *restrict piece, const covey_opened_column *column, uint32_t factor, uint32_t first,
                      uint32_t n)
{
    const uint32_t *restrict rank = column->rank;

    COVEY_CODES_TYPED(column->text->width, {
        const covey_code *restrict code = (const covey_code *)column->text->codes + first;

        if (factor == 0)
            for (uint32_t i = 0; i < n; i++)
                piece[i] = rank ? rank[code[i]] : code[i];
        else
            for (uint32_t i = 0; i < n; i++)
                piece[i] = piece[i] * factor + (rank ? rank[code[i]] : code[i]);
    });
}

/* False: the pieces of that column are too many, or codes there are not the attribute's. */
static bool number_pieces(struct block *block, const covey_opened *o, const covey_opened_slice *slice)
{
    const uint32_t first = o->class_start[block->first], n = o->class_start[block->first + block->n] - first;
    uint64_t n_pieces = slice->n > 0;

    for (size_t a = 0; a < slice->n; a++)
        if (slice->same[a] || (n_pieces *= slice->column[a]->text->n_values) > UINT32_MAX)
            return false;
    if (n_pieces == 0)
        return false;
    for (size_t a = 0; a < slice->n; a++)
        add_ranks(block->piece, slice->column[a], a > 0 ? slice->column[a]->text->n_values : 0, first, n);
    return true;
}

/* The first two pieces of a bucket as one number. */
static inline uint64_t first_two(const uint32_t *piece)
{
    return (uint64_t)piece[0] << 32 | piece[1];
}

/* Compares each bucket of a block with the one before as far as they are not told apart; false: one comes in front of
 * it. */
static bool compare_numbers(struct block *block, const covey_opened *o)
{
    const uint32_t *start = o->class_start + block->first;
    bool descends = false;

    for (uint32_t i = 1; i < block->n; i++) {
        const uint32_t size_before = start[i] - start[i - 1], size = start[i + 1] - start[i],
                       n = size_before < size ? size_before : size;
        const uint32_t *before = block->piece + (start[i - 1] - start[0]), *own = before + size_before;
        uint32_t k = 0;

        if (size_before == 2 && size == 2) { /* most are of l = 2; without a branch that is guessed wrong */
            descends |= !block->differs[i] & (first_two(before) > first_two(own));
            block->differs[i] |= first_two(before) < first_two(own);
            continue;
        }
        if (block->differs[i])
            continue;
        while (k < n && before[k] == own[k])
            k++;
        if (k < n ? before[k] > own[k] : size_before > size)
            return false;
        block->differs[i] = k < n || size_before < size;
    }
    return !descends;
}

/* Does each piece of a block's buckets come behind the one before it, or equal it?  Counted are those that come in
 * front of it, but for the first of buckets. */
static bool numbers_ascend(const struct block *block, const covey_opened *o)
{
    const uint32_t *start = o->class_start + block->first, *piece = block->piece;
    const uint32_t n = start[block->n] - start[0];
    uint32_t n_descents = 0;

    for (uint32_t i = 1; i < n; i++)
        n_descents += piece[i] < piece[i - 1];
    for (uint32_t i = 1; i < block->n; i++)
        n_descents -= piece[start[i] - start[0]] < piece[start[i] - start[0] - 1];
    return n_descents == 0;
}

/* Quick for yes; who hears no looks for the piece or the bucket itself.  Are the pieces of a block's buckets in order,
 * and does each bucket but the first come behind the one before it, or equal it? */
static bool block_ascends(struct block *block, const struct checking *x)
{
    memset(block->differs, 0, block->n * sizeof *block->differs);
    for (size_t i = 0; i < x->s->n; i++)
        if (!number_pieces(block, x->o, &x->s->slice[i]) || !numbers_ascend(block, x->o) ||
            !compare_numbers(block, x->o))
            return false;
    return true;
}

/* Goes on to the next block: buckets to the end whose lines are few enough, two at least, the first of which is the
 * last one before; false: there is none. */
static bool next_block(struct block *block, const covey_opened *o, uint32_t end)
{
    const uint32_t *start = o->class_start;

    block->first += block->n > 0 ? block->n - 1 : 0;
    if (block->first + 1 >= end)
        return false;
    block->n = 2;
    while (block->first + block->n < end && start[block->first + block->n + 1] - start[block->first] <= LINES)
        block->n++;
    return true;
}

static bool is_short(const struct block *block, const covey_opened *o)
{
    return o->class_start[block->first + block->n] - o->class_start[block->first] <= LINES;
}

/* All columns of a block while it is near to the processor. */
static void find_doubts(covey_problems *problems, const void *context, uint32_t begin, uint32_t end)
{
    const struct checking *x = context;
    struct block block = {.first = begin > 0 ? begin - 1 : 0};

    (void)problems;
    while (!atomic_load_explicit(x->in_doubt, memory_order_relaxed) && next_block(&block, x->o, end))
        if (!is_short(&block, x->o) || !block_ascends(&block, x))
            atomic_store(x->in_doubt, true);
}

static void check_buckets(covey_problems *problems, const void *context, uint32_t begin, uint32_t end)
{
    const struct checking *x = context;
    struct block block = {.first = begin > 0 ? begin - 1 : 0};

    while (next_block(&block, x->o, end)) {
        if (is_short(&block, x->o) && block_ascends(&block, x))
            continue;
        for (uint32_t b = block.first + 1; b < block.first + block.n; b++)
            if (compare_buckets(x->s, x->o, b - 1, b) > 0)
                covey_i_problem(problems,
                                "bucket %" PRIu32 " stands behind bucket %" PRIu32
                                ", but its pieces come first: the numbers of buckets must say "
                                "nothing but what they hold",
                                b + 1, b);
    }
}

static covey_status check_order(covey_problems *problems, const covey_opened *o, const covey_opened_slices *s,
                                const covey_run *run, covey_error *err)
{
    atomic_bool in_doubt = o->n_classes == 1; /* blocks have two buckets or more */
    struct checking x = {.o = o, .s = s, .in_doubt = &in_doubt};

    COVEY_TRY(covey_i_order_in_pieces(problems, o->class_start, o->n_classes, find_doubts, &x, run, err));
    if (!in_doubt)
        return COVEY_OK;
    for (size_t i = 0; i < s->n; i++) {
        x.slice = &s->slice[i];
        COVEY_TRY(covey_i_order_in_pieces(problems, o->class_start, o->n_classes, check_pieces, &x, run, err));
    }
    return covey_i_order_in_pieces(problems, o->class_start, o->n_classes, check_buckets, &x, run, err);
}

/* --- copies --- */

/* The attributes that two columns share: where they stand in each. */
struct shared {
    const covey_opened_slice *slice[2];
    size_t n, *at[2];
};

struct tuples {
    const struct shared *shared;
    int side;
};

static int compare_tuples(const void *a, const void *b, void *context)
{
    const struct tuples *t = context;
    const covey_opened_slice *slice = t->shared->slice[t->side];

    for (size_t i = 0; i < t->shared->n; i++) {
        const uint32_t p = covey_i_slice_code(slice, t->shared->at[t->side][i], *(const uint32_t *)a);
        const uint32_t q = covey_i_slice_code(slice, t->shared->at[t->side][i], *(const uint32_t *)b);

        if (p != q)
            return p < q ? -1 : 1;
    }
    return 0;
}

/* In every bucket both columns hold the same values of what they share, each as often. */
static bool copies_agree(const struct shared *shared, const covey_opened *o, uint32_t *line[2])
{
    struct tuples side[2] = {{shared, 0}, {shared, 1}};

    for (uint32_t b = 0; b < o->n_classes; b++) {
        const uint32_t first = o->class_start[b], n = o->class_start[b + 1] - first;

        for (int s = 0; s < 2; s++) {
            for (uint32_t i = 0; i < n; i++)
                line[s][i] = first + i;
            qsort_r(line[s], n, sizeof *line[s], compare_tuples, &side[s]);
        }
        for (uint32_t i = 0; i < n; i++)
            for (size_t a = 0; a < shared->n; a++)
                if (covey_i_slice_code(shared->slice[0], shared->at[0][a], line[0][i]) !=
                    covey_i_slice_code(shared->slice[1], shared->at[1][a], line[1][i]))
                    return false;
    }
    return true;
}

static covey_status check_copies(covey_problems *problems, const covey_opened *o, const covey_opened_slices *s,
                                 covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    uint32_t *line[2] = {covey_arena_array(&arena, uint32_t, o->n_rows),
                         covey_arena_array(&arena, uint32_t, o->n_rows)};
    struct shared shared = {
        .at = {covey_arena_array(&arena, size_t, o->n_columns), covey_arena_array(&arena, size_t, o->n_columns)}};
    covey_status status = COVEY_OK;

    if (!line[0] || !line[1] || !shared.at[0] || !shared.at[1])
        status = covey_i_no_memory(err);
    for (size_t i = 0; i < s->n && status == COVEY_OK; i++)
        for (size_t j = 0; j < i; j++) {
            shared.slice[0] = &s->slice[i];
            shared.slice[1] = &s->slice[j];
            shared.n = 0;
            for (size_t a = 0; a < s->slice[i].n; a++)
                for (size_t b = 0; b < s->slice[j].n; b++)
                    if (s->slice[i].attribute[a] == s->slice[j].attribute[b]) {
                        shared.at[0][shared.n] = a;
                        shared.at[1][shared.n++] = b;
                    }
            if (shared.n > 0 && !copies_agree(&shared, o, line))
                covey_i_problem(problems, "%s and %s share attributes, but not with the same values in every bucket",
                                s->slice[j].table->file, s->slice[i].table->file);
        }
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_slices_check(covey_problems *problems, const covey_opened *o, const covey_opened_slices *s,
                                  const covey_run *run, covey_error *err)
{
    COVEY_TRY(check_order(problems, o, s, run, err));
    return check_copies(problems, o, s, err);
}
