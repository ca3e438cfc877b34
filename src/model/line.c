/* Distances between values on a line, as cumulated shares.
 *
 * The distance is the area between the two cumulative distributions ([Li07], ordered distance).  Between two values of
 * the class its cumulative share stands still while that of the table grows, so their difference changes its sign at
 * most once: the area is found by binary search and from sums made once per table.  A class costs O(present log n), not
 * O(n).  Where n is not much more than what is present, adding up point by point is quicker, the more so in integers of
 * 64 bits. */
#include "model/line.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "model/counts.h"

static covey_status check_order(const covey_model_input *input, const covey_line_wish *wish, covey_error *err)
{
    const covey_column *column = input->sensitive;

    if (wish->by_number && !covey_column_is_number(column))
        return covey_fail(err, COVEY_EINVAL, "%s: %s needs numbers, but column \"%s\" is %s: declare its type, or %s",
                          wish->model, wish->what, column->name, covey_type_name(column->type), wish->instead);
    if (!covey_column_is_number(column) && !input->has_order)
        return covey_fail(err, COVEY_EINVAL,
                          "%s: no-order: %s needs an order, but column \"%s\" is text without one: declare it at the"
                          " attribute, as in order: [low, mid, high], or %s",
                          wish->model, wish->what, column->name, wish->instead);
    if (column->has_null && input->prior->count[0] > 0)
        return covey_fail(
            err, COVEY_EINVAL,
            "%s: column \"%s\" has missing values, which have no place in the order that %s needs: drop them"
            " with input: {missing-sensitive: drop}, or %s",
            wish->model, column->name, wish->what, wish->instead);
    return COVEY_OK;
}

/* Codes of numbers may be the leaves of a tree: then their order is the tree's and not the numbers'. */
static bool sort_by_number(covey_line *line, const covey_column *column, covey_arena *arena)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    uint64_t *key = covey_arena_array(arena, uint64_t, column->n_values);
    uint32_t *scratch = covey_arena_array(arena, uint32_t, line->n);

    if (!key || !scratch)
        return false;
    for (uint32_t v = 0; v < column->n_values; v++)
        key[v] = (uint64_t)column->number[v] ^ (uint64_t)1 << 63;
    covey_i_sort_rows_u64(line->value, scratch, line->n, key);
    covey_arena_rewind(arena, mark);
    return true;
}

/* No sum on the way to a distance is larger than the rows of the table times those of the class times the length of the
 * line. */
static int64_t most_small_class(const covey_line *line)
{
    const covey_u128 length = line->n > 0 && line->position[line->n - 1] > 0 ? line->position[line->n - 1] : 1;
    const covey_u128 most = (covey_u128)line->prior->total * length; /* the total has 32 bits, see covey_model_input */

    return most > 0 && most <= INT64_MAX / 2 ? INT64_MAX / 2 / (int64_t)most : 0;
}

static void place(covey_line *line, const covey_column *column, bool by_number)
{
    int64_t below = 0;
    covey_i128 area = 0;

    line->point_follows_code = true;
    memset(line->point, 0xff, line->prior->n_values * sizeof *line->point);
    for (uint32_t i = 0; i < line->n; i++) {
        const uint32_t v = line->value[i];

        line->point[v] = i;
        line->position[i] = by_number ? (uint64_t)column->number[v] - (uint64_t)column->number[line->value[0]] : i;
        if (i > 0) {
            area += (covey_i128)below * (line->position[i] - line->position[i - 1]);
            line->point_follows_code &= line->value[i - 1] < v;
        }
        below += line->prior->count[v];
        line->below[i] = below;
        line->area[i] = area;
    }
    line->most_small = most_small_class(line);
}

covey_status covey_i_line_new(covey_line **out, const covey_model_input *input, const covey_line_wish *wish,
                              covey_arena *arena, covey_error *err)
{
    const covey_histogram *prior = input->prior;
    covey_line *line;

    COVEY_TRY(check_order(input, wish, err));
    if (!(line = covey_arena_array_zero(arena, covey_line, 1)))
        return covey_i_no_memory(err);
    line->prior = prior;
    line->value = covey_arena_array(arena, uint32_t, prior->n_distinct);
    line->point = covey_arena_array(arena, uint32_t, prior->n_values);
    line->position = covey_arena_array(arena, uint64_t, prior->n_distinct);
    line->below = covey_arena_array(arena, int64_t, prior->n_distinct);
    line->area = covey_arena_array(arena, covey_i128, prior->n_distinct);
    if (!line->value || !line->point || !line->position || !line->below || !line->area)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < prior->n_values; v++)
        if (prior->count[v] > 0)
            line->value[line->n++] = v;
    if (covey_column_is_number(input->sensitive) && !sort_by_number(line, input->sensitive, arena))
        return covey_i_no_memory(err);
    place(line, input->sensitive, wish->by_number);
    *out = line;
    return COVEY_OK;
}

