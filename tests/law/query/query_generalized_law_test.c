/* Queries over generalized releases, judged by brute force: every row takes every combination of values that its cells
 * allow, and every subset of the possibly selected rows is selected once.  Bounds must be attained, and shares be those
 * of the combinations. */
#include "test.h"

#include <covey/query.h>

#include <math.h>
#include <string.h>

#include "support/query/random_condition.h"
#include "support/release/random_release.h"

enum { N_ATTRIBUTES = 5, MOST_ROWS = 10, MOST_CELL = 12, AGE = 0, EDU, CITY, NOTE, PAY };

static const char *const schools[] = {"BA", "MA", "PhD", "HS", "ES"};
static const char *const groups[] = {"college", "school", "*"};
static const int groups_low[] = {0, 3, 0}, groups_high[] = {2, 4, 4};
/* The first three, and two, are published; the others stand before, between and behind them: suppressed rows may have
 * any. */
static const char *const cities[] = {"Aa", "Bo", "Ca", "A", "Ab", "Bp", "D"};
static const char *const notes[] = {"x", "y", "w", "xa", "z"};
static const char *const ranges[] = {"[3, 5]", "[1, 4)"};
static const int ranges_low[] = {3, 1}, ranges_high[] = {5, 3};

static const condition_attribute attributes[N_ATTRIBUTES] = {
    {.name = "age",
     .low = 0,
     .high = 7,
     .n_inner = 2,
     .inner = ranges,
     .inner_low = ranges_low,
     .inner_high = ranges_high},
    {.name = "\"edu-cation\"",
     .n_labels = 5,
     .label = schools,
     .n_inner = 3,
     .inner = groups,
     .inner_low = groups_low,
     .inner_high = groups_high},
    {.name = "city", .n_labels = 3, .label = cities},
    {.name = "Note", .n_labels = 2, .label = notes},
    {.name = "pay", .low = -4, .high = 4},
};

/* What a row may be. */
struct row {
    int n[N_ATTRIBUTES], value[N_ATTRIBUTES][MOST_CELL + 1];
};

struct world {
    int n_rows, n_suppressed, n_classes;
    bool has_prior, has_order;
    struct row row[MOST_ROWS]; /* suppressed ones behind the others, with what is known of their pay */
    char table[4096], prior[256];
};

static void set_range(struct row *row, int attribute, int low, int high)
{
    row->n[attribute] = 0;
    for (int v = low; v <= high; v++)
        row->value[attribute][row->n[attribute]++] = v;
}

/* Draws the cells of a class and writes them. */
static void make_class(struct row *row, char *text, size_t size, uint64_t *state)
{
    static const char *const sets[] = {
        "Aa", "Bo", "Ca", "\"{Aa, Bo}\"", "\"{Aa, Ca}\"", "\"{Bo, Ca}\"", "\"{Aa, Bo, Ca}\""};
    static const int members[] = {1, 2, 4, 3, 5, 6, 7};
    unsigned kind = random_below(state, 8), set = random_below(state, 7), low = random_below(state, 7),
             high = low + 1 + random_below(state, 7 - low);
    int node = (int)random_below(state, 8);
    char age[32];

    if (kind == 0) {
        snprintf(age, sizeof age, "null");
        set_range(row, AGE, 1, 1);
        row->value[AGE][0] = CONDITION_NULL;
    } else if (kind == 1) {
        snprintf(age, sizeof age, "*");
        set_range(row, AGE, 0, 7);
        row->value[AGE][row->n[AGE]++] = CONDITION_NULL;
    } else if (kind < 4) {
        snprintf(age, sizeof age, "%u", low);
        set_range(row, AGE, (int)low, (int)low);
    } else {
        snprintf(age, sizeof age, "\"[%u, %u]\"", low, high);
        set_range(row, AGE, (int)low, (int)high);
    }
    set_range(row, EDU, node < 5 ? node : groups_low[node - 5], node < 5 ? node : groups_high[node - 5]);
    row->n[CITY] = 0;
    for (int c = 0; c < 3; c++)
        if (members[set] >> c & 1)
            row->value[CITY][row->n[CITY]++] = c;
    snprintf(text, size, "%s,%s,%s", age, node < 5 ? schools[node] : groups[node - 5], sets[set]);
}

