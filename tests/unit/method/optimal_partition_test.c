/* Every search of optimal-partition against plain recursion over all cuts of tiny tables; the worked examples; the
 * counts; limits. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "support/problem/partitionings.h"
#include "support/problem/problem_maker.h"
#include "method/optimal/optimal.h"
#include "table/table_impl.h"

enum { MOST_ROWS = 14, MOST_AXES = 3 };

/* A table, splits and wishes. */
struct case_ {
    problem_maker m;
    covey_axis_splits *splits;
    covey_fraction length[MOST_AXES];
    bool has_lengths;
    covey_optimal_options options;
};

static const covey_ratio exact = {1, 1};

/* ---- the plain way ---- */

struct plain {
    const struct case_ *c;
    covey_tally tally;
};

static double edge_value(const covey_axis *axis, const covey_axis_splits *s, uint32_t e)
{
    covey_fraction low, high;

    covey_i_splits_domain(&low, &high, axis);
    return covey_i_fraction_value(e == 0 ? low : e == s->n + 1 ? high : s->threshold[e - 1]);
}

static uint32_t cell_of(const struct case_ *c, size_t a, uint32_t row)
{
    const uint32_t code = covey_i_code(c->m.problem.axis[a].column, row);
    uint32_t cell = 0;

    while (cell < c->splits[a].n && code >= c->splits[a].n_left[cell])
        cell++;
    return cell;
}

static double plain_cost(const struct plain *p, const uint32_t *rows, uint32_t n, const uint32_t *low,
                         const uint32_t *high)
{
    const struct case_ *c = p->c;
    const size_t d = c->m.problem.n_axes;
    double sum = 0, volume = 1;
    int64_t count[8] = {0}, most = 0;

    for (uint32_t i = 0; i < n; i++)
        count[covey_i_code(c->m.problem.promises.view[0].column, rows[i])]++;
    for (int v = 0; v < 8; v++)
        most = count[v] > most ? count[v] : most;
    switch (c->options.cost) {
    case COVEY_OPT_DISCERNIBILITY:
        return (double)n * n;
    case COVEY_OPT_CLASSES:
        return -1;
    case COVEY_OPT_NCP_BOX:
        for (size_t a = 0; a < d; a++) {
            const covey_axis *axis = &c->m.problem.axis[a];
            const double all = edge_value(axis, &c->splits[a], c->splits[a].n + 1) - edge_value(axis, &c->splits[a], 0);

            sum += all > 0 ? (edge_value(axis, &c->splits[a], high[a]) - edge_value(axis, &c->splits[a], low[a])) / all
                           : 0;
        }
        return sum * n;
    case COVEY_OPT_CLASS_ERROR:
        return (double)(n - most);
    case COVEY_OPT_CLASS_ENTROPY:
        for (int v = 0; v < 8; v++)
            sum -= count[v] ? (double)count[v] * log((double)count[v] / n) : 0;
        return sum;
    default:
        break;
    }
    for (size_t a = 0; a < d; a++) { /* what depends on the rows' own ranges */
        uint32_t lo = UINT32_MAX, hi = 0, cell_lo = UINT32_MAX, cell_hi = 0;

        for (uint32_t i = 0; i < n; i++) {
            const uint32_t code = covey_i_code(c->m.problem.axis[a].column, rows[i]), cell = cell_of(c, a, rows[i]);

            lo = code < lo ? code : lo;
            hi = code > hi ? code : hi;
            cell_lo = cell < cell_lo ? cell : cell_lo;
            cell_hi = cell > cell_hi ? cell : cell_hi;
        }
        sum += (double)covey_i_axis_loss(&c->m.problem.axis[a], lo, hi) / (double)c->m.problem.axis[a].loss_den;
        volume *= cell_hi - cell_lo + 1;
    }
    if (c->options.cost == COVEY_OPT_NCP)
        return sum * n;
    sum = 0;
    for (uint32_t i = 0; i < n; i++) { /* each row of a cell of w rows adds ln(w V / n) */
        uint32_t w = 0;

        for (uint32_t j = 0; j < n; j++) {
            bool same = true;

            for (size_t a = 0; a < d; a++)
                same = same && cell_of(c, a, rows[i]) == cell_of(c, a, rows[j]);
            w += same;
        }
        sum += log(w * volume / n);
    }
    return sum;
}

