/* Distribution transformation: quasi-identifiers stay exact, and the sensitive values of each group are hidden in
 * subtrees of a weighted hierarchy, so that a random row of the group looks as if its value were drawn from a stated
 * target.
 *
 * Which subtree came from which row is not published, so nothing has to be shuffled: only how many of each a group has.
 * Source: [Koudas09]; decisions and proofs in docs/design/distribution.md. */
#include "method/distribution/distribution.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/run.h"
#include "base/sort/keys.h"
#include "base/threads.h"
#include "release/bucketized/bucketized.h"
#include "table/column_key.h"
#include "table/histogram.h"
#include "table/table_impl.h"

static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    size_t n = 0;

    for (size_t i = 0; i < promises->n; i++) {
        const covey_model *model = promises->promise[i].model;
        const bool is_of_values =
            (model->traits & COVEY_MODEL_SENSITIVE) &&
            !(model->traits & (COVEY_MODEL_ALIKE | COVEY_MODEL_RANGES | COVEY_MODEL_SLICED | COVEY_MODEL_NUMBER));

        if (!is_of_values || promises->promise[i].joint)
            return covey_fail(err, COVEY_EINVAL,
                              "distribution keeps p-private, and beside it l-, t- and beta-models of the target that "
                              "is used, not %s%s",
                              model->name, promises->promise[i].joint ? " of several attributes" : "");
        n += (model->traits & COVEY_MODEL_TARGET) != 0;
    }
    return n == 1 ? COVEY_OK
                  : covey_fail(err, COVEY_EINVAL, "distribution keeps one promise of p-private, and there %s",
                               n ? "are several" : "is none");
}

/* --- parts: the groups that are published --- */

/* Do two rows lie in the same part? */
static bool same_part(const struct distributing *d, uint32_t a, uint32_t b)
{
    const covey_problem *problem = d->problem;

    if (problem->group_of_row && problem->group_of_row[a] != problem->group_of_row[b])
        return false;
    for (size_t i = 0; d->params->scheme == COVEY_DIST_QI_SA && i < problem->n_axes; i++)
        if (covey_i_code(problem->axis[i].column, a) != covey_i_code(problem->axis[i].column, b))
            return false;
    return true;
}

/* Rows by group, with qi-sa by quasi-identifiers, and by leaf. */
static covey_status find_parts(struct distributing *d, covey_error *err)
{
    const covey_problem *problem = d->problem;
    covey_sort_key *key = covey_arena_array(&d->arena, covey_sort_key, problem->n_axes + 2);
    uint32_t *rows = covey_arena_array(&d->arena, uint32_t, problem->n_rows);
    size_t n = 0;

    d->part_start = covey_arena_array(&d->arena, uint32_t, (size_t)problem->n_rows + 1);
    d->leaf = covey_arena_array(&d->arena, uint32_t, problem->n_rows);
    if (!key || !rows || !d->part_start || !d->leaf)
        return covey_i_no_memory(err);
    if (problem->group_of_row)
        key[n++] = (covey_sort_key){.codes = problem->group_of_row, .width = 4, .n_values = problem->n_groups};
    for (size_t i = 0; d->params->scheme == COVEY_DIST_QI_SA && i < problem->n_axes; i++)
        key[n++] = covey_i_column_key(problem->axis[i].column);
    key[n++] = (covey_sort_key){.codes = d->leaf_of_row, .width = 4, .n_values = d->most_leaves};
    for (uint32_t row = 0; row < problem->n_rows; row++)
        rows[row] = row;
    COVEY_TRY(covey_i_sort_rows_by_keys(rows, problem->n_rows, key, n, d->run, err));
    for (uint32_t i = 0; i < problem->n_rows; i++) {
        if (i == 0 || !same_part(d, rows[i - 1], rows[i]))
            d->part_start[d->n_parts++] = i;
        d->leaf[i] = d->leaf_of_row[rows[i]];
    }
    d->part_start[d->n_parts] = problem->n_rows;
    d->rows = rows;
    return COVEY_OK;
}

static uint32_t target_of_part(const struct distributing *d, uint32_t part)
{
    return d->target_of_group[d->problem->group_of_row ? d->problem->group_of_row[d->rows[d->part_start[part]]] : 0];
}

