/* The least sum of ranges when up to t values may be made up, for all numbers of them in one pass.
 *
 * C(N, m, x): the least cost of having m members at or below N with at most x made-up values in N.  If N's children get
 * q times their weights, N itself keeps m - q W copies (W: sum of the weights), which cost its range, and the x are
 * divided among the children: a (min,+) combination, child by child.  Which q's can matter is known from above: never
 * fewer than fit without made-up values, and never more than fit with all t. So each node is asked about few numbers of
 * members only, and nodes that get none are never seen. Source: [Koudas09] section 5, Algorithm 2, corrected. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort/compare.h"
#include "method/distribution/core.h"

#define INFINITE ((covey_i128)1 << 120)

/* A node that is asked.  Its parent asks for m = p * weight members, first <= p <= last. */
struct asked {
    uint32_t node;
    uint32_t count; /* values in it */
    uint64_t weight, first, last;
    uint32_t most;              /* made-up values that can be of use: 0 .. most */
    uint64_t low, high;         /* q from low to high */
    uint32_t child, n_children; /* first child that is asked; none: high is 0 or it is a leaf */
    covey_i128 *best;           /* [(q - low) * (most + 1) + x] the least of A_q'(x) - q' W range over low <= q' <= q */
    uint32_t *best_step;        /* q' - low */
    uint32_t *given; /* [child * steps + q - low][most + 1] what the child gets of x when those behind it have theirs */
};