static double plain_leaf(struct plain *p, const uint32_t *rows, uint32_t n, const uint32_t *low, const uint32_t *high)
{
    const struct case_ *c = p->c;

    covey_i_tally_clear(&p->tally);
    for (uint32_t i = 0; i < n; i++)
        covey_i_tally_add(&p->tally, &c->m.problem.promises, rows[i]);
    if (covey_i_promises_admit(&c->m.problem.promises, &p->tally))
        return plain_cost(p, rows, n, low, high);
    if (!c->options.suppress)
        return INFINITY;
    switch (c->options.cost) {
    case COVEY_OPT_DISCERNIBILITY:
        return (double)n * c->m.problem.n_rows;
    case COVEY_OPT_CLASSES:
        return 0;
    case COVEY_OPT_CLASS_ERROR:
        return n;
    case COVEY_OPT_CLASS_ENTROPY:
        return n * log(c->m.problem.promises.view[0].column->n_values);
    default:
        return (double)n * (double)c->m.problem.n_axes;
    }
}

static bool may_cut(const struct case_ *c, size_t a, uint32_t low, uint32_t high, uint32_t edge)
{
    const covey_axis *axis = &c->m.problem.axis[a];
    const double length = c->has_lengths ? covey_i_fraction_value(c->length[a]) : 0;

    if (c->splits[a].siblings &&
        covey_hierarchy_lca(axis->tree, edge - 1, edge) != covey_hierarchy_lca(axis->tree, low, high - 1))
        return false;
    return edge_value(axis, &c->splits[a], edge) - edge_value(axis, &c->splits[a], low) >= length &&
           edge_value(axis, &c->splits[a], high) - edge_value(axis, &c->splits[a], edge) >= length;
}

/* The cheapest partitioning of a box, by trying everything. */
static double plain_best(struct plain *p, const uint32_t *rows, uint32_t n, const uint32_t *low, const uint32_t *high)
{
    const struct case_ *c = p->c;
    const size_t d = c->m.problem.n_axes;
    double best = n ? plain_leaf(p, rows, n, low, high) : 0;

    for (size_t a = 0; n && a < d; a++)
        for (uint32_t edge = low[a] + 1; edge < high[a]; edge++) {
            uint32_t side[2][MOST_ROWS], n_side[2] = {0, 0}, lo[MOST_AXES], hi[MOST_AXES];
            double sum;

            if (!may_cut(c, a, low[a], high[a], edge))
                continue;
            for (uint32_t i = 0; i < n; i++) {
                const int s = cell_of(c, a, rows[i]) >= edge;

                side[s][n_side[s]++] = rows[i];
            }
            memcpy(lo, low, sizeof lo);
            memcpy(hi, high, sizeof hi);
            hi[a] = edge;
            sum = plain_best(p, side[0], n_side[0], lo, hi);
            lo[a] = edge;
            hi[a] = high[a];
            if (sum < INFINITY)
                sum += plain_best(p, side[1], n_side[1], lo, hi);
            best = sum < best ? sum : best;
        }
    return best;
}

static double plain_optimum(struct case_ *c)
{
    struct plain p = {.c = c};
    uint32_t rows[MOST_ROWS], low[MOST_AXES] = {0}, high[MOST_AXES] = {0};

    assert_int_equal(covey_i_tally_new(&p.tally, &c->m.problem.promises, &c->m.arena, NULL), COVEY_OK);
    for (uint32_t i = 0; i < c->m.problem.n_rows; i++)
        rows[i] = i;
    for (size_t a = 0; a < c->m.problem.n_axes; a++) {
        high[a] = c->splits[a].n + 1;
        if (c->has_lengths && edge_value(&c->m.problem.axis[a], &c->splits[a], high[a]) -
                                      edge_value(&c->m.problem.axis[a], &c->splits[a], 0) <
                                  covey_i_fraction_value(c->length[a]))
            return INFINITY;
    }
    return plain_best(&p, rows, c->m.problem.n_rows, low, high);
}

/* ---- the searches ---- */

struct outcome {
    double best, bound;
    covey_optimal_stop stop;
};

/* What a search says on its way: best and bound get better all the time, and the optimum lies between. */
struct trace {
    double optimum, best, bound;
    int sign; /* -1: a maximum */
    int n_steps;
};

