/* Proving the promises of a release from its tables.  Classes and groups are counted here and judged by
 * tests/support/job/recount.c. */
#include "prover_impl.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"

void prover_say(proving *p, proof answer, const char *fmt, ...)
{
    va_list args;

    if (answer <= p->answer)
        return;
    p->answer = answer;
    va_start(args, fmt);
    vsnprintf(p->why, p->why_bytes, fmt, args);
    va_end(args);
}

bool prover_read(plain_table *table, proving *p, const char *file)
{
    if (plain_try_read(table, job_format(p->job, "%s/%s", p->folder, file), &p->job->arena))
        return true;
    prover_say(p, PROOF_OPEN, "%s cannot be read", file);
    return false;
}

bool prover_column(size_t *at, proving *p, const plain_table *table, const char *name)
{
    for (*at = 0; *at < table->n_columns; ++*at)
        if (strcmp(table->name[*at], name) == 0)
            return true;
    prover_say(p, PROOF_OPEN, "no column %s", name);
    return false;
}

bool prover_ratio(int64_t *num, int64_t *den, const char *text)
{
    char *end;

    if (!text || !isdigit((unsigned char)*text) || strlen(text) > 18)
        return false;
    *num = strtoll(text, &end, 10);
    *den = 1;
    if (*end == '/' && isdigit((unsigned char)end[1]))
        *den = strtoll(end + 1, &end, 10);
    else if (*end == '.')
        for (end++; isdigit((unsigned char)*end); end++, *den *= 10)
            *num = *num * 10 + (*end - '0');
    return *end == '\0' && *den > 0;
}

const char *prover_param(const json_t *promise, const char *name)
{
    return json_string_value(json_object_get(json_object_get(promise, "parameters"), name));
}

int prover_class(proving *p, const char *name)
{
    for (size_t g = 0; g < p->n_groups; g++)
        if (strcmp(p->class_name[g], name) == 0)
            return (int)g;
    if (p->n_groups == PROVER_MOST_CLASSES) {
        prover_say(p, PROOF_OPEN, "too many classes");
        return -1;
    }
    p->class_name[p->n_groups] = name;
    for (size_t c = 0; c < JOB_MOST_COLUMNS; c++)
        p->group[p->n_groups].width[c] = -1;
    return (int)p->n_groups++;
}

/* --- what the manifest claims --- */

static covey_type type_of(const char *text)
{
    return strcmp(text, "integer") == 0   ? COVEY_TYPE_INTEGER
           : strcmp(text, "decimal") == 0 ? COVEY_TYPE_DECIMAL
           : strcmp(text, "date") == 0    ? COVEY_TYPE_DATE
                                          : COVEY_TYPE_TEXT;
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static bool read_columns(proving *p)
{
    const json_t *columns = json_object_get(p->manifest, "columns");

    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i), *order = json_object_get(column, "order"),
                     *has_missing = json_object_get(column, "has_missing");
        const char *role = text_at(column, "role");
        job_column *to = &p->job->column[p->job->n_columns];

        if (p->job->n_columns++ == JOB_MOST_COLUMNS ||
            (strcmp(role, "sensitive") == 0 && p->job->n_sensitive == JOB_MOST_SENSITIVE))
            return false;
        to->name = text_at(column, "name");
        to->type = type_of(text_at(column, "type"));
        to->scale = -1;
        to->role = strcmp(role, "sensitive") == 0     ? COVEY_ROLE_SENSITIVE
                   : strcmp(role, "insensitive") == 0 ? COVEY_ROLE_INSENSITIVE
                                                      : COVEY_ROLE_QUASI;
        to->is_range = strcmp(text_at(column, "publish"), "range") == 0;
        to->has_missing = !has_missing || json_is_true(has_missing);
        to->n_order = json_array_size(order);
        to->order = covey_arena_array(&p->job->arena, const char *, to->n_order + 1);
        for (size_t v = 0; v < to->n_order; v++)
            if (!(to->order[v] = json_string_value(json_array_get(order, v))))
                return false;
        if (to->role == COVEY_ROLE_SENSITIVE)
            p->job->sensitive[p->job->n_sensitive++] = p->job->n_columns - 1;
    }
    p->n_views = p->job->n_sensitive + (p->job->n_sensitive > 1);
    for (size_t v = 0; v < p->n_views; v++) {
        p->view[v].value = covey_arena_array(&p->job->arena, const char *, JOB_MOST_ROWS);
        p->view[v].column = v < p->job->n_sensitive ? &p->job->column[p->job->sensitive[v]] : NULL;
    }
    return p->job->n_sensitive > 0 || strcmp(text_at(p->manifest, "form"), "generalized") == 0;
}

