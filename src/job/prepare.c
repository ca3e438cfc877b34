/* See prepare.h.  The steps: read, find every column's wish, drop rows with missing values where the policy says so, type and order
 * the columns, build hierarchies, then axes, sensitive views with their priors, promises, and fixed groups. */
#include "job/preparing.h"

#include <covey/io.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "hierarchy/hierarchy_impl.h"
#include "job/grouping.h"
#include "method/method_impl.h"
#include "release/hierarchy_json.h"
#include "table/histogram.h"

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "preparing the table");
}

/* The policy names a column that the file lacks. */
static covey_status unknown_column(const covey_preparing *s, const covey_wish_attribute *wish, covey_error *err)
{
    const char *near = covey_nearest_name(wish->name, s->header, s->n_header);

    return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name, wish->column,
                         "%s has no column \"%s\"%s%s%s", s->policy->input_path, wish->name, near ? "; did you mean \"" : "", near ? near : "",
                         near ? "\"?" : "");
}

static const covey_wish_attribute *find_wish(const covey_policy *policy, const char *name)
{
    for (size_t i = 0; i < policy->n_attributes; i++)
        if (strcmp(policy->attribute[i].name, name) == 0)
            return &policy->attribute[i];
    return NULL;
}

/* The reader's question: identifiers are not even held in memory. */
bool covey_i_preparing_keep(void *context, const char *name)
{
    covey_preparing *s = context;
    const covey_wish_attribute *wish = find_wish(s->policy, name);

    if (s->n_header < COVEY_PREPARING_MOST_NAMES && (s->header[s->n_header] = covey_arena_strdup(&s->p->arena, name)))
        s->n_header++;
    if (wish)
        s->found[wish - s->policy->attribute] = true;
    return wish ? !covey_role_is_dropped(wish->role) : s->policy->others != COVEY_ROLE_IDENTIFIER;
}

static covey_status find_wishes(covey_preparing *s, covey_error *err)
{
    const covey_form *form = covey_i_form_find(s->policy->method.method ? s->policy->method.method->form : "generalized"); /* auto's */

    for (size_t i = 0; i < s->policy->n_attributes; i++)
        if (!s->found[i])
            return unknown_column(s, &s->policy->attribute[i], err);
    for (size_t c = 0; c < s->p->n_columns; c++) {
        const char *name = covey_table_column(s->p->table, c)->name;

        s->wish[c] = find_wish(s->policy, name);
        s->role[c] = s->wish[c] ? s->wish[c]->role : (covey_role)s->policy->others;
        if (s->role[c] == COVEY_ROLE_UNSET)
            return covey_fail_at(err, COVEY_EINVAL, s->policy->path, 0, name, 0,
                                 "column \"%s\" of %s has no role: name it under attributes, or say others: drop or others: insensitive", name,
                                 s->policy->input_path);
        if (form->reserves && form->reserves(name, s->role[c])) /* identifiers are not among the columns */
            return covey_fail_at(err, COVEY_EINVAL, s->policy->input_path, 1, name, 0,
                                 "column \"%s\": releases of form %s have a column of this name, for what each row is part of; rename yours", name,
                                 form->name);
    }
    return COVEY_OK;
}

/* Marks rows whose cell is missing in a column; complains about the first where the policy wants that. */
static covey_status mark_missing(bool *drop, const covey_preparing *s, const covey_column *column, covey_missing treatment, const char *what,
                                 const char *key, covey_error *err)
{
    if (!column->has_null || treatment == COVEY_MISSING_VALUE)
        return COVEY_OK;
    for (int64_t row = 0; row < column->n_rows; row++)
        if (covey_column_code(column, row) == 0) {
            if (treatment == COVEY_MISSING_ERROR)
                return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, covey_column_line(column, row), column->name, 0,
                                     "column \"%s\": the %s value is missing; say input: {%s: drop} to leave such rows out, or value to let it "
                                     "be a value of its own",
                                     column->name, what, key);
            drop[row] = true;
        }
    return COVEY_OK;
}

