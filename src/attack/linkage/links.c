/* Which class each row of the original went to: so is checked what an adversary concludes about a row.
 *
 * A release does not say it.  Where classes do not overlap it follows; where they do, rows are dealt out so that all
 * classes are filled, which is one of the ways in which the release can have come about. */
#include "attack/linkage/links.h"

#include "attack/published.h"
#include "attack/slices.h"

#include "base/error.h"
#include "base/sort/sort.h"
#include "reader/points/assign.h"
#include "reader/transformed/transformed.h"

#define NONE UINT32_MAX

/* Rows by two numbers, the first of which counts more. */
static covey_status sort_rows(uint32_t **out, const uint32_t *first, const uint32_t *second, uint32_t n_second,
                              uint32_t n_rows, covey_arena *arena, covey_error *err)
{
    uint32_t *row = covey_arena_array(arena, uint32_t, n_rows), *scratch = covey_arena_array(arena, uint32_t, n_rows);
    uint64_t *key = covey_arena_array(arena, uint64_t, n_rows);

    if (!row || !scratch || !key)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_rows; i++) {
        row[i] = i;
        key[i] = (uint64_t)first[i] * n_second + second[i];
    }
    covey_i_sort_rows_u64(row, scratch, n_rows, key);
    *out = row;
    return COVEY_OK;
}

/* --- classes with ranges: one sensitive value after another --- */

struct dealing {
    covey_attacked *release;
    covey_attack_target *target;
    const covey_points *points;
    uint32_t *row;         /* [n rows] by value, then by point */
    uint32_t *first_entry; /* [n_values + 1] into entry_class */
    uint32_t *entry_class; /* classes by value */
    int64_t *entry_n;
};

static covey_status list_entries(struct dealing *d, covey_arena *arena, covey_error *err)
{
    const covey_attack_target *t = d->target;
    const uint32_t n_classes = t->n_classes - t->has_suppressed;
    uint32_t *next;

    d->first_entry = covey_arena_array_zero(arena, uint32_t, (size_t)t->n_values + 1);
    next = covey_arena_array(arena, uint32_t, t->n_values);
    d->entry_class = covey_arena_array(arena, uint32_t, t->start[n_classes]);
    d->entry_n = covey_arena_array(arena, int64_t, t->start[n_classes]);
    if (!d->first_entry || !next || !d->entry_class || !d->entry_n)
        return covey_i_no_memory(err);
    for (uint32_t e = 0; e < t->start[n_classes]; e++)
        d->first_entry[t->entry[e].value + 1]++;
    for (uint32_t v = 0; v < t->n_values; v++) {
        next[v] = d->first_entry[v];
        d->first_entry[v + 1] += d->first_entry[v];
    }
    for (uint32_t c = 0; c < n_classes; c++)
        for (uint32_t e = t->start[c]; e < t->start[c + 1]; e++) {
            d->entry_class[next[t->entry[e].value]] = c;
            d->entry_n[next[t->entry[e].value]++] = t->entry[e].n;
        }
    return COVEY_OK;
}

/* Different points of rows[begin .. end-1], and the classes that have the value. */
static covey_status make_assignment(covey_assignment *a, const struct dealing *d, uint32_t value, uint32_t begin,
                                    uint32_t end, covey_arena *arena, covey_error *err)
{
    const covey_opened *opened = d->release->opened;
    uint32_t *coordinate = covey_arena_array(arena, uint32_t, (end - begin) * a->n_dims);

    a->n_entries = d->first_entry[value + 1] - d->first_entry[value];
    a->supply = covey_arena_array(arena, uint32_t, end - begin);
    a->need = covey_arena_array(arena, uint32_t, a->n_entries);
    a->box = covey_arena_array(arena, const covey_cover *, a->n_entries * a->n_dims);
    if (!coordinate || !a->supply || !a->need || !a->box)
        return covey_i_no_memory(err);
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t point = d->points->point_of_row[d->row[i]];

        if (i > begin && d->points->point_of_row[d->row[i - 1]] == point) {
            a->supply[a->n_points - 1]++;
            continue;
        }
        for (size_t q = 0; q < a->n_dims; q++)
            coordinate[a->n_points * a->n_dims + q] = d->points->coordinate[point * a->n_dims + q];
        a->supply[a->n_points++] = 1;
    }
    a->coordinate = coordinate;
    for (uint32_t e = 0; e < a->n_entries; e++) {
        const uint32_t class = d->entry_class[d->first_entry[value] + e];

        a->need[e] = (uint32_t)d->entry_n[d->first_entry[value] + e];
        for (size_t q = 0; q < a->n_dims; q++)
            a->box[e * a->n_dims + q] = &d->release->original->column[opened->quasi[q]]
                                             .cover[opened->column[opened->quasi[q]].class_cell[class]];
    }
    return COVEY_OK;
}

