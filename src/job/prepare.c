/* From a policy and a file to a problem.  The steps: read, find every column's wish (here); drop rows with missing
 * values where the policy says so, type and order the columns, build hierarchies (prepare_columns.c); axes
 * (prepare_fields.c); sensitive views with their priors, promises (prepare_promises.c); and fixed groups (grouping.c).
 */
#include "job/preparing.h"

#include <covey/io.h>

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "job/grouping.h"
#include "method/method_impl.h"
#include "policy/blame.h"
#include "policy/entity.h"
#include "policy/invariance.h"
#include "table/column_words.h"
#include "table/repeats.h"
#include "table/table_impl.h"

/* What a header that is one column may have for a delimiter instead of the policy's; NUL: nothing. */
static char other_delimiter(const char *header, char delimiter)
{
    const char *at = delimiter ? strpbrk(header, ",;|") : NULL;

    return at && *at != delimiter ? *at : '\0';
}

/* The policy names a column that the file lacks. */
static covey_status unknown_column(const covey_preparing *s, const covey_wish_attribute *wish, covey_error *err)
{
    const char *near = covey_nearest_name(wish->name, s->header, s->n_header);
    const char other = s->n_header == 1 ? other_delimiter(s->header[0], s->policy->delimiter) : '\0';

    if (other)
        return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name,
                             wish->column,
                             "%s has no column \"%s\": all of its first line is one column, in which '%c' stands; is "
                             "that the delimiter? (--delimiter '%c')",
                             s->policy->input_path, wish->name, other, other);
    return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name, wish->column,
                         "%s has no column \"%s\"%s%s%s", s->policy->input_path, wish->name,
                         near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* What is wrong with a column, and has no place in the policy's file, is about the table. */
static covey_status name_table(const covey_policy *policy, covey_status status, covey_error *err)
{
    return err && *err->column ? covey_i_error_names(status, policy->input_path, NULL, err) : status;
}

static const covey_wish_attribute *find_wish(const covey_policy *policy, const char *name)
{
    for (size_t i = 0; i < policy->n_attributes; i++)
        if (strcmp(policy->attribute[i].name, name) == 0)
            return &policy->attribute[i];
    return NULL;
}

/* Does the column say whom rows belong to?  It is read, but no field. */
static bool is_of_units(const covey_policy *policy, const char *name)
{
    const covey_wish_attribute *entity = covey_i_policy_entity(policy);

    return entity && (strcmp(entity->name, name) == 0 || (entity->within && strcmp(entity->within, name) == 0));
}

/* The reader's question: is the column of this name published?  Identifiers are not even held in memory. */
static bool keeps_column(void *context, const char *name)
{
    covey_preparing *s = context;
    const covey_wish_attribute *wish = find_wish(s->policy, name);

    if (s->n_header < COVEY_PREPARING_MOST_NAMES && (s->header[s->n_header] = covey_arena_strdup(&s->p->arena, name)))
        s->n_header++;
    if (wish)
        s->found[wish - s->policy->attribute] = true;
    if (is_of_units(s->policy, name))
        return true;
    if (wish && wish->role == COVEY_ROLE_WEIGHT)
        return wish->publish_value || s->reads_weights;
    return wish ? !covey_role_is_dropped(wish->role) : s->policy->others != COVEY_ROLE_IDENTIFIER;
}

/* The line that the names of columns stand on; 0: of data in memory they stand on none. */
static int64_t header_line(const covey_table *table)
{
    return covey_table_n_columns(table) ? covey_i_lines_at(covey_table_column(table, 0)->lines, 0) - 1 : 1;
}

