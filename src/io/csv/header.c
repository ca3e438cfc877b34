/* The beginning of a CSV file: does it look like one, and how are its columns called? */
#include "io/csv/reader.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/text.h"
#include "io/dictionary.h"

enum { MOST_FIRST_LINE = 1 << 24 };

/* Names must be there and differ, because policies call columns by name. */
static covey_status check_names(const covey_csv_reader *r, covey_error *err)
{
    covey_dictionary seen;
    covey_status status = COVEY_OK;
    covey_text name = COVEY_TEXT_INIT; /* dictionaries load whole words */
    bool ready = covey_i_dictionary_init(&seen);

    for (size_t c = 0; ready && status == COVEY_OK && c < r->n_columns; c++) {
        const size_t size = strlen(r->name[c]);

        name.size = 0;
        covey_i_text_add(&name, r->name[c], size);
        ready = covey_i_text_reserve(&name, 8);
        if (!ready)
            break;
        if (size == 0)
            status =
                covey_fail_at(err, COVEY_EPARSE, r->path, r->header.record_line, NULL, 0,
                              "column %zu has no name; the first line must name every column, or say header: false "
                              "(--header=false) if it is a row",
                              c + 1);
        else if (covey_i_dictionary_code(&seen, name.bytes, (uint32_t)size) != c && !seen.broken)
            status = covey_fail_at(err, COVEY_EPARSE, r->path, r->header.record_line, r->name[c], 0,
                                   "column \"%s\": two columns have this name; rename one%s", r->name[c],
                                   r->options->no_header ? ""
                                                         : ", or say header: false (--header=false) if the first line "
                                                           "is a row");
    }
    if (!ready || seen.broken)
        status = covey_i_no_memory(err);
    covey_i_text_free(&name);
    covey_i_dictionary_free(&seen);
    return status;
}

/* Takes the names from the first record, or numbers the columns. */
static covey_status set_names(covey_csv_reader *r, covey_error *err)
{
    const bool numbered = r->options->no_header;
    const size_t n_names = numbered ? r->options->n_names : 0;

    r->n_columns = r->header.n_fields;
    if (n_names && n_names != r->n_columns)
        return covey_fail_at(err, COVEY_EPARSE, r->path, r->header.record_line, NULL, 0,
                             "the first line has %zu cell%s, but there %s %zu name%s: one is needed for each",
                             r->n_columns, covey_i_plural((int64_t)r->n_columns), n_names == 1 ? "is" : "are", n_names,
                             covey_i_plural((int64_t)n_names));
    r->name = covey_i_array(r->n_columns, sizeof *r->name);
    r->kept = covey_i_array(r->n_columns, sizeof *r->kept);
    r->number = numbered ? covey_i_array(r->n_columns, sizeof *r->number) : NULL;
    if (!r->name || !r->kept || (numbered && !r->number))
        return covey_i_no_memory(err);
    for (size_t c = 0; c < r->n_columns; c++) {
        if (numbered)
            snprintf(r->number[c], sizeof r->number[c], "%zu", c + 1);
        r->name[c] = c < n_names && *r->options->names[c] ? r->options->names[c]
                     : numbered                           ? r->number[c]
                                                          : covey_i_csv_field(&r->header, c);
    }
    if (!numbered || n_names)
        COVEY_TRY(check_names(r, err));
    for (size_t c = 0; c < r->n_columns; c++) {
        r->kept[c] = !r->options->keep || r->options->keep(r->options->context, r->name[c]);
        r->n_kept += r->kept[c];
    }
    if (r->options->watch && !(r->watched = covey_i_array_zero(r->n_columns, sizeof *r->watched)))
        return covey_i_no_memory(err);
    if (r->options->tell_apart && !(r->is_key = covey_i_array_zero(r->n_columns, sizeof *r->is_key)))
        return covey_i_no_memory(err);
    for (size_t c = 0; r->is_key && c < r->n_columns; c++)
        r->is_key[c] = r->kept[c] && r->options->tell_apart(r->options->context, r->name[c]);
    for (size_t c = 0; r->watched && c < r->n_columns; c++)
        r->watched[c] = !r->kept[c] && r->options->watch(r->options->context, r->name[c]);
    return covey_i_table_check_width(r->path, r->n_kept, r->options->keep != NULL, err);
}

