/* How many rows of a transformed release satisfy a condition that speaks of the sensitive column.
 *
 * Rows of a group fall into types by the set of atoms that would make the condition true for them, its entries into
 * kinds by the atoms of the values in their nodes.  A row can be true with an entry whose atoms meet its type, and
 * false with one that has others.  Which entries are the rows', in what order, and which of their values is free: so
 * the largest count is a largest matching of rows and entries that can make them true, and the least is what is left
 * after one of rows and entries that can make them false; there are no fewer entries than rows, so that every matching
 * can be filled up. Groups are independent: their bounds add up, and both are attained.  For c rows of one type, a of L
 * entries wholly inside and b touching it, that is max(0, c - (L - a)) and min(c, b).
 *
 * A row of a group looks like the group's target, so that each is true with the chance of its type there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort/compare.h"
#include "query/matching.h"
#include "query/transformed/targets.h"

enum { MOST_SHARES = 1024 }; /* that are remembered; a power of two */
#define NONE UINT32_MAX

/* Chance that a value of a target is one of these. */
struct share {
    uint64_t accepts;
    uint32_t target; /* NONE: nothing is remembered here */
    double chance;
};

struct covey_target_counting {
    const covey_query_targets *s;
    const covey_row_scan *scan;
    uint64_t *atoms; /* [lines] */
    double *chance;  /* [lines] of leaves */
    uint32_t n_kinds;
    uint64_t *holds;        /* [n_kinds] different sets of atoms */
    uint32_t *kind_of_line; /* [lines] */
    uint32_t *place;        /* [n_kinds] among those of the group that is being looked at; NONE */
    covey_matching group;
    int64_t n_full;      /* its rows that every value makes true */
    uint64_t all;        /* every atom */
    struct share *share; /* [MOST_SHARES] */
    covey_query_figures *out;
};

/* --- nodes --- */

uint64_t *covey_i_target_atoms(const covey_query_targets *s, const covey_query_release *release,
                               const covey_condition_attribute *sensitive, covey_arena *arena)
{
    const covey_opened_transformed *t = s->t;
    const covey_column *text = release->column[s->rows.sensitive].text;
    uint64_t *atoms = covey_arena_array_zero(arena, uint64_t, t->targets->n_rows);

    for (uint32_t i = t->targets->n_rows; atoms && i-- > 0;) {
        if (t->line[i].end == i + 1) {
            const covey_atom_list list = covey_i_condition_list(sensitive, covey_i_code_at(text, i));

            for (uint32_t j = 0; j < list.n; j++)
                atoms[i] |= UINT64_C(1) << list.share[j].atom;
        }
        if (t->line[i].parent != i)
            atoms[t->line[i].parent] |= atoms[i];
    }
    return atoms;
}

/* Numbers the different sets of atoms. */
static covey_status find_kinds(covey_target_counting *a, covey_arena *arena, covey_error *err)
{
    const uint32_t n = a->s->t->targets->n_rows;

    a->holds = covey_arena_array(arena, uint64_t, n);
    a->kind_of_line = covey_arena_array(arena, uint32_t, n);
    a->place = covey_arena_array(arena, uint32_t, n);
    if (!a->holds || !a->kind_of_line || !a->place)
        return covey_i_no_memory(err);
    if (n > 0)
        memcpy(a->holds, a->atoms, n * sizeof *a->holds);
    qsort(a->holds, n, sizeof *a->holds, covey_i_compare_u64);
    for (uint32_t i = 0; i < n; i++)
        if (a->n_kinds == 0 || a->holds[a->n_kinds - 1] != a->holds[i])
            a->holds[a->n_kinds++] = a->holds[i];
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *found = bsearch(&a->atoms[i], a->holds, a->n_kinds, sizeof *a->holds, covey_i_compare_u64);

        a->kind_of_line[i] = (uint32_t)(found - a->holds);
    }
    for (uint32_t k = 0; k < a->n_kinds; k++)
        a->place[k] = NONE;
    return COVEY_OK;
}

static covey_status find_chances(covey_target_counting *a, covey_arena *arena, covey_error *err)
{
    const covey_opened_transformed *t = a->s->t;
    const covey_column *text =
        covey_i_opened_text(t->targets, 4); /* the audit has found it to follow from the weights */

    a->chance = covey_arena_array_zero(arena, double, t->targets->n_rows);
    a->share = covey_arena_array(arena, struct share, MOST_SHARES);
    if (!a->chance || !a->share)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < t->targets->n_rows; i++)
        if (t->line[i].end == i + 1)
            a->chance[i] = strtod(covey_column_label(text, covey_i_code_at(text, i)), NULL);
    for (uint32_t i = 0; i < MOST_SHARES; i++)
        a->share[i].target = NONE;
    return COVEY_OK;
}

