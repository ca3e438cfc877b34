/* What the name of a column says: its words, whatever the writing (`zip_code`, `ZipCode`, `ZIP5`, `zip-code`). */
#ifndef COVEY_TABLE_COLUMN_WORDS_H
#define COVEY_TABLE_COLUMN_WORDS_H

#include <stdbool.h>

/* Is `word` (lower case) one of the name's words, or the whole name without its separators?  "birth*" is any word that
 * begins so. */
bool covey_i_column_has_word(const char *name, const char *word);

bool covey_i_column_is_age_name(const char *name); /* an age in years */
bool covey_i_column_is_zip_name(const char *name); /* a ZIP or postal code */

#endif
