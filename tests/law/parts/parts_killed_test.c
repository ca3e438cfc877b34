/* Runs that are killed while they work in parts, with every method that can, at many moments: all that they leave is
 * one folder that nobody else can look into, the release that was there stays as it was, and the next run for the same
 * target takes the folder away.
 *
 * Moments are found twice: by what a run says of its progress, and by the size that its largest file has, behind which
 * the kernel kills it. */
#include "test.h"

#include <covey/covey.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/csvs.h"
#include "support/problem/problem_maker.h"
#include "base/file/folder.h"
#include "base/text.h"

enum { ROWS = 3000 };

static const char wish[] =
    "version: 1\ninput: {path: table.csv}\nattributes:\n  - {name: age, role: quasi-identifier}\n"
    "  - {name: zip, role: quasi-identifier}\n  - {name: pay, role: sensitive}\n";

/* What is promised with a method, and how a run is killed. */
struct attempt {
    const covey_method *method;
    const char *phase; /* killed when it says so, ... */
    int64_t done;      /* ... with so much done; -1: at the last part */
    rlim_t most_bytes; /* or when a file gets larger; 0: not so */
    int64_t rows_per_part;
};

static const char *model_for(const covey_method *method)
{
    static const struct {
        const char *method, *model;
    } of[] = {{"anatomy", "probabilistic-l-diversity:l=3"},
              {"burel", "enhanced-beta-likeness:beta=4"},
              {"ke-permutation", "ke-anonymity:k=3,e=2"},
              {"perturbation", "enhanced-beta-likeness:beta=4"},
              {"sabre", "t-closeness:t=0.5,distance=ordered"}};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strcmp(covey_method_name(method), of[i].method) == 0)
            return of[i].model;
    return "k-anonymity:k=3";
}

static void put_table(void)
{
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_string(&text, "age,zip,pay\n");
    for (unsigned i = 0; i < ROWS; i++)
        covey_i_text_add_format(&text, "%u,%u,%u\n", 18 + i * 31u % 70, 10000 + i * 7919u % 997, i * i % 37);
    csv_put_file(csv_path("table.csv"), text.bytes, text.size);
    csv_put_file(csv_path("policy.yaml"), wish, sizeof wish - 1);
    covey_i_text_free(&text);
}

static bool progress(void *context, const char *phase, int64_t done, int64_t to_do)
{
    const struct attempt *a = context;

    if (a->phase && strcmp(a->phase, phase) == 0 && done == (a->done < 0 ? to_do - 1 : a->done))
        kill(getpid(), SIGKILL);
    return true;
}

static covey_status publish(struct attempt *a, covey_error *err)
{
    const covey_run run = {.n_threads = 2, .has_seed = true, .seed = 3, .progress = progress, .context = a};
    const covey_parts_options options = {.force = true, .rows_per_part = a->rows_per_part};
    covey_anonymize_report report;
    covey_policy *policy = NULL;
    covey_status status;

    if ((status = covey_policy_read(&policy, csv_path("policy.yaml"), err)) == COVEY_OK &&
        (status = covey_policy_set(policy, "method", covey_method_name(a->method), err)) == COVEY_OK &&
        (status = covey_policy_set(policy, "model", model_for(a->method), err)) == COVEY_OK &&
        (status = covey_policy_check(policy, err)) == COVEY_OK &&
        (status = covey_anonymize_in_parts(&report, policy, csv_path("out/release"), &options, &run, err)) == COVEY_OK)
        covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    return status;
}

/* Files of a folder that nobody else may read; returns how many there are. */
static int look_into(const char *path)
{
    DIR *stream = opendir(path);
    const struct dirent *entry;
    int n = 0;

    assert_non_null(stream);
    while ((entry = readdir(stream))) {
        struct stat facts;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        assert_int_equal(fstatat(dirfd(stream), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW), 0);
        if (S_ISDIR(facts.st_mode)) {
            covey_text inner = COVEY_TEXT_INIT;

            assert_int_equal(facts.st_mode & 07777, 0700);
            covey_i_text_add_format(&inner, "%s/%s", path, entry->d_name);
            n += look_into(inner.bytes);
            covey_i_text_free(&inner);
        } else {
            assert_int_equal(facts.st_mode & 07777, 0600);
            n++;
        }
    }
    closedir(stream);
    return n;
}

