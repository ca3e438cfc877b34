/* Suppressed rows leave no trace: two tables that differ only in what the rows hold that are suppressed give the same
 * release, byte by byte, whenever the same rows are published in the same classes.  Random tables, policies,
 * hierarchies, and the methods on classes that suppress.
 *
 * By definition there may be: the bit that a search measured by wider domains ("no bound is claimed", contract section
 * 7), where values of a balanced hierarchy are not the same number other nodes of it, other regions of classes
 * (publish-boxes: cut), and another method that auto takes.  A prior is of the whole
 * table, so that sensitive values change only where none is published. */
#include "test.h"

#include <covey/covey.h>

#include <jansson.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "support/csvs.h"
#include "support/problem/problem_maker.h"
#include "base/file/folder.h"
#include "base/text.h"
#include "table/table_impl.h"

enum { ROUNDS = 25, CHANGES = 5, MOST_ROWS = 32 };

enum { RID, AGE, ZIP, CITY, EDU, INCOME, DAY, ILLNESS, N_COLUMNS };

static const char *const column_name[N_COLUMNS] = {"rid", "age", "zip", "city", "edu", "income", "day", "illness"};

/* What rows hold, NULL-terminated: often one of the first list, in rows that shall go one of the second. */
static const char *const usual[N_COLUMNS][12] = {
    [AGE] = {"30", "31", "33", "36", "38", "41", "45", "52", "58", "60"},
    [ZIP] = {"10001", "10002", "10011", "10012", "10101", "20001", "20002"},
    [CITY] = {"A", "B", "C", "D"},
    [EDU] = {"BA", "MA", "HS", "GED"},
    [INCOME] = {"1000", "1200", "1500", "2000", "2500"},
    [DAY] = {"2020-01-05", "2020-01-17", "2020-02-03", "2020-05-06", "2021-02-02"},
    [ILLNESS] = {"flu", "flu", "flu", "cold", "gout", "acne"},
};
static const char *const strange[N_COLUMNS][12] = {
    [AGE] = {"98765", "97", "35", "12.5", "-7", ""},
    [ZIP] = {"99999", "10003", "10102", "", "30000"},
    [CITY] = {"Z", "BB", "", "A", "AA"},
    [EDU] = {"PhD", "BA", "", "HS"},
    [INCOME] = {"777777.25", "1300", "", "-5", "1250.5"},
    [DAY] = {"2035-12-31", "2020-01-06", "", "1999-03-03"},
    [ILLNESS] = {"flu", "cold", "gout", "acne"},
};
/* A sensitive number: spelled in several ways, with more digits in rows that shall go, or missing. */
static const char *const usual_score[] = {"1", "1.0", "2", "2.5", "2.50", "3", NULL};
static const char *const strange_score[] = {"1.00", "1", "7.125", "3.0", "", "4", NULL};
static const char edu_lines[] = "BA;uni;any\nMA;uni;any\nPhD;uni;any\nHS;school;any\nGED;school;any\n";

/* Further keys of quasi-identifiers; NULL-terminated. */
static const char *const wishes[N_COLUMNS][8] = {
    [AGE] = {"", ", hierarchy: {balanced: 2}",
             ", hierarchy: {interval: {from: 0, to: 99, widths: [5, 10, 20], clamp: true}}",
             ", hierarchy: {cuts: [[20, 35, 40, 50, 60], [40]]}", ", domain: [-10, 100000]", ", type: decimal"},
    [ZIP] = {", hierarchy: {mask: 4}, type: text", "", ", hierarchy: {balanced: 2}"},
    [CITY] = {"", ", hierarchy: {balanced: 2}", ", order: [A, AA, B, BB, C, D, Z]",
              ", order: [A, AA, B, BB, C, D, Z], hierarchy: {balanced: 2}"},
    [EDU] = {"", ", hierarchy: {file: edu.csv}"},
    [INCOME] = {"", ", hierarchy: {balanced: 3}", ", domain: [-100, 999999]"},
    [DAY] = {"", ", hierarchy: {date: [month, year]}", ", type: date"},
};

