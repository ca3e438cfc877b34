/* A sensitive column that knows the values of earlier signatures, too: those that have died out have to be made up. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/compare.h"
#include "job/ledger.h"
#include "reader/names.h"
#include "table/table_impl.h"

/* Values of a dictionary that is being made. */
struct entry {
    covey_label label;
    int64_t number;
    uint32_t old; /* code in the column; UINT32_MAX: it is new */
};

struct widening {
    const covey_column *column;
    const covey_ledger *ledger;
    covey_names names; /* labels of the column, then those that are new */
    struct entry *entry;
    int scale;
};

static covey_status fail(const struct widening *w, covey_error *err, const char *why)
{
    return covey_fail_at(err, COVEY_EINVAL, w->ledger->path, 0, NULL, 0,
                         "values of \"%s\" in earlier releases do not fit this table: %s", w->column->name, why);
}

/* Adds the texts of the signatures that are asked for. */
static covey_status add_texts(struct widening *w, const uint32_t *number, covey_arena *arena, covey_error *err)
{
    const covey_ledger *l = w->ledger;
    uint32_t at;

    COVEY_TRY(covey_i_names_init(&w->names, w->column->n_values, arena, err));
    for (uint32_t v = 0; v < w->column->n_values; v++)
        COVEY_TRY(covey_i_names_add(&at, &w->names, covey_column_label(w->column, v), err));
    for (uint32_t i = 0; i < l->n_signatures; i++)
        for (uint32_t v = l->start[i]; v < l->start[i + 1] && number[i] != UINT32_MAX; v++)
            COVEY_TRY(covey_i_names_add(&at, &w->names, l->value[v], err));
    return COVEY_OK;
}

/* A text as a number of the column's type; *scale: digits after the point. */
static bool parse(int64_t *number, int *scale, covey_type type, const char *text)
{
    *scale = 0;
    if (type == COVEY_TYPE_DATE)
        return covey_i_typing_parse_date(number, text, strlen(text));
    return covey_i_typing_parse_decimal(number, scale, text, strlen(text)) && (type != COVEY_TYPE_INTEGER || !*scale);
}

/* All of one scale. */
static covey_status find_numbers(struct widening *w, covey_error *err)
{
    const uint32_t n_old = w->column->n_values;
    int scale;

    w->scale = w->column->scale;
    for (uint32_t v = n_old; v < w->names.n; v++) {
        if (!parse(&w->entry[v].number, &scale, w->column->type, w->names.text[v]))
            return fail(w, err, "they are no numbers, but these are; declare type: text");
        w->scale = scale > w->scale ? scale : w->scale;
    }
    for (uint32_t v = 0; v < w->names.n; v++) {
        scale = w->column->scale;
        if (v < n_old)
            w->entry[v].number = w->column->number[v];
        else
            parse(&w->entry[v].number, &scale, w->column->type, w->names.text[v]);
        if (!covey_i_typing_rescale_number(&w->entry[v].number, scale, w->scale))
            return fail(w, err, "together they have more than 18 digits");
    }
    return COVEY_OK;
}

static int compare_labels(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->label.text, ((const struct entry *)b)->label.text);
}

static int compare_numbers(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

static covey_status sort_entries(struct widening *w, covey_error *err)
{
    const uint32_t first = w->column->has_null;
    const bool is_number = covey_column_is_number(w->column);

    if (is_number)
        COVEY_TRY(find_numbers(w, err));
    qsort(w->entry + first, w->names.n - first, sizeof *w->entry, is_number ? compare_numbers : compare_labels);
    for (uint32_t v = first + 1; is_number && v < w->names.n; v++)
        if (w->entry[v].number == w->entry[v - 1].number)
            return fail(w, err, "a number is written in another way; write numbers alike in all releases");
    return COVEY_OK;
}

/* The column with the new values among its own. */
static covey_status widen(covey_column **out, struct widening *w, covey_arena *arena, covey_error *err)
{
    const uint32_t n = w->names.n, n_old = w->column->n_values;
    covey_label *labels = covey_arena_array(arena, covey_label, n);
    int64_t *number = covey_arena_array(arena, int64_t, n);
    uint32_t *map = covey_arena_array(arena, uint32_t, n_old);

    w->entry = covey_arena_array_zero(arena, struct entry, n);
    if (!labels || !number || !map || !w->entry)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < n; v++) {
        w->entry[v].label = (covey_label){w->names.text[v], strlen(w->names.text[v])};
        w->entry[v].old = v < n_old ? v : UINT32_MAX;
    }
    COVEY_TRY(sort_entries(w, err));
    for (uint32_t v = 0; v < n; v++) {
        labels[v] = w->entry[v].label;
        number[v] = w->entry[v].number;
        if (w->entry[v].old != UINT32_MAX)
            map[w->entry[v].old] = v;
    }
    return covey_i_column_recode(out, w->column, w->column->type, map, n, w->column->has_null, w->scale, labels,
                                 covey_column_is_number(w->column) ? number : NULL, err);
}

/* The signatures in codes of the column. */
static covey_status find_codes(uint32_t *start, uint32_t *value, const covey_column *column, const covey_ledger *l,
                               const uint32_t *number, covey_arena *arena, covey_error *err)
{
    covey_names names;
    uint32_t at, n = 0;

    COVEY_TRY(covey_i_names_init(&names, column->n_values, arena, err));
    for (uint32_t v = 0; v < column->n_values; v++)
        COVEY_TRY(covey_i_names_add(&at, &names, covey_column_label(column, v), err));
    start[0] = 0;
    for (uint32_t i = 0; i < l->n_signatures; i++) {
        const uint32_t first = start[n];

        if (number[i] == UINT32_MAX)
            continue;
        start[++n] = first + l->start[i + 1] - l->start[i];
        for (uint32_t v = l->start[i]; v < l->start[i + 1]; v++)
            value[first + v - l->start[i]] = covey_i_names_find(&names, l->value[v]);
        qsort(value + first, start[n] - first, sizeof *value, covey_i_compare_u32);
    }
    return COVEY_OK;
}

covey_status covey_i_ledger_values(uint32_t *start, uint32_t *value, covey_column **column, const covey_ledger *ledger,
                                   const uint32_t *number, const covey_wish_attribute *wish, covey_arena *arena,
                                   covey_error *err)
{
    struct widening w = {.column = *column, .ledger = ledger};
    covey_column *wider = NULL;

    COVEY_TRY(add_texts(&w, number, arena, err));
    if (w.names.n > w.column->n_values) {
        if (wish && wish->n_order)
            return fail(&w, err, "the attribute's order lacks some; add them");
        COVEY_TRY(widen(&wider, &w, arena, err));
        covey_i_column_free(*column);
        *column = wider;
    }
    return find_codes(start, value, *column, ledger, number, arena, err);
}
