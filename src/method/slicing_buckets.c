/* Which rows stand together: a table is cut again and again, the widest attribute at its median, as long as both halves hold; closed buckets are
 * then parted into groups of rows with different sensitive values.
 *
 * With strict cuts two buckets differ in all values of some attribute, so that a row matches its own bucket only: the test of a bucket is
 * the test of the table (slicing.md, section 6, fact 1).  Otherwise it still suffices, because what an observer concludes is a weighted mean
 * over buckets (fact 2).
 * Source: [LiLiZhangMolloy12] section 4.3; slicing.md, sections 5.3, 5.4 and 7. */
#include "method/slicing_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/sort.h"
#include "method/slicing_cells.h"
#include "method/slicing_exact.h"
#include "method/slicing_groups.h"
#include "table/table_impl.h"

enum { SHUFFLE_STREAM = 0x736c6964, MOST_DIMS = 256, FEW_PAIRS = 1 << 12 };

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "buckets of slicing");
}

/* --- the test --- */

/* A number for every pair that there can be. */
static covey_status number_few(uint32_t *number, uint32_t *n_numbers, size_t n_pairs, const covey_column *column, const uint32_t *group, const covey_slicing *s,
                               covey_error *err)
{
    uint32_t *own = covey_i_array_zero(n_pairs, sizeof *own), n = 0;

    if (!own)
        return no_memory(err);
    for (uint32_t i = 0; i < s->n; i++) {
        const uint32_t row = s->row[i], code = covey_i_code(column, row);
        uint32_t *at = &own[(size_t)number[row] * column->n_values + (group ? group[code] : code)];

        if (*at == 0)
            *at = ++n;
        number[row] = *at - 1;
    }
    *n_numbers = n;
    covey_i_free(own);
    return COVEY_OK;
}

static covey_status number_many(uint32_t *number, uint32_t *n_numbers, const covey_column *column, const uint32_t *group, const covey_slicing *s, covey_error *err)
{
    size_t n_slots = 64;
    uint64_t *word;
    uint32_t *slot, n = 0;
    const covey_arena_mark mark = covey_arena_save(s->arena);

    while (n_slots < 2 * (size_t)s->n)
        n_slots *= 2;
    slot = covey_arena_array_zero(s->arena, uint32_t, n_slots);
    word = covey_arena_array(s->arena, uint64_t, s->n);
    if (!slot || !word)
        return no_memory(err);
    for (uint32_t i = 0; i < s->n; i++) {
        const uint32_t row = s->row[i], code = covey_i_code(column, row);
        const uint64_t own = (uint64_t)number[row] << 32 | (group ? group[code] : code);
        size_t at = covey_i_mix(own, 1) & (n_slots - 1);

        while (slot[at] != 0 && word[slot[at] - 1] != own)
            at = (at + 1) & (n_slots - 1);
        if (slot[at] == 0) {
            word[n] = own;
            slot[at] = ++n;
        }
        number[row] = slot[at] - 1;
    }
    *n_numbers = n;
    covey_arena_rewind(s->arena, mark);
    return COVEY_OK;
}

covey_status covey_i_slicing_refine(uint32_t *number, uint32_t *n_numbers, const covey_column *column, const covey_slicing *s, covey_error *err)
{
    return covey_i_slicing_refine_by(number, n_numbers, column, NULL, s, err);
}

covey_status covey_i_slicing_refine_by(uint32_t *number, uint32_t *n_numbers, const covey_column *column, const uint32_t *group, const covey_slicing *s,
                                       covey_error *err)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < s->n; i++)
        most = number[s->row[i]] > most ? number[s->row[i]] : most;
    return ((uint64_t)most + 1) * column->n_values <= (uint64_t)s->n + FEW_PAIRS
               ? number_few(number, n_numbers, ((size_t)most + 1) * column->n_values, column, group, s, err)
               : number_many(number, n_numbers, column, group, s, err);
}

covey_status covey_i_slicing_number_sets(covey_slicing *s, covey_error *err)
{
    const covey_slice *last = &s->slice[s->n_slices - 1];
    const uint32_t n_rows = s->problem->n_rows;

    s->set = covey_arena_array_zero(s->arena, uint32_t, n_rows);
    s->pair = covey_arena_array(s->arena, uint32_t, n_rows);
    if (!s->set || !s->pair)
        return no_memory(err);
    s->n_sets = 1;
    for (size_t f = 0; f + 1 < last->n_fields; f++)
        COVEY_TRY(covey_i_slicing_refine(s->set, &s->n_sets, s->problem->field[last->field[f]].column, s, err));
    memcpy(s->pair, s->set, n_rows * sizeof *s->pair);
    return covey_i_slicing_refine(s->pair, &s->n_pairs, s->problem->field[s->sensitive].column, s, err);
}

