/* The tree of columns of a sliced release, its groups and cells.
 *
 * The columns' tree is a spanning tree of most shared attributes: for columns that do not overlap in a cycle every
 * attribute's columns are connected in it. */
#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "query/sliced/slices.h"

static uint32_t place_in(const covey_opened_slice *slice, size_t attribute)
{
    for (uint32_t i = 0; i < slice->n; i++)
        if (slice->attribute[i] == attribute)
            return i;
    return UINT32_MAX;
}

static uint32_t count_shared(const covey_opened_slice *a, const covey_opened_slice *b)
{
    uint32_t n = 0;

    for (size_t i = 0; i < a->n; i++)
        n += place_in(b, a->attribute[i]) != UINT32_MAX;
    return n;
}

/* --- the tree --- */

static covey_status span(covey_query_slices *s, covey_arena *arena, covey_error *err)
{
    bool *in = covey_arena_array_zero(arena, bool, s->n_slices);

    if (!in || !(s->edge = covey_arena_array_zero(arena, covey_slice_edge, s->n_slices)))
        return covey_i_no_memory(err);
    in[0] = true;
    for (uint32_t e = 0; e + 1 < s->n_slices; e++) { /* Prim */
        uint32_t best_from = 0, best_to = UINT32_MAX, most = 0;

        for (uint32_t a = 0; a < s->n_slices; a++)
            for (uint32_t b = 0; b < s->n_slices && in[a]; b++) {
                uint32_t n = in[b] ? 0 : count_shared(s->slice[a].opened, s->slice[b].opened);

                if (!in[b] && (best_to == UINT32_MAX || n > most)) {
                    best_from = a;
                    best_to = b;
                    most = n;
                }
            }
        in[best_to] = true;
        s->edge[e] = (covey_slice_edge){.slice = {best_from, best_to}, .is_empty = most == 0};
    }
    return COVEY_OK;
}

/* Do all edges stand for the same attributes? */
static bool have_common(const covey_query_slices *s)
{
    const covey_opened_slice *first[2] = {NULL, NULL};

    for (uint32_t e = 0; e + 1 < s->n_slices; e++) {
        const covey_opened_slice *a = s->slice[s->edge[e].slice[0]].opened, *b = s->slice[s->edge[e].slice[1]].opened;
        uint32_t n = count_shared(a, b);

        if (e == 0) {
            first[0] = a;
            first[1] = b;
            continue;
        }
        if (n != count_shared(first[0], first[1]))
            return false;
        for (size_t i = 0; i < a->n; i++)
            if (place_in(b, a->attribute[i]) != UINT32_MAX && (place_in(first[0], a->attribute[i]) == UINT32_MAX ||
                                                               place_in(first[1], a->attribute[i]) == UINT32_MAX))
                return false;
    }
    return true;
}

/* --- groups --- */

/* Scratch for numbering lines. */
struct numbering {
    uint32_t n, *row, *scratch, *key;
};

/* Numbers lines anew by their number and a key: in the order of both.  Returns how many numbers there are. */
static uint32_t refine(uint32_t *number, struct numbering *w)
{
    uint32_t n = 0, last_number = 0, last_key = 0;

    for (uint32_t i = 0; i < w->n; i++)
        w->row[i] = i;
    covey_i_sort_rows_u32(w->row, w->scratch, w->n, w->key);
    covey_i_sort_rows_u32(w->row, w->scratch, w->n, number);
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t line = w->row[i], old = number[line];

        if (i == 0 || old != last_number || w->key[line] != last_key)
            n++;
        last_number = old;
        last_key = w->key[line];
        number[line] = n - 1;
    }
    return n;
}

static uint32_t number_buckets(uint32_t *number, const covey_query_slices *s)
{
    for (uint32_t b = 0; b < s->n_buckets; b++)
        for (uint32_t line = s->bucket_start[b]; line < s->bucket_start[b + 1]; line++)
            number[line] = b;
    return s->n_buckets;
}

/* Groups of an edge as one of its columns sees them. */
static uint32_t number_groups(uint32_t *number, const covey_query_slices *s, const covey_slice_edge *edge, int side,
                              struct numbering *w)
{
    const covey_opened_slice *own = s->slice[edge->slice[side]].opened, *first = s->slice[edge->slice[0]].opened;
    uint32_t n = number_buckets(number, s);

    for (size_t i = 0; i < first->n; i++) { /* in the order of one column, for both */
        uint32_t place = place_in(own, first->attribute[i]);

        if (place_in(s->slice[edge->slice[1]].opened, first->attribute[i]) == UINT32_MAX)
            continue;
        for (uint32_t line = 0; line < s->n_rows; line++)
            w->key[line] = covey_i_slice_code(own, place, line);
        n = refine(number, w);
    }
    return n;
}

/* The same numbers on both sides must be the same values: sizes and codes agree. */
static bool groups_agree(const covey_query_slices *s, const covey_slice_edge *edge, uint32_t *const number[2],
                         const uint32_t *n, uint32_t *example)
{
    const covey_opened_slice *slice[2] = {s->slice[edge->slice[0]].opened, s->slice[edge->slice[1]].opened};
    bool agree = n[0] == n[1];

    if (!agree)
        return false;
    for (uint32_t line = 0; line < s->n_rows; line++) {
        edge->size[number[0][line]]++;
        example[number[0][line]] = line;
    }
    for (uint32_t line = 0; line < s->n_rows && agree; line++) {
        uint32_t group = number[1][line];

        edge->size[group]--; /* counted back to 0 */
        for (size_t i = 0; i < slice[1]->n && agree; i++) {
            uint32_t place = place_in(slice[0], slice[1]->attribute[i]);

            agree = place == UINT32_MAX ||
                    covey_i_slice_code(slice[0], place, example[group]) == covey_i_slice_code(slice[1], i, line);
        }
    }
    for (uint32_t g = 0; g < n[0] && agree; g++)
        agree = edge->size[g] == 0;
    for (uint32_t line = 0; line < s->n_rows && agree; line++)
        edge->size[number[0][line]]++;
    return agree;
}

