/* Expected counts of pairs in releases whose values are not put together.  Source: [LiLiZhangMolloy12] section 4;
 * [Koudas09] section 3. */
#include "attack/bayes/expected.h"

#include <math.h>

#include "base/error.h"
#include "reader/sliced/sliced.h"
#include "reader/transformed/transformed.h"
#include "table/histogram.h"

struct expecting {
    const covey_attacked *release;
    const covey_attack_target *target;
    double *rows;                         /* [values of the column * n_values] expected */
    covey_histogram of_column, of_target; /* of the rows at hand */
};

/* Rows that have so often the column's values, and the target's values with these chances. */
static void add_product(struct expecting *e)
{
    const covey_histogram *x = &e->of_column, *v = &e->of_target;

    for (uint32_t i = 0; i < x->n_present; i++)
        for (uint32_t j = 0; j < v->n_present && v->total > 0; j++)
            e->rows[(size_t)x->present[i] * e->target->n_values + v->present[j]] +=
                (double)x->count[x->present[i]] * (double)v->count[v->present[j]] / (double)v->total;
}

static void take_chances(struct expecting *e, uint32_t class)
{
    const covey_attack_target *t = e->target;

    for (uint32_t i = t->start[class]; i < t->start[class + 1]; i++)
        covey_i_histogram_add(&e->of_target, t->entry[i].value, t->entry[i].n);
}

/* --- transformed --- */

static void expect_targets(struct expecting *e, size_t q)
{
    const covey_opened *o = e->release->opened;
    const covey_opened_transformed *form = o->form_data;
    const uint32_t *value_of_cell = e->release->original->column[o->quasi[q]].value_of_cell;

    for (uint32_t c = 0; c < e->target->n_classes; c++) {
        covey_i_histogram_clear(&e->of_column);
        covey_i_histogram_clear(&e->of_target);
        for (uint32_t g = 0; g < o->n_classes; g++)
            for (uint32_t line = o->class_start[g]; form->target_of_group[g] == c && line < o->class_start[g + 1];
                 line++) {
                const uint32_t x = value_of_cell[covey_i_code_at(o->column[o->quasi[q]].text, line)];

                if (x != UINT32_MAX)
                    covey_i_histogram_add(&e->of_column, x, 1);
            }
        take_chances(e, c);
        add_product(e);
    }
}

/* --- sliced --- */

/* The slice in which an attribute stands, the last one preferred: there it is known exactly. */
static const covey_opened_slice *slice_of(const covey_opened_slices *slices, size_t attribute, size_t *place)
{
    for (size_t s = slices->n; s-- > 0;)
        for (size_t a = 0; a < slices->slice[s].n; a++)
            if (slices->slice[s].attribute[a] == attribute) {
                *place = a;
                return &slices->slice[s];
            }
    return NULL;
}

static void add_lines(struct expecting *e, const covey_opened_slice *slice, size_t place, uint32_t begin, uint32_t end)
{
    const uint32_t *value_of_cell = e->release->original->column[slice->attribute[place]].value_of_cell;

    covey_i_histogram_clear(&e->of_column);
    for (uint32_t line = begin; line < end; line++) {
        const uint32_t x = value_of_cell[covey_i_slice_code(slice, place, line)];

        if (x != UINT32_MAX)
            covey_i_histogram_add(&e->of_column, x, 1);
    }
}

/* Sets of pieces that agree beside the sensitive value are the classes; lines stand set after set, bucket after bucket.
 */
static void expect_buckets(struct expecting *e, size_t q)
{
    const covey_opened *o = e->release->opened;
    const covey_opened_slices *slices = o->form_data;
    const covey_attack_target *t = e->target;
    size_t place = 0;
    const covey_opened_slice *slice = slice_of(slices, o->quasi[q], &place);
    const bool known = slice == &slices->slice[covey_i_slices_holding(slices, t->view)];

    for (uint32_t c = 0, line = 0, end; slice && c < t->n_classes && line < o->n_rows; line = end) {
        const uint32_t bucket = t->number[c];

        covey_i_histogram_clear(&e->of_target);
        end = line;
        do {
            take_chances(e, c);
            end += (uint32_t)t->rows[c++];
        } while (!known && c < t->n_classes && t->number[c] == bucket);
        add_lines(e, slice, place, line, end);
        add_product(e);
    }
}

/* --- weights --- */

static covey_status take_weights(covey_bayes *bayes, size_t q, const struct expecting *e, uint32_t n_codes,
                                 covey_arena *arena, covey_error *err)
{
    double *total = covey_arena_array_zero(arena, double, bayes->n_values);

    if (!total)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < (size_t)n_codes * bayes->n_values; i++)
        total[i % bayes->n_values] += e->rows[i];
    for (size_t i = 0; i < (size_t)n_codes * bayes->n_values; i++)
        if (e->rows[i] > 0)
            bayes->log_weight[q][i] = log(e->rows[i] / total[i % bayes->n_values]);
    return COVEY_OK;
}

covey_status covey_i_bayes_learn_expected(covey_bayes *bayes, const covey_attacked *r, const covey_attack_target *t,
                                          covey_arena *arena, covey_error *err)
{
    for (size_t q = 0; q < bayes->n_dims; q++) {
        const uint32_t n_codes = covey_i_attack_quasi(r, q)->n_values;
        struct expecting e = {.release = r, .target = t};
        covey_arena_mark mark = covey_arena_save(arena);

        if (!(e.rows = covey_arena_array_zero(arena, double, (size_t)n_codes * t->n_values)))
            return covey_i_no_memory(err);
        COVEY_TRY(covey_i_histogram_new(&e.of_column, n_codes, arena, err));
        COVEY_TRY(covey_i_histogram_new(&e.of_target, t->n_values, arena, err));
        if (r->form == COVEY_ATTACKED_SLICED)
            expect_buckets(&e, q);
        else
            expect_targets(&e, q);
        COVEY_TRY(take_weights(bayes, q, &e, n_codes, arena, err));
        covey_arena_rewind(arena, mark);
    }
    return COVEY_OK;
}
