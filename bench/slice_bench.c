/* How long slicing and full-domain recoding take on Adult from COVEY_DATA and on generated census tables, from CSV to
 * the verified release, beside what they are wanted to take.  Every case runs in a process of its own, so that its peak
 * memory is its own.
 *
 * usage: covey-slice-bench FOLDER    FOLDER is for tables and releases and must exist */
#include <covey/covey.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "results.h"

enum { REPEATS = 3 };

#define SEVEN "age,sex,race,marital-status,education,native-country,workclass"
#define FOURTEEN                                                                                                       \
    "age,workclass,fnlwgt,education,education-num,marital-status,relationship,race,sex,capital-gain,capital-loss,"     \
    "hours-per-week,"                                                                                                  \
    "native-country,income"

struct bench_case {
    const char *name, *input, *quasi, *sensitive, *model, *method, *suppression;
    bool whole;     /* the wish is about everything, else about the method alone */
    double seconds; /* wanted at most */
    long mib;       /* wanted at most; 0: nothing is */
};

#define SLICING(l)                                                                                                     \
    {                                                                                                                  \
        "slicing Adult, 14 attributes, l = " l, "adult-45222.csv", FOURTEEN, "occupation", "sliced-l-diversity:l=" l,  \
            "slicing", "0", false, 1, 0                                                                                \
    }
#define CENSUS(l)                                                                                                      \
    {                                                                                                                  \
        "slicing 500,000 census rows, l = " l, "census-500000.csv", "age,gender,education,marital,workclass",          \
            "salary", "sliced-l-diversity:l=" l, "slicing", "0", false, 3, 0                                           \
    }
#define FULL(quasi, words, suppression, seconds)                                                                       \
    {                                                                                                                  \
        "full-domain Adult, " words, "adult-30162.csv", quasi, "", "k-anonymity:k=5", "full-domain", suppression,      \
            false, seconds, 0                                                                                          \
    }
#define NINE SEVEN ",occupation,salary-class"

static const struct bench_case cases[] = {
    SLICING("2"),
    SLICING("5"),
    CENSUS("2"),
    CENSUS("5"),
    FULL(SEVEN, "7 attributes, 2,160 nodes", "0", 0.5),
    FULL(SEVEN, "7 attributes, 5 % suppressed", "0.05", 0.5),
    FULL(NINE, "9 attributes, 12,960 nodes", "0", 2),
    FULL(NINE, "9 attributes, 5 % suppressed", "0.05", 2),
    {"full-domain 5,000,000 census rows", "census-5000000.csv", "age,gender,education,marital,workclass", "salary",
     "k-anonymity:k=5", "full-domain", "0", true, 10, 600},
};

/* What a child hands back. */
struct result {
    double anonymize, all, verify;
    long long classes;
    char why[200];
};

static covey_status set(covey_policy *policy, const char *key, const char *value, covey_error *err)
{
    return covey_policy_set(policy, key, value, err);
}

/* A hierarchy for every attribute that full-domain recoding is to climb. */
static covey_status set_hierarchies(covey_policy *policy, const struct bench_case *c, const char *data,
                                    covey_error *err)
{
    static const char *const of_census[] = {"gender=hierarchies/gender.csv", "marital=hierarchies/marital.csv",
                                            "workclass=hierarchies/workclass.csv",
                                            "age={interval: {from: 0, to: 160, widths: [5, 10, 20, 40]}}",
                                            "education={interval: {from: 0, to: 32, widths: [2, 4, 8]}}"};
    covey_status status = COVEY_OK;
    char spec[2048];

    if (strcmp(c->method, "full-domain") != 0)
        return COVEY_OK;
    for (size_t i = 0; !strstr(c->input, "adult") && i < 5 && status == COVEY_OK; i++)
        status = set(policy, "hierarchy", of_census[i], err);
    for (const char *name = strstr(c->input, "adult") ? c->quasi : ""; *name && status == COVEY_OK;) {
        const int n = (int)strcspn(name, ",");

        snprintf(spec, sizeof spec, "%.*s=%s/adult/hierarchies-arx/adult_hierarchy_%.*s.csv", n, name, data, n, name);
        status = set(policy, "hierarchy", spec, err);
        name += n + (name[n] == ',');
    }
    return status;
}