struct faking {
    const covey_target_tree *tree;
    const covey_distribution_values *values;
    uint32_t most;
    struct asked *asked;
    size_t n, capacity;
    uint64_t n_cells;
    covey_arena *arena;
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* How often the weights fit into m and into the values of each child, x of them made up. */
static uint64_t fit(const struct faking *f, uint32_t node, uint64_t m, uint64_t x)
{
    const covey_target_tree *tree = f->tree;
    uint64_t q = tree->node[node].sum ? m / tree->node[node].sum : 0;

    for (uint32_t c = node + 1; c < tree->node[node].end && q > 0; c = tree->node[c].end) {
        const covey_target_node *child = &tree->node[c];

        if (child->weight > 0)
            q = smaller(
                q, (covey_i_distribution_count(f->values, child->first_leaf, child->first_leaf + child->n_leaves) + x) /
                       child->weight);
    }
    return q;
}

static covey_status ask(struct faking *f, uint32_t node, uint64_t weight, uint64_t first, uint64_t last,
                        covey_error *err)
{
    const covey_target_node *at = &f->tree->node[node];

    if (f->n == f->capacity) {
        const size_t capacity = f->capacity ? 2 * f->capacity : 64;
        struct asked *larger = covey_arena_array(f->arena, struct asked, capacity);

        if (!larger)
            return covey_i_no_memory(err);
        for (size_t i = 0; i < f->n; i++)
            larger[i] = f->asked[i];
        f->asked = larger;
        f->capacity = capacity;
    }
    f->asked[f->n++] = (struct asked){
        .node = node,
        .count = covey_i_distribution_count(f->values, at->first_leaf, at->first_leaf + at->n_leaves),
        .weight = weight,
        .first = first,
        .last = last,
        .most = (uint32_t)smaller(f->most, weight * last),
    };
    return COVEY_OK;
}

/* From the root down: which nodes are asked about how many members. */
static covey_status ask_all(struct faking *f, covey_error *err)
{
    COVEY_TRY(ask(f, 0, 1, f->values->n, (uint64_t)f->values->n + f->most, err));
    for (size_t i = 0; i < f->n; i++) {
        struct asked a = f->asked[i];

        a.low = fit(f, a.node, a.weight * a.first, 0);
        a.high = fit(f, a.node, a.weight * a.last, f->most);
        a.child = (uint32_t)f->n;
        for (uint32_t c = a.node + 1; a.high > 0 && c < f->tree->node[a.node].end; c = f->tree->node[c].end)
            if (f->tree->node[c].weight > 0) {
                COVEY_TRY(ask(f, c, f->tree->node[c].weight, a.low ? a.low : 1, a.high, err));
                a.n_children++;
            }
        f->n_cells += a.n_children ? (a.high - a.low + 1) * (a.most + UINT64_C(1)) * (1 + a.n_children) : 0;
        if (f->n_cells > COVEY_DIST_MOST_CELLS)
            return covey_i_error_about(
                covey_fail(err, COVEY_EINVAL,
                           "a group of %u rows with up to %u made-up values needs tables of more than %" PRIu64
                           " cells: allow fewer fakes, or make smaller groups",
                           f->values->n, f->most, COVEY_DIST_MOST_CELLS),
                "fakes", err);
        f->asked[i] = a;
    }
    return COVEY_OK;
}

/* C(N, m, x). */
static covey_i128 cost(const struct faking *f, const struct asked *a, uint64_t m, uint32_t x)
{
    const covey_target_node *node = &f->tree->node[a->node];
    covey_i128 best = 0;

    if (m > (uint64_t)a->count + x)
        return INFINITE;
    if (a->n_children > 0)
        best = a->best[(smaller(a->high, m / node->sum) - a->low) * (a->most + 1) + smaller(x, a->most)];
    return best >= INFINITE ? INFINITE : (covey_i128)m * node->range + best;
}

/* A_q(x) for all x, into sum: the children's costs, and what each gets. */
static void combine(covey_i128 *sum, covey_i128 *scratch, struct asked *a, uint64_t q, const struct faking *f)
{
    const uint64_t steps = a->high - a->low + 1;

    for (uint32_t x = 0; x <= a->most; x++)
        sum[x] = 0;
    for (uint32_t c = 0; c < a->n_children && q > 0; c++) {
        const struct asked *child = &f->asked[a->child + c];
        const uint64_t m = q * child->weight;
        const uint32_t last = (uint32_t)smaller(a->most, m);
        uint32_t *given = &a->given[(c * steps + q - a->low) * (a->most + 1)];

        for (uint32_t z = 0; z <= last; z++)
            scratch[z] = cost(f, child, m, z);
        for (uint32_t x = a->most + 1; x-- > 0;) {
            covey_i128 least = INFINITE;

            given[x] = 0;
            for (uint32_t z = 0; z <= x && z <= last; z++)
                if (scratch[z] < INFINITE && sum[x - z] < INFINITE && scratch[z] + sum[x - z] < least) {
                    least = scratch[z] + sum[x - z];
                    given[x] = z;
                }
            sum[x] = least;
        }
    }
}

static covey_status fill(struct faking *f, struct asked *a, covey_error *err)
{
    const covey_target_node *node = &f->tree->node[a->node];
    const uint64_t steps = a->high - a->low + 1;
    const size_t width = (size_t)a->most + 1;
    covey_arena_mark mark;
    covey_i128 *sum, *scratch;

    a->best = covey_arena_array(f->arena, covey_i128, steps * width);
    a->best_step = covey_arena_array(f->arena, uint32_t, steps * width);
    a->given = covey_arena_array(f->arena, uint32_t, a->n_children * steps * width);
    mark = covey_arena_save(f->arena);
    sum = covey_arena_array(f->arena, covey_i128, width);
    scratch = covey_arena_array(f->arena, covey_i128, width);
    if (!a->best || !a->best_step || !a->given || !sum || !scratch)
        return covey_i_no_memory(err);
    for (uint64_t step = 0; step < steps; step++) {
        const uint64_t q = a->low + step;

        combine(sum, scratch, a, q, f);
        for (size_t x = 0; x < width; x++) {
            const size_t at = step * width + x;
            const covey_i128 gain = sum[x] >= INFINITE ? INFINITE : sum[x] - (covey_i128)q * node->sum * node->range;

            if (step > 0 && a->best[at - width] < gain) {
                a->best[at] = a->best[at - width];
                a->best_step[at] = a->best_step[at - width];
            } else {
                a->best[at] = gain;
                a->best_step[at] = (uint32_t)step;
            }
        }
    }
    covey_arena_rewind(f->arena, mark);
    return COVEY_OK;
}

/* A node on the way back: m members with x made-up values. */
struct visit {
    uint32_t asked;
    uint64_t m;
    uint32_t x;
};

static int compare_members(const void *a, const void *b)
{
    const covey_distribution_member *x = a, *y = b;

    return (x->node > y->node) - (x->node < y->node);
}

/* Members and made-up values of one node; its children go onto the stack. */
static size_t unfold(covey_distribution_faked *out, struct visit *stack, size_t n, const struct faking *f,
                     const struct visit *v)
{
    const struct asked *a = &f->asked[v->asked];
    const covey_target_node *node = &f->tree->node[a->node];
    uint64_t kept = v->m;
    uint32_t x = v->x;

    if (a->n_children > 0) {
        const uint64_t steps = a->high - a->low + 1;
        const size_t width = (size_t)a->most + 1;
        const uint64_t last = smaller(a->high, v->m / node->sum) - a->low;
        const uint64_t step = a->best_step[last * width + smaller(x, a->most)], q = a->low + step;

        kept -= q * node->sum;
        for (uint32_t c = a->n_children; q > 0 && c-- > 0;) {
            const uint32_t given = a->given[(c * steps + step) * width + smaller(x, a->most)];

            stack[n++] = (struct visit){a->child + c, q * f->asked[a->child + c].weight, given};
            x -= given;
        }
    }
    if (kept > 0) {
        out->members.member[out->members.n++] = (covey_distribution_member){a->node, (uint32_t)kept};
        out->members.sum_of_ranges += (covey_i128)kept * node->range;
    }
    for (; x > 0; x--)
        out->fake[out->n_fakes++] = node->first_leaf;
    return n;
}

static covey_status rebuild(covey_distribution_faked *out, const struct faking *f, uint32_t k, covey_error *err)
{
    const size_t n_members = (size_t)f->values->n + k;
    struct visit *stack = covey_arena_array(f->arena, struct visit, f->n);
    size_t n = 0;

    out->members =
        (covey_distribution_members){.member = covey_arena_array(f->arena, covey_distribution_member, n_members)};
    out->fake = covey_arena_array(f->arena, uint32_t, (size_t)k + 1);
    out->n_fakes = 0;
    if (!stack || !out->members.member || !out->fake)
        return covey_i_no_memory(err);
    stack[n++] = (struct visit){0, f->values->n + (uint64_t)k, k};
    while (n > 0) {
        const struct visit v = stack[--n];

        n = unfold(out, stack, n, f, &v);
    }
    qsort(out->members.member, out->members.n, sizeof *out->members.member, compare_members);
    qsort(out->fake, out->n_fakes, sizeof *out->fake, covey_i_compare_u32);
    return COVEY_OK;
}

/* The values and the made-up ones together must give the same without any more being made up. */
static covey_status check(const covey_distribution_faked *faked, const struct faking *f, uint32_t k, covey_error *err)
{
    const size_t n = (size_t)f->values->n + k;
    uint32_t *leaf = covey_arena_array(f->arena, uint32_t, n);
    covey_distribution_members members;
    uint32_t fake = 0, value = 0;

    if (!leaf)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n && faked->n_fakes == k; i++)
        leaf[i] = value == f->values->n || (fake < k && faked->fake[fake] < f->values->leaf[value])
                      ? faked->fake[fake++]
                      : f->values->leaf[value++];
    if (faked->n_fakes == k) {
        const covey_distribution_values all = {(uint32_t)n, leaf};

        COVEY_TRY(covey_i_distribution_least_ranges(&members, f->tree, &all, f->arena, err));
        if (members.sum_of_ranges == faked->least[k] && faked->members.sum_of_ranges == faked->least[k])
            return COVEY_OK;
    }
    return covey_fail(err, COVEY_EINTERNAL,
                      "made-up values do not give the sum of ranges that was found: nothing was published");
}

