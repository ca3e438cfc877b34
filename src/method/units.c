/* Methods on rows made to keep units whole (model/units.h).
 *
 * The method sees each unit as a crowd: all its rows stand at one point, made of the lowest and the highest of their
 * codes (or the lower medians), and that nobody has more than 1/k of a class's rows is a bound on a sensitive
 * attribute, the unit itself.  What it makes of that guides the rest, and no promise rests on it: the rows of a unit go
 * where most of them are, every class is judged with its own rows over rows and over units, and one that fails is
 * joined with the neighbour that costs least, which ends since what is promised is kept by unions.  Source:
 * docs/design/units.md. */
#include "method/method_impl.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "table/histogram.h"
#include "table/table_impl.h"

enum {
    ALL_NEIGHBOURS = 2048, /* classes among which all are looked at */
    NEAR_NEIGHBOURS = 64,  /* on each side, among more */
    NOBODY = 0             /* units of one row share a code: nothing bounds them */
};

/* --- a bound on units, as a model --- */

struct share_state {
    int64_t k;
};

static bool share_admits(const void *state, const covey_group *group)
{
    const struct share_state *s = state;
    const int64_t cap = group->size / s->k;

    if (group->size < s->k)
        return false;
    for (uint32_t i = 0; i < group->counts->n_present; i++) {
        const uint32_t unit = group->counts->present[i];

        if (unit != NOBODY && group->counts->count[unit] > cap)
            return false;
    }
    return true;
}

static void share_figure(covey_figure *out, const void *state, const covey_group *group)
{
    int64_t most = 1;

    (void)state;
    for (uint32_t i = 0; i < group->counts->n_present; i++) {
        const uint32_t unit = group->counts->present[i];

        if (unit != NOBODY && group->counts->count[unit] > most)
            most = group->counts->count[unit];
    }
    *out = covey_i_figure_integer(group->size / most);
}

static void share_bounds(const void *state, int64_t size, const uint32_t *value, size_t n, int64_t *cap, int64_t *need)
{
    const struct share_state *s = state;

    (void)need;
    for (size_t i = 0; i < n; i++)
        if ((value ? value[i] : i) != NOBODY && cap[i] > size / s->k)
            cap[i] = size / s->k;
}

static int64_t share_min_size(const void *state)
{
    const struct share_state *s = state;

    return s->k;
}

static double share_largest(const void *state, uint32_t value)
{
    const struct share_state *s = state;

    return value == NOBODY ? 1 : 1 / (double)s->k;
}

static const covey_model share_model = {
    .name = "k-anonymity over units",
    .summary = "no unit has more than 1/k of a class's rows",
    .traits = COVEY_MODEL_UNION_CLOSED | COVEY_MODEL_SENSITIVE | COVEY_MODEL_CAPS | COVEY_MODEL_ALIKE,
    .figure_high_is_safe = true,
    .admits = share_admits,
    .figure = share_figure,
    .bounds = share_bounds,
    .min_size = share_min_size,
    .largest_share = share_largest,
};

/* --- the problem that the method sees --- */

struct units_run {
    const covey_problem *problem;
    const covey_units *units;
    const covey_run *run;
    covey_arena arena;
    uint32_t n_units;
    uint32_t *start, *row; /* row[start[u] .. start[u + 1] - 1]: rows of unit u, those of a person one after another */
    covey_problem seen;
    struct share_state share;
    int64_t most_rows; /* units with more are in no class */
};

