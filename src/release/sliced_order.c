/* See sliced_order.h.  Rows are dealt out to their buckets once; then everything is done bucket by bucket, where the numbers of the pieces lie
 * together: a sort of all rows by each column's content would touch every bucket from all over the table. */
#include "release/sliced_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "base/sort_keys.h"
#include "base/threads.h"
#include "table/column_key.h"
#include "table/table_impl.h"

enum { CHUNKS_PER_THREAD = 4 };

struct ordering {
    const covey_problem *problem;
    const covey_sliced *data;
    uint32_t n, n_buckets; /* published rows; buckets of the map */
    uint32_t *start;       /* [n_buckets + 1] of each bucket in row */
    uint32_t *dealt;       /* [n] rows by bucket of the map, as the table has them */
    uint32_t **row, **key; /* [n_slices][n] the same by content; numbers of their pieces, in the order of content */
    uint32_t **rank;       /* [n_slices][n_rows] of a row's piece, where it has no number by itself; else NULL */
    uint32_t *by_order;    /* [n_found] buckets that have rows */
    uint32_t n_found;
    uint32_t *lead[2];     /* [n_buckets] a bucket's first two pieces of the first column: 0: it has one only */
    size_t n_chunks;
    uint32_t *bound;       /* [n_chunks + 1] in by_order */
    covey_release *release;
};

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "columns of a sliced release");
}

/* Numbers that a piece of a slice can have, its codes as one number; more than 32 bits: 0. */
static uint64_t n_numbers(const struct ordering *o, size_t s)
{
    uint64_t n = 1;

    for (size_t f = 0; f < o->data->slice[s].n_fields && n < UINT32_MAX; f++)
        n *= o->problem->field[o->data->slice[s].field[f]].column->n_values;
    return n < UINT32_MAX ? n : 0;
}

static covey_status deal_rows(struct ordering *o, const uint32_t *bucket_of_row, covey_arena *arena, covey_error *err)
{
    const uint32_t n_rows = o->problem->n_rows;

    o->start = covey_arena_array_zero(arena, uint32_t, (size_t)o->n_buckets + 2);
    if (!o->start)
        return no_memory(err);
    for (uint32_t r = 0; r < n_rows; r++)
        if (bucket_of_row[r] != COVEY_CLASS_SUPPRESSED) {
            o->start[bucket_of_row[r] + 2]++;
            o->n++;
        }
    for (uint32_t b = 0; b < o->n_buckets; b++)
        o->start[b + 2] += o->start[b + 1];
    if (!(o->dealt = covey_i_array_full(o->n, sizeof *o->dealt)))
        return no_memory(err);
    for (uint32_t r = 0; r < n_rows; r++)
        if (bucket_of_row[r] != COVEY_CLASS_SUPPRESSED)
            o->dealt[o->start[bucket_of_row[r] + 1]++] = r;
    return COVEY_OK;
}

/* Ranks the pieces of a slice, equal ones alike, by a sort of all rows. */
static covey_status rank_rows(struct ordering *o, size_t s, const covey_run *run, covey_error *err)
{
    const covey_slice *slice = &o->data->slice[s];
    const uint32_t n_rows = o->problem->n_rows;
    covey_sort_key *key = covey_i_array(slice->n_fields, sizeof *key);
    uint32_t *sorted = covey_i_array_full(n_rows, sizeof *sorted), rank = 0;
    covey_status status = COVEY_OK;

    o->rank[s] = covey_i_array_full(n_rows, sizeof *o->rank[s]);
    if (!key || !sorted || !o->rank[s])
        status = no_memory(err);
    for (size_t f = 0; f < slice->n_fields && status == COVEY_OK; f++)
        key[f] = covey_i_column_key(o->problem->field[slice->field[f]].column);
    if (status == COVEY_OK)
        status = covey_i_order_rows_by_keys(sorted, NULL, n_rows, key, slice->n_fields, run, err);
    for (uint32_t i = 0; i < n_rows && status == COVEY_OK; i++) {
        bool same = i > 0;

        for (size_t f = 0; f < slice->n_fields && same; f++) {
            const covey_column *column = o->problem->field[slice->field[f]].column;

            same = covey_i_code(column, sorted[i]) == covey_i_code(column, sorted[i - 1]);
        }
        rank += i > 0 && !same;
        o->rank[s][sorted[i]] = rank;
    }
    covey_i_free(key);
    covey_i_free(sorted);
    return status;
}

