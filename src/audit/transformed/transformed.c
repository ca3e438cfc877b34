/* How the form "transformed" is checked.  That a group is private for its target is proved from the tables alone, in
 * whole numbers.  Other promises are about the targets. */
#include "audit/transformed/transformed.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "base/sort/compare.h"
#include "table/histogram.h"

enum { PROBABILITY = 4 };              /* column of target.csv */
static const double TOLERANCE = 1e-12; /* a probability is printed; what is proved is proved from the weights */

/* What judging is told beside the tables. */
struct found {
    const covey_original *original; /* NULL: there is none */
    bool is_private;                /* every group fits its target */
};

/* --- promises --- */

/* How often the original has each value of the dictionary; values that no target lists have none. */
static covey_status count_original(covey_histogram *out, const covey_opened *o, const covey_original *table,
                                   const covey_opened_view *view, covey_arena *arena, covey_error *err)
{
    const covey_opened_transformed *t = o->form_data;
    const covey_original_column *original = &table->column[t->sensitive - o->column];
    uint32_t *value = covey_arena_array(arena, uint32_t, original->column->n_values);

    COVEY_TRY(covey_i_histogram_new(out, view->dictionary->n_values, arena, err));
    if (!value)
        return covey_i_no_memory(err);
    memset(value, 0xff, original->column->n_values * sizeof *value);
    for (uint32_t cell = 0; cell < view->text->n_values; cell++)
        if (original->value_of_cell[cell] != UINT32_MAX)
            value[original->value_of_cell[cell]] = view->value_of_cell[cell];
    for (uint32_t row = 0; row < table->n_rows; row++) {
        const uint32_t v = value[covey_i_code_at(original->column, row)];

        if (v != UINT32_MAX)
            covey_i_histogram_add(out, v, 1);
    }
    return COVEY_OK;
}

/* The model's state, with the original's values for its prior. */
static covey_status prepare_with_original(covey_judged *judged, const covey_opened *o, const covey_original *original,
                                          covey_arena *arena, covey_error *err)
{
    covey_histogram *prior = covey_arena_array_zero(arena, covey_histogram, 1);
    const covey_opened_view *view = judged->promise.view;
    covey_model_input input = {.prior = prior,
                               .sensitive = view->dictionary,
                               .tree = view->tree,
                               .has_order = view->has_order,
                               .attribute = judged->promise.stated->attribute,
                               .lacks_values = true};

    if (!prior)
        return covey_i_no_memory(err);
    COVEY_TRY(count_original(prior, o, original, view, arena, err));
    if (prior->total == 0) {
        judged->promise.checkable = false;
        return COVEY_OK;
    }
    return covey_i_model_prepare(&judged->promise.state, judged->promise.model, &input, judged->promise.params, arena,
                                 err);
}

/* Room for judging targets one by one. */
struct judging {
    covey_u128 *part, *whole; /* [lines] */
    covey_share *share;       /* [lines] */
    covey_histogram counts;
};

static covey_status new_judging(struct judging *j, const covey_judged *judged, const covey_opened_transformed *t,
                                covey_arena *arena, covey_error *err)
{
    j->part = covey_arena_array(arena, covey_u128, t->targets->n_rows);
    j->whole = covey_arena_array(arena, covey_u128, t->targets->n_rows);
    j->share = covey_arena_array(arena, covey_share, t->targets->n_rows);
    if (!j->part || !j->whole || !j->share)
        return covey_i_no_memory(err);
    return covey_i_histogram_new(&j->counts, judged->promise.view->dictionary->n_values, arena, err);
}

enum { ROUNDED = 2000000000 };

/* An earth mover's distance between shares and the same rounded to whole rows of ROUNDED is less than half their number
 * over ROUNDED: judged with twice that against both verdicts.  false: too near to tell, or the model is none of a
 * distance. */
