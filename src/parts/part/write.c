/* Writing the file of a part (part/file.h).  Blocks of whole units are put together on all threads and written one
 * after another: their rows lie all over the part's columns. */
#include "parts/part/file.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/threads.h"
#include "base/turns.h"

enum { BLOCK = 1 << 16, NUMBER = 8 };

struct writing {
    covey_outfile *out;
    const covey_problem *problem;
    const covey_part_units *units;
    size_t n_key, n_head; /* numbers of a unit before its rows: stored key; all */
    size_t row_size;
    uint32_t *block; /* [n_blocks + 1] first unit of each */
    size_t n_blocks;
    uint64_t check; /* of all blocks before */
    covey_turns turns;
};

/* A block on its way. */
struct block {
    unsigned char *bytes, *rows; /* [capacity]; [row_capacity] its rows, one behind another */
    size_t size, capacity, row_capacity;
};

static unsigned char *put_number(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++, value >>= 8)
        *to++ = (unsigned char)value;
    return to;
}

static void write_number(covey_outfile *out, uint64_t value, int bytes)
{
    unsigned char number[NUMBER];

    put_number(number, value, bytes);
    covey_i_outfile_write(out, (const char *)number, (size_t)bytes);
}

/* hash: of the bytes */
static void write_block(struct writing *w, const unsigned char *bytes, size_t size, uint64_t hash)
{
    w->check = covey_i_mix(w->check + 1, hash);
    write_number(w->out, size, 4);
    covey_i_outfile_write(w->out, (const char *)bytes, size);
    write_number(w->out, w->check, 8);
}

static covey_status write_header(struct writing *w, const covey_plan *plan, const covey_part_facts *facts,
                                 covey_error *err)
{
    const size_t most = COVEY_PART_DIGEST + 2 * 4 + 1 + 3 * 8 + 2 * 4 + plan->n_columns;
    unsigned char *header = covey_i_malloc(most), *to = header;

    if (!header)
        return covey_i_no_memory(err);
    memcpy(to, plan->digest, COVEY_PART_DIGEST);
    to = put_number(to + COVEY_PART_DIGEST, facts->first, 4);
    to = put_number(to, facts->last, 4);
    *to++ = (unsigned char)(facts->kind | (unsigned)facts->goal << COVEY_PART_GOAL_SHIFT |
                            (facts->is_seeded ? COVEY_PART_SEEDED : 0));
    to = put_number(to, (uint64_t)facts->n_rows, 8);
    to = put_number(to, (uint64_t)facts->n_published, 8);
    to = put_number(to, (uint64_t)facts->n_units, 8);
    to = put_number(to, w->problem->n_axes, 4);
    to = put_number(to, plan->n_columns, 4);
    for (size_t c = 0; c < plan->n_columns; c++)
        *to++ = (unsigned char)plan->prepared.column[c]->width;
    write_block(w, header, (size_t)(to - header), covey_i_hash_bytes((const char *)header, (size_t)(to - header)));
    covey_i_free(header);
    return COVEY_OK;
}

/* --- blocks --- */

static size_t size_of_unit(const struct writing *w, uint32_t u)
{
    return 4 * w->n_head + (w->units->start[u + 1] - w->units->start[u]) * w->row_size;
}

/* A block ends with the unit that makes it large enough. */
static covey_status find_blocks(struct writing *w, covey_error *err)
{
    size_t size = 0, all = 0;

    for (uint32_t u = 0; u < w->units->n; u++)
        all += size_of_unit(w, u);
    if (!(w->block = covey_i_array(all / BLOCK + 2, sizeof *w->block)))
        return covey_i_no_memory(err);
    w->block[0] = 0;
    for (uint32_t u = 0; u < w->units->n; u++) {
        size += size_of_unit(w, u);
        if (size >= BLOCK || u + 1 == w->units->n) {
            w->block[++w->n_blocks] = u + 1;
            size = 0;
        }
    }
    return COVEY_OK;
}

/* Column by column: codes come from all over the part, and so do not wait for each other. */
static void gather_rows(unsigned char *to, const struct writing *w, const uint32_t *row, size_t n)
{
    const size_t row_size = w->row_size;

    for (size_t f = 0; f < w->problem->n_fields; f++) {
        const covey_column *column = w->problem->field[f].column;

        COVEY_CODES_TYPED(column->width, {
            const covey_code *codes = column->codes;

            for (size_t i = 0; i < n; i++) {
                const covey_code code = codes[row[i]];

                for (size_t b = 0; b < sizeof code; b++)
                    to[i * row_size + b] = (unsigned char)(code >> 8 * b);
            }
        });
        to += column->width;
    }
}

static covey_status reserve(unsigned char **bytes, size_t *capacity, size_t size, covey_error *err)
{
    if (size <= *capacity)
        return COVEY_OK;
    covey_i_free(*bytes);
    *capacity = 0;
    if (!(*bytes = covey_i_malloc(size)))
        return covey_i_no_memory(err);
    *capacity = size;
    return COVEY_OK;
}

