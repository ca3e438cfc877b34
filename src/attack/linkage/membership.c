/* Membership: that a person is in the release at all may be what nobody should know.  A class of g rows whose cells
 * cover N people of a population holds each of them with chance g/N.  Regions may overlap: at most is the largest such
 * chance of a person, the estimate their sum, capped at 1.  People with values that no row of the release can have
 * (ages beyond its domain, towns that its hierarchy does not list) have chance 0; they count among those who are not in
 * it.
 *
 * Source: [Nergiz07] (delta-presence). */
#include "attack/attack_impl.h"

#include <math.h>
#include <stdlib.h>

#include "attack/linkage/membership.h"
#include "attack/linkage/people.h"
#include "base/error.h"
#include "reader/names.h"
#include "reader/units.h"

struct presence {
    covey_attack_people people;
    double *estimate, *most; /* [people.points.n] */
    uint32_t *members;       /* [people.points.n] rows of the original; NULL: it is not known */
    int64_t n_members_out;   /* those whose values no published row can have: they were suppressed */
};

/* --- regions --- */

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
    const covey_point_tree *tree = &p->people.tree;
    double *sum_pending = covey_arena_array_zero(arena, double, tree->n_nodes),
           *most_pending = covey_arena_array_zero(arena, double, tree->n_nodes);

    if (!sum_pending || !most_pending)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < opened->n_classes; c++) {
        struct raising raising = {p->most, most_pending, 0};
        int64_t n;

        COVEY_TRY(covey_i_attack_people_of_class(&n, &p->people, r, c, err));
        raising.chance = (double)covey_i_attack_people_in_class(r, c) / (double)n;
        covey_i_point_tree_add(p->estimate, sum_pending, tree, p->people.box, raising.chance);
        covey_i_point_tree_visit(tree, p->people.box, raise_chance, &raising);
    }
    covey_i_point_tree_settle(p->estimate, sum_pending, tree);
    settle(p->most, most_pending, tree);
    for (uint32_t i = 0; i < p->people.points.n; i++)
        p->estimate[i] = fmin(1, p->estimate[i]);
    return COVEY_OK;
}

/* --- who is a member --- */

/* The population's code of each value of a column of the original. */
static covey_status map_codes(uint32_t *map, const covey_column *from, const covey_column *to, covey_arena *arena,
                              covey_error *err)
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

static covey_status find_members(struct presence *p, covey_attacked *r, covey_arena *arena, covey_error *err)
{
    const covey_points *people = &p->people.points;
    const covey_stated *stated = r->opened->stated;
    const size_t n_dims = people->n_dims;
    const covey_points *points;
    int64_t most_out;
    uint32_t **map = covey_arena_array(arena, uint32_t *, n_dims),
             *coordinate = covey_arena_array(arena, uint32_t, n_dims);

    COVEY_TRY(covey_i_attack_points_of(&points, r, err));
    p->members = covey_arena_array_zero(arena, uint32_t, people->n);
    if (!map || !coordinate || !p->members)
        return covey_i_no_memory(err);
    for (size_t q = 0; q < n_dims; q++) {
        if (!(map[q] = covey_arena_array(arena, uint32_t, covey_i_attack_quasi(r, q)->n_values)))
            return covey_i_no_memory(err);
        COVEY_TRY(map_codes(map[q], covey_i_attack_quasi(r, q), r->population->column[r->opened->quasi[q]].column,
                            arena, err));
    }
    for (uint32_t i = 0; i < points->n; i++) {
        uint32_t at;

        for (size_t q = 0; q < n_dims; q++)
            coordinate[q] = map[q][points->coordinate[i * n_dims + q]];
        if ((at = covey_i_points_find(people, coordinate)) != UINT32_MAX)
            p->members[at] = points->n_rows[i] < people->n_rows[at] ? points->n_rows[i] : people->n_rows[at];
        else
            p->n_members_out += points->n_rows[i];
    }
    /* More are people whom the population lacks. */
    most_out = r->population->n_outside < stated->n_suppressed ? r->population->n_outside : stated->n_suppressed;
    if (p->n_members_out > most_out)
        p->n_members_out = most_out;
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

/* Sums of the same chances in another order differ in their last bits. */
static bool is_tied(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(a, b);
}

/* The chance that a member's estimate is above a non-member's, equal ones half.  Whom the release cannot hold has
 * chance 0. */
static covey_status find_auc(double *out, const struct presence *p, int64_t n_outside, covey_arena *arena,
                             covey_error *err)
{
    const covey_points *people = &p->people.points;
    struct scored *all = covey_arena_array(arena, struct scored, people->n);
    const double members_out = (double)p->n_members_out, others_out = (double)n_outside - members_out;
    double members = members_out, others = others_out, wins = members_out * others_out / 2;

    if (!all)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < people->n; i++)
        all[i] = (struct scored){p->estimate[i], p->members[i], people->n_rows[i] - p->members[i]};
    qsort(all, people->n, sizeof *all, by_score);
    for (uint32_t i = 0, end; i < people->n; i = end) {
        double own = 0, other = 0;

        for (end = i; end < people->n && is_tied(all[end].score, all[i].score); end++) {
            own += all[end].members;
            other += all[end].others;
        }
        /* those outside stand beside the others with no chance */
        wins += own * (others + other / 2);
        if (!(all[i].score > 0))
            wins += members_out * other / 2 - own * others_out / 2;
        members += own;
        others += other;
    }
    *out = members > 0 && others > 0 ? wins / members / others : NAN;
    return COVEY_OK;
}

