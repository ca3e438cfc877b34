/* The table's columns as the problem sees them: without the rows that miss what they must have, typed, in the order of
 * their hierarchies. */
#include "job/preparing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "base/text.h"
#include "base/threads.h"
#include "hierarchy/hierarchy_impl.h"
#include "policy/blame.h"
#include "policy/entity.h"
#include "table/recoding/recoding.h"
#include "table/table_impl.h"

/* Marks rows whose cell is missing in a column; complains about the first where the policy wants that. */
static covey_status mark_missing(bool *drop, const covey_preparing *s, const covey_column *column,
                                 covey_missing treatment, const char *what, const char *key, covey_error *err)
{
    if (!column->has_null || treatment == COVEY_MISSING_VALUE)
        return COVEY_OK;
    for (int64_t row = 0; row < column->n_rows; row++)
        if (covey_column_code(column, row) == 0) {
            if (treatment == COVEY_MISSING_ERROR)
                return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, covey_column_line(column, row),
                                     column->name, 0,
                                     "column \"%s\": the %s value is missing; say input: {%s: drop} to leave such rows "
                                     "out, or value to let it "
                                     "be a value of its own",
                                     column->name, what, key);
            drop[row] = true;
        }
    return COVEY_OK;
}

/* Is a row dropped while others of its unit stay? */
static covey_status find_torn(covey_preparing *s, const bool *drop, covey_error *err)
{
    const covey_wish_attribute *entity = covey_i_policy_entity(s->policy);
    const int at = entity ? covey_table_find(s->p->table, entity->within ? entity->within : entity->name) : -1;
    const covey_column *unit = at < 0 ? NULL : covey_table_column(s->p->table, (size_t)at);
    bool *stays;

    if (!unit)
        return COVEY_OK;
    if (!(stays = covey_i_array_zero(unit->n_values, sizeof *stays)))
        return covey_i_no_memory(err);
    for (int64_t row = 0; row < unit->n_rows; row++)
        stays[covey_column_code(unit, row)] |= !drop[row];
    if (unit->has_null) /* each such row is a unit of its own */
        stays[0] = false;
    for (int64_t row = 0; row < unit->n_rows && s->p->torn_line == 0; row++)
        if (drop[row] && stays[covey_column_code(unit, row)]) {
            s->p->torn_line = covey_column_line(unit, row);
            s->p->torn_word = covey_i_lines_word(unit);
        }
    covey_i_free(stays);
    return COVEY_OK;
}

/* Rows that stay: NULL if all do. */
covey_status covey_i_preparing_kept_rows(int64_t **kept, int64_t *n_kept, covey_preparing *s, covey_error *err)
{
    const covey_policy *policy = s->policy;
    covey_missing sensitive =
        policy->missing_sensitive == COVEY_MISSING_DEFAULT ? COVEY_MISSING_ERROR : policy->missing_sensitive;
    covey_missing quasi = policy->missing_quasi == COVEY_MISSING_DEFAULT ? COVEY_MISSING_VALUE : policy->missing_quasi;
    int64_t n_rows = covey_table_n_rows(s->p->table), n = 0;
    covey_status status = COVEY_OK;
    bool *drop, any = false;

    *kept = NULL;
    *n_kept = n_rows;
    for (size_t c = 0; c < s->p->n_columns; c++)
        any |= covey_table_column(s->p->table, c)->has_null;
    if (!any)
        return COVEY_OK;
    if (!(drop = covey_i_array_zero((size_t)n_rows, sizeof *drop)))
        return covey_i_no_memory(err);
    for (size_t c = 0; c < s->p->n_columns && status == COVEY_OK; c++) {
        const covey_column *column = covey_table_column(s->p->table, c);

        if (s->role[c] == COVEY_ROLE_SENSITIVE)
            status = mark_missing(drop, s, column, sensitive, "sensitive", "missing-sensitive", err);
        else if (s->role[c] == COVEY_ROLE_QUASI)
            status = mark_missing(drop, s, column, quasi, "quasi-identifier's", "missing-quasi", err);
    }
    for (int64_t row = 0; row < n_rows; row++)
        n += !drop[row];
    if (status == COVEY_OK && n < n_rows)
        status = find_torn(s, drop, err);
    if (status == COVEY_OK && n < n_rows) {
        if (!(*kept = covey_i_array((size_t)n, sizeof **kept)))
            status = covey_i_no_memory(err);
        for (int64_t row = 0, at = 0; status == COVEY_OK && row < n_rows; row++)
            if (!drop[row])
                (*kept)[at++] = row;
    }
    *n_kept = n;
    s->p->n_dropped += n_rows - n;
    covey_i_free(drop);
    return status;
}

