/* One CSV file of a release: its header, and the numbers of classes in its first column. */
#include "reader/opened.h"

#include <covey/io.h>

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/plural.h"
#include "io/csv/read.h"
#include "reader/contents.h"

enum { OWN_COLUMNS = 16 }; /* that a form's table has beside those of the release, at most */

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

/* A table of which nothing is read yet; *path NULL: it is not there, which has been reported. */
static covey_status start_table(covey_opened_table *table, const char **path, covey_opened *o, const char *file,
                                const char *number, const bool *present, covey_problems *problems, covey_error *err)
{
    *path = NULL;
    *table = (covey_opened_table){.file = file, .number = number};
    if (!is_listed(o, file, problems) || !present[covey_i_stated_file(o->stated, file)])
        return COVEY_OK;
    table->expected = covey_arena_array(&o->arena, const char *, o->n_columns + OWN_COLUMNS);
    table->bound = covey_arena_array(&o->arena, covey_opened_column *, o->n_columns + OWN_COLUMNS);
    if (!table->expected || !table->bound || !(*path = covey_i_contents_path(&o->arena, o->folder, file)))
        return covey_i_no_memory(err);
    return COVEY_OK;
}

/* What a cell means is for this module to say. */
static covey_csv_options reading_options(void)
{
    static const char *const nothing[] = {NULL};
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;

    options.delimiter = ',';
    options.null = nothing;
    options.n_null = 0;
    return options;
}

static covey_status read_text(covey_opened_table *table, const char *path, const covey_opened *o,
                              const covey_csv_options *options, const covey_run *run, covey_error *err)
{
    const covey_stated_file *file = &o->stated->file[covey_i_stated_file(o->stated, table->file)];
    covey_csv_numbers *numbers = table->number ? &table->numbers : NULL;
    covey_infile text = COVEY_INFILE_INIT;
    covey_status status;

    if (file->n_parts == 0)
        return covey_i_csv_read_sorted(&table->table, numbers, path, options, run, err);
    COVEY_TRY(covey_i_contents_open(&text, o->folder, file, COVEY_CONTENTS_MOST, err));
    status = covey_i_csv_read_sorted_file(&table->table, numbers, &text, path, options, 0, run, err);
    covey_i_infile_close(&text);
    return status;
}

/* The text of a table in several files takes no more memory than the pieces of it do. */
static covey_status open_stream(covey_csv_stream **out, const char *path, const covey_opened *o, const char *name,
                                const covey_csv_options *options, size_t piece_size, const covey_run *run,
                                covey_error *err)
{
    const covey_stated_file *file = &o->stated->file[covey_i_stated_file(o->stated, name)];
    covey_infile text = COVEY_INFILE_INIT;

    if (file->n_parts == 0)
        return covey_i_csv_stream_open(out, path, options, piece_size, NULL, run, err);
    COVEY_TRY(covey_i_contents_open(&text, o->folder, file, piece_size, err));
    return covey_i_csv_stream_of(out, &text, path, options, piece_size, run, err);
}

covey_status covey_i_opened_table(covey_opened_table **out, covey_opened *o, const char *file, const char *number,
                                  const bool *present, covey_problems *problems, const covey_run *run, covey_error *err)
{
    const covey_csv_options options = reading_options();
    covey_opened_table table;
    const char *path;

    *out = NULL;
    COVEY_TRY(start_table(&table, &path, o, file, number, present, problems, err));
    if (!path)
        return COVEY_OK;
    COVEY_TRY(read_text(&table, path, o, &options, run, err));
    o->table[o->n_tables] = table;
    *out = &o->table[o->n_tables++];
    return COVEY_OK;
}

