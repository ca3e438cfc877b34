/* Sliced releases with two sensitive attributes: whatever quasi-identifiers a person has, no value of either follows
 * with a probability above 1/l, whatever the value of the other may be; and nothing is refused that could be kept. */
#include "test.h"

#include <string.h>

#include "release/sliced/sliced.h"
#include "support/release/sliced_check.h"
#include "support/release/sliced_table.h"

enum { ROUNDS = 1200, N_DIMS = 2, S = 2, T = 3, N_FIELDS = 4 };

static const char *const l_text[] = {"1", "1.25", "1.5", "2", "5/2"};
static const double l_value[] = {1, 1.25, 1.5, 2, 2.5};

/* a, b, and the sensitive s and t. */
static void make(problem_maker *m, const sliced_table *t, const size_t *l, const uint32_t *order)
{
    static const char *const name[] = {"s", "t"};
    covey_error err;

    maker_init(m, t->n);
    m->order = order;
    maker_add_range(m, "a", t->code[0], SLICED_MOST_VALUES, false, NULL);
    maker_add_flat(m, "b", t->code[1], SLICED_MOST_VALUES, false);
    for (size_t i = 0; i < 2; i++) {
        char params[32];

        snprintf(params, sizeof params, "l=%s", l_text[l[i]]);
        maker_promise(m, "sliced-l-diversity", params,
                      maker_add_sensitive(m, name[i], t->code[N_DIMS + i], SLICED_MOST_VALUES));
    }
    assert_int_equal(maker_finish(m, &err), COVEY_OK);
}

/* Few values, so that much is feasible and much is not. */
static void draw(sliced_table *t, uint32_t *order, uint64_t *seed)
{
    *t = (sliced_table){.n = 2 + maker_below(seed, SLICED_MOST_ROWS - 1), .n_dims = N_DIMS};
    for (uint32_t d = 0; d < N_FIELDS; d++) {
        const uint32_t n_values = 1 + maker_below(seed, d < N_DIMS ? 3 : SLICED_MOST_VALUES);

        for (uint32_t r = 0; r < t->n; r++)
            t->code[d][r] = maker_below(seed, n_values);
    }
    for (uint32_t r = 0; r < t->n; r++)
        order[r] = t->n - 1 - r;
}

static void check_posteriors(const covey_release *release, const covey_problem *problem, size_t sensitive, double l)
{
    const size_t other = S + T - sensitive;
    uint32_t tuple[N_FIELDS];

    for (uint32_t q = 0; q < SLICED_MOST_VALUES * SLICED_MOST_VALUES; q++) {
        long double sum = 0, most = 0;

        tuple[0] = q % SLICED_MOST_VALUES;
        tuple[1] = q / SLICED_MOST_VALUES;
        for (tuple[sensitive] = 0; tuple[sensitive] < SLICED_MOST_VALUES; tuple[sensitive]++) {
            long double e = 0;

            for (tuple[other] = 0; tuple[other] < SLICED_MOST_VALUES; tuple[other]++)
                for (uint32_t b = 0; b < release->n_classes; b++)
                    e += sliced_expected(release, problem, b, tuple);
            sum += e;
            most = e > most ? e : most;
        }
        assert_true(sum == 0 || most / sum <= 1 / l + 1e-12);
    }
}

/* The same for who knows the other sensitive value, too, where it stands in another column. */
static void check_knowing_the_other(const covey_release *release, const covey_problem *problem, size_t sensitive,
                                    double l)
{
    const size_t other = S + T - sensitive;
    uint32_t tuple[N_FIELDS];

    for (uint32_t q = 0; q < SLICED_MOST_VALUES * SLICED_MOST_VALUES * SLICED_MOST_VALUES; q++) {
        long double sum = 0, most = 0;

        tuple[0] = q % SLICED_MOST_VALUES;
        tuple[1] = q / SLICED_MOST_VALUES % SLICED_MOST_VALUES;
        tuple[other] = q / SLICED_MOST_VALUES / SLICED_MOST_VALUES;
        for (tuple[sensitive] = 0; tuple[sensitive] < SLICED_MOST_VALUES; tuple[sensitive]++) {
            long double e = 0;

            for (uint32_t b = 0; b < release->n_classes; b++)
                e += sliced_expected(release, problem, b, tuple);
            sum += e;
            most = e > most ? e : most;
        }
        assert_true(sum == 0 || most / sum <= 1 / l + 1e-12);
    }
}

