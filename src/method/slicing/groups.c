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

covey_status covey_i_slicing_groups_new(covey_slicing_groups *p, const covey_slicing *s, covey_error *err)
{
    const uint32_t n_values = s->problem->field[s->sensitive].column->n_values;

    *p = (covey_slicing_groups){
        .s = s, .l = (uint32_t)(s->l.num / s->l.den + (s->l.num % s->l.den != 0)), .arena = COVEY_ARENA_INIT};
    p->sensitive = *s->problem->field[s->sensitive].column;
    p->sensitive.width = sizeof *p->code;
    p->n_of_code = covey_arena_array_zero(&p->arena, uint32_t, n_values);
    if (!p->n_of_code)
        return covey_i_no_memory(err);
    p->mark = covey_arena_save(&p->arena);
    return COVEY_OK;
}

void covey_i_slicing_groups_clear(covey_slicing_groups *p)
{
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
    covey_arena_rewind(&p->arena, p->mark);
    p->most = n < UINT32_MAX / 2 && n < 2 * p->most ? 2 * p->most : n;
    p->word = covey_arena_array(&p->arena, uint64_t, p->most);
    p->spare = covey_arena_array(&p->arena, uint64_t, p->most);
    p->code = covey_arena_array(&p->arena, uint32_t, p->most);
    p->number = covey_arena_array(&p->arena, uint32_t, p->most);
    p->group = covey_arena_array(&p->arena, uint32_t, p->most);
    p->begin = covey_arena_array(&p->arena, uint32_t, (size_t)p->most + 1);
    p->member = covey_arena_array(&p->arena, struct covey_slicing_member, p->most);
    p->rest = covey_arena_array(&p->arena, uint32_t, p->most);
    if (!p->word || !p->spare || !p->code || !p->number || !p->group || !p->begin || !p->member || !p->rest)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < p->most; i++)
        p->number[i] = i;
    p->sensitive.codes = p->code;
    return covey_i_anatomy_start(&p->anatomy, &p->sensitive, p->l, p->group, p->most, &p->arena, err);
}

/* --- mixing --- */

/* Fills begin and member, of the rows at word[0 .. n-1]. */
static void list_members(covey_slicing_groups *p, const uint32_t *row, const uint64_t *word, uint32_t n)
{
    const uint32_t n_groups = p->anatomy.n_groups;

    memset(p->begin, 0, ((size_t)n_groups + 1) * sizeof *p->begin);
    for (uint32_t i = 0; i < n; i++)
        p->begin[p->group[i]]++;
    for (uint32_t g = 0, end = 0; g < n_groups; g++) {
        end += p->begin[g];
        p->begin[g] = end;
    }
    p->begin[n_groups] = n;
    for (uint32_t i = n; i-- > 0;)
        p->member[--p->begin[p->group[i]]] =
            (struct covey_slicing_member){row[(uint32_t)word[i]], p->code[i], p->group[i]};
}

/* To the end, also where it is found: groups are small, and where it stands nobody can guess. */
static bool has_code(const covey_slicing_groups *p, uint32_t group, uint32_t code)
{
    bool found = false;

    for (uint32_t i = p->begin[group]; i < p->begin[group + 1]; i++)
        found |= p->member[i].code == code;
    return found;
}

/* Every try is undone as likely as done, so that no arrangement is preferred. */
static void exchange(covey_slicing_groups *p, uint32_t x, uint32_t y)
{
    const struct covey_slicing_member a = p->member[x], b = p->member[y];

    if (a.group == b.group || a.code == b.code || has_code(p, a.group, b.code) || has_code(p, b.group, a.code))
        return;
    p->member[x] = (struct covey_slicing_member){b.row, b.code, a.group};
    p->member[y] = (struct covey_slicing_member){a.row, a.code, b.group};
}

/* A word of random bits does for two tries. */
static void mix(covey_slicing_groups *p, uint32_t n)
{
    const uint32_t unfair = covey_i_rng_unfair(n);

    for (uint64_t i = 0; p->anatomy.n_groups > 1 && i < (uint64_t)n * EXCHANGES / 2; i++) {
        uint64_t bits = covey_i_rng_word(&p->rng);

        for (int k = 0; k < 2; k++, bits >>= 2 * COVEY_RNG_SHORT) {
            const uint32_t x = covey_i_rng_below_short(&p->rng, (uint16_t)bits, n, unfair);
            const uint32_t y = covey_i_rng_below_short(&p->rng, (uint16_t)(bits >> COVEY_RNG_SHORT), n, unfair);

            exchange(p, x, y);
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

static void put_group(struct target *to, const uint32_t *row, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        to->row[to->n] = row[i];
        to->begins[to->n++] = i == 0;
    }
}

/* Is none of the codes more frequent than one in l? */
static bool is_eligible(covey_slicing_groups *p, uint32_t n)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t count = ++p->n_of_code[p->code[i]];

        most = count > most ? count : most;
    }
    for (uint32_t i = 0; i < n; i++)
        p->n_of_code[p->code[i]] = 0;
    return (uint64_t)most * p->l <= n;
}

static void part_set(covey_slicing_groups *p, struct target *to, const uint32_t *row, const uint64_t *word, uint32_t n)
{
    p->anatomy.n_groups = 0;
    covey_i_anatomy_group(&p->anatomy, p->number, n, &p->rng);
    list_members(p, row, word, n);
    mix(p, n);
    for (uint32_t i = 0; i < n; i++) {
        to->row[to->n] = p->member[i].row;
        to->begins[to->n++] = i == p->begin[p->member[i].group];
    }
}

/* The bucket's rows by set, as they come; the low half of a word is a row's place. */
static void sort_sets(covey_slicing_groups *p, const uint32_t *row, uint32_t n)
{
    bool ascend = true;

    for (uint32_t i = 0; i < n; i++) {
        p->word[i] = (uint64_t)p->s->set[row[i]] << 32 | i;
        ascend &= i == 0 || p->word[i] > p->word[i - 1];
    }
    if (!ascend)
        covey_i_sort_u64(p->word, p->spare, n, 64);
}

covey_status covey_i_slicing_part(covey_slicing_groups *p, uint32_t *out, uint8_t *begins, const uint32_t *row,
                                  uint32_t n, covey_error *err)
{
    const covey_column *sensitive = p->s->problem->field[p->s->sensitive].column;
    struct target to = {out, begins, 0};
    uint32_t n_rest = 0;

    COVEY_TRY(grow(p, n, err));
    sort_sets(p, row, n);
    for (uint32_t first = 0, end; first < n; first = end) {
        for (end = first; end < n && p->word[end] >> 32 == p->word[first] >> 32; end++)
            p->code[end - first] = covey_i_code(sensitive, row[(uint32_t)p->word[end]]);
        if (end - first >= p->l && is_eligible(p, end - first))
            part_set(p, &to, row, p->word + first, end - first);
        else
            for (uint32_t i = first; i < end; i++)
                p->rest[n_rest++] = row[(uint32_t)p->word[i]];
    }
    put_group(&to, p->rest, n_rest);
    return COVEY_OK;
}
