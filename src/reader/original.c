/* Reading the original in terms of its release. */
#include "reader/original.h"

#include <covey/io.h>

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/source.h"
#include "base/plural.h"
#include "base/threads.h"
#include "hierarchy/hierarchy_impl.h"
#include "reader/form_impl.h"
#include "reader/points/covers.h"
#include "table/table_impl.h"

struct reading {
    covey_original *original;
    covey_opened *opened;
    const covey_original_options *options;
    const char *path, *source; /* what is shown, without passwords, and what is read */
    covey_table *table;        /* as read */
    const covey_column **raw;  /* [n_columns] by the release's columns */
    int64_t *kept;             /* rows that were not dropped; NULL: all */
    int64_t n_kept;
    covey_problems *problems;
    covey_problems *parts; /* [n_columns] problems of each column */
};

static bool is_wanted(const struct reading *r, size_t i)
{
    return !r->options->is_population || r->opened->column[i].stated->role == COVEY_ROLE_QUASI;
}

/* Other columns are not read: what is in them is nothing to the release. */
static bool is_read(void *context, const char *name)
{
    struct reading *r = context;
    covey_text *left_out = &r->original->left_out;

    for (size_t i = 0; i < r->opened->n_columns; i++)
        if (is_wanted(r, i) && strcmp(r->opened->column[i].stated->name, name) == 0)
            return true;
    for (size_t i = 0; i < r->options->n_more; i++)
        if (strcmp(r->options->more[i], name) == 0)
            return true;
    covey_i_text_add_format(left_out, "%s%s", left_out->size ? ", " : "", name);
    return false;
}

static bool find_columns(struct reading *r)
{
    bool found = true;

    for (size_t i = 0; i < r->opened->n_columns; i++) {
        if (!is_wanted(r, i))
            continue;
        int column = covey_table_find(r->table, r->opened->column[i].stated->name);

        if (column < 0)
            covey_i_problem(r->problems, "the %s has no column \"%s\"",
                            r->options->is_population ? "population" : "original", r->opened->column[i].stated->name);
        else
            r->raw[i] = covey_table_column(r->table, (size_t)column);
        found &= column >= 0;
    }
    return found;
}

/* --- rows with missing values that the policy dropped --- */

static bool is_missing(const covey_column *raw, int64_t row)
{
    return raw->has_null && covey_i_code_at(raw, row) == 0;
}

static int64_t mark_missing(bool *drop, const struct reading *r, bool sensitive, bool quasi)
{
    int64_t n_rows = covey_table_n_rows(r->table), n = 0;

    memset(drop, 0, (size_t)n_rows * sizeof *drop);
    for (size_t i = 0; i < r->opened->n_columns; i++) {
        covey_role role = r->opened->column[i].stated->role;

        if (!(role == COVEY_ROLE_SENSITIVE ? sensitive : role == COVEY_ROLE_QUASI && quasi) || !r->raw[i]->has_null)
            continue;
        for (int64_t row = 0; row < n_rows; row++)
            drop[row] |= is_missing(r->raw[i], row);
    }
    for (int64_t row = 0; row < n_rows; row++)
        n += drop[row];
    return n;
}

/* Does the manifest agree that a rule was applied?  Then no column that it looks at has missing values any more. */
static bool is_stated(const covey_opened *opened, bool sensitive, bool quasi)
{
    for (size_t i = 0; i < opened->n_columns; i++) {
        const covey_stated_column *stated = opened->column[i].stated;

        if (stated->has_missing &&
            ((stated->role == COVEY_ROLE_SENSITIVE && sensitive) || (stated->role == COVEY_ROLE_QUASI && quasi)))
            return false;
    }
    return true;
}

/* The manifest says how many rows were dropped, but not by which of the two rules; the table tells.  Where two drop as
 * many rows, but not the same, only the right one leaves no missing values. */
