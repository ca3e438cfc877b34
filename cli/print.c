/* Printing tables, JSON and errors. */
#include "print.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"

enum { PAGE_WIDTH = 80 };

void cli_print_path(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,+@%:=";
    const bool is_plain = path[0] && path[strspn(path, plain)] == '\0', is_inert = strcmp(cli_shown(path), path) == 0;

    if (is_plain) {
        fputs(path, stdout);
        return;
    }
    fputs(is_inert ? "'" : "$'", stdout);
    for (const char *c = path; *c; c++)
        if (is_inert && *c == '\'')
            fputs("'\\''", stdout);
        else if (!is_inert && (*c == '\'' || *c == '\\'))
            printf("\\%c", *c);
        else if (!is_inert && ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7F))
            printf("\\x%02x", (unsigned char)*c);
        else
            putchar(*c);
    putchar('\'');
}

json_t *cli_json_text(const char *text)
{
    const unsigned char *from = (const unsigned char *)text;
    char *clean = malloc(3 * strlen(text) + 1), *to = clean;
    json_t *json;

    if (!clean)
        return NULL;
    while (*from) {
        const size_t n = cli_character_size(from);

        memcpy(to, n > 0 ? (const char *)from : "\xEF\xBF\xBD", n > 0 ? n : 3);
        to += n > 0 ? n : 3;
        from += n > 0 ? n : 1;
    }
    *to = '\0';
    json = json_string(clean);
    free(clean);
    return json;
}

json_t *cli_json_text_or_null(const char *text)
{
    return text && text[0] ? cli_json_text(text) : json_null();
}

json_t *cli_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *cli_json_pairs(double value)
{
    return fabs(value) < 9e15 ? json_integer((json_int_t)value) : cli_json_real(value);
}

/* DEL is the one control character that jansson leaves as it is. */
void cli_put_json_text(const char *piece, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (piece[i] == 0x7F)
            fputs("\\u007F", stdout);
        else
            putchar(piece[i]);
}

static int put_piece(const char *piece, size_t size, void *context)
{
    (void)context;
    cli_put_json_text(piece, size);
    return 0; /* what standard output says is asked at the end */
}

bool cli_put_json(json_t *value, size_t flags)
{
    const bool done =
        value && json_dump_callback(value, put_piece, NULL,
                                    flags | JSON_ENCODE_ANY | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15)) == 0;

    json_decref(value);
    return done;
}

covey_status cli_print_json(json_t *object, covey_error *err)
{
    int failed;

    if (!object)
        return covey_fail(err, COVEY_ENOMEM, "no memory for the result as JSON");
    cli_progress_end();
    failed = !cli_put_json(object, JSON_INDENT(2));
    putchar('\n');
    return failed ? covey_fail(err, COVEY_ENOMEM, "no memory for the result as JSON") : COVEY_OK;
}

static int exit_code(covey_status status)
{
    switch (status) {
    case COVEY_OK:
        return 0;
    case COVEY_EINFEASIBLE:
        return 1;
    case COVEY_EINVAL:
    case COVEY_EPARSE:
    case COVEY_ENOTFOUND:
    case COVEY_EEXIST:
        return 2;
    default:
        return 3;
    }
}

/* What would have to change in the policy; null: nothing is known. */
static json_t *nearest_of(const covey_error *error)
{
    json_t *nearest = error->nearest[0] ? json_loads(error->nearest, 0, NULL) : NULL;

    return nearest ? nearest : json_null();
}

int cli_report_error(const covey_error *error, bool json)
{
    json_t *column = error->column[0]           ? cli_json_text(error->column)
                     : error->column_number > 0 ? json_integer(error->column_number)
                                                : json_null();
    json_t *object;

    cli_progress_end();
    fprintf(stderr, "covey: %s\n", cli_shown(error->message));
    if (!json) {
        json_decref(column);
        return exit_code(error->status);
    }
    object = json_pack("{s:{s:s, s:o, s:o, s:o, s:o}}", "error", "code", covey_status_name(error->status), "message",
                       cli_json_text(error->message), "file", cli_json_text_or_null(error->file), "row",
                       error->row > 0 ? json_integer(error->row) : json_null(), "column", column);
    if (object && error->status == COVEY_EINFEASIBLE)
        json_object_set_new(json_object_get(object, "error"), "nearest", nearest_of(error));
    cli_print_json(object, NULL);
    return exit_code(error->status);
}

