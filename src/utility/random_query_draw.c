/* Draws random queries and finds their true answers.
 *
 * COUNT: quasi-identifiers are drawn without repetition, each gets a range whose length is the domain's times selectivity^(1/(attributes + 1)), and so does
 * the sensitive attribute: if all were independent and spread evenly, the share of rows selected is the selectivity.  A number's domain is that of its
 * values, one by one for integers; that of a category are its values in the hierarchy's order.  AVG is over quasi-identifiers alone, with the exponent
 * 1/attributes; arbitrary queries pick each value of an attribute by itself.
 *
 * Source: beta-likeness.md section 9; ke-permutation.md section 9. */
#include "utility/random_queries.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "table/table_impl.h"

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory for a workload of queries");
}

static covey_status number_values(covey_query_source *s, covey_arena *arena, covey_error *err)
{
    const covey_column *column = s->original->column[s->sensitive].column;
    double unit = pow(10, column->scale), *number;

    if (!column->number || column->type == COVEY_TYPE_DATE) {
        if (s->kind == COVEY_WORKLOAD_COUNT)
            return COVEY_OK;
        return covey_fail(err, COVEY_EINVAL, "--ranges and --arbitrary ask for averages, and the sensitive column \"%s\" is no number; leave them out to count rows",
                          s->opened->column[s->sensitive].stated->name);
    }
    if (!(number = covey_arena_array(arena, double, column->n_values)))
        return no_memory(err);
    for (uint32_t code = 0; code < column->n_values; code++)
        number[code] = column->has_null && code == 0 ? NAN : (double)column->number[code] / unit;
    s->number = number;
    return COVEY_OK;
}

static covey_status count_values(covey_query_source *s, covey_arena *arena, covey_error *err)
{
    const covey_column *column = s->original->column[s->sensitive].column;
    int64_t *count = covey_arena_array_zero(arena, int64_t, column->n_values);

    if (!count)
        return no_memory(err);
    for (uint32_t row = 0; row < s->original->n_rows; row++)
        count[covey_i_code(column, row)]++;
    s->count = count;
    return COVEY_OK;
}

static covey_status find_sensitive(covey_query_source *s, covey_error *err)
{
    for (uint32_t i = 0; i < s->opened->n_columns; i++)
        if (s->opened->column[i].stated->role == COVEY_ROLE_SENSITIVE) {
            s->sensitive = i;
            return COVEY_OK;
        }
    return covey_fail(err, COVEY_EINVAL, "a workload asks for a sensitive column, and the release has none");
}

covey_status covey_i_query_source_make(covey_query_source *out, const covey_opened *opened, const covey_original *original,
                                       const covey_measure_options *options, covey_arena *arena, covey_error *err)
{
    covey_query_source s = {.opened = opened, .original = original, .kind = options->kind, .n_attributes = options->n_attributes,
                            .selectivity = options->selectivity > 0 ? options->selectivity : 0.1};
    covey_bit_source *source = covey_arena_array_zero(arena, covey_bit_source, opened->n_columns);

    if (!source)
        return no_memory(err);
    if (opened->n_quasi == 0)
        return covey_fail(err, COVEY_EINVAL, "a workload asks for quasi-identifiers, and the release has none");
    if (s.n_attributes == 0)
        s.n_attributes = opened->n_quasi < 3 ? (int)opened->n_quasi : 3;
    if (s.n_attributes < 0 || (size_t)s.n_attributes > opened->n_quasi)
        return covey_fail(err, COVEY_EINVAL, "queries over %d quasi-identifiers: the release has %zu", s.n_attributes, opened->n_quasi);
    if (s.selectivity > 1)
        return covey_fail(err, COVEY_EINVAL, "a selectivity is a share of the rows, above 0 and at most 1");
    COVEY_TRY(find_sensitive(&s, err));
    COVEY_TRY(number_values(&s, arena, err));
    COVEY_TRY(count_values(&s, arena, err));
    for (uint32_t i = 0; i < opened->n_columns; i++)
        if (opened->column[i].stated->role == COVEY_ROLE_QUASI || i == s.sensitive)
            source[i].column = original->column[i].column;
    COVEY_TRY(covey_i_bit_index_make(&s.index, source, opened->n_columns, original->n_rows, arena, err));
    *out = s;
    return COVEY_OK;
}