static covey_status find_wishes(covey_preparing *s, covey_error *err)
{
    const covey_form *form =
        covey_i_form_find(s->policy->method.method ? s->policy->method.method->form : "generalized"); /* auto's */

    for (size_t i = 0; i < s->policy->n_attributes; i++)
        if (!s->found[i])
            return unknown_column(s, &s->policy->attribute[i], err);
    for (size_t c = 0; c < s->p->n_columns; c++) {
        const char *name = covey_table_column(s->p->table, c)->name;

        s->wish[c] = find_wish(s->policy, name);
        s->role[c] = s->wish[c] ? s->wish[c]->role : (covey_role)s->policy->others;
        if (is_of_units(s->policy, name)) {
            s->role[c] = COVEY_ROLE_ENTITY;
            continue;
        }
        if (s->role[c] == COVEY_ROLE_WEIGHT && !s->wish[c]->publish_value)
            continue;
        if (s->role[c] == COVEY_ROLE_WEIGHT)
            s->role[c] = COVEY_ROLE_INSENSITIVE; /* that is how it is published */
        if (s->role[c] == COVEY_ROLE_UNSET)
            return covey_fail_at(
                err, COVEY_EINVAL, s->policy->path, 0, name, 0,
                "column \"%s\" of %s has no role: name it under attributes, or say others: drop or others: "
                "insensitive (--others)",
                name, s->policy->input_path);
        if (form->reserves && form->reserves(name, s->role[c])) /* identifiers are not among the columns */
            return covey_fail_at(err, COVEY_EINVAL, s->policy->input_path, header_line(s->p->table), name, 0,
                                 "column \"%s\": releases of form %s have a column of this name, for what each row is "
                                 "part of; rename yours",
                                 name, form->name);
    }
    return COVEY_OK;
}

void covey_i_preparing_csv(covey_csv_options *options, covey_preparing *s)
{
    *options = (covey_csv_options)COVEY_CSV_OPTIONS_INIT;
    options->delimiter = s->policy->delimiter;
    options->null = s->policy->null;
    options->n_null = s->policy->n_null;
    options->trim = s->policy->trim;
    options->no_header = s->policy->no_header;
    options->names = s->policy->names;
    options->n_names = s->policy->n_names;
    options->keep = keeps_column;
    options->context = s;
}

static bool is_identifier(const covey_preparing *s, const char *name)
{
    const covey_wish_attribute *wish = find_wish(s->policy, name);

    return wish && wish->role == COVEY_ROLE_IDENTIFIER && !wish->is_left_out;
}

/* The reader's question: of a column that is not published, should it count how often its values repeat? */
static bool may_be_key(void *context, const char *name)
{
    const covey_preparing *s = context;

    return s->run && s->run->warn && !covey_i_policy_entity(s->policy) &&
           (is_identifier(s, name) || covey_i_column_key_word(name)) && !covey_i_column_is_shared_name(name);
}

static void warn_of_key(void *context, const char *name, const covey_repeats *repeats)
{
    const covey_preparing *s = context;

    if (covey_i_repeats_are_keys(repeats, name, is_identifier(s, name)))
        covey_i_repeats_warn(repeats, name, s->run);
}

/* The reader's question: does it only matter which rows have the same value?  A ledger has to know the values. */
static bool names_units(void *context, const char *name)
{
    const covey_preparing *s = context;

    return is_of_units(s->policy, name);
}

static covey_status read_table(covey_preparing *s, covey_error *err)
{
    covey_csv_options options;

    covey_i_preparing_csv(&options, s);
    options.watch = may_be_key;
    options.watched = warn_of_key;
    options.tell_apart = covey_i_policy_invariance(s->policy) || s->ledger ? NULL : names_units;
    if (!(s->found = covey_arena_array_zero(&s->p->arena, bool, s->policy->n_attributes)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_policy_blame_input(
        s->policy, covey_table_read(&s->p->table, s->policy->input_source, &options, s->run, err), err));
    if (covey_table_n_rows(s->p->table) == 0)
        return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, header_line(s->p->table), NULL, 0,
                             "there is a header, but not a single row: nothing to publish");
    if (s->p->table->codebook && !(s->p->codebook = covey_arena_strdup(&s->p->arena, s->p->table->codebook)))
        return covey_i_no_memory(err);
    return covey_i_preparing_columns(s, err);
}

