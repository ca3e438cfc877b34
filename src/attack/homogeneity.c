/* Homogeneity: where all rows of a class have the same sensitive value, everybody in it is known to have it.  The
 * figure is the largest share of a value in a class.
 *
 * Of persons with several rows a value may be certain where no class is filled by it: all persons of a class may have
 * it in one row at least, or somebody may have more rows than there are without it.
 *
 * Who knows which values nobody in the table has any more knows rows that have them for made-up ones: a person's is one
 * of the others, each as likely.
 *
 * Source: [Machanavajjhala06] section 2.1. */
#include "attack/attack_impl.h"

#include <math.h>
#include <stdio.h>

#include "attack/persons.h"
#include "base/error.h"

enum { SENTENCE_SIZE = 200 };

/* The value that may fill the largest share of a class. */
static uint32_t least_bounded(const covey_attack_target *t)
{
    uint32_t most = 0;

    for (uint32_t v = 1; v < t->n_values; v++)
        if (t->caps.share[v] > t->caps.share[most])
            most = v;
    return most;
}

static int64_t most_of_class(const covey_attack_target *t, uint32_t c)
{
    int64_t most = 0;

    for (uint32_t e = t->start[c]; e < t->start[c + 1]; e++)
        most = t->entry[e].n > most ? t->entry[e].n : most;
    return most;
}

/* Persons with more rows than their class has without its most frequent value: whichever rows are theirs, they have
 * it. */
static covey_status count_certain(int64_t *out, const covey_attacked *r, const covey_attack_target *t,
                                  covey_arena *arena, covey_error *err)
{
    const covey_attack_persons *p = r->persons;
    int64_t *left = covey_arena_array(arena, int64_t, t->n_classes),
            *rows = covey_arena_array_zero(arena, int64_t, p->person.n);

    if (!left || !rows)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < t->n_classes; c++)
        left[c] = t->size[c] - most_of_class(t, c);
    for (uint32_t row = 0; row < r->original->n_rows; row++)
        rows[p->person.of_row[row]]++;
    *out = 0;
    for (uint32_t u = 0; u < p->person.n; u++)
        if (p->class_of_person[u] != UINT32_MAX)
            *out += rows[u] > left[p->class_of_person[u]];
    return COVEY_OK;
}

static covey_status report_persons(covey_attack_maker *out, char sentence[SENTENCE_SIZE], const covey_attacked *r,
                                   const covey_attack_target *t, covey_arena *arena, covey_error *err)
{
    const covey_attack_target *persons = t->persons;
    int64_t n = 0, size = 1, alike = 0, certain = 0;

    for (uint32_t c = 0; c < persons->n_classes; c++) {
        const int64_t most = most_of_class(persons, c);

        if ((covey_i128)most * size > (covey_i128)n * persons->size[c]) {
            n = most;
            size = persons->size[c];
        }
        alike += most == persons->size[c] ? most : 0;
    }
    COVEY_TRY(count_certain(&certain, r, t, arena, err));
    covey_i_attack_number(out, "person_max", (double)n / (double)size);
    covey_i_attack_integer(out, "alike_persons", alike);
    covey_i_attack_integer(out, "certain_persons", certain);
    snprintf(sentence, SENTENCE_SIZE,
             " Of the persons of a class up to %.3g%% have a value in one row at least; %lld person%s more rows than "
             "there are without a value, which is certain then.",
             100 * (double)n / (double)size, (long long)certain, certain == 1 ? " has" : "s have");
    return COVEY_OK;
}

/* The largest share of a value among the rows of a class that may be somebody's. */
static void report_present(covey_attack_maker *out, char sentence[SENTENCE_SIZE], const covey_attack_target *t)
{
    double largest = 0;

    for (uint32_t c = 0; c < t->n_classes; c++) {
        int64_t present = 0, most = 0;

        for (uint32_t e = t->start[c]; e < t->start[c + 1]; e++)
            if (t->prior[t->entry[e].value] > 0) {
                present += t->entry[e].n;
                most = t->entry[e].n > most ? t->entry[e].n : most;
            }
        if (covey_i_attack_own_rows(t, c) > 0)
            largest = fmax(largest, (double)most / (double)present);
    }
    covey_i_attack_number(out, "present_max", largest);
    if (largest > out->result.figure)
        snprintf(
            sentence, SENTENCE_SIZE,
            " For who knows which values nobody in the table has any more, one fills up to %.3g%% of what is left.",
            100 * largest);
}

static covey_status run(covey_attack_maker *out, covey_attacked *release, covey_attack_target *t, covey_arena *arena,
                        covey_error *err)
{
    int64_t n = 0, size = 1, certain = 0, half = 0, all = 0;
    uint32_t n_certain = 0;
    char sentence[SENTENCE_SIZE] = "";

    for (uint32_t c = 0; c < t->n_classes; c++) {
        const int64_t most = most_of_class(t, c), own = covey_i_attack_own_rows(t, c);

        if ((covey_i128)most * size > (covey_i128)n * t->size[c]) {
            n = most;
            size = t->size[c];
        }
        n_certain += most == t->size[c];
        certain += most == t->size[c] ? own : 0;
        half += 2 * most >= t->size[c] ? own : 0;
        all += own;
    }
    if (all == 0) {
        covey_i_attack_not(out, "the release has no rows");
        return COVEY_OK;
    }
    covey_i_attack_fraction(out, n, size);
    if (t->caps.n > 0 && t->caps.share[least_bounded(t)] < 1)
        covey_i_attack_judge(out, t->caps.share[least_bounded(t)],
                             covey_i_attack_admits(&t->caps, least_bounded(t), (covey_u128)n, (covey_u128)size));
    covey_i_attack_integer(out, "certain_rows", certain);
    covey_i_attack_number(out, "certain_share", (double)certain / (double)all);
    covey_i_attack_integer(out, "certain_classes", n_certain);
    covey_i_attack_number(out, "half_share", (double)half / (double)all);
    if (t->persons)
        COVEY_TRY(report_persons(out, sentence, release, t, arena, err));
    if (release->original && release->stated->n_counterfeits > 0)
        report_present(out, sentence, t);
    if (release->form == COVEY_ATTACKED_TRANSFORMED)
        covey_i_attack_words(
            out, "Whoever believes the targets takes a row's value to be known with a chance of at most %.3g%%.",
            100 * out->result.figure);
    else
        covey_i_attack_words(out, "A value fills at most %.3g%% of a class. %s%s", 100 * out->result.figure,
                             certain > 0 ? "Every row of a class that it fills is known to have it."
                                         : "No row's value is certain.",
                             sentence);
    return COVEY_OK;
}

const covey_attack covey_attack_homogeneity = {
    .name = "homogeneity",
    .summary = "looks for classes in which a sensitive value is certain or nearly so",
    .figure = "largest share of a value in a class",
    .level = "A2",
    .source = "Machanavajjhala06, section 2.1",
    .forms = COVEY_ATTACKED_WITH_CLASSES,
    .not_for = {[2] = COVEY_ATTACK_NO_CLASSES},
    .per_attribute = true,
    .over = COVEY_ATTACK_OVER_BOTH,
    .run = run,
};
