/* Laws that every model keeps, on random tables and classes: what its traits claim, and what its figure says. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "support/problem/class_judge.h"
#include "support/trees.h"
#include "table/histogram.h"

enum { N = 5 };

static int rounds(void)
{
    return test_share(3000);
}

/* Models with parameters that random classes sometimes keep and sometimes break. */
static const char *const cases[][2] = {
    {"k-anonymity", "k=9"},
    {"distinct-l-diversity", "l=4"},
    {"probabilistic-l-diversity", "l=5/2"},
    {"probabilistic-l-diversity", "l=3"},
    {"sliced-l-diversity", "l=5/2"},
    {"entropy-l-diversity", "l=3"},
    {"entropy-l-diversity", "l=3.7"},
    {"recursive-cl-diversity", "c=1.5,l=3"},
    {"recursive-cl-diversity", "c=2/3,l=2"},
    {"recursive-cl-diversity", "c=1/2,l=1"},
    {"alpha-k-anonymity", "alpha=0.4,k=6"},
    {"alpha-k-anonymity", "alpha=0.1,k=3,value=20"},
    {"p-sensitive-k-anonymity", "p=3,k=8"},
    {"t-closeness", "t=0.3"},
    {"t-closeness", "t=0.2,distance=ordered"},
    {"t-closeness", "t=0.2,distance=numeric"},
    {"t-closeness", "t=0.2,distance=hierarchical"},
    {"t-closeness", "t=0.4,distance=kl"},
    {"t-closeness", "t=0.07,distance=js,log=nat"},
    {"t-closeness", "t=0.02,distance=js-smoothed,smooth=0.4"},
    {"basic-beta-likeness", "beta=1"},
    {"basic-beta-likeness", "beta=2/3"},
    {"enhanced-beta-likeness", "beta=1"},
    {"enhanced-beta-likeness", "beta=5"},
    {"basic-beta-likeness", "beta=3,two-sided=ratio"},
    {"basic-beta-likeness", "beta=2,groups=[[10, 25], [20, 40, 80]],group-beta=1/3"},
    {"basic-beta-likeness", "beta=3,proximity={window: 2},group-beta=1/2"},
    {"enhanced-beta-likeness", "beta=4,two-sided=ratio"},
    {"enhanced-beta-likeness", "beta=4,two-sided={difference: 3/4}"},
    {"enhanced-beta-likeness", "beta=3,groups=[[10, 20]]"},
    {"enhanced-beta-likeness", "beta=3,two-sided={difference: 0.9},proximity={width: 15}"},
    {"delta-disclosure", "delta=1"},
    {"delta-disclosure", "delta=2.3"},
    {"ke-anonymity", "k=3,e=25"},
    {"min-length", "length=20"},
    {"m-invariance", "m=2"},
};
enum { N_CASES = sizeof cases / sizeof *cases };

static const int64_t numbers[N] = {10, 20, 25, 40, 80};

struct class
{
    int64_t count[N];
    uint32_t low, high; /* of the quasi-identifier */
};

struct fixture {
    covey_arena arena;
    covey_hierarchy *tree;
    const covey_column *quasi[1];
    covey_model_input input;
};

static uint64_t random_state = 1;
static int current_case, n_by_shares;

/* SplitMix64 */
static uint32_t below(uint32_t n)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) % n);
}

static void set_up(struct fixture *f)
{
    *f = (struct fixture){.arena = COVEY_ARENA_INIT};
    f->tree = trees_read("10;low;*\n20;low;*\n25;low;*\n40;high;*\n80;high;*\n", NULL);
    f->quasi[0] = judge_numbers("age", numbers, 0, N, &f->arena);
    f->input = (covey_model_input){.sensitive = judge_numbers("salary", numbers, 0, N, &f->arena),
                                   .tree = f->tree,
                                   .has_order = true,
                                   .quasi = f->quasi,
                                   .n_quasi = 1,
                                   .attribute = "age"};
}

