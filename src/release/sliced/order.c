/* Sorting buckets by what they publish.  Pieces become numbers first: what is sorted and moved then are these, bucket
 * by bucket, and never rows of the table.
 *
 * What a bucket holds is written into a word from the left, so that words have the order of buckets, and all of most
 * buckets fits: words are sorted where they lie together, while the lines of buckets that are neighbours in the end lie
 * far from each other. */
#include "release/sliced/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort/find.h"
#include "base/sort/keys.h"
#include "base/sort/sort.h"
#include "base/threads.h"
#include "release/sliced/pieces.h"

enum { CHUNKS_PER_THREAD = 4, FEW_PIECES = 8, AHEAD = 64, HALF = 32, WORD = 64 };

struct ordering {
    covey_release *release;
    covey_sliced *data;
    covey_dealt *dealt;
    const uint32_t *start;
    uint32_t n_buckets;
    void **line;     /* [n_slices] of the data, before buckets are in order */
    uint32_t *lower; /* [n_buckets] half of a bucket's word */
    uint64_t *order; /* [n_buckets] the upper half, above the bucket's number */
    int *n_bits;     /* [n_slices] of a piece */
    size_t n_chunks;
    uint32_t *bound; /* [n_chunks + 1] in order */
};

/* --- lines of a bucket --- */

/* The bucket that begins a chunk: chunks have about as many rows. */
static uint32_t begin_of(const struct ordering *o, size_t chunk)
{
    const uint32_t row = (uint32_t)((uint64_t)o->start[o->n_buckets] * chunk / o->n_chunks);

    return covey_i_find_from(o->start, 0, o->n_buckets, row);
}

/* Without a branch: nobody can guess which of few pieces is the larger one. */
static void sort_few(uint64_t *piece, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = i; k > 0; k--) {
            const uint64_t one = piece[k - 1], other = piece[k];

            piece[k - 1] = one < other ? one : other;
            piece[k] = one < other ? other : one;
        }
}

/* The pieces of n rows in a column, ascending.  piece: [2 * n] */
static void sort_pieces(uint64_t *piece, const covey_pieces *pieces, const uint32_t *row, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        piece[i] = covey_i_codes_get(pieces->of_dealt, pieces->width, row[i]);
    if (n <= FEW_PIECES)
        sort_few(piece, n);
    else
        covey_i_sort_u64(piece, piece + n, n, 32);
}

/* --- words --- */

/* A word on its way: what does not fit any more is cut off. */
struct writing {
    uint64_t word;
    int left; /* bits; -1: something was cut off */
};

/* n_bits > 0 */
static void append(struct writing *w, uint64_t digits, int n_bits)
{
    if (n_bits <= w->left)
        w->word |= digits << (w->left - n_bits);
    else if (w->left > 0)
        w->word |= digits >> (n_bits - w->left);
    w->left = n_bits <= w->left ? w->left - n_bits : -1;
}

/* Behind each piece of the first column stands what comes next: 0 for none, as a bucket whose pieces all begin
 * another's comes first, 10 for the same piece, 11 in front of a larger one.  Whoever agrees there has as many pieces
 * in all columns. */
static void append_first(struct writing *w, const uint64_t *piece, uint32_t n, int n_bits)
{
    append(w, piece[0], n_bits);
    for (uint32_t i = 1; i < n && w->left >= 0; i++) {
        append(w, piece[i] == piece[i - 1] ? 2 : 3, 2);
        if (piece[i] != piece[i - 1])
            append(w, piece[i], n_bits);
    }
    append(w, 0, 1);
}

/* Writes the lines of a bucket and its word, column by column.  room: twice as many as it has rows */
static void write_bucket(const struct ordering *o, uint32_t bucket, uint64_t *room)
{
    const uint32_t start = o->start[bucket], n = o->start[bucket + 1] - start;
    struct writing w = {0, WORD - 1};
    uint64_t word;

    for (size_t s = 0; s < o->data->n_slices; s++) {
        const covey_pieces *pieces = &o->data->pieces[s];

        sort_pieces(room, pieces, o->dealt->row + start, n);
        for (uint32_t i = 0; i < n; i++)
            covey_i_codes_put(pieces->line, pieces->width, start + i, (uint32_t)room[i]);
        if (s == 0)
            append_first(&w, room, n, o->n_bits[s]);
        for (uint32_t i = 0; s > 0 && i < n && w.left >= 0; i++)
            append(&w, room[i], o->n_bits[s]);
    }
    word = w.word << 1 | (w.left < 0);
    o->lower[bucket] = (uint32_t)word;
    o->order[bucket] = word >> HALF << HALF | bucket;
}

