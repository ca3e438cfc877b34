/* Buckets of units.  Who knows all rows of everybody but the sensitive values knows in which bucket a person's rows
 * are, and which agree beside the sensitive value.  So a bucket has units of one kind: with as many rows each, of which
 * as many agree with each other's.  Then what one unit has and what another has can change places and nothing that is
 * published changes, whatever is known of how the values of one person go together; and of e units one has a value with
 * a chance of n/e, if n have it.  Of which n follows, and is 1/l of e at most: where each unit has one value, it is
 * that of as many times fewer units as these have rows; else of no more than it has rows.
 *
 * Units of a kind are cut, and parted into groups, as rows are: of which a table is made that has a row for each, with
 * the medians of its rows.  Kinds of which no bucket holds are suppressed as a whole, as a unit that is missing must
 * not say that it has the most frequent value.  Source: docs/design/units.md. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/codes.h"
#include "base/error.h"
#include "base/sort/sort.h"
#include "method/slicing/slicing.h"
#include "release/figures.h"
#include "table/table_impl.h"

struct kinds {
    covey_slicing *s;
    const covey_column *sensitive;
    covey_unit_rows rows;
    covey_slicing_kind kind; /* that is looked at */
    covey_ratio *largest_l;  /* [n_kinds] with which a kind is a bucket */
    int64_t n_without;       /* rows of kinds that are none with l */
    void **codes;            /* [n_fields] of all units, in the order of rows.order */
    covey_column *column;    /* [n_fields] of the kind that is dealt with */
    covey_field *field;      /* [n_fields] the same */
    covey_axis *axis;        /* [n_axes] the same: units are sorted by them */
    covey_problem problem;   /* the same */
    covey_slice slice;       /* the sensitive attribute alone: units of a kind are one set */
};

/* --- what units are not built for --- */

static covey_status refuse_param(const covey_slicing *s, const char *param, const char *value, covey_error *err)
{
    return covey_i_refuse_param(err, param,
                                "method slicing: with an entity (\"%s\") every bucket holds by itself, and has units "
                                "with as many rows each: %s: %s is for rows alone; leave it out",
                                s->units->entity, param, value);
}

covey_status covey_i_slicing_refuse_for_units(const covey_slicing *s, covey_error *err)
{
    const covey_units *units = s->units;

    if (units->within)
        return covey_fail(err, COVEY_EINVAL,
                          "slicing puts persons into buckets, and keeps no households together: name persons or "
                          "households alone as the entity");
    if (s->n_others > 0)
        return covey_fail(err, COVEY_EINVAL,
                          "slicing over units (\"%s\" is the entity) is for one sensitive attribute, and the policy "
                          "has %zu: a method on classes (covey methods) keeps promises of several over units",
                          units->entity, s->n_others + 1);
    if (s->promise->units != COVEY_UNITS_SHARE)
        return covey_fail(err, COVEY_EINVAL,
                          "slicing keeps sliced-l-diversity over rows and over units, or, where no attribute is the "
                          "entity, over rows: leave units: %s out, or declare \"%s\" an identifier (dropped)",
                          covey_over_units_name(s->promise->units), units->entity);
    if (s->params->cut == 1)
        return refuse_param(s, "cut", "relaxed", err);
    if (s->params->buckets == 1)
        return refuse_param(s, "buckets", "random", err);
    if (s->params->weight == 1)
        return refuse_param(s, "weight", "paper", err);
    if (s->params->column_k > 1)
        return covey_i_refuse_param(err, "column-k",
                                    "method slicing: column-k takes rows away whose pieces are too rare, and \"%s\" is "
                                    "the entity, whose rows stay together: leave it out",
                                    units->entity);
    return COVEY_OK;
}

static covey_status check_columns(const covey_slicing *s, covey_error *err)
{
    const char *name = s->problem->field[s->sensitive].column->name;

    return s->n_holding == 1
               ? COVEY_OK
               : covey_i_refuse_param(err, "columns",
                                      "method slicing: \"%s\" stands in %zu columns, which is for rows alone: with an "
                                      "entity (\"%s\") put it into one",
                                      name, s->n_holding, s->units->entity);
}

