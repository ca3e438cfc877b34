/* The form "perturbed": table.csv holds every row, its sensitive value kept or replaced at random; perturbation.csv says how likely each
 * value was kept.  What a promise of beta-likeness bounds is the posterior: what a row's true value is known to be when its published
 * value is seen.  It follows from the prior and perturbation.csv alone, exactly.
 *
 * Source: [CaoKarras12] section 5, Theorem 3; beta-likeness.md section 5. */
#include "audit/audit_form.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/faithful.h"
#include "audit/losses.h"
#include "audit/perturbed_lines.h"
#include "audit/row_order.h"
#include "base/sort_keys.h"
#include "base/threads.h"
#include "table/column_key.h"
#include "table/table_impl.h"

static const char ROWS[] = "table.csv", VALUES[] = "perturbation.csv";
enum { VALUE, PRIOR, CAP, GAMMA, ALPHA };

static bool has_table(const char *name)
{
    return strcmp(name, ROWS) == 0 || strcmp(name, VALUES) == 0;
}

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory for a perturbed release");
}

/* --- reading --- */

static bool read_number(double *out, const char *text)
{
    char *end;

    if (strcmp(text, "inf") == 0) {
        *out = INFINITY;
        return true;
    }
    if (*text == '\0' || strspn(text, "0123456789.e+-") != strlen(text))
        return false;
    *out = strtod(text, &end);
    return *end == '\0' && isfinite(*out);
}

/* Values that are never kept do not exist in what covey publishes, but can be judged and, if it is one only, computed with. */
static bool is_possible(int column, double number)
{
    switch (column) {
    case GAMMA:
        return number > 0;
    case ALPHA:
        return number >= 0 && number <= 1 && ldexp(number, 64) == floor(ldexp(number, 64));
    default:
        return number > 0 && number <= 1;
    }
}

/* Are all numbers of perturbation.csv what they can be?  alpha is a multiple of 2^-64 in [0, 1], prior and cap lie in (0, 1]. */
static covey_status read_numbers(bool *usable, covey_perturbed_lines *p, covey_opened *o, covey_problems *problems, covey_error *err)
{
    static const char *const name[] = {"value", "prior", "cap", "gamma", "alpha"};
    const double **out[] = {NULL, &p->prior, &p->cap, &p->gamma, &p->alpha};

    *usable = true;
    for (int c = PRIOR; c <= ALPHA; c++) {
        const covey_column *text = covey_i_opened_text(p->table, (size_t)c);
        double *number = covey_arena_array(&o->arena, double, p->n);

        if (!(*out[c] = number))
            return no_memory(err);
        for (uint32_t i = 0; i < p->n; i++) {
            if (read_number(&number[i], covey_column_label(text, covey_i_code_at(text, i))) && is_possible(c, number[i]))
                continue;
            covey_i_problem(problems, "%s:%" PRIu32 ": column \"%s\": the cell is not %s", VALUES, i + 2, name[c],
                            c == ALPHA ? "a multiple of 2^-64 from 0 to 1" : c == GAMMA ? "a number above 0" : "a number above 0, at most 1");
            *usable = false;
        }
    }
    return COVEY_OK;
}

static covey_status read_values(bool *usable, covey_opened *o, const bool *present, covey_problems *problems, const covey_run *run, covey_error *err)
{
    static const char *const column[] = {"value", "prior", "cap", "gamma", "alpha"};
    covey_perturbed_lines *p = covey_arena_array_zero(&o->arena, covey_perturbed_lines, 1);
    covey_opened_table *table;

    *usable = false;
    if (!(o->form_data = p))
        return no_memory(err);
    COVEY_TRY(covey_i_opened_table(&table, o, VALUES, NULL, present, problems, run, err));
    if (!table)
        return COVEY_OK;
    for (size_t i = 0; i < sizeof column / sizeof *column; i++)
        covey_i_opened_expect(table, column[i], NULL);
    if (!covey_i_opened_has_header(table, problems))
        return COVEY_OK;
    if (covey_table_n_rows(table->table) >= UINT32_MAX)
        return covey_fail(err, COVEY_EPARSE, "%s has more rows than this version of covey can verify", VALUES);
    table->n_rows = p->n = (uint32_t)covey_table_n_rows(table->table);
    p->table = table;
    p->value = covey_i_opened_text(table, VALUE);
    covey_i_opened_compare_lines(o, table, problems);
    return read_numbers(usable, p, o, problems, err);
}

