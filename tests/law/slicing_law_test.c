/* What every sliced release owes: nothing of a row is lost or added, nothing tells how pieces go together, and nobody's sensitive value
 * follows with a probability above 1/l -- found by putting pieces together in every way, by code that shares nothing with the method. */
#include "../test.h"

#include <stdlib.h>
#include <string.h>

#include "../support/problem_maker.h"
#include "method/method_impl.h"
#include "release/sliced.h"
#include "table/table_impl.h"

enum { MOST_ROWS = 24, MOST_VALUES = 4, ROUNDS = 400, MOST_DIMS = 3 };

/* What the line of a slice holds of a field. */
static uint32_t code_in(const covey_release *release, const covey_problem *problem, size_t s, size_t f, uint32_t line)
{
    return covey_i_sliced_code(release, problem, s, f, covey_i_sliced_piece(release->form_data, s, line));
}

typedef struct table {
    uint32_t n, n_dims;
    uint32_t code[MOST_DIMS + 1][MOST_ROWS]; /* the last one is sensitive */
} table;

static void random_table(table *t, uint64_t *seed)
{
    t->n = 1 + maker_below(seed, MOST_ROWS);
    t->n_dims = 1 + maker_below(seed, MOST_DIMS);
    for (uint32_t d = 0; d <= t->n_dims; d++)
        for (uint32_t r = 0; r < t->n; r++)
            t->code[d][r] = maker_below(seed, MOST_VALUES);
}

static void make(problem_maker *m, const table *t, const char *l, const uint32_t *order)
{
    static const char *const name[] = {"a", "b", "c"};
    char params[32];
    covey_error err;

    maker_init(m, t->n);
    m->order = order;
    for (uint32_t d = 0; d < t->n_dims; d++)
        if (d == 1)
            maker_add_flat(m, name[d], t->code[d], MOST_VALUES, false);
        else
            maker_add_range(m, name[d], t->code[d], MOST_VALUES, false, NULL);
    snprintf(params, sizeof params, "l=%s", l);
    maker_promise(m, "sliced-l-diversity", params, maker_add_sensitive(m, "s", t->code[t->n_dims], MOST_VALUES));
    assert_int_equal(maker_finish(m, &err), COVEY_OK);
}

/* --- what an observer concludes --- */

/* Rows of a line range whose values on the slice's fields are those of the tuple; fields beyond `only` do not count. */
static uint32_t count_lines(const covey_release *release, const covey_problem *problem, size_t s, uint32_t b, const uint32_t *tuple, bool with_sensitive)
{
    const covey_sliced *data = release->form_data;
    uint32_t n = 0;

    for (uint32_t i = release->class_start[b]; i < release->class_start[b + 1]; i++) {
        bool same = true;

        for (size_t f = 0; f < data->slice[s].n_fields && same; f++) {
            const size_t field = data->slice[s].field[f];

            if (with_sensitive || problem->field[field].role != COVEY_ROLE_SENSITIVE)
                same = code_in(release, problem, s, f, i) == tuple[field];
        }
        n += same;
    }
    return n;
}

/* Rows of a bucket with the tuple's values on the fields that two slices share. */
static uint32_t count_shared(const covey_release *release, const covey_problem *problem, uint32_t b, const uint32_t *tuple, size_t s, size_t other)
{
    const covey_sliced *data = release->form_data;
    uint32_t n = 0;

    for (uint32_t i = release->class_start[b]; i < release->class_start[b + 1]; i++) {
        bool same = true;

        for (size_t f = 0; f < data->slice[s].n_fields && same; f++)
            for (size_t g = 0; g < data->slice[other].n_fields; g++)
                if (data->slice[s].field[f] == data->slice[other].field[g])
                    same = same && code_in(release, problem, s, f, i) == tuple[data->slice[s].field[f]];
        n += same;
    }
    return n;
}

/* Expected number of rows of bucket b that are the tuple; slices beyond the second share attributes with the one before at most, so that the tree
 * is a path in these tests. */
