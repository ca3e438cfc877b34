/* See plain_csv.h. */
#include "../test.h"

#include <string.h>

#include "csvs.h"
#include "plain_csv.h"

/* Takes the quotes off the cell at *at, in place; returns what stood behind it (comma or LF), where *at goes on. */
static char read_cell(const char **cell, char **at)
{
    const bool quoted = **at == '"';
    char *from = *at + quoted, *to = from, end;

    *cell = from;
    for (; quoted ? *from != '"' || from[1] == '"' : *from != ',' && *from != '\n'; from++) {
        assert_true(*from != '\0');
        from += quoted && *from == '"';
        *to++ = *from;
    }
    from += quoted;
    end = *from;
    *to = '\0';
    *at = from + 1;
    return end;
}

/* Reads a line of cells; returns how many there are. */
static size_t read_line(const char **cell, size_t capacity, char **at)
{
    for (size_t n = 0; n < capacity; n++) {
        const char end = read_cell(&cell[n], at);

        if (end == '\n')
            return n + 1;
        assert_int_equal(end, ',');
    }
    fail_msg("a line has more than %zu cells", capacity);
    return 0;
}

void plain_read(plain_table *table, const char *path, covey_arena *arena)
{
    enum { MOST_COLUMNS = 64 };
    size_t size, capacity = 1;
    char *file = csv_get_file(&size, path), *at;

    assert_non_null(file);
    assert_int_equal(strlen(file), size);
    assert_non_null(at = covey_arena_strdup(arena, file));
    free(file);
    for (const char *c = at; *c; c++)
        capacity += *c == '\n';
    table->name = covey_arena_array(arena, const char *, MOST_COLUMNS);
    assert_non_null(table->name);
    table->n_columns = read_line(table->name, MOST_COLUMNS, &at);
    table->cell = covey_arena_array(arena, const char *, capacity * table->n_columns);
    assert_non_null(table->cell);
    for (table->n_rows = 0; *at; table->n_rows++)
        assert_int_equal(read_line(table->cell + table->n_rows * table->n_columns, table->n_columns, &at), table->n_columns);
}

const char *plain_cell(const plain_table *table, size_t row, size_t column)
{
    return table->cell[row * table->n_columns + column];
}

size_t plain_find(const plain_table *table, const char *name)
{
    size_t c = 0;

    while (c < table->n_columns && strcmp(table->name[c], name) != 0)
        c++;
    if (c == table->n_columns)
        fail_msg("no column \"%s\" was published", name);
    return c;
}

size_t plain_elements(const char ***out, const char *cell, covey_arena *arena)
{
    const size_t size = strlen(cell);
    size_t n = 0;
    char *to;

    *out = covey_arena_array(arena, const char *, size + 1);
    to = covey_arena_array(arena, char, size + 1);
    assert_true(*out && to);
    if (size < 2 || cell[0] != '{' || cell[size - 1] != '}') {
        (*out)[0] = cell;
        return 1;
    }
    for (const char *at = cell + 1; at < cell + size;) {
        bool quoted = false;

        (*out)[n++] = to;
        for (; quoted || (*at != ',' && at < cell + size - 1); at++) {
            assert_true(at < cell + size);
            if (*at == '"' && quoted && at[1] == '"')
                *to++ = *at++;
            else if (*at == '"')
                quoted = !quoted;
            else
                *to++ = *at;
        }
        *to++ = '\0';
        at += *at == ',' ? 2 : 1; /* ", " or the final brace */
    }
    return n;
}
