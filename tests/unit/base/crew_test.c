/* Programs that fork between calls; what the thread sanitizer can see is in tests/threads. */
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/threads.h"

enum { N_TASKS = 100 };

static covey_status count(void *context, size_t task, covey_error *err)
{
    (void)err;
    ((_Atomic int *)context)[task]++;
    return COVEY_OK;
}

static bool loop_is_right(void)
{
    _Atomic int n_runs[N_TASKS] = {0};
    covey_error err;
    bool right;

    covey_i_threads_crew_begin();
    right = covey_i_parallel(3, N_TASKS, count, (void *)n_runs, &err) == COVEY_OK;
    covey_i_threads_crew_end();
    for (size_t i = 0; i < N_TASKS; i++)
        right &= n_runs[i] == 1;
    return right;
}

static void test_crew__a_forked_child_hires_its_own(void **state)
{
    int status = 1;
    pid_t child;

    (void)state;
    assert_true(loop_is_right());
    if ((child = fork()) == 0)
        _exit(loop_is_right() ? 0 : 1);
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(loop_is_right());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crew__a_forked_child_hires_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
