/* Are units suppressed kind by kind?  A kind is what somebody knows of a unit who knows all of its rows but their
 * sensitive values.  Where one unit of a kind is missing and another is not, who is missing may follow from what it
 * has: the most frequent value, say. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "audit/links/proof.h"
#include "base/error.h"

struct unit {
    const uint32_t *set; /* [n_rows] sorted */
    uint32_t n_rows;
    bool is_published;
};

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

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

/* room: [rows] */
static uint32_t list_units(struct unit *unit, uint32_t *room, const covey_link_proof *p, const uint32_t *set)
{
    const uint32_t *whole = p->units.whole.of_row, n_rows = p->original->n_rows;
    uint32_t n = 0;

    for (uint32_t begin = 0, end; begin < n_rows; begin = end) {
        for (end = begin; end < n_rows && whole[p->order[end]] == whole[p->order[begin]]; end++)
            room[end] = set ? set[p->order[end]] : 0;
        qsort(room + begin, end - begin, sizeof *room, compare_numbers);
        unit[n++] = (struct unit){room + begin, end - begin, p->class_of[p->order[begin]] > 0};
    }
    return n;
}

covey_status covey_i_links_check_kinds(covey_link_proof *p, const uint32_t *set, covey_error *err)
{
    const uint32_t n_rows = p->original->n_rows;
    struct unit *unit = covey_arena_array(&p->arena, struct unit, p->units.whole.n);
    uint32_t *room = covey_arena_array(&p->arena, uint32_t, n_rows), n;

    if (!unit || !room)
        return covey_i_no_memory(err);
    if (p->units.whole.n == n_rows) /* each has one row: promises are those over rows */
        return COVEY_OK;
    n = list_units(unit, room, p, set);
    qsort(unit, n, sizeof *unit, compare_units);
    for (uint32_t begin = 0, end; begin < n; begin = end) {
        uint32_t n_published = 0;

        for (end = begin; end < n && compare_units(&unit[begin], &unit[end]) == 0; end++)
            n_published += unit[end].is_published;
        if (n_published > 0 && n_published < end - begin)
            covey_i_problem(p->problems,
                            "of %" PRIu32 " units with %" PRIu32 " row%s each%s, %" PRIu32
                            " are suppressed and the others are not: which they are may tell what they have; units "
                            "that are alike are published or suppressed together",
                            end - begin, unit[begin].n_rows, unit[begin].n_rows == 1 ? "" : "s",
                            set ? ", which agree beside the sensitive value" : "", end - begin - n_published);
    }
    return COVEY_OK;
}
