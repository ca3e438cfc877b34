/* Lots of a table with few different keys, without sorting its rows: every row is given the number of its combination
 * of codes, and combinations are counted.  What would be a row's number follows, as a lot is so many rows behind those
 * of the lots before it.  Only where a lot was split in the end its rows are sorted, to tell which go where.
 *
 * Whole runs on 2,000,000 census rows take a sixth less processor time for it with five quasi-identifiers, a fifth less
 * with three. */
#include "method/peel/partition.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "table/column_key.h"
#include "table/table_impl.h"

enum {
    BLOCK = 1024,
    MOST_CHUNKS = 16,
    KEYS_PER_ROW = 2,   /* more would take longer to count than rows to sort */
    COUNTS_PER_ROW = 4, /* of all chunks together: what sorting would take */
    LEAST_COUNTS = 1 << 12
};
#define SPLIT (UINT32_MAX - 1) /* class of the rows of a lot that was split */

struct counting {
    const covey_peel_table *t;
    covey_sort_key *column; /* [n_columns] axes and used views, most significant first */
    size_t n_columns, n_keys, n_chunks;
    uint32_t *key;   /* [n_rows]; in the end classes */
    uint32_t *count; /* [n_chunks][n_keys]; in the end the first are the classes of keys */
};

/* Combinations of codes that a row may have; too many: SIZE_MAX. */
static size_t n_keys_of(const covey_peel_table *t)
{
    const size_t most = (size_t)t->problem->n_rows * KEYS_PER_ROW + LEAST_COUNTS;
    size_t n = 1;

    for (size_t i = 0; i < t->n_axes + t->n_used && n <= most; i++)
        n *= i < t->n_axes ? t->problem->axis[i].column->n_values
                           : t->problem->promises.view[t->used[i - t->n_axes]].column->n_values;
    return n <= most ? n : SIZE_MAX;
}

bool covey_i_peel_can_count(const covey_peel_table *t)
{
    return n_keys_of(t) != SIZE_MAX;
}

static uint32_t chunk_start(const struct counting *s, size_t chunk)
{
    return (uint32_t)((uint64_t)s->t->problem->n_rows * chunk / s->n_chunks);
}

static covey_status count_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct counting *s = context;
    const uint32_t end = chunk_start(s, chunk + 1);
    uint32_t *count = s->count + chunk * s->n_keys;

    for (uint32_t start = chunk_start(s, chunk), n; start < end; start += n) {
        uint32_t *key = s->key + start;

        n = end - start < BLOCK ? end - start : BLOCK;
        covey_i_pack_keys(key, NULL, start, n, s->column, s->n_columns);
        for (uint32_t i = 0; i < n; i++)
            count[key[i]]++;
    }
    return COVEY_OK;
}

/* Several attributes: combinations that occur, numbered in their order.  *number receives [n_combinations] of them. */
static covey_status number_combinations(uint32_t **number, covey_peel_table *t, size_t n_combinations,
                                        const struct counting *s, covey_arena *arena, covey_arena *scratch,
                                        covey_error *err)
{
    uint32_t *value;

    if (!(*number = covey_arena_array_zero(scratch, uint32_t, n_combinations)))
        return covey_i_no_memory(err);
    for (size_t key = 0; key < s->n_keys; key++)
        (*number)[key % n_combinations] |= s->count[key] > 0;
    for (size_t i = 0; i < n_combinations; i++)
        t->n_kinds += (*number)[i];
    if (!(value = covey_arena_array(arena, uint32_t, t->n_kinds * t->n_used)))
        return covey_i_no_memory(err);
    for (size_t i = 0, n = 0; i < n_combinations; i++) {
        size_t rest = i;

        if ((*number)[i] == 0)
            continue;
        (*number)[i] = (uint32_t)n;
        for (size_t v = t->n_used; v-- > 0;) {
            value[n * t->n_used + v] = (uint32_t)(rest % s->column[t->n_axes + v].n_values);
            rest /= s->column[t->n_axes + v].n_values;
        }
        n++;
    }
    t->value = value;
    return COVEY_OK;
}

static void write_codes(uint32_t *codes, const struct counting *s, size_t key)
{
    for (size_t a = s->t->n_axes; a-- > 0;) {
        codes[a] = (uint32_t)(key % s->column[a].n_values);
        key /= s->column[a].n_values;
    }
}

