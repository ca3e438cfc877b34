/* Which attributes stand together in a column, where the policy does not say it: such as tell much of each other
 * (mean-square contingency, k-medoids).
 *
 * Source: [LiLiZhangMolloy12] section 4.1; [KaufmanRousseeuw90] chapter 2 (PAM). */
#include "method/slicing/slicing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/threads.h"
#include "table/table_impl.h"

enum { MOST_AS_THEY_ARE = 20, INTERVALS = 10 }; /* values of a number that are not cut into intervals; how many else */

/* --- how much attributes tell of each other --- */

/* One attribute for this step: its values, or intervals of about as many rows. */
struct coded {
    void *code;    /* [n_contents] by place in slicing->content, as wide as those of the widest column */
    double *count; /* [n_codes + 1] rows */
    uint32_t n_codes;
};

struct telling {
    const covey_slicing *s;
    struct coded *coded; /* [n_fields] */
    int width;           /* of codes */
    double *distance;    /* [n_fields * n_fields] */
};

static covey_status code_attribute(void *context, size_t field, covey_error *err)
{
    const struct telling *t = context;
    const covey_slicing *s = t->s;
    struct coded *out = &t->coded[field];
    const covey_column *column = s->problem->field[field].column;
    uint32_t *count = covey_i_array_zero(column->n_values, sizeof *count), n_occurring = 0, code = 0;
    uint64_t below = 0;
    bool cuts;

    if (!count)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n_contents; i++)
        count[covey_i_code(column, s->content[i])] += covey_i_slicing_count(s, s->content[i]);
    for (uint32_t v = 0; v < column->n_values; v++)
        n_occurring += count[v] > 0;
    cuts = covey_column_is_number(column) && n_occurring > MOST_AS_THEY_ARE;
    out->n_codes = cuts ? INTERVALS : n_occurring;
    if (!(out->count = covey_i_array_zero((size_t)out->n_codes + 1, sizeof *out->count))) {
        covey_i_free(count);
        return covey_i_no_memory(err);
    }
    for (uint32_t v = 0; v < column->n_values; v++) { /* from here on, count is the code */
        const uint32_t n = count[v];

        if (n == 0)
            continue;
        count[v] = cuts ? (uint32_t)(below * INTERVALS / s->n) : code++;
        out->count[count[v]] += n;
        below += n;
    }
    COVEY_CODES_TYPED(t->width, {
        covey_code *own = out->code;

        for (uint32_t i = 0; i < s->n_contents; i++)
            own[i] = (covey_code)count[covey_i_code(column, s->content[i])];
    });
    covey_i_free(count);
    return COVEY_OK;
}

/* Rows with a pair of codes. */
struct counted {
    uint64_t word;
    uint32_t n;
};

static int compare_counted(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;

    return (x->word > y->word) - (x->word < y->word);
}

static covey_status sum_sorted(double *out, const struct telling *t, const struct coded *a, const struct coded *b,
                               covey_error *err)
{
    const covey_slicing *s = t->s;
    struct counted *pair = covey_i_array(s->n_contents, sizeof *pair);

    if (!pair)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < s->n_contents; i++)
        pair[i] = (struct counted){(uint64_t)covey_i_codes_get(a->code, t->width, i) << 32 |
                                       covey_i_codes_get(b->code, t->width, i),
                                   covey_i_slicing_count(s, s->content[i])};
    qsort(pair, s->n_contents, sizeof *pair, compare_counted);
    for (uint32_t i = 0; i < s->n_contents;) {
        const uint64_t word = pair[i].word;
        double count = 0;

        for (; i < s->n_contents && pair[i].word == word; i++)
            count += pair[i].n;
        *out += count * count / (a->count[word >> 32] * b->count[(uint32_t)word]);
    }
    covey_i_free(pair);
    return COVEY_OK;
}

/* Of all pairs of codes, the square of their rows by those of either code: a table of counts while it is small, else
 * sorted pairs. */
