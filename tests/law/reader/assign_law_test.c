/* Dealing out rows to classes: as many as any other way could, on random boxes and points. */
#include "test.h"

#include <string.h>

#include "reader/points/assign.h"
#include "reader/points/bits.h"
#include "reader/points/tree.h"

static unsigned below(uint64_t *state, unsigned n)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (unsigned)((z ^ (z >> 31)) % n);
}

enum { MOST_POINTS = 300, MOST_ENTRIES = 30, MOST_DIMS = 4, MOST_UNITS = 1000 };

/* A random instance, on the stack. */
struct instance {
    covey_assignment a;
    uint32_t coordinate[MOST_POINTS * MOST_DIMS], supply[MOST_POINTS], need[MOST_ENTRIES];
    covey_cover cover[MOST_ENTRIES * MOST_DIMS];
    uint32_t code[MOST_ENTRIES * MOST_DIMS][8];
    const covey_cover *box[MOST_ENTRIES * MOST_DIMS];
};

static bool same_point(const struct instance *in, uint32_t p, uint32_t q)
{
    return memcmp(in->coordinate + p * in->a.n_dims, in->coordinate + q * in->a.n_dims,
                  in->a.n_dims * sizeof(uint32_t)) == 0;
}

static void random_cover(struct instance *in, uint32_t i, unsigned range, uint64_t *state)
{
    covey_cover *cover = &in->cover[i];
    uint32_t a = below(state, range), b = below(state, range), n = 0;

    *cover = (covey_cover){a < b ? a : b, a < b ? b : a, 0, NULL};
    if (below(state, 4) == 0) { /* a set with gaps */
        for (uint32_t c = cover->low; c <= cover->high && n < 8; c += 1 + below(state, 2))
            in->code[i][n++] = c;
        *cover = (covey_cover){in->code[i][0], in->code[i][n - 1], n, in->code[i]};
    }
    in->box[i] = cover;
}

/* One in four has codes up to 500, most with a few points only. */
static void make_instance(struct instance *in, uint64_t *state, unsigned most_points)
{
    unsigned range = below(state, 4) == 0 ? 500 : 2 + below(state, 8);

    memset(in, 0, sizeof *in);
    in->a = (covey_assignment){.n_dims = below(state, MOST_DIMS + 1),
                               .coordinate = in->coordinate,
                               .supply = in->supply,
                               .box = in->box,
                               .need = in->need,
                               .n_entries = 1 + below(state, MOST_ENTRIES)};
    for (uint32_t tries = 1 + below(state, most_points); tries > 0; tries--) {
        uint32_t p = in->a.n_points, known = 0;

        for (size_t d = 0; d < in->a.n_dims; d++)
            in->coordinate[p * in->a.n_dims + d] = below(state, range);
        while (known < p && !same_point(in, known, p))
            known++;
        in->supply[known] += 1 + below(state, 3);
        in->a.n_points += known == p;
    }
    for (uint32_t e = 0; e < in->a.n_entries; e++) {
        in->need[e] = 1 + below(state, 5);
        for (size_t d = 0; d < in->a.n_dims; d++)
            random_cover(in, (uint32_t)(e * in->a.n_dims + d), range, state);
    }
}

static bool fits(const struct instance *in, uint32_t entry, uint32_t point)
{
    for (size_t d = 0; d < in->a.n_dims; d++)
        if (!covey_i_cover_holds(in->box[entry * in->a.n_dims + d], in->coordinate[point * in->a.n_dims + d]))
            return false;
    return true;
}

/* The largest matching of single rows, by depth-first augmentation. */
struct matching {
    const struct instance *in;
    uint32_t n_rows, point[MOST_UNITS], taken_by[MOST_UNITS], entry_of[MOST_UNITS];
    bool seen[MOST_UNITS];
};

static bool augment(struct matching *m, uint32_t unit)
{
    for (uint32_t row = 0; row < m->n_rows; row++) {
        if (m->seen[row] || !fits(m->in, m->entry_of[unit], m->point[row]))
            continue;
        m->seen[row] = true;
        if (m->taken_by[row] == UINT32_MAX || augment(m, m->taken_by[row])) {
            m->taken_by[row] = unit;
            return true;
        }
    }
    return false;
}

