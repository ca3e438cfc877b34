/* Making problems at random. */
#include "support/problem/random_problem.h"

#include <inttypes.h>
#include <string.h>

#include "test.h"

enum { MOST_ROWS = 500 };

uint32_t random_problem_rows(uint64_t number)
{
    uint64_t random = number * 2 + 1;

    return number % 10 == 0 ? 1 + maker_below(&random, 6) : 7 + maker_below(&random, MOST_ROWS - 7);
}

static void add_axis(problem_maker *m, int index, uint64_t *random)
{
    static const uint32_t sizes[] = {1, 2, 5, 13, 40, 300};
    const uint32_t n_values = sizes[maker_below(random, 6)];
    const bool has_null = n_values > 1 && maker_below(random, 3) == 0;
    uint32_t codes[MOST_ROWS];
    int64_t number[300];
    char name[16];

    snprintf(name, sizeof name, "q%d", index);
    for (uint32_t i = 0; i < m->problem.n_rows; i++)
        codes[i] = maker_below(random, 3) ? maker_below(random, n_values) : maker_below(random, n_values / 4 + 1);
    number[0] = -20;
    for (uint32_t v = 1; v < n_values; v++)
        number[v] = number[v - 1] + 1 + maker_below(random, 9) * maker_below(random, 2);
    switch (maker_below(random, 3)) {
    case 0:
        maker_add_range(m, name, codes, n_values, has_null, number);
        break;
    case 1:
        maker_add_flat(m, name, codes, n_values, has_null);
        break;
    default:
        if (n_values > (has_null ? 2 : 1))
            maker_add_tree(m, name, codes, n_values, has_null, 2 + (int)maker_below(random, 3));
        else
            maker_add_flat(m, name, codes, n_values, has_null);
    }
}

/* Values that follow the first axis a little, so that classes differ. */
static int add_sensitive(problem_maker *m, int index, uint64_t *random)
{
    const uint32_t n_values = 2 + maker_below(random, maker_below(random, 4) ? 8 : 40);
    uint32_t codes[MOST_ROWS];
    char name[16];

    snprintf(name, sizeof name, "s%d", index);
    for (uint32_t i = 0; i < m->problem.n_rows; i++) {
        codes[i] = (maker_below(random, n_values) + maker_below(random, n_values)) / 2;
        if (i % 4 == 0)
            codes[i] = i * n_values / m->problem.n_rows;
    }
    return maker_add_sensitive(m, name, codes, n_values);
}

/* %s is drawn from the numbers behind it. */
static const struct {
    const char *model, *params;
    bool is_sensitive, is_on_axis;
    const char *number[4];
} promise[] = {
    {"k-anonymity", "k=%s", false, false, {"2", "3", "5", "20"}},
    {"enhanced-beta-likeness", "beta=%s", true, false, {"0.5", "1", "2.5", "4"}},
    {"basic-beta-likeness", "beta=%s", true, false, {"0.5", "1", "5/3", "10"}},
    {"t-closeness", "distance=equal,t=%s", true, false, {"0.15", "0.3", "0.5", "0.7"}},
    {"t-closeness", "distance=ordered,t=%s", true, false, {"0.1", "0.2", "0.3", "0.5"}},
    {"t-closeness", "distance=numeric,t=%s", true, false, {"0", "0.05", "0.2", "0.3"}},
    {"t-closeness", "distance=hierarchical,t=%s", true, false, {"0.1", "1/7", "0.3", "0.5"}},
    {"distinct-l-diversity", "l=%s", true, false, {"1", "2", "2", "3"}},
    {"probabilistic-l-diversity", "l=%s", true, false, {"1.2", "1.5", "2", "3"}},
    {"entropy-l-diversity", "l=%s", true, false, {"1.2", "1.5", "2", "2.5"}},
    {"recursive-cl-diversity", "l=2,c=%s", true, false, {"2", "4", "9", "0.9"}},
    {"alpha-k-anonymity", "k=2,alpha=%s", true, false, {"0.5", "0.7", "0.9", "1"}},
    {"p-sensitive-k-anonymity", "k=3,p=%s", true, false, {"1", "2", "2", "3"}},
    {"t-closeness", "distance=kl,t=%s", true, false, {"0.2", "0.5", "1", "2"}},
    {"basic-beta-likeness", "two-sided=ratio,beta=%s", true, false, {"1", "2", "5", "20"}},
    {"enhanced-beta-likeness", "beta=3,two-sided={difference: %s}", true, false, {"0.1", "0.5", "0.8", "0.99"}},
    {"enhanced-beta-likeness", "beta=3,proximity={window: 3},group-beta=%s", true, false, {"0.5", "1", "2", "3"}},
    {"basic-beta-likeness", "beta=3,groups=[[0], [0, 1]],group-beta=%s", true, false, {"0.2", "0.5", "1", "2"}},
    {"delta-disclosure", "delta=%s", true, false, {"0.5", "1", "2", "4"}},
    {"ke-anonymity", "k=2,e=%s", true, false, {"1", "1", "2", "3"}},
    {"min-length", "length=%s", false, true, {"0", "1", "2", "5"}},
};

