/* The form "transformed": quasi.csv holds the quasi-identifiers as they are; sensitive.csv the intervals that the
 * sensitive values of each group are hidden in, more than rows if some were made up; target.csv the weighted
 * hierarchies that these are nodes of; groups.csv which of them a group has; help.csv what follows about any rows of a
 * group. */
#include "reader/transformed/transformed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char ROWS[] = "quasi.csv", ENTRIES[] = "sensitive.csv", TARGETS[] = "target.csv", GROUPS[] = "groups.csv",
                  HELP[] = "help.csv";

static bool has_table(const char *name)
{
    return strcmp(name, ROWS) == 0 || strcmp(name, ENTRIES) == 0 || strcmp(name, TARGETS) == 0 ||
           strcmp(name, GROUPS) == 0 || strcmp(name, HELP) == 0;
}

/* A table of the form's own columns; sensitive: the column that its cell `low` is, NULL: none. */
static covey_status read_table(covey_opened_table **out, covey_opened *o, const char *file, const char *number,
                               const char *const *column, size_t n, covey_opened_column *sensitive, const bool *present,
                               covey_problems *problems, const covey_run *run, covey_error *err)
{
    COVEY_TRY(covey_i_opened_table(out, o, file, number, present, problems, run, err));
    if (!*out)
        return COVEY_OK;
    for (size_t i = 0; i < n; i++)
        covey_i_opened_expect(*out, column[i], i == 0 ? sensitive : NULL);
    if (!covey_i_opened_has_header(*out, problems))
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_classes(*out, o, problems, err));
    covey_i_opened_compare_lines(o, *out, problems);
    return COVEY_OK;
}

static covey_status read_rows(covey_opened_table **out, covey_opened_transformed *t, covey_opened *o,
                              const bool *present, covey_problems *problems, const covey_run *run, covey_error *err)
{
    COVEY_TRY(covey_i_opened_table(out, o, ROWS, "group", present, problems, run, err));
    if (!*out)
        return COVEY_OK;
    for (size_t i = 0; i < t->n_content; i++)
        covey_i_opened_expect(*out, t->content[i]->stated->name, (covey_opened_column *)t->content[i]);
    if (!covey_i_opened_has_header(*out, problems))
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_classes(*out, o, problems, err));
    covey_i_opened_compare_counts(o, *out, problems);
    if (o->stated->n_suppressed > 0)
        covey_i_problem(problems, "manifest.json: a transformed release suppresses no rows");
    if (o->stated->n_priors > 0 || o->stated->joint.n_attributes > 0)
        covey_i_problem(problems,
                        "manifest.json: a transformed release says nothing of the whole table, but there is a prior");
    return COVEY_OK;
}

/* Which target each group has; without groups.csv the only one. */
static covey_status find_targets(bool *usable, covey_opened_transformed *t, covey_opened *o, covey_problems *problems,
                                 covey_error *err)
{
    const covey_column *text = t->groups ? covey_i_opened_text(t->groups, 0) : NULL;

    if (!(t->target_of_group = covey_arena_array_zero(&o->arena, uint32_t, t->rows->n_classes)))
        return covey_i_no_memory(err);
    *usable = (t->targets->n_classes > 1) == (t->groups != NULL);
    if (!*usable)
        covey_i_problem(problems, "%s has %" PRIu32 " targets, and there is %s %s", TARGETS, t->targets->n_classes,
                        t->groups ? "a" : "no", GROUPS);
    if (*usable && text && (t->groups->n_classes != t->rows->n_classes || t->groups->n_rows != t->rows->n_classes)) {
        covey_i_problem(problems, "%s has %" PRIu32 " lines, but there are %" PRIu32 " groups", GROUPS,
                        t->groups->n_rows, t->rows->n_classes);
        *usable = false;
    }
    for (uint32_t g = 0; text && *usable && g < t->rows->n_classes; g++) {
        const char *number = covey_column_label(text, covey_i_code_at(text, g));
        char *end;
        const unsigned long target = *number >= '1' && *number <= '9' ? strtoul(number, &end, 10) : 0;

        *usable = target >= 1 && target <= t->targets->n_classes && *end == '\0';
        if (*usable)
            t->target_of_group[g] = (uint32_t)(target - 1);
        else
            covey_i_problem(problems, "%s: group %" PRIu32 " has a target that %s does not have", GROUPS, g + 1,
                            TARGETS);
    }
    return COVEY_OK;
}

