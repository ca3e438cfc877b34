/* Several sensitive attributes, each with a promise of its own: nobody's value of any of them follows with a
 * probability above 1/l from the quasi-identifiers.
 *
 * Each stands in one column.  What follows of one is what would follow if the others were not published: they are no
 * part of what an observer knows, and summed over their values, the ways to put pieces together are those of the pieces
 * without them.  So the test of a bucket is that of each attribute alone; every set holds by itself, with relaxed cuts
 * and random buckets, too, which is sound and stricter than it need be. */
#include "method/slicing/slicing.h"

#include <inttypes.h>

#include "base/error.h"

/* --- which they are --- */

static covey_status find_promise(covey_slicing *s, covey_error *err)
{
    const covey_promises *promises = &s->problem->promises;
    const covey_column *column = s->problem->field[s->sensitive].column;

    for (size_t p = 0; p < promises->n; p++)
        if (promises->view[promises->promise[p].view].column == column) {
            if (s->promise)
                return covey_fail(
                    err, COVEY_EINVAL,
                    "slicing keeps one promise of each sensitive attribute, but \"%s\" has several: leave "
                    "the largest l",
                    column->name);
            s->promise = &promises->promise[p];
            s->l = s->promise->model->least_l(s->promise->state);
        }
    return s->promise ? COVEY_OK
                      : covey_fail(err, COVEY_EINVAL,
                                   "slicing protects every sensitive attribute, but \"%s\" has no promise: add "
                                   "sliced-l-diversity of it, or declare it quasi-identifier, insensitive or "
                                   "identifier (dropped)",
                                   column->name);
}

covey_status covey_i_slicing_find_sensitive(covey_slicing *s, covey_error *err)
{
    size_t n = 0;

    for (size_t f = 0; f < s->problem->n_fields; f++)
        n += covey_i_slicing_is_sensitive(s, f);
    if (n == 0)
        return covey_fail(err, COVEY_EINVAL, "slicing protects sensitive attributes, but the policy has none");
    if (s->problem->n_fields == n)
        return covey_fail(err, COVEY_EINVAL, "slicing needs an attribute beside the sensitive one");
    if (!(s->other = covey_arena_array_zero(s->arena, covey_slicing, n - 1)))
        return covey_i_no_memory(err);
    for (size_t f = 0; f < s->problem->n_fields; f++) {
        if (!covey_i_slicing_is_sensitive(s, f))
            continue;
        if (s->n_others + 1 == n) {
            s->sensitive = f;
            return find_promise(s, err);
        }
        s->other[s->n_others] = (covey_slicing){.problem = s->problem, .sensitive = f};
        COVEY_TRY(find_promise(&s->other[s->n_others++], err));
    }
    return COVEY_OK;
}

covey_status covey_i_slicing_refuse_for_several(const covey_slicing *s, covey_error *err)
{
    if (s->params->weight == 1)
        return covey_i_refuse_param(err, "weight",
                                    "method slicing: weight: paper is about one sensitive attribute, and the policy "
                                    "has %zu: leave it out",
                                    s->n_others + 1);
    if (s->params->column_k > 1)
        return covey_i_refuse_param(err, "column-k",
                                    "method slicing: column-k is for one sensitive attribute, and the policy has %zu: "
                                    "leave it out",
                                    s->n_others + 1);
    return COVEY_OK;
}

/* --- columns --- */

static covey_status add_column(covey_slicing *s, const size_t *list, const size_t *cluster, size_t n, size_t which,
                               covey_error *err)
{
    size_t *field = covey_arena_array(s->arena, size_t, n), n_fields = 0;

    if (!field)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < n; i++)
        if (cluster[i] == which)
            field[n_fields++] = list[i];
    if (n_fields > 0)
        s->slice[s->n_slices++] = (covey_slice){n_fields, field};
    return COVEY_OK;
}