covey_status covey_i_slicing_test_new(covey_slicing_test *test, const covey_slicing *s, covey_error *err)
{
    *test = (covey_slicing_test){s, covey_arena_array_zero(s->arena, uint32_t, s->n_sets), covey_arena_array_zero(s->arena, uint32_t, s->n_pairs)};
    return test->set_count && test->pair_count ? COVEY_OK : no_memory(err);
}

bool covey_i_slicing_holds(covey_slicing_test *test, const uint32_t *row, uint32_t n)
{
    const covey_slicing *s = test->slicing;
    bool holds = true;

    for (uint32_t i = 0; i < n; i++) {
        test->set_count[s->set[row[i]]]++;
        test->pair_count[s->pair[row[i]]]++;
    }
    for (uint32_t i = 0; i < n && holds; i++)
        holds = (covey_i128)test->pair_count[s->pair[row[i]]] * s->l.num <= (covey_i128)test->set_count[s->set[row[i]]] * s->l.den;
    for (uint32_t i = 0; i < n; i++)
        test->set_count[s->set[row[i]]] = test->pair_count[s->pair[row[i]]] = 0;
    return holds;
}

/* --- cutting --- */

/* Items are rows, or cells of rows that never part. */
struct bucket {
    uint32_t start, n; /* in cutting->item */
    uint32_t number;   /* of the exact test */
};

struct cutting {
    covey_slicing *s;
    covey_slicing_cells *cells; /* NULL: items are rows */
    uint32_t *item, n_items;    /* s->row, or cells */
    covey_slicing_test test;
    covey_slicing_joined *joined; /* the test where the sensitive attribute stands in several columns; NULL: in one */
    covey_slicing_exact *exact; /* NULL: every set of every bucket must hold by itself, which is exact where cuts are strict */
    size_t n_dims;
    size_t *dim;              /* fields that are cut: all but the sensitive one, in order */
    int64_t *whole;           /* [n_dims] width of the table */
    uint32_t *by_rank;        /* [n] by content */
    uint32_t *scratch;        /* [n] items; this and the next three only for rows */
    uint32_t *rank;           /* [rows of the table] */
    uint64_t *word, *word_scratch; /* [n] */
    struct bucket *queue, *closed; /* [2 * n_items + 1], [n_items] */
    uint32_t head, tail, n_closed;
};

/* Numbers: max - min; others: how far apart they stand in the attribute's order.  A missing number beside others is as wide as it gets. */
static int64_t width_of(const covey_column *column, uint32_t low, uint32_t high, int64_t whole)
{
    if (low == high)
        return 0;
    if (!covey_column_is_number(column) || !column->number)
        return (int64_t)high - low;
    if (column->has_null && low == 0)
        return whole;
    return column->number[high] - column->number[low];
}

static void find_ends(uint32_t *low, uint32_t *high, const covey_column *column, const uint32_t *row, uint32_t n)
{
    *low = UINT32_MAX;
    *high = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t code = covey_i_code(column, row[i]);

        *low = code < *low ? code : *low;
        *high = code > *high ? code : *high;
    }
}

struct ends {
    uint32_t low, high;
};

/* Dimensions of a bucket, the relatively widest first, ties to the earlier one; those of width 0 are left out. */
static size_t rank_dims(size_t *order, struct ends *ends, const struct cutting *c, const uint32_t *item, uint32_t n)
{
    int64_t width[MOST_DIMS];
    size_t n_order = 0;

    for (size_t d = 0; d < c->n_dims; d++) {
        const covey_column *column = c->s->problem->field[c->dim[d]].column;
        uint32_t low, high;
        size_t at;

        if (c->cells)
            covey_i_slicing_cell_ends(&low, &high, c->cells, d, item, n);
        else
            find_ends(&low, &high, column, item, n);
        ends[d] = (struct ends){low, high};
        width[d] = width_of(column, low, high, c->whole[d]);
        if (low == high)
            continue;
        for (at = n_order++; at > 0; at--) { /* width / whole > width' / whole' */
            const size_t other = order[at - 1];

            if ((covey_i128)width[other] * c->whole[d] >= (covey_i128)width[d] * c->whole[other])
                break;
            order[at] = other;
        }
        order[at] = d;
    }
    return n_order;
}

