/* Tables that a release may stand for, drawn at random.  Only what the release publishes goes into
 * them. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "release/bucketized/bucketized.h"
#include "release/sliced/sliced.h"
#include "reproduce/slicing/learning.h"
#include "table/table_impl.h"

struct drawing {
    const covey_learning_table *table;
    const covey_release *release;
    const covey_problem *problem;
    covey_rng *rng;
    covey_arena *arena;
    covey_lesson *lesson;
    uint32_t first;    /* row of the lesson where the present draw begins */
    size_t *attribute; /* [n_fields] the lesson's; SIZE_MAX: it has none */
    uint32_t **code;   /* [n_fields][values] the lesson's codes of the problem's values */
};

static void shuffle(uint32_t *item, uint32_t n, covey_rng *rng)
{
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t j = (uint32_t)covey_i_rng_below(rng, i), kept = item[i - 1];

        item[i - 1] = item[j];
        item[j] = kept;
    }
}

static void put(const struct drawing *d, uint32_t at, size_t field, uint32_t value)
{
    if (d->attribute[field] != SIZE_MAX)
        d->lesson->code[d->attribute[field]][d->first + at] = d->code[field][value];
}

/* --- codes --- */

/* The table's code of a number: the largest that is not above it. */
static uint32_t code_of_number(const covey_column *column, int64_t number)
{
    uint32_t low = 0, high = column->n_values;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (column->number[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint32_t code_of_text(const covey_column *column, const char *label)
{
    for (uint32_t v = 0; v < column->n_values; v++)
        if (strcmp(covey_column_label(column, v), label) == 0)
            return v;
    return UINT32_MAX; /* a leaf of a hierarchy that no row has */
}

static covey_status know_field(size_t *attribute, uint32_t **code, const covey_learning_table *table,
                               const covey_column *column, covey_arena *arena, covey_error *err)
{
    *attribute = SIZE_MAX;
    *code = NULL;
    for (size_t c = 0; c < table->rows.n_attributes; c++)
        if (strcmp(table->column[c]->name, column->name) == 0)
            *attribute = c;
    if (*attribute == SIZE_MAX)
        return COVEY_OK;
    if (!(*code = covey_arena_array(arena, uint32_t, column->n_values)))
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++) {
        const covey_column *own = table->column[*attribute];
        const uint32_t own_code =
            own->number ? code_of_number(own, column->number[v]) : code_of_text(own, covey_column_label(column, v));

        (*code)[v] = own_code == UINT32_MAX ? UINT32_MAX : table->code[*attribute][own_code];
    }
    return COVEY_OK;
}

covey_status covey_i_learning_codes(size_t *attribute, uint32_t **code, const covey_learning_table *table,
                                    const covey_problem *problem, covey_arena *arena, covey_error *err)
{
    for (size_t f = 0; f < problem->n_fields; f++)
        COVEY_TRY(know_field(&attribute[f], &code[f], table, problem->field[f].column, arena, err));
    return COVEY_OK;
}

/* --- classes --- */

/* A value of the class's cell, any one of those it covers. */
static void draw_cell(const struct drawing *d, uint32_t at, uint32_t class, size_t f)
{
    const covey_axis *axis = &d->problem->axis[d->problem->field[f].axis];
    const size_t cell = (size_t) class * d->problem->n_axes + (size_t)d->problem->field[f].axis;
    uint32_t low = d->release->low[cell], high = d->release->high[cell], code;

    if (d->attribute[f] == SIZE_MAX)
        return;
    if (axis->kind == COVEY_AXIS_RANGE) {
        const covey_column *own = d->table->column[d->attribute[f]];
        const int64_t least = axis->column->number[low], most = axis->column->number[high];
        const int64_t number = least + (int64_t)covey_i_rng_below(d->rng, (uint64_t)(most - least) + 1);

        d->lesson->code[d->attribute[f]][d->first + at] = d->table->code[d->attribute[f]][code_of_number(own, number)];
        return;
    }
    if (axis->kind == COVEY_AXIS_TREE) {
        const covey_node *node = &covey_hierarchy_nodes(axis->tree)[covey_hierarchy_lca(axis->tree, low, high)];

        low = node->first_leaf;
        high = low + node->n_leaves - 1;
    }
    do { /* what no row has at all is known not to be there */
        code = d->code[f][low + (uint32_t)covey_i_rng_below(d->rng, high - low + 1)];
    } while (code == UINT32_MAX);
    d->lesson->code[d->attribute[f]][d->first + at] = code;
}

/* Sensitive values are published row by row, so that they go as they are. */
static void draw_classes(const struct drawing *d)
{
    for (uint32_t c = 0; c < d->release->n_classes; c++)
        for (uint32_t i = d->release->class_start[c]; i < d->release->class_start[c + 1]; i++)
            for (size_t f = 0; f < d->problem->n_fields; f++) {
                if (d->problem->field[f].role == COVEY_ROLE_QUASI)
                    draw_cell(d, i, c, f);
                else
                    put(d, i, f, covey_i_code(d->problem->field[f].column, d->release->row_order[i]));
            }
}

/* --- groups --- */

static covey_status draw_groups(const struct drawing *d, covey_error *err)
{
    const covey_bucketized *data = d->release->form_data;
    uint32_t *value = covey_arena_array(d->arena, uint32_t, d->release->n_published);

    if (!value)
        return covey_i_no_memory(err);
    for (uint32_t g = 0; g < d->release->n_classes; g++) {
        uint32_t n = 0;

        for (uint32_t l = data->line_start[g]; l < data->line_start[g + 1]; l++)
            for (uint32_t i = 0; i < covey_i_bucketized_count(data, l); i++)
                value[n++] = covey_i_bucketized_code(data, l);
        shuffle(value, n, d->rng);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t at = d->release->class_start[g] + i, row = d->release->row_order[at];

            for (size_t f = 0; f < d->problem->n_fields; f++)
                put(d, at, f, f == data->field ? value[i] : covey_i_code(d->problem->field[f].column, row));
        }
    }
    return COVEY_OK;
}

/* --- buckets --- */

/* How the pieces of one column find those they are joined with: by the attributes they share with what is joined
 * already. */
struct joining {
    const covey_release *release;
    const covey_problem *problem;
    size_t slice;
    const size_t *shared;
    size_t n_shared;         /* places in the slice */
    uint32_t *const *joined; /* [n_fields][rows] values that are joined already */
};

static int compare_joined(const void *a, const void *b, void *context)
{
    const struct joining *j = context;
    const covey_slice *slice = &((const covey_sliced *)j->release->form_data)->slice[j->slice];
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    for (size_t i = 0; i < j->n_shared; i++) {
        const uint32_t *value = j->joined[slice->field[j->shared[i]]];

        if (value[x] != value[y])
            return value[x] < value[y] ? -1 : 1;
    }
    return 0;
}

static int compare_pieces(const void *a, const void *b, void *context)
{
    const struct joining *j = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    for (size_t i = 0; i < j->n_shared; i++) {
        const uint32_t p = covey_i_sliced_code(j->release, j->problem, j->slice, j->shared[i], x);
        const uint32_t q = covey_i_sliced_code(j->release, j->problem, j->slice, j->shared[i], y);

        if (p != q)
            return p < q ? -1 : 1;
    }
    return 0;
}

static size_t count_shared(const covey_slice *a, const covey_slice *b)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n_fields; i++)
        for (size_t j = 0; j < b->n_fields; j++)
            n += a->field[i] == b->field[j];
    return n;
}

