/* How large classes are, and how sensitive values are distributed before and after. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/units.h"
#include "report/facts.h"
#include "table/table_impl.h"

enum { MOST_VALUES = 15, N_BINS = 10, MOST_SIZES = 40 };

/* --- sizes --- */

/* 1, 2, 3-4, 5-10, 11-20, 21-50, 51-100, 101-200, ... */
static int64_t end_of(size_t bin)
{
    static const int64_t first[] = {1, 2, 4, 10}, part[] = {20, 50, 100};
    int64_t scale = 1;

    if (bin < 4)
        return first[bin];
    for (size_t i = 0; i < (bin - 4) / 3; i++)
        scale *= 10;
    return part[(bin - 4) % 3] * scale;
}

/* unit: [n_classes] units of each class; NULL: rows count. */
static covey_status count_sizes(covey_fact_spread *out, covey_facts *f, const int64_t *unit, covey_error *err)
{
    covey_fact_sizes *sizes = covey_arena_array_zero(&f->arena, covey_fact_sizes, MOST_SIZES);
    size_t last = 0, first = MOST_SIZES;
    int64_t least = INT64_MAX, most = 0;

    if (!sizes)
        return covey_i_no_memory(err);
    for (size_t b = 0; b < MOST_SIZES; b++) {
        sizes[b].from = b == 0 ? 1 : end_of(b - 1) + 1;
        sizes[b].to = end_of(b < 24 ? b : 24);
    }
    for (uint32_t c = 0; f->opened->class_start && c < f->opened->n_classes; c++) {
        const int64_t n_rows = (int64_t)f->opened->class_start[c + 1] - f->opened->class_start[c],
                      n = unit ? unit[c] : n_rows;
        size_t b = 0;

        while (n > sizes[b].to)
            b++;
        sizes[b].n_classes++;
        sizes[b].n_rows += n_rows;
        out->n_below_11 += n < 11 ? n : 0;
        out->n_below_20 += n < 20 ? n : 0;
        least = n < least ? n : least;
        most = n > most ? n : most;
        first = b < first ? b : first;
        last = b > last ? b : last;
    }
    if (first < MOST_SIZES) { /* the ends are those that occur */
        sizes[first].from = least;
        sizes[last].to = most;
    }
    out->n = first < MOST_SIZES ? last - first + 1 : 0;
    out->sizes = out->n ? sizes + first : NULL;
    return COVEY_OK;
}

static double measured(const covey_facts *f, const char *metric)
{
    for (size_t i = 0; f->measured && i < f->measured->n_figures; i++)
        if (strcmp(covey_metric_name(f->measured->figure[i].metric), metric) == 0)
            return f->measured->figure[i].value;
    return NAN;
}

static covey_status find_who(covey_facts *f, covey_error *err)
{
    const covey_release_figures *v = &f->verdict->figures;
    const bool is_household = f->stated->has_households;

    COVEY_TRY(count_sizes(&f->rows, f, NULL, err));
    f->who = (covey_fact_who){.one = "row",
                              .many = "rows",
                              .n = f->opened->n_rows,
                              .smallest = v->smallest_class,
                              .largest_risk = v->largest_risk,
                              .mean_risk = v->mean_risk,
                              .spread = &f->rows};
    f->population = (covey_fact_population){true, measured(f, "fewest_people"), measured(f, "largest_population_risk"),
                                            measured(f, "mean_population_risk")};
    if (!f->opened->units || (isnan(measured(f, "largest_unit_risk")) && !f->is_exact))
        return COVEY_OK;
    COVEY_TRY(count_sizes(&f->units, f, f->opened->units->n_units, err));
    f->who = (covey_fact_who){.is_unit = true,
                              .one = is_household ? "household" : "person",
                              .many = is_household ? "households" : "persons",
                              .n = f->stated->n_units,
                              .smallest = f->units.n > 0 ? f->units.sizes[0].from : 0,
                              .largest_risk = measured(f, "largest_unit_risk"),
                              .mean_risk = measured(f, "mean_unit_risk"),
                              .spread = &f->units};
    return COVEY_OK;
}

/* --- values --- */

struct value {
    const char *text;
    int64_t number;
    bool is_missing;
    int64_t before, after;
};

struct values {
    const covey_stated_column *stated;
    bool is_number, has_before;
    int scale;
    size_t n;
    struct value *value;
};

static bool read_number(const struct values *v, int64_t *number, const char *text)
{
    int scale;

    if (v->stated->type == COVEY_TYPE_DATE)
        return covey_i_typing_parse_date(number, text, strlen(text));
    return covey_i_typing_parse_decimal(number, &scale, text, strlen(text)) &&
           covey_i_typing_rescale_number(number, scale, v->scale);
}

static void add_value(struct values *v, const char *text, bool is_missing, int64_t before, int64_t after)
{
    struct value *value = &v->value[v->n++];

    *value = (struct value){.text = text, .is_missing = is_missing, .before = before, .after = after};
    if (v->is_number && !is_missing && !read_number(v, &value->number, text))
        v->is_number = false;
}

