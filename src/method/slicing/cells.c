/* Strict cuts of cells: rows that are equal in all that is cut never part, and equal rows count alike in every
 * test.  So work goes with the number of different cells and values in them, whose numbers lie together, instead of
 * with rows. */
#include "method/slicing/cells.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "table/table_impl.h"

enum { VECTOR = 16 /* bytes of codes that are compared at once */ };

struct covey_slicing_cells {
    const covey_slicing *s;
    uint32_t n;
    uint32_t *start; /* [n + 1] of each cell in slicing->content: what it holds differs in the sensitive value only */
    struct whole {
        uint32_t n_rows, set;
    } * whole; /* [n] all that it holds is in one set */
    size_t n_dims;
    int width;   /* of codes: the widest column's */
    void *codes; /* [n * n_dims + VECTOR] of each cell side by side: all of them are looked at before each cut
                  */
    struct counted {
        uint32_t pair, n_rows;
    } * content;        /* [s->n_contents] what a test counts, cell by cell */
    uint32_t n_counted; /* codes that are counted, at most */
};

/* begins[i]: content i begins a cell, as it differs from the one before.  begins: all false. */
static void find_begins(bool *begins, covey_slicing_cells *cells, const covey_slicing *s, const size_t *dim,
                        size_t n_dims)
{
    const uint32_t *row = s->content;

    begins[0] = true;
    for (size_t d = 0; d < n_dims; d++) {
        const covey_column *column = s->problem->field[dim[d]].column;

        COVEY_CODES_TYPED(column->width, {
            const covey_code *code = column->codes;

            for (uint32_t i = 1; i < s->n_contents; i++)
                begins[i] |= code[row[i]] != code[row[i - 1]];
        });
    }
    for (uint32_t i = 0; i < s->n_contents; i++)
        cells->n += begins[i];
}

static bool make_room(covey_slicing_cells *cells, const covey_slicing *s, const size_t *dim, size_t n_dims)
{
    bool ok;

    for (size_t d = 0; d < n_dims; d++) {
        const covey_column *column = s->problem->field[dim[d]].column;

        cells->n_counted = column->n_values > cells->n_counted ? column->n_values : cells->n_counted;
        cells->width = column->width > cells->width ? column->width : cells->width;
    }
    if (cells->n_counted > cells->n)
        cells->n_counted = cells->n;
    ok = (cells->start = covey_arena_array(s->arena, uint32_t, (size_t)cells->n + 1)) != NULL;
    ok &= (cells->whole = covey_arena_array(s->arena, struct whole, cells->n)) != NULL;
    cells->n_dims = n_dims;
    ok &=
        (cells->codes = covey_arena_alloc(s->arena, (size_t)cells->n * n_dims + VECTOR, (size_t)cells->width)) != NULL;
    ok &= (cells->content = covey_arena_array(s->arena, struct counted, s->n_contents)) != NULL;
    return ok;
}

/* A cell's code, or one behind it. */
static size_t place_of(const covey_slicing_cells *cells, uint32_t cell, size_t dim)
{
    return (size_t)cell * cells->n_dims + dim;
}

static uint32_t code_of(const covey_slicing_cells *cells, uint32_t cell, size_t dim)
{
    return covey_i_codes_get(cells->codes, cells->width, place_of(cells, cell, dim));
}

static void fill(covey_slicing_cells *cells, const bool *begins, const covey_slicing *s, const size_t *dim,
                 size_t n_dims)
{
    uint32_t cell = 0;

    for (uint32_t i = 0; i < s->n_contents; i++) {
        const uint32_t row = s->content[i];

        if (begins[i]) {
            for (size_t d = 0; d < n_dims; d++)
                covey_i_codes_put(cells->codes, cells->width, place_of(cells, cell, d),
                                  covey_i_code(s->problem->field[dim[d]].column, row));
            cells->whole[cell] = (struct whole){0, s->set[row]};
            cells->start[cell++] = i;
        }
        cells->content[i] = (struct counted){s->pair[row], covey_i_slicing_count(s, row)};
        cells->whole[cell - 1].n_rows += cells->content[i].n_rows;
    }
    cells->start[cells->n] = s->n_contents;
    memset(covey_i_codes_from(cells->codes, cells->width, place_of(cells, cells->n, 0)), 0, VECTOR);
}