/* Reorders the bucket's rows so that the left half comes first; returns its size.  Rows keep their order inside halves. */
static uint32_t part(struct cutting *c, size_t dim, uint32_t *row, uint32_t n)
{
    const covey_column *column = c->s->problem->field[c->dim[dim]].column;
    const uint32_t half = n - n / 2;
    uint32_t median, left = 0, right = 0;

    for (uint32_t i = 0; i < n; i++)
        c->word[i] = (uint64_t)covey_i_code(column, row[i]) << 32 | c->rank[row[i]];
    covey_i_sort_u64(c->word, c->word_scratch, n, 64);
    if (c->s->params->cut == 1) {
        for (uint32_t i = 0; i < n; i++)
            row[i] = c->by_rank[(uint32_t)c->word[i]];
        return half;
    }
    median = (uint32_t)(c->word[half - 1] >> 32);
    if (median == c->word[n - 1] >> 32) /* everything would go left: the maximum goes right instead */
        for (uint32_t i = n; i > 0 && c->word[i - 1] >> 32 == c->word[n - 1] >> 32; i--)
            median = i > 1 ? (uint32_t)(c->word[i - 2] >> 32) : 0;
    for (uint32_t i = 0; i < n; i++)
        if (covey_i_code(column, row[i]) <= median)
            row[left++] = row[i];
        else
            c->scratch[right++] = row[i];
    memcpy(row + left, c->scratch, right * sizeof *row);
    return left;
}

/* Does the table hold with these parts in the place of the bucket?  *first: number of the first part. */
static covey_status try_parts(bool *holds, uint32_t *first, struct cutting *c, struct bucket bucket, const uint32_t *row, const uint32_t *end, uint32_t n_parts,
                              covey_error *err)
{
    *first = 0;
    *holds = true;
    for (uint32_t p = 0; c->cells && p < n_parts && *holds; p++)
        *holds = covey_i_slicing_cells_hold(c->cells, row + (p ? end[p - 1] : 0), end[p] - (p ? end[p - 1] : 0));
    if (c->cells)
        return COVEY_OK;
    for (uint32_t p = 0; c->joined && p < n_parts && *holds; p++) {
        covey_slicing_joined_verdict verdict;

        COVEY_TRY(covey_i_slicing_joined_holds(&verdict, c->joined, row + (p ? end[p - 1] : 0), end[p] - (p ? end[p - 1] : 0), err));
        *holds = verdict.holds;
    }
    if (c->joined)
        return COVEY_OK;
    if (c->exact)
        return covey_i_slicing_exact_replace(holds, first, c->exact, bucket.number, row, end, n_parts, err);
    for (uint32_t p = 0; p < n_parts && *holds; p++)
        *holds = covey_i_slicing_holds(&c->test, row + (p ? end[p - 1] : 0), end[p] - (p ? end[p - 1] : 0));
    return COVEY_OK;
}

static covey_status cut(bool *done, struct cutting *c, struct bucket bucket, covey_error *err)
{
    uint32_t *item = c->item + bucket.start, first;
    struct ends ends[MOST_DIMS];
    size_t order[MOST_DIMS];
    const size_t n_order = rank_dims(order, ends, c, item, bucket.n);

    *done = false;
    for (size_t i = 0; i < n_order && !*done && (i == 0 || !c->s->params->first_dimension_only); i++) {
        const struct ends *e = &ends[order[i]];
        const uint32_t left = c->cells ? covey_i_slicing_cell_part(c->cells, order[i], item, bucket.n, e->low, e->high)
                                       : part(c, order[i], item, bucket.n);

        COVEY_TRY(try_parts(done, &first, c, bucket, item, (uint32_t[]){left, bucket.n}, 2, err));
        if (*done) {
            c->queue[c->tail++] = (struct bucket){bucket.start, left, first};
            c->queue[c->tail++] = (struct bucket){bucket.start + left, bucket.n - left, first + 1};
        }
    }
    return COVEY_OK;
}

