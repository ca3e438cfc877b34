/* Reading the cells of a chunk.
 *
 * Where no blanks are to be trimmed, the ends of a batch's cells are found first (marks.h); then cells do not wait for
 * each other, and are looked up column by column, each with one dictionary in the cache.  Everything else goes cell by
 * cell: one load of eight bytes both finds the end of a short cell and packs the cell into its dictionary key, so that
 * a cell of up to 7 bytes costs a few dozen instructions without a loop.  Finding a byte in a word: [Mycroft87], in
 * Warren, Hacker's Delight, section 6-1; the lowest mark is exact, marks above it may be false, and only the lowest is
 * used. */
#include "io/csv/scan.h"

#include "base/alloc.h"
#include "base/codes.h"

enum { BATCH_CELLS = 1 << 15, LEAST_BATCH = 64, MOST_BATCH = 4096 };

static const uint64_t ONES = 0x0101010101010101u, HIGHS = 0x8080808080808080u;

/* The high bit of each byte of word that equals the byte repeated in pattern. */
static inline uint64_t marks(uint64_t word, uint64_t pattern)
{
    const uint64_t x = word ^ pattern;

    return (x - ONES) & ~x & HIGHS;
}

/* Where a cell is and where it stops. */
struct cell {
    const char *bytes;
    uint64_t size;
    const char *stop;      /* the delimiter or line end behind it, or the end of the chunk */
    int64_t n_line_breaks; /* inside */
    bool wrong;
};

static bool is_watched(const covey_csv_scanner *s, size_t c)
{
    return s->sample && s->sample[c].hash;
}

static inline bool is_key(const covey_csv_scanner *s, size_t c)
{
    return s->key && s->is_key[c];
}

static bool make_room(covey_csv_scanner *s)
{
    size_t rows = BATCH_CELLS / s->n_columns;

    if (s->batch_rows > 0)
        return true;
    rows = rows < LEAST_BATCH ? LEAST_BATCH : rows > MOST_BATCH ? MOST_BATCH : rows;
    if (!(s->batch = covey_i_array(s->n_columns * rows, sizeof *s->batch)) ||
        !covey_i_csv_marks_new(&s->marks, s->n_columns * rows))
        return false;
    s->batch_rows = rows;
    return true;
}

static bool is_blank(const covey_csv_scanner *s, char c)
{
    return (c == ' ' || c == '\t') && c != s->delimiter;
}

/* Does a cell end at p, before a delimiter, LF, CRLF or the end? */
static bool ends_at(const covey_csv_scanner *s, const char *p, const char *end)
{
    return p == end || *p == s->delimiter || *p == '\n' || (*p == '\r' && end - p >= 2 && p[1] == '\n');
}

static int64_t count_line_breaks(const char *p, const char *end)
{
    int64_t n = 0;

    for (; (p = memchr(p, '\n', (size_t)(end - p))); p++)
        n++;
    return n;
}

/* Undoes doubled quotes; opening is behind the opening quote, quote the first of a pair.  Returns the closing quote,
 * NULL if there is none. */
static const char *collect_quoted(covey_csv_scanner *s, const char *opening, const char *quote, const char *end)
{
    covey_i_text_clear(&s->cell);
    for (;;) {
        covey_i_text_add(&s->cell, opening, (size_t)(quote - opening));
        if (quote + 1 >= end || quote[1] != '"')
            break;
        covey_i_text_add_char(&s->cell, '"');
        opening = quote + 2;
        if (!(quote = memchr(opening, '"', (size_t)(end - opening))))
            return NULL;
    }
    covey_i_text_reserve(&s->cell, 8); /* keys are loaded in whole words */
    return quote;
}

/* A cell that begins with a quote at p. */
static struct cell quoted_cell(covey_csv_scanner *s, const char *p, const char *end)
{
    struct cell cell = {.bytes = p + 1, .wrong = true};
    const char *quote = memchr(p + 1, '"', (size_t)(end - (p + 1)));

