/* A report as one HTML page: no scripts, no other file, no network (a policy in the page forbids it), colours for light
 * and dark, widths from a phone to paper. */
#include <math.h>
#include <string.h>

#include "report/page.h"

enum { LONG_WORD = 24 };

/* Contrasts are at least 4.5 : 1 in both schemes, which tests/chromium measures. */
static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1b1f24;--soft:#4d5661;--paper:#fff;--line:#c9d0d8;--bar:#bcd7f0;--good:#0b5d2c;--goodpaper:#e3f4e8;"
    "--bad:#8c1d18;--badpaper:#fbe6e4;--link:#0a4f94}\n"
    "@media "
    "(prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#b9c0c8;--paper:#15181c;--line:#454d57;--bar:#2b4a68;--"
    "good:#9be3b3;"
    "--goodpaper:#12301d;--bad:#ffb4ab;--badpaper:#3d1715;--link:#9ecbff}}\n"
    "*{box-sizing:border-box}\n"
    "html{font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu "
    "Sans',sans-serif;color:var(--ink);background:var(--paper);"
    "overflow-wrap:anywhere}\n"
    "body{max-width:62rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}\n"
    "h2{font-size:1.25rem;margin:2.2rem 0 .5rem;padding-top:.6rem;border-top:1px solid var(--line);break-after:avoid}\n"
    "p,ul{margin:.6rem 0;max-width:46rem}\n"
    "a{color:var(--link)}\n"
    "nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;max-width:none}\n"
    ".good,.bad,.internal{padding:.6rem .8rem;border-left:.35rem solid;border-radius:.2rem}\n"
    ".good{color:var(--good);background:var(--goodpaper)}\n"
    ".bad,.internal{color:var(--bad);background:var(--badpaper)}\n"
    ".internal{font-weight:bold;max-width:none}\n"
    ".wide{overflow-x:auto;margin:.8rem 0}\n"
    ".wide:focus-visible{outline:2px solid var(--link)}\n"
    "table{border-collapse:collapse;width:100%}\n"
    "caption{text-align:left;color:var(--soft);padding:.2rem 0}\n"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid "
    "var(--line);unicode-bidi:isolate;overflow-wrap:break-word}\n"
    ".long{overflow-wrap:anywhere;min-width:12rem}\n"
    "thead th{color:var(--soft);font-size:.9rem}\n"
    "tbody th{font-weight:600}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums}\n"
    ".bar{display:block;width:100%;height:.5rem;margin-top:.2rem}\n"
    ".bar rect{fill:var(--link)}.bar .all{fill:var(--bar)}\n"
    "figure{margin:.8rem 0;max-width:36rem;break-inside:avoid}figcaption{color:var(--soft);font-size:.95rem}\n"
    ".spread{display:block;width:100%;height:auto;font-size:12px;print-color-adjust:exact}\n"
    ".spread text{fill:currentColor;color:var(--soft)}.spread .grid{stroke:var(--line);stroke-width:.7}\n"
    ".spread .box{fill:var(--bar);stroke:var(--link)}.spread .median{stroke:var(--link);stroke-width:2.5}.spread "
    ".whisker{stroke:var(--link);stroke-width:1.3}\n"
    ".spread .arrow{fill:var(--link)}.spread .path{fill:none;stroke:var(--link);stroke-dasharray:3 3}\n"
    /* On a phone a row becomes a small list; roles keep it a table for those who listen to it. */
    "@media screen and "
    "(max-width:44rem){thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}"
    "table,tbody,tr,th,td,caption{display:block}tbody tr{padding:.4rem 0;border-bottom:1px solid var(--line)}"
    "tbody th,tbody td{border:0;padding:.1rem 0;min-width:0}tbody .n,caption{text-align:left}tbody "
    "td::before{content:attr(data-h) ': ';color:var(--soft)}}\n"
    "footer{color:var(--soft);margin-top:2rem;border-top:1px solid var(--line)}\n"
    "@media print{@page{margin:18mm "
    "15mm}html{font-size:10.5pt;color:#000;background:#fff}:root{--ink:#000;--soft:#333;--paper:#fff;"
    "--line:#999;--bar:#ddd;--good:#0b5d2c;--goodpaper:#fff;--bad:#8c1d18;--badpaper:#fff;--link:#0a4f94}body{max-"
    "width:none;padding:0}"
    "nav{display:none}.wide{overflow:visible}tr{break-inside:avoid}thead{display:table-header-group}.bar{print-color-"
    "adjust:exact}}\n";

