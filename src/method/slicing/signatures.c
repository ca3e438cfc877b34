/* Signatures that let a sensitive value follow with too large a share: those that a hot set's bucket can form, column
 * by column.  Buckets drop out as soon as they lack a piece; where none is left that makes up for the hot ones, the
 * table fails at once.  See exact.c. */
#include "base/error.h"
#include "base/exact/sum.h"
#include "base/sort/find.h"
#include "method/slicing/exact_parts.h"

enum { MOST_STEPS = 1 << 19 }; /* buckets looked at by one test */

/* Above 0: the pair's share in its set exceeds 1/l. */
static covey_i128 excess_of(const covey_slicing_exact *x, const struct covey_exact_bucket *b, uint32_t pair,
                            uint32_t n_set)
{
    return (covey_i128)x->s->l.num * covey_i_exact_count_in(b, 0, pair) - (covey_i128)x->s->l.den * n_set;
}

/* Buckets that hold all pieces so far, with the factors of their weight. */
struct candidates {
    uint32_t n, *bucket;
    covey_i128 *excess;
    uint32_t *num, *den; /* [n * n_factors] */
    uint32_t n_hot;      /* of positive excess */
    bool any_cool;       /* of negative excess */
};

struct search {
    covey_slicing_exact *x;
    const struct covey_exact_bucket *from;   /* whose pieces are tried */
    const struct covey_exact_bucket *within; /* that must have held them, too; NULL */
    uint32_t pair, set;
    size_t n_factors;
    uint32_t *piece; /* [n_steps] */
    bool fails;      /* a signature does */
};

static covey_status new_candidates(struct candidates *c, const struct search *q, size_t most, covey_error *err)
{
    covey_arena *arena = q->x->s->arena;

    *c = (struct candidates){.bucket = covey_arena_array(arena, uint32_t, most),
                             .excess = covey_arena_array(arena, covey_i128, most),
                             .num = covey_arena_array(arena, uint32_t, most * q->n_factors),
                             .den = covey_arena_array(arena, uint32_t, most * q->n_factors)};
    return c->bucket && c->excess && c->num && c->den ? COVEY_OK : covey_i_no_memory(err);
}

static void add_candidate(struct candidates *c, const struct search *q, uint32_t bucket, covey_i128 excess,
                          const uint32_t *num, const uint32_t *den, size_t step)
{
    const struct covey_exact_step *t = &q->x->step[step];
    const struct covey_exact_bucket *b = &q->x->bucket[bucket];
    uint32_t *to_num = c->num + c->n * q->n_factors, *to_den = c->den + c->n * q->n_factors;
    const uint32_t count = covey_i_exact_count_in(b, t->pieces, q->piece[step]);

    q->x->steps++;
    if (count == 0)
        return;
    for (size_t f = 0; f < q->n_factors; f++) {
        to_num[f] = num ? num[f] : 1;
        to_den[f] = den ? den[f] : 1;
    }
    to_num[step] = t->is_last ? 1 : count; /* the excess counts the sets */
    if (step > 0)
        to_den[step] =
            t->parent == COVEY_EXACT_NONE ? b->n : covey_i_exact_count_in(b, t->shared, t->own[q->piece[step]]);
    if (q->x->by_paper)
        to_den[q->n_factors - 1] = b->n;
    c->bucket[c->n] = bucket;
    c->excess[c->n++] = excess;
    c->n_hot += excess > 0;
    c->any_cool |= excess < 0;
}

static covey_status judge(struct search *q, const struct candidates *c, covey_error *err)
{
    const covey_exact_sum sum = {c->n, q->n_factors, c->excess, c->num, c->den};
    int sign;

    COVEY_TRY(covey_i_exact_sum_sign(&sign, &sum, q->x->s->arena, err));
    q->fails = sign > 0;
    return COVEY_OK;
}

static covey_status try_steps(struct search *q, size_t step, const struct candidates *given, covey_error *err);