static bool find_rule(bool *drop, const struct reading *r)
{
    static const bool rules[3][2] = {{true, false}, {false, true}, {true, true}};

    for (int i = 0; i < 6; i++) {
        const bool *rule = rules[i % 3];

        /* has_missing may be left out of a manifest: then any rule with the right number will do. */
        if ((i >= 3 || is_stated(r->opened, rule[0], rule[1])) &&
            mark_missing(drop, r, rule[0], rule[1]) == r->opened->stated->n_dropped)
            return true;
    }
    return false;
}

/* Rows that the release cannot hold, and so no row of it is. */
static covey_status mark_outside(bool *drop, struct reading *r, const covey_run *run, covey_error *err)
{
    const int64_t n_rows = covey_table_n_rows(r->table);

    memset(drop, 0, (size_t)n_rows * sizeof *drop);
    COVEY_TRY(covey_i_population_outside(drop, r->opened, r->raw, r->path, run, err));
    for (int64_t row = 0; row < n_rows; row++)
        r->original->n_outside += drop[row];
    return COVEY_OK;
}

static void mark_dropped(bool *drop, struct reading *r)
{
    if (find_rule(drop, r))
        return;
    covey_i_problem(r->problems,
                    "dropped_rows is %" PRId64
                    " in manifest.json, but the original does not have as many rows with missing values",
                    r->opened->stated->n_dropped);
    memset(drop, 0, (size_t)covey_table_n_rows(r->table) * sizeof *drop);
}

static covey_status drop_rows(struct reading *r, const covey_run *run, covey_error *err)
{
    int64_t n_rows = covey_table_n_rows(r->table);
    covey_status status = COVEY_OK;
    bool *drop;

    r->n_kept = n_rows;
    if (r->opened->stated->n_dropped == 0 && !r->options->is_population)
        return COVEY_OK;
    drop = covey_i_array((size_t)n_rows, sizeof *drop);
    r->kept = covey_i_array((size_t)n_rows, sizeof *r->kept);
    if (!drop || !r->kept)
        status = covey_i_no_memory(err);
    else if (r->options->is_population)
        status = mark_outside(drop, r, run, err);
    else
        mark_dropped(drop, r);
    r->n_kept = 0;
    for (int64_t row = 0; row < n_rows && status == COVEY_OK; row++)
        if (!drop[row])
            r->kept[r->n_kept++] = row;
    covey_i_free(drop);
    if (r->n_kept == n_rows) {
        covey_i_free(r->kept);
        r->kept = NULL;
    }
    return status;
}

/* --- columns --- */

/* Dropped rows leave before anything is made of the values, as they did when the release was made. */
static covey_status prepare_column(struct reading *r, size_t i, covey_error *err)
{
    covey_column *picked = NULL;
    covey_status status;

    if (!r->kept)
        return covey_i_original_prepare(&r->original->column[i].column, &r->opened->column[i], r->raw[i], r->path, err);
    COVEY_TRY(covey_i_column_pick(&picked, r->raw[i], r->kept, r->n_kept, err));
    status = covey_i_original_prepare(&r->original->column[i].column, &r->opened->column[i], picked, r->path, err);
    covey_i_column_free(picked);
    return status;
}

static covey_status read_column(void *context, size_t task, covey_error *err)
{
    struct reading *r = context;
    covey_opened_column *column = &r->opened->column[task];
    covey_status status;

    if (!is_wanted(r, task))
        return COVEY_OK;
    status = prepare_column(r, task, err);
    if (covey_i_original_is_misfit(status)) {
        /* The library's own words could show a value. */
        covey_i_problem(&r->parts[task], "the %s's column \"%s\" has values that do not fit %s%s",
                        r->options->is_population ? "population" : "original", column->stated->name,
                        column->stated->hierarchy ? "its hierarchy" : covey_type_name(column->stated->type),
                        column->stated->hierarchy || column->stated->type == COVEY_TYPE_TEXT
                            ? ""
                            : "; only texts that \"missing\" of manifest.json lists mean missing cells");
        return COVEY_OK;
    }
    if (status != COVEY_OK)
        return status;
    return covey_i_covers_make(&r->original->column[task], column, &r->parts[task], &column->arena, err);
}

