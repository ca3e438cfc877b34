/* Counting values in classes. */
#include "query/generalized/class_counts.h"

#include "base/error.h"
#include "table/table_impl.h"

/* Fewer rows than that per entry are not worth the memory. */
enum { ROWS_PER_ENTRY = 2 };

struct counting {
    const covey_opened *opened;
    const covey_column *text;
    uint32_t *rows; /* [n_values] of the class with each cell; all 0 between classes */
};

/* Writes the entries of a class to entry, unless it is NULL, and says how many. */
static uint32_t count_class(struct counting *c, uint32_t class, covey_class_count *entry)
{
    const uint32_t begin = c->opened->class_start[class], end = c->opened->class_start[class + 1];
    uint32_t n = 0;

    for (uint32_t row = begin; row < end; row++)
        n += c->rows[covey_i_code_at(c->text, row)]++ == 0;
    for (uint32_t row = begin, at = 0; row < end && at < n; row++) {
        const uint32_t cell = covey_i_code_at(c->text, row);

        if (c->rows[cell] == 0)
            continue;
        if (entry)
            entry[at] = (covey_class_count){cell, c->rows[cell]};
        at++;
        c->rows[cell] = 0;
    }
    return n;
}

/* Counts cells by their places, class by class. */
static void count_places(covey_class_counts *counts, const covey_opened *opened, const covey_column *text)
{
    for (uint32_t class = 0; class < opened->n_classes; class ++) {
        uint32_t *before = counts->before + (size_t) class * counts->n_places;

        for (uint32_t row = opened->class_start[class]; row < opened->class_start[class + 1]; row++) {
            const uint32_t cell = covey_i_code_at(text, row);

            before[(counts->place ? counts->place[cell] : cell) + 1]++;
        }
        for (uint32_t i = 1; i < counts->n_places; i++)
            before[i] += before[i - 1];
    }
}

/* Has every cell a place of its own?  Cells that compare equal share one. */
static covey_status are_places(bool *are, const uint32_t *rank, uint32_t n, covey_arena *arena, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(arena);
    bool *seen = covey_arena_array_zero(arena, bool, n);

    if (!seen)
        return covey_i_no_memory(err);
    *are = true;
    for (uint32_t i = 0; i < n && *are; i++) {
        *are = rank[i] < n && !seen[rank[i]];
        if (*are)
            seen[rank[i]] = true;
    }
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

static covey_status make_places(covey_class_counts *out, const covey_opened *opened, const covey_column *text,
                                const uint32_t *rank, covey_arena *arena, covey_error *err)
{
    bool are = true;

    out->n_places = text->n_values + 1;
    out->place = rank;
    if ((uint64_t)out->n_places * opened->n_classes > opened->n_rows)
        return COVEY_OK;
    if (rank)
        COVEY_TRY(are_places(&are, rank, text->n_values, arena, err));
    if (!are)
        return COVEY_OK;
    if (!(out->before = covey_arena_array_zero(arena, uint32_t, (size_t)out->n_places * opened->n_classes)))
        return covey_i_no_memory(err);
    count_places(out, opened, text);
    return COVEY_OK;
}

covey_status covey_i_class_counts_make(covey_class_counts *out, const covey_opened *opened, const covey_column *text,
                                       const uint32_t *rank, covey_arena *arena, covey_error *err)
{
    struct counting c = {opened, text, NULL};
    covey_class_counts counts = {.start = NULL};

    *out = counts;
    COVEY_TRY(make_places(out, opened, text, rank, arena, err));
    if (out->before)
        return COVEY_OK;
    c.rows = covey_arena_array_zero(arena, uint32_t, text->n_values);
    counts.start = covey_arena_array(arena, uint32_t, (size_t)opened->n_classes + 1);
    if (!c.rows || !counts.start)
        return covey_i_no_memory(err);
    counts.start[0] = 0;
    for (uint32_t class = 0; class < opened->n_classes; class ++)
        counts.start[class + 1] = counts.start[class] + count_class(&c, class, NULL);
    if (counts.start[opened->n_classes] > opened->n_rows / ROWS_PER_ENTRY)
        return COVEY_OK;
    if (!(counts.entry = covey_arena_array(arena, covey_class_count, counts.start[opened->n_classes])))
        return covey_i_no_memory(err);
    for (uint32_t class = 0; class < opened->n_classes; class ++)
        count_class(&c, class, counts.entry + counts.start[class]);
    out->start = counts.start;
    out->entry = counts.entry;
    return COVEY_OK;
}
