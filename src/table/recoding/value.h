/* What a recoding makes of one value. */
#ifndef COVEY_TABLE_RECODING_VALUE_H
#define COVEY_TABLE_RECODING_VALUE_H

#include "base/arena.h"
#include "table/recoding/recoding.h"

enum { COVEY_RECODING_SIZE = 75 }; /* of a number or a date: no longer one is read */

/* spelling.c: out [COVEY_RECODING_SIZE]: a number, or a date, as covey writes it; false if text is none that is written
 * in the recoding's way. */
bool covey_i_recoding_respell(char *out, const char *text, const covey_recoding *recoding, bool as_date);

/* coarser.c: NULL: it cannot be, or there is no memory (*broken). */
const char *covey_i_recoding_coarsen(const char *text, const covey_recoding *recoding, covey_arena *arena,
                                     bool *broken);

#endif
