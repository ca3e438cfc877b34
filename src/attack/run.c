/* Runs attacks on a release: all that apply, or those that are asked for by name. */
#include <covey/attack.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attack/attack_impl.h"
#include "attack/ledger.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"
#include "base/text.h"
#include "reader/form_impl.h"
#include "reader/sliced/sliced.h"
#include "reader/units.h"

struct report {
    covey_attack_report public; /* first: what the caller has */
    covey_arena arena;
};

/* --- which --- */

static covey_status unknown(const char *name, covey_error *err)
{
    const char *names[64], *near;
    size_t n = 0;

    for (; n < covey_attack_count() && n < sizeof names / sizeof *names; n++)
        names[n] = covey_attack_at(n)->name;
    near = covey_nearest_name(name, names, n);
    if (near)
        return covey_fail(err, COVEY_EINVAL, "there is no attack \"%s\"; did you mean \"%s\"?", name, near);
    return covey_fail(err, COVEY_EINVAL, "there is no attack \"%s\"; `covey attacks` lists them", name);
}

static bool is_named(const covey_attack_options *options, const covey_attack *attack)
{
    for (size_t i = 0; i < options->n_names; i++)
        if (strcmp(options->name[i], attack->name) == 0)
            return true;
    return false;
}

/* Is one of the named attacks made by the ledger of m-invariant releases? */
static bool uses_ledger(const covey_attack_options *options)
{
    for (size_t i = 0; i < options->n_names; i++)
        if (covey_attack_find(options->name[i])->needs_with_ledger)
            return true;
    return false;
}

/* form: 0: of any form */
static unsigned missing_needs(const covey_attack_options *options, const covey_attack *attack, unsigned form)
{
    const unsigned needs = options->releases_ledger && attack->needs_with_ledger      ? attack->needs_with_ledger
                           : form == COVEY_ATTACKED_SLICED && attack->needs_of_sliced ? attack->needs_of_sliced
                                                                                      : attack->needs;
    const unsigned given = (options->original ? (unsigned)COVEY_ATTACK_NEEDS_ORIGINAL : 0u) |
                           (options->with ? (unsigned)COVEY_ATTACK_NEEDS_WITH : 0u) |
                           (options->population ? (unsigned)COVEY_ATTACK_NEEDS_POPULATION : 0u) |
                           (options->program ? (unsigned)COVEY_ATTACK_NEEDS_PROGRAM : 0u);

    if (form == 0 && attack->needs_of_sliced && (attack->needs_of_sliced & ~given) == 0)
        return 0;
    return needs & ~given;
}

static const char *need_text(unsigned missing)
{
    if (missing & COVEY_ATTACK_NEEDS_ORIGINAL)
        return "the table that the release was made from: --original DATA";
    if (missing & COVEY_ATTACK_NEEDS_WITH)
        return "another release of the same rows: --with RELEASE2";
    if (missing & COVEY_ATTACK_NEEDS_PROGRAM)
        return "the policy that the release was made by: --policy POLICY";
    return "a table of the people among whom those of the release are hidden: --population DATA";
}

static covey_status check_options(const covey_attack_options *options, covey_error *err)
{
    for (size_t i = 0; i < options->n_names; i++) {
        const covey_attack *attack = covey_attack_find(options->name[i]);
        unsigned missing;

        if (!attack)
            return unknown(options->name[i], err);
        if ((missing = missing_needs(options, attack, 0)))
            return covey_fail(err, COVEY_EINVAL, "the attack %s needs %s", attack->name, need_text(missing));
    }
    if (options->links && !options->original)
        return covey_fail(err, COVEY_EINVAL,
                          "--links names the class of each row of the original, and there is none: give it with "
                          "--original DATA");
    if (options->releases_ledger && !options->with && !options->original)
        return covey_fail(
            err, COVEY_EINVAL,
            "--releases-ledger says who is in which class: with --original DATA all attacks go by it, with "
            "another release, --with RELEASE2, composition");
    if (options->n_also > 0 && (!options->releases_ledger || options->with_links))
        return covey_fail(err, COVEY_EINVAL,
                          "more than two releases are put together where a ledger of m-invariant releases knows them "
                          "all: --releases-ledger FILE, without --with-links");
    if (options->releases_ledger && options->n_names > 0 && !options->original && !uses_ledger(options))
        return covey_fail(err, COVEY_EINVAL,
                          "without --original DATA --releases-ledger is for the attack composition, and others were "
                          "named");
    if (options->releases_ledger && options->with_links && !options->with_original)
        return covey_fail(err, COVEY_EINVAL,
                          "--with-links names the class of each row of the table that the other release was made from: "
                          "beside --releases-ledger give that, too, --with-original DATA");
    if (options->with_links && (!options->with || (!options->links && !options->releases_ledger)))
        return covey_fail(
            err, COVEY_EINVAL,
            "--with-links names the class of each row of the other release: it goes with --with RELEASE2, "
            "and with the first one's list, --links FILE, or the ledger of m-invariant releases, --releases-ledger "
            "FILE");
    if (options->with_original && !options->with_links)
        return covey_fail(err, COVEY_EINVAL,
                          "--with-original is another table, whose rows are not those of the first: persons are found "
                          "in both by --links FILE and --with-links FILE");
    if (options->delta_max.den > 0 && !options->population)
        return covey_fail(err, COVEY_EINVAL,
                          "--delta-max bounds the chance that somebody of a population is in the release: give that, "
                          "too, --population DATA");
    if (options->entity && !options->original)
        return covey_fail(err, COVEY_EINVAL,
                          "--entity names a column of the original, and there is none: give it with --original DATA");
    if (options->entity && options->links)
        return covey_fail(err, COVEY_EINVAL, "the list of links says itself which column names units: leave \"%s\" out",
                          options->entity);
    if (options->weight && !options->original)
        return covey_fail(err, COVEY_EINVAL,
                          "--weight names a column of the original, and there is none: give it with --original DATA; a "
                          "weight that the release publishes is taken without being named");
    return COVEY_OK;
}

