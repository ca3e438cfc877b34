/* The census table and its releases by the methods for beta-likeness. */
#include "reproduce/likeness/likeness.h"

#include <covey/generate.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "generate/generator_impl.h"
#include "release/figures.h"
#include "table/table_impl.h"

enum { ROWS = 500000, STEPS = 20, LINE = 64, SAMPLE_SEED = 7 };
/* Bisection ends where the two ends differ by less, relative to the larger. */
static const double NARROW = 1e-3;

/* --- tables --- */

/* Takes a table's lines with its salaries' counts into account; copies those that are drawn, all with n_rows drawn. */
static void draw_lines(covey_likeness_table *out, FILE *from, covey_outfile *to, int64_t n_all)
{
    int64_t most = 0, left = n_all, wanted = out->n_rows;
    covey_splitmix rng = {SAMPLE_SEED};
    char line[LINE];

    if (fgets(line, sizeof line, from) && to)
        covey_i_outfile_string(to, line);
    for (; left > 0 && fgets(line, sizeof line, from); left--) {
        const char *salary = strrchr(line, ',');
        int64_t *n = &out->count[salary ? strtol(salary + 1, NULL, 10) % COVEY_LIKENESS_SALARIES : 0];

        if ((int64_t)covey_i_splitmix_below(&rng, (uint64_t)left) >=
            wanted) /* as many as wanted out of those that are left */
            continue;
        wanted--;
        most = ++*n > most ? *n : most;
        if (to)
            covey_i_outfile_string(to, line);
    }
    out->largest_share = (double)most / (double)out->n_rows;
}

static covey_status read_lines(covey_likeness_table *table, const char *path, int64_t n_all, covey_outfile *to,
                               covey_error *err)
{
    FILE *from = fopen(path, "r");

    if (!from)
        return covey_fail(err, COVEY_EIO, "%s: cannot be read again", path);
    draw_lines(table, from, to, n_all);
    fclose(from);
    return COVEY_OK;
}

covey_status covey_i_likeness_table(covey_likeness_table *out, const covey_experiment_context *context,
                                    const char *spread, covey_error *err)
{
    static const char *const name[] = {"spread"};
    const covey_generate_options options = {
        .force = true, .param_names = name, .param_texts = &spread, .n_params = spread ? 1 : 0};
    covey_likeness_table table = {.path = covey_i_experiment_scratch(context, "census.csv"),
                                  .n_rows = context->options->rows > 0 ? context->options->rows : ROWS,
                                  .kind = spread};

    if (!table.path)
        return covey_i_no_memory(err);
    COVEY_TRY(
        covey_generate_with("census", table.n_rows, COVEY_GENERATE_SEED, table.path, &options, context->run, err));
    COVEY_TRY(read_lines(&table, table.path, table.n_rows, NULL, err));
    *out = table;
    return COVEY_OK;
}

covey_status covey_i_likeness_sample(covey_likeness_table *out, const covey_likeness_table *table, int64_t n_rows,
                                     const covey_experiment_context *context, covey_error *err)
{
    covey_likeness_table sample = {
        .path = covey_i_experiment_scratch(context, "sample.csv"), .n_rows = n_rows, .kind = table->kind};
    covey_outfile *to;
    covey_status status;

    if (!sample.path)
        return covey_i_no_memory(err);
    remove(sample.path);
    COVEY_TRY(covey_i_outfile_open(&to, sample.path, err));
    status = read_lines(&sample, table->path, table->n_rows, to, err);
    if (status != COVEY_OK)
        covey_i_outfile_abort(to);
    else if ((status = covey_i_outfile_close(to, err)) == COVEY_OK)
        *out = sample;
    return status;
}

/* --- schemes --- */

static const struct scheme {
    const char *name, *method;
    enum { BETA, DELTA, T } kind;
    covey_experiment_cut cut; /* instead of the method, under whose name it goes; NULL: the method */
} schemes[] = {
    [COVEY_LIKENESS_BUREL] = {"BUREL", "burel:retrieve=paper", BETA},
    [COVEY_LIKENESS_SPLIT] = {"BUREL with post-split", "burel:retrieve=paper,post-split=true", BETA},
    [COVEY_LIKENESS_LMONDRIAN] = {"LMondrian", "mondrian", BETA},
    [COVEY_LIKENESS_DMONDRIAN] = {"DMondrian", "mondrian", DELTA},
    [COVEY_LIKENESS_ELASTIC] = {"elastic", "elastic", BETA},
    [COVEY_LIKENESS_PERTURBATION] = {"perturbation", "perturbation", BETA},
    [COVEY_LIKENESS_SABRE] = {"SABRE", "sabre:retrieve=paper", T},
    [COVEY_LIKENESS_TMONDRIAN] = {"tMondrian", "mondrian", T},
    [COVEY_LIKENESS_LNARROW] = {"LMondrian (authors' code)", "mondrian", BETA, covey_i_likeness_halve_narrowest},
    [COVEY_LIKENESS_DNARROW] = {"DMondrian (authors' code)", "mondrian", DELTA, covey_i_likeness_halve_narrowest},
    [COVEY_LIKENESS_TNARROW] = {"tMondrian (authors' code)", "mondrian", T, covey_i_likeness_halve_narrowest},
};

