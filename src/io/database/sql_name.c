/* See sql_name.h. */
#include "io/database/sql_name.h"

static void add_quoted(covey_text *out, const char *text, char quote)
{
    covey_i_text_add_char(out, quote);
    for (; *text; text++) {
        covey_i_text_add(out, text, 1);
        if (*text == quote)
            covey_i_text_add_char(out, quote);
    }
    covey_i_text_add_char(out, quote);
}

void covey_i_sql_add_name(covey_text *out, const char *name)
{
    add_quoted(out, name, '"');
}

void covey_i_sql_add_text(covey_text *out, const char *text)
{
    add_quoted(out, text, '\'');
}
