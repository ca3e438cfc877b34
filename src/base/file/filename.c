/* Making file names of names. */
#include "base/file/filename.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static char plain(char c, bool is_first)
{
    return (unsigned char)c < 0x20 || c == 0x7F || strchr("/\\:*?\"<>|", c) || (is_first && c == '.') ? '_' : c;
}

void covey_i_filename(char out[COVEY_FILENAME_SIZE], const char *name, size_t longest, size_t number,
                      const char *ending)
{
    size_t n = 0;

    assert(longest + strlen(ending) < 220);
    for (; name[n] && n < longest; n++)
        out[n] = plain(name[n], n == 0);
    while (n > 0 && ((unsigned char)name[n] & 0xC0) == 0x80)
        n--;
    if (number > 1)
        snprintf(out + n, COVEY_FILENAME_SIZE - n, "-%zu.%s", number, ending);
    else
        snprintf(out + n, COVEY_FILENAME_SIZE - n, ".%s", ending);
}
