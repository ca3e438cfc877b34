/* Rare values: where those with a share below 1% stand, how far they gain, and how large a class they force.
 *
 * Source: [CaoKarras12] section 3: rare values are where likeness and the older models differ. */
#include "attack/attack_impl.h"

#include "base/error.h"

/* One rare value. */
struct rare {
    int64_t n_classes, rows, largest; /* classes that contain it, their rows, the largest of them */
    int64_t n, size;                  /* its largest share */
};

static bool is_rare(const covey_attack_target *t, uint32_t value)
{
    return t->prior[value] > 0 && 100 * t->prior[value] < t->n_rows;
}

static void look(struct rare *rare, const covey_attack_target *t)
{
    for (uint32_t c = 0; c < t->n_classes; c++)
        for (uint32_t e = t->start[c]; e < t->start[c + 1]; e++) {
            struct rare *of = &rare[t->entry[e].value];

            of->n_classes++;
            of->rows += covey_i_attack_own_rows(t, c);
            of->largest = t->rows[c] > of->largest ? t->rows[c] : of->largest;
            if (of->size == 0 || (covey_i128)t->entry[e].n * of->size > (covey_i128)of->n * t->size[c]) {
                of->n = t->entry[e].n;
                of->size = t->size[c];
            }
        }
}

static void list_values(covey_attack_maker *out, const struct rare *rare, const covey_attack_target *t)
{
    static const char *const columns[] = {"value", "p", "classes", "share_of_rows", "largest_class", "ratio", NULL};

    covey_i_attack_table(out, "values", columns);
    for (uint32_t v = 0; v < t->n_values; v++) {
        if (!is_rare(t, v))
            continue;
        covey_i_attack_cell_text(out, covey_column_label(t->view->dictionary, v));
        covey_i_attack_cell_number(out, covey_i_attack_prior(t, v));
        covey_i_attack_cell_integer(out, rare[v].n_classes);
        covey_i_attack_cell_number(out, (double)rare[v].rows / (double)t->n_rows);
        covey_i_attack_cell_integer(out, rare[v].largest);
        covey_i_attack_cell_number(
            out, rare[v].size > 0 ? (double)rare[v].n / (double)rare[v].size / covey_i_attack_prior(t, v) : 0);
    }
    covey_i_attack_end_table(out);
}

/* The rare value that gains most, UINT32_MAX: none is published. */
struct found {
    struct rare *rare; /* [n_values] */
    uint32_t n, worst;
    bool admitted;
};

static covey_status find(struct found *out, const covey_attack_target *t, covey_arena *arena, covey_error *err)
{
    struct rare *rare = covey_arena_array_zero(arena, struct rare, t->n_values);

    if (!rare)
        return covey_i_no_memory(err);
    *out = (struct found){.rare = rare, .worst = UINT32_MAX, .admitted = true};
    look(rare, t);
    for (uint32_t v = 0; v < t->n_values; v++) {
        if (!is_rare(t, v))
            continue;
        out->n++;
        if (rare[v].size == 0)
            continue;
        out->admitted &= covey_i_attack_admits(&t->caps, v, (covey_u128)rare[v].n, (covey_u128)rare[v].size);
        if (out->worst == UINT32_MAX ||
            covey_i_fraction_compare_products(
                (covey_u128)rare[v].n * (covey_u128)rare[out->worst].size, (covey_u128)t->prior[out->worst],
                (covey_u128)rare[out->worst].n * (covey_u128)rare[v].size, (covey_u128)t->prior[v]) > 0)
            out->worst = v;
    }
    return COVEY_OK;
}

/* Values that fewer than 1% of the persons have. */
static covey_status report_persons(covey_attack_maker *out, const covey_attack_target *t, covey_arena *arena,
                                   covey_error *err)
{
    struct found of;

    COVEY_TRY(find(&of, t, arena, err));
    covey_i_attack_integer(out, "rare_values_of_persons", of.n);
    if (of.worst != UINT32_MAX)
        covey_i_attack_number(out, "person_ratio",
                              (double)of.rare[of.worst].n / (double)of.rare[of.worst].size /
                                  covey_i_attack_prior(t, of.worst));
    return COVEY_OK;
}

static covey_status run(covey_attack_maker *out, covey_attacked *release, covey_attack_target *t, covey_arena *arena,
                        covey_error *err)
{
    char times[COVEY_ATTACK_FACTOR_SIZE];
    struct found of;
    const struct rare *worst;

    COVEY_TRY(find(&of, t, arena, err));
    covey_i_attack_integer(out, "rare_values", of.n);
    if (t->persons)
        COVEY_TRY(report_persons(out, t->persons, arena, err));
    if (of.worst == UINT32_MAX) {
        covey_i_attack_words(out, "No published value has a share below 1%% in the whole table.");
        return COVEY_OK;
    }
    worst = &of.rare[of.worst];
    covey_i_attack_fraction(out, (covey_i128)worst->n * t->n_rows, (covey_i128)worst->size * t->prior[of.worst]);
    if (t->caps.n > 0)
        covey_i_attack_judge(out, t->caps.share[of.worst] / covey_i_attack_prior(t, of.worst), of.admitted);
    list_values(out, of.rare, t);
    covey_i_attack_words(out, "%u value%s a share below 1%%; in a class one becomes up to %s times likelier.", of.n,
                         of.n == 1 ? " has" : "s have", covey_i_attack_factor(times, out->result.figure));
    return COVEY_OK;
}

const covey_attack covey_attack_rare_values = {
    .name = "rare-values",
    .summary = "looks where values stand that fewer than 1% of the rows have",
    .figure = "largest q/p of a rare value",
    .level = "A2",
    .source = "CaoKarras12, section 3",
    .forms = COVEY_ATTACKED_WITH_CLASSES,
    .compares = true,
    .not_for = {[2] = COVEY_ATTACK_NO_CLASSES},
    .per_attribute = true,
    .over = COVEY_ATTACK_OVER_BOTH,
    .run = run,
};