/* Looks at the signatures that go on with a piece. */
static covey_status try_piece(struct search *q, size_t step, uint32_t piece, const struct candidates *given,
                              covey_error *err)
{
    const struct covey_exact_step *t = &q->x->step[step];
    covey_slicing_exact *x = q->x;
    struct candidates c;

    if (q->within && covey_i_exact_count_in(q->within, t->pieces, piece) == 0)
        return COVEY_OK;
    if (t->parent != COVEY_EXACT_NONE && t->own[piece] != t->of_parent[q->piece[t->parent]])
        return COVEY_OK; /* copies of an attribute differ */
    q->piece[step] = piece;
    if (step == 0) {
        uint32_t n = 0;

        for (uint32_t *at = &x->head[piece]; *at != COVEY_EXACT_NONE;)
            if (x->bucket[x->link[*at].bucket].state == DEAD) {
                *at = x->link[*at].next;
            } else {
                n++;
                at = &x->link[*at].next;
            }
        COVEY_TRY(new_candidates(&c, q, n, err));
        for (uint32_t at = x->head[piece]; at != COVEY_EXACT_NONE; at = x->link[at].next) {
            const struct covey_exact_bucket *b = &x->bucket[x->link[at].bucket];
            const uint32_t n_set = b->state == ALIVE ? covey_i_exact_count_in(b, x->set_kind, q->set) : 0;

            x->steps++;
            if (n_set > 0)
                add_candidate(&c, q, x->link[at].bucket, excess_of(x, b, q->pair, n_set), NULL, NULL, 0);
        }
    } else {
        COVEY_TRY(new_candidates(&c, q, given->n, err));
        for (uint32_t i = 0; i < given->n; i++)
            add_candidate(&c, q, given->bucket[i], given->excess[i], given->num + i * q->n_factors,
                          given->den + i * q->n_factors, step);
    }
    if (c.n_hot == 0)
        return COVEY_OK;
    if (!c.any_cool && (step >= x->last_step || x->last_is_apart)) { /* whatever the bucket goes on with */
        q->fails = true;
        return COVEY_OK;
    }
    return try_steps(q, step + 1, &c, err);
}

static covey_status try_steps(struct search *q, size_t step, const struct candidates *given, covey_error *err)
{
    const struct covey_exact_step *t = &q->x->step[step];
    covey_arena *arena = q->x->s->arena;

    if (step == q->x->n_steps)
        return judge(q, given, err);
    for (uint32_t i = 0; i < q->from->held[t->pieces].n && !q->fails && q->x->steps <= MOST_STEPS; i++) {
        const covey_arena_mark mark = covey_arena_save(arena);
        const uint32_t piece = q->from->held[t->pieces].id[i];

        if (!t->is_last || piece == q->set)
            COVEY_TRY(try_piece(q, step, piece, given, err));
        covey_arena_rewind(arena, mark);
    }
    return COVEY_OK;
}

covey_status covey_i_exact_test_hot(bool *fails, covey_slicing_exact *x, const struct covey_exact_hot *hot,
                                    const struct covey_exact_bucket *within, covey_error *err)
{
    struct search q = {.x = x,
                       .from = &x->bucket[hot->bucket],
                       .within = within,
                       .pair = hot->pair,
                       .set = hot->set,
                       .n_factors = x->n_steps + x->by_paper};
    const covey_arena_mark mark = covey_arena_save(x->s->arena);
    covey_status status;

    if (!(q.piece = covey_arena_array(x->s->arena, uint32_t, x->n_steps)))
        return covey_i_no_memory(err);
    status = try_steps(&q, 0, NULL, err);
    covey_arena_rewind(x->s->arena, mark);
    *fails = q.fails || x->steps > MOST_STEPS;
    return status;
}

uint32_t covey_i_exact_count_in(const struct covey_exact_bucket *b, size_t kind, uint32_t id)
{
    const struct covey_exact_held *held = &b->held[kind];
    const uint32_t at = covey_i_find_from(held->id, 0, held->n, id);

    return at < held->n && held->id[at] == id ? held->count[at] : 0;
}
