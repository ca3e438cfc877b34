/* Hierarchies that lie beside a table, as their authors' programs put them there. */
#include "inspect/inspect_impl.h"

#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/source.h"
#include "hierarchy/hierarchy_impl.h"

static bool is_file(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

/* Is a value of the column a leaf of the hierarchy? */
static covey_status lists_any(bool *out, const covey_column *column, const covey_hierarchy *tree, covey_error *err)
{
    uint32_t *leaf = covey_i_array(column->n_values, sizeof *leaf);
    covey_status status = leaf ? covey_i_hierarchy_find_leaves(leaf, column, tree, err) : covey_i_no_memory(err);

    for (uint32_t v = column->has_null; status == COVEY_OK && v < column->n_values; v++)
        *out |= leaf[v] != COVEY_NO_NODE;
    covey_i_free(leaf);
    return status;
}

/* Is the file a hierarchy that lists a value of the column?  Else it is that of another table, or none. */
static covey_status suits(bool *out, const char *path, const covey_column *column, covey_error *err)
{
    covey_hierarchy_spec spec = COVEY_HIERARCHY_SPEC_INIT;
    covey_hierarchy *tree = NULL;
    covey_status status;

    *out = false;
    if (!is_file(path))
        return COVEY_OK;
    spec.kind = COVEY_HIERARCHY_FILE;
    spec.path = path;
    if ((status = covey_hierarchy_build(&tree, &spec, NULL, NULL, err)) == COVEY_OK)
        status = lists_any(out, column, tree, err);
    covey_hierarchy_free(tree);
    return status == COVEY_ENOMEM ? status : COVEY_OK;
}

covey_status covey_i_inspect_hierarchy_file(covey_inspected_column *column, const covey_column *values,
                                            const char *path, covey_arena *arena, covey_error *err)
{
    static const struct {
        bool in_folder, has_table;
    } places[] = {{true, false}, {true, true}, {false, true}};
    const char *slash = strrchr(path, '/'), *table = slash ? slash + 1 : path;
    covey_status status = COVEY_OK;

    if (column->role != COVEY_ROLE_QUASI || strchr(column->name, '/') || covey_i_source_kind(path) != COVEY_SOURCE_FILE)
        return COVEY_OK;
    for (size_t i = 0; i < sizeof places / sizeof *places && !column->hierarchy_file; i++) {
        covey_text file = COVEY_TEXT_INIT;
        bool fits = false;

        covey_i_text_add(&file, path, (size_t)(table - path));
        covey_i_text_add_string(&file, places[i].in_folder ? "hierarchies/" : "");
        if (places[i].has_table) {
            covey_i_text_add(&file, table, strcspn(table, "."));
            covey_i_text_add_string(&file, "_hierarchy_");
        }
        covey_i_text_add_format(&file, "%s.csv", column->name);
        status = file.broken ? covey_i_no_memory(err) : suits(&fits, file.bytes, values, err);
        if (fits && !(column->hierarchy_file = covey_arena_strdup(arena, file.bytes)))
            status = covey_i_no_memory(err);
        covey_i_text_free(&file);
        COVEY_TRY(status);
    }
    return COVEY_OK;
}
