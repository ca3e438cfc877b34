/* Units of a bucketized release without the publisher's list: a row is of two kinds, what quasi.csv shows of it and its
 * sensitive value, and a group needs both. */
#include "audit/bucketized/bucketized.h"

#include <inttypes.h>

#include "audit/content_keys.h"
#include "audit/whole/question.h"
#include "base/error.h"
#include "base/plural.h"
#include "reader/units.h"
#include "table/table_impl.h"

/* A point is what quasi.csv shows. */
static void visit(const covey_whole_question *q, uint32_t class, void (*see)(void *context, uint32_t point),
                  void *context)
{
    for (uint32_t i = q->need_start[class]; i < q->need_start[class + 1]; i++)
        if (q->need[i].kind < q->n_points)
            see(context, q->need[i].kind);
}

static covey_status make_points(covey_whole_question *q, covey_error *err)
{
    const uint32_t n_rows = q->proof->original->n_rows;
    uint32_t *start = covey_arena_array_zero(q->arena, uint32_t, (size_t)q->n_points + 2),
             *row = covey_arena_array(q->arena, uint32_t, n_rows);

    if (!start || !row)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_rows; i++)
        start[q->kind[2 * i] + 2]++;
    for (uint32_t i = 0; i <= q->n_points; i++)
        start[i + 1] += start[i];
    for (uint32_t i = 0; i < n_rows; i++)
        row[start[q->kind[2 * i] + 1]++] = i;
    q->point_start = start;
    q->point_row = row;
    return COVEY_OK;
}

static void want(covey_whole_question *q, uint32_t group, uint32_t kind, int64_t n_rows)
{
    q->wanted_class[q->n_wanted] = group + 1;
    q->wanted_kind[q->n_wanted] = kind;
    q->wanted_rows[q->n_wanted++] = n_rows;
}

/* A value that the original does not have is a kind of its own, the last. */
static void want_groups(covey_whole_question *q, const covey_key_side *published, const covey_original_column *values,
                        const covey_column *text)
{
    const covey_opened *o = q->proof->audit->opened;

    for (uint32_t g = 0; g < o->n_classes; g++) {
        for (uint32_t row = o->class_start[g]; row < o->class_start[g + 1]; row++)
            want(q, g, (uint32_t)published->key[row], 1);
        for (uint32_t e = o->groups.start[g]; e < o->groups.start[g + 1]; e++) {
            const uint32_t value = values->value_of_cell[covey_i_code_at(text, e)];

            want(q, g, value == UINT32_MAX ? q->n_kinds - 1 : q->n_points + value,
                 covey_i_rows_of_entry(&o->groups, e));
        }
    }
}

/* Units of as many rows are published or suppressed together, whichever of them go where. */
static covey_status check_sizes(covey_whole_question *q, covey_error *err)
{
    const covey_link_proof *p = q->proof;
    const covey_opened *o = p->audit->opened;
    const uint32_t *whole = p->units.whole.of_row, n_rows = p->original->n_rows;
    int64_t *there = covey_arena_array_zero(q->arena, int64_t, (size_t)n_rows + 1),
            *published = covey_arena_array_zero(q->arena, int64_t, (size_t)n_rows + 1);

    if (!there || !published)
        return covey_i_no_memory(err);
    q->is_wrong |= covey_i_links_are_torn(p);
    for (uint32_t begin = 0, end; begin < n_rows; begin = end) {
        for (end = begin; end < n_rows && whole[p->order[end]] == whole[p->order[begin]];)
            end++;
        there[end - begin]++;
    }
    for (uint32_t g = 0; g < o->n_classes; g++)
        if (o->units->largest[g] <= n_rows)
            published[o->units->largest[g]] += o->units->n_units[g];
    for (uint32_t size = 1; size <= n_rows && p->units.whole.n < n_rows; size++) {
        if (published[size] == 0 || published[size] == there[size])
            continue;
        covey_i_problem(p->problems,
                        "the original has %" PRId64 " units with %" PRIu32 " row%s each, and the groups %" PRId64
                        ": units that are alike are published or suppressed together",
                        there[size], size, covey_i_plural(size), published[size]);
        q->is_wrong = true;
    }
    return COVEY_OK;
}

covey_status covey_i_bucketized_ask(covey_whole_question *q, covey_error *err)
{
    const covey_opened *o = q->proof->audit->opened;
    const covey_opened_bucketized *b = o->form_data;
    const covey_original_column *values = &q->proof->original->column[b->sensitive - o->column];
    const uint32_t n_rows = q->proof->original->n_rows;
    const size_t n_wanted = (size_t)o->n_rows + o->groups.start[o->n_classes];
    uint32_t *column = covey_arena_array(q->arena, uint32_t, b->n_content);
    covey_key_side published, from;

    q->kind = covey_arena_array(q->arena, uint32_t, 2 * (size_t)n_rows);
    q->wanted_class = covey_arena_array(q->arena, uint32_t, n_wanted);
    q->wanted_kind = covey_arena_array(q->arena, uint32_t, n_wanted);
    q->wanted_rows = covey_arena_array(q->arena, int64_t, n_wanted);
    if (!column || !q->kind || !q->wanted_class || !q->wanted_kind || !q->wanted_rows)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < b->n_content; i++)
        column[i] = (uint32_t)(b->content[i] - o->column);
    COVEY_TRY(covey_i_content_keys(&published, &from, o, q->proof->original, column, b->n_content, q->arena, err));
    q->are_alike = true;
    q->n_each = 2;
    q->n_points = (uint32_t)covey_i_content_renumber(&published, &from);
    q->n_kinds = q->n_points + values->column->n_values + 1;
    for (uint32_t row = 0; row < n_rows; row++) {
        q->kind[2 * row] = (uint32_t)from.key[row];
        q->kind[2 * row + 1] = q->n_points + covey_i_code_at(values->column, row);
    }
    want_groups(q, &published, values, b->sensitive->text);
    q->visit = visit;
    COVEY_TRY(check_sizes(q, err));
    return make_points(q, err);
}