static int by_text(const void *a, const void *b)
{
    const struct value *x = a, *y = b;

    return x->is_missing != y->is_missing ? (x->is_missing ? -1 : 1) : strcmp(x->text, y->text);
}

/* What was counted twice, before and after, becomes one. */
static void merge(struct values *v)
{
    size_t n = 0;

    qsort(v->value, v->n, sizeof *v->value, by_text);
    for (size_t i = 0; i < v->n; i++)
        if (n > 0 && by_text(&v->value[n - 1], &v->value[i]) == 0) {
            v->value[n - 1].before += v->value[i].before;
            v->value[n - 1].after += v->value[i].after;
        } else {
            v->value[n++] = v->value[i];
        }
    v->n = n;
}

/* Rows that show each cell: an entry of a table stands for one row, or for as many as it counts. */
static void count_after(struct values *v, const covey_opened *opened, const covey_opened_column *column, int64_t *count)
{
    const int64_t *weight = column->table->table && opened->groups.count && opened->groups.n > 0 &&
                                    (int64_t)opened->groups.start[opened->groups.n] == column->text->n_rows
                                ? opened->groups.count
                                : NULL;

    for (int64_t row = 0; row < column->text->n_rows; row++)
        count[covey_i_code(column->text, row)] += weight ? weight[row] : 1;
    for (uint32_t code = 0; code < column->text->n_values; code++)
        if (count[code] > 0) {
            const char *label = covey_column_label(column->text, code);
            const bool is_missing = (column->text->has_null && code == 0) || label[0] == '\0';

            add_value(v, is_missing ? "missing" : label, is_missing, 0, count[code]);
        }
}

static void count_before(struct values *v, const covey_facts *f, const covey_column *original, int64_t *count)
{
    const int prior = covey_i_stated_prior(f->stated, v->stated->name);

    if (prior >= 0) {
        const covey_stated_prior *p = &f->stated->prior[prior];

        for (size_t i = 0; i < p->n; i++) {
            const bool is_missing = v->stated->has_missing && strcmp(p->value[i], "null") == 0;

            add_value(v, is_missing ? "missing" : p->value[i], is_missing, p->count[i], 0);
        }
        v->has_before = true;
    } else if (original) {
        for (int64_t row = 0; row < original->n_rows; row++)
            count[covey_i_code(original, row)]++;
        for (uint32_t code = 0; code < original->n_values; code++)
            if (count[code] > 0) {
                const bool is_missing = original->has_null && code == 0;

                add_value(v, is_missing ? "missing" : covey_column_label(original, code), is_missing, count[code], 0);
            }
        v->has_before = true;
    }
}

static int64_t weight_of(const struct value *value)
{
    return value->before > value->after ? value->before : value->after;
}

/* The value as people read it: with its label in front, where it has one. */
static const char *shown(covey_facts *f, const struct values *v, const struct value *value)
{
    const char *label = json_string_value(json_object_get(v->stated->value_labels, value->text));
    covey_text both = COVEY_TEXT_INIT;

    if (!label || value->is_missing)
        return value->text;
    covey_i_text_add_format(&both, "%s (%s)", label, value->text);
    return covey_i_text_keep(&both, &f->arena);
}