/* Rows that stay: NULL if all do. */
covey_status covey_i_preparing_kept_rows(int64_t **kept, int64_t *n_kept, covey_preparing *s, covey_error *err)
{
    const covey_policy *policy = s->policy;
    covey_missing sensitive = policy->missing_sensitive == COVEY_MISSING_DEFAULT ? COVEY_MISSING_ERROR : policy->missing_sensitive;
    covey_missing quasi = policy->missing_quasi == COVEY_MISSING_DEFAULT ? COVEY_MISSING_VALUE : policy->missing_quasi;
    int64_t n_rows = covey_table_n_rows(s->p->table), n = 0;
    bool *drop = covey_i_array_zero((size_t)n_rows, sizeof *drop);
    covey_status status = COVEY_OK;

    *kept = NULL;
    if (!drop)
        return no_memory(err);
    for (size_t c = 0; c < s->p->n_columns && status == COVEY_OK; c++) {
        const covey_column *column = covey_table_column(s->p->table, c);

        if (s->role[c] == COVEY_ROLE_SENSITIVE)
            status = mark_missing(drop, s, column, sensitive, "sensitive", "missing-sensitive", err);
        else if (s->role[c] == COVEY_ROLE_QUASI)
            status = mark_missing(drop, s, column, quasi, "quasi-identifier's", "missing-quasi", err);
    }
    for (int64_t row = 0; row < n_rows; row++)
        n += !drop[row];
    if (status == COVEY_OK && n < n_rows) {
        if (!(*kept = covey_i_array((size_t)n, sizeof **kept)))
            status = no_memory(err);
        for (int64_t row = 0, at = 0; status == COVEY_OK && row < n_rows; row++)
            if (!drop[row])
                (*kept)[at++] = row;
    }
    *n_kept = n;
    s->p->n_dropped += n_rows - n;
    covey_i_free(drop);
    return status;
}

/* Does a promise compare this sensitive attribute with the whole table, or hide its values in subtrees?  Only then can its hierarchy matter. */
static bool is_compared(const covey_preparing *s, const char *name)
{
    for (size_t i = 0; i < s->policy->n_promises; i++) {
        const covey_wish_promise *promise = &s->policy->promise[i];

        if ((promise->model->traits & (COVEY_MODEL_PRIOR | COVEY_MODEL_TARGET)) && !promise->joint && (!promise->attribute || strcmp(promise->attribute, name) == 0))
            return true;
    }
    return false;
}

static void warn(const covey_preparing *s, const char *message)
{
    if (*message && s->run && s->run->warn)
        s->run->warn(s->run->context, message);
}

/* Distances along an order and along a tree both go by the codes: a declared order must be one in which the tree can be drawn. */
static covey_status check_order(const covey_preparing *s, const covey_column *aligned, const covey_wish_attribute *wish, covey_error *err)
{
    uint32_t last = 0;

    for (size_t i = 0; i < wish->n_order; i++) {
        uint32_t code = aligned->has_null ? 1 : 0;

        while (code < aligned->n_values && strcmp(covey_column_label(aligned, code), wish->order[i]) != 0)
            code++;
        if (code == aligned->n_values) /* nobody has it, and the tree does not know it */
            continue;
        if (code < last)
            return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name, wish->column,
                                 "the order of \"%s\" jumps between branches of its hierarchy, back at \"%s\": order the values branch by branch, or "
                                 "leave out the one of the two that no promise needs", wish->name, wish->order[i]);
        last = code;
    }
    return COVEY_OK;
}

/* Builds the column's hierarchy and gives it the codes of the leaves.  One that no promise asks for is only checked. */
static covey_status add_hierarchy(covey_column **typed, covey_preparing *s, size_t c, const covey_wish_attribute *wish, covey_error *err)
{
    covey_hierarchy_spec spec = wish->hierarchy;
    covey_column *aligned = NULL;
    char note[256] = "", message[512];

    spec.is_declared = wish->n_order > 0;
    spec.by_code = wish->n_order > 0 && s->role[c] == COVEY_ROLE_SENSITIVE;
    COVEY_TRY(covey_hierarchy_build(&s->p->tree[c], &spec, *typed, note, err));
    warn(s, note);
    if (s->role[c] == COVEY_ROLE_SENSITIVE && !is_compared(s, wish->name)) {
        snprintf(message, sizeof message, "the hierarchy of \"%s\" does nothing: no promise asks how far its values are from each other", wish->name);
        warn(s, message);
        covey_hierarchy_free(s->p->tree[c]);
        s->p->tree[c] = NULL;
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_hierarchy_align(&aligned, *typed, s->p->tree[c], err));
    covey_i_column_free(*typed);
    *typed = aligned;
    return spec.by_code ? check_order(s, aligned, wish, err) : COVEY_OK;
}

