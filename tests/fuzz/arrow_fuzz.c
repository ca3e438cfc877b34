/* Arrow streams from strangers. Who makes a stream is believed the sizes of its buffers, as the interface has no
 * others; types, values, offsets, views, indices, missing values and metadata are the fuzzer's. What is read is a table
 * that comes back from the CSV file with its cells. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <covey/arrow.h>
#include <covey/io.h>

#include "base/text.h"
#include "kit.h"
#include "table/table_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_COLUMNS = 3, MOST_BATCHES = 3, MOST_ROWS = 24, MOST_BYTES = 300, MOST_BUFFERS = 5, MOST_METADATA = 400 };

static const char *const formats[] = {
    "n",   "b",   "c",    "C",       "s",     "S",       "i",        "I",          "l",      "L",
    "e",   "f",   "g",    "u",       "U",     "vu",      "tdD",      "tdm",        "tts",    "ttm",
    "ttu", "ttn", "tss:", "tsm:UTC", "tsu:",  "tsn:CET", "d:9,2,32", "d:18,-3,64", "d:38,2", "d:76,9,256",
    "z",   "+l",  "+s",   "tDs",     "d:1,x", "w:3",     ""};
static const char *const names[] = {"a", "b", "c", "", "\xff", "a"};
static const char *const keys[] = {"covey.label",  "covey.value_labels", "covey.missing", "covey.format",
                                   "covey.source", "covey.measure",      "covey.",        "pandas"};
static const char *const values[] = {
    "{\"1\": \"male\"}", "[9, {\"lo\": 1, \"hi\": null}]", "{", "[]", "", "x", "[[[[", "\xff"};

enum { N_FORMATS = sizeof formats / sizeof *formats };

/* Everything that one stream hands out; it lies in the heap piece by piece, so that each bound is watched. */
struct made {
    struct ArrowSchema schema, column[MOST_COLUMNS], label[MOST_COLUMNS], *columns[MOST_COLUMNS];
    struct ArrowArray batch[MOST_BATCHES], part[MOST_BATCHES][MOST_COLUMNS], values[MOST_BATCHES][MOST_COLUMNS],
        *parts[MOST_BATCHES][MOST_COLUMNS];
    const void *buffers[MOST_BATCHES][MOST_COLUMNS + 1][2][MOST_BUFFERS];
    void *piece[4 * MOST_BATCHES * (MOST_COLUMNS + 1) * MOST_BUFFERS];
    size_t n_pieces;
    int n_batches, n_given, n_released;
    bool fails;
};

static void *piece(struct made *m, size_t size)
{
    void *bytes = malloc(size ? size : 1);

    fuzz_require(bytes && m->n_pieces < sizeof m->piece / sizeof *m->piece);
    return m->piece[m->n_pieces++] = bytes;
}

static void *random_bytes(struct made *m, fuzz_input *in, size_t size)
{
    unsigned char *bytes = piece(m, size);
    const bool repeats = fuzz_byte(in) & 1; /* a short input makes a large table */
    const unsigned first = fuzz_byte(in);

    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(repeats ? (i % 8 == 0 ? first + i / 8 : 0) : fuzz_byte(in));
    return bytes;
}

/* Bytes of a value; 0: of none, or of bits. */
static size_t width_of(const char *format)
{
    static const char letters[] = "cCsSiIlLefgu";
    static const size_t widths[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 4};
    const char *at = format[0] && !format[1] ? strchr(letters, format[0]) : NULL;

    if (at)
        return widths[at - letters];
    if (strncmp(format, "d:", 2) == 0)
        return 32;
    return strcmp(format, "vu") == 0 ? 16 : 8;
}