/* --- cells --- */

/* Makes the cells of a column from the groups of its lines: group_of_line [n_edges]. */
static covey_status make_cells(covey_slice_node *node, const covey_query_slices *s, uint32_t *const *group_of_line,
                               struct numbering *w, covey_arena *arena, covey_error *err)
{
    if (!(node->cell_of_line = covey_arena_array(arena, uint32_t, s->n_rows)))
        return covey_i_no_memory(err);
    node->n_cells = number_buckets(node->cell_of_line, s);
    for (uint32_t e = 0; e < node->n_edges; e++) {
        if (s->edge[node->edge[e]].is_empty)
            continue;
        memcpy(w->key, group_of_line[e], s->n_rows * sizeof *w->key);
        node->n_cells = refine(node->cell_of_line, w);
    }
    node->cell_size = covey_arena_array_zero(arena, uint32_t, node->n_cells);
    node->cell_bucket = covey_arena_array(arena, uint32_t, node->n_cells);
    node->cell_group = covey_arena_array(arena, uint32_t *, node->n_edges);
    if (!node->cell_size || !node->cell_bucket || !node->cell_group)
        return covey_i_no_memory(err);
    for (uint32_t e = 0; e < node->n_edges; e++)
        if (!(node->cell_group[e] = covey_arena_array(arena, uint32_t, node->n_cells)))
            return covey_i_no_memory(err);
    for (uint32_t b = 0; b < s->n_buckets; b++)
        for (uint32_t line = s->bucket_start[b]; line < s->bucket_start[b + 1]; line++) {
            uint32_t cell = node->cell_of_line[line];

            node->cell_size[cell]++;
            node->cell_bucket[cell] = b;
            for (uint32_t e = 0; e < node->n_edges; e++)
                node->cell_group[e][cell] = group_of_line[e][line];
        }
    return COVEY_OK;
}

static covey_status make_groups(covey_query_slices *s, uint32_t **number[2], struct numbering *w, covey_arena *arena,
                                covey_error *err)
{
    uint32_t *example = covey_arena_array(arena, uint32_t, s->n_rows);

    if (!example)
        return covey_i_no_memory(err);
    for (uint32_t e = 0; e + 1 < s->n_slices; e++) {
        covey_slice_edge *edge = &s->edge[e];
        uint32_t n[2];

        for (int side = 0; side < 2; side++) {
            if (!(number[side][e] = covey_arena_array(arena, uint32_t, s->n_rows)))
                return covey_i_no_memory(err);
            n[side] = number_groups(number[side][e], s, edge, side, w);
            s->slice[edge->slice[side]].n_edges++;
        }
        edge->n_groups = n[0];
        if (!(edge->size = covey_arena_array_zero(arena, uint32_t, n[0])))
            return covey_i_no_memory(err);
        if (!groups_agree(s, edge, (uint32_t *[2]){number[0][e], number[1][e]}, n, example))
            return covey_fail(
                err, COVEY_EPARSE,
                "%s and %s do not hold the same values of what they share in every bucket (covey verify says more)",
                s->slice[edge->slice[0]].opened->table->file, s->slice[edge->slice[1]].opened->table->file);
    }
    return COVEY_OK;
}

covey_status covey_i_slices_tree(covey_query_slices *out, const covey_opened *opened, covey_arena *arena,
                                 covey_error *err)
{
    const covey_opened_slices *slices = opened->form_data;
    const uint32_t n_rows = opened->n_rows;
    struct numbering w = {n_rows, covey_arena_array(arena, uint32_t, n_rows),
                          covey_arena_array(arena, uint32_t, n_rows), covey_arena_array(arena, uint32_t, n_rows)};
    uint32_t **number[2] = {covey_arena_array(arena, uint32_t *, slices->n),
                            covey_arena_array(arena, uint32_t *, slices->n)},
             **of_node;

    *out = (covey_query_slices){.n_slices = (uint32_t)slices->n,
                                .n_rows = n_rows,
                                .n_buckets = opened->n_classes,
                                .bucket_start = opened->class_start,
                                .slice = covey_arena_array_zero(arena, covey_slice_node, slices->n)};
    if (!w.row || !w.scratch || !w.key || !number[0] || !number[1] || !out->slice ||
        !(of_node = covey_arena_array(arena, uint32_t *, slices->n)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < out->n_slices; i++)
        out->slice[i].opened = &slices->slice[i];
    COVEY_TRY(span(out, arena, err));
    out->is_common = have_common(out);
    COVEY_TRY(make_groups(out, number, &w, arena, err));
    for (uint32_t i = 0; i < out->n_slices; i++) {
        covey_slice_node *node = &out->slice[i];
        uint32_t n = 0;

        if (!(node->edge = covey_arena_array(arena, uint32_t, node->n_edges)))
            return covey_i_no_memory(err);
        for (uint32_t e = 0; e + 1 < out->n_slices; e++)
            for (int side = 0; side < 2; side++)
                if (out->edge[e].slice[side] == i) {
                    of_node[n] = number[side][e];
                    node->edge[n++] = e;
                }
        COVEY_TRY(make_cells(node, out, of_node, &w, arena, err));
    }
    return COVEY_OK;
}
