/* A release that is small enough to check by hand, for tests of the audit and of the measures.
 *
 *     original                     published
 *     age edu city disease note    class age      edu     city    disease note
 *     20  BA  A    flu     x       1     [20, 25] college A       cold    x
 *     25  MA  A    cold    x       1     [20, 25] college A       flu     x
 *     30  BA  B    flu     y       2     [30, 39] *       B       flu     y
 *     39  HS  B    gout    y       2     [30, 39] *       B       gout    y
 *     40  HS  C    flu     x       3     [40, 60] *       {C, D}  cold    x
 *     45  PhD C    cold    x       3     [40, 60] *       {C, D}  cold    y
 *     50  PhD C    cold    y       3     [40, 60] *       {C, D}  flu     x
 *     60  PhD D    gout    z       3     [40, 60] *       {C, D}  gout    z
 *
 * Information loss: age (2*5 + 2*9 + 4*20)/40/8 = 0.3375; edu (2*3/5 + 6)/8 = 0.9; city 4/8 = 0.5; mean 1.7375/3.
 * As ncp edu is (2*2/4 + 6)/8 = 0.875.  Largest gain: gout in class 2, (1/2 - 1/4)/(1/4) = 1. */
#ifndef COVEY_TESTS_SMALL_RELEASE_H
#define COVEY_TESTS_SMALL_RELEASE_H

#include "support/release/release_folder.h"

/* A new folder with the release and its original. */
void small_release(release_folder *r);

/* Six persons, of whom four fit both classes: either may have (b, e) and the other (c, d).  Figures are not its own.
 *
 *     a 22 flu        c 27 flu, 29 gout   e 27 gout     class 1 [20, 30]: cold, flu, flu, gout; 3 persons
 *     b 26 flu, 28 cold   d 26 cold       f 33 flu      class 2 [25, 35]: cold, flu, flu, gout; 3 persons */
void shared_persons(release_folder *r);

#endif
