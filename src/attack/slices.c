/* Finding the buckets that rows of the original match.  Source: [LiLiZhangMolloy12] section 4 (matching buckets). */
#include "attack/slices.h"

#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/sort/find.h"
#include "base/sort/sort.h"
#include "reader/sliced/sliced.h"

static const int64_t MOST_STEPS = 400000000; /* of looking for buckets: some seconds */

/* --- sets of pieces --- */

static bool agree(const covey_opened_slice *slice, size_t n_beside, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < n_beside; i++)
        if (covey_i_code_at(slice->column[i]->text, a) != covey_i_code_at(slice->column[i]->text, b))
            return false;
    return true;
}

covey_status covey_i_attack_slice_sets(uint32_t *n_out, uint32_t **start_out, uint32_t **bucket_out, covey_attacked *r,
                                       const covey_opened_view *view, covey_error *err)
{
    const covey_opened *o = r->opened;
    const covey_opened_slices *slices = o->form_data;
    const covey_opened_slice *slice = &slices->slice[covey_i_slices_holding(slices, view)];
    const size_t n_beside = covey_i_slice_n_beside(o, slice);
    uint32_t *start = covey_arena_array(&r->arena, uint32_t, (size_t)o->n_rows + 1),
             *bucket = covey_arena_array(&r->arena, uint32_t, o->n_rows), n = 0;

    if (!start || !bucket)
        return covey_i_no_memory(err);
    for (uint32_t b = 0; b < o->n_classes; b++)
        for (uint32_t line = o->class_start[b]; line < o->class_start[b + 1]; line++)
            if (line == o->class_start[b] || !agree(slice, n_beside, line - 1, line)) {
                start[n] = line;
                bucket[n++] = b;
            }
    start[n] = o->n_rows;
    *n_out = n;
    *start_out = start;
    *bucket_out = bucket;
    return COVEY_OK;
}

/* --- pieces and the buckets that have them --- */

/* One column.  A piece's number says nothing but whether two are the same. */
struct column {
    uint32_t *of_row; /* [rows of the original] piece */
    uint32_t n;       /* pieces */
    uint32_t *first;  /* [n + 1] into the following: the buckets that have the piece, ascending */
    uint32_t *bucket;
    uint32_t *left; /* how often it stands there, less the rows that were dealt it */
    uint32_t *line; /* the first line with it */
};

struct matching {
    covey_attacked *release;
    covey_attack_target *target;
    size_t n;
    struct column *column;
    size_t holding;        /* the column with the target's attribute */
    uint32_t *set_of_line; /* of it */
    uint32_t *row;         /* [rows of the original] by their pieces */
    uint32_t n_kinds;
    uint32_t *kind;  /* [n_kinds + 1] first place in row of rows whose pieces are the same */
    uint32_t *order; /* [n_kinds] */
    uint32_t *place; /* [n] scratch: of a bucket in each column's list */
    int64_t steps;
};

/* Codes of one attribute: of the published lines, then of the rows. */
static void list_codes(uint32_t *code, const covey_attacked *r, const covey_opened_slice *slice, size_t a)
{
    const covey_original_column *column = &r->original->column[slice->attribute[a]];

    for (uint32_t line = 0; line < r->opened->n_rows; line++)
        code[line] = column->value_of_cell[covey_i_slice_code(slice, a, line)];
    for (uint32_t row = 0; row < r->original->n_rows; row++)
        code[r->opened->n_rows + row] = covey_i_code_at(column->column, row);
}

static void add_line(struct column *c, uint32_t line, uint32_t bucket)
{
    const uint32_t at = c->first[c->n];

    if (at > c->first[c->n - 1] && c->bucket[at - 1] == bucket) {
        c->left[at - 1]++;
        return;
    }
    c->bucket[at] = bucket;
    c->left[at] = 1;
    c->line[at] = line;
    c->first[c->n]++;
}