static long double expected(const covey_release *release, const covey_problem *problem, uint32_t b, const uint32_t *tuple)
{
    const covey_sliced *data = release->form_data;
    long double e = 1;

    for (size_t s = 0; s < data->n_slices; s++) {
        e *= count_lines(release, problem, s, b, tuple, true);
        if (s > 0 && e > 0)
            e /= count_shared(release, problem, b, tuple, s, s - 1);
    }
    return e;
}

static void check_posteriors(const covey_release *release, const covey_problem *problem, uint32_t n_dims, double l)
{
    uint32_t tuple[MOST_DIMS + 1] = {0}, n = 1;

    for (uint32_t d = 0; d < n_dims; d++)
        n *= MOST_VALUES;
    for (uint32_t q = 0; q < n; q++) {
        long double sum = 0, most = 0;

        for (uint32_t d = 0, rest = q; d < n_dims; d++, rest /= MOST_VALUES)
            tuple[d] = rest % MOST_VALUES;
        for (uint32_t v = 0; v < MOST_VALUES; v++) {
            long double e = 0;

            tuple[n_dims] = v;
            for (uint32_t b = 0; b < release->n_classes; b++)
                e += expected(release, problem, b, tuple);
            sum += e;
            most = e > most ? e : most;
        }
        assert_true(sum == 0 || most / sum <= 1 / l + 1e-12);
    }
}

/* --- structure --- */

/* Rows that are looked for behind the lines. */
struct dealing {
    const covey_release *release;
    const covey_problem *problem;
    bool used[MOST_ROWS], taken[MOST_DIMS + 1][MOST_ROWS]; /* rows; lines of each slice */
    unsigned steps;
};

static bool is_piece_of(const struct dealing *d, size_t s, uint32_t line, uint32_t row)
{
    const covey_slice *slice = &((const covey_sliced *)d->release->form_data)->slice[s];

    for (size_t f = 0; f < slice->n_fields; f++)
        if (code_in(d->release, d->problem, s, f, line) != covey_i_code(d->problem->field[slice->field[f]].column, row))
            return false;
    return true;
}

/* Takes a line of each slice of the bucket for the row, and undoes it where one has none. */
static bool take(struct dealing *d, uint32_t b, uint32_t row, uint32_t *lines)
{
    const covey_sliced *data = d->release->form_data;

    for (size_t s = 0; s < data->n_slices; s++) {
        uint32_t i = d->release->class_start[b];

        while (i < d->release->class_start[b + 1] && (d->taken[s][i] || !is_piece_of(d, s, i, row)))
            i++;
        if (i == d->release->class_start[b + 1]) {
            while (s-- > 0)
                d->taken[s][lines[s]] = false;
            return false;
        }
        d->taken[s][i] = true;
        lines[s] = i;
    }
    return d->used[row] = true;
}

/* Can the lines from the first slice's i-th on be those of rows that are left? */
static bool is_dealt(struct dealing *d, uint32_t b, uint32_t i)
{
    const covey_sliced *data = d->release->form_data;

    if (i == d->release->n_published)
        return true;
    b += i == d->release->class_start[b + 1];
    assert_true(d->steps++ < 1000000);
    for (uint32_t r = 0; r < d->problem->n_rows; r++) {
        uint32_t lines[MOST_DIMS + 1];

        if (d->used[r] || !is_piece_of(d, 0, i, r) || !take(d, b, r, lines))
            continue;
        if (is_dealt(d, b, i + 1))
            return true;
        d->used[r] = false;
        for (size_t s = 0; s < data->n_slices; s++)
            d->taken[s][lines[s]] = false;
    }
    return false;
}

/* In every bucket all slices are about the same rows, sorted by content, so that they say nothing about each other. */
static void check_structure(const covey_release *release, const covey_problem *problem)
{
    const covey_sliced *data = release->form_data;
    struct dealing dealing = {.release = release, .problem = problem};

    assert_true(is_dealt(&dealing, 0, 0));
    for (size_t s = 0; s < data->n_slices; s++)
        for (uint32_t b = 0; b < release->n_classes; b++)
            for (uint32_t i = release->class_start[b] + 1; i < release->class_start[b + 1]; i++) {
                int order = 0;

                for (size_t f = 0; f < data->slice[s].n_fields && order == 0; f++)
                    order = (int)code_in(release, problem, s, f, i - 1) - (int)code_in(release, problem, s, f, i);
                assert_true(order <= 0);
            }
    assert_int_equal(data->slice[data->n_slices - 1].field[data->slice[data->n_slices - 1].n_fields - 1], problem->n_fields - 1);
}

