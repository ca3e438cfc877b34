/* Whatever a constant of a query is -- a value, a label that a cell shows, one that none shows, or nothing of the kind
 * -- the bounds hold the truth, which is counted in the original by other means: over every kind of hierarchy and every
 * published form. */
#include "test.h"

#include <covey/covey.h>

#include <math.h>
#include <string.h>

#include "support/folder.h"
#include "support/query/labeller.h"
#include "support/query/plain_csv.h"
#include "support/release/random_release.h"
#include "base/csv_cell.h"
#include "base/file/folder.h"

enum { MOST_ROWS = 60, MOST_TESTS = 3, MOST_CONSTANTS = 3 };

struct way {
    const char *method, *model, *sensitive, *suppression;
};

static const struct way ways[] = {
    {"mondrian", "k-anonymity:k=3", "ill", "0"},
    {"mondrian", "k-anonymity:k=5", "ill", "0.4"},
    {"full-domain", "k-anonymity:k=3", "ill", "0.4"},
    {"elastic", "basic-beta-likeness:beta=4,attribute=ill", "ill", "0.3"},
    {"anatomy", "distinct-l-diversity:l=2", "ill", "0"},
    {"ke-permutation", "ke-anonymity:k=2,e=2", "pay", "0"},
    {"distribution", "p-private", "pay", "0"},
    {"perturbation", "basic-beta-likeness:beta=2", "ill", "0"},
    {"slicing:column-k=3", "sliced-l-diversity:l=2", "ill", "0.5"},
    {"slicing", "sliced-l-diversity:l=2", "ill", "0.5"},
    /* Methods and models that take no tree of the sensitive attribute leave it out of the manifest: then there are no
       labels. */
    {"mondrian", "t-closeness:t=0.8,distance=hierarchical", "x", "0.4"},
    {"distribution", "p-private", "x", "0"},
};

static bool is_hidden(const struct way *way)
{
    return strcmp(way->sensitive, "x") == 0;
}

struct world {
    const labeller_kind *kind;
    const struct way *way;
    size_t n;
    char text[MOST_ROWS][LABELLER_BYTES];
    const char *x[MOST_ROWS]; /* "": missing */
    int age[MOST_ROWS], ill[MOST_ROWS], pay[MOST_ROWS];
    size_t n_values;
    const char *value[MOST_ROWS]; /* those of x that are not missing */
};

static void make_world(struct world *w, const labeller_kind *kind, const struct way *way, uint64_t *state)
{
    const bool has_missing = random_below(state, 3) == 0 && !is_hidden(way);

    w->kind = kind;
    w->way = way;
    w->n = 8 + random_below(state, MOST_ROWS - 8);
    w->n_values = 0;
    for (size_t i = 0; i < w->n; i++) {
        w->x[i] = w->text[i];
        w->text[i][0] = '\0';
        if (!has_missing || random_below(state, 8))
            kind->draw(w->text[i], state);
        if (*w->text[i])
            w->value[w->n_values++] = w->text[i];
        w->age[i] = 20 + (int)random_below(state, 10);
        w->ill[i] = (int)random_below(state, 4);
        w->pay[i] = (int)random_below(state, 12);
    }
}

static void write_world(release_folder *r, const struct world *w)
{
    covey_text table = COVEY_TEXT_INIT;

    covey_i_text_add_string(&table, "x,age,ill,pay\n");
    for (size_t i = 0; i < w->n; i++) {
        covey_i_csv_add_cell(&table, w->x[i], strlen(w->x[i]), ',');
        covey_i_text_add_format(&table, ",%d,i%d,%d\n", w->age[i], w->ill[i], w->pay[i]);
    }
    assert_false(table.broken);
    release_original(r, table.bytes);
    covey_i_text_free(&table);
}

static void set(covey_policy *policy, const char *key, const char *value)
{
    covey_error err;

    if (covey_policy_set(policy, key, value, &err) != COVEY_OK)
        fail_msg("--%s %s: %s", key, value, err.message);
}

static void set_hierarchy(covey_policy *policy, const release_folder *r, const labeller_kind *kind)
{
    char path[400], value[600];
    const char *mark = strstr(kind->hierarchy, "%s");

    snprintf(path, sizeof path, "%s.lines.csv", r->original);
    if (kind->lines) {
        file_put(path, kind->lines);
        snprintf(value, sizeof value, "%.*s%s%s", (int)(mark - kind->hierarchy), kind->hierarchy, path, mark + 2);
    } else {
        snprintf(value, sizeof value, "%s", kind->hierarchy);
    }
    set(policy, "hierarchy", value);
}