static void tear_down(struct fixture *f)
{
    covey_hierarchy_free(f->tree);
    trees_remove();
    covey_arena_free(&f->arena);
}

static void random_table(int64_t *count)
{
    int64_t total = 0;

    do {
        total = 0;
        for (int v = 0; v < N; v++)
            total += count[v] = below(4) ? 5 + below(20) : below(3);
    } while (total == 0);
}

/* Classes from a few rows to many, nearly all like the table or all alike. */
static void random_class(struct class *c, const int64_t *table)
{
    const uint32_t most = 1 + below(8), kind = below(4);
    int64_t total = 0;

    do {
        total = 0;
        for (int v = 0; v < N; v++) {
            c->count[v] = kind == 0   ? below(most + 1)
                          : kind == 1 ? table[v]
                          : kind == 2 ? table[v] / 4 + below(2)
                                      : 1 + below(most);
            if (table[v] == 0 && below(20))
                c->count[v] = 0;
            total += c->count[v];
        }
    } while (total == 0);
    c->low = below(N);
    c->high = total > 1 ? c->low + below(N - c->low) : c->low;
}

/* Counts in a random order, with values that were there and went. */
static void histogram(covey_histogram *h, const struct class *c, covey_arena *arena)
{
    const uint32_t start = below(N), gone = below(N);

    assert_int_equal(covey_i_histogram_new(h, N, arena, NULL), COVEY_OK);
    covey_i_histogram_add(h, gone, 1);
    for (uint32_t i = 0; i < N; i++) {
        const uint32_t v = (start + i) % N;

        if (c->count[v])
            covey_i_histogram_add(h, v, c->count[v]);
    }
    covey_i_histogram_remove(h, gone, 1);
}

static bool admits(judge *j, const struct class *c)
{
    covey_arena_mark mark = covey_arena_save(&j->arena);
    covey_histogram h;
    covey_group group = {.counts = &h, .low = &c->low, .high = &c->high};
    bool result;

    histogram(&h, c, &j->arena);
    group.size = h.total;
    result = j->model->admits(j->state, &group);
    covey_arena_rewind(&j->arena, mark);
    return result;
}

static covey_figure figure_of(judge *j, const struct class *c)
{
    covey_arena_mark mark = covey_arena_save(&j->arena);
    covey_histogram h;
    covey_group group = {.counts = &h, .low = &c->low, .high = &c->high};
    covey_figure figure;

    histogram(&h, c, &j->arena);
    group.size = h.total;
    j->model->figure(&figure, j->state, &group);
    covey_arena_rewind(&j->arena, mark);
    return figure;
}

static int64_t size_of(const struct class *c)
{
    int64_t size = 0;

    for (int v = 0; v < N; v++)
        size += c->count[v];
    return size;
}

static struct class merge(const struct class *a, const struct class *b)
{
    struct class both = {.low = a->low < b->low ? a->low : b->low, .high = a->high > b->high ? a->high : b->high};

    for (int v = 0; v < N; v++)
        both.count[v] = a->count[v] + b->count[v];
    return both;
}

/* A random part of a class, not empty. */
static struct class part_of(const struct class *c)
{
    struct class part;

    do {
        for (int v = 0; v < N; v++)
            part.count[v] = below((uint32_t)c->count[v] + 1);
    } while (size_of(&part) == 0);
    part.low = c->low + below(c->high - c->low + 1);
    part.high = size_of(&part) > 1 ? part.low + below(c->high - part.low + 1) : part.low;
    return part;
}

static bool has(const judge *j, unsigned trait)
{
    return (j->model->traits_of ? j->model->traits_of(j->state) : j->model->traits) & trait;
}

typedef void (*law)(judge *j, const int64_t *table, const struct class *a, const struct class *b);

