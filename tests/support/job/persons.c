#include "support/job/persons.h"

#include "test.h"

#include <covey/covey.h>

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "support/csvs.h"
#include "support/problem/problem_maker.h"

static const char *const zips[] = {"1000", "1001", "1002"};
static const char *const wards[] = {"east", "west", "north"};
static const char *const illnesses[] = {"flu", "cold", "gout", "acne", "mumps", "croup"};

void persons_make(persons *t, int n, int most_rows, bool vary, uint64_t *state)
{
    *t = (persons){.n_zips = t->n_zips, .n_illnesses = t->n_illnesses};
    while (t->n < n) {
        const int rows = 1 + (int)maker_below(state, (uint32_t)most_rows);
        int illness = (int)maker_below(state, (uint32_t)t->n_illnesses);

        for (int i = 0; i < rows && t->n < n; i++, t->n++) {
            t->person[t->n] = t->n_persons;
            t->value[t->n][0] = 20 + (int)maker_below(state, 10);
            t->value[t->n][1] = (int)maker_below(state, (uint32_t)t->n_zips);
            t->value[t->n][2] = illness;
            illness = vary ? (int)maker_below(state, (uint32_t)t->n_illnesses) : illness;
        }
        t->n_persons++;
    }
}

void persons_give_homes(persons *t, uint64_t *state)
{
    int home = 0;

    t->has_homes = true;
    for (int i = 0; i < t->n; i++) {
        home += i > 0 && t->person[i] != t->person[i - 1] &&
                ((i > 1 && t->home[i - 1] == t->home[0]) || maker_below(state, 2));
        t->home[i] = home;
    }
}

void persons_give_wards(persons *t, int n_wards, bool vary, uint64_t *state)
{
    t->n_wards = n_wards;
    for (int i = 0; i < t->n; i++)
        t->ward[i] = i > 0 && !vary && t->person[i] == t->person[i - 1] ? t->ward[i - 1]
                                                                        : (int)maker_below(state, (uint32_t)n_wards);
}

static void copy_row(persons *to, int at, const persons *from, int row)
{
    to->person[at] = from->person[row];
    to->home[at] = from->home[row];
    to->ward[at] = from->ward[row];
    memcpy(to->value[at], from->value[row], sizeof to->value[at]);
}

void persons_shuffle(persons *t, uint64_t *state)
{
    for (int i = t->n; i > 1; i--) {
        const int j = (int)maker_below(state, (uint32_t)i);
        const persons kept = *t;

        copy_row(t, i - 1, &kept, j);
        copy_row(t, j, &kept, i - 1);
    }
}

void persons_write(const persons *t)
{
    covey_text out = COVEY_TEXT_INIT;

    covey_i_text_add_format(&out, "person,age,zip,illness%s%s\n", t->has_homes ? ",home" : "",
                            t->n_wards > 0 ? ",ward" : "");
    for (int i = 0; i < t->n; i++) {
        covey_i_text_add_format(&out, "p%d,%d,%s,%s", t->person[i], t->value[i][0], zips[t->value[i][1]],
                                illnesses[t->value[i][2]]);
        if (t->has_homes)
            covey_i_text_add_format(&out, ",h%d", t->home[i]);
        covey_i_text_add_format(&out, "%s%s\n", t->n_wards > 0 ? "," : "", t->n_wards > 0 ? wards[t->ward[i]] : "");
    }
    csv_put_file(csv_path("table.csv"), out.bytes, out.size);
    covey_i_text_free(&out);
}

covey_status persons_anonymize(const char *policy_text, bool has_links, uint64_t seed, covey_error *err)
{
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = seed};
    char links[1024];
    const covey_anonymize_options options = {.force = true, .links = has_links ? links : NULL};
    covey_policy *policy = NULL;
    covey_anonymize_report report;
    covey_status status;

    snprintf(links, sizeof links, "%s", csv_path("links"));
    csv_put_file(csv_path("policy.yaml"), policy_text, strlen(policy_text));
    if ((status = covey_policy_read(&policy, csv_path("policy.yaml"), err)) == COVEY_OK &&
        (status = covey_policy_check(policy, err)) == COVEY_OK &&
        (status = covey_anonymize(&report, policy, csv_path("release"), &options, &run, err)) == COVEY_OK)
        covey_anonymize_report_clear(&report);
    covey_policy_free(policy);
    return status;
}

bool persons_slice_alike(const persons *t, const persons *other,
                         covey_status (*anonymize)(const void *wish, covey_error *err), const void *wish)
{
    covey_error err;
    bool is_made;

    csv_folder();
    persons_write(t);
    if ((is_made = anonymize(wish, &err) == COVEY_OK)) {
        size_t n, m;
        char *first = csv_get_file(&n, csv_path("release/column-2.csv")), *second;

        persons_write(other);
        assert_int_equal(anonymize(wish, &err), COVEY_OK);
        second = csv_get_file(&m, csv_path("release/column-2.csv"));
        assert_int_equal(n, m);
        assert_memory_equal(first, second, n);
        free(first);
        free(second);
    } else {
        persons_write(other);
        assert_int_not_equal(anonymize(wish, &err), COVEY_OK);
    }
    csv_folder_remove();
    return is_made;
}

