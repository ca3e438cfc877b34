/* Two ways to verify a generalized, bucketized or perturbed release: at once, and in windows.  Whatever its tables hold
 * - what the main job has made, a forgery that keeps their shape, or bytes that were changed at random - both say the
 * same, to the letter. */
#include "test.h"

#include <covey/covey.h>

#include <string.h>

#include "support/release/forged_sheet.h"
#include "support/release/random_release.h"
#include "base/file/folder.h"
#include "base/text.h"

enum { N_RELEASES = 24, N_FORGERIES = 8 };

static const random_wish wishes[] = {
    {.model = "distinct-l-diversity:l=2", .suppression = "0.2"},
    {.model = "enhanced-beta-likeness:beta=4", .suppression = "0.2"},
    {.model = "t-closeness:t=0.6", .suppression = "0.3", .is_bare = true},
    {.model = "min-length:attribute=age,length=2", .suppression = "0.3", .is_bare = true},
    {.model = "recursive-cl-diversity:c=3,l=2,attribute=illness", .two = true, .suppression = "0.3"},
    {.model = "ke-anonymity:k=1,e=1", .is_alone = true, .sensitive = "pay", .suppression = "0.3", .is_bare = true},
};

static const random_wish bucketized[] = {
    {.model = "distinct-l-diversity:l=2", .method = "anatomy", .is_alone = true},
    {.model = "probabilistic-l-diversity:l=2", .method = "anatomy", .is_alone = true, .suppression = "0.3"},
    {.model = "ke-anonymity:k=2,e=1", .method = "ke-permutation", .is_alone = true, .sensitive = "pay"},
};

static const random_wish perturbed[] = {
    {.model = "enhanced-beta-likeness:beta=4", .method = "perturbation", .is_alone = true},
    {.model = "basic-beta-likeness:beta=2", .method = "perturbation", .is_alone = true, .sensitive = "pay"},
    {.model = "enhanced-beta-likeness:beta=3", .method = "perturbation", .is_alone = true, .has_tree = true},
};

/* A cell of the table takes the text of another, or one that means nothing there. */
static void change_cell(sheet *s, uint64_t *state)
{
    static const char *const texts[] = {"",       "*",      "0",      "1",      "2",    "\"7\"",
                                        "-3.125", "{a, b}", "[1, 2]", "[9, 2]", "null", "99999999999999999999",
                                        "b\nc",   "1.50"};
    const size_t row = random_below(state, (unsigned)s->n_rows), column = random_below(state, (unsigned)s->n_columns);
    const size_t other = random_below(state, (unsigned)s->n_rows);
    char *text = random_below(state, 3) ? strdup(*sheet_at(s, other, column))
                                        : strdup(texts[random_below(state, sizeof texts / sizeof *texts)]);

    sheet_set(s, row, column, text);
    free(text);
}

/* A class shows a number with more digits than all others: the same one. */
static void add_digits(sheet *s, uint64_t *state)
{
    const size_t row = random_below(state, (unsigned)s->n_rows), column = 3; /* weight */
    const char *old = *sheet_at(s, row, column), *digits = strpbrk(old, "0123456789");
    const size_t n = digits ? (size_t)(digits - old) + strspn(digits, "0123456789.") : 0;
    char class[32], text[256];

    if (!digits || strlen(old) > 200)
        return;
    snprintf(class, sizeof class, "%s", *sheet_at(s, row, 0));
    snprintf(text, sizeof text, "%.*s%s%s", (int)n, old,
             strcspn(digits, ".") < n - (size_t)(digits - old) ? "0000" : ".0000", old + n);
    for (size_t i = 0; i < s->n_rows; i++)
        if (strcmp(*sheet_at(s, i, 0), class) == 0)
            sheet_set(s, i, column, text);
}

static void forge(release_folder *r, const char *file, uint64_t *state)
{
    sheet s;
    unsigned n = 1 + random_below(state, 3);

    sheet_read(&s, r, file);
    while (n-- > 0 && s.n_rows > 2)
        if (random_below(state, 6) == 0)
            sheet_drop(&s, random_below(state, (unsigned)s.n_rows));
        else if (strcmp(file, "table.csv") == 0 && random_below(state, 3) == 0)
            add_digits(&s, state);
        else
            change_cell(&s, state);
    sheet_write(&s, r, file);
    sheet_free(&s);
}

/* Bytes that may make it no table at all. */
static void scramble(release_folder *r, const char *file, uint64_t *state)
{
    static const char bytes[] = ",\"\n\r1x ";
    char *text = release_get(r, file);
    const size_t size = strlen(text);

    for (unsigned n = 1 + random_below(state, 2); n > 0; n--)
        text[random_below(state, (unsigned)size)] = bytes[random_below(state, sizeof bytes - 1)];
    release_put(r, file, text);
    free(text);
}

