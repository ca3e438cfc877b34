/* The one pass over a table: values, counts, widths.  Every piece brings dictionaries of its own, whose values are
 * looked up in one growing dictionary per column (growing_values.h). */
#include "parts/plan/gather.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/threads.h"
#include "parts/plan/growing_values.h"
#include "parts/plan/row_sample.h"

enum { SLICE = 1 << 14 };

struct covey_gathered {
    covey_plan *plan;
    covey_preparing *s;
    covey_spill *spill; /* NULL: none */
    size_t n_columns;
    covey_growing_values *values; /* [n_columns] */
    size_t *quasi, n_quasi;       /* columns */
    covey_row_sample sample;      /* with the codes of the quasi-identifiers */
    uint64_t *hash;               /* [hash_capacity] of the piece's rows */
    size_t hash_capacity;
    covey_arena arena;
};

static covey_status start(covey_gathered *g, covey_error *err)
{
    const covey_preparing *s = g->s;

    g->n_columns = s->p->n_columns;
    g->values = covey_arena_array_zero(&g->arena, covey_growing_values, g->n_columns);
    g->quasi = covey_arena_array(&g->arena, size_t, g->n_columns);
    if (!g->values || !g->quasi)
        return covey_i_no_memory(err);
    for (size_t c = 0; c < g->n_columns; c++) {
        if (!covey_i_dictionary_init(&g->values[c].dictionary))
            return covey_i_no_memory(err);
        if (s->role[c] == COVEY_ROLE_QUASI)
            g->quasi[g->n_quasi++] = c;
    }
    return covey_i_row_sample_init(&g->sample, g->n_quasi, err);
}

/* A piece of the table. */
struct piece {
    covey_gathered *g;
    int64_t *kept, n;         /* rows that stay; NULL: all */
    const covey_column **raw; /* [n_columns] */
    covey_column **picked;    /* [n_columns] owned; NULL: no row was dropped */
    uint32_t **map;           /* [n_columns] our code of each value */
    uint64_t **hash;          /* [n_columns] of each value; 0: missing */
};

/* Counts the values of a column. */
static covey_status count_column(const struct piece *p, size_t c, covey_error *err)
{
    const covey_column *raw = p->raw[c];
    covey_growing_values *v = &p->g->values[c];
    int64_t *count = covey_i_array_zero(raw->n_values, sizeof *count),
            *first = covey_i_array(raw->n_values, sizeof *first);
    covey_status status = count && first ? covey_i_growing_values_add(p->map[c], v, raw, err) : covey_i_no_memory(err);

    if (status != COVEY_OK)
        goto done;
    for (uint32_t i = 0; i < raw->n_values; i++)
        p->hash[c][i] =
            p->map[c][i] == 0 ? 0 : covey_i_hash_bytes(covey_column_label(raw, i), covey_column_label_size(raw, i));
    for (int64_t row = 0; row < raw->n_rows; row++) {
        const uint32_t code = covey_i_code(raw, row);

        if (count[code]++ == 0)
            first[code] = row;
    }
    for (uint32_t i = 0; i < raw->n_values; i++) {
        if (count[i] > 0 && v->count[p->map[c][i]] == 0)
            v->line[p->map[c][i]] = covey_column_line(raw, first[i]);
        v->count[p->map[c][i]] += count[i];
    }
done:
    covey_i_free(count);
    covey_i_free(first);
    return status;
}

static covey_status take_column(void *context, size_t c, covey_error *err)
{
    struct piece *p = context;

    p->raw[c] = covey_table_column(p->g->s->p->table, c);
    if (p->kept) {
        COVEY_TRY(covey_i_column_pick(&p->picked[c], p->raw[c], p->kept, p->n, err));
        p->raw[c] = p->picked[c];
    }
    COVEY_TRY(covey_i_preparing_check_texts(p->g->s, p->raw[c], err));
    p->map[c] = covey_i_array(p->raw[c]->n_values, sizeof **p->map);
    p->hash[c] = covey_i_array(p->raw[c]->n_values, sizeof **p->hash);
    return p->map[c] && p->hash[c] ? count_column(p, c, err) : covey_i_no_memory(err);
}

static void mix_column(uint64_t *hash, const covey_column *column, int64_t begin, int64_t n, const uint64_t *of_value,
                       size_t c)
{
    const void *codes = column->codes;
    const int width = column->width;

    for (int64_t row = 0; row < n; row++)
        hash[row] = covey_i_mix(hash[row] + c + 1, of_value[covey_i_codes_get(codes, width, (size_t)(begin + row))]);
}

