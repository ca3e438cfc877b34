/* Models about the distribution that a target is: as if it were a class, where its probabilities have a common
 * denominator that rows could be counted in, else value by value. */
#include "release/transformed/transformed.h"

#include "base/error.h"
#include "base/exact/divisor.h"
#include "table/histogram.h"

/* part[i] / whole[i] is the probability of node i, in lowest terms. */
struct shares {
    covey_u128 *part, *whole;
};

/* Of the children by their parent's; false if a denominator is too large. */
static bool divide(struct shares *s, const covey_target_tree *tree, uint32_t i)
{
    const covey_target_node *node = tree->node;

    for (uint32_t c = i + 1; c < node[i].end; c = node[c].end) {
        covey_u128 part, whole, divisor;

        if (__builtin_mul_overflow(s->part[i], (covey_u128)node[c].weight, &part) ||
            __builtin_mul_overflow(s->whole[i], (covey_u128)node[i].sum, &whole))
            return false;
        divisor = covey_i_common_divisor_128(whole, part);
        s->part[c] = part / divisor;
        s->whole[c] = whole / divisor;
        if (s->whole[c] >> 127)
            return false;
    }
    return true;
}

static bool find_shares(struct shares *s, const covey_target_tree *tree)
{
    s->part[0] = s->whole[0] = 1;
    for (uint32_t i = 0; i < tree->n_nodes; i++)
        if (tree->node[i].end > i + 1 && !divide(s, tree, i))
            return false;
    return true;
}

/* The least common denominator of the leaves; 0: it would reach 2^32, beyond which no model counts. */
static int64_t find_total(const struct shares *s, const covey_target_tree *tree)
{
    covey_u128 all = 1;

    for (uint32_t i = 0; i < tree->n_nodes; i++)
        if (tree->node[i].end == i + 1) {
            if (s->whole[i] >> 32)
                return 0;
            all = all / covey_i_common_divisor_128(all, s->whole[i]) * s->whole[i];
            if (all >> 32)
                return 0;
        }
    return (int64_t)all;
}

/* As a class of `total` rows. */
static covey_status judge_counts(bool *admits, covey_figure *figure, const covey_promise *promise,
                                 const covey_target *target, const struct shares *s, int64_t total, uint32_t n_values,
                                 covey_arena *arena, covey_error *err)
{
    const covey_target_node *node = target->tree.node;
    covey_histogram counts;
    const covey_group group = {.size = total, .counts = &counts};

    COVEY_TRY(covey_i_histogram_new(&counts, n_values, arena, err));
    for (uint32_t i = 0; i < target->tree.n_nodes; i++)
        if (node[i].end == i + 1 && s->part[i] > 0)
            covey_i_histogram_add(&counts, target->code[node[i].first_leaf],
                                  (int64_t)((covey_u128)total / s->whole[i] * s->part[i]));
    *admits = promise->model->admits(promise->state, &group);
    promise->model->figure(figure, promise->state, &group);
    return COVEY_OK;
}

enum { COUNTED = (1u << 31) - 1 };

/* An earth mover's distance moves by no more than half of what the shares move together: rounded to whole rows of
 * COUNTED, n shares move by n/COUNTED at most, so what is further than that from the bound is decided.  *can false: it
 * is nearer. */