/* On paper the word stands in the margin of every page. */
static const char internal_style[] = "@media print{@page{@top-center{content:'INTERNAL: made with the original "
                                     "table';font-weight:bold;color:#8c1d18}}}\n";

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

static void add_cell(covey_text *out, const covey_block *table, size_t index)
{
    const size_t column = index % table->n_columns;
    const covey_page_cell *cell = &table->cell[index];
    const char *tag = column == 0 ? "th" : "td", *class = is_long(cell->text)        ? " class=\"long\""
                                                          : is_number(table, column) ? " class=\"n\""
                                                                                     : "";

    covey_i_text_add_format(out, "<%s%s%s data-h=\"", tag,
                            column == 0 ? " scope=\"row\" role=\"rowheader\"" : " role=\"cell\"", class);
    add_title(out, table, column);
    covey_i_text_add_string(out, "\">");
    covey_i_page_escape(out, cell->text);
    if (!isnan(cell->share)) /* the figure stands above it, so it says nothing to those who do not see it */
        covey_i_text_add_format(out,
                                "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" "
                                "aria-hidden=\"true\"><rect class=\"all\" width=\"100\" "
                                "height=\"8\"/><rect width=\"%.2f\" height=\"8\"/></svg>",
                                100 * (cell->share < 0   ? 0
                                       : cell->share > 1 ? 1
                                                         : cell->share));
    covey_i_text_add_format(out, "</%s>", tag);
}

static void add_table(covey_text *out, const covey_block *table)
{
    covey_i_text_add_string(out, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"");
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

static void add_block(covey_text *out, const covey_block *block, size_t *n_sections, bool *in_list)
{
    if (*in_list && block->kind != COVEY_BLOCK_ITEM)
        covey_i_text_add_string(out, "</ul>\n");
    if (!*in_list && block->kind == COVEY_BLOCK_ITEM)
        covey_i_text_add_string(out, "<ul>\n");
    *in_list = block->kind == COVEY_BLOCK_ITEM;
    switch (block->kind) {
    case COVEY_BLOCK_SECTION:
        if (*n_sections > 0)
            covey_i_text_add_string(out, "</section>\n");
        ++*n_sections;
        covey_i_text_add_format(out, "<section aria-labelledby=\"s%zu\"><h2 id=\"s%zu\">", *n_sections, *n_sections);
        add_paragraph(out, "", block->text, "</h2>\n");
        break;
    case COVEY_BLOCK_PARAGRAPH:
        add_paragraph(out, "<p>", block->text, "</p>\n");
        break;
    case COVEY_BLOCK_GOOD:
        add_paragraph(out, "<p class=\"good\">", block->text, "</p>\n");
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
    bool in_list = false;

    covey_i_text_add_string(
        out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
    covey_i_page_escape(out, page->title);
    covey_i_text_add_format(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<header>\n", style,
                            page->is_internal ? internal_style : "");
    add_paragraph(out, "<h1>", page->title, "</h1>\n");
    if (page->is_internal)
        covey_i_text_add_string(
            out,
            "<p class=\"internal\">INTERNAL: made with the original table. Do not pass it on with the release.</p>\n");
    add_contents(out, page);
    covey_i_text_add_string(out, "</header>\n<main>\n");
    for (const covey_block *block = page->first; block; block = block->next)
        add_block(out, block, &n_sections, &in_list);
    covey_i_text_add_format(out,
                            "%s%s</main>\n<footer><p>%sMade by covey %s. This page is complete in itself: it loads "
                            "nothing and sends nothing.</p></footer>\n"
                            "</body>\n</html>\n",
                            in_list ? "</ul>\n" : "", n_sections ? "</section>\n" : "",
                            page->is_internal ? "INTERNAL. " : "", covey_version());
}