static const char *const options[] = {
    "", "anatomize=false", "cut=relaxed", "cut=relaxed,anatomize=false", "one-per-column=true", "buckets=random,bucket-size=5",
    "buckets=random,bucket-size=3,one-per-column=true", "first-dimension-only=true", "sensitive-size=1", "number-of-columns=3",
};

/* columns: NULL for found ones. */
static covey_status solve(covey_release **out, problem_maker *m, const char *params, const char *columns, int n_threads, uint64_t seed)
{
    const covey_method *method = covey_method_find("slicing");
    const covey_run run = {.n_threads = n_threads, .has_seed = true, .seed = seed};
    void *made = maker_method_params(m, method, params);
    covey_error err;
    size_t n;
    const covey_param *list = covey_method_params(method, &n);

    *out = NULL;
    if (columns)
        assert_int_equal(covey_param_set(made, list, n, "slicing", "columns", columns, &err), COVEY_OK);
    return method->run(out, &m->problem, made, &run, &err);
}

/* The columns' lines as text. */
static void print(char *out, size_t size, const covey_release *release, const covey_problem *problem)
{
    const covey_sliced *data = release->form_data;
    size_t used = 0;

    for (size_t s = 0; s < data->n_slices; s++)
        for (uint32_t b = 0; b < release->n_classes; b++)
            for (uint32_t i = release->class_start[b]; i < release->class_start[b + 1]; i++) {
                used += (size_t)snprintf(out + used, size - used, "\n%zu:%u", s, b);
                for (size_t f = 0; f < data->slice[s].n_fields; f++)
                    used += (size_t)snprintf(out + used, size - used, ",%u", code_in(release, problem, s, f, i));
            }
}

static void no_value_follows_with_more_than_one_in_l(void **state)
{
    static const char *const ls[] = {"1", "1.5", "2", "5/2", "3"};
    static const double l_value[] = {1, 1.5, 2, 2.5, 3};
    static char one[1 << 16], two[1 << 16];
    uint64_t seed = 11;
    unsigned n_made = 0;

    for (int round = 0; round < ROUNDS; round++) {
        const char *params = options[round % (sizeof options / sizeof *options)];
        const uint32_t which = maker_below(&seed, 5);
        uint32_t order[MOST_ROWS];
        covey_release *release, *again;
        problem_maker m, shuffled;
        table t;

        random_table(&t, &seed);
        for (uint32_t i = 0; i < t.n; i++)
            order[i] = t.n - 1 - i;
        make(&m, &t, ls[which], NULL);
        make(&shuffled, &t, ls[which], order);
        if (solve(&release, &m, params, NULL, 1, 7) == COVEY_OK) {
            n_made++;
            check_structure(release, &m.problem);
            check_posteriors(release, &m.problem, t.n_dims, l_value[which]);
            assert_int_equal(solve(&again, &shuffled, params, NULL, 2, 7), COVEY_OK);
            print(one, sizeof one, release, &m.problem);
            print(two, sizeof two, again, &shuffled.problem);
            assert_string_equal(one, two); /* neither order of rows nor threads show */
            covey_release_free(again);
        }
        covey_release_free(release);
        maker_clear(&m);
        maker_clear(&shuffled);
    }
    assert_true(n_made > ROUNDS / 4);
}

static void overlapping_columns_are_joined_where_copies_agree(void **state)
{
    static const char *const columns[] = {"[[a, b], [b, s]]", "[[a, b], [b, c], [c, s]]", "[[a, b, c], [b, c, s]]"};
    uint64_t seed = 23;
    unsigned n_made = 0;

    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t which = round % 3;
        covey_release *release;
        problem_maker m;
        table t;

        do
            random_table(&t, &seed);
        while (t.n_dims != (which == 0 ? 2 : 3));
        if (round % 2) /* else hardly any is feasible */
            for (uint32_t r = 0; r < t.n; r++)
                t.code[1][r] = t.code[t.n_dims - 1][r] = 0;
        make(&m, &t, "1.5", NULL);
        if (solve(&release, &m, "", columns[which], 1, 7) == COVEY_OK) {
            n_made++;
            check_structure(release, &m.problem);
            check_posteriors(release, &m.problem, t.n_dims, 1.5);
        }
        covey_release_free(release);
        maker_clear(&m);
    }
    assert_true(n_made > 20);
}

