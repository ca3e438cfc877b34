/* The exact test of a sliced table, signature by signature.
 *
 * What follows from a signature is a weighted mean of shares in the sets of rows that agree with it beside the
 * sensitive value, one per matching bucket: it exceeds 1/l only if some such set is hot.  And buckets that take the
 * place of another change it only for signatures that matched that one.  So a
 * test looks at the signatures that the buckets of hot sets can form (signatures.c). */
#include "method/slicing/exact_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Room for so many; NULL without memory.  The arena keeps the smaller lists, which are as large as the last one
 * together. */
static void *grow(void *list, size_t n, size_t *max, size_t wanted, size_t size, covey_arena *arena)
{
    void *larger;

    if (wanted <= *max)
        return list;
    wanted = wanted > 2 * *max ? wanted : 2 * *max;
    if (!(larger = covey_arena_alloc(arena, wanted, size)))
        return NULL;
    if (n > 0)
        memcpy(larger, list, n * size);
    *max = wanted;
    return larger;
}

/* --- kinds --- */

static int by_count(const void *a, const void *b, void *context)
{
    const uint32_t *count = context, x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return count[x] != count[y] ? (count[x] < count[y] ? -1 : 1) : (x > y) - (x < y);
}

/* Numbers anew, what is rare first: signatures of rare pieces match few buckets, so that one that fails is found soon.
 */
static covey_status put_rare_first(struct covey_exact_kind *kind, covey_slicing *s, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(s->arena);
    uint32_t *count = covey_arena_array_zero(s->arena, uint32_t, kind->n),
             *order = covey_arena_array(s->arena, uint32_t, kind->n);

    if (!count || !order)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n_contents; i++)
        count[kind->of_row[s->content[i]]] += covey_i_slicing_count(s, s->content[i]);
    for (uint32_t k = 0; k < kind->n; k++)
        order[k] = k;
    qsort_r(order, kind->n, sizeof *order, by_count, count);
    for (uint32_t k = 0; k < kind->n; k++)
        count[order[k]] = k;
    for (uint32_t i = 0; i < s->n_contents; i++)
        kind->of_row[s->content[i]] = count[kind->of_row[s->content[i]]];
    covey_arena_rewind(s->arena, mark);
    return COVEY_OK;
}

static covey_status make_kind(struct covey_exact_kind *kind, covey_slicing *s, const size_t *field, size_t n,
                              covey_error *err)
{
    kind->of_row = covey_arena_array_zero(s->arena, uint32_t, s->problem->n_rows);
    if (!kind->of_row)
        return covey_i_no_memory(err);
    kind->n = 1;
    for (size_t f = 0; f < n; f++)
        COVEY_TRY(covey_i_slicing_refine(kind->of_row, &kind->n, s->problem->field[field[f]].column, s, err));
    return put_rare_first(kind, s, err);
}

static covey_status make_counts(struct covey_exact_kind *kind, covey_slicing *s, covey_error *err)
{
    kind->count = covey_arena_array_zero(s->arena, uint32_t, kind->n);
    return kind->count ? COVEY_OK : covey_i_no_memory(err);
}

/* Numbers of one kind by numbers of another that fixes it. */
static covey_status map_kind(uint32_t **out, covey_slicing *s, const struct covey_exact_kind *from,
                             const struct covey_exact_kind *to, covey_error *err)
{
    if (!(*out = covey_arena_array(s->arena, uint32_t, from->n)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n_contents; i++)
        (*out)[from->of_row[s->content[i]]] = to->of_row[s->content[i]];
    return COVEY_OK;
}

static size_t list_shared(size_t *field, const covey_slice *a, const covey_slice *b)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n_fields; i++)
        for (size_t j = 0; j < b->n_fields; j++)
            if (a->field[i] == b->field[j])
                field[n++] = a->field[i];
    return n;
}

/* Prim's tree of most shared attributes, from the column with the most pieces outwards; of columns that share nothing
 * the one with more pieces first. */
