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

covey_status covey_i_class_counts_make(covey_class_counts *out, const covey_opened *opened, const covey_column *text,
                                       covey_arena *arena, covey_error *err)
{
    struct counting c = {opened, text, covey_arena_array_zero(arena, uint32_t, text->n_values)};
    covey_class_counts counts = {.start = covey_arena_array(arena, uint32_t, (size_t)opened->n_classes + 1)};

    if (!c.rows || !counts.start)
        return covey_i_no_memory(err);
    counts.start[0] = 0;
    for (uint32_t class = 0; class < opened->n_classes; class ++)
        counts.start[class + 1] = counts.start[class] + count_class(&c, class, NULL);
    *out = (covey_class_counts){0};
    if (counts.start[opened->n_classes] > opened->n_rows / ROWS_PER_ENTRY)
        return COVEY_OK;
    if (!(counts.entry = covey_arena_array(arena, covey_class_count, counts.start[opened->n_classes])))
        return covey_i_no_memory(err);
    for (uint32_t class = 0; class < opened->n_classes; class ++)
        count_class(&c, class, counts.entry + counts.start[class]);
    *out = counts;
    return COVEY_OK;
}
