/* The page that stands what came out beside what the papers say: every figure of the papers, then the experiments. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file/outfile.h"
#include "reproduce/experiment_impl.h"
#include "plot/plot.h"

/* Contrasts are at least 4.5 : 1 in both schemes, which tests/cli/reproduce/chromium.sh measures. */
static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width, initial-scale=1\">\n"
    "<title>Published experiments, run again</title>\n<style>\n"
    ":root{color-scheme:light "
    "dark;--ink:#1b1f24;--soft:#4d5661;--paper:#fff;--line:#c9d0d8;--link:#0a4f94;--holds:#0b5d2c;--differs:#8a3c00;"
    "--missing:#8c1d18}\n"
    "@media "
    "(prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#b9c0c8;--paper:#15181c;--line:#454d57;--link:#9ecbff;--"
    "holds:#9be3b3;"
    "--differs:#ffb27a;--missing:#ffb4ab}}\n"
    "*{box-sizing:border-box}\n"
    "html{font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu "
    "Sans',sans-serif;color:var(--ink);background:var(--paper);"
    "overflow-wrap:anywhere}\n"
    "body{max-width:60rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.7rem;line-height:1.2}h2{font-size:1.35rem;margin-top:2.5rem;border-top:1px solid "
    "var(--line);padding-top:.8rem}"
    "h3{font-size:1.1rem;margin:2rem 0 .3rem}\n"
    "a{color:var(--link)}\n"
    "img{display:block;width:100%;max-width:44rem;height:auto;margin:.8rem 0;background:#fff;border:1px solid "
    "var(--line)}\n"
    "dt{color:var(--soft);font-size:.9rem}dd{margin:0 0 .5rem;max-width:46rem}\n"
    "table{border-collapse:collapse;width:100%}caption{text-align:left;font-weight:600;padding:1.2rem 0 .3rem}\n"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid "
    "var(--line);font-weight:normal}\n"
    "thead th{color:var(--soft);font-size:.9rem}tbody "
    "th{width:14rem;overflow-wrap:break-word}td:last-child{width:14rem}\n"
    ".holds{color:var(--holds)}.differs{color:var(--differs)}.missing{color:var(--missing)}.drawing{color:var(--soft)}"
    "\n"
    "p.state{display:inline-block;margin:.2rem 0;padding:.05rem .7rem;border:2px solid;border-radius:1rem}\n"
    /* On a phone a row becomes a small list; roles keep it a table for those who listen to it. */
    "@media screen and "
    "(max-width:44rem){thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}"
    "table,tbody,tr,th,td,caption{display:block}tbody tr{padding:.4rem 0;border-bottom:1px solid var(--line)}"
    "tbody th,tbody td,td:last-child{border:0;padding:.1rem 0;width:auto}tbody th{font-weight:600}}\n"
    "footer{color:var(--soft);margin-top:2rem;border-top:1px solid var(--line)}\n"
    "nav ul{columns:2 22rem;padding-left:1.2rem}nav li{break-inside:avoid}\n"
    "</style></head>\n<body>\n<header><h1>Published experiments, run again</h1></header>\n";

static const struct {
    const char *key, *title;
} papers[] = {
    {"Zhang07", "Aggregate query answering on anonymized tables"},
    {"Koudas09", "Distribution-based microdata anonymization"},
    {"CaoKarras12", "Publishing microdata with a robust privacy guarantee"},
    {"Hore07", "Flexible anonymization for privacy preserving data publishing"},
    {"OverlappingSlicing", "Overlapping slicing"},
};

static const char *title_of(const char *key)
{
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++)
        if (strcmp(papers[i].key, key) == 0)
            return papers[i].title;
    return key;
}

static const char *word_of(covey_reproduced_state state)
{
    static const char *const word[] = {"holds", "differs", "missing"};

    return word[state];
}

static const char *reason_of(covey_difference because)
{
    static const char *const reason[] = {"open", "because of the data", "because of a named choice"};

    return reason[because];
}

