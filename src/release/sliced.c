/* The form "sliced": column-1.csv, column-2.csv, ...: `bucket` and the attributes of one column, sorted by bucket, then by content.
 *
 * Buckets are numbered by what they hold, column by column, so that neither their numbers nor the order of lines says which pieces belong
 * together or where a row stood.
 * Source: [LiLiZhangMolloy12] section 2; slicing.md section 3. */
#include "release/sliced.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "release/sheet.h"
#include "release/sliced_order.h"
#include "table/table_impl.h"

enum { NUMBER_SIZE = 16 };

static void free_data(void *form_data)
{
    covey_sliced *data = form_data;

    if (!data)
        return;
    for (size_t s = 0; data->row && s < data->n_slices; s++)
        covey_i_free(data->row[s]);
    for (size_t s = 0; data->slice && s < data->n_slices; s++)
        covey_i_free((void *)data->slice[s].field);
    covey_i_free(data->row);
    covey_i_free(data->slice);
    covey_i_free(data);
}

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "columns of a sliced release");
}

/* --- facts --- */

static covey_status describe(covey_release *release, const covey_problem *problem, covey_error *err)
{
    const covey_sliced *data = release->form_data;
    json_t *columns = json_array(), *facts;
    char *text = NULL;

    for (size_t s = 0; s < data->n_slices; s++) {
        json_t *names = json_array();

        for (size_t f = 0; f < data->slice[s].n_fields; f++)
            json_array_append_new(names, json_string(problem->field[data->slice[s].field[f]].column->name));
        json_array_append_new(columns, names);
    }
    facts = json_pack("{s:o}", "slices", columns);
    if (facts)
        text = json_dumps(facts, JSON_COMPACT);
    json_decref(facts);
    if (text)
        release->facts = covey_i_strdup(text);
    free(text);
    return release->facts ? COVEY_OK : no_memory(err);
}

static covey_status copy_slices(covey_sliced *data, const covey_slice *slice, size_t n_slices, covey_error *err)
{
    data->slice = covey_i_array_zero(n_slices, sizeof *data->slice);
    data->row = covey_i_array_zero(n_slices, sizeof *data->row);
    if (!data->slice || !data->row)
        return no_memory(err);
    data->n_slices = n_slices;
    for (size_t s = 0; s < n_slices; s++) {
        size_t *field = covey_i_array(slice[s].n_fields, sizeof *field);

        if (!field)
            return no_memory(err);
        memcpy(field, slice[s].field, slice[s].n_fields * sizeof *field);
        data->slice[s] = (covey_slice){slice[s].n_fields, field};
    }
    return COVEY_OK;
}

covey_status covey_i_release_of_slices(covey_release **out, const covey_problem *problem, const covey_slice *slice, size_t n_slices,
                                       const uint32_t *bucket_of_row, uint32_t n_buckets, const covey_run *run, covey_error *err)
{
    covey_release *release = covey_i_array_zero(1, sizeof *release);
    covey_status status;

    if (!release || !(release->form_data = covey_i_array_zero(1, sizeof(covey_sliced)))) {
        status = no_memory(err);
        goto done;
    }
    release->form = covey_i_form_find("sliced");
    release->n_rows = problem->n_rows;
    if ((status = copy_slices(release->form_data, slice, n_slices, err)) != COVEY_OK ||
        (status = covey_i_sliced_order(release, release->form_data, problem, bucket_of_row, n_buckets, run, err)) != COVEY_OK ||
        (status = describe(release, problem, err)) != COVEY_OK)
        goto done;
    release->objective = (covey_objective){
        .name = "ail", .value = release->n_rows ? (double)(release->n_rows - release->n_published) / release->n_rows : 0};
    release->ail = release->objective.value;
    *out = release;
    release = NULL;
done:
    covey_release_free(release);
    return status;
}

/* --- files --- */

struct lines {
    const covey_release *release;
    const uint32_t *row;
    covey_ready_cells *cells; /* [n_cells] */
    size_t n_cells;
    size_t longest;           /* bytes of a line at most */
    const char *name;
};

static covey_status add_lines(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const struct lines *l = context;
    const uint32_t *start = l->release->class_start;
    char *to;

    if (!covey_i_text_reserve(out, (size_t)(start[end] - start[begin]) * l->longest + COVEY_SHEET_SLACK))
        return covey_fail(err, COVEY_ENOMEM, "lines of %s", l->name);
    to = out->bytes + out->size;
    for (uint32_t b = begin; b < end; b++) {
        char number[NUMBER_SIZE + COVEY_SHEET_SLACK] = "";
        const size_t n_number = (size_t)snprintf(number, NUMBER_SIZE, "%" PRIu32, b + 1);

        for (uint32_t i = start[b]; i < start[b + 1]; i++) {
            to = covey_i_sheet_copy(to, number, n_number);
            for (size_t c = 0; c < l->n_cells; c++)
                to = covey_i_sheet_copy_cell(to, &l->cells[c], covey_i_code(l->cells[c].column, l->row[i]));
            *to++ = '\n';
        }
    }
    out->size = (size_t)(to - out->bytes);
    return COVEY_OK;
}

