/* Skewness: who knows a row's class learns how likely each sensitive value is there.  The figure is how many times
 * likelier than in the whole table a value becomes at most.
 *
 * Source: [Li07] section 3.3; [CaoKarras12] Definition 3. */
#include "attack/attack_impl.h"

#include <stdio.h>

enum { N_WORST = 10, SENTENCE_SIZE = 160 };

/* A value in a class. */
struct gain {
    uint32_t class, value;
    int64_t n, size;
};

/* n/size over count/total, compared exactly. */
static int compare_gains(const covey_attack_target *t, const struct gain *a, const struct gain *b)
{
    return covey_i_fraction_compare_products((covey_u128)a->n * (covey_u128)b->size, (covey_u128)t->prior[b->value],
                                             (covey_u128)b->n * (covey_u128)a->size, (covey_u128)t->prior[a->value]);
}

/* Keeps the list sorted, the largest first, earlier classes and values first among equals. */
static void keep_worst(struct gain *worst, size_t *n, const covey_attack_target *t, const struct gain *gain)
{
    size_t i = *n;

    if (i == N_WORST && compare_gains(t, gain, &worst[N_WORST - 1]) <= 0)
        return;
    if (i == N_WORST)
        i--;
    else
        (*n)++;
    for (; i > 0 && compare_gains(t, gain, &worst[i - 1]) > 0; i--)
        worst[i] = worst[i - 1];
    worst[i] = *gain;
}

static void list_worst(covey_attack_maker *out, const covey_attack_target *t, const struct gain *worst, size_t n)
{
    static const char *const columns[] = {"class", "value", "p", "q", "ratio", NULL};

    covey_i_attack_table(out, "worst", columns);
    for (size_t i = 0; i < n; i++) {
        const double p = covey_i_attack_prior(t, worst[i].value), q = (double)worst[i].n / (double)worst[i].size;

        if (covey_i_attack_is_suppressed(t, worst[i].class))
            covey_i_attack_cell_text(out, "suppressed");
        else
            covey_i_attack_cell_integer(out, t->number[worst[i].class]);
        covey_i_attack_cell_text(out, covey_column_label(t->view->dictionary, worst[i].value));
        covey_i_attack_cell_number(out, p);
        covey_i_attack_cell_number(out, q);
        covey_i_attack_cell_number(out, q / p);
    }
    covey_i_attack_end_table(out);
}

/* What is found of classes over rows, or over persons. */
struct looked {
    struct gain worst[N_WORST];
    size_t n;
    int64_t doubled, all; /* rows of classes in which some value at least doubles; of all classes */
};

static void look(struct looked *out, const covey_attack_target *t)
{
    *out = (struct looked){.n = 0};
    for (uint32_t c = 0; c < t->n_classes; c++) {
        bool doubles = false;

        for (uint32_t e = t->start[c]; e < t->start[c + 1]; e++) {
            const struct gain gain = {c, t->entry[e].value, t->entry[e].n, t->size[c]};

            if (t->prior[gain.value] == 0) /* which only a target can have */
                continue;
            keep_worst(out->worst, &out->n, t, &gain);
            doubles |= (covey_u128)gain.n * (covey_u128)t->n_rows >=
                       (covey_u128)2 * (covey_u128)gain.size * (covey_u128)t->prior[gain.value];
        }
        out->doubled += doubles ? covey_i_attack_own_rows(t, c) : 0;
        out->all += covey_i_attack_own_rows(t, c);
    }
}

/* t: over persons; sentence: what is to be said of it. */
static void report_persons(covey_attack_maker *out, char sentence[SENTENCE_SIZE], const covey_attack_target *t)
{
    char times[COVEY_ATTACK_FACTOR_SIZE];
    struct looked of;
    double p, q;

    look(&of, t);
    if (of.n == 0)
        return;
    p = covey_i_attack_prior(t, of.worst->value);
    q = (double)of.worst->n / (double)of.worst->size;
    covey_i_attack_number(out, "person_ratio", q / p);
    covey_i_attack_number(out, "person_p", p);
    covey_i_attack_number(out, "person_q", q);
    if (covey_i_attack_is_suppressed(t, of.worst->class))
        covey_i_attack_text(out, "person_class", "suppressed");
    else
        covey_i_attack_integer(out, "person_class", t->number[of.worst->class]);
    covey_i_attack_text(out, "person_value", covey_column_label(t->view->dictionary, of.worst->value));
    snprintf(sentence, SENTENCE_SIZE,
             " Of the persons of a class up to %s times as many have a value, in one row at least, as of all.",
             covey_i_attack_factor(times, q / p));
}

static covey_status run(covey_attack_maker *out, covey_attacked *release, covey_attack_target *t, covey_arena *arena,
                        covey_error *err)
{
    char times[COVEY_ATTACK_FACTOR_SIZE], sentence[SENTENCE_SIZE] = "";
    struct looked of;

    look(&of, t);
    if (of.n == 0) {
        covey_i_attack_not(out, "the release has no rows");
        return COVEY_OK;
    }
    covey_i_attack_fraction(out, (covey_i128)of.worst->n * t->n_rows,
                            (covey_i128)of.worst->size * t->prior[of.worst->value]);
    if (t->caps.n > 0)
        covey_i_attack_judge(out, t->caps.share[of.worst->value] / covey_i_attack_prior(t, of.worst->value),
                             covey_i_attack_classes_admitted(t));
    covey_i_attack_number(out, "doubled_share", (double)of.doubled / (double)of.all);
    list_worst(out, t, of.worst, of.n);
    if (t->persons)
        report_persons(out, sentence, t->persons);
    covey_i_attack_words(out,
                         "Who knows the class of a row takes a value to be up to %s times likelier than in the "
                         "whole table; for %.3g%% of the "
                         "rows some value at least doubles.%s",
                         covey_i_attack_factor(times, out->result.figure), 100.0 * (double)of.doubled / (double)of.all,
                         sentence);
    return COVEY_OK;
}

const covey_attack covey_attack_skewness = {
    .name = "skewness",
    .summary = "compares the sensitive values of each class with those of the whole table",
    .figure = "largest q/p, share in a class over share in the table",
    .level = "A2",
    .source = "Li07, section 3.3",
    .forms = COVEY_ATTACKED_WITH_CLASSES,
    .compares = true,
    .not_for = {[2] = COVEY_ATTACK_NO_CLASSES},
    .per_attribute = true,
    .over = COVEY_ATTACK_OVER_BOTH,
    .run = run,
};
