/* Reading several files as one text. */
#include "io/csv/join.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "io/csv/runs.h"

static const char *end_of_record(bool *is_whole, const char *at, const char *end)
{
    const char *stop = covey_i_csv_end_of_record(at, end);

    *is_whole = stop > at && stop[-1] == '\n';
    if (stop == end) /* the line feed may be within quotes that nothing closes */
        for (const char *quote = at; (quote = memchr(quote, '"', (size_t)(stop - quote))); quote++)
            *is_whole = !*is_whole;
    return stop;
}

void covey_i_csv_part_read(covey_csv_part *out, const covey_infile *file)
{
    const char *at = file->bytes, *end = file->bytes + file->size;
    bool is_whole;

    *out = (covey_csv_part){.fault = "it has no header"};
    if (file->size == 0)
        return;
    at = end_of_record(&is_whole, at, end);
    out->header_size = (size_t)(at - file->bytes);
    for (; is_whole && at < end; out->n_rows++) {
        const uint64_t number = covey_i_csv_number_at(at, end);

        if (out->n_rows == 0)
            out->first = number;
        out->n_numbers += out->n_rows == 0 || number != out->last;
        out->last = number;
        at = end_of_record(&is_whole, at, end);
    }
    out->fault = is_whole ? NULL : "it ends in the middle of a line";
}

/* --- all files as one text --- */

struct joining {
    const char *const *path;
    size_t n;
    covey_infile *file;   /* [n] */
    covey_csv_part *part; /* [n] */
    size_t size;          /* of the text */
};

static covey_status look(struct joining *j, size_t i, covey_error *err)
{
    const covey_infile *file = &j->file[i], *first = &j->file[0];
    covey_csv_part *part = &j->part[i];

    COVEY_TRY(covey_i_infile_open(&j->file[i], j->path[i], err));
    covey_i_csv_part_read(part, file);
    if (part->fault)
        return covey_fail_at(err, COVEY_EPARSE, j->path[i], 0, NULL, 0,
                             "cannot be read as one of several files of a table: %s", part->fault);
    if (part->header_size != j->part[0].header_size || memcmp(file->bytes, first->bytes, part->header_size) != 0)
        return covey_fail_at(err, COVEY_EPARSE, j->path[i], 1, NULL, 0, "its header is not that of %s", j->path[0]);
    j->size += file->size - (i > 0 ? part->header_size : 0);
    return COVEY_OK;
}

static covey_status copy(char *to, struct joining *j, covey_error *err)
{
    for (size_t i = 0; i < j->n; i++) {
        const size_t left_out = i > 0 ? j->part[i].header_size : 0;

        memcpy(to, j->file[i].bytes + left_out, j->file[i].size - left_out);
        to += j->file[i].size - left_out;
        COVEY_TRY(covey_i_infile_unchanged(&j->file[i], j->path[i], err));
        covey_i_infile_close(&j->file[i]);
    }
    return COVEY_OK;
}

covey_status covey_i_csv_join(covey_infile *out, const char *const *path, size_t n, size_t most_bytes, covey_error *err)
{
    struct joining j = {.path = path,
                        .n = n,
                        .file = covey_i_array_zero(n, sizeof *j.file),
                        .part = covey_i_array_zero(n, sizeof *j.part)};
    covey_infile text = COVEY_INFILE_INIT;
    covey_status status = j.file && j.part ? COVEY_OK : covey_i_no_memory(err);
    char *bytes;

    for (size_t i = 0; status == COVEY_OK && i < n; i++)
        status = look(&j, i, err);
    if (status == COVEY_OK && (status = covey_i_infile_new(&text, &bytes, j.size, most_bytes, err)) == COVEY_OK &&
        (status = copy(bytes, &j, err)) == COVEY_OK)
        *out = text;
    else
        covey_i_infile_close(&text);
    for (size_t i = 0; j.file && i < n; i++)
        covey_i_infile_close(&j.file[i]);
    covey_i_free(j.file);
    covey_i_free(j.part);
    return status;
}
