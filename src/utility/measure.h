/* A part of measuring a release, for who needs no more. */
#ifndef COVEY_UTILITY_MEASURE_H
#define COVEY_UTILITY_MEASURE_H

#include <covey/utility.h>

/* The workload of covey_measure without its metrics; options->original and n_queries are set. */
covey_status covey_i_measure_workload(covey_measured_workload *out, const char *folder,
                                      const covey_measure_options *options, const covey_run *run, covey_error *err);

#endif
