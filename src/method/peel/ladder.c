/* Ladders: the levels of generality of each axis, and the nodes -- one level per axis -- in order of loss. */
#include "method/peel/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "table/table_impl.h"

enum { MOST_LEVELS = 200, MOST_SHARED = 12 };

/* A ladder in the making. */
struct maker {
    const covey_peel_table *t;
    size_t a;
    uint32_t *count; /* [n_codes] rows */
    covey_peel_ladder *ladder;
    covey_arena *arena;
};

/* Labels as they would be published at a rung, any numbers that do not fall with the code. */
static int64_t raw_label(const covey_axis *axis, uint32_t code, int64_t rung)
{
    int64_t number, label;

    switch (axis->kind) {
    case COVEY_AXIS_TREE:
        return covey_hierarchy_nodes(axis->tree)[covey_hierarchy_ancestor(axis->tree, code, (int)rung)].first_leaf;
    case COVEY_AXIS_RANGE:
        if (axis->column->has_null && code == 0)
            return INT64_MIN;
        number = axis->column->number[code];
        label = number / rung;
        return label - (number % rung < 0); /* aligned at 0 */
    case COVEY_AXIS_FLAT:
        return rung == 0 ? code : 0;
    }
    return 0;
}

static bool same_labels(const struct maker *m, const uint32_t *x, const uint32_t *y)
{
    for (uint32_t c = 0; c < m->t->axis[m->a].n_codes; c++)
        if (m->count[c] > 0 && x[c] != y[c])
            return false;
    return true;
}

/* Adds the level that labels make, unless it is the one before. */
static covey_status add_level(struct maker *m, uint32_t *label, uint32_t n_labels, covey_error *err)
{
    const covey_peel_axis *axis = &m->t->axis[m->a];
    covey_peel_level *level = &m->ladder->level[m->ladder->n];
    uint32_t *range;
    int64_t sum = 0;

    if (m->ladder->n == MOST_LEVELS || (m->ladder->n > 0 && same_labels(m, level[-1].label, label)))
        return COVEY_OK;
    if (!(range = covey_arena_array(m->arena, uint32_t, 2 * (size_t)n_labels)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_labels; i++) {
        range[2 * i] = UINT32_MAX;
        range[2 * i + 1] = 0;
    }
    for (uint32_t c = 0; c < axis->n_codes; c++)
        if (m->count[c] > 0) {
            range[2 * label[c]] = c < range[2 * label[c]] ? c : range[2 * label[c]];
            range[2 * label[c] + 1] = c;
        }
    for (uint32_t c = 0; c < axis->n_codes; c++)
        if (m->count[c] > 0)
            sum += m->count[c] * covey_i_peel_loss(axis, range[2 * label[c]], range[2 * label[c] + 1]);
    *level = (covey_peel_level){label, n_labels, range, m->t->n_rows > 0 ? sum / m->t->n_rows : 0};
    m->ladder->n++;
    return COVEY_OK;
}

/* Numbers the labels that occur from 0 on; codes that do not go with the one before.  rung < 0: one label for all. */
static covey_status add_rung(struct maker *m, int64_t rung, covey_error *err)
{
    const covey_axis *axis = m->t->axis[m->a].axis;
    uint32_t *label = covey_arena_array_zero(m->arena, uint32_t, axis->n_values), n = 0;
    int64_t last = 0;

    if (!label)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; rung >= 0 && c < axis->n_values; c++) {
        if (m->count[c] > 0) {
            const int64_t raw = axis->kind == COVEY_AXIS_RANGE && rung == 0 ? c : raw_label(axis, c, rung);

            n += n == 0 || raw != last;
            last = raw;
        }
        label[c] = n > 0 ? n - 1 : 0;
    }
    return add_level(m, label, n > 0 ? n : 1, err);
}

static bool any_holds(const covey_peel_level *level, const uint32_t *reach)
{
    for (uint32_t i = 0; i < level->n_labels; i++)
        if (level->range[2 * i] <= level->range[2 * i + 1] && level->range[2 * i + 1] >= reach[level->range[2 * i]])
            return true;
    return false;
}

