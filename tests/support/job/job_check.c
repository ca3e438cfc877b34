/* Checking the release of a random job by counting. */
#include "test.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/sort/compare.h"
#include "support/csvs.h"
#include "support/job/job_check.h"
#include "support/query/plain_csv.h"

struct checking {
    random_job *job;
    const char *folder, *what;
    bool in_parts; /* labels are those of the whole table */
    plain_table table;
    json_t *manifest;
    size_t row_of[JOB_MOST_ROWS]; /* of the job, for each published row; where rows look alike any of them */
    bool is_published[JOB_MOST_ROWS];
    size_t n_suppressed;
    recount_view view[JOB_MOST_SENSITIVE + 1];
    size_t n_views;
    recount_figure worst[JOB_MOST_PROMISES];
};

#define require(c, condition, ...)                                                                                     \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            print_error("%s: not %s\n", (c)->what, #condition);                                                        \
            fail_msg(__VA_ARGS__);                                                                                     \
        }                                                                                                              \
    } while (0)

/* --- which row is which --- */

/* Columns that are published as they are. */
static bool is_plain(const job_column *column)
{
    return column->role == COVEY_ROLE_SENSITIVE || column->role == COVEY_ROLE_INSENSITIVE;
}

static bool looks_alike(const struct checking *c, size_t published, size_t row)
{
    for (size_t i = 0, at = 1; i < c->job->n_columns; i++) {
        const job_column *column = &c->job->column[i];

        if (column->role == COVEY_ROLE_IDENTIFIER)
            continue;
        if (is_plain(column) &&
            strcmp(plain_cell(&c->table, published, at), column->cell[row] ? column->cell[row] : "") != 0)
            return false;
        at++;
    }
    return true;
}

/* The published values are those of the input, each row's together, less the suppressed rows. */
static void match_rows(struct checking *c)
{
    const size_t n_kept = c->job->n_rows - c->job->n_dropped;

    require(c, c->table.n_rows <= n_kept, "%zu rows were published, but there are only %zu", c->table.n_rows, n_kept);
    for (size_t i = 0; i < c->table.n_rows; i++) {
        size_t row = 0;

        while (row < c->job->n_rows && (c->job->is_dropped[row] || c->is_published[row] || !looks_alike(c, i, row)))
            row++;
        require(c, row < c->job->n_rows, "published row %zu is none of the input's", i + 1);
        c->is_published[row] = true;
        c->row_of[i] = row;
    }
    c->n_suppressed = n_kept - c->table.n_rows;
    require(c, (int64_t)c->n_suppressed * c->job->limit_den <= (int64_t)n_kept * c->job->limit_num,
            "%zu rows were suppressed", c->n_suppressed);
}

static void check_header(const struct checking *c)
{
    size_t at = 1;

    require(c, strcmp(c->table.name[0], "class") == 0, "the first column is %s", c->table.name[0]);
    for (size_t i = 0; i < c->job->n_columns; i++)
        if (c->job->column[i].role != COVEY_ROLE_IDENTIFIER) {
            require(c, at < c->table.n_columns && strcmp(c->table.name[at], c->job->column[i].name) == 0,
                    "no column %s", c->job->column[i].name);
            at++;
        }
    require(c, at == c->table.n_columns, "%zu columns", c->table.n_columns);
}

/* --- cells: only where a key tells which row is which --- */

static size_t sort_unique(const char **text, size_t n)
{
    size_t kept = 0;

    qsort(text, n, sizeof *text, covey_i_compare_strings);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || strcmp(text[kept - 1], text[i]) != 0)
            text[kept++] = text[i];
    return kept;
}

static void check_set(struct checking *c, const job_column *column, const char *cell, const char **wanted,
                      size_t n_wanted)
{
    const char **got;
    const size_t n = plain_elements(&got, cell, &c->job->arena);

    n_wanted = sort_unique(wanted, n_wanted);
    require(c, sort_unique(got, n) == n, "column %s: %s has an element twice", column->name, cell);
    for (size_t i = 0; i < n || i < n_wanted; i++)
        require(c, i < n && i < n_wanted && strcmp(got[i], wanted[i]) == 0,
                "column %s: %s where %zu values such as \"%s\" belong", column->name, cell, n_wanted,
                wanted[i < n_wanted ? i : 0]);
}

