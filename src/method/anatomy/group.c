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
#include "base/sort/compare.h"
#include "base/sort/sort.h"
#include "table/table_impl.h"

static covey_status start_lists(covey_anatomy *a, uint32_t most_lists, uint32_t longest, covey_arena *arena,
                                covey_error *err)
{
    a->place = covey_arena_array(arena, uint32_t, a->sensitive->n_values);
    a->value = covey_arena_array(arena, uint32_t, most_lists);
    a->begin = covey_arena_array(arena, uint32_t, (size_t)most_lists + 1);
    a->length = covey_arena_array(arena, uint32_t, most_lists);
    a->order = covey_arena_array(arena, uint32_t, most_lists);
    a->at_least = covey_arena_array(arena, uint32_t, (size_t)longest + 2);
    a->rest = covey_arena_array(arena, covey_anatomy_rest, a->l < most_lists ? a->l : most_lists);
    if (!a->place || !a->value || !a->begin || !a->length || !a->order || !a->at_least || !a->rest)
        return covey_i_no_memory(err);
    memset(a->place, 0xff, a->sensitive->n_values * sizeof *a->place);
    return COVEY_OK;
}

covey_status covey_i_anatomy_start(covey_anatomy *a, const covey_column *sensitive, uint32_t l, uint32_t *group_of_row,
                                   uint32_t n_rows, covey_arena *arena, covey_error *err)
{
    const uint32_t most_lists = sensitive->n_values < n_rows ? sensitive->n_values : n_rows;

    *a = (covey_anatomy){
        .sensitive = sensitive,
        .l = l,
        .group_of_row = group_of_row,
        .word = covey_arena_array(arena, uint64_t, n_rows),
        .list = covey_arena_array(arena, uint64_t, most_lists),
        .room = covey_arena_array(arena, uint64_t, most_lists),
        .row = covey_arena_array(arena, uint64_t, n_rows),
        .slot = covey_arena_array(arena, uint64_t, n_rows),
    };
    return a->word && a->list && a->room && a->row && a->slot ? start_lists(a, most_lists, n_rows, arena, err)
                                                              : covey_i_no_memory(err);
}

/* --- lists --- */

/* Counts the rows of each value, by the places that values get on the way. */
static void count_values(covey_anatomy *a, const uint32_t *count, uint32_t n)
{
    a->n_lists = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t value = a->word[i] >> 32;

        if (a->place[value] == UINT32_MAX) {
            a->place[value] = a->n_lists;
            a->list[a->n_lists++] = value << 32;
        }
        a->list[a->place[value]] += count ? count[i] : 1;
    }
}

static void forget_places(covey_anatomy *a)
{
    for (uint32_t k = 0; k < a->n_lists; k++)
        a->place[a->list[k] >> 32] = UINT32_MAX;
}

/* Is none of the values more frequent than one in l? */
static bool is_eligible(const covey_anatomy *a)
{
    uint64_t most = 0, n_rows = 0;

    for (uint32_t k = 0; k < a->n_lists; k++) {
        const uint32_t length = (uint32_t)a->list[k];

        most = length > most ? length : most;
        n_rows += length;
    }
    return most * a->l <= n_rows;
}

/* Numbers lists by value. */
static void number_lists(covey_anatomy *a)
{
    covey_i_sort_u64(a->list, a->room, a->n_lists, 64);
    a->begin[0] = 0;
    for (uint32_t k = 0; k < a->n_lists; k++) {
        a->value[k] = (uint32_t)(a->list[k] >> 32);
        a->begin[k + 1] = a->begin[k] + (uint32_t)a->list[k];
        a->length[k] = 0;
        a->place[a->value[k]] = k;
    }
}

/* From behind, so that the first row leaves first. */
static void fill_lists(covey_anatomy *a, const uint32_t *count, uint32_t n)
{
    for (uint32_t i = n; i-- > 0;) {
        const uint64_t word = a->word[i];
        const uint32_t k = a->place[word >> 32], at = a->begin[k] + a->length[k], n_equal = count ? count[i] : 1;

        for (uint32_t j = 0; j < n_equal; j++)
            a->row[at + j] = word;
        a->length[k] += n_equal;
    }
}

