/* Which leaf a value of the data is: by name for texts, by value for numbers, after coarsening where the hierarchy's
 * leaves are coarser than the data. */
#include "hierarchy/hierarchy_impl.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv_cell.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/plural.h"
#include "hierarchy/values.h"
#include "table/table_impl.h"

/* --- leaves as numbers --- */

static bool read_leaf(int64_t *value, int *scale, const char *label, covey_type type, bool is_top)
{
    const size_t size = strlen(label);
    const bool plus = is_top && size > 0 && label[size - 1] == '+';

    return covey_i_typing_read_number(value, scale, type, label, size - plus);
}

covey_status covey_i_leaves_init(covey_leaves *leaves, const char **label, uint32_t n, const covey_column *column,
                                 const covey_coarsening *coarsening, covey_error *err)
{
    uint8_t *scale = covey_i_array(n, sizeof *scale);
    covey_status status = COVEY_OK;

    *leaves = (covey_leaves){.n = n, .label = label, .scale = column->scale, .null = COVEY_NO_NODE};
    leaves->number = covey_i_array_zero(n, sizeof *leaves->number);
    leaves->is_number = covey_i_array_zero(n, sizeof *leaves->is_number);
    if (!scale || !leaves->number || !leaves->is_number) {
        status = covey_i_no_memory(err);
        goto done;
    }
    leaves->all_numbers = covey_column_is_number(column) && coarsening->kind != COVEY_HIERARCHY_ZIP3;
    for (uint32_t i = 0; i < n; i++) {
        int digits = 0;

        if (strcmp(label[i], "null") == 0) {
            leaves->null = i;
            continue;
        }
        if (!covey_column_is_number(column))
            continue;
        leaves->is_number[i] =
            read_leaf(&leaves->number[i], &digits, label[i], column->type, coarsening->kind == COVEY_HIERARCHY_TOP);
        scale[i] = (uint8_t)digits;
        if (leaves->is_number[i] && digits > leaves->scale)
            leaves->scale = digits;
        leaves->all_numbers &= leaves->is_number[i];
    }
    for (uint32_t i = 0; i < n; i++)
        if (leaves->is_number[i] && !covey_i_hierarchy_rescale(&leaves->number[i], scale[i], leaves->scale))
            leaves->is_number[i] = leaves->all_numbers = false;
done:
    covey_i_free(scale);
    if (status != COVEY_OK)
        covey_i_leaves_clear(leaves);
    return status;
}

void covey_i_leaves_clear(covey_leaves *leaves)
{
    covey_i_free(leaves->label);
    covey_i_free(leaves->number);
    covey_i_free(leaves->is_number);
    *leaves = (covey_leaves){0};
}

/* --- coarsening --- */

/* The first three digits of 12345, 12345-6789 or 123456789; numbers have lost their leading zeros. */
static bool zip_prefix(int *prefix, const covey_column *column, uint32_t code)
{
    const char *label = covey_column_label(column, code);
    const size_t size = covey_column_label_size(column, code);
    size_t n_digits = 0, missing;
    int value = 0;

    if (column->type == COVEY_TYPE_DECIMAL || column->type == COVEY_TYPE_DATE)
        return false;
    while (n_digits < size && isdigit((unsigned char)label[n_digits]))
        n_digits++;
    if (column->type == COVEY_TYPE_INTEGER) {
        if (n_digits != size || size == 0 || size > 9)
            return false;
        missing = size <= 5 ? 5 - size : 9 - size;
    } else {
        const bool dashed = n_digits == 5 && size == 10 && label[5] == '-' && strspn(label + 6, "0123456789") == 4;

        if (!dashed && (n_digits != size || (size != 3 && size != 5 && size != 9)))
            return false;
        missing = 0;
    }
    for (size_t i = 0; i < 3; i++)
        value = 10 * value + (i < missing ? 0 : label[i - missing] - '0');
    *prefix = value;
    return true;
}

