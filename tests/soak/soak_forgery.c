/* Releases as they were made, and with forged manifests. */
#include "soak.h"

#include <string.h>

#include "prover.h"

void soak_releases(soak_case *c)
{
    char why[300];

    if (!soak_release(c))
        return;
    release_assert_holds(&c->r, false);
    release_assert_holds(&c->r, true);
    switch (prove_release(why, sizeof why, c->r.path)) {
    case PROOF_HOLDS:
        soak_count("proven");
        break;
    case PROOF_OPEN:
        soak_count("not-judged");
        break;
    case PROOF_BROKEN:
        soak_fail(c, "the prover refutes it: %s", why);
    }
}

/* --- forgers: each changes the manifest --- */

/* What verification must say of it. */
typedef enum expected { WHATEVER_THE_PROVER_ALLOWS, REFUSED, REFUSED_AND_REFUTED, HELD_IF_PROVEN } expected;

static json_t *random_promise(soak_case *c)
{
    json_t *promises = json_object_get(c->r.manifest, "promises");

    return json_array_get(promises, soak_below(c, (uint32_t)json_array_size(promises)));
}

/* A parameter of a promise, and what the threshold says of it. */
static void set_threshold(json_t *promise, const char *name, const char *text)
{
    json_t *threshold = json_object_get(promise, "threshold");
    json_t *value = strchr(text, '/') ? json_string(text) : json_integer(strtoll(text, NULL, 10));

    json_object_set_new(json_object_get(promise, "parameters"), name, json_string(text));
    if (json_is_object(threshold))
        json_object_set_new(threshold, name, value);
    else
        json_object_set_new(promise, "threshold", value);
}

/* Another number for one of a promise's parameters. */
static expected claim_another_threshold(soak_case *c)
{
    json_t *promise = random_promise(c), *params = json_object_get(promise, "parameters"), *value;
    const char *key, *name = NULL;
    uint32_t i = 0;
    const uint32_t which = soak_below(c, json_object_size(params) ? (uint32_t)json_object_size(params) : 1);
    char text[32];

    json_object_foreach(params, key, value)
    {
        if (i++ == which)
            name = key;
    }
    value = name ? json_object_get(params, name) : NULL;
    if (!value || !json_is_string(value) || strcspn(json_string_value(value), "0123456789") > 0)
        return WHATEVER_THE_PROVER_ALLOWS;
    if (strpbrk(json_string_value(value), "./") || soak_below(c, 4) == 0)
        snprintf(text, sizeof text, "%u/%u", 1 + soak_below(c, 30), 1 + soak_below(c, 8));
    else
        snprintf(text, sizeof text, "%lld",
                 llabs(strtoll(json_string_value(value), NULL, 10) + (long long)soak_below(c, 6) - 2));
    set_threshold(promise, name, text);
    return WHATEVER_THE_PROVER_ALLOWS;
}

