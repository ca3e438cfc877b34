/* Who knows the quasi-identifiers of all rows of a person knows the class in which they are.  There a row is that
 * person's with a chance of m/n, m of the n rows being the person's, and the person is one of the e that the class has.
 * Of m the files tell a bound, k's or the largest one's rows.  Source: docs/design/units.md. */
#include "attack/linkage/units.h"

#include <math.h>
#include <string.h>

#include "attack/persons.h"
#include "base/plural.h"
#include "base/error.h"
#include "reader/form_impl.h"
#include "reader/units.h"

/* The largest k that is promised over shares of units; 0: none is. */
static int64_t promised_k(const covey_attacked *r)
{
    int64_t k = 0;

    for (size_t p = 0; p < r->stated->n_promises; p++) {
        const covey_stated_promise *promise = &r->stated->promise[p];

        for (size_t i = 0; i < promise->n_params && promise->units == COVEY_UNITS_SHARE; i++) {
            covey_ratio stated;

            if (strcmp(promise->param_name[i], "k") == 0 &&
                covey_ratio_parse(&stated, promise->param_text[i], NULL) == COVEY_OK && stated.den == 1 &&
                stated.num > k)
                k = stated.num;
        }
    }
    return k;
}

/* A class and what one of its units has at most. */
struct worst {
    int64_t largest, n_rows, fewest;
    uint32_t n_units_alone; /* units that are alone in their class */
    int64_t n_units;
    bool is_kept; /* nobody has more than 1/k */
};

/* The most rows that a unit of each class has, which the publisher's list tells, or as far as the files do. */
static covey_status find_largest(const int64_t **out, const covey_attacked *r, covey_arena *arena, covey_error *err)
{
    const covey_attack_persons *p = r->persons;
    int64_t *largest, *rows;

    *out = r->opened->units->largest;
    if (!p)
        return COVEY_OK;
    largest = covey_arena_array_zero(arena, int64_t, r->opened->n_classes);
    rows = covey_arena_array_zero(arena, int64_t, p->whole.n);
    if (!largest || !rows)
        return covey_i_no_memory(err);
    for (uint32_t row = 0; row < r->original->n_rows; row++) {
        const uint32_t class = p->class_of_row[row];
        const int64_t n = ++rows[p->whole.of_row[row]];

        if (class != UINT32_MAX && n > largest[class])
            largest[class] = n;
    }
    *out = largest;
    return COVEY_OK;
}

static void find_worst(struct worst *w, const covey_attacked *r, const int64_t *most, int64_t k)
{
    const covey_opened *opened = r->opened;

    *w = (struct worst){.largest = 0, .n_rows = 1, .is_kept = true};
    for (uint32_t c = 0; c < opened->n_classes; c++) {
        const int64_t n = (int64_t)opened->class_start[c + 1] - opened->class_start[c], largest = most[c],
                      n_units = opened->units->n_units[c];

        w->n_units += n_units;
        w->n_units_alone += n_units == 1;
        w->fewest = c == 0 || n_units < w->fewest ? n_units : w->fewest;
        w->is_kept &= (covey_i128)largest * k <= n;
        if ((covey_i128)largest * w->n_rows > (covey_i128)w->largest * n) {
            w->largest = largest;
            w->n_rows = n;
        }
    }
}

covey_status covey_i_attack_units(covey_attack_maker *out, const covey_attacked *r, int64_t k, const char *sentence,
                                  covey_arena *arena, covey_error *err)
{
    const int64_t *most;
    const char *one = r->stated->has_households ? "household" : "person";
    struct worst w;
    double mean;

    if (!r->opened->units || r->stated->published_as->is_exact) /* there rows show whose they are */
        return COVEY_OK;
    k = k > 0 ? k : promised_k(r);
    COVEY_TRY(find_largest(&most, r, arena, err));
    find_worst(&w, r, most, k);
    mean = (double)r->opened->n_classes / (double)w.n_units;
    covey_i_attack_fraction(out, w.largest, w.n_rows);
    out->result.bound = k > 0 ? 1 / (double)k : NAN;
    out->result.verdict = k == 0 ? COVEY_ATTACK_INFORMATION : w.is_kept ? COVEY_ATTACK_SAFE : COVEY_ATTACK_EXCEEDS;
    covey_i_attack_integer(out, "units", w.n_units);
    covey_i_attack_integer(out, "smallest_class_units", w.fewest);
    covey_i_attack_number(out, "unit_max", (double)w.largest / (double)w.n_rows);
    covey_i_attack_number(out, "unit_mean", mean);
    covey_i_attack_number(out, "unit_unique_share", (double)w.n_units_alone / (double)w.n_units);
    covey_i_attack_words(
        out,
        "Who knows the quasi-identifiers of all rows of a %s, and that it is in the table, takes a row "
        "of its class for one of its rows with a chance of at most %.3g%%, and picks it out of those "
        "of its class with one of %.3g%% on average; a class has %lld %s%s at least, as %s.%s",
        one, 100.0 * (double)w.largest / (double)w.n_rows, 100 * mean, (long long)w.fewest, one,
        covey_i_plural(w.fewest), r->persons ? "the original and the links show" : "the publisher states", sentence);
    return COVEY_OK;
}
