/* Draws random queries and finds their true answers.
 *
 * COUNT: quasi-identifiers are drawn without repetition, each gets a range whose length is the domain's times
 * selectivity^(1/(attributes + 1)), and so does the sensitive attribute: if all were independent and spread evenly, the
 * share of rows selected is the selectivity.  A number's domain is that of its values, one by one for integers unless
 * fewer than a tenth of these occur; that of a category are its values in the hierarchy's order, of which 1,000 are
 * listed at most.  AVG is over
 * quasi-identifiers alone, with the exponent 1/attributes; arbitrary queries pick each value of an attribute by itself.
 *
 * Source: the experiments of [CaoKarras12] and of [Zhang07]. */
#include "utility/random_queries.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "table/table_impl.h"

static const uint64_t FIRST_STREAM = 0x71756572; /* "quer" */
enum {
    MOST_GAP = 10,     /* integers of a domain for one that occurs */
    MOST_LISTED = 1000 /* values that a condition lists: each is a test, and queries have a most of these */
};

static const covey_asked_column *sensitive_of(const covey_query_source *s)
{
    return &s->column[s->n_quasi];
}

static covey_status number_values(covey_query_source *s, covey_arena *arena, covey_error *err)
{
    const covey_column *column = sensitive_of(s)->column;
    double unit = pow(10, column->scale), *number;

    if (!column->number || column->type == COVEY_TYPE_DATE) {
        if (s->kind == COVEY_WORKLOAD_COUNT)
            return COVEY_OK;
        return covey_fail(err, COVEY_EINVAL,
                          "--ranges and --arbitrary ask for averages, and the sensitive column \"%s\" is no number; "
                          "leave them out to count rows",
                          sensitive_of(s)->name);
    }
    if (!(number = covey_arena_array(arena, double, column->n_values)))
        return covey_i_no_memory(err);
    for (uint32_t code = 0; code < column->n_values; code++)
        number[code] = column->has_null && code == 0 ? NAN : (double)column->number[code] / unit;
    s->number = number;
    return COVEY_OK;
}

static covey_status count_values(covey_query_source *s, covey_arena *arena, covey_error *err)
{
    const covey_column *column = sensitive_of(s)->column;
    int64_t *count = covey_arena_array_zero(arena, int64_t, column->n_values);

    if (!count)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < s->n_rows; row++)
        count[covey_i_code(column, row)]++;
    s->count = count;
    return COVEY_OK;
}

covey_status covey_i_query_columns(const covey_asked_column **out, size_t *n_quasi, const covey_opened *opened,
                                   const covey_original *original, covey_arena *arena, covey_error *err)
{
    covey_asked_column *column = covey_arena_array(arena, covey_asked_column, opened->n_quasi + 1);
    uint32_t sensitive = 0;

    if (!column)
        return covey_i_no_memory(err);
    if (opened->n_quasi == 0)
        return covey_fail(err, COVEY_EINVAL, "a workload asks for quasi-identifiers, and the release has none");
    while (sensitive < opened->n_columns && opened->column[sensitive].stated->role != COVEY_ROLE_SENSITIVE)
        sensitive++;
    if (sensitive == opened->n_columns)
        return covey_fail(err, COVEY_EINVAL, "a workload asks for a sensitive column, and the release has none");
    for (size_t q = 0; q <= opened->n_quasi; q++) {
        const uint32_t i = q < opened->n_quasi ? opened->quasi[q] : sensitive;

        column[q] = (covey_asked_column){opened->column[i].stated->name, opened->column[i].stated->type,
                                         original->column[i].column};
    }
    *out = column;
    *n_quasi = opened->n_quasi;
    return COVEY_OK;
}

covey_status covey_i_query_source_make(covey_query_source *out, const covey_asked_column *column, size_t n_quasi,
                                       bool has_sensitive, uint32_t n_rows, const covey_measure_options *options,
                                       covey_arena *arena, covey_error *err)
{
    covey_query_source s = {.column = column,
                            .n_quasi = n_quasi,
                            .has_sensitive = has_sensitive,
                            .n_rows = n_rows,
                            .kind = options->kind,
                            .n_attributes = options->n_attributes,
                            .selectivity = options->selectivity > 0 ? options->selectivity : 0.1};
    covey_bit_source *source = covey_arena_array_zero(arena, covey_bit_source, n_quasi + has_sensitive);

    if (!source)
        return covey_i_no_memory(err);
    if (s.n_attributes == 0)
        s.n_attributes = n_quasi < 3 ? (int)n_quasi : 3;
    if (s.n_attributes < 0 || (size_t)s.n_attributes > n_quasi)
        return covey_fail(err, COVEY_EINVAL, "queries over %d quasi-identifiers: the release has %zu", s.n_attributes,
                          n_quasi);
    if (s.selectivity > 1)
        return covey_fail(err, COVEY_EINVAL, "a selectivity is a share of the rows, above 0 and at most 1");
    if (has_sensitive) {
        COVEY_TRY(number_values(&s, arena, err));
        COVEY_TRY(count_values(&s, arena, err));
    }
    for (size_t i = 0; i < n_quasi + has_sensitive; i++)
        source[i].column = column[i].column;
    COVEY_TRY(covey_i_bit_index_make(&s.index, source, n_quasi + has_sensitive, n_rows, arena, err));
    *out = s;
    return COVEY_OK;
}

