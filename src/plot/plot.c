/* Line charts as SVG. */
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 760,
    LEFT = 78,
    TOP = 48,
    PLOT_WIDTH = 640,
    PLOT_HEIGHT = 330,
    BOTTOM = 62,
    LEGEND_LINE = 20,
    LEGEND_WIDTH = 320,
    MOST_TICKS = 16
};

/* Okabe and Ito's colours, which people with colour-blindness tell apart; the last three darkened for white paper. */
static const char *const colour[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#56b4e9", "#b88a00", "#000000", "#7f6000"};
static const char *const dash[] = {"", "7 3", "2 3", "9 3 2 3"};
enum { N_MARKS = 4 }; /* circle, square, diamond, triangle */

struct axis {
    double low, high; /* of the scale: logarithms of a logarithmic axis */
    bool is_log;
    int n_ticks;
    double tick[MOST_TICKS];
};

void covey_i_plot_escape(covey_text *out, const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;

        if (c == '&')
            covey_i_text_add_string(out, "&amp;");
        else if (c == '<')
            covey_i_text_add_string(out, "&lt;");
        else if (c == '>')
            covey_i_text_add_string(out, "&gt;");
        else if (c == '"')
            covey_i_text_add_string(out, "&quot;");
        else if (c == '\'')
            covey_i_text_add_string(out, "&#39;");
        else if (c < 0x20 || c == 0x7f)
            covey_i_text_add_char(out, ' ');
        else
            covey_i_text_add_char(out, (char)c);
    }
}

static double scaled(const struct axis *axis, double value)
{
    return axis->is_log ? log10(value) : value;
}

static bool is_shown(const struct axis *axis, double value)
{
    return isfinite(value) && (!axis->is_log || value > 0);
}