/* Pieces of several columns with the sensitive value join where it agrees, too. */
static void a_sensitive_value_in_several_columns_is_joined(void **state)
{
    static const char *const columns[] = {"[[a, s], [b, s]]", "[[a, s], [b, s], [c, s]]", "[[a, b, s], [b, c, s]]", "[[a, b], [b, s], [c, s]]"};
    static const char *const ways[] = {"", "cut=relaxed", "buckets=random,bucket-size=6", "anatomize=false"};
    static char one[1 << 16], two[1 << 16];
    unsigned n_made = 0, n_cut = 0;
    uint64_t seed = 29;

    for (int round = 0; round < 4 * ROUNDS; round++) {
        const uint32_t which = round % 4;
        covey_release *release, *again = NULL;
        problem_maker m, shuffled;
        uint32_t order[MOST_ROWS];
        covey_status status;
        table t;

        do
            random_table(&t, &seed);
        while (t.n_dims != (which == 0 ? 2 : 3) || t.n < 8);
        for (uint32_t r = 0; r < t.n; r++) { /* else hardly any is feasible */
            order[r] = t.n - 1 - r;
            for (uint32_t d = 0; d < t.n_dims; d++)
                t.code[d][r] /= d == (uint32_t)round % 3 ? MOST_VALUES : 2;
            t.code[t.n_dims][r] %= 2 + round % 2;
        }
        make(&m, &t, "1.25", NULL);
        make(&shuffled, &t, "1.25", order);
        status = solve(&release, &m, ways[round / 4 % 4], columns[which], 1, 7);
        assert_int_equal(solve(&again, &shuffled, ways[round / 4 % 4], columns[which], 2, 7), status);
        if (status == COVEY_OK) {
            n_made++;
            n_cut += release->n_classes > 1;
            check_structure(release, &m.problem);
            check_posteriors(release, &m.problem, t.n_dims, 1.25);
            print(one, sizeof one, release, &m.problem);
            print(two, sizeof two, again, &shuffled.problem);
            assert_string_equal(one, two);
        } else {
            assert_int_equal(status, COVEY_EINFEASIBLE);
        }
        covey_release_free(release);
        covey_release_free(again);
        maker_clear(&m);
        maker_clear(&shuffled);
    }
    if (n_made < 100 || n_cut < 30)
        fail_msg("%u made, %u of them cut", n_made, n_cut);
}

/* --- the same buckets as by looking at every signature of the whole table before every cut --- */

struct bucket {
    uint32_t n, row[MOST_ROWS]; /* by content */
};

/* A table as buckets, and how it is cut. */
struct naive {
    const table *t;
    uint32_t slice_of[MOST_DIMS + 1], n_slices; /* of each attribute */
    double l;
    bool relaxed, by_paper;
    uint32_t n_buckets;
    struct bucket bucket[MOST_ROWS];
};

/* Rows of a bucket that agree with the tuple on a slice; the sensitive value counts if asked for. */
static uint32_t agreeing(const struct naive *x, const struct bucket *b, uint32_t slice, const uint32_t *tuple, bool with_sensitive)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        bool same = true;

        for (uint32_t d = 0; d < x->t->n_dims + with_sensitive; d++)
            same = same && (x->slice_of[d] != slice || x->t->code[d][b->row[i]] == tuple[d]);
        n += same;
    }
    return n;
}

