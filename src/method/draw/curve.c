/* The rows in the order of the Hilbert curve.  Rows come sorted by their codes, so those of one cell stand together:
 * the curve is computed and sorted by cell, and the rows of a cell follow as they stand.  No key is computed twice, and
 * none in vain. Source: [CaoKarras12] section 4.5; coordinates as in docs/design/burel.md. */
#include "method/draw/draw.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/sort/hilbert.h"
#include "base/sort/keys.h"
#include "base/threads.h"

enum { CHUNK = 1 << 13, BLOCK = 1024, KEY_BITS = 128, WORD_BITS = 16 };

uint64_t covey_i_draw_places(const covey_axis *axis)
{
    const uint64_t for_null = axis->column->has_null;

    if (axis->kind != COVEY_AXIS_RANGE)
        return axis->n_values ? axis->n_values : 1;
    return (uint64_t)(axis->domain_high - axis->domain_low) + 1 + for_null;
}

uint64_t covey_i_draw_place(const covey_axis *axis, uint32_t code)
{
    const uint64_t for_null = axis->column->has_null, last = covey_i_draw_places(axis) - 1;
    int64_t number;
    covey_u128 place;

    if (axis->kind != COVEY_AXIS_RANGE)
        return code;
    if (for_null && code == 0)
        return 0;
    number = axis->column->number[code];
    place = (number <= axis->domain_low ? 0 : (covey_u128)((covey_i128)number - axis->domain_low)) + for_null;
    return place < last ? (uint64_t)place : last;
}

int covey_i_draw_bits(const covey_problem *problem)
{
    const int most = problem->n_axes < KEY_BITS ? KEY_BITS / (int)problem->n_axes : 1;
    int bits = 1;

    for (size_t a = 0; a < problem->n_axes; a++)
        while (bits < COVEY_HILBERT_MOST_BITS && (covey_i_draw_places(&problem->axis[a]) - 1) >> bits > 0)
            bits++;
    return bits < most ? bits : most;
}

void covey_i_draw_coordinates(uint16_t *coordinate, const covey_axis *axis, int n_bits)
{
    const covey_u128 last_place = covey_i_draw_places(axis) - 1, last_cell = ((covey_u128)1 << n_bits) - 1;

    for (uint32_t code = 0; code < axis->n_values; code++)
        coordinate[code] = last_place == 0 ? 0 : (uint16_t)(covey_i_draw_place(axis, code) * last_cell / last_place);
}

struct valuing {
    covey_draw_rows *rows;
    covey_row_codes codes;
};

static covey_status find_values(void *context, size_t chunk, covey_error *err)
{
    const struct valuing *v = context;
    const covey_row_runs *runs = &v->rows->runs;
    const uint32_t start = (uint32_t)chunk * CHUNK, n = runs->n - start < CHUNK ? runs->n - start : CHUNK;

    covey_i_row_codes_at(v->rows->value + start, &v->codes, runs->start + start, n);
    return COVEY_OK;
}

covey_status covey_i_draw_rows_new(covey_draw_rows *out, const covey_problem *problem, const covey_column *sensitive,
                                   const covey_sorted_rows *sorted, covey_arena *arena, const covey_run *run,
                                   covey_error *err)
{
    struct valuing valuing = {out, covey_i_row_codes(problem, sorted, sensitive)};

    *out = (covey_draw_rows){.n = sorted->n, .row = sorted->rows};
    COVEY_TRY(covey_i_row_runs_new(&out->runs, problem, sorted, &sensitive, 1, arena, run, err));
    if (!(out->value = covey_arena_array(arena, uint32_t, out->runs.n)))
        return covey_i_no_memory(err);
    return covey_i_parallel(covey_run_threads(run), ((size_t)out->runs.n + CHUNK - 1) / CHUNK, find_values, &valuing,
                            err);
}

struct coding {
    covey_draw_rows *rows;
    covey_row_codes *codes; /* [n_axes] */
    size_t n_axes;
};

