/* Asking the audit, the measures and the attacks for what a report says. */
#include "report/facts.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file/source.h"
#include "base/hash.h"
#include "base/run.h"
#include "base/threads.h"
#include "reader/contents.h"
#include "reader/form_impl.h"
#include "reader/perturbed/perturbed.h"
#include "table/table_impl.h"

/* Queries of each selectivity: fewer where an answer takes long, which it does over many rows of groups. */
enum { MOST_QUERIES = 100, FEWEST_QUERIES = 20, ROWS_OF_MOST = 50000 };

static covey_status read_release(covey_facts *f, const char *folder, const char *original, const covey_run *run,
                                 covey_error *err)
{
    covey_problems problems = COVEY_PROBLEMS_INIT;
    covey_status status;
    bool *present;

    COVEY_TRY(covey_i_stated_read(&f->own_stated, folder, err));
    f->stated = f->own_stated;
    if (!(present = covey_arena_array_zero(&f->arena, bool, f->stated->n_files)))
        return covey_i_no_memory(err);
    if ((status = covey_i_contents_check(present, &problems, folder, f->stated, err)) == COVEY_OK &&
        (status = covey_i_opened_read(&f->own_opened, folder, f->stated, present, &problems, run, err)) == COVEY_OK) {
        if (problems.n > 0 || !covey_i_opened_all_usable(f->own_opened))
            status = covey_i_error_names(covey_fail(err, COVEY_EPARSE,
                                                    "%s is not in order: %s (covey verify says more)", folder,
                                                    problems.n ? problems.line[0] : "its table cannot be understood"),
                                         folder, NULL, err);
        else if (original)
            status = covey_i_original_read(&f->own_original, f->own_opened, original, &problems, run, err);
        if (status == COVEY_OK && (problems.n > 0 || (original && !f->own_original->usable)))
            status = covey_i_error_names(covey_fail(err, COVEY_EINVAL, "%s is not the table that %s was made from: %s",
                                                    original, folder,
                                                    problems.n ? problems.line[0] : "its columns do not fit"),
                                         original, NULL, err);
    }
    if (problems.broken)
        status = covey_i_no_memory(err);
    f->opened = f->own_opened;
    covey_i_problems_clear(&problems);
    return status;
}

/* All attacks that have what they need: of large releases, deFinetti and a sliced release's membership look at a
 * sample. */
static covey_status attack(covey_facts *f, const char *folder, const covey_report_options *asked, const covey_run *run,
                           covey_error *err)
{
    const covey_attack_options options = {.original = asked->original,
                                          .links = asked->links,
                                          .releases_ledger = asked->releases_ledger,
                                          .entity = asked->entity,
                                          .weight = asked->weight,
                                          .quick = true};

    COVEY_TRY(covey_attack_release(&f->own_attacks, folder, &options, run, err));
    f->attacks = f->own_attacks;
    return COVEY_OK;
}

static int64_t number_of_queries(const covey_facts *f)
{
    const int64_t rows = f->opened->n_rows;
    int64_t n = MOST_QUERIES;

    if (f->is_exact && strcmp(f->stated->form, "perturbed") != 0 && rows > ROWS_OF_MOST)
        n = MOST_QUERIES * ROWS_OF_MOST / rows;
    return n < FEWEST_QUERIES ? FEWEST_QUERIES : n;
}

/* A form that queries are not built for, or a table that nothing can be asked of, has no such figures. */
static covey_status ask_queries(covey_facts *f, const char *folder, const covey_run *run, covey_error *err)
{
    static const double selectivity[COVEY_FACT_SELECTIVITIES] = {0.005, 0.01, 0.02, 0.05, 0.1, 0.2};
    covey_error reason = {0};
    covey_status status;

    if (!f->own_original)
        return COVEY_OK;
    f->n_asked = number_of_queries(f);
    status = covey_i_query_workload_spread(f->queries, selectivity, COVEY_FACT_SELECTIVITIES, folder, f->opened,
                                           f->own_original, f->n_asked, run, &reason);
    if (status == COVEY_OK)
        f->n_queries = COVEY_FACT_SELECTIVITIES;
    else if (status != COVEY_EINVAL && err)
        *err = reason;
    return status == COVEY_EINVAL ? COVEY_OK : status;
}

static covey_status hash_manifest(covey_facts *f, const char *folder, covey_error *err)
{
    const char *path = covey_i_contents_path(&f->arena, folder, "manifest.json");
    unsigned char hash[32];
    uint64_t size;

    if (!path)
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_hash_sha256_file(hash, &size, path, err));
    covey_i_hash_hex(f->manifest_hash, hash);
    return COVEY_OK;
}

