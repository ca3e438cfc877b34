/* What a promise of beta-likeness bounds is the posterior: what a row's true value is known to be when its published
 * value is seen.  It follows from the prior and perturbation.csv alone, exactly.
 *
 * Source: [CaoKarras12] section 5, Theorem 3. */
#include "audit/perturbed/perturbed.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

/* The values that occur by the prior, in order, are the lines of perturbation.csv: fills code; says what is wrong
 * otherwise. */
static bool match_values(uint32_t *code, const covey_perturbed_lines *p, const covey_opened_view *view,
                         covey_problems *problems)
{
    uint32_t n = 0;

    for (uint32_t v = 0; v < view->dictionary->n_values; v++) {
        const bool is_missing = v == 0 && view->dictionary->has_null;

        if (view->prior.count[v] == 0) {
            if (view->published.count[v] == 0)
                continue;
            covey_i_problem(problems, "%s holds a sensitive value that the prior does not count", COVEY_PERTURBED_ROWS);
            return false;
        }
        if (n == p->n || strcmp(covey_column_label(p->value, covey_i_code_at(p->value, n)),
                                is_missing ? "" : covey_column_label(view->dictionary, v)) != 0) {
            covey_i_problem(problems,
                            "%s: line %" PRIu32 " is not the next value of the prior, in the order of the attribute",
                            COVEY_PERTURBED_VALUES, n + 2);
            return false;
        }
        code[n++] = v;
    }
    if (n < p->n)
        covey_i_problem(problems, "%s has %" PRIu32 " values, the prior %" PRIu32, COVEY_PERTURBED_VALUES, p->n, n);
    return n == p->n;
}

/* Probabilities are stated in units of 2^-64; with n values, n 2^64 times the probability that i shows as v is the
 * n-fold of what keeps it, if v is i, and what does not in any case. */
struct channel {
    uint32_t n;
    const uint32_t *code;
    const covey_opened_view *view;
    const double *alpha;
    covey_u128 spread; /* sum over i of count_i (2^64 - kept_i): how often any value comes by chance */
};

static covey_u128 kept(const struct channel *c, uint32_t i)
{
    return c->alpha[i] < 1 ? (covey_u128)(uint64_t)(c->alpha[i] * 0x1p64) : (covey_u128)1 << 64;
}

static covey_u128 count_of(const struct channel *c, uint32_t i)
{
    return (covey_u128)c->view->prior.count[c->code[i]];
}

/* How often v shows, in units of 1/(n 2^64) rows. */
static covey_u128 shown(const struct channel *c, uint32_t v)
{
    return c->spread + count_of(c, v) * c->n * kept(c, v);
}

/* Posterior of i when v shows: joint / shown.  Also the figure, the largest relative gain. */
static bool judge_posterior(covey_judged *judged, const struct channel *c, uint32_t i, bool own, covey_u128 shown_v)
{
    const covey_u128 joint =
        count_of(c, i) * (((covey_u128)1 << 64) - kept(c, i)) + (own ? count_of(c, i) * c->n * kept(c, i) : 0);
    const long double prior = (long double)count_of(c, i) / (long double)c->view->prior.total;
    const double gain = joint > 0 ? (double)((long double)joint / (long double)shown_v / prior - 1) : 0;

    if (gain > judged->figure.real)
        judged->figure = covey_i_figure_real(gain);
    return joint == 0 || judged->promise.model->admits_share(judged->promise.state, c->code[i], joint, shown_v);
}

static void judge_promise(covey_judged *judged, const struct channel *c, covey_problems *problems)
{
    uint32_t least = 0, second = UINT32_MAX, n_broken = 0;

    judged->figure = covey_i_figure_real(0);
    judged->any = true;
    for (uint32_t v = 1; v < c->n; v++) /* an other value is best evidence where it shows least */
        if (shown(c, v) < shown(c, least)) {
            second = least;
            least = v;
        } else if (second == UINT32_MAX || shown(c, v) < shown(c, second)) {
            second = v;
        }
    for (uint32_t i = 0; i < c->n; i++) {
        const uint32_t other = i == least ? second : least;
        bool holds = judge_posterior(judged, c, i, true, shown(c, i));

        if (other != UINT32_MAX)
            holds = judge_posterior(judged, c, i, false, shown(c, other)) && holds;
        n_broken += !holds;
    }
    if (n_broken > 0) {
        judged->broken = true;
        covey_i_problem(problems, "%s: the posterior of %" PRIu32 " of %" PRIu32 " values can exceed what %s allows",
                        COVEY_PERTURBED_VALUES, n_broken, c->n, judged->promise.model->name);
    }
}

/* prior and cap are what they say; gammas and alphas belong together. */
static void compare_numbers(covey_problems *problems, const covey_perturbed_lines *p, const struct channel *c,
                            const covey_judged *judged)
{
    double most = 0;
    uint32_t n_wrong = 0;

    for (uint32_t i = 0; i < p->n; i++)
        most = fmax(most, p->gamma[i]);
    for (uint32_t i = 0; i < p->n; i++) {
        const double prior = (double)c->view->prior.count[c->code[i]] / (double)c->view->prior.total;
        const double cap = judged->promise.model->largest_share(judged->promise.state, c->code[i]);
        const double share = isinf(most) ? isinf(p->gamma[i]) : p->gamma[i] / (most + p->n - 1);
        const double alpha = p->n > 1 ? (p->n * share - 1) / (p->n - 1) : 1;

        n_wrong += p->prior[i] != prior || fabs(p->cap[i] - cap) > 1e-9 * cap || fabs(p->alpha[i] - alpha) > 1e-6;
    }
    if (n_wrong > 0)
        covey_i_problem(problems,
                        "%s: %" PRIu32 " of %" PRIu32 " lines have a prior, cap or gamma that does not belong to them",
                        COVEY_PERTURBED_VALUES, n_wrong, p->n);
}

covey_status covey_i_perturbed_judge(covey_audit *audit, const void *context, const covey_opened_views *views,
                                     const covey_quasi_codes *codes, covey_arena *arena, covey_error *err)
{
    const covey_opened *opened = audit->opened;
    covey_problems *problems = &audit->problems;
    covey_judged *out = audit->judged;
    const covey_perturbed_lines *p = opened->form_data;
    uint32_t *code = covey_arena_array(arena, uint32_t, p->n);

    (void)context;
    if (!code)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < opened->stated->n_promises; i++) {
        struct channel c = {.n = p->n, .code = code, .alpha = p->alpha};

        out[i] = (covey_judged){.promise.stated = &opened->stated->promise[i]};
        COVEY_TRY(covey_i_bind_promise(&out[i].promise, opened, views, codes, problems, arena, err));
        if (!out[i].promise.checkable)
            continue;
        if (!out[i].promise.model->admits_share || !out[i].promise.view || out[i].promise.view->joint ||
            isnan(out[i].promise.model->largest_share(out[i].promise.state, 0))) {
            covey_i_problem(problems, "the promise %s cannot be checked: it is none that perturbation can keep",
                            out[i].promise.model->name);
            out[i].promise.checkable = false;
            continue;
        }
        c.view = out[i].promise.view;
        if (!match_values(code, p, c.view, problems)) {
            out[i].promise.checkable = false;
            continue;
        }
        for (uint32_t v = 0; v < c.n; v++)
            c.spread += count_of(&c, v) * (((covey_u128)1 << 64) - kept(&c, v));
        judge_promise(&out[i], &c, problems);
        compare_numbers(problems, p, &c, &out[i]);
    }
    covey_i_perturbed_check_matrix(problems, p);
    return COVEY_OK;
}
