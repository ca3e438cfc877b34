/* Opening the folder of a release and reading its tables. */
#include "reader/opened.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/threads.h"
#include "reader/cells/cells.h"
#include "reader/contents.h"
#include "reader/form_impl.h"
#include "reader/units.h"

static const size_t MOST_HIERARCHY_BYTES = (size_t)1 << 30;

/* --- hierarchies --- */

static covey_status compare_records(const covey_stated_file *file, const char *path, covey_problems *problems,
                                    covey_error *err)
{
    char *bytes = NULL;
    size_t size;
    int64_t n_records = 0;
    bool is_quoted = false;

    COVEY_TRY(covey_i_contents_read_file(&bytes, &size, path, MOST_HIERARCHY_BYTES, err));
    for (size_t i = 0; i < size; i++) {
        is_quoted ^= bytes[i] == '"';
        n_records += bytes[i] == '\n' && !is_quoted;
    }
    covey_i_free(bytes);
    if (n_records != file->n_rows)
        covey_i_problem(problems, "%s has %" PRId64 " row%s, manifest.json says %" PRId64, file->name, n_records,
                        covey_i_plural(n_records), file->n_rows);
    return COVEY_OK;
}

/* Reads the published hierarchy of a column.  A hierarchy that is wrong is a problem, not an error. */
static covey_status read_tree(covey_opened_column *column, const covey_opened *o, const bool *present,
                              covey_problems *problems, covey_error *err)
{
    const covey_stated_column *stated = column->stated;
    covey_hierarchy_spec spec = COVEY_HIERARCHY_SPEC_INIT;
    int file = stated->hierarchy ? covey_i_stated_file(o->stated, stated->hierarchy) : -1;
    covey_status status;
    covey_error why;

    if (!stated->hierarchy)
        return COVEY_OK;
    if (file < 0 || !present[file]) {
        covey_i_problem(problems, "column \"%s\": its hierarchy \"%s\" is not among the files of the release",
                        stated->name, stated->hierarchy);
        return COVEY_OK;
    }
    spec.kind = COVEY_HIERARCHY_FILE;
    spec.delimiter = ';';
    /* Where values are published as they are every line is a leaf, also one that is called like the root. */
    spec.partial = !stated->hierarchy_complete && stated->publish != COVEY_PUBLISH_VALUE;
    if (!(spec.path = covey_i_contents_path(&column->arena, o->folder, stated->hierarchy)))
        return covey_i_no_memory(err);
    COVEY_TRY(compare_records(&o->stated->file[file], spec.path, problems, err));
    status = covey_hierarchy_build(&column->tree, &spec, NULL, NULL, &why);
    if (status == COVEY_EPARSE || status == COVEY_EINVAL) {
        covey_i_problem(problems, "%s is not a hierarchy: %s", stated->hierarchy, why.message);
        return COVEY_OK;
    }
    if (status != COVEY_OK && err)
        *err = why;
    return status;
}

void covey_i_opened_find_unused(const covey_opened *o, covey_problems *problems)
{
    for (size_t f = 0; f < o->stated->n_files; f++) {
        const char *name = o->stated->file[f].name;
        bool used = o->stated->has_units && strcmp(name, COVEY_UNITS_TABLE) == 0; /* some forms read it last */

        for (size_t t = 0; t < o->n_tables && !used; t++)
            used = strcmp(o->table[t].file, name) == 0;
        for (size_t i = 0; i < o->stated->n_columns && !used; i++)
            used = o->stated->column[i].hierarchy && strcmp(o->stated->column[i].hierarchy, name) == 0;
        if (!used)
            covey_i_problem(problems, "%s belongs to no column", name);
    }
}

/* --- columns --- */

/* Every end of a tight range, and every value of a set, is a row's. */
static const char *find_excess(const covey_opened_column *column, const covey_cell *cell, uint32_t size)
{
    if (cell->kind != COVEY_CELL_VALUES)
        return NULL;
    if (column->stated->publish == COVEY_PUBLISH_SET && cell->n_elements > size)
        return "the set has more values than the class has rows";
    if (column->stated->publish == COVEY_PUBLISH_RANGE && cell->low < cell->high && size < 2)
        return "a class of one row has no range";
    return NULL;
}

/* Have these rows the same code?  They have if each has that of the next one. */
static inline bool is_one_code(const covey_column *text, uint32_t begin, uint32_t end)
{
    const char *codes = (const char *)text->codes + (size_t)begin * text->width;

    return memcmp(codes, codes + text->width, (size_t)(end - begin - 1) * text->width) == 0;
}