/* A method, what its policies promise, a further parameter, and how many pairs its tables give at least. */
static const struct subject {
    const char *method;      /* NULL: auto */
    const char *promises[6]; /* any of them; NULL-terminated */
    const char *params[8];   /* each one of them or none; NULL-terminated */
    int least_pairs;
} subjects[] = {
    {"ke-permutation",
     {"ke-anonymity, k: 2, e: 1", "ke-anonymity, k: 3, e: 0.5"},
     {"criterion: min-max", "refine: true"},
     2},
    {"full-domain",
     {"k-anonymity, k: 2", "k-anonymity, k: 3", "distinct-l-diversity, l: 2", "t-closeness, t: 0.6, distance: equal"},
     {"metric: loss", "metric: height", "metric: prec", "metric: discernibility", "metric: entropy", "metric: cavg",
      "publish-boxes: tight"},
     20},
    {"peel",
     {"k-anonymity, k: 2", "k-anonymity, k: 3", "distinct-l-diversity, l: 2", "probabilistic-l-diversity, l: 2"},
     {"publish-boxes: cut"},
     2},
    {NULL, {"k-anonymity, k: 2", "k-anonymity, k: 3", "distinct-l-diversity, l: 2"}, {NULL}, 5},
    {"mondrian",
     {"probabilistic-l-diversity, l: 2", "probabilistic-l-diversity, l: 3", "alpha-k-anonymity, alpha: 0.4, k: 2"},
     {"publish-boxes: cut", "cut: relaxed", "refine: local"},
     2},
    {"elastic",
     {"probabilistic-l-diversity, l: 2", "probabilistic-l-diversity, l: 3"},
     {"publish-boxes: cut", "dims: score"},
     2},
    {"optimal-partition",
     {"probabilistic-l-diversity, l: 2", "probabilistic-l-diversity, l: 3", "k-anonymity, k: 3"},
     {"cost: ncp", "cost: ncp-box", "cost: classes", "cost: class-error", "cost: class-entropy", "publish-boxes: cut"},
     2},
};

struct table {
    size_t n;
    bool has_scores;                        /* the sensitive values are numbers */
    const char *cell[MOST_ROWS][N_COLUMNS]; /* but the RID, which is the row's number */
};

static const char *any_of(const char *const *list, uint64_t *state)
{
    uint32_t n = 0;

    while (list[n])
        n++;
    return n ? list[maker_below(state, n)] : "";
}

/* Of numbers in fixed groups, those that are too small being suppressed. */
static bool has_groups(const struct subject *subject)
{
    return strncmp(subject->promises[0], "ke-", 3) == 0;
}

static const char *any_value(const struct table *t, size_t c, bool is_strange, uint64_t *state)
{
    if (c == ILLNESS && t->has_scores)
        return any_of(is_strange ? strange_score : usual_score, state);
    return any_of(is_strange ? strange[c] : usual[c], state);
}

static void make_table(struct table *t, const struct subject *subject, uint64_t *state)
{
    const size_t n_strange = 1 + maker_below(state, 2);

    t->has_scores = has_groups(subject) || maker_below(state, 3) == 0;
    t->n = 12 + maker_below(state, 17) + n_strange;
    for (size_t r = 0; r < t->n; r++)
        for (size_t c = AGE; c < N_COLUMNS; c++)
            t->cell[r][c] = any_value(t, c, r < n_strange, state);
}

static void write_table(const struct table *t)
{
    covey_text out = COVEY_TEXT_INIT;

    for (size_t c = 0; c < N_COLUMNS; c++)
        covey_i_text_add_format(&out, "%s%c", column_name[c], c + 1 < N_COLUMNS ? ',' : '\n');
    for (size_t r = 0; r < t->n; r++) {
        covey_i_text_add_format(&out, "r%02zu", r);
        for (size_t c = AGE; c < N_COLUMNS; c++)
            covey_i_text_add_format(&out, ",%s", t->cell[r][c]);
        covey_i_text_add_char(&out, '\n');
    }
    assert_false(out.broken);
    csv_put_file(csv_path("table.csv"), out.bytes, out.size);
    covey_i_text_free(&out);
}

