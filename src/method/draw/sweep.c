/* Sweep: which rows of its buckets a class gets if all classes take their rows one after another along the curve, from
 * every bucket at its own pace.  What is taken is runs of equal rows, or pieces of them.
 *
 * The runs are put on piles, bucket by bucket, with all that is asked about them: the classes are then made one after
 * another, each from all piles, and every pile is read in its order.  How many rows of each bucket the classes before
 * take says where a class begins, so that many can be made at once. Source: [CaoKarras12] section 4.5;
 * docs/design/burel.md. */
#include "method/draw/draw.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "table/table_impl.h"

enum { CHUNK_CELLS = 1 << 9, MOST_CLASSES = 64, TASKS_PER_THREAD = 8, SOME_CELLS = 64 };

struct run {
    covey_span rows;
    uint32_t cell, value;
};

/* Of a bucket that lie before a place on the curve. */
struct before {
    uint32_t runs; /* and those of all buckets before this one */
    uint32_t rows;
};

struct sweeping {
    const covey_draw_curve *curve;
    const covey_draw_buckets *buckets;
    const covey_draw_tree *tree;
    const uint32_t *leaf;
    uint32_t n_classes, classes_per_task;
    size_t n_chunks, n_tasks;

    struct run *run;      /* [runs] bucket by bucket, along the curve in each */
    struct before *chunk; /* [n_chunks + 1][buckets] what lies before a chunk of cells */
    uint32_t *taken;      /* [n_tasks + 1][buckets] rows of each bucket that the classes before a task's take */

    uint32_t *class_of_row; /* rows are wanted, without piles; else classes */
    covey_draw_classes *classes;
    size_t n_axes;
};

/* --- piles --- */

static uint32_t chunk_end(const struct sweeping *s, size_t chunk)
{
    const uint32_t start = (uint32_t)chunk * CHUNK_CELLS;

    return s->curve->n_cells - start < CHUNK_CELLS ? s->curve->n_cells : start + CHUNK_CELLS;
}

/* The runs of a chunk of cells; they are counted where the next chunk's are summed up. */
static covey_status count_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct sweeping *s = context;
    const covey_draw_rows *rows = s->curve->rows;
    struct before *count = s->chunk + (chunk + 1) * s->buckets->n;
    const uint32_t end = chunk_end(s, chunk);

    memset(count, 0, s->buckets->n * sizeof *count);
    for (uint32_t c = (uint32_t)chunk * CHUNK_CELLS; c < end; c++)
        for (uint32_t i = rows->runs.group[s->curve->cell[c]]; i < rows->runs.group[s->curve->cell[c] + 1]; i++) {
            struct before *bucket = &count[s->buckets->bucket_of[rows->value[i]]];

            bucket->runs++;
            bucket->rows += rows->runs.start[i + 1] - rows->runs.start[i];
        }
    return COVEY_OK;
}

/* From counts to sums; where a chunk's runs begin stands one chunk behind, until they are piled. */
static void sum_chunks(const struct sweeping *s)
{
    const size_t n = s->buckets->n;
    uint32_t runs = 0;

    for (size_t j = 0; j < n; j++) {
        uint32_t rows = 0;

        s->chunk[j] = (struct before){runs, 0};
        for (size_t chunk = 1; chunk <= s->n_chunks; chunk++) {
            struct before *before = &s->chunk[chunk * n + j];
            const uint32_t n_runs = before->runs;

            rows += before->rows;
            *before = (struct before){runs, rows};
            runs += n_runs;
        }
    }
}

static covey_status pile_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct sweeping *s = context;
    const covey_draw_rows *rows = s->curve->rows;
    struct before *next = s->chunk + (chunk + 1) * s->buckets->n;
    const uint32_t end = chunk_end(s, chunk);

    for (uint32_t c = (uint32_t)chunk * CHUNK_CELLS; c < end; c++) {
        const uint32_t cell = s->curve->cell[c];

        for (uint32_t i = rows->runs.group[cell]; i < rows->runs.group[cell + 1]; i++)
            s->run[next[s->buckets->bucket_of[rows->value[i]]].runs++] = (struct run){
                {rows->runs.start[i], rows->runs.start[i + 1] - rows->runs.start[i]}, cell, rows->value[i]};
    }
    return COVEY_OK;
}

