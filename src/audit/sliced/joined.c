/* Signatures of a sliced release whose sensitive attribute stands in several columns: both copies belong to one person,
 * so that pieces of these columns join only where the sensitive value agrees, too.  How many ways there are to join
 * them is then another product for every value:
 *
 *     p(s) = sum over buckets of E(s) / sum over buckets and values,
 *     E(s) = product over columns of a bucket's pieces / product over the tree's edges of what both columns share, all
 * with s where it stands. A signature's p is a mean over the buckets that match it, so that it exceeds 1/l only if
 * it does in some bucket by itself; and there it depends on the pieces of the columns with s alone.  So these are put
 * together first, bucket by bucket, in every way; only from those that let too much follow does the walk go on over the
 * other columns, with all buckets that match. */
#include "audit/sliced/sliced.h"

#include <stdlib.h>
#include <string.h>

#include "audit/sliced/tables.h"
#include "base/error.h"
#include "base/sort/find.h"
#include "reader/views/views.h"
#include "base/exact/sum.h"

enum { MOST_VISITS = 1 << 28 }; /* of a bucket's pieces with a value, from one bucket */
#define NOWHERE UINT32_MAX

/* Numbers of a table, each with a sensitive value: pairs of one number follow each other, by value. */
struct pairs {
    covey_slice_table table;
    uint32_t *start, *value; /* [numbers + 1], [table.n] */
};

struct node {
    size_t slice;
    bool holds;                       /* the sensitive value */
    uint32_t parent;                  /* node; NOWHERE: nothing is shared with those before */
    covey_slice_table pieces, shared; /* beside the sensitive value */
    struct pairs with, shared_with;   /* the sensitive value, where the node holds it */
    uint32_t *shared_of_piece, *shared_of_parent;
};

struct joined {
    const covey_opened *o;
    const covey_opened_slices *s;
    const covey_opened_view *view;
    covey_ratio l;
    struct node *node; /* [n] the last column, the others with the sensitive value, the rest */
    size_t n, n_holding;
    uint64_t visits;
    covey_arena *arena;
};

/* --- the tree of columns --- */

/* The column that shares most with one that is placed; first those that hold the sensitive value, which all hang
 * together in such a tree. */
static size_t next_column(uint32_t *parent, const struct joined *x, const bool *placed, size_t n_placed)
{
    size_t best = SIZE_MAX, most = 0;

    for (size_t i = 0; i < x->s->n; i++) {
        size_t with = 0, shared = 0;

        if (placed[i] || (n_placed < x->n_holding && !covey_i_slice_holds_sensitive(x->o, &x->s->slice[i])))
            continue;
        for (size_t k = 0; k < n_placed; k++) {
            const size_t n = covey_i_slices_shared(&x->s->slice[x->node[k].slice], &x->s->slice[i]);

            with = n > shared ? k : with;
            shared = n > shared ? n : shared;
        }
        if (best == SIZE_MAX || shared > most) {
            best = i;
            most = shared;
            *parent = shared > 0 ? (uint32_t)with : NOWHERE;
        }
    }
    return best;
}

/* Numbers with values; of_line: [n_rows] below n. */
static covey_status make_pairs(struct pairs *p, const struct joined *x, const struct node *node,
                               const uint32_t *of_line, uint32_t n, covey_error *err)
{
    const covey_opened_slice *slice = &x->s->slice[node->slice];
    const uint32_t n_rows = x->o->n_rows;
    uint32_t *value = covey_arena_array(x->arena, uint32_t, n_rows),
             *scratch = covey_arena_array(x->arena, uint32_t, 3 * (size_t)n_rows);

    p->table.of_line = covey_arena_array(x->arena, uint32_t, n_rows);
    p->start = covey_arena_array_zero(x->arena, uint32_t, (size_t)n + 1);
    if (!value || !scratch || !p->table.of_line || !p->start)
        return covey_i_no_memory(err);
    for (uint32_t line = 0; line < n_rows; line++) {
        const uint32_t code =
            covey_i_slice_code(slice, slice->n - 1, line); /* of the last column, which the view is of */

        value[line] = code == UINT32_MAX ? NOWHERE : x->view->value_of_cell[code];
    }
    memcpy(p->table.of_line, of_line, n_rows * sizeof *of_line);
    p->table.n = covey_i_slice_refine(p->table.of_line, value, n_rows, scratch);
    if (!(p->value = covey_arena_array(x->arena, uint32_t, p->table.n)))
        return covey_i_no_memory(err);
    for (uint32_t line = 0; line < n_rows; line++) {
        p->value[p->table.of_line[line]] = value[line];
        if (p->start[of_line[line] + 1] <= p->table.of_line[line])
            p->start[of_line[line] + 1] = p->table.of_line[line] + 1; /* behind the last of each */
    }
    for (uint32_t i = 0; i < n; i++) /* numbers that no line here has have none */
        p->start[i + 1] = p->start[i + 1] > p->start[i] ? p->start[i + 1] : p->start[i];
    return covey_i_slice_table_count(&p->table, x->o, x->arena, err);
}

