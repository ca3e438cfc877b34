/* Composition: two releases of the same rows tell more together than each alone.  A person's class in one and in the
 * other leave the values that both have; given the value, the classes are taken as independent: weights q_A q_B / p, to
 * sum 1.
 *
 * A perturbed release gives a row no class, but its published value; where rows share all quasi-identifiers, which of
 * their published values is whose is not known, and every one is as likely.
 *
 * Source: [Ganta08]. */
#include "attack/composition_persons.h"
#include "attack/composition_releases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attack/channel.h"
#include "attack/linkage/links.h"
#include "attack/published.h"
#include "base/error.h"
#include "base/plural.h"
#include "base/sort/sort.h"

enum { SENTENCE_SIZE = 256 };

/* What one release says about the rows of the original, in the values of the first. */
struct side {
    covey_attacked *release;
    covey_attack_target *target;
    uint32_t *value_of;  /* [target->n_values] value of the first release; UINT32_MAX: none */
    const uint32_t *set; /* [rows of the original] class, or point where it is perturbed; UINT32_MAX: not known */
    uint32_t n_sets;
    uint32_t *first, *row; /* perturbed: published rows of each point */
    double *share;         /* [n_values of the first] what the set at hand says */
    uint32_t *present;     /* [n_present] values with a share above 0 */
    uint32_t n_present;
};

struct figures {
    int64_t n, single, above;
    double mean, most, excess; /* of the true value; largest posterior over what is allowed */
    double alone[2];           /* mean posterior of the true value from each alone */
    double crude;              /* the same from the values in common, all alike */
    int64_t impossible;        /* rows whose releases have no value in common */
};

/* --- sides --- */

/* Published rows by point. */
static covey_status group_published(struct side *s, covey_arena *arena, covey_error *err)
{
    const covey_points *points;
    const uint32_t *published;
    const uint32_t n = s->release->opened->n_rows;
    uint32_t *scratch = covey_arena_array(arena, uint32_t, n);

    COVEY_TRY(covey_i_attack_points_of(&points, s->release, err));
    COVEY_TRY(covey_i_attack_published_points(&published, s->release, err));
    s->set = points->point_of_row;
    s->n_sets = points->n;
    s->first = covey_arena_array_zero(arena, uint32_t, (size_t)points->n + 1);
    s->row = covey_arena_array(arena, uint32_t, n);
    if (!scratch || !s->first || !s->row)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        s->row[i] = i;
        if (published[i] != UINT32_MAX)
            s->first[published[i] + 1]++;
    }
    covey_i_sort_rows_u32(s->row, scratch, n, published);
    for (uint32_t p = 0; p < points->n; p++)
        s->first[p + 1] += s->first[p];
    return COVEY_OK;
}

static covey_status start_side(struct side *s, covey_attacked *r, covey_attack_target *t,
                               const covey_attack_target *first, covey_arena *arena, covey_error *err)
{
    *s = (struct side){.release = r,
                       .target = t,
                       .share = covey_arena_array_zero(arena, double, first->n_values),
                       .present = covey_arena_array(arena, uint32_t, first->n_values)};
    if (!s->share || !s->present)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_attack_values_in(&s->value_of, t, first, arena, err));
    if (r->form == COVEY_ATTACKED_PERTURBED)
        return group_published(s, arena, err);
    COVEY_TRY(covey_i_attack_link(r, t, err));
    s->set = t->class_of_row;
    s->n_sets = t->n_classes;
    return COVEY_OK;
}

static void add_share(struct side *s, uint32_t value, double share)
{
    const uint32_t v = s->value_of[value];

    if (v == UINT32_MAX || share <= 0)
        return;
    if (s->share[v] <= 0)
        s->present[s->n_present++] = v;
    s->share[v] += share;
}

