/* Making groups of l different values, and placing who is left.  Source: [XiaoTao06] section 5.1, figures 2 and 3
 * (group creation, residue assignment).
 *
 * Lists of rows, one per value, stand in an array from the longest to the shortest.  The l longest are its first l, but
 * which of the lists that are as long as the l-th is left to chance: they stand together, and those chosen are moved to
 * the end of their block.  When a row is taken from each, every list is still where its new length belongs.  A group
 * costs O(l). */
#include "method/anatomy/anatomy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "table/table_impl.h"

covey_status covey_i_anatomy_start(covey_anatomy *a, const covey_column *sensitive, uint32_t l, uint32_t *group_of_row,
                                   uint32_t n_rows, covey_arena *arena, covey_error *err)
{
    *a = (covey_anatomy){
        .sensitive = sensitive,
        .l = l,
        .group_of_row = group_of_row,
        .place = covey_arena_array(arena, uint32_t, sensitive->n_values),
        .value = covey_arena_array(arena, uint32_t, n_rows),
        .begin = covey_arena_array(arena, uint32_t, (size_t)n_rows + 1),
        .length = covey_arena_array(arena, uint32_t, n_rows),
        .pool = covey_arena_array(arena, uint32_t, n_rows),
        .order = covey_arena_array(arena, uint32_t, n_rows),
        .at_least = covey_arena_array(arena, uint32_t, (size_t)n_rows + 2),
        .has_value = covey_arena_array_zero(arena, bool, (size_t)n_rows / l + 1),
    };
    if (!a->place || !a->value || !a->begin || !a->length || !a->pool || !a->order || !a->at_least || !a->has_value)
        return covey_i_no_memory(err);
    memset(a->place, 0xff, sensitive->n_values * sizeof *a->place);
    return COVEY_OK;
}

static int compare_values(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* --- lists --- */

/* Fills value, begin and place; returns how many lists there are. */
static uint32_t find_lists(covey_anatomy *a, const uint32_t *rows, uint32_t n)
{
    uint32_t n_lists = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t *place = &a->place[covey_i_code(a->sensitive, rows[i])];

        if (*place == UINT32_MAX) {
            *place = 0;
            a->value[n_lists++] = covey_i_code(a->sensitive, rows[i]);
        }
    }
    qsort(a->value, n_lists, sizeof *a->value, compare_values);
    memset(a->length, 0, n_lists * sizeof *a->length);
    for (uint32_t k = 0; k < n_lists; k++)
        a->place[a->value[k]] = k;
    for (uint32_t i = 0; i < n; i++)
        a->length[a->place[covey_i_code(a->sensitive, rows[i])]]++;
    a->begin[0] = 0;
    for (uint32_t k = 0; k < n_lists; k++)
        a->begin[k + 1] = a->begin[k] + a->length[k];
    return n_lists;
}

/* Fills the lists from behind, so that the first row leaves first; then shuffles them, unless there is no rng (Fisher
 * and Yates). */
static void fill_lists(covey_anatomy *a, uint32_t n_lists, const uint32_t *rows, uint32_t n, covey_rng *rng)
{
    memset(a->length, 0, n_lists * sizeof *a->length);
    for (uint32_t i = n; i-- > 0;) {
        const uint32_t k = a->place[covey_i_code(a->sensitive, rows[i])];

        a->pool[a->begin[k] + a->length[k]++] = rows[i];
    }
    for (uint32_t k = 0; rng && k < n_lists; k++)
        for (uint32_t i = a->length[k]; i > 1; i--) {
            uint32_t *x = &a->pool[a->begin[k] + i - 1], *y = &a->pool[a->begin[k] + covey_i_rng_below(rng, i)],
                     swap = *x;

            *x = *y;
            *y = swap;
        }
    for (uint32_t k = 0; k < n_lists; k++)
        a->place[a->value[k]] = UINT32_MAX;
}

