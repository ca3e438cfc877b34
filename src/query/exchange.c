/* What places tell of a query, written down and added up.  What is written stays among processes of one version on one
 * kind of machine, as it lies in memory. */
#include "query/exchange.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "query/run.h"

static void put(covey_query_exchange *x, const void *bytes, size_t size)
{
    covey_i_text_add(&x->text, bytes, size);
}

static covey_status take(void *bytes, struct covey_exchange_reader *reader, size_t size, covey_error *err)
{
    if ((size_t)(reader->end - reader->at) < size)
        return covey_fail(err, COVEY_EPARSE, "query: what was counted of a piece is cut off");
    memcpy(bytes, reader->at, size);
    reader->at += size;
    return COVEY_OK;
}

/* Sums of n numbers of any type, over all pieces. */
#define EXCHANGE_SUMS(x, number, n, err)                                                                               \
    do {                                                                                                               \
        __typeof__(*(number)) more = 0;                                                                                \
                                                                                                                       \
        if ((x)->gathers)                                                                                              \
            put(x, number, (n) * sizeof more);                                                                         \
        for (size_t r = 0; r < (x)->n_readers; r++)                                                                    \
            for (size_t i = 0; i < (n); i++) {                                                                         \
                COVEY_TRY(take(&more, &(x)->reader[r], sizeof more, err));                                             \
                (number)[i] += more;                                                                                   \
            }                                                                                                          \
    } while (0)

covey_status covey_i_exchange_numbers(covey_query_exchange *x, int64_t *number, size_t n, covey_error *err)
{
    EXCHANGE_SUMS(x, number, n, err);
    return COVEY_OK;
}

covey_status covey_i_exchange_double(covey_query_exchange *x, double *number, covey_error *err)
{
    EXCHANGE_SUMS(x, number, (size_t)1, err);
    return COVEY_OK;
}

covey_status covey_i_exchange_wide(covey_query_exchange *x, covey_i128 *number, covey_error *err)
{
    EXCHANGE_SUMS(x, number, (size_t)1, err);
    return COVEY_OK;
}

covey_status covey_i_exchange_extreme(covey_query_exchange *x, bool *exists, int64_t *number, bool is_least,
                                      covey_error *err)
{
    int64_t more[2] = {*exists, *number};

    if (x->gathers)
        put(x, more, sizeof more);
    for (size_t r = 0; r < x->n_readers; r++) {
        COVEY_TRY(take(more, &x->reader[r], sizeof more, err));
        if (more[0] && (!*exists || (is_least ? more[1] < *number : more[1] > *number))) {
            *exists = true;
            *number = more[1];
        }
    }
    return COVEY_OK;
}

covey_status covey_i_exchange_sure(covey_query_exchange *x, covey_sure_values *sure, covey_error *err)
{
    covey_sure_values more = {0};

    if (x->gathers)
        put(x, sure, sizeof *sure);
    for (size_t r = 0; r < x->n_readers; r++) {
        COVEY_TRY(take(&more, &x->reader[r], sizeof more, err));
        covey_i_query_sure_join(sure, &more);
    }
    return COVEY_OK;
}

static void put_maybe(covey_query_exchange *x, covey_selected_values *v)
{
    covey_i_selected_sort(v);
    put(x, &v->n_slots, sizeof v->n_slots);
    for (uint32_t j = 0; j < v->n_slots; j++) {
        const uint32_t slot = (uint32_t)v->slot[j];

        put(x, &slot, sizeof slot);
        put(x, &v->maybe[slot], sizeof v->maybe[slot]);
    }
}

static covey_status take_maybe(covey_selected_values *v, struct covey_exchange_reader *reader, covey_error *err)
{
    uint32_t n_slots = 0, slot = 0;
    covey_maybe_value more = {0}, *maybe;

    COVEY_TRY(take(&n_slots, reader, sizeof n_slots, err));
    for (uint32_t i = 0; i < n_slots; i++) {
        COVEY_TRY(take(&slot, reader, sizeof slot, err));
        COVEY_TRY(take(&more, reader, sizeof more, err));
        if (slot >= v->numbers->n || more.n <= 0)
            return covey_fail(err, COVEY_EPARSE, "query: what was counted of a piece is of another release");
        maybe = covey_i_selected_maybe(v, slot);
        maybe->n += more.n;
        maybe->expected += more.expected;
        maybe->spread += more.spread;
    }
    return COVEY_OK;
}

covey_status covey_i_exchange_maybe(covey_query_exchange *x, covey_selected_values *v, covey_error *err)
{
    if (x->gathers)
        put_maybe(x, v);
    for (size_t r = 0; r < x->n_readers; r++)
        COVEY_TRY(take_maybe(v, &x->reader[r], err));
    return COVEY_OK;
}

/* --- both ends --- */

covey_status covey_query_gather(covey_query_counted *out, const covey_query_release *piece, const char *sql,
                                const covey_run *run, covey_error *err)
{
    covey_query_exchange x = {.gathers = true, .text = COVEY_TEXT_INIT};
    covey_query_result *none = NULL;
    covey_status status = covey_i_query_run_exchange(&none, piece, sql, &x, run, err);

    covey_query_result_free(none);
    if (status == COVEY_OK && x.text.broken)
        status = covey_i_no_memory(err);
    if (status != COVEY_OK) {
        covey_i_text_free(&x.text);
        return status;
    }
    *out = (covey_query_counted){(unsigned char *)x.text.bytes, x.text.size};
    return COVEY_OK;
}

void covey_query_counted_free(covey_query_counted *counted)
{
    covey_i_free(counted->bytes);
    *counted = (covey_query_counted){NULL, 0};
}

covey_status covey_query_settle(covey_query_result **out, const covey_query_release *cells, const char *sql,
                                const covey_query_counted *counted, size_t n, const covey_run *run, covey_error *err)
{
    covey_query_exchange x = {.reader = covey_i_array_zero(n + 1, sizeof *x.reader), .n_readers = n};
    covey_status status;

    if (!x.reader)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++)
        x.reader[i] = (struct covey_exchange_reader){counted[i].bytes, counted[i].bytes + counted[i].size};
    status = covey_i_query_run_exchange(out, cells, sql, &x, run, err);
    for (size_t i = 0; i < n && status == COVEY_OK; i++)
        if (x.reader[i].at != x.reader[i].end) {
            covey_query_result_free(*out);
            status = covey_fail(err, COVEY_EPARSE, "query: what was counted of a piece is of another release");
        }
    covey_i_free(x.reader);
    return status;
}