/* Releases show missing cells as empty ones: where only other texts mean "missing", an empty cell would be taken for one. */
covey_status covey_i_preparing_check_texts(const covey_preparing *s, const covey_column *raw, covey_error *err)
{
    const uint32_t first = raw->has_null ? 1 : 0;
    int64_t row = 0;

    if (first == raw->n_values || covey_column_label_size(raw, first) > 0) /* texts are sorted by bytes */
        return COVEY_OK;
    while (row < raw->n_rows && covey_column_code(raw, row) != first)
        row++;
    return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, covey_column_line(raw, row), raw->name, 0,
                         "column \"%s\": an empty cell is not among the texts that mean \"missing\", but a release would show it so; add \"\" to "
                         "input.null",
                         raw->name);
}

/* Numbers among which a few texts stand are ordered as texts are: whoever meant numbers should know. */
static void warn_of_stray_text(const covey_preparing *s, size_t c, const covey_column *raw, const covey_wish_attribute *wish)
{
    const bool may_be_number = wish->type == COVEY_TYPE_GUESS && !wish->order && wish->hierarchy.kind == COVEY_HIERARCHY_NONE &&
                               (s->role[c] == COVEY_ROLE_QUASI || s->role[c] == COVEY_ROLE_SENSITIVE);
    const int64_t row = may_be_number ? covey_i_column_stray_text(raw) : -1;
    char message[512];

    if (row < 0)
        return;
    snprintf(message, sizeof message, "column \"%.200s\" is read as text, not as numbers, because of line %" PRId64 ": correct the cell, add it to input.null, or "
                                      "declare `type: text`", raw->name, covey_column_line(raw, row));
    warn(s, message);
}

/* A column as the problem sees it: typed, aligned with its hierarchy. */
static covey_status type_column(covey_preparing *s, size_t c, const covey_column *raw, covey_error *err)
{
    static const covey_wish_attribute nothing;
    const covey_wish_attribute *wish = s->wish[c] ? s->wish[c] : &nothing;
    covey_type type = wish->type;
    covey_column *typed = NULL;
    covey_status status;

    if (type == COVEY_TYPE_GUESS && s->role[c] == COVEY_ROLE_INSENSITIVE)
        type = COVEY_TYPE_TEXT; /* published as it is, letter by letter */
    status = covey_i_column_type(&typed, raw, type, wish->order, wish->n_order, s->policy->input_path, err);
    if (status == COVEY_OK && wish->hierarchy.kind != COVEY_HIERARCHY_NONE && !(wish->publish_range && covey_column_is_number(typed)) &&
        (s->role[c] == COVEY_ROLE_QUASI || s->role[c] == COVEY_ROLE_SENSITIVE))
        status = add_hierarchy(&typed, s, c, wish, err);
    if (status == COVEY_OK && typed->type == COVEY_TYPE_TEXT)
        warn_of_stray_text(s, c, raw, wish);
    if (status == COVEY_OK)
        s->p->column[c] = typed;
    else
        covey_i_column_free(typed);
    return status;
}

/* The same of a column as it was read, without dropped rows. */
static covey_status prepare_column(covey_preparing *s, size_t c, const int64_t *kept, int64_t n_kept, covey_error *err)
{
    const covey_column *raw = covey_table_column(s->p->table, c);
    covey_column *picked = NULL;
    covey_status status;

    /* Before anything is made of the values: what dropped rows hold must show neither in ranges nor in labels. */
    if (kept) {
        COVEY_TRY(covey_i_column_pick(&picked, raw, kept, n_kept, err));
        raw = picked;
    }
    if ((status = covey_i_preparing_check_texts(s, raw, err)) == COVEY_OK)
        status = type_column(s, c, raw, err);
    if (status != COVEY_OK && err && err->row > 0 && !*err->file) /* a line of the table, whose name only we know */
        snprintf(err->file, sizeof err->file, "%s", s->policy->input_path);
    covey_i_column_free(picked);
    return status;
}

