/* Quoting cells, and reading them carefully. */
#include "base/csv_cell.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/error.h"

static const char byte_order_mark[3] = {'\xEF', '\xBB', '\xBF'};

static bool begins_with_mark(const char *bytes, size_t n)
{
    return n >= sizeof byte_order_mark && memcmp(bytes, byte_order_mark, sizeof byte_order_mark) == 0;
}

covey_status covey_i_csv_check_delimiter(char delimiter, covey_error *err)
{
    if (delimiter == '"' || delimiter == '\n' || delimiter == '\r')
        return covey_fail(err, COVEY_EINVAL,
                          "the delimiter of a CSV file cannot be a quote or a line end; use , ; | or a tab");
    if ((unsigned char)delimiter >= 0x80)
        return covey_fail(err, COVEY_EINVAL,
                          "the delimiter of a CSV file must be an ASCII character, such as , ; | or a tab");
    return COVEY_OK;
}

/* The line "sep=;" in front of a table, by which spreadsheets say its delimiter. */
enum { SEPARATOR_CELL = 5 };

static bool is_separator_cell(const char *bytes)
{
    return strncasecmp(bytes, "sep=", SEPARATOR_CELL - 1) == 0 && !strchr("\"\r\n", bytes[SEPARATOR_CELL - 1]);
}

/* Bytes of that line at the beginning of a text, 0 if there is none. */
static size_t separator_line(const char *bytes, size_t size)
{
    if (size <= SEPARATOR_CELL || !is_separator_cell(bytes))
        return 0;
    if (bytes[SEPARATOR_CELL] == '\n')
        return SEPARATOR_CELL + 1;
    return size > SEPARATOR_CELL + 1 && memcmp(bytes + SEPARATOR_CELL, "\r\n", 2) == 0 ? SEPARATOR_CELL + 2 : 0;
}

bool covey_i_csv_needs_quotes(const char *bytes, size_t n, char delimiter)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] == delimiter || bytes[i] == '"' || bytes[i] == '\n' || bytes[i] == '\r')
            return true;
    return begins_with_mark(bytes, n) || (n == SEPARATOR_CELL && is_separator_cell(bytes));
}

void covey_i_csv_add_cell(covey_text *out, const char *bytes, size_t n, char delimiter)
{
    const char *end = bytes + n;

    if (!covey_i_csv_needs_quotes(bytes, n, delimiter)) {
        covey_i_text_add(out, bytes, n);
        return;
    }
    covey_i_text_add_char(out, '"');
    while (bytes < end) {
        const char *quote = memchr(bytes, '"', (size_t)(end - bytes));
        const char *stop = quote ? quote + 1 : end;

        covey_i_text_add(out, bytes, (size_t)(stop - bytes));
        if (quote)
            covey_i_text_add_char(out, '"');
        bytes = stop;
    }
    covey_i_text_add_char(out, '"');
}

const char *covey_i_csv_shown(char *out, const char *bytes, size_t n)
{
    size_t used = 0, characters = 0, i = 0;

    while (i < n && characters < 40) {
        size_t size = 1, bad;

        while (size < 4 && i + size < n && ((unsigned char)bytes[i + size] & 0xC0) == 0x80)
            size++;
        if (bytes[i] == '\0' || !covey_i_text_is_utf8(bytes + i, size, &bad)) {
            out[used++] = '?';
            i++;
        } else {
            memcpy(out + used, bytes + i, size);
            used += size;
            i += size;
        }
        characters++;
    }
    memcpy(out + used, i < n ? "..." : "", i < n ? 4 : 1);
    return out;
}

size_t covey_i_csv_size_without_blank_end(const char *bytes, size_t size)
{
    for (;;) { /* each turn drops the end of a line that has nothing before it */
        size_t before = size;

        if (before > 0 && bytes[before - 1] == '\n')
            before--;
        else
            return size;
        if (before > 0 && bytes[before - 1] == '\r')
            before--;
        if (before > 0 && bytes[before - 1] != '\n')
            return size;
        size = before;
    }
}