/* --- of which kinds can buckets be made? --- */

static int64_t rows_of(const struct kinds *x, uint32_t kind)
{
    return (int64_t)covey_i_unit_rows_units(&x->rows, kind) * covey_i_unit_rows_size(&x->rows, kind);
}

static bool has_buckets(const struct kinds *x, uint32_t kind)
{
    const covey_ratio most = x->largest_l[kind], l = x->s->l;

    return (covey_i128)l.num * most.den <= (covey_i128)most.num * l.den;
}

static covey_status find_largest(struct kinds *x, covey_error *err)
{
    const covey_unit_rows *u = &x->rows;
    uint32_t *count = covey_arena_array_zero(x->s->arena, uint32_t, x->sensitive->n_values);

    x->largest_l = covey_arena_array(x->s->arena, covey_ratio, u->n_kinds);
    if (!count || !x->largest_l)
        return covey_i_no_memory(err);
    for (uint32_t kind = 0; kind < u->n_kinds; kind++) {
        const uint32_t n = covey_i_unit_rows_units(u, kind);

        x->kind.unit = u->order + u->first[kind];
        x->largest_l[kind] = (covey_ratio){n, covey_i_slicing_most_units(count, &x->kind, NULL, n)};
        x->n_without += has_buckets(x, kind) ? 0 : rows_of(x, kind);
    }
    return COVEY_OK;
}

/* --- what cannot be --- */

struct kind_l {
    covey_ratio l;
    int64_t n_rows;
};

static int compare_l(const void *a, const void *b)
{
    const struct kind_l *x = a, *y = b;
    const covey_i128 p = (covey_i128)x->l.num * y->l.den, q = (covey_i128)y->l.num * x->l.den;

    return (p > q) - (p < q);
}

/* The largest l for which no more rows have to go than may be; 1 if there is no greater one. */
static covey_status find_l(covey_ratio *out, const struct kinds *x, covey_error *err)
{
    const covey_slicing *s = x->s;
    struct kind_l *list = covey_arena_array(s->arena, struct kind_l, x->rows.n_kinds);
    int64_t n_before = 0;

    *out = (covey_ratio){1, 1};
    if (!list)
        return covey_i_no_memory(err);
    for (uint32_t kind = 0; kind < x->rows.n_kinds; kind++)
        list[kind] = (struct kind_l){x->largest_l[kind], rows_of(x, kind)};
    qsort(list, x->rows.n_kinds, sizeof *list, compare_l);
    for (uint32_t i = 0; i < x->rows.n_kinds && n_before <= s->problem->max_suppressed; i++) {
        if (n_before < s->n_all && (covey_i128)list[i].l.num * s->l.den <= (covey_i128)s->l.num * list[i].l.den) {
            const covey_fraction l = covey_i_fraction(list[i].l.num, list[i].l.den);

            *out = (covey_ratio){(int64_t)l.num, (int64_t)l.den};
        }
        n_before += list[i].n_rows;
    }
    return COVEY_OK;
}

static void words_of(char *out, size_t size, covey_ratio l)
{
    const covey_figure figure = covey_i_figure_fraction(l.num, l.den);

    covey_i_figure_words(out, size, &figure);
}

static covey_status infeasible(const struct kinds *x, covey_error *err)
{
    const covey_slicing *s = x->s;
    const int64_t n = s->n_all, limit = s->problem->max_suppressed;
    const int64_t share = (x->n_without * 10000 + n - 1) / n; /* rounded up */
    char asked[64], most[64], instead[160] = "without, no l above 1 can be kept";
    covey_ratio l;

    COVEY_TRY(find_l(&l, x, err));
    words_of(asked, sizeof asked, s->l);
    words_of(most, sizeof most, l);
    if (l.num > l.den)
        snprintf(instead, sizeof instead, "without, l can be %s at most", most);
    covey_fail(err, COVEY_EINFEASIBLE,
               "slicing cannot make buckets with l = %s over units: units of a bucket have as many rows each%s, and no "
               "value of \"%s\" may be that of more than 1/l of them%s; %" PRId64 " of the %" PRId64
               " rows are of units for which that cannot be, a share of %" PRId64 ".%04" PRId64
               ", and would have to be suppressed (suppression limit, now at most %" PRId64 " rows); %s",
               asked, s->n_sets > 1 ? ", which agree beside the sensitive value" : "", x->sensitive->name,
               x->kind.are_single ? "" : " (units have several values: each of its rows counts as another unit's)",
               x->n_without, n, share / 10000, share % 10000, limit, instead);
    return l.num > l.den ? covey_i_slicing_name_l(s, l, err) : COVEY_EINFEASIBLE;
}

