/* Composition of releases of a table that changes.  The adversary sees two of them or more, knows who is in which, and
 * in which class; all worlds are as likely: ways of giving the rows of each class to its people, made-up rows to
 * nobody, so that everybody has one value.  Frequencies of values in the whole table do not count.
 *
 * Any row of a class may be the person's, or made up, as well as any other.  Where nobody else ties the person's two
 * classes to each other, the worlds of a value are in proportion to q_A q_B, its shares in both.  Where all classes
 * that are tied to each other have the same different values, as in the releases of one ledger, these can be exchanged:
 * each has as many worlds, as by those products, however many releases there are.  Else worlds are counted where they
 * are few (composition_worlds.c), and the product is taken where they are not.
 *
 * Source: [XiaoTao07], section 3. */
#include "attack/composition_releases.h"

#include <string.h>

#include "attack/composition_worlds.h"
#include "attack/persons.h"
#include "attack/releases.h"
#include "base/error.h"
#include "base/plural.h"
#include "reader/names.h"
#include "table/table_impl.h"

/* One release: where the people of the ledger stand in it. */
struct side {
    const covey_attack_target *target;
    const uint32_t *value_of; /* [target->n_values] value of the first release; UINT32_MAX: none */
    uint32_t *class_of;       /* [units] from 1; 0: in none */
    int64_t *n;               /* [n_values of the first] rows of the class at hand */
};

struct figures {
    int64_t n_persons, counted, single, impossible, above, fewest; /* fewest: values in common */
    covey_fraction most;
    double mean, alone[2], best_alone; /* from the first release, the second, and that of a person which tells most */
};

struct releases {
    covey_attacked *first;
    const covey_attack_target *t;
    covey_ledger *ledger;
    bool both_known; /* the ledger knows both */
    int64_t m;       /* promised */
    size_t n_sides;
    struct side *side; /* [n_sides] */
    struct figures f;
    covey_arena *arena;
};

/* --- who is where --- */

/* From the list of who is in which class. */
static covey_status find_by_name(struct releases *c, struct side *side, const covey_attacked *r, covey_error *err)
{
    const covey_attack_persons *persons = r->persons;
    covey_names names;

    if (persons->within)
        return covey_fail(err, COVEY_EINVAL,
                          "%s calls people by the column \"%s\" within another one, and the ledger knows one name of "
                          "each: these are not compared",
                          r->folder, persons->name->name);
    if (persons->person.n < r->original->n_rows)
        return covey_fail(err, COVEY_EINVAL,
                          "%s: somebody has several rows in the table of this release, and one in those of the ledger: "
                          "what both tell together is counted where everybody has one row",
                          r->options->original);
    COVEY_TRY(covey_i_names_init(&names, c->ledger->n_units, c->arena, err));
    for (uint32_t u = 0; u < c->ledger->n_units; u++) {
        uint32_t number;

        COVEY_TRY(covey_i_names_add(&number, &names, covey_i_ledger_unit(c->ledger, u), err));
    }
    for (uint32_t row = 0; row < r->original->n_rows; row++) {
        const uint32_t code = covey_i_code_at(persons->name, row);
        const uint32_t unit = code < persons->name->has_null
                                  ? UINT32_MAX
                                  : covey_i_names_find(&names, covey_column_label(persons->name, code));

        if (unit != UINT32_MAX && persons->class_of_row[row] != UINT32_MAX)
            side->class_of[unit] = persons->class_of_row[row] + 1;
    }
    return COVEY_OK;
}