/* Is it a number as job_number wants it?  The first one says how many digits there are. */
static bool is_number(job_column *column, const char *text)
{
    int year, month, day, used = 0;
    const char *at = text + (*text == '-'), *dot;
    int scale;

    if (column->type == COVEY_TYPE_DATE)
        return strlen(text) == 10 && sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &used) == 3 && used == 10;
    if (strlen(text) > 15 || strspn(at, "0123456789.") != strlen(at) || !isdigit((unsigned char)*at))
        return false;
    dot = strchr(at, '.');
    scale = dot ? (int)strlen(dot + 1) : 0;
    if (dot && strchr(dot + 1, '.'))
        return false;
    if (column->scale < 0)
        column->scale = scale;
    return scale == column->scale && scale < 10;
}

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The number of a value; -1 if there are too many. */
static int code_of(proving *p, size_t v, const char *text)
{
    recount_view *view = &p->view[v];

    for (size_t i = 0; i < view->n; i++)
        if (same(view->value[i], text))
            return (int)i;
    if (view->n == JOB_MOST_ROWS) {
        prover_say(p, PROOF_OPEN, "too many values");
        return -1;
    }
    view->row[view->n] = view->n;
    view->value[view->n] = text;
    return (int)view->n++;
}

static void add_prior(proving *p, size_t v, const char *text, const json_t *count)
{
    const int code = code_of(p, v, text);

    if (!json_is_integer(count) || json_integer_value(count) < 0 || json_integer_value(count) > 1000000000)
        prover_say(p, PROOF_OPEN, "a count of a prior that is none, or huge");
    else if (code >= 0)
        p->view[v].prior[code] += json_integer_value(count);
}

static const char *joined(proving *p, const char *a, const char *b)
{
    return job_format(p->job, "%s\x01%s", a ? a : "\x02", b ? b : "\x02");
}

/* A value by its key in a prior; NULL: missing. */
static const char *label_of(const proving *p, size_t v, const char *key)
{
    return key && strcmp(key, "null") == 0 && p->view[v].column->has_missing ? NULL : key;
}

static void read_priors(proving *p)
{
    const json_t *prior = json_object_get(p->manifest, "prior"),
                 *cells = json_object_get(json_object_get(p->manifest, "joint_prior"), "cells");
    const char *key;
    json_t *count;

    for (size_t v = 0; v < p->job->n_sensitive; v++) {
        json_t *counts = json_object_get(prior, p->view[v].column->name);

        p->has_prior[v] = counts != NULL;
        json_object_foreach(counts, key, count) add_prior(p, v, label_of(p, v, key), count);
    }
    for (size_t i = 0; i < json_array_size(cells) && p->n_views == 3; i++) {
        const json_t *cell = json_array_get(cells, i), *values = json_object_get(cell, "values");

        p->has_prior[2] = true;
        add_prior(p, 2,
                  joined(p, label_of(p, 0, json_string_value(json_array_get(values, 0))),
                         label_of(p, 1, json_string_value(json_array_get(values, 1)))),
                  json_object_get(cell, "count"));
    }
}

/* --- values in the order of their attribute; hierarchies --- */

static const job_column *sorted_by; /* qsort passes nothing on */

static long rank_of(const char *text)
{
    for (size_t i = 0; i < sorted_by->n_order; i++)
        if (strcmp(sorted_by->order[i], text) == 0)
            return (long)i;
    return (long)sorted_by->n_order;
}

