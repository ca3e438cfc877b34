/* A refusal names what can be kept: the nearest policy that a method gives beside its message is kept by that method,
 * and where nothing may be suppressed and one parameter has to change, the next stricter value of it cannot be kept. */
#include "test.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "job/publish.h"
#include "release/settled.h"
#include "support/problem/problem_maker.h"

enum { N_TABLES = 600, MOST_ROWS = 14, MOST_WISHES = 3, SIZE = 5 };

static uint64_t n_tables(void)
{
    return (uint64_t)test_share(N_TABLES);
}

/* A promise; later parameters win. */
struct wish {
    const char *model;
    int of; /* 0: size alone, 1: s, 2: the range of x */
    char params[256];
};

struct world {
    uint32_t n, n_x, x[MOST_ROWS], city[MOST_ROWS], s[MOST_ROWS], max_suppressed;
    bool settles;         /* the release is settled, as the job does it */
    int64_t number[SIZE]; /* [n_x] the values of x that occur */
    int64_t min_size;
    size_t n_wishes;
    struct wish wish[MOST_WISHES];
    char params[512]; /* of the method */
};

static const struct {
    const char *model;
    int of;
    const char *params[4];
} menu[] = {
    {"k-anonymity", 0, {"k=2", "k=5", "k=12", "k=20"}},
    {"distinct-l-diversity", 1, {"l=2", "l=3", "l=4", "l=9"}},
    {"probabilistic-l-diversity", 1, {"l=3/2", "l=2", "l=3", "l=7"}},
    {"entropy-l-diversity", 1, {"l=1.5", "l=2", "l=3", "l=9"}},
    {"recursive-cl-diversity", 1, {"c=2,l=2", "c=1/2,l=2", "c=1,l=8", "c=1/9,l=5"}},
    {"alpha-k-anonymity", 1, {"alpha=1/2,k=2", "alpha=0.2,k=4", "alpha=0.3,k=20", "alpha=0.01,k=1"}},
    {"p-sensitive-k-anonymity", 1, {"p=2,k=3", "p=4,k=6", "p=9,k=20", "p=3,k=18"}},
    {"ke-anonymity", 1, {"k=2,e=1", "k=3,e=10", "k=9,e=2", "k=9,e=7/2"}},
    {"min-length", 2, {"length=1", "length=3", "length=11/2", "length=20"}},
    {"t-closeness", 1, {"t=0", "t=0.2", "t=0.4", "t=0.9"}},
    {"basic-beta-likeness", 1, {"beta=0.5", "beta=1", "beta=2", "beta=4"}},
    {"sliced-l-diversity", 1, {"l=3/2", "l=2", "l=3", "l=7"}},
};

/* x holds codes of the values that occur. */
static void number_x(struct world *w)
{
    const struct world drawn = *w;

    for (uint32_t v = 0; v < SIZE; v++) {
        bool any = false;

        for (uint32_t i = 0; i < w->n; i++)
            if (drawn.x[i] == v) {
                w->x[i] = w->n_x;
                any = true;
            }
        w->number[w->n_x] = v;
        w->n_x += any;
    }
}

static void make_world(struct world *w, uint64_t number)
{
    uint64_t random = number * 31 + 7;
    uint32_t chosen[MOST_WISHES];

    *w = (struct world){.n = 3 + maker_below(&random, MOST_ROWS - 2),
                        .min_size = maker_below(&random, 6) ? 1 : 1 + maker_below(&random, MOST_ROWS + 3)};
    w->max_suppressed = maker_below(&random, 2) ? maker_below(&random, w->n) : 0;
    for (uint32_t i = 0; i < w->n; i++) {
        w->x[i] = maker_below(&random, SIZE);
        w->city[i] = maker_below(&random, 3);
        w->s[i] = maker_below(&random, 2) ? 0 : maker_below(&random, 4);
    }
    number_x(w);
    for (size_t n = 1 + maker_below(&random, MOST_WISHES); w->n_wishes < n; w->n_wishes++) {
        const uint32_t pick = chosen[w->n_wishes] = maker_below(&random, sizeof menu / sizeof *menu);

        for (size_t i = 0; i < w->n_wishes; i++)
            if (chosen[i] == pick)
                return;
        w->wish[w->n_wishes] = (struct wish){menu[pick].model, menu[pick].of, ""};
        snprintf(w->wish[w->n_wishes].params, sizeof w->wish->params, "%s", menu[pick].params[maker_below(&random, 4)]);
    }
}

