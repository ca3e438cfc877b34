/* Sorting buckets by what they publish.  Pieces become numbers first: what is sorted and moved then are these, bucket
 * by bucket, and never rows of the table. */
#include "release/sliced/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort/find.h"
#include "base/sort/sort.h"
#include "base/sort/keys.h"
#include "base/threads.h"
#include "release/sliced/pieces.h"

enum { CHUNKS_PER_THREAD = 4, LEAD = 2, FEW_RESTS = 24 };

struct ordering {
    covey_release *release;
    covey_sliced *data;
    covey_dealt *dealt;
    const uint32_t *start;
    uint32_t n_buckets;
    const uint32_t *number; /* [rows of the dealt table] of the slice that is sorted */
    covey_pieces *sorting;
    void **line;          /* [n_slices] of the data, before buckets are in order */
    uint32_t *by_order;   /* [n_buckets] */
    uint32_t *lead[LEAD]; /* [n_buckets] a bucket's first two pieces of the first column: 0: it has one only */
    int *n_bits;          /* [n_slices] of a number from 1 to n_numbers */
    size_t n_chunks;
    uint32_t *bound; /* [n_chunks + 1] in by_order */
};

/* --- lines of a bucket --- */

/* The bucket that begins a chunk: chunks have about as many rows. */
static uint32_t begin_of(const struct ordering *o, size_t chunk)
{
    const uint32_t row = (uint32_t)((uint64_t)o->start[o->n_buckets] * chunk / o->n_chunks);

    return covey_i_find_from(o->start, 0, o->n_buckets, row);
}

/* Sorts the pieces of some buckets. */
static covey_status sort_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct ordering *o = context;
    void *line = o->sorting->line;
    const int width = o->sorting->width;
    const uint32_t begin = begin_of(o, chunk), end = begin_of(o, chunk + 1);
    uint32_t most = 0;
    uint64_t *word;

    for (uint32_t b = begin; b < end; b++)
        most = o->start[b + 1] - o->start[b] > most ? o->start[b + 1] - o->start[b] : most;
    if (!(word = covey_i_array(2 * (size_t)most, sizeof *word)))
        return covey_i_no_memory(err);
    for (uint32_t b = begin; b < end; b++) {
        const uint32_t start = o->start[b], n = o->start[b + 1] - start;

        for (uint32_t i = 0; i < n; i++)
            word[i] = o->number[o->dealt->row[start + i]];
        covey_i_sort_u64(word, word + most, n, 32);
        for (uint32_t i = 0; i < n; i++)
            covey_i_codes_put(line, width, start + i, (uint32_t)word[i]);
    }
    covey_i_free(word);
    return COVEY_OK;
}

static covey_status sort_lines(struct ordering *o, const covey_run *run, covey_error *err)
{
    uint32_t *number = covey_i_array_full(o->dealt->table->n_rows, sizeof *number);
    covey_status status = number ? COVEY_OK : covey_i_no_memory(err);

    o->number = number;
    for (size_t s = 0; s < o->data->n_slices && status == COVEY_OK; s++) {
        o->sorting = &o->data->pieces[s];
        status = covey_i_pieces_number(o->sorting, number, &o->data->slice[s], o->dealt, run, err);
        if (status == COVEY_OK && !(o->sorting->line = covey_i_array_full(o->dealt->n, (size_t)o->sorting->width)))
            status = covey_i_no_memory(err);
        if (status == COVEY_OK)
            status = covey_i_parallel(covey_run_threads(run), o->n_chunks, sort_chunk, o, err);
    }
    covey_i_free(number);
    covey_i_pieces_clear_dealt_rows(o->dealt);
    return status;
}

/* --- buckets --- */

/* What comes after the lead of a bucket, as many of its pieces as fit a word: each a number from 1, and 0 behind the
 * last one of a column, as a bucket whose pieces all begin another's comes first. */
struct rest {
    uint64_t word;
    uint32_t bucket;
};

static uint64_t word_of(const struct ordering *o, uint32_t bucket)
{
    const uint32_t start = o->start[bucket], n = o->start[bucket + 1] - start;
    int left = 64;
    uint64_t word = 0;

    for (size_t s = 0; s < o->data->n_slices; s++)
        for (uint32_t i = s == 0 ? LEAD : 0; i <= n; i++) {
            if (left < o->n_bits[s])
                return word;
            left -= o->n_bits[s];
            word |= (i < n ? (uint64_t)covey_i_sliced_piece(o->data, s, start + i) + 1 : 0) << left;
        }
    return word;
}

