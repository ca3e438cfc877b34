/* Numbering combinations of values, the same for a release and its original. */
#include "audit/content_keys.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"

static covey_status start_side(covey_key_side *side, uint32_t n_rows, covey_arena *arena, covey_error *err)
{
    side->n_rows = n_rows;
    side->key = covey_arena_array_zero(arena, uint64_t, n_rows);
    side->row = covey_arena_array(arena, uint32_t, n_rows);
    side->scratch = covey_arena_array(arena, uint32_t, n_rows);
    if (!side->key || !side->row || !side->scratch)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_rows; i++)
        side->row[i] = i;
    return COVEY_OK;
}

void covey_i_content_sort(covey_key_side *side)
{
    covey_i_sort_rows_u64(side->row, side->scratch, side->n_rows, side->key);
}

uint64_t covey_i_content_renumber(covey_key_side *a, covey_key_side *b)
{
    uint64_t n = 0;

    covey_i_content_sort(a);
    covey_i_content_sort(b);
    for (uint32_t i = 0, j = 0; i < a->n_rows || j < b->n_rows; n++) {
        uint64_t x = i < a->n_rows ? a->key[a->row[i]] : UINT64_MAX, y = j < b->n_rows ? b->key[b->row[j]] : UINT64_MAX;
        uint64_t least = x < y ? x : y;

        while (i < a->n_rows && a->key[a->row[i]] == least)
            a->key[a->row[i++]] = n;
        while (j < b->n_rows && b->key[b->row[j]] == least)
            b->key[b->row[j++]] = n;
    }
    return n;
}

static void add_column(covey_key_side *published, covey_key_side *from, const covey_opened *opened,
                       const covey_original *original, uint32_t i, uint64_t factor)
{
    const covey_column *text = opened->column[i].text, *column = original->column[i].column;
    const uint32_t *value = original->column[i].value_of_cell;

    for (uint32_t row = 0; row < published->n_rows; row++) {
        uint32_t code = value[covey_i_code_at(text, row)];

        published->key[row] = published->key[row] * factor + (code == UINT32_MAX ? column->n_values : code);
    }
    for (uint32_t row = 0; row < from->n_rows; row++)
        from->key[row] = from->key[row] * factor + covey_i_code_at(column, row);
}

covey_status covey_i_content_keys(covey_key_side *published, covey_key_side *from, const covey_opened *opened,
                                  const covey_original *original, const uint32_t *column, size_t n, covey_arena *arena,
                                  covey_error *err)
{
    uint64_t n_keys = 1, product;

    COVEY_TRY(start_side(published, opened->n_rows, arena, err));
    COVEY_TRY(start_side(from, original->n_rows, arena, err));
    for (size_t i = 0; i < n; i++) {
        const uint64_t factor = (uint64_t)original->column[column[i]].column->n_values + 1;

        /* Numbered anew where they would not fit: keys stay small, however many columns there are. */
        if (__builtin_mul_overflow(n_keys, factor, &product) || product > UINT64_MAX / 2) {
            n_keys = covey_i_content_renumber(published, from);
            product = n_keys * factor;
        }
        add_column(published, from, opened, original, column[i], factor);
        n_keys = product;
    }
    return COVEY_OK;
}

bool covey_i_content_is_had(int64_t *left, uint32_t n_contents, const covey_key_side *published,
                            const covey_key_side *from, const covey_opened *opened, covey_problems *problems)
{
    bool all = true;

    memset(left, 0, n_contents * sizeof *left);
    for (uint32_t row = 0; row < from->n_rows; row++)
        left[from->key[row]]++;
    for (uint32_t row = 0; row < published->n_rows; row++)
        if (--left[published->key[row]] < 0) {
            covey_i_problem(problems,
                            "group %" PRIu32 " has a row in quasi.csv that the original does not have, or not as often",
                            covey_i_class_of_row(opened, row));
            all = false;
        }
    return all;
}