/* Would a label be read as something else: the value of the same name, a set, or everything? */
static bool is_ambiguous(const struct checking *c, const job_column *column, const char *label)
{
    const size_t size = strlen(label);

    for (size_t i = 0; i < column->n_lines; i++)
        if (strcmp(column->line[i][0], label) == 0)
            return true;
    for (size_t row = 0; row < c->job->n_rows; row++)
        if (!c->job->is_dropped[row] && column->cell[row] && strcmp(column->cell[row], label) == 0)
            return true;
    return strcmp(label, "*") == 0 || (label[0] == '{' && label[size - 1] == '}');
}

static size_t place_of(struct checking *c, const job_column *column, const char *value)
{
    const char **values;
    size_t n = job_values(&values, c->job, column), i = 0;

    while (i < n && strcmp(values[i], value) != 0)
        i++;
    return i;
}

/* A node of a balanced hierarchy is called after the first and the last value that are published. */
static const char *settled_label(struct checking *c, const job_column *column, const char *label, size_t level)
{
    const char *first = NULL, *last = NULL;

    if (c->n_suppressed == 0 || level == 0 || !column->hierarchy || !strstr(column->hierarchy, "balanced") ||
        strcmp(label, "*") == 0)
        return label;
    for (size_t row = 0; row < c->job->n_rows; row++) {
        const char *cell = column->cell[row];

        if (!c->is_published[row] || !cell || strcmp(column->level[row][level], label) != 0)
            continue;
        if (!first || place_of(c, column, cell) < place_of(c, column, first))
            first = cell;
        if (!last || place_of(c, column, cell) > place_of(c, column, last))
            last = cell;
    }
    return strcmp(first, last) == 0 ? first : job_format(c->job, "%s..%s", first, last);
}

static void check_label(struct checking *c, const job_column *column, const char *cell, const size_t *row, size_t n)
{
    size_t level = 0, n_wanted = 0;
    const char *label, **wanted;

    for (size_t i = 1; i < n && level + 1 < column->n_levels;)
        if (!column->cell[row[i]] == !column->cell[row[0]] &&
            strcmp(column->level[row[i]][level], column->level[row[0]][level]) == 0)
            i++;
        else
            i = 1, level++;
    label = column->level[row[0]][level];
    if (level + 1 == column->n_levels || (level > 0 && !is_ambiguous(c, column, label))) {
        const char *settled = settled_label(c, column, label, level);

        require(c, strcmp(cell, settled) == 0 || (c->in_parts && strcmp(cell, label) == 0),
                "column %s: %s instead of %s", column->name, cell, settled);
        return;
    }
    wanted = covey_arena_array(&c->job->arena, const char *, column->n_lines + 1);
    assert_non_null(wanted);
    if (level == 0)
        wanted[n_wanted++] = label;
    for (size_t i = 0; level > 0 && i < column->n_lines; i++)
        if (strcmp(column->line[i][level], label) == 0)
            wanted[n_wanted++] = column->line[i][0];
    check_set(c, column, cell, wanted, n_wanted);
}

/* Ranges are attained by rows of the class; returns the width, scaled, or that of everything. */
static int64_t check_range(struct checking *c, const job_column *column, const char *cell, const size_t *row, size_t n)
{
    const char *comma = strstr(cell, ", ");
    int64_t low = INT64_MAX, high = INT64_MIN;
    size_t n_missing = 0;
    char text[64];

    for (size_t i = 0; i < n; i++) {
        const int64_t number = column->cell[row[i]] ? job_number(column, column->cell[row[i]]) : 0;

        n_missing += !column->cell[row[i]];
        if (column->cell[row[i]] && number < low)
            low = number;
        if (column->cell[row[i]] && number > high)
            high = number;
    }
    if (n_missing > 0) {
        require(c, strcmp(cell, n_missing == n ? "null" : "*") == 0, "column %s: %s where %zu of %zu cells are missing",
                column->name, cell, n_missing, n);
        return n_missing == n ? 0 : job_domain(c->job, column);
    }
    if (low == high) {
        require(c, *cell != '[' && job_number(column, cell) == low, "column %s: %s", column->name, cell);
        return 0;
    }
    require(c, *cell == '[' && comma && cell[strlen(cell) - 1] == ']', "column %s: %s is no range", column->name, cell);
    snprintf(text, sizeof text, "%.*s", (int)(comma - cell - 1), cell + 1);
    require(c, job_number(column, text) == low, "column %s: %s, but the smallest value is another", column->name, cell);
    snprintf(text, sizeof text, "%.*s", (int)strlen(comma + 2) - 1, comma + 2);
    require(c, job_number(column, text) == high, "column %s: %s, but the largest value is another", column->name, cell);
    return high - low;
}

