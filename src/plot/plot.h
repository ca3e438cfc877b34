/* Line charts as self-contained SVG: the plots of experiments, traces and comparisons. */
#ifndef COVEY_PLOT_PLOT_H
#define COVEY_PLOT_PLOT_H

#include "base/text.h"

enum { COVEY_PLOT_CURVES_MOST = 16 };

typedef struct covey_plot {
    const char *title, *description; /* description: for readers who do not see the picture; NULL: the title */
    const char *x_title, *y_title;
    bool x_log, y_log; /* points at 0 and below are left out */
    bool y_from_zero;  /* linear axes begin at 0 */
    size_t n_curves;
    const char *name[COVEY_PLOT_CURVES_MOST];
    size_t n_points;
    const double *x;                         /* [n_points] ascending */
    const double *y[COVEY_PLOT_CURVES_MOST]; /* [n_points]; NaN: no point, the line is broken there */
    const char *const *x_label;              /* [n_points] words on the x axis at x; NULL: numbers */
    size_t n_notes;
    const char *const *note; /* [n_notes] lines below the curves' names */
    bool steps;              /* a value holds until the next point */
} covey_plot;

/* Appends an SVG document; text from data is escaped.  Curves differ in colour, dashes and marks, so that they can be
 * told apart without colours. */
void covey_i_plot_svg(covey_text *out, const covey_plot *plot);

/* Appends text with &, <, >, quotes and control characters made harmless, for SVG and HTML. */
void covey_i_plot_escape(covey_text *out, const char *text);

#endif