static covey_status find_people(struct releases *c, struct side *side, const covey_attacked *r, covey_error *err)
{
    const uint32_t n = c->ledger->n_units;
    size_t number;

    if (!(side->class_of = covey_arena_array_zero(c->arena, uint32_t, n)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_attack_releases_find(&number, c->ledger, r, err));
    if (number == SIZE_MAX && r != c->first && r->persons) {
        c->both_known = false;
        return find_by_name(c, side, r, err);
    }
    if (number == SIZE_MAX && r == c->first)
        return covey_i_attack_releases_unknown(c->ledger, r, err);
    if (number == SIZE_MAX)
        return covey_fail(err, COVEY_EINVAL,
                          "%s does not know the release %s: one of the two was changed, or it is none of that ledger; "
                          "who is in it say --with-links FILE and --with-original DATA",
                          c->ledger->path, r->folder);
    memcpy(side->class_of, c->ledger->class_of[number], n * sizeof *side->class_of);
    return COVEY_OK;
}

static covey_status start_side(struct releases *c, struct side *side, const covey_attacked *r,
                               const covey_attack_target *t, covey_error *err)
{
    uint32_t *value_of;

    side->target = t;
    if (!(side->n = covey_arena_array_zero(c->arena, int64_t, c->t->n_values)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_attack_values_in(&value_of, t, c->t, c->arena, err));
    side->value_of = value_of;
    return find_people(c, side, r, err);
}

/* --- what both say --- */

/* Counts the values of a class, or takes them away again. */
static void count_class(struct side *side, uint32_t class, int sign)
{
    const covey_attack_target *t = side->target;

    for (uint32_t e = t->start[class]; e < t->start[class + 1]; e++)
        if (side->value_of[t->entry[e].value] != UINT32_MAX)
            side->n[side->value_of[t->entry[e].value]] += sign * t->entry[e].n;
}

static bool is_in(const struct side *side, const covey_tied_person *p)
{
    return side->class_of[p->unit] > 0;
}

/* Rows with the value in all of the person's classes: the product, where none is tied to another. */
static covey_i128 multiply(const struct releases *c, const covey_tied_person *p, uint32_t value)
{
    covey_i128 product = 1;

    for (size_t s = 0; s < c->n_sides; s++)
        product *= is_in(&c->side[s], p) ? c->side[s].n[value] : 1;
    return product;
}

/* Counts the values that the person's classes have in common; and, unless that was done, the worlds of each as if
 * nobody else tied the classes to each other.  Where there are more than two the ledger knows all: no class has a value
 * twice.
 */
static int64_t find_common(struct releases *c, covey_tied_person *p, bool is_counted)
{
    const covey_attack_target *t = c->t;
    const uint32_t class = p->class[0];
    int64_t n_common = 0;
    covey_i128 all = 0;

    for (uint32_t e = t->start[class]; e < t->start[class + 1]; e++) {
        const covey_i128 worlds = multiply(c, p, t->entry[e].value);

        n_common += worlds > 0;
        all += worlds;
    }
    if (!is_counted) {
        p->has = multiply(c, p, p->value);
        p->n = all;
    }
    return n_common;
}

static void add_alone(struct releases *c, const covey_tied_person *p)
{
    double best = 0;

    for (size_t s = 0; s < c->n_sides; s++) {
        const struct side *side = &c->side[s];
        double share;

        if (!is_in(side, p))
            continue;
        share = (double)side->n[p->value] / (double)side->target->size[side->class_of[p->unit] - 1];
        best = share > best ? share : best;
        if (s < 2)
            c->f.alone[s] += share;
    }
    c->f.best_alone += best;
}

static void add_person(struct releases *c, covey_tied_person *p, bool is_counted)
{
    const covey_fraction allowed = {1, c->m};
    struct figures *f = &c->f;
    covey_fraction chance;
    int64_t n_common;

    for (size_t s = 0; s < c->n_sides; s++)
        if (is_in(&c->side[s], p))
            count_class(&c->side[s], c->side[s].class_of[p->unit] - 1, 1);
    n_common = find_common(c, p, is_counted);
    f->n_persons++;
    f->counted += is_counted || c->both_known;
    f->single += n_common == 1;
    f->fewest = f->n_persons == 1 || n_common < f->fewest ? n_common : f->fewest;
    add_alone(c, p);
    for (size_t s = 0; s < c->n_sides; s++)
        if (is_in(&c->side[s], p))
            count_class(&c->side[s], c->side[s].class_of[p->unit] - 1, -1);
    if (p->has == 0) {
        f->impossible++;
        return;
    }
    chance = covey_i_fraction(p->has, p->n);
    f->mean += covey_i_fraction_value(chance);
    f->above += covey_i_fraction_compare(chance, allowed) > 0;
    if (covey_i_fraction_compare(chance, f->most) > 0)
        f->most = chance;
}

/* Those of the first release who are in another one, too. */
static covey_status list_people(covey_tied_person **out, uint32_t *n, const struct releases *c, covey_error *err)
{
    const covey_ledger *l = c->ledger;
    covey_tied_person *person = covey_arena_array(c->arena, covey_tied_person, l->n_units);

    if (!person)
        return covey_i_no_memory(err);
    *n = 0;
    for (uint32_t u = 0; u < l->n_units; u++) {
        const char *label = covey_i_ledger_value(l, u);
        bool is_there = false;
        int64_t code;

        for (size_t s = 1; s < c->n_sides; s++)
            is_there |= c->side[s].class_of[u] > 0;
        if (c->side[0].class_of[u] == 0 || !is_there)
            continue;
        code = covey_i_column_find(c->t->view->text, label, strlen(label)); /* there: check_classes found a row */
        person[(*n)++] = (covey_tied_person){.unit = u,
                                             .class = {c->side[0].class_of[u] - 1, c->side[1].class_of[u] - 1},
                                             .value = c->t->view->value_of_cell[code]};
    }
    *out = person;
    return COVEY_OK;
}

/* Worlds are counted with a release that the ledger does not know, by groups of people who tie classes to each other.
 */
static covey_status look_at_groups(struct releases *c, covey_tied_person *person, uint32_t n, covey_error *err)
{
    const covey_attack_target *const target[2] = {c->side[0].target, c->side[1].target};
    covey_tied_worlds worlds = {.target = {target[0], target[1]},
                                .value_of = {c->side[0].value_of, c->side[1].value_of}};

    for (int s = 0; s < 2; s++)
        if (!(worlds.left[s] = covey_arena_array(c->arena, int64_t, (size_t)COVEY_MOST_TIED * c->t->n_values)))
            return covey_i_no_memory(err);
    COVEY_TRY(covey_i_composition_worlds_group(person, n, target, c->arena, err));
    for (uint32_t i = 0, end; i < n; i = end) {
        bool is_counted;

        for (end = i + 1; end < n && person[end].group == person[i].group;)
            end++;
        is_counted = covey_i_composition_worlds_count(&worlds, person + i, end - i);
        for (uint32_t p = i; p < end; p++)
            add_person(c, &person[p], is_counted);
    }
    return COVEY_OK;
}

static covey_status look_at_people(struct releases *c, covey_error *err)
{
    covey_tied_person *person = NULL;
    uint32_t n = 0;

    COVEY_TRY(list_people(&person, &n, c, err));
    if (!c->both_known)
        return look_at_groups(c, person, n, err);
    for (uint32_t i = 0; i < n; i++) /* values can be exchanged */
        add_person(c, &person[i], false);
    return COVEY_OK;
}

/* --- the result --- */

/* The m that the first release promises of the attribute; 0: none. */
static int64_t promised_m(const covey_attacked *r, const covey_attack_target *t)
{
    int64_t m = 0;

    for (size_t p = 0; p < r->stated->n_promises; p++) {
        const covey_bound_promise *promise = &r->promise[p];

        if (promise->checkable && promise->state && promise->view == t->view &&
            (promise->model->traits & COVEY_MODEL_INVARIANT) && promise->model->min_size(promise->state) > m)
            m = promise->model->min_size(promise->state);
    }
    return m;
}

static void report_two(covey_attack_maker *out, const struct releases *c)
{
    const struct figures *f = &c->f;
    const double n = (double)f->n_persons;

    covey_i_attack_words(
        out,
        "Who knows a person's class in both releases knows the value with a chance of up to %.3g%%, on average of "
        "%.3g%%; from one release alone, of %.3g%% and %.3g%%. The classes of a person have %lld value%s in common at "
        "least; for %.3g%% of the %lld persons only one is left.%s",
        100 * out->result.figure, 100 * f->mean / n, 100 * f->alone[0] / n, 100 * f->alone[1] / n, (long long)f->fewest,
        covey_i_plural(f->fewest), 100 * (double)f->single / n, (long long)f->n_persons,
        f->counted == f->n_persons ? ""
                                   : " Where too many people tie classes to each other these were taken as independent "
                                     "(all but counted_persons).");
}

static void report_several(covey_attack_maker *out, const struct releases *c)
{
    const struct figures *f = &c->f;
    const double n = (double)f->n_persons;

    covey_i_attack_integer(out, "releases", (int64_t)c->n_sides);
    covey_i_attack_number(out, "best_alone", f->best_alone / n);
    covey_i_attack_words(
        out,
        "Who knows in which class a person of the first release is in all %zu of them knows the value with a chance of "
        "up to %.3g%%, on average of %.3g%%; from the one that tells most of a person alone, of %.3g%%. The classes of "
        "a person have %lld value%s in common at least; for %.3g%% of the %lld persons only one is left.",
        c->n_sides, 100 * out->result.figure, 100 * f->mean / n, 100 * f->best_alone / n, (long long)f->fewest,
        covey_i_plural(f->fewest), 100 * (double)f->single / n, (long long)f->n_persons);
}

static void report(covey_attack_maker *out, const struct releases *c)
{
    const struct figures *f = &c->f;
    const double n = (double)f->n_persons;

    out->result.over = "persons";
    covey_i_attack_fraction(out, f->most.num, f->most.den);
    covey_i_attack_judge(out, 1 / (double)c->m, f->above == 0);
    covey_i_attack_integer(out, "compared_persons", f->n_persons);
    covey_i_attack_number(out, "mean", f->mean / n);
    covey_i_attack_number(out, "max", out->result.figure);
    covey_i_attack_integer(out, "fewest_values_in_common", f->fewest);
    covey_i_attack_number(out, "single_share", (double)f->single / n);
    covey_i_attack_number(out, "above_share", (double)f->above / n);
    if (c->n_sides == 2) {
        covey_i_attack_number(out, "first_alone", f->alone[0] / n);
        covey_i_attack_number(out, "second_alone", f->alone[1] / n);
    }
    covey_i_attack_integer(out, "impossible_persons", f->impossible);
    covey_i_attack_integer(out, "counted_persons", f->counted);
    if (c->n_sides > 2)
        report_several(out, c);
    else
        report_two(out, c);
}

static covey_status start_sides(struct releases *c, const covey_attack_target *other, covey_error *err)
{
    const covey_attacked *r = c->first->with;

    c->n_sides = 2 + c->first->options->n_also;
    if (!(c->side = covey_arena_array_zero(c->arena, struct side, c->n_sides)))
        return covey_i_no_memory(err);
    COVEY_TRY(start_side(c, &c->side[0], c->first, c->t, err));
    COVEY_TRY(start_side(c, &c->side[1], r, other, err));
    for (size_t s = 2; s < c->n_sides; s++) {
        r = r->with;
        other = covey_i_attack_target_of(r, c->t->view->name);
        if (!other)
            return covey_fail(err, COVEY_EINVAL, "%s has no sensitive attribute \"%s\"", r->folder, c->t->view->name);
        COVEY_TRY(start_side(c, &c->side[s], r, other, err));
    }
    return COVEY_OK;
}

static covey_status compare(covey_attack_maker *out, struct releases *c, const covey_attack_target *other,
                            covey_error *err)
{
    COVEY_TRY(covey_i_attack_releases_read(&c->ledger, c->first, err));
    if (strcmp(c->ledger->sensitive, c->t->view->name) != 0) {
        covey_i_attack_not(out, "the ledger is about \"%s\"", c->ledger->sensitive);
        return COVEY_OK;
    }
    COVEY_TRY(start_sides(c, other, err));
    if ((c->m = promised_m(c->first, c->t)) == 0)
        return covey_fail(err, COVEY_EINVAL, "%s does not promise m-invariance of \"%s\"", c->first->folder,
                          c->t->view->name);
    COVEY_TRY(look_at_people(c, err));
    if (c->f.n_persons == 0)
        covey_i_attack_not(out, "nobody is published by both releases");
    else
        report(out, c);
    return COVEY_OK;
}

static bool are_in_classes(const covey_attacked *r)
{
    for (; r; r = r->with)
        if (r->form & ~(unsigned)(COVEY_ATTACKED_GENERALIZED | COVEY_ATTACKED_BUCKETIZED))
            return false;
    return true;
}

covey_status covey_i_composition_releases(covey_attack_maker *out, covey_attacked *r, const covey_attack_target *t,
                                          const covey_attack_target *other, covey_arena *arena, covey_error *err)
{
    struct releases c = {.first = r, .t = t, .arena = arena, .both_known = true, .f.most = {0, 1}};

    if (!are_in_classes(r)) {
        covey_i_attack_not(out, "by the ledger, releases in classes or groups are put together");
        return COVEY_OK;
    }
    return compare(out, &c, other, err);
}
