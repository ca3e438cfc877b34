/* Promises over units of a release. */
#ifndef COVEY_AUDIT_UNITS_H
#define COVEY_AUDIT_UNITS_H

#include "audit/steps.h"

/* Are the numbers of units that the release states possible, and do the promises over units hold if they are true?
 * Nothing where the manifest has no entity. */
covey_status covey_i_audit_units(covey_audit *audit, covey_error *err);

#endif
