/* Quoting names for SQL. */
#include "io/database/sql_name.h"

void covey_i_sql_add_name(covey_text *out, const char *name)
{
    covey_i_text_add_char(out, '"');
    for (; *name; name++) {
        covey_i_text_add(out, name, 1);
        if (*name == '"')
            covey_i_text_add_char(out, '"');
    }
    covey_i_text_add_char(out, '"');
}
