/* Releases of random tables verify, with and without their original; forged ones, whose hashes are right again, do not.
 */
#include "test.h"

#include <covey/covey.h>

#include <string.h>

#include "support/release/random_release.h"
#include "support/release/forged_sheet.h"

/* --- forgeries: each changes something and says whether it did --- */

static bool has_built_hierarchy(const release_folder *r)
{
    size_t i;
    json_t *column;

    json_array_foreach(json_object_get(r->manifest, "columns"), i, column)
    {
        if (json_is_false(json_object_get(column, "hierarchy_complete")))
            return true;
    }
    return false;
}

/* A class takes over the cell of another one. */
static bool change_cell(release_folder *r, uint64_t *state)
{
    sheet s;
    size_t row, other, column;
    bool changed;

    sheet_read(&s, r, "table.csv");
    row = random_below(state, (unsigned)s.n_rows);
    other = random_below(state, (unsigned)s.n_rows);
    column = 1 + random_below(state, 5);
    if ((changed = strcmp(*sheet_at(&s, row, column), *sheet_at(&s, other, column)) != 0)) {
        char *old = strdup(*sheet_at(&s, row, 0)), *text = strdup(*sheet_at(&s, other, column));

        for (size_t i = 0; i < s.n_rows; i++)
            if (strcmp(*sheet_at(&s, i, 0), old) == 0)
                sheet_set(&s, i, column, text);
        sheet_write(&s, r, "table.csv");
        free(old);
        free(text);
    }
    sheet_free(&s);
    return changed;
}

/* The same where the losses of all columns follow from the files. */
static bool change_measured_cell(release_folder *r, uint64_t *state)
{
    return !has_built_hierarchy(r) && change_cell(r, state);
}

/* A row takes over a value of another one, in a column that is published as it is. */
static bool change_value(release_folder *r, uint64_t *state, size_t column)
{
    sheet s;
    size_t row, other;
    bool changed;

    sheet_read(&s, r, "table.csv");
    row = random_below(state, (unsigned)s.n_rows);
    other = random_below(state, (unsigned)s.n_rows);
    if ((changed = strcmp(*sheet_at(&s, row, column), *sheet_at(&s, other, column)) != 0)) {
        sheet_set(&s, row, column, *sheet_at(&s, other, column));
        sheet_write(&s, r, "table.csv");
    }
    sheet_free(&s);
    return changed;
}

static bool change_illness(release_folder *r, uint64_t *state)
{
    return change_value(r, state, 6);
}

static bool change_pay_or_note(release_folder *r, uint64_t *state)
{
    return change_value(r, state, 7 + random_below(state, 2));
}

/* Two neighbouring rows change places. */
static bool change_order(release_folder *r, uint64_t *state)
{
    sheet s;
    size_t row;
    bool changed = false;

    sheet_read(&s, r, "table.csv");
    row = random_below(state, (unsigned)s.n_rows - 1);
    for (size_t i = 0; i < s.n_columns; i++) {
        char *swap = *sheet_at(&s, row, i);

        changed |= strcmp(swap, *sheet_at(&s, row + 1, i)) != 0;
        *sheet_at(&s, row, i) = *sheet_at(&s, row + 1, i);
        *sheet_at(&s, row + 1, i) = swap;
    }
    sheet_write(&s, r, "table.csv");
    sheet_free(&s);
    return changed;
}

/* A class goes, the classes behind it move up, and all counts of the manifest are right again; the prior is not. */
static bool drop_class(release_folder *r, uint64_t *state)
{
    sheet s;
    unsigned victim;
    size_t kept = 0;
    char json[32];

    sheet_read(&s, r, "table.csv");
    victim = 1 + random_below(state, (unsigned)json_integer_value(release_at(r, "classes")));
    for (size_t i = 0; i < s.n_rows; i++) {
        unsigned class = (unsigned)strtoul(*sheet_at(&s, i, 0), NULL, 10);
        char text[16];

        if (class == victim)
            continue;
        snprintf(text, sizeof text, "%u", class > victim ? class - 1 : class);
        for (size_t c = 0; c < s.n_columns; c++) {
            char *moved = *sheet_at(&s, i, c);

            *sheet_at(&s, i, c) = *sheet_at(&s, kept, c);
            *sheet_at(&s, kept, c) = moved;
        }
        sheet_set(&s, kept++, 0, text);
    }
    for (size_t i = kept * s.n_columns; i < s.n_rows * s.n_columns; i++)
        free(s.cell[s.n_columns + i]);
    s.n_rows = kept;
    sheet_write(&s, r, "table.csv");
    snprintf(json, sizeof json, "%zu", kept);
    release_set(r, "rows", json);
    release_set(r, "published_rows", json);
    snprintf(json, sizeof json, "%lld", (long long)json_integer_value(release_at(r, "classes")) - 1);
    release_set(r, "classes", json);
    sheet_free(&s);
    return true;
}

static bool change_count(release_folder *r, uint64_t *state)
{
    static const char *const counts[] = {"rows", "published_rows", "suppressed_rows", "classes"};
    const char *name = counts[random_below(state, 4)];
    char json[32];

    snprintf(json, sizeof json, "%lld",
             (long long)json_integer_value(release_at(r, name)) + 1 + random_below(state, 3));
    release_set(r, name, json);
    return true;
}

