/* Slicing: attributes that tell much of each other stay together in columns, rows stand together in buckets, and inside
 * a bucket nothing tells which piece of one column goes with which of another.
 *
 * Source: [LiLiZhangMolloy12]; slicing.md; docs/design/slicing.md. */
#include "method/slicing/slicing.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/plural.h"
#include "method/slicing/cut.h"
#include "release/figures.h"
#include "table/table_impl.h"

static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    for (size_t i = 0; i < promises->n; i++)
        if (!(promises->promise[i].model->traits & COVEY_MODEL_SLICED))
            return covey_fail(err, COVEY_EINVAL,
                              "slicing publishes values as they are and keeps sliced-l-diversity, not %s",
                              promises->promise[i].model->name);
    for (size_t i = 0; i < promises->n; i++)
        if (promises->promise[i].joint)
            return covey_fail(err, COVEY_EINVAL,
                              "slicing keeps sliced-l-diversity of each sensitive attribute, not of their combination "
                              "(joint)");
    if (promises->n == 0)
        return covey_fail(err, COVEY_EINVAL, "slicing keeps sliced-l-diversity, which the policy does not ask for");
    return COVEY_OK;
}

/* --- the method --- */

static bool is_within(const covey_slice *a, const covey_slice *b)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n_fields; i++)
        for (size_t j = 0; j < b->n_fields; j++)
            n += a->field[i] == b->field[j];
    return n == a->n_fields;
}

/* A column whose attributes all stand in another adds nothing; several that hold the sensitive attribute tell much
 * together. */
static void warn_of_columns(const covey_slicing *s, const covey_run *run)
{
    if (s->n_holding > 1 && run && run->warn) {
        char text[400];

        snprintf(text, sizeof text,
                 "slicing: the sensitive attribute \"%.100s\" stands in %zu columns: whoever knows a person's values "
                 "joins their pieces where it agrees; nothing but "
                 "the promise limits what follows, and pieces are mixed among rows of the same value only",
                 s->problem->field[s->sensitive].column->name, s->n_holding);
        run->warn(run->context, text);
    }
    for (size_t i = 0; run && run->warn && i < s->n_slices; i++)
        for (size_t j = 0; j < s->n_slices; j++)
            if (i != j && is_within(&s->slice[i], &s->slice[j]) && (i < j || !is_within(&s->slice[j], &s->slice[i]))) {
                char text[160];

                snprintf(text, sizeof text,
                         "slicing: all attributes of column %zu stand in column %zu, too: it tells nothing more, and "
                         "can be left out",
                         covey_i_slicing_column_number(s, i), covey_i_slicing_column_number(s, j));
                run->warn(run->context, text);
                break;
            }
}

static covey_status find_columns(covey_slicing *s, char *note, size_t size, const covey_run *run, covey_error *err)
{
    if (s->params->overlap.num > 0 && s->params->one_per_column)
        return covey_i_refuse_param(err, "overlap",
                                    "method slicing: one-per-column puts every attribute into one column alone: leave "
                                    "overlap out");
    if (!s->params->columns || strcmp(s->params->columns, "found") == 0) {
        COVEY_TRY(s->n_others > 0 || s->units ? covey_i_slicing_found_beside_several(s, run, err)
                                              : covey_i_slicing_found_columns(s, run, err));
        snprintf(note, size, "%zu column%s found", s->n_slices, covey_i_plural(s->n_slices));
        if (s->n_joined > 0)
            snprintf(note + strlen(note), size - strlen(note), ", %zu attribute%s in two of them", s->n_joined,
                     covey_i_plural(s->n_joined));
        return COVEY_OK;
    }
    if (s->params->overlap.num > 0)
        return covey_i_refuse_param(err, "overlap",
                                    "method slicing: overlap lets found columns share attributes: given ones stay as "
                                    "they are, so leave overlap or columns out");
    if (s->params->one_per_column)
        return covey_i_refuse_param(err, "one-per-column",
                                    "method slicing: one-per-column puts every attribute into a column of its own: "
                                    "leave columns out");
    return covey_i_error_about(covey_i_slicing_given_columns(s, err), "columns", err);
}

