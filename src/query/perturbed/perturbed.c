/* Queries over the form "perturbed": which rows satisfy what the condition says of other columns is known; which of
 * them also have a sensitive value that it asks for is estimated by the inverse of the randomization.
 *
 * Bounds of COUNT are 0 (or the rows for which every sensitive value will do) and the rows for which one will do; those
 * of the other aggregates use that the rows' values are some of the prior's.
 *
 * Source: [CaoKarras12] section 5. */
#include "base/error.h"
#include "query/exchange.h"
#include "query/perturbed/perturbed.h"
#include "query/perturbed/sql.h"

#include <string.h>

/* --- loading --- */

static covey_status find_sensitive(covey_query_perturbed *p, const covey_query_release *release, covey_error *err)
{
    size_t n = 0;

    for (uint32_t i = 0; i < release->n_columns; i++)
        if (release->column[i].role == COVEY_ROLE_SENSITIVE) {
            p->sensitive = i;
            n++;
        }
    if (n != 1 || covey_i_stated_prior(release->stated, release->column[p->sensitive].name) < 0)
        return covey_fail(
            err, COVEY_EPARSE,
            "manifest.json: a perturbed release has one sensitive column and its prior (covey verify says more)");
    return COVEY_OK;
}

static bool is_value(const covey_perturbed_lines *lines, uint32_t line, const char *value, bool is_missing)
{
    const char *text = covey_column_label(lines->value, covey_i_code_at(lines->value, line));

    return strcmp(text, value) == 0 || (is_missing && *text == '\0');
}

/* Lines of perturbation.csv are the prior's values that occur, in its order. */
static covey_status match_values(covey_query_perturbed *p, covey_query_release *release,
                                 const covey_perturbed_lines *lines, covey_error *err)
{
    covey_query_column *column = &release->column[p->sensitive];
    const covey_stated_prior *prior = &release->stated->prior[covey_i_stated_prior(release->stated, column->name)];
    uint32_t *cell_of_prior = covey_arena_array(&release->arena, uint32_t, prior->n),
             *cell = covey_arena_array(&release->arena, uint32_t, lines->n);
    uint32_t *value_of_code = covey_arena_array(&release->arena, uint32_t, column->text->n_values);
    int64_t *count = covey_arena_array(&release->arena, int64_t, lines->n);
    uint32_t n = 0;

    if (!cell_of_prior || !cell || !value_of_code || !count)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_query_column_extend(cell_of_prior, column, prior, &release->arena, err));
    for (uint32_t code = 0; code < column->text->n_values; code++)
        value_of_code[code] = UINT32_MAX;
    for (size_t i = 0; i < prior->n; i++) {
        if (prior->count[i] == 0)
            continue;
        if (n == lines->n ||
            !is_value(lines, n, prior->value[i], covey_i_query_cell_is_null(&column->cell[cell_of_prior[i]])))
            return covey_fail(
                err, COVEY_EPARSE,
                "perturbation.csv does not list the values of the prior in manifest.json (covey verify says more)");
        if (cell_of_prior[i] < column->text->n_values)
            value_of_code[cell_of_prior[i]] = n;
        cell[n] = cell_of_prior[i];
        count[n++] = prior->count[i];
    }
    for (uint32_t code = 0; code < column->text->n_values; code++)
        if (value_of_code[code] == UINT32_MAX)
            return covey_fail(err, COVEY_EPARSE,
                              "table.csv holds a sensitive value that the prior in manifest.json does not count (covey "
                              "verify says more)");
    if (n < lines->n)
        return covey_fail(err, COVEY_EPARSE,
                          "perturbation.csv has more values than the prior in manifest.json (covey verify says more)");
    p->n_values = n;
    p->cell = cell;
    p->value_of_code = value_of_code;
    p->prior = count;
    return COVEY_OK;
}