/* Of all rows that agree on what stands beside it: has a value a share above 1/l?  beside: names, as in "ab". */
static bool whole_table_fails(const sliced_table *t, size_t sensitive, const char *beside, double l)
{
    for (uint32_t r = 0; r < t->n; r++) {
        uint32_t n = 0, n_same = 0;

        for (uint32_t x = 0; x < t->n; x++) {
            bool agrees = true;

            for (const char *c = beside; *c; c++)
                agrees = agrees && t->code[*c - 'a'][x] == t->code[*c - 'a'][r];
            n += agrees;
            n_same += agrees && t->code[sensitive][x] == t->code[sensitive][r];
        }
        if (n_same > n / l + 1e-12)
            return true;
    }
    return false;
}

static const struct {
    const char *columns, *beside_s, *beside_t;
    bool are_apart; /* s and t */
} schemas[] = {
    {NULL, "", "", true},
    {"[[a, b], [s], [t]]", "", "", true},
    {"[[a, s], [b, t]]", "a", "b", true},
    {"[[a, b], [s, t]]", "", "", false},
    {"[[t, a, s], [b]]", "a", "a", false},
    {"[[a, b], [s, b], [t]]", "b", "", true},
    {"[[a, b, s], [a, t]]", "ab", "a", true},
};
enum { N_SCHEMAS = sizeof schemas / sizeof *schemas };

static void no_value_of_either_follows_with_more_than_one_in_l(void **state)
{
    static const char *const ways[] = {"anatomize=true", "cut=relaxed,anatomize=true", "first-dimension-only=true", "",
                                       "buckets=random,bucket-size=6"};
    static char one[1 << 16], two[1 << 16];
    unsigned n_made = 0, n_refused = 0, n_cut = 0;
    uint64_t seed = test_seed(41);

    for (int round = 0; round < ROUNDS; round++) {
        const int which = round % N_SCHEMAS;
        const char *way = ways[round / N_SCHEMAS % 5], *columns = schemas[which].columns;
        const size_t l[] = {maker_below(&seed, 5), maker_below(&seed, 5)};
        covey_release *release, *again;
        problem_maker m, shuffled;
        uint32_t order[SLICED_MOST_ROWS];
        covey_status status;
        sliced_table t;
        bool fails;

        draw(&t, order, &seed);
        make(&m, &t, l, NULL);
        make(&shuffled, &t, l, order);
        fails = whole_table_fails(&t, S, schemas[which].beside_s, l_value[l[0]]) ||
                whole_table_fails(&t, T, schemas[which].beside_t, l_value[l[1]]);
        status = sliced_solve(&release, &m, way, columns, 1, 7);
        assert_int_equal(sliced_solve(&again, &shuffled, way, columns, 2, 7), status);
        if (status == COVEY_OK) {
            assert_false(fails);
            n_made++;
            n_cut += release->n_classes > 1;
            sliced_check_structure(release, &m.problem);
            check_posteriors(release, &m.problem, S, l_value[l[0]]);
            check_posteriors(release, &m.problem, T, l_value[l[1]]);
            if (schemas[which].are_apart) {
                check_knowing_the_other(release, &m.problem, S, l_value[l[0]]);
                check_knowing_the_other(release, &m.problem, T, l_value[l[1]]);
            }
            sliced_print(one, sizeof one, release, &m.problem);
            sliced_print(two, sizeof two, again, &shuffled.problem);
            assert_string_equal(one, two); /* neither order of rows nor threads show */
        } else {
            assert_int_equal(status, COVEY_EINFEASIBLE);
            assert_true(fails || strstr(way, "random")); /* one bucket of all rows would hold */
            n_refused++;
        }
        covey_release_free(release);
        covey_release_free(again);
        maker_clear(&m);
        maker_clear(&shuffled);
    }
    if (!test_is_enough(n_made >= 200 && n_refused >= 200 && n_cut >= 60))
        fail_msg("%u made, %u of them cut, %u refused", n_made, n_cut, n_refused);
}