/* From counts to lots, in the order of their keys. */
static covey_status list_lots(covey_peel_table *t, const struct counting *s, covey_arena *arena, covey_arena *scratch,
                              covey_error *err)
{
    size_t n_combinations = 1, lots = 0, cells = 0, last = SIZE_MAX;
    uint32_t *number = NULL, *codes, n_rows = 0;

    for (size_t v = 0; v < t->n_used; v++)
        n_combinations *= s->column[t->n_axes + v].n_values;
    COVEY_TRY(t->n_used > 1 ? number_combinations(&number, t, n_combinations, s, arena, scratch, err)
                            : covey_i_peel_kinds_new(t, arena, err));
    for (size_t key = 0; key < s->n_keys; key++)
        if (s->count[key] > 0) {
            lots++;
            cells += key / n_combinations != last;
            last = key / n_combinations;
        }
    COVEY_TRY(covey_i_peel_lots_reserve(t, (uint32_t)lots, false, err));
    if (!(codes = covey_arena_array_zero(arena, uint32_t, cells * t->width)))
        return covey_i_no_memory(err);
    lots = cells = 0;
    last = SIZE_MAX;
    for (size_t key = 0; key < s->n_keys; key++) {
        if (s->count[key] == 0)
            continue;
        if (key / n_combinations != last) {
            last = key / n_combinations;
            write_codes(codes + cells++ * t->width, s, last);
        }
        t->cell[lots] = (uint32_t)cells - 1;
        t->kind[lots] = number ? number[key % n_combinations] : (uint32_t)(key % n_combinations);
        t->alike[lots] = (uint32_t)lots;
        t->first[lots] = n_rows;
        t->size[lots] = s->count[key];
        n_rows += s->count[key];
        lots++;
    }
    t->codes = codes;
    t->n_cells = (uint32_t)cells;
    t->n_rows = n_rows;
    return COVEY_OK;
}

/* May the whole table be a class?  Otherwise rows must go, and which depends on their order. */
static covey_status judge_whole(bool *admitted, const covey_peel_table *t, covey_arena *scratch, covey_error *err)
{
    covey_tally tally;

    COVEY_TRY(covey_i_tally_new(&tally, &t->problem->promises, scratch, err));
    for (uint32_t lot = 0; lot < t->n_lots; lot++)
        covey_i_peel_tally_lot(t, &tally, lot, t->size[lot]);
    *admitted = covey_i_promises_admit(&t->problem->promises, &tally);
    return COVEY_OK;
}

static covey_status count_keys(struct counting *s, covey_arena *scratch, const covey_run *run, covey_error *err)
{
    const covey_peel_table *t = s->t;
    const size_t n_rows = t->problem->n_rows, most = n_rows * COUNTS_PER_ROW + LEAST_COUNTS;
    const int threads = covey_run_threads(run);

    s->n_keys = n_keys_of(t);
    s->n_chunks = threads < MOST_CHUNKS ? (size_t)threads : MOST_CHUNKS;
    if (s->n_keys > 0 && s->n_chunks > most / s->n_keys)
        s->n_chunks = most / s->n_keys;
    s->n_columns = t->n_axes + t->n_used;
    s->column = covey_arena_array(scratch, covey_sort_key, s->n_columns);
    s->count = covey_i_array_zero(s->n_chunks * s->n_keys, sizeof *s->count);
    s->key = covey_i_array_full(n_rows, sizeof *s->key);
    if (!s->column || !s->count || !s->key)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < s->n_columns; i++)
        s->column[i] = covey_i_column_key(i < t->n_axes ? t->problem->axis[i].column
                                                        : t->problem->promises.view[t->used[i - t->n_axes]].column);
    COVEY_TRY(covey_i_parallel(threads, s->n_chunks, count_chunk, s, err));
    for (size_t chunk = 1; chunk < s->n_chunks; chunk++)
        for (size_t key = 0; key < s->n_keys; key++)
            s->count[key] += s->count[chunk * s->n_keys + key];
    return COVEY_OK;
}

covey_status covey_i_peel_count_lots(bool *suffices, covey_peel_table *t, covey_arena *arena, const covey_run *run,
                                     covey_error *err)
{
    struct counting s = {.t = t};
    covey_arena scratch = COVEY_ARENA_INIT;
    covey_status status;

    *suffices = false;
    if ((status = count_keys(&s, &scratch, run, err)) == COVEY_OK &&
        (status = list_lots(t, &s, arena, &scratch, err)) == COVEY_OK)
        status = judge_whole(suffices, t, &scratch, err);
    if (*suffices) {
        t->count = (covey_peel_count){s.key, s.count, s.n_keys};
    } else {
        t->n_kinds = 0;
        covey_i_free(s.key);
        covey_i_free(s.count);
    }
    covey_arena_free(&scratch);
    return status;
}