/* First of the points from .. to-1 where the table's share, times both totals, is beyond `mine`; `to` if none is. */
static uint32_t crossing(const covey_line *line, uint32_t from, uint32_t to, covey_i128 mine, int64_t size)
{
    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;

        if ((covey_i128)line->below[middle] * size > mine)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* Area between the cumulative distributions from point `from` to point `to`, if the class has `rows` rows up to each in
 * between. */
static covey_i128 area_between(const covey_line *line, uint32_t from, uint32_t to, int64_t rows, int64_t size)
{
    const covey_i128 mine = (covey_i128)rows * line->prior->total;
    const uint32_t turn = crossing(line, from, to, mine, size);
    const covey_i128 above =
        mine * (line->position[turn] - line->position[from]) - (line->area[turn] - line->area[from]) * size;
    const covey_i128 under =
        (line->area[to] - line->area[turn]) * size - mine * (line->position[to] - line->position[turn]);

    return above + under;
}

void covey_i_line_walk_init(covey_line_walk *walk, const covey_line *line, const covey_histogram *group)
{
    walk->line = line;
    walk->group = group;
    walk->point = 0;
    if (line->point_follows_code)
        covey_i_ascending_init(&walk->values, group);
}

bool covey_i_line_walk_next(covey_line_walk *walk, uint32_t *value)
{
    if (walk->line->point_follows_code)
        return covey_i_ascending_next(&walk->values, value);
    while (walk->point < walk->line->n && walk->group->count[walk->line->value[walk->point]] <= 0)
        walk->point++;
    if (walk->point == walk->line->n)
        return false;
    *value = walk->line->value[walk->point++];
    return true;
}

/* Point by point, of a class of most_small rows at most. */
static int64_t distance_by_points(const covey_line *line, const covey_histogram *group)
{
    const int64_t n_table = line->prior->total, n_class = group->total;
    int64_t sum = 0, rows = 0;

    for (uint32_t i = 0; i + 1 < line->n; i++) {
        int64_t ahead;

        rows += group->count[line->value[i]];
        ahead = rows * n_table - line->below[i] * n_class;
        sum += (ahead < 0 ? -ahead : ahead) * (int64_t)(line->position[i + 1] - line->position[i]);
    }
    if (line->n > 0)
        rows += group->count[line->value[line->n - 1]];
    return rows == n_class ? sum : -1;
}

covey_i128 covey_i_line_distance(const covey_line *line, const covey_histogram *group)
{
    enum { POINTS_PER_VALUE = 4 }; /* that cost as much as a value's search */

    covey_line_walk walk;
    covey_i128 sum = 0;
    uint32_t from = 0;
    int64_t rows = 0;

    if (group->total <= line->most_small && line->n / POINTS_PER_VALUE <= group->n_present)
        return distance_by_points(line, group);
    covey_i_line_walk_init(&walk, line, group);
    for (uint32_t value; covey_i_line_walk_next(&walk, &value);) {
        const uint32_t to = line->point[value];

        if (to == UINT32_MAX)
            return -1;
        sum += area_between(line, from, to, rows, group->total);
        rows += group->count[value];
        from = to;
    }
    if (rows != group->total)
        return -1;
    return sum + area_between(line, from, line->n - 1, rows, group->total);
}

void covey_i_line_ground(covey_closeness *out, const void *state)
{
    const covey_line *line = state;

    out->ground = COVEY_GROUND_LINE;
    out->n_points = line->n;
    out->value = line->value;
    out->position = line->position;
}

static int compare_points(const void *a, const void *b, void *context)
{
    const covey_line *line = context;
    const uint32_t x = line->point[((const covey_share *)a)->value], y = line->point[((const covey_share *)b)->value];

    return (x > y) - (x < y);
}

void covey_i_line_sort_shares(covey_share *share, size_t n, const covey_line *line)
{
    qsort_r(share, n, sizeof *share, compare_points, (void *)line);
}
