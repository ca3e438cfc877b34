/* Attacks: what an adversary gains from a release, found by doing what the adversary would do.
 *
 * docs/design/attacks.md says for each attack what its figure means and what it does not. */
#ifndef COVEY_ATTACK_H
#define COVEY_ATTACK_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Something that an adversary does.  A registry, see covey/base.h. */
typedef struct covey_attack covey_attack;

/* How many attacks there are. */
COVEY_API size_t covey_attack_count(void);
/* One of them; NULL behind the last. */
COVEY_API const covey_attack *covey_attack_at(size_t index);
/* The attack of that name; NULL if there is none. */
COVEY_API const covey_attack *covey_attack_find(const char *name);
/* "skewness": in the command line and in covey_attack_options.name. */
COVEY_API const char *covey_attack_name(const covey_attack *attack);
/* What the adversary does, one line. */
COVEY_API const char *covey_attack_summary(const covey_attack *attack);
/* What its figure is, a few words. */
COVEY_API const char *covey_attack_figure(const covey_attack *attack);
/* What it needs beside a release, as the command line calls it: "--original", "--with", "--population", "--policy",
 * several with ", " between them; "" if it needs nothing. */
COVEY_API const char *covey_attack_needs(const covey_attack *attack);
/* The published forms that it applies to: "generalized, bucketized". */
COVEY_API const char *covey_attack_forms(const covey_attack *attack);
/* Where it comes from: key and place in docs/references.md. */
COVEY_API const char *covey_attack_source(const covey_attack *attack);

typedef enum covey_attack_verdict {
    COVEY_ATTACK_SAFE,       /* the figure is at most the bound */
    COVEY_ATTACK_EXCEEDS,    /* it is above; of a statistical figure, the whole 95% interval is */
    COVEY_ATTACK_INFORMATION /* nothing was promised about it */
} covey_attack_verdict;

/* "safe", "exceeds", "information", "unknown" for no verdict; static. */
COVEY_API const char *covey_attack_verdict_name(covey_attack_verdict verdict);

/* One value of a result. */
typedef enum covey_attack_kind {
    COVEY_ATTACK_NUMBER,
    COVEY_ATTACK_INTEGER,
    COVEY_ATTACK_TEXT,
    COVEY_ATTACK_YES_NO
} covey_attack_kind;

typedef struct covey_attack_value {
    covey_attack_kind kind;
    double number;    /* NUMBER; NaN: there is none */
    int64_t integer;  /* INTEGER; YES_NO: 0 or 1 */
    const char *text; /* TEXT; may hold what data hold, control characters too */
} covey_attack_value;

typedef struct covey_attack_detail {
    const char *name; /* "certain_share" */
    covey_attack_value value;
} covey_attack_detail;

typedef struct covey_attack_table {
    const char *name; /* "worst" */
    size_t n_columns;
    const char *const *column;
    size_t n_rows;
    const covey_attack_value *value; /* [n_rows * n_columns] row by row */
} covey_attack_table;

/* What one attack found; one per sensitive attribute where the attack is about one. */
typedef struct covey_attack_result {
    const covey_attack *attack;
    const char *attribute;                /* "" if it is about none */
    bool applies;                         /* false: why_not says why; there are no figures */
    const char *why_not;                  /* "" if it applies */
    const char *level;                    /* what the adversary knows: "A0" to "A4", see docs/design/attacks.md */
    const char *over;                     /* what the figure counts: "rows", "persons" or "households" */
    double figure, prior, ceiling, bound; /* NaN: there is none */
    const char *figure_text;              /* the figure as an exact fraction, "" if it is none */
    double interval_low, interval_high;   /* 95%, of a share that depends on chance; NaN: exact */
    covey_attack_verdict verdict;
    const char *words; /* what it means, one or two sentences */
    size_t n_details;
    const covey_attack_detail *detail;
    size_t n_tables;
    const covey_attack_table *table;
} covey_attack_result;

