/* Results in the making.  Memory is the report's; what does not fit into it is noticed once, at the
 * end. */
#include "attack/attack_impl.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Room for one more of *n things of that size; NULL without memory. */
static void *grow(covey_attack_maker *out, void *list, size_t n, size_t *max, size_t size)
{
    void *larger;

    if (out->broken)
        return NULL;
    if (n < *max)
        return list;
    if (!(larger = covey_arena_alloc(out->memory, *max ? *max * 2 : 8, size))) {
        out->broken = true;
        return NULL;
    }
    if (n > 0)
        memcpy(larger, list, n * size);
    *max = *max ? *max * 2 : 8;
    return larger;
}

static const char *copy(covey_attack_maker *out, const char *text)
{
    const char *made = covey_arena_strdup(out->memory, text);

    out->broken |= !made;
    return made ? made : "";
}

static void add_detail(covey_attack_maker *out, const char *name, covey_attack_value value)
{
    covey_attack_detail *list = grow(out, out->detail, out->result.n_details, &out->max_details, sizeof *list);

    if (!list)
        return;
    list[out->result.n_details++] = (covey_attack_detail){name, value};
    out->result.detail = out->detail = list;
}

void covey_i_attack_number(covey_attack_maker *out, const char *name, double value)
{
    add_detail(out, name, (covey_attack_value){.kind = COVEY_ATTACK_NUMBER, .number = value});
}

void covey_i_attack_integer(covey_attack_maker *out, const char *name, int64_t value)
{
    add_detail(out, name, (covey_attack_value){.kind = COVEY_ATTACK_INTEGER, .integer = value});
}

void covey_i_attack_text(covey_attack_maker *out, const char *name, const char *value)
{
    add_detail(out, name, (covey_attack_value){.kind = COVEY_ATTACK_TEXT, .text = copy(out, value)});
}

void covey_i_attack_yes_no(covey_attack_maker *out, const char *name, bool value)
{
    add_detail(out, name, (covey_attack_value){.kind = COVEY_ATTACK_YES_NO, .integer = value});
}

void covey_i_attack_table(covey_attack_maker *out, const char *name, const char *const *column)
{
    covey_attack_table *list = grow(out, out->table, out->result.n_tables, &out->max_tables, sizeof *list), *table;

    out->cell = NULL;
    out->n_cells = out->max_values = 0;
    if (!list)
        return;
    table = &list[out->result.n_tables++];
    *table = (covey_attack_table){.name = name, .column = column};
    while (column[table->n_columns])
        table->n_columns++;
    out->result.table = out->table = list;
}

static void add_cell(covey_attack_maker *out, covey_attack_value value)
{
    covey_attack_value *list = grow(out, out->cell, out->n_cells, &out->max_values, sizeof *list);

    if (!list)
        return;
    list[out->n_cells++] = value;
    out->cell = list;
}

void covey_i_attack_cell_number(covey_attack_maker *out, double value)
{
    add_cell(out, (covey_attack_value){.kind = COVEY_ATTACK_NUMBER, .number = value});
}

void covey_i_attack_cell_integer(covey_attack_maker *out, int64_t value)
{
    add_cell(out, (covey_attack_value){.kind = COVEY_ATTACK_INTEGER, .integer = value});
}

void covey_i_attack_cell_text(covey_attack_maker *out, const char *value)
{
    add_cell(out, (covey_attack_value){.kind = COVEY_ATTACK_TEXT, .text = copy(out, value)});
}

void covey_i_attack_end_table(covey_attack_maker *out)
{
    covey_attack_table *table;

    if (out->broken)
        return;
    table = &out->table[out->result.n_tables - 1];
    table->value = out->cell;
    table->n_rows = out->n_cells / table->n_columns;
}

static COVEY_PRINTF(2, 0) const char *format(covey_attack_maker *out, const char *fmt, va_list args)
{
    char text[1024];

    vsnprintf(text, sizeof text, fmt, args);
    return copy(out, text);
}

void covey_i_attack_words(covey_attack_maker *out, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    out->result.words = format(out, fmt, args);
    va_end(args);
}

const char *covey_i_attack_factor(char out[COVEY_ATTACK_FACTOR_SIZE], double factor)
{
    snprintf(out, COVEY_ATTACK_FACTOR_SIZE, factor < 999.5 || factor > 1e15 ? "%.3g" : "%.0f", factor);
    return out;
}

void covey_i_attack_not(covey_attack_maker *out, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    out->result.applies = false;
    out->result.why_not = format(out, fmt, args);
    va_end(args);
    out->result.figure = out->result.prior = out->result.ceiling = out->result.bound = NAN;
    out->result.interval_low = out->result.interval_high = NAN;
    out->result.figure_text = out->result.words = "";
    out->result.n_details = out->result.n_tables = 0;
    out->result.verdict = COVEY_ATTACK_INFORMATION;
}

void covey_i_attack_fraction(covey_attack_maker *out, covey_i128 num, covey_i128 den)
{
    const covey_fraction fraction = covey_i_fraction(num, den);
    char text[96];

    covey_i_fraction_text(text, sizeof text, fraction);
    out->result.figure = covey_i_fraction_value(fraction);
    out->result.figure_text = copy(out, text);
}

/* Bounds are rounded.  Where the exact one is kept it is not below the exact figure, so the numbers say the same. */
void covey_i_attack_judge(covey_attack_maker *out, double bound, bool kept)
{
    out->result.bound = kept ? fmax(bound, out->result.figure) : bound;
    out->result.verdict = kept ? COVEY_ATTACK_SAFE : COVEY_ATTACK_EXCEEDS;
}

/* 95% interval of a share.  Source: [Wilson27]. */
static void wilson(double *low, double *high, double hits, double n)
{
    const double z = 1.959963984540054, share = hits / n, middle = share + z * z / (2 * n),
                 width = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n));

    *low = fmax(0, (middle - width) / (1 + z * z / n));
    *high = fmin(1, (middle + width) / (1 + z * z / n));
}

void covey_i_attack_share(covey_attack_maker *out, int64_t hits, int64_t n)
{
    if (n <= 0)
        return;
    covey_i_attack_fraction(out, hits, n);
    wilson(&out->result.interval_low, &out->result.interval_high, (double)hits, (double)n);
}
