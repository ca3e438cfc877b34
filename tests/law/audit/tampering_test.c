/* Of releases of every form each number of the manifest and a cell of each column of each file is changed, with hashes
 * that are right again: verify finds it, from the files or with the original, but for what is listed here. */
#include "test.h"

#include <covey/covey.h>

#include <string.h>

#include "base/file/folder.h"
#include "base/text.h"
#include "support/release/random_release.h"
#include "support/release/forged_sheet.h"

/* --- what no one can find --- */

/* Parts of places. */
static const char *const said_of_the_making[] = {
    "tool.version",
    "method.parameters.",
    "hierarchy_spec.",           /* of columns that are published as they are, or makes the same tree */
    "targets.0.total_variation", /* from what was asked for: of source the group's own values */
    "objective.lower_bound",     /* that is not reached: would take the search again */
};

/* A kind of release, and what cannot be found in it alone. */
struct kind {
    random_wish wish;
    const char *free[3];
};

struct tampering {
    const struct kind *kind;
    release_folder *r;
    uint64_t *state;
    int n_changed, n_unnoticed;
};

/* Is the release still said to hold, and to be a faithful image? */
static bool is_unnoticed(const release_folder *r)
{
    const covey_verify_options options = {.original = r->original};
    covey_verdict *verdict = NULL;
    covey_error err;
    bool holds;

    if (covey_verify(&verdict, r->path, &options, NULL, &err) != COVEY_OK)
        return false; /* it is no release any more */
    holds = verdict->holds && verdict->faithful == 1;
    covey_verdict_free(verdict);
    return holds;
}

static bool is_number(const char *text)
{
    return *text && strspn(text, "-0123456789./") == strlen(text) && strpbrk(text, "0123456789");
}

static bool is_free(const struct kind *kind, const char *where)
{
    for (size_t i = 0; i < sizeof said_of_the_making / sizeof *said_of_the_making; i++)
        if (strstr(where, said_of_the_making[i]))
            return true;
    for (size_t i = 0; i < sizeof kind->free / sizeof *kind->free && kind->free[i]; i++)
        if (strstr(where, kind->free[i]))
            return true;
    return false;
}

/* The release was changed there. */
static void expect_found(struct tampering *t, const char *where, const char *from, const char *to)
{
    t->n_changed++;
    if (is_free(t->kind, where) || !is_unnoticed(t->r))
        return;
    t->n_unnoticed++;
    print_error("%s: %s: %s instead of %s is not found\n", t->kind->wish.method ? t->kind->wish.method : "", where, to,
                from);
}

/* --- the manifest --- */

static void write_manifest(const release_folder *r)
{
    char path[512];

    snprintf(path, sizeof path, "%s/manifest.json", r->path);
    assert_int_equal(json_dump_file(r->manifest, path, JSON_INDENT(2) | JSON_REAL_PRECISION(17)), 0);
}

static json_t *changed_number(const json_t *value)
{
    const char *number = json_string_value(value);
    char text[256];

    if (json_is_integer(value))
        return json_integer(json_integer_value(value) + 1);
    if (json_is_real(value))
        return json_real(json_real_value(value) * 1.01 + 0.001);
    snprintf(text, sizeof text, "%s1%s", *number == '-' ? "-" : "", number + (*number == '-'));
    return json_string(text);
}

static void try_number(struct tampering *t, json_t *parent, const char *key, size_t index, json_t *value,
                       const char *where)
{
    json_t *kept = json_incref(value), *changed = changed_number(value);
    char *from = json_dumps(value, JSON_ENCODE_ANY), *to = json_dumps(changed, JSON_ENCODE_ANY);

    if (key)
        json_object_set_new(parent, key, changed);
    else
        json_array_set_new(parent, index, changed);
    write_manifest(t->r);
    expect_found(t, where, from, to);
    if (key)
        json_object_set_new(parent, key, kept);
    else
        json_array_set_new(parent, index, kept);
    free(from);
    free(to);
}

static void walk(struct tampering *t, json_t *parent, const char *where)
{
    char path[512];

    if (json_is_object(parent)) {
        const char *key;
        json_t *value;
        void *next;

        json_object_foreach_safe(parent, next, key, value)
        {
            snprintf(path, sizeof path, "%s.%s", where, key);
            if (json_is_number(value) || (json_is_string(value) && is_number(json_string_value(value))))
                try_number(t, parent, key, 0, value, path);
            else
                walk(t, value, path);
        }
    }
    for (size_t i = 0; json_is_array(parent) && i < json_array_size(parent); i++) {
        json_t *value = json_array_get(parent, i);

        snprintf(path, sizeof path, "%s.%zu", where, i);
        if (json_is_number(value) || (json_is_string(value) && is_number(json_string_value(value))))
            try_number(t, parent, NULL, i, value, path);
        else
            walk(t, value, path);
    }
}

/* --- files --- */