/* --- drawing --- */

static void add_quoted(covey_text *sql, const char *text, char quote)
{
    covey_i_text_add_char(sql, quote);
    for (; *text; text++) {
        if (*text == quote)
            covey_i_text_add_char(sql, quote);
        covey_i_text_add_char(sql, *text);
    }
    covey_i_text_add_char(sql, quote);
}

static void add_value(covey_text *sql, const covey_opened_column *opened, const covey_column *column, uint32_t code)
{
    const covey_type type = opened->stated->type;

    if (type == COVEY_TYPE_INTEGER || type == COVEY_TYPE_DECIMAL)
        covey_i_text_add_string(sql, covey_column_label(column, code));
    else
        add_quoted(sql, covey_column_label(column, code), '\'');
}

/* Values that are picked, one by one. */
static void add_list(covey_text *sql, const covey_opened_column *opened, const covey_column *column, const uint8_t *picked)
{
    const bool null = column->has_null && picked[0];
    const char *between = "";

    covey_i_text_add_char(sql, '(');
    if (null) {
        add_quoted(sql, opened->stated->name, '"');
        covey_i_text_add_string(sql, " IS NULL");
    }
    for (uint32_t code = column->has_null; code < column->n_values; code++) {
        if (!picked[code])
            continue;
        if (!*between) {
            covey_i_text_add_string(sql, null ? " OR " : "");
            add_quoted(sql, opened->stated->name, '"');
            covey_i_text_add_string(sql, " IN (");
        }
        covey_i_text_add_string(sql, between);
        add_value(sql, opened, column, code);
        between = ", ";
    }
    covey_i_text_add_string(sql, *between ? "))" : ")");
}

static uint64_t length_of(uint64_t n, double share)
{
    const double length = round((double)n * share);

    return length < 1 ? 1 : length > (double)n ? n : (uint64_t)length;
}

/* Integers: a range of the domain, whether or not its values occur. */
static void draw_numbers(covey_drawn_query *q, const covey_opened_column *opened, const covey_column *column, double share, covey_rng *rng)
{
    const uint32_t first = column->has_null, last = column->n_values - 1;
    const uint64_t n = (uint64_t)(column->number[last] - column->number[first]) + 1, length = length_of(n, share);
    const int64_t low = column->number[first] + (int64_t)covey_i_rng_below(rng, n - length + 1), high = low + (int64_t)(length - 1);

    for (uint32_t code = first; code <= last; code++)
        q->picked[code] = column->number[code] >= low && column->number[code] <= high;
    add_quoted(&q->sql, opened->stated->name, '"');
    covey_i_text_add_format(&q->sql, " BETWEEN %" PRId64 " AND %" PRId64, low, high);
}

static void draw_values(covey_drawn_query *q, const covey_column *column, double share, bool one_by_one, covey_rng *rng)
{
    const uint32_t n = column->n_values, length = (uint32_t)length_of(n, share), first = one_by_one ? 0 : (uint32_t)covey_i_rng_below(rng, n - length + 1);

    if (!one_by_one) {
        memset(q->picked + first, 1, length);
        return;
    }
    for (uint32_t code = n - length; code < n; code++) { /* Floyd: all sets of that size alike */
        uint32_t other = (uint32_t)covey_i_rng_below(rng, (uint64_t)code + 1);

        q->picked[q->picked[other] ? code : other] = 1;
    }
}

/* --- the truth --- */

static void keep_picked(covey_drawn_query *q, const covey_query_source *s, uint32_t i)
{
    const covey_column *column = s->original->column[i].column;
    covey_bit_test test = {.column = &s->index.column[i], .run = q->run};

    if (test.column->n > 0) {
        for (uint32_t code = 0; code < column->n_values; code++) { /* places are codes */
            if (q->picked[code] && (code == 0 || !q->picked[code - 1]))
                q->run[test.n_runs++].first = code;
            if (q->picked[code])
                q->run[test.n_runs - 1].last = code;
        }
        covey_i_bit_keep(q->rows, &test, 0, s->index.n_words);
        return;
    }
    for (uint32_t w = 0; w < s->index.n_words; w++)
        for (uint64_t left = q->rows[w]; left; left &= left - 1)
            if (!q->picked[covey_i_code(column, (int64_t)w * 64 + __builtin_ctzll(left))])
                q->rows[w] &= ~(left & -left);
}

