/* Signatures of a sliced release: combinations of values beside the sensitive one that its pieces can form.  For each,
 * what follows is
 *
 *     p(s) = sum over buckets of E(s) / sum over buckets and values,   E = product of a bucket's counts / product of
 * those of what columns share. It is a mean of shares in the sets of the buckets that match, so that only signatures
 * matter that match a set with too large a share.  They are looked at one by one, starting from such a set's bucket: a
 * depth-first walk over the columns that keeps the buckets that still match. */
#include "audit/sliced/sliced.h"

#include <stdlib.h>
#include <string.h>

#include "audit/sliced/tables.h"
#include "base/error.h"
#include "reader/views/views.h"
#include "base/exact/sum.h"

enum { MOST_VISITS = 1 << 28 }; /* of buckets, for one set */
#define NOWHERE UINT32_MAX

struct node {
    size_t slice;
    uint32_t parent; /* node; NOWHERE: nothing is shared with those before */
    covey_slice_table pieces, shared;
    uint32_t *shared_of_piece, *shared_of_parent; /* by piece here, by piece of the parent */
};

struct signatures {
    const covey_opened *o;
    const covey_opened_slices *s;
    covey_ratio l;
    struct node *node;       /* [n] from the one with the most pieces outwards */
    size_t n, last;          /* last: the sensitive column's node; its pieces are sets */
    covey_slice_table pairs; /* of set and sensitive value */
    uint32_t *set_of_pair;
    uint32_t *root_start, *root_bucket; /* [pieces of the root + 1]: buckets that hold it */
    uint64_t visits;
    covey_arena *arena;
};

/* --- the tree of columns --- */

/* The column that shares most with one that is placed; among equals the one with the most pieces.  *parent: that node.
 */
static size_t next_column(uint32_t *parent, const struct signatures *x, const covey_slice_table *pieces,
                          const bool *placed, size_t n_placed)
{
    size_t best = SIZE_MAX, most = 0;

    *parent = NOWHERE;
    for (size_t i = 0; i < x->s->n; i++) {
        size_t with = 0, shared = 0;

        for (size_t k = 0; k < n_placed && !placed[i]; k++) {
            const size_t n = covey_i_slices_shared(&x->s->slice[x->node[k].slice], &x->s->slice[i]);

            with = n > shared ? k : with;
            shared = n > shared ? n : shared;
        }
        if (!placed[i] && (best == SIZE_MAX || shared > most || (shared == most && pieces[i].n > pieces[best].n))) {
            best = i;
            most = shared;
            *parent = shared > 0 ? (uint32_t)with : NOWHERE;
        }
    }
    return best;
}

