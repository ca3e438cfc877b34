/* The order of a sliced release: buckets by what they hold, column by column, and the lines of a column by bucket and
 * content. */
#ifndef COVEY_RELEASE_SLICED_ORDER_H
#define COVEY_RELEASE_SLICED_ORDER_H

#include "release/sliced/sliced.h"

/**
 * Fills release->class_start, n_classes and n_published, and the pieces of its form_data, whose slices are there; they
 * are the release's to free, also if this fails.
 */
covey_status covey_i_sliced_order(covey_release *release, covey_dealt *dealt, const covey_run *run, covey_error *err);

#endif
