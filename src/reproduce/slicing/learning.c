/* What can be learned from releases of Adult: of a sensitive attribute, and of another one.
 *
 * Ten-fold: nine tenths are made into a release.  Naive Bayes and a tree learn from one table that it may stand for, as
 * the paper's classifiers do, which take the published table (Naive Bayes ten times, each time from another one: its
 * mean share of right guesses); and Naive Bayes from the counts that are to be expected from all such tables.  They are
 * tried on the original rows of the last tenth.  The sentences are judged on the one table.  Source:
 * [LiLiZhangMolloy12] section 6.2. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "reproduce/slicing/learning.h"

enum { FOLDS = 10, DRAWS = 10, LS = 2 };
/* What is learned from.  Bucketization is Anatomy's, which takes a group's rows from the whole table, and that of
 * similar rows, slicing with all other attributes in one column. */
enum { ORIGINAL, GENERALIZATION, BUCKETIZATION, SIMILAR_BUCKETS, SLICING, OVERLAPPING, METHODS };

static const char *const needs[] = {"adult/adult-48842.csv.gz", "adult/hierarchies/race.csv", NULL};
static const char *const method_name[METHODS] = {"original",        "generalization", "bucketization",
                                                 "of similar rows", "slicing",        "overlapping slicing"};
static const char *const ls[LS] = {"2", "5"};

/* Which attributes, what is guessed, and which columns overlap: `beside` stands in both of them. */
struct task {
    const char *const *name; /* occupation first */
    size_t n;
    const char *target;
    const char *beside[LS];
};

static const char *const seven[] = {"occupation", "age", "workclass", "education", "marital-status", "race", "sex"};
static const char *const fifteen[] = {
    "occupation",   "age",  "workclass", "fnlwgt",       "education",    "education-num",  "marital-status",
    "relationship", "race", "sex",       "capital-gain", "capital-loss", "hours-per-week", "native-country",
    "income"};
/* Without education-num, which says the education. */
static const char *const fourteen[] = {
    "occupation", "age", "workclass",    "fnlwgt",       "education",      "marital-status", "relationship",
    "race",       "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income"};

/* Right guesses: of Naive Bayes from expected counts, and of both from one table. */
struct shares {
    double bayes[METHODS][LS], one[METHODS][LS], tree[METHODS][LS];
};

/* Where those of one release are added up; tree may be NULL. */
struct tally {
    double *bayes, *one, *tree;
};

struct job {
    const struct task *task;
    const covey_experiment_context *context;
    covey_learning_table table;
    size_t target;
    covey_arena arena; /* of one release */
    covey_rng rng;
};

/* --- policies --- */

/* A hierarchy for every category, as generalization wants it. */
static void add_attribute(covey_text *text, const struct job *j, size_t c, bool with_hierarchies)
{
    const char *name = j->task->name[c];

    covey_i_text_add_format(text, "  - {name: %s, role: %s", name, c == 0 ? "sensitive" : "quasi-identifier");
    if (with_hierarchies && c > 0 && !covey_column_is_number(j->table.column[c]))
        covey_i_text_add_format(text, ", hierarchy: {file: \"%s/adult/hierarchies/%s.csv\"}", j->context->options->data,
                                name);
    covey_i_text_add_string(text, "}\n");
}

/* Two columns; beside: what stands in both of them, NULL: nothing does, and buckets are not parted further. */
static void add_columns(covey_text *text, const struct task *task, const char *beside)
{
    covey_i_text_add_string(text, "method: {name: slicing, columns: [[");
    for (size_t c = 1; c < task->n; c++)
        covey_i_text_add_format(text, "%s%s", c > 1 ? ", " : "", task->name[c]);
    /* nine tenths of Adult have a marital status, of one row in forty, with which no release reaches l = 5 */
    if (beside)
        covey_i_text_add_format(text, "], [%s, occupation]]}\nsuppression: 0.05\n", beside);
    else
        covey_i_text_add_string(text, "], [occupation]], anatomize: false}\n");
}