static void add_link(covey_text *page, const covey_reproduced *r)
{
    covey_i_text_add_format(page, "<a href=\"#%s\">%s</a>: <span class=\"%s\">%s</span>",
                            covey_experiment_name(r->experiment), covey_experiment_name(r->experiment),
                            word_of(r->state), word_of(r->state));
    if (r->state == COVEY_REPRODUCED_DIFFERS)
        covey_i_text_add_format(page, ", %s", reason_of(r->because));
}

/* --- every figure of the papers --- */

static void add_row(covey_text *page, const covey_paper_figure *figure, const covey_reproduced *all, size_t n)
{
    covey_reproduced_state state;
    const char *between = "";

    covey_i_text_add_string(page, "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\">");
    covey_i_plot_escape(page, figure->number);
    covey_i_text_add_string(page, "</th><td role=\"cell\">");
    covey_i_plot_escape(page, figure->shows);
    covey_i_text_add_string(page, "</td><td role=\"cell\">");
    if (figure->is_drawing)
        covey_i_text_add_string(page, "<span class=\"drawing\">nothing is measured in it</span>");
    else if (!covey_paper_figure_is_shown(&state, figure, all, n))
        covey_i_text_add_string(page, "<span class=\"missing\">missing: no experiment shows it</span>");
    for (size_t i = 0; i < n; i++)
        if (covey_experiment_shows(all[i].experiment, figure)) {
            covey_i_text_add_string(page, between);
            add_link(page, &all[i]);
            between = "<br>";
        }
    covey_i_text_add_string(page, "</td></tr>\n");
}

/* How many of all figures hold, differ, are missing. */
static void add_counts(covey_text *page, const covey_reproduced *all, size_t n)
{
    size_t count[3] = {0}, n_drawings = 0;

    for (size_t i = 0; i < covey_paper_figure_count(); i++) {
        covey_reproduced_state state;

        covey_paper_figure_is_shown(&state, covey_paper_figure_at(i), all, n);
        if (covey_paper_figure_at(i)->is_drawing)
            n_drawings++;
        else
            count[state]++;
    }
    covey_i_text_add_format(
        page,
        "<p>Of %zu figures and tables that show data, %zu <span class=\"holds\">hold</span> here, %zu "
        "<span class=\"differs\">differ</span> and %zu are <span class=\"missing\">missing</span>; %zu more are "
        "drawings, examples "
        "or notations.</p>\n",
        count[0] + count[1] + count[2], count[0], count[1], count[2], n_drawings);
}

/* How many experiments hold, and why the others do not. */
static void add_reasons(covey_text *page, const covey_reproduced *all, size_t n)
{
    size_t holds = 0, missing = 0, differs[3] = {0};

    for (size_t i = 0; i < n; i++) {
        holds += all[i].state == COVEY_REPRODUCED_HOLDS;
        missing += all[i].state == COVEY_REPRODUCED_MISSING;
        if (all[i].state == COVEY_REPRODUCED_DIFFERS)
            differs[all[i].because]++;
    }
    covey_i_text_add_format(page,
                            "<p>Of %zu experiments %zu <span class=\"holds\">hold</span>, %zu <span "
                            "class=\"differs\">differ</span> because of the data, %zu because of a named choice, %zu "
                            "are open",
                            n, holds, differs[COVEY_DIFFERENCE_DATA], differs[COVEY_DIFFERENCE_CHOICE],
                            differs[COVEY_DIFFERENCE_OPEN]);
    if (missing > 0)
        covey_i_text_add_format(page, ", %zu are <span class=\"missing\">missing</span>", missing);
    covey_i_text_add_string(page, ".</p>\n");
}

