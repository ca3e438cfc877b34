/* Values that say what a column is: its ends, those that most rows have, and one that may mean "missing". */
#include "inspect/inspect_impl.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "table/table_impl.h"

enum {
    LONGEST_SUSPECT = 10,
    FAR = 2,          /* times as large as all others */
    MOST_TEXTS = 2,   /* among numbers: more are codes of some kind, such as diagnoses */
    FEWEST_OTHERS = 5 /* values from 0 on, beside codes below 0 */
};

static const char *copy(const covey_column *column, uint32_t value, covey_arena *arena)
{
    return covey_arena_strdup(arena, covey_column_label(column, value));
}

/* Nothing but one digit, nine, twice or more, such as -99 or 9999. */
static bool is_all_nines(const char *text)
{
    const char *digits = text + (*text == '-');

    return strlen(digits) >= 2 && strspn(digits, "9") == strlen(digits);
}

static bool is_word(const char *text)
{
    for (const char *p = text; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '-')
            return false;
    return *text && strlen(text) <= LONGEST_SUSPECT;
}

/* Is at most a text or two among the column's numbers? */
static bool has_few_texts(const covey_column *column)
{
    int n = 0;

    for (uint32_t v = column->has_null; v < column->n_values && n <= MOST_TEXTS; v++) {
        int64_t number;
        int scale;

        n += !covey_i_typing_parse_decimal(&number, &scale, covey_column_label(column, v),
                                           covey_column_label_size(column, v));
    }
    return n <= MOST_TEXTS;
}

/* The codes of surveys for "does not apply", "refused", "do not know" and "not asked", where nothing else lies below 0,
 * with commas between them; NULL: there are none. */
static const char *find_codes(const covey_column *column, covey_arena *arena)
{
    static const char *const codes[] = {"-1", "-7", "-8", "-9"};
    char text[32] = "";
    size_t used = 0;
    uint32_t v = column->has_null;

    if (column->type != COVEY_TYPE_INTEGER)
        return NULL;
    for (; v < column->n_values && column->number[v] < 0; v++) {
        const char *label = covey_column_label(column, v);
        bool is_code = false;

        for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
            is_code |= strcmp(label, codes[i]) == 0;
        if (!is_code || used + strlen(label) + 2 > sizeof text)
            return NULL;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? "," : "", label);
    }
    return used > 0 && column->n_values - v >= FEWEST_OTHERS ? covey_arena_strdup(arena, text) : NULL;
}

/* The value that stands for "missing" in the eyes of whoever made the table; UINT32_MAX: none. */
static uint32_t find_suspect(const covey_column *column)
{
    const uint32_t first = column->has_null, last = column->n_values - 1;

    if (column->type == COVEY_TYPE_TEXT) {
        const int64_t row = covey_i_typing_stray_text(NULL, column);

        return row >= 0 && has_few_texts(column) ? covey_i_code(column, row) : UINT32_MAX;
    }
    if (column->type != COVEY_TYPE_INTEGER || last < first + 2)
        return UINT32_MAX;
    if (is_all_nines(covey_column_label(column, last)) && column->number[last - 1] < column->number[last] / FAR)
        return last;
    if (is_all_nines(covey_column_label(column, first)) && column->number[first] < 0 && column->number[first + 1] >= 0)
        return first;
    return UINT32_MAX;
}

/* Puts a value among the commonest, which are in order. */
static void rank(covey_inspected_column *out, const char *text, int64_t n_rows)
{
    size_t at = out->n_commonest;

    while (at > 0 && out->commonest[at - 1].n_rows < n_rows)
        at--;
    if (at == COVEY_INSPECT_COMMONEST)
        return;
    if (out->n_commonest < COVEY_INSPECT_COMMONEST)
        out->n_commonest++;
    memmove(&out->commonest[at + 1], &out->commonest[at], (out->n_commonest - at - 1) * sizeof *out->commonest);
    out->commonest[at] = (covey_inspected_value){text, n_rows};
}

covey_status covey_i_inspect_values(covey_inspected_column *out, const covey_column *column, const int64_t *rows,
                                    covey_arena *arena, covey_error *err)
{
    const uint32_t first = column->has_null;
    uint32_t suspect;
    int64_t row;

    if (column->n_values == first)
        return COVEY_OK;
    for (uint32_t v = first; v < column->n_values; v++)
        if (rows[v] > 0)
            rank(out, covey_column_label(column, v), rows[v]);
    for (size_t i = 0; i < out->n_commonest; i++)
        if (!(out->commonest[i].text = covey_arena_strdup(arena, out->commonest[i].text)))
            return covey_i_no_memory(err);
    if (!(out->smallest = copy(column, first, arena)) || !(out->largest = copy(column, column->n_values - 1, arena)))
        return covey_i_no_memory(err);
    row = covey_i_typing_long_number(column);
    if (row >= 0 && !(out->long_number = copy(column, covey_i_code(column, row), arena)))
        return covey_i_no_memory(err);
    suspect = out->long_number ? UINT32_MAX : find_suspect(column);
    if (suspect != UINT32_MAX && is_word(covey_column_label(column, suspect)) &&
        !(out->suspect = copy(column, suspect, arena)))
        return covey_i_no_memory(err);
    if (!out->suspect)
        out->suspect = find_codes(column, arena);
    return COVEY_OK;
}