/* The numeric domain that the policy declares must hold the data. */
static covey_status set_domain(covey_axis *axis, const covey_preparing *s, const covey_wish_attribute *wish, covey_error *err)
{
    const covey_column *column = axis->column;
    uint32_t first = column->has_null ? 1 : 0;
    const char *text[2] = {wish->domain_low, wish->domain_high};
    int64_t *end[2] = {&axis->domain_low, &axis->domain_high};

    for (int i = 0; i < 2; i++) {
        int scale = 0;
        bool ok = column->type == COVEY_TYPE_DATE ? covey_i_parse_date(end[i], text[i], strlen(text[i]))
                                                  : covey_i_parse_decimal(end[i], &scale, text[i], strlen(text[i]));

        for (; ok && scale < column->scale; scale++)
            ok = !__builtin_mul_overflow(*end[i], (int64_t)10, end[i]);
        if (!ok || scale > column->scale)
            return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name, wish->column,
                                 "the domain of \"%s\" must be two values of its type (%s, %d digits after the point), not \"%s\"", wish->name,
                                 covey_type_name(column->type), column->scale, text[i]);
    }
    if (axis->domain_low > axis->domain_high ||
        (first < column->n_values && (column->number[first] < axis->domain_low || column->number[column->n_values - 1] > axis->domain_high)))
        return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name, wish->column,
                             "the domain [%s, %s] of \"%s\" does not hold all values of the table: widen it", text[0], text[1], wish->name);
    return COVEY_OK;
}

static covey_status make_axis(covey_axis *axis, const covey_preparing *s, size_t c, covey_error *err)
{
    static const covey_wish_attribute nothing;
    const covey_wish_attribute *wish = s->wish[c] ? s->wish[c] : &nothing;
    covey_axis_kind kind = s->p->tree[c] ? COVEY_AXIS_TREE : covey_column_is_number(s->p->column[c]) ? COVEY_AXIS_RANGE : COVEY_AXIS_FLAT;

    axis->column = s->p->column[c];
    axis->weight = wish->has_weight ? wish->weight : (covey_ratio){1, 1};
    axis->domain_low = 1; /* low > high: the data's */
    axis->domain_high = 0;
    if (wish->publish_range && kind != COVEY_AXIS_RANGE)
        return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name, wish->column,
                             "publish: range needs a number or a date, but \"%s\" is text", wish->name);
    if (wish->has_domain && kind == COVEY_AXIS_RANGE)
        COVEY_TRY(set_domain(axis, s, wish, err));
    else if (wish->has_domain && !covey_column_is_number(s->p->column[c]))
        return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name, wish->column,
                             "domain needs a number or a date, but \"%s\" is text", wish->name);
    return covey_i_axis_init(axis, kind, s->p->column[c], s->p->tree[c], err);
}

/* Weights are relative: divided by their sum, exactly. */
static covey_status normalise_weights(covey_problem *problem, covey_error *err)
{
    covey_fraction sum = {0, 1};

    for (size_t a = 0; a < problem->n_axes; a++) {
        covey_ratio w = problem->axis[a].weight;
        covey_i128 left, right, den;

        if (__builtin_mul_overflow(sum.num, (covey_i128)w.den, &left) || __builtin_mul_overflow((covey_i128)w.num, sum.den, &right) ||
            __builtin_mul_overflow(sum.den, (covey_i128)w.den, &den) || __builtin_add_overflow(left, right, &left))
            return covey_fail(err, COVEY_EINVAL, "the weights have too many digits to be added exactly: round them");
        sum = covey_i_fraction(left, den);
    }
    for (size_t a = 0; a < problem->n_axes; a++) {
        covey_ratio w = problem->axis[a].weight;
        covey_i128 num, den;
        covey_fraction share;

        if (__builtin_mul_overflow((covey_i128)w.num, sum.den, &num) || __builtin_mul_overflow((covey_i128)w.den, sum.num, &den))
            return covey_fail(err, COVEY_EINVAL, "the weights have too many digits to be added exactly: round them");
        share = covey_i_fraction(num, den);
        if (share.den > INT64_MAX)
            return covey_fail(err, COVEY_EINVAL, "the weights have too many digits to be added exactly: round them");
        problem->axis[a].weight = (covey_ratio){(int64_t)share.num, (int64_t)share.den};
    }
    return COVEY_OK;
}

