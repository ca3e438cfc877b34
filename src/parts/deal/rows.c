/* Rows of a part, read back one behind another. */
#include "parts/deal/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/threads.h"

enum { LEAST_BUFFER = 1 << 12, MOST_BUFFER = 1 << 18, READ_BYTES = 1 << 20, MANY_ROWS = 1 << 13 };

covey_status covey_i_part_rows_new(covey_part_rows *out, const covey_plan *plan, uint32_t capacity, covey_error *err)
{
    *out = (covey_part_rows){.capacity = capacity,
                             .n_columns = plan->n_columns,
                             .code = covey_i_array_zero(plan->n_columns, sizeof *out->code)};
    for (size_t c = 0; out->code && c < plan->n_columns; c++)
        if (!(out->code[c] = covey_i_array(capacity, (size_t)plan->prepared.column[c]->width))) {
            covey_i_part_rows_clear(out);
            return covey_i_no_memory(err);
        }
    return out->code ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status reserve(covey_part_rows *rows, const covey_plan *plan, uint32_t n, covey_error *err)
{
    uint64_t capacity = rows->capacity;

    if ((uint64_t)rows->n + n <= capacity)
        return COVEY_OK;
    capacity = capacity + capacity / 4 > (uint64_t)rows->n + n ? capacity + capacity / 4 : (uint64_t)rows->n + n;
    if (capacity > UINT32_MAX)
        capacity = UINT32_MAX;
    for (size_t c = 0; c < rows->n_columns; c++) {
        void *code = covey_i_realloc(rows->code[c], (size_t)capacity, (size_t)plan->prepared.column[c]->width);

        if (!code)
            return covey_i_no_memory(err);
        rows->code[c] = code;
    }
    rows->capacity = (uint32_t)capacity;
    return COVEY_OK;
}

/* Rows on their way into columns. */
struct adding {
    covey_part_rows *rows;
    const covey_plan *plan;
    const unsigned char *bytes;
    size_t row_size;
    uint32_t n;
};

/* Copies n codes that stand `step` bytes apart; returns the largest. */
static uint32_t take_codes(void *codes, int width, const unsigned char *from, size_t step, uint32_t n)
{
    uint32_t most = 0;

    COVEY_CODES_TYPED(width, {
        covey_code *to = codes;

        for (uint32_t i = 0; i < n; i++, from += step) {
            covey_code code = 0;

            for (size_t b = 0; b < sizeof code; b++)
                code |= (covey_code)((covey_code)from[b] << 8 * b);
            to[i] = code;
            most = code > most ? code : most;
        }
    });
    return most;
}

static covey_status add_column(void *context, size_t c, covey_error *err)
{
    const struct adding *a = context;
    const covey_column *typed = a->plan->prepared.column[c];
    const unsigned char *from = a->bytes;
    uint32_t largest;

    for (size_t before = 0; before < c; before++)
        from += a->plan->prepared.column[before]->width;
    largest = take_codes(covey_i_codes_from(a->rows->code[c], typed->width, a->rows->n), typed->width, from,
                         a->row_size, a->n);
    if (a->n > 0 && largest >= typed->n_values)
        return covey_fail(err, COVEY_EPARSE,
                          "column \"%s\" of a part has a code that no value has: the file was changed", typed->name);
    return COVEY_OK;
}

covey_status covey_i_part_rows_add(covey_part_rows *rows, const covey_plan *plan, const unsigned char *bytes,
                                   uint32_t n, const covey_run *run, covey_error *err)
{
    struct adding a = {.rows = rows, .plan = plan, .bytes = bytes, .row_size = covey_i_plan_row_size(plan), .n = n};

    COVEY_TRY(reserve(rows, plan, n, err));
    COVEY_TRY(covey_i_parallel(n < MANY_ROWS ? 1 : covey_run_threads(run), rows->n_columns, add_column, &a, err));
    rows->n += n;
    return COVEY_OK;
}

void covey_i_part_rows_clear(covey_part_rows *rows)
{
    for (size_t c = 0; rows->code && c < rows->n_columns; c++)
        covey_i_free(rows->code[c]);
    covey_i_free(rows->code);
    *rows = (covey_part_rows){0};
}

/* The column that stands for one of the plan's. */
static const covey_column *part_column(const covey_plan *plan, const covey_column *columns, const covey_column *planned)
{
    for (size_t c = 0; c < plan->n_columns; c++)
        if (plan->prepared.column[c] == planned)
            return &columns[c];
    return planned;
}

covey_status covey_i_part_problem(covey_problem *out, const covey_plan *plan, const covey_part_rows *rows,
                                  covey_arena *arena, covey_error *err)
{
    const covey_problem *whole = &plan->prepared.problem;
    const covey_promises *promises = &whole->promises;
    covey_column *column = covey_arena_array(arena, covey_column, plan->n_columns);
    covey_axis *axis = covey_arena_array(arena, covey_axis, whole->n_axes);
    covey_field *field = covey_arena_array(arena, covey_field, whole->n_fields);
    covey_view *view = covey_arena_array(arena, covey_view, promises->n_views);
    const covey_column **quasi = covey_arena_array(arena, const covey_column *, promises->n_quasi);

    if (!column || !axis || !field || !view || !quasi)
        return covey_i_no_memory(err);
    for (size_t c = 0; c < plan->n_columns; c++) {
        column[c] = *plan->prepared.column[c];
        column[c].codes = rows->code[c];
        column[c].n_rows = rows->n;
        column[c].lines = NULL;
    }
    for (size_t a = 0; a < whole->n_axes; a++) {
        axis[a] = whole->axis[a];
        axis[a].column = part_column(plan, column, axis[a].column);
    }
    for (size_t f = 0; f < whole->n_fields; f++) {
        field[f] = whole->field[f];
        field[f].column = part_column(plan, column, field[f].column);
    }
    for (size_t v = 0; v < promises->n_views; v++) {
        view[v] = promises->view[v];
        view[v].column = part_column(plan, column, view[v].column);
    }
    for (size_t q = 0; q < promises->n_quasi; q++)
        quasi[q] = part_column(plan, column, promises->quasi[q]);
    *out = *whole;
    out->n_rows = rows->n;
    out->axis = axis;
    out->field = field;
    out->promises.view = view;
    out->promises.quasi = quasi;
    return COVEY_OK;
}

/* --- files --- */

struct covey_part_files {
    const covey_plan *plan;
    char *folder;
    size_t row_size, buffer_size;
    int *file;             /* [n_parts] descriptors, -1: closed */
    unsigned char *buffer; /* [n_parts][buffer_size] */
    size_t *used;          /* [n_parts] */
    pthread_mutex_t *lock; /* [n_parts] */
};

static void file_name(char *out, size_t size, uint32_t part)
{
    snprintf(out, size, "rows-%u", part + 1);
}

static covey_status file_path(covey_text *path, const covey_part_files *files, uint32_t part, covey_error *err)
{
    char name[32];

    file_name(name, sizeof name, part);
    covey_i_text_add_format(path, "%s/%s", files->folder, name);
    return path->broken ? covey_i_no_memory(err) : COVEY_OK;
}

static covey_status fail_system(const covey_part_files *files, uint32_t part, covey_error *err)
{
    const int reason = errno;
    char name[32];

    file_name(name, sizeof name, part);
    return covey_fail_at(err, COVEY_EIO, files->folder, 0, NULL, 0, "%s: %s", name, strerror(reason));
}

static covey_status open_file(covey_part_files *files, uint32_t part, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;
    covey_status status = file_path(&path, files, part, err);

    if (status == COVEY_OK && (files->file[part] = open(path.bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) < 0)
        status = fail_system(files, part, err);
    covey_i_text_free(&path);
    return status;
}

covey_status covey_i_part_files_open(covey_part_files **out, const covey_plan *plan, const char *folder,
                                     size_t most_bytes, covey_error *err)
{
    covey_part_files *files = covey_i_array_zero(1, sizeof *files);
    size_t size = most_bytes / plan->n_parts;
    covey_status status = COVEY_OK;

    if (!files)
        return covey_i_no_memory(err);
    files->plan = plan;
    files->row_size = covey_i_plan_row_size(plan);
    size = size < LEAST_BUFFER ? LEAST_BUFFER : size > MOST_BUFFER ? MOST_BUFFER : size;
    files->buffer_size = size;
    files->folder = covey_i_strdup(folder);
    files->file = covey_i_array(plan->n_parts, sizeof *files->file);
    files->used = covey_i_array_zero(plan->n_parts, sizeof *files->used);
    files->buffer = covey_i_array(plan->n_parts, files->buffer_size);
    files->lock = covey_i_array(plan->n_parts, sizeof *files->lock);
    for (uint32_t p = 0; files->file && p < plan->n_parts; p++)
        files->file[p] = -1;
    for (uint32_t p = 0; files->lock && p < plan->n_parts; p++)
        pthread_mutex_init(&files->lock[p], NULL);
    if (!files->folder || !files->file || !files->used || !files->buffer || !files->lock)
        status = covey_i_no_memory(err);
    for (uint32_t p = 0; p < plan->n_parts && status == COVEY_OK; p++)
        status = open_file(files, p, err);
    if (status == COVEY_OK)
        *out = files;
    else
        covey_i_part_files_free(files);
    return status;
}

static covey_status flush(covey_part_files *files, uint32_t part, covey_error *err)
{
    const unsigned char *from = files->buffer + part * files->buffer_size;
    size_t left = files->used[part];

    while (left > 0) {
        const ssize_t n = write(files->file[part], from, left);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_system(files, part, err);
        from += n;
        left -= (size_t)n;
    }
    files->used[part] = 0;
    return COVEY_OK;
}

static covey_status append(covey_part_files *files, uint32_t part, const unsigned char *bytes, size_t left,
                           covey_error *err)
{
    while (left > 0) {
        const size_t room = files->buffer_size - files->used[part], n = left < room ? left : room;

        memcpy(files->buffer + part * files->buffer_size + files->used[part], bytes, n);
        files->used[part] += n;
        bytes += n;
        left -= n;
        if (files->used[part] == files->buffer_size)
            COVEY_TRY(flush(files, part, err));
    }
    return COVEY_OK;
}

covey_status covey_i_part_files_sink(void *context, uint32_t part, const unsigned char *rows, uint32_t n,
                                     covey_error *err)
{
    covey_part_files *files = context;
    covey_status status;

    pthread_mutex_lock(&files->lock[part]);
    status = append(files, part, rows, n * files->row_size, err);
    pthread_mutex_unlock(&files->lock[part]);
    return status;
}

static covey_status close_file(covey_part_files *files, uint32_t part, covey_error *err)
{
    const int file = files->file[part];

    files->file[part] = -1;
    return file < 0 || close(file) == 0 ? COVEY_OK : fail_system(files, part, err);
}

covey_status covey_i_part_files_end(covey_part_files *files, covey_error *err)
{
    for (uint32_t p = 0; p < files->plan->n_parts; p++) {
        COVEY_TRY(flush(files, p, err));
        COVEY_TRY(close_file(files, p, err));
    }
    covey_i_free(files->buffer);
    files->buffer = NULL;
    return COVEY_OK;
}

static covey_status read_rows(covey_part_rows *rows, const covey_part_files *files, uint32_t part, int file,
                              unsigned char *bytes, size_t size, const covey_run *run, covey_error *err)
{
    size_t have = 0;

    while (true) {
        const ssize_t n = read(file, bytes + have, size - have);
        size_t whole;

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_system(files, part, err);
        if (n == 0)
            break;
        have += (size_t)n;
        whole = have / files->row_size;
        COVEY_TRY(covey_i_part_rows_add(rows, files->plan, bytes, (uint32_t)whole, run, err));
        have -= whole * files->row_size;
        memmove(bytes, bytes + whole * files->row_size, have);
    }
    return have == 0 ? COVEY_OK
                     : covey_fail(err, COVEY_EIO, "%s: the rows of part %u were cut off", files->folder, part + 1);
}

covey_status covey_i_part_files_read(covey_part_rows *rows, const covey_part_files *files, uint32_t part,
                                     const covey_run *run, covey_error *err)
{
    const size_t size = READ_BYTES > files->row_size ? READ_BYTES : files->row_size;
    unsigned char *bytes = covey_i_malloc(size);
    covey_text path = COVEY_TEXT_INIT;
    covey_status status = bytes ? file_path(&path, files, part, err) : covey_i_no_memory(err);
    int file = -1;

    if (status == COVEY_OK && (file = open(path.bytes, O_RDONLY | O_CLOEXEC)) < 0)
        status = fail_system(files, part, err);
    if (status == COVEY_OK)
        status = read_rows(rows, files, part, file, bytes, size, run, err);
    if (file >= 0)
        close(file);
    covey_i_text_free(&path);
    covey_i_free(bytes);
    return status;
}

void covey_i_part_files_remove(covey_part_files *files, uint32_t part)
{
    covey_text path = COVEY_TEXT_INIT;

    if (file_path(&path, files, part, NULL) == COVEY_OK)
        unlink(path.bytes);
    covey_i_text_free(&path);
}

void covey_i_part_files_free(covey_part_files *files)
{
    if (!files)
        return;
    for (uint32_t p = 0; files->file && p < files->plan->n_parts; p++)
        if (files->file[p] >= 0)
            close(files->file[p]);
    covey_i_free(files->folder);
    covey_i_free(files->file);
    covey_i_free(files->used);
    covey_i_free(files->buffer);
    covey_i_free(files->lock);
    covey_i_free(files);
}