static covey_status find_codes(void *context, size_t chunk, covey_error *err)
{
    const struct coding *c = context;
    const covey_draw_rows *rows = c->rows;
    const uint32_t first = (uint32_t)chunk * CHUNK,
                   end = rows->runs.n_groups - first < CHUNK ? rows->runs.n_groups : first + CHUNK;
    uint32_t at[BLOCK], code[BLOCK];

    for (uint32_t start = first; start < end; start += BLOCK) {
        const uint32_t n = end - start < BLOCK ? end - start : BLOCK;

        for (uint32_t i = 0; i < n; i++)
            at[i] = rows->runs.start[rows->runs.group[start + i]];
        memset(rows->code + start * rows->stride, 0, n * rows->stride * sizeof *rows->code);
        for (size_t a = 0; a < c->n_axes; a++) {
            covey_i_row_codes_at(code, &c->codes[a], at, n);
            for (uint32_t i = 0; i < n; i++)
                rows->code[(start + i) * rows->stride + a] = code[i];
        }
    }
    return COVEY_OK;
}

covey_status covey_i_draw_rows_find_codes(covey_draw_rows *rows, const covey_problem *problem,
                                          const covey_sorted_rows *sorted, covey_arena *arena, const covey_run *run,
                                          covey_error *err)
{
    struct coding c = {rows, covey_arena_array(arena, covey_row_codes, problem->n_axes), problem->n_axes};

    rows->stride = (problem->n_axes + COVEY_DRAW_CODES - 1) / COVEY_DRAW_CODES * COVEY_DRAW_CODES;
    rows->code = covey_arena_array(arena, uint32_t, rows->runs.n_groups * rows->stride);
    if (!c.codes || !rows->code)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++)
        c.codes[a] = covey_i_row_codes(problem, sorted, problem->axis[a].column);
    return covey_i_parallel(covey_run_threads(run), ((size_t)rows->runs.n_groups + CHUNK - 1) / CHUNK, find_codes, &c,
                            err);
}

struct building {
    covey_draw_curve *curve;
    const covey_problem *problem;
    size_t n_axes; /* that the curve runs through */
    int n_bits;
    uint16_t **place;      /* [n_axes][codes] */
    uint16_t **coordinate; /* [n_axes][n_cells] */
    uint32_t *row;         /* [n_cells] a row of each group, where their codes are not known */
    covey_u128 *key;       /* [n_cells] of each group */
    int n_words;
    uint16_t *word; /* [n_words][n_cells] the keys in pieces, the first most significant */
};

static void place_rows(uint16_t *restrict coordinate, const uint32_t *row, uint32_t n, const covey_column *column,
                       const uint16_t *place)
{
    const void *codes = column->codes;
    const int width = column->width;

    for (uint32_t c = 0; c < n; c++)
        coordinate[c] = place[covey_i_codes_get(codes, width, row[c])];
}

static covey_status find_keys(void *context, size_t chunk, covey_error *err)
{
    const struct building *b = context;
    const covey_draw_rows *rows = b->curve->rows;
    const uint32_t start = (uint32_t)chunk * CHUNK;
    const uint32_t n = b->curve->n_cells - start < CHUNK ? b->curve->n_cells - start : CHUNK;
    uint16_t *coordinate[KEY_BITS];

    for (uint32_t c = start; c < start + n && !rows->code; c++)
        b->row[c] = rows->row[rows->runs.start[rows->runs.group[c]]];
    for (size_t a = 0; a < b->n_axes; a++) {
        const covey_column *column = b->problem->axis[a].column;

        coordinate[a] = b->coordinate[a] + start;
        if (rows->code)
            for (uint32_t c = 0; c < n; c++)
                coordinate[a][c] = b->place[a][rows->code[(start + c) * rows->stride + a]];
        else
            place_rows(coordinate[a], b->row + start, n, column, b->place[a]);
    }
    covey_i_hilbert_keys(b->key + start, coordinate, b->n_axes, b->n_bits, n);
    for (int w = 0; w < b->n_words; w++)
        for (uint32_t c = start; c < start + n; c++)
            b->word[(size_t)w * b->curve->n_cells + c] = (uint16_t)(b->key[c] >> ((b->n_words - 1 - w) * WORD_BITS));
    return COVEY_OK;
}

