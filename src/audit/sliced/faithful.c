/* Every column of a sliced release holds the pieces of the original's rows: each as often, or less often by the
 * suppressed rows; and where a list says which rows are in a bucket, every bucket those of its rows. */
#include "audit/sliced/sliced.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/sort/keys.h"

/* One side of the comparison: rows as tuples of codes of the original's values, or of the cells that cover them. Behind
 * the codes of an attribute come two more: a cell that is unknown, and a value that no cell covers. */
struct side {
    uint32_t n_rows;
    size_t n;
    uint32_t **code;     /* [n][n_rows] */
    covey_sort_key *key; /* [n] the same */
    uint32_t *row;       /* [n_rows] sorted */
};

static int compare(const struct side *x, uint32_t a, const struct side *y, uint32_t b)
{
    for (size_t i = 0; i < x->n; i++)
        if (x->code[i][a] != y->code[i][b])
            return x->code[i][a] < y->code[i][b] ? -1 : 1;
    return 0;
}

static covey_status new_side(struct side *side, uint32_t n_rows, size_t n, covey_arena *arena, covey_error *err)
{
    bool ok;

    *side = (struct side){n_rows, n, covey_arena_array(arena, uint32_t *, n),
                          covey_arena_array(arena, covey_sort_key, n), covey_arena_array(arena, uint32_t, n_rows)};
    ok = side->code && side->key && side->row;
    for (size_t i = 0; i < n && ok; i++) {
        ok = (side->code[i] = covey_arena_array(arena, uint32_t, n_rows)) != NULL;
        side->key[i] = (covey_sort_key){.codes = side->code[i], .width = sizeof **side->code};
    }
    for (uint32_t r = 0; r < n_rows && ok; r++)
        side->row[r] = r;
    return ok ? COVEY_OK : covey_i_no_memory(err);
}

/* Groups of values: the cell that covers each; cells do not overlap, which the check of the cells sees to. */
static covey_status find_cells(uint32_t **cell_of_value, const covey_original_column *column, uint32_t n_cells,
                               covey_arena *arena, covey_error *err)
{
    const uint32_t n = column->column->n_values;

    if (!(*cell_of_value = covey_arena_array(arena, uint32_t, n)))
        return covey_i_no_memory(err);
    memset(*cell_of_value, 0xff, n * sizeof **cell_of_value);
    for (uint32_t i = 0; i < n_cells; i++)
        for (uint32_t v = column->cover[i].low; v <= column->cover[i].high && v < n; v++)
            if (covey_i_cover_holds(&column->cover[i], v))
                (*cell_of_value)[v] = i;
    return COVEY_OK;
}

/* *known false: a cell is no value of the original. */
static covey_status fill(struct side *published, struct side *given, bool *known, const covey_opened_slice *slice,
                         const covey_opened *o, const covey_original *original, covey_arena *arena, covey_error *err)
{
    *known = true;
    for (size_t a = 0; a < slice->n; a++) {
        const covey_original_column *column = &original->column[slice->attribute[a]];
        const uint32_t n_cells = o->column[slice->attribute[a]].text->n_values,
                       n_codes = column->cover ? n_cells : column->column->n_values;
        uint32_t *cell_of_value = NULL;

        if (column->cover)
            COVEY_TRY(find_cells(&cell_of_value, column, n_cells, arena, err));
        for (uint32_t line = 0; line < published->n_rows; line++) {
            const uint32_t cell = covey_i_slice_code(slice, a, line);
            const uint32_t code = cell == UINT32_MAX || column->cover ? cell : column->value_of_cell[cell];

            published->code[a][line] = code == UINT32_MAX ? n_codes : code;
            *known = *known && code != UINT32_MAX;
        }
        for (uint32_t row = 0; row < given->n_rows; row++) {
            const uint32_t value = covey_i_code_at(column->column, row),
                           code = column->cover ? cell_of_value[value] : value;

            given->code[a][row] = code == UINT32_MAX ? n_codes + 1 : code;
        }
        published->key[a].n_values = given->key[a].n_values = n_codes + 2;
    }
    return COVEY_OK;
}