/* --- subtrees --- */

enum { PIECES = 64 };

/* Parts begin .. end - 1, done by one thread. */
struct piece {
    uint32_t begin, end;
    covey_arena arena;
    covey_i128 sum;
    int64_t fakes;
};

struct hiding {
    struct distributing *d;
    struct piece piece[PIECES];
};

static uint32_t most_fakes(const struct distributing *d, uint32_t n)
{
    const int64_t most = d->fakes_are_percent ? covey_ratio_floor_of(d->fakes, n) : d->fakes.num;

    return most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
}

static covey_status hide_part(struct piece *piece, struct distributing *d, uint32_t part, covey_arena *scratch,
                              covey_error *err)
{
    const covey_target_tree *tree = &d->target[target_of_part(d, part)].tree;
    const covey_distribution_values values = {d->part_start[part + 1] - d->part_start[part],
                                              d->leaf + d->part_start[part]};
    const uint32_t most = most_fakes(d, values.n);
    const covey_arena_mark mark = covey_arena_save(scratch);
    covey_distribution_members found;
    covey_distribution_faked faked = {0};

    if (most > 0) {
        COVEY_TRY(covey_i_distribution_least_ranges_with_fakes(&faked, tree, &values, most, scratch, err));
        found = faked.members;
    } else {
        COVEY_TRY(covey_i_distribution_least_ranges(&found, tree, &values, scratch, err));
    }
    if (!(d->members[part].member = covey_arena_array(&piece->arena, covey_distribution_member, found.n)))
        return covey_i_no_memory(err);
    memcpy(d->members[part].member, found.member, found.n * sizeof *found.member);
    d->members[part].n = found.n;
    d->members[part].sum_of_ranges = found.sum_of_ranges;
    piece->sum += found.sum_of_ranges;
    piece->fakes += faked.n_fakes;
    covey_arena_rewind(scratch, mark);
    return COVEY_OK;
}

static covey_status hide_piece(void *context, size_t task, covey_error *err)
{
    struct hiding *h = context;
    struct piece *piece = &h->piece[task];
    covey_arena scratch = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;

    for (uint32_t part = piece->begin; part < piece->end && status == COVEY_OK; part++)
        status = hide_part(piece, h->d, part, &scratch, err);
    covey_arena_free(&scratch);
    return status;
}

/* A part's fakes are its own, whatever their number; too many is legal, but rarely meant. */
static void warn_of_fakes(const struct distributing *d)
{
    uint32_t n = 0;
    char text[256];

    for (uint32_t part = 0; part < d->n_parts; part++)
        n += most_fakes(d, d->part_start[part + 1] - d->part_start[part]) >=
             d->part_start[part + 1] - d->part_start[part];
    if (n == 0 || !d->run || !d->run->warn)
        return;
    snprintf(text, sizeof text,
             "distribution: in %" PRIu32 " of %" PRIu32
             " groups as many values may be made up as there are rows: bounds of queries get wide",
             n, d->n_parts);
    d->run->warn(d->run->context, text);
}

static covey_status hide_values(struct distributing *d, struct hiding *h, covey_error *err)
{
    covey_status status;
    uint32_t part = 0;

    if (!(d->members = covey_arena_array_zero(&d->arena, covey_distribution_members, d->n_parts)))
        return covey_i_no_memory(err);
    if (most_fakes(d, d->problem->n_rows) > 0)
        warn_of_fakes(d);
    h->d = d;
    for (size_t i = 0; i < PIECES; i++) {
        const uint64_t end = (uint64_t)d->problem->n_rows * (i + 1) / PIECES;

        h->piece[i].begin = part;
        while (part < d->n_parts && d->part_start[part + 1] <= end)
            part++;
        h->piece[i].end = part;
    }
    status = covey_i_parallel(covey_run_threads(d->run), PIECES, hide_piece, h, err);
    for (size_t i = 0; i < PIECES; i++) {
        d->sum += h->piece[i].sum;
        d->n_fakes += h->piece[i].fakes;
    }
    return status;
}

/* --- the release --- */

