/* Promises over units of a bucketized release.  Units of a group have as many rows each and one value each, so that a
 * value of n rows is that of so many times fewer units, and what promises say of rows they say of units. */
#include <inttypes.h>

#include "audit/bucketized/bucketized.h"
#include "audit/links/proof.h"
#include "audit/units.h"
#include "base/error.h"
#include "reader/units.h"
#include "table/table_impl.h"

covey_status covey_i_bucketized_check_units(covey_audit *audit, covey_error *err)
{
    const covey_opened *o = audit->opened;

    COVEY_TRY(covey_i_audit_units(audit, err));
    for (uint32_t g = 0; o->units && g < o->n_classes; g++)
        if (!covey_i_opened_units_are_alike(o, g))
            covey_i_problem(&audit->problems,
                            "%s, group %" PRIu32 ": its values are not those of %" PRId64 " units with %" PRId64
                            " rows each",
                            COVEY_UNITS_TABLE, g + 1, o->units->n_units[g], o->units->largest[g]);
    return COVEY_OK;
}

/* --- by the publisher's list --- */

/* Do units of the group at place[begin .. end-1] have one value each, and as many rows as are stated? */
static bool are_alike(const covey_link_proof *p, const covey_column *values, uint32_t begin, uint32_t end, int64_t each)
{
    for (uint32_t i = begin, first = begin; i < end; i++) {
        const covey_link_place *at = &p->place[i];

        if (at->whole != p->place[first].whole)
            first = i;
        if (covey_i_code_at(values, at->row) != covey_i_code_at(values, p->place[first].row) || i - first >= each ||
            ((i + 1 == end || p->place[i + 1].whole != at->whole) && i + 1 - first != each))
            return false;
    }
    return true;
}

/* Do the rows have the values that the group counts?  left: [values] zeros, before and after. */
static bool have_values(const covey_link_proof *p, const covey_original_column *values, uint32_t begin, uint32_t end,
                        uint32_t g, int64_t *left)
{
    const covey_opened *o = p->audit->opened;
    const covey_opened_bucketized *b = o->form_data;
    bool are_there = true;

    for (uint32_t i = begin; i < end; i++)
        left[covey_i_code_at(values->column, p->place[i].row)]++;
    for (uint32_t e = o->groups.start[g]; e < o->groups.start[g + 1]; e++) {
        const uint32_t value = values->value_of_cell[covey_i_code_at(b->sensitive->text, e)];

        are_there &= value != UINT32_MAX && left[value] == covey_i_rows_of_entry(&o->groups, e);
    }
    for (uint32_t i = begin; i < end; i++)
        left[covey_i_code_at(values->column, p->place[i].row)] = 0;
    return are_there;
}

static covey_status check_groups(covey_link_proof *p, covey_error *err)
{
    const covey_opened *o = p->audit->opened;
    const covey_opened_bucketized *b = o->form_data;
    const covey_original_column *values = &p->original->column[b->sensitive - o->column];
    int64_t *left = covey_arena_array_zero(&p->arena, int64_t, values->column->n_values);
    uint32_t at = 0;

    if (!left)
        return covey_i_no_memory(err);
    while (at < p->original->n_rows && p->place[at].class == 0)
        at++;
    for (uint32_t g = 0; g < o->n_classes; g++) {
        const uint32_t begin = at;

        while (at < p->original->n_rows && p->place[at].class == g + 1)
            at++;
        if (!have_values(p, values, begin, at, g, left))
            covey_i_problem(p->problems,
                            "group %" PRIu32 ": the rows that the links put into it have other values than it counts",
                            g + 1);
        if (o->units && !are_alike(p, values->column, begin, at, o->units->largest[g]))
            covey_i_problem(p->problems,
                            "group %" PRIu32 ": not all of its units have %" PRId64 " rows and one value each", g + 1,
                            o->units->largest[g]);
    }
    return COVEY_OK;
}

covey_status covey_i_bucketized_check_links(covey_link_proof *p, covey_error *err)
{
    const covey_opened *o = p->audit->opened;
    const covey_opened_bucketized *b = o->form_data;
    uint32_t *column = covey_arena_array(&p->arena, uint32_t, b->n_content),
             *kind = covey_arena_array(&p->arena, uint32_t, p->original->n_rows);

    if (!column || !kind)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < b->n_content; i++)
        column[i] = (uint32_t)(b->content[i] - o->column);
    COVEY_TRY(covey_i_links_check_rows(p, column, b->n_content, NULL, err));
    covey_i_links_are_torn(p);
    COVEY_TRY(covey_i_links_number_kinds(kind, p, NULL, err));
    COVEY_TRY(covey_i_links_check_kinds(p, kind, false, err));
    return check_groups(p, err);
}
