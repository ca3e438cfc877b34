/* Re-proves a release from its files: what the manifest states is read, then found again in the tables, and compared.
 * How the tables are read and what they must keep is the published form's (form_impl.h). */
#include <covey/audit.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "audit/ledger/ledger.h"
#include "audit/whole/whole.h"
#include "audit/windows.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "base/threads.h"
#include "reader/contents.h"
#include "reader/presets.h"

static const int64_t DEFAULT_LIMIT = (int64_t)1 << 30;
enum { WINDOWS_PER_LIMIT = 12, MOST_WINDOW = 32 << 20, LARGEST_FILES = 2 /* limits, whatever the manifest says */ };

struct verifying {
    const covey_verify_options *options;
    covey_stated *stated;
    bool *present; /* [n_files] */
    covey_audit audit;
    covey_problems of_hashes;
};

/* --- all of it --- */

/* So much of a table is in memory at once; a window takes about three times its bytes. */
static size_t window_of(const covey_verify_options *options)
{
    const int64_t limit = options && options->memory_limit > 0 ? options->memory_limit : DEFAULT_LIMIT,
                  window = limit / WINDOWS_PER_LIMIT;

    return window < 1 ? 1 : window > MOST_WINDOW ? MOST_WINDOW : (size_t)window;
}

/* What fits into the limit is read at once: that is faster by one reading. */
static bool fits(const covey_audit *audit, const covey_verify_options *options)
{
    const covey_audit_form *form = covey_i_audit_form_of(audit->stated->published_as);
    const bool asked = options && options->memory_limit > 0;
    const int64_t limit = asked ? options->memory_limit : DEFAULT_LIMIT;
    covey_arena arena = COVEY_ARENA_INIT;
    int64_t size = 0;

    if (audit->stated->has_units || audit->stated->has_counterfeits) /* a table about all classes */
        return true;
    if (!asked && form->windows->if_asked)
        return true;
    for (size_t i = 0; i < audit->stated->n_files; i++) {
        const covey_stated_file *file = &audit->stated->file[i];
        const char *path =
            audit->present[i] && file->n_parts == 0 ? covey_i_contents_path(&arena, audit->folder, file->name) : NULL;
        struct stat facts;

        if (path && stat(path, &facts) == 0)
            size += (int64_t)facts.st_size;
        size += file->n_parts > 0 ? file->size_bytes : 0;
    }
    covey_arena_free(&arena);
    return size / LARGEST_FILES <= limit &&
           (form->bytes_at_once ? form->bytes_at_once(audit->stated) : 2 * (double)size) <= (double)limit;
}

static covey_status check_tables(covey_audit *audit, const covey_verify_options *options, covey_error *err)
{
    const covey_audit_form *form = covey_i_audit_form_of(audit->stated->published_as);
    bool done = false;

    if (form->windows && !fits(audit, options))
        COVEY_TRY(covey_i_windows_check(&done, audit, form->windows, window_of(options), err));
    if (done)
        return COVEY_OK;
    COVEY_TRY(covey_i_opened_read(&audit->opened, audit->folder, audit->stated, audit->present, &audit->problems,
                                  audit->run, err));
    covey_i_audit_opened(audit);
    if (audit->opened->usable)
        return covey_i_audit_form_of(audit->stated->published_as)->check(audit, err);
    if (audit->original)
        covey_i_problem(&audit->of_original, "the table is not in order: it cannot be compared with the original");
    return COVEY_OK;
}

/* Hashing reads the same files on another thread. */
static covey_status hash_or_check(void *context, size_t task, covey_error *err)
{
    struct verifying *v = context;

    if (task == 0)
        return check_tables(&v->audit, v->options, err);
    return covey_i_contents_hash(&v->of_hashes, v->audit.folder, v->stated, v->present, err);
}

/* Another release of a ledger. */
static covey_status judge_alone(covey_problems *problems, const char *folder, const covey_run *run, covey_error *err)
{
    covey_verdict *verdict = NULL;

    COVEY_TRY(covey_verify(&verdict, folder, NULL, run, err));
    if (!verdict->holds)
        covey_i_problem(problems, "%s does not hold: %s", folder,
                        verdict->n_problems > 0 ? verdict->problem[0] : "a promise is broken");
    covey_verdict_free(verdict);
    return COVEY_OK;
}

static covey_status run_checks(struct verifying *v, covey_error *err)
{
    covey_audit *audit = &v->audit;
    bool skip = v->options && v->options->skip_hashes;

    COVEY_TRY(covey_i_run_goes_on(audit->run, "read the release", 0, 0, err));
    COVEY_TRY(covey_i_stated_read(&v->stated, audit->folder, err));
    v->stated->is_piece = v->options && v->options->is_piece;
    audit->stated = v->stated;
    audit->present = v->present = covey_arena_array_zero(&audit->arena, bool, v->stated->n_files);
    audit->judged = covey_arena_array_zero(&audit->arena, covey_judged, v->stated->n_promises);
    if (!v->present || !audit->judged)
        return covey_i_no_memory(err);
    for (size_t p = 0; p < v->stated->n_promises; p++)
        audit->judged[p].promise.stated = &v->stated->promise[p];
    covey_i_presets_check(&audit->problems, v->stated);
    COVEY_TRY(covey_i_contents_check(v->present, &audit->problems, audit->folder, v->stated, err));
    COVEY_TRY(covey_i_audit_ledger_open(audit, v->options, err));
    COVEY_TRY(covey_i_audit_whole_open(audit, v->options, err));
    COVEY_TRY(covey_i_parallel(covey_run_threads(audit->run), skip ? 1 : 2, hash_or_check, v, err));
    return covey_i_audit_ledger(audit, v->options, judge_alone, err);
}