static void follow(void *context, const covey_improvement *now)
{
    struct trace *t = context;
    const double best = t->sign * now->best, bound = t->sign * now->bound;

    assert_true(best <= t->best && bound >= t->bound);
    assert_true(best >= t->optimum - 1e-6 && bound <= t->optimum + 1e-6);
    assert_true(now->ratio == 0 || now->ratio >= 1);
    t->best = best;
    t->bound = bound;
    t->n_steps++;
}

static covey_status search_with(struct outcome *out, struct case_ *c, const covey_run *run)
{
    covey_arena arena = COVEY_ARENA_INIT;
    uint32_t *rows = covey_arena_array(&arena, uint32_t, c->m.problem.n_rows);
    covey_optimal_grid g;
    covey_optimal_result result;
    covey_optimal_worker w = {0};
    covey_optimal_applied applied;
    covey_status status;

    assert_int_equal(covey_i_problem_sort_rows(rows, &c->m.problem, run, NULL), COVEY_OK);
    assert_int_equal(covey_i_optimal_grid_new(&g, &c->m.problem, c->splits, c->has_lengths ? c->length : NULL, rows,
                                              c->m.problem.n_rows, &c->options, &arena, NULL),
                     COVEY_OK);
    status = covey_i_optimal_search(&result, &g, run, NULL);
    if (status == COVEY_OK) {
        *out = (struct outcome){covey_i_optimal_value(&g, result.best), covey_i_optimal_value(&g, result.bound),
                                result.stop};
        assert_int_equal(covey_i_optimal_worker_new(&w, &g, NULL), COVEY_OK);
        assert_int_equal(covey_i_optimal_apply(&applied, NULL, NULL, &w, &result.tree, NULL), COVEY_OK);
        assert_float_equal(covey_i_optimal_value(&g, applied.cost), out->best, 1e-6); /* the tree costs what is said */
        covey_i_optimal_worker_clear(&w);
        covey_i_optimal_tree_clear(&result.tree);
    }
    covey_arena_free(&arena);
    return status;
}

/* optimum: of the plain way, NaN where it is not known. */
static struct outcome solved_like(struct case_ *c, covey_optimal_search search, double optimum)
{
    struct trace trace = {optimum, INFINITY, -INFINITY, c->options.cost == COVEY_OPT_CLASSES ? -1 : 1, 0};
    const covey_run run = {.n_threads = 1, .improved = isnan(optimum) ? NULL : follow, .context = &trace};
    struct outcome out = {INFINITY, INFINITY, COVEY_OPT_PROVEN};
    covey_status status;

    c->options.search = search;
    status = search_with(&out, c, &run);
    assert_true(status == COVEY_OK || status == COVEY_EINFEASIBLE);
    return out;
}

static struct outcome solved(struct case_ *c, covey_optimal_search search)
{
    return solved_like(c, search, NAN);
}

/* ---- random tables ---- */

static const struct {
    const char *model, *params[3];
    bool is_sensitive;
} constraint[] = {
    {"k-anonymity", {"k=1", "k=2", "k=3"}, false},
    {"distinct-l-diversity", {"l=1", "l=2", "l=3"}, true},
    {"probabilistic-l-diversity", {"l=1.2", "l=1.5", "l=2"}, true},
    {"entropy-l-diversity", {"l=1.2", "l=1.6", "l=2"}, true},
    {"recursive-cl-diversity", {"c=1.5,l=2", "c=3,l=2", "c=0.9,l=2"}, true},
    {"t-closeness", {"distance=equal,t=0.2", "distance=equal,t=0.4", "distance=ordered,t=0.3"}, true},
    {"t-closeness", {"distance=numeric,t=0.3", "distance=js,t=0.3", "distance=kl,t=0.5"}, true},
    {"enhanced-beta-likeness", {"beta=0.5", "beta=1", "beta=2"}, true},
    {"basic-beta-likeness", {"beta=0.5", "beta=1", "beta=2"}, true},
    {"delta-disclosure", {"delta=0.5", "delta=1", "delta=2"}, true},
    {"alpha-k-anonymity", {"alpha=0.5,k=2", "alpha=0.7,k=1", "alpha=0.8,k=3"}, true},
    {"p-sensitive-k-anonymity", {"p=2,k=2", "p=2,k=3", "p=3,k=3"}, true},
    {"ke-anonymity", {"k=2,e=1", "k=3,e=0", "k=2,e=2"}, true},
    {"min-length", {"length=1", "length=2", "length=0"}, false},
};

/* A bound from above: neither of the traits, so that searches may only ask about whole classes. */
static bool is_small(const void *state, const covey_group *group)
{
    return group->size <= 4;
}

