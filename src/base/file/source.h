/* Where a table lies: in a file, or in a database that is written sqlite:FILE?table=T or postgresql://...?table=T.
 *
 * What is shown of a source never holds a password: messages, policies that are written and logs use
 * covey_i_source_show, and only the reader gets the source itself. */
#ifndef COVEY_BASE_FILE_SOURCE_H
#define COVEY_BASE_FILE_SOURCE_H

#include <covey/base.h>

#include "base/text.h"

typedef enum covey_source_kind {
    COVEY_SOURCE_FILE = 0,
    COVEY_SOURCE_SQLITE,
    COVEY_SOURCE_POSTGRESQL,
    COVEY_SOURCE_ARROW /* in memory, see covey/arrow.h */
} covey_source_kind;

/* By how it begins: "sqlite:", "postgresql:" or "postgres:", "arrow:" and nothing but digits, else a file. */
covey_source_kind covey_i_source_kind(const char *source);

/* The path in a source and its size: all of a file's, the part of sqlite: before the last "?"; NULL where there is
 * none. */
const char *covey_i_source_path(const char *source, size_t *size);

/* The source without passwords: neither that of user:password@ nor the values of password and sslpassword. */
void covey_i_source_show(covey_text *out, const char *source);
char *covey_i_source_shown(const char *source, covey_arena *arena); /* NULL: no memory */

/* A database source, taken apart. */
typedef struct covey_database {
    covey_source_kind kind;
    char *place;  /* the file, or the address that libpq gets: everything but table and schema */
    char *table;  /* NULL if not given */
    char *schema; /* NULL if not given; servers only */
    char *shown;  /* for messages */
} covey_database;

/**
 * Takes a database source apart; %XX in table and schema are bytes.
 *
 * @param what  for the complaints: "input", "--to"
 * @return COVEY_EINVAL for a missing path, a broken %XX, a key of sqlite: other than table, a key given twice, an
 * address whose password is not written as addresses want it; COVEY_ENOMEM
 */
covey_status covey_i_database_parse(covey_database *out, const char *source, const char *what, covey_error *err);
void covey_i_database_clear(covey_database *database); /* may be all zeros */

#endif