/* Promises are about the targets: their entries are leaves.  Counts are set when they are judged; here, that a value is
 * there. */
static covey_status make_groups(covey_opened *o, const covey_opened_transformed *t, covey_error *err)
{
    int64_t *count = covey_arena_array(&o->arena, int64_t, t->targets->n_rows);

    if (!count)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < t->targets->n_rows; i++)
        count[i] = t->line[i].end == i + 1;
    o->groups = (covey_opened_groups){.n = t->targets->n_classes, .start = t->targets->class_start, .count = count};
    return COVEY_OK;
}

static covey_status open_all(covey_opened_transformed *t, covey_opened *o, const bool *present,
                             covey_problems *problems, const covey_run *run, covey_error *err)
{
    static const char *const entry[] = {"low", "high", "label", "count"},
                             *const line[] = {"low", "high", "label", "weight", "probability"},
                             *const group[] = {"target"}, *const figure[] = {"hits",      "sum_lower", "sum_upper",
                                                                             "min_lower", "min_upper", "max_lower",
                                                                             "max_upper"};
    covey_opened_table *rows, *entries, *targets, *groups = NULL, *help = NULL;
    const bool has_help =
        t->sensitive->stated->type == COVEY_TYPE_INTEGER || t->sensitive->stated->type == COVEY_TYPE_DECIMAL;

    COVEY_TRY(read_rows(&rows, t, o, present, problems, run, err));
    COVEY_TRY(read_table(&entries, o, ENTRIES, "group", entry, 4, NULL, present, problems, run, err));
    COVEY_TRY(read_table(&targets, o, TARGETS, "target", line, 5, (covey_opened_column *)t->sensitive, present,
                         problems, run, err));
    if (covey_i_stated_file(o->stated, GROUPS) >= 0)
        COVEY_TRY(read_table(&groups, o, GROUPS, "group", group, 1, NULL, present, problems, run, err));
    if (has_help && o->without_derived)
        covey_i_opened_leave_out(o, HELP, problems);
    else if (has_help)
        COVEY_TRY(read_table(&help, o, HELP, "group", figure, 7, NULL, present, problems, run, err));
    covey_i_opened_find_unused(o, problems);
    if (!rows || !entries || !targets || !rows->usable || !entries->usable || !targets->usable ||
        (groups && !groups->usable))
        return COVEY_OK;
    t->rows = rows;
    t->entries = entries;
    t->targets = targets;
    t->groups = groups;
    t->help = help && help->usable ? help : NULL;
    if (rows->n_classes != entries->n_classes)
        covey_i_problem(problems, "%s has %" PRIu32 " groups, %s %" PRIu32, ROWS, rows->n_classes, ENTRIES,
                        entries->n_classes);
    return COVEY_OK;
}

static covey_status open_tables(covey_opened *o, const bool *present, covey_problems *problems, const covey_run *run,
                                covey_error *err)
{
    covey_opened_transformed *t = covey_arena_array_zero(&o->arena, covey_opened_transformed, 1);
    bool usable;

    if (!(o->form_data = t))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_opened_divide(&t->sensitive, &t->content, &t->n_content, o, problems, err));
    if (!t->sensitive)
        return COVEY_OK;
    COVEY_TRY(open_all(t, o, present, problems, run, err));
    if (!t->rows || t->rows->n_classes != t->entries->n_classes)
        return COVEY_OK;
    o->n_rows = t->rows->n_rows;
    o->n_classes = t->rows->n_classes;
    o->class_start = t->rows->class_start;
    COVEY_TRY(covey_i_target_lines_read(&usable, t, o, problems, err));
    if (usable)
        COVEY_TRY(find_targets(&usable, t, o, problems, err));
    if (usable)
        COVEY_TRY(covey_i_target_entries_read(&usable, t, o, problems, err));
    if (!usable)
        return COVEY_OK;
    COVEY_TRY(make_groups(o, t, err));
    o->usable = true;
    return covey_i_opened_columns(o, present, problems, run, err);
}

const covey_reader_form covey_reader_form_transformed = {
    .name = "transformed",
    .word = "group",
    .is_exact = true,
    .hides_prior = true,
    .has_table = has_table,
    .open = open_tables,
};