/* Rows unit by unit, and person by person within. */
static covey_status sort_rows(struct units_run *r, covey_error *err)
{
    const covey_unit_set *sets[] = {&r->units->person, &r->units->whole};
    const uint32_t n = r->problem->n_rows;
    uint32_t *from = covey_arena_array(&r->arena, uint32_t, n), *to = covey_arena_array(&r->arena, uint32_t, n);

    r->n_units = r->units->whole.n;
    if (!from || !to)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        from[i] = i;
    for (int s = 0; s < 2; s++) {
        uint32_t *start = covey_arena_array_zero(&r->arena, uint32_t, (size_t)sets[s]->n + 2), *swap = from;

        if (!start)
            return covey_i_no_memory(err);
        for (uint32_t i = 0; i < n; i++)
            start[sets[s]->of_row[i] + 2]++;
        for (uint32_t u = 0; u < sets[s]->n; u++)
            start[u + 2] += start[u + 1];
        for (uint32_t i = 0; i < n; i++)
            to[start[sets[s]->of_row[from[i]] + 1]++] = from[i];
        from = to;
        to = swap;
        r->start = start;
    }
    r->row = from;
    return COVEY_OK;
}

static int compare_codes(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Which of a unit's codes stands for all of them. */
enum pick { LOWEST, MEDIAN, HIGHEST };

/* Do the rows of some unit differ? */
static bool is_spread(const struct units_run *r, const covey_column *column)
{
    for (uint32_t u = 0; u < r->n_units; u++)
        for (uint32_t i = r->start[u] + 1; i < r->start[u + 1]; i++)
            if (covey_i_code(column, r->row[i]) != covey_i_code(column, r->row[i - 1]))
                return true;
    return false;
}

/* The column with one of a unit's codes in each of its rows.  A shallow copy: it lives in the arena. */
static covey_status make_column(const covey_column **out, struct units_run *r, const covey_column *column,
                                enum pick pick, covey_error *err)
{
    covey_column *copy = covey_arena_array(&r->arena, covey_column, 1);
    void *codes = covey_arena_alloc_zero(&r->arena, r->problem->n_rows, (size_t)column->width);
    uint32_t most = 1, *scratch;

    for (uint32_t u = 0; u < r->n_units; u++)
        most = r->start[u + 1] - r->start[u] > most ? r->start[u + 1] - r->start[u] : most;
    if (!copy || !codes || !(scratch = covey_arena_array(&r->arena, uint32_t, most)))
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < r->n_units; u++) {
        const uint32_t n = r->start[u + 1] - r->start[u], *row = r->row + r->start[u];
        bool is_sorted = true;

        for (uint32_t i = 0; i < n; i++) {
            scratch[i] = covey_i_code(column, row[i]);
            is_sorted &= i == 0 || scratch[i - 1] <= scratch[i];
        }
        if (!is_sorted)
            qsort(scratch, n, sizeof *scratch, compare_codes);
        for (uint32_t i = 0; i < n; i++)
            covey_i_codes_put(codes, column->width, row[i],
                              scratch[pick == LOWEST   ? 0
                                      : pick == MEDIAN ? (n - 1) / 2
                                                       : n - 1]);
    }
    *copy = *column;
    copy->codes = codes;
    *out = copy;
    return COVEY_OK;
}

/* The unit of each row as a sensitive value; those of one row are nobody's. */
static covey_status make_view(covey_view *view, struct units_run *r, covey_error *err)
{
    covey_column *column = covey_arena_array_zero(&r->arena, covey_column, 1);
    covey_histogram *prior = covey_arena_array_zero(&r->arena, covey_histogram, 1);
    uint32_t *codes = covey_arena_array_zero(&r->arena, uint32_t, r->problem->n_rows), n = 1;

    if (!column || !prior || !codes)
        return covey_i_no_memory(err);
    for (uint32_t u = 0; u < r->n_units; u++) {
        if (r->start[u + 1] - r->start[u] < 2)
            continue;
        for (uint32_t i = r->start[u]; i < r->start[u + 1]; i++)
            codes[r->row[i]] = n;
        n++;
    }
    *column = (covey_column){.name = (char *)"unit",
                             .type = COVEY_TYPE_TEXT,
                             .n_rows = r->problem->n_rows,
                             .n_values = n,
                             .width = 4,
                             .codes = codes,
                             .references = 1};
    COVEY_TRY(covey_i_histogram_of(prior, column, &r->arena, err));
    *view = (covey_view){.name = "unit", .column = column, .prior = prior};
    return COVEY_OK;
}

