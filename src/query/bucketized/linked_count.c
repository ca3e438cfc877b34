/* How many rows satisfy a condition that speaks of the sensitive column, where rows and values of a group are linked in
 * an unknown way.
 *
 * Rows of a group fall into types by the set of values that would make the condition true for them.  Over all links of
 * rows and values the largest count is a largest matching of rows and values that fit; the least is what is left after
 * a largest matching of rows and values that do not fit.  Groups are independent, so their bounds add up, and both are
 * attained.  For one type of a rows and b fitting values in a group of g that is [max(0, a + b - g), min(a, b)].
 *
 * Under random links the expected count is the sum of n_t b_t / g.  For two rows of types t and u (t = u allowed) both
 * fit with probability (b_t b_u - b_tu) / (g (g - 1)), b_tu the values that fit both, which gives the variance; for one
 * type it is the hypergeometric a b (g - a)(g - b) / (g^2 (g - 1)). */
#include "query/bucketized/groups.h"

#include <math.h>
#include <string.h>

#include "query/class_units.h"
#include "query/matching.h"
#include "reader/units.h"

struct adding {
    const covey_query_groups *groups;
    const covey_row_scan *scan;
    const covey_condition_attribute *sensitive;
    covey_matching
        group; /* the one that is being looked at: types of rows that neither no nor every value fits, and atoms */
    int64_t n_full, size; /* its rows that every value fits; all its rows */
    uint64_t all;         /* every atom */
    int64_t lower, upper;
    double expected, variance;
    covey_selected_units *units; /* NULL: nobody asks */
};

/* --- estimates --- */

static double count_values(const covey_matching *m, uint64_t accepts)
{
    int64_t n = 0;

    for (uint32_t j = 0; j < m->n_kinds; j++)
        n += accepts & m->holds[j] ? m->n_values[j] : 0;
    return (double)n;
}

static void add_estimate(struct adding *a)
{
    const covey_matching *m = &a->group;
    double size = (double)a->size, expected = 0, variance = 0;

    for (uint32_t t = 0; t < m->n_types; t++) {
        double n = (double)m->n_rows[t], b = count_values(m, m->accepts[t]);

        expected += n * b / size;
        variance += n * b * (size - b) / (size * size);
        for (uint32_t u = 0; u < m->n_types && size > 1; u++) {
            double pairs = u == t ? n * (n - 1) : n * (double)m->n_rows[u], c = count_values(m, m->accepts[u]);
            double both = count_values(m, m->accepts[t] & m->accepts[u]);

            variance += pairs * ((b * c - both) / (size * (size - 1)) - b * c / (size * size));
        }
    }
    a->expected += expected + (double)a->n_full;
    a->variance += variance > 0 ? variance : 0;
}

/* --- units --- */

/* How many values of each kind the group has. */
static void count_kinds(struct adding *a, uint32_t group, int64_t rows_each)
{
    const covey_query_groups *b = a->groups;
    covey_matching *m = &a->group;

    memset(m->n_values, 0, m->n_kinds * sizeof *m->n_values);
    for (uint32_t e = b->entry_start[group]; e < b->entry_start[group + 1]; e++)
        m->n_values[a->sensitive->share[a->sensitive->start[b->cell[e]]].atom] += b->count[e] / rows_each;
}

/* A unit is selected if one of its rows is one that its value makes true.  The most: as many as have such a row of
 * their own.  The least: of those whose value makes h of the n rows true, floor((n - h) / r) at most have none of
 * these; and a row that every value makes true is somebody's. */
