/* Reads a release and what is compared with it, as the audit does.  A broken promise is what attacks are there to find;
 * a changed file, or a table that the release was not made from, would make every figure wrong. */
#include "attack/attack_impl.h"
#include "attack/persons.h"
#include "attack/releases.h"

#include <covey/model.h>

#include <string.h>

#include "audit/broken.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "reader/contents.h"

static covey_status out_of_order(const covey_attacked *r, const covey_problems *problems, covey_error *err)
{
    if (problems->broken)
        return covey_i_no_memory(err);
    return covey_i_error_names(covey_fail(err, COVEY_EPARSE, "%s is not in order: %s (covey verify says more)",
                                          r->folder,
                                          problems->n ? problems->line[0] : "its table cannot be understood"),
                               r->folder, NULL, err);
}

static covey_status not_its_original(const covey_attacked *r, const char *table, const covey_problems *problems,
                                     covey_error *err)
{
    if (problems->broken)
        return covey_i_no_memory(err);
    return covey_i_error_names(covey_fail(err, COVEY_EINVAL, "%s is not the table that %s was made from: %s", table,
                                          r->folder, problems->n ? problems->line[0] : "its columns do not fit"),
                               table, NULL, err);
}

static unsigned form_of(const char *name)
{
    static const char *const names[] = {"generalized", "bucketized", "perturbed", "transformed", "sliced"};

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return 1u << i;
    return 0;
}

/* A promise of a model that does not exist would silently bound nothing. */
static covey_status check_promises(const covey_attacked *r, covey_error *err)
{
    for (size_t p = 0; p < r->stated->n_promises; p++)
        if (!covey_model_find(r->stated->promise[p].model))
            return covey_fail(err, COVEY_EPARSE,
                              "%s is not in order: manifest.json promises \"%s\", which is no model of this version "
                              "(covey models lists them)",
                              r->folder, r->stated->promise[p].model);
    return COVEY_OK;
}

/* The ledger, where the original is compared by it. */
static covey_status find_release(covey_ledger **out, covey_attacked *r, covey_error *err)
{
    if (!r->options->releases_ledger || !r->options->original)
        return COVEY_OK;
    COVEY_TRY(covey_i_attack_releases_read(out, r, err));
    COVEY_TRY(covey_i_attack_releases_find(&r->release_number, *out, r, err));
    if (r->release_number == SIZE_MAX)
        return covey_i_attack_releases_unknown(*out, r, err);
    return COVEY_OK;
}

/* What the audit finds wrong with the promises and the original; see covey_attacked.broken. */
static covey_status audit(covey_attacked *r, const bool *present, covey_error *err)
{
    covey_problems of_original = COVEY_PROBLEMS_INIT;
    covey_ledger *ledger = NULL;
    covey_status status;

    COVEY_TRY(find_release(&ledger, r, err));
    if (!(r->broken = covey_arena_array_zero(&r->arena, bool, r->stated->n_promises)))
        return covey_i_no_memory(err);
    status = covey_i_audit_broken(r->broken, &of_original, r->opened, present, r->options->original, ledger,
                                  r->release_number, r->run, err);
    if (status == COVEY_OK && of_original.n > 0)
        status = not_its_original(r, r->options->original, &of_original, err);
    covey_i_problems_clear(&of_original);
    return status;
}

static covey_status read_release(covey_attacked *r, covey_error *err)
{
    bool *present;

    COVEY_TRY(covey_i_run_goes_on(r->run, "read the release", 0, 0, err));
    COVEY_TRY(covey_i_stated_read(&r->stated, r->folder, err));
    if (!(present = covey_arena_array_zero(&r->arena, bool, r->stated->n_files)))
        return covey_i_no_memory(err);
    r->form = form_of(r->stated->form);
    COVEY_TRY(check_promises(r, err));
    COVEY_TRY(covey_i_contents_check(present, &r->problems, r->folder, r->stated, err));
    COVEY_TRY(covey_i_contents_hash(&r->problems, r->folder, r->stated, present, err));
    COVEY_TRY(covey_i_opened_read(&r->opened, r->folder, r->stated, present, &r->problems, r->run, err));
    if (r->problems.broken || r->problems.n > 0 || !covey_i_opened_all_usable(r->opened))
        return out_of_order(r, &r->problems, err);
    COVEY_TRY(covey_i_run_goes_on(r->run, "compare with the original", 0, 0, err));
    return audit(r, present, err);
}

static covey_status read_original(covey_attacked *r, covey_error *err)
{
    const char *more[5];
    size_t named;
    covey_original_options options = {.more = more};
    size_t first;

    if (!r->options->original)
        return COVEY_OK;
    if (r->options->entity)
        more[options.n_more++] = r->options->entity;
    if (r->options->weight)
        more[options.n_more++] = r->options->weight;
    first = options.n_named = options.n_more;
    if (r->persons)
        more[options.n_more++] = r->persons->linked.entity;
    if (r->persons && r->persons->linked.within)
        more[options.n_more++] = r->persons->linked.within;
    named = options.n_more;
    if (r->ledger)
        more[options.n_more++] = r->ledger->entity;
    COVEY_TRY(
        covey_i_original_read_with(&r->original, r->opened, r->options->original, &options, &r->problems, r->run, err));
    if (r->problems.broken || r->problems.n > 0 || !r->original->usable)
        return not_its_original(r, r->options->original, &r->problems, err);
    COVEY_TRY(covey_i_attack_persons_read(r, first, err));
    if (r->ledger)
        COVEY_TRY(covey_i_attack_releases_rows(r, r->ledger, r->release_number, r->original->more[named], err));
    return covey_i_original_as_cells(r->original, r->opened, err);
}

