/* Minimality: who knows all quasi-identifiers, how often each sensitive value occurs, and the program, asks in which
 * worlds (assignments of the values to the rows) it would have published this.  All those are equally likely; the share
 * of them in which a row has a value is what that person believes.  A promise bounds shares of classes, not this
 * belief.
 *
 * Exact: every world is tried, which only tiny tables allow.
 *
 * Source: [Wong07]; [derived] the exact test (docs/design/minimality.md). */
#include "attack/attack_impl.h"

#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/plural.h"
#include "base/run.h"
#include "reader/contents.h"
#include "reader/form_impl.h"
#include "reader/names.h"

enum { MOST_ROWS = 12, MOST_WORLDS = 20000, N_SLOTS = 1 << 16 };

/* A release that some worlds share. */
struct output {
    unsigned char hash[32];
    int64_t n_worlds;
    uint32_t *has; /* [n_rows * n_values] worlds in which the row has the value */
};

struct trying {
    const covey_attack_target *target;
    covey_attack_worlds table;
    uint32_t *value_of; /* [table.n_values] the target's value of each of the table's */
    uint32_t *world;    /* [n_rows] */
    int64_t n_worlds;
    uint32_t n;
    struct output *output;    /* [n] room for one per world */
    uint32_t *slot;           /* [N_SLOTS] open addressing by hash; 0: free, else number + 1 */
    const struct output *own; /* what the program makes of the table as it is */
};

/* What is found of one or of all outputs. */
struct found {
    double belief,
        excess; /* largest belief in a value; largest over what the promise allows, NaN: nothing is promised */
    bool breached, certain; /* some belief exceeds its bound; is 1 */
};

/* --- worlds --- */

