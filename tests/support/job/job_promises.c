/* Random promises whose thresholds can mostly, but not always, be kept.  See random_job.h. */
#include "test.h"

#include <covey/covey.h>

#include <string.h>

#include "base/text.h"
#include "support/problem/problem_maker.h"
#include "support/job/random_job.h"

struct making {
    random_job *job;
    uint64_t *state;
    job_promise *promise;
    const job_column *column; /* of the sensitive attribute, NULL: joint */
};

static int64_t pick(const struct making *m, int64_t low, int64_t high)
{
    return low + maker_below(m->state, (uint32_t)(high - low + 1));
}

static void set_ratio(const struct making *m, int64_t low_num, int64_t high_num, int64_t den)
{
    m->promise->num = pick(m, low_num, high_num);
    m->promise->den = den;
}

/* --- parameters of the models; a function that finds none that fit returns NULL --- */

static const char *number_k(struct making *m)
{
    m->promise->k = pick(m, 0, 6) ? pick(m, 1, 8) : (int64_t)m->job->n_rows / 2 + pick(m, 0, (int64_t)m->job->n_rows);
    return job_format(m->job, "k: %lld", (long long)(m->promise->k += m->promise->k == 0));
}

static const char *number_l(struct making *m)
{
    m->promise->l = pick(m, 1, 4);
    return job_format(m->job, "l: %lld", (long long)m->promise->l);
}

static const char *ratio_l(struct making *m)
{
    set_ratio(m, 4, 14, 4);
    return job_format(m->job, "l: %lld/4", (long long)m->promise->num);
}

static const char *c_and_l(struct making *m)
{
    set_ratio(m, 1, 16, 4);
    m->promise->l = pick(m, 1, 3);
    return job_format(m->job, "c: %lld/4, l: %lld", (long long)m->promise->num, (long long)m->promise->l);
}

static const char *alpha_and_k(struct making *m)
{
    const char *cell = m->column ? m->column->cell[pick(m, 0, (int64_t)m->job->n_rows - 1)] : NULL;

    set_ratio(m, 2, 10, 10);
    m->promise->k = pick(m, 1, 6);
    /* A value of a dropped row may be none of the table. */
    if (m->job->n_dropped == 0 && pick(m, 0, 2) == 0)
        m->promise->word = cell;
    return job_format(m->job, "alpha: %lld/10, k: %lld%s%s", (long long)m->promise->num, (long long)m->promise->k,
                      m->promise->word ? ", value: " : "",
                      m->promise->word ? job_quoted(m->job, m->promise->word) : "");
}

static const char *p_and_k(struct making *m)
{
    m->promise->l = pick(m, 1, 3);
    m->promise->k = m->promise->l + pick(m, 0, 4);
    return job_format(m->job, "p: %lld, k: %lld", (long long)m->promise->l, (long long)m->promise->k);
}

static const char *t_and_distance(struct making *m)
{
    static const char *const distances[] = {"equal", "ordered", "numeric", "hierarchical", "kl", "js"};
    const char *distance = distances[pick(m, 0, 5)];
    const bool is_number = m->column && m->column->type != COVEY_TYPE_TEXT;
    const bool is_line = m->column && !m->column->has_missing;

    if ((strcmp(distance, "ordered") == 0 && !(is_line && (is_number || m->column->order))) ||
        (strcmp(distance, "numeric") == 0 && !(is_line && is_number)) ||
        (strcmp(distance, "hierarchical") == 0 && !(m->column && m->column->n_levels)))
        distance = "equal";
    set_ratio(m, 0, 16, 20);
    m->promise->word = distance;
    return job_format(m->job, "t: %lld/20, distance: %s", (long long)m->promise->num, distance);
}

/* One group of some values of a text; values of dropped rows may be none of the table. */
static void add_group(struct making *m)
{
    for (size_t i = 0; m->job->n_dropped == 0 && i < 3; i++) {
        const char *cell = m->column->cell[pick(m, 0, (int64_t)m->job->n_rows - 1)];
        bool is_new = cell != NULL;

        for (size_t j = 0; j < m->promise->n_set && is_new; j++)
            is_new = strcmp(m->promise->set[j], cell) != 0;
        if (is_new)
            m->promise->set[m->promise->n_set++] = cell;
    }
}

