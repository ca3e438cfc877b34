/* One method's turn: its release, its files, and what they are worth. */
#include <covey/attack.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file/folder.h"
#include "base/run.h"
#include "compare/compare_impl.h"
#include "job/bounded.h"
#include "job/publish.h"
#include "method/units/units.h"
#include "release/settled.h"

/* One method's release, while it is looked at. */
struct turn {
    covey_contest *contest;
    covey_problem problem; /* the prepared one with the method's own least size of a class */
    covey_choice choice;
    covey_release *release;
    covey_settled settled; /* what the release refers to once it is written */
    covey_run run;         /* while the method runs, and afterwards */
    covey_arena arena;
    char folder[4200];
};

/* --- what a method is told while it runs --- */

static bool goes_on(void *context, const char *phase, int64_t done, int64_t to_do)
{
    covey_contest *contest = context;
    covey_comparing *all = contest->all;
    bool cancelled;

    (void)phase; /* several methods run at once: the line shows how many are done */
    (void)done;
    (void)to_do;
    pthread_mutex_lock(&all->lock);
    if (!all->cancelled)
        all->cancelled = covey_i_run_goes_on(all->run, "compare", all->n_done, (int64_t)all->n, NULL) != COVEY_OK;
    cancelled = all->cancelled;
    pthread_mutex_unlock(&all->lock);
    return !cancelled;
}

static bool has_enough(void *context)
{
    covey_contest *contest = context;

    if (covey_i_seconds() < contest->deadline)
        return false;
    contest->stopped = true;
    return true;
}

static bool is_fatal(covey_status status)
{
    return status == COVEY_ENOMEM || status == COVEY_ECANCELLED || status == COVEY_EIO;
}

/* --- the release --- */

static const covey_wish_method *wish_of(const covey_contest *contest)
{
    static const covey_wish_method none = {0};
    const covey_wish_method *wish = &contest->all->policy->method;

    return wish->method == contest->method ? wish : &none;
}

/* Before the release is freed that the settled problem belongs to. */
static void take_bound(struct turn *turn)
{
    covey_bounded_loss bounded = turn->contest->all->bounded;

    if (strcmp(turn->contest->method->form, "generalized") != 0)
        return;
    covey_i_job_bound_settle(&bounded, &turn->contest->all->prepared.problem, &turn->settled.problem);
    turn->contest->figures.lower_bound = bounded.bound;
}

static covey_status make_release(struct turn *turn, covey_error *err)
{
    covey_contest *contest = turn->contest;
    const double begin = covey_i_seconds(), time = contest->all->options->method_time;
    covey_status status;

    if (contest->all->policy->groups.is_given && !contest->method->uses_groups)
        return covey_fail(err, COVEY_EINVAL, "it does not keep the fixed groups of the policy apart");
    COVEY_TRY(covey_i_choice_make(&turn->choice, contest->method, wish_of(contest), &turn->arena, err));
    COVEY_TRY(covey_i_choice_fit_units(&turn->choice, &turn->problem, wish_of(contest), err));
    COVEY_TRY(contest->method->accepts(&turn->problem.promises, turn->choice.params, err));
    covey_i_choice_apply(&turn->problem, &turn->choice);
    contest->deadline = begin + (time > 0 ? time : COVEY_COMPARE_USUAL_TIME);
    status =
        covey_i_units_run_method(&turn->release, &turn->problem, contest->method, turn->choice.params, &turn->run, err);
    contest->figures.seconds = covey_i_seconds() - begin;
    return status;
}

static covey_status write_release(struct turn *turn, covey_error *err)
{
    const covey_comparing *all = turn->contest->all;
    covey_publication p = {.policy = all->policy,
                           .run = &turn->run,
                           .problem = &turn->problem,
                           .choice = &turn->choice,
                           .release = turn->release,
                           .codebook = all->prepared.codebook,
                           .is_misguessed = all->prepared.is_misguessed,
                           .n_dropped = all->prepared.n_dropped,
                           .folder = turn->folder,
                           .arena = &turn->arena};
    covey_status status = covey_i_publish_check(&p, err);

    if (status == COVEY_OK)
        status = covey_i_release_settle(&turn->settled, &turn->release, &turn->problem, &turn->run, err);
    p.problem = &turn->settled.problem;
    p.release = turn->release;
    if (status == COVEY_OK && mkdir(turn->folder, 0700) != 0)
        status =
            covey_fail_at(err, COVEY_EIO, turn->folder, 0, NULL, 0, "no folder can be made there: %s", strerror(errno));
    if (status == COVEY_OK)
        status = covey_i_publish_write(&p, err);
    turn->contest->figures.figures = p.figures;
    covey_i_files_clear(&p.files);
    return status;
}