static unsigned char *put_head(unsigned char *to, const struct writing *w, uint32_t u)
{
    const covey_part_units *units = w->units;
    const size_t d = w->problem->n_axes;

    to = put_number(to, units->start[u + 1] - units->start[u], 4);
    for (size_t i = 0; i < w->n_key; i++)
        to = put_number(to, units->key[u * w->n_key + i], 4);
    for (size_t a = 0; units->low && a < d; a++)
        to = put_number(to, units->low[u * d + a], 4);
    for (size_t a = 0; units->low && a < d; a++)
        to = put_number(to, units->high[u * d + a], 4);
    return to;
}

static covey_status make_block(struct block *b, const struct writing *w, size_t number, covey_error *err)
{
    const uint32_t begin = w->block[number], end = w->block[number + 1], *start = w->units->start;
    const size_t n_rows = start[end] - start[begin];
    const unsigned char *from;
    unsigned char *to;

    COVEY_TRY(reserve(&b->rows, &b->row_capacity, n_rows * w->row_size, err));
    COVEY_TRY(reserve(&b->bytes, &b->capacity, n_rows * w->row_size + (size_t)(end - begin) * w->n_head * 4, err));
    gather_rows(b->rows, w, w->units->row + start[begin], n_rows);
    from = b->rows;
    to = b->bytes;
    for (uint32_t u = begin; u < end; u++) {
        const size_t size = (start[u + 1] - start[u]) * w->row_size;

        to = put_head(to, w, u);
        memcpy(to, from, size);
        to += size;
        from += size;
    }
    b->size = (size_t)(to - b->bytes);
    return COVEY_OK;
}

static covey_status write_blocks(void *context, size_t worker, covey_error *err)
{
    struct writing *w = context;
    struct block b = {0};
    covey_status status = COVEY_OK;
    int64_t number;

    while (status == COVEY_OK && (number = covey_i_turns_take(&w->turns)) >= 0) {
        uint64_t hash;

        if ((status = make_block(&b, w, (size_t)number, err)) != COVEY_OK)
            break;
        hash = covey_i_hash_bytes((const char *)b.bytes, b.size);
        if (!covey_i_turns_wait(&w->turns, number))
            break;
        write_block(w, b.bytes, b.size, hash); /* nobody else's turn */
        if (covey_i_outfile_is_broken(w->out)) /* which closing it tells */
            covey_i_turns_stop(&w->turns);
        covey_i_turns_pass(&w->turns);
    }
    if (status != COVEY_OK)
        covey_i_turns_stop(&w->turns);
    covey_i_free(b.bytes);
    covey_i_free(b.rows);
    return status;
}

covey_status covey_i_part_file_write(covey_outfile *out, const covey_plan *plan, const covey_part_facts *facts,
                                     const covey_problem *problem, const covey_part_units *units, const covey_run *run,
                                     covey_error *err)
{
    const size_t n_threads = (size_t)covey_run_threads(run),
                 n_key = covey_i_part_stored_key(facts->kind, problem->n_axes);
    struct writing w = {
        .out = out, .problem = problem, .units = units, .n_key = n_key, .row_size = covey_i_plan_row_size(plan)};
    covey_status status;

    w.n_head = 1 + n_key + (facts->kind == COVEY_PART_REGIONS ? 2 * problem->n_axes : 0);
    covey_i_outfile_write(out, COVEY_PART_MAGIC, COVEY_PART_MAGIC_SIZE);
    if ((status = write_header(&w, plan, facts, err)) == COVEY_OK && (status = find_blocks(&w, err)) == COVEY_OK) {
        const size_t n_workers = n_threads < w.n_blocks ? n_threads : w.n_blocks;

        covey_i_turns_init(&w.turns, (int64_t)w.n_blocks);
        status = covey_i_parallel((int)n_workers, n_workers, write_blocks, &w, err);
        covey_i_turns_free(&w.turns);
    }
    if (status == COVEY_OK)
        write_block(&w, NULL, 0, covey_i_hash_bytes("", 0)); /* the end */
    covey_i_free(w.block);
    return status;
}

/* --- copying --- */

covey_status covey_i_part_file_copy(covey_outfile *out, const covey_plan *plan, const covey_part_facts *facts,
                                    covey_part_reader *from, int64_t n, covey_error *err)
{
    struct writing w = {.out = out, .problem = &plan->prepared.problem};
    covey_text block = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_outfile_write(out, COVEY_PART_MAGIC, COVEY_PART_MAGIC_SIZE);
    status = write_header(&w, plan, facts, err);
    for (int64_t i = 0; status == COVEY_OK && i < n; i++) {
        covey_i_text_add(&block, (const char *)from->bytes,
                         (size_t)(from->rows - from->bytes) + from->n * from->row_size);
        if (block.broken) {
            status = covey_i_no_memory(err);
        } else if (block.size >= BLOCK || i + 1 == n) {
            write_block(&w, (const unsigned char *)block.bytes, block.size,
                        covey_i_hash_bytes(block.bytes, block.size));
            covey_i_text_clear(&block);
        }
        if (status == COVEY_OK)
            status = covey_i_part_reader_next(from, err);
    }
    if (status == COVEY_OK)
        write_block(&w, NULL, 0, covey_i_hash_bytes("", 0)); /* the end */
    covey_i_text_free(&block);
    return status;
}