const char *covey_i_likeness_name(covey_likeness_scheme scheme)
{
    return schemes[scheme].name;
}

static void print_model(char *out, size_t size, const covey_likeness_job *job)
{
    /* The largest share has the least room; delta is rounded down, so that it still implies what it stands for. */
    const double room = fmin(job->threshold, -log(job->table->largest_share)), delta = floor(log1p(room) * 1e9) / 1e9;

    if (schemes[job->scheme].kind == BETA)
        snprintf(out, size, "enhanced-beta-likeness:beta=%.9f", job->threshold);
    else if (schemes[job->scheme].kind == DELTA)
        snprintf(out, size, "delta-disclosure:delta=%.9f", delta);
    else
        snprintf(out, size, "t-closeness:t=%.9f,distance=ordered", ceil(job->threshold * 1e9) / 1e9);
}

static char *policy_of(const covey_experiment_context *context, const covey_likeness_job *job)
{
    static const struct {
        const char *name;
        bool has_tree;
    } quasi[COVEY_LIKENESS_ALL_QUASI] = {
        {"age", false}, {"gender", true}, {"education", false}, {"marital", true}, {"workclass", true}};
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_format(&text, "version: 1\ninput: {path: \"%s\"}\nothers: drop\nattributes:\n", job->table->path);
    for (int i = 0; i < job->n_quasi; i++) {
        covey_i_text_add_format(&text, "  - {name: %s, role: quasi-identifier", quasi[i].name);
        if (quasi[i].has_tree)
            covey_i_text_add_format(&text, ", hierarchy: {file: \"%s/hierarchies/%s.csv\"}", context->scratch,
                                    quasi[i].name);
        else
            covey_i_text_add_string(&text, ", type: integer");
        covey_i_text_add_string(&text, "}\n");
    }
    covey_i_text_add_string(&text, "  - {name: salary, role: sensitive, type: integer}\n");
    return covey_i_text_keep(&text, context->arena);
}

/* --- figures --- */

static const covey_column *find_sensitive(const covey_problem *problem)
{
    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].role == COVEY_ROLE_SENSITIVE)
            return problem->field[f].column;
    return NULL;
}

/* One class: rows of each salary in it and in the table. */
static void add_class(covey_likeness_figures *f, const int64_t *class, const int64_t *all, uint32_t n_values,
                      int64_t size, int64_t n_rows)
{
    double cumulative = 0, distance = 0;
    int l = 0;

    for (uint32_t v = 0; v < n_values; v++) {
        const double p = (double)all[v] / (double)n_rows, q = (double)class[v] / (double)size;

        cumulative += q - p;
        distance += v + 1 < n_values ? fabs(cumulative) : 0;
        f->gain = fmax(f->gain, q / p - 1);
        f->largest = fmax(f->largest, q);
        l += class[v] > 0;
    }
    distance /= n_values > 1 ? n_values - 1 : 1;
    f->t = fmax(f->t, distance);
    f->l = fmin(f->l, l);
    f->mean_t += distance;
    f->mean_l += l;
}

static covey_status fill(covey_likeness_figures *out, const covey_experiment_made *made, covey_arena *arena,
                         covey_error *err)
{
    const covey_release *release = made->release;
    const covey_column *sensitive = find_sensitive(&made->prepared.problem);
    const covey_arena_mark mark = covey_arena_save(arena);
    const uint32_t n_values = sensitive->n_values;
    int64_t *all = covey_arena_array_zero(arena, int64_t, n_values),
            *class = covey_arena_array(arena, int64_t, n_values);

    if (!all || !class)
        return covey_i_no_memory(err);
    *out = (covey_likeness_figures){.l = INFINITY, .ail = release->ail, .seconds = made->seconds};
    for (uint32_t r = 0; r < release->n_rows; r++)
        all[covey_i_code(sensitive, r)]++;
    for (uint32_t c = 0; c < release->n_classes; c++) {
        memset(class, 0, n_values * sizeof *class);
        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++)
            class[covey_i_code(sensitive, release->row_order[i])]++;
        add_class(out, class, all, n_values, release->class_start[c + 1] - release->class_start[c], release->n_rows);
    }
    out->mean_t /= release->n_classes;
    out->mean_l /= release->n_classes;
    covey_arena_rewind(arena, mark);
    return COVEY_OK;
}

