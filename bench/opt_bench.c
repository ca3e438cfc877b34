/* How long optimal partitioning takes on the tables of its paper: SimpleNormal, which is generated, and Coil and Adult
 * from COVEY_DATA. usage: covey-opt-bench FOLDER [TABLE]: those whose name contains TABLE
 *
 * Each line says what it is to reach: seconds on the clock to the proven optimum, or best / bound within the time
 * limit. */
#include <covey/covey.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "results.h"

struct bench_case {
    const char *name, *file; /* below COVEY_DATA; NULL: SimpleNormal */
    const char *quasi, *splits;
    const char *length; /* minimum lengths; NULL: none */
    int k;
    double limit, optimum; /* seconds; the proven optimum, 0: none is known */
    double seconds, ratio; /* to reach; 0: no such mark */
};

#define ADULT_QUASI "age,native-country,sex,race,workclass,occupation,education-num,income,marital-status"
#define ADULT_SPLITS "{age: [19.5, 24.5, 29.5, 34.5, 39.5, 44.5, 49.5, 54.5, 59.5, 64.5, 69.5, 74.5, 79.5, 84.5, 89.5]}"
#define NORMAL_SPLITS(n) "{x: \"width:" #n "\", y: \"width:" #n "\"}"
#define NORMAL(k, optimum)                                                                                             \
    {                                                                                                                  \
        "SimpleNormal 50x50", NULL, "x,y", NORMAL_SPLITS(50), NULL, k, 60, optimum, 0.3, 0                             \
    }
#define NORMAL_LENGTH(k, optimum)                                                                                      \
    {                                                                                                                  \
        "SimpleNormal, length 10", NULL, "x,y", NORMAL_SPLITS(50), "{x: 10, y: 10}", k, 60, optimum, 0.3, 0            \
    }
#define COIL(k, optimum, seconds)                                                                                      \
    {                                                                                                                  \
        "Coil", "coil2000/caravan-9822.csv.gz", "MOSTYPE,MAANTHUI,MGEMOMV,MGEMLEEF,MOSHOOFD", "{}", NULL, k, 120,      \
            optimum, seconds, 0                                                                                        \
    }
#define ADULT(k, optimum, seconds, ratio)                                                                              \
    {                                                                                                                  \
        "Adult, 101 splits", "adult.csv", ADULT_QUASI, ADULT_SPLITS, NULL, k, 120, optimum, seconds, ratio             \
    }

static const struct bench_case cases[] = {
    NORMAL(5, 40510),
    NORMAL(10, 60730),
    NORMAL(25, 134232),
    NORMAL(50, 263476),
    NORMAL(100, 521196),
    NORMAL(250, 1316264),
    NORMAL(500, 2778868),
    NORMAL_LENGTH(5, 938928),
    NORMAL_LENGTH(10, 939674),
    NORMAL_LENGTH(25, 944108),
    NORMAL_LENGTH(50, 960360),
    NORMAL_LENGTH(100, 1020960),
    NORMAL_LENGTH(250, 1408238),
    NORMAL_LENGTH(500, 2779204),
    COIL(1000, 10732644, 0.1),
    COIL(500, 5695310, 1),
    COIL(250, 2929972, 5),
    COIL(100, 1505716, 60),
    COIL(50, 1161988, 60),
    COIL(25, 1036100, 0),
    COIL(10, 994284, 0),
    ADULT(1000, 31379730, 20, 0),
    ADULT(500, 0, 0, 1.015),
    ADULT(250, 0, 0, 1.035),
    ADULT(100, 0, 0, 1.070),
};

/* adult.data without the rows that miss something. */
static int make_adult(const char *data)
{
    char command[2048];

    snprintf(command, sizeof command,
             "{ echo "
             "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-"
             "gain,capital-loss,"
             "hours-per-week,native-country,income; zcat '%s/adult/adult.data.gz' | sed 's/, */,/g' | grep -v '?' | "
             "grep , ; } >adult.csv",
             data);
    return system(command);
}