/* What the law knows of a policy. */
struct wish {
    const struct subject *subject;
    const char *promise;
    bool has_prior;    /* the whole table's sensitive values are published */
    bool has_balanced; /* labels may go by the number of values */
    int rows_per_part; /* 0: all at once */
    bool has_cuts;     /* regions are those that a search has cut */
    char what[96];
};

/* Up to three quasi-identifiers; the rest is published as it is, or dropped. */
static void write_policy(struct wish *w, uint64_t *state)
{
    covey_text out = COVEY_TEXT_INIT;
    uint32_t quasi = 1 + maker_below(state, 3);

    w->promise = any_of(w->subject->promises, state);
    w->has_prior = strncmp(w->promise, "t-closeness", 11) == 0;
    w->has_balanced = w->has_cuts = false;
    covey_i_text_add_string(&out, "version: 1\ninput: {path: table.csv, missing-sensitive: value}\nattributes:\n  - "
                                  "{name: rid, role: insensitive, unique: allowed}\n");
    for (uint32_t c = AGE; c < ILLNESS; c++) {
        const uint32_t left = ILLNESS - c;
        const bool is_quasi = (c == CITY && has_groups(w->subject)) || maker_below(state, left) < quasi;
        const char *more = is_quasi ? any_of(wishes[c], state) : "";

        quasi -= is_quasi && quasi > 0;
        w->has_balanced |= strstr(more, "balanced") != NULL;
        covey_i_text_add_format(&out, "  - {name: %s, role: %s%s}\n", column_name[c],
                                is_quasi                ? "quasi-identifier"
                                : maker_below(state, 2) ? "insensitive, unique: allowed"
                                                        : "identifier",
                                more);
    }
    covey_i_text_add_format(&out, "  - {name: illness, role: sensitive}\nprivacy:\n  - {model: %s}\n", w->promise);
    if (has_groups(w->subject))
        covey_i_text_add_string(&out, "groups: {by: [city]}\n");
    if (w->subject->method) {
        covey_i_text_add_format(&out, "method: {name: %s", w->subject->method);
        if (w->subject->params[0] && maker_below(state, 3)) {
            const char *param = any_of(w->subject->params, state);

            covey_i_text_add_format(&out, ", %s", param);
            w->has_cuts = strcmp(param, "publish-boxes: cut") == 0;
        }
        covey_i_text_add_string(&out, "}\n");
    }
    covey_i_text_add_format(&out, "suppression: {limit: %s}\n", maker_below(state, 2) ? "0.15" : "0.3");
    assert_false(out.broken);
    csv_put_file(csv_path("policy.yaml"), out.bytes, out.size);
    covey_i_text_free(&out);
}

/* --- releases --- */

static bool anonymize(const char *target, const struct wish *w)
{
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 7};
    const covey_parts_options parts = {.rows_per_part = w->rows_per_part};
    covey_policy *policy = NULL;
    covey_anonymize_report report;
    covey_error err;
    covey_status status;

    if ((status = covey_policy_read(&policy, csv_path("policy.yaml"), &err)) == COVEY_OK &&
        (status = covey_policy_check(policy, &err)) == COVEY_OK &&
        (status = w->rows_per_part ? covey_anonymize_in_parts(&report, policy, csv_path(target), &parts, &run, &err)
                                   : covey_anonymize(&report, policy, csv_path(target), NULL, &run, &err)) == COVEY_OK)
        covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    if (status != COVEY_OK && status != COVEY_EINFEASIBLE && status != COVEY_EINVAL && status != COVEY_EPARSE)
        fail_msg("%s: %s: %s", w->what, covey_status_name(status), err.message);
    return status == COVEY_OK;
}

static void expect_verified(const char *target, const struct wish *w)
{
    char path[1024], original[1024];
    const covey_verify_options options = {.original = original};
    const covey_run run = {.n_threads = 1};
    covey_verdict *verdict = NULL;
    covey_error err;

    snprintf(path, sizeof path, "%s", csv_path(target));
    snprintf(original, sizeof original, "%s", csv_path("table.csv"));
    if (covey_verify(&verdict, path, &options, &run, &err) != COVEY_OK)
        fail_msg("%s: %s", w->what, err.message);
    for (size_t i = 0; i < verdict->n_problems; i++)
        print_error("%s\n", verdict->problem[i]);
    if (!verdict->holds || verdict->faithful != 1)
        fail_msg("%s: holds %d, faithful %d", w->what, verdict->holds, verdict->faithful);
    covey_verdict_free(verdict);
}