static void make_world(struct world *w, uint64_t *state)
{
    size_t n = (size_t)snprintf(w->table, sizeof w->table, "class,age,edu-cation,city,Note,pay\n");
    int count[9] = {0};

    w->n_rows = 1 + (int)random_below(state, 7);
    w->n_suppressed = random_below(state, 3) ? 0 : 1 + (int)random_below(state, 2);
    w->has_prior = random_below(state, 3) > 0;
    w->has_order = random_below(state, 2);
    w->n_classes = 0;
    for (int i = 0; i < w->n_rows; i++) {
        char cells[128];
        int last = i;

        if (i == 0 || random_below(state, 2) == 0) {
            w->n_classes++;
            make_class(&w->row[i], cells, sizeof cells, state);
        } else {
            w->row[i] = w->row[last - 1];
        }
        set_range(&w->row[i], NOTE, (int)random_below(state, 2), 0);
        w->row[i].n[NOTE] = 1;
        w->row[i].value[NOTE][0] = (int)random_below(state, 3) - 1;
        if (w->row[i].value[NOTE][0] < 0)
            w->row[i].value[NOTE][0] = CONDITION_NULL;
        w->row[i].n[PAY] = 1;
        w->row[i].value[PAY][0] = (int)random_below(state, 9) - 4;
        count[w->row[i].value[PAY][0] + 4]++;
        n += (size_t)snprintf(w->table + n, sizeof w->table - n, "%d,%s,%s,%d\n", w->n_classes, cells,
                              w->row[i].value[NOTE][0] == CONDITION_NULL ? "" : notes[w->row[i].value[NOTE][0]],
                              w->row[i].value[PAY][0]);
    }
    for (int i = w->n_rows; i < w->n_rows + w->n_suppressed; i++) {
        struct row *row = &w->row[i];

        set_range(row, AGE, -2, 9); /* also what lies outside the domain, further than any constant */
        set_range(row, EDU, 0, 4);
        set_range(row, CITY, 0, 6);
        set_range(row, NOTE, 0, 4);
        for (int a = AGE; a <= NOTE; a++) /* has_missing is about the published rows */
            row->value[a][row->n[a]++] = CONDITION_NULL;
        row->n[PAY] = 1;
        row->value[PAY][0] = (int)random_below(state, 9) - 4;
        count[row->value[PAY][0] + 4]++;
    }
    n = (size_t)snprintf(w->prior, sizeof w->prior, "{'pay': {");
    for (int v = 0; v < 9; v++)
        if (count[v])
            n += (size_t)snprintf(w->prior + n, sizeof w->prior - n, "%s'%d': %d", w->prior[n - 1] == '{' ? "" : ", ",
                                  v - 4, count[v]);
    snprintf(w->prior + n, sizeof w->prior - n, "}}");
}

static void write_world(release_folder *r, const struct world *w)
{
    char number[16];

    release_begin(r);
    release_put(r, "table.csv", w->table);
    release_put(r, "hierarchies/edu.csv", "BA;college;*\nMA;college;*\nPhD;college;*\nHS;school;*\nES;school;*\n");
    release_state(
        r, "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'generalized',"
           " 'method': {'name': 'mondrian', 'parameters': {'publish-boxes': 'cut'}},"
           " 'rows': 8, 'published_rows': 8, 'suppressed_rows': 0, 'dropped_rows': 0, 'classes': 3, 'missing': [''],"
           " 'promises': [], 'columns': ["
           "  {'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'range', 'weight': '1/3', "
           "'domain': [0, 7]},"
           "  {'name': 'edu-cation', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'label', 'weight': '1/3',"
           "   'hierarchy': 'hierarchies/edu.csv', 'hierarchy_complete': true, 'has_missing': false},"
           "  {'name': 'city', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'set', 'weight': '1/3', "
           "'has_missing': false},"
           "  {'name': 'Note', 'role': 'insensitive', 'type': 'text', 'publish': 'value'},"
           "  {'name': 'pay', 'role': 'sensitive', 'type': 'integer', 'publish': 'value', 'has_missing': false}],"
           " 'objective': null,"
           " 'utility': {'ail': 0.5, 'ncp': 0.5, 'discernibility': 24, 'average_class_size': 1.0, 'largest_risk': 0.5, "
           "'mean_risk': 0.3}}");
    snprintf(number, sizeof number, "%d", w->n_rows + w->n_suppressed);
    release_set(r, "rows", number);
    snprintf(number, sizeof number, "%d", w->n_rows);
    release_set(r, "published_rows", number);
    snprintf(number, sizeof number, "%d", w->n_suppressed);
    release_set(r, "suppressed_rows", number);
    snprintf(number, sizeof number, "%d", w->n_classes);
    release_set(r, "classes", number);
    if (w->has_prior)
        release_set(r, "prior", w->prior);
    if (w->has_order) { /* which lists what is published */
        release_set(r, "columns.2.order", "['Aa', 'Bo', 'Ca']");
        release_set(r, "columns.3.order", "['x', 'y']");
    }
    release_write(r);
}

