/* Exports of releases that statements are asked of, in SQLite and in PostgreSQL. */
#include "reproduce/database.h"

#include <covey/export.h>

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file/source.h"
#include "base/rng.h"
#include "base/text.h"
#include "io/database/server.h"
#include "reproduce/experiment_job.h"

struct covey_experiment_database {
    sqlite3 *file;
    const char *path; /* of the file, in the experiment's arena */
#ifdef COVEY_HAS_POSTGRESQL
    covey_database address;
    covey_server *server;
    char schema[48];
#endif
};

static covey_status export_to(const covey_experiment_context *context, covey_text *target, covey_error *err)
{
    static const covey_export_options options = {.force = true};
    const char *folder = covey_i_experiment_release(context);
    covey_status status = !folder || target->broken ? covey_i_no_memory(err)
                                                    : covey_export(NULL, folder, target->bytes, &options, NULL, err);

    covey_i_text_free(target);
    return status;
}

/* --- SQLite --- */

static covey_status fail(sqlite3 *file, covey_error *err)
{
    return covey_fail(err, COVEY_EIO, "SQLite: %s", file ? sqlite3_errmsg(file) : "no memory");
}

static covey_status open_file(covey_experiment_database *d, const covey_experiment_context *context, covey_error *err)
{
    covey_text target = COVEY_TEXT_INIT;

    if (!(d->path = covey_i_experiment_scratch(context, "release.db")))
        return covey_i_no_memory(err);
    covey_i_text_add_format(&target, "sqlite:%s", d->path);
    COVEY_TRY(export_to(context, &target, err));
    return sqlite3_open(d->path, &d->file) == SQLITE_OK ? COVEY_OK : fail(d->file, err);
}

static covey_status ask_file(sqlite3 *file, const char *sql, covey_error *err)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(file, sql, -1, &statement, NULL);

    while (code == SQLITE_OK || code == SQLITE_ROW)
        code = sqlite3_step(statement);
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? COVEY_OK : fail(file, err);
}

/* --- PostgreSQL --- */

#ifdef COVEY_HAS_POSTGRESQL

static covey_status read_address(covey_database *out, const char *server, covey_error *err)
{
    covey_status status;

    if (covey_i_source_kind(server) != COVEY_SOURCE_POSTGRESQL)
        return covey_fail(err, COVEY_EINVAL, "--server wants the address of a server: postgresql://USER@HOST/DATABASE");
    COVEY_TRY(covey_i_database_parse(out, server, "--server", err));
    if (!out->table && !out->schema)
        return COVEY_OK;
    status = covey_fail(err, COVEY_EINVAL,
                        "%s: experiments make a schema of their own: leave out table= and schema=", out->shown);
    covey_i_database_clear(out);
    return status;
}

covey_status covey_i_reproduce_server_check(const covey_reproduce_options *options, covey_error *err)
{
    covey_database address = {0};
    covey_server *server = NULL;
    covey_status status;

    if (!options->server)
        return COVEY_OK;
    COVEY_TRY(read_address(&address, options->server, err));
    status = covey_i_server_open(&server, &address, err);
    covey_i_server_close(server);
    covey_i_database_clear(&address);
    return status;
}

static covey_status do_with_schema(covey_experiment_database *d, const char *before, const char *after,
                                   covey_error *err)
{
    char sql[128];

    snprintf(sql, sizeof sql, "%s%s%s", before, d->schema, after);
    return covey_i_server_do(d->server, sql, err);
}

static covey_status open_schema(covey_experiment_database *d, const covey_experiment_context *context, covey_error *err)
{
    const char *server = context->options->server;
    covey_text target = COVEY_TEXT_INIT;
    unsigned char key[32];
    uint64_t number;

    COVEY_TRY(covey_i_rng_key(key, NULL, err));
    memcpy(&number, key, sizeof number);
    COVEY_TRY(read_address(&d->address, server, err));
    COVEY_TRY(covey_i_server_open(&d->server, &d->address, err));
    snprintf(d->schema, sizeof d->schema, "covey_reproduce_%016" PRIx64, number);
    if (do_with_schema(d, "CREATE SCHEMA ", "", err) != COVEY_OK) {
        d->schema[0] = '\0'; /* not ours to drop */
        return COVEY_EIO;
    }
    COVEY_TRY(do_with_schema(d, "SET search_path TO ", "", err));
    covey_i_text_add_format(&target, "%s%cschema=%s", server, strchr(server, '?') ? '&' : '?', d->schema);
    return export_to(context, &target, err);
}

static void close_schema(covey_experiment_database *d)
{
    if (d->server && d->schema[0])
        (void)do_with_schema(d, "DROP SCHEMA ", " CASCADE", NULL);
    covey_i_server_close(d->server);
    covey_i_database_clear(&d->address);
}

#else

covey_status covey_i_reproduce_server_check(const covey_reproduce_options *options, covey_error *err)
{
    return options->server ? covey_fail(err, COVEY_EINVAL, "--server: this covey was built without PostgreSQL")
                           : COVEY_OK;
}

#endif

/* --- both --- */

covey_status covey_i_experiment_database_open(covey_experiment_database **out, const covey_experiment_context *context,
                                              covey_sql_dialect dialect, covey_error *err)
{
    covey_experiment_database *d = covey_i_array_zero(1, sizeof *d);
    covey_status status;

    if (!d)
        return covey_i_no_memory(err);
#ifdef COVEY_HAS_POSTGRESQL
    if (dialect == COVEY_DIALECT_POSTGRESQL)
        status = open_schema(d, context, err);
    else
#endif
        status = open_file(d, context, err);
    if (status == COVEY_OK)
        *out = d;
    else
        covey_i_experiment_database_close(d);
    return status;
}

void covey_i_experiment_database_close(covey_experiment_database *d)
{
    if (!d)
        return;
    sqlite3_close(d->file);
    if (d->path)
        remove(d->path);
#ifdef COVEY_HAS_POSTGRESQL
    close_schema(d);
#endif
    covey_i_free(d);
}

covey_status covey_i_experiment_database_ask(covey_experiment_database *d, const char *sql, covey_error *err)
{
#ifdef COVEY_HAS_POSTGRESQL
    if (d->server)
        return covey_i_server_do(d->server, sql, err);
#endif
    return ask_file(d->file, sql, err);
}
