/* The form "sliced": column-1.csv, column-2.csv, ... hold the pieces of one column each; lines of one bucket belong
 * together, nobody can tell which.  The last one holds the sensitive attribute, at its end; of several each stands in
 * one column, behind the others. */
#include "reader/sliced/sliced.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "reader/names.h"
#include "reader/units.h"

/* "column-1.csv", without leading zeros; "units.csv". */
static bool has_table(const char *name)
{
    const size_t n = strlen(name);

    return strcmp(name, COVEY_UNITS_TABLE) == 0 ||
           (n >= 12 && strncmp(name, "column-", 7) == 0 && strcmp(name + n - 4, ".csv") == 0 && name[7] >= '1' &&
            name[7] <= '9' && strspn(name + 7, "0123456789") == n - 11);
}

/* --- which attributes stand where --- */

static bool complain(covey_problems *problems, const char *what)
{
    covey_i_problem(problems, "manifest.json: \"slices\" %s", what);
    return false;
}

static size_t count_sensitive(const covey_opened *o)
{
    size_t n = 0;

    for (size_t c = 0; c < o->n_columns; c++)
        n += o->stated->column[c].role == COVEY_ROLE_SENSITIVE;
    return n;
}

/* Sensitive attributes stand behind the others, one at the end of the last column; of several each in one column. */
static bool check_places(const covey_opened_slices *s, const covey_opened *o, covey_problems *problems)
{
    const size_t n_sensitive = count_sensitive(o);
    bool fits = covey_i_slice_holds_sensitive(o, &s->slice[s->n - 1]);

    for (size_t c = 0; c < o->n_columns; c++) {
        size_t n = 0;

        for (size_t i = 0; i < s->n && o->stated->column[c].role == COVEY_ROLE_SENSITIVE; i++)
            for (size_t a = 0; a < s->slice[i].n; a++)
                n += s->slice[i].attribute[a] == c;
        fits = fits && (n <= 1 || n_sensitive == 1);
    }
    for (size_t i = 0; i < s->n; i++)
        for (size_t a = covey_i_slice_n_beside(o, &s->slice[i]); a < s->slice[i].n; a++)
            fits = fits && o->stated->column[s->slice[i].attribute[a]].role == COVEY_ROLE_SENSITIVE;
    return fits || complain(problems, "must name sensitive attributes behind all others, one of them at the end of the "
                                      "last column, and of several each once");
}

/* *usable false: "slices" is not what it must be, which has been reported. */
static covey_status read_slices(bool *usable, covey_opened_slices *s, covey_opened *o, covey_problems *problems,
                                covey_error *err)
{
    const json_t *list = json_object_get(o->stated->root, "slices"), *names;
    bool *stands = covey_arena_array_zero(&o->arena, bool, o->n_columns);
    size_t i;

    *usable = false;
    if (!stands)
        return covey_i_no_memory(err);
    if (!json_is_array(list) || json_array_size(list) == 0) {
        complain(problems, "must be a list of lists of columns");
        return COVEY_OK;
    }
    s->n = json_array_size(list);
    if (!(s->slice = covey_arena_array_zero(&o->arena, covey_opened_slice, s->n)))
        return covey_i_no_memory(err);
    json_array_foreach(list, i, names)
    {
        covey_opened_slice *slice = &s->slice[i];

        slice->n = json_array_size(names);
        slice->attribute = covey_arena_array(&o->arena, size_t, slice->n);
        slice->column = covey_arena_array_zero(&o->arena, const covey_opened_column *, slice->n);
        slice->same = covey_arena_array_zero(&o->arena, const uint32_t *, slice->n);
        if (!slice->attribute || !slice->column || !slice->same)
            return covey_i_no_memory(err);
        if (slice->n == 0) {
            complain(problems, "has a column without attributes");
            return COVEY_OK;
        }
        for (size_t a = 0; a < slice->n; a++) {
            const char *name = json_string_value(json_array_get(names, a));
            const int column = name ? covey_i_stated_column(o->stated, name) : -1;

            if (column < 0) {
                complain(problems, "names a column that the release does not have");
                return COVEY_OK;
            }
            for (size_t b = 0; b < a; b++)
                if (slice->attribute[b] == (size_t)column) {
                    complain(problems, "names an attribute twice in one column");
                    return COVEY_OK;
                }
            slice->attribute[a] = (size_t)column;
            stands[column] = true;
        }
    }
    for (size_t c = 0; c < o->n_columns; c++)
        if (!stands[c]) {
            complain(problems, "leaves a column of the release out");
            return COVEY_OK;
        }
    *usable = check_places(s, o, problems);
    return COVEY_OK;
}

