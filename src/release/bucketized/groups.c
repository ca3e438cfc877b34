/* From the rows of groups to a bucketized release in canonical order.  Rows and values are sorted
 * inside their groups (members.c), then groups (group_order.c); at last all is copied to its place. */
#include "release/bucketized/bucketized.h"

#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/threads.h"
#include "release/bucketized/group_order.h"
#include "table/table_impl.h"

enum { TASK_GROUPS = 1 << 13, AHEAD = 16 /* groups that are fetched before they are copied */ };

covey_status covey_i_bucketized_field(size_t *out, const covey_problem *problem, covey_error *err)
{
    size_t n = 0;

    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role == COVEY_ROLE_SENSITIVE && n++ == 0)
            *out = f;
    if (n != 1)
        return covey_fail(
            err, COVEY_EINVAL,
            "the two tables of a bucketized release are about one sensitive attribute, but the policy has %s: %s",
            n ? "several" : "none",
            n ? "declare the others quasi-identifiers, insensitive or identifiers (dropped)"
              : "declare the column to protect sensitive");
    return COVEY_OK;
}

/* --- the release --- */

struct filling {
    covey_release *release;
    covey_bucketized *data;
    const covey_members *m;
    const uint32_t *by_order;
    int width; /* of codes */
    size_t n_tasks;
};

/* What the next group needs, while another one is copied: 6 % of making anatomy (docs/design/speed.md). */
static void fetch(const struct filling *f, uint32_t group)
{
    const char *row = (const char *)(f->m->row + f->m->start[group]);

    __builtin_prefetch(row);
    __builtin_prefetch(row + 64);
    __builtin_prefetch((const char *)f->m->code + (size_t)f->m->start[group] * (size_t)f->width);
}

static void copy_rows(const struct filling *f, uint32_t to, const uint64_t *row, uint32_t n)
{
    uint32_t *order = f->release->row_order + to, *content = f->data->content ? f->data->content + to : NULL;

    for (uint32_t i = 0; i < n; i++) {
        order[i] = (uint32_t)row[i];
        if (content)
            content[i] = (uint32_t)(row[i] >> 32);
    }
}

static void copy_values(const struct filling *f, uint32_t line, uint32_t from, uint32_t n)
{
    if (!f->data->count) {
        for (uint32_t i = 0; i < n; i++)
            covey_i_codes_put(f->data->code, f->width, line + i, covey_i_members_code(f->m, f->width, from + i));
        return;
    }
    for (uint32_t i = from, next; i < from + n; i = next) {
        const uint32_t code = covey_i_members_code(f->m, f->width, i);

        for (next = i + 1; next < from + n && covey_i_members_code(f->m, f->width, next) == code;)
            next++;
        covey_i_codes_put(f->data->code, f->width, line, code);
        f->data->count[line++] = next - i;
    }
}

static covey_status fill_groups(void *context, size_t task, covey_error *err)
{
    const struct filling *f = context;
    const covey_members *m = f->m;
    const uint32_t begin = (uint32_t)((uint64_t)m->n_groups * task / f->n_tasks),
                   end = (uint32_t)((uint64_t)m->n_groups * (task + 1) / f->n_tasks);

    for (uint32_t i = begin; i < end; i++) {
        const uint32_t start = m->start[f->by_order[i]],
                       n = f->release->class_start[i + 1] - f->release->class_start[i];

        if (i + AHEAD < end)
            fetch(f, f->by_order[i + AHEAD]);
        copy_rows(f, f->release->class_start[i], m->row + start, n);
        copy_values(f, f->data->line_start[i], start, n);
    }
    return COVEY_OK;
}

/* Where each group's rows and lines begin. */
static void find_starts(covey_release *release, covey_bucketized *data, const covey_members *m,
                        const uint32_t *by_order)
{
    uint32_t row = 0, line = 0;

    for (uint32_t i = 0; i < m->n_groups; i++) {
        release->class_start[i] = row;
        data->line_start[i] = line;
        row += m->start[by_order[i] + 1] - m->start[by_order[i]];
        line += m->n_lines[by_order[i]];
    }
    release->class_start[m->n_groups] = row;
    data->line_start[m->n_groups] = line;
}

