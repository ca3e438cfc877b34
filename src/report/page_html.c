/* A report as one HTML page: no scripts, no other file, no network (a policy in the page forbids it), colours for light
 * and dark, widths from a phone to paper. */
#include <math.h>
#include <string.h>

#include "report/page.h"

enum { LONG_WORD = 32 };

/* Contrasts are at least 4.5 : 1 in both schemes, which tests/chromium measures. */
static const char style[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--soft:#4d5661;--paper:#fff;--line:#c9d0d8;"
    "--bar:#bcd7f0;--good:#0b5d2c;--goodpaper:#e3f4e8;\n"
    "--warn:#6b4700;--warnpaper:#fdf1d3;--bad:#8c1d18;--badpaper:#fbe6e4;--link:#0a4f94}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#b9c0c8;--paper:#15181c;"
    "--line:#454d57;--bar:#2b4a68;--good:#9be3b3;\n"
    "--goodpaper:#12301d;--warn:#f5cf7a;--warnpaper:#33270a;--bad:#ffb4ab;--badpaper:#3d1715;"
    "--link:#9ecbff}}\n"
    "*{box-sizing:border-box}\n"
    "html{font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;"
    "color:var(--ink);background:var(--paper);overflow-wrap:anywhere}\n"
    "body{max-width:54rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.5rem;line-height:1.2;margin:.3rem 0}\n"
    ".subject{color:var(--soft);margin:.2rem 0 0}\n"
    "h2{font-size:1.25rem;margin:1.8rem 0 .5rem;padding-top:.6rem;border-top:1px solid var(--line);"
    "break-after:avoid}\n"
    "header+main h2:first-of-type{margin-top:1rem}\n"
    "p,ul{margin:.6rem 0}\n"
    "a{color:var(--link)}\n"
    "nav{font-size:.95rem;margin-top:1.2rem}\n"
    "nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}\n"
    ".good,.warn,.bad,.internal{padding:.6rem .8rem;border-left:.35rem solid;border-radius:.2rem}\n"
    ".verdict strong{display:block;font-size:1.35rem;line-height:1.3}\n"
    ".good{color:var(--good);background:var(--goodpaper)}\n"
    ".warn{color:var(--warn);background:var(--warnpaper)}\n"
    ".bad,.internal{color:var(--bad);background:var(--badpaper)}\n"
    ".internal{font-weight:bold}\n"
    ".figures{display:grid;grid-template-columns:repeat(3,1fr);gap:.8rem;margin:1rem 0}\n"
    ".figure{border:1px solid var(--line);border-top:.35rem solid;border-radius:.3rem;padding:.6rem "
    ".8rem;break-inside:avoid}\n"
    ".figure p{margin:0}.figure .what{color:var(--soft);font-size:.95rem}.figure .value{font-size:2rem;"
    "line-height:1.25;font-weight:700}\n"
    ".figure .means{color:var(--ink);font-size:.9rem;line-height:1.4}\n"
    ".figure.plain{color:var(--link)}.figure.good,.figure.warn,.figure.bad{background:none}\n"
    ".bars{margin:1rem 0;max-width:none}.bars dl{display:grid;grid-template-columns:max-content 1fr "
    "max-content;gap:.25rem .7rem;margin:.4rem 0 0;align-items:center}\n"
    ".bars dt,.bars dd{margin:0;font-variant-numeric:tabular-nums}.bars dt,.bars .amount{"
    "text-align:right}.bars .bar{display:block;width:100%;height:.9rem;margin:0}\n"
    ".fold{display:none}\n"
    ".wide{overflow-x:auto;margin:.8rem 0}\n"
    ".wide:focus-visible{outline:2px solid var(--link)}\n"
    "table{border-collapse:collapse;width:100%}\n"
    "caption{text-align:left;color:var(--soft);padding:.2rem 0}\n"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line);"
    "unicode-bidi:isolate;overflow-wrap:break-word}\n"
    ".long{overflow-wrap:anywhere;min-width:12rem}\n"
    "thead th{color:var(--soft);font-size:.9rem}\n"
    "tbody th{font-weight:600}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums}\n"
    ".drawn{white-space:nowrap}.bar{width:5rem;height:.7rem;margin-left:.6rem;border:1px solid var(--line)}\n"
    ".bar rect{fill:var(--link)}\n"
    "figure{margin:.8rem 0;max-width:36rem;break-inside:avoid}figcaption{color:var(--soft);"
    "font-size:.95rem}\n"
    ".spread{display:block;width:100%;height:auto;font-size:12px;print-color-adjust:exact}\n"
    ".spread text{fill:currentColor;color:var(--soft)}.spread .grid{stroke:var(--line);stroke-width:.7}\n"
    ".spread .box{fill:var(--bar);stroke:var(--link)}.spread .median{stroke:var(--link);stroke-width:2.5}"
    ".spread .whisker{stroke:var(--link);stroke-width:1.3}\n"
    ".spread .arrow{fill:var(--link)}.spread .path{fill:none;stroke:var(--link);stroke-dasharray:3 3}\n"
    /* On a phone a row becomes a small list, and sections unfold by their headings; roles keep a table for those who
     * listen to it. */
    "@media screen and (max-width:44rem){thead{position:absolute;width:1px;height:1px;overflow:hidden;"
    "clip-path:inset(50%)}\n"
    "table,tbody,tr,th,td,caption{display:block}tbody tr{padding:.4rem 0;border-bottom:1px solid "
    "var(--line)}\n"
    "tbody th,tbody td{border:0;padding:.1rem 0;min-width:0}tbody .n,caption{text-align:left}tbody "
    "td::before{content:attr(data-h) ': ';color:var(--soft)}\n"
    ".figures{grid-template-columns:1fr;gap:.5rem}.figure{display:grid;"
    "grid-template-columns:1fr auto;column-gap:.8rem;align-items:baseline}.figure .value{"
    "font-size:1.5rem}.figure .means{grid-column:1/3}\n"
    "nav{display:none}h2{margin:.2rem 0 0;padding:.6rem 0;font-size:1.1rem}h2 label{display:flex;"
    "justify-content:space-between;cursor:pointer}\n"
    "h2 label::after{content:'+';color:var(--link);padding-left:1rem}.fold:checked+h2 label::after{"
    "content:'\\2212'}\n"
    ".fold{display:block;position:absolute;width:1px;height:1px;opacity:0}.fold:focus-visible+h2{"
    "outline:2px solid var(--link)}.fold:not(:checked)~.body{display:none}}\n"
    "footer{color:var(--soft);margin-top:2rem;border-top:1px solid var(--line)}\n"
    "@media print{@page{margin:16mm 15mm;font-size:9pt;color:#333;@bottom-right{content:counter(page) ' of ' "
    "counter(pages)}}\n"
    "html{font-size:10pt;color:#000;background:#fff}\n"
    ":root{--ink:#000;--soft:#333;--paper:#fff;--line:#999;--bar:#ddd;--good:#0b5d2c;--goodpaper:#fff;"
    "--warn:#6b4700;--warnpaper:#fff;--bad:#8c1d18;--badpaper:#fff;--link:#0a4f94}\n"
    "body{max-width:none;padding:0}nav{display:none}.wide{overflow:visible}.short{break-inside:avoid}tr{"
    "break-inside:avoid}thead{display:table-header-group}\n"
    "caption,p:has(+.wide){break-after:avoid}p,li{break-inside:avoid}.bar{print-color-adjust:exact}.bars{"
    "break-inside:avoid}}\n";