/* Does a promise compare this sensitive attribute with the whole table, or hide its values in subtrees?  Only then can
 * its hierarchy matter. */
static bool is_compared(const covey_preparing *s, const char *name)
{
    for (size_t i = 0; i < s->policy->n_promises; i++) {
        const covey_wish_promise *promise = &s->policy->promise[i];

        if ((promise->model->traits & (COVEY_MODEL_PRIOR | COVEY_MODEL_TARGET)) && !promise->joint &&
            (!promise->attribute || strcmp(promise->attribute, name) == 0))
            return true;
    }
    return false;
}

/* Distances along an order and along a tree both go by the codes: a declared order must be one in which the tree can be
 * drawn. */
static covey_status check_order(const covey_preparing *s, const covey_column *aligned, const covey_wish_attribute *wish,
                                covey_error *err)
{
    uint32_t last = 0;

    for (size_t i = 0; i < wish->n_order; i++) {
        uint32_t code = aligned->has_null ? 1 : 0;

        while (code < aligned->n_values && strcmp(covey_column_label(aligned, code), wish->order[i]) != 0)
            code++;
        if (code == aligned->n_values) /* nobody has it, and the tree does not know it */
            continue;
        if (code < last)
            return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name,
                                 wish->column,
                                 "the order of \"%s\" jumps between branches of its hierarchy, back at \"%s\": order "
                                 "the values branch by branch, or "
                                 "leave out the one of the two that no promise needs",
                                 wish->name, wish->order[i]);
        last = code;
    }
    return COVEY_OK;
}

/* A leaf whose text means "missing" is no value's: the cells go by "null", under the root. */
static void warn_of_null_leaf(covey_preparing *s, size_t c, const covey_wish_attribute *wish)
{
    const covey_hierarchy *tree = s->p->tree[c];
    char message[512];

    for (uint32_t leaf = 0; leaf < covey_hierarchy_n_leaves(tree) && wish->hierarchy.kind == COVEY_HIERARCHY_FILE;
         leaf++)
        for (size_t i = 0; i < s->policy->n_null; i++) {
            const char *label = covey_hierarchy_label(tree, covey_hierarchy_leaf_node(tree, leaf));

            if (strcmp(label, s->policy->null[i]) != 0 || strcmp(label, "null") == 0)
                continue;
            snprintf(message, sizeof message,
                     "the hierarchy of \"%.120s\" lists \"%.60s\", which `null` names as missing: such cells are "
                     "\"null\", under the root; call the leaf null, or take \"%.60s\" out of `null`",
                     wish->name, label, label);
            covey_i_preparing_warn(s, message);
        }
}

/* Values that `missing-leaf: root` puts under the root must not be taken for others where a release shows their labels.
 */
static covey_status check_added(const covey_preparing *s, size_t c, const covey_wish_attribute *wish, covey_error *err)
{
    const covey_hierarchy *tree = s->p->tree[c];
    const char *label = covey_i_raw_label(&tree->raw, tree->added_namesake);
    char shown[COVEY_CSV_SHOWN];

    if (!tree->from_data || tree->kind != COVEY_HIERARCHY_FILE ||
        (tree->added_namesake == 0 && covey_i_hierarchy_find_cell(tree, label) == 0))
        return COVEY_OK;
    covey_i_csv_shown(shown, label, strlen(label));
    if (tree->added_namesake == 0)
        return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name,
                             wish->column,
                             "column \"%s\": beside `missing-leaf` the root of a hierarchy cannot be called like a "
                             "value, \"%s\": call it *",
                             wish->name, shown);
    return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name, wish->column,
                         "column \"%s\": \"%s\" is a label of its hierarchy for other values, and has no line of its "
                         "own: add a line that begins with it, or change these cells",
                         wish->name, shown);
}

