/* Columns that are not what the policy takes them for: texts that are numbers or dates to whoever reads them, and
 * values that name people because hardly one of them repeats. */
#include "job/preparing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "method/method_impl.h"
#include "release/release_impl.h"
#include "table/recoding/recoding.h"
#include "table/table_impl.h"

void covey_i_preparing_warn(const covey_preparing *s, const char *message)
{
    if (*message && s->held)
        covey_i_text_add(s->held, message, strlen(message) + 1);
    else if (*message && s->run && s->run->warn)
        s->run->warn(s->run->context, message);
}

/* Texts that are numbers or dates to whoever reads them: taken for texts, each would be a category of its own, and
 * published in sets of exact values. */
covey_status covey_i_preparing_check_form(const covey_preparing *s, size_t c, const covey_column *texts,
                                          const covey_wish_attribute *wish, covey_error *err)
{
    covey_recoding_guess guess;

    if (wish->type != COVEY_TYPE_GUESS || wish->order || wish->hierarchy.kind == COVEY_HIERARCHY_FILE ||
        wish->hierarchy.kind == COVEY_HIERARCHY_MASK ||
        (s->role[c] != COVEY_ROLE_QUASI && s->role[c] != COVEY_ROLE_SENSITIVE))
        return COVEY_OK;
    covey_i_recoding_guess(&guess, texts);
    if (guess.other_decimal)
        return covey_fail_at(err, COVEY_EINVAL, s->policy->input_path, 0, texts->name, 0,
                             "column \"%s\" looks like numbers, and no value tells whether a comma or a point stands "
                             "before decimal places: say `decimal: \",\"` or `decimal: \".\"` at the attribute, or "
                             "declare `type: text`",
                             texts->name);
    if (guess.decimal)
        return covey_fail_at(err, COVEY_EINVAL, s->policy->input_path, 0, texts->name, 0,
                             "column \"%s\" looks like numbers with %s: say `decimal: \"%c\"` under input, or "
                             "declare `type: text` if they are none",
                             texts->name, guess.decimal == ',' ? "a decimal comma" : "marks between thousands",
                             guess.decimal);
    if (guess.date_format && guess.other)
        return covey_fail_at(err, COVEY_EINVAL, s->policy->input_path, 0, texts->name, 0,
                             "column \"%s\" looks like dates, and no value tells which is the day and which the month: "
                             "say `date-format: %s` or `date-format: %s` at the attribute, or declare `type: text`",
                             texts->name, guess.date_format, guess.other);
    if (guess.date_format)
        return covey_fail_at(err, COVEY_EINVAL, s->policy->input_path, 0, texts->name, 0,
                             "column \"%s\" looks like dates: say `date-format: %s` at the attribute, or declare "
                             "`type: text` if they are none",
                             texts->name, guess.date_format);
    return COVEY_OK;
}

enum { FEW_ROWS = 20, WARN_PERCENT = 50, REFUSE_PERCENT = 95 };

/* Rows whose value no other row has, and all rows that have one.  typed has a row for each of rows, or for each of its
 * values, which then stands for as many rows as have it. */
static covey_status count_unique(int64_t *n_unique, int64_t *n_rows, const covey_preparing *s, size_t c,
                                 const covey_column *typed, const covey_column *rows, covey_error *err)
{
    const bool is_of_values = !s->count && typed->n_rows != rows->n_rows;
    int64_t *per_value = covey_i_array_zero(is_of_values ? rows->n_values : 0, sizeof *per_value);
    int64_t *count = covey_i_array_zero(typed->n_values, sizeof *count);
    const int64_t *weight = s->count ? s->count[c] : is_of_values ? per_value : NULL;

    *n_unique = *n_rows = 0;
    if (!per_value || !count) {
        covey_i_free(per_value);
        covey_i_free(count);
        return covey_i_no_memory(err);
    }
    for (int64_t row = 0; row < rows->n_rows && is_of_values; row++)
        per_value[covey_column_code(rows, row)]++;
    for (int64_t row = 0; row < typed->n_rows; row++)
        count[covey_column_code(typed, row)] += weight ? weight[row] : 1;
    for (uint32_t v = typed->has_null; v < typed->n_values; v++) {
        *n_unique += count[v] == 1;
        *n_rows += count[v];
    }
    covey_i_free(per_value);
    covey_i_free(count);
    return COVEY_OK;
}

/* What is published as it is must not be a name for everybody. */
static covey_status check_insensitive(const covey_preparing *s, const covey_wish_attribute *wish, const char *name,
                                      int64_t n_unique, int64_t n_rows, covey_error *err)
{
    const char *remedy = wish->role == COVEY_ROLE_WEIGHT
                             ? "round it (recode: {round: 10}), or leave out `publish: value`: then it is dropped, and "
                               "serves risks alone"
                             : "make it an identifier, which is dropped, or a quasi-identifier, which is generalized";
    char message[512];

    if (wish->may_be_unique || n_unique * 100 < n_rows * WARN_PERCENT)
        return COVEY_OK;
    if (n_unique * 100 >= n_rows * REFUSE_PERCENT)
        return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, name, wish->column,
                             "column \"%s\" would be published as it is, but %" PRId64 " of %" PRId64
                             " rows have a value in it that no other row has: whoever knows it finds them; %s, or say "
                             "`unique: allowed` at the attribute",
                             name, n_unique, n_rows, remedy);
    snprintf(message, sizeof message,
             "column \"%.120s\" is published as it is, and %" PRId64 " of %" PRId64
             " rows have a value in it that no other row has: whoever knows it finds them; %s",
             name, n_unique, n_rows, remedy);
    covey_i_preparing_warn(s, message);
    return COVEY_OK;
}

/* Columns whose values hardly repeat: published as they are they name people, and a text without a hierarchy can only
 * be published in sets of exact values. */
covey_status covey_i_preparing_check_unique(const covey_preparing *s, size_t c, const covey_column *typed,
                                            const covey_column *rows, const covey_wish_attribute *wish,
                                            covey_error *err)
{
    const covey_method *method = s->policy->method.method;
    const bool is_exact = method && covey_i_form_find(method->form)->is_exact;
    const bool is_set =
        s->role[c] == COVEY_ROLE_QUASI && typed->type == COVEY_TYPE_TEXT && !s->p->tree[c] && !wish->order && !is_exact;
    int64_t n_unique, n_rows;
    char message[512];

    if (s->role[c] != COVEY_ROLE_INSENSITIVE && !is_set)
        return COVEY_OK;
    COVEY_TRY(count_unique(&n_unique, &n_rows, s, c, typed, rows, err));
    if (n_rows < FEW_ROWS)
        return COVEY_OK;
    if (!is_set)
        return check_insensitive(s, wish, typed->name, n_unique, n_rows, err);
    if (n_unique * 100 < n_rows * WARN_PERCENT)
        return COVEY_OK;
    snprintf(message, sizeof message,
             "the quasi-identifier \"%.120s\" is a text without a hierarchy, and %" PRId64 " of %" PRId64
             " rows have a value of their own in it: it is published in sets of exact values; give it a hierarchy (a "
             "file, or {mask: 5} for codes), or make it an identifier",
             typed->name, n_unique, n_rows);
    covey_i_preparing_warn(s, message);
    return COVEY_OK;
}
