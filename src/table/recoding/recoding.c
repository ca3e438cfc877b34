/* Rewriting the values of a column: as covey spells them first, then coarser.  Everything works on the dictionary. */
#include "table/recoding/recoding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "table/recoding/value.h"
#include "table/table_impl.h"

/* What becomes of the values of a dictionary. */
struct rewriting {
    covey_label *label; /* [n_values] text NULL: not so written */
    bool any_misfit, any_change;
};

/* "00345" is a code, not a number, as far as a guess goes. */
static bool is_code(const char *text)
{
    return text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

/* Numbers and days that are no texts are in nobody's writing; but a file of the same table, written as the recoding
 * says, would have others. */
static const covey_recoding own_writing = {.decimal = '.', .date_format = "YYYY-MM-DD"};

static bool is_written_otherwise(const char *own, const covey_recoding *recoding, bool as_date)
{
    return as_date ? strcmp(recoding->date_format, own_writing.date_format) != 0
                   : recoding->decimal != own_writing.decimal && strchr(own, '.');
}

static covey_status rewrite(struct rewriting *w, const covey_column *raw, const covey_recoding *recoding, bool as_date,
                            bool is_guess, covey_arena *arena, covey_error *err)
{
    const covey_recoding *writing = raw->is_typed ? &own_writing : recoding;

    *w = (struct rewriting){.label = covey_arena_array_zero(arena, covey_label, raw->n_values)};
    if (!w->label)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < raw->n_values; v++) {
        const char *text = covey_column_label(raw, v);
        char written[COVEY_RECODING_SIZE];

        if (raw->has_null && v == 0) {
            w->label[v] = (covey_label){text, strlen(text)};
            continue;
        }
        if (!covey_i_recoding_respell(written, text, writing, as_date) || (is_guess && !as_date && is_code(text))) {
            w->any_misfit = true;
            continue;
        }
        w->any_change |= raw->is_typed ? is_written_otherwise(text, recoding, as_date) : strcmp(written, text) != 0;
        w->label[v].text = covey_arena_strdup(arena, written);
        w->label[v].size = strlen(written);
        if (!w->label[v].text)
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}

/* The first row whose value could not be read in the way that is expected; n_rows: there is none. */
static int64_t first_unread(const struct rewriting *w, const covey_column *raw)
{
    int64_t row = 0;

    while (row < raw->n_rows && w->label[covey_column_code(raw, row)].text)
        row++;
    return row;
}

static covey_status complain(const struct rewriting *w, const covey_column *raw, const covey_recoding *recoding,
                             bool as_date, const char *file, covey_error *err)
{
    char shown[COVEY_CSV_SHOWN], expected[COVEY_RECODING_SIZE + 32];
    const int64_t row = first_unread(w, raw);
    uint32_t v;

    if (row == raw->n_rows)
        return COVEY_OK; /* nobody has such a value */
    v = covey_column_code(raw, row);
    if (as_date)
        snprintf(expected, sizeof expected, "a date %s", recoding->date_format);
    else
        snprintf(expected, sizeof expected, "a number with a decimal %s", recoding->decimal == ',' ? "comma" : "point");
    return covey_fail_at(
        err, COVEY_EPARSE, file, covey_column_line(raw, row), raw->name, 0,
        "column \"%s\": \"%s\" is not %s; correct the cell, add it to input.null, or declare `type: text`", raw->name,
        covey_i_csv_shown(shown, covey_column_label(raw, v), covey_column_label_size(raw, v)), expected);
}

struct entry {
    covey_label label;
    uint32_t value;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    const int order = strcmp(x->label.text, y->label.text);

    return order ? order : (x->value > y->value) - (x->value < y->value);
}

static covey_status make_column(covey_column **out, const covey_column *raw, const struct rewriting *w,
                                covey_arena *arena, covey_error *err)
{
    struct entry *entry = covey_arena_array_zero(arena, struct entry, raw->n_values);
    covey_label *label = covey_arena_array(arena, covey_label, raw->n_values);
    uint32_t *map = covey_arena_array_zero(arena, uint32_t, raw->n_values), n = 0, n_entries = 0;

    if (!entry || !label || !map)
        return covey_i_no_memory(err);
    if (raw->has_null)
        label[n++] = w->label[0];
    for (uint32_t v = raw->has_null; v < raw->n_values; v++)
        if (w->label[v].text)
            entry[n_entries++] = (struct entry){w->label[v], v};
    qsort(entry, n_entries, sizeof *entry, compare_entries);
    for (uint32_t i = 0; i < n_entries; i++) {
        if (i == 0 || strcmp(entry[i].label.text, entry[i - 1].label.text) != 0)
            label[n++] = entry[i].label;
        map[entry[i].value] = n - 1;
    }
    return covey_i_column_recode(out, raw, COVEY_TYPE_TEXT, map, n, raw->has_null, 0, label, NULL, err);
}

/* Tries one of the two. */
static covey_status try_one(covey_column **out, struct rewriting *w, const covey_column *raw,
                            const covey_recoding *recoding, bool as_date, bool is_guess, bool is_asked,
                            const char *file, covey_arena *arena, covey_error *err)
{
    COVEY_TRY(rewrite(w, raw, recoding, as_date, is_guess, arena, err));
    if (w->any_misfit && is_asked)
        COVEY_TRY(complain(w, raw, recoding, as_date, file, err));
    if ((w->any_misfit && !is_asked) || !w->any_change)
        return COVEY_OK;
    return make_column(out, raw, w, arena, err);
}

static covey_status rewrite_forms(covey_column **out, covey_recoding *done, const covey_column *raw,
                                  const covey_recoding *recoding, covey_type type, bool is_asked, const char *file,
                                  covey_error *err)
{
    const bool may_be_number = recoding->decimal && type != COVEY_TYPE_DATE && type != COVEY_TYPE_TEXT;
    const bool may_be_date =
        recoding->date_format && (type == COVEY_TYPE_DATE || type == COVEY_TYPE_GUESS) && !(is_asked && may_be_number);
    covey_arena arena = COVEY_ARENA_INIT;
    covey_column *made = NULL;
    covey_recoding applied = {.decimal = recoding->decimal};
    covey_status status = COVEY_OK;
    struct rewriting w;

    if (may_be_number)
        status = try_one(&made, &w, raw, recoding, false, type == COVEY_TYPE_GUESS && !is_asked, is_asked, file, &arena,
                         err);
    if (status == COVEY_OK && !made && may_be_date) {
        applied = (covey_recoding){.date_format = recoding->date_format};
        status = try_one(&made, &w, raw, recoding, true, type == COVEY_TYPE_GUESS, is_asked, file, &arena, err);
    }
    covey_arena_free(&arena);
    if (status != COVEY_OK)
        return status;
    if (done)
        *done = made ? applied : (covey_recoding){0};
    *out = made ? made : covey_i_column_share((covey_column *)(uintptr_t)raw);
    return COVEY_OK;
}

/* --- the second step: coarser values --- */

/* Is a year of two digits what makes a date of birth lie in the future? */
static bool has_short_years(const covey_recoding *r)
{
    return r->age_at && r->date_format && strstr(r->date_format, "YY") && !strstr(r->date_format, "YYYY");
}

static covey_status complain_of_value(const struct rewriting *w, const covey_column *raw, const covey_recoding *r,
                                      const char *file, covey_error *err)
{
    char shown[COVEY_CSV_SHOWN];
    const int64_t row = first_unread(w, raw);
    uint32_t v;

    if (row == raw->n_rows)
        return COVEY_OK; /* nobody has such a value */
    v = covey_column_code(raw, row);
    return covey_fail_at(err, COVEY_EPARSE, file, covey_column_line(raw, row), raw->name, 0,
                         "column \"%s\": \"%s\" is not %s, as its `recode` expects; %s", raw->name,
                         covey_i_csv_shown(shown, covey_column_label(raw, v), covey_column_label_size(raw, v)),
                         r->age_at ? "a date (YYYY-MM-DD, or as date-format says) up to the reference day" : "a number",
                         has_short_years(r)
                             ? "of two digits, 00 to 68 are years from 2000 to 2068: write dates of birth with four"
                             : "correct the cell or add it to input.null");
}

/* Counts rows per value of a column that came of raw row by row. */
static int64_t *count_rows(const covey_column *column, const int64_t *count, covey_arena *arena)
{
    int64_t *rows = covey_arena_array_zero(arena, int64_t, column->n_values);

    for (int64_t row = 0; rows && row < column->n_rows; row++)
        rows[covey_column_code(column, row)] += count ? count[row] : 1;
    return rows;
}

static covey_status join_rare(covey_column **out, const covey_column *column, const int64_t *count, int64_t least,
                              covey_arena *arena, covey_error *err)
{
    struct rewriting w = {.label = covey_arena_array(arena, covey_label, column->n_values)};
    const int64_t *rows = count_rows(column, count, arena);

    if (!w.label || !rows)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++) {
        const bool is_rare = rows[v] < least && !(column->has_null && v == 0);

        w.label[v] = is_rare ? (covey_label){"other", 5}
                             : (covey_label){covey_column_label(column, v), covey_column_label_size(column, v)};
    }
    return make_column(out, column, &w, arena, err);
}