static covey_status sum_cells(double *out, const struct telling *t, const struct coded *a, const struct coded *b,
                              covey_error *err)
{
    const covey_slicing *s = t->s;
    const uint64_t n_cells = (uint64_t)a->n_codes * b->n_codes;
    uint32_t *cell;

    *out = 0;
    if (n_cells > (uint64_t)4 * s->n_contents + 4096)
        return sum_sorted(out, t, a, b, err);
    if (!(cell = covey_i_array_zero(n_cells, sizeof *cell)))
        return covey_i_no_memory(err);
    COVEY_CODES_TYPED(t->width, {
        const covey_code *x = a->code, *y = b->code;

        for (uint32_t i = 0; i < s->n_contents; i++)
            cell[(size_t)x[i] * b->n_codes + y[i]] += covey_i_slicing_count(s, s->content[i]);
    });
    for (uint32_t x = 0; x < a->n_codes; x++)
        for (uint32_t y = 0; y < b->n_codes; y++) {
            const double count = cell[(size_t)x * b->n_codes + y];

            if (count > 0)
                *out += count * count / (a->count[x] * b->count[y]);
        }
    covey_i_free(cell);
    return COVEY_OK;
}

/* The distance of two attributes. */
static covey_status find_distance(void *context, size_t task, covey_error *err)
{
    const struct telling *t = context;
    const size_t n = t->s->problem->n_fields, a = task / n, b = task % n;
    const uint32_t least = t->coded[a].n_codes < t->coded[b].n_codes ? t->coded[a].n_codes : t->coded[b].n_codes;
    double phi = 0;

    if (b > a)
        return COVEY_OK;
    if (a != b && least > 1) {
        COVEY_TRY(sum_cells(&phi, t, &t->coded[a], &t->coded[b], err));
        phi = (phi - 1) / (least - 1);
    }
    t->distance[a * n + b] = t->distance[b * n + a] = a == b ? 0 : 1 - phi;
    return COVEY_OK;
}

/* distance[n * n]: 1 - phi^2, phi^2 the mean-square contingency coefficient. */
static covey_status find_distances(double *distance, const covey_slicing *s, const covey_run *run, covey_error *err)
{
    const size_t n = s->problem->n_fields;
    const covey_arena_mark mark = covey_arena_save(s->arena);
    struct telling t = {.s = s, .coded = covey_arena_array_zero(s->arena, struct coded, n), .distance = distance};
    covey_status status = COVEY_OK;

    if (!t.coded)
        return covey_i_no_memory(err);
    for (size_t f = 0; f < n; f++)
        t.width = s->problem->field[f].column->width > t.width ? s->problem->field[f].column->width : t.width;
    for (size_t f = 0; f < n; f++)
        if (!(t.coded[f].code = covey_arena_alloc(s->arena, s->n_contents, (size_t)t.width)))
            return covey_i_no_memory(err);
    if ((status = covey_i_parallel(covey_run_threads(run), n, code_attribute, &t, err)) == COVEY_OK)
        status = covey_i_parallel(covey_run_threads(run), n * n, find_distance, &t, err);
    for (size_t f = 0; f < n; f++)
        covey_i_free(t.coded[f].count);
    covey_arena_rewind(s->arena, mark);
    return status;
}

/* --- k-medoids --- */

/* Sum over attributes of the distance to the nearest medoid: one of those that `nearest` is about, or a. */
static double cost_with(const double *distance, size_t n, const double *nearest, size_t a)
{
    double sum = 0;

    for (size_t b = 0; b < n; b++)
        sum += distance[a * n + b] < nearest[b] ? distance[a * n + b] : nearest[b];
    return sum;
}

/* nearest: [n] how far the nearest medoid is, but for the one at place `not`. */
static void find_nearest(double *nearest, const size_t *medoid, size_t k, const double *distance, size_t n, size_t not )
{
    for (size_t b = 0; b < n; b++)
        nearest[b] = INFINITY;
    for (size_t i = 0; i < k; i++)
        for (size_t b = 0; b < n && i != not ; b++)
            nearest[b] = distance[medoid[i] * n + b] < nearest[b] ? distance[medoid[i] * n + b] : nearest[b];
}

static bool is_medoid(const size_t *medoid, size_t k, size_t a)
{
    for (size_t i = 0; i < k; i++)
        if (medoid[i] == a)
            return true;
    return false;
}

