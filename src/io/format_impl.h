/* Formats of tables, and the databases among them: who reads what. */
#ifndef COVEY_IO_FORMAT_IMPL_H
#define COVEY_IO_FORMAT_IMPL_H

#include <covey/io.h>

#include "base/file/source.h"

/* One file per database ends in such a struct; format_list.h names it. */
typedef struct covey_format_impl {
    covey_format facts;
    covey_source_kind kind; /* COVEY_SOURCE_FILE: read by covey_csv_read */
    const char *library;    /* what must be installed to build it in: "libpq-dev"; NULL: nothing */
    /* Reads the table of a database, database->table given; NULL: files, or not built in. */
    covey_status (*read)(covey_table **out, const covey_database *database, const covey_csv_options *options,
                         const covey_run *run, covey_error *err);
} covey_format_impl;

#endif
