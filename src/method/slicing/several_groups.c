/* Groups inside closed buckets where several attributes are sensitive, or rows are units with several values: of the
 * rows of a bucket that agree on what stands beside each, as many groups as possible in which no value of any has a
 * share above 1/l.
 *
 * To deal rows so that all attributes differ at once is a matching in several dimensions, for which no quick exact way
 * is known.  So rows whose values are most frequent choose first, each goes to some group at random where there is room
 * for all of its values, and what finds none stays over.  What stays over stands together, with as many whole groups as
 * it needs to hold: the bucket held, so that some number does.  At the end rows of two groups change places wherever
 * both groups stay as they should, as in groups.c: every such exchange is undone as likely as done. */
#include "method/slicing/several_groups.h"

#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "table/table_impl.h"

enum { PROBES = 64, EXCHANGES = 4, PRESSURE_BITS = 20 };

struct attribute {
    const covey_slicing *s; /* promise, sets and pairs of this attribute */
    uint32_t n_each;        /* rows of a unit, which stands in the place of a row; 1: rows are rows */
    const covey_column *column;
    covey_slicing_test test;
    uint32_t *n_of_code; /* [n_values] zero between calls */
};

struct covey_slicing_several_groups {
    size_t n_attributes;
    struct attribute *attribute;
    uint32_t size; /* of a group at least: with so many rows every value may stand once */
    covey_arena *arena;
    covey_arena_mark mark; /* from here on the lists of [most] */
    uint32_t most;
    uint32_t *row;          /* [most] of the bucket, those that agree beside the sensitive values one after another */
    uint64_t *word, *spare; /* [most] */
    /* Groups of the rows that agree: group g has slot[2 * size * g ..], n_of_group[g] of them in use. */
    uint32_t n_groups, *slot, *n_of_group;
    uint32_t *place; /* [most] slots in use */
    uint32_t *rest;  /* [most] rows that stay over */
    uint32_t n_rest;
};

covey_status covey_i_slicing_several_groups_new(covey_slicing_several_groups **out, const covey_slicing *s,
                                                covey_arena *arena, covey_error *err)
{
    covey_slicing_several_groups *p = covey_arena_array_zero(arena, covey_slicing_several_groups, 1);

    if (!p || !(p->attribute = covey_arena_array_zero(arena, struct attribute, s->n_others + 1)))
        return covey_i_no_memory(err);
    p->arena = arena;
    p->n_attributes = s->n_others + 1;
    for (size_t i = 0; i < p->n_attributes; i++) {
        const covey_slicing *own = i == 0 ? s : &s->other[i - 1];
        struct attribute *a = &p->attribute[i];
        const uint32_t l = (uint32_t)(own->l.num / own->l.den + (own->l.num % own->l.den != 0));

        *a = (struct attribute){.s = own,
                                .n_each = own->kind ? own->kind->n_each : 1,
                                .column = own->kind ? &own->kind->values : own->problem->field[own->sensitive].column};
        a->test = (covey_slicing_test){own, covey_arena_array_zero(arena, uint32_t, own->n_sets),
                                       covey_arena_array_zero(arena, uint32_t, own->n_pairs)};
        a->n_of_code = covey_arena_array_zero(arena, uint32_t, a->column->n_values);
        if (!a->test.set_count || !a->test.pair_count || !a->n_of_code)
            return covey_i_no_memory(err);
        p->size = l > p->size ? l : p->size;
    }
    p->mark = covey_arena_save(arena);
    *out = p;
    return COVEY_OK;
}

static covey_status grow(covey_slicing_several_groups *p, uint32_t n, covey_error *err)
{
    if (n <= p->most)
        return COVEY_OK;
    covey_arena_rewind(p->arena, p->mark);
    p->most = n < UINT32_MAX / 2 && n < 2 * p->most ? 2 * p->most : n;
    p->row = covey_arena_array(p->arena, uint32_t, p->most);
    p->word = covey_arena_array(p->arena, uint64_t, p->most);
    p->spare = covey_arena_array(p->arena, uint64_t, p->most);
    p->slot = covey_arena_array(p->arena, uint32_t, 2 * (size_t)p->most);
    p->n_of_group = covey_arena_array(p->arena, uint32_t, p->most);
    p->place = covey_arena_array(p->arena, uint32_t, p->most);
    p->rest = covey_arena_array(p->arena, uint32_t, p->most);
    return p->row && p->word && p->spare && p->slot && p->n_of_group && p->place && p->rest ? COVEY_OK
                                                                                            : covey_i_no_memory(err);
}

/* --- what may stand in a group --- */

/* Of n rows, as many may have the same value. */
static uint32_t cap(const struct attribute *a, uint32_t n)
{
    return (uint32_t)((covey_i128)n * a->s->l.den / a->s->l.num);
}

static uint32_t *group_of(const covey_slicing_several_groups *p, uint32_t g)
{
    return p->slot + (size_t)2 * p->size * g;
}