static covey_status order_steps(covey_slicing_exact *x, size_t *const kind_of_slice, covey_error *err)
{
    covey_slicing *s = x->s;
    bool *done = covey_arena_array_zero(s->arena, bool, s->n_slices);
    size_t *field = covey_arena_array(s->arena, size_t, s->problem->n_fields);

    if (!done || !field)
        return covey_i_no_memory(err);
    for (size_t k = 0; k < s->n_slices; k++) {
        size_t best = SIZE_MAX, most = 0;
        uint32_t parent = COVEY_EXACT_NONE;

        for (size_t i = 0; i < s->n_slices; i++) {
            size_t shared = 0;
            uint32_t with = COVEY_EXACT_NONE;

            for (uint32_t p = 0; p < k && !done[i]; p++) {
                const size_t n = list_shared(field, &s->slice[x->step[p].slice], &s->slice[i]);

                if (n > shared) {
                    shared = n;
                    with = p;
                }
            }
            if (!done[i] && (best == SIZE_MAX || shared > most ||
                             (shared == most && x->kind[kind_of_slice[i]].n > x->kind[kind_of_slice[best]].n))) {
                best = i;
                most = shared;
                parent = with;
            }
        }
        done[best] = true;
        x->step[k] = (struct covey_exact_step){.slice = best,
                                               .is_last = best + 1 == s->n_slices,
                                               .parent = parent,
                                               .pieces = kind_of_slice[best],
                                               .shared = SIZE_MAX};
        x->last_step = x->step[k].is_last ? k : x->last_step;
        if (parent == COVEY_EXACT_NONE)
            continue;
        x->last_is_apart = x->last_is_apart && !x->step[k].is_last && !x->step[parent].is_last;
        x->step[k].shared = x->n_kinds++;
        most = list_shared(field, &s->slice[x->step[parent].slice], &s->slice[best]);
        COVEY_TRY(make_kind(&x->kind[x->step[k].shared], s, field, most, err));
        COVEY_TRY(map_kind(&x->step[k].own, s, &x->kind[x->step[k].pieces], &x->kind[x->step[k].shared], err));
        COVEY_TRY(
            map_kind(&x->step[k].of_parent, s, &x->kind[x->step[parent].pieces], &x->kind[x->step[k].shared], err));
    }
    return COVEY_OK;
}

/* --- buckets --- */

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static covey_status hold(struct covey_exact_held *held, const struct covey_exact_kind *kind, const uint32_t *row,
                         uint32_t n, covey_arena *arena, covey_error *err)
{
    *held = (struct covey_exact_held){0, NULL, NULL};
    for (uint32_t i = 0; i < n; i++)
        held->n += kind->count[kind->of_row[row[i]]]++ == 0;
    held->id = covey_arena_array(arena, uint32_t, held->n);
    held->count = covey_arena_array(arena, uint32_t, held->n);
    if (held->id && held->count) {
        uint32_t at = 0;

        for (uint32_t i = 0; i < n; i++) {
            const uint32_t id = kind->of_row[row[i]];

            if (kind->count[id] == 0)
                continue;
            held->id[at++] = id;
            held->count[at - 1] = kind->count[id]; /* by id below */
            kind->count[id] = 0;
        }
        for (uint32_t k = 0; k < held->n; k++)
            kind->count[held->id[k]] = held->count[k];
        qsort(held->id, held->n, sizeof *held->id, ascending);
        for (uint32_t k = 0; k < held->n; k++)
            held->count[k] = kind->count[held->id[k]];
    }
    for (uint32_t i = 0; i < n; i++)
        kind->count[kind->of_row[row[i]]] = 0;
    return held->id && held->count ? COVEY_OK : covey_i_no_memory(err);
}

/* Room for so many new buckets of n rows in all. */
static covey_status reserve(covey_slicing_exact *x, uint32_t n_parts, uint32_t n, covey_error *err)
{
    covey_arena *arena = x->s->arena;
    void *bucket = grow(x->bucket, x->n_buckets, &x->max_buckets, x->n_buckets + n_parts, sizeof *x->bucket, arena);
    void *hot = grow(x->hot, x->n_hot, &x->max_hot, x->n_hot + n, sizeof *x->hot, arena);
    void *link = grow(x->link, x->n_links, &x->max_links, x->n_links + n, sizeof *x->link, arena);

    if (!bucket || !hot || !link)
        return covey_i_no_memory(err);
    x->bucket = bucket;
    x->hot = hot;
    x->link = link;
    return COVEY_OK;
}

