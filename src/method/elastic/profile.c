/* A part's rows by code of one axis and by sensitive value: what all cuts of the part along that axis are found from.
 *
 * Mostly as a matrix of cells, one row of cells per code, so that sums over codes are sums of vectors.  A long axis or
 * a sensitive attribute of many values would make the matrix larger than the part; then the rows are sorted by (code,
 * value) instead. */
#include "method/elastic/elastic.h"

#include <string.h>

#include "base/sort/sort.h"
#include "base/threads.h"

enum {
    CELLS_PER_ROW = 8,
    FREE_CELLS = 4096, /* the matrix may have as many */
    SMALL_CHUNK = 1 << 15
};

struct counting {
    covey_elastic_worker *worker;
    const covey_elastic_part *part;
    size_t axis, n_values, n_cells, n_chunks;
    uint32_t low;
};

/* size NULL: 1 each. */
static void count(uint32_t *restrict cell, const uint32_t *restrict code, const uint32_t *restrict value,
                  const uint32_t *restrict size, uint32_t n, uint32_t low, size_t n_values)
{
    if (size)
        for (uint32_t i = 0; i < n; i++)
            cell[(size_t)(code[i] - low) * n_values + value[i]] += size[i];
    else
        for (uint32_t i = 0; i < n; i++)
            cell[(size_t)(code[i] - low) * n_values + value[i]]++;
}

static void count_block(uint32_t *cell, const struct counting *c, uint32_t start, uint32_t n)
{
    const covey_records *records = c->worker->records;
    const covey_record_column *codes = &records->column[c->axis],
                              *values = &records->column[c->worker->elastic->problem->n_axes];
    const int side = c->part->side;
    uint32_t code[COVEY_RECORD_BLOCK], value[COVEY_RECORD_BLOCK], sizes[COVEY_RECORD_BLOCK],
        *size = records->are_runs ? sizes : NULL;

    if (size)
        covey_i_records_sizes(size, records, side, start, n);
    covey_i_records_unpack(code, codes, side, start, n);
    covey_i_records_unpack(value, values, side, start, n);
    count(cell, code, value, size, n, c->low, c->n_values);
}

static covey_status count_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct counting *c = context;
    uint32_t *cell = (uint32_t *)c->worker->cell.bytes + chunk * c->n_cells;
    uint32_t start = (uint32_t)((uint64_t)c->part->n * chunk / c->n_chunks);
    const uint32_t end = (uint32_t)((uint64_t)c->part->n * (chunk + 1) / c->n_chunks);

    memset(cell, 0, c->n_cells * sizeof *cell);
    for (; start < end; start += COVEY_RECORD_BLOCK)
        count_block(cell, c, c->part->start + start,
                    end - start < COVEY_RECORD_BLOCK ? end - start : COVEY_RECORD_BLOCK);
    return COVEY_OK;
}

/* Adds up all codes' cells; lists the codes that occur. */
static void sum_cells(covey_elastic_profile *profile, uint32_t *code, uint32_t *rows, uint32_t *total, uint32_t low,
                      uint32_t high)
{
    const size_t m = profile->n_values;
    size_t n_codes = 0;

    memset(total, 0, m * sizeof *total);
    for (uint32_t c = 0; c <= high - low; c++) {
        const uint32_t *cell = profile->cell + c * m;
        uint32_t sum = 0;

        for (size_t v = 0; v < m; v++) {
            sum += cell[v];
            total[v] += cell[v];
        }
        if (sum == 0)
            continue;
        code[n_codes] = low + c;
        rows[n_codes++] = sum;
    }
    profile->n_codes = n_codes;
}

static covey_status profile_by_cells(covey_elastic_worker *w, const covey_elastic_part *part, size_t axis, uint32_t low,
                                     uint32_t high, size_t n_values, covey_error *err)
{
    const size_t n_codes = (size_t)(high - low) + 1;
    struct counting counting = {w, part, axis, n_values, n_codes * n_values, 1, low};
    uint32_t *cell;

    if (w->n_threads > 1 && part->n >= 2 * SMALL_CHUNK)
        counting.n_chunks =
            part->n / SMALL_CHUNK < (uint32_t)w->n_threads ? part->n / SMALL_CHUNK : (size_t)w->n_threads;
    COVEY_TRY(covey_i_elastic_reserve(&w->cell, counting.n_chunks * counting.n_cells, sizeof *cell, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->code, n_codes, sizeof(uint32_t), err));
    COVEY_TRY(covey_i_elastic_reserve(&w->rows, n_codes, sizeof(uint32_t), err));
    COVEY_TRY(covey_i_elastic_reserve(&w->total, n_values, sizeof(uint32_t), err));
    cell = w->cell.bytes;
    if (counting.n_chunks == 1)
        count_chunk(&counting, 0, err);
    else
        COVEY_TRY(covey_i_parallel(w->n_threads, counting.n_chunks, count_chunk, &counting, err));
    for (size_t chunk = 1; chunk < counting.n_chunks; chunk++)
        for (size_t i = 0; i < counting.n_cells; i++)
            cell[i] += cell[chunk * counting.n_cells + i];
    w->profile = (covey_elastic_profile){.code = w->code.bytes,
                                         .rows = w->rows.bytes,
                                         .n_values = n_values,
                                         .total = w->total.bytes,
                                         .cell = cell,
                                         .low = low};
    sum_cells(&w->profile, w->code.bytes, w->rows.bytes, w->total.bytes, low, high);
    return COVEY_OK;
}

