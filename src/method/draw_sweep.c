/* Sweep: which rows of its buckets a class gets if all classes take their rows one after another along the curve, from every bucket at its own
 * pace.  What is taken is runs of equal rows, or pieces of them.
 * Source: [CaoKarras12] section 4.5; docs/design/burel.md. */
#include "method/draw.h"

#include <string.h>

#include "base/alloc.h"
#include "base/threads.h"
#include "table/table_impl.h"

enum { MOST_CHUNKS = 16, SMALL_CHUNK = 1 << 14 };

struct piling {
    const covey_draw_curve *curve;
    const covey_draw_buckets *buckets;
    size_t n_chunks;
    uint32_t *place; /* [n_chunks][buckets] runs, then where the chunk's next run of the bucket goes */
    uint32_t *run;   /* [runs] bucket by bucket, along the curve in each */
    uint32_t *start; /* [buckets + 1] into run */
};

/* Cells of a chunk. */
static uint32_t chunk_start(const struct piling *p, size_t chunk)
{
    return (uint32_t)((uint64_t)p->curve->n_cells * chunk / p->n_chunks);
}

static covey_status count_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct piling *p = context;
    const covey_draw_rows *rows = p->curve->rows;
    uint32_t *count = p->place + chunk * p->buckets->n;
    const uint32_t end = chunk_start(p, chunk + 1);

    memset(count, 0, p->buckets->n * sizeof *count);
    for (uint32_t c = chunk_start(p, chunk); c < end; c++)
        for (uint32_t i = rows->runs.group[p->curve->cell[c]]; i < rows->runs.group[p->curve->cell[c] + 1]; i++)
            count[p->buckets->bucket_of[rows->value[i]]]++;
    return COVEY_OK;
}

static covey_status pile_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct piling *p = context;
    const covey_draw_rows *rows = p->curve->rows;
    uint32_t *place = p->place + chunk * p->buckets->n;
    const uint32_t end = chunk_start(p, chunk + 1);

    for (uint32_t c = chunk_start(p, chunk); c < end; c++)
        for (uint32_t i = rows->runs.group[p->curve->cell[c]]; i < rows->runs.group[p->curve->cell[c] + 1]; i++)
            p->run[place[p->buckets->bucket_of[rows->value[i]]]++] = i;
    return COVEY_OK;
}

static void find_places(const struct piling *p)
{
    uint32_t sum = 0;

    for (size_t j = 0; j < p->buckets->n; j++) {
        p->start[j] = sum;
        for (size_t chunk = 0; chunk < p->n_chunks; chunk++) {
            uint32_t *place = &p->place[chunk * p->buckets->n + j];
            const uint32_t count = *place;

            *place = sum;
            sum += count;
        }
    }
    p->start[p->buckets->n] = sum;
}

/* Puts all runs on piles. */
static covey_status piling_new(struct piling *p, const covey_draw_curve *curve, const covey_draw_buckets *buckets, const covey_run *run,
                               covey_error *err)
{
    const int n_threads = covey_run_threads(run);
    const uint32_t n_runs = curve->rows->runs.n;

    *p = (struct piling){curve, buckets, 1, NULL, covey_i_array(n_runs, sizeof *p->run), covey_i_array(buckets->n + 1, sizeof *p->start)};
    if (n_threads > 1 && n_runs >= 2 * SMALL_CHUNK)
        p->n_chunks = n_threads < MOST_CHUNKS ? (size_t)n_threads : MOST_CHUNKS;
    p->place = covey_i_array(p->n_chunks * buckets->n, sizeof *p->place);
    if (!p->run || !p->start || !p->place)
        return covey_fail(err, COVEY_ENOMEM, "buckets of %u runs", n_runs);
    COVEY_TRY(covey_i_parallel(n_threads, p->n_chunks, count_chunk, p, err));
    find_places(p);
    return covey_i_parallel(n_threads, p->n_chunks, pile_chunk, p, err);
}

static void piling_clear(struct piling *p)
{
    covey_i_free(p->run);
    covey_i_free(p->start);
    covey_i_free(p->place);
}

/* Rows of a run that a class takes. */
struct piece {
    uint32_t class, run;
    covey_span rows;
};

struct sweeping {
    uint32_t *class_of_row;   /* NULL: pieces are wanted */
    const struct piling *piles;
    const covey_draw_tree *tree;
    const uint32_t *leaf;
    struct piece *piece;      /* bucket by bucket, class by class in each */
    size_t *first, *n_pieces; /* [buckets] of each bucket's pieces */
};

