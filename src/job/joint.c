/* The combination of several sensitive attributes as one attribute. */
#include "job/prepare.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/sort/sort.h"

/* A JSON array of the values: reads back exactly, whatever the values hold. */
static char *label_of(const covey_column *const *column, size_t n, uint32_t row)
{
    json_t *values = json_array();
    char *text;

    for (size_t i = 0; i < n; i++)
        if (json_array_append_new(values,
                                  json_string(covey_column_label(column[i], covey_column_code(column[i], row)))) != 0) {
            json_decref(values);
            return NULL;
        }
    text = json_dumps(values, JSON_COMPACT);
    json_decref(values);
    return text;
}

static bool rows_agree(const covey_column *const *column, size_t n, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < n; i++)
        if (covey_column_code(column[i], a) != covey_column_code(column[i], b))
            return false;
    return true;
}

/* Numbers the combinations in order of their codes: code[row]; first[v] is a row that has combination v. */
static uint32_t number_rows(uint32_t *code, uint32_t *first, const uint32_t *sorted, uint32_t n_rows,
                            const covey_column *const *column, size_t n)
{
    uint32_t n_values = 0;

    for (uint32_t i = 0; i < n_rows; i++) {
        if (i == 0 || !rows_agree(column, n, sorted[i - 1], sorted[i]))
            first[n_values++] = sorted[i];
        code[sorted[i]] = n_values - 1;
    }
    return n_values;
}

covey_status covey_i_job_join_columns(covey_column **out, const covey_column *const *column, size_t n, covey_error *err)
{
    covey_status status = COVEY_OK;
    uint32_t n_rows = (uint32_t)column[0]->n_rows, n_values = 0;
    uint32_t *sorted = covey_i_array(n_rows, sizeof *sorted), *scratch = covey_i_array(n_rows, sizeof *scratch);
    uint32_t *code = covey_i_array(n_rows, sizeof *code), *first = covey_i_array(n_rows, sizeof *first);
    covey_label *label = NULL;
    void *codes = NULL;
    int width;

    if (!sorted || !scratch || !code || !first)
        goto no_memory;
    for (uint32_t i = 0; i < n_rows; i++)
        sorted[i] = i;
    for (size_t i = n; i-- > 0;)
        covey_i_sort_rows_codes(sorted, scratch, n_rows, column[i]->codes, column[i]->width);
    n_values = number_rows(code, first, sorted, n_rows, column, n);
    width = covey_i_table_code_width(n_values);
    if (!(label = covey_i_array_zero(n_values, sizeof *label)) || !(codes = covey_i_array(n_rows, (size_t)width)))
        goto no_memory;
    for (uint32_t v = 0; v < n_values; v++) {
        if (!(label[v].text = label_of(column, n, first[v])))
            goto no_memory;
        label[v].size = strlen(label[v].text);
    }
    covey_i_codes_pack(codes, width, code, n_rows);
    status = covey_i_column_new(out, "joint", COVEY_TYPE_TEXT, n_rows, n_values, false, 0, label, NULL, codes, err);
    codes = NULL;
    goto done;
no_memory:
    status = covey_i_no_memory(err);
done:
    for (uint32_t v = 0; label && v < n_values; v++)
        free((char *)label[v].text); /* jansson's */
    covey_i_free(label);
    covey_i_free(codes);
    covey_i_free(sorted);
    covey_i_free(scratch);
    covey_i_free(code);
    covey_i_free(first);
    return status;
}