/* Fills order and at_least. */
static void sort_lists(covey_anatomy *a, uint32_t n_lists)
{
    uint32_t longest = 0;

    for (uint32_t k = 0; k < n_lists; k++)
        longest = a->length[k] > longest ? a->length[k] : longest;
    memset(a->at_least, 0, ((size_t)longest + 2) * sizeof *a->at_least);
    for (uint32_t k = 0; k < n_lists; k++)
        a->at_least[a->length[k]]++;
    for (uint32_t length = longest; length-- > 0;)
        a->at_least[length] += a->at_least[length + 1];
    for (uint32_t k = 0; k < n_lists; k++) /* the block of a length begins behind all that are longer */
        a->order[a->at_least[a->length[k] + 1]++] = k;
    memmove(a->at_least, a->at_least + 1,
            ((size_t)longest + 1) * sizeof *a->at_least); /* each has become what the one before it was */
    a->at_least[longest + 1] = 0;
}

/* --- groups --- */

static void swap_lists(covey_anatomy *a, uint32_t i, uint32_t j)
{
    const uint32_t swap = a->order[i];

    a->order[i] = a->order[j];
    a->order[j] = swap;
}

/* Moves wanted of the lists at order[low .. high-1], which are equally long, to the end: at random, or those of the
 * smallest values. */
static void choose(covey_anatomy *a, uint32_t low, uint32_t high, uint32_t wanted, covey_rng *rng)
{
    if (wanted == high - low)
        return;
    if (!rng) {
        qsort(a->order + low, high - low, sizeof *a->order, compare_values); /* lists are numbered by value */
        for (uint32_t i = low, j = high - 1; i < j; i++, j--)
            swap_lists(a, i, j);
        return;
    }
    for (uint32_t i = 0; i < wanted; i++)
        swap_lists(a, low + (uint32_t)covey_i_rng_below(rng, high - low - i), high - 1 - i);
}

/* A row goes to a place among the members. */
static void put_row(const covey_anatomy *a, uint32_t at, uint32_t list, uint64_t row)
{
    a->members->row[at] = row - (a->value[list] * a->stride << 32);
    covey_i_codes_put(a->members->code, a->sensitive->width, at, a->value[list]);
}

/* The row that is number `member` of its group. */
static void take_row(covey_anatomy *a, uint32_t list, uint32_t group, uint32_t member)
{
    uint32_t at;

    a->at_least[a->length[list]]--;
    at = a->begin[list] + --a->length[list];
    if (a->members)
        put_row(a, group * a->l + member, list, a->row[at]);
    else
        a->group_of_row[a->pool[at]] = group;
}

static void make_groups(covey_anatomy *a, covey_rng *rng)
{
    const uint32_t l = a->l;

    while (a->at_least[1] >= l) {
        const uint32_t length = a->length[a->order[l - 1]];
        const uint32_t low = a->at_least[length + 1], high = a->at_least[length];

        choose(a, low, high, l - low, rng);
        for (uint32_t i = high - (l - low); i < high; i++)
            take_row(a, a->order[i], a->n_groups, i - (high - l));
        for (uint32_t i = 0; i < low; i++)
            take_row(a, a->order[i], a->n_groups, i);
        a->n_groups++;
    }
}

/* --- rows that are left --- */

/* The group, of those from first on, that gets a row of the list: one without its value. */
static uint32_t find_group(covey_anatomy *a, uint32_t list, uint32_t first, covey_rng *rng)
{
    uint32_t n_without = a->n_groups - first, group = first, skip;

    for (uint32_t i = a->begin[list] + a->length[list]; i < a->begin[list + 1]; i++) {
        a->has_value[a->group_of_row[a->pool[i]] - first] = true;
        n_without--;
    }
    assert(n_without > 0); /* else the value had more than a share 1/l [XiaoTao06] property 3 */
    for (skip = rng ? (uint32_t)covey_i_rng_below(rng, n_without) : 0; skip > 0 || a->has_value[group - first]; group++)
        skip -= !a->has_value[group - first];
    for (uint32_t i = a->begin[list] + a->length[list]; i < a->begin[list + 1]; i++)
        a->has_value[a->group_of_row[a->pool[i]] - first] = false;
    return group;
}

