/* Buckets of units.  Who knows all rows of everybody but the sensitive values knows in which bucket a person's rows
 * are, which agree beside the sensitive values of each column, and, in a household, which are one person's.  So a
 * bucket has units of one kind: with as many rows each, of which as many agree with each other's, and households with
 * as many persons of each kind.  Then what one unit has and what another has can change places and nothing that is
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
#include "base/plural.h"
#include "base/sort/sort.h"
#include "method/slicing/slicing.h"
#include "model/nearest.h"
#include "table/table_impl.h"

enum { BLOCK = 1024 }; /* rows whose codes are fetched together */

/* A sensitive attribute. */
struct sensitive {
    size_t field;
    covey_ratio l;
    const covey_promise *promise;
    void *values;            /* [rows] codes of all units, as rows are listed */
    covey_slicing_kind kind; /* that is looked at */
    covey_slice slice;       /* the attribute alone: units of a kind are one set */
};

struct kinds {
    covey_slicing *s;
    size_t n_sensitive;
    struct sensitive *sensitive; /* [n_sensitive] that of s first */
    bool are_single;             /* each unit has one value of each */
    uint32_t *set, n_sets;       /* [rows] of what stands beside sensitive values, in whatever column */
    covey_unit_rows rows;
    uint32_t *row;       /* [rows] unit by unit, in the order of rows.order, */
    size_t *first_row;   /* [n_kinds] and where those of a kind begin */
    covey_ratio *most_l; /* [n_kinds] if no promise asks for more than this l, a kind is a bucket; 0: it is one as is */
    int64_t n_without;   /* rows of kinds that are none */
    void **codes;        /* [n_fields] of all units, in the order of rows.order */
    covey_column *column;  /* [n_fields] of the kind that is dealt with */
    covey_field *field;    /* [n_fields] the same */
    covey_axis *axis;      /* [n_axes] the same: units are sorted by them */
    covey_problem problem; /* the same */
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

