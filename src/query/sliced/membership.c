/* Candidates of a sliced release, and how many buckets they match.
 *
 * How many tuples a bucket can form is a sum of products along the tree of columns.  A tuple that m buckets can form is
 * among those of m buckets, so that each counts 1/m.  Where there are few, all are looked at, and counts are exact;
 * else a bucket is drawn in proportion to its tuples, and one of them, which makes (number of all) * (mean of 1/m over
 * draws that are fakes) an unbiased estimate of the number of fakes. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/rng.h"
#include "query/sliced/membership.h"

enum { STREAM = 0x6d656d62 };

/* --- how tuples are put together --- */

/* A column on the way from the root outwards. */
struct step {
    const covey_slice_node *node;
    uint32_t slice, parent;        /* parent: step; of the first: 0 */
    uint32_t edge, parent_place;   /* towards the root; its place among the parent's edges */
    uint32_t *piece_start, *piece; /* [n_cells + 1] the different pieces of each cell */
    uint32_t n_groups, *group_start,
        *cell;      /* cells by the group they are of, towards the root; of the first one group has all */
    double *weight; /* [n_cells] tuples that begin with a piece of the cell, from here outwards */
    double *before; /* [n_cells] by place in cell[]: weights of the group's cells before it and its own */
};

struct joining {
    const covey_query_slices *s;
    covey_slice_pieces pieces;
    struct step *step; /* [n_slices] */
    double total;      /* tuples of all buckets */
    covey_arena *arena;
};

static void order_steps(struct joining *j)
{
    const covey_query_slices *s = j->s;
    uint32_t n = 0;

    j->step[n++] = (struct step){.node = &s->slice[0], .edge = COVEY_NO_EDGE};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t e = 0; e < j->step[i].node->n_edges; e++) {
            const covey_slice_edge *edge = &s->edge[j->step[i].node->edge[e]];
            const uint32_t other = edge->slice[edge->slice[0] == j->step[i].slice];

            if (j->step[i].node->edge[e] != j->step[i].edge)
                j->step[n++] = (struct step){.node = &s->slice[other],
                                             .slice = other,
                                             .parent = i,
                                             .edge = j->step[i].node->edge[e],
                                             .parent_place = e};
        }
}

/* The different pieces of each cell. */
static covey_status list_pieces(struct step *t, const struct joining *j, covey_error *err)
{
    const covey_slice_piece_list *list = &j->pieces.list[t->slice];
    const uint32_t n_rows = j->s->n_rows, n_cells = t->node->n_cells;
    uint32_t *by_cell = covey_arena_array(j->arena, uint32_t, n_rows),
             *at = covey_arena_array(j->arena, uint32_t, n_cells);
    uint32_t *last = covey_arena_array(j->arena, uint32_t, list->n), n = 0, line = 0;

    t->piece_start = covey_arena_array(j->arena, uint32_t, (size_t)n_cells + 1);
    t->piece = covey_arena_array(j->arena, uint32_t, n_rows);
    if (!by_cell || !at || !last || !t->piece_start || !t->piece)
        return covey_i_no_memory(err);
    for (uint32_t c = 0, sum = 0; c < n_cells; c++) {
        at[c] = sum;
        sum += t->node->cell_size[c];
    }
    for (uint32_t i = 0; i < n_rows; i++)
        by_cell[at[t->node->cell_of_line[i]]++] = i;
    memset(last, 0xff, list->n * sizeof *last);
    for (uint32_t c = 0; c < n_cells; c++) {
        t->piece_start[c] = n;
        for (uint32_t i = 0; i < t->node->cell_size[c]; i++, line++) {
            const uint32_t piece = list->of_line[by_cell[line]];

            if (last[piece] != c) {
                last[piece] = c;
                t->piece[n++] = piece;
            }
        }
    }
    t->piece_start[n_cells] = n;
    return COVEY_OK;
}

static uint32_t group_of(const struct step *t, uint32_t cell)
{
    for (uint32_t e = 0; e < t->node->n_edges; e++)
        if (t->node->edge[e] == t->edge)
            return t->node->cell_group[e][cell];
    return 0;
}

static covey_status list_cells(struct step *t, const struct joining *j, covey_error *err)
{
    const uint32_t n_cells = t->node->n_cells;
    uint32_t *at;

    t->n_groups = t->edge == COVEY_NO_EDGE ? 1 : j->s->edge[t->edge].n_groups;
    t->group_start = covey_arena_array_zero(j->arena, uint32_t, (size_t)t->n_groups + 1);
    t->cell = covey_arena_array(j->arena, uint32_t, n_cells);
    t->weight = covey_arena_array(j->arena, double, n_cells);
    t->before = covey_arena_array(j->arena, double, n_cells);
    at = covey_arena_array(j->arena, uint32_t, t->n_groups);
    if (!t->group_start || !t->cell || !t->weight || !t->before || !at)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < n_cells; c++)
        t->group_start[group_of(t, c) + 1]++;
    for (uint32_t g = 0; g < t->n_groups; g++) {
        at[g] = t->group_start[g];
        t->group_start[g + 1] += t->group_start[g];
    }
    for (uint32_t c = 0; c < n_cells; c++)
        t->cell[at[group_of(t, c)]++] = c;
    return COVEY_OK;
}