/* How a hierarchy was built from the data, for the manifest. */
static covey_status print_spec(const char **out, const covey_hierarchy_spec *spec, covey_arena *arena, covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_status status = covey_i_hierarchy_spec_print(&text, spec, err);

    if (status == COVEY_OK && !(*out = covey_arena_strdup(arena, text.bytes)))
        status = no_memory(err);
    covey_i_text_free(&text);
    return status;
}

static covey_status make_fields(covey_preparing *s, covey_error *err)
{
    covey_problem *problem = &s->p->problem;

    if (!(problem->field = covey_arena_array_zero(&s->p->arena, covey_field, s->p->n_columns)) ||
        !(problem->axis = covey_arena_array_zero(&s->p->arena, covey_axis, s->p->n_columns)))
        return no_memory(err);
    for (size_t c = 0; c < s->p->n_columns; c++) {
        covey_field *field;

        field = &problem->field[problem->n_fields++];
        *field = (covey_field){.role = s->role[c], .axis = -1, .column = s->p->column[c], .tree = s->p->tree[c]};
        field->has_order = s->wish[c] && s->wish[c]->n_order > 0;
        if (s->p->tree[c] && s->role[c] == COVEY_ROLE_QUASI && covey_hierarchy_is_from_data(s->p->tree[c]))
            COVEY_TRY(print_spec(&field->tree_spec, &s->wish[c]->hierarchy, &s->p->arena, err));
        if (s->role[c] == COVEY_ROLE_QUASI) {
            field->axis = (int)problem->n_axes;
            COVEY_TRY(make_axis(&problem->axis[problem->n_axes++], s, c, err));
        }
    }
    if (problem->n_axes == 0)
        return covey_fail(err, COVEY_EINVAL, "no quasi-identifier: nothing would protect anybody; give at least one column the role quasi-identifier");
    return normalise_weights(problem, err);
}

static const covey_field *find_field(const covey_problem *problem, const char *name)
{
    for (size_t f = 0; f < problem->n_fields; f++)
        if (strcmp(problem->field[f].column->name, name) == 0)
            return &problem->field[f];
    return NULL;
}

/* How often each value occurs in the whole table. */
static covey_status count_values(covey_histogram *prior, const covey_preparing *s, const covey_column *column, covey_arena *arena, covey_error *err)
{
    size_t c = 0;

    if (!s->count)
        return covey_i_histogram_of(prior, column, arena, err);
    while (s->p->column[c] != column)
        c++;
    COVEY_TRY(covey_i_histogram_new(prior, column->n_values, arena, err));
    for (int64_t i = 0; i < column->n_rows; i++)
        covey_i_histogram_add(prior, covey_i_code(column, i), s->count[c][i]);
    return COVEY_OK;
}

/* The view of one sensitive attribute, or of all together; made when the first promise needs it. */
static covey_status find_view(int *out, covey_preparing *s, const covey_field *field, bool joint, covey_error *err)
{
    covey_promises *promises = &s->p->problem.promises;
    covey_view *view;
    covey_histogram *prior;

    for (size_t v = 0; v < promises->n_views; v++)
        if (promises->view[v].joint == joint && (joint || promises->view[v].column == field->column)) {
            *out = (int)v;
            return COVEY_OK;
        }
    view = &promises->view[promises->n_views];
    if (!(prior = covey_arena_array_zero(&s->p->arena, covey_histogram, 1)))
        return no_memory(err);
    if (joint) {
        const covey_column **column = covey_arena_array(&s->p->arena, const covey_column *, s->p->problem.n_fields);
        size_t n = 0;

        if (!column)
            return no_memory(err);
        for (size_t f = 0; f < s->p->problem.n_fields; f++)
            if (s->p->problem.field[f].role == COVEY_ROLE_SENSITIVE)
                column[n++] = s->p->problem.field[f].column;
        COVEY_TRY(covey_i_join_columns(&s->p->joint, column, n, err));
        *view = (covey_view){.name = "joint", .column = s->p->joint, .joint = true};
    } else {
        *view = (covey_view){.name = field->column->name, .column = field->column, .tree = field->tree};
        view->has_order = field->has_order || covey_column_is_number(field->column);
    }
    COVEY_TRY(count_values(prior, s, view->column, &s->p->arena, err));
    view->prior = prior;
    *out = (int)promises->n_views++;
    return COVEY_OK;
}