typedef struct covey_attack_report {
    const char *form;
    int64_t n_rows, n_published, n_suppressed, n_classes;
    int64_t
        n_before; /* other releases of the same values in the ledger; -1: there is no ledger, or it cannot be said */
    size_t n_results;
    const covey_attack_result *result; /* in the registry's order */
    void *memory;                      /* owns all of it */
} covey_attack_report;

/* What is assigned to rows in other worlds: a table whose sensitive values are in other places. */
typedef struct covey_attack_worlds {
    uint32_t n_rows, n_values;
    const uint32_t *value;    /* [n_rows] as the table has it; codes below n_values */
    const char *const *label; /* [n_values] */
} covey_attack_worlds;

/* The program that made the release, which the attack minimality runs again in every world; covey_program_new
 * (covey/job.h) makes one. */
typedef struct covey_attack_program {
    void *context;
    /* Reads the table.  What *out points to is borrowed until the program is freed. */
    covey_status (*start)(covey_attack_worlds *out, void *context, const covey_run *run, covey_error *err);
    /* Runs in the world with these values: *hash tells releases apart; all 0: nothing is published there. */
    covey_status (*publish)(unsigned char hash[32], void *context, const uint32_t *value, covey_error *err);
} covey_attack_program;

typedef struct covey_attack_options {
    const char *original; /* NULL, or the table the release was made from */
    const char *with;     /* NULL, or the folder of another release of the same rows */
    size_t n_also;
    const char *const *also; /* [n_also] folders of further releases beside `with`, which releases_ledger knows, too */
    const char *population;  /* NULL, or a table with the release's quasi-identifiers that holds its rows and more */
    const char *ledger;      /* NULL, or a file that remembers what was released; the release is added to it */
    const char *links;       /* NULL, or the publisher's list of the class of each row, with the original: whose rows
                              * they are */
    const char *with_links;  /* NULL, or the list of the other release: persons are found in both */
    const char *with_original; /* NULL: both were made from the original; or the table of the other one, which has some
                                * of the same persons: with both lists */
    /* NULL, or the publisher's ledger of m-invariant releases, which knows this one, and the other one unless
     * with_links and with_original say who is in that: composition goes by it */
    const char *releases_ledger;
    const char *entity;                  /* NULL, or the original's column that says which rows belong together */
    const char *weight;                  /* NULL, or the original's column of sampling weights */
    const covey_attack_program *program; /* NULL, or what made the release */
    size_t n_names;
    const char *const *name; /* attacks to run; 0: all that have what they need */
    int64_t k;               /* re-identification: smallest class to be called safe; 0: what k-anonymity promises */
    int64_t window;          /* similarity: neighbouring values taken together; 0: as promised, or 10 */
    covey_ratio delta_max;   /* membership: bound on presence; den 0: none */
    bool quick;              /* attacks that look at a sample of what there is look at a smaller one, and say so */
} covey_attack_options;

/**
 * Attacks a release folder.
 *
 * @param out      receives the report; give it back with covey_attack_report_free, which ends all that it points to
 * @param options  NULL: the defaults
 * @param run      its seed makes what is random repeatable
 * @return COVEY_OK, whatever the verdicts; COVEY_ENOTFOUND, COVEY_EIO; COVEY_EPARSE if a release cannot be read, was
 * changed after it was written or is not in order (covey_verify says more); COVEY_EINVAL if the original is not the
 * table it was made from, the other release is not one of the same table, an attack is unknown, or one was asked for by
 * name without what it needs; COVEY_ENOMEM
 *
 * A broken promise is no error: it comes out as a figure above its bound.
 */
COVEY_API covey_status covey_attack_release(covey_attack_report **out, const char *folder,
                                            const covey_attack_options *options, const covey_run *run,
                                            covey_error *err);
/* Gives a report back, with all that it points to; NULL allowed. */
COVEY_API void covey_attack_report_free(covey_attack_report *report);

#ifdef __cplusplus
}
#endif
#endif
