/* Which rows satisfy a condition, where their cells are exact.
 *
 * A row's cells name its combination of atoms, and the truth of all combinations is a table: so a row costs one
 * addition per column of the condition and one look-up, whatever the condition is. */
#include "query/rows.h"

#include <string.h>

#include "base/codes.h"
#include "base/error.h"

enum { MOST_SENSITIVE_ATOMS = 64 };

/* --- the table of truth --- */

static covey_status add_column(covey_row_scan *scan, const covey_condition_attribute *a, uint32_t stride,
                               covey_arena *arena, covey_error *err)
{
    uint32_t n = a->column->text->n_values, *offset = covey_arena_array(arena, uint32_t, n);

    if (!offset)
        return covey_i_no_memory(err);
    for (uint32_t cell = 0; cell < n; cell++)
        offset[cell] = a->share[a->start[cell]].atom * stride;
    scan->text[scan->n_columns] = a->column->text;
    scan->offset[scan->n_columns++] = offset;
    return COVEY_OK;
}

static void fill_accepts(covey_row_scan *scan, uint32_t *atom)
{
    const covey_condition *condition = scan->condition;
    uint32_t n_atoms = scan->sensitive < 0 ? 1 : condition->attribute[scan->sensitive].n_atoms;

    for (uint32_t kind = 0; kind < scan->n_kinds; kind++) {
        scan->accepts[kind] = 0;
        for (uint32_t s = 0; s < n_atoms; s++) {
            if (scan->sensitive >= 0)
                atom[scan->sensitive] = s;
            scan->accepts[kind] |= (uint64_t)covey_i_condition_holds(condition, atom) << s;
        }
        for (uint32_t i = condition->n_attributes; i-- > 0;) {
            if ((int)i == scan->sensitive)
                continue;
            if (++atom[i] < condition->attribute[i].n_atoms)
                break;
            atom[i] = 0;
        }
    }
}

covey_status covey_i_row_scan_make(covey_row_scan *out, const covey_bound_query *query, covey_arena *arena,
                                   covey_error *err)
{
    const covey_condition *condition = &query->condition;
    uint32_t n = condition->n_attributes, *atom = covey_arena_array_zero(arena, uint32_t, n);
    uint64_t n_kinds = 1;

    *out = (covey_row_scan){.condition = condition,
                            .exchange = query->exchange,
                            .sensitive = -1,
                            .text = covey_arena_array(arena, const covey_column *, n),
                            .offset = covey_arena_array(arena, uint32_t *, n)};
    if (!atom || !out->text || !out->offset)
        return covey_i_no_memory(err);
    for (uint32_t i = n; i-- > 0;) {
        const covey_condition_attribute *a = &condition->attribute[i];

        if (a->column->role == COVEY_ROLE_SENSITIVE) {
            out->sensitive = (int)i;
            if (a->n_atoms > MOST_SENSITIVE_ATOMS)
                return covey_fail(err, COVEY_EINVAL,
                                  "query: the condition tells more than %d kinds of values of \"%s\" apart",
                                  MOST_SENSITIVE_ATOMS, a->column->name);
            continue;
        }
        COVEY_TRY(add_column(out, a, (uint32_t)n_kinds, arena, err));
        if ((n_kinds *= a->n_atoms) > COVEY_CONDITION_MOST_TRUTH)
            return covey_fail(err, COVEY_EINVAL,
                              "query: the condition tells more than %d kinds of rows apart; ask a simpler one",
                              COVEY_CONDITION_MOST_TRUTH);
    }
    out->n_kinds = (uint32_t)n_kinds;
    if (!(out->accepts = covey_arena_array(arena, uint64_t, n_kinds)))
        return covey_i_no_memory(err);
    fill_accepts(out, atom);
    return COVEY_OK;
}

/* --- rows --- */

static void add_offsets(uint32_t *kind, const covey_column *column, const uint32_t *offset, const uint32_t *row,
                        uint32_t first, uint32_t n)
{
    const void *codes = column->codes;
    const int width = column->width;

    if (row)
        for (uint32_t i = 0; i < n; i++)
            kind[i] += offset[covey_i_codes_get(codes, width, row[i])];
    else
        for (uint32_t i = 0; i < n; i++)
            kind[i] += offset[covey_i_codes_get(codes, width, first + i)];
}

void covey_i_row_scan(uint64_t *accepts, const covey_row_scan *scan, const uint32_t *row, uint32_t first, uint32_t n)
{
    uint32_t kind[COVEY_SCAN_BLOCK];

    memset(kind, 0, n * sizeof *kind);
    for (uint32_t c = 0; c < scan->n_columns; c++)
        add_offsets(kind, scan->text[c], scan->offset[c], row, first, n);
    for (uint32_t i = 0; i < n; i++)
        accepts[i] = scan->accepts[kind[i]];
}
