/* Queries over sliced releases, judged by brute force: all ways to put the pieces of each bucket together, and all
 * values that generalized cells stand for. */
#include "test.h"

#include <covey/query.h>

#include <math.h>
#include <string.h>

#include "support/query/random_condition.h"
#include "support/release/random_release.h"
#include "support/release/sliced_world.h"

enum {
    N_ATTRIBUTES = SLICED_ATTRIBUTES,
    AGE = 0,
    CITY,
    NOTE,
    PAY,
    PRODUCT, /* of pay and note, where that is a weight */
    MOST_BUCKETS = 2,
    MOST_ROWS = 4,
    MOST_WORLDS = 576 * 16
};

static const char *const cities[] = {"Aa", "Bo", "Ca"};
static const char *const notes[] = {"x", "y"};
static const condition_attribute attributes[N_ATTRIBUTES] = {
    {.name = "age", .low = 0, .high = 3},
    {.name = "city", .n_labels = 3, .label = cities},
    {.name = "note", .n_labels = 2, .label = notes},
    {.name = "pay", .low = -3, .high = 3},
};

/* The sensitive attribute is the last of the last column, and may be of others. */
static const sliced_schema schemas[] = {
    {"[['age', 'city'], ['note', 'pay']]", 2, {{AGE, CITY, -1}, {NOTE, PAY, -1}}},
    {"[['age', 'city', 'note', 'pay']]", 1, {{AGE, CITY, NOTE, PAY, -1}}},
    {"[['age'], ['city', 'note'], ['pay']]", 3, {{AGE, -1}, {CITY, NOTE, -1}, {PAY, -1}}},
    {"[['age', 'city'], ['note', 'city', 'pay']]", 2, {{AGE, CITY, -1}, {NOTE, CITY, PAY, -1}}},
    {"[['age', 'city'], ['city', 'note'], ['city', 'pay']]", 3, {{AGE, CITY, -1}, {CITY, NOTE, -1}, {CITY, PAY, -1}}},
    {"[['age', 'city'], ['city', 'note'], ['note', 'pay']]", 3, {{AGE, CITY, -1}, {CITY, NOTE, -1}, {NOTE, PAY, -1}}},
    {"[['age', 'city', 'pay'], ['note', 'pay']]", 2, {{AGE, CITY, PAY, -1}, {NOTE, PAY, -1}}},
    {"[['age', 'pay'], ['city', 'pay'], ['note', 'pay']]", 3, {{AGE, PAY, -1}, {CITY, PAY, -1}, {NOTE, PAY, -1}}},
    {"[['age', 'city'], ['city', 'pay'], ['note', 'pay']]", 3, {{AGE, CITY, -1}, {CITY, PAY, -1}, {NOTE, PAY, -1}}},
    {"[['age', 'note'], ['city'], ['note', 'pay']]", 3, {{AGE, NOTE, -1}, {CITY, -1}, {NOTE, PAY, -1}}},
};
/* Plain, or all columns share the same. */
static const bool is_sharp[] = {true, true, true, true, true, false, true, true, false, false};

/* is_coarse: age and city are cells of two values: 2c and 2c + 1, as far as there are. */
static void make_world(sliced_world *w, const sliced_schema *schema, bool is_coarse, uint64_t *state)
{
    *w = (sliced_world){
        .schema = schema, .is_coarse = is_coarse, .n_buckets = 1 + (int)random_below(state, MOST_BUCKETS)};
    for (int b = 0; b < w->n_buckets; b++) {
        w->n_rows[b] = 1 + (int)random_below(state, w->n_buckets == 1 ? 4 : 3);
        for (int i = 0; i < w->n_rows[b]; i++) {
            int *value = w->value[b][i];

            value[AGE] = random_below(state, 6) ? (int)random_below(state, 4) : CONDITION_NULL;
            value[CITY] = (int)random_below(state, 3);
            if (is_coarse) {
                value[AGE] = value[AGE] == CONDITION_NULL ? CONDITION_NULL : value[AGE] / 2;
                value[CITY] /= 2;
            }
            value[NOTE] = random_below(state, 5) ? (int)random_below(state, 2) : CONDITION_NULL;
            value[PAY] = random_below(state, 8) ? (int)random_below(state, 7) - 3 : CONDITION_NULL;
        }
    }
}