    if (!quote)
        return cell;
    cell.size = (uint64_t)(quote - cell.bytes);
    if (quote + 1 < end && quote[1] == '"') {
        if (!(quote = collect_quoted(s, cell.bytes, quote, end)))
            return cell;
        if (s->cell.broken) {
            s->out_of_memory = true;
            return cell;
        }
        cell.bytes = s->cell.bytes;
        cell.size = s->cell.size;
    }
    cell.n_line_breaks = count_line_breaks(p, quote);
    cell.stop = quote + 1;
    while (s->trim && cell.stop < end && is_blank(s, *cell.stop))
        cell.stop++;
    cell.wrong = !ends_at(s, cell.stop, end);
    return cell;
}

/* Any cell: quoted, with blanks to be trimmed, or longer than 7 bytes. */
static struct cell any_cell(covey_csv_scanner *s, const char *p, const char *end)
{
    const uint64_t delimiter = ONES * (unsigned char)s->delimiter, line_feed = ONES * '\n', quote = ONES * '"';
    struct cell cell = {.bytes = p};
    uint64_t hit = 0;

    while (s->trim && p < end && is_blank(s, *p))
        p++;
    if (p < end && *p == '"')
        return quoted_cell(s, p, end);
    cell.bytes = cell.stop = p;
    for (; cell.stop < end; cell.stop += 8) {
        const uint64_t word = covey_i_load_word(cell.stop);

        if ((hit = marks(word, delimiter) | marks(word, line_feed) | marks(word, quote))) {
            cell.stop += __builtin_ctzll(hit) >> 3;
            break;
        }
    }
    if (cell.stop > end)
        cell.stop = end;
    cell.wrong = cell.stop < end && *cell.stop == '"';
    if (cell.stop < end && *cell.stop == '\n' && cell.stop > cell.bytes && cell.stop[-1] == '\r')
        cell.stop--;
    cell.size = (uint64_t)(cell.stop - cell.bytes);
    while (s->trim && cell.size > 0 && is_blank(s, cell.bytes[cell.size - 1]))
        cell.size--;
    return cell;
}

static bool remember_long_row(covey_csv_chunk *chunk, int64_t row, int64_t n_line_breaks)
{
    if (chunk->n_long > 0 && chunk->long_row[chunk->n_long - 1] == row) {
        chunk->long_extra[chunk->n_long - 1] += n_line_breaks;
        return true;
    }
    if (chunk->n_long == chunk->long_capacity) {
        const size_t capacity = chunk->long_capacity ? 2 * chunk->long_capacity : 16;
        int64_t *rows = covey_i_realloc(chunk->long_row, capacity, sizeof *rows), *extra;

        if (!rows)
            return false;
        chunk->long_row = rows;
        if (!(extra = covey_i_realloc(chunk->long_extra, capacity, sizeof *extra)))
            return false;
        chunk->long_extra = extra;
        chunk->long_capacity = capacity;
    }
    chunk->long_row[chunk->n_long] = row;
    chunk->long_extra[chunk->n_long++] = n_line_breaks;
    return true;
}

/* The slow way through one cell: its code; NULL as *p if the chunk is refused. */
static uint32_t code_of_any_cell(const char **p, covey_csv_chunk *chunk, covey_csv_scanner *s, size_t c, int64_t row)
{
    struct cell cell = any_cell(s, *p, chunk->end);

    if (cell.wrong || s->out_of_memory || cell.size > INT32_MAX) {
        *p = NULL;
        return 0;
    }
    if (cell.n_line_breaks && !remember_long_row(chunk, row, cell.n_line_breaks)) {
        s->out_of_memory = true;
        *p = NULL;
        return 0;
    }
    *p = cell.stop;
    if (is_watched(s, c))
        covey_i_value_sample_add(&s->sample[c], cell.bytes, cell.size);
    if (!s->kept[c])
        return 0;
    return is_key(s, c) ? covey_i_key_number(&s->key[c], cell.bytes, (uint32_t)cell.size)
                        : covey_i_dictionary_code(&s->dictionary[c], cell.bytes, (uint32_t)cell.size);
}

