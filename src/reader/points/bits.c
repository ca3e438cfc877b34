/* Sets of points as bits, axis by axis. */
#include "reader/points/bits.h"

#include <string.h>

#include "base/error.h"
#include "base/sort/find.h"
#include "base/sort/sort.h"

enum {
    MOST_STEPS = 128,    /* longer axes are taken together: bounds the memory to so many bits per point */
    FEW_POINTS = 64,     /* up to so many are looked at one by one */
    MOST_LISTED = 65536, /* codes whose steps are looked up */
    MOST_RUNS = 64       /* of a box in one dimension; what has more is looked at */
};

static uint32_t at(const covey_point_bits *bits, uint32_t point, size_t dim)
{
    return bits->coordinate[(size_t)point * bits->n_dims + dim];
}

static size_t words_of_step(const covey_point_bits *bits)
{
    return (size_t)bits->n_blocks * COVEY_BIT_BLOCK;
}

static void find_extent(covey_bit_axis *axis, const covey_point_bits *bits, size_t dim)
{
    axis->low = axis->high = at(bits, 0, dim);
    for (uint32_t p = 1; p < bits->n_points; p++) {
        uint32_t c = at(bits, p, dim);

        axis->low = c < axis->low ? c : axis->low;
        axis->high = c > axis->high ? c : axis->high;
    }
}

/* --- building --- */

static covey_status find_blocks(covey_point_bits *bits, covey_arena *arena, covey_error *err)
{
    const size_t n = bits->n_blocks * bits->n_dims;

    bits->low = covey_arena_array(arena, uint32_t, n);
    bits->high = covey_arena_array_zero(arena, uint32_t, n);
    if (!bits->low || !bits->high)
        return covey_i_no_memory(err);
    memset(bits->low, 0xff, n * sizeof *bits->low);
    for (uint32_t p = 0; p < bits->n_points; p++)
        for (size_t d = 0; d < bits->n_dims; d++) {
            const size_t i = p / 64 / COVEY_BIT_BLOCK * bits->n_dims + d;
            const uint32_t code = at(bits, p, d);

            bits->low[i] = code < bits->low[i] ? code : bits->low[i];
            bits->high[i] = code > bits->high[i] ? code : bits->high[i];
        }
    return COVEY_OK;
}

/* The codes of a dimension in order. */
static void sort_codes(uint64_t *code, uint64_t *scratch, const covey_point_bits *bits, size_t dim)
{
    for (uint32_t p = 0; p < bits->n_points; p++)
        code[p] = at(bits, p, dim);
    covey_i_sort_u64(code, scratch, bits->n_points, 32);
}