static const char *number_beta(struct making *m)
{
    const char *sides = "", *group = "", *window = "", *group_beta = "";
    job_promise *p = m->promise;

    set_ratio(m, 1, 20, 4);
    if (pick(m, 0, 4) == 0)
        p->ratio = true;
    else if (pick(m, 0, 4) == 0)
        p->loss = pick(m, 1, 9);
    if (m->column && m->column->type == COVEY_TYPE_TEXT && pick(m, 0, 2) == 0)
        add_group(m);
    if (m->column && !m->column->has_missing && (m->column->type != COVEY_TYPE_TEXT || m->column->order) &&
        pick(m, 0, 3) == 0)
        p->window = pick(m, 1, 4);
    if ((p->n_set > 0 || p->window > 0) && pick(m, 0, 1))
        p->group = pick(m, 1, 12);
    if (p->ratio || p->loss)
        sides = p->ratio ? ", two-sided: ratio"
                         : job_format(m->job, ", two-sided: {difference: 0.%lld}", (long long)p->loss);
    if (p->n_set > 0) {
        group = job_format(m->job, ", groups: [[%s", job_quoted(m->job, p->set[0]));
        for (size_t i = 1; i < p->n_set; i++)
            group = job_format(m->job, "%s, %s", group, job_quoted(m->job, p->set[i]));
        group = job_format(m->job, "%s]]", group);
    }
    if (p->window > 0)
        window = job_format(m->job, ", proximity: {window: %lld}", (long long)p->window);
    if (p->group > 0)
        group_beta = job_format(m->job, ", group-beta: %lld/4", (long long)p->group);
    return job_format(m->job, "beta: %lld/4%s%s%s%s", (long long)p->num, sides, group, window, group_beta);
}

static const char *number_delta(struct making *m)
{
    set_ratio(m, 1, 16, 8);
    return job_format(m->job, "delta: %lld/8", (long long)m->promise->num);
}

static const char *k_and_e(struct making *m)
{
    if (!m->column || m->column->type == COVEY_TYPE_TEXT)
        return NULL;
    m->promise->k = pick(m, 1, 3);
    set_ratio(m, 0, 20, 2);
    return job_format(m->job, "k: %lld, e: %lld/2", (long long)m->promise->k, (long long)m->promise->num);
}

static const char *length(struct making *m)
{
    const random_job *job = m->job;
    size_t c = (size_t)pick(m, 0, (int64_t)job->n_columns - 1);

    if (job->column[c].role != COVEY_ROLE_QUASI || !job->column[c].is_range || job->column[c].type == COVEY_TYPE_TEXT)
        return NULL;
    set_ratio(m, 0, 12, 2);
    m->promise->column = c;
    return job_format(m->job, "length: %lld/2, attribute: %s", (long long)m->promise->num,
                      job_quoted(m->job, job->column[c].name));
}

static const struct kind {
    const char *model;
    const char *(*params)(struct making *m);
    bool is_sensitive;
} kinds[] = {
    {"k-anonymity", number_k, false},
    {"basic-beta-likeness", number_beta, true},
    {"enhanced-beta-likeness", number_beta, true},
    {"distinct-l-diversity", number_l, true},
    {"probabilistic-l-diversity", ratio_l, true},
    {"entropy-l-diversity", ratio_l, true},
    {"recursive-cl-diversity", c_and_l, true},
    {"alpha-k-anonymity", alpha_and_k, true},
    {"p-sensitive-k-anonymity", p_and_k, true},
    {"t-closeness", t_and_distance, true},
    {"delta-disclosure", number_delta, true},
    {"ke-anonymity", k_and_e, true},
    {"min-length", length, false},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

static bool add_promise(struct making *m, const struct kind *kind)
{
    random_job *job = m->job;
    const char *params, *about = "";

    *m->promise = (job_promise){.model = kind->model, .view = -1};
    m->column = NULL;
    if (kind->is_sensitive) {
        if (job->n_sensitive == 0)
            return false;
        m->promise->joint = job->n_sensitive > 1 && maker_below(m->state, 3) == 0;
        m->promise->view =
            m->promise->joint ? (int)job->n_sensitive : (int)maker_below(m->state, (uint32_t)job->n_sensitive);
        if (!m->promise->joint)
            m->column = &job->column[job->sensitive[m->promise->view]];
        about =
            m->promise->joint ? ", joint: true" : job_format(job, ", attribute: %s", job_quoted(job, m->column->name));
    }
    if (!(params = kind->params(m)))
        return false;
    m->promise->policy = job_format(job, "{model: %s, %s%s}", kind->model, params, about);
    return true;
}

static const struct kind *kind_of(const char *model)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (strcmp(kinds[i].model, model) == 0)
            return &kinds[i];
    return NULL;
}

/* Half of the time what methods made for beta-likeness or t-closeness keep, too: one such promise, perhaps with k. */
void job_add_promises(random_job *job, uint64_t *state)
{
    const bool is_single = job->n_sensitive > 0 && maker_below(state, 2), is_beta = is_single && maker_below(state, 4);
    const size_t wish = is_single ? 1 + maker_below(state, 2) : 1 + maker_below(state, 3);
    struct making m = {.job = job, .state = state};

    while (job->n_promises < wish) {
        const struct kind *kind = &kinds[maker_below(state, N_KINDS)];

        if (is_single)
            kind = job->n_promises > 0 ? &kinds[0]
                   : is_beta           ? &kinds[1 + maker_below(state, 2)]
                                       : kind_of("t-closeness");
        m.promise = &job->promise[job->n_promises];
        job->n_promises += add_promise(&m, kind);
    }
}
