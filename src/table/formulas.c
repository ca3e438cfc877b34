/* Recognizing formulas. */
#include "table/formulas.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static size_t skip_digits(const char *text, size_t at, size_t size)
{
    while (at < size && text[at] >= '0' && text[at] <= '9')
        at++;
    return at;
}

/* -12, +0.5, -.5, -1e-7: a sign does no harm before digits alone. */
static bool is_signed_number(const char *text, size_t size)
{
    size_t at = skip_digits(text, 1, size), n_digits = at - 1;

    if (at < size && text[at] == '.') {
        const size_t behind = skip_digits(text, at + 1, size);

        n_digits += behind - at - 1;
        at = behind;
    }
    if (n_digits > 0 && at < size && (text[at] == 'e' || text[at] == 'E')) {
        const size_t begin = at + 1 + (at + 1 < size && (text[at + 1] == '-' || text[at + 1] == '+'));

        at = skip_digits(text, begin, size);
        n_digits *= at > begin;
    }
    return n_digits > 0 && at == size;
}

bool covey_i_formulas_has(const char *text, size_t size)
{
    if (size < 2 || !memchr("=+-@\t\r", text[0], 6))
        return false;
    return !((text[0] == '+' || text[0] == '-') && is_signed_number(text, size));
}

/* Different values of a column that are. */
static int64_t count_formulas(const covey_column *column)
{
    int64_t n = 0;

    for (uint32_t v = column->has_null; v < column->n_values; v++)
        n += covey_i_formulas_has(covey_column_label(column, v), covey_column_label_size(column, v));
    return n;
}

void covey_i_formulas_warn(const covey_column *column, const char *what, const covey_run *run)
{
    const int64_t n = count_formulas(column);
    const bool in_name = covey_i_formulas_has(column->name, strlen(column->name));
    char message[512], values[64] = "its name";

    if (!run || !run->warn || (n == 0 && !in_name))
        return;
    if (n > 0)
        snprintf(values, sizeof values, "%s%" PRId64 " of its values", in_name ? "its name and " : "", n);
    snprintf(message, sizeof message,
             "column \"%.100s\": %s begin%s like a formula (= + - @): a spreadsheet that opens %s runs such cells; "
             "`covey export --to csv:FOLDER --safe-cells` makes them texts",
             column->name, values, n > 1 || (n > 0 && in_name) ? "" : "s", what);
    run->warn(run->context, message);
}