/* *column gives way to a coarser one. */
static covey_status make_coarser(covey_column **column, const int64_t *count, const covey_recoding *r, const char *file,
                                 covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    struct rewriting w = {.label = covey_arena_array_zero(&arena, covey_label, (*column)->n_values)};
    covey_column *coarser = NULL, *joined = NULL;
    covey_status status = COVEY_OK;
    bool broken = !w.label;

    for (uint32_t v = 0; v < (*column)->n_values && !broken; v++) {
        const char *text = covey_column_label(*column, v);
        const char *made = (*column)->has_null && v == 0 ? text : covey_i_recoding_coarsen(text, r, &arena, &broken);

        w.any_misfit |= !made;
        w.label[v] = (covey_label){made, made ? strlen(made) : 0};
    }
    if (broken)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK && w.any_misfit)
        status = complain_of_value(&w, *column, r, file, err);
    if (status == COVEY_OK)
        status = make_column(&coarser, *column, &w, &arena, err);
    if (status == COVEY_OK && r->rare)
        status = join_rare(&joined, coarser, count, r->rare, &arena, err);
    if (status == COVEY_OK) {
        covey_i_column_free(*column);
        *column = joined ? joined : coarser;
        coarser = joined ? coarser : NULL;
    }
    covey_i_column_free(coarser);
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_recoding_apply(covey_column **out, covey_recoding *done, const covey_column *raw,
                                    const int64_t *count, const covey_recoding *recoding, covey_type type,
                                    bool is_asked, const char *file, covey_error *err)
{
    covey_recoding written;
    covey_column *column = NULL;
    covey_status status;

    COVEY_TRY(rewrite_forms(&column, &written, raw, recoding, recoding->age_at ? COVEY_TYPE_DATE : type, is_asked, file,
                            err));
    status = covey_i_recoding_is_coarser(recoding) ? make_coarser(&column, count, recoding, file, err) : COVEY_OK;
    if (status != COVEY_OK) {
        covey_i_column_free(column);
        return status;
    }
    if (done) {
        *done = *recoding;
        done->decimal = written.decimal;
        done->date_format = written.date_format;
    }
    *out = column;
    return COVEY_OK;
}