static int compare_values(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int64_t i, j;

    if (!x || !y)
        return (x != NULL) - (y != NULL);
    i = sorted_by->type == COVEY_TYPE_TEXT ? rank_of(x) : job_number(sorted_by, x);
    j = sorted_by->type == COVEY_TYPE_TEXT ? rank_of(y) : job_number(sorted_by, y);
    return i != j ? (i > j) - (i < j) : strcmp(x, y);
}

/* The labels of each value, from itself to the root. */
static void read_hierarchy(proving *p, const char *file, job_column *column, const recount_view *view)
{
    FILE *stream = fopen(job_format(p->job, "%s/%s", p->folder, file), "r");
    char line[1024];
    size_t n_found = 0;

    for (; stream && fgets(line, sizeof line, stream);) {
        size_t n = 0, v = 0;
        char *save, *cell;
        const char *level[JOB_MOST_LEVELS];

        if (strchr(line, '"'))
            break;
        for (cell = strtok_r(line, ";\n", &save); cell && n < JOB_MOST_LEVELS; cell = strtok_r(NULL, ";\n", &save))
            level[n++] = job_format(p->job, "%s", cell);
        while (n > 0 && v < view->n && !same(view->value[v], level[0]))
            v++;
        if (v == view->n || n == 0)
            continue;
        if (cell || (column->n_levels > 0 && n != column->n_levels))
            break;
        column->n_levels = n;
        memcpy(column->level[v], level, n * sizeof *level);
        n_found++;
    }
    if (stream)
        fclose(stream);
    if (n_found != view->n)
        column->n_levels = 0; /* not known */
}

static bool finish_views(proving *p)
{
    for (size_t v = 0; v < p->job->n_sensitive; v++) {
        job_column *column = &p->job->column[p->job->sensitive[v]];

        for (size_t i = 0; i < p->view[v].n && column->type != COVEY_TYPE_TEXT; i++)
            if (p->view[v].value[i] && !is_number(column, p->view[v].value[i])) {
                prover_say(p, PROOF_OPEN, "%s is no number of its column", p->view[v].value[i]);
                return false;
            }
        if (column->scale < 0)
            column->scale = 0;
    }
    return true;
}

/* Codes are given as values come; only then is their order known, and rows are counted again. */
static void sort_view(proving *p, size_t v)
{
    recount_view *view = &p->view[v];
    int64_t prior[JOB_MOST_ROWS],
        (*count)[JOB_MOST_ROWS] = covey_arena_alloc_zero(&p->job->arena, p->n_groups + 1, sizeof *count);
    const char *before[JOB_MOST_ROWS];

    memcpy(before, view->value, view->n * sizeof *before);
    memcpy(prior, view->prior, sizeof prior);
    for (size_t g = 0; g < p->n_groups; g++)
        memcpy(count[g], p->group[g].count[v], sizeof *count);
    if ((sorted_by = view->column))
        qsort(view->value, view->n, sizeof *view->value, compare_values);
    view->n_rows = 0;
    for (size_t i = 0; i < view->n; i++) {
        size_t old = 0;

        while (!same(before[old], view->value[i]))
            old++;
        view->prior[i] = prior[old];
        view->n_rows += prior[old];
        for (size_t g = 0; g < p->n_groups; g++)
            p->group[g].count[v][i] = count[g][old];
    }
}

/* --- promises --- */

/* "[[a, b]]", one group of plain words. */
static bool read_groups(proving *p, job_promise *to, const char *text)
{
    char *words = strdup(text), *save = NULL;
    const size_t n = strlen(words);
    bool ok = n > 4 && strncmp(words, "[[", 2) == 0 && strcmp(words + n - 2, "]]") == 0 && !strpbrk(words, "\"'\\{}") &&
              !strstr(words + 2, "[");

    if (ok)
        words[n - 2] = '\0';
    for (char *word = ok ? strtok_r(words + 2, ",", &save) : NULL; word && ok; word = strtok_r(NULL, ",", &save))
        if ((ok = to->n_set < 3))
            to->set[to->n_set++] = job_format(p->job, "%s", word + (*word == ' '));
    free(words);
    return ok;
}

