/* From columns of texts to columns with a type, and the order of their codes; single values are typing_values.c's.
 *
 * Everything works on the dictionary; rows are touched once, to give them their new codes.  A value that does not fit
 * is an error only if a row has it, and only then is its first row looked for. */
#include "table/table_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/sort/sort.h"

/* Numbers read from a dictionary, indexed by old code.  The missing value fits and has number 0. */
struct reading {
    int64_t *number; /* value * 10^scale[v], then value * 10^largest scale */
    uint8_t *scale;
    bool *fits;
    bool any_misfit;
    int largest_scale;
};

static bool init_reading(struct reading *r, const covey_column *raw, covey_arena *arena)
{
    *r = (struct reading){
        .number = covey_arena_array(arena, int64_t, raw->n_values),
        .scale = covey_arena_array(arena, uint8_t, raw->n_values),
        .fits = covey_arena_array(arena, bool, raw->n_values),
    };
    return r->number && r->scale && r->fits;
}

bool covey_i_typing_has_leading_zeros(const char *text, size_t size)
{
    const size_t first = size > 0 && text[0] == '-';

    return size >= first + 2 && text[first] == '0' && text[first + 1] >= '0' && text[first + 1] <= '9';
}

/* "21.0" is an integer where one is declared: programs whose integers cannot be missing write them so. */
static bool take_whole(int64_t *number, int *scale)
{
    for (; *scale > 0 && *number % 10 == 0; *number /= 10)
        --*scale;
    return *scale == 0;
}

static bool read_value(int64_t *number, int *scale, covey_type type, bool guessing, const char *text, size_t size)
{
    *scale = 0;
    if (type == COVEY_TYPE_DATE)
        return covey_i_typing_parse_date(number, text, size);
    return covey_i_typing_parse_decimal(number, scale, text, size) &&
           (type == COVEY_TYPE_DECIMAL || take_whole(number, scale)) &&
           !(guessing && covey_i_typing_has_leading_zeros(text, size));
}

static void read_values(struct reading *r, const covey_column *raw, covey_type type, bool guessing)
{
    r->any_misfit = false;
    r->largest_scale = 0;
    for (uint32_t v = 0; v < raw->n_values; v++) {
        int scale = 0;

        r->number[v] = 0;
        r->fits[v] =
            (raw->has_null && v == 0) || read_value(&r->number[v], &scale, type, guessing, covey_column_label(raw, v),
                                                    covey_column_label_size(raw, v));
        r->scale[v] = (uint8_t)scale;
        if (!r->fits[v])
            r->any_misfit = true;
        else if (scale > r->largest_scale)
            r->largest_scale = scale;
    }
}

/* Brings every number to the column's scale; those that become too large do not fit.  The others differ by less than 2
 * * 10^18: no difference of two of them leaves an int64_t. */
static void align_scales(struct reading *r, uint32_t n_values)
{
    for (uint32_t v = 0; v < n_values; v++)
        if (r->fits[v] && !covey_i_typing_rescale_number(&r->number[v], r->scale[v], r->largest_scale))
            r->fits[v] = false, r->any_misfit = true;
}

/* The first row whose value does not fit, -1 if there is none. */
static int64_t first_misfit(const bool *fits, const covey_column *raw)
{
    for (int64_t row = 0; row < raw->n_rows; row++)
        if (!fits[covey_column_code(raw, row)])
            return row;
    return -1;
}

/* Reads the dictionary as type; returns the first row that does not fit, -1 if all do.  *aligned tells a misfit of
 * scales. */
static int64_t read_column(struct reading *r, const covey_column *raw, covey_type type, bool guessing, bool *aligned)
{
    int64_t row;

    *aligned = false;
    read_values(r, raw, type, guessing);
    if (r->any_misfit && (row = first_misfit(r->fits, raw)) >= 0)
        return row;
    *aligned = true;
    align_scales(r, raw->n_values);
    return r->any_misfit ? first_misfit(r->fits, raw) : -1;
}