bool covey_i_hierarchy_coarsen(char out[64], const covey_coarsening *coarsening, const covey_column *column,
                               uint32_t code)
{
    int prefix;

    if (coarsening->kind == COVEY_HIERARCHY_TOP) {
        int64_t top = coarsening->top;

        if (!covey_i_hierarchy_rescale(&top, 0, column->scale) || column->number[code] < top)
            snprintf(out, 64, "%s", covey_column_label(column, code));
        else
            snprintf(out, 64, "%" PRId64 "+", coarsening->top);
        return true;
    }
    assert(coarsening->kind == COVEY_HIERARCHY_ZIP3);
    if (!zip_prefix(&prefix, column, code))
        return false;
    snprintf(out, 64, "%03d", coarsening->restricted[prefix] ? 0 : prefix);
    return true;
}

/* --- finding --- */

typedef struct finder {
    const covey_leaves *leaves;
    bool by_number;
    uint32_t *slots; /* open addressing, to leaves */
    size_t n_slots;
} finder;

static size_t text_slot(const finder *f, const char *label, size_t size)
{
    size_t slot = covey_i_hash_bytes(label, size) & (f->n_slots - 1);

    while (f->slots[slot] != COVEY_NO_NODE && strcmp(f->leaves->label[f->slots[slot]], label) != 0)
        slot = (slot + 1) & (f->n_slots - 1);
    return slot;
}

static size_t number_slot(const finder *f, int64_t number)
{
    size_t slot = covey_i_mix((uint64_t)number, 1) & (f->n_slots - 1);

    while (f->slots[slot] != COVEY_NO_NODE && f->leaves->number[f->slots[slot]] != number)
        slot = (slot + 1) & (f->n_slots - 1);
    return slot;
}

/* COVEY_EINVAL without a message for two leaves of the same number. */
static covey_status fill(finder *f, uint32_t twice[2])
{
    const covey_leaves *leaves = f->leaves;

    for (uint32_t i = 0; i < leaves->n; i++) {
        size_t slot;

        if (f->by_number && !leaves->is_number[i])
            continue;
        slot =
            f->by_number ? number_slot(f, leaves->number[i]) : text_slot(f, leaves->label[i], strlen(leaves->label[i]));
        if (f->slots[slot] != COVEY_NO_NODE && f->by_number) {
            twice[0] = f->slots[slot];
            twice[1] = i;
            return COVEY_EINVAL;
        }
        if (f->slots[slot] == COVEY_NO_NODE)
            f->slots[slot] = i;
    }
    return COVEY_OK;
}

static uint32_t find(const finder *f, const covey_column *column, const covey_coarsening *coarsening, uint32_t code)
{
    const covey_leaves *leaves = f->leaves;
    char coarse[64];

    if (column->has_null && code == 0)
        return leaves->null;
    if (coarsening->kind == COVEY_HIERARCHY_ZIP3) {
        if (!covey_i_hierarchy_coarsen(coarse, coarsening, column, code))
            return COVEY_NO_NODE;
        return f->slots[text_slot(f, coarse, strlen(coarse))];
    }
    if (f->by_number) {
        int64_t number = column->number[code], top = coarsening->top;

        if (coarsening->kind == COVEY_HIERARCHY_TOP && covey_i_hierarchy_rescale(&top, 0, column->scale) &&
            number > top)
            number = top;
        if (!covey_i_hierarchy_rescale(&number, column->scale, leaves->scale))
            return COVEY_NO_NODE;
        return f->slots[number_slot(f, number)];
    }
    return f->slots[text_slot(f, covey_column_label(column, code), covey_column_label_size(column, code))];
}

