/* Judges the pieces of a bucket that agree beside the sensitive value, set by set.
 *
 * What a model of sliced releases says about a set follows from how many pieces it has and how many of them have its
 * most frequent value.  Buckets are small, and few such pairs occur: each is judged once, where it comes first. */
#include "audit/sliced/sliced.h"

#include "base/threads.h"
#include "table/histogram.h"

/* Buckets are judged in parts, each with a figure of its own. */
enum { PARTS = 8, SMALL = 64 /* pieces */ };

struct judging {
    const covey_judged *judged;
    const covey_opened *o;
    const covey_opened_slice *slice; /* that holds the attribute */
    size_t n_beside;                 /* attributes of it in front of all sensitive ones */
    bool alone;
    covey_judged part[PARTS]; /* figure, worst_class, any */
    bool any_hot[PARTS];
};

/* One part on its way, on its thread's own cache lines. */
struct part {
    covey_judged judged;
    covey_histogram counts;
    uint64_t seen[SMALL + 1]; /* [size] a bit for each largest count, less one */
    bool alone, any_hot;
};

/* Takes a set's figure: of one with too large a share what is promised, which the signatures decide about; alone: its
 * own. */
static void combine(struct part *p, uint32_t bucket)
{
    covey_judged *judged = &p->judged;
    const covey_group group = {.size = p->counts.total, .counts = &p->counts};
    covey_figure figure;
    const bool is_hot =
        !covey_i_model_judge(&figure, judged->promise.model, judged->promise.state, &group) && !p->alone;
    const covey_ratio l = judged->promise.model->least_l(judged->promise.state);

    if (is_hot)
        figure = covey_i_figure_fraction(l.num, l.den);
    covey_i_figure_reduce(&figure);
    p->any_hot |= is_hot;
    if (!judged->any || covey_i_fraction_compare(figure.fraction, judged->figure.fraction) < 0) {
        judged->figure = figure;
        judged->worst_class = bucket;
    }
    judged->any = true;
}

/* Was such a set judged before? */
static bool has_seen(struct part *p, uint32_t size, int64_t largest)
{
    uint64_t bit;

    if (size > SMALL)
        return false;
    bit = (uint64_t)1 << (largest - 1);
    if (p->seen[size] & bit)
        return true;
    p->seen[size] |= bit;
    return false;
}

static void count(struct part *p, uint32_t begin, uint32_t end)
{
    covey_i_histogram_clear(&p->counts);
    for (uint32_t line = begin; line < end; line++)
        covey_i_histogram_add(&p->counts, covey_i_view_value(p->judged.promise.view, line), 1);
}

static void judge_set(struct part *p, uint32_t begin, uint32_t end, uint32_t bucket)
{
    int64_t largest = 1;

    if (end - begin == 2) {
        largest +=
            covey_i_view_value(p->judged.promise.view, begin) == covey_i_view_value(p->judged.promise.view, begin + 1);
    } else if (end - begin > 2) {
        count(p, begin, end);
        for (uint32_t i = 0; i < p->counts.n_present; i++)
            largest = p->counts.count[p->counts.present[i]] > largest ? p->counts.count[p->counts.present[i]] : largest;
    }
    if (has_seen(p, end - begin, largest))
        return;
    count(p, begin, end);
    combine(p, bucket);
}

/* A bucket's sets stand together, which the order's check makes sure of. */
static uint32_t end_of_set(const struct judging *x, uint32_t begin, uint32_t end)
{
    uint32_t line = begin + 1;

    for (; line < end; line++)
        for (size_t a = 0; a < x->n_beside; a++)
            if (covey_i_code_at(x->slice->column[a]->text, line) != covey_i_code_at(x->slice->column[a]->text, begin))
                return line;
    return line;
}

/* Are the sets of a bucket of two pieces such as were judged before?  Asked without a branch, for whether both pieces
 * are one set cannot be foretold. */
static inline bool knows_pair(const struct judging *x, const struct part *p, uint32_t line)
{
    const covey_opened_view *view = p->judged.promise.view;
    const bool is_one_value = covey_i_view_value(view, line) == covey_i_view_value(view, line + 1);
    uint32_t differs = 0;

    for (size_t a = 0; a < x->n_beside; a++)
        differs |=
            covey_i_code_at(x->slice->column[a]->text, line) ^ covey_i_code_at(x->slice->column[a]->text, line + 1);
    return ((differs ? p->seen[1] : p->seen[2] >> is_one_value) & 1) != 0;
}

static void judge_bucket(struct part *p, const struct judging *x, uint32_t b)
{
    const uint32_t begin = x->o->class_start[b], end = x->o->class_start[b + 1];

    if (end - begin == 2 && knows_pair(x, p, begin))
        return;
    for (uint32_t line = begin, next; line < end; line = next) {
        next = end_of_set(x, line, end);
        judge_set(p, line, next, b + 1);
    }
}

static covey_status judge_part(void *context, size_t task, covey_error *err)
{
    struct judging *x = context;
    const covey_opened *o = x->o;
    const uint32_t begin = (uint32_t)((uint64_t)o->n_classes * task / PARTS),
                   end = (uint32_t)((uint64_t)o->n_classes * (task + 1) / PARTS);
    struct part p = {.judged = *x->judged, .alone = x->alone};
    covey_arena arena = COVEY_ARENA_INIT;
    const covey_status status =
        covey_i_histogram_new(&p.counts, p.judged.promise.view->dictionary->n_values, &arena, err);

    p.judged.any = false;
    for (uint32_t b = begin; b < end && status == COVEY_OK; b++)
        judge_bucket(&p, x, b);
    x->part[task] = p.judged;
    x->any_hot[task] = p.any_hot;
    covey_arena_free(&arena);
    return status;
}

covey_status covey_i_slices_judge_sets(bool *any_hot, covey_judged *judged, bool alone, const covey_opened_slices *s,
                                       const covey_opened *o, const covey_run *run, covey_error *err)
{
    const covey_opened_slice *slice = &s->slice[covey_i_slices_holding(s, judged->promise.view)];
    struct judging x = {
        .judged = judged, .o = o, .slice = slice, .n_beside = covey_i_slice_n_beside(o, slice), .alone = alone};

    COVEY_TRY(covey_i_parallel(covey_run_threads(run), PARTS, judge_part, &x, err));
    *any_hot = judged->any = false;
    for (size_t i = 0; i < PARTS; i++) {
        const covey_judged *part = &x.part[i];

        *any_hot |= x.any_hot[i];
        if (part->any &&
            (!judged->any || covey_i_fraction_compare(part->figure.fraction, judged->figure.fraction) < 0)) {
            judged->figure = part->figure;
            judged->worst_class = part->worst_class;
            judged->any = true;
        }
    }
    return COVEY_OK;
}
