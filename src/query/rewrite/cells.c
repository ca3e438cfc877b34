/* What a rewritten condition asks of the cells of one attribute: numbers by the ends of their ranges, categories by
 * name. */
#include "query/rewrite/cells.h"

#include "table/table_impl.h"

enum { MOST_DIGITS = 15 /* that a double holds for sure */, TERMS_PER_PART = 100 };
#define NONE UINT32_MAX

static bool is_by_range(const covey_query_column *column)
{
    return column->opened->stated->publish == COVEY_PUBLISH_RANGE;
}

bool covey_i_rewrite_is_by_number(const covey_query_column *column)
{
    return column->opened->stated->publish == COVEY_PUBLISH_VALUE && column->is_number && column->n_items == 0;
}

/* Does the cell hold a value of a wanted atom? */
static bool cell_can(const covey_condition_attribute *a, uint32_t cell, const bool *wanted)
{
    for (uint32_t i = a->start[cell]; i < a->start[cell + 1]; i++)
        if (wanted[a->share[i].atom])
            return true;
    return false;
}

static void add_column(covey_rewriting *r, const covey_query_column *column, const char *ending)
{
    covey_text name = COVEY_TEXT_INIT;

    covey_i_text_add_format(&name, "%s%s", r->stands_as ? r->stands_as : column->name, ending);
    covey_i_text_add_string(&r->sql, *ending ? "c." : "t.");
    covey_i_rewrite_name(&r->sql, name.bytes ? name.bytes : "");
    r->sql.broken |= name.broken;
    r->uses_ranges |= *ending != '\0';
    covey_i_text_free(&name);
}

/* Whole numbers are compared with the next one, below or above: behind a point SQLite has no more than a double. */
static void add_constant(covey_rewriting *r, const covey_condition_attribute *a, uint32_t constant, bool above)
{
    char text[64];
    __int128 number = a->constant[constant].number;
    unsigned __int128 rest;
    char digits[48];
    int n = 0, scale = a->scale;

    if (a->column->type == COVEY_TYPE_DATE) {
        covey_i_typing_format_number(text, sizeof text, COVEY_TYPE_DATE, (int64_t)number, 0);
        covey_i_rewrite_text(&r->sql, text);
        return;
    }
    for (; scale > 0 && !a->column->is_dense; scale--)
        number = number / 10 + (above && number % 10 > 0) - (!above && number % 10 < 0);
    rest = number < 0 ? -(unsigned __int128)number : (unsigned __int128)number;
    while (rest > 0 || n <= scale) {
        digits[n++] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    }
    covey_i_text_add_string(&r->sql, number < 0 ? "-" : "");
    while (n-- > 0) {
        covey_i_text_add_char(&r->sql, digits[n]);
        if (n == scale && n > 0)
            covey_i_text_add_char(&r->sql, '.');
    }
}

/* Values of positions first .. last: the range's low end is not above them, and its high end not below. */
static void add_span(covey_rewriting *r, const covey_condition_attribute *a, uint32_t first, uint32_t last)
{
    const bool by_range = is_by_range(a->column);
    bool any = false;

    covey_i_text_add_char(&r->sql, '(');
    if (last < 2 * a->n_constants) {
        add_column(r, a->column, by_range ? "_low" : "");
        covey_i_text_add_string(&r->sql, last % 2 ? " <= " : " < ");
        add_constant(r, a, last / 2, true);
        any = true;
    }
    if (first > 0) {
        covey_i_text_add_string(&r->sql, any ? " AND " : "");
        add_column(r, a->column, by_range ? "_high" : "");
        covey_i_text_add_string(&r->sql, first % 2 ? " >= " : " > ");
        add_constant(r, a, first % 2 ? first / 2 : first / 2 - 1, false);
        any = true;
    }
    if (!any) {
        add_column(r, a->column, by_range ? "_low" : "");
        covey_i_text_add_string(&r->sql, " IS NOT NULL");
    }
    covey_i_text_add_char(&r->sql, ')');
}

/* The last of a run of positions that begins with this one, if it is wanted; next: behind it. */
static bool find_run(uint32_t *last, uint32_t *next, const covey_condition_attribute *a, const bool *wanted,
                     uint32_t first)
{
    *next = first + 1;
    if (a->position_atom[first] == NONE || !wanted[a->position_atom[first]])
        return false;
    /* What lies between whole numbers holds none, and parts no run. */
    for (*last = first;
         *next <= 2 * a->n_constants && (a->position_atom[*next] == NONE || wanted[a->position_atom[*next]]); (*next)++)
        *last = a->position_atom[*next] == NONE ? *last : *next;
    return true;
}

