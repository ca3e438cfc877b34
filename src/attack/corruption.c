/* Corruption: who knows the sensitive values of some other rows of a class subtracts them and knows the rest better.
 *
 * Known are c rows of the class, at random among the others.  A row with value v keeps (n_v - r)/(g - c) where r of the
 * known rows have it, too: hypergeometric, so that all figures are exact and nothing is drawn.  The worst case knows
 * rows of other values only.  What a perturbed row's value is does not depend on other rows, as long as the prior is
 * fixed.
 *
 * Rows that are made up are nobody's, and nobody knows which they are: so many rows fewer can be known, and the others
 * stay among those that may be the person's.
 *
 * Over persons, where it is known whose rows they are, it is the same with persons known and persons left: of n who
 * have a value, of g of the class, r are among the c known ones.  Of groups whose persons have as many rows and one
 * value each the release itself says how many persons have it.
 *
 * Source: [Tao08]. */
#include "attack/attack_impl.h"

#include <math.h>
#include <stdio.h>

#include "attack/channel.h"
#include "base/error.h"
#include "reader/form_impl.h"
#include "reader/units.h"

enum { N_AMOUNTS = 6, SENTENCE_SIZE = 160 };

/* The rows that are known: so many, half of the others, or all of them. */
static const struct {
    const char *name;
    int64_t n;
} amounts[N_AMOUNTS] = {{"1", 1}, {"2", 2}, {"5", 5}, {"10", 10}, {"half", 0}, {"all but one", 0}};

struct corruption {
    double sum, certain, above; /* over rows */
    double rows;                /* that are somebody's */
    int64_t n, size;            /* largest posterior: n/size */
};

static int64_t known_rows(int amount, int64_t own)
{
    const int64_t others = own - 1, wanted = amount == 4 ? own / 2 : amount == 5 ? others : amounts[amount].n;

    return wanted < others ? wanted : others;
}

static double log_choose(int64_t n, int64_t k)
{
    return lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
}

/* The chance that at most `most` of c known rows, of `others`, are among the `alike` ones. */
static double chance_at_most(int64_t most, int64_t c, int64_t others, int64_t alike)
{
    const int64_t first = c > others - alike ? c - (others - alike) : 0, last = c < alike ? c : alike;
    double p, sum;

    if (most >= last)
        return 1;
    if (most < first)
        return 0;
    sum = p = exp(log_choose(alike, first) + log_choose(others - alike, c - first) - log_choose(others, c));
    for (int64_t r = first; r < most; r++) {
        p *= (double)(alike - r) / (double)(r + 1) * (double)(c - r) / (double)(others - alike - c + r + 1);
        sum += p;
    }
    return sum < 1 ? sum : 1;
}