/* Cells follow from the rows that stay, and which rows can stay from the cells, so that both are made anew until
 * nothing more has to go. */
static covey_status settle_cells(covey_slicing *s, covey_slicing_recoding *r, covey_error *err)
{
    uint32_t before;

    do {
        before = s->n;
        COVEY_TRY(covey_i_slicing_make_cells(r, err));
        COVEY_TRY(covey_i_slicing_number_sets(s, err));
        COVEY_TRY(covey_i_slicing_check_whole(s, err));
        COVEY_TRY(covey_i_slicing_drop_rare(r, err));
    } while (s->n < before);
    return COVEY_OK;
}

/* Rather fewer rows than less detail, as far as the policy allows it; if too many would have to go for the promise
 * then, detail goes first. */
static covey_status generalize(covey_slicing *s, const uint32_t *row, uint32_t n, uint32_t k, uint32_t *largest_k,
                               covey_error *err)
{
    covey_slicing_recoding *r;
    covey_status status = COVEY_EINFEASIBLE;

    for (int rows_first = 1; rows_first >= (s->problem->max_suppressed == 0) && status == COVEY_EINFEASIBLE;
         rows_first--) {
        covey_i_slicing_put_rows(s, row, n);
        if ((status = covey_i_slicing_recode(&r, s, k, rows_first, err)) == COVEY_OK)
            status = settle_cells(s, r, err);
    }
    if (status != COVEY_EINFEASIBLE || !largest_k)
        return status;
    COVEY_TRY(covey_i_slicing_largest_k(largest_k, r, row, n, err));
    return COVEY_EINFEASIBLE;
}

/* What column-k can be instead: as much as all detail given up allows; none, if the promise does not hold then. */
static covey_status name_k(covey_slicing *s, const uint32_t *row, uint32_t n, uint32_t largest, covey_error *err)
{
    const covey_error reason = *err;
    const uint32_t k[] = {largest < (uint64_t)s->params->column_k ? largest : 1, 1};
    covey_error tried;

    for (size_t i = 0; i < 2; i++) {
        covey_status status;

        s->instead_k = k[i];
        if (k[i] > 1) {
            status = generalize(s, row, n, k[i], NULL, &tried);
        } else {
            covey_i_slicing_put_rows(s, row, n);
            if ((status = covey_i_slicing_number_sets(s, &tried)) == COVEY_OK)
                status = covey_i_slicing_check_whole(s, &tried);
        }
        if (status != COVEY_OK && status != COVEY_EINFEASIBLE) {
            *err = tried;
            return status;
        }
        if (status != COVEY_OK && !*tried.nearest)
            continue;
        covey_fail(err, COVEY_EINFEASIBLE, "%s; column-k can be %" PRIu32 "%s", reason.message, k[i],
                   status == COVEY_OK ? "" : " with a smaller l");
        if (status == COVEY_OK)
            covey_i_slicing_name_l(s, s->l, err);
        else
            memcpy(err->nearest, tried.nearest, sizeof err->nearest);
        break;
    }
    return COVEY_EINFEASIBLE;
}

static covey_status settle_generalized(covey_slicing *s, covey_error *err)
{
    const uint32_t n = s->n;
    uint32_t *row = covey_arena_array(s->arena, uint32_t, n), largest;
    covey_status status;
    covey_error own;

    if (!row)
        return covey_i_no_memory(err);
    err = err ? err : &own;
    memcpy(row, s->content, n * sizeof *row); /* every row by itself */
    status = generalize(s, row, n, covey_i_slicing_column_k(s), &largest, err);
    return status == COVEY_EINFEASIBLE && !*err->nearest ? name_k(s, row, n, largest, err) : status;
}

/* Numbers the sets of the rows that stay. */
static covey_status settle_rows(covey_slicing *s, covey_error *err)
{
    if (s->n_others > 0)
        return covey_i_slicing_settle_several(s, err);
    if (s->params->column_k > 1)
        return settle_generalized(s, err);
    COVEY_TRY(covey_i_slicing_number_sets(s, err));
    return s->n_holding > 1 ? covey_i_slicing_check_joined(s, err) : covey_i_slicing_check_whole(s, err);
}

