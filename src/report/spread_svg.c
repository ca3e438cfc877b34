/* A chart of quantiles as SVG: a box from 25 to 75 %, a line at the median, whiskers from 10 to 90 %, and a path
 * through the medians.
 *
 * It is drawn small, so that its letters can still be read on a phone; colours are those of the page, in light, dark
 * and print. */
#include <math.h>

#include "report/page.h"

enum { WIDTH = 400, HEIGHT = 250, LEFT = 66, RIGHT = 8, TOP = 12, BOTTOM = 48, HALF_BOX = 11, HALF_CAP = 6 };

/* The next of 1, 2, 5, 10, ... times a power of ten. */
static double round_up(double x)
{
    const double unit = pow(10, floor(log10(x))), times = x / unit;

    return unit * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/* Where the scale ends.  A few very large values would press all others against the axis: a whisker may leave the
 * picture. */
static double find_top(const covey_block *block)
{
    double box = 0, whisker = 0;

    for (size_t i = 0; i < block->n_spreads; i++)
        if (!isnan(block->spread[i].quantile[2])) {
            box = fmax(box, block->spread[i].quantile[3]);
            whisker = fmax(whisker, block->spread[i].quantile[4]);
        }
    if (box > 0 && whisker > 2 * box)
        whisker = 2 * box;
    return whisker > 0 ? whisker : 0.01;
}

struct scale {
    double top, step;
    size_t n;
};

static double place_of(const struct scale *s, size_t i)
{
    return LEFT + ((double)i + 0.5) * (WIDTH - LEFT - RIGHT) / (double)s->n;
}

static double height_of(const struct scale *s, double value)
{
    return TOP + (1 - fmin(1, value / s->top)) * (HEIGHT - TOP - BOTTOM);
}

static void add_axes(covey_text *out, const covey_block *block, const struct scale *s)
{
    for (int i = 0; i * s->step <= s->top * 1.0001; i++) {
        const double y = height_of(s, i * s->step);

        covey_i_text_add_format(out,
                                "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" "
                                "y=\"%.1f\" text-anchor=\"end\">%.3g %%</text>\n",
                                LEFT, WIDTH - RIGHT, y, y, LEFT - 6, y + 4, 100 * i * s->step);
    }
    for (size_t i = 0; i < s->n; i++) {
        covey_i_text_add_format(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", place_of(s, i),
                                HEIGHT - BOTTOM + 17);
        covey_i_page_escape(out, block->spread[i].label);
        covey_i_text_add_string(out, "</text>\n");
    }
    covey_i_text_add_format(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
                            HEIGHT - 8);
    covey_i_page_escape(out, block->across);
    covey_i_text_add_format(out, "</text>\n<text transform=\"translate(11 %d) rotate(-90)\" text-anchor=\"middle\">",
                            TOP + (HEIGHT - TOP - BOTTOM) / 2);
    covey_i_page_escape(out, block->up);
    covey_i_text_add_string(out, "</text>\n");
}

static void add_line(covey_text *out, const char *class, double x1, double y1, double x2, double y2)
{
    covey_i_text_add_format(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", class, x1, y1,
                            x2, y2);
}

static void add_box(covey_text *out, const covey_page_spread *spread, const struct scale *s, double x)
{
    double y[5];

    for (int i = 0; i < 5; i++)
        y[i] = height_of(s, spread->quantile[i]);
    add_line(out, "whisker", x, y[0], x, y[1]);
    add_line(out, "whisker", x, y[3], x, y[4]);
    add_line(out, "whisker", x - HALF_CAP, y[0], x + HALF_CAP, y[0]);
    if (spread->quantile[4] > s->top) /* an arrow: it goes on */
        covey_i_text_add_format(out, "<path class=\"arrow\" d=\"M%.1f %.1fl-5 8h10z\"/>", x, y[4]);
    else
        add_line(out, "whisker", x - HALF_CAP, y[4], x + HALF_CAP, y[4]);
    covey_i_text_add_format(out, "<rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>",
                            x - HALF_BOX, y[3], 2 * HALF_BOX, fmax(1, y[1] - y[3]));
    add_line(out, "median", x - HALF_BOX, y[2], x + HALF_BOX, y[2]);
    covey_i_text_add_char(out, '\n');
}

/* The medians, behind the boxes; a place without values parts it. */
static void add_path(covey_text *out, const covey_block *block, const struct scale *s)
{
    bool drawing = false;

    covey_i_text_add_string(out, "<path class=\"path\" d=\"");
    for (size_t i = 0; i < s->n; i++) {
        const double median = block->spread[i].quantile[2];

        if (!isnan(median))
            covey_i_text_add_format(out, "%c%.1f %.1f", drawing ? 'L' : 'M', place_of(s, i), height_of(s, median));
        drawing = !isnan(median);
    }
    covey_i_text_add_string(out, drawing || block->n_spreads > 0 ? "\"/>\n" : "M0 0\"/>\n");
}

void covey_i_spread_svg(covey_text *out, const covey_block *block, size_t number)
{
    const double most = find_top(block), step = round_up(most / 5);
    const struct scale s = {ceil(most / step - 1e-9) * step, step, block->n_spreads};

    covey_i_text_add_format(out,
                            "<figure><svg class=\"spread\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"g%zu "
                            "d%zu\"><title id=\"g%zu\">",
                            WIDTH, HEIGHT, number, number, number);
    covey_i_page_escape(out, block->text);
    covey_i_text_add_format(out, "</title><desc id=\"d%zu\">", number);
    covey_i_page_escape(out, block->words);
    covey_i_text_add_string(out, "</desc>\n");
    add_axes(out, block, &s);
    add_path(out, block, &s);
    for (size_t i = 0; i < s.n; i++)
        if (!isnan(block->spread[i].quantile[2]))
            add_box(out, &block->spread[i], &s, place_of(&s, i));
    covey_i_text_add_string(out, "</svg><figcaption>");
    covey_i_page_escape(out, block->text);
    covey_i_text_add_string(out, ". Boxes hold the middle half of the questions, with a line at the typical one; "
                                 "whiskers go from the best tenth to the worst tenth; an "
                                 "arrow says that they go on.</figcaption></figure>\n");
}
