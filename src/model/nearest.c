/* Saying which changes of a policy would let it be kept. */
#include "model/nearest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

void covey_i_nearest_change(covey_nearest *nearest, const char *param, const char *fmt, ...)
{
    va_list args;

    nearest->change[nearest->n].param = param;
    va_start(args, fmt);
    vsnprintf(nearest->change[nearest->n].value, sizeof nearest->change[nearest->n].value, fmt, args);
    va_end(args);
    nearest->n++;
}

/* Appends, unless it is too long. */
static void append(covey_changes *changes, char *to, size_t size, const char *fmt, ...) COVEY_PRINTF(4, 5);

static void append(covey_changes *changes, char *to, size_t size, const char *fmt, ...)
{
    const size_t used = strlen(to);
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(to + used, size - used, fmt, args);
    va_end(args);
    changes->is_lost |= n < 0 || (size_t)n >= size - used;
}

static void append_string(covey_changes *changes, char *to, size_t size, const char *string)
{
    covey_text text = COVEY_TEXT_INIT;

    covey_i_text_add_json(&text, string);
    changes->is_lost |= text.broken;
    if (!text.broken)
        append(changes, to, size, "%s", text.bytes);
    covey_i_text_free(&text);
}

/* Whole numbers as such; fractions, decimals and words as text, so that they stay what they are. */
static void append_value(covey_changes *changes, char *to, size_t size, const char *param, const char *value)
{
    append(changes, to, size, ", \"%s\": ", param);
    if (value[strspn(value, "0123456789")] == '\0')
        append(changes, to, size, "%s", value);
    else
        append_string(changes, to, size, value);
}

void covey_i_changes_promise(covey_changes *changes, const covey_promise *promise, const covey_nearest *nearest)
{
    char *to = changes->privacy;
    const size_t size = sizeof changes->privacy;

    changes->is_lost |= nearest->n == 0;
    append(changes, to, size, "%s{\"model\": \"%s\"", *to ? ", " : "", promise->model->name);
    if (promise->attribute) {
        append(changes, to, size, ", \"attribute\": ");
        append_string(changes, to, size, promise->attribute);
    }
    if (promise->joint)
        append(changes, to, size, ", \"joint\": true");
    for (size_t i = 0; i < nearest->n; i++)
        append_value(changes, to, size, nearest->change[i].param, nearest->change[i].value);
    append(changes, to, size, "}");
}

void covey_i_changes_method(covey_changes *changes, const char *param, const char *fmt, ...)
{
    char value[96];
    va_list args;

    va_start(args, fmt);
    vsnprintf(value, sizeof value, fmt, args);
    va_end(args);
    append_value(changes, changes->method, sizeof changes->method, param, value);
}

void covey_i_changes_method_json(covey_changes *changes, const char *param, const char *json)
{
    append(changes, changes->method, sizeof changes->method, ", \"%s\": %s", param, json);
}

void covey_i_changes_give(covey_error *err, const covey_changes *changes)
{
    const bool privacy = *changes->privacy, method = *changes->method;
    int n;

    if (!err || changes->is_lost || (!privacy && !method))
        return;
    n = snprintf(err->nearest, sizeof err->nearest, "{%s%s%s%s%s%s%s}", privacy ? "\"privacy\": [" : "",
                 changes->privacy, privacy ? "]" : "", privacy && method ? ", " : "", method ? "\"method\": {" : "",
                 method ? changes->method + 2 : "", method ? "}" : "");
    if (n < 0 || (size_t)n >= sizeof err->nearest)
        err->nearest[0] = '\0';
}