static covey_status make_nodes(struct signatures *x, covey_error *err)
{
    covey_slice_table *pieces = covey_arena_array_zero(x->arena, covey_slice_table, x->n);
    bool *placed = covey_arena_array_zero(x->arena, bool, x->n);

    if (!pieces || !placed || !(x->node = covey_arena_array_zero(x->arena, struct node, x->n)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < x->n; i++) {
        COVEY_TRY(covey_i_slice_table_number(&pieces[i], x->o, &x->s->slice[i], x->arena, err));
        COVEY_TRY(covey_i_slice_table_count(&pieces[i], x->o, x->arena, err));
    }
    for (size_t k = 0; k < x->n; k++) {
        struct node *node = &x->node[k];

        node->slice = next_column(&node->parent, x, pieces, placed, k);
        node->pieces = pieces[node->slice];
        placed[node->slice] = true;
        x->last = node->slice + 1 == x->n ? k : x->last;
        if (node->parent != NOWHERE)
            COVEY_TRY(covey_i_slice_table_share(&node->shared, &node->shared_of_piece, &node->shared_of_parent, x->o,
                                                &x->s->slice[node->slice], &x->s->slice[x->node[node->parent].slice],
                                                &node->pieces, &x->node[node->parent].pieces, x->arena, err));
    }
    return COVEY_OK;
}

static covey_status list_root(struct signatures *x, covey_error *err)
{
    const covey_slice_table *t = &x->node[0].pieces;
    const uint32_t n = t->start[x->o->n_classes];
    uint32_t *at = covey_arena_array(x->arena, uint32_t, t->n);

    x->root_start = covey_arena_array_zero(x->arena, uint32_t, (size_t)t->n + 1);
    x->root_bucket = covey_arena_array(x->arena, uint32_t, n);
    if (!at || !x->root_start || !x->root_bucket)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        x->root_start[t->number[i] + 1]++;
    for (uint32_t p = 0; p < t->n; p++) {
        at[p] = x->root_start[p];
        x->root_start[p + 1] += x->root_start[p];
    }
    for (uint32_t b = 0; b < x->o->n_classes; b++)
        for (uint32_t i = t->start[b]; i < t->start[b + 1]; i++)
            x->root_bucket[at[t->number[i]]++] = b;
    return COVEY_OK;
}

static covey_status make_pairs(struct signatures *x, const covey_opened_view *view, covey_error *err)
{
    const uint32_t n_rows = x->o->n_rows;
    const covey_slice_table *sets = &x->node[x->last].pieces;
    uint32_t *value = covey_arena_array(x->arena, uint32_t, n_rows),
             *scratch = covey_arena_array(x->arena, uint32_t, 3 * (size_t)n_rows);

    x->pairs.of_line = covey_arena_array(x->arena, uint32_t, n_rows);
    if (!value || !scratch || !x->pairs.of_line)
        return covey_i_no_memory(err);
    for (uint32_t line = 0; line < n_rows; line++)
        value[line] = covey_i_view_value(view, line);
    memcpy(x->pairs.of_line, sets->of_line, n_rows * sizeof *value);
    x->pairs.n = covey_i_slice_refine(x->pairs.of_line, value, n_rows, scratch);
    if (!(x->set_of_pair = covey_arena_array(x->arena, uint32_t, x->pairs.n)))
        return covey_i_no_memory(err);
    for (uint32_t line = 0; line < n_rows; line++)
        x->set_of_pair[x->pairs.of_line[line]] = sets->of_line[line];
    return covey_i_slice_table_count(&x->pairs, x->o, x->arena, err);
}

/* --- the walk --- */

/* Buckets that match so far: what E is made of, and l E(s) - E(all) in place of the sensitive column's count. */
struct matching {
    uint32_t n, *bucket, *num, *den; /* [n], [n * nodes] */
    covey_i128 *excess;
    bool can_exceed; /* some excess is positive */
};

struct walk {
    struct signatures *x;
    uint32_t bucket, pair, set;
    uint32_t *piece; /* [nodes] */
    bool exceeds, is_long;
};

static covey_status new_matching(struct matching *m, const struct signatures *x, uint32_t most, covey_error *err)
{
    *m = (struct matching){.bucket = covey_arena_array(x->arena, uint32_t, most),
                           .num = covey_arena_array(x->arena, uint32_t, most * x->n),
                           .den = covey_arena_array(x->arena, uint32_t, most * x->n),
                           .excess = covey_arena_array(x->arena, covey_i128, most)};
    return m->bucket && m->num && m->den && m->excess ? COVEY_OK : covey_i_no_memory(err);
}

/* from: of the node before, or NULL; at: place in it. */
static void keep_if_matching(struct matching *m, struct walk *w, size_t k, uint32_t bucket, const struct matching *from,
                             uint32_t at)
{
    struct signatures *x = w->x;
    const struct node *node = &x->node[k];
    const uint32_t n = covey_i_slice_table_at(&node->pieces, bucket, w->piece[k]);
    uint32_t *num = m->num + m->n * x->n, *den = m->den + m->n * x->n;

    w->is_long |= ++x->visits > MOST_VISITS;
    if (n == 0)
        return;
    for (size_t i = 0; i < x->n; i++) {
        num[i] = from ? from->num[at * x->n + i] : 1;
        den[i] = from ? from->den[at * x->n + i] : 1;
    }
    num[k] = k == x->last ? 1 : n;
    if (k > 0)
        den[k] = node->parent == NOWHERE
                     ? x->o->class_start[bucket + 1] - x->o->class_start[bucket]
                     : covey_i_slice_table_at(&node->shared, bucket, node->shared_of_piece[w->piece[k]]);
    if (from)
        m->excess[m->n] = from->excess[at];
    else
        m->excess[m->n] = (covey_i128)x->l.num * covey_i_slice_table_at(&x->pairs, bucket, w->pair) -
                          (covey_i128)x->l.den * covey_i_slice_table_at(&x->node[x->last].pieces, bucket, w->set);
    m->can_exceed |= m->excess[m->n] > 0;
    m->bucket[m->n++] = bucket;
}

static covey_status go_on(struct walk *w, size_t k, const struct matching *from, covey_error *err)
{
    struct signatures *x = w->x;
    const struct node *node = &x->node[k];
    const covey_slice_table *t = &node->pieces;

    if (k == x->n) {
        const covey_exact_sum sum = {from->n, x->n, from->excess, from->num, from->den};
        int sign;

        COVEY_TRY(covey_i_exact_sum_sign(&sign, &sum, x->arena, err));
        w->exceeds = sign > 0;
        return COVEY_OK;
    }
    for (uint32_t i = t->start[w->bucket]; i < t->start[w->bucket + 1] && !w->exceeds && !w->is_long; i++) {
        const covey_arena_mark mark = covey_arena_save(x->arena);
        struct matching m;

        w->piece[k] = t->number[i];
        if ((k == x->last && w->piece[k] != w->set) ||
            (node->parent != NOWHERE &&
             node->shared_of_piece[w->piece[k]] != node->shared_of_parent[w->piece[node->parent]]))
            continue;
        COVEY_TRY(
            new_matching(&m, x, from ? from->n : x->root_start[w->piece[0] + 1] - x->root_start[w->piece[0]], err));
        if (from)
            for (uint32_t c = 0; c < from->n; c++)
                keep_if_matching(&m, w, k, from->bucket[c], from, c);
        else
            for (uint32_t c = x->root_start[w->piece[0]]; c < x->root_start[w->piece[0] + 1]; c++)
                if (covey_i_slice_table_at(&x->node[x->last].pieces, x->root_bucket[c], w->set) > 0)
                    keep_if_matching(&m, w, 0, x->root_bucket[c], NULL, 0);
        if (m.can_exceed)
            COVEY_TRY(go_on(w, k + 1, &m, err));
        covey_arena_rewind(x->arena, mark);
    }
    return COVEY_OK;
}

covey_status covey_i_slices_judge_signatures(covey_slices_verdict *out, const covey_opened *o,
                                             const covey_opened_slices *s, const covey_opened_view *view, covey_ratio l,
                                             covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    struct signatures x = {.o = o, .s = s, .l = l, .n = s->n, .arena = &arena};
    covey_status status;

    *out = (covey_slices_verdict){.holds = true};
    if ((status = make_nodes(&x, err)) != COVEY_OK || (status = list_root(&x, err)) != COVEY_OK ||
        (status = make_pairs(&x, view, err)) != COVEY_OK)
        goto done;
    for (uint32_t b = 0; b < o->n_classes && out->holds && status == COVEY_OK; b++)
        for (uint32_t i = x.pairs.start[b]; i < x.pairs.start[b + 1] && out->holds && status == COVEY_OK; i++) {
            const covey_arena_mark mark = covey_arena_save(&arena);
            struct walk w = {.x = &x,
                             .bucket = b,
                             .pair = x.pairs.number[i],
                             .set = x.set_of_pair[x.pairs.number[i]],
                             .piece = covey_arena_array(&arena, uint32_t, x.n)};

            if (!w.piece) {
                status = covey_i_no_memory(err);
            } else if ((covey_i128)l.num * x.pairs.count[i] >
                       (covey_i128)l.den * covey_i_slice_table_at(&x.node[x.last].pieces, b, w.set)) {
                x.visits = 0;
                status = go_on(&w, 0, NULL, err);
                out->holds = !w.exceeds && !w.is_long;
                out->is_long = w.is_long;
                out->bucket = b + 1;
            }
            covey_arena_rewind(&arena, mark);
        }
done:
    covey_arena_free(&arena);
    return status;
}
