/* What an experiment is made of: a published figure or table as a function from x to some curves. */
#ifndef COVEY_REPRODUCE_EXPERIMENT_IMPL_H
#define COVEY_REPRODUCE_EXPERIMENT_IMPL_H

#include <covey/reproduce.h>

#include "base/arena.h"
#include "reproduce/notes.h"

enum { COVEY_CURVES_MOST = 16 };

/* The numbers: one line per x, one column per curve.  NaN: there is no point. */
typedef struct covey_curves {
    size_t n_curves;
    size_t n_plotted;                    /* the first so many are in the plot, the others in the table alone; 0: all */
    const char *name[COVEY_CURVES_MOST]; /* of each curve, in the arena or static */
    size_t n_points;
    double *x;                    /* [n_points] ascending */
    double *y[COVEY_CURVES_MOST]; /* [n_points] each */
    const char *const *x_label;   /* [n_points] words instead of numbers on the axis; NULL: x itself */
} covey_curves;

/* What an experiment may use. */
typedef struct covey_experiment_context {
    const covey_reproduce_options *options;
    const covey_run *run;
    covey_arena *arena;  /* until the experiment's files are written */
    const char *scratch; /* a folder for files, removed at the end; mode 0700 */
    const void *task;    /* the experiment's */
    covey_curves *curves;
    covey_notes *notes; /* of all experiments of the run */
    bool holds;         /* the experiment sets it: is the paper's statement what came out? */
    bool stands_in;     /* ... and this: a generated table took the place of the real one */
    char *finding;      /* [768] ... and says in a sentence what did */
} covey_experiment_context;

struct covey_experiment {
    const char *name; /* never changes */
    const char *title, *source, *statement;
    /* The figures of src/reproduce/figure_list.h that it shows, "PAPER NUMBER", with "; " between several; NULL: none
     * of them. */
    const char *figures;
    const char *x_title, *y_title;
    bool x_log, y_log;
    bool y_from_data; /* the plot need not begin at 0 */
    /* Why it differs where it does, as a sentence without a full stop: checked on the tables and with the limits that
     * the experiment names, or, where it is open, what is known.  NULL: it is not known to differ. */
    covey_difference because;
    const char *why;
    /* Real tables it needs, relative to the folder of data; NULL-terminated or NULL. */
    const char *const *needs;
    bool asks_server; /* measures more where the options name a server */
    covey_status (*run)(covey_experiment_context *context, covey_error *err);
    const void *task; /* tells `run` which of several experiments this is; NULL: it is of this one alone */
};

/* Writes index.html.  Where all experiments are in all[n] it lists every figure of the papers, else those that these
 * show. */
covey_status covey_i_reproduced_page(const covey_reproduced *all, size_t n, const char *folder, covey_error *err);

/**
 * Makes room for a table of curves.
 *
 * @param names  [n_curves] static or in the arena
 * @param x      [n_points] copied
 */
covey_status covey_i_curves_new(covey_curves *curves, const char *const *names, size_t n_curves, const double *x,
                                size_t n_points, covey_arena *arena, covey_error *err);

/* Path of a file in a folder; in the arena, NULL without memory. */
char *covey_i_experiment_path(covey_arena *arena, const char *folder, const char *name);
/* Path of a real table; in the arena, NULL without memory. */
char *covey_i_experiment_data(const covey_experiment_context *context, const char *name);
/* Path of a file in the scratch folder. */
char *covey_i_experiment_scratch(const covey_experiment_context *context, const char *name);
/* Tells the progress in points; COVEY_ECANCELLED. */
covey_status covey_i_experiment_goes_on(const covey_experiment_context *context, size_t done, size_t to_do,
                                        covey_error *err);

/* Writes curves as CSV (17 digits, empty cell for no point) and as a self-contained SVG (src/plot/plot.c). */
covey_status covey_i_curves_write_csv(const covey_curves *curves, const char *x_title, const char *path,
                                      covey_error *err);

#endif