static void take(const struct sweeping *s, size_t j, struct piece piece)
{
    const uint32_t *row = s->piles->curve->rows->row + piece.rows.start;

    if (!s->class_of_row) {
        s->piece[s->first[j] + s->n_pieces[j]++] = piece;
        return;
    }
    for (uint32_t i = 0; i < piece.rows.n; i++)
        s->class_of_row[row[i]] = piece.class;
}

static covey_status sweep_bucket(void *context, size_t j, covey_error *err)
{
    const struct sweeping *s = context;
    const covey_row_runs *runs = &s->piles->curve->rows->runs;
    const uint32_t *next = s->piles->run + s->piles->start[j], *end_of_runs = s->piles->run + s->piles->start[j + 1];
    uint32_t class = 0, wanted = s->tree->node[s->leaf[0]].rows[j];

    for (; next < end_of_runs; next++)
        for (uint32_t i = runs->start[*next], end = runs->start[*next + 1], n; i < end; i += n) {
            while (wanted == 0)
                wanted = s->tree->node[s->leaf[++class]].rows[j];
            n = end - i < wanted ? end - i : wanted;
            wanted -= n;
            take(s, j, (struct piece){class, *next, {i, n}});
        }
    return COVEY_OK;
}

covey_status covey_i_draw_sweep(uint32_t *class_of_row, const covey_draw_curve *curve, const covey_draw_buckets *buckets,
                                 const covey_draw_tree *tree, const uint32_t *leaf, const covey_run *run, covey_error *err)
{
    struct piling piling;
    struct sweeping sweeping = {.class_of_row = class_of_row, .piles = &piling, .tree = tree, .leaf = leaf};
    covey_status status;

    if ((status = piling_new(&piling, curve, buckets, run, err)) == COVEY_OK)
        status = covey_i_parallel(covey_run_threads(run), tree->n_buckets, sweep_bucket, &sweeping, err);
    piling_clear(&piling);
    return status;
}

/* --- classes of runs --- */

/* Room for each bucket's pieces: its runs, and one more where a class ends within a run. */
static covey_status pieces_new(struct sweeping *s, covey_arena *arena, covey_error *err)
{
    const size_t n_buckets = s->piles->buckets->n;
    size_t sum = 0;

    s->first = covey_arena_array(arena, size_t, n_buckets);
    s->n_pieces = covey_arena_array_zero(arena, size_t, n_buckets);
    if (!s->first || !s->n_pieces)
        return covey_fail(err, COVEY_ENOMEM, "%zu buckets", n_buckets);
    for (size_t j = 0; j < n_buckets; j++) {
        const uint32_t n_runs = s->piles->start[j + 1] - s->piles->start[j], n_more = s->piles->buckets->size[j] - n_runs;

        s->first[j] = sum;
        sum += n_runs + (n_more < s->tree->node[0].n_leaves ? n_more : s->tree->node[0].n_leaves);
    }
    if (!(s->piece = covey_arena_array(arena, struct piece, sum)))
        return covey_fail(err, COVEY_ENOMEM, "%zu pieces of runs", sum);
    return COVEY_OK;
}

struct listing {
    covey_draw_classes *classes;
    const covey_draw_curve *curve;
    const covey_problem *problem;
    uint32_t *run;         /* [spans] */
    uint32_t *cell_of_run; /* [runs] groups */
    uint32_t **code;       /* [n_axes][groups] */
};

/* Puts the pieces class by class, in a class bucket by bucket. */
static covey_status place_pieces(struct listing *l, const struct sweeping *s, covey_arena *arena, covey_error *err)
{
    covey_draw_classes *classes = l->classes;
    size_t n_pieces = 0;
    uint32_t at = 0;

    for (size_t j = 0; j < s->piles->buckets->n; j++)
        n_pieces += s->n_pieces[j];
    classes->class = covey_i_array_zero(classes->n, sizeof *classes->class);
    classes->span = covey_i_array(n_pieces, sizeof *classes->span);
    classes->value = covey_i_array(n_pieces, sizeof *classes->value);
    l->run = covey_arena_array(arena, uint32_t, n_pieces);
    if (!classes->class || !classes->span || !classes->value || !l->run)
        return covey_fail(err, COVEY_ENOMEM, "%zu pieces of runs", n_pieces);
    for (size_t j = 0; j < s->piles->buckets->n; j++)
        for (size_t i = s->first[j]; i < s->first[j] + s->n_pieces[j]; i++)
            classes->class[s->piece[i].class].n++;
    for (uint32_t c = 0; c < classes->n; c++) {
        classes->class[c].start = at;
        at += classes->class[c].n;
        classes->class[c].n = 0;
    }
    for (size_t j = 0; j < s->piles->buckets->n; j++)
        for (size_t i = s->first[j]; i < s->first[j] + s->n_pieces[j]; i++) {
            covey_span *class = &classes->class[s->piece[i].class];
            const uint32_t to = class->start + class->n++;

            classes->span[to] = s->piece[i].rows;
            l->run[to] = s->piece[i].run;
        }
    return COVEY_OK;
}