/* --- running --- */

static void start_maker(covey_attack_maker *maker, const covey_attack *attack, covey_arena *memory)
{
    *maker = (covey_attack_maker){.memory = memory};
    maker->result = (covey_attack_result){
        .attack = attack,
        .attribute = "",
        .applies = true,
        .why_not = "",
        .over = "rows",
        .level = attack->level,
        .figure = NAN,
        .prior = NAN,
        .ceiling = NAN,
        .bound = NAN,
        .figure_text = "",
        .interval_low = NAN,
        .interval_high = NAN,
        .verdict = COVEY_ATTACK_INFORMATION,
        .words = "",
    };
}

/* Does the sensitive attribute stand in several columns of a sliced release? */
static bool is_joined(const covey_attacked *r)
{
    return r->form == COVEY_ATTACKED_SLICED && covey_i_slices_hold_twice(r->opened, r->opened->form_data);
}

/* Why an attack is not for this release; NULL if it is. */
static const char *why_not(const covey_attack *attack, const covey_attacked *r, const covey_attack_target *target)
{
    if (!attack->of_joined &&
        (is_joined(r) || (r->with && (attack->needs & COVEY_ATTACK_NEEDS_WITH) && is_joined(r->with))))
        return "the sensitive attribute stands in several columns, whose pieces tell it together, and this attack "
               "looks at those of one: it would find too "
               "little";
    for (unsigned i = 0; i < sizeof attack->not_for / sizeof *attack->not_for; i++)
        if (r->form == 1u << i && !(attack->forms & r->form))
            return attack->not_for[i] ? attack->not_for[i] : "it is not for this form of release";
    if ((attack->needs & COVEY_ATTACK_NEEDS_PROGRAM) && (r->stated->has_units || r->stated->has_counterfeits))
        return "it runs the policy in other tables that there could be, which are not known where rows are persons' "
               "(role entity)";
    if (attack->per_attribute && !target)
        return "the release has no sensitive attribute";
    if (attack->compares && target && !target->has_prior)
        return "it compares with the sensitive values of the whole table, of which a transformed release says nothing; "
               "give the table with "
               "--original DATA";
    return NULL;
}

/* Says what was counted where rows are persons', who may have several. */
static covey_status name_counted(covey_attack_maker *maker, const covey_attack *attack, const covey_attacked *r,
                                 covey_error *err)
{
    covey_text words = COVEY_TEXT_INIT;

    if (!r->opened->units || !maker->result.applies || (r->options->releases_ledger && attack->needs_with_ledger))
        return COVEY_OK; /* by the ledger persons were */
    /* Rows with exact quasi-identifiers are looked up, whoever's they are. */
    if ((attack->over == COVEY_ATTACK_OVER_UNITS || attack->over == COVEY_ATTACK_OVER_PERSONS) &&
        !r->stated->published_as->is_exact) {
        maker->result.over =
            attack->over == COVEY_ATTACK_OVER_UNITS && r->stated->has_households ? "households" : "persons";
        return COVEY_OK;
    }
    if (attack->over == COVEY_ATTACK_OVER_BOTH &&
        (maker->counts_persons || (r->persons && (!(attack->needs & COVEY_ATTACK_NEEDS_WITH) || r->with->persons))))
        return COVEY_OK;
    if (covey_i_opened_units_are_rows(r->opened, r->opened->units->n_persons))
        return COVEY_OK;
    covey_i_text_add_format(&words, "%s Rows were counted, of which a person may have several.", maker->result.words);
    maker->result.words = covey_i_text_keep(&words, maker->memory);
    return maker->result.words ? COVEY_OK : covey_i_no_memory(err);
}