/* Where rows of units differ, an axis for the lowest and one for the highest code: then those are near each other whose
 * hulls are alike, and who has one row is not put among those who are spread. */
static covey_status see_axes(struct units_run *r, bool sees_spread, covey_error *err)
{
    const covey_problem *problem = r->problem;
    const size_t d = problem->n_axes;
    covey_axis *axis = covey_arena_array(&r->arena, covey_axis, 2 * d);
    covey_field *field = covey_arena_array(&r->arena, covey_field, problem->n_fields + d + 1);
    const covey_column **quasi = covey_arena_array(&r->arena, const covey_column *, 2 * d);
    int64_t *width = covey_arena_array(&r->arena, int64_t, 2 * d);
    size_t n = d;

    if (!axis || !field || !quasi || !width)
        return covey_i_no_memory(err);
    memcpy(axis, problem->axis, d * sizeof *axis);
    memcpy(field, problem->field, problem->n_fields * sizeof *field);
    memcpy(width, problem->promises.quasi_width, d * sizeof *width);
    for (size_t a = 0; a < d; a++) {
        const covey_column *column = problem->axis[a].column;
        const bool is_two = sees_spread && is_spread(r, column) && axis[a].weight.den <= INT64_MAX / 2;

        COVEY_TRY(make_column(&axis[a].column, r, column, is_two ? LOWEST : MEDIAN, err));
        quasi[a] = axis[a].column;
        if (!is_two)
            continue;
        axis[a].weight.den *= 2;
        axis[n] = axis[a];
        COVEY_TRY(make_column(&axis[n].column, r, column, HIGHEST, err));
        quasi[n] = axis[n].column;
        width[n] = width[a];
        field[problem->n_fields + n - d] =
            (covey_field){.role = COVEY_ROLE_QUASI, .axis = (int)n, .column = axis[n].column, .tree = axis[n].tree};
        n++;
    }
    for (size_t f = 0; f < problem->n_fields; f++)
        if (field[f].axis >= 0)
            field[f].column = axis[field[f].axis].column;
    r->seen.axis = axis;
    r->seen.n_axes = n;
    r->seen.field = field;
    r->seen.n_fields = problem->n_fields + n - d;
    r->seen.promises.quasi = quasi;
    r->seen.promises.quasi_width = width;
    r->seen.promises.n_quasi = n;
    r->seen.promises.shown_context = axis;
    return COVEY_OK;
}

/* Adds the bound on units to the promises over rows. */
static covey_status see_promises(struct units_run *r, covey_error *err)
{
    const covey_promises *all = &r->problem->promises;
    covey_promises *seen = &r->seen.promises;

    r->share.k = covey_i_units_largest_k(all);
    if (r->share.k < 2)
        return COVEY_OK;
    seen->promise = covey_arena_array_zero(&r->arena, covey_promise, all->n + 1);
    seen->view = covey_arena_array_zero(&r->arena, covey_view, all->n_views + 1);
    if (!seen->promise || !seen->view)
        return covey_i_no_memory(err);
    memcpy(seen->promise, all->promise, all->n * sizeof *all->promise);
    if (all->n_views > 0)
        memcpy(seen->view, all->view, all->n_views * sizeof *all->view);
    COVEY_TRY(make_view(&seen->view[all->n_views], r, err));
    seen->promise[all->n] =
        (covey_promise){.model = &share_model, .view = (int)all->n_views, .state = &r->share, .quasi = -1};
    r->seen.field[r->seen.n_fields++] =
        (covey_field){.role = COVEY_ROLE_SENSITIVE, .axis = -1, .column = seen->view[all->n_views].column};
    seen->n++;
    seen->n_views++;
    return COVEY_OK;
}

/* --- classes of units --- */

struct unit_class {
    uint32_t first, last; /* units, linked by next */
    uint32_t n_units;
    int64_t n_rows;
    uint32_t previous, following; /* classes that are there still */
    bool is_gone, is_kept;
};

