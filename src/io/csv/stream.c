/* CSV files piece by piece. */
#include "io/csv/stream.h"

#include "base/alloc.h"
#include "base/error.h"
#include "io/csv/explain.h"
#include "io/csv/reader.h"
#include "io/csv/runs.h"
#include "io/foreign.h"

struct covey_csv_stream {
    covey_csv_reader reader; /* its names and header; cursor and end are those of the piece */
    covey_csv_options options;
    char *path;
    const char *first, *end; /* row, on line first_line; of the file */
    int64_t first_line;
    size_t piece_size;
    bool is_sorted; /* probably */
};

covey_status covey_i_csv_stream_open(covey_csv_stream **out, const char *path, const covey_csv_options *options,
                                     size_t piece_size, const covey_infile_spill *spill, const covey_run *run,
                                     covey_error *err)
{
    const char *title = covey_i_foreign_title(path);
    covey_infile text = COVEY_INFILE_INIT;

    if (title)
        return covey_fail_at(err, COVEY_EINVAL, path, 0, NULL, 0, "is %s; in parts only CSV is read: save it as CSV",
                             title);
    COVEY_TRY(covey_i_csv_check_delimiter(options->delimiter, err));
    COVEY_TRY(covey_i_infile_open_input(&text, path, spill, err));
    COVEY_TRY(covey_i_csv_stream_of(out, &text, path, options, piece_size, run, err));
    (*out)->reader.most_record = spill ? spill->most_bytes : 0;
    return COVEY_OK;
}

