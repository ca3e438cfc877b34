/* Who is in a sliced release: how many buckets the rows of Adult match, and how many those tuples that the pieces can
 * form but nobody has. Random buckets, one attribute per column.  Source: [LiLiZhangMolloy12] section 6.3. */
#include <covey/attack.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "reproduce/slicing/learning.h"

static const char *const needs[] = {"adult/adult-48842.csv.gz", NULL};
static const char *const seven[] = {"occupation", "age", "workclass", "education", "marital-status", "race", "sex"};
static const double sizes[] = {10, 100, 500, 1000};

enum { POINTS = 4, ORIGINALS = 0, FAKES = 1, FIGURE = 2 };

struct membership {
    double candidates, originals, fakes, figure; /* shares of those that match more than 20 buckets */
};

/* The complete rows, as a file of their own. */
static covey_status write_rows(const char *path, const covey_experiment_context *context, covey_error *err)
{
    const char *from = covey_i_experiment_data(context, needs[0]);
    covey_learning_table table;
    covey_status status = COVEY_OK;
    int64_t *row;

    if (!from)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_learning_read(&table, from, seven, sizeof seven / sizeof *seven, context->arena, err));
    if (!(row = covey_arena_array(context->arena, int64_t, table.rows.n)))
        status = covey_i_no_memory(err);
    for (uint32_t r = 0; status == COVEY_OK && r < table.rows.n; r++)
        row[r] = r;
    if (status == COVEY_OK)
        status = covey_i_learning_write(&table, row, table.rows.n, path, err);
    covey_i_learning_clear(&table);
    return status;
}

static double detail(const covey_attack_result *result, const char *name)
{
    for (size_t i = 0; i < result->n_details; i++)
        if (strcmp(result->detail[i].name, name) == 0)
            return result->detail[i].value.number;
    return NAN;
}

static covey_status attack(struct membership *out, const covey_experiment_context *context, const char *rows,
                           covey_error *err)
{
    static const char *const name[] = {"membership"};
    static const covey_run run = {.has_seed = true, .seed = 1};
    const covey_attack_options options = {.original = rows, .n_names = 1, .name = name};
    const char *release = covey_i_experiment_release(context);
    covey_attack_report *report;

    if (!release)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_attack_release(&report, release, &options, &run, err));
    for (size_t i = 0; i < report->n_results; i++) {
        const covey_attack_result *r = &report->result[i];

        *out = (struct membership){detail(r, "candidates"), detail(r, "originals_above_20"),
                                   detail(r, "fakes_above_20"), r->figure};
    }
    covey_attack_report_free(report);
    return COVEY_OK;
}

static covey_status measure(struct membership *out, const covey_experiment_context *context, const char *rows, int size,
                            covey_error *err)
{
    covey_anonymize_report report;
    covey_text policy = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_format(
        &policy,
        "version: 1\ninput: {path: \"%s\"}\nprivacy: [{model: sliced-l-diversity, l: 1}]\n"
        "method: {name: slicing, one-per-column: true, buckets: random, bucket-size: %d}\nattributes:\n",
        rows, size);
    for (size_t c = 0; c < sizeof seven / sizeof *seven; c++)
        covey_i_text_add_format(&policy, "  - {name: %s, role: %s}\n", seven[c],
                                c == 0 ? "sensitive" : "quasi-identifier");
    status = policy.broken ? covey_i_no_memory(err)
                           : covey_i_experiment_anonymize(&report, context, policy.bytes, NULL, err);
    covey_i_text_free(&policy);
    if (status != COVEY_OK)
        return status;
    covey_anonymize_report_clear(&report);
    return attack(out, context, rows, err);
}

static covey_status run(covey_experiment_context *context, covey_error *err)
{
    static const char *const name[] = {"rows in more than 20 buckets", "fakes in more than 20 buckets",
                                       "chance that a row matches more than a fake"};
    char *rows = covey_i_experiment_scratch(context, "rows.csv");
    covey_curves *c = context->curves;
    struct membership m[POINTS];

    if (!rows)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_curves_new(c, name, 3, sizes, POINTS, context->arena, err));
    COVEY_TRY(write_rows(rows, context, err));
    for (size_t p = 0; p < POINTS; p++) {
        COVEY_TRY(covey_i_experiment_goes_on(context, p, POINTS, err));
        COVEY_TRY(measure(&m[p], context, rows, (int)sizes[p], err));
        c->y[ORIGINALS][p] = m[p].originals;
        c->y[FAKES][p] = m[p].fakes;
        c->y[FIGURE][p] = m[p].figure;
    }
    /* There are many fakes, and the larger buckets are, the more alike do they match. */
    context->holds = m[0].candidates > 1e6 && m[POINTS - 1].fakes > m[0].fakes && m[POINTS - 1].figure < m[0].figure;
    snprintf(context->finding, 768,
             "buckets of 10, 100, 500, 1000 rows: %.3g, %.3g, %.3g, %.3g candidates; in more than 20 buckets %.1f, "
             "%.1f, %.1f, %.1f %% of the "
             "rows and %.1f, %.1f, %.1f, %.1f %% of the fakes; a row matches more buckets than a fake with a chance of "
             "%.3f, %.3f, %.3f, %.3f",
             m[0].candidates, m[1].candidates, m[2].candidates, m[3].candidates, 100 * m[0].originals,
             100 * m[1].originals, 100 * m[2].originals, 100 * m[3].originals, 100 * m[0].fakes, 100 * m[1].fakes,
             100 * m[2].fakes, 100 * m[3].fakes, m[0].figure, m[1].figure, m[2].figure, m[3].figure);
    return COVEY_OK;
}

const covey_experiment covey_experiment_slicing_membership = {
    .name = "slicing-membership",
    .figures = "OverlappingSlicing Abstract, membership",
    .title = "Who is in a sliced release: matching buckets",
    .source = "LiLiZhangMolloy12, section 6.3",
    .statement = "Bucketization does not prevent membership disclosure. In a sliced table a tuple can match several "
                 "buckets, and so can tuples that nobody has.",
    .x_title = "rows of a bucket",
    .y_title = "share",
    .x_log = true,
    .needs = needs,
    .run = run,
};