covey_status covey_i_slicing_cells_new(covey_slicing_cells **out, const covey_slicing *s, const size_t *dim,
                                       size_t n_dims, covey_error *err)
{
    covey_slicing_cells *cells = covey_arena_array_zero(s->arena, covey_slicing_cells, 1);
    bool *begins = covey_i_array_zero(s->n_contents, sizeof *begins);
    covey_status status = COVEY_OK;

    if (cells && begins)
        find_begins(begins, cells, s, dim, n_dims);
    if (!cells || !begins || !make_room(cells, s, dim, n_dims)) {
        status = covey_i_no_memory(err);
    } else {
        cells->s = s;
        fill(cells, begins, s, dim, n_dims);
        *out = cells;
    }
    covey_i_free(begins);
    return status;
}

covey_status covey_i_slicing_cell_counts_new(covey_slicing_cell_counts *out, const covey_slicing_cells *cells,
                                             covey_arena *arena, covey_error *err)
{
    *out = (covey_slicing_cell_counts){
        .pair = covey_arena_array_zero(arena, uint32_t, cells->s->n_pairs),
        .set = covey_arena_array_zero(arena, uint32_t, cells->s->n_sets),
        .touched = covey_arena_array(arena, uint32_t, (size_t)cells->s->n_pairs + 1),
        .in = covey_arena_array(arena, uint32_t, (size_t)cells->s->n_sets + 1),
        .code = covey_arena_array_zero(arena, uint32_t, cells->n_counted),
    };
    return out->pair && out->set && out->touched && out->in && out->code ? COVEY_OK : covey_i_no_memory(err);
}

uint32_t covey_i_slicing_n_cells(const covey_slicing_cells *cells)
{
    return cells->n;
}

uint32_t covey_i_slicing_cells_size(const covey_slicing_cells *cells, const uint32_t *item, uint32_t n)
{
    uint32_t n_rows = 0;

    for (uint32_t i = 0; i < n; i++)
        n_rows += cells->whole[item[i]].n_rows;
    return n_rows;
}

void covey_i_slicing_cell_contents(covey_slicing_contents *out, const covey_slicing_cells *cells, const uint32_t *item,
                                   uint32_t n)
{
    out->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t c = cells->start[item[i]]; c < cells->start[item[i] + 1]; c++) {
            out->row[out->n] = cells->s->content[c];
            out->pair[out->n] = cells->content[c].pair;
            out->count[out->n++] = cells->content[c].n_rows;
        }
    }
}

void covey_i_slicing_cell_ends(uint32_t *low, uint32_t *high, const covey_slicing_cells *cells, const uint32_t *item,
                               uint32_t n)
{
    const size_t n_lanes = VECTOR / (size_t)cells->width;

    for (size_t first = 0; first < cells->n_dims; first += n_lanes)
        COVEY_CODES_TYPED(cells->width, {
            typedef covey_code vector __attribute__((vector_size(VECTOR)));
            const covey_code *codes = cells->codes;
            vector lo, hi, own;

            memcpy(&lo, codes + place_of(cells, item[0], first), VECTOR);
            hi = lo;
            for (uint32_t i = 1; i < n; i++) { /* behind the last attribute stand those of another cell */
                vector is_less, is_more;

                memcpy(&own, codes + place_of(cells, item[i], first), VECTOR);
                is_less = (vector)(own < lo);
                is_more = (vector)(own > hi);
                lo = (own & is_less) | (lo & ~is_less);
                hi = (own & is_more) | (hi & ~is_more);
            }
            for (size_t k = 0; k < n_lanes && first + k < cells->n_dims; k++) {
                low[first + k] = lo[k];
                high[first + k] = hi[k];
            }
        });
}

/* Rows with a code up to `most`; *below: the largest such code. */
static uint32_t rows_up_to(uint32_t *below, const covey_slicing_cells *cells, size_t dim, const uint32_t *item,
                           uint32_t n, uint32_t most)
{
    uint32_t n_rows = 0;

    *below = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t code = code_of(cells, item[i], dim);

        if (code > most)
            continue;
        n_rows += cells->whole[item[i]].n_rows;
        *below = code > *below ? code : *below;
    }
    return n_rows;
}

