/* What fuzz targets share: a small input that is read as a recipe for a large text, or for changes to one.
 *
 * A fuzzer's own mutations do not make a table of thousands of rows, in which the fast ways of readers begin; single
 * steps that repeat, number or stretch what is there do.  Every input is a recipe: what it lacks is 0. */
#ifndef COVEY_TESTS_FUZZ_KIT_H
#define COVEY_TESTS_FUZZ_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

void fuzz_require(bool holds); /* or aborts */

typedef struct fuzz_input {
    const uint8_t *at, *end;
} fuzz_input;

unsigned fuzz_byte(fuzz_input *in);          /* 0 behind the end */
size_t fuzz_below(fuzz_input *in, size_t n); /* 0 .. n - 1 of two bytes; 0 if n is 0 */

/* One step: rows are added, repeated or numbered at the end, bytes are stretched, or fuzz_edit; up to most bytes,
 * about. */
void fuzz_step(covey_text *text, fuzz_input *in, size_t most);
/* Steps until the input ends or the text has most bytes. */
void fuzz_grow(covey_text *text, fuzz_input *in, size_t most);

/* One change of a text that is a table: a byte, a run of bytes, a cell that takes another's place, a row that comes
 * twice, goes, or changes places. */
void fuzz_edit(covey_text *text, fuzz_input *in, size_t most);

/* A value of a JSON document becomes another; of anything else nothing. */
void fuzz_edit_json(covey_text *text, fuzz_input *in);

/* The path of a file of this process, in memory where there is room. */
const char *fuzz_path(char *out, size_t size, const char *what);
void fuzz_put(const char *path, const char *bytes, size_t size);
/* All of a file; false if there is none. */
bool fuzz_get(covey_text *out, const char *path);

#endif
