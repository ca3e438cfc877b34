/* Numbering pieces. */
#include "release/sliced/pieces.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "table/column_key.h"
#include "table/table_impl.h"

enum { CHUNK = 1 << 14, BLOCK = 1024 };

struct numbering {
    const covey_slice *slice;
    const covey_problem *table;
    covey_sort_key *key; /* [n_fields] */
    covey_pieces *pieces;
};

static const covey_column *column_of(const covey_problem *table, const covey_slice *slice, size_t f)
{
    return table->field[slice->field[f]].column;
}

static covey_status number_chunk(void *context, size_t chunk, covey_error *err)
{
    const struct numbering *x = context;
    const covey_pieces *pieces = x->pieces;
    const size_t end = (chunk + 1) * CHUNK < x->table->n_rows ? (chunk + 1) * CHUNK : x->table->n_rows;
    uint32_t number[BLOCK];

    for (size_t begin = chunk * CHUNK, n; begin < end; begin += n) {
        n = end - begin < BLOCK ? end - begin : BLOCK;
        covey_i_pack_keys(number, NULL, begin, n, x->key, x->slice->n_fields);
        covey_i_codes_pack(covey_i_codes_from(pieces->of_dealt, pieces->width, begin), pieces->width, number, n);
    }
    return COVEY_OK;
}

static bool same_piece(const covey_problem *table, const covey_slice *slice, uint32_t x, uint32_t y)
{
    for (size_t f = 0; f < slice->n_fields; f++)
        if (covey_i_code(column_of(table, slice, f), x) != covey_i_code(column_of(table, slice, f), y))
            return false;
    return true;
}

static covey_status give_room(covey_pieces *pieces, uint32_t n_numbers, uint32_t n_rows, covey_error *err)
{
    pieces->n_numbers = n_numbers;
    pieces->width = covey_i_table_code_width(n_numbers);
    pieces->of_dealt = covey_i_array_full(n_rows, (size_t)pieces->width);
    return pieces->of_dealt ? COVEY_OK : covey_i_no_memory(err);
}

static uint32_t count_sorted(const struct numbering *x, const uint32_t *sorted)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < x->table->n_rows; i++)
        n += i == 0 || !same_piece(x->table, x->slice, sorted[i], sorted[i - 1]);
    return n;
}

/* Numbers pieces by a sort of all rows. */
static covey_status rank_rows(const struct numbering *x, const uint32_t *given, const covey_run *run, covey_error *err)
{
    covey_pieces *pieces = x->pieces;
    const uint32_t n_rows = x->table->n_rows;
    uint32_t *sorted = covey_i_array_full(n_rows, sizeof *sorted), n = 0;
    covey_status status = sorted ? covey_i_keys_sort_rows(sorted, NULL, n_rows, x->key, x->slice->n_fields, run, err)
                                 : covey_i_no_memory(err);

    if (status == COVEY_OK)
        status = give_room(pieces, count_sorted(x, sorted), n_rows, err);
    if (status == COVEY_OK && !(pieces->row_of = covey_i_array_full(pieces->n_numbers, sizeof *pieces->row_of)))
        status = covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_rows && status == COVEY_OK; i++) {
        if (i == 0 || !same_piece(x->table, x->slice, sorted[i], sorted[i - 1]))
            pieces->row_of[n++] = given ? given[sorted[i]] : sorted[i]; /* the first row of each */
        covey_i_codes_put(pieces->of_dealt, pieces->width, sorted[i], n - 1);
    }
    covey_i_free(sorted);
    return status;
}

covey_status covey_i_pieces_number(covey_pieces *pieces, const covey_slice *slice, const covey_dealt *dealt,
                                   const covey_run *run, covey_error *err)
{
    struct numbering x = {slice, dealt->table, covey_i_array(slice->n_fields, sizeof *x.key), pieces};
    uint64_t n_numbers = 1;
    covey_status status;

    pieces->n_values = covey_i_array(slice->n_fields, sizeof *pieces->n_values);
    if (!x.key || !pieces->n_values) {
        covey_i_free(x.key);
        return covey_i_no_memory(err);
    }
    for (size_t f = 0; f < slice->n_fields; f++) {
        x.key[f] = covey_i_column_key(column_of(dealt->table, slice, f));
        pieces->n_values[f] = x.key[f].n_values;
        n_numbers = n_numbers < UINT32_MAX ? n_numbers * pieces->n_values[f] : n_numbers;
    }
    if (n_numbers < UINT32_MAX) {
        status = give_room(pieces, (uint32_t)n_numbers, dealt->table->n_rows, err);
        if (status == COVEY_OK)
            status = covey_i_parallel(covey_run_threads(run), ((size_t)dealt->table->n_rows + CHUNK - 1) / CHUNK,
                                      number_chunk, &x, err);
    } else {
        status = rank_rows(&x, dealt->given, run, err);
    }
    covey_i_free(x.key);
    return status;
}

void covey_i_pieces_clear(covey_pieces *pieces)
{
    covey_i_free(pieces->n_values);
    covey_i_free(pieces->row_of);
    covey_i_free(pieces->line);
    covey_i_free(pieces->of_dealt);
}

void covey_i_pieces_digits(uint32_t *code, const covey_pieces *pieces, size_t n_fields, uint32_t piece)
{
    for (size_t f = n_fields; f-- > 0;) {
        code[f] = piece % pieces->n_values[f];
        piece /= pieces->n_values[f];
    }
}

uint32_t covey_i_sliced_code(const covey_release *release, const covey_problem *problem, size_t slice, size_t f,
                             uint32_t piece)
{
    const covey_sliced *data = release->form_data;
    const covey_slice *own = &data->slice[slice];
    const covey_pieces *pieces = &data->pieces[slice];

    if (pieces->row_of)
        return covey_i_code(covey_i_release_shown(release, &problem->field[own->field[f]]), pieces->row_of[piece]);
    for (size_t after = own->n_fields; --after > f;)
        piece /= pieces->n_values[after];
    return piece % pieces->n_values[f];
}

void covey_i_pieces_clear_dealt_rows(covey_sliced *data, covey_dealt *dealt)
{
    for (size_t s = 0; s < data->n_slices; s++) {
        covey_i_free(data->pieces[s].of_dealt);
        data->pieces[s].of_dealt = NULL;
    }
    if (!dealt->keeps_rows) {
        covey_i_free(dealt->row);
        dealt->row = NULL;
    }
    if (dealt->drop_table)
        dealt->drop_table(dealt->context);
    dealt->drop_table = NULL;
}

void covey_i_dealt_clear(covey_dealt *dealt)
{
    covey_i_free(dealt->row);
    covey_i_free(dealt->start);
    dealt->row = dealt->start = NULL;
}
