/* Views of the sensitive attributes, from published tables and stated priors. */
#include "reader/views/views.h"

#include <inttypes.h>
#include <string.h>

#include "base/codes.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/text.h"
#include "reader/form_impl.h"
#include "reader/names.h"
#include "table/table_impl.h"

/* What a joint prior says about one of its attributes alone. */
static covey_status make_marginal(const covey_stated_prior **out, const covey_stated_joint *joint, size_t a,
                                  covey_arena *arena, covey_error *err)
{
    covey_stated_prior *prior = covey_arena_array_zero(arena, covey_stated_prior, 1);
    int64_t *count = covey_arena_array_zero(arena, int64_t, joint->n_cells);
    covey_names names;

    if (!prior || !count)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_names_init(&names, 16, arena, err));
    for (size_t i = 0; i < joint->n_cells; i++) {
        uint32_t value;

        COVEY_TRY(covey_i_names_add(&value, &names, joint->value[i * joint->n_attributes + a], err));
        count[value] += joint->count[i];
    }
    *prior = (covey_stated_prior){joint->attribute[a], names.n, names.text, count};
    *out = prior;
    return COVEY_OK;
}

/* The stated prior of an attribute, or what follows from the joint one; NULL if there is neither. */
static covey_status find_prior(const covey_stated_prior **out, const covey_stated *stated, const char *attribute,
                               covey_arena *arena, covey_error *err)
{
    int own = covey_i_stated_prior(stated, attribute);

    *out = NULL;
    if (own >= 0) {
        *out = &stated->prior[own];
        return COVEY_OK;
    }
    for (size_t a = 0; a < stated->joint.n_attributes; a++)
        if (strcmp(stated->joint.attribute[a], attribute) == 0)
            return make_marginal(out, &stated->joint, a, arena, err);
    return COVEY_OK;
}

/* Entries that stand for a row each: cells are counted first, then values. */
static covey_status count_cells(covey_opened_view *view, uint32_t n_entries, covey_arena *arena, covey_error *err)
{
    const uint32_t n = view->text->n_values;
    uint32_t *count = covey_arena_array_zero(arena, uint32_t, n);

    if (!count)
        return covey_i_no_memory(err);
    covey_i_codes_count(count, view->text->codes, view->text->width, n_entries);
    for (uint32_t i = 0; i < n; i++)
        if (count[i] > 0)
            covey_i_histogram_add(&view->published, view->value_of_cell[i], count[i]);
    return COVEY_OK;
}

static covey_status count_published(covey_opened_view *view, const covey_opened *opened, covey_arena *arena,
                                    covey_error *err)
{
    const covey_opened_groups *groups = &opened->groups;

    COVEY_TRY(covey_i_histogram_new(&view->published, view->dictionary->n_values, arena, err));
    if (view->count) {
        for (uint32_t i = 0; i < view->text->n_values; i++)
            covey_i_histogram_add(&view->published, view->value_of_cell[i], view->count[i]);
        return COVEY_OK;
    }
    if (!view->joint && !groups->count)
        return count_cells(view, groups->start[groups->n], arena, err);
    for (uint32_t e = 0; e < groups->start[groups->n]; e++)
        covey_i_histogram_add(&view->published, covey_i_view_value(view, e), covey_i_rows_of_entry(groups, e));
    return COVEY_OK;
}

/* A prior counts all input rows: each value at least as often as it is published, together as many as there are rows.
 */
static void check_prior(covey_opened_view *view, const covey_opened *opened, covey_problems *problems)
{
    const covey_stated *stated = opened->stated;

    if (view->prior.total != stated->n_rows) {
        covey_i_problem(problems,
                        "manifest.json: the prior of \"%s\" counts %" PRId64
                        " row%s, but published and suppressed rows are %" PRId64,
                        view->name, view->prior.total, covey_i_plural(view->prior.total), stated->n_rows);
        view->usable = false;
    }
    for (uint32_t v = 0; v < view->dictionary->n_values && !stated->published_as->is_random; v++)
        if (view->prior.count[v] < view->published.count[v]) {
            covey_i_problem(problems,
                            "manifest.json: the prior of \"%s\" counts a value less often than it is published",
                            view->name);
            view->usable = false;
            break;
        }
}

