/* Which table of a release goes into the one file, and writing it as sheets. */
#include "export/file_target.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "io/foreign.h"

/* "table.csv" and "column-1.csv" are tables, "hierarchies/zip.csv" is none. */
static size_t name_size(const covey_stated_file *file)
{
    const size_t n = strlen(file->name);

    return !strchr(file->name, '/') && n > 4 && strcmp(file->name + n - 4, ".csv") == 0 ? n - 4 : 0;
}

static void list_tables(covey_text *out, const covey_stated *stated)
{
    for (size_t i = 0; i < stated->n_files; i++)
        if (name_size(&stated->file[i])) {
            covey_i_text_add_string(out, out->size ? ", " : "");
            covey_i_text_add(out, stated->file[i].name, name_size(&stated->file[i]));
        }
}

/* The name of the table that is meant. */
static covey_status choose(covey_text *out, const covey_stated *stated, const char *release, const char *wanted,
                           covey_error *err)
{
    covey_text names = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;
    size_t n = 0;

    for (size_t i = 0; i < stated->n_files; i++) {
        const size_t size = name_size(&stated->file[i]);

        if (size == 0 || (wanted && (strlen(wanted) != size || memcmp(wanted, stated->file[i].name, size) != 0)))
            continue;
        covey_i_text_clear(out);
        covey_i_text_add(out, stated->file[i].name, size);
        n++;
    }
    list_tables(&names, stated);
    if (out->broken || names.broken)
        status = covey_i_no_memory(err);
    else if (n == 0)
        status = covey_fail(err, COVEY_EINVAL, "--table: %s has no table \"%s\"; it has %s", release,
                            wanted ? wanted : "", names.bytes ? names.bytes : "none");
    else if (n > 1)
        status =
            covey_fail(err, COVEY_EINVAL, "%s has several tables, and a file holds one: say which with --table: %s",
                       release, names.bytes);
    covey_i_text_free(&names);
    return status;
}

covey_status covey_i_file_target_write(covey_sheets *sheets, const covey_stated *stated, const char *release,
                                       const char *path, const char *title, const covey_export_options *options,
                                       const covey_run *run, covey_error *err)
{
    const covey_foreign_writer writer = covey_i_foreign_writer();
    struct ArrowArrayStream stream = {0};
    covey_export_table *table = NULL;
    covey_text name = COVEY_TEXT_INIT;
    covey_status status;

    if (!writer)
        return covey_fail_at(err, COVEY_EINVAL, path, 0, NULL, 0,
                             "is to be %s, which the command of the Python package writes: " COVEY_FOREIGN_NEEDS,
                             title);
    if ((status = choose(&name, stated, release, options->table, err)) == COVEY_OK &&
        (status = covey_i_sheets_read_one(&table, sheets, stated, release, name.bytes, run, err)) == COVEY_OK &&
        (status = covey_i_arrow_of_table(&stream, table, stated, err)) == COVEY_OK)
        status = writer(&stream, release, path, options->force, run, err);
    covey_i_text_free(&name);
    return status;
}