/* A step is one code, or with too many codes, those of as many points as any other step's. */
static covey_status choose_steps(covey_bit_axis *axis, const uint64_t *code, uint32_t n, covey_arena *arena,
                                 covey_error *err)
{
    uint32_t n_codes = 1, *last, least;

    for (uint32_t i = 1; i < n; i++)
        n_codes += code[i] != code[i - 1];
    axis->exact = n_codes <= MOST_STEPS;
    least = axis->exact ? 1 : n / MOST_STEPS + 1;
    if (!(last = covey_arena_array(arena, uint32_t, axis->exact ? n_codes : MOST_STEPS)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0, begin = 0; i < n; i++)
        if (i + 1 == n || (code[i] != code[i + 1] && i + 1 - begin >= least)) {
            last[axis->n_steps++] = (uint32_t)code[i];
            begin = i + 1;
        }
    axis->last = last;
    return COVEY_OK;
}

/* The first step that is not below a code; n_steps if all are. */
static uint32_t step_of(const covey_bit_axis *axis, uint32_t code)
{
    if (code <= axis->low)
        return 0;
    if (code > axis->high)
        return axis->n_steps;
    return axis->step ? axis->step[code - axis->low] : covey_i_find_from(axis->last, 0, axis->n_steps, code);
}

static covey_status list_steps(covey_bit_axis *axis, covey_arena *arena, covey_error *err)
{
    const uint32_t n = axis->high - axis->low;
    uint8_t *step;

    if (n >= MOST_LISTED)
        return COVEY_OK;
    if (!(step = covey_arena_array(arena, uint8_t, n + 1)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0, s = 0; i <= n; i++) {
        s += axis->last[s] < axis->low + i;
        step[i] = (uint8_t)s;
    }
    axis->step = step;
    return COVEY_OK;
}

static covey_status fill_axis(covey_bit_axis *axis, const covey_point_bits *bits, size_t dim, covey_arena *arena,
                              covey_error *err)
{
    const size_t n_words = words_of_step(bits);
    uint64_t *below = covey_arena_array_zero(arena, uint64_t, (axis->n_steps + 1) * n_words);

    if (!below)
        return covey_i_no_memory(err);
    for (uint32_t p = 0; p < bits->n_points; p++)
        covey_i_bit_add(below + (step_of(axis, at(bits, p, dim)) + 1) * n_words, p);
    for (size_t i = n_words; i < (axis->n_steps + 1) * n_words; i++)
        below[i] |= below[i - n_words];
    axis->below = below;
    return COVEY_OK;
}

static covey_status build_axes(covey_point_bits *bits, covey_arena *arena, covey_error *err)
{
    for (size_t d = 0; d < bits->n_dims; d++) {
        covey_bit_axis *axis = &bits->axis[d];
        uint64_t *code, *scratch;

        find_extent(axis, bits, d);
        if (bits->n_points <= FEW_POINTS)
            continue;
        code = covey_arena_array(arena, uint64_t, bits->n_points);
        scratch = covey_arena_array(arena, uint64_t, bits->n_points);
        if (!code || !scratch)
            return covey_i_no_memory(err);
        sort_codes(code, scratch, bits, d);
        COVEY_TRY(choose_steps(axis, code, bits->n_points, arena, err));
        COVEY_TRY(list_steps(axis, arena, err));
        COVEY_TRY(fill_axis(axis, bits, d, arena, err));
    }
    return COVEY_OK;
}

covey_status covey_i_point_bits_build(covey_point_bits *out, const uint32_t *coordinate, uint32_t n_points,
                                      size_t n_dims, covey_arena *arena, covey_error *err)
{
    covey_point_bits bits = {
        .n_dims = n_dims,
        .n_points = n_points,
        .n_words = (n_points + 63) / 64,
        .block = UINT32_MAX,
        .coordinate = coordinate,
        .axis = covey_arena_array_zero(arena, covey_bit_axis, n_dims),
        .run = covey_arena_array(arena, covey_bit_run, n_dims * MOST_RUNS),
        .n_runs = covey_arena_array(arena, uint32_t, n_dims),
        .must_look = covey_arena_array(arena, bool, n_dims),
    };

    if (!bits.axis || !bits.run || !bits.n_runs || !bits.must_look)
        return covey_i_no_memory(err);
    bits.n_blocks = (bits.n_words + COVEY_BIT_BLOCK - 1) / COVEY_BIT_BLOCK;
    COVEY_TRY(find_blocks(&bits, arena, err));
    COVEY_TRY(build_axes(&bits, arena, err));
    *out = bits;
    return COVEY_OK;
}

/* --- asking --- */

static covey_bit_run run_of(const covey_point_bits *bits, const covey_bit_axis *axis, uint32_t first, uint32_t last)
{
    return (covey_bit_run){axis->below + first * words_of_step(bits), axis->below + (last + 1) * words_of_step(bits)};
}

/* Runs of steps whose codes are listed; MOST_RUNS + 1 if there are more. */
static uint32_t list_runs(covey_bit_run *run, const covey_point_bits *bits, const covey_bit_axis *axis,
                          const covey_cover *cover)
{
    uint32_t n = 0, first = 0, next = 0; /* first .. next-1: the run in the making */

    for (uint32_t i = 0; i < cover->n_codes; i++) {
        uint32_t step = step_of(axis, cover->code[i]);

        if (step == axis->n_steps || axis->last[step] != cover->code[i])
            continue; /* no point has it */
        if (step == next && first < next) {
            next++;
            continue;
        }
        if (first < next) {
            if (n == MOST_RUNS)
                return MOST_RUNS + 1;
            run[n++] = run_of(bits, axis, first, next - 1);
        }
        first = step;
        next = step + 1;
    }
    if (first < next && n < MOST_RUNS)
        run[n++] = run_of(bits, axis, first, next - 1);
    else if (first < next)
        return MOST_RUNS + 1;
    return n;
}

/* False if nothing can lie in the box. */
static bool ask_axis(covey_bit_run **run, covey_point_bits *bits, size_t dim)
{
    const covey_bit_axis *axis = &bits->axis[dim];
    const covey_cover *cover = bits->box[dim];
    uint32_t first, last, n;

    if (cover->high < axis->low || cover->low > axis->high || cover->low > cover->high)
        return false;
    if (axis->n_steps == 0) {
        bits->any_to_look = bits->must_look[dim] = true;
        return true;
    }
    if (cover->code && axis->exact && (n = list_runs(*run, bits, axis, cover)) <= MOST_RUNS) {
        bits->n_runs[bits->n_asked++] = n;
        *run += n;
        return n > 0;
    }
    if (cover->code || (!axis->exact && (cover->low > axis->low || cover->high < axis->high)))
        bits->any_to_look = bits->must_look[dim] = true;
    first = step_of(axis, cover->low);
    last = step_of(axis, cover->high);
    last = last < axis->n_steps && (!axis->exact || axis->last[last] == cover->high) ? last : last - 1;
    if (first > last)
        return false; /* between two codes */
    if (first == 0 && last == axis->n_steps - 1)
        return true;
    bits->n_runs[bits->n_asked++] = 1;
    *(*run)++ = run_of(bits, axis, first, last);
    return true;
}

static bool is_apart(const covey_point_bits *bits, const covey_cover *const *box, uint32_t block)
{
    for (size_t d = 0; d < bits->n_dims; d++)
        if (box[d]->high < bits->low[block * bits->n_dims + d] || box[d]->low > bits->high[block * bits->n_dims + d])
            return true;
    return false;
}

static void ask(covey_point_bits *bits, const covey_cover *const *box)
{
    covey_bit_run *run = bits->run;
    uint32_t first = 0, end = bits->n_blocks;

    bits->box = box;
    bits->first = bits->end = 0;
    bits->any_to_look = false;
    bits->n_asked = 0;
    bits->block = UINT32_MAX;
    memset(bits->must_look, 0, bits->n_dims * sizeof *bits->must_look);
    while (first < end && is_apart(bits, box, first))
        first++;
    while (first < end && is_apart(bits, box, end - 1))
        end--;
    for (size_t d = 0; d < bits->n_dims; d++)
        if (!ask_axis(&run, bits, d))
            return;
    bits->first = first * COVEY_BIT_BLOCK;
    bits->end = end * COVEY_BIT_BLOCK < bits->n_words ? end * COVEY_BIT_BLOCK : bits->n_words;
}

static void look_at_block(covey_point_bits *bits, uint32_t block)
{
    const covey_bit_run *run = bits->run;
    const size_t first = (size_t)block * COVEY_BIT_BLOCK;

    bits->block = block;
    memset(bits->inside, 0xff, sizeof bits->inside);
    for (size_t d = 0; d < bits->n_asked; d++) {
        uint64_t any[COVEY_BIT_BLOCK] = {0};

        for (uint32_t n = bits->n_runs[d]; n > 0; n--, run++)
            for (size_t w = 0; w < COVEY_BIT_BLOCK; w++)
                any[w] |= run->end[first + w] & ~run->begin[first + w];
        for (size_t w = 0; w < COVEY_BIT_BLOCK; w++)
            bits->inside[w] &= any[w];
    }
}

static bool is_inside(const covey_point_bits *bits, uint32_t point)
{
    for (size_t d = 0; d < bits->n_dims; d++)
        if (bits->must_look[d] && !covey_i_cover_holds(bits->box[d], at(bits, point, d)))
            return false;
    return true;
}

bool covey_i_point_bits_next(uint32_t *point, uint32_t *word, covey_point_bits *bits, const uint64_t *set,
                             const covey_cover *const *box)
{
    if (!box || bits->box != box)
        ask(bits, box);
    *word = *word > bits->first ? *word : bits->first;
    for (; *word < bits->end; ++*word) {
        uint64_t found;

        if (!set[*word])
            continue;
        if (bits->block != *word / COVEY_BIT_BLOCK)
            look_at_block(bits, *word / COVEY_BIT_BLOCK);
        for (found = set[*word] & bits->inside[*word % COVEY_BIT_BLOCK]; found; found &= found - 1) {
            *point = *word * 64 + (uint32_t)__builtin_ctzll(found);
            if (!bits->any_to_look || is_inside(bits, *point))
                return true;
        }
    }
    return false;
}