/* 1, 2 or 5 times a power of ten. */
static double round_step(double rough)
{
    const double power = pow(10, floor(log10(rough))), rest = rough / power;

    return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

static void set_linear_ticks(struct axis *axis, bool from_zero)
{
    double step;

    if (from_zero && axis->low > 0)
        axis->low = 0;
    if (axis->high <= axis->low) {
        const double around = axis->low != 0 ? fabs(axis->low) / 2 : 1;

        axis->high = axis->low + around;
        axis->low -= from_zero && axis->low >= 0 ? 0 : around;
    }
    step = round_step((axis->high - axis->low) / 6);
    axis->low = floor(axis->low / step + 1e-9) * step;
    axis->high = ceil(axis->high / step - 1e-9) * step;
    for (int i = 0; i < MOST_TICKS && axis->low + i * step <= axis->high + step / 2; i++)
        axis->tick[axis->n_ticks++] = fabs(axis->low + i * step) < step * 1e-9 ? 0 : axis->low + i * step;
}

/* Ends at 1, 2 or 5 times a power of ten, which are ticks, too, if there are few powers. */
static void set_log_ticks(struct axis *axis)
{
    static const double part[] = {0, 0.30102999566398119521, 0.69897000433601880479};
    const double low = floor(axis->low), high = axis->high > axis->low ? axis->high : axis->low + 1;
    const bool is_short = high - axis->low <= 3;
    const double step = is_short ? 1 : ceil((ceil(high) - low) / (MOST_TICKS - 2));
    double first = low, last = low;

    for (double power = low; power < high + step; power += step)
        for (int i = 0; i < (is_short ? 3 : 1); i++) {
            const double tick = power + part[i];

            if (tick <= axis->low + 1e-9) {
                first = tick;
                axis->n_ticks = 0;
            }
            if (axis->n_ticks == MOST_TICKS || (axis->n_ticks > 1 && last >= high - 1e-9))
                continue;
            axis->tick[axis->n_ticks++] = pow(10, tick);
            last = tick;
        }
    axis->low = first;
    axis->high = last;
}

static void widen(struct axis *axis, double value, bool *any)
{
    if (!is_shown(axis, value))
        return;
    value = scaled(axis, value);
    axis->low = !*any || value < axis->low ? value : axis->low;
    axis->high = !*any || value > axis->high ? value : axis->high;
    *any = true;
}

static void set_axes(struct axis *x, struct axis *y, const covey_plot *plot)
{
    bool any_x = false, any_y = false;

    *x = (struct axis){.is_log = plot->x_log};
    *y = (struct axis){.is_log = plot->y_log};
    for (size_t p = 0; p < plot->n_points; p++) {
        widen(x, plot->x[p], &any_x);
        for (size_t c = 0; c < plot->n_curves; c++)
            widen(y, plot->y[c][p], &any_y);
    }
    if (x->is_log)
        set_log_ticks(x);
    else if (plot->x_label) {
        x->low -= 0.5;
        x->high += 0.5;
    } else
        set_linear_ticks(x, false);
    if (y->is_log)
        set_log_ticks(y);
    else
        set_linear_ticks(y, plot->y_from_zero);
}

static double x_at(const struct axis *axis, double value)
{
    return LEFT + PLOT_WIDTH * (scaled(axis, value) - axis->low) / (axis->high - axis->low);
}

static double y_at(const struct axis *axis, double value)
{
    return TOP + PLOT_HEIGHT * (1 - (scaled(axis, value) - axis->low) / (axis->high - axis->low));
}

static void add_text(covey_text *out, double x, double y, const char *anchor, const char *more, const char *text)
{
    covey_i_text_add_format(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
    covey_i_plot_escape(out, text);
    covey_i_text_add_string(out, "</text>\n");
}

static void add_grid(covey_text *out, const struct axis *x, const struct axis *y, const covey_plot *plot)
{
    char label[64];

    covey_i_text_add_string(out, "<g class=\"grid\">\n");
    for (int i = 0; i < y->n_ticks; i++)
        covey_i_text_add_format(out, "<path d=\"M%d %.1fh%d\"/>\n", LEFT, y_at(y, y->tick[i]), PLOT_WIDTH);
    for (int i = 0; i < x->n_ticks; i++)
        covey_i_text_add_format(out, "<path d=\"M%.1f %dv%d\"/>\n", x_at(x, x->tick[i]), TOP, PLOT_HEIGHT);
    covey_i_text_add_format(out, "</g>\n<path class=\"axis\" d=\"M%d %dv%dh%d\"/>\n", LEFT, TOP, PLOT_HEIGHT,
                            PLOT_WIDTH);
    for (int i = 0; i < y->n_ticks; i++) {
        snprintf(label, sizeof label, "%.6g", y->tick[i]);
        add_text(out, LEFT - 8, y_at(y, y->tick[i]) + 4, "end", "", label);
    }
    for (int i = 0; i < x->n_ticks; i++) {
        snprintf(label, sizeof label, "%.6g", x->tick[i]);
        add_text(out, x_at(x, x->tick[i]), TOP + PLOT_HEIGHT + 18, "middle", "", label);
    }
    for (size_t p = 0; plot->x_label && p < plot->n_points; p++)
        add_text(out, x_at(x, plot->x[p]), TOP + PLOT_HEIGHT + 18, "middle", "", plot->x_label[p]);
    add_text(out, LEFT + PLOT_WIDTH / 2.0, TOP + PLOT_HEIGHT + 42, "middle", "", plot->x_title);
    snprintf(label, sizeof label, " transform=\"rotate(-90 18 %.1f)\"", TOP + PLOT_HEIGHT / 2.0);
    add_text(out, 18, TOP + PLOT_HEIGHT / 2.0, "middle", label, plot->y_title);
}

static void add_mark(covey_text *out, double x, double y, size_t curve)
{
    const char *fill = colour[curve % (sizeof colour / sizeof *colour)];

    switch (curve % (N_MARKS)) {
    case 0:
        covey_i_text_add_format(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n", x, y, fill);
        break;
    case 1:
        covey_i_text_add_format(out, "<path d=\"M%.1f %.1fh7v7h-7z\" fill=\"%s\"/>\n", x - 3.5, y - 3.5, fill);
        break;
    case 2:
        covey_i_text_add_format(out, "<path d=\"M%.1f %.1fl4.5 4.5l-4.5 4.5l-4.5 -4.5z\" fill=\"%s\"/>\n", x, y - 4.5,
                                fill);
        break;
    default:
        covey_i_text_add_format(out, "<path d=\"M%.1f %.1fl4.3 7.5h-8.6z\" fill=\"%s\"/>\n", x, y - 4.5, fill);
    }
}

static void add_stroke(covey_text *out, size_t curve)
{
    const char *dashes = dash[curve / (sizeof colour / sizeof *colour) % 2 * 2 + curve % 2];

    covey_i_text_add_format(out, " fill=\"none\" stroke=\"%s\" stroke-width=\"2\"",
                            colour[curve % (sizeof colour / sizeof *colour)]);
    if (*dashes)
        covey_i_text_add_format(out, " stroke-dasharray=\"%s\"", dashes);
    covey_i_text_add_string(out, "/>\n");
}

static void add_curve(covey_text *out, const struct axis *x, const struct axis *y, const covey_plot *plot, size_t c)
{
    bool is_open = false;

    covey_i_text_add_string(out, "<path d=\"");
    for (size_t p = 0; p < plot->n_points; p++) {
        if (!is_shown(x, plot->x[p]) || !is_shown(y, plot->y[c][p])) {
            is_open = false;
            continue;
        }
        if (is_open && plot->steps)
            covey_i_text_add_format(out, "H%.1f", x_at(x, plot->x[p]));
        covey_i_text_add_format(out, "%s%.1f %.1f", is_open ? "L" : "M", x_at(x, plot->x[p]), y_at(y, plot->y[c][p]));
        is_open = true;
    }
    covey_i_text_add_string(out, "\"");
    add_stroke(out, c);
    for (size_t p = 0; p < plot->n_points && plot->n_points <= 60; p++)
        if (is_shown(x, plot->x[p]) && is_shown(y, plot->y[c][p]))
            add_mark(out, x_at(x, plot->x[p]), y_at(y, plot->y[c][p]), c);
}

static void add_legend(covey_text *out, const covey_plot *plot)
{
    for (size_t c = 0; c < plot->n_curves; c++) {
        const double x = LEFT + (double)(c % 2) * LEGEND_WIDTH,
                     y = TOP + PLOT_HEIGHT + BOTTOM + (double)(c / 2) * LEGEND_LINE;

        covey_i_text_add_format(out, "<path d=\"M%.1f %.1fh30\"", x, y);
        add_stroke(out, c);
        add_mark(out, x + 15, y, c);
        add_text(out, x + 38, y + 4, "start", "", plot->name[c]);
    }
    for (size_t i = 0; i < plot->n_notes; i++)
        add_text(out, LEFT, TOP + PLOT_HEIGHT + BOTTOM + (double)((plot->n_curves + 1) / 2 + i) * LEGEND_LINE + 4,
                 "start", "", plot->note[i]);
}

void covey_i_plot_svg(covey_text *out, const covey_plot *plot)
{
    const int height = TOP + PLOT_HEIGHT + BOTTOM + (int)((plot->n_curves + 1) / 2 + plot->n_notes) * LEGEND_LINE;
    struct axis x, y;

    set_axes(&x, &y, plot);
    covey_i_text_add_format(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<title>",
        WIDTH, height, WIDTH, height);
    covey_i_plot_escape(out, plot->title);
    covey_i_text_add_string(out, "</title>\n<desc>");
    covey_i_plot_escape(out, plot->description ? plot->description : plot->title);
    covey_i_text_add_string(
        out, "</desc>\n<style>.grid path{stroke:#ddd;fill:none}.axis{stroke:#444;fill:none}text{fill:#222}</style>\n");
    covey_i_text_add_format(out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH, height);
    add_text(out, WIDTH / 2.0, 26, "middle", " font-size=\"15\" font-weight=\"bold\"", plot->title);
    add_grid(out, &x, &y, plot);
    for (size_t c = 0; c < plot->n_curves; c++)
        add_curve(out, &x, &y, plot, c);
    add_legend(out, plot);
    covey_i_text_add_string(out, "</svg>\n");
}
