/* The entries of a transformed release: whether those of a group together are private for its target.
 *
 * They are if at every node the numbers of entries at or below its children are in the exact ratio of the children's
 * weights: then the average of the entries' distributions is the target's, and the other way round. Only nodes above
 * entries are looked at: where q times a child's weight is what lies below it, for each child that has anything, and q
 * times the sum of all weights is all that lies below the node, no child with weight can be missing.  Source:
 * [Koudas09] Definition 3.2. */
#include "audit/transformed/transformed.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

static const char FILE_NAME[] = "sensitive.csv";
static const double TOLERANCE = 1e-9;

/* --- is it private? --- */

struct placing {
    int64_t *placed, *own; /* [lines] of the group in hand: at or below; at */
    uint32_t *touched, n;  /* lines with placed > 0 */
};

static void place(struct placing *p, const covey_opened_transformed *t, uint32_t entry)
{
    uint32_t line = t->line_of_entry[entry];

    p->own[line] += t->count[entry];
    for (;;) {
        if (p->placed[line] == 0)
            p->touched[p->n++] = line;
        p->placed[line] += t->count[entry];
        if (t->line[line].parent == line)
            return;
        line = t->line[line].parent;
    }
}

/* Below every touched node a whole number of times its children's weights, and below each child its part of it. */
static bool fits_target(const struct placing *p, const covey_opened_transformed *t)
{
    for (uint32_t i = 0; i < p->n; i++) {
        const uint32_t at = p->touched[i], parent = t->line[at].parent;
        const int64_t below = p->placed[at] - p->own[at];

        if (below > 0 && (uint64_t)below % t->line[at].sum != 0)
            return false;
        if (parent != at &&
            (covey_u128)((uint64_t)(p->placed[parent] - p->own[parent]) / t->line[parent].sum) * t->line[at].weight !=
                (covey_u128)p->placed[at])
            return false;
    }
    return true;
}

/* Is it private for its target? */
static bool check_group(covey_problems *problems, struct placing *p, const covey_opened_transformed *t, uint32_t g)
{
    bool fits;

    p->n = 0;
    for (uint32_t e = t->entries->class_start[g]; e < t->entries->class_start[g + 1]; e++)
        place(p, t, e);
    if (!(fits = fits_target(p, t)))
        covey_i_problem(problems,
                        "group %" PRIu32
                        " is not private for its target: the intervals are not in the ratio of the weights",
                        g + 1);
    for (uint32_t i = 0; i < p->n; i++)
        p->placed[p->touched[i]] = p->own[p->touched[i]] = 0;
    return fits;
}

covey_status covey_i_transformed_check_entries(bool *is_private, covey_problems *problems, const covey_opened *o,
                                               const covey_opened_transformed *t, covey_error *err)
{
    const uint32_t n = t->targets->n_rows;
    struct placing p = {covey_i_array_zero(n, sizeof *p.placed), covey_i_array_zero(n, sizeof *p.own),
                        covey_i_array(n, sizeof *p.touched), 0};
    const covey_status status = p.placed && p.own && p.touched ? COVEY_OK : covey_i_no_memory(err);

    *is_private = true;
    for (uint32_t g = 0; g < o->n_classes && status == COVEY_OK; g++)
        *is_private &= check_group(problems, &p, t, g);
    covey_i_free(p.placed);
    covey_i_free(p.own);
    covey_i_free(p.touched);
    return status;
}

/* --- order and objective --- */

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_rows(const covey_opened_transformed *t, uint32_t x, uint32_t y)
{
    int order = 0;

    for (size_t i = 0; i < t->n_content && !order; i++)
        order = compare_numbers(covey_i_opened_rank_at(t->content[i], x), covey_i_opened_rank_at(t->content[i], y));
    return order;
}

static int compare_entries(const covey_opened_transformed *t, uint32_t x, uint32_t y)
{
    const covey_target_line *a = &t->line[t->line_of_entry[x]], *b = &t->line[t->line_of_entry[y]];
    const int order = compare_numbers(a->first_leaf, b->first_leaf);

    return order ? order : compare_numbers(a->n_leaves, b->n_leaves);
}