static double weight_of_group(const struct step *t, uint32_t group)
{
    return t->group_start[group] < t->group_start[group + 1] ? t->before[t->group_start[group + 1] - 1] : 0;
}

/* From the leaves to the root: how many tuples begin in each cell. */
static void weigh(struct joining *j)
{
    for (uint32_t i = j->s->n_slices; i-- > 0;) {
        struct step *t = &j->step[i];

        for (uint32_t c = 0; c < t->node->n_cells; c++) {
            t->weight[c] = t->piece_start[c + 1] - t->piece_start[c];
            for (uint32_t k = i + 1; k < j->s->n_slices; k++)
                if (j->step[k].parent == i)
                    t->weight[c] *= weight_of_group(&j->step[k], t->node->cell_group[j->step[k].parent_place][c]);
        }
        for (uint32_t g = 0; g < t->n_groups; g++) {
            double sum = 0;

            for (uint32_t k = t->group_start[g]; k < t->group_start[g + 1]; k++)
                t->before[k] = sum += t->weight[t->cell[k]];
        }
    }
    j->total = weight_of_group(&j->step[0], 0);
}

static covey_status join(struct joining *j, const covey_query_slices *s, const covey_original *original,
                         covey_arena *arena, covey_error *err)
{
    *j = (struct joining){.s = s, .arena = arena, .step = covey_arena_array_zero(arena, struct step, s->n_slices)};
    if (!j->step)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_slice_pieces_make(&j->pieces, s, original, arena, err));
    order_steps(j);
    for (uint32_t i = 0; i < s->n_slices; i++) {
        COVEY_TRY(list_pieces(&j->step[i], j, err));
        COVEY_TRY(list_cells(&j->step[i], j, err));
    }
    weigh(j);
    return COVEY_OK;
}

/* --- which tuples are rows --- */

struct rows {
    const covey_slice_pieces *pieces;
    size_t n_slots;
    uint32_t *slot;    /* [n_slots] row + 1; 0: free */
    uint32_t *n_equal; /* [rows] of the first of equal ones */
};

/* The slot of a tuple, or a free one. */
static size_t slot_of(const struct rows *r, const uint32_t *piece)
{
    const uint32_t n_slices = r->pieces->slices->n_slices;
    uint64_t hash = 0;
    size_t at;

    for (uint32_t i = 0; i < n_slices; i++)
        hash = covey_i_mix(hash, piece[i]);
    for (at = hash & (r->n_slots - 1); r->slot[at] != 0; at = (at + 1) & (r->n_slots - 1)) {
        bool same = true;

        for (uint32_t i = 0; i < n_slices && same; i++)
            same = r->pieces->list[i].of_row[r->slot[at] - 1] == piece[i];
        if (same)
            break;
    }
    return at;
}

/* Counts rows by the buckets they match.  Rows of which a piece stands nowhere cannot be told apart, nor need they be:
 * no candidate is one of them. */
static covey_status count_rows(covey_slice_membership *out, struct rows *r, uint32_t *piece, uint32_t *n_matching,
                               const covey_slice_pieces *pieces, uint32_t n_rows, covey_arena *arena, covey_error *err)
{
    *r = (struct rows){.pieces = pieces, .n_slots = 64, .n_equal = covey_arena_array_zero(arena, uint32_t, n_rows)};
    while (r->n_slots < 2 * (size_t)n_rows)
        r->n_slots *= 2;
    if (!r->n_equal || !(r->slot = covey_arena_array_zero(arena, uint32_t, r->n_slots)))
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n_rows; row++) {
        bool stands = true;
        size_t at;

        for (uint32_t i = 0; i < pieces->slices->n_slices && stands; i++)
            stands = (piece[i] = pieces->list[i].of_row[row]) != COVEY_NO_PIECE;
        if (!stands) {
            out->original[0]++;
            continue;
        }
        at = slot_of(r, piece);
        if (r->slot[at] == 0)
            r->slot[at] = row + 1;
        r->n_equal[r->slot[at] - 1]++;
    }
    for (uint32_t row = 0; row < n_rows; row++) {
        uint32_t n;

        if (r->n_equal[row] == 0)
            continue;
        for (uint32_t i = 0; i < pieces->slices->n_slices; i++)
            piece[i] = pieces->list[i].of_row[row];
        n = covey_i_slice_pieces_match(pieces, piece);
        out->original[n] += r->n_equal[row];
        out->n_different++;
        *n_matching += n > 0;
    }
    return COVEY_OK;
}

/* --- candidates --- */

struct looking {
    const struct joining *j;
    const struct rows *rows;
    uint32_t *cell, *piece; /* [n_slices] by step, by slice */
    double *fake;           /* [n_buckets + 1] how often a fake that so many buckets form was met */
};

