/* What all releases of a changing table say of a person, by counting worlds: who knows everybody's quasi-identifiers
 * and who is in which release finds no value of anybody with a chance above 1/m.
 *
 * A world gives everybody a value and, in each release that he is in, a row of that value in a class whose cell he
 * fits, each row to one person or to nobody, to nobody as often as the class has made-up rows, and everybody classes of
 * the same values each time: what the releases promise. */
#include "test.h"

#include <string.h>

#include "release/made_up.h"
#include "support/problem/moving_table.h"
#include "table/table_impl.h"

enum { MOST_RELEASES = 3, MOST_CLASSES = 8, MOST_PEOPLE = 9 };

struct class
{
    uint32_t low, high, values, used; /* bits of values: there are, somebody has */
    uint32_t n_made_up;
};

struct published {
    uint32_t n_classes;
    struct class class[MOST_CLASSES];
    bool has[MOST_PEOPLE];          /* who is in it */
    uint32_t class_of[MOST_PEOPLE]; /* truly; of those who are */
};

struct worlds {
    int n_releases;
    struct published release[MOST_RELEASES];
    const moving_table *table;
    bool knows_classes; /* of everybody */
    uint64_t n, of[MOST_PEOPLE][MOVING_MOST_VALUES];
    uint32_t value[MOST_PEOPLE]; /* of the world at hand */
};

static void count_world(struct worlds *w)
{
    for (int r = 0; r < w->n_releases; r++)
        for (uint32_t c = 0; c < w->release[r].n_classes; c++) {
            const struct class *class = &w->release[r].class[c];

            if ((uint32_t)__builtin_popcount(class->values & ~class->used) != class->n_made_up)
                return;
        }
    w->n++;
    for (uint32_t i = 0; i < w->table->n_people; i++)
        w->of[i][w->value[i]]++;
}

static void place(struct worlds *w, uint32_t person, int r, uint32_t signature);

/* Everybody from this person on. */
static void give_values(struct worlds *w, uint32_t person)
{
    if (person == w->table->n_people) {
        count_world(w);
        return;
    }
    for (uint32_t v = 0; v < w->table->n_values; v++) {
        w->value[person] = v;
        place(w, person, 0, 0);
    }
}

/* The person's rows from release r on; signature 0: in no class yet. */
static void place(struct worlds *w, uint32_t person, int r, uint32_t signature)
{
    const uint32_t bit = 1u << w->value[person];

    while (r < w->n_releases && !w->release[r].has[person])
        r++;
    if (r == w->n_releases) {
        give_values(w, person + 1);
        return;
    }
    for (uint32_t c = 0; c < w->release[r].n_classes; c++) {
        struct class *class = &w->release[r].class[c];
        const uint32_t code = w->table->person[person].axis[0];

        if (code < class->low || code > class->high || !(class->values & bit) || class->used & bit ||
            (signature && class->values != signature) || (w->knows_classes && w->release[r].class_of[person] != c))
            continue;
        class->used |= bit;
        place(w, person, r + 1, class->values);
        class->used &= ~bit;
        w->value[person] = (uint32_t)__builtin_ctz(bit); /* others were tried meanwhile */
    }
}

/* Makes the next release; false: there is none. */
static bool publish(struct worlds *w, moving_table *t, const char *m)
{
    const char *const promise[][2] = {{"m-invariance", m}, {NULL}};
    const covey_method *method = covey_method_find("m-invariance");
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = t->random};
    struct published *p = &w->release[w->n_releases];
    covey_release *release = NULL;
    problem_maker maker;

    *p = (struct published){0};
    moving_problem(&maker, t, NULL, promise);
    if (method->run(&release, &maker.problem, maker_method_params(&maker, method, ""), &run, NULL) == COVEY_OK &&
        release->n_classes <= MOST_CLASSES) {
        const covey_problem *problem = covey_i_release_problem(release, &maker.problem);

        p->n_classes = release->n_classes;
        for (uint32_t c = 0; c < release->n_classes; c++) {
            p->class[c] =
                (struct class){release->low[c], release->high[c], moving_values_of(release, problem, c), 0, 0};
            for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++) {
                const uint32_t row = release->row_order[i];

                p->class[c].n_made_up += row >= t->n_rows;
                if (row < t->n_rows)
                    p->class_of[t->row[row]] = c;
            }
        }
        for (uint32_t i = 0; i < t->n_rows; i++)
            p->has[t->row[i]] = true;
        moving_publish(t, release, problem);
        w->n_releases++;
    }
    covey_release_free(release);
    maker_clear(&maker);
    return p->n_classes > 0;
}

