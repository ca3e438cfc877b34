/* Rows as lots: all rows of a cell and kind together, or each for itself; and from lots back to rows.  Here rows are
 * sorted by content; where there are few different keys, count.c does without. */
#include "method/peel/partition.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort/keys.h"
#include "base/threads.h"
#include "method/rows/row_cells.h"
#include "table/column_key.h"
#include "table/table_impl.h"

enum { ASSIGN_CHUNK = 1 << 14 }; /* lots */

/* Lots in the making. */
struct making {
    covey_peel_table *t;
    covey_sorted_rows sorted;
    covey_row_cells cells;
    const uint32_t *kind; /* [n_rows] in the order of t->row; NULL: a view's codes, or nobody looks at values */
};

/* Is the order of covey_i_start, by axes and then by the other fields, ours already? */
static bool starts_by_kind(const covey_peel_table *t)
{
    size_t v = 0;

    for (size_t f = 0; f < t->problem->n_fields && v < t->n_used; f++) {
        if (t->problem->field[f].role == COVEY_ROLE_QUASI)
            continue;
        if (t->problem->field[f].column != t->problem->promises.view[t->used[v]].column)
            return false;
        v++;
    }
    return v == t->n_used;
}

static bool same_values(const covey_peel_table *t, uint32_t x, uint32_t y)
{
    for (size_t v = 0; v < t->n_used; v++)
        if (covey_i_code(t->problem->promises.view[t->used[v]].column, x) !=
            covey_i_code(t->problem->promises.view[t->used[v]].column, y))
            return false;
    return true;
}

