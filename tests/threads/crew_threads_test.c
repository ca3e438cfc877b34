/* Loops over tasks, and the threads that stay between them. */
#include "test.h"

#include <dirent.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/threads.h"

enum { MOST_TASKS = 300 };

struct counting {
    _Atomic int n_runs[MOST_TASKS];
    size_t inner;            /* tasks of a loop within each task; 0: none */
    size_t fails, fails_too; /* tasks; SIZE_MAX: none */
};

static covey_status count(void *context, size_t task, covey_error *err)
{
    struct counting *c = context;

    c->n_runs[task]++;
    if (task == c->fails || task == c->fails_too)
        return covey_fail(err, COVEY_EIO, "task %zu", task);
    return COVEY_OK;
}

static covey_status count_within(void *context, size_t task, covey_error *err)
{
    struct counting *c = context, inner = {.fails = SIZE_MAX, .fails_too = SIZE_MAX};

    COVEY_TRY(covey_i_parallel(3, c->inner, count, &inner, err));
    for (size_t i = 0; i < c->inner; i++)
        if (inner.n_runs[i] != 1)
            return covey_fail(err, COVEY_EINTERNAL, "task %zu of loop %zu ran %d times", i, task, inner.n_runs[i]);
    return count(context, task, err);
}

static void loop(size_t n_tasks, int n_threads, size_t inner)
{
    static struct counting c;
    covey_error err;

    memset(&c, 0, sizeof c);
    c.inner = inner;
    c.fails = c.fails_too = SIZE_MAX;
    assert_int_equal(covey_i_parallel(n_threads, n_tasks, inner ? count_within : count, &c, &err), COVEY_OK);
    for (size_t i = 0; i < MOST_TASKS; i++)
        assert_int_equal(c.n_runs[i], i < n_tasks);
}

/* With those that a sanitizer has for itself from the first loop on. */
static int n_threads_now(void)
{
    DIR *folder = opendir("/proc/self/task");
    int n = 0;

    if (!folder)
        return -1;
    for (struct dirent *entry; (entry = readdir(folder));)
        n += entry->d_name[0] != '.';
    closedir(folder);
    return n;
}

/* The kernel takes a thread off its list shortly after it was joined. */
static void assert_threads_become(int n)
{
    const struct timespec moment = {.tv_nsec = 1000000};

    for (int i = 0; i < 1000 && n_threads_now() > n; i++)
        nanosleep(&moment, NULL);
    assert_true(n_threads_now() == -1 || n_threads_now() == n);
}

static void test_crew__every_task_runs_once(void **state)
{
    int before;

    (void)state;
    loop(2, 2, 0);
    before = n_threads_now();
    for (int round = 0; round < 2; round++) {
        if (round == 1)
            covey_i_threads_crew_begin();
        for (int n_threads = 0; n_threads <= 9; n_threads += 3)
            for (size_t n_tasks = 0; n_tasks <= MOST_TASKS; n_tasks = n_tasks * 2 + 1)
                loop(n_tasks, n_threads, 0);
        for (int i = 0; i < 500; i++)
            loop(2, 2, 0);
        if (round == 1)
            covey_i_threads_crew_end();
        assert_threads_become(before);
    }
}

static void test_crew__loops_may_stand_in_loops(void **state)
{
    (void)state;
    loop(40, 4, 7);
    covey_i_threads_crew_begin();
    loop(40, 4, 7);
    loop(1, 4, 7);
    covey_i_threads_crew_end();
}

static void test_crew__the_failing_task_with_the_lowest_number_counts(void **state)
{
    static struct counting c;
    covey_error err;

    (void)state;
    covey_i_threads_crew_begin();
    for (int i = 0; i < 200; i++) {
        memset(&c, 0, sizeof c);
        c.fails = 17;
        c.fails_too = 90;
        assert_int_equal(covey_i_parallel(4, MOST_TASKS, count, &c, &err), COVEY_EIO);
        assert_string_equal(err.message, "task 17");
        for (size_t t = 0; t < MOST_TASKS; t++)
            assert_int_equal(c.n_runs[t], 1);
    }
    covey_i_threads_crew_end();
}

static void test_crew__threads_stay_until_the_last_end_only(void **state)
{
    int before;

    (void)state;
    loop(2, 2, 0);
    before = n_threads_now();
    covey_i_threads_crew_begin();
    loop(100, 3, 0);
    assert_true(before == -1 || n_threads_now() == before + 2);
    covey_i_threads_crew_begin();
    loop(100, 3, 0);
    covey_i_threads_crew_end();
    assert_true(before == -1 || n_threads_now() == before + 2);
    covey_i_threads_crew_end();
    assert_threads_become(before);
}

/* Calls of several of the program's threads share the crew, and neither waits for what the other keeps. */
static void *call(void *argument)
{
    struct counting c = {.fails = SIZE_MAX, .fails_too = SIZE_MAX};
    covey_error err;
    size_t n_wrong = 0;

    for (int i = 0; i < 300; i++) {
        if (i % 3 == 0)
            covey_i_threads_crew_begin();
        n_wrong += covey_i_parallel(3, 5, count, &c, &err) != COVEY_OK;
        if (i % 3 == 2)
            covey_i_threads_crew_end();
    }
    for (size_t i = 0; i < MOST_TASKS; i++)
        n_wrong += c.n_runs[i] != (i < 5 ? 300 : 0);
    *(size_t *)argument = n_wrong;
    return NULL;
}

static void test_crew__calls_at_the_same_time_share_it(void **state)
{
    enum { N = 4 };
    pthread_t thread[N];
    size_t n_wrong[N];

    (void)state;
    for (int i = 0; i < N; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, call, &n_wrong[i]), 0);
    for (int i = 0; i < N; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(n_wrong[i], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crew__every_task_runs_once),
        cmocka_unit_test(test_crew__loops_may_stand_in_loops),
        cmocka_unit_test(test_crew__the_failing_task_with_the_lowest_number_counts),
        cmocka_unit_test(test_crew__threads_stay_until_the_last_end_only),
        cmocka_unit_test(test_crew__calls_at_the_same_time_share_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