/* Another text that the column has; without one, one more. */
static char *changed_cell(const sheet *s, size_t row, size_t column, uint64_t *state)
{
    const char *own = *sheet_at(s, row, column);
    const size_t from = random_below(state, (unsigned)s->n_rows);
    char text[512];

    for (size_t i = 0; i < s->n_rows; i++) {
        const char *other = *sheet_at(s, (from + i) % s->n_rows, column);

        if (strcmp(own, other) != 0)
            return strdup(other);
    }
    snprintf(text, sizeof text, "%.500s1", own);
    return strdup(text);
}

static void try_cells(struct tampering *t, const char *file)
{
    sheet s;

    if (!strstr(file, ".csv") || strncmp(file, "hierarchies/", 12) == 0)
        return;
    sheet_read(&s, t->r, file);
    for (size_t c = 0; c < s.n_columns; c++)
        for (int i = 0; i < 4 && s.n_rows > 0; i++) {
            const size_t row = random_below(t->state, (unsigned)s.n_rows);
            char *kept = strdup(*sheet_at(&s, row, c)), *other = changed_cell(&s, row, c, t->state), where[256];

            sheet_set(&s, row, c, other);
            sheet_write(&s, t->r, file);
            release_write(t->r);
            snprintf(where, sizeof where, "%s:%zu %s", file, row + 2, s.cell[c]);
            expect_found(t, where, kept, other);
            sheet_set(&s, row, c, kept);
            free(kept);
            free(other);
        }
    sheet_write(&s, t->r, file);
    release_write(t->r);
    sheet_free(&s);
}

static const struct kind kinds[] = {
    {.wish = {.model = "entropy-l-diversity:l=2"}},
    {.wish = {.model = "distinct-l-diversity:l=2", .suppression = "0.2"}},
    {.wish = {.model = "basic-beta-likeness:beta=3", .has_tree = true}},
    /* Levels of numbers without a hierarchy go by all values, as do losses by labels that the data make. */
    {{.model = "distinct-l-diversity:l=2", .method = "full-domain", .suppression = "0.2"},
     {"objective.levels.", "objective.value", "utility.ncp"}},
    {{.model = "distinct-l-diversity:l=2", .method = "full-domain", .is_bare = true}, {"objective.levels."}},
    {{.model = "distinct-l-diversity:l=2", .method = "full-domain:metric=height"}, {"objective.levels.nothing"}},
    {{.model = "distinct-l-diversity:l=2", .method = "full-domain:metric=cavg"}, {"objective.levels."}},
    {{.model = "distinct-l-diversity:l=2", .method = "full-domain:metric=entropy", .is_whole = true},
     {"objective.levels."}},
    /* Ranges that rows attain do not tell which of them have one label. */
    {{.model = "distinct-l-diversity:l=2", .method = "full-domain:metric=entropy,publish-boxes=tight"},
     {"objective.levels.", "objective.value"}},
    {{.model = "distinct-l-diversity:l=2", .method = "full-domain:publish-boxes=tight", .is_bare = true},
     {"objective.levels.", "objective.value"}},
    /* Labels hold more than the box of their class: which row of the original is in which class does not follow. */
    {{.model = "distinct-l-diversity:l=2", .method = "optimal-partition:cost=kl,node-limit=200"}, {"objective.value"}},
    {.wish = {.model = "distinct-l-diversity:l=2", .method = "optimal-partition:cost=ncp,node-limit=200"}},
    {{.model = "distinct-l-diversity:l=2", .method = "optimal-partition:cost=ncp,publish-boxes=cut,node-limit=200"},
     {"objective.value"}},
    {{.model = "distinct-l-diversity:l=2", .method = "optimal-partition:cost=ncp-box,node-limit=200"},
     {"objective.value"}}, /* edges of boxes */
    {.wish = {.model = "distinct-l-diversity:l=2", .method = "optimal-partition:cost=class-entropy,node-limit=200"}},
    {.wish = {.model = "distinct-l-diversity:l=2", .method = "optimal-partition:cost=class-error,node-limit=200"}},
    {.wish = {.model = "distinct-l-diversity:l=2,joint=true", .method = "peel", .two = true}},
    {.wish = {.model = "probabilistic-l-diversity:l=2", .method = "anatomy", .is_alone = true}},
    {.wish = {.model = "probabilistic-l-diversity:l=2", .method = "anatomy", .is_alone = true, .sensitive = "pay"}},
    {.wish = {.model = "ke-anonymity:k=3,e=200", .method = "ke-permutation", .is_alone = true, .sensitive = "pay"}},
    {.wish = {.model = "p-private", .method = "distribution", .is_alone = true, .sensitive = "pay"}},
    {.wish = {.model = "p-private", .method = "distribution", .is_alone = true, .has_tree = true}},
    /* What a row shows is random. */
    {{.model = "basic-beta-likeness:beta=3", .method = "perturbation", .is_alone = true}, {" illness"}},
    {.wish = {.model = "sliced-l-diversity:l=2", .method = "slicing", .is_alone = true}},
};