static covey_status fill(covey_release *release, const covey_members *m, const uint32_t *by_order, int width,
                         const covey_run *run, covey_error *err)
{
    covey_bucketized *data = release->form_data;
    struct filling f = {release, data, m, by_order, width, m->n_groups / TASK_GROUPS + 1};
    uint32_t n_lines;

    release->class_start = covey_i_array((size_t)m->n_groups + 1, sizeof *release->class_start);
    data->line_start = covey_i_array((size_t)m->n_groups + 1, sizeof *data->line_start);
    if (!release->class_start || !data->line_start)
        return covey_i_no_memory(err);
    find_starts(release, data, m, by_order);
    n_lines = data->line_start[m->n_groups];
    release->row_order = covey_i_array_full(m->n, sizeof *release->row_order);
    data->code = covey_i_array_full(n_lines, (size_t)width);
    if (!release->row_order || !data->code ||
        (m->is_packed && !(data->content = covey_i_array_full(m->n, sizeof *data->content))) ||
        (n_lines < m->n && !(data->count = covey_i_array(n_lines, sizeof *data->count))))
        return covey_i_no_memory(err);
    return covey_i_parallel(covey_run_threads(run), f.n_tasks, fill_groups, &f, err);
}

static covey_status make_release(covey_release *release, const covey_problem *problem, covey_members *members,
                                 covey_group_order order, const covey_run *run, covey_error *err)
{
    covey_bucketized *data = covey_i_array_zero(1, sizeof *data);
    const covey_column *sensitive;
    uint32_t *by_order;
    covey_status status;

    release->form = &covey_form_bucketized;
    release->n_rows = problem->n_rows;
    release->n_published = members->n;
    release->n_classes = members->n_groups;
    release->ail = release->n_rows ? (double)(release->n_rows - release->n_published) / release->n_rows : 0;
    release->objective = (covey_objective){.name = "ail", .value = release->ail};
    if (!(release->form_data = data))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_bucketized_field(&data->field, problem, err));
    sensitive = problem->field[data->field].column;
    data->width = sensitive->width;
    data->is_by_values = order != COVEY_GROUPS_BY_CONTENT;
    release->facts =
        covey_i_strdup(data->is_by_values ? "{\"group_order\": \"values\"}" : "{\"group_order\": \"content\"}");
    if (!release->facts)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_members_sort(members, problem, sensitive, run, err));
    if (!(by_order = covey_i_array_full(members->n_groups, sizeof *by_order)))
        return covey_i_no_memory(err);
    if ((status = covey_i_groups_order(by_order, members, sensitive, order, run, err)) == COVEY_OK)
        status = fill(release, members, by_order, data->width, run, err);
    covey_i_free(by_order);
    return status;
}

covey_status covey_i_release_of_members(covey_release **out, const covey_problem *problem, covey_members *members,
                                        covey_group_order order, const covey_run *run, covey_error *err)
{
    covey_release *release = covey_i_array_zero(1, sizeof *release);
    covey_status status = release ? make_release(release, problem, members, order, run, err) : covey_i_no_memory(err);

    if (status == COVEY_OK)
        *out = release;
    else
        covey_release_free(release);
    covey_i_members_clear(members);
    return status;
}

/* --- from a map --- */

/* Deals out the rows; groups without rows are left out.  next: [n_groups + 1] zeros */
static covey_status deal_rows(covey_members *members, uint32_t *next, const covey_problem *problem,
                              const uint32_t *group_of_row, uint32_t n_groups, covey_error *err)
{
    uint32_t n = 0, n_filled = 0;

    for (uint32_t row = 0; row < problem->n_rows; row++)
        if (group_of_row[row] != COVEY_CLASS_SUPPRESSED) {
            next[group_of_row[row]]++;
            n++;
        }
    for (uint32_t g = 0; g < n_groups; g++)
        n_filled += next[g] > 0;
    COVEY_TRY(covey_i_members_new(members, n, n_filled, 0, err));
    n = n_filled = 0;
    for (uint32_t g = 0; g < n_groups; g++) {
        const uint32_t size = next[g];

        next[g] = n;
        if (size > 0)
            members->start[n_filled++] = n;
        n += size;
    }
    members->start[n_filled] = n;
    for (uint32_t row = 0; row < problem->n_rows; row++)
        if (group_of_row[row] != COVEY_CLASS_SUPPRESSED)
            members->row[next[group_of_row[row]]++] = row;
    return COVEY_OK;
}

covey_status covey_i_release_of_groups(covey_release **out, const covey_problem *problem, const uint32_t *group_of_row,
                                       uint32_t n_groups, covey_group_order order, const covey_run *run,
                                       covey_error *err)
{
    uint32_t *next = covey_i_array_zero((size_t)n_groups + 1, sizeof *next);
    covey_members members = {0};
    covey_status status =
        next ? deal_rows(&members, next, problem, group_of_row, n_groups, err) : covey_i_no_memory(err);

    covey_i_free(next);
    return status == COVEY_OK ? covey_i_release_of_members(out, problem, &members, order, run, err) : status;
}