/* One more code: the bucket, 0 of rows that are in none. */
static void fill_buckets(struct side *published, struct side *given, size_t at, const covey_opened *o,
                         const uint32_t *class_of)
{
    for (uint32_t b = 0; b < o->n_classes; b++)
        for (uint32_t line = o->class_start[b]; line < o->class_start[b + 1]; line++)
            published->code[at][line] = b + 1;
    memcpy(given->code[at], class_of, given->n_rows * sizeof *class_of);
    published->key[at].n_values = given->key[at].n_values = o->n_classes + 1;
}

/* Published pieces that the original does not have, or not as often. */
static uint32_t count_strange(const struct side *published, const struct side *given)
{
    uint32_t i = 0, j = 0, n = 0;

    while (i < published->n_rows) {
        const int order = j < given->n_rows ? compare(published, published->row[i], given, given->row[j]) : -1;

        n += order < 0;
        i += order <= 0;
        j += order >= 0;
    }
    return n;
}

/* Counts the pieces of a column that are none of the original's, or not as often; with a list also those that are in
 * another bucket, or none. */
static covey_status compare_sides(uint32_t *n_strange, bool *known, const covey_opened_slice *slice,
                                  const covey_opened *o, const covey_original *original, const uint32_t *class_of,
                                  covey_error *err)
{
    const size_t n = slice->n + (class_of ? 1 : 0);
    covey_arena arena = COVEY_ARENA_INIT;
    struct side published, given;
    covey_status status;

    *n_strange = 0;
    if ((status = new_side(&published, o->n_rows, n, &arena, err)) == COVEY_OK &&
        (status = new_side(&given, original->n_rows, n, &arena, err)) == COVEY_OK &&
        (status = fill(&published, &given, known, slice, o, original, &arena, err)) == COVEY_OK) {
        if (class_of)
            fill_buckets(&published, &given, slice->n, o, class_of);
        if ((status = covey_i_sort_rows_by_keys(published.row, published.n_rows, published.key, n, NULL, err)) ==
                COVEY_OK &&
            (status = covey_i_sort_rows_by_keys(given.row, given.n_rows, given.key, n, NULL, err)) == COVEY_OK)
            *n_strange = count_strange(&published, &given);
    }
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_slices_check_linked(covey_problems *problems, const covey_opened *o, const covey_opened_slices *s,
                                         const covey_original *original, const uint32_t *class_of, covey_error *err)
{
    uint32_t n_listed = 0;

    for (uint32_t row = 0; row < original->n_rows; row++)
        n_listed += class_of[row] > 0;
    if (n_listed != o->n_rows)
        covey_i_problem(problems, "the links put %" PRIu32 " row%s into buckets, which have %" PRIu32, n_listed,
                        covey_i_plural(n_listed), o->n_rows);
    for (size_t i = 0; i < s->n; i++) {
        uint32_t n_strange;
        bool known;

        COVEY_TRY(compare_sides(&n_strange, &known, &s->slice[i], o, original, class_of, err));
        if (n_strange > 0)
            covey_i_problem(problems,
                            "%s: %" PRIu32 " of its pieces are none of the rows that the links put into their buckets",
                            s->slice[i].table->file, n_strange);
    }
    return COVEY_OK;
}

covey_status covey_i_slices_check_faithful(covey_problems *problems, const covey_opened *o,
                                           const covey_opened_slices *s, const covey_original *original,
                                           covey_error *err)
{
    if (original->n_rows != o->stated->n_rows)
        covey_i_problem(problems, "the original has %" PRIu32 " row%s, the release was made of %" PRId64,
                        original->n_rows, covey_i_plural(original->n_rows), o->stated->n_rows);
    for (size_t i = 0; i < s->n; i++) {
        uint32_t n_strange;
        bool known;

        COVEY_TRY(compare_sides(&n_strange, &known, &s->slice[i], o, original, NULL, err));
        if (!known)
            covey_i_problem(problems, "%s: a cell is no value of the original", s->slice[i].table->file);
        else if (n_strange > 0)
            covey_i_problem(problems,
                            "%s: %" PRIu32
                            " of its pieces are none of the original's rows, or stand here more often than there",
                            s->slice[i].table->file, n_strange);
    }
    return COVEY_OK;
}
