/* Why jansson did not read a text. */
#ifndef COVEY_READER_JSON_FAULT_H
#define COVEY_READER_JSON_FAULT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Was it for lack of memory, and not for what stands in the text?  size: of the text. */
bool covey_i_json_lacked_memory(const json_error_t *fault, size_t size);

#endif