static covey_status run_attack(covey_attack_maker *maker, const covey_attack *attack, covey_attacked *r,
                               covey_attack_target *target, covey_error *err)
{
    const unsigned missing = missing_needs(r->options, attack, r->form);
    const char *why = why_not(attack, r, target);
    covey_arena arena = COVEY_ARENA_INIT;
    covey_status status = COVEY_OK;

    if (target) {
        if (!(maker->result.attribute = covey_arena_strdup(maker->memory, target->view->name)))
            return covey_i_no_memory(err);
        if (target->has_prior)
            maker->result.prior = covey_i_attack_prior(target, target->most_frequent);
    }
    if (why)
        covey_i_attack_not(maker, "%s", why);
    else if (missing && is_named(r->options, attack))
        return covey_fail(err, COVEY_EINVAL, "the attack %s on a%s release needs %s", attack->name,
                          r->form == COVEY_ATTACKED_SLICED ? " sliced" : "", need_text(missing));
    else if (missing)
        covey_i_attack_not(maker, "it needs %s", need_text(missing));
    else
        status = attack->run(maker, r, target, &arena, err);
    if (status == COVEY_OK && !maker->broken)
        status = name_counted(maker, attack, r, err);
    if (target && target->is_rounded)
        maker->result.figure_text = "";
    covey_arena_free(&arena);
    if (status == COVEY_OK && maker->broken)
        return covey_i_no_memory(err);
    return status;
}

static size_t runs_of(const covey_attack *attack, const covey_attacked *r)
{
    return attack->per_attribute && r->n_targets > 0 ? r->n_targets : 1;
}

static covey_status run_attacks(struct report *report, covey_attacked *r, covey_error *err)
{
    covey_attack_result *result;
    size_t n = 0;

    for (size_t a = 0; a < covey_attack_count(); a++)
        n += runs_of(covey_attack_at(a), r);
    if (!(result = covey_arena_array(&report->arena, covey_attack_result, n)))
        return covey_i_no_memory(err);
    report->public.result = result;
    for (size_t a = 0; a < covey_attack_count(); a++) {
        const covey_attack *attack = covey_attack_at(a);

        if (r->options->n_names > 0 && !is_named(r->options, attack))
            continue;
        COVEY_TRY(covey_i_run_goes_on(r->run, attack->name, 0, 0, err));
        for (size_t i = 0; i < runs_of(attack, r); i++) {
            covey_attack_maker maker;

            start_maker(&maker, attack, &report->arena);
            COVEY_TRY(
                run_attack(&maker, attack, r, attack->per_attribute && r->n_targets > 0 ? &r->target[i] : NULL, err));
            result[report->public.n_results++] = maker.result;
        }
    }
    return COVEY_OK;
}

static covey_status fill(struct report *report, covey_attacked *r, covey_error *err)
{
    if (!(report->public.form = covey_arena_strdup(&report->arena, r->stated->form)))
        return covey_i_no_memory(err);
    report->public.memory = report;
    report->public.n_rows = r->stated->n_rows;
    report->public.n_published = r->opened->n_rows;
    report->public.n_suppressed = r->stated->n_suppressed;
    report->public.n_classes = r->opened->n_classes;
    COVEY_TRY(run_attacks(report, r, err));
    return covey_i_attack_ledger(&report->public.n_before, r, err);
}

covey_status covey_attack_release(covey_attack_report **out, const char *folder, const covey_attack_options *options,
                                  const covey_run *run, covey_error *err)
{
    static const covey_attack_options defaults = {0};
    struct report *report;
    covey_attacked *release = NULL;
    covey_status status;

    options = options ? options : &defaults;
    COVEY_TRY(check_options(options, err));
    if (!(report = covey_i_array_zero(1, sizeof *report)))
        return covey_i_no_memory(err);
    if ((status = covey_i_attacked_open(&release, folder, options, run, err)) == COVEY_OK &&
        (status = fill(report, release, err)) == COVEY_OK)
        *out = &report->public;
    else {
        covey_arena_free(&report->arena);
        covey_i_free(report);
    }
    covey_i_attacked_close(release);
    return status;
}

void covey_attack_report_free(covey_attack_report *report)
{
    struct report *own;

    if (!report)
        return;
    own = report->memory;
    covey_arena_free(&own->arena);
    covey_i_free(own);
}