/* What only the original tells lies between bounds that the files tell; kl has none above. */
static void try_far_values(struct tampering *t)
{
    static const char *const measured[] = {"entropy", "loss", "ncp", "ncp-box", "kl"};
    json_t *kept = json_incref(json_object_get(t->r->manifest, "objective"));
    const char *name = json_string_value(json_object_get(kept, "name"));

    for (size_t i = 0; name && i < sizeof measured / sizeof *measured; i++)
        for (double far = -1; strcmp(name, measured[i]) == 0 && far < (i < 4 ? 1e9 : 0); far += 1e9) {
            json_t *objective = json_pack("{s:s, s:f}", "name", name, "value", far);
            covey_verdict *verdict = NULL;
            covey_error err;

            if (json_object_get(kept, "levels"))
                json_object_set(objective, "levels", json_object_get(kept, "levels"));
            json_object_set_new(t->r->manifest, "objective", objective);
            write_manifest(t->r);
            assert_int_equal(covey_verify(&verdict, t->r->path, NULL, NULL, &err), COVEY_OK);
            if (verdict->holds)
                fail_msg("%s: %g is not found", name, far);
            covey_verdict_free(verdict);
            t->n_changed++;
        }
    json_object_set_new(t->r->manifest, "objective", kept);
    write_manifest(t->r);
}

static void change_all(struct tampering *t)
{
    const json_t *files = release_at(t->r, "files");

    if (!is_unnoticed(t->r))
        fail_msg("%s: is refused as it is", t->kind->wish.method);
    walk(t, t->r->manifest, "");
    write_manifest(t->r);
    try_far_values(t);
    for (size_t f = 0; f < json_array_size(files); f++) {
        char *name = strdup(json_string_value(json_object_get(json_array_get(files, f), "name")));

        try_cells(t, name);
        files = release_at(t->r, "files");
        free(name);
    }
}

static void test_tampering__is_found(void **state)
{
    uint64_t seed = 5;
    struct tampering t = {.state = &seed};
    size_t n_made = 0;

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        bool is_made = false;

        for (int attempt = 0; attempt < 20 && !is_made; attempt++) {
            release_folder r;

            if ((is_made = random_release(&r, &seed, &kinds[k].wish))) {
                t.kind = &kinds[k];
                t.r = &r;
                change_all(&t);
            }
            release_end(&r);
        }
        n_made += is_made;
    }
    print_message("%d changes of %zu releases, %d not found\n", t.n_changed, n_made, t.n_unnoticed);
    assert_int_equal(t.n_unnoticed, 0);
    assert_true(n_made + 2 >= sizeof kinds / sizeof *kinds && t.n_changed > 1000);
}

/* --- with the original --- */

static void set(covey_policy *policy, const char *key, const char *value)
{
    covey_error err;

    if (covey_policy_set(policy, key, value, &err) != COVEY_OK)
        fail_msg("--%s %s: %s", key, value, err.message);
}

/* Of numbers alone. */
static void make_release(release_folder *r, uint64_t *state, const char *method)
{
    covey_text table = COVEY_TEXT_INIT;
    covey_policy *policy = NULL;
    covey_anonymize_report report;
    covey_error err;
    char line[64];

    covey_i_text_add_string(&table, "age,pay,city,illness\n");
    for (int i = 0; i < 90; i++) {
        snprintf(line, sizeof line, "%u,%u,%c,x\n", random_below(state, 60), random_below(state, 40) * 25,
                 'a' + (char)random_below(state, 3));
        covey_i_text_add_string(&table, line);
    }
    release_begin(r);
    release_original(r, table.bytes);
    covey_i_text_free(&table);
    assert_int_equal(covey_i_folder_remove(r->path, NULL), COVEY_OK);
    assert_int_equal(covey_policy_new(&policy, &err), COVEY_OK);
    set(policy, "input", r->original);
    set(policy, "quasi", "age,pay,city");
    set(policy, "others", "drop");
    set(policy, "model", "k-anonymity:k=3");
    set(policy, "method", method);
    if (covey_policy_check(policy, &err) != COVEY_OK ||
        covey_anonymize(&report, policy, r->path, NULL, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", method, err.message);
    covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    release_read(r);
}

static void test_tampering__of_objectives_that_count_values_is_found_with_the_original(void **state)
{
    static const char *const methods[] = {"full-domain:metric=entropy", "optimal-partition:cost=kl,node-limit=200",
                                          "optimal-partition:cost=ncp,publish-boxes=cut,node-limit=200"};
    uint64_t seed = 11;

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        covey_verdict *verdict;
        release_folder r;
        json_t *objective;

        make_release(&r, &seed, methods[i]);
        assert_true(is_unnoticed(&r));
        objective = json_object_get(r.manifest, "objective");
        json_object_set_new(objective, "value",
                            json_real(json_number_value(json_object_get(objective, "value")) * 0.999));
        json_object_set_new(objective, "optimal", json_false());
        json_object_del(objective, "lower_bound");
        json_object_del(objective, "ratio");
        write_manifest(&r);
        assert_false(is_unnoticed(&r));
        verdict = release_verify(&r, false);
        assert_true(verdict->holds); /* the files alone do not tell */
        covey_verdict_free(verdict);
        release_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tampering__is_found),
        cmocka_unit_test(test_tampering__of_objectives_that_count_values_is_found_with_the_original),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