static covey_status add_bucket(covey_slicing_exact *x, const uint32_t *row, uint32_t n, covey_error *err)
{
    covey_arena *arena = x->s->arena;
    const size_t root = x->step[0].pieces;
    struct covey_exact_bucket *b;

    b = &x->bucket[x->n_buckets];
    *b = (struct covey_exact_bucket){n, ALIVE, covey_arena_array(arena, struct covey_exact_held, x->n_kinds)};
    if (!b->held)
        return covey_i_no_memory(err);
    for (size_t k = 0; k < x->n_kinds; k++)
        COVEY_TRY(hold(&b->held[k], &x->kind[k], row, n, arena, err));
    for (uint32_t i = 0; i < b->held[root].n; i++) {
        x->link[x->n_links] = (struct link){(uint32_t)x->n_buckets, x->head[b->held[root].id[i]]};
        x->head[b->held[root].id[i]] = (uint32_t)x->n_links++;
    }
    for (uint32_t i = 0; i < b->held[0].n; i++) {
        const uint32_t pair = b->held[0].id[i], set = x->set_of_pair[pair];

        if ((covey_i128)b->held[0].count[i] * x->s->l.num <=
            (covey_i128)covey_i_exact_count_in(b, x->set_kind, set) * x->s->l.den)
            continue;
        x->hot[x->n_hot++] = (struct covey_exact_hot){(uint32_t)x->n_buckets, pair, set};
    }
    x->n_buckets++;
    return COVEY_OK;
}

/* --- the table --- */

static bool have_common(const struct covey_exact_held *a, const struct covey_exact_held *b)
{
    for (uint32_t i = 0, j = 0; i < a->n && j < b->n;) {
        if (a->id[i] == b->id[j])
            return true;
        if (a->id[i] < b->id[j])
            i++;
        else
            j++;
    }
    return false;
}

/* Can a signature of the hot set's bucket match the other bucket, too? */
static bool may_match(const covey_slicing_exact *x, const struct covey_exact_hot *hot,
                      const struct covey_exact_bucket *other)
{
    if (covey_i_exact_count_in(other, x->set_kind, hot->set) == 0)
        return false;
    for (size_t k = 0; k < x->n_steps; k++)
        if (!x->step[k].is_last &&
            !have_common(&x->bucket[hot->bucket].held[x->step[k].pieces], &other->held[x->step[k].pieces]))
            return false;
    return true;
}

static void remove_buckets(covey_slicing_exact *x, size_t n_buckets, size_t n_hot, size_t n_links)
{
    const size_t root = x->step[0].pieces;

    for (size_t b = x->n_buckets; b-- > n_buckets;) /* what came last goes first */
        for (uint32_t i = x->bucket[b].held[root].n; i-- > 0;) {
            const uint32_t piece = x->bucket[b].held[root].id[i];

            x->head[piece] = x->link[x->head[piece]].next;
        }
    x->n_buckets = n_buckets;
    x->n_hot = n_hot;
    x->n_links = n_links;
}

/* Drops a bucket for good. */
static void bury(covey_slicing_exact *x, uint32_t bucket)
{
    size_t n_hot = 0;

    x->bucket[bucket].state = DEAD; /* its links go when somebody passes */
    for (size_t i = 0; i < x->n_hot; i++)
        if (x->hot[i].bucket != bucket)
            x->hot[n_hot++] = x->hot[i];
    x->n_hot = n_hot;
}

