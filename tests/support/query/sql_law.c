/* Asking random questions of a release in both ways. */
#include "test.h"

#include <covey/covey.h>

#include <math.h>
#include <string.h>

#include "base/csv_cell.h"
#include "base/file/folder.h"
#include "base/text.h"
#include "support/query/sql_law.h"

void sql_rows_free(sql_rows *rows)
{
    for (int i = 0; i < rows->n_rows * rows->n_columns; i++)
        free(rows->cell[i]);
    free(rows->cell);
    *rows = (sql_rows){0};
}

/* ---- bucketized, transformed, perturbed and sliced releases ---- */

/* holes: pays may be missing; all of them are greater by an offset.  most: rows of a person; 0: there are none. */
static void put_bucket_table(const char *path, bool holes, double offset, unsigned most, uint64_t *state)
{
    static const char *const cities[] = {"Ulm", "Bonn", "Kiel, North", "a \"b\"", "O'Neill", ""};
    static const char *const counts[][4] = {
        {"1", "2", "3", "10"}, {"0.5", "2.25", "12", "3.75"}, {"9000000000", "1", "7", "20"}};
    const unsigned n = 12 + random_below(state, most ? 100 : 60), digits = random_below(state, 3),
                   weighing = random_below(state, 16) ? random_below(state, 2) : 2;
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fprintf(file, "%sage,city,born,note,stands,\"pay off\"\n", most ? "person," : "");
    for (unsigned i = 0, person = 0, left = 0; i < n; i++) {
        covey_text cell = COVEY_TEXT_INIT;
        const char *city =
            cities[i < 2 ? i : random_below(state, 6)]; /* policies name the first two, and the first row's date */

        covey_i_csv_add_cell(&cell, city, strlen(city), ',');
        if (most > 0 && left-- == 0) {
            person++;
            left = random_below(state, most);
        }
        if (most > 0)
            fprintf(file, "p%u,", person);
        fprintf(file, "%u,%s,%u-%02u-15,%s,", 20 + random_below(state, 12), cell.bytes ? cell.bytes : "",
                i == 0 ? 1971 : 1970 + random_below(state, 5), i == 0 ? 3 : 3 * (1 + random_below(state, 4)),
                random_below(state, 2) ? "x" : "");
        fprintf(file, "%s,", counts[weighing][random_below(state, 4)]);
        if (!holes || i == 0 || random_below(state, 8))
            fprintf(file, "%.*f", (int)digits, offset + (random_below(state, 40) - 5.0) * 1.25);
        fputc('\n', file);
        covey_i_text_free(&cell);
    }
    fclose(file);
}

static void set(covey_policy *policy, const char *key, const char *value)
{
    covey_error err;

    if (covey_policy_set(policy, key, value, &err) != COVEY_OK)
        fail_msg("--%s %s: %s", key, value, err.message);
}

/* A row stands for so many. */
static void weigh(covey_policy *policy)
{
    set(policy, "sampling-weight", "stands");
    set(policy, "publish", "stands=value");
}

/* Frees the policy; false: no release can keep it. */
static bool anonymize(release_folder *r, covey_policy *policy, const covey_run *run)
{
    covey_anonymize_report report;
    covey_error err;
    covey_status status = covey_policy_check(policy, &err);

    if (status == COVEY_OK)
        status = covey_anonymize(&report, policy, r->path, NULL, run, &err);
    covey_policy_free(policy);
    if (status == COVEY_OK)
        covey_anonymize_report_clear(&report);
    else if (status != COVEY_EINFEASIBLE)
        fail_msg("%s", err.message);
    return status == COVEY_OK;
}

/* No method on groups leaves rows out, but the format allows it. */
static void suppress(release_folder *r)
{
    char number[32];

    release_read(r);
    snprintf(number, sizeof number, "%lld", (long long)json_integer_value(release_at(r, "rows")) + 2);
    release_set(r, "rows", number);
    release_set(r, "suppressed_rows", "2");
    release_write(r);
}