static bool find_closeness(bool *admits, covey_figure *figure, const covey_judged *judged, struct judging *j, size_t n)
{
    const covey_group group = {.size = ROUNDED, .counts = &j->counts};
    covey_closeness wanted;
    covey_fraction t;
    covey_i128 num, den, slack;
    int64_t rest = ROUNDED;

    if (!judged->promise.model->closeness || n > ROUNDED / 4 ||
        !judged->promise.model->closeness(&wanted, judged->promise.state))
        return false;
    for (size_t i = 0; i < n; i++) {
        covey_u128 p = j->share[i].num, q = j->share[i].den;
        int64_t rows;

        for (; q >> 90; q = (q >> 1) + 1) /* never more than the share */
            p >>= 1;
        rows = (int64_t)(p * ROUNDED / q);
        covey_i_histogram_add(&j->counts, j->share[i].value, rows);
        rest -= rows;
    }
    for (size_t i = 0; rest > 0; i = i + 1 < n ? i + 1 : 0, rest--)
        covey_i_histogram_add(&j->counts, j->share[i].value, 1);
    judged->promise.model->figure(figure, judged->promise.state, &group);
    if (figure->kind != COVEY_FIGURE_FRACTION || figure->infinite || figure->fraction.den >> 90)
        return false;
    num = figure->fraction.num * ROUNDED;
    den = figure->fraction.den * ROUNDED;
    slack = figure->fraction.den * (covey_i128)n;
    t = covey_i_fraction_of_ratio(wanted.t);
    *admits = covey_i_fraction_compare(covey_i_fraction(num + slack, den), t) <= 0;
    return *admits || covey_i_fraction_compare(covey_i_fraction(num - slack, den), t) > 0;
}

/* As a class, if rows can be counted so that each value has its probability; else value by value.  false: neither. */
static bool find_verdict(bool *admits, covey_figure *figure, const covey_judged *judged, struct judging *j,
                         const covey_opened_transformed *t, uint32_t target)
{
    const bool fits = covey_i_target_lines_shares(j->part, j->whole, t, target);
    covey_group group = {.size = fits ? covey_i_target_lines_total(j->whole, t, target) : 0, .counts = &j->counts};
    size_t n = 0;

    if (!fits)
        return false;
    covey_i_histogram_clear(&j->counts);
    for (uint32_t i = t->targets->class_start[target]; i < t->targets->class_start[target + 1]; i++) {
        if (t->line[i].end > i + 1 || j->part[i] == 0)
            continue;
        j->share[n++] = (covey_share){covey_i_view_value(judged->promise.view, i), j->part[i], j->whole[i]};
        if (group.size > 0)
            covey_i_histogram_add(&j->counts, j->share[n - 1].value,
                                  (int64_t)((covey_u128)group.size / j->whole[i] * j->part[i]));
    }
    if (group.size == 0)
        return (judged->promise.model->judge_shares &&
                judged->promise.model->judge_shares(admits, figure, judged->promise.state, j->share, n)) ||
               find_closeness(admits, figure, judged, j, n);
    *admits = judged->promise.model->admits(judged->promise.state, &group);
    judged->promise.model->figure(figure, judged->promise.state, &group);
    return true;
}

static void judge_target(covey_judged *judged, const covey_opened_transformed *t, uint32_t target, struct judging *j,
                         covey_problems *problems)
{
    covey_figure figure;
    bool admits;

    if (!find_verdict(&admits, &figure, judged, j, t, target)) {
        covey_i_problem(problems,
                        "the promise %s cannot be checked: the probabilities of target %" PRIu32
                        " have no common denominator below 2^32",
                        judged->promise.model->name, target + 1);
        judged->promise.checkable = false;
        return;
    }
    if (!admits) {
        judged->broken = true;
        covey_i_problem(problems, "target %" PRIu32 " breaks %s", target + 1, judged->promise.model->name);
    }
    if (judged->promise.model->traits & COVEY_MODEL_PRIOR)
        return; /* what it reaches would tell of the whole table */
    if (judged->any)
        covey_i_figure_combine(judged->promise.model, &judged->figure, &figure);
    else
        judged->figure = figure;
    judged->any = true;
    judged->worst_class = target + 1;
}

static covey_status judge_one(covey_judged *judged, const covey_opened *o, const struct found *found,
                              covey_problems *problems, covey_arena *arena, covey_error *err)
{
    const covey_opened_transformed *t = o->form_data;
    struct judging j;

    if (judged->promise.model->traits & COVEY_MODEL_TARGET) {
        judged->figure = covey_i_figure_fraction(0, 1);
        judged->any = found->is_private;
        judged->broken = !found->is_private;
        return COVEY_OK;
    }
    if ((judged->promise.model->traits & (COVEY_MODEL_RANGES | COVEY_MODEL_ALIKE | COVEY_MODEL_SLICED)) ||
        !judged->promise.view) {
        covey_i_problem(problems, "the promise %s cannot be checked: it is not about a distribution of values",
                        judged->promise.model->name);
        judged->promise.checkable = false;
        return COVEY_OK;
    }
    if (judged->promise.model->traits & COVEY_MODEL_PRIOR) {
        if (!found->original)
            return COVEY_OK;
        COVEY_TRY(prepare_with_original(judged, o, found->original, arena, err));
    }
    COVEY_TRY(new_judging(&j, judged, t, arena, err));
    for (uint32_t target = 0; target < t->targets->n_classes && judged->promise.checkable; target++)
        judge_target(judged, t, target, &j, problems);
    return COVEY_OK;
}

