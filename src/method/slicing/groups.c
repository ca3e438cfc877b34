/* Groups inside closed buckets: the rows of a set are parted as Anatomy does, into groups of rows with different
 * sensitive values, and then mixed.
 *
 * Anatomy takes the most frequent values first.  That keeps as many rows as can be kept, but the rows of a frequent
 * value then meet those of other frequent ones, and rare values each other, which says more of a group's members than
 * the bucket does: what is learned of a value is blended with the wrong rows.  So two rows of two groups change places,
 * again and again, wherever all values of both stay different: in the long run every such arrangement is as likely as
 * any other, and no group's size changes. Source: [XiaoTao06] for the groups;
 * docs/design/slicing.md for what mixing is worth. */
#include "method/slicing/groups.h"

#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "table/table_impl.h"

enum { ANATOMY_STREAM = 0x736c6963 };

/* Tries to exchange per row; more change nothing that can be measured. */
enum { EXCHANGES = 4 };

covey_status covey_i_slicing_groups_new(covey_slicing_groups *p, const covey_slicing *s,
                                        const covey_slicing_pairs *pairs, covey_error *err)
{
    *p = (covey_slicing_groups){.s = s,
                                .pairs = pairs,
                                .l = (uint32_t)(s->l.num / s->l.den + (s->l.num % s->l.den != 0)),
                                .counts = COVEY_ARENA_INIT,
                                .arena = COVEY_ARENA_INIT};
    p->n_of_set = covey_arena_array_zero(&p->counts, uint32_t, s->n_sets);
    if (!p->n_of_set)
        return covey_i_no_memory(err);
    return s->n_others > 0 ? covey_i_slicing_several_groups_new(&p->several, s, &p->counts, err) : COVEY_OK;
}

void covey_i_slicing_groups_clear(covey_slicing_groups *p)
{
    covey_arena_free(&p->counts);
    covey_arena_free(&p->arena);
    covey_i_rng_wipe(&p->rng);
}

void covey_i_slicing_groups_seed(covey_slicing_groups *p, const unsigned char key[32], uint32_t block)
{
    covey_i_rng_init(&p->rng, key, (uint64_t)block << 32 | ANATOMY_STREAM);
}

/* Room for a bucket of n rows. */
static covey_status grow(covey_slicing_groups *p, uint32_t n, covey_error *err)
{
    if (n <= p->most)
        return COVEY_OK;
    covey_arena_free(&p->arena);
    p->most = n < UINT32_MAX / 2 && n < 2 * p->most ? 2 * p->most : n;
    p->set = covey_arena_array(&p->arena, uint64_t, p->most);
    p->spare = covey_arena_array(&p->arena, uint64_t, p->most);
    p->by_set = covey_arena_array(&p->arena, uint32_t, p->most);
    p->count = covey_arena_array(&p->arena, uint32_t, p->most);
    p->member = covey_arena_array(&p->arena, uint64_t, 2 * (size_t)p->most);
    p->place = covey_arena_array(&p->arena, struct covey_slicing_place, p->most);
    p->rest = covey_arena_array(&p->arena, uint32_t, p->most);
    if (!p->set || !p->spare || !p->by_set || !p->count || !p->member || !p->place || !p->rest)
        return covey_i_no_memory(err);
    return covey_i_anatomy_start(&p->anatomy, p->s->problem->field[p->s->sensitive].column, p->l, NULL, p->most,
                                 &p->arena, err);
}

/* --- groups side by side --- */

/* Groups have few members, and those of the rest, which are fewer than l, follow the groups that they join. */
static void sort_rest(covey_anatomy_rest *rest, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const covey_anatomy_rest one = rest[i];
        uint32_t at = i;

        for (; at > 0 && rest[at - 1].group > one.group; at--)
            rest[at] = rest[at - 1];
        rest[at] = one;
    }
}

/* By content, which is below the value. */
static void sort_members(uint64_t *member, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        const uint64_t one = member[i];
        uint32_t at = i;

        for (; at > 0 && (uint32_t)member[at - 1] > (uint32_t)one; at--)
            member[at] = member[at - 1];
        member[at] = one;
    }
}

/* Members of the largest group. */
static uint32_t find_width(const covey_anatomy *a)
{
    uint32_t most = 0;

    for (uint32_t i = 0, first = 0; i < a->n_rest; i++) {
        first = a->rest[i].group == a->rest[first].group ? first : i;
        most = i - first + 1 > most ? i - first + 1 : most;
    }
    return a->l + most;
}

/* Fills member and place; returns how wide groups are.  Behind the members of smaller ones stands what is no value. */
static uint32_t lay_out(covey_slicing_groups *p)
{
    covey_anatomy *a = &p->anatomy;
    struct covey_slicing_place *place = p->place;
    uint32_t width, n_rest = 0;

    sort_rest(a->rest, a->n_rest);
    width = find_width(a);
    for (uint32_t g = 0; g < a->n_made; g++) {
        uint64_t *member = p->member + (size_t)g * width;
        uint32_t n = a->l;

        for (uint32_t i = 0; i < n; i++)
            member[i] = a->slot[(size_t)g * a->l + i];
        for (; n_rest < a->n_rest && a->rest[n_rest].group == g; n_rest++)
            member[n++] = a->row[a->begin[a->rest[n_rest].list]];
        sort_members(member, n);
        for (uint32_t i = 0; i < n; i++)
            *place++ = (struct covey_slicing_place){g * width + i, g * width};
        for (; n < width; n++)
            member[n] = UINT64_MAX;
    }
    return width;
}