/* What a text file is that begins like no table; NULL: it may be one. */
static const char *other_kind(const char *bytes, size_t size)
{
    static const struct {
        const char *begin, *kind;
    } kinds[] = {{"<!doctype html", "a web page"}, {"<html", "a web page"}, {"<?xml", "XML"},
                 {"%pdf-", "a PDF file"},          {"{\"", "JSON"},         {"[{\"", "JSON"}};
    size_t skip = 0;

    while (skip < size && (bytes[skip] == ' ' || bytes[skip] == '\n' || bytes[skip] == '\r' || bytes[skip] == '\t'))
        skip++;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (size - skip >= strlen(kinds[i].begin) &&
            strncasecmp(bytes + skip, kinds[i].begin, strlen(kinds[i].begin)) == 0)
            return kinds[i].kind;
    return NULL;
}

/* What looks at first sight as if it were no CSV file in UTF-8. */
static covey_status check_encoding(const covey_csv_reader *r, covey_error *err)
{
    const char *bytes = r->file.bytes;
    const size_t size = r->file.size;
    const char *kind = other_kind(bytes, size);

    if (kind)
        return covey_fail_at(err, COVEY_EPARSE, r->path, 1, NULL, 0,
                             "the file is %s and no table: look at where it came from, and save the table as CSV",
                             kind);

    if (size >= 2 && (memcmp(bytes, "\xFF\xFE", 2) == 0 || memcmp(bytes, "\xFE\xFF", 2) == 0))
        return covey_fail_at(err, COVEY_EPARSE, r->path, 1, NULL, 0,
                             "the file is UTF-16; convert it (iconv -f UTF-16 -t UTF-8)");
    if (memchr(bytes, '\r', size < 65536 ? size : 65536) && !memchr(bytes, '\n', size))
        return covey_fail_at(err, COVEY_EPARSE, r->path, 1, NULL, 0,
                             "lines end in CR alone; convert them to LF (tr '\\r' '\\n')");
    return COVEY_OK;
}

/* The first record.  What has no line end for so long is no table: looking for one in all of it could take more memory
 * than there is. */
static covey_status read_first(bool *more, covey_csv_reader *r, covey_error *err)
{
    const bool is_long = r->header.end - r->header.cursor > MOST_FIRST_LINE;
    covey_status status;

    if (is_long)
        r->header.end = r->header.cursor + MOST_FIRST_LINE;
    status = covey_i_csv_parser_next(more, &r->header, r->path, err);
    if (is_long && (status == COVEY_OK ? r->header.cursor == r->header.end
                                       : status == COVEY_EPARSE && r->header.cursor == r->header.end))
        return covey_fail_at(err, COVEY_EPARSE, r->path, 1, NULL, 0,
                             "the first line has more than %d MiB; a table begins with a line of column names",
                             MOST_FIRST_LINE >> 20);
    return status;
}

static covey_status read_header(covey_csv_reader *r, covey_error *err)
{
    const char *first;
    int64_t first_line;
    bool more;
    const char guessed = covey_i_csv_guess(r->file.bytes, r->file.size);

    r->delimiter = r->options->delimiter ? r->options->delimiter : guessed;
    r->is_misguessed = r->delimiter != guessed;
    covey_i_csv_parser_init(&r->header, r->file.bytes, r->file.size, r->delimiter);
    r->header.trim = r->options->trim;
    r->end = r->header.end;
    first = r->header.cursor;
    first_line = r->header.line;
    COVEY_TRY(read_first(&more, r, err));
    if (!more)
        return covey_fail_at(err, COVEY_EPARSE, r->path, 0, NULL, 0, "the file is empty; a header line was expected");
    r->cursor = r->options->no_header ? first : r->header.cursor;
    r->line = r->first_line = r->options->no_header ? first_line : r->header.line;
    return set_names(r, err);
}

covey_status covey_i_csv_reader_begin(covey_csv_reader *r, covey_error *err)
{
    COVEY_TRY(check_encoding(r, err));
    return read_header(r, err);
}