covey_status covey_i_preparing_columns(covey_preparing *s, covey_error *err)
{
    s->p->is_misguessed = s->p->table->is_misguessed;
    s->p->n_columns = covey_table_n_columns(s->p->table);
    s->p->column = covey_arena_array_zero(&s->p->arena, covey_column *, s->p->n_columns);
    s->p->tree = covey_arena_array_zero(&s->p->arena, covey_hierarchy *, s->p->n_columns);
    s->wish = covey_arena_array_zero(&s->p->arena, const covey_wish_attribute *, s->p->n_columns);
    s->role = covey_arena_array_zero(&s->p->arena, covey_role, s->p->n_columns);
    s->recoding = covey_arena_array_zero(&s->p->arena, covey_recoding, s->p->n_columns);
    if (!s->p->column || !s->p->tree || !s->wish || !s->role || !s->recoding)
        return covey_i_no_memory(err);
    return name_table(s->policy, find_wishes(s, err), err);
}

covey_status covey_i_preparing_finish(covey_preparing *s, covey_column *const *values, int64_t n_rows, covey_error *err)
{
    for (size_t c = 0; c < s->p->n_columns; c++) {
        const covey_status status = covey_i_preparing_type(s, c, values[c], values[c], err);

        if (status != COVEY_OK) {
            covey_i_error_place_line(err, s->policy->input_path);
            return status;
        }
    }
    s->p->problem.n_rows = (uint32_t)n_rows;
    s->p->problem.max_suppressed = covey_ratio_floor_of(s->policy->suppression_limit, n_rows);
    COVEY_TRY(name_table(s->policy, covey_i_preparing_fields(s, err), err));
    return name_table(s->policy, covey_i_preparing_promises(s, err), err);
}

covey_status covey_i_prepare(covey_prepared *out, const covey_policy *policy, const covey_run *run, covey_error *err)
{
    return covey_i_prepare_after(out, policy, NULL, run, err);
}

covey_status covey_i_prepare_after(covey_prepared *out, const covey_policy *policy, const covey_ledger *ledger,
                                   const covey_run *run, covey_error *err)
{
    covey_preparing s = {.p = out, .policy = policy, .run = run, .ledger = ledger, .reads_weights = true};
    covey_status status;
    double begin = covey_i_seconds();

    memset(out, 0, sizeof *out);
    if (!policy->is_checked)
        return covey_fail(err, COVEY_EINVAL, "the policy has not been checked (covey_policy_check)");
    if ((status = read_table(&s, err)) != COVEY_OK || (status = covey_i_preparing_pick(&s, err)) != COVEY_OK ||
        (status = covey_i_preparing_history(&s, err)) != COVEY_OK ||
        (status = covey_i_preparing_fields(&s, err)) != COVEY_OK ||
        (status = covey_i_preparing_warn_of_weights(&s, err)) != COVEY_OK)
        goto failed;
    out->seconds_read = covey_i_seconds() - begin;
    if ((status = covey_i_preparing_promises(&s, err)) != COVEY_OK ||
        (status = covey_i_preparing_units(&s, err)) != COVEY_OK ||
        (status = covey_i_group_rows(out, policy, run, err)) != COVEY_OK)
        goto failed;
    return COVEY_OK;
failed:
    name_table(policy, status, err);
    covey_i_prepared_clear(out);
    return status;
}

void covey_i_prepared_clear(covey_prepared *p)
{
    for (size_t c = 0; c < p->n_columns; c++) {
        if (p->column)
            covey_i_column_free(p->column[c]);
        if (p->tree)
            covey_hierarchy_free(p->tree[c]);
    }
    covey_i_column_free(p->joint);
    covey_i_free(p->kept);
    covey_table_free(p->table);
    covey_arena_free(&p->arena);
    memset(p, 0, sizeof *p);
}
