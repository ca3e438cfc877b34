/* Reading the file of a part (part/file.h).  Numbers are little-endian.  Blocks hold whole units, and each carries a
 * check sum that depends on all before it, so that a file which was changed or cut off is found. */
#include "parts/part/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/infile.h"
#include "base/hash.h"

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
            return covey_i_no_memory(err);
        r->capacity = size;
    }
    COVEY_TRY(read_bytes(r, r->block, size, err));
    COVEY_TRY(read_bytes(r, number, 8, err));
    r->check = covey_i_mix(r->check + 1, covey_i_hash_bytes(r->block ? (const char *)r->block : "", size));
    if (r->check != number_at(number, 8))
        return changed(r, "the part was changed after it was made", err);
    r->size = size;
    r->at = 0;
    return COVEY_OK;
}

static covey_status read_header(covey_part_reader *r, covey_error *err)
{
    const covey_plan *plan = r->plan;
    const size_t fixed = COVEY_PART_DIGEST + 4 + 4 + 1 + 8 + 8 + 8 + 4 + 4;
    const unsigned char *at;
    int kind, goal;
    bool fits;

    COVEY_TRY(read_block(r, err));
    if (r->size < fixed || r->size != fixed + number_at(r->block + fixed - 4, 4))
        return changed(r, "the part was changed after it was made", err);
    at = r->block;
    if (memcmp(at, plan->digest, COVEY_PART_DIGEST) != 0)
        return covey_fail_at(err, COVEY_EINVAL, r->path, 0, NULL, 0,
                             "belongs to another plan: make the part again with this recipe");
    at += COVEY_PART_DIGEST;
    kind = at[8] & COVEY_PART_KIND_MASK;
    goal = at[8] >> COVEY_PART_GOAL_SHIFT & COVEY_PART_GOAL_MASK;
    if (kind >= COVEY_PART_KINDS || goal >= COVEY_PART_GOALS)
        return changed(r, "the part is of a kind that this version does not know", err);
    r->facts = (covey_part_facts){.first = (uint32_t)number_at(at, 4),
                                  .last = (uint32_t)number_at(at + 4, 4),
                                  .kind = (covey_part_kind)kind,
                                  .goal = (covey_part_goal)goal,
                                  .is_seeded = at[8] & COVEY_PART_SEEDED,
                                  .n_rows = (int64_t)number_at(at + 9, 8),
                                  .n_published = (int64_t)number_at(at + 17, 8),
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
    r->bytes = at = r->block + r->at;
    if (r->size - r->at < fixed || (r->n = (uint32_t)number_at(at, 4)) == 0 ||
        (r->size - r->at - fixed) / r->row_size < r->n)
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
        return covey_i_no_memory(err);
    for (size_t a = 0; a < d; a++)
        for (size_t c = 0; plan->prepared.column[c] != plan->prepared.problem.axis[a].column; c++)
            r->place[a] += (size_t)plan->prepared.column[c]->width;
    return COVEY_OK;
}

covey_status covey_i_part_reader_open(covey_part_reader *out, const char *path, const covey_plan *plan,
                                      covey_error *err)
{
    covey_part_reader r = {.path = path, .plan = plan};
    char magic[COVEY_PART_MAGIC_SIZE];
    struct stat facts;
    covey_status status = COVEY_OK;

    COVEY_TRY(covey_i_infile_open_regular(&r.file, &facts, path, err));
    if ((r.left = facts.st_size) < COVEY_PART_MAGIC_SIZE) {
        status = covey_fail_at(err, COVEY_EPARSE, path, 0, NULL, 0, "is no part: covey part writes them");
        goto done;
    }
    if ((status = read_bytes(&r, magic, COVEY_PART_MAGIC_SIZE, err)) != COVEY_OK)
        goto done;
    if (memcmp(magic, COVEY_PART_MAGIC, COVEY_PART_MAGIC_SIZE) != 0) {
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