/* Rows of one class show the same cell in every quasi-identifier. */
static void find_class_cells(covey_opened_column *column, const covey_opened *o, covey_problems *problems)
{
    for (uint32_t c = 0; c < o->n_classes; c++)
        column->class_cell[c] = covey_i_code_at(column->text, o->class_start[c]);
    for (uint32_t c = o->n_seen; c < o->n_classes; c++) {
        uint32_t code = column->class_cell[c];
        const char *fault = column->cell[code].fault;

        if (!fault && o->stated->is_tight)
            fault = find_excess(column, &column->cell[code], o->class_start[c + 1] - o->class_start[c]);
        if (!is_one_code(column->text, o->class_start[c], o->class_start[c + 1])) {
            covey_i_problem(problems,
                            "class %" PRIu32 ", column \"%s\": the rows of the class do not all show the same cell",
                            o->first_class + c + 1, column->stated->name);
            column->usable = false;
        }
        if (fault)
            covey_i_problem(problems, "class %" PRIu32 ", column \"%s\": %s", o->first_class + c + 1,
                            column->stated->name, fault);
        if (column->cell[code].fault)
            column->usable = false;
    }
}

static void find_faults(covey_opened_column *column, const covey_opened *o, covey_problems *problems)
{
    const covey_opened_table *table = column->table;
    bool any = false;

    for (uint32_t i = 0; column->fault && i < column->text->n_values; i++)
        any |= column->fault[i] != NULL;
    if (!any)
        return;
    column->usable = false;
    for (uint32_t line = o->n_seen ? table->class_start[o->n_seen] : 0; line < table->n_rows; line++) {
        const char *fault = column->fault[covey_i_code_at(column->text, line)];

        if (fault)
            covey_i_problem(problems, "%s %" PRIu32 ", column \"%s\": %s", o->stated->published_as->word,
                            o->first_class + covey_i_class_of_line(table->class_start, table->n_classes, line),
                            column->stated->name, fault);
    }
}