covey_status covey_i_leaves_match(uint32_t *leaf_of_code, const covey_leaves *leaves, const covey_column *column,
                                  const covey_coarsening *coarsening, uint32_t twice[2], covey_error *err)
{
    finder f = {.leaves = leaves, .n_slots = 16};
    covey_status status;

    f.by_number = covey_column_is_number(column) && coarsening->kind != COVEY_HIERARCHY_ZIP3;
    while (f.n_slots < 2 * (size_t)leaves->n)
        f.n_slots *= 2;
    if (!(f.slots = covey_i_array(f.n_slots, sizeof *f.slots)))
        return covey_i_no_memory(err);
    memset(f.slots, 0xFF, f.n_slots * sizeof *f.slots);
    if ((status = fill(&f, twice)) == COVEY_OK)
        for (uint32_t code = 0; code < column->n_values; code++)
            leaf_of_code[code] = find(&f, column, coarsening, code);
    covey_i_free(f.slots);
    return status;
}

/* --- values without a leaf --- */

enum { N_SHOWN = 5, BLOCK = 4096 };

static bool all_found(const uint32_t *leaf_of_code, const covey_column *column)
{
    for (uint32_t code = 0; code < column->n_values; code++)
        if (leaf_of_code[code] == COVEY_NO_NODE)
            return false;
    return true;
}

static covey_status count_rows(int64_t *n_rows, uint32_t *n_values, bool *occurs, const uint32_t *leaf_of_code,
                               const covey_column *column, covey_error *err)
{
    uint32_t *codes = covey_i_array(BLOCK, sizeof *codes);

    if (!codes)
        return covey_i_no_memory(err);
    *n_rows = 0;
    *n_values = 0;
    for (int64_t low = 0; low < column->n_rows; low += BLOCK) {
        const int64_t n = column->n_rows - low < BLOCK ? column->n_rows - low : BLOCK;

        covey_i_column_unpack(codes, column, low, low + n);
        for (int64_t i = 0; i < n; i++) {
            if (leaf_of_code[codes[i]] != COVEY_NO_NODE)
                continue;
            ++*n_rows;
            *n_values += !occurs[codes[i]];
            occurs[codes[i]] = true;
        }
    }
    covey_i_free(codes);
    return COVEY_OK;
}

static void list_values(char *out, size_t size, const bool *occurs, const covey_column *column)
{
    int n = 0;
    size_t used = 0;

    out[0] = '\0';
    for (uint32_t code = 0; code < column->n_values && n < N_SHOWN; code++) {
        char shown[COVEY_CSV_SHOWN];

        if (!occurs[code])
            continue;
        covey_i_csv_shown(shown, covey_column_label(column, code), covey_column_label_size(column, code));
        used += (size_t)snprintf(out + used, size - used, "%s\"%s\"", n ? ", " : "", shown);
        n++;
    }
}

/* Line of the first row whose value has no leaf. */
static int64_t first_line(const uint32_t *leaf_of_code, const covey_column *column)
{
    int64_t row = 0;

    while (leaf_of_code[covey_i_code(column, row)] != COVEY_NO_NODE)
        row++;
    return covey_column_line(column, row);
}

covey_status covey_i_leaves_require(const uint32_t *leaf_of_code, const covey_column *column, const char *file,
                                    covey_error *err)
{
    char values[N_SHOWN * (COVEY_CSV_SHOWN + 4)];
    covey_status status;
    int64_t n_rows = 0;
    uint32_t n_values = 0;
    bool *occurs;

    if (all_found(leaf_of_code, column))
        return COVEY_OK;
    if (!(occurs = covey_i_array_zero(column->n_values, sizeof *occurs)))
        return covey_i_no_memory(err);
    if ((status = count_rows(&n_rows, &n_values, occurs, leaf_of_code, column, err)) == COVEY_OK && n_rows > 0) {
        list_values(values, sizeof values, occurs, column);
        status = covey_fail_at(
            err, COVEY_EINVAL, NULL, first_line(leaf_of_code, column), column->name, 0,
            "column \"%s\": %" PRId64 " row%s %" PRIu32 " value%s that %s does not list: %s%s; add a line for %s%s",
            column->name, n_rows, n_rows == 1 ? " holds" : "s hold", n_values, covey_i_plural(n_values),
            file ? file : "the hierarchy", values, n_values > N_SHOWN ? ", ..." : "", n_values == 1 ? "it" : "each",
            !file           ? ""
            : n_values == 1 ? ", or put it under the root with `missing-leaf: root`"
                            : ", or put them under the root with `missing-leaf: root`");
    }
    covey_i_free(occurs);
    return status;
}