static bool read_beta(proving *p, job_promise *to, const json_t *promise)
{
    const char *sides = prover_param(promise, "two-sided"), *groups = prover_param(promise, "groups"),
               *near = prover_param(promise, "proximity");
    int64_t num, den;
    int used = 0;
    char text[32];

    if (!prover_ratio(&to->num, &to->den, prover_param(promise, "beta")))
        return false;
    if (sides && strcmp(sides, "ratio") == 0)
        to->ratio = true;
    else if (sides && (sscanf(sides, "{difference: %31[0-9./]}", text) != 1 || !prover_ratio(&num, &den, text) ||
                       num * 10 % den))
        return false;
    else if (sides)
        to->loss = num * 10 / den;
    if (groups && !read_groups(p, to, groups))
        return false;
    if (near && (sscanf(near, "{window: %" SCNd64 "}%n", &to->window, &used) != 1 || near[used]))
        return false;
    if (prover_param(promise, "group-beta")) {
        if (!prover_ratio(&num, &den, prover_param(promise, "group-beta")) || num * 4 % den || num == 0)
            return false;
        to->group = num * 4 / den;
    }
    return true;
}

static bool read_whole(int64_t *out, const json_t *promise, const char *name)
{
    int64_t den = 0;

    return prover_ratio(out, &den, prover_param(promise, name)) && den == 1;
}

static const struct reading {
    const char *model, *ratio, *k, *l;
} readings[] = {
    {"k-anonymity", NULL, "k", NULL},
    {"distinct-l-diversity", NULL, NULL, "l"},
    {"probabilistic-l-diversity", "l", NULL, NULL},
    {"entropy-l-diversity", "l", NULL, NULL},
    {"recursive-cl-diversity", "c", NULL, "l"},
    {"alpha-k-anonymity", "alpha", "k", NULL},
    {"p-sensitive-k-anonymity", NULL, "k", "p"},
    {"t-closeness", "t", NULL, NULL},
    {"delta-disclosure", "delta", NULL, NULL},
    {"ke-anonymity", "e", "k", NULL},
    {"min-length", "length", NULL, NULL},
};

/* Which view, or which quasi-identifier. */
static bool find_attribute(proving *p, job_promise *to, const json_t *promise)
{
    const char *name = json_string_value(json_object_get(promise, "attribute"));

    to->view = -1;
    if (json_is_true(json_object_get(promise, "joint"))) {
        to->view = (int)p->n_views - 1;
        to->joint = true;
        return p->n_views == 3;
    }
    for (size_t c = 0; name && c < p->job->n_columns; c++)
        if (strcmp(p->job->column[c].name, name) == 0)
            to->column = c;
    for (size_t v = 0; name && v < p->job->n_sensitive; v++)
        if (strcmp(p->view[v].column->name, name) == 0)
            to->view = (int)v;
    return !name || strcmp(p->job->column[to->column].name, name) == 0;
}

static bool read_promise(proving *p, job_promise *to, const json_t *promise)
{
    const char *distance = prover_param(promise, "distance");

    *to = (job_promise){.model = text_at(promise, "model"), .den = 1, .word = prover_param(promise, "value")};
    if (!find_attribute(p, to, promise))
        return false;
    if (strcmp(to->model, "k-anonymity") != 0 && strcmp(to->model, "min-length") != 0 && to->view < 0)
        return false;
    if (strstr(to->model, "beta-likeness"))
        return read_beta(p, to, promise);
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        const struct reading *r = &readings[i];

        if (strcmp(r->model, to->model) != 0)
            continue;
        if (strcmp(r->model, "t-closeness") == 0)
            to->word = distance ? distance : "equal";
        return (!r->ratio || prover_ratio(&to->num, &to->den, prover_param(promise, r->ratio))) &&
               (!r->k || read_whole(&to->k, promise, r->k)) && (!r->l || read_whole(&to->l, promise, r->l));
    }
    return false;
}