/* Members in the order of sensitive.csv. */
static int compare_members(const void *a, const void *b, void *context)
{
    const covey_target_tree *tree = context;
    const covey_target_node *x = &tree->node[((const covey_distribution_member *)a)->node],
                            *y = &tree->node[((const covey_distribution_member *)b)->node];

    if (x->first_leaf != y->first_leaf)
        return x->first_leaf < y->first_leaf ? -1 : 1;
    return (x->n_leaves > y->n_leaves) - (x->n_leaves < y->n_leaves);
}

/* By target, then line by line: what is published of a part beside its rows. */
static int compare_parts(const void *a, const void *b, void *context)
{
    const struct distributing *d = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b, target_x = target_of_part(d, x),
                   target_y = target_of_part(d, y);
    const covey_distribution_members *m = &d->members[x], *n = &d->members[y];

    if (target_x != target_y)
        return target_x < target_y ? -1 : 1;
    for (uint32_t i = 0; i < m->n && i < n->n; i++) {
        const covey_target_node *p = &d->target[target_x].tree.node[m->member[i].node],
                                *q = &d->target[target_x].tree.node[n->member[i].node];

        if (p->first_leaf != q->first_leaf)
            return p->first_leaf < q->first_leaf ? -1 : 1;
        if (p->n_leaves != q->n_leaves)
            return p->n_leaves < q->n_leaves ? -1 : 1;
        if (m->member[i].copies != n->member[i].copies)
            return m->member[i].copies < n->member[i].copies ? -1 : 1;
    }
    return (m->n > n->n) - (m->n < n->n);
}

/* Numbers parts by what is published of them: equal ones alike.  part_of_rank names one of each. */
static covey_status rank_parts(uint32_t *n_ranks, uint32_t *rank, uint32_t *part_of_rank, struct distributing *d,
                               covey_error *err)
{
    uint32_t *order = covey_arena_array(&d->arena, uint32_t, d->n_parts), n = 0;

    if (!order)
        return covey_i_no_memory(err);
    for (uint32_t part = 0; part < d->n_parts; part++) {
        order[part] = part;
        qsort_r(d->members[part].member, d->members[part].n, sizeof *d->members[part].member, compare_members,
                &d->target[target_of_part(d, part)].tree);
    }
    qsort_r(order, d->n_parts, sizeof *order, compare_parts, d);
    for (uint32_t i = 0; i < d->n_parts; i++) {
        if (i == 0 || compare_parts(&order[i - 1], &order[i], d) != 0)
            part_of_rank[n++] = order[i];
        rank[order[i]] = n - 1;
    }
    *n_ranks = n;
    return COVEY_OK;
}

/* The order of groups and rows must follow from what is published.  So groups are made as if each row's sensitive value
 * were all that is published of its part. */
static covey_status group_rows(covey_release **out, struct distributing *d, const uint32_t *rank, uint32_t n_ranks,
                               covey_error *err)
{
    const covey_problem *problem = d->problem;
    covey_problem shadow = *problem;
    covey_label *label = covey_arena_array_zero(&d->arena, covey_label, n_ranks);
    uint32_t *part_of_row = covey_arena_array(&d->arena, uint32_t, problem->n_rows);
    const int width = covey_i_table_code_width(n_ranks);
    void *codes = covey_i_array(problem->n_rows, (size_t)width);
    covey_field *field = covey_arena_array(&d->arena, covey_field, problem->n_fields);
    covey_column *column = NULL;
    covey_status status;

    if (!label || !part_of_row || !codes || !field) {
        covey_i_free(codes);
        return covey_i_no_memory(err);
    }
    for (uint32_t i = 0; i < n_ranks; i++)
        label[i].text = "";
    for (uint32_t part = 0; part < d->n_parts; part++)
        for (uint32_t i = d->part_start[part]; i < d->part_start[part + 1]; i++) {
            const uint32_t row = d->rows[i];

            part_of_row[row] = part;
            covey_i_codes_put(codes, width, row, rank[part]);
        }
    COVEY_TRY(covey_i_column_new(&column, d->column->name, COVEY_TYPE_TEXT, problem->n_rows, n_ranks, false, 0, label,
                                 NULL, codes, err));
    memcpy(field, problem->field, problem->n_fields * sizeof *field);
    field[d->field].column = column;
    shadow.field = field;
    status = covey_i_release_of_groups(out, &shadow, part_of_row, d->n_parts, COVEY_GROUPS_BY_CONTENT, d->run, err);
    covey_i_column_free(column);
    return status;
}