static bool has_values(const struct reading *r, const covey_column *raw)
{
    for (uint32_t v = raw->has_null; v < raw->n_values; v++)
        if (r->fits[v])
            return true;
    return false;
}

static covey_type guess_type(struct reading *r, const covey_column *raw)
{
    bool aligned;

    if (read_column(r, raw, COVEY_TYPE_DECIMAL, true, &aligned) < 0 && has_values(r, raw))
        return r->largest_scale > 0 ? COVEY_TYPE_DECIMAL : COVEY_TYPE_INTEGER;
    if (read_column(r, raw, COVEY_TYPE_DATE, true, &aligned) < 0 && has_values(r, raw))
        return COVEY_TYPE_DATE;
    return COVEY_TYPE_TEXT;
}

/* The first row whose number has the most decimal places. */
static int64_t finest_row(const struct reading *r, const covey_column *raw)
{
    for (int64_t row = 0; row < raw->n_rows; row++)
        if (r->scale[covey_column_code(raw, row)] == r->largest_scale)
            return row;
    return -1;
}

static int digits_of(int64_t number)
{
    int n = 1;

    for (; number / 10 != 0; number /= 10)
        n++;
    return n;
}

/* The number of that row has too many digits in front of its point for the places behind that of another. */
static covey_status complain_of_scales(const struct reading *r, const covey_column *raw, int64_t row, const char *file,
                                       covey_error *err)
{
    const int64_t other = finest_row(r, raw);
    const uint32_t large = covey_column_code(raw, row), fine = covey_column_code(raw, other);
    char shown[2][COVEY_CSV_SHOWN];

    covey_i_csv_shown(shown[0], covey_column_label(raw, large), covey_column_label_size(raw, large));
    covey_i_csv_shown(shown[1], covey_column_label(raw, fine), covey_column_label_size(raw, fine));
    return covey_fail_at(err, COVEY_EPARSE, file, covey_column_line(raw, row), raw->name, 0,
                         "column \"%s\": %s beside %s in %s %" PRId64
                         " needs %d digits; numbers of one column may have 18, with the same places "
                         "behind the point: round the column or declare `type: text`",
                         raw->name, shown[0], shown[1], covey_i_lines_word(raw), covey_column_line(raw, other),
                         digits_of(r->number[large]) + r->largest_scale - r->scale[large]);
}

static covey_status complain_of_row(const covey_column *raw, int64_t row, covey_type type, const char *file,
                                    covey_error *err)
{
    const uint32_t v = covey_column_code(raw, row);
    const char *text = covey_column_label(raw, v);
    const size_t size = covey_column_label_size(raw, v);
    char shown[COVEY_CSV_SHOWN];
    const char *expected = type == COVEY_TYPE_INTEGER ? "an integer of at most 18 digits"
                           : type == COVEY_TYPE_DATE  ? "a date (YYYY-MM-DD)"
                                                      : "a decimal number of at most 18 digits (such as -12.5)";

    covey_i_csv_shown(shown, text, size);
    return covey_fail_at(
        err, COVEY_EPARSE, file, covey_column_line(raw, row), raw->name, 0,
        "column \"%s\": \"%s\" is not %s; correct the cell, add it to input.null, or declare `type: text`", raw->name,
        shown, expected);
}

/* Values that fit, sorted by number (the missing value is not among them). */
static uint32_t sort_values(uint32_t *sorted, uint32_t *scratch, uint64_t *key, const struct reading *r,
                            const covey_column *raw)
{
    uint32_t n = 0;

    for (uint32_t v = raw->has_null; v < raw->n_values; v++)
        if (r->fits[v]) {
            sorted[n++] = v;
            key[v] = (uint64_t)r->number[v] ^ (uint64_t)1 << 63; /* negative numbers first */
        }
    covey_i_sort_rows_u64(sorted, scratch, n, key);
    return n;
}

