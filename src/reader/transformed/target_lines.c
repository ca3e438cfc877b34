/* The targets of a transformed release: trees from the lines of target.csv, which stand in pre-order, so that a node's
 * subtree ends with the leaf that its `high` names. */
#include "reader/transformed/transformed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exact/divisor.h"
#include "reader/cells/cells.h"
#include "reader/names.h"

enum { LOW, HIGH, LABEL, WEIGHT };
static const char FILE_NAME[] = "target.csv";

static bool read_weight(uint64_t *out, const char *text)
{
    const size_t n = strlen(text);
    uint64_t value = 0;

    if (n == 0 || n > 19 || strspn(text, "0123456789") != n || (n > 1 && text[0] == '0'))
        return false;
    for (size_t i = 0; i < n; i++)
        value = value * 10 + (uint64_t)(text[i] - '0');
    *out = value;
    return value <= INT64_MAX;
}

static covey_status read_numbers(bool *usable, covey_opened_transformed *t, covey_opened *o, covey_problems *problems,
                                 covey_error *err)
{
    const uint32_t n = t->targets->n_rows;
    const covey_type type = t->sensitive->stated->type;
    int *scale[2] = {covey_arena_array(&o->arena, int, n), covey_arena_array(&o->arena, int, n)};
    int64_t **number[2] = {&t->low, &t->high};

    if (!covey_i_transformed_has_numbers(t->sensitive->stated))
        return COVEY_OK;
    t->low = covey_arena_array(&o->arena, int64_t, n);
    t->high = covey_arena_array(&o->arena, int64_t, n);
    if (!scale[0] || !scale[1] || !t->low || !t->high)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n && *usable; i++)
        for (size_t side = 0; side < 2 && *usable; side++) {
            *usable = covey_i_cell_number(&(*number[side])[i], &scale[side][i], type, covey_i_target_text(t, side, i));
            t->scale = *usable && scale[side][i] > t->scale ? scale[side][i] : t->scale;
            if (!*usable)
                covey_i_problem(problems, "%s:%" PRIu32 ": low or high is not a value of the column's type", FILE_NAME,
                                i + 2);
        }
    for (uint32_t i = 0; i < n && *usable; i++)
        for (size_t side = 0; side < 2 && *usable; side++)
            *usable = covey_i_cell_rescale(&(*number[side])[i], scale[side][i], t->scale);
    return COVEY_OK;
}

/* Nodes that are open while lines are read. */
struct opening {
    uint32_t *open, n;    /* lines */
    uint32_t *n_children; /* [lines] */
};

/* A leaf ends every open node that ends with it. */
static bool close_nodes(struct opening *w, covey_opened_transformed *t, uint32_t leaf, uint32_t n_leaves)
{
    while (w->n > 0 &&
           strcmp(covey_i_target_text(t, HIGH, w->open[w->n - 1]), covey_i_target_text(t, HIGH, leaf)) == 0) {
        const uint32_t node = w->open[--w->n];

        t->line[node].end = leaf + 1;
        t->line[node].n_leaves = n_leaves - t->line[node].first_leaf;
        if (w->n_children[node] < 2)
            return false;
    }
    return true;
}

/* One target; returns NULL, or what is wrong with the line *at. */
static const char *build_tree(uint32_t *at, struct opening *w, covey_opened_transformed *t, uint32_t begin,
                              uint32_t end)
{
    uint32_t n_leaves = 0, last_leaf = 0;

    w->n = 0;
    for (uint32_t i = begin; i < end; i++) {
        covey_target_line *line = &t->line[i];
        const bool is_leaf = strcmp(covey_i_target_text(t, LOW, i), covey_i_target_text(t, HIGH, i)) == 0;

        *at = i;
        *line = (covey_target_line){
            .parent = w->n > 0 ? w->open[w->n - 1] : i, .end = i + 1, .first_leaf = n_leaves, .n_leaves = 1};
        if (i > begin && w->n == 0)
            return "it stands outside of the root";
        if (!read_weight(&line->weight, covey_i_target_text(t, WEIGHT, i)))
            return "its weight is not a whole number";
        if (i == begin ? line->weight != 1
                       : __builtin_add_overflow(t->line[line->parent].sum, line->weight, &t->line[line->parent].sum))
            return i == begin ? "the root's weight is 1" : "the weights of brothers are too large";
        if (i > begin && t->line[line->parent].sum > INT64_MAX)
            return "the weights of brothers are too large";
        if (i > begin)
            w->n_children[line->parent]++;
        if (!is_leaf) {
            w->n_children[i] = 0;
            w->open[w->n++] = i;
            continue;
        }
        if (t->low && n_leaves > 0 && t->low[last_leaf] >= t->low[i])
            return "values do not ascend";
        last_leaf = i;
        n_leaves++;
        if (!close_nodes(w, t, i, n_leaves))
            return "a node that ends here has a single child";
    }
    if (w->n > 0)
        return "a node has no end";
    for (uint32_t i = begin; i < end; i++) {
        *at = i;
        if (t->line[i].end > i + 1 && t->line[i].sum == 0)
            return "all its children have weight 0";
        if (t->line[i].end > i + 1 && strcmp(covey_i_target_text(t, LOW, i), covey_i_target_text(t, LOW, i + 1)) != 0)
            return "it does not begin where its first child begins";
    }
    return NULL;
}