/* Holds a law against every case on many tables; how often it admitted the first class goes into *n_admitted. */
static void for_all(law check)
{
    struct fixture f;

    set_up(&f);
    for (int i = 0; i < N_CASES; i++) {
        int n_admitted = 0;

        random_state = (uint64_t)i + 1;
        current_case = i;
        for (int round = 0; round < rounds() / 30; round++) {
            int64_t table[N];
            judge j;

            random_table(table);
            judge_init(&j, cases[i][0], cases[i][1], table, N, &f.input);
            for (int n = 0; n < 30; n++) {
                struct class a, b;

                random_class(&a, table);
                random_class(&b, table);
                n_admitted += admits(&j, &a);
                check(&j, table, &a, &b);
            }
            judge_clear(&j);
        }
        /* A law that is never put to the test proves nothing. */
        if (n_admitted < rounds() / 50 || n_admitted > rounds() - rounds() / 50)
            fail_msg("%s:%s admits %d of %d classes", cases[i][0], cases[i][1], n_admitted, rounds());
    }
    tear_down(&f);
}

static void check_union(judge *j, const int64_t *table, const struct class *a, const struct class *b)
{
    const struct class both = merge(a, b);

    if (has(j, COVEY_MODEL_UNION_CLOSED) && admits(j, a) && admits(j, b))
        assert_true(admits(j, &both));
}

static void a_union_of_admitted_classes_is_admitted(void **unused)
{
    for_all(check_union);
}

static void check_part(judge *j, const int64_t *table, const struct class *a, const struct class *b)
{
    const struct class part = part_of(a);

    if (has(j, COVEY_MODEL_HEREDITARY) && !admits(j, a))
        assert_false(admits(j, &part));
}

static void no_part_of_a_class_that_fails_for_good_is_admitted(void **unused)
{
    for_all(check_part);
}

static void check_caps(judge *j, const int64_t *table, const struct class *a, const struct class *b)
{
    const int64_t size = size_of(a);
    int64_t cap[N], need[N] = {0};
    bool inside = !j->model->min_size || size >= j->model->min_size(j->state);

    if (!has(j, COVEY_MODEL_CAPS))
        return;
    for (int v = 0; v < N; v++)
        cap[v] = size;
    if (j->model->bounds)
        j->model->bounds(j->state, size, NULL, N, cap, need);
    for (uint32_t v = 0; v < N && j->model->bounds; v++) { /* of one value alone the same */
        int64_t own_cap = size, own_need = 0;

        j->model->bounds(j->state, size, &v, 1, &own_cap, &own_need);
        assert_int_equal(own_cap, cap[v]);
        assert_int_equal(own_need, need[v]);
    }
    for (int v = 0; v < N; v++)
        inside &= need[v] <= a->count[v] && a->count[v] <= cap[v];
    assert_int_equal(inside, admits(j, a));
}

static void caps_and_needs_say_all_about_a_model_that_claims_so(void **unused)
{
    for_all(check_caps);
}

/* The same shares as fractions, with a denominator that no table has. */
static void check_shares(judge *j, const int64_t *table, const struct class *a, const struct class *b)
{
    const covey_u128 wide = ((covey_u128)1 << 90) - 1;
    const covey_figure expected = figure_of(j, a);
    covey_share share[N];
    covey_figure figure;
    bool admitted;
    size_t n = 0;

    for (uint32_t v = 0; v < N; v++)
        if (a->count[v] > 0)
            share[n++] = (covey_share){v, (covey_u128)a->count[v] * wide, (covey_u128)size_of(a) * wide};
    if (!j->model->judge_shares || !j->model->judge_shares(&admitted, &figure, j->state, share, n))
        return;
    assert_int_equal(admitted, admits(j, a));
    assert_int_equal(figure.infinite, expected.infinite);
    assert_true(figure.infinite || fabs(figure.real - expected.real) <= 1e-12 * (1 + fabs(expected.real)));
    n_by_shares++;
}

static void shares_are_judged_as_the_class_that_has_them(void **unused)
{
    n_by_shares = 0;
    for_all(check_shares);
    assert_true(n_by_shares > 1000);
}

