/* See row_runs.h.  The codes of several columns are packed into one number per row of the table, which reads each column in order; only these
 * numbers are then fetched in the order of the rows. */
#include "method/row_runs.h"

#include <string.h>

#include "base/alloc.h"
#include "base/threads.h"

enum { CHUNK_ROWS = 1 << 15, BLOCK = 1024, WORD_BITS = 32 };
enum { RUN = 1, GROUP = 2 }; /* begins here */

struct finding {
    const covey_column *const *columns; /* that are packed together */
    size_t n_columns;
    int inner_bits;    /* the lowest bits of a packed number, which do not tell groups apart */
    uint32_t n_table_rows;
    const uint32_t *rows;
    uint32_t n;
    uint32_t *packed;  /* [n_table_rows] */
    uint8_t *begins;   /* [n] RUN, GROUP */
    struct begun {
        uint32_t runs, groups;
    } *begun;          /* [chunks] that begin in a chunk; then those that begin before it */
    covey_row_runs *runs;
};

static size_t n_chunks(uint32_t n)
{
    return ((size_t)n + CHUNK_ROWS - 1) / CHUNK_ROWS;
}

static uint32_t chunk_end(uint32_t n, size_t chunk)
{
    return n - (uint32_t)chunk * CHUNK_ROWS < CHUNK_ROWS ? n : (uint32_t)(chunk + 1) * CHUNK_ROWS;
}

static int bits_of(const covey_column *column)
{
    int bits = 0;

    while (bits < WORD_BITS && (uint64_t)1 << bits < column->n_values)
        bits++;
    return bits;
}

#define DEFINE_APPEND(name, type)                                                                                                          \
    static void name(uint32_t *restrict packed, const type *restrict codes, uint32_t n, int bits)                                          \
    {                                                                                                                                      \
        for (uint32_t i = 0; i < n; i++)                                                                                                   \
            packed[i] = (uint32_t)((uint64_t)packed[i] << bits) | codes[i];                                                                \
    }

DEFINE_APPEND(append_u8, uint8_t)
DEFINE_APPEND(append_u16, uint16_t)
DEFINE_APPEND(append_u32, uint32_t)

static void append(uint32_t *packed, const covey_column *column, uint32_t start, uint32_t n)
{
    if (column->width == 1)
        append_u8(packed, (const uint8_t *)column->codes + start, n, bits_of(column));
    else if (column->width == 2)
        append_u16(packed, (const uint16_t *)column->codes + start, n, bits_of(column));
    else
        append_u32(packed, (const uint32_t *)column->codes + start, n, bits_of(column));
}

static covey_status pack_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct finding *f = context;
    const uint32_t end = chunk_end(f->n_table_rows, chunk);

    for (uint32_t start = (uint32_t)chunk * CHUNK_ROWS; start < end; start += BLOCK) {
        const uint32_t n = end - start < BLOCK ? end - start : BLOCK;

        memset(f->packed + start, 0, n * sizeof *f->packed);
        for (size_t c = 0; c < f->n_columns; c++)
            append(f->packed + start, f->columns[c], start, n);
    }
    return COVEY_OK;
}

/* A row begins a run if its number is not the one of the row before. */
static covey_status compare_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct finding *f = context;
    const uint32_t start = (uint32_t)chunk * CHUNK_ROWS, end = chunk_end(f->n, chunk);
    uint32_t last = f->packed[f->rows[start > 0 ? start - 1 : 0]];

    for (uint32_t i = start; i < end; i++) {
        const uint32_t packed = f->packed[f->rows[i]];
        const uint64_t difference = packed ^ last;

        f->begins[i] |= (uint8_t)((difference > 0 ? RUN : 0) | (difference >> f->inner_bits > 0 ? GROUP : 0));
        last = packed;
    }
    return COVEY_OK;
}

