/* deFinetti: the groups of a release teach how quasi-identifiers and values go together, and that says which row of a
 * group has which of its values; what is then known teaches more.
 *
 * Beliefs begin with the shares of each class.  A Naive Bayes classifier learns from them; its scores, scaled so that
 * each class keeps its published counts ([Sinkhorn67]), are the new beliefs.  The hard version keeps one permutation of
 * the values and swaps pairs, which is left out where rows are made up: nobody's row stands beside those of a class,
 * and may have any of its values. On generalized classes the adversary adds exact quasi-identifiers from outside.
 *
 * Source: [Kifer09] section 4; [Cormode11] section 4. */
#include "attack/bayes/bayes.h"
#include "attack/bayes/beliefs.h"

#include <math.h>

#include "attack/linkage/links.h"

enum { MOST_CELLS = 8000000, MOST_HARD_ROWS = 20000, QUICK_CELLS = 400000, QUICK_HARD_ROWS = 5000 };

/* The bound is missed in two ways: by learning, and by what knowing the class gives already. */
static const char *what_it_means(double success, double base, double ceiling)
{
    if (success > 1.1 * base)
        return "The groups teach how attributes and values go together.";
    if (base > ceiling)
        return "Learning adds next to nothing to knowing the class, which alone tells more than the quasi-identifiers "
               "of the original would.";
    return "Learning adds next to nothing to knowing the class.";
}

static void report(covey_attack_maker *out, const covey_beliefs *b, const covey_attack_target *t, double ceiling)
{
    const double base = b->base / (double)b->n_rows, success = (double)b->hits / (double)b->n_rows;

    covey_i_attack_share(out, b->hits, b->n_rows);
    out->result.ceiling = ceiling;
    out->result.bound = fmin(1.1 * base, ceiling);
    out->result.verdict = out->result.interval_low > out->result.bound ? COVEY_ATTACK_EXCEEDS : COVEY_ATTACK_SAFE;
    covey_i_attack_number(out, "base", base);
    covey_i_attack_number(out, "lift", success / base);
    covey_i_attack_yes_no(out, "base_above_ceiling", base > ceiling);
    covey_i_attack_integer(out, "rounds", b->n_rounds);
    covey_i_attack_number(out, "hard_share", b->hard_hits >= 0 ? (double)b->hard_hits / (double)b->n_rows : NAN);
    covey_i_attack_yes_no(out, "is_sample", b->is_sample);
    covey_i_attack_integer(out, "sampled_classes", b->n_classes);
    covey_i_attack_integer(out, "sampled_rows", b->n_rows);
    covey_i_attack_integer(out, "classes_not_known", b->n_unknown);
    covey_i_attack_words(out,
                         "Who learns from the groups which row has which value guesses %.3g%% of the rows rightly; "
                         "without learning, %.3g%%; always the "
                         "most frequent value, %.3g%%. %s",
                         100 * success, 100 * base, 100 * out->result.prior, what_it_means(success, base, ceiling));
}

static covey_status run(covey_attack_maker *out, covey_attacked *r, covey_attack_target *t, covey_arena *arena,
                        covey_error *err)
{
    const bool quick = r->options->quick;
    covey_beliefs beliefs;
    double ceiling = NAN;

    if (r->original->n_rows == 0) {
        covey_i_attack_not(out, "the original has no rows");
        return COVEY_OK;
    }
    if (covey_i_bayes_too_large(out, r, t))
        return COVEY_OK;
    COVEY_TRY(covey_i_attack_link(r, t, err));
    COVEY_TRY(covey_i_beliefs_start(&beliefs, r, t, quick ? QUICK_CELLS : MOST_CELLS, arena, err));
    if (beliefs.n_rows == 0) {
        covey_i_attack_not(out, "for no class it can be told which rows of the original it holds");
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_bayes_ceiling(&ceiling, r, t, arena, err));
    COVEY_TRY(covey_i_beliefs_learn(&beliefs, err));
    if (r->stated->n_counterfeits == 0 && beliefs.n_rows <= (quick ? QUICK_HARD_ROWS : MOST_HARD_ROWS))
        COVEY_TRY(covey_i_beliefs_swap(&beliefs, err));
    report(out, &beliefs, t, ceiling);
    return COVEY_OK;
}

const covey_attack covey_attack_definetti = {
    .name = "definetti",
    .summary = "learns from the groups which of their rows has which of their values",
    .figure = "share of rows guessed rightly",
    .level = "A3",
    .source = "Kifer09, section 4",
    .forms = COVEY_ATTACKED_GENERALIZED | COVEY_ATTACKED_BUCKETIZED | COVEY_ATTACKED_SLICED,
    .needs = COVEY_ATTACK_NEEDS_ORIGINAL,
    .not_for = {[2] = "a perturbed release has no groups; what can be learned from it is the attack naive-bayes",
                [3] = "a transformed release publishes intervals, not how often a group has each value; what can be "
                      "learned from it is the attack "
                      "naive-bayes"},
    .per_attribute = true,
    .run = run,
};