static uint32_t number_of(const struct ordering *o, size_t s, uint32_t row)
{
    const covey_slice *slice = &o->data->slice[s];
    uint32_t number = 0;

    if (o->rank[s])
        return o->rank[s][row];
    for (size_t f = 0; f < slice->n_fields; f++) {
        const covey_column *column = o->problem->field[slice->field[f]].column;

        number = number * column->n_values + covey_i_code(column, row);
    }
    return number;
}

/* Sorts the rows of some buckets by one slice's content; equal ones stay as they are. */
static covey_status order_chunk(void *context, size_t task, covey_error *err)
{
    const struct ordering *o = context;
    const size_t s = task / o->n_chunks, chunk = task % o->n_chunks;
    const uint32_t begin = (uint32_t)((uint64_t)o->n_buckets * chunk / o->n_chunks), end = (uint32_t)((uint64_t)o->n_buckets * (chunk + 1) / o->n_chunks);
    uint32_t most = 0;
    uint64_t *word;

    for (uint32_t b = begin; b < end; b++)
        most = o->start[b + 1] - o->start[b] > most ? o->start[b + 1] - o->start[b] : most;
    if (!(word = covey_i_array(2 * (size_t)most, sizeof *word)))
        return no_memory(err);
    for (uint32_t b = begin; b < end; b++) {
        const uint32_t start = o->start[b], n = o->start[b + 1] - start;

        for (uint32_t i = 0; i < n; i++)
            word[i] = (uint64_t)number_of(o, s, o->dealt[start + i]) << 32 | i;
        covey_i_sort_u64(word, word + most, n, 64);
        for (uint32_t i = 0; i < n; i++) {
            o->key[s][start + i] = (uint32_t)(word[i] >> 32);
            o->row[s][start + i] = o->dealt[start + (uint32_t)word[i]];
        }
    }
    covey_i_free(word);
    return COVEY_OK;
}

/* Column by column: piece by piece, a bucket whose pieces all begin another's first. */
static int compare_buckets(const void *a, const void *b, void *context)
{
    const struct ordering *o = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint32_t size_x = o->start[x + 1] - o->start[x], size_y = o->start[y + 1] - o->start[y];

    for (size_t s = 0; s < o->data->n_slices; s++) {
        const uint32_t *p = o->key[s] + o->start[x], *q = o->key[s] + o->start[y];

        for (uint32_t i = 0; i < size_x || i < size_y; i++) {
            if (i >= size_x || i >= size_y)
                return i >= size_x ? -1 : 1;
            if (p[i] != q[i])
                return p[i] < q[i] ? -1 : 1;
        }
    }
    return 0;
}

static bool same_lead(const struct ordering *o, uint32_t i)
{
    const uint32_t x = o->by_order[i], y = o->by_order[i - 1];

    return o->lead[0][x] == o->lead[0][y] && o->lead[1][x] == o->lead[1][y];
}

/* Sorts buckets that begin alike, which no chunk parts. */
static covey_status settle_chunk(void *context, size_t chunk, covey_error *err)
{
    struct ordering *o = context;

    for (uint32_t i = o->bound[chunk], next; i < o->bound[chunk + 1]; i = next) {
        for (next = i + 1; next < o->bound[chunk + 1] && same_lead(o, next);)
            next++;
        if (next - i > 1)
            qsort_r(o->by_order + i, next - i, sizeof *o->by_order, compare_buckets, o);
    }
    return COVEY_OK;
}

static void find_bounds(struct ordering *o)
{
    for (size_t chunk = 0; chunk <= o->n_chunks; chunk++) {
        uint32_t at = (uint32_t)((uint64_t)o->n_found * chunk / o->n_chunks);

        while (at > 0 && at < o->n_found && same_lead(o, at))
            at++;
        o->bound[chunk] = at;
    }
}

static covey_status order_buckets(struct ordering *o, const covey_run *run, covey_arena *arena, covey_error *err)
{
    uint32_t most[2] = {0, 0};
    covey_sort_key key[2];

    o->by_order = covey_arena_array(arena, uint32_t, o->n_buckets);
    for (int i = 0; i < 2; i++)
        if (!(o->lead[i] = covey_arena_array(arena, uint32_t, o->n_buckets)))
            return no_memory(err);
    o->bound = covey_arena_array(arena, uint32_t, o->n_chunks + 1);
    if (!o->by_order || !o->bound)
        return no_memory(err);
    for (uint32_t b = 0; b < o->n_buckets; b++) {
        const uint32_t start = o->start[b], n = o->start[b + 1] - start;

        if (n == 0)
            continue;
        o->by_order[o->n_found++] = b;
        o->lead[0][b] = o->key[0][start];
        o->lead[1][b] = n > 1 ? o->key[0][start + 1] + 1 : 0;
        for (int i = 0; i < 2; i++)
            most[i] = o->lead[i][b] > most[i] ? o->lead[i][b] : most[i];
    }
    for (int i = 0; i < 2; i++)
        key[i] = (covey_sort_key){.codes = o->lead[i], .width = sizeof **o->lead, .n_values = most[i] + 1};
    COVEY_TRY(covey_i_sort_rows_by_keys(o->by_order, o->n_found, key, 2, run, err));
    find_bounds(o);
    return covey_i_parallel(covey_run_threads(run), o->n_chunks, settle_chunk, o, err);
}

