#include "test.h"

#include <math.h>

#include "support/problem/problem_maker.h"
#include "reproduce/ke/groups.h"

enum { GROUPS = 3, MOST = 4 };

/* Groups with 1 to MOST values each, sorted. */
static void make(covey_ke_groups *g, uint32_t *start, double *sorted, uint64_t *seed)
{
    *g = (covey_ke_groups){.n_groups = GROUPS, .start = start, .sorted = sorted};
    start[0] = 0;
    for (uint32_t c = 0; c < GROUPS; c++) {
        start[c + 1] = start[c] + 1 + maker_below(seed, MOST);
        for (uint32_t i = start[c]; i < start[c + 1]; i++)
            sorted[i] = (i > start[c] ? sorted[i - 1] : -5) + maker_below(seed, 5);
    }
}

/* Every choice of rows, by a bit each: the least and the greatest mean of those with so many rows of each group as
 * allowed. */
static covey_avg_bounds try_all(const covey_ke_groups *g, const uint32_t *sure, const uint32_t *possible)
{
    covey_avg_bounds bounds = {NAN, NAN};

    for (uint32_t chosen = 1; chosen < 1u << g->start[GROUPS]; chosen++) {
        double sum = 0, n = 0;
        bool allowed = true;

        for (uint32_t c = 0; c < GROUPS; c++) {
            uint32_t hits = 0;

            for (uint32_t i = g->start[c]; i < g->start[c + 1]; i++)
                if (chosen >> i & 1) {
                    hits++;
                    sum += g->sorted[i];
                    n++;
                }
            allowed = allowed && hits >= sure[c] && hits <= possible[c];
        }
        if (!allowed)
            continue;
        bounds.lower = isnan(bounds.lower) ? sum / n : fmin(bounds.lower, sum / n);
        bounds.upper = isnan(bounds.upper) ? sum / n : fmax(bounds.upper, sum / n);
    }
    return bounds;
}

static void expect(covey_avg_bounds got, covey_avg_bounds expected)
{
    assert_true(isnan(got.lower) == isnan(expected.lower));
    assert_true(isnan(got.lower) ||
                (fabs(got.lower - expected.lower) < 1e-9 && fabs(got.upper - expected.upper) < 1e-9));
}

static void bounds_are_those_of_all_possible_selections(void **state)
{
    uint64_t seed = 9;

    for (int round = 0; round < 500; round++) {
        uint32_t start[GROUPS + 1], sure[GROUPS], possible[GROUPS], hits[GROUPS];
        double sorted[GROUPS * MOST];
        covey_avg_bounds permuted, generalized;
        covey_ke_groups g;

        make(&g, start, sorted, &seed);
        for (uint32_t c = 0; c < GROUPS; c++) {
            const uint32_t size = start[c + 1] - start[c];

            possible[c] = maker_below(&seed, size + 1);
            sure[c] = maker_below(&seed, possible[c] + 1);
            hits[c] = sure[c] + maker_below(&seed, possible[c] - sure[c] + 1);
        }
        permuted = covey_i_ke_permuted(&g, hits);
        generalized = covey_i_ke_generalized(&g, sure, possible);
        expect(permuted, try_all(&g, hits, hits));
        expect(generalized, try_all(&g, sure, possible));
        if (!isnan(permuted.lower)) /* knowing the hits only helps */
            assert_true(generalized.lower <= permuted.lower + 1e-9 && permuted.upper <= generalized.upper + 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_those_of_all_possible_selections),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