/* On paper the margins of every page say it: a footer could stand on a page of its own. */
static void add_margins(covey_text *out, const covey_page *page)
{
    covey_i_text_add_format(out, "@media print{footer{display:none}@page{@bottom-left{content:'Made by covey %s'}",
                            covey_version());
    if (page->is_internal)
        covey_i_text_add_string(out, "@top-center{content:'INTERNAL: made with the original table';font-weight:bold;"
                                     "color:#8c1d18}");
    covey_i_text_add_string(out, "}}\n");
}

static bool is_number(const covey_block *table, size_t column)
{
    const size_t n = strlen(table->header[column]);

    return n > 0 && table->header[column][n - 1] == '#';
}

static void add_title(covey_text *out, const covey_block *table, size_t column)
{
    covey_i_text_add(out, table->header[column],
                     strlen(table->header[column]) - is_number(table, column)); /* ours, not the data's */
}

/* Is there a word that would not fit into a column? */
static bool is_long(const char *text)
{
    size_t run = 0;

    for (; *text && run <= LONG_WORD; text++)
        run = *text == ' ' ? 0 : run + 1;
    return run > LONG_WORD;
}

/* The whole is 100 % everywhere, so that bars can be compared.  The figure stands beside it: it says nothing to those
 * who do not see it. */
static void add_bar(covey_text *out, double share)
{
    covey_i_text_add_format(out,
                            "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" "
                            "aria-hidden=\"true\"><rect "
                            "width=\"%.2f\" height=\"8\"/></svg>",
                            100 * fmin(fmax(share, 0), 1));
}