static covey_status finish(covey_opened_view *view, const covey_opened *opened, covey_problems *problems,
                           covey_arena *arena, covey_error *err)
{
    if (!view->usable)
        return COVEY_OK;
    COVEY_TRY(count_published(view, opened, arena, err));
    if (view->has_prior)
        check_prior(view, opened, problems);
    else
        view->prior = view->published;
    return COVEY_OK;
}

static const char *joint_name(const covey_opened_view *single, size_t n, covey_arena *arena)
{
    covey_text text = COVEY_TEXT_INIT;

    for (size_t i = 0; i < n; i++) {
        covey_i_text_add_string(&text, i ? ", " : "");
        covey_i_text_add_string(&text, single[i].name);
    }
    return covey_i_text_keep(&text, arena);
}

static covey_status make_joint(covey_opened_views *views, const covey_opened *opened, covey_problems *problems,
                               covey_arena *arena, covey_error *err)
{
    covey_opened_view *view = &views->view[views->n_sensitive];

    view->joint = view->usable = true;
    if (!(view->name = joint_name(views->view, views->n_sensitive, arena)))
        return covey_i_no_memory(err);
    views->n++;
    for (size_t i = 0; i < views->n_sensitive; i++)
        view->usable &= views->view[i].usable;
    if (view->usable)
        COVEY_TRY(covey_i_view_join(view, views->view, views->n_sensitive, opened, problems, arena, err));
    return finish(view, opened, problems, arena, err);
}

/* A prior must be about a sensitive column. */
static void check_attributes(const covey_opened *opened, covey_problems *problems)
{
    for (size_t i = 0; i < opened->stated->n_priors; i++) {
        int column = covey_i_stated_column(opened->stated, opened->stated->prior[i].attribute);

        if (column < 0 || opened->stated->column[column].role != COVEY_ROLE_SENSITIVE)
            covey_i_problem(problems, "manifest.json: there is a prior of \"%s\", which is not a sensitive column",
                            opened->stated->prior[i].attribute);
    }
}

covey_status covey_i_views_make(covey_opened_views *out, const covey_opened *opened, bool wants_joint,
                                covey_problems *problems, covey_arena *arena, covey_error *err)
{
    *out = (covey_opened_views){.view = covey_arena_array_zero(arena, covey_opened_view, opened->n_columns + 1)};
    if (!out->view)
        return covey_i_no_memory(err);
    check_attributes(opened, problems);
    for (size_t i = 0; i < opened->n_columns; i++) {
        const covey_opened_column *column = &opened->column[i];
        covey_opened_view *view = &out->view[out->n];
        const covey_stated_prior *prior;

        if (column->stated->role != COVEY_ROLE_SENSITIVE)
            continue;
        out->n++;
        out->n_sensitive++;
        view->name = column->stated->name;
        view->usable = column->usable;
        COVEY_TRY(find_prior(&prior, opened->stated, view->name, arena, err));
        if (view->usable)
            COVEY_TRY(covey_i_view_values(view, column, opened->stated, prior, problems, arena, err));
        COVEY_TRY(finish(view, opened, problems, arena, err));
    }
    if (out->n_sensitive > 1 && (wants_joint || opened->stated->joint.n_attributes > 0))
        return make_joint(out, opened, problems, arena, err);
    if (opened->stated->joint.n_attributes > 0 && out->n_sensitive < 2)
        covey_i_problem(problems, "manifest.json: there is a joint_prior, but not two sensitive columns");
    return COVEY_OK;
}

void covey_i_views_clear(covey_opened_views *views)
{
    for (size_t i = 0; i < views->n; i++)
        covey_i_column_free(views->view[i].dictionary);
    *views = (covey_opened_views){0};
}
