/* Who of the table has been in earlier releases, by the ledger, and what signature each of them has to keep. */
#include "job/preparing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "job/ledger.h"
#include "policy/invariance.h"
#include "problem/history.h"

enum { NO_ROW = UINT32_MAX };

struct looking {
    covey_preparing *s;
    const covey_ledger *ledger;
    const covey_column *unit;
    size_t sensitive;      /* among the columns */
    uint32_t *row_of_code; /* [unit->n_values] */
    uint32_t *number;      /* [ledger->n_signatures] of those that rows of the table have; UINT32_MAX: none has it */
    uint32_t *of_row;      /* [rows] */
};

static size_t column_of(const covey_preparing *s, covey_role role)
{
    size_t c = 0;

    while (s->role[c] != role)
        c++;
    return c;
}

/* The release does not tell the name; see covey_policy_unpublished. */
static bool is_of_entity(const struct looking *k)
{
    char digits[12];

    return strcmp(k->ledger->entity, k->unit->name) == 0 ||
           strcmp(k->ledger->entity, covey_policy_unpublished(digits, k->s->policy, k->unit->name)) == 0;
}

static covey_status check_names(const struct looking *k, covey_error *err)
{
    const covey_ledger *l = k->ledger;
    const char *sensitive = k->s->p->column[k->sensitive]->name;

    if (is_of_entity(k) && strcmp(l->sensitive, sensitive) == 0)
        return COVEY_OK;
    return covey_fail_at(err, COVEY_EINVAL, l->path, 0, NULL, 0,
                         "the ledger is about \"%s\" and \"%s\", but here the entity is \"%s\", and the sensitive "
                         "attribute \"%s\": each has a ledger of its own",
                         l->entity, l->sensitive, k->unit->name, sensitive);
}

static covey_status check_named(const struct looking *k, covey_error *err)
{
    for (int64_t row = 0; row < k->unit->n_rows && k->unit->has_null; row++)
        if (covey_i_code(k->unit, row) == 0)
            return covey_fail_at(
                err, COVEY_EPARSE, k->s->policy->input_path, covey_column_line(k->unit, row), k->unit->name, 0,
                "the row has no value of \"%s\", so that it may be that of somebody who was in an earlier "
                "release: leave it out",
                k->unit->name);
    return COVEY_OK;
}

/* The row of each unit: it has one. */
static covey_status find_rows(struct looking *k, covey_error *err)
{
    const covey_column *unit = k->unit;

    if (!(k->row_of_code = covey_arena_array(&k->s->p->arena, uint32_t, unit->n_values)))
        return covey_i_no_memory(err);
    memset(k->row_of_code, 0xff, unit->n_values * sizeof *k->row_of_code);
    for (int64_t row = 0; row < unit->n_rows; row++) {
        uint32_t *first = &k->row_of_code[covey_i_code(unit, row)];

        if (*first != NO_ROW)
            return covey_fail_at(
                err, COVEY_EPARSE, k->s->policy->input_path, covey_column_line(unit, row), unit->name, 0,
                "this row and that of %s %" PRId64
                " have the same value of \"%s\": m-invariance is about persons with one row each; keep "
                "one of them",
                covey_i_lines_word(unit), covey_column_line(unit, *first), unit->name);
        *first = (uint32_t)row;
    }
    return COVEY_OK;
}

/* Somebody who is in the table again. */
static covey_status take_unit(struct looking *k, uint32_t u, uint32_t row, covey_error *err)
{
    const covey_column *sensitive = k->s->p->column[k->sensitive];
    const char *value = covey_column_label(sensitive, covey_i_code(sensitive, row));
    const uint32_t signature = k->ledger->signature_of[u];

    if (strcmp(value, covey_i_ledger_value(k->ledger, u)) != 0)
        return covey_fail_at(
            err, COVEY_EPARSE, k->s->policy->input_path, covey_column_line(sensitive, row), sensitive->name, 0,
            "in an earlier release this person had another value of \"%s\": m-invariance holds as long "
            "as nobody's value changes, or is written in another way; correct the row, or leave it out",
            sensitive->name);
    k->number[signature] = 0;
    k->of_row[row] = signature;
    return COVEY_OK;
}

