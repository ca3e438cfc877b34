/* A byte buffer that grows. */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/exact/digits.h"

bool covey_i_text_reserve(covey_text *text, size_t more)
{
    size_t need, capacity = text->capacity ? text->capacity : 64;
    char *bytes;

    if (text->broken || __builtin_add_overflow(text->size, more, &need) || need == SIZE_MAX) {
        text->broken = true;
        return false;
    }
    need++;
    if (need <= text->capacity)
        return true;
    while (capacity < need)
        capacity = capacity > SIZE_MAX / 2 ? need : capacity * 2;
    if (!(bytes = covey_i_realloc(text->bytes, capacity, 1))) {
        text->broken = true;
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void covey_i_text_add(covey_text *text, const char *bytes, size_t size)
{
    if (!covey_i_text_reserve(text, size))
        return;
    if (size)
        memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

void covey_i_text_add_string(covey_text *text, const char *string)
{
    covey_i_text_add(text, string, strlen(string));
}

void covey_i_text_add_char(covey_text *text, char c)
{
    covey_i_text_add(text, &c, 1);
}

void covey_i_text_add_whole(covey_text *text, uint64_t number)
{
    char digits[COVEY_DIGITS], *end = digits + sizeof digits, *first = covey_i_digits(end, number);

    covey_i_text_add(text, first, (size_t)(end - first));
}

void covey_i_text_add_format(covey_text *text, const char *fmt, ...)
{
    va_list args, again;
    int n;

    va_start(args, fmt);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (n >= 0 && covey_i_text_reserve(text, (size_t)n)) {
        vsnprintf(text->bytes + text->size, (size_t)n + 1, fmt, again);
        text->size += (size_t)n;
    } else {
        text->broken = true;
    }
    va_end(again);
}

void covey_i_text_clear(covey_text *text)
{
    text->size = 0;
    if (text->bytes)
        text->bytes[0] = '\0';
}

void covey_i_text_free(covey_text *text)
{
    covey_i_free(text->bytes);
    *text = (covey_text)COVEY_TEXT_INIT;
}

char *covey_i_text_keep(covey_text *text, covey_arena *arena)
{
    char *kept = text->broken ? NULL : covey_arena_strndup(arena, text->bytes ? text->bytes : "", text->size);

    covey_i_text_free(text);
    return kept;
}

/* Bytes of the character at p, 0 if it is not one.  Table 3-7 of the Unicode standard. */
static size_t character_size(const unsigned char *p, size_t left)
{
    if (p[0] < 0x80)
        return 1;
    if (p[0] < 0xC2 || p[0] > 0xF4)
        return 0;
    if (left < 2)
        return 0;
    if (p[0] < 0xE0)
        return (p[1] & 0xC0) == 0x80 ? 2 : 0;
    if (left < 3 || (p[2] & 0xC0) != 0x80)
        return 0;
    if (p[0] < 0xF0) {
        unsigned char low = p[0] == 0xE0 ? 0xA0 : 0x80, high = p[0] == 0xED ? 0x9F : 0xBF;

        return p[1] >= low && p[1] <= high ? 3 : 0;
    }
    if (left < 4 || (p[3] & 0xC0) != 0x80)
        return 0;
    {
        unsigned char low = p[0] == 0xF0 ? 0x90 : 0x80, high = p[0] == 0xF4 ? 0x8F : 0xBF;

        return p[1] >= low && p[1] <= high ? 4 : 0;
    }
}

bool covey_i_text_is_utf8(const char *text, size_t size, size_t *bad)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t i = 0;

    while (i < size) {
        size_t n;

        if (size - i >= 8) { /* eight ASCII bytes at once */
            uint64_t word;

            memcpy(&word, p + i, 8);
            if (!(word & 0x8080808080808080u)) {
                i += 8;
                continue;
            }
        }
        if (!(n = character_size(p + i, size - i))) {
            if (bad)
                *bad = i;
            return false;
        }
        i += n;
    }
    return true;
}

bool covey_i_text_is_long_whole(const char *text)
{
    const char *digits = text + (*text == '-' || *text == '+');

    return digits[0] && digits[strspn(digits, "0123456789")] == '\0' &&
           strlen(digits + strspn(digits, "0")) >= sizeof COVEY_MOST_WHOLE;
}

void covey_i_text_add_json(covey_text *text, const char *string)
{
    covey_i_text_add_char(text, '"');
    for (; *string; string++)
        if ((unsigned char)*string < 0x20)
            covey_i_text_add_format(text, "\\u%04x", (unsigned)(unsigned char)*string);
        else
            covey_i_text_add_format(text, *string == '"' || *string == '\\' ? "\\%c" : "%c", *string);
    covey_i_text_add_char(text, '"');
}

/* Behind a decimal, whose digits are counted; NULL: there is none. */
static const char *skip_decimal(const char *text, size_t *n_digits)
{
    const char *whole = text + strspn(text, "0"), *point = whole + strspn(whole, "0123456789"), *end = point;

    if (*point == '.')
        end = point + 1 + strspn(point + 1, "0123456789");
    *n_digits = (size_t)(point - whole) + (size_t)(end > point ? end - point - 1 : 0);
    return *n_digits > 0 || whole > text ? end : NULL;
}

bool covey_i_text_is_long_number(const char *text)
{
    size_t n_digits, n_below = 0;
    const char *end = skip_decimal(text + (*text == '-' || *text == '+'), &n_digits);

    if (end && *end == '/')
        end = skip_decimal(end + 1, &n_below);
    return end && *end == '\0' && (n_digits >= sizeof COVEY_MOST_WHOLE || n_below >= sizeof COVEY_MOST_WHOLE);
}