static covey_status release_of(covey_experiment_made *out, const struct job *j, const char *input, size_t method,
                               size_t l, covey_error *err)
{
    static const char *const wanted[METHODS] = {
        [GENERALIZATION] = "mondrian", [BUCKETIZATION] = "anatomy", [SLICING] = "slicing"};
    char model[64];
    const covey_setting settings[] = {
        {"model", model}, {wanted[method] ? "method" : NULL, wanted[method]}, {NULL, NULL}};
    covey_text policy = COVEY_TEXT_INIT;
    covey_status status;

    snprintf(model, sizeof model, "%s:l=%s",
             method < SIMILAR_BUCKETS ? "probabilistic-l-diversity" : "sliced-l-diversity", ls[l]);
    covey_i_text_add_format(&policy, "version: 1\ninput: {path: \"%s\"}\n", input);
    if (method == SIMILAR_BUCKETS || method == OVERLAPPING)
        add_columns(&policy, j->task, method == OVERLAPPING ? j->task->beside[l] : NULL);
    covey_i_text_add_string(&policy, "attributes:\n");
    for (size_t c = 0; c < j->task->n; c++)
        add_attribute(&policy, j, c, method == GENERALIZATION);
    status = policy.broken ? covey_i_no_memory(err)
                           : covey_i_experiment_make(out, j->context, policy.bytes, settings, NULL, err);
    covey_i_text_free(&policy);
    return status;
}

/* --- learning --- */

/* One of several tables that stand one behind another. */
static covey_lesson lesson_at(const covey_lesson *all, uint32_t at, uint32_t n)
{
    covey_lesson out = *all;

    out.n = n;
    for (size_t c = 0; c < out.n_attributes; c++)
        out.code[c] += (size_t)at * n;
    return out;
}

/* Naive Bayes from counts, and from each of the tables by itself: the mean; a tree from the first one. */
static covey_status learn_rows(const struct tally *tally, struct job *j, const covey_lesson_counts *counts,
                               const covey_lesson *all, uint32_t n_tables, const covey_lesson *test, covey_error *err)
{
    const covey_lesson first = lesson_at(all, 0, all->n / n_tables);
    double share;

    COVEY_TRY(covey_i_learn_bayes(&share, counts, test, &j->arena, err));
    *tally->bayes += share;
    for (uint32_t i = 0; i < n_tables; i++) {
        const covey_arena_mark mark = covey_arena_save(&j->arena);
        const covey_lesson rows = lesson_at(all, i, first.n);
        covey_lesson_counts of_rows;

        COVEY_TRY(covey_i_lesson_count(&of_rows, &rows, j->target, &j->arena, err));
        COVEY_TRY(covey_i_learn_bayes(&share, &of_rows, test, &j->arena, err));
        *tally->one += share / n_tables;
        covey_arena_rewind(&j->arena, mark);
    }
    if (tally->tree) {
        COVEY_TRY(covey_i_learn_tree(&share, &first, test, j->target, &j->arena, err));
        *tally->tree += share;
    }
    return COVEY_OK;
}

static covey_status learn_release(const struct tally *tally, struct job *j, const char *input, size_t method, size_t l,
                                  const covey_lesson *test, covey_error *err)
{
    covey_experiment_made made;
    covey_lesson_counts counts;
    covey_lesson drawn;
    bool known;
    covey_status status;

    COVEY_TRY(release_of(&made, j, input, method, l, err));
    status = covey_i_learning_expect(&counts, &known, &j->table, made.release, &made.prepared.problem, j->target,
                                     &j->arena, err);
    if (status == COVEY_OK)
        status = covey_i_learning_draw(&drawn, &j->table, made.release, &made.prepared.problem, DRAWS, &j->rng,
                                       &j->arena, err);
    if (status == COVEY_OK && !known)
        status = covey_i_lesson_count(&counts, &drawn, j->target, &j->arena, err);
    if (status == COVEY_OK)
        status = learn_rows(tally, j, &counts, &drawn, DRAWS, test, err);
    covey_i_experiment_made_clear(&made);
    return status;
}

