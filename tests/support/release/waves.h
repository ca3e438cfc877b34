/* Two m-invariant releases of a table that changes, in the folder of support/csvs.h: first and second of wave-1.csv and
 * wave-2.csv, with ledger.csv; m is 2.  A row of the second is made up. */
#ifndef COVEY_TESTS_WAVES_H
#define COVEY_TESTS_WAVES_H

void waves_publish(void);

#endif