/* How many of a row's combinations are selected. */
static void try_row(int *n_selected, int *n_all, const struct row *row, const random_condition *condition)
{
    int at[N_ATTRIBUTES] = {0}, value[N_ATTRIBUTES], a;

    *n_selected = *n_all = 0;
    do {
        for (a = 0; a < N_ATTRIBUTES; a++)
            value[a] = row->value[a][at[a]];
        *n_selected += !condition || condition_selects(condition, value);
        ++*n_all;
        for (a = 0; a < N_ATTRIBUTES && ++at[a] == row->n[a]; a++)
            at[a] = 0;
    } while (a < N_ATTRIBUTES);
}

struct extremes {
    bool any;
    double low, high;
};

static void widen(struct extremes *e, double value)
{
    e->low = !e->any || value < e->low ? value : e->low;
    e->high = !e->any || value > e->high ? value : e->high;
    e->any = true;
}

static void assert_bounds(const char *sql, const covey_query_answer *answer, const struct extremes *e)
{
    if (answer->lower.exists != e->any || answer->upper.exists != e->any ||
        (e->any && (fabs(answer->lower.value - e->low) > 1e-12 || fabs(answer->upper.value - e->high) > 1e-12)))
        fail_msg("%s: %s in [%s, %s], not in [%g, %g] (%d)", sql, answer->aggregate, answer->lower.text,
                 answer->upper.text, e->low, e->high, e->any);
}

static void assert_near(const char *sql, const char *what, double value, double expected)
{
    if (fabs(value - expected) > 1e-9)
        fail_msg("%s: %s is %.17g, not %.17g", sql, what, value, expected);
}

/* COUNT, SUM, AVG, MIN, MAX over all selections. */
static void find_extremes(struct extremes e[5], const struct world *w, const int *status)
{
    int maybe[MOST_ROWS], n_maybe = 0, n = w->n_rows + w->n_suppressed;

    for (int i = 0; i < n; i++)
        if (status[i] == 1)
            maybe[n_maybe++] = i;
    for (unsigned subset = 0; subset < 1u << n_maybe; subset++) {
        int count = 0, sum = 0, min = INT_MAX, max = INT_MIN;

        for (int i = 0; i < n; i++) {
            bool selected = status[i] == 2;

            for (int j = 0; j < n_maybe; j++)
                selected |= maybe[j] == i && (subset >> j & 1);
            if (!selected)
                continue;
            count++;
            sum += w->row[i].value[PAY][0];
            min = w->row[i].value[PAY][0] < min ? w->row[i].value[PAY][0] : min;
            max = w->row[i].value[PAY][0] > max ? w->row[i].value[PAY][0] : max;
        }
        widen(&e[0], count);
        if (count > 0 || n_maybe > 0)
            widen(&e[1], sum);
        if (count > 0) {
            widen(&e[2], (double)sum / count);
            widen(&e[3], min);
            widen(&e[4], max);
        }
    }
}

