/* The signatures of a ledger: lists of values as JSON. */
#include <jansson.h>
#include <string.h>

#include "base/error.h"
#include "reader/json_fault.h"
#include "reader/ledger/ledger.h"
#include "table/table_impl.h"

covey_status covey_i_ledger_wrong(const covey_ledger *ledger, int64_t line, covey_error *err, const char *why)
{
    return covey_fail_at(err, COVEY_EPARSE, ledger->path, line, NULL, 0, "this is no ledger of covey: %s", why);
}

/* The values of one signature, from start on. */
static covey_status read_values(covey_ledger *l, uint32_t i, const json_t *list, covey_error *err)
{
    const size_t n = json_array_size(list);

    if (n == 0 || n > UINT32_MAX - l->start[i])
        return covey_i_ledger_wrong(l, i + 2, err, "a signature is a list of values");
    for (size_t v = 0; v < n; v++) {
        const char *text = json_string_value(json_array_get(list, v));
        const char **to = &l->value[l->start[i] + v];

        if (!text)
            return covey_i_ledger_wrong(l, i + 2, err, "a signature is a list of texts");
        if (v > 0 && strcmp(to[-1], text) >= 0)
            return covey_i_ledger_wrong(l, i + 2, err, "the values of a signature are in order, each once");
        if (!(*to = covey_arena_strdup(&l->arena, text)))
            return covey_i_no_memory(err);
    }
    l->start[i + 1] = l->start[i] + (uint32_t)n;
    return COVEY_OK;
}

static covey_status make_room(covey_ledger *l, size_t n, size_t *capacity, covey_error *err)
{
    const char **larger;

    if (n <= *capacity)
        return COVEY_OK;
    *capacity = 2 * n + 64;
    if (!(larger = covey_arena_array(&l->arena, const char *, *capacity)))
        return covey_i_no_memory(err);
    if (l->value)
        memcpy(larger, l->value, l->start[l->n_signatures] * sizeof *larger);
    l->value = larger;
    return COVEY_OK;
}

static covey_status read_signature(covey_ledger *l, uint32_t i, size_t *capacity, covey_error *err)
{
    const covey_column *number = covey_table_column(l->table, 2);
    char expected[16];
    json_error_t fault = {0};
    json_t *list;
    covey_status status;

    snprintf(expected, sizeof expected, "%u", (unsigned)i + 1);
    if (strcmp(covey_column_label(number, covey_i_code(number, i)), expected) != 0)
        return covey_i_ledger_wrong(l, i + 2, err, "signatures are numbered from 1");
    l->signature[i] =
        covey_column_label(covey_table_column(l->table, 1), covey_i_code(covey_table_column(l->table, 1), i));
    if (!(list = json_loads(l->signature[i], 0, &fault)))
        return covey_i_json_lacked_memory(&fault, strlen(l->signature[i]) + 1)
                   ? covey_i_no_memory(err)
                   : covey_i_ledger_wrong(l, i + 2, err, "a signature is a list of values");
    if ((status = make_room(l, l->start[i] + json_array_size(list), capacity, err)) == COVEY_OK)
        status = read_values(l, i, list, err);
    json_decref(list);
    if (status == COVEY_OK)
        l->n_signatures++;
    return status;
}

covey_status covey_i_ledger_read_signatures(covey_ledger *l, covey_error *err)
{
    const covey_column *unit = covey_table_column(l->table, 0);
    const uint32_t n_rows = (uint32_t)covey_table_n_rows(l->table);
    uint32_t n = 0;
    size_t capacity = 0;

    while (n < n_rows && !*covey_column_label(unit, covey_i_code(unit, n)))
        n++;
    l->start = covey_arena_array_zero(&l->arena, uint32_t, (size_t)n + 1);
    l->signature = covey_arena_array(&l->arena, const char *, n);
    if (!l->start || !l->signature)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        COVEY_TRY(read_signature(l, i, &capacity, err));
    l->n_units = n_rows - n;
    return COVEY_OK;
}

bool covey_i_ledger_has_value(const covey_ledger *l, uint32_t signature, const char *value)
{
    uint32_t low = l->start[signature], high = l->start[signature + 1];

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (strcmp(l->value[middle], value) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < l->start[signature + 1] && strcmp(l->value[low], value) == 0;
}