/* Rows go for either promise, as many as the policy allows; what stays holds for both. */
static void rows_are_suppressed_for_either(void **state)
{
    unsigned n_made = 0, n_fewer = 0;
    uint64_t seed = test_seed(43);

    for (int round = 0; round < ROUNDS; round++) {
        const size_t l[] = {1 + maker_below(&seed, 3), 1 + maker_below(&seed, 3)};
        uint32_t order[SLICED_MOST_ROWS];
        covey_release *release;
        problem_maker m;
        sliced_table t;

        draw(&t, order, &seed);
        make(&m, &t, l, NULL);
        m.problem.max_suppressed = maker_below(&seed, t.n);
        if (sliced_solve(&release, &m, "", "[[a, s], [b, t]]", 1, 7) == COVEY_OK) {
            n_made++;
            n_fewer += release->n_published < t.n;
            assert_true(release->n_published > 0 && t.n - release->n_published <= m.problem.max_suppressed);
            check_posteriors(release, &m.problem, S, l_value[l[0]]);
            check_posteriors(release, &m.problem, T, l_value[l[1]]);
        }
        covey_release_free(release);
        maker_clear(&m);
    }
    assert_true(test_is_enough(n_made >= 200 && n_fewer >= 60));
}

/* --- found columns that overlap --- */

enum { THREE = 3 };

/* a, b, c, and the sensitive s and t. */
static void make_three(problem_maker *m, const sliced_table *t, const size_t *l)
{
    static const char *const name[] = {"a", "b", "c", "s", "t"};
    covey_error err;

    maker_init(m, t->n);
    for (size_t f = 0; f < THREE; f++)
        maker_add_range(m, name[f], t->code[f], SLICED_MOST_VALUES, false, NULL);
    for (size_t i = 0; i < 2; i++) {
        char params[32];

        snprintf(params, sizeof params, "l=%s", l_text[l[i]]);
        maker_promise(m, "sliced-l-diversity", params,
                      maker_add_sensitive(m, name[THREE + i], t->code[THREE + i], SLICED_MOST_VALUES));
    }
    assert_int_equal(maker_finish(m, &err), COVEY_OK);
}

/* What follows of field THREE + i from a, b and c, whatever the other sensitive value is. */
static void check_three(const covey_release *release, const covey_problem *problem, size_t i, double l)
{
    uint32_t tuple[THREE + 2];

    for (uint32_t q = 0; q < SLICED_MOST_VALUES * SLICED_MOST_VALUES * SLICED_MOST_VALUES; q++) {
        long double sum = 0, most = 0;

        for (uint32_t d = 0, rest = q; d < THREE; d++, rest /= SLICED_MOST_VALUES)
            tuple[d] = rest % SLICED_MOST_VALUES;
        for (uint32_t v = 0; v < SLICED_MOST_VALUES; v++) {
            long double e = 0;

            tuple[THREE + i] = v;
            for (tuple[THREE + 1 - i] = 0; tuple[THREE + 1 - i] < SLICED_MOST_VALUES; tuple[THREE + 1 - i]++)
                for (uint32_t b = 0; b < release->n_classes; b++)
                    e += sliced_expected(release, problem, b, tuple);
            sum += e;
            most = e > most ? e : most;
        }
        assert_true(sum == 0 || most / sum <= 1 / l + 1e-12);
    }
}

/* b says much of a, and something of c: it joins the other one's column, where the two can stand so. */
static void found_columns_overlap_beside_several_sensitive_attributes(void **state)
{
    unsigned n_made = 0, n_overlapping = 0;
    uint64_t seed = test_seed(53);

    for (int round = 0; round < ROUNDS / 4; round++) {
        const size_t l[] = {maker_below(&seed, 4), maker_below(&seed, 4)};
        sliced_table t = {.n = 8 + maker_below(&seed, SLICED_MOST_ROWS - 7), .n_dims = THREE};
        static const char params[] = "overlap=0.05,number-of-columns=4,anatomize=true";
        const covey_sliced *data;
        covey_release *release;
        problem_maker m;

        for (uint32_t r = 0; r < t.n; r++) {
            t.code[1][r] = maker_below(&seed, 3);
            t.code[0][r] = maker_below(&seed, 3) ? t.code[1][r] : maker_below(&seed, 3);
            t.code[2][r] = maker_below(&seed, 2) ? t.code[1][r] : maker_below(&seed, 3);
            t.code[THREE][r] = maker_below(&seed, SLICED_MOST_VALUES);
            t.code[THREE + 1][r] = maker_below(&seed, SLICED_MOST_VALUES);
        }
        make_three(&m, &t, l);
        if (sliced_solve(&release, &m, params, NULL, 1, 7) == COVEY_OK) {
            size_t n_held = 0;

            data = release->form_data;
            assert_int_equal(data->n_slices, 4);
            for (size_t s = 0; s < data->n_slices; s++)
                n_held += data->slice[s].n_fields;
            assert_true(n_held >= 5);
            assert_int_equal(data->slice[2].n_fields, 1);
            assert_int_equal(data->slice[3].n_fields, 1);
            n_overlapping += n_held > 5;
            n_made++;
            check_three(release, &m.problem, 0, l_value[l[0]]);
            check_three(release, &m.problem, 1, l_value[l[1]]);
        }
        covey_release_free(release);
        maker_clear(&m);
    }
    print_message("%u made, %u of them overlap\n", n_made, n_overlapping);
    assert_true(test_is_enough(n_made >= 50 && n_overlapping >= 20));
}