static covey_status verify(const struct turn *turn, covey_error *err)
{
    const covey_verify_options options = {.skip_hashes = true};
    covey_verdict *verdict;
    covey_status status = covey_verify(&verdict, turn->folder, &options, &turn->run, err);

    if (status != COVEY_OK)
        return status;
    if (!verdict->holds)
        status = covey_fail(err, COVEY_EINTERNAL, "its release fails its verification: %s",
                            verdict->n_problems ? verdict->problem[0] : "a promise does not hold");
    covey_verdict_free(verdict);
    return status;
}

/* --- what it is worth --- */

static void take_figures(struct turn *turn)
{
    covey_compared_method *f = &turn->contest->figures;
    const covey_release *release = turn->release;
    const covey_objective *objective = &release->objective;

    f->n_published = release->n_published;
    f->n_suppressed = (int64_t)release->n_rows - release->n_published;
    f->n_classes = release->n_classes;
    f->objective = objective->name ? objective->name : "";
    f->value = objective->value;
    f->optimal = objective->optimal;
    f->stopped = turn->contest->stopped;
    if (objective->has_bound) {
        const double more = objective->is_maximised ? objective->bound : objective->value;

        f->bound = objective->bound;
        f->gap = more != 0 ? fabs(objective->value - objective->bound) / fabs(more) : 0;
    }
}

static covey_status ask_queries(struct turn *turn, covey_error *err)
{
    covey_contest *contest = turn->contest;
    covey_compare_answers answers;
    covey_error reason;
    const covey_status status =
        contest->all->workload.n > 0
            ? covey_i_compare_queries_ask(&answers, &contest->all->workload, turn->folder, &turn->run, &reason)
            : COVEY_OK;

    if (status == COVEY_OK && contest->all->workload.n > 0) {
        contest->figures.query_error = answers.median_error;
        contest->figures.width = answers.median_width;
        contest->figures.n_answered = answers.n_estimated;
    } else if (is_fatal(status)) {
        *err = reason;
        return status;
    } else if (status != COVEY_OK) {
        snprintf(contest->reason, sizeof contest->reason, "%s", reason.message);
    }
    return COVEY_OK;
}

/* Attacks that are over soon.  The figures of the first two are ratios, not somebody's chance. */
static const char *const attack_names[] = {"skewness",    "similarity", "homogeneity",      "background-knowledge",
                                           "naive-bayes", "definetti",  "re-identification"};
enum { N_RATIOS = 2 };

static bool is_chance(const covey_attack_result *result)
{
    bool is_ratio = false;

    for (size_t i = 0; i < N_RATIOS; i++)
        is_ratio |= strcmp(covey_attack_name(result->attack), attack_names[i]) == 0;
    return result->applies && isfinite(result->figure) && !is_ratio;
}

/* Attacks that guess for everybody: their figure is the share of people about whom they are right.  The worst chance of
 * any one person tells no methods apart: many promises leave somebody whose value is certain. */
static const char *const guesser_names[] = {"naive-bayes", "definetti"};

static bool guesses_for_all(const covey_attack_result *result)
{
    bool does = false;

    for (size_t i = 0; i < sizeof guesser_names / sizeof *guesser_names; i++)
        does |= strcmp(covey_attack_name(result->attack), guesser_names[i]) == 0;
    return does && result->applies && isfinite(result->figure);
}

static double detail(const covey_attack_result *result, const char *name)
{
    for (size_t i = 0; i < result->n_details; i++)
        if (strcmp(result->detail[i].name, name) == 0 && result->detail[i].value.kind == COVEY_ATTACK_NUMBER)
            return result->detail[i].value.number;
    return NAN;
}

/* To pick a row, or a person whose rows they are, out of those that look alike. */
static double mean_chance(const covey_attack_result *result)
{
    const double of_units = detail(result, "unit_mean");

    return isnan(of_units) ? detail(result, "marketer") : of_units;
}

/* Who is right less often with the release than without it goes without it. */
static void take_share(covey_compared_method *out, const covey_attack_result *result, double share)
{
    if (share < result->prior)
        share = result->prior;
    if (isnan(share) || (!isnan(out->attack) && share <= out->attack))
        return;
    out->attack = share;
    out->attack_name = covey_attack_name(result->attack);
    out->guess = result->prior;
}

