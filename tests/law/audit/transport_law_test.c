/* Transportation problems of random size are solved exactly: compared with trying everything. */
#include "test.h"

#include "support/problem/problem_maker.h"
#include "audit/bucketized/transport.h"

enum { N_PROBLEMS = 3000, MOST = 3 };

struct tried {
    const covey_transport *t;
    int64_t supply[MOST], demand[MOST];
};

/* Is there a flow over the edges from number e on? */
static bool try_edges(struct tried *x, size_t e)
{
    if (e == x->t->n_edges) {
        for (int i = 0; i < MOST; i++)
            if (x->supply[i] != 0 || x->demand[i] != 0)
                return false;
        return true;
    }
    for (int64_t flow = x->t->edge[e].low; flow <= x->t->edge[e].high; flow++) {
        bool found;

        x->supply[x->t->edge[e].from] -= flow;
        x->demand[x->t->edge[e].to] -= flow;
        found = try_edges(x, e + 1);
        x->supply[x->t->edge[e].from] += flow;
        x->demand[x->t->edge[e].to] += flow;
        if (found)
            return true;
    }
    return false;
}

static void check_flow(const covey_transport *t, const int64_t *supply, const int64_t *demand)
{
    int64_t sent[MOST] = {0}, met[MOST] = {0};

    for (size_t e = 0; e < t->n_edges; e++) {
        assert_true(t->edge[e].flow >= t->edge[e].low && t->edge[e].flow <= t->edge[e].high);
        sent[t->edge[e].from] += t->edge[e].flow;
        met[t->edge[e].to] += t->edge[e].flow;
    }
    for (int i = 0; i < MOST; i++) {
        assert_int_equal(sent[i], supply[i]);
        assert_int_equal(met[i], demand[i]);
    }
}

static void random_problems_are_solved_exactly(void **state)
{
    uint64_t random = test_seed(3);
    int n_possible = 0;

    for (int n = 0; n < N_PROBLEMS; n++) {
        covey_transport_edge edge[MOST * MOST];
        int64_t supply[MOST] = {0}, demand[MOST] = {0}, left_supply[MOST], left_demand[MOST];
        covey_transport t = {
            .n_sources = MOST, .n_sinks = MOST, .supply = left_supply, .demand = left_demand, .edge = edge};
        struct tried tried = {.t = &t};
        covey_arena arena = COVEY_ARENA_INIT;
        bool possible;

        for (uint32_t from = 0; from < MOST; from++)
            for (uint32_t to = 0; to < MOST; to++) {
                const int64_t low = maker_below(&random, 8) == 0, high = low + maker_below(&random, 3);

                if (maker_below(&random, 4) == 0)
                    continue;
                edge[t.n_edges++] = (covey_transport_edge){from, to, low, high, 0};
                if (maker_below(&random, 3)) { /* so that many can be solved */
                    supply[from] += low + (high > low);
                    demand[to] += low + (high > low);
                }
            }
        supply[maker_below(&random, MOST)] += maker_below(&random, 4) == 0;
        for (int i = 0; i < MOST; i++) {
            tried.supply[i] = left_supply[i] = supply[i];
            tried.demand[i] = left_demand[i] = demand[i];
        }
        assert_int_equal(covey_i_transport(&possible, &t, &arena, NULL), COVEY_OK);
        assert_int_equal(possible, try_edges(&tried, 0));
        if (possible)
            check_flow(&t, supply, demand);
        n_possible += possible;
        covey_arena_free(&arena);
    }
    assert_in_range(n_possible, N_PROBLEMS / 10, N_PROBLEMS * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_are_solved_exactly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