/* --- units as rows --- */

/* The lower median. */
static uint32_t median_of(uint64_t *room, const covey_column *column, const uint32_t *row, uint32_t n)
{
    if (n == 1)
        return covey_i_code(column, row[0]);
    for (uint32_t i = 0; i < n; i++)
        room[i] = covey_i_code(column, row[i]);
    covey_i_sort_u64(room, room + n, n, 32);
    return (uint32_t)room[(n - 1) / 2];
}

static covey_status make_codes(struct kinds *x, covey_error *err)
{
    const covey_problem *problem = x->s->problem;
    const covey_unit_rows *u = &x->rows;
    const uint32_t most = covey_i_unit_rows_size(u, u->n_kinds - 1);
    uint64_t *room = covey_arena_array(x->s->arena, uint64_t, 2 * (size_t)most);
    size_t *field = covey_arena_array(x->s->arena, size_t, 1);

    x->codes = covey_arena_array(x->s->arena, void *, problem->n_fields);
    x->column = covey_arena_array(x->s->arena, covey_column, problem->n_fields);
    x->field = covey_arena_array(x->s->arena, covey_field, problem->n_fields);
    x->axis = covey_arena_array(x->s->arena, covey_axis, problem->n_axes);
    if (!room || !field || !x->codes || !x->column || !x->field || !x->axis)
        return covey_i_no_memory(err);
    *field = x->s->sensitive;
    x->slice = (covey_slice){1, field};
    x->problem = *problem;
    x->problem.field = x->field;
    x->problem.axis = x->axis;
    for (size_t f = 0; f < problem->n_fields; f++) {
        const covey_column *column = problem->field[f].column;

        if (!(x->codes[f] = covey_arena_alloc(x->s->arena, u->n, (size_t)column->width)))
            return covey_i_no_memory(err);
        x->column[f] = *column;
        x->field[f] = problem->field[f];
        x->field[f].column = &x->column[f];
        if (problem->field[f].axis >= 0) {
            x->axis[problem->field[f].axis] = problem->axis[problem->field[f].axis];
            x->axis[problem->field[f].axis].column = &x->column[f];
        }
        for (uint32_t i = 0; i < u->n; i++) {
            const uint32_t *row = u->row + u->start[u->order[i]];

            covey_i_codes_put(x->codes[f], column->width, i,
                              f == x->s->sensitive
                                  ? covey_i_code(column, row[0])
                                  : median_of(room, column, row, covey_i_unit_rows_of(u, u->order[i])));
        }
    }
    return COVEY_OK;
}

/* The units of a kind as a table to slice. */
static covey_status begin_kind(covey_slicing *own, struct kinds *x, uint32_t kind, const covey_run *run,
                               covey_error *err)
{
    const covey_slicing *s = x->s;
    const uint32_t first = x->rows.first[kind], n = covey_i_unit_rows_units(&x->rows, kind);

    x->problem.n_rows = n;
    for (size_t f = 0; f < x->problem.n_fields; f++)
        x->column[f].codes = covey_i_codes_from(x->codes[f], x->column[f].width, first);
    *own = (covey_slicing){.problem = &x->problem,
                           .params = s->params,
                           .l = s->l,
                           .promise = s->promise,
                           .sensitive = s->sensitive,
                           .n_all = n,
                           .n = n,
                           .n_contents = n,
                           .content = covey_arena_array(s->arena, uint32_t, n),
                           .n_slices = 1,
                           .slice = &x->slice,
                           .n_holding = 1,
                           .n_blocks = s->n_blocks,
                           .arena = s->arena};
    if (!own->content)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_problem_sort_rows(own->content, &x->problem, run, err));
    COVEY_TRY(covey_i_slicing_number_sets(own, err));
    if (x->kind.are_single || covey_i_unit_rows_size(&x->rows, kind) == 1)
        return COVEY_OK;
    x->kind.unit = x->rows.order + first;
    own->kind = &x->kind;
    own->n_pairs = x->sensitive->n_values; /* what the test counts */
    return COVEY_OK;
}