static covey_status solve(covey_distribution_faked *out, struct faking *f, covey_error *err)
{
    covey_distribution_faked faked = {.least = covey_arena_array(f->arena, covey_i128, (size_t)f->most + 1)};
    uint32_t k = 0;

    if (!faked.least)
        return covey_i_no_memory(err);
    COVEY_TRY(ask_all(f, err));
    for (size_t i = f->n; i-- > 0;)
        if (f->asked[i].n_children > 0)
            COVEY_TRY(fill(f, &f->asked[i], err));
    for (uint32_t i = 0; i <= f->most; i++) {
        faked.least[i] = cost(f, &f->asked[0], f->values->n + (uint64_t)i, i);
        k = faked.least[i] < faked.least[k] ? i : k;
    }
    COVEY_TRY(rebuild(&faked, f, k, err));
    COVEY_TRY(check(&faked, f, k, err));
    *out = faked;
    return COVEY_OK;
}

covey_status covey_i_distribution_least_ranges_with_fakes(covey_distribution_faked *out, const covey_target_tree *tree,
                                                          const covey_distribution_values *values, uint32_t most,
                                                          covey_arena *arena, covey_error *err)
{
    struct faking f = {.tree = tree, .values = values, .most = most, .arena = arena};

    if ((uint64_t)values->n + most > UINT32_MAX)
        return covey_i_refuse_param(err, "fakes", "%u values with %u made up are too many for one group", values->n,
                                    most);
    return solve(out, &f, err);
}