static covey_status bind_promise(covey_preparing *s, covey_promise *promise, const covey_wish_promise *wish, covey_error *err)
{
    const covey_problem *problem = &s->p->problem;
    const char *file = wish->line ? s->policy->path : NULL;
    const covey_field *field = NULL;
    size_t n_sensitive = 0;

    *promise = (covey_promise){.model = wish->model, .params = wish->params, .attribute = wish->attribute, .joint = wish->joint, .view = -1};
    if ((wish->model->traits & COVEY_MODEL_RANGES) && wish->attribute && (field = find_field(problem, wish->attribute)) && field->tree &&
        covey_hierarchy_is_from_data(field->tree))
        return covey_fail_at(err, COVEY_EINVAL, file, wish->line, wish->attribute, wish->column,
                             "model %s: \"%s\" is published by labels of a hierarchy that is built from the data, so that nobody could check "
                             "how much they cover; give it a hierarchy file, or say publish: range",
                             wish->model->name, wish->attribute);
    field = NULL;
    if (!(wish->model->traits & COVEY_MODEL_SENSITIVE))
        return COVEY_OK;
    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role == COVEY_ROLE_SENSITIVE) {
            n_sensitive++;
            field = &problem->field[f];
        }
    if (n_sensitive == 0)
        return covey_fail_at(err, COVEY_EINVAL, file, wish->line, NULL, wish->column,
                             "model %s needs a sensitive attribute: give a column the role sensitive", wish->model->name);
    if (!wish->joint && wish->attribute)
        field = find_field(problem, wish->attribute);
    else if (!wish->joint && n_sensitive > 1)
        return covey_fail_at(err, COVEY_EINVAL, file, wish->line, NULL, wish->column,
                             "model %s must name its attribute: there are %zu sensitive ones (or say joint: true)", wish->model->name, n_sensitive);
    if (!field || field->role != COVEY_ROLE_SENSITIVE)
        return covey_fail_at(err, COVEY_EINVAL, file, wish->line, wish->attribute, wish->column,
                             "model %s: \"%s\" is not a sensitive attribute of this policy", wish->model->name, wish->attribute);
    return find_view(&promise->view, s, field, wish->joint && n_sensitive > 1, err);
}

static covey_status make_promises(covey_preparing *s, covey_error *err)
{
    covey_problem *problem = &s->p->problem;
    covey_promises *promises = &problem->promises;
    const covey_column **quasi = covey_arena_array(&s->p->arena, const covey_column *, problem->n_axes);
    int64_t *width = covey_arena_array(&s->p->arena, int64_t, problem->n_axes);
    const covey_policy *policy = s->policy;

    promises->promise = covey_arena_array_zero(&s->p->arena, covey_promise, policy->n_promises);
    promises->view = covey_arena_array_zero(&s->p->arena, covey_view, policy->n_promises);
    if (!quasi || !width || !promises->promise || !promises->view)
        return no_memory(err);
    for (size_t a = 0; a < problem->n_axes; a++) {
        quasi[a] = problem->axis[a].column;
        width[a] = problem->axis[a].kind == COVEY_AXIS_RANGE ? problem->axis[a].domain_high - problem->axis[a].domain_low : -1;
    }
    promises->quasi = quasi;
    promises->quasi_width = width;
    promises->n_quasi = problem->n_axes;
    promises->min_size = 1;
    for (size_t i = 0; i < policy->n_promises; i++) {
        COVEY_TRY(bind_promise(s, &promises->promise[i], &policy->promise[i], err));
        promises->n++;
    }
    return covey_i_promises_prepare(promises, &s->p->arena, err);
}

void covey_i_preparing_csv(covey_csv_options *options, covey_preparing *s)
{
    *options = (covey_csv_options)COVEY_CSV_OPTIONS_INIT;
    options->delimiter = s->policy->delimiter;
    options->null = s->policy->null;
    options->n_null = s->policy->n_null;
    options->trim = s->policy->trim;
    options->keep = covey_i_preparing_keep;
    options->context = s;
}

