/* Units of a generalized release without the publisher's list: kinds of rows are what is published of them beside the
 * quasi-identifiers, and a class holds the points of its box. */
#include "audit/generalized/faithful.h"

#include "audit/content_keys.h"
#include "audit/whole/question.h"
#include "base/error.h"
#include "reader/points/points.h"
#include "reader/points/tree.h"
#include "table/table_impl.h"

struct boxes {
    covey_points points;
    covey_point_tree tree;
    const covey_cover **box; /* [n_quasi] of the class that is asked about */
};

struct visiting {
    const struct boxes *boxes;
    void (*see)(void *context, uint32_t point);
    void *context;
};

static void visit_node(void *context, uint32_t node, uint32_t point)
{
    const struct visiting *v = context;
    const covey_point_tree *tree = &v->boxes->tree;

    if (point != UINT32_MAX) {
        v->see(v->context, point);
        return;
    }
    for (uint32_t i = tree->node[node].begin; i < tree->node[node].end; i++)
        v->see(v->context, tree->point[i]);
}

static void visit(const covey_whole_question *q, uint32_t class, void (*see)(void *context, uint32_t point),
                  void *context)
{
    struct boxes *boxes = q->of_form;
    const covey_opened *o = q->proof->audit->opened;
    struct visiting v = {boxes, see, context};

    for (size_t i = 0; i < o->n_quasi; i++)
        boxes->box[i] = &q->proof->original->column[o->quasi[i]].cover[o->column[o->quasi[i]].class_cell[class - 1]];
    covey_i_point_tree_visit(&boxes->tree, boxes->box, visit_node, &v);
}

static covey_status make_boxes(covey_whole_question *q, covey_error *err)
{
    const covey_opened *o = q->proof->audit->opened;
    struct boxes *boxes = covey_arena_array_zero(q->arena, struct boxes, 1);
    const covey_column **column = covey_arena_array(q->arena, const covey_column *, o->n_quasi);

    if (!boxes || !column || !(boxes->box = covey_arena_array(q->arena, const covey_cover *, o->n_quasi)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < o->n_quasi; i++)
        column[i] = q->proof->original->column[o->quasi[i]].column;
    COVEY_TRY(covey_i_points_make(&boxes->points, column, o->n_quasi, q->proof->original->n_rows, q->arena, err));
    q->n_points = boxes->points.n;
    q->point_start = boxes->points.start;
    q->point_row = boxes->points.row;
    q->visit = visit;
    q->of_form = boxes;
    return covey_i_point_tree_build(&boxes->tree, boxes->points.coordinate, boxes->points.n, o->n_quasi, q->arena, err);
}

covey_status covey_i_generalized_ask(covey_whole_question *q, covey_error *err)
{
    const covey_opened *o = q->proof->audit->opened;
    const uint32_t n_rows = q->proof->original->n_rows;
    uint32_t *column = covey_arena_array(q->arena, uint32_t, o->n_columns);
    covey_key_side published, from;
    size_t n = 0;

    q->kind = covey_arena_array(q->arena, uint32_t, n_rows);
    q->wanted_class = covey_arena_array(q->arena, uint32_t, o->n_rows);
    q->wanted_kind = covey_arena_array(q->arena, uint32_t, o->n_rows);
    q->wanted_rows = covey_arena_array(q->arena, int64_t, o->n_rows);
    if (!column || !q->kind || !q->wanted_class || !q->wanted_kind || !q->wanted_rows)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < o->n_columns; i++)
        if (o->column[i].stated->role != COVEY_ROLE_QUASI)
            column[n++] = (uint32_t)i;
    COVEY_TRY(covey_i_content_keys(&published, &from, o, q->proof->original, column, n, q->arena, err));
    q->n_each = 1;
    q->n_kinds = (uint32_t)covey_i_content_renumber(&published, &from);
    for (uint32_t row = 0; row < n_rows; row++)
        q->kind[row] = (uint32_t)from.key[row];
    for (uint32_t c = 0; c < o->n_classes; c++)
        for (uint32_t row = o->class_start[c]; row < o->class_start[c + 1]; row++) {
            q->wanted_class[q->n_wanted] = c + 1;
            q->wanted_kind[q->n_wanted] = (uint32_t)published.key[row];
            q->wanted_rows[q->n_wanted++] = 1;
        }
    return make_boxes(q, err);
}