/* Column by column: piece by piece. */
static int compare_buckets(const struct ordering *o, uint32_t x, uint32_t y)
{
    const uint32_t size_x = o->start[x + 1] - o->start[x], size_y = o->start[y + 1] - o->start[y];

    for (size_t s = 0; s < o->data->n_slices; s++)
        for (uint32_t i = 0; i < size_x || i < size_y; i++) {
            uint32_t p, q;

            if (i >= size_x || i >= size_y)
                return i >= size_x ? -1 : 1;
            p = covey_i_sliced_piece(o->data, s, o->start[x] + i);
            q = covey_i_sliced_piece(o->data, s, o->start[y] + i);
            if (p != q)
                return p < q ? -1 : 1;
        }
    return 0;
}

static int compare_rests(const void *a, const void *b, void *context)
{
    const struct rest *x = a, *y = b;

    return x->word != y->word ? (x->word < y->word ? -1 : 1) : compare_buckets(context, x->bucket, y->bucket);
}

static bool same_lead(const struct ordering *o, uint32_t i)
{
    const uint32_t x = o->by_order[i], y = o->by_order[i - 1];

    return o->lead[0][x] == o->lead[0][y] && o->lead[1][x] == o->lead[1][y];
}

static void sort_rests(struct rest *rest, uint32_t n, struct ordering *o)
{
    if (n > FEW_RESTS) {
        qsort_r(rest, n, sizeof *rest, compare_rests, o);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        const struct rest one = rest[i];
        uint32_t at = i;

        for (; at > 0 && compare_rests(&rest[at - 1], &one, o) > 0; at--)
            rest[at] = rest[at - 1];
        rest[at] = one;
    }
}

/* Sorts n buckets that begin alike. */
static covey_status settle(struct ordering *o, uint32_t *bucket, uint32_t n, struct rest **room, uint32_t *most,
                           covey_error *err)
{
    struct rest *rest;

    if (n > *most) {
        covey_i_free(*room);
        *most = n;
        if (!(*room = covey_i_array(n, sizeof **room)))
            return covey_i_no_memory(err);
    }
    rest = *room;
    for (uint32_t i = 0; i < n; i++)
        rest[i] = (struct rest){word_of(o, bucket[i]), bucket[i]};
    sort_rests(rest, n, o);
    for (uint32_t i = 0; i < n; i++)
        bucket[i] = rest[i].bucket;
    return COVEY_OK;
}

/* No chunk parts buckets that begin alike. */
static covey_status settle_chunk(void *context, size_t chunk, covey_error *err)
{
    struct ordering *o = context;
    struct rest *room = NULL;
    uint32_t most = 0;
    covey_status status = COVEY_OK;

    for (uint32_t i = o->bound[chunk], next; i < o->bound[chunk + 1] && status == COVEY_OK; i = next) {
        for (next = i + 1; next < o->bound[chunk + 1] && same_lead(o, next);)
            next++;
        if (next - i > 1)
            status = settle(o, o->by_order + i, next - i, &room, &most, err);
    }
    covey_i_free(room);
    return status;
}

static void find_bounds(struct ordering *o)
{
    for (size_t chunk = 0; chunk <= o->n_chunks; chunk++) {
        uint32_t at = (uint32_t)((uint64_t)o->n_buckets * chunk / o->n_chunks);

        while (at > 0 && at < o->n_buckets && same_lead(o, at))
            at++;
        o->bound[chunk] = at;
    }
}

static covey_status lead_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct ordering *o = context;

    for (uint32_t b = begin_of(o, chunk), end = begin_of(o, chunk + 1); b < end; b++) {
        const uint32_t start = o->start[b];

        o->by_order[b] = b;
        o->lead[0][b] = covey_i_sliced_piece(o->data, 0, start);
        o->lead[1][b] = o->start[b + 1] - start > 1 ? covey_i_sliced_piece(o->data, 0, start + 1) + 1 : 0;
    }
    return COVEY_OK;
}

