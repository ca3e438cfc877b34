/* Naive Bayes: a classifier learns from the release how quasi-identifiers and sensitive values go together, and guesses
 * the value of everybody in the original.
 *
 * On classes each factor is bounded by what is promised, their product is not; on perturbed data nothing bounds what is
 * learned about groups.  So the figure is information about what the release teaches, and exceeds only where it has
 * come more than half of the way from the prior to what the original itself would teach.
 *
 * Source: [CaoKarras12] section 7, eq. (15)-(19); [Cormode11]. */
#include "attack/bayes/bayes.h"

#include <math.h>

#include "attack/bayes/expected.h"
#include "attack/channel.h"
#include "base/error.h"
#include "base/run.h"

/* --- from classes --- */

/* What classes say about one quasi-identifier. */
struct learned {
    int64_t *count; /* [(values of the column + 1) * n_values] rows with the sensitive value in classes that cover the
                       value */
    double *own;    /* the same, of rows that are somebody's: each of a class is with the same chance */
    double *spread; /* of these, where the rows of a class count a value's part of what it covers */
    int64_t *cover; /* [values of the column + 1] rows in classes that cover it */
};

/* The chance that a row of the class is somebody's. */
static double own_share(const covey_attack_target *t, uint32_t class)
{
    return t->made_up ? (double)covey_i_attack_own_rows(t, class) / (double)t->size[class] : 1;
}

static void add_range(struct learned *l, const covey_attack_target *t, uint32_t class, uint32_t low, uint32_t high,
                      double part)
{
    for (uint32_t e = t->start[class]; e < t->start[class + 1]; e++) {
        const size_t v = t->entry[e].value, n = t->n_values;
        const double own = (double)t->entry[e].n * own_share(t, class);

        l->count[low * n + v] += t->entry[e].n;
        l->count[(high + 1) * n + v] -= t->entry[e].n;
        l->own[low * n + v] += own;
        l->own[(high + 1) * n + v] -= own;
        l->spread[low * n + v] += own * part;
        l->spread[(high + 1) * n + v] -= own * part;
    }
    l->cover[low] += t->size[class];
    l->cover[high + 1] -= t->size[class];
}

/* Differences, and then their sums: a class costs what it holds, not what it covers. */
static void learn_classes(struct learned *l, const covey_attacked *r, const covey_attack_target *t, size_t q,
                          uint32_t n_codes)
{
    const uint32_t n_classes = t->n_classes - t->has_suppressed;
    const uint32_t *cell = r->opened->column[r->opened->quasi[q]].class_cell;
    const covey_cover *covers = r->original->column[r->opened->quasi[q]].cover;

    for (uint32_t c = 0; c < n_classes; c++) {
        const covey_cover *cover = &covers[cell[c]];

        if (cover->low > cover->high)
            continue;
        if (!cover->code)
            add_range(l, t, c, cover->low, cover->high, 1 / ((double)cover->high - cover->low + 1));
        for (uint32_t i = 0; cover->code && i < cover->n_codes; i++)
            add_range(l, t, c, cover->code[i], cover->code[i], 1 / (double)cover->n_codes);
    }
    for (size_t i = t->n_values; i < (size_t)(n_codes + 1) * t->n_values; i++) {
        l->count[i] += l->count[i - t->n_values];
        l->own[i] += l->own[i - t->n_values];
        l->spread[i] += l->spread[i - t->n_values];
    }
    for (uint32_t x = 1; x <= n_codes; x++)
        l->cover[x] += l->cover[x - 1];
}

/* Each factor is bounded: of the rows in classes that cover a value, no promised share is exceeded. */
static bool factors_admitted(const struct learned *l, const covey_attack_target *t, uint32_t n_codes)
{
    for (uint32_t x = 0; x < n_codes; x++)
        for (uint32_t v = 0; v < t->n_values; v++)
            if (l->count[(size_t)x * t->n_values + v] > 0 &&
                !covey_i_attack_admits(&t->caps, v, (covey_u128)l->count[(size_t)x * t->n_values + v],
                                       (covey_u128)l->cover[x]))
                return false;
    return true;
}

static void take_weights(covey_bayes *plain, covey_bayes *uniform, const struct learned *l, const double *whole,
                         const covey_attack_target *t, size_t q, uint32_t n_codes)
{
    for (size_t i = 0; i < (size_t)n_codes * t->n_values; i++) {
        const double n = whole[i % t->n_values];

        if (l->count[i] > 0) {
            plain->log_weight[q][i] = l->own[i] > 0 ? log(l->own[i] / n) : COVEY_BAYES_NEVER;
            uniform->log_weight[q][i] = l->spread[i] > 0 ? log(l->spread[i] / n) : COVEY_BAYES_NEVER;
        }
    }
}

