/* The rows of the original: their sensitive values in the release's terms, and which of them no quasi-identifier tells
 * apart. */
#include "attack/attack_impl.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "reader/names.h"

/* --- sensitive values --- */

static const covey_opened_column *column_of(const covey_attacked *r, const covey_opened_view *view, size_t *index)
{
    for (*index = 0; *index < r->opened->n_columns; (*index)++)
        if (strcmp(r->opened->column[*index].stated->name, view->name) == 0)
            return &r->opened->column[*index];
    return NULL;
}

/* The view's code of each value of the original: by the cells that publish it, or, where none does, by its text. */
static covey_status map_values(uint32_t *map, const covey_attacked *r, const covey_opened_view *view, size_t column,
                               covey_arena *arena, covey_error *err)
{
    const covey_original_column *original = &r->original->column[column];
    const covey_column *text = r->opened->column[column].text;
    covey_names names;

    COVEY_TRY(covey_i_names_init(&names, view->dictionary->n_values, arena, err));
    for (uint32_t v = 0; v < view->dictionary->n_values; v++) {
        uint32_t number;

        COVEY_TRY(covey_i_names_add(&number, &names, covey_column_label(view->dictionary, v), err));
    }
    for (uint32_t v = 0; v < original->column->n_values; v++)
        map[v] = covey_i_names_find(&names, covey_column_label(original->column, v));
    for (uint32_t cell = 0; cell < text->n_values; cell++)
        if (original->value_of_cell[cell] != UINT32_MAX)
            map[original->value_of_cell[cell]] = view->value_of_cell[cell];
    return COVEY_OK;
}

covey_status covey_i_attack_count_values(covey_histogram *out, covey_attacked *r, const covey_opened_view *view,
                                         covey_error *err)
{
    const covey_column *original;
    uint32_t *map;
    size_t column;

    column_of(r, view, &column);
    original = r->original->column[column].column;
    COVEY_TRY(covey_i_histogram_new(out, view->dictionary->n_values, &r->arena, err));
    if (!(map = covey_arena_array(&r->arena, uint32_t, original->n_values)))
        return covey_i_no_memory(err);
    COVEY_TRY(map_values(map, r, view, column, &r->arena, err));
    for (uint32_t row = 0; row < r->original->n_rows; row++)
        if (map[covey_i_code_at(original, row)] != UINT32_MAX)
            covey_i_histogram_add(out, map[covey_i_code_at(original, row)], 1);
    out->total = r->original->n_rows; /* with the rows whose value is not published at all */
    return COVEY_OK;
}

static covey_status fill_values(covey_attack_target *t, covey_attacked *r, covey_error *err)
{
    const uint32_t n_rows = r->original->n_rows;
    const covey_column *original;
    uint32_t *map;
    int64_t *count;
    size_t column;

    column_of(r, t->view, &column);
    original = r->original->column[column].column;
    t->value_of_row = covey_arena_array(&r->arena, uint32_t, n_rows);
    map = covey_arena_array(&r->arena, uint32_t, original->n_values);
    count = covey_arena_array_zero(&r->arena, int64_t, t->n_values);
    if (!t->value_of_row || !map || !count)
        return covey_i_no_memory(err);
    COVEY_TRY(map_values(map, r, t->view, column, &r->arena, err));
    for (uint32_t row = 0; row < n_rows; row++) {
        t->value_of_row[row] = map[covey_i_code_at(original, row)];
        if (t->value_of_row[row] != UINT32_MAX)
            count[t->value_of_row[row]]++;
    }
    for (uint32_t v = 0; v < t->n_values && r->form != COVEY_ATTACKED_PERTURBED &&
                         r->form != COVEY_ATTACKED_TRANSFORMED && r->stated->n_counterfeits == 0;
         v++)
        if (count[v] < t->view->published.count[v])
            return covey_i_error_names(
                covey_fail(err, COVEY_EINVAL,
                           "%s is not the table that %s was made from: it has a value of \"%s\" less often than it is "
                           "published",
                           r->options->original, r->folder, t->view->name),
                r->options->original, NULL, err);
    return COVEY_OK;
}

covey_status covey_i_attack_row_values(covey_attacked *r, covey_error *err)
{
    for (size_t t = 0; t < r->n_targets && r->original; t++)
        COVEY_TRY(fill_values(&r->target[t], r, err));
    return COVEY_OK;
}

/* --- points --- */

covey_status covey_i_attack_points_of(const covey_points **out, covey_attacked *r, covey_error *err)
{
    const covey_column **column;
    covey_points *made;

    if (!r->points) {
        made = covey_arena_array_zero(&r->arena, covey_points, 1);
        column = covey_arena_array(&r->arena, const covey_column *, r->opened->n_quasi);
        if (!made || !column)
            return covey_i_no_memory(err);
        for (size_t q = 0; q < r->opened->n_quasi; q++)
            column[q] = covey_i_attack_quasi(r, q);
        COVEY_TRY(covey_i_points_make(made, column, r->opened->n_quasi, r->original->n_rows, &r->arena, err));
        r->points = made;
    }
    *out = r->points;
    return COVEY_OK;
}

covey_status covey_i_attack_shuffle(uint32_t *number, uint32_t n, const covey_run *run, covey_error *err)
{
    const covey_run seeded = {.has_seed = true, .seed = run && run->has_seed ? run->seed : 1};
    unsigned char key[32];
    covey_rng rng;

    COVEY_TRY(covey_i_rng_key(key, &seeded, err));
    covey_i_rng_init(&rng, key, 0);
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t j = (uint32_t)covey_i_rng_below(&rng, i), swap = number[i - 1];

        number[i - 1] = number[j];
        number[j] = swap;
    }
    return COVEY_OK;
}