/* Both lists are in the order of bytes.  NULL: counts only. */
static covey_status match_units(int64_t *n, struct looking *k, bool takes, covey_error *err)
{
    const covey_column *unit = k->unit;

    *n = 0;
    for (uint32_t u = 0, v = unit->has_null ? 1 : 0; u < k->ledger->n_units && v < unit->n_values;) {
        const int order = strcmp(covey_i_ledger_unit(k->ledger, u), covey_column_label(unit, v));

        if (order == 0) {
            ++*n;
            if (takes)
                COVEY_TRY(take_unit(k, u, k->row_of_code[v], err));
        }
        u += order <= 0;
        v += order >= 0;
    }
    return COVEY_OK;
}

/* The signatures in codes of the sensitive column, which gets the values that have died out. */
static covey_status make_history(struct looking *k, covey_error *err)
{
    covey_arena *arena = &k->s->p->arena;
    const covey_ledger *l = k->ledger;
    covey_history *history = covey_arena_array_zero(arena, covey_history, 1);
    uint32_t *start = covey_arena_array_zero(arena, uint32_t, (size_t)l->n_signatures + 1), *value;

    if (!history || !start || !(value = covey_arena_array(arena, uint32_t, l->start[l->n_signatures])))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < l->n_signatures; i++)
        if (k->number[i] != UINT32_MAX)
            k->number[i] = history->n++;
    COVEY_TRY(covey_i_ledger_values(start, value, &k->s->p->column[k->sensitive], l, k->number,
                                    k->s->wish[k->sensitive], arena, err));
    for (uint32_t row = 0; row < k->s->p->problem.n_rows; row++)
        if (k->of_row[row] != COVEY_NO_SIGNATURE)
            k->of_row[row] = k->number[k->of_row[row]];
    history->start = start;
    history->value = value;
    history->of_row = k->of_row;
    k->s->p->problem.history = history;
    return COVEY_OK;
}

static covey_status find_history(struct looking *k, covey_error *err)
{
    covey_arena *arena = &k->s->p->arena;
    const uint32_t n_rows = k->s->p->problem.n_rows;
    int64_t n;

    COVEY_TRY(check_named(k, err));
    COVEY_TRY(covey_i_preparing_check_names(k->s, k->unit, true, err));
    COVEY_TRY(find_rows(k, err));
    if (!k->ledger)
        return COVEY_OK;
    COVEY_TRY(check_names(k, err));
    k->number = covey_arena_array(arena, uint32_t, k->ledger->n_signatures);
    k->of_row = covey_arena_array(arena, uint32_t, n_rows);
    if (!k->number || !k->of_row)
        return covey_i_no_memory(err);
    memset(k->number, 0xff, k->ledger->n_signatures * sizeof *k->number);
    memset(k->of_row, 0xff, n_rows * sizeof *k->of_row);
    COVEY_TRY(match_units(&n, k, true, err));
    return make_history(k, err);
}

/* A policy that promises nothing about releases over time, of a table with people who have been released before. */
static covey_status warn_of_others(struct looking *k, covey_error *err)
{
    const covey_run *run = k->s->run;
    char message[512];
    int64_t n;

    if (!is_of_entity(k))
        return covey_fail_at(err, COVEY_EINVAL, k->ledger->path, 0, NULL, 0,
                             "the ledger is about \"%s\", but here the entity is \"%s\"", k->ledger->entity,
                             k->unit->name);
    COVEY_TRY(match_units(&n, k, false, err));
    snprintf(message, sizeof message,
             "%" PRId64
             " of the table's %u units are in releases of the ledger: whoever sees all of them learns more of "
             "these than any one promises; the model m-invariance is made for that",
             n, (unsigned)(k->unit->n_values - k->unit->has_null));
    if (n > 0 && run && run->warn)
        run->warn(run->context, message);
    return COVEY_OK;
}

covey_status covey_i_preparing_history(covey_preparing *s, covey_error *err)
{
    const bool is_promised = covey_i_policy_invariance(s->policy);
    struct looking k = {.s = s, .ledger = s->ledger};

    if (!is_promised && !s->ledger)
        return COVEY_OK;
    k.unit = s->p->column[column_of(s, COVEY_ROLE_ENTITY)]; /* the policy has an entity: it was checked */
    if (!is_promised)
        return warn_of_others(&k, err);
    k.sensitive = column_of(s, COVEY_ROLE_SENSITIVE);
    return find_history(&k, err);
}