/* The class of each row, 0 where it is in none; the sheet is the one that has the row's numbers. */
static void find_classes(int *class_of_row, size_t n, const char *target)
{
    static const char *const sheets[] = {"table.csv",    "quasi.csv",    "column-1.csv", "column-2.csv",
                                         "column-3.csv", "column-4.csv", "column-5.csv"};

    memset(class_of_row, 0, n * sizeof *class_of_row);
    for (size_t s = 0; s < sizeof sheets / sizeof *sheets; s++) {
        char name[64];
        size_t size;
        char *text;
        covey_table *table;

        snprintf(name, sizeof name, "%s/%s", target, sheets[s]);
        if (!(text = csv_get_file(&size, csv_path(name))))
            continue;
        table = csv_table(text);
        free(text);
        for (size_t c = 1; c < covey_table_n_columns(table); c++)
            if (strcmp(covey_table_column(table, c)->name, "rid") == 0)
                for (int64_t row = 0; row < covey_table_n_rows(table); row++) {
                    const int rid = (int)strtol(csv_cell(table, c, row) + 1, NULL, 10);

                    assert_in_range(rid, 0, n - 1);
                    class_of_row[rid] = (int)strtol(csv_cell(table, 0, row), NULL, 10);
                }
        covey_table_free(table);
    }
}

static bool is_same_partition(const int *one, const int *two, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            if ((one[i] == one[j]) != (two[i] == two[j]) || (one[i] == 0) != (two[i] == 0))
                return false;
    return true;
}

/* --- what may differ --- */

/* That no bound is claimed, and whether the limit of suppression stood in the way of an optimum; other notes stay. */
static void drop_note(json_t *manifest)
{
    json_t *notes = json_object_get(manifest, "notes");
    const char *text = json_string_value(json_array_get(notes, 0));
    const char *found = text ? strstr(text, "no bound is claimed") : NULL;

    if (text && (found == text || strncmp(text, "search ", 7) == 0))
        json_object_del(manifest, "notes");
    else if (found)
        json_array_set_new(notes, 0, json_stringn(text, (size_t)(found - text) - strlen("; ")));
}

/* The search measured by all rows: that it did, and so what it proved, is told where a declared domain would have
 * helped. */
static void drop_claims(json_t *manifest)
{
    static const char *const claims[] = {"optimal", "lower_bound", "upper_bound", "ratio", "stopped"};
    json_t *objective = json_object_get(manifest, "objective");

    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        json_object_del(objective, claims[i]);
    if (strcmp(json_string_value(json_object_get(objective, "name")), "ncp-box") ==
        0) /* null where the domain is narrower */
        json_object_del(objective, "value");
    drop_note(manifest);
}

static char *manifest_text(const char *target, bool with_claims)
{
    char name[64];
    size_t size;
    char *text, *out;
    json_t *manifest;

    snprintf(name, sizeof name, "%s/manifest.json", target);
    text = csv_get_file(&size, csv_path(name));
    assert_non_null(text);
    manifest = json_loads(text, 0, NULL);
    assert_non_null(manifest);
    if (!with_claims)
        drop_claims(manifest);
    json_object_del(manifest, "files"); /* compared themselves */
    out = json_dumps(manifest, JSON_INDENT(1) | JSON_SORT_KEYS);
    json_decref(manifest);
    free(text);
    return out;
}

static void show_difference(const char *one, const char *two)
{
    size_t at = 0, start;

    while (one[at] && one[at] == two[at])
        at++;
    start = at > 200 ? at - 200 : 0;
    print_error("... %.400s\n---- against ----\n... %.400s\n", one + start, two + start);
}

