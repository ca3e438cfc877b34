/* Of n rows of a class, e units' with at most L each, s are selected and m more may be.
 *
 * The least: units without a selected row take at least one of the other n - s rows each, and a unit takes at most L of
 * the selected ones, so that at least max(e - (n - s), ceil(s / L)) units have one; both are attained together.  A
 * class that lies wholly inside the condition has e.  The most: min(e, s + m).
 *
 * What is expected: a unit of r rows has any r of the n.  None of them is selected with probability
 * C(n - s, r) / C(n, r) times the expectation of (1 - p)^J, where J of the r come from the m rows that are selected
 * with probability p, and the others from the n - s - m that are not. */
#include "query/class_units.h"

#include <math.h>

/* E[x^J], J: how many of r balls are white that are drawn from an urn of white and black ones.  Each probability is
 * taken relative to the greatest one, so that none that matters is lost. */
static double expected_power(double x, int64_t white, int64_t black, int64_t r)
{
    const int64_t least = r > black ? r - black : 0, most = r < white ? r : white;
    int64_t mode = (int64_t)(((double)r + 1) * ((double)white + 1) / ((double)(white + black) + 2));
    double total = 1, sum, weight = 1;

    mode = mode < least ? least : mode > most ? most : mode;
    sum = pow(x, (double)mode);
    for (int64_t j = mode; j < most && weight > 0; j++) {
        weight *= (double)(white - j) * (double)(r - j) / ((double)(j + 1) * (double)(black - r + j + 1));
        total += weight;
        sum += weight * pow(x, (double)j + 1);
    }
    weight = 1;
    for (int64_t j = mode; j > least && weight > 0; j--) {
        weight *= (double)j * (double)(black - r + j) / ((double)(white - j + 1) * (double)(r - j + 1));
        total += weight;
        sum += weight * pow(x, (double)j - 1);
    }
    return sum / total;
}

/* The chance that a unit of r rows has a selected one. */
static double chance(const covey_class_of_units *c, int64_t r)
{
    const int64_t n_other = c->n_rows - c->n_sure;
    const double p = c->n_maybe > 0 ? (c->expected - (double)c->n_sure) / (double)c->n_maybe : 0;
    double none = 1;

    if (r > n_other)
        return 1;
    for (int64_t i = 0; i < r && none > 0; i++)
        none *= (double)(n_other - i) / (double)(c->n_rows - i);
    if (c->n_maybe > 0 && none > 0)
        none *= expected_power(p > 1 ? 0 : 1 - p, c->n_maybe, n_other - c->n_maybe, r);
    return 1 - none;
}

void covey_i_selected_units_add(covey_selected_units *units, const covey_class_of_units *c)
{
    const int64_t e = c->n_units, n_any = c->n_sure + c->n_maybe, each = c->n_rows / e, n_more = c->n_rows % e;
    int64_t least = c->n_sure / c->largest + (c->n_sure % c->largest != 0);

    if (n_any == 0)
        return;
    if (least < e - (c->n_rows - c->n_sure))
        least = e - (c->n_rows - c->n_sure);
    units->lower += least;
    units->upper += n_any < e ? n_any : e;
    units->expected += (double)(e - n_more) * chance(c, each) + (n_more > 0 ? (double)n_more * chance(c, each + 1) : 0);
}