static covey_status new_column(struct column *c, uint32_t n_lines, uint32_t n_rows, covey_arena *arena,
                               covey_error *err)
{
    c->of_row = covey_arena_array(arena, uint32_t, n_rows);
    c->first = covey_arena_array_zero(arena, uint32_t, (size_t)n_lines + n_rows + 1);
    c->bucket = covey_arena_array(arena, uint32_t, n_lines);
    c->left = covey_arena_array(arena, uint32_t, n_lines);
    c->line = covey_arena_array(arena, uint32_t, n_lines);
    return c->of_row && c->first && c->bucket && c->left && c->line ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status number_pieces(struct column *c, const covey_attacked *r, const covey_opened_slice *slice,
                                  const uint32_t *bucket_of_line, covey_arena *arena, covey_error *err)
{
    const uint32_t n_lines = r->opened->n_rows, n_all = n_lines + r->original->n_rows;
    uint32_t **code = covey_arena_array(arena, uint32_t *, slice->n), *all = covey_arena_array(arena, uint32_t, n_all);
    uint32_t *scratch = covey_arena_array(arena, uint32_t, n_all);

    if (!code || !all || !scratch)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_all; i++)
        all[i] = i;
    for (size_t a = 0; a < slice->n; a++) {
        if (!(code[a] = covey_arena_array(arena, uint32_t, n_all)))
            return covey_i_no_memory(err);
        list_codes(code[a], r, slice, a);
        covey_i_sort_rows_u32(all, scratch, n_all, code[a]);
    }
    for (uint32_t i = 0; i < n_all; i++) {
        bool same = i > 0;

        for (size_t a = 0; a < slice->n && same; a++)
            same = code[a][all[i]] == code[a][all[i - 1]];
        if (!same) {
            c->n++;
            c->first[c->n] = c->first[c->n - 1];
        }
        if (all[i] < n_lines) /* lines come before rows, in their order: the sort is stable */
            add_line(c, all[i], bucket_of_line[all[i]]);
        else
            c->of_row[all[i] - n_lines] = c->n - 1;
    }
    return COVEY_OK;
}

static covey_status number_columns(struct matching *m, covey_arena *arena, covey_error *err)
{
    const covey_opened *o = m->release->opened;
    const covey_opened_slices *slices = o->form_data;
    uint32_t *bucket_of_line = covey_arena_array(arena, uint32_t, o->n_rows);

    m->n = slices->n;
    m->column = covey_arena_array_zero(arena, struct column, m->n);
    if (!bucket_of_line || !m->column)
        return covey_i_no_memory(err);
    for (uint32_t b = 0; b < o->n_classes; b++)
        for (uint32_t line = o->class_start[b]; line < o->class_start[b + 1]; line++)
            bucket_of_line[line] = b;
    for (size_t j = 0; j < m->n; j++) {
        covey_arena scratch = COVEY_ARENA_INIT;
        covey_status status = new_column(&m->column[j], o->n_rows, m->release->original->n_rows, arena, err);

        if (status == COVEY_OK)
            status = number_pieces(&m->column[j], m->release, &slices->slice[j], bucket_of_line, &scratch, err);
        covey_arena_free(&scratch);
        COVEY_TRY(status);
    }
    return COVEY_OK;
}

/* --- rows of the same pieces --- */

static covey_status list_kinds(struct matching *m, covey_arena *arena, covey_error *err)
{
    const uint32_t n_rows = m->release->original->n_rows;
    uint32_t *scratch = covey_arena_array(arena, uint32_t, n_rows);

    m->row = covey_arena_array(arena, uint32_t, n_rows);
    m->kind = covey_arena_array(arena, uint32_t, (size_t)n_rows + 1);
    m->order = covey_arena_array(arena, uint32_t, n_rows);
    if (!scratch || !m->row || !m->kind || !m->order)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < n_rows; row++)
        m->row[row] = row;
    for (size_t j = 0; j < m->n; j++)
        covey_i_sort_rows_u32(m->row, scratch, n_rows, m->column[j].of_row);
    for (uint32_t i = 0; i < n_rows; i++) {
        bool same = i > 0;

        for (size_t j = 0; j < m->n && same; j++)
            same = m->column[j].of_row[m->row[i]] == m->column[j].of_row[m->row[i - 1]];
        if (!same) {
            m->order[m->n_kinds] = m->n_kinds;
            m->kind[m->n_kinds++] = i;
        }
    }
    m->kind[m->n_kinds] = n_rows;
    return covey_i_attack_shuffle(m->order, m->n_kinds, m->release->run, err);
}

/* Is the bucket among those that have the piece?  Then *place is where. */
static bool has_bucket(uint32_t *place, const struct column *c, uint32_t piece, uint32_t bucket)
{
    const uint32_t end = c->first[piece + 1];

    *place = covey_i_find_from(c->bucket, c->first[piece], end, bucket);
    return *place < end && c->bucket[*place] == bucket;
}

