/* Counts what is in every column of a table, and how far the suggested quasi-identifiers single people out together. */
#include "inspect/inspect_impl.h"

#include <covey/io.h>

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/source.h"
#include "base/run.h"
#include "base/sort/sort.h"
#include "base/threads.h"
#include "table/formulas.h"
#include "table/recoding/recoding.h"
#include "table/repeats.h"
#include "table/table_impl.h"

struct inspection_box {
    covey_inspection inspection;
    covey_arena arena;
};

/* What is known while looking. */
struct looking {
    const covey_table *table; /* raw: every text is a value, the empty one too */
    covey_inspection *inspection;
    covey_inspected_column *column; /* [n_columns] the inspection's */
    covey_column_facts *facts;      /* [n_columns] */
    covey_column **typed;           /* [n_columns] references, NULL: not yet */
    covey_arena *arena;
};

/* Texts that programs write for a missing cell.  "-", "." and "unknown" may be values and are left to the user. */
static covey_status guess_null(covey_inspection *inspection, const covey_table *table, covey_arena *arena,
                               covey_error *err)
{
    static const char *const markers[] = {"?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NULL", "null", "NaN", "nan"};
    enum { N = sizeof markers / sizeof *markers };
    const char **list = covey_arena_array(arena, const char *, N + 1);
    size_t n = 1;

    if (!list)
        return covey_i_no_memory(err);
    list[0] = "";
    for (size_t m = 0; m < N; m++)
        for (size_t c = 0; c < table->n_columns; c++)
            if (covey_i_column_find(table->columns[c], markers[m], strlen(markers[m])) >= 0) {
                list[n++] = markers[m];
                break;
            }
    inspection->null = list;
    inspection->n_null = n;
    inspection->null_guessed = true;
    return COVEY_OK;
}

static covey_status keep_null(covey_inspection *inspection, const covey_inspect_options *options, covey_arena *arena,
                              covey_error *err)
{
    const char **list = covey_arena_array(arena, const char *, options->n_null);

    for (size_t i = 0; list && i < options->n_null; i++)
        if (!(list[i] = covey_arena_strdup(arena, options->null[i])))
            return covey_i_no_memory(err);
    inspection->null = list;
    inspection->n_null = options->n_null;
    return list ? COVEY_OK : covey_i_no_memory(err);
}

/* A column in which the missing texts are one missing value. */
static covey_status join_missing(covey_column **out, covey_column *raw, const covey_inspection *inspection,
                                 covey_error *err)
{
    uint32_t *map = covey_i_array_zero(raw->n_values, sizeof *map), n = 1;
    covey_label *label = covey_i_array(raw->n_values + (size_t)1, sizeof *label);
    bool found = false;
    covey_status status = COVEY_OK;

    if (!map || !label)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK && raw->has_null) /* of a database */
        map[0] = found = true;
    for (size_t i = 0; status == COVEY_OK && i < inspection->n_null; i++) {
        const int64_t v = covey_i_column_find(raw, inspection->null[i], strlen(inspection->null[i]));

        if (v >= 0) {
            map[v] = 1; /* marks it for now */
            found = true;
        }
    }
    if (status == COVEY_OK && !found) {
        *out = covey_i_column_share(raw);
    } else if (status == COVEY_OK) {
        label[0] = (covey_label){"null", 4};
        for (uint32_t v = 0; v < raw->n_values; v++) {
            if (!map[v])
                label[n] = (covey_label){covey_column_label(raw, v), covey_column_label_size(raw, v)};
            map[v] = map[v] ? 0 : n++;
        }
        status = covey_i_column_recode(out, raw, COVEY_TYPE_TEXT, map, n, true, 0, label, NULL, err);
    }
    covey_i_free(label);
    covey_i_free(map);
    return status;
}

/* Letters and digits only: their number, else 0. */
static size_t code_length(const char *label, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!isalnum((unsigned char)label[i]))
            return 0;
    return size;
}

static bool has_blank(const char *label, size_t size)
{
    return size > 0 && (label[0] == ' ' || label[size - 1] == ' ');
}