static covey_status number_values(covey_query_perturbed *p, covey_query_release *release, covey_error *err)
{
    const covey_query_column *column = &release->column[p->sensitive];
    const covey_query_numbers *numbers;
    double *share = covey_arena_array(&release->arena, double, p->n_values);
    int64_t total = 0;

    COVEY_TRY(covey_i_query_all_numbers(&p->numbers, release, err));
    numbers = &p->numbers[p->sensitive];
    p->are_numbers = column->is_number && covey_i_query_are_numbers(column);
    if (!share || !(p->slot_count = covey_arena_array_zero(&release->arena, int64_t, numbers->n)))
        return covey_i_no_memory(err);
    for (uint32_t j = 0; j < p->n_values; j++)
        total += p->prior[j];
    if (total < release->n_own_rows) /* bounds give every row a value of the prior */
        return covey_fail(err, COVEY_EPARSE,
                          "the prior in manifest.json counts fewer rows than table.csv has (covey verify says more)");
    for (uint32_t j = 0; j < p->n_values; j++) {
        uint32_t slot = p->are_numbers ? numbers->slot_of_cell[p->cell[j]] : UINT32_MAX;

        share[j] = (double)p->prior[j] / (double)total;
        *(slot == UINT32_MAX ? &p->n_missing : &p->slot_count[slot]) += p->prior[j];
    }
    p->share = share;
    return COVEY_OK;
}

/* Columns of exact values. */
static covey_status index_rows(covey_query_perturbed *p, covey_query_release *release, covey_error *err)
{
    covey_bit_source *source = covey_arena_array_zero(&release->arena, covey_bit_source, release->n_columns);

    if (!source)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < release->n_columns; i++)
        if (i != p->sensitive)
            source[i] = (covey_bit_source){release->column[i].text, release->column[i].opened->rank};
    return covey_i_bit_index_make(&p->index, source, release->n_columns, p->rows.n, &release->arena, err);
}

static covey_status load(covey_query_release *release, const covey_run *run, covey_error *err)
{
    const covey_perturbed_lines *lines = release->opened->form_data;
    covey_query_perturbed *p = covey_arena_array_zero(&release->arena, covey_query_perturbed, 1);

    (void)run;
    if (!p)
        return covey_i_no_memory(err);
    COVEY_TRY(find_sensitive(p, release, err));
    COVEY_TRY(match_values(p, release, lines, err));
    COVEY_TRY(number_values(p, release, err));
    COVEY_TRY(covey_i_randomization_make(&p->randomization, lines->alpha, p->n_values, err));
    p->rows.n = release->n_own_rows;
    if (p->rows.n == release->opened->n_rows) /* not of a piece, whose last rows could be joined with the others */
        COVEY_TRY(covey_i_row_contents_join(&p->rows, release, err));
    p->text = release->column[p->sensitive].text;
    COVEY_TRY(index_rows(p, release, err));
    release->state = p;
    return COVEY_OK;
}

/* --- answering --- */

struct asking {
    const covey_query_release *release;
    const covey_query_perturbed *p;
    const covey_bound_query *query;
    covey_row_scan scan;
    covey_query_figures *figures; /* [n_aggregates] */
    double *room;                 /* [3 * n_values] */
    covey_arena *arena;
};

/* Which true values count for a kind of rows, as 0 and 1; returns how many. */
static uint32_t mark_values(double *a, const struct asking *q, const covey_perturbed_kind *kind)
{
    const covey_condition_attribute *attribute =
        q->scan.sensitive < 0 ? NULL : &q->query->condition.attribute[q->scan.sensitive];
    uint32_t n = 0;

    for (uint32_t j = 0; j < q->p->n_values; j++) {
        bool counts = attribute ? kind->atoms >> attribute->share[attribute->start[q->p->cell[j]]].atom & 1 : true;

        a[j] = counts;
        n += counts;
    }
    return n;
}

/* Rows of a kind count for sure if every value does, and not if none does. */
static void count_rows(covey_query_figures *out, const struct asking *q, const covey_perturbed_rows *rows)
{
    double *a = q->room + 2 * (size_t)q->p->n_values;
    covey_perturbed_sum sum = {0};
    int64_t lower = 0, upper = 0, n_unsure = 0;

    for (uint32_t i = 0; i < rows->n; i++) {
        uint32_t n = mark_values(a, q, &rows->kind[i]);

        if (n == 0)
            continue;
        upper += rows->kind[i].n;
        if (n == q->p->n_values) {
            lower += rows->kind[i].n;
            continue;
        }
        n_unsure += rows->kind[i].n;
        covey_i_perturbed_add(&sum, q->p, &rows->kind[i], a, q->room);
    }
    if (q->query->shrink)
        covey_i_perturbed_shrink(&sum);
    *out = (covey_query_figures){{true, lower, 1}, {true, upper, 1}, (double)lower + sum.estimate, 0, {0}};
    if (n_unsure > 0)
        covey_i_perturbed_interval(out, sum.variance, 0, upper);
}