/* The code of the half-th row, or the largest before the last one's where that is the same: low < high. */
static uint32_t find_median(const covey_slicing_cells *cells, covey_slicing_cell_counts *counts, size_t dim,
                            const uint32_t *item, uint32_t n, uint32_t low, uint32_t high)
{
    uint32_t n_rows = 0, median = low, sum = 0, half, below;

    if (high - low < n && high - low < cells->n_counted) {
        uint32_t *count = counts->code;

        for (uint32_t i = 0; i < n; i++) {
            const uint32_t size = cells->whole[item[i]].n_rows;

            count[code_of(cells, item[i], dim) - low] += size;
            n_rows += size;
        }
        half = n_rows - n_rows / 2;
        while ((sum += count[median - low]) < half)
            median++;
        if (median == high)
            for (median--; count[median - low] == 0;)
                median--;
        memset(count, 0, ((size_t)(high - low) + 1) * sizeof *count);
        return median;
    }
    n_rows = rows_up_to(&below, cells, dim, item, n, high);
    half = n_rows - n_rows / 2;
    for (uint32_t up = high; median < up;) { /* the least code with half of the rows up to it */
        const uint32_t middle = median + (up - median) / 2;

        if (rows_up_to(&below, cells, dim, item, n, middle) >= half)
            up = middle;
        else
            median = middle + 1;
    }
    if (median == high)
        rows_up_to(&median, cells, dim, item, n, high - 1);
    return median;
}

uint32_t covey_i_slicing_cell_part(const covey_slicing_cells *cells, covey_slicing_cell_counts *counts, size_t dim,
                                   uint32_t *item, uint32_t *scratch, uint32_t n, uint32_t low, uint32_t high)
{
    const uint32_t median = find_median(cells, counts, dim, item, n, low, high);
    uint32_t left = 0, right = 0;

    for (uint32_t i = 0; i < n; i++) { /* where it goes is hard to guess */
        const uint32_t one = item[i];
        const bool goes_left = code_of(cells, one, dim) <= median;

        item[left] = scratch[right] = one;
        left += goes_left;
        right += !goes_left;
    }
    memcpy(item + left, scratch, right * sizeof *item);
    return left;
}

/* Rows of each set, in counts->set and counts->in; returns how many sets there are. */
static uint32_t count_sets(covey_slicing_cell_counts *counts, const covey_slicing_cells *cells, const uint32_t *item,
                           uint32_t n)
{
    uint32_t n_in = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct whole one = cells->whole[item[i]];
        uint32_t *count = &counts->set[one.set];

        counts->in[n_in] = one.set;
        n_in += *count == 0;
        *count += one.n_rows;
    }
    return n_in;
}

/* Have the pairs of each set no more rows than counts->set says?  *most: receives the most of any. */
static bool count_pairs(uint32_t *most, covey_slicing_cell_counts *counts, const covey_slicing_cells *cells,
                        const uint32_t *item, uint32_t n)
{
    uint32_t n_touched = 0;
    bool holds = true;

    *most = 0;
    for (uint32_t i = 0; i < n && holds; i++) {
        const uint32_t room = counts->set[cells->whole[item[i]].set];

        for (uint32_t c = cells->start[item[i]]; c < cells->start[item[i] + 1]; c++) {
            const struct counted one = cells->content[c];
            const uint32_t count = counts->pair[one.pair] + one.n_rows;

            counts->touched[n_touched] = one.pair; /* for which it is the first is hard to guess */
            n_touched += count == one.n_rows;
            counts->pair[one.pair] = count;
            *most = count > *most ? count : *most;
            holds &= count <= room;
        }
    }
    for (uint32_t i = 0; i < n_touched; i++)
        counts->pair[counts->touched[i]] = 0;
    return holds;
}

bool covey_i_slicing_cells_hold(uint32_t *most, const covey_slicing_cells *cells, covey_slicing_cell_counts *counts,
                                const uint32_t *item, uint32_t n)
{
    const covey_slicing *s = cells->s;
    const uint32_t n_in = count_sets(counts, cells, item, n);
    bool is_sure = true, can_hold = true, holds;

    for (uint32_t i = 0; i < n_in; i++) {
        const covey_i128 room = (covey_i128)counts->set[counts->in[i]] * s->l.den;

        is_sure = is_sure && (covey_i128)*most * s->l.num <= room;
        can_hold = can_hold && s->l.num <= room;
        counts->set[counts->in[i]] = (uint32_t)(room / s->l.num);
    }
    holds = can_hold && (is_sure || count_pairs(most, counts, cells, item, n));
    for (uint32_t i = 0; i < n_in; i++)
        counts->set[counts->in[i]] = 0;
    return holds;
}
