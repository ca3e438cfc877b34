/* Reading the values of Arrow columns.
 *
 * Numbers are looked up as numbers: a text is made of a value that was not seen before, and never of a row.  The values
 * of a dictionary are looked up when a row has them first, so that those which no row has leave no trace. */
#include "io/arrow/cells.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "io/arrow/number_text.h"

enum { ROWS_PER_BLOCK = 4096, FIRST_SLOTS_LOG2 = 8, PADDING = 16, INLINE_TEXT = 12 };

/* From numbers to codes: open addressing. */
struct numbers {
    struct slot {
        int64_t value;
        uint32_t code_1; /* code + 1; 0: the slot is free */
    } * slot;            /* [1 << (64 - shift)] at most half full */
    int shift;
    size_t n;
};

/* One batch's part of the column, or the values of a dictionary. */
struct part {
    const struct ArrowArray *array;
    covey_arrow_field field;
    int64_t offset; /* of the first row in the array's buffers */
    int64_t n_rows;
    const uint8_t *validity; /* NULL: nothing is missing */
    const void *values;
    const char *bytes; /* [n_bytes] of texts */
    int64_t n_bytes;
    uint32_t *code; /* of a dictionary: [n_values] of each value, UNSEEN at first */
    const struct part *dictionary;
};

struct encoder {
    covey_arrow_column *column;
    struct numbers numbers;
    covey_arrow_clock clock;
    covey_text cell;    /* a text with readable bytes behind it */
    uint32_t null_code; /* unseen at first */
    int64_t n_done;     /* rows that have their code */
    bool no_memory;
    bool is_wrong; /* a text lies outside of its buffer */
};

static const uint32_t unseen = UINT32_MAX;

/* ---- numbers ---- */

static bool init_numbers(struct numbers *numbers)
{
    numbers->shift = 64 - FIRST_SLOTS_LOG2;
    numbers->slot = covey_i_array_zero((size_t)1 << FIRST_SLOTS_LOG2, sizeof *numbers->slot);
    return numbers->slot != NULL;
}

static struct slot *find_slot(const struct numbers *numbers, int64_t value)
{
    const size_t mask = ((size_t)1 << (64 - numbers->shift)) - 1;
    size_t i = (size_t)(covey_i_mix((uint64_t)value, 0) >> numbers->shift);

    while (numbers->slot[i].code_1 && numbers->slot[i].value != value)
        i = (i + 1) & mask;
    return &numbers->slot[i];
}

static bool grow_numbers(struct numbers *numbers)
{
    const size_t n_old = (size_t)1 << (64 - numbers->shift);
    struct numbers wider = {.shift = numbers->shift - 2, .n = numbers->n};

    if (!(wider.slot = covey_i_array_zero(4 * n_old, sizeof *wider.slot)))
        return false;
    for (size_t i = 0; i < n_old; i++)
        if (numbers->slot[i].code_1)
            *find_slot(&wider, numbers->slot[i].value) = numbers->slot[i];
    covey_i_free(numbers->slot);
    *numbers = wider;
    return true;
}

static uint32_t add_number(struct encoder *e, const covey_arrow_field *field, int64_t value)
{
    char text[COVEY_ARROW_TEXT_SIZE + PADDING];
    const size_t size = covey_i_arrow_number_text(text, field, &e->clock, value);

    memset(text + size, 0, PADDING);
    if (2 * e->numbers.n >= (size_t)1 << (64 - e->numbers.shift) && !grow_numbers(&e->numbers)) {
        e->no_memory = true;
        return 0;
    }
    e->numbers.n++;
    return covey_i_dictionary_code(e->column->dictionary, text, (uint32_t)size);
}

static uint32_t number_code(struct encoder *e, const covey_arrow_field *field, int64_t value)
{
    struct slot *slot = find_slot(&e->numbers, value);

    if (!slot->code_1) {
        const uint32_t code = add_number(e, field, value);

        slot = find_slot(&e->numbers, value); /* the slots may be others now */
        *slot = (struct slot){value, code + 1};
    }
    return slot->code_1 - 1;
}