static covey_status find_dims(struct cutting *c, covey_error *err)
{
    const covey_slicing *s = c->s;

    c->dim = covey_arena_array(s->arena, size_t, s->problem->n_fields);
    c->whole = covey_arena_array(s->arena, int64_t, s->problem->n_fields);
    if (!c->dim || !c->whole)
        return no_memory(err);
    for (size_t f = 0; f < s->problem->n_fields; f++) {
        const covey_column *column = s->problem->field[f].column;
        uint32_t low, high;

        if (f == s->sensitive)
            continue;
        if (c->n_dims == MOST_DIMS)
            return covey_fail(err, COVEY_EINVAL, "slicing can cut 256 attributes at most");
        find_ends(&low, &high, column, s->row, s->n);
        c->whole[c->n_dims] = covey_column_is_number(column) && column->number && high > low
                                  ? column->number[high] - column->number[column->has_null && low == 0 && high > 1 ? 1 : low]
                                  : (int64_t)high - low;
        if (c->whole[c->n_dims] <= 0)
            c->whole[c->n_dims] = 1;
        c->dim[c->n_dims++] = f;
    }
    return COVEY_OK;
}

/* Cells are cut in the place of rows. */
static covey_status start_cells(struct cutting *c, covey_error *err)
{
    COVEY_TRY(covey_i_slicing_cells_new(&c->cells, c->s, c->dim, c->n_dims, err));
    c->by_rank = c->s->row;
    c->n_items = covey_i_slicing_n_cells(c->cells);
    if (!(c->item = covey_arena_array(c->s->arena, uint32_t, c->n_items)))
        return no_memory(err);
    for (uint32_t i = 0; i < c->n_items; i++)
        c->item[i] = i;
    return COVEY_OK;
}

static covey_status start_rows(struct cutting *c, covey_error *err)
{
    const covey_slicing *s = c->s;

    c->item = s->row;
    c->n_items = s->n;
    c->scratch = covey_arena_array(s->arena, uint32_t, s->n);
    c->rank = covey_arena_array(s->arena, uint32_t, s->problem->n_rows);
    c->by_rank = covey_arena_array(s->arena, uint32_t, s->n);
    c->word = covey_arena_array(s->arena, uint64_t, s->n);
    c->word_scratch = covey_arena_array(s->arena, uint64_t, s->n);
    if (!c->scratch || !c->rank || !c->by_rank || !c->word || !c->word_scratch)
        return no_memory(err);
    for (uint32_t i = 0; i < s->n; i++) {
        c->rank[s->row[i]] = i;
        c->by_rank[i] = s->row[i];
    }
    return COVEY_OK;
}

static covey_status start_cutting(struct cutting *c, covey_slicing *s, bool by_cells, covey_error *err)
{
    *c = (struct cutting){.s = s};
    COVEY_TRY(find_dims(c, err));
    COVEY_TRY(by_cells ? start_cells(c, err) : start_rows(c, err));
    c->queue = covey_arena_array(s->arena, struct bucket, 2 * (size_t)c->n_items + 1);
    c->closed = covey_arena_array(s->arena, struct bucket, c->n_items);
    return c->queue && c->closed ? covey_i_slicing_test_new(&c->test, s, err) : no_memory(err);
}

static covey_status cut_table(struct cutting *c, const covey_run *run, covey_error *err)
{
    c->queue[c->tail++] = (struct bucket){0, c->n_items, 0};
    while (c->head < c->tail) {
        const struct bucket bucket = c->queue[c->head++];
        bool done = false;

        if ((c->head & 1023) == 0 && run && run->progress && !run->progress(run->context, "cut into buckets", c->head, 0))
            return covey_fail(err, COVEY_ECANCELLED, "cancelled");
        if (bucket.n >= 2)
            COVEY_TRY(cut(&done, c, bucket, err));
        if (!done)
            c->closed[c->n_closed++] = bucket;
    }
    return COVEY_OK;
}

/* --- random buckets --- */