struct partition {
    struct units_run *r;
    uint32_t n_classes;
    uint32_t n_left;
    struct unit_class *class;
    uint32_t *box;  /* [n_classes][2 * n_axes] low, then high */
    uint32_t *next; /* [n_units] */
    uint32_t *rows; /* scratch, [n_rows] */
    covey_tally tally;
    covey_unit_judge *judge;
    uint32_t first; /* class that is there still */
};

static const uint32_t NONE = UINT32_MAX;

static void widen(struct partition *p, uint32_t c, uint32_t unit)
{
    const size_t d = p->r->problem->n_axes;
    uint32_t *low = p->box + (size_t)c * 2 * d, *high = low + d;

    for (size_t a = 0; a < d; a++) {
        const covey_column *column = p->r->problem->axis[a].column;

        for (uint32_t i = p->r->start[unit]; i < p->r->start[unit + 1]; i++) {
            const uint32_t code = covey_i_code(column, p->r->row[i]);

            low[a] = code < low[a] ? code : low[a];
            high[a] = code > high[a] ? code : high[a];
        }
    }
}

static void add_unit(struct partition *p, uint32_t c, uint32_t unit)
{
    struct unit_class *class = &p->class[c];

    p->next[unit] = NONE;
    if (class->n_units++ == 0)
        class->first = unit;
    else
        p->next[class->last] = unit;
    class->last = unit;
    class->n_rows += p->r->start[unit + 1] - p->r->start[unit];
    widen(p, c, unit);
}

static covey_status new_partition(struct partition *p, uint32_t n_classes, covey_error *err)
{
    const covey_problem *problem = p->r->problem;
    covey_arena *arena = &p->r->arena;
    const size_t d = problem->n_axes;

    p->n_classes = n_classes;
    p->class = covey_arena_array_zero(arena, struct unit_class, n_classes);
    p->box = covey_arena_array(arena, uint32_t, n_classes * 2 * d);
    p->next = covey_arena_array(arena, uint32_t, p->r->n_units);
    p->rows = covey_arena_array(arena, uint32_t, problem->n_rows);
    if (!p->class || !p->box || !p->next || !p->rows)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n_classes * 2 * d; i++)
        p->box[i] = i / d % 2 ? 0 : UINT32_MAX;
    COVEY_TRY(covey_i_tally_new(&p->tally, &problem->promises, arena, err));
    return covey_i_unit_judge_new(&p->judge, &problem->promises, p->r->units, arena, err);
}

/* Does a class keep every promise, over rows and over units? */
static covey_status judge(int *broken, struct partition *p, uint32_t c, covey_error *err)
{
    const struct units_run *r = p->r;
    covey_unit_facts facts;
    uint32_t n = 0;

    covey_i_tally_clear(&p->tally);
    for (uint32_t u = p->class[c].first; p->class[c].n_units > 0 && u != NONE; u = p->next[u])
        for (uint32_t i = r->start[u]; i < r->start[u + 1]; i++) {
            covey_i_tally_add(&p->tally, &r->problem->promises, r->row[i]);
            p->rows[n++] = r->row[i];
        }
    if ((*broken = covey_i_promises_broken(&r->problem->promises, &p->tally)) >= 0)
        return COVEY_OK;
    return covey_i_unit_judge_class(&facts, broken, p->judge, p->rows, n, err);
}

