/* The numbers of all benches in one place: bench/run gives the benches a file in COVEY_BENCH_RESULTS, and each number
 * becomes a line of JSON in it, which bench/run makes bench/results.json from.  Without that variable nothing is
 * written. */
#ifndef COVEY_BENCH_RESULTS_H
#define COVEY_BENCH_RESULTS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* bench: which program; name: which case; what: which of its numbers, in unit.  floor: what it is compared with, in the
 * same unit; 0: nothing. */
static inline void bench_record(const char *bench, const char *name, const char *what, double value, const char *unit,
                                double floor)
{
    const char *path = getenv("COVEY_BENCH_RESULTS");
    FILE *file = path && *path && isfinite(value) ? fopen(path, "a") : NULL;

    if (!file)
        return;
    fprintf(file, "{\"bench\": \"%s\", \"case\": \"%s\", \"what\": \"%s\", \"value\": %.6g, \"unit\": \"%s\"", bench,
            name, what, value, unit);
    if (floor > 0)
        fprintf(file, ", \"floor\": %.6g, \"ratio\": %.4g}\n", floor, value / floor);
    else
        fputs(", \"floor\": null, \"ratio\": null}\n", file);
    fclose(file);
}

#endif