/* Counts rows per value. */
static covey_status count(covey_inspected_column *out, covey_column_facts *f, const covey_column *column,
                          covey_error *err)
{
    int64_t *rows = covey_i_array_zero(column->n_values, sizeof *rows);
    bool is_first = true;

    if (!rows)
        return covey_i_no_memory(err);
    for (int64_t row = 0; row < column->n_rows; row++)
        rows[covey_i_code(column, row)]++;
    for (uint32_t v = 0; v < column->n_values; v++) {
        if (rows[v] == 0)
            continue;
        if (v == 0 && column->has_null) {
            f->n_missing = rows[v];
            continue;
        }
        const char *label = covey_column_label(column, v);
        const size_t size = covey_column_label_size(column, v), length = code_length(label, size);

        f->n_distinct++;
        out->n_unique += rows[v] == 1;
        out->n_formulas += covey_i_formulas_has(label, size) ? rows[v] : 0;
        out->n_blanks += has_blank(label, size) ? rows[v] : 0;
        out->is_named_by_value |= strcmp(label, f->name) == 0;
        f->code_length = is_first || f->code_length == length ? length : 0;
        is_first = false;
        if (column->type == COVEY_TYPE_INTEGER) {
            f->smallest = column->number[v] < f->smallest ? column->number[v] : f->smallest;
            f->largest = column->number[v] > f->largest ? column->number[v] : f->largest;
        }
    }
    covey_i_free(rows);
    out->n_distinct = f->n_distinct;
    out->n_missing = f->n_missing;
    if (column->n_rows > f->n_missing)
        out->uniqueness = (double)f->n_distinct / (double)(column->n_rows - f->n_missing);
    return COVEY_OK;
}

/* Types a column, numbers and dates also where they are written otherwise than covey writes them.  Dates of which
 * nothing tells the day from the month stay texts, and numbers of which nothing tells the comma from the point. */
static covey_status type_column(covey_column **out, covey_inspected_column *column, covey_column *texts,
                                const char *path, covey_error *err)
{
    covey_column *written = NULL;
    covey_recoding_guess guess;
    covey_status status;

    COVEY_TRY(covey_i_typing_column_type(out, texts, COVEY_TYPE_GUESS, NULL, 0, path, err));
    if ((*out)->type != COVEY_TYPE_TEXT)
        return COVEY_OK;
    covey_i_recoding_guess(&guess, texts);
    column->recoding = (covey_recoding){.decimal = guess.decimal, .date_format = guess.date_format};
    column->other_date_format = guess.other;
    column->other_decimal = guess.other_decimal;
    if (covey_i_recoding_is_nothing(&column->recoding) || guess.other || guess.other_decimal)
        return COVEY_OK;
    COVEY_TRY(
        covey_i_recoding_apply(&written, NULL, texts, NULL, &column->recoding, COVEY_TYPE_GUESS, true, path, err));
    covey_i_column_free(*out);
    *out = NULL;
    status = covey_i_typing_column_type(out, written, COVEY_TYPE_GUESS, NULL, 0, path, err);
    covey_i_column_free(written);
    return status;
}

static covey_status look_at_column(void *context, size_t c, covey_error *err)
{
    struct looking *l = context;
    covey_column *raw = l->table->columns[c], *joined = NULL;
    covey_column_facts *f = &l->facts[c];
    covey_status status = join_missing(&joined, raw, l->inspection, err);

    if (status == COVEY_OK)
        status = type_column(&l->typed[c], &l->column[c], joined, l->inspection->path, err);
    covey_i_column_free(joined);
    if (status != COVEY_OK)
        return status;
    f->name = l->column[c].name;
    f->type = l->column[c].recoding.date_format ? COVEY_TYPE_DATE : l->typed[c]->type;
    f->n_rows = raw->n_rows;
    f->smallest = INT64_MAX;
    f->largest = INT64_MIN;
    return count(&l->column[c], f, l->typed[c], err);
}

static bool are_equal(const struct looking *l, uint32_t a, uint32_t b)
{
    for (size_t c = 0; c < l->inspection->n_columns; c++)
        if (l->column[c].role == COVEY_ROLE_QUASI && covey_i_code(l->typed[c], a) != covey_i_code(l->typed[c], b))
            return false;
    return true;
}

/* Sorted by all quasi-identifiers, equal rows stand together. */
static void count_combinations(const struct looking *l, const uint32_t *rows, size_t n)
{
    for (size_t start = 0, end; start < n; start = end) {
        for (end = start + 1; end < n && are_equal(l, rows[start], rows[end]); end++)
            continue;
        l->inspection->n_combinations++;
        l->inspection->n_unique_rows += end - start == 1;
    }
}