/* What it costs to publish two classes with one box. */
static double cost_of_joining(const struct partition *p, uint32_t a, uint32_t b)
{
    const covey_problem *problem = p->r->problem;
    const size_t d = problem->n_axes;
    const uint32_t *box_a = p->box + (size_t)a * 2 * d, *box_b = p->box + (size_t)b * 2 * d;
    const double n_a = (double)p->class[a].n_rows, n_b = (double)p->class[b].n_rows;
    double cost = 0;

    for (size_t i = 0; i < d; i++) {
        const covey_axis *axis = &problem->axis[i];
        const uint32_t low = box_a[i] < box_b[i] ? box_a[i] : box_b[i],
                       high = box_a[d + i] > box_b[d + i] ? box_a[d + i] : box_b[d + i];
        const double weight = covey_ratio_value(axis->weight) / (double)axis->loss_den;

        cost += weight * ((double)covey_i_axis_loss(axis, low, high) * (n_a + n_b) -
                          (double)covey_i_axis_loss(axis, box_a[i], box_a[d + i]) * n_a -
                          (double)covey_i_axis_loss(axis, box_b[i], box_b[d + i]) * n_b);
    }
    return cost;
}

/* Classes are numbered in the order of what they publish, more or less, so that near ones are mostly near. */
static uint32_t find_partner(const struct partition *p, uint32_t c)
{
    const bool all = p->n_left <= ALL_NEIGHBOURS;
    uint32_t best = NONE, left = p->class[c].previous, right = p->class[c].following;
    double least = INFINITY;

    for (uint32_t n = 0; (left != NONE || right != NONE) && (all || n < NEAR_NEIGHBOURS); n++) {
        const uint32_t sides[] = {left, right};

        for (int s = 0; s < 2; s++) {
            const double cost = sides[s] != NONE ? cost_of_joining(p, c, sides[s]) : INFINITY;

            if (sides[s] != NONE && (best == NONE || cost < least)) {
                least = cost;
                best = sides[s];
            }
        }
        left = left != NONE ? p->class[left].previous : NONE;
        right = right != NONE ? p->class[right].following : NONE;
    }
    return best;
}

static void unlink_class(struct partition *p, uint32_t c)
{
    struct unit_class *class = &p->class[c];

    if (class->previous != NONE)
        p->class[class->previous].following = class->following;
    else
        p->first = class->following;
    if (class->following != NONE)
        p->class[class->following].previous = class->previous;
    class->is_gone = true;
    p->n_left--;
}

/* Puts class b into class a. */
static void join(struct partition *p, uint32_t a, uint32_t b)
{
    const size_t d = p->r->problem->n_axes;
    uint32_t *box_a = p->box + (size_t)a * 2 * d, *box_b = p->box + (size_t)b * 2 * d;
    struct unit_class *into = &p->class[a], *from = &p->class[b];

    if (into->n_units == 0)
        into->first = from->first;
    else if (from->n_units > 0)
        p->next[into->last] = from->first;
    if (from->n_units > 0)
        into->last = from->last;
    into->n_units += from->n_units;
    into->n_rows += from->n_rows;
    for (size_t i = 0; i < d; i++) {
        box_a[i] = box_b[i] < box_a[i] ? box_b[i] : box_a[i];
        box_a[d + i] = box_b[d + i] > box_a[d + i] ? box_b[d + i] : box_a[d + i];
    }
    unlink_class(p, b);
}

static void link_classes(struct partition *p)
{
    uint32_t last = NONE;

    p->first = NONE;
    p->n_left = 0;
    for (uint32_t c = 0; c < p->n_classes; c++) {
        struct unit_class *class = &p->class[c];

        if ((class->is_gone = class->n_units == 0))
            continue;
        class->previous = last;
        class->following = NONE;
        if (last == NONE)
            p->first = c;
        else
            p->class[last].following = c;
        last = c;
        p->n_left++;
    }
}

/* Joins classes until each keeps every promise; *broken >= 0: all units together do not. */
static covey_status join_failing(int *broken, struct partition *p, covey_error *err)
{
    int64_t done = 0;

    *broken = -1;
    for (uint32_t c = 0; c < p->n_classes; c++) {
        uint32_t at = c;

        if ((c & 0xfff) == 0)
            COVEY_TRY(covey_i_run_goes_on(p->r->run, "join units", done, p->n_classes, err));
        done++;
        while (!p->class[at].is_gone && !p->class[at].is_kept) {
            uint32_t partner;

            COVEY_TRY(judge(broken, p, at, err));
            if (*broken < 0) {
                p->class[at].is_kept = true;
                break;
            }
            if ((partner = find_partner(p, at)) == NONE)
                return COVEY_OK;
            /* The larger one takes the other in: it has a box that hardly changes. */
            join(p, partner, at);
            p->class[partner].is_kept = false;
            at = partner;
        }
    }
    *broken = -1;
    return COVEY_OK;
}

