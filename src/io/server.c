/* See server.h. */
#ifdef COVEY_HAS_POSTGRESQL

#include "io/server.h"

#include <string.h>

#include "base/alloc.h"

struct covey_server {
    const covey_database *database;
    PGconn *connection;
};

enum { MOST_OPTIONS = 64 };

static covey_status fail_memory(const covey_database *database, covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "%s: connecting to the server", database->shown);
}

/* libpq's message without line ends, of which covey_fail would make blanks at its end. */
static void add_reason(covey_text *out, const char *message)
{
    size_t size = strlen(message);

    while (size > 0 && strchr(" \n\r\t", message[size - 1]))
        size--;
    covey_i_text_add(out, message, size);
}

static covey_status fail_with(const covey_database *database, covey_status status, const char *doing, const char *message, covey_error *err)
{
    covey_text reason = COVEY_TEXT_INIT;

    add_reason(&reason, message && *message ? message : "no reason is known");
    status = reason.broken ? fail_memory(database, err)
                           : covey_fail_at(err, status, database->shown, 0, NULL, 0, "%s: %s", doing, reason.bytes);
    covey_i_text_free(&reason);
    return status;
}

covey_status covey_i_server_fail(covey_server *server, const PGresult *result, const char *doing, covey_error *err)
{
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *message = result ? PQresultErrorMessage(result) : "";

    if (state && strcmp(state, "53200") == 0) /* out_of_memory, of the server */
        return fail_with(server->database, COVEY_EIO, doing, message, err);
    if (PQstatus(server->connection) != CONNECTION_OK)
        return fail_with(server->database, COVEY_EIO, "the connection to the server is lost", *message ? message : PQerrorMessage(server->connection),
                         err);
    return fail_with(server->database, COVEY_EIO, doing, *message ? message : PQerrorMessage(server->connection), err);
}

/* Wrong keys are named here, because libpq's own message about an address may hold a part of its password. */
static covey_status check_keys(const covey_database *database, covey_error *err)
{
    const char *names[MOST_OPTIONS], *keys = strrchr(database->place, '?');
    PQconninfoOption *known = PQconndefaults();
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
        status = covey_fail_at(err, COVEY_EINVAL, database->shown, 0, NULL, 0, "unknown key \"%s\"%s%s%s", key, near ? "; did you mean \"" : "",
                               near ? near : "", near ? "\"?" : "");
    }
    PQconninfoFree(known);
    return status;
}

static covey_status connect_to(PGconn **out, const covey_database *database, covey_error *err)
{
    const char *keywords[MOST_OPTIONS + 4], *values[MOST_OPTIONS + 4];
    char *complaint = NULL;
    PQconninfoOption *parsed = PQconninfoParse(database->place, &complaint);
    size_t n = 0;

    PQfreemem(complaint); /* not shown: see above */
    if (!parsed) {
        COVEY_TRY(check_keys(database, err));
        return covey_fail_at(err, COVEY_EINVAL, database->shown, 0, NULL, 0,
                             "is no address that libpq understands; write postgresql://USER@HOST:PORT/DATABASE and other bytes than letters "
                             "and digits as %% and two hexadecimal digits");
    }
    keywords[n] = "fallback_application_name", values[n++] = "covey";
    keywords[n] = "connect_timeout", values[n++] = "30";
    for (PQconninfoOption *o = parsed; o->keyword && n < MOST_OPTIONS; o++)
        if (o->val && strcmp(o->keyword, "client_encoding") != 0)
            keywords[n] = o->keyword, values[n++] = o->val;
    keywords[n] = "client_encoding", values[n++] = "UTF8";
    keywords[n] = values[n] = NULL;
    *out = PQconnectdbParams(keywords, values, 0);
    PQconninfoFree(parsed);
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
    status = connect_to(&server->connection, database, err);
    if (status == COVEY_OK && PQstatus(server->connection) != CONNECTION_OK)
        status = fail_with(database, COVEY_EIO, "cannot connect", PQerrorMessage(server->connection), err);
    if (status == COVEY_OK)
        PQsetNoticeProcessor(server->connection, ignore_notice, NULL);
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
    PQfinish(server->connection);
    covey_i_free(server);
}

PGconn *covey_i_server_connection(covey_server *server)
{
    return server->connection;
}

covey_status covey_i_server_do(covey_server *server, const char *sql, covey_error *err)
{
    PGresult *result = PQexec(server->connection, sql);
    const ExecStatusType got = PQresultStatus(result);
    covey_status status = COVEY_OK;

    if (got != PGRES_COMMAND_OK && got != PGRES_TUPLES_OK)
        status = covey_i_server_fail(server, result, "the server refuses", err);
    PQclear(result);
    return status;
}

covey_status covey_i_server_ask(PGresult **out, covey_server *server, const char *sql, const char *const *values, int n, covey_error *err)
{
    PGresult *result = PQexecParams(server->connection, sql, n, NULL, values, NULL, NULL, 0);
    covey_status status;

    if (PQresultStatus(result) == PGRES_TUPLES_OK) {
        *out = result;
        return COVEY_OK;
    }
    status = covey_i_server_fail(server, result, "the server refuses", err);
    PQclear(result);
    return status;
}

covey_status covey_i_server_copy(covey_server *server, const char *sql, ExecStatusType direction, covey_error *err)
{
    PGresult *result = PQexec(server->connection, sql);
    covey_status status = COVEY_OK;

    if (PQresultStatus(result) != direction)
        status = covey_i_server_fail(server, result, "the server refuses", err);
    PQclear(result);
    return status;
}

covey_status covey_i_server_end_copy(covey_server *server, covey_error *err)
{
    covey_status status = COVEY_OK;
    bool ended = false;
    PGresult *result;

    while ((result = PQgetResult(server->connection))) {
        const ExecStatusType got = PQresultStatus(result);

        if (status == COVEY_OK && got != PGRES_COMMAND_OK)
            status = covey_i_server_fail(server, result, "the server broke off", err);
        ended |= got == PGRES_COMMAND_OK;
        PQclear(result);
        if (got == PGRES_COPY_IN || got == PGRES_COPY_OUT || PQstatus(server->connection) != CONNECTION_OK)
            break; /* it would go on like this forever */
    }
    if (status == COVEY_OK && !ended)
        status = covey_i_server_fail(server, NULL, "the server broke off", err);
    return status;
}

#else
typedef int covey_server_is_not_built;
#endif
