/* The hierarchies of a release: every one that was used, so that its labels can be read.  Of hierarchies built from the
 * data only the labels that are published: the others would say which values occur. */
#include "release/manifest/manifest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/filename.h"
#include "hierarchy/hierarchy_impl.h"
#include "table/table_impl.h"

enum { LONGEST_NAME = 100 };

/* hierarchies/NAME.csv; a name that is taken gets a number. */
static const char *file_name(const char *column, const char *const *taken, size_t n_taken, covey_arena *arena)
{
    char name[COVEY_FILENAME_SIZE], path[COVEY_FILENAME_SIZE + 64];

    for (size_t number = 1;; number++) {
        bool used = false;

        covey_i_filename(name, column, LONGEST_NAME, number, "csv");
        snprintf(path, sizeof path, "hierarchies/%s", name);
        for (size_t i = 0; i < n_taken; i++)
            used |= taken[i] && strcmp(taken[i], path) == 0;
        if (!used)
            return covey_arena_strdup(arena, path);
    }
}

/* Marks the node that is published for a range of leaves, or the leaves themselves where its label would mislead. */
static void mark_published(bool *used, const covey_axis *axis, uint32_t low, uint32_t high)
{
    const covey_hierarchy *tree = axis->tree;
    uint32_t node = covey_hierarchy_lca(tree, low, high);
    const covey_node *facts = &covey_hierarchy_nodes(tree)[node];

    used[node] = true;
    if (covey_i_axis_shows_leaves(axis, node))
        for (uint32_t leaf = facts->first_leaf; leaf < facts->first_leaf + facts->n_leaves; leaf++)
            used[covey_hierarchy_leaf_node(tree, leaf)] = true;
}

/* Of values that are published as they are: all of the hierarchy, unless rows were suppressed, whose values it must not
 * tell. */
static covey_status mark_exact(bool *used, const covey_release *release, const covey_problem *problem,
                               const covey_field *field, covey_error *err)
{
    bool *shown;

    if (release->n_published == release->n_rows) {
        memset(used, true, covey_hierarchy_n_nodes(field->tree) * sizeof *used);
        return COVEY_OK;
    }
    if (!(shown = covey_i_array_zero(field->column->n_values, sizeof *shown)))
        return covey_i_no_memory(err);
    covey_i_release_mark_codes(shown, release, problem, field);
    for (uint32_t v = 0; v < field->column->n_values; v++)
        if (shown[v])
            used[covey_hierarchy_leaf_node(field->tree, v)] = true;
    covey_i_free(shown);
    return COVEY_OK;
}

/* Of values that are published in groups: the labels of those that rows have. */
static void mark_groups(bool *used, const covey_recoded *recoded, const covey_axis *axis)
{
    for (uint32_t g = 0; g < recoded->column->n_values; g++)
        if (recoded->low[g] <= recoded->high[g])
            mark_published(used, axis, recoded->low[g], recoded->high[g]);
}

covey_status covey_i_release_mark_labels(bool *used, const covey_release *release, const covey_problem *problem,
                                         const covey_field *field, covey_error *err)
{
    const covey_recoded *recoded = covey_i_release_recoded(release, field);
    covey_axis axis = {.kind = COVEY_AXIS_TREE, .tree = field->tree, .column = field->column};

    if (field->axis >= 0)
        axis.shown_level = covey_i_release_level(release, (size_t)field->axis);
    if (recoded)
        mark_groups(used, recoded, &axis);
    else if (release->form->is_exact)
        return mark_exact(used, release, problem, field, err);
    for (uint32_t c = 0; !release->form->is_exact && c < release->n_classes; c++) {
        size_t at = c * problem->n_axes + (size_t)field->axis;

        mark_published(used, &axis, release->low[at], release->high[at]);
    }
    return COVEY_OK;
}

/* Labels that the cells of a quasi-identifier show. */
static covey_status find_published(const bool **out, const covey_release *release, const covey_problem *problem,
                                   const covey_field *field, covey_arena *arena, covey_error *err)
{
    bool *used;

    if (release->sums) {
        *out = release->sums->label[field - problem->field];
        return COVEY_OK;
    }
    if (!(used = covey_arena_array_zero(arena, bool, covey_hierarchy_n_nodes(field->tree))))
        return covey_i_no_memory(err);
    *out = used;
    return covey_i_release_mark_labels(used, release, problem, field, err);
}

/* A sensitive attribute has a hierarchy only if its values are compared with the whole table, so that all stand in the
 * prior anyway. */
bool covey_i_release_field_publishes_all_labels(const covey_field *field)
{
    return field->axis < 0 || !covey_hierarchy_is_from_data(field->tree);
}

/* Records of the file that was written, which are what the manifest calls its rows: a value may hold a line feed,
 * within quotes. */
static covey_status count_records(int64_t *out, const char *path, covey_error *err)
{
    FILE *file = fopen(path, "re");
    bool is_quoted = false;
    int64_t n = 0;
    int c;

    if (!file)
        return covey_fail_at(err, COVEY_EIO, path, 0, NULL, 0, "%s", strerror(errno));
    while ((c = getc_unlocked(file)) != EOF) {
        is_quoted ^= c == '"';
        n += c == '\n' && !is_quoted;
    }
    fclose(file);
    *out = n;
    return COVEY_OK;
}

static covey_status write_file(const covey_release *release, const covey_field *field, const char *path,
                               const bool *used, covey_error *err)
{
    const int level = field->axis < 0 ? 0 : covey_i_release_level(release, (size_t)field->axis);

    return covey_i_hierarchy_write_level(field->tree, path, used, level, release->n_published < release->n_rows, err);
}

covey_status covey_i_release_write_hierarchies(const char **name_out, const covey_release *release,
                                               const covey_problem *problem, const char *folder, covey_files *files,
                                               covey_arena *arena, covey_error *err)
{
    covey_status status = COVEY_OK;
    covey_text path = COVEY_TEXT_INIT;
    bool made = false;

    for (size_t f = 0; f < problem->n_fields && status == COVEY_OK; f++) {
        const covey_field *field = &problem->field[f];
        const bool *used = NULL;
        int64_t n_records = 0;

        name_out[f] = NULL;
        if (!field->tree)
            continue;
        covey_i_text_clear(&path);
        covey_i_text_add_format(&path, "%s/hierarchies", folder);
        if (!path.broken && !made && mkdir(path.bytes, 0700) != 0) {
            status = covey_fail_at(err, COVEY_EIO, path.bytes, 0, NULL, 0, "%s", strerror(errno));
            break;
        }
        made = true;
        name_out[f] = file_name(field->column->name, name_out, f, arena);
        covey_i_text_clear(&path);
        covey_i_text_add_format(&path, "%s/%s", folder, name_out[f] ? name_out[f] : "");
        if (!name_out[f] || path.broken) {
            status = covey_i_no_memory(err);
            break;
        }
        if (!covey_i_release_field_publishes_all_labels(field))
            status = find_published(&used, release, problem, field, arena, err);
        if (status == COVEY_OK && (status = write_file(release, field, path.bytes, used, err)) == COVEY_OK &&
            (status = count_records(&n_records, path.bytes, err)) == COVEY_OK)
            status = covey_i_files_add(files, name_out[f], n_records, err);
    }
    covey_i_text_free(&path);
    return status;
}
