/* The numeric domain that a policy declares: it and the column's values have the same places behind the point,
 * whichever of them needs more, so that losses, splits and published ends are exact.  Values are published as they were
 * written. */
#include "job/preparing.h"

#include <inttypes.h>
#include <string.h>

#include "table/table_impl.h"

#define FAIL_WISH(...)                                                                                                 \
    covey_fail_at(err, COVEY_EINVAL, wish->line ? s->policy->path : NULL, wish->line, wish->name, wish->column,        \
                  __VA_ARGS__)

/* Reads an end as a value of the column's type; integers may have a domain with places behind the point. */
static bool read_end(int64_t *end, int *scale, const covey_column *column, const char *text)
{
    return covey_i_typing_read_number(
        end, scale, column->type == COVEY_TYPE_DATE ? COVEY_TYPE_DATE : COVEY_TYPE_DECIMAL, text, strlen(text));
}

static covey_status refuse_end(const char *end, const covey_column *column, const covey_preparing *s,
                               const covey_wish_attribute *wish, covey_error *err)
{
    return FAIL_WISH("the domain of \"%s\" must be two values of its type (%s), not \"%s\"", wish->name,
                     covey_type_name(column->type), end);
}

/* The first row with a value, -1 if a part has it from the whole table. */
static int64_t row_of(const covey_column *column, uint32_t code)
{
    for (int64_t row = 0; row < column->n_rows; row++)
        if (covey_column_code(column, row) == code)
            return row;
    return -1;
}

/* A value and an end of the domain that have no room for each other's places. */
static covey_status refuse_digits(const char *end, uint32_t code, const covey_column *column, const covey_preparing *s,
                                  const covey_wish_attribute *wish, covey_error *err)
{
    const int64_t row = row_of(column, code);

    if (row < 0)
        return FAIL_WISH(
            "the domain's %s beside %s of column \"%s\" needs more than 18 digits: give a smaller domain, or "
            "round the column",
            end, covey_column_label(column, code), wish->name);
    return FAIL_WISH("the domain's %s beside %s of column \"%s\" in %s %" PRId64
                     " of %s needs more than 18 digits: give a smaller domain, or round the column",
                     end, covey_column_label(column, code), wish->name, covey_i_lines_word(column),
                     covey_column_line(column, row), s->policy->input_path);
}

/* The first row's value that needs all of the column's places. */
static uint32_t finest_code(const covey_column *column)
{
    int64_t row = 0;

    while (row + 1 < column->n_rows && column->number[covey_column_code(column, row)] % 10 == 0)
        row++;
    return covey_column_code(column, row);
}

covey_status covey_i_preparing_align_domain(covey_column **typed, const covey_preparing *s,
                                            const covey_wish_attribute *wish, covey_error *err)
{
    const char *const text[] = {wish->domain_low, wish->domain_high};
    const covey_column *column = *typed;
    covey_column *aligned = NULL;
    int64_t end;
    int scale = column->scale, digits;
    const char *finest = NULL;
    uint32_t misfit;

    for (int i = 0; i < 2; i++) {
        if (!read_end(&end, &digits, column, text[i]))
            return refuse_end(text[i], column, s, wish, err);
        if (digits > scale) {
            scale = digits;
            finest = text[i];
        }
    }
    if (!finest)
        return COVEY_OK;
    COVEY_TRY(covey_i_column_rescale(&aligned, &misfit, column, scale, err));
    if (!aligned)
        return refuse_digits(finest, misfit, column, s, wish, err);
    covey_i_column_free(*typed);
    *typed = aligned;
    return COVEY_OK;
}

static covey_status refuse_outside(uint32_t code, const covey_column *column, const covey_preparing *s,
                                   const covey_wish_attribute *wish, covey_error *err)
{
    const int64_t row = row_of(column, code);

    if (row < 0)
        return FAIL_WISH("the domain [%s, %s] of \"%s\" does not hold %s: widen it", wish->domain_low,
                         wish->domain_high, wish->name, covey_column_label(column, code));
    return FAIL_WISH("the domain [%s, %s] of \"%s\" does not hold %s in %s %" PRId64 " of %s: widen it",
                     wish->domain_low, wish->domain_high, wish->name, covey_column_label(column, code),
                     covey_i_lines_word(column), covey_column_line(column, row), s->policy->input_path);
}

covey_status covey_i_preparing_set_domain(covey_axis *axis, const covey_preparing *s, const covey_wish_attribute *wish,
                                          covey_error *err)
{
    const covey_column *column = axis->column;
    const uint32_t first = column->has_null ? 1 : 0;
    const char *const text[] = {wish->domain_low, wish->domain_high};
    int64_t *const end[] = {&axis->domain_low, &axis->domain_high};

    for (int i = 0; i < 2; i++) {
        int scale;

        if (!read_end(end[i], &scale, column, text[i]))
            return refuse_end(text[i], column, s, wish, err);
        if (!covey_i_typing_rescale_number(end[i], scale, column->scale))
            return refuse_digits(text[i], finest_code(column), column, s, wish, err);
    }
    if (first < column->n_values && column->number[first] < axis->domain_low)
        return refuse_outside(first, column, s, wish, err);
    if (first < column->n_values && column->number[column->n_values - 1] > axis->domain_high)
        return refuse_outside(column->n_values - 1, column, s, wish, err);
    return COVEY_OK;
}