static void place_residues(covey_anatomy *a, uint32_t n_lists, uint32_t first, covey_rng *rng)
{
    for (uint32_t k = 0; k < n_lists; k++) {
        if (a->length[k] == 0)
            continue;
        assert(a->length[k] == 1); /* [XiaoTao06] property 1 */
        const uint32_t group = find_group(a, k, first, rng);

        a->length[k] = 0;
        a->group_of_row[a->pool[a->begin[k]]] = group;
        a->n_residues++;
    }
}

void covey_i_anatomy_group(covey_anatomy *a, const uint32_t *rows, uint32_t n, covey_rng *rng)
{
    const uint32_t n_lists = find_lists(a, rows, n), first = a->n_groups;

    fill_lists(a, n_lists, rows, n, rng);
    sort_lists(a, n_lists);
    make_groups(a, rng);
    place_residues(a, n_lists, first, rng);
}

/* --- a whole table's rows --- */

/* A list of which one row is left. */
struct rest {
    uint32_t list, code;
    uint32_t skip;  /* groups without its value that it passes by */
    uint32_t seen;  /* the last group with its value, from 1 */
    uint32_t group; /* where it goes; UINT32_MAX: not known yet */
};

/* Lists that stand in order, turned round. */
static uint32_t turn_lists(covey_anatomy *a, const int64_t *count)
{
    uint32_t n_lists = 0;

    a->begin[0] = 0;
    for (uint32_t v = 0; v < a->sensitive->n_values; v++) {
        if (count[v] == 0)
            continue;
        a->value[n_lists] = v;
        a->length[n_lists] = (uint32_t)count[v];
        a->begin[n_lists + 1] = a->begin[n_lists] + (uint32_t)count[v];
        n_lists++;
    }
    for (uint32_t k = 0; k < n_lists; k++)
        for (uint64_t *x = a->row + a->begin[k], *y = a->row + a->begin[k + 1] - 1; x < y; x++, y--) {
            const uint64_t swap = *x;

            *x = *y;
            *y = swap;
        }
    return n_lists;
}

/* A row of the rest goes to any group without its value; returns how many there are. */
static uint32_t draw_rest(struct rest *rest, covey_anatomy *a, uint32_t n_lists, covey_rng *rng)
{
    uint32_t n_rest = 0;

    memset(a->place, 0xff, a->sensitive->n_values * sizeof *a->place);
    for (uint32_t k = 0; k < n_lists; k++) {
        const uint32_t n_without = a->n_groups - (a->begin[k + 1] - a->begin[k] - 1);

        if (a->length[k] == 0)
            continue;
        assert(a->length[k] == 1 && n_without > 0);
        a->place[a->value[k]] = n_rest;
        rest[n_rest++] = (struct rest){.list = k,
                                       .code = a->value[k],
                                       .skip = rng ? (uint32_t)covey_i_rng_below(rng, n_without) : 0,
                                       .group = UINT32_MAX};
    }
    return n_rest;
}

/* One pass over the groups for the whole rest. */
static void place_rest(struct rest *rest, uint32_t n_rest, covey_anatomy *a)
{
    for (uint32_t g = 0, n_left = n_rest; n_left > 0; g++) {
        for (uint32_t at = g * a->l; at < (g + 1) * a->l; at++) {
            const uint32_t own = a->place[covey_i_members_code(a->members, a->sensitive->width, at)];

            if (own != UINT32_MAX)
                rest[own].seen = g + 1;
        }
        for (uint32_t i = 0; i < n_rest; i++) {
            if (rest[i].group != UINT32_MAX || rest[i].seen == g + 1 || rest[i].skip-- > 0)
                continue;
            rest[i].group = g;
            n_left--;
        }
    }
}

static int compare_rest(const void *a, const void *b)
{
    const struct rest *x = a, *y = b;

    return (x->group > y->group) - (x->group < y->group);
}