enum { N_PROMISES = sizeof promise / sizeof *promise, N_BETA = 3, N_CLOSE = 7 };

static void add_promise(problem_maker *m, uint32_t which, int view, uint64_t *random)
{
    char params[96];
    const char *percent = strstr(promise[which].params, "%s");

    if (!covey_model_find(promise[which].model))
        return;
    snprintf(params, sizeof params, "%.*s%s%s", (int)(percent - promise[which].params), promise[which].params,
             promise[which].number[maker_below(random, 4)], percent + 2);
    if (promise[which].is_on_axis) { /* numbers only */
        if (m->problem.axis[0].kind != COVEY_AXIS_RANGE)
            return;
        maker_promise(m, promise[which].model, params, -1);
        m->problem.promises.promise[m->problem.promises.n - 1].attribute = m->problem.axis[0].column->name;
        return;
    }
    maker_promise(m, promise[which].model, params, promise[which].is_sensitive ? view : -1);
}

void random_problem(problem_maker *m, uint64_t number, const uint32_t *order)
{
    uint64_t random = number ^ 0x5DEECE66Du;
    const uint32_t kind =
        maker_below(&random, 8); /* 0 .. 2: only of beta-likeness and k; 3: one of t-closeness, and k */
    int n_axes, view[2], n_views, n_promises;
    covey_error err = {0};

    maker_init(m, random_problem_rows(number));
    m->order = order;
    n_axes = 1 + (int)maker_below(&random, 4);
    n_views = 1 + (maker_below(&random, 4) == 0);
    n_promises = 1 + (int)maker_below(&random, 3);
    for (int a = 0; a < n_axes; a++)
        add_axis(m, a, &random);
    for (int v = 0; v < n_views; v++)
        view[v] = add_sensitive(m, v, &random);
    for (int v = 0; v < n_views; v++)
        maker_add_sensitive_tree(m, view[v], 2 + (int)maker_below(&random, 3));
    if (maker_below(&random, 3) == 0) {
        uint32_t codes[MOST_ROWS];

        for (uint32_t i = 0; i < m->problem.n_rows; i++)
            codes[i] = maker_below(&random, 3);
        maker_add_insensitive(m, "other", codes, 3);
    }
    for (int p = 0; p < n_promises; p++)
        if (kind < 3)
            add_promise(m, p == 0 ? 1 + maker_below(&random, N_BETA - 1) : maker_below(&random, N_BETA), view[0],
                        &random);
        else if (kind == 3)
            add_promise(m, p == 0 ? N_BETA + maker_below(&random, N_CLOSE - N_BETA) : 0, view[0], &random);
        else
            add_promise(m, maker_below(&random, N_PROMISES), view[maker_below(&random, (uint32_t)n_views)], &random);
    if (m->problem.promises.n == 0)
        add_promise(m, 0, -1, &random);
    if (maker_below(&random, 4) == 0)
        m->problem.max_suppressed = maker_below(&random, m->problem.n_rows / 3 + 1);
    if (maker_finish(m, &err) != COVEY_OK)
        fail_msg("problem %llu: %s", (unsigned long long)number, err.message);
}