static void run_case(struct result *out, const struct bench_case *c, const char *data)
{
    const covey_anonymize_options force = {.force = true};
    covey_anonymize_report report;
    covey_policy *policy = NULL;
    covey_error err;
    covey_status status;
    const double begin = bench_now();

    if ((status = covey_policy_new(&policy, &err)) == COVEY_OK &&
        (status = set(policy, "input", c->input, &err)) == COVEY_OK &&
        (status = set(policy, "quasi", c->quasi, &err)) == COVEY_OK &&
        (!*c->sensitive || (status = set(policy, "sensitive", c->sensitive, &err)) == COVEY_OK) &&
        (status = set(policy, "others", "drop", &err)) == COVEY_OK &&
        (status = set(policy, "model", c->model, &err)) == COVEY_OK &&
        (status = set(policy, "method", c->method, &err)) == COVEY_OK &&
        (status = set(policy, "suppression", c->suppression, &err)) == COVEY_OK &&
        (status = set_hierarchies(policy, c, data, &err)) == COVEY_OK &&
        (status = covey_policy_check(policy, &err)) == COVEY_OK)
        status = covey_anonymize(&report, policy, "sliced", &force, NULL, &err);
    if (status == COVEY_OK) {
        out->anonymize = report.seconds_anonymize;
        out->verify = report.seconds_verify;
        out->all = bench_now() - begin;
        out->classes = report.n_classes;
        covey_anonymize_report_clear(&report);
    } else {
        snprintf(out->why, sizeof out->why, "%.190s", err.message);
    }
    covey_policy_free(policy);
}

/* Runs a case in a child; false: it has crashed. */
static bool in_a_child(struct result *out, struct rusage *usage, const struct bench_case *c, const char *data)
{
    int ends[2], status;
    pid_t child;

    if (pipe(ends) != 0 || fflush(NULL) != 0 || (child = fork()) < 0)
        return false;
    if (child == 0) {
        struct result own = {0};

        run_case(&own, c, data);
        _exit(write(ends[1], &own, sizeof own) == (ssize_t)sizeof own ? 0 : 1);
    }
    close(ends[1]);
    status = read(ends[0], out, sizeof *out) == (ssize_t)sizeof *out ? 0 : 1;
    close(ends[0]);
    return wait4(child, &(int){0}, 0, usage) == child && status == 0;
}

static void bench(const struct bench_case *c, const char *data)
{
    struct result best = {0};
    double cpu = 0;
    long mib = 0;

    for (int i = 0; i < REPEATS; i++) {
        struct result r;
        struct rusage usage;

        if (!in_a_child(&r, &usage, c, data) || r.why[0]) {
            printf("%-48s %s\n", c->name, r.why[0] ? r.why : "crashed");
            return;
        }
        if (i == 0 || r.all < best.all) {
            best = r;
            cpu = (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
        }
        mib = usage.ru_maxrss / 1024 > mib ? usage.ru_maxrss / 1024 : mib;
    }
    printf("%-48s %9.3f %8.3f %8.3f %8.3f %7ld %9lld %7g%s\n", c->name, best.anonymize, best.all - best.verify,
           best.verify, cpu, mib, best.classes, c->seconds,
           (c->whole ? best.all - best.verify : best.anonymize) > c->seconds || (c->mib && mib > c->mib) ? "  MORE"
                                                                                                         : "");
    fflush(stdout);
    bench_record("slicing and full-domain", c->name, "anonymize", best.anonymize, "s", 0);
    bench_record("slicing and full-domain", c->name, "from CSV to CSV", best.all - best.verify, "s", 0);
    bench_record("slicing and full-domain", c->name, "verify", best.verify, "s", 0);
    bench_record("slicing and full-domain", c->name, "peak", (double)mib, "MiB", 0);
}

/* The tables of the cases: Adult without rows that miss something, with commas; census rows. */
static bool make_tables(const char *data)
{
    char command[2048];
    covey_error err;

    if (covey_generate("census", 500000, 1, "census-500000.csv", true, NULL, &err) != COVEY_OK ||
        covey_generate("census", 5000000, 1, "census-5000000.csv", true, NULL, &err) != COVEY_OK)
        return false;
    if (!data)
        return true;
    snprintf(command, sizeof command,
             "zcat '%s/adult/adult-48842.csv.gz' | grep -v '?' >adult-45222.csv && zcat "
             "'%s/adult/adult-30162-arx.csv.gz' >adult-30162.csv",
             data, data);
    return system(command) == 0;
}

int main(int argc, char **argv)
{
    const char *data = getenv("COVEY_DATA");

    if (argc != 2 || chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: covey-slice-bench FOLDER\n");
        return 2;
    }
    if (!make_tables(data)) {
        fprintf(stderr, "covey-slice-bench: no tables\n");
        return 3;
    }
    printf("\n%-48s %9s %8s %8s %8s %7s %9s %7s\n", "slicing and full-domain recoding, the fastest of 3", "anonymize",
           "CSV-CSV", "verify", "cpu", "MiB", "classes", "wanted");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (data || !strstr(cases[i].input, "adult"))
            bench(&cases[i], data);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        remove(cases[i].input);
    return 0;
}