/* --- the verdict --- */

static covey_status make_verdict(covey_verdict **out, struct verifying *v, covey_error *err)
{
    covey_verdict *verdict = covey_i_array_zero(1, sizeof *verdict);
    bool asked = v->options && v->options->original, unfaithful = v->audit.of_original.n_found > 0;

    covey_i_problems_move(&v->of_hashes, &v->audit.problems);
    covey_i_problems_move(&v->of_hashes, &v->audit.of_original);
    covey_i_problems_close(&v->of_hashes);
    if (!verdict || v->of_hashes.broken ||
        !(verdict->problem = covey_i_array_zero(COVEY_MOST_PROBLEMS + 1, sizeof *verdict->problem)) ||
        !(verdict->promise = covey_i_array_zero(v->stated->n_promises, sizeof *verdict->promise))) {
        covey_verdict_free(verdict);
        return covey_i_no_memory(err);
    }
    verdict->faithful = asked ? !unfaithful : -1;
    verdict->n_problems = v->of_hashes.n;
    memcpy(verdict->problem, v->of_hashes.line, v->of_hashes.n * sizeof *verdict->problem);
    v->of_hashes.n = 0; /* the lines are the verdict's */
    verdict->holds = verdict->n_problems == 0;
    verdict->n_promises = v->stated->n_promises;
    for (size_t p = 0; p < verdict->n_promises; p++) {
        covey_i_judge_describe(&verdict->promise[p], &v->audit.judged[p]);
        verdict->holds &= verdict->promise[p].holds;
    }
    verdict->n_rows = v->stated->n_rows;
    verdict->n_published = v->audit.n_published;
    verdict->n_suppressed = v->stated->n_suppressed;
    verdict->n_classes = v->audit.n_classes;
    verdict->n_units = v->audit.n_units;
    verdict->largest_unit_share = v->audit.largest_unit_share;
    verdict->units_proven = v->audit.units_proven;
    verdict->units_fit = v->audit.units_fit;
    verdict->n_counterfeits = v->stated->n_counterfeits;
    verdict->invariance_proven = v->audit.invariance_proven;
    for (size_t p = 0; p < verdict->n_promises && v->stated->has_units; p++)
        snprintf(verdict->promise[p].units, sizeof verdict->promise[p].units, "%s",
                 covey_over_units_name(v->stated->promise[p].units));
    snprintf(verdict->form, sizeof verdict->form, "%s", v->stated->form);
    verdict->figures = v->audit.figures;
    *out = verdict;
    return COVEY_OK;
}

covey_status covey_verify(covey_verdict **out, const char *folder, const covey_verify_options *options,
                          const covey_run *run, covey_error *err)
{
    struct verifying v = {.options = options,
                          .audit = {.folder = folder,
                                    .original = options ? options->original : NULL,
                                    .links = options ? options->links : NULL,
                                    .units_proven = -1,
                                    .invariance_proven = -1,
                                    .run = run}};
    covey_status status;

    if (options && options->links && !options->original)
        return covey_fail(err, COVEY_EINVAL, "links say in which class the rows of the original are: give that, too");
    if (options && options->within && !options->entity)
        return covey_fail(err, COVEY_EINVAL, "\"%s\" holds persons: which column names these?", options->within);
    if (options && options->entity && !options->original)
        return covey_fail(err, COVEY_EINVAL, "\"%s\" is a column of the original: give that, too", options->entity);
    v.audit.figures = (covey_release_figures){NAN, NAN, NAN, NAN, NAN, NAN, 0};
    covey_i_threads_crew_begin();
    if ((status = run_checks(&v, err)) == COVEY_OK)
        status = make_verdict(out, &v, err);
    covey_i_problems_clear(&v.audit.problems);
    covey_i_problems_clear(&v.audit.of_original);
    covey_i_problems_clear(&v.of_hashes);
    covey_i_ledger_free(v.audit.ledger);
    covey_i_opened_free(v.audit.opened);
    covey_i_stated_free(v.stated);
    covey_arena_free(&v.audit.arena);
    covey_i_threads_crew_end();
    return status;
}

const char *covey_units_fit_name(covey_units_fit fit)
{
    static const char *const name[] = {
        [COVEY_FIT_UNASKED] = "unasked", [COVEY_FIT_UNDECIDED] = "undecided", [COVEY_FIT_NONE] = "none",
        [COVEY_FIT_WHOLE] = "whole",     [COVEY_FIT_KEPT] = "kept",           [COVEY_FIT_ONLY] = "only"};

    return (size_t)fit < sizeof name / sizeof *name ? name[fit] : "unknown";
}

void covey_verdict_free(covey_verdict *verdict)
{
    if (!verdict)
        return;
    for (size_t i = 0; i < verdict->n_problems; i++)
        covey_i_free(verdict->problem[i]);
    covey_i_free(verdict->problem);
    covey_i_free(verdict->promise);
    covey_i_free(verdict);
}