static bool anonymize(release_folder *r, const struct world *w, uint64_t *state)
{
    const covey_run run = {.has_seed = true, .seed = random_below(state, 1u << 30)};
    covey_policy *policy = NULL;
    covey_anonymize_report report;
    covey_error err;
    covey_status status;
    char path[400], type[64];

    assert_int_equal(covey_i_folder_remove(r->path, NULL), COVEY_OK);
    assert_int_equal(covey_policy_new(&policy, &err), COVEY_OK);
    snprintf(type, sizeof type, "x=%s", w->kind->type);
    set(policy, "input", r->original);
    set(policy, "quasi", is_hidden(w->way) ? "age" : random_below(state, 2) ? "x,age" : "age,x");
    set(policy, "sensitive", w->way->sensitive);
    set(policy, "insensitive", is_hidden(w->way) ? "ill,pay" : strcmp(w->way->sensitive, "ill") == 0 ? "pay" : "ill");
    set(policy, "type", type);
    set(policy, "type", "pay=integer");
    set_hierarchy(policy, r, w->kind);
    if (w->kind->publish && !is_hidden(w->way))
        set(policy, "publish", w->kind->publish);
    set(policy, "model", w->way->model);
    set(policy, "method", w->way->method);
    set(policy, "suppression", w->way->suppression);
    if (strcmp(w->way->model, "p-private") == 0) {
        set(policy, "groups", is_hidden(w->way) ? "{by: [{attribute: age, quantiles: 2}]}" : "{by: [age]}");
        set(policy, "target", random_below(state, 2) ? "uniform" : "source");
    }
    if ((status = covey_policy_check(policy, &err)) == COVEY_OK)
        status = covey_anonymize(&report, policy, r->path, NULL, &run, &err);
    if (status == COVEY_OK)
        covey_anonymize_report_clear(&report);
    else if (status != COVEY_EINFEASIBLE && !strstr(err.message, "does not keep its numbers in order"))
        fail_msg("%s, %s: %s", w->kind->name, w->way->method, err.message);
    covey_policy_free(policy);
    snprintf(path, sizeof path, "%s.lines.csv", r->original);
    remove(path);
    return status == COVEY_OK;
}

/* --- conditions --- */

struct constant {
    char text[LABELLER_BYTES];
    bool is_bare; /* written without '...' */
};

struct test {
    enum { ON_X, ON_AGE, ON_ILL } on;
    enum { EQUAL, BELOW, BETWEEN, IN, IS_NULL } kind;
    bool is_negated;
    int number;
    size_t n;
    struct constant constant[MOST_CONSTANTS];
};

struct condition {
    size_t n;
    bool is_or;
    struct test test[MOST_TESTS];
};

static void make_test(struct test *t, const struct world *w, bool with_ill, uint64_t *state)
{
    t->on = random_below(state, 3) ? ON_X : with_ill && random_below(state, 2) ? ON_ILL : ON_AGE;
    t->kind = random_below(state, 8) < 4 ? EQUAL
              : random_below(state, 2)   ? IN
              : random_below(state, 3)   ? BELOW + random_below(state, 2)
                                         : IS_NULL;
    t->is_negated = random_below(state, 3) == 0;
    t->number = t->on == ON_AGE ? 19 + (int)random_below(state, 12) : (int)random_below(state, 5);
    t->n = t->kind == IN ? 1 + random_below(state, MOST_CONSTANTS) : t->kind == BETWEEN ? 2 : 1;
    for (size_t i = 0; i < t->n; i++) {
        labeller_constant(t->constant[i].text, w->kind, w->value, w->n_values, state);
        t->constant[i].is_bare = strcmp(w->kind->type, "integer") == 0 && random_below(state, 2) &&
                                 strspn(t->constant[i].text, "0123456789") == strlen(t->constant[i].text) &&
                                 *t->constant[i].text;
    }
}

static void put_constant(covey_text *sql, const struct constant *constant)
{
    if (constant->is_bare)
        covey_i_text_add_string(sql, constant->text);
    else
        covey_i_text_add_format(sql, "'%s'", constant->text);
}