static void show_set(struct side *s, uint32_t set, double *posterior)
{
    const covey_attack_target *t = s->target;

    for (uint32_t i = 0; i < s->n_present; i++)
        s->share[s->present[i]] = 0;
    s->n_present = 0;
    if (s->release->form != COVEY_ATTACKED_PERTURBED) {
        for (uint32_t e = t->start[set]; e < t->start[set + 1]; e++)
            add_share(s, t->entry[e].value, (double)t->entry[e].n / (double)t->size[set]);
        return;
    }
    for (uint32_t i = s->first[set]; i < s->first[set + 1]; i++) {
        covey_i_attack_posterior(posterior, t,
                                 t->channel.index[t->view->value_of_cell[covey_i_code_at(t->view->text, s->row[i])]]);
        for (uint32_t v = 0; v < t->channel.n; v++)
            add_share(s, t->channel.value[v], posterior[v] / (s->first[set + 1] - s->first[set]));
    }
}

/* --- both together --- */

/* The posterior of every value that both have, in the first side's order; their number. */
static uint32_t join(double *posterior, const struct side *a, const struct side *b, const covey_attack_target *t)
{
    uint32_t n = 0;
    double sum = 0;

    for (uint32_t i = 0; i < a->n_present; i++) {
        const uint32_t v = a->present[i];

        posterior[v] = b->share[v] > 0 && t->prior[v] > 0 ? a->share[v] * b->share[v] / covey_i_attack_prior(t, v) : 0;
        n += posterior[v] > 0;
        sum += posterior[v];
    }
    for (uint32_t i = 0; i < a->n_present && sum > 0; i++)
        posterior[a->present[i]] /= sum;
    return n;
}

static void add_row(struct figures *f, const struct side *side, const double *posterior, uint32_t n_common,
                    uint32_t value, const covey_attack_target *t)
{
    const double p = side[0].share[value] > 0 ? posterior[value] : 0;

    f->n++;
    f->mean += p;
    f->most = fmax(f->most, p);
    f->single += n_common == 1;
    f->impossible += n_common == 0;
    f->crude += n_common > 0 && p > 0 ? 1.0 / n_common : 0;
    f->alone[0] += side[0].share[value];
    f->alone[1] += side[1].share[value];
    if (t->caps.n > 0) {
        f->above += p > t->caps.share[value] * (1 + 1e-12); /* a double against a double: equal ones are no excess */
        f->excess = fmax(f->excess, p / t->caps.share[value]);
    }
}

/* Rows by both sets, so that each pair of sets is looked at once. */
static covey_status look_at_rows(struct figures *f, struct side side[2], const covey_attack_target *t,
                                 covey_arena *arena, covey_error *err)
{
    const uint32_t n_rows = side[0].release->original->n_rows;
    uint64_t *key = covey_arena_array(arena, uint64_t, n_rows);
    uint32_t *row = covey_arena_array(arena, uint32_t, n_rows), *scratch = covey_arena_array(arena, uint32_t, n_rows),
             n = 0, n_common = 0;
    double *posterior = covey_arena_array_zero(arena, double, t->n_values);
    double *of_one = covey_arena_array(arena, double, side[0].target->n_values + side[1].target->n_values);

    if (!key || !row || !scratch || !posterior || !of_one)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n_rows; i++)
        if (side[0].set[i] != UINT32_MAX && side[1].set[i] != UINT32_MAX && t->value_of_row[i] != UINT32_MAX) {
            key[i] = (uint64_t)side[0].set[i] * side[1].n_sets + side[1].set[i];
            row[n++] = i;
        }
    covey_i_sort_rows_u64(row, scratch, n, key);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || side[0].set[row[i - 1]] != side[0].set[row[i]])
            show_set(&side[0], side[0].set[row[i]], of_one);
        if (i == 0 || key[row[i - 1]] != key[row[i]]) {
            show_set(&side[1], side[1].set[row[i]], of_one);
            n_common = join(posterior, &side[0], &side[1], t);
        }
        add_row(f, side, posterior, n_common, t->value_of_row[row[i]], t);
    }
    return COVEY_OK;
}

