/* Where the text of a CSV file is cut into chunks: behind a line end outside quotes, which counting quotes at memory
 * speed finds. */
#include "io/csv/reader.h"

#include <string.h>

/* Quotes and line ends among n bytes, 16 at a time; a byte counts up to 255 before it is added up.  plain: no NUL, and
 * ASCII only. */
static void count_bytes(size_t *n_quotes, size_t *n_line_ends, bool *plain, const char *bytes, size_t n)
{
    typedef uint8_t lanes __attribute__((vector_size(16)));
    const char *end = bytes + n;
    lanes strange = {0}; /* the high bit of a byte that is none of 1 .. 127 */

    *n_quotes = *n_line_ends = 0;
    *plain = true;
    while (end - bytes >= 16) {
        lanes quotes = {0}, line_ends = {0};

        for (int i = 0; i < 255 && end - bytes >= 16; i++, bytes += 16) {
            lanes piece;

            memcpy(&piece, bytes, 16);
            quotes -= (lanes)(piece == '"');
            line_ends -= (lanes)(piece == '\n');
            strange |= piece | (piece - 1);
        }
        for (int i = 0; i < 16; i++) {
            *n_quotes += quotes[i];
            *n_line_ends += line_ends[i];
            *plain &= strange[i] < 0x80;
        }
    }
    for (; bytes < end; bytes++) {
        *n_quotes += *bytes == '"';
        *n_line_ends += *bytes == '\n';
        *plain &= (unsigned char)(*bytes - 1) < 0x7f;
    }
}

void covey_i_csv_reader_cut(covey_csv_chunk *chunk, covey_csv_reader *r)
{
    const char *end = (size_t)(r->end - r->cursor) > r->chunk_size ? r->cursor + r->chunk_size : r->end;
    const char *most = r->end;
    size_t n_quotes, n_line_ends;
    bool quoted, plain;

    count_bytes(&n_quotes, &n_line_ends, &plain, r->cursor, (size_t)(end - r->cursor));
    quoted = n_quotes % 2;
    if (r->most_record > 0 && (size_t)(most - end) > r->most_record)
        most = end + r->most_record;
    while (end < most && (quoted || end[-1] != '\n')) {
        plain &= (unsigned char)(*end - 1) < 0x7f;
        quoted ^= *end == '"';
        n_quotes += *end == '"';
        n_line_ends += *end++ == '\n';
    }
    *chunk = (covey_csv_chunk){.start = r->cursor,
                               .end = end,
                               .first_line = r->line,
                               .n_line_ends = (int64_t)n_line_ends,
                               .has_quotes = n_quotes > 0,
                               .plain = plain};
    r->cursor = end;
    r->line += (int64_t)n_line_ends;
}

int64_t covey_i_csv_count_lines(const char *bytes, size_t n)
{
    typedef uint8_t lanes __attribute__((vector_size(16)));
    enum { SIDE_BY_SIDE = 4 };
    const char *end = bytes + n;
    int64_t n_lines = 0;

    while (end - bytes >= (int)sizeof(lanes[SIDE_BY_SIDE])) {
        lanes line_ends[SIDE_BY_SIDE] = {{0}};

        for (int i = 0; i < 255 && end - bytes >= (int)sizeof line_ends; i++)
            for (int k = 0; k < SIDE_BY_SIDE; k++, bytes += sizeof(lanes)) {
                lanes piece;

                memcpy(&piece, bytes, sizeof piece);
                line_ends[k] -= (lanes)(piece == '\n');
            }
        for (int k = 0; k < SIDE_BY_SIDE; k++)
            for (size_t i = 0; i < sizeof(lanes); i++)
                n_lines += line_ends[k][i];
    }
    for (; bytes < end; bytes++)
        n_lines += *bytes == '\n';
    return n_lines;
}

void covey_i_csv_reader_cut_sorted(covey_csv_chunk *chunk, covey_csv_reader *r)
{
    const char *start = r->cursor, *feed = NULL;

    if ((size_t)(r->end - start) > r->chunk_size)
        feed = memchr(start + r->chunk_size - 1, '\n', (size_t)(r->end - start) - r->chunk_size + 1);
    r->cursor = feed ? feed + 1 : r->end;
    *chunk = (covey_csv_chunk){.start = start, .end = r->cursor};
}
