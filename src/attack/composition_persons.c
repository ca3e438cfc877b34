/* Composition over persons: who knows all rows of a person but their sensitive values knows the class in which they all
 * are, in both releases.  Of a class it is taken that any of its persons may be any other: a value is the person's with
 * the share of persons who have it, in one row at least.  Given whether the person has it, the classes are taken as
 * independent: the odds are q_A q_B / p to (1 - q_A)(1 - q_B) / (1 - p).  Where nobody has two values one excludes the
 * others, and the weights are q_A q_B / p for each, as over rows.
 *
 * Source: [Ganta08]; [derived] over persons (docs/design/attacks.md). */
#include "attack/composition_persons.h"

#include <math.h>
#include <string.h>

#include "attack/persons.h"
#include "base/error.h"
#include "base/sort/sort.h"
#include "base/text.h"
#include "reader/names.h"

#define NONE UINT32_MAX

/* --- the same persons --- */

static bool is_missing(const covey_column *column, uint32_t row)
{
    return column->has_null && covey_i_code_at(column, row) == 0;
}

/* The number of a person's name among all: added, or NONE where it is not there. */
static covey_status add_key(uint32_t *number, covey_names *names, bool *is_named, const covey_attack_persons *p,
                            uint32_t row, bool may_add, covey_arena *arena, covey_error *err)
{
    const char *name = covey_column_label(p->name, covey_i_code_at(p->name, row)), *key;
    covey_text text = COVEY_TEXT_INIT;

    *is_named = !is_missing(p->name, row) && !(p->within && is_missing(p->within, row));
    if (!*is_named)
        return COVEY_OK;
    covey_i_text_add_format(&text, "%zu:%s%s", strlen(name), name,
                            p->within ? covey_column_label(p->within, covey_i_code_at(p->within, row)) : "");
    key = covey_i_text_keep(&text, arena);
    if (!key)
        return covey_i_no_memory(err);
    if (may_add)
        return covey_i_names_add(number, names, key, err);
    *number = covey_i_names_find(names, key);
    return COVEY_OK;
}

/* The person of the other release who is called as each of the first: twin [persons]. */
static covey_status find_namesakes(uint32_t *twin, const covey_attack_persons *a, const covey_attack_persons *b,
                                   covey_arena *arena, covey_error *err)
{
    uint32_t *person = covey_arena_array(arena, uint32_t, b->person.n), number = NONE;
    covey_names names;
    bool is_named;

    if (!person)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_names_init(&names, b->person.n, arena, err));
    for (uint32_t u = 0; u < b->person.n; u++) {
        COVEY_TRY(add_key(&number, &names, &is_named, b, b->row_of_person[u], true, arena, err));
        if (is_named)
            person[number] = u;
    }
    for (uint32_t u = 0; u < a->person.n; u++) {
        COVEY_TRY(add_key(&number, &names, &is_named, a, a->row_of_person[u], false, arena, err));
        twin[u] = is_named && number != NONE ? person[number] : NONE;
    }
    return COVEY_OK;
}

static uint32_t line_of(const covey_attacked *r, uint32_t row)
{
    return (uint32_t)(r->original->row_of ? r->original->row_of[row] : row);
}

/* The person of the other release who has the same lines of the table. */
static covey_status find_by_line(uint32_t *twin, const covey_attacked *r, covey_arena *arena, covey_error *err)
{
    const covey_attacked *with = r->with;
    const size_t n_lines = (size_t)(with->stated->n_rows + with->stated->n_dropped);
    uint32_t *person = covey_arena_array(arena, uint32_t, n_lines);

    if (!person)
        return covey_i_no_memory(err);
    for (size_t line = 0; line < n_lines; line++)
        person[line] = NONE;
    for (uint32_t row = 0; row < with->original->n_rows; row++)
        person[line_of(with, row)] = with->persons->person.of_row[row];
    for (uint32_t u = 0; u < r->persons->person.n; u++)
        twin[u] = NONE;
    for (uint32_t row = 0; row < r->original->n_rows; row++) {
        const uint32_t u = r->persons->person.of_row[row], line = line_of(r, row);

        if (line < n_lines && person[line] != NONE)
            twin[u] = person[line];
    }
    return COVEY_OK;
}

/* --- two classes --- */

struct composing {
    const covey_attack_target *t, *other;
    uint32_t *value_of;      /* [other->n_values] value of the first */
    double *share[2], *told; /* [t->n_values] of the persons of both classes; what they tell together */
    bool excludes;           /* nobody has two values */
};