/* Builds the column's hierarchy and gives it the codes of the leaves.  One that no promise asks for is only checked. */
static covey_status add_hierarchy(covey_column **typed, covey_preparing *s, size_t c, const covey_wish_attribute *wish,
                                  covey_error *err)
{
    covey_hierarchy_spec spec = wish->hierarchy;
    covey_column *aligned = NULL;
    char note[256] = "", message[512];

    spec.is_declared = wish->n_order > 0;
    spec.by_code = wish->n_order > 0 && s->role[c] == COVEY_ROLE_SENSITIVE;
    COVEY_TRY(covey_i_policy_blame_hierarchy(s->policy, wish,
                                             covey_hierarchy_build(&s->p->tree[c], &spec, *typed, note, err), err));
    covey_i_preparing_warn(s, note);
    warn_of_null_leaf(s, c, wish);
    COVEY_TRY(check_added(s, c, wish, err));
    if (s->role[c] == COVEY_ROLE_SENSITIVE && !is_compared(s, wish->name)) {
        snprintf(message, sizeof message,
                 "the hierarchy of \"%s\" does nothing: no promise asks how far its values are from each other",
                 wish->name);
        covey_i_preparing_warn(s, message);
        covey_hierarchy_free(s->p->tree[c]);
        s->p->tree[c] = NULL;
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_policy_blame_hierarchy(s->policy, wish,
                                             covey_i_hierarchy_align(&aligned, *typed, s->p->tree[c], err), err));
    covey_i_column_free(*typed);
    *typed = aligned;
    return spec.by_code ? check_order(s, aligned, wish, err) : COVEY_OK;
}

/* Releases show missing cells as empty ones: where only other texts mean "missing", an empty cell would be taken for
 * one. */
covey_status covey_i_preparing_check_texts(const covey_preparing *s, const covey_column *raw, covey_error *err)
{
    const uint32_t first = raw->has_null ? 1 : 0;
    int64_t row = 0;

    if (first == raw->n_values || covey_column_label_size(raw, first) > 0) /* texts are sorted by bytes */
        return COVEY_OK;
    while (row < raw->n_rows && covey_column_code(raw, row) != first)
        row++;
    return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, covey_column_line(raw, row), raw->name, 0,
                         "column \"%s\": an empty cell is not among the texts that mean \"missing\", but a release "
                         "would show it so; add \"\" to "
                         "input.null",
                         raw->name);
}

