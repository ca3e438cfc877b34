/* Membership: that a person is in the release at all may be what nobody should know.  A class of g rows whose cells cover N people of a
 * population holds each of them with chance g/N.  Regions may overlap: at most is the largest such chance of a person, the estimate
 * their sum, capped at 1.
 *
 * Source: [Nergiz07] (delta-presence). */
#include "attack/attack_impl.h"

#include <math.h>
#include <stdlib.h>

#include "attack/attack_membership.h"
#include "audit/names.h"
#include "audit/point_tree.h"

struct presence {
    covey_attack_points people; /* of the population, by quasi-identifiers */
    double *estimate, *most;    /* [people.n] */
    uint32_t *members;          /* [people.n] rows of the original; NULL: it is not known */
};

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory for a population");
}

/* --- regions --- */

struct counting {
    const covey_point_tree *tree;
    const uint32_t *n_rows; /* of each point */
    const int64_t *in_node;
    int64_t n;
};

static void count(void *context, uint32_t node, uint32_t point)
{
    struct counting *c = context;

    c->n += node != UINT32_MAX ? c->in_node[node] : c->n_rows[point];
}

struct raising {
    double *most, *pending, chance;
};

static void raise_chance(void *context, uint32_t node, uint32_t point)
{
    struct raising *r = context;

    if (node != UINT32_MAX)
        r->pending[node] = fmax(r->pending[node], r->chance);
    else
        r->most[point] = fmax(r->most[point], r->chance);
}

/* What was told of nodes goes down to their points. */
static void settle(double *most, double *pending, const covey_point_tree *tree)
{
    for (uint32_t number = 0; number < tree->n_nodes; number++) {
        const covey_point_node *node = &tree->node[number];

        if (node->right) {
            pending[number + 1] = fmax(pending[number + 1], pending[number]);
            pending[node->right] = fmax(pending[node->right], pending[number]);
        } else {
            for (uint32_t i = node->begin; i < node->end; i++)
                most[tree->point[i]] = fmax(most[tree->point[i]], pending[number]);
        }
    }
}

static covey_status look_at_classes(struct presence *p, const covey_attacked *r, covey_arena *arena, covey_error *err)
{
    const covey_opened *opened = r->population_view;
    const covey_cover **box = covey_arena_array(arena, const covey_cover *, opened->n_quasi);
    covey_point_tree tree;
    double *sum_pending, *most_pending;
    int64_t *in_node;

    COVEY_TRY(covey_i_point_tree_build(&tree, p->people.coordinate, p->people.n, opened->n_quasi, arena, err));
    sum_pending = covey_arena_array_zero(arena, double, tree.n_nodes);
    most_pending = covey_arena_array_zero(arena, double, tree.n_nodes);
    in_node = covey_arena_array_zero(arena, int64_t, tree.n_nodes);
    if (!box || !sum_pending || !most_pending || !in_node)
        return no_memory(err);
    for (uint32_t n = 0; n < tree.n_nodes; n++)
        for (uint32_t i = tree.node[n].begin; i < tree.node[n].end; i++)
            in_node[n] += p->people.n_rows[tree.point[i]];
    for (uint32_t c = 0; c < opened->n_classes; c++) {
        const int64_t size = (int64_t)opened->class_start[c + 1] - opened->class_start[c];
        struct counting people = {&tree, p->people.n_rows, in_node, 0};
        struct raising raising = {p->most, most_pending, 0};

        for (size_t q = 0; q < opened->n_quasi; q++)
            box[q] = &r->population->column[opened->quasi[q]].cover[opened->column[opened->quasi[q]].class_cell[c]];
        covey_i_point_tree_visit(&tree, box, count, &people);
        if (people.n < size)
            return covey_fail(err, COVEY_EINVAL, "%s does not hold the people of the release: class %u has %lld rows, but only %lld people fit its cells",
                              r->options->population, c + 1, (long long)size, (long long)people.n);
        raising.chance = (double)size / (double)people.n;
        covey_i_point_tree_add(p->estimate, sum_pending, &tree, box, raising.chance);
        covey_i_point_tree_visit(&tree, box, raise_chance, &raising);
    }
    covey_i_point_tree_settle(p->estimate, sum_pending, &tree);
    settle(p->most, most_pending, &tree);
    for (uint32_t i = 0; i < p->people.n; i++)
        p->estimate[i] = fmin(1, p->estimate[i]);
    return COVEY_OK;
}