covey_status covey_i_slicing_exact_replace(bool *holds, uint32_t *first, covey_slicing_exact *x, uint32_t old,
                                           const uint32_t *row, const uint32_t *end, uint32_t n_parts, covey_error *err)
{
    const size_t n_buckets = x->n_buckets, n_hot = x->n_hot, n_links = x->n_links;
    covey_arena_mark mark;
    bool fails = false;

    COVEY_TRY(reserve(x, n_parts, x->bucket[old].n, err));
    mark = covey_arena_save(x->s->arena);
    x->bucket[old].state = SUSPENDED;
    *first = (uint32_t)n_buckets;
    for (uint32_t p = 0; p < n_parts; p++)
        COVEY_TRY(add_bucket(x, row + (p ? end[p - 1] : 0), end[p] - (p ? end[p - 1] : 0), err));
    x->steps = 0;
    for (size_t i = x->n_hot; i-- > 0 && !fails;) { /* new ones first */
        const struct covey_exact_hot hot = x->hot[i];

        if (hot.bucket != old && (i >= n_hot || may_match(x, &hot, &x->bucket[old])))
            COVEY_TRY(covey_i_exact_test_hot(&fails, x, &hot, i < n_hot ? &x->bucket[old] : NULL, err));
    }
    *holds = !fails;
    if (fails) {
        remove_buckets(x, n_buckets, n_hot, n_links);
        x->bucket[old].state = ALIVE;
        covey_arena_rewind(x->s->arena, mark);
    } else {
        bury(x, old);
    }
    return COVEY_OK;
}

covey_status covey_i_slicing_exact_check(bool *holds, covey_slicing_exact *x, covey_error *err)
{
    bool fails = false;

    for (size_t i = 0; i < x->n_hot && !fails; i++) {
        const struct covey_exact_hot hot = x->hot[i];

        x->steps = 0;
        COVEY_TRY(covey_i_exact_test_hot(&fails, x, &hot, NULL, err));
    }
    *holds = !fails;
    return COVEY_OK;
}

size_t covey_i_slicing_exact_hot(const covey_slicing_exact *x)
{
    return x->n_hot;
}

covey_status covey_i_slicing_exact_new(covey_slicing_exact **out, covey_slicing *s, const uint32_t *row, bool by_paper,
                                       covey_error *err)
{
    covey_slicing_exact *x = covey_arena_array_zero(s->arena, covey_slicing_exact, 1);
    size_t *kind_of_slice = covey_arena_array(s->arena, size_t, s->n_slices);

    if (!x || !kind_of_slice)
        return covey_i_no_memory(err);
    *x = (covey_slicing_exact){.s = s,
                               .by_paper = by_paper,
                               .n_steps = s->n_slices,
                               .n_kinds = 1,
                               .last_is_apart = true,
                               .step = covey_arena_array(s->arena, struct covey_exact_step, s->n_slices),
                               .kind = covey_arena_array_zero(s->arena, struct covey_exact_kind, 2 * s->n_slices + 1)};
    if (!x->step || !x->kind)
        return covey_i_no_memory(err);
    x->kind[0] = (struct covey_exact_kind){s->pair, s->n_pairs, NULL};
    for (size_t i = 0; i < s->n_slices; i++) {
        kind_of_slice[i] = x->n_kinds++;
        COVEY_TRY(make_kind(&x->kind[kind_of_slice[i]], s, s->slice[i].field,
                            s->slice[i].n_fields - (i + 1 == s->n_slices), err));
    }
    x->set_kind = kind_of_slice[s->n_slices - 1];
    COVEY_TRY(map_kind(&x->set_of_pair, s, &x->kind[0], &x->kind[x->set_kind], err));
    COVEY_TRY(order_steps(x, kind_of_slice, err));
    for (size_t k = 0; k < x->n_kinds; k++)
        COVEY_TRY(make_counts(&x->kind[k], s, err));
    if (!(x->head = covey_arena_array(s->arena, uint32_t, x->kind[x->step[0].pieces].n)))
        return covey_i_no_memory(err);
    memset(x->head, 0xff, x->kind[x->step[0].pieces].n * sizeof *x->head);
    COVEY_TRY(reserve(x, 1, s->n, err));
    COVEY_TRY(add_bucket(x, row, s->n, err));
    *out = x;
    return COVEY_OK;
}