/* Numbers among which a few texts stand are ordered as texts are: whoever meant numbers should know. */
static void warn_of_stray_text(const covey_preparing *s, size_t c, const covey_column *raw,
                               const covey_wish_attribute *wish)
{
    const bool may_be_number = wish->type == COVEY_TYPE_GUESS && !wish->order &&
                               wish->hierarchy.kind == COVEY_HIERARCHY_NONE &&
                               (s->role[c] == COVEY_ROLE_QUASI || s->role[c] == COVEY_ROLE_SENSITIVE);
    uint32_t n_texts = 0;
    const int64_t long_row = may_be_number ? covey_i_typing_long_number(raw) : -1,
                  odd_row = may_be_number && long_row < 0 ? covey_i_typing_odd_number(raw) : -1,
                  row = may_be_number && long_row < 0 ? covey_i_typing_stray_text(&n_texts, raw) : -1;
    char message[512];

    if (row < 0 && long_row < 0 && odd_row < 0)
        return;
    if (odd_row >= 0)
        snprintf(
            message, sizeof message,
            "column \"%.200s\" is read as text, not as numbers, because of %s %" PRId64
            ": write them with digits and a point alone (no exponent, plus sign or blank), or declare `type: text`",
            raw->name, covey_i_lines_word(raw), covey_column_line(raw, odd_row));
    else if (long_row >= 0)
        snprintf(message, sizeof message,
                 "column \"%.200s\" is read as text, not as numbers, because of %s %" PRId64
                 ", where a number has more than 18 digits: round the column, or declare `type: text`",
                 raw->name, covey_i_lines_word(raw), covey_column_line(raw, long_row));
    else if (n_texts == 1)
        snprintf(message, sizeof message,
                 "column \"%.200s\" is read as text, not as numbers, because of %s %" PRId64
                 ": correct the cell, add it to input.null, or declare `type: text`",
                 raw->name, covey_i_lines_word(raw), covey_column_line(raw, row));
    else
        snprintf(message, sizeof message,
                 "column \"%.200s\" is read as text, not as numbers, because of %" PRIu32
                 " of its different values, one of them in %s %" PRId64
                 ": correct these cells, add them to input.null, or declare `type: text`",
                 raw->name, n_texts, covey_i_lines_word(raw), covey_column_line(raw, row));
    covey_i_preparing_warn(s, message);
}

/* Texts that are numbers, but for their digits: taken for text, they would be ordered by bytes. */
static covey_status check_guess(const covey_preparing *s, size_t c, const covey_column *texts,
                                const covey_wish_attribute *wish, covey_error *err)
{
    if (wish->type != COVEY_TYPE_GUESS || wish->order ||
        (s->role[c] != COVEY_ROLE_QUASI && s->role[c] != COVEY_ROLE_SENSITIVE))
        return COVEY_OK;
    return covey_i_typing_check_digits(texts, s->policy->input_path, err);
}

covey_status covey_i_preparing_recode(covey_column **out, covey_recoding *done, covey_type *type,
                                      const covey_policy *policy, const covey_wish_attribute *wish, bool as_it_is,
                                      const covey_column *texts, const int64_t *count, covey_error *err)
{
    const bool is_asked = covey_i_recoding_has_form(&wish->recoding);
    covey_recoding recoding = wish->recoding;

    if (!is_asked && !as_it_is && !wish->order) {
        recoding.decimal = policy->recoding.decimal;
        recoding.date_format = policy->recoding.date_format;
    }
    *type = wish->type;
    if (is_asked && *type == COVEY_TYPE_GUESS)
        *type = recoding.decimal ? COVEY_TYPE_DECIMAL : COVEY_TYPE_DATE;
    COVEY_TRY(covey_i_recoding_apply(out, done, texts, count, &recoding, *type, is_asked, policy->input_path, err));
    if (recoding.rare || recoding.first)
        *type = COVEY_TYPE_TEXT;
    else if (recoding.age_at && !covey_i_recoding_is_of_numbers(&recoding))
        *type = COVEY_TYPE_INTEGER;
    else if (recoding.age_at)
        *type = COVEY_TYPE_GUESS;
    return COVEY_OK;
}

/* How many rows each value has, where the texts are values without rows; NULL: they have them. */
static covey_status count_values(const int64_t **out, int64_t **own, const covey_preparing *s, size_t c,
                                 const covey_column *texts, const covey_column *rows, covey_error *err)
{
    *out = s->count ? s->count[c] : NULL;
    if (s->count || texts == rows)
        return COVEY_OK;
    if (!(*own = covey_i_array_zero(rows->n_values, sizeof **own)))
        return covey_i_no_memory(err);
    for (int64_t row = 0; row < rows->n_rows; row++)
        (*own)[covey_column_code(rows, row)]++;
    *out = *own;
    return COVEY_OK;
}