/* What is said of units that have several rows.  Less follows where it is not said that they have one value. */
static void read_unit_values(covey_opened *o, covey_problems *problems)
{
    const json_t *value = json_object_get(o->stated->root, "unit_values");
    const char *word = json_string_value(value);

    o->units_vary = o->stated->has_units && (!word || strcmp(word, "one") != 0);
    if (value && (!o->stated->has_units || !word || (o->units_vary && strcmp(word, "several") != 0)))
        covey_i_problem(problems,
                        "manifest.json: \"unit_values\" must be \"one\" or \"several\", of rows that have units");
}

/* --- tables --- */

/* Every attribute gets a column here; one that stands in an earlier slice already, one beside it.  A single sensitive
 * attribute's own is that of the last slice, line by line of which it is judged. */
static covey_status open_slice(bool *usable, covey_opened_slices *s, size_t i, covey_opened *o, bool *bound,
                               const bool *present, covey_problems *problems, const covey_run *run, covey_error *err)
{
    covey_opened_slice *slice = &s->slice[i];
    char *name = covey_arena_array(&o->arena, char, 40);
    covey_opened_table *table;

    if (!name)
        return covey_i_no_memory(err);
    snprintf(name, 40, "column-%zu.csv", i + 1);
    COVEY_TRY(covey_i_opened_table(&table, o, name, "bucket", present, problems, run, err));
    if (!table) {
        *usable = false;
        return COVEY_OK;
    }
    for (size_t a = 0; a < slice->n; a++) {
        covey_opened_column *column = &o->column[slice->attribute[a]];

        const bool is_single = column->stated->role == COVEY_ROLE_SENSITIVE && count_sensitive(o) == 1;
        const bool is_copy = is_single ? i + 1 < s->n : bound[slice->attribute[a]];

        if (is_copy) {
            const covey_stated_column *stated = column->stated;

            if (!(column = covey_arena_array_zero(&o->arena, covey_opened_column, 1)))
                return covey_i_no_memory(err);
            column->stated = stated;
        }
        bound[slice->attribute[a]] = true;
        slice->column[a] = column;
        covey_i_opened_expect(table, column->stated->name, column);
    }
    slice->table = table;
    if (!covey_i_opened_has_header(table, problems)) {
        *usable = false;
        return COVEY_OK;
    }
    COVEY_TRY(covey_i_opened_classes(table, o, problems, err));
    covey_i_opened_compare_lines(o, table, problems);
    *usable = *usable && table->usable;
    return COVEY_OK;
}

/* Buckets have as many pieces in every column. */
static bool agree(const covey_opened_slices *s, covey_problems *problems)
{
    const covey_opened_table *first = s->slice[0].table;

    for (size_t i = 1; i < s->n; i++) {
        const covey_opened_table *table = s->slice[i].table;

        if (table->n_classes != first->n_classes) {
            covey_i_problem(problems, "%s has %" PRIu32 " buckets, %s %" PRIu32, first->file, first->n_classes,
                            table->file, table->n_classes);
            return false;
        }
        if (memcmp(table->class_start, first->class_start,
                   ((size_t)first->n_classes + 1) * sizeof *first->class_start) == 0)
            continue;
        for (uint32_t b = 0; b < first->n_classes; b++)
            if (table->class_start[b + 1] != first->class_start[b + 1]) {
                covey_i_problem(problems, "bucket %" PRIu32 " has different numbers of pieces in %s and %s", b + 1,
                                first->file, table->file);
                return false;
            }
    }
    return true;
}

/* Where an attribute stands a second time: the same cells, by their text. */
static covey_status match_copies(covey_opened_slice *slice, const covey_opened *o, covey_arena *arena, covey_error *err)
{
    for (size_t a = 0; a < slice->n; a++) {
        const covey_opened_column *own = slice->column[a], *first = &o->column[slice->attribute[a]];
        covey_names names;
        uint32_t *same, number;

        if (own == first)
            continue;
        if (!(same = covey_arena_array(arena, uint32_t, own->text->n_values)))
            return covey_i_no_memory(err);
        COVEY_TRY(covey_i_names_init(&names, first->text->n_values, arena, err));
        for (uint32_t v = 0; v < first->text->n_values; v++)
            COVEY_TRY(covey_i_names_add(&number, &names, covey_column_label(first->text, v), err));
        for (uint32_t v = 0; v < own->text->n_values; v++)
            same[v] = covey_i_names_find(&names, covey_column_label(own->text, v));
        slice->same[a] = same;
    }
    return COVEY_OK;
}

