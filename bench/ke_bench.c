/* How long (k,e)-partitions take once the numbers are sorted: 1,000,000 different numbers, and the exact minimum of the
 * maximum for 3,000 rows with 777 different ones.  "partition" is from the sorted rows to the group of every row,
 * "anonymize" all that the method does.
 *
 * usage: ke-bench FOLDER    FOLDER is for tables and releases and must exist */
#include <covey/covey.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "results.h"

enum { REPEATS = 5, N_LARGE = 1000000, N_SMALL = 3000, N_DISTINCT = 777 };

struct clock {
    double begin, end; /* of the partition */
};

/* The method says when it begins to partition, and when it begins to make the release. */
static bool watch(void *context, const char *phase, int64_t done, int64_t to_do)
{
    struct clock *clock = context;

    (void)done;
    (void)to_do;
    if (strcmp(phase, "partition") == 0 && clock->begin == 0)
        clock->begin = bench_now();
    else if (strcmp(phase, "groups") == 0)
        clock->end = bench_now();
    return true;
}

static void measure(const char *input, const char *criterion, const char *model)
{
    const covey_anonymize_options options = {.force = true};
    double partition = 1e9, anonymize = 1e9, value = 0;
    int64_t groups = 0;
    char name[160];

    for (int i = 0; i < REPEATS; i++) {
        struct clock clock = {0, 0};
        const covey_run run = {.progress = watch, .context = &clock};
        covey_anonymize_report report;
        covey_policy *policy;
        covey_error err;

        if (covey_policy_new(&policy, &err) != COVEY_OK)
            bench_die("policy", err.message);
        bench_set(policy, "input", input);
        bench_set(policy, "quasi", "age");
        bench_set(policy, "sensitive", "capital-loss");
        bench_set(policy, "method", "ke-permutation");
        bench_set(policy, "criterion", criterion);
        bench_set(policy, "model", model);
        if (covey_policy_check(policy, &err) != COVEY_OK ||
            covey_anonymize(&report, policy, "release", &options, &run, &err) != COVEY_OK)
            bench_die(criterion, err.message);
        partition = clock.end - clock.begin < partition ? clock.end - clock.begin : partition;
        anonymize = report.seconds_anonymize < anonymize ? report.seconds_anonymize : anonymize;
        groups = report.n_classes;
        value = report.objective_value;
        covey_anonymize_report_clear(&report);
        covey_policy_free(policy);
    }
    printf("%-16s %-24s %10.4f %10.4f %9" PRId64 " %12.6g\n", criterion, model, partition, anonymize, groups, value);
    fflush(stdout);
    snprintf(name, sizeof name, "%s, %s, %s", input, criterion, model);
    bench_record("ke-permutation", name, "partition", partition, "s", 0);
    bench_record("ke-permutation", name, "anonymize", anonymize, "s", 0);
}

/* 777 numbers with uneven gaps, each three or four times. */
static void write_small(const char *path)
{
    int64_t number[N_DISTINCT], last = 0;
    FILE *file = fopen(path, "w");

    if (!file)
        exit(3);
    for (int i = 0; i < N_DISTINCT; i++)
        number[i] = last += 1 + (int64_t)i * i % 11;
    fputs("age,capital-loss\n", file);
    for (int i = 0; i < N_SMALL; i++)
        fprintf(file, "%d,%" PRId64 "\n", 17 + i % 63, number[i % N_DISTINCT]);
    fclose(file);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"distribution", "domain"}, *const texts[] = {"uniform", "0,1000000000000"};
    const covey_generate_options options = {.force = true, .param_names = names, .param_texts = texts, .n_params = 2};
    covey_error err;

    if (argc != 2 || chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: ke-bench FOLDER\n");
        return 2;
    }
    if (covey_generate_with("capital-loss", N_LARGE, 1, "large.csv", &options, NULL, &err) != COVEY_OK)
        bench_die("generate", err.message);
    write_small("small.csv");
    printf("\n(k,e)-permutation, %d threads; the fastest of %d runs each, seconds\n", covey_run_threads(NULL), REPEATS);
    printf("%-16s %-24s %10s %10s %9s %12s\n", "criterion", "promise", "partition", "anonymize", "groups", "objective");
    printf("%d rows, as many different numbers:\n", N_LARGE);
    measure("large.csv", "min-sum", "ke-anonymity:k=5,e=3000000");
    measure("large.csv", "min-max-touch", "ke-anonymity:k=5,e=3000000");
    printf("%d rows, %d different numbers:\n", N_SMALL, N_DISTINCT);
    measure("small.csv", "min-max", "ke-anonymity:k=5,e=20");
    measure("small.csv", "min-max", "ke-anonymity:k=5,e=1000");
    remove("large.csv");
    remove("small.csv");
    return 0;
}
