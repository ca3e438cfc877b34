/* Are the groups of a bucketized release sets of original rows?
 *
 * Every row of quasi.csv must be a row of the original, one to one, and so must every value that sensitive.csv counts;
 * then the groups are looked at one by one, in group_rows.c. */
#include "audit/bucketized/bucketized.h"

#include <inttypes.h>

#include "audit/bucketized/group_rows.h"
#include "base/error.h"

struct comparing {
    covey_problems *problems;
    const covey_opened *opened;
    const covey_opened_bucketized *bucketized;
    const covey_original *original;
    covey_key_side published, from;
    covey_group_rows rows;
    bool agrees; /* so far */
    covey_arena arena;
};

/* Every content is published at most as often as the original has it. */
static covey_status compare_rows(struct comparing *c, covey_error *err)
{
    const size_t n_content = c->bucketized->n_content;
    uint32_t *column = covey_arena_array(&c->arena, uint32_t, n_content);
    int64_t *left;

    if (!column)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n_content; i++)
        column[i] = (uint32_t)(c->bucketized->content[i] - c->opened->column);
    COVEY_TRY(covey_i_content_keys(&c->published, &c->from, c->opened, c->original, column, n_content, &c->arena, err));
    c->rows.n_contents = (uint32_t)covey_i_content_renumber(&c->published, &c->from);
    if (!(left = covey_arena_array(&c->arena, int64_t, c->rows.n_contents)))
        return covey_i_no_memory(err);
    c->agrees &= covey_i_content_is_had(left, c->rows.n_contents, &c->published, &c->from, c->opened, c->problems);
    c->rows.content_left = left;
    return COVEY_OK;
}

/* Every sensitive value is counted as often as the original has it; less often where rows were suppressed. */
static covey_status compare_values(struct comparing *c, covey_error *err)
{
    const covey_opened_column *sensitive = c->bucketized->sensitive;
    const covey_original_column *original = &c->original->column[sensitive - c->opened->column];
    const covey_opened_groups *groups = &c->opened->groups;
    const uint32_t n_entries = groups->start[groups->n];
    int64_t *left = covey_arena_array_zero(&c->arena, int64_t, original->column->n_values);
    uint32_t *of_row = covey_arena_array(&c->arena, uint32_t, c->original->n_rows),
             *of_entry = covey_arena_array(&c->arena, uint32_t, n_entries);

    if (!left || !of_row || !of_entry)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < c->original->n_rows; row++)
        left[of_row[row] = covey_i_code_at(original->column, row)]++;
    for (uint32_t e = 0; e < n_entries; e++) {
        of_entry[e] = original->value_of_cell[covey_i_code_at(sensitive->text, e)];
        if (of_entry[e] != UINT32_MAX && (left[of_entry[e]] -= covey_i_rows_of_entry(groups, e)) >= 0)
            continue;
        covey_i_problem(c->problems,
                        "sensitive.csv counts a value of group %" PRIu32 " more often than the original has it",
                        covey_i_class_of_line(groups->start, groups->n, e));
        c->agrees = false;
        break;
    }
    c->rows.value_left = left;
    c->rows.value_of_row = of_row;
    c->rows.value_of_entry = of_entry;
    c->rows.n_values = original->column->n_values;
    return COVEY_OK;
}

covey_status covey_i_bucketized_check_faithful(covey_problems *problems, const covey_opened *opened,
                                               const covey_opened_bucketized *bucketized,
                                               const covey_original *original, covey_error *err)
{
    struct comparing c = {
        .problems = problems, .opened = opened, .bucketized = bucketized, .original = original, .agrees = true};
    covey_status status;

    if ((status = compare_rows(&c, err)) == COVEY_OK)
        status = compare_values(&c, err);
    c.rows.opened = opened;
    c.rows.published = &c.published;
    c.rows.from = &c.from;
    if (status == COVEY_OK && c.agrees)
        status = covey_i_group_rows_check(problems, &c.rows, err);
    covey_arena_free(&c.arena);
    return status;
}