static covey_status deal_value(const struct dealing *d, uint32_t value, uint32_t begin, uint32_t end,
                               covey_arena *arena, covey_error *err)
{
    covey_arena_mark mark = covey_arena_save(arena);
    covey_assignment a = {.n_dims = d->points->n_dims};

    COVEY_TRY(make_assignment(&a, d, value, begin, end, arena, err));
    COVEY_TRY(covey_i_assign(&a, arena, err));
    for (uint32_t p = 0, i = begin; a.first_share && p < a.n_points; p++) {
        const uint32_t point = d->points->point_of_row[d->row[i]];

        for (uint32_t s = 0; s < a.n_shares[p]; s++)
            for (uint32_t n = a.share[a.first_share[p] + s].amount; n > 0; n--) {
                d->target->class_of_row[d->row[i++]] =
                    d->entry_class[d->first_entry[value] + a.share[a.first_share[p] + s].entry];
                d->target->n_linked++;
            }
        while (i < end && d->points->point_of_row[d->row[i]] == point)
            i++;
    }
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

static covey_status deal_all(covey_attacked *r, covey_attack_target *t, const covey_points *points, covey_arena *arena,
                             covey_error *err)
{
    struct dealing d = {.release = r, .target = t, .points = points};
    const uint32_t n_rows = r->original->n_rows;

    COVEY_TRY(sort_rows(&d.row, t->value_of_row, points->point_of_row, points->n, n_rows, arena, err));
    COVEY_TRY(list_entries(&d, arena, err));
    for (uint32_t begin = 0, end; begin < n_rows; begin = end) {
        const uint32_t value = t->value_of_row[d.row[begin]];

        for (end = begin + 1; end < n_rows && t->value_of_row[d.row[end]] == value;)
            end++;
        if (value != NONE)
            COVEY_TRY(deal_value(&d, value, begin, end, arena, err));
    }
    return COVEY_OK;
}

/* --- groups with exact quasi-identifiers: one group after another --- */

/* Rows of one point with one value. */
struct run {
    uint32_t value, begin, left;
};

struct matching {
    covey_attack_target *target;
    uint32_t *row;       /* [n rows] by point, then by value */
    uint32_t *first_run; /* [n_points + 1] */
    struct run *run;
    /* The group. */
    uint32_t n;                     /* its rows */
    const uint32_t *point;          /* [n] of its rows */
    uint32_t *run_of;               /* [n] taken; NONE: none */
    const covey_class_value *entry; /* its values */
    uint32_t *place;                /* [n_values] index of a value among entry; NONE: the group does not have it */
    uint32_t *used;                 /* of each entry */
    uint32_t *seen;                 /* of each entry: the row for which it was last tried */
};

enum { MOST_AUGMENTED = 512 }; /* rows of a group; larger ones are dealt out greedily */

/* May the row have a value that is free, or that another row of the group can do without? */
static bool find_value(struct matching *m, uint32_t i, uint32_t for_row)
{
    for (uint32_t r = m->first_run[m->point[i]]; r < m->first_run[m->point[i] + 1]; r++) {
        const uint32_t p = m->place[m->run[r].value];

        if (p == NONE || m->run[r].left == 0 || m->seen[p] == for_row)
            continue;
        m->seen[p] = for_row;
        if (m->used[p] == m->entry[p].n) {
            bool freed = false;

            for (uint32_t j = 0; j < m->n && !freed && m->n <= MOST_AUGMENTED; j++)
                if (m->run_of[j] != NONE && m->place[m->run[m->run_of[j]].value] == p) {
                    const uint32_t old = m->run_of[j];

                    if ((freed = find_value(m, j, for_row))) {
                        m->run[old].left++;
                        m->used[p]--;
                    }
                }
            if (!freed)
                continue;
        }
        m->run[r].left--;
        m->run_of[i] = r;
        m->used[p]++;
        return true;
    }
    return false;
}

static void match_group(struct matching *m, uint32_t group)
{
    const uint32_t begin = m->target->start[group], n_entries = m->target->start[group + 1] - begin;

    m->entry = m->target->entry + begin;
    for (uint32_t e = 0; e < n_entries; e++) {
        m->place[m->entry[e].value] = e;
        m->used[e] = 0;
        m->seen[e] = NONE;
    }
    for (uint32_t i = 0; i < m->n; i++)
        m->run_of[i] = NONE;
    for (uint32_t i = 0; i < m->n; i++)
        if (m->point[i] != NONE)
            find_value(m, i, i);
    for (uint32_t i = 0; i < m->n; i++)
        if (m->run_of[i] != NONE) {
            struct run *run = &m->run[m->run_of[i]];

            m->target->class_of_row[m->row[run->begin++]] = group;
            m->target->n_linked++;
        }
    for (uint32_t e = 0; e < n_entries; e++)
        m->place[m->entry[e].value] = NONE;
}

static covey_status list_runs(struct matching *m, const covey_points *points, uint32_t n_rows, covey_arena *arena,
                              covey_error *err)
{
    uint32_t n = 0, i = 0;

    m->first_run = covey_arena_array(arena, uint32_t, (size_t)points->n + 1);
    m->run = covey_arena_array(arena, struct run, n_rows);
    if (!m->first_run || !m->run)
        return covey_i_no_memory(err);
    for (uint32_t p = 0; p < points->n; p++) {
        m->first_run[p] = n;
        for (const uint32_t end = i + points->n_rows[p]; i < end; i++) {
            const uint32_t value = m->target->value_of_row[m->row[i]];

            if (value == NONE)
                continue;
            if (n > m->first_run[p] && m->run[n - 1].value == value)
                m->run[n - 1].left++;
            else
                m->run[n++] = (struct run){value, i, 1};
        }
    }
    m->first_run[points->n] = n;
    return COVEY_OK;
}

static covey_status match_all(covey_attacked *r, covey_attack_target *t, const covey_points *points, covey_arena *arena,
                              covey_error *err)
{
    struct matching m = {.target = t};
    const uint32_t *point;
    uint32_t most = 0;

    COVEY_TRY(sort_rows(&m.row, points->point_of_row, t->value_of_row, UINT32_MAX, r->original->n_rows, arena, err));
    COVEY_TRY(list_runs(&m, points, r->original->n_rows, arena, err));
    COVEY_TRY(covey_i_attack_published_points(&point, r, err));
    for (uint32_t g = 0; g < r->opened->n_classes; g++)
        if (r->opened->class_start[g + 1] - r->opened->class_start[g] > most)
            most = r->opened->class_start[g + 1] - r->opened->class_start[g];
    m.run_of = covey_arena_array(arena, uint32_t, most);
    m.place = covey_arena_array(arena, uint32_t, t->n_values);
    m.used = covey_arena_array(arena, uint32_t, t->n_values);
    m.seen = covey_arena_array(arena, uint32_t, t->n_values);
    if (!m.run_of || !m.place || !m.used || !m.seen)
        return covey_i_no_memory(err);
    for (uint32_t v = 0; v < t->n_values; v++)
        m.place[v] = NONE;
    for (uint32_t g = 0; g < r->opened->n_classes; g++) {
        m.point = point + r->opened->class_start[g];
        m.n = r->opened->class_start[g + 1] - r->opened->class_start[g];
        match_group(&m, g);
    }
    return COVEY_OK;
}

/* --- groups with targets --- */

/* Whose quasi-identifiers stand in groups of one target only, has that target; of others it is not known. */
static covey_status find_groups(covey_attacked *r, covey_attack_target *t, const covey_points *points,
                                covey_arena *arena, covey_error *err)
{
    const covey_opened_transformed *form = r->opened->form_data;
    uint32_t *target = covey_arena_array(arena, uint32_t, points->n);
    bool *several = covey_arena_array_zero(arena, bool, points->n);
    const uint32_t *published;

    COVEY_TRY(covey_i_attack_published_points(&published, r, err));
    if (!target || !several)
        return covey_i_no_memory(err);
    for (uint32_t p = 0; p < points->n; p++)
        target[p] = NONE;
    for (uint32_t g = 0; g < r->opened->n_classes; g++)
        for (uint32_t line = r->opened->class_start[g]; line < r->opened->class_start[g + 1]; line++) {
            const uint32_t p = published[line];

            if (p == NONE)
                continue;
            several[p] = several[p] || (target[p] != NONE && target[p] != form->target_of_group[g]);
            target[p] = form->target_of_group[g];
        }
    for (uint32_t row = 0; row < r->original->n_rows; row++) {
        const uint32_t p = points->point_of_row[row];

        if (target[p] == NONE || several[p])
            continue;
        t->class_of_row[row] = target[p];
        t->n_linked++;
    }
    return COVEY_OK;
}

covey_status covey_i_attack_link(covey_attacked *r, covey_attack_target *t, covey_error *err)
{
    const covey_points *points;
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status;

    if (t->class_of_row)
        return COVEY_OK;
    COVEY_TRY(covey_i_attack_points_of(&points, r, err));
    if (!(t->class_of_row = covey_arena_array(&r->arena, uint32_t, r->original->n_rows)))
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < r->original->n_rows; row++)
        t->class_of_row[row] = r->class_of_row ? r->class_of_row[row] : NONE;
    if (r->class_of_row) {
        for (uint32_t row = 0; row < r->original->n_rows; row++)
            t->n_linked += t->class_of_row[row] != NONE;
        return COVEY_OK;
    }
    switch (r->form) {
    case COVEY_ATTACKED_BUCKETIZED:
        status = match_all(r, t, points, &arena, err);
        break;
    case COVEY_ATTACKED_TRANSFORMED:
        status = find_groups(r, t, points, &arena, err);
        break;
    case COVEY_ATTACKED_SLICED:
        status = covey_i_attack_slice_link(r, t, &arena, err);
        break;
    default:
        status = deal_all(r, t, points, &arena, err);
    }
    covey_arena_free(&arena);
    return status;
}