static bool is_diverse(const struct naive *x)
{
    uint32_t tuple[MOST_DIMS + 1], n = 1;

    for (uint32_t d = 0; d < x->t->n_dims; d++)
        n *= MOST_VALUES;
    for (uint32_t q = 0; q < n; q++) {
        long double all = 0, most = 0;

        for (uint32_t d = 0, rest = q; d < x->t->n_dims; d++, rest /= MOST_VALUES)
            tuple[d] = rest % MOST_VALUES;
        for (uint32_t v = 0; v < MOST_VALUES; v++) {
            long double e = 0;

            tuple[x->t->n_dims] = v;
            for (uint32_t b = 0; b < x->n_buckets; b++) {
                long double one = 1;

                for (uint32_t s = 0; s < x->n_slices; s++)
                    one *= (long double)agreeing(x, &x->bucket[b], s, tuple, true) / (s > 0 || x->by_paper ? x->bucket[b].n : 1);
                e += one;
            }
            all += e;
            most = e > most ? e : most;
        }
        if (all > 0 && most / all > 1 / x->l + 1e-9)
            return false;
    }
    return true;
}

/* Has some set of a bucket a share above 1/l, so that others must make up for it? */
static bool is_hot(const struct naive *x)
{
    for (uint32_t b = 0; b < x->n_buckets; b++)
        for (uint32_t i = 0; i < x->bucket[b].n; i++) {
            uint32_t tuple[MOST_DIMS + 1];

            for (uint32_t d = 0; d <= x->t->n_dims; d++)
                tuple[d] = x->t->code[d][x->bucket[b].row[i]];
            if (agreeing(x, &x->bucket[b], x->n_slices - 1, tuple, true) * x->l > agreeing(x, &x->bucket[b], x->n_slices - 1, tuple, false) + 1e-9)
                return true;
        }
    return false;
}

static int64_t extent(const struct naive *x, const struct bucket *b, uint32_t d)
{
    uint32_t low = UINT32_MAX, high = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        const uint32_t code = x->t->code[d][b->row[i]];

        low = code < low ? code : low;
        high = code > high ? code : high;
    }
    return (int64_t)high - low;
}

static void halve(struct bucket *left, struct bucket *right, const struct naive *x, const struct bucket *b, uint32_t d)
{
    uint32_t sorted[MOST_ROWS], n = 0, threshold;

    left->n = right->n = 0;
    for (uint32_t code = 0; code < MOST_VALUES; code++)
        for (uint32_t i = 0; i < b->n; i++)
            if (x->t->code[d][b->row[i]] == code)
                sorted[n++] = b->row[i];
    threshold = x->t->code[d][sorted[(n + 1) / 2 - 1]];
    if (threshold == x->t->code[d][sorted[n - 1]])
        threshold--;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = x->relaxed ? sorted[i] : b->row[i];
        struct bucket *to = (x->relaxed ? i < (n + 1) / 2 : x->t->code[d][row] <= threshold) ? left : right;

        to->row[to->n++] = row;
    }
    for (struct bucket *side = left; side; side = side == left ? right : NULL) /* rows are numbered by content */
        for (uint32_t i = 1; i < side->n; i++)
            for (uint32_t j = i; j > 0 && side->row[j] < side->row[j - 1]; j--) {
                const uint32_t row = side->row[j];

                side->row[j] = side->row[j - 1];
                side->row[j - 1] = row;
            }
}

static bool cut_naively(struct naive *x, uint32_t b, const struct bucket *whole)
{
    bool tried[MOST_DIMS] = {false};

    for (;;) {
        const struct naive before = *x;
        uint32_t best = UINT32_MAX;
        int64_t best_width = 0, best_whole = 1;

        for (uint32_t d = 0; d < x->t->n_dims; d++) {
            const int64_t width = extent(x, &x->bucket[b], d), all = extent(x, whole, d);

            if (!tried[d] && width > 0 && (best == UINT32_MAX || width * best_whole > best_width * all)) {
                best = d;
                best_width = width;
                best_whole = all;
            }
        }
        if (best == UINT32_MAX)
            return false;
        tried[best] = true;
        halve(&x->bucket[b], &x->bucket[x->n_buckets], x, &before.bucket[b], best);
        x->n_buckets++;
        if (is_diverse(x))
            return true;
        *x = before;
    }
}

/* In the order of a queue; false: not even one bucket will do. */
static bool slice_naively(struct naive *x)
{
    uint32_t queue[4 * MOST_ROWS], head = 0, tail = 0;
    struct bucket whole;

    x->n_buckets = 1;
    x->bucket[0].n = x->t->n;
    for (uint32_t i = 0; i < x->t->n; i++)
        x->bucket[0].row[i] = i;
    whole = x->bucket[0];
    if (!is_diverse(x))
        return false;
    queue[tail++] = 0;
    while (head < tail) {
        const uint32_t b = queue[head++];

        if (cut_naively(x, b, &whole)) {
            queue[tail++] = b;
            queue[tail++] = x->n_buckets - 1;
        }
    }
    return true;
}

