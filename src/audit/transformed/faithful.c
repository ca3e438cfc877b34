/* Can the groups of a transformed release hide the original's rows?
 *
 * Every row of quasi.csv must be a row of the original, one to one.  What a row's quasi-identifiers are says which
 * group it is in, unless rows with the same ones are in several groups: such groups are looked at together.  Then, of
 * the intervals of a group that lie at or below a node, at most as many as values there may be for values that are in
 * the table; others need made-up ones.  A bottom-up count says how many are needed; that must be no more than there are
 * entries beyond the rows (Hall's condition on nested sets). */
#include "audit/transformed/transformed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "audit/content_keys.h"
#include "base/error.h"
#include "base/sort/compare.h"
#include "base/sort/keys.h"

struct comparing {
    covey_problems *problems;
    const covey_opened *opened;
    const covey_opened_transformed *t;
    const covey_original *original;
    covey_key_side published, from;
    uint32_t n_contents;
    uint32_t *group_of_content; /* a group that has it; UINT32_MAX: none */
    uint32_t *joined;           /* [groups] another group that shares rows; itself: the first of them */
    uint32_t *row;              /* original rows by group */
    uint32_t *start;            /* [groups + 1] into row, by the first group */
    covey_arena arena;
};

static uint32_t first_of(struct comparing *c, uint32_t g)
{
    while (c->joined[g] != g)
        g = c->joined[g] = c->joined[c->joined[g]];
    return g;
}

/* Every content is published exactly as often as the original has it. */
static covey_status compare_rows(bool *agrees, struct comparing *c, covey_error *err)
{
    uint32_t *column = covey_arena_array(&c->arena, uint32_t, c->t->n_content);
    int64_t *left;

    if (!column)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < c->t->n_content; i++)
        column[i] = (uint32_t)(c->t->content[i] - c->opened->column);
    COVEY_TRY(
        covey_i_content_keys(&c->published, &c->from, c->opened, c->original, column, c->t->n_content, &c->arena, err));
    c->n_contents = (uint32_t)covey_i_content_renumber(&c->published, &c->from);
    if (!(left = covey_arena_array(&c->arena, int64_t, c->n_contents)))
        return covey_i_no_memory(err);
    *agrees = covey_i_content_is_had(left, c->n_contents, &c->published, &c->from, c->opened, c->problems);
    for (uint32_t i = 0; i < c->n_contents && *agrees; i++)
        if (left[i] > 0) {
            covey_i_problem(c->problems, "the original has rows that quasi.csv does not have");
            *agrees = false;
        }
    return COVEY_OK;
}

/* The smaller number stands for both. */
static void join(struct comparing *c, uint32_t a, uint32_t b)
{
    const uint32_t x = first_of(c, a), y = first_of(c, b);

    c->joined[x > y ? x : y] = x < y ? x : y;
}

/* Groups with rows of the same content are one for what follows. */
static covey_status join_groups(struct comparing *c, covey_error *err)
{
    const uint32_t n = c->opened->n_classes;
    uint32_t *next;

    c->group_of_content = covey_arena_array(&c->arena, uint32_t, c->n_contents);
    c->joined = covey_arena_array(&c->arena, uint32_t, n);
    c->row = covey_arena_array(&c->arena, uint32_t, c->from.n_rows);
    c->start = covey_arena_array_zero(&c->arena, uint32_t, (size_t)n + 1);
    next = covey_arena_array(&c->arena, uint32_t, n);
    if (!c->group_of_content || !c->joined || !c->row || !c->start || !next)
        return covey_i_no_memory(err);
    memset(c->group_of_content, 0xff, c->n_contents * sizeof *c->group_of_content);
    for (uint32_t g = 0; g < n; g++) {
        c->joined[g] = g;
        for (uint32_t row = c->opened->class_start[g]; row < c->opened->class_start[g + 1]; row++) {
            uint32_t *other = &c->group_of_content[c->published.key[row]];

            if (*other == UINT32_MAX)
                *other = g;
            else
                join(c, *other, g);
        }
    }
    for (uint32_t row = 0; row < c->from.n_rows; row++)
        c->start[first_of(c, c->group_of_content[c->from.key[row]]) + 1]++;
    for (uint32_t g = 0; g < n; g++) {
        c->start[g + 1] += c->start[g];
        next[g] = c->start[g];
    }
    for (uint32_t row = 0; row < c->from.n_rows; row++)
        c->row[next[first_of(c, c->group_of_content[c->from.key[row]])]++] = row;
    return COVEY_OK;
}

/* --- what is needed --- */

struct counting {
    uint32_t *leaf_of_value; /* [targets][original's values] line of the leaf; UINT32_MAX: not in the target */
    size_t n_values;
    int64_t *placed, *values; /* [lines] entries at or below; values of the rows there */
    int64_t *needed;          /* [lines] made-up values */
    uint32_t *touched, n;
    bool *seen;     /* [lines] */
    uint32_t *next; /* [groups] the next of those that are one; UINT32_MAX: it is the last */
};