/* --- who is a member --- */

/* The population's code of each value of a column of the original. */
static covey_status map_codes(uint32_t *map, const covey_column *from, const covey_column *to, covey_arena *arena, covey_error *err)
{
    covey_names names;

    COVEY_TRY(covey_i_names_init(&names, to->n_values, arena, err));
    for (uint32_t v = 0; v < to->n_values; v++) {
        uint32_t number;

        COVEY_TRY(covey_i_names_add(&number, &names, covey_column_label(to, v), err));
    }
    for (uint32_t v = 0; v < from->n_values; v++)
        map[v] = covey_i_names_find(&names, covey_column_label(from, v));
    return COVEY_OK;
}

static uint32_t find_people(const covey_attack_points *people, const uint32_t *coordinate)
{
    uint32_t low = 0, high = people->n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2, *at = people->coordinate + (size_t)middle * people->n_dims;
        size_t q = 0;

        while (q < people->n_dims && at[q] == coordinate[q])
            q++;
        if (q == people->n_dims)
            return middle;
        if (at[q] < coordinate[q])
            low = middle + 1;
        else
            high = middle;
    }
    return UINT32_MAX;
}

static covey_status find_members(struct presence *p, covey_attacked *r, covey_arena *arena, covey_error *err)
{
    const size_t n_dims = p->people.n_dims;
    const covey_attack_points *points;
    uint32_t **map = covey_arena_array(arena, uint32_t *, n_dims), *coordinate = covey_arena_array(arena, uint32_t, n_dims);

    COVEY_TRY(covey_i_attack_points_of(&points, r, err));
    p->members = covey_arena_array_zero(arena, uint32_t, p->people.n);
    if (!map || !coordinate || !p->members)
        return no_memory(err);
    for (size_t q = 0; q < n_dims; q++) {
        if (!(map[q] = covey_arena_array(arena, uint32_t, covey_i_attack_quasi(r, q)->n_values)))
            return no_memory(err);
        COVEY_TRY(map_codes(map[q], covey_i_attack_quasi(r, q), r->population->column[r->opened->quasi[q]].column, arena, err));
    }
    for (uint32_t i = 0; i < points->n; i++) {
        uint32_t at;

        for (size_t q = 0; q < n_dims; q++)
            coordinate[q] = map[q][points->coordinate[i * n_dims + q]];
        if ((at = find_people(&p->people, coordinate)) != UINT32_MAX)
            p->members[at] = points->n_rows[i] < p->people.n_rows[at] ? points->n_rows[i] : p->people.n_rows[at];
    }
    return COVEY_OK;
}

struct scored {
    double score;
    uint32_t members, others;
};

static int by_score(const void *a, const void *b)
{
    const double x = ((const struct scored *)a)->score, y = ((const struct scored *)b)->score;

    return (x > y) - (x < y);
}

/* The chance that a member's estimate is above a non-member's, equal ones half. */
static covey_status find_auc(double *out, const struct presence *p, covey_arena *arena, covey_error *err)
{
    struct scored *all = covey_arena_array(arena, struct scored, p->people.n);
    double members = 0, others = 0, wins = 0;

    if (!all)
        return no_memory(err);
    for (uint32_t i = 0; i < p->people.n; i++)
        all[i] = (struct scored){p->estimate[i], p->members[i], p->people.n_rows[i] - p->members[i]};
    qsort(all, p->people.n, sizeof *all, by_score);
    for (uint32_t i = 0, end; i < p->people.n; i = end) {
        double own = 0, other = 0;

        for (end = i; end < p->people.n && !(all[end].score > all[i].score); end++) {
            own += all[end].members;
            other += all[end].others;
        }
        wins += own * (others + other / 2);
        members += own;
        others += other;
    }
    *out = members > 0 && others > 0 ? wins / members / others : NAN;
    return COVEY_OK;
}

