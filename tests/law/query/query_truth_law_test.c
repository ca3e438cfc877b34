/* The truth lies within the bounds: queries over releases that the main job made, against their originals, which are
 * read and counted by other means.  With conditions that every row satisfies, or none, nothing is left open. */
#include "test.h"

#include <covey/query.h>

#include <math.h>
#include <string.h>

#include "support/query/plain_csv.h"
#include "support/query/random_condition.h"
#include "support/release/random_release.h"

enum { N_ATTRIBUTES = 5, AGE = 0, ZIP, CITY, BORN, ILLNESS, MOST_LABELS = 256 };

static const char *const names[N_ATTRIBUTES] = {"age", "zip", "city", "born", "illness"};

static const random_wish wishes[] = {
    {.model = "distinct-l-diversity:l=2,attribute=illness"},
    {.model = "t-closeness:t=0.9,attribute=pay", .suppression = "0.3", .two = true},
    {.model = "k-anonymity:k=7", .suppression = "0.5", .two = true, .hierarchy = "born={date: [month, year]}"},
    {.model = "basic-beta-likeness:beta=4,attribute=illness", .hierarchy = "zip={mask: 3}", .has_tree = true},
    {.model = "k-anonymity:k=3", .two = true, .hierarchy = "born={date: [quarter, decade]}"},
    {.model = "distinct-l-diversity:l=2", .method = "anatomy", .is_alone = true, .is_bare = true},
    {.model = "ke-anonymity:k=2,e=20",
     .method = "ke-permutation",
     .is_alone = true,
     .is_bare = true,
     .sensitive = "pay"},
    {.model = "basic-beta-likeness:beta=2,attribute=illness",
     .method = "perturbation",
     .is_alone = true,
     .is_bare = true},
    {.model = "sliced-l-diversity:l=2,attribute=illness",
     .method = "slicing",
     .is_alone = true,
     .is_bare = true,
     .suppression = "0.5"},
};

struct original {
    plain_table table;
    size_t column[N_ATTRIBUTES], pay;
    condition_attribute attribute[N_ATTRIBUTES];
    const char *label[N_ATTRIBUTES][MOST_LABELS];
    int *value; /* [n_rows * N_ATTRIBUTES] */
};

static int value_of(struct original *o, int a, const char *cell)
{
    condition_attribute *attribute = &o->attribute[a];

    if (!*cell)
        return CONDITION_NULL;
    if (a == AGE)
        return (int)strtol(cell, NULL, 10);
    for (size_t i = 0; i < attribute->n_labels; i++)
        if (strcmp(o->label[a][i], cell) == 0)
            return (int)i;
    assert_true(attribute->n_labels < MOST_LABELS);
    o->label[a][attribute->n_labels++] = cell;
    return (int)attribute->n_labels - 1;
}

static void read_original(struct original *o, const release_folder *r, covey_arena *arena)
{
    memset(o, 0, sizeof *o);
    plain_read(&o->table, r->original, arena);
    assert_non_null(o->value = covey_arena_array(arena, int, o->table.n_rows *N_ATTRIBUTES));
    o->pay = plain_find(&o->table, "pay");
    for (int a = 0; a < N_ATTRIBUTES; a++) {
        o->column[a] = plain_find(&o->table, names[a]);
        o->attribute[a] = (condition_attribute){.name = names[a], .low = 17, .high = 76, .label = o->label[a]};
        for (size_t row = 0; row < o->table.n_rows; row++)
            o->value[row * N_ATTRIBUTES + (size_t)a] = value_of(o, a, plain_cell(&o->table, row, o->column[a]));
    }
}