/* The code of a cell that is kept, of at most 7 bytes of the word that it begins with. */
static inline uint32_t code_of_short_cell(covey_csv_scanner *s, size_t c, const char *bytes, uint64_t word,
                                          uint32_t size)
{
    return is_key(s, c) ? covey_i_key_number(&s->key[c], bytes, size)
                        : covey_i_dictionary_packed(&s->dictionary[c], covey_i_first_bytes(word, size), size, bytes);
}

/* Reads at most batch_rows records from p; returns where the next begins, NULL if one is wrong. */
static inline const char *scan_batch(size_t *n_rows, const char *p, covey_csv_chunk *chunk, covey_csv_scanner *s,
                                     const bool may_be_quoted, const bool trim)
{
    const uint64_t delimiter = ONES * (unsigned char)s->delimiter, line_feed = ONES * '\n', quote = ONES * '"';
    const size_t n_columns = s->n_columns, batch_rows = s->batch_rows;
    const char *const end = chunk->end;
    size_t row = 0;

    for (; row < batch_rows && p < end; row++) {
        uint32_t *codes = s->batch + row;

        for (size_t c = 0; c < n_columns; c++, codes += batch_rows) {
            const uint64_t word = covey_i_load_word(p);
            const uint64_t hit =
                marks(word, delimiter) | marks(word, line_feed) | (may_be_quoted ? marks(word, quote) : 0);
            const uint32_t size = (uint32_t)__builtin_ctzll(hit | (uint64_t)1 << 63) >> 3;
            const char stop = p[size];

            /* A CR is left to the slow way, but for a line's last cell, where it is the usual thing in files from
             * Windows. */
            if (hit && stop == s->delimiter && c + 1 < n_columns && !trim) {
                if (s->kept[c])
                    *codes = code_of_short_cell(s, c, p, word, size);
                else if (is_watched(s, c))
                    covey_i_value_sample_add(&s->sample[c], p, size);
                p += size + 1;
                continue;
            }
            if (hit && stop == '\n' && c + 1 == n_columns && !trim) {
                const uint32_t n = size - (size > 0 && p[size - 1] == '\r');

                if (s->kept[c])
                    *codes = code_of_short_cell(s, c, p, word, n);
                else if (is_watched(s, c))
                    covey_i_value_sample_add(&s->sample[c], p, n);
                p += size;
            } else {
                *codes = code_of_any_cell(&p, chunk, s, c, chunk->n_rows + (int64_t)row);
            }
            if (!p)
                return NULL;
            if (c + 1 < n_columns) {
                if (p == end || *p != s->delimiter)
                    return NULL; /* too few cells */
                p++;
            } else if (p < end) {
                if (*p == s->delimiter)
                    return NULL; /* too many */
                p += *p == '\r' ? 2 : 1;
            }
        }
    }
    *n_rows = row;
    return p;
}

/* A cell of a batch as it stands in the file, but for quotes around it and the CR of the line's end. */
struct marked {
    const char *bytes;
    uint32_t size;
    bool wrong; /* a CR behind the closing quote */
};

/* Cell i of the batch that begins at start; quotes stand around whole cells only. */
static inline struct marked marked_cell(const uint32_t *end, size_t i, const char *start, bool is_last, bool has_quotes)
{
    const uint32_t from = end[i] + 1;
    struct marked cell = {start + from, end[i + 1] - from, false};

    if (is_last && cell.size > 0 && cell.bytes[cell.size - 1] == '\r')
        cell.size--;
    if (has_quotes && cell.size > 0 && *cell.bytes == '"') {
        cell.wrong = cell.size < 2 || cell.bytes[cell.size - 1] != '"';
        cell.bytes++;
        cell.size -= 2;
    }
    return cell;
}

