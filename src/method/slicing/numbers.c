/* Numbers of what rows hold in some columns, in the order in which contents come, and the test of a bucket by the
 * numbers of its sets. */
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/hash.h"
#include "method/slicing/slicing.h"
#include "table/table_impl.h"

enum { FEW_PAIRS = 1 << 12 };

/* A number for every pair that there can be. */
static covey_status number_few(uint32_t *number, uint32_t *n_numbers, size_t n_pairs, const covey_column *column,
                               const uint32_t *group, const covey_slicing *s, covey_error *err)
{
    uint32_t *own = covey_i_array_zero(n_pairs, sizeof *own), n = 0;

    if (!own)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n_contents; i++) {
        const uint32_t row = s->content[i], code = covey_i_code(column, row);
        uint32_t *at = &own[(size_t)number[row] * column->n_values + (group ? group[code] : code)];

        if (*at == 0)
            *at = ++n;
        number[row] = *at - 1;
    }
    *n_numbers = n;
    covey_i_free(own);
    return COVEY_OK;
}

static covey_status number_many(uint32_t *number, uint32_t *n_numbers, const covey_column *column,
                                const uint32_t *group, const covey_slicing *s, covey_error *err)
{
    size_t n_slots = 64;
    uint64_t *word;
    uint32_t *slot, n = 0;
    const covey_arena_mark mark = covey_arena_save(s->arena);

    while (n_slots < 2 * (size_t)s->n_contents)
        n_slots *= 2;
    slot = covey_arena_array_zero(s->arena, uint32_t, n_slots);
    word = covey_arena_array(s->arena, uint64_t, s->n_contents);
    if (!slot || !word)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n_contents; i++) {
        const uint32_t row = s->content[i], code = covey_i_code(column, row);
        const uint64_t own = (uint64_t)number[row] << 32 | (group ? group[code] : code);
        size_t at = covey_i_mix(own, 1) & (n_slots - 1);

        while (slot[at] != 0 && word[slot[at] - 1] != own)
            at = (at + 1) & (n_slots - 1);
        if (slot[at] == 0) {
            word[n] = own;
            slot[at] = ++n;
        }
        number[row] = slot[at] - 1;
    }
    *n_numbers = n;
    covey_arena_rewind(s->arena, mark);
    return COVEY_OK;
}

covey_status covey_i_slicing_refine(uint32_t *number, uint32_t *n_numbers, const covey_column *column,
                                    const covey_slicing *s, covey_error *err)
{
    return covey_i_slicing_refine_by(number, n_numbers, column, NULL, s, err);
}

covey_status covey_i_slicing_refine_by(uint32_t *number, uint32_t *n_numbers, const covey_column *column,
                                       const uint32_t *group, const covey_slicing *s, covey_error *err)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < s->n_contents; i++)
        most = number[s->content[i]] > most ? number[s->content[i]] : most;
    return ((uint64_t)most + 1) * column->n_values <= (uint64_t)s->n_contents + FEW_PAIRS
               ? number_few(number, n_numbers, ((size_t)most + 1) * column->n_values, column, group, s, err)
               : number_many(number, n_numbers, column, group, s, err);
}

covey_status covey_i_slicing_number_sets(covey_slicing *s, covey_error *err)
{
    const covey_slice *last = &s->slice[s->n_slices - 1];
    const uint32_t n_rows = s->problem->n_rows;

    s->set = covey_arena_array_zero(s->arena, uint32_t, n_rows);
    s->pair = covey_arena_array(s->arena, uint32_t, n_rows);
    if (!s->set || !s->pair)
        return covey_i_no_memory(err);
    s->n_sets = 1;
    for (size_t f = 0; f < last->n_fields; f++)
        if (!covey_i_slicing_is_sensitive(s, last->field[f]))
            COVEY_TRY(covey_i_slicing_refine(s->set, &s->n_sets, s->problem->field[last->field[f]].column, s, err));
    memcpy(s->pair, s->set, n_rows * sizeof *s->pair);
    return covey_i_slicing_refine(s->pair, &s->n_pairs, s->problem->field[s->sensitive].column, s, err);
}