static struct tally tally_of(struct shares *s, size_t method, size_t l, bool with_tree)
{
    return (struct tally){&s->bayes[method][l], &s->one[method][l], with_tree ? &s->tree[method][l] : NULL};
}

/* All methods on one part of the rows.  test_row NULL: they are tried on what they have learned from, Naive Bayes
 * alone. */
static covey_status learn_part(struct shares *s, struct job *j, const int64_t *row, int64_t n, const int64_t *test_row,
                               int64_t n_test, covey_error *err)
{
    char *path = covey_i_experiment_scratch(j->context, "learned.csv");
    const struct tally original = tally_of(s, ORIGINAL, 0, test_row != NULL);
    covey_lesson_counts counts;
    covey_lesson all, test;

    if (!path)
        return covey_i_no_memory(err);
    remove(path);
    COVEY_TRY(covey_i_learning_write(&j->table, row, n, path, err));
    COVEY_TRY(covey_i_learning_pick(&all, &j->table, row, n, &j->arena, err));
    COVEY_TRY(
        covey_i_learning_pick(&test, &j->table, test_row ? test_row : row, test_row ? n_test : n, &j->arena, err));
    COVEY_TRY(covey_i_lesson_count(&counts, &all, j->target, &j->arena, err));
    COVEY_TRY(learn_rows(&original, j, &counts, &all, 1, &test, err));
    for (size_t m = ORIGINAL + 1; m < METHODS; m++)
        for (size_t l = 0; l < LS; l++) {
            const covey_arena_mark mark = covey_arena_save(&j->arena);
            const struct tally tally = tally_of(s, m, l, test_row != NULL);

            COVEY_TRY(learn_release(&tally, j, path, m, l, &test, err));
            covey_arena_rewind(&j->arena, mark);
        }
    return COVEY_OK;
}

/* The rows in any order: fold f is every tenth from f on. */
static covey_status mix_rows(int64_t **out, struct job *j, covey_error *err)
{
    const uint32_t n = j->table.rows.n;
    int64_t *row = covey_arena_array(j->context->arena, int64_t, n);

    if (!row)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        row[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t k = (uint32_t)covey_i_rng_below(&j->rng, i);
        const int64_t kept = row[i - 1];

        row[i - 1] = row[k];
        row[k] = kept;
    }
    *out = row;
    return COVEY_OK;
}

static covey_status learn_fold(struct shares *s, struct job *j, const int64_t *row, uint32_t fold, covey_error *err)
{
    const uint32_t n = j->table.rows.n;
    int64_t *part = covey_arena_array(&j->arena, int64_t, n), *test = covey_arena_array(&j->arena, int64_t, n),
            n_part = 0, n_test = 0;

    if (!part || !test)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        if (i % FOLDS == fold)
            test[n_test++] = row[i];
        else
            part[n_part++] = row[i];
    return learn_part(s, j, part, n_part, test, n_test, err);
}

/* The original is the same for every l. */
static void take_mean(double share[METHODS][LS], int n)
{
    share[ORIGINAL][1] = share[ORIGINAL][0];
    for (size_t m = 0; m < METHODS; m++)
        for (size_t l = 0; l < LS; l++)
            share[m][l] /= n;
}

/* folds: means over ten; same: Naive Bayes, tried on the rows of the release. */
static covey_status learn_all(struct shares *folds, struct shares *same, struct job *j, covey_error *err)
{
    int64_t *row = NULL;

    COVEY_TRY(mix_rows(&row, j, err));
    for (uint32_t f = 0; f < FOLDS; f++) {
        COVEY_TRY(covey_i_experiment_goes_on(j->context, f, FOLDS + 1, err));
        COVEY_TRY(learn_fold(folds, j, row, f, err));
        covey_arena_free(&j->arena);
    }
    COVEY_TRY(covey_i_experiment_goes_on(j->context, FOLDS, FOLDS + 1, err));
    COVEY_TRY(learn_part(same, j, row, j->table.rows.n, NULL, 0, err));
    take_mean(folds->bayes, FOLDS);
    take_mean(folds->one, FOLDS);
    take_mean(folds->tree, FOLDS);
    take_mean(same->bayes, 1);
    return COVEY_OK;
}

