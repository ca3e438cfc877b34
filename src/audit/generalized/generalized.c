/* How the form "generalized" is checked: at once, or in windows of whole classes. */
#include "audit/generalized/faithful.h"
#include "audit/generalized/objective.h"
#include "audit/generalized/order.h"
#include "audit/ledger/ledger.h"
#include "audit/links/proof.h"
#include "audit/units.h"
#include "audit/whole/whole.h"
#include "audit/windows.h"
#include "base/error.h"
#include "base/run.h"
#include "reader/generalized/generalized.h"
#include "table/table_impl.h"

/* Does each quasi-identifier of a row lie in its class's cell? */
static bool fits_class(const covey_link_proof *p, const covey_link_place *at)
{
    const covey_opened *o = p->audit->opened;

    for (size_t q = 0; q < o->n_quasi; q++) {
        const covey_opened_column *column = &o->column[o->quasi[q]];
        const covey_original_column *from = &p->original->column[o->quasi[q]];

        if (!covey_i_cover_holds(&from->cover[column->class_cell[at->class - 1]],
                                 covey_i_code_at(from->column, at->row)))
            return false;
    }
    return true;
}

/* Are the rows that the publisher's list puts into a class those of the class? */
static covey_status check_links(covey_link_proof *p, covey_error *err)
{
    const covey_opened *o = p->audit->opened;
    uint32_t *column = covey_arena_array(&p->arena, uint32_t, o->n_columns);
    size_t n = 0;

    if (!column)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < o->n_columns; i++)
        if (o->column[i].stated->role != COVEY_ROLE_QUASI)
            column[n++] = (uint32_t)i;
    return covey_i_links_check_rows(p, column, n, fits_class, err);
}

/* With what the rows were made from, which list or ledger of the publisher's there may be. */
static covey_status compare(covey_audit *audit, const covey_original *original, covey_error *err)
{
    const int64_t n_before = audit->of_original.n_found;

    if (audit->ledger && audit->entity)
        return covey_i_audit_ledger_original(&audit->of_original, audit, original, err);
    if (audit->stated->n_counterfeits > 0)
        return covey_fail(
            err, COVEY_EINVAL,
            "rows of this release are made up, and which is not published: it is compared with the original by the "
            "private ledger that anonymize --ledger keeps; attack and report take that as --releases-ledger FILE, "
            "verify as --ledger FILE, with --previous for each of the other releases");
    if (audit->links && audit->entity) {
        COVEY_TRY(covey_i_audit_links(audit, original, check_links, err));
        if (audit->of_original.n_found ==
            n_before) /* each published row has its own, by the list: none is looked for */
            return COVEY_OK;
    }
    COVEY_TRY(covey_i_faithful_check(&audit->of_original, audit->opened, original, audit->run, err));
    return audit->entity && !audit->links
               ? covey_i_audit_whole(audit, original, covey_i_generalized_ask, check_links, err)
               : COVEY_OK;
}

static covey_status check_figures(covey_audit *audit, covey_error *err)
{
    covey_class_objective objective;

    COVEY_TRY(covey_i_audit_figures(audit, err));
    COVEY_TRY(covey_i_objective_begin(&objective, audit->opened, &audit->arena, err));
    COVEY_TRY(covey_i_objective_add(&objective, audit->opened, err));
    covey_i_objective_compare(&audit->problems, &objective, audit->opened, &audit->figures);
    return COVEY_OK;
}

static covey_status check(covey_audit *audit, covey_error *err)
{
    covey_original *original;
    covey_status status = COVEY_OK;

    COVEY_TRY(covey_i_run_goes_on(audit->run, "judge the classes", 0, 0, err));
    COVEY_TRY(covey_i_order_check(&audit->problems, audit->opened, audit->run, err));
    COVEY_TRY(covey_i_audit_judge(audit, err));
    COVEY_TRY(covey_i_audit_units(audit, err));
    COVEY_TRY(covey_i_audit_links_open(audit, err));
    COVEY_TRY(covey_i_audit_original(&original, audit, err));
    if (original)
        status = compare(audit, original, err);
    if (original && status == COVEY_OK)
        status = covey_i_objective_compare_original(&audit->of_original, audit->opened, original, err);
    covey_i_original_free(original);
    if (status == COVEY_OK && covey_i_opened_all_usable(audit->opened))
        status = check_figures(audit, err);
    return status;
}

/* Codes of a byte mostly, twice while columns are made; and texts with their places in dictionaries, of which a class
 * has one in each column at most, as have the sensitive values. */
static double bytes_at_once(const covey_stated *stated)
{
    const double a_row = 2, a_text = 128, at_least = 1 << 20;

    return at_least +
           (double)stated->n_columns * (a_row * (double)stated->n_published + a_text * (double)stated->n_classes);
}

/* --- in windows --- */

static covey_status open_table(covey_windows *w, covey_error *err)
{
    COVEY_TRY(covey_i_windows_open(&w->rows, w, COVEY_GENERALIZED_TABLE, "class", err));
    if (!w->refused)
        covey_i_generalized_expect(w->rows.table, w->o);
    return COVEY_OK;
}

static covey_status begin_classes(covey_windows *w, covey_error *err)
{
    covey_class_objective *objective = covey_arena_array(&w->arena, covey_class_objective, 1);

    if (!(w->own = objective))
        return covey_i_no_memory(err);
    COVEY_TRY(covey_i_windows_begin_classes(w, err));
    COVEY_TRY(covey_i_objective_begin(objective, w->o, &w->arena, err));
    objective->knows_labels = objective->label && objective->label->stated->role == COVEY_ROLE_SENSITIVE;
    return COVEY_OK;
}

static covey_status check_window(covey_windows *w, covey_error *err)
{
    COVEY_TRY(covey_i_windows_find_classes(w, err));
    COVEY_TRY(covey_i_windows_read_columns(w, err));
    COVEY_TRY(covey_i_order_check(&w->of_order, w->o, w->audit->run, err));
    if (covey_i_opened_all_usable(w->o))
        COVEY_TRY(covey_i_objective_add(w->own, w->o, err));
    return covey_i_windows_judge(w, err);
}

static covey_status end_classes(covey_windows *w, covey_error *err)
{
    COVEY_TRY(covey_i_windows_end_classes(w, err));
    if (covey_i_opened_all_usable(w->o))
        covey_i_objective_compare(&w->audit->problems, w->own, w->o, &w->audit->figures);
    return COVEY_OK;
}

static const covey_windows_form windows = {
    .phase = "judge the classes",
    .open = open_table,
    .begin = begin_classes,
    .next = covey_i_csv_stream_next_runs,
    .check = check_window,
    .end = end_classes,
};

const covey_audit_form covey_audit_form_generalized = {
    .form = &covey_reader_form_generalized,
    .check = check,
    .windows = &windows,
    .bytes_at_once = bytes_at_once,
};
