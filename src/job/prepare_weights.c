/* Sampling weights: every row has one, and where they are published they may say more than they are meant to.
 *
 * Weights follow from who somebody is: where they were made by post-stratification, each cell (women of 30 to 44 in the
 * north) has its own, and whoever knows the cells reads them off the weight, whatever the class hides. */
#include "job/preparing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "method/method_impl.h"
#include "policy/entity.h"
#include "release/release_impl.h"
#include "table/table_impl.h"

static covey_status no_weight(const covey_preparing *s, const covey_column *texts, int64_t row, covey_error *err)
{
    const uint32_t code = covey_column_code(texts, row);
    const bool is_missing = texts->has_null && code == 0;

    return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, covey_column_line(texts, row), texts->name, 0,
                         "column \"%s\" has the role weight, and the row has %s%.40s%s: a sampling weight is a number "
                         "greater than 0; leave rows without one out of the table, or make the column an identifier, "
                         "which is dropped",
                         texts->name, is_missing ? "none" : "\"", is_missing ? "" : covey_column_label(texts, code),
                         is_missing ? "" : "\"");
}

covey_status covey_i_preparing_check_weights(const covey_preparing *s, const covey_column *texts, covey_error *err)
{
    bool *is_bad = covey_i_array_zero(texts->n_values, sizeof *is_bad), any = false;
    covey_status status = COVEY_OK;
    double weight;

    if (!is_bad)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < texts->n_values; v++) {
        is_bad[v] = (v == 0 && texts->has_null) || !covey_i_weight_read(&weight, covey_column_label(texts, v));
        any |= is_bad[v];
    }
    for (int64_t row = 0; any && row < texts->n_rows && status == COVEY_OK; row++)
        if (is_bad[covey_column_code(texts, row)])
            status = no_weight(s, texts, row, err);
    covey_i_free(is_bad);
    return status;
}

/* --- what published weights tell of quasi-identifiers --- */

enum { FEW_ROWS = 20, TOLD_PERCENT = 95 };

/* Rows by their weight: row[start[w]] .. row[start[w + 1] - 1] have the code w. */
struct by_weight {
    uint32_t *start, *row;
    uint32_t n;
};

static covey_status sort_by_weight(struct by_weight *out, const covey_column *weight, covey_arena *arena,
                                   covey_error *err)
{
    const uint32_t n_rows = (uint32_t)weight->n_rows;

    out->n = weight->n_values;
    out->start = covey_arena_array_zero(arena, uint32_t, (size_t)out->n + 2);
    out->row = covey_arena_array(arena, uint32_t, n_rows);
    if (!out->start || !out->row)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n_rows; row++)
        out->start[covey_i_code(weight, row) + 2]++;
    for (uint32_t w = 0; w < out->n; w++)
        out->start[w + 2] += out->start[w + 1];
    for (uint32_t row = 0; row < n_rows; row++)
        out->row[out->start[covey_i_code(weight, row) + 1]++] = row;
    return COVEY_OK;
}

/* How many rows have the value that most rows of their weight have; before: that most rows of all have. */
static void count_told(int64_t *told, int64_t *before, const struct by_weight *by, const covey_column *quasi,
                       uint32_t *count, uint32_t *total)
{
    *told = *before = 0;
    for (uint32_t w = 0; w < by->n; w++) {
        uint32_t most = 0;

        for (uint32_t i = by->start[w]; i < by->start[w + 1]; i++) {
            const uint32_t n = ++count[covey_i_code(quasi, by->row[i])];

            most = n > most ? n : most;
        }
        for (uint32_t i = by->start[w]; i < by->start[w + 1]; i++) {
            const uint32_t code = covey_i_code(quasi, by->row[i]), n = count[code];

            total[code] += n;
            count[code] = 0;
        }
        *told += most;
    }
    for (uint32_t v = 0; v < quasi->n_values; v++)
        *before = total[v] > *before ? total[v] : *before;
}

/* Nearly every value, and at least half of what guessing the commonest leaves open. */
static bool is_telling(int64_t told, int64_t before, int64_t n_rows)
{
    return told * 100 >= n_rows * TOLD_PERCENT && 2 * (told - before) >= n_rows - before && told > before;
}

static covey_status list_told(covey_text *names, const covey_preparing *s, const covey_column *weight,
                              covey_arena *arena, covey_error *err)
{
    const covey_problem *problem = &s->p->problem;
    struct by_weight by;

    COVEY_TRY(sort_by_weight(&by, weight, arena, err));
    for (size_t a = 0; a < problem->n_axes; a++) {
        const covey_column *quasi = problem->axis[a].column;
        const covey_arena_mark mark = covey_arena_save(arena);
        uint32_t *count = covey_arena_array_zero(arena, uint32_t, quasi->n_values),
                 *total = covey_arena_array_zero(arena, uint32_t, quasi->n_values);
        int64_t told, before;

        if (!count || !total)
            return covey_i_no_memory(err);
        count_told(&told, &before, &by, quasi, count, total);
        covey_arena_rewind(arena, mark);
        if (is_telling(told, before, weight->n_rows))
            covey_i_text_add_format(names, "%s\"%.80s\"", names->size ? ", " : "", quasi->name);
    }
    return names->broken ? covey_i_no_memory(err) : COVEY_OK;
}

static bool shows_quasi(const covey_policy *policy)
{
    return policy->method.method && covey_i_form_find(policy->method.method->form)->is_exact;
}

covey_status covey_i_preparing_warn_of_weights(const covey_preparing *s, covey_error *err)
{
    const covey_wish_attribute *wish = covey_i_policy_weight(s->policy);
    const covey_column *weight = NULL;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_text names = COVEY_TEXT_INIT;
    covey_status status = COVEY_OK;
    char message[900];

    for (size_t c = 0; wish && wish->publish_value && c < s->p->n_columns; c++)
        if (s->wish[c] == wish)
            weight = s->p->column[c];
    if (!weight || weight->n_rows < FEW_ROWS || shows_quasi(s->policy))
        return COVEY_OK;
    status = list_told(&names, s, weight, &arena, err);
    if (status == COVEY_OK && names.size > 0) {
        snprintf(message, sizeof message,
                 "the weight \"%.120s\" is published as it is, and for nearly every row it tells the value of %.400s: "
                 "whoever knows how weights were made reads off what classes hide; round it (recode: {round: 10}), or "
                 "leave out `publish: value`: then it is dropped, and serves risks alone",
                 weight->name, names.bytes);
        covey_i_preparing_warn(s, message);
    }
    covey_i_text_free(&names);
    covey_arena_free(&arena);
    return status;
}