static void check_flat(struct checking *c, const job_column *column, const char *cell, const size_t *row, size_t n)
{
    enum { MOST_ELEMENTS = 64 };
    const char *wanted[JOB_MOST_ROWS];

    for (size_t i = 0; i < n; i++)
        wanted[i] = column->cell[row[i]] ? column->cell[row[i]] : "null";
    n = sort_unique(wanted, n);
    if (n > MOST_ELEMENTS)
        require(c, strcmp(cell, "*") == 0, "column %s: %s for %zu values", column->name, cell, n);
    else
        check_set(c, column, cell, wanted, n);
}

/* One class: published rows first .. first + n - 1. */
static void check_cells(struct checking *c, recount_class *group, size_t first, size_t n)
{
    const random_job *job = c->job;

    for (size_t i = 0, at = 1; i < job->n_columns; i++) {
        const job_column *column = &job->column[i];
        const char *cell = column->role == COVEY_ROLE_IDENTIFIER ? "" : plain_cell(&c->table, first, at);

        group->width[i] = -1;
        if (column->role != COVEY_ROLE_IDENTIFIER)
            at++;
        if (column->role != COVEY_ROLE_QUASI)
            continue;
        for (size_t j = 1; j < n; j++)
            require(c, strcmp(plain_cell(&c->table, first + j, at - 1), cell) == 0, "column %s: %s in one class",
                    column->name, cell);
        if (!job->has_key)
            continue;
        if (column->n_levels > 0)
            check_label(c, column, cell, c->row_of + first, n);
        else if (column->is_range)
            group->width[i] = check_range(c, column, cell, c->row_of + first, n);
        else
            check_flat(c, column, cell, c->row_of + first, n);
    }
}

/* --- promises --- */

static void check_promises(struct checking *c, const recount_class *group, bool is_first)
{
    for (size_t p = 0; p < c->job->n_promises; p++) {
        const job_promise *promise = &c->job->promise[p];
        recount_figure figure;
        bool sure, holds = recount_holds(&figure, &sure, c->job, promise, c->view, group);

        require(c, holds || !sure, "%s is broken by a class of %lld rows", promise->policy, (long long)group->size);
        if (is_first)
            c->worst[p] = figure;
        else
            recount_worse(&c->worst[p], &figure, promise);
    }
    require(c, group->size >= c->job->min_size, "a class of %lld rows", (long long)group->size);
}

static void check_classes(struct checking *c)
{
    size_t n_classes = 0;

    for (size_t first = 0, end; first < c->table.n_rows; first = end) {
        recount_class group = {.size = 0};

        for (end = first;
             end < c->table.n_rows && strcmp(plain_cell(&c->table, end, 0), plain_cell(&c->table, first, 0)) == 0;
             end++)
            recount_add(&group, c->view, c->n_views, c->row_of[end]);
        n_classes++;
        require(c, strtoull(plain_cell(&c->table, first, 0), NULL, 10) == n_classes, "class %s is not number %zu",
                plain_cell(&c->table, first, 0), n_classes);
        check_cells(c, &group, first, end - first);
        check_promises(c, &group, n_classes == 1);
    }
    require(c, json_integer_value(json_object_get(c->manifest, "classes")) == (json_int_t)n_classes,
            "there are %zu classes", n_classes);
}

