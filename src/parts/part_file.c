/* See part_file.h.  Numbers are little-endian.  Blocks hold whole units, and each carries a check sum that depends on all before it, so
 * that a file which was changed or cut off is found. */
#include "parts/part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/hash.h"

static const char MAGIC[] = "covey part 1\n";

enum { MAGIC_SIZE = sizeof MAGIC - 1, BLOCK = 1 << 16, DIGEST = 32 };

/* What a release is: the kind, the goal, and whether it is seeded, in one byte. */
enum { GOAL_SHIFT = 4, KIND_MASK = 0xf, GOAL_MASK = 0x7, SEEDED = 0x80 };

enum { VALUES_KEY = 5 };

const char *const covey_i_part_goal_name[COVEY_PART_GOALS] = {"ail", "sum-error", "max-error"};

size_t covey_i_part_stored_key(covey_part_kind kind, size_t n_axes)
{
    if (kind == COVEY_PART_VALUES)
        return VALUES_KEY;
    return kind == COVEY_PART_CLASSES || kind == COVEY_PART_REGIONS ? 2 * n_axes : 0;
}

size_t covey_i_part_key(covey_part_kind kind, size_t n_axes)
{
    const size_t stored = covey_i_part_stored_key(kind, n_axes);

    return stored > 0 ? stored : n_axes;
}

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "the file of a part");
}

/* --- writing --- */

static void add_number(covey_text *out, uint64_t value, int bytes)
{
    char number[8];

    for (int i = 0; i < bytes; i++, value >>= 8)
        number[i] = (char)(value & 0xff);
    covey_i_text_add(out, number, (size_t)bytes);
}

static void write_number(covey_outfile *out, uint64_t value, int bytes)
{
    char number[8];

    for (int i = 0; i < bytes; i++, value >>= 8)
        number[i] = (char)(value & 0xff);
    covey_i_outfile_write(out, number, (size_t)bytes);
}

static uint64_t next_check(uint64_t check, const void *bytes, size_t size)
{
    return covey_i_mix(check + 1, covey_i_hash_bytes(bytes, size));
}

static covey_status end_block(covey_outfile *out, covey_text *block, uint64_t *check, covey_error *err)
{
    if (block->broken)
        return no_memory(err);
    *check = next_check(*check, block->bytes ? block->bytes : "", block->size);
    write_number(out, block->size, 4);
    covey_i_outfile_write(out, block->bytes, block->size);
    write_number(out, *check, 8);
    covey_i_text_clear(block);
    return COVEY_OK;
}

static void add_header(covey_text *out, const covey_plan *plan, const covey_part_facts *facts)
{
    covey_i_text_add(out, (const char *)plan->digest, DIGEST);
    add_number(out, facts->first, 4);
    add_number(out, facts->last, 4);
    add_number(out, facts->kind | (unsigned)facts->goal << GOAL_SHIFT | (facts->is_seeded ? SEEDED : 0), 1);
    add_number(out, (uint64_t)facts->n_rows, 8);
    add_number(out, (uint64_t)facts->n_published, 8);
    add_number(out, (uint64_t)facts->n_units, 8);
    add_number(out, plan->prepared.problem.n_axes, 4);
    add_number(out, plan->n_columns, 4);
    for (size_t c = 0; c < plan->n_columns; c++)
        add_number(out, (uint64_t)plan->prepared.column[c]->width, 1);
}

static void add_unit(covey_text *out, const covey_problem *problem, const covey_part_units *units, size_t n_stored, uint32_t u)
{
    const size_t d = problem->n_axes;
    const uint32_t begin = units->start[u], end = units->start[u + 1];

    add_number(out, end - begin, 4);
    for (size_t i = 0; i < n_stored; i++)
        add_number(out, units->key[u * n_stored + i], 4);
    for (size_t a = 0; units->low && a < d; a++)
        add_number(out, units->low[u * d + a], 4);
    for (size_t a = 0; units->high && a < d; a++)
        add_number(out, units->high[u * d + a], 4);
    for (uint32_t i = begin; i < end; i++)
        for (size_t f = 0; f < problem->n_fields; f++) {
            const covey_column *column = problem->field[f].column;

            add_number(out, covey_i_code(column, units->row[i]), column->width);
        }
}

covey_status covey_i_part_file_write(covey_outfile *out, const covey_plan *plan, const covey_part_facts *facts, const covey_problem *problem,
                                     const covey_part_units *units, covey_error *err)
{
    const size_t n_stored = covey_i_part_stored_key(facts->kind, problem->n_axes);
    covey_text block = COVEY_TEXT_INIT;
    uint64_t check = 0;
    covey_status status;

    covey_i_outfile_write(out, MAGIC, MAGIC_SIZE);
    add_header(&block, plan, facts);
    status = end_block(out, &block, &check, err);
    for (uint32_t u = 0; u < units->n && status == COVEY_OK; u++) {
        add_unit(&block, problem, units, n_stored, u);
        if (block.size >= BLOCK || block.broken)
            status = end_block(out, &block, &check, err);
    }
    if (status == COVEY_OK && block.size > 0)
        status = end_block(out, &block, &check, err);
    if (status == COVEY_OK)
        status = end_block(out, &block, &check, err); /* of no bytes: the end */
    covey_i_text_free(&block);
    return status;
}

