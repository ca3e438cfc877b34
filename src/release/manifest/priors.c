/* How often sensitive values, or combinations of them, are in the whole table: what models compare with. */
#include "release/manifest/json.h"

/* Priors of the views that a model compares with the whole table; jansson keeps the order of insertion. */
void covey_i_manifest_put_priors(covey_json *j, json_t *root, const covey_manifest *m)
{
    const covey_promises *all = &m->problem->promises;
    json_t *prior = NULL;

    for (size_t v = 0; v < all->n_views && !m->release->form->hides_prior; v++) {
        const covey_view *view = &all->view[v];
        bool compared = false;
        json_t *counts;

        for (size_t p = 0; p < all->n; p++)
            compared |= all->promise[p].view == (int)v && (all->promise[p].model->traits & COVEY_MODEL_PRIOR);
        if (!compared || view->joint)
            continue;
        if (!prior && !(prior = json_object())) {
            j->broken = true;
            return;
        }
        counts = json_object();
        for (uint32_t i = 0; i < view->column->n_values; i++)
            if (view->prior->count[i] > 0)
                covey_i_json_put(j, counts, covey_column_label(view->column, i), json_integer(view->prior->count[i]));
        covey_i_json_put(j, prior, view->name, counts);
    }
    if (prior)
        covey_i_json_put(j, root, "prior", prior);
}

void covey_i_manifest_put_joint_prior(covey_json *j, json_t *root, const covey_manifest *m)
{
    const covey_problem *problem = m->problem;
    const covey_promises *all = &problem->promises;
    json_t *attributes, *cells, *joint;
    int wanted = -1;

    for (size_t p = 0; p < all->n; p++)
        if (all->promise[p].joint && (all->promise[p].model->traits & COVEY_MODEL_PRIOR))
            wanted = all->promise[p].view;
    if (wanted < 0)
        return;
    attributes = json_array();
    cells = json_array();
    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role == COVEY_ROLE_SENSITIVE)
            covey_i_json_append(j, attributes, json_string(problem->field[f].column->name));
    for (uint32_t i = 0; i < all->view[wanted].column->n_values; i++) {
        /* The joint dictionary's labels are JSON arrays of the values, see prepare.c in src/job. */
        json_t *values = json_loads(covey_column_label(all->view[wanted].column, i), 0, NULL);

        covey_i_json_append(
            j, cells, json_pack("{s:o,s:I}", "values", values, "count", (json_int_t)all->view[wanted].prior->count[i]));
    }
    joint = json_object();
    covey_i_json_put(j, joint, "attributes", attributes);
    covey_i_json_put(j, joint, "cells", cells);
    covey_i_json_put(j, root, "joint_prior", joint);
}