/* --- results --- */

static covey_status report(covey_attack_maker *out, const struct presence *p, const covey_attacked *r, covey_arena *arena, covey_error *err)
{
    const covey_ratio limit = r->options->delta_max;
    double most = 0, sum = 0, members = 0, sure = 0, auc = NAN;

    for (uint32_t i = 0; i < p->people.n; i++) {
        const double n = p->members ? p->members[i] : 0;

        most = fmax(most, p->most[i]);
        members += n;
        sum += n * p->estimate[i];
        sure += n * (p->most[i] >= 0.9);
    }
    if (p->members)
        COVEY_TRY(find_auc(&auc, p, arena, err));
    out->result.figure = most;
    if (limit.den > 0) {
        out->result.bound = covey_ratio_value(limit);
        out->result.verdict = most <= out->result.bound ? COVEY_ATTACK_SAFE : COVEY_ATTACK_EXCEEDS;
    }
    out->result.prior = (double)r->opened->n_rows / (double)r->population->n_rows;
    covey_i_attack_number(out, "mean", members > 0 ? sum / members : NAN);
    covey_i_attack_number(out, "sure_share", members > 0 ? sure / members : NAN);
    covey_i_attack_number(out, "auc", auc);
    covey_i_attack_integer(out, "population", r->population->n_rows);
    covey_i_attack_words(out, "Of somebody in the population it can be told with a chance of up to %.3g%% that the person is in the release; without it, of "
                              "%.3g%%.",
                         100 * most, 100 * out->result.prior);
    return COVEY_OK;
}

static void report_lookup(covey_attack_maker *out, const covey_attacked *r)
{
    out->result.figure = 1;
    if (r->options->delta_max.den > 0) {
        out->result.bound = covey_ratio_value(r->options->delta_max);
        out->result.verdict = out->result.bound < 1 ? COVEY_ATTACK_EXCEEDS : COVEY_ATTACK_SAFE;
    }
    covey_i_attack_words(out, "No membership protection: the quasi-identifiers are published as they are, so that presence is looked up.");
}

static covey_status run(covey_attack_maker *out, covey_attacked *r, covey_attack_target *none, covey_arena *arena, covey_error *err)
{
    struct presence p = {0};
    const covey_column **column = covey_arena_array(arena, const covey_column *, r->opened->n_quasi);

    if (!column)
        return no_memory(err);
    if (r->form == COVEY_ATTACKED_SLICED)
        return covey_i_attack_sliced_membership(out, r, arena, err);
    if (r->form != COVEY_ATTACKED_GENERALIZED) {
        report_lookup(out, r);
        return COVEY_OK;
    }
    for (size_t q = 0; q < r->opened->n_quasi; q++)
        column[q] = r->population->column[r->opened->quasi[q]].column;
    COVEY_TRY(covey_i_attack_points_make(&p.people, column, r->opened->n_quasi, r->population->n_rows, arena, err));
    p.estimate = covey_arena_array_zero(arena, double, p.people.n);
    p.most = covey_arena_array_zero(arena, double, p.people.n);
    if (!p.estimate || !p.most)
        return no_memory(err);
    if (p.people.n == 0)
        return covey_fail(err, COVEY_EINVAL, "%s holds nobody", r->options->population);
    COVEY_TRY(look_at_classes(&p, r, arena, err));
    if (r->original)
        COVEY_TRY(find_members(&p, r, arena, err));
    return report(out, &p, r, arena, err);
}

const covey_attack covey_attack_membership = {
    .name = "membership",
    .summary = "asks who of a population is in the release",
    .figure = "largest chance that a person is in it; sliced: that a row matches more buckets than a fake",
    .level = "A1",
    .source = "Nergiz07, section 3",
    .forms = COVEY_ATTACKED_WITH_CLASSES | COVEY_ATTACKED_PERTURBED,
    .needs = COVEY_ATTACK_NEEDS_POPULATION, .needs_of_sliced = COVEY_ATTACK_NEEDS_ORIGINAL,
    .run = run,
};
