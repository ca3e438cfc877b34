/* From a row -> group map to a bucketized release in canonical order (see bucketized.h).
 *
 * All rows are sorted by content once.  Dealt out to their groups in this order they are sorted inside each group, and the order in which
 * groups get their first row is the order of the groups, but for ties of the first row, which alone are compared further. */
#include "release/bucketized.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "base/sort_keys.h"
#include "base/threads.h"
#include "table/column_key.h"
#include "table/table_impl.h"

enum { TIE_STREAM = 0x67726f75 /* "grou" */, FEW_MEMBERS = 48, VALUES_PER_MEMBER = 4 };

/* Everything that ordering needs; lives for one call.  Groups are numbered in the order of their first row. */
struct grouping {
    const covey_problem *problem;
    const uint32_t *group_of_row;
    uint32_t n_rows, n_groups, n_lines; /* published rows, groups with rows, lines of sensitive.csv */
    const covey_column *sensitive;
    uint32_t *row;        /* [n_rows] sorted by content */
    uint32_t *rank;       /* [n_rows] of their content; equal ones alike */
    uint32_t *number;     /* [groups of the map] UINT32_MAX: no row seen yet */
    uint32_t *start;      /* [n_groups + 1] into member and value */
    uint32_t *member;     /* [n_rows] rows, group by group */
    uint32_t *member_rank; /* [n_rows] */
    uint32_t *line_start; /* [n_groups + 1] */
    uint32_t *code, *count; /* [n_lines] */
    uint32_t *by_order;   /* [n_groups] */
    uint64_t *tie;        /* [n_groups] by values: random */
    covey_arena arena;
};

static covey_status no_memory(const struct grouping *g, covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "groups of %u rows", g->problem->n_rows);
}

covey_status covey_i_bucketized_field(size_t *out, const covey_problem *problem, covey_error *err)
{
    size_t n = 0;

    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role == COVEY_ROLE_SENSITIVE && n++ == 0)
            *out = f;
    if (n != 1)
        return covey_fail(err, COVEY_EINVAL,
                          "the two tables of a bucketized release are about one sensitive attribute, but the policy has %s: %s", n ? "several" : "none",
                          n ? "declare the others quasi-identifiers, insensitive or identifiers (dropped)" : "declare the column to protect sensitive");
    return COVEY_OK;
}

/* --- content --- */

/* The columns of quasi.csv: quasi-identifiers, then insensitive ones. */
static size_t list_columns(const covey_column **column, const covey_problem *problem)
{
    size_t n = 0;

    for (size_t a = 0; a < problem->n_axes; a++)
        column[n++] = problem->axis[a].column;
    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role == COVEY_ROLE_INSENSITIVE)
            column[n++] = problem->field[f].column;
    return n;
}

static bool same_content(const covey_column *const *column, size_t n, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < n; i++)
        if (covey_i_code(column[i], a) != covey_i_code(column[i], b))
            return false;
    return true;
}

/* All rows, sorted by columns whose codes are one number together: ranks follow from that. */
static covey_status order_packed(struct grouping *g, const covey_sort_key *key, size_t n_keys, const covey_run *run, covey_error *err)
{
    uint32_t place = 0, last = 0;

    COVEY_TRY(covey_i_order_rows_by_keys(g->row, g->rank, g->n_rows, key, n_keys, run, err));
    for (uint32_t i = 0; i < g->n_rows; i++) {
        place += i > 0 && g->rank[i] != last;
        last = g->rank[i];
        g->rank[i] = place;
    }
    return COVEY_OK;
}