/* The narrowest ranges that hold, one after the other; what is left at the end joins the last. */
static void label_narrowest(uint32_t *label, const struct maker *m, const uint32_t *reach)
{
    const uint32_t n_codes = m->t->axis[m->a].n_codes;
    uint32_t n = 0, end = 0;

    for (uint32_t c = 0; c < n_codes; c++) {
        if (m->count[c] > 0 && c >= end && (n == 0 || reach[c] < n_codes)) {
            end = reach[c] + 1;
            n++;
        }
        label[c] = n > 0 ? n - 1 : 0;
    }
}

/* Where promises judge the ranges of numbers, rungs that are too narrow give way to the narrowest that is not. */
static covey_status start_at_narrowest(struct maker *m, const uint32_t *reach, covey_error *err)
{
    covey_peel_ladder *ladder = m->ladder;
    const size_t n = ladder->n;
    size_t n_narrow = 0;
    uint32_t *label;

    while (n_narrow + 1 < n && !any_holds(&ladder->level[n_narrow], reach))
        n_narrow++;
    if (n_narrow == 0)
        return COVEY_OK;
    if (!(label = covey_arena_array(m->arena, uint32_t, m->t->axis[m->a].n_codes)))
        return covey_i_no_memory(err);
    label_narrowest(label, m, reach);
    ladder->n = 0;
    COVEY_TRY(add_level(m, label, label[m->t->axis[m->a].n_codes - 1] + 1, err));
    if (same_labels(m, label, ladder->level[n_narrow].label))
        n_narrow++;
    memmove(&ladder->level[1], &ladder->level[n_narrow], (n - n_narrow) * sizeof *ladder->level);
    ladder->n = 1 + n - n_narrow;
    return COVEY_OK;
}

static covey_status make_ladder(struct maker *m, const covey_peel_wish *wish, covey_error *err)
{
    const covey_axis *axis = m->t->axis[m->a].axis;
    const covey_column *column = axis->column;

    if (!(m->ladder->level = covey_arena_array(m->arena, covey_peel_level, MOST_LEVELS + 1)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < wish->n; i++)
        COVEY_TRY(add_rung(m, wish->rung[i], err));
    if (wish->n == 0)
        COVEY_TRY(add_rung(m, 0, err)); /* every value for itself */
    if (wish->n == 0 && axis->kind == COVEY_AXIS_TREE)
        for (int level = 1; level < covey_hierarchy_n_levels(axis->tree); level++)
            COVEY_TRY(add_rung(m, level, err));
    if (wish->n == 0 && axis->kind == COVEY_AXIS_RANGE && axis->n_values > column->has_null) {
        const int64_t low = column->number[column->has_null ? 1 : 0], high = column->number[axis->n_values - 1];

        for (int64_t width = covey_i_column_unit(column); width <= (high - low > 0 ? high - low : 0); width *= 2) {
            COVEY_TRY(add_rung(m, width, err));
            if (width > INT64_MAX / 2)
                break;
        }
    }
    COVEY_TRY(add_rung(m, -1, err));
    for (size_t i = 0; wish->n == 0 && axis->kind == COVEY_AXIS_RANGE && i < m->t->n_judged && !m->t->shows_rungs; i++)
        if (m->t->judged[i].axis == m->a)
            return start_at_narrowest(m, m->t->judged[i].reach, err);
    return COVEY_OK;
}

static uint64_t product(const covey_peel_table *t)
{
    uint64_t n = 1;

    for (size_t a = 0; a < t->n_axes; a++)
        if (n <= UINT32_MAX)
            n *= t->ladder[a].n;
    return n;
}

/* Takes out the rung that is missed least: the one with the least distance in loss between its neighbours, from the
 * longest ladder. */
static bool shorten(covey_peel_table *t)
{
    covey_peel_ladder *longest = NULL;
    size_t which = 1;

    for (size_t a = 0; a < t->n_axes; a++)
        if (t->ladder[a].n > 2 && (!longest || t->ladder[a].n > longest->n))
            longest = &t->ladder[a];
    if (!longest)
        return false;
    for (size_t i = 2; i + 1 < longest->n; i++)
        if (longest->level[i + 1].loss - longest->level[i - 1].loss <
            longest->level[which + 1].loss - longest->level[which - 1].loss)
            which = i;
    memmove(&longest->level[which], &longest->level[which + 1], (longest->n - which - 1) * sizeof *longest->level);
    longest->n--;
    return true;
}

static int compare_nodes(const void *a, const void *b)
{
    const covey_peel_node *x = a, *y = b;

    if (x->loss != y->loss)
        return x->loss < y->loss ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* All combinations of levels.  Of more than n_steps axes every n_steps-th shares its level with the first. */
static covey_status list_nodes(covey_peel_table *t, size_t n_steps, covey_arena *arena, covey_error *err)
{
    uint8_t *level;
    uint32_t n = 1;

    for (size_t a = 0; a < n_steps; a++)
        n *= (uint32_t)t->ladder[a].n;
    t->n_nodes = n;
    t->node = covey_arena_array(arena, covey_peel_node, n);
    level = covey_arena_array(arena, uint8_t, (size_t)n * t->n_axes);
    if (!t->node || !level)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        uint8_t *own = level + (size_t)i * t->n_axes;
        uint32_t rest = i;

        t->node[i] = (covey_peel_node){0, i};
        for (size_t a = n_steps; a-- > 0;) {
            own[a] = (uint8_t)(rest % t->ladder[a].n);
            rest /= (uint32_t)t->ladder[a].n;
        }
        for (size_t a = 0; a < t->n_axes; a++) {
            const covey_peel_ladder *ladder = &t->ladder[a];

            own[a] = own[a % n_steps] < ladder->n ? own[a % n_steps] : (uint8_t)(ladder->n - 1);
            t->node[i].loss += ladder->level[own[a]].loss;
        }
    }
    qsort(t->node, n, sizeof *t->node, compare_nodes);
    t->level = level;
    return COVEY_OK;
}

static covey_status make_ladders(covey_peel_table *t, const covey_peel_wish *wish, covey_arena *arena, covey_error *err)
{
    covey_status status = COVEY_OK;

    if (!(t->ladder = covey_arena_array_zero(arena, covey_peel_ladder, t->n_axes)))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < t->n_axes && status == COVEY_OK; a++) {
        struct maker m = {t, a, covey_i_array_zero(t->axis[a].n_codes, sizeof *m.count), &t->ladder[a], arena};

        if (!m.count)
            return covey_i_no_memory(err);
        for (uint32_t lot = 0; lot < t->n_lots; lot++)
            m.count[covey_i_peel_codes(t, lot)[a]] += covey_i_peel_size(t, lot);
        status = make_ladder(&m, &wish[a], err);
        covey_i_free(m.count);
    }
    return status;
}