/* Looks a column's cells up.  False if one of them needs work after all. */
static inline bool code_cells(covey_csv_scanner *s, size_t c, const char *start, size_t n_rows, const bool is_last,
                              const bool has_quotes)
{
    const uint32_t *end = s->marks.end;
    const size_t n_columns = s->n_columns;
    uint32_t *codes = s->batch + c * s->batch_rows;
    covey_dictionary *d = &s->dictionary[c];
    const covey_dictionary_slot *slots = d->slot;
    int shift = d->shift;

    for (size_t row = 0, i = c; row < n_rows; row++, i += n_columns) {
        const struct marked cell = marked_cell(end, i, start, is_last, has_quotes);
        uint32_t code_1 = 0;

        if (has_quotes && cell.wrong)
            return false;
        if (cell.size <= COVEY_DICTIONARY_PACKED)
            code_1 = covey_i_dictionary_in_place(
                slots, shift, covey_i_first_bytes(covey_i_load_word(cell.bytes), cell.size), cell.size);
        if (code_1) {
            codes[row] = code_1 - 1;
        } else {
            codes[row] = covey_i_dictionary_code(d, cell.bytes, cell.size);
            slots = d->slot;
            shift = d->shift;
        }
    }
    return true;
}

/* The same for keys. */
static inline bool number_cells(covey_csv_scanner *s, size_t c, const char *start, size_t n_rows, const bool is_last,
                                const bool has_quotes)
{
    const uint32_t *end = s->marks.end;
    const size_t n_columns = s->n_columns;
    uint32_t *codes = s->batch + c * s->batch_rows;
    covey_key_numbers keys = s->key[c];
    bool wrong = false;

    if (!keys.has_keys && n_rows > 0) {
        const struct marked cell = marked_cell(end, c, start, is_last, has_quotes);

        if (cell.wrong)
            return false;
        covey_i_key_numbers_begin(&s->key[c], cell.bytes, cell.size);
        keys = s->key[c];
    }
    for (size_t row = 0, i = c; row < n_rows; row++, i += n_columns) {
        const struct marked cell = marked_cell(end, i, start, is_last, has_quotes);

        wrong |= cell.wrong;
        codes[row] = cell.wrong ? 0 : covey_i_key_number_next(&keys, cell.bytes, cell.size);
    }
    s->key[c] = keys;
    return !wrong;
}

/* Are the cells of a column that nobody keeps such as this way takes? */
static bool check_cells(const covey_csv_scanner *s, size_t c, const char *start, size_t n_rows)
{
    for (size_t row = 0, i = c; row < n_rows; row++, i += s->n_columns)
        if (marked_cell(s->marks.end, i, start, c + 1 == s->n_columns, true).wrong)
            return false;
    return true;
}

static bool code_column(covey_csv_scanner *s, size_t c, const char *start, size_t n_rows, bool has_quotes)
{
    if (!s->kept[c])
        return !has_quotes || check_cells(s, c, start, n_rows);
    if (is_key(s, c))
        return has_quotes ? number_cells(s, c, start, n_rows, c + 1 == s->n_columns, true)
                          : number_cells(s, c, start, n_rows, c + 1 == s->n_columns, false);
    if (has_quotes)
        return code_cells(s, c, start, n_rows, c + 1 == s->n_columns, true);
    return (c + 1 < s->n_columns) ? code_cells(s, c, start, n_rows, false, false)
                                  : code_cells(s, c, start, n_rows, true, false);
}

/* Counts the values of a column that is watched; its cells are known to be right. */
static void sample_column(covey_csv_scanner *s, size_t c, const char *start, size_t n_rows, bool has_quotes)
{
    for (size_t row = 0, i = c; row < n_rows; row++, i += s->n_columns) {
        const struct marked cell = marked_cell(s->marks.end, i, start, c + 1 == s->n_columns, has_quotes);

        covey_i_value_sample_add(&s->sample[c], cell.bytes, cell.size);
    }
}

/* Tells the processor to fetch the slots of a batch's cells: in a large dictionary each would otherwise be waited for.
 */
