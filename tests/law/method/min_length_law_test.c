/* Least widths, against all partitionings of tiny tables: the model judges what is published (ranges of rows, or the
 * regions that were cut), in the search as well as in the end, so that a proven optimum is one; the option of methods
 * that cut boxes is about the boxes. */
#include "test.h"

#include <string.h>

#include "support/problem/problem_maker.h"
#include "table/table_impl.h"

enum { MOST_ROWS = 7, SIZE = 9 }; /* values 0 .. SIZE - 1 */

static int n_tables(void)
{
    return test_share(2000);
}

static const int64_t NEVER = INT64_MAX / 4;

/* A table of points, cut at thresholds that lie between values; edges[0] and edges[n + 1] are the ends of the domain,
 * doubled. */
struct world {
    uint32_t n, k;
    uint32_t code[2][MOST_ROWS];
    int n_edges[2], edge[2][SIZE + 1];
    int length, box_length; /* of x: the model's and the option's, 0: none */
    bool cut, suppress;
};

struct box {
    int from[2], to[2]; /* edges */
};

/* The rows of a box as bits. */
static uint32_t rows_in(const struct world *w, const struct box *b)
{
    uint32_t rows = 0;

    for (uint32_t i = 0; i < w->n; i++) {
        bool inside = true;

        for (int a = 0; a < 2; a++) {
            const int at = 2 * (int)w->code[a][i];

            inside = inside && (b->from[a] == 0 || at > w->edge[a][b->from[a]]) &&
                     (b->to[a] == w->n_edges[a] - 1 || at <= w->edge[a][b->to[a]]);
        }
        if (inside)
            rows |= 1u << i;
    }
    return rows;
}

/* Width of what is published of x for the rows of a box: of the rows, or of the values that published rows have in the
 * box' stretch. */