static size_t add_cell(char *to, size_t room, const sliced_world *w, int attribute, int value)
{
    if (value == CONDITION_NULL)
        return (size_t)snprintf(to, room, w->is_coarse && attribute == AGE ? ",null" : ",");
    if (w->is_coarse && attribute == AGE)
        return (size_t)snprintf(to, room, ",\"[%d, %d]\"", 2 * value, 2 * value + 1);
    if (w->is_coarse && attribute == CITY)
        return (size_t)snprintf(to, room, value ? ",Ca" : ",\"{Aa, Bo}\"");
    if (attribute == AGE || attribute == PAY)
        return (size_t)snprintf(to, room, ",%d", value);
    return (size_t)snprintf(to, room, ",%s", attribute == CITY ? cities[value] : notes[value]);
}

#define COLUMNS(how, domain, what)                                                                                     \
    "{'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': '" how "', " domain "'weight': '1/3'}," \
    "{'name': 'city', 'role': 'quasi-identifier', 'type': 'text', 'publish': '" what "', 'weight': '1/3', "            \
    "'has_missing': false},"                                                                                           \
    "{'name': 'note', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': '1/3'},"               \
    "{'name': 'pay', 'role': 'sensitive', 'type': 'integer', 'publish': 'value'}"

static covey_query_release *open_text(release_folder *r, const sliced_world *w, const sliced_text *text)
{
    covey_query_release *release = NULL;
    covey_error err;

    sliced_write(r, w, text);
    if (covey_query_open(&release, r->path, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    return release;
}

static covey_query_release *open_world(release_folder *r, const sliced_world *w)
{
    const sliced_text text = {.names = {"age", "city", "note", "pay"},
                              .add_cell = add_cell,
                              .columns = w->is_coarse ? COLUMNS("range", "'domain': [0, 3], ", "set")
                                                      : COLUMNS("value", "", "value")};

    return open_text(r, w, &text);
}

/* With a sampling weight for a note: 1, 2 or 3. */
static size_t add_weighed_cell(char *to, size_t room, const sliced_world *w, int attribute, int value)
{
    return attribute == NOTE ? (size_t)snprintf(to, room, ",%d", value) : add_cell(to, room, w, attribute, value);
}

static covey_query_release *open_weighed(release_folder *r, sliced_world *w, uint64_t *state)
{
    static const sliced_text text = {
        .names = {"age", "city", "note", "pay"},
        .add_cell = add_weighed_cell,
        .columns =
            "{'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'value', 'weight': '1/2'},"
            "{'name': 'city', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': '1/2', "
            "'has_missing': false},"
            "{'name': 'note', 'role': 'insensitive', 'type': 'integer', 'publish': 'value', 'has_missing': "
            "false, 'sampling_weight': true},"
            "{'name': 'pay', 'role': 'sensitive', 'type': 'integer', 'publish': 'value'}"};

    for (int b = 0; b < w->n_buckets; b++)
        for (int i = 0; i < w->n_rows[b]; i++)
            w->value[b][i][NOTE] = 1 + (int)random_below(state, 3);
    return open_text(r, w, &text);
}

/* --- all worlds --- */

/* What a query finds in one bucket, in one way to put it together. */
struct found {
    int count, n, sum, min, max; /* n: rows with a number */
    double weight;               /* among all ways */
};

struct finds {
    int n;
    struct found *found; /* [MOST_WORLDS] */
};

struct seeking {
    const sliced_world *w;
    const random_condition *condition;
    int aggregated;
    struct finds *out;
};

/* How likely a row is selected, its cells' values alike. */
static double chance_of(const struct seeking *k, const int *row)
{
    int values[N_ATTRIBUTES], n = 0, n_selected = 0;

    if (!k->condition)
        return 1;
    memcpy(values, row, sizeof values);
    for (int i = 0; i < 4; i++) {
        if (k->w->is_coarse) {
            values[AGE] = row[AGE] == CONDITION_NULL ? CONDITION_NULL : 2 * row[AGE] + i % 2;
            values[CITY] = row[CITY] ? 2 : i / 2;
        }
        n++;
        n_selected += condition_selects(k->condition, values);
    }
    return (double)n_selected / n;
}

static int number_of(const int *row, int aggregated)
{
    if (aggregated != PRODUCT)
        return row[aggregated];
    return row[PAY] == CONDITION_NULL ? CONDITION_NULL : row[PAY] * row[NOTE];
}

static struct found find(const struct seeking *k, const int (*row)[N_ATTRIBUTES], int n, unsigned selected,
                         double weight)
{
    struct found f = {.min = INT_MAX, .max = INT_MIN, .weight = weight};

    for (int i = 0; i < n; i++) {
        const int value = number_of(row[i], k->aggregated);

        if (!(selected >> i & 1))
            continue;
        f.count++;
        if (value == CONDITION_NULL)
            continue;
        f.n++;
        f.sum += value;
        f.min = value < f.min ? value : f.min;
        f.max = value > f.max ? value : f.max;
    }
    return f;
}

/* All sets of rows that may be selected. */
static void judge(void *context, const int (*row)[N_ATTRIBUTES], int n)
{
    const struct seeking *k = context;
    double chance[MOST_ROWS];

    for (int i = 0; i < n; i++)
        chance[i] = chance_of(k, row[i]);
    for (unsigned selected = 0; selected < 1u << n; selected++) {
        double weight = 1;

        for (int i = 0; i < n; i++)
            weight *= selected >> i & 1 ? chance[i] : 1 - chance[i];
        if (weight == 0)
            continue;
        assert_true(k->out->n < MOST_WORLDS);
        k->out->found[k->out->n++] = find(k, row, n, selected, weight);
    }
}

struct extremes {
    int n;
    double low, high, weight, sum, squares;
};

static void add(struct extremes *e, double value, double weight)
{
    e->low = e->n == 0 || value < e->low ? value : e->low;
    e->high = e->n == 0 || value > e->high ? value : e->high;
    e->n++;
    e->weight += weight;
    e->sum += value * weight;
    e->squares += value * value * weight;
}

/* COUNT, SUM, AVG, MIN, MAX, and the number of rows with a number, over all combinations of buckets. */
static void try_worlds(struct extremes e[6], const sliced_world *w, const random_condition *condition, int aggregated)
{
    static struct found room[MOST_BUCKETS][MOST_WORLDS];
    struct finds finds[MOST_BUCKETS] = {{1, room[0]}, {1, room[1]}};

    room[1][0] = (struct found){.min = INT_MAX, .max = INT_MIN, .weight = 1};
    for (int b = 0; b < w->n_buckets; b++) {
        struct seeking k = {.w = w, .condition = condition, .aggregated = aggregated, .out = &finds[b]};

        finds[b].n = 0;
        sliced_tables(w, b, judge, &k);
    }
    for (int i = 0; i < finds[0].n; i++)
        for (int j = 0; j < finds[1].n; j++) {
            const struct found *f = &room[0][i], *g = &room[1][j];
            const int n = f->n + g->n;
            const double weight = f->weight * g->weight;

            add(&e[0], f->count + g->count, weight);
            add(&e[5], n, weight);
            if (n == 0)
                continue;
            add(&e[1], f->sum + g->sum, weight);
            add(&e[2], (double)(f->sum + g->sum) / n, weight);
            add(&e[3], f->min < g->min ? f->min : g->min, weight);
            add(&e[4], f->max > g->max ? f->max : g->max, weight);
        }
}

/* --- answers --- */

static covey_query_result *ask(const covey_query_release *release, const char *sql, bool may_refuse)
{
    covey_query_result *result = NULL;
    covey_error err;

    if (covey_query_run(&result, release, sql, NULL, &err) != COVEY_OK &&
        (!may_refuse || !strstr(err.message, "only COUNT is answered")))
        fail_msg("%s: %s", sql, err.message);
    return result;
}

static void assert_bounds(const char *sql, const char *slices, const covey_query_answer *answer,
                          const struct extremes *e, bool sharp)
{
    const double low = answer->lower.value, high = answer->upper.value;

    if (e->n == 0 && sharp) {
        if (answer->lower.exists || answer->upper.exists)
            fail_msg("%s over %s: %s of nothing", sql, slices, answer->aggregate);
        return;
    }
    if (e->n == 0)
        return;
    if (low > e->low + 1e-9 || high < e->high - 1e-9 || !answer->lower.exists || !answer->upper.exists)
        fail_msg("%s over %s: %s is [%g, %g], not [%s, %s]", sql, slices, answer->aggregate, e->low, e->high,
                 answer->lower.text, answer->upper.text);
    if (sharp && (low < e->low - 1e-9 || high > e->high + 1e-9))
        fail_msg("%s over %s: %s is sharply [%g, %g], not [%s, %s]", sql, slices, answer->aggregate, e->low, e->high,
                 answer->lower.text, answer->upper.text);
    if (!isnan(answer->estimate) && (answer->estimate < low - 1e-9 || answer->estimate > high + 1e-9))
        fail_msg("%s over %s: the estimate %g of %s is not in [%s, %s]", sql, slices, answer->estimate,
                 answer->aggregate, answer->lower.text, answer->upper.text);
}

static void assert_estimate(const char *sql, const char *slices, const covey_query_answer *answer, double mean)
{
    if (fabs(answer->estimate - mean) > 1e-9)
        fail_msg("%s over %s: %s is %g on average, not %g", sql, slices, answer->aggregate, mean, answer->estimate);
}

static void assert_error(const char *sql, const char *slices, const covey_query_answer *answer,
                         const struct extremes *e)
{
    const double mean = e->sum / e->weight, variance = e->squares / e->weight - mean * mean;

    if (!isnan(answer->standard_error) && fabs(pow(answer->standard_error, 2) - variance) > 1e-8)
        fail_msg("%s over %s: variance of %s is %g, not %g", sql, slices, answer->aggregate, variance,
                 pow(answer->standard_error, 2));
}

static void check_count(const covey_query_release *release, const sliced_world *w, const random_condition *condition,
                        bool sharp)
{
    struct extremes e[6] = {{0}};
    char sql[5000];
    covey_query_result *result;

    snprintf(sql, sizeof sql, "SELECT COUNT(*)%s%s", condition ? " WHERE " : "", condition ? condition->sql : "");
    try_worlds(e, w, condition, PAY);
    result = ask(release, sql, false);
    assert_bounds(sql, w->schema->slices, result->group->answer, &e[0], sharp);
    assert_estimate(sql, w->schema->slices, result->group->answer, e[0].sum / e[0].weight);
    assert_error(sql, w->schema->slices, result->group->answer, &e[0]);
    covey_query_result_free(result);
}

/* An attribute as a number: pay, or age. */
static void check_numbers(const covey_query_release *release, const sliced_world *w, const random_condition *condition,
                          int aggregated, bool sharp)
{
    const char *name = attributes[aggregated].name;
    struct extremes e[6] = {{0}};
    char sql[5000];
    covey_query_result *result;

    snprintf(sql, sizeof sql, "SELECT COUNT(*), SUM(%s), AVG(%s), MIN(%s), MAX(%s)%s%s", name, name, name, name,
             condition ? " WHERE " : "", condition ? condition->sql : "");
    try_worlds(e, w, condition, aggregated);
    if (e[1].n > 0 && e[1].n < e[0].n) /* where nothing may be selected, SUM may be 0 */
        add(&e[1], 0, 0);
    if (!(result = ask(release, sql, true)))
        return;
    for (int i = 0; i < 5; i++)
        assert_bounds(sql, w->schema->slices, &result->group->answer[i], &e[i], sharp);
    if (e[1].n > 0) {
        struct extremes sum = {0};

        assert_estimate(sql, w->schema->slices, &result->group->answer[1], e[1].sum / e[0].weight);
        assert_estimate(sql, w->schema->slices, &result->group->answer[2], e[1].sum / e[5].sum);
        sum = (struct extremes){.weight = e[0].weight, .sum = e[1].sum, .squares = e[1].squares};
        assert_error(sql, w->schema->slices, &result->group->answer[1], &sum);
    }
    covey_query_result_free(result);
}

/* The weight times pay; false: they stand in no column together, and the question is refused. */
static bool check_products(const covey_query_release *release, const sliced_world *w, const random_condition *condition,
                           bool sharp)
{
    struct extremes e[6] = {{0}};
    char sql[5000];
    covey_query_result *result = NULL;
    covey_error err;

    snprintf(sql, sizeof sql, "SELECT COUNT(*), SUM(note * pay)%s%s", condition ? " WHERE " : "",
             condition ? condition->sql : "");
    try_worlds(e, w, condition, PRODUCT);
    if (e[1].n > 0 && e[1].n < e[0].n) /* as above */
        add(&e[1], 0, 0);
    if (covey_query_run(&result, release, sql, NULL, &err) != COVEY_OK) {
        assert_non_null(strstr(err.message, "which weights go with which values of \"pay\" is not known"));
        return false;
    }
    for (int i = 0; i < 2; i++)
        assert_bounds(sql, w->schema->slices, &result->group->answer[i], &e[i], sharp);
    if (e[1].n > 0) {
        const struct extremes sum = {.weight = e[0].weight, .sum = e[1].sum, .squares = e[1].squares};

        assert_estimate(sql, w->schema->slices, &result->group->answer[1], e[1].sum / e[0].weight);
        assert_error(sql, w->schema->slices, &result->group->answer[1], &sum);
    }
    covey_query_result_free(result);
    return true;
}

/* One test per attribute at most, joined by AND or OR, negated or not. */
static void make_simple(random_condition *out, int n_attributes, uint64_t *state)
{
    random_condition one;
    const bool is_and = random_below(state, 2);
    size_t size = 0;
    int root = -1;

    *out = (random_condition){.attribute = attributes, .n_attributes = (size_t)n_attributes};
    for (int a = 0; a < n_attributes; a++) {
        int base = out->n_nodes;

        if (random_below(state, 3) == 0 && (a + 1 < n_attributes || root >= 0))
            continue;
        condition_make(&one, &attributes[a], 1, 0, state);
        for (int i = 0; i < one.n_nodes; i++) {
            condition_node *node = &out->node[out->n_nodes++];

            *node = one.node[i];
            node->attribute = a;
            node->child[0] += base;
            node->child[1] += base;
        }
        size += (size_t)snprintf(out->sql + size, sizeof out->sql - size, "%s(%s)",
                                 root >= 0 ? is_and ? " AND " : " OR " : "", one.sql);
        if (root < 0) {
            root = base;
            continue;
        }
        out->node[out->n_nodes] = (condition_node){.kind = is_and ? NODE_AND : NODE_OR, .child = {root, base}};
        root = out->n_nodes++;
    }
    { /* the root is node 0 */
        condition_node first = out->node[0];

        if (root != 0) {
            out->node[0] = out->node[root];
            out->node[root] = first;
            for (int i = 0; i < out->n_nodes; i++)
                for (int c = 0; c < 2; c++)
                    out->node[i].child[c] = out->node[i].child[c] == 0 && i != 0 ? root : out->node[i].child[c];
            for (int c = 0; c < 2; c++)
                out->node[0].child[c] = out->node[0].child[c] == 0 ? root : out->node[0].child[c];
        }
    }
}

static void test_query__sliced_bounds_hold_and_estimates_are_means(void **state)
{
    uint64_t seed = test_seed(17);

    for (int round = 0; round < 140; round++) {
        const sliced_schema *schema = &schemas[(size_t)round % (sizeof schemas / sizeof *schemas)];
        covey_query_release *release;
        sliced_world w;
        release_folder r;

        make_world(&w, schema, false, &seed);
        release = open_world(&r, &w);
        check_count(release, &w, NULL, true);
        check_numbers(release, &w, NULL, PAY, true);
        check_numbers(release, &w, NULL, AGE, true);
        for (int i = 0; i < 6; i++) {
            random_condition condition;

            make_simple(&condition, N_ATTRIBUTES, &seed);
            check_count(release, &w, &condition, is_sharp[schema - schemas]);
            make_simple(&condition, PAY, &seed);
            check_numbers(release, &w, &condition, i % 2 ? PAY : AGE, is_sharp[schema - schemas]);
            condition_make(&condition, attributes, N_ATTRIBUTES, 1 + i % 3, &seed);
            check_count(release, &w, &condition, false);
            condition_make(&condition, attributes, PAY, 1 + i % 3, &seed);
            check_numbers(release, &w, &condition, PAY, false);
        }
        covey_query_close(release);
        release_end(&r);
    }
}

static void test_query__weights_and_values_of_one_column_are_multiplied(void **state)
{
    uint64_t seed = test_seed(29);
    int n_answered = 0, n_refused = 0;

    for (int round = 0; round < 80; round++) {
        const size_t at = (size_t)round % (sizeof schemas / sizeof *schemas);
        covey_query_release *release;
        sliced_world w;
        release_folder r;

        make_world(&w, &schemas[at], false, &seed);
        release = open_weighed(&r, &w, &seed);
        for (int i = 0; i < 6; i++) {
            random_condition condition;
            bool is_answered;

            make_simple(&condition, NOTE, &seed);
            is_answered = check_products(release, &w, i ? &condition : NULL, i == 0 || is_sharp[at]);
            n_answered += is_answered;
            n_refused += !is_answered;
        }
        covey_query_close(release);
        release_end(&r);
    }
    assert_true(test_is_enough(n_answered == 384 && n_refused == 96)); /* two of the ten schemas part them */
}

/* Cells of several values: each row has any of them. */
static void test_query__sliced_cells_may_hold_any_of_their_values(void **state)
{
    uint64_t seed = test_seed(23);
    unsigned n_open = 0;

    for (int round = 0; round < 84; round++) {
        const sliced_schema *schema = &schemas[(size_t)round % (sizeof schemas / sizeof *schemas)];
        covey_query_release *release;
        sliced_world w;
        release_folder r;

        make_world(&w, schema, true, &seed);
        release = open_world(&r, &w);
        for (int i = 0; i < 6; i++) {
            random_condition condition;
            covey_query_result *result;
            char sql[5000];

            make_simple(&condition, N_ATTRIBUTES, &seed);
            check_count(release, &w, &condition, is_sharp[schema - schemas]);
            snprintf(sql, sizeof sql, "SELECT COUNT(*) WHERE %s", condition.sql);
            result = ask(release, sql, false);
            n_open += result->group->answer->lower.value < result->group->answer->upper.value;
            covey_query_result_free(result);
            make_simple(&condition, PAY, &seed);
            check_numbers(release, &w, &condition, PAY, false);
            condition_make(&condition, attributes, N_ATTRIBUTES, 1 + i % 3, &seed);
            check_count(release, &w, &condition, false);
            condition_make(&condition, attributes, PAY, 1 + i % 3, &seed);
            check_numbers(release, &w, &condition, PAY, false);
        }
        covey_query_close(release);
        release_end(&r);
    }
    if (!test_is_enough(n_open >= 100))
        fail_msg("%u of %u queries have bounds that differ", n_open, 84 * 6);
}

static void test_query__sliced_groups_are_queries_of_their_own(void **state)
{
    uint64_t seed = test_seed(3);

    for (int round = 0; round < 28; round++) {
        const sliced_schema *schema = &schemas[(size_t)round % (sizeof schemas / sizeof *schemas)];
        covey_query_release *release;
        covey_query_result *grouped;
        sliced_world w;
        release_folder r;
        random_condition condition;
        char sql[6000];

        make_world(&w, schema, false, &seed);
        release = open_world(&r, &w);
        make_simple(&condition, PAY, &seed);
        snprintf(sql, sizeof sql, "SELECT COUNT(*) WHERE %s GROUP BY city, age", condition.sql);
        grouped = ask(release, sql, false);
        for (size_t g = 0; g < grouped->n_groups; g++) {
            const covey_query_group *group = &grouped->group[g];
            char age[32];
            covey_query_result *alone;

            snprintf(age, sizeof age, group->key[1] ? "= %s" : "IS NULL", group->key[1]);
            snprintf(sql, sizeof sql, "SELECT COUNT(*) WHERE (%s) AND age %s AND city = '%s'", condition.sql, age,
                     group->key[0]);
            alone = ask(release, sql, false);
            assert_true(group->hits_upper > 0);
            assert_estimate(sql, schema->slices, group->answer, alone->group->answer->estimate);
            assert_true(group->answer->lower.value <= alone->group->answer->upper.value &&
                        alone->group->answer->lower.value <= group->answer->upper.value);
            covey_query_result_free(alone);
        }
        covey_query_result_free(grouped);
        covey_query_close(release);
        release_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query__sliced_bounds_hold_and_estimates_are_means),
        cmocka_unit_test(test_query__weights_and_values_of_one_column_are_multiplied),
        cmocka_unit_test(test_query__sliced_cells_may_hold_any_of_their_values),
        cmocka_unit_test(test_query__sliced_groups_are_queries_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