static bool bucketized_release(release_folder *r, uint64_t *state)
{
    static const char *const method[] = {"anatomy", "ke-permutation", "ke-permutation", "distribution", "distribution"};
    static const char *const model[] = {"distinct-l-diversity:l=2", "ke-anonymity:k=2,e=1", "ke-anonymity:k=2,e=1",
                                        "p-private", "p-private"};
    static const char *const targets[] = {"uniform", "source", "{zipf: {s: 1}}"};
    const unsigned kind = random_below(state, 5);
    covey_policy *policy = NULL;
    bool is_made;

    release_begin(r);
    snprintf(r->original, sizeof r->original, "%s.csv", r->path);
    put_bucket_table(r->original, false, 0, 0, state);
    assert_int_equal(covey_i_folder_remove(r->path, NULL), COVEY_OK);
    assert_int_equal(covey_policy_new(&policy, NULL), COVEY_OK);
    set(policy, "input", r->original);
    set(policy, "quasi", kind == 4 ? "age,born" : "age,city,born");
    set(policy, "sensitive", kind == 4 ? "city" : "pay off");
    set(policy, "insensitive", kind == 4 ? "note,pay off" : "note");
    weigh(policy);
    set(policy, "model", model[kind]);
    set(policy, "method", method[kind]);
    if (kind >= 3) {
        const bool by_city = kind == 3 && random_below(state, 2);

        set(policy, "groups", by_city ? "{by: [city]}" : "{by: [born]}");
        set(policy, "target", targets[random_below(state, 2 + (kind == 3))]);
        set(policy, "fakes", random_below(state, 2) ? "0" : "2");
        if (random_below(state, 2))
            set(policy, "targets",
                by_city ? "[{group: {city: Ulm}, target: source}, {group: {city: Bonn}, target: uniform}]"
                        : "[{group: {born: 1971-03-15}, target: source}]");
        if (kind == 4) {
            set(policy, "hierarchy", "city={balanced: 2}");
            set(policy, "missing-sensitive", "drop");
        }
    }
    is_made = anonymize(r, policy, NULL);
    if (is_made && kind < 3 && random_below(state, 4) == 0)
        suppress(r);
    return is_made;
}

/* Makes the first value one that is never kept: methods never do that, but it can be computed back. */
static void keep_never(release_folder *r)
{
    char *lines = release_get(r, "perturbation.csv"), *end = strchr(strchr(lines, '\n') + 1, '\n');
    covey_text changed = COVEY_TEXT_INIT;
    const char *alpha = end;

    while (alpha[-1] != ',')
        alpha--;
    covey_i_text_add(&changed, lines, (size_t)(alpha - lines));
    covey_i_text_add_char(&changed, '0');
    covey_i_text_add_string(&changed, end);
    release_put(r, "perturbation.csv", changed.bytes);
    covey_i_text_free(&changed);
    free(lines);
    release_read(r);
    release_write(r);
}

static bool perturbed_release(release_folder *r, uint64_t *state)
{
    static const char *const sensitive[] = {"pay off", "pay off", "city", "born"};
    static const char *const quasi[] = {"age,city,born", "age,city,born", "age,born,pay off", "age,city,pay off"};
    const unsigned kind = random_below(state, 4);
    const covey_run run = {
        .has_seed = true,
        .seed = random_below(state, 1u << 30)}; /* the same questions are asked in every run of the test */
    covey_policy *policy = NULL;
    bool is_made;

    release_begin(r);
    snprintf(r->original, sizeof r->original, "%s.csv", r->path);
    put_bucket_table(r->original, random_below(state, 2), random_below(state, 4) ? 0 : 1e6, 0, state);
    assert_int_equal(covey_i_folder_remove(r->path, NULL), COVEY_OK);
    assert_int_equal(covey_policy_new(&policy, NULL), COVEY_OK);
    set(policy, "input", r->original);
    set(policy, "quasi", quasi[kind]);
    set(policy, "sensitive", sensitive[kind]);
    set(policy, "insensitive", "note");
    weigh(policy);
    set(policy, "model", random_below(state, 2) ? "enhanced-beta-likeness:beta=3" : "basic-beta-likeness:beta=1");
    set(policy, "method", "perturbation");
    set(policy, "missing-sensitive", random_below(state, 3) ? "value" : "drop");
    is_made = anonymize(r, policy, &run);
    if (is_made && random_below(state, 4) == 0)
        keep_never(r);
    return is_made;
}

