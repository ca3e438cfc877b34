/* What publishing costs beside copying the file.
 *
 * The floor that everything is compared with is measured in the same run, in turn with each case: the copy (reading the
 * input and writing as many bytes as the release has, through the library's own reader and writer).  Ratios mean
 * something on any machine, seconds only on the one that printed them.
 *
 * usage: bench FOLDER [ROWS...]    FOLDER is for tables and releases and must exist */
#include <covey/covey.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "floors.h"
#include "publish.h"
#include "results.h"

enum { REPEATS = 5, LARGE = 10000000, MOST_SIZES = 16 };

struct bench_case {
    const char *name, *quasi, *method, *model;
    double most_copies;   /* what reading, anonymizing and writing may cost, in copies; 0: no mark was set */
    int64_t memory_limit; /* in parts; 0: at once */
};

static const struct bench_case cases[] = {
    {"elastic qi=3", "age,gender,education", "elastic", "enhanced-beta-likeness:beta=4", 2.5, 0},
    {"elastic qi=5", "age,gender,education,marital,workclass", "elastic", "enhanced-beta-likeness:beta=4", 2.5, 0},
    {"burel sweep qi=3", "age,gender,education", "burel", "enhanced-beta-likeness:beta=4", 1.5, 0},
    {"burel sweep qi=5", "age,gender,education,marital,workclass", "burel", "enhanced-beta-likeness:beta=4", 1.5, 0},
    {"sabre sweep qi=3", "age,gender,education", "sabre", "t-closeness:t=0.1,distance=ordered", 0, 0},
    {"sabre sweep qi=5", "age,gender,education,marital,workclass", "sabre", "t-closeness:t=0.1,distance=ordered", 0, 0},
    {"perturbation qi=3", "age,gender,education", "perturbation", "enhanced-beta-likeness:beta=4", 1.5, 0},
    {"perturbation qi=5", "age,gender,education,marital,workclass", "perturbation", "enhanced-beta-likeness:beta=4",
     1.5, 0},
    {"mondrian qi=5 k=5", "age,gender,education,marital,workclass", "mondrian", "k-anonymity:k=5", 2, 0},
    {"peel qi=5 k=5", "age,gender,education,marital,workclass", "peel", "k-anonymity:k=5", 6, 0},
    {"elastic qi=5 k=10", "age,gender,education,marital,workclass", "elastic", "k-anonymity:k=10", 2.5, 0},
    {"the same in 400 MiB", "age,gender,education,marital,workclass", "elastic", "k-anonymity:k=10", 0,
     (int64_t)400 << 20},
    {"full-domain qi=3", "age,gender,education", "full-domain", "k-anonymity:k=5", 0, 0},
    {"anatomy qi=5 l=5", "age,gender,education,marital,workclass", "anatomy", "probabilistic-l-diversity:l=5", 0, 0},
    {"ke-permutation qi=5", "age,gender,education,marital,workclass", "ke-permutation", "ke-anonymity:k=5,e=5", 0, 0},
    {"slicing qi=5 l=2", "age,gender,education,marital,workclass", "slicing", "sliced-l-diversity:l=2", 0, 0},
};

/* What cases cost at each size. */
struct growth {
    int64_t n_rows;
    double seconds[sizeof cases / sizeof *cases][6]; /* read, anonymize, write, hash, verify, x copy; 0: not run */
    double peak[sizeof cases / sizeof *cases];       /* bytes a row */
};

static struct growth growth[MOST_SIZES];
static size_t n_sizes;

/* --- COUNT queries --- */

enum { QUERIES = 10000 };

static uint64_t draw(uint64_t *state, uint64_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % n;
}

/* Three quasi-identifiers and the salary in ranges: a tenth of the rows, if all were independent and spread evenly. */
static void draw_query(char *sql, size_t size, uint64_t *state)
{
    static const struct {
        const char *name;
        unsigned n;
    } column[] = {{"age", 79}, {"gender", 2}, {"education", 17}, {"marital", 6}, {"workclass", 10}, {"salary", 50}};
    const unsigned first = (unsigned)draw(state, 5),
                   step = 1 + (unsigned)draw(state, 4); /* three different ones of five */
    int used = snprintf(sql, size, "SELECT COUNT(*) WHERE ");

    for (unsigned i = 0; i < 4; i++) {
        const unsigned c = i < 3 ? (first + i * step) % 5 : 5, length = (column[c].n * 56 + 50) / 100;
        const unsigned low = (unsigned)draw(state, column[c].n - length + 1);

        used += snprintf(sql + used, size - (size_t)used, "%s%s ", i ? " AND " : "", column[c].name);
        if (c == 1 || c == 3 || c == 4) { /* categories */
            for (unsigned v = low; v < low + length; v++)
                used += snprintf(sql + used, size - (size_t)used, "%s'%u'", v > low ? ", " : "IN (", v);
            used += snprintf(sql + used, size - (size_t)used, ")");
        } else {
            used += snprintf(sql + used, size - (size_t)used, "BETWEEN %u AND %u", low, low + length - 1);
        }
    }
}