/* Exactly what is achieved, or a trifle more: of a model whose figure is its threshold. */
static expected claim_what_is_achieved(soak_case *c)
{
    static const struct {
        const char *model, *param;
        int better;
    } models[] = {{"k-anonymity", "k", 1},
                  {"distinct-l-diversity", "l", 1},
                  {"p-sensitive-k-anonymity", "p", 1},
                  {"probabilistic-l-diversity", "l", 1},
                  {"alpha-k-anonymity", "alpha", -1},
                  {"t-closeness", "t", -1},
                  {"basic-beta-likeness", "beta", -1},
                  {"enhanced-beta-likeness", "beta", -1}};
    json_t *promise = random_promise(c), *achieved = json_object_get(promise, "achieved");
    const char *model = json_string_value(json_object_get(promise, "model")), *text = json_string_value(achieved);
    const bool more = soak_below(c, 2);
    const char *k_text = json_string_value(json_object_get(json_object_get(promise, "parameters"), "k"));
    const long long k = k_text ? strtoll(k_text, NULL, 10) : 0;
    long long num = json_integer_value(achieved), den = 1;
    char threshold[64];
    size_t m = 0;

    if (!model)
        return WHATEVER_THE_PROVER_ALLOWS;
    while (m < sizeof models / sizeof *models && strcmp(models[m].model, model) != 0)
        m++;
    if (m == sizeof models / sizeof *models ||
        (!json_is_integer(achieved) && (!text || sscanf(text, "%lld/%lld", &num, &den) < 1)))
        return WHATEVER_THE_PROVER_ALLOWS;
    if (strcmp(model, "p-sensitive-k-anonymity") == 0 && num + more > k) /* no policy may ask for that */
        return WHATEVER_THE_PROVER_ALLOWS;
    if (num > 100000 || den > 1000000 || (models[m].better < 0 && num == 0))
        return WHATEVER_THE_PROVER_ALLOWS;
    if (json_is_integer(achieved))
        snprintf(threshold, sizeof threshold, "%lld", num + more);
    else
        snprintf(threshold, sizeof threshold, "%lld/%lld", num * 1000 + (more ? models[m].better : 0), den * 1000);
    set_threshold(promise, models[m].param, threshold);
    soak_count(more ? "a-trifle-more" : "the-achieved");
    return more ? REFUSED_AND_REFUTED : HELD_IF_PROVEN;
}

static expected claim_another_distance(soak_case *c)
{
    static const char *const distances[] = {"equal", "ordered", "numeric", "hierarchical", "kl", "js"};
    json_t *params = json_object_get(random_promise(c), "parameters");

    if (json_object_get(params, "distance"))
        json_object_set_new(params, "distance", json_string(distances[soak_below(c, 6)]));
    return WHATEVER_THE_PROVER_ALLOWS;
}

static json_t *random_prior(soak_case *c)
{
    json_t *prior = json_object_get(c->r.manifest, "prior"), *counts = NULL;
    const char *key;

    json_object_foreach(prior, key, counts)
    {
        if (soak_below(c, 2))
            break;
    }
    return counts;
}

/* A count goes up or down, and perhaps another the other way; or the rows with it. */
static expected claim_another_prior(soak_case *c)
{
    static const json_int_t steps[] = {1, -1, 5, 100, 4294967296, 9000000000000000000};
    json_t *counts = random_prior(c), *value;
    const json_int_t step = steps[soak_below(c, 6)];
    const uint32_t from = soak_below(c, (uint32_t)json_object_size(counts) + 1),
                   to = soak_below(c, (uint32_t)json_object_size(counts) + 1);
    const bool grows = soak_below(c, 2);
    const char *key;
    uint32_t i = 0;
    void *next;

    json_object_foreach_safe(counts, next, key, value)
    {
        if (i == from)
            json_object_set_new(counts, key,
                                json_integer((json_int_t)((uint64_t)json_integer_value(value) + (uint64_t)step)));
        else if (i == to && !grows)
            json_object_set_new(counts, key, json_integer(json_integer_value(value) - (step < 1000 ? step : 0)));
        i++;
    }
    if (counts && grows && from < i)
        for (int n = 0; n < 2; n++) {
            const char *name = n ? "suppressed_rows" : "rows";

            json_object_set_new(
                c->r.manifest, name,
                json_integer(
                    (json_int_t)((uint64_t)json_integer_value(json_object_get(c->r.manifest, name)) + (uint64_t)step)));
        }
    return WHATEVER_THE_PROVER_ALLOWS;
}

static expected claim_another_count(soak_case *c)
{
    static const char *const counts[] = {"rows", "published_rows", "suppressed_rows", "classes"};
    const char *name = counts[soak_below(c, 4)];

    json_object_set_new(c->r.manifest, name,
                        json_integer(json_integer_value(json_object_get(c->r.manifest, name)) + 1 + soak_below(c, 3)));
    return REFUSED;
}

