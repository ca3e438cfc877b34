/* How each published form is verified.  A form is a folder whose door ends in a const struct, and a line in
 * form_list.h: it checks what its tables, which the reader has opened, hold, with the steps that all forms share
 * (steps.h). */
#ifndef COVEY_AUDIT_FORM_IMPL_H
#define COVEY_AUDIT_FORM_IMPL_H

#include "audit/judge.h"
#include "reader/form_impl.h"

/* A release that is being verified. */
typedef struct covey_audit {
    const char *folder;
    const char *original; /* NULL, or the table that it was made from */
    const covey_run *run;
    const covey_stated *stated;
    const bool *present;            /* [n_files] which files may be opened */
    covey_opened *opened;           /* its tables; set before check is called */
    covey_judged *judged;           /* [n_promises] what was found of each promise */
    covey_release_figures figures;  /* NaN: not known, or not defined for the form */
    int64_t n_published, n_classes; /* rows; classes, groups or buckets */
    const char *links;              /* NULL, or the publisher's list of the class of each row */
    const char *entity, *within;    /* columns of the original that name units; NULL: not asked about */
    bool missing_is_own;            /* a row without a value of these is a unit of its own */
    int64_t n_units;                /* stated ones of all classes; 0: rows have none */
    double largest_unit_share;      /* of a class's rows, as stated */
    int units_proven;               /* as in covey_verdict */
    covey_units_fit units_fit;      /* as in covey_verdict */
    struct covey_ledger *ledger;    /* of all releases of the table; NULL: none is given; owned */
    size_t release_number;          /* in it, from 0; SIZE_MAX: it does not know the release */
    int invariance_proven;          /* as in covey_verdict */
    covey_problems problems;        /* of the release alone */
    covey_problems of_original;     /* of the comparison with the original */
    covey_arena arena;              /* for what has to last until the verdict */
} covey_audit;

typedef struct covey_audit_form {
    const covey_reader_form *form; /* what it is, and how its tables are read */
    /* Judges promises, figures, order, and the original if there is one.  Called only if opened->usable. */
    covey_status (*check)(covey_audit *audit, covey_error *err);
    /* Checks the tables in windows instead, with the same verdict (windows.h); NULL: they are always read at once. */
    const struct covey_windows_form *windows;
    /* Bytes that reading and checking all at once takes, about, if the manifest is right; NULL: twice those of the
     * tables. */
    double (*bytes_at_once)(const covey_stated *stated);
} covey_audit_form;

/* How the releases of a form are verified. */
const covey_audit_form *covey_i_audit_form_of(const covey_reader_form *form);

#endif
