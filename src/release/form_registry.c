/* The published forms that are built in, and lists of their files. */
#include "release/release_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

#define COVEY_FORM(name) extern const covey_form covey_form_##name;
#include "release/form_list.h"
#undef COVEY_FORM

static const covey_form *const forms[] = {
#define COVEY_FORM(name) &covey_form_##name,
#include "release/form_list.h"
#undef COVEY_FORM
};

const covey_form *covey_i_form_find(const char *name)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i]->name, name) == 0)
            return forms[i];
    return NULL;
}

const char *covey_form_unit(const char *form)
{
    const covey_form *found = covey_i_form_find(form);

    return found ? found->unit : "class";
}

const char *covey_form_faithful(const char *form)
{
    const covey_form *found = covey_i_form_find(form);

    return found ? found->faithful : "";
}

covey_status covey_i_files_add(covey_files *files, const char *name, int64_t n_rows, covey_error *err)
{
    covey_file *file;

    if (files->n == files->capacity) {
        size_t capacity = files->capacity ? files->capacity * 2 : 8;
        covey_file *grown = covey_i_realloc(files->file, capacity, sizeof *grown);

        if (!grown)
            return covey_fail(err, COVEY_ENOMEM, "list of files");
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
    *files = (covey_files){0, 0, NULL};
}