covey_status covey_i_drawn_query_new(covey_drawn_query *q, const covey_query_source *source, covey_arena *arena,
                                     covey_error *err)
{
    size_t most = 1;

    for (size_t i = 0; i < source->n_quasi + source->has_sensitive; i++)
        if (source->column[i].column->n_values > most)
            most = source->column[i].column->n_values;
    *q = (covey_drawn_query){.sql = COVEY_TEXT_INIT,
                             .rows = covey_arena_array(arena, uint64_t, source->index.n_words),
                             .picked = covey_arena_array(arena, uint8_t, most),
                             .attribute = covey_arena_array(arena, uint32_t, source->n_quasi),
                             .run = covey_arena_array(arena, covey_bit_run, most)};
    return q->rows && q->picked && q->attribute && q->run ? COVEY_OK : covey_i_no_memory(err);
}

covey_status covey_i_query_key(unsigned char key[32], const covey_run *run, covey_error *err)
{
    const covey_run seeded = {.has_seed = true, .seed = run && run->has_seed ? run->seed : 1};

    return covey_i_rng_key(key, &seeded, err);
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

static void add_value(covey_text *sql, const covey_asked_column *asked, uint32_t code)
{
    const covey_column *column = asked->column;
    const covey_type type = asked->type;

    if (type == COVEY_TYPE_INTEGER || type == COVEY_TYPE_DECIMAL)
        covey_i_text_add_string(sql, covey_column_label(column, code));
    else
        add_quoted(sql, covey_column_label(column, code), '\'');
}

/* Can a run of values be asked for by its ends?  Codes of numbers and dates are in their order. */
static bool is_ranged(const covey_asked_column *asked)
{
    return asked->type != COVEY_TYPE_TEXT && asked->column->number;
}

/* Values that are picked: one by one, or, where very many are, and all between the first and the last, as a range. */
static void add_picked(covey_text *sql, const covey_asked_column *asked, const uint8_t *picked)
{
    const covey_column *column = asked->column;
    const bool null = column->has_null && picked[0];
    const char *between = "";
    uint32_t first = column->has_null, last = 0, n = 0;

    covey_i_text_add_char(sql, '(');
    if (null) {
        add_quoted(sql, asked->name, '"');
        covey_i_text_add_string(sql, " IS NULL");
    }
    while (first < column->n_values && !picked[first])
        first++;
    for (uint32_t code = first; code < column->n_values; code++)
        if (picked[code]) {
            last = code;
            n++;
        }
    if (n > MOST_LISTED) {
        covey_i_text_add_string(sql, null ? " OR " : "");
        add_quoted(sql, asked->name, '"');
        covey_i_text_add_string(sql, " BETWEEN ");
        add_value(sql, asked, first);
        covey_i_text_add_string(sql, " AND ");
        add_value(sql, asked, last);
        covey_i_text_add_char(sql, ')');
        return;
    }
    for (uint32_t code = column->has_null; code < column->n_values; code++) {
        if (!picked[code])
            continue;
        if (!*between) {
            covey_i_text_add_string(sql, null ? " OR " : "");
            add_quoted(sql, asked->name, '"');
            covey_i_text_add_string(sql, " IN (");
        }
        covey_i_text_add_string(sql, between);
        add_value(sql, asked, code);
        between = ", ";
    }
    covey_i_text_add_string(sql, *between ? "))" : ")");
}

static uint64_t length_of(uint64_t n, double share)
{
    const double length = round((double)n * share);

    return length < 1 ? 1 : length > (double)n ? n : (uint64_t)length;
}

/* Integers: a range of the domain, whether or not its values occur; where hardly any do, a range of those that do: most
 * of the others would select nothing, and values at the ends of the domain, or close together, would be in hardly any.
 */
static void draw_numbers(covey_drawn_query *q, const covey_asked_column *asked, double share, covey_rng *rng)
{
    const covey_column *column = asked->column;
    const uint32_t first = column->has_null, last = column->n_values - 1;
    const uint64_t domain = (uint64_t)(column->number[last] - column->number[first]) + 1,
                   n_occurring = (uint64_t)last - first + 1;
    const bool is_sparse = domain / MOST_GAP > n_occurring;
    const uint64_t n = is_sparse ? n_occurring : domain, length = length_of(n, share),
                   begin = covey_i_rng_below(rng, n - length + 1), end = begin + length - 1;
    const int64_t low = is_sparse ? column->number[first + begin] : column->number[first] + (int64_t)begin,
                  high = is_sparse ? column->number[first + end] : column->number[first] + (int64_t)end;

    for (uint32_t code = first; code <= last; code++)
        q->picked[code] = column->number[code] >= low && column->number[code] <= high;
    add_quoted(&q->sql, asked->name, '"');
    covey_i_text_add_format(&q->sql, " BETWEEN %" PRId64 " AND %" PRId64, low, high);
}

static void draw_values(covey_drawn_query *q, const covey_asked_column *asked, double share, bool one_by_one,
                        covey_rng *rng)
{
    const uint32_t n = asked->column->n_values, wanted = (uint32_t)length_of(n, share),
                   length = wanted > MOST_LISTED && (one_by_one || !is_ranged(asked)) ? MOST_LISTED : wanted,
                   first = one_by_one ? 0 : (uint32_t)covey_i_rng_below(rng, n - length + 1);

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
    const covey_column *column = s->column[i].column;
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

static double average(const covey_drawn_query *q, const covey_query_source *s)
{
    const covey_column *column = sensitive_of(s)->column;
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
    const covey_asked_column *asked = &s->column[i];
    const covey_column *column = asked->column;

    memset(q->picked, 0, column->n_values);
    if (s->kind != COVEY_WORKLOAD_ARBITRARY && asked->type == COVEY_TYPE_INTEGER && column->number &&
        column->n_values > column->has_null) {
        draw_numbers(q, asked, share, rng);
    } else {
        draw_values(q, asked, share, s->kind == COVEY_WORKLOAD_ARBITRARY, rng);
        add_picked(&q->sql, asked, q->picked);
    }
    keep_picked(q, s, i);
}

covey_status covey_i_query_draw(covey_drawn_query *q, const covey_query_source *s, const unsigned char key[32],
                                int64_t number, covey_error *err)
{
    const bool counts = s->kind == COVEY_WORKLOAD_COUNT;
    const double share = pow(s->selectivity, 1.0 / (s->n_attributes + (counts && s->has_sensitive)));
    const uint32_t n_quasi = (uint32_t)s->n_quasi;
    covey_rng rng;
    int64_t n;

    covey_i_text_clear(&q->sql);
    covey_i_text_add_string(&q->sql, counts ? "SELECT COUNT(*) WHERE " : "SELECT AVG(");
    if (!counts) {
        add_quoted(&q->sql, sensitive_of(s)->name, '"');
        covey_i_text_add_string(&q->sql, ") WHERE ");
    }
    covey_i_bit_all(q->rows, &s->index, 0, s->index.n_words);
    for (uint32_t i = 0; i < n_quasi; i++)
        q->attribute[i] = i;
    covey_i_rng_init(&rng, key, FIRST_STREAM + ((uint64_t)number << 32));
    for (int i = 0; i < s->n_attributes; i++) {
        const uint32_t other = (uint32_t)i + (uint32_t)covey_i_rng_below(&rng, n_quasi - (uint32_t)i),
                       drawn = q->attribute[other];

        q->attribute[other] = q->attribute[i];
        q->attribute[i] = drawn;
        covey_i_text_add_string(&q->sql, i > 0 ? " AND " : "");
        draw_condition(q, s, drawn, share, &rng);
    }
    n = covey_i_bit_count(q->rows, s->index.n_words);
    q->baseline = NAN;
    if (counts && !s->has_sensitive) {
        q->truth = (double)n;
    } else if (counts) {
        int64_t matching = 0;

        covey_i_text_add_string(&q->sql, " AND ");
        draw_condition(q, s, n_quasi, share, &rng);
        for (uint32_t code = 0; code < sensitive_of(s)->column->n_values; code++)
            matching += q->picked[code] ? s->count[code] : 0;
        q->baseline = (double)n * (double)matching / (double)s->n_rows;
        q->truth = (double)covey_i_bit_count(q->rows, s->index.n_words);
    } else {
        q->truth = average(q, s);
    }
    return q->sql.broken ? covey_i_no_memory(err) : COVEY_OK;
}
