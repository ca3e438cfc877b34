/* How many rows have a value together with one of the target: counted, or expected over all tables that a release may stand for; see learning.h.
 * Source: slicing.md, section 4. */
#include <string.h>

#include "release/bucketized.h"
#include "release/sliced.h"
#include "reproduce/learning.h"
#include "table/table_impl.h"

/* Joins of rows that are looked at one by one. */
#define MOST_JOINS 1e9

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "counts to learn from");
}

static covey_status new_counts(covey_lesson_counts *out, const covey_lesson *like, size_t target, covey_arena *arena, covey_error *err)
{
    *out = (covey_lesson_counts){.n_attributes = like->n_attributes, .target = target, .rows = covey_arena_array_zero(arena, double, like->n_codes[target])};
    if (!out->rows)
        return no_memory(err);
    for (size_t a = 0; a < like->n_attributes; a++) {
        out->n_codes[a] = like->n_codes[a];
        if (a != target && !(out->pair[a] = covey_arena_array_zero(arena, double, (size_t)like->n_codes[a] * like->n_codes[target])))
            return no_memory(err);
    }
    return COVEY_OK;
}

covey_status covey_i_lesson_count(covey_lesson_counts *out, const covey_lesson *lesson, size_t target, covey_arena *arena, covey_error *err)
{
    const uint32_t n = lesson->n_codes[target];

    COVEY_TRY(new_counts(out, lesson, target, arena, err));
    for (uint32_t i = 0; i < lesson->n; i++)
        out->rows[lesson->code[target][i]]++;
    for (size_t a = 0; a < lesson->n_attributes; a++)
        for (uint32_t i = 0; a != target && i < lesson->n; i++)
            out->pair[a][lesson->code[a][i] * (size_t)n + lesson->code[target][i]]++;
    return COVEY_OK;
}

/* --- expected ones --- */

/* A column of a release: its rows group by group, and where groups begin. */
struct part {
    const uint32_t *row;     /* by place */
    const size_t *field; size_t n_fields;
};

struct expecting {
    const covey_release *release;
    const covey_problem *problem;
    size_t *attribute;
    uint32_t **code;
    struct part *part; size_t n_parts;
    size_t *shared;          /* [n_fields] scratch */
    size_t n_shared;
};

static bool has_field(const struct part *part, size_t field)
{
    for (size_t i = 0; i < part->n_fields; i++)
        if (part->field[i] == field)
            return true;
    return false;
}

static uint32_t code_at(const struct expecting *e, size_t field, uint32_t row)
{
    return e->code[field][covey_i_code(e->problem->field[field].column, row)];
}

/* The columns that hold the two fields, one for both if there is; then those that share the most. */
static void find_parts(size_t which[2], struct expecting *e, size_t a, size_t b)
{
    size_t most = 0;
    bool found = false;

    for (size_t i = 0; i < e->n_parts; i++)
        for (size_t j = 0; j < e->n_parts; j++) {
            size_t n = 0;

            if (!has_field(&e->part[i], a) || !has_field(&e->part[j], b))
                continue;
            for (size_t k = 0; k < e->part[i].n_fields; k++)
                n += has_field(&e->part[j], e->part[i].field[k]);
            n = i == j ? SIZE_MAX : n;
            if (!found || n > most) {
                which[0] = i;
                which[1] = j;
                most = n;
                found = true;
            }
        }
    e->n_shared = 0;
    for (size_t k = 0; which[0] != which[1] && k < e->part[which[0]].n_fields; k++)
        if (has_field(&e->part[which[1]], e->part[which[0]].field[k]))
            e->shared[e->n_shared++] = e->part[which[0]].field[k];
}

static bool agrees(const struct expecting *e, uint32_t x, uint32_t y)
{
    for (size_t k = 0; k < e->n_shared; k++) {
        const covey_column *column = e->problem->field[e->shared[k]].column;

        if (covey_i_code(column, x) != covey_i_code(column, y))
            return false;
    }
    return true;
}

/* A piece goes with every piece of the bucket that agrees with it, with equal chance. */
static void expect_bucket(double *pair, const struct expecting *e, const uint32_t *x, const uint32_t *y, uint32_t m, size_t a, size_t b, uint32_t n_codes)
{
    for (uint32_t i = 0; i < m; i++) {
        double *line = pair + (size_t)code_at(e, a, x[i]) * n_codes;
        uint32_t n = 0;

        for (uint32_t j = 0; j < m; j++)
            n += agrees(e, x[i], y[j]);
        for (uint32_t j = 0; j < m; j++)
            if (agrees(e, x[i], y[j]))
                line[code_at(e, b, y[j])] += 1.0 / n;
    }
}