static covey_status add_units(struct adding *a, uint32_t group, covey_error *err)
{
    const covey_opened_units *units = a->groups->units;
    const int64_t each = units->largest[group], n_units = units->n_units[group];
    covey_matching *m = &a->group;
    int64_t most, least = (a->n_full + each - 1) / each, sum = 0;

    if (m->n_types == 0 && a->n_full == 0)
        return COVEY_OK;
    count_kinds(a, group, each);
    COVEY_TRY(covey_i_matching_largest(&most, m, 0, err));
    for (uint32_t j = 0; j < m->n_kinds; j++) {
        covey_class_of_units kind = {.n_rows = a->size, .n_units = n_units, .largest = each, .n_sure = a->n_full};
        covey_selected_units of_all = {0};
        int64_t n_without;

        for (uint32_t t = 0; t < m->n_types; t++)
            kind.n_sure += m->accepts[t] & m->holds[j] ? m->n_rows[t] : 0;
        n_without = (a->size - kind.n_sure) / each;
        sum += m->n_values[j] > n_without ? m->n_values[j] - n_without : 0;
        kind.expected = (double)kind.n_sure;
        covey_i_selected_units_add(&of_all, &kind);
        a->units->expected += of_all.expected * (double)m->n_values[j] / (double)n_units;
    }
    a->units->lower += sum > least ? sum : least;
    a->units->upper += most + a->n_full < n_units ? most + a->n_full : n_units;
    return COVEY_OK;
}

/* --- groups --- */

static covey_status close_group(struct adding *a, uint32_t group, covey_error *err)
{
    covey_matching *m = &a->group;
    const covey_query_groups *b = a->groups;
    int64_t n_partial = 0, most_true, most_false;

    a->size = (int64_t)b->row_start[group + 1] - b->row_start[group];
    if (m->n_types > 0)
        count_kinds(a, group, 1);
    for (uint32_t t = 0; t < m->n_types; t++)
        n_partial += m->n_rows[t];
    COVEY_TRY(covey_i_matching_largest(&most_true, m, 0, err));
    COVEY_TRY(covey_i_matching_largest(&most_false, m, a->all, err));
    a->lower += a->n_full + n_partial - most_false;
    a->upper += a->n_full + most_true;
    add_estimate(a);
    if (a->units)
        COVEY_TRY(add_units(a, group, err));
    m->n_types = 0;
    a->n_full = 0;
    return COVEY_OK;
}

static covey_status add_row(struct adding *a, uint64_t accepts, covey_error *err)
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
                          "query: the condition links \"%s\" to other columns in more than %d ways within one group; "
                          "ask a simpler one",
                          a->sensitive->column->name, COVEY_MATCHING_MOST_TYPES);
    a->group.n_rows[type]++;
    return COVEY_OK;
}

static covey_status add_rows(struct adding *a, const covey_query_rows *rows, covey_error *err)
{
    uint64_t accepts[COVEY_SCAN_BLOCK];
    uint32_t group = 0;

    for (uint32_t at = 0; at < rows->n; at += COVEY_SCAN_BLOCK) {
        uint32_t n = rows->n - at < COVEY_SCAN_BLOCK ? rows->n - at : COVEY_SCAN_BLOCK;

        covey_i_row_scan(accepts, a->scan, rows->row ? rows->row + at : NULL, at, n);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t row = rows->row ? rows->row[at + i] : at + i;

            if (row >= a->groups->row_start[group + 1]) {
                COVEY_TRY(close_group(a, group, err));
                while (row >= a->groups->row_start[group + 1])
                    group++;
            }
            COVEY_TRY(add_row(a, accepts[i], err));
        }
    }
    return rows->n > 0 ? close_group(a, group, err) : COVEY_OK;
}

covey_status covey_i_linked_count(covey_query_figures *out, covey_query_figures *units,
                                  const covey_query_groups *groups, const covey_row_scan *scan,
                                  const covey_query_rows *rows, covey_arena *arena, covey_error *err)
{
    covey_selected_units selected = {0};
    const covey_condition_attribute *sensitive = &scan->condition->attribute[scan->sensitive];
    struct adding a = {.groups = groups, .scan = scan, .sensitive = sensitive, .all = covey_i_row_scan_all(scan)};

    a.units = units ? &selected : NULL;
    COVEY_TRY(covey_i_matching_make(&a.group, sensitive->n_atoms, arena, err));
    a.group.n_kinds = sensitive->n_atoms;
    for (uint32_t i = 0; i < sensitive->n_atoms; i++)
        a.group.holds[i] = UINT64_C(1) << i;
    COVEY_TRY(add_rows(&a, rows, err));
    *out = (covey_query_figures){{true, a.lower, 1}, {true, a.upper, 1}, a.expected, sqrt(a.variance), {0}};
    if (units)
        *units =
            (covey_query_figures){{true, selected.lower, 1}, {true, selected.upper, 1}, selected.expected, NAN, {0}};
    return COVEY_OK;
}