static bool look(struct looking *l, uint32_t *n)
{
    *n = covey_i_slice_pieces_match(&l->j->pieces, l->piece);
    if (l->rows->slot[slot_of(l->rows, l->piece)] != 0)
        return false;
    l->fake[*n]++;
    return true;
}

static uint32_t group_at(const struct looking *l, uint32_t step)
{
    const struct step *t = &l->j->step[step];

    return step == 0 ? 0 : l->j->step[t->parent].node->cell_group[t->parent_place][l->cell[t->parent]];
}

/* Every tuple of every bucket, in turn. */
static void look_at_all(struct looking *l, uint32_t step)
{
    const struct step *t = &l->j->step[step];
    uint32_t group, n;

    if (step == l->j->s->n_slices) {
        look(l, &n);
        return;
    }
    group = group_at(l, step);
    for (uint32_t k = t->group_start[group]; k < t->group_start[group + 1]; k++) {
        l->cell[step] = t->cell[k];
        for (uint32_t i = t->piece_start[t->cell[k]]; i < t->piece_start[t->cell[k] + 1]; i++) {
            l->piece[t->slice] = t->piece[i];
            look_at_all(l, step + 1);
        }
    }
}

/* The first place whose weights up to there exceed x. */
static uint32_t place_of(const struct step *t, uint32_t group, double x)
{
    uint32_t low = t->group_start[group], high = t->group_start[group + 1] - 1;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (t->before[middle] > x)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void draw(struct looking *l, covey_rng *rng)
{
    for (uint32_t i = 0; i < l->j->s->n_slices; i++) {
        const struct step *t = &l->j->step[i];
        const uint32_t group = group_at(l, i);
        const double x = (double)(covey_i_rng_word(rng) >> 11) * 0x1p-53 * weight_of_group(t, group);
        const uint32_t cell = t->cell[place_of(t, group, x)], first = t->piece_start[cell];

        l->cell[i] = cell;
        l->piece[t->slice] = t->piece[first + covey_i_rng_below(rng, t->piece_start[cell + 1] - first)];
    }
}

static covey_status look_at_some(covey_slice_membership *out, struct looking *l, const covey_run *run, covey_error *err)
{
    unsigned char key[32];
    double sum = 0, squares = 0;
    covey_rng rng;

    COVEY_TRY(covey_i_rng_key(key, run, err));
    covey_i_rng_init(&rng, key, STREAM);
    for (uint32_t i = 0; i < out->n_draws; i++) {
        uint32_t n;

        draw(l, &rng);
        if (look(l, &n)) {
            sum += 1.0 / n;
            squares += 1.0 / n / n;
        }
    }
    covey_i_rng_wipe(&rng);
    sum /= out->n_draws;
    squares /= out->n_draws;
    out->standard_error = l->j->total * sqrt(fmax(0, squares - sum * sum) / out->n_draws);
    return COVEY_OK;
}

static double find_auc(const covey_slice_membership *m)
{
    double fakes = 0, wins = 0;

    for (uint32_t n = 0; n <= m->n_buckets; n++) {
        wins += (double)m->original[n] * (fakes + m->fake[n] / 2);
        fakes += m->fake[n];
    }
    return fakes > 0 && m->n_originals > 0 ? wins / fakes / (double)m->n_originals : NAN;
}

covey_status covey_i_slice_membership(covey_slice_membership *out, const covey_query_slices *s,
                                      const covey_original *original, const covey_slice_effort *effort,
                                      covey_arena *arena, const covey_run *run, covey_error *err)
{
    struct looking l = {.cell = covey_arena_array(arena, uint32_t, s->n_slices),
                        .piece = covey_arena_array(arena, uint32_t, s->n_slices)};
    uint32_t n_matching = 0;
    struct joining j;
    struct rows rows;

    *out = (covey_slice_membership){.n_buckets = s->n_buckets,
                                    .n_originals = original->n_rows,
                                    .original = covey_arena_array_zero(arena, int64_t, (size_t)s->n_buckets + 1),
                                    .fake = covey_arena_array_zero(arena, double, (size_t)s->n_buckets + 1)};
    if (!l.cell || !l.piece || !out->original || !out->fake)
        return covey_i_no_memory(err);
    COVEY_TRY(join(&j, s, original, arena, err));
    COVEY_TRY(count_rows(out, &rows, l.piece, &n_matching, &j.pieces, original->n_rows, arena, err));
    l.j = &j;
    l.rows = &rows;
    l.fake = out->fake;
    out->is_exact = j.total <= effort->most_exact;
    out->n_draws = out->is_exact ? 0 : effort->n_draws;
    if (out->is_exact)
        look_at_all(&l, 0);
    else
        COVEY_TRY(look_at_some(out, &l, run, err));
    for (uint32_t n = 1; n <= s->n_buckets; n++) { /* each was met, or could be drawn, once per bucket */
        out->fake[n] = out->is_exact ? out->fake[n] / n : out->fake[n] * j.total / n / out->n_draws;
        out->n_fakes += out->fake[n];
    }
    out->n_candidates = out->n_fakes + n_matching;
    out->auc = find_auc(out);
    return COVEY_OK;
}
