/* The list of classes for who counts persons with it.  The list is proven first, so that here it only has to be read;
 * but it may be another file by now. */
#include "audit/links/linked.h"

#include <covey/audit.h>
#include <covey/io.h>

#include <jansson.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "table/table_impl.h"

static covey_status prove(const char *folder, const char *original, const char *links, const covey_run *run,
                          covey_error *err)
{
    const covey_verify_options options = {.original = original, .links = links};
    covey_verdict *verdict = NULL;
    covey_status status = covey_verify(&verdict, folder, &options, run, err);

    if (status == COVEY_OK && (!verdict->holds || verdict->faithful != 1))
        status = covey_fail(err, COVEY_EINVAL, "%s does not prove what %s says of units: %s (covey verify says more)",
                            links, folder, verdict->n_problems > 0 ? verdict->problem[0] : "a promise is broken");
    covey_verdict_free(verdict);
    return status;
}

static covey_status read_names(covey_audit_linked *out, const char *links, covey_arena *arena, covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;
    json_t *facts = NULL;
    const char *entity, *within;
    covey_status status = COVEY_OK;

    covey_i_text_add_format(&path, "%s.json", links);
    if (!path.broken)
        facts = json_load_file(path.bytes, 0, NULL);
    entity = json_string_value(json_object_get(facts, "entity"));
    within = json_string_value(json_object_get(facts, "within"));
    if (!entity || !(out->entity = covey_arena_strdup(arena, entity)) ||
        (within && !(out->within = covey_arena_strdup(arena, within))))
        status = covey_i_no_memory(err);
    json_decref(facts);
    covey_i_text_free(&path);
    return status;
}

static bool read_lines(covey_audit_linked *out, const covey_table *table, const covey_stated *stated)
{
    const covey_column *class;

    if (covey_table_n_columns(table) != 2 || covey_table_n_rows(table) != stated->n_rows + stated->n_dropped)
        return false;
    class = covey_table_column(table, 1);
    for (int64_t row = 0; row < covey_table_n_rows(table); row++) {
        const uint32_t code = covey_i_code(class, row);
        const bool is_none = class->has_null && code == 0;
        const unsigned long number = is_none ? 0 : strtoul(covey_column_label(class, code), NULL, 10);

        if ((number == 0 && !is_none) || number > (unsigned long)stated->n_classes)
            return false;
        out->class_of_line[row] = (uint32_t)number;
    }
    return true;
}

covey_status covey_i_audit_linked(covey_audit_linked *out, const char *folder, const covey_stated *stated,
                                  const char *original, const char *links, const covey_run *run, covey_arena *arena,
                                  covey_error *err)
{
    static const char *const empty[] = {""};
    covey_csv_options options = COVEY_CSV_OPTIONS_INIT;
    covey_table *table = NULL;
    covey_status status = COVEY_OK;

    options.delimiter = ',';
    options.null = empty;
    options.n_null = 1;
    *out = (covey_audit_linked){0};
    COVEY_TRY(prove(folder, original, links, run, err));
    COVEY_TRY(read_names(out, links, arena, err));
    if (!(out->class_of_line = covey_arena_array(arena, uint32_t, (size_t)(stated->n_rows + stated->n_dropped))))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_csv_read(&table, links, &options, run, err));
    if (!read_lines(out, table, stated))
        status = covey_fail(err, COVEY_EPARSE, "%s was changed while it was read", links);
    covey_table_free(table);
    return status;
}