void persons_read_links(int *class_of, int *n_classes, int n)
{
    size_t size;
    char *text = csv_get_file(&size, csv_path("links")), *line = text;

    assert_non_null(text);
    *n_classes = 0;
    for (int i = 0; i < n; i++) {
        line = strchr(line, '\n') + 1;
        assert_int_equal(strtol(line, &line, 10), i + 1);
        class_of[i] = line[1] == '\n' ? 0 : (int)strtol(line + 1, NULL, 10);
        *n_classes = class_of[i] > *n_classes ? class_of[i] : *n_classes;
    }
    free(text);
}

covey_verdict *persons_verify(bool by_links)
{
    char folder[1024], original[1024], links[1024];
    const covey_verify_options options = {
        .original = by_links ? original : NULL, .links = by_links ? links : NULL, .skip_hashes = true};
    covey_verdict *verdict = NULL;
    covey_error err;

    snprintf(folder, sizeof folder, "%s", csv_path("release"));
    snprintf(original, sizeof original, "%s", csv_path("table.csv"));
    snprintf(links, sizeof links, "%s", csv_path("links"));
    return covey_verify(&verdict, folder, &options, NULL, &err) == COVEY_OK ? verdict : NULL;
}

static bool holds(bool by_links)
{
    covey_verdict *verdict = persons_verify(by_links);
    const bool held = verdict && verdict->holds && verdict->units_proven == by_links;

    covey_verdict_free(verdict);
    return held;
}

bool persons_are_proven(void)
{
    return holds(true);
}

bool persons_are_stated(void)
{
    return holds(false);
}

/* --- queries --- */

void persons_attributes(condition_attribute attribute[PERSONS_ATTRIBUTES], const persons *t)
{
    attribute[0] = (condition_attribute){.name = "age", .low = 20, .high = 29};
    attribute[1] = (condition_attribute){.name = "zip", .n_labels = (uint32_t)t->n_zips, .label = zips};
    attribute[2] = (condition_attribute){.name = "illness", .n_labels = (uint32_t)t->n_illnesses, .label = illnesses};
}

static int count_truth(const persons *t, const int *unit, const random_condition *condition, int age)
{
    bool seen[PERSONS_MOST_ROWS] = {false};
    int n = 0;

    for (int i = 0; i < t->n; i++)
        if ((age < 0 || t->value[i][0] == age) && condition_selects(condition, t->value[i]) && !seen[unit[i]]) {
            seen[unit[i]] = true;
            n++;
        }
    return n;
}

void persons_ask(const covey_query_release *release, const persons *t, bool is_grouped, uint64_t *state)
{
    condition_attribute attribute[PERSONS_ATTRIBUTES];
    random_condition condition;
    covey_query_result *result = NULL;
    covey_error err;
    char sql[5000];

    persons_attributes(attribute, t);
    condition_make(&condition, attribute, PERSONS_ATTRIBUTES, 1 + (int)maker_below(state, 3), state);
    snprintf(sql, sizeof sql, "SELECT COUNT(*), COUNT(DISTINCT entity)%s WHERE %s%s",
             t->has_homes ? ", COUNT(DISTINCT household)" : "", condition.sql, is_grouped ? " GROUP BY age" : "");
    if (covey_query_run(&result, release, sql, NULL, &err) != COVEY_OK)
        fail_msg("%s: %s", sql, err.message);
    for (size_t g = 0; g < result->n_groups; g++)
        for (size_t i = 1; i < result->n_answers; i++) {
            const covey_query_answer *answer = &result->group[g].answer[i];
            const int age = is_grouped ? (int)strtol(result->group[g].key[0], NULL, 10) : -1,
                      truth = count_truth(t, i == 1 ? t->person : t->home, &condition, age);

            if (answer->lower.value > truth || answer->upper.value < truth ||
                answer->estimate < answer->lower.value - 1e-9 || answer->estimate > answer->upper.value + 1e-9)
                fail_msg("%s: %s is %d and %g, not in [%s, %s]", sql, answer->aggregate, truth, answer->estimate,
                         answer->lower.text, answer->upper.text);
        }
    covey_query_result_free(result);
}

/* --- tampering --- */