covey_status covey_i_opened_stream(covey_opened_table **out, covey_csv_stream **stream, covey_opened *o,
                                   const char *file, const char *number, const bool *present, size_t piece_size,
                                   covey_problems *problems, const covey_run *run, covey_error *err)
{
    const covey_csv_options options = reading_options();
    covey_opened_table table;
    const char *path;

    *out = NULL;
    COVEY_TRY(start_table(&table, &path, o, file, number, present, problems, err));
    if (!path)
        return COVEY_OK;
    COVEY_TRY(open_stream(stream, path, o, file, &options, piece_size, run, err));
    covey_i_csv_stream_expect_sorted(*stream);
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

void covey_i_opened_bind(covey_opened_table *table)
{
    for (size_t i = 0; i < table->n_expected; i++)
        if (table->bound[i]) {
            table->bound[i]->table = table;
            table->bound[i]->text = covey_table_column(table->table, i + columns_before(table));
        }
}

bool covey_i_opened_has_header(covey_opened_table *table, covey_problems *problems)
{
    const size_t n = covey_table_n_columns(table->table), before = columns_before(table);

    if (n != table->n_expected + before) {
        covey_i_problem(problems, "%s has %zu columns, manifest.json%s%s make%s %zu", table->file, n,
                        before ? " and the " : "", before ? table->number : "", before ? "" : "s",
                        table->n_expected + before);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const char *expected = i < before ? table->number : table->expected[i - before],
                   *name = covey_table_column(table->table, i)->name;

        if (strcmp(name, expected) != 0) {
            covey_i_problem(problems, "%s: column %zu is called \"%s\", not \"%s\"", table->file, i + 1, name,
                            expected);
            return false;
        }
    }
    covey_i_opened_bind(table);
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
static bool read_classes(uint32_t *class_of, const covey_opened_table *table, const covey_column *text,
                         covey_problems *problems)
{
    for (uint32_t i = 0; i < text->n_values; i++)
        if (!read_class(&class_of[i], covey_column_label(text, i))) {
            covey_i_problem(problems, "%s: a cell of column \"%s\" is not a whole number from 1", table->file,
                            table->number);
            return false;
        }
    return true;
}

/* Classes are numbered 1, 2, ... and their lines stand together. */
static bool find_classes(covey_class_numbers *numbers, uint32_t *class_start, const covey_opened_table *table,
                         const uint32_t *class_of, const covey_column *text, uint32_t n_rows, covey_problems *problems)
{
    uint32_t class = numbers->last;

    for (uint32_t row = 0; row < n_rows; row++) {
        uint32_t next = class_of[covey_i_code_at(text, row)];

        if (next == class)
            continue;
        if (next != class + 1) {
            covey_i_problem(problems,
                            "%s:%" PRIu32 ": %s %" PRIu32 " follows %s %" PRIu32
                            "; they are numbered from 1 without gaps, in order",
                            table->file, numbers->n_lines + row + 2, table->number, next, table->number, class);
            return false;
        }
        if (class_start)
            class_start[class - numbers->first] = row;
        class ++;
    }
    if (class_start)
        class_start[class - numbers->first] = n_rows;
    numbers->last = class;
    return true;
}

static covey_status check_lines(const covey_opened_table *table, uint32_t n_before, covey_error *err)
{
    if (covey_table_n_rows(table->table) >= (int64_t)UINT32_MAX - n_before)
        return covey_fail(err, COVEY_EPARSE, "%s has more rows than this version of covey can verify", table->file);
    return COVEY_OK;
}

covey_status covey_i_opened_number_classes(covey_class_numbers *numbers, uint32_t *class_start,
                                           const covey_opened_table *table, covey_problems *problems,
                                           covey_problems *of_numbers, covey_error *err)
{
    const covey_column *text = covey_table_column(table->table, 0);
    const int64_t n_rows = covey_table_n_rows(table->table);
    covey_arena arena = COVEY_ARENA_INIT;
    uint32_t *class_of = covey_arena_array(&arena, uint32_t, text->n_values);
    const covey_status status = class_of ? check_lines(table, numbers->n_lines, err) : covey_i_no_memory(err);

    if (status != COVEY_OK) {
        covey_arena_free(&arena);
        return status;
    }
    if (!numbers->wrong_text)
        numbers->wrong_text = !read_classes(class_of, table, text, problems);
    if (!numbers->wrong_text && !numbers->wrong_number)
        numbers->wrong_number =
            !find_classes(numbers, class_start, table, class_of, text, (uint32_t)n_rows, of_numbers);
    numbers->n_lines += (uint32_t)n_rows;
    covey_arena_free(&arena);
    return COVEY_OK;
}

covey_status covey_i_opened_classes(covey_opened_table *table, covey_opened *o, covey_problems *problems,
                                    covey_error *err)
{
    covey_class_numbers numbers = {0};
    uint32_t *class_start;

    if (table->numbers.start) {
        COVEY_TRY(check_lines(table, 0, err));
        table->class_start = table->numbers.start;
        table->n_rows = (uint32_t)covey_table_n_rows(table->table);
        table->n_classes = table->numbers.n;
        table->usable = true;
        return COVEY_OK;
    }
    class_start = covey_arena_array(&o->arena, uint32_t, (size_t)covey_table_column(table->table, 0)->n_values + 1);
    if (!(table->class_start = class_start))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_opened_number_classes(&numbers, class_start, table, problems, problems, err));
    table->n_rows = numbers.n_lines;
    table->usable = !numbers.wrong_text && !numbers.wrong_number;
    table->n_classes = table->usable ? numbers.last : 0;
    return COVEY_OK;
}

/* --- counts --- */

void covey_i_opened_compare_lines(const covey_opened *o, const covey_opened_table *table, covey_problems *problems)
{
    int64_t listed = o->stated->file[covey_i_stated_file(o->stated, table->file)].n_rows;

    if (listed != table->n_rows)
        covey_i_problem(problems, "%s has %" PRIu32 " row%s, the list of files in manifest.json says %" PRId64,
                        table->file, table->n_rows, covey_i_plural(table->n_rows), listed);
}

void covey_i_opened_compare_counts(const covey_opened *o, const covey_opened_table *rows, covey_problems *problems)
{
    const covey_stated *stated = o->stated;

    covey_i_opened_compare_lines(o, rows, problems);
    if (stated->n_published != rows->n_rows)
        covey_i_problem(problems, "published_rows is %" PRId64 " in manifest.json, but %s has %" PRIu32 " row%s",
                        stated->n_published, rows->file, rows->n_rows, covey_i_plural(rows->n_rows));
    if (rows->usable && stated->n_classes != rows->n_classes)
        covey_i_problem(problems, "classes is %" PRId64 " in manifest.json, but %s has %" PRIu32, stated->n_classes,
                        rows->file, rows->n_classes);
    if (stated->n_rows + stated->n_counterfeits != stated->n_published + stated->n_suppressed)
        covey_i_problem(problems,
                        "rows is %" PRId64 " in manifest.json, but published and suppressed rows are %" PRId64,
                        stated->n_rows, stated->n_published + stated->n_suppressed - stated->n_counterfeits);
}