static int width_of(const struct world *w, const struct box *b, uint32_t rows, uint32_t published)
{
    int low = SIZE, high = -1;

    for (uint32_t i = 0; i < w->n; i++) {
        const int value = (int)w->code[0][i];
        const bool is_between = (b->from[0] == 0 || 2 * value > w->edge[0][b->from[0]]) &&
                                (b->to[0] == w->n_edges[0] - 1 || 2 * value <= w->edge[0][b->to[0]]);

        if (w->cut ? is_between && published >> i & 1 : rows >> i & 1) {
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
    }
    return high - low;
}

/* Partitionings as lists of boxes: every way to cut a box, again and again. */
struct partition {
    int n;
    struct box box[MOST_ROWS + 2 * SIZE];
};

static int n_all;

static int64_t cost_of(const struct world *w, const struct partition *p)
{
    uint32_t published = (1u << w->n) - 1, before;
    int64_t cost;

    do { /* who goes takes values along, which makes others narrower */
        before = published;
        cost = 0;
        for (int i = 0; i < p->n; i++) {
            const uint32_t rows = rows_in(w, &p->box[i]);
            const int64_t n = __builtin_popcount(rows);

            if (n == 0)
                continue;
            if (n >= w->k && (rows & published) == rows && width_of(w, &p->box[i], rows, published) >= w->length) {
                cost += n * n;
                continue;
            }
            if (!w->suppress)
                return NEVER;
            published &= ~rows;
            cost += n * w->n;
        }
    } while (published != before);
    return published ? cost : NEVER;
}

/* Lists all partitionings that extend `done` by what the boxes `to_do` can be cut into; the same ones more than once.
 */
static void list(const struct world *w, struct partition *done, struct box *to_do, int n_to_do, int64_t *best)
{
    struct box b;

    if (n_to_do == 0) {
        const int64_t cost = cost_of(w, done);

        *best = cost < *best ? cost : *best;
        n_all++;
        return;
    }
    b = to_do[n_to_do - 1];
    done->box[done->n++] = b;
    list(w, done, to_do, n_to_do - 1, best);
    done->n--;
    to_do[n_to_do - 1] = b;
    for (int a = 0; a < 2; a++)
        for (int e = b.from[a] + 1; e < b.to[a]; e++) {
            struct box left = b, right = b;

            left.to[a] = right.from[a] = e;
            if (a == 0 && (w->edge[0][e] - w->edge[0][b.from[0]] < 2 * w->box_length ||
                           w->edge[0][b.to[0]] - w->edge[0][e] < 2 * w->box_length))
                continue;
            to_do[n_to_do - 1] = right;
            to_do[n_to_do] = left;
            list(w, done, to_do, n_to_do + 1, best);
            to_do[n_to_do - 1] = b;
        }
}

static int64_t cheapest(const struct world *w)
{
    struct box to_do[4 * SIZE] = {{{0, 0}, {w->n_edges[0] - 1, w->n_edges[1] - 1}}};
    struct partition done = {0};
    int64_t best = NEVER;

    n_all = 0;
    list(w, &done, to_do, 1, &best);
    return best;
}

/* Three splits of x and one of y, or two of each at most, anywhere inside the domain: also where no value is. */
static void make_world(struct world *w, uint64_t number, char *splits, size_t size)
{
    uint64_t random = number * 77 + 5;
    const int most[2] = {number % 2 ? 3 : 2, number % 2 ? 1 : 2};
    char list[2][64] = {"", ""};

    *w = (struct world){.n = 2 + maker_below(&random, MOST_ROWS - 1),
                        .k = 1 + maker_below(&random, 2),
                        .cut = maker_below(&random, 2),
                        .suppress = maker_below(&random, 3) == 0,
                        .length = (int)maker_below(&random, 6),
                        .box_length = maker_below(&random, 2) ? (int)maker_below(&random, 5) : 0};
    for (int a = 0; a < 2; a++) {
        size_t used = 0;

        w->n_edges[a] = 1;
        for (int t = 1; t < 2 * (SIZE - 1) && w->n_edges[a] <= most[a]; t++)
            if (maker_below(&random, 5) == 0) {
                used += (size_t)snprintf(list[a] + used, sizeof list[a] - used, "%s%d.%d", used ? ", " : "", t / 2,
                                         t % 2 * 5);
                w->edge[a][w->n_edges[a]++] = t;
            }
        w->edge[a][w->n_edges[a]++] = 2 * (SIZE - 1);
        for (uint32_t i = 0; i < w->n; i++)
            w->code[a][i] = i == 0 ? 0 : i == 1 ? SIZE - 1 : maker_below(&random, SIZE); /* all of the domain */
    }
    snprintf(splits, size, "{x: [%s], y: [%s]}", list[0], list[1]);
}

/* A column of the values that occur. */
static void add_axis(problem_maker *m, const char *name, const struct world *w, int a)
{
    uint32_t code[MOST_ROWS], n_values = 0;
    int64_t number[SIZE];

    for (uint32_t v = 0; v < SIZE; v++) {
        bool any = false;

        for (uint32_t i = 0; i < w->n; i++)
            if (w->code[a][i] == v) {
                code[i] = n_values;
                any = true;
            }
        number[n_values] = v;
        n_values += any;
    }
    maker_add_range(m, name, code, n_values, false, number);
}

static void make_problem(problem_maker *m, const struct world *w)
{
    char text[32];

    maker_init(m, w->n);
    add_axis(m, "x", w, 0);
    add_axis(m, "y", w, 1);
    snprintf(text, sizeof text, "k=%u", w->k);
    maker_promise(m, "k-anonymity", text, -1);
    if (w->length > 0) {
        snprintf(text, sizeof text, "length=%d", w->length);
        maker_promise(m, "min-length", text, -1);
        m->problem.promises.promise[m->problem.promises.n - 1].attribute = "x";
    }
    assert_int_equal(maker_finish(m, NULL), COVEY_OK);
    m->problem.max_suppressed = w->suppress ? w->n : 0;
}

static void optimal_partitions_are_the_best_of_all(void **state)
{
    static const char *const search[] = {"dynamic", "and-or", "pet"};
    int n_proven = 0, n_lengths = 0;

    for (uint64_t number = 0; number < (uint64_t)n_tables(); number++) {
        char splits[160];
        struct world w;
        int64_t best;

        make_world(&w, number, splits, sizeof splits);
        best = cheapest(&w);
        for (size_t s = 0; s < 3; s++) {
            const covey_method *method = covey_method_find("optimal-partition");
            covey_release *release = NULL;
            problem_maker m;
            covey_error err = {0};
            covey_status status;
            char params[64];
            void *own;

            make_problem(&m, &w);
            snprintf(params, sizeof params, "search=%s,publish-boxes=%s", search[s], w.cut ? "cut" : "tight");
            own = maker_method_params(&m, method, params);
            assert_int_equal(covey_param_set(own, method->params, method->n_params, "test", "splits", splits, &err),
                             COVEY_OK);
            if (w.box_length > 0) {
                snprintf(params, sizeof params, "{x: %d}", w.box_length);
                assert_int_equal(
                    covey_param_set(own, method->params, method->n_params, "test", "min-length", params, &err),
                    COVEY_OK);
            }
            status = method->run(&release, &m.problem, own, NULL, &err);
            if (status != COVEY_OK && best == NEVER) {
                assert_int_equal(status, COVEY_EINFEASIBLE);
            } else if (status != COVEY_OK) {
                if (!w.suppress || !strstr(err.message, "every row"))
                    fail_msg("table %llu, %s: %s, but there is a partitioning of cost %lld", (unsigned long long)number,
                             search[s], err.message, (long long)best);
            } else {
                const covey_objective *o = &release->objective;

                if ((o->optimal && o->value != (double)best) || (o->has_bound && o->bound > (double)best) ||
                    o->value < (double)best)
                    fail_msg("table %llu, %s, %s%s: cost %g, bound %g, optimal %d; the best of %d ways costs %lld",
                             (unsigned long long)number, search[s], w.cut ? "cut" : "tight",
                             w.suppress ? ", suppressing" : "", o->value, o->bound, o->optimal, n_all, (long long)best);
                n_proven += o->optimal;
                n_lengths += w.length > 0 && w.cut && release->n_classes > 1;
            }
            covey_release_free(release);
            maker_clear(&m);
        }
    }
    assert_true(n_proven > n_tables() && n_lengths > n_tables() / 10);
}

static int compare_ranges(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Of one attribute the boxes follow each other: a box ends somewhere between its rows and those of the next one, or
 * with the domain. */
static void boxes_of_mondrian_are_long_enough(void **state)
{
    enum { MOST = 30, DOMAIN = 40 };
    const covey_method *method = covey_method_find("mondrian");
    int n_cut = 0;

    for (uint64_t number = 0; number < (uint64_t)n_tables(); number++) {
        uint64_t random = number * 13 + 1;
        const int64_t length = 1 + maker_below(&random, 20);
        uint32_t x[MOST], range[MOST][2], n = 4 + maker_below(&random, MOST - 3);
        covey_release *release = NULL;
        problem_maker m;
        covey_error err;
        char text[64];
        void *params;

        for (uint32_t i = 0; i < n; i++)
            x[i] = i == 0 ? 0 : i == 1 ? DOMAIN : maker_below(&random, DOMAIN + 1);
        maker_init(&m, n);
        maker_add_range(&m, "x", x, DOMAIN + 1, false, NULL);
        maker_promise(&m, "k-anonymity", "k=1", -1);
        assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
        params = maker_method_params(&m, method, number % 2 ? "cuts=3" : "");
        snprintf(text, sizeof text, "{x: %d}", (int)length);
        assert_int_equal(covey_param_set(params, method->params, method->n_params, "test", "min-length", text, &err),
                         COVEY_OK);
        assert_int_equal(method->run(&release, &m.problem, params, NULL, &err), COVEY_OK);
        for (uint32_t c = 0; c < release->n_classes; c++) {
            range[c][0] = release->low[c];
            range[c][1] = release->high[c];
        }
        qsort(range, release->n_classes, sizeof *range, compare_ranges);
        for (uint32_t c = 0; c < release->n_classes; c++) {
            const int64_t from = c == 0 ? 0 : range[c - 1][1],
                          to = c + 1 == release->n_classes ? DOMAIN : range[c + 1][0];

            if (to - from < length)
                fail_msg("table %llu: a box lies between %d and %d, shorter than %d", (unsigned long long)number,
                         (int)from, (int)to, (int)length);
        }
        n_cut += release->n_classes > 1;
        covey_release_free(release);
        maker_clear(&m);
    }
    assert_true(n_cut > n_tables() / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(optimal_partitions_are_the_best_of_all),
                                       cmocka_unit_test(boxes_of_mondrian_are_long_enough)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