/* --- two perturbed releases --- */

/* The largest posterior that any two published values give, over what is allowed or by itself. */
struct draws {
    double most, excess;
};

static void try_draws(struct draws *d, double joint, double sum, double cap)
{
    if (sum <= 0 || joint <= 0)
        return;
    d->most = fmax(d->most, joint / sum);
    d->excess = fmax(d->excess, joint / sum / cap);
}

/* The n of the values of most chance to be neither kept: with two of them out of the way there is another among three.
 */
static void find_likely(uint32_t likely[3], const double *quiet, uint32_t n)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = found < 3 ? found++ : 3;

        if (at == 3 && quiet[i] <= quiet[likely[2]])
            continue;
        at = at == 3 ? 2 : at;
        for (; at > 0 && quiet[i] > quiet[likely[at - 1]]; at--)
            likely[at] = likely[at - 1];
        likely[at] = i;
    }
    for (; found < 3; found++)
        likely[found] = UINT32_MAX;
}

/* The place in b's channel of each value of a's: domains may stand in different orders. */
static covey_status match_channels(uint32_t **out, const struct side *a, const struct side *b, covey_arena *arena,
                                   covey_error *err)
{
    const covey_attack_channel *first = &a->target->channel, *second = &b->target->channel;
    uint32_t *place = covey_arena_array(arena, uint32_t, first->n), n = 0;

    if (!place)
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < second->n; i++) {
        const uint32_t v = b->value_of[second->value[i]];

        if (v != UINT32_MAX && first->index[v] != UINT32_MAX) {
            place[first->index[v]] = i;
            n++;
        }
    }
    if (n != first->n || n != second->n)
        return covey_fail(err, COVEY_EINVAL, "the releases do not have the same sensitive values");
    *out = place;
    return COVEY_OK;
}

static covey_status two_draws(struct draws *out, const struct side side[2], const covey_attack_target *t,
                              covey_arena *arena, covey_error *err)
{
    const covey_attack_channel *a = &side[0].target->channel, *b = &side[1].target->channel;
    double *quiet = covey_arena_array(arena, double, a->n), base = 0;
    uint32_t likely[3], *of_b = NULL;

    *out = (struct draws){0, 0};
    if (!quiet)
        return covey_i_no_memory(err);
    COVEY_TRY(match_channels(&of_b, &side[0], &side[1], arena, err));
    for (uint32_t i = 0; i < a->n; i++) {
        quiet[i] = covey_i_attack_prior(t, a->value[i]) * (1 - a->alpha[i]) / a->n * (1 - b->alpha[of_b[i]]) / b->n;
        base += quiet[i];
    }
    find_likely(likely, quiet, a->n);
    for (uint32_t v = 0; v < a->n; v++)
        for (uint32_t w = 0; w < a->n; w++) {
            const double pv = covey_i_attack_prior(t, a->value[v]), pw = covey_i_attack_prior(t, a->value[w]);
            const double of_v = pv * covey_i_attack_shows(a, v, v) * covey_i_attack_shows(b, of_b[v], of_b[w]);
            const double of_w = pw * covey_i_attack_shows(a, w, v) * covey_i_attack_shows(b, of_b[w], of_b[w]);
            const double sum = base - quiet[v] + of_v + (w != v ? of_w - quiet[w] : 0);

            try_draws(out, of_v, sum, t->caps.share[a->value[v]]);
            try_draws(out, of_w, sum, t->caps.share[a->value[w]]);
            for (int i = 0; i < 3; i++)
                if (likely[i] != UINT32_MAX && likely[i] != v && likely[i] != w)
                    try_draws(out, quiet[likely[i]], sum, t->caps.share[a->value[likely[i]]]);
        }
    return COVEY_OK;
}

/* --- results --- */

