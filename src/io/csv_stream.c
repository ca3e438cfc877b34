/* CSV files piece by piece: see csv_stream.h. */
#include "io/csv_stream.h"

#include "base/alloc.h"
#include "io/csv_reader.h"
#include "io/csv_runs.h"

struct covey_csv_stream {
    covey_csv_reader reader;   /* its names and header; cursor and end are those of the piece */
    covey_csv_options options;
    char *path;
    const char *first, *end;   /* row, on line first_line; of the file */
    int64_t first_line;
    size_t piece_size;
    bool is_sorted;            /* probably */
};

covey_status covey_i_csv_stream_open(covey_csv_stream **out, const char *path, const covey_csv_options *options, size_t piece_size,
                                     const covey_run *run, covey_error *err)
{
    covey_csv_stream *stream = covey_i_array_zero(1, sizeof *stream);
    covey_csv_reader *r;
    covey_status status;

    if (!stream || !(stream->path = covey_i_strdup(path))) {
        covey_i_free(stream);
        return covey_fail(err, COVEY_ENOMEM, "%s: reading a table", path);
    }
    stream->options = *options;
    stream->piece_size = piece_size;
    r = &stream->reader;
    *r = (covey_csv_reader){.path = stream->path, .options = &stream->options, .run = run};
    pthread_mutex_init(&r->lock, NULL);
    if ((status = covey_i_csv_check_delimiter(options->delimiter, err)) == COVEY_OK &&
        (status = covey_i_infile_open(&r->file, path, err)) == COVEY_OK)
        status = covey_i_csv_reader_begin(r, err);
    stream->first = r->cursor;
    stream->first_line = r->line;
    stream->end = r->end;
    if (status == COVEY_OK)
        *out = stream;
    else
        covey_i_csv_stream_close(stream);
    return status;
}

void covey_i_csv_stream_expect_sorted(covey_csv_stream *stream)
{
    stream->is_sorted = true;
}

bool covey_i_csv_stream_is_in_memory(const covey_csv_stream *stream)
{
    return stream->reader.file.owned != NULL;
}

uint64_t covey_i_csv_stream_size(const covey_csv_stream *stream)
{
    return stream->reader.file.size;
}

/* The rows of a piece. */
static covey_status read_piece(covey_table **out, covey_csv_stream *stream, const covey_csv_chunk *piece, covey_error *err)
{
    covey_csv_reader *r = &stream->reader;
    covey_status status;

    r->cursor = piece->start;
    r->end = piece->end;
    r->line = r->first_line = piece->first_line;
    r->chunk_size = 0;
    r->order = stream->is_sorted ? COVEY_CSV_SORTED : COVEY_CSV_ANY;
    status = covey_i_csv_reader_rows(out, r, err);
    covey_i_csv_reader_free_rows(r);
    covey_i_infile_drop(&r->file, (size_t)(piece->start - r->file.bytes), (size_t)(piece->end - r->file.bytes));
    r->cursor = piece->end;
    r->line = piece->first_line + piece->n_line_ends;
    return status;
}

/* A piece of at least so many bytes. */
static void cut(covey_csv_chunk *piece, covey_csv_stream *stream, size_t size)
{
    stream->reader.chunk_size = size;
    stream->reader.end = stream->end;
    covey_i_csv_reader_cut(piece, &stream->reader);
}

static void cut_piece(covey_csv_chunk *piece, covey_csv_stream *stream)
{
    cut(piece, stream, stream->piece_size);
}

covey_status covey_i_csv_stream_next(covey_table **out, covey_csv_stream *stream, covey_error *err)
{
    covey_csv_chunk piece;

    *out = NULL;
    if (stream->reader.cursor >= stream->end)
        return COVEY_OK;
    cut_piece(&piece, stream);
    return read_piece(out, stream, &piece, err);
}

covey_status covey_i_csv_stream_next_overlapping(covey_table **out, covey_csv_stream *stream, covey_error *err)
{
    covey_csv_chunk piece, behind;
    const char *again;
    int64_t line;

    *out = NULL;
    if (stream->reader.cursor >= stream->end)
        return COVEY_OK;
    cut_piece(&piece, stream);
    again = stream->reader.cursor;
    line = stream->reader.line;
    if (again < stream->end) {
        cut(&behind, stream, 1);
        piece.end = behind.end;
        piece.n_line_ends += behind.n_line_ends;
    }
    COVEY_TRY(read_piece(out, stream, &piece, err));
    stream->reader.cursor = again;
    stream->reader.line = line;
    return COVEY_OK;
}

covey_status covey_i_csv_stream_next_runs(covey_table **out, covey_csv_stream *stream, covey_error *err)
{
    covey_csv_chunk piece;
    const char *again;
    int64_t line;

    *out = NULL;
    if (stream->reader.cursor >= stream->end)
        return COVEY_OK;
    cut_piece(&piece, stream);
    again = covey_i_csv_end_of_run(piece.end, stream->end);
    line = piece.first_line + piece.n_line_ends + covey_i_csv_count_lines(piece.end, (size_t)(again - piece.end));
    piece.end = covey_i_csv_end_of_run(again, stream->end);
    COVEY_TRY(read_piece(out, stream, &piece, err));
    stream->reader.cursor = piece.end < stream->end ? again : stream->end;
    stream->reader.line = line;
    return COVEY_OK;
}

covey_status covey_i_csv_stream_next_to(covey_table **out, covey_csv_stream *stream, uint64_t number, covey_error *err)
{
    const char *start = stream->reader.cursor, *again, *end;
    covey_csv_chunk piece = {.start = start, .first_line = stream->reader.line};
    int64_t line;

    *out = NULL;
    if (start >= stream->end)
        return COVEY_OK;
    if ((end = covey_i_csv_end_of_runs(start, stream->end, number)) == start)
        return COVEY_OK;
    again = number > 0 ? covey_i_csv_end_of_runs(start, end, number - 1) : start;
    piece.end = end;
    line = piece.first_line + covey_i_csv_count_lines(start, (size_t)(again - start));
    piece.n_line_ends = line - piece.first_line + covey_i_csv_count_lines(again, (size_t)(end - again));
    COVEY_TRY(read_piece(out, stream, &piece, err));
    if (end < stream->end) {
        stream->reader.cursor = again;
        stream->reader.line = line;
    }
    return COVEY_OK;
}

bool covey_i_csv_stream_is_at_end(const covey_csv_stream *stream)
{
    return stream->reader.cursor >= stream->end;
}

void covey_i_csv_stream_rewind(covey_csv_stream *stream)
{
    stream->reader.cursor = stream->first;
    stream->reader.line = stream->first_line;
}

covey_status covey_i_csv_stream_unchanged(const covey_csv_stream *stream, covey_error *err)
{
    return covey_i_infile_unchanged(&stream->reader.file, stream->path, err);
}

void covey_i_csv_stream_close(covey_csv_stream *stream)
{
    if (!stream)
        return;
    covey_i_csv_reader_free(&stream->reader);
    covey_i_infile_close(&stream->reader.file);
    covey_i_free(stream->path);
    covey_i_free(stream);
}
