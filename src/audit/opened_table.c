/* One CSV file of a release: its header, and the numbers of classes in its first column.  See opened.h. */
#include "audit/opened.h"

#include <covey/io.h>

#include <inttypes.h>
#include <string.h>

#include "audit/contents.h"

enum { OWN_COLUMNS = 16 }; /* that a form's table has beside those of the release, at most */

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory for a table of a release");
}

static bool is_listed(const covey_opened *o, const char *file, covey_problems *problems)
{
    bool listed = covey_i_stated_file(o->stated, file) >= 0;

    if (!listed)
        covey_i_problem(problems, "manifest.json does not list %s", file);
    return listed;
}

void covey_i_opened_leave_out(covey_opened *o, const char *file, covey_problems *problems)
{
    if (is_listed(o, file, problems))
        o->table[o->n_tables++] = (covey_opened_table){.file = file};
}

covey_status covey_i_opened_table(covey_opened_table **out, covey_opened *o, const char *file, const char *number, const bool *present,
                                  covey_problems *problems, const covey_run *run, covey_error *err)
{
    static const char *const nothing[] = {NULL};
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    covey_opened_table table = {.file = file, .number = number};
    const char *path;

    *out = NULL;
    if (!is_listed(o, file, problems) || !present[covey_i_stated_file(o->stated, file)])
        return COVEY_OK;
    options.delimiter = ',';
    options.null = nothing; /* what a cell means is for this module to say */
    options.n_null = 0;
    table.expected = covey_arena_array(&o->arena, const char *, o->n_columns + OWN_COLUMNS);
    table.bound = covey_arena_array(&o->arena, covey_opened_column *, o->n_columns + OWN_COLUMNS);
    if (!table.expected || !table.bound || !(path = covey_i_contents_path(&o->arena, o->folder, file)))
        return no_memory(err);
    COVEY_TRY(covey_csv_read(&table.table, path, &options, run, err));
    o->table[o->n_tables] = table;
    *out = &o->table[o->n_tables++];
    return COVEY_OK;
}

void covey_i_opened_expect(covey_opened_table *table, const char *name, covey_opened_column *column)
{
    table->expected[table->n_expected] = name;
    table->bound[table->n_expected++] = column;
}

/* Columns that stand before the expected ones. */
static size_t columns_before(const covey_opened_table *table)
{
    return table->number ? 1 : 0;
}

bool covey_i_opened_has_header(covey_opened_table *table, covey_problems *problems)
{
    const size_t n = covey_table_n_columns(table->table), before = columns_before(table);

    if (n != table->n_expected + before) {
        covey_i_problem(problems, "%s has %zu columns, manifest.json%s%s make%s %zu", table->file, n, before ? " and the " : "",
                        before ? table->number : "", before ? "" : "s", table->n_expected + before);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const char *expected = i < before ? table->number : table->expected[i - before], *name = covey_table_column(table->table, i)->name;

        if (strcmp(name, expected) != 0) {
            covey_i_problem(problems, "%s: column %zu is called \"%s\", not \"%s\"", table->file, i + 1, name, expected);
            return false;
        }
    }
    for (size_t i = 0; i < table->n_expected; i++)
        if (table->bound[i]) {
            table->bound[i]->table = table;
            table->bound[i]->text = covey_table_column(table->table, i + before);
        }
    return true;
}

const covey_column *covey_i_opened_text(const covey_opened_table *table, size_t expected)
{
    return covey_table_column(table->table, expected + columns_before(table));
}

/* --- classes --- */

/* Class numbers are written without sign and leading zeros. */
static bool read_class(uint32_t *out, const char *text)
{
    uint64_t value = 0;
    size_t n = strlen(text);

    if (n == 0 || n > 10 || text[0] == '0')
        return false;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    if (value >= UINT32_MAX)
        return false;
    *out = (uint32_t)value;
    return true;
}

/* The class of every distinct text, or what is wrong with the first that is none. */
static bool read_classes(uint32_t *class_of, const covey_opened_table *table, const covey_column *text, covey_problems *problems)
{
    for (uint32_t i = 0; i < text->n_values; i++)
        if (!read_class(&class_of[i], covey_column_label(text, i))) {
            covey_i_problem(problems, "%s: a cell of column \"%s\" is not a whole number from 1", table->file, table->number);
            return false;
        }
    return true;
}

/* Classes are numbered 1, 2, ... and their lines stand together: fills class_start. */
static bool find_classes(covey_opened_table *table, const uint32_t *class_of, const covey_column *text, covey_problems *problems)
{
    uint32_t class = 0;

    for (uint32_t row = 0; row < table->n_rows; row++) {
        uint32_t next = class_of[covey_i_code_at(text, row)];

        if (next == class)
            continue;
        if (next != class + 1) {
            covey_i_problem(problems, "%s:%" PRIu32 ": %s %" PRIu32 " follows %s %" PRIu32 "; they are numbered from 1 without gaps, in order",
                            table->file, row + 2, table->number, next, table->number, class);
            return false;
        }
        table->class_start[class++] = row;
    }
    table->class_start[class] = table->n_rows;
    table->n_classes = class;
    return true;
}

covey_status covey_i_opened_classes(covey_opened_table *table, covey_opened *o, covey_problems *problems, covey_error *err)
{
    const covey_column *text = covey_table_column(table->table, 0);
    uint32_t *class_of;

    if (covey_table_n_rows(table->table) >= UINT32_MAX)
        return covey_fail(err, COVEY_EPARSE, "%s has more rows than this version of covey can verify", table->file);
    table->n_rows = (uint32_t)covey_table_n_rows(table->table);
    class_of = covey_arena_array(&o->arena, uint32_t, text->n_values);
    table->class_start = covey_arena_array(&o->arena, uint32_t, (size_t)text->n_values + 1);
    if (!class_of || !table->class_start)
        return no_memory(err);
    table->usable = read_classes(class_of, table, text, problems) && find_classes(table, class_of, text, problems);
    return COVEY_OK;
}

/* --- counts --- */

void covey_i_opened_compare_lines(const covey_opened *o, const covey_opened_table *table, covey_problems *problems)
{
    int64_t listed = o->stated->file[covey_i_stated_file(o->stated, table->file)].n_rows;

    if (listed != table->n_rows)
        covey_i_problem(problems, "%s has %" PRIu32 " rows, the list of files in manifest.json says %" PRId64, table->file, table->n_rows, listed);
}

void covey_i_opened_compare_counts(const covey_opened *o, const covey_opened_table *rows, covey_problems *problems)
{
    const covey_stated *stated = o->stated;

    covey_i_opened_compare_lines(o, rows, problems);
    if (stated->n_published != rows->n_rows)
        covey_i_problem(problems, "published_rows is %" PRId64 " in manifest.json, but %s has %" PRIu32 " rows", stated->n_published, rows->file,
                        rows->n_rows);
    if (rows->usable && stated->n_classes != rows->n_classes)
        covey_i_problem(problems, "classes is %" PRId64 " in manifest.json, but %s has %" PRIu32, stated->n_classes, rows->file, rows->n_classes);
    if (stated->n_rows != stated->n_published + stated->n_suppressed)
        covey_i_problem(problems, "rows is %" PRId64 " in manifest.json, but published and suppressed rows are %" PRId64, stated->n_rows,
                        stated->n_published + stated->n_suppressed);
}
