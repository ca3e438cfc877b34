/* Numbers units by what their rows hold, so that no method can follow the order of names.
 *
 * Where units are alike in what a method sees, it gives the first of them to the first class, and who is first must say
 * nothing: neither the names, which others may know the order of, nor the order of the input.  Of each row a number is
 * made of all that is published of it, those of a unit are added up, and units are sorted by the sums.  Units of the
 * same rows have the same sum, and which of them is where makes no difference. */
#include "base/error.h"
#include "base/hash.h"
#include "base/sort/sort.h"
#include "method/units/hulls.h"

/* What each row holds: [rows]. */
static void add_rows(uint64_t *sum, const covey_unit_set *set, const covey_problem *problem)
{
    enum { PIECE = 4096 };
    uint64_t of_row[PIECE];

    for (int64_t first = 0, end; first < problem->n_rows; first = end) {
        end = first + PIECE < problem->n_rows ? first + PIECE : problem->n_rows;
        for (int64_t row = first; row < end; row++)
            of_row[row - first] = 0;
        for (size_t f = 0; f < problem->n_fields; f++)
            for (int64_t row = first; row < end; row++)
                of_row[row - first] =
                    covey_i_mix(of_row[row - first] + f + 1, covey_i_code(problem->field[f].column, row));
        for (int64_t row = first; row < end; row++)
            sum[set->of_row[row]] += covey_i_mix(of_row[row - first], 1);
    }
}

/* Of a household its persons are added up, of which each is a number again: the same rows may be shared out otherwise.
 */
static void add_persons(uint64_t *sum, const uint64_t *of_person, const covey_units *units, int64_t n_rows,
                        bool *is_done)
{
    for (int64_t row = 0; row < n_rows; row++) {
        const uint32_t person = units->person.of_row[row];

        if (!is_done[person])
            sum[units->whole.of_row[row]] += covey_i_mix(of_person[person], 2);
        is_done[person] = true;
    }
}

/* [units] the sums. */
static uint64_t *new_sums(covey_units_run *r)
{
    const covey_units *units = r->units;
    uint64_t *sum = covey_arena_array_zero(&r->arena, uint64_t, units->whole.n), *of_person;
    bool *is_done;

    if (!units->within) {
        if (sum)
            add_rows(sum, &units->whole, r->problem);
        return sum;
    }
    of_person = covey_arena_array_zero(&r->arena, uint64_t, units->person.n);
    is_done = covey_arena_array_zero(&r->arena, bool, units->person.n);
    if (!sum || !of_person || !is_done)
        return NULL;
    add_rows(of_person, &units->person, r->problem);
    add_persons(sum, of_person, units, r->problem->n_rows, is_done);
    return sum;
}

covey_status covey_i_units_order(covey_units_run *r, covey_error *err)
{
    const uint32_t n = r->units->whole.n, n_rows = r->problem->n_rows;
    uint32_t *of_row = covey_arena_array(&r->arena, uint32_t, n_rows),
             *size = covey_arena_array(&r->arena, uint32_t, n), *order = covey_arena_array(&r->arena, uint32_t, n);
    const covey_arena_mark mark = covey_arena_save(&r->arena);
    uint32_t *number = covey_arena_array(&r->arena, uint32_t, n);
    const uint64_t *sum = new_sums(r);

    if (!of_row || !size || !order || !number || !sum)
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < n; u++)
        order[u] = u;
    covey_i_sort_rows_u64(order, number, n, sum);
    for (uint32_t i = 0; i < n; i++) {
        number[order[i]] = i;
        size[i] = r->units->n_rows[order[i]];
    }
    for (uint32_t row = 0; row < n_rows; row++)
        of_row[row] = number[r->units->whole.of_row[row]];
    covey_arena_rewind(&r->arena, mark);
    r->ordered = *r->units;
    r->ordered.whole.of_row = of_row;
    r->ordered.n_rows = size;
    if (!r->units->within)
        r->ordered.person = r->ordered.whole;
    r->units = &r->ordered;
    r->old = order;
    return COVEY_OK;
}