static covey_status link_columns(struct node *node, const struct joined *x, covey_error *err)
{
    const struct node *parent = &x->node[node->parent];

    COVEY_TRY(covey_i_slice_table_share(&node->shared, &node->shared_of_piece, &node->shared_of_parent, x->o,
                                        &x->s->slice[node->slice], &x->s->slice[parent->slice], &node->pieces,
                                        &parent->pieces, x->arena, err));
    return node->holds && parent->holds
               ? make_pairs(&node->shared_with, x, node, node->shared.of_line, node->shared.n, err)
               : COVEY_OK;
}

static covey_status make_nodes(struct joined *x, covey_error *err)
{
    bool *placed = covey_arena_array_zero(x->arena, bool, x->n);

    if (!placed || !(x->node = covey_arena_array_zero(x->arena, struct node, x->n)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < x->n; i++)
        x->n_holding += covey_i_slice_holds_sensitive(x->o, &x->s->slice[i]);
    for (size_t k = 0; k < x->n; k++) {
        struct node *node = &x->node[k];

        node->parent = NOWHERE;
        node->slice = k == 0 ? x->n - 1 : next_column(&node->parent, x, placed, k);
        node->holds = covey_i_slice_holds_sensitive(x->o, &x->s->slice[node->slice]);
        placed[node->slice] = true;
        COVEY_TRY(covey_i_slice_table_number(&node->pieces, x->o, &x->s->slice[node->slice], x->arena, err));
        COVEY_TRY(covey_i_slice_table_count(&node->pieces, x->o, x->arena, err));
        if (node->holds)
            COVEY_TRY(make_pairs(&node->with, x, node, node->pieces.of_line, node->pieces.n, err));
        if (node->parent != NOWHERE)
            COVEY_TRY(link_columns(node, x, err));
    }
    return COVEY_OK;
}

static uint32_t count_pair(const struct pairs *p, uint32_t bucket, uint32_t number, uint32_t value)
{
    const uint32_t end = p->start[number + 1], at = covey_i_find_from(p->value, p->start[number], end, value);

    return at < end && p->value[at] == value ? covey_i_slice_table_at(&p->table, bucket, at) : 0;
}

/* --- the walk --- */

/* What can be joined so far: buckets with a value, and the factors of E. */
struct terms {
    uint32_t n, *bucket, *value, *num, *den; /* [n], [n * nodes] */
};

struct walk {
    struct joined *x;
    uint32_t bucket; /* whose pieces are tried */
    uint32_t *piece; /* [nodes] */
    bool exceeds, is_long;
};

static covey_status new_terms(struct terms *t, const struct joined *x, uint32_t most, covey_error *err)
{
    *t = (struct terms){.bucket = covey_arena_array(x->arena, uint32_t, most),
                        .value = covey_arena_array(x->arena, uint32_t, most),
                        .num = covey_arena_array(x->arena, uint32_t, most * x->n),
                        .den = covey_arena_array(x->arena, uint32_t, most * x->n)};
    return t->bucket && t->value && t->num && t->den ? COVEY_OK : covey_i_no_memory(err);
}

/* Adds a bucket with a value, if it holds the piece of node k, too; from: of the nodes before, at its place, or NULL.
 */
static void add_term(struct terms *t, struct walk *w, size_t k, uint32_t bucket, uint32_t value,
                     const struct terms *from, uint32_t at)
{
    struct joined *x = w->x;
    const struct node *node = &x->node[k];
    const uint32_t piece = w->piece[k];
    const uint32_t n = node->holds ? count_pair(&node->with, bucket, piece, value)
                                   : covey_i_slice_table_at(&node->pieces, bucket, piece);
    uint32_t *num = t->num + t->n * x->n, *den = t->den + t->n * x->n;

    w->is_long |= ++x->visits > MOST_VISITS;
    if (n == 0)
        return;
    for (size_t i = 0; i < x->n; i++) {
        num[i] = from ? from->num[at * x->n + i] : 1;
        den[i] = from ? from->den[at * x->n + i] : 1;
    }
    num[k] = n;
    if (k > 0 && node->parent == NOWHERE)
        den[k] = x->o->class_start[bucket + 1] - x->o->class_start[bucket];
    else if (k > 0 && node->holds)
        den[k] = count_pair(&node->shared_with, bucket, node->shared_of_piece[piece], value);
    else if (k > 0)
        den[k] = covey_i_slice_table_at(&node->shared, bucket, node->shared_of_piece[piece]);
    t->bucket[t->n] = bucket;
    t->value[t->n++] = value;
}

/* Do the terms let a value follow with more than 1/l?  That is, is the sum of l E(value) - E(all) above 0? */
static covey_status exceeds(bool *out, const struct joined *x, const struct terms *t, uint32_t value, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(x->arena);
    covey_i128 *excess = covey_arena_array(x->arena, covey_i128, t->n);
    const covey_exact_sum sum = {t->n, x->n, excess, t->num, t->den};
    int sign;

    if (!excess)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < t->n; i++)
        excess[i] = (t->value[i] == value ? (covey_i128)x->l.num : 0) - x->l.den;
    COVEY_TRY(covey_i_exact_sum_sign(&sign, &sum, x->arena, err));
    *out = sign > 0;
    covey_arena_rewind(x->arena, mark);
    return COVEY_OK;
}

