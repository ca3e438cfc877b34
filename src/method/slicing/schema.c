/* Columns that overlap share attributes, and both copies belong to one person: pieces join only where they agree.  If
 * the columns form a tree in which every attribute's columns hang together (an acyclic schema), the number of ways to
 * join them is a product along the tree; otherwise counting them is intractable, and what an observer can conclude is
 * not known.
 *
 * Source: a maximum-weight spanning tree of the intersections is a join tree iff there is one
 * [Maier83]. */
#include "base/error.h"
#include "method/slicing/slicing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool covey_i_slicing_has(const covey_slice *slice, size_t field)
{
    for (size_t i = 0; i < slice->n_fields; i++)
        if (slice->field[i] == field)
            return true;
    return false;
}

size_t covey_i_slicing_shared(const covey_slice *a, const covey_slice *b)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n_fields; i++)
        n += covey_i_slicing_has(b, a->field[i]);
    return n;
}

/* Prim's: parent[i] of each column but the first; SIZE_MAX: it shares nothing with those before. */
static void span(size_t *parent, size_t *weight, bool *done, const covey_slicing *s)
{
    for (size_t i = 0; i < s->n_slices; i++) {
        parent[i] = SIZE_MAX;
        weight[i] = 0;
        done[i] = false;
    }
    for (size_t round = 0; round < s->n_slices; round++) {
        size_t next = SIZE_MAX;

        for (size_t i = 0; i < s->n_slices; i++)
            if (!done[i] && (next == SIZE_MAX || weight[i] > weight[next]))
                next = i;
        done[next] = true;
        for (size_t i = 0; i < s->n_slices; i++) {
            const size_t n = covey_i_slicing_shared(&s->slice[next], &s->slice[i]);

            if (!done[i] && n > weight[i]) {
                weight[i] = n;
                parent[i] = next;
            }
        }
    }
}

/* A tree of n columns hangs together in n - 1 edges. */
static bool hangs_together(const size_t *parent, const covey_slicing *s, size_t field)
{
    size_t n_columns = 0, n_edges = 0;

    for (size_t i = 0; i < s->n_slices; i++) {
        if (!covey_i_slicing_has(&s->slice[i], field))
            continue;
        n_columns++;
        n_edges += parent[i] != SIZE_MAX && covey_i_slicing_has(&s->slice[parent[i]], field);
    }
    return n_columns == 0 || n_edges == n_columns - 1;
}

/* The columns on the tree from a to b, both included; returns how many.  path: [n_slices]. */
static size_t find_path(size_t *path, const size_t *parent, size_t n_slices, size_t a, size_t b)
{
    size_t n = 0, back = 0, top = a;

    for (;; top = parent[top]) { /* up from a, until b lies below */
        size_t at = b;

        path[n++] = top;
        back = 0;
        while (at != top && at != SIZE_MAX) {
            at = parent[at];
            back++;
        }
        if (at == top || parent[top] == SIZE_MAX)
            break;
    }
    for (size_t at = b, i = n + back; i-- > n && at != SIZE_MAX && i < n_slices; at = parent[at])
        path[i] = at;
    return n + back;
}

/* Two columns with the attribute, none of the columns between them on the tree has it: the shortest such way, which its
 * own link closes to a cycle. */
static size_t find_cycle(size_t *cycle, size_t *path, const size_t *parent, const covey_slicing *s, size_t field)
{
    size_t n_cycle = 0;

    for (size_t i = 0; i < s->n_slices; i++)
        for (size_t j = i + 1; j < s->n_slices; j++) {
            size_t n, n_with = 0;

            if (!covey_i_slicing_has(&s->slice[i], field) || !covey_i_slicing_has(&s->slice[j], field))
                continue;
            n = find_path(path, parent, s->n_slices, i, j);
            for (size_t k = 0; k < n; k++)
                n_with += covey_i_slicing_has(&s->slice[path[k]], field);
            if (n < 3 || n_with > 2 || (n_cycle > 0 && n >= n_cycle))
                continue;
            memcpy(cycle, path, n * sizeof *cycle);
            n_cycle = n;
        }
    return n_cycle;
}

/* "columns 1 and 2 share "a", 2 and 3 share "b", 3 and 1 share "c"". */
static covey_status refuse_cycle(const covey_slicing *s, const size_t *cycle, size_t n, size_t field, covey_error *err)
{
    char text[320] = "";
    size_t used = 0;

    for (size_t k = 0; k < n && used < sizeof text; k++) {
        const covey_slice *own = &s->slice[cycle[k]], *next = &s->slice[cycle[(k + 1) % n]];
        size_t common = field;

        for (size_t i = 0; i < own->n_fields && k + 1 < n; i++)
            if (covey_i_slicing_has(next, own->field[i])) {
                common = own->field[i];
                break;
            }
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu and %zu share \"%s\"", k ? ", " : "columns ",
                                 cycle[k] + 1, cycle[(k + 1) % n] + 1, s->problem->field[common].column->name);
    }
    return covey_i_refuse_param(err, "columns",
                                "method slicing: columns overlap in a cycle: %s%s; what could be concluded from such "
                                "columns cannot be counted: take one of these attributes out of a column",
                                text, used >= sizeof text ? "..." : "");
}