/* --- columns of leaves --- */

static covey_status complain_of_numbers(const covey_leaves *leaves, const uint32_t twice[2], const covey_column *column,
                                        covey_error *err)
{
    char one[COVEY_CSV_SHOWN], other[COVEY_CSV_SHOWN];

    covey_i_csv_shown(one, leaves->label[twice[0]], strlen(leaves->label[twice[0]]));
    covey_i_csv_shown(other, leaves->label[twice[1]], strlen(leaves->label[twice[1]]));
    return covey_fail(
        err, COVEY_EINVAL,
        "column \"%s\": the hierarchy lists the same number twice, as \"%s\" and as \"%s\"; keep one line",
        column->name, one, other);
}

static covey_status make_column(covey_column **out, const covey_column *column, const covey_leaves *leaves,
                                const uint32_t *leaf_of_code, covey_error *err)
{
    const bool number = leaves->all_numbers && (leaves->null == COVEY_NO_NODE || leaves->null == 0);
    /* Among numbers the text "null" can only mean a missing cell, whether or not this column has some. */
    const bool has_null = leaves->null == 0 && (column->has_null || number);
    covey_label *labels = covey_i_array(leaves->n, sizeof *labels);
    covey_status status;

    if (!labels)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < leaves->n; i++)
        labels[i] = (covey_label){leaves->label[i], strlen(leaves->label[i])};
    status = covey_i_column_recode(out, column, number ? column->type : COVEY_TYPE_TEXT, leaf_of_code, leaves->n,
                                   has_null, number ? leaves->scale : 0, labels, number ? leaves->number : NULL, err);
    covey_i_free(labels);
    return status;
}

/* The leaves, and where each value of the column is among them, COVEY_NO_NODE for none. */
static covey_status find_leaves(covey_leaves *leaves, uint32_t *leaf_of_code, const covey_column *column,
                                const covey_hierarchy *h, covey_error *err)
{
    const char **label = covey_i_array(h->n_leaves, sizeof *label);
    uint32_t twice[2];
    covey_status status;

    if (!label)
        return covey_i_no_memory(err);
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++)
        label[leaf] = covey_hierarchy_label(h, h->leaf_node[leaf]);
    COVEY_TRY(covey_i_leaves_init(leaves, label, h->n_leaves, column, &h->coarsening, err));
    status = covey_i_leaves_match(leaf_of_code, leaves, column, &h->coarsening, twice, err);
    return status == COVEY_EINVAL ? complain_of_numbers(leaves, twice, column, err) : status;
}

covey_status covey_i_hierarchy_find_leaves(uint32_t *leaf_of_code, const covey_column *column, const covey_hierarchy *h,
                                           covey_error *err)
{
    covey_leaves leaves = {0};
    const covey_status status = find_leaves(&leaves, leaf_of_code, column, h, err);

    covey_i_leaves_clear(&leaves);
    return status;
}

covey_status covey_i_hierarchy_align(covey_column **out, const covey_column *column, const covey_hierarchy *h,
                                     covey_error *err)
{
    uint32_t *leaf_of_code = covey_i_array(column->n_values, sizeof *leaf_of_code);
    covey_leaves leaves = {0};
    covey_status status;

    if (!leaf_of_code)
        return covey_i_no_memory(err);
    if ((status = find_leaves(&leaves, leaf_of_code, column, h, err)) != COVEY_OK ||
        (status = covey_i_leaves_require(leaf_of_code, column, NULL, err)) != COVEY_OK)
        goto done;
    for (uint32_t code = 0; code < column->n_values; code++)
        if (leaf_of_code[code] == COVEY_NO_NODE)
            leaf_of_code[code] = 0; /* no row has it */
    status = make_column(out, column, &leaves, leaf_of_code, err);
done:
    covey_i_leaves_clear(&leaves);
    covey_i_free(leaf_of_code);
    return status;
}