/* The n-th number of a file, from the second line on, becomes another one; false: there is none. */
static bool change_number(const char *name, int nth, int by)
{
    size_t size;
    char *text = csv_get_file(&size, csv_path(name)), *at = strchr(text, '\n');
    bool found = false;

    for (; at && *at; at++)
        if ((at[-1] == ',' || at[-1] == '\n') && *at >= '0' && *at <= '9' && nth-- == 0) {
            char *end;
            const long number = strtol(at, &end, 10) + by;
            covey_text out = COVEY_TEXT_INIT;

            covey_i_text_add_format(&out, "%.*s%ld%s", (int)(at - text), text, number, end);
            csv_put_file(csv_path(name), out.bytes, out.size);
            covey_i_text_free(&out);
            found = true;
            break;
        }
    free(text);
    return found;
}

void persons_try_numbers(const char *name)
{
    size_t size;
    char *text = csv_get_file(&size, csv_path(name));

    for (int nth = 0, by = -1; by < 2; by += 2, nth = 0)
        while (change_number(name, nth++, by)) {
            if (persons_are_proven())
                fail_msg("%s, number %d: %+d is not found", name, nth, by);
            csv_put_file(csv_path(name), text, size);
        }
    free(text);
}

/* --- suppression --- */

void persons_without(persons *out, const persons *t, const bool *hidden)
{
    *out = *t;
    out->n = 0;
    for (int i = 0; i < t->n; i++)
        if (!hidden[t->person[i]])
            copy_row(out, out->n++, t, i);
}

/* The number behind such words becomes another one, every time. */
static void put_number(covey_text *text, const char *words, double number)
{
    const char *from = text->bytes, *at = strstr(from, words);
    covey_text out = COVEY_TEXT_INIT;

    assert_non_null(at);
    for (; at; at = strstr(from, words)) {
        at += strlen(words);
        covey_i_text_add_format(&out, "%.*s%.17g", (int)(at - from), from, number);
        from = at + strspn(at, "-+.0123456789e");
    }
    covey_i_text_add_string(&out, from);
    covey_i_text_free(text);
    *text = out;
}

static void put(const char *name, covey_text *text)
{
    csv_put_file(csv_path(name), text->bytes, text->size);
    covey_i_text_free(text);
}

static void hash_of(char hex[65], const char *name)
{
    unsigned char hash[32];
    uint64_t size;

    assert_int_equal(covey_i_hash_sha256_file(hash, &size, csv_path(name), NULL), COVEY_OK);
    covey_i_hash_hex(hex, hash);
}

/* What is suppressed has lost everything, and is as any other row of the table. */
static void state_suppressed(covey_text *manifest, int n_rows, int n_suppressed)
{
    const double share = (double)n_suppressed / n_rows;
    const char *discernibility = strstr(manifest->bytes, "\"discernibility\": ");

    assert_non_null(discernibility);
    put_number(manifest,
               "\"discernibility\": ", strtod(strchr(discernibility, ' '), NULL) + (double)n_suppressed * n_rows);
    put_number(manifest, "\"ncp\": ", share);
    put_number(manifest, "\"name\": \"ail\",\n    \"value\": ", share);
    put_number(manifest, "\"ail\": ", share);
    put_number(manifest, "\n  \"rows\": ", n_rows); /* not those of files */
    put_number(manifest, "\"suppressed_rows\": ", n_suppressed);
}

void persons_suppress(const persons *t, const bool *hidden)
{
    covey_text links = COVEY_TEXT_INIT, manifest = COVEY_TEXT_INIT, facts = COVEY_TEXT_INIT;
    int class_of[PERSONS_MOST_ROWS], n_classes, n = 0;
    char of_table[65], of_manifest[65];
    size_t size;
    char *text;

    for (int i = 0; i < t->n; i++)
        n += !hidden[t->person[i]];
    persons_read_links(class_of, &n_classes, n);
    covey_i_text_add_string(&links, "row,class\n");
    for (int i = 0, of = 0; i < t->n; i++) {
        const int class = hidden[t->person[i]] ? 0 : class_of[of++];

        covey_i_text_add_format(&links, class > 0 ? "%d,%d\n" : "%d,\n", i + 1, class);
    }
    put("links", &links);
    text = csv_get_file(&size, csv_path("release/manifest.json"));
    covey_i_text_add_string(&manifest, text);
    free(text);
    state_suppressed(&manifest, t->n, t->n - n);
    put("release/manifest.json", &manifest);
    persons_write(t);
    hash_of(of_table, "table.csv");
    hash_of(of_manifest, "release/manifest.json");
    covey_i_text_add_format(&facts,
                            "{\"links\": 1, \"entity\": \"person\", \"within\": null, \"missing_is_own\": false, "
                            "\"manifest_sha256\": \"%s\", \"input_sha256\": \"%s\"}",
                            of_manifest, of_table);
    put("links.json", &facts);
}

bool persons_have_problem(const char *words)
{
    covey_verdict *verdict = persons_verify(true);
    bool found = false;

    for (size_t i = 0; verdict && i < verdict->n_problems; i++)
        found = found || strstr(verdict->problem[i], words);
    covey_verdict_free(verdict);
    return found;
}
