/* method: auto.  Every method that may be taken has its turn, and the release that loses least is published.  What has
 * been found is what the others have to beat, and when time is over searches end with what they have. */
#include "job/choose.h"

#include <assert.h>
#include <math.h>

#include "base/clock.h"
#include "base/run.h"
#include "method/auto.h"
#include "policy/blame.h"
#include "release/made_up.h"
#include "release/settled.h"

struct contest {
    covey_prepared *prepared;
    const covey_policy *policy;
    const covey_run *asker; /* NULL: nobody */
    covey_run run;          /* the asker's, with a time limit */
    double deadline;
    covey_release *best;
    double least;         /* what best loses */
    covey_choice *choice; /* of best */
    covey_candidates candidates;
    size_t chosen;
    covey_status last; /* why a method made no release */
};

static bool goes_on(void *context, const char *phase, int64_t done, int64_t to_do)
{
    const struct contest *c = context;

    return covey_i_run_goes_on(c->asker, phase, done, to_do, NULL) == COVEY_OK;
}

static void warn(void *context, const char *message)
{
    const struct contest *c = context;

    if (c->asker && c->asker->warn)
        c->asker->warn(c->asker->context, message);
}

static bool has_enough(void *context)
{
    const struct contest *c = context;

    return covey_i_seconds() >= c->deadline || (c->asker && c->asker->enough && c->asker->enough(c->asker->context));
}

/* Losses of quasi-identifiers cannot be compared with those of a form that publishes them as they are, and nobody
 * should get such a form who has not asked for it. */
static bool may_be_taken(const struct contest *c, const covey_method *method)
{
    return !covey_i_form_find(method->form)->is_exact && (!c->policy->groups.is_given || method->uses_groups);
}

static bool terms_hold(const struct contest *c, const covey_auto_terms *terms)
{
    const covey_problem *problem = &c->prepared->problem;
    bool has_bounds = false;

    for (size_t v = 0; v < problem->promises.n_views; v++)
        has_bounds |= covey_i_promises_have_bounds(&problem->promises, (int)v);
    return (has_bounds || !terms->for_bounds) &&
           (terms->most_rows == 0 || (problem->n_rows <= terms->most_rows && problem->max_suppressed == 0));
}

/* Takes the release over if it loses less than the best so far.  What is left of a domain once rows are suppressed is
 * what losses are stated by: it is no wider, so that who loses too much by the whole one does so by it, too. */
static const char *offer(struct contest *c, covey_release *release, double loss, const covey_choice *choice)
{
    covey_release *worse = release;

    if (!c->best || loss < c->least) {
        worse = c->best;
        c->best = release;
        c->least = loss;
        *c->choice = *choice;
        c->chosen = c->candidates.n;
        c->prepared->problem.loss_to_beat = loss;
    }
    covey_release_free(worse);
    return "loses more"; /* but for the one that is chosen in the end */
}

/* A method that makes no release is no failure.  *ail: NAN for none */
static covey_status try_method(const char **outcome, double *ail, struct contest *c, const covey_method *method,
                               const covey_auto_terms *terms, covey_error *err)
{
    const covey_wish_method wish = {
        .n_params = terms->n_params, .param_names = terms->param_names, .param_texts = terms->param_texts};
    covey_choice choice;
    covey_release *release = NULL;
    covey_error reason = {.status = COVEY_OK};
    covey_status status = covey_i_choice_make(&choice, method, &wish, &c->prepared->arena, &reason);

    if (c->prepared->problem.units && !method->keeps_units) {
        *outcome = "does not keep the rows of a unit together";
        return COVEY_OK;
    }
    if (status == COVEY_OK && method->accepts(&c->prepared->problem.promises, choice.params, NULL) != COVEY_OK) {
        *outcome = "is not made for these promises";
        return COVEY_OK;
    }
    if (c->best && covey_i_seconds() >= c->deadline) {
        *outcome = "was not begun: time was over";
        return COVEY_OK;
    }
    if (status == COVEY_OK)
        status = covey_i_choice_run(&release, &choice, &wish, c->prepared, &c->run, &reason);
    if (status == COVEY_OK)
        status = covey_i_release_settled_loss(ail, release, covey_i_release_problem(release, &c->prepared->problem),
                                              &c->run, &reason);
    if (status == COVEY_OK) {
        *outcome = offer(c, release, *ail, &choice);
        return COVEY_OK;
    }
    covey_release_free(release);
    if (err)
        *err = reason;
    if (status != COVEY_EINFEASIBLE && status != COVEY_EINVAL)
        return status;
    *outcome = c->best ? "found nothing that loses less" : "found no release that keeps the policy";
    c->last = status;
    return COVEY_OK;
}

