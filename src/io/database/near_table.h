/* The complaint about a table that a database does not have. */
#ifndef COVEY_IO_DATABASE_NEAR_TABLE_H
#define COVEY_IO_DATABASE_NEAR_TABLE_H

#include "base/file/source.h"

/* COVEY_ENOTFOUND, with the nearest of names[0 .. n-1] or, if they are few, all of them. */
covey_status covey_i_database_no_such_table(const covey_database *database, const char *const *names, size_t n,
                                            covey_error *err);

#endif
