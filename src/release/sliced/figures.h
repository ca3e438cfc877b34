/* What the promises of a sliced release reach; see covey_form. */
#ifndef COVEY_RELEASE_SLICED_FIGURES_H
#define COVEY_RELEASE_SLICED_FIGURES_H

#include "release/release_impl.h"

covey_status covey_i_sliced_achieved(covey_figure *figure, const covey_release *release, const covey_problem *problem,
                                     const covey_run *run, covey_error *err);

#endif