static covey_status learn_generalized(covey_bayes *plain, covey_bayes *uniform, bool *admitted, const covey_attacked *r,
                                      const covey_attack_target *t, covey_arena *arena, covey_error *err)
{
    double *whole = covey_arena_array_zero(arena, double, t->n_values);

    if (!whole)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < t->n_classes - t->has_suppressed; c++)
        for (uint32_t e = t->start[c]; e < t->start[c + 1]; e++)
            whole[t->entry[e].value] += (double)t->entry[e].n * own_share(t, c);
    *admitted = true;
    for (size_t q = 0; q < plain->n_dims; q++) {
        const uint32_t n_codes = covey_i_attack_quasi(r, q)->n_values;
        const size_t n = ((size_t)n_codes + 1) * t->n_values;
        covey_arena_mark mark = covey_arena_save(arena);
        struct learned l = {covey_arena_array_zero(arena, int64_t, n), covey_arena_array_zero(arena, double, n),
                            covey_arena_array_zero(arena, double, n),
                            covey_arena_array_zero(arena, int64_t, (size_t)n_codes + 1)};

        if (!l.count || !l.own || !l.spread || !l.cover)
            return covey_i_no_memory(err);
        learn_classes(&l, r, t, q, n_codes);
        COVEY_TRY(covey_i_run_goes_on(r->run, "naive-bayes", (int64_t)q, (int64_t)plain->n_dims, err));
        *admitted = *admitted && factors_admitted(&l, t, n_codes);
        take_weights(plain, uniform, &l, whole, t, q, n_codes);
        covey_arena_rewind(arena, mark);
    }
    return COVEY_OK;
}

/* --- from values at random --- */

static covey_status learn_perturbed(covey_bayes *bayes, const covey_attacked *r, const covey_attack_target *t,
                                    covey_arena *arena, covey_error *err)
{
    const covey_column *shown = t->view->text;
    double *all = covey_arena_array(arena, double, t->channel.n),
           *part = covey_arena_array(arena, double, t->channel.n);
    int64_t *observed = covey_arena_array_zero(arena, int64_t, t->n_values);

    if (!all || !part || !observed)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < r->opened->n_rows; row++)
        observed[t->view->value_of_cell[covey_i_code_at(shown, row)]]++;
    covey_i_attack_reconstruct(all, observed, t);
    for (size_t q = 0; q < bayes->n_dims; q++) {
        const uint32_t i = r->opened->quasi[q], n_codes = covey_i_attack_quasi(r, q)->n_values;
        const covey_column *text = r->opened->column[i].text;
        covey_arena_mark mark = covey_arena_save(arena);
        int64_t *count = covey_arena_array_zero(arena, int64_t, (size_t)n_codes * t->n_values);

        if (!count)
            return covey_i_no_memory(err);
        for (uint32_t row = 0; row < r->opened->n_rows; row++) {
            const uint32_t x = r->original->column[i].value_of_cell[covey_i_code_at(text, row)];

            if (x != UINT32_MAX)
                count[(size_t)x * t->n_values + t->view->value_of_cell[covey_i_code_at(shown, row)]]++;
        }
        for (uint32_t x = 0; x < n_codes; x++) {
            covey_i_attack_reconstruct(part, count + (size_t)x * t->n_values, t);
            for (uint32_t v = 0; v < t->channel.n; v++)
                if (part[v] > 0 && all[v] > 0)
                    bayes->log_weight[q][(size_t)x * t->n_values + t->channel.value[v]] = log(part[v] / all[v]);
        }
        covey_arena_rewind(arena, mark);
    }
    return COVEY_OK;
}

/* --- results --- */

static void list_recall(covey_attack_maker *out, const covey_bayes_outcome *o, const covey_attack_target *t)
{
    static const char *const columns[] = {"value", "rows", "recall", NULL};

    covey_i_attack_table(out, "recall", columns);
    for (uint32_t v = 0; v < t->n_values; v++)
        if (o->rows[v] > 0) {
            covey_i_attack_cell_text(out, covey_column_label(t->view->dictionary, v));
            covey_i_attack_cell_integer(out, o->rows[v]);
            covey_i_attack_cell_number(out, (double)o->recalled[v] / (double)o->rows[v]);
        }
    covey_i_attack_end_table(out);
}

static void report(covey_attack_maker *out, const covey_bayes_outcome *o, const covey_attack_target *t, double ceiling)
{
    int64_t most = 0;

    for (uint32_t v = 0; v < t->n_values; v++)
        most = o->rows[v] > most ? o->rows[v] : most;
    covey_i_attack_share(out, o->hits, o->n);
    out->result.prior = (double)most / (double)o->n; /* of the original's rows, as the figure is */
    out->result.ceiling = ceiling;
    out->result.bound = out->result.prior + 0.5 * fmax(0, ceiling - out->result.prior);
    out->result.verdict =
        out->result.interval_low > out->result.bound ? COVEY_ATTACK_EXCEEDS : COVEY_ATTACK_INFORMATION;
    covey_i_attack_number(out, "top3_share", (double)o->top3 / (double)o->n);
    list_recall(out, o, t);
}

