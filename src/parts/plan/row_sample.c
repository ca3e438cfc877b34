/* Keeping the rows whose hashes are smallest. */
#include "parts/plan/row_sample.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort/sort.h"

enum { SAMPLE = 1 << 14, MOST = 4 * SAMPLE };

covey_status covey_i_row_sample_init(covey_row_sample *out, size_t n_codes, covey_error *err)
{
    *out = (covey_row_sample){.n_codes = n_codes, .threshold = UINT64_MAX};
    out->hash = covey_i_array(MOST, sizeof *out->hash);
    out->count = covey_i_array(MOST, sizeof *out->count);
    out->code = covey_i_array(MOST * n_codes, sizeof *out->code);
    return out->hash && out->count && out->code ? COVEY_OK : covey_i_no_memory(err);
}

/* The entries that order[0 .. n-1] begins with, equal ones joined, into arrays of SAMPLE; returns how many there are.
 */
static size_t join(uint64_t *hash, int64_t *count, uint32_t *code, covey_row_sample *sample, const uint32_t *order)
{
    const size_t d = sample->n_codes;
    size_t n = 0;

    for (size_t i = 0; i < sample->n; i++) {
        const uint32_t next = order[i];

        if (n > 0 && hash[n - 1] == sample->hash[next]) {
            count[n - 1] += sample->count[next];
            continue;
        }
        if (n == SAMPLE) {
            sample->threshold = hash[n - 1] + 1;
            break;
        }
        hash[n] = sample->hash[next];
        count[n] = sample->count[next];
        memcpy(code + n * d, sample->code + next * d, d * sizeof *code);
        n++;
    }
    return n;
}

covey_status covey_i_row_sample_compact(covey_row_sample *sample, covey_error *err)
{
    const size_t d = sample->n_codes;
    uint32_t *order = covey_i_array(sample->n, sizeof *order), *scratch = covey_i_array(sample->n, sizeof *scratch);
    uint32_t *code = covey_i_array(SAMPLE * d, sizeof *code);
    uint64_t *hash = covey_i_array(SAMPLE, sizeof *hash);
    int64_t *count = covey_i_array(SAMPLE, sizeof *count);
    covey_status status = order && scratch && code && hash && count ? COVEY_OK : covey_i_no_memory(err);

    for (uint32_t i = 0; status == COVEY_OK && i < sample->n; i++)
        order[i] = i;
    if (status == COVEY_OK) {
        covey_i_sort_rows_u64(order, scratch, sample->n, sample->hash);
        sample->n = join(hash, count, code, sample, order);
        memcpy(sample->hash, hash, sample->n * sizeof *hash);
        memcpy(sample->count, count, sample->n * sizeof *count);
        memcpy(sample->code, code, sample->n * d * sizeof *code);
    }
    covey_i_free(order);
    covey_i_free(scratch);
    covey_i_free(code);
    covey_i_free(hash);
    covey_i_free(count);
    return status;
}

covey_status covey_i_row_sample_add(uint32_t **code, covey_row_sample *sample, uint64_t hash, covey_error *err)
{
    if (sample->n == MOST)
        COVEY_TRY(covey_i_row_sample_compact(sample, err));
    sample->hash[sample->n] = hash;
    sample->count[sample->n] = 1;
    *code = sample->code + sample->n++ * sample->n_codes;
    return COVEY_OK;
}

void covey_i_row_sample_clear(covey_row_sample *sample)
{
    covey_i_free(sample->hash);
    covey_i_free(sample->count);
    covey_i_free(sample->code);
    *sample = (covey_row_sample){0};
}
