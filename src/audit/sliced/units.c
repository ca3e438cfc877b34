/* Promises over units of a sliced release.  Units of a bucket have as many rows each, and as many that agree beside
 * sensitive values (households as many such persons), so that what one of them has and what another has can change
 * places: of e units one has a value with a chance of n/e at most, if no more than n can have it.  Where each has one
 * value, its rows are those of n units; else of no more than there are rows.  docs/design/units.md says why. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "audit/links/proof.h"
#include "audit/sliced/sliced.h"
#include "audit/sliced/tables.h"
#include "base/error.h"
#include "reader/units.h"
#include "table/histogram.h"
#include "table/table_impl.h"

/* --- by the files --- */

struct judging {
    covey_judged *judged;
    const covey_opened *o;
    const covey_opened_slice *slice; /* with the sensitive attribute */
    size_t n_beside;
    bool units_vary;     /* they may have several values each */
    bool units_are_rows; /* of which it is known already what holds */
    covey_histogram of_bucket, of_set;
};

/* Do the lines agree beside sensitive values? */
static bool agree(const struct judging *x, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < x->n_beside; i++)
        if (covey_i_code_at(x->slice->column[i]->text, a) != covey_i_code_at(x->slice->column[i]->text, b))
            return false;
    return true;
}

static void count(covey_histogram *counts, const struct judging *x, uint32_t begin, uint32_t end)
{
    covey_i_histogram_clear(counts);
    for (uint32_t line = begin; line < end; line++)
        covey_i_histogram_add(counts, covey_i_view_value(x->judged->promise.view, line), 1);
}

/* Can rows of a set be as many of each unit's, and where these have one value, of those that have it? */
static bool set_can_be(struct judging *x, int64_t n_units, uint32_t begin, uint32_t end)
{
    if ((end - begin) % n_units != 0)
        return false;
    count(&x->of_set, x, begin, end);
    for (uint32_t i = 0; i < x->of_bucket.n_present && !x->units_vary; i++) {
        const uint32_t value = x->of_bucket.present[i];

        if ((covey_i128)x->of_set.count[value] * x->of_bucket.total !=
            (covey_i128)x->of_bucket.count[value] * x->of_set.total)
            return false;
    }
    return true;
}

static const char *find_fault(struct judging *x, uint32_t b)
{
    const uint32_t begin = x->o->class_start[b], end = x->o->class_start[b + 1];
    const int64_t n_units = x->o->units->n_units[b], each = x->o->units->largest[b];
    const covey_ratio l = x->judged->promise.model->least_l(x->judged->promise.state);

    if (end - begin != n_units * each)
        return "its rows are not those of units with as many each";
    if (x->o->units->n_persons[b] % n_units != 0)
        return "its persons are not those of units with as many each";
    if (x->units_are_rows)
        return NULL;
    count(&x->of_bucket, x, begin, end);
    for (uint32_t i = 0; i < x->of_bucket.n_present; i++) {
        const int64_t n = x->of_bucket.count[x->of_bucket.present[i]];
        const int64_t most = !x->units_vary ? n / each : n < n_units ? n : n_units;

        if (!x->units_vary && n % each != 0)
            return "a value has not as many rows as units of one value each have together";
        if ((covey_i128)most * l.num > (covey_i128)n_units * l.den)
            return "too many of them may have the same value";
    }
    for (uint32_t line = begin, next; line < end; line = next) {
        for (next = line + 1; next < end && agree(x, line, next);)
            next++;
        if (!set_can_be(x, n_units, line, next))
            return "pieces that agree beside the sensitive value are not as many of each unit";
    }
    return NULL;
}

covey_status covey_i_slices_judge_units(covey_judged *judged, const covey_opened_slices *s, const covey_opened *o,
                                        covey_problems *problems, covey_arena *arena, covey_error *err)
{
    struct judging x = {.judged = judged,
                        .o = o,
                        .slice = &s->slice[covey_i_slices_holding(s, judged->promise.view)],
                        .units_vary = o->units_vary};

    if (!o->units || judged->promise.stated->units == COVEY_UNITS_ROWS)
        return COVEY_OK;
    x.units_are_rows = covey_i_opened_units_are_rows(o, o->units->n_units);
    if (!x.units_are_rows && covey_i_slices_hold_twice(o, s)) {
        covey_i_problem(problems, "%s cannot be checked over units: the sensitive attribute stands in several columns",
                        judged->promise.model->name);
        judged->broken = true;
        return COVEY_OK;
    }
    x.n_beside = covey_i_slice_n_beside(o, x.slice);
    COVEY_TRY(covey_i_histogram_new(&x.of_bucket, judged->promise.view->dictionary->n_values, arena, err));
    COVEY_TRY(covey_i_histogram_new(&x.of_set, judged->promise.view->dictionary->n_values, arena, err));
    for (uint32_t b = 0; b < o->n_classes; b++) {
        const char *fault = find_fault(&x, b);

        if (!fault)
            continue;
        judged->broken = true;
        covey_i_problem(problems, "bucket %" PRIu32 " breaks %s over units: %s", b + 1, judged->promise.model->name,
                        fault);
    }
    return COVEY_OK;
}

