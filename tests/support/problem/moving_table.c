#include "support/problem/moving_table.h"

#include "test.h"

#include <string.h>

#include "release/made_up.h"
#include "table/table_impl.h"

void moving_begin(moving_table *t, uint64_t seed, int n_axes, uint32_t n_values)
{
    memset(t, 0, sizeof *t);
    t->n_axes = n_axes;
    t->random = seed;
    t->n_values = n_values;
}

static uint32_t below(moving_table *t, uint32_t n)
{
    return maker_below(&t->random, n);
}

/* Some values are more frequent than others. */
static void add_person(moving_table *t)
{
    moving_person *p = &t->person[t->n_people++];

    assert_true(t->n_people <= MOVING_MOST_PEOPLE);
    for (int a = 0; a < MOVING_AXES; a++)
        p->axis[a] = below(t, MOVING_AXIS_VALUES);
    p->value = below(t, 2) ? below(t, t->n_values) : below(t, 1 + t->n_values / 2);
    p->is_here = true;
}

/* Changes whether one of those who are (not) there is. */
static void flip(moving_table *t, bool is_here)
{
    uint32_t n = 0, which;

    for (uint32_t i = 0; i < t->n_people; i++)
        n += t->person[i].is_here == is_here;
    if (n == 0)
        return;
    which = below(t, n);
    for (uint32_t i = 0; i < t->n_people; i++)
        if (t->person[i].is_here == is_here && which-- == 0) {
            t->person[i].is_here = !is_here;
            return;
        }
}

void moving_change(moving_table *t, uint32_t n_new, uint32_t n_gone, uint32_t n_back)
{
    while (n_back-- > 0)
        flip(t, false);
    while (n_gone-- > 0)
        flip(t, true);
    while (n_new-- > 0)
        add_person(t);
    t->n_rows = 0;
    for (uint32_t i = 0; i < t->n_people; i++)
        if (t->person[i].is_here)
            t->row[t->n_rows++] = i;
    for (uint32_t i = t->n_rows; i > 1; i--) {
        const uint32_t j = below(t, i), other = t->row[i - 1];

        t->row[i - 1] = t->row[j];
        t->row[j] = other;
    }
}

/* Signatures of the rows as lists of codes, in the order of their bits. */
static void add_history(problem_maker *m, const moving_table *t, const uint32_t *order)
{
    covey_history *history = covey_arena_array_zero(&m->arena, covey_history, 1);
    uint32_t *start = covey_arena_array_zero(&m->arena, uint32_t, (size_t)t->n_rows + 1),
             *value = covey_arena_array(&m->arena, uint32_t, (size_t)t->n_rows * t->n_values),
             *of_row = covey_arena_array(&m->arena, uint32_t, t->n_rows);
    uint32_t last = 0;

    for (uint32_t i = 0; i < t->n_rows; i++)
        of_row[i] = COVEY_NO_SIGNATURE;
    for (;;) {
        uint32_t next = UINT32_MAX;

        for (uint32_t i = 0; i < t->n_rows; i++)
            if (t->person[t->row[i]].signature > last && t->person[t->row[i]].signature < next)
                next = t->person[t->row[i]].signature;
        if (next == UINT32_MAX)
            break;
        start[history->n + 1] = start[history->n];
        for (uint32_t v = 0; v < t->n_values; v++)
            if (next >> v & 1)
                value[start[history->n + 1]++] = v;
        for (uint32_t i = 0; i < t->n_rows; i++)
            if (t->person[t->row[order ? order[i] : i]].signature == next)
                of_row[i] = history->n;
        history->n++;
        last = next;
    }
    history->start = start;
    history->value = value;
    history->of_row = of_row;
    m->problem.history = history;
}

void moving_problem(problem_maker *m, const moving_table *t, const uint32_t *order, const char *const (*promise)[2])
{
    static const char *const names[MOVING_AXES] = {"age", "city", "job"};
    uint32_t codes[MOVING_AXES + 1][MOVING_MOST_PEOPLE];
    int view;

    for (uint32_t i = 0; i < t->n_rows; i++) {
        for (int a = 0; a < MOVING_AXES; a++)
            codes[a][i] = t->person[t->row[i]].axis[a];
        codes[MOVING_AXES][i] = t->person[t->row[i]].value;
    }
    maker_init(m, t->n_rows);
    m->order = order;
    maker_add_range(m, names[0], codes[0], MOVING_AXIS_VALUES, false, NULL);
    if (t->n_axes > 1) {
        maker_add_tree(m, names[1], codes[1], MOVING_AXIS_VALUES, false, 3);
        maker_add_flat(m, names[2], codes[2], MOVING_AXIS_VALUES, false);
    }
    view = maker_add_sensitive(m, "illness", codes[MOVING_AXES], t->n_values);
    for (; (*promise)[0]; promise++)
        maker_promise(m, (*promise)[0], (*promise)[1], strcmp((*promise)[0], "k-anonymity") == 0 ? -1 : view);
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
    add_history(m, t, order);
}

static const covey_column *sensitive_of(const covey_problem *problem)
{
    return problem->promises.view[0].column;
}

uint32_t moving_values_of(const covey_release *release, const covey_problem *problem, uint32_t class_index)
{
    uint32_t bits = 0;

    for (uint32_t i = release->class_start[class_index]; i < release->class_start[class_index + 1]; i++) {
        const uint32_t bit = 1u << covey_i_code(sensitive_of(problem), release->row_order[i]);

        if (bits & bit)
            fail_msg("class %u has a value twice", class_index);
        bits |= bit;
    }
    return bits;
}

void moving_publish(moving_table *t, const covey_release *release, const covey_problem *problem)
{
    bool seen[MOVING_MOST_PEOPLE] = {false};
    uint32_t n = 0;

    for (uint32_t c = 0; c < release->n_classes; c++) {
        const uint32_t values = moving_values_of(release, problem, c);

        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++) {
            const uint32_t row = release->row_order[i];
            moving_person *p;

            if (row >= t->n_rows)
                continue; /* made up */
            p = &t->person[t->row[row]];
            if (seen[row] || (p->signature && p->signature != values))
                fail_msg("somebody is in two classes, or in one of another signature");
            assert_int_equal(covey_i_code(sensitive_of(problem), row), p->value);
            seen[row] = true;
            p->signature = values;
            n++;
        }
    }
    assert_true(n + problem->max_suppressed >= t->n_rows);
    assert_int_equal(n + covey_i_release_n_made_up(release), release->n_published);
}