static void check_both(judge *j, const int64_t *table, const struct class *a, const struct class *b)
{
    covey_arena_mark mark = covey_arena_save(&j->arena);
    const covey_figure expected = figure_of(j, a);
    covey_figure figure;
    covey_histogram h;
    const covey_group group = {.size = size_of(a), .counts = &h, .low = &a->low, .high = &a->high};

    if (!j->model->judge)
        return;
    histogram(&h, a, &j->arena);
    assert_int_equal(j->model->judge(&figure, j->state, &group), admits(j, a));
    covey_i_figure_reduce(&figure);
    assert_int_equal(figure.kind, expected.kind);
    assert_int_equal(figure.infinite, expected.infinite);
    assert_true(figure.fraction.num == expected.fraction.num && figure.fraction.den == expected.fraction.den);
    assert_memory_equal(&figure.real, &expected.real, sizeof figure.real);
    covey_arena_rewind(&j->arena, mark);
}

static void both_judgements_at_once_are_the_same(void **unused)
{
    for_all(check_both);
}

static void check_min_size(judge *j, const int64_t *table, const struct class *a, const struct class *b)
{
    if (j->model->min_size && admits(j, a))
        assert_true(size_of(a) >= j->model->min_size(j->state));
}

static void no_class_below_the_smallest_size_is_admitted(void **unused)
{
    for_all(check_min_size);
}

static void check_order(judge *j, const int64_t *table, const struct class *a, const struct class *b)
{
    const covey_figure one = figure_of(j, a), two = figure_of(j, a);

    assert_int_equal(admits(j, a), admits(j, a)); /* each time in another order */
    assert_true(one.infinite == two.infinite && one.integer == two.integer);
    assert_memory_equal(&one.real, &two.real, sizeof one.real);
    assert_int_equal(covey_i_fraction_compare(one.fraction, two.fraction), 0);
}

static void the_order_of_rows_does_not_matter(void **unused)
{
    for_all(check_order);
}

/* As many rows, and as many of them with the most frequent value, which is another one, as the others are. */
static struct class of_same_shape(const struct class *c)
{
    struct class other = {.low = c->low, .high = c->high};
    const uint32_t first = below(N);
    int64_t largest = 0, left = size_of(c);

    for (int v = 0; v < N; v++)
        largest = c->count[v] > largest ? c->count[v] : largest;
    other.count[first] = largest;
    for (left -= largest; left > 0;) {
        const uint32_t v = below(N);

        if (other.count[v] < largest) {
            other.count[v]++;
            left--;
        }
    }
    return other;
}

static void check_shape(judge *j, const int64_t *table, const struct class *a, const struct class *b)
{
    const struct class other = of_same_shape(a);
    const covey_figure one = figure_of(j, a), two = figure_of(j, &other);

    if (!has(j, COVEY_MODEL_SLICED))
        return;
    assert_int_equal(admits(j, a), admits(j, &other));
    assert_true(one.infinite == two.infinite);
    assert_int_equal(covey_i_fraction_compare(one.fraction, two.fraction), 0);
    assert_non_null(j->model->least_l);
}

/* Which lets each size and largest count be judged once, where it comes first. */
static void sets_of_pieces_are_judged_by_their_size_and_their_largest_count(void **unused)
{
    for_all(check_shape);
}

static void check_whole(judge *j, const int64_t *table, const struct class *a, const struct class *b)
{
    struct class whole = {.low = 0, .high = N - 1};
    const covey_group group = {.size = j->prior.total, .counts = &j->prior, .low = &whole.low, .high = &whole.high};
    covey_nearest nearest = {.n = 0};

    memcpy(whole.count, table, sizeof whole.count);
    if (has(j, COVEY_MODEL_INVARIANT))
        return; /* the table is no class: its method says what it lacks */
    if (!j->model->hopeless) {
        assert_true(admits(j, &whole));
        return;
    }
    assert_int_equal(j->model->hopeless(&nearest, j->state, &group), !admits(j, &whole));
    assert_int_equal(nearest.why[0] == '\0', admits(j, &whole));
    assert_int_equal(nearest.n == 0, admits(j, &whole));
}

