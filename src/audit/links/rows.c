/* Are the rows that the list puts into a class those of the class, and is every unit whole? */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "audit/content_keys.h"
#include "audit/links/proof.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/sort/compare.h"
#include "base/sort/sort.h"
#include "table/table_impl.h"

/* A number for each value, and for each row without one. */
static bool number_rows(covey_link_proof *p, const covey_column *column, covey_unit_set *out)
{
    const uint32_t first = column->has_null ? 1 : 0;

    if (!(out->of_row = covey_arena_array(&p->arena, uint32_t, p->original->n_rows)))
        return false;
    out->n = column->n_values - first;
    for (uint32_t row = 0; row < p->original->n_rows; row++) {
        const uint32_t code = covey_i_code_at(column, row);

        if (code < first && !p->audit->missing_is_own && !p->is_wrong) {
            covey_i_problem(p->problems, "a row of the original has no value of the entity");
            p->is_wrong = true;
        }
        out->of_row[row] = code < first ? out->n++ : code - first;
    }
    return true;
}

void covey_i_links_sort(covey_link_proof *p)
{
    const uint32_t n = p->original->n_rows;
    uint32_t *row = p->scratch[0];

    memcpy(row, p->order, n * sizeof *row);
    covey_i_sort_rows_u32(row, p->scratch[1], n, p->class_of);
    for (uint32_t i = 0; i < n; i++)
        p->place[i] = (covey_link_place){p->class_of[row[i]], p->units.whole.of_row[row[i]], row[i]};
}

/* Puts the rows in the order of class, unit and person.  Persons are told apart by both columns. */
covey_status covey_i_links_make_units(covey_link_proof *p, covey_error *err)
{
    const uint32_t n = p->original->n_rows;
    uint32_t whole = 0, person = 0;

    p->units = (covey_units){.entity = p->audit->entity, .within = p->audit->within};
    p->place = covey_arena_array(&p->arena, covey_link_place, n);
    p->order = covey_arena_array(&p->arena, uint32_t, n);
    p->scratch[0] = covey_arena_array(&p->arena, uint32_t, n);
    p->scratch[1] = covey_arena_array(&p->arena, uint32_t, n);
    if (!p->place || !p->order || !p->scratch[0] || !p->scratch[1] ||
        !number_rows(p, p->original->more[0], &p->units.person) ||
        !number_rows(p, p->original->more[p->audit->within ? 1 : 0], &p->units.whole))
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n; row++)
        p->order[row] = row;
    covey_i_sort_rows_u32(p->order, p->scratch[0], n, p->units.person.of_row);
    covey_i_sort_rows_u32(p->order, p->scratch[0], n, p->units.whole.of_row);
    p->units.person.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *own = &p->units.person.of_row[p->order[i]];

        if (i == 0 || p->units.whole.of_row[p->order[i]] != whole || *own != person)
            p->units.person.n++;
        whole = p->units.whole.of_row[p->order[i]];
        person = *own;
        *own = p->units.person.n - 1;
    }
    covey_i_links_sort(p);
    return COVEY_OK;
}

/* All rows of a unit are in one class, or in none. */
covey_status covey_i_links_check_whole(covey_link_proof *p, covey_error *err)
{
    uint32_t *class_of_unit = covey_arena_array(&p->arena, uint32_t, p->units.whole.n);
    int64_t n_split = 0;

    if (!class_of_unit)
        return covey_i_no_memory(err);
    memset(class_of_unit, 0xff, p->units.whole.n * sizeof *class_of_unit);
    for (uint32_t row = 0; row < p->original->n_rows; row++) {
        uint32_t *class = &class_of_unit[p->units.whole.of_row[row]];

        n_split += *class != UINT32_MAX && *class != p->class_of[row];
        *class = p->class_of[row];
    }
    if (n_split > 0)
        covey_i_problem(p->problems,
                        "units are not whole: %" PRId64
                        " time%s a row is in another class than the one before of its unit",
                        n_split, covey_i_plural(n_split));
    return COVEY_OK;
}

/* The rows that the list puts into a class show what those of the class show. */
static void check_class_rows(covey_link_proof *p, const covey_key_side *published, const covey_key_side *from,
                             uint64_t *a, uint64_t *b, const covey_link_place *at, uint32_t n, uint32_t c, bool all_fit)
{
    const covey_opened *o = p->audit->opened;
    const uint32_t begin = o->class_start[c], size = o->class_start[c + 1] - begin;
    const char *word = o->stated->published_as->word;

    if (n != size) {
        covey_i_problem(p->problems, "%s %" PRIu32 " has %" PRIu32 " row%s, but the links put %" PRIu32 " into it",
                        word, c + 1, size, covey_i_plural(size), n);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        a[i] = published->key[begin + i];
        b[i] = from->key[at[i].row];
    }
    qsort(a, n, sizeof *a, covey_i_compare_u64);
    qsort(b, n, sizeof *b, covey_i_compare_u64);
    if (!all_fit || memcmp(a, b, n * sizeof *a) != 0)
        covey_i_problem(p->problems, "%s %" PRIu32 ": the rows that the links put into it are not those that it shows",
                        word, c + 1);
}

covey_status covey_i_links_check_rows(covey_link_proof *p, const uint32_t *column, size_t n_columns,
                                      bool (*fits)(const covey_link_proof *p, const covey_link_place *at),
                                      covey_error *err)
{
    const covey_opened *o = p->audit->opened;
    covey_key_side published, from;
    uint64_t *a = covey_arena_array(&p->arena, uint64_t, o->n_rows),
             *b = covey_arena_array(&p->arena, uint64_t, o->n_rows);
    uint32_t at = 0;

    if (!a || !b)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_content_keys(&published, &from, o, p->original, column, n_columns, &p->arena, err));
    while (at < p->original->n_rows && p->place[at].class == 0)
        at++;
    for (uint32_t c = 0; c < o->n_classes; c++) {
        const uint32_t begin = at;
        uint32_t n_misfits = 0;

        while (at < p->original->n_rows && p->place[at].class == c + 1)
            at++;
        for (uint32_t i = 0; i < at - begin; i++)
            n_misfits += fits && !fits(p, &p->place[begin + i]);
        check_class_rows(p, &published, &from, a, b, p->place + begin, at - begin, c, n_misfits == 0);
    }
    return COVEY_OK;
}