static covey_status write_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct ordering *o = context;
    const uint32_t begin = begin_of(o, chunk), end = begin_of(o, chunk + 1);
    uint32_t most = 0;
    uint64_t *room;

    for (uint32_t b = begin; b < end; b++)
        most = o->start[b + 1] - o->start[b] > most ? o->start[b + 1] - o->start[b] : most;
    if (!(room = covey_i_array(2 * (size_t)most, sizeof *room)))
        return covey_i_no_memory(err);
    for (uint32_t b = begin; b < end; b++)
        write_bucket(o, b, room);
    covey_i_free(room);
    return COVEY_OK;
}

static covey_status write_lines(struct ordering *o, const covey_run *run, covey_error *err)
{
    o->lower = covey_i_array_full(o->n_buckets, sizeof *o->lower);
    o->order = covey_i_array_full(o->n_buckets, sizeof *o->order);
    o->n_bits = covey_i_array(o->data->n_slices, sizeof *o->n_bits);
    if (!o->lower || !o->order || !o->n_bits)
        return covey_i_no_memory(err);
    for (size_t s = 0; s < o->data->n_slices; s++) {
        covey_pieces *pieces = &o->data->pieces[s];

        COVEY_TRY(covey_i_pieces_number(pieces, &o->data->slice[s], o->dealt, run, err));
        if (!(pieces->line = covey_i_array_full(o->dealt->n, (size_t)pieces->width)))
            return covey_i_no_memory(err);
        o->n_bits[s] = pieces->n_numbers > 1 ? covey_i_key_bits(pieces->n_numbers) : 1;
    }
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), o->n_chunks, write_chunk, o, err));
    covey_i_pieces_clear_dealt_rows(o->data, o->dealt);
    return COVEY_OK;
}

/* --- order --- */

static uint32_t bucket_at(const struct ordering *o, uint32_t place)
{
    return (uint32_t)o->order[place];
}

/* Column by column: piece by piece. */
static int compare_buckets(const void *a, const void *b, void *context)
{
    const struct ordering *o = context;
    const uint32_t x = (uint32_t) * (const uint64_t *)a, y = (uint32_t) * (const uint64_t *)b;
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

static uint32_t end_of_equal(const uint64_t *word, uint32_t begin, uint32_t end)
{
    uint32_t next = begin + 1;

    while (next < end && word[next] >> HALF == word[begin] >> HALF)
        next++;
    return next;
}

/* Sorts n buckets that agree in the upper half of their words by the lower one, and where that is the same, too, by
 * what did not fit.  room: [2 * n] */
static void settle(struct ordering *o, uint64_t *order, uint32_t n, uint64_t *room)
{
    const uint64_t upper = order[0] >> HALF << HALF;

    for (uint32_t i = 0; i < n; i++)
        room[i] = (uint64_t)o->lower[(uint32_t)order[i]] << HALF | (uint32_t)order[i];
    covey_i_sort_u64(room, room + n, n, WORD);
    for (uint32_t i = 0, next; i < n; i = next) {
        next = end_of_equal(room, i, n);
        if (next - i > 1 && (room[i] >> HALF & 1)) /* cut off */
            qsort_r(room + i, next - i, sizeof *room, compare_buckets, o);
    }
    for (uint32_t i = 0; i < n; i++)
        order[i] = upper | (uint32_t)room[i];
}

/* No chunk parts buckets that begin alike. */
static covey_status settle_chunk(void *context, size_t chunk, covey_error *err)
{
    struct ordering *o = context;
    const uint32_t end = o->bound[chunk + 1];
    uint64_t *room = NULL;
    uint32_t most = 0;

    for (uint32_t i = o->bound[chunk], next; i < end; i = next) {
        next = end_of_equal(o->order, i, end);
        if (next - i > most) {
            covey_i_free(room);
            most = next - i;
            if (!(room = covey_i_array(2 * (size_t)most, sizeof *room)))
                return covey_i_no_memory(err);
        }
        if (next - i > 1)
            settle(o, o->order + i, next - i, room);
    }
    covey_i_free(room);
    return COVEY_OK;
}

static void find_bounds(struct ordering *o)
{
    for (size_t chunk = 0; chunk <= o->n_chunks; chunk++) {
        uint32_t at = (uint32_t)((uint64_t)o->n_buckets * chunk / o->n_chunks);

        while (at > 0 && at < o->n_buckets && o->order[at] >> HALF == o->order[at - 1] >> HALF)
            at++;
        o->bound[chunk] = at;
    }
}

static covey_status order_buckets(struct ordering *o, const covey_run *run, covey_error *err)
{
    if (!(o->bound = covey_i_array(o->n_chunks + 1, sizeof *o->bound)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_sort_pairs(o->order, o->n_buckets, (uint64_t)1 << HALF, run, err));
    find_bounds(o);
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), o->n_chunks, settle_chunk, o, err));
    covey_i_free(o->lower);
    o->lower = NULL;
    return COVEY_OK;
}