static void a_reason_is_given_if_and_only_if_the_whole_table_fails(void **unused)
{
    for_all(check_whole);
}

/* <0, 0, >0: the figure against the threshold; 0 if doubles cannot tell. */
static int against(const covey_figure *figure, covey_ratio threshold)
{
    if (figure->infinite)
        return 1;
    if (figure->kind == COVEY_FIGURE_INTEGER)
        return (figure->integer > threshold.num) - (figure->integer < threshold.num);
    if (figure->kind == COVEY_FIGURE_FRACTION)
        return covey_i_fraction_compare(figure->fraction, covey_i_fraction_of_ratio(threshold));
    if (fabs(figure->real - covey_ratio_value(threshold)) < 1e-7)
        return 0;
    return figure->real > covey_ratio_value(threshold) ? 1 : -1;
}

/* The first parameter of the case: that is the threshold, where a model has one. */
static covey_ratio threshold_of(int i)
{
    const char *value = strchr(cases[i][1], '=') + 1;
    covey_ratio threshold = {0, 1};
    char text[32];

    snprintf(text, sizeof text, "%.*s", (int)strcspn(value, ","), value);
    assert_int_equal(covey_ratio_parse(&threshold, text, NULL), COVEY_OK);
    return threshold;
}

static void check_figure(judge *j, const int64_t *table, const struct class *a, const struct class *b)
{
    const covey_figure figure = figure_of(j, a);
    int order;

    if (!j->model->threshold)
        return;
    order = against(&figure, threshold_of(current_case));
    if (strcmp(j->model->name, "enhanced-beta-likeness") == 0 || strstr(cases[current_case][1], "two-sided") ||
        strstr(cases[current_case][1], "group-beta")) {
        if (admits(j, a))
            assert_true(order <= 0);
    } else if (figure.kind == COVEY_FIGURE_REAL && order == 0 && !figure.infinite) {
        return;
    } else {
        assert_int_equal(admits(j, a), j->model->figure_high_is_safe ? order >= 0 : order <= 0);
    }
}

static void the_figure_decides_where_there_is_one_threshold(void **unused)
{
    for_all(check_figure);
}

static void check_combine(judge *j, const int64_t *table, const struct class *a, const struct class *b)
{
    covey_figure ab = figure_of(j, a), ba = figure_of(j, b);
    const covey_figure one = ab, two = ba;
    char left[96], right[96];

    covey_i_figure_combine(j->model, &ab, &two);
    covey_i_figure_combine(j->model, &ba, &one);
    covey_i_figure_text(left, sizeof left, &ab);
    covey_i_figure_text(right, sizeof right, &ba);
    assert_string_equal(left, right);
    covey_i_figure_combine(j->model, &ab, &ab);
    covey_i_figure_text(right, sizeof right, &ab);
    assert_string_equal(left, right);
}

static void the_worst_figure_does_not_depend_on_the_order_of_classes(void **unused)
{
    for_all(check_combine);
}

static void every_model_has_a_case(void **unused)
{
    for (size_t m = 0; m < covey_model_count(); m++) {
        bool found = covey_model_at(m)->traits &
                     COVEY_MODEL_TARGET; /* says nothing of classes: tests/law/method/transformed_law_test.c */

        for (int i = 0; i < N_CASES; i++)
            found |= strcmp(covey_model_name(covey_model_at(m)), cases[i][0]) == 0;
        if (!found)
            fail_msg("no case for %s", covey_model_name(covey_model_at(m)));
    }
}