static int compare_codes(const void *a, const void *b)
{
    return memcmp(a, b, (MOST_DIMS + 1) * sizeof(uint32_t));
}

/* A bucket's pieces, slice by slice, each sorted: where attributes of other slices are 0. */
/* Pieces, slice by slice, sorted. */
static void print_pieces(char *out, size_t size, uint32_t n_slices, uint32_t n, uint32_t piece[MOST_DIMS + 1][MOST_ROWS][MOST_DIMS + 1])
{
    size_t used = 0;

    for (uint32_t s = 0; s < n_slices; s++) {
        qsort(piece[s], n, sizeof *piece[s], compare_codes);
        for (uint32_t i = 0; i < n; i++)
            used += (size_t)snprintf(out + used, size - used, "%u%u%u%u ", piece[s][i][0], piece[s][i][1], piece[s][i][2], piece[s][i][3]);
        used += (size_t)snprintf(out + used, size - used, "| ");
    }
}

static void print_rows(char *out, size_t size, const struct naive *x, const uint32_t *row, uint32_t n)
{
    uint32_t piece[MOST_DIMS + 1][MOST_ROWS][MOST_DIMS + 1] = {{{0}}};

    for (uint32_t d = 0; d <= x->t->n_dims; d++)
        for (uint32_t i = 0; i < n; i++)
            piece[x->slice_of[d]][i][d] = x->t->code[d][row[i]];
    print_pieces(out, size, x->n_slices, n, piece);
}

static void print_bucket(char *out, size_t size, const covey_release *release, const covey_problem *problem, uint32_t b)
{
    const covey_sliced *data = release->form_data;
    uint32_t piece[MOST_DIMS + 1][MOST_ROWS][MOST_DIMS + 1] = {{{0}}};
    const uint32_t start = release->class_start[b], n = release->class_start[b + 1] - start;

    for (size_t s = 0; s < data->n_slices; s++)
        for (size_t f = 0; f < data->slice[s].n_fields; f++)
            for (uint32_t i = 0; i < n; i++)
                piece[s][i][data->slice[s].field[f]] = code_in(release, problem, s, f, start + i);
    print_pieces(out, size, (uint32_t)data->n_slices, n, piece);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const table *t = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    for (uint32_t d = 0; d <= t->n_dims; d++)
        if (t->code[d][x] != t->code[d][y])
            return t->code[d][x] < t->code[d][y] ? -1 : 1;
    return 0;
}

static void sort_table(table *t)
{
    uint32_t order[MOST_ROWS];
    const table old = *t;

    for (uint32_t i = 0; i < t->n; i++)
        order[i] = i;
    qsort_r(order, t->n, sizeof *order, compare_rows, t);
    for (uint32_t d = 0; d <= t->n_dims; d++)
        for (uint32_t i = 0; i < t->n; i++)
            t->code[d][i] = old.code[d][order[i]];
}