/* Of pieces: what the selected rows show, see exchange.h. */
static covey_status exchange_rows(covey_query_exchange *x, const covey_perturbed_rows *rows, uint32_t n_values,
                                  covey_error *err)
{
    for (uint32_t i = 0; i < rows->n; i++) {
        COVEY_TRY(covey_i_exchange_numbers(x, &rows->kind[i].n, 1, err));
        COVEY_TRY(covey_i_exchange_numbers(x, rows->kind[i].shown, n_values, err));
    }
    return COVEY_OK;
}

static covey_status answer_rows(covey_query_sink *sink, void *context, const covey_query_rows *rows,
                                const covey_query_value *key, covey_error *err)
{
    struct asking *q = context;
    covey_perturbed_rows selected = {0};
    covey_query_figures count;

    COVEY_TRY(covey_i_perturbed_rows(&selected, q->p, &q->scan, rows, q->arena, err));
    if (q->query->exchange)
        COVEY_TRY(exchange_rows(q->query->exchange, &selected, q->p->n_values, err));
    count_rows(&count, q, &selected);
    if (key && count.upper.num == 0 && !q->query->exchange)
        return COVEY_OK;
    for (size_t i = 0; i < q->query->n_aggregates; i++) {
        const covey_bound_aggregate *aggregate = &q->query->aggregate[i];
        static const covey_perturbed_kind nothing = {0};

        if (aggregate->function == COVEY_SQL_COUNT)
            q->figures[i] = count;
        else if (aggregate->weight && aggregate->column == q->p->sensitive)
            COVEY_TRY(covey_i_perturbed_weighted(&q->figures[i], aggregate, q->p, &q->scan, rows, q->query->shrink,
                                                 q->arena, err));
        else if (aggregate->column == q->p->sensitive)
            covey_i_perturbed_figures(&q->figures[i], aggregate, q->p, selected.n > 0 ? &selected.kind[0] : &nothing,
                                      q->query->shrink, q->room);
        else
            COVEY_TRY(covey_i_rows_known_figures(&q->figures[i], aggregate, &q->p->numbers[aggregate->column],
                                                 q->release->column[aggregate->column].text, &q->scan, rows, q->arena,
                                                 err));
    }
    if ((key && count.upper.num == 0) || !covey_i_exchange_answers(q->query))
        return COVEY_OK;
    return covey_i_query_emit(sink, key, (int64_t)count.lower.num, (int64_t)count.upper.num, q->figures, err);
}

static covey_status check_query(const struct asking *q, covey_error *err)
{
    for (size_t i = 0; i < q->query->n_aggregates; i++) {
        const covey_bound_aggregate *aggregate = &q->query->aggregate[i];

        if (aggregate->function != COVEY_SQL_COUNT &&
            !covey_i_query_are_numbers(&q->release->column[aggregate->column]))
            return covey_fail(err, COVEY_EINVAL, "query: not every value of \"%s\" is a number, so that there is no %s",
                              q->release->column[aggregate->column].name, aggregate->text);
    }
    return COVEY_OK;
}

static covey_status answer(covey_query_sink *sink, const covey_query_release *release, const covey_bound_query *query,
                           const covey_run *run, covey_arena *arena, covey_error *err)
{
    struct asking q = {.release = release,
                       .p = release->state,
                       .query = query,
                       .arena = arena,
                       .figures = covey_arena_array(arena, covey_query_figures, query->n_aggregates)};
    const covey_query_rows all = {NULL, q.p->rows.n};

    if (!q.figures || !(q.room = covey_arena_array(arena, double, 3 * (size_t)q.p->n_values)))
        return covey_i_no_memory(err);
    COVEY_TRY(check_query(&q, err));
    COVEY_TRY(covey_i_row_scan_make(&q.scan, query, arena, err));
    q.scan.weight = q.p->rows.weight;
    if (query->n_keys > 0)
        return covey_i_query_by_keys(sink, release, query, &q.scan, q.p->rows.n, answer_rows, &q, run, arena, err);
    return answer_rows(sink, &q, &all, NULL, err);
}

const covey_query_form covey_query_form_perturbed = {
    .name = "perturbed",
    .quasi_is_exact = true,
    .weighs = true,
    .weighs_sensitive = true,
    .can_shrink = true,
    .adds_up = true,
    .load = load,
    .answer = answer,
    .rewrite = covey_i_perturbed_rewrite,
};
