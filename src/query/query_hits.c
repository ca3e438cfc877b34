/* Counts the rows of each group that satisfy a condition.
 *
 * A row's cells name its combination of atoms, and the truth of all combinations is a table: so a row costs one addition per column of the
 * condition and one look-up, whatever the condition is. */
#include "query/query_buckets.h"

#include <string.h>

#include "base/threads.h"

enum { MOST_SENSITIVE_ATOMS = 64, ROWS_PER_TASK = 1 << 17, MOST_TASKS = 64 };

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "no memory for the rows of a query");
}

/* --- the table of truth --- */

static covey_status add_column(covey_row_scan *scan, const covey_condition_attribute *a, uint32_t stride, covey_arena *arena, covey_error *err)
{
    uint32_t n = a->column->text->n_values, *offset = covey_arena_array(arena, uint32_t, n);

    if (!offset)
        return no_memory(err);
    for (uint32_t cell = 0; cell < n; cell++)
        offset[cell] = a->share[a->start[cell]].atom * stride;
    scan->text[scan->n_columns] = a->column->text;
    scan->offset[scan->n_columns++] = offset;
    return COVEY_OK;
}

static void fill_accepts(covey_row_scan *scan, uint32_t *atom)
{
    const covey_condition *condition = scan->condition;
    uint32_t n_atoms = scan->sensitive < 0 ? 1 : condition->attribute[scan->sensitive].n_atoms;

    for (uint32_t kind = 0; kind < scan->n_kinds; kind++) {
        scan->accepts[kind] = 0;
        for (uint32_t s = 0; s < n_atoms; s++) {
            if (scan->sensitive >= 0)
                atom[scan->sensitive] = s;
            scan->accepts[kind] |= (uint64_t)covey_i_condition_holds(condition, atom) << s;
        }
        for (uint32_t i = condition->n_attributes; i-- > 0;) {
            if ((int)i == scan->sensitive)
                continue;
            if (++atom[i] < condition->attribute[i].n_atoms)
                break;
            atom[i] = 0;
        }
    }
}

covey_status covey_i_row_scan_make(covey_row_scan *out, const covey_bound_query *query, covey_arena *arena, covey_error *err)
{
    const covey_condition *condition = &query->condition;
    uint32_t n = condition->n_attributes, *atom = covey_arena_array_zero(arena, uint32_t, n);
    uint64_t n_kinds = 1;

    *out = (covey_row_scan){.condition = condition, .sensitive = -1, .text = covey_arena_array(arena, const covey_column *, n),
                            .offset = covey_arena_array(arena, uint32_t *, n)};
    if (!atom || !out->text || !out->offset)
        return no_memory(err);
    for (uint32_t i = n; i-- > 0;) {
        const covey_condition_attribute *a = &condition->attribute[i];

        if (a->column->role == COVEY_ROLE_SENSITIVE) {
            out->sensitive = (int)i;
            if (a->n_atoms > MOST_SENSITIVE_ATOMS)
                return covey_fail(err, COVEY_EINVAL, "query: the condition tells more than %d kinds of values of \"%s\" apart", MOST_SENSITIVE_ATOMS,
                                  a->column->name);
            continue;
        }
        COVEY_TRY(add_column(out, a, (uint32_t)n_kinds, arena, err));
        if ((n_kinds *= a->n_atoms) > COVEY_CONDITION_MOST_TRUTH)
            return covey_fail(err, COVEY_EINVAL, "query: the condition tells more than %d kinds of rows apart; ask a simpler one",
                              COVEY_CONDITION_MOST_TRUTH);
    }
    out->n_kinds = (uint32_t)n_kinds;
    if (!(out->accepts = covey_arena_array(arena, uint64_t, n_kinds)))
        return no_memory(err);
    fill_accepts(out, atom);
    return COVEY_OK;
}

/* --- rows --- */

#define ADD_OFFSETS(type)                                                                                              \
    do {                                                                                                               \
        const type *codes = column->codes;                                                                             \
        for (uint32_t i = 0; i < n; i++)                                                                               \
            kind[i] += offset[codes[row ? row[i] : first + i]];                                                        \
    } while (0)

static void add_offsets(uint32_t *kind, const covey_column *column, const uint32_t *offset, const uint32_t *row, uint32_t first, uint32_t n)
{
    if (column->width == 1)
        ADD_OFFSETS(uint8_t);
    else if (column->width == 2)
        ADD_OFFSETS(uint16_t);
    else
        ADD_OFFSETS(uint32_t);
}