static const covey_model small_classes = {.name = "small", .threshold = "", .admits = is_small};

static void make_case(struct case_ *c, uint64_t number)
{
    uint64_t random = number * 77 + 5;
    const uint32_t n_rows = 1 + maker_below(&random, MOST_ROWS), n_axes = 1 + maker_below(&random, MOST_AXES);
    uint32_t codes[MOST_ROWS];
    char text[256] = "{", name[16];
    int view;

    memset(c, 0, sizeof *c);
    maker_init(&c->m, n_rows);
    for (uint32_t a = 0; a < n_axes; a++) {
        const uint32_t n_values = 2 + maker_below(&random, n_axes == 3 ? 3 : 5), kind = maker_below(&random, 4);
        const bool has_null = maker_below(&random, 6) == 0;

        snprintf(name, sizeof name, "q%u", a);
        for (uint32_t i = 0; i < n_rows; i++)
            codes[i] = maker_below(&random, n_values);
        if (kind == 0)
            maker_add_flat(&c->m, name, codes, n_values, has_null);
        else if (kind == 1)
            maker_add_tree(&c->m, name, codes, n_values, false, 2);
        else
            maker_add_range(&c->m, name, codes, n_values, has_null, NULL);
        if (kind > 1 && maker_below(&random, 2))
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s: [0.5, 0.75, 1.25, 2]", text[1] ? ", " : "",
                     name);
        c->length[a] = covey_i_fraction(maker_below(&random, 4), 2);
    }
    for (uint32_t i = 0; i < n_rows; i++)
        codes[i] = maker_below(&random, 3);
    view = maker_add_sensitive(&c->m, "s", codes, 3);
    for (int i = 0; i < 2; i++) {
        const uint32_t which = i == 0 ? 0 : maker_below(&random, sizeof constraint / sizeof *constraint);

        maker_promise(&c->m, constraint[which].model, constraint[which].params[maker_below(&random, 3)],
                      constraint[which].is_sensitive ? view : -1);
        if (strcmp(constraint[which].model, "min-length") == 0)
            c->m.problem.promises.promise[i].attribute = "q0";
    }
    if (maker_finish(&c->m, NULL) != COVEY_OK) { /* (k, e) and lengths want numbers */
        c->m.problem.promises.n = 1;
        assert_int_equal(maker_finish(&c->m, NULL), COVEY_OK);
    }
    if (number % 7 == 3 && c->m.problem.promises.n == 2)
        c->m.problem.promises.promise[1].model = &small_classes;
    snprintf(text + strlen(text), sizeof text - strlen(text), "}");
    assert_int_equal(covey_i_splits_read(&c->splits, &c->m.problem, text, 0, "test", &c->m.arena, NULL, NULL),
                     COVEY_OK);
    c->options = (covey_optimal_options){.cost = (covey_optimal_cost)maker_below(&random, COVEY_OPT_CLASS_ENTROPY + 1),
                                         .approximation = exact,
                                         .time_limit = -1};
    c->options.suppress = c->options.cost != COVEY_OPT_KL && maker_below(&random, 2);
    c->has_lengths = maker_below(&random, 3) == 0;
}

static void check_case(uint64_t number)
{
    static const covey_optimal_search searches[] = {COVEY_OPT_DYNAMIC, COVEY_OPT_AND_OR, COVEY_OPT_PET};
    struct case_ c;
    double optimum;

    make_case(&c, number);
    optimum = plain_optimum(&c);
    for (size_t i = 0; i < 3; i++) {
        uint32_t cells[MOST_AXES];

        for (size_t a = 0; a < c.m.problem.n_axes; a++)
            cells[a] = c.splits[a].n + 1;
        if (searches[i] == COVEY_OPT_PET &&
            count_partitionings(cells, c.m.problem.n_axes) - 1 >= 5000) /* 0: a very large number */
            continue;                                                   /* it may have to look at all of them */
        c.options.priority = (covey_optimal_priority)(number % 3);
        const struct outcome found = solved_like(&c, searches[i], optimum);

        if (!(found.best == optimum || fabs(found.best - optimum) < 1e-6) ||
            (isfinite(optimum) && found.stop != COVEY_OPT_PROVEN) || found.bound > optimum + 1e-6)
            fail_msg("case %llu, search %d, cost %s: %.9g (bound %.9g, %s) instead of %.9g", (unsigned long long)number,
                     (int)searches[i], covey_i_optimal_cost_names[c.options.cost], found.best, found.bound,
                     covey_i_optimal_stop_words[found.stop], optimum);
    }
    maker_clear(&c.m);
}

