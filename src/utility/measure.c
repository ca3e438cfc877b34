/* Measures a release: reads it and its original as the audit does, then asks every metric. */
#include "utility/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "reader/contents.h"
#include "reader/form_impl.h"
#include "reader/sampled.h"
#include "reader/units.h"
#include "utility/metric/metric_impl.h"
#include "utility/random_queries.h"

struct measuring {
    const char *folder;
    const covey_measure_options *options;
    const covey_run *run;
    covey_stated *stated;
    covey_opened *opened;
    covey_original *original;
    covey_attribute_losses *losses;
    covey_problems problems;
    covey_arena arena;
};

static covey_status read_release(struct measuring *m, covey_error *err)
{
    bool *present;

    COVEY_TRY(covey_i_run_goes_on(m->run, "read the release", 0, 0, err));
    COVEY_TRY(covey_i_stated_read(&m->stated, m->folder, err));
    if (!(present = covey_arena_array_zero(&m->arena, bool, m->stated->n_files)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_contents_check(present, &m->problems, m->folder, m->stated, err));
    COVEY_TRY(covey_i_opened_read_data(&m->opened, m->folder, m->stated, present, &m->problems, m->run, err));
    if (m->problems.broken)
        return covey_i_no_memory(err);
    if (m->problems.n > 0 || !covey_i_opened_all_usable(m->opened))
        return covey_i_error_names(covey_fail(err, COVEY_EPARSE, "%s is not in order: %s (covey verify says more)",
                                              m->folder,
                                              m->problems.n ? m->problems.line[0] : "its table cannot be understood"),
                                   m->folder, NULL, err);
    return COVEY_OK;
}

static covey_status read_original(struct measuring *m, covey_error *err)
{
    if (!m->options || !m->options->original)
        return COVEY_OK;
    COVEY_TRY(covey_i_run_goes_on(m->run, "read the original", 0, 0, err));
    COVEY_TRY(covey_i_original_read(&m->original, m->opened, m->options->original, &m->problems, m->run, err));
    if (m->problems.broken)
        return covey_i_no_memory(err);
    if (m->problems.n > 0 || !m->original->usable)
        return covey_i_error_names(covey_fail(err, COVEY_EINVAL, "%s is not the table that %s was made from: %s",
                                              m->options->original, m->folder,
                                              m->problems.n ? m->problems.line[0] : "its columns do not fit"),
                                   m->options->original, NULL, err);
    return COVEY_OK;
}

static bool keeps_rows(const covey_opened *opened)
{
    const covey_reader_form *form = opened->stated->published_as;

    return !form->keeps_rows || form->keeps_rows(opened);
}

static bool has_classes_of_rows(const covey_opened *opened)
{
    return !opened->stated->published_as->is_exact && !opened->stated->has_units;
}

static bool is_spoken_of(const covey_metric *metric, const covey_opened *opened)
{
    return !(metric->needs_units && !opened->units) && !(metric->needs_weight && !covey_i_sampled_weight(opened)) &&
           !(metric->of_classes && !has_classes_of_rows(opened));
}

/* Why a metric has no figure; NULL: it may have one. */
static const char *find_reason(const covey_metric *metric, const struct measuring *m)
{
    if (metric->needs_rows && !keeps_rows(m->opened))
        return "the release does not say which values of different columns belong to a row";
    return metric->needs_original && !m->original ? "it takes the original" : NULL;
}

static covey_status ask_metrics(covey_measurement *out, const struct measuring *m, covey_error *err)
{
    covey_measured_release release = {.opened = m->opened, .original = m->original, .n_units = out->n_units};

    COVEY_TRY(covey_i_losses(&release.figures, m->losses, m->opened, err));
    for (size_t i = 0; i < covey_metric_count(); i++) {
        const covey_metric *metric = covey_metric_at(i);
        covey_arena arena = COVEY_ARENA_INIT;
        covey_status status = COVEY_OK;

        covey_measured_figure *figure = &out->figure[out->n_figures];

        if (!is_spoken_of(metric, m->opened))
            continue;
        *figure = (covey_measured_figure){metric, NAN, find_reason(metric, m)};
        if (!figure->reason)
            status = metric->compute(&figure->value, &release, &arena, err);
        covey_arena_free(&arena);
        if (status != COVEY_OK)
            return status;
        out->n_figures++;
    }
    return COVEY_OK;
}

static covey_status list_attributes(covey_measurement *out, const struct measuring *m, covey_error *err)
{
    for (size_t q = 0; q < m->opened->n_quasi; q++) {
        const covey_stated_column *stated = m->opened->column[m->opened->quasi[q]].stated;
        covey_measured_attribute *attribute = &out->attribute[q];

        if (!(attribute->name = covey_i_strdup(stated->name)))
            return covey_i_no_memory(err);
        out->n_attributes++;
        attribute->weight = covey_ratio_value(stated->weight);
        attribute->ail = m->losses[q].ail;
        attribute->ncp = m->losses[q].ncp;
    }
    return COVEY_OK;
}

static covey_status fill(covey_measurement *out, struct measuring *m, covey_error *err)
{
    out->figure = covey_i_array_zero(covey_metric_count(), sizeof *out->figure);
    out->attribute = covey_i_array_zero(m->opened->n_quasi, sizeof *out->attribute);
    m->losses = covey_arena_array(&m->arena, covey_attribute_losses, m->opened->n_quasi);
    if (!out->figure || !out->attribute || !m->losses)
        return covey_i_no_memory(err);
    snprintf(out->form, sizeof out->form, "%s", m->stated->form);
    out->n_rows = m->stated->n_rows;
    out->n_published = m->opened->n_rows;
    out->n_suppressed = m->stated->n_suppressed;
    out->n_classes = m->opened->n_classes;
    COVEY_TRY(covey_i_opened_units_check(m->opened, err));
    for (uint32_t c = 0; m->opened->units && c < m->opened->n_classes; c++) {
        out->n_units += m->opened->units->n_units[c];
        out->n_persons += m->opened->units->n_persons[c];
    }
    COVEY_TRY(covey_i_run_goes_on(m->run, "measure", 0, 0, err));
    COVEY_TRY(ask_metrics(out, m, err));
    COVEY_TRY(list_attributes(out, m, err));
    if (!m->options || m->options->n_queries == 0)
        return COVEY_OK;
    if (!m->original)
        return covey_fail(
            err, COVEY_EINVAL,
            "a workload of queries is compared with the truth: it takes the original table (--original DATA)");
    COVEY_TRY(covey_i_run_goes_on(m->run, "ask queries", 0, 0, err));
    return covey_i_query_workload_run(&out->workload, m->folder, m->opened, m->original, m->options, m->run, err);
}

static void clear(struct measuring *m)
{
    covey_i_original_free(m->original);
    covey_i_opened_free(m->opened);
    covey_i_stated_free(m->stated);
    covey_i_problems_clear(&m->problems);
    covey_arena_free(&m->arena);
}

covey_status covey_measure(covey_measurement **out, const char *folder, const covey_measure_options *options,
                           const covey_run *run, covey_error *err)
{
    struct measuring m = {.folder = folder, .options = options, .run = run};
    covey_measurement *made = covey_i_array_zero(1, sizeof *made);
    covey_status status;

    if (!made)
        return covey_i_no_memory(err);
    if ((status = read_release(&m, err)) == COVEY_OK && (status = read_original(&m, err)) == COVEY_OK &&
        (status = fill(made, &m, err)) == COVEY_OK) {
        *out = made;
        made = NULL;
    }
    covey_measurement_free(made);
    clear(&m);
    return status;
}

covey_status covey_i_measure_workload(covey_measured_workload *out, const char *folder,
                                      const covey_measure_options *options, const covey_run *run, covey_error *err)
{
    struct measuring m = {.folder = folder, .options = options, .run = run};
    covey_status status;

    if ((status = read_release(&m, err)) == COVEY_OK && (status = read_original(&m, err)) == COVEY_OK)
        status = covey_i_query_workload_run(out, folder, m.opened, m.original, options, run, err);
    clear(&m);
    return status;
}

void covey_measurement_free(covey_measurement *measurement)
{
    if (!measurement)
        return;
    for (size_t i = 0; i < measurement->n_attributes; i++)
        covey_i_free(measurement->attribute[i].name);
    covey_i_free(measurement->attribute);
    covey_i_free(measurement->figure);
    covey_i_free(measurement);
}