/* The column whose piece stands in the fewest buckets. */
static size_t rarest(const struct matching *m, uint32_t row)
{
    size_t best = 0;
    uint32_t fewest = UINT32_MAX;

    for (size_t j = 0; j < m->n; j++) {
        const uint32_t piece = m->column[j].of_row[row], n = m->column[j].first[piece + 1] - m->column[j].first[piece];

        if (n < fewest) {
            fewest = n;
            best = j;
        }
    }
    return best;
}

/* How many buckets have all pieces of a row, up to `most`; the first is left in m->place. */
static uint32_t count_buckets(struct matching *m, uint32_t row, uint32_t most)
{
    const size_t by = rarest(m, row);
    const struct column *c = &m->column[by];
    const uint32_t piece = c->of_row[row];
    uint32_t n = 0, first = UINT32_MAX;

    for (uint32_t i = c->first[piece]; i < c->first[piece + 1] && n < most; i++) {
        bool fits = true;

        for (size_t j = 0; j < m->n && fits; j++)
            fits = j == by || has_bucket(&m->place[j], &m->column[j], m->column[j].of_row[row], c->bucket[i]);
        m->steps += (int64_t)m->n;
        if (fits && n++ == 0)
            first = c->bucket[i];
    }
    for (size_t j = 0; j < m->n && n > 0; j++)
        has_bucket(&m->place[j], &m->column[j], m->column[j].of_row[row], first);
    return n;
}

/* The row goes to the bucket of m->place, if all its pieces are still to be had there. */
static bool take(struct matching *m, uint32_t row)
{
    const struct column *holding = &m->column[m->holding];

    for (size_t j = 0; j < m->n; j++)
        if (m->column[j].left[m->place[j]] == 0)
            return false;
    for (size_t j = 0; j < m->n; j++)
        m->column[j].left[m->place[j]]--;
    m->target->class_of_row[row] = m->set_of_line[holding->line[m->place[m->holding]]];
    m->target->n_linked++;
    return true;
}

/* Rows that only one bucket can have; open: several can. */
static void take_certain(struct matching *m, bool *open)
{
    for (uint32_t i = 0; i < m->n_kinds && m->steps < MOST_STEPS; i++) {
        const uint32_t k = m->order[i], n = count_buckets(m, m->row[m->kind[k]], 2);

        open[k] = n > 1;
        for (uint32_t at = m->kind[k]; n == 1 && at < m->kind[k + 1] && take(m, m->row[at]);)
            at++;
    }
}

static void take_open(struct matching *m, const bool *open)
{
    for (uint32_t i = 0; i < m->n_kinds && m->steps < MOST_STEPS; i++) {
        const uint32_t k = m->order[i], first = m->row[m->kind[k]];
        const struct column *c = &m->column[rarest(m, first)];
        uint32_t at = m->kind[k];

        for (uint32_t b = c->first[c->of_row[first]];
             open[k] && b < c->first[c->of_row[first] + 1] && at < m->kind[k + 1]; b++) {
            bool fits = true;

            for (size_t j = 0; j < m->n && fits; j++)
                fits = has_bucket(&m->place[j], &m->column[j], m->column[j].of_row[first], c->bucket[b]);
            m->steps += (int64_t)m->n;
            while (fits && at < m->kind[k + 1] && take(m, m->row[at]))
                at++;
        }
    }
}

covey_status covey_i_attack_slice_link(covey_attacked *r, covey_attack_target *t, covey_arena *arena, covey_error *err)
{
    struct matching m = {.release = r, .target = t, .holding = covey_i_slices_holding(r->opened->form_data, t->view)};
    bool *open;

    COVEY_TRY(number_columns(&m, arena, err));
    COVEY_TRY(list_kinds(&m, arena, err));
    m.set_of_line = covey_arena_array(arena, uint32_t, r->opened->n_rows);
    m.place = covey_arena_array(arena, uint32_t, m.n);
    open = covey_arena_array_zero(arena, bool, m.n_kinds);
    if (!m.set_of_line || !m.place || !open)
        return covey_i_no_memory(err);
    for (uint32_t s = 0, line = 0; s < t->n_classes - t->has_suppressed; s++)
        for (int64_t i = 0; i < t->rows[s]; i++)
            m.set_of_line[line++] = s;
    take_certain(&m, open);
    take_open(&m, open);
    return COVEY_OK;
}