/* Sorts the published rows by content and ranks them. */
static covey_status sort_by_content(struct grouping *g, const covey_run *run, covey_error *err)
{
    const covey_problem *problem = g->problem;
    const size_t most = problem->n_axes + problem->n_fields;
    const covey_column **column = covey_arena_array(&g->arena, const covey_column *, most);
    covey_sort_key *key = covey_arena_array(&g->arena, covey_sort_key, most);
    uint32_t place = 0;
    size_t n;

    g->row = covey_arena_array(&g->arena, uint32_t, problem->n_rows);
    g->rank = covey_arena_array(&g->arena, uint32_t, problem->n_rows);
    if (!column || !key || !g->row || !g->rank)
        return no_memory(g, err);
    for (uint32_t row = 0; row < problem->n_rows; row++)
        if (g->group_of_row[row] != COVEY_CLASS_SUPPRESSED)
            g->row[g->n_rows++] = row;
    n = list_columns(column, problem);
    for (size_t i = 0; i < n; i++)
        key[i] = covey_i_column_key(column[i]);
    if (g->n_rows == problem->n_rows && covey_i_keys_fit(key, n))
        return order_packed(g, key, n, run, err);
    COVEY_TRY(covey_i_sort_rows_by_keys(g->row, g->n_rows, key, n, run, err));
    for (uint32_t i = 0; i < g->n_rows; i++) {
        place += i > 0 && !same_content(column, n, g->row[i - 1], g->row[i]);
        g->rank[i] = place;
    }
    return COVEY_OK;
}

/* --- groups --- */

/* Numbers groups by their first row, and deals out the rows. */
static covey_status deal_rows(struct grouping *g, uint32_t n_map, covey_error *err)
{
    uint32_t *next = covey_arena_array_zero(&g->arena, uint32_t, (size_t)n_map + 1), *own = covey_i_array_full(g->n_rows, sizeof *own);

    g->number = covey_arena_array(&g->arena, uint32_t, n_map);
    g->member = covey_arena_array(&g->arena, uint32_t, g->n_rows);
    g->member_rank = covey_arena_array(&g->arena, uint32_t, g->n_rows);
    g->start = covey_arena_array_zero(&g->arena, uint32_t, (size_t)n_map + 1);
    if (!next || !own || !g->number || !g->member || !g->member_rank || !g->start) {
        covey_i_free(own);
        return no_memory(g, err);
    }
    memset(g->number, 0xff, n_map * sizeof *g->number);
    for (uint32_t i = 0; i < g->n_rows; i++) {
        uint32_t *number = &g->number[g->group_of_row[g->row[i]]];

        if (*number == UINT32_MAX)
            *number = g->n_groups++;
        own[i] = *number;
        g->start[*number + 1]++;
    }
    for (uint32_t i = 0; i < g->n_groups; i++) {
        g->start[i + 1] += g->start[i];
        next[i] = g->start[i];
    }
    for (uint32_t i = 0; i < g->n_rows; i++) {
        const uint32_t at = next[own[i]]++;

        g->member[at] = g->row[i];
        g->member_rank[at] = g->rank[i];
    }
    covey_i_free(own);
    return COVEY_OK;
}

static int compare_codes(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Sorts the codes of a group: few by insertion, many by counting; count: [values] zero between calls. */
static void sort_codes(uint32_t *code, uint32_t n, uint32_t *count, uint32_t n_values)
{
    for (uint32_t i = 1; i < n && n <= FEW_MEMBERS; i++) {
        const uint32_t own = code[i];
        uint32_t at = i;

        for (; at > 0 && code[at - 1] > own; at--)
            code[at] = code[at - 1];
        code[at] = own;
    }
    if (n <= FEW_MEMBERS)
        return;
    if (n_values > (uint64_t)n * VALUES_PER_MEMBER) {
        qsort(code, n, sizeof *code, compare_codes);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        count[code[i]]++;
    for (uint32_t v = 0, at = 0; v < n_values; v++)
        for (; count[v] > 0; count[v]--)
            code[at++] = v;
}

struct counting {
    const struct grouping *g;
    size_t n_chunks;
};

/* The values of the rows of some groups. */
static covey_status list_values(void *context, size_t chunk, covey_error *err)
{
    const struct counting *c = context;
    const struct grouping *g = c->g;
    const uint32_t begin = (uint32_t)((uint64_t)g->n_groups * chunk / c->n_chunks), end = (uint32_t)((uint64_t)g->n_groups * (chunk + 1) / c->n_chunks);
    uint32_t *count = covey_i_array_zero(g->sensitive->n_values, sizeof *count);

    if (!count)
        return no_memory(g, err);
    for (uint32_t i = g->start[begin]; i < g->start[end]; i++)
        g->code[i] = covey_i_code(g->sensitive, g->member[i]);
    for (uint32_t group = begin; group < end; group++)
        sort_codes(g->code + g->start[group], g->start[group + 1] - g->start[group], count, g->sensitive->n_values);
    covey_i_free(count);
    return COVEY_OK;
}

/* The values of each group with their counts. */
static covey_status count_values(struct grouping *g, const covey_run *run, covey_error *err)
{
    struct counting c = {g, (size_t)covey_run_threads(run)};

    g->code = covey_arena_array(&g->arena, uint32_t, g->n_rows);
    g->count = covey_arena_array(&g->arena, uint32_t, g->n_rows);
    g->line_start = covey_arena_array(&g->arena, uint32_t, (size_t)g->n_groups + 1);
    if (!g->code || !g->count || !g->line_start)
        return no_memory(g, err);
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), c.n_chunks, list_values, &c, err));
    for (uint32_t group = 0; group < g->n_groups; group++) {
        g->line_start[group] = g->n_lines;
        for (uint32_t i = g->start[group]; i < g->start[group + 1]; i++) {
            if (i == g->start[group] || g->code[g->n_lines - 1] != g->code[i]) { /* lines never overtake the rows they come from */
                g->code[g->n_lines] = g->code[i];
                g->count[g->n_lines++] = 0;
            }
            g->count[g->n_lines - 1]++;
        }
    }
    g->line_start[g->n_groups] = g->n_lines;
    return COVEY_OK;
}

