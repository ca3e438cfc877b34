/* Are the tables of a bucketized release in the order that docs/manifest.md asks for?  Then neither the order nor the
 * numbers of the groups say anything that the tables do not say. */
#include "audit/bucketized/bucketized.h"
#include "audit/row_order.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

static int compare_ranks(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_counts(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_rows(const covey_opened_bucketized *b, uint32_t x, uint32_t y)
{
    int order = 0;

    for (size_t i = 0; i < b->n_content && !order; i++)
        order = compare_ranks(covey_i_opened_rank_at(b->content[i], x), covey_i_opened_rank_at(b->content[i], y));
    return order;
}

/* Row by row, then line by line; what ends first comes first. */
static int compare_content(const covey_opened *o, const covey_opened_bucketized *b, uint32_t x, uint32_t y)
{
    const uint32_t *row = o->class_start, *line = o->groups.start;
    const uint32_t rows_x = row[x + 1] - row[x], rows_y = row[y + 1] - row[y], lines_x = line[x + 1] - line[x],
                   lines_y = line[y + 1] - line[y];
    int order = 0;

    for (uint32_t i = 0; i < rows_x && i < rows_y && !order; i++)
        order = compare_rows(b, row[x] + i, row[y] + i);
    if (!order)
        order = compare_ranks(rows_x, rows_y);
    for (uint32_t i = 0; i < lines_x && i < lines_y && !order; i++) {
        order = compare_ranks(covey_i_opened_rank_at(b->sensitive, line[x] + i),
                              covey_i_opened_rank_at(b->sensitive, line[y] + i));
        if (!order)
            order = compare_counts(covey_i_rows_of_entry(&o->groups, line[x] + i),
                                   covey_i_rows_of_entry(&o->groups, line[y] + i));
    }
    return order ? order : compare_ranks(lines_x, lines_y);
}

/* By smallest and largest value, then by size; ties are at random. */
static int compare_values(const covey_opened *o, const covey_opened_bucketized *b, uint32_t x, uint32_t y)
{
    const uint32_t *row = o->class_start, *line = o->groups.start;
    int order =
        compare_ranks(covey_i_opened_rank_at(b->sensitive, line[x]), covey_i_opened_rank_at(b->sensitive, line[y]));

    if (!order)
        order = compare_ranks(covey_i_opened_rank_at(b->sensitive, line[x + 1] - 1),
                              covey_i_opened_rank_at(b->sensitive, line[y + 1] - 1));
    return order ? order : compare_ranks(row[x + 1] - row[x], row[y + 1] - row[y]);
}

/* rows_ascend: of the group's it is known that they do. */
static void check_group(covey_problems *problems, const covey_opened *o, const covey_opened_bucketized *b, uint32_t g,
                        bool rows_ascend)
{
    for (uint32_t row = o->class_start[g] + 1; !rows_ascend && row < o->class_start[g + 1]; row++)
        if (compare_rows(b, row - 1, row) > 0) {
            covey_i_problem(problems, "group %" PRIu32 ": its rows in quasi.csv are not sorted by their content",
                            g + 1);
            break;
        }
    for (uint32_t line = o->groups.start[g] + 1; line < o->groups.start[g + 1]; line++) {
        const int order =
            compare_ranks(covey_i_opened_rank_at(b->sensitive, line - 1), covey_i_opened_rank_at(b->sensitive, line));

        if (order < 0)
            continue;
        covey_i_problem(problems, "group %" PRIu32 ": %s", g + 1,
                        order ? "its values in sensitive.csv do not stand in their order"
                              : "sensitive.csv counts a value twice");
        break;
    }
}

struct checking {
    const covey_opened *o;
    const covey_opened_bucketized *b;
    bool by_values;
};

static void check_groups(covey_problems *problems, const void *context, uint32_t begin, uint32_t end)
{
    const struct checking *checking = context;
    const covey_opened *o = checking->o;
    const covey_opened_bucketized *b = checking->b;
    const covey_row_order order = {b->n_content, b->content};
    const bool ascend =
        covey_i_rows_ascend(&order, o->class_start, o->n_classes, o->class_start[begin], o->class_start[end]);

    for (uint32_t g = begin; g < end; g++) {
        check_group(problems, o, b, g, ascend);
        if (g > 0 && (checking->by_values ? compare_values(o, b, g - 1, g) : compare_content(o, b, g - 1, g)) > 0)
            covey_i_problem(problems,
                            "group %" PRIu32 " stands behind group %" PRIu32
                            ", but by %s it comes first: the numbers of groups must say "
                            "nothing else",
                            g + 1, g,
                            checking->by_values ? "the range of its values and its size" : "its rows and values");
    }
}

covey_status covey_i_bucketized_check_order(covey_problems *problems, const covey_opened *o,
                                            const covey_opened_bucketized *b, const covey_run *run, covey_error *err)
{
    const json_t *stated = json_object_get(o->stated->root, "group_order");
    const char *name = stated ? json_string_value(stated) : "content";
    const struct checking checking = {o, b, name && strcmp(name, "values") == 0};

    if (!name || !(checking.by_values || strcmp(name, "content") == 0))
        covey_i_problem(problems, "manifest.json: \"group_order\" must be \"content\" or \"values\"");
    return covey_i_order_in_pieces(problems, o->class_start, o->n_classes, check_groups, &checking, run, err);
}
