/* Connections to PostgreSQL: libpq with covey's errors.  Only where COVEY_HAS_POSTGRESQL is defined. */
#ifndef COVEY_IO_DATABASE_SERVER_H
#define COVEY_IO_DATABASE_SERVER_H

#ifdef COVEY_HAS_POSTGRESQL

#include "base/file/source.h"
#include "io/database/libpq.h"

typedef struct covey_server covey_server;

/* Loads libpq and connects; COVEY_EIO where it is not installed, or with its reason, in which there is no password;
 * COVEY_EINVAL for an address that libpq does not understand. The database must live as long as the server. */
covey_status covey_i_server_open(covey_server **out, const covey_database *database, covey_error *err);
void covey_i_server_close(covey_server *server); /* NULL allowed; a transaction that is open is rolled back */

PGconn *covey_i_server_connection(covey_server *server); /* borrowed */

/* Fails with what the server, or the connection to it, said last. */
covey_status covey_i_server_fail(covey_server *server, const PGresult *result, const char *doing, covey_error *err);

/* A statement without answer. */
covey_status covey_i_server_do(covey_server *server, const char *sql, covey_error *err);

/* A statement with parameters $1 ... and rows as texts; PQclear is the caller's. */
covey_status covey_i_server_ask(PGresult **out, covey_server *server, const char *sql, const char *const *values, int n,
                                covey_error *err);

/* Begins COPY; direction: PGRES_COPY_OUT or PGRES_COPY_IN. */
covey_status covey_i_server_copy(covey_server *server, const char *sql, ExecStatusType direction, covey_error *err);
/* What became of it, after PQgetCopyData or PQputCopyEnd has ended it. */
covey_status covey_i_server_end_copy(covey_server *server, covey_error *err);

#endif
#endif