/* Dealing rows out in the order of their sensitive values gives every bucket about the table's share of each. */
static covey_status deal(struct cutting *c, const covey_run *run, covey_error *err)
{
    covey_slicing *s = c->s;
    const uint32_t size = (uint32_t)(s->params->bucket_size < s->n ? s->params->bucket_size : s->n);
    const uint32_t n_buckets = s->n / size > 0 ? s->n / size : 1;
    uint32_t *end = covey_arena_array(s->arena, uint32_t, n_buckets), number;
    unsigned char key[32];
    covey_rng rng;
    bool holds;

    if (!end)
        return no_memory(err);
    COVEY_TRY(covey_i_rng_key(key, run, err));
    covey_i_rng_init(&rng, key, SHUFFLE_STREAM);
    explicit_bzero(key, sizeof key);
    for (uint32_t i = s->n; i > 1; i--) {
        const uint32_t j = (uint32_t)covey_i_rng_below(&rng, i), row = s->row[i - 1];

        s->row[i - 1] = s->row[j];
        s->row[j] = row;
    }
    covey_i_rng_wipe(&rng);
    for (uint32_t i = 0; i < s->n; i++)
        c->word[i] = (uint64_t)s->pair[s->row[i]] << 32 | i;
    covey_i_sort_u64(c->word, c->word_scratch, s->n, 64);
    memcpy(c->scratch, s->row, s->n * sizeof *s->row);
    for (uint32_t b = 0, at = 0; b < n_buckets; b++) {
        const uint32_t first = at;

        for (uint32_t i = b; i < s->n; i += n_buckets)
            s->row[at++] = c->scratch[(uint32_t)c->word[i]];
        c->closed[c->n_closed++] = (struct bucket){first, at - first, 0};
        end[b] = at;
    }
    COVEY_TRY(try_parts(&holds, &number, c, (struct bucket){0, s->n, 0}, s->row, end, n_buckets, err));
    return holds ? COVEY_OK
                 : covey_fail(err, COVEY_EINFEASIBLE, "buckets of %u rows at random break the promise, even with the sensitive values dealt out evenly: "
                                                      "take a larger bucket-size or a smaller l", size);
}

/* --- groups inside closed buckets --- */

/* Sorts rows by their buckets, numbered below n_buckets: end[b] behind the last of bucket b. */
static covey_status gather(uint32_t **row_out, uint32_t **end_out, const uint32_t *row, uint32_t n, const uint32_t *bucket_of_row, uint32_t first,
                           uint32_t n_buckets, covey_arena *arena, covey_error *err)
{
    uint32_t *sorted = covey_arena_array(arena, uint32_t, n), *end = covey_arena_array_zero(arena, uint32_t, (size_t)n_buckets + 1);

    if (!sorted || !end)
        return no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        end[bucket_of_row[row[i]] - first + 1]++;
    for (uint32_t b = 0; b < n_buckets; b++)
        end[b + 1] += end[b];
    for (uint32_t i = 0; i < n; i++) /* from where the bucket before ends to its own end */
        sorted[end[bucket_of_row[row[i]] - first]++] = row[i];
    *row_out = sorted;
    *end_out = end;
    return COVEY_OK;
}

/* Where some set of a bucket has too large a share, which others make up for, groups may take away what does. */
static covey_status part_carefully(covey_slicing_groups *p, struct cutting *c, struct bucket bucket, covey_error *err)
{
    const uint32_t first = p->n_buckets;
    uint32_t *row, *end, number;
    bool holds;

    covey_i_slicing_part(p, &c->test, c->s->row + bucket.start, bucket.n);
    if (p->n_buckets - first < 2)
        return COVEY_OK;
    COVEY_TRY(gather(&row, &end, c->s->row + bucket.start, bucket.n, p->bucket_of_row, first, p->n_buckets - first, c->s->arena, err));
    COVEY_TRY(try_parts(&holds, &number, c, bucket, row, end, p->n_buckets - first, err));
    if (holds)
        return COVEY_OK; /* the test keeps what it has of the groups */
    for (uint32_t i = 0; i < bucket.n; i++)
        p->bucket_of_row[c->s->row[bucket.start + i]] = first;
    p->n_buckets = first + 1;
    return COVEY_OK;
}

static uint32_t rows_of(const struct cutting *c, struct bucket bucket)
{
    return c->cells ? covey_i_slicing_cell_rows(NULL, c->cells, c->by_rank, c->item + bucket.start, bucket.n) : bucket.n;
}

/* The rows of a bucket; room: for those of the largest. */
static uint32_t *list_rows(uint32_t *room, const struct cutting *c, struct bucket bucket)
{
    if (!c->cells)
        return c->s->row + bucket.start;
    covey_i_slicing_cell_rows(room, c->cells, c->by_rank, c->item + bucket.start, bucket.n);
    return room;
}

static covey_status room_for_rows(uint32_t **room, uint32_t *most, const struct cutting *c, covey_error *err)
{
    *most = 0;
    for (uint32_t b = 0; b < c->n_closed; b++) {
        const uint32_t n = rows_of(c, c->closed[b]);

        *most = n > *most ? n : *most;
    }
    return (*room = covey_arena_array(c->s->arena, uint32_t, *most)) ? COVEY_OK : no_memory(err);
}

