/* Anatomy: quasi-identifiers and sensitive values are published exactly, in two tables that groups of rows link; every
 * group holds at least l different values, none of them more often than once in l rows.
 *
 * Source: [XiaoTao06] section 5.  Which rows come together is drawn at random: a rule would tell,
 * to who knows the rows' order in the input, something of their values.  qi-aware, which is ours, first cuts the table
 * into parts of similar rows, as small as Mondrian's cuts allow while no value of a part has more than a share 1/l. */
#include "method/anatomy/anatomy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/plural.h"
#include "method/anatomy/units.h"
#include "method/method_impl.h"
#include "model/counts.h"
#include "model/nearest.h"
#include "release/bucketized/bucketized.h"
#include "table/column_key.h"
#include "table/histogram.h"
#include "table/table_impl.h"

enum { FIRST_STREAM = 0x616e6174 }; /* "anat"; each part has a stream of its own */

struct anatomy_params {
    bool qi_aware;
};

struct grouping {
    covey_anatomy_task task;
    covey_histogram counts; /* of the values */
    uint64_t *lists;        /* [n_rows] rows by value, each value's by content; NULL: they are found part by part */
    uint64_t stride;        /* of values in lists */
    uint32_t *rows;         /* [n_rows] by content; later part by part */
    uint32_t *group_of_row; /* [n_rows] */
    uint32_t *part_of_row;  /* [n_rows] qi-aware */
    covey_arena arena;
    covey_anatomy groups; /* of rows in parts */
    bool has_units;
    covey_anatomy_units units;
    covey_members members; /* of lists */
    uint32_t n_groups, n_residues;
};

static covey_status accepts(const covey_promises *promises, const void *params, covey_error *err)
{
    for (size_t i = 0; i < promises->n; i++)
        if (!promises->promise[i].model->different_rows)
            return covey_fail(
                err, COVEY_EINVAL,
                "anatomy publishes quasi-identifiers exactly and keeps probabilistic and distinct l-diversity, not %s",
                promises->promise[i].model->name);
    return COVEY_OK;
}

/* --- is it possible at all? --- */

static covey_status infeasible(const struct grouping *g, const covey_histogram *counts, covey_error *err)
{
    const int64_t n_rows = counts->total, largest = covey_i_counts_largest(counts, NULL);
    const int64_t excess = covey_i_anatomy_excess(counts->count, counts->n_values, g->task.l);
    const covey_promises *promises = &g->task.problem->promises;
    covey_changes changes = {.is_lost = false};
    char instead[160];

    if (excess == INT64_MAX)
        snprintf(instead, sizeof instead, "only %" PRIu32 " different value%s", counts->n_distinct,
                 counts->n_distinct == 1 ? " occurs" : "s occur");
    else
        snprintf(instead, sizeof instead,
                 "for l = %" PRId64 ", %" PRId64
                 " row%s of the most frequent values would have to be left out of the input",
                 g->task.l, excess, covey_i_plural(excess));
    covey_fail(err, COVEY_EINFEASIBLE,
               "anatomy cannot make groups with l = %" PRId64
               ": the most frequent value of column \"%s\" is in %" PRId64 " of %" PRId64
               " row%s, so that l can be %" PRId64 " at most; %s",
               g->task.l, g->task.sensitive->name, largest, n_rows, covey_i_plural(n_rows), n_rows / largest, instead);
    for (size_t i = 0; i < promises->n; i++) {
        covey_nearest nearest = {.n = 0};

        if (promises->promise[i].model->different_rows(promises->promise[i].state) <= n_rows / largest)
            continue;
        covey_i_nearest_change(&nearest, "l", "%" PRId64, n_rows / largest);
        covey_i_changes_promise(&changes, &promises->promise[i], &nearest);
    }
    covey_i_changes_give(err, &changes);
    return COVEY_EINFEASIBLE;
}

