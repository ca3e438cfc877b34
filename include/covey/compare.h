/* Comparison: what every method that can keep a policy makes of a table, side by side. */
#ifndef COVEY_COMPARE_H
#define COVEY_COMPARE_H

#include <covey/audit.h>
#include <covey/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What methods can be ranked by; all but the release's own loss are better when smaller, too. */
typedef enum covey_compare_objective {
    COVEY_COMPARE_AIL = 0,     /* information loss */
    COVEY_COMPARE_QUERY_ERROR, /* median relative error of the estimates of a workload of queries */
    COVEY_COMPARE_WIDTH,       /* median width of the guaranteed bounds, relative to the truth */
    COVEY_COMPARE_ATTACK,      /* worst figure of the attacks */
    COVEY_COMPARE_SECONDS,
    COVEY_COMPARE_DISCERNIBILITY
} covey_compare_objective;

/* What an objective is called in the command line, by its number: "ail", "query-error", "width", "attack",
 * "seconds", "discernibility"; static; NULL behind the last. */
COVEY_API const char *covey_compare_objective_name(size_t index);

/* One method.  NaN: there is no such figure. */
typedef struct covey_compared_method {
    const char *method; /* static */
    const char *form;   /* static */
    bool feasible;
    const char *reason; /* why it is not feasible, or what its figures lack; "" if there is nothing to say */
    int64_t n_published, n_suppressed, n_classes;
    covey_release_figures figures;
    double query_error, width;
    size_t n_answered; /* queries that had an estimate */
    double attack;     /* the worst figure of an attack that tells of a person; NaN: no attack is built or applies */
    const char *attack_name; /* which attack that was, "" if none */
    size_t n_exceeded;       /* attacks that went above their bound */
    const char *objective;   /* what the method itself minimised */
    double value, bound,
        gap; /* of it; gap: (value - bound) / value, how far from the best possible it may be; NaN without a bound */
    bool optimal;
    bool stopped;   /* its time was over: this is the best so far */
    bool pareto;    /* no other method is at least as good in loss, query error, width and attack, and better in one */
    double seconds; /* of the method alone */
} covey_compared_method;

typedef struct covey_comparison {
    int64_t n_rows;
    size_t n_queries;
    size_t n_methods;
    const covey_compared_method *method; /* the best first; those that are not feasible last */
    void *memory;                        /* owns all of it */
} covey_comparison;

typedef struct covey_compare_options {
    covey_compare_objective objective;
    double method_time; /* seconds that a method which can stop at any time gets; 0: 3 */
    int64_t n_queries;  /* 0: 200; negative: none */
    bool no_attacks;
} covey_compare_options;

/**
 * Reads and prepares the policy's table once and runs every registered method on it, whatever method the policy names
 * (its parameters go to that method alone; under auto, to all).  Each release is written to a folder that only its
 * owner can read, below TMPDIR or /tmp, verified there, asked the queries, attacked, and removed; so is all of it after
 * an interrupt, and after a crash by the next comparison.
 *
 * Methods run side by side as far as memory allows.  What they make depends on nothing but the table, except for what a
 * method finds in its time.  The queries are drawn from run->seed, or from a fixed one.
 *
 * @param out      receives the comparison; give it back with covey_comparison_free, which ends all that it points to
 * @param policy   checked by covey_policy_check; its warnings go to run->warn
 * @param options  NULL: the defaults
 * @return COVEY_OK, also if no method is feasible; what covey_anonymize returns for policy and input; COVEY_ECANCELLED;
 * COVEY_EIO; COVEY_EINTERNAL for a release that fails its verification; COVEY_ENOMEM
 */
COVEY_API covey_status covey_compare(covey_comparison **out, const covey_policy *policy,
                                     const covey_compare_options *options, const covey_run *run, covey_error *err);
/* Gives a comparison back, with all that it points to; NULL allowed. */
COVEY_API void covey_comparison_free(covey_comparison *comparison);

#ifdef __cplusplus
}
#endif
#endif