static void put_test(covey_text *sql, const struct test *t)
{
    const char *not = t->is_negated ? "NOT " : "";

    if (t->on == ON_AGE) {
        covey_i_text_add_format(sql, "%sage < %d", not, t->number);
        return;
    }
    if (t->on == ON_ILL) {
        covey_i_text_add_format(sql, "%sill = 'i%d'", not, t->number);
        return;
    }
    switch (t->kind) {
    case IS_NULL:
        covey_i_text_add_format(sql, "x IS %sNULL", not );
        return;
    case IN:
        covey_i_text_add_format(sql, "x %sIN (", not );
        for (size_t i = 0; i < t->n; i++) {
            covey_i_text_add_string(sql, i ? ", " : "");
            put_constant(sql, &t->constant[i]);
        }
        covey_i_text_add_char(sql, ')');
        return;
    case BETWEEN:
        covey_i_text_add_format(sql, "x %sBETWEEN ", not );
        put_constant(sql, &t->constant[0]);
        covey_i_text_add_string(sql, " AND ");
        put_constant(sql, &t->constant[1]);
        return;
    default:
        covey_i_text_add_format(sql, "x %s ",
                                t->kind == BELOW ? (t->is_negated ? ">=" : "<")
                                : t->is_negated  ? "<>"
                                                 : "=");
        put_constant(sql, &t->constant[0]);
    }
}

static bool stands(const struct world *w, const struct constant *constant, const char *value)
{
    if (constant->is_bare)
        return labeller_compare(w->kind, constant->text, value) == 0;
    return labeller_stands(w->kind, constant->text, value) == 1;
}

/* 0 false, 1 unknown, 2 true, as in SQL. */
static int truth_of_test(const struct test *t, const struct world *w, size_t row)
{
    const char *x = w->x[row];
    bool found = false;

    if (t->on == ON_AGE)
        found = w->age[row] < t->number;
    else if (t->on == ON_ILL)
        found = w->ill[row] == t->number;
    else if (t->kind == IS_NULL)
        found = !*x;
    else if (!*x)
        return 1;
    else if (t->kind == BELOW)
        found = labeller_compare(w->kind, x, t->constant[0].text) < 0;
    else if (t->kind == BETWEEN)
        found = labeller_compare(w->kind, x, t->constant[0].text) >= 0 &&
                labeller_compare(w->kind, x, t->constant[1].text) <= 0;
    else
        for (size_t i = 0; i < t->n; i++)
            found |= stands(w, &t->constant[i], x);
    return found != t->is_negated ? 2 : 0;
}

static bool selects(const struct condition *c, const struct world *w, size_t row)
{
    int all = truth_of_test(&c->test[0], w, row);

    for (size_t i = 1; i < c->n; i++) {
        const int one = truth_of_test(&c->test[i], w, row);

        all = c->is_or ? (one > all ? one : all) : (one < all ? one : all);
    }
    return all == 2;
}

/* --- answers --- */

static void assert_within(const struct world *w, const char *sql, const char *what, const covey_query_answer *answer,
                          double truth)
{
    if ((answer->lower.exists && answer->lower.value > truth + 1e-9) ||
        (answer->upper.exists && answer->upper.value < truth - 1e-9))
        fail_msg("%s, %s, %s: %s%s is %g, not in [%s, %s]", w->kind->name, w->way->method, sql, what, answer->aggregate,
                 truth, answer->lower.text, answer->upper.text);
}

struct counts {
    int asked, refused, keys, sure;
};

/* What may be refused: an order asked of a label, a label of several readings, what is no number.  Never without a
 * reason. */
static bool may_be_refused(const struct condition *c, const struct world *w, const char *message)
{
    return strstr(message, "stands for several values") || strstr(message, "can be read as more than one label") ||
           (strcmp(w->kind->type, "text") != 0 && strstr(message, "is not a value of the column")) ||
           strstr(message, "combinations") || c->n == 0;
}

static void check(struct counts *n, const covey_query_release *release, const struct world *w, uint64_t *state)
{
    const bool with_ill = strcmp(w->way->sensitive, "ill") != 0 || random_below(state, 2);
    const bool has_sum = !with_ill && strcmp(w->way->sensitive, "ill") ==
                                          0; /* not where x is sensitive: conditions on it go with COUNT */
    struct condition c = {.n = 1 + random_below(state, MOST_TESTS), .is_or = random_below(state, 2)};
    covey_text sql = COVEY_TEXT_INIT;
    covey_query_result *result = NULL;
    double count = 0, sum = 0;
    covey_error err;

    covey_i_text_add_format(&sql, "SELECT COUNT(*)%s WHERE ", has_sum ? ", SUM(pay)" : "");
    for (size_t i = 0; i < c.n; i++) {
        make_test(&c.test[i], w, with_ill, state);
        covey_i_text_add_string(&sql, i ? c.is_or ? " OR " : " AND " : "");
        put_test(&sql, &c.test[i]);
    }
    for (size_t row = 0; row < w->n; row++)
        if (selects(&c, w, row)) {
            count++;
            sum += w->pay[row];
        }
    n->asked++;
    if (covey_query_run(&result, release, sql.bytes, NULL, &err) != COVEY_OK) {
        if (!may_be_refused(&c, w, err.message))
            fail_msg("%s, %s, %s: %s", w->kind->name, w->way->method, sql.bytes, err.message);
        n->refused++;
    } else {
        n->sure += result->group->hits_lower == result->group->hits_upper;
        assert_within(w, sql.bytes, "", &result->group->answer[0], count);
        if (has_sum && count > 0)
            assert_within(w, sql.bytes, "", &result->group->answer[1], sum);
    }
    covey_query_result_free(result);
    covey_i_text_free(&sql);
}

