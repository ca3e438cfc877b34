/* Units as items: which are one, and where they go. */
#include "method/units/items.h"

#include "test.h"

enum { MOST_UNITS = 20000 };

/* Units on one axis without order. */
struct table {
    covey_column low, high;
    covey_axis axis;
    covey_unit_axis ends;
    covey_problem problem;
    covey_units_run run;
};

static void make_table(struct table *t, const uint16_t *low, const uint16_t *high, const uint32_t *n_rows, uint32_t n)
{
    *t = (struct table){.low = {.codes = low, .width = 2}, .high = {.codes = high, .width = 2}};
    t->axis = (covey_axis){.kind = COVEY_AXIS_FLAT, .n_values = MOST_UNITS, .loss_den = 1};
    t->ends = (covey_unit_axis){&t->low, &t->high};
    t->problem = (covey_problem){.axis = &t->axis, .n_axes = 1};
    t->run = (covey_units_run){.problem = &t->problem,
                               .arena = COVEY_ARENA_INIT,
                               .n_units = n,
                               .sizes_suffice = true,
                               .n_rows = n_rows,
                               .axis = &t->ends};
}

static void check_ends(const covey_unit_items *items, uint32_t at, uint32_t low, uint32_t high)
{
    const covey_unit_item *item = covey_i_unit_item_at(items, at);

    assert_int_equal(item->end[0] - COVEY_FIRST_END, low);
    assert_int_equal(COVEY_LAST_END - item->end[1], high);
}

/* Units 0, 2 and 3 reach codes 1 to 4; unit 3 is of another class. */
static void units_of_a_class_that_reach_the_same_codes_are_one_item(void **state)
{
    const uint16_t low[] = {1, 1, 1, 1}, high[] = {4, 5, 4, 4};
    const uint32_t n_rows[] = {3, 2, 5, 7}, class[] = {0, 0, 0, 1};
    covey_unit_items items;
    struct table t;
    covey_error err;

    (void)state;
    make_table(&t, low, high, n_rows, 4);
    assert_int_equal(covey_i_unit_items_new(&items, &t.run, class, 2, &err), COVEY_OK);
    assert_int_equal(items.n, 3);
    assert_int_equal(items.of_unit[0], items.of_unit[2]);
    assert_int_not_equal(items.of_unit[0], items.of_unit[3]);
    assert_int_equal(covey_i_unit_item_at(&items, items.of_unit[0])->n_rows, 8);
    assert_int_equal(covey_i_unit_item_at(&items, items.of_unit[0])->most, 5);
    assert_int_equal(items.class[items.of_unit[3]], 1);
    check_ends(&items, items.of_unit[0], 1, 4);
    check_ends(&items, items.of_unit[1], 1, 5);
    covey_arena_free(&t.run.arena);
}

/* Two units for each of 10,000 pairs of codes, so that the table of items grows. */
static void many_units_find_their_like(void **state)
{
    static uint16_t low[MOST_UNITS], high[MOST_UNITS];
    static uint32_t n_rows[MOST_UNITS], class[MOST_UNITS], number[MOST_UNITS];
    covey_unit_items items;
    struct table t;
    covey_error err;

    (void)state;
    for (uint32_t u = 0; u < MOST_UNITS; u++) {
        low[u] = (uint16_t)(u % (MOST_UNITS / 2));
        high[u] = (uint16_t)(low[u] + 7);
        n_rows[u] = 1;
        class[u] = 0;
    }
    make_table(&t, low, high, n_rows, MOST_UNITS);
    assert_int_equal(covey_i_unit_items_new(&items, &t.run, class, 2, &err), COVEY_OK);
    assert_int_equal(items.n, MOST_UNITS / 2);
    for (uint32_t u = 0; u < MOST_UNITS; u++) {
        assert_int_equal(items.of_unit[u], items.of_unit[low[u]]);
        check_ends(&items, items.of_unit[u], low[u], high[u]);
    }

    /* every third item in front, from behind */
    for (uint32_t i = 0; i < items.n / 3; i++)
        number[i] = items.n - 1 - 3 * i;
    covey_i_unit_items_arrange(&items, number, items.n / 3);
    for (uint32_t i = 0; i < items.n / 3; i++)
        assert_int_equal(covey_i_unit_item_at(&items, i)->hull, items.n - 1 - 3 * i);
    covey_arena_free(&t.run.arena);
}

enum { MOST_AXES = 9, UNITS = 5 };

/* Low codes of a byte and high ones of two, on every number of axes. */
static void ends_on_all_axes_stand_in_their_items(void **state)
{
    uint8_t low[MOST_AXES][UNITS];
    uint16_t high[MOST_AXES][UNITS];
    const uint32_t n_rows[UNITS] = {1, 2, 3, 4, 5};
    covey_column column[MOST_AXES][2];
    covey_axis axis[MOST_AXES];
    covey_unit_axis ends[MOST_AXES];

    (void)state;
    for (size_t a = 0; a < MOST_AXES; a++) {
        for (size_t u = 0; u < UNITS; u++) {
            low[a][u] = (uint8_t)(31 * a + 7 * u);
            high[a][u] = (uint16_t)(low[a][u] + 100 * u);
        }
        column[a][0] = (covey_column){.codes = low[a], .width = 1};
        column[a][1] = (covey_column){.codes = high[a], .width = 2};
        axis[a] = (covey_axis){.kind = COVEY_AXIS_FLAT, .n_values = 1000, .loss_den = 1};
        ends[a] = (covey_unit_axis){&column[a][0], &column[a][1]};
    }
    for (size_t d = 1; d <= MOST_AXES; d++) {
        covey_problem problem = {.axis = axis, .n_axes = d};
        covey_units_run run = {.problem = &problem,
                               .arena = COVEY_ARENA_INIT,
                               .n_units = UNITS,
                               .sizes_suffice = true,
                               .n_rows = n_rows,
                               .axis = ends};
        covey_unit_items items;
        covey_error err;

        assert_int_equal(covey_i_unit_items_open(&items, &run, &err), COVEY_OK);
        items.item = covey_arena_alloc(&run.arena, UNITS + 1, items.size);
        assert_non_null(items.item);
        covey_i_unit_items_enter(&items, 0, 1, UNITS - 1);
        for (uint32_t u = 1; u < UNITS; u++) {
            const covey_unit_item *item = covey_i_unit_item_at(&items, u - 1);

            assert_int_equal(item->n_rows, n_rows[u]);
            for (size_t a = 0; a < d; a++) {
                assert_int_equal(item->end[a] - COVEY_FIRST_END, low[a][u]);
                assert_int_equal(COVEY_LAST_END - item->end[d + a], high[a][u]);
            }
        }
        covey_arena_free(&run.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_on_all_axes_stand_in_their_items),
        cmocka_unit_test(units_of_a_class_that_reach_the_same_codes_are_one_item),
        cmocka_unit_test(many_units_find_their_like),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