/* Groups by key. */
static covey_status sort_cells(const struct building *b, const covey_run *run, covey_error *err)
{
    const size_t n = b->curve->n_cells;
    const int first_bits = (int)b->n_axes * b->n_bits - (b->n_words - 1) * WORD_BITS;
    covey_sort_key words[KEY_BITS / WORD_BITS];

    for (int w = 0; w < b->n_words; w++)
        words[w] = (covey_sort_key){.codes = b->word + (size_t)w * n,
                                    .width = sizeof *b->word,
                                    .n_values = (uint32_t)1 << (w == 0 ? first_bits : WORD_BITS)};
    return covey_i_keys_sort_rows(b->curve->cell, NULL, n, words, (size_t)b->n_words, run, err);
}

static covey_status new_coordinates(struct building *b, covey_arena *arena, covey_error *err)
{
    b->n_axes = b->problem->n_axes < KEY_BITS ? b->problem->n_axes : KEY_BITS;
    b->n_bits = covey_i_draw_bits(b->problem);
    b->place = covey_arena_array_zero(arena, uint16_t *, b->n_axes);
    b->coordinate = covey_arena_array_zero(arena, uint16_t *, b->n_axes);
    for (size_t a = 0; b->place && b->coordinate && a < b->n_axes; a++) {
        b->place[a] = covey_arena_array(arena, uint16_t, b->problem->axis[a].n_values);
        b->coordinate[a] = covey_arena_array(arena, uint16_t, b->curve->n_cells);
        if (!b->place[a] || !b->coordinate[a])
            break;
        covey_i_draw_coordinates(b->place[a], &b->problem->axis[a], b->n_bits);
    }
    b->row = covey_arena_array(arena, uint32_t, b->curve->n_cells);
    b->key = covey_arena_array(arena, covey_u128, b->curve->n_cells);
    b->n_words = ((int)b->n_axes * b->n_bits + WORD_BITS - 1) / WORD_BITS;
    b->word = covey_arena_array(arena, uint16_t, (size_t)b->curve->n_cells * (size_t)b->n_words);
    if (!b->place || !b->coordinate || !b->place[b->n_axes - 1] || !b->coordinate[b->n_axes - 1] || !b->row ||
        !b->key || !b->word)
        return covey_i_no_memory(err);
    return COVEY_OK;
}

covey_status covey_i_draw_curve_new(covey_draw_curve *curve, const covey_problem *problem, const covey_draw_rows *rows,
                                    bool with_keys, const covey_run *run, covey_error *err)
{
    const uint32_t n_cells = rows->runs.n_groups;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_draw_curve made = {.rows = rows, .n_cells = n_cells, .cell = covey_i_array(n_cells, sizeof *made.cell)};
    struct building b = {.curve = &made, .problem = problem};
    covey_status status;

    if (with_keys)
        made.key = covey_i_array(n_cells, sizeof *made.key);
    if (!made.cell || (with_keys && !made.key)) {
        status = covey_i_no_memory(err);
        goto done;
    }
    if ((status = new_coordinates(&b, &arena, err)) != COVEY_OK ||
        (status = covey_i_parallel(covey_run_threads(run), ((size_t)n_cells + CHUNK - 1) / CHUNK, find_keys, &b,
                                   err)) != COVEY_OK ||
        (status = sort_cells(&b, run, err)) != COVEY_OK)
        goto done;
    for (uint32_t c = 0; c < n_cells && with_keys; c++)
        made.key[c] = b.key[made.cell[c]];
    *curve = made;
    made = (covey_draw_curve){0};
done:
    covey_i_draw_curve_clear(&made);
    covey_arena_free(&arena);
    return status;
}

void covey_i_draw_curve_rows(uint32_t *row, const covey_draw_curve *curve)
{
    const covey_row_runs *runs = &curve->rows->runs;

    for (uint32_t c = 0; c < curve->n_cells; c++) {
        const uint32_t cell = curve->cell[c], first = runs->start[runs->group[cell]],
                       end = runs->start[runs->group[cell + 1]];

        memcpy(row, curve->rows->row + first, (end - first) * sizeof *row);
        row += end - first;
    }
}

void covey_i_draw_curve_clear(covey_draw_curve *curve)
{
    covey_i_free(curve->cell);
    covey_i_free(curve->key);
    *curve = (covey_draw_curve){0};
}
