/* Moving records to the two halves of a part in groups of eight, where the processor can: what records_split.c does
 * record by record. */
#ifndef COVEY_METHOD_ROWS_RECORDS_GROUPS_H
#define COVEY_METHOD_ROWS_RECORDS_GROUPS_H

#include "method/rows/records.h"

/* Can it? */
bool covey_i_records_has_groups(void);

/* Both move a block of up to COVEY_RECORD_BLOCK records, as covey_i_records_split does, with the same result; the first
 * one only if it can. */
void covey_i_records_split_groups(covey_record_halves *to, const covey_records *records, int side, uint32_t start,
                                  uint32_t n, const uint8_t *goes_left);
void covey_i_records_split_block(covey_record_halves *to, const covey_records *records, int side, uint32_t start,
                                 uint32_t n, const uint8_t *goes_left);

#endif