bool covey_i_anatomy_list(covey_anatomy *a, const uint32_t *count, uint32_t n)
{
    bool eligible;

    count_values(a, count, n);
    if ((eligible = is_eligible(a))) {
        number_lists(a);
        fill_lists(a, count, n);
    }
    forget_places(a);
    return eligible;
}

/* Fills order and at_least. */
static void sort_lists(covey_anatomy *a)
{
    const uint32_t n_lists = a->n_lists;
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
        qsort(a->order + low, high - low, sizeof *a->order, covey_i_compare_u32); /* lists are numbered by value */
        for (uint32_t i = low, j = high - 1; i < j; i++, j--)
            swap_lists(a, i, j);
        return;
    }
    for (uint32_t i = 0; i < wanted; i++)
        swap_lists(a, low + (uint32_t)covey_i_rng_below(rng, high - low - i), high - 1 - i);
}

/* A row goes to a place among those of groups. */
static void put_row(const covey_anatomy *a, uint32_t at, uint32_t list, uint64_t row)
{
    if (a->slot) {
        a->slot[at] = row;
        return;
    }
    a->members->row[at] = row - (a->value[list] * a->stride << 32);
    covey_i_codes_put(a->members->code, a->sensitive->width, at, a->value[list]);
}

/* The row that is number `member` of its group. */
static void take_row(covey_anatomy *a, uint32_t list, uint32_t group, uint32_t member)
{
    a->at_least[a->length[list]]--;
    put_row(a, group * a->l + member, list, a->row[a->begin[list] + --a->length[list]]);
}

static void make_groups(covey_anatomy *a, covey_rng *rng)
{
    const uint32_t l = a->l;

    a->n_made = 0;
    while (a->at_least[1] >= l) {
        const uint32_t length = a->length[a->order[l - 1]];
        const uint32_t low = a->at_least[length + 1], high = a->at_least[length];

        choose(a, low, high, l - low, rng);
        for (uint32_t i = high - (l - low); i < high; i++)
            take_row(a, a->order[i], a->n_made, i - (high - l));
        for (uint32_t i = 0; i < low; i++)
            take_row(a, a->order[i], a->n_made, i);
        a->n_made++;
    }
}

/* --- rows that are left --- */

/* A row of the rest goes to any group without its value. */
static void draw_rest(covey_anatomy *a, covey_rng *rng)
{
    a->n_rest = 0;
    for (uint32_t k = 0; k < a->n_lists; k++) {
        const uint32_t n_without = a->n_made - (a->begin[k + 1] - a->begin[k] - 1);

        if (a->length[k] == 0)
            continue;
        assert(a->length[k] == 1); /* [XiaoTao06] property 1 */
        assert(n_without > 0);     /* else the value had more than a share 1/l, property 3 */
        a->place[a->value[k]] = a->n_rest;
        a->rest[a->n_rest++] = (covey_anatomy_rest){
            .list = k, .skip = rng ? (uint32_t)covey_i_rng_below(rng, n_without) : 0, .group = UINT32_MAX};
    }
}

static uint32_t value_at(const covey_anatomy *a, uint32_t at)
{
    return a->slot ? (uint32_t)(a->slot[at] >> 32) : covey_i_members_code(a->members, a->sensitive->width, at);
}

/* One pass over the groups for the whole rest. */
static void place_rest(covey_anatomy *a)
{
    covey_anatomy_rest *rest = a->rest;

    for (uint32_t g = 0, n_left = a->n_rest; n_left > 0; g++) {
        for (uint32_t at = g * a->l; at < (g + 1) * a->l; at++) {
            const uint32_t own = a->place[value_at(a, at)];

            if (own != UINT32_MAX)
                rest[own].seen = g + 1;
        }
        for (uint32_t i = 0; i < a->n_rest; i++) {
            if (rest[i].group != UINT32_MAX || rest[i].seen == g + 1 || rest[i].skip-- > 0)
                continue;
            rest[i].group = g;
            n_left--;
        }
    }
    for (uint32_t i = 0; i < a->n_rest; i++)
        a->place[a->value[rest[i].list]] = UINT32_MAX;
}