/* --- reading --- */

static covey_status changed(const covey_part_reader *r, const char *what, covey_error *err)
{
    return covey_fail_at(err, COVEY_EPARSE, r->path, 0, NULL, 0, "%s; make the part again", what);
}

static covey_status read_bytes(covey_part_reader *r, void *to, size_t size, covey_error *err)
{
    unsigned char *at = to;

    if ((int64_t)size > r->left)
        return changed(r, "the part is cut off", err);
    r->left -= (int64_t)size;
    while (size > 0) {
        const ssize_t n = read(r->file, at, size);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return covey_fail_at(err, COVEY_EIO, r->path, 0, NULL, 0, "%s", strerror(errno));
        if (n == 0)
            return changed(r, "the part is cut off", err);
        at += n;
        size -= (size_t)n;
    }
    return COVEY_OK;
}

static uint64_t number_at(const unsigned char *at, int bytes)
{
    uint64_t value = 0;

    for (int i = bytes; i > 0; i--)
        value = value << 8 | at[i - 1];
    return value;
}

/* The next block; size 0: the end. */
static covey_status read_block(covey_part_reader *r, covey_error *err)
{
    unsigned char number[8];
    size_t size;

    COVEY_TRY(read_bytes(r, number, 4, err));
    size = (size_t)number_at(number, 4);
    if ((int64_t)size > r->left)
        return changed(r, "the part is cut off", err);
    if (size > r->capacity) {
        covey_i_free(r->block);
        r->capacity = 0;
        if (!(r->block = covey_i_malloc(size)))
            return no_memory(err);
        r->capacity = size;
    }
    COVEY_TRY(read_bytes(r, r->block, size, err));
    COVEY_TRY(read_bytes(r, number, 8, err));
    r->check = next_check(r->check, r->block ? (const char *)r->block : "", size);
    if (r->check != number_at(number, 8))
        return changed(r, "the part was changed after it was made", err);
    r->size = size;
    r->at = 0;
    return COVEY_OK;
}

static covey_status read_header(covey_part_reader *r, covey_error *err)
{
    const covey_plan *plan = r->plan;
    const size_t fixed = DIGEST + 4 + 4 + 1 + 8 + 8 + 8 + 4 + 4;
    const unsigned char *at;
    int kind, goal;
    bool fits;

    COVEY_TRY(read_block(r, err));
    if (r->size < fixed || r->size != fixed + number_at(r->block + fixed - 4, 4))
        return changed(r, "the part was changed after it was made", err);
    at = r->block;
    if (memcmp(at, plan->digest, DIGEST) != 0)
        return covey_fail_at(err, COVEY_EINVAL, r->path, 0, NULL, 0, "belongs to another plan: make the part again with this recipe");
    at += DIGEST;
    kind = at[8] & KIND_MASK;
    goal = at[8] >> GOAL_SHIFT & GOAL_MASK;
    if (kind >= COVEY_PART_KINDS || goal >= COVEY_PART_GOALS)
        return changed(r, "the part is of a kind that this version does not know", err);
    r->facts = (covey_part_facts){
        .first = (uint32_t)number_at(at, 4), .last = (uint32_t)number_at(at + 4, 4), .kind = (covey_part_kind)kind, .goal = (covey_part_goal)goal,
        .is_seeded = at[8] & SEEDED, .n_rows = (int64_t)number_at(at + 9, 8), .n_published = (int64_t)number_at(at + 17, 8),
        .n_units = (int64_t)number_at(at + 25, 8)};
    fits = number_at(at + 33, 4) == plan->prepared.problem.n_axes && number_at(at + 37, 4) == plan->n_columns &&
           r->facts.first <= r->facts.last && r->facts.last < plan->n_parts;
    for (size_t c = 0; fits && c < plan->n_columns; c++)
        fits = at[41 + c] == plan->prepared.column[c]->width;
    return fits ? COVEY_OK : changed(r, "the part does not fit its plan", err);
}

static covey_status finish(covey_part_reader *r, covey_error *err)
{
    r->ended = true;
    r->n = 0;
    if (r->left != 0 || r->n_rows_read != r->facts.n_published || r->n_units_read != r->facts.n_units)
        return changed(r, "the part was changed after it was made", err);
    return COVEY_OK;
}

