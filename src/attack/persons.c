/* See persons.h. */
#include "attack/persons.h"

#include <stdlib.h>

#include "base/error.h"

covey_status covey_i_attack_persons_open(covey_attacked *r, covey_error *err)
{
    if (!r->options->links)
        return COVEY_OK;
    if (!r->opened->units)
        return covey_fail(err, COVEY_EINVAL,
                          "--links goes with releases whose rows are persons' (role entity), and %s is none",
                          r->folder);
    if (!(r->persons = covey_arena_array_zero(&r->arena, covey_attack_persons, 1)))
        return covey_i_no_memory(err);
    return covey_i_audit_linked(&r->persons->linked, r->folder, r->stated, r->options->original, r->options->links,
                                r->run, &r->arena, err);
}

/* --- who --- */

/* A number for each value, and for each row without one: that is somebody else's. */
static covey_status number_rows(covey_unit_set *out, covey_attacked *r, const covey_column *column, covey_error *err)
{
    const uint32_t first = column->has_null ? 1 : 0;

    if (!(out->of_row = covey_arena_array(&r->arena, uint32_t, r->original->n_rows)))
        return covey_i_no_memory(err);
    out->n = column->n_values - first;
    for (uint32_t row = 0; row < r->original->n_rows; row++) {
        const uint32_t code = covey_i_code_at(column, row);

        out->of_row[row] = code < first ? out->n++ : code - first;
    }
    return COVEY_OK;
}

struct member {
    uint32_t whole, person, row;
};

static int compare_members(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    if (x->whole != y->whole)
        return x->whole < y->whole ? -1 : 1;
    return (x->person > y->person) - (x->person < y->person);
}

/* Persons of one name in two households are two. */
static covey_status tell_persons_apart(covey_attacked *r, covey_error *err)
{
    covey_attack_persons *p = r->persons;
    const uint32_t n = r->original->n_rows;
    struct member *member = covey_arena_array(&r->arena, struct member, n);

    if (!member)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n; row++)
        member[row] = (struct member){p->whole.of_row[row], p->person.of_row[row], row};
    qsort(member, n, sizeof *member, compare_members);
    p->person.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        p->person.n += i == 0 || compare_members(&member[i - 1], &member[i]) != 0;
        p->person.of_row[member[i].row] = p->person.n - 1;
    }
    return COVEY_OK;
}

covey_status covey_i_attack_persons_read(covey_attacked *r, size_t first, covey_error *err)
{
    covey_attack_persons *p = r->persons;

    if (!p)
        return COVEY_OK;
    COVEY_TRY(number_rows(&p->person, r, r->original->more[first], err));
    COVEY_TRY(number_rows(&p->whole, r, r->original->more[first + (p->linked.within ? 1 : 0)], err));
    COVEY_TRY(tell_persons_apart(r, err));
    p->class_of_row = covey_arena_array(&r->arena, uint32_t, r->original->n_rows);
    p->class_of_person = covey_arena_array(&r->arena, uint32_t, p->person.n);
    if (!p->class_of_row || !p->class_of_person)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < r->original->n_rows; row++) {
        const uint32_t class = p->linked.class_of_line[r->original->row_of ? r->original->row_of[row] : row];

        p->class_of_row[row] = class > 0 ? class - 1 : UINT32_MAX;
        p->class_of_person[p->person.of_row[row]] = p->class_of_row[row];
    }
    return COVEY_OK;
}

/* --- shares of persons --- */

struct having {
    uint32_t class, value, person;
};

static int compare_having(const void *a, const void *b)
{
    const struct having *x = a, *y = b;

    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->person > y->person) - (x->person < y->person);
}

/* Each value of a person once, class by class. */
static covey_status list_having(struct having **out, size_t *n_out, const covey_attacked *r,
                                const covey_attack_target *t, covey_arena *arena, covey_error *err)
{
    struct having *having = covey_arena_array(arena, struct having, r->original->n_rows);
    size_t n = 0, kept = 0;

    if (!having)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < r->original->n_rows; row++)
        if (t->value_of_row[row] != UINT32_MAX)
            having[n++] =
                (struct having){r->persons->class_of_row[row], t->value_of_row[row], r->persons->person.of_row[row]};
    qsort(having, n, sizeof *having, compare_having);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || compare_having(&having[kept - 1], &having[i]) != 0)
            having[kept++] = having[i];
    *out = having;
    *n_out = kept;
    return COVEY_OK;
}

/* Is a more frequent in its class, compared with all, than b? */
static bool is_worse(const covey_attack_person_share *a, const covey_attack_person_share *b)
{
    if (b->size == 0)
        return true;
    return (covey_u128)a->n * (covey_u128)b->size * (covey_u128)b->n_all >
           (covey_u128)b->n * (covey_u128)a->size * (covey_u128)a->n_all;
}

covey_status covey_i_attack_persons_worst(covey_attack_person_share *out, const covey_attacked *r,
                                          const covey_attack_target *t, covey_arena *arena, covey_error *err)
{
    const covey_attack_persons *p = r->persons;
    int64_t *with_value = covey_arena_array_zero(arena, int64_t, t->n_values),
            *in_class = covey_arena_array_zero(arena, int64_t, r->opened->n_classes);
    struct having *having = NULL;
    size_t n = 0;

    *out = (covey_attack_person_share){0};
    if (!with_value || !in_class)
        return covey_i_no_memory(err);
    COVEY_TRY(list_having(&having, &n, r, t, arena, err));
    for (uint32_t i = 0; i < p->person.n; i++)
        if (p->class_of_person[i] != UINT32_MAX)
            in_class[p->class_of_person[i]]++;
    for (size_t i = 0; i < n; i++)
        with_value[having[i].value]++;
    for (size_t i = 0, end; i < n && having[i].class != UINT32_MAX; i = end) {
        covey_attack_person_share share = {.class = having[i].class,
                                           .value = having[i].value,
                                           .size = in_class[having[i].class],
                                           .n_all = with_value[having[i].value],
                                           .all = p->person.n};

        for (end = i; end < n && having[end].class == having[i].class && having[end].value == having[i].value; end++)
            share.n++;
        if (is_worse(&share, out))
            *out = share;
    }
    return COVEY_OK;
}