static void report(covey_attack_maker *out, const struct figures *f, const struct draws *draws,
                   const struct side side[2], const covey_attack_target *t, const char *sentence)
{
    const double n = (double)f->n;
    char drawn[SENTENCE_SIZE] = "";
    double cap = 0;

    out->result.figure = draws ? draws->most : f->most;
    for (uint32_t v = 0; v < t->n_values; v++)
        cap = fmax(cap, t->prior[v] > 0 ? t->caps.share[v] : 0);
    if (t->caps.n > 0) {
        out->result.bound = cap;
        out->result.verdict =
            f->above > 0 || (draws && draws->excess > 1 + 1e-12) ? COVEY_ATTACK_EXCEEDS : COVEY_ATTACK_SAFE;
    }
    covey_i_attack_integer(out, "compared_rows", f->n);
    covey_i_attack_number(out, "mean", f->mean / n);
    covey_i_attack_number(out, "max", f->most);
    covey_i_attack_number(out, "single_share", (double)f->single / n);
    covey_i_attack_number(out, "above_share", t->caps.n > 0 ? (double)f->above / n : NAN);
    covey_i_attack_number(out, "largest_excess", t->caps.n > 0 ? (draws ? draws->excess : f->excess) : NAN);
    covey_i_attack_number(out, "first_alone", f->alone[0] / n);
    covey_i_attack_number(out, "second_alone", f->alone[1] / n);
    covey_i_attack_number(out, "crude_intersection", f->crude / n);
    covey_i_attack_integer(out, "impossible_rows", f->impossible);
    if (draws)
        snprintf(
            drawn, sizeof drawn,
            " What the releases show is drawn at random: by two values that may come together, some value is known "
            "with a chance of up to %.3g%%, which is the figure.",
            100 * draws->most);
    covey_i_attack_words(out,
                         "Who knows a row's class in both releases knows the value with a chance of up to %.3g%%, "
                         "on average of %.3g%%; from one "
                         "release alone, of %.3g%% and %.3g%%. For %.3g%% of the rows only one value is left.%s%s",
                         100 * f->most, 100 * f->mean / n, 100 * f->alone[0] / n, 100 * f->alone[1] / n,
                         100 * (double)f->single / n, drawn, sentence);
}

/* Over persons; sentence: what is to be said of it. */
static covey_status report_persons(covey_attack_maker *out, char sentence[SENTENCE_SIZE], covey_composition_persons *of,
                                   covey_attacked *r, const covey_attack_target *t, const covey_attack_target *other,
                                   covey_arena *arena, covey_error *err)
{
    const bool bounded = t->persons->caps.n > 0;
    double n;

    COVEY_TRY(covey_i_composition_persons_find(of, r, t, other, arena, err));
    covey_i_attack_integer(out, "compared_persons", of->n_persons);
    if (of->n == 0)
        return COVEY_OK;
    n = (double)of->n;
    covey_i_attack_number(out, "person_max", of->most);
    covey_i_attack_number(out, "person_mean", of->mean / n);
    covey_i_attack_number(out, "person_single_share", (double)of->single / (double)of->n_persons);
    covey_i_attack_number(out, "person_above_share", bounded ? (double)of->above / n : NAN);
    covey_i_attack_number(out, "person_first_alone", of->alone[0] / n);
    covey_i_attack_number(out, "person_second_alone", of->alone[1] / n);
    covey_i_attack_integer(out, "fewest_persons_in_common", of->fewest);
    covey_i_attack_integer(out, "impossible_of_persons", of->impossible);
    snprintf(sentence, SENTENCE_SIZE,
             " Who knows a person's class in both takes the person to have a value with a chance of up to %.3g%%, on "
             "average of %.3g%%; the classes of a person have %lld person%s in common at least.",
             100 * of->most, 100 * of->mean / n, (long long)of->fewest, covey_i_plural(of->fewest));
    return COVEY_OK;
}