/* --- by the publisher's list --- */

/* What stands beside the sensitive values, in whatever column: numbers of the original's rows. */
static covey_status number_sets(uint32_t *set, bool *has_sets, const covey_link_proof *p, const covey_opened_slices *s,
                                covey_error *err)
{
    const covey_opened *o = p->audit->opened;
    const uint32_t n = p->original->n_rows;
    covey_arena arena = COVEY_ARENA_INIT;
    uint32_t *code = covey_arena_array(&arena, uint32_t, n),
             *scratch = covey_arena_array(&arena, uint32_t, 3 * (size_t)n);

    memset(set, 0, n * sizeof *set);
    *has_sets = false;
    for (size_t i = 0; i < s->n && code && scratch; i++) {
        const covey_opened_slice *slice = &s->slice[i];
        const size_t n_beside = covey_i_slice_holds_sensitive(o, slice) ? covey_i_slice_n_beside(o, slice) : 0;

        for (size_t a = 0; a < n_beside; a++) {
            const covey_column *column = p->original->column[slice->attribute[a]].column;

            for (uint32_t row = 0; row < n; row++)
                code[row] = covey_i_code_at(column, row);
            covey_i_slice_refine(set, code, n, scratch);
            *has_sets = true;
        }
    }
    covey_arena_free(&arena);
    return code && scratch ? COVEY_OK : covey_i_no_memory(err);
}

/* Are the units of each bucket of one kind? */
static void check_buckets(const covey_link_proof *p, const uint32_t *kind, bool has_sets)
{
    const covey_link_place *place = p->place;
    uint32_t broken = 0; /* which has been reported */

    for (uint32_t at = 1; at < p->original->n_rows; at++) {
        if (place[at].class == 0 || place[at].class == broken || place[at - 1].class != place[at].class ||
            kind[place[at].row] == kind[place[at - 1].row])
            continue;
        broken = place[at].class;
        covey_i_problem(p->problems, "bucket %" PRIu32 ": not all of its units have as many rows%s%s", broken,
                        p->units.within ? ", of as many persons," : "",
                        has_sets ? " that agree beside the sensitive value" : "");
    }
}

/* Has some unit several values, be it published or not? */
static bool units_vary(const covey_link_proof *p, const covey_column *value)
{
    const covey_link_place *place = p->place;

    for (uint32_t at = 1; at < p->original->n_rows; at++)
        if (place[at].whole == place[at - 1].whole &&
            covey_i_code_at(value, place[at].row) != covey_i_code_at(value, place[at - 1].row))
            return true;
    return false;
}

/* What is said of all units tells what worlds there are; where nothing is, they may have several. */
static void check_unit_values(const covey_link_proof *p, const covey_opened_slices *s)
{
    const covey_opened *o = p->audit->opened;
    bool vary = false;

    if (!json_object_get(o->stated->root, "unit_values"))
        return;
    for (size_t i = 0; i < s->n; i++)
        for (size_t a = covey_i_slice_n_beside(o, &s->slice[i]); a < s->slice[i].n; a++)
            vary = vary || units_vary(p, p->original->column[s->slice[i].attribute[a]].column);
    if (vary != o->units_vary)
        covey_i_problem(p->problems, "manifest.json states that %s, which the original contradicts (\"unit_values\")",
                        o->units_vary ? "some units have several sensitive values" : "units have one value each");
}

covey_status covey_i_slices_check_links(covey_link_proof *p, covey_error *err)
{
    const covey_opened *o = p->audit->opened;
    const covey_opened_slices *s = o->form_data;
    const uint32_t n = p->original->n_rows;
    uint32_t *kind = covey_arena_array(&p->arena, uint32_t, n);
    bool has_sets;

    if (!kind)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_slices_check_linked(p->problems, o, s, p->original, p->class_of, err));
    if (!o->units)
        return COVEY_OK;
    check_unit_values(p, s);
    covey_i_links_are_torn(p);
    if (p->units.whole.n == n) /* of one row each: promises are those over rows */
        return COVEY_OK;
    COVEY_TRY(number_sets(kind, &has_sets, p, s, err));
    COVEY_TRY(covey_i_links_number_kinds(kind, p, kind, err));
    COVEY_TRY(covey_i_links_check_kinds(p, kind, has_sets, err));
    check_buckets(p, kind, has_sets);
    return COVEY_OK;
}