/* Over the release that is there, on one thread; read: opening it, anonymize: all answers. */
static void run_queries(struct result *result, const void *argument)
{
    const covey_run run = {.n_threads = 1};
    covey_query_release *release;
    uint64_t state = 1;
    covey_error err;
    double begin = bench_now();

    if (covey_query_open(&release, argument, &run, &err) != COVEY_OK)
        bench_die("queries", err.message);
    result->read = bench_now() - begin;
    begin = bench_now();
    for (int i = 0; i < QUERIES; i++) {
        covey_query_result *answer;
        char sql[512];

        draw_query(sql, sizeof sql, &state);
        if (covey_query_run(&answer, release, sql, &run, &err) != COVEY_OK)
            bench_die(sql, err.message);
        covey_query_result_free(answer);
    }
    result->anonymize = bench_now() - begin;
    result->ok = true;
    covey_query_close(release);
}

static void bench_queries(const char *name, const char *release)
{
    const struct result r = bench_in_a_child(run_queries, release);

    bench_record("COUNT queries", name, "open", r.read, "s", 0);
    bench_record("COUNT queries", name, "answer", r.anonymize / QUERIES, "s", 0);
    printf("%-20s %8.4f s to open, %.3f s for %d COUNT queries on one thread\n", "", r.read, r.anonymize, QUERIES);
    fflush(stdout);
}

static void record_case(const char *name, const struct result *r, double floor, double write_floor, int64_t n_rows)
{
    const double seconds[] = {r->read, r->anonymize, r->write, r->hash, r->verify};
    static const char *const what[] = {"read", "anonymize", "write", "hash", "verify"};

    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        bench_record("publishing", name, what[i], seconds[i], "s", i == 4 ? r->write : i == 2 ? write_floor : floor);
    bench_record("publishing", name, "read, anonymize and write", bench_cost(r), "s", floor);
    bench_record("publishing", name, "all, a row", (bench_cost(r) + r->hash + r->verify) / (double)n_rows * 1e9, "ns",
                 floor / (double)n_rows * 1e9);
    bench_record("publishing", name, "peak memory, a row", (double)r->peak_kib * 1024 / (double)n_rows, "bytes", 0);
    bench_record("publishing", name, "average information loss", r->ail, "", 0);
}

/* The case and the copy by turns, so that both meet the same machine. */
static void bench_case_of(size_t i, const char *input, int64_t copy_size, int64_t n_rows, int repeats)
{
    const struct publish_argument publish = {.input = input,
                                             .quasi = cases[i].quasi,
                                             .method = cases[i].method,
                                             .model = cases[i].model,
                                             .target = "release",
                                             .memory_limit = cases[i].memory_limit};
    const struct copy_argument copy_argument = {input, "copy.csv"};
    struct growth *g = &growth[n_sizes];
    struct result r = {0}, copy = {0};
    char name[96];
    double floor, write_floor, cost;

    for (int turn = 0; turn < repeats; turn++) {
        const struct result once = bench_in_a_child(bench_publish, &publish),
                            copied = bench_in_a_child(bench_copy, &copy_argument);

        bench_keep_faster(&r, &once);
        bench_keep_faster(&copy, &copied);
        if (!r.ok)
            break;
    }
    if (!r.ok) {
        printf("%-20s %s\n", cases[i].name, r.why);
        return;
    }
    /* The copy writes as many bytes as the release has. */
    write_floor = copy.write * (double)bench_size_of_release(publish.target) / (double)copy_size;
    floor = copy.read + write_floor;
    cost = bench_cost(&r);
    printf("%-20s %8.4f %9.4f %8.4f %8.4f %8.4f %8.4f %8.4f %7.2f", cases[i].name, r.read, r.anonymize, r.write, r.hash,
           r.verify, cost + r.hash + r.verify, floor, cost / floor);
    if (cases[i].most_copies > 0)
        printf(" %6.1f", cases[i].most_copies);
    else
        printf(" %6s", "");
    printf(" %8.2f %9.1f %9lld %8.4f\n", r.verify / r.write, (double)r.peak_kib / 1024, (long long)r.classes, r.ail);
    fflush(stdout);
    snprintf(name, sizeof name, "%lld rows, %s", (long long)n_rows, cases[i].name);
    record_case(name, &r, floor, write_floor, n_rows);
    memcpy(g->seconds[i], (double[]){r.read, r.anonymize, r.write, r.hash, r.verify, cost / floor},
           sizeof g->seconds[i]);
    g->peak[i] = (double)r.peak_kib * 1024 / (double)n_rows;
    if (n_rows < LARGE && strcmp(cases[i].quasi, "age,gender,education,marital,workclass") == 0 &&
        strstr(cases[i].model, "likeness"))
        bench_queries(name, publish.target);
}

