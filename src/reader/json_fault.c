#include "reader/json_fault.h"

#include "base/alloc.h"

/* jansson does not always say that it ran out of memory: it may say nothing, or call the token wrong that it had no
 * room for. */
static bool is_memory_left(size_t size)
{
    void *probe = covey_i_malloc(size);

    covey_i_free(probe);
    return probe != NULL;
}

bool covey_i_json_lacked_memory(const json_error_t *fault, size_t size)
{
    return json_error_code(fault) == json_error_out_of_memory || !*fault->text || !is_memory_left(size);
}
