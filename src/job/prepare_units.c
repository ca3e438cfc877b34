/* Whose rows they are: units from the columns that name persons, and households around them. */
#include "job/preparing.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/threads.h"
#include "policy/blame.h"
#include "policy/entity.h"
#include "policy/invariance.h"

static const covey_column *find_column(const covey_preparing *s, const char *name)
{
    for (size_t c = 0; c < s->p->n_columns; c++)
        if (strcmp(s->p->column[c]->name, name) == 0)
            return s->p->column[c];
    return NULL;
}

/* A row without a name cannot be kept together with those of the same person. */
static covey_status check_missing(const covey_preparing *s, const covey_column *column, bool is_own, covey_error *err)
{
    for (int64_t row = 0; column->has_null && !is_own && row < column->n_rows; row++)
        if (covey_i_code(column, row) == 0)
            return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, covey_column_line(column, row), column->name,
                                 0,
                                 "column \"%s\" says whose rows they are, and the row has no value: say "
                                 "missing-entity: own to let each such row be a unit of its own",
                                 column->name);
    return COVEY_OK;
}

/* A unit for each value, and for each row without one; not by the order of the rows, which must not show. */
static covey_status number_values(covey_unit_set *out, const covey_column *column, covey_arena *arena, covey_error *err)
{
    const uint32_t first = column->has_null ? 1 : 0;

    out->n = column->n_values - first;
    out->of_row = (uint32_t *)column->codes; /* nobody writes to it */
    if (first == 0 && column->width == sizeof *out->of_row)
        return COVEY_OK;
    if (!(out->of_row = covey_arena_array(arena, uint32_t, (size_t)column->n_rows)))
        return covey_i_no_memory(err);
    for (int64_t row = 0; row < column->n_rows; row++) {
        const uint32_t code = covey_i_code(column, row);

        out->of_row[row] = code < first ? out->n++ : code - first;
    }
    return COVEY_OK;
}