/* Does covey write the number otherwise than the table: do several texts mean it, or is it an integer with a point? */
static bool needs_own_label(covey_type type, const covey_label *label, size_t n_texts)
{
    return n_texts > 1 || (type == COVEY_TYPE_INTEGER && memchr(label->text, '.', label->size));
}

/* The number as covey writes it. */
static bool own_label(covey_label *label, covey_type type, int64_t number, int scale, covey_arena *arena)
{
    char text[32];
    const size_t size = covey_i_typing_format_number(text, sizeof text, type, number, scale);

    label->text = covey_arena_strndup(arena, text, size);
    label->size = size;
    return label->text != NULL;
}

static covey_status make_number_column(covey_column **out, const covey_column *raw, covey_type type,
                                       const struct reading *r, covey_arena *arena, covey_error *err)
{
    const uint32_t n_raw = raw->n_values;
    uint32_t *sorted = covey_arena_array(arena, uint32_t, n_raw), *scratch = covey_arena_array(arena, uint32_t, n_raw);
    uint32_t *map = covey_arena_array_zero(arena, uint32_t, n_raw), n = 0, n_sorted;
    uint64_t *key = covey_arena_array(arena, uint64_t, n_raw);
    covey_label *labels = covey_arena_array(arena, covey_label, n_raw);
    int64_t *number = covey_arena_array(arena, int64_t, n_raw);

    if (!sorted || !scratch || !map || !key || !labels || !number)
        return covey_i_no_memory(err);
    n_sorted = sort_values(sorted, scratch, key, r, raw);
    if (raw->has_null) {
        labels[n] = (covey_label){covey_column_label(raw, 0), covey_column_label_size(raw, 0)};
        number[n++] = 0;
    }
    for (uint32_t i = 0; i < n_sorted; n++) {
        const uint32_t first = sorted[i];
        const uint32_t start = i;

        for (; i < n_sorted && r->number[sorted[i]] == r->number[first]; i++)
            map[sorted[i]] = n;
        number[n] = r->number[first];
        labels[n] = (covey_label){covey_column_label(raw, first), covey_column_label_size(raw, first)};
        if (needs_own_label(type, &labels[n], i - start) &&
            !own_label(&labels[n], type, number[n], r->largest_scale, arena))
            return covey_i_no_memory(err);
    }
    return covey_i_column_recode(out, raw, type, map, n, raw->has_null, r->largest_scale, labels, number, err);
}

/* No text may stand in order twice, nor the missing value. */
static covey_status check_order(const covey_column *raw, const char *const *order, size_t n_order, covey_arena *arena,
                                covey_error *err)
{
    const size_t n_slots = 2 * n_order + 1;
    size_t *slot = covey_arena_array_zero(arena, size_t, n_slots);

    if (!slot)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n_order; i++) {
        size_t at = covey_i_hash_bytes(order[i], strlen(order[i])) % n_slots;

        for (; slot[at]; at = (at + 1) % n_slots)
            if (strcmp(order[slot[at] - 1], order[i]) == 0)
                return covey_fail(err, COVEY_EINVAL, "attribute \"%s\": order lists \"%s\" twice", raw->name, order[i]);
        slot[at] = i + 1;
        if (raw->has_null && strcmp(order[i], covey_column_label(raw, 0)) == 0)
            return covey_fail(err, COVEY_EINVAL,
                              "attribute \"%s\": order lists \"%s\", but missing cells always come first; leave it out",
                              raw->name, order[i]);
    }
    return COVEY_OK;
}