/* Forgeries of a file, which is as it was in the end. */
static void try_forgeries(release_folder *r, const char *file, uint64_t *state)
{
    char *text = release_get(r, file);

    for (int i = 0; i < N_FORGERIES; i++) {
        if (i % 4 == 3)
            scramble(r, file, state);
        else
            forge(r, file, state);
        release_write(r);
        release_assert_windows_agree(r, 1 + (int)random_below(state, 400));
        release_put(r, file, text);
    }
    free(text);
}

static void try_release(const random_wish *wish, uint64_t *state, int *n_made)
{
    release_folder r;

    if (random_release(&r, state, wish)) {
        ++*n_made;
        for (int i = 0; i < 3; i++)
            release_assert_windows_agree(&r, 1 + (int)random_below(state, 400));
        try_forgeries(&r, "table.csv", state);
    }
    release_end(&r);
}

static void test_windows__say_what_the_whole_says(void **state)
{
    const int n_wishes = (int)(sizeof wishes / sizeof *wishes);
    uint64_t seed = test_seed(11);
    int n_made = 0;

    for (int i = 0; i < test_share(N_RELEASES); i++)
        try_release(i % 2 ? &wishes[i / 2 % n_wishes] : NULL, &seed, &n_made);
    assert_true(test_is_enough(n_made > N_RELEASES / 2));
}

static bool count_window(void *context, const char *phase, int64_t done, int64_t to_do)
{
    *(int *)context += strcmp(phase, "judge the groups") == 0 || strcmp(phase, "judge the probabilities") == 0;
    return true;
}

/* How often groups or rows were looked at: once for all, or window by window. */
static int count_windows(const release_folder *r, int window)
{
    const covey_verify_options options = {.memory_limit = (int64_t)12 * window};
    int n = 0; /* windows */
    const covey_run run = {.n_threads = 2, .progress = count_window, .context = &n};
    covey_verdict *verdict = NULL;

    assert_int_equal(covey_verify(&verdict, r->path, &options, &run, NULL), COVEY_OK);
    assert_true(verdict->holds);
    covey_verdict_free(verdict);
    return n;
}

static const char *release_path(const release_folder *r, const char *file)
{
    static char path[600];

    snprintf(path, sizeof path, "%s/%s", r->path, file);
    return path;
}

static void try_groups(const random_wish *wish, uint64_t *state, int *n_made)
{
    static const char *const file[] = {"quasi.csv", "sensitive.csv", "help.csv"};
    release_folder r;

    if (random_release(&r, state, wish)) {
        ++*n_made;
        for (int i = 0; i < 3; i++)
            release_assert_windows_agree(&r, 1 + (int)random_below(state, 400));
        assert_true(count_windows(&r, 1 << 20) == 1);
        assert_true(count_windows(&r, 1) >= json_integer_value(release_at(&r, "classes")) / 2);
        for (size_t i = 0; i < sizeof file / sizeof *file; i++)
            if (access(release_path(&r, file[i]), R_OK) == 0)
                try_forgeries(&r, file[i], state);
    }
    release_end(&r);
}

static void test_windows__say_what_the_whole_says_of_groups(void **state)
{
    const int n_wishes = (int)(sizeof bucketized / sizeof *bucketized);
    uint64_t seed = test_seed(12);
    int n_made = 0;

    for (int i = 0; i < test_share(N_RELEASES / 2); i++)
        try_groups(&bucketized[i % n_wishes], &seed, &n_made);
    assert_true(test_is_enough(n_made > N_RELEASES / 8));
}

/* A number so long that the digits of others do not fit behind it, or so many digits that they do not fit behind
 * others. */
static void stretch_number(sheet *s, uint64_t *state)
{
    static const char *const texts[] = {"99999999999999999", "-999999999999999.5", "0.00000000000000001", "1.2500",
                                        "50.0"};
    const size_t row = random_below(state, (unsigned)s->n_rows), column = 2; /* weight */

    sheet_set(s, row, column, texts[random_below(state, sizeof texts / sizeof *texts)]);
}

/* Two rows change places, or one comes once more. */
static void move_row(sheet *s, uint64_t *state)
{
    const size_t row = random_below(state, (unsigned)s->n_rows), far = random_below(state, (unsigned)s->n_rows);
    const size_t other = random_below(state, 2) ? far : row + 1 < s->n_rows ? row + 1 : row;
    const bool once_more = random_below(state, 4) == 0;

    for (size_t c = 0; c < s->n_columns; c++) {
        char *one = strdup(*sheet_at(s, row, c)), *two = strdup(*sheet_at(s, other, c));

        sheet_set(s, other, c, one);
        sheet_set(s, row, c, once_more ? one : two);
        free(one);
        free(two);
    }
}

