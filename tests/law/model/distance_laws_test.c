/* Earth mover's distances of t-closeness against a transport problem that is solved by brute force, and the laws they
 * keep. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "support/problem/class_judge.h"
#include "support/trees.h"

enum { N = 6, ROUNDS = 400 };

/* Uneven leaves, a node on two levels, and a chain above the root's only branch but one. */
static const char tree_lines[] = "0;a;a;x;*\n1;a;a;x;*\n2;2;b;x;*\n3;c;b;x;*\n4;c;b;x;*\n5;5;5;y;*\n";
static const int64_t numbers[N] = {-3, 0, 1, 2, 10, 40};

static uint64_t random_state;

/* SplitMix64 */
static uint32_t below(uint32_t n)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) % n);
}

struct fixture {
    covey_arena arena;
    covey_hierarchy *tree;
    covey_model_input input;
};

static void set_up(struct fixture *f)
{
    *f = (struct fixture){.arena = COVEY_ARENA_INIT};
    f->tree = trees_read(tree_lines, NULL);
    f->input = (covey_model_input){
        .sensitive = judge_numbers("salary", numbers, 0, N, &f->arena), .tree = f->tree, .has_order = true};
}

static void tear_down(struct fixture *f)
{
    covey_hierarchy_free(f->tree);
    trees_remove();
    covey_arena_free(&f->arena);
}

static int64_t random_counts(int64_t *count, uint32_t n, uint32_t most, const int64_t *within)
{
    int64_t total;

    do {
        total = 0;
        for (uint32_t v = 0; v < n; v++)
            total += count[v] = within && within[v] == 0 ? 0 : below(most + 1);
    } while (total == 0);
    return total;
}

/* Ground distances times their denominator, by definition. */
static int64_t ground(int64_t *den, const char *distance, const struct fixture *f, const int64_t *table, uint32_t a,
                      uint32_t b)
{
    int first = -1, last = -1, rank[N], n = 0;

    for (int v = 0; v < N; v++) {
        rank[v] = n;
        if (table[v] > 0) {
            first = first < 0 ? v : first;
            last = v;
            n++;
        }
    }
    if (strcmp(distance, "equal") == 0) {
        *den = 1;
        return a != b;
    }
    if (strcmp(distance, "ordered") == 0) {
        *den = n > 1 ? n - 1 : 1;
        return rank[a] > rank[b] ? rank[a] - rank[b] : rank[b] - rank[a];
    }
    if (strcmp(distance, "numeric") == 0) {
        *den = n > 1 ? numbers[last] - numbers[first] : 1;
        return numbers[a] > numbers[b] ? numbers[a] - numbers[b] : numbers[b] - numbers[a];
    }
    *den = covey_hierarchy_n_levels(f->tree) - 1;
    for (int level = 0;; level++) /* the file's own levels: no use of nodes, heights or chains */
        if (strcmp(covey_hierarchy_label(f->tree, covey_hierarchy_ancestor(f->tree, a, level)),
                   covey_hierarchy_label(f->tree, covey_hierarchy_ancestor(f->tree, b, level))) == 0)
            return level;
}

