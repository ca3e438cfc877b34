/* Slicing makes the same buckets as an algorithm that looks at every signature of the whole table before every cut. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "support/release/sliced_table.h"
#include "release/sliced/sliced.h"

struct bucket {
    uint32_t n, row[SLICED_MOST_ROWS]; /* by content */
};

/* A table as buckets, and how it is cut. */
struct naive {
    const sliced_table *t;
    uint32_t slice_of[SLICED_MOST_DIMS + 1], n_slices; /* of each attribute */
    double l;
    bool relaxed, by_paper;
    uint32_t n_buckets;
    struct bucket bucket[SLICED_MOST_ROWS];
};

/* Rows of a bucket that agree with the tuple on a slice; the sensitive value counts if asked for. */
static uint32_t agreeing(const struct naive *x, const struct bucket *b, uint32_t slice, const uint32_t *tuple,
                         bool with_sensitive)
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
    uint32_t tuple[SLICED_MOST_DIMS + 1], n = 1;

    for (uint32_t d = 0; d < x->t->n_dims; d++)
        n *= SLICED_MOST_VALUES;
    for (uint32_t q = 0; q < n; q++) {
        long double all = 0, most = 0;

        for (uint32_t d = 0, rest = q; d < x->t->n_dims; d++, rest /= SLICED_MOST_VALUES)
            tuple[d] = rest % SLICED_MOST_VALUES;
        for (uint32_t v = 0; v < SLICED_MOST_VALUES; v++) {
            long double e = 0;

            tuple[x->t->n_dims] = v;
            for (uint32_t b = 0; b < x->n_buckets; b++) {
                long double one = 1;

                for (uint32_t s = 0; s < x->n_slices; s++)
                    one *= (long double)agreeing(x, &x->bucket[b], s, tuple, true) /
                           (s > 0 || x->by_paper ? x->bucket[b].n : 1);
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
            uint32_t tuple[SLICED_MOST_DIMS + 1];

            for (uint32_t d = 0; d <= x->t->n_dims; d++)
                tuple[d] = x->t->code[d][x->bucket[b].row[i]];
            if (agreeing(x, &x->bucket[b], x->n_slices - 1, tuple, true) * x->l >
                agreeing(x, &x->bucket[b], x->n_slices - 1, tuple, false) + 1e-9)
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
    uint32_t sorted[SLICED_MOST_ROWS], n = 0, threshold;

    left->n = right->n = 0;
    for (uint32_t code = 0; code < SLICED_MOST_VALUES; code++)
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
    bool tried[SLICED_MOST_DIMS] = {false};

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
    uint32_t queue[4 * SLICED_MOST_ROWS], head = 0, tail = 0;
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
    return memcmp(a, b, (SLICED_MOST_DIMS + 1) * sizeof(uint32_t));
}

/* A bucket's pieces, slice by slice, each sorted: where attributes of other slices are 0. */
/* Pieces, slice by slice, sorted. */
static void print_pieces(char *out, size_t size, uint32_t n_slices, uint32_t n,
                         uint32_t piece[SLICED_MOST_DIMS + 1][SLICED_MOST_ROWS][SLICED_MOST_DIMS + 1])
{
    size_t used = 0;

    for (uint32_t s = 0; s < n_slices; s++) {
        qsort(piece[s], n, sizeof *piece[s], compare_codes);
        for (uint32_t i = 0; i < n; i++)
            used += (size_t)snprintf(out + used, size - used, "%u%u%u%u ", piece[s][i][0], piece[s][i][1],
                                     piece[s][i][2], piece[s][i][3]);
        used += (size_t)snprintf(out + used, size - used, "| ");
    }
}

static void print_rows(char *out, size_t size, const struct naive *x, const uint32_t *row, uint32_t n)
{
    uint32_t piece[SLICED_MOST_DIMS + 1][SLICED_MOST_ROWS][SLICED_MOST_DIMS + 1] = {{{0}}};

    for (uint32_t d = 0; d <= x->t->n_dims; d++)
        for (uint32_t i = 0; i < n; i++)
            piece[x->slice_of[d]][i][d] = x->t->code[d][row[i]];
    print_pieces(out, size, x->n_slices, n, piece);
}

static void print_bucket(char *out, size_t size, const covey_release *release, const covey_problem *problem, uint32_t b)
{
    const covey_sliced *data = release->form_data;
    uint32_t piece[SLICED_MOST_DIMS + 1][SLICED_MOST_ROWS][SLICED_MOST_DIMS + 1] = {{{0}}};
    const uint32_t start = release->class_start[b], n = release->class_start[b + 1] - start;

    for (size_t s = 0; s < data->n_slices; s++)
        for (size_t f = 0; f < data->slice[s].n_fields; f++)
            for (uint32_t i = 0; i < n; i++)
                piece[s][i][data->slice[s].field[f]] = sliced_code(release, problem, s, f, start + i);
    print_pieces(out, size, (uint32_t)data->n_slices, n, piece);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const sliced_table *t = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    for (uint32_t d = 0; d <= t->n_dims; d++)
        if (t->code[d][x] != t->code[d][y])
            return t->code[d][x] < t->code[d][y] ? -1 : 1;
    return 0;
}

static void sort_table(sliced_table *t)
{
    uint32_t order[SLICED_MOST_ROWS];
    const sliced_table old = *t;

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
        uint32_t n_dims, slice_of[SLICED_MOST_DIMS + 1], n_slices;
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
    static char text[SLICED_MOST_ROWS][1024], other[SLICED_MOST_ROWS][1024];
    unsigned n_made = 0, n_hot = 0, n_refused = 0;
    uint64_t seed = test_seed(41);

    for (int round = 0; round < 6 * 400; round++) {
        const size_t k = (size_t)round % 6;
        const uint32_t which = maker_below(&seed, 4);
        struct naive x = {.n_slices = schema[k].n_slices,
                          .l = l_value[which],
                          .relaxed = round / 6 % 4 != 0,
                          .by_paper = round / 6 % 4 == 3};
        covey_release *release;
        problem_maker m;
        char params[96];
        bool possible;
        sliced_table t;

        do
            sliced_random(&t, &seed);
        while (t.n_dims != schema[k].n_dims || t.n < 4 || t.n > 14);
        sort_table(&t);
        x.t = &t;
        memcpy(x.slice_of, schema[k].slice_of, sizeof x.slice_of);
        x.slice_of[t.n_dims] = x.n_slices - 1;
        snprintf(params, sizeof params, "anatomize=false%s%s", x.relaxed ? ",cut=relaxed" : "",
                 x.by_paper ? ",weight=paper" : "");
        sliced_make(&m, &t, ls[which], NULL);
        possible = slice_naively(&x);
        if (sliced_solve(&release, &m, params, schema[k].columns, 1, 7) == COVEY_OK) {
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
    if (!test_is_enough(n_made >= 1000 && n_hot >= 20))
        fail_msg("%u made, %u of them with too large shares that others make up for; %u refused", n_made, n_hot,
                 n_refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_are_those_of_the_plain_algorithm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