/* Row by row, by size, by target, then entry by entry; what ends first comes first. */
static int compare_groups(const covey_opened *o, const covey_opened_transformed *t, uint32_t x, uint32_t y)
{
    const uint32_t *row = o->class_start, *entry = t->entries->class_start;
    const uint32_t rows_x = row[x + 1] - row[x], rows_y = row[y + 1] - row[y], n_x = entry[x + 1] - entry[x],
                   n_y = entry[y + 1] - entry[y];
    int order = 0;

    for (uint32_t i = 0; i < rows_x && i < rows_y && !order; i++)
        order = compare_rows(t, row[x] + i, row[y] + i);
    if (!order)
        order = compare_numbers(rows_x, rows_y);
    if (!order)
        order = compare_numbers(t->target_of_group[x], t->target_of_group[y]);
    for (uint32_t i = 0; i < n_x && i < n_y && !order; i++) {
        order = compare_entries(t, entry[x] + i, entry[y] + i);
        if (!order)
            order = compare_numbers(t->count[entry[x] + i], t->count[entry[y] + i]);
    }
    return order ? order : compare_numbers(n_x, n_y);
}

/* Sum of all ranges (of categories the number of leaves), and entries beyond the rows. */
static void check_objective(covey_problems *problems, const covey_opened *o, const covey_opened_transformed *t)
{
    const covey_stated *stated = o->stated;
    const json_t *fakes = json_object_get(json_object_get(stated->root, "objective"), "fakes");
    covey_i128 sum = 0, unit = 1;
    int64_t n = 0;
    double found;

    for (uint32_t e = 0; e < t->entries->n_rows; e++) {
        const uint32_t line = t->line_of_entry[e];

        sum += (t->low ? (covey_i128)t->high[line] - t->low[line] : t->line[line].n_leaves) * t->count[e];
        n += t->count[e];
    }
    for (int i = 0; t->low && i < t->scale; i++)
        unit *= 10;
    found = covey_i_fraction_value(covey_i_fraction(sum, unit));
    if (!stated->objective || strcmp(stated->objective, "sum-of-ranges") != 0)
        covey_i_problem(problems, "manifest.json: the objective of a transformed release is sum-of-ranges");
    else if (!stated->objective_value.present ||
             !(fabs(stated->objective_value.value - found) <= TOLERANCE * fabs(found)))
        covey_i_problem(problems, "manifest.json: the objective sum-of-ranges is not %.17g, as the intervals say",
                        found);
    if (!json_is_integer(fakes) || json_integer_value(fakes) != n - (int64_t)o->n_rows)
        covey_i_problem(problems,
                        "manifest.json: fakes is not %" PRId64 ", by which %s has more values than quasi.csv rows",
                        n - (int64_t)o->n_rows, FILE_NAME);
}

/* Targets are listed as they are numbered. */
static void check_list(covey_problems *problems, const covey_opened *o, const covey_opened_transformed *t)
{
    const json_t *list = json_object_get(o->stated->root, "targets");

    if (list && json_array_size(list) != t->targets->n_classes)
        covey_i_problem(problems, "manifest.json: targets are not the %" PRIu32 " of target.csv",
                        t->targets->n_classes);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *number = json_object_get(json_array_get(list, i), "target"),
                     *distance = json_object_get(json_array_get(list, i), "total_variation");

        if (!json_is_integer(number) || json_integer_value(number) != (json_int_t)i + 1)
            covey_i_problem(problems, "manifest.json: target %zu is not listed in its place", i + 1);
        if (!json_is_number(distance) || !(json_number_value(distance) >= 0 && json_number_value(distance) <= 1))
            covey_i_problem(problems, "manifest.json: the total variation of target %zu is none", i + 1);
    }
}

covey_status covey_i_transformed_check_order(covey_problems *problems, const covey_opened *o,
                                             const covey_opened_transformed *t, covey_error *err)
{
    for (uint32_t g = 0; g < o->n_classes; g++) {
        for (uint32_t row = o->class_start[g] + 1; row < o->class_start[g + 1]; row++)
            if (compare_rows(t, row - 1, row) > 0) {
                covey_i_problem(problems, "group %" PRIu32 ": its rows in quasi.csv are not sorted by their content",
                                g + 1);
                break;
            }
        for (uint32_t e = t->entries->class_start[g] + 1; e < t->entries->class_start[g + 1]; e++)
            if (compare_entries(t, e - 1, e) >= 0) {
                covey_i_problem(problems,
                                "group %" PRIu32 ": its intervals in %s are not sorted by low, then by high, each once",
                                g + 1, FILE_NAME);
                break;
            }
        if (g > 0 && compare_groups(o, t, g - 1, g) > 0)
            covey_i_problem(problems,
                            "group %" PRIu32 " stands behind group %" PRIu32
                            ", but by its rows and intervals it comes first: the numbers of groups"
                            " must say nothing else",
                            g + 1, g);
    }
    check_objective(problems, o, t);
    check_list(problems, o, t);
    return COVEY_OK;
}