/* Columns are found, or are these; rows may be suppressed, and be those of persons. */
static bool sliced_release(release_folder *r, uint64_t *state)
{
    static const char *const columns[] = {
        "found",
        "[[age, city], [born, note, stands, 'pay off']]",
        "[[age], [city, note], [born, stands], ['pay off']]",
        "[[city, born], [age, 'pay off'], [note, stands]]",
    };
    const covey_run run = {.has_seed = true, .seed = random_below(state, 1u << 30)};
    const bool may_suppress = random_below(state, 2), has_persons = random_below(state, 3) == 0;
    covey_policy *policy = NULL;
    bool is_made;

    release_begin(r);
    snprintf(r->original, sizeof r->original, "%s.csv", r->path);
    put_bucket_table(r->original, random_below(state, 2), 0, has_persons ? 3 : 0, state);
    assert_int_equal(covey_i_folder_remove(r->path, NULL), COVEY_OK);
    assert_int_equal(covey_policy_new(&policy, NULL), COVEY_OK);
    set(policy, "input", r->original);
    set(policy, "quasi", "age,city,born,note");
    weigh(policy);
    if (has_persons)
        set(policy, "entity", "person");
    set(policy, "sensitive", "pay off");
    set(policy, "model", random_below(state, 2) ? "sliced-l-diversity:l=2" : "sliced-l-diversity:l=4");
    set(policy, "method", "slicing");
    set(policy, "columns", columns[has_persons ? 2 * random_below(state, 2) : random_below(state, 4)]);
    set(policy, "anatomize", random_below(state, 2) ? "true" : "false");
    /* a person some of whose rows are dropped is refused */
    set(policy, "missing-sensitive", random_below(state, 3) || has_persons ? "value" : "drop");
    set(policy, "suppression", may_suppress ? "0.3" : "0");
    is_made = anonymize(r, policy, &run);
    if (is_made && !may_suppress && random_below(state, 2))
        suppress(r);
    return is_made;
}

bool sql_law_release(release_folder *r, uint64_t *state, sql_law_form form)
{
    static const random_wish suppressing = {.model = "entropy-l-diversity:l=3,attribute=illness", .suppression = "0.3"};
    static const random_wish two = {.model = "distinct-l-diversity:l=2,joint=true", .two = true, .suppression = "0.2"};

    if (form == SQL_LAW_BUCKETIZED)
        return bucketized_release(r, state);
    if (form != SQL_LAW_GENERALIZED)
        return form == SQL_LAW_PERTURBED ? perturbed_release(r, state) : sliced_release(r, state);
    return random_release(r, state, random_below(state, 4) ? NULL : random_below(state, 2) ? &suppressing : &two);
}

/* ---- questions ---- */

/* What may be asked of a release. */
struct questions {
    bool bucketized, has_targets, of_cities;
    bool by_rows; /* perturbed or sliced */
    bool is_sliced, has_persons;
    unsigned sensitive; /* then: place in bucketized_pools */
    size_t n_expected;  /* columns of expected values per aggregate, in SQL */
};

struct pool {
    const char *name;         /* as SQL writes it */
    const char *const *value; /* likewise */
    size_t n;
};

static const char *const ages[] = {"30", "17", "45.5", "60", "22", "25", "29", "'[20, 29]'", "'[30, 40)'", "100", "-3"};
static const char *const zips[] = {"'a00'", "'a**'", "'b1*'", "'c24'", "'zz'", "'***'",
                                   "'b10'", "'b**'", "'c0*'", "'a1*'", "'*'"};
static const char *const weights[] = {"50", "61.5", "70.05", "88.8", "1000", "'55.5..70.2'", "'61.5..61.5'"};
static const char *const cities[] = {"'Ulm'",         "'Bonn'",    "'Kiel, North'", "'{Jena}'", "'*'",
                                     "'K\xc3\xb6ln'", "'a \"b\"'", "'O''Neill'",    "'none'"};
