/* Are the rows that the publisher's list puts into a class of a generalized release those of the class? */
#include "audit/generalized/faithful.h"
#include "audit/links/proof.h"
#include "base/error.h"
#include "table/table_impl.h"

/* Does each quasi-identifier of a row lie in its class's cell? */
static bool fits_class(const covey_link_proof *p, const covey_link_place *at)
{
    const covey_opened *o = p->audit->opened;

    for (size_t q = 0; q < o->n_quasi; q++) {
        const covey_opened_column *column = &o->column[o->quasi[q]];
        const covey_original_column *from = &p->original->column[o->quasi[q]];

        if (!covey_i_cover_holds(&from->cover[column->class_cell[at->class - 1]],
                                 covey_i_code_at(from->column, at->row)))
            return false;
    }
    return true;
}

covey_status covey_i_generalized_check_links(covey_link_proof *p, covey_error *err)
{
    const covey_opened *o = p->audit->opened;
    uint32_t *column = covey_arena_array(&p->arena, uint32_t, o->n_columns);
    size_t n = 0;

    if (!column)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < o->n_columns; i++)
        if (o->column[i].stated->role != COVEY_ROLE_QUASI)
            column[n++] = (uint32_t)i;
    return covey_i_links_check_rows(p, column, n, fits_class, err);
}