/* The attribute that, beside k medoids but for the one at place `not`, leaves the least cost, if that is less than
 * *best. */
static bool find_better(size_t *better, double *best, double *nearest, const size_t *medoid, size_t k, size_t not,
                        const double *distance, size_t n)
{
    bool is_found = false;

    find_nearest(nearest, medoid, k, distance, n, not );
    for (size_t a = 0; a < n; a++) {
        const double cost = is_medoid(medoid, k, a) ? INFINITY : cost_with(distance, n, nearest, a);

        if (cost < *best - 1e-12) {
            *best = cost;
            *better = a;
            is_found = true;
        }
    }
    return is_found;
}

/* BUILD: the attribute that lowers the cost most, one after another; then SWAP while the cost falls.  Ties to the
 * earlier attribute.  nearest: [n] scratch. */
static void find_medoids(size_t *medoid, size_t k, const double *distance, double *nearest, size_t n)
{
    double best = INFINITY;
    bool falls = true;

    for (size_t i = 0; i < k; i++) {
        best = INFINITY;
        find_better(&medoid[i], &best, nearest, medoid, i, SIZE_MAX, distance, n);
    }
    while (falls) {
        size_t out = SIZE_MAX, in = 0;

        for (size_t i = 0; i < k; i++)
            if (find_better(&in, &best, nearest, medoid, k, i, distance, n))
                out = i;
        falls = out != SIZE_MAX;
        if (falls)
            medoid[out] = in;
    }
}

/* The nearest medoid but `not`; ties to the earlier one. */
static size_t nearest_medoid(const size_t *medoid, size_t k, const double *distance, size_t n, size_t a, size_t not )
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < k; i++)
        if (i != not &&(best == SIZE_MAX || distance[a * n + medoid[i]] < distance[a * n + medoid[best]] - 1e-12))
            best = i;
    return best;
}

/* cluster: [n] which of the k medoids is nearest; scratch: [n]. */
static void form_clusters(size_t *cluster, size_t *medoid, size_t k, const double *distance, double *scratch, size_t n)
{
    find_medoids(medoid, k, distance, scratch, n);
    for (size_t a = 0; a < n; a++)
        cluster[a] = nearest_medoid(medoid, k, distance, n, a, SIZE_MAX);
    for (size_t i = 0; i < k; i++)
        cluster[medoid[i]] = i;
}

covey_status covey_i_slicing_distances(const double **out, const covey_slicing *s, const covey_run *run,
                                       covey_error *err)
{
    const size_t n = s->problem->n_fields;
    double *distance = covey_arena_array(s->arena, double, n *n);

    if (!distance)
        return covey_i_no_memory(err);
    COVEY_TRY(find_distances(distance, s, run, err));
    *out = distance;
    return COVEY_OK;
}