static const char *const births[] = {"'1960-01-15'", "'1969-12-31'", "'1971-03-15'", "'1974-06-15'",
                                     "'1990-01-01'", "'1971'",       "'1972-Q2'",    "'1970s'"};
static const char *const illnesses[] = {"'flu'", "'gout'", "'none'", "'plague'"};
static const char *const pays[] = {"1000", "1151.5", "1700", "2400.25", "0"};
static const char *const notes[] = {"'x'", "'y'"};
static const char *const offs[] = {"0", "1.25", "10", "-2.5", "33.3"};

#define POOL(sql, list)                                                                                                \
    {                                                                                                                  \
        sql, list, sizeof(list) / sizeof *(list)                                                                       \
    }
static const struct pool generalized_pools[] = {
    POOL("age", ages),    POOL("zip", zips),   POOL("weight", weights), POOL("city", cities),
    POOL("born", births), POOL("note", notes), POOL("pay", pays),       POOL("illness", illnesses)};
static const struct pool bucketized_pools[] = {POOL("age", ages), POOL("city", cities), POOL("born", births),
                                               POOL("note", notes), POOL("\"pay off\"", offs)};

static const char *pick(const struct pool *pool, uint64_t *state)
{
    return pool->value[random_below(state, (unsigned)pool->n)];
}

static void add_test(covey_text *sql, const struct pool *pool, uint64_t *state)
{
    static const char *const operators[] = {"=", "<>", "<", "<=", ">", ">="};
    const char *negation = random_below(state, 4) ? "" : "NOT ";

    switch (random_below(state, 6)) {
    case 0:
        covey_i_text_add_format(sql, "%s IS %sNULL", pool->name, negation);
        break;
    case 1:
        covey_i_text_add_format(sql, "%s %sBETWEEN %s AND %s", pool->name, negation, pick(pool, state),
                                pick(pool, state));
        break;
    case 2:
        covey_i_text_add_format(sql, "%s %sIN (%s, %s, %s)", pool->name, negation, pick(pool, state), pick(pool, state),
                                pick(pool, state));
        break;
    default:
        covey_i_text_add_format(sql, "%s %s %s", pool->name, operators[random_below(state, 6)], pick(pool, state));
        break;
    }
}

static void add_condition(covey_text *sql, const struct pool *pools, unsigned n_pools, int depth, uint64_t *state)
{
    const unsigned n = 2 + random_below(state, 2);
    const char *joint = random_below(state, 2) ? " AND " : " OR ";

    if (depth == 0 || random_below(state, 4) == 0) {
        add_test(sql, &pools[random_below(state, n_pools)], state);
        return;
    }
    covey_i_text_add_string(sql, random_below(state, 4) ? "(" : "NOT (");
    for (unsigned i = 0; i < n; i++) {
        covey_i_text_add_string(sql, i ? joint : "");
        add_condition(sql, pools, n_pools, depth - 1, state);
    }
    covey_i_text_add_char(sql, ')');
}

/* Where cities are sensitive: a condition on them goes with COUNT only. */
static const struct pool city_pools[] = {POOL("age", ages), POOL("born", births), POOL("note", notes),
                                         POOL("city", cities)};

/* A question in which rows count by their weights, beside others. */
static void add_weighted(covey_text *sql, const char *number, bool is_sliced, uint64_t *state)
{
    const unsigned kind = random_below(state, 4);

    if (is_sliced && kind == 0) /* known where both stand in one column */
        covey_i_text_add_format(sql, "SELECT COUNT(*), SUM(stands * %s), SUM(%s)", number, number);
    else if (is_sliced)
        covey_i_text_add_format(sql, "SELECT SUM(stands), COUNT(*), MIN(stands), SUM(%s)", number);
    else if (kind == 0)
        covey_i_text_add_format(sql, "SELECT SUM(stands), SUM(stands * %s), SUM(%s)", number, number);
    else if (kind == 1)
        covey_i_text_add_format(sql, "SELECT SUM(%s * stands) / SUM(stands), COUNT(*), SUM(%s * stands)", number,
                                number);
    else if (kind == 2)
        covey_i_text_add_format(sql, "SELECT AVG(%s), SUM(stands * %s) / SUM(stands), MAX(%s), SUM(stands * age)",
                                number, number, number);
    else
        covey_i_text_add_format(sql, "SELECT SUM(stands * stands), AVG(stands), SUM(stands * %s)", number);
}

