/* Finding what somebody learns who knows all quasi-identifiers.  Source: [Wong07]; [derived] the exact test. */
#include "support/problem/minimality.h"

#include <inttypes.h>
#include <string.h>

#include "test.h"
#include "base/exact/cap.h"
#include "base/hash.h"
#include "support/problem/problem_maker.h"

enum { N_CODES = 20, MOST_OUTPUTS = 1 << 14, MOST_SLOTS = 1 << 15 };

/* A release that some worlds share. */
struct output {
    char *text;
    int64_t n_worlds;
    int64_t has[MINIMALITY_MOST_ROWS][MINIMALITY_MOST_VALUES]; /* worlds in which the row has the value */
};

struct outputs {
    size_t n;
    struct output *output; /* [MOST_OUTPUTS] */
    uint32_t *slot;        /* [MOST_SLOTS] open addressing by text, 0: free, else index + 1 */
};

static struct output *find_output(struct outputs *all, char *text)
{
    size_t slot = covey_i_hash_bytes(text, strlen(text)) % MOST_SLOTS;

    for (; all->slot[slot] > 0; slot = (slot + 1) % MOST_SLOTS)
        if (strcmp(all->output[all->slot[slot] - 1].text, text) == 0) {
            free(text);
            return &all->output[all->slot[slot] - 1];
        }
    assert_true(all->n < MOST_OUTPUTS);
    all->output[all->n] = (struct output){.text = text};
    all->slot[slot] = (uint32_t)++all->n;
    return &all->output[all->n - 1];
}

/* What is published in this world. */
static char *publish(const minimality_table *t, const uint32_t *world, const covey_method *method, const char *params,
                     covey_ratio beta)
{
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 1};
    covey_release *release = NULL;
    problem_maker m;
    char bound[64], name[16], *text;
    covey_class_params *values;

    maker_init(&m, t->n_rows);
    for (uint32_t a = 0; a < t->n_axes; a++) {
        snprintf(name, sizeof name, "q%u", a);
        maker_add_range(&m, name, t->code[a], t->n_codes, false, NULL);
    }
    snprintf(bound, sizeof bound, "beta=%" PRId64 "/%" PRId64, beta.num, beta.den);
    maker_promise(&m, "enhanced-beta-likeness", bound, maker_add_sensitive(&m, "s", world, t->n_values));
    assert_int_equal(maker_finish(&m, NULL), COVEY_OK);
    values = maker_method_params(&m, method, params);
    m.problem.promises.min_size = values->min_size > 1 ? values->min_size : 1;
    assert_int_equal(method->run(&release, &m.problem, values, &run, NULL), COVEY_OK);
    text = maker_published(release, &m.problem);
    covey_release_free(release);
    maker_clear(&m);
    return text;
}

/* The next arrangement of the same values in lexicographic order; false after the last. */
static bool next_world(uint32_t *world, uint32_t n)
{
    uint32_t i = n - 1, j = n - 1, swap;

    while (i > 0 && world[i - 1] >= world[i])
        i--;
    if (i == 0)
        return false;
    while (world[j] <= world[i - 1])
        j--;
    swap = world[i - 1], world[i - 1] = world[j], world[j] = swap;
    for (uint32_t low = i, high = n - 1; low < high; low++, high--)
        swap = world[low], world[low] = world[high], world[high] = swap;
    return true;
}

/* Adds an output's worlds to the breached ones if a belief exceeds its bound. */
static void judge(minimality *out, const struct output *o, const minimality_table *t, covey_ratio beta)
{
    bool breached = false;

    for (uint32_t v = 0; v < t->n_values; v++) {
        const covey_cap cap = covey_i_cap_enhanced(t->count[v], t->n_rows, beta);
        const double linear = (double)cap.num / (double)cap.den, logarithmic = (double)cap.log_share / 0x1p62;

        for (uint32_t row = 0; row < t->n_rows; row++) {
            const double belief = (double)o->has[row][v] / (double)o->n_worlds;
            const double excess = belief / (linear < logarithmic ? linear : logarithmic);

            breached |= !covey_i_cap_holds(&cap, o->has[row][v], o->n_worlds);
            out->worst = excess > out->worst ? excess : out->worst;
        }
    }
    out->n_breached += breached ? o->n_worlds : 0;
}

void minimality_random_table(minimality_table *table, const int64_t *count, uint32_t n_values, uint32_t n_axes,
                             uint64_t seed)
{
    *table = (minimality_table){.n_axes = n_axes, .n_values = n_values, .n_codes = N_CODES};
    for (uint32_t v = 0; v < n_values; v++) {
        table->count[v] = count[v];
        table->n_rows += (uint32_t)count[v];
    }
    assert_true(table->n_rows <= MINIMALITY_MOST_ROWS && n_values <= MINIMALITY_MOST_VALUES);
    for (uint32_t a = 0; a < n_axes; a++)
        for (uint32_t row = 0; row < table->n_rows; row++)
            table->code[a][row] = maker_below(&seed, N_CODES);
}

void minimality_measure(minimality *out, const minimality_table *t, const char *method, const char *params,
                        covey_ratio beta)
{
    struct outputs all = {.output = malloc(MOST_OUTPUTS * sizeof *all.output),
                          .slot = calloc(MOST_SLOTS, sizeof *all.slot)};
    uint32_t world[MINIMALITY_MOST_ROWS], row = 0;

    assert_true(all.output && all.slot);
    *out = (minimality){0};
    for (uint32_t v = 0; v < t->n_values; v++)
        for (int64_t i = 0; i < t->count[v]; i++)
            world[row++] = v;
    do {
        struct output *o = find_output(&all, publish(t, world, covey_method_find(method), params, beta));

        o->n_worlds++;
        out->n_worlds++;
        for (row = 0; row < t->n_rows; row++)
            o->has[row][world[row]]++;
    } while (next_world(world, t->n_rows));
    out->n_outputs = (int64_t)all.n;
    for (size_t i = 0; i < all.n; i++) {
        judge(out, &all.output[i], t, beta);
        free(all.output[i].text);
    }
    free(all.output);
    free(all.slot);
}
