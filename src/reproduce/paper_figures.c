/* The figures of the papers, and which experiments show them. */
#include "reproduce/experiment_impl.h"

#include <string.h>

static const covey_paper_figure figures[] = {
#define COVEY_FIGURE(paper, number, shows) {paper, number, shows, false},
#define COVEY_DRAWING(paper, number, shows) {paper, number, shows, true},
#include "reproduce/figure_list.h"
#undef COVEY_FIGURE
#undef COVEY_DRAWING
};

size_t covey_paper_figure_count(void)
{
    return sizeof figures / sizeof *figures;
}

const covey_paper_figure *covey_paper_figure_at(size_t index)
{
    return index < covey_paper_figure_count() ? &figures[index] : NULL;
}

/* Is "PAPER NUMBER" the text up to `end`? */
static bool is_name_of(const covey_paper_figure *figure, const char *text, const char *end)
{
    const size_t paper = strlen(figure->paper), number = strlen(figure->number);

    return (size_t)(end - text) == paper + 1 + number && memcmp(text, figure->paper, paper) == 0 &&
           text[paper] == ' ' && memcmp(text + paper + 1, figure->number, number) == 0;
}

bool covey_experiment_shows(const covey_experiment *experiment, const covey_paper_figure *figure)
{
    for (const char *at = experiment->figures; at && *at;) {
        const char *end = strstr(at, "; ");

        if (is_name_of(figure, at, end ? end : at + strlen(at)))
            return true;
        at = end ? end + 2 : NULL;
    }
    return false;
}

bool covey_paper_figure_is_shown(covey_reproduced_state *out, const covey_paper_figure *figure,
                                 const covey_reproduced *all, size_t n)
{
    bool is_shown = false;

    *out = COVEY_REPRODUCED_HOLDS;
    for (size_t i = 0; i < n; i++)
        if (covey_experiment_shows(all[i].experiment, figure)) {
            is_shown = true;
            if (all[i].state > *out)
                *out = all[i].state;
        }
    if (!is_shown)
        *out = COVEY_REPRODUCED_MISSING;
    return is_shown;
}
