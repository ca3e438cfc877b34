/* Sweep: which rows of its buckets a class gets if all classes take their rows one after another along the curve, from every bucket at its own
 * pace.  What is taken is runs of equal rows, or pieces of them.
 * Source: [CaoKarras12] section 4.5; docs/design/burel.md. */
#include "method/draw.h"

#include <string.h>

#include "base/alloc.h"
#include "base/threads.h"

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

struct sweeping {
    uint32_t *class_of_row;
    const struct piling *piles;
    const covey_draw_tree *tree;
    const uint32_t *leaf;
};

static covey_status sweep_bucket(void *context, size_t j, covey_error *err)
{
    const struct sweeping *s = context;
    const covey_draw_rows *rows = s->piles->curve->rows;
    const uint32_t *next = s->piles->run + s->piles->start[j], *end_of_runs = s->piles->run + s->piles->start[j + 1];
    uint32_t class = 0, wanted = s->tree->node[s->leaf[0]].rows[j];

    for (; next < end_of_runs; next++)
        for (uint32_t i = rows->runs.start[*next], end = rows->runs.start[*next + 1]; i < end;) {
            uint32_t n;

            while (wanted == 0)
                wanted = s->tree->node[s->leaf[++class]].rows[j];
            n = end - i < wanted ? end - i : wanted;
            wanted -= n;
            for (; n > 0; n--)
                s->class_of_row[rows->row[i++]] = class;
        }
    return COVEY_OK;
}

covey_status covey_i_draw_sweep(uint32_t *class_of_row, const covey_draw_curve *curve, const covey_draw_buckets *buckets,
                                 const covey_draw_tree *tree, const uint32_t *leaf, const covey_run *run, covey_error *err)
{
    const int n_threads = covey_run_threads(run);
    const uint32_t n_runs = curve->rows->runs.n;
    struct piling piling = {curve, buckets, 1, NULL, covey_i_array(n_runs, sizeof *piling.run), covey_i_array(buckets->n + 1, sizeof *piling.start)};
    struct sweeping sweeping = {class_of_row, &piling, tree, leaf};
    covey_status status;

    if (n_threads > 1 && n_runs >= 2 * SMALL_CHUNK)
        piling.n_chunks = n_threads < MOST_CHUNKS ? (size_t)n_threads : MOST_CHUNKS;
    piling.place = covey_i_array(piling.n_chunks * buckets->n, sizeof *piling.place);
    if (!piling.run || !piling.start || !piling.place) {
        status = covey_fail(err, COVEY_ENOMEM, "buckets of %u runs", n_runs);
        goto done;
    }
    if ((status = covey_i_parallel(n_threads, piling.n_chunks, count_chunk, &piling, err)) != COVEY_OK)
        goto done;
    find_places(&piling);
    if ((status = covey_i_parallel(n_threads, piling.n_chunks, pile_chunk, &piling, err)) == COVEY_OK)
        status = covey_i_parallel(n_threads, tree->n_buckets, sweep_bucket, &sweeping, err);
done:
    covey_i_free(piling.run);
    covey_i_free(piling.start);
    covey_i_free(piling.place);
    return status;
}
