/* Texts as they are printed: what could steer a terminal is made visible. */
#include "shown.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_ESCAPE = 10, N_SHOWN = 16 };

size_t cli_character_size(const unsigned char *text)
{
    const unsigned char first = text[0];
    const size_t n = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;

    for (size_t i = 1; i < n; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    /* Too long for what they say, half a surrogate pair, or beyond the last character. */
    if ((first == 0xE0 && text[1] < 0xA0) || (first == 0xED && text[1] > 0x9F) || (first == 0xF0 && text[1] < 0x90) ||
        (first == 0xF4 && text[1] > 0x8F))
        return 0;
    return n;
}

/* Characters that could steer a terminal, turn the direction of what stands around them, or are not seen at all:
 * control characters of both sets, the marks, embeddings and isolates of bidirectional text, line and paragraph
 * separators, characters without width, and tags. */
static bool is_hostile(const unsigned char *c, size_t n)
{
    if (n == 1)
        return *c < 0x20 || *c == 0x7F;
    if (n == 2)
        return (c[0] == 0xC2 && c[1] < 0xA0) || (c[0] == 0xD8 && c[1] == 0x9C);
    if (n == 3 && c[0] == 0xE2 && c[1] == 0x80)
        return (c[2] >= 0x8B && c[2] <= 0x8F) || (c[2] >= 0xA8 && c[2] <= 0xAE);
    if (n == 3 && c[0] == 0xE2 && c[1] == 0x81)
        return c[2] >= 0xA0 && c[2] <= 0xAF;
    if (n == 4)
        return c[0] == 0xF3 && c[1] == 0xA0 && c[2] <= 0xBF; /* U+E0000 to U+E0FFF */
    return n == 3 && c[0] == 0xEF && c[1] == 0xBB && c[2] == 0xBF;
}

/* What stands for a character that is not shown as it is: \n, \x1b, \u202e. */
static char *add_escape(char *to, const unsigned char *c, size_t n)
{
    static const char special[] = "\n\r\t", letter[] = "nrt";
    const char *found = n <= 1 && *c ? strchr(special, *c) : NULL;
    uint32_t code = n == 2 ? c[0] & 0x1F : n == 3 ? c[0] & 0x0F : c[0] & 0x07;

    if (found)
        return to + snprintf(to, LONGEST_ESCAPE + 1, "\\%c", letter[found - special]);
    if (n <= 1)
        return to + snprintf(to, LONGEST_ESCAPE + 1, "\\x%02x", *c);
    for (size_t i = 1; i < n; i++)
        code = code << 6 | (c[i] & 0x3F);
    return to + snprintf(to, LONGEST_ESCAPE + 1, code > 0xFFFF ? "\\U%08x" : "\\u%04x", code);
}

char *cli_make_inert(const char *text, bool keeps_lines)
{
    const unsigned char *from = (const unsigned char *)text;
    char *out = malloc(LONGEST_ESCAPE * strlen(text) + LONGEST_ESCAPE + 1), *to = out;

    while (out && *from) {
        const size_t n = cli_character_size(from);

        if ((n > 0 && !is_hostile(from, n)) || (keeps_lines && *from == '\n')) {
            memcpy(to, from, n);
            to += n;
        } else {
            to = add_escape(to, from, n);
        }
        from += n > 0 ? n : 1;
    }
    if (out)
        *to = '\0';
    return out;
}

/* Texts that were shown last; the next goes into the place of the oldest. */
static const char *keep_shown(char *text)
{
    static char *shown[N_SHOWN];
    static size_t next;
    char **place = &shown[next++ % N_SHOWN];

    free(*place);
    *place = text;
    return text ? text : "?";
}

const char *cli_shown(const char *text)
{
    return keep_shown(cli_make_inert(text, false));
}

const char *cli_shown_lines(const char *text)
{
    return keep_shown(cli_make_inert(text, true));
}