static covey_status make_ordered_column(covey_column **out, const covey_column *raw, const char *const *order,
                                        size_t n_order, const char *file, covey_arena *arena, covey_error *err)
{
    const size_t n = n_order + raw->has_null;
    uint32_t *map = covey_arena_array_zero(arena, uint32_t, raw->n_values);
    bool *fits = covey_arena_array_zero(arena, bool, raw->n_values);
    covey_label *labels = covey_arena_array(arena, covey_label, n);
    char shown[COVEY_CSV_SHOWN];
    int64_t row;

    if (!map || !fits || !labels || n >= UINT32_MAX)
        return covey_i_no_memory(err);
    COVEY_TRY(check_order(raw, order, n_order, arena, err));
    if (raw->has_null) {
        labels[0] = (covey_label){covey_column_label(raw, 0), covey_column_label_size(raw, 0)};
        fits[0] = true;
    }
    for (size_t i = 0; i < n_order; i++) {
        const int64_t v = covey_i_column_find(raw, order[i], strlen(order[i]));
        const uint32_t code = (uint32_t)(i + raw->has_null);

        labels[code] = (covey_label){order[i], strlen(order[i])};
        if (v >= 0) {
            map[v] = code;
            fits[v] = true;
        }
    }
    if ((row = first_misfit(fits, raw)) >= 0) {
        const uint32_t v = covey_column_code(raw, row);

        return covey_fail_at(err, COVEY_EINVAL, file, covey_column_line(raw, row), raw->name, 0,
                             "column \"%s\": \"%s\" is not in the attribute's order; add it there", raw->name,
                             covey_i_csv_shown(shown, covey_column_label(raw, v), covey_column_label_size(raw, v)));
    }
    return covey_i_column_recode(out, raw, COVEY_TYPE_TEXT, map, (uint32_t)n, raw->has_null, 0, labels, NULL, err);
}

static covey_status type_as_number(covey_column **out, const covey_column *raw, covey_type type, const char *file,
                                   covey_arena *arena, covey_error *err)
{
    const bool guessing = type == COVEY_TYPE_GUESS;
    struct reading r;
    int64_t row;
    bool aligned;

    if (!init_reading(&r, raw, arena))
        return covey_i_no_memory(err);
    if (guessing) {
        if ((type = guess_type(&r, raw)) == COVEY_TYPE_TEXT) {
            *out = covey_i_column_share((covey_column *)raw);
            return COVEY_OK;
        }
    } else if ((row = read_column(&r, raw, type, false, &aligned)) >= 0) {
        return aligned ? complain_of_scales(&r, raw, row, file, err) : complain_of_row(raw, row, type, file, err);
    }
    return make_number_column(out, raw, type, &r, arena, err);
}

covey_status covey_i_typing_column_type(covey_column **out, const covey_column *raw, covey_type type,
                                        const char *const *order, size_t n_order, const char *file, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;

    if (order && type != COVEY_TYPE_TEXT && type != COVEY_TYPE_GUESS)
        return covey_fail(err, COVEY_EINVAL,
                          "attribute \"%s\": order is for texts; a column of type %s is ordered by value", raw->name,
                          covey_type_name(type));
    if (order) {
        status = make_ordered_column(out, raw, order, n_order, file, &arena, err);
    } else if (type == COVEY_TYPE_TEXT) {
        *out = covey_i_column_share((covey_column *)raw);
        status = COVEY_OK;
    } else {
        status = type_as_number(out, raw, type, file, &arena, err);
    }
    covey_arena_free(&arena);
    return status;
}

static bool all_are(struct reading *r, const covey_column *raw, covey_type type)
{
    read_values(r, raw, type, true);
    align_scales(r, raw->n_values);
    return !r->any_misfit && has_values(r, raw);
}