static void make_question_of_rows(covey_text *sql, const struct questions *kind, uint64_t *state)
{
    enum { N = 5 };
    struct pool pools[N];
    const unsigned n_hidden = random_below(state, 3) ? 1 : 0;
    const char *number = random_below(state, 4) ? "\"pay off\"" : "age";

    /* The sensitive column stands last. */
    memcpy(pools, bucketized_pools, sizeof pools);
    pools[kind->sensitive] = bucketized_pools[N - 1];
    pools[N - 1] = bucketized_pools[kind->sensitive];
    covey_i_text_clear(sql);
    if (kind->has_persons && random_below(state, 3))
        covey_i_text_add_format(sql, "SELECT COUNT(DISTINCT entity), COUNT(*)%s",
                                n_hidden ? ", COUNT(DISTINCT entity), MAX(born)" : "");
    else if (n_hidden == 0)
        covey_i_text_add_string(sql, random_below(state, 4) ? "SELECT COUNT(*)" : "SELECT COUNT(*), COUNT(*)");
    else if (random_below(state, 3) == 0)
        add_weighted(sql, number, kind->is_sliced, state);
    else if (random_below(state, 2))
        covey_i_text_add_format(sql, "SELECT COUNT(*), SUM(%s), AVG(%s), MIN(%s), MAX(%s)", number, number, number,
                                number);
    else
        covey_i_text_add_format(sql, "SELECT MAX(born), AVG(%s), SUM(age), SUM(\"pay off\"), MIN(born)", number);
    if (random_below(state, 8)) {
        covey_i_text_add_string(sql, " WHERE ");
        add_condition(sql, pools, N - n_hidden, (int)random_below(state, 4), state);
    }
    if (random_below(state, 4) == 0)
        covey_i_text_add_format(sql, " GROUP BY %s%s", pools[random_below(state, 2)].name,
                                random_below(state, 2) ? ", born" : "");
    assert_false(sql->broken);
}

static void make_question(covey_text *sql, const struct questions *kind, uint64_t *state)
{
    const bool bucketized = kind->bucketized;
    const char *number = bucketized ? random_below(state, 4) && !kind->of_cities ? "\"pay off\"" : "age" : "pay";
    /* The sensitive columns stand last. */
    const unsigned n_pools = kind->of_cities ? 4
                             : bucketized    ? 5
                                             : 8,
                   n_hidden = random_below(state, 3) ? (bucketized ? 1 : 2) : 0;

    covey_i_text_clear(sql);
    if (n_hidden == 0)
        covey_i_text_add_string(sql, "SELECT COUNT(*)");
    else if (bucketized && random_below(state, 3) == 0)
        add_weighted(sql, number, false, state);
    else
        covey_i_text_add_format(sql, "SELECT COUNT(*), SUM(%s), AVG(%s), MIN(%s), MAX(%s)%s", number, number, number,
                                number, bucketized && random_below(state, 3) == 0 ? ", MAX(born)" : "");
    if (random_below(state, 8)) {
        covey_i_text_add_string(sql, " WHERE ");
        add_condition(sql,
                      kind->of_cities ? city_pools
                      : bucketized    ? bucketized_pools
                                      : generalized_pools,
                      n_pools - n_hidden, (int)random_below(state, 3), state);
    }
    if (random_below(state, 6) == 0)
        covey_i_text_add_string(sql, random_below(state, 2) && !kind->of_cities ? " GROUP BY city"
                                     : kind->of_cities                          ? " GROUP BY age"
                                     : bucketized                               ? " GROUP BY age, city"
                                     : sql->size % 2                            ? " GROUP BY note, zip"
                                                                                : " GROUP BY zip");
    assert_false(sql->broken);
}

