/* Status codes and messages. */
#include <covey/base.h>

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
    err->message[0] = err->file[0] = err->column[0] = '\0';
    err->row = err->column_number = 0;
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

covey_status covey_fail_at(covey_error *err, covey_status status, const char *file, int64_t row, const char *column, int64_t column_number,
                           const char *fmt, ...)
{
    va_list args;
    int n = 0;

    if (!err)
        return status;
    clear(err, status);
    if (file)
        snprintf(err->file, sizeof err->file, "%s", file);
    if (column)
        snprintf(err->column, sizeof err->column, "%s", column);
    err->row = row;
    err->column_number = column_number;
    if (file && row > 0 && column_number > 0)
        n = snprintf(err->message, sizeof err->message, "%s:%" PRId64 ":%" PRId64 ": ", file, row, column_number);
    else if (file && row > 0)
        n = snprintf(err->message, sizeof err->message, "%s:%" PRId64 ": ", file, row);
    else if (file)
        n = snprintf(err->message, sizeof err->message, "%s: ", file);
    if (n < 0 || (size_t)n >= sizeof err->message)
        n = 0;
    va_start(args, fmt);
    vsnprintf(err->message + n, sizeof err->message - (size_t)n, fmt, args);
    va_end(args);
    end_on_a_character(err->message, sizeof err->message);
    make_one_line(err->message);
    return status;
}
