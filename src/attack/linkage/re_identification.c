/* Re-identification: which row belongs to a person whose quasi-identifiers are known?
 *
 * Prosecutor: the person is known to be in the table; the chance is 1 over the rows that look alike.  Journalist: a row
 * belongs to somebody of a larger population; 1 over the people of the population who look alike (--population).
 * Marketer: what share of all rows is matched rightly on average.  With sampling weights the rows that look alike are a
 * sample, and the population's people are estimated; with entities (households), somebody is found if any member is.
 *
 * Where the release has units, persons or households, the figure is over these (units.h).
 *
 * Source: [ElEmam08] table 1; individual risk: [BenedettiFranconi98]. */
#include "attack/attack_impl.h"
#include "attack/linkage/people.h"
#include "attack/linkage/risk.h"
#include "attack/linkage/units.h"
#include "base/error.h"
#include "reader/units.h"

#include <stdio.h>
#include <string.h>

enum { SENTENCE_SIZE = 256 };

/* Rows that look alike. */
struct alike {
    uint32_t n;          /* sets of them */
    const int64_t *size; /* [n] */
    const uint32_t *row; /* [n] a published row of each; NULL: they are classes */
};

static int64_t smallest_k(const covey_attacked *r)
{
    int64_t k = r->options->k;

    for (size_t p = 0; p < r->stated->n_promises && r->options->k == 0; p++)
        for (size_t i = 0; i < r->stated->promise[p].n_params; i++)
            if (strcmp(r->stated->promise[p].param_name[i], "k") == 0 && r->form == COVEY_ATTACKED_GENERALIZED) {
                covey_ratio stated;

                if (covey_ratio_parse(&stated, r->stated->promise[p].param_text[i], NULL) == COVEY_OK &&
                    stated.den == 1 && stated.num > k)
                    k = stated.num;
            }
    return k;
}

/* How many rows have a risk above the usual thresholds; 1 in 11 is above 0.09. */
static void list_thresholds(covey_attack_maker *out, const struct alike *alike, int64_t n_rows)
{
    static const char *const columns[] = {"risk", "rows", "share", NULL};
    static const struct {
        double risk;
        int64_t most; /* rows that look alike where the risk is above */
    } thresholds[] = {{0.5, 1}, {0.2, 4}, {0.09, 11}, {0.05, 19}};

    covey_i_attack_table(out, "above", columns);
    for (size_t t = 0; t < sizeof thresholds / sizeof *thresholds; t++) {
        int64_t rows = 0;

        for (uint32_t c = 0; c < alike->n; c++)
            rows += alike->size[c] <= thresholds[t].most ? alike->size[c] : 0;
        covey_i_attack_cell_number(out, thresholds[t].risk);
        covey_i_attack_cell_integer(out, rows);
        covey_i_attack_cell_number(out, (double)rows / (double)n_rows);
    }
    covey_i_attack_end_table(out);
}

static void judge(covey_attack_maker *out, const covey_attacked *r, int64_t smallest)
{
    const int64_t k = smallest_k(r);

    covey_i_attack_fraction(out, 1, smallest);
    if (k > 0) {
        out->result.bound = 1 / (double)k;
        out->result.verdict = smallest >= k ? COVEY_ATTACK_SAFE : COVEY_ATTACK_EXCEEDS;
    }
}

/* sentence: what else is to be said. */
static void report_alike(covey_attack_maker *out, const covey_attacked *r, const struct alike *alike,
                         const char *sentence)
{
    int64_t smallest = INT64_MAX, n_rows = 0, unique = 0, below = 0;
    const int64_t k = smallest_k(r);
    char most[64];

    for (uint32_t c = 0; c < alike->n; c++) {
        smallest = alike->size[c] < smallest ? alike->size[c] : smallest;
        n_rows += alike->size[c];
        unique += alike->size[c] == 1;
        below += alike->size[c] < k ? alike->size[c] : 0;
    }
    judge(out, r, smallest);
    covey_i_attack_integer(out, "smallest_class", smallest);
    covey_i_attack_number(out, "prosecutor_max", 1 / (double)smallest);
    covey_i_attack_number(out, "prosecutor_mean", (double)alike->n / (double)n_rows);
    covey_i_attack_integer(out, "expected_matches", (int64_t)alike->n);
    covey_i_attack_number(out, "marketer", (double)alike->n / (double)n_rows);
    covey_i_attack_number(out, "unique_share", (double)unique / (double)n_rows);
    if (k > 0)
        covey_i_attack_number(out, "below_k_share", (double)below / (double)n_rows);
    list_thresholds(out, alike, n_rows);
    snprintf(most, sizeof most, "finds it with a chance of at most 1 in %lld, on average of", (long long)smallest);
    covey_i_attack_words(out, "Who knows a row's quasi-identifiers, and that it is in the table, %s %.3g%%.%s%s",
                         smallest > 1 ? most
                                      : "finds it for certain where nobody is like it, on average with a chance of",
                         100.0 * (double)alike->n / (double)n_rows,
                         r->form == COVEY_ATTACKED_GENERALIZED ? ""
                         : r->form == COVEY_ATTACKED_SLICED
                             ? " What is found is the piece with the sensitive value, in the row's bucket."
                             : " The quasi-identifiers are published as they are: a row is looked up, not guessed.",
                         sentence);
}