/* Of attacks on a sensitive value; where there is none, of any. */
static void take_attacks(covey_compared_method *out, const covey_attack_report *report)
{
    bool any_sensitive = false;

    for (size_t i = 0; i < report->n_results; i++) {
        const covey_attack_result *result = &report->result[i];

        any_sensitive |= is_chance(result) && result->attribute[0];
        out->n_exceeded += result->applies && result->verdict == COVEY_ATTACK_EXCEEDS;
    }
    for (size_t i = 0; i < report->n_results; i++) {
        const covey_attack_result *result = &report->result[i];

        if (!is_chance(result) || (any_sensitive && !result->attribute[0]))
            continue;
        if (guesses_for_all(result))
            take_share(out, result, result->figure);
        else if (!any_sensitive)
            take_share(out, result, mean_chance(result));
        if (!isnan(out->worst) && result->figure <= out->worst)
            continue;
        out->worst = result->figure;
        out->worst_name = covey_attack_name(result->attack);
    }
}

static covey_status attack_release(struct turn *turn, covey_error *err)
{
    const covey_comparing *all = turn->contest->all;
    const char *names[sizeof attack_names / sizeof *attack_names];
    covey_attack_options options = {
        .original = all->policy->input_source ? all->policy->input_source : all->policy->input_path, .name = names};
    covey_attack_report *report = NULL;
    covey_error reason;
    covey_status status;

    for (size_t i = 0; i < sizeof attack_names / sizeof *attack_names; i++)
        if (covey_attack_find(attack_names[i]))
            names[options.n_names++] = attack_names[i];
    if (all->options->no_attacks)
        return COVEY_OK;
    status = covey_attack_release(&report, turn->folder, &options, &turn->run, &reason);
    if (status == COVEY_OK)
        take_attacks(&turn->contest->figures, report);
    else if (is_fatal(status))
        *err = reason;
    else
        snprintf(turn->contest->reason, sizeof turn->contest->reason, "%s", reason.message);
    covey_attack_report_free(report);
    return is_fatal(status) ? status : COVEY_OK;
}

static covey_status play(struct turn *turn, covey_error *err)
{
    covey_status status;

    COVEY_TRY(make_release(turn, err));
    turn->run.enough = NULL; /* what follows is never given up halfway */
    COVEY_TRY(write_release(turn, err));
    take_figures(turn);
    take_bound(turn);
    covey_release_free(turn->release);
    turn->release = NULL;
    covey_i_settled_clear(&turn->settled);
    if ((status = verify(turn, err)) == COVEY_OK)
        status = ask_queries(turn, err);
    return status == COVEY_OK ? attack_release(turn, err) : status;
}

static void begin_figures(covey_contest *contest)
{
    const double unknown = NAN;

    contest->figures = (covey_compared_method){
        .method = contest->method->name,
        .form = contest->method->form,
        .reason = "",
        .attack_name = "",
        .guess = unknown,
        .worst = unknown,
        .worst_name = "",
        .objective = "",
        .query_error = unknown,
        .width = unknown,
        .attack = unknown,
        .value = unknown,
        .bound = unknown,
        .gap = unknown,
        .lower_bound = unknown,
        .seconds = unknown,
        .figures = {.ail = unknown,
                    .ncp = unknown,
                    .discernibility = unknown,
                    .average_class_size = unknown,
                    .largest_risk = unknown,
                    .mean_risk = unknown},
    };
}

covey_status covey_i_contest_run(covey_contest *contest, size_t index, covey_error *err)
{
    struct turn *turn = covey_i_array_zero(1, sizeof *turn);
    covey_error reason = {.status = COVEY_OK};
    covey_status status;

    if (!turn)
        return covey_i_no_memory(err);
    begin_figures(contest);
    turn->contest = contest;
    turn->problem = contest->all->prepared.problem;
    if (contest->all->run)
        turn->run = *contest->all->run;
    turn->run.n_threads = contest->all->n_threads;
    turn->run.progress = goes_on;
    turn->run.enough = has_enough;
    turn->run.improved = NULL;
    turn->run.warn = NULL;
    turn->run.context = contest;
    snprintf(turn->folder, sizeof turn->folder, "%s/%zu", contest->all->folder, index);
    status = play(turn, &reason);
    contest->figures.feasible = status == COVEY_OK;
    if (status != COVEY_OK) {
        const double seconds = contest->figures.seconds;

        begin_figures(contest);
        contest->figures.seconds = seconds;
        snprintf(contest->reason, sizeof contest->reason, "%s", reason.message);
    }
    covey_release_free(turn->release);
    covey_i_settled_clear(&turn->settled);
    covey_arena_free(&turn->arena);
    covey_i_folder_remove(turn->folder, NULL); /* one release at a time and thread is enough of a burden for the disk */
    covey_i_free(turn);
    pthread_mutex_lock(&contest->all->lock);
    contest->all->n_done++;
    pthread_mutex_unlock(&contest->all->lock);
    if (is_fatal(status) && err)
        *err = reason;
    return is_fatal(status) ? status : COVEY_OK;
}