/* ---- texts ---- */

static uint32_t missing_code(struct encoder *e)
{
    static const char null[PADDING] = COVEY_CSV_SQL_NULL;

    if (e->null_code == unseen)
        e->null_code = covey_i_dictionary_code(e->column->dictionary, null, sizeof COVEY_CSV_SQL_NULL - 1);
    return e->null_code;
}

/* The code of a text; n_readable: bytes from its first on that may be read.  The dictionary reads some behind it. */
static uint32_t text_code(struct encoder *e, const char *bytes, size_t size, size_t n_readable)
{
    static const char nothing[PADDING] = {0};

    if (!e->column->trim && size + COVEY_DICTIONARY_PACKED <= n_readable && size <= UINT32_MAX - PADDING)
        return covey_i_dictionary_code(e->column->dictionary, bytes, (uint32_t)size);
    while (e->column->trim && size > 0 && (*bytes == ' ' || *bytes == '\t')) {
        bytes++;
        size--;
    }
    while (e->column->trim && size > 0 && (bytes[size - 1] == ' ' || bytes[size - 1] == '\t'))
        size--;
    covey_i_text_clear(&e->cell);
    covey_i_text_add(&e->cell, bytes, size);
    covey_i_text_add(&e->cell, nothing, PADDING);
    if (e->cell.broken || size > UINT32_MAX - PADDING) {
        e->no_memory = true;
        return 0;
    }
    return covey_i_dictionary_code(e->column->dictionary, e->cell.bytes, (uint32_t)size);
}

/* ---- values ---- */

static bool bit_at(const uint8_t *bits, int64_t i)
{
    return bits[i >> 3] >> (i & 7) & 1;
}

static int64_t integer_at(const void *values, int width, bool is_unsigned, int64_t i)
{
    switch (width) {
    case 1:
        return is_unsigned ? (int64_t)((const uint8_t *)values)[i] : ((const int8_t *)values)[i];
    case 2:
        return is_unsigned ? (int64_t)((const uint16_t *)values)[i] : ((const int16_t *)values)[i];
    case 4:
        return is_unsigned ? (int64_t)((const uint32_t *)values)[i] : ((const int32_t *)values)[i];
    default:
        return ((const int64_t *)values)[i];
    }
}

static bool is_nan(const struct part *part, int64_t i)
{
    if (part->field.width == 8)
        return isnan(((const double *)part->values)[i]);
    if (part->field.width == 4)
        return isnan(((const float *)part->values)[i]);
    return (((const uint16_t *)part->values)[i] & 0x7FFF) > 0x7C00;
}

static uint32_t decimal_code(struct encoder *e, const struct part *part, int64_t i)
{
    const int n = part->field.width / 8;
    char text[COVEY_ARROW_TEXT_SIZE];
    uint64_t words[4];
    bool is_short = true;
    size_t size;

    if (n <= 1)
        return number_code(e, &part->field, integer_at(part->values, part->field.width, false, i));
    memcpy(words, (const char *)part->values + (size_t)i * (size_t)part->field.width, (size_t)part->field.width);
    for (int w = 1; w < n; w++)
        is_short &= words[w] == ((int64_t)words[0] < 0 ? UINT64_MAX : 0);
    if (is_short)
        return number_code(e, &part->field, (int64_t)words[0]);
    size = covey_i_arrow_decimal_text(text, words, n, part->field.scale);
    return text_code(e, text, size, size);
}

static uint32_t offsets_code(struct encoder *e, const struct part *part, int64_t i)
{
    const int64_t start = integer_at(part->values, part->field.width, false, i),
                  end = integer_at(part->values, part->field.width, false, i + 1);

    if (start < 0 || end > part->n_bytes) {
        e->is_wrong = true;
        return 0;
    }
    return end <= start ? text_code(e, "", 0, 0)
                        : text_code(e, part->bytes + start, (size_t)(end - start), (size_t)(part->n_bytes - start));
}

