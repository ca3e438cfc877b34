/* Appending blocks to a page. */
#include "report/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/* In the arena; NULL and page->broken without memory. */
static COVEY_PRINTF(2, 0) const char *format(covey_page *page, const char *fmt, va_list args)
{
    va_list again;
    char *text;
    int size;

    va_copy(again, args);
    size = vsnprintf(NULL, 0, fmt, args);
    text = size < 0 ? NULL : covey_arena_array(page->arena, char, (size_t)size + 1);
    if (text)
        vsnprintf(text, (size_t)size + 1, fmt, again);
    else
        page->broken = true;
    va_end(again);
    return text;
}

#define FORMAT(text, page, fmt)                                                                                        \
    do {                                                                                                               \
        va_list args;                                                                                                  \
                                                                                                                       \
        va_start(args, fmt);                                                                                           \
        (text) = format(page, fmt, args);                                                                              \
        va_end(args);                                                                                                  \
    } while (0)

static covey_block *add_block(covey_page *page, covey_block_kind kind, const char *text)
{
    covey_block *block = page->broken ? NULL : covey_arena_array_zero(page->arena, covey_block, 1);

    if (!block) {
        page->broken = true;
        return NULL;
    }
    block->kind = kind;
    block->text = text;
    if (page->last)
        page->last->next = block;
    else
        page->first = block;
    page->last = block;
    return block;
}

void covey_i_page_add(covey_page *page, covey_block_kind kind, const char *fmt, ...)
{
    const char *text;

    FORMAT(text, page, fmt);
    add_block(page, kind, text);
}

void covey_i_page_subject(covey_page *page, const char *fmt, ...)
{
    FORMAT(page->subject, page, fmt);
}

void covey_i_page_verdict(covey_page *page, covey_tone tone, const char *answer, const char *fmt, ...)
{
    const char *text;
    covey_block *block;

    FORMAT(text, page, fmt);
    if (!(block = add_block(page, COVEY_BLOCK_VERDICT, text)))
        return;
    block->figure = answer;
    block->tone = tone;
}

void covey_i_page_figure(covey_page *page, covey_tone tone, const char *title, const char *figure, const char *fmt, ...)
{
    const char *copy = covey_arena_strdup(page->arena, figure), *words;
    covey_block *block;

    FORMAT(words, page, fmt);
    page->broken |= !copy;
    if (!(block = add_block(page, COVEY_BLOCK_FIGURE, title)))
        return;
    block->figure = copy;
    block->words = words;
    block->tone = tone;
}

void covey_i_page_bars(covey_page *page, const covey_page_bar *bar, size_t n, const char *fmt, ...)
{
    covey_page_bar *copy = covey_arena_array(page->arena, covey_page_bar, n);
    const char *text;
    covey_block *block;

    FORMAT(text, page, fmt);
    page->broken |= !copy;
    if (!(block = add_block(page, COVEY_BLOCK_BARS, text)))
        return;
    memcpy(copy, bar, n * sizeof *copy);
    block->bar = copy;
    block->n_bars = n;
}

void covey_i_page_table(covey_page *page, const char *const *header, size_t n_columns, const char *fmt, ...)
{
    const char *text;
    covey_block *block;

    FORMAT(text, page, fmt);
    if (!(block = add_block(page, COVEY_BLOCK_TABLE, text)))
        return;
    block->header = header;
    block->n_columns = n_columns;
}

void covey_i_page_spread(covey_page *page, const covey_page_spread *spread, size_t n, const char *title,
                         const char *across, const char *up, const char *words)
{
    covey_page_spread *copy = covey_arena_array(page->arena, covey_page_spread, n);
    const char *said = covey_arena_strdup(page->arena, words);
    covey_block *block = copy && said ? add_block(page, COVEY_BLOCK_SPREAD, title) : NULL;

    if (!block) {
        page->broken = true;
        return;
    }
    memcpy(copy, spread, n * sizeof *copy);
    block->spread = copy;
    block->n_spreads = n;
    block->words = said;
    block->across = across;
    block->up = up;
}

static void add_cell(covey_page *page, double share, const char *text)
{
    covey_block *table = page->last;

    if (page->broken || !table || table->kind != COVEY_BLOCK_TABLE)
        return;
    if (table->n_cells == table->capacity) {
        const size_t capacity = table->capacity ? 2 * table->capacity : 64;
        covey_page_cell *cell = covey_arena_array(page->arena, covey_page_cell, capacity);

        if (!cell) {
            page->broken = true;
            return;
        }
        if (table->n_cells > 0)
            memcpy(cell, table->cell, table->n_cells * sizeof *cell);
        table->cell = cell;
        table->capacity = capacity;
    }
    table->cell[table->n_cells++] = (covey_page_cell){text, share};
}

void covey_i_page_cell(covey_page *page, const char *fmt, ...)
{
    const char *text;

    FORMAT(text, page, fmt);
    add_cell(page, NAN, text);
}

void covey_i_page_bar(covey_page *page, double share, const char *text)
{
    const char *copy = covey_arena_strdup(page->arena, text);

    page->broken |= !copy;
    add_cell(page, share, copy);
}

/* --- texts from data --- */

/* Characters that a reader does not see, or that make the others stand elsewhere. */
static bool is_tricky(uint32_t code)
{
    return (code < 0x20) || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c || code == 0x180e ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
           (code & 0xfffe) == 0xfffe || (code >= 0xe0000 && code <= 0xe0fff);
}

size_t covey_i_page_next(uint32_t *code, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    const size_t size = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    size_t bad;

    *code = 0xfffd;
    if (strnlen(text, size) < size || !covey_i_text_is_utf8(text, size, &bad))
        return 1;
    if (size == 1)
        *code = c[0];
    else if (size == 2)
        *code = (c[0] & 0x1fu) << 6 | (c[1] & 0x3fu);
    else if (size == 3)
        *code = (c[0] & 0xfu) << 12 | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
    else
        *code = (c[0] & 7u) << 18 | (c[1] & 0x3fu) << 12 | (c[2] & 0x3fu) << 6 | (c[3] & 0x3fu);
    if (*code == '\n' || *code == '\r' || *code == '\t')
        *code = ' ';
    else if (is_tricky(*code))
        *code = 0xfffd;
    return size;
}

void covey_i_page_add_code(covey_text *out, uint32_t code)
{
    if (code < 0x80) {
        covey_i_text_add_char(out, (char)code);
    } else if (code < 0x800) {
        covey_i_text_add_char(out, (char)(0xc0 | code >> 6));
        covey_i_text_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        covey_i_text_add_char(out, (char)(0xe0 | code >> 12));
        covey_i_text_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
        covey_i_text_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else {
        covey_i_text_add_char(out, (char)(0xf0 | code >> 18));
        covey_i_text_add_char(out, (char)(0x80 | (code >> 12 & 0x3f)));
        covey_i_text_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
        covey_i_text_add_char(out, (char)(0x80 | (code & 0x3f)));
    }
}

void covey_i_page_escape(covey_text *out, const char *text)
{
    while (*text) {
        uint32_t code;

        text += covey_i_page_next(&code, text);
        switch (code) {
        case '&':
            covey_i_text_add_string(out, "&amp;");
            break;
        case '<':
            covey_i_text_add_string(out, "&lt;");
            break;
        case '>':
            covey_i_text_add_string(out, "&gt;");
            break;
        case '"':
            covey_i_text_add_string(out, "&quot;");
            break;
        case '\'':
            covey_i_text_add_string(out, "&#39;");
            break;
        default:
            covey_i_page_add_code(out, code);
        }
    }
}