static covey_status write_slice(const covey_release *release, const covey_problem *problem, size_t s, const char *folder, covey_files *files,
                                const covey_run *run, covey_error *err)
{
    const covey_sliced *data = release->form_data;
    const covey_slice *slice = &data->slice[s];
    char name[32];
    struct lines l = {.release = release, .row = data->row[s], .longest = NUMBER_SIZE, .name = name,
                      .cells = covey_i_array_zero(slice->n_fields, sizeof *l.cells)};
    covey_text header = COVEY_TEXT_INIT;
    covey_sheet sheet = {.name = name, .n_groups = release->n_classes, .start = release->class_start, .lines = add_lines, .context = &l};
    covey_status status = l.cells ? COVEY_OK : no_memory(err);

    snprintf(name, sizeof name, "column-%zu.csv", s + 1);
    covey_i_sheet_add_name(&header, "bucket");
    for (; status == COVEY_OK && l.n_cells < slice->n_fields; l.n_cells++) {
        const covey_column *column = covey_i_release_shown(release, &problem->field[slice->field[l.n_cells]]);

        covey_i_sheet_add_name(&header, column->name);
        if ((status = covey_i_ready_cells_make(&l.cells[l.n_cells], column, err)) == COVEY_OK)
            l.longest += l.cells[l.n_cells].longest;
    }
    covey_i_text_add_char(&header, '\n');
    sheet.header = header.bytes;
    if (status == COVEY_OK && header.broken)
        status = no_memory(err);
    if (status == COVEY_OK)
        status = covey_i_sheet_write(&sheet, folder, files, run, err);
    for (size_t c = 0; l.cells && c < slice->n_fields; c++)
        covey_i_ready_cells_free(&l.cells[c]);
    covey_i_free(l.cells);
    covey_i_text_free(&header);
    return status;
}

static covey_status write_tables(const covey_release *release, const covey_problem *problem, const char *folder, covey_files *files,
                                 const covey_run *run, covey_error *err)
{
    const covey_sliced *data = release->form_data;

    for (size_t s = 0; s < data->n_slices; s++)
        COVEY_TRY(write_slice(release, problem, s, folder, files, run, err));
    return COVEY_OK;
}

/* --- figures --- */

/* Does the sensitive attribute stand in more columns than the last? */
static bool holds_twice(const covey_sliced *data)
{
    const covey_slice *last = &data->slice[data->n_slices - 1];

    for (size_t s = 0; s + 1 < data->n_slices; s++)
        if (data->slice[s].field[data->slice[s].n_fields - 1] == last->field[last->n_fields - 1])
            return true;
    return false;
}

/* The sets that are judged: rows of a bucket whose pieces of the last column agree but for the sensitive value, which is sorted last. */
static covey_status achieved(covey_figure *figure, const covey_release *release, const covey_problem *problem, const covey_run *run, covey_error *err)
{
    const covey_sliced *data = release->form_data;
    const covey_slice *last = &data->slice[data->n_slices - 1];
    const uint32_t *row = data->row[data->n_slices - 1];
    const covey_promises *promises = &problem->promises;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_tally tally;
    covey_status status;

    if (holds_twice(data)) { /* no single set tells; the method has tested that the promise is reached */
        for (size_t p = 0; p < promises->n; p++) {
            const covey_ratio l = promises->promise[p].model->least_l(promises->promise[p].state);

            figure[p] = covey_i_figure_fraction(l.num, l.den);
        }
        return COVEY_OK;
    }
    status = covey_i_tally_new(&tally, promises, &arena, err);
    for (uint32_t b = 0, i = 0; b < release->n_classes && status == COVEY_OK; b++)
        while (i < release->class_start[b + 1] && status == COVEY_OK) {
            const uint32_t first = i;
            bool same = true;

            covey_i_tally_clear(&tally);
            for (; i < release->class_start[b + 1]; i++) {
                for (size_t f = 0; f + 1 < last->n_fields && same; f++) {
                    const covey_column *column = covey_i_release_shown(release, &problem->field[last->field[f]]);

                    same = covey_i_code(column, row[i]) == covey_i_code(column, row[first]);
                }
                if (!same)
                    break;
                covey_i_tally_add(&tally, promises, row[i]);
            }
            for (size_t p = 0; p < promises->n && status == COVEY_OK; p++) {
                const covey_promise *promise = &promises->promise[p];
                const covey_group group = {tally.size, &tally.counts[promise->view], NULL, NULL};
                covey_figure one;

                if (!promise->model->admits(promise->state, &group)) { /* other buckets make up for it, as the method has tested: the promise is reached */
                    const covey_ratio l = promise->model->least_l(promise->state);

                    one = covey_i_figure_fraction(l.num, l.den);
                } else {
                    promise->model->figure(&one, promise->state, &group);
                }
                if (first == 0)
                    figure[p] = one;
                else
                    covey_i_figure_combine(promise->model, &figure[p], &one);
            }
        }
    covey_arena_free(&arena);
    return status;
}

static bool reserves(const char *name, covey_role role)
{
    return strcmp(name, "bucket") == 0;
}

const covey_form covey_form_sliced = {
    .name = "sliced",
    .summary = "values as they are, or recoded attribute by attribute, in a table per column of attributes, which only buckets of rows link",
    .unit = "bucket",
    .faithful = "Every column holds the pieces of the original's rows, each as often, with cells that cover its values.",
    .write = write_tables,
    .free_data = free_data,
    .is_exact = true,
    .reserves = reserves,
    .achieved = achieved,
};
