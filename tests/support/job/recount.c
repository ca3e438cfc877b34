/* Every model's promise as its definition says it.  Definitions: [Sweeney02], [Machanavajjhala06], [XiaoTao06],
 * [Wong06], [TrutaVinay06], [Li07], [CaoKarras12], [BrickellShmatikov08], [Zhang07], [Hore07]. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "support/job/recount.h"

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Is a value the one that a promise names?  A number may be spelled in other ways than in the policy (39.60). */
static bool is_named(const recount_view *view, const char *word, const char *value)
{
    char *word_end, *value_end;

    if (same(word, value) || !view->column || !value ||
        (view->column->type != COVEY_TYPE_INTEGER && view->column->type != COVEY_TYPE_DECIMAL))
        return same(word, value);
    const double number = strtod(word, &word_end), other = strtod(value, &value_end);

    return *word && *value && !*word_end && !*value_end && number >= other && number <= other;
}

/* What a view shows of a row; NULL: missing. */
static const char *cell_of(random_job *job, const recount_view *view, size_t row)
{
    const char *first = job->column[job->sensitive[0]].cell[row], *second;

    if (view->column)
        return view->column->cell[row];
    second = job->column[job->sensitive[1]].cell[row];
    return job_format(job, "%s\x01%s", first ? first : "\x02", second ? second : "\x02");
}

static void fill_view(recount_view *view, random_job *job, const job_column *column)
{
    const char **sorted = NULL;
    const size_t n_sorted = column ? job_values(&sorted, job, column) : 0;
    size_t n = 0;

    view->column = column;
    view->n = 0;
    view->n_rows = 0;
    view->value = covey_arena_array(&job->arena, const char *, job->n_rows + n_sorted + 1);
    assert_non_null(view->value);
    if (column && column->has_missing)
        view->value[n++] = NULL;
    for (size_t i = 0; i < n_sorted; i++) /* with a declared order some may occur in dropped rows only: prior 0 */
        view->value[n++] = sorted[i];
    memset(view->prior, 0, sizeof view->prior);
    for (size_t row = 0; row < job->n_rows; row++) {
        const char *cell = cell_of(job, view, row);
        size_t v = 0;

        if (job->is_dropped[row])
            continue;
        while (v < n && !same(view->value[v], cell))
            v++;
        if (v == n)
            view->value[n++] = cell;
        view->code[row] = v;
        view->row[v] = row;
        view->prior[v]++;
        view->n_rows++;
    }
    view->n = n;
}

size_t recount_views(recount_view view[JOB_MOST_SENSITIVE + 1], random_job *job)
{
    for (size_t i = 0; i < job->n_sensitive; i++)
        fill_view(&view[i], job, &job->column[job->sensitive[i]]);
    if (job->n_sensitive < 2)
        return job->n_sensitive;
    fill_view(&view[job->n_sensitive], job, NULL);
    return job->n_sensitive + 1;
}

void recount_add(recount_class *to, const recount_view *view, size_t n_views, size_t row)
{
    to->size++;
    for (size_t v = 0; v < n_views; v++)
        to->count[v][view[v].code[row]]++;
}

static recount_figure exact(int64_t num, int64_t den)
{
    return (recount_figure){.num = num, .den = den, .real = (double)num / (double)den};
}

static recount_figure real(double value)
{
    return (recount_figure){.is_real = true, .real = value, .infinite = isinf(value)};
}

static bool at_most(int64_t num, int64_t den, int64_t num2, int64_t den2)
{
    return (__int128)num * den2 <= (__int128)num2 * den;
}

/* Counts, largest first; returns how many are not 0. */
static size_t ranked(int64_t *rank, const int64_t *count, size_t n)
{
    size_t d = 0;

    for (size_t v = 0; v < n; v++)
        if (count[v] > 0) {
            size_t at = d++;

            for (; at > 0 && rank[at - 1] < count[v]; at--)
                rank[at] = rank[at - 1];
            rank[at] = count[v];
        }
    return d;
}

/* --- models: n counts of a class of m rows against the counts p of the table's t rows --- */

struct question {
    const random_job *job;
    const job_promise *promise;
    const recount_view *view;
    const recount_class *group;
    const int64_t *count; /* of the view's values; NULL without a view */
    int64_t m;
    bool sure;
};

static bool k_anonymity(recount_figure *figure, struct question *q)
{
    *figure = exact(q->m, 1);
    return q->m >= q->promise->k;
}

static bool distinct(recount_figure *figure, struct question *q)
{
    int64_t rank[JOB_MOST_ROWS];
    const int64_t d = (int64_t)ranked(rank, q->count, q->view->n);

    *figure = exact(d, 1);
    return d >= q->promise->l && q->m >= q->promise->k; /* k: p-sensitive only, else 0 */
}