static double cpu_seconds(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

static covey_status set(covey_policy *policy, const char *key, const char *value, covey_error *err)
{
    return covey_policy_set(policy, key, value, err);
}

static covey_status run_case(covey_anonymize_report *report, const struct bench_case *c, const char *path,
                             covey_error *err)
{
    const covey_anonymize_options force = {.force = true};
    char model[32], limit[32];
    covey_policy *policy = NULL;
    covey_status status;

    snprintf(model, sizeof model, "k-anonymity:k=%d", c->k);
    snprintf(limit, sizeof limit, "%g", c->limit);
    if ((status = covey_policy_new(&policy, err)) == COVEY_OK &&
        (status = set(policy, "input", path, err)) == COVEY_OK &&
        (status = set(policy, "quasi", c->quasi, err)) == COVEY_OK &&
        (status = set(policy, "others", "drop", err)) == COVEY_OK &&
        (status = set(policy, "model", model, err)) == COVEY_OK &&
        (status = set(policy, "method", "optimal-partition", err)) == COVEY_OK &&
        (status = set(policy, "splits", c->splits, err)) == COVEY_OK &&
        (!c->length || (status = set(policy, "min-length", c->length, err)) == COVEY_OK) &&
        (status = set(policy, "time-limit", limit, err)) == COVEY_OK &&
        (c->file || ((status = set(policy, "domain", "x=[0, 100]", err)) == COVEY_OK &&
                     (status = set(policy, "domain", "y=[0, 100]", err)) == COVEY_OK)) &&
        (status = covey_policy_check(policy, err)) == COVEY_OK)
        status = covey_anonymize(report, policy, "optimal", &force, NULL, err);
    covey_policy_free(policy);
    return status;
}

/* "0.3 s: reached" */
static void print_mark(const struct bench_case *c, const covey_anonymize_report *report)
{
    const double ratio = report->objective_value / report->objective_bound;

    if (c->optimum > 0 && report->optimal && report->objective_value != c->optimum)
        printf("  WRONG: the optimum is %.0f", c->optimum);
    else if (c->seconds > 0)
        printf("  %g s: %s", c->seconds,
               report->optimal && report->seconds_anonymize <= c->seconds ? "reached" : "MISSED");
    else if (c->ratio > 0)
        printf("  %.3f: %s", c->ratio, ratio <= c->ratio ? "reached" : "MISSED");
    putchar('\n');
}

int main(int argc, char **argv)
{
    const char *data = getenv("COVEY_DATA");
    covey_error err;

    if (argc < 2 || argc > 3 || chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: covey-opt-bench FOLDER [TABLE]\n");
        return 2;
    }
    if (covey_generate("normal2d", 5000, COVEY_GENERATE_SEED, "normal.csv", true, NULL, &err) != COVEY_OK ||
        (data && make_adult(data) != 0)) {
        fprintf(stderr, "no tables: %s\n", err.message);
        return 3;
    }
    printf("\n%-24s %5s %12s %12s %9s %8s %8s  %s\n", "optimal partition", "k", "cost", "bound", "ratio", "seconds",
           "cpu", "to reach");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct bench_case *c = &cases[i];
        const double before = cpu_seconds();
        covey_anonymize_report report;
        char path[1024];

        if ((c->file && !data) || (argc == 3 && !strstr(c->name, argv[2])))
            continue;
        snprintf(path, sizeof path, "%s%s%s", c->file && strchr(c->file, '/') ? data : ".", "/",
                 c->file ? c->file : "normal.csv");
        if (run_case(&report, c, path, &err) != COVEY_OK) {
            printf("%-24s %5d %s\n", c->name, c->k, err.message);
            continue;
        }
        printf("%-24s %5d %12.0f %12.0f %9.4f %8.3f %8.3f", c->name, c->k, report.objective_value,
               report.objective_bound, report.objective_value / report.objective_bound, report.seconds_anonymize,
               cpu_seconds() - before);
        bench_record("optimal-partition", c->name, "anonymize", report.seconds_anonymize, "s", 0);
        bench_record("optimal-partition", c->name, "cost", report.objective_value, "", report.objective_bound);
        print_mark(c, &report);
        fflush(stdout);
        covey_anonymize_report_clear(&report);
    }
    return 0;
}
