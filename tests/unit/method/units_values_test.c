/* What the units of an item have of values: how many rows and persons, counted again row by row. */
#include "method/units/values.h"

#include <string.h>

#include "test.h"

enum { N_PERSONS = 60, N_HOMES = 20, N_ITEMS = 5, N_VALUES = 7, N_ROWS = 200000, MOST_ROWS_OF_ONE = 70000 };

/* Person p is of home p / 3 and home h, or person p, of item h % N_ITEMS; person 0 has more rows of one value than a
 * count has room for. */
struct table {
    uint32_t person[N_ROWS], home[N_ROWS], number[N_HOMES], item_of[N_PERSONS], person_of[N_HOMES + 1];
    uint8_t value[N_ROWS], sorted[N_ROWS];
    uint32_t start[N_PERSONS + 1];
    void *values[1];
    covey_column column;
    covey_view view;
    covey_units units;
    covey_problem problem;
    covey_units_run run;
    covey_unit_items items;
};

static struct table t;

static void fill(bool has_homes)
{
    const uint32_t n_units = has_homes ? N_HOMES : N_PERSONS;
    uint32_t n = 0;

    for (uint32_t row = 0; row < N_ROWS; row++) {
        t.person[row] = row < MOST_ROWS_OF_ONE ? 0 : 1 + row * 7919 % (N_PERSONS - 1);
        t.home[row] = t.person[row] / 3;
        t.value[row] = (uint8_t)(row < MOST_ROWS_OF_ONE ? 3 : (row / 100 + t.person[row]) % N_VALUES);
    }
    for (uint32_t p = 0; p < N_PERSONS; p++) {
        t.start[p] = n;
        for (uint32_t row = 0; row < N_ROWS; row++)
            if (t.person[row] == p)
                t.sorted[n++] = t.value[row];
    }
    t.start[N_PERSONS] = n;
    for (uint32_t h = 0; h <= N_HOMES; h++)
        t.person_of[h] = 3 * h;
    for (uint32_t u = 0; u < n_units; u++)
        t.item_of[u] = u % N_ITEMS;
    t.values[0] = t.sorted;
    t.column = (covey_column){.codes = t.value, .width = 1, .n_rows = N_ROWS, .n_values = N_VALUES};
    t.view = (covey_view){.column = &t.column};
    t.units = (covey_units){.person = {N_PERSONS, t.person},
                            .whole = {n_units, has_homes ? t.home : t.person},
                            .person_of = has_homes ? t.person_of : NULL,
                            .start = t.start,
                            .value = t.values};
    t.problem = (covey_problem){.n_rows = N_ROWS, .units = &t.units, .promises = {.n_views = 1, .view = &t.view}};
    t.run = (covey_units_run){.problem = &t.problem,
                              .units = &t.units,
                              .arena = COVEY_ARENA_INIT,
                              .n_units = n_units,
                              .counts_suffice = true};
    t.items = (covey_unit_items){.r = &t.run, .n = N_ITEMS, .of_unit = t.item_of};
}

static void check_counts(const covey_unit_values *values, bool has_homes)
{
    static bool seen[N_PERSONS][N_VALUES];

    for (uint32_t item = 0; item < N_ITEMS; item++) {
        uint32_t rows[N_VALUES] = {0}, persons[N_VALUES] = {0};

        memset(seen, 0, sizeof seen);
        for (uint32_t row = 0; row < N_ROWS; row++) {
            const uint32_t home = t.run.old ? N_HOMES - 1 - t.home[row] : t.home[row]; /* as units are numbered */

            if (t.item_of[has_homes ? home : t.person[row]] != item)
                continue;
            rows[t.value[row]]++;
            persons[t.value[row]] += !seen[t.person[row]][t.value[row]];
            seen[t.person[row]][t.value[row]] = true;
        }
        for (uint32_t i = values->start[0][item]; i < values->start[0][item + 1]; i++) {
            rows[values->count[0][i].value] -= values->count[0][i].n_rows;
            persons[values->count[0][i].value] -= values->count[0][i].n_persons;
        }
        for (uint32_t v = 0; v < N_VALUES; v++) {
            assert_int_equal(rows[v], 0);
            assert_int_equal(persons[v], 0);
        }
        assert_int_equal(values->n_units[item], (has_homes ? N_HOMES : N_PERSONS) / N_ITEMS);
        assert_int_equal(values->n_persons[item], N_PERSONS / N_ITEMS);
    }
}

static void rows_and_persons_of_an_item_are_counted(void **unused)
{
    covey_unit_values values;
    covey_error err;

    (void)unused;
    fill(false);
    assert_int_equal(covey_i_unit_values_new(&values, &t.run, &t.items, &err), COVEY_OK);
    check_counts(&values, false);
    covey_arena_free(&t.run.arena);
}

/* Homes that have other numbers than in the table. */
static void so_are_those_of_households(void **unused)
{
    covey_unit_values values;
    covey_error err;

    (void)unused;
    fill(true);
    for (uint32_t h = 0; h < N_HOMES; h++)
        t.number[h] = N_HOMES - 1 - h;
    t.run.old = t.number;
    assert_int_equal(covey_i_unit_values_new(&values, &t.run, &t.items, &err), COVEY_OK);
    check_counts(&values, true);
    covey_arena_free(&t.run.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_persons_of_an_item_are_counted),
        cmocka_unit_test(so_are_those_of_households),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