static bool probabilistic(recount_figure *figure, struct question *q)
{
    int64_t rank[JOB_MOST_ROWS];

    ranked(rank, q->count, q->view->n);
    *figure = exact(q->m, rank[0]);
    return at_most(q->promise->num, q->promise->den, q->m, rank[0]);
}

static bool entropy(recount_figure *figure, struct question *q)
{
    const double l = (double)q->promise->num / (double)q->promise->den;
    double sum = 0, value;

    for (size_t v = 0; v < q->view->n; v++)
        if (q->count[v] > 0)
            sum -= (double)q->count[v] / (double)q->m * log((double)q->count[v] / (double)q->m);
    value = exp(sum);
    *figure = real(value);
    q->sure = fabs(value - l) > 1e-9;
    return value >= l;
}

static bool recursive(recount_figure *figure, struct question *q)
{
    int64_t rank[JOB_MOST_ROWS], tail = 0;
    const size_t d = ranked(rank, q->count, q->view->n);

    for (size_t i = (size_t)q->promise->l - 1; i < d; i++)
        tail += rank[i];
    *figure = tail > 0 ? exact(rank[0], tail) : (recount_figure){.infinite = true};
    return tail > 0 && !at_most(q->promise->num, q->promise->den, rank[0], tail);
}

static bool alpha_k(recount_figure *figure, struct question *q)
{
    int64_t most = 0;

    for (size_t v = 0; v < q->view->n; v++)
        if (q->count[v] > most && (!q->promise->word || is_named(q->view, q->promise->word, q->view->value[v])))
            most = q->count[v];
    *figure = exact(most, q->m);
    return q->m >= q->promise->k && at_most(most, q->m, q->promise->num, q->promise->den);
}

/* Sum over all values of |n t - p m|. */
static int64_t equal_sum(const struct question *q)
{
    int64_t sum = 0;

    for (size_t v = 0; v < q->view->n; v++)
        sum += llabs(q->count[v] * q->view->n_rows - q->view->prior[v] * q->m);
    return sum;
}

/* The area between both cumulative distributions over the values that occur, at their numbers or at 0, 1, 2, ..., by
 * its width. */
static recount_figure line_distance(const struct question *q, bool by_number)
{
    __int128 sum = 0, ahead = 0;
    int64_t first = 0, last = 0, rank = 0;

    for (size_t v = 0; v < q->view->n; v++) {
        int64_t here;

        if (q->view->prior[v] == 0)
            continue;
        here = by_number ? job_number(q->view->column, q->view->value[v]) : rank;
        if (rank++ == 0)
            first = last = here;
        sum += (ahead < 0 ? -ahead : ahead) * (here - last);
        ahead += (__int128)q->count[v] * q->view->n_rows - (__int128)q->view->prior[v] * q->m;
        last = here;
    }
    return exact((int64_t)sum, q->m * q->view->n_rows * (last > first ? last - first : 1));
}

/* In a tree all whose leaves have the same depth a row that moves pays for the levels that it climbs: half the sum over
 * levels and nodes of |p - q|, divided by the height. */
static recount_figure tree_distance(const struct question *q)
{
    const job_column *column = q->view->column;
    const size_t height = column->n_levels - 1;
    __int128 sum = 0;

    for (size_t level = 0; level < height; level++) {
        bool done[JOB_MOST_ROWS] = {false};

        for (size_t v = 0; v < q->view->n; v++) {
            int64_t surplus = 0;

            for (size_t w = v; w < q->view->n; w++) {
                if (done[w] || q->view->prior[w] == 0 || (q->view->prior[v] == 0) ||
                    !same(column->level[q->view->row[v]][level], column->level[q->view->row[w]][level]))
                    continue;
                done[w] = true;
                surplus += q->count[w] * q->view->n_rows - q->view->prior[w] * q->m;
            }
            sum += llabs(surplus);
        }
    }
    return exact((int64_t)sum, (int64_t)(2 * height) * q->m * q->view->n_rows);
}

/* Kullback-Leibler of p from q in bits, or the Jensen-Shannon divergence of both. */
static double divergence(const struct question *q, bool jensen)
{
    double sum = 0;

    for (size_t v = 0; v < q->view->n; v++) {
        const double p = (double)q->view->prior[v] / (double)q->view->n_rows, c = (double)q->count[v] / (double)q->m,
                     middle = (p + c) / 2;

        if (p > 0)
            sum += jensen ? p / 2 * log2(p / middle) : p * log2(p / c);
        if (jensen && c > 0)
            sum += c / 2 * log2(c / middle);
    }
    return sum > 0 ? sum : 0;
}