/* Where texts lie: the last offset is true, the others are the fuzzer's. */
static void make_texts(struct made *m, fuzz_input *in, const void **buffer, size_t width, size_t n)
{
    char *offsets = random_bytes(m, in, (n + 1) * width);
    const int64_t n_bytes = (int64_t)fuzz_below(in, MOST_BYTES);

    if (fuzz_byte(in) & 3) { /* mostly as they should be */
        for (size_t i = 0; i < n; i++) {
            const int64_t at = n_bytes * (int64_t)i / (int64_t)(n + 1);

            memcpy(offsets + i * width, &at, width);
        }
    }
    memcpy(offsets + n * width, &n_bytes, width);
    buffer[1] = offsets;
    buffer[2] = random_bytes(m, in, (size_t)n_bytes);
}

static void make_views(struct made *m, fuzz_input *in, const void **buffer, size_t n)
{
    int64_t *lengths = piece(m, sizeof *lengths);

    *lengths = (int64_t)fuzz_below(in, MOST_BYTES);
    buffer[1] = random_bytes(m, in, n * 16);
    buffer[2] = random_bytes(m, in, (size_t)*lengths);
    buffer[3] = lengths;
}

static void make_array(struct made *m, fuzz_input *in, struct ArrowArray *array, const void **buffer,
                       const char *format, int64_t n_rows)
{
    const int64_t offset = fuzz_byte(in) % 4 == 0 ? fuzz_byte(in) % 9 : 0;
    const size_t n = (size_t)(n_rows + offset);

    *array = (struct ArrowArray){
        .length = n_rows, .offset = offset, .null_count = -1, .n_buffers = MOST_BUFFERS - 1, .buffers = buffer};
    buffer[0] = fuzz_byte(in) & 1 ? random_bytes(m, in, n / 8 + 1) : NULL;
    if (strcmp(format, "u") == 0 || strcmp(format, "U") == 0)
        make_texts(m, in, buffer, format[0] == 'u' ? 4 : 8, n);
    else if (strcmp(format, "vu") == 0)
        make_views(m, in, buffer, n);
    else
        buffer[1] = random_bytes(m, in, n * width_of(format) + 1);
    if (fuzz_byte(in) == 77)
        array->n_buffers = fuzz_byte(in) % 3;
}

static char *add_number(char *at, size_t number)
{
    const int32_t n = (int32_t)number;

    memcpy(at, &n, sizeof n);
    return at + sizeof n;
}

static char *add_text(char *at, const char *text)
{
    const size_t n = strlen(text);

    memcpy(add_number(at, n), text, n);
    return at + sizeof(int32_t) + n;
}

static const char *make_metadata(struct made *m, fuzz_input *in)
{
    const size_t n = fuzz_byte(in) % 4;
    char *bytes, *at;

    if (n == 0)
        return NULL;
    bytes = piece(m, MOST_METADATA);
    at = add_number(bytes, n);
    for (size_t i = 0; i < n; i++) {
        at = add_text(at, keys[fuzz_byte(in) % (sizeof keys / sizeof *keys)]);
        at = add_text(at, values[fuzz_byte(in) % (sizeof values / sizeof *values)]);
    }
    return bytes;
}

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void release_batch(struct ArrowArray *batch)
{
    ++*(int *)batch->private_data;
    batch->release = NULL;
}

