/* What attacks, a comparison of all methods and a report cost: attacks on releases of 500,000 rows of the generated
 * census, the comparison on Adult, or, without it, on the census.
 *
 * usage: attack-bench FOLDER ROWS [ADULT]    FOLDER is for tables and releases and must exist; ADULT: Adult's table */
#include <covey/covey.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common.h"
#include "results.h"

static const double MOST_ATTACK = 60, MOST_COMPARE = 60, MOST_REPORT = 2; /* seconds */

static bool is_slow;

static double processor(void)
{
    struct rusage use;

    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
}

/* key, value, key, value, ..., NULL */
static covey_policy *make_policy(const char *input, const char *const *word)
{
    covey_policy *policy = NULL;
    covey_error err;

    if (covey_policy_new(&policy, &err) != COVEY_OK || covey_policy_set(policy, "input", input, &err) != COVEY_OK)
        bench_die(input, err.message);
    for (; *word; word += 2)
        if (covey_policy_set(policy, word[0], word[1], &err) != COVEY_OK)
            bench_die(word[0], err.message);
    if (covey_policy_check(policy, &err) != COVEY_OK)
        bench_die(input, err.message);
    return policy;
}

static void print_line(const char *what, double seconds, double cpu, double most)
{
    printf("  %-34s %8.2f s %8.2f s of processor time, at most %.0f s%s\n", what, seconds, cpu, most,
           seconds > most ? ": MISSED" : "");
    fflush(stdout);
    bench_record("attack", what, "seconds", seconds, "s", 0);
    bench_record("attack", what, "processor time", cpu, "s", 0);
    is_slow |= seconds > most;
}

/* All attacks but minimality, two releases together and membership included. */
static void attack(const char *release, const char *input, const char *method)
{
    const covey_attack_options options = {.original = input, .with = release, .population = input};
    const double begin = bench_now(), cpu = processor();
    covey_attack_report *report = NULL;
    covey_error err;
    char what[80];

    if (covey_attack_release(&report, release, &options, NULL, &err) != COVEY_OK)
        bench_die(method, err.message);
    covey_attack_report_free(report);
    snprintf(what, sizeof what, "attacks on %s", method);
    print_line(what, bench_now() - begin, processor() - cpu, MOST_ATTACK);
}

/* Without the original, and with it, when all attacks are run for it. */
static void write_report(const char *release, const char *input, const char *folder, const char *method,
                         double most_with)
{
    covey_report_options options = {.original = NULL};
    char path[4200], what[80];

    snprintf(path, sizeof path, "%s/report.html", folder);
    for (int with = 0; with < 2; with++) {
        const double begin = bench_now(), cpu = processor();
        covey_error err;
        bool holds;

        options.original = with ? input : NULL;
        if (covey_report_write(&holds, path, true, release, &options, NULL, &err) != COVEY_OK)
            bench_die(method, err.message);
        snprintf(what, sizeof what, "report on %s%s", method, with ? ", with the original" : "");
        print_line(what, bench_now() - begin, processor() - cpu, with ? most_with : MOST_REPORT);
    }
}

static void publish(const char *release, const char *input, const char *const *words)
{
    const covey_anonymize_options options = {.force = true};
    covey_policy *policy = make_policy(input, words);
    covey_anonymize_report report;
    covey_error err;

    if (covey_anonymize(&report, policy, release, &options, NULL, &err) != COVEY_OK)
        bench_die(input, err.message);
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
}

static void bench_method(const char *input, const char *folder, const char *method, const char *model)
{
    const char *const words[] = {"quasi",     "age,gender,education,marital,workclass",
                                 "sensitive", "salary",
                                 "others",    "drop",
                                 "model",     model,
                                 "method",    method,
                                 NULL};
    char release[4200];

    snprintf(release, sizeof release, "%s/attacked", folder);
    publish(release, input, words);
    attack(release, input, method);
    write_report(release, input, folder, method, MOST_ATTACK);
}

static void compare(const char *input, const char *folder, const char *const *words, const char *name)
{
    covey_policy *policy = make_policy(input, words);
    const double begin = bench_now(), cpu = processor();
    covey_comparison *comparison = NULL;
    covey_error err;
    char what[80], release[4200];
    size_t n = 0;

    if (covey_compare(&comparison, policy, NULL, NULL, &err) != COVEY_OK)
        bench_die(name, err.message);
    for (size_t i = 0; i < comparison->n_methods; i++)
        n += comparison->method[i].feasible;
    snprintf(what, sizeof what, "compare on %s, %zu of %zu methods", name, n, comparison->n_methods);
    print_line(what, bench_now() - begin, processor() - cpu, MOST_COMPARE);
    covey_comparison_free(comparison);
    covey_policy_free(policy);
    snprintf(release, sizeof release, "%s/attacked", folder);
    publish(release, input, words);
    write_report(release, input, folder, name, MOST_REPORT);
}

int main(int argc, char **argv)
{
    static const char *const adult[] = {"quasi",
                                        "age,workclass,education,marital-status,race,sex,native-country",
                                        "sensitive",
                                        "occupation",
                                        "others",
                                        "drop",
                                        "null",
                                        "?",
                                        "missing-sensitive",
                                        "drop",
                                        "model",
                                        "k-anonymity:k=10",
                                        "model",
                                        "enhanced-beta-likeness:beta=4",
                                        NULL};
    static const char *const census[] = {"quasi",     "age,gender,education,marital,workclass",
                                         "sensitive", "salary",
                                         "others",    "drop",
                                         "model",     "k-anonymity:k=10",
                                         "model",     "enhanced-beta-likeness:beta=4",
                                         NULL};
    static const struct {
        const char *method, *model;
    } run[] = {{"elastic", "enhanced-beta-likeness:beta=4"},      {"mondrian", "enhanced-beta-likeness:beta=4"},
               {"burel", "enhanced-beta-likeness:beta=4"},        {"anatomy", "probabilistic-l-diversity:l=4"},
               {"perturbation", "enhanced-beta-likeness:beta=4"}, {"slicing", "sliced-l-diversity:l=4"},
               {"distribution", "p-private:target=uniform"}};
    covey_error err;
    char input[4200];

    if (argc < 3)
        bench_die("usage", "attack-bench FOLDER ROWS [ADULT]");
    snprintf(input, sizeof input, "%s/attacked.csv", argv[1]);
    if (covey_generate("census", atoll(argv[2]), 1, input, true, NULL, &err) != COVEY_OK)
        bench_die(input, err.message);
    printf("census, %lld rows, five quasi-identifiers\n", atoll(argv[2]));
    for (size_t i = 0; i < sizeof run / sizeof *run; i++)
        bench_method(input, argv[1], run[i].method, run[i].model);
    if (argc > 3)
        compare(argv[3], argv[1], adult, "Adult");
    else
        compare(input, argv[1], census, "the census");
    return is_slow ? 1 : 0;
}