covey_status covey_i_slicing_tests_new(covey_slicing_test **tests, const covey_slicing *s, covey_error *err)
{
    if (!(*tests = covey_arena_array(s->arena, covey_slicing_test, s->n_others + 1)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_slicing_test_new(&(*tests)[0], s, err));
    for (size_t i = 0; i < s->n_others; i++)
        COVEY_TRY(covey_i_slicing_test_new(&(*tests)[i + 1], &s->other[i], err));
    return COVEY_OK;
}

covey_status covey_i_slicing_test_new(covey_slicing_test *test, const covey_slicing *s, covey_error *err)
{
    *test = (covey_slicing_test){s, covey_arena_array_zero(s->arena, uint32_t, s->n_sets),
                                 covey_arena_array_zero(s->arena, uint32_t, s->n_pairs)};
    return test->set_count && test->pair_count ? COVEY_OK : covey_i_no_memory(err);
}

/* Each of a value's rows counts as another unit's, where units may have several. */
uint32_t covey_i_slicing_most_units(uint32_t *count, const covey_slicing_kind *kind, const uint32_t *which, uint32_t n)
{
    const uint32_t n_each = kind->n_each, n_looked_at = kind->are_single ? 1 : n_each;
    uint32_t most = 0;

    COVEY_CODES_TYPED(kind->values.width, {
        const covey_code *code = kind->values.codes;

        for (int is_counted = 0; is_counted < 2; is_counted++)
            for (uint32_t i = 0; i < n; i++) {
                const covey_code *own = code + (size_t)(which ? which[i] : i) * n_each;

                for (uint32_t k = 0; k < n_looked_at; k++) {
                    uint32_t *of_value = &count[own[k]];

                    *of_value = is_counted ? 0 : *of_value + 1;
                    most = *of_value > most ? *of_value : most;
                }
            }
    });
    return most < n ? most : n;
}

bool covey_i_slicing_holds(covey_slicing_test *test, const uint32_t *row, uint32_t n)
{
    const covey_slicing *s = test->slicing;
    bool holds = true;

    if (s->kind)
        return (covey_i128)covey_i_slicing_most_units(test->pair_count, s->kind, row, n) * s->l.num <=
               (covey_i128)n * s->l.den;
    for (uint32_t i = 0; i < n; i++) {
        test->set_count[s->set[row[i]]]++;
        test->pair_count[s->pair[row[i]]]++;
    }
    for (uint32_t i = 0; i < n && holds; i++)
        holds = (covey_i128)test->pair_count[s->pair[row[i]]] * s->l.num <=
                (covey_i128)test->set_count[s->set[row[i]]] * s->l.den;
    for (uint32_t i = 0; i < n; i++)
        test->set_count[s->set[row[i]]] = test->pair_count[s->pair[row[i]]] = 0;
    return holds;
}

bool covey_i_slicing_all_hold(covey_slicing_test *test)
{
    const covey_slicing *s = test->slicing;
    bool holds = true;

    for (uint32_t i = 0; i < s->n_contents; i++) {
        const uint32_t row = s->content[i];

        test->set_count[s->set[row]] += covey_i_slicing_count(s, row);
        test->pair_count[s->pair[row]] += covey_i_slicing_count(s, row);
    }
    for (uint32_t i = 0; i < s->n_contents && holds; i++)
        holds = (covey_i128)test->pair_count[s->pair[s->content[i]]] * s->l.num <=
                (covey_i128)test->set_count[s->set[s->content[i]]] * s->l.den;
    for (uint32_t i = 0; i < s->n_contents; i++)
        test->set_count[s->set[s->content[i]]] = test->pair_count[s->pair[s->content[i]]] = 0;
    return holds;
}

int64_t covey_i_slicing_may_drop(const covey_slicing *s)
{
    return s->problem->max_suppressed - (int64_t)(s->n_all - s->n);
}