covey_status covey_i_csv_stream_of(covey_csv_stream **out, covey_infile *text, const char *path,
                                   const covey_csv_options *options, size_t piece_size, const covey_run *run,
                                   covey_error *err)
{
    covey_csv_stream *stream = covey_i_array_zero(1, sizeof *stream);
    covey_csv_reader *r;
    covey_status status;

    if (!stream || !(stream->path = covey_i_strdup(path))) {
        covey_i_free(stream);
        covey_i_infile_close(text);
        return covey_i_no_memory(err);
    }
    stream->options = *options;
    stream->piece_size = piece_size;
    r = &stream->reader;
    *r = (covey_csv_reader){.path = stream->path, .options = &stream->options, .run = run, .file = *text};
    *text = (covey_infile)COVEY_INFILE_INIT;
    pthread_mutex_init(&r->lock, NULL);
    if ((status = covey_i_csv_check_delimiter(options->delimiter, err)) == COVEY_OK)
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

/* --- pieces --- */

/* What follows a piece's own rows and comes again with the next one. */
enum overlap { NOTHING, A_RECORD, A_RUN };

struct piece {
    covey_csv_chunk rows;
    const char *again; /* where the next one begins */
    int64_t line;      /* that it is on */
};

/* The rows of a piece; NULL: they are not for the quick way. */
static covey_status read_rows(covey_table **out, covey_csv_stream *stream, const covey_csv_chunk *rows, bool quickly,
                              covey_error *err)
{
    covey_csv_reader *r = &stream->reader;
    covey_status status;

    r->cursor = rows->start;
    r->end = rows->end;
    r->line = r->first_line = rows->first_line;
    r->chunk_size = 0;
    r->stop = false;
    r->order = quickly ? COVEY_CSV_SORTED : COVEY_CSV_ANY;
    status = quickly ? covey_i_csv_reader_sorted_rows(out, r, err) : covey_i_csv_reader_rows(out, r, err);
    covey_i_csv_reader_free_rows(r);
    covey_i_infile_drop(&r->file, (size_t)(rows->start - r->file.bytes), (size_t)(rows->end - r->file.bytes));
    return status;
}

/* The next chunk of at least so many bytes.  quickly: no cell is taken to hold a line end, and no line is counted. */
static void cut(covey_csv_chunk *chunk, covey_csv_stream *stream, size_t size, bool quickly)
{
    stream->reader.chunk_size = size;
    stream->reader.end = stream->end;
    (quickly ? covey_i_csv_reader_cut_sorted : covey_i_csv_reader_cut)(chunk, &stream->reader);
}

static void cut_piece(struct piece *p, covey_csv_stream *stream, enum overlap overlap, bool quickly)
{
    covey_csv_reader *r = &stream->reader;
    const int64_t first_line = r->line;
    covey_csv_chunk behind;

    cut(&p->rows, stream, stream->piece_size, quickly);
    p->rows.first_line = first_line;
    p->again = r->cursor;
    if (overlap == A_RECORD && p->again < stream->end) {
        cut(&behind, stream, 1, quickly);
        p->rows.end = behind.end;
    } else if (overlap == A_RUN) {
        p->again = covey_i_csv_end_of_run(p->rows.end, stream->end);
        p->rows.n_line_ends += quickly ? 0 : covey_i_csv_count_lines(p->rows.end, (size_t)(p->again - p->rows.end));
        p->rows.end = covey_i_csv_end_of_run(p->again, stream->end);
        if (p->rows.end == stream->end)
            p->again = stream->end;
    }
    p->line = first_line + p->rows.n_line_ends;
}

/* A piece that was cut off within a record that memory is not to hold. */
static covey_status check_record(const struct piece *p, const covey_csv_stream *stream, covey_error *err)
{
    const covey_csv_reader *r = &stream->reader;
    const covey_csv_source source = {
        .path = r->path, .end = stream->end, .delimiter = r->delimiter, .name = r->name, .n_columns = r->n_columns};

    if (r->most_record == 0 || (size_t)(p->rows.end - p->rows.start) < stream->piece_size + r->most_record)
        return COVEY_OK;
    return covey_i_csv_explain_size(&source, &p->rows, r->most_record, err);
}

/* Sorted rows are cut wherever a line ends: counting quotes before, on one thread, would take as long as reading.  That
 * no cell holds a line end is known when they are read; else the piece is cut again. */
static covey_status next_piece(covey_table **out, covey_csv_stream *stream, enum overlap overlap, covey_error *err)
{
    covey_csv_reader *r = &stream->reader;
    const char *const start = r->cursor;
    const int64_t first_line = r->line;
    struct piece p;

    *out = NULL;
    if (start >= stream->end)
        return COVEY_OK;
    if (stream->is_sorted) {
        cut_piece(&p, stream, overlap, true);
        COVEY_TRY(read_rows(out, stream, &p.rows, true, err));
        if (*out)
            p.line = first_line + covey_table_n_rows(*out) -
                     covey_i_csv_count_lines(p.again, (size_t)(p.rows.end - p.again));
    }
    if (!*out) {
        r->cursor = start;
        r->line = first_line;
        cut_piece(&p, stream, overlap, false);
        COVEY_TRY(check_record(&p, stream, err));
        COVEY_TRY(read_rows(out, stream, &p.rows, false, err));
    }
    r->cursor = p.again;
    r->line = p.line;
    return COVEY_OK;
}

covey_status covey_i_csv_stream_next(covey_table **out, covey_csv_stream *stream, covey_error *err)
{
    return next_piece(out, stream, NOTHING, err);
}

covey_status covey_i_csv_stream_next_overlapping(covey_table **out, covey_csv_stream *stream, covey_error *err)
{
    return next_piece(out, stream, A_RECORD, err);
}

covey_status covey_i_csv_stream_next_runs(covey_table **out, covey_csv_stream *stream, covey_error *err)
{
    return next_piece(out, stream, A_RUN, err);
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
    if (stream->is_sorted)
        COVEY_TRY(read_rows(out, stream, &piece, true, err));
    if (!*out)
        COVEY_TRY(read_rows(out, stream, &piece, false, err));
    stream->reader.cursor = end < stream->end ? again : end;
    stream->reader.line = line;
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
