/* Tables of curves: made, and written as CSV. */
#include "reproduce/experiment_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/csv_cell.h"
#include "base/error.h"
#include "base/file/outfile.h"

covey_status covey_i_curves_new(covey_curves *curves, const char *const *names, size_t n_curves, const double *x,
                                size_t n_points, covey_arena *arena, covey_error *err)
{
    if (n_curves > COVEY_CURVES_MOST)
        return covey_fail(err, COVEY_EINVAL, "%zu curves in one figure; %d are the most", n_curves, COVEY_CURVES_MOST);
    *curves =
        (covey_curves){.n_curves = n_curves, .n_points = n_points, .x = covey_arena_array(arena, double, n_points)};
    if (!curves->x)
        return covey_i_no_memory(err);
    memcpy(curves->x, x, n_points * sizeof *x);
    for (size_t c = 0; c < n_curves; c++) {
        curves->name[c] = names[c];
        if (!(curves->y[c] = covey_arena_array(arena, double, n_points)))
            return covey_i_no_memory(err);
        for (size_t p = 0; p < n_points; p++)
            curves->y[c][p] = NAN;
    }
    return COVEY_OK;
}

static void add_number(covey_text *out, double value)
{
    if (isfinite(value))
        covey_i_text_add_format(out, "%.17g", value);
}

covey_status covey_i_curves_write_csv(const covey_curves *curves, const char *x_title, const char *path,
                                      covey_error *err)
{
    covey_text text = COVEY_TEXT_INIT;

    covey_i_csv_add_cell(&text, x_title, strlen(x_title), ',');
    for (size_t c = 0; c < curves->n_curves; c++) {
        covey_i_text_add_char(&text, ',');
        covey_i_csv_add_cell(&text, curves->name[c], strlen(curves->name[c]), ',');
    }
    covey_i_text_add_char(&text, '\n');
    for (size_t p = 0; p < curves->n_points; p++) {
        if (curves->x_label)
            covey_i_csv_add_cell(&text, curves->x_label[p], strlen(curves->x_label[p]), ',');
        else
            add_number(&text, curves->x[p]);
        for (size_t c = 0; c < curves->n_curves; c++) {
            covey_i_text_add_char(&text, ',');
            add_number(&text, curves->y[c][p]);
        }
        covey_i_text_add_char(&text, '\n');
    }
    return covey_i_outfile_make_text(path, &text, err);
}