/* --- results --- */

static covey_status report(covey_attack_maker *out, const struct presence *p, const covey_attacked *r,
                           covey_arena *arena, covey_error *err)
{
    const covey_ratio limit = r->options->delta_max;
    double most = 0, sum = 0, members = (double)p->n_members_out, sure = 0, auc = NAN, in_release = 0;

    for (uint32_t i = 0; i < p->people.points.n; i++) {
        const double n = p->members ? p->members[i] : 0;

        most = fmax(most, p->most[i]);
        members += n;
        sum += n * p->estimate[i];
        sure += n * (p->most[i] >= 0.9);
    }
    if (p->members)
        COVEY_TRY(find_auc(&auc, p, r->population->n_outside, arena, err));
    out->result.figure = most;
    if (limit.den > 0) {
        out->result.bound = covey_ratio_value(limit);
        out->result.verdict = most <= out->result.bound ? COVEY_ATTACK_SAFE : COVEY_ATTACK_EXCEEDS;
    }
    for (uint32_t c = 0; c < r->opened->n_classes; c++)
        in_release += (double)covey_i_attack_people_in_class(r, c);
    out->result.prior = in_release / (double)p->people.n;
    covey_i_attack_number(out, "mean", members > 0 ? sum / members : NAN);
    covey_i_attack_number(out, "sure_share", members > 0 ? sure / members : NAN);
    covey_i_attack_number(out, "auc", auc);
    covey_i_attack_integer(out, "population", p->people.n);
    covey_i_attack_integer(out, "outside", r->population->n_outside);
    covey_i_attack_words(out, "%s %.3g%% that it is in the release; without it, of %.3g%%.",
                         r->opened->units ? "Of a person of the population it can be told with a chance of up to"
                                          : "Of a row of the population it can be told with a chance of up to",
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
    covey_i_attack_words(
        out,
        "No membership protection: the quasi-identifiers are published as they are, so that presence is looked up.");
}

static covey_status run(covey_attack_maker *out, covey_attacked *r, covey_attack_target *none, covey_arena *arena,
                        covey_error *err)
{
    struct presence p = {0};

    if (r->form == COVEY_ATTACKED_SLICED)
        return covey_i_attack_sliced_membership(out, r, arena, err);
    if (r->form != COVEY_ATTACKED_GENERALIZED) {
        report_lookup(out, r);
        return COVEY_OK;
    }
    if (r->opened->units)
        COVEY_TRY(covey_i_opened_units_check(r->opened, err));
    COVEY_TRY(covey_i_attack_people_make(&p.people, r, arena, err));
    p.estimate = covey_arena_array_zero(arena, double, p.people.points.n);
    p.most = covey_arena_array_zero(arena, double, p.people.points.n);
    if (!p.estimate || !p.most)
        return covey_i_no_memory(err);
    COVEY_TRY(look_at_classes(&p, r, arena, err));
    if (r->original && !r->opened->units) /* a person of several rows is not found by one */
        COVEY_TRY(find_members(&p, r, arena, err));
    return report(out, &p, r, arena, err);
}

const covey_attack covey_attack_membership = {
    .name = "membership",
    .summary = "asks who of a population is in the release",
    .figure = "largest chance that a row is in it; sliced: that a row matches more buckets than a fake",
    .level = "A1",
    .source = "Nergiz07, section 3",
    .forms = COVEY_ATTACKED_WITH_CLASSES | COVEY_ATTACKED_PERTURBED,
    .needs = COVEY_ATTACK_NEEDS_POPULATION,
    .needs_of_sliced = COVEY_ATTACK_NEEDS_ORIGINAL,
    .of_joined = true,
    .over = COVEY_ATTACK_OVER_PERSONS,
    .run = run,
};