/* Columns along a spanning tree of the most shared attributes: then what a column shares with all before it stands in
 * one of them
 * ([Maier83] on join trees), so that joins of parts are joins of the whole. */
static void order_slices(size_t *order, const covey_sliced *data, bool *taken)
{
    for (size_t n = 0; n < data->n_slices; n++) {
        size_t best = SIZE_MAX, most = 0;

        for (size_t s = 0; s < data->n_slices; s++)
            for (size_t t = 0; !taken[s] && (t < n || t == 0); t++) {
                const size_t shared = t < n ? count_shared(&data->slice[s], &data->slice[order[t]]) : 0;

                if (best == SIZE_MAX || shared > most) {
                    best = s;
                    most = shared;
                }
            }
        taken[best] = true;
        order[n] = best;
    }
}

/* Shuffling first and sorting stably afterwards pairs off equal values in any way. */
static void sort_stably(uint32_t *item, uint32_t n, int (*compare)(const void *, const void *, void *),
                        struct joining *joining, uint32_t *spare)
{
    if (joining->n_shared == 0 || n < 2)
        return;
    sort_stably(item, n / 2, compare, joining, spare);
    sort_stably(item + n / 2, n - n / 2, compare, joining, spare);
    memcpy(spare, item, n * sizeof *item);
    for (uint32_t i = 0, a = 0, b = n / 2; i < n; i++)
        item[i] = b == n || (a < n / 2 && compare(&spare[a], &spare[b], joining) <= 0) ? spare[a++] : spare[b++];
}

/* Scratch of joining. */
struct rows {
    uint32_t *at, *piece, *spare; /* [largest bucket] */
    uint32_t **joined;            /* [n_fields][n_published] */
    bool *is_joined;              /* [n_fields] */
};

