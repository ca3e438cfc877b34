/* One release, asked by several threads at once, each with threads of its own: every answer is the same. */
#include "test.h"

#include <covey/query.h>

#include <pthread.h>
#include <string.h>

#include "support/release/bucket_release.h"
#include "support/release/small_release.h"

enum { N_THREADS = 4, ROUNDS = 40 };

struct asking {
    const covey_query_release *release;
    const char *sql;
    char expected[160];
    bool same;
};

static bool ask(char out[160], const covey_query_release *release, const char *sql, int n_threads)
{
    covey_run run = {.n_threads = n_threads};
    covey_query_result *result = NULL;
    covey_error err;

    if (covey_query_run(&result, release, sql, &run, &err) != COVEY_OK) {
        fprintf(stderr, "%s\n", err.message);
        return false;
    }
    snprintf(out, 160, "%zu %s %s", result->n_groups, result->group->answer->lower.text,
             result->group->answer->upper.text);
    covey_query_result_free(result);
    return true;
}

static void *work(void *context)
{
    struct asking *a = context;
    char got[160];

    a->same = true;
    for (int i = 0; i < ROUNDS; i++)
        a->same &= ask(got, a->release, a->sql, 1 + i % 3) && strcmp(got, a->expected) == 0;
    return NULL;
}

static void ask_together(const char *path, const char *const *sql)
{
    covey_query_release *release = NULL;
    struct asking asking[N_THREADS];
    pthread_t thread[N_THREADS];
    covey_error err;

    if (covey_query_open(&release, path, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    for (int i = 0; i < N_THREADS; i++) {
        asking[i] = (struct asking){.release = release, .sql = sql[i]};
        assert_true(ask(asking[i].expected, release, sql[i], 1));
    }
    for (int i = 0; i < N_THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, &asking[i]), 0);
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(thread[i], NULL);
        assert_true(asking[i].same);
    }
    covey_query_close(release);
}

static void test_query__threads_share_a_generalized_release(void **state)
{
    static const char *const sql[N_THREADS] = {
        "SELECT COUNT(*) WHERE age < 30 OR disease = 'flu'", "SELECT COUNT(*) GROUP BY edu, city",
        "SELECT COUNT(*) WHERE edu = 'college' AND NOT city IN ('A', 'C')", "SELECT COUNT(*) WHERE note = 'x'"};
    release_folder r;

    small_release(&r);
    ask_together(r.path, sql);
    release_end(&r);
}

static void test_query__threads_share_a_bucketized_release(void **state)
{
    static const bucket_group groups[] = {{3, {"a,1", "b,2", "b,3"}, {5, 5, 9}}, {2, {"a,1", "c,4"}, {2, 7}}};
    static const char *const sql[N_THREADS] = {
        "SELECT SUM(pay) WHERE age > 1", "SELECT MIN(pay), AVG(pay) GROUP BY city",
        "SELECT COUNT(*) WHERE pay > 4 AND city = 'b' OR age = 4", "SELECT MAX(age) WHERE NOT city = 'a'"};
    release_folder r;

    bucket_release(&r, "city,age",
                   "{'name': 'city', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': '1/2', "
                   "'has_missing': false},"
                   "{'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'value', 'weight': "
                   "'1/2', 'has_missing': false}",
                   groups, 2);
    ask_together(r.path, sql);
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query__threads_share_a_generalized_release),
        cmocka_unit_test(test_query__threads_share_a_bucketized_release),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