static covey_status read_columns(struct reading *r, const covey_run *run, covey_error *err)
{
    size_t n = r->opened->n_columns;
    covey_status status;

    r->original->n_rows = (uint32_t)r->n_kept;
    for (size_t i = 0; i < n; i++)
        r->opened->column[i].n_suppressed = r->opened->stated->n_suppressed;
    status = covey_i_parallel(covey_run_threads(run), n, read_column, r, err);
    r->original->usable = status == COVEY_OK;
    for (size_t i = 0; i < n; i++) {
        r->original->usable &= r->original->column[i].column != NULL || !is_wanted(r, i);
        covey_i_problems_move(r->problems, &r->parts[i]);
    }
    return status;
}

/* Are some rows with a value dropped, and others are not? */
static covey_status find_torn(bool *is_torn, const struct reading *r, const covey_column *column, covey_error *err)
{
    bool *stays = covey_i_array_zero(column->n_values, sizeof *stays);
    int64_t at = 0;

    if (!stays)
        return covey_i_no_memory(err);
    for (int64_t i = 0; i < r->n_kept; i++)
        stays[covey_i_code_at(column, r->kept[i])] = true;
    for (int64_t row = 0; row < column->n_rows; row++) {
        const bool is_kept = at < r->n_kept && r->kept[at] == row;

        at += is_kept;
        *is_torn |= !is_kept && !is_missing(column, row) && stays[covey_i_code_at(column, row)];
    }
    covey_i_free(stays);
    return COVEY_OK;
}

/* Columns that are not published. */
static covey_status keep_more(struct reading *r, covey_error *err)
{
    r->original->n_more = r->options->n_more;
    r->original->more = covey_arena_array_zero(&r->original->arena, covey_column *, r->options->n_more);
    r->original->is_torn = covey_arena_array_zero(&r->original->arena, bool, r->options->n_more);
    if (!r->original->more || !r->original->is_torn)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < r->options->n_more; i++) {
        int column = covey_table_find(r->table, r->options->more[i]);

        if (column < 0 && i < r->options->n_named) {
            return covey_i_error_names(
                covey_fail(err, COVEY_EINVAL, "the original has no column \"%s\"", r->options->more[i]), r->path,
                r->options->more[i], err);
        } else if (column < 0) {
            covey_i_problem(r->problems, "the original has no column \"%s\"", r->options->more[i]);
            r->original->usable = false;
        } else if (r->kept) {
            const covey_column *raw = covey_table_column(r->table, (size_t)column);

            COVEY_TRY(covey_i_column_pick(&r->original->more[i], raw, r->kept, r->n_kept, err));
            COVEY_TRY(find_torn(&r->original->is_torn[i], r, raw, err));
        } else {
            r->original->more[i] = covey_i_column_share((covey_column *)covey_table_column(r->table, (size_t)column));
        }
    }
    return COVEY_OK;
}

static covey_status read_all(struct reading *r, const covey_run *run, covey_error *err)
{
    const covey_stated *stated = r->opened->stated;
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    size_t n = r->opened->n_columns;

    options.null = stated->missing;
    options.n_null = stated->n_missing;
    options.trim = stated->trim;
    if (covey_i_source_kind(r->source) == COVEY_SOURCE_FILE)
        options.delimiter = stated->delimiter;
    options.no_header = stated->no_header;
    options.names = stated->names;
    options.n_names = stated->n_names;
    options.keep = is_read;
    options.context = r;
    COVEY_TRY(covey_table_read(&r->table, r->source, &options, run, err));
    r->raw = covey_arena_array_zero(&r->original->arena, const covey_column *, n);
    r->parts = covey_arena_array_zero(&r->original->arena, covey_problems, n);
    r->original->column = covey_arena_array_zero(&r->original->arena, covey_original_column, n);
    if (!r->raw || !r->parts || !r->original->column || r->original->left_out.broken)
        return covey_i_no_memory(err);
    r->original->n_columns = n;
    if (covey_table_n_rows(r->table) >= UINT32_MAX)
        return covey_fail(err, COVEY_EPARSE, "%s has more rows than this version of covey can compare", r->path);
    if (!r->options->is_population && covey_table_n_rows(r->table) != stated->n_rows + stated->n_dropped)
        covey_i_problem(r->problems, "the original has %" PRId64 " row%s, but the release was made from %" PRId64,
                        covey_table_n_rows(r->table), covey_i_plural(covey_table_n_rows(r->table)),
                        stated->n_rows + stated->n_dropped);
    if (!find_columns(r))
        return COVEY_OK;
    COVEY_TRY(drop_rows(r, run, err));
    COVEY_TRY(read_columns(r, run, err));
    return keep_more(r, err);
}