static covey_status count_runs(struct sweeping *s, int n_threads, covey_error *err)
{
    s->n_chunks = ((size_t)s->curve->n_cells + CHUNK_CELLS - 1) / CHUNK_CELLS;
    if (!(s->chunk = covey_i_array((s->n_chunks + 1) * s->buckets->n, sizeof *s->chunk)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_parallel(n_threads, s->n_chunks, count_chunk, s, err));
    sum_chunks(s);
    return COVEY_OK;
}

static covey_status pile_runs(struct sweeping *s, int n_threads, covey_error *err)
{
    COVEY_TRY(count_runs(s, n_threads, err));
    if (!(s->run = covey_i_array_full(s->curve->rows->runs.n, sizeof *s->run)))
        return covey_i_no_memory(err);
    return covey_i_parallel(n_threads, s->n_chunks, pile_chunk, s, err);
}

/* --- classes take their rows --- */

/* What is left of a pile: without the first rows of its first run. */
struct pile {
    const struct run *run;
    uint32_t taken;
};

/* Takes rows of one run, `most` of them at most; cell and value are the run's. */
static inline struct run take(struct pile *pile, uint32_t most)
{
    const struct run *run = pile->run;
    const uint32_t n = run->rows.n - pile->taken;
    const struct run piece = {{run->rows.start + pile->taken, n < most ? n : most}, run->cell, run->value};

    pile->run += n <= most;
    pile->taken = n <= most ? 0 : pile->taken + most;
    return piece;
}

static const uint32_t *rows_of_class(const struct sweeping *s, uint32_t class)
{
    return s->tree->node[s->leaf[class]].rows;
}

/* The classes of a task. */
static covey_span classes_of(const struct sweeping *s, size_t task)
{
    const uint32_t start = (uint32_t)task * s->classes_per_task;

    return (covey_span){start, s->n_classes - start < s->classes_per_task ? s->n_classes - start : s->classes_per_task};
}

static covey_status count_taken(void *context, size_t task, covey_error *err)
{
    const struct sweeping *s = context;
    const covey_span classes = classes_of(s, task);
    uint32_t *sum = s->taken + (task + 1) * s->buckets->n;

    memset(sum, 0, s->buckets->n * sizeof *sum);
    for (uint32_t c = classes.start; c < classes.start + classes.n; c++)
        for (size_t j = 0; j < s->buckets->n; j++)
            sum[j] += rows_of_class(s, c)[j];
    return COVEY_OK;
}

static covey_status plan_tasks(struct sweeping *s, int n_threads, covey_error *err)
{
    const size_t n_buckets = s->buckets->n;

    s->n_classes = s->tree->node[0].n_leaves;
    s->classes_per_task = s->n_classes / (uint32_t)n_threads / TASKS_PER_THREAD + 1;
    if (s->classes_per_task > MOST_CLASSES)
        s->classes_per_task = MOST_CLASSES;
    s->n_tasks = ((size_t)s->n_classes + s->classes_per_task - 1) / s->classes_per_task;
    if (!(s->taken = covey_i_array((s->n_tasks + 1) * n_buckets, sizeof *s->taken)))
        return covey_i_no_memory(err);
    memset(s->taken, 0, n_buckets * sizeof *s->taken);
    COVEY_TRY(covey_i_parallel(n_threads, s->n_tasks, count_taken, s, err));
    for (size_t i = n_buckets; i < (s->n_tasks + 1) * n_buckets; i++)
        s->taken[i] += s->taken[i - n_buckets];
    return COVEY_OK;
}

/* Bucket j's pile after the classes before a task's have taken theirs. */
static struct pile pile_at(const struct sweeping *s, size_t task, size_t j)
{
    const size_t n = s->buckets->n;
    const uint32_t taken = s->taken[task * n + j];
    size_t low = 0, high = s->n_chunks; /* the last chunk that no more rows lie before */
    struct pile pile;

    while (low < high) {
        const size_t middle = high - (high - low) / 2;

        if (s->chunk[middle * n + j].rows <= taken)
            low = middle;
        else
            high = middle - 1;
    }
    pile = (struct pile){s->run + s->chunk[low * n + j].runs, taken - s->chunk[low * n + j].rows};
    for (; pile.taken > 0 && pile.taken >= pile.run->rows.n; pile.run++)
        pile.taken -= pile.run->rows.n;
    return pile;
}

/* The piles where a task begins; the caller frees them. */
static covey_status piles_at(struct pile **out, const struct sweeping *s, size_t task, covey_error *err)
{
    struct pile *pile = covey_i_array(s->buckets->n, sizeof *pile);

    if (!pile)
        return covey_i_no_memory(err);
    for (size_t j = 0; j < s->buckets->n; j++)
        pile[j] = pile_at(s, task, j);
    *out = pile;
    return COVEY_OK;
}

static void sweeping_clear(struct sweeping *s)
{
    covey_i_free(s->run);
    covey_i_free(s->chunk);
    covey_i_free(s->taken);
}

/* --- rows --- */

/* The class that takes a bucket's next rows, and how many it still wants. */
struct taker {
    uint32_t class, wanted;
};

/* Who takes bucket j's rows where a chunk of cells begins; nobody, if all are taken. */
static struct taker taker_at(const struct sweeping *s, size_t chunk, size_t j)
{
    const size_t n = s->buckets->n;
    const uint32_t before = s->chunk[chunk * n + j].rows;
    size_t low = 0, high = s->n_tasks; /* the last task that no more rows are taken before */
    uint32_t class, left;

    while (low < high) {
        const size_t middle = high - (high - low) / 2;

        if (s->taken[middle * n + j] <= before)
            low = middle;
        else
            high = middle - 1;
    }
    class = low < s->n_tasks ? classes_of(s, low).start : s->n_classes;
    left = before - s->taken[low * n + j];
    for (; class < s->n_classes && left >= rows_of_class(s, class)[j]; class ++)
        left -= rows_of_class(s, class)[j];
    return (struct taker){class, class < s->n_classes ? rows_of_class(s, class)[j] - left : 0};
}

/* All buckets at once along the curve: nothing is asked about classes, so that no piles are needed. */
static covey_status mark_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct sweeping *s = context;
    const covey_draw_rows *rows = s->curve->rows;
    const uint32_t end = chunk_end(s, chunk);
    struct taker *taker = covey_i_array(s->buckets->n, sizeof *taker);

    if (!taker)
        return covey_i_no_memory(err);
    for (size_t j = 0; j < s->buckets->n; j++)
        taker[j] = taker_at(s, chunk, j);
    for (uint32_t c = (uint32_t)chunk * CHUNK_CELLS; c < end; c++)
        for (uint32_t r = rows->runs.group[s->curve->cell[c]]; r < rows->runs.group[s->curve->cell[c] + 1]; r++) {
            const uint32_t j = s->buckets->bucket_of[rows->value[r]], end_of_run = rows->runs.start[r + 1];
            struct taker t = taker[j];

            for (uint32_t i = rows->runs.start[r]; i < end_of_run; i++, t.wanted--) {
                while (t.wanted == 0)
                    t.wanted = rows_of_class(s, ++t.class)[j];
                s->class_of_row[rows->row[i]] = t.class;
            }
            taker[j] = t;
        }
    covey_i_free(taker);
    return COVEY_OK;
}

