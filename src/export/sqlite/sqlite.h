/* The database of SQLite that an export fills: the file that it is, and which of its tables are an export's. */
#ifndef COVEY_EXPORT_SQLITE_SQLITE_H
#define COVEY_EXPORT_SQLITE_SQLITE_H

#include "base/file/folder.h"
#include "export/sheets.h"

struct sqlite3;

typedef struct covey_sqlite_filling {
    char *target; /* as it was named */
    bool force;
    bool is_in_place;     /* the target is a database already */
    covey_folder *folder; /* otherwise: temporary, beside the target, open to its owner only */
    char *path;           /* of the database in it */
    struct sqlite3 *db;
    int64_t last_foreign; /* row of sqlite_master behind which all is ours */
} covey_sqlite_filling;

/* Says what SQLite's last answer was, as an error. */
covey_status covey_i_sqlite_fail(const covey_sqlite_filling *f, covey_error *err);
covey_status covey_i_sqlite_run(const covey_sqlite_filling *f, const char *sql, covey_error *err);

/* database.c: Only a database, or an empty file, is written to; sets is_in_place. */
covey_status covey_i_sqlite_check_target(covey_sqlite_filling *f, covey_error *err);
covey_status covey_i_sqlite_open(covey_sqlite_filling *f, const char *name, int flags, covey_error *err);
/* Opens a new one beside the target; what it is to hold begins. */
covey_status covey_i_sqlite_open_new(covey_sqlite_filling *f, covey_error *err);
/* Gives a new one, which is closed and complete, the name of the target. */
covey_status covey_i_sqlite_put_in_place(covey_sqlite_filling *f, covey_error *err);

/* listing.c: Removes what an earlier export made; what else has a name that is needed is COVEY_EEXIST. */
covey_status covey_i_sqlite_take_over(covey_sqlite_filling *f, const covey_sheets *sheets, covey_error *err);
/* Lists what has come since. */
covey_status covey_i_sqlite_list(const covey_sqlite_filling *f, covey_error *err);

#endif