static covey_status combine(const struct looking *l, const covey_run *run, covey_error *err)
{
    const size_t n = (size_t)l->table->n_rows, n_columns = l->inspection->n_columns;
    uint32_t *rows, *scratch;
    covey_status status = COVEY_OK;

    for (size_t c = 0; c < n_columns; c++)
        l->inspection->n_quasi += l->column[c].role == COVEY_ROLE_QUASI;
    if (l->inspection->n_quasi == 0)
        return COVEY_OK;
    rows = covey_i_array(n, sizeof *rows);
    scratch = covey_i_array(n, sizeof *scratch);
    if (!rows || !scratch)
        status = covey_i_no_memory(err);
    for (size_t i = 0; status == COVEY_OK && i < n; i++)
        rows[i] = (uint32_t)i;
    for (size_t c = 0; status == COVEY_OK && c < n_columns; c++) {
        if (l->column[c].role == COVEY_ROLE_QUASI)
            covey_i_sort_rows_codes(rows, scratch, n, l->typed[c]->codes, l->typed[c]->width);
        status = covey_i_run_goes_on(run, "combine", (int64_t)c + 1, (int64_t)n_columns, err);
    }
    if (status == COVEY_OK)
        count_combinations(l, rows, n);
    covey_i_free(scratch);
    covey_i_free(rows);
    return status;
}

/* Counts again, for the values: the first count is made by several threads, which have no memory in common. */
static covey_status look_at_values(struct looking *l, size_t c, covey_error *err)
{
    const covey_column *column = l->typed[c];
    int64_t *rows = covey_i_array_zero(column->n_values, sizeof *rows);
    covey_status status;

    if (!rows)
        return covey_i_no_memory(err);
    for (int64_t row = 0; row < column->n_rows; row++)
        rows[covey_i_code(column, row)]++;
    status = covey_i_inspect_values(&l->column[c], column, rows, l->arena, err);
    covey_i_free(rows);
    return status;
}

static covey_status suggest(struct looking *l, size_t c, covey_error *err)
{
    covey_inspected_column *column = &l->column[c];
    const covey_repeats repeats = {.n_values = column->n_distinct,
                                   .n_rows = l->table->n_rows - column->n_missing,
                                   .n_repeated = l->table->n_rows - column->n_missing - column->n_unique};

    l->facts[c].is_repeated_key = covey_i_repeats_are_keys(&repeats, column->name, false);
    COVEY_TRY(covey_i_inspect_suggest(column, &l->facts[c], l->arena, err));
    column->is_repeated_key = covey_i_repeats_are_keys(
        &repeats, column->name, column->role == COVEY_ROLE_IDENTIFIER || column->role == COVEY_ROLE_ENTITY);
    COVEY_TRY(look_at_values(l, c, err));
    return covey_i_inspect_hierarchy_file(column, l->typed[c], l->inspection->path, l->arena, err);
}

/* A policy has one: of several keys that of the smallest units, such as persons and not their households. */
static void keep_one_entity(struct looking *l)
{
    covey_inspected_column *kept = NULL;

    for (size_t c = 0; c < l->inspection->n_columns; c++) {
        covey_inspected_column *column = &l->column[c];

        if (column->role != COVEY_ROLE_ENTITY)
            continue;
        column->role = COVEY_ROLE_IDENTIFIER;
        if (!kept || column->n_distinct > kept->n_distinct)
            kept = column;
    }
    if (kept)
        kept->role = COVEY_ROLE_ENTITY;
}

/* So it has one sampling weight: the first, behind which tables have the others, such as replicate weights. */
static void keep_one_weight(struct looking *l)
{
    bool is_kept = false;

    for (size_t c = 0; c < l->inspection->n_columns; c++)
        if (l->column[c].role == COVEY_ROLE_WEIGHT) {
            if (is_kept)
                l->column[c].role = COVEY_ROLE_IDENTIFIER;
            is_kept = true;
        }
}

/* The index of the column; COVEY_EINVAL if there is none. */
static covey_status find_column(size_t *out, const struct looking *l, const char *name, covey_error *err)
{
    const char **names;
    const char *near;

    for (*out = 0; *out < l->inspection->n_columns; ++*out)
        if (strcmp(l->column[*out].name, name) == 0)
            return COVEY_OK;
    if (!(names = covey_arena_array(l->arena, const char *, l->inspection->n_columns)))
        return covey_i_no_memory(err);
    for (size_t c = 0; c < l->inspection->n_columns; c++)
        names[c] = l->column[c].name;
    near = covey_nearest_name(name, names, l->inspection->n_columns);
    return covey_i_error_names(covey_fail_at(err, COVEY_EINVAL, NULL, 0, name, 0, "%s has no column \"%s\"%s%s%s",
                                             l->inspection->path, name, near ? "; did you mean \"" : "",
                                             near ? near : "", near ? "\"?" : ""),
                               l->inspection->path, NULL, err);
}