/* What the records are sorted by: code << value_bits | value; and their order. */
struct sorted {
    uint64_t *key;   /* [n] of records, in ascending order where they are rows */
    uint32_t *order; /* [n] of records by key where they are runs, NULL: as they stand */
    int value_bits;
};

static covey_status sort_records(struct sorted *out, covey_elastic_worker *w, const covey_elastic_part *part,
                                 size_t axis, uint32_t low, uint32_t high, covey_error *err)
{
    const covey_records *records = w->records;
    uint64_t *key;
    int bits;

    *out = (struct sorted){.value_bits = 1};
    while ((uint64_t)w->elastic->n_values >> out->value_bits)
        out->value_bits++;
    for (bits = out->value_bits; (uint64_t)(high - low) >> (bits - out->value_bits);)
        bits++;
    COVEY_TRY(covey_i_elastic_reserve(&w->key, (size_t)part->n * 2, sizeof *key, err));
    out->key = key = w->key.bytes;
    for (uint32_t at = 0; at < part->n; at += COVEY_RECORD_BLOCK) {
        const uint32_t n = part->n - at < COVEY_RECORD_BLOCK ? part->n - at : COVEY_RECORD_BLOCK;
        uint32_t code[COVEY_RECORD_BLOCK], value[COVEY_RECORD_BLOCK];

        covey_i_records_unpack(code, &records->column[axis], part->side, part->start + at, n);
        covey_i_records_unpack(value, &records->column[w->elastic->problem->n_axes], part->side, part->start + at, n);
        for (uint32_t i = 0; i < n; i++)
            key[at + i] = (uint64_t)(code[i] - low) << out->value_bits | value[i];
    }
    if (!records->are_runs) {
        covey_i_sort_u64(key, key + part->n, part->n, bits);
        return COVEY_OK;
    }
    out->order = (uint32_t *)(key + part->n); /* and behind it the scratch memory */
    for (uint32_t i = 0; i < part->n; i++)
        out->order[i] = i;
    covey_i_sort_rows_u64(out->order, out->order + part->n, part->n, key);
    return COVEY_OK;
}

static covey_status profile_by_entries(covey_elastic_worker *w, const covey_elastic_part *part, size_t axis,
                                       uint32_t low, uint32_t high, covey_error *err)
{
    const uint32_t most_values = part->n < w->elastic->n_values ? part->n : w->elastic->n_values;
    uint32_t *code, *rows, *first, *value, *total, n_values = 0, n_entries = 0;
    covey_elastic_entry *entry;
    struct sorted sorted;
    uint64_t last = 0;
    size_t n_codes = 0;

    COVEY_TRY(sort_records(&sorted, w, part, axis, low, high, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->code, part->n, sizeof *code, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->rows, part->n, sizeof *rows, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->first, (size_t)part->n + 1, sizeof *first, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->entry, part->n, sizeof *entry, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->value, most_values, sizeof *value, err));
    COVEY_TRY(covey_i_elastic_reserve(&w->total, most_values, sizeof *total, err));
    code = w->code.bytes, rows = w->rows.bytes, first = w->first.bytes, entry = w->entry.bytes, value = w->value.bytes,
    total = w->total.bytes;
    for (uint32_t i = 0; i < part->n; i++) {
        const uint32_t record = sorted.order ? sorted.order[i] : i;
        const uint64_t key = sorted.key[record];
        const uint32_t c = low + (uint32_t)(key >> sorted.value_bits),
                       v = (uint32_t)(key & (((uint64_t)1 << sorted.value_bits) - 1));
        const uint32_t size = sorted.order ? covey_i_records_size(w->records, part->side, part->start + record) : 1;
        const bool new_code = i == 0 || code[n_codes - 1] != c;

        if (new_code) {
            code[n_codes] = c;
            rows[n_codes] = 0;
            first[n_codes++] = n_entries;
        }
        if (new_code || key != last) {
            if (w->number_of[v] == UINT32_MAX) {
                w->number_of[v] = n_values;
                value[n_values] = v;
                total[n_values++] = 0;
            }
            entry[n_entries++] = (covey_elastic_entry){w->number_of[v], 0};
        }
        rows[n_codes - 1] += size;
        entry[n_entries - 1].rows += size;
        total[entry[n_entries - 1].value] += size;
        last = key;
    }
    first[n_codes] = n_entries;
    for (uint32_t v = 0; v < n_values; v++)
        w->number_of[value[v]] = UINT32_MAX;
    w->profile = (covey_elastic_profile){.n_codes = n_codes,
                                         .code = code,
                                         .rows = rows,
                                         .n_values = n_values,
                                         .value = value,
                                         .total = total,
                                         .first = first,
                                         .entry = entry};
    return COVEY_OK;
}

covey_status covey_i_elastic_profile_part(covey_elastic_worker *worker, const covey_elastic_part *part, size_t axis,
                                          uint32_t low, uint32_t high, covey_error *err)
{
    const size_t n_values = ((size_t)worker->elastic->n_values + 3) / 4 * 4;
    const uint64_t n_cells = ((uint64_t)(high - low) + 1) * n_values;

    if (n_cells <= (uint64_t)part->n * CELLS_PER_ROW + FREE_CELLS && n_cells <= worker->elastic->most_cells)
        return profile_by_cells(worker, part, axis, low, high, n_values, err);
    return profile_by_entries(worker, part, axis, low, high, err);
}