/* One row more of one value, one less of another. */
static bool change_prior(release_folder *r, uint64_t *state)
{
    json_t *counts = json_object_get(json_object_get(r->manifest, "prior"), "illness"), *value;
    const char *key, *from = NULL, *to = NULL;
    size_t n = json_object_size(counts), i = 0, a, b;

    if (n < 2)
        return false;
    assert_true(n > 0);
    a = random_below(state, (unsigned)n);
    b = (a + 1 + random_below(state, (unsigned)n - 1)) % n;
    json_object_foreach(counts, key, value)
    {
        from = i == a ? key : from;
        to = i == b ? key : to;
        i++;
    }
    json_integer_set(json_object_get(counts, from), json_integer_value(json_object_get(counts, from)) - 1);
    json_integer_set(json_object_get(counts, to), json_integer_value(json_object_get(counts, to)) + 1);
    return true;
}

static bool improve_achieved(release_folder *r, uint64_t *state)
{
    char path[64];
    unsigned p = random_below(state, (unsigned)json_array_size(json_object_get(r->manifest, "promises")));

    snprintf(path, sizeof path, "promises.%u.achieved", p);
    if (json_is_integer(release_at(r, path)))
        json_integer_set(release_at(r, path), json_integer_value(release_at(r, path)) + 1);
    else
        release_set(r, path, "'1/1000'");
    return true;
}

static bool improve_utility(release_folder *r, uint64_t *state)
{
    static const char *const figures[] = {"discernibility", "average_class_size", "largest_risk", "mean_risk"};
    char path[64], json[64];

    snprintf(path, sizeof path, "utility.%s", figures[random_below(state, 4)]);
    snprintf(json, sizeof json, "%.15g", json_number_value(release_at(r, path)) * 0.9);
    release_set(r, path, json);
    return true;
}

/* Two lines of a hierarchy exchange their leaves: the tree has the same shape and another meaning. */
static bool swap_hierarchy(release_folder *r, uint64_t *state)
{
    char *text, *line[256] = {NULL}, *changed;
    size_t n = 0, a, b, used = 0, size;
    bool different;

    if (!json_object_get(json_array_get(json_object_get(r->manifest, "columns"), 0), "hierarchy"))
        return false;
    text = release_get(r, "hierarchies/age.csv");
    size = strlen(text) * 2 + 2;
    for (char *save, *l = strtok_r(text, "\n", &save); l && n < 256; l = strtok_r(NULL, "\n", &save))
        line[n++] = l;
    assert_true(n > 0);
    a = random_below(state, (unsigned)n);
    b = random_below(state, (unsigned)n);
    different = strcmp(strchr(line[a], ';'), strchr(line[b], ';')) != 0;
    assert_non_null(changed = malloc(size));
    for (size_t i = 0; i < n; i++) {
        const char *leaf = i == a ? line[b] : i == b ? line[a] : line[i];

        used += (size_t)snprintf(changed + used, size - used, "%.*s%s\n", (int)(strchr(leaf, ';') - leaf), leaf,
                                 strchr(line[i], ';'));
    }
    release_put(r, "hierarchies/age.csv", changed);
    free(changed);
    free(text);
    return different;
}

/* --- the laws --- */

enum { N_RELEASES = 40 };

static void test_forgery__releases_of_random_tables_are_faithful(void **state)
{
    uint64_t seed = 1;
    int n_made = 0;

    for (int i = 0; i < test_share(N_RELEASES); i++) {
        release_folder r;

        if (random_release(&r, &seed, NULL)) {
            release_assert_holds(&r, false);
            release_assert_holds(&r, true);
            n_made++;
        }
        release_end(&r);
    }
    assert_true(test_is_enough(n_made > N_RELEASES / 2));
}

/* How often a forgery is refused, with the original or without; the forged release is printed if one that must be
 * refused is not. */
static void try_forgery(bool (*forge)(release_folder *, uint64_t *), const char *name, bool with_original,
                        int least_percent)
{
    uint64_t seed = 7;
    int n_forged = 0, n_refused = 0;

    for (int i = 0; i < test_share(N_RELEASES); i++) {
        release_folder r;

        if (random_release(&r, &seed, NULL) && forge(&r, &seed)) {
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
    if (least_percent == 100 ? n_refused < n_forged : !test_is_enough(n_refused * 100 >= n_forged * least_percent))
        fail_msg("%s: only %d of %d were refused", name, n_refused, n_forged);
}

static void test_forgery__what_the_files_give_away_is_always_refused(void **state)
{
    try_forgery(change_illness, "an illness", false, 100);
    try_forgery(change_order, "the order", false, 100);
    try_forgery(drop_class, "a class", false, 100);
    try_forgery(change_count, "a count", false, 100);
    try_forgery(change_prior, "the prior", false, 100);
    try_forgery(improve_achieved, "what was achieved", false, 100);
    try_forgery(improve_utility, "utility", false, 100);
    try_forgery(change_measured_cell, "a cell", false,
                60); /* sets all lose the same: another set that keeps the order passes */
}

static void test_forgery__with_the_original_a_changed_row_is_always_refused(void **state)
{
    try_forgery(change_illness, "an illness", true, 100);
    try_forgery(change_pay_or_note, "a value without a prior", true, 100);
    try_forgery(change_order, "the order", true, 100);
    try_forgery(drop_class, "a class", true, 100);
    try_forgery(change_prior, "the prior", true, 100);
    try_forgery(change_cell, "a cell", true, 95); /* a row may fit another's cell */
    try_forgery(swap_hierarchy, "a hierarchy", true,
                10); /* leaves that no row has, or below one published label, may change places */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forgery__releases_of_random_tables_are_faithful),
        cmocka_unit_test(test_forgery__what_the_files_give_away_is_always_refused),
        cmocka_unit_test(test_forgery__with_the_original_a_changed_row_is_always_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