static covey_status order_buckets(struct ordering *o, const covey_run *run, covey_error *err)
{
    const uint32_t n_numbers = o->data->pieces[0].n_numbers;
    covey_sort_key key[LEAD];

    o->by_order = covey_i_array_full(o->n_buckets, sizeof *o->by_order);
    for (int i = 0; i < LEAD; i++) {
        o->lead[i] = covey_i_array_full(o->n_buckets, sizeof **o->lead);
        key[i] = (covey_sort_key){.codes = o->lead[i], .width = sizeof **o->lead, .n_values = n_numbers + (uint32_t)i};
    }
    o->bound = covey_i_array(o->n_chunks + 1, sizeof *o->bound);
    o->n_bits = covey_i_array_zero(o->data->n_slices, sizeof *o->n_bits);
    if (!o->by_order || !o->lead[0] || !o->lead[1] || !o->bound || !o->n_bits)
        return covey_i_no_memory(err);
    for (size_t s = 0; s < o->data->n_slices; s++)
        while ((uint64_t)o->data->pieces[s].n_numbers >> o->n_bits[s])
            o->n_bits[s]++;
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), o->n_chunks, lead_chunk, o, err));
    COVEY_TRY(covey_i_sort_rows_by_keys(o->by_order, o->n_buckets, key, LEAD, run, err));
    find_bounds(o);
    return covey_i_parallel(covey_run_threads(run), o->n_chunks, settle_chunk, o, err);
}

/* --- lines of the release --- */

static void move_pieces(const struct ordering *o, const covey_pieces *pieces, const void *from, uint32_t begin,
                        uint32_t end)
{
    const int width = pieces->width;

    for (uint32_t i = begin; i < end; i++) {
        const uint32_t at = o->release->class_start[i], size = o->release->class_start[i + 1] - at,
                       start = o->start[o->by_order[i]];

        memcpy(covey_i_codes_from(pieces->line, width, at), covey_i_codes_from(from, width, start),
               size * (size_t)width);
    }
}

/* Copies the lines of some buckets, for all columns. */
static covey_status move_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct ordering *o = context;
    const uint32_t begin = (uint32_t)((uint64_t)o->n_buckets * chunk / o->n_chunks),
                   end = (uint32_t)((uint64_t)o->n_buckets * (chunk + 1) / o->n_chunks);

    for (size_t s = 0; s < o->data->n_slices; s++)
        move_pieces(o, &o->data->pieces[s], o->line[s], begin, end);
    return COVEY_OK;
}

static covey_status move_lines(struct ordering *o, const covey_run *run, covey_error *err)
{
    covey_release *release = o->release;
    uint32_t at = 0;

    for (int i = 0; i < LEAD; i++) {
        covey_i_free(o->lead[i]);
        o->lead[i] = NULL;
    }
    if (!(release->class_start = covey_i_array_full((size_t)o->n_buckets + 1, sizeof *release->class_start)))
        return covey_i_no_memory(err);
    for (size_t s = 0; s < o->data->n_slices; s++) {
        covey_pieces *pieces = &o->data->pieces[s];

        o->line[s] = pieces->line;
        if (!(pieces->line = covey_i_array_full(o->dealt->n, (size_t)pieces->width)))
            return covey_i_no_memory(err);
    }
    for (uint32_t i = 0; i < o->n_buckets; i++) {
        release->class_start[i] = at;
        at += o->start[o->by_order[i] + 1] - o->start[o->by_order[i]];
    }
    release->class_start[o->n_buckets] = at;
    release->n_classes = o->n_buckets;
    release->n_published = at;
    return covey_i_parallel(covey_run_threads(run), o->n_chunks, move_chunk, o, err);
}

covey_status covey_i_sliced_order(covey_release *release, covey_dealt *dealt, const covey_run *run, covey_error *err)
{
    covey_sliced *data = release->form_data;
    struct ordering o = {.release = release,
                         .data = data,
                         .dealt = dealt,
                         .start = dealt->start,
                         .n_buckets = dealt->n_buckets,
                         .line = covey_i_array_zero(data->n_slices, sizeof *o.line),
                         .n_chunks = (size_t)covey_run_threads(run) * CHUNKS_PER_THREAD};
    covey_status status = o.line ? sort_lines(&o, run, err) : covey_i_no_memory(err);

    if (status == COVEY_OK)
        status = order_buckets(&o, run, err);
    if (status == COVEY_OK)
        status = move_lines(&o, run, err);
    for (size_t s = 0; o.line && s < data->n_slices; s++)
        covey_i_free(o.line[s]);
    covey_i_free(o.line);
    covey_i_free(o.by_order);
    covey_i_free(o.lead[0]);
    covey_i_free(o.lead[1]);
    covey_i_free(o.n_bits);
    covey_i_free(o.bound);
    return status;
}