/* What recount.c takes for granted of the jobs that it was written for. */
static bool can_be_judged(const proving *p, const job_promise *promise)
{
    const recount_view *view = promise->view >= 0 ? &p->view[promise->view] : NULL;
    const char *distance = strcmp(promise->model, "t-closeness") == 0 ? promise->word : "";
    const bool is_line = strcmp(distance, "ordered") == 0 || strcmp(distance, "numeric") == 0 || promise->window > 0;

    if (strcmp(distance, "js-smoothed") == 0 || (is_line && (!view->column || (view->n > 0 && !view->value[0]))))
        return false;
    if (is_line && view->column->type == COVEY_TYPE_TEXT &&
        (view->column->n_order == 0 || strcmp(distance, "numeric") == 0))
        return false;
    if (strcmp(promise->model, "ke-anonymity") == 0 && (!view->column || view->column->type == COVEY_TYPE_TEXT))
        return false;
    if (strcmp(distance, "hierarchical") == 0 && (!view->column || view->column->n_levels < 2))
        return false;
    return !recount_needs_prior(promise) || p->has_prior[promise->view];
}

static void judge_suppressed(proving *p, const job_promise *promise, const recount_class *gone)
{
    recount_figure figure;
    bool sure;

    if (promise->view >= 0 && !p->has_prior[promise->view])
        return;
    if (!recount_holds(&figure, &sure, p->job, promise, p->view, gone))
        prover_say(p, sure ? PROOF_BROKEN : PROOF_OPEN, "the suppressed rows break %s", promise->model);
}

static void judge_promise(proving *p, const json_t *json, const recount_class *gone)
{
    job_promise promise;

    if (!read_promise(p, &promise, json) || !can_be_judged(p, &promise)) {
        prover_say(p, PROOF_OPEN, "%s is not judged with these parameters", text_at(json, "model"));
        return;
    }
    for (size_t g = 0; g < p->n_groups; g++) {
        recount_figure figure;
        bool sure;

        if (!recount_holds(&figure, &sure, p->job, &promise, p->view, &p->group[g]))
            prover_say(p, sure ? PROOF_BROKEN : PROOF_OPEN, "class %s of %lld rows breaks %s", p->class_name[g],
                       (long long)p->group[g].size, promise.model);
    }
    if (gone->size > 0)
        judge_suppressed(p, &promise, gone);
}

/* What priors leave when the published rows are gone. */
static void count_suppressed(recount_class *gone, proving *p, int64_t n_published)
{
    const int64_t n_gone = json_integer_value(json_object_get(p->manifest, "suppressed_rows"));

    for (size_t c = 0; c < p->job->n_columns; c++)
        gone->width[c] = -1; /* they are published nowhere */
    for (size_t v = 0; v < p->n_views; v++) {
        recount_view *view = &p->view[v];

        if (p->has_prior[v] && view->n_rows != n_published + n_gone)
            prover_say(p, PROOF_BROKEN, "a prior of %lld rows", (long long)view->n_rows);
        for (size_t i = 0; p->has_prior[v] && i < view->n; i++) {
            gone->count[v][i] = view->prior[i];
            for (size_t g = 0; g < p->n_groups; g++)
                gone->count[v][i] -= p->group[g].count[v][i];
            if (gone->count[v][i] < 0)
                prover_say(p, PROOF_BROKEN, "a prior below what is published");
        }
        if (p->has_prior[v])
            gone->size = n_gone;
    }
}

static void judge_groups(proving *p)
{
    const json_t *promises = json_object_get(p->manifest, "promises");
    recount_class *gone = covey_arena_alloc_zero(&p->job->arena, 1, sizeof *gone);
    int64_t n_published = 0;

    if (!finish_views(p))
        return;
    for (size_t v = 0; v < p->n_views; v++)
        sort_view(p, v);
    for (size_t v = 0; v < p->job->n_sensitive; v++) {
        const char *file =
            text_at(json_array_get(json_object_get(p->manifest, "columns"), p->job->sensitive[v]), "hierarchy");

        if (*file)
            read_hierarchy(p, file, &p->job->column[p->job->sensitive[v]], &p->view[v]);
    }
    for (size_t g = 0; g < p->n_groups; g++)
        n_published += p->group[g].size;
    count_suppressed(gone, p, n_published);
    if (p->answer == PROOF_BROKEN)
        return;
    for (size_t i = 0; i < json_array_size(promises); i++)
        judge_promise(p, json_array_get(promises, i), gone);
}

