/* Releases in two tables, of random tables, verify with and without their original and keep what they must; forged ones
 * do not. */
#include "test.h"

#include <covey/covey.h>

#include <string.h>

#include "base/sort/compare.h"
#include "support/release/random_release.h"
#include "support/release/forged_sheet.h"

enum { N_RELEASES = 40 };

static const random_wish wishes[] = {
    {.model = "probabilistic-l-diversity:l=2", .method = "anatomy", .is_alone = true},
    {.model = "probabilistic-l-diversity:l=5/2", .method = "anatomy", .is_alone = true, .sensitive = "pay"},
    {.model = "distinct-l-diversity:l=2", .method = "anatomy", .is_alone = true, .has_tree = true},
    {.model = "probabilistic-l-diversity:l=4",
     .method = "anatomy",
     .is_alone = true,
     .sensitive = "pay",
     .hierarchy = "pay={balanced: 3}"},
    {.model = "ke-anonymity:k=3,e=200", .method = "ke-permutation", .is_alone = true, .sensitive = "pay"},
};

static const random_wish *wish_of(int i)
{
    return &wishes[i % (int)(sizeof wishes / sizeof *wishes)];
}

static unsigned group_of(const sheet *s, size_t row)
{
    return (unsigned)strtoul(*sheet_at(s, row, 0), NULL, 10);
}

static size_t column_of(const sheet *s, const char *name)
{
    for (size_t c = 0; c < s->n_columns; c++)
        if (strcmp(s->cell[c], name) == 0)
            return c;
    fail_msg("there is no column %s", name);
    return 0;
}

/* --- what is published --- */

static void read_original(sheet *s, const release_folder *r)
{
    release_folder beside = *r;
    char *slash;

    snprintf(beside.path, sizeof beside.path, "%.255s", r->original);
    slash = strrchr(beside.path, '/');
    *slash = '\0';
    sheet_read(s, &beside, slash + 1);
}

/* Both lists hold the same texts, each as often; they are sorted and freed. */
static void assert_same_texts(char **a, size_t n_a, char **b, size_t n_b)
{
    assert_int_equal(n_a, n_b);
    qsort(a, n_a, sizeof *a, covey_i_compare_strings);
    qsort(b, n_b, sizeof *b, covey_i_compare_strings);
    for (size_t i = 0; i < n_a; i++) {
        assert_string_equal(a[i], b[i]);
        free(a[i]);
        free(b[i]);
    }
    free(a);
    free(b);
}

