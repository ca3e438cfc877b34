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
#include "base/sort_keys.h"
#include "release/sheet.h"
#include "table/column_key.h"
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

/* --- order --- */

struct ordering {
    const covey_problem *problem;
    const covey_sliced *data;
    const uint32_t *bucket_of_row;
    uint32_t n, n_buckets; /* published rows; buckets of the map */
    uint32_t *start;       /* [n_buckets + 1] of each bucket in row */
    uint32_t **row;        /* [n_slices][n] by bucket of the map, then by content */
    uint32_t **rank;       /* [n_slices][n_rows] of a row's piece; equal ones alike */
};

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "columns of a sliced release");
}

/* Sorts all rows by one slice's content, ranks their pieces and deals them out to their buckets. */
static covey_status order_slice(struct ordering *o, size_t s, covey_arena *arena, const covey_run *run, covey_error *err)
{
    const covey_slice *slice = &o->data->slice[s];
    const uint32_t n_rows = o->problem->n_rows;
    covey_sort_key *key = covey_arena_array(arena, covey_sort_key, slice->n_fields);
    uint32_t *sorted = covey_arena_array(arena, uint32_t, n_rows), *at = covey_arena_array(arena, uint32_t, o->n_buckets), rank = 0;

    o->row[s] = covey_arena_array(arena, uint32_t, o->n);
    o->rank[s] = covey_arena_array(arena, uint32_t, n_rows);
    if (!key || !sorted || !at || !o->row[s] || !o->rank[s])
        return no_memory(err);
    for (size_t f = 0; f < slice->n_fields; f++) {
        const covey_column *column = o->problem->field[slice->field[f]].column;

        key[f] = covey_i_column_key(column);
    }
    for (uint32_t r = 0; r < n_rows; r++)
        sorted[r] = r;
    COVEY_TRY(covey_i_sort_rows_by_keys(sorted, n_rows, key, slice->n_fields, run, err));
    memcpy(at, o->start, o->n_buckets * sizeof *at);
    for (uint32_t i = 0; i < n_rows; i++) {
        bool same = i > 0;

        for (size_t f = 0; f < slice->n_fields && same; f++) {
            const covey_column *column = o->problem->field[slice->field[f]].column;

            same = covey_i_code(column, sorted[i]) == covey_i_code(column, sorted[i - 1]);
        }
        rank += i > 0 && !same;
        o->rank[s][sorted[i]] = rank;
        if (o->bucket_of_row[sorted[i]] != COVEY_CLASS_SUPPRESSED)
            o->row[s][at[o->bucket_of_row[sorted[i]]]++] = sorted[i];
    }
    return COVEY_OK;
}

/* Column by column: piece by piece, a bucket whose pieces all begin another's first. */
static int compare_buckets(const void *a, const void *b, void *context)
{
    const struct ordering *o = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint32_t size_x = o->start[x + 1] - o->start[x], size_y = o->start[y + 1] - o->start[y];

    for (size_t s = 0; s < o->data->n_slices; s++)
        for (uint32_t i = 0; i < size_x || i < size_y; i++) {
            uint32_t p, q;

            if (i >= size_x || i >= size_y)
                return i >= size_x ? -1 : 1;
            p = o->rank[s][o->row[s][o->start[x] + i]];
            q = o->rank[s][o->row[s][o->start[y] + i]];
            if (p != q)
                return p < q ? -1 : 1;
        }
    return 0;
}

static covey_status count_buckets(struct ordering *o, covey_arena *arena, covey_error *err)
{
    const uint32_t n_rows = o->problem->n_rows;

    if (!(o->start = covey_arena_array_zero(arena, uint32_t, (size_t)o->n_buckets + 2)))
        return no_memory(err);
    for (uint32_t r = 0; r < n_rows; r++)
        if (o->bucket_of_row[r] != COVEY_CLASS_SUPPRESSED) {
            o->start[o->bucket_of_row[r] + 1]++;
            o->n++;
        }
    for (uint32_t b = 0; b < o->n_buckets; b++)
        o->start[b + 1] += o->start[b];
    return COVEY_OK;
}

/* Copies the lines of all columns in the order of the buckets. */
static covey_status fill(covey_release *release, struct ordering *o, covey_arena *arena, covey_error *err)
{
    covey_sliced *data = release->form_data;
    uint32_t *by_order = covey_arena_array(arena, uint32_t, o->n_buckets), n = 0, at = 0;

    if (!by_order)
        return no_memory(err);
    for (uint32_t b = 0; b < o->n_buckets; b++)
        if (o->start[b + 1] > o->start[b])
            by_order[n++] = b;
    qsort_r(by_order, n, sizeof *by_order, compare_buckets, o);
    release->class_start = covey_i_array((size_t)n + 1, sizeof *release->class_start);
    release->row_order = covey_i_array(o->n, sizeof *release->row_order);
    if (!release->class_start || !release->row_order)
        return no_memory(err);
    for (size_t s = 0; s < data->n_slices; s++)
        if (!(data->row[s] = covey_i_array(o->n, sizeof *data->row[s])))
            return no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t from = o->start[by_order[i]], size = o->start[by_order[i] + 1] - from;

        release->class_start[i] = at;
        for (size_t s = 0; s < data->n_slices; s++)
            memcpy(data->row[s] + at, o->row[s] + from, size * sizeof *data->row[s]);
        memcpy(release->row_order + at, o->row[0] + from, size * sizeof *release->row_order);
        at += size;
    }
    release->class_start[n] = at;
    release->n_classes = n;
    release->n_published = o->n;
    return COVEY_OK;
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
    covey_arena arena = COVEY_ARENA_INIT;
    covey_release *release = covey_i_array_zero(1, sizeof *release);
    struct ordering o = {.problem = problem, .bucket_of_row = bucket_of_row, .n_buckets = n_buckets};
    covey_status status = COVEY_OK;

    if (!release || !(release->form_data = covey_i_array_zero(1, sizeof(covey_sliced)))) {
        status = no_memory(err);
        goto done;
    }
    release->form = covey_i_form_find("sliced");
    release->n_rows = problem->n_rows;
    o.data = release->form_data;
    o.row = covey_arena_array_zero(&arena, uint32_t *, n_slices);
    o.rank = covey_arena_array_zero(&arena, uint32_t *, n_slices);
    if (!o.row || !o.rank)
        status = no_memory(err);
    if (status == COVEY_OK && (status = copy_slices(release->form_data, slice, n_slices, err)) == COVEY_OK)
        status = count_buckets(&o, &arena, err);
    for (size_t s = 0; s < n_slices && status == COVEY_OK; s++)
        status = order_slice(&o, s, &arena, run, err);
    if (status != COVEY_OK || (status = fill(release, &o, &arena, err)) != COVEY_OK || (status = describe(release, problem, err)) != COVEY_OK)
        goto done;
    release->objective = (covey_objective){
        .name = "ail", .value = release->n_rows ? (double)(release->n_rows - release->n_published) / release->n_rows : 0};
    release->ail = release->objective.value;
    *out = release;
    release = NULL;
done:
    covey_release_free(release);
    covey_arena_free(&arena);
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