void random_grouped_problem(problem_maker *m, uint64_t number, const uint32_t *order, const char *const promises[2][2])
{
    uint64_t random = number ^ 0x5DEECE66Du;
    covey_error err = {0};
    int n_axes, view;

    maker_init(m, random_problem_rows(number));
    m->order = order;
    n_axes = 1 + (int)maker_below(&random, 4);
    for (int a = 0; a < n_axes; a++)
        add_axis(m, a, &random);
    view = add_sensitive(m, 0, &random);
    if (maker_below(&random, 3) == 0) {
        uint32_t codes[MOST_ROWS];

        for (uint32_t i = 0; i < m->problem.n_rows; i++)
            codes[i] = maker_below(&random, 3);
        maker_add_insensitive(m, "other", codes, 3);
    }
    for (int p = 0; p < 2 && promises[p][0]; p++)
        maker_promise(m, promises[p][0], promises[p][1], view);
    if (maker_below(&random, 4) == 0)
        m->problem.max_suppressed = maker_below(&random, m->problem.n_rows / 3 + 1);
    if (maker_finish(m, &err) != COVEY_OK)
        fail_msg("problem %llu: %s", (unsigned long long)number, err.message);
}

const char *random_problem_text(const problem_maker *m)
{
    static char text[512];
    size_t used =
        (size_t)snprintf(text, sizeof text, "%u rows, %zu axes, at most %" PRId64 " suppressed:", m->problem.n_rows,
                         m->problem.n_axes, m->problem.max_suppressed);

    for (size_t i = 0; i < m->problem.promises.n && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", m->problem.promises.promise[i].model->name);
    return text;
}

void *random_method_params(problem_maker *m, const covey_method *method, uint64_t number, char *text, size_t text_size)
{
    uint64_t random = number * 7919 + 13;
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < method->n_params; i++) {
        const covey_param *p = &method->params[i];
        char value[64] = "";
        int n = 0;

        const bool is_needed =
            strcmp(p->name, "node-limit") == 0 || strcmp(p->name, "label") == 0; /* or a search might take hours */

        if (!is_needed &&
            (maker_below(&random, 2) || (strcmp(p->name, "publish-boxes") == 0 && maker_below(&random, 2))))
            continue;
        if (p->type == COVEY_PARAM_BOOL) {
            snprintf(value, sizeof value, "%s", maker_below(&random, 2) ? "true" : "false");
        } else if (p->type == COVEY_PARAM_CHOICE) {
            while (p->choices[n])
                n++;
            snprintf(value, sizeof value, "%s", p->choices[maker_below(&random, (uint32_t)n)]);
            if (strcmp(value, "dynamic") == 0) /* not for any number of axes */
                snprintf(value, sizeof value, "auto");
            if (strcmp(value, "kl") == 0 && m->problem.max_suppressed > 0) /* refused: no sum over classes then */
                snprintf(value, sizeof value, "ncp");
        } else if (strcmp(p->name, "min-size") == 0) {
            snprintf(value, sizeof value, "%u", maker_below(&random, 8));
        } else if (strcmp(p->name, "cuts") == 0) {
            snprintf(value, sizeof value, "%s", p->maximum && maker_below(&random, 2) ? p->maximum : "1");
        } else if (strcmp(p->name, "node-limit") == 0) {
            snprintf(value, sizeof value, "%u", 1 + maker_below(&random, 400));
        } else if (strcmp(p->name, "label") == 0) {
            snprintf(value, sizeof value, "s0");
        } else if (strcmp(p->name, "splits") == 0) {
            snprintf(value, sizeof value, "{q0: \"quantile:%u\"}", 1 + maker_below(&random, 5));
        } else if (strcmp(p->name, "slack") == 0) {
            snprintf(value, sizeof value, "0.%u", maker_below(&random, 100));
        } else {
            continue;
        }
        used += (size_t)snprintf(text + used, text_size - used, "%s%s=%s", used ? "," : "", p->name, value);
        assert_true(used < text_size);
    }
    return maker_method_params(m, method, text);
}