static expected claim_a_better_figure(soak_case *c)
{
    static const char *const figures[] = {"discernibility", "average_class_size", "largest_risk", "mean_risk"};
    json_t *utility = json_object_get(c->r.manifest, "utility"), *promise = random_promise(c),
           *achieved = json_object_get(promise, "achieved");
    const char *name = figures[soak_below(c, 4)];
    const bool is_whole = json_is_integer(achieved);

    if (soak_below(c, 2) && json_is_number(json_object_get(utility, name)) &&
        json_number_value(json_object_get(utility, name)) > 0) {
        json_object_set_new(utility, name, json_real(json_number_value(json_object_get(utility, name)) * 0.9));
        return REFUSED;
    }
    json_object_set_new(promise, "achieved",
                        is_whole ? json_integer(json_integer_value(achieved) + 1) : json_string("1/1000"));
    return is_whole ? REFUSED : WHATEVER_THE_PROVER_ALLOWS;
}

static expected claim_another_domain(soak_case *c)
{
    json_t *columns = json_object_get(c->r.manifest, "columns"), *domain;

    domain = json_object_get(json_array_get(columns, soak_below(c, (uint32_t)json_array_size(columns))), "domain");
    if (json_is_integer(json_array_get(domain, 0))) {
        const size_t end = soak_below(c, 2);

        json_array_set_new(
            domain, end,
            json_integer(json_integer_value(json_array_get(domain, end)) + (json_int_t)soak_below(c, 40) - 20));
    }
    return WHATEVER_THE_PROVER_ALLOWS;
}

static expected claim_a_preset(soak_case *c)
{
    static const char *const presets[] = {"cms11", "ema9", "ipc-low", "ipc-medium", "ipc-high", "koala"};
    const char *name = presets[soak_below(c, 6)];

    json_object_set_new(c->r.manifest, "presets", json_pack("[s]", name));
    return strcmp(name, "koala") == 0 ? REFUSED : WHATEVER_THE_PROVER_ALLOWS;
}

/* The order of a text, its missing cells, or its kind. */
static expected claim_another_column(soak_case *c)
{
    json_t *columns = json_object_get(c->r.manifest, "columns");
    json_t *column = json_array_get(columns, soak_below(c, (uint32_t)json_array_size(columns))),
           *order = json_object_get(column, "order");

    if (json_array_size(order) > 1) {
        json_t *first = json_incref(json_array_get(order, 0));

        json_array_remove(order, 0);
        json_array_append_new(order, first);
    } else if (soak_below(c, 2)) {
        json_object_set_new(column, "has_missing", json_boolean(soak_below(c, 2)));
    } else {
        json_object_set_new(column, "type", json_string(soak_below(c, 2) ? "text" : "integer"));
    }
    return WHATEVER_THE_PROVER_ALLOWS;
}