/* ---- comparing ---- */

static void compare_bound(const char *question, const char *sql, const covey_query_answer *answer,
                          const covey_query_bound *bound, const char *cell)
{
    bool same = bound->exists == (cell != NULL);

    if (same && cell && answer->is_date)
        same = strcmp(bound->text, cell) == 0;
    else if (same && cell)
        same = fabs(strtod(bound->text, NULL) - strtod(cell, NULL)) <= 1e-11 * fmax(1, fabs(strtod(cell, NULL)));
    if (!same)
        fail_msg("%s\n%s: a bound is %s, in SQL %s\n%s", question, answer->aggregate,
                 bound->exists ? bound->text : "NULL", cell ? cell : "NULL", sql);
}

static bool same_key(const char *key, const char *cell, bool is_number)
{
    if (!key || !cell)
        return !key && !cell;
    return is_number ? strtod(key, NULL) == strtod(cell, NULL) : strcmp(key, cell) == 0;
}

/* The row of a group; without GROUP BY the only one. */
static char *const *find_row(const covey_query_result *result, const covey_query_group *group, const sql_rows *rows)
{
    for (int row = 0; row < rows->n_rows; row++) {
        char *const *cell = &rows->cell[row * rows->n_columns];
        bool same = true;

        for (size_t k = 0; k < result->n_keys; k++)
            same &= same_key(group->key[k], cell[k], result->key_is_number[k]);
        if (same)
            return cell;
    }
    return NULL;
}

/* Expected values stand behind all bounds, in the same order; MIN, MAX and COUNT(DISTINCT) have none. */
static bool is_expected(const covey_query_answer *answer)
{
    return strncmp(answer->aggregate, "MIN", 3) != 0 && strncmp(answer->aggregate, "MAX", 3) != 0 &&
           !strstr(answer->aggregate, "DISTINCT");
}

/* Variances, which are differences of large sums: of their roots nothing could be said near 0. */
static void compare_error(const char *question, const char *sql, const covey_query_answer *answer, const char *cell)
{
    const double own = pow(answer->standard_error, 2), other = cell ? pow(strtod(cell, NULL), 2) : NAN;

    if (cell ? !(fabs(own - other) <= 1e-7 * fmax(1, own)) : !isnan(own))
        fail_msg("%s\n%s: an error of %.17g is stated, in SQL %s\n%s", question, answer->aggregate,
                 answer->standard_error, cell ? cell : "NULL", sql);
}

/* n_expected: 1 the expected value, 2 its error, too. */
static void compare_estimates(const char *question, const char *sql, const covey_query_group *group, size_t n_answers,
                              size_t n_expected, char *const *cell)
{
    for (size_t i = 0, at = 0; i < n_answers; i++) {
        const covey_query_answer *answer = &group->answer[i];

        if (!is_expected(answer))
            continue;
        if (n_expected == 2)
            compare_error(question, sql, answer, cell[at + 1]);
        if (cell[at] ? !(fabs(answer->estimate - strtod(cell[at], NULL)) <= 1e-9 * fmax(1, fabs(answer->estimate)))
                     : !isnan(answer->estimate))
            fail_msg("%s\n%s: %.17g is expected, in SQL %s\n%s", question, answer->aggregate, answer->estimate,
                     cell[at] ? cell[at] : "NULL", sql);
        at += n_expected;
    }
}

static void compare(const char *question, const char *sql, const covey_query_result *result, const sql_rows *rows,
                    size_t n_each)
{
    size_t n_expected = 0;

    for (size_t i = 0; i < result->n_answers && result->n_groups > 0; i++)
        n_expected += is_expected(&result->group->answer[i]) ? n_each : 0;
    if ((int)result->n_groups != rows->n_rows ||
        (rows->n_rows > 0 && (int)(result->n_keys + 2 * result->n_answers + n_expected) != rows->n_columns))
        fail_msg("%s: %zu groups of %zu answers, in SQL %d rows of %d columns\n%s", question, result->n_groups,
                 result->n_answers, rows->n_rows, rows->n_columns, sql);
    for (size_t g = 0; g < result->n_groups; g++) {
        char *const *cell = find_row(result, &result->group[g], rows);

        if (!cell)
            fail_msg("%s: a group is not there in SQL\n%s", question, sql);
        for (size_t i = 0; i < result->n_answers; i++) {
            const covey_query_answer *answer = &result->group[g].answer[i];

            compare_bound(question, sql, answer, &answer->lower, cell[result->n_keys + 2 * i]);
            compare_bound(question, sql, answer, &answer->upper, cell[result->n_keys + 2 * i + 1]);
        }
        if (n_each > 0)
            compare_estimates(question, sql, &result->group[g], result->n_answers, n_each,
                              cell + result->n_keys + 2 * result->n_answers);
    }
}

