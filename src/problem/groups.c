/* Fixed groups in words, for messages. */
#include <stdio.h>
#include <string.h>

#include "problem/problem.h"
#include "table/table_impl.h"

/* The part of a code, as rows of the part show it: values from .. to, or the label of the part's node. */
static void add_key(covey_text *out, const covey_group_key *key, uint32_t code)
{
    const covey_column *column = key->column;
    uint32_t low = code, high = code;

    for (uint32_t v = 0; v < column->n_values; v++)
        if (key->part_of_code[v] == key->part_of_code[code]) {
            low = v < low ? v : low;
            high = v > high ? v : high;
        }
    if (key->tree && low != high) {
        covey_i_text_add_format(out, "%s = \"%.60s\"", column->name,
                                covey_hierarchy_label(key->tree, covey_hierarchy_lca(key->tree, low, high)));
        return;
    }
    covey_i_text_add_format(out, low == high ? "%s = \"%.60s\"" : "%s from %.60s", column->name,
                            low == 0 && column->has_null ? "" : covey_column_label(column, low));
    if (low != high)
        covey_i_text_add_format(out, " to %.60s", covey_column_label(column, high));
}

void covey_i_problem_group_text(char *out, size_t size, const covey_problem *problem, uint32_t row)
{
    covey_text text = COVEY_TEXT_INIT;

    for (size_t i = 0; i < problem->n_group_keys; i++) {
        covey_i_text_add_string(&text, i ? ", " : "");
        add_key(&text, &problem->group_key[i], covey_i_code(problem->group_key[i].column, row));
    }
    if (problem->n_group_keys == 0 || text.broken)
        snprintf(out, size, "number %u", problem->group_of_row[row] + 1);
    else
        snprintf(out, size, "%s", text.bytes);
    covey_i_text_free(&text);
}