/* Somebody picks a row, and looks for its person among those of the population who look alike. */
static covey_status report_journalist(covey_attack_maker *out, char sentence[SENTENCE_SIZE], const covey_attacked *r,
                                      const struct alike *alike, covey_arena *arena, covey_error *err)
{
    covey_attack_people people;
    int64_t fewest = INT64_MAX, n_looked_for = 0, uniques = 0;
    double matches = 0;

    sentence[0] = '\0';
    if (!r->population || r->form == COVEY_ATTACKED_SLICED)
        return COVEY_OK;
    COVEY_TRY(covey_i_attack_people_make(&people, r, arena, err));
    for (uint32_t c = 0; c < alike->n; c++) {
        const int64_t size = alike->row ? alike->size[c] : covey_i_attack_people_in_class(r, c);
        int64_t n;

        COVEY_TRY(alike->row ? covey_i_attack_people_like(&n, &people, r, alike->row[c], size, err)
                             : covey_i_attack_people_of_class(&n, &people, r, c, err));
        fewest = n < fewest ? n : fewest;
        n_looked_for += size;
        uniques += size == 1 && n == 1;
        matches += (double)size / (double)n;
    }
    covey_i_attack_integer(out, "fewest_people", fewest);
    covey_i_attack_number(out, "journalist_max", 1 / (double)fewest);
    covey_i_attack_number(out, "journalist_mean", matches / (double)n_looked_for);
    covey_i_attack_number(out, "journalist_expected_matches", matches);
    covey_i_attack_integer(out, "population_uniques", uniques);
    covey_i_attack_integer(out, "population", people.n);
    snprintf(sentence, SENTENCE_SIZE,
             " Who does not know who is in the table, and looks among the %lld people of the population, finds %s "
             "with a "
             "chance of at most 1 in %lld, on average of %.3g%%.",
             (long long)people.n, r->opened->units ? "the person of some rows" : "a row's person", (long long)fewest,
             100 * matches / (double)n_looked_for);
    return COVEY_OK;
}

/* Classes of the form generalized, sets of pieces of the form sliced. */
static covey_status alike_classes(struct alike *out, const covey_attacked *r, covey_arena *arena, covey_error *err)
{
    int64_t *size = covey_arena_array(arena, int64_t, r->opened->n_classes);

    if (r->form == COVEY_ATTACKED_SLICED) { /* pieces of a bucket that agree with the person */
        *out = (struct alike){r->target[0].n_classes, r->target[0].rows, NULL};
        return COVEY_OK;
    }
    if (!size)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < r->opened->n_classes; c++)
        size[c] = (int64_t)r->opened->class_start[c + 1] - r->opened->class_start[c];
    *out = (struct alike){r->opened->n_classes, size, NULL};
    return COVEY_OK;
}

/* Rows whose exact quasi-identifiers are the same. */
static covey_status alike_rows(struct alike *out, const covey_attacked *r, covey_arena *arena, covey_error *err)
{
    const covey_column **column = covey_arena_array(arena, const covey_column *, r->opened->n_quasi);
    covey_points points;
    uint32_t *row;
    int64_t *size;

    if (!column)
        return covey_i_no_memory(err);
    for (size_t q = 0; q < r->opened->n_quasi; q++)
        column[q] = r->opened->column[r->opened->quasi[q]].text;
    COVEY_TRY(covey_i_points_make(&points, column, r->opened->n_quasi, r->opened->n_rows, arena, err));
    size = covey_arena_array(arena, int64_t, points.n);
    row = covey_arena_array(arena, uint32_t, points.n);
    if (!size || !row)
        return covey_i_no_memory(err);
    for (uint32_t p = 0; p < points.n; p++) {
        size[p] = points.n_rows[p];
        row[p] = points.row[points.start[p]];
    }
    *out = (struct alike){points.n, size, row};
    return COVEY_OK;
}

static covey_status run(covey_attack_maker *out, covey_attacked *r, covey_attack_target *none, covey_arena *arena,
                        covey_error *err)
{
    struct alike alike = {0};
    char sentence[SENTENCE_SIZE];

    if (r->opened->n_rows == 0) {
        covey_i_attack_not(out, "the release has no rows");
        return COVEY_OK;
    }
    if (r->form == COVEY_ATTACKED_GENERALIZED || r->form == COVEY_ATTACKED_SLICED)
        COVEY_TRY(alike_classes(&alike, r, arena, err));
    else
        COVEY_TRY(alike_rows(&alike, r, arena, err));
    if (r->opened->units)
        COVEY_TRY(covey_i_opened_units_check(r->opened, err));
    COVEY_TRY(report_journalist(out, sentence, r, &alike, arena, err));
    report_alike(out, r, &alike, sentence);
    COVEY_TRY(covey_i_attack_units(out, r, r->options->k, sentence, arena, err));
    return covey_i_attack_sampling_risks(out, r, arena, err);
}

const covey_attack covey_attack_re_identification = {
    .name = "re-identification",
    .summary = "looks for a row whose quasi-identifiers are known",
    .figure = "largest chance to pick the right row",
    .level = "A2",
    .source = "ElEmam08, table 1",
    .forms = COVEY_ATTACKED_WITH_CLASSES | COVEY_ATTACKED_PERTURBED,
    .over = COVEY_ATTACK_OVER_UNITS,
    .run = run,
};
