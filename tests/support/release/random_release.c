/* Making releases of random tables with awkward values. */
#include "test.h"

#include <covey/covey.h>

#include <string.h>

#include "base/csv_cell.h"
#include "base/file/folder.h"
#include "support/folder.h"
#include "support/release/random_release.h"

/* SplitMix64. */
static uint64_t next_word(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

unsigned random_below(uint64_t *state, unsigned n)
{
    return (unsigned)(next_word(state) % n);
}

static const char *const cities[] = {"Ulm", "Bonn", "Kiel, North", "{Jena}", "*", "Trier", "Köln", "a \"b\""};
static const char *const illnesses[] = {"flu", "cold", "gout", "asthma", "none"};

static void put_cell(covey_text *out, const char *text)
{
    if (out->size && out->bytes[out->size - 1] != '\n')
        covey_i_text_add_char(out, ',');
    covey_i_csv_add_cell(out, text, strlen(text), ',');
}

static void put_number(covey_text *out, int digits, double value)
{
    char text[32];

    snprintf(text, sizeof text, "%.*f", digits, value);
    put_cell(out, text);
}

/* age, zip, weight, city, born, illness, pay, note */
static void random_table(covey_text *out, uint64_t *state, unsigned n_rows, bool is_whole)
{
    covey_i_text_add_string(out, "age,zip,weight,city,born,illness,pay,note\n");
    for (unsigned i = 0; i < n_rows; i++) {
        char text[32];

        put_number(out, 0, 17 + random_below(state, 60));
        snprintf(text, sizeof text, "%c%02u", 'a' + (int)random_below(state, 3), random_below(state, 25));
        put_cell(out, text);
        put_number(out, 1, 50 + random_below(state, 400) / 10.0);
        put_cell(out, random_below(state, 12) || is_whole ? cities[random_below(state, 8)] : "");
        snprintf(text, sizeof text, "%u-%02u-15", 1960 + random_below(state, 20), 1 + random_below(state, 12));
        put_cell(out, random_below(state, 15) || is_whole ? text : "");
        put_cell(out, illnesses[random_below(state, 2) ? random_below(state, 5) : 0]);
        put_number(out, 2, 1000 + random_below(state, 30) * 50.5);
        put_cell(out, random_below(state, 2) ? "x" : "");
        covey_i_text_add_char(out, '\n');
    }
    assert_false(out->broken);
}

static void set(covey_policy *policy, const char *key, const char *value)
{
    covey_error err;

    if (covey_policy_set(policy, key, value, &err) != COVEY_OK)
        fail_msg("--%s %s: %s", key, value, err.message);
}

static void put_illness_tree(const release_folder *r)
{
    char path[340];

    snprintf(path, sizeof path, "%s.illness.csv", r->original);
    file_put(path, "gout;chronic;*\nasthma;chronic;*\nflu;acute;*\ncold;acute;*\nnone;none;*\ndropsy;chronic;*\n");
}

static void set_promises(covey_policy *policy, uint64_t *state, bool two)
{
    set(policy, "model", random_below(state, 2) ? "k-anonymity:k=2" : "k-anonymity:k=5");
    set(policy, "model", "basic-beta-likeness:beta=4,attribute=illness");
    if (two)
        set(policy, "model",
            random_below(state, 2) ? "distinct-l-diversity:l=2,joint=true" : "t-closeness:t=0.9,joint=true");
}

static void set_wish(covey_policy *policy, const release_folder *r, const random_wish *wish)
{
    char path[340];

    set(policy, "model", wish->model);
    if (!wish->is_alone)
        set(policy, "model", "k-anonymity:k=2");
    if (wish->order)
        set(policy, "order", wish->order);
    if (wish->has_tree) {
        snprintf(path, sizeof path, "illness=%s.illness.csv", r->original);
        set(policy, "hierarchy", path);
    }
    if (wish->hierarchy)
        set(policy, "hierarchy", wish->hierarchy);
    if (wish->suppression)
        set(policy, "suppression", wish->suppression);
}

/* The release takes the place of the folder. */
static covey_status anonymize(release_folder *r, uint64_t *state, const random_wish *wish)
{
    static const char *const methods[] = {"mondrian", "elastic"};
    covey_policy *policy = NULL;
    covey_anonymize_report report;
    covey_run run = {.n_threads = 2};
    covey_error err;
    covey_status status;
    bool two = wish ? wish->two : random_below(state, 2);

    put_illness_tree(r);
    assert_int_equal(covey_i_folder_remove(r->path, NULL), COVEY_OK);
    assert_int_equal(covey_policy_new(&policy, &err), COVEY_OK);
    set(policy, "input", r->original);
    set(policy, "quasi", "age,zip,weight,city,born");
    set(policy, "sensitive", two ? "illness,pay" : wish && wish->sensitive ? wish->sensitive : "illness");
    set(policy, "insensitive", two ? "note" : wish && wish->sensitive ? "note,illness" : "note,pay");
    if (random_below(state, 2) && !(wish && wish->is_bare))
        set(policy, "hierarchy", "zip={mask: 2}");
    if (random_below(state, 2))
        set(policy, "hierarchy", "age={interval: {from: 0, to: 99, widths: [5, 10, 20]}}");
    if (random_below(state, 2) && !(wish && wish->is_bare))
        set(policy, "hierarchy", "weight={balanced: 3}");
    if (random_below(state, 3) == 0)
        set(policy, "domain", "born=[1950-01-01, 1990-12-31]");
    set(policy, "weight", random_below(state, 2) ? "age=2" : "city=1/3");
    if (wish)
        set_wish(policy, r, wish);
    else
        set_promises(policy, state, two);
    set(policy, "method", wish && wish->method ? wish->method : methods[random_below(state, 2)]);
    if ((status = covey_policy_check(policy, &err)) == COVEY_OK)
        status = covey_anonymize(&report, policy, r->path, NULL, &run, &err);
    if (status == COVEY_OK)
        covey_anonymize_report_clear(&report);
    else if (status != COVEY_EINFEASIBLE)
        fail_msg("%s", err.message);
    covey_policy_free(policy);
    return status;
}

bool random_release(release_folder *r, uint64_t *state, const random_wish *wish)
{
    covey_text table = COVEY_TEXT_INIT;
    covey_status status;
    char path[340];

    release_begin(r);
    random_table(&table, state, 20 + random_below(state, 120), wish && wish->is_whole);
    release_original(r, table.bytes);
    covey_i_text_free(&table);
    status = anonymize(r, state, wish);
    snprintf(path, sizeof path, "%s.illness.csv", r->original);
    remove(path);
    if (status == COVEY_OK)
        release_read(r);
    return status == COVEY_OK;
}