static covey_status run_generalized(covey_attack_maker *out, covey_attacked *r, covey_attack_target *t, double ceiling,
                                    covey_arena *arena, covey_error *err)
{
    covey_bayes plain, uniform;
    covey_bayes_outcome outcome = {0}, stronger = {0};
    bool admitted = true;

    COVEY_TRY(covey_i_bayes_new(&plain, r, t, arena, err));
    COVEY_TRY(covey_i_bayes_new(&uniform, r, t, arena, err));
    COVEY_TRY(learn_generalized(&plain, &uniform, &admitted, r, t, arena, err));
    COVEY_TRY(covey_i_bayes_try(&outcome, &plain, r, t, arena, err));
    COVEY_TRY(covey_i_bayes_try(&stronger, &uniform, r, t, arena, err));
    report(out, &outcome, t, ceiling);
    covey_i_attack_number(out, "uniform_share", (double)stronger.hits / (double)stronger.n);
    if (t->caps.n > 0) {
        covey_i_attack_yes_no(out, "factors_bounded", admitted);
        out->result.verdict = admitted ? out->result.verdict : COVEY_ATTACK_EXCEEDS;
    }
    covey_i_attack_words(out,
                         "Who learns from the release how attributes and values go together guesses %.3g%% of the "
                         "original's rows rightly; always "
                         "guessing the most frequent value, %.3g%%; having learned from the original, %.3g%%.%s",
                         100 * out->result.figure, 100 * out->result.prior, 100 * ceiling,
                         t->caps.n > 0 && !admitted ? " Some factor exceeds what the promises allow." : "");
    return COVEY_OK;
}

static covey_status run_perturbed(covey_attack_maker *out, covey_attacked *r, covey_attack_target *t, double ceiling,
                                  covey_arena *arena, covey_error *err)
{
    covey_bayes bayes;
    covey_bayes_outcome outcome = {0};
    int64_t enough;

    COVEY_TRY(covey_i_bayes_new(&bayes, r, t, arena, err));
    COVEY_TRY(learn_perturbed(&bayes, r, t, arena, err));
    COVEY_TRY(covey_i_bayes_try(&outcome, &bayes, r, t, arena, err));
    report(out, &outcome, t, ceiling);
    COVEY_TRY(covey_i_attack_rows_enough(&enough, r, t, arena, err));
    if (enough > 0)
        covey_i_attack_integer(out, "rows_per_cell_to_beat_prior", enough);
    else
        covey_i_attack_number(out, "rows_per_cell_to_beat_prior", NAN);
    covey_i_attack_words(out,
                         "Perturbation protects the record, not the group: who reconstructs how attributes and values "
                         "go together guesses %.3g%% of "
                         "the rows rightly, against %.3g%% without the release and %.3g%% from the original.",
                         100 * out->result.figure, 100 * out->result.prior, 100 * ceiling);
    return COVEY_OK;
}

static covey_status run_expected(covey_attack_maker *out, covey_attacked *r, covey_attack_target *t, double ceiling,
                                 covey_arena *arena, covey_error *err)
{
    covey_bayes bayes;
    covey_bayes_outcome outcome = {0};

    COVEY_TRY(covey_i_bayes_new(&bayes, r, t, arena, err));
    COVEY_TRY(covey_i_bayes_learn_expected(&bayes, r, t, arena, err));
    COVEY_TRY(covey_i_bayes_try(&outcome, &bayes, r, t, arena, err));
    report(out, &outcome, t, ceiling);
    covey_i_attack_words(
        out,
        "Who learns from the release how attributes and values are to be expected to go together guesses %.3g%% of the "
        "original's rows "
        "rightly; always guessing the most frequent value, %.3g%%; having learned from the original, %.3g%%.",
        100 * out->result.figure, 100 * out->result.prior, 100 * ceiling);
    return COVEY_OK;
}

static covey_status run(covey_attack_maker *out, covey_attacked *r, covey_attack_target *t, covey_arena *arena,
                        covey_error *err)
{
    double ceiling = NAN;

    if (r->original->n_rows == 0) {
        covey_i_attack_not(out, "the original has no rows");
        return COVEY_OK;
    }
    if (covey_i_bayes_too_large(out, r, t))
        return COVEY_OK;
    COVEY_TRY(covey_i_bayes_ceiling(&ceiling, r, t, arena, err));
    if (r->form == COVEY_ATTACKED_PERTURBED)
        return run_perturbed(out, r, t, ceiling, arena, err);
    if (r->form != COVEY_ATTACKED_GENERALIZED)
        return run_expected(out, r, t, ceiling, arena, err);
    return run_generalized(out, r, t, ceiling, arena, err);
}

const covey_attack covey_attack_naive_bayes = {
    .name = "naive-bayes",
    .summary = "learns from the release to guess sensitive values from quasi-identifiers",
    .figure = "share of the original's rows guessed rightly",
    .level = "A1",
    .source = "Cormode11, section 3",
    .forms = COVEY_ATTACKED_GENERALIZED | COVEY_ATTACKED_PERTURBED | COVEY_ATTACKED_TRANSFORMED | COVEY_ATTACKED_SLICED,
    .needs = COVEY_ATTACK_NEEDS_ORIGINAL,
    .not_for = {[1] = "quasi-identifiers and groups are published exactly; what can be learned from them is the attack "
                      "definetti"},
    .per_attribute = true,
    .run = run,
};