/* Sixteen bytes: the size, then the text itself, or four bytes of it, the number of a buffer and the place in there. */
static uint32_t view_code(struct encoder *e, const struct part *part, int64_t i)
{
    const char *view = (const char *)part->values + 16 * i;
    const int64_t n_buffers = part->array->n_buffers - 3; /* the last one says how long these are */
    const int64_t *lengths = n_buffers > 0 ? part->array->buffers[part->array->n_buffers - 1] : NULL;
    int32_t size, buffer, place;

    memcpy(&size, view, 4);
    memcpy(&buffer, view + 8, 4);
    memcpy(&place, view + 12, 4);
    if (size <= INLINE_TEXT)
        return text_code(e, view + 4, size < 0 ? 0 : (size_t)size, i + 1 < part->offset + part->n_rows ? 28 : 12);
    if (!lengths || buffer < 0 || buffer >= n_buffers || place < 0 || (int64_t)place + size > lengths[buffer]) {
        e->is_wrong = true;
        return 0;
    }
    return text_code(e, (const char *)part->array->buffers[2 + buffer] + place, (size_t)size, (size_t)size);
}

static uint32_t value_code(struct encoder *e, const struct part *part, int64_t i);

static bool is_apart(covey_arrow_kind kind)
{
    return kind == COVEY_ARROW_DICTIONARY || kind == COVEY_ARROW_RUNS;
}

/* Which of the values that lie apart a row has: the first run that ends behind it, or what its index says. */
static int64_t index_at(const struct part *part, int64_t i)
{
    int64_t first = 0, end = part->dictionary->n_rows;

    if (part->field.kind == COVEY_ARROW_DICTIONARY)
        return integer_at(part->values, part->field.width, part->field.is_unsigned, i);
    while (first < end) {
        const int64_t middle = first + (end - first) / 2;

        if (integer_at(part->values, part->field.width, false, middle) > i)
            end = middle;
        else
            first = middle + 1;
    }
    return first;
}

static uint32_t dictionary_code(struct encoder *e, const struct part *part, int64_t i)
{
    const int64_t index = index_at(part, i);

    if (index < 0 || index >= part->dictionary->n_rows)
        return missing_code(e);
    if (part->code[index] == unseen)
        part->code[index] = value_code(e, part->dictionary, part->dictionary->offset + index);
    return part->code[index];
}

/* The code of the value at place i of the buffers. */
static uint32_t value_code(struct encoder *e, const struct part *part, int64_t i)
{
    if (part->field.kind == COVEY_ARROW_NULL || (part->validity && !bit_at(part->validity, i)))
        return missing_code(e);
    switch (part->field.kind) {
    case COVEY_ARROW_BOOL:
        return number_code(e, &part->field, bit_at(part->values, i));
    case COVEY_ARROW_FLOAT:
        return is_nan(part, i) ? missing_code(e)
                               : number_code(e, &part->field, integer_at(part->values, part->field.width, true, i));
    case COVEY_ARROW_DECIMAL:
        return decimal_code(e, part, i);
    case COVEY_ARROW_TEXT:
        return offsets_code(e, part, i);
    case COVEY_ARROW_VIEW:
        return view_code(e, part, i);
    case COVEY_ARROW_DICTIONARY:
    case COVEY_ARROW_RUNS:
        return dictionary_code(e, part, i);
    default:
        return number_code(e, &part->field,
                           integer_at(part->values, part->field.width, part->field.kind == COVEY_ARROW_UNSIGNED, i));
    }
}

/* ---- batches ---- */