/* The quasi-identifiers of the unit's first row. */
static void take_key(covey_part_reader *r)
{
    const covey_problem *problem = &r->plan->prepared.problem;

    for (size_t a = 0; a < problem->n_axes; a++)
        r->key[a] = (uint32_t)number_at(r->rows + r->place[a], problem->axis[a].column->width);
}

covey_status covey_i_part_reader_next(covey_part_reader *r, covey_error *err)
{
    const size_t d = r->plan->prepared.problem.n_axes;
    const bool has_regions = r->facts.kind == COVEY_PART_REGIONS;
    const size_t fixed = 4 + 4 * (r->n_stored + (has_regions ? 2 * d : 0));
    const unsigned char *at;

    if (r->ended)
        return COVEY_OK;
    if (r->at == r->size) {
        COVEY_TRY(read_block(r, err));
        if (r->size == 0)
            return finish(r, err);
    }
    at = r->block + r->at;
    if (r->size - r->at < fixed || (r->n = (uint32_t)number_at(at, 4)) == 0 || (r->size - r->at - fixed) / r->row_size < r->n)
        return changed(r, "the part was changed after it was made", err);
    at += 4;
    for (size_t i = 0; i < r->n_stored; i++, at += 4)
        r->key[i] = (uint32_t)number_at(at, 4);
    for (size_t a = 0; has_regions && a < d; a++) {
        r->low[a] = (uint32_t)number_at(at + 4 * a, 4);
        r->high[a] = (uint32_t)number_at(at + 4 * (d + a), 4);
        if (r->low[a] > r->high[a] || r->high[a] >= r->plan->prepared.problem.axis[a].n_values)
            return changed(r, "the part was changed after it was made", err);
    }
    r->rows = r->block + r->at + fixed;
    r->at += fixed + r->n * r->row_size;
    if (r->n_stored == 0)
        take_key(r);
    r->n_rows_read += r->n;
    r->n_units_read++;
    return COVEY_OK;
}

/* Room for a unit, once its kind is known; and where a row has its quasi-identifiers. */
static covey_status start(covey_part_reader *r, covey_error *err)
{
    const covey_plan *plan = r->plan;
    const size_t d = plan->prepared.problem.n_axes;

    r->row_size = covey_i_plan_row_size(plan);
    r->n_key = covey_i_part_key(r->facts.kind, d);
    r->n_stored = covey_i_part_stored_key(r->facts.kind, d);
    r->key = covey_i_array(r->n_key, sizeof *r->key);
    r->low = covey_i_array(d, sizeof *r->low);
    r->high = covey_i_array(d, sizeof *r->high);
    r->place = covey_i_array_zero(d, sizeof *r->place);
    if (!r->key || !r->low || !r->high || !r->place)
        return no_memory(err);
    for (size_t a = 0; a < d; a++)
        for (size_t c = 0; plan->prepared.column[c] != plan->prepared.problem.axis[a].column; c++)
            r->place[a] += (size_t)plan->prepared.column[c]->width;
    return COVEY_OK;
}

covey_status covey_i_part_reader_open(covey_part_reader *out, const char *path, const covey_plan *plan, covey_error *err)
{
    covey_part_reader r = {.path = path, .plan = plan, .file = open(path, O_RDONLY | O_CLOEXEC)};
    char magic[MAGIC_SIZE];
    struct stat facts;
    covey_status status = COVEY_OK;

    if (r.file < 0)
        return covey_fail_at(err, errno == ENOENT ? COVEY_ENOTFOUND : COVEY_EIO, path, 0, NULL, 0, "%s",
                             errno == ENOENT ? "there is no such file" : strerror(errno));
    if (fstat(r.file, &facts) != 0 || !S_ISREG(facts.st_mode) || (r.left = facts.st_size) < MAGIC_SIZE) {
        status = covey_fail_at(err, COVEY_EPARSE, path, 0, NULL, 0, "is no part: covey part writes them");
        goto done;
    }
    if ((status = read_bytes(&r, magic, MAGIC_SIZE, err)) != COVEY_OK)
        goto done;
    if (memcmp(magic, MAGIC, MAGIC_SIZE) != 0) {
        status = covey_fail_at(err, COVEY_EPARSE, path, 0, NULL, 0, "is no part: covey part writes them");
        goto done;
    }
    if ((status = read_header(&r, err)) == COVEY_OK && (status = start(&r, err)) == COVEY_OK) {
        r.size = r.at = 0;
        status = covey_i_part_reader_next(&r, err);
    }
done:
    if (status == COVEY_OK)
        *out = r;
    else
        covey_i_part_reader_close(&r);
    return status;
}

void covey_i_part_reader_close(covey_part_reader *r)
{
    if (r->file >= 0)
        close(r->file);
    r->file = -1;
    covey_i_free(r->block);
    covey_i_free(r->key);
    covey_i_free(r->low);
    covey_i_free(r->high);
    covey_i_free(r->place);
    r->block = NULL;
    r->key = r->low = r->high = NULL;
    r->place = NULL;
}