/* The hashes of a slice's rows. */
static covey_status hash_rows(void *context, size_t slice, covey_error *err)
{
    const struct piece *p = context;
    const int64_t begin = (int64_t)slice * SLICE, n = p->n - begin < SLICE ? p->n - begin : SLICE;
    uint64_t *hash = p->g->hash + begin;

    memset(hash, 0, (size_t)n * sizeof *hash);
    for (size_t c = 0; c < p->g->n_columns; c++)
        mix_column(hash, p->raw[c], begin, n, p->hash[c], c);
    return COVEY_OK;
}

/* Keeps the rows that can belong to the sample. */
static covey_status add_rows(const struct piece *p, covey_error *err)
{
    covey_gathered *g = p->g;

    for (int64_t row = 0; row < p->n; row++) {
        uint32_t *code;

        if (g->hash[row] >= g->sample.threshold)
            continue;
        COVEY_TRY(covey_i_row_sample_add(&code, &g->sample, g->hash[row], err));
        for (size_t q = 0; q < g->n_quasi; q++)
            code[q] = p->map[g->quasi[q]][covey_i_code(p->raw[g->quasi[q]], row)];
    }
    return COVEY_OK;
}

/* --- pieces --- */

static covey_status gather_columns(struct piece *p, covey_error *err)
{
    covey_gathered *g = p->g;
    const int n_threads = covey_run_threads(g->s->run);

    if ((size_t)p->n > g->hash_capacity) {
        covey_i_free(g->hash);
        g->hash_capacity = 0;
        if (!(g->hash = covey_i_array((size_t)p->n, sizeof *g->hash)))
            return covey_i_no_memory(err);
        g->hash_capacity = (size_t)p->n;
    }
    COVEY_TRY(covey_i_parallel(n_threads, g->n_columns, take_column, p, err));
    COVEY_TRY(covey_i_parallel(n_threads, ((size_t)p->n + SLICE - 1) / SLICE, hash_rows, p, err));
    COVEY_TRY(add_rows(p, err));
    return g->spill ? covey_i_spill_add(g->spill, p->raw, p->map, g->n_columns, p->n, g->s->run, err) : COVEY_OK;
}

static void clear_piece(struct piece *p)
{
    for (size_t c = 0; c < p->g->n_columns; c++) {
        if (p->picked)
            covey_i_column_free(p->picked[c]);
        if (p->map)
            covey_i_free(p->map[c]);
        if (p->hash)
            covey_i_free(p->hash[c]);
    }
    covey_i_free(p->raw);
    covey_i_free(p->picked);
    covey_i_free(p->map);
    covey_i_free(p->hash);
    covey_i_free(p->kept);
}

static covey_status gather_piece(covey_gathered *g, covey_error *err)
{
    struct piece p = {.g = g};
    covey_status status;

    p.raw = covey_i_array_zero(g->n_columns, sizeof *p.raw);
    p.picked = covey_i_array_zero(g->n_columns, sizeof *p.picked);
    p.map = covey_i_array_zero(g->n_columns, sizeof *p.map);
    p.hash = covey_i_array_zero(g->n_columns, sizeof *p.hash);
    status = p.raw && p.picked && p.map && p.hash ? covey_i_preparing_kept_rows(&p.kept, &p.n, g->s, err)
                                                  : covey_i_no_memory(err);
    if (status == COVEY_OK && (status = gather_columns(&p, err)) == COVEY_OK)
        g->plan->n_rows += p.n;
    clear_piece(&p);
    return status;
}

/* Dictionaries must stay in memory all the time. */
static covey_status check_size(const covey_gathered *g, const covey_plan *plan, size_t most_bytes, covey_error *err)
{
    const char *name;
    size_t all = 0, largest = 0;

    for (size_t c = 0; c < g->n_columns; c++) {
        all += covey_i_growing_values_size(&g->values[c]);
        largest =
            covey_i_growing_values_size(&g->values[c]) > covey_i_growing_values_size(&g->values[largest]) ? c : largest;
    }
    if (all <= most_bytes)
        return COVEY_OK;
    name = covey_table_column(g->s->p->table, largest)->name;
    return covey_fail_at(
        err, COVEY_EINVAL, plan->policy->input_path, 0, name, 0,
        "the different values of the columns do not fit into the memory limit: \"%s\" alone has more than %" PRIu32
        "; raise the limit, or leave the column out (role: identifier)",
        name, g->values[largest].dictionary.n);
}