/* --- from the method's classes to units' --- */

/* The class that has most rows of a unit, the first of several; NONE: all of them were suppressed. */
static uint32_t most_rows(const struct units_run *r, const uint32_t *class_of_row, uint32_t unit)
{
    uint32_t best = NONE, most = 0;

    for (uint32_t i = r->start[unit]; i < r->start[unit + 1]; i++) {
        const uint32_t c = class_of_row[r->row[i]];
        uint32_t n = 0;

        if (c == NONE || c == best)
            continue;
        for (uint32_t j = i; j < r->start[unit + 1]; j++)
            n += class_of_row[r->row[j]] == c;
        if (n > most || (n == most && c < best)) {
            most = n;
            best = c;
        }
    }
    return best;
}

/* Suppressed units are one class behind the others, which is judged where a prior tells of it. */
static covey_status take_over(struct partition *p, const covey_release *release, covey_error *err)
{
    uint32_t *class_of_row = covey_arena_array(&p->r->arena, uint32_t, p->r->problem->n_rows);

    if (!class_of_row)
        return covey_i_no_memory(err);
    memset(class_of_row, 0xff, p->r->problem->n_rows * sizeof *class_of_row);
    for (uint32_t c = 0; c < release->n_classes; c++)
        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++)
            class_of_row[release->row_order[i]] = c;
    COVEY_TRY(new_partition(p, release->n_classes + 1, err));
    for (uint32_t u = 0; u < p->r->n_units; u++) {
        const bool is_large = p->r->start[u + 1] - p->r->start[u] > p->r->most_rows;
        const uint32_t c = is_large ? NONE : most_rows(p->r, class_of_row, u);

        add_unit(p, c == NONE ? release->n_classes : c, u);
    }
    link_classes(p);
    return COVEY_OK;
}

/* Takes the suppressed units out, if they may be: their values follow where a prior is published. */
static covey_status suppress(bool *stays, struct partition *p, covey_error *err)
{
    const uint32_t c = p->n_classes - 1;
    int broken = -1;

    *stays = true;
    if (p->class[c].is_gone || p->class[c].n_rows > p->r->problem->max_suppressed)
        return COVEY_OK;
    if (covey_i_promises_any_traits(&p->r->problem->promises) & COVEY_MODEL_PRIOR)
        COVEY_TRY(judge(&broken, p, c, err));
    if (broken < 0) {
        unlink_class(p, c);
        *stays = false;
    }
    return COVEY_OK;
}

static covey_status make_release(covey_release **out, const struct partition *p, covey_error *err)
{
    const struct units_run *r = p->r;
    uint32_t *class_of_row = covey_i_array(r->problem->n_rows, sizeof *class_of_row);
    uint32_t n = 0;
    covey_status status;

    if (!class_of_row)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < r->problem->n_rows; i++)
        class_of_row[i] = COVEY_CLASS_SUPPRESSED;
    for (uint32_t c = p->first; c != NONE; c = p->class[c].following, n++)
        for (uint32_t u = p->class[c].first; u != NONE; u = p->next[u])
            for (uint32_t i = r->start[u]; i < r->start[u + 1]; i++)
                class_of_row[r->row[i]] = n;
    status = covey_i_release_of_classes(out, r->problem, class_of_row, n, r->run, err);
    covey_i_free(class_of_row);
    return status;
}

/* --- what cannot be --- */

