/* Suggests roles from names and counts.  In doubt a column is a quasi-identifier: calling one insensitive that others
 * know is the mistake that cannot be taken back. */
#include "inspect/inspect_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "table/column_words.h"

/* Words of names; a star stands for any end of the word. */
static const char *const identifier_words[] = {
    "ssn",     "nhs",      "passport", "iban",      "email",    "mail",         "phone",    "telephone", "tel",
    "mobile",  "cell",     "fax",      "firstname", "lastname", "surname",      "forename", "fullname",  "username",
    "login",   "nickname", "address",  "addr",      "street",   "url",          "ip",       "vin",       "licence",
    "license", "plate",    "mrn",      "imei",      "photo*",   "fingerprint*", "uuid",     "guid",      NULL,
};
/* Sampling weights are as good as keys: they follow from who somebody is, and the data they come from are public. */
static const char *const weight_words[] = {
    "wgt*",         "fnlwgt",   "pwgt*",         "perwt*",          "hhwt*",         "finalwt*",
    "finalweight*", "pweight*", "sampleweight*", "samplingweight*", "surveyweight*", NULL,
};
static const char *const sensitive_words[] = {
    "diag",     "diagnos*",  "disease*", "illness*",    "condition*", "symptom*",    "icd*",       "hiv",
    "aids",     "cancer",    "drug*",    "medication*", "treatment*", "therapy",     "disability", "disabilities",
    "pregnan*", "abortion*", "mental",   "depression",  "income*",    "salary",      "salaries",   "wage",
    "wages",    "earning*",  "pay",      "pension",     "benefit*",   "debt*",       "loan*",      "credit*",
    "balance",  "wealth",    "tax*",     "gain",        "loss",       "poverty",     "pincp*",     "religio*",
    "belief*",  "faith",     "party",    "vote*",       "political",  "union",       "sexual",     "orientation",
    "crime*",   "criminal",  "offence*", "offense*",    "arrest*",    "conviction*", "sentence",   "grade",
    "grades",   "score",     "iq",       "readmitted",  "drem",       "dphy",        "deye",       "dear",
    "dvet",     "ddrs",      "dout",     NULL,
};
static const char *const quasi_words[] = {
    "sex",          "gender*",     "birth*",    "dob*",        "born",       "yob",        "race*",    "rac",
    "ethnic*",      "hisp*",       "city",      "town",        "village",    "county",     "state",    "province",
    "region*",      "district*",   "area",      "puma",        "place",      "country",    "nation*",  "citizen*",
    "native",       "origin",      "language*", "marital*",    "marri*",     "marry",      "spouse",   "msp",
    "relationship", "household*",  "family",    "child*",      "kids",       "education*", "edu*",     "school*",
    "degree",       "occupation*", "job",       "profession*", "work*",      "employ*",    "industry", "indp",
    "military",     "veteran*",    "height",    "date*",       "admission*", "discharge*", "death*",   "year*",
    "month*",       "hours",       "housing",   "own",         "rent",       NULL,
};
/* Sets the role with "its name says WORD". */
static covey_status by_name(covey_inspected_column *out, covey_role role, const char *word, covey_arena *arena,
                            covey_error *err)
{
    char reason[96];

    snprintf(reason, sizeof reason, "its name says \"%.*s\"", (int)strcspn(word, "*"), word);
    out->role = role;
    out->reason = covey_arena_strdup(arena, reason);
    return out->reason ? COVEY_OK : covey_i_no_memory(err);
}

static void by_count(covey_inspected_column *out, covey_role role, const char *reason)
{
    out->role = role;
    out->reason = reason;
}

enum {
    FEW_ROWS = 20, /* in fewer, that all values differ says nothing */
    FEW_SHARE = 4, /* rows to a key, on average */
};

