/* How many rows have a value together with one of the target: counted, or expected over all tables that a release may
 * stand for. */
#include <string.h>

#include "base/error.h"
#include "release/bucketized/bucketized.h"
#include "release/sliced/sliced.h"
#include "reproduce/slicing/learning.h"
#include "table/table_impl.h"

/* Joins of rows that are looked at one by one. */
#define MOST_JOINS 1e9

static covey_status new_counts(covey_lesson_counts *out, const covey_lesson *like, size_t target, covey_arena *arena,
                               covey_error *err)
{
    *out = (covey_lesson_counts){.n_attributes = like->n_attributes,
                                 .target = target,
                                 .rows = covey_arena_array_zero(arena, double, like->n_codes[target])};
    if (!out->rows)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < like->n_attributes; a++) {
        out->n_codes[a] = like->n_codes[a];
        if (a != target &&
            !(out->pair[a] = covey_arena_array_zero(arena, double, (size_t)like->n_codes[a] * like->n_codes[target])))
            return covey_i_no_memory(err);
    }
    return COVEY_OK;
}

covey_status covey_i_lesson_count(covey_lesson_counts *out, const covey_lesson *lesson, size_t target,
                                  covey_arena *arena, covey_error *err)
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

/* A column of a release: what its lines hold, group by group. */
struct part {
    const size_t *field;
    size_t n_fields;
    uint32_t **code; /* [n_fields] by place */
};

struct expecting {
    const covey_release *release;
    const covey_problem *problem;
    size_t *attribute;
    uint32_t **code;
    struct part *part;
    size_t n_parts;
    const uint32_t **shared[2]; /* [n_fields] scratch: codes that two columns share, of either */
    size_t n_shared;
    uint32_t *count; /* [codes of the target] scratch */
};

static bool has_field(const struct part *part, size_t field)
{
    for (size_t i = 0; i < part->n_fields; i++)
        if (part->field[i] == field)
            return true;
    return false;
}

/* The part has the field. */
static const uint32_t *codes_of(const struct part *part, size_t field)
{
    size_t i = 0;

    while (part->field[i] != field)
        i++;
    return part->code[i];
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
        if (has_field(&e->part[which[1]], e->part[which[0]].field[k])) {
            e->shared[0][e->n_shared] = e->part[which[0]].code[k];
            e->shared[1][e->n_shared++] = codes_of(&e->part[which[1]], e->part[which[0]].field[k]);
        }
}

static bool agrees(const struct expecting *e, uint32_t x, uint32_t y)
{
    for (size_t k = 0; k < e->n_shared; k++)
        if (e->shared[0][k][x] != e->shared[1][k][y])
            return false;
    return true;
}

/* How many rows of the bucket that a row goes with have each value of the target; returns how many these are. */
static uint32_t count_partners(struct expecting *e, uint32_t row, uint32_t start, uint32_t m, const uint32_t *b,
                               const uint32_t *lesson_b, uint32_t n_codes)
{
    uint32_t n = 0;

    memset(e->count, 0, n_codes * sizeof *e->count);
    for (uint32_t j = start; j < start + m; j++)
        if (agrees(e, row, j)) {
            e->count[lesson_b[b[j]]]++;
            n++;
        }
    return n;
}

/* A piece goes with every piece of the bucket that agrees with it, with equal chance.  a, b: codes of the two columns;
 * lesson_a, lesson_b: what the lesson has for them. */
static void expect_bucket(double *pair, struct expecting *e, uint32_t start, uint32_t m, const uint32_t *a,
                          const uint32_t *b, const uint32_t *lesson_a, const uint32_t *lesson_b, uint32_t n_codes)
{
    uint32_t n = 0;

    for (uint32_t i = start; i < start + m; i++) {
        double *line = pair + (size_t)lesson_a[a[i]] * n_codes;

        if (i == start || e->n_shared > 0) /* all rows go with all where columns share nothing */
            n = count_partners(e, i, start, m, b, lesson_b, n_codes);
        for (uint32_t v = 0; v < n_codes; v++)
            if (e->count[v] > 0)
                line[v] += (double)e->count[v] / n;
    }
}

static void expect_pair(double *pair, struct expecting *e, size_t a, size_t b, uint32_t n_codes)
{
    size_t which[2] = {0, 0};
    const uint32_t *codes_a, *codes_b;

    find_parts(which, e, a, b);
    codes_a = codes_of(&e->part[which[0]], a);
    codes_b = codes_of(&e->part[which[1]], b);
    if (which[0] == which[1]) {
        for (uint32_t i = 0; i < e->release->n_published; i++)
            pair[(size_t)e->code[a][codes_a[i]] * n_codes + e->code[b][codes_b[i]]]++;
        return;
    }
    for (uint32_t g = 0; g < e->release->n_classes; g++) {
        const uint32_t start = e->release->class_start[g], m = e->release->class_start[g + 1] - start;

        expect_bucket(pair, e, start, m, codes_a, codes_b, e->code[a], e->code[b], n_codes);
    }
}

static covey_status new_part(struct part *part, const struct expecting *e, const size_t *field, size_t n_fields,
                             covey_arena *arena, covey_error *err)
{
    *part = (struct part){field, n_fields, covey_arena_array(arena, uint32_t *, n_fields)};
    if (!part->code)
        return covey_i_no_memory(err);
    for (size_t f = 0; f < n_fields; f++)
        if (!(part->code[f] = covey_arena_array(arena, uint32_t, e->release->n_published)))
            return covey_i_no_memory(err);
    return COVEY_OK;
}