const char *covey_i_likeness_key(const covey_experiment_context *context, const covey_likeness_job *job)
{
    char text[192];

    snprintf(text, sizeof text, "%s, %d quasi-identifiers, %.17g; %" PRId64 " rows, %s", schemes[job->scheme].name,
             job->n_quasi, job->threshold, job->table->n_rows, job->table->kind ? job->table->kind : "as it is");
    return covey_arena_strdup(context->arena, text);
}

/* What the main job is told of one of the experiments'. */
struct wanted {
    const char *policy; /* in the arena */
    char model[96];
    covey_setting setting[3];
};

static covey_status want(struct wanted *out, const covey_experiment_context *context, const covey_likeness_job *job,
                         covey_error *err)
{
    if (!(out->policy = policy_of(context, job)))
        return covey_i_no_memory(err);
    print_model(out->model, sizeof out->model, job);
    out->setting[0] = (covey_setting){"model", out->model};
    out->setting[1] = (covey_setting){"method", schemes[job->scheme].method};
    out->setting[2] = (covey_setting){NULL, NULL};
    return COVEY_OK;
}

static covey_status measure(covey_likeness_figures *out, const covey_experiment_context *context,
                            const covey_likeness_job *job, covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(context->arena);
    struct wanted w;
    covey_experiment_made made;
    covey_figure achieved;
    covey_status status;

    COVEY_TRY(want(&w, context, job, err));
    COVEY_TRY(covey_i_experiment_make(&made, context, w.policy, w.setting, schemes[job->scheme].cut, err));
    if ((status = covey_i_release_achieved(&achieved, made.release, &made.prepared.problem, NULL, err)) == COVEY_OK)
        status = fill(out, &made, context->arena, err);
    covey_i_experiment_made_clear(&made);
    covey_arena_rewind(context->arena, mark);
    return status;
}

covey_status covey_i_likeness_write(const covey_experiment_context *context, const covey_likeness_job *job,
                                    covey_error *err)
{
    const covey_arena_mark mark = covey_arena_save(context->arena);
    struct wanted w;
    covey_anonymize_report report;
    covey_experiment_made made;

    COVEY_TRY(want(&w, context, job, err));
    if (schemes[job->scheme].cut) {
        COVEY_TRY(covey_i_experiment_make(&made, context, w.policy, w.setting, schemes[job->scheme].cut, err));
        COVEY_TRY(covey_i_experiment_write(&made, context, err));
    } else {
        COVEY_TRY(covey_i_experiment_anonymize(&report, context, w.policy, w.setting, err));
        covey_anonymize_report_clear(&report);
    }
    covey_arena_rewind(context->arena, mark);
    return COVEY_OK;
}

covey_status covey_i_likeness_run(covey_likeness_figures *out, const covey_experiment_context *context,
                                  const covey_likeness_job *job, covey_error *err)
{
    const char *key = covey_i_likeness_key(context, job);
    const covey_likeness_figures *noted;

    if (!key)
        return covey_i_no_memory(err);
    if ((noted = covey_i_notes_find(context->notes, key))) {
        *out = *noted;
        return COVEY_OK;
    }
    COVEY_TRY(measure(out, context, job, err));
    return covey_i_notes_add(context->notes, key, out, sizeof *out, err);
}

/* --- searches --- */

covey_status covey_i_likeness_search(covey_likeness_figures *out, double *threshold, bool *found,
                                     const covey_experiment_context *context, const covey_likeness_job *job,
                                     const covey_likeness_wish *wish, covey_error *err)
{
    covey_likeness_job trial = *job;
    covey_likeness_figures figures;
    double good = wish->good, bad = wish->bad;

    trial.threshold = *threshold = bad;
    COVEY_TRY(covey_i_likeness_run(out, context, &trial, err));
    if ((*found = wish->satisfied(out, wish->bound)))
        return COVEY_OK;
    trial.threshold = good;
    COVEY_TRY(covey_i_likeness_run(out, context, &trial, err));
    if (!(*found = wish->satisfied(out, wish->bound)))
        return COVEY_OK;
    for (int step = 0; step < STEPS && fabs(good - bad) > NARROW * fmax(good, bad); step++) {
        trial.threshold = (good + bad) / 2;
        COVEY_TRY(covey_i_likeness_run(&figures, context, &trial, err));
        if (wish->satisfied(&figures, wish->bound)) {
            good = trial.threshold;
            *out = figures;
        } else {
            bad = trial.threshold;
        }
    }
    *threshold = good;
    return COVEY_OK;
}