covey_status covey_i_draw_sweep(uint32_t *class_of_row, const covey_draw_curve *curve,
                                const covey_draw_buckets *buckets, const covey_draw_tree *tree, const uint32_t *leaf,
                                const covey_run *run, covey_error *err)
{
    struct sweeping s = {.curve = curve, .buckets = buckets, .tree = tree, .leaf = leaf, .class_of_row = class_of_row};
    const int n_threads = covey_run_threads(run);
    covey_status status;

    if ((status = count_runs(&s, n_threads, err)) == COVEY_OK && (status = plan_tasks(&s, n_threads, err)) == COVEY_OK)
        status = covey_i_parallel(n_threads, s.n_chunks, mark_chunk, &s, err);
    sweeping_clear(&s);
    return status;
}

/* --- classes of runs --- */

/* Extends ranges to some cells. */
static void extend(uint32_t *low, uint32_t *high, const covey_draw_rows *rows, const uint32_t *cell, size_t n)
{
    for (size_t first = 0; first < rows->stride; first += COVEY_DRAW_CODES) {
        uint32_t lo[COVEY_DRAW_CODES], hi[COVEY_DRAW_CODES]; /* in registers */

        memcpy(lo, low + first, sizeof lo);
        memcpy(hi, high + first, sizeof hi);
        for (size_t i = 0; i < n; i++) {
            const uint32_t *code = rows->code + cell[i] * rows->stride + first;

            for (size_t a = 0; a < COVEY_DRAW_CODES; a++) {
                lo[a] = code[a] < lo[a] ? code[a] : lo[a];
                hi[a] = code[a] > hi[a] ? code[a] : hi[a];
            }
        }
        memcpy(low + first, lo, sizeof lo);
        memcpy(high + first, hi, sizeof hi);
    }
}

/* How many pieces classes get, and their ranges. */
static covey_status describe_classes(void *context, size_t task, covey_error *err)
{
    const struct sweeping *s = context;
    const covey_draw_classes *classes = s->classes;
    const covey_span mine = classes_of(s, task);
    const size_t stride = s->curve->rows->stride;
    uint32_t *low = covey_i_array(2 * stride, sizeof *low), *high;
    covey_status status;
    struct pile *pile;

    if (!low)
        return covey_i_no_memory(err);
    high = low + stride;
    if ((status = piles_at(&pile, s, task, err)) != COVEY_OK) {
        covey_i_free(low);
        return status;
    }
    for (uint32_t c = mine.start; c < mine.start + mine.n; c++) {
        uint32_t n_pieces = 0, cell[SOME_CELLS];
        size_t n_cells = 0;

        memset(low, 0xff, stride * sizeof *low);
        memset(high, 0, stride * sizeof *high);
        for (size_t j = 0; j < s->buckets->n; j++)
            for (uint32_t n = rows_of_class(s, c)[j]; n > 0; n_pieces++) {
                const struct run piece = take(&pile[j], n);

                cell[n_cells++] = piece.cell;
                if (n_cells == SOME_CELLS) {
                    extend(low, high, s->curve->rows, cell, n_cells);
                    n_cells = 0;
                }
                n -= piece.rows.n;
            }
        extend(low, high, s->curve->rows, cell, n_cells);
        classes->class[c].n = n_pieces;
        memcpy(classes->low + c * s->n_axes, low, s->n_axes * sizeof *low);
        memcpy(classes->high + c * s->n_axes, high, s->n_axes * sizeof *high);
    }
    covey_i_free(pile);
    covey_i_free(low);
    return COVEY_OK;
}