/* Least cost of moving the table's shares onto the class's: successive shortest paths over all values. */
static covey_fraction oracle(const char *distance, const struct fixture *f, const int64_t *table, int64_t n_table,
                             const int64_t *class, int64_t n_class)
{
    int64_t supply[N], demand[N], flow[N][N] = {{0}}, den = 1, total = 0;

    for (int v = 0; v < N; v++) {
        supply[v] = table[v] * n_class;
        demand[v] = class[v] * n_table;
    }
    for (;;) {
        int64_t best[2 * N], amount;
        int from[2 * N], end = -1;

        for (int v = 0; v < N; v++) {
            best[v] = supply[v] > 0 ? 0 : INT64_MAX / 2;
            best[N + v] = INT64_MAX / 2;
            from[v] = from[N + v] = -1;
        }
        for (int pass = 0; pass < 2 * N; pass++) /* Bellman and Ford */
            for (int a = 0; a < N; a++)
                for (int b = 0; b < N; b++) {
                    const int64_t cost = ground(&den, distance, f, table, (uint32_t)a, (uint32_t)b);

                    if (best[a] + cost < best[N + b]) {
                        best[N + b] = best[a] + cost;
                        from[N + b] = a;
                    }
                    if (flow[a][b] > 0 && best[N + b] - cost < best[a]) {
                        best[a] = best[N + b] - cost;
                        from[a] = N + b;
                    }
                }
        for (int v = 0; v < N; v++)
            if (demand[v] > 0 && best[N + v] < INT64_MAX / 4 && (end < 0 || best[N + v] < best[end]))
                end = N + v;
        if (end < 0)
            break;
        amount = demand[end - N];
        for (int v = end; from[v] >= 0; v = from[v]) {
            if (v < N && flow[v][from[v] - N] < amount)
                amount = flow[v][from[v] - N];
            if (from[from[v]] < 0 && supply[from[v]] < amount)
                amount = supply[from[v]];
        }
        demand[end - N] -= amount;
        total += amount * best[end];
        for (int v = end; from[v] >= 0; v = from[v]) {
            if (v >= N)
                flow[from[v]][v - N] += amount;
            else
                flow[v][from[v] - N] -= amount;
            if (from[from[v]] < 0)
                supply[from[v]] -= amount;
        }
    }
    return covey_i_fraction(total, (covey_i128)n_table * n_class * den);
}

static const char *const exact[] = {"equal", "ordered", "numeric", "hierarchical"};

static covey_fraction distance_of(const char *distance, const struct fixture *f, const int64_t *table,
                                  const int64_t *class)
{
    char params[64];
    covey_figure figure;
    judge j;

    snprintf(params, sizeof params, "t=0.5,distance=%s", distance);
    judge_init(&j, "t-closeness", params, table, N, &f->input);
    figure = judge_figure(&j, class);
    assert_int_equal(judge_admits(&j, class), covey_i_fraction_compare(figure.fraction, (covey_fraction){1, 2}) <= 0);
    judge_clear(&j);
    assert_int_equal(figure.kind, COVEY_FIGURE_FRACTION);
    assert_false(figure.infinite);
    return figure.fraction;
}

static void distances_are_the_least_cost_of_moving_shares(void **unused)
{
    struct fixture f;

    set_up(&f);
    random_state = 11;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t table[N], class[N];
        const int64_t n_table = random_counts(table, N, 5, NULL);
        const int64_t n_class = random_counts(class, N, 1 + below(4), table);

        for (int i = 0; i < 4; i++) {
            const covey_fraction found = distance_of(exact[i], &f, table, class);
            const covey_fraction wanted = oracle(exact[i], &f, table, n_table, class, n_class);

            assert_int_equal(covey_i_fraction_compare(found, wanted), 0);
        }
    }
    tear_down(&f);
}

static void a_class_like_the_table_is_at_distance_zero_however_large(void **unused)
{
    struct fixture f;

    set_up(&f);
    random_state = 12;
    for (int round = 0; round < ROUNDS; round++) {
        const int64_t times = 1 + below(1000);
        int64_t table[N], class[N];

        random_counts(table, N, 9, NULL);
        for (int v = 0; v < N; v++)
            class[v] = table[v] * times;
        for (int i = 0; i < 4; i++)
            assert_true(distance_of(exact[i], &f, table, class).num == 0);
    }
    tear_down(&f);
}

static void scaling_counts_changes_nothing(void **unused)
{
    struct fixture f;

    set_up(&f);
    random_state = 13;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t table[N], class[N], many_table[N], many_class[N];
        const int64_t s = 1 + below(50), t = 1 + below(50);

        random_counts(table, N, 9, NULL);
        random_counts(class, N, 4, table);
        for (int v = 0; v < N; v++) {
            many_table[v] = table[v] * s;
            many_class[v] = class[v] * t;
        }
        for (int i = 0; i < 4; i++)
            assert_int_equal(covey_i_fraction_compare(distance_of(exact[i], &f, table, class),
                                                      distance_of(exact[i], &f, many_table, many_class)),
                             0);
    }
    tear_down(&f);
}

