/* A table is cut again and again, the widest attribute at its median, as long as both halves hold.
 *
 * With strict cuts two buckets differ in all values of some attribute, so that a row matches its own bucket only: the
 * test of a bucket is the test of the table.  Otherwise it still suffices, because what
 * an observer concludes is a weighted mean over buckets. Source: [LiLiZhangMolloy12] section 4.3. */
#include "method/slicing/cut.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/run.h"
#include "base/sort/sort.h"
#include "method/rows/bisect.h"
#include "table/table_impl.h"

enum { MOST_DIMS = 256, OPEN_BUCKETS = 64 };

/* Numbers: max - min; others: how far apart they stand in the attribute's order.  A missing number beside others is as
 * wide as it gets. */
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
    COVEY_CODES_TYPED(column->width, {
        const covey_code *code = column->codes;
        covey_code least = (covey_code)UINT32_MAX, most = 0;

        for (uint32_t i = 0; i < n; i++) {
            const covey_code own = code[row[i]];

            least = own < least ? own : least;
            most = own > most ? own : most;
        }
        *low = least;
        *high = most;
    });
}

/* Smallest and largest codes. */
struct ends {
    uint32_t low[MOST_DIMS], high[MOST_DIMS];
};

/* Dimensions of a bucket, the relatively widest first, ties to the earlier one; those of width 0 are left out. */
static size_t rank_dims(size_t *order, struct ends *ends, const covey_slicing_cutting *c, const uint32_t *item,
                        uint32_t n)
{
    int64_t width[MOST_DIMS];
    size_t n_order = 0;

    if (c->cells)
        covey_i_slicing_cell_ends(ends->low, ends->high, c->cells, item, n);
    for (size_t d = 0; d < c->n_dims; d++) {
        const covey_column *column = c->s->problem->field[c->dim[d]].column;
        size_t at;

        if (!c->cells)
            find_ends(&ends->low[d], &ends->high[d], column, item, n);
        width[d] = width_of(column, ends->low[d], ends->high[d], c->whole[d]);
        if (ends->low[d] == ends->high[d])
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

/* Reorders the bucket's rows so that the left half comes first; returns its size.  Rows keep their order inside halves.
 */
static uint32_t part_rows(covey_slicing_cutting *c, size_t dim, uint32_t *row, uint32_t n)
{
    const covey_column *column = c->s->problem->field[c->dim[dim]].column;
    const uint32_t half = n - n / 2;
    uint32_t median, left = 0, right = 0;

    for (uint32_t i = 0; i < n; i++)
        c->word[i] = (uint64_t)covey_i_code(column, row[i]) << 32 | c->rank[row[i]];
    covey_i_sort_u64(c->word, c->word_scratch, n, 64);
    if (c->s->params->cut == 1) {
        for (uint32_t i = 0; i < n; i++)
            row[i] = c->s->content[(uint32_t)c->word[i]];
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

covey_status covey_i_slicing_try_parts(bool *holds, uint32_t *first, covey_slicing_cutting *c,
                                       covey_slicing_bucket bucket, const uint32_t *item, const uint32_t *end,
                                       uint32_t n_parts, covey_error *err)
{
    *first = 0;
    *holds = true;
    for (uint32_t p = 0; c->joined && p < n_parts && *holds; p++) {
        covey_slicing_joined_verdict verdict;

        COVEY_TRY(covey_i_slicing_joined_holds(&verdict, c->joined, item + (p ? end[p - 1] : 0),
                                               end[p] - (p ? end[p - 1] : 0), err));
        *holds = verdict.holds;
    }
    if (c->joined)
        return COVEY_OK;
    if (c->exact)
        return covey_i_slicing_exact_replace(holds, first, c->exact, bucket.number, item, end, n_parts, err);
    for (size_t i = 0; i <= c->s->n_others; i++)
        for (uint32_t p = 0; p < n_parts && *holds; p++)
            *holds = covey_i_slicing_holds(&c->test[i], item + (p ? end[p - 1] : 0), end[p] - (p ? end[p - 1] : 0));
    return COVEY_OK;
}

covey_status covey_i_slicing_check_dims(const covey_slicing *s, covey_error *err)
{
    size_t n = 0;

    for (size_t f = 0; f < s->problem->n_fields; f++)
        n += !covey_i_slicing_is_sensitive(s, f);
    return n <= MOST_DIMS ? COVEY_OK
                          : covey_fail(err, COVEY_EINVAL,
                                       "slicing can cut %d attributes at most, and there are %zu: drop some of them",
                                       MOST_DIMS, n);
}

/* There are not too many. */
static covey_status find_dims(covey_slicing_cutting *c, covey_error *err)
{
    const covey_slicing *s = c->s;

    c->dim = covey_arena_array(s->arena, size_t, s->problem->n_fields);
    c->whole = covey_arena_array(s->arena, int64_t, s->problem->n_fields);
    if (!c->dim || !c->whole)
        return covey_i_no_memory(err);
    for (size_t f = 0; f < s->problem->n_fields; f++) {
        const covey_column *column = s->problem->field[f].column;
        uint32_t low, high;

        if (covey_i_slicing_is_sensitive(s, f))
            continue;
        find_ends(&low, &high, column, s->content, s->n_contents);
        c->whole[c->n_dims] =
            covey_column_is_number(column) && column->number && high > low
                ? column->number[high] - column->number[column->has_null && low == 0 && high > 1 ? 1 : low]
                : (int64_t)high - low;
        if (c->whole[c->n_dims] <= 0)
            c->whole[c->n_dims] = 1;
        c->dim[c->n_dims++] = f;
    }
    return COVEY_OK;
}

/* Cells are cut in the place of rows. */
static covey_status start_cells(covey_slicing_cutting *c, covey_error *err)
{
    COVEY_TRY(covey_i_slicing_cells_new(&c->cells, c->s, c->dim, c->n_dims, err));
    c->n_items = covey_i_slicing_n_cells(c->cells);
    if (!(c->item = covey_arena_array(c->s->arena, uint32_t, c->n_items)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < c->n_items; i++)
        c->item[i] = i;
    return COVEY_OK;
}

static covey_status start_rows(covey_slicing_cutting *c, covey_error *err)
{
    const covey_slicing *s = c->s;

    c->n_items = s->n;
    c->item = covey_arena_array(s->arena, uint32_t, s->n);
    c->rank = covey_arena_array(s->arena, uint32_t, s->problem->n_rows);
    c->word = covey_arena_array(s->arena, uint64_t, s->n);
    c->word_scratch = covey_arena_array(s->arena, uint64_t, s->n);
    if (!c->item || !c->rank || !c->word || !c->word_scratch)
        return covey_i_no_memory(err);
    covey_i_slicing_list_rows(c->item, s);
    for (uint32_t i = 0; i < s->n_contents; i++)
        c->rank[s->content[i]] = i;
    return COVEY_OK;
}

covey_status covey_i_slicing_cutting_start(covey_slicing_cutting *c, covey_slicing *s, bool by_cells, covey_error *err)
{
    *c = (covey_slicing_cutting){.s = s};
    COVEY_TRY(find_dims(c, err));
    COVEY_TRY(by_cells ? start_cells(c, err) : start_rows(c, err));
    c->scratch = covey_arena_array(s->arena, uint32_t, c->n_items);
    c->closed = covey_arena_array(s->arena, covey_slicing_bucket, c->n_items);
    return c->scratch && c->closed ? covey_i_slicing_tests_new(&c->test, s, err) : covey_i_no_memory(err);
}

/* --- cutting --- */

/* What one thread cuts with. */
struct cutter {
    covey_slicing_cutting *c;
    covey_slicing_cell_counts counts;
};

static covey_status start_cutter(void *worker, const void *context, covey_arena *arena, covey_error *err)
{
    struct cutter *cutter = worker;

    cutter->c = *(covey_slicing_cutting *const *)context;
    return cutter->c->cells ? covey_i_slicing_cell_counts_new(&cutter->counts, cutter->c->cells, arena, err) : COVEY_OK;
}

/* Do both halves hold?  half_number: receives their numbers. */
static covey_status try_halves(bool *holds, uint32_t half_number[2], struct cutter *cutter, covey_slicing_bucket bucket,
                               uint32_t left, covey_error *err)
{
    covey_slicing_cutting *c = cutter->c;
    const uint32_t *item = c->item + bucket.start;
    const bool right_first = bucket.n - left < left; /* the smaller one breaks it more often */

    if (!c->cells) {
        COVEY_TRY(covey_i_slicing_try_parts(holds, half_number, c, bucket, item, (uint32_t[]){left, bucket.n}, 2, err));
        half_number[1] = half_number[0] + 1;
        return COVEY_OK;
    }
    *holds = true;
    for (int i = 0; i < 2 && *holds; i++) {
        const bool right = (i == 0) == right_first;

        half_number[right] = bucket.number;
        *holds = covey_i_slicing_cells_hold(&half_number[right], c->cells, &cutter->counts, right ? item + left : item,
                                            right ? bucket.n - left : left);
    }
    return COVEY_OK;
}

static covey_status cut(covey_bisected *out, covey_span half[2], uint32_t *half_number, void *worker, int n_threads,
                        covey_span part, const uint32_t *number, covey_error *err)
{
    struct cutter *cutter = worker;
    covey_slicing_cutting *c = cutter->c;
    const covey_slicing_bucket bucket = {part.start, part.n, *number};
    uint32_t *item = c->item + bucket.start;
    struct ends ends;
    size_t order[MOST_DIMS];
    const size_t n_order = bucket.n < 2 ? 0 : rank_dims(order, &ends, c, item, bucket.n);
    bool holds = false;

    COVEY_TRY(covey_i_run_poll_add(&c->poll, bucket.n, err));
    for (size_t i = 0; i < n_order && !holds && (i == 0 || !c->s->params->first_dimension_only); i++) {
        const size_t d = order[i];
        const uint32_t left =
            c->cells ? covey_i_slicing_cell_part(c->cells, &cutter->counts, d, item, c->scratch + bucket.start,
                                                 bucket.n, ends.low[d], ends.high[d])
                     : part_rows(c, d, item, bucket.n);

        COVEY_TRY(try_halves(&holds, half_number, cutter, bucket, left, err));
        half[0] = (covey_span){bucket.start, left};
        half[1] = (covey_span){bucket.start + left, bucket.n - left};
    }
    *out = holds ? COVEY_BISECTED_CUT : COVEY_BISECTED_CLOSED;
    return COVEY_OK;
}

static covey_status close(void *result, void *worker, covey_span part, const uint32_t *number, covey_error *err)
{
    covey_parts *closed = result;

    closed->n_notes = 1;
    return covey_i_parts_add(closed, part, number, err);
}

/* The closed buckets of all pieces. */
static void gather(covey_slicing_cutting *c, const covey_bisection *bisection)
{
    const covey_parts *piece = bisection->result;

    c->n_closed = 0;
    for (size_t p = 0; p < bisection->n; p++)
        for (size_t i = 0; i < piece[p].n; i++)
            c->closed[c->n_closed++] =
                (covey_slicing_bucket){piece[p].part[i].start, piece[p].part[i].n, piece[p].notes[i]};
}

covey_status covey_i_slicing_cut_table(covey_slicing_cutting *c, const covey_run *run, covey_error *err)
{
    const covey_bisector rule = {.worker_size = sizeof(struct cutter),
                                 .result_size = sizeof(covey_parts),
                                 .n_notes = 1,
                                 .by_breadth = true,
                                 .most_open = c->cells ? OPEN_BUCKETS : SIZE_MAX, /* rows share c->word */
                                 .start = start_cutter,
                                 .cut = cut,
                                 .close = close};
    const uint32_t number = c->cells ? c->s->n : 0;
    covey_bisection bisection = {0};
    covey_status status;

    covey_i_run_poll_begin(&c->poll, run, "cut into buckets", 0);
    if ((status = covey_i_bisect(&bisection, &rule, &c, (covey_span){0, c->n_items}, &number, run, err)) == COVEY_OK)
        gather(c, &bisection);
    for (size_t p = 0; p < bisection.n; p++)
        covey_i_parts_clear((covey_parts *)bisection.result + p);
    covey_i_free(bisection.result);
    return status;
}

uint32_t covey_i_slicing_bucket_size(const covey_slicing_cutting *c, covey_slicing_bucket bucket)
{
    return c->cells ? covey_i_slicing_cells_size(c->cells, c->item + bucket.start, bucket.n) : bucket.n;
}

void covey_i_slicing_bucket_contents(covey_slicing_contents *out, const covey_slicing_cutting *c,
                                     covey_slicing_bucket bucket)
{
    const uint32_t *item = c->item + bucket.start;

    out->n_rows = covey_i_slicing_bucket_size(c, bucket);
    if (c->cells) {
        covey_i_slicing_cell_contents(out, c->cells, item, bucket.n);
        return;
    }
    out->n = 0;
    for (uint32_t i = 0; i < bucket.n; i++) {
        if (i == 0 || item[i] != item[i - 1]) {
            out->row[out->n] = item[i];
            out->pair[out->n] = c->s->pair[item[i]];
            out->count[out->n++] = 0;
        }
        out->count[out->n - 1]++;
    }
}