static void buckets_are_those_of_the_plain_algorithm(void **state)
{
    static const struct {
        uint32_t n_dims, slice_of[MOST_DIMS + 1], n_slices;
        const char *columns;
    } schema[] = {
        {1, {0, 1}, 2, "[[a], [s]]"},
        {2, {0, 0, 1}, 2, "[[a, b], [s]]"},
        {2, {0, 1, 2}, 3, "[[a], [b], [s]]"},
        {2, {0, 1, 1}, 2, "[[a], [b, s]]"},
        {3, {0, 1, 0, 2}, 3, "[[a, c], [b], [s]]"},
        {3, {0, 1, 2, 2}, 3, "[[a], [b], [c, s]]"},
    };
    static const char *const ls[] = {"1.5", "2", "5/2", "5/3"};
    static const double l_value[] = {1.5, 2, 2.5, 5.0 / 3};
    static char text[MOST_ROWS][1024], other[MOST_ROWS][1024];
    unsigned n_made = 0, n_hot = 0, n_refused = 0;
    uint64_t seed = 41;

    for (int round = 0; round < 6 * 400; round++) {
        const size_t k = (size_t)round % 6;
        const uint32_t which = maker_below(&seed, 4);
        struct naive x = {.n_slices = schema[k].n_slices, .l = l_value[which], .relaxed = round / 6 % 4 != 0, .by_paper = round / 6 % 4 == 3};
        covey_release *release;
        problem_maker m;
        char params[96];
        bool possible;
        table t;

        do
            random_table(&t, &seed);
        while (t.n_dims != schema[k].n_dims || t.n < 4 || t.n > 14);
        sort_table(&t);
        x.t = &t;
        memcpy(x.slice_of, schema[k].slice_of, sizeof x.slice_of);
        x.slice_of[t.n_dims] = x.n_slices - 1;
        snprintf(params, sizeof params, "anatomize=false%s%s", x.relaxed ? ",cut=relaxed" : "", x.by_paper ? ",weight=paper" : "");
        make(&m, &t, ls[which], NULL);
        possible = slice_naively(&x);
        if (solve(&release, &m, params, schema[k].columns, 1, 7) == COVEY_OK) {
            assert_true(possible);
            if (release->n_classes != x.n_buckets)
                fail_msg("round %d: %u buckets instead of %u", round, release->n_classes, x.n_buckets);
            for (uint32_t b = 0; b < x.n_buckets; b++) {
                print_bucket(text[b], sizeof *text, release, &m.problem, b);
                print_rows(other[b], sizeof *other, &x, x.bucket[b].row, x.bucket[b].n);
            }
            qsort(text, x.n_buckets, sizeof *text, compare_texts);
            qsort(other, x.n_buckets, sizeof *other, compare_texts);
            for (uint32_t b = 0; b < x.n_buckets; b++)
                assert_string_equal(text[b], other[b]);
            n_made++;
            n_hot += is_hot(&x);
        } else if (possible) { /* the paper's weights may allow what does not hold */
            assert_true(x.by_paper);
            x.by_paper = false;
            assert_true(!is_diverse(&x));
            n_refused++;
        }
        covey_release_free(release);
        maker_clear(&m);
    }
    if (n_made < 1000 || n_hot < 20)
        fail_msg("%u made, %u of them with too large shares that others make up for; %u refused", n_made, n_hot, n_refused);
}

/* --- column generalization --- */

/* Lines of a slice with the same piece as one of them. */
static uint32_t count_alike(const covey_release *release, size_t s, uint32_t line)
{
    const covey_sliced *data = release->form_data;
    uint32_t n = 0;

    for (uint32_t i = 0; i < release->n_published; i++)
        n += covey_i_sliced_piece(data, s, i) == covey_i_sliced_piece(data, s, line);
    return n;
}

/* Every cell covers the values that it stands for, and no two of them overlap. */
static void check_cells(const covey_release *release, const covey_problem *problem)
{
    for (size_t f = 0; f < problem->n_fields; f++) {
        const covey_recoded *recoded = covey_i_release_recoded(release, &problem->field[f]);
        uint32_t n_rows = 0;

        for (uint32_t r = 0; recoded && r < problem->n_rows; r++) {
            const uint32_t code = covey_i_code(problem->field[f].column, r), group = covey_i_code(recoded->column, r);

            if (recoded->group_of_code[code] == UINT32_MAX) /* its rows were suppressed */
                continue;
            assert_in_range(code, recoded->low[group], recoded->high[group]);
            assert_int_equal(recoded->group_of_code[code], group);
            assert_true(covey_column_label_size(recoded->column, group) > 0);
            assert_true(recoded->n_rows[group] > 0);
        }
        for (uint32_t g = 0; recoded && g < recoded->column->n_values; g++)
            n_rows += recoded->n_rows[g];
        assert_true(!recoded || n_rows == release->n_published);
        for (uint32_t g = 1; recoded && g < recoded->column->n_values; g++)
            for (uint32_t h = 0; h < g; h++)
                assert_true(recoded->low[g] > recoded->high[g] || recoded->low[h] > recoded->high[h] || recoded->low[g] > recoded->high[h]);
    }
}