static void make(struct made *m, fuzz_input *in)
{
    const int64_t n_columns = fuzz_byte(in) % (MOST_COLUMNS + 1);

    m->schema = (struct ArrowSchema){.format = fuzz_byte(in) == 9 ? "i" : "+s",
                                     .name = "",
                                     .metadata = make_metadata(m, in),
                                     .n_children = n_columns,
                                     .children = m->columns,
                                     .release = release_schema};
    for (int64_t c = 0; c < n_columns; c++) {
        const unsigned odd = fuzz_byte(in);

        m->column[c] = (struct ArrowSchema){.format = formats[fuzz_byte(in) % N_FORMATS],
                                            .name = odd > 250 ? names[odd - 250] : names[c],
                                            .metadata = make_metadata(m, in)};
        m->columns[c] = &m->column[c];
        if (fuzz_byte(in) % 4 == 0) {
            m->label[c] = (struct ArrowSchema){.format = formats[fuzz_byte(in) % N_FORMATS], .name = ""};
            m->column[c].dictionary = &m->label[c];
        }
    }
    m->n_batches = (int)(fuzz_byte(in) % (MOST_BATCHES + 1));
    for (int b = 0; b < m->n_batches; b++) {
        const int64_t n_rows = fuzz_byte(in) % MOST_ROWS;

        for (int64_t c = 0; c < n_columns; c++) {
            make_array(m, in, &m->part[b][c], m->buffers[b][c][0], m->column[c].format, n_rows);
            m->parts[b][c] = &m->part[b][c];
            if (!m->column[c].dictionary)
                continue;
            make_array(m, in, &m->values[b][c], m->buffers[b][c][1], m->label[c].format, fuzz_byte(in) % MOST_ROWS);
            m->part[b][c].dictionary = fuzz_byte(in) == 5 ? NULL : &m->values[b][c];
        }
        m->buffers[b][MOST_COLUMNS][0][0] = fuzz_byte(in) == 6 ? random_bytes(m, in, MOST_ROWS / 8 + 1) : NULL;
        m->batch[b] = (struct ArrowArray){.length = n_rows,
                                          .null_count = -1,
                                          .n_buffers = 1,
                                          .buffers = m->buffers[b][MOST_COLUMNS][0],
                                          .n_children = n_columns - (fuzz_byte(in) == 7 && n_columns > 0),
                                          .children = m->parts[b],
                                          .release = release_batch,
                                          .private_data = &m->n_released};
    }
    m->fails = fuzz_byte(in) == 8;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    *out = ((struct made *)stream->private_data)->schema;
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct made *m = stream->private_data;

    out->release = NULL;
    if (m->n_given < m->n_batches)
        *out = m->batch[m->n_given++];
    else if (m->fails)
        return 5;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "torn";
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

/* A table is what its file gives. */
static void check_table(const covey_table *table)
{
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    covey_table *again = NULL;
    covey_error err = {0};
    char path[256];
    size_t bad;

    fuzz_path(path, sizeof path, "arrow.csv");
    remove(path);
    fuzz_require(covey_csv_write(table, path, ',', NULL, &err) == COVEY_OK);
    options.delimiter = ',';
    if (covey_csv_read(&again, path, &options, NULL, &err) != COVEY_OK)
        abort();
    fuzz_require(covey_table_n_rows(again) == table->n_rows && covey_table_n_columns(again) == table->n_columns);
    for (size_t c = 0; c < table->n_columns; c++)
        for (int64_t row = 0; row < table->n_rows; row++) {
            const covey_column *column = covey_table_column(table, c), *other = covey_table_column(again, c);
            const char *label = covey_column_label(column, covey_column_code(column, row));

            fuzz_require(covey_column_code(column, row) < column->n_values);
            fuzz_require(covey_i_text_is_utf8(label, strlen(label), &bad));
            fuzz_require(strcmp(label, covey_column_label(other, covey_column_code(other, row))) == 0);
        }
    covey_table_free(again);
    remove(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, data + size};
    struct made *m = calloc(1, sizeof *m);
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    covey_arrow_data *arrow = NULL;
    covey_table *table = NULL;
    covey_error err = {0};

    fuzz_require(m != NULL);
    options.trim = fuzz_byte(&in) % 4 == 0;
    make(m, &in);
    if (covey_arrow_data_new(&arrow,
                             &(struct ArrowArrayStream){.get_schema = get_schema,
                                                        .get_next = get_next,
                                                        .get_last_error = get_last_error,
                                                        .release = release_stream,
                                                        .private_data = m},
                             NULL, &err) == COVEY_OK &&
        covey_table_read(&table, covey_arrow_data_source(arrow), &options, NULL, &err) == COVEY_OK)
        check_table(table);
    else
        fuzz_require(err.message[0] != '\0' && !strchr(err.message, '\n'));
    covey_table_free(table);
    covey_arrow_data_free(arrow);
    fuzz_require(m->n_released == m->n_given);
    for (size_t i = 0; i < m->n_pieces; i++)
        free(m->piece[i]);
    free(m);
    return 0;
}
