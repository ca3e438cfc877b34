/* Databases that an experiment exports releases to and asks statements of. */
#ifndef COVEY_REPRODUCE_DATABASE_H
#define COVEY_REPRODUCE_DATABASE_H

#include <covey/query.h>

#include "reproduce/experiment_impl.h"

typedef struct covey_experiment_database covey_experiment_database;

/* Can the server of the options be reached?  Without one: COVEY_OK.  COVEY_EINVAL for an address that names a schema or
 * a table, or is no server's; COVEY_EIO. */
covey_status covey_i_reproduce_server_check(const covey_reproduce_options *options, covey_error *err);

/**
 * Exports the release of the scratch folder into a database of its own: a file there, or a new schema of the server
 * that the options name.  Closing it removes it.
 *
 * @return as covey_export and the database have it
 */
covey_status covey_i_experiment_database_open(covey_experiment_database **out, const covey_experiment_context *context,
                                              covey_sql_dialect dialect, covey_error *err);
void covey_i_experiment_database_close(covey_experiment_database *database); /* NULL allowed */

/* Runs a statement to its end; rows are fetched and forgotten. */
covey_status covey_i_experiment_database_ask(covey_experiment_database *database, const char *sql, covey_error *err);

#endif