/* Two tables: rows are not the same, but persons may be. */
static covey_status run_persons(covey_attack_maker *out, covey_attacked *r, covey_attack_target *t,
                                const covey_attack_target *other, covey_arena *arena, covey_error *err)
{
    const covey_attack_caps *caps = &t->persons->caps;
    char sentence[SENTENCE_SIZE] = "";
    covey_composition_persons of;
    double cap = 0;

    COVEY_TRY(report_persons(out, sentence, &of, r, t, other, arena, err));
    if (of.n == 0) {
        covey_i_attack_not(out, "nobody is published by both releases");
        return COVEY_OK;
    }
    out->result.figure = of.most;
    out->result.over = "persons";
    out->result.prior = covey_i_attack_prior(t->persons, t->persons->most_frequent);
    for (uint32_t v = 0; v < t->n_values && caps->n > 0; v++)
        cap = fmax(cap, t->persons->prior[v] > 0 ? caps->share[v] : 0);
    if (caps->n > 0) {
        out->result.bound = cap;
        out->result.verdict = of.above > 0 ? COVEY_ATTACK_EXCEEDS : COVEY_ATTACK_SAFE;
    }
    covey_i_attack_words(out, "%lld person%s in both releases.%s", (long long)of.n_persons,
                         of.n_persons == 1 ? " is" : "s are", sentence);
    return COVEY_OK;
}

static covey_status run_rows(covey_attack_maker *out, covey_attacked *r, covey_attack_target *t,
                             covey_attack_target *other, covey_arena *arena, covey_error *err)
{
    const bool twice = r->form == COVEY_ATTACKED_PERTURBED && r->with->form == COVEY_ATTACKED_PERTURBED;
    char sentence[SENTENCE_SIZE] = "";
    covey_composition_persons persons = {0};
    struct figures f = {0};
    struct draws draws;
    struct side side[2];

    COVEY_TRY(start_side(&side[0], r, t, t, arena, err));
    COVEY_TRY(start_side(&side[1], r->with, other, t, arena, err));
    COVEY_TRY(look_at_rows(&f, side, t, arena, err));
    if (twice)
        COVEY_TRY(two_draws(&draws, side, t, arena, err));
    if (f.n == 0) {
        covey_i_attack_not(out, "no row is published by both releases");
        return COVEY_OK;
    }
    if (t->persons && other->persons)
        COVEY_TRY(report_persons(out, sentence, &persons, r, t, other, arena, err));
    report(out, &f, twice ? &draws : NULL, side, t, sentence);
    if (persons.above > 0)
        out->result.verdict = COVEY_ATTACK_EXCEEDS;
    return COVEY_OK;
}

static covey_status run(covey_attack_maker *out, covey_attacked *r, covey_attack_target *t, covey_arena *arena,
                        covey_error *err)
{
    covey_attack_target *other = covey_i_attack_target_of(r->with, t->view->name);

    if (!other) {
        covey_i_attack_not(out, "the other release does not publish \"%s\" as a sensitive attribute", t->view->name);
        return COVEY_OK;
    }
    if (r->options->releases_ledger)
        return covey_i_composition_releases(out, r, t, other, arena, err);
    return r->options->with_original ? run_persons(out, r, t, other, arena, err)
                                     : run_rows(out, r, t, other, arena, err);
}

const covey_attack covey_attack_composition = {
    .name = "composition",
    .summary = "puts together what two releases of the same rows say",
    .figure = "largest posterior of a row's true value",
    .level = "A2",
    .source = "Ganta08, section 3",
    .forms = COVEY_ATTACKED_WITH_CLASSES | COVEY_ATTACKED_PERTURBED,
    .needs = COVEY_ATTACK_NEEDS_ORIGINAL | COVEY_ATTACK_NEEDS_WITH,
    .needs_with_ledger = COVEY_ATTACK_NEEDS_WITH,
    .per_attribute = true,
    .over = COVEY_ATTACK_OVER_BOTH,
    .run = run,
};