static void check_estimates(const char *sql, const covey_query_answer *answer, const struct world *w, const int *status,
                            const double *p)
{
    double count = 0, spread = 0, sum = 0, spread_of_sum = 0, spread_of_average = 0;

    for (int i = 0; i < w->n_rows; i++) {
        double pay = w->row[i].value[PAY][0];

        count += p[i];
        spread += p[i] * (1 - p[i]);
        sum += p[i] * pay;
        spread_of_sum += p[i] * (1 - p[i]) * pay * pay;
    }
    for (int i = 0; i < w->n_rows && count > 0; i++)
        spread_of_average += p[i] * (1 - p[i]) * pow(w->row[i].value[PAY][0] - sum / count, 2);
    assert_near(sql, "E[COUNT]", answer[0].estimate, count);
    assert_near(sql, "error of COUNT", answer[0].standard_error, sqrt(spread));
    if (count == 0)
        return;
    assert_near(sql, "E[SUM]", answer[1].estimate, sum);
    assert_near(sql, "error of SUM", answer[1].standard_error, sqrt(spread_of_sum));
    assert_near(sql, "E[AVG]", answer[2].estimate, sum / count);
    assert_near(sql, "error of AVG", answer[2].standard_error, sqrt(spread_of_average) / count);
    assert_true(isnan(answer[3].estimate) && isnan(answer[4].estimate));
}

