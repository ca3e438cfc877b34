/* How long distribution transformation takes: with made-up values, on a large domain, on many rows, and against the
 * number of rows. "intervals" is from the targets' trees to the intervals of all groups, "anonymize" all that the
 * method does, trees with it.
 *
 * usage: dist-bench FOLDER    FOLDER is for tables and releases and must exist */
#include <covey/covey.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "results.h"

enum { REPEATS = 3, N_ADULT = 1427, ADULT_DOMAIN = 8192, N_SPARSE = 10000, LARGE_DOMAIN = 1000000, N_LARGE = 1000000 };

struct clock {
    double begin, end; /* of finding intervals */
};

struct setting {
    const char *key, *value;
};

static bool watch(void *context, const char *phase, int64_t done, int64_t to_do)
{
    struct clock *clock = context;

    (void)done;
    (void)to_do;
    if (strcmp(phase, "intervals") == 0)
        clock->begin = bench_now();
    else if (strcmp(phase, "groups") == 0)
        clock->end = bench_now();
    return true;
}

/* One run; the fastest so far stays in the figures. */
static covey_anonymize_report run_once(double *intervals, double *anonymize, const char *input,
                                       const struct setting *settings)
{
    const covey_anonymize_options options = {.force = true};
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
    bench_set(policy, "method", "distribution");
    bench_set(policy, "model", "p-private");
    for (; settings->key; settings++)
        bench_set(policy, settings->key, settings->value);
    if (covey_policy_check(policy, &err) != COVEY_OK ||
        covey_anonymize(&report, policy, "release", &options, &run, &err) != COVEY_OK)
        bench_die(input, err.message);
    *intervals = fmin(*intervals, clock.end - clock.begin);
    *anonymize = fmin(*anonymize, report.seconds_anonymize);
    covey_policy_free(policy);
    return report;
}

static double measure(const char *name, const char *input, const struct setting *settings, int repeats)
{
    double intervals = INFINITY, anonymize = INFINITY;

    for (int i = 0; i < repeats; i++) {
        covey_anonymize_report report = run_once(&intervals, &anonymize, input, settings);

        if (i == repeats - 1)
            printf("%-52s %10.4f %10.4f %8" PRId64 " %8" PRId64 " %12.6g\n", name, intervals, anonymize,
                   report.n_classes, report.fakes, report.objective_value);
        covey_anonymize_report_clear(&report);
    }
    bench_record("distribution", name, "intervals", intervals, "s", 0);
    bench_record("distribution", name, "anonymize", anonymize, "s", 0);
    fflush(stdout);
    return anonymize;
}

static void generate(const char *path, int64_t rows, const char *domain)
{
    const char *const names[] = {"domain", "distribution"}, *const texts[] = {domain, strcmp(domain, "1024,3072")
                                                                                          ? "uniform"
                                                                                          : "normal"};
    const covey_generate_options options = {.force = true, .param_names = names, .param_texts = texts, .n_params = 2};
    covey_error err;

    if (covey_generate_with("capital-loss", rows, 1, path, &options, NULL, &err) != COVEY_OK)
        bench_die("generate", err.message);
}

/* A hierarchy over 1 .. n: runs of arity, arity^2, ... numbers. */
static void write_tree(const char *path, int n, int arity)
{
    FILE *file = fopen(path, "w");

    if (!file)
        exit(3);
    for (int i = 0; i < n; i++) {
        fprintf(file, "%d", i + 1);
        for (int64_t width = arity, before = 1; before < n; before = width, width *= arity) {
            const int64_t first = i / width * width, last = first + width < n ? first + width : n;

            if (first + 1 == last)
                fprintf(file, ";%d", i + 1);
            else if (last - first < n)
                fprintf(file, ";%" PRId64 "..%" PRId64, first + 1, last);
            else
                fputs(";*", file);
        }
        fputc('\n', file);
    }
    fclose(file);
}

/* Least squares through the logarithms: 1 is linear. */
static double slope(const double *x, const double *y, int n)
{
    double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;

    for (int i = 0; i < n; i++) {
        sum_x += log(x[i]);
        sum_y += log(y[i]);
        sum_xx += log(x[i]) * log(x[i]);
        sum_xy += log(x[i]) * log(y[i]);
    }
    return (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

static void measure_rows(void)
{
    static const double rows[] = {62500, 125000, 250000, 500000, 1000000};
    static const struct setting sa_only[] = {{"scheme", "sa-only"}, {NULL, NULL}},
                                qi_sa[] = {{"scheme", "qi-sa"}, {NULL, NULL}};
    enum { POINTS = sizeof rows / sizeof *rows };
    double sa[POINTS], qi[POINTS];

    for (int i = 0; i < POINTS; i++) {
        char name[64];

        generate("rows.csv", (int64_t)rows[i], "1024,3072");
        snprintf(name, sizeof name, "%.0f rows, SA-only", rows[i]);
        sa[i] = measure(name, "rows.csv", sa_only, REPEATS);
        snprintf(name, sizeof name, "%.0f rows, 63 groups, QI-SA", rows[i]);
        qi[i] = measure(name, "rows.csv", qi_sa, REPEATS);
    }
    printf("time grows as rows to the power of %.2f with SA-only, %.2f with QI-SA (1: linear)\n",
           slope(rows, sa, POINTS), slope(rows, qi, POINTS));
    remove("rows.csv");
}

int main(int argc, char **argv)
{
    static const struct setting made_up[] = {
        {"hierarchy", "capital-loss={file: tree.csv}"}, {"target", "uniform"}, {"fakes", "10"}, {NULL, NULL}};
    static const struct setting from_source[] = {
        {"hierarchy", "capital-loss={file: tree.csv}"}, {"fakes", "10"}, {NULL, NULL}};
    static const struct setting sparse[] = {
        {"hierarchy", "capital-loss={file: tree.csv}"}, {"target", "uniform"}, {NULL, NULL}};

    if (argc != 2 || chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: dist-bench FOLDER\n");
        return 2;
    }
    printf("\ndistribution transformation, %d threads; the fastest of some runs each, seconds\n",
           covey_run_threads(NULL));
    printf("%-52s %10s %10s %8s %8s %12s\n", "", "intervals", "anonymize", "groups", "made up", "objective");
    generate("small.csv", N_ADULT, "155,4356");
    write_tree("tree.csv", ADULT_DOMAIN, 2);
    measure("1427 rows, domain 1..8192, 10 fakes, uniform", "small.csv", made_up, REPEATS);
    measure("1427 rows, domain 1..8192, 10 fakes, source", "small.csv", from_source, REPEATS);
    generate("sparse.csv", N_SPARSE, "1,1000000");
    write_tree("tree.csv", LARGE_DOMAIN, 10);
    measure("10000 rows, 1,000,000 leaves (tenfold), SA-only", "sparse.csv", sparse, 1);
    remove("small.csv");
    remove("sparse.csv");
    remove("tree.csv");
    measure_rows();
    return 0;
}