static covey_status part_closed(struct cutting *c, uint32_t *bucket_of_row, uint32_t *n_buckets, const covey_run *run, covey_error *err)
{
    covey_slicing *s = c->s;
    const bool is_delicate = c->exact && covey_i_slicing_exact_hot(c->exact) > 0;
    covey_slicing_groups p;
    uint32_t *room, most;
    covey_status status;

    COVEY_TRY(room_for_rows(&room, &most, c, err));
    status = covey_i_slicing_groups_start(&p, s, most, bucket_of_row, run, err);
    for (uint32_t b = 0; b < c->n_closed && status == COVEY_OK; b++)
        if (is_delicate)
            status = part_carefully(&p, c, c->closed[b], err);
        else
            covey_i_slicing_part(&p, &c->test, list_rows(room, c, c->closed[b]), rows_of(c, c->closed[b]));
    covey_i_rng_wipe(&p.rng);
    *n_buckets = p.n_buckets;
    return status;
}

/* Cuts that were tested by the weights of the paper must hold by what really follows. */
static covey_status check_weights(covey_slicing *s, const uint32_t *bucket_of_row, uint32_t n_buckets, covey_error *err)
{
    covey_slicing_exact *exact;
    uint32_t *row, *end, number;
    bool holds;

    COVEY_TRY(covey_i_slicing_exact_new(&exact, s, false, err));
    COVEY_TRY(gather(&row, &end, s->row, s->n, bucket_of_row, 0, n_buckets, s->arena, err));
    COVEY_TRY(covey_i_slicing_exact_replace(&holds, &number, exact, 0, row, end, n_buckets, err));
    return holds ? COVEY_OK
                 : covey_fail(err, COVEY_EINFEASIBLE, "weight: paper takes all matching buckets for equally likely, whatever their size, and allows buckets from which "
                                                      "more follows than sliced-l-diversity promises: leave it at size, or take cut: strict");
}

static bool parts_closed(const covey_slicing *s)
{
    return s->n_holding == 1 && s->params->anatomize != COVEY_ANATOMIZE_FALSE && s->params->anatomize != COVEY_ANATOMIZE_NO;
}

static covey_status make_buckets(uint32_t *bucket_of_row, uint32_t *n_buckets, struct cutting *c, const covey_run *run, covey_error *err)
{
    covey_slicing *s = c->s;
    uint32_t *room, most;

    COVEY_TRY(s->params->buckets == 1 ? deal(c, run, err) : cut_table(c, run, err));
    if (s->params->buckets == 0 && parts_closed(s) && s->l.num > s->l.den)
        return part_closed(c, bucket_of_row, n_buckets, run, err);
    COVEY_TRY(room_for_rows(&room, &most, c, err));
    for (uint32_t b = 0; b < c->n_closed; b++) {
        const uint32_t *row = list_rows(room, c, c->closed[b]), n = rows_of(c, c->closed[b]);

        for (uint32_t i = 0; i < n; i++)
            bucket_of_row[row[i]] = b;
    }
    *n_buckets = c->n_closed;
    return COVEY_OK;
}

covey_status covey_i_slicing_buckets(uint32_t *bucket_of_row, uint32_t *n_buckets, covey_slicing *s, const covey_run *run, covey_error *err)
{
    const bool separates = s->params->buckets == 0 && s->params->cut == 0; /* a signature matches one bucket only */
    bool holds = true;
    struct cutting c;

    COVEY_TRY(start_cutting(&c, s, separates && s->n_holding == 1, err));
    if (s->n_holding > 1) /* what holds in every bucket holds for all that match: no cut needs to look further */
        COVEY_TRY(covey_i_slicing_joined_new(&c.joined, s, err));
    else if (!separates)
        COVEY_TRY(covey_i_slicing_exact_new(&c.exact, s, s->params->weight == 1, err));
    COVEY_TRY(make_buckets(bucket_of_row, n_buckets, &c, run, err));
    if (s->params->weight == 1) /* not with several such columns */
        return separates ? COVEY_OK : check_weights(s, bucket_of_row, *n_buckets, err);
    if (c.exact && s->params->buckets == 0)
        COVEY_TRY(covey_i_slicing_exact_check(&holds, c.exact, err));
    if (holds)
        return COVEY_OK;
    /* Nobody could check these buckets: there are too many signatures.  So every set must hold by itself. */
    c.exact = NULL;
    c.head = c.tail = c.n_closed = 0;
    memcpy(s->row, c.by_rank, s->n * sizeof *s->row);
    return make_buckets(bucket_of_row, n_buckets, &c, run, err);
}
