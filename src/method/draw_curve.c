/* The rows in the order of the Hilbert curve.  Rows come sorted by their codes, so those of one cell stand together: the curve is
 * computed and sorted by cell, and the rows of a cell follow as they stand.  No key is computed twice, and none in vain.
 * Source: [CaoKarras12] section 4.5; coordinates as in docs/design/burel.md. */
#include "method/draw.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hilbert.h"
#include "base/sort_keys.h"
#include "base/threads.h"

enum { CHUNK = 1 << 14, KEY_BITS = 128, WORD_BITS = 16 };

/* Values on the axis' scale, at least 1: numbers count in units, so that gaps count too. */
static uint64_t n_places(const covey_axis *axis)
{
    const uint64_t for_null = axis->column->has_null;

    if (axis->kind != COVEY_AXIS_RANGE)
        return axis->n_values ? axis->n_values : 1;
    return (uint64_t)(axis->domain_high - axis->domain_low) + 1 + for_null;
}

int covey_i_draw_bits(const covey_problem *problem)
{
    const int most = problem->n_axes < KEY_BITS ? KEY_BITS / (int)problem->n_axes : 1;
    int bits = 1;

    for (size_t a = 0; a < problem->n_axes; a++)
        while (bits < COVEY_HILBERT_MOST_BITS && (n_places(&problem->axis[a]) - 1) >> bits > 0)
            bits++;
    return bits < most ? bits : most;
}

/* Every axis is stretched over the whole grid, since losses are relative to the domain.  The missing value, code 0, comes first. */
void covey_i_draw_coordinates(uint16_t *coordinate, const covey_axis *axis, int n_bits)
{
    const covey_u128 last_place = n_places(axis) - 1, last_cell = ((covey_u128)1 << n_bits) - 1;
    const uint64_t for_null = axis->column->has_null;

    for (uint32_t code = 0; code < axis->n_values; code++) {
        covey_u128 place = code;

        if (axis->kind == COVEY_AXIS_RANGE) { /* numbers outside a domain that the policy gives count as its ends */
            const int64_t number = axis->column->number[code];

            place = number <= axis->domain_low ? 0 : (covey_u128)((covey_i128)number - axis->domain_low);
            place = for_null && code == 0 ? 0 : place + for_null;
            place = place < last_place ? place : last_place;
        }
        coordinate[code] = last_place == 0 ? 0 : (uint16_t)(place * last_cell / last_place);
    }
}

struct building {
    covey_draw_curve *curve;
    const covey_problem *problem;
    const uint32_t *rows;     /* as they come */
    uint8_t *is_new;          /* [n] does a cell begin here? */
    size_t n_axes;            /* that the curve runs through */
    int n_bits;
    uint16_t **place;         /* [n_axes][codes] */
    uint16_t **coordinate;    /* [n_axes][n_cells] */
    uint32_t *first;          /* [n_cells] a cell's first row in rows */
    covey_u128 *key;          /* [n_cells] */
};

#define DEFINE_COMPARE(name, type)                                                                                                         \
    static void name(uint8_t *is_new, const uint32_t *rows, uint32_t start, uint32_t end, const type *codes)                               \
    {                                                                                                                                      \
        type previous = codes[rows[start - 1]];                                                                                            \
                                                                                                                                           \
        for (uint32_t i = start; i < end; i++) {                                                                                           \
            const type code = codes[rows[i]];                                                                                              \
                                                                                                                                           \
            is_new[i] |= code != previous;                                                                                                 \
            previous = code;                                                                                                               \
        }                                                                                                                                  \
    }

DEFINE_COMPARE(compare_u8, uint8_t)
DEFINE_COMPARE(compare_u16, uint16_t)
DEFINE_COMPARE(compare_u32, uint32_t)

static covey_status find_cells(void *context, size_t chunk, covey_error *err)
{
    const struct building *b = context;
    const uint32_t start = (uint32_t)chunk * CHUNK, end = b->curve->n - start < CHUNK ? b->curve->n : start + CHUNK;
    const uint32_t second = start > 0 ? start : 1;

    memset(b->is_new + start, 0, end - start);
    if (start == 0)
        b->is_new[0] = 1;
    for (size_t a = 0; second < end && a < b->problem->n_axes; a++) {
        const covey_column *column = b->problem->axis[a].column;

        if (column->width == 1)
            compare_u8(b->is_new, b->rows, second, end, column->codes);
        else if (column->width == 2)
            compare_u16(b->is_new, b->rows, second, end, column->codes);
        else
            compare_u32(b->is_new, b->rows, second, end, column->codes);
    }
    return COVEY_OK;
}

#define DEFINE_PLACE(name, type)                                                                                                           \
    static void name(uint16_t *coordinate, const uint32_t *first, uint32_t n, const uint32_t *rows, const type *codes,                     \
                     const uint16_t *place)                                                                                                \
    {                                                                                                                                      \
        for (uint32_t c = 0; c < n; c++)                                                                                                   \
            coordinate[c] = place[codes[rows[first[c]]]];                                                                                  \
    }

DEFINE_PLACE(place_u8, uint8_t)
DEFINE_PLACE(place_u16, uint16_t)
DEFINE_PLACE(place_u32, uint32_t)

