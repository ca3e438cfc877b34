/* A transformed release as one table. */
#include "export/one_table.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/text.h"
#include "io/database/rows.h"
#include "query/query_impl.h"
#include "reader/transformed/transformed.h"

enum { GROUP = 0, FIRST_END = 1, N_ENDS = 3 }; /* columns of sensitive: group, low, high, label, count */

struct dealing {
    const covey_export_table *quasi, *sensitive;
    const covey_opened_transformed *release;
    covey_rng rng;
    uint64_t *entry; /* of one group, each as often as it counts */
    size_t capacity;
};

static void copy_cell(covey_rows *rows, size_t k, const covey_export_column *column, int64_t row)
{
    size_t size;
    const char *cell = covey_i_sheet_cell(column, row, &size);

    covey_i_rows_cell(rows, k, cell, cell ? size : 0);
}

/* The entries of a group in random order; returns how many, or 0 without memory: every group has some. */
static size_t deal(struct dealing *d, uint32_t group)
{
    const uint32_t begin = d->release->entries->class_start[group], end = d->release->entries->class_start[group + 1];
    size_t n = 0, at = 0;

    for (uint32_t e = begin; e < end; e++)
        n += (size_t)d->release->count[e];
    if (n > d->capacity) {
        uint64_t *larger = covey_i_realloc(d->entry, n, sizeof *larger);

        if (!larger)
            return 0;
        d->entry = larger;
        d->capacity = n;
    }
    for (uint32_t e = begin; e < end; e++)
        for (int64_t copies = d->release->count[e]; copies > 0; copies--)
            d->entry[at++] = e;
    covey_i_rng_shuffle(&d->rng, d->entry, n);
    return n;
}

static covey_status add_group(covey_rows *rows, struct dealing *d, uint32_t group, covey_error *err)
{
    const uint32_t *start = d->release->rows->class_start;
    const int64_t begin = start[group], n_rows = start[group + 1] - begin;
    const size_t n = deal(d, group);

    if (n == 0)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        const bool is_spare = (int64_t)i >= n_rows;

        copy_cell(rows, GROUP, &d->sensitive->column[GROUP], (int64_t)d->entry[i]);
        for (size_t c = 1; c < d->quasi->n_columns; c++)
            if (is_spare)
                covey_i_rows_cell(rows, c, NULL, 0);
            else
                copy_cell(rows, c, &d->quasi->column[c], begin + (int64_t)i);
        for (size_t end = 0; end < N_ENDS; end++)
            copy_cell(rows, d->quasi->n_columns + end, &d->sensitive->column[FIRST_END + end], (int64_t)d->entry[i]);
        COVEY_TRY(covey_i_rows_end_row(rows, err));
    }
    return COVEY_OK;
}

static const char *sensitive_name(const covey_stated *stated)
{
    for (size_t c = 0; c < stated->n_columns; c++)
        if (stated->column[c].role == COVEY_ROLE_SENSITIVE)
            return stated->column[c].name;
    return "";
}

static bool is_taken(const covey_export_table *quasi, const char *name)
{
    for (size_t c = 0; c < quasi->n_columns; c++)
        if (strcasecmp(quasi->column[c].name, name) == 0) /* databases do not tell them apart */
            return true;
    return false;
}

static const char **column_names(covey_sheets *sheets, const covey_export_table *quasi)
{
    static const char *const ends[N_ENDS] = {"low", "high", "label"};
    const char **names = covey_arena_array(&sheets->arena, const char *, quasi->n_columns + N_ENDS);

    for (size_t c = 0; names && c < quasi->n_columns; c++)
        names[c] = quasi->column[c].name;
    for (size_t end = 0; names && end < N_ENDS; end++) {
        covey_text name = COVEY_TEXT_INIT;

        covey_i_text_add_format(&name, "%s_%s", sensitive_name(sheets->stated), ends[end]);
        while (!name.broken && is_taken(quasi, name.bytes))
            covey_i_text_add_char(&name, '_');
        names[quasi->n_columns + end] = covey_i_text_keep(&name, &sheets->arena);
        if (!names[quasi->n_columns + end])
            return NULL;
    }
    return names;
}

static covey_status write_rows(covey_sheets *sheets, struct dealing *d, const covey_run *run, covey_error *err)
{
    static const char *const nothing[] = {""}, *const key[] = {"group"}; /* no text means "missing" */
    const covey_csv_options as_they_are = {.null = nothing};
    const char **names = column_names(sheets, d->quasi);
    covey_export_table *added;
    covey_table *table = NULL;
    covey_rows *rows = NULL;
    covey_status status;

    if (!names)
        return covey_i_no_memory(err);
    COVEY_TRY(
        covey_i_rows_begin(&rows, "table rows", names, d->quasi->n_columns + (size_t)N_ENDS, &as_they_are, run, err));
    covey_i_rows_are_no_input(rows);
    status = COVEY_OK;
    for (uint32_t group = 0; status == COVEY_OK && group < d->release->rows->n_classes; group++)
        status = add_group(rows, d, group, err);
    if (status == COVEY_OK && (status = covey_i_rows_finish(&table, rows, err)) == COVEY_OK &&
        (status = covey_i_sheets_add(&added, sheets, "rows", table, true, err)) == COVEY_OK)
        status = covey_i_sheets_key(sheets, added, key, 1, err);
    covey_i_rows_free(rows);
    return status;
}

covey_status covey_i_one_table_add(covey_sheets *sheets, const covey_run *run, covey_error *err)
{
    struct dealing d = {.quasi = covey_i_sheets_find(sheets, "quasi"),
                        .sensitive = covey_i_sheets_find(sheets, "sensitive")};
    covey_query_release *release = NULL;
    unsigned char key[32];
    covey_status status;

    if (strcmp(sheets->stated->form, "transformed") != 0 || !d.quasi || !d.sensitive)
        return COVEY_OK;
    COVEY_TRY(covey_i_rng_key(key, run, err));
    covey_i_rng_init(&d.rng, key, 0);
    memset(key, 0, sizeof key);
    if ((status = covey_query_open(&release, sheets->folder, run, err)) == COVEY_OK) {
        d.release = release->opened->form_data;
        status = write_rows(sheets, &d, run, err);
    }
    covey_query_close(release);
    covey_i_rng_wipe(&d.rng);
    covey_i_free(d.entry);
    return status;
}