static void every_search_finds_the_optimum_of_tiny_tables(void **state)
{
    for (uint64_t number = 0; number < 800; number++)
        check_case(number);
}

/* ---- worked examples ---- */

/* Numeric axes with a domain and splits; a sensitive attribute; k. */
static void example(struct case_ *c, uint32_t n_rows, uint32_t n_axes, const uint32_t codes[][MOST_ROWS],
                    const char *splits, const char *sensitive, const char *k)
{
    uint32_t values[MOST_ROWS] = {0};
    char name[2] = "x";

    memset(c, 0, sizeof *c);
    maker_init(&c->m, n_rows);
    for (uint32_t a = 0; a < n_axes; a++, name[0]++)
        maker_add_range(&c->m, name, codes[a], 13, false, NULL);
    for (uint32_t i = 0; sensitive && i < n_rows; i++)
        values[i] = (uint32_t)(sensitive[i] - 'a');
    maker_promise(&c->m, "k-anonymity", k, -1);
    if (sensitive)
        maker_promise(&c->m, "entropy-l-diversity", "l=2", maker_add_sensitive(&c->m, "s", values, 2));
    assert_int_equal(maker_finish(&c->m, NULL), COVEY_OK);
    assert_int_equal(covey_i_splits_read(&c->splits, &c->m.problem, splits, 0, "test", &c->m.arena, NULL, NULL),
                     COVEY_OK);
    c->options = (covey_optimal_options){.approximation = exact, .time_limit = -1};
}

static void expect_optimum(struct case_ *c, double optimum)
{
    for (covey_optimal_search search = COVEY_OPT_AUTO; search <= COVEY_OPT_PET; search++) {
        const struct outcome found = solved(c, search);

        assert_true(found.best == optimum);
        assert_true(found.stop == COVEY_OPT_PROVEN && found.bound == optimum);
    }
    maker_clear(&c->m);
}

static const uint32_t nine[2][MOST_ROWS] = {{1, 2, 3, 1, 2, 3, 6, 8, 9}, {1, 3, 2, 6, 8, 9, 2, 5, 8}};
static const uint32_t eleven[1][MOST_ROWS] = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};

static void nine_points_are_three_classes_of_three(void **state)
{
    static const struct {
        const char *k;
        double optimum;
    } expected[] = {{"k=3", 27}, {"k=2", 21}, {"k=4", 41}, {"k=5", 81}, {"k=10", INFINITY}};
    struct case_ c;

    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        example(&c, 9, 2, nine, "{x: [2, 4, 7], y: [4, 7]}", NULL, expected[i].k);
        expect_optimum(&c, expected[i].optimum);
    }
}

static void a_line_of_eleven(void **state)
{
    struct case_ c;

    example(&c, 11, 1, eleven, "{x: [2, 3, 5, 7, 8]}", NULL, "k=3");
    expect_optimum(&c, 41);
    example(&c, 11, 1, eleven, "{x: [2, 3, 5, 7, 8]}", NULL, "k=3");
    c.has_lengths = true;
    c.length[0] = (covey_fraction){5, 1};
    expect_optimum(&c, 61);
    example(&c, 11, 1, eleven, "{x: [2, 3, 5, 7, 8]}", NULL, "k=3");
    c.has_lengths = true;
    c.length[0] = (covey_fraction){13, 1};
    expect_optimum(&c, INFINITY);
}

static void outliers_are_suppressed_where_that_is_cheaper(void **state)
{
    static const uint32_t with_nine[1][MOST_ROWS] = {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9}}, two[1][MOST_ROWS] = {{1, 1}};
    struct case_ c;

    example(&c, 11, 1, with_nine, "{x: [5]}", NULL, "k=4");
    c.options.suppress = true;
    expect_optimum(&c, 111);
    example(&c, 11, 1, with_nine, "{x: [5]}", NULL, "k=4");
    expect_optimum(&c, 121);
    example(&c, 2, 1, two, "{x: [5]}", NULL, "k=4");
    expect_optimum(&c, INFINITY);
    example(&c, 2, 1, two, "{x: [5]}", NULL, "k=4");
    c.options.suppress = true;
    expect_optimum(&c, 4);
}

