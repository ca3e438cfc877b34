/* Mondrian's cuts for other methods: parts of similar rows to work in. */
#ifndef COVEY_METHOD_MONDRIAN_MONDRIAN_H
#define COVEY_METHOD_MONDRIAN_MONDRIAN_H

#include "method/method_impl.h"

/**
 * Cuts rows[0 .. n-1] strictly at medians while both sides keep problem->promises.
 *
 * @param part_of_row  receives the part of each row, numbered from 0; those of other rows stay as they are
 * @param rows         permuted in place
 * The parts and their numbers depend on the rows and the order they stand in, not on the number of threads.
 */
covey_status covey_i_mondrian_parts(uint32_t *part_of_row, uint32_t *n_parts, uint32_t *rows, uint32_t n,
                                    const covey_problem *problem, const covey_run *run, covey_error *err);

#endif