static covey_status open_tables(covey_opened *o, const bool *present, covey_problems *problems, const covey_run *run, covey_error *err)
{
    covey_opened_table *table;
    uint32_t *start;
    bool usable;

    COVEY_TRY(covey_i_opened_table(&table, o, ROWS, NULL, present, problems, run, err));
    COVEY_TRY(read_values(&usable, o, present, problems, run, err));
    covey_i_opened_find_unused(o, problems);
    if (!table)
        return COVEY_OK;
    for (size_t i = 0; i < o->n_columns; i++)
        covey_i_opened_expect(table, o->column[i].stated->name, &o->column[i]);
    if (!covey_i_opened_has_header(table, problems))
        return COVEY_OK;
    if (covey_table_n_rows(table->table) >= UINT32_MAX)
        return covey_fail(err, COVEY_EPARSE, "%s has more rows than this version of covey can verify", ROWS);
    if (!(start = covey_arena_array_zero(&o->arena, uint32_t, 2)))
        return no_memory(err);
    table->usable = true;
    table->n_rows = start[1] = (uint32_t)covey_table_n_rows(table->table);
    o->n_rows = table->n_rows;
    o->class_start = start;
    o->groups = (covey_audit_groups){.n = 1, .start = start}; /* promises are about single rows; the views count them all */
    covey_i_opened_compare_counts(o, table, problems);
    if (o->stated->n_suppressed > 0)
        covey_i_problem(problems, "manifest.json: a perturbed release suppresses no rows");
    o->usable = usable;
    return usable ? covey_i_opened_columns(o, present, problems, run, err) : COVEY_OK;
}

/* --- posteriors --- */

/* The values that occur by the prior, in order, are the lines of perturbation.csv: fills code; says what is wrong otherwise. */
static bool match_values(uint32_t *code, const covey_perturbed_lines *p, const covey_audit_view *view, covey_problems *problems)
{
    uint32_t n = 0;

    for (uint32_t v = 0; v < view->dictionary->n_values; v++) {
        const bool is_missing = v == 0 && view->dictionary->has_null;

        if (view->prior.count[v] == 0) {
            if (view->published.count[v] == 0)
                continue;
            covey_i_problem(problems, "%s holds a sensitive value that the prior does not count", ROWS);
            return false;
        }
        if (n == p->n || strcmp(covey_column_label(p->value, covey_i_code_at(p->value, n)), is_missing ? "" : covey_column_label(view->dictionary, v)) != 0) {
            covey_i_problem(problems, "%s: line %" PRIu32 " is not the next value of the prior, in the order of the attribute", VALUES, n + 2);
            return false;
        }
        code[n++] = v;
    }
    if (n < p->n)
        covey_i_problem(problems, "%s has %" PRIu32 " values, the prior %" PRIu32, VALUES, p->n, n);
    return n == p->n;
}

/* Probabilities are stated in units of 2^-64; with n values, n 2^64 times the probability that i shows as v is the n-fold of what keeps it, if
 * v is i, and what does not in any case. */
struct channel {
    uint32_t n;
    const uint32_t *code;
    const covey_audit_view *view;
    const double *alpha;
    covey_u128 spread;      /* sum over i of count_i (2^64 - kept_i): how often any value comes by chance */
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
    const covey_u128 joint = count_of(c, i) * (((covey_u128)1 << 64) - kept(c, i)) + (own ? count_of(c, i) * c->n * kept(c, i) : 0);
    const long double prior = (long double)count_of(c, i) / (long double)c->view->prior.total;
    const double gain = joint > 0 ? (double)((long double)joint / (long double)shown_v / prior - 1) : 0;

    if (gain > judged->figure.real)
        judged->figure = covey_i_figure_real(gain);
    return joint == 0 || judged->model->admits_share(judged->state, c->code[i], joint, shown_v);
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
        covey_i_problem(problems, "%s: the posterior of %" PRIu32 " of %" PRIu32 " values can exceed what %s allows", VALUES, n_broken, c->n,
                        judged->model->name);
    }
}