/* n! / product of counts!; more than most: that is all that is said. */
static double count_worlds(const covey_attack_worlds *table, uint32_t *count)
{
    double n = 1;

    for (uint32_t row = 0; row < table->n_rows; row++)
        n = n * (row + 1) / ++count[table->value[row]];
    return round(n);
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

static covey_status find_output(struct output **out, struct trying *t, const unsigned char hash[32], covey_arena *arena,
                                covey_error *err)
{
    uint32_t slot = (uint32_t)(covey_i_hash_bytes((const char *)hash, 32) % N_SLOTS);
    struct output *o;

    for (; t->slot[slot] > 0; slot = (slot + 1) % N_SLOTS)
        if (memcmp(t->output[t->slot[slot] - 1].hash, hash, 32) == 0) {
            *out = &t->output[t->slot[slot] - 1];
            return COVEY_OK;
        }
    o = &t->output[t->n];
    memcpy(o->hash, hash, 32);
    if (!(o->has = covey_arena_array_zero(arena, uint32_t, (size_t)t->table.n_rows * t->table.n_values)))
        return covey_i_no_memory(err);
    t->slot[slot] = ++t->n;
    *out = o;
    return COVEY_OK;
}

static covey_status try_worlds(struct trying *t, const covey_attacked *r, covey_arena *arena, covey_error *err)
{
    const covey_attack_worlds *table = &t->table;
    uint32_t n = 0;

    for (uint32_t v = 0; v < table->n_values; v++)
        for (uint32_t row = 0; row < table->n_rows; row++)
            if (table->value[row] == v)
                t->world[n++] = v;
    do {
        unsigned char hash[32];
        struct output *o = NULL;

        COVEY_TRY(r->options->program->publish(hash, r->options->program->context, t->world, err));
        COVEY_TRY(find_output(&o, t, hash, arena, err));
        o->n_worlds++;
        t->n_worlds++;
        if (memcmp(t->world, table->value, table->n_rows * sizeof *t->world) == 0)
            t->own = o;
        for (uint32_t row = 0; row < table->n_rows; row++)
            o->has[(size_t)row * table->n_values + t->world[row]]++;
        if (t->n_worlds % 64 == 0)
            COVEY_TRY(covey_i_run_goes_on(r->run, "minimality", 0, 0, err));
    } while (next_world(t->world, table->n_rows));
    return COVEY_OK;
}

/* --- beliefs --- */

static void judge(struct found *f, const struct trying *t, const struct output *o)
{
    const covey_attack_caps *caps = &t->target->caps;

    for (uint32_t row = 0; row < t->table.n_rows; row++)
        for (uint32_t v = 0; v < t->table.n_values; v++) {
            const uint32_t n = o->has[(size_t)row * t->table.n_values + v], value = t->value_of[v];
            const double belief = (double)n / (double)o->n_worlds;

            f->belief = fmax(f->belief, belief);
            if (n == 0)
                continue;
            f->certain |= n == o->n_worlds && t->target->prior[value] < t->target->n_rows;
            f->breached |= !covey_i_attack_admits(caps, value, n, (covey_u128)o->n_worlds);
            if (caps->n > 0)
                f->excess = fmax(f->excess, belief / caps->share[value]);
        }
}

/* The same for who knows everything but the program: shares of classes. */
static double class_excess(const covey_attack_target *t)
{
    double excess = 0;

    for (uint32_t c = 0; c < t->n_classes; c++)
        for (uint32_t e = t->start[c]; e < t->start[c + 1]; e++)
            excess = fmax(excess, (double)t->entry[e].n / (double)t->size[c] / t->caps.share[t->entry[e].value]);
    return excess;
}

/* Of the table as if it were one file. */
static bool hash_of_parts(unsigned char hash[32], const covey_attacked *r, const covey_stated_file *file)
{
    covey_infile text = COVEY_INFILE_INIT;

    if (covey_i_contents_open(&text, r->folder, file, COVEY_CONTENTS_MOST, NULL) != COVEY_OK)
        return false;
    crypto_hash_sha256(hash, (const unsigned char *)text.bytes, text.size);
    covey_i_infile_close(&text);
    return true;
}

/* Is the release what the program makes of the table?  Compared as the program's own hash is made. */
static bool is_own(const struct trying *t, const covey_attacked *r)
{
    crypto_hash_sha256_state state;
    unsigned char hash[32];

    crypto_hash_sha256_init(&state);
    for (size_t i = 0; i < r->stated->n_files; i++) {
        const covey_stated_file *file = &r->stated->file[i];
        unsigned char of_file[32];

        if (!r->stated->published_as->has_table(file->name))
            continue;
        if (file->n_parts > 0) {
            if (!hash_of_parts(of_file, r, file))
                return false;
        } else if (sodium_hex2bin(of_file, sizeof of_file, file->sha256, strlen(file->sha256), NULL, NULL, NULL) != 0)
            return false;
        crypto_hash_sha256_update(&state, (const unsigned char *)file->name, strlen(file->name) + 1);
        crypto_hash_sha256_update(&state, of_file, sizeof of_file);
    }
    crypto_hash_sha256_final(&state, hash);
    return memcmp(hash, t->own->hash, sizeof hash) == 0;
}

static void report(covey_attack_maker *out, const struct trying *t, const covey_attacked *r)
{
    const bool bounded = t->target->caps.n > 0;
    int64_t breached = 0, certain = 0;
    struct found all = {0}, own = {0};

    for (uint32_t i = 0; i < t->n; i++) {
        struct found f = {0};

        judge(&f, t, &t->output[i]);
        breached += f.breached ? t->output[i].n_worlds : 0;
        certain += f.certain ? t->output[i].n_worlds : 0;
        all.belief = fmax(all.belief, f.belief);
        all.excess = fmax(all.excess, f.excess);
    }
    judge(&own, t, t->own);
    covey_i_attack_fraction(out, bounded ? breached : certain, t->n_worlds);
    if (bounded) {
        out->result.bound = 0;
        out->result.verdict = breached > 0 ? COVEY_ATTACK_EXCEEDS : COVEY_ATTACK_SAFE;
    }
    covey_i_attack_integer(out, "worlds", t->n_worlds);
    covey_i_attack_integer(out, "different_releases", t->n);
    covey_i_attack_number(out, "certain_share", (double)certain / (double)t->n_worlds);
    covey_i_attack_number(out, "largest_belief", all.belief);
    covey_i_attack_number(out, "largest_excess", bounded ? all.excess : NAN);
    covey_i_attack_number(out, "largest_excess_without_program",
                          bounded && t->target->n_classes > 0 ? class_excess(t->target) : NAN);
    covey_i_attack_integer(out, "worlds_of_this_release", t->own->n_worlds);
    covey_i_attack_number(out, "belief_of_this_release", own.belief);
    covey_i_attack_number(out, "excess_of_this_release", bounded ? own.excess : NAN);
    covey_i_attack_yes_no(out, "made_again", is_own(t, r));
    covey_i_attack_words(out,
                         "Who knows the program, too, tells %" PRId64 " world%s apart into %" PRIu32
                         " release%s. In %.3g%% of the worlds that makes some "
                         "row's value %s; of the table as it is, a value is known with a chance of up to %.3g%%.%s",
                         t->n_worlds, covey_i_plural(t->n_worlds), t->n, covey_i_plural(t->n), 100 * out->result.figure,
                         bounded ? "more likely than the promise allows" : "certain", 100 * own.belief,
                         is_own(t, r) ? "" : " The release itself is not what the policy makes with this seed.");
}

/* --- the attack --- */

static covey_status map_values(struct trying *t, const covey_attacked *r, covey_arena *arena, covey_error *err)
{
    const covey_column *dictionary = t->target->view->dictionary;
    covey_names names;

    COVEY_TRY(covey_i_names_init(&names, dictionary->n_values, arena, err));
    for (uint32_t v = 0; v < dictionary->n_values; v++) {
        uint32_t number;

        COVEY_TRY(covey_i_names_add(&number, &names, covey_column_label(dictionary, v), err));
    }
    for (uint32_t v = 0; v < t->table.n_values; v++)
        t->value_of[v] = covey_i_names_find(&names, t->table.label[v]);
    for (uint32_t row = 0; row < t->table.n_rows; row++)
        if (t->value_of[t->table.value[row]] == UINT32_MAX)
            return covey_fail(err, COVEY_EINVAL,
                              "the policy's table is not the one that %s was made from: it has a value of \"%s\" that "
                              "the release does not",
                              r->folder, t->target->view->name);
    return COVEY_OK;
}

static void too_large(covey_attack_maker *out, double n, const char *what, int most)
{
    covey_i_attack_not(out,
                       "it tries every assignment of the sensitive values to the rows, which takes tiny tables: this "
                       "one has %.10g %s, and %d are the most; "
                       "docs/design/minimality.md says what is found on tiny ones",
                       n, what, most);
}

static covey_status run(covey_attack_maker *out, covey_attacked *r, covey_attack_target *target, covey_arena *arena,
                        covey_error *err)
{
    const covey_attack_program *program = r->options->program;
    struct trying t = {.target = target};
    uint32_t *count;
    double n;

    if (r->n_targets > 1) {
        covey_i_attack_not(out, "the release has several sensitive attributes; worlds are those of one");
        return COVEY_OK;
    }
    if (r->stated->n_rows > MOST_ROWS) {
        too_large(out, (double)r->stated->n_rows, "rows", MOST_ROWS);
        return COVEY_OK;
    }
    COVEY_TRY(program->start(&t.table, program->context, r->run, err));
    if (t.table.n_rows != r->stated->n_rows)
        return covey_fail(err, COVEY_EINVAL,
                          "the policy's table is not the one that %s was made from: it has %" PRIu32
                          " row%s, not %" PRId64,
                          r->folder, t.table.n_rows, covey_i_plural(t.table.n_rows), r->stated->n_rows);
    if (!(count = covey_arena_array_zero(arena, uint32_t, t.table.n_values)))
        return covey_i_no_memory(err);
    if ((n = count_worlds(&t.table, count)) > MOST_WORLDS) {
        too_large(out, n, "worlds", MOST_WORLDS);
        return COVEY_OK;
    }
    t.value_of = covey_arena_array(arena, uint32_t, t.table.n_values);
    t.world = covey_arena_array(arena, uint32_t, t.table.n_rows);
    t.output = covey_arena_array(arena, struct output, (size_t)n);
    t.slot = covey_arena_array_zero(arena, uint32_t, N_SLOTS);
    if (!t.value_of || !t.world || !t.output || !t.slot)
        return covey_i_no_memory(err);
    memset(t.output, 0, (size_t)n * sizeof *t.output);
    COVEY_TRY(map_values(&t, r, arena, err));
    COVEY_TRY(try_worlds(&t, r, arena, err));
    report(out, &t, r);
    return COVEY_OK;
}

const covey_attack covey_attack_minimality = {
    .name = "minimality",
    .summary = "asks in which other worlds the program would have published the same",
    .figure = "share of worlds whose release says too much",
    .level = "A4",
    .source = "Wong07, section 3",
    .forms = COVEY_ATTACKED_WITH_CLASSES,
    .needs = COVEY_ATTACK_NEEDS_PROGRAM,
    .not_for = {[2] = "what a perturbed release shows is drawn at random with a key that nobody knows: knowing the "
                      "program tells nothing more"},
    .per_attribute = true,
    .run = run,
};
