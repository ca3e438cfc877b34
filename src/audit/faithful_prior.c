/* A prior counts the sensitive values of all rows of the original, a joint one their combinations. */
#include "audit/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/sort.h"
#include "reader/cells/cells.h"
#include "reader/names.h"
#include "reader/points/covers.h"
#include "table/histogram.h"

/* Finds the codes of a sensitive column's values. */
struct finder {
    const covey_opened_column *column;
    const covey_column *values;
    covey_names names;
};

static covey_status start_finder(struct finder *f, const covey_opened *opened, const covey_original *original,
                                 size_t column, covey_arena *arena, covey_error *err)
{
    uint32_t number;

    f->column = &opened->column[column];
    f->values = original->column[column].column;
    COVEY_TRY(covey_i_names_init(&f->names, f->values->n_values, arena, err));
    for (uint32_t v = 0; v < f->values->n_values; v++)
        COVEY_TRY(covey_i_names_add(&number, &f->names, covey_column_label(f->values, v), err));
    return COVEY_OK;
}

/* By text, or for numbers by value; UINT32_MAX: it does not occur. */
static uint32_t find_code(const struct finder *f, const char *key)
{
    uint32_t code = covey_i_names_find(&f->names, key);
    int64_t number;
    int scale;

    if (code != UINT32_MAX || f->column->stated->hierarchy || !covey_column_is_number(f->values) ||
        !covey_i_cell_number(&number, &scale, f->column->stated->type, key))
        return code;
    code = covey_i_covers_first(f->values, number, scale, false);
    return covey_i_covers_first(f->values, number, scale, true) > code ? code : UINT32_MAX;
}

static covey_status check_prior(covey_problems *problems, const covey_stated_prior *prior, const covey_opened *opened,
                                const covey_original *original, size_t column, covey_arena *arena, covey_error *err)
{
    struct finder finder = {0};
    covey_histogram counts;
    bool agrees = true;

    COVEY_TRY(start_finder(&finder, opened, original, column, arena, err));
    COVEY_TRY(covey_i_histogram_of(&counts, finder.values, arena, err));
    for (size_t i = 0; i < prior->n && agrees; i++) {
        uint32_t code = find_code(&finder, prior->value[i]);

        if (code == UINT32_MAX)
            agrees = prior->count[i] == 0;
        else
            counts.count[code] -= prior->count[i];
    }
    for (uint32_t v = 0; v < counts.n_values && agrees; v++)
        agrees = counts.count[v] == 0;
    if (!agrees)
        covey_i_problem(problems, "manifest.json: the prior of \"%s\" does not count the rows of the original",
                        prior->attribute);
    return COVEY_OK;
}

/* --- combinations --- */

struct cell {
    const uint32_t *code; /* [n] */
    size_t n;
    int64_t count;
};

static int compare_cells(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;

    for (size_t i = 0; i < x->n; i++)
        if (x->code[i] != y->code[i])
            return x->code[i] < y->code[i] ? -1 : 1;
    return 0;
}

struct joint {
    const covey_stated_joint *stated;
    size_t *column;    /* [n_attributes] of the release */
    struct cell *cell; /* [n_cells] sorted; a cell with count 0 is left out */
    size_t n_cells;
    bool agrees;
};

static covey_status sort_cells(struct joint *j, const covey_opened *opened, const covey_original *original,
                               covey_arena *arena, covey_error *err)
{
    size_t width = j->stated->n_attributes;
    uint32_t *code = covey_arena_array(arena, uint32_t, j->stated->n_cells * width);

    if (!code || !(j->cell = covey_arena_array(arena, struct cell, j->stated->n_cells)))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < width; a++) {
        struct finder finder = {0};

        COVEY_TRY(start_finder(&finder, opened, original, j->column[a], arena, err));
        for (size_t i = 0; i < j->stated->n_cells; i++)
            code[i * width + a] = find_code(&finder, j->stated->value[i * width + a]);
    }
    for (size_t i = 0; i < j->stated->n_cells; i++)
        if (j->stated->count[i] > 0)
            j->cell[j->n_cells++] = (struct cell){code + i * width, width, j->stated->count[i]};
    qsort(j->cell, j->n_cells, sizeof *j->cell, compare_cells);
    return COVEY_OK;
}

/* Does the row have the combination of the cell? */
static bool has_codes(const struct joint *j, const covey_original *original, uint32_t row, const struct cell *cell)
{
    for (size_t a = 0; a < cell->n; a++)
        if (covey_i_code_at(original->column[j->column[a]].column, row) != cell->code[a])
            return false;
    return true;
}

/* Rows sorted by combination against cells sorted by combination. */
static covey_status count_rows(struct joint *j, const covey_original *original, covey_arena *arena, covey_error *err)
{
    uint32_t n = original->n_rows, at = 0;
    uint32_t *row = covey_arena_array(arena, uint32_t, n), *scratch = covey_arena_array(arena, uint32_t, n);

    if (!row || !scratch)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        row[i] = i;
    for (size_t a = j->stated->n_attributes; a-- > 0;) {
        const covey_column *column = original->column[j->column[a]].column;

        covey_i_sort_rows_codes(row, scratch, n, column->codes, column->width);
    }
    for (size_t i = 0; i < j->n_cells && j->agrees; i++) {
        uint32_t begin = at;

        while (at < n && has_codes(j, original, row[at], &j->cell[i]))
            at++;
        j->agrees = (int64_t)(at - begin) == j->cell[i].count;
    }
    j->agrees &= at == n;
    return COVEY_OK;
}

static covey_status check_joint(covey_problems *problems, const covey_opened *opened, const covey_original *original,
                                covey_arena *arena, covey_error *err)
{
    struct joint j = {.stated = &opened->stated->joint, .agrees = true};

    if (!(j.column = covey_arena_array(arena, size_t, j.stated->n_attributes)))
        return covey_i_no_memory(err);
    for (size_t a = 0; a < j.stated->n_attributes; a++) {
        int column = covey_i_stated_column(opened->stated, j.stated->attribute[a]);

        if (column < 0 || opened->stated->column[column].role != COVEY_ROLE_SENSITIVE)
            return COVEY_OK; /* has been reported */
        j.column[a] = (size_t)column;
    }
    COVEY_TRY(sort_cells(&j, opened, original, arena, err));
    COVEY_TRY(count_rows(&j, original, arena, err));
    if (!j.agrees)
        covey_i_problem(problems, "manifest.json: joint_prior does not count the rows of the original");
    return COVEY_OK;
}

covey_status covey_i_faithful_prior(covey_problems *problems, const covey_opened *opened,
                                    const covey_original *original, covey_error *err)
{
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;

    for (size_t i = 0; i < opened->stated->n_priors && status == COVEY_OK; i++) {
        int column = covey_i_stated_column(opened->stated, opened->stated->prior[i].attribute);

        if (column >= 0 && opened->stated->column[column].role == COVEY_ROLE_SENSITIVE)
            status = check_prior(problems, &opened->stated->prior[i], opened, original, (size_t)column, &arena, err);
    }
    if (status == COVEY_OK && opened->stated->joint.n_attributes > 0)
        status = check_joint(problems, opened, original, &arena, err);
    covey_arena_free(&arena);
    return status;
}
