/* Finding runs.  Where rows are not packed already, the codes of several columns are packed into one number per row
 * of the table, which reads each column in order; only these numbers are then fetched in the order of the rows. */
#include "method/rows/row_runs.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/threads.h"
#include "table/table_impl.h"

enum { CHUNK_ROWS = 1 << 15, BLOCK = 1024, WORD_BITS = 32 };
enum { RUN = 1, GROUP = 2 }; /* begins here */

struct finding {
    const covey_problem *problem;
    const covey_sorted_rows *sorted;
    uint8_t *begins; /* [n] RUN, GROUP */
    struct begun {
        uint32_t runs, groups;
    } * begun; /* [chunks + 1] that begin in a chunk; then those that begin before it */
    covey_row_runs *runs;
    uint64_t n_inner;                   /* of sorted->packed: rows with equal packed / n_inner are a run */
    const covey_column *const *columns; /* that are packed together here */
    size_t n_columns;
    int inner_bits;   /* the lowest bits of a packed number, which do not tell groups apart */
    uint32_t *packed; /* [problem->n_rows] */
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

static void append(uint32_t *packed, const covey_column *column, uint32_t start, uint32_t n)
{
    const void *codes = column->codes;
    const int width = column->width, bits = bits_of(column);

    for (uint32_t i = 0; i < n; i++)
        packed[i] = (uint32_t)((uint64_t)packed[i] << bits) | covey_i_codes_get(codes, width, start + i);
}

static covey_status pack_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct finding *f = context;
    const uint32_t end = chunk_end(f->problem->n_rows, chunk);

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
    const uint32_t start = (uint32_t)chunk * CHUNK_ROWS, end = chunk_end(f->sorted->n, chunk);
    uint32_t last = f->packed[f->sorted->rows[start > 0 ? start - 1 : 0]];

    for (uint32_t i = start; i < end; i++) {
        const uint32_t packed = f->packed[f->sorted->rows[i]];
        const uint64_t difference = packed ^ last;

        f->begins[i] |= (uint8_t)((difference > 0 ? RUN : 0) | (difference >> f->inner_bits > 0 ? GROUP : 0));
        last = packed;
    }
    return COVEY_OK;
}

/* 2^64 / n, rounded up; 0 stands for 2^64. */
static uint64_t reciprocal(uint64_t n)
{
    return UINT64_MAX / n + 1;
}

/* Exact for numbers of 32 bits: Lemire, Kaser and Kurz, "Faster remainder by direct computation", 2019. */
static uint32_t quotient(uint32_t number, uint64_t per_divisor)
{
    return per_divisor ? (uint32_t)((covey_u128)number * per_divisor >> 64) : number;
}

/* The same of numbers that are there already, in the order of the rows.  Without a branch: mostly nobody knows which
 * row begins something. */
static covey_status compare_packed(void *context, size_t chunk, covey_error *err)
{
    const struct finding *f = context;
    const uint32_t *packed = f->sorted->packed;
    const uint32_t start = (uint32_t)chunk * CHUNK_ROWS, end = chunk_end(f->sorted->n, chunk),
                   before = packed[start > 0 ? start - 1 : 0];
    const uint64_t per_inner = reciprocal(f->n_inner), per_content = reciprocal(f->sorted->n_contents);
    uint32_t last_run = quotient(before, per_inner), last_group = quotient(before, per_content);

    for (uint32_t i = start; i < end; i++) {
        const uint32_t run = quotient(packed[i], per_inner), group = quotient(packed[i], per_content);

        f->begins[i] = (uint8_t)((run != last_run) * RUN | (group != last_group) * GROUP);
        last_run = run;
        last_group = group;
    }
    return COVEY_OK;
}

static covey_status count_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct finding *f = context;
    const uint32_t end = chunk_end(f->sorted->n, chunk);
    struct begun begun = {0, 0};

    for (uint32_t i = (uint32_t)chunk * CHUNK_ROWS; i < end; i++) {
        begun.runs += (f->begins[i] & RUN) > 0;
        begun.groups += (f->begins[i] & GROUP) > 0;
    }
    f->begun[chunk] = begun;
    return COVEY_OK;
}