/* --- mixing --- */

/* Every try is undone as likely as done, so that no arrangement is preferred.  Without a branch, and to the end, also
 * where a value is found: groups are small, and nobody can guess. */
static void exchange(uint64_t *member, struct covey_slicing_place x, struct covey_slicing_place y, uint32_t width)
{
    const uint64_t a = member[x.at], b = member[y.at];
    bool same = x.group == y.group;
    uint64_t change;

    for (uint32_t i = 0; i < width; i++)
        same |= (member[x.group + i] >> 32 == b >> 32) | (member[y.group + i] >> 32 == a >> 32);
    change = (a ^ b) & ((uint64_t)same - 1);
    member[x.at] = a ^ change;
    member[y.at] = b ^ change;
}

/* A word of random bits does for two tries. */
static void mix(covey_slicing_groups *p, uint32_t n, uint32_t width)
{
    const uint32_t unfair = covey_i_rng_unfair(n);

    for (uint64_t i = 0; i < (uint64_t)n * EXCHANGES / 2; i++) {
        uint64_t bits = covey_i_rng_word(&p->rng);

        for (int k = 0; k < 2; k++, bits >>= 2 * COVEY_RNG_SHORT) {
            const uint32_t x = covey_i_rng_below_short(&p->rng, (uint16_t)bits, n, unfair);
            const uint32_t y = covey_i_rng_below_short(&p->rng, (uint16_t)(bits >> COVEY_RNG_SHORT), n, unfair);

            exchange(p->member, p->place[x], p->place[y], width);
        }
    }
}

/* --- parting --- */

/* Where a bucket's rows go. */
struct target {
    uint32_t *row;
    uint8_t *begins;
    uint32_t n;
};

/* One group; by: places in contents, NULL: all. */
static void put_group(struct target *to, const covey_slicing_contents *contents, const uint32_t *by, uint32_t n)
{
    const uint32_t first = to->n;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = by ? by[i] : i;

        for (const uint32_t end = to->n + contents->count[at]; to->n < end; to->n++) {
            to->row[to->n] = contents->row[at];
            to->begins[to->n] = 0;
        }
    }
    if (to->n > first)
        to->begins[first] = 1;
}

/* Groups of what anatomy has listed. */
static void part_listed(covey_slicing_groups *p, struct target *to, const covey_slicing_contents *contents, uint32_t n)
{
    uint32_t width;

    covey_i_anatomy_group_listed(&p->anatomy, &p->rng);
    width = lay_out(p);
    if (p->anatomy.n_made > 1)
        mix(p, n, width);
    for (uint32_t i = 0; i < n; i++) {
        to->row[to->n] = contents->row[(uint32_t)p->member[p->place[i].at]];
        to->begins[to->n++] = p->place[i].at == p->place[i].group;
    }
}

/* Fills set, with those of a bucket, ascending, and by_set; n_of_set is where each ends. */
static uint32_t sort_sets(covey_slicing_groups *p, const covey_slicing_contents *contents)
{
    const uint32_t *set = p->pairs->set;
    uint32_t n_sets = 0, sum = 0;

    for (uint32_t i = 0; i < contents->n; i++)
        if (p->n_of_set[set[contents->pair[i]]]++ == 0)
            p->set[n_sets++] = set[contents->pair[i]];
    covey_i_sort_u64(p->set, p->spare, n_sets, 32);
    for (uint32_t k = 0; k < n_sets; k++) {
        const uint32_t n = p->n_of_set[p->set[k]];

        p->n_of_set[p->set[k]] = sum;
        sum += n;
    }
    for (uint32_t i = 0; i < contents->n; i++)
        p->by_set[p->n_of_set[set[contents->pair[i]]]++] = i;
    return n_sets;
}

covey_status covey_i_slicing_part(covey_slicing_groups *p, uint32_t *out, uint8_t *begins,
                                  const covey_slicing_contents *contents, covey_error *err)
{
    struct target to = {out, begins, 0};
    uint32_t n_sets, n_rest = 0, first = 0;

    if (p->several) {
        covey_i_slicing_keep(out, begins, contents);
        return covey_i_slicing_several_groups_part(p->several, &p->rng, out, begins, out, contents->n_rows, err);
    }
    COVEY_TRY(grow(p, contents->n_rows, err));
    n_sets = sort_sets(p, contents);
    for (uint32_t k = 0; k < n_sets; k++) {
        const uint32_t n = p->n_of_set[p->set[k]] - first, *by = p->by_set + first;
        uint32_t n_rows = 0;

        for (uint32_t i = 0; i < n; i++) {
            p->anatomy.word[i] = (uint64_t)p->pairs->value[contents->pair[by[i]]] << 32 | by[i];
            n_rows += p->count[i] = contents->count[by[i]];
        }
        if (covey_i_anatomy_list(&p->anatomy, p->count, n)) {
            part_listed(p, &to, contents, n_rows);
        } else {
            memcpy(p->rest + n_rest, by, n * sizeof *by);
            n_rest += n;
        }
        first += n;
        p->n_of_set[p->set[k]] = 0;
    }
    put_group(&to, contents, p->rest, n_rest);
    return COVEY_OK;
}

void covey_i_slicing_keep(uint32_t *out, uint8_t *begins, const covey_slicing_contents *contents)
{
    struct target to = {out, begins, 0};

    put_group(&to, contents, NULL, contents->n);
}
