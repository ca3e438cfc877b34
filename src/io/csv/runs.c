/* Finding the lines of each class. */
#include "io/csv/runs.h"

#include <stdbool.h>
#include <string.h>

uint64_t covey_i_csv_number_at(const char *at, const char *end)
{
    uint64_t number = 0;

    at += at < end && *at == '"';
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        number = number * 10 + (uint64_t)(*at - '0');
    return number;
}

const char *covey_i_csv_end_of_record(const char *at, const char *end)
{
    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at)), *stop = feed ? feed + 1 : end;
        bool quoted = false;

        for (const char *quote = at; (quote = memchr(quote, '"', (size_t)(stop - quote))); quote++)
            quoted = !quoted;
        while (quoted && stop < end)
            quoted ^= *stop++ == '"';
        if (stop == end || stop[-1] == '\n')
            return stop;
        at = stop; /* a quoted cell ended, the record goes on */
    }
    return end;
}

const char *covey_i_csv_end_of_run(const char *at, const char *end)
{
    const uint64_t number = covey_i_csv_number_at(at, end);

    while (at < end && covey_i_csv_number_at(at, end) == number)
        at = covey_i_csv_end_of_record(at, end);
    return at;
}

const char *covey_i_csv_end_of_runs(const char *at, const char *end, uint64_t number)
{
    while (at < end) { /* a record begins at `at`; those from `end` on have larger numbers */
        const char *middle = at + (end - at) / 2, *feed = memchr(middle, '\n', (size_t)(end - middle)),
                   *line = feed ? feed + 1 : end;

        if (line == end) { /* the last one begins before the middle: look at the first */
            if (covey_i_csv_number_at(at, end) > number)
                return at;
            feed = memchr(at, '\n', (size_t)(end - at));
            at = feed ? feed + 1 : end;
        } else if (covey_i_csv_number_at(line, end) > number) {
            end = line;
        } else {
            at = line;
        }
    }
    return at;
}