static void find_kind(struct questions *kind, const release_folder *r)
{
    static const char *const names[] = {"age", "city", "born", "note", "pay off"};
    release_folder read = *r;

    read.manifest = NULL;
    release_read(&read);
    kind->has_persons = json_is_object(json_object_get(read.manifest, "entity"));
    kind->has_targets = strcmp(json_string_value(release_at(&read, "form")), "transformed") == 0;
    for (size_t i = 0; i < json_array_size(release_at(&read, "columns")); i++) {
        const json_t *column = json_array_get(release_at(&read, "columns"), i);

        if (strcmp(json_string_value(json_object_get(column, "role")), "sensitive") != 0)
            continue;
        kind->of_cities |= strcmp(json_string_value(json_object_get(column, "name")), "city") == 0;
        for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
            if (strcmp(json_string_value(json_object_get(column, "name")), names[n]) == 0)
                kind->sensitive = n;
    }
    json_decref(read.manifest);
}

void sql_law_check(sql_law_counts *counts, const release_folder *r, sql_database *database, sql_law_form form,
                   uint64_t *state, int n_questions)
{
    const covey_export_options options = {.force = true};
    struct questions kind = {.bucketized = form == SQL_LAW_BUCKETIZED,
                             .by_rows = form == SQL_LAW_PERTURBED || form == SQL_LAW_SLICED,
                             .is_sliced = form == SQL_LAW_SLICED,
                             .n_expected = form == SQL_LAW_PERTURBED ? 2 : form != SQL_LAW_GENERALIZED};
    covey_query_release *release = NULL;
    covey_text question = COVEY_TEXT_INIT;
    covey_error err;

    if (covey_export(NULL, r->path, database->target, &options, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    if (database->reopen)
        database->reopen(database);
    if (covey_query_open(&release, r->path, NULL, &err) != COVEY_OK)
        fail_msg("%s", err.message);
    find_kind(&kind, r);
    for (int i = 0; i < n_questions; i++) {
        covey_query_result *result = NULL;
        char *sql = NULL;

        if (kind.by_rows)
            make_question_of_rows(&question, &kind, state);
        else
            make_question(&question, &kind, state);
        if (covey_query_run(&result, release, question.bytes, NULL, &err) != COVEY_OK) {
            assert_int_equal(err.status, COVEY_EINVAL);
            continue;
        }
        counts->asked++;
        if (covey_query_sql(&sql, release, question.bytes, database->dialect, &err) == COVEY_OK) {
            sql_rows rows = database->run(database->handle, sql);

            compare(question.bytes, sql, result, &rows, kind.n_expected);
            sql_rows_free(&rows);
            counts->rewritten++;
            counts->weighted += strstr(question.bytes, "stands") != NULL;
            counts->grouped += result->is_grouped;
            counts->of_persons += strstr(question.bytes, "DISTINCT") != NULL;
            counts->hidden += (kind.has_targets || kind.by_rows) &&
                              strstr(question.bytes, bucketized_pools[kind.sensitive].name) &&
                              !strstr(question.bytes, "SUM(");
        } else {
            assert_int_equal(err.status, COVEY_EINVAL);
            counts->beyond += strstr(err.message, "SQLite cannot hold") != NULL;
        }
        covey_query_sql_free(sql);
        covey_query_result_free(result);
    }
    covey_query_close(release);
    covey_i_text_free(&question);
}