void covey_i_csv_parser_init(covey_csv_parser *parser, const char *bytes, size_t size, char delimiter)
{
    size_t skip = begins_with_mark(bytes, size) ? sizeof byte_order_mark : 0;

    *parser = (covey_csv_parser){.delimiter = delimiter, .line = 1, .bytes = COVEY_TEXT_INIT};
    parser->cursor = bytes + skip;
    parser->end = bytes + skip + covey_i_csv_size_without_blank_end(bytes + skip, size - skip);
    if ((skip = separator_line(parser->cursor, (size_t)(parser->end - parser->cursor))) > 0) {
        parser->cursor += skip;
        parser->line++;
    }
}

void covey_i_csv_parser_clear(covey_csv_parser *parser)
{
    covey_i_text_free(&parser->bytes);
    covey_i_free(parser->start);
    parser->start = NULL;
    parser->capacity = parser->n_fields = 0;
}

/* A complaint about the field that is being read. */
static covey_status complain(const covey_csv_parser *p, const char *file, covey_error *err, const char *what)
{
    if (p->n_fields < p->n_names)
        return covey_fail_at(err, COVEY_EPARSE, file, p->line, p->names[p->n_fields], 0, "column \"%s\": %s",
                             p->names[p->n_fields], what);
    return covey_fail_at(err, COVEY_EPARSE, file, p->line, NULL, 0, "cell %zu: %s", p->n_fields + 1, what);
}

/* Remembers that the next field starts here; false without memory. */
static bool start_field(covey_csv_parser *p)
{
    if (p->n_fields + 1 >= p->capacity) {
        size_t capacity = p->capacity ? 2 * p->capacity : 16;
        size_t *start = covey_i_realloc(p->start, capacity, sizeof *start);

        if (!start)
            return false;
        p->start = start;
        p->capacity = capacity;
    }
    p->start[p->n_fields] = p->bytes.size;
    return true;
}

static bool is_blank(const covey_csv_parser *p, char c)
{
    return (c == ' ' || c == '\t') && c != p->delimiter;
}

static void skip_blanks(covey_csv_parser *p)
{
    while (p->trim && p->cursor < p->end && is_blank(p, *p->cursor))
        p->cursor++;
}

/* Bytes of the line end at the cursor: LF, CRLF; 0 if there is none. */
static size_t line_end_size(const covey_csv_parser *p)
{
    if (p->cursor < p->end && *p->cursor == '\n')
        return 1;
    return p->end - p->cursor >= 2 && p->cursor[0] == '\r' && p->cursor[1] == '\n' ? 2 : 0;
}

static bool at_cell_end(const covey_csv_parser *p)
{
    return p->cursor == p->end || *p->cursor == p->delimiter || line_end_size(p) > 0;
}

static covey_status read_quoted(covey_csv_parser *p, const char *file, covey_error *err)
{
    const int64_t opened = p->line;

    p->cursor++;
    for (;;) {
        const char *quote = memchr(p->cursor, '"', (size_t)(p->end - p->cursor));
        const char *stop = quote ? quote : p->end;

        if (!quote) {
            p->line = opened;
            return complain(p, file, err, "the quote that opens this cell is never closed");
        }
        for (const char *c = p->cursor; c < stop && (c = memchr(c, '\n', (size_t)(stop - c))); c++)
            p->line++;
        covey_i_text_add(&p->bytes, p->cursor, (size_t)(stop - p->cursor));
        p->cursor = quote + 1;
        if (p->cursor == p->end || *p->cursor != '"')
            break;
        covey_i_text_add_char(&p->bytes, '"');
        p->cursor++;
    }
    skip_blanks(p);
    return at_cell_end(p)
               ? COVEY_OK
               : complain(p, file, err,
                          "text behind the closing quote; a quote inside a quoted cell is written twice (\"\")");
}

static covey_status read_unquoted(covey_csv_parser *p, const char *file, covey_error *err)
{
    const char *start = p->cursor, *stop;

    while (!at_cell_end(p)) {
        if (*p->cursor == '"')
            return complain(p, file, err,
                            "a quote inside an unquoted cell; quote the whole cell and write the quote twice (\"\")");
        p->cursor++;
    }
    stop = p->cursor;
    while (p->trim && stop > start && is_blank(p, stop[-1]))
        stop--;
    covey_i_text_add(&p->bytes, start, (size_t)(stop - start));
    return COVEY_OK;
}

