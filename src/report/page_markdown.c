/* A report as Markdown (CommonMark with tables), for mails. */
#include <math.h>
#include <string.h>

#include "report/page.h"

/* Every character that could be markup is escaped. */
static void add(covey_text *out, const char *text)
{
    while (*text) {
        uint32_t code;

        text += covey_i_page_next(&code, text);
        if (code < 0x80 && strchr("\\`*_{}[]()<>#+!|~&=@$", (int)code))
            covey_i_text_add_char(out, '\\');
        covey_i_page_add_code(out, code);
    }
}

static bool is_number(const char *header)
{
    const size_t n = strlen(header);

    return n > 0 && header[n - 1] == '#';
}

static void add_header(covey_text *out, const covey_block *table)
{
    covey_i_text_add_char(out, '|');
    for (size_t c = 0; c < table->n_columns; c++) {
        char title[80];
        const size_t n = strlen(table->header[c]) - is_number(table->header[c]);

        memcpy(title, table->header[c], n < sizeof title ? n : sizeof title - 1);
        title[n < sizeof title ? n : sizeof title - 1] = '\0';
        covey_i_text_add_char(out, ' ');
        add(out, title);
        covey_i_text_add_string(out, " |");
    }
    covey_i_text_add_string(out, "\n|");
    for (size_t c = 0; c < table->n_columns; c++)
        covey_i_text_add_string(out, is_number(table->header[c]) ? "---:|" : "---|");
    covey_i_text_add_char(out, '\n');
}

static void add_table(covey_text *out, const covey_block *table)
{
    add(out, table->text);
    covey_i_text_add_string(out, ":\n\n");
    add_header(out, table);
    for (size_t i = 0; i < table->n_cells; i++) {
        covey_i_text_add_string(out, i % table->n_columns == 0 ? "| " : " ");
        add(out, table->cell[i].text);
        covey_i_text_add_string(out, i % table->n_columns + 1 == table->n_columns ? " |\n" : " |");
    }
    covey_i_text_add_char(out, '\n');
}

static void add_figure(covey_text *out, const covey_block *block)
{
    covey_i_text_add_string(out, "- ");
    add(out, block->text);
    covey_i_text_add_string(out, ": **");
    add(out, block->figure);
    covey_i_text_add_string(out, "** ");
    add(out, block->words);
    covey_i_text_add_string(out, block->next && block->next->kind == COVEY_BLOCK_FIGURE ? "\n" : "\n\n");
}

void covey_i_page_markdown(covey_text *out, const covey_page *page)
{
    covey_i_text_add_string(out, "# ");
    add(out, page->title);
    covey_i_text_add_string(out, "\n\n");
    if (page->subject) {
        add(out, page->subject);
        covey_i_text_add_string(out, "\n\n");
    }
    if (page->is_internal)
        covey_i_text_add_string(out,
                                "**INTERNAL: made with the original table. Do not pass it on with the release.**\n\n");
    for (const covey_block *block = page->first; block; block = block->next) {
        if (block->kind == COVEY_BLOCK_TABLE) {
            add_table(out, block);
            continue;
        }
        if (block->kind == COVEY_BLOCK_SPREAD || block->kind == COVEY_BLOCK_BARS) /* a table says the same */
            continue;
        if (block->kind == COVEY_BLOCK_FIGURE) {
            add_figure(out, block);
            continue;
        }
        if (block->kind == COVEY_BLOCK_VERDICT) {
            covey_i_text_add_string(out, "**");
            add(out, block->figure);
            covey_i_text_add_string(out, "** ");
        } else if (block->kind == COVEY_BLOCK_SECTION)
            covey_i_text_add_string(out, "## ");
        else if (block->kind == COVEY_BLOCK_ITEM)
            covey_i_text_add_string(out, "- ");
        add(out, block->text);
        covey_i_text_add_string(
            out,
            block->kind == COVEY_BLOCK_ITEM && block->next && block->next->kind == COVEY_BLOCK_ITEM ? "\n" : "\n\n");
    }
}