/* Databases take only so many terms of an OR one behind another: many stand in parentheses of their own. */
static void add_or(covey_rewriting *r, uint32_t *n_before, bool are_many)
{
    if (*n_before == 0)
        covey_i_text_add_string(&r->sql, are_many ? "((" : "(");
    else
        covey_i_text_add_string(&r->sql, are_many && *n_before % TERMS_PER_PART == 0 ? ") OR (" : " OR ");
    ++*n_before;
}

void covey_i_rewrite_positions(covey_rewriting *r, const covey_condition_attribute *a, const bool *wanted)
{
    uint32_t last, next, n_runs = 0, n = 0;
    bool are_many;

    for (uint32_t first = 0; first <= 2 * a->n_constants; first = next)
        n_runs += find_run(&last, &next, a, wanted, first);
    are_many = n_runs > TERMS_PER_PART;
    if (a->column->opened->stated->has_missing && wanted[a->null_atom]) { /* suppressed rows have no line */
        add_or(r, &n, are_many);
        add_column(r, a->column, is_by_range(a->column) ? "_missing" : "");
        covey_i_text_add_string(&r->sql, is_by_range(a->column) ? " > 0" : " IS NULL");
    }
    for (uint32_t first = 0; first <= 2 * a->n_constants; first = next)
        if (find_run(&last, &next, a, wanted, first)) {
            add_or(r, &n, are_many);
            add_span(r, a, first, last);
        }
    covey_i_text_add_string(&r->sql, n == 0 ? "1 = 0" : are_many ? "))" : ")");
}

/* Is the cell NULL in the exported table? */
static bool is_exported_null(const covey_query_column *column, uint32_t cell)
{
    const covey_stated_column *stated = column->opened->stated;

    return stated->publish == COVEY_PUBLISH_VALUE && covey_column_label_size(column->text, cell) == 0 &&
           (stated->has_missing || stated->type != COVEY_TYPE_TEXT);
}

/* Published cells by name: those that can, or that cannot, whichever are fewer. */
static void add_names(covey_rewriting *r, const covey_condition_attribute *a, const bool *wanted, uint32_t n_can,
                      bool null_can)
{
    const covey_query_column *column = a->column;
    const bool is_negative = n_can > column->text->n_values / 2 + 1;
    bool any = false;

    covey_i_text_add_char(&r->sql, '(');
    for (uint32_t cell = 0; cell < column->text->n_values; cell++) {
        if (is_exported_null(column, cell) || cell_can(a, cell, wanted) == is_negative)
            continue;
        if (!any) {
            add_column(r, column, "");
            covey_i_text_add_string(&r->sql, is_negative ? " NOT IN (" : " IN (");
        } else {
            covey_i_text_add_string(&r->sql, ", ");
        }
        covey_i_rewrite_text(&r->sql, covey_column_label(column->text, cell));
        any = true;
    }
    if (any)
        covey_i_text_add_char(&r->sql, ')');
    if (!any && is_negative) {
        add_column(r, column, "");
        covey_i_text_add_string(&r->sql, " IS NOT NULL");
        any = true;
    }
    if (null_can) {
        covey_i_text_add_string(&r->sql, any ? " OR " : "");
        add_column(r, column, "");
        covey_i_text_add_string(&r->sql, " IS NULL");
    }
    covey_i_text_add_char(&r->sql, ')');
}

void covey_i_rewrite_can(covey_rewriting *r, const covey_condition_attribute *a, const bool *wanted)
{
    const covey_column *text = a->column->text;
    uint32_t n_can = 0;
    bool null_can = false;

    for (uint32_t cell = 0; cell < text->n_values; cell++)
        if (cell_can(a, cell, wanted)) {
            n_can++;
            null_can |= is_exported_null(a->column, cell);
        }
    if (n_can == 0 || n_can == text->n_values)
        covey_i_text_add_string(&r->sql, n_can ? "1 = 1" : "1 = 0");
    else if (is_by_range(a->column) || covey_i_rewrite_is_by_number(a->column))
        covey_i_rewrite_positions(r, a, wanted);
    else
        add_names(r, a, wanted, n_can, null_can);
}

covey_status covey_i_rewrite_check_digits(const covey_rewriting *r, const covey_query_column *column, covey_error *err)
{
    const int64_t most = 1000000000000000; /* as many digits as a double holds for sure */

    if (!is_by_range(column) && !covey_i_rewrite_is_by_number(column)) /* told apart by name */
        return COVEY_OK;
    for (uint32_t cell = 0; r->dialect == COVEY_DIALECT_SQLITE && column->is_dense && cell < column->n_cells; cell++) {
        const covey_query_cell *c = &column->cell[cell];

        if (c->has_range && (c->low <= -most || c->high >= most || column->scale >= MOST_DIGITS))
            return covey_fail(
                err, COVEY_EINVAL,
                "query: SQLite cannot hold the numbers of \"%s\" exactly; rewrite it for PostgreSQL (--sql=postgresql)",
                column->name);
    }
    return COVEY_OK;
}