static void expect_pair(double *pair, struct expecting *e, size_t a, size_t b, uint32_t n_codes)
{
    size_t which[2] = {0, 0};

    find_parts(which, e, a, b);
    if (which[0] == which[1]) {
        for (uint32_t i = 0; i < e->release->n_published; i++)
            pair[(size_t)code_at(e, a, e->part[which[0]].row[i]) * n_codes + code_at(e, b, e->part[which[0]].row[i])]++;
        return;
    }
    for (uint32_t g = 0; g < e->release->n_classes; g++) {
        const uint32_t start = e->release->class_start[g], m = e->release->class_start[g + 1] - start;

        expect_bucket(pair, e, e->part[which[0]].row + start, e->part[which[1]].row + start, m, a, b, n_codes);
    }
}

/* A bucketized release has two columns: the sensitive attribute, and the others.  Only which values a group has is used of its rows. */
static covey_status list_parts(struct expecting *e, covey_arena *arena, covey_error *err)
{
    const bool is_sliced = strcmp(e->release->form->name, "sliced") == 0;
    const covey_sliced *sliced = e->release->form_data;
    const size_t n_fields = e->problem->n_fields;
    size_t *field = covey_arena_array(arena, size_t, n_fields), n = 0;

    e->n_parts = is_sliced ? sliced->n_slices : 2;
    e->part = covey_arena_array(arena, struct part, e->n_parts);
    e->shared = covey_arena_array(arena, size_t, n_fields);
    if (!field || !e->part || !e->shared)
        return no_memory(err);
    for (size_t s = 0; is_sliced && s < e->n_parts; s++)
        e->part[s] = (struct part){sliced->row[s], sliced->slice[s].field, sliced->slice[s].n_fields};
    if (is_sliced)
        return COVEY_OK;
    for (size_t f = 0; f < n_fields; f++)
        if (e->problem->field[f].role != COVEY_ROLE_SENSITIVE)
            field[n++] = f;
    e->part[0] = (struct part){e->release->row_order, field, n};
    e->part[1] = (struct part){e->release->row_order, &((const covey_bucketized *)e->release->form_data)->field, 1};
    return COVEY_OK;
}

/* Of columns that overlap, more than two may have to be joined on the way from one attribute to the other. */
static bool can_expect(const struct expecting *e)
{
    double joins = 0;

    for (uint32_t g = 0; g < e->release->n_classes; g++)
        joins += (double)(e->release->class_start[g + 1] - e->release->class_start[g]) * (e->release->class_start[g + 1] - e->release->class_start[g]);
    for (size_t i = 0; i < e->n_parts && e->n_parts > 2; i++)
        for (size_t j = 0; j < i; j++)
            for (size_t k = 0; k < e->part[i].n_fields; k++)
                if (has_field(&e->part[j], e->part[i].field[k]))
                    return false;
    return joins * (double)e->problem->n_fields <= MOST_JOINS;
}

covey_status covey_i_learning_expect(covey_lesson_counts *out, bool *known, const covey_learning_table *table, const covey_release *release,
                                     const covey_problem *problem, size_t target, covey_arena *arena, covey_error *err)
{
    const char *form = release->form->name;
    struct expecting e = {.release = release, .problem = problem, .attribute = covey_arena_array(arena, size_t, problem->n_fields),
                          .code = covey_arena_array(arena, uint32_t *, problem->n_fields)};
    size_t guessed = SIZE_MAX;

    *known = strcmp(form, "sliced") == 0 || strcmp(form, "bucketized") == 0;
    if (!*known)
        return COVEY_OK;
    if (!e.attribute || !e.code)
        return no_memory(err);
    COVEY_TRY(list_parts(&e, arena, err));
    if (!(*known = can_expect(&e)))
        return COVEY_OK;
    COVEY_TRY(covey_i_learning_codes(e.attribute, e.code, table, problem, arena, err));
    COVEY_TRY(new_counts(out, &table->rows, target, arena, err));
    for (size_t f = 0; f < problem->n_fields; f++)
        guessed = e.attribute[f] == target ? f : guessed;
    if (guessed == SIZE_MAX)
        return covey_fail(err, COVEY_EINVAL, "the release has no column \"%s\"", table->column[target]->name);
    for (uint32_t i = 0; i < release->n_published; i++)
        out->rows[code_at(&e, guessed, release->row_order[i])]++;
    for (size_t f = 0; f < problem->n_fields; f++)
        if (f != guessed && e.attribute[f] != SIZE_MAX)
            expect_pair(out->pair[e.attribute[f]], &e, f, guessed, out->n_codes[target]);
    return COVEY_OK;
}