/* Beside the release there is one folder of the process, and no other. */
static void expect_one_folder(pid_t pid, const char *what)
{
    DIR *stream = opendir(csv_path("out"));
    const struct dirent *entry;
    char start[64];
    int n = 0;

    snprintf(start, sizeof start, ".release.covey-%ld-", (long)pid);
    assert_non_null(stream);
    while ((entry = readdir(stream))) {
        char path[1024];
        struct stat facts;

        if (entry->d_name[0] != '.' || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (strncmp(entry->d_name, start, strlen(start)) != 0)
            fail_msg("%s: \"%s\" is of another run", what, entry->d_name);
        snprintf(path, sizeof path, "%s/%s", csv_path("out"), entry->d_name);
        assert_int_equal(stat(path, &facts), 0);
        assert_int_equal(facts.st_mode & 07777, 0700);
        look_into(path);
        n++;
    }
    closedir(stream);
    if (n != 1)
        fail_msg("%s: %d folders are left", what, n);
}

static void expect_release_alone(const char *what)
{
    DIR *stream = opendir(csv_path("out"));
    const struct dirent *entry;

    assert_non_null(stream);
    while ((entry = readdir(stream)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            strcmp(entry->d_name, "release") != 0)
            fail_msg("%s: \"%s\" is left behind", what, entry->d_name);
    closedir(stream);
}

static void name_attempt(char *out, size_t size, const struct attempt *a)
{
    if (a->phase)
        snprintf(out, size, "%s, killed at %s %lld", covey_method_name(a->method), a->phase, (long long)a->done);
    else
        snprintf(out, size, "%s, killed behind byte %lld of a file", covey_method_name(a->method),
                 (long long)a->most_bytes);
}

/* In a process of its own, which must not live to its end. */
static void be_killed(struct attempt *a, const char *what)
{
    const pid_t pid = fork();
    int how = 0;

    assert_true(pid >= 0);
    if (pid == 0) {
        const struct rlimit none = {0}, limit = {a->most_bytes, a->most_bytes};
        covey_error err;

        setrlimit(RLIMIT_CORE, &none);
        signal(SIGXFSZ, SIG_DFL);
        if (a->most_bytes > 0)
            setrlimit(RLIMIT_FSIZE, &limit);
        _exit(publish(a, &err) == COVEY_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &how, 0), pid);
    if (!WIFSIGNALED(how) || (WTERMSIG(how) != SIGKILL && WTERMSIG(how) != SIGXFSZ))
        fail_msg("%s: it was not, but ended with %d", what, how);
    expect_one_folder(pid, what);
}

static int64_t size_of_table(void)
{
    static const char *const name[] = {"out/release/table.csv", "out/release/quasi.csv"};
    struct stat facts;

    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        if (stat(csv_path(name[i]), &facts) == 0)
            return (int64_t)facts.st_size;
    fail_msg("there is no table");
    return 0;
}

static void do_method(const covey_method *method)
{
    static const struct {
        const char *phase;
        int64_t done;
    } moment[] = {{"plan", 0}, {"anonymize", 0}, {"anonymize", 1}, {"anonymize", -1}, {"merge", 0}, {"verify", 0}};
    struct attempt whole = {.method = method, .rows_per_part = 1000};
    char what[128], *before, *after;
    covey_error err;

    if (publish(&whole, &err) != COVEY_OK)
        fail_msg("%s: %s", covey_method_name(method), err.message);
    before = csv_get_folder(csv_path("out/release"));
    for (size_t i = 0; i < sizeof moment / sizeof *moment; i++) {
        struct attempt a = {.method = method, .phase = moment[i].phase, .done = moment[i].done, .rows_per_part = 1000};

        name_attempt(what, sizeof what, &a);
        be_killed(&a, what);
    }
    for (int64_t most = 4096; most < size_of_table();
         most += most / 2) { /* in the rows that are read, the part, the table */
        struct attempt a = {.method = method, .most_bytes = (rlim_t)most};

        name_attempt(what, sizeof what, &a);
        be_killed(&a, what);
    }
    after = csv_get_folder(csv_path("out/release"));
    if (strcmp(before, after) != 0)
        fail_msg("%s: the release that was there has changed", covey_method_name(method));
    if (publish(&whole, &err) != COVEY_OK)
        fail_msg("%s: %s", covey_method_name(method), err.message);
    expect_release_alone(covey_method_name(method));
    free(before);
    free(after);
}

static void test_parts__leave_one_folder_when_they_are_killed(void **unused)
{
    csv_folder();
    put_table();
    assert_int_equal(mkdir(csv_path("out"), 0700), 0);
    for (size_t m = 0; m < covey_method_count(); m++)
        if (covey_method_at(m)->in_parts) {
            do_method(covey_method_at(m));
            assert_int_equal(covey_i_folder_remove(csv_path("out/release"), NULL), COVEY_OK);
        }
    csv_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts__leave_one_folder_when_they_are_killed),
    };

    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0); /* waiting for a disk would take most of the time */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