static void fetch_slots(const covey_csv_scanner *s, size_t c, const char *start, size_t n_rows, bool has_quotes)
{
    for (size_t row = 0, i = c; row < n_rows; row++, i += s->n_columns) {
        const struct marked cell = marked_cell(s->marks.end, i, start, c + 1 == s->n_columns, has_quotes);

        if (!cell.wrong)
            covey_i_dictionary_fetch(&s->dictionary[c], cell.bytes, cell.size);
    }
}

/* The fast way through a batch of records whose cells need no work but to take off the quotes around them; returns
 * where the next begins, NULL if this is not the way. */
static const char *scan_marks(size_t *n_rows, const char *p, const covey_csv_chunk *chunk, covey_csv_scanner *s)
{
    const size_t n_columns = s->n_columns;
    const covey_csv_marks *marks = &s->marks;
    size_t n;

    covey_i_csv_marks_find(&s->marks, p, chunk->end, s->delimiter, chunk->has_quotes, s->batch_rows * n_columns);
    n = marks->n_ends / n_columns < s->batch_rows ? marks->n_ends / n_columns : s->batch_rows;
    if (n == 0 || marks->n_line_feeds < n || !marks->simple)
        return NULL; /* the file's last line without an end, or one that is wrong; or cells that need work */
    for (size_t row = 0; row < n; row++)
        if (marks->end[(row + 1) * n_columns] != marks->line_feed[row])
            return NULL; /* too few cells or too many */
    for (size_t c = 0; c < n_columns; c++) {
        if (s->kept[c] && !is_key(s, c) && covey_i_dictionary_is_large(&s->dictionary[c]))
            fetch_slots(s, c, p, n, chunk->has_quotes);
        if (!code_column(s, c, p, n, chunk->has_quotes))
            return NULL;
    }
    for (size_t c = 0; s->sample && c < n_columns; c++) /* once it is known that no other way goes over them again */
        if (is_watched(s, c))
            sample_column(s, c, p, n, chunk->has_quotes);
    *n_rows = n;
    return p + marks->end[n * n_columns] + 1;
}

/* Moves a batch of codes into the chunk's narrow arrays. */
static bool flush(covey_csv_chunk *chunk, covey_csv_scanner *s, size_t n_rows)
{
    for (size_t c = 0; c < s->n_columns; c++) {
        const uint32_t n_values = is_key(s, c) ? UINT32_MAX : s->dictionary[c].n;

        if (!s->kept[c])
            continue;
        if (s->dictionary[c].broken || !covey_i_csv_chunk_widen(chunk, c, n_values, chunk->n_rows))
            return false;
        chunk->has_other_keys |= is_key(s, c) && s->key[c].wrong;
        covey_i_codes_pack(covey_i_codes_from(chunk->codes[c], chunk->width[c], (size_t)chunk->n_rows), chunk->width[c],
                           s->batch + c * s->batch_rows, n_rows);
    }
    chunk->n_rows += (int64_t)n_rows;
    return true;
}

void covey_i_csv_scan(covey_csv_chunk *chunk, covey_csv_scanner *s)
{
    const bool has_marks = covey_i_csv_has_marks && !s->trim;
    const char *p = chunk->start;

    chunk->codes = covey_i_array_zero(s->n_columns, sizeof *chunk->codes);
    chunk->width = covey_i_array_zero(s->n_columns, 1);
    s->out_of_memory = !chunk->codes || !chunk->width || !make_room(s);
    while (p < chunk->end && !s->out_of_memory && !chunk->has_other_keys) {
        const char *next = NULL;
        size_t n_rows = 0;

        if (has_marks && (next = scan_marks(&n_rows, p, chunk, s)))
            p = next;
        else if (s->trim)
            p = scan_batch(&n_rows, p, chunk, s, true, true);
        else if (chunk->has_quotes)
            p = scan_batch(&n_rows, p, chunk, s, true, false);
        else
            p = scan_batch(&n_rows, p, chunk, s, false, false);
        if (!p) {
            chunk->wrong = !s->out_of_memory;
            return;
        }
        if (!flush(chunk, s, n_rows))
            s->out_of_memory = true;
    }
}
