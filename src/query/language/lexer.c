/* The words of a query. */
#include "query/language/sql.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* Characters before a byte, as a person counts them. */
static int64_t character_at(const char *query, size_t at)
{
    int64_t n = 1;

    for (size_t i = 0; i < at; i++)
        n += ((unsigned char)query[i] & 0xC0) != 0x80;
    return n;
}

covey_status covey_i_sql_complain(covey_error *err, const char *query, size_t at, const char *fmt, ...)
{
    char message[800];
    int64_t character = character_at(query, at);
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    covey_fail(err, COVEY_EINVAL, "query, character %" PRId64 ": %s", character, message);
    if (err)
        err->column_number = character;
    return COVEY_EINVAL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Any byte of a character beyond ASCII may stand in a name. */
static bool begins_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool continues_word(char c)
{
    return begins_word(c) || is_digit(c) || c == '-' || c == '.';
}

/* "..." or '...', the quote doubled inside. */
static covey_status read_quoted(covey_sql_token *out, const char *query, size_t *cursor, covey_arena *arena,
                                covey_error *err)
{
    const char quote = query[*cursor];
    const size_t begin = *cursor;
    size_t end = begin + 1, n = 0;
    char *text;

    while (query[end] && !(query[end] == quote && query[end + 1] != quote))
        end += query[end] == quote ? 2 : 1;
    if (!query[end])
        return covey_i_sql_complain(err, query, begin, "the quote %c is never closed", quote);
    if (!(text = covey_arena_array(arena, char, end - begin)))
        return covey_i_no_memory(err);
    for (size_t i = begin + 1; i < end; i++) {
        text[n++] = query[i];
        i += query[i] == quote;
    }
    text[n] = '\0';
    if (quote == '"' && n == 0)
        return covey_i_sql_complain(err, query, begin, "a column's name is empty");
    *out = (covey_sql_token){quote == '"' ? COVEY_SQL_QUOTED : COVEY_SQL_TEXT, text, begin};
    *cursor = end + 1;
    return COVEY_OK;
}

static covey_status keep(covey_sql_token *out, covey_sql_token_kind kind, const char *query, size_t *cursor, size_t end,
                         covey_arena *arena, covey_error *err)
{
    const char *text = covey_arena_strndup(arena, query + *cursor, end - *cursor);

    if (!text)
        return covey_i_no_memory(err);
    *out = (covey_sql_token){kind, text, *cursor};
    *cursor = end;
    return COVEY_OK;
}

static covey_status read_number(covey_sql_token *out, const char *query, size_t *cursor, covey_arena *arena,
                                covey_error *err)
{
    size_t end = *cursor, digits = 0;

    end += query[end] == '-' || query[end] == '+';
    for (; is_digit(query[end]); end++)
        digits++;
    if (query[end] == '.')
        for (end++; is_digit(query[end]); end++)
            digits++;
    if (digits == 0 || continues_word(query[end]))
        return covey_i_sql_complain(
            err, query, *cursor,
            "this is not a number; numbers are plain decimals, a text stands in '...', a name that begins "
            "with a digit in \"...\"");
    return keep(out, COVEY_SQL_NUMBER, query, cursor, end, arena, err);
}

covey_status covey_i_sql_token(covey_sql_token *out, const char *query, size_t *cursor, covey_arena *arena,
                               covey_error *err)
{
    const char *c;

    while (query[*cursor] && strchr(" \t\r\n", query[*cursor]))
        ++*cursor;
    c = query + *cursor;
    if (*c == '\0')
        return keep(out, COVEY_SQL_END, query, cursor, *cursor, arena, err);
    if (*c == '"' || *c == '\'')
        return read_quoted(out, query, cursor, arena, err);
    if (begins_word(*c)) {
        size_t end = *cursor + 1;

        while (continues_word(query[end]))
            end++;
        return keep(out, COVEY_SQL_WORD, query, cursor, end, arena, err);
    }
    if (is_digit(*c) || *c == '-' || *c == '+' || *c == '.')
        return read_number(out, query, cursor, arena, err);
    if ((c[0] == '<' && (c[1] == '=' || c[1] == '>')) || ((c[0] == '>' || c[0] == '!') && c[1] == '='))
        return keep(out, COVEY_SQL_SIGN, query, cursor, *cursor + 2, arena, err);
    if (strchr("(),;*/=<>", *c))
        return keep(out, COVEY_SQL_SIGN, query, cursor, *cursor + 1, arena, err);
    return covey_i_sql_complain(err, query, *cursor, "there is no place for '%c' in a query",
                                (unsigned char)*c < 0x20 || *c == 0x7F ? '?' : *c);
}