/* Categories have no order that could show a value twice. */
static covey_status find_twice(bool *usable, const covey_opened_transformed *t, uint32_t target,
                               covey_problems *problems, covey_arena *arena, covey_error *err)
{
    const covey_column *low = covey_i_opened_text(t->targets, LOW);
    bool *seen = covey_arena_array_zero(arena, bool, low->n_values);

    if (!seen)
        return covey_i_no_memory(err);
    for (uint32_t i = t->targets->class_start[target]; i < t->targets->class_start[target + 1]; i++) {
        const uint32_t code = covey_i_code_at(low, i);

        if (t->line[i].end == i + 1 && seen[code]) {
            covey_i_problem(problems, "%s:%" PRIu32 ": a value stands twice", FILE_NAME, i + 2);
            *usable = false;
        }
        seen[code] |= t->line[i].end == i + 1;
    }
    return COVEY_OK;
}

covey_status covey_i_target_lines_read(bool *usable, covey_opened_transformed *t, covey_opened *o,
                                       covey_problems *problems, covey_error *err)
{
    const uint32_t n = t->targets->n_rows;
    covey_arena arena = COVEY_ARENA_INIT;
    struct opening w = {covey_arena_array(&arena, uint32_t, n), 0, covey_arena_array(&arena, uint32_t, n)};
    covey_status status = COVEY_OK;

    *usable = true;
    t->line = covey_arena_array(&o->arena, covey_target_line, n);
    if (!w.open || !w.n_children || !t->line)
        status = covey_i_no_memory(err);
    if (status == COVEY_OK)
        status = read_numbers(usable, t, o, problems, err);
    for (uint32_t target = 0; target < t->targets->n_classes && status == COVEY_OK && *usable; target++) {
        uint32_t at = 0;
        const char *fault =
            build_tree(&at, &w, t, t->targets->class_start[target], t->targets->class_start[target + 1]);

        if (fault) {
            covey_i_problem(problems, "%s:%" PRIu32 ": %s", FILE_NAME, at + 2, fault);
            *usable = false;
        } else if (!t->low) {
            status = find_twice(usable, t, target, problems, &arena, err);
        }
    }
    covey_arena_free(&arena);
    return status;
}

bool covey_i_target_lines_shares(covey_u128 *part, covey_u128 *whole, const covey_opened_transformed *t,
                                 uint32_t target)
{
    const uint32_t begin = t->targets->class_start[target], end = t->targets->class_start[target + 1];

    for (uint32_t i = begin; i < end; i++) {
        const uint32_t parent = t->line[i].parent;
        covey_u128 p = 1, q = 1, divisor;

        if (i > begin && (__builtin_mul_overflow(part[parent], (covey_u128)t->line[i].weight, &p) ||
                          __builtin_mul_overflow(whole[parent], (covey_u128)t->line[parent].sum, &q)))
            return false;
        divisor = covey_i_common_divisor_128(q, p);
        part[i] = p / divisor;
        whole[i] = q / divisor;
        if (whole[i] >> 127)
            return false;
    }
    return true;
}

int64_t covey_i_target_lines_total(const covey_u128 *whole, const covey_opened_transformed *t, uint32_t target)
{
    covey_u128 all = 1;

    for (uint32_t i = t->targets->class_start[target]; i < t->targets->class_start[target + 1]; i++)
        if (t->line[i].end == i + 1) {
            if (whole[i] > UINT32_MAX)
                return 0;
            all = all / covey_i_common_divisor_128(all, whole[i]) * whole[i];
            if (all > UINT32_MAX)
                return 0;
        }
    return (int64_t)all;
}

bool covey_i_target_lines_counts(int64_t *count, int64_t *total, const covey_opened_transformed *t, uint32_t target)
{
    const uint32_t n = t->targets->n_rows;
    covey_u128 *part = covey_i_array(n, sizeof *part), *whole = covey_i_array(n, sizeof *whole);

    *total = part && whole && covey_i_target_lines_shares(part, whole, t, target)
                 ? covey_i_target_lines_total(whole, t, target)
                 : 0;
    for (uint32_t i = t->targets->class_start[target]; *total > 0 && i < t->targets->class_start[target + 1]; i++)
        count[i] = t->line[i].end == i + 1 ? (int64_t)((covey_u128)*total / whole[i] * part[i]) : 0;
    covey_i_free(part);
    covey_i_free(whole);
    return *total > 0;
}
