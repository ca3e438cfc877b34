/* units.csv, line by line: a count that is no count, or none of a class, is a problem. */
#include "reader/units.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/plural.h"
#include "reader/form_impl.h"
#include "table/table_impl.h"

/* A number as it is written: without leading zeros, at least 1 and at most the rows of a table. */
static bool parse_count(int64_t *out, const char *text)
{
    *out = 0;
    if (text[0] == '0')
        return false;
    for (const char *p = text; *p; p++) {
        if (*p < '0' || *p > '9' || *out > UINT32_MAX)
            return false;
        *out = 10 * *out + (*p - '0');
    }
    return *out > 0 && *out <= UINT32_MAX;
}

static covey_status read_counts(const int64_t **out, covey_opened *o, const covey_opened_table *table, size_t expected,
                                covey_problems *problems, covey_error *err)
{
    const covey_column *column = covey_i_opened_text(table, expected);
    int64_t *count = covey_arena_array(&o->arena, int64_t, table->n_rows);

    *out = NULL;
    if (!count)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < table->n_rows; row++)
        if (!parse_count(&count[row], covey_column_label(column, covey_i_code_at(column, row)))) {
            covey_i_problem(problems, "%s, %s %" PRIu32 ": \"%s\" is to be a number of at least 1", COVEY_UNITS_TABLE,
                            o->stated->published_as->word, row + 1, table->expected[expected]);
            return COVEY_OK;
        }
    *out = count;
    return COVEY_OK;
}

static covey_status read_table(covey_opened *o, const covey_opened_table *table, covey_problems *problems,
                               covey_error *err)
{
    covey_opened_units *units = covey_arena_array_zero(&o->arena, covey_opened_units, 1);

    if (!units)
        return covey_i_no_memory(err);
    COVEY_TRY(read_counts(&units->n_units, o, table, 0, problems, err));
    COVEY_TRY(read_counts(&units->largest, o, table, 1, problems, err));
    if (o->stated->has_households)
        COVEY_TRY(read_counts(&units->n_persons, o, table, 2, problems, err));
    else
        units->n_persons = units->n_units;
    if (units->n_units && units->largest && units->n_persons)
        o->units = units;
    return COVEY_OK;
}

covey_status covey_i_opened_units_read(covey_opened *o, const bool *present, covey_problems *problems,
                                       const covey_run *run, covey_error *err)
{
    const char *word = o->stated->published_as->word;
    covey_opened_table *table;

    if (!o->stated->has_units)
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_table(&table, o, COVEY_UNITS_TABLE, word, present, problems, run, err));
    if (!table)
        return COVEY_OK;
    covey_i_opened_expect(table, "units", NULL);
    covey_i_opened_expect(table, "largest", NULL);
    if (o->stated->has_households)
        covey_i_opened_expect(table, "persons", NULL);
    if (!covey_i_opened_has_header(table, problems))
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_classes(table, o, problems, err));
    if (!table->usable)
        return COVEY_OK;
    covey_i_opened_compare_lines(o, table, problems);
    if (table->n_rows != o->n_classes || table->n_classes != o->n_classes) {
        covey_i_problem(problems, "%s has %" PRIu32 " line%s, but not one for each %s, of which there are %" PRIu32,
                        COVEY_UNITS_TABLE, table->n_rows, covey_i_plural(table->n_rows), word, o->n_classes);
        return COVEY_OK;
    }
    return read_table(o, table, problems, err);
}

bool covey_i_opened_units_are_alike(const covey_opened *o, uint32_t set)
{
    const int64_t each = o->units->largest[set];

    for (uint32_t e = o->groups.start[set]; o->stated->published_as->counts_unit_values && e < o->groups.start[set + 1];
         e++)
        if (covey_i_rows_of_entry(&o->groups, e) % each != 0)
            return false;
    return (int64_t)o->class_start[set + 1] - o->class_start[set] == o->units->n_units[set] * each;
}

bool covey_i_opened_units_are_rows(const covey_opened *opened, const int64_t *n)
{
    for (uint32_t c = 0; c < opened->n_classes; c++)
        if (n[c] != (int64_t)opened->class_start[c + 1] - opened->class_start[c])
            return false;
    return true;
}

covey_status covey_i_opened_units_check(const covey_opened *opened, covey_error *err)
{
    const covey_opened_units *units = opened->units;

    for (uint32_t c = 0; units && c < opened->n_classes; c++) {
        const int64_t n_rows = opened->class_start[c + 1] - opened->class_start[c], n = units->n_units[c];

        if (n > units->n_persons[c] || units->n_persons[c] > n_rows || units->largest[c] > n_rows ||
            units->largest[c] < n_rows / n + (n_rows % n != 0) ||
            (opened->stated->published_as->units_alike && !covey_i_opened_units_are_alike(opened, c)))
            return covey_fail(err, COVEY_EPARSE,
                              "%s, %s %" PRIu32 ": its numbers cannot be true of %" PRId64
                              " rows (covey verify says more)",
                              COVEY_UNITS_TABLE, opened->stated->published_as->word, c + 1, n_rows);
    }
    return COVEY_OK;
}