/* The cells of a row in these columns, as one text. */
static char *join(const sheet *s, size_t row, const size_t *column, size_t n)
{
    char text[512] = "";

    for (size_t i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s|", *sheet_at(s, row, column[i]));
    return strdup(text);
}

/* quasi.csv holds the original's rows but for one column, whatever hierarchies there are. */
static void check_rows(const sheet *quasi, const sheet *original)
{
    char **published = calloc(quasi->n_rows, sizeof *published), **given = calloc(original->n_rows, sizeof *given);
    size_t from[16], to[16], n = quasi->n_columns - 1;

    for (size_t c = 0; c < n; c++) {
        from[c] = c + 1;
        to[c] = column_of(original, quasi->cell[c + 1]);
    }
    for (size_t row = 0; row < quasi->n_rows; row++)
        published[row] = join(quasi, row, from, n);
    for (size_t row = 0; row < original->n_rows; row++)
        given[row] = join(original, row, to, n);
    assert_same_texts(published, quasi->n_rows, given, original->n_rows);
}

/* sensitive.csv counts all values, and as many in each group as it has rows. */
static void check_values(const sheet *values, const sheet *quasi, const sheet *original)
{
    char **published = calloc(quasi->n_rows, sizeof *published), **given = calloc(original->n_rows, sizeof *given);
    const size_t column = column_of(original, values->cell[1]);
    size_t n = 0, row = 0;

    for (size_t line = 0; line < values->n_rows; line++) {
        const unsigned long count = strtoul(*sheet_at(values, line, 2), NULL, 10);

        assert_true(count > 0);
        for (unsigned long i = 0; i < count; i++) {
            assert_true(row < quasi->n_rows && group_of(quasi, row++) == group_of(values, line));
            published[n++] = strdup(*sheet_at(values, line, 1));
        }
    }
    for (size_t i = 0; i < original->n_rows; i++)
        given[i] = strdup(*sheet_at(original, i, column));
    assert_same_texts(published, n, given, original->n_rows);
}

/* No value has more than a share 1/l of its group, l as the policy says it rounded up. */
static void check_diversity(const sheet *values, unsigned l)
{
    for (size_t line = 0, first = 0; line < values->n_rows; line++) {
        unsigned size = 0, most = 0;

        if (line + 1 < values->n_rows && group_of(values, line + 1) == group_of(values, line))
            continue;
        for (size_t i = first; i <= line; i++) {
            const unsigned count = (unsigned)strtoul(*sheet_at(values, i, 2), NULL, 10);

            size += count;
            most = count > most ? count : most;
        }
        assert_true(most * l <= size);
        first = line + 1;
    }
}

static void test_two_tables__hold_what_they_were_made_from(void **state)
{
    static const unsigned l[] = {2, 3, 2, 4, 1};
    uint64_t seed = test_seed(1);
    int n_made = 0;

    for (int i = 0; i < test_share(N_RELEASES); i++) {
        release_folder r;

        if (random_release(&r, &seed, wish_of(i))) {
            sheet quasi, values, original;

            release_assert_holds(&r, false);
            release_assert_holds(&r, true);
            sheet_read(&quasi, &r, "quasi.csv");
            sheet_read(&values, &r, "sensitive.csv");
            read_original(&original, &r);
            check_rows(&quasi, &original);
            check_values(&values, &quasi, &original);
            check_diversity(&values, l[i % 5]);
            sheet_free(&quasi);
            sheet_free(&values);
            sheet_free(&original);
            n_made++;
        }
        release_end(&r);
    }
    assert_true(test_is_enough(n_made > N_RELEASES / 2));
}

static bool has_help(const release_folder *r)
{
    size_t i;
    json_t *file;

    json_array_foreach(json_object_get(r->manifest, "files"), i, file)
    {
        if (strcmp(json_string_value(json_object_get(file, "name")), "help.csv") == 0)
            return true;
    }
    return false;
}

/* --- forgeries: each changes something and says whether it did --- */

static bool change_cell_of(release_folder *r, uint64_t *state, const char *file, size_t first, size_t n)
{
    sheet s;
    size_t row, other, column;
    bool changed;

    sheet_read(&s, r, file);
    row = random_below(state, (unsigned)s.n_rows);
    other = random_below(state, (unsigned)s.n_rows);
    column = first + random_below(state, (unsigned)(n ? n : s.n_columns - first));
    if ((changed = strcmp(*sheet_at(&s, row, column), *sheet_at(&s, other, column)) != 0)) {
        sheet_set(&s, row, column, *sheet_at(&s, other, column));
        sheet_write(&s, r, file);
    }
    sheet_free(&s);
    return changed;
}

static bool change_row(release_folder *r, uint64_t *state)
{
    return change_cell_of(r, state, "quasi.csv", 1, 0);
}

static bool change_value(release_folder *r, uint64_t *state)
{
    return change_cell_of(r, state, "sensitive.csv", 1, 1);
}

static bool change_help(release_folder *r, uint64_t *state)
{
    return has_help(r) && change_cell_of(r, state, "help.csv", 1, 0);
}

/* One of a value more, and one of another of the same group less, or of another group. */
static bool change_count(release_folder *r, uint64_t *state)
{
    sheet s;
    size_t line, other;
    char text[32];

    sheet_read(&s, r, "sensitive.csv");
    line = random_below(state, (unsigned)s.n_rows);
    other = line + 1 < s.n_rows ? line + 1 : 0;
    snprintf(text, sizeof text, "%lu", strtoul(*sheet_at(&s, line, 2), NULL, 10) + 1);
    sheet_set(&s, line, 2, text);
    if (strcmp(*sheet_at(&s, other, 2), "1") == 0) {
        sheet_drop(&s, other);
    } else {
        snprintf(text, sizeof text, "%lu", strtoul(*sheet_at(&s, other, 2), NULL, 10) - 1);
        sheet_set(&s, other, 2, text);
    }
    sheet_write(&s, r, "sensitive.csv");
    sheet_free(&s);
    return true;
}

/* A group goes, those behind it move up, and all counts of the manifest are right again. */
static void drop_group_of(release_folder *r, const char *file, unsigned victim, size_t *n_left)
{
    sheet s;

    sheet_read(&s, r, file);
    for (size_t row = s.n_rows; row-- > 0;) {
        const unsigned group = group_of(&s, row);
        char text[16];

        snprintf(text, sizeof text, "%u", group - 1);
        if (group == victim)
            sheet_drop(&s, row);
        else if (group > victim)
            sheet_set(&s, row, 0, text);
    }
    sheet_write(&s, r, file);
    *n_left = s.n_rows;
    sheet_free(&s);
}

static bool drop_group(release_folder *r, uint64_t *state)
{
    const unsigned n_groups = (unsigned)json_integer_value(release_at(r, "classes")),
                   victim = 1 + random_below(state, n_groups);
    size_t n_lines, n_rows;
    char json[32];

    if (n_groups < 2)
        return false;
    drop_group_of(r, "sensitive.csv", victim, &n_lines);
    if (has_help(r))
        drop_group_of(r, "help.csv", victim, &n_lines);
    drop_group_of(r, "quasi.csv", victim, &n_rows);
    snprintf(json, sizeof json, "%zu", n_rows);
    release_set(r, "rows", json);
    release_set(r, "published_rows", json);
    snprintf(json, sizeof json, "%u", n_groups - 1);
    release_set(r, "classes", json);
    return true;
}

/* Lines of two groups of one file, from and to, change places and numbers. */
static void swap_groups_of(release_folder *r, const char *file, unsigned a, unsigned b)
{
    sheet s, swapped;
    size_t n = 0;

    sheet_read(&s, r, file);
    sheet_read(&swapped, r, file);
    for (unsigned group = 1; n < s.n_rows; group++)
        for (size_t row = 0; row < s.n_rows; row++) {
            char text[16];

            if (group_of(&s, row) != (group == a ? b : group == b ? a : group))
                continue;
            for (size_t c = 1; c < s.n_columns; c++)
                sheet_set(&swapped, n, c, *sheet_at(&s, row, c));
            snprintf(text, sizeof text, "%u", group);
            sheet_set(&swapped, n++, 0, text);
        }
    sheet_write(&swapped, r, file);
    sheet_free(&s);
    sheet_free(&swapped);
}

static bool swap_numbers(release_folder *r, uint64_t *state)
{
    const unsigned n_groups = (unsigned)json_integer_value(release_at(r, "classes"));
    const unsigned a = 1 + random_below(state, n_groups), b = 1 + random_below(state, n_groups);

    if (a == b)
        return false;
    swap_groups_of(r, "quasi.csv", a, b);
    swap_groups_of(r, "sensitive.csv", a, b);
    if (has_help(r))
        swap_groups_of(r, "help.csv", a, b);
    return true;
}

/* Size and values of a group, as one text. */
static char *values_of(const sheet *values, unsigned group, unsigned *size)
{
    static const size_t column[] = {1, 2};
    char text[2048] = "";

    *size = 0;
    for (size_t line = 0; line < values->n_rows; line++)
        if (group_of(values, line) == group) {
            char *one = join(values, line, column, 2);

            *size += (unsigned)strtoul(*sheet_at(values, line, 2), NULL, 10);
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s", one);
            free(one);
        }
    return strdup(text);
}

/* Two groups of one size exchange their values: every count is right, but the rows are not the original's. */
static bool swap_values(release_folder *r, uint64_t *state)
{
    const unsigned n_groups = (unsigned)json_integer_value(release_at(r, "classes"));
    const unsigned a = 1 + random_below(state, n_groups), b = 1 + random_below(state, n_groups);
    unsigned size_a, size_b;
    sheet values;
    char *of_a, *of_b;
    bool different;

    sheet_read(&values, r, "sensitive.csv");
    of_a = values_of(&values, a, &size_a);
    of_b = values_of(&values, b, &size_b);
    if ((different = size_a == size_b && strcmp(of_a, of_b) != 0)) {
        swap_groups_of(r, "sensitive.csv", a, b);
        if (has_help(r))
            swap_groups_of(r, "help.csv", a, b);
    }
    sheet_free(&values);
    free(of_a);
    free(of_b);
    return different;
}

static bool improve_achieved(release_folder *r, uint64_t *state)
{
    if (json_is_integer(release_at(r, "promises.0.achieved")))
        json_integer_set(release_at(r, "promises.0.achieved"),
                         json_integer_value(release_at(r, "promises.0.achieved")) + 1);
    else
        release_set(r, "promises.0.achieved", "'100'");
    return true;
}

static bool improve_utility(release_folder *r, uint64_t *state)
{
    static const char *const forged[][2] = {
        {"utility.discernibility", "1"}, {"utility.average_class_size", "1.25"},
        {"utility.largest_risk", "0.5"}, {"utility.mean_risk", "0.5"},
        {"utility.ail", "0.25"},
    };
    const unsigned i = random_below(state, 5);

    release_set(r, forged[i][0], forged[i][1]);
    return true;
}

/* How often a forgery is refused, with the original or without. */
static void try_forgery(bool (*forge)(release_folder *, uint64_t *), const char *name, bool with_original,
                        int least_percent)
{
    uint64_t seed = test_seed(7);
    int n_forged = 0, n_refused = 0;

    for (int i = 0; i < test_share(N_RELEASES); i++) {
        release_folder r;

        if (random_release(&r, &seed, wish_of(i)) && forge(&r, &seed)) {
            covey_verdict *verdict;

            release_write(&r);
            verdict = release_verify(&r, with_original);
            n_forged++;
            n_refused += !verdict->holds;
            if (verdict->holds && least_percent == 100)
                print_error("%s: release %d was not refused\n", name, i);
            covey_verdict_free(verdict);
        }
        release_end(&r);
    }
    assert_true(test_is_enough(n_forged > N_RELEASES / 10));
    if (n_refused * 100 < n_forged * least_percent)
        fail_msg("%s: only %d of %d were refused", name, n_refused, n_forged);
}

static void test_two_tables__what_the_files_give_away_is_always_refused(void **state)
{
    try_forgery(change_help, "a help figure", false, 100);
    try_forgery(drop_group, "a group", false, 100);
    try_forgery(swap_numbers, "the numbers of groups", false, 100);
    try_forgery(improve_achieved, "what was achieved", false, 100);
    try_forgery(improve_utility, "utility", false, 100);
}

static void test_two_tables__with_the_original_what_is_not_its_is_always_refused(void **state)
{
    try_forgery(change_row, "a row", true, 100);
    try_forgery(change_value, "a value", true, 100);
    try_forgery(change_count, "a count", true, 100);
    try_forgery(drop_group, "a group", true, 100);
    try_forgery(swap_values, "the values of groups", true, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_tables__hold_what_they_were_made_from),
        cmocka_unit_test(test_two_tables__what_the_files_give_away_is_always_refused),
        cmocka_unit_test(test_two_tables__with_the_original_what_is_not_its_is_always_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