/* Does the release have a hierarchy that was built from values which neither it nor the population shows all? */
static bool is_built_from_others(const covey_opened *opened)
{
    for (size_t q = 0; q < opened->n_quasi; q++) {
        const covey_opened_column *column = &opened->column[opened->quasi[q]];

        if (column->stated->hierarchy && !column->stated->hierarchy_complete && !column->like)
            return true;
    }
    return false;
}

/* The release once more, in terms of the population: hierarchies that were built from the data are built again from it.
 */
static covey_status read_population(covey_attacked *r, covey_error *err)
{
    const covey_original_options options = {.is_population = true};
    bool *present;

    if (!r->options->population)
        return COVEY_OK;
    if (!(present = covey_arena_array_zero(&r->arena, bool, r->stated->n_files)))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_run_goes_on(r->run, "read the population", 0, 0, err));
    COVEY_TRY(covey_i_contents_check(present, &r->problems, r->folder, r->stated, err));
    COVEY_TRY(covey_i_opened_read(&r->population_view, r->folder, r->stated, present, &r->problems, r->run, err));
    for (size_t i = 0; i < r->opened->n_columns; i++)
        r->population_view->column[i].like = r->opened->column[i].rebuilt;
    COVEY_TRY(covey_i_original_read_with(&r->population, r->population_view, r->options->population, &options,
                                         &r->problems, r->run, err));
    if (r->problems.broken)
        return covey_i_no_memory(err);
    if (r->problems.n > 0 || !r->population->usable)
        return covey_fail(err, COVEY_EINVAL, "%s cannot be the population of %s: %s%s", r->options->population,
                          r->folder, r->problems.n ? r->problems.line[0] : "its columns do not fit",
                          is_built_from_others(r->population_view) && !r->original
                              ? "; a hierarchy was built from the original's values: give it, too (--original DATA)"
                              : "");
    return covey_i_original_as_cells(r->population, r->population_view, err);
}

/* The other release of the same rows; of several by a ledger the first, which opens those that are left. */
static covey_status open_with(covey_attacked *r, covey_error *err)
{
    covey_attack_options *options;

    if (!r->options->with)
        return COVEY_OK;
    if (!(options = covey_arena_array_zero(&r->arena, covey_attack_options, 1)))
        return covey_i_no_memory(err);
    options->original = r->options->with_original ? r->options->with_original : r->options->original;
    if (r->options->releases_ledger && !r->options->with_links)
        options->original = NULL; /* the table of a later release is another one, and the ledger knows who is in it */
    options->links = r->options->with_links;
    if (r->options->n_also > 0) {
        options->with = r->options->also[0];
        options->also = r->options->also + 1;
        options->n_also = r->options->n_also - 1;
        options->releases_ledger = r->options->releases_ledger;
    }
    return covey_i_attacked_open(&r->with, r->options->with, options, r->run, err);
}

covey_status covey_i_attacked_open(covey_attacked **out, const char *folder, const covey_attack_options *options,
                                   const covey_run *run, covey_error *err)
{
    covey_attacked *r = covey_i_array_zero(1, sizeof *r);
    covey_status status;

    if (!r)
        return covey_i_no_memory(err);
    r->folder = folder;
    r->options = options;
    r->run = run;
    if ((status = read_release(r, err)) == COVEY_OK && (status = covey_i_attack_persons_open(r, err)) == COVEY_OK &&
        (status = read_original(r, err)) == COVEY_OK && (status = covey_i_attack_targets(r, err)) == COVEY_OK &&
        (status = covey_i_attack_row_values(r, err)) == COVEY_OK &&
        (status = covey_i_attack_persons_targets(r, err)) == COVEY_OK &&
        (status = read_population(r, err)) == COVEY_OK && (status = open_with(r, err)) == COVEY_OK) {
        *out = r;
        return COVEY_OK;
    }
    covey_i_attacked_close(r);
    return status;
}

void covey_i_attacked_close(covey_attacked *release)
{
    if (!release)
        return;
    covey_i_attacked_close(release->with);
    covey_i_views_clear(&release->views);
    covey_i_original_free(release->population);
    covey_i_opened_free(release->population_view);
    covey_i_original_free(release->original);
    covey_i_opened_free(release->opened);
    covey_i_stated_free(release->stated);
    covey_i_ledger_free(release->ledger);
    covey_i_problems_clear(&release->problems);
    covey_arena_free(&release->arena);
    covey_i_free(release);
}