/* --- generalized --- */

/* The width of a published range, scaled; -1: not known. */
static int64_t width_of(proving *p, job_column *column, const char *cell, const json_t *domain)
{
    const char *comma = strstr(cell, ", ");
    const json_t *low = json_array_get(domain, 0), *high = json_array_get(domain, 1);
    const char *from, *to;

    if (strcmp(cell, "null") == 0)
        return 0;
    if (strcmp(cell, "*") == 0 && json_is_integer(low) && json_is_integer(high))
        return json_integer_value(high) - json_integer_value(low);
    if (strcmp(cell, "*") == 0) {
        from = json_string_value(low);
        to = json_string_value(high);
    } else if (*cell == '[' && comma && cell[strlen(cell) - 1] == ']') {
        from = job_format(p->job, "%.*s", (int)(comma - cell - 1), cell + 1);
        to = job_format(p->job, "%.*s", (int)strlen(comma + 2) - 1, comma + 2);
    } else {
        from = to = cell;
    }
    if (!from || !to || !is_number(column, from) || !is_number(column, to))
        return -1;
    return job_number(column, to) - job_number(column, from);
}

static void count_row(proving *p, const plain_table *table, size_t row, int g)
{
    const char *cell[JOB_MOST_SENSITIVE + 1] = {NULL};

    p->group[g].size++;
    for (size_t v = 0; v < p->job->n_sensitive; v++) {
        cell[v] = plain_cell(table, row, p->job->sensitive[v] + 1);
        if (!*cell[v] && p->view[v].column->has_missing)
            cell[v] = NULL;
    }
    cell[2] = p->n_views == 3 ? joined(p, cell[0], cell[1]) : NULL;
    for (size_t v = 0; v < p->n_views; v++) {
        const int code = code_of(p, v, cell[v]);

        if (code >= 0)
            p->group[g].count[v][code]++;
    }
}

/* All rows of a class look alike. */
static void compare_cells(proving *p, const plain_table *table, size_t row, size_t first)
{
    for (size_t c = 0; c < p->job->n_columns; c++)
        if (p->job->column[c].role == COVEY_ROLE_QUASI &&
            strcmp(plain_cell(table, row, c + 1), plain_cell(table, first, c + 1)) != 0)
            prover_say(p, PROOF_BROKEN, "rows of class %s differ", plain_cell(table, row, 0));
}

static void prove_generalized(proving *p)
{
    const json_t *columns = json_object_get(p->manifest, "columns");
    size_t first[PROVER_MOST_CLASSES];
    plain_table table;

    if (!prover_read(&table, p, "table.csv") || table.n_columns != p->job->n_columns + 1) {
        prover_say(p, PROOF_OPEN, "table.csv has other columns");
        return;
    }
    for (size_t row = 0; row < table.n_rows; row++) {
        const size_t before = p->n_groups;
        const int g = prover_class(p, plain_cell(&table, row, 0));

        if (g < 0)
            return;
        if (p->n_groups > before)
            first[g] = row;
        for (size_t c = 0; p->n_groups > before && c < p->job->n_columns; c++)
            if (p->job->column[c].is_range)
                p->group[g].width[c] = width_of(p, &p->job->column[c], plain_cell(&table, row, c + 1),
                                                json_object_get(json_array_get(columns, c), "domain"));
        compare_cells(p, &table, row, first[g]);
        count_row(p, &table, row, g);
    }
    judge_groups(p);
}

/* --- bucketized --- */

