/* Reading, changing and writing the tables of a release. */
#include "test.h"

#include <string.h>

#include "base/csv_cell.h"
#include "support/release/forged_sheet.h"

void sheet_read(sheet *s, const release_folder *r, const char *file)
{
    covey_csv_parser parser = {0};
    char *text = release_get(r, file);
    size_t n = 0;
    bool more;

    *s = (sheet){0};
    covey_i_csv_parser_init(&parser, text, strlen(text), ',');
    while (covey_i_csv_parser_next(&more, &parser, file, NULL) == COVEY_OK && more) {
        s->n_columns = parser.n_fields;
        assert_non_null(s->cell = realloc(s->cell, (n + 1) * s->n_columns * sizeof *s->cell));
        for (size_t i = 0; i < s->n_columns; i++)
            assert_non_null(s->cell[n * s->n_columns + i] = strdup(covey_i_csv_field(&parser, i)));
        n++;
    }
    s->n_rows = n - 1;
    covey_i_csv_parser_clear(&parser);
    free(text);
}

void sheet_write(const sheet *s, const release_folder *r, const char *file)
{
    covey_text text = COVEY_TEXT_INIT;

    for (size_t i = 0; i < (s->n_rows + 1) * s->n_columns; i++) {
        if (i % s->n_columns)
            covey_i_text_add_char(&text, ',');
        covey_i_csv_add_cell(&text, s->cell[i], strlen(s->cell[i]), ',');
        if (i % s->n_columns == s->n_columns - 1)
            covey_i_text_add_char(&text, '\n');
    }
    assert_false(text.broken);
    release_put(r, file, text.bytes);
    covey_i_text_free(&text);
}

void sheet_free(sheet *s)
{
    for (size_t i = 0; i < (s->n_rows + 1) * s->n_columns; i++)
        free(s->cell[i]);
    free(s->cell);
}

void sheet_set(const sheet *s, size_t row, size_t column, const char *text)
{
    char *copy = strdup(text);

    assert_non_null(copy);
    free(*sheet_at(s, row, column));
    *sheet_at(s, row, column) = copy;
}

void sheet_drop(sheet *s, size_t row)
{
    for (size_t c = 0; c < s->n_columns; c++)
        free(*sheet_at(s, row, c));
    memmove(sheet_at(s, row, 0), sheet_at(s, row, 0) + s->n_columns,
            (s->n_rows - row - 1) * s->n_columns * sizeof *s->cell);
    s->n_rows--;
}
