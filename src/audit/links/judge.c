/* Does every class keep every promise over units? */
#include <inttypes.h>
#include <string.h>

#include "audit/links/proof.h"
#include "base/error.h"
#include "reader/units.h"
#include "table/histogram.h"
#include "table/table_impl.h"

/* The sensitive column that a promise is about; NULL: it is not about one, or about all jointly. */
static const covey_opened_column *find_sensitive(const covey_link_proof *p, const covey_stated_promise *stated,
                                                 size_t *index)
{
    const covey_opened *o = p->audit->opened;

    for (size_t i = 0; i < o->n_columns && !stated->joint; i++)
        if (o->column[i].stated->role == COVEY_ROLE_SENSITIVE &&
            (!stated->attribute || strcmp(stated->attribute, o->column[i].stated->name) == 0)) {
            *index = i;
            return &o->column[i];
        }
    return NULL;
}

static covey_status add_view(covey_link_proof *p, covey_promise *promise, const covey_opened_column *column,
                             size_t index, covey_error *err)
{
    covey_view *view = &p->promises.view[p->promises.n_views];
    covey_histogram *prior = covey_arena_array_zero(&p->arena, covey_histogram, 1);

    if (!prior)
        return covey_i_no_memory(err);
    *view = (covey_view){.name = column->stated->name,
                         .column = p->original->column[index].column,
                         .tree = column->rebuilt ? column->rebuilt : column->tree,
                         .prior = prior};
    view->has_order = column->stated->n_order > 0 || covey_column_is_number(view->column);
    COVEY_TRY(covey_i_histogram_of(prior, view->column, &p->arena, err));
    promise->view = (int)p->promises.n_views++;
    return COVEY_OK;
}

static covey_status set_params(covey_promise *promise, const covey_stated_promise *stated, covey_arena *arena,
                               covey_error *err)
{
    const covey_model *model = promise->model;
    void *params = covey_arena_alloc_zero(arena, 1, model->params_size ? model->params_size : 1);

    if (!params)
        return covey_i_no_memory(err);
    promise->params = params;
    COVEY_TRY(covey_param_defaults(params, model->params, model->n_params, err));
    for (size_t i = 0; i < stated->n_params; i++)
        COVEY_TRY(covey_param_set(params, model->params, model->n_params, model->name, stated->param_name[i],
                                  stated->param_text[i], err));
    return COVEY_OK;
}

/* The promises over units, with the values of the original.  One on several attributes jointly cannot be proven. */
static covey_status bind_promises(bool *all, covey_link_proof *p, covey_error *err)
{
    const covey_stated *stated = p->audit->stated;
    size_t failed;

    *all = true;
    p->promises.promise = covey_arena_array_zero(&p->arena, covey_promise, stated->n_promises);
    p->promises.view = covey_arena_array_zero(&p->arena, covey_view, stated->n_promises);
    if (!p->promises.promise || !p->promises.view)
        return covey_i_no_memory(err);
    p->promises.min_size = 1;
    for (size_t i = 0; i < stated->n_promises; i++) {
        covey_promise *promise = &p->promises.promise[p->promises.n];
        const covey_opened_column *column;
        size_t index = 0;

        *promise = (covey_promise){.model = covey_model_find(stated->promise[i].model),
                                   .units = stated->promise[i].units,
                                   .view = -1,
                                   .quasi = -1};
        if (!promise->model || promise->units == COVEY_UNITS_ROWS ||
            (p->audit->stated->published_as == &covey_reader_form_sliced && /* whose check proves it */
             (promise->model->traits & COVEY_MODEL_SLICED)) ||
            (!(promise->model->traits & COVEY_MODEL_SENSITIVE) && !promise->model->least_rows))
            continue;
        column = find_sensitive(p, &stated->promise[i], &index);
        if ((promise->model->traits & COVEY_MODEL_SENSITIVE) && !column) {
            *all = false;
            continue;
        }
        COVEY_TRY(set_params(promise, &stated->promise[i], &p->arena, err));
        if (promise->model->traits & COVEY_MODEL_SENSITIVE)
            COVEY_TRY(add_view(p, promise, column, index, err));
        p->promises.n++;
    }
    for (size_t i = 0; i < p->promises.n; i++)
        COVEY_TRY(covey_i_promise_prepare(&p->promises.promise[i], &p->promises, &p->arena, err));
    return covey_i_units_prepare(&failed, &p->promises, &p->units, p->original->n_rows, &p->arena, err);
}

static void compare_facts(covey_link_proof *p, const covey_unit_facts *facts, uint32_t c)
{
    const covey_opened_units *stated = p->audit->opened->units;
    const char *word = p->audit->stated->published_as->word;

    if (!stated)
        return;
    if (stated->n_units[c] != facts->n_units ||
        stated->n_persons[c] != (p->units.within ? facts->n_persons : facts->n_units))
        covey_i_problem(p->problems, "%s, %s %" PRIu32 ": it has other numbers of units than are stated",
                        COVEY_UNITS_TABLE, word, c + 1);
    if (stated->largest[c] < facts->largest)
        covey_i_problem(p->problems, "%s, %s %" PRIu32 ": one of its units has more rows than are stated",
                        COVEY_UNITS_TABLE, word, c + 1);
    else if (stated->largest[c] > facts->largest && covey_i_units_are_counted(&p->promises) &&
             covey_i_units_largest_k(&p->promises) == 0)
        covey_i_problem(p->problems,
                        "%s, %s %" PRIu32 ": none of its units has as many rows as are stated of the largest",
                        COVEY_UNITS_TABLE, word, c + 1);
}

covey_status covey_i_links_judge(covey_link_proof *p, covey_error *err)
{
    const uint32_t n = p->original->n_rows;
    uint32_t *rows = covey_arena_array(&p->arena, uint32_t, n), at = 0;
    covey_unit_judge *judge;

    if (!rows)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_unit_judge_new(&judge, &p->promises, &p->units, &p->arena, err));
    while (at < n) {
        const uint32_t class = p->place[at].class;
        covey_unit_facts facts;
        uint32_t size = 0;
        int broken;

        for (; at < n && p->place[at].class == class; at++)
            rows[size++] = p->place[at].row;
        if (class == 0 && p->audit->stated->n_priors == 0) /* nothing tells of those in none */
            continue;
        COVEY_TRY(covey_i_unit_judge_class(&facts, &broken, judge, rows, size, err));
        if (class > 0)
            compare_facts(p, &facts, class - 1);
        if (broken >= 0 && class > 0)
            covey_i_problem(p->problems, "%s %" PRIu32 " breaks %s over units", p->audit->stated->published_as->word,
                            class, p->promises.promise[broken].model->name);
        else if (broken >= 0)
            covey_i_problem(p->problems,
                            "the suppressed rows, of which the prior tells, break %s over units as one class",
                            p->promises.promise[broken].model->name);
    }
    return COVEY_OK;
}

/* What does not fit the original is the release's fault. */
covey_status covey_i_links_bind(bool *all, covey_link_proof *p, covey_error *err)
{
    covey_error why;
    const covey_status status = bind_promises(all, p, &why);

    if (status == COVEY_EINVAL) {
        covey_i_problem(p->problems, "the promises over units cannot be checked: %s", why.message);
        p->is_wrong = true;
        return COVEY_OK;
    }
    if (status != COVEY_OK && err)
        *err = why;
    return status;
}