covey_status covey_i_slicing_found_beside_several(covey_slicing *s, const covey_run *run, covey_error *err)
{
    const size_t n = s->problem->n_fields, n_sensitive = s->n_others + 1, n_beside = n - n_sensitive;
    const size_t wanted = s->params->n_columns > 0 ? (size_t)s->params->n_columns : (n + 2) / 3;
    size_t k = s->params->one_per_column ? n_beside : wanted > n_sensitive ? wanted - n_sensitive : 1, m = 0;
    size_t *list = covey_arena_array(s->arena, size_t, n), *cluster = covey_arena_array_zero(s->arena, size_t, n);
    const bool overlaps = s->params->overlap.num > 0;
    const double *distance = NULL;

    if (s->params->n_columns > 0 && wanted <= n_sensitive)
        return covey_i_refuse_param(err, "number-of-columns",
                                    "method slicing: number-of-columns counts those of the sensitive attributes, "
                                    "which are found apart: %zu at least",
                                    n_sensitive + 1);
    s->slice = covey_arena_array_zero(s->arena, covey_slice, n);
    if (!list || !cluster || !s->slice)
        return covey_i_no_memory(err);
    for (int sensitive = 0; sensitive < 2; sensitive++)
        for (size_t f = 0; f < n; f++)
            if (covey_i_slicing_is_sensitive(s, f) == sensitive)
                list[m++] = f;
    k = k > n_beside ? n_beside : k;
    if (k < n_beside || overlaps)
        COVEY_TRY(covey_i_slicing_distances(&distance, s, run, err));
    COVEY_TRY(covey_i_slicing_cluster(cluster, k, list, n_beside, distance, s, err));
    for (size_t i = n_beside; i < n; i++)
        cluster[i] = k + i - n_beside;
    for (size_t c = 0; c < k + n_sensitive; c++)
        COVEY_TRY(add_column(s, list, cluster, n, c, err));
    s->n_holding = 1;
    return overlaps ? covey_i_slicing_overlap_columns(s, distance, err) : COVEY_OK;
}

/* --- the whole table --- */

/* All but what is its own. */
static covey_status share_with(covey_slicing *other, const covey_slicing *s, covey_error *err)
{
    const covey_slicing own = *other;
    covey_slice *slice = covey_arena_array(s->arena, covey_slice, s->n_slices);
    size_t n = 0;

    if (!slice)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < s->n_slices; i++)
        if (covey_i_slicing_has(&s->slice[i], own.sensitive))
            slice[s->n_slices - 1] = s->slice[i];
        else
            slice[n++] = s->slice[i];
    *other = *s;
    other->slice = slice;
    other->sensitive = own.sensitive;
    other->promise = own.promise;
    other->l = own.l;
    other->n_others = 0;
    return COVEY_OK;
}

static void take_rows(covey_slicing *to, const covey_slicing *from)
{
    to->n_contents = from->n_contents; /* the list is the same */
    to->n = from->n;
}

/* Without those rows that stand in the way of one attribute's promise; what is numbered are sets of rows that are left.
 */
static covey_status settle(covey_slicing *s, covey_error *err)
{
    COVEY_TRY(covey_i_slicing_number_sets(s, err));
    return covey_i_slicing_check_whole(s, err);
}

covey_status covey_i_slicing_settle_several(covey_slicing *s, covey_error *err)
{
    uint32_t before;

    for (size_t i = 0; i < s->n_others; i++)
        COVEY_TRY(share_with(&s->other[i], s, err));
    do { /* rows that go for one attribute may have been what another needs */
        before = s->n;
        COVEY_TRY(settle(s, err));
        for (size_t i = 0; i < s->n_others; i++) {
            take_rows(&s->other[i], s);
            COVEY_TRY(settle(&s->other[i], err));
            take_rows(s, &s->other[i]);
        }
    } while (s->n < before);
    for (size_t i = 0; i < s->n_others; i++)
        take_rows(&s->other[i], s);
    return COVEY_OK;
}
