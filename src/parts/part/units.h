/* From a part's release to the units that its file holds. */
#ifndef COVEY_PARTS_PART_UNITS_H
#define COVEY_PARTS_PART_UNITS_H

#include "parts/part/file.h"

/**
 * The units of a release, in its order, and what the file says of all of them.
 *
 * @param problem  its columns show what is published afterwards
 * @param facts    receives n_published, n_units, kind and goal
 * @return COVEY_EINTERNAL for a release of a kind that is not joined; COVEY_EIO if the kernel gives no random numbers;
 * COVEY_ENOMEM
 */
covey_status covey_i_part_units(covey_part_units *out, covey_part_facts *facts, covey_problem *problem,
                                const covey_release *release, covey_arena *arena, const covey_run *run,
                                covey_error *err);

#endif
