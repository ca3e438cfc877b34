/* Connecting to PostgreSQL, and saying what went wrong there. */
#ifdef COVEY_HAS_POSTGRESQL

#include "io/database/server.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

struct covey_server {
    const covey_database *database;
    PGconn *connection;
};

enum { MOST_OPTIONS = 64 };

static covey_status fail_memory(const covey_database *database, covey_error *err)
{
    return covey_i_no_memory(err);
}

/* libpq's message without line ends, of which covey_fail would make blanks at its end. */
static void add_reason(covey_text *out, const char *message)
{
    size_t size = strlen(message);

    while (size > 0 && strchr(" \n\r\t", message[size - 1]))
        size--;
    covey_i_text_add(out, message, size);
}

static covey_status fail_with(const covey_database *database, const char *doing, const char *message, covey_error *err)
{
    covey_text reason = COVEY_TEXT_INIT;
    covey_status status;

    add_reason(&reason, message && *message ? message : "no reason is known");
    status = reason.broken ? fail_memory(database, err)
                           : covey_fail_at(err, COVEY_EIO, database->shown, 0, NULL, 0, "%s: %s", doing, reason.bytes);
    covey_i_text_free(&reason);
    return status;
}

covey_status covey_i_server_fail(covey_server *server, const PGresult *result, const char *doing, covey_error *err)
{
    const char *state = result ? covey_i_pq.resultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *message = result ? covey_i_pq.resultErrorMessage(result) : "";

    if (state && strcmp(state, "53200") == 0) /* out_of_memory, of the server */
        return fail_with(server->database, doing, message, err);
    if (covey_i_pq.status(server->connection) != CONNECTION_OK)
        doing = "the connection to the server is lost";
    return fail_with(server->database, doing, *message ? message : covey_i_pq.errorMessage(server->connection), err);
}