/* Where a prior is published the sensitive values of suppressed rows follow by subtraction. */
static void check_suppressed(const struct checking *c)
{
    recount_class gone = {.size = 0};
    bool has_prior = false;

    for (size_t i = 0; i < JOB_MOST_COLUMNS; i++)
        gone.width[i] = -1;
    for (size_t row = 0; row < c->job->n_rows; row++)
        if (!c->job->is_dropped[row] && !c->is_published[row])
            recount_add(&gone, c->view, c->n_views, row);
    for (size_t p = 0; p < c->job->n_promises; p++)
        has_prior |= recount_needs_prior(&c->job->promise[p]);
    for (size_t p = 0; has_prior && gone.size > 0 && p < c->job->n_promises; p++) {
        recount_figure figure;
        bool sure, holds = recount_holds(&figure, &sure, c->job, &c->job->promise[p], c->view, &gone);

        require(c, holds || !sure, "%s is broken by the %lld suppressed rows", c->job->promise[p].policy,
                (long long)gone.size);
    }
}

/* --- the manifest --- */

static void check_number(const struct checking *c, const char *key, size_t wanted)
{
    const json_t *value = json_object_get(c->manifest, key);

    require(c, json_is_integer(value) && json_integer_value(value) == (json_int_t)wanted, "%s is not %zu", key, wanted);
}

static bool is_fraction(const char *text, const recount_figure *figure)
{
    long long num, den = 1;

    if (strcmp(text, "inf") == 0 || figure->infinite)
        return strcmp(text, "inf") == 0 && figure->infinite;
    return sscanf(text, "%lld/%lld", &num, &den) >= 1 && (__int128)num * figure->den == (__int128)figure->num * den;
}

static bool is_achieved(const json_t *achieved, const recount_figure *figure)
{
    if (json_is_object(achieved))
        return json_integer_value(json_object_get(achieved, "k")) == figure->k &&
               is_fraction(json_string_value(json_object_get(achieved, "e")), figure);
    if (json_is_string(achieved))
        return is_fraction(json_string_value(achieved), figure);
    if (json_is_integer(achieved))
        return !figure->is_real && figure->num == json_integer_value(achieved) * figure->den;
    return json_is_real(achieved) && figure->is_real &&
           fabs(json_real_value(achieved) - figure->real) <= 1e-9 * (1 + fabs(figure->real));
}

static void check_achieved(const struct checking *c)
{
    const json_t *promises = json_object_get(c->manifest, "promises");

    require(c, json_array_size(promises) == c->job->n_promises, "%zu promises", json_array_size(promises));
    for (size_t p = 0; p < c->job->n_promises; p++) {
        const json_t *promise = json_array_get(promises, p), *achieved = json_object_get(promise, "achieved");
        const recount_figure *worst = &c->worst[p];

        require(c, json_is_true(json_object_get(promise, "holds")), "promise %zu does not say that it holds", p + 1);
        if (strcmp(c->job->promise[p].model, "min-length") != 0 ||
            c->job->has_key) /* ranges are looked at only with a key */
            require(c, is_achieved(achieved, worst), "%s: achieved is not %lld/%lld = %g (k = %lld)",
                    c->job->promise[p].policy, (long long)worst->num, (long long)worst->den, worst->real,
                    (long long)worst->k);
    }
}

static void check_prior(const struct checking *c, size_t v, bool is_needed)
{
    const json_t *prior = json_object_get(json_object_get(c->manifest, "prior"), c->view[v].column->name);
    size_t n = 0;

    if (!is_needed) {
        require(c, prior == NULL, "a prior that no promise needs");
        return;
    }
    for (size_t i = 0; i < c->view[v].n; i++) {
        const char *label = c->view[v].value[i] ? c->view[v].value[i] : "null";

        n += c->view[v].prior[i] > 0;
        require(c, json_integer_value(json_object_get(prior, label)) == c->view[v].prior[i], "the prior of %s", label);
    }
    require(c, json_object_size(prior) == n, "a prior with %zu values", json_object_size(prior));
}