static void entropy_at_its_bound(void **state)
{
    static const uint32_t pairs[1][MOST_ROWS] = {{1, 1, 3, 3, 5, 5, 7, 7}};
    static const struct {
        const char *values;
        double optimum;
    } expected[] = {{"abababab", 16}, {"aabbabab", 24}, {"abababaa", INFINITY}};
    struct case_ c;

    for (size_t i = 0; i < 3; i++) {
        example(&c, 8, 1, pairs, "{x: [2, 4, 6]}", expected[i].values, "k=1");
        expect_optimum(&c, expected[i].optimum);
    }
}

/* Every cell is a class of its own: 1 + 1 + 1 + 1 for the corners of a square, whatever the search; as pairs, 4 + 4. */
static void single_rows_are_classes_where_nothing_else_is_promised(void **state)
{
    static const uint32_t square[2][MOST_ROWS] = {{0, 0, 1, 1}, {0, 1, 0, 1}},
                          twice[1][MOST_ROWS] = {{1, 1, 1, 2, 5, 5}};
    struct case_ c;

    example(&c, 4, 2, square, "{x: [0.5], y: [0.5]}", NULL, "k=1");
    expect_optimum(&c, 4);
    example(&c, 4, 2, square, "{x: [0.5], y: [0.5]}", NULL, "k=2");
    expect_optimum(&c, 8);
    example(&c, 6, 1, twice, "{x: distinct}", NULL, "k=1"); /* equal rows stay together */
    expect_optimum(&c, 9 + 1 + 4);
    example(&c, 6, 1, twice, "{x: none}", NULL, "k=1");
    expect_optimum(&c, 36);
}

/* Squares of more rows would not fit; nothing else of the table is looked at before. */
static void a_table_of_too_many_rows_is_refused(void **state)
{
    struct case_ c;
    covey_optimal_grid g;
    covey_error err;

    example(&c, 9, 2, nine, "{x: [2], y: [4]}", NULL, "k=3");
    assert_int_equal(covey_i_optimal_grid_new(&g, &c.m.problem, c.splits, NULL, NULL, (uint32_t)INT32_MAX + 1,
                                              &c.options, &c.m.arena, &err),
                     COVEY_EINVAL);
    assert_non_null(strstr(err.message, "2147483648 rows; 2147483647 are the most"));
    maker_clear(&c.m);
}

/* ---- bounds ---- */

static void bounds_of_the_specification(void **state)
{
    covey_optimal_options options = {.approximation = exact};
    covey_optimal_units floor[3000];
    covey_optimal_grid g = {.options = &options, .floor = floor};

    for (int i = 0; i < 2; i++) {
        g.k = i ? 4 : 3;
        for (int64_t n = 0; n < 3000; n++) {
            const int64_t q = n / g.k;

            floor[n] = n == 0   ? 0
                       : q == 0 ? COVEY_OPT_INFINITE
                                : (n % q) * (n / q + 1) * (n / q + 1) + (q - n % q) * (n / q) * (n / q);
        }
        if (i == 0) {
            assert_int_equal(covey_i_optimal_bound(&g, 11, 0, 0), 41);
            assert_int_equal(covey_i_optimal_bound(&g, 9, 0, 0), 27);
        } else {
            assert_int_equal(covey_i_optimal_bound(&g, 11, 10, 50), 61); /* cells of 5, 5, 1 */
            assert_int_equal(covey_i_optimal_bound(&g, 13, 12, 72), 80); /* cells of 6, 6, 1 */
        }
    }
}

/* The least cost of so many rows, as a grid of that many has it: f(11, 3) and so on. */
static void equal_classes_cost_least(void **state)
{
    enum { ADULT = 30162 };
    static const struct {
        const char *k;
        int64_t n, cost;
    } expected[] = {
        {"k=3", 11, 41}, {"k=3", 9, 27},  {"k=3", 2, COVEY_OPT_INFINITE}, {"k=3", 0, 0},
        {"k=4", 11, 61}, {"k=4", 13, 57}, {"k=1000", 1999, 3996001},      {"k=1000", ADULT, 30324882},
        {"k=1", 7, 7},
    };
    static uint32_t codes[ADULT], rows[ADULT];

    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct case_ c = {.options = {.approximation = exact, .time_limit = -1}};
        covey_optimal_grid g;

        maker_init(&c.m, ADULT);
        maker_add_range(&c.m, "x", codes, 2, false, NULL);
        maker_promise(&c.m, "k-anonymity", expected[i].k, -1);
        assert_int_equal(maker_finish(&c.m, NULL), COVEY_OK);
        assert_int_equal(covey_i_splits_read(&c.splits, &c.m.problem, "{}", 0, "test", &c.m.arena, NULL, NULL),
                         COVEY_OK);
        for (uint32_t row = 0; row < ADULT; row++)
            rows[row] = row;
        assert_int_equal(
            covey_i_optimal_grid_new(&g, &c.m.problem, c.splits, NULL, rows, ADULT, &c.options, &c.m.arena, NULL),
            COVEY_OK);
        assert_int_equal(g.floor[expected[i].n], expected[i].cost);
        maker_clear(&c.m);
    }
}

