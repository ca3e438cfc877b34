/* The table that a release was made from, by the ledger. */
#include "audit/ledger/ledger.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/plural.h"
#include "table/table_impl.h"

struct comparing {
    covey_problems *problems;
    const covey_audit *audit;
    const covey_original *original;
    const covey_column *unit, *sensitive;                          /* of the original */
    int64_t n_missing, n_suppressed, n_others, n_misfits, n_twice; /* rows */
};

/* Does each quasi-identifier of the row lie in the class's cell? */
static bool fits_class(const struct comparing *c, uint32_t row, uint32_t class)
{
    const covey_opened *o = c->audit->opened;

    for (size_t q = 0; q < o->n_quasi; q++) {
        const covey_opened_column *column = &o->column[o->quasi[q]];
        const covey_original_column *from = &c->original->column[o->quasi[q]];

        if (!covey_i_cover_holds(&from->cover[column->class_cell[class]], covey_i_code_at(from->column, row)))
            return false;
    }
    return true;
}

/* class: of the unit in this release, from 1; 0: it is in none. */
static void compare_row(struct comparing *c, uint32_t row, uint32_t unit, uint32_t class)
{
    const char *value = covey_column_label(c->sensitive, covey_i_code_at(c->sensitive, row));

    if (class == 0)
        c->n_suppressed++;
    else if (strcmp(value, covey_i_ledger_value(c->audit->ledger, unit)) != 0)
        c->n_others++;
    else if (class <= c->audit->opened->n_classes && !fits_class(c, row, class - 1))
        c->n_misfits++;
}

static void report(const struct comparing *c)
{
    const struct {
        int64_t n;
        const char *what;
    } found[] = {
        {c->n_missing, "units that the ledger puts into this release are not in the original"},
        {c->n_others, "rows of the original have another sensitive value than the ledger says"},
        {c->n_misfits, "rows of the original do not lie in the cells of the class that the ledger puts them into"},
        {c->n_twice, "rows of the original are of a unit that has another row, or of none"},
    };

    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        if (found[i].n > 0)
            covey_i_problem(c->problems, "%s: %" PRId64, found[i].what, found[i].n);
    if (c->n_suppressed != c->audit->stated->n_suppressed)
        covey_i_problem(c->problems,
                        "%" PRId64
                        " row%s of the original %s in no class by the ledger, but the manifest states %" PRId64
                        " suppressed ones",
                        c->n_suppressed, covey_i_plural(c->n_suppressed), c->n_suppressed == 1 ? "is" : "are",
                        c->audit->stated->n_suppressed);
}

/* Both lists of units are in the order of bytes. */
static void walk(struct comparing *c, const uint32_t *row_of_code)
{
    const covey_ledger *l = c->audit->ledger;
    const uint32_t *class_of = l->class_of[c->audit->release_number];

    for (uint32_t u = 0, v = c->unit->has_null; u < l->n_units || v < c->unit->n_values;) {
        const int order = u == l->n_units          ? 1
                          : v == c->unit->n_values ? -1
                                                   : strcmp(covey_i_ledger_unit(l, u), covey_column_label(c->unit, v));

        if (order < 0)
            c->n_missing += class_of[u] > 0;
        else if (order > 0)
            c->n_suppressed += row_of_code[v] != UINT32_MAX;
        else if (row_of_code[v] != UINT32_MAX)
            compare_row(c, row_of_code[v], u, class_of[u]);
        else
            c->n_missing += class_of[u] > 0;
        u += order <= 0;
        v += order >= 0;
    }
}

covey_status covey_i_audit_ledger_original(covey_problems *problems, const covey_audit *audit,
                                           const covey_original *original, covey_error *err)
{
    const int sensitive = covey_i_stated_column(audit->stated, audit->ledger->sensitive);
    struct comparing c = {.problems = problems, .audit = audit, .original = original, .unit = original->more[0]};
    covey_arena arena = COVEY_ARENA_INIT;
    uint32_t *row_of_code = covey_arena_array(&arena, uint32_t, c.unit->n_values);

    if (sensitive < 0 || audit->release_number == SIZE_MAX) /* which has been reported */
        goto done;
    if (!row_of_code) {
        covey_arena_free(&arena);
        return covey_i_no_memory(err);
    }
    c.sensitive = original->column[sensitive].column;
    memset(row_of_code, 0xff, c.unit->n_values * sizeof *row_of_code);
    for (uint32_t row = 0; row < original->n_rows; row++) {
        const uint32_t code = covey_i_code_at(c.unit, row);

        c.n_twice += (c.unit->has_null && code == 0) || row_of_code[code] != UINT32_MAX;
        row_of_code[code] = row;
    }
    walk(&c, row_of_code);
    report(&c);
done:
    covey_arena_free(&arena);
    return COVEY_OK;
}