static void check_priors(const struct checking *c)
{
    bool is_needed[JOB_MOST_SENSITIVE + 1] = {false}, is_joint = false;
    const json_t *cells = json_object_get(json_object_get(c->manifest, "joint_prior"), "cells");

    for (size_t p = 0; p < c->job->n_promises; p++)
        if (recount_needs_prior(&c->job->promise[p])) {
            is_needed[c->job->promise[p].view] = true;
            is_joint |= c->job->promise[p].joint;
        }
    for (size_t v = 0; v < c->job->n_sensitive; v++)
        check_prior(c, v, is_needed[v]);
    require(c, is_joint == (cells != NULL), "a joint prior");
    if (is_joint) {
        int64_t n = 0;

        require(c, json_array_size(cells) == c->view[c->job->n_sensitive].n, "%zu combinations",
                json_array_size(cells));
        for (size_t i = 0; i < json_array_size(cells); i++)
            n += json_integer_value(json_object_get(json_array_get(cells, i), "count"));
        require(c, n == c->view[c->job->n_sensitive].n_rows, "%lld rows in the joint prior", (long long)n);
    }
}

/* No text of an identifier, nor a name of the publisher's files. */
static void check_silence(const struct checking *c, const char *file)
{
    const char *secrets[] = {"identifier-", "quokka", "wombat", strrchr(csv_path("."), '-')};
    size_t size;
    char *bytes = csv_get_file(&size, job_format(c->job, "%s/%s", c->folder, file)), secret[64];

    assert_non_null(bytes);
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
        snprintf(secret, sizeof secret, "%.*s", (int)strcspn(secrets[i], "/"), secrets[i]);
        require(c, !strstr(bytes, secret), "%s says \"%s\"", file, secret);
    }
    free(bytes);
}

static void check_manifest(struct checking *c)
{
    const json_t *files = json_object_get(c->manifest, "files");

    check_number(c, "rows", c->job->n_rows - c->job->n_dropped);
    check_number(c, "published_rows", c->table.n_rows);
    check_number(c, "suppressed_rows", c->n_suppressed);
    check_number(c, "dropped_rows", c->job->n_dropped);
    check_achieved(c);
    check_priors(c);
    check_silence(c, "manifest.json");
    for (size_t i = 0; i < json_array_size(files); i++)
        check_silence(c, json_string_value(json_object_get(json_array_get(files, i), "name")));
}

void job_check_release(random_job *job, const char *folder, const char *what)
{
    const covey_arena_mark mark = covey_arena_save(&job->arena);
    struct checking c = {.job = job,
                         .folder = job_format(job, "%s", folder),
                         .what = what,
                         .in_parts = strstr(what, "rows per part") != NULL}; /* folder may be csv_path's */

    plain_read(&c.table, job_format(job, "%s/table.csv", folder), &job->arena);
    c.manifest = json_load_file(job_format(job, "%s/manifest.json", folder), 0, NULL);
    require(&c, c.manifest, "no manifest");
    c.n_views = recount_views(c.view, job);
    check_header(&c);
    match_rows(&c);
    require(&c, c.table.n_rows > 0, "nothing is published");
    check_classes(&c);
    check_suppressed(&c);
    check_manifest(&c);
    json_decref(c.manifest);
    covey_arena_rewind(&job->arena, mark);
}

int job_whole_holds(random_job *job)
{
    const covey_arena_mark mark = covey_arena_save(&job->arena);
    recount_view view[JOB_MOST_SENSITIVE + 1];
    recount_class whole = {.size = 0};
    const size_t n_views = recount_views(view, job);
    int answer = 1;

    for (size_t row = 0; row < job->n_rows; row++)
        if (!job->is_dropped[row])
            recount_add(&whole, view, n_views, row);
    for (size_t i = 0; i < job->n_columns; i++) {
        const job_column *column = &job->column[i];

        if (column->is_range) /* missing cells beside numbers are published as the whole domain */
            whole.width[i] = job_domain(job, column) - (column->has_missing ? 0 : column->below + column->above);
    }
    for (size_t p = 0; p < job->n_promises && answer != 0; p++) {
        recount_figure figure;
        bool sure, holds = recount_holds(&figure, &sure, job, &job->promise[p], view, &whole);

        answer = !sure ? -1 : !holds ? 0 : answer;
    }
    if (whole.size < job->min_size)
        answer = 0;
    covey_arena_rewind(&job->arena, mark);
    return answer;
}
