/* Sets of rows as bits. */
#include "query/perturbed/bit_index.h"

#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "table/table_impl.h"

enum { MOST_CELLS = 256 };
static const size_t MOST_BYTES = (size_t)256 << 20;

static covey_status order_codes(covey_bit_column *out, const covey_bit_source *source, covey_arena *arena,
                                covey_error *err)
{
    uint32_t n = source->column->n_values, *order = covey_arena_array(arena, uint32_t, n),
             *scratch = covey_arena_array(arena, uint32_t, n);

    if (!order || !scratch)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    if (source->rank)
        covey_i_sort_rows_u32(order, scratch, n, source->rank);
    out->n = n;
    out->place = order;
    return COVEY_OK;
}

static covey_status index_column(covey_bit_column *out, const covey_bit_source *source, const covey_bit_index *index,
                                 covey_arena *arena, covey_error *err)
{
    uint32_t place_of[MOST_CELLS];

    COVEY_TRY(order_codes(out, source, arena, err));
    if (!(out->upto = covey_arena_array(arena, uint64_t *, out->n)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < out->n; i++) {
        place_of[out->place[i]] = i;
        if (i + 1 < out->n && !(out->upto[i] = covey_arena_array_zero(arena, uint64_t, index->n_words)))
            return covey_i_no_memory(err);
    }
    for (uint32_t row = 0; row < index->n_rows; row++) {
        uint32_t place = place_of[covey_i_code(source->column, row)];

        if (place + 1 < out->n)
            out->upto[place][row / 64] |= UINT64_C(1) << row % 64;
    }
    for (uint32_t i = 1; i + 1 < out->n; i++)
        for (uint32_t w = 0; w < index->n_words; w++)
            out->upto[i][w] |= out->upto[i - 1][w];
    return COVEY_OK;
}

covey_status covey_i_bit_index_make(covey_bit_index *out, const covey_bit_source *source, size_t n_columns,
                                    uint32_t n_rows, covey_arena *arena, covey_error *err)
{
    covey_bit_index index = {.n_rows = n_rows, .n_words = n_rows / 64 + (n_rows % 64 > 0)};
    size_t left = MOST_BYTES;

    if (!(index.column = covey_arena_array_zero(arena, covey_bit_column, n_columns)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n_columns; i++) {
        size_t need = source[i].column ? (size_t)source[i].column->n_values * index.n_words * sizeof(uint64_t) : 0;

        if (!source[i].column || source[i].column->n_values > MOST_CELLS || need > left)
            continue;
        left -= need;
        COVEY_TRY(index_column(&index.column[i], &source[i], &index, arena, err));
    }
    *out = index;
    return COVEY_OK;
}

/* Bits of one run; at the ends there is nothing to take away. */
static uint64_t run_word(const covey_bit_column *column, covey_bit_run run, uint32_t word)
{
    uint64_t bits = run.last + 1 < column->n ? column->upto[run.last][word] : ~UINT64_C(0);

    return run.first > 0 ? bits & ~column->upto[run.first - 1][word] : bits;
}

static void one_run(uint64_t *rows, const covey_bit_column *column, covey_bit_run run, uint32_t first, uint32_t n)
{
    if (run.last + 1 < column->n)
        for (uint32_t i = 0; i < n; i++)
            rows[i] &= column->upto[run.last][first + i];
    if (run.first > 0)
        for (uint32_t i = 0; i < n; i++)
            rows[i] &= ~column->upto[run.first - 1][first + i];
}

void covey_i_bit_all(uint64_t *rows, const covey_bit_index *index, uint32_t first, uint32_t n)
{
    if (n == 0)
        return;
    memset(rows, 0xff, n * sizeof *rows);
    if (first + n == index->n_words && index->n_rows % 64 > 0)
        rows[n - 1] = (UINT64_C(1) << index->n_rows % 64) - 1;
}

void covey_i_bit_keep(uint64_t *rows, const covey_bit_test *test, uint32_t first, uint32_t n)
{
    if (test->n_runs == 1) {
        one_run(rows, test->column, test->run[0], first, n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t any = 0;

        for (uint32_t r = 0; r < test->n_runs && rows[i]; r++)
            any |= run_word(test->column, test->run[r], first + i);
        rows[i] &= any;
    }
}

/* A compiler that does not know the processor calls a function for each word, which costs as much as the tests. */
static inline int64_t add_up(const uint64_t *rows, uint32_t n)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += __builtin_popcountll(rows[i]);
    return sum;
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) static int64_t add_up_at_once(const uint64_t *rows, uint32_t n)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += __builtin_popcountll(rows[i]);
    return sum;
}
#endif

int64_t covey_i_bit_count(const uint64_t *rows, uint32_t n)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("popcnt"))
        return add_up_at_once(rows, n);
#endif
    return add_up(rows, n);
}
