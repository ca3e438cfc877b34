/* Runs of records that have the same whole number in their first cell: the lines of one class in a published table. */
#ifndef COVEY_CSV_RUNS_H
#define COVEY_CSV_RUNS_H

/* Where the run ends that begins with the record at `at`, or `end` of the file. */
const char *covey_i_csv_end_of_run(const char *at, const char *end);

#endif
