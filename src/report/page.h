/* A report as a list of blocks, before it becomes HTML or Markdown.  Texts are raw: whoever prints them makes them
 * harmless. */
#ifndef COVEY_REPORT_PAGE_H
#define COVEY_REPORT_PAGE_H

#include "base/arena.h"
#include "base/text.h"

typedef enum covey_block_kind {
    COVEY_BLOCK_SECTION, /* text is its heading */
    COVEY_BLOCK_PARAGRAPH,
    COVEY_BLOCK_BAD,     /* a paragraph that says no */
    COVEY_BLOCK_VERDICT, /* the answer, large, and why */
    COVEY_BLOCK_FIGURE,  /* one of those that matter, large; they stand beside each other */
    COVEY_BLOCK_BARS,    /* a chart of shares, by names */
    COVEY_BLOCK_ITEM,    /* of a list */
    COVEY_BLOCK_TABLE,
    COVEY_BLOCK_SPREAD /* a chart of how values are spread */
} covey_block_kind;

/* One place of a chart: what 10, 25, 50, 75 and 90 % of its values do not exceed; NaN: it has none. */
typedef struct covey_page_spread {
    const char *label;
    double quantile[5];
} covey_page_spread;

/* What a figure means for whoever decides. */
typedef enum covey_tone { COVEY_TONE_PLAIN, COVEY_TONE_GOOD, COVEY_TONE_WARN, COVEY_TONE_BAD } covey_tone;

/* One bar of a chart: share in [0, 1], and as text. */
typedef struct covey_page_bar {
    const char *label, *value;
    double share;
} covey_page_bar;

enum { COVEY_PAGE_MOST_BARS = 16 };

/* One cell; share in [0, 1] is drawn as a bar behind the text, NaN: no bar. */
typedef struct covey_page_cell {
    const char *text;
    double share;
} covey_page_cell;

typedef struct covey_block {
    covey_block_kind kind;
    const char *text;   /* TABLE: its caption; SPREAD, BARS: its title; FIGURE: what it is; VERDICT: why */
    const char *words;  /* SPREAD: what it shows, for those who do not see it; FIGURE: what it means */
    const char *figure; /* FIGURE: "10 %"; VERDICT: the answer */
    covey_tone tone;    /* FIGURE, VERDICT */
    size_t n_bars;
    const covey_page_bar *bar; /* BARS */
    const char *across, *up;   /* SPREAD: names of the axes */
    size_t n_spreads;
    const covey_page_spread *spread; /* SPREAD */
    size_t n_columns;
    const char *const *header; /* TABLE; a header that ends in '#' is one of numbers */
    size_t n_cells, capacity;
    covey_page_cell *cell; /* row by row; the first of a row is its header */
    struct covey_block *next;
} covey_block;

typedef struct covey_page {
    const char *title;
    const char *subject; /* the line below the title; NULL: none */
    bool is_internal;
    covey_block *first, *last;
    covey_arena *arena;
    bool broken; /* no memory: looked at once, at the end */
} covey_page;

void covey_i_page_add(covey_page *page, covey_block_kind kind, const char *fmt, ...) COVEY_PRINTF(3, 4);
void covey_i_page_subject(covey_page *page, const char *fmt, ...) COVEY_PRINTF(2, 3);
/* answer: static. */
void covey_i_page_verdict(covey_page *page, covey_tone tone, const char *answer, const char *fmt, ...)
    COVEY_PRINTF(4, 5);
void covey_i_page_figure(covey_page *page, covey_tone tone, const char *title, const char *figure, const char *fmt, ...)
    COVEY_PRINTF(5, 6);
/* bar: [n] is copied, its texts are not. */
void covey_i_page_bars(covey_page *page, const covey_page_bar *bar, size_t n, const char *fmt, ...) COVEY_PRINTF(4, 5);
/* Begins a table; cells follow.  header: [n_columns], static. */
void covey_i_page_table(covey_page *page, const char *const *header, size_t n_columns, const char *fmt, ...)
    COVEY_PRINTF(4, 5);
void covey_i_page_cell(covey_page *page, const char *fmt, ...) COVEY_PRINTF(2, 3);
void covey_i_page_bar(covey_page *page, double share, const char *text); /* a cell, too; text is copied */

/* spread: [n] is copied, its labels are not. */
void covey_i_page_spread(covey_page *page, const covey_page_spread *spread, size_t n, const char *title,
                         const char *across, const char *up, const char *words);

void covey_i_page_html(covey_text *out, const covey_page *page);
void covey_i_page_markdown(covey_text *out, const covey_page *page);

/* The chart as SVG, its colours by classes; number makes its ids unique (src/report/spread_svg.c). */
void covey_i_spread_svg(covey_text *out, const covey_block *block, size_t number);
void covey_i_page_escape(covey_text *out, const char *text); /* for HTML and SVG */

/**
 * The next character of a text from data, and how many bytes it takes.
 *
 * @param code  receives U+FFFD for a byte that is no UTF-8, and for what must not reach a reader as it is: control
 * characters and those that turn the direction of writing or have no width.  Line breaks and tabs become blanks.
 */
size_t covey_i_page_next(uint32_t *code, const char *text);
void covey_i_page_add_code(covey_text *out, uint32_t code); /* as UTF-8 */

#endif