static int64_t count_rows(const covey_drawn_query *q, const covey_query_source *s)
{
    int64_t n = 0;

    for (uint32_t w = 0; w < s->index.n_words; w++)
        n += __builtin_popcountll(q->rows[w]);
    return n;
}

static double average(const covey_drawn_query *q, const covey_query_source *s)
{
    const covey_column *column = s->original->column[s->sensitive].column;
    double sum = 0;
    int64_t n = 0;

    for (uint32_t w = 0; w < s->index.n_words; w++)
        for (uint64_t left = q->rows[w]; left; left &= left - 1) {
            double number = s->number[covey_i_code(column, (int64_t)w * 64 + __builtin_ctzll(left))];

            sum += isnan(number) ? 0 : number;
            n += !isnan(number);
        }
    return n > 0 ? sum / (double)n : NAN;
}

/* A condition on one column, by its share of the domain. */
static void draw_condition(covey_drawn_query *q, const covey_query_source *s, uint32_t i, double share, covey_rng *rng)
{
    const covey_opened_column *opened = &s->opened->column[i];
    const covey_column *column = s->original->column[i].column;

    memset(q->picked, 0, column->n_values);
    if (s->kind != COVEY_WORKLOAD_ARBITRARY && opened->stated->type == COVEY_TYPE_INTEGER && column->number && column->n_values > column->has_null) {
        draw_numbers(q, opened, column, share, rng);
    } else {
        draw_values(q, column, share, s->kind == COVEY_WORKLOAD_ARBITRARY, rng);
        add_list(&q->sql, opened, column, q->picked);
    }
    keep_picked(q, s, i);
}

covey_status covey_i_query_draw(covey_drawn_query *q, const covey_query_source *s, covey_rng *rng, covey_error *err)
{
    const bool counts = s->kind == COVEY_WORKLOAD_COUNT;
    const double share = pow(s->selectivity, 1.0 / (s->n_attributes + counts));
    const uint32_t n_quasi = (uint32_t)s->opened->n_quasi;
    int64_t n;

    covey_i_text_clear(&q->sql);
    covey_i_text_add_string(&q->sql, counts ? "SELECT COUNT(*) WHERE " : "SELECT AVG(");
    if (!counts) {
        add_quoted(&q->sql, s->opened->column[s->sensitive].stated->name, '"');
        covey_i_text_add_string(&q->sql, ") WHERE ");
    }
    covey_i_bit_all(q->rows, &s->index, 0, s->index.n_words);
    memcpy(q->attribute, s->opened->quasi, n_quasi * sizeof *q->attribute);
    for (int i = 0; i < s->n_attributes; i++) {
        const uint32_t other = (uint32_t)i + (uint32_t)covey_i_rng_below(rng, n_quasi - (uint32_t)i), drawn = q->attribute[other];

        q->attribute[other] = q->attribute[i];
        q->attribute[i] = drawn;
        covey_i_text_add_string(&q->sql, i > 0 ? " AND " : "");
        draw_condition(q, s, drawn, share, rng);
    }
    n = count_rows(q, s);
    q->baseline = NAN;
    if (counts) {
        int64_t matching = 0;

        covey_i_text_add_string(&q->sql, " AND ");
        draw_condition(q, s, s->sensitive, share, rng);
        for (uint32_t code = 0; code < s->original->column[s->sensitive].column->n_values; code++)
            matching += q->picked[code] ? s->count[code] : 0;
        q->baseline = (double)n * (double)matching / (double)s->original->n_rows;
        q->truth = (double)count_rows(q, s);
    } else {
        q->truth = average(q, s);
    }
    return q->sql.broken ? no_memory(err) : COVEY_OK;
}
