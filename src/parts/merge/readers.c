/* Parts that are read at once: a heap of their next units gives all in the order of what is published. */
#include "parts/merge/readers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/plural.h"

/* --- what has to be there --- */

covey_status covey_i_merge_readers_open(covey_merge_readers *from, const covey_plan *plan, const char *const *path,
                                        size_t n, covey_arena *arena, covey_error *err)
{
    from->plan = plan;
    if (!(from->reader = covey_arena_array_zero(arena, covey_part_reader, n)))
        return covey_i_no_memory(err);
    for (; from->n < n; from->n++)
        COVEY_TRY(covey_i_part_reader_open(&from->reader[from->n], path[from->n], plan, err));
    return COVEY_OK;
}

static int compare_firsts(const void *a, const void *b)
{
    const covey_part_reader *x = a, *y = b;

    return x->facts.first < y->facts.first ? -1 : x->facts.first > y->facts.first;
}

/* What the parts are is what the first one with a row is. */
static covey_status check_kind(covey_merge_readers *from, const covey_part_reader *r, bool is_first, covey_error *err)
{
    const covey_part_facts *facts = &r->facts;

    if (!is_first && (facts->kind != from->kind || facts->goal != from->goal))
        return covey_fail_at(err, COVEY_EINVAL, r->path, 0, NULL, 0, "the part was made with other parameters");
    from->kind = facts->kind;
    from->goal = facts->goal;
    from->is_seeded |= facts->is_seeded;
    return COVEY_OK;
}

covey_status covey_i_merge_readers_agree(covey_merge_readers *from, covey_error *err)
{
    bool is_first = true;

    for (size_t r = 0; r < from->n; r++)
        if (from->reader[r].facts.n_published > 0) {
            COVEY_TRY(check_kind(from, &from->reader[r], is_first, err));
            is_first = false;
        }
    return COVEY_OK;
}

covey_status covey_i_merge_readers_check(int64_t *n_suppressed, covey_merge_readers *from, covey_error *err)
{
    uint32_t next = 0;
    int64_t n_rows = 0, n_published = 0;

    qsort(from->reader, from->n, sizeof *from->reader, compare_firsts);
    for (size_t r = 0; r < from->n; r++) {
        const covey_part_facts *facts = &from->reader[r].facts;

        if (facts->first < next)
            return covey_fail_at(err, COVEY_EINVAL, from->reader[r].path, 0, NULL, 0,
                                 "part %" PRIu32 " is in another file, too", facts->first + 1);
        if (facts->first > next)
            return covey_fail(err, COVEY_EINVAL, "part %" PRIu32 " of %" PRIu32 " is missing", next + 1,
                              from->plan->n_parts);
        if (facts->n_published > 0)
            COVEY_TRY(check_kind(from, &from->reader[r], n_published == 0, err));
        next = facts->last + 1;
        n_rows += facts->n_rows;
        n_published += facts->n_published;
    }
    if (next < from->plan->n_parts)
        return covey_fail(err, COVEY_EINVAL, "part %" PRIu32 " of %" PRIu32 " is missing", next + 1,
                          from->plan->n_parts);
    if (n_rows != from->plan->n_rows)
        return covey_fail(err, COVEY_EINVAL,
                          "the parts were made of %" PRId64 " row%s, the plan of %" PRId64
                          ": they are not those of one table",
                          n_rows, covey_i_plural(n_rows), from->plan->n_rows);
    *n_suppressed = n_rows - n_published;
    return COVEY_OK;
}

/* --- the heap --- */

static int compare_keys(const uint32_t *a, const uint32_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static bool is_before(const covey_merge_readers *from, size_t x, size_t y)
{
    const covey_part_reader *a = &from->reader[x], *b = &from->reader[y];

    const int order = compare_keys(a->key, b->key, from->n_key);

    return order ? order < 0 : x < y;
}

static void sift(covey_merge_readers *from, size_t at)
{
    while (2 * at + 1 < from->n_heap) {
        size_t child = 2 * at + 1;
        const size_t reader = from->heap[at];

        if (child + 1 < from->n_heap && is_before(from, from->heap[child + 1], from->heap[child]))
            child++;
        if (!is_before(from, from->heap[child], reader))
            return;
        from->heap[at] = from->heap[child];
        from->heap[child] = reader;
        at = child;
    }
}

covey_status covey_i_merge_readers_start(covey_merge_readers *from, size_t n_axes, covey_arena *arena, covey_error *err)
{
    from->n_key = covey_i_part_key(from->kind, n_axes);
    from->heap = covey_arena_array(arena, size_t, from->n);
    from->last_key = covey_arena_array_zero(arena, uint32_t, from->n_key);
    if (!from->heap || !from->last_key)
        return covey_i_no_memory(err);
    for (size_t r = 0; r < from->n; r++)
        if (from->reader[r].n > 0)
            from->heap[from->n_heap++] = r;
    for (size_t i = from->n_heap; i-- > 0;)
        sift(from, i);
    return COVEY_OK;
}

covey_status covey_i_merge_readers_next(covey_merge_readers *from, covey_error *err)
{
    covey_part_reader *r = &from->reader[from->heap[0]];

    memcpy(from->last_key, r->key, from->n_key * sizeof *from->last_key);
    COVEY_TRY(covey_i_part_reader_next(r, err));
    if (r->n == 0)
        from->heap[0] = from->heap[--from->n_heap];
    else if (compare_keys(r->key, from->last_key, from->n_key) < 0)
        return covey_fail_at(err, COVEY_EPARSE, r->path, 0, NULL, 0, "the part is not in order; make it again");
    sift(from, 0);
    return COVEY_OK;
}

const covey_part_reader *covey_i_merge_readers_least(const covey_merge_readers *from)
{
    return from->n_heap > 0 ? &from->reader[from->heap[0]] : NULL;
}

void covey_i_merge_readers_close(covey_merge_readers *from)
{
    for (size_t r = 0; r < from->n; r++)
        covey_i_part_reader_close(&from->reader[r]);
    from->n = 0;
}