static covey_status list_pieces(void *context, size_t task, covey_error *err)
{
    const struct sweeping *s = context;
    const covey_draw_classes *classes = s->classes;
    const covey_span mine = classes_of(s, task);
    uint32_t to = classes->class[mine.start].start;
    struct pile *pile;

    COVEY_TRY(piles_at(&pile, s, task, err));
    for (uint32_t c = mine.start; c < mine.start + mine.n; c++)
        for (size_t j = 0; j < s->buckets->n; j++)
            for (uint32_t n = rows_of_class(s, c)[j]; n > 0; to++) {
                const struct run piece = take(&pile[j], n);

                classes->span[to] = piece.rows;
                classes->value[to] = piece.value;
                n -= piece.rows.n;
            }
    covey_i_free(pile);
    return COVEY_OK;
}

static covey_status describe(struct sweeping *s, int n_threads, covey_error *err)
{
    covey_draw_classes *classes = s->classes;

    classes->class = covey_i_array_full(classes->n, sizeof *classes->class);
    classes->low = covey_i_array_full(classes->n * s->n_axes, sizeof *classes->low);
    classes->high = covey_i_array_full(classes->n * s->n_axes, sizeof *classes->high);
    if (!classes->class || !classes->low || !classes->high)
        return covey_i_no_memory(err);
    return covey_i_parallel(n_threads, s->n_tasks, describe_classes, s, err);
}

static covey_status list(struct sweeping *s, int n_threads, covey_error *err)
{
    covey_draw_classes *classes = s->classes;
    uint32_t sum = 0;

    for (uint32_t c = 0; c < classes->n; c++) {
        classes->class[c].start = sum;
        sum += classes->class[c].n;
    }
    classes->span = covey_i_array_full(sum, sizeof *classes->span);
    classes->value = covey_i_array_full(sum, sizeof *classes->value);
    if (!classes->span || !classes->value)
        return covey_i_no_memory(err);
    return covey_i_parallel(n_threads, s->n_tasks, list_pieces, s, err);
}

covey_status covey_i_draw_sweep_runs(covey_draw_classes *classes, const covey_draw_curve *curve,
                                     const covey_draw_buckets *buckets, const covey_draw_tree *tree,
                                     const uint32_t *leaf, const covey_problem *problem, covey_arena *of_runs,
                                     const covey_run *run, covey_error *err)
{
    struct sweeping s = {
        .curve = curve, .buckets = buckets, .tree = tree, .leaf = leaf, .classes = classes, .n_axes = problem->n_axes};
    const int n_threads = covey_run_threads(run);
    covey_status status;

    *classes = (covey_draw_classes){.n = tree->node[0].n_leaves};
    status = pile_runs(&s, n_threads, err);
    covey_arena_free(of_runs);
    if (status == COVEY_OK && (status = plan_tasks(&s, n_threads, err)) == COVEY_OK &&
        (status = describe(&s, n_threads, err)) == COVEY_OK)
        status = list(&s, n_threads, err);
    sweeping_clear(&s);
    return status;
}

size_t covey_i_draw_sweep_bytes(const covey_draw_rows *rows, const covey_draw_buckets *buckets,
                                const covey_draw_tree *tree)
{
    const size_t n_runs = rows->runs.n, n_ends = buckets->n * tree->node[0].n_leaves,
                 n_classes = tree->node[0].n_leaves;
    const size_t n_pieces =
        n_runs +
        (n_ends < rows->n - n_runs ? n_ends : rows->n - n_runs); /* where a class ends within a run, one more */
    const covey_draw_classes *c;

    return n_runs * sizeof(struct run) + n_pieces * (sizeof *c->span + sizeof *c->value) +
           n_classes * (sizeof *c->class + rows->stride * (sizeof *c->low + sizeof *c->high));
}

void covey_i_draw_classes_clear(covey_draw_classes *classes)
{
    covey_i_free(classes->class);
    covey_i_free(classes->span);
    covey_i_free(classes->value);
    covey_i_free(classes->low);
    covey_i_free(classes->high);
    *classes = (covey_draw_classes){0};
}