/* "cut=relaxed,columns=[[x];[s]]": commas part parameters, so that semicolons stand for those of lists. */
static void set_params(void *params, const covey_method *method, char *text)
{
    char *rest, *item;

    for (item = strtok_r(text, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(item, '=');
        covey_error err;

        *value++ = '\0';
        for (char *c = value; *c; c++)
            *c = *c == ';' ? ',' : *c;
        if (covey_param_set(params, method->params, method->n_params, method->name, item, value, &err) != COVEY_OK)
            fail_msg("%s", err.message);
    }
}

static covey_status solve(const struct world *w, const covey_method *method, bool *accepts, covey_error *err)
{
    problem_maker m;
    covey_release *release = NULL;
    covey_status status;
    char text[sizeof w->params];
    void *params;
    int view;

    maker_init(&m, w->n);
    maker_add_range(&m, "x", w->x, w->n_x, false, w->number);
    maker_add_flat(&m, "city", w->city, 3, false);
    view = maker_add_sensitive(&m, "s", w->s, 4);
    for (size_t i = 0; i < w->n_wishes; i++) {
        maker_promise(&m, w->wish[i].model, w->wish[i].params, w->wish[i].of == 1 ? view : -1);
        if (w->wish[i].of == 2)
            m.problem.promises.promise[i].attribute = "x";
    }
    m.problem.promises.min_size = w->min_size;
    status = maker_finish(&m, err);
    params = maker_method_params(&m, method, "");
    snprintf(text, sizeof text, "%s", w->params);
    set_params(params, method, text);
    *accepts = status == COVEY_OK && method->accepts(&m.problem.promises, params, NULL) == COVEY_OK;
    m.problem.max_suppressed = w->max_suppressed;
    if (*accepts)
        status = method->run(&release, &m.problem, params, &(covey_run){.has_seed = true, .seed = 3}, err);
    if (*accepts && status == COVEY_OK && release->n_published == 0) { /* as the job says it */
        covey_fail(err, COVEY_EINFEASIBLE, "every row would have to be suppressed");
        status = covey_i_method_name_nearest(&m.problem, err);
    }
    if (*accepts && status == COVEY_OK && w->settles) {
        covey_settled settled = {0};

        status = covey_i_publish_settle(&settled, &release, &m.problem, &(covey_run){.has_seed = true}, err);
        covey_i_settled_clear(&settled);
    }
    covey_release_free(release);
    maker_clear(&m);
    return status;
}

/* Adds ",key=value", in which semicolons stand for the commas of lists. */
static void set_option(char *params, size_t size, const char *key, const json_t *value)
{
    const size_t used = strlen(params);
    char *text = json_is_string(value) ? strdup(json_string_value(value)) : json_dumps(value, JSON_ENCODE_ANY);

    for (char *c = text; *c; c++)
        *c = *c == ',' ? ';' : *c;
    assert_true((size_t)snprintf(params + used, size - used, ",%s=%s", key, text) < size - used);
    free(text);
}

/* Puts the changes into the policy; returns how many parameters of promises change, and the last of them. */
static size_t change(struct world *w, const char *nearest, struct wish **last, char *param, size_t param_size,
                     char *value, size_t value_size)
{
    json_t *root = json_loads(nearest, 0, NULL), *promise, *item;
    const char *key;
    size_t n = 0, at;

    assert_non_null(root);
    json_array_foreach(json_object_get(root, "privacy"), at, promise)
    {
        size_t i = 0;

        while (i < w->n_wishes && strcmp(w->wish[i].model, json_string_value(json_object_get(promise, "model"))) != 0)
            i++;
        assert_true(i < w->n_wishes);
        json_object_foreach(promise, key, item)
        {
            char *to = w->wish[i].params;
            const size_t used = strlen(to);

            if (strcmp(key, "model") == 0 || strcmp(key, "attribute") == 0)
                continue;
            if (json_is_integer(item))
                snprintf(value, value_size, "%lld", (long long)json_integer_value(item));
            else
                snprintf(value, value_size, "%s", json_string_value(item));
            snprintf(param, param_size, "%s", key);
            snprintf(to + used, sizeof w->wish->params - used, ",%s=%s", key, value);
            *last = &w->wish[i];
            n++;
        }
    }
    json_object_foreach(json_object_get(root, "method"), key, item)
    {
        n += 2; /* whose next stricter value is not looked at */
        if (strcmp(key, "min-size") == 0)
            w->min_size = json_integer_value(item);
        else
            set_option(w->params, sizeof w->params, key, item);
    }
    json_decref(root);
    return n;
}

/* The parameter a little stricter. */
static void tighten(struct wish *wish, const char *param, const char *value)
{
    const bool is_whole = strcmp(param, "k") == 0 || strcmp(param, "p") == 0 ||
                          (strcmp(param, "l") == 0 && (strcmp(wish->model, "distinct-l-diversity") == 0 ||
                                                       strcmp(wish->model, "recursive-cl-diversity") == 0));
    const bool is_low_safe = strcmp(param, "c") == 0 || strcmp(param, "alpha") == 0;
    const size_t used = strlen(wish->params);
    covey_ratio r;

    assert_int_equal(covey_ratio_parse(&r, value, NULL), COVEY_OK);
    if (is_whole)
        snprintf(wish->params + used, sizeof wish->params - used, ",%s=%lld", param, (long long)r.num + 1);
    else
        snprintf(wish->params + used, sizeof wish->params - used, ",%s=%lld/%lld", param,
                 (long long)(r.num * 10000 + (is_low_safe ? -r.den : r.den)), (long long)r.den * 10000);
}

static int n_named, n_tightened;

static void check(struct world w, const covey_method *method, uint64_t number)
{
    struct wish *last = NULL;
    char param[64], value[96];
    covey_error err, again;
    const uint32_t max_suppressed = w.max_suppressed;
    bool accepts;
    size_t n;

    if (solve(&w, method, &accepts, &err) != COVEY_EINFEASIBLE || !accepts)
        return;
    if (!*err.nearest)
        fail_msg("%s, table %" PRIu64 ": nothing is named: %s", method->name, number, err.message);
    n = change(&w, err.nearest, &last, param, sizeof param, value, sizeof value);
    n_named++;
    if (solve(&w, method, &accepts, &again) != COVEY_OK)
        fail_msg("%s, table %" PRIu64 ": %s, but %s: %s", method->name, number, err.message, err.nearest,
                 again.message);
    if (max_suppressed > 0 || n != 1)
        return;
    tighten(last, param, value);
    n_tightened++;
    if (solve(&w, method, &accepts, &again) == COVEY_OK)
        fail_msg("%s, table %" PRIu64 ": %s: %s, but %s can be kept", method->name, number, err.message, err.nearest,
                 last->params);
}

static void what_a_refusal_names_can_be_kept(void **state)
{
    static const char *const methods[] = {"mondrian",          "elastic", "peel",        "full-domain",
                                          "optimal-partition", "burel",   "sabre",       "anatomy",
                                          "ke-permutation",    "slicing", "perturbation"};

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (uint64_t number = 0; number < n_tables(); number++) {
            struct world w;

            make_world(&w, number);
            check(w, covey_method_find(methods[i]), number);
        }
    if (!test_is_enough(n_named >= 800 && n_tightened >= 200))
        fail_msg("only %d refusals, %d with one parameter to change", n_named, n_tightened);
}

static bool has_one_value(const struct world *w)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < w->n; i++)
        n += w->s[i] == w->s[0];
    return n == w->n;
}