covey_status covey_i_slicing_cluster(size_t *cluster, size_t k, const size_t *list, size_t n, const double *all,
                                     const covey_slicing *s, covey_error *err)
{
    const size_t n_fields = s->problem->n_fields;
    double *distance = covey_arena_array(s->arena, double, n *n), *scratch = covey_arena_array(s->arena, double, n);
    size_t *medoid = covey_arena_array(s->arena, size_t, n);

    if (!distance || !scratch || !medoid)
        return covey_i_no_memory(err);
    if (k == n) { /* one each */
        for (size_t a = 0; a < n; a++)
            cluster[a] = a;
        return COVEY_OK;
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            distance[a * n + b] = all[list[a] * n_fields + list[b]];
    form_clusters(cluster, medoid, k, distance, scratch, n);
    return COVEY_OK;
}

/* --- found columns --- */

/* Could the whole table be one bucket, if these attributes stood beside the sensitive one? */
static covey_status try_sensitive_column(bool *holds, covey_slicing *s, const size_t *field, size_t n, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(s->arena);
    covey_slice slice = {n, field};
    covey_slicing trial = *s;
    covey_slicing_test test;

    trial.slice = &slice;
    trial.n_slices = 1;
    COVEY_TRY(covey_i_slicing_number_sets(&trial, err));
    COVEY_TRY(covey_i_slicing_test_new(&test, &trial, err));
    *holds = covey_i_slicing_all_hold(&test);
    covey_arena_rewind(s->arena, mark);
    return COVEY_OK;
}

/* Attributes of the sensitive cluster, nearest to the sensitive one first, stay while there is room and the promise
 * allows it; the others move to the next nearest medoid.  Where the promise does not allow the nearest one, none
 * further away is put in its place: the promise just about allows it, tells less by it and forbids cuts for it
 * (docs/design/slicing.md). */
static covey_status fill_sensitive_column(size_t *cluster, size_t own, const size_t *medoid, size_t k,
                                          const double *distance, covey_slicing *s, size_t *n_moved, covey_error *err)
{
    const size_t n = s->problem->n_fields;
    size_t *column = covey_arena_array(s->arena, size_t, n + 1), n_column = 0;
    bool *looked_at = covey_arena_array_zero(s->arena, bool, n), has_room = true;

    if (!column || !looked_at)
        return covey_i_no_memory(err);
    for (;;) {
        size_t next = SIZE_MAX;
        bool fits = false;

        for (size_t a = 0; a < n; a++)
            if (a != s->sensitive && cluster[a] == own && !looked_at[a] &&
                (next == SIZE_MAX || distance[a * n + s->sensitive] < distance[next * n + s->sensitive] - 1e-12))
                next = a;
        if (next == SIZE_MAX)
            return COVEY_OK;
        looked_at[next] = true;
        if (has_room && n_column + 1 < (size_t)s->params->sensitive_size) {
            column[n_column] = next;
            column[n_column + 1] = s->sensitive;
            COVEY_TRY(try_sensitive_column(&fits, s, column, n_column + 2, err));
        }
        if (fits) {
            n_column++;
            continue;
        }
        has_room = false;
        ++*n_moved;
        cluster[next] = nearest_medoid(medoid, k, distance, n, next, own);
        if (cluster[next] == SIZE_MAX)
            cluster[next] = k; /* there is no other: a column of its own for all that do not fit */
    }
}

covey_status covey_i_slicing_found_columns(covey_slicing *s, const covey_run *run, covey_error *err)
{
    const size_t n = s->problem->n_fields;
    size_t k = s->params->one_per_column  ? n
               : s->params->n_columns > 0 ? (size_t)s->params->n_columns
                                          : (n + 2) / 3,
           own;
    double *distance = covey_arena_array(s->arena, double, n *n), *scratch = covey_arena_array(s->arena, double, n);
    size_t *medoid = covey_arena_array(s->arena, size_t, n + 1), *cluster = covey_arena_array(s->arena, size_t, n);

    k = k < 2 ? 2 : k;
    k = k > n ? n : k;
    s->slice = covey_arena_array_zero(s->arena, covey_slice, n + 1);
    if (!distance || !scratch || !medoid || !cluster || !s->slice)
        return covey_i_no_memory(err);
    if (s->params->one_per_column) {
        for (size_t a = 0; a < n; a++)
            cluster[a] = medoid[a] = a;
    } else {
        COVEY_TRY(find_distances(distance, s, run, err));
        form_clusters(cluster, medoid, k, distance, scratch, n);
    }
    own = cluster[s->sensitive];
    s->n_holding = 1;
    if (!s->params->one_per_column)
        COVEY_TRY(fill_sensitive_column(cluster, own, medoid, k, distance, s, &s->n_moved, err));
    for (size_t c = 0; c <= k; c++) {
        const size_t i = c == k ? own : c == own ? k : c; /* the sensitive column last, what found no place before it */
        size_t *field = covey_arena_array(s->arena, size_t, n), m = 0;

        if (!field)
            return covey_i_no_memory(err);
        for (size_t a = 0; a < n; a++)
            if (cluster[a] == i && a != s->sensitive)
                field[m++] = a;
        if (i == own)
            field[m++] = s->sensitive;
        if (m > 0)
            s->slice[s->n_slices++] = (covey_slice){m, field};
    }
    return s->params->overlap.num > 0 ? covey_i_slicing_overlap_columns(s, distance, err) : COVEY_OK;
}