/* A column as the problem sees it: typed, aligned with its hierarchy. */
covey_status covey_i_preparing_type(covey_preparing *s, size_t c, const covey_column *texts, const covey_column *rows,
                                    covey_error *err)
{
    static const covey_wish_attribute nothing;
    const covey_wish_attribute *wish = s->wish[c] && s->role[c] != COVEY_ROLE_ENTITY ? s->wish[c] : &nothing;
    const bool is_weight = wish->role == COVEY_ROLE_WEIGHT;
    const bool is_as_it_is = (s->role[c] == COVEY_ROLE_INSENSITIVE && !is_weight) || s->role[c] == COVEY_ROLE_ENTITY;
    covey_type type = wish->type;
    covey_column *typed = NULL, *written = NULL;
    const int64_t *count = NULL;
    int64_t *own_count = NULL;
    covey_status status;

    if (wish->recoding.rare)
        COVEY_TRY(count_values(&count, &own_count, s, c, texts, rows, err));
    status =
        covey_i_preparing_recode(&written, &s->recoding[c], &type, s->policy, wish, is_as_it_is, texts, count, err);
    covey_i_free(own_count);
    if (status != COVEY_OK)
        return status;
    if (is_weight)
        status = covey_i_preparing_check_weights(s, written, err);
    if ((type == COVEY_TYPE_GUESS && is_as_it_is) || s->role[c] == COVEY_ROLE_WEIGHT)
        type = COVEY_TYPE_TEXT; /* published as it is, letter by letter, or not at all */
    else if (type == COVEY_TYPE_GUESS && is_weight)
        type = COVEY_TYPE_DECIMAL;
    if (status == COVEY_OK)
        status =
            covey_i_typing_column_type(&typed, written, type, wish->order, wish->n_order, s->policy->input_path, err);
    if (status == COVEY_EINVAL && wish->line)
        covey_i_error_place(err, s->policy->path, wish->line, wish->column); /* of its order */
    if (status == COVEY_OK && typed->type == COVEY_TYPE_TEXT)
        status = check_guess(s, c, written, wish, err);
    if (status == COVEY_OK && typed->type == COVEY_TYPE_TEXT)
        status = covey_i_preparing_check_form(s, c, written, wish, err);
    covey_i_column_free(written);
    if (status == COVEY_OK && s->role[c] == COVEY_ROLE_QUASI && wish->has_domain && covey_column_is_number(typed) &&
        (wish->hierarchy.kind == COVEY_HIERARCHY_NONE || wish->publish_range))
        status = covey_i_preparing_align_domain(&typed, s, wish, err);
    if (status == COVEY_OK && wish->hierarchy.kind != COVEY_HIERARCHY_NONE &&
        !(wish->publish_range && covey_column_is_number(typed)) &&
        (s->role[c] == COVEY_ROLE_QUASI || s->role[c] == COVEY_ROLE_SENSITIVE))
        status = add_hierarchy(&typed, s, c, wish, err);
    if (status == COVEY_OK && typed->type == COVEY_TYPE_TEXT)
        warn_of_stray_text(s, c, rows, wish);
    if (status == COVEY_OK)
        status = covey_i_preparing_check_unique(s, c, typed, rows, wish, err);
    if (status == COVEY_OK)
        s->p->column[c] = typed;
    else
        covey_i_column_free(typed);
    return status;
}

/* --- the table --- */

/* Columns on their way: values are typed first, which takes no time, then all rows get their codes at once, on all
 * threads. */
struct rows {
    covey_preparing *s;
    const int64_t *kept;
    int64_t n_kept;
    covey_column **waiting; /* [n_columns] has the rows that s->p->column[c] still lacks; NULL: it lacks none */
};

enum { ROWS_PER_VALUE = 4 }; /* fewer: the values are no fewer than the rows, more or less */

static void tell(covey_preparing *s, const covey_text *held)
{
    for (size_t at = 0; at < held->size; at += strlen(held->bytes + at) + 1)
        covey_i_preparing_warn(s, held->bytes + at);
}

/* Types the values alone.  What is wrong with them is told by the rows that have them, so that whoever fails here looks
 * at all rows again. */
