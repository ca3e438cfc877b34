/* counterfeits.csv, line by line: each class has rows that are somebody's, beside those that are made up. */
#include "reader/generalized/counterfeits.h"

#include <inttypes.h>

#include "base/error.h"
#include "base/plural.h"
#include "table/table_impl.h"

/* A number as it is written, without leading zeros, below `limit`. */
static bool parse_count(uint32_t *out, const char *text, uint32_t limit)
{
    uint64_t n = 0;

    if (!*text || (text[0] == '0' && text[1]))
        return false;
    for (const char *p = text; *p; p++) {
        if (*p < '0' || *p > '9' || (n = 10 * n + (uint64_t)(*p - '0')) >= limit)
            return false;
    }
    *out = (uint32_t)n;
    return true;
}

static covey_status read_counts(covey_opened *o, const covey_opened_table *table, covey_problems *problems,
                                covey_error *err)
{
    const covey_column *column = covey_i_opened_text(table, 0);
    uint32_t *count = covey_arena_array(&o->arena, uint32_t, table->n_rows);
    int64_t n = 0;

    if (!count)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < table->n_rows; c++) {
        if (!parse_count(&count[c], covey_column_label(column, covey_i_code_at(column, c)),
                         o->class_start[c + 1] - o->class_start[c])) {
            covey_i_problem(problems,
                            COVEY_COUNTERFEITS_TABLE ", class %" PRIu32
                                                     ": \"count\" is to be a number of rows, fewer than the class has",
                            c + 1);
            return COVEY_OK;
        }
        n += count[c];
    }
    if (n != o->stated->n_counterfeits)
        covey_i_problem(problems, "the manifest states %" PRId64 " counterfeits, but the classes have %" PRId64,
                        o->stated->n_counterfeits, n);
    o->counterfeits = count;
    return COVEY_OK;
}

covey_status covey_i_counterfeits_read(covey_opened *o, const bool *present, covey_problems *problems,
                                       const covey_run *run, covey_error *err)
{
    covey_opened_table *table;

    if (!o->stated->has_counterfeits)
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_table(&table, o, COVEY_COUNTERFEITS_TABLE, "class", present, problems, run, err));
    if (!table)
        return COVEY_OK;
    covey_i_opened_expect(table, "count", NULL);
    if (!covey_i_opened_has_header(table, problems))
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_classes(table, o, problems, err));
    if (!table->usable || !o->usable)
        return COVEY_OK;
    covey_i_opened_compare_lines(o, table, problems);
    if (table->n_rows != o->n_classes || table->n_classes != o->n_classes) {
        covey_i_problem(problems, "%s has %" PRIu32 " line%s for %" PRIu32 " classes: one each is expected",
                        COVEY_COUNTERFEITS_TABLE, table->n_rows, covey_i_plural(table->n_rows), o->n_classes);
        return COVEY_OK;
    }
    return read_counts(o, table, problems, err);
}
