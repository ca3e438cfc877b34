/* The columns' parts in the problem: fields, and an axis with domain and weight for each quasi-identifier. */
#include "job/preparing.h"

#include "base/error.h"
#include "hierarchy/hierarchy_impl.h"
#include "release/manifest/hierarchy_json.h"

static covey_status make_axis(covey_axis *axis, const covey_preparing *s, size_t c, covey_error *err)
{
    static const covey_wish_attribute nothing;
    const covey_wish_attribute *wish = s->wish[c] ? s->wish[c] : &nothing;
    covey_axis_kind kind = s->p->tree[c]                             ? COVEY_AXIS_TREE
                           : covey_column_is_number(s->p->column[c]) ? COVEY_AXIS_RANGE
                                                                     : COVEY_AXIS_FLAT;

    axis->column = s->p->column[c];
    axis->weight = wish->has_weight ? wish->weight : (covey_ratio){1, 1};
    axis->domain_low = 1; /* low > high: the data's */
    axis->domain_high = 0;
    axis->is_declared = wish->has_domain && kind == COVEY_AXIS_RANGE;
    if (wish->publish_range && kind != COVEY_AXIS_RANGE)
        return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name,
                             wish->column, "publish: range needs a number or a date, but \"%s\" is text", wish->name);
    if (axis->is_declared)
        COVEY_TRY(covey_i_preparing_set_domain(axis, s, wish, err));
    else if (wish->has_domain && !covey_column_is_number(s->p->column[c]))
        return covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name,
                             wish->column, "domain needs a number or a date, but \"%s\" is text", wish->name);
    return covey_i_axis_init(axis, kind, s->p->column[c], s->p->tree[c], err);
}

/* Weights are relative: divided by their sum, exactly. */
static covey_status normalise_weights(covey_problem *problem, covey_error *err)
{
    covey_fraction sum = {0, 1};

    for (size_t a = 0; a < problem->n_axes; a++) {
        covey_ratio w = problem->axis[a].weight;
        covey_i128 left, right, den;

        if (__builtin_mul_overflow(sum.num, (covey_i128)w.den, &left) ||
            __builtin_mul_overflow((covey_i128)w.num, sum.den, &right) ||
            __builtin_mul_overflow(sum.den, (covey_i128)w.den, &den) || __builtin_add_overflow(left, right, &left))
            return covey_fail(err, COVEY_EINVAL, "the weights have too many digits to be added exactly: round them");
        sum = covey_i_fraction(left, den);
    }
    for (size_t a = 0; a < problem->n_axes; a++) {
        covey_ratio w = problem->axis[a].weight;
        covey_i128 num, den;
        covey_fraction share;

        if (__builtin_mul_overflow((covey_i128)w.num, sum.den, &num) ||
            __builtin_mul_overflow((covey_i128)w.den, sum.num, &den))
            return covey_fail(err, COVEY_EINVAL, "the weights have too many digits to be added exactly: round them");
        share = covey_i_fraction(num, den);
        if (share.den > INT64_MAX)
            return covey_fail(err, COVEY_EINVAL, "the weights have too many digits to be added exactly: round them");
        problem->axis[a].weight = (covey_ratio){(int64_t)share.num, (int64_t)share.den};
    }
    return COVEY_OK;
}

/* How a hierarchy was built from the data, for the manifest. */
static covey_status print_spec(const char **out, const covey_hierarchy_spec *spec, covey_arena *arena, covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_status status = covey_i_hierarchy_spec_print(&text, spec, err);

    if (status == COVEY_OK && !(*out = covey_arena_strdup(arena, text.bytes)))
        status = covey_i_no_memory(err);
    covey_i_text_free(&text);
    return status;
}

covey_status covey_i_preparing_fields(covey_preparing *s, covey_error *err)
{
    covey_problem *problem = &s->p->problem;

    if (!(problem->field = covey_arena_array_zero(&s->p->arena, covey_field, s->p->n_columns)) ||
        !(problem->axis = covey_arena_array_zero(&s->p->arena, covey_axis, s->p->n_columns)))
        return covey_i_no_memory(err);
    for (size_t c = 0; c < s->p->n_columns; c++) {
        covey_field *field;

        if (s->role[c] == COVEY_ROLE_ENTITY || s->role[c] == COVEY_ROLE_WEIGHT)
            continue;
        field = &problem->field[problem->n_fields++];
        *field = (covey_field){.role = s->role[c], .axis = -1, .column = s->p->column[c], .tree = s->p->tree[c]};
        field->recoding = &s->recoding[c];
        field->is_weight = s->wish[c] && s->wish[c]->role == COVEY_ROLE_WEIGHT;
        field->type_is_guessed = !s->wish[c] || s->wish[c]->type == COVEY_TYPE_GUESS;
        field->has_order = s->wish[c] && s->wish[c]->n_order > 0;
        if (s->p->tree[c] && s->role[c] == COVEY_ROLE_QUASI && covey_hierarchy_is_from_data(s->p->tree[c])) {
            field->tree_how = &s->wish[c]->hierarchy;
            COVEY_TRY(print_spec(&field->tree_spec, &s->wish[c]->hierarchy, &s->p->arena, err));
        }
        if (s->role[c] == COVEY_ROLE_QUASI) {
            field->axis = (int)problem->n_axes;
            COVEY_TRY(make_axis(&problem->axis[problem->n_axes++], s, c, err));
        }
    }
    if (problem->n_axes == 0)
        return covey_fail(
            err, COVEY_EINVAL,
            "no quasi-identifier: nothing would protect anybody; give at least one column the role quasi-identifier");
    return normalise_weights(problem, err);
}
