/* What the experiments on beta-likeness share: the census table and samples of it, a release of it by one of the
 * schemes that are compared, and what that release gives away and loses. Source: [CaoKarras12] sections 6 and 7. */
#ifndef COVEY_REPRODUCE_LIKENESS_LIKENESS_H
#define COVEY_REPRODUCE_LIKENESS_LIKENESS_H

#include "reproduce/experiment_job.h"

enum { COVEY_LIKENESS_QUASI = 3, COVEY_LIKENESS_ALL_QUASI = 5, COVEY_LIKENESS_SALARIES = 50 };
#define COVEY_LIKENESS_BETA 4.0

/* A table of the experiments. */
typedef struct covey_likeness_table {
    const char *path;
    int64_t n_rows;
    const char *kind; /* the generator's spread, or other words for what tells it from others; NULL: as it is */
    int64_t count[COVEY_LIKENESS_SALARIES]; /* rows of each salary */
    double largest_share;                   /* of a salary */
} covey_likeness_table;

/* The census table of options->rows rows, 500,000 if it does not say; in the scratch folder, its hierarchies beside it.
 * spread: of its generator; NULL: as it is. */
covey_status covey_i_likeness_table(covey_likeness_table *out, const covey_experiment_context *context,
                                    const char *spread, covey_error *err);
/* As many rows, and of each salary, with persons of a real survey; instead of the census table, its hierarchies beside
 * it.  The survey is a table that experiments need. */
#define COVEY_LIKENESS_SURVEY "acs2019/national2019-27253.csv.gz"
covey_status covey_i_likeness_survey(covey_likeness_table *out, const covey_experiment_context *context,
                                     covey_error *err);
/* Rows of it, drawn at random without repetition: the same for the same number. */
covey_status covey_i_likeness_sample(covey_likeness_table *out, const covey_likeness_table *table, int64_t n_rows,
                                     const covey_experiment_context *context, covey_error *err);

/* The schemes.  Thresholds are beta, but t for the two that keep t-closeness (ordered distance). */
typedef enum covey_likeness_scheme {
    COVEY_LIKENESS_BUREL = 0, /* as published: rows are retrieved around a random one */
    COVEY_LIKENESS_SPLIT,     /* the same, and classes halved as long as that is allowed */
    COVEY_LIKENESS_LMONDRIAN,
    COVEY_LIKENESS_DMONDRIAN, /* delta-disclosure, with the largest delta that implies beta-likeness */
    COVEY_LIKENESS_ELASTIC,
    COVEY_LIKENESS_PERTURBATION,
    COVEY_LIKENESS_SABRE,     /* t */
    COVEY_LIKENESS_TMONDRIAN, /* t */
    /* LMondrian, DMondrian and tMondrian as the authors coded them: narrow.c. */
    COVEY_LIKENESS_LNARROW,
    COVEY_LIKENESS_DNARROW,
    COVEY_LIKENESS_TNARROW /* t */
} covey_likeness_scheme;

const char *covey_i_likeness_name(covey_likeness_scheme scheme);

typedef struct covey_likeness_job {
    const covey_likeness_table *table;
    covey_likeness_scheme scheme;
    int n_quasi; /* the first of age, gender, education, marital, workclass */
    double threshold;
} covey_likeness_job;

/* What a release on classes gives away and loses. */
typedef struct covey_likeness_figures {
    double gain;         /* largest of a salary's share over that in the table, less 1: the beta that it achieves */
    double t, mean_t;    /* ordered distance to the table, largest and mean over classes */
    double l, mean_l;    /* different salaries of a class, fewest and mean */
    double largest;      /* share of a salary in a class: 1 / largest is the l of probabilistic l-diversity */
    double ail, seconds; /* seconds: of the method */
} covey_likeness_figures;

/* What tells the job from others of the run; in the arena, NULL without memory. */
const char *covey_i_likeness_key(const covey_experiment_context *context, const covey_likeness_job *job);

/* Makes a release and takes its figures from its classes; every promise is proved again on them.  Those of a job that
 * an experiment of the run did are noted. */
covey_status covey_i_likeness_run(covey_likeness_figures *out, const covey_experiment_context *context,
                                  const covey_likeness_job *job, covey_error *err);
/* Makes it as a folder: covey_i_experiment_release. */
covey_status covey_i_likeness_write(const covey_experiment_context *context, const covey_likeness_job *job,
                                    covey_error *err);

/* A release of halves along the narrowest quasi-identifier. */
covey_status covey_i_likeness_halve_narrowest(covey_release **out, const covey_problem *problem, covey_arena *arena,
                                              const covey_run *run, covey_error *err);

/* What is searched for by bisection. */
typedef struct covey_likeness_wish {
    double good, bad; /* thresholds between which to search; the first should satisfy the wish */
    bool (*satisfied)(const covey_likeness_figures *figures, double bound);
    double bound;
} covey_likeness_wish;

/* The figures at the threshold nearest to the bad one, as far as halving shows, that satisfies the wish; *found false:
 * the good one does not. */
covey_status covey_i_likeness_search(covey_likeness_figures *out, double *threshold, bool *found,
                                     const covey_experiment_context *context, const covey_likeness_job *job,
                                     const covey_likeness_wish *wish, covey_error *err);

/* --- what a paper says of curves, and whether it is so --- */

typedef enum covey_claim_kind {
    COVEY_CLAIM_RISES = 0, /* from the first point to the last, without a fall by more than 1 % on the way */
    COVEY_CLAIM_FALLS,
    COVEY_CLAIM_UNEVEN,  /* it rises as well as falls */
    COVEY_CLAIM_BELOW,   /* at every point that both have, at most the other one times factor */
    COVEY_CLAIM_FLAT,    /* its largest is at most factor times its least */
    COVEY_CLAIM_AT_LEAST /* at every point at least factor */
} covey_claim_kind;

typedef struct covey_claim {
    covey_claim_kind kind;
    int curve, other; /* other: BELOW */
    double factor;    /* BELOW: 0: 1 */
} covey_claim;

/* Sets holds and finding: what the plotted curves are at one point, and which claims hold, in words. */
void covey_i_likeness_judge(covey_experiment_context *context, size_t at, const char *x_name, const covey_claim *claims,
                            size_t n_claims);

#endif
