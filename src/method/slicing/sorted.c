/* The contents of a table: rows that are equal in everything published as one row that stands for them, in the order of
 * their content.  Slicing looks at the rows of a bucket again and again; in that order they stand near each other,
 * while in the table as it came they lie anywhere, where no cache holds them.  Nobody can tell equal rows apart, so
 * that nothing else is kept of them. */
#include "method/slicing/slicing.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/threads.h"
#include "method/rows/row_runs.h"

enum { CHUNK = 1 << 14 };

struct copying {
    const covey_slicing *s;
    const covey_sorted_rows *sorted;
    const covey_row_runs *runs;
    size_t n_chunks;
};

/* Copies a part of a field's codes. */
static covey_status copy_chunk(void *context, size_t task, covey_error *err)
{
    const struct copying *c = context;
    const size_t f = task / c->n_chunks;
    const uint32_t begin = (uint32_t)(task % c->n_chunks * CHUNK),
                   n = c->runs->n - begin < CHUNK ? c->runs->n - begin : CHUNK;
    const covey_row_codes codes = covey_i_row_codes(c->s->given, c->sorted, c->s->given->field[f].column);

    covey_i_row_codes_copy(c->s->sorted_codes[f], begin, &codes, c->runs->start + begin, n);
    return COVEY_OK;
}

/* Columns of n rows in the place of those of the problem that was given. */
static covey_status new_table(covey_slicing *s, uint32_t n, covey_error *err)
{
    const covey_problem *given = s->given;
    covey_field *field = covey_arena_array(s->arena, covey_field, given->n_fields);
    covey_column *column = covey_arena_array(s->arena, covey_column, given->n_fields);

    s->sorted_codes = covey_arena_array_zero(s->arena, void *, given->n_fields);
    if (!field || !column || !s->sorted_codes)
        return covey_i_no_memory(err);
    for (size_t f = 0; f < given->n_fields; f++) {
        column[f] = *given->field[f].column;
        if (!(s->sorted_codes[f] = covey_i_array_full(n, (size_t)column[f].width)))
            return covey_i_no_memory(err);
        column[f].codes = s->sorted_codes[f];
        field[f] = given->field[f];
        field[f].column = &column[f];
    }
    s->own = *given;
    s->own.n_rows = n;
    s->own.field = field;
    s->problem = &s->own;
    return COVEY_OK;
}

static covey_status fill_table(covey_slicing *s, const covey_sorted_rows *sorted, const covey_row_runs *runs,
                               const covey_run *run, covey_error *err)
{
    struct copying c = {s, sorted, runs, ((size_t)runs->n + CHUNK - 1) / CHUNK};

    s->content = covey_i_array_full(runs->n, sizeof *s->content);
    s->count = covey_i_array_full(runs->n, sizeof *s->count);
    s->of_given = sorted->rows ? covey_i_array_full(runs->n, sizeof *s->of_given) : NULL;
    if (!s->content || !s->count || (sorted->rows && !s->of_given))
        return covey_i_no_memory(err);
    s->n_contents = runs->n;
    for (uint32_t i = 0; i < runs->n; i++) {
        s->content[i] = i;
        s->count[i] = runs->start[i + 1] - runs->start[i];
    }
    for (uint32_t i = 0; sorted->rows && i < runs->n; i++)
        s->of_given[i] = sorted->rows[runs->start[i]];
    COVEY_TRY(new_table(s, runs->n, err));
    return covey_i_parallel(covey_run_threads(run), s->given->n_fields * c.n_chunks, copy_chunk, &c, err);
}

covey_status covey_i_slicing_sort_table(covey_slicing *s, const covey_run *run, covey_error *err)
{
    const covey_column **beside = covey_i_array(s->problem->n_fields, sizeof *beside);
    covey_arena arena = COVEY_ARENA_INIT;
    covey_sorted_rows sorted = {0};
    covey_row_runs runs;
    size_t n_beside = 0;
    covey_status status = beside ? COVEY_OK : covey_i_no_memory(err);

    s->given = s->problem;
    for (size_t f = 0; f < s->given->n_fields && beside; f++)
        if (s->given->field[f].role != COVEY_ROLE_QUASI)
            beside[n_beside++] = s->given->field[f].column;
    if (status == COVEY_OK)
        status = covey_i_problem_order_contents(&sorted, s->given, run, err);
    if (status == COVEY_OK)
        status = covey_i_row_runs_new(&runs, s->given, &sorted, beside, n_beside, &arena, run, err);
    if (status == COVEY_OK)
        status = fill_table(s, &sorted, &runs, run, err);
    covey_i_free(beside);
    covey_i_sorted_rows_clear(&sorted);
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_slicing_list_table(covey_slicing *s, const covey_run *run, covey_error *err)
{
    if (!(s->content = covey_i_array_full(s->n, sizeof *s->content)))
        return covey_i_no_memory(err);
    s->n_contents = s->n;
    return covey_i_problem_sort_rows(s->content, s->problem, run, err);
}

void covey_i_slicing_list_rows(uint32_t *row, const covey_slicing *s)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->n_contents; i++)
        for (uint32_t end = n + covey_i_slicing_count(s, s->content[i]); n < end;)
            row[n++] = s->content[i];
}

void covey_i_slicing_clear_lists(covey_slicing *s)
{
    covey_i_free(s->content);
    covey_i_free(s->count);
    s->content = s->count = NULL;
}

void covey_i_slicing_clear_rows(covey_slicing *s)
{
    covey_i_slicing_clear_lists(s);
    for (size_t f = 0; s->given && s->sorted_codes && f < s->given->n_fields; f++)
        covey_i_free(s->sorted_codes[f]);
    s->sorted_codes = NULL;
    covey_i_free(s->of_given);
    s->of_given = NULL;
}