/* Many groups ask the same of the same target. */
static double share_of(const covey_target_counting *a, uint32_t target, uint64_t accepts)
{
    const covey_opened_table *targets = a->s->t->targets;
    const uint64_t hash = (accepts * UINT64_C(0x9e3779b97f4a7c15) ^ target) * UINT64_C(0xff51afd7ed558ccd);
    struct share *share = &a->share[hash >> 32 & (MOST_SHARES - 1)];

    if (share->target == target && share->accepts == accepts)
        return share->chance;
    *share = (struct share){accepts, target, 0};
    for (uint32_t i = targets->class_start[target]; i < targets->class_start[target + 1]; i++)
        share->chance += a->atoms[i] & accepts ? a->chance[i] : 0;
    return share->chance;
}

/* --- groups --- */

static void list_kinds(covey_target_counting *a, uint32_t g)
{
    const covey_opened_transformed *t = a->s->t;
    covey_matching *m = &a->group;

    m->n_kinds = 0;
    for (uint32_t e = t->entries->class_start[g]; e < t->entries->class_start[g + 1]; e++) {
        uint32_t *place = &a->place[a->kind_of_line[t->line_of_entry[e]]];

        if (*place == NONE) {
            *place = m->n_kinds++;
            m->holds[*place] = a->atoms[t->line_of_entry[e]];
            m->n_values[*place] = 0;
        }
        m->n_values[*place] += t->count[e];
    }
    for (uint32_t e = t->entries->class_start[g]; e < t->entries->class_start[g + 1]; e++)
        a->place[a->kind_of_line[t->line_of_entry[e]]] = NONE;
}

static covey_status close_group(covey_target_counting *a, uint32_t g, covey_error *err)
{
    covey_matching *m = &a->group;
    int64_t n_partial = 0, most_true = 0, most_false = 0;

    for (uint32_t type = 0; type < m->n_types; type++) {
        n_partial += m->n_rows[type];
        a->out->estimate += (double)m->n_rows[type] * share_of(a, a->s->t->target_of_group[g], m->accepts[type]);
    }
    if (m->n_types > 0) {
        list_kinds(a, g);
        COVEY_TRY(covey_i_matching_largest(&most_true, m, 0, err));
        COVEY_TRY(covey_i_matching_largest(&most_false, m, a->all, err));
    }
    a->out->lower.num += a->n_full + n_partial - most_false;
    a->out->upper.num += a->n_full + most_true;
    a->out->estimate += (double)a->n_full;
    m->n_types = 0;
    a->n_full = 0;
    return COVEY_OK;
}

static covey_status add_row(covey_target_counting *a, uint64_t accepts, covey_error *err)
{
    uint32_t type;

    if (accepts == 0)
        return COVEY_OK;
    if (accepts == a->all) {
        a->n_full++;
        return COVEY_OK;
    }
    if ((type = covey_i_matching_type(&a->group, accepts)) == COVEY_MATCHING_MOST_TYPES)
        return covey_fail(err, COVEY_EINVAL,
                          "query: the condition makes rows of a group true by too many different values");
    a->group.n_rows[type]++;
    return COVEY_OK;
}

static covey_status add_rows(covey_target_counting *a, const covey_query_rows *rows, covey_error *err)
{
    uint64_t accepts[COVEY_SCAN_BLOCK];
    const uint32_t *start = a->s->rows.row_start;
    uint32_t g = 0;

    for (uint32_t at = 0; at < rows->n; at += COVEY_SCAN_BLOCK) {
        const uint32_t n = rows->n - at < COVEY_SCAN_BLOCK ? rows->n - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, a->scan, rows->row ? rows->row + at : NULL, at, n);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t row = rows->row ? rows->row[at + i] : at + i;

            if (row >= start[g + 1]) {
                COVEY_TRY(close_group(a, g, err));
                while (row >= start[g + 1])
                    g++;
            }
            COVEY_TRY(add_row(a, accepts[i], err));
        }
    }
    return rows->n > 0 ? close_group(a, g, err) : COVEY_OK;
}

covey_status covey_i_target_counting_make(covey_target_counting **out, const covey_query_targets *s,
                                          const covey_query_release *release, const covey_row_scan *scan,
                                          covey_arena *arena, covey_error *err)
{
    covey_target_counting *a = covey_arena_array_zero(arena, covey_target_counting, 1);

    if (!a || !(a->atoms = covey_i_target_atoms(s, release, &scan->condition->attribute[scan->sensitive], arena)))
        return covey_i_no_memory(err);
    a->s = s;
    a->scan = scan;
    a->all = covey_i_row_scan_all(scan);
    COVEY_TRY(find_kinds(a, arena, err));
    COVEY_TRY(find_chances(a, arena, err));
    COVEY_TRY(covey_i_matching_make(&a->group, a->n_kinds, arena, err));
    *out = a;
    return COVEY_OK;
}

covey_status covey_i_target_count(covey_query_figures *out, covey_target_counting *counting,
                                  const covey_query_rows *rows, covey_error *err)
{
    *out = (covey_query_figures){{true, 0, 1}, {true, 0, 1}, 0, NAN, {0}};
    counting->out = out;
    return add_rows(counting, rows, err);
}