/* ---- counts ---- */

static void partitionings_are_counted_and_enumerated_alike(void **state)
{
    static const struct {
        uint32_t cells[4];
        size_t d;
        uint64_t n;
        bool is_quick;
    } table[] = {
        {{1}, 1, 1, true},
        {{2}, 1, 2, true},
        {{3}, 1, 4, true},
        {{4}, 1, 8, true},
        {{5}, 1, 16, true},
        {{6}, 1, 32, true},
        {{2, 2}, 2, 8, true},
        {{3, 2}, 2, 34, true},
        {{4, 2}, 2, 148, true},
        {{5, 2}, 2, 650, true},
        {{6, 2}, 2, 2864, true},
        {{3, 3}, 2, 320, true},
        {{4, 3}, 2, 3118, true},
        {{5, 3}, 2, 30752, true},
        {{4, 4}, 2, 68480, true},
        {{5, 4}, 2, 1525558, true},
        {{5, 5}, 2, 76879360, false},
        {{6, 6}, 2, 446048380296, false},
        {{2, 2, 2}, 3, 146, true},
        {{3, 2, 2}, 3, 3016, true},
        {{4, 2, 2}, 3, 65014, true},
        {{3, 3, 2}, 3, 313138, true},
        {{3, 3, 3}, 3, 369362176, false},
        {{2, 2, 2, 2}, 4, 61712, true},
        {{3, 2, 2, 2}, 4, 31234570, false},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_int_equal(count_partitionings(table[i].cells, table[i].d), table[i].n);
        if (table[i].is_quick)
            assert_int_equal(enumerate_partitionings(table[i].cells, table[i].d), table[i].n);
    }
}

/* ---- larger tables ---- */

enum { LARGE = 1500 };

/* Skewed points in three dimensions. */
static void make_large(struct case_ *c, uint32_t n_cells, const char *k)
{
    static uint32_t codes[LARGE];
    uint64_t random = 12;
    char name[2] = "x", text[128];

    memset(c, 0, sizeof *c);
    maker_init(&c->m, LARGE);
    for (int a = 0; a < 3; a++, name[0]++) {
        for (uint32_t i = 0; i < LARGE; i++)
            codes[i] = (maker_below(&random, 100) + maker_below(&random, 100)) / 2;
        maker_add_range(&c->m, name, codes, 100, false, NULL);
    }
    maker_promise(&c->m, "k-anonymity", k, -1);
    assert_int_equal(maker_finish(&c->m, NULL), COVEY_OK);
    snprintf(text, sizeof text, "{x: \"width:%u\", y: \"width:%u\", z: \"width:%u\"}", n_cells - 1, n_cells - 1,
             n_cells - 1);
    assert_int_equal(covey_i_splits_read(&c->splits, &c->m.problem, text, 0, "test", &c->m.arena, NULL, NULL),
                     COVEY_OK);
    c->options = (covey_optimal_options){.approximation = exact, .time_limit = -1};
}

static void bounds_hold_at_any_time_for_any_number_of_threads(void **state)
{
    for (covey_optimal_search search = COVEY_OPT_DYNAMIC; search <= COVEY_OPT_PET; search++)
        for (int n_threads = 1; n_threads <= 3; n_threads++) {
            struct case_ c;
            struct trace trace = {0, INFINITY, -INFINITY, 1, 0};
            const covey_run run = {.n_threads = n_threads, .improved = follow, .context = &trace};
            struct outcome out;

            make_large(&c, search == COVEY_OPT_PET ? 4 : 7, search == COVEY_OPT_PET ? "k=250" : "k=40");
            trace.optimum = solved(&c, COVEY_OPT_DYNAMIC).best;
            c.options.search = search;
            assert_int_equal(search_with(&out, &c, &run), COVEY_OK);
            assert_true(out.best == trace.optimum && out.bound == trace.optimum && trace.n_steps > 0);
            maker_clear(&c.m);
        }
}