covey_status covey_i_typing_of_values(covey_type *out, const covey_column *raw, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    struct reading r;
    covey_status status = COVEY_OK;

    *out = COVEY_TYPE_TEXT;
    if (!init_reading(&r, raw, &arena))
        status = covey_i_no_memory(err);
    else if (all_are(&r, raw, COVEY_TYPE_DECIMAL))
        *out = r.largest_scale > 0 ? COVEY_TYPE_DECIMAL : COVEY_TYPE_INTEGER;
    else if (all_are(&r, raw, COVEY_TYPE_DATE))
        *out = COVEY_TYPE_DATE;
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_typing_check_digits(const covey_column *raw, const char *file, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    struct reading r;
    covey_status status = COVEY_OK;
    int64_t row;
    bool aligned;

    if (!init_reading(&r, raw, &arena))
        status = covey_i_no_memory(err);
    else if ((row = read_column(&r, raw, COVEY_TYPE_DECIMAL, true, &aligned)) >= 0 && aligned)
        status = complain_of_scales(&r, raw, row, file, err);
    covey_arena_free(&arena);
    return status;
}

int64_t covey_i_typing_stray_text(uint32_t *n_texts_out, const covey_column *column)
{
    uint32_t n_numbers = 0, n_texts = 0, stray = 0;

    if (n_texts_out)
        *n_texts_out = 0;
    if (column->type != COVEY_TYPE_TEXT)
        return -1;
    for (uint32_t v = column->has_null; v < column->n_values; v++) {
        const char *text = covey_column_label(column, v);
        const size_t size = covey_column_label_size(column, v);
        int64_t number;
        int scale;

        if (covey_i_typing_has_leading_zeros(text, size))
            return -1; /* codes */
        if (covey_i_typing_parse_decimal(&number, &scale, text, size)) {
            n_numbers++;
        } else if (n_texts++ == 0) {
            stray = v;
        }
    }
    if (n_texts == 0 || n_numbers <= n_texts)
        return -1;
    if (n_texts_out)
        *n_texts_out = n_texts;
    for (int64_t row = 0; row < column->n_rows; row++)
        if (covey_column_code(column, row) == stray)
            return row;
    return -1;
}

int64_t covey_i_typing_long_number(const covey_column *column)
{
    bool any = false;

    if (column->type != COVEY_TYPE_TEXT)
        return -1;
    for (uint32_t v = column->has_null; v < column->n_values; v++) {
        const char *text = covey_column_label(column, v);
        const size_t size = covey_column_label_size(column, v);
        const bool is_long = covey_i_typing_is_long_number(text, size);
        int64_t number;
        int scale;

        if (covey_i_typing_has_leading_zeros(text, size) ||
            (!is_long && !covey_i_typing_parse_decimal(&number, &scale, text, size)))
            return -1;
        any |= is_long;
    }
    for (int64_t row = 0; any && row < column->n_rows; row++) {
        const uint32_t v = covey_column_code(column, row);

        if (!(v == 0 && column->has_null) &&
            covey_i_typing_is_long_number(covey_column_label(column, v), covey_column_label_size(column, v)))
            return row;
    }
    return -1;
}

/* Digits with a point somewhere, perhaps a sign, an exponent, and blanks around. */
static bool is_number_in_any_writing(const char *text)
{
    const char *p = text + strspn(text, " \t"), *begin;
    size_t n_digits;

    p += *p == '+' || *p == '-';
    begin = p;
    p += strspn(p, "0123456789");
    n_digits = (size_t)(p - begin);
    if (*p == '.') {
        begin = ++p;
        p += strspn(p, "0123456789");
        n_digits += (size_t)(p - begin);
    }
    if (n_digits > 0 && (*p == 'e' || *p == 'E')) {
        p += 1 + (p[1] == '+' || p[1] == '-');
        n_digits = strspn(p, "0123456789");
        p += n_digits;
    }
    return n_digits > 0 && p[strspn(p, " \t")] == '\0';
}

int64_t covey_i_typing_odd_number(const covey_column *column)
{
    if (column->type != COVEY_TYPE_TEXT)
        return -1;
    for (uint32_t v = column->has_null; v < column->n_values; v++)
        if (covey_i_typing_has_leading_zeros(covey_column_label(column, v), covey_column_label_size(column, v)) ||
            !is_number_in_any_writing(covey_column_label(column, v)))
            return -1;
    for (int64_t row = 0; row < column->n_rows; row++) {
        const uint32_t v = covey_column_code(column, row);
        int64_t number;
        int scale;

        if (!(v == 0 && column->has_null) &&
            !covey_i_typing_parse_decimal(&number, &scale, covey_column_label(column, v),
                                          covey_column_label_size(column, v)))
            return row;
    }
    return -1;
}
