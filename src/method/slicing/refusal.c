/* The policy nearest to one that slicing cannot keep. */
#include <inttypes.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/text.h"
#include "method/slicing/slicing.h"
#include "model/nearest.h"
#include "table/table_impl.h"

static void change_l(covey_changes *changes, const covey_slicing *s, covey_ratio l)
{
    const covey_figure figure = covey_i_figure_fraction(l.num, l.den);
    covey_nearest nearest = {.n = 0};
    char text[96];

    if ((covey_i128)l.num * s->l.den == (covey_i128)s->l.num * l.den)
        return;
    covey_i_figure_text(text, sizeof text, &figure);
    covey_i_nearest_change(&nearest, "l", "%s", text);
    covey_i_changes_promise(changes, &s->problem->promises.promise[0], &nearest);
}

/* One bucket holds all rows, and is not cut by weights that are no promise. */
static void change_buckets(covey_changes *changes, const covey_slicing *s)
{
    if (s->params->buckets == 1 && s->params->bucket_size < s->n_all)
        covey_i_changes_method(changes, "bucket-size", "%" PRIu32, s->n_all);
    if (s->params->weight == 1)
        covey_i_changes_method(changes, "weight", "size");
}

covey_status covey_i_slicing_name_l(const covey_slicing *s, covey_ratio l, covey_error *err)
{
    covey_changes changes = {.is_lost = false};

    change_l(&changes, s, l);
    if (s->instead_k > 0)
        covey_i_changes_method(&changes, "column-k", "%" PRIu32, s->instead_k);
    change_buckets(&changes, s);
    covey_i_changes_give(err, &changes);
    return COVEY_EINFEASIBLE;
}

/* --- columns --- */

/* [["age", "sex"], ["illness"]]: those of s without the sensitive attribute, which comes last. */
static void write_columns(covey_text *out, const covey_slicing *s)
{
    const char *name = s->problem->field[s->sensitive].column->name;

    covey_i_text_add_char(out, '[');
    for (size_t i = 0; i < s->n_slices; i++) {
        const covey_slice *slice = &s->slice[i];
        const char *before = "[";

        for (size_t f = 0; f < slice->n_fields; f++)
            if (slice->field[f] != s->sensitive) {
                covey_i_text_add_string(out, before);
                covey_i_text_add_json(out, s->problem->field[slice->field[f]].column->name);
                before = ", ";
            }
        covey_i_text_add_string(out, before[0] == ',' ? "], " : "");
    }
    covey_i_text_add_char(out, '[');
    covey_i_text_add_json(out, name);
    covey_i_text_add_string(out, "]]");
}

/* The rows of the most frequent sensitive value; 0 without memory. */
static uint32_t largest_count(const covey_slicing *s)
{
    const covey_column *column = s->problem->field[s->sensitive].column;
    uint32_t *count = covey_i_array_zero(column->n_values, sizeof *count), most = 0;

    for (uint32_t i = 0; count && i < s->n_contents; i++) {
        uint32_t *n = &count[covey_column_code(column, s->content[i])];

        *n += covey_i_slicing_count(s, s->content[i]);
        most = *n > most ? *n : most;
    }
    covey_i_free(count);
    return most;
}

covey_status covey_i_slicing_name_columns(const covey_slicing *s, covey_error *err)
{
    covey_changes changes = {.is_lost = false};
    covey_text columns = COVEY_TEXT_INIT;
    const uint32_t most = largest_count(s);
    const covey_fraction l = covey_i_fraction(s->n, most ? most : 1);

    write_columns(&columns, s);
    if (!columns.broken && most > 0 && most < s->n) {
        if ((covey_i128)most * s->l.num > (covey_i128)s->n * s->l.den)
            change_l(&changes, s, (covey_ratio){(int64_t)l.num, (int64_t)l.den});
        covey_i_changes_method_json(&changes, "columns", columns.bytes);
        change_buckets(&changes, s);
        covey_i_changes_give(err, &changes);
    }
    covey_i_text_free(&columns);
    return COVEY_EINFEASIBLE;
}
