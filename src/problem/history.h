/* What earlier releases of a table that changes say of its rows: a unit's signature, the sensitive values of the
 * classes that it has been in.  Known from the publisher's ledger; docs/design/m-invariance.md. */
#ifndef COVEY_PROBLEM_HISTORY_H
#define COVEY_PROBLEM_HISTORY_H

#include <stdint.h>

#define COVEY_NO_SIGNATURE UINT32_MAX

typedef struct covey_history {
    uint32_t n;             /* signatures; numbered by content */
    const uint32_t *start;  /* [n + 1] */
    const uint32_t *value;  /* [start[n]] codes of the sensitive column, those of a signature ascending */
    const uint32_t *of_row; /* [rows of the table] COVEY_NO_SIGNATURE: of a unit that no release has had */
} covey_history;

#endif
