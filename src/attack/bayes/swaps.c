/* deFinetti, the hard version: one permutation of each class's values; two rows swap theirs where that makes all more
 * likely.
 *
 * Source: [Kifer09] section 4.2. */
#include "attack/bayes/beliefs.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/run.h"

enum { N_STARTS = 10, N_ROUNDS = 20, SWAPS_PER_ROW = 2 };

struct swapping {
    covey_beliefs *b;
    covey_rng rng;
    uint32_t *value; /* [rows] of b->order, by their place there */
};

static const uint32_t *coordinates(const covey_beliefs *b, uint32_t place)
{
    return b->points->coordinate + b->points->point_of_row[b->order[place]] * b->points->n_dims;
}

static double score(const covey_beliefs *b, uint32_t place, uint32_t value)
{
    const uint32_t *x = coordinates(b, place);
    double sum = 0;

    for (size_t q = 0; q < b->points->n_dims; q++)
        sum += b->weight[q][(size_t)x[q] * b->target->n_values + value];
    return sum;
}

/* The rows of a class stand together in b->order. */
static uint32_t first_place(const covey_beliefs *b, const covey_belief_class *c)
{
    return b->rows[c->begin].begin;
}

static void deal(struct swapping *s)
{
    const covey_attack_target *t = s->b->target;

    for (uint32_t i = 0; i < s->b->n_classes; i++) {
        const covey_belief_class *c = &s->b->class[i];
        const uint32_t first = first_place(s->b, c);
        uint32_t n = 0;

        for (uint32_t e = t->start[c->class]; e < t->start[c->class + 1]; e++)
            for (int64_t k = 0; k < t->entry[e].n; k++) {
                const uint32_t j = (uint32_t)covey_i_rng_below(&s->rng, n + 1);

                s->value[first + n] = s->value[first + j];
                s->value[first + j] = t->entry[e].value;
                n++;
            }
    }
}

static void learn(struct swapping *s)
{
    covey_beliefs *b = s->b;

    for (size_t q = 0; q < b->points->n_dims; q++) {
        memset(b->weight[q], 0,
               (size_t)covey_i_attack_quasi(b->release, q)->n_values * b->target->n_values * sizeof **b->weight);
        for (uint32_t i = 0; i < b->n_classes; i++) {
            const uint32_t first = first_place(b, &b->class[i]), n = (uint32_t)b->target->size[b->class[i].class];

            for (uint32_t place = first; place < first + n; place++)
                b->weight[q][(size_t)coordinates(b, place)[q] * b->target->n_values + s->value[place]] += 1;
        }
        covey_i_beliefs_take_logs(b, q);
    }
}

/* Returns how many swaps were made. */
static int64_t swap_pairs(struct swapping *s)
{
    int64_t made = 0;

    for (uint32_t i = 0; i < s->b->n_classes; i++) {
        const uint32_t first = first_place(s->b, &s->b->class[i]),
                       n = (uint32_t)s->b->target->size[s->b->class[i].class];

        for (uint32_t k = 0; n > 1 && k < SWAPS_PER_ROW * n; k++) {
            const uint32_t x = first + (uint32_t)covey_i_rng_below(&s->rng, n),
                           y = first + (uint32_t)covey_i_rng_below(&s->rng, n);
            const uint32_t a = s->value[x], b = s->value[y];

            if (a == b || !(score(s->b, x, b) + score(s->b, y, a) > score(s->b, x, a) + score(s->b, y, b)))
                continue;
            s->value[x] = b;
            s->value[y] = a;
            made++;
        }
    }
    return made;
}

/* How likely all is, and how much of it right. */
static double judge(int64_t *hits, const struct swapping *s)
{
    const covey_beliefs *b = s->b;
    double sum = 0;

    *hits = 0;
    for (uint32_t i = 0; i < b->n_classes; i++) {
        const uint32_t first = first_place(b, &b->class[i]), n = (uint32_t)b->target->size[b->class[i].class];

        for (uint32_t place = first; place < first + n; place++) {
            sum += score(b, place, s->value[place]);
            *hits += b->target->value_of_row[b->order[place]] == s->value[place];
        }
    }
    return sum;
}

covey_status covey_i_beliefs_swap(covey_beliefs *b, covey_error *err)
{
    const covey_run *run = b->release->run;
    const covey_run seeded = {.has_seed = true, .seed = run && run->has_seed ? run->seed : 1};
    struct swapping *s = covey_arena_array_zero(b->arena, struct swapping, 1);
    unsigned char key[32];
    double best = -INFINITY;

    if (!s || !(s->value = covey_arena_array(b->arena, uint32_t, b->release->original->n_rows)))
        return covey_i_no_memory(err);
    s->b = b;
    COVEY_TRY(covey_i_rng_key(key, &seeded, err));
    for (int start = 0; start < N_STARTS; start++) {
        double likelihood;
        int64_t hits;

        covey_i_rng_init(&s->rng, key, (uint64_t)start + 1);
        deal(s);
        for (int round = 0; round < N_ROUNDS; round++) {
            COVEY_TRY(covey_i_run_goes_on(run, "definetti", start * N_ROUNDS + round, N_STARTS * N_ROUNDS, err));
            learn(s);
            if (swap_pairs(s) == 0)
                break;
        }
        learn(s);
        likelihood = judge(&hits, s);
        if (likelihood > best) {
            best = likelihood;
            b->hard_hits = hits;
        }
    }
    return COVEY_OK;
}