/* Lines and targets of the groups, in their order. */
static covey_status fill_lines(covey_transformed *data, const covey_bucketized *groups, uint32_t n_groups,
                               const uint32_t *part_of_rank, const struct distributing *d, covey_error *err)
{
    size_t n = 0;

    data->target_of_group = covey_arena_array(&data->arena, uint32_t, n_groups);
    data->line_start = covey_arena_array(&data->arena, uint32_t, (size_t)n_groups + 1);
    for (uint32_t g = 0; g < n_groups; g++)
        n += d->members[part_of_rank[covey_i_bucketized_code(groups, groups->line_start[g])]].n;
    if (n >= UINT32_MAX)
        return covey_fail(err, COVEY_EINVAL, "sensitive.csv would have too many lines");
    data->line = covey_arena_array(&data->arena, covey_subtree, n);
    if (!data->target_of_group || !data->line_start || !data->line)
        return covey_i_no_memory(err);
    data->line_start[0] = 0;
    for (uint32_t g = 0; g < n_groups; g++) {
        const uint32_t part = part_of_rank[covey_i_bucketized_code(groups, groups->line_start[g])];
        uint32_t at = data->line_start[g];

        for (uint32_t i = 0; i < d->members[part].n; i++)
            data->line[at++] = (covey_subtree){d->members[part].member[i].node, d->members[part].member[i].copies};
        data->line_start[g + 1] = at;
        data->target_of_group[g] = target_of_part(d, part);
    }
    return COVEY_OK;
}

static covey_status set_facts(covey_release *release, const struct distributing *d, covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_string(&text, "{\"group_order\": \"content\", \"targets\": [");
    for (uint32_t t = 0; t < d->n_targets; t++)
        covey_i_text_add_format(&text, "%s{\"target\": %u, \"total_variation\": %.15g}", t ? ", " : "", t + 1,
                                d->target[t].distance);
    covey_i_text_add_string(&text, "]}");
    covey_i_free(release->facts);
    release->facts = text.broken ? NULL : covey_i_strdup(text.bytes);
    covey_i_text_free(&text);
    return release->facts ? COVEY_OK : covey_i_no_memory(err);
}

static void write_note(char *out, size_t size, const struct distributing *d)
{
    double most = 0;

    for (uint32_t t = 0; t < d->n_targets; t++)
        most = fmax(most, d->target[t].distance);
    snprintf(out, size, "%u target%s; whole weights move the target by a total variation of %.3g%s", d->n_targets,
             covey_i_plural(d->n_targets), most,
             d->is_exact && d->has_source
                 ? "; exactly the source's shares are published: a group's histogram, as plain permutation would"
                 : "");
}

/* Makes the release of the groups one of subtrees. */
static covey_status transform(covey_release *release, struct distributing *d, const uint32_t *part_of_rank,
                              covey_error *err)
{
    covey_transformed *data = covey_i_array_zero(1, sizeof *data);
    covey_status status;
    covey_i128 unit = 1;

    if (!data)
        return covey_i_no_memory(err);
    data->field = d->field;
    data->scale = d->scale;
    data->arena = d->published;
    d->published = (covey_arena)COVEY_ARENA_INIT;
    data->n_targets = d->n_targets;
    data->target = d->target;
    status = fill_lines(data, release->form_data, release->n_classes, part_of_rank, d, err);
    release->form->free_data(release->form_data);
    release->form = &covey_form_transformed;
    release->form_data = data;
    if (status != COVEY_OK)
        return status;
    for (int i = 0; i < d->scale; i++)
        unit *= 10;
    release->objective = (covey_objective){.name = "sum-of-ranges",
                                           .value = covey_i_fraction_value(covey_i_fraction(d->sum, unit)),
                                           .has_bound = true,
                                           .optimal = true,
                                           .has_fakes = true,
                                           .fakes = d->n_fakes};
    release->objective.bound = release->objective.value;
    write_note(release->note, sizeof release->note, d);
    return set_facts(release, d, err);
}

