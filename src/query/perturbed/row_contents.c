/* Finding neighbouring rows that are equal, and giving the release columns of these. */
#include "query/perturbed/row_contents.h"

#include <string.h>

#include "base/codes.h"
#include "base/error.h"

enum { BLOCK = 4096, LEAST_ROWS = 2 /* of a run, on average: fewer are not worth the memory */ };

/* Which of the rows first .. first + n - 1 differ from the one before?  first > 0. */
static void mark_changes(uint8_t *differs, const covey_column *text, uint32_t first, uint32_t n)
{
    COVEY_CODES_TYPED(text->width, {
        const covey_code *code = (const covey_code *)text->codes + first, *before = code - 1;

        for (uint32_t i = 0; i < n; i++)
            differs[i] |= code[i] != before[i];
    });
}

/* The first rows of runs among those of a block; start has room for all of them.  Returns how many there are. */
static uint32_t find_starts(uint32_t *start, const covey_query_release *release, uint32_t first, uint32_t n)
{
    uint8_t differs[BLOCK] = {0};
    const uint32_t skipped = first == 0; /* the first row of all, which always begins a run */
    uint32_t n_starts = 0;

    for (size_t i = 0; i < release->n_columns; i++)
        mark_changes(differs + skipped, release->column[i].text, first + skipped, n - skipped);
    differs[0] |= skipped;
    for (uint32_t i = 0; i < n; i++) {
        start[n_starts] = first + i;
        n_starts += differs[i];
    }
    return n_starts;
}

/* start: room for most + BLOCK; the walk ends where there are more than that. */
static uint32_t list_starts(uint32_t *start, const covey_query_release *release, uint32_t n_rows, uint32_t most)
{
    uint32_t n_starts = 0;

    for (uint32_t first = 0, n; first < n_rows && n_starts <= most; first += n) {
        n = n_rows - first < BLOCK ? n_rows - first : BLOCK;
        n_starts += find_starts(start + n_starts, release, first, n);
    }
    return n_starts;
}

static covey_status pick_rows(covey_query_column *column, const uint32_t *row, uint32_t n, covey_arena *arena,
                              covey_error *err)
{
    const covey_column *text = column->text;
    covey_column *picked = covey_arena_array(arena, covey_column, 1);
    const void *from = text->codes;
    const int width = text->width;
    void *codes = covey_arena_alloc(arena, n, (size_t)width);

    if (!picked || !codes)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        covey_i_codes_put(codes, width, i, covey_i_codes_get(from, width, row[i]));
    *picked = *text;
    picked->codes = codes;
    picked->n_rows = n;
    column->text = picked;
    return COVEY_OK;
}

static covey_status join(covey_row_contents *out, covey_query_release *release, const uint32_t *start, uint32_t n,
                         uint32_t n_rows, covey_error *err)
{
    uint32_t *weight = covey_arena_array(&release->arena, uint32_t, n);

    if (!weight)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        weight[i] = (i + 1 < n ? start[i + 1] : n_rows) - start[i];
    for (size_t i = 0; i < release->n_columns; i++)
        COVEY_TRY(pick_rows(&release->column[i], start, n, &release->arena, err));
    *out = (covey_row_contents){n, weight};
    return COVEY_OK;
}

covey_status covey_i_row_contents_join(covey_row_contents *out, covey_query_release *release, covey_error *err)
{
    const uint32_t n_rows = release->opened->n_rows, most = n_rows / LEAST_ROWS;
    covey_arena arena = COVEY_ARENA_INIT;
    uint32_t *start = covey_arena_array(&arena, uint32_t, (size_t)most + BLOCK), n;
    covey_status status = start ? COVEY_OK : covey_i_no_memory(err);

    *out = (covey_row_contents){.n = n_rows};
    if (status == COVEY_OK && (n = list_starts(start, release, n_rows, most)) <= most)
        status = join(out, release, start, n, n_rows, err);
    covey_arena_free(&arena);
    return status;
}