/* Persons are told apart by both names, which also do where persons are numbered household by household. */
static covey_status number_persons_within(covey_units *units, int64_t n_rows, covey_arena *arena, covey_error *err)
{
    covey_unit_set *person = &units->person;
    const covey_unit_set *whole = &units->whole;
    uint32_t *of_row = covey_arena_array(arena, uint32_t, (size_t)n_rows),
             *person_of = covey_arena_array(arena, uint32_t, (size_t)whole->n + 1);
    const covey_arena_mark mark = covey_arena_save(arena);
    uint32_t *start = covey_arena_array_zero(arena, uint32_t, (size_t)whole->n + 2);
    uint32_t *row = covey_arena_array(arena, uint32_t, (size_t)n_rows);
    uint32_t *last = covey_arena_array_zero(arena, uint32_t, person->n),
             *number = covey_arena_array(arena, uint32_t, person->n);
    uint32_t n = 0;

    if (!of_row || !person_of || !start || !row || !last || !number)
        return covey_i_no_memory(err);
    for (int64_t i = 0; i < n_rows; i++)
        start[whole->of_row[i] + 2]++;
    for (uint32_t u = 0; u < whole->n; u++)
        start[u + 2] += start[u + 1];
    for (int64_t i = 0; i < n_rows; i++)
        row[start[whole->of_row[i] + 1]++] = (uint32_t)i;
    for (uint32_t u = 0; u < whole->n; u++) {
        person_of[u] = n;
        for (uint32_t i = start[u]; i < start[u + 1]; i++) {
            const uint32_t old = person->of_row[row[i]];

            if (last[old] != u + 1) {
                last[old] = u + 1;
                number[old] = n++;
            }
            of_row[row[i]] = number[old];
        }
    }
    person_of[whole->n] = n;
    units->person_of = person_of;
    *person = (covey_unit_set){n, of_row};
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

/* --- names that may be the same --- */

static uint64_t hash_plainly(const char *label, size_t size, covey_text *plain)
{
    covey_i_text_clear(plain);
    for (size_t i = 0; i < size; i++)
        if (!isspace((unsigned char)label[i]))
            covey_i_text_add_char(plain, (char)tolower((unsigned char)label[i]));
    covey_i_text_reserve(plain, 8);
    return plain->broken ? 0 : covey_i_hash_bytes(plain->bytes, plain->size) | 1;
}

/* Names that differ in blanks or case alone are mostly one person's. */
static covey_status warn_of_spelling(const covey_preparing *s, const covey_column *column, covey_error *err)
{
    const size_t n = (size_t)column->n_values;
    size_t n_slots = 16, n_twins = 0;
    covey_text plain = COVEY_TEXT_INIT;
    uint64_t *slot;
    char message[512];

    while (n_slots < 2 * n)
        n_slots *= 2;
    if (!s->run || !s->run->warn)
        return COVEY_OK;
    if (!(slot = covey_i_array_zero(n_slots, sizeof *slot)))
        return covey_i_no_memory(err);
    for (uint32_t v = column->has_null ? 1 : 0; v < n; v++) {
        const uint64_t hash = hash_plainly(covey_column_label(column, v), covey_column_label_size(column, v), &plain);
        size_t at = (size_t)(hash >> 1) & (n_slots - 1);

        while (slot[at] && slot[at] != hash)
            at = (at + 1) & (n_slots - 1);
        n_twins += slot[at] == hash;
        slot[at] = hash;
    }
    covey_i_free(slot);
    covey_i_text_free(&plain);
    if (plain.broken)
        return covey_i_no_memory(err);
    if (n_twins > 0) {
        snprintf(message, sizeof message,
                 "column \"%.120s\": %zu of its %zu different values differ from another in blanks or case alone; they "
                 "count as different units: if they are not, correct them",
                 column->name, n_twins, n - (column->has_null ? 1 : 0));
        s->run->warn(s->run->context, message);
    }
    return COVEY_OK;
}

covey_status covey_i_preparing_check_names(const covey_preparing *s, const covey_column *column, bool missing_is_own,
                                           covey_error *err)
{
    COVEY_TRY(check_missing(s, column, missing_is_own, err));
    if (!column->text) /* numbers, which nobody spells differently */
        return COVEY_OK;
    return warn_of_spelling(s, column, err);
}

/* --- what does not change --- */

enum {
    FEWEST_UNITS = 20, /* of several rows, from which on it is said what does not change */
    RARELY = 20,       /* it changes in one of so many at most */
    AHEAD = 32         /* rows that what is known of a unit is asked for before it is looked at */
};

/* n_rows: [set->n]; first: a bit for each row: is it the first one? */
static void count_rows(uint32_t *n_rows, uint64_t *first, const covey_unit_set *set, int64_t n)
{
    memset(n_rows, 0, set->n * sizeof *n_rows);
    for (int64_t row = 0; row < n;) {
        uint64_t bits = 0;

        for (int bit = 0; bit < 64 && row < n; bit++, row++) {
            if (row + AHEAD < n)
                __builtin_prefetch(&n_rows[set->of_row[row + AHEAD]], 1);
            bits |= (uint64_t)(n_rows[set->of_row[row]]++ == 0) << bit;
        }
        first[(row - 1) / 64] = bits;
    }
}

static uint32_t count_several(const uint32_t *n_rows, uint32_t n)
{
    uint32_t n_several = 0;

    for (uint32_t u = 0; u < n; u++)
        n_several += n_rows[u] > 1;
    return n_several;
}

struct changes {
    const covey_preparing *s;
    const covey_unit_set *person;
    uint32_t most;
    uint32_t *n; /* [n_fields] persons whose rows have several values of it; more than `most`: at least so many */
};

/* What is known of persons is small, so that many are near at hand.  A missing value is none. */
static covey_status count_changes(void *context, size_t field, covey_error *err)
{
    const struct changes *c = context;
    const covey_column *column = c->s->p->problem.field[field].column;
    const uint32_t first = column->has_null ? 1 : 0;
    const int width = column->n_values < UINT8_MAX ? 1 : column->n_values < UINT16_MAX ? 2 : 4;
    const uint32_t none = width == 1 ? UINT8_MAX : width == 2 ? UINT16_MAX : UINT32_MAX, several = none - 1;
    void *seen = covey_i_array_full(c->person->n, (size_t)width);
    uint32_t n = 0;

    if (!seen)
        return covey_i_no_memory(err);
    memset(seen, 0xff, c->person->n * (size_t)width);
    COVEY_CODES_TYPED(width, {
        covey_code *of_person = seen;

        for (int64_t row = 0; row < column->n_rows && n <= c->most; row++) {
            covey_code *own = &of_person[c->person->of_row[row]];
            const uint32_t code = covey_i_code(column, row);

            if (row + AHEAD < column->n_rows)
                __builtin_prefetch(&of_person[c->person->of_row[row + AHEAD]], 1);
            if (code < first || *own == several || *own == code)
                continue;
            n += *own != none;
            *own = (covey_code)(*own == none ? code : several);
        }
    });
    covey_i_free(seen);
    c->n[field] = n;
    return COVEY_OK;
}

/* All of them in one message: wide tables have many. */
static covey_status tell_of_changes(const struct changes *c, uint32_t n_several, covey_error *err)
{
    const covey_problem *problem = &c->s->p->problem;
    const covey_run *run = c->s->run;
    covey_text message = COVEY_TEXT_INIT;
    const char *before = NULL;

    covey_i_text_add_format(&message, "few of the %" PRIu32 " units with several rows have several values of ",
                            n_several);
    for (size_t f = 0; f < problem->n_fields; f++) {
        if (c->n[f] == 0 || c->n[f] > c->most)
            continue;
        covey_i_text_add_format(&message, "%s\"%.120s\" (%" PRIu32 ")", before ? before : "",
                                problem->field[f].column->name, c->n[f]);
        before = ", ";
    }
    covey_i_text_add_string(&message, ": where one cannot change, correct it");
    if (before && !message.broken)
        run->warn(run->context, message.bytes);
    covey_i_text_free(&message);
    return message.broken ? covey_i_no_memory(err) : COVEY_OK;
}

/* A person whose sex differs from row to row was mostly written down wrongly, or is two. */
static covey_status warn_of_changes(const covey_preparing *s, const covey_units *units, const uint32_t *n_rows,
                                    covey_error *err)
{
    const covey_problem *problem = &s->p->problem;
    const covey_unit_set *person = &units->person;
    covey_arena arena = COVEY_ARENA_INIT;
    struct changes c = {.s = s, .person = person, .n = covey_arena_array_zero(&arena, uint32_t, problem->n_fields)};
    uint32_t n_several;
    covey_status status = COVEY_OK;

    if (!s->run || !s->run->warn)
        goto done;
    if (!c.n) {
        status = covey_i_no_memory(err);
        goto done;
    }
    n_several = count_several(n_rows, person->n);
    c.most = n_several / RARELY;
    if (n_several < FEWEST_UNITS)
        goto done;
    status = covey_i_parallel(covey_run_threads(s->run), problem->n_fields, count_changes, &c, err);
    if (status == COVEY_OK)
        status = tell_of_changes(&c, n_several, err);
done:
    covey_arena_free(&arena);
    return status;
}

/* --- all of it --- */

static covey_status make_units(covey_units *units, covey_preparing *s, const covey_wish_attribute *entity,
                               covey_error *err)
{
    const covey_column *person = find_column(s, entity->name),
                       *whole = entity->within ? find_column(s, entity->within) : NULL;
    covey_arena *arena = &s->p->arena;
    const uint32_t n_rows = s->p->problem.n_rows;
    uint32_t n_named;

    if (entity->within && !whole)
        return covey_fail_at(err, COVEY_EINVAL, entity->line ? s->policy->path : NULL, entity->line, entity->name,
                             entity->column, "%s has no column \"%s\", which \"%s\" is to be within",
                             s->policy->input_path, entity->within, entity->name);
    *units = (covey_units){
        .entity = entity->name, .within = entity->within, .torn_line = s->p->torn_line, .torn_word = s->p->torn_word};
    COVEY_TRY(covey_i_preparing_check_names(s, person, entity->missing_is_own, err));
    COVEY_TRY(number_values(&units->person, person, arena, err));
    if (!whole) {
        units->whole = units->person;
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_preparing_check_names(s, whole, entity->missing_is_own, err));
    COVEY_TRY(number_values(&units->whole, whole, arena, err));
    n_named = units->person.n;
    COVEY_TRY(number_persons_within(units, n_rows, arena, err));
    if (n_named > units->whole.n && units->person.n > n_named && s->run && s->run->warn) {
        char message[512];

        snprintf(message, sizeof message,
                 "%" PRIu32 " times a value of \"%.120s\" stands in another \"%.120s\", too: the rows of each count as "
                 "another person's, and are not kept together",
                 units->person.n - n_named, entity->name, entity->within);
        s->run->warn(s->run->context, message);
    }
    return COVEY_OK;
}

/* n_of_person: [persons] receives their rows, which are those of units where no unit has several. */
static covey_status count_units(uint32_t **n_of_person, covey_units *units, int64_t n_rows, covey_arena *arena,
                                covey_error *err)
{
    const size_t n_words = (size_t)n_rows / 64 + 1;

    units->n_rows = *n_of_person = covey_arena_array(arena, uint32_t, units->whole.n);
    units->first = covey_arena_array(arena, uint64_t, n_words);
    if (!units->n_rows || !units->first)
        return covey_i_no_memory(err);
    count_rows(units->n_rows, units->first, &units->whole, n_rows);
    if (!units->within)
        return COVEY_OK;
    *n_of_person = covey_arena_array(arena, uint32_t, units->person.n);
    units->first_of_person = covey_arena_array(arena, uint64_t, n_words);
    if (!*n_of_person || !units->first_of_person)
        return covey_i_no_memory(err);
    count_rows(*n_of_person, units->first_of_person, &units->person, n_rows);
    return COVEY_OK;
}

covey_status covey_i_preparing_units(covey_preparing *s, covey_error *err)
{
    const covey_wish_attribute *entity = covey_i_policy_entity(s->policy);
    covey_problem *problem = &s->p->problem;
    covey_units *units;
    uint32_t *n_of_person;
    covey_status status;
    size_t failed;

    if (!entity || covey_i_policy_invariance(s->policy)) /* which is about units of one row */
        return COVEY_OK;
    if (!(units = covey_arena_array_zero(&s->p->arena, covey_units, 1)))
        return covey_i_no_memory(err);
    COVEY_TRY(make_units(units, s, entity, err));
    COVEY_TRY(count_units(&n_of_person, units, problem->n_rows, &s->p->arena, err));
    COVEY_TRY(warn_of_changes(s, units, n_of_person, err));
    problem->units = units;
    status = covey_i_units_prepare(&failed, &problem->promises, units, problem->n_rows, &s->p->arena, err);
    return status == COVEY_OK ? status
                              : covey_i_policy_blame_promise(s->policy, &s->policy->promise[failed], status, err);
}

covey_status covey_i_preparing_refuse_units(const covey_policy *policy, covey_error *err)
{
    const covey_wish_attribute *entity = covey_i_policy_entity(policy);

    return entity ? covey_fail_at(err, COVEY_EINVAL, entity->line ? policy->path : NULL, entity->line, entity->name,
                                  entity->column,
                                  "a table whose rows have units (\"%s\" is the entity) cannot be anonymized part by "
                                  "part: rows of a unit would lie in several; do it at once",
                                  entity->name)
                  : COVEY_OK;
}
