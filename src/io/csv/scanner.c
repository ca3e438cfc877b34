/* What a worker of the CSV reader takes from chunk to chunk, and what it makes of one. */
#include "base/alloc.h"
#include "io/csv/scan.h"
#include "table/table_impl.h"

bool covey_i_csv_scanner_init(covey_csv_scanner *s, size_t n_columns, char delimiter, bool trim, const bool *kept)
{
    *s = (covey_csv_scanner){
        .n_columns = n_columns, .delimiter = delimiter, .trim = trim, .kept = kept, .cell = COVEY_TEXT_INIT};
    if (!(s->dictionary = covey_i_array_zero(n_columns, sizeof *s->dictionary)))
        return false;
    for (size_t c = 0; c < n_columns; c++)
        if (kept[c] && !covey_i_dictionary_init(&s->dictionary[c]))
            return false;
    return true;
}

bool covey_i_csv_scanner_number(covey_csv_scanner *s, const bool *is_key)
{
    s->is_key = is_key;
    return (s->key = covey_i_array_zero(s->n_columns, sizeof *s->key)) != NULL;
}

bool covey_i_csv_scanner_watch(covey_csv_scanner *s, const bool *watched)
{
    if (!(s->sample = covey_i_array_zero(s->n_columns, sizeof *s->sample)))
        return false;
    for (size_t c = 0; c < s->n_columns; c++)
        if (watched[c] && !covey_i_value_sample_init(&s->sample[c]))
            return false;
    return true;
}

void covey_i_csv_scanner_free(covey_csv_scanner *s)
{
    for (size_t c = 0; s->dictionary && c < s->n_columns; c++)
        covey_i_dictionary_free(&s->dictionary[c]);
    for (size_t c = 0; s->sample && c < s->n_columns; c++)
        covey_i_value_sample_free(&s->sample[c]);
    covey_i_free(s->key);
    covey_i_free(s->sample);
    covey_i_free(s->dictionary);
    covey_i_free(s->batch);
    covey_i_csv_marks_free(&s->marks);
    covey_i_text_free(&s->cell);
    covey_arena_free(&s->codes);
    *s = (covey_csv_scanner){0};
}

void covey_i_csv_chunk_free_codes(covey_csv_chunk *chunk, size_t c)
{
    if (!chunk->room)
        covey_i_free(chunk->codes[c]);
    chunk->codes[c] = NULL;
}

void covey_i_csv_chunk_clear(covey_csv_chunk *chunk, size_t n_columns)
{
    for (size_t c = 0; chunk->codes && c < n_columns; c++)
        covey_i_csv_chunk_free_codes(chunk, c);
    covey_i_free(chunk->codes);
    covey_i_free(chunk->width);
    covey_i_free(chunk->long_row);
    covey_i_free(chunk->long_extra);
    covey_i_free(chunk->number_start);
    chunk->codes = NULL;
    chunk->width = NULL;
    chunk->long_row = chunk->long_extra = NULL;
    chunk->number_start = NULL;
}

bool covey_i_csv_chunk_widen(covey_csv_chunk *chunk, size_t c, uint32_t n_values, int64_t n_rows)
{
    const size_t capacity = (size_t)chunk->n_line_ends + 1;
    const int old_width = chunk->width[c], width = covey_i_table_code_width(n_values);
    void *codes;

    if (old_width && width <= old_width)
        return true;
    if (!(codes = chunk->room ? covey_arena_alloc(chunk->room, capacity, (size_t)width)
                              : covey_i_array(capacity, (size_t)width)))
        return false;
    if (old_width)
        for (size_t row = 0; row < (size_t)n_rows; row++)
            covey_i_codes_put(codes, width, row, covey_i_codes_get(chunk->codes[c], old_width, row));
    covey_i_csv_chunk_free_codes(chunk, c);
    chunk->codes[c] = codes;
    chunk->width[c] = (uint8_t)width;
    return true;
}