static covey_status judge_closeness(bool *can, bool *admits, covey_figure *figure, const covey_promise *promise,
                                    const covey_share *share, size_t n, uint32_t n_values, covey_arena *arena,
                                    covey_error *err)
{
    covey_histogram counts;
    const covey_group group = {.size = COUNTED, .counts = &counts};
    covey_fraction least, most;
    covey_closeness wanted;
    int64_t left = COUNTED;

    if (n >= COUNTED / 2 || !promise->model->closeness || !promise->model->closeness(&wanted, promise->state))
        return COVEY_OK;
    COVEY_TRY(covey_i_histogram_new(&counts, n_values, arena, err));
    for (size_t i = 0; i < n; i++) {
        const int shift = share[i].den >> 96 ? 32 : 0;
        const int64_t rows = (int64_t)((share[i].num >> shift) * COUNTED /
                                       ((share[i].den >> shift) + (shift > 0))); /* never more than the share */

        left -= rows;
        if (rows > 0)
            covey_i_histogram_add(&counts, share[i].value, rows);
    }
    for (size_t i = 0; left > 0; i = (i + 1) % n, left--)
        covey_i_histogram_add(&counts, share[i].value, 1);
    promise->model->figure(figure, promise->state, &group);
    if (figure->kind != COVEY_FIGURE_FRACTION || figure->infinite || figure->fraction.den >> 90)
        return COVEY_OK;
    most = covey_i_fraction(figure->fraction.num * COUNTED + (covey_i128)n * figure->fraction.den,
                            figure->fraction.den * COUNTED);
    least = covey_i_fraction(figure->fraction.num * COUNTED - (covey_i128)n * figure->fraction.den,
                             figure->fraction.den * COUNTED);
    *admits = covey_i_fraction_compare(most, covey_i_fraction_of_ratio(wanted.t)) <= 0;
    *can = *admits || covey_i_fraction_compare(least, covey_i_fraction_of_ratio(wanted.t)) > 0;
    *figure = covey_i_figure_real(figure->real);
    return COVEY_OK;
}

/* Value by value. */
static covey_status judge_shares(bool *can, bool *admits, covey_figure *figure, const covey_promise *promise,
                                 const covey_target *target, const struct shares *s, uint32_t n_values,
                                 covey_arena *arena, covey_error *err)
{
    const covey_target_node *node = target->tree.node;
    covey_share *share = covey_arena_array(arena, covey_share, target->tree.n_leaves);
    size_t n = 0;

    if (!share)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < target->tree.n_nodes; i++)
        if (node[i].end == i + 1 && s->part[i] > 0)
            share[n++] = (covey_share){target->code[node[i].first_leaf], s->part[i], s->whole[i]};
    *can = promise->model->judge_shares && promise->model->judge_shares(admits, figure, promise->state, share, n);
    return *can ? COVEY_OK : judge_closeness(can, admits, figure, promise, share, n, n_values, arena, err);
}

covey_status covey_i_target_judge(bool *admits, covey_figure *figure, const covey_promise *promise,
                                  const covey_target *target, uint32_t n_values, covey_arena *arena, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    struct shares s = {covey_arena_array(arena, covey_u128, target->tree.n_nodes),
                       covey_arena_array(arena, covey_u128, target->tree.n_nodes)};
    bool fits, can = false;
    int64_t total;

    if (!s.part || !s.whole)
        return covey_i_no_memory(err);
    fits = find_shares(&s, &target->tree);
    for (uint32_t i = 0; i < target->tree.n_nodes; i++)
        if (target->tree.node[i].end == i + 1 && target->code[target->tree.node[i].first_leaf] == UINT32_MAX &&
            target->probability[i] > 0)
            return covey_fail(err, COVEY_EINVAL,
                              "%s cannot be asked of a target with values that no row of the table has: let its "
                              "hierarchy hold those alone",
                              promise->model->name);
    total = fits ? find_total(&s, &target->tree) : 0;
    if (total > 0)
        COVEY_TRY(judge_counts(admits, figure, promise, target, &s, total, n_values, arena, err));
    else if (fits)
        COVEY_TRY(judge_shares(&can, admits, figure, promise, target, &s, n_values, arena, err));
    covey_arena_rewind(arena, mark);
    return total > 0 || can
               ? COVEY_OK
               : covey_i_error_about(covey_fail(err, COVEY_EINVAL,
                                                "%s cannot be asked of this target exactly: the common denominator of "
                                                "its probabilities exceeds %s; choose a smaller "
                                                "resolution",
                                                promise->model->name, fits ? "2^32" : "2^127"),
                                     "resolution", err);
}