covey_status covey_i_peel_ladders_new(covey_peel_table *t, const char *wishes, uint32_t most, char *note, size_t size,
                                      covey_arena *arena, covey_error *err)
{
    covey_peel_wish *wish = covey_arena_array_zero(arena, covey_peel_wish, t->n_axes);
    size_t n_steps = t->n_axes;
    uint64_t wanted;

    note[0] = '\0';
    if (!wish)
        return covey_i_no_memory(err);
    if (wishes)
        COVEY_TRY(covey_i_error_about(covey_i_peel_wishes_read(wish, t->problem, wishes, arena, err), "ladders", err));
    COVEY_TRY(make_ladders(t, wish, arena, err));
    wanted = product(t);
    while (product(t) > most && shorten(t))
        continue;
    if (product(t) > most) /* two rungs each, and still too many */
        for (n_steps = 1; n_steps < MOST_SHARED && (uint64_t)2 << n_steps <= most; n_steps++)
            continue;
    COVEY_TRY(list_nodes(t, n_steps, arena, err));
    if (wanted > t->n_nodes)
        snprintf(note, size, "%u combinations of levels were tried, of %s%llu: ladders were shortened", t->n_nodes,
                 wanted > UINT32_MAX ? "more than " : "",
                 (unsigned long long)(wanted > UINT32_MAX ? UINT32_MAX : wanted));
    return COVEY_OK;
}

bool covey_i_peel_ladders_nest(const covey_peel_table *t)
{
    for (size_t i = 0; i < t->n_judged; i++) {
        const size_t a = t->judged[i].axis;

        for (size_t l = 1; l < t->ladder[a].n; l++) {
            const uint32_t *fine = t->ladder[a].level[l - 1].label, *coarse = t->ladder[a].level[l].label;

            for (uint32_t c = 1; c < t->axis[a].n_codes; c++)
                if (fine[c - 1] == fine[c] && coarse[c - 1] != coarse[c])
                    return false;
        }
    }
    return true;
}