covey_status covey_i_slicing_check_schema(const covey_slicing *s, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(s->arena);
    size_t *parent = covey_arena_array(s->arena, size_t, s->n_slices),
           *weight = covey_arena_array(s->arena, size_t, s->n_slices);
    size_t *cycle = covey_arena_array(s->arena, size_t, s->n_slices),
           *path = covey_arena_array(s->arena, size_t, s->n_slices);
    bool *done = covey_arena_array(s->arena, bool, s->n_slices);
    covey_status status = COVEY_OK;

    if (!parent || !weight || !cycle || !path || !done)
        return covey_i_no_memory(err);
    span(parent, weight, done, s);
    for (size_t f = 0; f < s->problem->n_fields && status == COVEY_OK; f++)
        if (!hangs_together(parent, s, f))
            status = refuse_cycle(s, cycle, find_cycle(cycle, path, parent, s, f), f, err);
    covey_arena_rewind(s->arena, mark);
    return status;
}

covey_status covey_i_slicing_is_tree(bool *out, const covey_slicing *s, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(s->arena);
    size_t *parent = covey_arena_array(s->arena, size_t, s->n_slices),
           *weight = covey_arena_array(s->arena, size_t, s->n_slices);
    bool *done = covey_arena_array(s->arena, bool, s->n_slices);

    if (!parent || !weight || !done)
        return covey_i_no_memory(err);
    span(parent, weight, done, s);
    *out = true;
    for (size_t f = 0; f < s->problem->n_fields; f++)
        *out = *out && hangs_together(parent, s, f);
    covey_arena_rewind(s->arena, mark);
    return COVEY_OK;
}

/* Counts the parts of buckets whose rows agree on what columns a and b share, by size. */
static covey_status count_parts(uint32_t *n_of_size, const covey_slicing *s, const covey_slice *a, const covey_slice *b,
                                const covey_dealt *dealt, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(s->arena);
    uint32_t *number = covey_arena_array_zero(s->arena, uint32_t, s->problem->n_rows), n_parts = 1, *size = NULL;
    covey_status status = number ? COVEY_OK : covey_i_no_memory(err);

    for (size_t f = 0; f < a->n_fields && status == COVEY_OK; f++)
        if (covey_i_slicing_has(b, a->field[f]))
            status = covey_i_slicing_refine(number, &n_parts, s->problem->field[a->field[f]].column, s, err);
    if (status == COVEY_OK && !(size = covey_arena_array_zero(s->arena, uint32_t, n_parts)))
        status = covey_i_no_memory(err);
    for (uint32_t bucket = 0; bucket < dealt->n_buckets && status == COVEY_OK; bucket++) {
        for (uint32_t i = dealt->start[bucket]; i < dealt->start[bucket + 1]; i++)
            size[number[dealt->row[i]]]++;
        for (uint32_t i = dealt->start[bucket]; i < dealt->start[bucket + 1]; i++) {
            n_of_size[size[number[dealt->row[i]]]]++;
            size[number[dealt->row[i]]] = 0; /* the others of the part count as 0 */
        }
    }
    n_of_size[0] = 0;
    covey_arena_rewind(s->arena, mark);
    return status;
}

covey_status covey_i_slicing_describe_joints(char *note, size_t note_size, const covey_slicing *s,
                                             const covey_dealt *dealt, covey_error *err)
{
    size_t *parent = covey_arena_array(s->arena, size_t, s->n_slices),
           *weight = covey_arena_array(s->arena, size_t, s->n_slices);
    bool *done = covey_arena_array(s->arena, bool, s->n_slices);
    uint32_t *n_of_size, smallest = 0, median = 0;
    const size_t used = strlen(note);
    uint64_t n = 0, below = 0;
    size_t n_edges = 0;

    if (!parent || !weight || !done)
        return covey_i_no_memory(err);
    span(parent, weight, done, s);
    for (size_t i = 0; i < s->n_slices; i++)
        n_edges += parent[i] != SIZE_MAX;
    if (n_edges == 0)
        return COVEY_OK;
    if (!(n_of_size = covey_arena_array_zero(s->arena, uint32_t, (size_t)s->n + 1)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < s->n_slices; i++)
        if (parent[i] != SIZE_MAX)
            COVEY_TRY(count_parts(n_of_size, s, &s->slice[i], &s->slice[parent[i]], dealt, err));
    for (uint32_t size = 1; size <= s->n; size++)
        n += n_of_size[size];
    if (n == 0)
        return COVEY_OK;
    while (!n_of_size[smallest])
        smallest++;
    while ((below += n_of_size[median]) < (n + 1) / 2)
        median++;
    snprintf(
        note + used, note_size - used,
        "%scolumns overlap: pieces are mixed among the rows of a bucket that agree on what two columns share, %" PRIu32
        " at least, %" PRIu32 " in the median%s",
        used ? "; " : "", smallest, median, smallest == 1 ? "; single rows' pieces are linked" : "");
    return COVEY_OK;
}