/* Two columns hold the sensitive attribute, and what can be kept follows from their pieces together; or buckets are
 * random, and too small. */
static void what_slicing_names_can_be_kept(void **state)
{
    static const char *const ways[] = {"columns=[[x];[city;s];[x;s];[city]]",
                                       "columns=[[x;s];[city;s]]",
                                       "columns=[[x;city;s];[city;s]]",
                                       "buckets=random,bucket-size=2",
                                       "columns=[[x];[city;s]],buckets=random,bucket-size=3",
                                       "weight=paper,cut=relaxed"};
    int n_none = 0;

    n_named = n_tightened = 0;
    for (uint64_t number = 0; number < n_tables(); number++) {
        struct world w;
        covey_error err;
        bool accepts;

        make_world(&w, number);
        w.min_size = 1;
        w.n_wishes = 1;
        w.wish[0] = (struct wish){"sliced-l-diversity", 1, ""};
        snprintf(w.wish[0].params, sizeof w.wish[0].params, "l=%s",
                 (const char *const[]){"5/4", "3/2", "2", "3"}[number / 6 % 4]);
        snprintf(w.params, sizeof w.params, "%s", ways[number % 6]);
        if (solve(&w, covey_method_find("slicing"), &accepts, &err) == COVEY_EINFEASIBLE &&
            strstr(err.message, "no l above 1")) {
            char params[sizeof w.wish[0].params];

            n_none++;
            snprintf(params, sizeof params, "%s", w.wish[0].params);
            snprintf(w.wish[0].params, sizeof w.wish[0].params, "l=10001/10000");
            assert_int_equal(solve(&w, covey_method_find("slicing"), &accepts, &err), COVEY_EINFEASIBLE);
            snprintf(w.wish[0].params, sizeof w.wish[0].params, "%s", params);
            if (has_one_value(&w))
                continue;
        }
        check(w, covey_method_find("slicing"), number);
    }
    if (!test_is_enough(n_named >= N_TABLES / 10 && n_tightened >= 2 && n_none > 0))
        fail_msg("only %d refusals, %d with one parameter to change, %d with none", n_named, n_tightened, n_none);
}