static covey_query_result *ask(const covey_query_release *release, const char *sql)
{
    covey_query_result *result = NULL;
    covey_error err;

    if (covey_query_run(&result, release, sql, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", sql, err.message);
    return result;
}

static bool find_status(int *status, double *p, const struct world *w, const random_condition *condition)
{
    for (int i = 0; i < w->n_rows + w->n_suppressed; i++) {
        int n_selected, n_all;

        try_row(&n_selected, &n_all, &w->row[i], condition);
        p[i] = (double)n_selected / n_all;
        status[i] = n_selected == 0 ? 0 : n_selected == n_all && i < w->n_rows ? 2 : 1;
    }
    return true;
}

static void check_numbers(const covey_query_release *release, const struct world *w, const random_condition *condition)
{
    struct extremes e[5] = {{false, 0, 0}};
    int status[MOST_ROWS];
    double p[MOST_ROWS];
    char sql[5000];
    covey_query_result *result;

    snprintf(sql, sizeof sql, "SELECT COUNT(*), SUM(pay), AVG(pay), MIN(pay), MAX(pay)%s%s", condition ? " WHERE " : "",
             condition ? condition->sql : "");
    find_status(status, p, w, condition);
    find_extremes(e, w, status);
    result = ask(release, sql);
    assert_int_equal(result->n_groups, 1);
    assert_bounds(sql, &result->group->answer[0], &e[0]);
    assert_int_equal(result->group->hits_lower, (int64_t)e[0].low);
    assert_int_equal(result->group->hits_upper, (int64_t)e[0].high);
    for (int i = 1; i < 5 && (w->has_prior || w->n_suppressed == 0); i++)
        assert_bounds(sql, &result->group->answer[i], &e[i]);
    check_estimates(sql, result->group->answer, w, status, p);
    covey_query_result_free(result);
}

/* Conditions on pay, too: COUNT only. */
static void check_count(const covey_query_release *release, const struct world *w, const random_condition *condition)
{
    struct extremes e[5] = {{false, 0, 0}};
    struct world known = *w;
    int status[MOST_ROWS];
    double p[MOST_ROWS];
    char sql[5000];
    covey_query_result *result;

    if (!w->has_prior)
        for (int i = w->n_rows; i < w->n_rows + w->n_suppressed; i++)
            set_range(&known.row[i], PAY, -4, 3); /* any of eight: of nine none is like another */
    snprintf(sql, sizeof sql, "SELECT COUNT(*) WHERE %s", condition->sql);
    find_status(status, p, &known, condition);
    find_extremes(e, &known, status);
    result = ask(release, sql);
    if (w->has_prior || w->n_suppressed == 0)
        assert_bounds(sql, &result->group->answer[0], &e[0]);
    assert_near(sql, "lower", result->group->answer[0].lower.value, e[0].low);
    covey_query_result_free(result);
}

static void test_query__generalized_bounds_are_attained_and_none_is_passed(void **state)
{
    uint64_t seed = test_seed(20260711);

    for (int round = 0; round < 250; round++) {
        covey_query_release *release = NULL;
        struct world w;
        release_folder r;
        covey_error err;

        make_world(&w, &seed);
        write_world(&r, &w);
        if (covey_query_open(&release, r.path, NULL, &err) != COVEY_OK)
            fail_msg("%s\n%s", err.message, w.table);
        check_numbers(release, &w, NULL);
        for (int i = 0; i < 12; i++) {
            random_condition condition;

            condition_make(&condition, attributes, N_ATTRIBUTES - 1, 1 + i % 4, &seed);
            check_numbers(release, &w, &condition);
            condition_make(&condition, attributes, N_ATTRIBUTES, 1 + i % 4, &seed);
            check_count(release, &w, &condition);
        }
        covey_query_close(release);
        release_end(&r);
    }
}

/* GROUP BY of all kinds: by class, by row, by both. */
static const char *const keys[][2] = {{"age", "\"edu-cation\""}, {"Note", NULL}, {"age", "Note"}, {"Note", "city"}};

static void add_key(char *sql, size_t size, const char *name, const char *value)
{
    const size_t n = strlen(sql);

    if (!value)
        snprintf(sql + n, size - n, "%s IS NULL AND ", name);
    else
        snprintf(sql + n, size - n, strcmp(name, "age") == 0 ? "%s = %s AND " : "%s = '%s' AND ", name, value);
}

/* Each group is the same query with the key as a condition. */
static void test_query__groups_are_queries_of_their_own(void **state)
{
    uint64_t seed = test_seed(7);

    for (int round = 0; round < 160; round++) {
        covey_query_release *release = NULL;
        struct world w;
        release_folder r;
        covey_error err;
        random_condition condition;
        covey_query_result *grouped;
        const char *const *by;
        char sql[6000];
        int64_t n_sure = 0;

        make_world(&w, &seed);
        write_world(&r, &w);
        assert_int_equal(covey_query_open(&release, r.path, NULL, &err), COVEY_OK);
        condition_make(&condition, attributes, N_ATTRIBUTES - 1, 2, &seed);
        by = keys[random_below(&seed, 4)];
        snprintf(sql, sizeof sql, "SELECT %s, COUNT(*), SUM(pay), AVG(pay) WHERE %s GROUP BY %s%s%s", by[0],
                 condition.sql, by[0], by[1] ? ", " : "", by[1] ? by[1] : "");
        grouped = ask(release, sql);
        assert_true(grouped->is_grouped);
        for (size_t g = 0; g < grouped->n_groups; g++) {
            const covey_query_group *group = &grouped->group[g];
            covey_query_result *alone;

            snprintf(sql, sizeof sql, "SELECT COUNT(*), SUM(pay), AVG(pay) WHERE ");
            for (size_t k = 0; k < 2 && by[k]; k++)
                add_key(sql, sizeof sql, by[k], group->key[k]);
            n_sure += group->hits_lower;
            snprintf(sql + strlen(sql), sizeof sql - strlen(sql), "(%s)", condition.sql);
            alone = ask(release, sql);
            assert_int_equal(alone->group->hits_lower, group->hits_lower);
            assert_int_equal(alone->group->hits_upper, group->hits_upper);
            for (int i = 0; i < 3; i++) {
                assert_string_equal(alone->group->answer[i].lower.text, group->answer[i].lower.text);
                assert_string_equal(alone->group->answer[i].upper.text, group->answer[i].upper.text);
                if (!isnan(group->answer[i].estimate))
                    assert_near(sql, "estimate", alone->group->answer[i].estimate, group->answer[i].estimate);
            }
            covey_query_result_free(alone);
        }
        if (!by[1]) { /* no row is in two groups of an exact column, or in none */
            covey_query_result *all;

            snprintf(sql, sizeof sql, "SELECT COUNT(*) WHERE %s", condition.sql);
            all = ask(release, sql);
            assert_int_equal(n_sure, all->group->hits_lower);
            covey_query_result_free(all);
        }
        covey_query_result_free(grouped);
        covey_query_close(release);
        release_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query__generalized_bounds_are_attained_and_none_is_passed),
        cmocka_unit_test(test_query__groups_are_queries_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