static void load(struct composing *c, uint32_t first, uint32_t second, double present)
{
    for (uint32_t e = c->t->start[first]; e < c->t->start[first + 1]; e++)
        c->share[0][c->t->entry[e].value] = present * (double)c->t->entry[e].n / (double)c->t->size[first];
    for (uint32_t e = c->other->start[second]; e < c->other->start[second + 1]; e++)
        if (c->value_of[c->other->entry[e].value] != NONE)
            c->share[1][c->value_of[c->other->entry[e].value]] =
                present * (double)c->other->entry[e].n / (double)c->other->size[second];
}

/* Values that both classes have. */
static uint32_t join(struct composing *c, uint32_t first)
{
    double sum = 0;
    uint32_t n = 0;

    for (uint32_t e = c->t->start[first]; e < c->t->start[first + 1]; e++) {
        const uint32_t v = c->t->entry[e].value;
        const double a = c->share[0][v], b = c->share[1][v], p = covey_i_attack_prior(c->t, v), has = a * b / p;

        n += b > 0;
        sum += has;
        c->told[v] = c->excludes || has <= 0 ? has : has / (has + (a < 1 && b < 1 ? (1 - a) * (1 - b) / (1 - p) : 0));
    }
    for (uint32_t e = c->t->start[first]; e < c->t->start[first + 1] && c->excludes && sum > 0; e++)
        c->told[c->t->entry[e].value] /= sum;
    return n;
}

static void add_person(covey_composition_persons *f, const struct composing *c, uint32_t person, uint32_t n_common)
{
    const covey_attack_having *having = c->t->having;

    f->n_persons++;
    f->single += n_common == 1;
    for (uint32_t i = having->start[person]; i < having->start[person + 1]; i++) {
        const uint32_t v = having->value[i];

        f->n++;
        f->mean += c->told[v];
        f->most = fmax(f->most, c->told[v]);
        f->impossible += c->share[1][v] <= 0;
        f->alone[0] += c->share[0][v];
        f->alone[1] += c->share[1][v];
        f->above += c->t->caps.n > 0 && c->told[v] > c->t->caps.share[v] * (1 + 1e-12); /* as over rows */
    }
}

/* Persons by both classes, so that each pair of classes is looked at once. */
static covey_status look_at_persons(covey_composition_persons *f, struct composing *c, const covey_attacked *r,
                                    const uint32_t *twin, covey_arena *arena, covey_error *err)
{
    const covey_attack_persons *a = r->persons, *b = r->with->persons;
    uint64_t *key = covey_arena_array(arena, uint64_t, a->person.n);
    uint32_t *person = covey_arena_array(arena, uint32_t, a->person.n),
             *scratch = covey_arena_array(arena, uint32_t, a->person.n), n = 0;

    if (!key || !person || !scratch)
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < a->person.n; u++)
        if (twin[u] != NONE && a->class_of_person[u] != NONE && b->class_of_person[twin[u]] != NONE) {
            key[u] = (uint64_t)a->class_of_person[u] << 32 | b->class_of_person[twin[u]];
            person[n++] = u;
        }
    covey_i_sort_rows_u64(person, scratch, n, key);
    for (uint32_t i = 0, end; i < n; i = end) {
        const uint32_t first = (uint32_t)(key[person[i]] >> 32), second = (uint32_t)key[person[i]];
        uint32_t n_common;

        for (end = i; end < n && key[person[end]] == key[person[i]];)
            end++;
        load(c, first, second, 1);
        n_common = join(c, first);
        for (uint32_t j = i; j < end; j++)
            add_person(f, c, person[j], n_common);
        load(c, first, second, 0);
        f->fewest = f->fewest == 0 || end - i < f->fewest ? end - i : f->fewest;
    }
    return COVEY_OK;
}

covey_status covey_i_composition_persons_find(covey_composition_persons *out, const covey_attacked *r,
                                              const covey_attack_target *t, const covey_attack_target *other,
                                              covey_arena *arena, covey_error *err)
{
    struct composing c = {.t = t->persons, .other = other->persons};
    uint32_t *twin = covey_arena_array(arena, uint32_t, r->persons->person.n);

    *out = (covey_composition_persons){0};
    c.excludes = c.t->having->is_single && c.other->having->is_single;
    for (int i = 0; i < 2; i++)
        if (!(c.share[i] = covey_arena_array_zero(arena, double, t->n_values)))
            return covey_i_no_memory(err);
    c.told = covey_arena_array(arena, double, t->n_values);
    if (!c.told || !twin)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_attack_values_in(&c.value_of, c.other, c.t, arena, err));
    COVEY_TRY(r->options->with_original ? find_namesakes(twin, r->persons, r->with->persons, arena, err)
                                        : find_by_line(twin, r, arena, err));
    return look_at_persons(out, &c, r, twin, arena, err);
}