/* The key that a row belongs to: of those that stand for its value the finest; SIZE_MAX: none. */
static size_t find_key(const covey_query_result *result, const struct world *w, const char *x)
{
    size_t found = SIZE_MAX;

    for (size_t g = 0; g < result->n_groups; g++) {
        const char *key = result->group[g].key[0];

        if (!*x || !key) {
            if (!*x && !key)
                return g;
            continue;
        }
        if (result->key_is_number[0] ? labeller_compare(w->kind, key, x) == 0 : strcmp(key, x) == 0)
            return g;
        if (!w->kind->lines && labeller_stands(w->kind, key, x) == 1 &&
            (found == SIZE_MAX || labeller_is_finer(w->kind, key, result->group[found].key[0], x)))
            found = g;
    }
    return found;
}

static void check_groups(struct counts *n, const covey_query_release *release, const struct world *w)
{
    static const char sql[] = "SELECT COUNT(*) GROUP BY x";
    covey_query_result *result = NULL;
    size_t *count;
    covey_error err;

    if (w->kind->is_ambiguous || is_hidden(w->way))
        return;
    if (covey_query_run(&result, release, sql, NULL, &err) != COVEY_OK) {
        if (!strstr(err.message, "cannot list") && !strstr(err.message, "there is no GROUP BY it"))
            fail_msg("%s, %s, %s: %s", w->kind->name, w->way->method, sql, err.message);
        return;
    }
    assert_non_null(count = calloc(result->n_groups + 1, sizeof *count));
    for (size_t row = 0; row < w->n; row++) {
        const size_t g = find_key(result, w, w->x[row]);

        if (g != SIZE_MAX)
            count[g]++;
    }
    for (size_t g = 0; g < result->n_groups; g++) {
        char what[LABELLER_BYTES + 16];

        snprintf(what, sizeof what, "of %s ", result->group[g].key[0] ? result->group[g].key[0] : "null");
        assert_within(w, sql, what, &result->group[g].answer[0], (double)count[g]);
        n->keys++;
    }
    free(count);
    covey_query_result_free(result);
}

static bool check_release(struct counts *counts, const labeller_kind *kind, const struct way *way, uint64_t *seed)
{
    covey_query_release *release = NULL;
    release_folder r;
    struct world w;
    covey_error err;
    bool made;

    make_world(&w, kind, way, seed);
    release_begin(&r);
    write_world(&r, &w);
    made = anonymize(&r, &w, seed);
    if (made && covey_query_open(&release, r.path, NULL, &err) != COVEY_OK)
        fail_msg("%s, %s: %s", kind->name, way->method, err.message);
    for (int q = 0; made && q < 60; q++)
        check(counts, release, &w, seed);
    if (made)
        check_groups(counts, release, &w);
    covey_query_close(release);
    release_end(&r);
    return made;
}

static void test_query__bounds_hold_whatever_a_constant_is(void **state)
{
    uint64_t seed = test_seed(3); /* with it some slices have suppressed rows */
    struct counts counts = {0};
    int n_made = 0;

    for (size_t k = 0; k < labeller_count(); k++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            if (!is_hidden(&ways[i]) || !labeller_at(k)->is_known_by_rule_only)
                n_made += check_release(&counts, labeller_at(k), &ways[i], &seed);
    print_message("%d releases, %d questions, %d refused, %d certain, %d keys\n", n_made, counts.asked, counts.refused,
                  counts.sure, counts.keys);
    assert_true(test_is_enough(n_made > 100 && counts.refused < counts.asked / 3 && counts.sure > counts.asked / 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query__bounds_hold_whatever_a_constant_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
