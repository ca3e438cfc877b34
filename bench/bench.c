/* What publishing costs beside copying the file.
 *
 * Every case runs in a process of its own, so that its peak memory is its own.  The floor that everything is compared with is measured in
 * the same run: the copy (reading the input and writing as many bytes as the release has, through the library's own reader and
 * writer) and cp.  Ratios mean something on any machine, seconds only on the one that printed them.
 *
 * usage: bench FOLDER [ROWS...]    FOLDER is for tables and releases and must exist */
#include <covey/covey.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REPEATS = 5 };

struct result {
    bool ok;
    double read, anonymize, write, hash, verify; /* seconds, the fastest of REPEATS by their sum */
    double ail;
    int64_t classes;
    long peak_kib;
    char why[256];
};

struct bench_case {
    const char *name, *quasi, *method, *model;
};

static const struct bench_case cases[] = {
    {"elastic qi=3", "age,gender,education", "elastic", "enhanced-beta-likeness:beta=4"},
    {"elastic qi=5", "age,gender,education,marital,workclass", "elastic", "enhanced-beta-likeness:beta=4"},
    {"burel sweep qi=3", "age,gender,education", "burel", "enhanced-beta-likeness:beta=4"},
    {"burel sweep qi=5", "age,gender,education,marital,workclass", "burel", "enhanced-beta-likeness:beta=4"},
    {"sabre sweep qi=3", "age,gender,education", "sabre", "t-closeness:t=0.1,distance=ordered"},
    {"sabre sweep qi=5", "age,gender,education,marital,workclass", "sabre", "t-closeness:t=0.1,distance=ordered"},
    {"perturbation qi=3", "age,gender,education", "perturbation", "enhanced-beta-likeness:beta=4"},
    {"perturbation qi=5", "age,gender,education,marital,workclass", "perturbation", "enhanced-beta-likeness:beta=4"},
    {"mondrian qi=5 k=5", "age,gender,education,marital,workclass", "mondrian", "k-anonymity:k=5"},
    {"peel qi=5 k=5", "age,gender,education,marital,workclass", "peel", "k-anonymity:k=5"},
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void die(const char *what, const covey_error *err)
{
    fprintf(stderr, "bench: %s: %s\n", what, err ? err->message : strerror(errno));
    exit(3);
}

static int64_t size_of(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 ? (int64_t)facts.st_size : -1;
}

/* Runs work in a child and hands its result and peak memory back. */
static struct result in_a_child(void (*work)(struct result *, const void *), const void *argument)
{
    struct result *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), result;
    struct rusage usage;
    pid_t child;
    int status;

    if (shared == MAP_FAILED)
        die("mmap", NULL);
    memset(shared, 0, sizeof *shared);
    fflush(NULL);
    if ((child = fork()) < 0)
        die("fork", NULL);
    if (child == 0) {
        work(shared, argument);
        _exit(0);
    }
    if (wait4(child, &status, 0, &usage) < 0)
        die("wait", NULL);
    shared->peak_kib = usage.ru_maxrss;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        shared->ok = false;
    result = *shared;
    munmap(shared, sizeof *shared);
    return result;
}

struct run_argument {
    const struct bench_case *c;
    const char *input, *target;
};

static void set(covey_policy *policy, const char *key, const char *value)
{
    covey_error err;

    if (covey_policy_set(policy, key, value, &err) != COVEY_OK)
        die(key, &err);
}

static void run_case(struct result *result, const void *argument)
{
    const struct run_argument *a = argument;
    covey_anonymize_options options = {.force = true};
    covey_run run = COVEY_RUN_INIT;
    covey_anonymize_report report;
    covey_policy *policy;
    covey_error err;

    if (covey_policy_new(&policy, &err) != COVEY_OK)
        die("policy", &err);
    set(policy, "input", a->input);
    set(policy, "quasi", a->c->quasi);
    set(policy, "sensitive", "salary");
    set(policy, "others", "drop");
    set(policy, "hierarchy", "gender=hierarchies/gender.csv");
    if (strstr(a->c->quasi, "marital")) {
        set(policy, "hierarchy", "marital=hierarchies/marital.csv");
        set(policy, "hierarchy", "workclass=hierarchies/workclass.csv");
    }
    set(policy, "model", a->c->model);
    set(policy, "method", a->c->method);
    if (covey_policy_check(policy, &err) != COVEY_OK || covey_anonymize(&report, policy, a->target, &options, &run, &err) != COVEY_OK) {
        snprintf(result->why, sizeof result->why, "%.255s", err.message);
        covey_policy_free(policy);
        return;
    }
    result->ok = true;
    result->read = report.seconds_read;
    result->anonymize = report.seconds_anonymize;
    result->write = report.seconds_write;
    result->hash = report.seconds_hash;
    result->verify = report.seconds_verify;
    result->ail = report.figures.ail;
    result->classes = report.n_classes;
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
}