static covey_status suggest_role(covey_inspected_column *out, const covey_column_facts *f, covey_arena *arena,
                                 covey_error *err)
{
    const int64_t n = f->n_rows - f->n_missing;
    const bool is_key =
        n >= FEW_ROWS && f->n_distinct == n && (f->type == COVEY_TYPE_INTEGER || f->type == COVEY_TYPE_TEXT);
    const bool is_free_text =
        n >= FEW_ROWS && f->type == COVEY_TYPE_TEXT && f->n_distinct > n - n / 10 && f->code_length == 0;
    const char *word;

    if (f->n_rows > 0 && f->n_distinct <= 1 && f->n_missing == 0) {
        by_count(out, COVEY_ROLE_INSENSITIVE, "the same in every row");
        return COVEY_OK;
    }
    if (f->n_rows > 0 && n == 0) {
        by_count(out, COVEY_ROLE_IDENTIFIER, "nothing is in it");
        return COVEY_OK;
    }
    if ((word = covey_i_column_find_word(f->name, identifier_words)))
        return by_name(out, COVEY_ROLE_IDENTIFIER, word, arena, err);
    if ((f->type == COVEY_TYPE_INTEGER || f->type == COVEY_TYPE_DECIMAL) &&
        (word = covey_i_column_find_word(f->name, weight_words)))
        return by_name(out, COVEY_ROLE_WEIGHT, word, arena, err);
    if ((word = covey_i_column_find_word(f->name, sensitive_words)))
        return by_name(out, COVEY_ROLE_SENSITIVE, word, arena, err);
    if (covey_i_column_is_age_name(f->name))
        return by_name(out, COVEY_ROLE_QUASI, "age", arena, err);
    if (covey_i_column_is_zip_name(f->name))
        return by_name(out, COVEY_ROLE_QUASI, "zip", arena, err);
    if ((f->n_distinct > n / FEW_SHARE || f->is_repeated_key) && (word = covey_i_column_key_word(f->name)))
        return by_name(out, f->is_repeated_key ? COVEY_ROLE_ENTITY : COVEY_ROLE_IDENTIFIER, word, arena, err);
    if ((word = covey_i_column_find_word(f->name, quasi_words)))
        return by_name(out, COVEY_ROLE_QUASI, word, arena, err);
    if (covey_i_column_has_word(f->name, "name")) /* of a person, since no place and no thing is named */
        return by_name(out, COVEY_ROLE_IDENTIFIER, "name", arena, err);
    if (covey_i_column_has_word(f->name, "pid")) /* of a member of a household */
        return by_name(out, COVEY_ROLE_IDENTIFIER, "pid", arena, err);
    if (is_key)
        by_count(out, COVEY_ROLE_IDENTIFIER, "no value occurs twice");
    else if (is_free_text)
        by_count(out, COVEY_ROLE_IDENTIFIER, "hardly a value occurs twice");
    else if (f->type == COVEY_TYPE_DATE)
        by_count(out, COVEY_ROLE_QUASI, "a date: others may know when something happened");
    else
        by_count(out, COVEY_ROLE_QUASI, "others may know it");
    return COVEY_OK;
}

enum { SHORTEST_CODE = 3, LONGEST_CODE = 12, FEW_CODES = 10, OLDEST = 120 };

static covey_status suggest_hierarchy(covey_inspected_column *out, const covey_column_facts *f, covey_arena *arena,
                                      covey_error *err)
{
    const bool is_code = f->code_length >= SHORTEST_CODE && f->code_length <= LONGEST_CODE && f->n_distinct > FEW_CODES;
    char text[64];

    if (out->role != COVEY_ROLE_QUASI)
        return COVEY_OK;
    if (f->type == COVEY_TYPE_DATE) {
        out->hierarchy = "{date: [month, year]}";
    } else if (is_code && (f->type == COVEY_TYPE_TEXT || covey_i_column_is_zip_name(f->name))) {
        snprintf(text, sizeof text, "{mask: %zu}", f->code_length);
        out->type = COVEY_TYPE_TEXT;
        if (!(out->hierarchy = covey_arena_strdup(arena, text)))
            return covey_i_no_memory(err);
    } else if (f->type == COVEY_TYPE_INTEGER && covey_i_column_is_age_name(f->name) && f->smallest >= 0 &&
               f->largest <= OLDEST) {
        out->alternative = "{interval: {from: 0, to: 120, widths: [5, 10, 20, 40]}}";
    } else if (f->type != COVEY_TYPE_TEXT && f->n_distinct > FEW_CODES) {
        out->alternative = "{balanced: 4}"; /* one with bounds would tell the data's */
    }
    return COVEY_OK;
}

covey_status covey_i_inspect_suggest(covey_inspected_column *out, const covey_column_facts *facts, covey_arena *arena,
                                     covey_error *err)
{
    out->type = facts->type;
    COVEY_TRY(suggest_role(out, facts, arena, err));
    return suggest_hierarchy(out, facts, arena, err);
}