/* A few releases, of few people. */
static bool make_worlds(struct worlds *w, moving_table *t, uint64_t seed, const char *m)
{
    memset(w, 0, sizeof *w);
    w->table = t;
    moving_begin(t, seed, 1, 3 + (uint32_t)seed % 3);
    moving_change(t, 4 + (uint32_t)seed % 3, 0, 0);
    if (!publish(w, t, m))
        return false;
    for (int r = 1; r < 2 + (int)(seed % 2); r++) {
        const uint32_t room = MOST_PEOPLE - 1 - t->n_people;

        moving_change(t, maker_below(&t->random, 1 + (room < 3 ? room : 3)), 1 + maker_below(&t->random, 2),
                      maker_below(&t->random, 2));
        if (t->n_rows == 0 || !publish(w, t, m))
            break;
    }
    return w->n_releases > 1;
}

/* Nobody has a value in more than 1/m of the worlds; who knows the classes knows that one of the signature's is
 * everybody's, and no more. */
static void check_worlds(struct worlds *w, uint32_t m)
{
    for (uint32_t i = 0; i < w->table->n_people; i++) {
        const uint32_t signature = w->table->person[i].signature;

        for (uint32_t v = 0; v < w->table->n_values && signature; v++) {
            if (w->of[i][v] * m > w->n)
                fail_msg("somebody has a value in %llu of %llu worlds, m = %u", (unsigned long long)w->of[i][v],
                         (unsigned long long)w->n, m);
            if (w->knows_classes)
                assert_true(w->of[i][v] * (unsigned)__builtin_popcount(signature) == (signature >> v & 1 ? w->n : 0));
        }
    }
}

static void nobody_has_a_value_with_a_chance_above_one_in_m(void **state)
{
    int n_checked = 0, n_made_up = 0, n_overlaps = 0;

    for (uint64_t seed = 1; seed <= (uint64_t)test_share(400); seed++) {
        static moving_table t;
        static struct worlds w;
        const uint32_t m = 2 + (uint32_t)(seed / 3) % 2;

        if (!make_worlds(&w, &t, seed, m == 2 ? "m=2" : "m=3"))
            continue;
        give_values(&w, 0);
        assert_true(w.n > 0); /* the true one */
        check_worlds(&w, m);
        for (int r = 0; r < w.n_releases; r++)
            for (uint32_t c = 0; c < w.release[r].n_classes; c++) {
                n_made_up += w.release[r].class[c].n_made_up > 0;
                n_overlaps += c > 0 && w.release[r].class[c].low <= w.release[r].class[c - 1].high;
            }
        w.n = 0;
        memset(w.of, 0, sizeof w.of);
        w.knows_classes = true;
        give_values(&w, 0);
        check_worlds(&w, m);
        n_checked++;
    }
    if (!test_is_enough(n_checked > 60 && n_made_up > 20 && n_overlaps > 20))
        fail_msg("%d tables, %d classes with made-up rows, %d that overlap: too few to say anything", n_checked,
                 n_made_up, n_overlaps);
}

/* The same people in releases that know nothing of each other: there somebody's value is found out. */
static void without_it_two_releases_tell_more(void **state)
{
    int n_told = 0;

    for (uint64_t seed = 1; seed <= 60; seed++) {
        static moving_table t;
        static struct worlds w;

        memset(&w, 0, sizeof w);
        w.table = &t;
        w.knows_classes = true;
        moving_begin(&t, seed, 1, 4);
        moving_change(&t, 6, 0, 0);
        for (int r = 0; r < 2; r++) {
            for (uint32_t i = 0; i < t.n_people; i++)
                t.person[i].signature = 0; /* forgotten */
            if (!publish(&w, &t, "m=2"))
                break;
            moving_change(&t, 1, 1, 0);
        }
        for (uint32_t i = 0; i < t.n_people && w.n_releases == 2; i++)
            if (w.release[0].has[i] && w.release[1].has[i]) {
                const uint32_t both = w.release[0].class[w.release[0].class_of[i]].values &
                                      w.release[1].class[w.release[1].class_of[i]].values;

                n_told += __builtin_popcount(both) == 1;
            }
    }
    assert_true(n_told > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_has_a_value_with_a_chance_above_one_in_m),
        cmocka_unit_test(without_it_two_releases_tell_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
