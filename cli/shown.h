/* Texts as they are printed. */
#ifndef COVEY_CLI_SHOWN_H
#define COVEY_CLI_SHOWN_H

#include <stdbool.h>
#include <stddef.h>

/* A text as it is printed, wherever it comes from: data, names, paths, messages.  What could steer a terminal, turn the
 * direction of writing or hide is made visible: control characters (\n, \x1b), marks of direction (\u202e), bytes that
 * are no UTF-8 (\xff).  Lives until sixteen more have been shown.  The functions of print.h do it themselves. */
const char *cli_shown(const char *text);
const char *cli_shown_lines(const char *text); /* of many lines: line feeds stay */
/* The same in new memory, which is the caller's to free; NULL without any. */
char *cli_make_inert(const char *text, bool keeps_lines);

/* Length of the UTF-8 character that begins at text, 0 if none does. */
size_t cli_character_size(const unsigned char *text);

#endif