/* --- side by side --- */

struct gathering {
    covey_facts *facts;
    const char *folder, *original;
    const covey_report_options *options;
    const covey_run *asked; /* NULL: nobody is */
    pthread_t caller;
    bool asks_units; /* rows have units, and neither links nor a ledger say whose they are */
    atomic_bool is_cancelled, is_unread;
    covey_run run, silent; /* of those who work at once only one warns */
};

/* The caller's own thread asks, whatever it works on, and all hear the answer. */
static bool goes_on(void *context, const char *phase, int64_t done, int64_t to_do)
{
    struct gathering *g = context;

    if (pthread_equal(pthread_self(), g->caller) && covey_i_run_goes_on(g->asked, phase, done, to_do, NULL) != COVEY_OK)
        atomic_store(&g->is_cancelled, true);
    return !atomic_load(&g->is_cancelled);
}

static void warn(void *context, const char *message)
{
    const struct gathering *g = context;

    g->asked->warn(g->asked->context, message);
}

/* A release that was changed so that it cannot be read any more is reported as well, if its manifest can. */
static covey_status or_unread(struct gathering *g, covey_status status)
{
    if (status != COVEY_EPARSE)
        return status;
    atomic_store(&g->is_unread, true);
    return COVEY_OK;
}

/* Each reads the release for itself: what none of them changes is not worth the waiting. */
static covey_status look(void *context, size_t task, covey_error *err)
{
    struct gathering *g = context;
    const covey_verify_options verifying = {.original = g->original,
                                            .links = g->options->links,
                                            .entity = g->asks_units ? g->options->entity : NULL,
                                            .within = g->asks_units ? g->options->within : NULL,
                                            .ledger = g->options->releases_ledger,
                                            .is_one_of_ledger = true};
    const covey_measure_options measuring = {.original = g->original};

    if (task == 0)
        return covey_verify(&g->facts->own_verdict, g->folder, &verifying, &g->run, err);
    if (task == 1)
        return or_unread(g, read_release(g->facts, g->folder, g->original, &g->silent, err));
    return or_unread(g, covey_measure(&g->facts->own_measured, g->folder, &measuring, &g->silent, err));
}

static covey_status try_out(void *context, size_t task, covey_error *err)
{
    const struct gathering *g = context;

    if (task == 1)
        return ask_queries(g->facts, g->folder, &g->silent, err);
    if (g->facts->verdict->n_problems > 0) /* a release that was changed is not attacked */
        return COVEY_OK;
    return attack(g->facts, g->folder, g->options, &g->run, err);
}

/* The last name of a path; NULL for what has none that says something, and for addresses, which may hold a password. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && covey_i_source_kind(path) == COVEY_SOURCE_FILE
               ? name
               : NULL;
}

static int by_chance(const void *a, const void *b)
{
    const covey_fact_shown *x = a, *y = b;

    if (x->is_true != y->is_true)
        return x->is_true > y->is_true ? -1 : 1;
    return strcmp(x->label, y->label);
}

/* How much of what a perturbed release shows is true.  Source: [CaoKarras12] section 5: a value is kept with the chance
 * alpha, else one is drawn of all alike. */