enum { CELLS = 1 << 13, CLASSES = 64 }; /* of a task */

static covey_status describe_cells(void *context, size_t task, covey_error *err)
{
    const struct listing *l = context;
    const covey_draw_rows *rows = l->curve->rows;
    const uint32_t start = (uint32_t)task * CELLS, end = rows->runs.n_groups - start < CELLS ? rows->runs.n_groups : start + CELLS;

    for (uint32_t g = start; g < end; g++)
        for (uint32_t r = rows->runs.group[g]; r < rows->runs.group[g + 1]; r++)
            l->cell_of_run[r] = g;
    for (size_t a = 0; a < l->problem->n_axes; a++)
        for (uint32_t g = start; g < end; g++)
            l->code[a][g] = covey_i_code(l->problem->axis[a].column, rows->row[rows->runs.start[rows->runs.group[g]]]);
    return COVEY_OK;
}

static covey_status describe_classes(void *context, size_t task, covey_error *err)
{
    const struct listing *l = context;
    covey_draw_classes *classes = l->classes;
    const uint32_t start = (uint32_t)task * CLASSES, end = classes->n - start < CLASSES ? classes->n : start + CLASSES;

    for (uint32_t c = start; c < end; c++) {
        const covey_span class = classes->class[c];

        for (uint32_t k = class.start; k < class.start + class.n; k++)
            classes->value[k] = l->curve->rows->value[l->run[k]];
        for (size_t a = 0; a < l->problem->n_axes; a++) {
            uint32_t low = UINT32_MAX, high = 0;

            for (uint32_t k = class.start; k < class.start + class.n; k++) {
                const uint32_t code = l->code[a][l->cell_of_run[l->run[k]]];

                low = code < low ? code : low;
                high = code > high ? code : high;
            }
            classes->low[c * l->problem->n_axes + a] = low;
            classes->high[c * l->problem->n_axes + a] = high;
        }
    }
    return COVEY_OK;
}

/* Values and ranges. */
static covey_status describe(struct listing *l, covey_arena *arena, const covey_run *run, covey_error *err)
{
    const size_t d = l->problem->n_axes;
    const covey_row_runs *runs = &l->curve->rows->runs;
    covey_draw_classes *classes = l->classes;
    bool room;

    l->cell_of_run = covey_arena_array(arena, uint32_t, runs->n);
    l->code = covey_arena_array(arena, uint32_t *, d);
    room = l->cell_of_run && l->code;
    for (size_t a = 0; room && a < d; a++)
        room = (l->code[a] = covey_arena_array(arena, uint32_t, runs->n_groups)) != NULL;
    classes->low = covey_i_array(classes->n * d, sizeof *classes->low);
    classes->high = covey_i_array(classes->n * d, sizeof *classes->high);
    if (!room || !classes->low || !classes->high)
        return covey_fail(err, COVEY_ENOMEM, "ranges of %u classes", classes->n);
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), ((size_t)runs->n_groups + CELLS - 1) / CELLS, describe_cells, l, err));
    return covey_i_parallel(covey_run_threads(run), ((size_t)classes->n + CLASSES - 1) / CLASSES, describe_classes, l, err);
}

covey_status covey_i_draw_sweep_runs(covey_draw_classes *classes, const covey_draw_curve *curve, const covey_draw_buckets *buckets,
                                      const covey_draw_tree *tree, const uint32_t *leaf, const covey_problem *problem, const covey_run *run,
                                      covey_error *err)
{
    struct piling piling;
    struct sweeping sweeping = {.piles = &piling, .tree = tree, .leaf = leaf};
    struct listing listing = {.classes = classes, .curve = curve, .problem = problem};
    covey_arena arena = COVEY_ARENA_INIT, pieces = COVEY_ARENA_INIT;
    covey_status status;

    *classes = (covey_draw_classes){.n = tree->node[0].n_leaves};
    if ((status = piling_new(&piling, curve, buckets, run, err)) == COVEY_OK && (status = pieces_new(&sweeping, &pieces, err)) == COVEY_OK &&
        (status = covey_i_parallel(covey_run_threads(run), tree->n_buckets, sweep_bucket, &sweeping, err)) == COVEY_OK)
        status = place_pieces(&listing, &sweeping, &arena, err);
    covey_arena_free(&pieces);
    piling_clear(&piling);
    if (status == COVEY_OK)
        status = describe(&listing, &arena, run, err);
    covey_arena_free(&arena);
    return status;
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