struct cli_table {
    const char *align;
    size_t n_columns, n_cells, capacity;
    char **cell;
    bool broken;
};

cli_table *cli_table_new(const char *align)
{
    cli_table *table = calloc(1, sizeof *table);

    if (table) {
        table->align = align;
        table->n_columns = strlen(align);
    }
    return table;
}

void cli_table_add(cli_table *table, const char *fmt, ...)
{
    char *text = NULL;
    va_list args;

    if (!table || table->broken)
        return;
    if (table->n_cells == table->capacity) {
        const size_t capacity = table->capacity ? 2 * table->capacity : 64;
        char **cell = realloc(table->cell, capacity * sizeof *cell);

        if (!cell) {
            table->broken = true;
            return;
        }
        table->cell = cell;
        table->capacity = capacity;
    }
    va_start(args, fmt);
    table->broken = vasprintf(&text, fmt, args) < 0;
    va_end(args);
    if (table->broken)
        return;
    if (!(table->cell[table->n_cells] = cli_make_inert(text, false)))
        table->broken = true;
    else
        table->n_cells++;
    free(text);
}

/* Characters, not bytes: names of columns are seldom ASCII only. */
static size_t width_of(const char *text)
{
    size_t width = 0;

    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void print_row(const cli_table *table, const size_t *width, size_t row, int indent)
{
    printf("%*s", indent, "");
    for (size_t c = 0; c < table->n_columns; c++) {
        const char *text = table->cell[row * table->n_columns + c];
        const int padding = (int)(width[c] - width_of(text));
        const bool right = table->align[c] == 'r', last = c + 1 == table->n_columns;

        printf("%*s%s%*s%s", right ? padding : 0, "", text, right || last ? 0 : padding, "", last ? "\n" : "  ");
    }
}

covey_status cli_table_print(cli_table *table, int indent, covey_error *err)
{
    size_t *width = table ? calloc(table->n_columns, sizeof *width) : NULL;
    const bool ok = width && !table->broken;

    cli_progress_end();
    for (size_t i = 0; ok && i < table->n_cells; i++) {
        const size_t w = width_of(table->cell[i]), c = i % table->n_columns;

        width[c] = w > width[c] ? w : width[c];
    }
    for (size_t row = 0; ok && (row + 1) * table->n_columns <= table->n_cells; row++)
        print_row(table, width, row, indent);
    for (size_t i = 0; table && i < table->n_cells; i++)
        free(table->cell[i]);
    if (table)
        free(table->cell);
    free(table);
    free(width);
    return ok ? COVEY_OK : covey_fail(err, COVEY_ENOMEM, "no memory for a table of results");
}

void cli_print_folded(FILE *to, int indent, int already, const char *text)
{
    int column = already;
    bool first = true;

    text = cli_shown(text);
    if (column < indent)
        column += fprintf(to, "%*s", indent - column, "");
    for (; *text; first = false) {
        const int n = (int)strcspn(text, " ");

        if (!first && column + 1 + n > PAGE_WIDTH)
            column = fprintf(to, "\n%*s", indent, "") - 1;
        else if (!first)
            column += fprintf(to, " ");
        column += fprintf(to, "%.*s", n, text);
        text += n;
        text += strspn(text, " ");
    }
    fputc('\n', to);
}

const char *cli_count(char buffer[CLI_COUNT_SIZE], int64_t n)
{
    char digits[CLI_COUNT_SIZE];
    const int size = snprintf(digits, sizeof digits, "%" PRId64, n);
    size_t used = 0;

    for (int i = 0; i < size; i++) {
        if (i > 0 && digits[i - 1] != '-' && (size - i) % 3 == 0)
            buffer[used++] = ',';
        buffer[used++] = digits[i];
    }
    buffer[used] = '\0';
    return buffer;
}

const char *cli_units(char buffer[CLI_COUNT_SIZE + 16], const char *form, int64_t n)
{
    const char *unit = covey_form_unit(form);
    char count[CLI_COUNT_SIZE];

    if (!*unit)
        snprintf(buffer, CLI_COUNT_SIZE + 16, "no classes");
    else
        snprintf(buffer, CLI_COUNT_SIZE + 16, "%s %s%s", cli_count(count, n), unit,
                 n == 1                          ? ""
                 : unit[strlen(unit) - 1] == 's' ? "es"
                                                 : "s");
    return buffer;
}