static covey_status read_table(covey_preparing *s, covey_error *err)
{
    covey_csv_options options;

    covey_i_preparing_csv(&options, s);
    if (!(s->found = covey_arena_array_zero(&s->p->arena, bool, s->policy->n_attributes)))
        return no_memory(err);
    COVEY_TRY(covey_table_read(&s->p->table, s->policy->input_source, &options, s->run, err));
    if (covey_table_n_rows(s->p->table) == 0)
        return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, 1, NULL, 0, "there is a header, but not a single row: nothing to publish");
    return covey_i_preparing_columns(s, err);
}

covey_status covey_i_preparing_columns(covey_preparing *s, covey_error *err)
{
    s->p->n_columns = covey_table_n_columns(s->p->table);
    s->p->column = covey_arena_array_zero(&s->p->arena, covey_column *, s->p->n_columns);
    s->p->tree = covey_arena_array_zero(&s->p->arena, covey_hierarchy *, s->p->n_columns);
    s->wish = covey_arena_array_zero(&s->p->arena, const covey_wish_attribute *, s->p->n_columns);
    s->role = covey_arena_array_zero(&s->p->arena, covey_role, s->p->n_columns);
    return s->p->column && s->p->tree && s->wish && s->role ? find_wishes(s, err) : no_memory(err);
}

static covey_status prepare_columns(covey_preparing *s, covey_error *err)
{
    covey_status status;
    int64_t *kept = NULL, n_kept = 0;

    if ((status = covey_i_preparing_kept_rows(&kept, &n_kept, s, err)) != COVEY_OK)
        goto done;
    if (n_kept == 0) {
        status = covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, 0, NULL, 0, "every row has a missing value and was dropped: nothing to publish");
        goto done;
    }
    for (size_t c = 0; c < s->p->n_columns; c++)
        if ((status = prepare_column(s, c, kept, n_kept, err)) != COVEY_OK)
            goto done;
    s->p->problem.n_rows = (uint32_t)n_kept;
    s->p->problem.max_suppressed = covey_ratio_floor_of(s->policy->suppression_limit, n_kept);
    covey_table_free(s->p->table); /* the raw columns; the typed ones live on */
    s->p->table = NULL;
done:
    covey_i_free(kept);
    return status;
}

covey_status covey_i_preparing_finish(covey_preparing *s, covey_column *const *values, int64_t n_rows, covey_error *err)
{
    for (size_t c = 0; c < s->p->n_columns; c++) {
        const covey_status status = type_column(s, c, values[c], err);

        if (status != COVEY_OK && err && err->row > 0 && !*err->file)
            snprintf(err->file, sizeof err->file, "%s", s->policy->input_path);
        if (status != COVEY_OK)
            return status;
    }
    s->p->problem.n_rows = (uint32_t)n_rows;
    s->p->problem.max_suppressed = covey_ratio_floor_of(s->policy->suppression_limit, n_rows);
    COVEY_TRY(make_fields(s, err));
    return make_promises(s, err);
}

covey_status covey_i_prepare(covey_prepared *out, const covey_policy *policy, const covey_run *run, covey_error *err)
{
    covey_preparing s = {.p = out, .policy = policy, .run = run};
    covey_status status;
    double begin = covey_i_seconds();

    memset(out, 0, sizeof *out);
    if (!policy->is_checked)
        return covey_fail(err, COVEY_EINVAL, "the policy has not been checked (covey_policy_check)");
    if ((status = read_table(&s, err)) != COVEY_OK || (status = prepare_columns(&s, err)) != COVEY_OK || (status = make_fields(&s, err)) != COVEY_OK)
        goto failed;
    out->seconds_read = covey_i_seconds() - begin;
    if ((status = make_promises(&s, err)) != COVEY_OK || (status = covey_i_group_rows(out, policy, run, err)) != COVEY_OK)
        goto failed;
    return COVEY_OK;
failed:
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
    covey_table_free(p->table);
    covey_arena_free(&p->arena);
    memset(p, 0, sizeof *p);
}