static int by_number(const void *a, const void *b)
{
    const struct value *x = a, *y = b;

    if (x->is_missing != y->is_missing)
        return x->is_missing ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_weight(const void *a, const void *b)
{
    const struct value *x = a, *y = b;

    if (weight_of(x) != weight_of(y))
        return weight_of(x) < weight_of(y) ? 1 : -1;
    return strcmp(x->text, y->text);
}

static const char *bin_label(covey_facts *f, const struct values *v, int64_t low, int64_t high)
{
    char from[64], to[64], text[160];

    covey_i_typing_format_number(from, sizeof from, v->stated->type, low, v->scale);
    covey_i_typing_format_number(to, sizeof to, v->stated->type, high, v->scale);
    snprintf(text, sizeof text, low == high ? "%s" : "%s to %s", from, to);
    return covey_arena_strdup(&f->arena, text);
}

/* Many numbers are shown as ranges of equal width. */
static size_t put_bins(covey_fact_share *share, covey_facts *f, const struct values *v)
{
    size_t n = 0, i = 0;
    int64_t low, high;

    for (; i < v->n && v->value[i].is_missing; i++)
        share[n++] = (covey_fact_share){shown(f, v, &v->value[i]), v->value[i].before, v->value[i].after};
    low = v->value[i].number;
    high = v->value[v->n - 1].number;
    for (int b = 0; b < N_BINS; b++) {
        const __int128 width = (__int128)high - low + 1;
        const int64_t from = low + (int64_t)(width * b / N_BINS), to = low + (int64_t)(width * (b + 1) / N_BINS) - 1;

        share[n] = (covey_fact_share){bin_label(f, v, from, to), 0, 0};
        for (; i < v->n && v->value[i].number <= to; i++) {
            share[n].before += v->value[i].before;
            share[n].after += v->value[i].after;
        }
        n++;
    }
    return n;
}

/* Of many texts the most frequent ones, and all others together. */
static size_t put_values(covey_fact_share *share, covey_facts *f, const struct values *v)
{
    const size_t n_shown = v->n > MOST_VALUES ? MOST_VALUES - 1 : v->n;
    covey_fact_share *rest = &share[n_shown];
    char text[64];

    for (size_t i = 0; i < n_shown; i++)
        share[i] = (covey_fact_share){shown(f, v, &v->value[i]), v->value[i].before, v->value[i].after};
    if (n_shown == v->n)
        return n_shown;
    snprintf(text, sizeof text, "%zu other values", v->n - n_shown);
    *rest = (covey_fact_share){covey_arena_strdup(&f->arena, text), 0, 0};
    for (size_t i = n_shown; i < v->n; i++) {
        rest->before += v->value[i].before;
        rest->after += v->value[i].after;
    }
    return n_shown + 1;
}

static covey_status distribute(covey_fact_distribution *out, covey_facts *f, size_t index, covey_error *err)
{
    const covey_opened_column *column = &f->opened->column[index];
    const covey_column *original = f->own_original ? f->own_original->column[index].column : NULL;
    const int prior = covey_i_stated_prior(f->stated, column->stated->name);
    const size_t most =
        column->text->n_values + (prior >= 0 ? f->stated->prior[prior].n : 0) + (original ? original->n_values : 0) + 1;
    struct values v = {.stated = column->stated,
                       .scale = column->scale,
                       .is_number = column->stated->type != COVEY_TYPE_TEXT,
                       .value = covey_arena_array(&f->arena, struct value, most)};
    int64_t *count = covey_arena_array_zero(&f->arena, int64_t, 2 * most);
    covey_fact_share *share = covey_arena_array_zero(&f->arena, covey_fact_share, MOST_VALUES + N_BINS + 1);

    if (!v.value || !count || !share)
        return covey_i_no_memory(err);
    count_after(&v, f->opened, column, count);
    count_before(&v, f, original, count + most);
    merge(&v);
    qsort(v.value, v.n, sizeof *v.value, v.is_number ? by_number : by_weight);
    *out = (covey_fact_distribution){.attribute = column->stated->name, .share = share};
    out->n = v.is_number && v.n > MOST_VALUES ? put_bins(share, f, &v) : put_values(share, f, &v);
    for (size_t i = 0; i < out->n; i++) {
        if (!share[i].label)
            return covey_i_no_memory(err);
        out->n_after += share[i].after;
        if (v.has_before)
            out->n_before += share[i].before;
        else
            share[i].before = -1;
    }
    return COVEY_OK;
}

covey_status covey_i_facts_count(covey_facts *f, covey_error *err)
{
    covey_fact_distribution *distribution =
        covey_arena_array_zero(&f->arena, covey_fact_distribution, f->opened->n_columns + 1);

    f->least_loss = measured(f, "lower_bound");
    COVEY_TRY(find_who(f, err));
    if (!distribution)
        return covey_i_no_memory(err);
    for (size_t c = 0; c < f->opened->n_columns; c++)
        if (f->opened->column[c].stated->role == COVEY_ROLE_SENSITIVE && f->opened->column[c].text &&
            f->opened->column[c].table) {
            COVEY_TRY(distribute(&distribution[f->n_distributions], f, c, err));
            /* Of a form that does not publish values row by row there is nothing to count. */
            f->n_distributions += distribution[f->n_distributions].n_after == f->stated->n_published;
        }
    f->distribution = distribution;
    return COVEY_OK;
}

/* --- what only the original tells --- */

static double detail(const covey_attack_result *r, const char *name)
{
    for (size_t i = 0; i < r->n_details; i++)
        if (strcmp(r->detail[i].name, name) == 0)
            return r->detail[i].value.kind == COVEY_ATTACK_INTEGER ? (double)r->detail[i].value.integer
                                                                   : r->detail[i].value.number;
    return NAN;
}

void covey_i_facts_count_people(covey_facts *f, const covey_report_options *asked)
{
    for (size_t i = 0; f->attacks && i < f->attacks->n_results; i++) {
        const covey_attack_result *r = &f->attacks->result[i];

        if (!r->applies || strcmp(covey_attack_name(r->attack), "re-identification") != 0)
            continue;
        if (!(f->population.fewest_people > 0))
            f->population = (covey_fact_population){false, detail(r, "fewest_people_estimated"),
                                                    detail(r, "weighted_max"), detail(r, "weighted_mean")};
        if (f->who.is_unit && detail(r, "unit_max") > 0) /* with links counted, where the files tell a bound */
            f->who.largest_risk = detail(r, "unit_max");
        if (!f->who.is_unit && !f->stated->has_counterfeits && detail(r, "entities") > 0)
            f->persons = (covey_fact_persons){(int64_t)detail(r, "entities"), asked->weight != NULL,
                                              detail(r, "entity_max"), detail(r, "entity_mean")};
    }
}