static covey_status count_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct finding *f = context;
    const uint32_t end = chunk_end(f->n, chunk);
    struct begun begun = {0, 0};

    for (uint32_t i = (uint32_t)chunk * CHUNK_ROWS; i < end; i++) {
        begun.runs += (f->begins[i] & RUN) > 0;
        begun.groups += (f->begins[i] & GROUP) > 0;
    }
    f->begun[chunk] = begun;
    return COVEY_OK;
}

static covey_status list_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct finding *f = context;
    const uint32_t end = chunk_end(f->n, chunk);
    struct begun at = f->begun[chunk];

    for (uint32_t i = (uint32_t)chunk * CHUNK_ROWS; i < end; i++) {
        if (f->begins[i] & GROUP)
            f->runs->group[at.groups++] = at.runs;
        if (f->begins[i] & RUN)
            f->runs->start[at.runs++] = i;
    }
    return COVEY_OK;
}

/* Marks where rows differ in some column; as many columns at a time as a number holds. */
static covey_status find_begins(struct finding *f, const covey_column *const *columns, size_t n_outer, size_t n_columns, int n_threads,
                                covey_error *err)
{
    for (size_t first = 0, end; first < n_columns; first = end) {
        int bits = 0;

        f->inner_bits = 0;
        for (end = first; end < n_columns && (end == first || bits + bits_of(columns[end]) <= WORD_BITS); end++) {
            bits += bits_of(columns[end]);
            f->inner_bits += end < n_outer ? 0 : bits_of(columns[end]);
        }
        f->columns = columns + first;
        f->n_columns = end - first;
        COVEY_TRY(covey_i_parallel(n_threads, n_chunks(f->n_table_rows), pack_chunk, f, err));
        COVEY_TRY(covey_i_parallel(n_threads, n_chunks(f->n), compare_chunk, f, err));
    }
    f->begins[0] = RUN | GROUP;
    return covey_i_parallel(n_threads, n_chunks(f->n), count_chunk, f, err);
}

/* Lists what begins where. */
static covey_status list(struct finding *f, covey_arena *arena, int n_threads, covey_error *err)
{
    struct begun sum = {0, 0};

    for (size_t chunk = 0; chunk < n_chunks(f->n); chunk++) {
        const struct begun begun = f->begun[chunk];

        f->begun[chunk] = sum;
        sum.runs += begun.runs;
        sum.groups += begun.groups;
    }
    *f->runs = (covey_row_runs){sum.runs, sum.groups, covey_arena_array(arena, uint32_t, (size_t)sum.runs + 1),
                                covey_arena_array(arena, uint32_t, (size_t)sum.groups + 1)};
    if (!f->runs->start || !f->runs->group)
        return covey_fail(err, COVEY_ENOMEM, "%u runs of equal rows", sum.runs);
    f->runs->start[sum.runs] = f->n;
    f->runs->group[sum.groups] = sum.runs;
    return covey_i_parallel(n_threads, n_chunks(f->n), list_chunk, f, err);
}

covey_status covey_i_row_runs_new(covey_row_runs *runs, const covey_column *const *columns, size_t n_outer, size_t n_columns,
                                  uint32_t n_table_rows, const uint32_t *rows, uint32_t n, covey_arena *arena, const covey_run *run,
                                  covey_error *err)
{
    const int n_threads = covey_run_threads(run);
    struct finding f = {.n_table_rows = n_table_rows, .rows = rows, .n = n, .packed = covey_i_array_full(n_table_rows, sizeof *f.packed),
                        .begins = covey_i_array_zero(n, sizeof *f.begins), .begun = covey_i_array(n_chunks(n), sizeof *f.begun), .runs = runs};
    covey_status status = COVEY_OK;

    if (!f.packed || !f.begins || !f.begun)
        status = covey_fail(err, COVEY_ENOMEM, "runs of %u rows", n);
    if (status == COVEY_OK && n > 0)
        status = find_begins(&f, columns, n_outer, n_columns, n_threads, err);
    if (status == COVEY_OK)
        status = list(&f, arena, n_threads, err);
    covey_i_free(f.packed);
    covey_i_free(f.begins);
    covey_i_free(f.begun);
    return status;
}
