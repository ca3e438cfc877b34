/* Published experiments, run again: one table of numbers and one plot per figure. */
#ifndef COVEY_REPRODUCE_H
#define COVEY_REPRODUCE_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct covey_experiment covey_experiment;

COVEY_API size_t covey_experiment_count(void);
COVEY_API const covey_experiment *covey_experiment_at(size_t index);
COVEY_API const covey_experiment *covey_experiment_find(const char *name); /* NULL if there is none */
COVEY_API const char *covey_experiment_name(const covey_experiment *experiment);      /* "ke-range": in the command line and of the files */
COVEY_API const char *covey_experiment_title(const covey_experiment *experiment);     /* one line */
COVEY_API const char *covey_experiment_source(const covey_experiment *experiment);    /* key and figure in docs/references.md */
COVEY_API const char *covey_experiment_statement(const covey_experiment *experiment); /* what the paper says, in one sentence */

/* A figure or table of the papers that are reproduced. */
typedef struct covey_paper_figure {
    const char *paper;  /* key in docs/references.md */
    const char *number; /* "Figure 4a"; where the paper has none, words of its text */
    const char *shows;
    bool is_drawing;    /* an example, a notation or a listing: nothing is measured in it */
} covey_paper_figure;

COVEY_API size_t covey_paper_figure_count(void);
COVEY_API const covey_paper_figure *covey_paper_figure_at(size_t index); /* NULL beyond */
COVEY_API bool covey_experiment_shows(const covey_experiment *experiment, const covey_paper_figure *figure);

typedef struct covey_reproduce_options {
    const char *data; /* folder of real tables; NULL: experiments that need one are missing */
    int64_t rows;     /* of generated tables; 0: as many as the experiment names */
    double seconds;   /* time limit of each search that has one; 0: as the experiment names */
    bool force;       /* replace an existing folder */
} covey_reproduce_options;

typedef enum covey_reproduced_state {
    COVEY_REPRODUCED_HOLDS,   /* the paper's statement is what came out */
    COVEY_REPRODUCED_DIFFERS, /* it is not; the finding says how */
    COVEY_REPRODUCED_MISSING  /* a table that it needs is not there; the finding names it */
} covey_reproduced_state;

typedef struct covey_reproduced {
    const covey_experiment *experiment;
    covey_reproduced_state state;
    char finding[768];
    double seconds;
} covey_reproduced;

/* Does any of all[n] show the figure?  *out: the worst state of those that do, COVEY_REPRODUCED_MISSING if none does. */
COVEY_API bool covey_paper_figure_is_shown(covey_reproduced_state *out, const covey_paper_figure *figure, const covey_reproduced *all, size_t n);

/**
 * Runs experiments and writes NAME.csv and NAME.svg for each, and index.html, into a new folder.  Where all experiments are run, the page
 * lists every figure of the papers, also those that no experiment shows.
 *
 * @param names  [n] names of experiments, n > 0
 * @param out    [n]
 * @return COVEY_OK, also if figures are missing or differ; COVEY_EINVAL for an unknown name (names the nearest) or one given twice;
 *   COVEY_EEXIST; COVEY_EIO; COVEY_ENOMEM; COVEY_ECANCELLED
 */
COVEY_API covey_status covey_reproduce(covey_reproduced *out, const char *const *names, size_t n, const char *folder,
                                       const covey_reproduce_options *options, const covey_run *run, covey_error *err);

/* How a search went: a CSV line per improvement (seconds, best, bound, ratio, nodes), and an SVG of best and bound against time beside it
 * (FILE.svg for FILE or FILE.csv).  Both appear at the end. */
typedef struct covey_trace covey_trace;

/* force: files that are there are replaced.  COVEY_EEXIST without it, and for a folder; COVEY_EIO: path is no place for a file. */
COVEY_API covey_status covey_trace_begin(covey_trace **out, const char *path, bool force, covey_error *err);
COVEY_API void covey_trace_add(covey_trace *trace, const covey_improvement *now); /* for covey_run.improved; failures wait for the end */
COVEY_API covey_status covey_trace_end(covey_trace *trace, covey_error *err);     /* the trace is gone, whatever the result */
COVEY_API void covey_trace_discard(covey_trace *trace);                           /* NULL allowed */

#ifdef __cplusplus
}
#endif
#endif