/* Those that experiments of the page show; every one if all experiments are on it. */
static void add_figures(covey_text *page, const covey_reproduced *all, size_t n)
{
    const char *paper = "";

    for (size_t i = 0; i < covey_paper_figure_count(); i++) {
        const covey_paper_figure *figure = covey_paper_figure_at(i);
        covey_reproduced_state state;

        if (n < covey_experiment_count() && !covey_paper_figure_is_shown(&state, figure, all, n))
            continue;
        if (strcmp(figure->paper, paper) != 0) {
            covey_i_text_add_string(page, *paper ? "</tbody></table>\n" : "");
            paper = figure->paper;
            covey_i_text_add_format(page,
                                    "<table role=\"table\"><caption>%s (%s)</caption><thead role=\"rowgroup\"><tr "
                                    "role=\"row\"><th scope=\"col\" role=\"columnheader\">Figure"
                                    "</th><th scope=\"col\" role=\"columnheader\">What it shows</th><th scope=\"col\" "
                                    "role=\"columnheader\">Here</th></tr></thead>"
                                    "<tbody role=\"rowgroup\">\n",
                                    title_of(figure->paper), figure->paper);
        }
        add_row(page, figure, all, n);
    }
    covey_i_text_add_string(page, *paper ? "</tbody></table>\n" : "");
}

/* --- the experiments --- */

static void add_experiment(covey_text *page, const covey_reproduced *r)
{
    const covey_experiment *e = r->experiment;

    covey_i_text_add_format(page, "<section id=\"%s\">\n<h3>", e->name);
    covey_i_plot_escape(page, e->title);
    covey_i_text_add_format(page, "</h3>\n<p class=\"state %s\">%s</p>\n<dl>\n<dt>Source</dt><dd>", word_of(r->state),
                            word_of(r->state));
    covey_i_plot_escape(page, e->figures ? e->figures : e->source);
    covey_i_text_add_string(page, "</dd>\n<dt>The paper says</dt><dd>");
    covey_i_plot_escape(page, e->statement);
    covey_i_text_add_string(page, "</dd>\n<dt>Here</dt><dd>");
    covey_i_plot_escape(page, r->finding);
    if (r->state == COVEY_REPRODUCED_DIFFERS) {
        covey_i_text_add_format(page, "</dd>\n<dt>Why it differs: %s</dt><dd>", reason_of(r->because));
        covey_i_plot_escape(page, r->why);
    }
    covey_i_text_add_string(page, "</dd>\n</dl>\n");
    if (r->state != COVEY_REPRODUCED_MISSING) {
        covey_i_text_add_format(page, "<img src=\"%s.svg\" alt=\"", e->name);
        covey_i_plot_escape(page, e->title);
        covey_i_text_add_format(page, "\">\n<p><a href=\"%s.csv\">%s.csv</a>, %.1f seconds</p>\n", e->name, e->name,
                                r->seconds);
    }
    covey_i_text_add_string(page, "</section>\n");
}

covey_status covey_i_reproduced_page(const covey_reproduced *all, size_t n, const char *folder, covey_error *err)
{
    covey_text page = COVEY_TEXT_INIT, path = COVEY_TEXT_INIT;
    covey_status status;

    covey_i_text_add_format(&path, "%s/index.html", folder);
    covey_i_text_add_string(&page, head);
    covey_i_text_add_string(&page, "<main>\n<h2>Figures of the papers</h2>\n");
    if (n == covey_experiment_count())
        add_counts(&page, all, n);
    add_figures(&page, all, n);
    covey_i_text_add_string(&page, "<h2>Experiments</h2>\n");
    add_reasons(&page, all, n);
    covey_i_text_add_string(&page, "<nav><ul>\n");
    for (size_t i = 0; i < n; i++) {
        covey_i_text_add_string(&page, "<li>");
        add_link(&page, &all[i]);
        covey_i_text_add_string(&page, ", ");
        covey_i_plot_escape(&page, all[i].experiment->title);
        covey_i_text_add_string(&page, "</li>\n");
    }
    covey_i_text_add_string(&page, "</ul></nav>\n");
    for (size_t i = 0; i < n; i++)
        add_experiment(&page, &all[i]);
    covey_i_text_add_format(&page, "</main>\n<footer><p>covey %s</p></footer>\n</body></html>\n", covey_version());
    status = path.broken ? covey_i_no_memory(err) : COVEY_OK;
    if (status == COVEY_OK)
        status = covey_i_outfile_make_text(path.bytes, &page, err);
    else
        covey_i_text_free(&page);
    covey_i_text_free(&path);
    return status;
}
