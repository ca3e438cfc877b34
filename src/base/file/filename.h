/* File names made of names that people have given to columns. */
#ifndef COVEY_BASE_FILE_FILENAME_H
#define COVEY_BASE_FILE_FILENAME_H

#include <stddef.h>

enum { COVEY_FILENAME_SIZE = 256 }; /* what file systems take, with a NUL */

/**
 * NAME.ending, from the second on NAME-2.ending, ...: whoever finds the first taken asks for the next.
 *
 * Characters that could leave the folder or confuse a shell become "_"; what is longer than `longest` bytes is cut off,
 * but not inside a character.  longest + strlen(ending) < 220.
 */
void covey_i_filename(char out[COVEY_FILENAME_SIZE], const char *name, size_t longest, size_t number,
                      const char *ending);

#endif