/* The release keeps the cells, and has lost what they hide. */
static void give_recoded(covey_release *release, covey_slicing *s)
{
    if (!s->recoded)
        return;
    release->recoded = s->recoded;
    release->n_recoded = s->whole->n_axes;
    s->recoded = NULL;
    release->ail = 0;
    for (size_t a = 0; a < s->whole->n_axes; a++)
        release->ail += covey_ratio_value(s->whole->axis[a].weight) * covey_i_release_axis_ail(release, s->whole, a);
    release->objective.value = release->ail;
}

/* What this takes is given back but for the columns, and the cells that a release keeps. */
static covey_status find_buckets(covey_dealt *dealt, char *note, size_t size, covey_slicing *s, const covey_run *run,
                                 covey_error *err)
{
    covey_arena_mark mark;

    if (!s->units)
        COVEY_TRY(covey_i_slicing_check_dims(s, err));
    COVEY_TRY(find_columns(s, note, size, run, err));
    if (s->n_others > 0)
        COVEY_TRY(covey_i_slicing_refuse_for_several(s, err));
    if (s->n_holding > 1 && !s->units)
        COVEY_TRY(covey_i_slicing_refuse_options(s, err));
    warn_of_columns(s, run);
    mark = covey_arena_save(s->arena);
    if (s->units) {
        COVEY_TRY(covey_i_slicing_deal_units(dealt, note, size, s, run, err));
    } else {
        COVEY_TRY(settle_rows(s, err));
        COVEY_TRY(covey_i_slicing_buckets(dealt, s, run, err));
    }
    COVEY_TRY(covey_i_slicing_describe_joints(note, size, s, dealt, err));
    if (!s->recoded)
        covey_arena_rewind(s->arena, mark);
    return COVEY_OK;
}

static void drop_contents(void *context)
{
    covey_i_slicing_clear_rows(context);
}

static covey_status make(covey_release **out, covey_slicing *s, const covey_run *run, covey_error *err)
{
    char note[sizeof(*out)->note] = "";
    covey_dealt dealt = {0};
    covey_status status;

    if ((status = find_buckets(&dealt, note, sizeof note, s, run, err)) == COVEY_OK) {
        covey_i_slicing_clear_lists(s);
        dealt.drop_table = drop_contents;
        dealt.context = s;
        dealt.keeps_rows = (s->given ? s->given : s->problem)->units != NULL;
        if (dealt.keeps_rows && !s->units) /* of one row each */
            dealt.unit_values = "one";
        status =
            covey_i_release_of_slices(out, s->given ? s->given : s->problem, s->slice, s->n_slices, &dealt, run, err);
    }
    covey_i_dealt_clear(&dealt);
    if (status == COVEY_OK) {
        memcpy((*out)->note, note, sizeof note);
        if (s->n_moved > 0)
            snprintf((*out)->remark, sizeof(*out)->remark,
                     "attributes that belong to the sensitive one were moved where the promise leaves no room");
        give_recoded(*out, s);
    }
    return status;
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_slicing s = {
        .problem = problem, .params = params, .n_all = problem->n_rows, .n = problem->n_rows, .arena = &arena};
    covey_status status = covey_i_slicing_find_sensitive(&s, err);

    if (status == COVEY_OK && problem->n_rows == 0)
        status = covey_fail(err, COVEY_EINFEASIBLE, "slicing: the table has no rows");
    if (status == COVEY_OK && s.params->buckets == 1 && s.params->bucket_size == 0)
        status = covey_i_refuse_param(err, "buckets",
                                      "method slicing: buckets: random needs bucket-size, the rows of a bucket");
    if (problem->units && problem->units->whole.n < problem->n_rows)
        s.units = problem->units;
    if (status == COVEY_OK && s.units)
        status = covey_i_slicing_refuse_for_units(&s, err);
    /* Cells of generalized values, and units, belong to the table as it is. */
    if (status == COVEY_OK)
        status = s.params->column_k > 1 || problem->units ? covey_i_slicing_list_table(&s, run, err)
                                                          : covey_i_slicing_sort_table(&s, run, err);
    if (status == COVEY_OK)
        status = make(out, &s, run, err);
    covey_i_slicing_clear_rows(&s);
    covey_i_recoded_free(s.recoded, problem->n_axes);
    covey_arena_free(&arena);
    return status;
}

