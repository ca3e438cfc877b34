/* Are the groups of a bucketized release sets of original rows?
 *
 * Every row of quasi.csv must be a row of the original, one to one, and so must every value that sensitive.csv counts. */
#include "audit/buckets.h"

#include <inttypes.h>

#include "audit/content_keys.h"

struct comparing {
    covey_problems *problems;
    const covey_opened *opened;
    const covey_opened_buckets *buckets;
    const covey_original *original;
    covey_key_side published, from;
    covey_arena arena;
};

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory to compare groups with the original");
}

/* Every content is published at most as often as the original has it. */
static covey_status compare_rows(struct comparing *c, covey_error *err)
{
    const size_t n_content = c->buckets->n_content;
    uint32_t *column = covey_arena_array(&c->arena, uint32_t, n_content), reported = 0;

    if (!column)
        return no_memory(err);
    for (size_t i = 0; i < n_content; i++)
        column[i] = (uint32_t)(c->buckets->content[i] - c->opened->column);
    COVEY_TRY(covey_i_content_keys(&c->published, &c->from, c->opened, c->original, column, n_content, &c->arena, err));
    covey_i_content_renumber(&c->published, &c->from);
    for (uint32_t i = 0, j = 0; i < c->published.n_rows && reported < COVEY_MOST_PROBLEMS; i++) {
        const uint64_t key = c->published.key[c->published.row[i]];

        while (j < c->from.n_rows && c->from.key[c->from.row[j]] < key)
            j++;
        if (j < c->from.n_rows && c->from.key[c->from.row[j]] == key) {
            j++;
            continue;
        }
        covey_i_problem(c->problems, "group %" PRIu32 " has a row in quasi.csv that the original does not have, or not as often",
                        covey_i_class_of_row(c->opened, c->published.row[i]));
        reported++;
    }
    return COVEY_OK;
}

/* Every sensitive value is counted as often as the original has it; less often where rows were suppressed. */
static covey_status compare_values(struct comparing *c, covey_error *err)
{
    const covey_opened_column *sensitive = c->buckets->sensitive;
    const covey_original_column *original = &c->original->column[sensitive - c->opened->column];
    const covey_audit_groups *groups = &c->opened->groups;
    int64_t *left = covey_arena_array_zero(&c->arena, int64_t, original->column->n_values);

    if (!left)
        return no_memory(err);
    for (uint32_t row = 0; row < c->original->n_rows; row++)
        left[covey_i_code_at(original->column, row)]++;
    for (uint32_t e = 0; e < groups->start[groups->n]; e++) {
        const uint32_t code = original->value_of_cell[covey_i_code_at(sensitive->text, e)];

        if (code == UINT32_MAX || (left[code] -= groups->count[e]) < 0) {
            covey_i_problem(c->problems, "sensitive.csv counts a value more often than the original has it (group %" PRIu32 ")",
                            covey_i_class_of_line(groups->start, groups->n, e));
            return COVEY_OK;
        }
    }
    return COVEY_OK;
}

covey_status covey_i_buckets_check_faithful(covey_problems *problems, const covey_opened *opened, const covey_opened_buckets *buckets,
                                            const covey_original *original, covey_error *err)
{
    struct comparing c = {.problems = problems, .opened = opened, .buckets = buckets, .original = original};
    covey_status status;

    if ((status = compare_rows(&c, err)) == COVEY_OK)
        status = compare_values(&c, err);
    covey_arena_free(&c.arena);
    return status;
}