static void add_cell(covey_text *out, const covey_block *table, size_t index)
{
    const size_t column = index % table->n_columns;
    const covey_page_cell *cell = &table->cell[index];
    const char *tag = column == 0 ? "th" : "td", *class = is_long(cell->text)        ? " class=\"long\""
                                                          : !isnan(cell->share)      ? " class=\"n drawn\""
                                                          : is_number(table, column) ? " class=\"n\""
                                                                                     : "";

    covey_i_text_add_format(out, "<%s%s%s data-h=\"", tag,
                            column == 0 ? " scope=\"row\" role=\"rowheader\"" : " role=\"cell\"", class);
    add_title(out, table, column);
    covey_i_text_add_string(out, "\">");
    covey_i_page_escape(out, cell->text);
    if (!isnan(cell->share))
        add_bar(out, cell->share);
    covey_i_text_add_format(out, "</%s>", tag);
}

enum { SHORT_TABLE = 14 /* rows that a page of paper keeps together */ };

static void add_table(covey_text *out, const covey_block *table)
{
    covey_i_text_add_format(out, "<div class=\"wide%s\" role=\"region\" tabindex=\"0\" aria-label=\"",
                            table->n_cells <= SHORT_TABLE * table->n_columns ? " short" : "");
    covey_i_page_escape(out, table->text);
    covey_i_text_add_string(out, "\"><table role=\"table\"><caption>");
    covey_i_page_escape(out, table->text);
    covey_i_text_add_string(out, "</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">");
    for (size_t c = 0; c < table->n_columns; c++) {
        covey_i_text_add_format(out, "<th scope=\"col\" role=\"columnheader\"%s>",
                                is_number(table, c) ? " class=\"n\"" : "");
        add_title(out, table, c);
        covey_i_text_add_string(out, "</th>");
    }
    covey_i_text_add_string(out, "</tr></thead>\n<tbody role=\"rowgroup\">\n");
    for (size_t i = 0; i < table->n_cells; i++) {
        if (i % table->n_columns == 0)
            covey_i_text_add_string(out, "<tr role=\"row\">");
        add_cell(out, table, i);
        if (i % table->n_columns + 1 == table->n_columns)
            covey_i_text_add_string(out, "</tr>\n");
    }
    covey_i_text_add_string(out, "</tbody></table></div>\n");
}

static void add_contents(covey_text *out, const covey_page *page)
{
    size_t n = 0;

    covey_i_text_add_string(out, "<nav aria-label=\"Contents\"><ul>\n");
    for (const covey_block *block = page->first; block; block = block->next)
        if (block->kind == COVEY_BLOCK_SECTION) {
            covey_i_text_add_format(out, "<li><a href=\"#s%zu\">", ++n);
            covey_i_page_escape(out, block->text);
            covey_i_text_add_string(out, "</a></li>\n");
        }
    covey_i_text_add_string(out, "</ul></nav>\n");
}

static void add_paragraph(covey_text *out, const char *open, const char *text, const char *close)
{
    covey_i_text_add_string(out, open);
    covey_i_page_escape(out, text);
    covey_i_text_add_string(out, close);
}

static const char *tone_class(covey_tone tone)
{
    static const char *const classes[] = {"plain", "good", "warn", "bad"};

    return classes[tone];
}

static void add_verdict(covey_text *out, const covey_block *block)
{
    covey_i_text_add_format(out, "<p class=\"verdict %s\">", tone_class(block->tone));
    add_paragraph(out, "<strong>", block->figure, "</strong> ");
    add_paragraph(out, "", block->text, "</p>\n");
}

static void add_figure(covey_text *out, const covey_block *block)
{
    covey_i_text_add_format(out, "<div class=\"figure %s\">", tone_class(block->tone));
    add_paragraph(out, "<p class=\"what\">", block->text, "</p>");
    add_paragraph(out, "<p class=\"value\">", block->figure, "</p>");
    add_paragraph(out, "<p class=\"means\">", block->words, "</p></div>\n");
}

static void add_bars(covey_text *out, const covey_block *block)
{
    covey_i_text_add_string(out, "<figure class=\"bars\"><figcaption>");
    covey_i_page_escape(out, block->text);
    covey_i_text_add_string(out, "</figcaption><dl>\n");
    for (size_t i = 0; i < block->n_bars; i++) {
        add_paragraph(out, "<dt>", block->bar[i].label, "</dt>");
        covey_i_text_add_string(out, "<dd>");
        add_bar(out, block->bar[i].share);
        covey_i_text_add_string(out, "</dd>");
        add_paragraph(out, "<dd class=\"amount\">", block->bar[i].value, "</dd>\n");
    }
    covey_i_text_add_string(out, "</dl></figure>\n");
}

/* The first section stands open; the others unfold on a phone. */
static void add_section(covey_text *out, const covey_block *block, size_t n)
{
    covey_i_text_add_format(out, "<section aria-labelledby=\"s%zu\">", n);
    if (n > 1) {
        covey_i_text_add_format(out, "<input type=\"checkbox\" class=\"fold\" id=\"f%zu\" aria-label=\"Show: ", n);
        covey_i_page_escape(out, block->text);
        covey_i_text_add_format(out, "\"><h2 id=\"s%zu\"><label for=\"f%zu\">", n, n);
        add_paragraph(out, "", block->text, "</label></h2>\n<div class=\"body\">\n");
    } else {
        covey_i_text_add_format(out, "<h2 id=\"s%zu\">", n);
        add_paragraph(out, "", block->text, "</h2>\n<div class=\"body first\">\n");
    }
}

static void add_block(covey_text *out, const covey_page *page, const covey_block *block, size_t *n_sections,
                      bool *in_list, bool *in_figures)
{
    if (*in_list && block->kind != COVEY_BLOCK_ITEM)
        covey_i_text_add_string(out, "</ul>\n");
    if (!*in_list && block->kind == COVEY_BLOCK_ITEM)
        covey_i_text_add_string(out, "<ul>\n");
    *in_list = block->kind == COVEY_BLOCK_ITEM;
    if (*in_figures && block->kind != COVEY_BLOCK_FIGURE)
        covey_i_text_add_string(out, "</div>\n");
    if (!*in_figures && block->kind == COVEY_BLOCK_FIGURE)
        covey_i_text_add_string(out, "<div class=\"figures\">\n");
    *in_figures = block->kind == COVEY_BLOCK_FIGURE;
    switch (block->kind) {
    case COVEY_BLOCK_SECTION:
        if (*n_sections > 0)
            covey_i_text_add_string(out, "</div></section>\n");
        if (*n_sections == 1)
            add_contents(out, page);
        add_section(out, block, ++*n_sections);
        break;
    case COVEY_BLOCK_VERDICT:
        add_verdict(out, block);
        break;
    case COVEY_BLOCK_FIGURE:
        add_figure(out, block);
        break;
    case COVEY_BLOCK_BARS:
        add_bars(out, block);
        break;
    case COVEY_BLOCK_PARAGRAPH:
        add_paragraph(out, "<p>", block->text, "</p>\n");
        break;
    case COVEY_BLOCK_BAD:
        add_paragraph(out, "<p class=\"bad\">", block->text, "</p>\n");
        break;
    case COVEY_BLOCK_ITEM:
        add_paragraph(out, "<li>", block->text, "</li>\n");
        break;
    case COVEY_BLOCK_TABLE:
        add_table(out, block);
        break;
    case COVEY_BLOCK_SPREAD:
        covey_i_spread_svg(out, block, *n_sections);
        break;
    }
}

void covey_i_page_html(covey_text *out, const covey_page *page)
{
    size_t n_sections = 0;
    bool in_list = false, in_figures = false;

    covey_i_text_add_string(
        out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
    covey_i_page_escape(out, page->title);
    covey_i_text_add_format(out, "</title>\n<style>\n%s", style);
    add_margins(out, page);
    covey_i_text_add_string(out, "</style>\n</head>\n<body>\n<header>\n");
    add_paragraph(out, "<h1>", page->title, "</h1>\n");
    if (page->is_internal)
        covey_i_text_add_string(
            out,
            "<p class=\"internal\">INTERNAL: made with the original table. Do not pass it on with the release.</p>\n");
    if (page->subject)
        add_paragraph(out, "<p class=\"subject\">", page->subject, "</p>\n");
    covey_i_text_add_string(out, "</header>\n<main>\n");
    for (const covey_block *block = page->first; block; block = block->next)
        add_block(out, page, block, &n_sections, &in_list, &in_figures);
    covey_i_text_add_format(out,
                            "%s%s</main>\n<footer><p>%sMade by covey %s. This page is complete in itself: it loads "
                            "nothing and sends nothing.</p></footer>\n"
                            "</body>\n</html>\n",
                            in_list ? "</ul>\n" : "", n_sections ? "</div></section>\n" : "",
                            page->is_internal ? "INTERNAL. " : "", covey_version());
}
