/* Groups inside closed buckets: the rows of a set are parted into groups of rows with different sensitive values, as
 * Anatomy does, but so that no arrangement is preferred; see arrange.c.  Source: [XiaoTao06] for the groups;
 * docs/design/slicing.md for what mixing is worth. */
#include "method/slicing/groups.h"

#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "table/table_impl.h"

enum { ANATOMY_STREAM = 0x736c6963 };

covey_status covey_i_slicing_groups_new(covey_slicing_groups *p, const covey_slicing *s,
                                        const covey_slicing_pairs *pairs, covey_error *err)
{
    *p = (covey_slicing_groups){.s = s,
                                .pairs = pairs,
                                .l = (uint32_t)(s->l.num / s->l.den + (s->l.num % s->l.den != 0)),
                                .counts = COVEY_ARENA_INIT,
                                .arena = COVEY_ARENA_INIT};
    p->n_of_set = covey_arena_array_zero(&p->counts, uint32_t, s->n_sets);
    p->n_of_value = covey_arena_array_zero(&p->counts, uint32_t, s->problem->field[s->sensitive].column->n_values);
    if (!p->n_of_set || !p->n_of_value)
        return covey_i_no_memory(err);
    return s->n_others > 0 || s->kind ? covey_i_slicing_several_groups_new(&p->several, s, &p->counts, err) : COVEY_OK;
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
    p->rest = covey_arena_array(&p->arena, uint32_t, p->most);
    if (!p->set || !p->spare || !p->by_set || !p->count || !p->rest)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_slicing_arrangement_new(&p->arrangement, p->l, p->most, &p->arena, err));
    return covey_i_anatomy_start(&p->anatomy, p->s->problem->field[p->s->sensitive].column, p->l, NULL, p->most,
                                 &p->arena, err);
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

/* Has none of the values of a set's n contents, of which some rows have each, more than one row in l? */
static bool is_eligible(covey_slicing_groups *p, const uint64_t *word, uint32_t n, uint32_t n_rows)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t *of_value = &p->n_of_value[word[i] >> 32];

        *of_value += p->count[i];
        most = *of_value > most ? *of_value : most;
    }
    for (uint32_t i = 0; i < n; i++)
        p->n_of_value[word[i] >> 32] = 0;
    return (uint64_t)most * p->l <= n_rows;
}

/* Groups of a set's rows: n contents, whose words are anatomy's. */
static void part_set(covey_slicing_groups *p, struct target *to, const covey_slicing_contents *contents, uint32_t n,
                     uint32_t n_rows)
{
    covey_slicing_arrangement *a = &p->arrangement;
    uint64_t *member = a->member;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < p->count[i]; k++)
            *member++ = p->anatomy.word[i];
    if (!covey_i_slicing_arrange(a, n_rows, &p->rng)) {
        covey_i_anatomy_list(&p->anatomy, p->count, n);
        covey_i_slicing_arrange_listed(a, &p->anatomy, n_rows, &p->rng);
    }
    for (uint32_t i = 0; i < n_rows; i++) {
        to->row[to->n] = contents->row[(uint32_t)a->member[i]];
        to->begins[to->n++] = a->place[i].first == i;
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
        if (is_eligible(p, p->anatomy.word, n, n_rows)) {
            part_set(p, &to, contents, n, n_rows);
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