/* prior and cap are what they say; gammas and alphas belong together. */
static void compare_numbers(covey_problems *problems, const covey_perturbed_lines *p, const struct channel *c, const covey_judged *judged)
{
    double most = 0;
    uint32_t n_wrong = 0;

    for (uint32_t i = 0; i < p->n; i++)
        most = fmax(most, p->gamma[i]);
    for (uint32_t i = 0; i < p->n; i++) {
        const double prior = (double)c->view->prior.count[c->code[i]] / (double)c->view->prior.total;
        const double cap = judged->model->largest_share(judged->state, c->code[i]);
        const double share = isinf(most) ? isinf(p->gamma[i]) : p->gamma[i] / (most + p->n - 1);
        const double alpha = p->n > 1 ? (p->n * share - 1) / (p->n - 1) : 1;

        n_wrong += p->prior[i] != prior || fabs(p->cap[i] - cap) > 1e-9 * cap || fabs(p->alpha[i] - alpha) > 1e-6;
    }
    if (n_wrong > 0)
        covey_i_problem(problems, "%s: %" PRIu32 " of %" PRIu32 " lines have a prior, cap or gamma that does not belong to them", VALUES, n_wrong, p->n);
}

static covey_status judge(covey_judged *out, const covey_opened *opened, const covey_audit_views *views, const covey_quasi_codes *codes,
                          covey_problems *problems, const covey_run *run, covey_arena *arena, covey_error *err)
{
    const covey_perturbed_lines *p = opened->form_data;
    uint32_t *code = covey_arena_array(arena, uint32_t, p->n);

    if (!code)
        return no_memory(err);
    for (size_t i = 0; i < opened->stated->n_promises; i++) {
        struct channel c = {.n = p->n, .code = code, .alpha = p->alpha};

        out[i] = (covey_judged){.stated = &opened->stated->promise[i]};
        COVEY_TRY(covey_i_judge_bind(&out[i], opened, views, codes, problems, arena, err));
        if (!out[i].checkable)
            continue;
        if (!out[i].model->admits_share || !out[i].view || out[i].view->joint || isnan(out[i].model->largest_share(out[i].state, 0))) {
            covey_i_problem(problems, "the promise %s cannot be checked: it is none that perturbation can keep", out[i].model->name);
            out[i].checkable = false;
            continue;
        }
        c.view = out[i].view;
        if (!match_values(code, p, c.view, problems)) {
            out[i].checkable = false;
            continue;
        }
        for (uint32_t v = 0; v < c.n; v++)
            c.spread += count_of(&c, v) * (((covey_u128)1 << 64) - kept(&c, v));
        judge_promise(&out[i], &c, problems);
        compare_numbers(problems, p, &c, &out[i]);
    }
    return COVEY_OK;
}

/* --- rows --- */

static uint32_t rank_of(const covey_opened_column *column, uint32_t row)
{
    const uint32_t code = covey_i_code_at(column->text, row);

    return column->rank ? column->rank[code] : code;
}

/* The first row that comes before the one in front of it; there is one. */
static uint32_t find_descent(const covey_row_order *order, uint32_t n_rows)
{
    for (uint32_t row = 1; row < n_rows; row++)
        for (size_t i = 0; i < order->n; i++) {
            const uint32_t a = rank_of(order->column[i], row - 1), b = rank_of(order->column[i], row);

            if (a > b)
                return row;
            if (a < b)
                break;
        }
    return n_rows;
}

enum { PIECES = 8 };

struct ordering {
    const covey_opened *o;
    covey_row_order order;
    bool ascends[PIECES];
};

static covey_status look_at_piece(void *context, size_t task, covey_error *err)
{
    struct ordering *x = context;
    const uint64_t n = x->o->n_rows;

    (void)err;
    x->ascends[task] = covey_i_rows_ascend(&x->order, x->o->class_start, 1, (uint32_t)(n * task / PIECES), (uint32_t)(n * (task + 1) / PIECES));
    return COVEY_OK;
}

/* Quasi-identifiers first, then the other columns, each from left to right. */
static covey_status check_order(covey_problems *problems, const covey_opened *o, const covey_run *run, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_opened_column **column = covey_arena_array(&arena, const covey_opened_column *, o->n_columns);
    struct ordering x = {.o = o, .order = {.column = column}};
    covey_status status;
    bool ascends = true;

    if (!column)
        return no_memory(err);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < o->n_columns; i++)
            if ((o->column[i].stated->role == COVEY_ROLE_QUASI) == (pass == 0))
                column[x.order.n++] = &o->column[i];
    status = covey_i_parallel(covey_run_threads(run), PIECES, look_at_piece, &x, err);
    for (size_t i = 0; i < PIECES; i++)
        ascends &= x.ascends[i];
    if (status == COVEY_OK && !ascends)
        covey_i_problem(problems, "%s:%" PRIu32 ": the row stands behind one that comes after it: rows must be sorted by their content", ROWS,
                        find_descent(&x.order, o->n_rows) + 2);
    covey_arena_free(&arena);
    return status;
}

