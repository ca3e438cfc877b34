/* Loss against time: what methods that keep k-anonymity lose on tables of 10^5, 10^6 and 10^7 rows, and how many copies
 * of the file they take for it (bench.c says what the copy is, which is measured in turn with each case).
 *
 * usage: loss_bench FOLDER [ROWS...]    FOLDER is for tables and releases and must exist */
#include <covey/covey.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common.h"
#include "floors.h"
#include "publish.h"
#include "results.h"

#define SLOW 2.0 /* seconds: what takes longer runs once */

enum { REPEATS = 3 };

static const char *const methods[] = {"mondrian", "elastic", "peel", "auto"};
static const int ks[] = {5, 10};

static void bench_method(const char *method, int k, const char *input, int64_t n_rows)
{
    const struct copy_argument copy_argument = {input, "copy.csv"};
    struct result r = {0}, copy = {0};
    char model[32], name[96];
    const struct publish_argument publish = {.input = input,
                                             .quasi = "age,gender,education,marital,workclass",
                                             .method = method,
                                             .model = model,
                                             .target = "release"};
    double floor;

    snprintf(model, sizeof model, "k-anonymity:k=%d", k);
    for (int turn = 0; turn < REPEATS && (turn == 0 || (r.ok && bench_cost(&r) < SLOW)); turn++) {
        const struct result once = bench_in_a_child(bench_publish, &publish),
                            copied = bench_in_a_child(bench_copy, &copy_argument);

        bench_keep_faster(&r, &once);
        bench_keep_faster(&copy, &copied);
    }
    if (!r.ok) {
        printf("%-10s %4d %s\n", method, k, r.why);
        return;
    }
    floor = copy.read + copy.write * (double)bench_size_of_release(publish.target) / (double)bench_size_of("copy.csv");
    printf("%-10s %4d %9.3f %9.3f %9.1f %11.7f %9lld\n", method, k, bench_cost(&r), floor, bench_cost(&r) / floor,
           r.ail, (long long)r.classes);
    fflush(stdout);
    snprintf(name, sizeof name, "%lld rows, %s, k = %d", (long long)n_rows, method, k);
    bench_record("loss against time", name, "read, anonymize and write", bench_cost(&r), "s", floor);
    bench_record("loss against time", name, "average information loss", r.ail, "", 0);
}

static void bench_rows(int64_t n_rows)
{
    char input[64];
    covey_error err;

    snprintf(input, sizeof input, "census-%lld.csv", (long long)n_rows);
    if (covey_generate("census", n_rows, 1, input, true, NULL, &err) != COVEY_OK)
        bench_die("generate", err.message);
    printf("\nloss against time, %lld rows of census, 5 quasi-identifiers\n", (long long)n_rows);
    printf("%-10s %4s %9s %9s %9s %11s %9s\n", "method", "k", "seconds", "copy", "x copy", "AIL", "classes");
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
        for (size_t j = 0; j < sizeof methods / sizeof *methods; j++)
            bench_method(methods[j], ks[i], input, n_rows);
    remove(input);
    remove("copy.csv");
}

int main(int argc, char **argv)
{
    if (argc < 2 || chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: loss_bench FOLDER [ROWS...]\n");
        return 2;
    }
    for (int64_t n_rows = 100000; argc == 2 && n_rows <= 10000000; n_rows *= 10)
        bench_rows(n_rows);
    for (int i = 2; i < argc; i++)
        bench_rows(strtoll(argv[i], NULL, 10));
    return 0;
}
