/* See facts.h: asks the audit, the measures and the attacks. */
#include "report/facts.h"

#include <stdio.h>
#include <string.h>

#include "audit/audit_form.h"
#include "audit/contents.h"
#include "base/hash.h"

enum { N_QUERIES = 200 };

static covey_status read_release(covey_facts *f, const char *folder, const char *original, const covey_run *run, covey_error *err)
{
    covey_problems problems = COVEY_PROBLEMS_INIT;
    covey_status status;
    bool *present;

    COVEY_TRY(covey_i_stated_read(&f->own_stated, folder, err));
    f->stated = f->own_stated;
    if (!(present = covey_arena_array_zero(&f->arena, bool, f->stated->n_files)))
        return covey_fail(err, COVEY_ENOMEM, "no memory for a report");
    if ((status = covey_i_contents_check(present, &problems, folder, f->stated, err)) == COVEY_OK &&
        (status = covey_i_opened_read(&f->own_opened, folder, f->stated, present, &problems, run, err)) == COVEY_OK) {
        if (problems.n > 0 || !covey_i_opened_all_usable(f->own_opened))
            status = covey_fail(err, COVEY_EPARSE, "%s is not in order: %s (covey verify says more)", folder,
                                problems.n ? problems.line[0] : "its table cannot be understood");
        else if (original)
            status = covey_i_original_read(&f->own_original, f->own_opened, original, &problems, run, err);
        if (status == COVEY_OK && (problems.n > 0 || (original && !f->own_original->usable)))
            status = covey_fail(err, COVEY_EINVAL, "%s is not the table that %s was made from: %s", original, folder,
                                problems.n ? problems.line[0] : "its columns do not fit");
    }
    if (problems.broken)
        status = covey_fail(err, COVEY_ENOMEM, "no memory for a report");
    f->opened = f->own_opened;
    covey_i_problems_clear(&problems);
    return status;
}

/* Attacks that are over soon; `covey attack` runs the others. */
static covey_status attack(covey_facts *f, const char *folder, const char *original, const covey_run *run, covey_error *err)
{
    static const char *const of_release[] = {"skewness", "homogeneity", "similarity", "background-knowledge", "re-identification", "rare-values"};
    const char *names[sizeof of_release / sizeof *of_release];
    covey_attack_options options = {.original = original, .name = names};

    for (size_t i = 0; i < sizeof of_release / sizeof *of_release; i++) {
        const covey_attack *one = covey_attack_find(of_release[i]);

        if (one && (original || !strstr(covey_attack_needs(one), "--original")))
            names[options.n_names++] = of_release[i];
    }
    COVEY_TRY(covey_attack_release(&f->own_attacks, folder, &options, run, err));
    f->attacks = f->own_attacks;
    return COVEY_OK;
}

/* A form that queries are not built for, or a table that nothing can be asked of, has no such figures. */
static covey_status ask_queries(covey_facts *f, const char *folder, const char *original, const covey_run *run, covey_error *err)
{
    static const double selectivity[COVEY_FACT_MOST_QUERIES] = {0.01, 0.05, 0.1};
    covey_run seeded = run ? *run : (covey_run)COVEY_RUN_INIT;

    if (!original)
        return COVEY_OK;
    if (!seeded.has_seed) { /* the same queries in every report */
        seeded.has_seed = true;
        seeded.seed = 1;
    }
    for (size_t i = 0; i < COVEY_FACT_MOST_QUERIES; i++) {
        const covey_measure_options options = {.original = original, .n_queries = N_QUERIES, .selectivity = selectivity[i]};
        covey_measurement *m = NULL;
        covey_error reason;
        const covey_status status = covey_measure(&m, folder, &options, &seeded, &reason);

        if (status == COVEY_EINVAL)
            return COVEY_OK;
        if (status != COVEY_OK) {
            if (err)
                *err = reason;
            return status;
        }
        f->queries[f->n_queries++] = (covey_fact_queries){selectivity[i], m->workload.median_relative_error, m->workload.median_relative_width};
        covey_measurement_free(m);
    }
    return COVEY_OK;
}

static covey_status hash_manifest(covey_facts *f, const char *folder, covey_error *err)
{
    const char *path = covey_i_contents_path(&f->arena, folder, "manifest.json");
    unsigned char hash[32];
    uint64_t size;

    if (!path)
        return covey_fail(err, COVEY_ENOMEM, "no memory for a report");
    COVEY_TRY(covey_i_sha256_file(hash, &size, path, err));
    covey_i_hex(f->manifest_hash, hash);
    return COVEY_OK;
}

covey_status covey_i_facts_gather(covey_facts *f, const char *folder, const char *original, const covey_run *run, covey_error *err)
{
    const covey_verify_options verifying = {.original = original};
    const covey_measure_options measuring = {.original = original};

    f->is_internal = original != NULL;
    COVEY_TRY(covey_verify(&f->own_verdict, folder, &verifying, run, err));
    f->verdict = f->own_verdict;
    COVEY_TRY(read_release(f, folder, original, run, err));
    COVEY_TRY(covey_measure(&f->own_measured, folder, &measuring, run, err));
    f->measured = f->own_measured;
    f->is_exact = f->stated->published_as->is_exact;
    f->unit = f->stated->published_as->word;
    f->unit_plural = f->unit[strlen(f->unit) - 1] == 's' ? "classes" : strcmp(f->unit, "bucket") == 0 ? "buckets" : "groups";
    COVEY_TRY(covey_i_facts_count(f, err));
    if (f->verdict->n_problems == 0) /* a release that was changed is not attacked */
        COVEY_TRY(attack(f, folder, original, run, err));
    COVEY_TRY(ask_queries(f, folder, original, run, err));
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