static covey_status find_shown(covey_facts *f, covey_error *err)
{
    const covey_perturbed_lines *lines = f->opened->form_data;
    covey_fact_shown *shown;
    double drawn = 0;

    if (strcmp(f->stated->form, "perturbed") != 0)
        return COVEY_OK;
    if (!(shown = covey_arena_array(&f->arena, covey_fact_shown, lines->n)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < lines->n; i++)
        drawn += lines->prior[i] * (1 - lines->alpha[i]) / lines->n;
    for (uint32_t i = 0; i < lines->n; i++) {
        const double kept = lines->prior[i] * lines->alpha[i],
                     same = lines->prior[i] * (1 - lines->alpha[i]) / lines->n;
        const char *label = covey_column_label(lines->value, covey_i_code_at(lines->value, i));

        shown[i].label = *label ? label : "(missing)";
        shown[i].is_true = kept + drawn > 0 ? (kept + same) / (kept + drawn) : 0;
        f->true_share += kept + same;
    }
    qsort(shown, lines->n, sizeof *shown, by_chance);
    f->shown = shown;
    f->n_shown = lines->n;
    return COVEY_OK;
}

static covey_status check_options(const covey_report_options *options, covey_error *err)
{
    const struct {
        const char *name, *value, *what;
    } of_original[] = {
        {"--links", options->links, "names the class of each row of the original"},
        {"--entity", options->entity, "names a column of the original"},
        {"--weight", options->weight, "names a column of the original"},
        {"--releases-ledger", options->releases_ledger,
         "says who is in which class, so that the release is compared with the original by it"},
    };

    for (size_t i = 0; i < sizeof of_original / sizeof *of_original; i++)
        if (of_original[i].value && !options->original)
            return covey_fail(err, COVEY_EINVAL, "%s %s: give that, too, with --original DATA", of_original[i].name,
                              of_original[i].what);
    if ((options->entity || options->within) && (options->links || options->releases_ledger))
        return covey_fail(err, COVEY_EINVAL, "the %s says itself which column names units: leave \"%s\" out",
                          options->links ? "list of links" : "ledger",
                          options->entity ? options->entity : options->within);
    if (options->within && !options->entity)
        return covey_fail(err, COVEY_EINVAL, "\"%s\" holds persons: which column names these? --entity COLUMN",
                          options->within);
    return COVEY_OK;
}

/* Are the columns that name units to be looked at, and does the release have any?  What cannot be read is reported by
 * who reads all of it. */
static covey_status find_asks_units(struct gathering *g, covey_error *err)
{
    covey_stated *stated = NULL;
    bool has_units;

    if (!g->options->entity || covey_i_stated_read(&stated, g->folder, NULL) != COVEY_OK)
        return COVEY_OK;
    has_units = stated->has_units;
    g->facts->idle_entity =
        stated->has_counterfeits && !g->options->releases_ledger && !has_units ? g->options->entity : NULL;
    covey_i_stated_free(stated);
    g->asks_units = has_units;
    if (!has_units && g->options->within)
        return covey_fail(err, COVEY_EINVAL,
                          "the rows of this release have no units: there is nothing to be found of \"%s\"",
                          g->options->within);
    return COVEY_OK;
}

covey_status covey_i_facts_gather(covey_facts *f, const char *folder, const covey_report_options *options,
                                  const covey_run *run, covey_error *err)
{
    const char *original = options->original;
    struct gathering g = {.facts = f,
                          .folder = folder,
                          .original = original,
                          .options = options,
                          .asked = run,
                          .caller = pthread_self(),
                          .run = run ? *run : (covey_run)COVEY_RUN_INIT};
    const int n_threads = covey_run_threads(run);

    COVEY_TRY(check_options(options, err));
    COVEY_TRY(find_asks_units(&g, err));
    g.run.context = &g;
    g.run.progress = goes_on;
    g.run.warn = run && run->warn ? warn : NULL;
    g.run.enough = NULL; /* nothing here is a search */
    g.run.improved = NULL;
    g.silent = g.run;
    g.silent.warn = NULL;
    f->is_internal = original != NULL;
    f->has_links = options->links != NULL;
    f->least_loss = NAN;
    COVEY_TRY(covey_i_parallel(n_threads, 3, look, &g, err));
    f->verdict = f->own_verdict;
    f->measured = f->own_measured;
    f->is_unread = g.is_unread;
    if (f->is_unread && (f->verdict->holds || !f->stated)) /* then the reader has something to say, or the original */
        return read_release(f, folder, original, &g.silent, err);
    f->folder = base_name(folder);
    f->table = original ? base_name(original) : NULL;
    f->is_exact = f->stated->published_as->is_exact;
    f->unit = f->stated->published_as->word;
    f->unit_plural = f->unit[strlen(f->unit) - 1] == 's' ? "classes"
                     : strcmp(f->unit, "bucket") == 0    ? "buckets"
                                                         : "groups";
    if (!f->is_unread) {
        COVEY_TRY(covey_i_facts_count(f, err));
        COVEY_TRY(find_shown(f, err));
        COVEY_TRY(covey_i_parallel(n_threads, 2, try_out, &g, err));
        covey_i_facts_count_people(f, options);
    }
    return hash_manifest(f, folder, err);
}

void covey_i_facts_clear(covey_facts *f)
{
    covey_attack_report_free(f->own_attacks);
    covey_measurement_free(f->own_measured);
    covey_i_original_free(f->own_original);
    covey_i_opened_free(f->own_opened);
    covey_i_stated_free(f->own_stated);
    covey_verdict_free(f->own_verdict);
    covey_arena_free(&f->arena);
}