/* --- order --- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Row by row, then line by line; what ends first comes first. */
static int compare_content(const void *a, const void *b, void *context)
{
    const struct grouping *g = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint32_t size_x = g->start[x + 1] - g->start[x], size_y = g->start[y + 1] - g->start[y];
    const uint32_t lines_x = g->line_start[x + 1] - g->line_start[x], lines_y = g->line_start[y + 1] - g->line_start[y];
    int order = 0;

    for (uint32_t i = 0; i < size_x && i < size_y && !order; i++)
        order = compare_numbers(g->member_rank[g->start[x] + i], g->member_rank[g->start[y] + i]);
    if (!order)
        order = compare_numbers(size_x, size_y);
    for (uint32_t i = 0; i < lines_x && i < lines_y && !order; i++) {
        order = compare_numbers(g->code[g->line_start[x] + i], g->code[g->line_start[y] + i]);
        if (!order)
            order = compare_numbers(g->count[g->line_start[x] + i], g->count[g->line_start[y] + i]);
    }
    return order ? order : compare_numbers(lines_x, lines_y);
}

/* By smallest and largest value, by size, at random. */
static int compare_values(const void *a, const void *b, void *context)
{
    const struct grouping *g = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = compare_numbers(g->code[g->line_start[x]], g->code[g->line_start[y]]);

    if (!order)
        order = compare_numbers(g->code[g->line_start[x + 1] - 1], g->code[g->line_start[y + 1] - 1]);
    if (!order)
        order = compare_numbers(g->start[x + 1] - g->start[x], g->start[y + 1] - g->start[y]);
    return order ? order : compare_numbers(g->tie[x], g->tie[y]);
}

/* The random ties are drawn in the order of the content, so that a seed gives the same for any order of the input's rows. */
static covey_status draw_ties(struct grouping *g, const covey_run *run, covey_error *err)
{
    unsigned char key[32];
    covey_rng rng;

    if (!(g->tie = covey_arena_array(&g->arena, uint64_t, g->n_groups)))
        return no_memory(g, err);
    COVEY_TRY(covey_i_rng_key(key, run, err));
    covey_i_rng_init(&rng, key, TIE_STREAM);
    for (uint32_t i = 0; i < g->n_groups; i++)
        g->tie[g->by_order[i]] = covey_i_rng_word(&rng);
    covey_i_rng_wipe(&rng);
    explicit_bzero(key, sizeof key);
    return COVEY_OK;
}

/* Ties as the map's numbers have them. */
static covey_status take_ties(struct grouping *g, uint32_t n_map, covey_error *err)
{
    if (!(g->tie = covey_arena_array(&g->arena, uint64_t, g->n_groups)))
        return no_memory(g, err);
    for (uint32_t i = 0; i < n_map; i++)
        if (g->number[i] != UINT32_MAX)
            g->tie[g->number[i]] = i;
    return COVEY_OK;
}