static void run_copy(struct result *result, const void *argument)
{
    const struct run_argument *a = argument;
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    covey_run run = COVEY_RUN_INIT;
    covey_table *table;
    covey_error err;
    double begin = now();

    if (covey_csv_read(&table, a->input, &options, &run, &err) != COVEY_OK)
        die("copy", &err);
    result->read = now() - begin;
    begin = now();
    remove(a->target);
    if (covey_csv_write(table, a->target, ',', &run, &err) != COVEY_OK)
        die("copy", &err);
    result->write = now() - begin;
    result->ok = true;
    covey_table_free(table);
}

static void run_cp(struct result *result, const void *argument)
{
    const struct run_argument *a = argument;
    double begin = now();
    char piece[1 << 16];
    int from = open(a->input, O_RDONLY), to = open(a->target, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t n;

    if (from < 0 || to < 0)
        die("cp", NULL);
    while ((n = read(from, piece, sizeof piece)) > 0)
        if (write(to, piece, (size_t)n) != n)
            die("cp", NULL);
    close(from);
    close(to);
    result->write = now() - begin;
    result->ok = true;
}

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
    const unsigned first = (unsigned)draw(state, 5), step = 1 + (unsigned)draw(state, 4); /* three different ones of five */
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
    double begin = now();

    if (covey_query_open(&release, argument, &run, &err) != COVEY_OK)
        die("queries", &err);
    result->read = now() - begin;
    begin = now();
    for (int i = 0; i < QUERIES; i++) {
        covey_query_result *answer;
        char sql[512];

        draw_query(sql, sizeof sql, &state);
        if (covey_query_run(&answer, release, sql, &run, &err) != COVEY_OK)
            die(sql, &err);
        covey_query_result_free(answer);
    }
    result->anonymize = now() - begin;
    result->ok = true;
    covey_query_close(release);
}

static void bench_queries(const char *name, const char *release)
{
    const struct result r = in_a_child(run_queries, release);

    printf("%-18s %8.4f s to open, %.3f s for %d COUNT queries on one thread\n", name, r.read, r.anonymize, QUERIES);
    fflush(stdout);
}

static double cost(const struct result *r)
{
    return r->read + r->anonymize + r->write;
}

static struct result fastest(void (*work)(struct result *, const void *), const struct run_argument *argument)
{
    struct result best = in_a_child(work, argument);

    for (int i = 1; i < REPEATS && best.ok; i++) {
        struct result r = in_a_child(work, argument);

        if (r.ok && cost(&r) < cost(&best))
            best = r;
    }
    return best;
}

static void bench_rows(int64_t n_rows)
{
    char input[64], table[128];
    struct run_argument argument = {NULL, input, "copy.csv"};
    covey_error err;
    struct result copy, cp;
    int64_t input_size, copy_size;

    snprintf(input, sizeof input, "census-%lld.csv", (long long)n_rows);
    if (covey_generate("census", n_rows, 1, input, true, NULL, &err) != COVEY_OK)
        die("generate", &err);
    input_size = size_of(input);
    cp = fastest(run_cp, &argument);
    copy = fastest(run_copy, &argument);
    copy_size = size_of("copy.csv");
    printf("\n%lld rows, %.1f MB; read %.4f s, write %.4f s (%.1f MB), cp %.4f s\n", (long long)n_rows, (double)input_size / 1e6, copy.read,
           copy.write, (double)copy_size / 1e6, cp.write);
    printf("%-18s %8s %9s %8s %8s %8s %9s %8s %9s %9s %8s\n", "case", "read", "anonymize", "write", "hash", "verify", "copy", "x copy", "peak MiB",
           "classes", "AIL");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct result r;
        double floor;

        if (!covey_method_find(cases[i].method))
            continue;
        argument.c = &cases[i];
        argument.target = "release";
        r = fastest(run_case, &argument);
        if (!r.ok) {
            printf("%-18s %s\n", cases[i].name, r.why);
            continue;
        }
        snprintf(table, sizeof table, "%s/table.csv", argument.target);
        /* The copy writes as many bytes as the release has. */
        floor = copy.read + copy.write * (double)size_of(table) / (double)copy_size;
        printf("%-18s %8.4f %9.4f %8.4f %8.4f %8.4f %9.4f %8.2f %9.1f %9lld %8.4f\n", cases[i].name, r.read, r.anonymize, r.write, r.hash, r.verify,
               floor, cost(&r) / floor, (double)r.peak_kib / 1024, (long long)r.classes, r.ail);
        fflush(stdout);
        if (strcmp(cases[i].quasi, "age,gender,education,marital,workclass") == 0 && strstr(cases[i].model, "likeness"))
            bench_queries("", argument.target);
    }
    printf("peak memory allowed: %.1f MiB (3 times the input and 32 MB)\n", (3.0 * (double)input_size + 32e6) / 1048576);
    remove(input);
    remove("copy.csv");
}

int main(int argc, char **argv)
{
    if (argc < 2 || chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: bench FOLDER [ROWS...]\n");
        return 2;
    }
    printf("covey %s, %d threads; the fastest of %d runs each\n", covey_version(), covey_run_threads(NULL), REPEATS);
    if (argc == 2)
        bench_rows(500000);
    for (int i = 2; i < argc; i++)
        bench_rows(strtoll(argv[i], NULL, 10));
    return 0;
}