static void prove_bucketized(proving *p)
{
    plain_table quasi, values;
    size_t column, rows[PROVER_MOST_CLASSES] = {0};

    if (p->job->n_sensitive != 1 || !prover_read(&quasi, p, "quasi.csv") || !prover_read(&values, p, "sensitive.csv") ||
        values.n_columns != 3 || !prover_column(&column, p, &values, p->view[0].column->name)) {
        prover_say(p, PROOF_OPEN, "tables with other columns");
        return;
    }
    for (size_t line = 0; line < values.n_rows; line++) {
        const int g = prover_class(p, plain_cell(&values, line, 0));
        const char *text = plain_cell(&values, line, column);
        const int code = code_of(p, 0, *text || !p->view[0].column->has_missing ? text : NULL);
        int64_t count, den;

        if (g < 0 || code < 0 || !prover_ratio(&count, &den, plain_cell(&values, line, 2)) || den != 1) {
            prover_say(p, PROOF_OPEN, "line %zu of sensitive.csv", line + 2);
            return;
        }
        p->group[g].count[0][code] += count;
        p->group[g].size += count;
    }
    for (size_t row = 0; row < quasi.n_rows; row++) {
        const int g = prover_class(p, plain_cell(&quasi, row, 0));

        if (g < 0)
            return;
        rows[g]++;
    }
    for (size_t g = 0; g < p->n_groups; g++)
        if ((int64_t)rows[g] != p->group[g].size)
            prover_say(p, PROOF_BROKEN, "group %s has %zu rows and %lld values", p->class_name[g], rows[g],
                       (long long)p->group[g].size);
    judge_groups(p);
}

/* --- presets: what the rules of data holders ask of classes --- */

static void judge_presets(proving *p)
{
    static const struct {
        const char *name;
        int64_t k;
    } known[] = {{"cms11", 11}, {"ema9", 12}, {"ipc-low", 12}, {"ipc-medium", 14}, {"ipc-high", 20}};
    const json_t *presets = json_object_get(p->manifest, "presets"),
                 *promises = json_object_get(p->manifest, "promises");

    for (size_t i = 0; i < json_array_size(presets); i++) {
        const char *name = json_string_value(json_array_get(presets, i));
        int64_t asks = 0, k, most = 0;

        for (size_t j = 0; name && j < sizeof known / sizeof *known; j++)
            asks = strcmp(known[j].name, name) == 0 ? known[j].k : asks;
        for (size_t j = 0; j < json_array_size(promises); j++)
            if (strcmp(text_at(json_array_get(promises, j), "model"), "k-anonymity") == 0 &&
                read_whole(&k, json_array_get(promises, j), "k") && k > most)
                most = k;
        if (asks > most)
            prover_say(p, PROOF_BROKEN, "%s asks for k = %lld", name, (long long)asks);
        else if (asks == 0)
            prover_say(p, PROOF_OPEN, "the preset %s is not known here", name ? name : "?");
    }
}

proof prove_release(char *why, size_t size_bytes, const char *folder)
{
    static random_job job;
    static proving p;
    static const struct {
        const char *form;
        void (*prove)(proving *p);
    } forms[] = {{"generalized", prove_generalized},
                 {"bucketized", prove_bucketized},
                 {"sliced", prove_sliced},
                 {"perturbed", prove_perturbed},
                 {"transformed", prove_transformed}};
    void (*prove)(proving * p) = NULL;

    memset(&job, 0, sizeof job);
    p = (proving){.folder = folder, .why = why, .why_bytes = size_bytes, .job = &job, .answer = PROOF_HOLDS};
    *why = '\0';
    p.folder = job_format(&job, "%s", folder);
    p.group = covey_arena_alloc_zero(&job.arena, PROVER_MOST_CLASSES, sizeof *p.group);
    assert_non_null(p.group);
    p.manifest = json_load_file(job_format(&job, "%s/manifest.json", folder), 0, NULL);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(text_at(p.manifest, "form"), forms[i].form) == 0)
            prove = forms[i].prove;
    if (prove && read_columns(&p)) {
        read_priors(&p);
        judge_presets(&p);
        prove(&p);
    } else {
        prover_say(&p, PROOF_OPEN, "a manifest that is not understood here");
    }
    json_decref(p.manifest);
    covey_arena_free(&job.arena);
    return p.answer;
}
