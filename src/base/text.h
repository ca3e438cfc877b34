/* A growing byte buffer.  Appending never fails visibly: after the first failed allocation the buffer is `broken`,
 * further appends do nothing, and the caller checks once at the end. */
#ifndef COVEY_BASE_TEXT_H
#define COVEY_BASE_TEXT_H

#include "base/arena.h"

typedef struct covey_text {
    char *bytes; /* NUL-terminated after any append */
    size_t size, capacity;
    bool broken;
} covey_text;

#define COVEY_TEXT_INIT                                                                                                \
    {                                                                                                                  \
        NULL, 0, 0, false                                                                                              \
    }

bool covey_i_text_reserve(covey_text *text, size_t more); /* room for more bytes and a NUL */
void covey_i_text_add(covey_text *text, const char *bytes, size_t size);
void covey_i_text_add_string(covey_text *text, const char *string);
void covey_i_text_add_char(covey_text *text, char c);
void covey_i_text_add_whole(covey_text *text,
                            uint64_t number); /* its digits, for tables: a format costs many times as much */
/* A string of JSON. */
void covey_i_text_add_json(covey_text *text, const char *string);
void covey_i_text_add_format(covey_text *text, const char *fmt, ...) COVEY_PRINTF(2, 3);
void covey_i_text_clear(covey_text *text); /* keeps the memory */
void covey_i_text_free(covey_text *text);
/* Moves it into an arena; NULL if it is broken or there is no memory.  The text is freed in any case. */
char *covey_i_text_keep(covey_text *text, covey_arena *arena);

/* Is text[0 .. size-1] valid UTF-8 (no surrogates, no overlong forms)?  *bad receives the offset of the first wrong
 * byte. */
bool covey_i_text_is_utf8(const char *text, size_t size, size_t *bad);

/* Is it a whole number of more digits than parameters may have?  What is wrong with it is not that it is none. */
bool covey_i_text_is_long_whole(const char *text);
#define COVEY_MOST_WHOLE "999999999999999999" /* the largest that has not */

/* The same of decimals and fractions: digits behind the point count, zeros at the front of a number do not. */
bool covey_i_text_is_long_number(const char *text);
/* What is taken instead. */
#define COVEY_NUMBERS_TAKEN                                                                                            \
    "a number of at most 18 digits (" COVEY_MOST_WHOLE " is the largest, 0.000000000000000001 the finest)"

#endif