static covey_status judge(covey_audit *audit, const void *context, const covey_opened_views *views,
                          const covey_quasi_codes *codes, covey_arena *arena, covey_error *err)
{
    const covey_opened *o = audit->opened;
    covey_judged *out = audit->judged;

    for (size_t i = 0; i < o->stated->n_promises; i++) {
        out[i] = (covey_judged){.promise.stated = &o->stated->promise[i]};
        COVEY_TRY(covey_i_bind_promise(&out[i].promise, o, views, codes, &audit->problems, arena, err));
        if (out[i].promise.checkable && o->groups.n > 0)
            COVEY_TRY(judge_one(&out[i], o, context, &audit->problems, arena, err));
    }
    return COVEY_OK;
}

/* --- checking --- */

/* Does probability follow from the weights? */
static bool is_printed(const char *text, long double expected)
{
    char *end;
    double found;

    if (*text == '\0' || strspn(text, "0123456789.e+-") != strlen(text))
        return false;
    found = strtod(text, &end);
    return *end == '\0' && fabsl(found - expected) <= TOLERANCE * expected;
}

static covey_status check_probabilities(covey_problems *problems, const covey_opened_transformed *t, covey_error *err)
{
    const uint32_t n = t->targets->n_rows;
    const covey_column *text = covey_i_opened_text(t->targets, PROBABILITY);
    long double *probability = covey_i_array(n, sizeof *probability);

    if (!probability)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        const covey_target_line *line = &t->line[i], *parent = &t->line[line->parent];

        probability[i] = line->parent == i ? 1 : probability[line->parent] * line->weight / parent->sum;
        if (!is_printed(covey_column_label(text, covey_i_code_at(text, i)), probability[i]))
            covey_i_problem(problems,
                            "target.csv:%" PRIu32 ": the probability does not follow from the weights: it is %.17Lg",
                            i + 2, probability[i]);
    }
    covey_i_free(probability);
    return COVEY_OK;
}

static size_t list_ends(int64_t *low, int64_t *high, const void *context, uint32_t g)
{
    const covey_opened_transformed *t = context;
    size_t n = 0;

    for (uint32_t e = t->entries->class_start[g]; e < t->entries->class_start[g + 1]; e++)
        for (int64_t i = 0; i < t->count[e]; i++) {
            low[n] = t->low[t->line_of_entry[e]];
            high[n++] = t->high[t->line_of_entry[e]];
        }
    qsort(low, n, sizeof *low, covey_i_compare_i64);
    qsort(high, n, sizeof *high, covey_i_compare_i64);
    return n;
}

static covey_status check_help(covey_problems *problems, const covey_opened *o, const covey_opened_transformed *t,
                               covey_error *err)
{
    int64_t most = 0;

    if (!t->help)
        return COVEY_OK;
    for (uint32_t g = 0; g < o->n_classes; g++) {
        int64_t n = 0;

        for (uint32_t e = t->entries->class_start[g]; e < t->entries->class_start[g + 1]; e++)
            n += t->count[e];
        most = n > most ? n : most;
    }
    return covey_i_help_check(problems, o, t->help, t->scale, (size_t)most, list_ends, t, err);
}

static covey_status check(covey_audit *audit, covey_error *err)
{
    const covey_opened *opened = audit->opened;
    const covey_opened_transformed *t = opened->form_data;
    covey_original *original = NULL;
    struct found found;
    covey_status status;

    COVEY_TRY(covey_i_run_goes_on(audit->run, "judge the groups", 0, 0, err));
    COVEY_TRY(check_probabilities(&audit->problems, t, err));
    COVEY_TRY(covey_i_transformed_check_labels(&audit->problems, opened, t, err));
    COVEY_TRY(covey_i_transformed_check_entries(&found.is_private, &audit->problems, opened, t, err));
    if (covey_i_opened_all_usable(opened)) {
        COVEY_TRY(covey_i_transformed_check_order(&audit->problems, opened, t, err));
        COVEY_TRY(check_help(&audit->problems, opened, t, err));
    }
    COVEY_TRY(covey_i_audit_original(&original, audit, err));
    found.original = original;
    status = covey_i_audit_judge_by(audit, judge, &found, err);
    if (original && status == COVEY_OK)
        status = covey_i_transformed_check_faithful(&audit->of_original, opened, t, original, err);
    covey_i_original_free(original);
    if (status == COVEY_OK && covey_i_opened_all_usable(opened))
        status = covey_i_audit_figures(audit, err);
    return status;
}

const covey_audit_form covey_audit_form_transformed = {
    .form = &covey_reader_form_transformed,
    .check = check,
};
