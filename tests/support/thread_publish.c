/* Comparing what a method publishes with one thread and with many. */
#include "support/thread_publish.h"

#include "test.h"

static char *publish(const covey_method *method, const char *params, problem_maker *m, int n_threads)
{
    const covey_run run = {.n_threads = n_threads, .has_seed = true, .seed = 3};
    covey_release *release;
    char *text;

    assert_int_equal(method->run(&release, &m->problem, maker_method_params(m, method, params), &run, NULL), COVEY_OK);
    text = maker_published(release, &m->problem);
    covey_release_free(release);
    return text;
}

void threads_publish_the_same(const char *name, const char *params, problem_maker *m)
{
    const covey_method *method = covey_method_find(name);
    char *one = publish(method, params, m, 1), *many = publish(method, params, m, 6);

    assert_string_equal(one, many);
    free(one);
    free(many);
}