/* Wrong keys are named here, because libpq's own message about an address may hold a part of its password. */
static covey_status check_keys(const covey_database *database, covey_error *err)
{
    const char *names[MOST_OPTIONS], *keys = strrchr(database->place, '?');
    PQconninfoOption *known = covey_i_pq.conndefaults();
    size_t n = 0;
    covey_status status = COVEY_OK;

    names[n++] = "table";
    names[n++] = "schema";
    for (PQconninfoOption *o = known; o && o->keyword && n < MOST_OPTIONS; o++)
        names[n++] = o->keyword;
    for (keys = keys ? keys + 1 : ""; status == COVEY_OK && *keys; keys += strcspn(keys, "&"), keys += *keys == '&') {
        char key[64] = "";
        const size_t size = strcspn(keys, "=&");
        const char *near;
        bool found = strncmp(keys, "ssl=", 4) == 0; /* of JDBC, which libpq knows too */

        memcpy(key, keys, size < sizeof key ? size : sizeof key - 1);
        for (size_t i = 0; i < n; i++)
            found |= strcmp(key, names[i]) == 0;
        if (found)
            continue;
        near = covey_nearest_name(key, names, n);
        status = covey_fail_at(err, COVEY_EINVAL, database->shown, 0, NULL, 0, "unknown key \"%s\"%s%s%s", key,
                               near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    }
    covey_i_pq.conninfoFree(known);
    return status;
}

static covey_status connect_to(PGconn **out, const covey_database *database, covey_error *err)
{
    const char *keywords[MOST_OPTIONS + 4], *values[MOST_OPTIONS + 4];
    char *complaint = NULL;
    PQconninfoOption *parsed = covey_i_pq.conninfoParse(database->place, &complaint);
    size_t n = 0;

    covey_i_pq.freemem(complaint); /* not shown: see above */
    if (!parsed) {
        COVEY_TRY(check_keys(database, err));
        return covey_fail_at(err, COVEY_EINVAL, database->shown, 0, NULL, 0,
                             "is no address that libpq understands; write postgresql://USER@HOST:PORT/DATABASE and "
                             "other bytes than letters "
                             "and digits as %% and two hexadecimal digits");
    }
    keywords[n] = "fallback_application_name", values[n++] = "covey";
    keywords[n] = "connect_timeout", values[n++] = "30";
    for (PQconninfoOption *o = parsed; o->keyword && n < MOST_OPTIONS; o++)
        if (o->val && strcmp(o->keyword, "client_encoding") != 0)
            keywords[n] = o->keyword, values[n++] = o->val;
    keywords[n] = "client_encoding", values[n++] = "UTF8";
    keywords[n] = values[n] = NULL;
    *out = covey_i_pq.connectdbParams(keywords, values, 0);
    covey_i_pq.conninfoFree(parsed);
    return *out ? COVEY_OK : fail_memory(database, err);
}

static void ignore_notice(void *context, const char *message)
{
    (void)context;
    (void)message;
}

covey_status covey_i_server_open(covey_server **out, const covey_database *database, covey_error *err)
{
    covey_server *server = covey_i_array_zero(1, sizeof *server);
    covey_status status;

    if (!server)
        return fail_memory(database, err);
    server->database = database;
    if ((status = covey_i_libpq_load(database->shown, err)) == COVEY_OK)
        status = connect_to(&server->connection, database, err);
    if (status == COVEY_OK && covey_i_pq.status(server->connection) != CONNECTION_OK)
        status = fail_with(database, "cannot connect", covey_i_pq.errorMessage(server->connection), err);
    if (status == COVEY_OK)
        covey_i_pq.setNoticeProcessor(server->connection, ignore_notice, NULL);
    if (status == COVEY_OK)
        *out = server;
    else
        covey_i_server_close(server);
    return status;
}

void covey_i_server_close(covey_server *server)
{
    if (!server)
        return;
    if (server->connection) /* else libpq may not be there */
        covey_i_pq.finish(server->connection);
    covey_i_free(server);
}

PGconn *covey_i_server_connection(covey_server *server)
{
    return server->connection;
}

covey_status covey_i_server_do(covey_server *server, const char *sql, covey_error *err)
{
    PGresult *result = covey_i_pq.exec(server->connection, sql);
    const ExecStatusType got = covey_i_pq.resultStatus(result);
    covey_status status = COVEY_OK;

    if (got != PGRES_COMMAND_OK && got != PGRES_TUPLES_OK)
        status = covey_i_server_fail(server, result, "the server refuses", err);
    covey_i_pq.clear(result);
    return status;
}

covey_status covey_i_server_ask(PGresult **out, covey_server *server, const char *sql, const char *const *values, int n,
                                covey_error *err)
{
    PGresult *result = covey_i_pq.execParams(server->connection, sql, n, NULL, values, NULL, NULL, 0);
    covey_status status;

    if (covey_i_pq.resultStatus(result) == PGRES_TUPLES_OK) {
        *out = result;
        return COVEY_OK;
    }
    status = covey_i_server_fail(server, result, "the server refuses", err);
    covey_i_pq.clear(result);
    return status;
}

covey_status covey_i_server_copy(covey_server *server, const char *sql, ExecStatusType direction, covey_error *err)
{
    PGresult *result = covey_i_pq.exec(server->connection, sql);
    covey_status status = COVEY_OK;

    if (covey_i_pq.resultStatus(result) != direction)
        status = covey_i_server_fail(server, result, "the server refuses", err);
    covey_i_pq.clear(result);
    return status;
}

covey_status covey_i_server_end_copy(covey_server *server, covey_error *err)
{
    covey_status status = COVEY_OK;
    bool ended = false;
    PGresult *result;

    while ((result = covey_i_pq.getResult(server->connection))) {
        const ExecStatusType got = covey_i_pq.resultStatus(result);

        if (status == COVEY_OK && got != PGRES_COMMAND_OK)
            status = covey_i_server_fail(server, result, "the server broke off", err);
        ended |= got == PGRES_COMMAND_OK;
        covey_i_pq.clear(result);
        if (got == PGRES_COPY_IN || got == PGRES_COPY_OUT || covey_i_pq.status(server->connection) != CONNECTION_OK)
            break; /* it would go on like this forever */
    }
    if (status == COVEY_OK && !ended)
        status = covey_i_server_fail(server, NULL, "the server broke off", err);
    return status;
}

#else
typedef int covey_server_is_not_built;
#endif
