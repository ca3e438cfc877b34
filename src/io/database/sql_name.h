/* Names in SQL. */
#ifndef COVEY_IO_DATABASE_SQL_NAME_H
#define COVEY_IO_DATABASE_SQL_NAME_H

#include "base/text.h"

/* Appends a name of a table, column ... as SQL writes any: in double quotes, which are doubled inside. */
void covey_i_sql_add_name(covey_text *out, const char *name);

#endif
