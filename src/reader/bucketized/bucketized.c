/* The form "bucketized": quasi.csv holds the quasi-identifiers as they are, sensitive.csv counts the sensitive values
 * of each group, help.csv says what follows from these about any rows of a group. */
#include "reader/bucketized/bucketized.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/plural.h"
#include "reader/contents.h"
#include "reader/units.h"

static const char ROWS[] = COVEY_BUCKETIZED_ROWS, VALUES[] = COVEY_BUCKETIZED_VALUES, HELP[] = COVEY_BUCKETIZED_HELP;

static bool has_table(const char *name)
{
    return strcmp(name, ROWS) == 0 || strcmp(name, VALUES) == 0 || strcmp(name, HELP) == 0 ||
           strcmp(name, COVEY_UNITS_TABLE) == 0;
}

/* --- reading --- */

void covey_i_bucketized_expect(covey_opened_table *rows, covey_opened_table *values, const covey_opened_bucketized *b)
{
    for (size_t i = 0; rows && i < b->n_content; i++)
        covey_i_opened_expect(rows, b->content[i]->stated->name, (covey_opened_column *)b->content[i]);
    if (!values)
        return;
    covey_i_opened_expect(values, b->sensitive->stated->name, (covey_opened_column *)b->sensitive);
    covey_i_opened_expect(values, "count", NULL);
}

static covey_status read_rows(covey_opened_table **out, covey_opened_bucketized *b, covey_opened *o,
                              const bool *present, covey_problems *problems, const covey_run *run, covey_error *err)
{
    COVEY_TRY(covey_i_opened_table(out, o, ROWS, "group", present, problems, run, err));
    if (!*out)
        return COVEY_OK;
    covey_i_bucketized_expect(*out, NULL, b);
    if (!covey_i_opened_has_header(*out, problems))
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_classes(*out, o, problems, err));
    covey_i_opened_compare_counts(o, *out, problems);
    return COVEY_OK;
}

static covey_status read_values(covey_opened_table **out, covey_opened_bucketized *b, covey_opened *o,
                                const bool *present, covey_problems *problems, const covey_run *run, covey_error *err)
{
    COVEY_TRY(covey_i_opened_table(out, o, VALUES, "group", present, problems, run, err));
    if (!*out)
        return COVEY_OK;
    covey_i_bucketized_expect(NULL, *out, b);
    if (!covey_i_opened_has_header(*out, problems))
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_classes(*out, o, problems, err));
    covey_i_opened_compare_lines(o, *out, problems);
    return COVEY_OK;
}

/* A count is written without sign and leading zeros, and is not 0: a value that does not occur has no line. */
static bool read_count(int64_t *out, const char *text)
{
    size_t n = strlen(text);

    if (n == 0 || n > 10 || text[0] == '0' || strspn(text, "0123456789") != n)
        return false;
    *out = 0;
    for (size_t i = 0; i < n; i++)
        *out = *out * 10 + (text[i] - '0');
    return true;
}

covey_status covey_i_bucketized_counts(bool *fine, const int64_t **out, const covey_opened_table *values,
                                       covey_arena *arena, covey_error *err)
{
    const covey_column *text = covey_i_opened_text(values, 1);
    int64_t *meaning = covey_arena_array(arena, int64_t, text->n_values), *count;

    *fine = true;
    *out = NULL;
    if (!meaning)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < text->n_values; i++)
        *fine &= read_count(&meaning[i], covey_column_label(text, i));
    if (!*fine || text->n_values == 0 || (text->n_values == 1 && meaning[0] == 1))
        return COVEY_OK;
    if (!(count = covey_arena_array(arena, int64_t, (size_t)text->n_rows)))
        return covey_i_no_memory(err);
    for (int64_t i = 0; i < text->n_rows; i++)
        count[i] = meaning[covey_i_code_at(text, i)];
    *out = count;
    return COVEY_OK;
}

int64_t covey_i_bucketized_counted_rows(const covey_opened_bucketized *b, uint32_t g)
{
    int64_t size = 0;

    if (!b->count)
        return (int64_t)b->values->class_start[g + 1] - b->values->class_start[g];
    for (uint32_t i = b->values->class_start[g]; i < b->values->class_start[g + 1]; i++)
        size += b->count[i];
    return size;
}

/* The same of quasi.csv. */
static int64_t published_rows(const covey_opened_bucketized *b, uint32_t g)
{
    return (int64_t)b->rows->class_start[g + 1] - b->rows->class_start[g];
}

/* The groups with their counts; *usable false: a count is none, or the sizes of the two tables do not agree. */
static void make_groups(bool *usable, covey_opened *o, const covey_opened_bucketized *b, covey_problems *problems)
{
    const covey_opened_table *values = b->values;

    *usable = b->is_counted;
    if (!b->is_counted) {
        covey_i_problem(problems, "%s: a cell of column \"count\" is not a whole number from 1", VALUES);
        return;
    }
    for (uint32_t g = 0; g < values->n_classes; g++) {
        const int64_t size = covey_i_bucketized_counted_rows(b, g), n_rows = published_rows(b, g);

        if (size == n_rows)
            continue;
        covey_i_problem(problems, "group %" PRIu32 " has %" PRId64 " row%s in %s, but %" PRId64 " in %s", g + 1, n_rows,
                        covey_i_plural(n_rows), ROWS, size, VALUES);
        *usable = false;
    }
    o->groups = (covey_opened_groups){.n = values->n_classes, .start = values->class_start, .count = b->count};
}

