/* Weighted sums: a row stands for so many people of a population, as its published sampling weight says, and counts as
 * often.  Weights are whole numbers of the last digit that the column shows, so that sums are exact. */
#include "base/error.h"
#include "query/query_impl.h"

enum { MOST_PLACES = 18 };

static covey_status check_form(const covey_bound_aggregate *out, const covey_query_release *release,
                               const covey_sql_query *sql, const covey_sql_aggregate *a, covey_error *err)
{
    const covey_query_form *form = release->form;
    const covey_query_column *column = &release->column[out->column], *weight = &release->column[out->weight_column];

    if (form->knows_products && form->knows_products(release, out->weight_column, out->column))
        return out->function == COVEY_SQL_SUM
                   ? COVEY_OK
                   : covey_i_sql_complain(err, sql->text, a->at,
                                          "weighted means are not answered over a %s release: ask for "
                                          "SUM(%.100s * %.100s) and SUM(%.100s) by themselves",
                                          form->name, weight->name, column->name, weight->name);
    if (!form->weighs || (column->role == COVEY_ROLE_SENSITIVE && !form->weighs_sensitive))
        return covey_i_sql_complain(err, sql->text, a->at,
                                    "which weights go with which values of \"%.100s\" is not known in a %s release: "
                                    "ask for SUM(%.100s) and the sum of the values one by one",
                                    column->name, form->name, weight->name);
    return COVEY_OK;
}

/* So that weights of all rows, times the largest number, fit 127 bits, and their sum 63. */
static covey_status check_size(const covey_bound_aggregate *out, const covey_query_release *release,
                               const covey_sql_query *sql, const covey_sql_aggregate *a, int64_t largest,
                               covey_error *err)
{
    const covey_query_column *weight = &release->column[out->weight_column], *column = &release->column[out->column];

    if (weight->scale + column->scale > MOST_PLACES)
        return covey_i_sql_complain(err, sql->text, a->at,
                                    "\"%.100s\" and \"%.100s\" have more than %d places behind the point together; "
                                    "round the weight where the release is made (recode: {round: 10})",
                                    weight->name, column->name, MOST_PLACES);
    if ((covey_i128)largest * release->stated->n_rows > INT64_MAX / 2)
        return covey_i_sql_complain(err, sql->text, a->at,
                                    "the weights of \"%.100s\" are too large, or have too many places, to be added up "
                                    "exactly",
                                    weight->name);
    return COVEY_OK;
}

/* Products that are added up like a column's numbers have to fit 63 bits. */
static covey_status check_products(const covey_bound_aggregate *out, const covey_query_release *release,
                                   const covey_sql_query *sql, const covey_sql_aggregate *a, int64_t largest,
                                   covey_error *err)
{
    const covey_query_column *weight = &release->column[out->weight_column], *column = &release->column[out->column];
    int64_t number, product;

    for (uint32_t cell = 0; release->form->knows_products && cell < column->n_cells; cell++)
        if (covey_i_query_cell_number(&number, column, cell) && __builtin_mul_overflow(number, largest, &product))
            return covey_i_sql_complain(err, sql->text, a->at,
                                        "products of \"%.100s\" and \"%.100s\" may have more than 18 digits; round "
                                        "the weight where the release is made (recode: {round: 10})",
                                        weight->name, column->name);
    return COVEY_OK;
}

static covey_status read_weights(int64_t *out, int64_t *largest, const covey_query_column *weight, covey_error *err)
{
    *largest = 0;
    for (uint32_t cell = 0; cell < weight->n_cells; cell++) {
        if (!covey_i_query_cell_number(&out[cell], weight, cell) || out[cell] <= 0)
            return covey_fail(err, COVEY_EPARSE,
                              "column \"%s\" holds values that are no sampling weights: numbers greater than 0 (covey "
                              "verify says more)",
                              weight->name);
        *largest = out[cell] > *largest ? out[cell] : *largest;
    }
    return COVEY_OK;
}

/* SUM(weight) counts also rows without the value: a quotient by it would be no mean of values. */
static covey_status check_missing(const covey_bound_aggregate *out, const covey_query_release *release,
                                  const covey_sql_query *sql, const covey_sql_aggregate *a, covey_error *err)
{
    const covey_query_column *column = &release->column[out->column];
    int64_t number;

    for (uint32_t cell = 0; cell < column->n_cells && out->function == COVEY_SQL_AVG; cell++)
        if (!covey_i_query_cell_number(&number, column, cell))
            return covey_i_sql_complain(err, sql->text, a->at,
                                        "values of \"%.100s\" are missing, and SUM(%.100s) would count their rows: ask "
                                        "for both sums by themselves",
                                        column->name, release->column[out->weight_column].name);
    return COVEY_OK;
}

covey_status covey_i_query_weights(covey_bound_aggregate *out, const covey_query_release *release,
                                   const covey_sql_query *sql, const covey_sql_aggregate *a, covey_arena *arena,
                                   covey_error *err)
{
    const covey_query_column *weight = &release->column[out->weight_column], *column = &release->column[out->column];
    int64_t *of_cell, largest;

    COVEY_TRY(check_form(out, release, sql, a, err));
    for (int i = 0; i < 2; i++)
        if (!covey_i_query_are_numbers(i ? weight : column))
            return covey_i_sql_complain(err, sql->text, a->at,
                                        "not every value of \"%.100s\" is a number, so that there is no sum",
                                        (i ? weight : column)->name);
    if (!(of_cell = covey_arena_array(arena, int64_t, weight->n_cells)))
        return covey_i_no_memory(err);
    COVEY_TRY(read_weights(of_cell, &largest, weight, err));
    COVEY_TRY(check_size(out, release, sql, a, largest, err));
    COVEY_TRY(check_products(out, release, sql, a, largest, err));
    COVEY_TRY(check_missing(out, release, sql, a, err));
    out->weight = of_cell;
    out->weight_text = weight->text;
    return COVEY_OK;
}