/* The value of a unit's row number k; of a row that is none of a unit, its own. */
static uint32_t code_of(const struct attribute *a, uint32_t row, uint32_t k)
{
    return covey_i_code(a->column, (size_t)row * a->n_each + k);
}

static uint32_t count_own(const struct attribute *a, uint32_t row, uint32_t code)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < a->n_each; k++)
        n += code_of(a, row, k) == code;
    return n;
}

/* Rows of the group with a value of the attribute, but for those at the slot `without`. */
static uint32_t count_like(const covey_slicing_several_groups *p, const struct attribute *a, uint32_t g, uint32_t code,
                           uint32_t without)
{
    const uint32_t *member = group_of(p, g);
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->n_of_group[g]; i++)
        n += member + i == p->slot + without ? 0 : count_own(a, member[i], code);
    return n;
}

/* May the row stand in the group of then n rows, in the place of the one at that slot (SIZE_MAX: beside all)? */
static bool fits(const covey_slicing_several_groups *p, uint32_t g, uint32_t row, uint32_t without, uint32_t n)
{
    for (size_t i = 0; i < p->n_attributes; i++) {
        const struct attribute *a = &p->attribute[i];

        for (uint32_t k = 0; k < a->n_each; k++) {
            const uint32_t code = code_of(a, row, k);

            if (count_like(p, a, g, code, without) + count_own(a, row, code) > cap(a, n))
                return false;
        }
    }
    return true;
}

/* --- dealing --- */

/* How near the most frequent of a row's values comes to what its promise allows: the nearest choose first. */
static uint64_t pressure(const covey_slicing_several_groups *p, uint32_t row, uint32_t n)
{
    uint64_t most = 0;

    for (size_t i = 0; i < p->n_attributes; i++) {
        const struct attribute *a = &p->attribute[i];

        for (uint32_t k = 0; k < a->n_each; k++) {
            const covey_i128 rows = a->n_of_code[code_of(a, row, k)];
            const uint64_t of_value = (uint64_t)((rows * a->s->l.num << PRESSURE_BITS) / ((covey_i128)n * a->s->l.den));

            most = of_value > most ? of_value : most;
        }
    }
    return most < (UINT64_C(1) << 32) ? most : (UINT64_C(1) << 32) - 1;
}

/* Counts the values of rows, or forgets them. */
static void count_codes(const covey_slicing_several_groups *p, const uint32_t *row, uint32_t n, bool counts)
{
    for (size_t i = 0; i < p->n_attributes * n; i++) {
        const struct attribute *a = &p->attribute[i / n];

        for (uint32_t k = 0; k < a->n_each; k++) {
            uint32_t *of_code = &a->n_of_code[code_of(a, row[i % n], k)];

            *of_code = counts ? *of_code + 1 : 0;
        }
    }
}

/* The n rows at row in word: those under most pressure first, equal ones at random. */
static void order_rows(covey_slicing_several_groups *p, covey_rng *rng, uint32_t *row, uint32_t n)
{
    count_codes(p, row, n, true);
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t j = (uint32_t)covey_i_rng_below(rng, i), kept = row[i - 1];

        row[i - 1] = row[j];
        row[j] = kept;
    }
    for (uint32_t i = 0; i < n; i++)
        p->word[i] = (UINT32_MAX - pressure(p, row[i], n)) << 32 | i;
    count_codes(p, row, n, false);
    covey_i_sort_u64(p->word, p->spare, n, 64);
    for (uint32_t i = 0; i < n; i++)
        p->word[i] = row[(uint32_t)p->word[i]];
}

/* Looks for room from a random group on. */
static bool place_row(covey_slicing_several_groups *p, covey_rng *rng, uint32_t row, uint32_t most)
{
    const uint32_t first = (uint32_t)covey_i_rng_below(rng, p->n_groups);

    for (uint32_t i = 0; i < PROBES && i < p->n_groups; i++) {
        const uint32_t g = (first + i) % p->n_groups, n = p->n_of_group[g];

        if (n >= most || !fits(p, g, row, UINT32_MAX, n < p->size ? p->size : n + 1))
            continue;
        group_of(p, g)[p->n_of_group[g]++] = row;
        return true;
    }
    return false;
}

/* Groups with too few rows give them back. */
static void drop_small(covey_slicing_several_groups *p)
{
    uint32_t n = 0;

    for (uint32_t g = 0; g < p->n_groups; g++) {
        const uint32_t size = p->n_of_group[g];
        uint32_t *to = size < p->size ? p->rest + p->n_rest : group_of(p, n);

        memmove(to, group_of(p, g), size * sizeof *to);
        if (size < p->size)
            p->n_rest += size;
        else
            p->n_of_group[n++] = size;
    }
    p->n_groups = n;
}

