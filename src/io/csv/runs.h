/* Runs of records that have the same whole number in their first cell: the lines of one class in a published table. */
#ifndef COVEY_IO_CSV_RUNS_H
#define COVEY_IO_CSV_RUNS_H

#include <stdint.h>

/* The number that a record begins with, quoted or not; texts without digits are 0. */
uint64_t covey_i_csv_number_at(const char *at, const char *end);

/* Behind the next line end outside quotes; the end where there is none. */
const char *covey_i_csv_end_of_record(const char *at, const char *end);

/* Where the run ends that begins with the record at `at`, or `end` of the file. */
const char *covey_i_csv_end_of_run(const char *at, const char *end);

/* Where the records end whose number is at most that, found by halving: numbers ascend, and no cell holds a line feed.
 * Of another file it is some place behind a line feed, or one of its ends. */
const char *covey_i_csv_end_of_runs(const char *at, const char *end, uint64_t number);

#endif
