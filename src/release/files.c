/* The list of the files of a release. */
#include "release/release_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

covey_status covey_i_files_add(covey_files *files, const char *name, int64_t n_rows, covey_error *err)
{
    covey_file *file;

    if (files->n == files->capacity) {
        size_t capacity = files->capacity ? files->capacity * 2 : 8;
        covey_file *grown = covey_i_realloc(files->file, capacity, sizeof *grown);

        if (!grown)
            return covey_i_no_memory(err);
        files->file = grown;
        files->capacity = capacity;
    }
    file = &files->file[files->n];
    memset(file, 0, sizeof *file);
    if (snprintf(file->name, sizeof file->name, "%s", name) >= (int)sizeof file->name)
        return covey_fail(err, COVEY_EINVAL, "file name %s is too long", name);
    file->n_rows = n_rows;
    files->n++;
    return COVEY_OK;
}

void covey_i_files_clear(covey_files *files)
{
    covey_i_free(files->file);
    *files = (covey_files){.n = 0};
}