void covey_i_anatomy_group_listed(covey_anatomy *a, covey_rng *rng)
{
    for (uint32_t k = 0; rng && k < a->n_lists; k++)
        covey_i_rng_shuffle(rng, a->row + a->begin[k], a->length[k]);
    sort_lists(a);
    make_groups(a, rng);
    draw_rest(a, rng);
    place_rest(a);
    a->n_residues += a->n_rest;
}

void covey_i_anatomy_group(covey_anatomy *a, const uint32_t *rows, uint32_t n, covey_rng *rng)
{
    bool eligible;

    for (uint32_t i = 0; i < n; i++)
        a->word[i] = (uint64_t)covey_i_code(a->sensitive, rows[i]) << 32 | rows[i];
    eligible = covey_i_anatomy_list(a, NULL, n);
    assert(eligible);
    covey_i_anatomy_group_listed(a, rng);
    for (uint32_t i = 0; i < a->n_made * a->l; i++)
        a->group_of_row[(uint32_t)a->slot[i]] = a->n_groups + i / a->l;
    for (uint32_t i = 0; i < a->n_rest; i++)
        a->group_of_row[(uint32_t)a->row[a->begin[a->rest[i].list]]] = a->n_groups + a->rest[i].group;
    a->n_groups += a->n_made;
}

/* --- a whole table's rows --- */

/* Lists that stand in order, turned round. */
static void turn_lists(covey_anatomy *a, const int64_t *count)
{
    a->n_lists = 0;
    a->begin[0] = 0;
    for (uint32_t v = 0; v < a->sensitive->n_values; v++) {
        const uint32_t k = a->n_lists;

        if (count[v] == 0)
            continue;
        a->value[k] = v;
        a->length[k] = (uint32_t)count[v];
        a->begin[k + 1] = a->begin[k] + (uint32_t)count[v];
        a->n_lists++;
        for (uint64_t *x = a->row + a->begin[k], *y = a->row + a->begin[k + 1] - 1; x < y; x++, y--) {
            const uint64_t swap = *x;

            *x = *y;
            *y = swap;
        }
    }
}

static int compare_rest(const void *a, const void *b)
{
    const covey_anatomy_rest *x = a, *y = b;

    return (x->group > y->group) - (x->group < y->group);
}

/* Makes room for the rest: groups move, from the last one on. */
static void join_rest(covey_anatomy *a)
{
    covey_members *m = a->members;
    const size_t width = (size_t)a->sensitive->width;
    uint32_t to = m->n, n_rest = a->n_rest;

    qsort(a->rest, n_rest, sizeof *a->rest, compare_rest);
    m->n_groups = a->n_made;
    m->start[a->n_made] = m->n;
    for (uint32_t g = a->n_made; g-- > 0;) {
        for (; n_rest > 0 && a->rest[n_rest - 1].group == g; n_rest--)
            put_row(a, --to, a->rest[n_rest - 1].list, a->row[a->begin[a->rest[n_rest - 1].list]]);
        m->start[g] = to -= a->l;
        if (to == g * a->l)
            continue;
        memmove(m->row + to, m->row + g * a->l, a->l * sizeof *m->row);
        memmove((unsigned char *)m->code + to * width, (unsigned char *)m->code + g * a->l * width, a->l * width);
    }
}

covey_status covey_i_anatomy_group_lists(covey_members *members, uint32_t *n_residues, const covey_column *sensitive,
                                         uint32_t l, uint64_t *row, uint64_t stride, const int64_t *count,
                                         covey_rng *rng, covey_error *err)
{
    covey_anatomy a = {.sensitive = sensitive, .l = l, .members = members, .row = row, .stride = stride};
    covey_arena arena = COVEY_ARENA_INIT;
    int64_t n_rows = 0, most = 0;
    covey_status status;

    for (uint32_t v = 0; v < sensitive->n_values; v++) {
        n_rows += count[v];
        most = count[v] > most ? count[v] : most;
    }
    if ((status = start_lists(&a, sensitive->n_values, (uint32_t)most, &arena, err)) == COVEY_OK &&
        (status = covey_i_members_new(members, (uint32_t)n_rows, (uint32_t)n_rows / l, sensitive->width, err)) ==
            COVEY_OK) {
        members->has_contents = true;
        turn_lists(&a, count);
        covey_i_anatomy_group_listed(&a, rng);
        *n_residues = a.n_residues;
        join_rest(&a);
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
