/* units.csv: how many units the classes of a release have. */
#ifndef COVEY_RELEASE_UNITS_TABLE_H
#define COVEY_RELEASE_UNITS_TABLE_H

#include "release/release_impl.h"

/**
 * Writes `class,units,largest`, or what the form's sets are called (and `persons`, where units are households) and
 * lists it.
 *
 * Nothing in it is about fewer units than a class has: `largest` is no unit's rows but the most that the promise allows
 * one of them, unless units are counted alone, or all of a set have as many.  How many persons have a sensitive value
 * is in no file: beside the rows that have it, a small number could tell whose they are.
 *
 * @param n_units  receives how many units have a published row
 */
covey_status covey_i_units_table_write(int64_t *n_units, const covey_release *release, const covey_problem *problem,
                                       const char *folder, covey_files *files, const covey_run *run, covey_error *err);

#endif
