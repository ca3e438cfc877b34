/* What `method: auto` takes, which is no method itself. */
#ifndef COVEY_METHOD_AUTO_H
#define COVEY_METHOD_AUTO_H

#include <covey/base.h>

typedef struct covey_auto_params {
    covey_ratio time_limit; /* seconds, from which on nothing new begins once there is a release */
} covey_auto_params;

enum { COVEY_AUTO_N_PARAMS = 1 };
extern const covey_param covey_i_auto_params[COVEY_AUTO_N_PARAMS];

#endif
