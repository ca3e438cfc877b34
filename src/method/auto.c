/* The parameters of `method: auto`. */
#include "method/auto.h"

#include <stddef.h>

const covey_param covey_i_auto_params[COVEY_AUTO_N_PARAMS] = {
    {.name = "time-limit",
     .type = COVEY_PARAM_RATIO,
     .offset = offsetof(covey_auto_params, time_limit),
     .fallback = "10",
     .minimum = "0",
     .help = "seconds after which searches end with what they have and no further method begins"},
};