/* Without a branch, and no further than to the last that begins: what follows belongs to the next chunk. */
static covey_status list_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct finding *f = context;
    const uint32_t first = (uint32_t)chunk * CHUNK_ROWS;
    const struct begun end = f->begun[chunk + 1];
    struct begun at = f->begun[chunk];

    for (uint32_t i = first, runs = at.runs; f->runs->group && at.groups < end.groups; i++) {
        f->runs->group[at.groups] = runs;
        at.groups += (f->begins[i] & GROUP) > 0;
        runs += (f->begins[i] & RUN) > 0;
    }
    for (uint32_t i = first; at.runs < end.runs; i++) {
        f->runs->start[at.runs] = i;
        at.runs += (f->begins[i] & RUN) > 0;
    }
    return COVEY_OK;
}

/* How many numbers in a row differ in fields alone that are neither quasi-identifiers nor wanted. */
static uint64_t n_unwanted(const covey_problem *problem, const covey_column *const *columns, size_t n_columns)
{
    uint64_t n = 1;
    covey_digit digit;

    for (size_t c = 0; c < n_columns; c++)
        if (!covey_i_problem_digit(&digit, problem, columns[c]))
            return 1; /* it follows from the fields together */
    for (size_t f = problem->n_fields; f-- > 0;) {
        if (problem->field[f].role == COVEY_ROLE_QUASI)
            continue;
        for (size_t c = 0; c < n_columns; c++)
            if (columns[c] == problem->field[f].column)
                return n;
        n *= problem->field[f].column->n_values;
    }
    return n;
}

/* Marks where rows differ in some column; as many columns at a time as a number holds. */
static covey_status find_unpacked(struct finding *f, const covey_column *const *columns, size_t n_columns,
                                  int n_threads, covey_error *err)
{
    for (size_t first = 0, end; first < n_columns; first = end) {
        int bits = 0;

        f->inner_bits = 0;
        for (end = first; end < n_columns && (end == first || bits + bits_of(columns[end]) <= WORD_BITS); end++) {
            bits += bits_of(columns[end]);
            f->inner_bits += end < f->problem->n_axes ? 0 : bits_of(columns[end]);
        }
        f->columns = columns + first;
        f->n_columns = end - first;
        COVEY_TRY(covey_i_parallel(n_threads, n_chunks(f->problem->n_rows), pack_chunk, f, err));
        COVEY_TRY(covey_i_parallel(n_threads, n_chunks(f->sorted->n), compare_chunk, f, err));
    }
    return COVEY_OK;
}

static covey_status find_begins(struct finding *f, const covey_column *const *columns, size_t n_columns, int n_threads,
                                covey_error *err)
{
    const size_t n_axes = f->problem->n_axes;
    const covey_column **all = NULL;
    covey_status status = COVEY_OK;

    if (f->sorted->packed) {
        f->n_inner = n_unwanted(f->problem, columns, n_columns);
        COVEY_TRY(covey_i_parallel(n_threads, n_chunks(f->sorted->n), compare_packed, f, err));
    } else {
        all = covey_i_array(n_axes + n_columns, sizeof *all);
        f->packed = covey_i_array_full(f->problem->n_rows, sizeof *f->packed);
        if (!all || !f->packed)
            status = covey_i_no_memory(err);
        for (size_t c = 0; status == COVEY_OK && c < n_axes + n_columns; c++)
            all[c] = c < n_axes ? f->problem->axis[c].column : columns[c - n_axes];
        if (status == COVEY_OK)
            status = find_unpacked(f, all, n_axes + n_columns, n_threads, err);
        covey_i_free(all);
        COVEY_TRY(status);
    }
    f->begins[0] = RUN | GROUP;
    return covey_i_parallel(n_threads, n_chunks(f->sorted->n), count_chunk, f, err);
}