static uint32_t largest_matching(const struct instance *in)
{
    static struct matching m;
    uint32_t n_units = 0, n = 0;

    m = (struct matching){.in = in};
    for (uint32_t p = 0; p < in->a.n_points; p++)
        for (uint32_t i = 0; i < in->supply[p]; i++)
            m.point[m.n_rows++] = p;
    memset(m.taken_by, 0xff, sizeof m.taken_by);
    for (uint32_t e = 0; e < in->a.n_entries; e++)
        for (uint32_t i = 0; i < in->need[e]; i++)
            m.entry_of[n_units++] = e;
    for (uint32_t unit = 0; unit < n_units; unit++) {
        memset(m.seen, 0, sizeof m.seen);
        n += augment(&m, unit);
    }
    return n;
}

static uint32_t sum(const uint32_t *count, uint32_t n)
{
    uint32_t total = 0;

    for (uint32_t i = 0; i < n; i++)
        total += count[i];
    return total;
}

static void test_assign__deals_out_as_many_rows_as_possible(void **state)
{
    uint64_t seed = test_seed(11);
    int n_complete = 0;

    for (int i = 0; i < 3000; i++) {
        covey_arena arena = COVEY_ARENA_INIT;
        struct instance in;
        uint32_t expected, needed, supplied;

        make_instance(&in, &seed, i % 20 == 0 ? MOST_POINTS : 60);
        needed = sum(in.need, in.a.n_entries);
        supplied = sum(in.supply, in.a.n_points);
        expected = largest_matching(&in);
        assert_int_equal(covey_i_assign(&in.a, &arena, NULL), COVEY_OK);
        assert_int_equal(needed - sum(in.need, in.a.n_entries), expected);
        assert_int_equal(supplied - sum(in.supply, in.a.n_points), expected);
        n_complete += expected == needed;
        covey_arena_free(&arena);
    }
    assert_true(test_is_enough(n_complete > 300 && n_complete < 2700)); /* both answers occur */
}

/* --- finding points --- */

static void test_point_tree__adds_to_the_points_of_a_box(void **state)
{
    uint64_t seed = test_seed(12);

    for (int i = 0; i < 2000; i++) {
        covey_arena arena = COVEY_ARENA_INIT;
        struct instance in;
        covey_point_tree tree;
        double value[MOST_POINTS] = {0}, *pending;

        make_instance(&in, &seed, 60);
        assert_int_equal(covey_i_point_tree_build(&tree, in.coordinate, in.a.n_points, in.a.n_dims, &arena, NULL),
                         COVEY_OK);
        assert_non_null(pending = covey_arena_array_zero(&arena, double, tree.n_nodes));
        for (uint32_t e = 0; e < in.a.n_entries; e++)
            covey_i_point_tree_add(value, pending, &tree, in.box + e * in.a.n_dims, e + 1.0);
        covey_i_point_tree_settle(value, pending, &tree);
        for (uint32_t p = 0; p < in.a.n_points; p++) {
            double expected = 0;

            for (uint32_t e = 0; e < in.a.n_entries; e++)
                expected += fits(&in, e, p) ? e + 1.0 : 0;
            assert_true(value[p] <= expected && value[p] >= expected); /* sums of small integers are exact */
        }
        covey_arena_free(&arena);
    }
}

static void check_box(covey_point_bits *bits, const struct instance *in, uint32_t entry, const uint64_t *some)
{
    uint64_t set[MOST_POINTS / 64 + 1];
    uint32_t point, word = 0;

    memcpy(set, some, bits->n_words * sizeof *set);
    for (uint32_t p = 0; p < in->a.n_points; p++) {
        if (!(set[p / 64] >> p % 64 & 1) || !fits(in, entry, bits->point[p]))
            continue;
        assert_true(covey_i_point_bits_next(&point, &word, bits, set, in->box + entry * in->a.n_dims));
        assert_int_equal(point, p);
        covey_i_bit_remove(set, point);
    }
    assert_false(covey_i_point_bits_next(&point, &word, bits, set, in->box + entry * in->a.n_dims));
}