/* The most known rows of the own value that leave the posterior above what is allowed, -1: none do. */
static int64_t most_above(const covey_attack_target *t, uint32_t value, int64_t n, int64_t left)
{
    int64_t low = -1, high = n - 1; /* above at low, not above beyond high */

    while (low < high) {
        const int64_t middle = low + (high - low + 1) / 2;

        if (!covey_i_attack_admits(&t->caps, value, (covey_u128)(n - middle), (covey_u128)left))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Of the size rows of a class own are somebody's, each as likely. */
static void add_value(struct corruption *of, const covey_attack_target *t, uint32_t value, int64_t n, int64_t size,
                      int64_t own, int amount)
{
    const double rows = own < size ? (double)n * (double)own / (double)size : (double)n;
    const int64_t c = known_rows(amount, own), others = size - 1, left = size - c, worst = c < size - n ? c : size - n;

    of->rows += rows;
    of->sum += rows * ((double)n - (others > 0 ? (double)c * (double)(n - 1) / (double)others : 0)) / (double)left;
    if ((covey_i128)n * of->size > (covey_i128)of->n * (size - worst)) {
        of->n = n;
        of->size = size - worst;
    }
    if (c >= size - n) /* all rows of other values may be among the known ones */
        of->certain += rows * chance_at_most(c - (size - n), c, others, n - 1);
    if (t->caps.n > 0)
        of->above += rows * chance_at_most(most_above(t, value, n, left), c, others, n - 1);
}

/* The largest c such that nobody who knows c rows exceeds what is allowed: lowered by one value of one class. */
static void lower_harmless(int64_t *harmless, const covey_attack_target *t, uint32_t value, int64_t n, int64_t size,
                           int64_t own)
{
    int64_t low = -1, high;

    high = *harmless < size - n ? *harmless : size - n;
    high = high < own - 1 ? high : own - 1; /* there are no more to know */
    if (covey_i_attack_admits(&t->caps, value, (covey_u128)n, (covey_u128)(size - high)))
        return;
    while (low + 1 < high) { /* harmless at low, not at high */
        const int64_t middle = low + (high - low) / 2;

        if (middle >= 0 && covey_i_attack_admits(&t->caps, value, (covey_u128)n, (covey_u128)(size - middle)))
            low = middle;
        else
            high = middle;
    }
    *harmless = low;
}

/* What is found of all classes, over rows or over persons. */
struct found {
    struct corruption of[N_AMOUNTS];
    int64_t harmless; /* so many may be known while nobody exceeds what is allowed; INT64_MAX: nothing is */
};

static void look(struct found *out, const covey_attack_target *t)
{
    *out = (struct found){.harmless = INT64_MAX};
    for (int a = 0; a < N_AMOUNTS; a++)
        out->of[a].size = 1;
    for (uint32_t c = 0; c < t->n_classes; c++) {
        const int64_t own = t->size[c] - (t->made_up ? t->made_up[c] : 0);

        for (uint32_t e = t->start[c]; e < t->start[c + 1]; e++) {
            for (int a = 0; a < N_AMOUNTS; a++)
                add_value(&out->of[a], t, t->entry[e].value, t->entry[e].n, t->size[c], own, a);
            if (t->caps.n > 0)
                lower_harmless(&out->harmless, t, t->entry[e].value, t->entry[e].n, t->size[c], own);
        }
    }
}

static void list_amounts(covey_attack_maker *out, const char *name, const struct corruption *of, bool bounded)
{
    static const char *const columns[] = {"known", "mean", "max", "certain_share", "above_share", NULL};

    covey_i_attack_table(out, name, columns);
    for (int a = 0; a < N_AMOUNTS; a++) {
        covey_i_attack_cell_text(out, amounts[a].name);
        covey_i_attack_cell_number(out, of[a].sum / of[a].rows);
        covey_i_attack_cell_number(out, (double)of[a].n / (double)of[a].size);
        covey_i_attack_cell_number(out, of[a].certain / of[a].rows);
        covey_i_attack_cell_number(out, bounded ? of[a].above / of[a].rows : NAN);
    }
    covey_i_attack_end_table(out);
}

static void report_found(covey_attack_maker *out, const char *harmless, const char *table, const struct found *found,
                         const covey_attack_target *t)
{
    if (t->caps.n > 0 && found->harmless < INT64_MAX)
        covey_i_attack_integer(out, harmless, found->harmless);
    else
        covey_i_attack_number(out, harmless, NAN);
    list_amounts(out, table, found->of, t->caps.n > 0);
}

static void report_persons(covey_attack_maker *out, char sentence[SENTENCE_SIZE], const covey_attack_target *t)
{
    struct found found;
    double most;

    look(&found, t);
    if (!(found.of[0].rows > 0))
        return;
    most = (double)found.of[0].n / (double)found.of[0].size;
    covey_i_attack_number(out, "person_max", most);
    report_found(out, "harmless_known_persons", "known_persons", &found, t);
    snprintf(sentence, SENTENCE_SIZE,
             " Who knows the values of one other person of a class takes a person to have a value with a chance of up "
             "to %.3g%%.",
             100 * most);
}

/* Persons instead of rows, of groups whose persons have as many rows and one value each. */
static covey_status count_persons(covey_attack_target *out, const covey_attacked *r, const covey_attack_target *t,
                                  covey_arena *arena, covey_error *err)
{
    const covey_opened_units *units = r->opened->units;
    covey_class_value *entry;
    int64_t *size;

    *out = *t;
    out->n_classes = r->opened->n_classes; /* whose the suppressed rows are is not said */
    out->entry = entry = covey_arena_array(arena, covey_class_value, t->start[out->n_classes]);
    out->size = size = covey_arena_array(arena, int64_t, out->n_classes);
    if (!entry || !size)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < out->n_classes; c++) {
        size[c] = units->n_units[c];
        for (uint32_t e = t->start[c]; e < t->start[c + 1]; e++) {
            entry[e] = t->entry[e];
            entry[e].n /= units->largest[c];
        }
    }
    return COVEY_OK;
}

static covey_status run_classes(covey_attack_maker *out, const covey_attack_target *t)
{
    char sentence[SENTENCE_SIZE] = "";
    struct found found;

    look(&found, t);
    if (!(found.of[0].rows > 0)) {
        covey_i_attack_not(out, "the release has no rows");
        return COVEY_OK;
    }
    covey_i_attack_fraction(out, found.of[0].n, found.of[0].size);
    report_found(out, "harmless_known_rows", "known_rows", &found, t);
    if (t->persons) {
        report_persons(out, sentence, t->persons);
        out->counts_persons = true;
    }
    covey_i_attack_words(out,
                         "Who knows one other row of a class knows a row's value with a chance of up to "
                         "%.3g%%; who knows ten, of up to "
                         "%.3g%%. Nothing was promised about it.%s",
                         100 * out->result.figure, 100 * (double)found.of[3].n / (double)found.of[3].size, sentence);
    return COVEY_OK;
}

/* --- values at random --- */

/* The largest of numbers, and the largest beside that: what is the largest of all but one is one of both. */
struct two_largest {
    double first, second;
    uint32_t of_first, of_second;
};

static void take_number(struct two_largest *l, double number, uint32_t of)
{
    if (number > l->first)
        *l = (struct two_largest){number, l->first, of, l->of_first};
    else if (number > l->second)
        *l = (struct two_largest){l->first, number, l->of_first, of};
}

/* A row that shows v has the value i with the chance w[i] / (sum of all w + prior[v] alpha[v]), where w[i] is that of
 * being drawn as any value; and v itself with prior[v] alpha[v] more. */
static void find_worst(double *most, double *gain, uint32_t *worst, const covey_attack_target *t)
{
    const covey_attack_channel *c = &t->channel;
    struct two_largest drawn = {-1, -1, 0, 0}, miss = {-1, -1, 0, 0};
    double sum = 0;

    for (uint32_t i = 0; i < c->n; i++) {
        const double chance = (1 - c->alpha[i]) / c->n, w = covey_i_attack_prior(t, c->value[i]) * chance;

        sum += w;
        take_number(&drawn, w, i);
        take_number(&miss, chance, i);
    }
    *most = *gain = 0;
    for (uint32_t v = 0; v < c->n; v++) {
        const double prior = covey_i_attack_prior(t, c->value[v]), shows = covey_i_attack_shows(c, v, v);
        const double all = sum + prior * c->alpha[v], own = prior * shows / all;
        const uint32_t other = drawn.of_first == v ? drawn.of_second : drawn.of_first;
        const double of_other = (drawn.of_first == v ? drawn.second : drawn.first) / all;

        if (own > *most || of_other > *most) {
            *worst = c->value[own > of_other || (own == of_other && v < other) ? v : other];
            *most = fmax(own, of_other);
        }
        *gain = fmax(*gain, fmax(shows, miss.of_first == v ? miss.second : miss.first) / all);
    }
}

static covey_status run_perturbed(covey_attack_maker *out, const covey_attacked *r, const covey_attack_target *t)
{
    double most, gain;
    uint32_t worst = 0;
    bool broken = false;

    find_worst(&most, &gain, &worst, t);
    for (size_t p = 0; p < r->stated->n_promises; p++)
        broken |= r->broken[p]; /* the audit has compared all posteriors, in integers */
    out->result.figure = most;
    out->result.level = "A2";
    if (t->caps.n > 0)
        covey_i_attack_judge(out, t->caps.share[worst], !broken);
    covey_i_attack_number(out, "largest_ratio", gain);
    covey_i_attack_words(out,
                         "Who sees a row's published value knows its true one with a chance of up to %.3g%%. Knowing "
                         "the values of other rows changes "
                         "nothing about it; what many rows say together is the attack naive-bayes.",
                         100 * most);
    return COVEY_OK;
}

static covey_status run(covey_attack_maker *out, covey_attacked *r, covey_attack_target *t, covey_arena *arena,
                        covey_error *err)
{
    covey_attack_target rows = *t, persons;

    if (r->form == COVEY_ATTACKED_PERTURBED)
        return run_perturbed(out, r, t);
    if (!t->persons && r->opened->units && r->stated->published_as->counts_unit_values) {
        COVEY_TRY(count_persons(&persons, r, t, arena, err));
        rows.persons = &persons;
    }
    return run_classes(out, &rows);
}

const covey_attack covey_attack_corruption = {
    .name = "corruption",
    .summary = "subtracts the values of rows that are known already",
    .figure = "largest posterior for who knows one row of the class",
    .level = "A2",
    .source = "Tao08, section 2",
    .forms = COVEY_ATTACKED_GENERALIZED | COVEY_ATTACKED_BUCKETIZED | COVEY_ATTACKED_PERTURBED | COVEY_ATTACKED_SLICED,
    .not_for = {[3] = "which of a group's intervals belongs to a row that is known is not published, and some may be "
                      "made up: nothing can be subtracted"},
    .per_attribute = true,
    .over = COVEY_ATTACK_OVER_BOTH,
    .run = run,
};