/* Which leaf of each target an original value is. */
static covey_status find_leaves(struct counting *k, struct comparing *c, covey_error *err)
{
    const covey_opened_transformed *t = c->t;
    const covey_original_column *original = &c->original->column[t->sensitive - c->opened->column];
    const uint32_t n_lines = t->targets->n_rows;

    k->n_values = original->column->n_values;
    k->leaf_of_value = covey_arena_array(&c->arena, uint32_t, k->n_values * t->targets->n_classes);
    k->placed = covey_arena_array_zero(&c->arena, int64_t, n_lines);
    k->values = covey_arena_array_zero(&c->arena, int64_t, n_lines);
    k->needed = covey_arena_array_zero(&c->arena, int64_t, n_lines);
    k->touched = covey_arena_array(&c->arena, uint32_t, n_lines);
    k->seen = covey_arena_array_zero(&c->arena, bool, n_lines);
    if (!k->leaf_of_value || !k->placed || !k->values || !k->needed || !k->touched || !k->seen)
        return covey_i_no_memory(err);
    memset(k->leaf_of_value, 0xff, k->n_values * t->targets->n_classes * sizeof *k->leaf_of_value);
    for (uint32_t target = 0; target < t->targets->n_classes; target++)
        for (uint32_t i = t->targets->class_start[target]; i < t->targets->class_start[target + 1]; i++) {
            const uint32_t value = original->value_of_cell[covey_i_code_at(t->sensitive->text, i)];

            if (t->line[i].end > i + 1)
                continue;
            if (value != UINT32_MAX)
                k->leaf_of_value[target * k->n_values + value] = i;
        }
    return COVEY_OK;
}

/* Adds to a line and all above it. */
static void add(struct counting *k, int64_t *count, const covey_opened_transformed *t, uint32_t line, int64_t n)
{
    for (;;) {
        if (!k->seen[line]) {
            k->seen[line] = true;
            k->touched[k->n++] = line;
        }
        count[line] += n;
        if (t->line[line].parent == line)
            return;
        line = t->line[line].parent;
    }
}

/* Of the groups first .. that are one; *inside false: a value is not in the target. */
static int64_t count_needed(bool *inside, struct counting *k, const struct comparing *c, uint32_t first)
{
    const covey_opened_transformed *t = c->t;
    const covey_column *column = c->original->column[t->sensitive - c->opened->column].column;
    const uint32_t target = t->target_of_group[first];
    int64_t needed = 0;

    k->n = 0;
    *inside = true;
    for (uint32_t i = c->start[first]; i < c->start[first + 1]; i++) {
        const uint32_t line = k->leaf_of_value[target * k->n_values + covey_i_code_at(column, c->row[i])];

        if (line == UINT32_MAX)
            *inside = false;
        else
            add(k, k->values, t, line, 1);
    }
    for (uint32_t g = first; g != UINT32_MAX; g = k->next[g])
        for (uint32_t e = t->entries->class_start[g]; e < t->entries->class_start[g + 1]; e++)
            add(k, k->placed, t, t->line_of_entry[e], t->count[e]);
    qsort(k->touched, k->n, sizeof *k->touched, covey_i_compare_u32_down); /* children stand behind their parents */
    for (uint32_t i = 0; i < k->n; i++) {
        const uint32_t line = k->touched[i], parent = t->line[line].parent;

        if (k->needed[line] < k->placed[line] - k->values[line])
            k->needed[line] = k->placed[line] - k->values[line];
        if (parent == line)
            needed = k->needed[line];
        else
            k->needed[parent] += k->needed[line];
    }
    for (uint32_t i = 0; i < k->n; i++) {
        k->placed[k->touched[i]] = k->values[k->touched[i]] = k->needed[k->touched[i]] = 0;
        k->seen[k->touched[i]] = false;
    }
    return needed;
}

static covey_status compare_groups(struct comparing *c, covey_error *err)
{
    const covey_opened_transformed *t = c->t;
    const uint32_t n = c->opened->n_classes;
    bool *mixed = covey_arena_array_zero(&c->arena, bool, n), *alone = covey_arena_array(&c->arena, bool, n), inside;
    int64_t *spare = covey_arena_array_zero(&c->arena, int64_t, n);
    uint32_t *last = covey_arena_array(&c->arena, uint32_t, n);
    struct counting k = {.n = 0};

    k.next = covey_arena_array(&c->arena, uint32_t, n);
    if (!mixed || !alone || !spare || !last || !k.next)
        return covey_i_no_memory(err);
    COVEY_TRY(find_leaves(&k, c, err));
    for (uint32_t g = 0; g < n; g++) {
        const uint32_t first = first_of(c, g);

        alone[g] = true;
        alone[first] &= g == first;
        k.next[g] = UINT32_MAX;
        if (g != first)
            k.next[last[first]] = g;
        last[first] = g;
        mixed[first] |= t->target_of_group[g] != t->target_of_group[first];
        spare[first] -= c->opened->class_start[g + 1] - c->opened->class_start[g];
        for (uint32_t e = t->entries->class_start[g]; e < t->entries->class_start[g + 1]; e++)
            spare[first] += t->count[e];
    }
    for (uint32_t g = 0; g < n; g++) {
        if (c->joined[g] != g || mixed[g]) /* groups with several targets cannot be told apart further */
            continue;
        if (count_needed(&inside, &k, c, g) > spare[g])
            covey_i_problem(c->problems, "the intervals of group %" PRIu32 "%s cannot hold the values of its rows",
                            g + 1, alone[g] ? "" : " and of those with equal rows");
        else if (!inside)
            covey_i_problem(c->problems, "group %" PRIu32 " has rows whose value is not in its target", g + 1);
    }
    return COVEY_OK;
}

covey_status covey_i_transformed_check_faithful(covey_problems *problems, const covey_opened *o,
                                                const covey_opened_transformed *t, const covey_original *original,
                                                covey_error *err)
{
    struct comparing c = {.problems = problems, .opened = o, .t = t, .original = original};
    covey_status status;
    bool agrees = false;

    if ((status = compare_rows(&agrees, &c, err)) == COVEY_OK && agrees && (status = join_groups(&c, err)) == COVEY_OK)
        status = compare_groups(&c, err);
    covey_arena_free(&c.arena);
    return status;
}
