/* How each published form is verified.  A form is one file that ends in a const struct and one line in form_list.h: it
 * says which tables it has, reads them into a covey_opened, and checks what they hold with the steps below, which all
 * forms share. */
#ifndef COVEY_AUDIT_FORM_H
#define COVEY_AUDIT_FORM_H

#include "audit/judge.h"
#include "reader/original.h"

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
    covey_problems problems;        /* of the release alone */
    covey_problems of_original;     /* of the comparison with the original */
    covey_arena arena;              /* for what has to last until the verdict */
} covey_audit;

typedef struct covey_audit_form {
    const char *name;
    const char *word; /* what a set of rows that is judged is called: "class", "group" */
    bool is_exact;    /* quasi-identifiers are published as they are; else every one is a range, label or set */
    bool may_recode;  /* but some of them may be ranges, labels or sets, which differ from line to line of a set */
    bool hides_prior; /* says nothing of the whole table: what compares with it takes the original */
    /* Do the lines of all quasi-identifiers belong together, row by row?  NULL: yes. */
    bool (*keeps_rows)(const covey_opened *opened);
    bool is_random; /* sensitive values are at random in part: a prior need not count them */
    /* Is this the name of one of its tables?  "table.csv"; hierarchies and the manifest are everybody's. */
    bool (*has_table)(const char *name);
    /* Reads the tables.  What is wrong with them goes to problems; opened->usable says whether the rest makes sense. */
    covey_status (*open)(covey_opened *opened, const bool *present, covey_problems *problems, const covey_run *run,
                         covey_error *err);
    /* Judges promises, figures, order, and the original if there is one.  Called only if opened->usable. */
    covey_status (*check)(covey_audit *audit, covey_error *err);
    /* Reads and checks the tables in windows of about so many bytes instead, with the same verdict; *done false: they
     * are not to be read so, and nothing has happened.  NULL: they never are. */
    covey_status (*check_in_windows)(bool *done, covey_audit *audit, size_t window, covey_error *err);
    bool windows_if_asked; /* windows take much longer: only where a limit is asked for */
    /* Bytes that reading and checking all at once takes, about, if the manifest is right; NULL: twice those of the
     * tables. */
    double (*bytes_at_once)(const covey_stated *stated);
} covey_audit_form;

const covey_audit_form *covey_i_audit_form_find(const char *name); /* NULL if there is none */
size_t covey_i_audit_form_count(void);
const covey_audit_form *covey_i_audit_form_at(size_t index);

/* --- steps of check_in_windows --- */

/* A way to read and check a release that is right in one direction only: it accepts what is as it should be.  *fine
 * false, or a problem: it does not. */
typedef covey_status (*covey_audit_attempt)(bool *fine, covey_audit *audit, size_t window, covey_error *err);
/* What is not accepted leaves the audit as it was, also a file that is none when it is read in pieces. */
covey_status covey_i_audit_accept(bool *accepted, covey_audit *audit, size_t window, covey_audit_attempt attempt,
                                  covey_error *err);

/* --- steps of check --- */

/* What comes between reading the tables and checking them: counts them, and looks whether anything is promised. */
void covey_i_audit_opened(covey_audit *audit);

covey_status covey_i_audit_progress(const covey_run *run, const char *phase, covey_error *err);

/* The views and ranges that promises are judged by. */
typedef struct covey_audit_sides {
    covey_audit_views views;
    covey_quasi_codes codes;
    covey_arena arena;
} covey_audit_sides;

/* Is a promise about the combination of the sensitive attributes?  About the published ranges? */
bool covey_i_audit_wants_joint(const covey_stated *stated);
bool covey_i_audit_wants_ranges(const covey_stated *stated);

/* Steps of covey_i_audit_judge: sides are all zeros before, and cleared in any case; behind the last class comes what
 * the promises have achieved. */
covey_status covey_i_audit_sides_make(covey_audit_sides *sides, covey_audit *audit, covey_problems *problems,
                                      covey_error *err);
void covey_i_audit_sides_clear(covey_audit_sides *sides);
covey_status covey_i_audit_finish_promises(covey_audit *audit, covey_error *err);

/* Makes the views of the sensitive attributes, judges opened->groups by every promise and compares with what the
 * manifest states. */
covey_status covey_i_audit_judge(covey_audit *audit, covey_error *err);

/* The same with a judge of the form's own; arguments as covey_i_judge. */
typedef covey_status (*covey_audit_judge)(covey_judged *out, const covey_opened *opened, const covey_audit_views *views,
                                          const covey_quasi_codes *codes, covey_problems *problems,
                                          const covey_run *run, covey_arena *arena, covey_error *err);
covey_status covey_i_audit_judge_by(covey_audit *audit, covey_audit_judge judge, covey_error *err);

/* The ends of the intervals that the values of a group lie in, both ascending; returns how many there are. */
typedef size_t (*covey_help_list)(int64_t *low, int64_t *high, const void *context, uint32_t group);
/* Recomputes help.csv; most: the most values of a group.  See help_table.c. */
covey_status covey_i_help_check(covey_problems *problems, const covey_opened *opened, const covey_opened_table *help,
                                int scale, size_t most, covey_help_list list, const void *context, covey_error *err);

/* Finds the figures of the published cells and compares them with the manifest's.  Needs usable columns. */
covey_status covey_i_audit_figures(covey_audit *audit, covey_error *err);

/* Reads the original, if there is one, and compares the priors with it.  *out stays NULL where there is nothing to go
 * on with: no original was given, or it or the release is not in order, which has then been reported.
 * covey_i_original_free. */
covey_status covey_i_audit_original(covey_original **out, covey_audit *audit, covey_error *err);

#endif