static covey_status type_values(struct rows *r, size_t c, covey_column *raw, covey_error *err)
{
    covey_preparing *s = r->s;
    covey_text held = COVEY_TEXT_INIT;
    covey_column *values = NULL;
    covey_status status;

    COVEY_TRY(covey_i_column_values(&values, raw, err));
    s->held = &held;
    status = covey_i_preparing_type(s, c, values, raw, err);
    s->held = NULL;
    if (held.broken)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK && s->p->column[c] == values) { /* texts as they are */
        covey_i_column_free(values);
        s->p->column[c] = covey_i_column_share(raw);
    } else if (status == COVEY_OK) {
        r->waiting[c] = covey_i_column_share(raw);
    }
    if (status == COVEY_OK)
        tell(s, &held);
    covey_i_text_free(&held);
    covey_i_column_free(values);
    return status;
}

/* Column c as it was read, without dropped rows. */
static covey_status prepare_column(struct rows *r, size_t c, covey_error *err)
{
    covey_preparing *s = r->s;
    covey_column *raw = s->p->table->columns[c], *picked = NULL;
    covey_status status;

    /* Before anything is made of the values: what dropped rows hold must show neither in ranges nor in labels. */
    if (r->kept) {
        COVEY_TRY(covey_i_column_pick(&picked, raw, r->kept, r->n_kept, err));
        raw = picked;
    }
    if (s->role[c] == COVEY_ROLE_ENTITY && !raw->text) { /* numbers of units, that is all */
        s->p->column[c] = covey_i_column_share(raw);
        status = COVEY_OK;
        goto done;
    }
    if ((status = covey_i_preparing_check_texts(s, raw, err)) != COVEY_OK)
        goto done;
    if (raw->n_values > raw->n_rows / ROWS_PER_VALUE) {
        status = covey_i_preparing_type(s, c, raw, raw, err);
    } else if ((status = type_values(r, c, raw, err)) != COVEY_OK && status != COVEY_ENOMEM) {
        covey_hierarchy_free(s->p->tree[c]);
        s->p->tree[c] = NULL;
        status = covey_i_preparing_type(s, c, raw, raw, err);
    }
done:
    if (status != COVEY_OK) /* a line of the table, whose name only we know */
        covey_i_error_place_line(err, s->policy->input_path);
    covey_i_column_free(picked);
    return status;
}

static covey_status spread(void *context, size_t c, covey_error *err)
{
    struct rows *r = context;

    return r->waiting[c] ? covey_i_column_spread(r->s->p->column[c], r->waiting[c], err) : COVEY_OK;
}

static covey_status prepare_columns(struct rows *r, covey_error *err)
{
    covey_prepared *p = r->s->p;

    for (size_t c = 0; c < p->n_columns; c++)
        COVEY_TRY(prepare_column(r, c, err));
    covey_table_free(p->table); /* what nobody else has of it can be changed in place */
    p->table = NULL;
    return covey_i_parallel(covey_run_threads(r->s->run), p->n_columns, spread, r, err);
}

covey_status covey_i_preparing_pick(covey_preparing *s, covey_error *err)
{
    const size_t n = s->p->n_columns;
    struct rows r = {.s = s, .waiting = covey_arena_array_zero(&s->p->arena, covey_column *, n)};
    int64_t *kept = NULL;
    covey_status status;

    if (!r.waiting)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_preparing_kept_rows(&kept, &r.n_kept, s, err));
    r.kept = kept;
    if (r.n_kept == 0)
        status = covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, 0, NULL, 0,
                               "every row has a missing value and was dropped: nothing to publish");
    else
        status = prepare_columns(&r, err);
    s->p->problem.n_rows = (uint32_t)r.n_kept;
    s->p->problem.max_suppressed = covey_ratio_floor_of(s->policy->suppression_limit, r.n_kept);
    for (size_t c = 0; c < n; c++)
        covey_i_column_free(r.waiting[c]);
    s->p->kept = kept;
    return status;
}