/* Every set of the columns that were named, or of all. */
static covey_status list_sets(struct looking *l, const covey_inspect_options *options, const covey_run *run,
                              covey_error *err)
{
    const size_t n_columns = l->inspection->n_columns;
    bool *wanted = covey_arena_array_zero(l->arena, bool, n_columns);
    size_t *among = covey_arena_array(l->arena, size_t, n_columns), n = 0, c;

    if (!wanted || !among)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < options->n_among; i++) {
        COVEY_TRY(find_column(&c, l, options->among[i], err));
        wanted[c] = true;
    }
    for (c = 0; c < n_columns; c++)
        if (wanted[c] || !options->among)
            among[n++] = c;
    return n == 0 ? COVEY_OK
                  : covey_i_inspect_every_set(l->inspection, l->typed, among, n, options->together, l->arena, run, err);
}

static covey_status look(struct looking *l, const covey_inspect_options *options, const covey_run *run,
                         covey_error *err)
{
    const size_t n = l->table->n_columns;

    l->inspection->n_rows = l->table->n_rows;
    l->inspection->column = l->column = covey_arena_array_zero(l->arena, covey_inspected_column, n);
    l->inspection->n_columns = n;
    l->facts = covey_arena_array_zero(l->arena, covey_column_facts, n);
    l->typed = covey_arena_array_zero(l->arena, covey_column *, n);
    if (!l->column || !l->facts || !l->typed)
        return covey_i_no_memory(err);
    for (size_t c = 0; c < n; c++)
        if (!(l->column[c].name = covey_arena_strdup(l->arena, l->table->columns[c]->name)))
            return covey_i_no_memory(err);
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), n, look_at_column, l, err));
    for (size_t c = 0; c < n; c++)
        COVEY_TRY(suggest(l, c, err));
    keep_one_entity(l);
    keep_one_weight(l);
    COVEY_TRY(combine(l, run, err));
    if (options && options->together)
        return list_sets(l, options, run, err);
    return covey_i_inspect_combinations(l->inspection, l->typed, l->arena, run, err);
}

static covey_status inspect(covey_inspection *inspection, covey_arena *arena, const covey_table *table,
                            const covey_inspect_options *options, const covey_run *run, covey_error *err)
{
    struct looking l = {.table = table, .inspection = inspection, .arena = arena};
    covey_status status = options && options->null ? keep_null(inspection, options, arena, err)
                                                   : guess_null(inspection, table, arena, err);

    if (status == COVEY_OK)
        status = look(&l, options, run, err);
    for (size_t c = 0; l.typed && c < table->n_columns; c++)
        covey_i_column_free(l.typed[c]);
    return status;
}

covey_status covey_inspect(covey_inspection **out, const char *path, const covey_inspect_options *options,
                           const covey_run *run, covey_error *err)
{
    static const char *const nothing[] = {""}; /* of which none are listed: every text is a value at first */
    covey_csv_options csv = COVEY_CSV_OPTIONS_INIT;
    struct inspection_box *box = covey_i_array_zero(1, sizeof *box);
    covey_table *table = NULL;
    covey_status status;

    if (!box)
        return covey_i_no_memory(err);
    box->inspection.own = box;
    csv.null = nothing;
    csv.memory_limit = options && options->memory_limit > 0 ? options->memory_limit : covey_i_free_memory() / 2;
    if (options) {
        csv.delimiter = box->inspection.delimiter = options->delimiter;
        csv.trim = box->inspection.trim = options->trim;
        csv.no_header = box->inspection.no_header = options->no_header;
        csv.names = box->inspection.names = options->names;
        csv.n_names = box->inspection.n_names = options->n_names;
        if (options->null && covey_i_source_kind(path) != COVEY_SOURCE_FILE) { /* "null" may stand beside NULL then */
            csv.null = options->null;
            csv.n_null = options->n_null;
        }
    }
    status = covey_table_read(&table, path, &csv, run, err);
    if (status == COVEY_OK && !(box->inspection.path = covey_i_source_shown(path, &box->arena)))
        status = covey_i_no_memory(err);
    if (status == COVEY_OK && table->codebook &&
        !(box->inspection.codebook = covey_arena_strdup(&box->arena, table->codebook)))
        status = covey_i_no_memory(err);
    if (status == COVEY_OK)
        status = inspect(&box->inspection, &box->arena, table, options, run, err);
    covey_table_free(table);
    if (status == COVEY_OK)
        *out = &box->inspection;
    else
        covey_inspection_free(&box->inspection);
    return status;
}

void covey_inspection_free(covey_inspection *inspection)
{
    struct inspection_box *box = inspection ? inspection->own : NULL;

    if (!box)
        return;
    covey_arena_free(&box->arena);
    covey_i_free(box);
}