/* Any value of the manifest, which may be far down, becomes something that nobody expects there. */
static expected claim_nonsense(soak_case *c)
{
    static const char *const values[] = {"null",
                                         "-1",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "1e308",
                                         "\"\"",
                                         "\"x\"",
                                         "[]",
                                         "{}",
                                         "true",
                                         "0",
                                         "[[[[1]]]]",
                                         "\"1/0\"",
                                         "\"99999999999999999999/7\"",
                                         "4294967296",
                                         "0.1",
                                         "\"-5\"",
                                         "\"{{\"",
                                         "\"table.csv\"",
                                         "\"../../etc/passwd\""};
    json_t *at = c->r.manifest, *parent = NULL, *value;
    const char *key = NULL;
    size_t index = 0;

    do {
        if (json_is_object(at) && json_object_size(at)) {
            void *iterator = json_object_iter(at);

            for (uint32_t skip = soak_below(c, (uint32_t)json_object_size(at)); skip > 0; skip--)
                iterator = json_object_iter_next(at, iterator);
            parent = at;
            key = json_object_iter_key(iterator);
            at = json_object_iter_value(iterator);
        } else if (json_is_array(at) && json_array_size(at)) {
            parent = at;
            index = soak_below(c, (uint32_t)json_array_size(at));
            at = json_array_get(at, index);
        } else {
            break;
        }
    } while (soak_below(c, 5));
    value = json_loads(values[soak_below(c, sizeof values / sizeof *values)], JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    if (json_is_array(parent))
        json_array_set_new(parent, index, value);
    else
        json_object_set_new(parent, key, value);
    return WHATEVER_THE_PROVER_ALLOWS;
}

static const struct forger {
    const char *claim;
    expected (*forge)(soak_case *c);
    uint32_t often;
} forgers[] = {{"another threshold", claim_another_threshold, 4}, {"what is achieved", claim_what_is_achieved, 4},
               {"another distance", claim_another_distance, 1},   {"another prior", claim_another_prior, 2},
               {"another count", claim_another_count, 1},         {"a better figure", claim_a_better_figure, 1},
               {"another domain", claim_another_domain, 1},       {"a preset", claim_a_preset, 1},
               {"another column", claim_another_column, 1},       {"nonsense", claim_nonsense, 2}};

static expected forge(soak_case *c)
{
    uint32_t i = 0, skip = soak_below(c, 18);

    for (; skip >= forgers[i].often; i++)
        skip -= forgers[i].often;
    snprintf(c->what + strlen(c->what), sizeof c->what - strlen(c->what), ", %s", forgers[i].claim);
    return forgers[i].forge(c);
}

static void check_verdict(soak_case *c, bool holds, proof found, const char *why, expected wanted)
{
    if (holds && (wanted == REFUSED || wanted == REFUSED_AND_REFUTED))
        soak_fail(c, "a forged figure passes");
    if (holds && found == PROOF_BROKEN)
        soak_fail(c, "it passes, but the prover refutes it: %s", why);
    if (!holds && found == PROOF_HOLDS && wanted == HELD_IF_PROVEN)
        soak_fail(c, "it is refused, but the prover proves it");
    if (found == PROOF_HOLDS && wanted == REFUSED_AND_REFUTED)
        soak_fail(c, "more than is achieved, but the prover proves it");
    soak_count(holds ? "passed" : found == PROOF_BROKEN ? "refused-and-refuted" : "refused");
}

static void check_forged(soak_case *c, expected wanted)
{
    const covey_run run = {.n_threads = 1 + (int)soak_below(c, 3)};
    const covey_verify_options options = {.original =
                                              wanted == HELD_IF_PROVEN || soak_below(c, 4) ? NULL : c->r.original};
    covey_verdict *verdict = NULL;
    covey_error err;
    char why[300];

    release_assert_windows_agree(&c->r, 100);
    if (covey_verify(&verdict, c->r.path, &options, &run, &err) == COVEY_OK)
        check_verdict(c, verdict->holds, prove_release(why, sizeof why, c->r.path), why, wanted);
    else
        soak_count("unreadable");
    covey_verdict_free(verdict);
}

void soak_forgeries(soak_case *c)
{
    enum { N_FORGERIES = 6 };
    char *manifest, how[sizeof c->what];

    if (!soak_release(c))
        return;
    manifest = release_get(&c->r, "manifest.json");
    snprintf(how, sizeof how, "%s", c->what);
    for (int i = 0; i < N_FORGERIES; i++) {
        const uint32_t n = 1 + (soak_below(c, 4) == 0);
        expected wanted = WHATEVER_THE_PROVER_ALLOWS;

        snprintf(c->what, sizeof c->what, "%s", how);
        release_put(&c->r, "manifest.json", manifest);
        release_read(&c->r);
        for (uint32_t j = 0; j < n; j++)
            wanted = forge(c);
        wanted = n == 1 ? wanted : WHATEVER_THE_PROVER_ALLOWS;
        release_write(&c->r);
        soak_count("forged");
        check_forged(c, wanted);
    }
    free(manifest);
}