/* Cells that differ inside a class: each is at fault where it stands. */
static covey_status find_cell_faults(covey_opened_column *column, const covey_opened *o, covey_problems *problems,
                                     covey_error *err)
{
    if (!(column->fault = covey_arena_array(&column->arena, const char *, column->text->n_values)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < column->text->n_values; i++)
        column->fault[i] = column->cell[i].fault;
    find_faults(column, o, problems);
    return COVEY_OK;
}

struct reading {
    covey_opened *o;
    covey_problems *problems; /* [n_columns] */
};

covey_status covey_i_opened_column_lines(covey_opened_column *column, const covey_opened *o, covey_problems *problems,
                                         covey_error *err)
{
    if (column->stated->publish == COVEY_PUBLISH_VALUE) {
        find_faults(column, o, problems);
        return COVEY_OK;
    }
    if (o->stated->published_as->is_exact)
        return find_cell_faults(column, o, problems, err);
    if (!(column->class_cell = covey_arena_array(&column->arena, uint32_t, o->n_classes)))
        return covey_i_no_memory(err);
    find_class_cells(column, o, problems);
    return COVEY_OK;
}

static covey_status read_column(void *context, size_t task, covey_error *err)
{
    struct reading *reading = context;

    COVEY_TRY(covey_i_cells_read(&reading->o->column[task], &reading->problems[task], err));
    return covey_i_opened_column_lines(&reading->o->column[task], reading->o, &reading->problems[task], err);
}

covey_status covey_i_opened_trees(covey_opened *o, const bool *present, covey_problems *problems, covey_error *err)
{
    for (size_t i = 0; i < o->n_columns; i++)
        COVEY_TRY(read_tree(&o->column[i], o, present, problems, err));
    return COVEY_OK;
}

covey_status covey_i_opened_columns(covey_opened *o, const bool *present, covey_problems *problems,
                                    const covey_run *run, covey_error *err)
{
    struct reading reading = {o, covey_i_array_zero(o->n_columns, sizeof *reading.problems)};
    covey_status status = COVEY_OK;

    if (!reading.problems)
        return covey_i_no_memory(err);
    if ((status = covey_i_opened_trees(o, present, problems, err)) == COVEY_OK)
        status = covey_i_parallel(covey_run_threads(run), o->n_columns, read_column, &reading, err);
    for (size_t i = 0; i < o->n_columns; i++)
        covey_i_problems_move(problems, &reading.problems[i]);
    covey_i_free(reading.problems);
    return status;
}

covey_status covey_i_opened_divide(const covey_opened_column **sensitive, const covey_opened_column ***content,
                                   size_t *n_content, covey_opened *o, covey_problems *problems, covey_error *err)
{
    static const covey_role order[] = {COVEY_ROLE_QUASI, COVEY_ROLE_INSENSITIVE};
    size_t n_sensitive = 0;

    if (!(*content = covey_arena_array(&o->arena, const covey_opened_column *, o->n_columns)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < o->n_columns; i++)
        if (o->column[i].stated->role == COVEY_ROLE_SENSITIVE && n_sensitive++ == 0)
            *sensitive = &o->column[i];
    for (size_t r = 0; r < 2; r++)
        for (size_t i = 0; i < o->n_columns; i++)
            if (o->column[i].stated->role == order[r])
                (*content)[(*n_content)++] = &o->column[i];
    if (n_sensitive != 1) {
        covey_i_problem(problems, "manifest.json: a %s release has one sensitive column, not %zu", o->stated->form,
                        n_sensitive);
        *sensitive = NULL;
    }
    return COVEY_OK;
}

bool covey_i_opened_all_usable(const covey_opened *opened)
{
    for (size_t i = 0; i < opened->n_columns; i++)
        if (!opened->column[i].usable)
            return false;
    return opened->usable;
}

static covey_status make_columns(covey_opened *o, covey_error *err)
{
    const covey_stated *stated = o->stated;

    o->table = covey_arena_array_zero(&o->arena, covey_opened_table, stated->n_files);
    o->column = covey_arena_array_zero(&o->arena, covey_opened_column, stated->n_columns);
    o->quasi = covey_arena_array(&o->arena, uint32_t, stated->n_columns);
    if (!o->table || !o->column || !o->quasi)
        return covey_i_no_memory(err);
    o->n_columns = stated->n_columns;
    for (size_t i = 0; i < o->n_columns; i++) {
        o->column[i].stated = &stated->column[i];
        o->column[i].usable = true;
        if (stated->column[i].role == COVEY_ROLE_QUASI)
            o->quasi[o->n_quasi++] = (uint32_t)i;
    }
    return COVEY_OK;
}

covey_status covey_i_opened_new(covey_opened **out, const char *folder, const covey_stated *stated, covey_error *err)
{
    covey_opened *o = covey_i_array_zero(1, sizeof *o);
    covey_status status;

    if (!o)
        return covey_i_no_memory(err);
    o->stated = stated;
    o->folder = folder;
    if ((status = make_columns(o, err)) == COVEY_OK)
        *out = o;
    else
        covey_i_opened_free(o);
    return status;
}

static covey_status read_opened(covey_opened **out, const char *folder, const covey_stated *stated, const bool *present,
                                bool without_derived, covey_problems *problems, const covey_run *run, covey_error *err)
{
    covey_opened *o = NULL;
    covey_status status;

    COVEY_TRY(covey_i_opened_new(&o, folder, stated, err));
    o->without_derived = without_derived;
    if ((status = stated->published_as->open(o, present, problems, run, err)) == COVEY_OK)
        *out = o;
    else
        covey_i_opened_free(o);
    return status;
}

covey_status covey_i_opened_read(covey_opened **out, const char *folder, const covey_stated *stated,
                                 const bool *present, covey_problems *problems, const covey_run *run, covey_error *err)
{
    return read_opened(out, folder, stated, present, false, problems, run, err);
}

covey_status covey_i_opened_read_data(covey_opened **out, const char *folder, const covey_stated *stated,
                                      const bool *present, covey_problems *problems, const covey_run *run,
                                      covey_error *err)
{
    return read_opened(out, folder, stated, present, true, problems, run, err);
}

void covey_i_opened_free(covey_opened *opened)
{
    if (!opened)
        return;
    for (size_t i = 0; i < opened->n_columns; i++) {
        covey_hierarchy_free(opened->column[i].tree);
        covey_hierarchy_free(opened->column[i].rebuilt);
        covey_arena_free(&opened->column[i].arena);
    }
    for (size_t t = 0; t < opened->n_tables; t++) {
        covey_table_free(opened->table[t].table);
        covey_i_free(opened->table[t].numbers.start);
    }
    covey_arena_free(&opened->arena);
    covey_i_free(opened);
}