static covey_status infeasible(struct partition *p, int broken, covey_error *err)
{
    const covey_promises *promises = &p->r->problem->promises;
    const bool is_promise = broken >= 0 && (size_t)broken < promises->n;

    return covey_fail(err, COVEY_EINFEASIBLE,
                      "no release was found that keeps %s over %ss: all rows together as one class do not keep it; "
                      "relax it, say units: rows to have it over rows alone, or leave units with most rows out before "
                      "publishing",
                      is_promise ? promises->promise[broken].model->name : "min-size",
                      p->r->units->within ? "household" : "unit");
}

/* A unit with more than 1/k of all rows is in no class; suppression can take it out whole, and others that have too
 * many of those that are left. */
static covey_status check_largest(struct units_run *r, covey_error *err)
{
    const int64_t k = covey_i_units_largest_k(&r->problem->promises), n = r->problem->n_rows;
    int64_t most = 0, n_gone = 0, n_before = -1;

    for (uint32_t u = 0; u < r->n_units; u++)
        most = r->start[u + 1] - r->start[u] > most ? r->start[u + 1] - r->start[u] : most;
    r->most_rows = most;
    while (k > 0 && n_gone != n_before) {
        n_before = n_gone;
        r->most_rows = (n - n_gone) / k;
        n_gone = 0;
        for (uint32_t u = 0; u < r->n_units; u++)
            if (r->start[u + 1] - r->start[u] > r->most_rows)
                n_gone += r->start[u + 1] - r->start[u];
    }
    if (n_gone <= r->problem->max_suppressed)
        return COVEY_OK;
    return covey_fail(
        err, COVEY_EINFEASIBLE,
        "no release can keep k-anonymity over units with k = %" PRId64 ": one unit has %" PRId64 " of the %" PRId64
        " rows, more than 1/k of them; k can be %" PRId64
        " at most, or say units: count to ask for k units however many rows each has, or allow rows to be "
        "suppressed (suppression limit, now at most %" PRId64 " rows)",
        k, most, n, n / most, r->problem->max_suppressed);
}

/* --- the run --- */

/* Does each unit have one row?  Then nothing is different. */
static bool are_single(const covey_problem *problem)
{
    return problem->units->whole.n == problem->n_rows;
}

static covey_status run_units(covey_release **out, struct units_run *r, const covey_method *method, const void *params,
                              covey_error *err)
{
    struct partition p = {.r = r};
    covey_release *guide = NULL;
    covey_status status;
    bool stays;
    int broken;

    COVEY_TRY(sort_rows(r, err));
    COVEY_TRY(check_largest(r, err));
    r->seen = *r->problem;
    r->seen.units = NULL;
    r->seen.loss_to_beat = 0; /* losses of points are not those of their units */
    COVEY_TRY(see_axes(r, method->sees_spread, err));
    COVEY_TRY(see_promises(r, err));
    if (method->accepts(&r->seen.promises, params, NULL) != COVEY_OK) { /* it has no room for the bound on units */
        r->seen.promises.n = r->problem->promises.n;
        r->seen.promises.n_views = r->problem->promises.n_views;
        r->seen.n_fields -= r->share.k >= 2;
    }
    COVEY_TRY(method->run(&guide, &r->seen, params, r->run, err));
    status = take_over(&p, guide, err);
    covey_release_free(guide);
    COVEY_TRY(status);
    COVEY_TRY(suppress(&stays, &p, err));
    COVEY_TRY(join_failing(&broken, &p, err));
    if (broken >= 0)
        return infeasible(&p, broken, err);
    return make_release(out, &p, err);
}

covey_status covey_i_method_run(covey_release **out, const covey_problem *problem, const covey_method *method,
                                const void *params, const covey_run *run, covey_error *err)
{
    struct units_run r = {.problem = problem, .units = problem->units, .run = run, .arena = COVEY_ARENA_INIT};
    covey_status status;

    if (!problem->units || are_single(problem))
        return method->run(out, problem, params, run, err);
    status = run_units(out, &r, method, params, err);
    covey_arena_free(&r.arena);
    return status;
}