/* The distance of a union is at most the mean of its parts' distances, weighted by their sizes. */
static void merging_moves_towards_the_table(void **unused)
{
    struct fixture f;

    set_up(&f);
    random_state = 14;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t table[N], a[N], b[N], both[N];
        int64_t n_a, n_b;

        random_counts(table, N, 9, NULL);
        n_a = random_counts(a, N, 4, table);
        n_b = random_counts(b, N, 4, table);
        for (int v = 0; v < N; v++)
            both[v] = a[v] + b[v];
        for (int i = 0; i < 4; i++) {
            const covey_fraction d_a = distance_of(exact[i], &f, table, a), d_b = distance_of(exact[i], &f, table, b);
            const covey_fraction mean =
                covey_i_fraction(d_a.num * n_a * d_b.den + d_b.num * n_b * d_a.den, d_a.den * d_b.den * (n_a + n_b));

            assert_true(covey_i_fraction_compare(distance_of(exact[i], &f, table, both), mean) <= 0);
        }
    }
    tear_down(&f);
}

static void the_distance_is_symmetric_and_keeps_the_triangle_inequality(void **unused)
{
    struct fixture f;

    set_up(&f);
    random_state = 15;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t a[N], b[N], c[N];

        for (int v = 0; v < N; v++) {
            a[v] = 1 + below(9);
            b[v] = 1 + below(9);
            c[v] = 1 + below(9);
        }
        for (int i = 0; i < 4; i++) {
            const covey_fraction ab = distance_of(exact[i], &f, a, b), bc = distance_of(exact[i], &f, b, c);
            const covey_fraction sum = covey_i_fraction(ab.num * bc.den + bc.num * ab.den, ab.den * bc.den);

            assert_int_equal(covey_i_fraction_compare(ab, distance_of(exact[i], &f, b, a)), 0);
            assert_true(covey_i_fraction_compare(distance_of(exact[i], &f, a, c), sum) <= 0);
        }
    }
    tear_down(&f);
}

static void a_flat_tree_is_the_equal_distance(void **unused)
{
    struct fixture f;

    set_up(&f);
    covey_hierarchy_free(f.tree);
    f.input.tree = f.tree = trees_read("0;*\n1;*\n2;*\n3;*\n4;*\n5;*\n", NULL);
    random_state = 16;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t table[N], class[N];

        random_counts(table, N, 9, NULL);
        random_counts(class, N, 4, table);
        assert_int_equal(covey_i_fraction_compare(distance_of("equal", &f, table, class),
                                                  distance_of("hierarchical", &f, table, class)),
                         0);
    }
    tear_down(&f);
}

static void two_values_in_order_are_the_equal_distance(void **unused)
{
    struct fixture f;

    set_up(&f);
    random_state = 17;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t table[N] = {0}, class[N] = {0};
        const uint32_t one = below(N), other = (one + 1 + below(N - 1)) % N;

        table[one] = 1 + below(9);
        table[other] = 1 + below(9);
        class[one] = below(9);
        class[other] = class[one] == 0 ? 1 : below(9);
        assert_int_equal(
            covey_i_fraction_compare(distance_of("equal", &f, table, class), distance_of("ordered", &f, table, class)),
            0);
        assert_int_equal(
            covey_i_fraction_compare(distance_of("equal", &f, table, class), distance_of("numeric", &f, table, class)),
            0);
    }
    tear_down(&f);
}

/* Domains too large for the brute force, classes of every density: sums over the whole domain. */
enum { LARGE = 5000 };