static void join_slice(const struct drawing *d, const struct rows *r, size_t s, size_t *shared)
{
    const covey_sliced *data = d->release->form_data;
    const covey_slice *slice = &data->slice[s];
    struct joining joining = {
        .release = d->release, .problem = d->problem, .slice = s, .shared = shared, .joined = r->joined};

    for (size_t i = 0; i < slice->n_fields; i++)
        if (r->is_joined[slice->field[i]])
            shared[joining.n_shared++] = i;
    for (uint32_t b = 0; b < d->release->n_classes; b++) {
        const uint32_t start = d->release->class_start[b], n = d->release->class_start[b + 1] - start;

        for (uint32_t i = 0; i < n; i++) {
            r->at[i] = start + i;
            r->piece[i] = covey_i_sliced_piece(data, s, start + i);
        }
        shuffle(r->piece, n, d->rng);
        sort_stably(r->at, n, compare_joined, &joining, r->spare);
        sort_stably(r->piece, n, compare_pieces, &joining, r->spare);
        for (uint32_t i = 0; i < n; i++)
            for (size_t k = 0; k < slice->n_fields; k++)
                r->joined[slice->field[k]][r->at[i]] = covey_i_sliced_code(d->release, d->problem, s, k, r->piece[i]);
    }
    for (size_t i = 0; i < slice->n_fields; i++)
        r->is_joined[slice->field[i]] = true;
}

static covey_status draw_buckets(const struct drawing *d, covey_error *err)
{
    const covey_sliced *data = d->release->form_data;
    const size_t n_fields = d->problem->n_fields;
    size_t *order = covey_arena_array(d->arena, size_t, data->n_slices),
           *shared = covey_arena_array(d->arena, size_t, n_fields);
    bool *taken = covey_arena_array_zero(d->arena, bool, data->n_slices);
    struct rows r = {
        .at = covey_arena_array(d->arena, uint32_t, d->release->n_published),
        .piece = covey_arena_array(d->arena, uint32_t, d->release->n_published),
        .spare = covey_arena_array(d->arena, uint32_t, d->release->n_published),
        .joined = covey_arena_array(d->arena, uint32_t *, n_fields),
        .is_joined = covey_arena_array_zero(d->arena, bool, n_fields),
    };

    if (!order || !shared || !taken || !r.at || !r.piece || !r.spare || !r.joined || !r.is_joined)
        return covey_i_no_memory(err);
    for (size_t f = 0; f < n_fields; f++)
        if (!(r.joined[f] = covey_arena_array(d->arena, uint32_t, d->release->n_published)))
            return covey_i_no_memory(err);
    order_slices(order, data, taken);
    for (size_t s = 0; s < data->n_slices; s++)
        join_slice(d, &r, order[s], shared);
    for (size_t f = 0; f < n_fields; f++)
        for (uint32_t i = 0; i < d->release->n_published; i++)
            put(d, i, f, r.joined[f][i]);
    return COVEY_OK;
}

/* --- all forms --- */

static covey_status draw_once(const struct drawing *d, covey_error *err)
{
    const char *form = d->release->form->name;
    const covey_arena_mark mark = covey_arena_save(d->arena);
    covey_status status = COVEY_OK;

    if (strcmp(form, "generalized") == 0)
        draw_classes(d);
    else if (strcmp(form, "bucketized") == 0)
        status = draw_groups(d, err);
    else if (strcmp(form, "sliced") == 0)
        status = draw_buckets(d, err);
    else
        status = covey_fail(err, COVEY_EINVAL, "no table is drawn from a %s release", form);
    covey_arena_rewind(d->arena, mark);
    return status;
}

covey_status covey_i_learning_draw(covey_lesson *out, const covey_learning_table *table, const covey_release *release,
                                   const covey_problem *problem, uint32_t draws, covey_rng *rng, covey_arena *arena,
                                   covey_error *err)
{
    struct drawing d = {
        .table = table,
        .release = release,
        .problem = problem,
        .rng = rng,
        .arena = arena,
        .lesson = out,
        .attribute = covey_arena_array(arena, size_t, problem->n_fields),
        .code = covey_arena_array_zero(arena, uint32_t *, problem->n_fields),
    };

    if (!d.attribute || !d.code)
        return covey_i_no_memory(err);
    *out = table->rows;
    out->n = release->n_published * draws;
    for (size_t c = 0; c < out->n_attributes; c++)
        if (!(out->code[c] = covey_arena_array_zero(arena, uint32_t, out->n)))
            return covey_i_no_memory(err);
    COVEY_TRY(covey_i_learning_codes(d.attribute, d.code, table, problem, arena, err));
    for (uint32_t i = 0; i < draws; i++) {
        d.first = i * release->n_published;
        COVEY_TRY(draw_once(&d, err));
    }
    return COVEY_OK;
}