static covey_status check_eligible(struct grouping *g, covey_error *err)
{
    const covey_promises *promises = &g->task.problem->promises;
    const covey_histogram *counts = &g->counts;

    g->task.l = 1;
    for (size_t i = 0; i < promises->n; i++) {
        const int64_t l = promises->promise[i].model->different_rows(promises->promise[i].state);

        g->task.l = l > g->task.l ? l : g->task.l;
    }
    COVEY_TRY(covey_i_histogram_of(&g->counts, g->task.sensitive, &g->arena, err));
    if (counts->total == 0)
        return covey_fail(err, COVEY_EINFEASIBLE, "there is no row to publish");
    if (g->has_units)
        return covey_i_anatomy_units_new(&g->units, &g->task, err);
    return covey_i_counts_largest(counts, NULL) <= counts->total / g->task.l ? COVEY_OK : infeasible(g, counts, err);
}

/* --- groups --- */

/* Rows by value and content, if both are one number together. */
static covey_status find_lists(struct grouping *g, covey_error *err)
{
    const covey_problem *problem = g->task.problem;
    covey_sort_key *key = covey_arena_array(&g->arena, covey_sort_key, 1 + problem->n_axes + problem->n_fields);
    size_t n;

    if (!key)
        return covey_i_no_memory(err);
    key[0] = covey_i_column_key(g->task.sensitive);
    n = covey_i_bucketized_contents_keys(key + 1, problem);
    if (!covey_i_bucketized_contents_fit(&g->stride, key + 1, n) || !covey_i_keys_fit(key, n + 1))
        return COVEY_OK;
    if (!(g->lists = covey_i_array_full(problem->n_rows, sizeof *g->lists)))
        return covey_i_no_memory(err);
    return covey_i_keys_sort_pairs(g->lists, problem->n_rows, key, n + 1, g->task.run, err);
}

static covey_status group_lists(struct grouping *g, const unsigned char key[32], covey_error *err)
{
    covey_rng rng;
    covey_status status;

    covey_i_rng_init(&rng, key, FIRST_STREAM);
    status = covey_i_anatomy_group_lists(&g->members, &g->n_residues, g->task.sensitive, (uint32_t)g->task.l, g->lists,
                                         g->stride, g->counts.count, &rng, err);
    covey_i_rng_wipe(&rng);
    return status;
}

/* Else rows by content, and groups of the parts, which stand together in rows. */
static covey_status group_parts(struct grouping *g, bool qi_aware, const unsigned char key[32], covey_error *err)
{
    const uint32_t n = g->task.problem->n_rows;
    uint32_t n_parts;

    g->rows = covey_arena_array(&g->arena, uint32_t, n);
    g->group_of_row = covey_arena_array(&g->arena, uint32_t, n);
    if (!g->rows || !g->group_of_row)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_problem_sort_rows(g->rows, g->task.problem, g->task.run, err));
    if (qi_aware && !(g->part_of_row = covey_arena_array(&g->arena, uint32_t, n)))
        return covey_i_no_memory(err);
    if (qi_aware)
        COVEY_TRY(covey_i_anatomy_cut(g->part_of_row, &n_parts, g->rows, n, &g->task, err));
    COVEY_TRY(
        covey_i_anatomy_start(&g->groups, g->task.sensitive, (uint32_t)g->task.l, g->group_of_row, n, &g->arena, err));
    for (uint32_t begin = 0, end = 0; begin < n; begin = end) {
        const uint32_t part = g->part_of_row ? g->part_of_row[g->rows[begin]] : 0;
        covey_rng rng;

        for (end = begin; end < n && (!g->part_of_row || g->part_of_row[g->rows[end]] == part);)
            end++;
        covey_i_rng_init(&rng, key, FIRST_STREAM + (uint64_t)part);
        covey_i_anatomy_group(&g->groups, g->rows + begin, end - begin, &rng);
        covey_i_rng_wipe(&rng);
    }
    g->n_groups = g->groups.n_groups;
    g->n_residues = g->groups.n_residues;
    return COVEY_OK;
}

static covey_status group_units(struct grouping *g, bool qi_aware, const unsigned char key[32], covey_error *err)
{
    COVEY_TRY(covey_i_anatomy_units_group(&g->units, key, qi_aware, err));
    g->group_of_row = g->units.group_of_row;
    g->n_groups = g->units.n_groups;
    g->n_residues = g->units.n_residues;
    return COVEY_OK;
}