/* The codes of one column of the release in the original's terms; false: a cell is not one of its values. */
static bool translate(uint32_t *out, const covey_opened *o, const covey_original *original, size_t column)
{
    const uint32_t *value = original->column[column].value_of_cell;

    for (uint32_t row = 0; row < o->n_rows; row++)
        if ((out[row] = value[covey_i_code_at(o->column[column].text, row)]) == UINT32_MAX)
            return false;
    return true;
}

/* All that is published as it is must be the original's rows, each as often. */
static covey_status check_rows(covey_problems *problems, const covey_opened *o, const covey_original *original, const covey_run *run,
                               covey_arena *arena, covey_error *err)
{
    covey_sort_key *published = covey_arena_array(arena, covey_sort_key, o->n_columns), *given = covey_arena_array(arena, covey_sort_key, o->n_columns);
    uint32_t *a = covey_arena_array(arena, uint32_t, o->n_rows), *b = covey_arena_array(arena, uint32_t, o->n_rows), n_wrong = 0;
    size_t n = 0;

    if (!published || !given || !a || !b)
        return no_memory(err);
    if (original->n_rows != o->n_rows) {
        covey_i_problem(problems, "the original has %" PRIu32 " rows, %s has %" PRIu32, original->n_rows, ROWS, o->n_rows);
        return COVEY_OK;
    }
    for (size_t i = 0; i < o->n_columns; i++) {
        const covey_column *column = original->column[i].column;
        uint32_t *code;

        if (o->column[i].stated->role == COVEY_ROLE_SENSITIVE)
            continue;
        if (!(code = covey_arena_array(arena, uint32_t, o->n_rows)))
            return no_memory(err);
        if (!translate(code, o, original, i)) {
            covey_i_problem(problems, "column \"%s\": a cell is no value of the original", column->name);
            return COVEY_OK;
        }
        published[n] = (covey_sort_key){.codes = code, .width = sizeof *code, .n_values = column->n_values};
        given[n++] = covey_i_column_key(column);
    }
    for (uint32_t row = 0; row < o->n_rows; row++)
        a[row] = b[row] = row;
    COVEY_TRY(covey_i_sort_rows_by_keys(a, o->n_rows, published, n, run, err));
    COVEY_TRY(covey_i_sort_rows_by_keys(b, o->n_rows, given, n, run, err));
    for (uint32_t i = 0; i < o->n_rows; i++) {
        bool same = true;

        for (size_t k = 0, c = 0; c < o->n_columns && same; c++)
            if (o->column[c].stated->role != COVEY_ROLE_SENSITIVE) {
                same = ((const uint32_t *)published[k].codes)[a[i]] == covey_i_code_at(original->column[c].column, b[i]);
                k++;
            }
        n_wrong += !same;
    }
    if (n_wrong > 0)
        covey_i_problem(problems, "%s: its rows, without the sensitive column, are not the rows of the original", ROWS);
    return COVEY_OK;
}

/* --- all of it --- */

/* Nothing of a quasi-identifier is lost, and there are no classes. */
static covey_status check_figures(covey_audit *audit, covey_error *err)
{
    covey_attribute_losses *losses = covey_arena_array(&audit->arena, covey_attribute_losses, audit->opened->n_quasi);

    if (!losses)
        return no_memory(err);
    COVEY_TRY(covey_i_losses(&audit->figures, losses, audit->opened, err));
    covey_i_losses_compare(&audit->problems, &audit->figures, losses, audit->opened);
    return COVEY_OK;
}

static covey_status check(covey_audit *audit, covey_error *err)
{
    const covey_opened *opened = audit->opened;
    covey_original *original;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;

    COVEY_TRY(covey_i_audit_progress(audit->run, "judge the probabilities", err));
    if (covey_i_opened_all_usable(opened))
        COVEY_TRY(check_order(&audit->problems, opened, audit->run, err));
    COVEY_TRY(covey_i_audit_judge_by(audit, judge, err));
    COVEY_TRY(covey_i_audit_original(&original, audit, err));
    if (original)
        status = check_rows(&audit->of_original, opened, original, audit->run, &arena, err);
    covey_i_original_free(original);
    covey_arena_free(&arena);
    if (status == COVEY_OK && covey_i_opened_all_usable(opened))
        status = check_figures(audit, err);
    return status;
}

const covey_audit_form covey_audit_form_perturbed = {
    .name = "perturbed",
    .word = "row",
    .is_exact = true,
    .is_random = true,
    .has_table = has_table,
    .open = open_tables,
    .check = check,
};