/* --- groups inside buckets --- */

enum { FEW = 10 };

/* Do the rows of the set hold both promises? */
static bool subset_holds(const sliced_table *t, uint32_t set, const size_t *l)
{
    const double size = __builtin_popcount(set);

    for (uint32_t r = 0; r < t->n; r++) {
        uint32_t like[2] = {0};

        if (!(set >> r & 1))
            continue;
        for (uint32_t x = 0; x < t->n; x++)
            for (int i = 0; i < 2; i++)
                like[i] += (set >> x & 1) && t->code[N_DIMS + i][x] == t->code[N_DIMS + i][r];
        for (int i = 0; i < 2; i++)
            if (like[i] > size / l_value[l[i]] + 1e-12)
                return false;
    }
    return true;
}

/* The most groups that all hold, of all ways to part the rows; 0: there is none. */
static uint32_t most_groups(const sliced_table *t, const size_t *l)
{
    static uint32_t most[1 << FEW];
    static bool is_group[1 << FEW];

    for (uint32_t set = 1; set < 1u << t->n; set++)
        is_group[set] = subset_holds(t, set, l);
    most[0] = 0;
    for (uint32_t set = 1; set < 1u << t->n; set++) {
        most[set] = 0;
        for (uint32_t part = set; part; part = (part - 1) & set)
            if (is_group[part] && (part == set || most[set ^ part] > 0) && most[set ^ part] + 1 > most[set])
                most[set] = most[set ^ part] + 1;
    }
    return most[(1u << t->n) - 1];
}

/* One bucket of all rows: whether it can be published is known exactly, and into how many groups it could be parted. */
static void buckets_are_parted_into_nearly_as_many_groups_as_there_can_be(void **state)
{
    uint64_t seed = test_seed(47);
    unsigned n_groups = 0, n_possible = 0;

    for (int round = 0; round < ROUNDS; round++) {
        const size_t l[] = {1 + maker_below(&seed, 4), maker_below(&seed, 5)}; /* l = 1 asks for no group */
        uint32_t order[SLICED_MOST_ROWS], possible;
        covey_release *release, *whole;
        problem_maker m;
        sliced_table t;

        draw(&t, order, &seed);
        t.n = t.n > FEW ? FEW : t.n;
        for (uint32_t r = 0; r < t.n; r++)
            t.code[0][r] = t.code[1][r] = 0;
        make(&m, &t, l, NULL);
        possible = most_groups(&t, l);
        assert_int_equal(sliced_solve(&release, &m, "anatomize=true", NULL, 1, 7),
                         possible > 0 ? COVEY_OK : COVEY_EINFEASIBLE);
        assert_int_equal(sliced_solve(&whole, &m, "", NULL, 1, 7), possible > 0 ? COVEY_OK : COVEY_EINFEASIBLE);
        if (possible > 0) {
            assert_int_equal(whole->n_classes, 1);
            assert_true(release->n_classes <= possible);
            n_groups += release->n_classes;
            n_possible += possible;
        }
        covey_release_free(release);
        covey_release_free(whole);
        maker_clear(&m);
    }
    print_message("%u groups of at most %u\n", n_groups, n_possible);
    if (!test_is_enough(n_possible >= 1000 && n_groups * 10 >= n_possible * 9))
        fail_msg("%u groups, where %u are possible", n_groups, n_possible);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_value_of_either_follows_with_more_than_one_in_l),
        cmocka_unit_test(rows_are_suppressed_for_either),
        cmocka_unit_test(found_columns_overlap_beside_several_sensitive_attributes),
        cmocka_unit_test(buckets_are_parted_into_nearly_as_many_groups_as_there_can_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