static covey_status report_progress(const struct distributing *d, const char *phase, covey_error *err)
{
    return covey_i_run_goes_on(d->run, phase, 0, d->problem->n_rows, err);
}

static covey_status make_release(covey_release **out, struct distributing *d, struct hiding *h, covey_error *err)
{
    uint32_t *rank, *part_of_rank, n_ranks = 0;
    covey_release *release = NULL;
    covey_status status;

    COVEY_TRY(report_progress(d, "targets", err));
    COVEY_TRY(covey_i_distribution_make_targets(d, err));
    COVEY_TRY(report_progress(d, "intervals", err));
    COVEY_TRY(find_parts(d, err));
    COVEY_TRY(hide_values(d, h, err));
    COVEY_TRY(report_progress(d, "groups", err));
    rank = covey_arena_array(&d->arena, uint32_t, d->n_parts);
    part_of_rank = covey_arena_array(&d->arena, uint32_t, d->n_parts);
    if (!rank || !part_of_rank)
        return covey_i_no_memory(err);
    COVEY_TRY(rank_parts(&n_ranks, rank, part_of_rank, d, err));
    COVEY_TRY(group_rows(&release, d, rank, n_ranks, err));
    if ((status = transform(release, d, part_of_rank, err)) == COVEY_OK) {
        *out = release;
        return COVEY_OK;
    }
    covey_release_free(release);
    return status;
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    struct distributing d = {.problem = problem, .params = params, .run = run};
    struct hiding *h;
    covey_status status;

    if (problem->n_rows == 0)
        return covey_fail(err, COVEY_EINFEASIBLE, "distribution: the table has no rows");
    if (!(h = covey_i_array_zero(1, sizeof *h)))
        return covey_i_no_memory(err);
    status = make_release(out, &d, h, err);
    for (size_t i = 0; i < PIECES; i++)
        covey_arena_free(&h->piece[i].arena);
    covey_i_free(h);
    covey_i_distribution_clear_targets(&d);
    covey_arena_free(&d.arena);
    return status;
}

static const char *const scheme_choices[] = {"sa-only", "qi-sa", NULL};
static const covey_param param_list[] = {
    {.name = "scheme",
     .type = COVEY_PARAM_CHOICE,
     .offset = offsetof(struct covey_distribution_params, scheme),
     .fallback = "sa-only",
     .choices = scheme_choices,
     .help = "sa-only: hide values in each group as a whole; qi-sa: in each set of rows of a group with equal "
             "quasi-identifiers, which answers narrow"
             " queries better"},
    {.name = "target",
     .type = COVEY_PARAM_TREE,
     .offset = offsetof(struct covey_distribution_params, target),
     .help = "what rows shall seem to follow: source (the default), uniform, {normal: {mean: 50, sd: 10}}, {zipf: {s: "
             "1.5}} or {file: shares.csv}"},
    {.name = "targets",
     .type = COVEY_PARAM_TREE,
     .offset = offsetof(struct covey_distribution_params, targets),
     .help = "targets of single groups, [{group: {zip: \"911**\"}, target: source, hierarchy: {balanced: 2}}, ...]; "
             "the first that fits counts"},
    {.name = "resolution",
     .type = COVEY_PARAM_TEXT,
     .offset = offsetof(struct covey_distribution_params, resolution),
     .fallback = "12",
     .help = "largest sum of brothers' weights, a number or exact: ratios that are finer than groups are large leave "
             "nothing but the root"},
    {.name = "fakes",
     .type = COVEY_PARAM_TEXT,
     .offset = offsetof(struct covey_distribution_params, fakes),
     .fallback = "0",
     .help = "values that may be made up for a group so that less must be hidden: a number, or a share of its rows "
             "such as 5%"},
};

const covey_method covey_method_distribution = {
    .name = "distribution",
    .summary = "publishes quasi-identifiers exactly and sensitive values in intervals, so that rows seem to follow a "
               "stated distribution",
    .keeps = "p-private; l-, t- and beta-models of the target that is used",
    .source = "Koudas09, sections 4 to 6",
    .form = "transformed",
    .looks_at_all = "fits the values of whole groups to a distribution, which lie in several parts",
    .uses_groups = true,
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct covey_distribution_params),
    .accepts = accepts,
    .run = run,
};