static bool had_enough(void *context)
{
    return true;
}

static bool nothing_wanted(void *context, const char *phase, int64_t done, int64_t to_do)
{
    return false;
}

static void limits_give_what_there_is(void **state)
{
    static const covey_optimal_search searches[] = {COVEY_OPT_AND_OR, COVEY_OPT_PET, COVEY_OPT_DYNAMIC};
    const covey_run none = {.n_threads = 2}, one = {.n_threads = 1}, enough = {.n_threads = 2, .enough = had_enough},
                    nothing = {.n_threads = 2, .progress = nothing_wanted};
    struct case_ c;
    struct outcome out;
    double optimum;

    make_large(&c, 12, "k=10");
    optimum = solved(&c, COVEY_OPT_DYNAMIC).best;
    for (size_t i = 0; i < 3; i++) {
        c.options = (covey_optimal_options){.approximation = exact, .time_limit = 0, .search = searches[i]};
        assert_int_equal(search_with(&out, &c, &none), COVEY_OK);
        assert_true(out.stop == COVEY_OPT_TIME_LIMIT && out.best >= optimum && out.bound <= optimum);
        c.options.time_limit = -1;
        assert_int_equal(search_with(&out, &c, &enough), COVEY_OK);
        assert_true(out.stop == COVEY_OPT_ASKED && out.best >= optimum && out.bound <= optimum);
        assert_int_equal(search_with(&out, &c, &nothing), COVEY_ECANCELLED);
        c.options.node_limit = 2000;
        assert_int_equal(search_with(&out, &c, &none), COVEY_OK);
        assert_true(out.stop == COVEY_OPT_NODE_LIMIT && out.best >= optimum && out.bound <= optimum);
    }
    c.options = (covey_optimal_options){.approximation = {2, 1}, .time_limit = -1, .search = COVEY_OPT_AND_OR};
    assert_int_equal(search_with(&out, &c, &one), COVEY_OK);
    assert_true((out.stop == COVEY_OPT_CLOSE || out.stop == COVEY_OPT_PROVEN) && out.best <= 2 * out.bound &&
                out.best >= optimum);
    maker_clear(&c.m);
}

static void a_full_queue_ends_the_claim_and_a_full_memory_of_blocks_does_not(void **state)
{
    const covey_run run = {.n_threads = 1};
    struct case_ c;
    struct outcome out;
    double optimum;

    make_large(&c, 6, "k=60");
    optimum = solved(&c, COVEY_OPT_DYNAMIC).best;
    c.options = (covey_optimal_options){
        .approximation = exact, .time_limit = -1, .search = COVEY_OPT_PET, .memory_limit = 6 << 10};
    assert_int_equal(search_with(&out, &c, &run), COVEY_OK);
    assert_true(out.stop == COVEY_OPT_MEMORY_LIMIT && out.best >= optimum && out.bound <= optimum);
    c.options.search = COVEY_OPT_AND_OR;
    assert_int_equal(search_with(&out, &c, &run), COVEY_OK);
    assert_true(out.stop == COVEY_OPT_PROVEN && out.best == optimum);
    maker_clear(&c.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_search_finds_the_optimum_of_tiny_tables),
        cmocka_unit_test(nine_points_are_three_classes_of_three),
        cmocka_unit_test(a_line_of_eleven),
        cmocka_unit_test(outliers_are_suppressed_where_that_is_cheaper),
        cmocka_unit_test(entropy_at_its_bound),
        cmocka_unit_test(single_rows_are_classes_where_nothing_else_is_promised),
        cmocka_unit_test(a_table_of_too_many_rows_is_refused),
        cmocka_unit_test(bounds_of_the_specification),
        cmocka_unit_test(equal_classes_cost_least),
        cmocka_unit_test(partitionings_are_counted_and_enumerated_alike),
        cmocka_unit_test(bounds_hold_at_any_time_for_any_number_of_threads),
        cmocka_unit_test(limits_give_what_there_is),
        cmocka_unit_test(a_full_queue_ends_the_claim_and_a_full_memory_of_blocks_does_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
