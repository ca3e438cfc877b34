/* soak KIND FIRST COUNT: tries cases FIRST .. FIRST + COUNT - 1 of a kind, each with its own number as seed; tools/soak
 * runs it.
 *
 *   release   random tables, policies and methods: what is published must hold, be faithful and survive the prover
 *   forgery   manifests that claim more than the tables hold: what the prover refutes must be refused
 *   mutation  damaged releases, tables and policies: no crash, no hang, and nothing holds that the prover refutes
 *
 * "case KIND SEED" goes to stdout before each, and at the end how often what was tried.  A failed case stops the
 * program, and its files stay below TMPDIR.  COVEY_SOAK_COMMAND names the program for cases that need a command;
 * without it they do without. */
#include "soak.h"

#include <inttypes.h>
#include <string.h>
#include <sys/time.h>

/* A case that takes CASE_SECONDS of processor time hangs, however busy the machine is; of one that waits for something
 * that does not come the alarm tells. */
enum { MOST_COUNTERS = 64, CASE_SECONDS = 120, MOST_CASE_SECONDS = 30 * 60 };

static struct counter {
    const char *what;
    long n;
} counters[MOST_COUNTERS];

static const struct kind {
    const char *name;
    void (*try)(soak_case *c);
} kinds[] = {{"release", soak_releases}, {"forgery", soak_forgeries}, {"mutation", soak_mutations}};

static const struct kind *kind;
static uint64_t first, count;

void soak_count(const char *what)
{
    size_t i = 0;

    while (i < MOST_COUNTERS - 1 && counters[i].what && strcmp(counters[i].what, what) != 0)
        i++;
    counters[i].what = what;
    counters[i].n++;
}

static void try_cases(void **state)
{
    for (uint64_t seed = first; seed < first + count; seed++) {
        static soak_case c;

        memset(&c, 0, sizeof c);
        c.seed = seed;
        printf("case %s %" PRIu64 "\n", kind->name, seed);
        fflush(stdout);
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = CASE_SECONDS}, NULL); /* kills what hangs */
        alarm(MOST_CASE_SECONDS);
        csv_folder();
        kind->try(&c);
        json_decref(c.r.manifest);
        random_job_clear(&c.job);
        csv_folder_remove();
    }
    for (size_t i = 0; i < MOST_COUNTERS && counters[i].what; i++)
        printf("count %s %ld\n", counters[i].what, counters[i].n);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(try_cases)};

    for (size_t i = 0; argc == 4 && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, argv[1]) == 0)
            kind = &kinds[i];
    if (!kind) {
        fprintf(stderr, "usage: soak release|forgery|mutation FIRST COUNT\n");
        return 2;
    }
    first = strtoull(argv[2], NULL, 10);
    count = strtoull(argv[3], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
