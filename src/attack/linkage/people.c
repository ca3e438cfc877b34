/* Reading a population. */
#include "attack/linkage/people.h"

#include "base/error.h"
#include "base/plural.h"
#include "reader/generalized/counterfeits.h"
#include "reader/units.h"

covey_status covey_i_attack_people_make(covey_attack_people *out, const covey_attacked *r, covey_arena *arena,
                                        covey_error *err)
{
    const covey_opened *opened = r->population_view;
    const covey_column **column = covey_arena_array(arena, const covey_column *, opened->n_quasi);
    covey_attack_people p = {.n = (int64_t)r->population->n_rows + r->population->n_outside,
                             .box = covey_arena_array(arena, const covey_cover *, opened->n_quasi),
                             .coordinate = covey_arena_array(arena, uint32_t, opened->n_quasi)};

    if (!column || !p.box || !p.coordinate)
        return covey_i_no_memory(err);
    for (size_t q = 0; q < opened->n_quasi; q++)
        column[q] = r->population->column[opened->quasi[q]].column;
    COVEY_TRY(covey_i_points_make(&p.points, column, opened->n_quasi, r->population->n_rows, arena, err));
    if (p.points.n == 0)
        return covey_fail(
            err, COVEY_EINVAL, "%s holds nobody%s", r->options->population,
            p.n > 0 ? " whom the release could hold: no row of it has values that fit the release's columns" : "");
    COVEY_TRY(covey_i_point_tree_build(&p.tree, p.points.coordinate, p.points.n, opened->n_quasi, arena, err));
    if (!(p.in_node = covey_arena_array_zero(arena, int64_t, p.tree.n_nodes)))
        return covey_i_no_memory(err);
    for (uint32_t n = 0; n < p.tree.n_nodes; n++)
        for (uint32_t i = p.tree.node[n].begin; i < p.tree.node[n].end; i++)
            p.in_node[n] += p.points.n_rows[p.tree.point[i]];
    *out = p;
    return COVEY_OK;
}

struct counting {
    const covey_attack_people *people;
    int64_t n;
};

static void count(void *context, uint32_t node, uint32_t point)
{
    struct counting *c = context;

    c->n += node != UINT32_MAX ? c->people->in_node[node] : c->people->points.n_rows[point];
}

int64_t covey_i_attack_people_in_class(const covey_attacked *r, uint32_t class)
{
    return r->opened->units ? r->opened->units->n_persons[class]
                            : (int64_t)r->opened->class_start[class + 1] - r->opened->class_start[class] -
                                  covey_i_counterfeits_of(r->opened, class);
}

covey_status covey_i_attack_people_of_class(int64_t *n, covey_attack_people *p, const covey_attacked *r, uint32_t class,
                                            covey_error *err)
{
    const covey_opened *opened = r->population_view;
    const int64_t size = covey_i_attack_people_in_class(r, class);
    struct counting counting = {p, 0};

    for (size_t q = 0; q < opened->n_quasi; q++)
        p->box[q] = &r->population->column[opened->quasi[q]].cover[opened->column[opened->quasi[q]].class_cell[class]];
    covey_i_point_tree_visit(&p->tree, p->box, count, &counting);
    if (counting.n < size)
        return covey_fail(
            err, COVEY_EINVAL,
            "%s does not hold the people of the release: class %u has %lld %s%s, but only %lld %s its cells",
            r->options->population, class + 1, (long long)size, r->opened->units ? "person" : "row",
            covey_i_plural(size), (long long)counting.n, counting.n == 1 ? "person fits" : "people fit");
    *n = counting.n;
    return COVEY_OK;
}

covey_status covey_i_attack_people_like(int64_t *n, covey_attack_people *p, const covey_attacked *r, uint32_t row,
                                        int64_t n_rows, covey_error *err)
{
    const covey_opened *opened = r->population_view;
    uint32_t at = 0;

    for (size_t q = 0; q < opened->n_quasi; q++) {
        const uint32_t i = opened->quasi[q];

        p->coordinate[q] = r->population->column[i].value_of_cell[covey_i_code_at(opened->column[i].text, row)];
    }
    at = covey_i_points_find(&p->points, p->coordinate);
    *n = at == UINT32_MAX ? 0 : p->points.n_rows[at];
    if (*n < n_rows)
        return covey_fail(err, COVEY_EINVAL,
                          "%s does not hold the people of the release: %lld rows are alike, but only %lld %s like them",
                          r->options->population, (long long)n_rows, (long long)*n,
                          *n == 1 ? "person is" : "people are");
    return COVEY_OK;
}