/* unit: between numbers, 0: by their order */
static covey_fraction whole_area(const int64_t *table, int64_t n_table, const int64_t *class, int64_t n_class,
                                 int64_t unit)
{
    covey_i128 sum = 0, difference = 0;
    int64_t width = 0;
    int before = -1;

    for (int v = 0; v < LARGE; v++) {
        if (table[v] == 0)
            continue;
        if (before >= 0) {
            const int64_t step = unit > 0 ? ((int64_t)v * v - (int64_t)before * before) * unit : 1;

            sum += (difference < 0 ? -difference : difference) * step;
            width += step;
        }
        difference += (covey_i128) class[v] * n_table - (covey_i128)table[v] * n_class;
        before = v;
    }
    return covey_i_fraction(sum, (covey_i128)n_table * n_class * (width > 0 ? width : 1));
}

static void check_densities(int64_t unit)
{
    static int64_t squares[LARGE], table[LARGE], class[LARGE];
    covey_arena arena = COVEY_ARENA_INIT;
    covey_model_input input = {.has_order = true};

    random_state = 18;
    for (int v = 0; v < LARGE; v++)
        squares[v] = (int64_t)v * v * unit;
    input.sensitive = judge_numbers("area", squares, 0, LARGE, &arena);
    for (uint32_t density = 1; density < LARGE; density *= 3) {
        int64_t n_table = 0, n_class = 0;
        judge ordered, numeric;

        for (int v = 0; v < LARGE; v++) {
            n_table += table[v] = below(3) ? below(30) : 0;
            n_class += class[v] = table[v] > 0 && below(LARGE) < density ? 1 + below(3) : 0;
        }
        if (n_class == 0)
            continue;
        judge_init(&ordered, "t-closeness", "t=0.1,distance=ordered", table, LARGE, &input);
        judge_init(&numeric, "t-closeness", "t=0.1,distance=numeric", table, LARGE, &input);
        assert_int_equal(covey_i_fraction_compare(judge_figure(&ordered, class).fraction,
                                                  whole_area(table, n_table, class, n_class, 0)),
                         0);
        assert_int_equal(covey_i_fraction_compare(judge_figure(&numeric, class).fraction,
                                                  whole_area(table, n_table, class, n_class, unit)),
                         0);
        judge_clear(&ordered);
        judge_clear(&numeric);
    }
    covey_arena_free(&arena);
}

/* Also where sums need more than 64 bits. */
static void classes_of_any_density_agree_with_sums_over_the_domain(void **unused)
{
    check_densities(1);
    check_densities((int64_t)1 << 30);
}

/* pos and neg of every inner node, as the definition has it: leaves in runs of 7, those in runs of 7, the root over
 * all. */
static covey_fraction whole_tree(const int64_t *table, int64_t n_table, const int64_t *class, int64_t n_class)
{
    static covey_i128 extra[4][LARGE];
    covey_i128 sum = 0;

    memset(extra, 0, sizeof extra);
    for (int v = 0; v < LARGE; v++)
        extra[0][v] = (covey_i128)table[v] * n_class - (covey_i128) class[v] * n_table;
    for (int height = 1, n = LARGE; height <= 3; height++, n = (n + 6) / 7) {
        covey_i128 pos[LARGE] = {0}, neg[LARGE] = {0};

        for (int v = 0; v < n; v++) {
            const int parent = height == 3 ? 0 : v / 7;

            *(extra[height - 1][v] > 0 ? &pos[parent] : &neg[parent]) += extra[height - 1][v];
        }
        for (int v = 0; v < n; v++) {
            extra[height][v] = pos[v] + neg[v];
            sum += height * (pos[v] < -neg[v] ? pos[v] : -neg[v]);
        }
    }
    return covey_i_fraction(sum, (covey_i128)n_table * n_class * 3);
}

