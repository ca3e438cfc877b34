/* Reading CSV, as simple as can be. */
#include "test.h"

#include <string.h>

#include "support/csvs.h"
#include "support/query/plain_csv.h"

/* Takes the quotes off the cell at *at, in place; returns what stood behind it (comma or LF), where *at goes on; NUL:
 * neither. */
static char read_cell(const char **cell, char **at)
{
    const bool quoted = **at == '"';
    char *from = *at + quoted, *to = from, end;

    *cell = from;
    for (; quoted ? *from != '"' || from[1] == '"' : *from != ',' && *from != '\n'; from++) {
        if (*from == '\0' || (!quoted && strchr("\"\r", *from)))
            return '\0';
        from += quoted && *from == '"';
        *to++ = *from;
    }
    from += quoted;
    end = *from;
    *to = '\0';
    *at = from + (end != '\0');
    return end == ',' || end == '\n' ? end : '\0';
}

/* Reads a line of cells; returns how many there are, 0 if it is none, or has too many. */
static size_t read_line(const char **cell, size_t capacity, char **at)
{
    for (size_t n = 0; n < capacity; n++) {
        const char end = read_cell(&cell[n], at);

        if (end == '\n')
            return n + 1;
        if (end != ',')
            return 0;
    }
    return 0;
}

bool plain_try_read(plain_table *table, const char *path, covey_arena *arena)
{
    enum { MOST_COLUMNS = 64 };
    size_t size, capacity = 1;
    char *file = csv_get_file(&size, path), *at;
    const bool is_text = file && strlen(file) == size;

    at = is_text ? covey_arena_strdup(arena, file) : NULL;
    free(file);
    if (!is_text)
        return false;
    assert_non_null(at);
    for (const char *c = at; *c; c++)
        capacity += *c == '\n';
    table->name = covey_arena_array(arena, const char *, MOST_COLUMNS);
    assert_non_null(table->name);
    if ((table->n_columns = read_line(table->name, MOST_COLUMNS, &at)) == 0)
        return false;
    table->cell = covey_arena_array(arena, const char *, capacity * table->n_columns);
    assert_non_null(table->cell);
    for (table->n_rows = 0; *at; table->n_rows++)
        if (read_line(table->cell + table->n_rows * table->n_columns, table->n_columns, &at) != table->n_columns)
            return false;
    return true;
}

void plain_read(plain_table *table, const char *path, covey_arena *arena)
{
    if (!plain_try_read(table, path, arena))
        fail_msg("%s is no file with commas, LF, and as many cells in every line", path);
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