static covey_status take_turn(struct contest *c, const covey_method *method, covey_error *err)
{
    covey_candidate candidate = {.method = method->name, .ail = NAN};
    const double begin = covey_i_seconds();

    for (const covey_auto_terms *terms = &method->under_auto; terms; terms = terms->also) {
        const char *outcome;
        double ail = NAN;

        if (!terms_hold(c, terms))
            continue;
        COVEY_TRY(try_method(&outcome, &ail, c, method, terms, err));
        candidate.ail = fmin(candidate.ail, ail);
        if (!candidate.outcome || !isnan(ail))
            candidate.outcome = outcome;
    }
    if (!candidate.outcome)
        return COVEY_OK;
    candidate.seconds = covey_i_seconds() - begin;
    assert(c->candidates.n < COVEY_MOST_CANDIDATES); /* methods that there are */
    c->candidates.list[c->candidates.n++] = candidate;
    return COVEY_OK;
}

static covey_status read_time_limit(struct contest *c, covey_error *err)
{
    const covey_wish_method *wish = &c->policy->method;
    covey_auto_params params;

    COVEY_TRY(covey_param_defaults(&params, covey_i_auto_params, COVEY_AUTO_N_PARAMS, err));
    for (size_t i = 0; i < wish->n_params; i++)
        COVEY_TRY(covey_param_set(&params, covey_i_auto_params, COVEY_AUTO_N_PARAMS, "method auto",
                                  wish->param_names[i], wish->param_texts[i], err));
    c->deadline = covey_i_seconds() + covey_ratio_value(params.time_limit);
    return COVEY_OK;
}

static covey_status choose_best(covey_release **out, covey_choice *choice, covey_candidates *candidates,
                                covey_prepared *prepared, const covey_policy *policy, const covey_run *run,
                                covey_error *err)
{
    struct contest c = {.prepared = prepared, .policy = policy, .asker = run, .choice = choice, .last = COVEY_EINVAL};
    const size_t n = covey_method_count();
    covey_status status;

    COVEY_TRY(read_time_limit(&c, err));
    if (run)
        c.run = *run;
    c.run.context = &c;
    c.run.progress = goes_on;
    c.run.warn = warn;
    c.run.enough = has_enough;
    status = covey_fail(err, COVEY_EINVAL, "no method that is built can keep this policy");
    for (size_t i = 0; i < 2 * n; i++) { /* first those that know nothing of others */
        const covey_method *method = covey_method_at(i % n);

        if (!may_be_taken(&c, method) || method->goes_last != (i >= n))
            continue;
        if ((status = take_turn(&c, method, err)) != COVEY_OK)
            break;
    }
    prepared->problem.loss_to_beat = 0;
    if (status != COVEY_OK || !c.best) {
        covey_release_free(c.best);
        return status != COVEY_OK ? status : c.last;
    }
    c.candidates.list[c.chosen].outcome = "chosen";
    covey_i_choice_apply(&prepared->problem, choice);
    if (candidates)
        *candidates = c.candidates;
    *out = c.best;
    return COVEY_OK;
}

covey_status covey_i_choose(covey_release **out, covey_choice *choice, covey_candidates *candidates,
                            covey_prepared *prepared, const covey_policy *policy, const covey_run *run,
                            covey_error *err)
{
    covey_status status;

    if (!policy->method.method)
        return choose_best(out, choice, candidates, prepared, policy, run, err);
    status = covey_i_choice_make(choice, policy->method.method, &policy->method, &prepared->arena, err);
    if (status == COVEY_OK)
        status = covey_i_choice_run(out, choice, &policy->method, prepared, run, err);
    return covey_i_policy_blame_method(policy, &policy->method, status, err);
}