/* --- the end --- */

static covey_status finish_sample(covey_gathered *g, covey_error *err)
{
    covey_row_sample *sample = &g->sample;

    COVEY_TRY(covey_i_row_sample_compact(sample, err));
    for (size_t i = 0; i < sample->n; i++)
        for (size_t q = 0; q < g->n_quasi; q++)
            sample->code[i * g->n_quasi + q] = g->values[g->quasi[q]].place[sample->code[i * g->n_quasi + q]];
    return COVEY_OK;
}

static covey_status finish(covey_gathered *g, const char *const *name, covey_error *err)
{
    covey_plan *plan = g->plan;

    plan->n_columns = g->n_columns;
    plan->value = covey_arena_array_zero(&plan->arena, covey_column *, g->n_columns);
    plan->count = covey_arena_array_zero(&plan->arena, int64_t *, g->n_columns);
    if (!plan->value || !plan->count)
        return covey_i_no_memory(err);
    for (size_t c = 0; c < g->n_columns; c++)
        COVEY_TRY(covey_i_growing_values_finish(&plan->value[c], &plan->count[c], &g->values[c], name[c], plan, err));
    COVEY_TRY(finish_sample(g, err));
    return g->spill ? covey_i_spill_end(g->spill, g->values, err) : COVEY_OK;
}

/* The names of the columns outlive the first piece. */
static covey_status keep_names(const char ***out, covey_gathered *g, covey_error *err)
{
    const char **name = covey_arena_array(&g->arena, const char *, g->n_columns);

    for (size_t c = 0; name && c < g->n_columns; c++)
        if (!(name[c] = covey_arena_strdup(&g->arena, covey_table_column(g->s->p->table, c)->name)))
            return covey_i_no_memory(err);
    *out = name;
    return name ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status gather_all(covey_gathered *g, covey_csv_stream *stream, size_t most_bytes, covey_error *err)
{
    covey_preparing *s = g->s;
    const char **name = NULL;
    int64_t n_read = 0;

    while (true) {
        covey_status status;

        COVEY_TRY(covey_i_csv_stream_next(&s->p->table, stream, err));
        if (!s->p->table)
            break;
        if (!name) {
            COVEY_TRY(covey_i_preparing_columns(s, err));
            COVEY_TRY(start(g, err));
            COVEY_TRY(keep_names(&name, g, err));
        }
        n_read += covey_table_n_rows(s->p->table);
        if ((status = gather_piece(g, err)) == COVEY_OK)
            status = check_size(g, g->plan, most_bytes, err);
        if (status != COVEY_OK)
            covey_i_error_place_line(err, s->policy->input_path);
        covey_table_free(s->p->table);
        s->p->table = NULL;
        COVEY_TRY(status);
    }
    if (n_read == 0)
        return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, 1, NULL, 0,
                             "there is a header, but not a single row: nothing to publish");
    if (g->plan->n_rows == 0)
        return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, 0, NULL, 0,
                             "every row has a missing value and was dropped: nothing to publish");
    if (g->plan->n_rows >= UINT32_MAX)
        return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, 0, NULL, 0,
                             "has %" PRId64 " rows; the most is 4294967294; split the table", g->plan->n_rows);
    return finish(g, name, err);
}

covey_status covey_i_gather(covey_gathered **out, covey_plan *plan, covey_preparing *s, covey_csv_stream *stream,
                            covey_spill *spill, size_t most_bytes, covey_error *err)
{
    covey_gathered *g = covey_i_array_zero(1, sizeof *g);
    covey_status status;

    if (!g)
        return covey_i_no_memory(err);
    g->plan = plan;
    g->s = s;
    g->spill = spill;
    if ((status = gather_all(g, stream, most_bytes, err)) == COVEY_OK)
        *out = g;
    else
        covey_i_gathered_free(g);
    return status;
}

void covey_i_gathered_sample(covey_plan_sample *out, const covey_gathered *g)
{
    *out =
        (covey_plan_sample){.n = g->sample.n, .n_axes = g->n_quasi, .count = g->sample.count, .value = g->sample.code};
}

void covey_i_gathered_free(covey_gathered *g)
{
    if (!g)
        return;
    for (size_t c = 0; g->values && c < g->n_columns; c++)
        covey_i_growing_values_clear(&g->values[c]);
    covey_i_row_sample_clear(&g->sample);
    covey_i_free(g->hash);
    covey_arena_free(&g->arena);
    covey_i_free(g);
}