/* --- back to rows --- */

/* Lots that are not in one class any more. */
static covey_status find_split(bool **out, const covey_peel_table *t, const uint32_t *class_of, uint32_t *n_rows,
                               covey_arena *scratch, covey_error *err)
{
    bool *split = covey_arena_array_zero(scratch, bool, t->n_whole);

    *n_rows = 0;
    if (!split)
        return covey_i_no_memory(err);
    for (uint32_t lot = t->n_whole; lot < t->n_lots; lot++)
        split[t->alike[lot]] |= class_of[lot] != class_of[t->alike[lot]];
    for (uint32_t lot = 0; lot < t->n_lots; lot++)
        *n_rows += split[t->alike[lot]] ? t->size[lot] : 0;
    *out = split;
    return COVEY_OK;
}

/* Counts become classes: keys that occur are the lots in their order. */
static void class_keys(const covey_peel_table *t, const uint32_t *class_of, const bool *split)
{
    uint32_t lot = 0;

    for (size_t key = 0; key < t->count.n_keys; key++)
        if (t->count.of_key[key] > 0) {
            t->count.of_key[key] = split[lot] ? SPLIT : class_of[lot];
            lot++;
        }
}

struct assigning {
    const covey_peel_count *count;
    uint32_t n_rows;
    size_t n_chunks;
};

static covey_status assign_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct assigning *s = context;
    const uint32_t end = (uint32_t)((uint64_t)s->n_rows * (chunk + 1) / s->n_chunks), *of_key = s->count->of_key;
    uint32_t *key = s->count->key;

    for (uint32_t i = (uint32_t)((uint64_t)s->n_rows * chunk / s->n_chunks); i < end; i++)
        key[i] = of_key[key[i]];
    return COVEY_OK;
}

static int compare_first(const void *a, const void *b, void *context)
{
    const covey_peel_table *t = context;
    const uint32_t x = t->first[*(const uint32_t *)a], y = t->first[*(const uint32_t *)b];

    return x < y ? -1 : x > y;
}

/* The rows of split lots, sorted by content, go to their parts in order. */
static covey_status assign_split(covey_peel_table *t, const uint32_t *class_of, const bool *split, uint32_t n_rows,
                                 covey_arena *scratch, const covey_run *run, covey_error *err)
{
    uint32_t *rows = covey_arena_array(scratch, uint32_t, n_rows),
             *part = covey_arena_array(scratch, uint32_t, t->n_lots);
    uint32_t *class_of_row = t->count.key, n = 0, n_parts = 0;

    if (!rows || !part)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < t->n_rows && n < n_rows; row++)
        if (class_of_row[row] == SPLIT)
            rows[n++] = row;
    COVEY_TRY(covey_i_peel_sort_rows(rows, n, t, true, run, err));
    for (uint32_t lot = 0; lot < t->n_lots; lot++)
        if (split[t->alike[lot]])
            part[n_parts++] = lot;
    qsort_r(part, n_parts, sizeof *part, compare_first, t);
    n = 0;
    for (uint32_t i = 0; i < n_parts; i++)
        for (uint32_t j = 0; j < t->size[part[i]]; j++)
            class_of_row[rows[n++]] = class_of[part[i]];
    return COVEY_OK;
}

covey_status covey_i_peel_class_of_counted(uint32_t **out, covey_peel_table *t, const uint32_t *class_of,
                                           const covey_run *run, covey_error *err)
{
    const int threads = covey_run_threads(run);
    struct assigning s = {&t->count, t->n_rows, (size_t)threads};
    covey_arena scratch = COVEY_ARENA_INIT;
    uint32_t n_rows;
    bool *split = NULL;
    covey_status status = find_split(&split, t, class_of, &n_rows, &scratch, err);

    if (status == COVEY_OK) {
        class_keys(t, class_of, split);
        status = covey_i_parallel(threads, s.n_chunks, assign_chunk, &s, err);
    }
    if (status == COVEY_OK && n_rows > 0)
        status = assign_split(t, class_of, split, n_rows, &scratch, run, err);
    covey_arena_free(&scratch);
    if (status == COVEY_OK) {
        *out = t->count.key;
        t->count.key = NULL;
    }
    return status;
}