static bool can_join(const struct walk *w, size_t k, uint32_t piece)
{
    const struct node *node = &w->x->node[k];

    return node->parent == NOWHERE || node->shared_of_piece[piece] == node->shared_of_parent[w->piece[node->parent]];
}

/* The other columns, with all buckets that match. */
static covey_status go_on(struct walk *w, size_t k, const struct terms *from, uint32_t value, covey_error *err)
{
    struct joined *x = w->x;

    if (k == x->n)
        return exceeds(&w->exceeds, x, from, value, err);
    for (uint32_t i = x->node[k].pieces.start[w->bucket];
         i < x->node[k].pieces.start[w->bucket + 1] && !w->exceeds && !w->is_long; i++) {
        const covey_arena_mark mark = covey_arena_save(x->arena);
        struct terms t;

        w->piece[k] = x->node[k].pieces.number[i];
        if (!can_join(w, k, w->piece[k])) {
            w->is_long |= ++x->visits > MOST_VISITS;
            continue;
        }
        COVEY_TRY(new_terms(&t, x, from->n, err));
        for (uint32_t c = 0; c < from->n; c++)
            add_term(&t, w, k, from->bucket[c], from->value[c], from, c);
        COVEY_TRY(go_on(w, k + 1, &t, value, err));
        covey_arena_rewind(x->arena, mark);
    }
    return COVEY_OK;
}

/* Every value that a bucket's piece of the first node goes with. */
static void start_terms(struct terms *t, struct walk *w, uint32_t bucket)
{
    const struct pairs *p = &w->x->node[0].with;

    for (uint32_t i = p->start[w->piece[0]]; i < p->start[w->piece[0] + 1]; i++)
        add_term(t, w, 0, bucket, p->value[i], NULL, 0);
}

/* In its own bucket the value follows from the pieces of the columns that hold it: do other buckets make up for it,
 * whatever the other columns add? */