/* The ends of its runs; as many as there are values. */
static bool open_runs(struct part *part)
{
    const struct ArrowArray *ends = part->array->n_children == 2 ? part->array->children[0] : NULL;

    if (!ends || ends->n_buffers < 2 || part->array->children[1]->length < ends->length)
        return false;
    if (part->n_rows == 0)
        return true;
    if (ends->length == 0 || !ends->buffers[1])
        return false;
    part->values = (const char *)ends->buffers[1] + ends->offset * part->field.width;
    return integer_at(part->values, part->field.width, false, ends->length - 1) >= part->offset + part->n_rows;
}

/* Are the buffers there that the type asks for? */
static bool open_part(struct part *part, const struct ArrowArray *array, const covey_arrow_field *field, int64_t offset,
                      int64_t n_rows)
{
    const int64_t n_wanted = field->kind == COVEY_ARROW_NULL || field->kind == COVEY_ARROW_RUNS   ? 0
                             : field->kind == COVEY_ARROW_TEXT || field->kind == COVEY_ARROW_VIEW ? 3
                                                                                                  : 2;

    *part = (struct part){.array = array, .field = *field, .offset = array->offset + offset, .n_rows = n_rows};
    if (offset < 0 || offset + n_rows > array->length || array->n_buffers < n_wanted)
        return false;
    if (field->kind == COVEY_ARROW_RUNS)
        return open_runs(part);
    if (n_wanted == 0)
        return true;
    part->validity = array->null_count != 0 ? array->buffers[0] : NULL;
    part->values = array->buffers[1];
    if (field->kind == COVEY_ARROW_TEXT && part->values) {
        part->bytes = array->buffers[2];
        part->n_bytes = integer_at(part->values, field->width, false, part->offset + n_rows);
    }
    return part->values || n_rows == 0;
}

static covey_status fail_part(const struct encoder *e, covey_error *err)
{
    const char *name = e->column->data->schema.children[e->column->child]->name;

    if (e->no_memory)
        return covey_i_no_memory(err);
    return covey_fail_at(err, COVEY_EINVAL, e->column->data->shown, 0, name, 0,
                         "column \"%s\": its data are not as its schema says", name);
}

/* The narrow codes of a block into the chunk. */
static bool store(struct encoder *e, const uint32_t *codes, int64_t n)
{
    covey_csv_chunk *chunk = e->column->chunk;
    const size_t c = e->column->to;
    char *to;

    if (e->is_wrong)
        return false;
    if (e->no_memory || e->column->dictionary->broken ||
        !covey_i_csv_chunk_widen(chunk, c, e->column->dictionary->n, e->n_done))
        return !(e->no_memory = true);
    to = (char *)chunk->codes[c] + (size_t)e->n_done * chunk->width[c];
    for (int64_t i = 0; i < n; i++)
        if (chunk->width[c] == 1)
            ((uint8_t *)to)[i] = (uint8_t)codes[i];
        else if (chunk->width[c] == 2)
            ((uint16_t *)to)[i] = (uint16_t)codes[i];
        else
            ((uint32_t *)to)[i] = codes[i];
    e->n_done += n;
    return true;
}

/* rows: the batch itself, of which a whole row may be missing. */
static bool encode_part(struct encoder *e, const struct part *part, const struct ArrowArray *rows)
{
    const uint8_t *present = rows->null_count != 0 && rows->n_buffers > 0 ? rows->buffers[0] : NULL;
    uint32_t codes[ROWS_PER_BLOCK];

    for (int64_t at = 0; at < part->n_rows; at += ROWS_PER_BLOCK) {
        const int64_t n = part->n_rows - at < ROWS_PER_BLOCK ? part->n_rows - at : ROWS_PER_BLOCK;

        for (int64_t i = 0; i < n; i++)
            codes[i] = present && !bit_at(present, rows->offset + at + i) ? missing_code(e)
                                                                          : value_code(e, part, part->offset + at + i);
        if (!store(e, codes, n))
            return false;
    }
    return true;
}

