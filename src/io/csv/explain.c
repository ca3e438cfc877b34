/* Reading a chunk again to say what is wrong with it. */
#include "io/csv/explain.h"

#include <inttypes.h>
#include <string.h>

#include "base/csv_cell.h"
#include "base/plural.h"

static covey_csv_parser parser_of(const covey_csv_source *s, const covey_csv_chunk *chunk)
{
    return (covey_csv_parser){.cursor = chunk->start,
                              .end = s->end,
                              .delimiter = s->delimiter,
                              .trim = s->trim,
                              .any_bytes = true,
                              .names = s->name,
                              .n_names = s->n_columns,
                              .line = chunk->first_line,
                              .bytes = COVEY_TEXT_INIT};
}

static covey_status fail_disagreement(const covey_csv_source *s, const covey_csv_chunk *chunk, covey_error *err)
{
    return covey_fail(err, COVEY_EINTERNAL,
                      "%s: the two CSV parsers of covey disagree from line %" PRId64 " on; please report this", s->path,
                      chunk->first_line);
}

covey_status covey_i_csv_explain(const covey_csv_source *s, const covey_csv_chunk *chunk, covey_error *err)
{
    covey_csv_parser parser = parser_of(s, chunk);
    const size_t n = s->n_columns;
    covey_status status;
    bool more = true;

    while ((status = covey_i_csv_parser_next(&more, &parser, s->path, err)) == COVEY_OK && more && parser.n_fields == n)
        ;
    if (status == COVEY_OK && !more)
        status = fail_disagreement(s, chunk, err);
    else if (status == COVEY_OK && parser.blank)
        status = covey_fail_at(err, COVEY_EPARSE, s->path, parser.record_line, s->name[0], 0,
                               "a blank line, where a row of %zu cell%s was expected; delete it", n,
                               covey_i_plural((int64_t)n));
    else if (status == COVEY_OK && parser.n_fields < n)
        status = covey_fail_at(err, COVEY_EPARSE, s->path, parser.record_line, s->name[parser.n_fields], 0,
                               "column \"%s\": the row has %zu cell%s instead of %zu, this one is missing",
                               s->name[parser.n_fields], parser.n_fields, covey_i_plural((int64_t)parser.n_fields), n);
    else if (status == COVEY_OK && n == 1)
        status = covey_fail_at(err, COVEY_EPARSE, s->path, parser.record_line, s->name[0], 0,
                               "the row has %zu cells, but the first line one, \"%.60s\": is '%c' what separates the "
                               "cells? give the right one (--delimiter)",
                               parser.n_fields, s->name[0], s->delimiter == '\t' ? ' ' : s->delimiter);
    else if (status == COVEY_OK)
        status = covey_fail_at(err, COVEY_EPARSE, s->path, parser.record_line, s->name[n - 1], 0,
                               "the row has %zu cells instead of %zu; quote cells that contain the delimiter '%c'",
                               parser.n_fields, n, s->delimiter == '\t' ? ' ' : s->delimiter);
    covey_i_csv_parser_clear(&parser);
    return status;
}

covey_status covey_i_csv_fail_bytes(const char *path, int64_t line, const char *column, const char *shown, bool is_nul,
                                    covey_error *err)
{
    if (is_nul)
        return covey_fail_at(
            err, COVEY_EPARSE, path, line, column, 0,
            "column \"%s\": \"%s\" has a NUL byte; text files have none (convert UTF-16 with iconv -t UTF-8)", column,
            shown);
    return covey_fail_at(err, COVEY_EPARSE, path, line, column, 0,
                         "column \"%s\": \"%s\" is not valid UTF-8; convert the file (iconv -f LATIN1 -t UTF-8, say)",
                         column, shown);
}

/* Complains about the first bad cell of a record; COVEY_OK if there is none. */
static covey_status check_record(const covey_csv_source *s, const covey_csv_parser *parser, covey_error *err)
{
    for (size_t c = 0; c < parser->n_fields; c++) {
        const char *cell = covey_i_csv_field(parser, c);
        const size_t size = covey_i_csv_field_size(parser, c);
        const bool has_nul = memchr(cell, '\0', size);
        char shown[COVEY_CSV_SHOWN];

        if (has_nul || !covey_i_text_is_utf8(cell, size, NULL))
            return covey_i_csv_fail_bytes(s->path, parser->record_line, s->name[c],
                                          covey_i_csv_shown(shown, cell, size), has_nul, err);
    }
    return COVEY_OK;
}

covey_status covey_i_csv_explain_bytes(const covey_csv_source *s, const covey_csv_chunk *chunk, covey_error *err)
{
    covey_csv_parser parser = parser_of(s, chunk);
    covey_status status;
    bool more = true;

    while ((status = covey_i_csv_parser_next(&more, &parser, s->path, err)) == COVEY_OK && more)
        if ((status = check_record(s, &parser, err)) != COVEY_OK)
            break;
    covey_i_csv_parser_clear(&parser);
    return status == COVEY_OK ? fail_disagreement(s, chunk, err) : status;
}

/* A record as far as it was walked through. */
struct walk {
    const char *cell; /* that begins here, in the record's column */
    size_t column, longest, longest_column;
    int64_t record_line;
};

static void end_cell(struct walk *w, const char *end)
{
    const size_t size = (size_t)(end - w->cell);

    if (size > w->longest) {
        w->longest = size;
        w->longest_column = w->column;
    }
    w->cell = end + 1;
    w->column++;
}

covey_status covey_i_csv_explain_size(const covey_csv_source *s, const covey_csv_chunk *chunk, size_t most,
                                      covey_error *err)
{
    struct walk w = {.cell = chunk->start, .record_line = chunk->first_line};
    int64_t line = chunk->first_line;
    bool quoted = false;
    const char *name;

    for (const char *at = chunk->start; at < chunk->end; at++) {
        quoted ^= *at == '"';
        line += *at == '\n';
        if (!quoted && *at == '\n')
            w = (struct walk){.cell = at + 1, .record_line = line};
        else if (!quoted && *at == s->delimiter)
            end_cell(&w, at);
    }
    end_cell(&w, chunk->end);
    name = w.longest_column < s->n_columns ? s->name[w.longest_column] : "?";
    return covey_fail_at(err, COVEY_EPARSE, s->path, w.record_line, name, 0,
                         "column \"%s\": the cell goes on for %zu MiB and more (is a quote not closed?), and a row of "
                         "more than %zu MiB does not fit into the memory limit; mend the cell, or give a larger "
                         "--memory-limit",
                         name, w.longest >> 20, most >> 20);
}
