/* Whatever a policy promises, and whatever the table holds: what the main job writes verifies, and is faithful. */
#include "test.h"

#include "support/release/random_release.h"

static const random_wish wishes[] = {
    {.model = "distinct-l-diversity:l=2,attribute=illness"},
    {.model = "distinct-l-diversity:l=4,joint=true", .two = true},
    {.model = "distinct-l-diversity:l=2,attribute=illness", .hierarchy = "city={balanced: 3}"},
    {.model = "distinct-l-diversity:l=2,attribute=illness", .hierarchy = "born={date: [month, year]}"},
    {.model = "distinct-l-diversity:l=3,attribute=illness", .hierarchy = "weight={cuts: [[60, 70, 80], [70]]}"},
    {.model = "probabilistic-l-diversity:l=3/2,attribute=illness"},
    {.model = "entropy-l-diversity:l=1.5,attribute=illness"},
    {.model = "recursive-cl-diversity:c=2,l=2,attribute=illness"},
    {.model = "alpha-k-anonymity:alpha=0.6,k=3,value=none,attribute=illness"},
    {.model = "alpha-k-anonymity:alpha=0.9,k=3,attribute=illness", .suppression = "0.2"},
    {.model = "p-sensitive-k-anonymity:p=2,k=3,attribute=illness"},
    {.model = "t-closeness:t=0.5,attribute=illness"},
    {.model = "t-closeness:t=0.4,distance=ordered,attribute=illness",
     .order = "illness=[none, cold, flu, dropsy, asthma, gout]"},
    {.model = "t-closeness:t=0.4,distance=hierarchical,attribute=illness", .has_tree = true},
    {.model = "t-closeness:t=0.4,distance=hierarchical,attribute=pay", .two = true, .hierarchy = "pay={balanced: 3}"},
    {.model = "t-closeness:t=0.4,distance=numeric,attribute=pay", .two = true},
    {.model = "t-closeness:t=0.4,distance=ordered,attribute=pay", .two = true},
    {.model = "t-closeness:t=0.8,distance=js,attribute=illness"},
    {.model = "t-closeness:t=0.9,distance=js-smoothed,attribute=pay", .two = true},
    {.model = "t-closeness:t=0.9,joint=true", .two = true, .has_tree = true},
    {.model = "basic-beta-likeness:beta=3,attribute=illness", .suppression = "0.1"},
    {.model = "enhanced-beta-likeness:beta=2,attribute=illness", .has_tree = true},
    {.model = "enhanced-beta-likeness:beta=2,joint=true", .two = true},
    {.model = "delta-disclosure:delta=2,attribute=illness"},
    {.model = "ke-anonymity:k=3,e=100,attribute=pay", .two = true},
    {.model = "min-length:attribute=age,length=5"},
    {.model = "min-length:attribute=weight,length=2.5", .is_bare = true},
    {.model = "min-length:attribute=born,length=100"},
};

static void test_release__whatever_is_promised_verifies(void **state)
{
    uint64_t seed = 3;

    for (size_t w = 0; w < sizeof wishes / sizeof *wishes; w++) {
        int n_made = 0;

        for (int i = 0; i < 6; i++) {
            release_folder r;

            if (random_release(&r, &seed, &wishes[w])) {
                release_assert_holds(&r, false);
                release_assert_holds(&r, true);
                n_made++;
            }
            release_end(&r);
        }
        if (n_made == 0)
            fail_msg("no release was made for %s", wishes[w].model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_release__whatever_is_promised_verifies)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