static bool open_batch(struct part *part, const covey_arrow_column *column, const struct ArrowArray *batch)
{
    return open_part(part, batch->children[column->child], &column->field, batch->offset, batch->length);
}

/* The values that the batch's indices mean. */
static bool open_dictionary(struct part *out, const struct part *part)
{
    const bool has_runs = part->field.kind == COVEY_ARROW_RUNS;
    const struct ArrowArray *values = has_runs ? part->array->children[1] : part->array->dictionary;
    covey_arrow_field field;
    const char *what;

    return values && covey_i_arrow_field(&field, &what, part->field.values) &&
           open_part(out, values, &field, 0, has_runs ? part->array->children[0]->length : values->length);
}

/* Codes of a dictionary's values are found as they are needed. */
static bool encode_dictionary(struct encoder *e, struct part *part, const struct ArrowArray *rows)
{
    struct part dictionary;
    bool done;

    if (!open_dictionary(&dictionary, part))
        return false;
    part->dictionary = &dictionary;
    if (!(part->code = covey_i_array((size_t)dictionary.n_rows, sizeof *part->code)))
        return !(e->no_memory = true);
    for (int64_t i = 0; i < dictionary.n_rows; i++)
        part->code[i] = unseen;
    done = encode_part(e, part, rows);
    covey_i_free(part->code);
    return done;
}

/* What the timestamp at a place needs. */
static void widen_clock_at(struct encoder *e, const struct part *part, int64_t i)
{
    if (!part->validity || bit_at(part->validity, i))
        covey_i_arrow_clock_widen(&e->clock, &part->field, ((const int64_t *)part->values)[i]);
}

static void widen_clock(struct encoder *e, const struct part *part)
{
    const struct part *dictionary = part->dictionary;

    for (int64_t i = part->offset; i < part->offset + part->n_rows; i++) {
        int64_t index;

        if (!dictionary) {
            widen_clock_at(e, part, i);
        } else if (!part->validity || bit_at(part->validity, i)) {
            index = index_at(part, i);
            if (index >= 0 && index < dictionary->n_rows)
                widen_clock_at(e, dictionary, dictionary->offset + index);
        }
    }
}

/* Timestamps are written alike in all of a column: what they need is known before the first is. */
static bool set_clock(struct encoder *e)
{
    const covey_arrow_column *column = e->column;

    e->clock.dates_only = true;
    for (size_t b = 0; b < column->data->n_batches; b++) {
        struct part part, values;
        const bool has_dictionary = is_apart(column->field.kind);

        if (!open_batch(&part, column, &column->data->batch[b]))
            return false;
        if (has_dictionary && !open_dictionary(&values, &part))
            return false;
        part.dictionary = has_dictionary ? &values : NULL;
        if ((has_dictionary ? values.field.kind : part.field.kind) == COVEY_ARROW_TIMESTAMP)
            widen_clock(e, &part);
    }
    return true;
}

static bool encode(struct encoder *e)
{
    covey_arrow_column *column = e->column;

    if (!init_numbers(&e->numbers))
        return !(e->no_memory = true);
    e->null_code = unseen;
    if ((column->field.kind == COVEY_ARROW_TIMESTAMP || is_apart(column->field.kind)) && !set_clock(e))
        return false;
    for (size_t b = 0; b < column->data->n_batches; b++) {
        const struct ArrowArray *batch = &column->data->batch[b];
        struct part part;

        if (!open_batch(&part, column, batch))
            return false;
        if (!(is_apart(column->field.kind) ? encode_dictionary(e, &part, batch) : encode_part(e, &part, batch)))
            return false;
    }
    return true;
}

covey_status covey_i_arrow_column_codes(covey_arrow_column *column, covey_error *err)
{
    struct encoder e = {.column = column, .cell = COVEY_TEXT_INIT};
    const bool done = encode(&e);

    covey_i_free(e.numbers.slot);
    covey_i_text_free(&e.cell);
    return done ? COVEY_OK : fail_part(&e, err);
}
