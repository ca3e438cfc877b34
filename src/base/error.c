/* Status codes and messages. */
#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const status_names[COVEY_N_STATUS] = {
    [COVEY_OK] = "ok",
    [COVEY_ENOMEM] = "memory",
    [COVEY_EINVAL] = "invalid",
    [COVEY_EPARSE] = "parse",
    [COVEY_EIO] = "io",
    [COVEY_ENOTFOUND] = "not-found",
    [COVEY_EEXIST] = "exists",
    [COVEY_EINFEASIBLE] = "infeasible",
    [COVEY_ECANCELLED] = "cancelled",
    [COVEY_EINTERNAL] = "internal",
};

const char *covey_status_name(covey_status status)
{
    return status >= 0 && status < COVEY_N_STATUS ? status_names[status] : "unknown";
}

const char *covey_version(void)
{
    return COVEY_VERSION;
}

/* Messages are one line, whatever a cell or a file name holds. */
static void make_one_line(char *message)
{
    for (char *c = message; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
}

/* Cutting a message off must not leave half a character. */
static void end_on_a_character(char *message, size_t size)
{
    size_t n = strlen(message);

    if (n + 1 < size)
        return;
    while (n > 0 && ((unsigned char)message[n - 1] & 0xC0) == 0x80)
        n--;
    message[n > 0 ? n - 1 : 0] = '\0';
}

static void clear(covey_error *err, covey_status status)
{
    err->status = status;
    err->message[0] = err->file[0] = err->column[0] = err->parameter[0] = err->nearest[0] = '\0';
    err->row = err->column_number = 0;
}

/* Gives an error its place, which the message begins with; returns the bytes that it takes. */
static size_t begin_at(covey_error *err, const char *file, int64_t row, int64_t column_number)
{
    int n = 0;

    if (file)
        snprintf(err->file, sizeof err->file, "%s", file);
    err->row = row;
    err->column_number = column_number;
    if (file && row > 0 && column_number > 0)
        n = snprintf(err->message, sizeof err->message, "%s:%" PRId64 ":%" PRId64 ": ", file, row, column_number);
    else if (file && row > 0)
        n = snprintf(err->message, sizeof err->message, "%s:%" PRId64 ": ", file, row);
    else if (file)
        n = snprintf(err->message, sizeof err->message, "%s: ", file);
    return n < 0 || (size_t)n >= sizeof err->message ? 0 : (size_t)n;
}

covey_status covey_fail(covey_error *err, covey_status status, const char *fmt, ...)
{
    va_list args;

    if (!err)
        return status;
    clear(err, status);
    va_start(args, fmt);
    vsnprintf(err->message, sizeof err->message, fmt, args);
    va_end(args);
    end_on_a_character(err->message, sizeof err->message);
    make_one_line(err->message);
    return status;
}

covey_status covey_fail_at(covey_error *err, covey_status status, const char *file, int64_t row, const char *column,
                           int64_t column_number, const char *fmt, ...)
{
    va_list args;
    size_t n;

    if (!err)
        return status;
    clear(err, status);
    if (column)
        snprintf(err->column, sizeof err->column, "%s", column);
    n = begin_at(err, file, row, column_number);
    va_start(args, fmt);
    vsnprintf(err->message + n, sizeof err->message - n, fmt, args);
    va_end(args);
    end_on_a_character(err->message, sizeof err->message);
    make_one_line(err->message);
    return status;
}

covey_status covey_i_error_about(covey_status status, const char *parameter, covey_error *err)
{
    if (status != COVEY_OK && err && !*err->parameter)
        snprintf(err->parameter, sizeof err->parameter, "%s", parameter);
    return status;
}

covey_status covey_i_no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "out of memory");
}

covey_status covey_i_refuse_param(covey_error *err, const char *parameter, const char *fmt, ...)
{
    char message[sizeof err->message];
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    return covey_i_error_about(covey_fail(err, COVEY_EINVAL, "%s", message), parameter, err);
}

void covey_i_error_put_in_front(covey_error *err, const char *fmt, ...)
{
    char message[sizeof err->message];
    va_list args;
    int n;

    if (!err)
        return;
    memcpy(message, err->message, sizeof message);
    va_start(args, fmt);
    n = vsnprintf(err->message, sizeof err->message, fmt, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof err->message)
        snprintf(err->message + n, sizeof err->message - (size_t)n, "%s", message);
    end_on_a_character(err->message, sizeof err->message);
    make_one_line(err->message);
}

void covey_i_error_place(covey_error *err, const char *file, int64_t row, int64_t column_number)
{
    char message[sizeof err->message];
    size_t n;

    if (!err || *err->file)
        return;
    memcpy(message, err->message, sizeof message);
    n = begin_at(err, file, row, column_number);
    snprintf(err->message + n, sizeof err->message - n, "%s", message);
    end_on_a_character(err->message, sizeof err->message);
    make_one_line(err->message);
}

covey_status covey_i_error_names(covey_status status, const char *file, const char *column, covey_error *err)
{
    if (status == COVEY_OK || !err)
        return status;
    if (!*err->file && file)
        snprintf(err->file, sizeof err->file, "%s", file);
    if (!*err->column && column)
        snprintf(err->column, sizeof err->column, "%s", column);
    return status;
}

void covey_i_error_place_line(covey_error *err, const char *file)
{
    if (err && err->row > 0)
        covey_i_error_place(err, file, err->row, err->column_number);
}