static covey_status check_bytes(const covey_csv_parser *p, const char *file, covey_error *err)
{
    const char *bytes = p->bytes.bytes + p->start[p->n_fields];
    const size_t n = p->bytes.size - p->start[p->n_fields];
    size_t bad;

    if (p->any_bytes || n == 0)
        return COVEY_OK;
    if (memchr(bytes, '\0', n))
        return complain(p, file, err, "a NUL byte; text files have none");
    if (!covey_i_text_is_utf8(bytes, n, &bad))
        return complain(p, file, err, "not valid UTF-8; convert the file (iconv -t UTF-8)");
    return COVEY_OK;
}

static covey_status read_field(covey_csv_parser *p, const char *file, covey_error *err)
{
    covey_status status;

    if (!start_field(p))
        return covey_i_no_memory(err);
    skip_blanks(p);
    status = p->cursor < p->end && *p->cursor == '"' ? read_quoted(p, file, err) : read_unquoted(p, file, err);
    if (status == COVEY_OK && p->bytes.broken)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK)
        status = check_bytes(p, file, err);
    if (status != COVEY_OK)
        return status;
    covey_i_text_add_char(&p->bytes, '\0');
    p->n_fields++;
    p->start[p->n_fields] = p->bytes.size;
    return p->bytes.broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_i_csv_parser_next(bool *more, covey_csv_parser *p, const char *file, covey_error *err)
{
    const char *first = p->cursor;
    covey_status status;

    covey_i_text_clear(&p->bytes);
    p->n_fields = 0;
    p->record_line = p->line;
    *more = p->cursor < p->end;
    if (!*more)
        return COVEY_OK;
    p->blank = line_end_size(p) > 0;
    for (;;) {
        if ((status = read_field(p, file, err)) != COVEY_OK)
            return status;
        if (p->cursor == p->end || *p->cursor != p->delimiter)
            break;
        p->cursor++;
    }
    if (p->cursor < p->end) {
        p->cursor += line_end_size(p);
        p->line++;
    }
    assert(p->cursor > first); /* a blank line is its line end */
    return COVEY_OK;
}

enum { GUESS_BYTES = 1 << 16, GUESS_LINES = 100, N_CANDIDATES = 4 };

/* Counts each candidate in the record at *cursor, outside quotes; moves the cursor behind its line end.  False if it
 * has no line end. */
static bool count_candidates(size_t count[N_CANDIDATES], const char *candidates, const char **cursor, const char *end)
{
    bool quoted = false;

    memset(count, 0, N_CANDIDATES * sizeof *count);
    for (const char *c = *cursor; c < end; c++) {
        const char *hit;

        if (*c == '"')
            quoted = !quoted;
        if (quoted)
            continue;
        if (*c == '\n') {
            *cursor = c + 1;
            return true;
        }
        if (*c && (hit = strchr(candidates, *c)))
            count[hit - candidates]++;
    }
    *cursor = end;
    return false;
}

char covey_i_csv_guess(const char *bytes, size_t size)
{
    static const char candidates[] = ",;\t|";
    size_t first[N_CANDIDATES], count[N_CANDIDATES];
    bool steady[N_CANDIDATES];
    const char *cursor = bytes, *end = bytes + (size < GUESS_BYTES ? size : GUESS_BYTES);
    int best = 0;

    if (begins_with_mark(cursor, size))
        cursor += sizeof byte_order_mark;
    if (separator_line(cursor, (size_t)(end - cursor)) > 0)
        return cursor[SEPARATOR_CELL - 1];
    count_candidates(first, candidates, &cursor, end);
    for (int i = 0; i < N_CANDIDATES; i++)
        steady[i] = first[i] > 0;
    for (int line = 1; line < GUESS_LINES && cursor < end; line++) {
        const char *start = cursor;

        /* a record that the window cuts off says nothing; the last one of the file may lack its line end */
        if (!count_candidates(count, candidates, &cursor, end) && end < bytes + size)
            break;
        if (start[0] == '\n' || (start[0] == '\r' && cursor - start == 2))
            continue;
        for (int i = 0; i < N_CANDIDATES; i++)
            steady[i] = steady[i] && count[i] == first[i];
    }
    for (int i = 1; i < N_CANDIDATES; i++)
        if (steady[i] > steady[best] || (steady[i] == steady[best] && first[i] > first[best]))
            best = i;
    return candidates[best];
}
