/* Which formats there are, and reading a table of any of them. */
#include "io/format_impl.h"

#include "io/arrow/table.h"
#include "io/foreign.h"

#define COVEY_FORMAT(name) extern const covey_format_impl covey_i_format_##name;
#include "io/format_list.h"
#undef COVEY_FORMAT

#define COVEY_FORMAT(name) &covey_i_format_##name,
static const covey_format_impl *const formats[] = {
#include "io/format_list.h"
};
#undef COVEY_FORMAT

enum { N_FORMATS = sizeof formats / sizeof *formats };

size_t covey_format_count(void)
{
    size_t n = N_FORMATS;

    while (covey_format_at(n))
        n++;
    return n;
}

const covey_format *covey_format_at(size_t index)
{
    return index < N_FORMATS ? &formats[index]->facts : covey_i_foreign_format(index - N_FORMATS);
}

static const covey_format_impl *format_of(covey_source_kind kind)
{
    for (size_t i = 0; i < N_FORMATS; i++)
        if (formats[i]->kind == kind)
            return formats[i];
    return NULL;
}

covey_status covey_table_read(covey_table **out, const char *source, const covey_csv_options *options,
                              const covey_run *run, covey_error *err)
{
    const covey_source_kind kind = covey_i_source_kind(source);
    const covey_format_impl *format = format_of(kind);
    covey_database database = {0};
    covey_status status;

    if (kind == COVEY_SOURCE_FILE) {
        const char *title = covey_i_foreign_title(source);

        return title ? covey_i_foreign_table(out, source, title, options, run, err)
                     : covey_csv_read(out, source, options, run, err);
    }
    if (kind == COVEY_SOURCE_ARROW)
        return covey_i_arrow_table(out, source, options, run, err);
    COVEY_TRY(covey_i_database_parse(&database, source, "input", err));
    if (!format || !format->read)
        status = covey_fail_at(err, COVEY_EINVAL, database.shown, 0, NULL, 0,
                               "this covey was built without %s; install %s and build it again",
                               kind == COVEY_SOURCE_SQLITE ? "SQLite" : "PostgreSQL",
                               format ? format->library : "its library");
    else if (!database.table)
        status = covey_fail_at(err, COVEY_EINVAL, database.shown, 0, NULL, 0, "which table? add ?table=NAME%s",
                               kind == COVEY_SOURCE_SQLITE ? "" : " (&table=NAME behind other keys)");
    else
        status = format->read(out, &database, options, run, err);
    covey_i_database_clear(&database);
    return status;
}