/* --- results --- */

static covey_status draw_curves(covey_curves *curves, const struct shares *s, covey_arena *arena, covey_error *err)
{
    static const char *const name[] = {"Naive Bayes, l = 2",           "Naive Bayes, l = 5",
                                       "decision tree, l = 2",         "decision tree, l = 5",
                                       "Naive Bayes, expected, l = 2", "Naive Bayes, expected, l = 5"};
    static const double x[METHODS] = {1, 2, 3, 4, 5, 6};

    COVEY_TRY(covey_i_curves_new(curves, name, 3 * LS, x, METHODS, arena, err));
    curves->x_label = method_name;
    for (size_t m = 0; m < METHODS; m++)
        for (size_t l = 0; l < LS; l++) {
            curves->y[l][m] = s->one[m][l];
            curves->y[LS + l][m] = s->tree[m][l];
            curves->y[2 * LS + l][m] = s->bayes[m][l];
        }
    return COVEY_OK;
}

static covey_status learn_task(covey_experiment_context *context, const struct task *task, struct shares *folds,
                               struct shares *same, covey_error *err)
{
    static const covey_run seeded = {.has_seed = true, .seed = 1};
    struct job j = {.task = task, .context = context, .arena = COVEY_ARENA_INIT};
    char *path = covey_i_experiment_data(context, needs[0]);
    unsigned char key[32];
    covey_status status;

    if (!path)
        return covey_i_no_memory(err);
    for (size_t c = 0; c < task->n; c++)
        j.target = strcmp(task->name[c], task->target) == 0 ? c : j.target;
    COVEY_TRY(covey_i_rng_key(key, &seeded, err));
    covey_i_rng_init(&j.rng, key, 0);
    COVEY_TRY(covey_i_learning_read(&j.table, path, task->name, task->n, context->arena, err));
    status = learn_all(folds, same, &j, err);
    if (status == COVEY_OK)
        status = draw_curves(context->curves, folds, context->arena, err);
    covey_i_learning_clear(&j.table);
    covey_arena_free(&j.arena);
    return status;
}

/* "a | b | c": of the methods, for one l. */
static size_t say(char *to, size_t size, const double share[METHODS][LS], size_t l)
{
    return (size_t)snprintf(to, size, "%.3f, %.3f, %.3f, %.3f, %.3f", share[GENERALIZATION][l], share[BUCKETIZATION][l],
                            share[SIMILAR_BUCKETS][l], share[SLICING][l], share[OVERLAPPING][l]);
}

static void find(covey_experiment_context *context, const struct shares *f, const struct shares *s)
{
    char bayes[LS][40], one[LS][40], tree[LS][40], same[LS][40]; /* five shares of three digits */

    for (size_t l = 0; l < LS; l++) {
        say(bayes[l], sizeof bayes[l], f->bayes, l);
        say(one[l], sizeof one[l], f->one, l);
        say(tree[l], sizeof tree[l], f->tree, l);
        say(same[l], sizeof same[l], s->bayes, l);
    }
    snprintf(context->finding, 768,
             "guessed rightly from generalization, bucketization, that of similar rows, slicing, overlapping slicing: "
             "Naive Bayes from one "
             "table (original %.3f) l = 2: %s; l = 5: %s; tree from it (original %.3f) l = 2: %s; l = 5: %s; Naive "
             "Bayes from expected counts l = 2: %s; l = 5: %s; the same tried on the released rows (original %.3f) l = "
             "2: %s; l = 5: %s",
             f->one[ORIGINAL][0], one[0], one[1], f->tree[ORIGINAL][0], tree[0], tree[1], bayes[0], bayes[1],
             s->bayes[ORIGINAL][0], same[0], same[1]);
}

/* Slicing, plain or overlapping, teaches more of the sensitive attribute than the two others, and less than the
 * original. */