/* Puts the rows of a kind's buckets behind those that are there. */
static void add_buckets(covey_dealt *dealt, const struct kinds *x, uint32_t kind, const covey_dealt *own)
{
    const covey_unit_rows *u = &x->rows;

    for (uint32_t b = 0; b < own->n_buckets; b++) {
        dealt->start[dealt->n_buckets++] = dealt->n;
        for (uint32_t i = own->start[b]; i < own->start[b + 1]; i++) {
            const uint32_t unit = u->order[u->first[kind] + own->row[i]];

            for (uint32_t k = u->start[unit]; k < u->start[unit + 1]; k++)
                dealt->row[dealt->n++] = u->row[k];
        }
    }
    dealt->start[dealt->n_buckets] = dealt->n;
}

static covey_status deal_kind(covey_dealt *dealt, struct kinds *x, uint32_t kind, const covey_run *run,
                              covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(x->s->arena);
    covey_slicing own;
    covey_dealt buckets = {0};
    covey_status status = begin_kind(&own, x, kind, run, err);

    if (status == COVEY_OK)
        status = covey_i_slicing_buckets(&buckets, &own, run, err);
    if (status == COVEY_OK)
        add_buckets(dealt, x, kind, &buckets);
    covey_i_dealt_clear(&buckets);
    x->s->n_blocks = own.n_blocks;
    covey_arena_rewind(x->s->arena, mark);
    return status;
}

static void describe(char *note, size_t size, const struct kinds *x)
{
    const size_t n = strlen(note);

    snprintf(note + n, size - n, "%sbuckets of units with as many rows each%s%s", n > 0 ? "; " : "",
             x->s->n_sets > 1 ? ", which agree beside the sensitive value" : "",
             x->n_without > 0 ? "; units are suppressed where too few are of one kind, or too many of these may have "
                                "one value"
                              : "");
}

covey_status covey_i_slicing_deal_units(covey_dealt *dealt, char *note, size_t size, covey_slicing *s,
                                        const covey_run *run, covey_error *err)
{
    struct kinds x = {.s = s, .sensitive = s->problem->field[s->sensitive].column};

    *dealt = (covey_dealt){.table = s->problem};
    COVEY_TRY(check_columns(s, err));
    COVEY_TRY(covey_i_slicing_number_sets(s, err));
    COVEY_TRY(covey_i_unit_rows_new(&x.rows, s->problem, s->n_sets > 1 ? s->set : NULL, s->arena, run, err));
    x.kind = (covey_slicing_kind){
        .rows = &x.rows, .values = x.sensitive, .are_single = covey_i_unit_rows_several(&x.rows, x.sensitive) == 0};
    COVEY_TRY(find_largest(&x, err));
    if (x.n_without > s->problem->max_suppressed || x.n_without == s->n_all)
        return infeasible(&x, err);
    dealt->row = covey_i_array_full((size_t)(s->n_all - x.n_without), sizeof *dealt->row);
    dealt->start = covey_i_array_full((size_t)x.rows.n + 1, sizeof *dealt->start);
    if (!dealt->row || !dealt->start)
        return covey_i_no_memory(err);
    COVEY_TRY(make_codes(&x, err));
    for (uint32_t kind = 0; kind < x.rows.n_kinds; kind++)
        if (has_buckets(&x, kind))
            COVEY_TRY(deal_kind(dealt, &x, kind, run, err));
    dealt->unit_values = x.kind.are_single ? "one" : "several";
    describe(note, size, &x);
    return COVEY_OK;
}