/* One class judged by two models, on many tables. */
static void for_pairs(const char *strong, const char *strong_params, const char *weak, const char *weak_params,
                      bool equivalent)
{
    struct fixture f;
    int n_admitted = 0;

    set_up(&f);
    random_state = 7;
    for (int round = 0; round < rounds(); round++) {
        int64_t table[N];
        struct class c;
        judge s, w;

        random_table(table);
        random_class(&c, table);
        judge_init(&s, strong, strong_params, table, N, &f.input);
        judge_init(&w, weak, weak_params, table, N, &f.input);
        n_admitted += admits(&s, &c);
        if (admits(&s, &c))
            assert_true(admits(&w, &c));
        else if (equivalent)
            assert_false(admits(&w, &c));
        judge_clear(&s);
        judge_clear(&w);
    }
    assert_true(n_admitted > rounds() / 50 && n_admitted < rounds());
    tear_down(&f);
}

static void recursive_implies_distinct(void **unused)
{
    for_pairs("recursive-cl-diversity", "c=3,l=3", "distinct-l-diversity", "l=3", false);
    for_pairs("recursive-cl-diversity", "c=100,l=5", "distinct-l-diversity", "l=5", false);
}

static void entropy_and_probabilistic_imply_distinct_rounded_up(void **unused)
{
    for_pairs("entropy-l-diversity", "l=2.5", "distinct-l-diversity", "l=3", false);
    for_pairs("probabilistic-l-diversity", "l=7/3", "distinct-l-diversity", "l=3", false);
}

static void probabilistic_implies_entropy(void **unused)
{
    for_pairs("probabilistic-l-diversity", "l=2", "entropy-l-diversity", "l=2", false);
    for_pairs("probabilistic-l-diversity", "l=3", "entropy-l-diversity", "l=3", false);
    for_pairs("probabilistic-l-diversity", "l=10/3", "entropy-l-diversity", "l=10/3", false);
}

static void alpha_one_over_l_is_probabilistic_l(void **unused)
{
    for_pairs("alpha-k-anonymity", "alpha=1/3,k=1", "probabilistic-l-diversity", "l=3", true);
    for_pairs("alpha-k-anonymity", "alpha=0.4,k=1", "probabilistic-l-diversity", "l=2.5", true);
}

static void enhanced_beta_implies_basic_beta(void **unused)
{
    for_pairs("enhanced-beta-likeness", "beta=1", "basic-beta-likeness", "beta=1", false);
}

/* q < e^delta p: the gain stays below e^delta - 1; ln 2 = 0.6931... */
static void delta_implies_beta(void **unused)
{
    for_pairs("delta-disclosure", "delta=0.6931471805599453", "basic-beta-likeness", "beta=1", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_has_a_case),
        cmocka_unit_test(a_union_of_admitted_classes_is_admitted),
        cmocka_unit_test(no_part_of_a_class_that_fails_for_good_is_admitted),
        cmocka_unit_test(caps_and_needs_say_all_about_a_model_that_claims_so),
        cmocka_unit_test(shares_are_judged_as_the_class_that_has_them),
        cmocka_unit_test(both_judgements_at_once_are_the_same),
        cmocka_unit_test(no_class_below_the_smallest_size_is_admitted),
        cmocka_unit_test(the_order_of_rows_does_not_matter),
        cmocka_unit_test(sets_of_pieces_are_judged_by_their_size_and_their_largest_count),
        cmocka_unit_test(a_reason_is_given_if_and_only_if_the_whole_table_fails),
        cmocka_unit_test(the_figure_decides_where_there_is_one_threshold),
        cmocka_unit_test(the_worst_figure_does_not_depend_on_the_order_of_classes),
        cmocka_unit_test(recursive_implies_distinct),
        cmocka_unit_test(entropy_and_probabilistic_imply_distinct_rounded_up),
        cmocka_unit_test(probabilistic_implies_entropy),
        cmocka_unit_test(alpha_one_over_l_is_probabilistic_l),
        cmocka_unit_test(enhanced_beta_implies_basic_beta),
        cmocka_unit_test(delta_implies_beta),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