covey_status covey_i_original_read(covey_original **out, covey_opened *opened, const char *path,
                                   covey_problems *problems, const covey_run *run, covey_error *err)
{
    static const covey_original_options defaults = {0};

    return covey_i_original_read_with(out, opened, path, &defaults, problems, run, err);
}

covey_status covey_i_original_read_with(covey_original **out, covey_opened *opened, const char *path,
                                        const covey_original_options *options, covey_problems *problems,
                                        const covey_run *run, covey_error *err)
{
    struct reading r = {
        .original = covey_i_array_zero(1, sizeof(covey_original)),
        .opened = opened,
        .options = options,
        .source = path,
        .problems = problems,
    };
    covey_text shown = COVEY_TEXT_INIT;
    covey_status status;

    if (!r.original)
        return covey_i_no_memory(err);
    covey_i_source_show(&shown, path);
    r.path = shown.bytes;
    status = shown.broken ? covey_i_no_memory(err) : read_all(&r, run, err);
    covey_i_text_free(&shown);
    covey_table_free(r.table);
    r.original->row_of = r.kept;
    if (status != COVEY_OK) {
        for (size_t i = 0; r.parts && i < opened->n_columns; i++)
            covey_i_problems_clear(&r.parts[i]);
        covey_i_original_free(r.original);
        return status;
    }
    *out = r.original;
    return COVEY_OK;
}

static covey_status as_cells(covey_original_column *column, const covey_column *cells, covey_arena *arena,
                             covey_error *err)
{
    const uint32_t n_values = column->column->n_values, n_cells = cells->n_values;
    uint32_t *cell_of_value = covey_arena_array(arena, uint32_t, n_values),
             *identity = covey_arena_array(arena, uint32_t, n_cells);
    covey_label *label = covey_arena_array(arena, covey_label, (size_t)n_cells + 1);
    covey_column *recoded;

    if (!cell_of_value || !identity || !label)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < n_values; v++)
        cell_of_value[v] = n_cells;
    for (uint32_t i = 0; i < n_cells; i++) {
        const covey_cover *cover = &column->cover[i];

        identity[i] = i;
        label[i] = (covey_label){covey_column_label(cells, i), strlen(covey_column_label(cells, i))};
        for (uint32_t v = cover->low; v <= cover->high && v < n_values; v++)
            if (covey_i_cover_holds(cover, v))
                cell_of_value[v] = i;
    }
    label[n_cells] = (covey_label){"", 0};
    COVEY_TRY(covey_i_column_recode(&recoded, column->column, COVEY_TYPE_TEXT, cell_of_value, n_cells + 1, false, 0,
                                    label, NULL, err));
    covey_i_column_free(column->column);
    *column = (covey_original_column){.column = recoded, .value_of_cell = identity};
    return COVEY_OK;
}

covey_status covey_i_original_as_cells(covey_original *original, const covey_opened *opened, covey_error *err)
{
    for (size_t i = 0; i < original->n_columns && opened->stated->published_as->may_recode; i++)
        if (original->column[i].cover)
            COVEY_TRY(as_cells(&original->column[i], opened->column[i].text, &original->arena, err));
    return COVEY_OK;
}

void covey_i_original_free(covey_original *original)
{
    if (!original)
        return;
    for (size_t i = 0; i < original->n_columns; i++)
        covey_i_column_free(original->column[i].column);
    for (size_t i = 0; i < original->n_more && original->more; i++)
        covey_i_column_free(original->more[i]);
    covey_i_text_free(&original->left_out);
    covey_arena_free(&original->arena);
    covey_i_free(original->row_of);
    covey_i_free(original);
}
