/* Sets of points as bits, axis by axis. */
#include "reader/points/bits.h"

#include <string.h>

#include "base/error.h"
#include "base/sort/find.h"
#include "base/sort/sort.h"
#include "reader/points/order.h"

enum {
    MOST_STEPS = 128,    /* longer axes are taken together: bounds the memory to so many bits per point */
    FEW_POINTS = 64,     /* up to so many are looked at one by one */
    MOST_LISTED = 65536, /* codes whose steps are looked up */
    MOST_RUNS = 64,      /* of a box in one dimension; what has more is looked at */
    BLOCK_POINTS = 64 * COVEY_BIT_BLOCK,
    GROUP_BITS = 3 /* so many blocks, to the power of two, are left out together; and as many of their groups */
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

/* --- the order --- */

/* Halves of so many blocks' points, a power of two: so blocks, and groups of them that begin at a multiple of their
 * number, hold points that are near each other. */
static void put_in_order(covey_point_order *order, uint32_t *box, uint32_t begin, uint32_t end, uint64_t size)
{
    const uint64_t middle = begin + size / 2;

    if (end - begin <= BLOCK_POINTS)
        return;
    if (middle < end) {
        covey_i_point_order_bounds(box, box + order->n_dims, order, begin, end);
        covey_i_point_order_split(order, box, box + order->n_dims, begin, end, (uint32_t)middle);
        put_in_order(order, box, (uint32_t)middle, end, size / 2);
        end = (uint32_t)middle;
    }
    put_in_order(order, box, begin, end, size / 2);
}

static covey_status order_points(covey_point_bits *bits, const uint32_t *coordinate, covey_arena *arena,
                                 covey_error *err)
{
    uint32_t *mine = covey_arena_array(arena, uint32_t, (size_t)bits->n_points * bits->n_dims),
             *box = covey_arena_array(arena, uint32_t, 2 * bits->n_dims);
    covey_point_order order;
    uint64_t size = BLOCK_POINTS;

    COVEY_TRY(covey_i_point_order_begin(&order, coordinate, bits->n_points, bits->n_dims, arena, err));
    if (!mine || !box)
        return covey_i_no_memory(err);
    while (size < bits->n_points)
        size *= 2;
    put_in_order(&order, box, 0, bits->n_points, size);
    for (uint32_t p = 0; p < bits->n_points; p++)
        for (size_t d = 0; d < bits->n_dims; d++)
            mine[(size_t)p * bits->n_dims + d] = covey_i_point_at(&order, order.point[p], d);
    bits->point = order.point;
    bits->coordinate = mine;
    return COVEY_OK;
}

/* --- building --- */

static void widen(covey_bit_level *level, size_t to, const uint32_t *low, const uint32_t *high, size_t n_dims)
{
    for (size_t d = 0; d < n_dims; d++) {
        uint32_t *least = &level->low[to * n_dims + d], *most = &level->high[to * n_dims + d];

        *least = low[d] < *least ? low[d] : *least;
        *most = high[d] > *most ? high[d] : *most;
    }
}

static covey_status find_levels(covey_point_bits *bits, covey_arena *arena, covey_error *err)
{
    const size_t d = bits->n_dims;

    for (size_t n = bits->n_blocks;; n = (n - 1) / (1 << GROUP_BITS) + 1) {
        covey_bit_level *level = &bits->level[bits->n_levels++];

        level->low = covey_arena_array(arena, uint32_t, n * d);
        level->high = covey_arena_array_zero(arena, uint32_t, n * d);
        if (!level->low || !level->high)
            return covey_i_no_memory(err);
        memset(level->low, 0xff, n * d * sizeof *level->low);
        if (n == 1)
            break;
    }
    for (uint32_t p = 0; p < bits->n_points; p++)
        widen(&bits->level[0], p / BLOCK_POINTS, &bits->coordinate[p * d], &bits->coordinate[p * d], d);
    for (size_t i = 1; i < bits->n_levels; i++)
        for (size_t b = 0; b < bits->n_blocks; b += (size_t)1 << GROUP_BITS * (i - 1))
            widen(&bits->level[i], b >> GROUP_BITS * i, &bits->level[i - 1].low[(b >> GROUP_BITS * (i - 1)) * d],
                  &bits->level[i - 1].high[(b >> GROUP_BITS * (i - 1)) * d], d);
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
        .axis = covey_arena_array_zero(arena, covey_bit_axis, n_dims),
        .run = covey_arena_array(arena, covey_bit_run, n_dims * MOST_RUNS),
        .n_runs = covey_arena_array(arena, uint32_t, n_dims),
        .must_look = covey_arena_array(arena, bool, n_dims),
    };