/* Several attributes: combinations that occur, numbered in their order. */
static covey_status number_combinations(struct making *m, covey_arena *arena, covey_arena *scratch,
                                        const covey_run *run, covey_error *err)
{
    covey_peel_table *t = m->t;
    const covey_view *view = t->problem->promises.view;
    covey_sort_key *key = covey_arena_array(scratch, covey_sort_key, t->n_used);
    uint32_t *sorted = covey_arena_array(scratch, uint32_t, t->n_rows),
             *kind = covey_arena_array(scratch, uint32_t, t->n_rows);
    uint32_t *kind_at = covey_arena_array(scratch, uint32_t, t->problem->n_rows), *value;

    if (!key || !sorted || !kind || !kind_at)
        return covey_i_no_memory(err);
    for (size_t v = 0; v < t->n_used; v++)
        key[v] = covey_i_column_key(view[t->used[v]].column);
    if (t->n_rows > 0)
        memcpy(sorted, t->row, t->n_rows * sizeof *sorted);
    COVEY_TRY(covey_i_sort_rows_by_keys(sorted, t->n_rows, key, t->n_used, run, err));
    for (uint32_t i = 0; i < t->n_rows; i++) {
        t->n_kinds += i == 0 || !same_values(t, sorted[i], sorted[i - 1]);
        kind_at[sorted[i]] = t->n_kinds - 1;
    }
    if (!(value = covey_arena_array(arena, uint32_t, t->n_kinds * t->n_used)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < t->n_rows; i++) {
        kind[i] = kind_at[t->row[i]];
        for (size_t v = 0; v < t->n_used; v++)
            value[kind[i] * t->n_used + v] = covey_i_code(view[t->used[v]].column, t->row[i]);
    }
    t->value = value;
    m->kind = kind;
    return COVEY_OK;
}

static uint32_t kind_at(const struct making *m, uint32_t i)
{
    if (m->kind)
        return m->kind[i];
    return m->t->n_used == 1 ? covey_i_row_cells_code(&m->cells.view[m->t->used[0]], i) : 0;
}

static uint32_t count_lots(const struct making *m)
{
    uint32_t n = m->cells.n;

    for (uint32_t c = 0; m->t->n_used > 0 && c < m->cells.n; c++)
        for (uint32_t i = m->cells.start[c] + 1; i < m->cells.start[c + 1]; i++)
            n += kind_at(m, i) != kind_at(m, i - 1);
    return n;
}

static void fill_whole(const struct making *m)
{
    covey_peel_table *t = m->t;
    uint32_t lot = 0;

    for (uint32_t c = 0; c < m->cells.n; c++)
        for (uint32_t i = m->cells.start[c], end; i < m->cells.start[c + 1]; i = end, lot++) {
            const uint32_t kind = kind_at(m, i);

            for (end = t->n_used > 0 ? i + 1 : m->cells.start[c + 1];
                 end < m->cells.start[c + 1] && kind_at(m, end) == kind;)
                end++;
            t->cell[lot] = c;
            t->kind[lot] = kind;
            t->alike[lot] = lot;
            t->first[lot] = i;
            t->size[lot] = end - i;
        }
}

static void fill_single(const struct making *m)
{
    covey_peel_table *t = m->t;

    for (uint32_t c = 0; c < m->cells.n; c++)
        for (uint32_t i = m->cells.start[c]; i < m->cells.start[c + 1]; i++) {
            t->cell[i] = c;
            t->kind[i] = kind_at(m, i);
            t->alike[i] = i > m->cells.start[c] && t->kind[i] == t->kind[i - 1] ? t->alike[i - 1] : i;
        }
}

static covey_status copy_codes(const struct making *m, covey_arena *arena, covey_error *err)
{
    covey_peel_table *t = m->t;
    uint32_t *codes = covey_arena_array_zero(arena, uint32_t, m->cells.n * t->width);

    if (!codes)
        return covey_i_no_memory(err);
    for (size_t a = 0; a < t->n_axes; a++)
        for (uint32_t c = 0; c < m->cells.n; c++)
            codes[c * t->width + a] = covey_i_row_cells_code(&m->cells.axis[a], c);
    t->codes = codes;
    t->n_cells = m->cells.n;
    return COVEY_OK;
}

/* t->row as the sort left it; what it was sorted by is known as long as that is still so. */
static covey_status sort_all(struct making *m, const covey_run *run, covey_error *err)
{
    covey_peel_table *t = m->t;
    const covey_status status = covey_i_start_sorted(&m->sorted, t->problem, run, err);

    t->row = m->sorted.rows;
    t->n_rows = m->sorted.n;
    if (status != COVEY_OK || starts_by_kind(t))
        return status;
    covey_i_free(m->sorted.packed);
    m->sorted.packed = NULL;
    return covey_i_peel_sort_rows(t->row, t->n_rows, t, false, run, err);
}

static covey_status make_lots(struct making *m, bool single, covey_arena *arena, covey_arena *scratch,
                              const covey_run *run, covey_error *err)
{
    covey_peel_table *t = m->t;

    COVEY_TRY(sort_all(m, run, err));
    COVEY_TRY(covey_i_row_cells_new(&m->cells, t->problem, &m->sorted, false, scratch, run, err));
    COVEY_TRY(t->n_used > 1 ? number_combinations(m, arena, scratch, run, err) : covey_i_peel_kinds_new(t, arena, err));
    COVEY_TRY(copy_codes(m, arena, err));
    if (single)
        COVEY_TRY(covey_i_peel_crowds_apart(t, &m->cells, err));
    COVEY_TRY(covey_i_peel_lots_reserve(t, single ? t->n_rows : count_lots(m), single, err));
    if (single)
        fill_single(m);
    else
        fill_whole(m);
    return COVEY_OK;
}

covey_status covey_i_peel_lots_new(covey_peel_table *t, bool single, covey_arena *arena, const covey_run *run,
                                   covey_error *err)
{
    struct making m = {.t = t};
    covey_arena scratch = COVEY_ARENA_INIT;
    covey_status status;

    if (!single && covey_i_peel_can_count(t)) {
        bool suffices;

        COVEY_TRY(covey_i_peel_count_lots(&suffices, t, arena, run, err));
        if (suffices)
            return COVEY_OK;
    }
    status = make_lots(&m, single, arena, &scratch, run, err);
    covey_i_free(m.sorted.packed);
    covey_arena_free(&scratch);
    return status;
}

/* --- splitting --- */

static bool grow(uint32_t **array, uint32_t n)
{
    uint32_t *grown = covey_i_realloc(*array, n, sizeof *grown);

    *array = grown ? grown : *array;
    return grown != NULL;
}

static covey_status make_room(covey_peel *p, covey_error *err)
{
    covey_peel_table *t = p->splits;
    const uint32_t n = t->lots_capacity + t->lots_capacity / 2 + 64;

    if (t->n_lots < t->lots_capacity)
        return COVEY_OK;
    if (!grow(&t->cell, n) || !grow(&t->kind, n) || !grow(&t->alike, n) || !grow(&t->first, n) || !grow(&t->size, n) ||
        !grow(&p->class_of, n) || !grow(&p->next, n) || !grow(&p->before, n))
        return covey_i_no_memory(err);
    t->lots_capacity = n;
    return COVEY_OK;
}

covey_status covey_i_peel_split(uint32_t *out, covey_peel *p, uint32_t lot, uint32_t n, covey_error *err)
{
    covey_peel_table *t = p->splits;
    uint32_t new, next;

    COVEY_TRY(make_room(p, err));
    new = t->n_lots++;
    t->cell[new] = t->cell[lot];
    t->kind[new] = t->kind[lot];
    t->alike[new] = t->alike[lot];
    t->first[new] = t->first[lot];
    t->size[new] = n;
    t->first[lot] += n;
    t->size[lot] -= n;
    if ((p->class_of[new] = p->class_of[lot]) != COVEY_PEEL_NONE) { /* behind the lot it was part of */
        next = p->next[lot];
        p->before[new] = lot;
        p->next[new] = next;
        p->next[lot] = new;
        if (next != COVEY_PEEL_NONE)
            p->before[next] = new;
        p->class[p->class_of[new]].rows_hash ^= covey_i_peel_row_hash(new);
    }
    *out = new;
    return COVEY_OK;
}

/* --- back to rows --- */

struct assigning {
    const covey_peel_table *t;
    const uint32_t *class_of;
    uint32_t *class_of_row;
};

static covey_status assign_lots(void *context, size_t chunk, covey_error *err)
{
    const struct assigning *s = context;
    const covey_peel_table *t = s->t;
    const uint32_t begin = (uint32_t)(chunk * ASSIGN_CHUNK),
                   end = t->n_lots - begin > ASSIGN_CHUNK ? begin + ASSIGN_CHUNK : t->n_lots;

    for (uint32_t lot = begin; lot < end; lot++) {
        const uint32_t first = covey_i_peel_first(t, lot), n = covey_i_peel_size(t, lot), class = s->class_of[lot];

        for (uint32_t i = 0; i < n; i++)
            s->class_of_row[t->row[first + i]] = class;
    }
    return COVEY_OK;
}

covey_status covey_i_peel_class_of_rows(uint32_t **out, uint32_t *n_classes, covey_peel_table *t,
                                        const uint32_t *class_of, const covey_run *run, covey_error *err)
{
    struct assigning s = {.t = t, .class_of = class_of};
    covey_status status;

    if (!t->row)
        return covey_i_peel_class_of_counted(out, t, class_of, run, err);
    if (!(s.class_of_row = covey_i_array_full(t->problem->n_rows, sizeof *s.class_of_row)))
        return covey_i_no_memory(err);
    memset(s.class_of_row, 0xff, t->problem->n_rows * sizeof *s.class_of_row);
    status = covey_i_parallel(covey_run_threads(run), ((size_t)t->n_lots + ASSIGN_CHUNK - 1) / ASSIGN_CHUNK,
                              assign_lots, &s, err);
    if (status == COVEY_OK)
        status = covey_i_peel_crowds_return(s.class_of_row, n_classes, t, class_of, err);
    if (status == COVEY_OK)
        *out = s.class_of_row;
    else
        covey_i_free(s.class_of_row);
    return status;
}
