/* Background knowledge: who can rule out some values for a person knows the others better.  Worst case: the e most
 * frequent of the other values of the class are ruled out.
 *
 * Source: [Machanavajjhala06] section 2.2. */
#include "attack/attack_impl.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/sort/compare.h"

enum { MOST_RULED_OUT = 3 };

struct exclusion {
    int64_t n, size; /* largest posterior so far: n/size */
    double sum;      /* of posteriors over rows */
    int64_t certain; /* rows that reach 1 */
};

/* The class's counts, the largest first. */
static uint32_t sort_counts(int64_t *count, const covey_attack_target *t, uint32_t class)
{
    const uint32_t n = t->start[class + 1] - t->start[class];

    for (uint32_t i = 0; i < n; i++)
        count[i] = t->entry[t->start[class] + i].n;
    qsort(count, n, sizeof *count, covey_i_compare_i64_down);
    return n;
}

/* How many values may be ruled out while the most frequent one stays at most as likely as all others together. */
static uint32_t tolerates(const int64_t *count, uint32_t n, int64_t size)
{
    uint32_t e = 0;

    if (2 * count[0] > size)
        return 0;
    while (e + 1 < n && 2 * count[0] <= size - count[e + 1])
        size -= count[++e];
    return e;
}

static void list_exclusions(covey_attack_maker *out, const struct exclusion *of, int64_t n_rows)
{
    static const char *const columns[] = {"ruled_out", "max", "mean", "certain_share", NULL};

    covey_i_attack_table(out, "exclusion", columns);
    for (int e = 1; e <= MOST_RULED_OUT; e++) {
        covey_i_attack_cell_integer(out, e);
        covey_i_attack_cell_number(out, (double)of[e].n / (double)of[e].size);
        covey_i_attack_cell_number(out, of[e].sum / (double)n_rows);
        covey_i_attack_cell_number(out, (double)of[e].certain / (double)n_rows);
    }
    covey_i_attack_end_table(out);
}

static covey_status run(covey_attack_maker *out, covey_attacked *release, covey_attack_target *t, covey_arena *arena,
                        covey_error *err)
{
    struct exclusion of[MOST_RULED_OUT + 1] = {{0, 1, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}};
    int64_t *count = covey_arena_array(arena, int64_t, t->n_values), n_rows = 0;
    uint32_t tolerant = UINT32_MAX;
    bool half = true;

    if (!count)
        return covey_i_no_memory(err);
    for (uint32_t c = 0; c < t->n_classes; c++) {
        const uint32_t n = sort_counts(count, t, c), e = tolerates(count, n, t->size[c]);
        const int64_t own = covey_i_attack_own_rows(t, c);
        int64_t left = t->size[c];

        for (uint32_t ruled_out = 1; ruled_out <= MOST_RULED_OUT; ruled_out++) {
            left -= ruled_out < n ? count[ruled_out] : 0;
            of[ruled_out].sum += (double)own * (double)count[0] / (double)left;
            of[ruled_out].certain += count[0] == left ? own : 0;
            if ((covey_i128)count[0] * of[ruled_out].size > (covey_i128)of[ruled_out].n * left) {
                of[ruled_out].n = count[0];
                of[ruled_out].size = left;
            }
        }
        half &= 2 * count[0] <= t->size[c];
        tolerant = e < tolerant ? e : tolerant;
        n_rows += own;
    }
    if (n_rows == 0) {
        covey_i_attack_not(out, "the release has no rows");
        return COVEY_OK;
    }
    covey_i_attack_fraction(out, of[1].n, of[1].size);
    if (half)
        covey_i_attack_integer(out, "tolerant", tolerant);
    else
        covey_i_attack_text(out, "tolerant", "none: a value is more likely than not already");
    list_exclusions(out, of, n_rows);
    covey_i_attack_words(out,
                         "Who rules out one value for a row knows another with a chance of up to %.3g%%, on average "
                         "of at most %.3g%%. Nothing was "
                         "promised about it.",
                         100 * out->result.figure, 100 * of[1].sum / (double)n_rows);
    return COVEY_OK;
}

const covey_attack covey_attack_background_knowledge = {
    .name = "background-knowledge",
    .summary = "rules out values for a row, as somebody who knows a little can",
    .figure = "largest posterior after one value was ruled out",
    .level = "A2",
    .source = "Machanavajjhala06, section 2.2",
    .forms = COVEY_ATTACKED_WITH_CLASSES,
    .not_for = {[2] = "a perturbed release has no classes within which values could be ruled out"},
    .per_attribute = true,
    .run = run,
};