static void bench_rows(int64_t n_rows)
{
    const int repeats = n_rows >= LARGE ? 1 : REPEATS;
    char input[64], name[96];
    const struct copy_argument copy_argument = {input, "copy.csv"};
    covey_error err;
    struct result copy, cp, memory, sort;
    int64_t input_size, copy_size;

    snprintf(input, sizeof input, "census-%lld.csv", (long long)n_rows);
    if (covey_generate("census", n_rows, 1, input, true, NULL, &err) != COVEY_OK)
        bench_die("generate", err.message);
    input_size = bench_size_of(input);
    cp = bench_fastest(bench_cp, &copy_argument, repeats);
    copy = bench_fastest(bench_copy, &copy_argument, repeats);
    memory = bench_fastest(bench_memory_copy, &n_rows, repeats);
    sort = bench_fastest(bench_radix_sort, &n_rows, repeats);
    copy_size = bench_size_of("copy.csv");
    printf("\n%lld rows, %.1f MB; read %.4f s, write %.4f s (%.1f MB), cp %.4f s (the copy: %.1f times); copying the "
           "codes in memory %.4f s, radix sort of keys %.4f s\n",
           (long long)n_rows, (double)input_size / 1e6, copy.read, copy.write, (double)copy_size / 1e6, cp.write,
           (copy.read + copy.write) / cp.write, memory.anonymize, sort.anonymize);
    snprintf(name, sizeof name, "%lld rows", (long long)n_rows);
    bench_record("floors", name, "copy", copy.read + copy.write, "s", cp.write);
    bench_record("floors", name, "copy of the codes in memory", memory.anonymize, "s", cp.write);
    bench_record("floors", name, "radix sort of keys", sort.anonymize, "s", cp.write);
    printf("%-20s %8s %9s %8s %8s %8s %8s %8s %7s %6s %8s %9s %9s %8s\n", "case", "read", "anonymize", "write", "hash",
           "verify", "all", "copy", "x copy", "wanted", "v/write", "peak MiB", "classes", "AIL");
    growth[n_sizes].n_rows = n_rows;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (covey_method_find(cases[i].method))
            bench_case_of(i, input, copy_size, n_rows, repeats);
    n_sizes++;
    remove(input);
    remove("copy.csv");
}

/* Peak memory of a row in core: 24 bytes and 2 for each quasi-identifier. */
static double bytes_wanted(const struct bench_case *c)
{
    double n_quasi = 1;

    for (const char *s = c->quasi; *s; s++)
        n_quasi += *s == ',';
    return 24 + 2 * n_quasi;
}

/* Nanoseconds a row in each step, and how they grow from one size to the next. */
static void print_growth(void)
{
    printf("\n%-20s %10s %8s %9s %8s %8s %8s %8s %8s %9s %6s\n", "nanoseconds a row", "rows", "read", "anonymize",
           "write", "hash", "verify", "all", "growth", "bytes/row", "wanted");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double before = 0;

        for (size_t s = 0; s < n_sizes; s++) {
            const double *seconds = growth[s].seconds[i], n = (double)growth[s].n_rows;
            const double all = (seconds[0] + seconds[1] + seconds[2] + seconds[3] + seconds[4]) / n * 1e9;

            if (all <= 0)
                continue;
            printf("%-20s %10lld %8.1f %9.1f %8.1f %8.1f %8.1f %8.1f", before > 0 ? "" : cases[i].name,
                   (long long)growth[s].n_rows, seconds[0] / n * 1e9, seconds[1] / n * 1e9, seconds[2] / n * 1e9,
                   seconds[3] / n * 1e9, seconds[4] / n * 1e9, all);
            if (before > 0)
                printf(" %8.2f", all / before);
            else
                printf(" %8s", "");
            printf(" %9.1f %6.0f\n", growth[s].peak[i], bytes_wanted(&cases[i]));
            before = all;
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 2 || chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: bench FOLDER [ROWS...]\n");
        return 2;
    }
    printf("covey %s, %d threads; the fastest of %d runs each, of tables from %d rows on the only one\n",
           covey_version(), covey_run_threads(NULL), REPEATS, LARGE);
    if (argc == 2)
        bench_rows(500000);
    for (int i = 2; i < argc && n_sizes < MOST_SIZES; i++)
        bench_rows(strtoll(argv[i], NULL, 10));
    print_growth();
    return 0;
}