/* column-k is named with the largest value that can be kept, where no row may go: one more cannot. */
static void what_slicing_names_of_pieces_can_be_kept(void **state)
{
    static const char *const ways[] = {"column-k=3", "columns=[[x;city];[s]],column-k=9",
                                       "columns=[[x];[city;s]],column-k=2", "column-k=4,buckets=random,bucket-size=3"};
    const covey_method *method = covey_method_find("slicing");
    int n_largest = 0;

    n_named = n_tightened = 0;
    for (uint64_t number = 0; number < n_tables(); number++) {
        struct world w;
        covey_error err;
        const char *named;
        bool accepts;
        int k;

        make_world(&w, number);
        w.min_size = 1;
        w.n_wishes = 1;
        w.wish[0] = (struct wish){"sliced-l-diversity", 1, ""};
        snprintf(w.wish[0].params, sizeof w.wish[0].params, "l=%s",
                 (const char *const[]){"5/4", "3/2", "2"}[number / 4 % 3]);
        snprintf(w.params, sizeof w.params, "%s", ways[number % 4]);
        if (has_one_value(&w) || solve(&w, method, &accepts, &err) != COVEY_EINFEASIBLE)
            continue;
        check(w, method, number);
        if (w.max_suppressed > 0 || !(named = strstr(err.nearest, "\"column-k\": ")) || strstr(err.nearest, "privacy"))
            continue;
        k = (int)strtol(named + strlen("\"column-k\": "), NULL, 10);
        snprintf(w.params + strlen(w.params), sizeof w.params - strlen(w.params), ",column-k=%d", k + 1);
        assert_int_equal(solve(&w, method, &accepts, &err), COVEY_EINFEASIBLE);
        n_largest++;
    }
    if (!test_is_enough(n_named >= N_TABLES / 10 && n_largest >= 50))
        fail_msg("only %d refusals, %d with the largest column-k", n_named, n_largest);
}

/* Least lengths of boxes, and boxes that reach to rows which were suppressed. */
static void what_lengths_name_can_be_kept(void **state)
{
    static const char *const ways[] = {"min-length={x: 9}", "min-length={x: 2; city: 5}", "min-length={x: 4}",
                                       "publish-boxes=cut", "publish-boxes=cut,min-length={x: 2}"};
    static const char *const methods[] = {"mondrian", "optimal-partition"};
    int n_tight = 0;

    n_named = n_tightened = 0;
    for (uint64_t number = 0; number < 3 * n_tables(); number++) {
        const covey_method *method = covey_method_find(methods[number / 5 % 2]);
        struct world w;
        covey_error err;
        bool accepts;

        make_world(&w, number);
        if (number % 5 >= 3) {
            w.settles = true;
            w.n_wishes = 2;
            w.wish[0] = (struct wish){"min-length", 2, "length=3"};
            w.wish[1] = (struct wish){"probabilistic-l-diversity", 1, "l=2"};
            w.max_suppressed = w.n - 1;
        }
        snprintf(w.params, sizeof w.params, "%s", ways[number % 5]);
        if (solve(&w, method, &accepts, &err) == COVEY_EINFEASIBLE && strstr(err.message, "values of suppressed rows"))
            n_tight++;
        check(w, method, number);
    }
    if (!test_is_enough(n_named >= N_TABLES / 10 && n_tight > 0))
        fail_msg("only %d refusals, %d because of suppressed rows", n_named, n_tight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_refusal_names_can_be_kept), cmocka_unit_test(what_slicing_names_can_be_kept),
        cmocka_unit_test(what_slicing_names_of_pieces_can_be_kept), cmocka_unit_test(what_lengths_name_can_be_kept)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