/* Is help.csv as text what follows from the other two?  *follows false: it is for who reads it to say. */
static covey_status compare_help(bool *follows, const covey_opened_bucketized *b, covey_opened *o, const bool *present,
                                 const covey_run *run, covey_error *err)
{
    const int file = covey_i_stated_file(o->stated, HELP);
    covey_infile text = COVEY_INFILE_INIT;
    const char *path;

    *follows = false;
    if (file < 0 || !present[file] || !b->is_counted || b->rows->n_classes != b->values->n_classes)
        return COVEY_OK;
    for (uint32_t g = 0; g < b->rows->n_classes; g++)
        if (covey_i_bucketized_counted_rows(b, g) != published_rows(b, g))
            return COVEY_OK;
    if (!(path = covey_i_contents_path(&o->arena, o->folder, HELP)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_contents_open(&text, o->folder, &o->stated->file[file], COVEY_CONTENTS_MOST, err));
    return covey_i_bucketized_help_follows(follows, b, &text, path, run, err);
}

static covey_status read_help(covey_opened_table **out, covey_opened_bucketized *b, covey_opened *o,
                              const bool *present, covey_problems *problems, const covey_run *run, covey_error *err)
{
    static const char *const column[] = {"hits",      "sum_lower", "sum_upper", "min_lower",
                                         "min_upper", "max_lower", "max_upper"};
    bool follows;

    *out = NULL;
    if (o->without_derived) {
        covey_i_opened_leave_out(o, HELP, problems);
        return COVEY_OK;
    }
    COVEY_TRY(compare_help(&follows, b, o, present, run, err));
    if (follows) {
        covey_i_opened_leave_out(o, HELP, problems);
        o->table[o->n_tables - 1].n_rows = b->rows->n_rows;
        covey_i_opened_compare_lines(o, &o->table[o->n_tables - 1], problems);
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_opened_table(out, o, HELP, "group", present, problems, run, err));
    if (!*out)
        return COVEY_OK;
    for (size_t i = 0; i < sizeof column / sizeof *column; i++)
        covey_i_opened_expect(*out, column[i], NULL);
    if (!covey_i_opened_has_header(*out, problems))
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_classes(*out, o, problems, err));
    covey_i_opened_compare_lines(o, *out, problems);
    return COVEY_OK;
}

/* Sums take numbers, and no missing value among them: then help.csv must be there. */
static bool needs_help(const covey_stated_column *stated)
{
    return (stated->type == COVEY_TYPE_INTEGER || stated->type == COVEY_TYPE_DECIMAL) && !stated->has_missing;
}

static bool may_have_help(const covey_stated_column *stated)
{
    return stated->type == COVEY_TYPE_INTEGER || stated->type == COVEY_TYPE_DECIMAL;
}

bool covey_i_bucketized_has_help(const covey_opened *o, const covey_opened_bucketized *b)
{
    return needs_help(b->sensitive->stated) ||
           (may_have_help(b->sensitive->stated) && covey_i_stated_file(o->stated, HELP) >= 0);
}

static covey_status open_tables(covey_opened *o, const bool *present, covey_problems *problems, const covey_run *run,
                                covey_error *err)
{
    covey_opened_bucketized *b = covey_arena_array_zero(&o->arena, covey_opened_bucketized, 1);
    covey_opened_table *rows, *values, *help = NULL;
    bool usable = false;

    if (!(o->form_data = b))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_opened_divide(&b->sensitive, &b->content, &b->n_content, o, problems, err));
    if (!b->sensitive)
        return COVEY_OK;
    COVEY_TRY(read_rows(&rows, b, o, present, problems, run, err));
    COVEY_TRY(read_values(&values, b, o, present, problems, run, err));
    if (rows && values && rows->usable && values->usable) {
        b->rows = rows;
        b->values = values;
        COVEY_TRY(covey_i_bucketized_counts(&b->is_counted, &b->count, values, &o->arena, err));
    }
    if (rows && rows->usable) {
        o->n_rows = rows->n_rows;
        o->n_classes = rows->n_classes;
        o->class_start = rows->class_start;
        COVEY_TRY(covey_i_opened_units_read(o, present, problems, run, err));
    }
    if (covey_i_bucketized_has_help(o, b))
        COVEY_TRY(read_help(&help, b, o, present, problems, run, err));
    covey_i_opened_find_unused(o, problems);
    if (!b->rows)
        return COVEY_OK;
    b->help = help && help->usable ? help : NULL;
    if (rows->n_classes != values->n_classes) {
        covey_i_problem(problems, "%s has %" PRIu32 " groups, %s %" PRIu32, ROWS, rows->n_classes, VALUES,
                        values->n_classes);
        return COVEY_OK;
    }
    make_groups(&usable, o, b, problems);
    if (!usable)
        return COVEY_OK;
    o->usable = true;
    return covey_i_opened_columns(o, present, problems, run, err);
}

const covey_reader_form covey_reader_form_bucketized = {
    .name = "bucketized",
    .word = "group",
    .units_alike = true,
    .counts_unit_values = true,
    .is_exact = true,
    .has_table = has_table,
    .open = open_tables,
};