/* A missing diagnosis counts as one more value, but protects nobody. */
static void warn_of_missing(const struct grouping *g)
{
    const covey_column *column = g->task.sensitive;
    const covey_histogram *prior = NULL;
    char message[512];
    int64_t n = 0;

    if (!g->task.run || !g->task.run->warn || column->n_values == 0)
        return;
    for (size_t v = 0; v < g->task.problem->promises.n_views; v++)
        if (g->task.problem->promises.view[v].column == column)
            prior = g->task.problem->promises.view[v].prior;
    for (uint32_t code = 0; prior && code < column->n_values; code++)
        if ((code == 0 && column->has_null) || covey_column_label_size(column, code) == 0)
            n += prior->count[code];
    if (n == 0)
        return;
    snprintf(message, sizeof message,
             "%" PRId64
             " row%s no value of \"%.120s\": missing counts as one more value of a group, although it protects nobody",
             n, n == 1 ? " has" : "s have", column->name);
    g->task.run->warn(g->task.run->context, message);
}

static covey_status make_groups(struct grouping *g, bool qi_aware, covey_error *err)
{
    unsigned char key[32];
    covey_status status;

    COVEY_TRY(check_eligible(g, err));
    warn_of_missing(g);
    if (!qi_aware && !g->has_units)
        COVEY_TRY(find_lists(g, err));
    COVEY_TRY(covey_i_rng_key(key, g->task.run, err));
    status = g->has_units ? group_units(g, qi_aware, key, err)
             : g->lists   ? group_lists(g, key, err)
                          : group_parts(g, qi_aware, key, err);
    explicit_bzero(key, sizeof key);
    return status;
}

static void describe(covey_release *release, const struct grouping *g)
{
    const char *of = g->has_units ? "unit" : "row", *many = covey_i_plural(g->task.l);
    const int n = snprintf(release->note, sizeof release->note,
                           "groups of %" PRId64 " %s%s with different values%s; %" PRIu32 " %s%s joined a group later",
                           g->task.l, of, many, g->has_units ? " and as many rows each" : "", g->n_residues, of,
                           covey_i_plural(g->n_residues));

    if (g->has_units && g->units.n_suppressed > 0)
        snprintf(release->note + n, sizeof release->note - (size_t)n,
                 "; units are suppressed where too few have as many rows, or too many of these one value");
}

static covey_status run(covey_release **out, const covey_problem *problem, const void *params, const covey_run *run,
                        covey_error *err)
{
    const struct anatomy_params *p = params;
    struct grouping g = {.task = {.problem = problem, .run = run, .arena = &g.arena}};
    covey_status status;
    size_t field;

    g.has_units = problem->units && problem->units->whole.n < problem->n_rows; /* else nothing is different */
    COVEY_TRY(covey_i_bucketized_field(&field, problem, err));
    g.task.sensitive = problem->field[field].column;
    status = make_groups(&g, p->qi_aware, err);
    covey_i_free(g.lists); /* not needed any more where most memory is */
    if (status == COVEY_OK && g.group_of_row)
        status = covey_i_release_of_groups(out, problem, g.group_of_row, g.n_groups, COVEY_GROUPS_BY_CONTENT, run, err);
    else if (status == COVEY_OK)
        status = covey_i_release_of_members(out, problem, &g.members, COVEY_GROUPS_BY_CONTENT, run, err);
    if (status == COVEY_OK)
        describe(*out, &g);
    covey_arena_free(&g.arena);
    return status;
}

static const covey_param param_list[] = {
    {.name = "qi-aware",
     .type = COVEY_PARAM_BOOL,
     .offset = offsetof(struct anatomy_params, qi_aware),
     .fallback = "false",
     .help = "group similar rows: better answers to queries, the same promises"},
};

const covey_method covey_method_anatomy = {
    .name = "anatomy",
    .summary = "publishes quasi-identifiers and sensitive values exactly, linked by groups of different values",
    .keeps = "probabilistic and distinct l",
    .source = "XiaoTao06, section 5",
    .form = "bucketized",
    .in_parts = true,
    .keeps_units = COVEY_UNITS_ALIKE,
    .params = param_list,
    .n_params = sizeof param_list / sizeof *param_list,
    .params_size = sizeof(struct anatomy_params),
    .accepts = accepts,
    .run = run,
};