/* --- lines of the release --- */

/* Chunks of buckets in their order. */
static uint32_t place_of(const struct ordering *o, size_t chunk)
{
    return (uint32_t)((uint64_t)o->n_buckets * chunk / o->n_chunks);
}

/* How many lines the buckets of a chunk have: in bound. */
static covey_status count_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct ordering *o = context;
    uint32_t n = 0;

    for (uint32_t i = place_of(o, chunk), end = place_of(o, chunk + 1); i < end; i++)
        n += o->start[bucket_at(o, i) + 1] - o->start[bucket_at(o, i)];
    o->bound[chunk] = n;
    return COVEY_OK;
}

/* Copies the pieces of n buckets, whose lines begin at from; to: [n + 1] where they go. */
static void move_pieces(const covey_pieces *pieces, const void *line, const uint32_t *from, const uint32_t *to,
                        uint32_t n)
{
    COVEY_CODES_TYPED(pieces->width, {
        covey_code *own = pieces->line;
        const covey_code *old = line;

        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < to[i + 1] - to[i]; k++)
                own[to[i] + k] = old[from[i] + k];
    });
}

/* Copies the lines of some buckets, for all columns: where they stand is looked up for many at once, as they lie
 * anywhere. */
static covey_status move_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct ordering *o = context;
    const uint32_t end = place_of(o, chunk + 1);
    uint32_t from[AHEAD], to[AHEAD + 1] = {o->bound[chunk]};

    for (uint32_t i = place_of(o, chunk), n; i < end; i += n, to[0] = to[n]) {
        n = end - i < AHEAD ? end - i : AHEAD;
        for (uint32_t k = 0; k < n; k++) {
            from[k] = o->start[bucket_at(o, i + k)];
            to[k + 1] = to[k] + o->start[bucket_at(o, i + k) + 1] - from[k];
        }
        memcpy(o->release->class_start + i, to, n * sizeof *to);
        for (size_t s = 0; s < o->data->n_slices; s++)
            move_pieces(&o->data->pieces[s], o->line[s], from, to, n);
    }
    return COVEY_OK;
}

static covey_status move_lines(struct ordering *o, const covey_run *run, covey_error *err)
{
    covey_release *release = o->release;
    uint32_t at = 0;

    if (!(release->class_start = covey_i_array_full((size_t)o->n_buckets + 1, sizeof *release->class_start)))
        return covey_i_no_memory(err);
    for (size_t s = 0; s < o->data->n_slices; s++) {
        covey_pieces *pieces = &o->data->pieces[s];

        o->line[s] = pieces->line;
        if (!(pieces->line = covey_i_array_full(o->dealt->n, (size_t)pieces->width)))
            return covey_i_no_memory(err);
    }
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), o->n_chunks, count_chunk, o, err));
    for (size_t chunk = 0; chunk <= o->n_chunks; chunk++) {
        const uint32_t n = chunk < o->n_chunks ? o->bound[chunk] : 0;

        o->bound[chunk] = at;
        at += n;
    }
    release->class_start[o->n_buckets] = at;
    release->n_classes = o->n_buckets;
    release->n_published = at;
    return covey_i_parallel(covey_run_threads(run), o->n_chunks, move_chunk, o, err);
}

/* The rows of buckets, where who publishes is to know them; they are given back otherwise. */
static covey_status move_rows(struct ordering *o, const uint32_t *row, covey_error *err)
{
    covey_release *release = o->release;

    if (!row)
        return COVEY_OK;
    if (!(release->row_order = covey_i_array_full(release->n_published, sizeof *release->row_order)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < o->n_buckets; i++)
        memcpy(release->row_order + release->class_start[i], row + o->start[bucket_at(o, i)],
               (release->class_start[i + 1] - release->class_start[i]) * sizeof *row);
    return COVEY_OK;
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
    covey_status status = o.line ? write_lines(&o, run, err) : covey_i_no_memory(err);

    if (status == COVEY_OK)
        status = order_buckets(&o, run, err);
    if (status == COVEY_OK)
        status = move_lines(&o, run, err);
    if (status == COVEY_OK)
        status = move_rows(&o, dealt->keeps_rows ? dealt->row : NULL, err);
    for (size_t s = 0; o.line && s < data->n_slices; s++)
        covey_i_free(o.line[s]);
    covey_i_free(o.line);
    covey_i_free(o.lower);
    covey_i_free(o.order);
    covey_i_free(o.n_bits);
    covey_i_free(o.bound);
    return status;
}