    for (size_t i = 0; i <= s->n_others; i++) {
        const enum covey_over_units over = (i > 0 ? s->other[i - 1].promise : s->promise)->units;

        if (over != COVEY_UNITS_SHARE)
            return covey_fail(err, COVEY_EINVAL,
                              "slicing keeps sliced-l-diversity over rows and over units, or, where no attribute is "
                              "the entity, over rows: leave units: %s out, or declare \"%s\" an identifier (dropped)",
                              covey_over_units_name(over), units->entity);
    }
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

/* --- sensitive attributes, and what stands beside them --- */

static covey_status number_sets(struct kinds *x, covey_error *err)
{
    const covey_slicing *s = x->s;

    x->n_sets = 1;
    if (!(x->set = covey_arena_array_zero(s->arena, uint32_t, s->n_all)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < s->n_slices; i++) {
        const covey_slice *slice = &s->slice[i];
        bool is_sensitive = false;

        for (size_t f = 0; f < slice->n_fields; f++)
            is_sensitive = is_sensitive || covey_i_slicing_is_sensitive(s, slice->field[f]);
        for (size_t f = 0; f < slice->n_fields && is_sensitive; f++)
            if (!covey_i_slicing_is_sensitive(s, slice->field[f]))
                COVEY_TRY(
                    covey_i_slicing_refine(x->set, &x->n_sets, s->problem->field[slice->field[f]].column, s, err));
    }
    return COVEY_OK;
}

/* All that is looked at of units lies unit by unit, kind by kind. */
static covey_status list_rows(struct kinds *x, covey_error *err)
{
    const covey_unit_rows *u = &x->rows;
    size_t n = 0;

    x->row = covey_arena_array(x->s->arena, uint32_t, u->start[u->n]);
    x->first_row = covey_arena_array(x->s->arena, size_t, u->n_kinds);
    if (!x->row || !x->first_row)
        return covey_i_no_memory(err);
    for (uint32_t kind = 0; kind < u->n_kinds; kind++) {
        x->first_row[kind] = n;
        for (uint32_t i = u->first[kind]; i < u->first[kind + 1]; i++)
            for (uint32_t k = u->start[u->order[i]]; k < u->start[u->order[i] + 1]; k++)
                x->row[n++] = u->row[k];
    }
    return COVEY_OK;
}

static covey_status list_values(void **values, const struct kinds *x, const covey_column *column, covey_error *err)
{
    const size_t n_rows = x->rows.start[x->rows.n];
    uint32_t code[BLOCK];

    if (!(*values = covey_arena_alloc(x->s->arena, n_rows, (size_t)column->width)))
        return covey_i_no_memory(err);
    for (size_t first = 0, n; first < n_rows; first += n) {
        n = n_rows - first < BLOCK ? n_rows - first : BLOCK;
        covey_i_codes_at(code, column->codes, column->width, x->row + first, n);
        covey_i_codes_pack(covey_i_codes_from(*values, column->width, first), column->width, code, n);
    }
    return COVEY_OK;
}

static covey_status find_sensitive(struct kinds *x, covey_error *err)
{
    const covey_slicing *s = x->s;

    x->n_sensitive = s->n_others + 1;
    x->are_single = true;
    if (!(x->sensitive = covey_arena_array_zero(s->arena, struct sensitive, x->n_sensitive)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < x->n_sensitive; i++) {
        const covey_slicing *own = i > 0 ? &s->other[i - 1] : s;
        struct sensitive *a = &x->sensitive[i];

        *a = (struct sensitive){.field = own->sensitive, .l = own->l, .promise = own->promise};
        a->kind = (covey_slicing_kind){.values = *s->problem->field[a->field].column};
        a->slice = (covey_slice){1, &a->field};
        x->are_single = x->are_single && covey_i_unit_rows_several(&x->rows, &a->kind.values) == 0;
        COVEY_TRY(list_values(&a->values, x, &a->kind.values, err));
    }
    for (size_t i = 0; i < x->n_sensitive; i++)
        x->sensitive[i].kind.are_single = x->are_single;
    return COVEY_OK;
}

/* --- of which kinds can buckets be made? --- */

static int64_t rows_of(const struct kinds *x, uint32_t kind)
{
    return (int64_t)covey_i_unit_rows_units(&x->rows, kind) * covey_i_unit_rows_size(&x->rows, kind);
}

static bool has_buckets(const struct kinds *x, uint32_t kind)
{
    return x->most_l[kind].num == 0;
}

static bool is_above(covey_ratio a, covey_ratio b)
{
    return (covey_i128)a.num * b.den > (covey_i128)b.num * a.den;
}

static void look_at_kind(struct sensitive *a, const struct kinds *x, uint32_t kind)
{
    a->kind.n_each = covey_i_unit_rows_size(&x->rows, kind);
    a->kind.values.codes = covey_i_codes_from(a->values, a->kind.values.width, x->first_row[kind]);
}

static covey_status find_most(struct kinds *x, covey_error *err)
{
    const covey_unit_rows *u = &x->rows;

    if (!(x->most_l = covey_arena_array_zero(x->s->arena, covey_ratio, u->n_kinds)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < x->n_sensitive; i++) {
        struct sensitive *a = &x->sensitive[i];
        uint32_t *count = covey_arena_array_zero(x->s->arena, uint32_t, a->kind.values.n_values);

        if (!count)
            return covey_i_no_memory(err);
        for (uint32_t kind = 0; kind < u->n_kinds; kind++) {
            const uint32_t n = covey_i_unit_rows_units(u, kind);
            covey_ratio largest;

            look_at_kind(a, x, kind);
            largest = (covey_ratio){n, covey_i_slicing_most_units(count, &a->kind, NULL, n)};
            if (is_above(a->l, largest) && (has_buckets(x, kind) || is_above(x->most_l[kind], largest)))
                x->most_l[kind] = largest;
        }
    }
    for (uint32_t kind = 0; kind < u->n_kinds; kind++)
        x->n_without += has_buckets(x, kind) ? 0 : rows_of(x, kind);
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

    return is_above(x->l, y->l) - is_above(y->l, x->l);
}

/* The largest l for which no more rows have to go than may be; 1 if there is no greater one. */
static covey_status find_l(covey_ratio *out, const struct kinds *x, covey_error *err)
{
    const covey_slicing *s = x->s;
    struct kind_l *list = covey_arena_array(s->arena, struct kind_l, x->rows.n_kinds);
    int64_t n_before = 0;
    uint32_t n = 0;

    *out = (covey_ratio){1, 1};
    if (!list)
        return covey_i_no_memory(err);
    for (uint32_t kind = 0; kind < x->rows.n_kinds; kind++)
        if (!has_buckets(x, kind))
            list[n++] = (struct kind_l){x->most_l[kind], rows_of(x, kind)};
    qsort(list, n, sizeof *list, compare_l);
    for (uint32_t i = 0; i < n && n_before <= s->problem->max_suppressed; i++) {
        const covey_fraction l = covey_i_fraction(list[i].l.num, list[i].l.den);

        *out = (covey_ratio){(int64_t)l.num, (int64_t)l.den};
        n_before += list[i].n_rows;
    }
    return COVEY_OK;
}

static void words_of(char *out, size_t size, covey_ratio l)
{
    const covey_figure figure = covey_i_figure_fraction(l.num, l.den);

    covey_i_figure_words(out, size, &figure);
}

/* "3", or "3 of "illness", 2 of "ward"". */
static void add_asked(char *out, size_t size, const struct kinds *x)
{
    char words[64];

    for (size_t i = 0; i < x->n_sensitive; i++) {
        const size_t n = strlen(out);

        words_of(words, sizeof words, x->sensitive[i].l);
        if (x->n_sensitive == 1)
            snprintf(out + n, size - n, "%s", words);
        else
            snprintf(out + n, size - n, "%s%s of \"%.60s\"", i > 0 ? ", " : "", words,
                     x->sensitive[i].kind.values.name);
    }
}

static const char *of_kind(const struct kinds *x)
{
    return x->s->units->within
               ? x->n_sets > 1 ? ", of as many persons, which agree beside the sensitive value" : ", of as many persons"
           : x->n_sets > 1 ? ", which agree beside the sensitive value"
                           : "";
}

static covey_status name_l(const struct kinds *x, covey_ratio l, covey_error *err)
{
    const covey_figure figure = covey_i_figure_fraction(l.num, l.den);
    covey_changes changes = {.is_lost = false};
    char text[96];

    covey_i_figure_text(text, sizeof text, &figure);
    if (x->n_sensitive == 1)
        return covey_i_slicing_name_l(x->s, l, err);
    for (size_t i = 0; i < x->n_sensitive; i++) {
        covey_nearest nearest = {.n = 0};

        if (!is_above(x->sensitive[i].l, l))
            continue;
        covey_i_nearest_change(&nearest, "l", "%s", text);
        covey_i_changes_promise(&changes, x->sensitive[i].promise, &nearest);
    }
    covey_i_changes_give(err, &changes);
    return COVEY_EINFEASIBLE;
}

static covey_status infeasible(const struct kinds *x, covey_error *err)
{
    const covey_slicing *s = x->s;
    const int64_t n = s->n_all, limit = s->problem->max_suppressed;
    const int64_t share = (x->n_without * 10000 + n - 1) / n; /* rounded up */
    char asked[400] = "", most[64], instead[160] = "without, no l above 1 can be kept",
         gone[200] = "every row is of a unit for which that cannot be, and would have to be suppressed";
    covey_ratio l;

    COVEY_TRY(find_l(&l, x, err));
    add_asked(asked, sizeof asked, x);
    words_of(most, sizeof most, l);
    if (l.num > l.den)
        snprintf(instead, sizeof instead, "without, l can be %s at most", most);
    if (x->n_without < n)
        snprintf(gone, sizeof gone,
                 "%" PRId64 " of the %" PRId64 " rows are of units for which that cannot be, a share of %" PRId64
                 ".%04" PRId64 ", and would have to be suppressed (suppression limit, now at most %" PRId64 " row%s)",
                 x->n_without, n, share / 10000, share % 10000, limit, covey_i_plural(limit));
    covey_fail(err, COVEY_EINFEASIBLE,
               "slicing cannot make buckets with l = %s over units: units of a bucket have as many rows each%s, and no "
               "value of \"%s\"%s may be that of more than 1/l of them%s; %s; %s",
               asked, of_kind(x), x->sensitive->kind.values.name, x->n_sensitive > 1 ? " or another attribute" : "",
               x->are_single ? "" : " (units have several values: each of its rows counts as another unit's)", gone,
               instead);
    return l.num > l.den ? name_l(x, l, err) : COVEY_EINFEASIBLE;
}

/* --- units as rows --- */

/* The lower median. */
static uint32_t median_of(uint64_t *room, const uint32_t *code, uint32_t n)
{
    if (n == 1)
        return code[0];
    for (uint32_t i = 0; i < n; i++)
        room[i] = code[i];
    covey_i_sort_u64(room, room + n, n, 32);
    return (uint32_t)room[(n - 1) / 2];
}

/* What stands for the units of a kind in a field. */
static void make_kind_codes(struct kinds *x, uint32_t kind, size_t field, uint32_t *code, uint64_t *room)
{
    const covey_column *column = x->s->problem->field[field].column;
    const uint32_t n_each = covey_i_unit_rows_size(&x->rows, kind), n = covey_i_unit_rows_units(&x->rows, kind),
                   n_together = n_each < BLOCK ? BLOCK / n_each : 1, first_unit = x->rows.first[kind];
    const uint32_t *row = x->row + x->first_row[kind];
    const bool is_sensitive = covey_i_slicing_is_sensitive(x->s, field);

    for (uint32_t first = 0; first < n; first += n_together) {
        const uint32_t n_units = n - first < n_together ? n - first : n_together;

        covey_i_codes_at(code, column->codes, column->width, row + (size_t)first * n_each, (size_t)n_units * n_each);
        for (uint32_t i = 0; i < n_units; i++) {
            const uint32_t *own = code + (size_t)i * n_each;

            covey_i_codes_put(x->codes[field], column->width, first_unit + first + i,
                              is_sensitive ? own[0] : median_of(room, own, n_each));
        }
    }
}

static covey_status make_codes(struct kinds *x, covey_error *err)
{
    const covey_problem *problem = x->s->problem;
    const covey_unit_rows *u = &x->rows;
    const uint32_t most = covey_i_unit_rows_size(u, u->n_kinds - 1);
    uint64_t *room = covey_arena_array(x->s->arena, uint64_t, 2 * (size_t)most);
    uint32_t *code = covey_arena_array(x->s->arena, uint32_t, most < BLOCK ? BLOCK : most);

    x->codes = covey_arena_array(x->s->arena, void *, problem->n_fields);
    x->column = covey_arena_array(x->s->arena, covey_column, problem->n_fields);
    x->field = covey_arena_array(x->s->arena, covey_field, problem->n_fields);
    x->axis = covey_arena_array(x->s->arena, covey_axis, problem->n_axes);
    if (!room || !code || !x->codes || !x->column || !x->field || !x->axis)
        return covey_i_no_memory(err);
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
        for (uint32_t kind = 0; kind < u->n_kinds; kind++)
            make_kind_codes(x, kind, f, code, room);
    }
    return COVEY_OK;
}

/* For one of the attributes. */
static covey_status begin_attribute(covey_slicing *own, struct kinds *x, struct sensitive *a, uint32_t kind,
                                    covey_error *err)
{
    own->l = a->l;
    own->promise = a->promise;
    own->sensitive = a->field;
    own->slice = &a->slice;
    COVEY_TRY(covey_i_slicing_number_sets(own, err));
    if (x->are_single || covey_i_unit_rows_size(&x->rows, kind) == 1)
        return COVEY_OK;
    look_at_kind(a, x, kind);
    own->kind = &a->kind;
    own->n_pairs = a->kind.values.n_values; /* what the test counts */
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
                           .n_all = n,
                           .n = n,
                           .n_contents = n,
                           .content = covey_arena_array(s->arena, uint32_t, n),
                           .n_slices = 1,
                           .n_holding = 1,
                           .n_blocks = s->n_blocks,
                           .arena = s->arena};
    if (!own->content)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_problem_sort_rows(own->content, &x->problem, run, err));
    if (s->n_others > 0 && !(own->other = covey_arena_array(s->arena, covey_slicing, s->n_others)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < s->n_others; i++) {
        own->other[i] = *own;
        COVEY_TRY(begin_attribute(&own->other[i], x, &x->sensitive[i + 1], kind, err));
    }
    own->n_others = s->n_others;
    return begin_attribute(own, x, &x->sensitive[0], kind, err);
}

/* Puts the rows of a kind's buckets behind those that are there. */
static void add_buckets(covey_dealt *dealt, const struct kinds *x, uint32_t kind, const covey_dealt *own)
{
    const uint32_t *row = x->row + x->first_row[kind], n_each = covey_i_unit_rows_size(&x->rows, kind);

    for (uint32_t b = 0; b < own->n_buckets; b++) {
        dealt->start[dealt->n_buckets++] = dealt->n;
        for (uint32_t i = own->start[b]; i < own->start[b + 1]; i++, dealt->n += n_each)
            memcpy(dealt->row + dealt->n, row + (size_t)own->row[i] * n_each, n_each * sizeof *row);
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

    snprintf(note + n, size - n, "%sbuckets of units with as many rows each%s%s", n > 0 ? "; " : "", of_kind(x),
             x->n_without > 0 ? "; units are suppressed where too few are of one kind, or too many of these may have "
                                "one value"
                              : "");
}

covey_status covey_i_slicing_deal_units(covey_dealt *dealt, char *note, size_t size, covey_slicing *s,
                                        const covey_run *run, covey_error *err)
{
    struct kinds x = {.s = s};

    *dealt = (covey_dealt){.table = s->problem};
    COVEY_TRY(check_columns(s, err));
    COVEY_TRY(number_sets(&x, err));
    COVEY_TRY(covey_i_unit_rows_new(&x.rows, s->problem, x.n_sets > 1 ? x.set : NULL, s->arena, run, err));
    COVEY_TRY(list_rows(&x, err));
    COVEY_TRY(find_sensitive(&x, err));
    COVEY_TRY(find_most(&x, err));
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
    dealt->unit_values = x.are_single ? "one" : "several";
    describe(note, size, &x);
    return COVEY_OK;
}
