/* Rows on disk, column by column.  Piece by piece: the maps of all columns, then slice by slice the codes of all
 * columns, so that writing and reading go through the file from its beginning to its end. */
#include "parts/deal/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/threads.h"
#include "table/table_impl.h"

/* A column of a piece. */
struct spilled_column {
    uint32_t n_values;
    int width;
};

struct spilled_piece {
    int64_t n_rows;
    off_t maps, rows;              /* where they begin */
    struct spilled_column *column; /* [n_columns] */
    size_t row_size;
};

/* What the growing values of a column have become. */
struct known {
    uint32_t n;
    uint32_t *place; /* [n] rows of the plan's value column; owned */
};

struct covey_spill {
    char *path;
    int file;
    off_t size;
    size_t n_columns, n_pieces, capacity;
    struct spilled_piece *piece;
    struct known *known; /* [n_columns] NULL: not at the end yet */
};

static covey_status fail_system(const covey_spill *spill, covey_error *err)
{
    return covey_fail_at(err, COVEY_EIO, spill->path, 0, NULL, 0, "%s", strerror(errno));
}

covey_status covey_i_spill_new(covey_spill **out, const char *path, covey_error *err)
{
    covey_spill *spill = covey_i_array_zero(1, sizeof *spill);
    covey_status status = COVEY_OK;

    if (!spill)
        return covey_i_no_memory(err);
    spill->file = -1;
    if (!(spill->path = covey_i_strdup(path)))
        status = covey_i_no_memory(err);
    else if ((spill->file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) < 0)
        status = fail_system(spill, err);
    if (status == COVEY_OK)
        *out = spill;
    else
        covey_i_spill_free(spill);
    return status;
}

static covey_status changed(const covey_spill *spill, covey_error *err)
{
    return covey_fail_at(err, COVEY_EIO, spill->path, 0, NULL, 0,
                         "was changed or cut off while it was needed; start again");
}

