/* One release by the ledger of all. */
#include "attack/releases.h"

#include <string.h>

#include "audit/ledger/classes.h"
#include "base/error.h"
#include "table/table_impl.h"

covey_status covey_i_attack_releases_read(covey_ledger **out, covey_attacked *r, covey_error *err)
{
    if (!r->ledger)
        COVEY_TRY(covey_i_ledger_read(&r->ledger, r->options->releases_ledger, r->run, err));
    *out = r->ledger;
    return COVEY_OK;
}

covey_status covey_i_attack_releases_find(size_t *number, const covey_ledger *ledger, const covey_attacked *r,
                                          covey_error *err)
{
    covey_problems problems = COVEY_PROBLEMS_INIT;
    covey_status status;

    COVEY_TRY(covey_i_ledger_find_release(number, ledger, r->folder, err));
    if (*number == SIZE_MAX)
        return COVEY_OK;
    status = covey_i_audit_ledger_classes(&problems, ledger, *number, r->opened, err);
    if (status == COVEY_OK && problems.broken)
        status = covey_i_no_memory(err);
    else if (status == COVEY_OK && problems.n > 0)
        status = covey_fail(err, COVEY_EINVAL, "%s is not the release that %s knows: %s (covey verify says more)",
                            r->folder, ledger->path, problems.line[0]);
    covey_i_problems_clear(&problems);
    return status;
}

covey_status covey_i_attack_releases_unknown(const covey_ledger *ledger, const covey_attacked *r, covey_error *err)
{
    return covey_fail(err, COVEY_EINVAL,
                      "%s does not know the release %s: one of the two was changed, or it is of another ledger",
                      ledger->path, r->folder);
}

covey_status covey_i_attack_releases_rows(covey_attacked *r, const covey_ledger *ledger, size_t number,
                                          const covey_column *unit, covey_error *err)
{
    uint32_t *class_of_code = covey_arena_array(&r->arena, uint32_t, unit->n_values),
             *class_of_row = covey_arena_array(&r->arena, uint32_t, r->original->n_rows);

    if (!class_of_code || !class_of_row)
        return covey_i_no_memory(err);
    memset(class_of_code, 0xff, unit->n_values * sizeof *class_of_code);
    for (uint32_t u = 0; u < ledger->n_units; u++) {
        const char *name = covey_i_ledger_unit(ledger, u);
        const int64_t code = covey_i_column_find(unit, name, strlen(name));

        if (code >= 0 && ledger->class_of[number][u] > 0)
            class_of_code[code] = ledger->class_of[number][u] - 1;
    }
    for (uint32_t row = 0; row < r->original->n_rows; row++)
        class_of_row[row] = class_of_code[covey_i_code_at(unit, row)];
    r->class_of_row = class_of_row;
    return COVEY_OK;
}