static void test_point_bits__find_the_points_of_a_box_in_order(void **state)
{
    uint64_t seed = test_seed(13);

    for (int i = 0; i < 2000; i++) {
        covey_arena arena = COVEY_ARENA_INIT;
        struct instance in;
        covey_point_bits bits;
        uint64_t set[MOST_POINTS / 64 + 1];

        make_instance(&in, &seed, MOST_POINTS);
        assert_int_equal(covey_i_point_bits_build(&bits, in.coordinate, in.a.n_points, in.a.n_dims, &arena, NULL),
                         COVEY_OK);
        covey_i_bits_fill(set, &bits);
        for (uint32_t n = below(&seed, in.a.n_points); n > 0; n--)
            covey_i_bit_remove(set, below(&seed, in.a.n_points));
        for (uint32_t e = 0; e < in.a.n_entries; e++)
            check_box(&bits, &in, e, set);
        covey_arena_free(&arena);
    }
}

/* So many that groups of groups of blocks are left out. */
static void test_point_bits__find_the_points_of_a_small_box_among_many(void **state)
{
    enum { DIMS = 3, RANGE = 200, BOXES = 20 };
    uint64_t seed = test_seed(14);

    for (int i = 0; i < 12; i++) {
        const uint32_t n = 1 + below(&seed, 70000);
        covey_arena arena = COVEY_ARENA_INIT;
        uint32_t *coordinate = covey_arena_array(&arena, uint32_t, n * DIMS);
        uint64_t *set = covey_arena_array(&arena, uint64_t, n / 64 + 1);
        bool *is_known = covey_arena_array_zero(&arena, bool, n);
        covey_cover covers[BOXES][DIMS];
        const covey_cover *boxes[BOXES][DIMS];
        covey_point_bits bits;

        assert_true(coordinate && set && is_known);
        for (uint32_t c = 0; c < n * DIMS; c++)
            coordinate[c] = below(&seed, RANGE);
        assert_int_equal(covey_i_point_bits_build(&bits, coordinate, n, DIMS, &arena, NULL), COVEY_OK);
        for (uint32_t p = 0; p < n; p++) {
            assert_true(bits.point[p] < n && !is_known[bits.point[p]]);
            is_known[bits.point[p]] = true;
        }
        for (int b = 0; b < BOXES; b++) {
            covey_cover *cover = covers[b];
            const covey_cover **box = boxes[b];
            uint32_t point, word = 0, n_found = 0, n_inside = 0;

            for (size_t d = 0; d < DIMS; d++) {
                const uint32_t low = below(&seed, RANGE), width = below(&seed, b < BOXES / 2 ? 20 : RANGE);

                cover[d] = (covey_cover){low, low + width, 0, NULL};
                box[d] = &cover[d];
            }
            for (uint32_t p = 0; p < n; p++) {
                bool is_inside = true;

                for (size_t d = 0; d < DIMS; d++)
                    is_inside &= covey_i_cover_holds(box[d], coordinate[p * DIMS + d]);
                n_inside += is_inside;
            }
            for (covey_i_bits_fill(set, &bits); covey_i_point_bits_next(&point, &word, &bits, set, box); n_found++) {
                for (size_t d = 0; d < DIMS; d++)
                    assert_true(covey_i_cover_holds(box[d], coordinate[bits.point[point] * DIMS + d]));
                covey_i_bit_remove(set, point);
            }
            assert_int_equal(n_found, n_inside);
        }
        covey_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assign__deals_out_as_many_rows_as_possible),
        cmocka_unit_test(test_point_tree__adds_to_the_points_of_a_box),
        cmocka_unit_test(test_point_bits__find_the_points_of_a_box_in_order),
        cmocka_unit_test(test_point_bits__find_the_points_of_a_small_box_among_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