static void forge_rows(release_folder *r, uint64_t *state)
{
    sheet s;

    sheet_read(&s, r, "table.csv");
    for (unsigned n = 1 + random_below(state, 2); n > 0; n--)
        switch (random_below(state, 4)) {
        case 0:
            stretch_number(&s, state);
            break;
        case 1:
            change_cell(&s, state);
            break;
        default:
            move_row(&s, state);
        }
    sheet_write(&s, r, "table.csv");
    sheet_free(&s);
}

static void try_rows(const random_wish *wish, uint64_t *state, int *n_made)
{
    release_folder r;

    if (random_release(&r, state, wish)) {
        char *text = release_get(&r, "table.csv");

        ++*n_made;
        for (int i = 0; i < 3; i++)
            release_assert_windows_agree(&r, 1 + (int)random_below(state, 400));
        assert_true(count_windows(&r, 1 << 20) == 1);
        assert_int_equal(count_windows(&r, 1),
                         json_integer_value(release_at(&r, "rows"))); /* one more if it were read at once behind that */
        for (int i = 0; i < 4 * N_FORGERIES; i++) {
            forge_rows(&r, state);
            release_write(&r);
            release_assert_windows_agree(&r, 1 + (int)random_below(state, 400));
            release_put(&r, "table.csv", text);
        }
        free(text);
        try_forgeries(&r, "table.csv", state);
        try_forgeries(&r, "perturbation.csv", state);
    }
    release_end(&r);
}

static void test_windows__say_what_the_whole_says_of_rows(void **state)
{
    const int n_wishes = (int)(sizeof perturbed / sizeof *perturbed);
    uint64_t seed = test_seed(13);
    int n_made = 0;

    for (int i = 0; i < test_share(N_RELEASES / 3); i++)
        try_rows(&perturbed[i % n_wishes], &seed, &n_made);
    assert_true(test_is_enough(n_made > N_RELEASES / 6));
}

/* --- the worst class --- */

static void set(covey_policy *policy, const char *key, const char *value)
{
    covey_error err;

    if (covey_policy_set(policy, key, value, &err) != COVEY_OK)
        fail_msg("--%s %s: %s", key, value, err.message);
}

/* Of a figure of two parts each has a class of its own: here the least e is in class 11, and the least k in class 1
 * already, but in class 12 as well, which a window may look at together with class 11. */
static void test_windows__name_the_same_worst_class(void **state)
{
    const covey_run run = {.n_threads = 1, .has_seed = true};
    covey_policy *policy = NULL;
    covey_anonymize_report report;
    covey_text table = COVEY_TEXT_INIT;
    covey_verdict *verdict;
    release_folder r;
    covey_error err;

    (void)state;
    covey_i_text_add_string(&table, "age,pay\n");
    for (int age = 1; age <= 12; age++)
        covey_i_text_add_format(&table, age == 11 ? "%d,0\n%d,5\n%d,10\n" : "%d,0\n%d,40\n", age, age, age);
    release_begin(&r);
    release_original(&r, table.bytes);
    covey_i_text_free(&table);
    assert_int_equal(covey_i_folder_remove(r.path, NULL), COVEY_OK);
    assert_int_equal(covey_policy_new(&policy, &err), COVEY_OK);
    set(policy, "input", r.original);
    set(policy, "quasi", "age");
    set(policy, "sensitive", "pay");
    set(policy, "model", "ke-anonymity:k=2,e=10");
    set(policy, "method", "mondrian");
    if (covey_policy_check(policy, &err) != COVEY_OK ||
        covey_anonymize(&report, policy, r.path, NULL, &run, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    release_read(&r);
    verdict = release_verify(&r, true);
    assert_int_equal(verdict->n_classes, 12);
    assert_string_equal(verdict->promise[0].achieved, "2");
    assert_string_equal(verdict->promise[0].achieved_e, "10");
    assert_int_equal(verdict->promise[0].worst_class, 11);
    covey_verdict_free(verdict);
    for (int window = 1; window < 200; window++)
        release_assert_windows_agree(&r, window);
    release_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows__say_what_the_whole_says),
        cmocka_unit_test(test_windows__say_what_the_whole_says_of_groups),
        cmocka_unit_test(test_windows__say_what_the_whole_says_of_rows),
        cmocka_unit_test(test_windows__name_the_same_worst_class),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