/* Lists what begins where. */
static covey_status list(struct finding *f, bool with_groups, covey_arena *arena, int n_threads, covey_error *err)
{
    struct begun sum = {0, 0};

    for (size_t chunk = 0; chunk < n_chunks(f->sorted->n); chunk++) {
        const struct begun begun = f->begun[chunk];

        f->begun[chunk] = sum;
        sum.runs += begun.runs;
        sum.groups += begun.groups;
    }
    *f->runs = (covey_row_runs){sum.runs, sum.groups, covey_arena_array(arena, uint32_t, (size_t)sum.runs + 1), NULL};
    if (with_groups)
        f->runs->group = covey_arena_array(arena, uint32_t, (size_t)sum.groups + 1);
    if (!f->runs->start || (with_groups && !f->runs->group))
        return covey_i_no_memory(err);
    f->begun[n_chunks(f->sorted->n)] = sum;
    f->runs->start[sum.runs] = f->sorted->n;
    if (with_groups)
        f->runs->group[sum.groups] = sum.runs;
    return covey_i_parallel(n_threads, n_chunks(f->sorted->n), list_chunk, f, err);
}

covey_status covey_i_row_runs_new(covey_row_runs *runs, const covey_problem *problem, const covey_sorted_rows *sorted,
                                  const covey_column *const *columns, size_t n_columns, covey_arena *arena,
                                  const covey_run *run, covey_error *err)
{
    const int n_threads = covey_run_threads(run);
    struct finding f = {.problem = problem,
                        .sorted = sorted,
                        .begins = covey_i_array_zero(sorted->n, sizeof *f.begins),
                        .begun = covey_i_array(n_chunks(sorted->n) + 1, sizeof *f.begun),
                        .runs = runs};
    covey_status status = COVEY_OK;

    if (!f.begins || !f.begun)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK && sorted->n > 0)
        status = find_begins(&f, columns, n_columns, n_threads, err);
    if (status == COVEY_OK)
        status = list(&f, n_columns > 0, arena, n_threads, err);
    covey_i_free(f.packed);
    covey_i_free(f.begins);
    covey_i_free(f.begun);
    return status;
}

covey_status covey_i_row_runs_single(covey_row_runs *runs, uint32_t n, covey_arena *arena, covey_error *err)
{
    *runs = (covey_row_runs){n, n, covey_arena_array(arena, uint32_t, (size_t)n + 1), NULL};
    if (!runs->start)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i <= n; i++)
        runs->start[i] = i;
    return COVEY_OK;
}

covey_row_codes covey_i_row_codes(const covey_problem *problem, const covey_sorted_rows *sorted,
                                  const covey_column *column)
{
    covey_row_codes codes = {.column = column, .sorted = sorted};
    covey_digit digit;

    if (!sorted->packed || !covey_i_problem_digit(&digit, problem, column) || digit.stride > UINT32_MAX)
        return codes;
    codes.is_packed = true;
    codes.n_values = digit.n_values;
    codes.per_stride = reciprocal(digit.stride);
    codes.per_value = reciprocal(digit.n_values);
    return codes;
}

/* As exact. */
static uint32_t remainder_of(uint32_t number, uint32_t divisor, uint64_t per_divisor)
{
    return per_divisor ? (uint32_t)((covey_u128)(number * per_divisor) * divisor >> 64) : 0;
}

void covey_i_row_codes_at(uint32_t *out, const covey_row_codes *codes, const uint32_t *at, uint32_t n)
{
    if (codes->is_packed)
        for (uint32_t i = 0; i < n; i++)
            out[i] = remainder_of(quotient(codes->sorted->packed[at[i]], codes->per_stride), codes->n_values,
                                  codes->per_value);
    else
        for (uint32_t i = 0; i < n; i++)
            out[i] = covey_i_code(codes->column, codes->sorted->rows[at[i]]);
}

void covey_i_row_codes_copy(void *to, uint32_t first, const covey_row_codes *codes, const uint32_t *at, uint32_t n)
{
    const int width = codes->column->width;
    uint32_t code[BLOCK], place[BLOCK];

    for (uint32_t done = 0, some; done < n; done += some) {
        some = n - done < BLOCK ? n - done : BLOCK;
        for (uint32_t i = 0; i < some && !at; i++)
            place[i] = first + done + i;
        covey_i_row_codes_at(code, codes, at ? at + done : place, some);
        covey_i_codes_pack(covey_i_codes_from(to, width, first + done), width, code, some);
    }
}
