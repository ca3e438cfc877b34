/* What the name of a column says: its words, whatever the writing (`zip_code`, `ZipCode`, `ZIP5`, `zip-code`). */
#ifndef COVEY_TABLE_COLUMN_WORDS_H
#define COVEY_TABLE_COLUMN_WORDS_H

#include <stdbool.h>

/* Is `word` (lower case) one of the name's words, or the whole name without its separators?  "birth*" is any word that
 * begins so. */
bool covey_i_column_has_word(const char *name, const char *word);
/* The first of a list that ends with NULL; NULL: none is there. */
const char *covey_i_column_find_word(const char *name, const char *const *words);

bool covey_i_column_is_age_name(const char *name); /* an age in years */
bool covey_i_column_is_zip_name(const char *name); /* a ZIP or postal code */
/* The word that says that values are keys of persons, households, accounts or records, static; NULL: none does. */
const char *covey_i_column_key_word(const char *name);
/* Names, addresses, sampling weights: they identify, but different persons may have the same. */
bool covey_i_column_is_shared_name(const char *name);

#endif