static covey_status run_sensitive(covey_experiment_context *context, covey_error *err)
{
    struct shares f = {0}, s = {0};
    bool holds = true;

    COVEY_TRY(learn_task(context, context->task, &f, &s, err));
    for (size_t l = 0; l < LS; l++) {
        for (size_t m = GENERALIZATION; m <= BUCKETIZATION; m++)
            holds = holds && f.one[SLICING][l] >= f.one[m][l] && f.one[OVERLAPPING][l] >= f.one[m][l];
        holds = holds && f.one[ORIGINAL][l] >= f.one[SLICING][l] && f.tree[SLICING][l] >= f.tree[BUCKETIZATION][l];
    }
    context->holds = holds;
    find(context, &f, &s);
    return COVEY_OK;
}

/* Of other attributes, slicing, plain or overlapping, teaches more than generalization. */
static covey_status run_other(covey_experiment_context *context, covey_error *err)
{
    struct shares f = {0}, s = {0};
    bool holds = true;

    COVEY_TRY(learn_task(context, context->task, &f, &s, err));
    for (size_t l = 0; l < LS; l++)
        for (size_t m = SLICING; m <= OVERLAPPING; m++)
            holds = holds && f.one[m][l] >= f.one[GENERALIZATION][l] && f.tree[m][l] >= f.tree[GENERALIZATION][l];
    context->holds = holds;
    find(context, &f, &s);
    return COVEY_OK;
}

#define COUNT(list) (sizeof list / sizeof *list)

#define STATEMENT_SENSITIVE                                                                                            \
    "Overlapping slicing preserves better data utility than generalization, and is more effective than bucketization " \
    "in workloads "                                                                                                    \
    "that involve the sensitive attribute."
#define STATEMENT_OTHER                                                                                                \
    "Slicing preserves better data utility than generalization by keeping the correlation between highly correlated "  \
    "attributes."
#define LEARNING                                                                                                       \
    .source = "LiLiZhangMolloy12, section 6.2", .x_title = "learned from", .y_title = "guessed rightly", .needs = needs

const covey_experiment covey_experiment_slicing_occupation = {
    .name = "slicing-occupation",
    .figures = "OverlappingSlicing Abstract, sensitive attribute",
    .title = "Learning the sensitive attribute: Adult, 7 attributes",
    LEARNING,
    .statement = STATEMENT_SENSITIVE,
    .run = run_sensitive,
    .task = &(const struct task){seven, COUNT(seven), "occupation", {"sex", "marital-status"}},
};

const covey_experiment covey_experiment_slicing_occupation_15 = {
    .name = "slicing-occupation-15",
    .figures = "OverlappingSlicing Abstract, sensitive attribute",
    .title = "Learning the sensitive attribute: Adult, 15 attributes",
    LEARNING,
    .statement = STATEMENT_SENSITIVE,
    .because = COVEY_DIFFERENCE_CHOICE,
    .why = "bucketization is Anatomy's here, which takes a group's rows from the whole table; from buckets of similar "
           "rows, "
           "as in the paper's Table 1.5, Naive Bayes guesses 0.316 at l = 2 and 0.222 at l = 5, and slicing (0.318, "
           "0.248) and overlapping slicing (0.318, 0.234) guess better, by both classifiers",
    .run = run_sensitive,
    .task = &(const struct task){fifteen, COUNT(fifteen), "occupation", {"sex", "marital-status"}},
};

const covey_experiment covey_experiment_slicing_education = {
    .name = "slicing-education",
    .figures = "OverlappingSlicing Abstract, other attributes",
    .title = "Learning the education: Adult, 7 attributes",
    LEARNING,
    .statement = STATEMENT_OTHER,
    .run = run_other,
    .task = &(const struct task){seven, COUNT(seven), "education", {"sex", "marital-status"}},
};

const covey_experiment covey_experiment_slicing_education_14 = {
    .name = "slicing-education-14",
    .figures = "OverlappingSlicing Abstract, other attributes",
    .title = "Learning the education: Adult, 14 attributes",
    LEARNING,
    .statement = STATEMENT_OTHER,
    .run = run_other,
    .task = &(const struct task){fourteen, COUNT(fourteen), "education", {"sex", "marital-status"}},
};