    if (!bits.axis || !bits.run || !bits.n_runs || !bits.must_look)
        return covey_i_no_memory(err);
    bits.n_blocks = (bits.n_words + COVEY_BIT_BLOCK - 1) / COVEY_BIT_BLOCK;
    COVEY_TRY(order_points(&bits, coordinate, arena, err));
    COVEY_TRY(find_levels(&bits, arena, err));
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

static void ask(covey_point_bits *bits, const covey_cover *const *box)
{
    covey_bit_run *run = bits->run;

    bits->box = box;
    bits->any_to_look = false;
    bits->n_asked = 0;
    bits->block = UINT32_MAX;
    memset(bits->must_look, 0, bits->n_dims * sizeof *bits->must_look);
    bits->is_empty = true;
    for (size_t d = 0; d < bits->n_dims; d++)
        if (!ask_axis(&run, bits, d))
            return;
    bits->is_empty = false;
}

static bool is_apart(const covey_point_bits *bits, const covey_bit_level *level, size_t i)
{
    const uint32_t *low = level->low + i * bits->n_dims, *high = level->high + i * bits->n_dims;

    for (size_t d = 0; d < bits->n_dims; d++)
        if (bits->box[d]->high < low[d] || bits->box[d]->low > high[d])
            return true;
    return false;
}

/* The first block from one on that is not apart from the box; n_blocks: there is none. */
static uint32_t next_block(const covey_point_bits *bits, uint32_t block)
{
    while (block < bits->n_blocks) {
        size_t level = 0;

        while (level + 1 < bits->n_levels && block % (UINT32_C(1) << GROUP_BITS * (level + 1)) == 0)
            level++;
        while (!is_apart(bits, &bits->level[level], block >> GROUP_BITS * level))
            if (level-- == 0)
                return block;
        block = ((block >> GROUP_BITS * level) + 1) << GROUP_BITS * level;
    }
    return bits->n_blocks;
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

/* The first word of a block that is not apart from the box and has points of the set; n_words: there is none. */
static uint32_t next_word(const covey_point_bits *bits, const uint64_t *set, uint32_t word)
{
    while (word < bits->n_words) {
        const uint32_t block = next_block(bits, word / COVEY_BIT_BLOCK);

        word = block * COVEY_BIT_BLOCK > word ? block * COVEY_BIT_BLOCK : word;
        for (; word < bits->n_words && word / COVEY_BIT_BLOCK == block; word++)
            if (set[word])
                return word;
    }
    return bits->n_words;
}

bool covey_i_point_bits_next(uint32_t *point, uint32_t *word, covey_point_bits *bits, const uint64_t *set,
                             const covey_cover *const *box)
{
    if (!box || bits->box != box)
        ask(bits, box);
    for (; !bits->is_empty && *word < bits->n_words; ++*word) {
        uint64_t found;

        if (bits->block != *word / COVEY_BIT_BLOCK) {
            if ((*word = next_word(bits, set, *word)) == bits->n_words)
                break;
            look_at_block(bits, *word / COVEY_BIT_BLOCK);
        }
        for (found = set[*word] & bits->inside[*word % COVEY_BIT_BLOCK]; found; found &= found - 1) {
            *point = *word * 64 + (uint32_t)__builtin_ctzll(found);
            if (!bits->any_to_look || is_inside(bits, *point))
                return true;
        }
    }
    return false;
}
