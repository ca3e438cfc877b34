/* Audit: re-proves every promise of a release from its files alone; shares no code with the methods. */
#ifndef COVEY_AUDIT_H
#define COVEY_AUDIT_H

#include <covey/base.h>
#include <covey/release.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum covey_achieved_kind {
    COVEY_ACHIEVED_INTEGER,
    COVEY_ACHIEVED_FRACTION,
    COVEY_ACHIEVED_REAL,
    COVEY_ACHIEVED_KE
} covey_achieved_kind;

/* What the original alone says of units, without the publisher's list of classes. */
typedef enum covey_units_fit {
    COVEY_FIT_UNASKED,   /* the columns that name units were not given, or nothing could be looked for: problems say why
                          */
    COVEY_FIT_UNDECIDED, /* whether whole units can make the classes was not found out: it can be as hard as packing
                            bins, and the search is limited */
    COVEY_FIT_NONE,      /* whole units cannot make the classes: proven, and a problem */
    COVEY_FIT_WHOLE,     /* they can, but not every promise over units could be proven of the way that was found */
    COVEY_FIT_KEPT,      /* they can in a way that keeps every promise over units; there may be others */
    COVEY_FIT_ONLY /* they can in one way alone, but for units that have as many rows of each kind and the same classes
                      to go to: promises over units are the same of all */
} covey_units_fit;

/* "unasked", "undecided", "none", "whole", "kept", "only", "unknown" for no such answer; static. */
COVEY_API const char *covey_units_fit_name(covey_units_fit fit);

typedef struct covey_promise_verdict {
    char model[64];
    char attribute[128]; /* "" if the model needs none; "a, b" for joint */
    bool joint;
    char threshold[64]; /* as the policy wrote it: "5", "0.2", "5/3"; "" for a model with several, which are among the
                           parameters */
    size_t n_params;
    char param_name[8][32], param_text[8][64]; /* long texts are cut off */
    covey_achieved_kind kind;
    char achieved[96];   /* "5", "79/20", "3.0412", "inf"; KE: k; "" if no class was judged */
    char achieved_e[96]; /* KE: e */
    double achieved_value;
    int64_t worst_class; /* its published number, 0 if none */
    char units[8]; /* "share", "count", "rows": what is promised over units (covey_over_units); "": there are none */
    bool holds;
} covey_promise_verdict;

typedef struct covey_verdict {
    bool holds;   /* every promise, and no problem */
    int faithful; /* -1 not asked, 0 no, 1 yes */
    size_t n_promises;
    covey_promise_verdict *promise;
    size_t n_problems;
    char **problem; /* one line each, at most 50 and "and N more"; they never show a sensitive value */
    int64_t n_rows, n_published, n_suppressed, n_classes;
    int64_t n_units;           /* persons, households or firms that are published, 0: rows have none */
    double largest_unit_share; /* of a class's rows that one of these may have, as the files state; 0: rows have none */
    int units_proven; /* -1: there are none, or nothing was promised of them; 0: as the publisher states it, which the
                       * files do not contradict; 1: proven from the original, with links or where there is one way
                       * alone */
    covey_units_fit units_fit;
    int64_t n_counterfeits; /* published rows that are nobody's, as the release states */
    int invariance_proven;  /* -1: no m-invariance is promised; 0: of this release alone, and not over several; 1: over
                             * all releases of the ledger */
    char form[32];
    covey_release_figures figures;
} covey_verdict;

typedef struct covey_verify_options {
    const char *original; /* NULL, or the table the release was made from: checks faithfulness */
    const char *links;    /* NULL, or the publisher's list of the class of each row, with the original: proves promises
                           * over units */
    const char *entity;   /* NULL, or the column of the original that names persons, whose rows stay together, and */
    const char *within;   /* NULL, or that of what persons are part of, such as households: without links, looks whether
                             whole units can make the classes */
    bool skip_hashes;     /* the caller has just written and hashed the files itself */
    const char *ledger; /* NULL, or the publisher's ledger, which proves m-invariance over all of its releases; with an
                           original the comparison goes by it */
    bool is_one_of_ledger; /* the ledger is asked about this release alone: its classes, and the original */
    size_t n_previous;
    const char *const *previous; /* [n_previous] the other releases of the ledger, in any order */
    int64_t memory_limit; /* bytes that it may take, about; 0: 1 GiB for generalized tables, none for bucketized ones,
                             whose windows take longer.  What would take more is read in windows of whole classes, with
                             the same verdict; the other forms, a comparison with the original, and promises on the
                             combination of sensitive attributes read all of it at once, whatever the limit */
    /* The release is some whole classes of a larger one, numbered from 1, with that one's prior: what its manifest says
     * of all classes together (what was achieved, losses, the suppressed rows) is not compared. */
    bool is_piece;
} covey_verify_options;

/**
 * Verifies a release folder: that its files are the listed ones, unchanged; that every cell of the table can be
 * understood; that classes and rows stand in the order that says nothing; that every class keeps every promise, and the
 * suppressed rows, where a prior tells of them, do too; that all figures of the manifest are those of the table.  With
 * the original: that every published row is one of its rows, one to one, and that priors and domains are its own.
 *
 * @param out      receives the verdict, whatever it is; give it back with covey_verdict_free
 * @param options  NULL: the defaults
 * @param run      its progress function may be called from another thread, but never from two at once
 * @return COVEY_OK with a verdict, whatever it is; COVEY_ENOTFOUND, COVEY_EIO; COVEY_EINVAL for a file that is no
 *   folder; COVEY_EPARSE if the manifest or a table cannot be read at all.  A missing file, a wrong hash, a forged
 *   cell or figure is a problem in the verdict, not an error.  With an original also what covey_table_read returns for
 *   it; one that lacks the release's columns is a problem in the verdict, too.
 */
COVEY_API covey_status covey_verify(covey_verdict **out, const char *folder, const covey_verify_options *options,
                                    const covey_run *run, covey_error *err);
/* Gives a verdict back, with all that it points to; NULL allowed.  Outlives everything else until then: it holds
 * texts of its own only. */
COVEY_API void covey_verdict_free(covey_verdict *verdict);

#ifdef __cplusplus
}
#endif
#endif
