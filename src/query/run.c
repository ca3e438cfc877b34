/* Answers a query: parses it, has its columns found (bind.c), asks the release's form, and puts the answers into words.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "query/query_impl.h"
#include "query/run.h"
#include "table/table_impl.h"

/* The result while it grows. */
struct covey_query_sink {
    const covey_query_release *release;
    const covey_bound_query *query;
    covey_query_group *group;
    size_t n_groups, room;
    bool *has_labels;   /* [n_keys] keys of the column are labels that stand for several values */
    covey_arena *arena; /* of the result */
};

struct owned_result {
    covey_query_result result; /* first */
    covey_arena arena;
};

/* --- answers --- */

static double midpoint(const covey_query_answer *answer)
{
    return answer->lower.exists && answer->upper.exists ? answer->lower.value / 2 + answer->upper.value / 2 : NAN;
}

/* Are the column's values numbers or dates, one and all?  A leaf like 90+ is none. */
static bool are_keys_numbers(const covey_query_column *column)
{
    for (uint32_t i = 0; i < column->n_items; i++)
        if (!column->is_number || (!column->item[i].has_number && !column->item[i].is_null))
            return false;
    return true;
}

static covey_status write_key(const char **out, const covey_query_column *column, const covey_query_value *value,
                              covey_arena *arena, covey_error *err)
{
    char number[64];

    *out = NULL;
    if (value->is_null)
        return COVEY_OK;
    if (are_keys_numbers(column))
        covey_i_typing_format_number(number, sizeof number, column->type,
                                     column->n_items == 0 ? value->number : column->item[value->item].number,
                                     column->scale);
    *out = covey_arena_strdup(arena, are_keys_numbers(column) ? number : column->item[value->item].label);
    return *out ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status enter_key(covey_query_sink *sink, const char **out, size_t k, const covey_query_value *value,
                              covey_error *err)
{
    const covey_query_column *column = &sink->release->column[sink->query->key[k]];

    COVEY_TRY(write_key(out, column, value, sink->arena, err));
    sink->has_labels[k] |= *out && column->n_items > 0 && column->item[value->item].is_open;
    return COVEY_OK;
}

static covey_status make_room(covey_query_sink *sink, covey_error *err)
{
    size_t room = sink->room ? 2 * sink->room : 1;
    covey_query_group *grown;

    if (sink->n_groups < sink->room)
        return COVEY_OK;
    if (!(grown = covey_arena_array(sink->arena, covey_query_group, room)))
        return covey_i_no_memory(err);
    if (sink->n_groups)
        memcpy(grown, sink->group, sink->n_groups * sizeof *grown);
    sink->group = grown;
    sink->room = room;
    return COVEY_OK;
}

/* An expected value lies within bounds of the same values; its double may not, as where numbers of 18 digits cancel
 * out.  What is computed back from a randomization, which has an interval, may lie anywhere. */
static double estimate_within(const covey_query_figures *figures, const covey_query_answer *answer)
{
    double estimate = figures->estimate;

    if (isnan(estimate) || figures->interval.exists)
        return estimate;
    if (answer->lower.exists)
        estimate = fmax(estimate, answer->lower.value);
    return answer->upper.exists ? fmin(estimate, answer->upper.value) : estimate;
}

covey_status covey_i_query_emit(covey_query_sink *sink, const covey_query_value *value, int64_t hits_lower,
                                int64_t hits_upper, const covey_query_figures *figures, covey_error *err)
{
    const covey_bound_query *query = sink->query;
    covey_query_answer *answer = covey_arena_array(sink->arena, covey_query_answer, query->n_aggregates);
    const char **key = covey_arena_array(sink->arena, const char *, query->n_keys);

    if (!answer || !key)
        return covey_i_no_memory(err);
    COVEY_TRY(make_room(sink, err));
    for (size_t k = 0; k < query->n_keys; k++)
        COVEY_TRY(enter_key(sink, &key[k], k, &value[k], err));
    for (size_t i = 0; i < query->n_aggregates; i++) {
        const covey_bound_aggregate *a = &query->aggregate[i];

        answer[i] = (covey_query_answer){.aggregate = a->text,
                                         .is_date = a->is_date,
                                         .standard_error = a->is_date ? NAN : figures[i].standard_error};
        answer[i].interval = figures[i].interval;
        covey_i_query_bound(&answer[i].lower, &figures[i].lower, a->scale, a->is_date, false);
        covey_i_query_bound(&answer[i].upper, &figures[i].upper, a->scale, a->is_date, true);
        answer[i].estimate = a->is_date ? NAN : estimate_within(&figures[i], &answer[i]);
        answer[i].has_midpoint = sink->release->form->gives_midpoint && !a->is_date;
        answer[i].midpoint = answer[i].has_midpoint ? midpoint(&answer[i]) : NAN;
    }
    sink->group[sink->n_groups++] = (covey_query_group){key, answer, hits_lower, hits_upper};
    return COVEY_OK;
}

static covey_status describe_keys(covey_query_result *out, const covey_query_release *release,
                                  const covey_bound_query *query, covey_arena *arena, covey_error *err)
{
    const char **name = covey_arena_array(arena, const char *, query->n_keys);
    bool *is_number = covey_arena_array(arena, bool, query->n_keys);

    if (!name || !is_number)
        return covey_i_no_memory(err);
    for (size_t k = 0; k < query->n_keys; k++) {
        const covey_query_column *column = &release->column[query->key[k]];

        if (!(name[k] = covey_arena_strdup(arena, column->name)))
            return covey_i_no_memory(err);
        is_number[k] = are_keys_numbers(column) && column->type != COVEY_TYPE_DATE;
    }
    out->is_grouped = query->n_keys > 0;
    out->n_keys = query->n_keys;
    out->key_name = name;
    out->key_is_number = is_number;
    out->n_answers = query->n_aggregates;
    return COVEY_OK;
}

/* --- what keys and estimates mean --- */

static covey_status add_note(covey_query_result *out, const char **note, const covey_query_sink *sink,
                             const char *column, const char *words, covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_format(&text, "%s: %s", column, words);
    note[out->n_notes] = covey_i_text_keep(&text, sink->arena);
    return note[out->n_notes++] ? COVEY_OK : covey_i_no_memory(err);
}

static bool has_unnamed(const covey_query_column *column)
{
    for (uint32_t i = 0; i < column->text->n_values; i++)
        if (column->cell[i].has_other)
            return true;
    return false;
}

/* Values in conditions that nothing in the release is called: an answer of 0 should not come without a hint. */
static covey_status explain_unknown(covey_query_result *out, const covey_query_sink *sink,
                                    const covey_condition *condition, covey_error *err)
{
    for (const covey_unknown_value *unknown = condition->unknown; unknown; unknown = unknown->next) {
        covey_text words = COVEY_TEXT_INIT;
        covey_status status;

        covey_i_text_add_format(&words, "no published value or label is \"%s\"", unknown->text);
        if (unknown->nearest)
            covey_i_text_add_format(&words, "; did you mean \"%s\"?", unknown->nearest);
        status = words.broken ? covey_i_no_memory(err)
                              : add_note(out, (const char **)out->note, sink, unknown->column, words.bytes, err);
        covey_i_text_free(&words);
        COVEY_TRY(status);
    }
    return COVEY_OK;
}

/* Is it uncertain of an answer how many units there are? */
static bool estimates(const covey_query_sink *sink, size_t answer)
{
    for (size_t g = 0; g < sink->n_groups; g++) {
        const covey_query_answer *a = &sink->group[g].answer[answer];

        if (!a->lower.exists || !a->upper.exists || a->lower.value != a->upper.value)
            return true;
    }
    return false;
}

/* Who sees an estimate of units should know which way it errs: no error is derived. */
static covey_status explain_units(covey_query_result *out, const covey_query_sink *sink, const covey_bound_query *query,
                                  covey_error *err)
{
    for (size_t a = 0; a < query->n_aggregates; a++)
        if (query->aggregate[a].function == COVEY_SQL_COUNT_DISTINCT && estimates(sink, a))
            return add_note(out, (const char **)out->note, sink, query->aggregate[a].text,
                            "the estimate takes any row of a class to be anybody's: it is too high where rows that "
                            "belong together are alike, and too low where they differ",
                            err);
    return COVEY_OK;
}

static covey_status explain(covey_query_result *out, const covey_query_sink *sink, const covey_bound_query *query,
                            covey_error *err)
{
    size_t most = 2 * query->n_keys + 1;
    const char **note;

    for (const covey_unknown_value *unknown = query->condition.unknown; unknown; unknown = unknown->next)
        most++;
    if (!(note = covey_arena_array(sink->arena, const char *, most)))
        return covey_i_no_memory(err);
    out->note = note;
    COVEY_TRY(explain_unknown(out, sink, &query->condition, err));
    COVEY_TRY(explain_units(out, sink, query, err));
    for (size_t k = 0; k < query->n_keys; k++) {
        const covey_query_column *column = &sink->release->column[query->key[k]];

        if (sink->has_labels[k])
            COVEY_TRY(add_note(
                out, note, sink, column->name,
                "a label as a key stands for those of its values that no narrower key stands for, so that a row "
                "is in one group only",
                err));
        if (has_unnamed(column))
            COVEY_TRY(add_note(
                out, note, sink, column->name,
                "rows whose cell is * may have a value that the release does not name, and are then in no group", err));
    }
    return COVEY_OK;
}

static covey_status take_options(covey_bound_query *query, const covey_query_release *release,
                                 const covey_query_options *options, covey_error *err)
{
    query->shrink = options && options->shrink;
    if (query->shrink && !release->form->can_shrink)
        return covey_fail(err, COVEY_EINVAL,
                          "estimates are shrunk over perturbed releases only, and this one is %s: leave out --shrink",
                          release->form->name);
    return COVEY_OK;
}

static covey_status answer(struct owned_result *out, const covey_query_release *release, const char *sql,
                           const covey_query_options *options, covey_query_exchange *exchange, const covey_run *run,
                           covey_arena *arena, covey_error *err)
{
    covey_bound_query query;
    covey_query_sink sink = {.release = release, .query = &query, .arena = &out->arena};
    covey_sql_query *parsed;

    COVEY_TRY(covey_i_sql_parse(&parsed, sql, arena, err));
    COVEY_TRY(covey_i_query_bind(&query, release, parsed, exchange, &out->arena, arena, err));
    COVEY_TRY(take_options(&query, release, options, err));
    COVEY_TRY(describe_keys(&out->result, release, &query, &out->arena, err));
    if (!(sink.has_labels = covey_arena_array_zero(arena, bool, query.n_keys)))
        return covey_i_no_memory(err);
    COVEY_TRY(release->form->answer(&sink, release, &query, run, arena, err));
    COVEY_TRY(explain(&out->result, &sink, &query, err));
    out->result.group = sink.group;
    out->result.n_groups = sink.n_groups;
    return COVEY_OK;
}

static covey_status run_in(covey_query_result **out, const covey_query_release *release, const char *sql,
                           const covey_query_options *options, covey_query_exchange *exchange, const covey_run *run,
                           covey_arena *arena, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    struct owned_result *made = covey_i_array_zero(1, sizeof *made);
    covey_status status;

    if (!made)
        return covey_i_no_memory(err);
    made->result.memory = made;
    status = answer(made, release, sql, options, exchange, run, arena, err);
    covey_arena_rewind(arena, mark);
    if (status != COVEY_OK) {
        covey_query_result_free(&made->result);
        return status;
    }
    *out = &made->result;
    return COVEY_OK;
}

covey_status covey_i_query_run_in(covey_query_result **out, const covey_query_release *release, const char *sql,
                                  const covey_query_options *options, const covey_run *run, covey_arena *arena,
                                  covey_error *err)
{
    return run_in(out, release, sql, options, NULL, run, arena, err);
}

covey_status covey_i_query_run_exchange(covey_query_result **out, const covey_query_release *release, const char *sql,
                                        covey_query_exchange *exchange, const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;

    if (!release->form->adds_up)
        return covey_fail(err, COVEY_EINVAL,
                          "query: answers over %s releases do not follow from those over pieces of them",
                          release->form->name);
    status = run_in(out, release, sql, NULL, exchange, run, &arena, err);
    covey_arena_free(&arena);
    return status;
}

covey_status covey_query_run_with(covey_query_result **out, const covey_query_release *release, const char *sql,
                                  const covey_query_options *options, const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_status status = covey_i_query_run_in(out, release, sql, options, run, &arena, err);

    covey_arena_free(&arena);
    return status;
}

covey_status covey_query_run(covey_query_result **out, const covey_query_release *release, const char *sql,
                             const covey_run *run, covey_error *err)
{
    return covey_query_run_with(out, release, sql, NULL, run, err);
}

void covey_query_result_free(covey_query_result *result)
{
    struct owned_result *owned = result ? result->memory : NULL;

    if (!owned)
        return;
    covey_arena_free(&owned->arena);
    covey_i_free(owned);
}