static covey_status write_at(const covey_spill *spill, off_t at, const void *bytes, size_t left, covey_error *err)
{
    const char *from = bytes;

    while (left > 0) {
        const ssize_t n = pwrite(spill->file, from, left, at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_system(spill, err);
        from += n;
        at += n;
        left -= (size_t)n;
    }
    return COVEY_OK;
}

static covey_status read_at(const covey_spill *spill, off_t at, void *bytes, size_t left, covey_error *err)
{
    char *to = bytes;

    while (left > 0) {
        const ssize_t n = pread(spill->file, to, left, at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_system(spill, err);
        if (n == 0)
            return changed(spill, err);
        to += n;
        at += n;
        left -= (size_t)n;
    }
    return COVEY_OK;
}

static size_t n_slices(int64_t n_rows)
{
    return ((size_t)n_rows + COVEY_DEAL_SLICE - 1) / COVEY_DEAL_SLICE;
}

static uint32_t slice_rows(int64_t n_rows, size_t slice)
{
    const int64_t left = n_rows - (int64_t)slice * COVEY_DEAL_SLICE;

    return left < COVEY_DEAL_SLICE ? (uint32_t)left : COVEY_DEAL_SLICE;
}

/* --- writing --- */

static covey_status add_piece(covey_spill *spill, const covey_column *const *column, int64_t n_rows, covey_error *err)
{
    struct spilled_piece *piece;
    size_t maps = 0;

    if (spill->n_pieces == spill->capacity) {
        const size_t capacity = spill->capacity ? 2 * spill->capacity : 16;

        if (!(piece = covey_i_realloc(spill->piece, capacity, sizeof *piece)))
            return covey_i_no_memory(err);
        spill->piece = piece;
        spill->capacity = capacity;
    }
    piece = &spill->piece[spill->n_pieces];
    *piece = (struct spilled_piece){.n_rows = n_rows, .maps = spill->size};
    if (!(piece->column = covey_i_array(spill->n_columns, sizeof *piece->column)))
        return covey_i_no_memory(err);
    spill->n_pieces++;
    for (size_t c = 0; c < spill->n_columns; c++) {
        piece->column[c] = (struct spilled_column){column[c]->n_values, column[c]->width};
        piece->row_size += (size_t)column[c]->width;
        maps += column[c]->n_values * sizeof(uint32_t);
    }
    piece->rows = piece->maps + (off_t)maps;
    spill->size = piece->rows + (off_t)((size_t)n_rows * piece->row_size);
    return COVEY_OK;
}

struct writing {
    const covey_spill *spill;
    const struct spilled_piece *piece;
    const covey_column *const *column;
};

static covey_status write_slice(void *context, size_t slice, covey_error *err)
{
    const struct writing *w = context;
    const size_t begin = slice * COVEY_DEAL_SLICE;
    const uint32_t n = slice_rows(w->piece->n_rows, slice);
    off_t at = w->piece->rows + (off_t)(begin * w->piece->row_size);

    for (size_t c = 0; c < w->spill->n_columns; c++) {
        const size_t width = (size_t)w->column[c]->width;

        COVEY_TRY(write_at(w->spill, at, (const char *)w->column[c]->codes + begin * width, n * width, err));
        at += (off_t)(n * width);
    }
    return COVEY_OK;
}

covey_status covey_i_spill_add(covey_spill *spill, const covey_column *const *column, uint32_t *const *map,
                               size_t n_columns, int64_t n_rows, const covey_run *run, covey_error *err)
{
    struct writing w = {.spill = spill, .column = column};
    off_t at = spill->size;

    spill->n_columns = n_columns;
    COVEY_TRY(add_piece(spill, column, n_rows, err));
    w.piece = &spill->piece[spill->n_pieces - 1];
    for (size_t c = 0; c < n_columns; c++) {
        const size_t size = w.piece->column[c].n_values * sizeof **map;

        COVEY_TRY(write_at(spill, at, map[c], size, err));
        at += (off_t)size;
    }
    return covey_i_parallel(covey_run_threads(run), n_slices(n_rows), write_slice, &w, err);
}

covey_status covey_i_spill_end(covey_spill *spill, covey_growing_values *values, covey_error *err)
{
    if (!(spill->known = covey_i_array(spill->n_columns, sizeof *spill->known)))
        return covey_i_no_memory(err);
    for (size_t c = 0; c < spill->n_columns; c++) {
        spill->known[c] = (struct known){values[c].n_codes, values[c].place};
        values[c].place = NULL;
    }
    return COVEY_OK;
}

/* --- dealing --- */

/* A piece on its way to the parts. */
struct dealing {
    const covey_spill *spill;
    const struct spilled_piece *piece;
    const covey_dealer *dealer;
    uint32_t **map; /* [n_columns] codes of the plan */
    covey_arena arena;
};

static covey_status read_maps(struct dealing *d, covey_error *err)
{
    const covey_plan *plan = d->dealer->plan;
    off_t at = d->piece->maps;

    if (!(d->map = covey_arena_array(&d->arena, uint32_t *, d->spill->n_columns)))
        return covey_i_no_memory(err);
    for (size_t c = 0; c < d->spill->n_columns; c++) {
        const uint32_t n = d->piece->column[c].n_values;

        if (!(d->map[c] = covey_arena_array(&d->arena, uint32_t, n)))
            return covey_i_no_memory(err);
        COVEY_TRY(read_at(d->spill, at, d->map[c], n * sizeof **d->map, err));
        at += (off_t)(n * sizeof **d->map);
        for (uint32_t i = 0; i < n; i++) {
            if (d->map[c][i] >= d->spill->known[c].n)
                return changed(d->spill, err);
            d->map[c][i] = covey_i_code(plan->prepared.column[c], d->spill->known[c].place[d->map[c][i]]);
        }
    }
    return COVEY_OK;
}

static bool are_codes_of(const struct spilled_column *column, const void *code, uint32_t n)
{
    uint32_t lowest, largest;

    covey_i_codes_range(&lowest, &largest, code, column->width, n);
    return largest < column->n_values;
}

/* The rows of a slice in the plan's codes. */
static covey_status read_slice(const void **code, const struct dealing *d, size_t slice, covey_arena *arena,
                               covey_error *err)
{
    const uint32_t n = slice_rows(d->piece->n_rows, slice);
    off_t at = d->piece->rows + (off_t)(slice * COVEY_DEAL_SLICE * d->piece->row_size);

    for (size_t c = 0; c < d->spill->n_columns; c++) {
        const int from = d->piece->column[c].width, to = d->dealer->plan->prepared.column[c]->width;
        const size_t size = n * (size_t)from;
        covey_arena_mark mark;
        void *spilled, *codes;

        if (!(codes = covey_arena_alloc(arena, n, (size_t)to)))
            return covey_i_no_memory(err);
        mark = covey_arena_save(arena);
        if (!(spilled = covey_arena_alloc(arena, 1, size)))
            return covey_i_no_memory(err);
        COVEY_TRY(read_at(d->spill, at, spilled, size, err));
        if (!are_codes_of(&d->piece->column[c], spilled, n))
            return changed(d->spill, err);
        covey_i_codes_map(codes, to, spilled, from, n, d->map[c]);
        covey_arena_rewind(arena, mark);
        code[c] = codes;
        at += (off_t)size;
    }
    return COVEY_OK;
}

static covey_status deal_slice(void *context, size_t slice, covey_error *err)
{
    const struct dealing *d = context;
    covey_arena arena = COVEY_ARENA_INIT;
    const void **code = covey_arena_array(&arena, const void *, d->spill->n_columns);
    covey_status status = code ? read_slice(code, d, slice, &arena, err) : covey_i_no_memory(err);

    if (status == COVEY_OK)
        status = covey_i_deal_slice(d->dealer, code, slice_rows(d->piece->n_rows, slice), err);
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_spill_deal(const covey_spill *spill, const covey_dealer *dealer, const covey_run *run,
                                covey_error *err)
{
    for (size_t i = 0; i < spill->n_pieces; i++) {
        struct dealing d = {.spill = spill, .piece = &spill->piece[i], .dealer = dealer};
        covey_status status = read_maps(&d, err);

        if (status == COVEY_OK)
            status = covey_i_parallel(covey_run_threads(run), n_slices(d.piece->n_rows), deal_slice, &d, err);
        covey_arena_free(&d.arena);
        COVEY_TRY(status);
    }
    return COVEY_OK;
}

void covey_i_spill_free(covey_spill *spill)
{
    if (!spill)
        return;
    if (spill->file >= 0) {
        close(spill->file);
        unlink(spill->path);
    }
    for (size_t i = 0; i < spill->n_pieces; i++)
        covey_i_free(spill->piece[i].column);
    for (size_t c = 0; spill->known && c < spill->n_columns; c++)
        covey_i_free(spill->known[c].place);
    covey_i_free(spill->known);
    covey_i_free(spill->piece);
    covey_i_free(spill->path);
    covey_i_free(spill);
}
