/* Names and texts in SQL. */
#include "query/rewrite/rewrite.h"

static void add_quoted(covey_text *sql, const char *text, char quote)
{
    covey_i_text_add_char(sql, quote);
    for (; *text; text++) {
        covey_i_text_add(sql, text, 1);
        if (*text == quote)
            covey_i_text_add_char(sql, quote);
    }
    covey_i_text_add_char(sql, quote);
}

void covey_i_rewrite_name(covey_text *sql, const char *name)
{
    add_quoted(sql, name, '"');
}

void covey_i_rewrite_text(covey_text *sql, const char *text)
{
    add_quoted(sql, text, '\'');
}
