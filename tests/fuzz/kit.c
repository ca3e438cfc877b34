/* Reading an input as a recipe for a text, or for changes to one. */
#include "kit.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fuzz_require(bool holds)
{
    if (!holds)
        abort();
}

unsigned fuzz_byte(fuzz_input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

size_t fuzz_below(fuzz_input *in, size_t n)
{
    const size_t high = fuzz_byte(in), value = high << 8 | fuzz_byte(in);

    return value * n >> 16;
}

/* --- files --- */

const char *fuzz_path(char *out, size_t size, const char *what)
{
    snprintf(out, size, "%s/covey-fuzz-%ld-%s", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid(),
             what);
    return out;
}

void fuzz_put(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    fuzz_require(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

bool fuzz_get(covey_text *out, const char *path)
{
    FILE *file = fopen(path, "rb");
    char bytes[65536];
    size_t n;

    if (!file)
        return false;
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0)
        covey_i_text_add(out, bytes, n);
    fclose(file);
    return true;
}

/* --- places in a text --- */

static void cut_at(covey_text *text, size_t size)
{
    if (size < text->size) {
        text->size = size;
        text->bytes[size] = '\0';
    }
}

/* Takes n bytes at a place out and puts others in. */
static void replace(covey_text *text, size_t at, size_t n, const char *bytes, size_t size)
{
    const size_t behind = text->size - at - n;
    char *put = malloc(size + 1), *rest = malloc(behind + 1); /* bytes may be the text's own */

    fuzz_require(put && rest);
    memcpy(put, bytes, size);
    memcpy(rest, text->bytes + at + n, behind);
    cut_at(text, at);
    covey_i_text_add(text, put, size);
    covey_i_text_add(text, rest, behind);
    free(rest);
    free(put);
}

static size_t line_at(const covey_text *text, size_t at)
{
    while (at > 0 && text->bytes[at - 1] != '\n')
        at--;
    return at;
}

/* Behind the line feed. */
static size_t line_end(const covey_text *text, size_t at)
{
    const char *feed = at < text->size ? memchr(text->bytes + at, '\n', text->size - at) : NULL;

    return feed ? (size_t)(feed - text->bytes) + 1 : text->size;
}

static size_t cell_end(const covey_text *text, size_t at)
{
    bool quoted = false;

    for (; at < text->size; at++) {
        const char byte = text->bytes[at];

        quoted ^= byte == '"';
        if (!quoted && (byte == ',' || byte == ';' || byte == '\n'))
            break;
    }
    return at;
}

static size_t cell_at(const covey_text *text, size_t at)
{
    size_t begin = line_at(text, at), end;

    while ((end = cell_end(text, begin)) < at && end < text->size)
        begin = end + 1;
    return begin;
}

/* --- growing --- */

static void add_run(covey_text *text, char byte, size_t n)
{
    char block[1024];

    memset(block, byte, sizeof block);
    for (; n > 0; n -= n < sizeof block ? n : sizeof block)
        covey_i_text_add(text, block, n < sizeof block ? n : sizeof block);
}

/* The bytes of the input up to a line feed, or to its end. */
static void add_line(covey_text *text, fuzz_input *in)
{
    while (in->at < in->end) {
        const unsigned byte = fuzz_byte(in);

        covey_i_text_add_char(text, (char)byte);
        if (byte == '\n')
            return;
    }
    covey_i_text_add_char(text, '\n');
}

static void repeat_line(covey_text *text, size_t n, size_t most)
{
    const size_t begin = text->size > 0 ? line_at(text, text->size - 1) : 0, size = text->size - begin;
    char *line = malloc(size + 1);

    fuzz_require(line != NULL);
    memcpy(line, text->bytes ? text->bytes + begin : "", size);
    while (n-- > 0 && text->size + size <= most)
        covey_i_text_add(text, line, size);
    free(line);
}

/* Rows like the last one, with numbers that count on in its first cell. */
static void number_lines(covey_text *text, size_t n, unsigned per_number, size_t most)
{
    const size_t begin = text->size > 0 ? line_at(text, text->size - 1) : 0;
    unsigned long number = text->size > 0 ? strtoul(text->bytes + begin, NULL, 10) : 0;
    size_t rest = begin, size;
    char *line;

    while (rest < text->size && text->bytes[rest] >= '0' && text->bytes[rest] <= '9')
        rest++;
    size = text->size - rest;
    fuzz_require((line = malloc(size + 1)) != NULL);
    memcpy(line, text->bytes ? text->bytes + rest : "", size);
    for (size_t i = 0; i < n && text->size + size + 20 <= most; i++) {
        number += i % per_number == 0;
        covey_i_text_add_format(text, "%lu", number);
        covey_i_text_add(text, line, size);
    }
    free(line);
}

/* Rows of which all cells may change: each column counts in steps of its own, up to a number of its own. */
static void add_rows(covey_text *text, fuzz_input *in, size_t n, size_t most)
{
    const unsigned n_columns = 1 + fuzz_byte(in) % 6, per_number = 1 + fuzz_byte(in) % 8, style = fuzz_byte(in);
    unsigned step[6], below[6];

    for (unsigned c = 0; c < n_columns; c++) {
        step[c] = fuzz_byte(in);
        below[c] = 1 + (unsigned)fuzz_below(in, 1000);
    }
    for (size_t row = 0; row < n && text->size < most; row++) {
        if (style & 1)
            covey_i_text_add_format(text, "%zu", 1 + row / per_number);
        for (unsigned c = 0; c < n_columns; c++) {
            const unsigned value = (unsigned)(row * step[c] % below[c]);

            covey_i_text_add_string(text, c > 0 || style & 1 ? "," : "");
            covey_i_text_add_format(text, (style >> (c + 1)) & 1 ? "\"[%u, 2000]\"" : "%u", value);
        }
        covey_i_text_add_char(text, '\n');
    }
}

/* A run of one byte, or of zeros; up to 64 KiB. */
static void stretch(covey_text *text, fuzz_input *in, size_t at)
{
    const unsigned byte = fuzz_byte(in);
    const size_t n = (size_t)1 << fuzz_byte(in) % 17;
    covey_text run = COVEY_TEXT_INIT;

    add_run(&run, (char)byte, n);
    replace(text, at, 0, run.bytes, run.size);
    covey_i_text_free(&run);
}

void fuzz_step(covey_text *text, fuzz_input *in, size_t most)
{
    covey_i_text_add(text, "", 0); /* there are bytes from here on */
    switch (fuzz_byte(in) % 8) {
    case 0:
    case 1:
        add_line(text, in);
        break;
    case 2:
        repeat_line(text, 1 + fuzz_below(in, 4096), most);
        break;
    case 3: {
        const size_t n = 1 + fuzz_below(in, 8192);

        number_lines(text, n, 1 + fuzz_byte(in) % 8, most);
        break;
    }
    case 4:
        add_rows(text, in, 1 + fuzz_below(in, 4096), most);
        break;
    case 5:
        stretch(text, in, text->size);
        break;
    default:
        fuzz_edit(text, in, most);
    }
}

void fuzz_grow(covey_text *text, fuzz_input *in, size_t most)
{
    while (in->at < in->end && text->size < most)
        fuzz_step(text, in, most);
    cut_at(text, most);
    fuzz_require(!text->broken);
}

/* --- changing --- */

static void swap_lines(covey_text *text, size_t one, size_t two)
{
    const size_t a = line_at(text, one), b = line_at(text, two), first = a < b ? a : b, second = a < b ? b : a;
    const size_t end = line_end(text, second), n = line_end(text, first) - first;
    covey_text both = COVEY_TEXT_INIT;

    if (first == second)
        return;
    covey_i_text_add(&both, text->bytes + second, end - second);
    covey_i_text_add(&both, text->bytes + first + n, second - first - n);
    covey_i_text_add(&both, text->bytes + first, n);
    replace(text, first, end - first, both.bytes, both.size);
    covey_i_text_free(&both);
}

void fuzz_edit(covey_text *text, fuzz_input *in, size_t most)
{
    static const char *const texts[] = {"",
                                        "*",
                                        "0",
                                        "1",
                                        "2",
                                        "-1",
                                        "\"\"",
                                        "\"7\"",
                                        "null",
                                        "NaN",
                                        "1e308",
                                        "-3.125",
                                        "1/3",
                                        "{a, b}",
                                        "\"{a, b}\"",
                                        "[1, 2]",
                                        "\"[1, 2]\"",
                                        "\"[9, 2]\"",
                                        "4294967296",
                                        "99999999999999999999",
                                        "0.00000000000000001",
                                        "\"b\nc\"",
                                        "2001-02-29",
                                        "\xC3"};
    const unsigned what = fuzz_byte(in) % 9;
    const size_t at = fuzz_below(in, text->size);

    if (text->size == 0 || text->size > most)
        return;
    switch (what) {
    case 0:
        text->bytes[at] = (char)fuzz_byte(in);
        break;
    case 1:
        stretch(text, in, at);
        break;
    case 2:
        replace(text, at, fuzz_below(in, text->size - at), "", 0);
        break;
    case 3: { /* a cell becomes what another is */
        const size_t from = cell_at(text, fuzz_below(in, text->size)), to = cell_at(text, at);

        replace(text, to, cell_end(text, to) - to, text->bytes + from, cell_end(text, from) - from);
        break;
    }
    case 4: { /* or one of these */
        const char *put = texts[fuzz_byte(in) % (sizeof texts / sizeof *texts)];
        const size_t to = cell_at(text, at);

        replace(text, to, cell_end(text, to) - to, put, strlen(put));
        break;
    }
    case 5: /* a row comes twice */
        replace(text, line_at(text, at), 0, text->bytes + line_at(text, at), line_end(text, at) - line_at(text, at));
        break;
    case 6: /* or not at all */
        replace(text, line_at(text, at), line_end(text, at) - line_at(text, at), "", 0);
        break;
    case 7:
        swap_lines(text, at, fuzz_below(in, text->size));
        break;
    default:
        cut_at(text, at);
    }
    fuzz_require(!text->broken);
}

/* --- JSON --- */

/* The n-th value of a document that is no object or array becomes another; what is left of n otherwise. */
static size_t change_value(json_t *at, size_t n, json_t *value)
{
    void *next;
    const char *key;
    size_t index;
    json_t *child;

    json_object_foreach_safe(at, next, key, child)
    {
        if (json_is_object(child) || json_is_array(child))
            n = change_value(child, n, value);
        else if (n-- == 0)
            json_object_set(at, key, value);
        if (n == SIZE_MAX)
            return n;
    }
    json_array_foreach(at, index, child)
    {
        if (json_is_object(child) || json_is_array(child))
            n = change_value(child, n, value);
        else if (n-- == 0)
            json_array_set(at, index, value);
        if (n == SIZE_MAX)
            return n;
    }
    return n;
}

void fuzz_edit_json(covey_text *text, fuzz_input *in)
{
    static const char *const values[] = {"0",
                                         "1",
                                         "-1",
                                         "2",
                                         "7",
                                         "36",
                                         "4294967296",
                                         "9223372036854775807",
                                         "1e308",
                                         "0.5",
                                         "1e-9",
                                         "null",
                                         "true",
                                         "false",
                                         "\"\"",
                                         "\"1/3\"",
                                         "\"*\"",
                                         "\"age\"",
                                         "\"pay\"",
                                         "\"illness\"",
                                         "\"table.csv\"",
                                         "\"hierarchies/edu.csv\"",
                                         "[]",
                                         "{}",
                                         "[0, 1]",
                                         "\"range\"",
                                         "\"text\"",
                                         "\"sensitive\"",
                                         "\"generalized\"",
                                         "\"k-anonymity\"",
                                         "\"1000000000000/3\"",
                                         "\"99999999999999999999\""};
    const size_t n = fuzz_below(in, 400);
    json_t *root = json_loadb(text->bytes, text->size, 0, NULL);
    json_t *value = json_loads(values[fuzz_byte(in) % (sizeof values / sizeof *values)], JSON_DECODE_ANY, NULL);
    char *bytes;

    if (root) {
        change_value(root, n, value);
        bytes = json_dumps(root, 0);
        covey_i_text_clear(text);
        covey_i_text_add_string(text, bytes);
        free(bytes);
    }
    json_decref(value);
    json_decref(root);
}
