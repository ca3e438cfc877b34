/* Made-up values for SA-only: a tenth of the rows is taken away, the target stays what all of them followed.
 * Source: [Koudas09] section 6, figure 6. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file/outfile.h"
#include "base/sort/compare.h"
#include "base/text.h"
#include "generate/generator_impl.h"
#include "reproduce/distribution/groups.h"

enum { CURVES = 5 };

struct files {
    char *rows, *target, *tree;
};

/* Nine tenths of the rows, any of them. */
static covey_status write_rows(const struct files *files, const covey_distribution_groups *all, covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_splitmix rng = {1};
    uint32_t left = all->n_rows / 10;

    covey_i_text_add_string(&text, "age,capital-loss\n");
    for (uint32_t r = 0; r < all->n_rows; r++)
        if (covey_i_splitmix_below(&rng, all->n_rows - r) < left)
            left--;
        else
            covey_i_text_add_format(&text, "%.0f,%.0f\n", all->age[r], all->value[r]);
    return covey_i_outfile_make_text(files->rows, &text, err);
}

/* The source of all rows as a target, and a hierarchy over its values: some may have lost their rows. */
static covey_status write_target(const struct files *files, const covey_distribution_groups *all, covey_arena *arena,
                                 covey_error *err)
{
    int64_t *value = covey_arena_array(arena, int64_t, all->n_rows);
    covey_text text = COVEY_TEXT_INIT;
    size_t n = 0;

    if (!value)
        return covey_i_no_memory(err);
    for (uint32_t r = 0; r < all->n_rows; r++)
        value[r] = (int64_t)all->value[r];
    qsort(value, all->n_rows, sizeof *value, covey_i_compare_i64);
    covey_i_text_add_string(&text, "value,share\n");
    for (uint32_t r = 0, from = 0; r < all->n_rows; r++)
        if (r + 1 == all->n_rows || value[r + 1] != value[r]) {
            covey_i_text_add_format(&text, "%" PRId64 ",%" PRIu32 "\n", value[r], r + 1 - from);
            from = r + 1;
            value[n++] = value[r];
        }
    COVEY_TRY(covey_i_outfile_make_text(files->target, &text, err));
    return covey_i_distribution_write_tree(files->tree, value, n, err);
}

static covey_status run(covey_experiment_context *context, const char *table, const char *name, covey_error *err)
{
    static const char *const fakes[CURVES] = {"0", "1%", "5%", "10%", "20%"};
    const covey_distribution_setup source = {.resolution = "exact"};
    const struct files files = {covey_i_experiment_scratch(context, "rows.csv"),
                                covey_i_experiment_scratch(context, "target.csv"),
                                covey_i_experiment_scratch(context, "tree.csv")};
    covey_distribution_curve curve[CURVES] = {{.name = "SA-only"},
                                              {.name = "1 % made up"},
                                              {.name = "5 % made up"},
                                              {.name = "10 % made up"},
                                              {.name = "20 % made up"}};
    covey_distribution_groups all, groups[CURVES];
    char *policy, target[4200], tree[4200];
    double mean[CURVES];
    size_t best = 0;

    if (!files.rows || !files.target || !files.tree)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_distribution_policy(&policy, context, table, NULL, err));
    COVEY_TRY(covey_i_distribution_groups_make(&all, context, policy, &source, context->arena, err));
    COVEY_TRY(write_rows(&files, &all, err));
    COVEY_TRY(write_target(&files, &all, context->arena, err));
    snprintf(target, sizeof target, "{file: \"%s\"}", files.target);
    snprintf(tree, sizeof tree, "{file: \"%s\"}", files.tree);
    for (size_t c = 0; c < CURVES; c++)
        curve[c].setup = (covey_distribution_setup){.scheme = "sa-only", .target = target, .fakes = fakes[c]};
    COVEY_TRY(covey_i_distribution_policy(&policy, context, files.rows, tree, err));
    COVEY_TRY(covey_i_distribution_range_curves(groups, context, policy, curve, CURVES, err));
    for (size_t c = 0; c < CURVES; c++) {
        mean[c] = covey_i_distribution_mean(context->curves->y[c]);
        best = mean[c] < mean[best] ? c : best;
    }
    context->holds = best > 0 && best < CURVES - 1;
    snprintf(context->finding, 768,
             "%s, %u rows left; on average %.3f without made-up values, with up to 1 %% %.3f, 5 %% %.3f, 10 %% %.3f, "
             "20 %% %.3f (%" PRId64 ", %" PRId64 ", %" PRId64 " and %" PRId64 " were used; resolution 12)",
             name, groups[0].n_rows, mean[0], mean[1], mean[2], mean[3], mean[4], groups[1].n_fakes, groups[2].n_fakes,
             groups[3].n_fakes, groups[4].n_fakes);
    return COVEY_OK;
}

static covey_status run_adult(covey_experiment_context *context, covey_error *err)
{
    char *table;
    bool is_real;

    COVEY_TRY(covey_i_distribution_adult_table(&table, &is_real, context, err));
    context->stands_in = !is_real;
    return run(context, table, is_real ? "Adult" : "Generated in place of Adult", err);
}

static covey_status run_synthetic(covey_experiment_context *context, covey_error *err)
{
    char *table;

    COVEY_TRY(
        covey_i_distribution_generated_table(&table, context, (covey_distribution_table){"normal", "0", NULL}, err));
    return run(context, table, "Independent", err);
}

#define STATEMENT "A few made-up values help SA-only where rows no longer follow the target, many hurt."

const covey_experiment covey_experiment_dist_fakes_adult = {
    .name = "dist-fakes-adult",
    .figures = "Koudas09 Figure 6, Adult",
    .title = "Made-up values when a tenth of the rows is missing: Adult",
    .source = "Koudas09, figure 6",
    .statement = STATEMENT,
    .x_title = "years",
    .y_title = "relative error of the bounds",
    .run = run_adult,
};

const covey_experiment covey_experiment_dist_fakes_synthetic = {
    .name = "dist-fakes-synthetic",
    .figures = "Koudas09 Figure 6, generated",
    .title = "Made-up values when a tenth of the rows is missing: generated table",
    .source = "Koudas09, figure 6",
    .statement = STATEMENT,
    .x_title = "years",
    .y_title = "relative error of the bounds",
    .run = run_synthetic,
};