static covey_status list_slices(struct expecting *e, covey_arena *arena, covey_error *err)
{
    const covey_sliced *sliced = e->release->form_data;

    for (size_t s = 0; s < sliced->n_slices; s++) {
        COVEY_TRY(new_part(&e->part[s], e, sliced->slice[s].field, sliced->slice[s].n_fields, arena, err));
        for (size_t f = 0; f < sliced->slice[s].n_fields; f++)
            for (uint32_t i = 0; i < e->release->n_published; i++)
                e->part[s].code[f][i] =
                    covey_i_sliced_code(e->release, e->problem, s, f, covey_i_sliced_piece(sliced, s, i));
    }
    return COVEY_OK;
}

/* Two columns: the sensitive attribute, and the others.  Only which values a group has is used of its rows. */
static covey_status list_groups(struct expecting *e, covey_arena *arena, covey_error *err)
{
    const size_t n_fields = e->problem->n_fields;
    size_t *field = covey_arena_array(arena, size_t, n_fields), n = 0;

    if (!field)
        return covey_i_no_memory(err);
    for (size_t f = 0; f < n_fields; f++)
        if (e->problem->field[f].role != COVEY_ROLE_SENSITIVE)
            field[n++] = f;
    COVEY_TRY(new_part(&e->part[0], e, field, n, arena, err));
    COVEY_TRY(new_part(&e->part[1], e, &((const covey_bucketized *)e->release->form_data)->field, 1, arena, err));
    for (size_t p = 0; p < 2; p++)
        for (size_t f = 0; f < e->part[p].n_fields; f++)
            for (uint32_t i = 0; i < e->release->n_published; i++)
                e->part[p].code[f][i] =
                    covey_i_code(e->problem->field[e->part[p].field[f]].column, e->release->row_order[i]);
    return COVEY_OK;
}

static covey_status list_parts(struct expecting *e, covey_arena *arena, covey_error *err)
{
    const bool is_sliced = strcmp(e->release->form->name, "sliced") == 0;
    const size_t n_fields = e->problem->n_fields;

    e->n_parts = is_sliced ? ((const covey_sliced *)e->release->form_data)->n_slices : 2;
    e->part = covey_arena_array(arena, struct part, e->n_parts);
    e->shared[0] = covey_arena_array(arena, const uint32_t *, n_fields);
    e->shared[1] = covey_arena_array(arena, const uint32_t *, n_fields);
    if (!e->part || !e->shared[0] || !e->shared[1])
        return covey_i_no_memory(err);
    return is_sliced ? list_slices(e, arena, err) : list_groups(e, arena, err);
}

/* Of columns that overlap, more than two may have to be joined on the way from one attribute to the other. */
static bool can_expect(const struct expecting *e)
{
    double joins = 0;

    for (uint32_t g = 0; g < e->release->n_classes; g++)
        joins += (double)(e->release->class_start[g + 1] - e->release->class_start[g]) *
                 (e->release->class_start[g + 1] - e->release->class_start[g]);
    for (size_t i = 0; i < e->n_parts && e->n_parts > 2; i++)
        for (size_t j = 0; j < i; j++)
            for (size_t k = 0; k < e->part[i].n_fields; k++)
                if (has_field(&e->part[j], e->part[i].field[k]))
                    return false;
    return joins * (double)e->problem->n_fields <= MOST_JOINS;
}

covey_status covey_i_learning_expect(covey_lesson_counts *out, bool *known, const covey_learning_table *table,
                                     const covey_release *release, const covey_problem *problem, size_t target,
                                     covey_arena *arena, covey_error *err)
{
    const char *form = release->form->name;
    struct expecting e = {.release = release,
                          .problem = problem,
                          .attribute = covey_arena_array(arena, size_t, problem->n_fields),
                          .code = covey_arena_array(arena, uint32_t *, problem->n_fields),
                          .count = covey_arena_array(arena, uint32_t, table->rows.n_codes[target])};
    size_t guessed = SIZE_MAX;

    *known = strcmp(form, "sliced") == 0 || strcmp(form, "bucketized") == 0;
    if (!*known)
        return COVEY_OK;
    if (!e.attribute || !e.code || !e.count)
        return covey_i_no_memory(err);
    COVEY_TRY(list_parts(&e, arena, err));
    if (!(*known = can_expect(&e)))
        return COVEY_OK;
    COVEY_TRY(covey_i_learning_codes(e.attribute, e.code, table, problem, arena, err));
    COVEY_TRY(new_counts(out, &table->rows, target, arena, err));
    for (size_t f = 0; f < problem->n_fields; f++)
        guessed = e.attribute[f] == target ? f : guessed;
    if (guessed == SIZE_MAX)
        return covey_fail(err, COVEY_EINVAL, "the release has no column \"%s\"", table->column[target]->name);
    for (size_t p = 0; p < e.n_parts; p++) {
        const uint32_t *codes = has_field(&e.part[p], guessed) ? codes_of(&e.part[p], guessed) : NULL;

        for (uint32_t i = 0; codes && i < release->n_published; i++)
            out->rows[e.code[guessed][codes[i]]]++;
        if (codes)
            break;
    }
    for (size_t f = 0; f < problem->n_fields; f++)
        if (f != guessed && e.attribute[f] != SIZE_MAX)
            expect_pair(out->pair[e.attribute[f]], &e, f, guessed, out->n_codes[target]);
    return COVEY_OK;
}
