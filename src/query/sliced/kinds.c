/* Kinds of cells by what a condition tells of them.  See slices.h. */
#include <math.h>

#include "base/error.h"
#include "query/sliced/slices.h"

static bool are_alike(covey_atom_list a, covey_atom_list b)
{
    if (a.n != b.n)
        return false;
    for (uint32_t i = 0; i < a.n; i++)
        if (a.share[i].atom != b.share[i].atom ||
            (a.share[i].share != b.share[i].share && !(isnan(a.share[i].share) && isnan(b.share[i].share))))
            return false;
    return true;
}

/* Most cells have one atom: its kind is remembered. */
static covey_status find_kinds(covey_slice_kinds *k, const covey_condition_attribute *a, covey_arena *arena,
                               covey_error *err)
{
    const uint32_t n_codes = a->column->text->n_values;
    uint32_t *of_atom = covey_arena_array_zero(arena, uint32_t, a->n_atoms);

    *k = (covey_slice_kinds){.of_code = covey_arena_array(arena, uint32_t, n_codes),
                             .atoms = covey_arena_array(arena, covey_atom_list, n_codes)};
    if (!of_atom || !k->of_code || !k->atoms)
        return covey_i_no_memory(err);
    for (uint32_t code = 0; code < n_codes; code++) {
        const covey_atom_list list = covey_i_condition_list(a, code);
        uint32_t kind = list.n == 1 ? of_atom[list.share->atom] : 0; /* from 1 */

        for (uint32_t i = 0; i < k->n && kind == 0 && list.n != 1; i++)
            kind = are_alike(k->atoms[i], list) ? i + 1 : 0;
        if (kind == 0) {
            k->atoms[k->n++] = list;
            k->n_atoms += list.n;
            kind = k->n;
        }
        if (list.n == 1)
            of_atom[list.share->atom] = kind;
        k->of_code[code] = kind - 1;
    }
    return COVEY_OK;
}

covey_status covey_i_slice_kinds(covey_slice_kinds **out, const covey_condition *condition, covey_arena *arena,
                                 covey_error *err)
{
    covey_slice_kinds *kinds = covey_arena_array(arena, covey_slice_kinds, condition->n_attributes);

    if (!kinds)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < condition->n_attributes; i++)
        COVEY_TRY(find_kinds(&kinds[i], &condition->attribute[i], arena, err));
    *out = kinds;
    return COVEY_OK;
}
