/* The hierarchy of one attribute, built from the table that a policy names: what `covey hierarchy` does. */
#include <covey/job.h>

#include <stdio.h>
#include <string.h>

#include <covey/io.h>

#include "base/error.h"
#include "job/preparing.h"
#include "table/table_impl.h"

static const covey_wish_attribute *find_wish(const covey_policy *policy, const char *name)
{
    static const covey_wish_attribute nothing;

    for (size_t i = 0; i < policy->n_attributes; i++)
        if (strcmp(policy->attribute[i].name, name) == 0)
            return &policy->attribute[i];
    return &nothing;
}

/* The header while it is read: keeps the one column, and looks for a name like it. */
struct search {
    const char *name;
    bool found;
    char near[128]; /* "" if none */
};

static bool is_wanted(void *context, const char *name)
{
    struct search *s = context;
    const bool same = strcmp(name, s->name) == 0;

    s->found |= same;
    if (!s->near[0] && covey_nearest_name(s->name, &name, 1) && strlen(name) < sizeof s->near)
        memcpy(s->near, name, strlen(name) + 1);
    return same;
}

static covey_status type_column(covey_column **out, const covey_column *texts, const covey_policy *policy,
                                const covey_wish_attribute *wish, covey_error *err)
{
    covey_column *written = NULL;
    covey_type type;
    covey_status status;

    COVEY_TRY(covey_i_preparing_recode(&written, NULL, &type, policy, wish, false, texts, NULL, err));
    status = covey_i_typing_column_type(out, written, type, wish->order, wish->n_order, policy->input_path, err);
    covey_i_column_free(written);
    return status;
}

static covey_status read_column(covey_column **out, const covey_policy *policy, const covey_wish_attribute *wish,
                                const char *attribute, const covey_run *run, covey_error *err)
{
    struct search search = {.name = attribute};
    const covey_csv_options options = {.delimiter = policy->delimiter,
                                       .null = policy->null,
                                       .n_null = policy->n_null,
                                       .trim = policy->trim,
                                       .no_header = policy->no_header,
                                       .names = policy->names,
                                       .n_names = policy->n_names,
                                       .keep = is_wanted,
                                       .context = &search};
    covey_table *table = NULL;
    covey_status status = COVEY_OK;

    COVEY_TRY(covey_table_read(&table, policy->input_source, &options, run, err));
    if (!search.found)
        status = covey_fail_at(err, COVEY_ENOTFOUND, policy->input_path, 1, attribute, 0,
                               "there is no column \"%s\"%s%s%s", attribute, search.near[0] ? "; did you mean \"" : "",
                               search.near, search.near[0] ? "\"?" : "");
    else if (wish->type == COVEY_TYPE_GUESS && !wish->order)
        status = covey_i_typing_check_digits(covey_table_column(table, 0), policy->input_path, err);
    if (status == COVEY_OK)
        status = type_column(out, covey_table_column(table, 0), policy, wish, err);
    covey_table_free(table);
    return status;
}

covey_status covey_build_hierarchy(covey_hierarchy **out, const covey_policy *policy, const char *attribute,
                                   const covey_hierarchy_spec *spec, char *note, const covey_run *run, covey_error *err)
{
    const covey_wish_attribute *wish = find_wish(policy, attribute);
    covey_column *column = NULL;
    covey_status status = COVEY_OK;

    if (!spec)
        spec = &wish->hierarchy;
    if (policy->input_path)
        status = read_column(&column, policy, wish, attribute, run, err);
    if (status == COVEY_OK)
        status = covey_hierarchy_build(out, spec, column, note, err);
    if (status != COVEY_OK) /* a line of the table, whose name only we know */
        covey_i_error_place_line(err, policy->input_path);
    covey_i_column_free(column);
    return status;
}
