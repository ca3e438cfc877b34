/* What every test program includes first: cmocka with the headers it wants beforehand, and the place of large tables.
 *
 * A test that needs a large table which is not part of the repository asks test_data() and gives up with
 * `return TEST_SKIPPED;` from main, or skip() from a single test, where it is not there. */
#ifndef COVEY_TESTS_TEST_H
#define COVEY_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { TEST_SKIPPED = 77 };

/* How many of a law's usual cases are tried: COVEY_LAW_SHARE percent of them, one at least; fewer where the sanitizers
 * watch (tools/run-tests), more on a day with more time. */
static inline int test_share(int usual)
{
    const char *wish = getenv("COVEY_LAW_SHARE");
    const long long n = wish ? usual * strtoll(wish, NULL, 10) / 100 : usual;

    return n < 1 ? 1 : n > INT32_MAX ? INT32_MAX : (int)n;
}

/* Is as much asked for as there is?  Then no short cut is taken. */
static inline bool test_is_thorough(void)
{
    return getenv("COVEY_LAW_SHARE") && test_share(100) >= 100;
}

/* Do cases come that nobody has counted before?  Then how many there are of a kind is left to chance. */
static inline bool test_is_seeded(void)
{
    return getenv("COVEY_LAW_SEED") != NULL;
}

/* Are the cases worth something?  Asked of all of the usual seed's, whose counts are known, not of others or a share.
 */
static inline bool test_is_enough(bool is_enough)
{
    return is_enough || test_is_seeded() || getenv("COVEY_LAW_SHARE") != NULL;
}

/* The seed of a law's random cases; with COVEY_LAW_SEED others come every time (tools/soak). */
static inline uint64_t test_seed(uint64_t usual)
{
    const char *wish = getenv("COVEY_LAW_SEED");

    return wish ? usual ^ strtoull(wish, NULL, 10) * UINT64_C(0xD6E8FEB86659FD93) : usual;
}

/* Makes a folder of the test's own below TMPDIR or /tmp and writes its path into path; false if that cannot be. */
static inline bool test_folder(char *path, size_t size_bytes, const char *what)
{
    const char *parent = getenv("TMPDIR");

    snprintf(path, size_bytes, "%s/covey-%s-XXXXXX", parent ? parent : "/tmp", what);
    return mkdtemp(path) != NULL;
}

/* Writes the path of a file among the large tables (COVEY_DATA, by default beside the source folder) into path;
 * false, with a word on stderr, if it is not there. */
static inline bool test_data(char *path, size_t size_bytes, const char *name)
{
    const char *folder = getenv("COVEY_DATA");
    const char *root = getenv("COVEY_TEST_ROOT");

    if (folder)
        snprintf(path, size_bytes, "%s/%s", folder, name);
    else
        snprintf(path, size_bytes, "%s/../shared/data/%s", root ? root : ".", name);
    if (access(path, R_OK) == 0)
        return true;
    fprintf(stderr, "skipped: there is no %s; COVEY_DATA names the folder\n", path);
    return false;
}

#endif
