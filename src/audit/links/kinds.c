/* Are units suppressed kind by kind?  A kind is what somebody knows of a unit who knows all of its rows but their
 * sensitive values.  Where one unit of a kind is missing and another is not, who is missing may follow from what it
 * has: the most frequent value, say. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "audit/links/proof.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/sort/compare.h"

struct unit {
    const uint32_t *set; /* [n_rows] sorted */
    uint32_t begin, n_rows;
};

static int compare_units(const void *a, const void *b)
{
    const struct unit *x = a, *y = b;

    if (x->n_rows != y->n_rows)
        return x->n_rows < y->n_rows ? -1 : 1;
    for (uint32_t i = 0; i < x->n_rows; i++)
        if (x->set[i] != y->set[i])
            return x->set[i] < y->set[i] ? -1 : 1;
    return 0;
}

/* Units of as many rows, with as many of each number.  kind, which may be set: [rows]; unit: [units]; room: [rows] */
static void number_units(uint32_t *kind, const covey_link_proof *p, const uint32_t *of_row, const uint32_t *set,
                         struct unit *unit, uint32_t *room)
{
    const uint32_t n_rows = p->original->n_rows;
    uint32_t n = 0, number = 0;

    for (uint32_t begin = 0, end; begin < n_rows; begin = end) {
        for (end = begin; end < n_rows && of_row[p->order[end]] == of_row[p->order[begin]]; end++)
            room[end] = set ? set[p->order[end]] : 0;
        qsort(room + begin, end - begin, sizeof *room, covey_i_compare_u32);
        unit[n++] = (struct unit){room + begin, begin, end - begin};
    }
    qsort(unit, n, sizeof *unit, compare_units);
    for (uint32_t i = 0; i < n; i++) {
        number += i > 0 && compare_units(&unit[i - 1], &unit[i]) != 0;
        for (uint32_t at = unit[i].begin; at < unit[i].begin + unit[i].n_rows; at++)
            kind[p->order[at]] = number;
    }
}

/* A household is what its persons are. */
covey_status covey_i_links_number_kinds(uint32_t *kind, covey_link_proof *p, const uint32_t *set, covey_error *err)
{
    const uint32_t n_rows = p->original->n_rows;
    struct unit *unit = covey_arena_array(&p->arena, struct unit, n_rows);
    uint32_t *room = covey_arena_array(&p->arena, uint32_t, n_rows);

    if (!unit || !room)
        return covey_i_no_memory(err);
    if (p->units.within)
        number_units(kind, p, p->units.person.of_row, set, unit, room);
    number_units(kind, p, p->units.whole.of_row, p->units.within ? kind : set, unit, room);
    return COVEY_OK;
}

bool covey_i_links_are_torn(const covey_link_proof *p)
{
    const bool are_torn = p->original->is_torn[p->audit->within ? 1 : 0];

    if (are_torn)
        covey_i_problem(p->problems, "some rows of a unit were dropped for missing values, and others were not: among "
                                     "units with as many rows left it is not hidden from who knows that it has more");
    return are_torn;
}

covey_status covey_i_links_check_kinds(covey_link_proof *p, const uint32_t *kind, bool has_sets, covey_error *err)
{
    const uint32_t n_rows = p->original->n_rows, *whole = p->units.whole.of_row;
    int64_t *n = covey_arena_array_zero(&p->arena, int64_t, n_rows),
            *n_published = covey_arena_array_zero(&p->arena, int64_t, n_rows);
    uint32_t *size = covey_arena_array(&p->arena, uint32_t, n_rows);

    if (!n || !n_published || !size)
        return covey_i_no_memory(err);
    if (p->units.whole.n == n_rows) /* each has one row: promises are those over rows */
        return COVEY_OK;
    for (uint32_t begin = 0, end; begin < n_rows; begin = end) {
        const uint32_t own = kind[p->order[begin]];

        for (end = begin + 1; end < n_rows && whole[p->order[end]] == whole[p->order[begin]];)
            end++;
        n[own]++;
        n_published[own] += p->class_of[p->order[begin]] > 0;
        size[own] = end - begin;
    }
    for (uint32_t i = 0; i < n_rows; i++)
        if (n_published[i] > 0 && n_published[i] < n[i])
            covey_i_problem(p->problems,
                            "of %" PRId64 " units with %" PRIu32 " row%s each%s%s, %" PRId64
                            " are suppressed and the others are not: which they are may tell what they have; units "
                            "that are alike are published or suppressed together",
                            n[i], size[i], covey_i_plural(size[i]), p->units.within ? ", of as many persons" : "",
                            has_sets ? ", which agree beside the sensitive value" : "", n[i] - n_published[i]);
    return COVEY_OK;
}
