/* Published experiments, run again: one table of numbers and one plot per figure. */
#ifndef COVEY_REPRODUCE_H
#define COVEY_REPRODUCE_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An experiment of a paper.  A registry, see covey/base.h. */
typedef struct covey_experiment covey_experiment;

/* How many experiments there are. */
COVEY_API size_t covey_experiment_count(void);
/* One of them; NULL behind the last. */
COVEY_API const covey_experiment *covey_experiment_at(size_t index);
/* The experiment of that name; NULL if there is none. */
COVEY_API const covey_experiment *covey_experiment_find(const char *name);
/* "ke-range": in the command line and of the files. */
COVEY_API const char *covey_experiment_name(const covey_experiment *experiment);
/* What is measured, one line. */
COVEY_API const char *covey_experiment_title(const covey_experiment *experiment);
/* Where it comes from: key in docs/references.md, and figure. */
COVEY_API const char *covey_experiment_source(const covey_experiment *experiment);
/* What the paper says, in one sentence. */
COVEY_API const char *covey_experiment_statement(const covey_experiment *experiment);

/* A figure or table of the papers that are reproduced. */
typedef struct covey_paper_figure {
    const char *paper;  /* key in docs/references.md */
    const char *number; /* "Figure 4a"; where the paper has none, words of its text */
    const char *shows;
    bool is_drawing; /* an example, a notation or a listing: nothing is measured in it */
} covey_paper_figure;

/* How many figures and tables the papers have, drawings included. */
COVEY_API size_t covey_paper_figure_count(void);
/* One of them, static, paper by paper; NULL behind the last. */
COVEY_API const covey_paper_figure *covey_paper_figure_at(size_t index);
/* Is the figure among those that the experiment measures? */
COVEY_API bool covey_experiment_shows(const covey_experiment *experiment, const covey_paper_figure *figure);

typedef struct covey_reproduce_options {
    const char *data;   /* folder of real tables; NULL: experiments that need one are missing */
    const char *server; /* postgresql://USER@HOST/DATABASE, where experiments may make a schema for what is measured in
                           PostgreSQL, too; NULL: it is not */
    int64_t rows;       /* of generated tables; 0: as many as the experiment names */
    double seconds;     /* time limit of each search that has one; 0: as the experiment names */
    bool force;         /* replace an existing folder of experiments, if it holds nothing else */
    bool resume; /* take from it what it has of these experiments by the same version, options and tables; and put
                    each of the others there as soon as it is done, so that a run that ends early can go on */
} covey_reproduce_options;

typedef enum covey_reproduced_state {
    COVEY_REPRODUCED_HOLDS,   /* the paper's statement is what came out */
    COVEY_REPRODUCED_DIFFERS, /* it is not; the finding says how */
    COVEY_REPRODUCED_MISSING  /* a table that it needs is not there; the finding names it */
} covey_reproduced_state;

/* Why an experiment differs. */
typedef enum covey_difference {
    COVEY_DIFFERENCE_OPEN,  /* nobody knows for certain */
    COVEY_DIFFERENCE_DATA,  /* the tables are others than the paper's, or have too few rows */
    COVEY_DIFFERENCE_CHOICE /* something is done in another way than in the paper, which is named */
} covey_difference;

typedef struct covey_reproduced {
    const covey_experiment *experiment;
    covey_reproduced_state state;
    covey_difference because; /* where it differs */
    char why[320];            /* the same as a sentence, which was checked unless it is open; "": it does not differ */
    char finding[768];
    double seconds;
} covey_reproduced;

/* "open", "data", "choice"; "unknown" of others. */
COVEY_API const char *covey_difference_name(covey_difference because);

/* Does any of all[0 .. n-1] show the figure?  *out: the worst state of those that do, COVEY_REPRODUCED_MISSING if
 * none does. */
COVEY_API bool covey_paper_figure_is_shown(covey_reproduced_state *out, const covey_paper_figure *figure,
                                           const covey_reproduced *all, size_t n);

/**
 * Runs experiments and writes NAME.csv and NAME.svg for each, index.html and results.json, into a new folder.  Where
 * all experiments are run, the page lists every figure of the papers, also those that no experiment shows.
 *
 * @param out    [n] receives a result per name, in their order; on failure it may be filled in part
 * @param names  [n] names of experiments, n > 0
 * @return COVEY_OK, also if figures are missing or differ; COVEY_EINVAL for an unknown name (names the nearest) or one
 * given twice, or an address that is no server's; COVEY_EEXIST; COVEY_EIO, also where the server cannot be reached;
 * COVEY_ENOMEM; COVEY_ECANCELLED
 */
COVEY_API covey_status covey_reproduce(covey_reproduced *out, const char *const *names, size_t n, const char *folder,
                                       const covey_reproduce_options *options, const covey_run *run, covey_error *err);

/* How a search went: a CSV line per improvement (seconds, best, bound, ratio, nodes), and an SVG of best and bound
 * against time beside it (FILE.svg for FILE or FILE.csv).  Both appear at the end. */
typedef struct covey_trace covey_trace;

/**
 * Begins a trace, which ends with covey_trace_end or covey_trace_discard.
 *
 * @param path   of the lines; the plot is put beside it
 * @param force  a trace and a plot of one that are there are replaced; any other file stays
 * @return COVEY_OK; COVEY_EEXIST for a file that is there, unless force is set and it is such a one, and for a
 *   folder; COVEY_EIO: path is no place for a file; COVEY_ENOMEM
 */
COVEY_API covey_status covey_trace_begin(covey_trace **out, const char *path, bool force, covey_error *err);
/* Adds what covey_run.improved is told; failures wait for the end.  Not by two threads at once. */
COVEY_API void covey_trace_add(covey_trace *trace, const covey_improvement *now);
/* Writes both files, both or none; the trace is gone, whatever the result.  COVEY_EIO; COVEY_ENOMEM. */
COVEY_API covey_status covey_trace_end(covey_trace *trace, covey_error *err);
/* Ends a trace without files; NULL allowed. */
COVEY_API void covey_trace_discard(covey_trace *trace);

#ifdef __cplusplus
}
#endif
#endif
