/* Noting what is wrong with a release. */
#include "reader/problems.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

/* Lines go to terminals and into JSON: no control characters, no broken characters. */
static void make_printable(char *line)
{
    bool valid = covey_i_text_is_utf8(line, strlen(line), NULL);

    for (char *c = line; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
        if (!valid && (unsigned char)*c >= 0x80)
            *c = '?';
    }
}

static void keep(covey_problems *problems, const char *text)
{
    char *line = covey_i_strdup(text);

    if (!line) {
        problems->broken = true;
        return;
    }
    make_printable(line);
    problems->line[problems->n++] = line;
}

/* A text that filled its buffer was cut, perhaps in the middle of a character: drop what may be half of one. */
static void end_on_a_character(char *text)
{
    size_t n = strlen(text);

    while (n > 0 && ((unsigned char)text[n - 1] & 0xC0) == 0x80)
        n--;
    if (n > 0 && ((unsigned char)text[n - 1] & 0x80))
        n--;
    text[n] = '\0';
}

void covey_i_problem(covey_problems *problems, const char *fmt, ...)
{
    char text[400];
    va_list args;
    int n;

    problems->n_found++;
    if (problems->n >= COVEY_MOST_PROBLEMS)
        return;
    va_start(args, fmt);
    n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (n >= (int)sizeof text)
        end_on_a_character(text);
    keep(problems, n < 0 ? "a problem that cannot be printed" : text);
}

void covey_i_problems_move(covey_problems *into, covey_problems *from)
{
    into->n_found += from->n_found;
    into->broken = into->broken || from->broken;
    for (size_t i = 0; i < from->n; i++)
        if (into->n < COVEY_MOST_PROBLEMS)
            into->line[into->n++] = from->line[i];
        else
            covey_i_free(from->line[i]);
    *from = (covey_problems)COVEY_PROBLEMS_INIT;
}

void covey_i_problems_close(covey_problems *problems)
{
    char text[64];

    if (problems->n_found <= (int64_t)problems->n)
        return;
    snprintf(text, sizeof text, "and %" PRId64 " more", problems->n_found - (int64_t)problems->n);
    keep(problems, text);
}

void covey_i_problems_clear(covey_problems *problems)
{
    for (size_t i = 0; i < problems->n; i++)
        covey_i_free(problems->line[i]);
    *problems = (covey_problems)COVEY_PROBLEMS_INIT;
}