/* Copies the lines of some buckets, for all columns. */
static covey_status fill_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct ordering *o = context;
    const uint32_t begin = (uint32_t)((uint64_t)o->n_found * chunk / o->n_chunks), end = (uint32_t)((uint64_t)o->n_found * (chunk + 1) / o->n_chunks);

    for (size_t s = 0; s < o->data->n_slices; s++)
        for (uint32_t i = begin; i < end; i++) {
            const uint32_t from = o->start[o->by_order[i]], at = o->release->class_start[i], size = o->release->class_start[i + 1] - at;

            for (uint32_t j = 0; j < size; j++)
                o->data->row[s][at + j] = o->row[s][from + j];
        }
    return COVEY_OK;
}

static covey_status fill(struct ordering *o, const covey_run *run, covey_error *err)
{
    covey_release *release = o->release;
    uint32_t at = 0;

    if (!(release->class_start = covey_i_array((size_t)o->n_found + 1, sizeof *release->class_start)))
        return no_memory(err);
    for (size_t s = 0; s < o->data->n_slices; s++) {
        covey_i_free(o->key[s]);
        o->key[s] = NULL;
        if (!(o->data->row[s] = covey_i_array_full(o->n, sizeof *o->data->row[s])))
            return no_memory(err);
    }
    for (uint32_t i = 0; i < o->n_found; i++) {
        release->class_start[i] = at;
        at += o->start[o->by_order[i] + 1] - o->start[o->by_order[i]];
    }
    release->class_start[o->n_found] = at;
    release->n_classes = o->n_found;
    release->n_published = o->n;
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), o->n_chunks, fill_chunk, o, err));
    release->row_order = o->dealt;
    o->dealt = NULL;
    memcpy(release->row_order, o->data->row[0], o->n * sizeof *release->row_order);
    return COVEY_OK;
}

static covey_status order_rows(struct ordering *o, const covey_run *run, covey_error *err)
{
    const size_t n_slices = o->data->n_slices;

    for (size_t s = 0; s < n_slices; s++) {
        if (n_numbers(o, s) == 0)
            COVEY_TRY(rank_rows(o, s, run, err));
        o->row[s] = covey_i_array_full(o->n, sizeof *o->row[s]);
        o->key[s] = covey_i_array_full(o->n, sizeof *o->key[s]);
        if (!o->row[s] || !o->key[s])
            return no_memory(err);
    }
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), n_slices * o->n_chunks, order_chunk, o, err));
    for (size_t s = 0; s < n_slices; s++) {
        covey_i_free(o->rank[s]);
        o->rank[s] = NULL;
    }
    return COVEY_OK;
}

covey_status covey_i_sliced_order(covey_release *release, covey_sliced *data, const covey_problem *problem, const uint32_t *bucket_of_row,
                                  uint32_t n_buckets, const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    struct ordering o = {.problem = problem, .data = data, .n_buckets = n_buckets, .release = release,
                         .n_chunks = (size_t)covey_run_threads(run) * CHUNKS_PER_THREAD};
    covey_status status = COVEY_OK;

    o.row = covey_arena_array_zero(&arena, uint32_t *, data->n_slices);
    o.key = covey_arena_array_zero(&arena, uint32_t *, data->n_slices);
    o.rank = covey_arena_array_zero(&arena, uint32_t *, data->n_slices);
    if (!o.row || !o.key || !o.rank)
        status = no_memory(err);
    else if ((status = deal_rows(&o, bucket_of_row, &arena, err)) == COVEY_OK && (status = order_rows(&o, run, err)) == COVEY_OK &&
             (status = order_buckets(&o, run, &arena, err)) == COVEY_OK)
        status = fill(&o, run, err);
    for (size_t s = 0; o.row && o.key && o.rank && s < data->n_slices; s++) {
        covey_i_free(o.row[s]);
        covey_i_free(o.key[s]);
        covey_i_free(o.rank[s]);
    }
    covey_i_free(o.dealt);
    covey_arena_free(&arena);
    return status;
}