static covey_status put_in_order(struct grouping *g, uint32_t n_map, covey_group_order order, const covey_run *run, covey_error *err)
{
    uint32_t begin = 0;

    if (!(g->by_order = covey_arena_array(&g->arena, uint32_t, g->n_groups)))
        return no_memory(g, err);
    for (uint32_t i = 0; i < g->n_groups; i++)
        g->by_order[i] = i;
    for (uint32_t i = 1; i <= g->n_groups; i++) /* groups are in the order of their first rows already */
        if (i == g->n_groups || g->member_rank[g->start[i]] != g->member_rank[g->start[begin]]) {
            if (i - begin > 1)
                qsort_r(g->by_order + begin, i - begin, sizeof *g->by_order, compare_content, g);
            begin = i;
        }
    if (order == COVEY_GROUPS_BY_CONTENT)
        return COVEY_OK;
    COVEY_TRY(order == COVEY_GROUPS_BY_VALUES ? draw_ties(g, run, err) : take_ties(g, n_map, err));
    qsort_r(g->by_order, g->n_groups, sizeof *g->by_order, compare_values, g);
    return COVEY_OK;
}

/* --- the release --- */

static covey_status fill(covey_release *release, const struct grouping *g, size_t field, covey_group_order order, covey_error *err)
{
    covey_bucketized *data = covey_i_array_zero(1, sizeof *data);
    uint32_t row = 0, line = 0;

    if (!(release->form_data = data))
        return no_memory(g, err);
    data->field = field;
    data->is_by_values = order != COVEY_GROUPS_BY_CONTENT;
    release->row_order = covey_i_array(g->n_rows, sizeof *release->row_order);
    release->class_start = covey_i_array((size_t)g->n_groups + 1, sizeof *release->class_start);
    data->line_start = covey_i_array((size_t)g->n_groups + 1, sizeof *data->line_start);
    data->code = covey_i_array(g->n_lines, sizeof *data->code);
    data->count = covey_i_array(g->n_lines, sizeof *data->count);
    release->facts = covey_i_strdup(data->is_by_values ? "{\"group_order\": \"values\"}" : "{\"group_order\": \"content\"}");
    if (!release->row_order || !release->class_start || !data->line_start || !data->code || !data->count || !release->facts)
        return no_memory(g, err);
    for (uint32_t i = 0; i < g->n_groups; i++) {
        const uint32_t group = g->by_order[i];

        release->class_start[i] = row;
        data->line_start[i] = line;
        for (uint32_t j = g->start[group]; j < g->start[group + 1]; j++)
            release->row_order[row++] = g->member[j];
        for (uint32_t j = g->line_start[group]; j < g->line_start[group + 1]; j++) {
            data->code[line] = g->code[j];
            data->count[line++] = g->count[j];
        }
    }
    release->class_start[g->n_groups] = row;
    data->line_start[g->n_groups] = line;
    release->n_rows = g->problem->n_rows;
    release->n_published = g->n_rows;
    release->n_classes = g->n_groups;
    release->objective = (covey_objective){
        .name = "ail", .value = release->n_rows ? (double)(release->n_rows - release->n_published) / release->n_rows : 0};
    return COVEY_OK;
}

covey_status covey_i_release_of_groups(covey_release **out, const covey_problem *problem, const uint32_t *group_of_row, uint32_t n_groups,
                                       covey_group_order order, const covey_run *run, covey_error *err)
{
    struct grouping g = {.problem = problem, .group_of_row = group_of_row};
    covey_release *release = covey_i_array_zero(1, sizeof *release);
    covey_status status;
    size_t field = 0;

    if (!release) {
        status = no_memory(&g, err);
        goto done;
    }
    release->form = covey_i_form_find("bucketized");
    if ((status = covey_i_bucketized_field(&field, problem, err)) != COVEY_OK)
        goto done;
    g.sensitive = problem->field[field].column;
    if ((status = sort_by_content(&g, run, err)) == COVEY_OK && (status = deal_rows(&g, n_groups, err)) == COVEY_OK &&
        (status = count_values(&g, run, err)) == COVEY_OK && (status = put_in_order(&g, n_groups, order, run, err)) == COVEY_OK &&
        (status = fill(release, &g, field, order, err)) == COVEY_OK) {
        *out = release;
        release = NULL;
    }
done:
    covey_arena_free(&g.arena);
    covey_release_free(release);
    return status;
}