static bool t_closeness(recount_figure *figure, struct question *q)
{
    const char *distance = q->promise->word;
    const double t = (double)q->promise->num / (double)q->promise->den;

    if (strcmp(distance, "kl") == 0 || strcmp(distance, "js") == 0) {
        const double value = divergence(q, *distance == 'j');

        *figure = real(value);
        q->sure = !(fabs(value - t) < 1e-9);
        return value <= t;
    }
    if (strcmp(distance, "equal") == 0)
        *figure = exact(equal_sum(q), 2 * q->m * q->view->n_rows);
    else if (strcmp(distance, "hierarchical") == 0)
        *figure = tree_distance(q);
    else
        *figure = line_distance(q, strcmp(distance, "numeric") == 0);
    return at_most(figure->num, figure->den, q->promise->num, q->promise->den);
}

/* Is (c/m) / (p/t) - 1 at most beta, or the smaller of beta and -ln(p/t)? */
static bool gain_is_small(struct question *q, int64_t c, int64_t p, int64_t beta_num, int64_t beta_den)
{
    const int64_t num = c * q->view->n_rows - p * q->m, den = p * q->m;
    const double log_bound = den > 0 ? -log((double)p / (double)q->view->n_rows) : 0;

    if (c == 0 || num <= 0)
        return true;
    if (strcmp(q->promise->model, "enhanced-beta-likeness") != 0)
        return at_most(num, den, beta_num, beta_den);
    q->sure &= fabs((double)num / (double)den - log_bound) > 1e-9;
    return at_most(num, den, beta_num, beta_den) && (double)num / (double)den <= log_bound;
}

/* Is (p/t) / (c/m) - 1 at most that, or (p - q)/p at most the difference? */
static bool loss_is_small(struct question *q, int64_t c, int64_t p)
{
    const int64_t num = p * q->m - c * q->view->n_rows, den = c * q->view->n_rows;
    const double log_bound = -log((double)p / (double)q->view->n_rows);

    if (q->promise->loss > 0)
        return at_most(num, p * q->m, q->promise->loss, 10);
    if (!q->promise->ratio || num <= 0)
        return true;
    if (c == 0)
        return false;
    if (strcmp(q->promise->model, "enhanced-beta-likeness") != 0)
        return at_most(num, den, q->promise->num, q->promise->den);
    q->sure &= fabs((double)num / (double)den - log_bound) > 1e-9;
    return at_most(num, den, q->promise->num, q->promise->den) && (double)num / (double)den <= log_bound;
}

static bool group_gain_is_small(struct question *q, int64_t c, int64_t p)
{
    return q->promise->group ? gain_is_small(q, c, p, q->promise->group, 4)
                             : gain_is_small(q, c, p, q->promise->num, q->promise->den);
}

static bool set_gain_is_small(struct question *q)
{
    int64_t c = 0, p = 0;

    for (size_t v = 0; v < q->view->n; v++)
        for (size_t i = 0; i < q->promise->n_set; i++)
            if (same(q->view->value[v], q->promise->set[i])) {
                c += q->count[v];
                p += q->view->prior[v];
            }
    return group_gain_is_small(q, c, p);
}

/* Every run of so many values that occur; all of them if there are fewer. */
static bool window_gains_are_small(struct question *q)
{
    size_t value[JOB_MOST_ROWS], n = 0, k;
    bool holds = true;

    for (size_t v = 0; v < q->view->n; v++)
        if (q->view->prior[v] > 0)
            value[n++] = v;
    k = (size_t)q->promise->window < n ? (size_t)q->promise->window : n;
    for (size_t from = 0; k > 0 && from + k <= n; from++) {
        int64_t c = 0, p = 0;

        for (size_t i = from; i < from + k; i++) {
            c += q->count[value[i]];
            p += q->view->prior[value[i]];
        }
        holds &= group_gain_is_small(q, c, p);
    }
    return holds;
}

/* The largest gain (q - p)/p, and whether every gain is at most beta, or the smaller of beta and -ln p; and what is
 * asked beside it. */
static bool beta_likeness(recount_figure *figure, struct question *q)
{
    bool holds = true;

    *figure = exact(0, 1);
    for (size_t v = 0; v < q->view->n; v++) {
        const int64_t num = q->count[v] * q->view->n_rows - q->view->prior[v] * q->m, den = q->view->prior[v] * q->m;

        if (q->count[v] > 0 && num > 0 && !at_most(num, den, figure->num, figure->den))
            *figure = exact(num, den);
        holds &= gain_is_small(q, q->count[v], q->view->prior[v], q->promise->num, q->promise->den);
        holds &= q->view->prior[v] == 0 || loss_is_small(q, q->count[v], q->view->prior[v]);
    }
    return holds & set_gain_is_small(q) & (q->promise->window == 0 || window_gains_are_small(q));
}