void covey_i_row_scan(uint64_t *accepts, const covey_row_scan *scan, const uint32_t *row, uint32_t first, uint32_t n)
{
    uint32_t kind[COVEY_SCAN_BLOCK];

    memset(kind, 0, n * sizeof *kind);
    for (uint32_t c = 0; c < scan->n_columns; c++)
        add_offsets(kind, scan->text[c], scan->offset[c], row, first, n);
    for (uint32_t i = 0; i < n; i++)
        accepts[i] = scan->accepts[kind[i]];
}

/* --- groups --- */

struct counting {
    const covey_query_buckets *buckets;
    const covey_row_scan *scan;
    uint32_t n_rows;
    int64_t *hits;                  /* [n_groups] */
    uint32_t begin[MOST_TASKS + 1]; /* first rows of the tasks; no group is in two */
};

static uint32_t group_of_row(const covey_query_buckets *buckets, uint32_t row)
{
    uint32_t low = 0, high = buckets->n_groups;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (buckets->row_start[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static covey_status count_task(void *context, size_t task, covey_error *err)
{
    struct counting *k = context;
    uint64_t accepts[COVEY_SCAN_BLOCK];
    uint32_t begin = k->begin[task], end = k->begin[task + 1];
    uint32_t group = group_of_row(k->buckets, begin);

    for (uint32_t at = begin; at < end; at += COVEY_SCAN_BLOCK) {
        uint32_t n = end - at < COVEY_SCAN_BLOCK ? end - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, k->scan, NULL, at, n);
        for (uint32_t i = 0; i < n; i++) {
            while (at + i >= k->buckets->row_start[group + 1])
                group++;
            k->hits[group] += (int64_t)accepts[i];
        }
    }
    return COVEY_OK;
}

/* Cuts the rows into tasks at groups' ends. */
static size_t cut_into_tasks(struct counting *k)
{
    uint32_t step = k->n_rows / MOST_TASKS + 1 > ROWS_PER_TASK ? k->n_rows / MOST_TASKS + 1 : ROWS_PER_TASK, next = 0;
    size_t n = 0;

    while (next < k->n_rows) {
        next = k->n_rows - next <= step || n + 1 == MOST_TASKS ? k->n_rows : k->buckets->row_start[group_of_row(k->buckets, next + step) + 1];
        k->begin[++n] = next;
    }
    return n;
}

/* Few rows, in ascending order: groups come one after another. */
static covey_status list_hits(covey_query_hits *out, const covey_query_buckets *buckets, const covey_row_scan *scan, const covey_query_rows *rows,
                              covey_arena *arena, covey_error *err)
{
    uint64_t accepts[COVEY_SCAN_BLOCK];

    *out = (covey_query_hits){.hit = covey_arena_array(arena, covey_query_hit, rows->n)};
    if (!out->hit)
        return no_memory(err);
    for (uint32_t at = 0; at < rows->n; at += COVEY_SCAN_BLOCK) {
        uint32_t n = rows->n - at < COVEY_SCAN_BLOCK ? rows->n - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, scan, rows->row + at, 0, n);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t row = rows->row[at + i];

            if (!accepts[i])
                continue;
            if (out->n == 0 || row >= buckets->row_start[out->hit[out->n - 1].group + 1])
                out->hit[out->n++] = (covey_query_hit){group_of_row(buckets, row), 0};
            out->hit[out->n - 1].n++;
            out->total++;
        }
    }
    return COVEY_OK;
}

covey_status covey_i_query_hits(covey_query_hits *out, const covey_query_buckets *buckets, const covey_row_scan *scan, const covey_query_rows *rows,
                                const covey_run *run, covey_arena *arena, covey_error *err)
{
    struct counting k = {.buckets = buckets, .scan = scan, .n_rows = rows->n};
    uint32_t n = 0;

    if (rows->row)
        return list_hits(out, buckets, scan, rows, arena, err);
    if (!(k.hits = covey_arena_array_zero(arena, int64_t, buckets->n_groups)))
        return no_memory(err);
    COVEY_TRY(covey_i_parallel(covey_run_threads(run), cut_into_tasks(&k), count_task, &k, err));
    for (uint32_t g = 0; g < buckets->n_groups; g++)
        n += k.hits[g] > 0;
    *out = (covey_query_hits){.hit = covey_arena_array(arena, covey_query_hit, n)};
    if (!out->hit)
        return no_memory(err);
    for (uint32_t g = 0; g < buckets->n_groups; g++)
        if (k.hits[g] > 0) {
            out->hit[out->n++] = (covey_query_hit){g, k.hits[g]};
            out->total += k.hits[g];
        }
    return COVEY_OK;
}