/* All files but the manifest. */
static char *files_text(const char *target)
{
    char *all = csv_get_folder(csv_path(target)), *manifest, *end;

    assert_non_null(manifest = strstr(all, "manifest.json"));
    assert_non_null(end = strstr(manifest, "\n}\n"));
    memmove(manifest, end, strlen(end) + 1);
    return all;
}

static char *table_text(const char *target)
{
    char name[64];
    size_t size;

    snprintf(name, sizeof name, "%s/table.csv", target);
    return csv_get_file(&size, csv_path(name));
}

/* Do both show the same cells?  Nodes of balanced hierarchies go by how many values there are. */
static bool is_same_table(void)
{
    char *one = table_text("one"), *two = table_text("two");
    const bool is_same = !one || !two || strcmp(one, two) == 0;

    free(one);
    free(two);
    return is_same;
}

/* What is made from a release alone: pages about it, and its tables in another form. */
static char *made_text(const char *target)
{
    const covey_run run = {.n_threads = 1};
    const covey_report_format formats[] = {COVEY_REPORT_JSON, COVEY_REPORT_HTML};
    char release[1024], sheets[1024];
    covey_text all = COVEY_TEXT_INIT;
    covey_export_report exported;
    covey_error err;
    char *tables;

    snprintf(release, sizeof release, "%s", csv_path("release"));
    snprintf(sheets, sizeof sheets, "csv:%s", csv_path("sheets"));
    assert_int_equal(rename(csv_path(target), release), 0);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const covey_report_options options = {.format = formats[i]};
        covey_report report;

        if (covey_report_make(&report, release, &options, &run, &err) != COVEY_OK)
            fail_msg("%s", err.message);
        covey_i_text_add(&all, report.text, report.size);
        covey_report_clear(&report);
    }
    if (covey_export(&exported, release, sheets, NULL, &run, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    covey_export_report_clear(&exported);
    tables = csv_get_folder(csv_path("sheets"));
    covey_i_text_add_string(&all, tables);
    free(tables);
    assert_int_equal(covey_i_folder_remove(csv_path("sheets"), NULL), COVEY_OK);
    assert_int_equal(rename(release, csv_path(target)), 0);
    assert_false(all.broken);
    return all.bytes;
}

static void expect_same_made(const struct wish *w)
{
    char *one = made_text("one"), *two = made_text("two");

    if (strcmp(one, two) != 0) {
        show_difference(one, two);
        fail_msg("%s: what suppressed rows hold shows in what is made from the release", w->what);
    }
    covey_i_free(one);
    covey_i_free(two);
}

static void expect_same(const struct wish *w)
{
    char *one = files_text("one"), *two = files_text("two");

    if (strcmp(one, two) != 0) {
        show_difference(one, two);
        fail_msg("%s: what suppressed rows hold shows in a file", w->what);
    }
    free(one);
    free(two);
    one = manifest_text("one", false);
    two = manifest_text("two", false);
    if (strcmp(one, two) != 0) {
        show_difference(one, two);
        fail_msg("%s: what suppressed rows hold shows in the manifest", w->what);
    }
    free(one);
    free(two);
    one = manifest_text("one", true);
    two = manifest_text("two", true);
    if (strcmp(one, two) == 0)
        expect_same_made(w);
    free(one);
    free(two);
}

static void remove_release(const char *target)
{
    assert_int_equal(covey_i_folder_remove(csv_path(target), NULL), COVEY_OK);
}

/* --- pairs --- */

/* Other values for the rows that are not published. */
static void change(struct table *t, const int *class_of_row, const struct wish *w, uint64_t *state)
{
    for (size_t r = 0; r < t->n; r++)
        for (size_t c = AGE; class_of_row[r] == 0 && c < N_COLUMNS; c++)
            if (c == ILLNESS ? !w->has_prior && maker_below(state, 8) == 0 : maker_below(state, 3) > 0)
                t->cell[r][c] = any_value(t, c, maker_below(state, 4) > 0, state);
}

static size_t count_gone(const int *class_of_row, size_t n)
{
    size_t gone = 0;

    for (size_t r = 0; r < n; r++)
        gone += class_of_row[r] == 0;
    return gone;
}

/* auto may take another method: what the search of each finds goes by all rows. */
static bool is_same_method(void)
{
    char *manifest[2];
    bool is_same;

    for (int i = 0; i < 2; i++) {
        char name[64];
        size_t size;
        json_t *root;

        snprintf(name, sizeof name, "%s/manifest.json", i ? "two" : "one");
        assert_non_null(manifest[i] = csv_get_file(&size, csv_path(name)));
        assert_non_null(root = json_loads(manifest[i], 0, NULL));
        free(manifest[i]);
        manifest[i] = json_dumps(json_object_get(root, "method"), JSON_SORT_KEYS);
        json_decref(root);
    }
    is_same = strcmp(manifest[0], manifest[1]) == 0;
    free(manifest[0]);
    free(manifest[1]);
    return is_same;
}

/* How many pairs a table gave. */
static int try_table(struct wish *w, uint64_t *state)
{
    int class_of_row[MOST_ROWS], other[MOST_ROWS], n_pairs = 0;
    struct table t;

    make_table(&t, w->subject, state);
    write_policy(w, state);
    w->rows_per_part = maker_below(state, 4) ? 0 : 4 + (int)maker_below(state, 12);
    write_table(&t);
    if (!anonymize("one", w))
        return 0;
    find_classes(class_of_row, t.n, "one");
    if (count_gone(class_of_row, t.n) > 0)
        expect_verified("one", w);
    for (int i = 0; i < CHANGES && count_gone(class_of_row, t.n) > 0; i++) {
        struct table changed = t;

        change(&changed, class_of_row, w, state);
        write_table(&changed);
        if (!anonymize("two", w))
            continue;
        find_classes(other, t.n, "two");
        if (is_same_partition(class_of_row, other, t.n) && (w->subject->method || is_same_method()) &&
            ((!w->has_balanced && !w->has_cuts) || is_same_table())) {
            n_pairs++;
            expect_verified("two", w);
            expect_same(w);
        }
        remove_release("two");
    }
    remove_release("one");
    return n_pairs;
}

/* How many pairs the table gave that these random numbers make. */
static int try_case(const struct subject *subject, uint64_t state, const char *name, uint64_t number)
{
    struct wish w = {.subject = subject};
    int n_pairs;

    snprintf(w.what, sizeof w.what, "%s, table %llu", name, (unsigned long long)number);
    csv_folder();
    csv_put_file(csv_path("edu.csv"), edu_lines, sizeof edu_lines - 1);
    n_pairs = try_table(&w, &state);
    csv_folder_remove();
    return n_pairs;
}

static void test_suppressed_rows__leave_no_trace(void **unused)
{
    const char *only = getenv("COVEY_LAW_METHOD");
    const uint64_t n = (uint64_t)test_share(ROUNDS);

    for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++) {
        const struct subject *subject = &subjects[s];
        const char *name = subject->method ? subject->method : "auto";
        int n_pairs = 0;

        if (only && strcmp(only, name) != 0)
            continue;
        for (uint64_t number = 0; number < n; number++)
            n_pairs += try_case(subject, test_seed(number * 31 + s), name, number);
        print_message("%s: %d pairs\n", name, n_pairs);
        if (!test_is_enough(n_pairs >= subject->least_pairs))
            fail_msg("%s: %d pairs of tables, %d at least were expected", name, n_pairs, subject->least_pairs);
    }
}

/* Tables of long runs with other seeds that once showed what suppressed rows held. */
static void test_suppressed_rows__cases_that_were_found(void **unused)
{
    static const struct {
        size_t subject;
        uint64_t seed, number;
    } found[] = {
        {2, 935409106091, 14}, {4, 880040, 57}, {5, 7715, 51}, {5, 935409106135, 56}, {1, 990022, 0},
    };

    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        const struct subject *subject = &subjects[found[i].subject];
        const uint64_t state = (found[i].number * 31 + found[i].subject) ^ found[i].seed * UINT64_C(0xD6E8FEB86659FD93);

        try_case(subject, state, subject->method, found[i].number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_suppressed_rows__leave_no_trace),
                                       cmocka_unit_test(test_suppressed_rows__cases_that_were_found)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