static bool delta_disclosure(recount_figure *figure, struct question *q)
{
    const double delta = (double)q->promise->num / (double)q->promise->den;
    double largest = 0;

    for (size_t v = 0; v < q->view->n; v++)
        if (q->view->prior[v] > 0)
            largest = fmax(largest, fabs(log((double)q->count[v] * (double)q->view->n_rows /
                                             ((double)q->view->prior[v] * (double)q->m))));
    *figure = real(largest);
    q->sure = !(fabs(largest - delta) < 1e-9);
    return largest < delta;
}

static int64_t unit_of(const job_column *column)
{
    int64_t unit = 1;

    for (int i = 0; i < column->scale; i++)
        unit *= 10;
    return unit;
}

static bool ke_anonymity(recount_figure *figure, struct question *q)
{
    int64_t low = 0, high = 0, n = 0;

    for (size_t v = 0; v < q->view->n; v++)
        if (q->count[v] > 0 && q->view->value[v]) {
            high = job_number(q->view->column, q->view->value[v]);
            low = n++ ? low : high;
        }
    *figure = exact(high - low, unit_of(q->view->column));
    figure->k = n;
    return n >= q->promise->k && at_most(q->promise->num, q->promise->den, figure->num, figure->den);
}

static bool min_length(recount_figure *figure, struct question *q)
{
    const int64_t width = q->group->width[q->promise->column];

    *figure =
        width < 0 ? (recount_figure){.infinite = true} : exact(width, unit_of(&q->job->column[q->promise->column]));
    return width < 0 || at_most(q->promise->num, q->promise->den, figure->num, figure->den);
}

/* Of the intervals of a transformed release, which are no classes: tests/law/method/transformed_law_test.c counts them.
 */
static bool p_private(recount_figure *figure, struct question *q)
{
    *figure = exact(0, 1);
    return true;
}

/* Within a release; tests/law/method/m_invariance_law_test.c checks what releases have in common. */
static bool m_invariance(recount_figure *figure, struct question *q)
{
    int64_t rank[JOB_MOST_ROWS];

    ranked(rank, q->count, q->view->n);
    *figure = exact(rank[0] == 1 ? q->m : 0, 1);
    return rank[0] == 1 && q->m >= q->promise->k;
}

static const struct definition {
    const char *model;
    bool (*holds)(recount_figure *figure, struct question *q);
    bool needs_prior, low_is_worse;
} definitions[] = {
    {"k-anonymity", k_anonymity, false, true},
    {"distinct-l-diversity", distinct, false, true},
    {"probabilistic-l-diversity", probabilistic, false, true},
    {"entropy-l-diversity", entropy, false, true},
    {"recursive-cl-diversity", recursive, false, false},
    {"alpha-k-anonymity", alpha_k, false, false},
    {"p-sensitive-k-anonymity", distinct, false, true},
    {"t-closeness", t_closeness, true, false},
    {"basic-beta-likeness", beta_likeness, true, false},
    {"enhanced-beta-likeness", beta_likeness, true, false},
    {"delta-disclosure", delta_disclosure, true, false},
    {"ke-anonymity", ke_anonymity, false, true},
    {"min-length", min_length, false, true},
    {"p-private", p_private, false, false},
    {"m-invariance", m_invariance, false, true},
    {"sliced-l-diversity", probabilistic, false, true}, /* of the rows of a bucket that agree beside it */
};

static const struct definition *find(const char *model)
{
    for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++)
        if (strcmp(definitions[i].model, model) == 0)
            return &definitions[i];
    return NULL;
}

bool recount_knows(const char *model)
{
    return find(model) != NULL;
}

bool recount_needs_prior(const job_promise *promise)
{
    return find(promise->model)->needs_prior;
}

bool recount_holds(recount_figure *figure, bool *sure, const random_job *job, const job_promise *promise,
                   const recount_view *view, const recount_class *group)
{
    struct question q = {.job = job, .promise = promise, .group = group, .m = group->size, .sure = true};
    bool holds;

    if (promise->view >= 0) {
        q.view = &view[promise->view];
        q.count = group->count[promise->view];
    }
    holds = find(promise->model)->holds(figure, &q);
    *sure = q.sure;
    return holds;
}

static int compare(const recount_figure *a, const recount_figure *b)
{
    if (a->infinite || b->infinite)
        return (int)a->infinite - (int)b->infinite;
    if (a->is_real)
        return (a->real > b->real) - (a->real < b->real);
    return at_most(a->num, a->den, b->num, b->den) ? at_most(b->num, b->den, a->num, a->den) ? 0 : -1 : 1;
}

void recount_worse(recount_figure *worst, const recount_figure *other, const job_promise *promise)
{
    const int64_t k = other->k < worst->k ? other->k : worst->k;
    const int order = compare(other, worst);

    if (find(promise->model)->low_is_worse ? order < 0 : order > 0)
        *worst = *other;
    worst->k = k;
}