static void classes_of_any_density_agree_with_sums_over_the_tree(void **unused)
{
    static int64_t table[LARGE], class[LARGE];
    static char lines[LARGE * 32];
    covey_model_input input = {0};
    covey_hierarchy *tree;
    size_t size = 0;

    random_state = 19;
    for (int v = 0; v < LARGE; v++)
        size += (size_t)snprintf(lines + size, sizeof lines - size, "%d;a%d;b%d;*\n", v, v / 7, v / 49);
    input.tree = tree = trees_read(lines, NULL);
    for (uint32_t density = 1; density < LARGE; density *= 3) {
        int64_t n_table = 0, n_class = 0;
        judge j;

        for (int v = 0; v < LARGE; v++) {
            n_table += table[v] = below(3) ? below(30) : 0;
            n_class += class[v] = table[v] > 0 && below(LARGE) < density ? 1 + below(3) : 0;
        }
        if (n_class == 0)
            continue;
        judge_init(&j, "t-closeness", "t=0.1,distance=hierarchical", table, LARGE, &input);
        assert_int_equal(
            covey_i_fraction_compare(judge_figure(&j, class).fraction, whole_tree(table, n_table, class, n_class)), 0);
        judge_clear(&j);
    }
    covey_hierarchy_free(tree);
    trees_remove();
}

/* By definition, in nats. */
static long double divergence(bool is_kl, const int64_t *table, const int64_t *class)
{
    long double n_table = 0, n_class = 0, sum = 0;

    for (int v = 0; v < N; v++) {
        n_table += table[v];
        n_class += class[v];
    }
    for (int v = 0; v < N; v++) {
        const long double p = table[v] / n_table, q = class[v] / n_class;

        if (p > 0)
            sum += is_kl ? p * logl(p / q) : p * logl(2 * p / (p + q)) / 2;
        if (q > 0 && !is_kl)
            sum += q * logl(2 * q / (p + q)) / 2;
    }
    return sum;
}

/* 10^-17 above a divergence is enough, 10^-17 below is not: a hundred times nearer than doubles could tell. */
static void divergences_are_told_from_t_by_the_last_digit(void **state)
{
    struct fixture f;

    set_up(&f);
    for (int round = 0; round < ROUNDS; round++) {
        const bool is_kl = below(2), natural = below(2);
        const uint32_t most = below(3) ? 5 : 1000000;
        int64_t table[N], class[N];
        long double truth;

        random_counts(class, N, most, NULL);
        for (int v = 0; v < N; v++)
            table[v] = (class[v] += is_kl) + below(most);
        truth = divergence(is_kl, table, class) / (natural ? 1 : logl(2));
        if (truth < 1e-9L || truth >= 1) /* alike, or too few digits left */
            continue;
        for (int more = 0; more < 2; more++) {
            char params[100];
            judge j;

            snprintf(params, sizeof params, "t=%.17Lf,distance=%s,log=%s", truth + (more ? 1.5e-17L : -1.5e-17L),
                     is_kl ? "kl" : "js", natural ? "nat" : "bit");
            judge_init(&j, "t-closeness", params, table, N, &f.input);
            if (judge_admits(&j, class) != more)
                fail_msg("%s: %s", params, more ? "refused" : "admitted");
            judge_clear(&j);
        }
    }
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_the_least_cost_of_moving_shares),
        cmocka_unit_test(a_class_like_the_table_is_at_distance_zero_however_large),
        cmocka_unit_test(scaling_counts_changes_nothing),
        cmocka_unit_test(merging_moves_towards_the_table),
        cmocka_unit_test(the_distance_is_symmetric_and_keeps_the_triangle_inequality),
        cmocka_unit_test(a_flat_tree_is_the_equal_distance),
        cmocka_unit_test(two_values_in_order_are_the_equal_distance),
        cmocka_unit_test(divergences_are_told_from_t_by_the_last_digit),
        cmocka_unit_test(classes_of_any_density_agree_with_sums_over_the_domain),
        cmocka_unit_test(classes_of_any_density_agree_with_sums_over_the_tree),
    };

    random_state = test_seed(1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