/* Can every piece of the table be so frequent if all quasi-identifiers of its columns show nothing?  Then some levels do. */
static bool is_possible(const table *t, uint32_t k)
{
    uint32_t count[MOST_VALUES] = {0};

    for (uint32_t r = 0; r < t->n; r++)
        count[t->code[t->n_dims][r]]++;
    for (uint32_t v = 0; v < MOST_VALUES; v++)
        if (count[v] > 0 && count[v] < k)
            return false;
    return t->n >= k;
}

static void generalized_columns_have_frequent_pieces_only(void **state)
{
    static const char *const columns[] = {NULL, "[[a, b], [b, s]]", "[[a, b], [b, c], [c, s]]"};
    static char one[1 << 16], two[1 << 16];
    unsigned n_made = 0, n_recoded = 0, n_suppressed = 0;
    uint64_t seed = 67;

    for (int round = 0; round < 2 * ROUNDS; round++) {
        const uint32_t which = round % 5 < 3 ? 0 : round % 5 - 2, k = 2 + maker_below(&seed, 4);
        covey_release *release = NULL, *again = NULL;
        problem_maker m, shuffled;
        uint32_t order[MOST_ROWS];
        covey_status status;
        char params[96];
        table t;

        do
            random_table(&t, &seed);
        while (which > 0 && t.n_dims != which + 1);
        for (uint32_t r = 0; r < t.n; r++) { /* few sensitive values, or they are too rare */
            order[r] = t.n - 1 - r;
            t.code[t.n_dims][r] %= 2;
        }
        snprintf(params, sizeof params, "column-k=%u%s%s", k, which == 0 && *options[(size_t)round % 10] ? "," : "", which == 0 ? options[(size_t)round % 10] : "");
        make(&m, &t, "1.25", NULL);
        make(&shuffled, &t, "1.25", order);
        m.problem.max_suppressed = shuffled.problem.max_suppressed = round % 3 == 2 ? t.n / 4 : 0;
        status = solve(&release, &m, params, columns[which], 1, 7);
        assert_int_equal(solve(&again, &shuffled, params, columns[which], 2, 7), status);
        if (!is_possible(&t, k) && round % 3 < 2)
            assert_int_equal(status, COVEY_EINFEASIBLE);
        if (status == COVEY_OK) {
            const covey_sliced *data = release->form_data;
            covey_problem shown[2] = {m.problem, shuffled.problem};
            covey_field field[2][MOST_DIMS + 1];

            for (int i = 0; i < 2; i++) {
                const covey_release *made = i ? again : release;

                for (size_t f = 0; f < m.problem.n_fields; f++) {
                    field[i][f] = shown[i].field[f];
                    field[i][f].column = covey_i_release_shown(made, &shown[i].field[f]);
                    n_recoded += field[i][f].column != shown[i].field[f].column;
                }
                shown[i].field = field[i];
            }
            n_made++;
            assert_true(release->n_published + m.problem.max_suppressed >= t.n);
            n_suppressed += release->n_published < t.n;
            check_cells(release, &m.problem);
            check_structure(release, &shown[0]);
            check_posteriors(release, &shown[0], t.n_dims, 1.25);
            for (size_t s = 0; s < data->n_slices; s++)
                for (uint32_t r = 0; r < release->n_published; r++)
                    assert_true(count_alike(release, s, r) >= k);
            print(one, sizeof one, release, &shown[0]);
            print(two, sizeof two, again, &shown[1]);
            assert_string_equal(one, two);
        }
        covey_release_free(release);
        covey_release_free(again);
        maker_clear(&m);
        maker_clear(&shuffled);
    }
    if (n_made < 200 || n_recoded < 200 || n_suppressed < 50)
        fail_msg("%u made, %u attributes recoded, %u with suppressed rows", n_made, n_recoded, n_suppressed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_value_follows_with_more_than_one_in_l),
        cmocka_unit_test(overlapping_columns_are_joined_where_copies_agree),
        cmocka_unit_test(a_sensitive_value_in_several_columns_is_joined),
        cmocka_unit_test(generalized_columns_have_frequent_pieces_only),
        cmocka_unit_test(buckets_are_those_of_the_plain_algorithm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