static covey_status look_everywhere(struct walk *w, uint32_t value, covey_error *err)
{
    struct joined *x = w->x;
    const struct pairs *p = &x->node[0].with;
    const uint32_t n_values = p->start[w->piece[0] + 1] - p->start[w->piece[0]];
    const covey_arena_mark mark = covey_arena_save(x->arena);
    struct terms all, t;
    covey_status status;

    COVEY_TRY(new_terms(&all, x, 0, err));
    for (int pass = 0; pass < 2; pass++) { /* how many buckets, then which */
        uint32_t n = 0;

        for (uint32_t b = 0; b < x->o->n_classes; b++) {
            x->visits++;
            if (covey_i_slice_table_at(&x->node[0].pieces, b, w->piece[0]) == 0)
                continue;
            n++;
            if (pass == 1)
                start_terms(&all, w, b);
        }
        if (pass == 0) /* each is a line at least */
            COVEY_TRY(new_terms(&all, x, (uint64_t)n * n_values < x->o->n_rows ? n * n_values : x->o->n_rows, err));
    }
    for (size_t k = 1; k < x->n_holding; k++) {
        COVEY_TRY(new_terms(&t, x, all.n, err));
        for (uint32_t c = 0; c < all.n; c++)
            add_term(&t, w, k, all.bucket[c], all.value[c], &all, c);
        all = t;
    }
    status = go_on(w, x->n_holding, &all, value, err);
    covey_arena_rewind(x->arena, mark);
    return status;
}

/* The columns that hold the sensitive value, in the bucket alone. */
static covey_status put_together(struct walk *w, size_t k, const struct terms *from, covey_error *err)
{
    struct joined *x = w->x;
    const struct node *node = &x->node[k];

    if (k == x->n_holding) {
        for (uint32_t c = 0; c < from->n && !w->exceeds && !w->is_long; c++) {
            bool is_hot;

            COVEY_TRY(exceeds(&is_hot, x, from, from->value[c], err));
            if (is_hot)
                COVEY_TRY(look_everywhere(w, from->value[c], err));
        }
        return COVEY_OK;
    }
    for (uint32_t i = node->pieces.start[w->bucket];
         i < node->pieces.start[w->bucket + 1] && !w->exceeds && !w->is_long; i++) {
        const covey_arena_mark mark = covey_arena_save(x->arena);
        struct terms t;

        w->piece[k] = node->pieces.number[i];
        if (!can_join(w, k, w->piece[k])) {
            w->is_long |= ++x->visits > MOST_VISITS;
            continue;
        }
        COVEY_TRY(
            new_terms(&t, x, from ? from->n : node->with.start[w->piece[k] + 1] - node->with.start[w->piece[k]], err));
        if (!from)
            start_terms(&t, w, w->bucket);
        for (uint32_t c = 0; from && c < from->n; c++)
            add_term(&t, w, k, w->bucket, from->value[c], from, c);
        if (t.n > 0)
            COVEY_TRY(put_together(w, k + 1, &t, err));
        covey_arena_rewind(x->arena, mark);
    }
    return COVEY_OK;
}

covey_status covey_i_slices_judge_joined(covey_slices_verdict *out, const covey_opened *o, const covey_opened_slices *s,
                                         const covey_opened_view *view, covey_ratio l, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    struct joined x = {.o = o, .s = s, .view = view, .l = l, .n = s->n, .arena = &arena};
    struct walk w = {.x = &x};
    covey_status status = make_nodes(&x, err);

    *out = (covey_slices_verdict){.holds = true};
    if (status == COVEY_OK && !(w.piece = covey_arena_array(&arena, uint32_t, x.n)))
        status = covey_i_no_memory(err);
    for (uint32_t b = 0; b < o->n_classes && out->holds && status == COVEY_OK; b++) {
        x.visits = 0;
        w.bucket = b;
        status = put_together(&w, 0, NULL, err);
        *out = (covey_slices_verdict){
            .holds = !w.exceeds && !w.is_long, .is_long = w.is_long && !w.exceeds, .bucket = b + 1};
    }
    covey_arena_free(&arena);
    return status;
}