/* Every try is undone as likely as done. */
static void exchange(covey_slicing_several_groups *p, uint32_t x, uint32_t y)
{
    const uint32_t stride = 2 * p->size, a = x / stride, b = y / stride, row = p->slot[x], other = p->slot[y];

    if (a == b || !fits(p, a, other, x, p->n_of_group[a]) || !fits(p, b, row, y, p->n_of_group[b]))
        return;
    p->slot[x] = other;
    p->slot[y] = row;
}

static void mix(covey_slicing_several_groups *p, covey_rng *rng)
{
    uint32_t n = 0;

    for (uint32_t g = 0; g < p->n_groups; g++)
        for (uint32_t i = 0; i < p->n_of_group[g]; i++)
            p->place[n++] = 2 * p->size * g + i;
    for (uint64_t i = 0; p->n_groups > 1 && i < (uint64_t)n * EXCHANGES; i++) {
        const uint32_t x = (uint32_t)covey_i_rng_below(rng, n), y = (uint32_t)covey_i_rng_below(rng, n);

        exchange(p, p->place[x], p->place[y]);
    }
}

/* Rows that agree beside the sensitive values become groups and rows that stay over. */
static void deal(covey_slicing_several_groups *p, covey_rng *rng, uint32_t *row, uint32_t n)
{
    const uint32_t from = p->n_rest;
    uint32_t n_over;

    p->n_groups = n / p->size;
    memset(p->n_of_group, 0, p->n_groups * sizeof *p->n_of_group);
    order_rows(p, rng, row, n);
    for (uint32_t i = 0; i < n; i++)
        if (p->n_groups == 0 || !place_row(p, rng, (uint32_t)p->word[i], p->size))
            p->rest[p->n_rest++] = (uint32_t)p->word[i];
    drop_small(p);
    n_over = p->n_rest - from;
    p->n_rest = from;
    for (uint32_t i = 0; i < n_over; i++) { /* a larger group may have room for more */
        const uint32_t over = p->rest[from + i];

        if (p->n_groups == 0 || !place_row(p, rng, over, 2 * p->size))
            p->rest[p->n_rest++] = over;
    }
    mix(p, rng);
}

/* --- a bucket --- */

static bool holds(covey_slicing_several_groups *p, const uint32_t *row, uint32_t n)
{
    for (size_t i = 0; i < p->n_attributes; i++)
        if (!covey_i_slicing_holds(&p->attribute[i].test, row, n))
            return false;
    return true;
}

/* The bucket's rows by set of every attribute: the last is sorted by first. */
static void sort_sets(covey_slicing_several_groups *p, const uint32_t *row, uint32_t n)
{
    memcpy(p->row, row, n * sizeof *row);
    for (size_t k = 0; k < p->n_attributes; k++) {
        const covey_slicing *s = p->attribute[k].s;

        if (s->n_sets == 1)
            continue;
        for (uint32_t i = 0; i < n; i++)
            p->word[i] = (uint64_t)s->set[p->row[i]] << 32 | i;
        covey_i_sort_u64(p->word, p->spare, n, 64);
        for (uint32_t i = 0; i < n; i++)
            p->word[i] = p->row[(uint32_t)p->word[i]];
        for (uint32_t i = 0; i < n; i++)
            p->row[i] = (uint32_t)p->word[i];
    }
}

static bool agree(const covey_slicing_several_groups *p, uint32_t row, uint32_t other)
{
    for (size_t k = 0; k < p->n_attributes; k++)
        if (p->attribute[k].s->set[row] != p->attribute[k].s->set[other])
            return false;
    return true;
}

/* Whole groups, the last that were put there first, join what stays over until it holds; *n: rows in groups. */
static void hold_rest(covey_slicing_several_groups *p, uint32_t *n, uint32_t *out, uint8_t *begins)
{
    while (p->n_rest > 0 && !holds(p, p->rest, p->n_rest)) {
        bool begun = false;

        while (!begun) { /* the bucket holds, so that a group is left */
            begun = begins[--*n];
            p->rest[p->n_rest++] = out[*n];
        }
    }
}

covey_status covey_i_slicing_several_groups_part(covey_slicing_several_groups *p, covey_rng *rng, uint32_t *out,
                                                 uint8_t *begins, const uint32_t *row, uint32_t n, covey_error *err)
{
    uint32_t n_out = 0;

    COVEY_TRY(grow(p, n, err));
    sort_sets(p, row, n);
    p->n_rest = 0;
    for (uint32_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && agree(p, p->row[first], p->row[end]); end++)
            ;
        deal(p, rng, p->row + first, end - first);
        for (uint32_t g = 0; g < p->n_groups; g++)
            for (uint32_t i = 0; i < p->n_of_group[g]; i++) {
                out[n_out] = group_of(p, g)[i];
                begins[n_out++] = i == 0;
            }
    }
    hold_rest(p, &n_out, out, begins);
    for (uint32_t i = 0; i < p->n_rest; i++) {
        out[n_out] = p->rest[i];
        begins[n_out++] = i == 0;
    }
    return COVEY_OK;
}