/* Makes room for the rest: groups move, from the last one on. */
static void join_rest(struct rest *rest, uint32_t n_rest, covey_anatomy *a)
{
    covey_members *m = a->members;
    const size_t width = (size_t)a->sensitive->width;
    uint32_t to = m->n;

    qsort(rest, n_rest, sizeof *rest, compare_rest);
    m->n_groups = a->n_groups;
    m->start[a->n_groups] = m->n;
    for (uint32_t g = a->n_groups; g-- > 0;) {
        for (; n_rest > 0 && rest[n_rest - 1].group == g; n_rest--)
            put_row(a, --to, rest[n_rest - 1].list, a->row[a->begin[rest[n_rest - 1].list]]);
        m->start[g] = to -= a->l;
        if (to == g * a->l)
            continue;
        memmove(m->row + to, m->row + g * a->l, a->l * sizeof *m->row);
        memmove((unsigned char *)m->code + to * width, (unsigned char *)m->code + g * a->l * width, a->l * width);
    }
}

static covey_status start_lists(covey_anatomy *a, struct rest **rest, uint32_t most, covey_arena *arena,
                                covey_error *err)
{
    const uint32_t n_values = a->sensitive->n_values;

    a->place = covey_arena_array(arena, uint32_t, n_values);
    a->value = covey_arena_array(arena, uint32_t, n_values);
    a->begin = covey_arena_array(arena, uint32_t, (size_t)n_values + 1);
    a->length = covey_arena_array(arena, uint32_t, n_values);
    a->order = covey_arena_array(arena, uint32_t, n_values);
    a->at_least = covey_arena_array(arena, uint32_t, (size_t)most + 2);
    *rest = covey_arena_array(arena, struct rest, n_values);
    return a->place && a->value && a->begin && a->length && a->order && a->at_least && *rest ? COVEY_OK
                                                                                             : covey_i_no_memory(err);
}

covey_status covey_i_anatomy_group_lists(covey_members *members, uint32_t *n_residues, const covey_column *sensitive,
                                         uint32_t l, uint64_t *row, uint64_t stride, const int64_t *count,
                                         covey_rng *rng, covey_error *err)
{
    covey_anatomy a = {.sensitive = sensitive, .l = l, .members = members, .row = row, .stride = stride};
    covey_arena arena = COVEY_ARENA_INIT;
    int64_t n_rows = 0, most = 0;
    struct rest *rest = NULL;
    uint32_t n_lists;
    covey_status status;

    for (uint32_t v = 0; v < sensitive->n_values; v++) {
        n_rows += count[v];
        most = count[v] > most ? count[v] : most;
    }
    if ((status = start_lists(&a, &rest, (uint32_t)most, &arena, err)) == COVEY_OK &&
        (status = covey_i_members_new(members, (uint32_t)n_rows, (uint32_t)n_rows / l, sensitive->width, err)) ==
            COVEY_OK) {
        members->has_contents = true;
        n_lists = turn_lists(&a, count);
        for (uint32_t k = 0; rng && k < n_lists; k++)
            covey_i_rng_shuffle(rng, row + a.begin[k], a.length[k]);
        sort_lists(&a, n_lists);
        make_groups(&a, rng);
        *n_residues = draw_rest(rest, &a, n_lists, rng);
        place_rest(rest, *n_residues, &a);
        join_rest(rest, *n_residues, &a);
    }
    covey_arena_free(&arena);
    return status;
}

/* --- when it cannot be done --- */

/* Rows that stay if no value may keep more than cap. */
static int64_t capped(const int64_t *count, uint32_t n, int64_t cap)
{
    int64_t sum = 0;

    for (uint32_t v = 0; v < n; v++)
        sum += count[v] < cap ? count[v] : cap;
    return sum;
}

int64_t covey_i_anatomy_excess(const int64_t *count, uint32_t n, int64_t l)
{
    int64_t low = 0, high = 1, all = capped(count, n, INT64_MAX);

    while (high <
           all) /* the largest cap with cap * l <= rows that stay: the right side falls behind as the cap grows */
        high *= 2;
    while (low < high) {
        const int64_t cap = low + (high - low + 1) / 2;

        if (cap <= capped(count, n, cap) / l)
            low = cap;
        else
            high = cap - 1;
    }
    return low > 0 ? all - capped(count, n, low) : INT64_MAX;
}