bool covey_i_slices_are_acyclic(const covey_opened_slices *s, covey_arena *arena, bool *broken)
{
    bool *gone = covey_arena_array_zero(arena, bool, s->n), found = true;
    size_t n_left = s->n;

    if (!gone) {
        *broken = true;
        return false;
    }
    while (n_left > 1 && found) {
        found = false;
        for (size_t i = 0; i < s->n && !found; i++) {
            bool is_ear = false;

            for (size_t j = 0; j < s->n && !gone[i] && !is_ear;
                 j++) { /* all that it shares with anybody, it shares with j */
                if (j == i || gone[j])
                    continue;
                is_ear = true;
                for (size_t a = 0; a < s->slice[i].n && is_ear; a++) {
                    bool elsewhere = false, in_j = false;

                    for (size_t k = 0; k < s->n; k++)
                        for (size_t b = 0; b < s->slice[k].n; b++)
                            if (k != i && !gone[k] && s->slice[k].attribute[b] == s->slice[i].attribute[a]) {
                                elsewhere = true;
                                in_j = in_j || k == j;
                            }
                    is_ear = !elsewhere || in_j;
                }
            }
            if (is_ear) {
                gone[i] = found = true;
                n_left--;
            }
        }
    }
    return n_left <= 1;
}

static covey_status open_tables(covey_opened *o, const bool *present, covey_problems *problems, const covey_run *run,
                                covey_error *err)
{
    covey_opened_slices *s = covey_arena_array_zero(&o->arena, covey_opened_slices, 1);
    bool usable, broken = false, *bound = covey_arena_array_zero(&o->arena, bool, o->n_columns);
    const covey_opened_table *last;

    if (!(o->form_data = s) || !bound)
        return covey_i_no_memory(err);
    COVEY_TRY(read_slices(&usable, s, o, problems, err));
    if (!usable)
        return COVEY_OK;
    read_unit_values(o, problems);
    for (size_t i = 0; i < s->n; i++)
        COVEY_TRY(open_slice(&usable, s, i, o, bound, present, problems, run, err));
    covey_i_opened_find_unused(o, problems);
    if (!usable || !agree(s, problems))
        return COVEY_OK;
    last = s->slice[s->n - 1].table;
    o->n_rows = last->n_rows;
    o->n_classes = last->n_classes;
    o->class_start = last->class_start;
    o->groups = (covey_opened_groups){.n = last->n_classes, .start = last->class_start};
    COVEY_TRY(covey_i_opened_units_read(o, present, problems, run, err));
    covey_i_opened_compare_counts(o, last, problems);
    if (!covey_i_slices_are_acyclic(s, &o->arena, &broken) && !broken)
        covey_i_problem(problems, "the columns overlap in a cycle: what their pieces tell together cannot be counted");
    if (broken)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_opened_columns(o, present, problems, run, err));
    for (size_t i = 0; i < s->n; i++)
        COVEY_TRY(match_copies(&s->slice[i], o, &o->arena, err));
    o->usable = true;
    return COVEY_OK;
}

/* Only where one column holds them all. */
static bool keeps_rows(const covey_opened *o)
{
    const covey_opened_slices *s = o->form_data;

    for (size_t i = 0; i < s->n; i++) {
        size_t n = 0;

        for (size_t a = 0; a < s->slice[i].n; a++)
            for (size_t q = 0; q < o->n_quasi; q++)
                n += s->slice[i].column[a] == &o->column[o->quasi[q]];
        if (n == o->n_quasi)
            return true;
    }
    return false;
}

bool covey_i_slices_hold_twice(const covey_opened *o, const covey_opened_slices *s)
{
    for (size_t i = 0; i + 1 < s->n; i++)
        if (!covey_i_slices_have_several(o) && covey_i_slice_holds_sensitive(o, &s->slice[i]))
            return true;
    return false;
}

size_t covey_i_slices_holding(const covey_opened_slices *s, const covey_opened_view *view)
{
    for (size_t i = s->n; i-- > 0;)
        for (size_t a = 0; view && a < s->slice[i].n; a++)
            if (s->slice[i].column[a]->text == view->text)
                return i;
    return s->n - 1;
}

size_t covey_i_slice_n_beside(const covey_opened *o, const covey_opened_slice *slice)
{
    size_t n = 0;

    while (n < slice->n && o->column[slice->attribute[n]].stated->role != COVEY_ROLE_SENSITIVE)
        n++;
    return n;
}

bool covey_i_slices_have_several(const covey_opened *o)
{
    return count_sensitive(o) > 1;
}

const covey_reader_form covey_reader_form_sliced = {
    .name = "sliced",
    .units_alike = true,
    .word = "bucket",
    .is_exact = true,
    .may_recode = true,
    .keeps_rows = keeps_rows,
    .has_table = has_table,
    .open = open_tables,
};
