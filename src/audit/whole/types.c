/* Units of one type have rows of the same kinds, in as many persons, and the same classes to go to: whichever of them
 * goes where, nothing that is stated or promised of a class changes. */
#include "audit/whole/question.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct keyed {
    uint64_t key;
    uint32_t unit;
};

static uint64_t mix(uint64_t key, uint32_t value)
{
    key = (key ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 32;
}

/* Numbers of persons count from the unit's first. */
static uint32_t person_in_unit(const covey_whole_question *q, uint32_t unit, uint32_t i)
{
    return q->row[q->unit_start[unit] + i].person - q->row[q->unit_start[unit]].person;
}

static uint64_t key_of(const covey_whole_question *q, uint32_t unit)
{
    uint64_t key = q->unit_start[unit + 1] - q->unit_start[unit];

    for (uint32_t i = 0; i < q->unit_start[unit + 1] - q->unit_start[unit]; i++) {
        const covey_whole_row *row = &q->row[q->unit_start[unit] + i];

        key = mix(key, person_in_unit(q, unit, i));
        for (size_t j = 0; j < COVEY_WHOLE_MOST_KINDS; j++)
            key = mix(key, row->kind[j]);
    }
    for (uint32_t i = q->choice_start[unit]; i < q->choice_start[unit + 1]; i++)
        key = mix(key, q->choice[i]);
    return key;
}

static bool are_alike(const covey_whole_question *q, uint32_t a, uint32_t b)
{
    const uint32_t n_rows = q->unit_start[a + 1] - q->unit_start[a],
                   n_choices = q->choice_start[a + 1] - q->choice_start[a];

    if (q->unit_start[b + 1] - q->unit_start[b] != n_rows || q->choice_start[b + 1] - q->choice_start[b] != n_choices)
        return false;
    for (uint32_t i = 0; i < n_rows; i++)
        if (person_in_unit(q, a, i) != person_in_unit(q, b, i) ||
            memcmp(q->row[q->unit_start[a] + i].kind, q->row[q->unit_start[b] + i].kind, sizeof q->row->kind) != 0)
            return false;
    return memcmp(q->choice + q->choice_start[a], q->choice + q->choice_start[b], n_choices * sizeof *q->choice) == 0;
}

static int compare_keyed(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

/* Two types with the same key may be cut into more: that costs time, and nothing else. */
covey_status covey_i_whole_types(covey_whole_question *q, covey_error *err)
{
    struct keyed *keyed = covey_arena_array(q->arena, struct keyed, q->n_units);

    q->unit = covey_arena_array(q->arena, uint32_t, q->n_units);
    q->type_start = covey_arena_array(q->arena, uint32_t, (size_t)q->n_units + 1);
    if (!keyed || !q->unit || !q->type_start)
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < q->n_units; u++)
        keyed[u] = (struct keyed){key_of(q, u), u};
    qsort(keyed, q->n_units, sizeof *keyed, compare_keyed);
    for (uint32_t i = 0; i < q->n_units; i++) {
        q->unit[i] = keyed[i].unit;
        if (i == 0 || keyed[i].key != keyed[i - 1].key ||
            !are_alike(q, q->unit[q->type_start[q->n_types - 1]], q->unit[i]))
            q->type_start[q->n_types++] = i;
    }
    q->type_start[q->n_types] = q->n_units;
    return COVEY_OK;
}