static covey_status find_keys(void *context, size_t chunk, covey_error *err)
{
    const struct building *b = context;
    const uint32_t start = (uint32_t)chunk * CHUNK;
    const uint32_t n = b->curve->n_cells - start < CHUNK ? b->curve->n_cells - start : CHUNK;
    uint16_t *coordinate[KEY_BITS];

    for (size_t a = 0; a < b->n_axes; a++) {
        const covey_column *column = b->problem->axis[a].column;

        coordinate[a] = b->coordinate[a] + start;
        if (column->width == 1)
            place_u8(coordinate[a], b->first + start, n, b->rows, column->codes, b->place[a]);
        else if (column->width == 2)
            place_u16(coordinate[a], b->first + start, n, b->rows, column->codes, b->place[a]);
        else
            place_u32(coordinate[a], b->first + start, n, b->rows, column->codes, b->place[a]);
    }
    covey_i_hilbert_keys(b->key + start, coordinate, b->n_axes, b->n_bits, n);
    return COVEY_OK;
}

/* Cells by key; the words of the keys take the place of the coordinates, which are not needed any more. */
static covey_status sort_cells(uint32_t *order, const struct building *b, const covey_run *run, covey_error *err)
{
    const uint32_t n = b->curve->n_cells;
    const int n_bits = (int)b->n_axes * b->n_bits, n_words = (n_bits + WORD_BITS - 1) / WORD_BITS;
    covey_sort_key words[KEY_BITS / WORD_BITS];
    uint16_t *word = covey_i_array((size_t)n * (size_t)n_words, sizeof *word);
    covey_status status;

    if (!word)
        return covey_fail(err, COVEY_ENOMEM, "order of %u cells", n);
    for (int w = 0; w < n_words; w++) {
        const int shift = (n_words - 1 - w) * WORD_BITS;

        for (uint32_t c = 0; c < n; c++)
            word[(size_t)w * n + c] = (uint16_t)(b->key[c] >> shift);
        words[w] = (covey_sort_key){.codes = word + (size_t)w * n, .width = sizeof *word, .n_values = w == 0 ? (uint32_t)1 << (n_bits - shift) : 1 << WORD_BITS};
    }
    for (uint32_t c = 0; c < n; c++)
        order[c] = c;
    status = covey_i_sort_rows_by_keys(order, n, words, (size_t)n_words, run, err);
    covey_i_free(word);
    return status;
}

/* Lists the cells; returns how many there are. */
static uint32_t list_cells(uint32_t *first, const uint8_t *is_new, uint32_t n)
{
    uint32_t n_cells = 0;

    for (uint32_t i = 0; i < n; i++) {
        first[n_cells] = i;
        n_cells += is_new[i];
    }
    return n_cells;
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
    b->key = covey_arena_array(arena, covey_u128, b->curve->n_cells);
    if (!b->place || !b->coordinate || !b->place[b->n_axes - 1] || !b->coordinate[b->n_axes - 1] || !b->key)
        return covey_fail(err, COVEY_ENOMEM, "keys of %u cells", b->curve->n_cells);
    return COVEY_OK;
}

/* Fills the curve's cells and rows in the order of the keys. */
static void follow(covey_draw_curve *curve, const struct building *b, const uint32_t *order)
{
    uint32_t at = 0;

    for (uint32_t c = 0; c < curve->n_cells; c++) {
        const uint32_t cell = order[c], first = b->first[cell];
        const uint32_t end = cell + 1 < curve->n_cells ? b->first[cell + 1] : curve->n;

        curve->cell_start[c] = at;
        curve->key[c] = b->key[cell];
        for (uint32_t i = first; i < end; i++)
            curve->rows[at++] = b->rows[i];
    }
    curve->cell_start[curve->n_cells] = at;
}

covey_status covey_i_draw_curve_new(covey_draw_curve *curve, const covey_problem *problem, const uint32_t *rows, uint32_t n,
                                     const covey_run *run, covey_error *err)
{
    const int n_threads = covey_run_threads(run);
    covey_arena arena = COVEY_ARENA_INIT;
    covey_draw_curve made = {.n = n, .rows = covey_i_array(n, sizeof *made.rows)};
    struct building b = {.curve = &made, .problem = problem, .rows = rows, .is_new = covey_arena_array(&arena, uint8_t, n),
                         .first = covey_arena_array(&arena, uint32_t, n)};
    uint32_t *order;
    covey_status status;

    if (!made.rows || !b.is_new || !b.first) {
        status = covey_fail(err, COVEY_ENOMEM, "order of %u rows", n);
        goto done;
    }
    if ((status = covey_i_parallel(n_threads, ((size_t)n + CHUNK - 1) / CHUNK, find_cells, &b, err)) != COVEY_OK)
        goto done;
    made.n_cells = list_cells(b.first, b.is_new, n);
    order = covey_arena_array(&arena, uint32_t, made.n_cells);
    made.cell_start = covey_i_array((size_t)made.n_cells + 1, sizeof *made.cell_start);
    made.key = covey_i_array(made.n_cells, sizeof *made.key);
    if (!order || !made.cell_start || !made.key) {
        status = covey_fail(err, COVEY_ENOMEM, "order of %u cells", made.n_cells);
        goto done;
    }
    if ((status = new_coordinates(&b, &arena, err)) != COVEY_OK ||
        (status = covey_i_parallel(n_threads, ((size_t)made.n_cells + CHUNK - 1) / CHUNK, find_keys, &b, err)) != COVEY_OK ||
        (status = sort_cells(order, &b, run, err)) != COVEY_OK)
        goto done;
    follow(&made, &b, order);
    *curve = made;
    made = (covey_draw_curve){0};
done:
    covey_i_draw_curve_clear(&made);
    covey_arena_free(&arena);
    return status;
}

void covey_i_draw_curve_clear(covey_draw_curve *curve)
{
    covey_i_free(curve->rows);
    covey_i_free(curve->cell_start);
    covey_i_free(curve->key);
    *curve = (covey_draw_curve){0};
}