static const char *const cut_choices[] = {"strict", "relaxed", NULL},
                         *const bucket_choices[] = {"mondrian", "random", NULL},
                         *const weight_choices[] = {"size", "paper", NULL}, *const group_choices[] = {"auto",  "true",
                                                                                                      "false", "yes",
                                                                                                      "no",    NULL};
static const covey_param param_list[] = {
    {.name = "columns",
     .type = COVEY_PARAM_TREE,
     .offset = offsetof(struct covey_slicing_params, columns),
     .fallback = "found",
     .help = "found: attributes that tell much of each other stand together; or lists of names such as [[age, sex], "
             "[zip, disease]]"},
    {.name = "number-of-columns",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct covey_slicing_params, n_columns),
     .minimum = "2",
     .help = "of found columns, the sensitive one counted; default: a third of the attributes, at least 2"},
    {.name = "sensitive-size",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct covey_slicing_params, sensitive_size),
     .fallback = "2",
     .minimum = "1",
     .help = "attributes of the sensitive column at most, when columns are found"},
    {.name = "overlap",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(struct covey_slicing_params, overlap),
     .fallback = "0",
     .minimum = "0",
     .maximum = "1",
     .help =
         "an attribute joins a second found column if it tells so much of one there (mean-square contingency, 1: all "
         "of it), while columns form a tree; 0: none does"},
    {.name = "one-per-column",
     .type = COVEY_PARAM_BOOL,
     .offset = offsetof(struct covey_slicing_params, one_per_column),
     .fallback = "false",
     .help = "every attribute in a column of its own, which hides best who is in the table"},
    {.name = "cut",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct covey_slicing_params, cut),
     .fallback = "strict",
     .choices = cut_choices,
     .help = "strict: equal values stay together; relaxed: rows are halved"},
    {.name = "first-dimension-only",
     .type = COVEY_PARAM_BOOL,
     .offset = offsetof(struct covey_slicing_params, first_dimension_only),
     .fallback = "false",
     .help = "a bucket is closed if its widest attribute cannot be cut, as in the published listing"},
    {.name = "weight",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct covey_slicing_params, weight),
     .fallback = "size",
     .choices = weight_choices,
     .help = "of buckets when cuts are tested: by their size, as is right, or all alike, as published; the release "
             "must hold by size either way"},
    {.name = "anatomize",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct covey_slicing_params, anatomize),
     .fallback = "auto",
     .choices = group_choices,
     .help = "part closed buckets into groups of rows with different sensitive values; auto: unless the sensitive "
             "attribute stands in several columns, or there are several sensitive attributes"},
    {.name = "buckets",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct covey_slicing_params, buckets),
     .fallback = "mondrian",
     .choices = bucket_choices,
     .help = "mondrian: similar rows stand together; random: any, for hiding who is in the table"},
    {.name = "column-k",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct covey_slicing_params, column_k),
     .fallback = "1",
     .minimum = "1",
     .help = "rows that have each piece of a column at least; quasi-identifiers are generalized until they do"},
    {.name = "bucket-size",
     .type = COVEY_PARAM_INTEGER,
     .offset = offsetof(struct covey_slicing_params, bucket_size),
     .minimum = "2",
     .help = "rows of random buckets"},
};

const covey_method covey_method_slicing = {
    .name = "slicing",
    .summary = "cuts the table into columns of attributes and buckets of rows, and mixes the pieces inside a bucket",
    .keeps = "sliced-l-diversity of each sensitive attribute",
    .source = "LiLiZhangMolloy12, section 4",
    .form = "sliced",
    .keeps_units = COVEY_UNITS_ALIKE,
    .looks_at_all = "finds its columns in all rows, and tests what the pieces of all buckets tell together",
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct covey_slicing_params),
    .accepts = accepts,
    .run = run,
};
