/* Taking a column's name apart into words. */
#include "table/column_words.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Does a new word begin at name[i]?  Behind a separator, at `bC` of camelCase, at a digit behind a letter and the other
 * way round. */
static bool begins_word(const char *name, size_t i)
{
    unsigned char before = i ? (unsigned char)name[i - 1] : 0, c = (unsigned char)name[i];

    if (!isalnum(before))
        return true;
    if (islower(before) && isupper(c))
        return true;
    return (isdigit(before) != 0) != (isdigit(c) != 0);
}

/* Does `word` stand at name[i], ending where a word ends? */
static bool word_at(const char *name, size_t i, const char *word)
{
    for (; *word && *word != '*'; word++, i++)
        if (tolower((unsigned char)name[i]) != *word)
            return false;
    if (*word == '*')
        return true;
    return !isalnum((unsigned char)name[i]) || begins_word(name, i);
}

/* Is the whole name without its separators `word`? */
static bool is_squeezed(const char *name, const char *word)
{
    for (; *name && *word != '*'; name++) {
        if (!isalnum((unsigned char)*name))
            continue;
        if (tolower((unsigned char)*name) != *word)
            return false;
        word++;
    }
    return *word == '\0' || *word == '*';
}

bool covey_i_column_has_word(const char *name, const char *word)
{
    for (size_t i = 0; name[i]; i++)
        if (isalnum((unsigned char)name[i]) && begins_word(name, i) && word_at(name, i, word))
            return true;
    return is_squeezed(name, word);
}

const char *covey_i_column_find_word(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (covey_i_column_has_word(name, *words))
            return *words;
    return NULL;
}

bool covey_i_column_is_age_name(const char *name)
{
    static const char *const words[] = {"age", "agep", "ages", "alter", "ageyears", "ageinyears", NULL};

    return covey_i_column_find_word(name, words) != NULL;
}

bool covey_i_column_is_zip_name(const char *name)
{
    static const char *const words[] = {"zip", "zipcode", "zipcodes", "postal", "postcode", "postalcode", "plz", NULL};

    return covey_i_column_find_word(name, words) != NULL;
}

const char *covey_i_column_key_word(const char *name)
{
    static const char *const words[] = {
        "id",        "ids",     "nr",      "nbr",        "no",         "number",      "key",      "pid",
        "uid",       "duid",    "hhid",    "identifier", "account",    "record",      "case",     "serial",
        "reference", "ref",     "patient", "person",     "subject",    "client",      "customer", "member",
        "user",      "student", "pupil",   "employee",   "respondent", "participant", "dupersid", NULL};

    return covey_i_column_find_word(name, words);
}

bool covey_i_column_is_shared_name(const char *name)
{
    static const char *const words[] = {"firstname", "lastname", "surname", "forename", "address", "addr",   "street",
                                        "wgt*",      "fnlwgt",   "pwgt*",   "weight*",  "plate",   "photo*", NULL};

    return covey_i_column_find_word(name, words) != NULL;
}