static covey_query_result *ask(const covey_query_release *release, const char *sql)
{
    covey_query_result *result = NULL;
    covey_error err;

    if (covey_query_run(&result, release, sql, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", sql, err.message);
    return result;
}

static void assert_within(const char *sql, const covey_query_answer *answer, double truth)
{
    const double slack = 1e-9 * fmax(1, fabs(truth));

    if ((answer->lower.exists && answer->lower.value > truth + slack) ||
        (answer->upper.exists && answer->upper.value < truth - slack))
        fail_msg("%s: %s is %.17g, not in [%s, %s]", sql, answer->aggregate, truth, answer->lower.text,
                 answer->upper.text);
    if (answer->lower.exists && answer->upper.exists && !isnan(answer->estimate) && !answer->interval.exists &&
        (answer->estimate < answer->lower.value - 1e-6 || answer->estimate > answer->upper.value + 1e-6))
        fail_msg("%s: the estimate %.17g of %s is not in [%s, %s]", sql, answer->estimate, answer->aggregate,
                 answer->lower.text, answer->upper.text);
}

/* COUNT, and with pay where the condition does not speak of what is sensitive. */
static void check(const covey_query_release *release, const struct original *o, size_t n_attributes, bool has_pay,
                  uint64_t *state)
{
    random_condition condition;
    char sql[5000];
    covey_query_result *result;
    double n = 0, sum = 0, min = INFINITY, max = -INFINITY;

    condition_make(&condition, o->attribute, n_attributes, 1 + (int)random_below(state, 3), state);
    for (size_t row = 0; row < o->table.n_rows; row++) {
        double pay = strtod(plain_cell(&o->table, row, o->pay), NULL);

        if (!condition_selects(&condition, &o->value[row * N_ATTRIBUTES]))
            continue;
        n++;
        sum += pay;
        min = fmin(min, pay);
        max = fmax(max, pay);
    }
    snprintf(sql, sizeof sql, "SELECT COUNT(*)%s WHERE %s", !has_pay ? "" : ", SUM(pay), AVG(pay), MIN(pay), MAX(pay)",
             condition.sql);
    result = ask(release, sql);
    assert_within(sql, &result->group->answer[0], n);
    if (n > 0 && has_pay) {
        const double truth[] = {sum, sum / n, min, max};

        for (int i = 0; i < 4; i++)
            assert_within(sql, &result->group->answer[i + 1], truth[i]);
    }
    covey_query_result_free(result);
}

/* What holds for every row is sure for all that are published, whatever is published of them. */
static void check_certainties(const covey_query_release *release, int64_t n_published, int64_t n_rows)
{
    static const char *const all[] = {
        "born < '1970-06-01' OR NOT born < '1970-06-01' OR born IS NULL", "age < 40 OR age = 40 OR age > 40",
        "city = 'Ulm' OR city <> 'Ulm' OR city IS NULL", "zip IN ('a01', 'zz') OR NOT zip IN ('a01', 'zz')"};
    static const char *const none[] = {"born < '1970-06-01' AND NOT born < '1970-06-01'", "age < 40 AND age > 40",
                                       "city = 'Ulm' AND city = 'Bonn'"};
    char sql[200];

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        covey_query_result *result;

        snprintf(sql, sizeof sql, "SELECT COUNT(*) WHERE %s", all[i]);
        result = ask(release, sql);
        if (result->group->hits_lower != n_published || result->group->hits_upper != n_rows)
            fail_msg("%s: %lld to %lld", sql, (long long)result->group->hits_lower,
                     (long long)result->group->hits_upper);
        covey_query_result_free(result);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        covey_query_result *result;

        snprintf(sql, sizeof sql, "SELECT COUNT(*) WHERE %s", none[i]);
        result = ask(release, sql);
        assert_int_equal(result->group->hits_upper, 0);
        covey_query_result_free(result);
    }
}

static void test_query__the_truth_lies_within_the_bounds(void **state)
{
    uint64_t seed = test_seed(3);
    int n_made = 0;

    for (int round = 0; round < 72; round++) {
        const random_wish *wish = &wishes[(size_t)round % (sizeof wishes / sizeof *wishes)];
        bool is_number = wish->two || wish->sensitive; /* an insensitive column is published as text */
        covey_arena arena = COVEY_ARENA_INIT;
        covey_query_release *release = NULL;
        struct original original;
        release_folder r;
        covey_error err;

        if (random_release(&r, &seed, wish)) {
            if (covey_query_open(&release, r.path, NULL, &err) != COVEY_OK)
                fail_msg("%s", err.message);
            read_original(&original, &r, &arena);
            check_certainties(release, json_integer_value(release_at(&r, "published_rows")),
                              json_integer_value(release_at(&r, "rows")));
            for (int i = 0; i < 60; i++)
                check(release, &original, i % 2 && !wish->sensitive ? N_ATTRIBUTES : ILLNESS, i % 2 == 0 && is_number,
                      &seed);
            covey_query_close(release);
            covey_arena_free(&arena);
            n_made++;
        }
        release_end(&r);
    }
    assert_true(test_is_enough(n_made > 30));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query__the_truth_lies_within_the_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
