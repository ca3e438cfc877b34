#include "test.h"

#include <pthread.h>

#include "base/threads.h"
#include "base/turns.h"

enum { N_THREADS = 8, MOST_PIECES = 400 };

struct work {
    covey_turns turns;
    int64_t fails;               /* the piece whose turn fails; -1: none */
    int64_t handed[MOST_PIECES]; /* in the order in which they were */
    int64_t n_handed;            /* not guarded: only who has the turn may touch it */
    _Atomic int64_t n_made[MOST_PIECES];
};

/* As a writer of sheets does it. */
static covey_status work_on(void *context, size_t task, covey_error *err)
{
    struct work *w = context;
    int64_t piece;

    (void)task;
    while ((piece = covey_i_turns_take(&w->turns)) >= 0) {
        w->n_made[piece]++;
        for (volatile int64_t i = 0; i < (piece * 7919) % 3000; i++) /* later pieces are often ready first */
            ;
        if (!covey_i_turns_wait(&w->turns, piece))
            break;
        if (piece == w->fails) {
            covey_i_turns_stop(&w->turns);
            covey_i_turns_pass(&w->turns);
            return covey_fail(err, COVEY_EIO, "piece %lld", (long long)piece);
        }
        w->handed[w->n_handed++] = piece;
        covey_i_turns_pass(&w->turns);
    }
    return COVEY_OK;
}

static covey_status run(struct work *w, int64_t n, int64_t fails, covey_error *err)
{
    covey_status status;

    *w = (struct work){.fails = fails};
    covey_i_turns_init(&w->turns, n);
    status = covey_i_parallel(N_THREADS, N_THREADS, work_on, w, err);
    assert_int_equal(covey_i_turns_take(&w->turns), -1); /* nothing is left */
    covey_i_turns_free(&w->turns);
    return status;
}

static void test_turns__pieces_are_handed_over_in_order_each_once(void **state)
{
    static const int64_t sizes[] = {0, 1, 2, N_THREADS, MOST_PIECES};
    static struct work w;
    covey_error err;

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        assert_int_equal(run(&w, sizes[s], -1, &err), COVEY_OK);
        assert_int_equal(w.n_handed, sizes[s]);
        for (int64_t i = 0; i < sizes[s]; i++) {
            assert_int_equal(w.handed[i], i);
            assert_int_equal(w.n_made[i], 1);
        }
    }
}

static void test_turns__behind_a_failing_turn_nothing_is_handed_over(void **state)
{
    static const int64_t fails[] = {0, 1, 57, MOST_PIECES - 1};
    static struct work w;
    covey_error err;

    for (size_t f = 0; f < sizeof fails / sizeof *fails; f++) {
        assert_int_equal(run(&w, MOST_PIECES, fails[f], &err), COVEY_EIO);
        assert_int_equal(w.n_handed, fails[f]);
        for (int64_t i = 0; i < fails[f]; i++)
            assert_int_equal(w.handed[i], i);
        for (int64_t i = 0; i < MOST_PIECES; i++)
            assert_true(w.n_made[i] <= 1);
    }
}

/* A thread that waits for a turn that will never come. */
static void *wait_for_turn(void *context)
{
    return covey_i_turns_wait(context, 1) ? context : NULL;
}

static void test_turns__a_stop_wakes_who_waits(void **state)
{
    covey_turns turns;
    pthread_t thread;
    void *got = &turns;

    covey_i_turns_init(&turns, 3);
    assert_int_equal(covey_i_turns_take(&turns), 0);
    assert_int_equal(covey_i_turns_take(&turns), 1);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_turn, &turns), 0);
    covey_i_turns_stop(&turns);
    assert_int_equal(pthread_join(thread, &got), 0);
    assert_null(got);
    assert_int_equal(covey_i_turns_take(&turns), -1); /* the third is not begun */
    assert_false(covey_i_turns_wait(&turns, 0));      /* not even whose turn it is */
    covey_i_turns_free(&turns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns__pieces_are_handed_over_in_order_each_once),
        cmocka_unit_test(test_turns__behind_a_failing_turn_nothing_is_handed_over),
        cmocka_unit_test(test_turns__a_stop_wakes_who_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
