/* The main job: from a policy to a verified release on disk.  The only module that sees all others. */
#ifndef COVEY_JOB_H
#define COVEY_JOB_H

#include <covey/attack.h>
#include <covey/audit.h>
#include <covey/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COVEY_MOST_TABLE_FILES 10000

typedef struct covey_anonymize_options {
    bool force;         /* replace an existing target, if it is of the same kind and holds nothing else */
    int64_t n_files;    /* each table of the release is cut into as many files at most (table-00001.csv ...), up to
                           COVEY_MOST_TABLE_FILES; 0: it is one file */
    const char *links;  /* NULL, or a file to write the class of each row to, for covey_verify; not in the release */
    const char *ledger; /* NULL, or the private file that knows all releases of a table that changes: m-invariance needs
                           it, and makes it with the first of them; other policies are warned of people who are in it */
    size_t n_previous;
    const char *const *previous; /* [n_previous] folders of all releases that the ledger knows, in any order */
    double bound_time; /* seconds to look for a bound on the loss of all releases, after the release is made; 0: none is
                          wanted */
} covey_anonymize_options;

/* The level of its hierarchy to which an attribute was generalized everywhere. */
typedef struct covey_level {
    char *attribute;
    int level;
} covey_level;

/* What came of a method under `method: auto`. */
typedef struct covey_candidate {
    const char *method, *outcome; /* static; the outcome in words: "chosen", "loses more" ... */
    double ail;                   /* of its release; NaN: it made none */
    double seconds;
} covey_candidate;

enum { COVEY_MOST_CANDIDATES = 16 };
typedef struct covey_candidates {
    size_t n; /* 0: the policy names its method */
    covey_candidate list[COVEY_MOST_CANDIDATES];
} covey_candidates;

/* How far from the best: no release by classes that keeps the promises loses less than the bound. */
typedef struct covey_bounded_loss {
    bool is_wanted;
    double bound;       /* average information loss, rounded down; NaN: there is none */
    bool is_complete;   /* more time would not have raised it */
    double seconds;     /* what it took */
    const char *reason; /* static: why there is none; NULL: there is */
} covey_bounded_loss;

typedef struct covey_anonymize_report {
    int64_t n_rows, n_published, n_suppressed; /* of the rows that took part */
    int64_t n_dropped;                         /* input: {missing-…: drop} */
    int64_t n_classes;
    int64_t n_units;        /* published, 0: rows have none */
    int64_t n_counterfeits; /* of the published rows, of m-invariance: nobody's */
    char form[32], method[64];
    char objective_name[32];
    double objective_value, objective_bound;
    bool objective_is_maximised; /* then the bound is an upper one */
    bool has_fakes;
    int64_t fakes; /* values that were made up */
    bool has_bound, optimal;
    size_t n_levels;
    covey_level *level; /* of methods that generalize whole attributes by levels; owned */
    /* All minimal nodes of the lattice: levels that keep the policy while no finer ones do.  For who publishes: each
     * tells that what lies below breaks the policy.  NULL: the search did not look at all of the lattice. */
    size_t n_minimal;
    unsigned char *minimal;        /* [n_minimal * n_levels], in the order of level; owned */
    covey_release_figures figures; /* of the release itself, exact even where its files do not tell */
    covey_bounded_loss bounded;    /* for who publishes: it tells of rows that were suppressed, too */
    covey_verdict *verdict;        /* of the written files; owned */
    double seconds_read, seconds_anonymize, seconds_write, seconds_hash, seconds_verify, seconds_total;
    char note[512];              /* how the release was found, "" if there is nothing to say */
    covey_candidates candidates; /* in the order in which they were tried */
} covey_anonymize_report;

/**
 * Reads, anonymizes, writes beside the target, verifies the written files, renames.
 *
 * @param report   receives what was done if COVEY_OK is returned: then give it back with
 *                 covey_anonymize_report_clear; else it is all zeros
 * @param policy   checked by covey_policy_check; its warnings go to run->warn
 * @param options  NULL: the defaults
 * @return COVEY_OK: the release holds.  Otherwise nothing is left at or beside target and an existing target is as it
 *   was: COVEY_EINFEASIBLE, no release can keep the policy; COVEY_EINVAL, also for a method that cannot keep it (the
 *   message names those that can); COVEY_EPARSE, COVEY_ENOTFOUND for the input; COVEY_EEXIST, COVEY_EIO for the
 *   target; COVEY_EINTERNAL, a method's release failed verification
 */
COVEY_API covey_status covey_anonymize(covey_anonymize_report *report, const covey_policy *policy, const char *target,
                                       const covey_anonymize_options *options, const covey_run *run, covey_error *err);
/* Gives back what a report points to, and zeroes it; one that is all zeros is allowed. */
COVEY_API void covey_anonymize_report_clear(covey_anonymize_report *report);

/**
 * Makes what a policy does something that can be run again and again, for the attack minimality.
 *
 * @param out     receives the program; give it back with covey_program_free
 * @param policy  checked by covey_policy_check; must live as long as the program
 * @return COVEY_OK; COVEY_ENOMEM.  What the policy cannot do is said when the program is started.
 */
COVEY_API covey_status covey_program_new(covey_attack_program **out, const covey_policy *policy, covey_error *err);
/* Gives back what covey_program_new made, with all that it lent; NULL allowed. */
COVEY_API void covey_program_free(covey_attack_program *program);

/**
 * Builds the hierarchy of one attribute.
 *
 * @param out        receives the hierarchy; give it back with covey_hierarchy_free
 * @param policy     need not be checked; its input is read as it says (path, delimiter, texts that mean "missing") for
 * the attribute's values, in the type and order that it gives the attribute.  Without an input only a file can be
 * built, and no value is looked up in it.
 * @param spec       NULL: the policy's for the attribute
 * @param note       as for covey_hierarchy_build
 * @return what covey_csv_read and covey_hierarchy_build return; COVEY_ENOTFOUND for a column that is not there
 */
COVEY_API covey_status covey_build_hierarchy(covey_hierarchy **out, const covey_policy *policy, const char *attribute,
                                             const covey_hierarchy_spec *spec, char *note, const covey_run *run,
                                             covey_error *err);

#ifdef __cplusplus
}
#endif
#endif
