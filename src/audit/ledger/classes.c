/* One release by the ledger, class by class. */
#include "audit/ledger/classes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/compare.h"
#include "table/table_impl.h"

struct comparing {
    covey_problems *problems;
    const covey_ledger *ledger;
    size_t number;
    const covey_opened *opened;
    const covey_column *text; /* of the sensitive column */
    uint32_t *code;           /* of each value of each signature; UINT32_MAX: the release does not have it */
    uint32_t *sorted;         /* scratch: the values of a class */
    bool *taken;              /* [rows] a unit's */
    uint32_t *n_units;        /* [classes] */
    uint32_t *signature;      /* [classes] of its first unit; UINT32_MAX: none yet */
    covey_arena arena;
};

static void complain(const struct comparing *c, uint32_t class, const char *what)
{
    covey_i_problem(c->problems, "release %zu of the ledger, class %" PRIu32 ": %s", c->number + 1, class + 1, what);
}

/* Codes of the values; those of a signature ascending, as the texts are in the order of their bytes. */
static covey_status find_codes(struct comparing *c, covey_error *err)
{
    const covey_ledger *l = c->ledger;

    if (!(c->code = covey_arena_array(&c->arena, uint32_t, l->start[l->n_signatures])))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < l->start[l->n_signatures]; i++) {
        const int64_t code = covey_i_column_find(c->text, l->value[i], strlen(l->value[i]));

        c->code[i] = code < 0 ? UINT32_MAX : (uint32_t)code;
    }
    return COVEY_OK;
}

static bool has_signature(const struct comparing *c, uint32_t class, uint32_t signature)
{
    const covey_ledger *l = c->ledger;
    const uint32_t begin = c->opened->class_start[class], n = c->opened->class_start[class + 1] - begin;

    if (l->start[signature + 1] - l->start[signature] != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        c->sorted[i] = covey_i_code_at(c->text, begin + i);
    qsort(c->sorted, n, sizeof *c->sorted, covey_i_compare_u32);
    return memcmp(c->sorted, c->code + l->start[signature], n * sizeof *c->sorted) == 0;
}

/* The row of the class that has the unit's value is its own. */
static void take_row(struct comparing *c, uint32_t class, uint32_t unit)
{
    const covey_ledger *l = c->ledger;
    const char *value = covey_i_ledger_value(l, unit);
    const int64_t code = covey_i_column_find(c->text, value, strlen(value));
    uint32_t row = c->opened->class_start[class];

    while (row < c->opened->class_start[class + 1] && (int64_t)covey_i_code_at(c->text, row) != code)
        row++;
    if (row == c->opened->class_start[class + 1])
        complain(c, class, "no row has the value of a unit that the ledger puts into it");
    else if (c->taken[row])
        complain(c, class, "the ledger puts two units with one value into it");
    else
        c->taken[row] = true;
}

static void compare_unit(struct comparing *c, uint32_t unit)
{
    const uint32_t number = c->ledger->class_of[c->number][unit], signature = c->ledger->signature_of[unit];
    const uint32_t class = number - 1;

    if (number == 0)
        return;
    if (number > c->opened->n_classes) {
        covey_i_problem(c->problems, "release %zu of the ledger has no class %" PRIu32 ", into which it puts a unit",
                        c->number + 1, number);
        return;
    }
    if (c->signature[class] == UINT32_MAX && !has_signature(c, class, signature))
        complain(c, class, "its sensitive values are not the signature of a unit that the ledger puts into it");
    else if (c->signature[class] != UINT32_MAX && c->signature[class] != signature &&
             !has_signature(c, class, signature))
        complain(c, class, "units of different signatures are in it");
    c->signature[class] = signature;
    c->n_units[class]++;
    take_row(c, class, unit);
}

static covey_status compare(struct comparing *c, covey_error *err)
{
    const covey_opened *o = c->opened;

    c->sorted = covey_arena_array(&c->arena, uint32_t, o->n_rows);
    c->taken = covey_arena_array_zero(&c->arena, bool, o->n_rows);
    c->n_units = covey_arena_array_zero(&c->arena, uint32_t, o->n_classes);
    c->signature = covey_arena_array(&c->arena, uint32_t, o->n_classes);
    if (!c->sorted || !c->taken || !c->n_units || !c->signature)
        return covey_i_no_memory(err);
    memset(c->signature, 0xff, o->n_classes * sizeof *c->signature);
    COVEY_TRY(find_codes(c, err));
    for (uint32_t u = 0; u < c->ledger->n_units; u++)
        compare_unit(c, u);
    for (uint32_t k = 0; k < o->n_classes; k++)
        if (c->n_units[k] + o->counterfeits[k] != o->class_start[k + 1] - o->class_start[k])
            complain(c, k, "its units in the ledger and its made-up rows are not as many as its rows");
    return COVEY_OK;
}

covey_status covey_i_audit_ledger_classes(covey_problems *problems, const covey_ledger *ledger, size_t number,
                                          const covey_opened *opened, covey_error *err)
{
    const int sensitive = covey_i_stated_column(opened->stated, ledger->sensitive);
    struct comparing c = {.problems = problems, .ledger = ledger, .number = number, .opened = opened};
    covey_status status;

    if (sensitive < 0 || opened->stated->column[sensitive].role != COVEY_ROLE_SENSITIVE || !opened->counterfeits) {
        covey_i_problem(problems, "release %zu of the ledger is no m-invariant one of its sensitive attribute",
                        number + 1);
        return COVEY_OK;
    }
    c.text = opened->column[sensitive].text;
    status = compare(&c, err);
    covey_arena_free(&c.arena);
    return status;
}
